"""Odds for a player who has not seen the cards: held against going through the worlds one by one with `solve`."""

import random
from itertools import islice, permutations
from math import factorial
from threading import Event

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from short_games import short_games

from perno_solver import (
    READINGS,
    TURN,
    Budget,
    Deal,
    Game,
    InvalidChoice,
    InvalidState,
    Rules,
    State,
    Verdict,
    View,
    hint,
    odds,
    odds_in_steps,
    solve,
)
from perno_solver.game.view import exposed
from perno_solver.kernel import COMPILED
from perno_solver.solve.odds import STEP, Share
from perno_solver.solve.players import careful, play_out

UNSEEN = """
rules: perno
base: 5
foundations: 5S
tableau: 7C QC JD QD 8H 7S 9S TS
pivot: 10?
stock: 21?
waste: KC 9D 3H 3D 7H QH 7D 6S 6H 4H 9H 3C
redeals: 2
"""


LATE = {  # a game by the rules of thumb, and moves after which few cards are unseen
    "perno": [(0, 105), (6, 61)],
    "perno-tens": [(6, 61)],
    "perno-packed": [(0, 77), (8, 73)],
    "eagle-wing": [(8, 99)],
}


def late_views(name):
    """Take views with two to four unseen cards."""
    return [play_out(Deal.from_seed(seed), careful, rules=name).view(at) for seed, at in LATE[name]]


def wins(state):
    return solve(state, evidence=False).verdict is Verdict.WON


@pytest.mark.parametrize("name", LATE)
def test_odds_over_all_worlds_are_what_going_through_them_gives(name):
    for view in late_views(name):
        found = odds(view, worlds=24)
        laid = [view.lay(cards) for cards in permutations(sorted(view.unseen))]
        assert len(laid) == view.worlds == found.share.worlds == factorial(view.places)
        assert found.share == Share(sum(map(wins, laid)), 0, len(laid), exact=True)
        assert tuple(move for move, _ in found.moves) == view.legal_moves()
        for move, share in found.moves:
            assert share.won == sum(wins(world.play(move)) for world in laid)


def test_a_sample_is_near_the_truth():
    for view in late_views("perno-packed"):
        truth = odds(view, worlds=view.worlds).share
        sample = odds(evolve(view), worlds=view.worlds - 1).share
        assert truth.exact
        assert not sample.exact
        assert truth.interval == (truth.rate, truth.rate)
        low, high = sample.interval
        assert low - 0.1 < truth.rate < high + 0.1


def test_odds_do_not_depend_on_unseen_cards():
    for seed in range(3 if COMPILED else 1):
        game = Game(Deal.from_seed(seed), "perno-packed", "T T T")
        state, chance = game.state(), random.Random(seed)
        hidden = sorted(game.view().unseen)
        chance.shuffle(hidden)
        other = game.view().lay(hidden)
        assert other != state
        again = View.of(other, set(state.waste))
        assert again == game.view()
        assert odds(again, worlds=10) == odds(game.view(), worlds=10)


def test_odds_are_the_same_everywhere_for_a_seed():
    view = Game(Deal.from_seed(2), moves="T").view()
    found = [odds(view, worlds=60, seed=seed).share.won for seed in (0, 1, 2**64 - 1)]
    assert found == [1, 4, 3]


def test_steps_lead_to_the_odds():
    view = View.of(State.start(Deal.from_seed(2)))
    steps = list(odds_in_steps(view, worlds=STEP + 7))
    assert [step.share.worlds for step in steps] == [STEP, STEP + 7]
    assert steps[-1] == odds(view, worlds=STEP + 7)
    stopped = odds(view, worlds=10 * STEP, enough=1).share
    assert stopped.worlds % STEP == 0
    assert stopped.won >= 1
    assert next(islice(odds_in_steps(view), 1)).share.worlds == STEP


def test_a_sample_never_proves_a_loss():
    found = odds(View.from_text(UNSEEN), worlds=20)
    assert not found.share.won
    assert not found.share.exact
    assert not found.share.is_lost
    assert found.share.interval[1] > 0.05


def test_all_worlds_prove_a_loss():
    lost = play_out(Deal.from_seed(6), careful).view(61)
    assert (lost.places, len(lost.legal_moves())) == (4, 3)
    assert odds(lost, worlds=24).share.is_lost
    assert hint(lost).best is None
    assert hint(lost).reason == "the game is lost, proved for all ways in which the unseen cards can lie"
    assert not odds(lost, worlds=1).share.is_lost


def test_worlds_that_are_given_up_are_unknown_and_not_lost():
    view = View.of(State.start(Deal.from_seed(0), "eagle-wing-packed"))
    found = odds(view, worlds=5, budget=Budget(states=1))
    assert found.share.unknown > 0
    assert found.share.interval[1] > found.share.rate
    assert not found.share.is_lost
    assert not Share(0, 1, 1, exact=True).is_lost
    assert Share(0, 1, 1, exact=True).interval == (0, 1)


def test_a_move_that_wins_decides_a_world_that_was_given_up():
    rules = Rules.from_text("eagle-wing-packed")
    for seed in range(6 if COMPILED else 1):
        view = View.of(State.start(Deal.from_seed(seed), rules))
        for states in (1, 3, 10):
            found = odds(view, worlds=8, budget=Budget(states=states))
            most = max(share.won for _, share in found.moves)
            assert found.share.won >= most
            assert found.share.won + found.share.unknown <= found.share.worlds


