"""What the documentation shows is what happens: the examples run, and docstrings print what they say."""

import doctest
import importlib
import pkgutil
import runpy
from pathlib import Path

import pytest

import perno_solver

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
MODULES = [
    module.name
    for module in pkgutil.walk_packages(perno_solver.__path__, "perno_solver.")
    if "__main__" not in module.name
]


def test_there_is_something_to_run():
    assert {"library", "seeded_deal", "property_test"} <= {example.stem for example in EXAMPLES}
    assert {"perno_solver.game.cards", "perno_solver.strategies"} <= set(MODULES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_examples_run(example, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_print_what_they_say(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert not result.failed
    assert result.attempted or ">>>" not in Path(module.__file__).read_text(encoding="utf-8", errors="ignore")
