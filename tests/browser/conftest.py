"""A real browser: the machine's chromium, driven by playwright; `PERNO_CHROMIUM` names another one."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

try:
    from browsing import Pages
    from playwright.sync_api import Browser, sync_playwright
except ModuleNotFoundError:  # without the extra `browser` there are no such tests
    collect_ignore_glob = ["*"]

CHROMIUM = os.environ.get("PERNO_CHROMIUM", "/usr/bin/chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """Start the browser once; it has no sandbox, as in containers there is none to be had."""
    if shutil.which(CHROMIUM) is None:
        pytest.fail(f"there is no {CHROMIUM}: apt-get install chromium, or set PERNO_CHROMIUM")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def pages(chromium: "Browser") -> "Iterator[Pages]":
    """Pages of a browser; at the end nothing may have gone wrong in any of them."""
    opened = Pages(chromium)
    yield opened
    for context in opened.contexts:
        context.close()
    assert opened.wrong == []
