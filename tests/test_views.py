"""What a player knows: views never tell more, and their texts never less."""

import pickle
import re
from itertools import permutations
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from perno_solver import (
    CARDS,
    PERNO,
    Card,
    Deal,
    Game,
    InvalidCard,
    InvalidState,
    Rules,
    Seen,
    State,
    Verdict,
    View,
    odds,
    solve,
)
from perno_solver.game.view import exposed
from perno_solver.strategies import games, lines, rules, states, views

UNSEEN = (Path(__file__).parent / "data" / "table-unseen.txt").read_text(encoding="utf-8")
DEAL = Deal.from_seed(42)
START = State.start(DEAL)
PILES = ("pivot", "waste", "stock")


def piles(value):
    return [getattr(value, name) for name in PILES]


# Views


@given(views())
def test_views_are_read_as_they_are_written(view):
    assert View.from_text(str(view)) == view
    assert eval(repr(view)) == view  # noqa: S307 - it is the law
    assert pickle.loads(pickle.dumps(view)) == view  # noqa: S301 - our own
    spelled = re.sub(r"(\d+)\?", lambda mark: ", ".join("?" * int(mark[1])), str(view))
    assert View.from_text(spelled, view.rules) == view


def test_the_text_of_a_view():
    view = View.of(START.play("T"), "2H 9D 3H TD")
    assert str(view) == (
        "rules: perno\nbase: 5\nfoundations: 5S\ntableau: 7C QC JD QD 8H 7S 9S TS\npivot: 9? 2H\n"
        "stock: 9D 3H 10? TD 19?\nwaste: KC\nredeals: 2\n"
    )
    assert (view.places, view.is_known, view.is_won) == (38, False, False)
    assert (view.rules, view.base, view.foundations, view.redeals) == (PERNO, 5, (0, 0, 0, 1), 2)


def test_a_table_with_its_cards_face_down():
    view = View.from_text(UNSEEN)
    assert [pile.count(None) for pile in piles(view)] == [10, 0, 21]
    assert view == View.of(Game(DEAL, moves="T " * 12).state())
    assert view.places == len(view.unseen) == 31
    assert view.worlds == 8222838654177922817725562880000000


@given(states(), st.data())
def test_a_view_of_a_position_shows_what_was_seen_and_no_more(state, data):
    seen = data.draw(st.sets(st.sampled_from(CARDS)))
    view = View.of(state, seen)
    known = exposed(state) | set(state.waste) | seen
    hidden = [card for pile in piles(state) for card in pile if card not in known]
    for pile, laid in zip(piles(view), piles(state), strict=True):
        assert pile == tuple(None if len(hidden) > 1 and card in hidden else card for card in laid)
    assert view == View.of(str(state), map(str, seen)) == View.of(state, " ".join(map(str, seen)))
    assert View.of(state, CARDS) == View(state, ()) == View.from_text(str(state))


def laid(view, random):
    """Lay the unseen cards anyhow."""
    cards = sorted(view.unseen)
    random.shuffle(cards)
    return view.lay(cards)


@given(views(), st.randoms(use_true_random=False))
def test_a_view_is_the_same_whatever_its_unseen_cards_are(view, random):
    world = laid(view, random)
    other = View(world, view.unseen)
    for tell in (str, repr, hash, View.legal_moves, lambda view: (view.world, view.unseen, view.worlds, view.is_known)):
        assert tell(other) == tell(view)
    assert other == view
    if not view.unseen.intersection(view.world.waste):
        assert View.of(world, set(CARDS) - view.unseen) == view


@given(views(), st.randoms(use_true_random=False))
def test_worlds_agree_with_their_view(view, random):
    world = laid(view, random)
    world.check()
    assert world.legal_moves() == view.legal_moves() == view.world.legal_moves()
    assert (world.foundations, world.tableau, world.redeals) == (view.foundations, view.tableau, view.redeals)
    for pile, known in zip(piles(world), piles(view), strict=True):
        assert len(pile) == len(known)
        assert all(there in {None, card} for card, there in zip(pile, known, strict=True))
    for move in view.legal_moves():  # does the same in every world
        one, other = world.play(move), view.world.play(move)
        assert one.foundations == other.foundations
        assert list(map(len, piles(one))) == list(map(len, piles(other)))


@given(views())
def test_there_are_as_many_worlds_as_it_says(view):
    few = View(view.world, sorted(view.unseen)[:4])
    worlds = {few.lay(cards) for cards in permutations(sorted(few.unseen))}
    assert len(worlds) == few.worlds
    assert few.lay(" ".join(map(str, sorted(few.unseen)))) == few.world


