"""What is wrong is refused with a message that says what, where, and what was expected."""

import re
from contextlib import nullcontext

import pytest
from attrs import evolve

from perno_solver import (
    CARDS,
    PERNO,
    READINGS,
    TURN,
    BadEvidence,
    Card,
    Codec,
    Deal,
    Evidence,
    IllegalMove,
    InvalidCard,
    InvalidChoice,
    InvalidDeal,
    InvalidMove,
    InvalidRules,
    InvalidState,
    Move,
    MoveKind,
    PernoError,
    Place,
    Rules,
    State,
    Suit,
    check,
    errors,
    parse_line,
    solve,
)
from perno_solver.game.block import is_position
from perno_solver.game.cards import parse_cards

DEAL = Deal.from_seed(1)
START = State.start(DEAL)
BLOCK = str(START)


def raises(error, message):
    return pytest.raises(error, match=re.escape(message))


def test_all_errors_are_one_family():
    family = [error for error in vars(errors).values() if isinstance(error, type)]
    assert len(family) > 9
    assert all(issubclass(error, PernoError) and issubclass(error, ValueError) for error in family)


# Cards, deals, moves, rules


@pytest.mark.parametrize("text", ["", "7", "S7", "11H", "0S", "7 S", "77S", "7SS", "joker"])
def test_what_is_not_a_card(text):
    with raises(InvalidCard, f"{text!r} is not a card: expected a rank (A 2 … 9 T J Q K) then a suit (C D H S), as in"):
        Card.from_text(text)


def test_the_place_of_a_wrong_card():
    with raises(InvalidCard, "card 3: '0H' is not a card"):
        parse_cards("AS 2S 0H 4S")
    with raises(InvalidDeal, "card 3: '0H' is not a card"):
        Deal.from_text("AS 2S 0H 4S")


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (CARDS[:51], "expected 52 different cards, got 51: KS missing"),
        (CARDS[2:], "expected 52 different cards, got 50: AC 2C missing"),
        ((*CARDS, CARDS[0]), "expected 52 different cards, got 53: AC more than once"),
        ((*CARDS[:51], CARDS[0]), "expected 52 different cards, got 52: AC more than once, KS missing"),
        ((), "expected 52 different cards, got 0: AC 2C "),
    ],
)
def test_decks_are_whole(cards, message):
    with raises(InvalidDeal, message):
        Deal(cards)
    with raises(InvalidDeal, message):
        Deal.from_text(" ".join(map(str, cards)))


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1 << 100, True, False, 1.0, "1", None])
def test_seeds_are_in_range(seed):
    with raises(InvalidDeal, f"seed {seed!r} is out of range: expected a whole number from 0 to 2^64 - 1"):
        Deal.from_seed(seed)


def test_the_first_and_the_last_seed_are_in_range():
    assert Deal.from_seed(0) != Deal.from_seed((1 << 64) - 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move: expected T, R, F:card, P:card or E:card"),
        ("X", "'X' is not a move"),
        ("X:7S", "'X:7S' is not a move"),
        ("T:7S", "move 'T:7S': the move T takes no card"),
        ("r:7S", "move 'r:7S': the move R takes no card"),
        ("F", "move 'F': the move F needs a card, as in F:7S"),
        ("E:", "move 'E:': '' is not a card"),
        ("P:0S", "move 'P:0S': '0S' is not a card"),
    ],
)
def test_what_is_not_a_move(text, message):
    with raises(InvalidMove, message):
        Move.from_text(text)


