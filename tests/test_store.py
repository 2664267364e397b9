"""The store: chunks whole and once, whatever kills the run; and what is no store is refused."""

import contextlib
import functools
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import PERNO, READINGS, Rules, __version__
from perno_solver.solve.engine import EngineInfo
from perno_solver.strategies import rules as any_rules
from perno_solver.survey import Totals, chunks, store, survey
from perno_solver.survey import run as survey_module
from perno_solver.survey.chunks import Chunk, decide
from perno_solver.survey.store import BadStore, Store

CHUNK = Chunk(READINGS["eagle-wing"], 500, 5, b"\x59\x02", (3, 0, 2), (0, 0, 3), (0, 0, 0, 3))
RUN = """
import sys, time
from perno_solver import PERNO
from perno_solver.solve import engine
from perno_solver.survey import chunks, run, store
run._SECOND = float(sys.argv[4])
run.engine_info = lambda: engine.EngineInfo(compiled=True)  # threads, which start at once
chunks.chunk_size = lambda rules, player: 10
with store.Store(sys.argv[1]) as file:
    for chunk in run.survey(PERNO, range(int(sys.argv[2])), jobs=1, store=file):
        print(chunk.first, flush=True)
        time.sleep(float(sys.argv[3]))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "survey.sqlite"


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: 10)


def run(
    path: Path, deals: int, pause: float = 0, between: float = 0, limit: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    """Start a survey in another process, with a pause after each chunk, and a time between transactions."""
    command = [sys.executable, "-c", RUN, str(path), str(deals), str(pause), str(between)]
    return subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509
    )


def added_up(path: Path) -> Totals:
    with Store(path, read_only=True) as file:
        return sum(map(Totals.of, file.chunks(PERNO)), Totals())


def rows(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT * FROM chunks ORDER BY reading, first, deals").fetchall()
    connection.close()
    return found


def changed(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()


# What is written is read


def test_a_chunk_comes_back(path: Path) -> None:
    with Store(path) as file:
        assert file.get(CHUNK.rules, CHUNK.seeds) is None
        file.add(CHUNK)
        assert file.get(CHUNK.rules, CHUNK.seeds) == CHUNK
        assert file.get(PERNO, CHUNK.seeds) is None
        assert file.get(CHUNK.rules, range(500, 504)) is None
    with Store(str(path), read_only=True) as file:
        assert list(file.chunks(CHUNK.rules)) == [CHUNK]
        assert file.readings() == [(CHUNK.rules, None)]


@given(any_rules(), st.integers(0, 2**63 - 9), st.integers(1, 9))
def test_every_reading_and_seed_has_its_place(rules: Rules, first: int, deals: int) -> None:
    chunk = Chunk(rules, first, deals, bytes((deals + 3) // 4), (deals,), (), ())
    with TemporaryDirectory() as directory, Store(Path(directory, "survey.sqlite")) as file:
        file.add(chunk)
        assert file.get(rules, chunk.seeds) == chunk


def test_the_schema_is_the_documented_one(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (1348825710,)
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    fields = "pivot-size=13,reform=never,pivot-open=no,redeals=2,build=up,pack-from=none,pack-limit=1,fill-from=waste"
    assert connection.execute("SELECT * FROM readings").fetchall() == [
        (1, f"{fields},turning=free", "", chunks.signature())
    ]
    (row,) = connection.execute("SELECT * FROM chunks").fetchall()
    assert row == (1, 1, 500, 5, b"\x59\x02", "[3,0,2]", "[0,0,3]", "[0,0,0,3]", __version__, row[-1])
    lines = (f"{fields},turning=free", "", chunks.signature(), "500", "5", *row[5:9])
    digest = sha256("\n".join(lines).encode() + b"\n" + row[4]).digest()
    assert row[-1] == digest
    assert connection.execute("SELECT * FROM store").fetchall() == [(1, 1, sha256(bytes(32) + digest).digest())]
    query = "SELECT key, sum(value) FROM chunks, json_each(states) GROUP BY key ORDER BY key"
    assert connection.execute(query).fetchall() == [(0, 3), (1, 0), (2, 2)]
    connection.close()


def test_a_chunk_is_written_once(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
        file.add(Chunk(CHUNK.rules, 500, 5, b"\x00\x00", (5,), (), ()))
        assert list(file.chunks(CHUNK.rules)) == [CHUNK]


def test_histograms_are_plain_json_and_as_long_as_they_need_be(path: Path) -> None:
    long = Chunk(PERNO, 0, 2, b"\x05", (0,) * 64 + (2,), (0,) * 5_000 + (1, 0, 1), (0,) * 900 + (2,))
    with Store(path) as file:
        file.add(long, decide(PERNO, range(20, 70)))
        assert next(file.chunks(PERNO)) == long
    assert [sum(json.loads(str(text))) for text in rows(path)[0][5:8]] == [2, 2, 2]
    assert sum(json.loads(str(rows(path)[1][5]))) == 50


def test_seeds_that_it_cannot_hold_are_refused(path: Path) -> None:
    with Store(path) as file, pytest.raises(BadStore, match=r"it holds seeds below 2\^63"):
        file.add(CHUNK, decide(PERNO, range(2**63 - 1, 2**63 + 1)), decide(PERNO, range(2**63, 2**63 + 1)))
    with Store(path, read_only=True) as file:
        assert file.readings() == []


def test_no_deal_counts_twice(path: Path) -> None:
    pieces = [range(4), range(10), range(2, 10), range(10, 15), range(12, 20), range(20, 21)]
    with Store(path) as file:
        for seeds in reversed(pieces):
            file.add(decide(PERNO, seeds))
        assert [chunk.seeds for chunk in file.chunks(PERNO)] == [range(10), range(12, 20), range(20, 21)]


@pytest.mark.usefixtures("small_chunks")
def test_only_what_is_missing_is_done(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def noted(rules: Rules, seeds: range, *_look: object) -> Chunk:
        done.append(seeds.start)
        return decide(rules, seeds)

    monkeypatch.setattr(survey_module, "decide", noted)
    monkeypatch.setattr(survey_module, "engine_info", lambda: EngineInfo(compiled=True))
    with Store(path) as file:
        first = sum(map(Totals.of, survey(PERNO, range(20, 40), store=file)), Totals())
        both = sum(map(Totals.of, survey(PERNO, range(5, 52), store=file)), Totals())
        again = sum(map(Totals.of, survey(PERNO, range(5, 52), store=file)), Totals())
    assert sorted(done) == [5, 10, 20, 30, 40, 50]
    assert first == Totals.of(decide(PERNO, range(20, 40)))
    assert both == again == Totals.of(decide(PERNO, range(5, 52)))


# Whatever kills the run


@pytest.mark.usefixtures("small_chunks")
def test_a_killed_run_goes_on(path: Path) -> None:
    process = run(path, 200, 0.02)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = rows(path)
    assert 5 <= len(kept) < 20
    with Store(path) as file:
        totals = sum(map(Totals.of, survey(PERNO, range(200), jobs=2, store=file)), Totals())
    assert totals == added_up(path) == Totals.of(decide(PERNO, range(200)))
    assert set(kept) < set(rows(path))


@pytest.mark.usefixtures("small_chunks")
def test_two_runs_share_a_store(path: Path) -> None:
    processes = [run(path, 200, 0.01) for _ in range(2)]
    for process in processes:
        output, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
        assert sorted(map(int, output.split())) == list(range(0, 200, 10))
    assert len(rows(path)) == 20
    assert added_up(path) == Totals.of(decide(PERNO, range(200)))


@pytest.mark.usefixtures("small_chunks")
def test_a_full_disk_loses_nothing(path: Path) -> None:
    with Store(path):
        pass
    size = path.stat().st_size + 16_384  # a page more
    process = run(path, 1_000, limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    _, errors = process.communicate()
    assert process.returncode == 1
    assert f"BadStore: {path}: " in errors
    kept = rows(path)
    assert kept
    with Store(path) as file:
        totals = sum(map(Totals.of, survey(PERNO, range(1_000), store=file)), Totals())
    assert totals == added_up(path) == Totals.of(decide(PERNO, range(1_000)))


@pytest.mark.parametrize("what", [KeyboardInterrupt, sqlite3.OperationalError, MemoryError])
def test_a_reading_comes_with_its_first_chunk_or_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch, what: type[BaseException]
) -> None:
    def fail(*_values: object) -> bytes:
        raise what

    with Store(path) as file:
        with monkeypatch.context() as patch:
            patch.setattr(store, "_sealed", fail)
            with pytest.raises((what, BadStore)):
                file.add(CHUNK)
        assert file.readings() == list(file.chunks(CHUNK.rules)) == []
        file.add(CHUNK)
    with Store(path, read_only=True) as file:
        assert list(file.chunks(CHUNK.rules)) == [CHUNK]


def test_a_transaction_that_sqlite_has_undone_itself_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as file:

        def fail(*_values: object) -> bytes:
            file._connection.execute("ROLLBACK")  # noqa: SLF001 - as on a full disk
            msg = "database or disk is full"
            raise sqlite3.OperationalError(msg)

        monkeypatch.setattr(store, "_sealed", fail)
        with pytest.raises(BadStore, match=r"survey\.sqlite: database or disk is full"):
            file.add(CHUNK)


def test_what_pythons_own_sqlite3_says_is_told(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
        with ThreadPoolExecutor() as pool, pytest.raises(BadStore, match="can only be used in that same thread"):
            pool.submit(file.get, PERNO, range(9)).result()
    for use in (
        file.readings,
        lambda: list(file.chunks(PERNO)),
        lambda: file.add(CHUNK),
        lambda: file.get(PERNO, range(9)),
    ):
        with pytest.raises(BadStore, match=r"survey\.sqlite: Cannot operate on a closed database"):
            use()


@contextlib.contextmanager
def nothing_may_be_written(folder: Path) -> Iterator[None]:
    """Make a folder and its files read-only, and be no superuser."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    user = os.geteuid()
    for above in list(folder.parents)[:-2] if user == 0 else []:
        above.chmod(0o755)
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


