"""How fast the kernel decides deals: as a ratio to a plain C++ solver, and to what deciding a deal costs at least.

usage: python bench/ratios.py [--rounds 3] [--only READING]

Needs a C++ compiler (`c++`). Each round lets both decide the same seeds, one after the other, on one core; the table
has medians over the rounds. The kernel's time includes the shuffle from the seed, the yardstick's only its searching.
The second table holds a million deals against `floor.cpp`: the shuffle, the tables by place, and one greedy run.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from perno_solver import READINGS, Build, Deal, Rules, engine_info
from perno_solver.solve.engine import MOST_STATES, kernel_for

DEALS = {  # that the yardstick decides in some seconds
    "perno": 4_000,
    "perno-tens": 4_000,
    "perno-obliged": 200_000,
    "eagle-wing": 8_000,
    "perno-packed": 24,
    "eagle-wing-packed": 60,
}


FLOOR = ["perno", "perno-tens", "eagle-wing", "eagle-wing-packed"]  # no redeals without end, turning free
FLOOR_DEALS = 1_000_000


def compiled(name: str, folder: str) -> Path:
    """Compile one of the C++ programs here for this very machine."""
    compiler = shutil.which("c++") or sys.exit("no C++ compiler: expected one as `c++`")
    program = Path(folder) / name
    source = Path(__file__).with_name(f"{name}.cpp")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def yardstick_speed(program: Path, name: str, decks: str) -> float:
    """Return the deals a second that the yardstick says it searched."""
    run = subprocess.run([program, name], input=decks, capture_output=True, text=True, check=True)
    found = re.search(r"([\d.]+) deals/s", run.stderr)
    assert found
    return float(found[1])


def floor_speed(program: Path, rules: Rules) -> float:
    """Return the deals a second at the floor."""
    words = [rules.pivot_size, int(rules.build is Build.UP), rules.redeals, FLOOR_DEALS]
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True)
    found = re.search(r"greedy ([\d.]+)", run.stdout)
    assert found
    return 1e9 / float(found[1])


def kernel_speed(rules: Rules, deals: int) -> float:
    """Return the deals a second that the kernel decides, over at least a fifth of a second."""
    kernel = kernel_for(rules)
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < 0.2:
        kernel.survey(0, deals, MOST_STATES)
        done += deals
    return done / (time.perf_counter() - started)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=READINGS)
    arguments = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {engine_info()}\n")
    print("| reading | deals | yardstick, deals/s | kernel, deals/s | ratio |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        program, floor = compiled("yardstick", folder), compiled("floor", folder)
        for name, deals in DEALS.items():
            if arguments.only not in {None, name}:
                continue
            decks = "".join(f"{Deal.from_seed(seed)}\n" for seed in range(deals))
            pairs = [
                (yardstick_speed(program, name, decks), kernel_speed(READINGS[name], deals))
                for _ in range(arguments.rounds)
            ]
            plain, fast = (median(speeds) for speeds in zip(*pairs, strict=True))
            ratio = median(fast / plain for plain, fast in pairs)
            print(f"| `{name}` | {deals:,} | {plain:,.0f} | {fast:,.0f} | {ratio:,.1f} × |", flush=True)
        print("\n| reading | floor, deals/s | kernel, deals/s | above the floor |\n| --- | --- | --- | --- |")
        for name in FLOOR:
            if arguments.only not in {None, name}:
                continue
            rules = READINGS[name]
            pairs = [(floor_speed(floor, rules), kernel_speed(rules, FLOOR_DEALS)) for _ in range(arguments.rounds)]
            least, fast = (median(speeds) for speeds in zip(*pairs, strict=True))
            ratio = median(least / fast for least, fast in pairs)
            print(f"| `{name}` | {least:,.0f} | {fast:,.0f} | {ratio:,.1f} × |", flush=True)


if __name__ == "__main__":
    main()
