"""A folder in which the games of a user are kept, a file each, written whole after each move."""

import re
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path

from perno_solver.files import replaced

_NAME = re.compile(r"[0-9a-z-]{1,40}")
_ENDING = ".game"
_MOST_BYTES = 1 << 20  # of a record; thousands of moves and comments


class Folder(MutableMapping[str, str]):
    """The records of games by their names, which are made of digits, small letters and hyphens.

    Whatever else is in the folder is left alone, and no name leads out of it.

    Args:
        path: the folder; it is made when the first game is kept, for the user alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, name: str) -> str:
        """Read a record.

        Raises:
            KeyError: there is none of that name.
            OSError: it cannot be read.
        """
        path = self._file(name)
        try:
            with path.open("rb") as file:
                return file.read(_MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, text: str) -> None:
        """Write a record, whole: whoever reads it meanwhile finds the old one, and so does who comes after a crash.

        Raises:
            OSError: it cannot be written.
        """
        path = self._file(name)
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replaced(path) as file:
            file.write(text.encode())

    def __delitem__(self, name: str) -> None:
        """Delete a record."""
        try:
            self._file(name).unlink()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        """Whether a game of that name is kept."""
        return isinstance(name, str) and _NAME.fullmatch(name) is not None and self._file(name).is_file()

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        with suppress(FileNotFoundError):  # no game has been kept yet
            for path in sorted(self.path.iterdir()):
                name = path.name.removesuffix(_ENDING)
                if path.name.endswith(_ENDING) and _NAME.fullmatch(name) and path.is_file():
                    yield name

    def __len__(self) -> int:
        """Count the games."""
        return sum(1 for _ in self)

    def _file(self, name: str) -> Path:
        if _NAME.fullmatch(name) is None:
            raise KeyError(name)
        return self.path / f"{name}{_ENDING}"