def test_a_finished_store_is_read_where_nothing_may_be_written(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    with nothing_may_be_written(path.parent):
        with pytest.raises(PermissionError):
            path.with_name("new").touch()
        with Store(path, read_only=True) as file:
            assert list(file.chunks(CHUNK.rules)) == [CHUNK]
        with pytest.raises(BadStore, match="attempt to write a readonly database"):
            Store(path)


def test_a_store_that_may_not_be_read(path: Path) -> None:
    with Store(path):
        pass
    with nothing_may_be_written(path.parent):
        user = os.geteuid()
        os.seteuid(os.getuid())
        path.chmod(0)
        os.seteuid(user)
        for read_only in (True, False):
            with pytest.raises(BadStore, match="unable to open database file"):
                Store(path, read_only=read_only)


@pytest.mark.usefixtures("small_chunks")
def test_a_copy_made_while_a_run_writes_is_right_or_refused(path: Path) -> None:
    process = run(path, 300, 0.004)
    assert process.stdout is not None
    expected = functools.cache(lambda seeds: decide(PERNO, seeds))
    copy = path.with_name("copy.sqlite")
    stored = read = 0
    while process.stdout.readline():
        stored += 10  # deals, at least
        copy.write_bytes(path.read_bytes())
        try:
            totals = added_up(copy)
        except BadStore as error:
            assert "copied while a run was writing" in str(error) or "malformed" in str(error)  # noqa: PT017
        else:
            assert totals.deals >= stored
            with Store(copy, read_only=True) as file:
                assert all(chunk == expected(chunk.seeds) for chunk in file.chunks(PERNO))
            read += 1
    assert process.communicate()[1] == ""
    assert read > 0


# What is no store


def refused(path: Path) -> str:
    """Open what must be refused, to read and to write, for the same reason and without a trace."""
    reasons = []
    before = {file: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    for read_only in (True, False):
        with pytest.raises(BadStore) as error:
            Store(path, read_only=read_only)
        assert str(error.value).startswith(f"{path}: ")
        reasons.append(str(error.value).removeprefix(f"{path}: "))
    assert {file: file.read_bytes() for file in path.parent.iterdir() if file.is_file()} == before
    assert reasons[0] == reasons[1]
    return reasons[0]


@pytest.mark.parametrize("content", [b"seed,verdict\n0,lost\n" * 50, b"SQLite format 3\x00" + bytes(200), b"x"])
def test_another_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refused(path).startswith(("damaged, or not a store of surveys: ", "not a store of surveys"))


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_another_database_is_refused(path: Path, mode: str) -> None:
    changed(path, f"PRAGMA journal_mode = {mode}; CREATE TABLE readings (name TEXT)")
    assert refused(path) == "not a store of surveys"


def test_no_file_is_no_store_to_read(path: Path) -> None:
    with pytest.raises(BadStore, match="no such file"):
        Store(path, read_only=True)
    path.touch()
    with pytest.raises(BadStore, match="not a store of surveys"):
        Store(path, read_only=True)
    assert refused(path.parent) == "not a file"
    with pytest.raises(BadStore, match="unable to open database file"):
        Store(path.parent / "none" / "survey.sqlite")
    with pytest.raises(BadStore, match="File name too long"):
        Store(path.parent / ("x" * 300))


@pytest.mark.parametrize("kind", ["pipe", "/dev/null", "/dev/full"])
def test_a_special_file_is_refused_at_once(path: Path, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)
    with pytest.raises(BadStore, match="not a file"):
        Store(path)
    with pytest.raises(BadStore, match="not a file"):
        Store(path, read_only=True)


@pytest.mark.parametrize("version", [1, 3])
def test_another_format_is_refused(path: Path, version: int) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    changed(path, f"PRAGMA user_version = {version}; PRAGMA journal_mode = wal; CREATE TABLE t (x)")
    assert refused(path) == (f"a store of format {version}, but this version of perno_solver reads and writes format 2")


def test_another_versions_chunks_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    monkeypatch.setattr(store, "signature", lambda _player: "0123456789abcdef")
    written = "written by another version of perno_solver"
    assert refused(path) == (
        f"{written}: its searches have the signature {chunks.signature()}, this one's 0123456789abcdef"
    )


DIGEST = "does not match its digest"
CHANGES = {
    "UPDATE chunks SET states = '[9999]' WHERE first = 500": f"chunk 1 {DIGEST}",
    "UPDATE chunks SET verdicts = zeroblob(2)": f"chunk 1 {DIGEST}",
    "UPDATE chunks SET first = 510, id = 9 WHERE first = 500": f"chunk 2 {DIGEST}",
    "UPDATE chunks SET version = '9'": f"chunk 1 {DIGEST}",
    "UPDATE chunks SET digest = zeroblob(32)": f"chunk 1 {DIGEST}",
    "UPDATE readings SET rules = 'pivot-size=99' WHERE id = 1": f"chunk 1 {DIGEST}",
    "UPDATE readings SET signature = 'x'": f"chunk 1 {DIGEST}",
    "UPDATE readings SET player = 'careful'": f"chunk 1 {DIGEST}",
    "UPDATE chunks SET reading = 2 WHERE id = 1": f"chunk 1 {DIGEST}",
    "DELETE FROM readings WHERE id = 1": f"chunk 1 {DIGEST}",
    "DELETE FROM chunks WHERE id = 1": "its chunks are not those that were written",
    "DELETE FROM chunks WHERE id = 2": "its chunks are not those that were written",
    "DELETE FROM chunks": "its chunks are not those that were written",
    "DELETE FROM store": "its chunks are not those that were written",
    "UPDATE store SET chunks = 1": "its chunks are not those that were written",
    "UPDATE store SET seal = zeroblob(32)": "its chunks are not those that were written",
    "UPDATE chunks SET id = 3 WHERE id = 1": "its chunks are not those that were written",
    "INSERT INTO readings VALUES (7, 'perno', '', 'x')": "it has a reading without chunks",
    "CREATE INDEX lengths ON chunks (deals)": "its tables are not those of a store",
    "DROP TABLE readings": "its tables are not those of a store",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'chunks'": "damaged",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET name = CAST(x'ff' AS TEXT), sql = 'x'": "damaged, or not a",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'chunks'": "malformed",
}


@pytest.mark.parametrize(("sql", "reason"), CHANGES.items())
def test_what_was_changed_is_refused(path: Path, sql: str, reason: str) -> None:
    with Store(path) as file:
        file.add(CHUNK, decide(PERNO, range(9)))
    changed(path, sql)
    assert reason in refused(path)


def test_what_is_changed_under_a_reader_is_refused(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    with Store(path, read_only=True) as file:
        changed(path, "UPDATE chunks SET states = '[5]'")
        for use in (lambda: list(file.chunks(CHUNK.rules)), lambda: file.get(CHUNK.rules, CHUNK.seeds)):
            with pytest.raises(BadStore, match="damaged: the chunk at seed 500 does not match its digest"):
                use()


def test_write_ahead_mode_is_refused(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    changed(path, "PRAGMA journal_mode = wal")
    assert refused(path) == "it is in write-ahead mode, as no store of this format is"
    changed(path, "PRAGMA journal_mode = delete")
    path.with_name(f"{path.name}-wal").touch()
    assert refused(path) == f"{path.name}-wal lies beside it, which no store of this format has"
