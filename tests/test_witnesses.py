"""What the kernel must look at, and must not: games that are decided wrongly where one of its branches is left out."""

import pytest
import witnesses

from perno_solver.kernel import LEMMAS


def test_every_witness_has_its_verdict():
    assert len(witnesses.rows()) > 100
    for row in witnesses.rows():
        assert witnesses.outcome(row)[0] == row.verdict, row


def test_lines_of_witnesses_win():
    won = [row for row in witnesses.rows() if row.verdict == "won"]
    assert len(won) > 50
    for row in won:
        assert witnesses.line_wins(row), row


def test_every_witness_has_its_fewest_moves():
    said = {row.fewest for row in witnesses.rows()}
    assert {"lost", "states"} < said
    for row in witnesses.rows():
        assert witnesses.shortest(row.game, row.rules)[0] == row.fewest, row
        assert witnesses.shortest_line_wins(row), row
        assert (row.fewest == "lost") <= (row.verdict == "lost") <= (row.fewest in {"lost", "states"}), row


@pytest.mark.parametrize("name", LEMMAS)
def test_each_switch_turns_its_lemma_off(name):
    def stored(row):
        kernel, verdict = witnesses.searched(row.game, row.rules, 500, row.lemmas & ~LEMMAS[name])
        assert verdict in {row.verdict, "states"}, row
        return kernel.counts()[0]

    assert any(stored(row) != row.states for row in witnesses.rows())
