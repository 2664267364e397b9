"""Surveys: the deals of many seeds decided by many workers, here or on other machines.

>>> from perno_solver import PERNO
>>> totals = sum(map(Totals.of, survey(PERNO, range(400))), Totals())
>>> totals.won, totals.lost
(52, 348)
"""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
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
from multiprocessing import get_context, parent_process

from perno_solver.errors import InvalidChoice, PernoError
from perno_solver.game.rules import Rules
from perno_solver.proof import Verdict
from perno_solver.solve.engine import engine_info
from perno_solver.survey.chunks import Chunk, decide, pieces
from perno_solver.survey.figures import Comparison, Totals
from perno_solver.survey.store import Store

__all__ = ["MOST_TRIES", "Comparison", "SurveyFailed", "Totals", "compare", "seeds_with", "survey"]

MOST_TRIES = 3
"""How often a chunk is given to a worker before the survey gives up on it."""

_AHEAD = 4  # chunks in the hands of the executor for each worker, so that none has to wait


class SurveyFailed(PernoError):
    """A chunk could not be decided: its workers died, or failed."""


def survey(
    rules: Rules,
    seeds: range,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    store: Store | None = None,
) -> Generator[Chunk, None, None]:
    """Decide the deals of seeds and yield them in chunks, each once, in the order in which they are done.

    What the chunks add up to depends on the rules and the seeds alone. Memory does not grow with the seeds: work is
    handed out as it gets done. Close the generator to end early.

    Args:
        rules: the reading of the rules.
        seeds: one or more seeds below 2⁶³, in steps of one.
        executor: whose workers do it, such as `distributed.Client(…).get_executor()`; it is not shut down. By default
            threads where the kernel is compiled, as that computes outside of Python's lock, and processes where not.
        jobs: how many workers there are, to start or to keep busy (default: one for each processor).
        store: where chunks are taken from if they are there, and written to as soon as they are done.

    Raises:
        InvalidDeal: the seeds are not in that range.
        InvalidChoice: there are no workers.
        SurveyFailed: a chunk was lost or failed three times.
        BadStore: the store cannot be read or written.
    """
    if jobs is not None and jobs < 1:
        msg = f"{jobs} workers, expected one or more"
        raise InvalidChoice(msg)
    return _survey(rules, pieces(rules, seeds), _Workers(rules, executor, jobs or os.cpu_count() or 1), store)


def _survey(
    rules: Rules, work: Iterator[range], workers: "_Workers", store: Store | None
) -> Generator[Chunk, None, None]:
    def finished() -> Iterator[Chunk]:
        for chunk in workers.finished():
            if store is not None:
                store.add(chunk)
            yield chunk

    try:
        for seeds in work:
            stored = None if store is None else store.get(rules, seeds)
            if stored is not None:
                yield stored
                continue
            workers.submit(seeds)
            while workers.busy:
                yield from finished()
        while workers.running:
            yield from finished()
    finally:
        workers.stop()


class _Workers:
    """Who decides chunks: the executor that is given, or one of our own, which is made again when it breaks."""

    def __init__(self, rules: Rules, given: Executor | None, jobs: int) -> None:
        self._rules = rules
        self._given = given
        self._own: Executor | None = None
        self._jobs = jobs
        self._stopped = threading.Event()
        self.running: dict[Future[Chunk], tuple[range, int]] = {}

    @property
    def busy(self) -> bool:
        """Whether they have as much in hand as keeps all of them at work."""
        return len(self.running) >= _AHEAD * self._jobs

    def submit(self, seeds: range, tries: int = 1) -> None:
        """Hand out a chunk."""
        self.running[self._future(seeds)] = seeds, tries

    def finished(self) -> Iterator[Chunk]:
        """Wait until a chunk is done, and yield those that are; what was lost is handed out again."""
        for future in wait(self.running, return_when=FIRST_COMPLETED).done:
            seeds, tries = self.running.pop(future)
            try:
                chunk = future.result()
            except Exception as error:  # whatever befell a worker, here or elsewhere
                if tries == MOST_TRIES:
                    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
                    msg = f"seeds {seeds.start}:{seeds.stop} failed {tries} times, the last time with {reason}"
                    raise SurveyFailed(msg) from error
                self.submit(seeds, tries + 1)
            else:
                yield chunk

    def stop(self) -> None:
        """Take back what has not begun, and end the work of our own workers in mid-chunk."""
        self._stopped.set()
        for future in self.running:
            future.cancel()
        if self._own is not None:
            self._own.shutdown(cancel_futures=True)

    def _future(self, seeds: range) -> Future[Chunk]:
        if self._given is not None:
            return self._given.submit(decide, self._rules, seeds)
        if engine_info().compiled:
            self._own = self._own or ThreadPoolExecutor(self._jobs)
            return self._own.submit(decide, self._rules, seeds, self._look)
        while True:
            # Processes that start anew, since this one may have threads
            self._own = self._own or ProcessPoolExecutor(self._jobs, get_context("spawn"), _as_worker)
            try:
                return self._own.submit(decide, self._rules, seeds)
            except BrokenExecutor:
                self._own = None

    def _look(self, *_counts: int) -> bool:
        if self._stopped.is_set():
            raise CancelledError
        return False


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
    readings: list[Rules], seeds: range, *, run: Callable[[Rules, range], Iterator[Chunk]] = survey
) -> Comparison:
    """Try several readings on the same deals.

    Args:
        readings: different readings.
        seeds: one or more seeds below 2⁶³, in steps of one; memory is a byte for each of them and reading.
        run: what surveys one reading: `survey`, or that with some of its arguments set.

    >>> from perno_solver import READINGS
    >>> free, obliged = READINGS["perno"], READINGS["perno-obliged"]
    >>> compare([free, obliged], range(400)).pair(free, obliged).second_only
    0
    """
    codes = {}
    for rules in readings:
        verdicts = bytearray(seeds.stop - seeds.start)
        for chunk in run(rules, seeds):
            place = chunk.first - seeds.start
            verdicts[place : place + chunk.deals] = chunk.codes()
        codes[rules] = bytes(verdicts)
    return Comparison(seeds, codes)


def seeds_with(verdict: Verdict, rules: Rules, seeds: range) -> Iterator[int]:
    """Yield those of many seeds whose deals have a verdict, as they are found.

    >>> from itertools import islice
    >>> from perno_solver import PERNO
    >>> list(islice(seeds_with(Verdict.WON, PERNO, range(10**9)), 3))
    [2, 10, 11]
    """
    for first in range(seeds.start, seeds.stop, 100):
        yield from decide(rules, range(first, min(first + 100, seeds.stop))).seeds_with(verdict)
