"""The table as it is drawn, and moves as they are told."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

from perno_solver import (
    PERNO,
    READINGS,
    REDEAL,
    TURN,
    Deal,
    IllegalMove,
    InvalidState,
    Move,
    MoveKind,
    Rules,
    State,
    Suit,
    Table,
    parse_line,
    solve,
)
from perno_solver.cli.shared import coloured
from perno_solver.show.words import followed, in_words

MIDGAME = """\
rules: eagle-wing-packed
base: 4
foundations: 5H 5S 6D
tableau: 8D/7D JH/TH JD KH/QH TC/9C/8C 3H/2H JS/TS/9S 8H
pivot: 4C 5C AH 2S 3S AS KC QC JC
stock: QD KD AD 2D 9D
waste: 2C 3C 7C AC 6C TD 7S 6S QS 3D KS 9H 7H 6H 8S
redeals: 2
"""


def position(**changes: str) -> State:
    """Read a position of few cards: the others are on the foundations, which are built down from the king."""
    lines = {
        "rules": "perno",
        "base": "K",
        "foundations": "AC AD AH AS",
        "tableau": "",
        "pivot": "",
        "stock": "",
        "waste": "",
        "redeals": "2",
    }
    return State.from_text("".join(f"{name}: {text}\n" for name, text in (lines | changes).items()))


def walk(rules: Rules, seed: int) -> Iterator[tuple[Table, Move, Table]]:
    """Play a deal to its end, or for a while, by a rule of thumb that tries every kind of move."""
    table = Table.of(Deal.from_seed(seed), rules)
    for number in range(150):
        moves = table.state.legal_moves()
        if not moves:
            return
        move = moves[number * 5 % len(moves)]
        after = table.play(move)
        yield table, move, after
        table = after


def test_a_deal_lies_as_it_is_dealt() -> None:
    assert str(Table.of(Deal.from_seed(42))) == (
        "   Q♦   T♠   J♦   7♠   [10]     8♥   9♠   7♣   Q♣\n"
        "\n"
        "   foundations from 5    5♠      --   --   --\n"
        "\n"
        "   stock [33]   waste --   redeals left 2"
    )


def test_packed_piles_hang_down_from_their_cells() -> None:
    assert str(Table.of(State.from_text(MIDGAME))) == (
        "   T♣   8♦   J♦   3♥   [9]      8♥   J♥   K♥   J♠\n"
        "   9♣   7♦        2♥                 T♥   Q♥   T♠\n"
        "   8♣                                          9♠\n"
        "\n"
        "   foundations from 4    6♦      5♥   5♠   --\n"
        "\n"
        "   stock [5]   waste 8♠ [15]   redeals left 2"
    )


@pytest.mark.parametrize(
    ("rules", "foundations", "pivot", "drawn"),
    [
        ("perno", "5C 5D AH 2S", "AS", "A♠ [1]"),
        ("perno", "5C 5D 2H 2S", "AS AH", "[2]"),
        ("perno,pivot-open=yes", "5C 5D 2H 2S", "AS AH", "A♥ [2]"),
        ("perno", "5C 5D AH AS", "", "--"),
    ],
)
def test_the_pivot_shows_the_card_that_lies_face_up(rules: str, foundations: str, pivot: str, drawn: str) -> None:
    state = position(rules=rules, foundations=foundations, tableau="AC 2C 3C 4C AD 2D 3D 4D", pivot=pivot)
    row = str(Table.of(state)).splitlines()[0]
    assert row == f"   A♣   2♣   3♣   4♣{drawn:^10}  A♦   2♦   3♦   4♦"


TYPED = """\
base: K
foundations: 3H AS 4C 2D
tableau: 3C - AD AC/2C 2H
pivot:
stock:
waste: AH
redeals: 2
rules: perno-packed
"""


def test_piles_lie_as_they_are_typed() -> None:
    table = Table.from_text(TYPED)
    assert table == Table.of(TYPED) == Table.of(TYPED, "perno-packed")
    assert str(table) == (
        "   3♣   --   A♦   A♣    --      2♥   --   --   --\n"
        "                  2♣\n"
        "\n"
        "   foundations from K    3♥      A♠   4♣   2♦\n"
        "\n"
        "   stock --   waste A♥ [1]   redeals left 2"
    )
    assert "foundations: 3H AS 4C 2D\ntableau: 3C - AD AC/2C 2H - - -\n" in table.text
    assert Table.from_text(table.text) == table
    assert State.from_text(table.text) == table.state


def test_a_table_reads_no_more_cells_than_it_has() -> None:
    with pytest.raises(InvalidState, match="tableau: 9 cells, expected at most 8, an empty one as -"):
        Table.from_text(TYPED.replace("2H\n", "2H - - - -\n"))
    assert len(Table.from_text(TYPED.replace("2H\n", "2H - - -\n")).cells) == 8


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cells", Table.from_text(TYPED).cells[1:]),
        ("cells", (*Table.from_text(TYPED).cells[:-1], Table.from_text(TYPED).cells[0])),
        ("suits", (Suit.HEARTS,)),
        ("suits", (Suit.HEARTS, *Suit)),
        ("state", State.start(Deal.from_seed(1))),
    ],
)
def test_a_table_is_its_positions(field: str, value: object) -> None:
    with pytest.raises(InvalidState, match="expected the"):
        evolve(Table.from_text(TYPED), **{field: value})


def test_an_empty_table() -> None:
    table = Table.of(position(rules="perno,redeals=unlimited", redeals="unlimited"))
    assert str(table) == (
        "   --   --   --   --    --      --   --   --   --\n"
        "\n"
        "   foundations from K    A♣      A♦   A♥   A♠\n"
        "\n"
        "   stock --   waste --   redeals left unlimited"
    )


@pytest.mark.parametrize("rules", READINGS.values(), ids=READINGS)
@pytest.mark.parametrize("seed", [1, 8])
def test_piles_stay_where_they_are(rules: Rules, seed: int) -> None:
    kinds = set()
    for before, move, after in walk(rules, seed):
        kinds.add(move.kind)
        assert after.state == before.state.play(move)
        assert sorted(filter(None, after.cells)) == sorted(after.state.tableau)
        assert len(after.cells) == 8
        for old, new in zip(before.cells, after.cells, strict=True):  # a pile that lives on does so in its place
            assert old[:1] == new[:1] or not any(cell[:1] == old[:1] for cell in after.cells if old)
        assert after.suits[: len(before.suits)] == before.suits
        assert {suit for suit, on in enumerate(after.state.foundations) if on} == set(after.suits)
        assert max(map(len, str(after).splitlines())) <= 60
    assert MoveKind.TURN in kinds


def told(state: State, text: str) -> str:
    move = Move.from_text(text)
    return in_words(state, move, state.play(move))


def test_turning_names_the_card() -> None:
    start = State.start(Deal.from_seed(42))
    assert in_words(start, TURN, start.play(TURN)) == f"turn {start.stock[0].pretty}"


def test_a_card_goes_to_its_foundation_and_the_pivot_fills_its_place() -> None:
    state = position(foundations="3C 4D AH AS", tableau="2C AD 2D 3D", pivot="", waste="AC")
    assert told(state, "F:2C") == "2♣ to its foundation"
    assert told(state, "E:AC") == "A♣ to an empty cell"
    full = position(foundations="4C 4D 2H AS", tableau="3C 2C 3D 2D AD AC AH", pivot="", redeals="0")
    assert told(full, "F:3C") == "3♣ to its foundation"
    full = position(foundations="4C 5D 4H AS", tableau="3C 2C 4D 3D 2D AD 3H 2H", pivot="AH AC")
    assert told(full, "F:3C") == "3♣ to its foundation; the pivot's A♣ fills its place; the pivot's last card is A♥"


def test_the_pivot_is_formed_again() -> None:
    full = position(foundations="4C 5D 3H 2S", tableau="3C 2C 4D 3D 2D AD 2H AH", pivot="AC", stock="AS")
    assert told(full, "F:3C") == (
        "3♣ to its foundation; the pivot's A♣ fills its place; the pivot is formed again (1 card); "
        "the pivot's last card is A♠"
    )
    gaps = position(foundations="2C 2D AH AS", waste="AC AD")
    assert told(gaps, "R") == (
        "turn the waste over: it is the stock again (2 cards); the pivot is formed again (2 cards); "
        "from its top A♦, A♣ to the empty cells"
    )
    assert [cell[0].pretty for cell in Table.of(gaps).play(REDEAL).cells if cell] == ["A♦", "A♣"]


def test_the_last_time_through_the_stock_is_named() -> None:
    last = position(rules="eagle-wing", base="A", foundations="QC KD KH KS", waste="KC", redeals="1")
    assert told(last, "R") == "turn the waste over: it is the stock again (1 card, for the last time)"


def test_packing_names_the_card_below() -> None:
    state = position(rules="perno-packed", foundations="3C AD AH AS", tableau="AC", waste="2C")
    assert told(state, "P:2C") == "2♣ onto A♣"


def test_a_line_is_followed_to_the_win() -> None:
    deal, rules = Deal.from_seed(11), READINGS["perno-obliged"]
    line = solve(deal, rules=rules).line
    assert line is not None
    text = followed(Table.of(deal, rules), line)
    assert text.startswith(str(Table.of(deal, rules)))
    assert "\n   1  7♥ to its foundation; the pivot's " in text
    assert text.endswith(f" {len(line)}  8♠ to its foundation\n\nAll 52 cards are on the foundations.")
    redeals = sum(move == REDEAL for move in line)
    formed = text.count("formed again")
    assert text.count("foundations from") == 1 + redeals + formed


def test_a_line_that_does_not_win_is_followed_to_its_end() -> None:
    assert followed(Table.of(Deal.from_seed(42)), parse_line("T")).endswith("\n   1  turn K♣")


def test_an_illegal_line_is_not_followed() -> None:
    with pytest.raises(IllegalMove):
        followed(Table.of(Deal.from_seed(42), PERNO), parse_line("R"))


def test_colours_leave_the_text_alone() -> None:
    drawn = str(Table.of(Deal.from_seed(42)))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured(drawn)) == drawn
    assert coloured(drawn) != drawn


def test_a_narrow_table_has_all_that_a_wide_one_has() -> None:
    for start in (Deal.from_seed(42), State.from_text(MIDGAME)):
        table = Table.of(start)
        narrow = table.drawn(40)
        assert max(map(len, narrow.splitlines())) <= 38
        assert narrow.split() == str(table).split()
        assert table.drawn(60) == str(table)
    assert followed(table, "T", 40).startswith(narrow)


@pytest.mark.parametrize("cells", [5, ((),) * 7, ([],) * 8, (5,) * 8])
def test_cells_that_are_not_those_of_the_position_are_refused(cells: Any) -> None:
    with pytest.raises(InvalidState, match="expected the 8 cells of the position"):
        Table(State.start(Deal.from_seed(42)), cells, ())


@pytest.mark.parametrize("suits", [5, ([],), ("♣",)])
def test_suits_that_are_not_those_of_the_position_are_refused(suits: Any) -> None:
    state = State.start(Deal.from_seed(42))
    with pytest.raises(InvalidState, match="expected the suits whose foundations are begun"):
        Table(state, state.tableau, suits)
