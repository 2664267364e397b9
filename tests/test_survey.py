"""Surveys: the same totals whoever does the work, in whatever order and pieces; and what happens when work is lost."""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import PERNO, READINGS, Deal, InvalidChoice, InvalidDeal, Rules, Verdict, solve
from perno_solver.solve.engine import EngineInfo
from perno_solver.survey import SurveyFailed, Totals, chunks, compare, seeds_with, survey
from perno_solver.survey import run as module
from perno_solver.survey.chunks import Chunk, chunk_size, decide, pieces

SEEDS = range(95, 215)


def added_up(*args: Any, **options: Any) -> Totals:
    return sum(map(Totals.of, survey(*args, **options)), Totals())


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules: 20)


@pytest.fixture(scope="module")
def expected() -> Totals:
    return Totals.of(decide(PERNO, SEEDS))


class Later(Executor):
    """Does the first work late, the last that came first; some of it may fail."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.tasks: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.submitted += 1
        self.tasks.append((future, lambda: fn(*args, **options)))
        while self.tasks and self.submitted > 3:
            done, task = self.tasks.pop()
            if self.failures:
                self.failures -= 1
                done.set_exception(BrokenExecutor("gone"))
            else:
                done.set_result(task())
        return future


# Chunks


@given(st.integers(0, 300), st.integers(1, 300), st.sampled_from(["perno", "perno-packed"]))
def test_pieces_are_the_seeds_cut_at_multiples(first: int, number: int, name: str) -> None:
    cut = list(pieces(READINGS[name], range(first, first + number)))
    assert [seed for piece in cut for seed in piece] == list(range(first, first + number))
    assert all(piece.start // 20 == (piece.stop - 1) // 20 for piece in cut)
    assert len(cut) <= number // 20 + 2


def test_hard_readings_have_smaller_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", chunk_size)
    assert next(pieces(PERNO, range(10**15))) == range(10_000)
    assert next(pieces(READINGS["perno-packed"], range(10**15))) == range(1_000)
    assert next(pieces(Rules(pivot_open=True), range(10**15))) == range(1_000)


@pytest.mark.parametrize("seeds", [range(0), range(5, 4), range(0, 9, 2), range(-1, 5), range(2**63, 2**63 + 1)])
def test_seeds_that_cannot_be_surveyed_are_refused_at_once(seeds: range) -> None:
    with pytest.raises(InvalidDeal, match="cannot be surveyed: expected one or more seeds from 0 to 2"):
        survey(PERNO, seeds)


def test_the_last_seeds() -> None:
    (chunk,) = survey(PERNO, range(2**63 - 1, 2**63), jobs=1)
    assert chunk.deals == 1


@pytest.mark.parametrize("name", ["perno", "perno-tens", "perno-obliged", "eagle-wing"])
def test_verdicts_are_those_of_solve(name: str) -> None:
    rules, seeds = READINGS[name], range(1000, 1025)
    found = {seed: verdict for verdict in Verdict for seed in decide(rules, seeds).seeds_with(verdict)}
    assert found == {seed: solve(Deal.from_seed(seed), rules=rules, evidence=False).verdict for seed in seeds}


def test_deals_that_take_too_long_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_STATES", 3)
    totals = Totals.of(decide(PERNO, SEEDS))
    assert totals.unknown > 0
    assert sum(totals.states) == len(SEEDS)


def test_the_signature_tells_limits_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = chunks.signature()
    chunks.signature.cache_clear()
    assert chunks.signature() == before
    chunks.signature.cache_clear()
    monkeypatch.setattr(chunks, "MOST_STATES", 3)
    assert chunks.signature() != before
    chunks.signature.cache_clear()


# The same totals


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_totals_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch, size: int, expected: Totals) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules: size)
    assert added_up(PERNO, SEEDS, jobs=2) == expected


@pytest.mark.parametrize("jobs", [None, 1, 3])
def test_totals_do_not_depend_on_the_workers(
    monkeypatch: pytest.MonkeyPatch, jobs: int | None, expected: Totals
) -> None:
    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=True))
    assert added_up(PERNO, SEEDS, jobs=jobs) == expected


def test_without_a_compiled_kernel_processes_work(monkeypatch: pytest.MonkeyPatch, expected: Totals) -> None:
    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=False))
    assert added_up(PERNO, SEEDS, jobs=1) == expected


def test_totals_do_not_depend_on_the_executor(expected: Totals) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert added_up(PERNO, SEEDS, executor=executor) == expected
        assert executor.submit(int).result() == 0  # it is not shut down


def test_totals_do_not_depend_on_the_order(expected: Totals) -> None:
    found = list(survey(PERNO, SEEDS, executor=Later(), jobs=1))
    assert [chunk.first for chunk in found] != sorted(chunk.first for chunk in found)
    assert sorted(seed for chunk in found for seed in chunk.seeds) == list(SEEDS)
    assert sum(map(Totals.of, found), Totals()) == expected


def test_work_is_handed_out_as_it_gets_done() -> None:
    executor = Later()
    with contextlib.closing(survey(PERNO, range(10**15), executor=executor, jobs=1)) as found:
        assert len(list(islice(found, 9))) == 9
        assert executor.submitted < 9 + 5


# Lost work


def test_lost_work_is_done_again(expected: Totals) -> None:
    executor = Later(failures=2)
    assert added_up(PERNO, SEEDS, executor=executor, jobs=1) == expected
    assert executor.submitted == 7 + 2


def test_work_that_is_always_lost_is_given_up() -> None:
    with pytest.raises(SurveyFailed, match=r"seeds \d+:\d+ failed 3 times, the last time with BrokenExecutor: gone"):
        added_up(PERNO, SEEDS, executor=Later(failures=99), jobs=1)


def test_a_broken_pool_is_made_again(monkeypatch: pytest.MonkeyPatch, expected: Totals) -> None:
    class Pool(ThreadPoolExecutor):
        made = 0

        def __init__(self, jobs: int, *_options: object) -> None:
            super().__init__(jobs)
            Pool.made += 1
            self.submitted = 0

        def submit(self, fn: Any, /, *args: Any, **options: Any) -> Future[Any]:
            self.submitted += 1
            if Pool.made == 1 and self.submitted == 3:
                raise BrokenExecutor
            return super().submit(fn, *args, **options)

    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=False))
    monkeypatch.setattr(module, "ProcessPoolExecutor", Pool)
    assert added_up(PERNO, SEEDS, jobs=1) == expected
    assert Pool.made == 2


def exit_once(path: str, rules: Rules, seeds: range) -> Chunk:
    with contextlib.suppress(FileExistsError), open(path, "x"):  # noqa: PTH123
        signal.raise_signal(signal.SIGKILL)
    return decide(rules, seeds)


@pytest.mark.slow
def test_a_killed_process_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, expected: Totals) -> None:
    class Pool(ProcessPoolExecutor):
        def submit(self, _fn: Any, /, *args: Any, **_options: Any) -> Future[Any]:
            return super().submit(exit_once, str(tmp_path / "killed"), *args)

    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=False))
    monkeypatch.setattr(module, "ProcessPoolExecutor", Pool)
    assert added_up(PERNO, SEEDS, jobs=2) == expected


def test_closing_it_ends_work_in_mid_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules: 10_000_000)
    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=True))
    monkeypatch.setattr(module, "wait", lambda *_args, **_options: (_ for _ in ()).throw(KeyboardInterrupt))
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        next(survey(PERNO, range(10**9), jobs=1))
    assert time.perf_counter() - started < 10


# Comparing and finding


def test_compare_tries_the_same_deals() -> None:
    free, obliged = PERNO, READINGS["perno-obliged"]
    comparison = compare([free, obliged], SEEDS)
    for rules in (free, obliged):
        assert comparison.codes[rules] == decide(rules, SEEDS).codes()
    pair = comparison.pair(free, obliged)
    assert pair.second_only == 0  # who need not play still may
    assert pair.deals == len(SEEDS)


def test_seeds_with_a_verdict() -> None:
    for verdict in Verdict:
        assert list(seeds_with(verdict, PERNO, SEEDS)) == decide(PERNO, SEEDS).seeds_with(verdict)


def test_importing_the_command_line_imports_no_survey() -> None:
    code = "import sys, perno_solver.cli; print(*sorted(set(sys.modules) & {'sqlite3', 'concurrent.futures', 'csv'}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.split() == []


@pytest.mark.slow
def test_worker_processes_end_with_a_killed_parent() -> None:
    code = """if True:
        import os
        from multiprocessing import active_children
        from perno_solver import PERNO
        from perno_solver.solve import engine
        from perno_solver.survey import run
        run.engine_info = lambda: engine.EngineInfo(compiled=False)
        chunks = run.survey(PERNO, range(10**9), jobs=2)
        next(chunks)
        print(*(child.pid for child in active_children()), flush=True)
        os.kill(os.getpid(), 9)
    """
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    pids = list(map(int, result.stdout.split()))  # which is read to its end only when the workers have closed it, too
    assert len(pids) == 2


def test_work_ends_at_the_next_look_at_the_clock() -> None:
    workers = module._Workers(PERNO, None, 1)  # noqa: SLF001 - what a thread calls from inside the kernel
    assert workers._look(0, 0, 0) is False  # noqa: SLF001
    workers.stop()
    with pytest.raises(CancelledError):
        workers._look(0, 0, 0)  # noqa: SLF001


@pytest.mark.parametrize("jobs", [0, -1])
def test_a_survey_has_workers(jobs: int) -> None:
    with pytest.raises(InvalidChoice, match=f"{jobs} workers, expected one or more"):
        survey(PERNO, range(10), jobs=jobs)
