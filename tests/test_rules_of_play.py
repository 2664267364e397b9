"""Each rule that is easily read otherwise, in one position made by hand."""

import pytest
from attrs import evolve

from perno_solver import (
    Codec,
    Deal,
    Rules,
    State,
    Suit,
    Verdict,
    line_text,
    parse_line,
    solve,
)
from perno_solver.game.cards import parse_cards

TWELVE = "2C AC 3S 4D 4H 4S 5D 5H 5S 6D 6H 6S"


def position(foundations, tableau="", pivot="", stock="", waste="", *, redeals="0", rules="perno", base="K"):
    return State.from_text(
        f"""
        rules: {rules}
        base: {base}
        foundations: {foundations}
        tableau: {tableau}
        pivot: {pivot}
        stock: {stock}
        waste: {waste}
        redeals: {redeals}
        """
    )


def last_pivot_card(stock=TWELVE, waste="", **others):
    """Lay out a table whose pivot has one card left, which its foundation needs."""
    return position("4C 7D 7H 7S", "AD AH AS 2D 2H 2S 3D 3H", "3C", stock, waste, **others)


def played(state, line):
    for move in parse_line(line):
        state = state.play(move)
    return state


def legal(state, kinds="FPETR"):
    return line_text(move for move in state.legal_moves() if move.kind.value in kinds)


# The deal


def test_the_deal():
    deal = Deal.from_seed(42)
    state = State.start(deal)
    assert state.pivot == deal.cards[:10]
    assert sorted(state.tableau) == sorted((card,) for card in deal.cards[10:18])
    assert state.on_foundations() == deal.cards[18:19]
    assert state.stock == deal.cards[19:]
    assert (state.base, state.waste, state.redeals) == (deal.cards[18].rank, (), 2)
    eagle = State.start(deal, Rules.from_text("eagle-wing,redeals=0"))
    assert (eagle.pivot, eagle.on_foundations(), eagle.redeals) == (deal.cards[:13], deal.cards[21:22], 0)


# The pivot


def test_the_last_pivot_card_goes_straight_home_and_the_pivot_is_formed_again():
    state = last_pivot_card()
    assert legal(state) == "F:3C T"
    after = played(state, "F:3C")
    assert after.tableau == state.tableau
    assert after.pivot == parse_cards(TWELVE)[:10]
    assert after.stock == parse_cards("6H 6S")
    assert legal(after) == "T"  # its ten cards are covered or face-down


def test_the_pivot_fills_a_cell_with_its_top_card_and_is_formed_again_when_that_was_its_last():
    state = position("4C 7D 7H 7S", "3C AH AS 2D 2H 2S 3D 3H", "AD", TWELVE)
    after = played(state, "F:3C")
    assert after.tableau == evolve(state, tableau=last_pivot_card().tableau).tableau
    assert after.pivot == parse_cards(TWELVE)[:10]


def test_a_pivot_is_formed_again_with_fewer_than_ten():
    after = played(last_pivot_card("2C AC 3S", TWELVE[9:]), "F:3C")
    assert (after.pivot, after.stock) == (parse_cards("2C AC 3S"), ())


def test_a_pivot_is_formed_again_with_exactly_ten_or_not_at_all():
    cards = parse_cards(TWELVE)
    for in_stock, formed in ((10, 10), (9, 0)):
        state = last_pivot_card(TWELVE[36 - 3 * in_stock :], TWELVE[: 36 - 3 * in_stock], rules="perno-tens")
        after = played(state, "F:3C")
        assert after.pivot == cards[12 - in_stock :][:formed]
        assert after.stock == cards[12 - in_stock + formed :]


def test_a_redeal_forms_a_pivot_of_exactly_ten():
    state = last_pivot_card("", TWELVE, rules="perno-tens", redeals=1)
    after = played(state, "F:3C R")
    assert (after.pivot, after.stock, after.waste) == (parse_cards(TWELVE)[:10], parse_cards("6H 6S"), ())
    # Nine are too few, even then.
    state = position(
        "4C 6D 6H 6S", "AD AH AS 2D 2H 2S 3D 3H", "3C", "", "2C AC 3S 4D 4H 4S 5D 5H 5S", rules="perno-tens", redeals=1
    )
    after = played(state, "F:3C R")
    assert (after.pivot, len(after.stock), after.redeals) == ((), 9, 0)
    assert legal(after) == "T"