@given(views())
def test_a_single_unseen_card_is_known(view):
    assume(view.unseen)
    card = min(view.unseen)
    one = View(view.world, {card})
    assert one.is_known
    assert one == View.from_text(str(view.world).replace(f" {card}", " ?", 1)) == View(view.world, frozenset())


@given(views())
def test_odds_over_all_worlds_are_those_of_each(view):
    few = View(view.world, sorted(view.unseen)[-3:])
    worlds = [few.lay(cards) for cards in permutations(sorted(few.unseen))]
    found = odds(few, worlds=6)
    wins = sum(solve(world, evidence=False).verdict is Verdict.WON for world in worlds)
    assert (found.share.worlds, found.share.exact) == (len(worlds), True)
    assert found.share.won <= wins <= found.share.won + found.share.unknown


# What is no view


def typed(**values):
    """Return the block of a table with its cards face-down, with other values in some lines."""
    return "".join(
        f"{name}: {values.get(name, value)}\n"
        for name, value in (line.split(": ") for line in UNSEEN.splitlines() if not line.startswith("#"))
    )


@pytest.mark.parametrize(
    "pivot",
    [
        "10?",
        "??????????",
        "9? ?",
        "? 9?",
        "5? ????? ",
        "9?,?",
        "9?;?",
        "9?  , ?",
        '"?" 9?',
        "？ 9?",
        "1? 9?",
        "9?\ufe0f ?",
    ],
)
def test_unseen_cards_are_read_in_every_spelling(pivot):
    assert View.from_text(typed(pivot=pivot)) == View.from_text(UNSEEN)


@pytest.mark.parametrize(
    "pivot",
    [
        "0? 10?",
        "010?",
        "10",
        "10 ?",
        "?10",
        "100?",
        "-1? 11?",
        "9? [?]",
        "5?5?",
        "9??",
        "١? 9?",
        "½? 10?",
        "1.0?",
        "9? !",
    ],
)
def test_what_is_not_quite_a_mark_is_refused(pivot):
    with pytest.raises(InvalidState, match=r"^pivot: card (1|2|10): .* is not a card.*, or \? for an unseen card$"):
        View.from_text(typed(pivot=pivot))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"pivot": "11?"}, "32 places with ?, but 31 cards unaccounted for: AC 2C "),
        ({"pivot": "9?"}, "30 places with ?, but 31 cards unaccounted for: AC 2C "),
        ({"pivot": "", "stock": "?"}, "1 place with ?, but 31 cards unaccounted for: AC 2C "),
        ({"pivot": "9? KC"}, "not a position: KC more than once"),
        ({"waste": "KC KC 9D"}, "not a position: KC more than once"),
        ({"waste": "7C 5S"}, "not a position: 7C 5S more than once"),
        ({"stock": "99?"}, "stock: too many cards, expected at most 52"),
        ({"waste": "KC 9D 3H 3D 7H QH 7D 6S 6H 4H 9H ?"}, "waste: the top card is ?, expected a card"),
        ({"tableau": "? QC JD QD 8H 7S 9S TS"}, "tableau: card 1: '?' is not a card: "),
        ({"foundations": "?"}, "foundations: card 1: '?' is not a card: "),
        ({"redeals": "3"}, "not a position: 3 redeals left, expected 0 to 2"),
        ({"pivot": "12?", "stock": "19?"}, "not a position: 12 cards in the pivot, expected at most 10"),
        ({"pivot": "?", "stock": "30?"}, "pivot: the top card is ?, expected a card"),
        ({"rules": "perno,pivot-open=yes"}, "pivot: the top card is ?, expected a card"),
        ({"base": "?"}, "base: '?' is not a rank"),
        ({"redeals": "?"}, "redeals: '?', expected a whole number or unlimited"),
    ],
)
def test_what_is_wrong_with_a_view_is_said(values, why):
    with pytest.raises(InvalidState, match=f"^{re.escape(why)}"):
        View.from_text(typed(**values))


def test_too_many_places_for_no_card_at_all():
    text = str(START).replace("waste:", "waste: KC").replace(" KC 9D", " 9D").replace("waste: KC", "waste: 2? KC")
    with pytest.raises(InvalidState, match=r"^2 places with \?, but 0 cards unaccounted for: none$"):
        View.from_text(text)


def test_a_card_of_the_waste_may_be_forgotten_unless_it_is_in_play():
    view = View.from_text(typed(waste="KC ? 3H 3D 7H QH 7D 6S 6H 4H 9H 3C"))
    assert (view.places, view.waste[:2]) == (32, (Card.from_text("KC"), None))
    with pytest.raises(
        InvalidState, match=r"^unseen are 3C, expected cards of pivot, waste and stock, and none in play$"
    ):
        View(view.world, view.unseen | {Card.from_text("3C")})


