"""How fast the kernel decides under whatever rules a table might use: classes of rules, a second for each combination.

usage: python bench/house_rules.py [--seconds 1] [--deals N] [--random 40] [--only TEXT] [--each]

The combinations are those of house-rules.txt (one field changed, two, and a Latin hypercube of all nine) and some drawn
at random with a fixed seed. Each is given the seeds from 0 on until its processor time is up, or as many as make N in
its class; the table has for each class the geometric mean and the least of deals a second on one core, and how many
deals stayed unknown at 20 million states. `--each` prints every combination, too, and `--only` takes those whose text
or class has TEXT in it.
"""

import argparse
import platform
import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import geometric_mean

from perno_solver import Build, Place, Reform, Rules, Turning, engine_info
from perno_solver.solve.engine import kernel_for

MOST = 20_000_000  # states of one search
FILE = Path(__file__).with_name("house-rules.txt")


def random_rules(chance: random.Random) -> Rules:
    """Draw rules, each field by itself and all its values alike."""
    return Rules(
        pivot_size=chance.randint(1, 30),
        reform=chance.choice(list(Reform)),
        pivot_open=chance.choice([False, True]),
        redeals=chance.choice([0, 1, 2, 3, None]),
        build=chance.choice(list(Build)),
        pack_from=frozenset(place for place in Place if chance.choice([False, True])),
        pack_limit=chance.randint(1, 13),
        fill_from=frozenset({Place.WASTE} | ({Place.TABLEAU} if chance.choice([False, True]) else set())),
        turning=chance.choice(list(Turning)),
    )


def combinations(drawn: int = 40) -> list[Rules]:
    """List the rules of the file, and some more drawn at random, always the same."""
    chance = random.Random(40)
    listed = [Rules.from_text(line) for line in FILE.read_text(encoding="utf-8").split()]
    return listed + [random_rules(chance) for _ in range(drawn)]


def class_of(rules: Rules) -> str:  # noqa: PLR0911 - a class a line
    """Name the class of some rules: what is allowed decides which lemmas hold."""
    opened = "open" if rules.pivot_open else "closed"
    if rules.turning is Turning.OBLIGED:
        return "obliged, packing" if rules.packs else "obliged, no packing"
    if not rules.packs:
        return f"no packing, pivot {opened}"
    if Place.PIVOT in rules.pack_from and Place.TABLEAU not in rules.pack_from:
        return f"pivot packs, tableau does not, {opened}"
    if rules.reform is Reform.NEVER:
        return "never re-formed, packing"
    if Place.TABLEAU in rules.pack_from:
        return "tableau packs, limit 13" if rules.pack_limit == 13 else "tableau packs, limit < 13"
    if Place.TABLEAU in rules.fill_from:
        return "waste packs, tableau fills"
    if rules.pivot_open:
        return "waste packs, open"
    return f"waste packs, {'limit 13, closed' if rules.pack_limit == 13 else 'limit < 13'}"


def by_class(rules: list[Rules]) -> dict[str, list[Rules]]:
    """Sort rules into their classes."""
    classes: dict[str, list[Rules]] = {}
    for one in rules:
        classes.setdefault(class_of(one), []).append(one)
    return dict(sorted(classes.items()))


def batches(deals: int | None) -> Iterator[int]:
    """Count off deals in growing batches, without end if no number is given."""
    done, size = 0, 1
    while deals is None or done < deals:
        size = min(2 * size, 4096) if deals is None else min(2 * size, 4096, deals - done)
        done += size
        yield size


def speed(rules: Rules, seconds: float, deals: int | None) -> tuple[float, int]:
    """Return the deals a second that the kernel decides under rules, and how many stayed unknown."""
    kernel = kernel_for(rules)
    started = time.process_time()
    first = unknown = 0
    for size in batches(deals):
        verdicts = kernel.survey(first, size, MOST)[0]
        unknown += sum(not verdicts[i // 4] >> 2 * (i % 4) & 3 for i in range(size))
        first += size
        took = time.process_time() - started
        if deals is None and took > seconds:
            break
    return (first - unknown) / took, unknown


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--deals", type=int)
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", action="store_true")
    arguments = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {engine_info()}\n")
    print("| class | n | geometric mean, deals/s | least | unknown |\n| --- | ---: | ---: | ---: | ---: |")
    slowest = []
    for name, members in by_class(combinations(arguments.random)).items():
        chosen = [one for one in members if arguments.only in name or arguments.only in str(one)]
        if not chosen:
            continue
        deals = -(-arguments.deals // len(chosen)) if arguments.deals else None
        measured = [(*speed(one, arguments.seconds, deals), str(one)) for one in chosen]
        speeds = [max(one[0], 1e-3) for one in measured]
        unknown = sum(one[1] for one in measured)
        print(
            f"| {name} | {len(chosen)} | {geometric_mean(speeds):,.0f} | {min(speeds):,.0f} | {unknown} |", flush=True
        )
        slowest += measured
    slowest.sort()
    below = sum(fast < 1_000 for fast, *_ in slowest)
    print(f"\n{len(slowest)} combinations, {below} below 1,000 deals a second; the slowest:")
    for fast, unknown, text in slowest if arguments.each else slowest[:10]:
        print(f"{fast:12,.0f}  {unknown}  {text}")


if __name__ == "__main__":
    main()
