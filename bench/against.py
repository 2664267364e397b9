"""How fast this version's kernel decides deals, as a ratio to that of another version, installed for another Python.

usage: python bench/against.py OTHER_PYTHON [--rounds 9] [--only READING]

Both decide the same deals, in processes that alternate, so that what else the machine does meets both; each process
takes the best of a few runs, as what disturbs a run only slows it. The ratio is the median over the rounds.
"""

import argparse
import subprocess
import sys
from statistics import median

from perno_solver import READINGS

DEALS = {
    "perno": 20_000,
    "perno-tens": 20_000,
    "perno-obliged": 50_000,
    "perno-packed": 12_000,
    "eagle-wing": 150_000,
    "eagle-wing-packed": 3_000,
}
RUNS = 3

CHILD = f"""
import sys, time
from perno_solver import READINGS
try:
    from perno_solver.solve.engine import kernel_for
except ImportError:  # version 0.1
    from perno_solver.engine import kernel_for
kernel = kernel_for(READINGS[sys.argv[1]])
deals, best = int(sys.argv[2]), float("inf")
for _ in range({RUNS}):
    begun = time.process_time()
    kernel.survey(0, deals, 1 << 20)
    best = min(best, time.process_time() - begun)
print(deals / best)
"""


def speed(python: str, name: str) -> float:
    """Return the deals a second of processor time that another process decides."""
    command = [python, "-c", CHILD, name, str(DEALS[name])]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Compare the readings that the options name, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", metavar="OTHER_PYTHON")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=READINGS)
    arguments = parser.parse_args()
    other = arguments.other
    print("| reading | other, deals/s | this, deals/s | ratio, median | least, most |\n| --- | --- | --- | --- | --- |")
    for name in [arguments.only] if arguments.only else READINGS:
        pairs = []
        for i in range(arguments.rounds):
            order = (other, sys.executable) if i % 2 else (sys.executable, other)
            found = {python: speed(python, name) for python in order}
            pairs.append((found[other], found[sys.executable]))
        ratios = [mine / theirs for theirs, mine in pairs]
        theirs, mine = (median(column) for column in zip(*pairs, strict=True))
        print(
            f"| `{name}` | {theirs:,.0f} | {mine:,.0f} | {median(ratios):.3f} | {min(ratios):.3f}, {max(ratios):.3f} |"
        )


if __name__ == "__main__":
    main()
