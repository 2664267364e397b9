"""Files that a user named are written whole or not at all."""

import os
import re
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from perno_solver.files import check_writable, replaced

BODY = b"x" * 100_000


def put(path: Path, body: bytes = BODY) -> None:
    with replaced(path) as file:
        file.write(body)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def only(path: Path) -> bool:
    """Whether nothing else is left beside a file."""
    return [other.name for other in path.parent.iterdir()] == [path.name]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    put(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY
    assert only(tmp_path / "file")
    (tmp_path / "other").touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_nothing_is_there_before_all_is(old: Path) -> None:
    with replaced(old) as file:
        file.write(BODY)
        assert old.read_bytes() == b"old"
    assert old.read_bytes() == BODY


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_are_kept(old: Path, mode: int) -> None:
    old.chmod(mode)
    put(old)
    assert stat.S_IMODE(old.stat().st_mode) == mode
    assert only(old)


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), ValueError("bug"), KeyboardInterrupt(), MemoryError()]
)
def test_after_a_failure_the_old_file_is_as_it_was(old: Path, error: BaseException) -> None:
    def fail() -> None:
        with replaced(old) as file:
            file.write(BODY)
            raise error

    with pytest.raises(type(error)):
        fail()
    assert old.read_bytes() == b"old"
    assert only(old)


def test_after_a_failure_there_is_no_new_file(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), replaced(tmp_path / "file") as file:
        file.write(BODY)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_whoever_writes_may_close_the_file(old: Path) -> None:
    with replaced(old) as file:
        file.write(BODY)
        file.close()
    assert old.read_bytes() == BODY


@pytest.mark.parametrize("exists", [True, False])
def test_links_are_followed(old: Path, *, exists: bool) -> None:
    folder = old.parent / "folder"
    folder.mkdir()
    (folder / "link").symlink_to("../file")
    if not exists:
        old.unlink()
    put(folder / "link")
    assert (folder / "link").is_symlink()
    assert old.read_bytes() == BODY
    assert [path.name for path in folder.iterdir()] == ["link"]


def test_an_error_of_the_system_names_the_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(28, "No space left on device")
    with pytest.raises(OSError, match=f"No space left on device: '{old}'"), replaced(old):
        raise full
    other = OSError(5, "Input/output error", "other")
    with pytest.raises(OSError, match=r"Input/output error: 'other'"), replaced(old):
        raise other

    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match=f"Input/output error: '{old}'"):
        put(old)
    monkeypatch.undo()
    monkeypatch.setattr(os, "replace", fails)
    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match=f"Input/output error: '{old}'"):
        put(old)
    assert old.read_bytes() == b"old"
    assert only(old)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Is a directory"),
        ("none/file", "no such directory to write into"),
        ("file/file", "Not a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("nowhere", "no such directory to write into"),
        ("x" * 300, "File name too long"),
    ],
)
def test_where_nothing_can_be_written(old: Path, name: str, reason: str) -> None:
    (old.parent / "loop").symlink_to("loop")
    (old.parent / "nowhere").symlink_to("none/file")
    path = old.parent / name
    for attempt in (put, check_writable):
        with pytest.raises(OSError, match=f"{reason}: '{re.escape(str(path))}'"):
            attempt(path)


def test_what_may_not_be_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_writable(old)
    check_writable(old.with_name("new"))
    for closed in (old, old.parent):
        monkeypatch.setattr(os, "access", lambda path, _mode, closed=closed: Path(path) != closed)
        for attempt in (put, check_writable):
            with pytest.raises(PermissionError, match=f"may not be written: '{re.escape(str(old))}'"):
                attempt(old)
    assert old.read_bytes() == b"old"


# What is no regular file


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_writable(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    put(pipe)
    reader.join()
    assert got == [BODY]
    assert pipe.is_fifo()


def test_a_full_device_is_named() -> None:
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
        put(Path("/dev/full"))
    check_writable(Path("/dev/full"))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_a_standard_stream_goes_on_where_it_was(tmp_path: Path, stream: str, kind: str) -> None:
    code = (
        f"import sys, pathlib; from perno_solver.files import replaced\n"
        f"print('before', file=sys.{stream}, flush=True)\n"
        f"with replaced(pathlib.Path('/dev/{stream}')) as file: file.write(b'middle\\n')\n"
        f"print('after', file=sys.{stream})"
    )
    with (tmp_path / "out").open("wb+") as out:
        to = out if kind == "file" else subprocess.PIPE
        run = subprocess.run([sys.executable, "-c", code], check=True, **{stream: to})  # noqa: S603
        out.seek(0)
        written = out.read() if kind == "file" else getattr(run, stream)
    assert written == b"before\nmiddle\nafter\n"


def test_what_goes_to_a_standard_stream_is_in_its_place(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("stdout", "stderr"):
        put(Path("/dev") / name, f"{name}\n".encode())
    assert capfd.readouterr() == ("stdout\n", "stderr\n")