def test_the_place_of_a_wrong_move():
    with raises(InvalidMove, "move 2: 'X' is not a move"):
        parse_line("T X")
    with raises(InvalidMove, "the move F needs a card"):
        Move(MoveKind.FOUNDATION)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a reading: expected one of perno, perno-tens"),
        ("whist", "'whist' is not a reading"),
        ("perno,eagle-wing", "'eagle-wing' is not a rule: expected field=value with a field of pivot-size, reform"),
        ("perno,pivot=3", "'pivot=3' is not a rule"),
        ("redeals=1,redeals=1", "rules: redeals is given twice"),
        ("pack-from=waste,pack-from=none", "rules: pack-from is given twice"),
        ("pivot-size=0", "rules: pivot-size is 0, expected a whole number from 1 to 30"),
        ("pivot-size=31", "rules: pivot-size is 31, expected a whole number from 1 to 30"),
        ("pivot-size=ten", "rules: pivot-size is 'ten', expected a whole number"),
        ("pivot-size=unlimited", "rules: pivot-size is 'unlimited', expected a whole number"),
        ("redeals=-1", "rules: redeals is '-1', expected a whole number or unlimited"),
        ("redeals=1000001", "rules: redeals is 1000001, expected a whole number from 0 to 1000000"),
        ("redeals=" + "9" * 5000, "rules: redeals is '999"),
        ("pack-limit=0", "rules: pack-limit is 0, expected a whole number from 1 to 13"),
        ("pack-limit=14", "rules: pack-limit is 14, expected a whole number from 1 to 13"),
        ("reform=ten", "rules: reform is 'ten', expected one of up-to-ten, exactly-ten, never"),
        ("build=sideways", "rules: build is 'sideways', expected one of down, up"),
        ("pivot-open=true", "rules: pivot-open is 'true', expected one of yes, no"),
        ("pack-from=stock", "rules: pack-from is 'stock', expected one of waste, pivot, tableau"),
        ("pack-from=waste+", "rules: pack-from is '', expected one of waste, pivot, tableau"),
        ("fill-from=tableau", "rules: fill-from is 'tableau', expected waste or waste+tableau"),
        ("fill-from=waste+pivot", "rules: fill-from is 'waste+pivot', expected waste or waste+tableau"),
        ("fill-from=none", "rules: fill-from is 'none', expected waste or waste+tableau"),
        ("turning=", "rules: turning is '', expected one of free, obliged"),
    ],
)
def test_what_is_not_rules(text, message):
    with raises(InvalidRules, message):
        Rules.from_text(text)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("pivot_size", True, "rules: pivot-size is True, expected a whole number from 1 to 30"),
        ("pivot_size", 10.0, "rules: pivot-size is 10.0, expected"),
        ("redeals", -1, "rules: redeals is -1, expected a whole number from 0 to 1000000"),
        ("redeals", False, "rules: redeals is False, expected"),
        ("reform", "never", "rules: reform is 'never', expected a Reform"),
        ("pivot_open", 1, "rules: pivot-open is 1, expected a bool"),
        ("build", None, "rules: build is None, expected a Build"),
        ("reform", frozenset(), "rules: reform is frozenset(), expected a Reform"),
        ("pack_from", {"waste"}, "rules: pack-from or fill-from is {'waste'}, expected a set of Place values"),
        ("pack_from", "waste", "rules: pack-from or fill-from is 'waste', expected a set of Place values"),
        ("fill_from", 5, "rules: pack-from or fill-from is 5, expected a set of Place values"),
        ("pack_limit", None, "rules: pack-limit is None, expected a whole number from 1 to 13"),
        ("fill_from", {Place.TABLEAU}, "rules: fill-from is 'tableau', expected waste or waste+tableau"),
        ("turning", "free", "rules: turning is 'free', expected a Turning"),
    ],
)
def test_fields_that_are_no_rules(field, value, message):
    with raises(InvalidRules, message):
        Rules(**{field: value})


# Positions as text


@pytest.mark.parametrize("name", ["base", "foundations", "tableau", "pivot", "stock", "waste", "redeals"])
def test_each_line_of_a_position_is_there_once(name):
    lines = BLOCK.splitlines()
    (line,) = (line for line in lines if line.startswith(name + ":"))
    with raises(InvalidState, f"the position has no line for {name}"):
        State.from_text("\n".join(other for other in lines if other != line))
    with raises(InvalidState, f"line 9: {name} is given twice"):
        State.from_text(f"{BLOCK}{line}\n")


def test_rules_need_no_line_but_not_two():
    assert State.from_text(BLOCK.replace("rules: perno\n", "")) == START
    with raises(InvalidState, "line 9: rules is given twice"):
        State.from_text(BLOCK + "rules: perno")
    with raises(InvalidState, "'whist' is not a reading"):
        State.from_text(BLOCK.replace("rules: perno", "rules: whist"))
    with raises(InvalidState, "the position is under the rules perno, but eagle-wing was asked for"):
        State.from_text(BLOCK, READINGS["eagle-wing"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("waste:", "wast:", "line 7: 'wast:' is not part of a position: expected `name: value` with a name of rules"),
        ("waste:", "waste", "line 7: 'waste' is not part of a position"),
        ("base: 2", "base: 0", "base: '0' is not a rank: expected one of A 2 … 9 T J Q K"),
        ("base: 2", "base: 66", "base: '66' is not a rank"),
        ("base: 2", "base:", "base: '' is not a rank"),
        ("redeals: 2", "redeals: two", "redeals: 'two', expected a whole number or unlimited"),
        ("redeals: 2", "redeals:", "redeals: '', expected a whole number or unlimited"),
        ("redeals: 2", "redeals: " + "2" * 5000, "redeals: '222"),
        ("redeals: 2", "redeals: 3", "3 redeals left, expected 0 to 2"),
        ("redeals: 2", "redeals: unlimited", "unlimited redeals left, expected a number exactly where the rules perno"),
        ("waste:", "waste: 0S", "waste: card 1: '0S' is not a card"),
        ("waste:", "waste: 7S", "expected 52 different cards, got 53: 7S more than once"),
        (" 7S", "", "expected 52 different cards, got 51: 7S missing"),
    ],
)
def test_what_is_not_a_position(old, new, message):
    assert old in BLOCK
    with raises(InvalidState, message):
        State.from_text(BLOCK.replace(old, new, 1))


