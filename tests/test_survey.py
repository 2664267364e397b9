"""Surveys: the same totals whoever does the work, in whatever order and pieces; and what happens when work is lost."""

import asyncio
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import PERNO, READINGS, Deal, InvalidChoice, InvalidDeal, PernoError, Rules, State, Verdict, solve
from perno_solver.solve.engine import EngineInfo
from perno_solver.solve.players import PlayerName, at_sight, calculating, careful, greedy, play_out
from perno_solver.survey import SurveyFailed, Totals, chunks, compare, seeds_with, survey
from perno_solver.survey import run as module
from perno_solver.survey.chunks import VERDICTS, Chunk, InvalidChunk, chunk_size, decide, pieces
from perno_solver.survey.deals import Deals, NotAgain, decide_each
from perno_solver.survey.run import deal_by_deal
from perno_solver.survey.store import Store

SEEDS = range(95, 215)


def added_up(*args: Any, **options: Any) -> Totals:
    return sum(map(Totals.of, survey(*args, **options)), Totals())


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: 20)


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
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: size)
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
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: 10_000_000)
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
    with pytest.raises(InvalidChoice, match="one of the readings compared: perno, perno-obliged"):
        comparison.pair(free, "eagle-wing")


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
    workers = module._Workers(decide, Chunk, PERNO, 1)  # noqa: SLF001 - what a thread calls from inside the kernel
    assert workers._look(0, 0, 0) is False  # noqa: SLF001
    workers.stop()
    with pytest.raises(CancelledError):
        workers._look(0, 0, 0)  # noqa: SLF001


@pytest.mark.parametrize("jobs", [0, -1, True, False, 1.0, 2.5, "2", b"1", [1], object()])
def test_workers_are_a_whole_number_from_1(jobs: Any) -> None:
    with pytest.raises(InvalidChoice, match=r"jobs is .*, expected a whole number from 1"):
        survey(PERNO, range(10), jobs=jobs)


@pytest.mark.parametrize("odd", [None, 42, "x", b"", [], 1.5])
def test_odd_arguments_are_refused_in_words(odd: Any) -> None:
    calls = [
        lambda: survey(odd, SEEDS),
        lambda: survey(PERNO, odd),
        lambda: seeds_with(odd, PERNO, SEEDS),
        lambda: seeds_with("won", odd, SEEDS),
        lambda: seeds_with("won", PERNO, odd),
        lambda: compare([PERNO, odd], SEEDS),
        lambda: compare([PERNO], odd),
    ]
    if odd is not None:
        calls.append(lambda: survey(PERNO, SEEDS, store=odd))
    for call in calls:
        with pytest.raises(PernoError, match="expected"):
            call()


def test_texts_are_taken_for_rules_and_verdicts(expected: Totals) -> None:
    assert added_up("perno", SEEDS) == expected
    assert compare(["perno"], SEEDS) == compare([PERNO], SEEDS)
    assert list(seeds_with("lost", "perno", SEEDS)) == decide(PERNO, SEEDS).seeds_with(Verdict.LOST)


def test_seeds_with_a_verdict_may_be_any() -> None:
    assert sum(len(list(seeds_with(verdict, PERNO, range(2**64 - 3, 2**64)))) for verdict in Verdict) == 3


# Chunks that are wrong

CHUNK = decide(PERNO, range(20))


@pytest.mark.parametrize(
    "changes",
    [
        {"first": -1},
        {"first": 2**64 - 19},
        {"deals": 0},
        {"deals": -20},
        {"deals": 19},
        {"deals": 21},
        {"verdicts": b""},
        {"verdicts": CHUNK.verdicts[:-1]},
        {"verdicts": CHUNK.verdicts + b"\0"},
        {"verdicts": bytes([CHUNK.verdicts[0] | 3]) + CHUNK.verdicts[1:]},
        {"states": (19,)},
        {"states": (21, -1)},
        {"moves": ()},
        {"passes": (1,)},
        {"passes": (0, 1)},
    ],
)
def test_a_chunk_that_contradicts_itself_is_none(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidChunk, match="a chunk "):
        evolve(CHUNK, **changes)


def test_verdicts_are_on_its_own_deals() -> None:
    chunk = decide(PERNO, range(5))
    with pytest.raises(InvalidChunk, match="verdicts that are none"):
        evolve(chunk, verdicts=chunk.verdicts[:1] + bytes([chunk.verdicts[1] | 8]))


