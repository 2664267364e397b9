"""Do the tests notice when a branch is left out, or a condition loosened?

usage: python bench/mutants.py [--only TEXT] [--sample N] [--seed 0] [--seconds 60] [--folder DIR] [--list]

Each branch and statement of the modules in MODULES is left out, and each part of a condition or of a mask, one at a
time; and it is seen whether anything notices: first the witnesses (`tests/data/witnesses.tsv`), then the signature,
then the fast tests, those of the module before all others. All mutants stand in one copy of the sources, which is
compiled once, in `--folder` (default: a temporary one; one that is there is used as it is); a number switches one of
them on. A mutant that runs for ever, or takes all memory, is noticed too: `--seconds` for the first two, twenty times
that for tests.

Prints a table of what noticed how many, and those that nothing noticed, with their lines. The exit code is 1 if there
are any but those in `mutants-equivalent.txt`, each of which has its reason there. `--only` takes the mutants whose text
(as `--list` prints them) has TEXT in it, `--sample` so many of them at random.

A mutant changes one of these: a statement (left out), a test (never, or always, true), a part of `and`, `or`, `&` and
`|` (left out), an end of a comparison (`<` for `<=` and so on). What gets memory from C is left alone.
"""

import argparse
import ast
import builtins
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("mutants-equivalent.txt")
KERNEL = "sets position search greedy bound plain single final piles walk table log nodes batch worlds players api"
MODULES = [f"kernel/{name}.py" for name in KERNEL.split()]
MODULES += ["lemmas.py", "proof/checker.py", "proof/evidence.py", "game/state.py"]
TESTS = {  # the tests that are nearest to a module, by the beginning of its name; after them come all others
    "kernel/": ["test_witnesses", "test_engines", "test_vectors", "test_solve"],
    "kernel/worlds": ["test_odds", "test_levels"],
    "kernel/players": ["test_players", "test_odds"],
    "kernel/batch": ["test_survey", "test_engines"],
    "proof/": ["test_evidence", "test_as_json"],
    "lemmas": ["test_engines", "test_evidence", "test_laws"],
    "game/state": ["test_rules_of_play", "test_table", "test_laws", "test_errors", "test_vectors"],
}
MEMORY = 4 << 30
SWITCH = "MUTANT"
LISTED = "mutants.txt"
TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


@frozen
class Mutant:
    """One change: its number, where it is, and what it says in words."""

    number: int
    module: str
    function: str
    line: int
    what: str

    @property
    def name(self) -> str:
        """What it is called where it is listed, whatever is changed elsewhere."""
        return f"{self.module} {self.function}: {self.what}"


def is_on(number: int, *, off: bool = False) -> ast.expr:
    """Make the test whether a mutant is switched on."""
    return ast.parse(f"{SWITCH} {'!=' if off else '=='} {number}", mode="eval").body


def both(*parts: ast.expr) -> ast.expr:
    """Join by `and`."""
    return ast.BoolOp(ast.And(), list(parts))


def either(*parts: ast.expr) -> ast.expr:
    """Join by `or`."""
    return ast.BoolOp(ast.Or(), list(parts))


def is_switch(node: ast.AST) -> bool:
    """Whether it asks if a lemma may be used: tests of their own switch lemmas off."""
    return isinstance(node, ast.BinOp) and ast.unparse(node.left).endswith(".lemmas")


def is_width(node: ast.AST) -> bool:
    """Whether it cuts off one bit, or what C has no room for."""
    return ast.unparse(node) in {"1", "WORD", "HALF"}


