"""Hints: the move to make for a player who knows only what has been seen, and why."""

from attrs import frozen

from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.view import View
from perno_solver.show.words import named
from perno_solver.solve.budget import Budget, Flag
from perno_solver.solve.odds import Odds, Share, odds
from perno_solver.solve.players import exhausts, rank

WORLDS = 20_000
"""Most worlds tried for a hint."""

ENOUGH = 50
"""Won worlds after which no more are tried: where few worlds are won, many have to be tried to compare moves."""


@frozen
class Hint:
    """Advice for a move.

    Args:
        odds: what it rests on.
        moves: the legal moves with their shares, best first.
        best: the move advised; None where there is none to make, or the game is proved lost or is won.
        reason: why, in words.
    """

    odds: Odds
    moves: tuple[tuple[Move, Share], ...]
    best: Move | None
    reason: str


def hint(
    view: View | str,
    *,
    worlds: int = WORLDS,
    enough: int | None = ENOUGH,
    seed: int = 0,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    cancel: Flag | None = None,
) -> Hint:
    """Advise a move: the one with the best odds; of equals the one that the rules of thumb prefer.

    Where all cards are known, that is exact: each move has its verdict, and no line is given away.

    Args and errors as in `odds`.

    >>> from perno_solver import Deal, State
    >>> print(hint(View.of(State.start(Deal.from_seed(2)))).reason)
    it is the only move
    """
    return advise(odds(view, worlds=worlds, enough=enough, seed=seed, budget=budget, cancel=cancel))


def advise(found: Odds) -> Hint:
    """Advise a move by odds that were found already."""
    moves = tuple(sorted(found.moves, key=lambda option: (-option[1].won, rank(found.view, option[0]))))
    lost = found.share.is_lost or not moves
    return Hint(found, moves, None if lost or found.view.is_won else moves[0][0], _reason(found, moves))


def _reason(found: Odds, moves: tuple[tuple[Move, Share], ...]) -> str:
    """Say why the first of the moves is advised, or none."""
    view, share = found.view, found.share
    if not moves:
        return "the game is won" if view.is_won else "the game is lost: no move is left"
    if share.is_lost:
        return "the game is lost, proved" + " for all ways in which the unseen cards can lie" * (not view.is_known)
    if len(moves) == 1:
        return "it is the only move"
    if not share.won:
        return f"none of {share.worlds:,} worlds tried was won, which proves nothing; the rules of thumb prefer it"
    (best, good), (second, less), *_ = moves
    if less.won < good.won:
        return f"{named(best)} wins {_how_often(good)}, {named(second)} {_how_often(less).removesuffix(_OF_WAYS)}"
    return f"{_equal(view, moves)}, {_how_often(good)}: {_habit(view, moves)}"


def _equal(view: View, moves: tuple[tuple[Move, Share], ...]) -> str:
    """Say how many moves are as good as the first."""
    equal = sum(share.won == moves[0][1].won for _, share in moves)
    return ("all moves win" if equal == len(moves) else f"{equal} moves win") + " alike" * (not view.is_known)


def _habit(view: View, moves: tuple[tuple[Move, Share], ...]) -> str:
    """Say by which habit the first of equal moves is preferred."""
    best = moves[0][0]
    kept = [move for move, share in moves if share.won == moves[0][1].won and move.card and exhausts(view, move.card)]
    if best in kept:
        return "the stock is so low that the pivot's last card may go"
    if kept and best.kind in (MoveKind.TURN, MoveKind.REDEAL):
        return f"hold {named(kept[0])}, which takes the pivot's last card while the stock would form it again"
    if best.kind in (MoveKind.FOUNDATION, MoveKind.PACK):
        return "play now what does not empty the pivot"
    return "by the rules of thumb"


def _how_often(share: Share) -> str:
    """Write a share in words."""
    if share.exact and share.worlds == 1:
        return "for sure" if share.won else "never"
    return f"in {percent(share)}{_OF_WAYS}"


_OF_WAYS = " of the ways the unseen cards can lie"


def percent(share: Share) -> str:
    """Write the rate of a share, of which a world was tried, in whole percents; 0 and 100 stand for none and all."""
    rate = share.won / share.worlds
    return "<1 %" if 0 < rate < 0.01 else ">99 %" if 0.99 < rate < 1 else f"{100 * rate:.0f} %"
