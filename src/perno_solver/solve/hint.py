"""Hints: the move to make for a player who knows only what has been seen, and why."""

from attrs import frozen

from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.view import View
from perno_solver.show.texts import ENGLISH, Texts
from perno_solver.show.words import named
from perno_solver.solve.budget import Budget, Flag
from perno_solver.solve.odds import Odds, Share, odds
from perno_solver.solve.players import exhausts, keeps, rank

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


def advise(found: Odds, texts: Texts = ENGLISH) -> Hint:
    """Advise a move by odds that were found already.

    Args:
        found: the odds.
        texts: the language of the reason.
    """
    moves = tuple(sorted(found.moves, key=lambda option: (-option[1].won, rank(found.view, option[0]))))
    lost = found.share.is_lost or not moves
    return Hint(found, moves, None if lost or found.view.is_won else moves[0][0], _reason(found, moves, texts))


def _reason(found: Odds, moves: tuple[tuple[Move, Share], ...], texts: Texts) -> str:  # noqa: PLR0911 - a reason each
    """Say why the first of the moves is advised, or none."""
    view, share, _ = found.view, found.share, texts.gettext
    if not moves:
        return _("the game is won") if view.is_won else _("the game is lost: no move is left")
    if share.is_lost:
        if view.is_known:
            return _("the game is lost, proved")
        return _("the game is lost, proved for all ways in which the unseen cards can lie")
    if len(moves) == 1:
        return _("it is the only move")
    if not share.won:
        none = texts.ngettext(
            "none of {number} world tried was won, which proves nothing; the rules of thumb prefer it",
            "none of {number} worlds tried was won, which proves nothing; the rules of thumb prefer it",
            share.worlds,
        )
        return none.format(number=f"{share.worlds:,}")
    (best, good), (second, less), *_others = moves
    if less.won < good.won:
        values = {"move": named(best, texts), "other": named(second, texts)}
        if not (good.exact and good.worlds == 1):
            wins = _("{move} wins in {share} of the ways the unseen cards can lie, {other} in {less}")
            return wins.format(**values, share=percent(good), less=percent(less))
        if less.unknown:
            return _("{move} wins for sure, {other} is undecided").format(**values)
        return _("{move} wins for sure, {other} never").format(**values)
    return _equal(view, moves, texts)


def _equal(view: View, moves: tuple[tuple[Move, Share], ...], texts: Texts) -> str:
    """Say how many moves are as good as the first, and why it is preferred."""
    good, _ = moves[0][1], texts.gettext
    equal = sum(share.won == good.won for _move, share in moves)
    values = {"number": equal, "habit": _habit(view, moves, texts)}
    if view.is_known:
        wins = _("all moves win, for sure: {habit}")
        if equal < len(moves):
            wins = _("{number} moves win, for sure: {habit}")
        return wins.format(**values)
    wins = _("all moves win alike, in {share} of the ways the unseen cards can lie: {habit}")
    if equal < len(moves):
        wins = _("{number} moves win alike, in {share} of the ways the unseen cards can lie: {habit}")
    return wins.format(**values, share=percent(good))


def _habit(view: View, moves: tuple[tuple[Move, Share], ...], texts: Texts) -> str:
    """Say by which habit the first of equal moves is preferred."""
    best, _ = moves[0][0], texts.gettext
    kept = [move for move, share in moves if share.won == moves[0][1].won and move.card and exhausts(view, move.card)]
    if best in kept:
        return _("by the rules of thumb") if keeps(view) else _("the stock is so low that the pivot's last card may go")
    if kept and best.kind in (MoveKind.TURN, MoveKind.REDEAL):
        hold = _("hold {move}, which takes the pivot's last card while the stock would form it again")
        return hold.format(move=named(kept[0], texts))
    if best.kind in (MoveKind.FOUNDATION, MoveKind.PACK):
        return _("play now what does not empty the pivot")
    return _("by the rules of thumb")


def percent(share: Share) -> str:
    """Write the rate of a share, of which a world was tried, in whole percents; 0 and 100 stand for none and all."""
    rate = share.won / share.worlds
    return "<1 %" if 0 < rate < 0.01 else ">99 %" if 0.99 < rate < 1 else f"{100 * rate:.0f} %"