def test_a_foundation_has_one_top_card():
    (line,) = (line for line in BLOCK.splitlines() if line.startswith("foundations:"))
    suit = START.on_foundations()[0].suit
    with raises(InvalidState, f"foundations: two of {suit.name.lower()}, expected the top card of each"):
        State.from_text(BLOCK.replace(line, line + f" {START.card_at(suit, 1)}"))
    with raises(InvalidState, "foundations: card 2: '0' is not a card"):
        State.from_text(BLOCK.replace(line, line + " 0"))


def test_positions_are_told_from_decks():
    assert is_position(BLOCK)
    assert is_position(" Waste :\n")
    assert not is_position(str(DEAL))
    assert not is_position("deck: AS")
    assert not is_position("waste")


# Positions that contradict themselves


PACKED = Rules(pack_from={Place.WASTE}, pack_limit=2)
CELL = START.tableau[0][0]


def stacked(rules, *steps):
    """Make the end of a game in which one cell holds clubs, given by their steps, and everything else is home."""
    state = State(rules, 1, (min(steps), 13, 13, 13), (), (), (), (), rules.redeals)
    return evolve(state, tableau=[[state.card_at(0, step) for step in steps]])


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (evolve(START, base=0), "base rank 0, expected 1 to 13"),
        (evolve(START, base=14), "base rank 14, expected 1 to 13"),
        (evolve(START, foundations=(0, 0, 0, 14)), "foundations (0, 0, 0, 14), expected four counts from 0 to 13"),
        (evolve(START, foundations=(0, 0, -1, 1)), "foundations (0, 0, -1, 1), expected four counts from 0 to 13"),
        (evolve(START, foundations=(0, 0, 1)), "foundations (0, 0, 1), expected four counts from 0 to 13"),
        (evolve(START, foundations=(0, 0, 1.0, 0)), "foundations (0, 0, 1.0, 0), expected four counts from 0 to 13"),
        (evolve(START, foundations=(0, 0, 0, 0)), "no foundation is begun, expected at least the base card's"),
        (evolve(START, waste=(CELL,)), f"expected 52 different cards, got 53: {CELL} more than once"),
        (evolve(START, tableau=START.tableau[1:]), f"expected 52 different cards, got 51: {CELL} missing"),
        (
            evolve(START, tableau=[*START.tableau, START.stock[:1]], stock=START.stock[1:]),
            "9 cells, expected at most 8 that are not empty",
        ),
        (
            evolve(START, tableau=[*START.tableau[1:], ()], waste=(CELL,)),
            "8 cells, expected at most 8 that are not empty",
        ),
        (stacked(PERNO, 12, 11), "a cell holds 2C 3C, expected at most 1 under these rules"),
        (stacked(PACKED, 12, 11, 10), "a cell holds 2C 3C 4C, expected at most 2 under these rules"),
        (
            evolve(stacked(PERNO, 12, 11), rules=Rules(pack_limit=13)),
            "a cell holds 2C 3C, expected at most 1 under these rules",
        ),
        (stacked(PACKED, 11, 12), "2C lies on 3C, expected a card of its suit that goes to the foundation just before"),
        (
            State(PACKED, 1, (12, 11, 13, 13), [CARDS[1:2] + CARDS[15:16]], (), (), CARDS[14:15], 2),
            "3D lies on 2C, expected a card of its suit that goes to the foundation just before",
        ),
        (
            evolve(START, pivot=START.pivot + START.stock[:1], stock=START.stock[1:]),
            "11 cards in the pivot, expected at most 10",
        ),
        (
            evolve(START, rules=Rules.from_text("pivot-size=3,reform=never")),
            "10 cards in the pivot, expected at most 3",
        ),
        (
            evolve(START, tableau=START.tableau[1:], waste=(CELL,)),
            "a cell is empty while the pivot has a card, expected the pivot's top card to have filled it",
        ),
        (
            evolve(START, pivot=(), waste=START.pivot),
            "the pivot is empty and the stock is not, expected the pivot to have been formed again",
        ),
        (evolve(START, redeals=3), "3 redeals left, expected 0 to 2"),
        (evolve(START, redeals=-1), "-1 redeals left, expected 0 to 2"),
        (evolve(START, redeals=None), "unlimited redeals left, expected a number exactly where the rules perno have"),
        (
            evolve(START, rules=Rules(redeals=None)),
            "2 redeals left, expected a number exactly where the rules perno,redeals=unlimited have one",
        ),
    ],
)
def test_contradictions(state, message):
    with raises(InvalidState, f"not a position: {message}"):
        state.check()


