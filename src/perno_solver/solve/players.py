"""Players who do not see the hidden cards: each a function from what is known to a move.

The rules of thumb, as a person can follow them:

1. Play every card that can go to its foundation, and pack what can be packed.
2. But keep the play that takes the pivot's last card, where the stock would form the pivot again: make it when no more
   than three cards are left in the stock, in the last pass only when none is.
3. In the last pass, where redeals have no limit, and under rules that pack, fill an empty cell from the waste as soon
   as you can; else not before the last redeal.
4. Else turn; else turn the waste over.

`docs/play.md` has the measurement that each of them rests on. A greedy player follows the first and the last alone. A
calculating one goes by the odds, and by the rules of thumb where odds are equal, which is three times of four.
"""

from collections.abc import Callable
from typing import Literal

from perno_solver.checks import Choice, got
from perno_solver.errors import InvalidChoice
from perno_solver.game.cards import Card
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.record import Game, Seen, SeenText
from perno_solver.game.rules import REFORM_SIZE, Reform, Rules
from perno_solver.game.state import State, as_game
from perno_solver.game.view import View, face_up
from perno_solver.proof import Verdict
from perno_solver.solve.budget import Budget
from perno_solver.solve.odds import odds
from perno_solver.solve.solving import solve

Player = Callable[[View], Move]
"""Chooses one of the legal moves of a view, of which there is at least one."""

FEW = 3
"""Stock cards at which a careful player no longer keeps the play that exhausts the pivot, before the last pass."""

MOST_MOVES = 2_000
"""Moves after which a game that goes round is given up."""

WORLDS = 20
"""Worlds that a calculating player weighs at a choice: more win hardly more games."""


def greedy(view: View) -> Move:
    """Play or pack whatever can be, else turn; fill a cell when nothing else is left.

    >>> from perno_solver import Deal, State
    >>> str(greedy(View.of(State.start(Deal.from_seed(42)))))
    'T'
    """
    return min(view.legal_moves(), key=lambda move: _greedy_rank(view, move))


def careful(view: View) -> Move:
    """Follow the rules of thumb."""
    return min(view.legal_moves(), key=lambda move: rank(view, move))


def calculating(view: View, *, worlds: int = WORLDS, seed: int = 0) -> Move:
    """Make the move after which most worlds can be won; of equals the one that the rules of thumb prefer.

    Once everything is known, a line that wins is followed, if there is one.

    Args:
        view: what is known: everything that was ever seen.
        worlds: how many worlds to weigh.
        seed: what they are drawn by.
    """
    return clairvoyant(view) if view.is_known else at_sight(view, worlds=worlds, seed=seed)


def at_sight(view: View, *, worlds: int = WORLDS, seed: int = 0) -> Move:
    """Weigh moves as `calculating` does, by what lies on the table: for one who forgets what is turned face-down.

    Such a player cannot follow a line either, but weighs each move anew.
    """
    moves = view.legal_moves()
    if len(moves) == 1:
        return moves[0]
    found = odds(view, worlds=worlds, seed=seed)
    return min(found.moves, key=lambda option: (-option[1].won, rank(view, option[0])))[0]


def clairvoyant(view: View) -> Move:
    """Make the first move of a line that wins; if none does, that of the rules of thumb. All cards must be known.

    Raises:
        InvalidState: cards are unseen.
    """
    line = solve(view.lay(()), evidence=False).line
    return line[0] if line else careful(view)


def rank(view: View, move: Move) -> int:
    """Return the place of a move in the order in which the rules of thumb prefer moves, 0 first."""
    if move.kind is MoveKind.FILL:
        if move.card != view.world.waste_card:
            return 8
        return 3 if view.world.redeals in {0, None} or view.rules.packs else 6
    if move.card is not None and exhausts(view, move.card):
        return 7 if keeps(view) else 2
    return _greedy_rank(view, move)


def keeps(view: View) -> bool:
    """Whether the stock has so many cards that the play which exhausts the pivot is kept."""
    return len(view.stock) > (0 if view.world.redeals == 0 else FEW)


