"""The fewest moves of won deals: how long the search for them takes beside the breadth-first walk, and what they are.

    python bench/shortest.py
    python bench/shortest.py --deals 10000 --walks 0 --plot docs/shortest-moves.svg

Takes the first won deals of each named reading, by their seeds. Times are of the search alone, given a line that wins,
in processor time; an unfinished one has stopped after `--seconds` or at `--bytes`. The walk runs on the first `--walks`
of the same deals, and stops after `--walk-seconds`, or at the same memory. Prints a row a reading, twice: what the
searches took, and the fewest moves; `--plot` draws how these are spread.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean

from matplotlib import rc_context
from matplotlib.figure import Figure

from perno_solver import READINGS, Codec, Deal, Rules, State
from perno_solver.kernel import Kernel
from perno_solver.solve.engine import BYTES_A_STATE, BYTES_A_WAITING_STATE, begin, kernel_for
from perno_solver.survey.plots import COLOURS, LOOK


def won(kernel: Kernel, deals: int) -> Iterator[tuple[int, int]]:
    """Find the first seeds of won deals, with the moves of the line that is found first."""
    seed, found = 0, 0
    while found < deals:
        for place, (verdict, _base, _states, moves, _passes) in enumerate(kernel.each(seed, 1000, 1 << 32)):
            if verdict == 1 and found < deals:
                yield seed + place, moves
                found += 1
        seed += 1000


def timed(kernel: Kernel, search: Callable[[], str], seconds: float) -> tuple[str, float, int]:
    """Run a search that stops after some seconds; return what it came to, its processor time and its states."""
    started = time.process_time()
    kernel.watch(lambda *_: time.process_time() - started > seconds)
    outcome = search()
    return outcome, time.process_time() - started, kernel.counts()[0]


def spread(values: list[float]) -> str:
    """Write the median and the largest of some values."""
    if not values:
        return "– | –"
    return " | ".join(
        f"{value:,.2f}" if value < 10 else f"{value:,.0f}" for value in (quantile(values, 0.5), max(values))
    )


def quantile(values: list[float], share: float) -> float:
    """Return the value below which that share of some lies."""
    return sorted(values)[round(share * (len(values) - 1))]


def draw(fewest: dict[str, list[int]], file: Path) -> None:
    """Draw how the fewest moves of some readings are spread, one above the other."""
    with rc_context(LOOK):
        figure = Figure(figsize=(7, 1 + 0.9 * len(fewest)), layout="constrained", dpi=150)
        rows = figure.subplots(len(fewest), sharex=True, squeeze=False)[:, 0]
        for axes, (name, moves) in zip(rows, fewest.items(), strict=True):
            counts = Counter(moves)
            at = range(min(moves), max(moves) + 1)
            axes.fill_between(at, [counts[one] / len(moves) for one in at], step="mid", color=COLOURS[0], linewidth=0)
            axes.axvline(quantile(moves, 0.5), color="#333333", linewidth=1.5)
            axes.set_title(f"{name}: {quantile(moves, 0.5):.0f} in the middle", color="#333333")
            axes.set_yticks([])
            axes.spines["left"].set_visible(False)
        rows[-1].set_xlabel("fewest moves of a won deal, turns and redeals included")
        figure.savefig(file, metadata={"Date": None})


def measure(name: str, rules: Rules, options: argparse.Namespace) -> tuple[str, str, list[int]]:
    """Search the deals of a reading; return its two rows, and the fewest moves of each."""
    kernel, finder = kernel_for(rules), kernel_for(rules)
    fewest, longer, times, states, walk_times, walk_states = ([] for _ in range(6))
    gaps, unwalked = [], 0
    for number, (seed, moves) in enumerate(won(finder, options.deals)):
        deal = Deal.from_seed(seed)
        begin(kernel, State.start(deal, rules), Codec.of(deal, rules))
        most = options.bytes // BYTES_A_WAITING_STATE
        outcome, took, stored = timed(
            kernel, lambda moves=moves, most=most: kernel.fewest_moves(moves, most), options.seconds
        )
        least, best = kernel.gap()
        times.append(1000 * took)
        states.append(stored)
        if outcome in {"won", "lost"}:
            fewest.append(best)
            longer.append(moves - best)
        else:
            gaps.append(best - least)
        if number < options.walks:
            begin(kernel, State.start(deal, rules), Codec.of(deal, rules))
            most = options.bytes // BYTES_A_STATE
            walk = lambda most=most: kernel.breadth_first(first_only=True, cites=False, most=most)  # noqa: E731
            walked, took, stored = timed(kernel, walk, options.walk_seconds)
            if walked == "won":
                assert outcome not in {"won", "lost"} or len(kernel.walked_line()) == best, (name, seed)
                walk_times.append(1000 * took)
                walk_states.append(stored)
            else:
                unwalked += 1
    head = [f"`{name}`", f"{len(times):,}"]
    left = f"{len(gaps)}, gaps {sorted(gaps)}" if gaps else "0"
    work = [
        *head,
        spread(times),
        spread(states),
        left,
        f"{len(walk_times)}",
        spread(walk_times),
        spread(walk_states),
        f"{unwalked}",
    ]
    found = [f"{quantile(fewest, share):.0f}" for share in (0, 0.025, 0.25, 0.5, 0.75, 0.975, 1)] if fewest else []
    lengths = [*head, f"{mean(fewest):.1f}", *found, f"{mean(longer):.1f}", f"{max(longer)}"] if fewest else head
    return f"| {' | '.join(work)} |", f"| {' | '.join(lengths)} |", fewest


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--walks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--walk-seconds", type=float, default=60)
    parser.add_argument("--bytes", type=int, default=2_000_000_000)
    parser.add_argument("--only", help="a named reading")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    print("| reading | won deals | ms: median | most | states: median | most | unfinished", end="")
    print(" | walks | ms: median | most | states: median | most | unfinished |")
    print(f"| --- |{' ---: |' * 12}", flush=True)
    rows, fewest = [], {}
    for name, rules in READINGS.items():
        if options.only in {None, name}:
            work, lengths, fewest[name] = measure(name, rules, options)
            rows.append(lengths)
            print(work, flush=True)
    print("\n| reading | won deals | fewest moves: mean | least | 2.5 % | 25 % | median | 75 % | 97.5 % | most", end="")
    print(" | fewer than in the line found first: mean | most |")
    print(f"| --- |{' ---: |' * 11}")
    print("\n".join(rows))
    if options.plot:
        draw(fewest, options.plot)


if __name__ == "__main__":
    main()
