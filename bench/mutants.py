"""Do the tests notice when a branch is left out, or a condition loosened?

usage: python bench/mutants.py [--only TEXT] [--sample N] [--seed 0] [--seconds 3] [--folder DIR] [--stages 6] [--list]

Each branch and statement of the modules in MODULES is left out, and each part of a condition or of a mask, one at a
time; and it is seen whether anything notices: of the kernel first the witnesses (`tests/data/witnesses.tsv`), then the
signature; then the fast tests, those of the module before all others. All mutants stand in one copy of the sources,
which is compiled once, in `--folder` (default: a temporary one; one that is there is used as it is); a number switches
one of them on. A mutant that runs for ever, or takes all memory, is noticed too: `--seconds` of processor time for each
of the first two, forty times that for the nearest tests, 150 times for the others.

Prints a table of what noticed how many, and those that nothing noticed, with their lines. The exit code is 1 if there
are any but those in `mutants-equivalent.txt`, each of which has its reason there. `--only` takes the mutants whose text
(as `--list` prints them) has TEXT in it, `--sample` so many of them at random; `--stages` leaves out what
comes last, which is where most of the time goes: 5 has the nearest tests alone, 4 none.
"""

import argparse
import ast
import builtins
import importlib
import math
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

from planting import SWITCH, Mutant, plant

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("mutants-equivalent.txt")
KERNEL = "sets position search greedy bound dig plain single final piles walk table log nodes batch worlds players api"
KERNEL += " queue least held shortest"
MODULES = [f"kernel/{name}.py" for name in KERNEL.split()]
MODULES += ["lemmas.py", "proof/checker.py", "proof/evidence.py", "game/state.py"]
TESTS = {  # the tests that are nearest to a module, by the beginning of its name; after them come all others
    "kernel/": ["test_engines", "test_vectors"],
    "kernel/search": ["test_engines", "test_solve", "test_limits"],
    "kernel/dig": ["test_dig", "test_engines"],
    **{f"kernel/{name}": ["test_shortest", "test_vectors"] for name in ("queue", "least", "held", "shortest")},
    "kernel/worlds": ["test_odds", "test_levels"],
    "kernel/players": ["test_players", "test_odds"],
    "kernel/batch": ["test_survey", "test_engines"],
    "proof/": ["test_errors", "test_arguments", "test_evidence", "test_as_json"],
    "lemmas": ["test_evidence", "test_engines", "test_laws"],
    "game/state": ["test_rules_of_play", "test_table", "test_errors", "test_views", "test_vectors", "test_laws"],
}
NEAREST, OTHERS = 40, 150  # times as long as all witnesses take may those tests take
MEMORY = 4 << 30
IDLE = 10  # times its processor time that a process may take, as others want the machine too
LISTED = "mutants.txt"


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
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
            code = task()
        finally:
            os._exit(code)
    until = time.monotonic() + IDLE * seconds
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


def by_fewest_moves() -> int:
    """Ask the witnesses for the fewest moves."""
    import witnesses

    rows = witnesses.rows()
    return int(any(witnesses.shortest(row.game, row.rules) != (row.fewest, row.fewest_states) for row in rows))


def by_lines() -> int:
    """Ask the witnesses for their lines."""
    import witnesses

    won = [row for row in witnesses.rows() if row.verdict == "won"]
    return int(not all(witnesses.line_wins(row) and witnesses.shortest_line_wins(row) for row in won))


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


def noticed_by(mutant: Mutant, seconds: float, *, most_stages: int) -> str | None:
    """Switch a mutant on and return what notices it first, None if nothing does."""
    near = nearest(mutant.module)
    others = sorted(path.stem for path in Path("tests").glob("test_*.py"))
    others = [name for name in others if name not in NOT_ASKED | set(near)]
    stages: list[tuple[str, Callable[[], int], float]] = [
        ("the witnesses", by_witnesses, seconds),
        ("their fewest moves", by_fewest_moves, seconds),
        ("their lines", by_lines, seconds),
        ("the signature", by_signature, seconds),
        ("the nearest tests", lambda: by_tests(near), NEAREST * seconds),
        ("other tests", lambda: by_tests(others), OTHERS * seconds),
    ]
    first = 0 if mutant.module.startswith("kernel/") else 4  # the first four run nothing but the kernel
    for name, task, most in stages[first:most_stages]:

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

        for name in ("pytest", "signature", "witnesses"):  # so that each process has them from its start
            importlib.import_module(name)
        assert Path(perno_solver.__file__).is_relative_to(folder), perno_solver.__file__
        yield


def chosen_from(mutants: list[Mutant], only: str, sample: int | None, seed: int) -> list[Mutant]:
    """Choose mutants by their text, or at random."""
    chosen = [mutant for mutant in mutants if only in mutant.name]
    if sample is not None and sample < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, sample), key=lambda mutant: mutant.number)
    return chosen


def run(mutants: list[Mutant], seconds: float, *, most_stages: int) -> int:
    """See which mutants are noticed; print the table and the others, and return how many of these there are."""
    for module in dict.fromkeys(mutant.module for mutant in mutants):
        found = noticed_by(Mutant(0, module, "", 0, "nothing"), seconds, most_stages=min(most_stages, 5))
        if found is not None:
            sys.exit(f"{found} fail without any mutant, so they would notice each of {module}")
    known = equivalents()
    counts: dict[str, Counter[str]] = {}
    left = []
    for done, mutant in enumerate(mutants, start=1):
        if mutant.name in known:
            found = "nothing, as nothing is changed"
        else:
            found = noticed_by(mutant, seconds, most_stages=most_stages)
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
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--stages", type=int, default=6)
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
        sys.exit(run(chosen, arguments.seconds, most_stages=arguments.stages) > 0)


if __name__ == "__main__":
    main()
