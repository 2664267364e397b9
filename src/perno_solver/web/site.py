"""The page as a folder of static files, with Python for the browser in it."""

import gzip
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from perno_solver.errors import InvalidChoice
from perno_solver.files import replaced
from perno_solver.web.pages import FILES, page_file

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that the page loads; `README.md` goes with them."""

_FOLDERS = {"perno_solver": "perno-solver", "attr": "attrs", "attrs": "attrs", "sortedcontainers": "sortedcontainers"}
_ENDINGS = (".py", ".mo", ".js", ".css", ".html")
_LEFT_OUT = {"cli", "survey", "strategies.py", "server.py", "site.py", "__pycache__"}


def write_site(folder: Path, pyodide: Path) -> list[str]:
    """Write the page into a folder; files of an earlier site are replaced, others left alone.

    Args:
        folder: where it goes; it is made if need be.
        pyodide: the file that `npm pack pyodide` fetches, or the folder that is in it.

    Returns:
        the names of the files.

    Raises:
        InvalidChoice: Pyodide is not there.
        OSError: something cannot be read or written.
    """
    runtime = {f"pyodide/{name}": data for name, data in _runtime(pyodide).items()}
    loaded = {"python.zip": archive(), **runtime}
    pages = {name: page_file(name, "worker") for name in FILES}
    size = sum(map(len, loaded.values()))
    worker = page_file("worker.js", "worker").replace(b"$bytes", str(size).encode())
    everything = {**loaded, **pages, "worker.js": worker}
    version = sha256(b"".join(sha256(everything[name]).digest() for name in sorted(everything))).hexdigest()[:16]
    listed = json.dumps(["./", *sorted(everything)])
    offline = page_file("offline.js", "worker").replace(b"$version", version.encode())
    everything["offline.js"] = offline.replace(b"$files", listed.encode())
    for name in sorted(everything, key=lambda name: name == "index.html"):  # which comes last
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as file:
            file.write(everything[name])
    return sorted(everything)


def archive() -> bytes:
    """Pack what the browser's Python needs, from the installed packages: the modules, words, page, and licences."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in sorted(_modules()):
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # without a date: equal for equal files
    return packed.getvalue()


def _modules() -> Iterator[tuple[str, bytes]]:
    for folder, project in _FOLDERS.items():
        yield from _walked(files(folder), folder)
        if folder != "attr":
            for path in distribution(project).files or ():
                if path.name.upper().startswith("LICENSE"):
                    yield f"licences/{project}.txt", Path(str(path.locate())).read_bytes()


def _walked(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for path in folder.iterdir():
        if path.name in _LEFT_OUT:
            continue
        if path.is_dir():
            yield from _walked(path, f"{name}/{path.name}")
        elif path.name.endswith(_ENDINGS):
            yield f"{name}/{path.name}", path.read_bytes()


def _runtime(pyodide: Path) -> dict[str, bytes]:
    """Read Pyodide's files from a folder or from what npm packs."""
    wanted = (*RUNTIME, "README.md")
    found: dict[str, bytes] = {}
    if pyodide.is_dir():
        inside = pyodide / "package" if (pyodide / "package").is_dir() else pyodide
        found = {name: (inside / name).read_bytes() for name in wanted if (inside / name).is_file()}
    else:
        try:
            with tarfile.open(pyodide) as packed:
                for member in packed:
                    folder, _, name = member.name.rpartition("/")
                    file = packed.extractfile(member) if folder == "package" and name in wanted else None
                    if file is not None:
                        found[name] = file.read()
        except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError):
            msg = f"{pyodide} is no archive, expected what `npm pack pyodide` fetches, or the folder in it"
            raise InvalidChoice(msg) from None
    missing = [name for name in RUNTIME if name not in found]
    if missing:
        msg = f"{pyodide} lacks {', '.join(missing)}, expected what `npm pack pyodide` fetches, or the folder in it"
        raise InvalidChoice(msg)
    return found
