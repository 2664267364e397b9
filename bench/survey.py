"""What a survey costs beside the kernel's own work: time, workers and memory.

    python bench/survey.py [--deals 1000000] [--rules perno]

Prints a table; run it on a machine that does nothing else. Each memory figure is a new process's highest.
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

from perno_solver import Rules, __version__
from perno_solver.solve.engine import engine_info, kernel_for
from perno_solver.survey import survey
from perno_solver.survey.chunks import MOST_STATES, pieces
from perno_solver.survey.figures import Totals
from perno_solver.survey.store import Store

ROUNDS = 3  # of which the quickest counts


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
    times = {
        "kernel alone": min(kernel_alone(args.rules, args.deals) for _ in range(ROUNDS)),
        "survey, 1 worker": min(whole_survey(args.rules, args.deals, 1, stored=False) for _ in range(ROUNDS)),
        "survey, 1 worker, store": min(whole_survey(args.rules, args.deals, 1, stored=True) for _ in range(ROUNDS)),
        "survey, 2 workers, store": min(whole_survey(args.rules, args.deals, 2, stored=True) for _ in range(ROUNDS)),
    }
    for name, (wall, cpu) in times.items():
        print(f"{name:32}{wall:8.2f}{cpu:8.2f}")
    alone, one, two = (times[name] for name in ("kernel alone", "survey, 1 worker, store", "survey, 2 workers, store"))
    wall, cpu = (100 * (mine / its - 1) for mine, its in zip(one, alone, strict=True))
    print(f"\noverhead with the store: {wall:.1f} % wall, {cpu:.1f} % CPU")
    print(f"2 workers: {one[0] / two[0]:.2f} times as fast as 1")
    small, large = highest_memory(args.rules, args.deals // 10), highest_memory(args.rules, args.deals)
    print(f"memory: {small:.0f} MB for {args.deals // 10:,} deals, {large:.0f} MB for {args.deals:,}")


if __name__ == "__main__":
    main()
