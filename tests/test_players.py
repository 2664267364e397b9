"""Players: those of the kernel make the moves of those in Python; what the rules of thumb say, position by position."""

import functools

import pytest

from perno_solver import READINGS, Deal, Level, Rules, Verdict, level, play_out, solve
from perno_solver.kernel import COMPILED
from perno_solver.solve.engine import kernel_for
from perno_solver.solve.players import at_sight, calculating, careful, greedy
from perno_solver.survey.chunks import VERDICTS

ROUND_AND_ROUND = ["perno,redeals=unlimited", "perno-packed,redeals=unlimited,fill-from=waste+tableau"]
OFTEN_WON = [  # so that the moves of many games are compared
    *("perno-packed,pivot-open=yes", "eagle-wing-packed,pivot-open=yes", "eagle-wing,pivot-open=yes,pivot-size=2"),
    *("perno-packed,reform=exactly-ten,pivot-size=3", "perno-tens,pivot-open=yes,pivot-size=3"),
]


def of_kernel(name, player, seen, deals):
    """Let the kernel's player play deals: whether each was won, and the sum of moves in those that were."""
    codes, moves, passes = kernel_for(Rules.from_text(name)).play(player, seen == "remembered", 5, 7, 0, deals, 10**6)
    won = [VERDICTS[codes[deal >> 2] >> 2 * (deal & 3) & 3] is Verdict.WON for deal in range(deals)]
    assert sum(moves) == sum(passes) == sum(won)
    return won, sum(length * number for length, number in enumerate(moves))


def of_python(name, player, seen, deals):
    """Let the player in Python play them: the same."""
    games = [play_out(Deal.from_seed(seed), player, rules=name, seen=seen) for seed in range(deals)]
    won = [game.state().is_won for game in games]
    return won, sum(len(game.moves) for game, wins in zip(games, won, strict=True) if wins)


@pytest.mark.parametrize("name", [*READINGS, *ROUND_AND_ROUND, "perno,pivot-open=yes", *OFTEN_WON * COMPILED])
@pytest.mark.parametrize("player", [greedy, careful])
def test_the_kernels_players_of_thumb_are_those_of_python(name, player):
    deals = 10 if COMPILED else 3
    assert of_python(name, player, "remembered", deals) == of_kernel(name, player.__name__, "remembered", deals)


@pytest.mark.parametrize("name", [*READINGS, *["perno,pivot-size=3", *OFTEN_WON] * COMPILED])
@pytest.mark.parametrize("seen", ["remembered", "table"])
def test_the_kernels_calculating_player_is_that_of_python(name, seen):
    deals = 1 if not COMPILED else 6 if name in OFTEN_WON else 2
    player = functools.partial(calculating if seen == "remembered" else at_sight, worlds=5, seed=7)
    assert of_python(name, player, seen, deals) == of_kernel(name, "calculating", seen, deals)


def test_a_game_that_is_lost_once_all_is_seen_is_not_won():
    """A deal that can be won, and is thrown away by who weighs a single world at each choice."""
    player = functools.partial(calculating, worlds=1, seed=0)
    assert not play_out(Deal.from_seed(1225), player).state().is_won
    codes, *_ = kernel_for(Rules.from_text("perno")).play(
        "calculating", remembers=True, tries=1, seed=0, first=1225, deals=1, most=10**6
    )
    assert codes == b"\2"
    assert solve(Deal.from_seed(1225), evidence=False).verdict is Verdict.WON


def test_levels_say_who_wins():
    deals = range(21 if COMPILED else 12)
    for seed in deals:
        deal = Deal.from_seed(seed)
        won = {player: play_out(deal, player).state().is_won for player in (greedy, careful)}
        if solve(deal, evidence=False).verdict is Verdict.LOST:
            assert level(deal) is Level.LOST
            assert not any(won.values())
        else:
            assert level(deal) is (Level.EASY if won[greedy] else Level.MEDIUM if won[careful] else Level.HARD)
    assert len({level(Deal.from_seed(seed)) for seed in deals}) >= 2