def test_a_pivot_is_never_formed_again():
    for line, stock in (("F:3C", TWELVE), ("F:3C T", TWELVE[3:])):
        after = played(last_pivot_card(rules="perno,reform=never"), line)
        assert (after.pivot, after.stock) == ((), parse_cards(stock))


def test_a_redeal_forms_an_empty_pivot_and_fills_the_gaps():
    state = position("4C AD AH AS", "AC", "", "", "3C 2C", redeals="unlimited", rules="redeals=unlimited")
    after = played(state, "R")
    assert (after.tableau, after.pivot) == ((parse_cards("AC"), parse_cards("2C"), parse_cards("3C")), ())
    assert (after.stock, after.waste, after.redeals) == ((), (), None)


def test_only_the_last_pivot_card_is_playable_unless_the_pivot_is_open():
    closed = position("4C 7D 7H 7S", "AD AH AS 2D 2H 2S 3D 3H", "2C 3C", TWELVE[3:])
    assert legal(closed) == "T"
    opened = evolve(closed, rules=Rules(pivot_open=True))
    assert legal(opened) == "F:3C T"
    assert played(opened, "F:3C").pivot == parse_cards("2C")


# Cells and their filling


def test_a_gap_waits_for_the_waste():
    state = position("4C AD AH AS", "2C AC", "", "", "3C")
    assert legal(state) == "F:3C E:3C"
    after = played(state, "E:3C")
    assert after.tableau == tuple(map(parse_cards, ("AC", "2C", "3C")))
    assert legal(after) == "F:3C"
    empty = position("4C AD AH AS", "3C 2C AC")
    assert legal(empty) == "F:3C"  # nothing to fill the gaps with


def test_no_gap_no_filling():
    state = position("4C 4D 4H AS", "2C AC 3D 2D AD 3H 2H AH", "", "", "3C")
    assert legal(state) == "F:3C F:3D F:3H"


def test_a_tableau_card_fills_a_gap_only_from_a_pile():
    rules = "perno,pack-from=waste,fill-from=waste+tableau"
    state = position("5C AD AH AS", "2C/3C/4C AC", rules=rules)
    assert legal(state) == "F:4C E:4C"
    after = played(state, "E:4C")
    assert after.tableau == tuple(map(parse_cards, ("AC", "2C 3C", "4C")))
    assert legal(after) == "F:4C E:3C"
    assert legal(evolve(state, rules=Rules.from_text("perno,pack-from=waste"))) == "F:4C"


def test_a_pile_that_leaves_its_cell_opens_it():
    state = position("4C 7D 7H 7S", "3C AH AS 2D 2H 2S 3D 3H", "AC AD", TWELVE[:3] + TWELVE[6:])
    assert played(state, "F:3C").pivot == parse_cards("AC")


# Foundations


@pytest.mark.parametrize(
    ("rules", "base", "line"),
    [
        ("perno", "J", "F:AC F:KC F:QC"),
        ("perno,build=up", "J", "F:8C F:9C F:TC"),
        ("perno,build=up", "3", "F:KC F:AC F:2C"),
        ("perno", "Q", "F:2C F:AC F:KC"),
    ],
)
def test_foundations_are_built_round_the_corner(rules, base, line):
    home = {"perno": "23456789TJQKA", "perno,build=up": "KQJT98765432A"}[rules]
    full = "A23456789TJQK"[("A23456789TJQK".index(base) + (1 if rules == "perno" else -1)) % 13]
    cells = [token[2:] for token in line.split()]
    before = home[home.index(cells[0][0]) - len(home) + 1]  # the card that goes home just before the first
    state = position(f"{before}C {full}D {full}H {full}S", " ".join(cells), rules=rules, base=base)
    assert legal(state) == line.split()[0]
    assert played(state, line).is_won


# Turning


