"""What a survey costs beside the kernel's own work: time, workers and memory.

    python bench/survey.py [--deals 1000000] [--rules perno]

Prints a table of the quickest of some rounds, and overheads as the medians of each round's own ratio, as what else the
machine does comes and goes. Each memory figure is a new process's highest.
"""

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from attrs import evolve

from perno_solver import Rules, __version__
from perno_solver.solve.engine import engine_info, kernel_for
from perno_solver.survey import run, survey
from perno_solver.survey.chunks import MOST_STATES, chunk_size, decide, pieces
from perno_solver.survey.figures import Totals
from perno_solver.survey.store import Store

ROUNDS = 5


def kernel_alone(rules: Rules, deals: int) -> tuple[float, float]:
    kernel = kernel_for(rules)
    wall, cpu = time.perf_counter(), time.process_time()
    for seeds in pieces(rules, range(deals)):
        kernel.survey(seeds.start, len(seeds), MOST_STATES)
    return time.perf_counter() - wall, time.process_time() - cpu


def whole_survey(rules: Rules, deals: int, jobs: int, *, stored: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as directory, ExitStack() as stack:
        wall, cpu = time.perf_counter(), time.process_time()
        store = stack.enter_context(Store(Path(directory, "survey.sqlite"))) if stored else None
        totals = Totals()
        for chunk in survey(rules, range(deals), jobs=jobs, store=store):
            totals += Totals.of(chunk)
        assert totals.deals == deals
        return time.perf_counter() - wall, time.process_time() - cpu


def beside_the_searches(rules: Rules, *, stored: bool) -> float:
    """Return the processor seconds that a survey takes for a chunk whose searches take none."""
    chunk, number, usual = decide(rules, range(chunk_size(rules))), 500, run.decide
    run.decide = lambda _rules, seeds, _look: (time.sleep(0.01), evolve(chunk, first=seeds.start))[1]
    try:
        return whole_survey(rules, number * chunk.deals, 1, stored=stored)[1] / number
    finally:
        run.decide = usual


def opening(rules: Rules, deals: int) -> float:
    """Return how long it takes to open a store of so many deals, which goes through all of it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "survey.sqlite")
        chunk = decide(rules, range(chunk_size(rules)))
        with Store(path) as store:
            store.add(*(evolve(chunk, first=first) for first in range(0, deals, chunk.deals)))
        started = time.perf_counter()
        with Store(path, read_only=True):
            return time.perf_counter() - started


def highest_memory(rules: Rules, deals: int) -> float:
    """Return the most megabytes that a process holds which surveys some deals."""
    command = [sys.executable, __file__, "--rules", str(rules), "--deals", str(deals), "--memory"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a survey costs beside the kernel's own work.")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--rules", type=Rules.from_text, default="perno")
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.memory:
        whole_survey(args.rules, args.deals, 2, stored=True)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return
    print(
        f"perno_solver {__version__}, {engine_info()}, Python {platform.python_version()}, {os.cpu_count()} processors"
    )
    print(f"{args.deals:,} deals, {args.rules}\n\n{'':32}  wall s   CPU s")
    ways = {
        "kernel alone": lambda: kernel_alone(args.rules, args.deals),
        "survey, 1 worker": lambda: whole_survey(args.rules, args.deals, 1, stored=False),
        "survey, 1 worker, store": lambda: whole_survey(args.rules, args.deals, 1, stored=True),
        "survey, 2 workers, store": lambda: whole_survey(args.rules, args.deals, 2, stored=True),
    }
    rounds = [{name: measure() for name, measure in ways.items()} for _ in range(ROUNDS)]
    for name in ways:
        wall, cpu = (min(times[name][clock] for times in rounds) for clock in (0, 1))
        print(f"{name:32}{wall:8.2f}{cpu:8.2f}")
    alone, one, two = ("kernel alone", "survey, 1 worker, store", "survey, 2 workers, store")
    wall, cpu = (100 * (median(times[one][clock] / times[alone][clock] for times in rounds) - 1) for clock in (0, 1))
    print(f"\noverhead with the store: {wall:.1f} % wall, {cpu:.1f} % CPU")
    print(f"2 workers: {median(times[one][0] / times[two][0] for times in rounds):.2f} times as fast as 1")
    searches = min(times["kernel alone"][1] for times in rounds) / args.deals * chunk_size(args.rules)
    for stored, what in ((False, "survey"), (True, "survey with a store")):
        cost = min(beside_the_searches(args.rules, stored=stored) for _ in range(ROUNDS))
        print(f"a chunk of a {what}: {1e3 * cost:.2f} ms CPU beside {1e3 * searches:.1f} of searches")
    opened = median(opening(args.rules, args.deals) for _ in range(ROUNDS))
    print(f"opening its store: {1e3 * opened:.0f} ms")
    small, large = highest_memory(args.rules, args.deals // 10), highest_memory(args.rules, args.deals)
    print(f"memory: {small:.0f} MB for {args.deals // 10:,} deals, {large:.0f} MB for {args.deals:,}")


if __name__ == "__main__":
    main()
