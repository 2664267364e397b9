"""Files that a user named are written whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file to write; it takes the place of what was there when the `with` ends well, whole.

    Until then it is a temporary file beside the old one, and after a failure the old one is as it was. Links are
    followed, permissions kept. What is no regular file, such as `/dev/stdout` or a pipe, is written to directly.

    Args:
        path: the file that is to be there afterwards.

    Raises:
        OSError: it cannot be written; the error's `filename` is the path.
    """
    temporary: Path | None = None
    try:
        status = _status(path)
        if status is not None and not _is_replaceable(status):
            with _opened(path, status) as file:
                yield file
            return
        check_writable(path)
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f".{secrets.token_hex(8)}.perno")
        with temporary.open("xb") as file:
            yield file
        with temporary.open("r+b") as file:  # anew, as who wrote may have closed it
            os.fsync(file.fileno())
        if status is not None:
            with suppress(OSError, AttributeError):  # whose file it was, where that may be said
                os.chown(temporary, status.st_uid, status.st_gid)
            temporary.chmod(stat.S_IMODE(status.st_mode))
        temporary.replace(target)
    except OSError as error:
        if error.filename in {None, str(temporary)}:
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        if temporary is not None:
            with suppress(OSError):  # it is gone where all went well
                temporary.unlink()


def check_writable(path: Path) -> None:
    """Find out whether `replaced` could write a file, before the work that fills it.

    Raises:
        OSError: it could not; the error's `filename` is the path.
    """
    status = _status(path)
    beside = Path(os.path.realpath(path)).parent
    replaceable = status is None or _is_replaceable(status)
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if replaceable and not beside.is_dir():
        raise OSError(errno.ENOENT, "no such directory to write into", str(path))
    if not os.access(beside if status is None else path, os.W_OK) or (replaceable and not os.access(beside, os.W_OK)):
        raise OSError(errno.EACCES, "may not be written", str(path))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _standard(status: os.stat_result) -> int | None:
    """Return the descriptor of the standard stream that a file is, if it is one."""
    for descriptor in (1, 2):
        with suppress(OSError):  # closed from outside
            if os.path.samestat(os.fstat(descriptor), status):
                return descriptor
    return None


def _is_replaceable(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and _standard(status) is None


def _opened(path: Path, status: os.stat_result) -> BinaryIO:
    descriptor = _standard(status)
    # A standard stream that is a file has text in it already, which opening it anew would cut off.
    return path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb")