def _greedy_rank(view: View, move: Move) -> int:
    if move.kind is MoveKind.FILL:
        return 6 if move.card == view.world.waste_card else 8
    return {MoveKind.FOUNDATION: 0, MoveKind.PACK: 1, MoveKind.TURN: 4, MoveKind.REDEAL: 5}[move.kind]


def exhausts(view: View, card: Card) -> bool:
    """Whether to play or pack a card takes the last one of the pivot, and the stock then forms the pivot again."""
    if len(view.pivot) != 1 or view.rules.reform is Reform.NEVER:
        return False
    if len(view.stock) < (REFORM_SIZE if view.rules.reform is Reform.EXACTLY_TEN else 1):
        return False
    return card == view.pivot[0] or (card,) in view.tableau


def play_out(
    start: Deal | State | str,
    player: Player,
    *,
    rules: Rules | str | None = None,
    seen: Seen | SeenText = Seen.REMEMBERED,
) -> Game:
    """Let a player play a game to its end: won, stuck, or going round.

    Args:
        start: the deal or the position, or the text of either.
        player: who plays.
        rules: the rules of the deal, or their text (default `PERNO`); a position has its own.
        seen: what the player knows: see `Seen`.

    Raises:
        InvalidDeal, InvalidState, InvalidRules, InvalidChoice: as in `solve`.
        IllegalMove: the player made a move that is not legal.

    >>> from perno_solver import Deal
    >>> [play_out(Deal.from_seed(seed), careful).state().is_won for seed in (2, 10, 11)]
    [False, False, True]
    """
    start, rules = as_game(start, rules)
    seen = Seen(seen)
    if not callable(player):
        raise InvalidChoice(got(player, "a player: a function from a View to a Move"))
    state = start if isinstance(start, State) else State.start(start, rules)
    known = face_up(state)
    moves: list[Move] = []
    idle = False  # whether no card has moved since the last redeal
    while state.legal_moves() and not state.is_won and len(moves) < MOST_MOVES:
        known |= face_up(state)
        view = (
            View(state, frozenset()) if seen is Seen.ALL else View.of(state, known if seen is Seen.REMEMBERED else ())
        )
        move = player(view)
        if move.kind is MoveKind.REDEAL:
            if idle and rules.redeals is None:
                break
            idle = True
        elif move.kind is not MoveKind.TURN:
            idle = False
        moves.append(move)
        state = state.play(move)
    return Game(start, rules, tuple(moves))


class PlayerName(Choice):
    """The players that surveys know: by rules of thumb, the first two; by odds, with memory or without it."""

    GREEDY = "greedy"
    CAREFUL = "careful"
    CALCULATING = "calculating"
    AT_SIGHT = "at-sight"


PlayerText = Literal["greedy", "careful", "calculating", "at-sight"]


class Level(Choice):
    """How hard a deal is: a greedy player wins it; a careful one does; only calculation may; or it is lost."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    LOST = "lost"


LevelText = Literal["easy", "medium", "hard", "lost"]


def level(start: Deal | State | str, *, rules: Rules | str | None = None, budget: Budget = Budget()) -> Level | None:  # noqa: B008 - a frozen value
    """Say how hard a deal is; None if the budget did not suffice to know whether it can be won.

    Args:
        start: the deal or the position, or the text of either.
        rules: the rules of the deal, or their text (default `PERNO`); a position has its own.
        budget: how much the verdict may use.

    Raises:
        InvalidDeal, InvalidState, InvalidRules, InvalidBudget: as in `solve`.

    >>> from perno_solver import Deal
    >>> [level(Deal.from_seed(seed)).value for seed in (1, 2, 11)]
    ['lost', 'hard', 'easy']
    """
    verdict = solve(start, rules=rules, budget=budget, evidence=False).verdict
    if verdict is not Verdict.WON:
        return Level.LOST if verdict is Verdict.LOST else None
    for player, at in ((greedy, Level.EASY), (careful, Level.MEDIUM)):
        if play_out(start, player, rules=rules).state().is_won:
            return at
    return Level.HARD