@pytest.mark.parametrize("reader", [State.from_text, solve, Game])
def test_where_all_cards_must_be_known_a_message_says_who_reads_others(reader):
    with pytest.raises(InvalidState, match=r"^pivot: card 1: '\?' .*; \? is for unseen cards in .* of a View$"):
        reader(UNSEEN)


@pytest.mark.parametrize("rules_of_both", ["perno", "eagle-wing"])
def test_a_view_is_under_the_rules_that_it_names(rules_of_both):
    text = re.sub("rules: .*\n", "", str(View.of(State.start(DEAL, rules_of_both))))
    assert View.from_text(text, rules_of_both).rules == Rules.from_text(rules_of_both)
    with pytest.raises(InvalidState, match=r"was asked for"):
        View.from_text(f"rules: {rules_of_both}\n{text}", "perno-packed")


@pytest.mark.parametrize("seen", [5, None, [None], [5], ["XX"], "2H XX", {"2H": 1, "": 2}])
def test_what_was_seen_is_cards(seen):
    with pytest.raises((InvalidState, InvalidCard), match=r"expected"):
        View.of(START, seen)


@pytest.mark.parametrize("unseen", [5, None, "2C", ["2C"], [["2C"]], [START.pivot[0], None], map(min, START.tableau)])
def test_what_is_unseen_is_cards_that_can_be(unseen):
    with pytest.raises(InvalidState, match=r"expected"):
        View(START, unseen)


@pytest.mark.parametrize("cards", [(), "AS", CARDS, 5, [None] * 3, "2H 2H KS", "2H KS 9S"])
def test_worlds_are_laid_of_the_unseen_cards(cards):
    view = View(START, START.pivot[-3:])
    assert view.lay(START.pivot[-3:]) == START
    with pytest.raises(InvalidState, match=r"expected the 3 unseen cards, each once$"):
        view.lay(cards)


# What a player knows of a game


def looks(game):
    """List some numbers of moves to look at a game after, the last of all among them."""
    return range(len(game.moves) % 5, len(game.moves) + 1, 5)


@given(games(), st.data())
def test_knowledge_is_what_has_been_in_sight(game, data):
    at = data.draw(st.integers(0, len(game.moves)))
    met = [game.state(number) for number in range(at + 1)]
    in_sight = [
        {*state.on_foundations(), *state.waste, *state.pivot[len(state.pivot) - 1 :]}
        if len(state.pivot) == 1 or state.rules.pivot_open
        else {*state.on_foundations(), *state.waste}
        for state in met
    ]
    in_sight = [seen.union(*state.tableau) for seen, state in zip(in_sight, met, strict=True)]
    assert game.view(at, "remembered") == game.view(at) == View.of(met[-1], set().union(*in_sight))
    assert game.view(at, Seen.TABLE) == View.of(met[-1], in_sight[-1]) == View.of(met[-1])
    assert game.view(at, "all") == View(met[-1], frozenset())


@given(games())
def test_who_remembers_knows_more_and_nothing_is_forgotten(game):
    before = None
    for at in looks(game):
        remembered, table = game.view(at), game.view(at, "table")
        assert remembered.unseen <= table.unseen
        assert before is None or remembered.unseen <= before
        before = remembered.unseen


@given(games(lines=lines(starts=states(rules=st.just(PERNO), max_moves=0))))
def test_an_empty_pivot_tells_all_under_perno(game):
    for at in looks(game):
        view = game.view(at)
        assert view.is_known or view.pivot
        assert view.redeals == 2 or not view.unseen - set(view.world.pivot)


@given(games(), st.randoms(use_true_random=False))
def test_what_a_player_knows_never_depends_on_what_is_unseen(game, random):
    """Swap what is unseen in the end where the game began: all the way the player knows the same."""
    unseen = sorted(game.view().unseen)
    swapped = list(unseen)
    random.shuffle(swapped)
    to = dict(zip(unseen, swapped, strict=True))
    if isinstance(game.start, Deal):
        start = Deal(to.get(card, card) for card in game.start.cards)
    else:
        changed = {name: [to.get(card, card) for card in getattr(game.start, name)] for name in PILES}
        start = evolve(game.start, **changed)
    other = Game(start, game.rules, game.moves)
    for at in looks(game):
        for seen in ("remembered", "table"):
            assert other.view(at, seen) == game.view(at, seen)
    assert str(other.view()) == str(game.view())


@given(rules().map(lambda chosen: evolve(chosen, pivot_open=True)))
def test_the_top_of_an_open_pivot_is_seen(chosen):
    start = State.start(DEAL, chosen)
    view = View.of(start)
    assert view.pivot == (None,) * (chosen.pivot_size - 1) + start.pivot[-1:]
    assert view.is_known is (chosen.pivot_size + len(start.stock) <= 2)