@pytest.mark.parametrize(
    "state",
    [
        START,
        evolve(START, rules=Rules(pivot_size=3)),  # ten may have been counted since
        evolve(START, rules=READINGS["eagle-wing"]),
        evolve(START, redeals=0),
        stacked(PACKED, 12, 11),
        evolve(START, rules=READINGS["eagle-wing"], pivot=(), waste=START.pivot),
        evolve(
            START, rules=READINGS["perno-tens"], pivot=(), waste=START.stock[9:] + START.pivot, stock=START.stock[:9]
        ),
    ],
)
def test_what_does_not_contradict_itself(state):
    state.check()


def test_too_many_left_for_exactly_ten():
    rules = READINGS["perno-tens"]
    state = evolve(START, rules=rules, pivot=(), waste=START.stock[10:] + START.pivot, stock=START.stock[:10])
    with raises(InvalidState, "the pivot is empty and the stock is not, expected the pivot to have been formed again"):
        state.check()


# Keys


def test_what_is_not_a_key():
    codec = Codec.of(DEAL, PERNO)
    key = codec.encode(START)
    with raises(InvalidState, "a key of 15 bytes, expected 16"):
        codec.decode(key[:15])
    with raises(InvalidState, f"{bytes(16).hex()} is not the key of a position of this game: no foundation is begun"):
        codec.decode(bytes(16))
    for bit in range(128):
        other = (int.from_bytes(key, "little") ^ 1 << bit).to_bytes(16, "little")
        try:
            assert codec.encode(codec.decode(other)) == other
        except InvalidState:
            continue


# Moves that are not legal


PACKING = State.from_text(
    """
    rules: perno,reform=never,redeals=0,pack-from=waste+tableau,pack-limit=2
    base: K
    foundations: 9C QD AH AS
    tableau: 6C/7C 8C TD JD
    pivot:
    stock: 9D
    waste: 5C 4C 8D 7D 6D 5D 4D 3D 2D AD 3C 2C AC
    redeals: 0
    """
)
IT_MUST = "a card can go to its foundation, and under these rules it must"
OBLIGED = evolve(PACKING, rules=evolve(PACKING.rules, turning=READINGS["perno-obliged"].turning))


@pytest.mark.parametrize(
    ("state", "move", "message"),
    [
        (evolve(START, stock=(), waste=START.stock), "T", "T is not legal: the stock is empty"),
        (START, "R", "R is not legal: the stock is not empty"),
        (evolve(START, stock=()), "R", "R is not legal: the waste is empty"),
        (evolve(START, stock=(), waste=START.stock, redeals=0), "R", "R is not legal: no redeal is left"),
        (OBLIGED, "T", f"T is not legal: {IT_MUST}"),
        (evolve(OBLIGED, stock=OBLIGED.stock + OBLIGED.waste, waste=()), "T", f"T is not legal: {IT_MUST}"),
        (
            evolve(OBLIGED, rules=evolve(OBLIGED.rules, redeals=1), stock=(), waste=OBLIGED.stock, redeals=1),
            "R",
            f"R is not legal: {IT_MUST}",
        ),
        (START, f"F:{CELL}", f"F:{CELL} is not legal: the foundation of {CELL.suit.name.lower()} needs "),
        (START, f"F:{START.pivot[-1]}", "is in the pivot, where only the last card is playable"),
        (
            evolve(START, rules=Rules(pivot_open=True)),
            f"F:{START.pivot[0]}",
            "is in the pivot, where only the top card is playable",
        ),
        (START, f"F:{START.stock[0]}", f"{START.stock[0]} is in the stock, not on top of the waste"),
        (PACKING, "F:5C", "5C is in the waste, not on top of the waste"),
        (PACKING, "F:6C", "6C is covered by another card in its cell"),
        (PACKING, "F:9C", "9C is on its foundation already"),
        (START, f"P:{CELL}", f"P:{CELL} is not legal: these rules do not pack"),
        (evolve(START, rules=READINGS["perno-packed"]), f"P:{CELL}", f"{CELL} may not be packed from where it lies"),
        (START, f"E:{CELL}", "only the pivot's own top card fills a cell while the pivot has a card"),
        (
            evolve(START, rules=READINGS["eagle-wing"], pivot=(), waste=START.pivot),
            f"E:{START.pivot[-1]}",
            "no cell is empty",
        ),
        (PACKING, "E:8C", "8C may not take an empty cell from where it lies"),
        (PACKING, "E:7C", "7C may not take an empty cell from where it lies"),
        (PACKING, "E:9D", "9D is in the stock, not on top of the waste"),
        (PACKING, "P:7C", "7C may not be packed from where it lies"),
        (PACKING, "P:AC", "no cell has AC's neighbour on top and room for it"),
        (PACKING, "P:8C", "no cell has 8C's neighbour on top and room for it"),
        (PACKING, "P:6C", "6C is covered by another card in its cell"),
    ],
)
def test_moves_that_are_not_legal(state, move, message):
    with raises(IllegalMove, message):
        state.play(Move.from_text(move))


