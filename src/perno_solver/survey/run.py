"""Surveys: the deals of many seeds decided by many workers, here or on other machines.

>>> from perno_solver import PERNO
>>> totals = sum(map(Totals.of, survey(PERNO, range(400))), Totals())
>>> totals.won, totals.lost
(52, 348)
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from functools import partial
from multiprocessing import get_context, parent_process
from typing import Generic, TypeVar

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidChoice, PernoError
from perno_solver.game.rules import Rules, as_rules
from perno_solver.proof import Verdict, VerdictText
from perno_solver.solve import Level
from perno_solver.solve.engine import engine_info
from perno_solver.solve.players import LevelText, PlayerName, PlayerText
from perno_solver.survey.chunks import VERDICTS, Chunk, InvalidChunk, asked, check_seeds, decide, levels, pieces
from perno_solver.survey.deals import Deals, NotAgain, decide_each
from perno_solver.survey.figures import Comparison, Totals
from perno_solver.survey.store import Store

__all__ = ["MOST_TRIES", "Comparison", "SurveyFailed", "Totals", "compare", "deal_by_deal", "seeds_with", "survey"]

MOST_TRIES = 3
"""How often a chunk is given to a worker before the survey gives up on it."""

_SECOND = 1.0  # seconds between two transactions of a store, at least, and at most between two looks at what is done
_PATIENCE = 10  # seconds in which a scheduler may come back
_AHEAD = 4  # chunks in the hands of the executor for each worker, so that none has to wait


class SurveyFailed(PernoError):
    """A chunk could not be decided: its workers died, or failed."""


def survey(
    rules: Rules | str,
    seeds: range,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    store: Store | None = None,
    player: PlayerName | PlayerText | None = None,
) -> Generator[Chunk, None, None]:
    """Decide the deals of seeds and yield them in chunks, each once, in the order in which they are done.

    What the chunks add up to depends on the rules and the seeds alone. Memory does not grow with the seeds: work is
    handed out as it gets done. Close the generator to end early.

    Args:
        rules: the reading of the rules, or its text.
        seeds: one or more seeds below 2⁶³, in steps of one.
        executor: whose workers do it, such as `distributed.Client(…).get_executor()`; it is not shut down. By default
            threads where the kernel is compiled, as that computes outside of Python's lock, and processes where not.
        jobs: how many workers there are, to start or to keep busy (default: one for each processor).
        store: where chunks are taken from if they are there, and written to within a second or two of being done.
        player: who plays the deals, seeing only what a player sees; None is for the verdicts.

    Raises:
        InvalidRules: a text is not that of rules.
        InvalidDeal: the seeds are not in that range.
        InvalidChoice: the workers are not a whole number from 1, or the executor, the store or the player is none.
        SurveyFailed: a chunk was lost or failed three times, or the executor broke or was shut down.
        BadStore: the store cannot be read or written.
    """
    rules = as_rules(rules)
    require(executor, Executor | None, InvalidChoice, "an executor, as of concurrent.futures")
    require(store, Store | None, InvalidChoice, "a Store")
    player = None if player is None else PlayerName(player)
    work = decide if player is None else partial(decide, player=player)
    workers = _Workers(work, Chunk, rules, number_of_workers(jobs), executor, player)
    return _survey(rules, player, pieces(rules, seeds, player), workers, store)


def number_of_workers(jobs: int | None) -> int:
    """Check a number of workers; None is one for each processor.

    Raises:
        InvalidChoice: it is not a whole number from 1.
    """
    if jobs is None:
        return os.cpu_count() or 1
    if type(jobs) is not int or jobs < 1:
        msg = f"jobs is {shown(jobs)}, expected a whole number from 1"
        raise InvalidChoice(msg)
    return jobs


def _survey(
    rules: Rules, player: PlayerName | None, work: Iterator[range], workers: "_Workers[Chunk]", store: Store | None
) -> Generator[Chunk, None, None]:
    unsaved: list[Chunk] = []
    last = -_SECOND  # so that the first chunk is saved at once

    def save(*, at_once: bool = False) -> None:
        nonlocal last
        if store is not None and unsaved and (at_once or time.monotonic() - last >= _SECOND):
            store.add(*unsaved)
            unsaved.clear()
            last = time.monotonic()

    def finished() -> Iterator[Chunk]:
        for chunk in workers.finished():
            if store is not None:
                unsaved.append(chunk)
            save()
            yield chunk
        save()

    try:
        for seeds in work:
            stored = None if store is None else store.get(rules, seeds, player)
            if stored is not None:
                yield stored
                continue
            workers.submit(seeds)
            while len(workers.running) >= workers.most:
                yield from finished()
        while workers.running:
            yield from finished()
    finally:
        try:
            save(at_once=True)
        finally:
            workers.stop()


def deal_by_deal(
    rules: Rules | str, chunks: Iterable[Chunk], *, within: range | None = None, jobs: int | None = None
) -> Generator[Deals, None, None]:
    """Decide the deals of chunks again, for what chunks do not keep of each: base rank, states, moves and passes.

    Args:
        rules: the reading of the rules of all chunks, or its text.
        chunks: whose deals, by their seeds.
        within: only the deals of these seeds, if any are given.
        jobs: how many workers there are (default: one for each processor).

    Returns:
        A generator, in the order of the chunks, whose memory does not grow with them. Close it to end early.

    Raises:
        InvalidRules, InvalidChoice, SurveyFailed: as in `survey`.
        NotAgain: a verdict is not that of the chunk.
    """
    rules = as_rules(rules)
    return _deal_by_deal(chunks, within, _Workers(decide_each, Deals, rules, number_of_workers(jobs)))


def _deal_by_deal(
    chunks: Iterable[Chunk], within: range | None, workers: "_Workers[Deals]"
) -> Generator[Deals, None, None]:
    expected: deque[Chunk] = deque()
    found: dict[int, Deals] = {}  # by the first seed

    def ready(most: int) -> Iterator[Deals]:
        while len(expected) > most:
            found.update((deals.seeds.start, deals) for deals in workers.finished())
            while expected and (deals := found.pop(overlap(expected[0], within).start, None)):
                deals.hold_against(expected.popleft())
                yield deals

    try:
        for chunk in chunks:
            if seeds := overlap(chunk, within):
                workers.submit(seeds)
                expected.append(chunk)
                yield from ready(workers.most)
        yield from ready(0)
    finally:
        workers.stop()


def overlap(chunk: Chunk, within: range | None) -> range:
    """Return the seeds of a chunk that are within others; None is all."""
    if within is None:
        return chunk.seeds
    return range(max(chunk.first, within.start), min(chunk.seeds.stop, within.stop))


_Answer = TypeVar("_Answer", Chunk, Deals)


class _Workers(Generic[_Answer]):
    """Who does a piece of work: the executor that is given, or one of our own, which is made again when it breaks."""

    def __init__(
        self,
        work: Callable[..., _Answer],
        kind: type[_Answer],
        rules: Rules,
        jobs: int,
        given: Executor | None = None,
        player: PlayerName | None = None,
    ) -> None:
        self._work: Callable[..., _Answer] = work
        self._kind: type[_Answer] = kind
        self._rules = rules
        self._player = player
        self._given = given
        self._own: Executor | None = None
        self._jobs = jobs
        self._stopped = threading.Event()
        self._away_since: float | None = None
        self.most = _AHEAD * jobs  # pieces in hand that keep all of them at work
        self.running: dict[Future[_Answer], tuple[range, int]] = {}

    def submit(self, seeds: range, tries: int = 1) -> None:
        """Hand out a chunk."""
        try:
            self.running[self._future(seeds)] = seeds, tries
        except Exception as error:  # whatever an executor says that is shut down, broken, or out of means
            msg = f"the executor takes no more work: {_told(error)}"
            raise SurveyFailed(msg) from error

    def finished(self) -> Iterator[_Answer]:
        """Wait a second at most, and yield what is done; what was lost is handed out again."""
        self._check_connection()
        for future in wait(self.running, timeout=_SECOND, return_when=FIRST_COMPLETED).done:
            seeds, tries = self.running.pop(future)
            if future.cancelled():
                msg = f"the executor gave up its work: seeds {seeds.start}:{seeds.stop} were cancelled"
                raise SurveyFailed(msg)
            error = future.exception()
            if error is None:
                try:
                    answer = self._checked(future.result(), seeds)
                except (InvalidChunk, NotAgain) as mistake:
                    error = mistake
                else:
                    yield answer
                    continue
            if tries == MOST_TRIES:
                msg = f"seeds {seeds.start}:{seeds.stop} failed {tries} times, the last time with {_told(error)}"
                raise SurveyFailed(msg) from error
            self.submit(seeds, tries + 1)

    def _check_connection(self) -> None:
        """Give up on a Dask scheduler that is gone, which answers nothing to what it is sent then."""
        client = getattr(self._given, "_client", None)
        if getattr(client, "status", "running") == "running":
            self._away_since = None
            return
        self._away_since = self._away_since or time.monotonic()
        if time.monotonic() - self._away_since > _PATIENCE:
            msg = f"the executor lost its scheduler, for more than {_PATIENCE} seconds"
            raise SurveyFailed(msg)

    def stop(self) -> None:
        """Take back what has not begun, and end the work of our own workers in mid-chunk."""
        self._stopped.set()
        for future in self.running:
            future.cancel()
        if self._own is not None:
            self._own.shutdown(cancel_futures=True)

    def _future(self, seeds: range) -> Future[_Answer]:
        if self._given is not None:
            return self._given.submit(self._work, self._rules, seeds)
        if engine_info().compiled:
            self._own = self._own or ThreadPoolExecutor(self._jobs)
            return self._own.submit(self._work, self._rules, seeds, self._look)
        while True:
            # Processes that start anew, since this one may have threads
            self._own = self._own or ProcessPoolExecutor(self._jobs, get_context("spawn"), _as_worker)
            try:
                return self._own.submit(self._work, self._rules, seeds)
            except BrokenExecutor:
                self._own = None

    def _checked(self, answer: object, seeds: range) -> _Answer:
        """Refuse what is no answer to what a worker was asked."""
        expected = f"expected those of seeds {seeds.start}:{seeds.stop} under {asked(self._rules, self._player)}"
        if not isinstance(answer, self._kind):
            msg = f"a worker that answers {shown(answer)}, {expected}"
            raise InvalidChunk(msg)
        player = answer.player if isinstance(answer, Chunk) else None
        if (answer.rules, answer.seeds, player) != (self._rules, seeds, self._player):
            told = f"seeds {answer.seeds.start}:{answer.seeds.stop} under {asked(answer.rules, player)}"
            msg = f"a worker that answers for {told}, {expected}"
            raise InvalidChunk(msg)
        found: _Answer = answer
        found.check()  # it may have come as a pickle, past the checks of a new one
        return found

    def _look(self, *_counts: int) -> bool:
        if self._stopped.is_set():
            raise CancelledError
        return False


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _as_worker() -> None:  # pragma: no cover - in other processes
    """Let Ctrl-C end a worker process without a word, and the end of its parent, too, even by a kill."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()

    def wait_for_parent() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()