def other_seeds(rules: Rules, seeds: range) -> Any:
    return decide(rules, range(seeds.start + 1, seeds.stop + 1))


def fewer_seeds(rules: Rules, seeds: range) -> Any:
    return decide(rules, seeds[:-1])


def other_rules(_rules: Rules, seeds: range) -> Any:
    return decide(READINGS["eagle-wing"], seeds)


def nothing(_rules: Rules, _seeds: range) -> Any:
    return None


def a_tuple(rules: Rules, seeds: range) -> Any:
    return (rules, seeds)


def contradiction(rules: Rules, seeds: range) -> Any:
    chunk = decide(rules, seeds)
    object.__setattr__(chunk, "states", (1,))
    return chunk


@pytest.mark.parametrize("answer", [other_seeds, fewer_seeds, other_rules, nothing, a_tuple, contradiction])
def test_what_is_no_answer_is_refused(answer: Any, tmp_path: Path) -> None:
    class Mistaken(ThreadPoolExecutor):
        def submit(self, _fn: Any, /, *args: Any, **_options: Any) -> Future[Any]:
            return super().submit(answer, *args)

    with Mistaken(1) as executor, Store(tmp_path / "survey.sqlite") as store:
        failed = r"seeds \d+:\d+ failed 3 times, the last time with InvalidChunk: a (worker that answers|chunk whose) "
        with pytest.raises(SurveyFailed, match=failed):
            list(survey(PERNO, SEEDS, executor=executor, store=store))
        assert store.readings() == []


# Executors that break


def test_an_executor_that_was_shut_down_is_told() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(SurveyFailed, match="the executor takes no more work: RuntimeError: cannot schedule"):
        list(survey(PERNO, SEEDS, executor=executor))


@pytest.mark.parametrize("cancel", [True, False])
def test_an_executor_that_is_shut_down_on_the_way_is_told(cancel: bool, tmp_path: Path) -> None:  # noqa: FBT001
    executor = ThreadPoolExecutor(1)
    with Store(tmp_path / "survey.sqlite") as store:
        found = survey(PERNO, range(10**9), executor=executor, jobs=1, store=store)
        first = next(found)
        executor.shutdown(wait=False, cancel_futures=cancel)
        with pytest.raises(SurveyFailed, match=r"the executor (takes no more work|gave up its work)"):
            list(found)
        assert first in list(store.chunks(PERNO))  # what was done is kept


@pytest.mark.parametrize(
    "error", [BrokenExecutor(), RuntimeError("gone"), OSError(11, "no more processes"), KeyError(1)]
)
def test_an_executor_that_takes_nothing_is_told(error: Exception) -> None:
    class Broken(Later):
        def submit(self, *_args: Any, **_options: Any) -> Future[Any]:
            raise error

    with pytest.raises(SurveyFailed, match=f"the executor takes no more work: {type(error).__name__}"):
        list(survey(PERNO, SEEDS, executor=Broken()))


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), CancelledError(), MemoryError(), SystemExit(1), OSError(5)]
)
def test_whatever_befalls_a_worker_is_told(error: BaseException) -> None:
    class Failing(Later):
        def submit(self, *_args: Any, **_options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    with pytest.raises(SurveyFailed, match=f"failed 3 times, the last time with {type(error).__name__}"):
        list(survey(PERNO, SEEDS, executor=Failing()))


def test_work_that_is_cancelled_elsewhere_is_told() -> None:
    class Cancelling(Later):
        def submit(self, *_args: Any, **_options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(SurveyFailed, match=r"the executor gave up its work: seeds \d+:\d+ were cancelled"):
        added_up(PERNO, SEEDS, executor=Cancelling(), jobs=1)


@pytest.mark.parametrize("status", ["connecting", "closing", "closed"])
def test_a_scheduler_may_be_away_but_not_for_long(
    monkeypatch: pytest.MonkeyPatch, status: str, expected: Totals
) -> None:
    class Away(Later):
        """Looks like Dask's whose scheduler is away for so many looks; what is handed out then is lost or not."""

        def __init__(self, looks: int, *, lost: bool) -> None:
            super().__init__()
            self.status, self.lost = iter([*[status] * looks, *["running"] * 99]), lost

        @property
        def _client(self) -> SimpleNamespace:
            return SimpleNamespace(status=next(self.status))

        def submit(self, fn: Any, /, *args: Any, **options: Any) -> Future[Any]:
            return Future() if self.lost else super().submit(fn, *args, **options)

    monkeypatch.setattr(module, "_SECOND", 0.01)
    assert added_up(PERNO, SEEDS, executor=Away(3, lost=False), jobs=1) == expected
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    with pytest.raises(SurveyFailed, match=r"the executor lost its scheduler, for more than 0\.05 seconds"):
        added_up(PERNO, SEEDS, executor=Away(10**6, lost=True), jobs=1)


def test_no_more_threads_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: object) -> None:
        msg = "can't start new thread"
        raise RuntimeError(msg)

    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=True))
    monkeypatch.setattr("threading.Thread.start", start)
    with pytest.raises(SurveyFailed, match="no more work: RuntimeError: can't start new thread"):
        list(survey(PERNO, SEEDS))