class Planter(ast.NodeTransformer):
    """Plants mutants in the functions of a module.

    What is switched on is the source as it was, but for the one change: no two mutants are ever on at once.
    """

    def __init__(self, module: str, first: int) -> None:
        """Begin to count at a number."""
        self.module, self.first = module, first
        self.mutants: list[Mutant] = []
        self.functions: list[str] = []
        self.assigned: Counter[str] = Counter()

    def new(self, node: ast.AST, what: str) -> int:
        """Count one more mutant, at a node."""
        number = self.first + len(self.mutants)
        named = Mutant(number, self.module, ".".join(self.functions[-1:]), node.lineno, what)
        again = sum(one.name == named.name or one.name.startswith(f"{named.name} #") for one in self.mutants)
        what = f"{what} #{again + 1}" if again else what
        self.mutants.append(Mutant(number, self.module, self.functions[-1], node.lineno, what))
        return number

    # Where mutants are planted

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Plant in the statements of a function, but not in its decorators and types."""
        before, self.assigned = self.assigned, Counter(argument.arg for argument in node.args.args)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.assigned[inner.id] += 1
            if isinstance(inner, ast.AnnAssign) and inner.value is None and isinstance(inner.target, ast.Name):
                self.assigned[inner.target.id] -= 1
        self.functions.append(node.name)
        last = node.body[-1]
        node.body = [planted for statement in node.body for planted in self.statement(statement, last=last)]
        self.functions.pop()
        self.assigned = before
        return node

    def statement(self, node: ast.stmt, *, last: ast.stmt | None = None) -> Iterator[ast.stmt]:
        """Plant in a statement, and leave it out if it is worth it."""
        text = " ".join(ast.unparse(node).split())
        kept = not self.functions or (node is last and isinstance(node, ast.Return))
        yields = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))
        leaves = isinstance(node, ast.Return | ast.Continue | ast.Break | ast.Raise | ast.AugAssign | ast.Delete)
        if isinstance(node, ast.Expr):
            leaves = isinstance(node.value, ast.Call)
        if isinstance(node, ast.Assign):
            leaves = not all(isinstance(one, ast.Name) and self.assigned[one.id] < 2 for one in node.targets)
        number = self.new(node, f"without `{text}`") if leaves and not kept and not yields else None
        planted = self.visit(node)
        yield planted if number is None else ast.If(is_on(number, off=True), [planted], [])

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Plant in a block."""
        return [planted for statement in statements for planted in self.statement(statement)]

    def test(self, test: ast.expr, *, always: bool = True) -> ast.expr:
        """Plant in a test: never true, or always."""
        if isinstance(test, ast.Constant) or is_switch(test):
            return test
        text = ast.unparse(test)
        planted = both(is_on(self.new(test, f"never `{text}`"), off=True))
        rest: list[ast.expr] = [is_on(self.new(test, f"always `{text}`"))] if always else []
        planted.values.append(either(*rest, self.visit(test)) if rest else self.visit(test))
        return planted

    def visit_If(self, node: ast.If) -> ast.AST:
        """Plant in a test and its branches; what is C's alone is left as it is."""
        if "cython.compiled" in ast.unparse(node.test) or not self.functions:
            return node
        node.test = self.test(node.test)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """Plant in a loop: never begun."""
        node.test = self.test(node.test, always=False)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Plant in a loop's body."""
        node.iter, node.body = self.visit(node.iter), self.body(node.body)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """Plant in a block."""
        node.body = self.body(node.body)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Plant in what is tried and in what is done where it fails."""
        if not self.functions:
            return node
        node.body = self.body(node.body)
        for handler in node.handlers:
            handler.body = self.body(handler.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Plant in a test."""
        node.test, node.body, node.orelse = self.test(node.test), self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Leave out each part."""
        whole = ast.unparse(node)
        for place, value in enumerate(node.values):
            if is_switch(value):
                continue
            number = self.new(value, f"without `{ast.unparse(value)}` in `{whole}`")
            inner = self.visit(value)
            loosened = isinstance(node.op, ast.And)
            node.values[place] = either(is_on(number), inner) if loosened else both(is_on(number, off=True), inner)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Move each end of a comparison by one."""
        text = ast.unparse(node)
        variants = []
        for place, operator in enumerate(node.ops):
            if type(operator) in TURNED:
                turned = ast.parse(text, mode="eval").body
                turned.ops[place] = TURNED[type(operator)]()
                variants.append((self.new(node, f"`{ast.unparse(turned)}` for `{text}`"), turned))
        planted = self.generic_visit(node)
        for number, turned in variants:
            planted = either(both(is_on(number), turned), both(is_on(number, off=True), planted))
        return planted

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out each side of `&` and `|`."""
        if not isinstance(node.op, ast.BitAnd | ast.BitOr) or not self.functions:
            return self.generic_visit(node)
        if is_switch(node) or is_width(node.right):
            return self.generic_visit(node)
        whole = ast.unparse(node)
        sides = [ast.unparse(node.left), ast.unparse(node.right)]
        numbers = [self.new(node, f"without `{side}` in `{whole}`") for side in sides]
        planted = self.generic_visit(node)
        for number, other in zip(numbers, reversed(sides), strict=True):
            planted = ast.IfExp(is_on(number), ast.parse(other, mode="eval").body, planted)
        return planted

    def leave(self, node: ast.AST) -> ast.AST:
        """Leave alone what says nothing about the game."""
        return node

    visit_Lambda = visit_JoinedStr = visit_Raise = visit_Assert = leave  # noqa: N815 - as `ast` has them

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Plant in a value, not in its type."""
        if node.value is not None and self.functions:
            node.value = self.visit(node.value)
        return node


