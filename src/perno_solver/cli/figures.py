"""How the surveys' commands write figures."""

from collections.abc import Iterable

from perno_solver.cli.shared import columns, count, padded
from perno_solver.game.rules import Rules
from perno_solver.solve.players import PlayerName
from perno_solver.survey.chunks import MOST_STATES
from perno_solver.survey.figures import Totals, one_of_three, quantile


def percent(value: float, digits: int = 3) -> str:
    """Write a share."""
    return f"{100 * value:.{digits}f} %"


def interval(low: float, high: float, digits: int = 3) -> str:
    """Write an interval of shares."""
    return f"{100 * low:.{digits}f} – {100 * high:.{digits}f} %"


def rate(totals: Totals) -> str:
    """Write the win rate with its interval."""
    return f"{percent(totals.rate)} won ({interval(*totals.interval)})"


def spelled(ranges: Iterable[range]) -> str:
    """Write ranges of seeds as `--seeds` reads them."""
    return ",".join(f"{seeds.start}:{seeds.stop}" for seeds in ranges)


def summary(totals: Totals, player: PlayerName | None = None) -> str:
    """Write the figures of one survey, a line each."""
    low, high = totals.interval
    three = f"{percent(one_of_three(totals.rate))} ({interval(one_of_three(low), one_of_three(high))})"
    lines = [
        f"won          {totals.won:,} of {count(totals.deals, 'deal')}, {rate(totals)}",
        f"of three     one or more is won with a chance of {three}",
    ]
    if totals.unknown:
        lines.append(f"unknown      {totals.unknown:,}, given up after {MOST_STATES:,} states")
    if player is None:
        half, most = ((1 << quantile(totals.states, share)) - 1 for share in (0.5, 0.99))
        lines.append(f"states       at most {half:,} stored for half of the deals, {most:,} for 99 %")
    if totals.won:
        middle, low_moves, high_moves = (quantile(totals.moves, share) for share in (0.5, 0.025, 0.975))
        lines.append(f"moves won    {middle} in the middle, {low_moves} to {high_moves} for 95 %")
        passes = [f"{number:,} in {value}" for value, number in enumerate(totals.passes) if number]
        lines.append(f"passes won   {', '.join(passes)}")
    return "\n".join(lines)


def values(rules: Rules, player: PlayerName | None, ranges: Iterable[range], totals: Totals) -> dict[str, object]:
    """List the figures of one survey by their names in JSON and CSV, the histograms last."""
    low, high = totals.interval
    return {
        "rules": str(rules),
        "player": None if player is None else player.value,
        "seeds": spelled(ranges),
        "won": totals.won,
        "lost": totals.lost,
        "unknown": totals.unknown,
        "rate": totals.rate,
        "low": low,
        "high": high,
        "one_of_three": one_of_three(totals.rate),
        **{name: list(getattr(totals, name)) for name in HISTOGRAMS},
    }


HISTOGRAMS = ("states", "moves", "passes")


def table(rows: list[list[str]]) -> str:
    """Align columns, the first to the left, the others to the right; where that is too wide, give each row a block."""
    first, *others = [[row[column] for row in rows] for column in range(len(rows[0]))]
    widths = [max(map(len, column)) for column in others]
    right = [[text.rjust(width) for text in column] for column, width in zip(others, widths, strict=True)]
    lines = ["  ".join(row) for row in zip(padded(first), *right, strict=True)]
    if max(map(len, lines)) <= columns():
        return "\n".join(lines)
    names = padded(rows[0])
    blocks = [[f"{name}  {value}" for name, value in zip(names, row, strict=True)] for row in rows[1:]]
    return "\n\n".join(map("\n".join, blocks))