def test_draws_that_would_be_biased_are_drawn_again(monkeypatch):
    draws = [
        0,
        0,
        *(odd * 0x9E3779B97F4A7C15 % 2**64 for odd in range(1, 52)),
    ]  # 0 lies below 2^64 % 52, so it is rejected
    monkeypatch.setattr("perno_solver.game.deal._splitmix64", lambda _: iter(draws))
    rejecting = Deal.from_seed(0)
    del draws[:2]
    assert rejecting == Deal.from_seed(0)


# Values made by hand


@pytest.mark.parametrize(("suit", "rank"), [(Suit.CLUBS, 0), (Suit.CLUBS, 14), (Suit.CLUBS, True), (Suit.CLUBS, "A")])
def test_ranks_run_from_ace_to_king(suit, rank):
    with pytest.raises(InvalidCard, match=f"rank {rank!r}, expected a whole number from 1"):
        Card(suit, rank)


def test_suits_are_suits():
    with pytest.raises(InvalidCard, match="suit 0, expected a Suit"):
        Card(0, 1)


@pytest.mark.parametrize("text", ["7ſ", "ſ7", "100H", "7SS", "𝟕S"])
def test_what_only_looks_like_a_card_is_none(text):
    with pytest.raises(InvalidCard, match="is not a card"):
        Card.from_text(text)


@pytest.mark.parametrize("keywords", [{"objective": "fun"}, {"engine": "diesel"}, {"objective": None}])
def test_choices_are_named_where_they_are_missed(keywords):
    with pytest.raises(InvalidChoice, match=": expected one of '"):
        solve(Deal.from_seed(1), **keywords)


def test_evidence_from_a_broken_position_is_bad():
    start = evolve(State.start(Deal.from_seed(1)), stock=())
    for evidence in (Evidence(start, start.rules, keys=bytes(16)), Evidence(start, start.rules, ())):
        with pytest.raises(BadEvidence, match="the start is not a position under the rules perno: expected 52"):
            check(evidence)


@pytest.mark.parametrize("stranger", ["x", None, 7])
def test_only_cards_make_a_deck(stranger):
    with raises(InvalidDeal, f"expected 52 different cards, got {stranger!r} among them"):
        Deal((*CARDS, stranger))
    with raises(InvalidState, "among them"):
        evolve(START, waste=(stranger,)).check()
    with raises(InvalidMove, f"the move F of {stranger!r}, expected a Card") if stranger else nullcontext():
        Move(MoveKind.FOUNDATION, stranger or CARDS[0])


@pytest.mark.parametrize("redeals", [1.5, True, "2"])
def test_redeals_left_are_whole_numbers(redeals):
    with raises(InvalidState, f"{redeals!r} redeals left, expected 0 to 2"):
        evolve(START, redeals=redeals).check()


def test_piles_may_be_given_as_lists():
    assert evolve(START, stock=list(START.stock)) == START
    assert hash(evolve(START, pivot=list(START.pivot))) == hash(START)


def test_a_line_cites_no_lemmas():
    with raises(BadEvidence, "a line cites no lemmas"):
        Evidence(DEAL, PERNO, (), cites=True)


def test_a_line_holds_moves():
    with raises(BadEvidence, "a Move in the line"):
        Evidence(DEAL, PERNO, (TURN, "T"))