def test_turning_is_free_or_obliged():
    for rules, moves in (("perno", "F:3C T"), ("perno-obliged", "F:3C")):
        assert legal(last_pivot_card(rules=rules)) == moves
    for rules, moves in (("perno", "F:3C F:6S R"), ("perno-obliged", "F:3C F:6S")):
        state = last_pivot_card("", TWELVE, rules=f"{rules},redeals=1", redeals=1)
        assert legal(state) == moves
    # Packing and filling are not playing: they bar nothing.
    state = position("5C AD AH AS", "3C AC 2C", "", "", "4C", rules="perno-obliged,redeals=1", redeals=1)
    assert legal(state) == "F:4C E:4C"
    state = position("5C AD AH AS", "4C AC", "", "", "3C 2C", rules="perno-obliged,redeals=1", redeals=1)
    assert legal(played(state, "F:4C")) == "E:2C R"


def test_a_redeal_keeps_the_order_and_is_counted():
    state = played(last_pivot_card(redeals=2), "T " * 12)
    assert legal(state) == "F:3C F:6S R"
    after = played(state, "R")
    assert (after.stock, after.waste, after.redeals) == (parse_cards(TWELVE), (), 1)
    assert legal(after) == "F:3C T"
    assert legal(evolve(state, redeals=0)) == "F:3C F:6S"


# Packing


def packing(tableau, waste="", pivot="", rules="pack-from=waste", foundations="6C AD AH AS"):
    return position(foundations, tableau, pivot, "", waste, rules=f"perno,{rules}")


def test_a_card_is_packed_on_the_card_that_goes_home_just_after_it():
    state = packing("2C AC 5C", "3C 4C")
    assert legal(state, "P") == ""
    state = packing("3C AC 5C", "2C 4C")
    assert legal(state, "P") == "P:4C"
    after = played(state, "P:4C")
    assert parse_cards("3C 4C") in after.tableau
    assert after.waste == parse_cards("2C")
    assert legal(packing("5C AC 3C", "2C 4C"), "P") == "P:4C"  # not on 5C, which goes home before it
    assert legal(packing("2C AC 3C 5C", "4C", rules="pack-from=pivot"), "P") == ""
    up = position("9C KD KH KS", "JC QC KC", "", "", "TC", rules="perno,pack-from=waste,build=up", base="A")
    assert legal(up, "P") == "P:TC"
    assert parse_cards("JC TC") in played(up, "P:TC").tableau


def test_packing_goes_round_the_corner_but_not_on_a_base_card():
    state = position("2C QD QH QS", "KC", "", "", "QC AC", rules="perno,pack-from=waste", base="J")
    assert legal(state, "P") == "P:AC"
    # QC goes home last, and JC, a base card, is next to it only round the corner.
    state = position(
        "QD QH QS", "JC KC TC 9C 8C 7C 6C", "", "", "5C 4C 3C 2C AC QC", rules="perno,pack-from=waste", base="J"
    )
    assert legal(state, "FPR") == "F:JC"


def test_a_cell_holds_no_more_than_the_limit():
    for limit, moves in ((3, "P:3C"), (2, "")):
        state = packing("AC/2C 5C", "4C 3C", rules=f"pack-from=waste,pack-limit={limit}")
        assert legal(state, "P") == moves
    assert legal(packing("AC 2C 5C", "4C 3C", rules="pack-from=waste,pack-limit=1"), "P") == ""


def test_only_the_top_of_a_cell_is_packed_on():
    state = packing("AC/2C/3C 5C", "4C")
    assert legal(state) == "F:5C P:4C E:4C"
    covered = position("6C AD AH AS", "3C/4C AC 2C", "", "", "5C", rules="perno,pack-from=waste")
    assert legal(played(covered, "P:5C")) == "F:5C"
    state = packing("3C/4C/5C AC 2C", rules="pack-from=tableau")
    assert legal(state) == "F:5C P:2C"  # 5C lies on its only neighbour already


