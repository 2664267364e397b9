"""The page as static files: whole, the same each time, and with a package that needs nothing else."""

import io
import json
import subprocess
import sys
import tarfile
import zipfile

import pytest
from click.testing import CliRunner

from perno_solver import Deal, Game
from perno_solver.cli import main
from perno_solver.web.pages import FILES
from perno_solver.web.shelf import Shelf
from perno_solver.web.site import RUNTIME, archive

DATA = {name: f"this is {name}".encode() for name in (*RUNTIME, "README.md")}


@pytest.fixture
def pyodide(tmp_path):
    """What looks like Pyodide from outside, as a folder."""
    folder = tmp_path / "unpacked"
    folder.mkdir()
    for name, data in DATA.items():
        (folder / name).write_bytes(data)
    return folder


def run(*args):
    return CliRunner().invoke(main, ["site", *map(str, args)])


def read(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_has_all_that_it_asks_for(tmp_path, pyodide):
    result = run(tmp_path / "site", "--pyodide", pyodide)
    assert result.exit_code == 0, result.output
    files = read(tmp_path / "site")
    assert result.output == f"{len(files)} files: {tmp_path / 'site'}\n"
    assert set(files) == {*FILES, "worker.js", "offline.js", "python.zip", *(f"pyodide/{name}" for name in DATA)}
    assert all(files[f"pyodide/{name}"] == data for name, data in DATA.items())
    page = files["index.html"].decode()
    assert 'data-way="worker"' in page
    assert not any(b"$" + name in data for name in (b"way", b"policy", b"bytes", b"files") for data in files.values())
    offline = files["offline.js"].decode()
    listed = json.loads(offline.partition("const FILES = ")[2].partition(";")[0])
    assert set(listed) == {"./", *files} - {"offline.js"}


def test_a_packed_runtime_is_as_good_as_a_folder(tmp_path, pyodide):
    packed = tmp_path / "pyodide.tgz"
    with tarfile.open(packed, "w:gz") as file:
        file.add(pyodide, "package")
        extra = tarfile.TarInfo("package/../../escaped.txt")
        file.addfile(extra, io.BytesIO())
    (tmp_path / "npm").mkdir()
    pyodide_copy = tmp_path / "npm" / "package"
    pyodide_copy.mkdir()
    for name, data in DATA.items():
        (pyodide_copy / name).write_bytes(data)
    sites = []
    for number, source in enumerate((pyodide, packed, tmp_path / "npm")):
        assert run(tmp_path / f"site{number}", "--pyodide", source).exit_code == 0
        sites.append(read(tmp_path / f"site{number}"))
    assert sites[0] == sites[1] == sites[2]


def test_an_earlier_site_is_replaced_and_other_files_stay(tmp_path, pyodide):
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.js").write_text("old")
    (site / "mine.txt").write_text("mine")
    assert run(site, "--pyodide", pyodide).exit_code == 0
    assert (site / "page.js").read_text() != "old"
    assert (site / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("what", ["empty", "text", "part", "cut", "spoilt"])
def test_what_is_not_pyodide_is_refused(tmp_path, pyodide, what):
    path = tmp_path / "other"
    if what == "empty":
        path.mkdir()
    elif what == "text":
        path.write_text("no archive")
    elif what in {"cut", "spoilt"}:
        with tarfile.open(path, "w:gz") as file:
            file.add(pyodide, "package")
        data = path.read_bytes()
        path.write_bytes(data[:60] if what == "cut" else data[:40] + bytes(len(data) - 40))
    else:
        (pyodide / "pyodide.asm.wasm").unlink()
        path = pyodide
    result = run(tmp_path / "site", "--pyodide", path)
    assert result.exit_code == 2
    assert "npm pack pyodide" in result.stderr
    assert not (tmp_path / "site").exists()


def test_the_package_in_it_needs_nothing_else(tmp_path):
    packed = zipfile.ZipFile(io.BytesIO(archive()))
    packed.extractall(tmp_path / "unpacked")  # noqa: S202 - as Pyodide does
    code = """
import sys
sys.path[:0] = ["unpacked"]
from perno_solver import engine_info
from perno_solver.web.shelf import Shelf
shelf = Shelf()
*_, told = shelf.answers('{"do": "new", "seed": "42", "lang": "it"}')
assert "mazzo" in told and not engine_info().compiled, told
*_, told = shelf.answers('{"do": "words", "lang": "it"}')
assert "card-7S" in told
print(len(shelf), {name.partition(".")[0] for name in sys.modules} & {"click", "hypothesis", "starlette", "numpy"})
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("1 set()\n", "")
    assert archive() == archive()
    names = packed.namelist()
    assert {"licences/attrs.txt", "licences/sortedcontainers.txt", "attr/__init__.py"} <= set(names)
    assert not any(name.endswith((".so", ".pyc", ".po")) or "/cli/" in name for name in names)


def test_a_shelf_tells_what_has_changed():
    shelf = Shelf()
    game = str(Game(Deal.from_seed(2)))
    shelf.put(json.dumps({"a": game, "b": game}))
    assert shelf.changes() == "{}"
    list(shelf.answers('{"do": "move", "game": "a", "move": "T"}'))
    list(shelf.answers('{"do": "delete", "game": "b"}'))
    assert json.loads(shelf.changes()) == {"a": shelf["a"], "b": None}
    assert "moves: T" in shelf["a"]
    shelf.put('{"a": null, "c": null}')
    assert (shelf.changes(), dict(shelf)) == ("{}", {})