def test_what_is_all_seen_is_exact():
    for seed in (1, 2):
        found = odds(View(State.start(Deal.from_seed(seed)), frozenset()))
        assert found.share == Share(int(seed == 2), 0, 1, exact=True)


def test_a_budget_of_seconds_returns_what_is_known():
    view = View.of(State.start(Deal.from_seed(2)))
    found = odds(view, budget=Budget(seconds=1e-9))
    assert found.share == Share(0, 0, 0, exact=False)
    assert found.share.rate is None
    assert found.share.interval == (0, 1)
    assert found.reason == "the budget of 1e-09 seconds is used up"


def test_odds_can_be_cancelled():
    cancel = Event()
    steps = odds_in_steps(View.of(State.start(Deal.from_seed(2))), worlds=10**6, cancel=cancel)
    first = next(steps)
    cancel.set()
    last = next(steps)
    assert last == evolve(first, reason="cancelled")
    assert next(steps, None) is None


@pytest.mark.parametrize(
    ("keyword", "value"),
    [("worlds", 0), ("worlds", True), ("worlds", 1.0), ("enough", 0), ("seed", -1), ("seed", 2**64), ("seed", "1")],
)
def test_what_is_out_of_range_is_refused(keyword, value):
    with pytest.raises(InvalidChoice, match="expected"):
        odds(UNSEEN, **{keyword: value})


def test_what_is_no_view_is_refused():
    with pytest.raises(InvalidState, match="expected a View"):
        odds(42)


@given(short_games(), st.integers(0, 12), st.randoms())
def test_short_games_under_any_rules_have_the_odds_of_their_worlds(short, turns, order):
    """Three cards are unseen, wherever they lie: in pivot or stock, or forgotten in the waste."""
    state = short.start
    for _ in range(turns):
        state = state.play(TURN) if TURN in state.legal_moves() else state
    unseen = sorted({*state.pivot, *state.stock, *state.waste} - exposed(state))
    view = View(state, frozenset(order.sample(unseen, min(3, len(unseen)))))
    found = odds(view, worlds=24)
    laid = [view.lay(cards) for cards in permutations(sorted(view.unseen))]
    assert found.share.worlds == len(laid)
    assert found.share.won == sum(map(wins, laid))
    for move, share in found.moves:
        assert share.won == sum(wins(world.play(move)) for world in laid)


@pytest.mark.parametrize("name", READINGS)
def test_hints_advise_the_move_with_the_best_odds(name):
    for seed in range(3 if COMPILED else 1):
        game = play_out(Deal.from_seed(seed), careful, rules=name)
        advice = hint(game.view(len(game.moves) // 2), worlds=60 if COMPILED else 10)
        if advice.best is not None:
            shares = dict(advice.moves)
            assert shares[advice.best].won == max(share.won for share in shares.values())
            assert advice.moves[0][0] == advice.best
            assert set(shares) == set(advice.odds.view.legal_moves())


HOLD = "K♣ to its foundation, which takes the pivot's last card while the stock would form it again"
REASONS = {
    ("perno", 2, 0, "table"): "it is the only move",
    ("perno", 2, 3, "all"): "A♥ to its foundation wins for sure, turning never",
    ("perno", 2, 13, "all"): "all moves win, for sure: play now what does not empty the pivot",
    ("perno", 2, 69, "all"): "2 moves win, for sure: play now what does not empty the pivot",
    ("perno", 2, 102, "all"): "the game is lost: no move is left",
    ("perno", 2, 78, "all"): "the game is lost, proved",
    ("perno", 6, 62, "remembered"): "the game is lost, proved for all ways in which the unseen cards can lie",
    (
        "perno",
        6,
        47,
        "remembered",
    ): "none of 20 worlds tried was won, which proves nothing; the rules of thumb prefer it",
    ("perno", 11, 79, "all"): f"all moves win, for sure: hold {HOLD}",
    ("perno", 11, 80, "all"): "all moves win, for sure: the stock is so low that the pivot's last card may go",
    (
        "perno-packed",
        3,
        70,
        "remembered",
    ): "2 moves win alike, in 30 % of the ways the unseen cards can lie: play now what does not empty the pivot",
    ("perno", 10, 102, "all"): "2 moves win, for sure: by the rules of thumb",  # both empty the pivot, too early
    ("perno", 11, 133, "all"): "the game is won",
    ("perno-packed", 10, 116, "all"): "all moves win, for sure: by the rules of thumb",
    ("perno-packed", 2, 85, "all"): "T♥ to an empty cell wins for sure, turning the waste over never",
}


@pytest.mark.parametrize(("name", "seed", "at", "seen"), REASONS)
def test_hints_say_why(name, seed, at, seen):
    view = play_out(Deal.from_seed(seed), careful, rules=name).view(at, seen)
    advice = hint(view, worlds=20)
    assert advice.reason == REASONS[name, seed, at, seen]
    assert (advice.best is None) is any(word in advice.reason for word in ("lost", "the game is won"))


def test_odds_that_are_not_equal_are_said_beside_each_other():
    view = play_out(Deal.from_seed(10), careful).view(64)
    assert hint(view, worlds=20).reason == (
        "9♠ to its foundation wins in 35 % of the ways the unseen cards can lie, turning in 0 %"
    )
