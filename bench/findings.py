"""What surveys find: every figure of `docs/findings.md`, its tables and its plots, from one store.

    python bench/findings.py --store findings.sqlite --out docs
    python bench/findings.py --store findings.sqlite --out docs --deals 1000000 --other-deals 100000

Surveys what the store lacks, so that it may be ended at any time and begun again; then writes `findings.md` into
the directory, and the plots beside it.
"""

import argparse
import time
from functools import partial
from pathlib import Path

from rich.progress import track

from perno_solver import READINGS, Rules, __version__
from perno_solver.cli.figures import interval
from perno_solver.cli.figures import percent as share
from perno_solver.solve.engine import engine_info
from perno_solver.survey import compare, survey
from perno_solver.survey.chunks import MOST_STATES, chunk_size, signature
from perno_solver.survey.figures import Totals, one_of_three, quantile
from perno_solver.survey.plots import save
from perno_solver.survey.store import Store

REDEALS = [Rules.from_text(f"redeals={redeals}") for redeals in (0, 1, 2, 3, "unlimited")]

OPEN_POINTS = {
    "Re-forming the pivot": ("perno", ["reform=exactly-ten", "reform=never"]),
    "Which pivot card is playable": ("perno", ["pivot-open=yes"]),
    "Redeals": ("perno", ["redeals=1", "redeals=3", "redeals=unlimited"]),
    "Direction of the foundations": ("perno", ["build=up"]),
    "Turning": ("perno", ["turning=obliged"]),
    "Size of the pivot": ("perno", ["pivot-size=9", "pivot-size=11", "pivot-size=13"]),
    "Packing": ("perno", ["pack-from=waste", "pack-from=waste+pivot+tableau"]),
    "Most cards in a cell": ("perno-packed", ["pack-limit=3"]),
    "Who fills an empty cell": ("perno-packed", ["fill-from=waste+tableau"]),
}
"""The points that the source leaves open: a reading, and what else it may be read to say, one change at a time.

The last two need cells of several cards, so they are changed where packing is on.
"""

FEWER = {"eagle-wing-packed": 3_000_000}
"""Readings that take longer than others, and the deals that minutes allow."""

MARK = "<!-- What follows is written by bench/findings.py; what stands above is kept. -->"

RATES = """Win rates are shares of the deals of consecutive seeds, with 95 % Wilson intervals in which
unknown deals count as lost below and as won above. [Surveys](surveys.md) has the formulas. Moves and passes are those
of the winning lines that the searches found, which look for none in particular."""

DIFFERENCES = """Each is read otherwise than in a named reading, on the same deals; the differences have the
intervals of paired proportions."""


def percent(value: float, digits: int = 3) -> str:
    return share(value, 5 if 0 < value < 0.001 else digits)