def plant(source: str, module: str, first: int) -> tuple[str, list[Mutant]]:
    """Plant mutants in the source of a module; return it and them, numbered from the first."""
    planter = Planter(module, first)
    tree = ast.fix_missing_locations(planter.visit(ast.parse(source)))
    return ast.unparse(tree), planter.mutants


def planted() -> tuple[dict[str, str], list[Mutant]]:
    """Return the modules' sources with all mutants in them, by name, and these."""
    sources, mutants = {}, []
    for module in MODULES:
        text = (ROOT / "src" / "perno_solver" / module).read_text(encoding="utf-8")
        sources[module], found = plant(text, module, len(mutants) + 1)
        mutants += found
    return sources, mutants


BEGIN = f"""
import builtins as _builtins
import os as _os

_builtins.{SWITCH} = int(_os.environ.get("PERNO_MUTANT", "0"))
"""
BEGIN_C = f"""
import os as _os

cdef int {SWITCH} = int(_os.environ.get("PERNO_MUTANT", "0"))


def switch(int number):
    global {SWITCH}
    {SWITCH} = number


"""


def build(folder: Path, sources: dict[str, str], named: list[str]) -> None:
    """Make a copy of the package with the mutants in it, and compile it."""
    for name in ("src", "tests", "bench", "docs", "examples", "setup.py", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, folder / name)
    package = folder / "src" / "perno_solver"
    for module, text in sources.items():
        (package / module).write_text(text, encoding="utf-8")
    (folder / LISTED).write_text("\n".join(named), encoding="utf-8")
    door, extension, setup = package / "__init__.py", package / "kernel" / "_compiled.pyx", folder / "setup.py"
    text = door.read_text(encoding="utf-8")
    end = ast.parse(text).body[0].end_lineno or 0
    lines = text.splitlines(keepends=True)
    door.write_text("".join([*lines[:end], BEGIN, *lines[end:]]), encoding="utf-8")
    text = extension.read_text(encoding="utf-8")
    extension.write_text(text.replace('\ninclude "', f'{BEGIN_C}include "', 1), encoding="utf-8")
    setup.write_text(setup.read_text(encoding="utf-8").replace('"-O3"', '"-O1"'), encoding="utf-8")
    log = folder / "build.log"
    with log.open("w") as out:
        command = [sys.executable, "setup.py", "build_ext", "--inplace"]
        if subprocess.run(command, cwd=folder, stdout=out, stderr=out, check=False).returncode:
            sys.exit(f"the mutants do not compile: see {log}")


def switch(number: int) -> None:
    """Switch a mutant on in this process, and in those that it starts; 0 for none."""
    from perno_solver.kernel import _compiled

    os.environ["PERNO_MUTANT"] = str(number)
    setattr(builtins, SWITCH, number)
    _compiled.switch(number)


def in_child(task: Callable[[], int], seconds: float) -> int:
    """Do something in a process of its own; return what it returns, or -1 if it fails or takes too long."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 255
        try:
            os.setpgid(0, 0)
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            code = task()
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 255 else -1
        time.sleep(0.002)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def by_witnesses() -> int:
    """Ask the witnesses: 1 if one of them says something else than it should."""
    import witnesses

    return int(any(witnesses.outcome(row) != (row.verdict, row.states) for row in witnesses.rows()))


def by_lines() -> int:
    """Ask the witnesses for their lines."""
    import witnesses

    return int(not all(witnesses.line_wins(row) for row in witnesses.rows() if row.verdict == "won"))


def by_signature() -> int:
    """Ask the signature."""
    import signature

    return int(signature.signature() != signature.FILE.read_text(encoding="utf-8"))


def by_tests(names: list[str]) -> int:
    """Run tests up to the first that fails; return pytest's exit code."""
    import pytest

    return int(pytest.main(["-x", "-q", *(f"tests/{name}.py" for name in names)]))


def nearest(module: str) -> list[str]:
    """List the tests that are nearest to a module."""
    key = max((key for key in TESTS if module.startswith(key)), key=len)
    return TESTS[key]


