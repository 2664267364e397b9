"""The store of surveys: chunks in one SQLite file, each once, which says all that it holds or nothing.

`docs/surveys.md` documents the schema. Several processes may use one file at a time; SQLite lets one write at a time.
Every row has a digest, and the digests are chained in the order in which the rows were written, so that a row that is
changed, lost, or put elsewhere is noticed; opening a store goes through all of it.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from perno_solver import __version__
from perno_solver.errors import PernoError
from perno_solver.game.rules import Rules
from perno_solver.solve.players import PlayerName
from perno_solver.survey.chunks import Chunk, signature

FORMAT = 2
"""The version of the schema, SQLite's `user_version`; a file of another one is refused."""

APPLICATION_ID = 0x5065726E
"""What marks a file as a store (SQLite's `application_id`): `Pern`."""

_PATIENCE = 60  # seconds to wait while another process writes
_LONGEST = 1 << 24  # bytes of a value: more than the largest chunk needs
_LONGEST_REASON = 200  # letters
_PAGE = 64  # chunks that are read at a time; between them other processes may write

_SCHEMA = f"""
CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    chunks INTEGER NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE TABLE readings (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    player TEXT NOT NULL,
    signature TEXT NOT NULL,
    UNIQUE (rules, player)
) STRICT;
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    reading INTEGER NOT NULL REFERENCES readings,
    first INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    states TEXT NOT NULL,
    moves TEXT NOT NULL,
    passes TEXT NOT NULL,
    version TEXT NOT NULL,
    digest BLOB NOT NULL,
    UNIQUE (reading, first, deals)
) STRICT;
INSERT INTO store VALUES (1, 0, zeroblob(32));
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""  # noqa: S608 - constants

_NEW_CHUNK = """
INSERT INTO chunks (reading, first, deals, verdicts, states, moves, passes, version, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_COLUMNS = "rules, player, signature, first, deals, verdicts, states, moves, passes, version, digest"

_ALL = f"""
SELECT {_COLUMNS} FROM chunks NOT INDEXED LEFT JOIN readings ON readings.id = chunks.reading ORDER BY chunks.id
"""  # noqa: S608 - a constant

_OF_READING = f"""
SELECT {_COLUMNS} FROM chunks JOIN readings ON readings.id = chunks.reading
WHERE reading = (SELECT id FROM readings WHERE (rules, player) = (?, ?)) AND (first, deals) > (?, ?)
ORDER BY first, deals LIMIT ?
"""  # noqa: S608 - a constant

_Row = tuple[str, str, str, int, int, bytes, str, str, str, str, bytes]


class BadStore(PernoError):
    """A file is not a store, or one of another version, or damaged, or cannot be read or written."""


class Store:
    """A file of chunks, open for reading and writing; use it in a `with`.

    Args:
        path: the file; a new store is made where there is none, or an empty one.
        read_only: never write, to the file or beside it; there must be one.

    Raises:
        BadStore: the file is not a store, is one of another format or signature, or is damaged anywhere, and is left as
            it is; any method raises it where the file cannot be read or written.

    Complexity: opening goes through all chunks, some 30,000 in a second.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        with self._errors(), ExitStack() as stack:
            self._connection = self._opened(stack) if read_only else self._opened_to_write(stack)
            self._opening = stack.pop_all()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self._opening.close()

    def add(self, *chunks: Chunk) -> None:
        """Write chunks, all of them or none, in one transaction; those that are there already stay as they are."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._insert(chunks)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends some itself
                    self._connection.execute("ROLLBACK")
                raise

    def get(self, rules: Rules, seeds: range, player: PlayerName | None = None) -> Chunk | None:
        """Return the chunk of exactly these seeds, or None if it is not there.

        Args:
            rules: the reading.
            seeds: the seeds.
            player: who played; None is for the verdicts, here and in the other methods.

        Complexity: logarithmic in the chunks of the store.
        """
        chunk = next(iter(self._page(rules, player, seeds.start, len(seeds) - 1, 1)), None)
        return chunk if chunk is not None and chunk.seeds == seeds else None

    def chunks(self, rules: Rules, player: PlayerName | None = None) -> Iterator[Chunk]:
        """Yield chunks of a reading that share no deal, by their seeds.

        Where ranges that were surveyed overlap inside a chunk, there may be several pieces of it. Those count that have
        the most deals without sharing any; so a whole chunk always does.
        """
        for overlapping in self._overlapping(rules, player):
            yield from _disjoint(overlapping)

    def check(self, rules: Rules, player: PlayerName | None = None) -> int:
        """Hold the chunks of a reading that share deals against each other; opening the store has checked all else.

        Returns:
            How many chunks there are.

        Raises:
            BadStore: the same deal has two verdicts.
        """
        number = 0
        for overlapping in self._overlapping(rules, player):
            number += len(overlapping)
            for one, other in combinations(overlapping, 2):
                shared = range(max(one.first, other.first), min(one.seeds.stop, other.seeds.stop))
                told = [chunk.codes()[shared.start - chunk.first :][: len(shared)] for chunk in (one, other)]
                if told[0] != told[1]:
                    msg = f"{self.path}: two verdicts on the same deals, of the seeds {shared.start}:{shared.stop}"
                    raise BadStore(msg)
        return number

    def _overlapping(self, rules: Rules, player: PlayerName | None) -> Iterator[list[Chunk]]:
        """Yield the chunks of a reading by their seeds, those together that share deals, directly or by others."""
        overlapping: list[Chunk] = []
        for chunk in self._pieces(rules, player):
            if overlapping and chunk.first >= max(one.seeds.stop for one in overlapping):
                yield overlapping
                overlapping = []
            overlapping.append(chunk)
        if overlapping:
            yield overlapping

    def _pieces(self, rules: Rules, player: PlayerName | None) -> Iterator[Chunk]:
        """Yield all chunks of a reading by their seeds, also those that share deals."""
        first, deals = 0, 0
        while page := self._page(rules, player, first, deals, _PAGE):
            yield from page
            first, deals = page[-1].first, page[-1].deals

    def readings(self) -> list[tuple[Rules, PlayerName | None]]:
        """List the readings that have chunks, with who played, in the order in which their surveys began."""
        with self._errors():
            names = self._connection.execute("SELECT rules, player FROM readings ORDER BY id").fetchall()
            return [(Rules.from_text(name), PlayerName(player) if player else None) for name, player in names]

    def _insert(self, chunks: tuple[Chunk, ...]) -> None:
        """Insert the chunks that are not there, with their readings, and continue the chain of digests."""
        connection = self._connection
        number, seal = connection.execute("SELECT chunks, seal FROM store").fetchone()
        for chunk in chunks:
            names = _names(chunk.rules, chunk.player)
            place = (*names, chunk.first, chunk.deals - 1, 1)
            row = connection.execute(_OF_READING, place).fetchone()
            if row is not None and row[3:5] == (chunk.first, chunk.deals):
                continue
            new = (*names, signature(chunk.player))
            connection.execute("INSERT OR IGNORE INTO readings (rules, player, signature) VALUES (?, ?, ?)", new)
            (reading,) = connection.execute("SELECT id FROM readings WHERE (rules, player) = (?, ?)", names).fetchone()
            histograms = map(_listed, (chunk.states, chunk.moves, chunk.passes))
            content = (chunk.first, chunk.deals, chunk.verdicts, *histograms, __version__)
            digest = _digest(*new, *content)
            connection.execute(_NEW_CHUNK, (reading, *content, digest))
            number, seal = number + 1, _sealed(seal, digest)
        connection.execute("UPDATE store SET chunks = ?, seal = ?", (number, seal))

    def _page(self, rules: Rules, player: PlayerName | None, first: int, deals: int, most: int) -> list[Chunk]:
        """Read the chunks of a reading that come after a place in its order."""
        with self._errors():
            rows = self._connection.execute(_OF_READING, (*_names(rules, player), first, deals, most)).fetchall()
            return [_chunk(rules, player, row) for row in rows]

    # Opening

    def _opened_to_write(self, stack: ExitStack) -> sqlite3.Connection:
        """Open the file to read and write, or make it; one that is refused is not touched."""
        if self.path.exists() and not (self.path.is_file() and self.path.stat().st_size == 0):
            with ExitStack() as look:
                self._opened(look)
        connection = _connected(self.path, "rwc", stack)
        connection.execute("PRAGMA page_size = 16384")  # of a new file; it suits chunks of 3 kB
        connection.execute("BEGIN IMMEDIATE")  # of several processes one makes the store
        if _number(connection, "SELECT count(*) FROM sqlite_schema"):
            connection.execute("UPDATE store SET chunks = chunks")  # so that it is known at once whether it may be
            connection.execute("ROLLBACK")
        else:
            _make(connection)
            connection.execute("COMMIT")
        return connection

    def _opened(self, stack: ExitStack) -> sqlite3.Connection:
        """Open the file to read, without a trace, and go through all of it."""
        if not self.path.is_file():
            raise BadStore("not a file" if self.path.exists() else "no such file")
        log = Path(f"{self.path}-wal")
        if log.exists():  # SQLite would apply it, whatever store it belonged to
            msg = f"{log.name} lies beside it, which no store of this format has"
            raise BadStore(msg)
        with ExitStack() as look:  # without locks, since these leave files beside a database in write-ahead mode
            _recognise(_connected(self.path, "ro&immutable=1", look))
            _refuse_write_ahead(_connected(self.path, "ro&nolock=1", look))
        try:
            with ExitStack() as trial:
                connection = _connected(self.path, "ro", trial)
                _check(connection)
                stack.enter_context(trial.pop_all())
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            # A run was killed while it wrote. What it left is undone in a copy: nothing is lost where that fails
            copy = Path(stack.enter_context(TemporaryDirectory())) / "store"
            shutil.copyfile(self.path, copy)
            shutil.copyfile(f"{self.path}-journal", f"{copy}-journal")
            connection = _connected(copy, "rw", stack)
            _check(connection)
        return connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what went wrong into an error that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            code = _code(error)
            if code == sqlite3.SQLITE_READONLY_ROLLBACK:
                reason = "a run was killed while it wrote; open the store again"
            elif code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
                reason = f"damaged, or not a store of surveys: {error}"
            else:
                reason = str(error)
        except UnicodeError:  # Python cannot read what SQLite says of it
            reason = "damaged, or not a store of surveys"
        except OverflowError:
            reason = "it holds seeds below 2^63"
        except PernoError as error:
            reason = str(error)
        except OSError as error:
            reason = error.strerror or str(error)
        else:
            return
        # SQLite may quote what it met in a damaged file
        printable = "".join(letter if letter.isprintable() else " " for letter in reason)
        msg = f"{self.path}: {' '.join(printable.split())[:_LONGEST_REASON]}"
        raise BadStore(msg)


def _connected(path: Path, mode: str, stack: ExitStack) -> sqlite3.Connection:
    """Open a database, until the stack is closed."""
    connection = stack.enter_context(
        closing(
            sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE, isolation_level=None
            )
        )
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)  # a damaged length asks for no gigabyte
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's extended error code; errors of Python's own have none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)


