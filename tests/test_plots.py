"""Figures are drawn: what is in them, and always the same."""

import sys
from functools import cache
from importlib import import_module
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from perno_solver import PERNO, READINGS, PernoError, Rules
from perno_solver.survey.chunks import decide
from perno_solver.survey.figures import Totals

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure
from matplotlib.text import Text

from perno_solver.survey import plots

SURVEYS = {rules: Totals.of(decide(rules, range(60))) for rules in (PERNO, READINGS["eagle-wing"])}


def test_every_reading_is_in_every_part() -> None:
    figure = plots.draw(SURVEYS)
    rates, states, moves = figure.axes
    assert [label.get_text() for label in rates.get_yticklabels()] == ["perno", "eagle-wing"]
    for axes in (states, moves):
        assert [line.get_label() for line in axes.get_lines()] == ["perno", "eagle-wing"]
    assert states.get_xscale() == states.get_yscale() == "log"


def test_intervals_are_drawn() -> None:
    rates = plots.draw(SURVEYS).axes[0]
    for container, totals in zip(rates.containers, SURVEYS.values(), strict=True):
        ((start, end),) = container[2][0].get_segments()
        assert (start[0], end[0]) == pytest.approx(totals.interval)


def test_the_shares_of_states_begin_with_all_that_were_searched() -> None:
    totals = Totals(1, 9, 0, (5, 3, 1, 1), (0, 0, 1), (0, 1))
    line = plots.draw({PERNO: totals}).axes[1].get_lines()[0]
    assert [list(values) for values in line.get_data()] == [[1, 2, 4], [0.5, 0.2, 0.1]]


LOST = Totals(0, 30, 0, (30,))
WON = Totals(30, 0, 0, (0, 10, 10, 10), (*[0] * 60, 10, *[0] * 30, 20), (0, 30))
LONG = Rules.from_text(
    "perno,pivot-size=17,reform=exactly-ten,pivot-open=yes,redeals=1000000,build=up,pack-from=waste+tableau,"
    "pack-limit=7,fill-from=waste+tableau,turning=obliged"
)
CASES = {
    "one": {PERNO: SURVEYS[PERNO]},
    "seven": dict.fromkeys([*READINGS.values(), Rules.from_text("eagle-wing,redeals=unlimited")], SURVEYS[PERNO]),
    "twenty": {Rules(redeals=number): SURVEYS[PERNO] for number in range(20)},
    "long names": {LONG: WON, READINGS["eagle-wing-packed"]: SURVEYS[PERNO], PERNO: LOST},
    "all won": {PERNO: WON, LONG: WON},
    "none won": {PERNO: LOST, LONG: LOST},
    "one deal won": {PERNO: Totals(1, 0, 0, (0, 1), (*[0] * 60, 1), (0, 1))},
    "one deal lost": {PERNO: Totals(0, 1, 0, (1,))},
    "lines of all lengths": {PERNO: Totals(2, 0, 0, (2,), (*[0] * 52, 1, *[0] * 3000, 1), (2,))},
}


@cache
def drawn(case: str) -> Figure:
    return plots.draw(CASES[case])


@pytest.mark.parametrize("case", CASES)
def test_whatever_is_drawn_can_be_read(case: str) -> None:
    figure = drawn(case)
    figure.draw_without_rendering()
    width, height = figure.bbox.width, figure.bbox.height
    rates, states, moves = figure.axes
    assert rates.bbox.width > 0.55 * width
    for axes in (states, moves):
        assert axes.bbox.width > 0.28 * width
        assert axes.bbox.height > 2.2 * figure.dpi  # inches
    for text in figure.findobj(lambda part: isinstance(part, Text) and part.get_text() and not _is_tick(part)):
        box = text.get_window_extent()
        assert box.x0 > -1, text
        assert box.y0 > -1, text
        assert box.x1 < width + 1, text
        assert box.y1 < height + 1, text
    names = [label.get_window_extent() for label in rates.get_yticklabels()]
    assert not any(one.overlaps(other) for one, other in pairwise(names))
    legend = [text.get_window_extent() for text in figure.legends[0].get_texts()]
    assert len(legend) == len(CASES[case])
    assert not any(one.overlaps(other) for one, other in combinations(legend, 2))
    assert max(box.y1 for box in legend) < states.xaxis.label.get_window_extent().y0


def _is_tick(text: Text) -> bool:
    """Whether a text is that of a tick, of which matplotlib keeps some beyond the axes that it does not draw."""
    return any(
        text in axis.get_ticklabels(which="both") for axes in text.figure.axes for axis in (axes.xaxis, axes.yaxis)
    )


@pytest.mark.parametrize("case", CASES)
def test_the_shares_of_lengths_are_those_of_all_but_the_rarest(case: str) -> None:
    moves = drawn(case).axes[2]
    won = [totals for totals in CASES[case].values() if totals.won]
    assert len(moves.get_lines()) == len(won)
    for line in moves.get_lines():
        lengths, shares = line.get_data()
        assert 0.99 < sum(shares) < 1.001
        assert len(lengths) <= 43
        assert shares[0] == shares[-1] == 0
    assert ("no deal was won" in [text.get_text() for text in moves.texts]) is (not won)


def test_nothing_won_is_drawn_too(tmp_path: Path) -> None:
    lost = Totals(0, 30, 0, (30,))
    plots.save(tmp_path / "lost.png", {Rules(redeals=0): lost})
    assert (tmp_path / "lost.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_survey_gives_the_same_file(tmp_path: Path) -> None:
    for kind in ("svg", "png", "pdf"):
        one, two = tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"
        for path in (one, two):
            plots.save(path, SURVEYS)
        assert one.read_bytes() == two.read_bytes()
    assert "Deals that can be won" in (tmp_path / "one.svg").read_text()


def test_other_kinds_of_file_are_refused() -> None:
    with pytest.raises(PernoError, match=r"a\.gif: expected a name that ends in \.png, \.svg or \.pdf"):
        plots.save(Path("a.gif"), SURVEYS)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "perno_solver.survey.plots")
    with pytest.raises(ImportError, match=r"pip install 'perno_solver\[plot\]'"):
        import_module("perno_solver.survey.plots")