def compare(
    readings: Iterable[Rules | str], seeds: range, *, run: Callable[[Rules, range], Iterator[Chunk]] = survey
) -> Comparison:
    """Try several readings on the same deals.

    Args:
        readings: different readings, or their texts.
        seeds: one or more seeds below 2⁶³, in steps of one; memory is a byte for each of them and reading.
        run: what surveys one reading: `survey`, or that with some of its arguments set.

    Raises:
        InvalidRules, InvalidDeal: as in `survey`, and whatever `run` raises.
        InvalidChoice: the readings are no collection.

    >>> from perno_solver import READINGS
    >>> free, obliged = READINGS["perno"], READINGS["perno-obliged"]
    >>> compare([free, obliged], range(400)).pair(free, obliged).second_only
    0
    """
    check_seeds(seeds)
    require(readings, Iterable, InvalidChoice, "readings of the rules")
    codes = {}
    for rules in map(as_rules, readings):
        verdicts = bytearray(seeds.stop - seeds.start)
        for chunk in run(rules, seeds):
            place = chunk.first - seeds.start
            verdicts[place : place + chunk.deals] = chunk.codes()
        codes[rules] = bytes(verdicts)
    return Comparison(seeds, codes)


def seeds_with(
    verdict: Verdict | VerdictText, rules: Rules | str, seeds: range, *, level: Level | LevelText | None = None
) -> Iterator[int]:
    """Return an iterator over those of many seeds whose deals have a verdict, as they are found.

    Args:
        verdict: the verdict, or its value.
        rules: the reading of the rules, or its text.
        seeds: one or more seeds below 2⁶⁴, in steps of one.
        level: only deals as hard as that.

    Raises:
        InvalidChoice, InvalidRules, InvalidDeal: these are not that.

    >>> from itertools import islice
    >>> list(islice(seeds_with("won", "perno", range(10**9)), 3))
    [2, 10, 11]
    """
    wanted, reading = Verdict(verdict), as_rules(rules)
    hard = None if level is None else Level(level)
    check_seeds(seeds, bits=64)

    def of(part: range) -> Iterable[int]:
        chunk = decide(reading, part)
        if hard is None:
            return chunk.seeds_with(wanted)
        found = zip(part, chunk.codes(), levels(reading, part, chunk.codes()), strict=True)
        return [seed for seed, code, each in found if VERDICTS[code] is wanted and each is hard]

    parts = (range(first, min(first + 100, seeds.stop)) for first in range(seeds.start, seeds.stop, 100))
    return (seed for part in parts for seed in of(part))
