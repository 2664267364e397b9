"""Moves that cannot be wrong: proved, by what a player knows, not to turn a game that can be won into a lost one."""

from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.rules import Place, Turning
from perno_solver.game.view import View
from perno_solver.lemmas import may_reform, play_applies
from perno_solver.solve.budget import Budget
from perno_solver.solve.odds import odds

FEW_WORLDS = 24
"""Worlds up to which all of them are searched: with four unseen cards or fewer."""

MOST_STATES = 10_000
"""States that a search of one world may store; where it needs more, nothing is known to be right."""


def safe_play(view: View) -> Move | None:
    """Return a play to a foundation that cannot be wrong, whatever lies where, or None where none is known to be.

    What is proved by the lemmas *play*, *pile* and *safe* (`docs/lemmas.md`) depends on no unseen card. Else, where
    there are few worlds, a play is proved right by searching all: it wins in each that can be won at all.

    >>> from perno_solver import Deal, Game, solve
    >>> deal = Deal.from_seed(11)
    >>> game = Game(deal, moves=solve(deal).line)
    >>> safe_play(game.view(0)), safe_play(game.view(76))
    (None, Move.from_text('F:2C'))
    """
    plays = [move for move in view.legal_moves() if move.kind is MoveKind.FOUNDATION]
    proved = next((move for move in plays if _is_proved(view, move)), None)
    if proved is not None or not plays or view.worlds > FEW_WORLDS:
        return proved
    found = odds(view, worlds=FEW_WORLDS, budget=Budget(states=MOST_STATES))
    if found.share.unknown or not found.share.won:
        return None
    return next((move for move, share in found.moves if move in plays and share.won == found.share.won), None)


def _is_proved(view: View, move: Move) -> bool:
    """Whether a lemma says that a play may be made at once."""
    rules, state = view.rules, view.world
    if play_applies(rules) and not may_reform(state):
        return True
    if rules.turning is not Turning.FREE:
        return False
    if move.card == state.waste_card:
        return state.redeals == 0
    packed = any(len(cell) > 1 and cell[-1] == move.card for cell in state.tableau)
    return packed and Place.TABLEAU not in rules.fill_from
