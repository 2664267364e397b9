"""Figures of what surveys say; they need matplotlib: `pip install 'perno_solver[plot]'`."""

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from perno_solver.errors import PernoError
from perno_solver.files import replaced
from perno_solver.game.rules import Rules
from perno_solver.survey.figures import Totals, quantile

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter
except ImportError as error:
    msg = "perno_solver.survey.plots needs matplotlib: pip install 'perno_solver[plot]'"
    raise ImportError(msg) from error

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that colour-blind eyes tell apart (M. Okabe, K. Ito, Color universal design, 2008), best to tell first."""

_LABEL_WIDTH = 28  # characters
_LEGEND_COLUMNS = 3
_MOST_BINS = 40

_STYLES = ("-", "--", ":", "-.")

_KINDS: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Kinds of file that figures are written to, and what is left out of each: the time, so that files can be compared."""

LOOK: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "legend.frameon": False,
    "font.size": 9,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "perno_solver",  # and the same figures give the same file
}


def draw_rates(axes: Axes, surveys: Mapping[Rules, Totals]) -> None:
    """Draw win rates as points with their 95 % intervals, a row a reading."""
    heights = [_height(rules) for rules in surveys]
    rows = [below - height / 2 for below, height in zip(accumulate(heights), heights, strict=True)]
    for index, (row, totals) in enumerate(zip(rows, surveys.values(), strict=True)):
        (low, high), colour = totals.interval, COLOURS[index % len(COLOURS)]
        reach = [[totals.rate - low], [high - totals.rate]]
        axes.errorbar(totals.rate, row, xerr=reach, fmt="o", color=colour, capsize=4, markersize=5, clip_on=False)
        text = f"{100 * totals.rate:.2f} %"
        axes.annotate(text, (high, row), xytext=(8, 0), textcoords="offset points", va="center", color="#333333")
    axes.set_yticks(rows, [_label(rules) for rules in surveys])
    axes.set_ylim(sum(heights), 0)
    axes.set_xlim(0, 1.12 * max(totals.interval[1] for totals in surveys.values()))
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(FuncFormatter(_percent))
    axes.set(title="Deals that can be won", xlabel="share of all deals, with its 95 % interval")


def draw_states(axes: Axes, surveys: Mapping[Rules, Totals]) -> None:
    """Draw how many states searches stored: the share of deals that took that many or more, on log axes."""
    for index, (rules, totals) in enumerate(surveys.items()):
        left = totals.deals
        shares = []
        for number in totals.states:
            shares.append(left / totals.deals)
            left -= number
        sizes = [2.0 ** (bits - 1) for bits in range(1, len(shares))]
        axes.plot(sizes, shares[1:], label=_label(rules), **_line(index), marker=".", markersize=4)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.8, 2.0 ** max(len(totals.states) for totals in surveys.values()))
    axes.set_ylim(min(0.07, 0.7 / max(totals.deals for totals in surveys.values())), 1.4)
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set(title="Work to decide a deal", xlabel="states stored", ylabel="deals that took as many or more")


def draw_moves(axes: Axes, surveys: Mapping[Rules, Totals]) -> None:
    """Draw the distribution of the moves in the winning lines that were found, in steps where it is wide."""
    title = "Length of the winning lines found"
    found = [totals.moves for totals in surveys.values() if totals.won]
    if not found:
        axes.set(title=title, xticks=[], yticks=[])
        axes.text(0.5, 0.5, "no deal was won", transform=axes.transAxes, ha="center", va="center", color="#333333")
        return
    # All but the rarest lengths.
    fewest, most = min(quantile(moves, 0.001) for moves in found), max(quantile(moves, 0.999) for moves in found)
    width = -(-(most - fewest + 1) // _MOST_BINS)
    for index, (rules, totals) in enumerate(surveys.items()):
        if totals.won:
            lengths = range(fewest - width, most + 2 * width, width)
            shares = [sum(totals.moves[max(0, first) : first + width]) / totals.won for first in lengths]
            centres = [first + (width - 1) / 2 for first in lengths]
            axes.plot(centres, shares, label=_label(rules), **_line(index))
    axes.set_xlim(fewest - width, most + width)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(_percent))
    axes.set(
        title=title,
        xlabel="moves, turns of a card included",
        ylabel="won deals" + f", in steps of {width} moves" * (width > 1),
    )


def draw(surveys: Mapping[Rules, Totals]) -> Figure:
    """Draw surveys: win rates, states and moves, in one figure.

    Args:
        surveys: the totals of each reading, each with a deal or more; more than seven share colours.
    """
    rates = 0.7 + sum(map(_height, surveys))
    legend = max(map(_height, surveys)) * -(-len(surveys) // _LEGEND_COLUMNS)
    with rc_context(LOOK):
        figure = Figure(figsize=(10, rates + 3.9 + legend), layout="constrained", dpi=150)
        grid = figure.add_gridspec(2, 2, height_ratios=(rates, 3.4))
        draw_rates(figure.add_subplot(grid[0, :]), surveys)
        draw_states(figure.add_subplot(grid[1, 0]), surveys)
        right = figure.add_subplot(grid[1, 1])
        draw_moves(right, surveys)
        figure.legend(*figure.axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=_LEGEND_COLUMNS)
    return figure


def save(path: Path, surveys: Mapping[Rules, Totals]) -> None:
    """Draw surveys into a file, which is written whole or not at all.

    Args:
        path: its name ends in .png, .svg or .pdf.
        surveys: as for `draw`.

    Raises:
        PernoError: the name does not end so.
        OSError: the file cannot be written.
    """
    if path.suffix not in _KINDS:
        msg = f"{path}: expected a name that ends in .png, .svg or .pdf"
        raise PernoError(msg)
    with rc_context(LOOK), replaced(path) as file:
        draw(surveys).savefig(file, format=path.suffix[1:], metadata=_KINDS[path.suffix])


def _label(rules: Rules) -> str:
    """Write rules in lines that leave room for what they are the label of."""
    lines: list[str] = []
    for part in str(rules).split(","):
        if lines and len(lines[-1]) + len(part) < _LABEL_WIDTH:
            lines[-1] += f",{part}"
        else:
            lines = [*(f"{line.rstrip(',')}," for line in lines), part]
    return "\n".join(lines)


def _height(rules: Rules) -> float:
    """Return the inches that a label takes, one below another."""
    return 0.17 + 0.15 * len(_label(rules).splitlines())


def _line(index: int) -> dict[str, Any]:
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": _STYLES[index % len(_STYLES)]}


def _percent(share: float, _position: int | None = None) -> str:
    return f"{100 * share:g} %"
