"""The strategies: what they generate, and what it shrinks to."""

import importlib
import random
import subprocess
import sys
from collections import Counter

import pytest
from attrs import astuple
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument, NoSuchExample

from perno_solver import (
    CARDS,
    PERNO,
    READINGS,
    TURN,
    Budget,
    Build,
    Deal,
    Game,
    InvalidState,
    MoveKind,
    Place,
    Reform,
    Rules,
    State,
    Turning,
    Verdict,
    View,
    line_text,
    parse_line,
    solve,
)
from perno_solver.strategies import _win as win
from perno_solver.strategies import _wins as wins
from perno_solver.strategies import cards, deals, games, lines, moves, rules, states, views, won_deals


def smallest(strategy, condition=lambda _: True, phases=(Phase.generate, Phase.shrink)):
    some = settings(max_examples=100, database=None, phases=phases, suppress_health_check=list(HealthCheck))
    return find(strategy, condition, settings=some, random=random.Random(0))


def test_strategies_shrink_to_the_simplest_value():
    assert smallest(cards()) == CARDS[0]
    assert smallest(deals()) == Deal(CARDS)
    assert smallest(won_deals()) == Deal(CARDS)
    assert smallest(rules()) == PERNO
    assert smallest(moves()) == TURN
    assert smallest(states()) == State.start(Deal(CARDS))
    assert smallest(lines()) == (State.start(Deal(CARDS)), ())
    assert smallest(views()) == View(State.start(Deal(CARDS)), ())
    assert smallest(games()) == Game(Deal(CARDS))


def last(game):
    """Return the state that a line leads to."""
    state, line = game
    for move in line:
        state = state.play(move)
    return state


PHASES = {  # of a game
    "just dealt": lambda state: len(state.stock) > 30 and sum(state.foundations) < 5,
    "first pass over": lambda state: not state.stock and state.redeals == 2,
    "one redeal left": lambda state: state.redeals == 1,
    "no redeal left": lambda state: state.redeals == 0,
    "no move left": lambda state: not state.is_won and not state.legal_moves(),
    "a foundation full": lambda state: 13 in state.foundations and not state.is_won,
    "pivot empty": lambda state: not state.pivot and not state.is_won,
    "a cell empty": lambda state: 0 < len(state.tableau) < 8,
    "few cards left": lambda state: 40 < sum(state.foundations) < 52,
    "won": lambda state: state.is_won,
}


def shares(strategy, conditions, examples=300):
    """Count how many of a hundred examples meet each condition."""
    met = Counter()

    @settings(max_examples=examples, phases=[Phase.generate])
    @given(strategy)
    def look(value):
        met.update(name for name, condition in conditions.items() if condition(value))

    look()
    return {name: 100 * met[name] / examples for name in conditions}


def test_states_are_of_all_phases():
    of_phases = shares(states(rules=st.just(PERNO)), PHASES)
    assert min(of_phases.values()) >= 2, of_phases


def test_views_and_games_are_of_all_kinds():
    of_views = {
        "all known": lambda view: view.is_known,
        "some unseen": lambda view: 1 < view.places < 10,
        "most unseen": lambda view: view.places > 30,
        "some of the waste forgotten": lambda view: None in view.waste,
        "some of the stock known": lambda view: None in view.stock and set(view.stock) != {None},
    }
    of_games = {
        "of a deal": lambda game: isinstance(game.start, Deal),
        "of a position": lambda game: isinstance(game.start, State),
        "with a name": lambda game: game.name,
        "with comments": lambda game: len(game.comments) > 1,
        "with many moves": lambda game: len(game.moves) > 40,
    }
    for strategy, conditions in ((views(), of_views), (games(), of_games)):
        kinds = shares(strategy, conditions, examples=100)
        assert min(kinds.values()) >= 2, kinds


@pytest.mark.parametrize("reading", ["perno-packed", "eagle-wing-packed"])
def test_states_are_packed_where_rules_pack(reading):
    piles = {size: lambda state, size=size: any(len(cell) >= size for cell in state.tableau) for size in (2, 3)}
    of_piles = shares(states(rules=st.just(READINGS[reading])), piles, examples=100)
    assert min(of_piles.values()) >= 2, of_piles


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        (lambda game: len(last(game).waste) >= 3, "T T T"),
        (lambda game: sum(last(game).foundations) > 3, "F:5D F:4D F:3D"),
        (lambda game: last(game).is_won, line_text(solve(Deal(CARDS)).line)),
    ],
)
def test_lines_shrink_to_few_moves_from_a_sorted_deck(condition, line):
    assert smallest(lines(), condition) == (State.start(Deal(CARDS)), parse_line(line))


