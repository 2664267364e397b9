"""The documentation is whole: all that is public is in the reference, and what cites the package is of its version."""

import re
import tomllib
from pathlib import Path

import pytest

import perno_solver
from perno_solver import PernoError

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_every_public_name_is_in_the_reference():
    shown = re.findall(r"^::: ([\w.]+)$", "\n".join(page.read_text(encoding="utf-8") for page in PAGES), re.MULTILINE)
    assert len(shown) == len(set(shown)) > 40
    assert "perno_solver.errors" in shown  # as a whole
    for name in perno_solver.__all__:
        value = getattr(perno_solver, name)
        if not (isinstance(value, type) and issubclass(value, PernoError)):
            assert {f"perno_solver.{name}", f"perno_solver.{name}.{name}"} & set(shown), name


def test_every_page_is_on_the_site():
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", config, re.MULTILINE))
    assert {str(page.relative_to(ROOT / "docs")) for page in PAGES if page.name != "README.md"} < listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_stand_in_fences(page):
    fenced = False
    for line in page.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        assert fenced or not line.startswith(">>>"), line
    assert not fenced


def test_the_citation_is_of_this_version():
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    values = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert values["cff-version"] == "1.2.0"
    assert values["version"] == perno_solver.__version__
    assert (values["title"], values["license"]) == (project["name"], project["license"])
    assert {"message", "authors:", "keywords:"} <= set(values) | set(lines)
    assert [line[4:] for line in lines if line.startswith("  - ") and "name:" not in line] == project["keywords"]
