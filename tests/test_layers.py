"""Imports point down only, and third parties stay where they belong."""

import ast
import sys
from pathlib import Path

import pytest

import perno_solver

PACKAGE = Path(perno_solver.__file__).parent

LAYERS = [  # from the bottom; a module imports from layers below its own
    {"errors", "_cython"},
    {"cards"},
    {"deal", "moves", "rules"},
    {"state"},
    {"codec", "lemmas"},
    {"proof"},
    {"search", "kernel"},
    {"engine"},
    {"solve"},
    {"__init__"},
    {"strategies", "chunks"},
    {"figures", "store"},
    {"survey"},
    {"table", "plots"},
    {"cli"},
    {"survey_cli"},
    {"__main__"},
]
LEVELS = {module: level for level, layer in enumerate(LAYERS) for module in layer}

ANYWHERE = {"attrs", "sortedcontainers"}
THIRD_PARTIES = {
    "cli": {"click", "rich"},
    "survey_cli": {"click", "rich"},
    "table": {"rich"},
    "kernel": {"cython"},
    "strategies": {"hypothesis"},
    "plots": {"matplotlib"},
}

SOURCES = {path.stem: path for path in sorted(PACKAGE.glob("*.py"))}


def imports(path):
    """List the modules that a file imports, wherever it does: those of the package by their own names, and others."""
    inner, outer = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            names = [node.module]
            if node.module == "perno_solver":  # a module or something that `__init__` names
                names = [f"perno_solver.{alias.name if alias.name in LEVELS else '__init__'}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, module = name.partition(".")
            if package == "perno_solver":
                inner.add(module or "__init__")
            else:
                outer.add(package)
    return inner, outer - sys.stdlib_module_names


def test_the_package_was_found():
    assert {"errors", "state", "solve"} <= set(SOURCES)


@pytest.mark.parametrize("module", SOURCES)
def test_imports_point_down(module):
    assert module in LEVELS, f"{module} has no layer: give it one in LAYERS"
    inner, _ = imports(SOURCES[module])
    assert {below for below in inner if LEVELS[below] >= LEVELS[module]} == set()


@pytest.mark.parametrize("module", SOURCES)
def test_third_parties_stay_where_they_belong(module):
    _, outer = imports(SOURCES[module])
    assert outer <= ANYWHERE | THIRD_PARTIES.get(module, set())