@pytest.mark.slow
def test_a_pool_whose_processes_are_killed_is_told() -> None:
    class Killing(ProcessPoolExecutor):
        def submit(self, _fn: Any, /, *_args: Any, **_options: Any) -> Future[Any]:
            return super().submit(signal.raise_signal, signal.SIGKILL)

    with (
        Killing(1) as executor,
        pytest.raises(SurveyFailed, match="the executor takes no more work: BrokenProcessPool"),
    ):
        list(survey(PERNO, SEEDS, executor=executor))


# Saving


def test_chunks_are_saved_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(number / 5 for number in range(999))
    monkeypatch.setattr(module.time, "monotonic", lambda: next(times))
    added = []

    class Noting(Store):
        def add(self, *chunks: Chunk) -> None:
            added.append(len(chunks))
            super().add(*chunks)

    with Noting(tmp_path / "survey.sqlite") as store:
        found = list(survey(PERNO, SEEDS, executor=Later(), jobs=1, store=store))
        assert len(added) < sum(added) == len(found) == 7
        assert sorted(chunk.first for chunk in store.chunks(PERNO)) == sorted(chunk.first for chunk in found)


# Of ranges that are surveyed again with every version

WON_OF = {  # the first so many seeds
    "perno": (200_000, 24_944),
    "perno-tens": (200_000, 29_314),
    "perno-obliged": (200_000, 5_588),
    "perno-packed": (200_000, 102_399),
    "eagle-wing": (200_000, 11_557),
    "eagle-wing-packed": (100_000, 73_176),
}


@pytest.mark.slow
@pytest.mark.parametrize("reading", WON_OF)
def test_totals_of_fixed_ranges(reading: str) -> None:
    deals, won = WON_OF[reading]
    totals = added_up(READINGS[reading], range(deals), jobs=1)
    assert (totals.won, totals.lost, totals.unknown) == (won, deals - won, 0)


# Deal by deal


def chunks_of(*ranges: range) -> list[Chunk]:
    return [decide(PERNO, seeds) for seeds in ranges]


def test_deals_come_in_order_whoever_does_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = [range(first, first + 20) for first in range(0, 200, 20)]
    for compiled, jobs in ((True, 3), (True, 1), (False, 1)):
        monkeypatch.setattr(module, "engine_info", lambda compiled=compiled: EngineInfo(compiled=compiled))
        found = list(deal_by_deal("perno", chunks_of(*ranges), jobs=jobs))
        assert [deals.seeds for deals in found] == ranges
        assert bytes(row[0] for deals in found for row in deals.rows) == decide(PERNO, range(200)).codes()


def test_deals_are_decided_as_they_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=True))
    taken = []

    def chunks_on() -> Iterator[Chunk]:
        for first in range(0, 10**9, 20):
            taken.append(first)
            yield decide(PERNO, range(first, first + 20))

    with contextlib.closing(deal_by_deal(PERNO, chunks_on(), jobs=2)) as found:
        assert len(list(islice(found, 9))) == 9
    assert len(taken) < 9 + 2 * 4 + 2


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        (None, [range(20), range(40, 60)]),
        (range(10, 50), [range(10, 20), range(40, 50)]),
        (range(45, 46), [range(45, 46)]),
        (range(20, 40), []),
        (range(70, 90), []),
    ],
)
def test_deals_within_seeds(within: range | None, expected: list[range]) -> None:
    found = list(deal_by_deal(PERNO, chunks_of(range(20), range(40, 60)), within=within))
    assert [deals.seeds for deals in found] == expected
    assert all(deals == decide_each(PERNO, deals.seeds) for deals in found)


