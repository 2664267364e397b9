"""The kernel is one thing, however it runs: its parts are all compiled, and its C says what its Python says."""

import importlib
import re
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from perno_solver import kernel
from perno_solver.kernel import bits

FOLDER = Path(kernel.__file__).parent
COMPILED = "perno_solver.kernel._compiled"


def test_all_parts_are_compiled_in_one():
    included = re.findall(
        r'^include "(\w+)\.py"$', (FOLDER / "_compiled.pyx").read_text(encoding="utf-8"), re.MULTILINE
    )
    apart = {"__init__", "_cython", "bits"}  # the door, who stands in for Cython, and what `bits.pxd` says in C
    assert sorted(included) == sorted({path.stem for path in FOLDER.glob("*.py")} - apart)


def test_c_and_python_count_with_the_same_numbers():
    text = (FOLDER / "bits.pxd").read_text(encoding="utf-8")
    numbers = re.findall(r"#define PERNO_(\w+) (\d+)ULL", text) + re.findall(r"^    (\w+) = (\d+)$", text, re.MULTILINE)
    assert {name: int(number) for name, number in numbers} == {
        name: number for name, number in vars(bits).items() if isinstance(number, int)
    }


@pytest.mark.parametrize("name", ["State", "Node", "Joins"])
def test_c_and_python_have_the_same_fields(name):
    text = (FOLDER / "bits.pxd").read_text(encoding="utf-8")
    fields = re.search(rf"^cdef struct {name}:\n((?: .+\n)+)", text, re.MULTILINE)[1]
    assert {line.split()[-1] for line in fields.splitlines()} == set(getattr(bits, name).__slots__)


class Fails(MetaPathFinder):
    """Lets the import of the compiled kernel fail."""

    def __init__(self, error):
        self.error = error

    def find_spec(self, name, *_):
        if name == COMPILED:
            raise self.error


@pytest.fixture
def failing(monkeypatch):
    def fail(error):
        monkeypatch.delitem(sys.modules, COMPILED, raising=False)
        monkeypatch.setattr(sys, "meta_path", [Fails(error), *sys.meta_path])

    yield fail
    monkeypatch.undo()
    importlib.reload(kernel)


def test_without_a_compiled_kernel_the_same_parts_run_in_python(failing):
    failing(ModuleNotFoundError(f"No module named {COMPILED!r}", name=COMPILED))
    plain = importlib.reload(kernel)
    assert not plain.COMPILED
    assert plain.Kernel.__module__ == "perno_solver.kernel.api"


@pytest.mark.parametrize(
    "error", [ImportError("undefined symbol: perno"), ModuleNotFoundError("No module named 'numbers'", name="numbers")]
)
def test_a_compiled_kernel_that_is_broken_is_not_hidden(failing, error):
    failing(error)
    with pytest.raises(ImportError, match=str(error)):
        importlib.reload(kernel)
