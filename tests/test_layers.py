"""Folders are layers; imports point down only, wherever they are made; third parties stay where they belong.

And all of it can be read at a sitting.
"""

import ast
import sys
from pathlib import Path

import pytest

import perno_solver

PACKAGE = Path(perno_solver.__file__).parent

LAYERS = [  # from the bottom; a module imports from layers below its own, and a folder's name is its `__init__`
    {"errors", "files", "intervals"},
    {"checks"},
    {"game", "game.cards"},
    {"game.deal", "game.moves", "game.rules"},
    {"game.block"},
    {"game.state"},
    {"game.codec", "game.view", "lemmas"},
    {"game.record"},
    {"proof.evidence"},
    {"proof.checker"},
    {"proof"},
    {"kernel._cython"},
    {"kernel.bits"},
    {"kernel.sets"},
    {"kernel.position", "kernel.table", "kernel.queue"},
    {"kernel.log", "kernel.nodes", "kernel.greedy", "kernel.bound", "kernel.dig", "kernel.least"},
    {"kernel.search", "kernel.walk", "kernel.held"},
    {"kernel.shortest"},
    {"kernel.batch", "kernel.plain", "kernel.single"},
    {"kernel.final"},
    {"kernel.piles"},
    {"kernel.worlds"},
    {"kernel.players"},
    {"kernel.api"},
    {"kernel"},
    {"show", "show.document", "show.texts"},
    {"show.table", "show.faces", "show.spelling"},
    {"show.words", "show.scene"},
    {"show.picture"},
    {"show.sheet", "show.replay"},
    {"solve.budget"},
    {"solve.readable", "solve.engine"},
    {"solve.solving", "solve.odds"},
    {"solve.players", "solve.safe"},
    {"solve.hint"},
    {"solve"},
    {"as_json"},
    {""},
    {"strategies", "survey.chunks"},
    {"survey.deals", "survey.figures", "survey.store"},
    {"survey.run", "survey.plots"},
    {"survey"},
    {"web", "web.folder", "web.kept", "web.told", "web.pages"},
    {"web.advice"},
    {"web.answer"},
    {"web.server", "web.shelf", "web.site"},
    {"cli.language"},
    {"cli.shared"},
    {"cli.reading", "cli.figures"},
    {"cli.sources"},
    {"cli.setting"},
    {"cli.export"},
    {
        *("cli.annotate", "cli.check", "cli.compare", "cli.deal", "cli.hint", "cli.play"),
        *("cli.results", "cli.rules", "cli.site", "cli.solve", "cli.survey"),
    },
    {"cli"},
    {"__main__"},
]
LEVELS = {module: level for level, layer in enumerate(LAYERS) for module in layer}

ANYWHERE = {"attrs", "sortedcontainers"}
THIRD_PARTIES = {  # by module, or by folder
    "cli": {"click", "rich"},
    "cli.play": {"click", "platformdirs"},
    "__main__": {"perno_command"},  # which is ours, and stands beside the package
    "kernel": {"cython"},
    "strategies": {"hypothesis"},
    "survey.plots": {"matplotlib"},
    "web.server": {"starlette", "uvicorn"},
}


def name_of(path):
    """Name a file as a module within the package; the package itself is the empty name."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(node):
    """List the full names that one node of a syntax tree imports: by a statement, or by `import_module`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute"
        inner = [f"{node.module}.{alias.name}" for alias in node.names]  # a module, or something that one names
        return [name if name.removeprefix("perno_solver.") in LEVELS else node.module for name in inner]
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        named = node.args[0]
        if isinstance(named, ast.Constant):
            return [named.value]
        if isinstance(named, ast.JoinedStr):  # of a folder: any module in it
            folder = named.values[0].value.removeprefix("perno_solver.").rstrip(".")
            return [f"perno_solver.{module}" for module in LEVELS if module.startswith(f"{folder}.")]
    return []


def imports(path):
    """List the modules that a file imports, wherever it does: those of the package by their own names, and others."""
    names = {name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for name in imported(node)}
    inner = {name.removeprefix("perno_solver").lstrip(".") for name in names if name.split(".")[0] == "perno_solver"}
    inner.discard("kernel._compiled")  # the same parts, compiled
    outer = {name.split(".")[0] for name in names} - {"perno_solver"}
    return inner, outer - sys.stdlib_module_names


def test_the_package_was_found():
    assert {"errors", "game.state", "solve", "cli.survey"} <= set(SOURCES)


def test_every_layer_has_its_modules():
    assert set(SOURCES) == set(LEVELS)


@pytest.mark.parametrize("module", SOURCES)
def test_imports_point_down(module):
    inner, _ = imports(SOURCES[module])
    assert {below for below in inner if LEVELS[below] >= LEVELS[module]} == set()


@pytest.mark.parametrize("module", SOURCES)
def test_third_parties_stay_where_they_belong(module):
    _, outer = imports(SOURCES[module])
    assert outer <= ANYWHERE | THIRD_PARTIES.get(module, set()) | THIRD_PARTIES.get(module.split(".")[0], set())


def test_the_test_sees_imports_that_point_up():
    calls = ['import_module("perno_solver.cli.survey")', 'importlib.import_module(f"perno_solver.cli.{name}")']
    assert all("perno_solver.cli.survey" in imported(ast.parse(call).body[0].value) for call in calls)
    assert imported(ast.parse("from perno_solver import cli").body[0]) == ["perno_solver.cli"]
    assert imported(ast.parse("from perno_solver.game import state").body[0]) == ["perno_solver.game.state"]


def long_functions(text, most=60):
    """List the functions whose statements take more lines, but those with a reason above them: `# Long, as …`."""
    lines = text.splitlines()
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[1 if ast.get_docstring(node) and len(node.body) > 1 else 0]
            above = lines[min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 2]
            if node.end_lineno - first.lineno >= most and not above.strip().startswith("# Long, as "):
                found.append(node.name)
    return found


@pytest.mark.parametrize("module", SOURCES)
def test_modules_and_functions_can_be_read_at_a_sitting(module):
    text = SOURCES[module].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    assert long_functions(text) == []


def test_the_test_sees_what_is_long():
    body = "".join(f"    a = {number}\n" for number in range(61))
    assert long_functions(f"def long():\n{body}") == ["long"]
    assert long_functions(f"# Long, as it counts\n@cache\ndef long():\n{body}") == []
    assert long_functions(f"def short():\n{body}", 61) == []