@pytest.mark.parametrize(("name", "number"), [("perno", 60), ("perno-packed", 60), ("eagle-wing", 60)])
def test_a_deals_figures_are_those_of_solve(name: str, number: int) -> None:
    rules = READINGS[name]
    for seed, row in zip(range(number), decide_each(rules, range(number)).rows, strict=True):
        deal = Deal.from_seed(seed)
        found = solve(deal, rules=rules, evidence=False)
        line = (len(found.line), found.passes) if found.line is not None else (0, 0)
        assert row == (VERDICTS.index(found.verdict), State.start(deal, rules).base, found.statistics.stored, *line)


def test_a_deal_given_up_has_figures_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_STATES", 3)
    rows = decide_each(PERNO, range(60)).rows
    assert {row[2] for row in rows if row[0] == VERDICTS.index(Verdict.UNKNOWN)} == {3}


def test_deals_that_are_not_what_was_stored_are_refused() -> None:
    (chunk,) = chunks_of(range(1, 2))
    other = evolve(chunk, verdicts=b"\1", moves=(0, 1), passes=(0, 1))
    with pytest.raises(NotAgain, match="seed 1 under perno is stored as won, and was found to be lost"):
        list(deal_by_deal(PERNO, [other]))


def test_too_few_rows_are_lost_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "engine_info", lambda: EngineInfo(compiled=True))
    monkeypatch.setattr(module, "decide_each", lambda rules, seeds, _look: Deals(rules, seeds, []))
    with pytest.raises(SurveyFailed, match="the last time with NotAgain: 0 rows for 20 deals"):
        list(deal_by_deal(PERNO, chunks_of(range(20))))


def test_what_is_not_saved_is_not_kept_in_memory() -> None:
    generator = survey(PERNO, range(10**9), executor=Later(), jobs=1)
    with contextlib.closing(generator) as found:
        list(islice(found, 50))
        assert generator.gi_frame.f_locals["unsaved"] == []


# Players


@pytest.mark.parametrize("player", PlayerName)
def test_a_players_chunks_are_the_games_that_it_plays(player: PlayerName) -> None:
    who = {PlayerName.GREEDY: greedy, PlayerName.CAREFUL: careful, PlayerName.CALCULATING: calculating}
    seeds, seen = range(10, 13), "table" if player is PlayerName.AT_SIGHT else "remembered"
    rules = READINGS["perno-obliged"] if player in {PlayerName.CALCULATING, PlayerName.AT_SIGHT} else PERNO
    chunk = decide(rules, seeds, player=player)
    games = [play_out(Deal.from_seed(seed), who.get(player, at_sight), rules=rules, seen=seen) for seed in seeds]
    assert chunk.seeds_with("won") == [seed for seed, game in zip(seeds, games, strict=True) if game.state().is_won]
    assert chunk.states == ()
    assert chunk.player is player


def test_a_players_survey_does_not_depend_on_who_does_the_work() -> None:
    expected = Totals.of(decide(PERNO, SEEDS, player=PlayerName.CAREFUL))
    assert added_up(PERNO, SEEDS, player="careful") == expected
    assert added_up(PERNO, SEEDS, player="careful", executor=Later()) == expected
    assert 0 < expected.won < Totals.of(decide(PERNO, SEEDS)).won


def test_pieces_for_players_by_odds_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", chunk_size)
    assert len(list(pieces(PERNO, range(250), PlayerName.AT_SIGHT))) == 3
    assert len(list(pieces(PERNO, range(250), PlayerName.CAREFUL))) == 1


def test_verdicts_are_no_answer_to_who_asks_for_games() -> None:
    class Verdicts(Executor):
        def submit(self, _fn: Any, /, rules: Rules, seeds: range, **_options: Any) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_result(decide(rules, seeds))
            return done

    message = (
        r"seeds 0:9 failed 3 times, the last time with InvalidChunk: a worker that answers for seeds 0:9 under perno, "
        "expected those of seeds 0:9 under perno by a careful player"
    )
    with pytest.raises(SurveyFailed, match=message):
        added_up(PERNO, range(9), player="careful", executor=Verdicts())


def test_a_player_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidChoice, match="'lucky'"):
        survey(PERNO, range(9), player="lucky")  # type: ignore[arg-type]


def test_each_player_has_a_signature() -> None:
    assert len({chunks.signature(player) for player in (None, *PlayerName)}) == 5