def between(low: float, high: float) -> str:
    return interval(low, high, 5 if 0 < high < 0.001 else 3)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def surveyed(store: Store, rules: Rules, seeds: range, jobs: int | None) -> Totals:
    """Add up a survey, doing what the store lacks."""
    chunks = survey(rules, seeds, jobs=jobs, store=store)
    number = -(-(seeds.stop - seeds.start) // chunk_size(rules))
    totals = Totals()
    for chunk in track(chunks, f"{rules}", total=number, transient=True):
        totals += Totals.of(chunk)
    return totals


def deals_of(rules: Rules, deals: int) -> range:
    """Return the seeds of so many deals, of fewer for the readings that take long."""
    fewer = {Rules.from_text(text): most for text, most in FEWER.items()}
    return range(min(deals, fewer.get(rules, deals)))


def command(rules: Rules, deals: int) -> str:
    return f"`perno survey --rules {rules} --seeds 0:{deals}`"


def rates(surveys: dict[Rules, Totals]) -> str:
    """Write win rates, with what reproduces each."""
    head = ["rules", "deals", "seeds", "won", "unknown", "win rate", "95 %", "one of three", "command"]
    rows = []
    for rules, totals in surveys.items():
        low, high = totals.interval
        numbers = [f"{totals.deals:,}", f"0:{totals.deals}", f"{totals.won:,}", f"{totals.unknown:,}"]
        three = f"{percent(one_of_three(totals.rate))} ({between(one_of_three(low), one_of_three(high))})"
        figures = [percent(totals.rate), between(low, high), three]
        rows.append([str(rules), *numbers, *figures, command(rules, totals.deals)])
    return table(head, rows)


def work(surveys: dict[Rules, Totals]) -> str:
    """Write what the searches and the lines that they found were like."""
    head = ["rules", "decided before any state is stored", "at most, for 99 % of the deals", "most"]
    head += ["moves won: middle", "middle 95 %", "passes won"]
    rows = []
    for rules, totals in surveys.items():
        states = totals.states
        at_once = percent(states[0] / totals.deals, 1)
        sizes = [f"{(1 << bits) - 1:,}" for bits in (quantile(states, 0.99), len(states) - 1)]
        moves = ["–", "–"]
        if totals.won:
            low, middle, high = (quantile(totals.moves, share) for share in (0.025, 0.5, 0.975))
            moves = [str(middle), f"{low} – {high}"]
        passes = [f"{value}: {percent(n / totals.won, 1)}" for value, n in enumerate(totals.passes) if n]
        rows.append([str(rules), at_once, *sizes, *moves, ", ".join(passes) or "–"])
    return table(head, rows)


def sensitivity(store: Store, deals: int, jobs: int | None) -> str:
    """Write how much each open point matters: paired differences on the same deals."""
    head = ["open point", "reading", "read instead as", "deals", "win rate", "95 %", "difference", "95 %"]
    head += ["won only as it was", "won only instead", "command"]
    rows = []
    for point, (name, changes) in OPEN_POINTS.items():
        base = READINGS[name]
        for change in changes:
            rules = Rules.from_text(f"{name},{change}")
            seeds = deals_of(rules, deals)
            both = [rules, base]
            totals, _ = (surveyed(store, each, seeds, jobs) for each in both)
            pair = compare(both, seeds, run=partial(survey, jobs=jobs, store=store)).pair(*both)
            figures = [f"{seeds.stop:,}", percent(totals.rate), between(*totals.interval), percent(pair.difference)]
            figures += [between(*pair.interval), f"{pair.second_only:,}", f"{pair.first_only:,}"]
            again = f"`perno compare --rules {rules} --rules {base} --seeds 0:{seeds.stop}`"
            rows.append([point, name, f"`{change}`", *figures, again])
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Survey, and write findings.md and its plots.")
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="directory to write into")
    parser.add_argument("--deals", type=int, default=10_000_000, help="for each named reading, and number of redeals")
    parser.add_argument("--other-deals", type=int, default=10_000_000, help="for each other reading of an open point")
    parser.add_argument("--jobs", type=int)
    args = parser.parse_args()
    started = time.strftime("%Y-%m-%d")
    with Store(args.store) as store:
        named = {rules: surveyed(store, rules, deals_of(rules, args.deals), args.jobs) for rules in READINGS.values()}
        redeals = {rules: surveyed(store, rules, deals_of(rules, args.deals), args.jobs) for rules in REDEALS}
        points = sensitivity(store, args.other_deals, args.jobs)
    save(args.out / "findings-readings.svg", named)
    save(args.out / "findings-redeals.svg", redeals)
    again = f"python bench/findings.py --store {args.store.name} --out {args.out.name} --deals {args.deals}"
    again += f" --other-deals {args.other_deals}"
    origin = f"Made on {started} by `{again}`, with perno_solver {__version__}, {engine_info()}, searches of the"
    origin += f" signature `{signature()}`. A deal is unknown after {MOST_STATES:,} states."
    parts = [
        origin,
        RATES,
        "## The named readings",
        rates(named),
        "![Win rates, states and moves of the named readings](findings-readings.svg)",
        work(named),
        "## Redeals",
        rates(redeals),
        "![Win rates, states and moves by redeals](findings-redeals.svg)",
        work(redeals),
        "## The points that the source leaves open",
        DIFFERENCES,
        points,
    ]
    file = args.out / "findings.md"
    above = file.read_text(encoding="utf-8").partition(MARK)[0] if file.exists() else "# Findings\n\n"
    file.write_text(above + "\n\n".join([MARK, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
