"""The store: chunks whole and once, whatever kills the run; and what is no store is refused."""

import json
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
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

CHUNK = Chunk(READINGS["eagle-wing"], 500, 5, b"\x59\x02", (3, 0, 2), (0, 0, 2), (0, 0, 0, 2))
RUN = """
import sys, time
from perno_solver import PERNO
from perno_solver.solve import engine
from perno_solver.survey import chunks, run, store
run.engine_info = lambda: engine.EngineInfo(compiled=True)  # threads, which start at once
chunks.chunk_size = lambda rules: 10
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
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules: 10)


def run(path: Path, deals: int, pause: float = 0, limit: Callable[[], None] | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, str(path), str(deals), str(pause)]
    return subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509
    )


def added_up(path: Path) -> Totals:
    with Store(path, create=False) as file:
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
    with Store(str(path), create=False) as file:
        assert list(file.chunks(CHUNK.rules)) == [CHUNK]
        assert file.readings() == [CHUNK.rules]


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
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    fields = "pivot-size=13,reform=never,pivot-open=no,redeals=2,build=up,pack-from=none,pack-limit=1,fill-from=waste"
    assert connection.execute("SELECT * FROM readings").fetchall() == [
        (1, f"{fields},turning=free", chunks.signature())
    ]
    (row,) = connection.execute("SELECT * FROM chunks").fetchall()
    assert row == (1, 500, 5, b"\x59\x02", "[3,0,2]", "[0,0,2]", "[0,0,0,2]", __version__, row[-1])
    query = "SELECT key, sum(value) FROM chunks, json_each(states) GROUP BY key ORDER BY key"
    assert connection.execute(query).fetchall() == [(0, 3), (1, 0), (2, 2)]
    connection.close()


def test_a_chunk_is_written_once(path: Path) -> None:
    with Store(path) as file:
        file.add(CHUNK)
        file.add(Chunk(CHUNK.rules, 500, 5, b"\x00\x00", (5,), (), ()))
        assert list(file.chunks(CHUNK.rules)) == [CHUNK]


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
    size = 120_000  # for the file and its log
    process = run(path, 400, 0, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    _, errors = process.communicate()
    assert process.returncode == 1
    assert f"BadStore: {path}: " in errors
    kept = rows(path)
    assert kept
    with Store(path) as file:
        totals = sum(map(Totals.of, survey(PERNO, range(400), store=file)), Totals())
    assert totals == added_up(path) == Totals.of(decide(PERNO, range(400)))


@pytest.mark.slow
@pytest.mark.usefixtures("small_chunks")
def test_runs_killed_at_any_moment_add_up(path: Path) -> None:
    for trial in range(12):
        process = run(path, 600, 0.005)
        time.sleep(0.2 + 0.05 * trial)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = run(path, 600)
    process.communicate()
    assert process.returncode == 0
    assert added_up(path) == Totals.of(decide(PERNO, range(600)))


# What is no store


def read_all(path: Path, *, create: bool) -> None:
    with Store(path, create=create) as file:
        for rules in file.readings():
            list(file.chunks(rules))


def refused(path: Path, *, create: bool = True) -> str:
    with pytest.raises(BadStore) as error:
        read_all(path, create=create)
    assert str(error.value).startswith(f"{path}: ")
    return str(error.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize("content", [b"seed,verdict\n0,lost\n" * 50, b"SQLite format 3\x00" + bytes(200)])
def test_another_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for create in (True, False):
        assert refused(path, create=create).startswith("damaged, or not a store of surveys: ")
    assert path.read_bytes() == content


def test_another_database_is_refused(path: Path) -> None:
    changed(path, "CREATE TABLE readings (name TEXT)")
    assert refused(path) == "not a store of surveys"


def test_no_file_is_no_store_to_read(path: Path) -> None:
    assert refused(path, create=False) == "unable to open database file"
    path.touch()
    assert refused(path, create=False) == "not a store of surveys"
    assert refused(path.parent) == "unable to open database file"


def test_another_format_is_refused(path: Path) -> None:
    with Store(path):
        pass
    changed(path, "PRAGMA user_version = 2")
    assert refused(path) == "a store of format 2, but this version of perno_solver writes format 1"


def test_another_versions_chunks_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as file:
        file.add(CHUNK)
    monkeypatch.setattr(store, "signature", lambda: "0123456789abcdef")
    written = "written by another version of perno_solver"
    assert refused(path) == (
        f"{written}: its searches have the signature {chunks.signature()}, this one's have 0123456789abcdef"
    )


def test_damage_is_found(path: Path) -> None:
    with Store(path) as file:
        for first in range(0, 200_000, 10_000):
            file.add(Chunk(PERNO, first, 10_000, bytes(range(250)) * 10, (10_000,), (), ()))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refused(path).startswith("damaged, or not a store of surveys: ")
    path.write_bytes(whole.replace(bytes(range(100, 250)), bytes(150), 1))
    assert refused(path).endswith("does not match its checksum")
    path.write_bytes(whole)
    changed(path, "UPDATE chunks SET states = '[9999]' WHERE first = 20000")
    assert refused(path) == "damaged: the chunk at seed 20000 does not match its checksum"
    path.write_bytes(whole)
    changed(path, "UPDATE readings SET rules = 'pivot-size=99'")
    assert refused(path) == "damaged: rules: pivot-size is 99, expected a whole number from 1 to 30"


def test_a_store_that_may_not_be_written(path: Path) -> None:
    with Store(path) as file:
        file._connection.execute("PRAGMA query_only = 1")  # noqa: SLF001 - permissions stop no superuser
        with pytest.raises(BadStore, match="attempt to write a readonly database"):
            file.add(CHUNK)


def test_histograms_are_plain_json(path: Path) -> None:
    with Store(path) as file:
        file.add(decide(PERNO, range(50)))
    assert sum(json.loads(str(rows(path)[0][4]))) == 50