NOT_ASKED = {  # tests that look at sources, at the machine, or at surveys' stores and figures alone
    *("test_layers", "test_docs", "test_files", "test_figures", "test_plots", "test_store", "test_store_damage"),
    *("test_dask", "test_interpreters", "test_kernel", "test_examples", "test_streams", "test_survey_cli"),
}


def noticed_by(mutant: Mutant, seconds: float) -> str | None:
    """Switch a mutant on and return what notices it first, None if nothing does."""
    near = nearest(mutant.module)
    others = sorted(path.stem for path in Path("tests").glob("test_*.py"))
    others = [name for name in others if name not in NOT_ASKED | set(near)]
    stages: list[tuple[str, Callable[[], int], float]] = [
        ("the witnesses", by_witnesses, seconds),
        ("their lines", by_lines, seconds),
        ("the signature", by_signature, seconds),
        ("the nearest tests", lambda: by_tests(near), 20 * seconds),
        ("other tests", lambda: by_tests(others), 20 * seconds),
    ]
    for name, task, most in stages:

        def switched(task: Callable[[], int] = task) -> int:
            switch(mutant.number)
            return task()

        if in_child(switched, most):
            return name
    return None


def equivalents() -> dict[str, str]:
    """Read which mutants are no change at all, with the reason of each."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.exists() else []
    named, reason = {}, ""
    for line in lines:
        if line.startswith("#"):
            reason = line.removeprefix("#").strip()
        elif line:
            named[line] = reason
    return named


@contextmanager
def in_use(folder: Path | None, sources: dict[str, str], named: list[str]) -> Iterator[None]:
    """Import everything from a folder with a copy that has the mutants in it, which is made if it is not there."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = (folder or Path(temporary) / "mutants").resolve()
        if not folder.exists():
            folder.mkdir(parents=True)
            build(folder, sources, named)
        if (folder / LISTED).read_text(encoding="utf-8").split("\n") != named:
            sys.exit(f"{folder} was made from other sources: remove it")
        os.chdir(folder)
        os.environ["PYTHONPATH"] = str(folder / "src")
        sys.path[:0] = [str(folder / "src"), str(folder / "tests"), str(folder / "bench")]
        import perno_solver

        assert Path(perno_solver.__file__).is_relative_to(folder), perno_solver.__file__
        yield


def chosen_from(mutants: list[Mutant], only: str, sample: int | None, seed: int) -> list[Mutant]:
    """Choose mutants by their text, or at random."""
    chosen = [mutant for mutant in mutants if only in mutant.name]
    if sample is not None and sample < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, sample), key=lambda mutant: mutant.number)
    return chosen


def run(mutants: list[Mutant], seconds: float) -> int:
    """See which mutants are noticed; print the table and the others, and return how many of these there are."""
    known = equivalents()
    counts: dict[str, Counter[str]] = {}
    left = []
    for done, mutant in enumerate(mutants, start=1):
        if mutant.name in known:
            found: str | None = "nothing, as nothing is changed"
        else:
            found = noticed_by(mutant, seconds)
        counts.setdefault(mutant.module, Counter())[found or "nothing"] += 1
        if found is None:
            left.append(mutant)
            print(f"survives: {mutant.module}:{mutant.line} {mutant.name}", file=sys.stderr, flush=True)
        if done % 50 == 0:
            print(f"{done} of {len(mutants)}", file=sys.stderr, flush=True)
    kinds = list(dict.fromkeys(kind for module in counts.values() for kind in module))
    print(f"| module | mutants | {' | '.join(kinds)} |\n| --- | {' | '.join(['---:'] * (len(kinds) + 1))} |")
    for module, found_by in counts.items():
        print(f"| {module} | {found_by.total()} | {' | '.join(str(found_by[kind]) for kind in kinds)} |")
    for mutant in left:
        print(f"\n{mutant.name}\n    {mutant.module}:{mutant.line}")
    print(f"\n{len(mutants)} mutants, {len(left)} of them not noticed")
    return len(left)


def main() -> None:
    """Do what the options say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    sources, mutants = planted()
    named = [mutant.name for mutant in mutants]
    chosen = chosen_from(mutants, arguments.only, arguments.sample, arguments.seed)
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.number}\t{mutant.line}\t{mutant.name}")
        return
    with in_use(arguments.folder, sources, named):
        sys.exit(run(chosen, arguments.seconds) > 0)


if __name__ == "__main__":
    main()
