"""What is played by itself is never wrong, whatever lies where."""

import random

import pytest
from hypothesis import given

from perno_solver import Deal, Game, State, Verdict, View, play_out, solve
from perno_solver import strategies as perno
from perno_solver.solve.players import greedy
from perno_solver.solve.safe import FEW_WORLDS, safe_play


def can_be_won(state):
    return solve(state, evidence=False).verdict is Verdict.WON


@given(perno.views())
def test_no_world_is_lost_by_a_safe_play(view):
    move = safe_play(view)
    if move is None:
        return
    assert move in view.legal_moves()
    unseen, draw = sorted(view.unseen), random.Random(7)
    for _ in range(5):
        draw.shuffle(unseen)
        world = view.lay(unseen)
        assert can_be_won(world.play(move)) or not can_be_won(world)


@pytest.mark.parametrize("rules", ["perno", "perno-packed", "eagle-wing", "eagle-wing-packed"])
def test_safe_plays_of_whole_games(rules):
    """By the plain verdicts of all positions of games; and there are such plays."""
    found = 0
    for seed in range(4):
        game = play_out(Deal.from_seed(seed), greedy, rules=rules)
        for at in range(len(game.moves)):
            move, state = safe_play(game.view(at)), game.state(at)
            if move is not None:
                found += 1
                assert can_be_won(state.play(move)) or not can_be_won(state)
    assert found > 0


def test_in_the_last_pass_the_waste_is_played():
    state = State.start(Deal.from_seed(2), "perno,redeals=0")
    while str(next(iter(state.legal_moves()))) == "T" and len(state.legal_moves()) == 1:
        state = state.play("T")
    assert str(safe_play(View.of(state))) == "F:AH"
    other = State.start(Deal.from_seed(2)).play("T").play("T").play("T")
    assert safe_play(View.of(other)) is None  # with redeals left it might be better to wait


def test_where_few_cards_are_hidden_all_worlds_are_searched():
    line = solve(Deal.from_seed(11), evidence=False).line
    game = Game(Deal.from_seed(11), moves=line)
    by_search = [
        at
        for at in range(len(line))
        if game.view(at).worlds <= FEW_WORLDS and game.state(at).pivot and safe_play(game.view(at)) is not None
    ]
    assert by_search


def test_nothing_is_safe_in_a_game_that_is_lost():
    game = play_out(Deal.from_seed(2), greedy)
    lost = [game.view(at) for at in range(64, len(game.moves)) if game.state(at).pivot]
    assert lost
    assert {safe_play(view) for view in lost if view.world.redeals} <= {None}
