"""The package in several interpreters of one process: all work, and none spoils the first one's compiled kernel."""

import importlib
import subprocess
import sys
from types import SimpleNamespace

import pytest

from perno_solver import engine_info, kernel

NEW = sys.version_info >= (3, 13)
NAME = "_interpreters" if NEW else "_xxsubinterpreters"
HOW = ["'isolated'", "'legacy'"] if NEW else ["isolated=False"]  # with a lock of its own Python 3.12.1 is not sound

USE = """
import sys
sys.path[:] = {path!r}
from perno_solver import Budget, Deal, check, engine_info, solve
met = []
for seed in (1, 2):
    result = solve(Deal.from_seed(seed), on_progress=lambda meter: met.append(meter.stored))
    check(result.evidence)
    print(result.verdict.value, end=" ")
result = solve(Deal.from_seed(1), engine="readable", on_progress=lambda meter: met.append(meter.stored))
print("watched" if met else "blind", "compiled" if engine_info().compiled else "plain")
"""

RUN = """
import {name} as interpreters
use = {use!r}
for where in {order!r}:
    if where == "first":
        exec(use)
    else:
        other = interpreters.create({how})
        failed = interpreters.run_string(other, use)
        assert not failed, failed
        interpreters.destroy(other)
"""


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("order", [("first", "other", "first", "other"), ("other", "other", "first")], ids="-".join)
def test_each_interpreter_has_a_kernel_that_works(order, how):
    pytest.importorskip(NAME)
    program = RUN.format(name=NAME, how=how, use=USE.format(path=sys.path), order=order)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert result.stderr == ""
    kernels = {"first": "compiled" if engine_info().compiled else "plain", "other": "plain"}
    assert result.stdout.splitlines() == [f"lost won watched {kernels[where]}" for where in order]


def test_an_interpreter_is_known_by_whatever_module_there_is(monkeypatch):
    for name in ("_interpreters", "_xxsubinterpreters"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not there
    assert not kernel.in_subinterpreter()
    monkeypatch.setitem(sys.modules, "_xxsubinterpreters", SimpleNamespace(get_main=lambda: 0, get_current=lambda: 1))
    assert kernel.in_subinterpreter()
    assert kernel.load() is importlib.import_module("perno_solver.kernel.api")
    monkeypatch.setitem(sys.modules, "_xxsubinterpreters", SimpleNamespace(get_main=lambda: 0, get_current=lambda: 0))
    assert not kernel.in_subinterpreter()