def _number(connection: sqlite3.Connection, sql: str) -> int:
    (number,) = connection.execute(sql).fetchone()
    return int(number)


def _make(connection: sqlite3.Connection) -> None:
    """Make a store of an empty database."""
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid").fetchall()


@cache
def _our_tables() -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        _make(connection)
        return _tables(connection)


def _recognise(connection: sqlite3.Connection) -> None:
    """Refuse what is not a store, or one of another format."""
    if _number(connection, "PRAGMA application_id") != APPLICATION_ID:
        msg = "not a store of surveys"
        raise BadStore(msg)
    version = _number(connection, "PRAGMA user_version")
    if version != FORMAT:
        msg = f"a store of format {version}, but this version of perno_solver reads and writes format {FORMAT}"
        raise BadStore(msg)


def _refuse_write_ahead(connection: sqlite3.Connection) -> None:
    """Refuse a database in write-ahead mode, which does not open without locks."""
    try:
        _number(connection, "SELECT count(*) FROM sqlite_schema")
    except sqlite3.OperationalError as error:
        if _code(error) == sqlite3.SQLITE_CANTOPEN:
            msg = "it is in write-ahead mode, as no store of this format is"
            raise BadStore(msg) from None
        # Whatever else it is, such as that a run is writing, is seen with locks


