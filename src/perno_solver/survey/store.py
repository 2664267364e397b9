"""The store of surveys: chunks in one SQLite file, written whole or not at all, each once.

`docs/surveys.md` documents the schema. Several processes may use one file at a time; SQLite lets one write at a time.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from perno_solver import __version__
from perno_solver.errors import InvalidRules, PernoError
from perno_solver.game.rules import Rules
from perno_solver.survey.chunks import Chunk, signature

FORMAT = 1
"""The version of the schema, SQLite's `user_version`; a file of another one is refused."""

APPLICATION_ID = 0x5065726E
"""What marks a file as a store (SQLite's `application_id`): `Pern`."""

_PATIENCE = 60  # seconds to wait while another process writes

_SCHEMA = f"""
CREATE TABLE readings (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL UNIQUE,
    signature TEXT NOT NULL
) STRICT;
CREATE TABLE chunks (
    reading INTEGER NOT NULL REFERENCES readings,
    first INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    states TEXT NOT NULL,
    moves TEXT NOT NULL,
    passes TEXT NOT NULL,
    version TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (reading, first, deals)
) STRICT;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""

_COLUMNS = "first, deals, verdicts, states, moves, passes, version, checksum"
_Row = tuple[int, int, bytes, str, str, str, str, int]


class BadStore(PernoError):
    """A file is not a store, or one of another version, or damaged, or cannot be written."""


class Store:
    """A file of chunks, open for reading and writing; use it in a `with`.

    Args:
        path: the file.
        create: make a new store where there is no file, or an empty one.

    Raises:
        BadStore: the file is not a store, is one of another format or signature, or is damaged; any method raises it
            where the file cannot be read or written.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path)
        mode = "rwc" if create else "rw"
        with self._errors():
            self._connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE, isolation_level=None
            )
            try:
                self._prepare(create=create)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self._connection.close()

    def add(self, chunk: Chunk) -> None:
        """Write a chunk, at once and whole; one that is there already stays as it is."""
        name = _name(chunk.rules)
        histograms = [json.dumps(values, separators=(",", ":")) for values in (chunk.states, chunk.moves, chunk.passes)]
        row = (chunk.first, chunk.deals, chunk.verdicts, *histograms, __version__)
        with self._errors():
            self._connection.execute(
                "INSERT OR IGNORE INTO readings (rules, signature) VALUES (?, ?)", (name, signature())
            )
            self._connection.execute(
                f"INSERT OR IGNORE INTO chunks (reading, {_COLUMNS})"  # noqa: S608 - a constant
                " VALUES ((SELECT id FROM readings WHERE rules = ?), ?, ?, ?, ?, ?, ?, ?, ?)",
                (name, *row, _checksum(name, row)),
            )

    def get(self, rules: Rules, seeds: range) -> Chunk | None:
        """Return the chunk of exactly these seeds, or None if it is not there.

        Complexity: logarithmic in the chunks of the store.
        """
        return next(self._select(rules, "AND first = ? AND deals = ?", (seeds.start, len(seeds))), None)

    def chunks(self, rules: Rules) -> Iterator[Chunk]:
        """Yield chunks of a reading that share no deal, by their seeds.

        Where ranges that were surveyed overlap inside a chunk, there may be several pieces of it. Those count that have
        the most deals without sharing any; so a whole chunk always does.
        """
        overlapping: list[Chunk] = []
        for chunk in self._select(rules, "ORDER BY first, deals"):
            if overlapping and chunk.first >= max(one.seeds.stop for one in overlapping):
                yield from _disjoint(overlapping)
                overlapping = []
            overlapping.append(chunk)
        yield from _disjoint(overlapping)

    def readings(self) -> list[Rules]:
        """List the readings that have chunks, in the order in which their surveys began."""
        with self._errors():
            names = self._connection.execute("SELECT rules FROM readings ORDER BY id").fetchall()
            return [Rules.from_text(name) for (name,) in names]

    def _prepare(self, *, create: bool) -> None:
        """Make sure that the file is a store of ours."""
        if create:
            self._connection.execute("PRAGMA page_size = 16384")  # of a new file; it suits chunks of 3 kB
            self._connection.execute("BEGIN IMMEDIATE")  # of several processes one makes the store
            if not self._number("SELECT count(*) FROM sqlite_schema") and not self._number("PRAGMA application_id"):
                for statement in _SCHEMA.split(";"):
                    self._connection.execute(statement)
            self._connection.execute("COMMIT")
        if self._number("PRAGMA application_id") != APPLICATION_ID:
            msg = f"{self.path}: not a store of surveys"
            raise BadStore(msg)
        version = self._number("PRAGMA user_version")
        if version != FORMAT:
            msg = f"{self.path}: a store of format {version}, but this version of perno_solver writes format {FORMAT}"
            raise BadStore(msg)
        with suppress(sqlite3.OperationalError):  # locked: another process is at it
            self._connection.execute("PRAGMA journal_mode = WAL")
        # A power failure may undo the last chunks, which are then decided again, but never damages the file.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        for (other,) in self._connection.execute("SELECT DISTINCT signature FROM readings").fetchall():
            if other != signature():
                searches = f"its searches have the signature {other}, this one's have {signature()}"
                msg = f"{self.path}: written by another version of perno_solver: {searches}"
                raise BadStore(msg)

    def _number(self, sql: str) -> int:
        (number,) = self._connection.execute(sql).fetchone()
        return int(number)

    def _select(self, rules: Rules, clause: str, values: tuple[int, ...] = ()) -> Iterator[Chunk]:
        name = _name(rules)
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM chunks"  # noqa: S608 - constants
                f" WHERE reading = (SELECT id FROM readings WHERE rules = ?) {clause}",
                (name, *values),
            )
        while True:
            with self._errors():
                row: _Row | None = rows.fetchone()
            if row is None:
                return
            *content, checksum = row
            if checksum != _checksum(name, tuple(content)):
                msg = f"{self.path}: damaged: the chunk at seed {row[0]} does not match its checksum"
                raise BadStore(msg)
            yield Chunk(rules, row[0], row[1], row[2], *map(json.loads, row[3:6]))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what SQLite says into an error that names the file."""
        try:
            yield
        except InvalidRules as error:
            msg = f"{self.path}: damaged: {error}"
            raise BadStore(msg) from None
        except sqlite3.Error as error:
            damaged = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
            msg = f"{self.path}: {'damaged, or not a store of surveys: ' if damaged else ''}{error}"
            raise BadStore(msg) from None


def _disjoint(chunks: list[Chunk]) -> list[Chunk]:
    """Choose from chunks that overlap those that share no deal and have the most, by their seeds."""
    ending = sorted(chunks, key=lambda chunk: chunk.seeds.stop)
    best: list[tuple[int, list[Chunk]]] = [(0, [])]  # of the first so many
    for number, chunk in enumerate(ending):
        before = sum(other.seeds.stop <= chunk.first for other in ending[:number])
        deals, chosen = best[before]
        best.append(max(best[-1], (deals + chunk.deals, [*chosen, chunk]), key=lambda choice: choice[0]))
    return best[-1][1]


def _name(rules: Rules) -> str:
    """Spell every field, so that the text means the same whatever the defaults and the named readings will be."""
    return ",".join(f"{key}={value}" for key, value in rules.spelled())


def _checksum(name: str, content: tuple[object, ...]) -> int:
    return zlib.crc32(repr((name, *content)).encode())
