"""What the page is told of a game's chances, as plain data that gets better step by step; never of a hidden card."""

from bisect import bisect_left
from collections.abc import Generator, Iterator
from math import ceil, floor
from typing import cast

from attrs import frozen

from perno_solver.errors import InvalidChoice
from perno_solver.game.deal import SEEDS, Deal
from perno_solver.game.moves import Move
from perno_solver.game.rules import Rules
from perno_solver.game.view import View
from perno_solver.proof import Verdict
from perno_solver.show.texts import Texts
from perno_solver.show.words import named
from perno_solver.solve import Budget, Level, Odds, Share, level, odds, odds_in_steps, solve
from perno_solver.solve.hint import advise
from perno_solver.web.kept import Kept

Data = dict[str, object]


@frozen
class Effort:
    """How much work an answer may take; by the number of worlds, so that equal questions have equal answers.

    Args:
        states: stored for one question in one world, at most; a world that takes more is unknown.
        worlds: tried for a hint, at most.
        enough: won worlds after which a hint needs no more.
        review: worlds tried at each point of a review.
        deals: looked at for a deal of a level.
        seconds: for a verdict; at their end it is unknown.
    """

    states: int = 100_000
    worlds: int = 5_000
    enough: int = 50
    review: int = 150
    deals: int = 20_000
    seconds: float = 5


PLAIN = Effort(states=2_000, worlds=400, enough=20, review=20, deals=2_000)
"""For a kernel in plain Python, as in the browser: some fifty times slower."""

TURNING_POINT = 0.05
"""How much chance a move has to cost to be told as a turning point."""

_STEP = 10  # deals between two looks


def hinted(kept: Kept, effort: Effort, texts: Texts) -> Iterator[Data]:
    """Yield the odds of each move, and the one advised."""
    for found in _tried(kept.view, effort, effort.enough):
        advice = advise(found, texts)
        moves = [{"move": str(move), **share_data(share)} for move, share in advice.moves]
        best = None if advice.best is None else str(advice.best)
        reason = advice.reason
        yield {**_odds_data(found), "moves": moves, "best": best, "reason": f"{reason[0].upper()}{reason[1:]}."}


def _tried(view: View, effort: Effort, enough: int | None = None) -> Iterator[Odds]:
    return odds_in_steps(view, worlds=effort.worlds, enough=enough, budget=Budget(states=effort.states))


def chances(kept: Kept, effort: Effort) -> Iterator[Data]:
    """Yield with which chance the game can still be won."""
    for found in _tried(kept.view, effort, effort.enough):
        yield _odds_data(found)


def truth(kept: Kept, effort: Effort) -> Data:
    """Say whether the game can still be won, by all cards, and nothing else of them."""
    found = solve(kept.table.state, budget=Budget(seconds=effort.seconds), evidence=False)
    return {"verdict": found.verdict.value}


def is_lost(kept: Kept, effort: Effort) -> Iterator[Data]:
    """Yield whether a game is lost for sure, whatever lies where; known when all ways to lay the cards were tried."""
    lost = False
    if kept.view.worlds <= effort.worlds:
        for found in _tried(kept.view, effort):
            lost = found.share.is_lost
            if found.share.won:
                break
            yield {"lost": lost}
    yield {"lost": lost}


def reviewed(kept: Kept, effort: Effort, texts: Texts) -> Iterator[Data]:
    """Yield the chance at each point of a game, from coarse to fine, and in the end all, and the moves that cost most.

    What a move has cost is the difference to the best move in the same worlds.
    """
    moves = kept.game.moves
    points: list[Data] = []
    costs: list[tuple[float, int, Move]] = []
    for at in _from_coarse_to_fine(len(moves)):
        found = odds(kept.game.view(at), worlds=effort.review, budget=Budget(states=effort.states))
        points.append({"at": at, **share_data(found.share), "lost": found.share.is_lost})
        if at < len(moves):
            shares = dict(found.moves)
            best = max(shares, key=lambda move: shares[move].won)
            costs.append(((shares[best].won - shares[moves[at]].won) / found.share.worlds, at, best))
        yield {"points": points[-1:], "turns": [], "of": len(moves) + 1}
    dearest = sorted(costs, key=lambda cost: (-cost[0], cost[1]))[:_MOST_TURNS]
    turns = [
        {"at": at, "move": str(moves[at]), "name": named(moves[at], texts), "best": named(best, texts), "cost": cost}
        for cost, at, best in sorted(dearest, key=lambda cost: cost[1])
        if cost >= TURNING_POINT
    ]
    points.sort(key=lambda point: cast(int, point["at"]))
    yield {"points": points, "turns": turns, "of": len(moves) + 1}


def _from_coarse_to_fine(last: int) -> list[int]:
    """List the numbers from 0 to `last`: both ends, the multiples of large powers of two, those of smaller ones."""
    return [*{0, last}, *sorted(range(1, last), key=lambda at: (-(at & -at), at))]


_MOST_TURNS = 5


def lost_at(kept: Kept, effort: Effort) -> Data:
    """Say, by all cards, after how many moves a game could first be known not to be won any more; None for never.

    No move wins back what is lost, so that halving finds it.
    """

    def is_lost(at: int) -> bool:
        found = solve(kept.game.state(at), budget=Budget(seconds=effort.seconds), evidence=False)
        return found.verdict is Verdict.LOST

    places = range(len(kept.game.moves) + 1)
    found = bisect_left(places, x=True, key=is_lost)
    return {"lost_at": found if found in places else None}


def sought(rules: Rules, wanted: Level | None, first: int, effort: Effort, texts: Texts) -> Generator[Data, None, int]:
    """Look for a deal of a level, or any that can be won, and return its seed; yield how many were looked at meanwhile.

    Raises:
        InvalidChoice: no such deal is among them.
    """
    budget = Budget(states=10 * effort.states, seconds=effort.seconds)
    for number in range(1, effort.deals + 1):
        seed = (first + number) % SEEDS
        found = level(Deal.from_seed(seed), rules=rules, budget=budget)
        if found is not None and (found is wanted or (wanted is None and found is not Level.LOST)):
            return seed
        if number % _STEP == 0:
            yield {"looked_at": number}
    none = texts.ngettext(
        "{number} deal was looked at, and is not of this level under these rules",
        "{number} deals were looked at, and none is of this level under these rules",
        effort.deals,
    )
    raise InvalidChoice(none.format(number=effort.deals))


def share_data(share: Share) -> Data:
    """List what is known of a share, in whole percents, so that the ends hold what they promise."""
    low, high = share.interval
    return {"rate": share.rate, "low": floor(100 * low), "high": ceil(100 * high)}


def _odds_data(found: Odds) -> Data:
    share = found.share
    counts = {"worlds": share.worlds, "won": share.won, "exact": share.exact, "unseen": found.view.places}
    return {**counts, **share_data(share), "lost": share.is_lost}