def _check(connection: sqlite3.Connection) -> None:
    """Refuse a store that does not hold exactly what was written to it."""
    connection.execute("BEGIN")  # the same state of it throughout
    wrong = None
    if _tables(connection) != _our_tables():
        wrong = "its tables are not those of a store"
    else:
        # The index and the tables say the same; without that, chunks could be missing where they are looked for.
        (report,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        wrong = _broken(connection) if report == "ok" else str(report)
    if wrong is not None:
        msg = f"damaged, or copied while a run was writing: {wrong}"
        raise BadStore(msg)
    connection.execute("COMMIT")


def _broken(connection: sqlite3.Connection) -> str | None:
    """Say where the chain of digests is broken, or None; refuse a store that other searches wrote."""
    names, found, seal = set(), 0, bytes(32)
    for found, row in enumerate(connection.execute(_ALL), start=1):
        *content, digest = row
        if digest != _digest(*content):
            return f"chunk {found} does not match its digest"
        ours = signature(PlayerName(row[1]) if row[1] else None)
        if row[2] != ours:
            whose = f"its {row[1]} player has" if row[1] else "its searches have"
            msg = f"written by another version of perno_solver: {whose} the signature {row[2]}, this one's {ours}"
            raise BadStore(msg)
        names.add(row[:2])
        seal = _sealed(seal, digest)
    if connection.execute("SELECT id, chunks, seal FROM store").fetchall() != [(1, found, seal)]:
        return "its chunks are not those that were written"
    if _number(connection, "SELECT count(*) FROM readings") != len(names):
        return "it has a reading without chunks"
    return None


def _chunk(rules: Rules, player: PlayerName | None, row: _Row) -> Chunk:
    """Make a chunk of a row, if that is as it was written."""
    if row[-1] != _digest(*row[:-1]):
        msg = f"damaged: the chunk at seed {row[3]} does not match its digest"
        raise BadStore(msg)
    states, moves, passes = map(json.loads, row[6:9])
    return Chunk(rules, row[3], row[4], row[5], states, moves, passes, player)


def _listed(histogram: tuple[int, ...]) -> str:
    return json.dumps(histogram, separators=(",", ":"))


def _digest(*content: object) -> bytes:
    """Return the digest of a row, its columns in the order of `_COLUMNS`; nothing where their types are not theirs."""
    verdicts, texts = content[5], (*content[:5], *content[6:])
    kinds = [str, str, str, int, int, str, str, str, str]
    if not isinstance(verdicts, bytes) or [type(text) for text in texts] != kinds:
        return b""
    return sha256("\n".join(map(str, texts)).encode() + b"\n" + verdicts).digest()


def _sealed(seal: bytes, digest: bytes) -> bytes:
    """Continue the chain of digests."""
    return sha256(seal + digest).digest()


def _disjoint(chunks: list[Chunk]) -> list[Chunk]:
    """Choose from chunks that overlap those that share no deal and have the most, by their seeds."""
    ending = sorted(chunks, key=lambda chunk: chunk.seeds.stop)
    best: list[tuple[int, list[Chunk]]] = [(0, [])]  # of the first so many
    for number, chunk in enumerate(ending):
        before = sum(other.seeds.stop <= chunk.first for other in ending[:number])
        deals, chosen = best[before]
        best.append(max(best[-1], (deals + chunk.deals, [*chosen, chunk]), key=lambda choice: choice[0]))
    return best[-1][1]


def _names(rules: Rules, player: PlayerName | None) -> tuple[str, str]:
    """Name who played, and spell every field of the rules: whatever the defaults will be, the text means the same."""
    return ",".join(f"{key}={value}" for key, value in rules.spelled()), "" if player is None else player.value