def test_cards_are_packed_from_the_places_that_the_rules_name():
    cells = "AC 3C 2H AH 2D AD 2S AS"
    home = "5C 3D 3H 3S"
    for places, moves in (
        ("none", ""),
        ("waste", "P:4C"),
        ("tableau", "P:2D P:2H P:2S"),
        ("pivot", "P:2C"),
        ("waste+pivot+tableau", "P:2C P:4C P:2D P:2H P:2S"),
    ):
        state = position(home, cells, "2C", "", "4C", rules=f"perno,pack-from={places}")
        assert legal(state, "P") == moves
    closed = position(home, cells, "4C 2C", "", "", rules="perno,pack-from=pivot")
    assert legal(closed, "P") == ""
    assert legal(evolve(closed, rules=evolve(closed.rules, pivot_open=True)), "P") == "P:2C"


def test_a_pile_packed_away_leaves_its_cell_to_the_pivot():
    state = position("5C 3D 3H 3S", "AC 3C 2H AH 2D AD 2S AS", "4C 2C", rules="perno,pack-from=tableau")
    after = played(state, "P:2H")
    assert parse_cards("AH 2H") in after.tableau
    assert parse_cards("2C") in after.tableau
    assert after.pivot == parse_cards("4C")


# Play as a whole


def test_always_playing_to_the_foundation_is_wrong():
    """3C can go home at once, but then 2S fills its cell, and a pivot of four new cards buries what is needed."""
    state = position("4C 5D 3H 5S", "AC 3C AD 2D 3D AH AS 3S", "2S", "2C 4D 2H 4S", rules="perno,redeals=0")
    assert legal(state) == "F:3C T"
    assert solve(state).verdict is Verdict.WON
    assert solve(played(state, "F:3C")).verdict is Verdict.LOST
    assert solve(played(state, "T")).verdict is Verdict.WON


def test_a_full_foundation_needs_no_card():
    assert position("AC 4D AH AS", "3D 2D AD").next_up() == parse_cards("3D")
    assert position("AC 3D 7H AS", "2D 6H 5H 4H 3H 2H AH AD").next_up() == parse_cards("2D 6H")


def test_the_neighbour_of_a_card_goes_to_the_foundation_just_after_it():
    start = State.start(Deal.from_seed(42))
    for build, neighbours in (("down", "6D AD QD"), ("up", "8D 3D AD")):
        state = evolve(start, base=11, rules=Rules.from_text(f"build={build}"))
        assert tuple(map(state.neighbour, parse_cards("7D 2D KD"))) == parse_cards(neighbours)
    assert start.neighbour(start.card_at(Suit.HEARTS, 12)) is None


# Keys, byte for byte


def test_the_key_of_a_deal():
    """Hold the key of a sorted deck after two turns against one worked out by hand.

    Dealt are A–T of clubs to the pivot (places 0–9), J Q K of clubs and A–5 of diamonds to the cells (10–17), and
    6 of diamonds as base card (18); 7 and 8 of diamonds (19, 20) are turned, so the next stock card is at place 21.
    word 0: 0x3FC00 | 21 << 52 | 0 << 58           = 0x01500000_0003FC00
    word 1: 1 << 4 (diamonds) | 9 << 16 | 2 << 22  = 0x00000000_00890010
    """
    deal = Deal(parse_cards(" ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK")))
    state = played(State.start(deal), "T T")
    assert Codec.of(deal, state.rules).encode(state).hex() == "00fc0300000050011000890000000000"


def test_the_key_of_a_packed_position():
    """Hold the key of the end of a game against one worked out by hand.

    The order of the cards is: no pivot, the tableau as it is sorted (A, then 3 with 4 on it: places 0–2), the cards at
    home (3–49), the waste (2C, 5C: places 50, 51), no stock.
    word 0: 0b111 | 52 << 52 (no stock) | 63 << 58 (no pivot)  = 0xFF400000_00000007
    word 1: 8 (clubs) and three times 13, 0xDDD8 | 63 << 16    = 0x00000000_003FDDD8
    word 2: 4 of clubs lies packed, at place 2                 = 0x00000000_00000004
    """
    state = position("6C AD AH AS", "3C/4C AC", "", "", "2C 5C", rules="perno-packed")
    key = Codec.of(state, state.rules).encode(state)
    assert key.hex() == "07000000000040ffd8dd3f00000000000400000000000000"
    assert Codec.of(state, state.rules).decode(key) == state