@given(rules().flatmap(lambda chosen: st.tuples(st.just(chosen), wins(chosen))))
def test_won_deals_are_won(example):
    chosen, (deal, line) = example
    assert last((State.start(deal, chosen), line)).is_won
    assert solve(deal, rules=chosen, budget=Budget(states=500), evidence=False).verdict is not Verdict.LOST


@given(st.sampled_from([*READINGS]).flatmap(lambda name: st.tuples(st.just(name), won_deals(name))))
def test_won_deals_of_readings_are_won(example):
    name, deal = example
    assert solve(deal, rules=name, evidence=False).verdict is Verdict.WON


def test_won_deals_shrink_to_a_sorted_deck_where_that_is_won():
    assert solve(Deal(CARDS), rules="perno-obliged").verdict is Verdict.LOST
    deal = smallest(won_deals("perno-obliged"))
    assert deal.cards[:26] == CARDS[:26]  # and a few of the others are swapped


def test_won_deals_play_on_where_obliged_turning_has_left_nothing():
    chosen = READINGS["perno-obliged"]
    deal, line = win(Deal(CARDS), chosen, [None] * 200)
    assert TURN not in line
    assert last((State.start(deal, chosen), line)).is_won


@given(st.data())
def test_moves_of_a_state_are_its_legal_ones(data):
    state = data.draw(states().filter(State.legal_moves))
    assert data.draw(moves(state)) in state.legal_moves()
    assert data.draw(moves(str(state))) in state.legal_moves()


def test_moves_of_a_state_shrink_towards_turning():
    state = State.start(Deal(CARDS))
    assert [str(move) for move in state.legal_moves()] == ["F:5D", "T"]
    assert smallest(moves(state)) == TURN
    assert str(smallest(moves(state), lambda move: move != TURN)) == "F:5D"


def test_moves_of_a_state_without_any_are_refused():
    over = last((State.start(Deal(CARDS)), solve(Deal(CARDS)).line))
    with pytest.raises(InvalidArgument, match=r"^no move is legal in State.from_text\("):
        moves(over)
    for wrong in (17, Deal(CARDS), "T"):
        with pytest.raises(InvalidState):
            moves(wrong)


def test_strategies_are_found_by_type_without_an_import():
    script = """
from hypothesis import Phase, find, settings, strategies as st
from perno_solver import CARDS, PERNO, TURN, Card, Deal, Game, Move, Rules, State, View
deal, start = Deal(CARDS), State.start(Deal(CARDS))
of = {Card: CARDS[0], Deal: deal, Rules: PERNO, Move: TURN, State: start, View: View(start, ()), Game: Game(deal)}
for kind, simplest in of.items():
    first = settings(max_examples=1, phases=[Phase.generate], database=None)
    assert find(st.from_type(kind), lambda _: True, settings=first) == simplest, kind
"""
    subprocess.run([sys.executable, "-c", script], check=True)  # noqa: S603 - our own words


@pytest.mark.parametrize("kind", MoveKind)
def test_strategies_reach_every_kind_of_move(kind):
    smallest(lines(), lambda game: any(move.kind is kind for move in game[1]), phases=[Phase.generate])


@pytest.mark.parametrize("value", [*Reform, *Build, *Turning, True, None])
def test_strategies_reach_every_rule(value):
    smallest(rules(), lambda chosen: value in astuple(chosen, recurse=False), phases=[Phase.generate])


def test_strategies_are_made_of_what_they_are_given():
    chosen = rules(redeals=st.just(7), pack_from=st.just(frozenset({Place.PIVOT})))
    deal = Deal(reversed(CARDS))
    state = smallest(states(deals=st.just(deal), rules=chosen, max_moves=0))
    assert state == State.start(deal, Rules(redeals=7, pack_from={Place.PIVOT}, pack_limit=1))
    with pytest.raises(NoSuchExample):
        smallest(lines(starts=st.just(state), max_moves=3), lambda game: len(game[1]) > 3 or game[0] != state)


@pytest.mark.parametrize("make", [states, lines])
@pytest.mark.parametrize("max_moves", [-1, 1.5, None])
def test_strategies_refuse_what_they_cannot_generate(make, max_moves):
    with pytest.raises(InvalidArgument, match=f"max_moves is {max_moves}, expected a whole number from 0"):
        make(max_moves=max_moves)
    with pytest.raises(InvalidArgument, match="rules have no field 'deals', expected one of pivot_size, "):
        rules(deals=deals())


def test_strategies_say_what_they_need(monkeypatch):
    monkeypatch.delitem(sys.modules, "perno_solver.strategies")
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=r"needs hypothesis: pip install 'perno_solver\[strategies\]'"):
        importlib.import_module("perno_solver.strategies")
