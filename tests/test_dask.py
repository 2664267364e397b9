"""Surveys on a real Dask cluster of several worker processes, one of which is killed in mid-run."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from perno_solver import PERNO, cli
from perno_solver.survey import SurveyFailed, chunks, survey
from perno_solver.survey.chunks import decide
from perno_solver.survey.figures import Totals
from perno_solver.survey.store import Store

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # its own warnings are not ours

SEEDS = range(3_000)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: 50)
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=None, silence_logs=50, host="127.0.0.1"
    ) as made:
        yield made


def exit_here() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_workers_work_is_done_again(cluster: object, tmp_path: Path) -> None:
    path = tmp_path / "survey.sqlite"
    with distributed.Client(cluster) as client, Store(path) as store:
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 3
        totals = Totals()
        for number, chunk in enumerate(survey(PERNO, SEEDS, executor=client.get_executor(), jobs=3, store=store)):
            totals += Totals.of(chunk)
            if number == 5:
                os.kill(pids[0], signal.SIGKILL)
        assert pids[0] not in client.run(os.getpid).values()
        stored = sum(map(Totals.of, store.chunks(PERNO)), Totals())
    assert totals == stored == Totals.of(decide(PERNO, SEEDS))


def test_the_command_gives_work_to_a_cluster(cluster: object) -> None:
    address = cluster.scheduler_address  # type: ignore[attr-defined]
    result = CliRunner().invoke(cli.main, ["survey", "--seeds", "0:3000", "--dask", address])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"{Totals.of(decide(PERNO, SEEDS)).won} of 3,000 deals" in result.stdout


def test_work_that_kills_every_worker_is_given_up(cluster: object) -> None:
    with distributed.Client(cluster) as client:
        executor = client.get_executor()

        class Killing(type(executor)):  # type: ignore[misc]
            def submit(self, fn: object, *args: object) -> object:  # noqa: ARG002
                return super().submit(exit_here)

        executor.__class__ = Killing
        with pytest.raises(SurveyFailed, match=r"failed 3 times, the last time with KilledWorker"):
            list(survey(PERNO, range(50), executor=executor, jobs=1))


def started(log: Path, up: str, program: str, *options: str) -> subprocess.Popen[bytes]:
    """Start a scheduler, or a worker of one, and wait until its log says that it is up."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *options, "--no-dashboard"]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stderr=file)  # noqa: S603
    while up not in log.read_text():
        assert process.poll() is None
        time.sleep(0.1)
    return process


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a scheduler with a worker, each a process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    options = ["--host", "127.0.0.1", "--port", str(port)]
    processes = [started(tmp_path / "scheduler.log", "Scheduler at", "scheduler", *options)]
    try:
        options = [address, "--nthreads", "2", "--no-nanny"]
        processes.append(started(tmp_path / "worker.log", "Registered to", "worker", *options))
        yield address, processes[0]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


@pytest.mark.parametrize("chunks_before", [0, 1, 20])
def test_a_killed_scheduler_ends_a_survey_in_words(
    killable: tuple[str, subprocess.Popen[bytes]], tmp_path: Path, chunks_before: int
) -> None:
    (address, scheduler), path = killable, tmp_path / "survey.sqlite"
    with distributed.Client(address) as client, Store(path) as store:
        found = survey(PERNO, range(10**9), executor=client.get_executor(), jobs=2, store=store)
        seen = sum(Totals.of(next(found)).deals for _ in range(chunks_before))
        scheduler.kill()
        killed = time.monotonic()
        with pytest.raises(SurveyFailed, match=r"the executor (gave up its|takes no more|lost its)"):
            list(found)
        assert time.monotonic() - killed < 30
        stored = list(store.chunks(PERNO))
    assert sum(chunk.deals for chunk in stored) >= seen
    assert all(chunk == decide(PERNO, chunk.seeds) for chunk in stored)


@pytest.mark.parametrize("stored", [True, False])
def test_a_killed_scheduler_ends_the_command_in_a_line(
    killable: tuple[str, subprocess.Popen[bytes]],
    tmp_path: Path,
    stored: bool,  # noqa: FBT001
) -> None:
    (address, scheduler), path = killable, tmp_path / "survey.sqlite"
    command = [sys.executable, "-m", "perno_solver", "survey", "--seeds", "0:1000000000", "--dask", address]
    command += ["--store", str(path)] if stored else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603
    time.sleep(8)
    scheduler.kill()
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (2, "")
    assert len(errors.splitlines()) == 1
    kept = f"what is done is kept in {path}, and the same command goes on from there"
    assert errors.endswith(f"; {kept if stored else 'nothing is kept without --store'}\n")


def test_a_scheduler_that_is_not_there() -> None:
    result = CliRunner().invoke(cli.main, ["survey", "--seeds", "0:30", "--dask", "tcp://127.0.0.1:9"])
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: --dask tcp://127.0.0.1:9: ")
    assert "Traceback" not in result.stderr
