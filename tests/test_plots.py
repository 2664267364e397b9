"""Figures are drawn: what is in them, and always the same."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from perno_solver import PERNO, READINGS, PernoError, Rules
from perno_solver.survey.chunks import decide
from perno_solver.survey.figures import Totals

pytest.importorskip("matplotlib")

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
