"""Moves in words, so that hands can follow them on a real table."""

from collections.abc import Iterable

from perno_solver.checks import require
from perno_solver.errors import InvalidState
from perno_solver.game.moves import Move, MoveKind, as_line, as_move
from perno_solver.game.state import State
from perno_solver.show.table import Table, formed


def in_words(before: State, move: Move | str, after: State) -> str:
    """Say what a move does, with everything automatic that it causes, so that hands can follow.

    Args:
        before: the position before the move.
        move: the move, or its text.
        after: the position after it.

    Raises:
        InvalidMove, InvalidState: they are something else.

    >>> from perno_solver.game.deal import Deal
    >>> from perno_solver.game.moves import TURN
    >>> start = State.start(Deal.from_seed(42))
    >>> in_words(start, TURN, start.play(TURN))
    'turn K♣'
    """
    move = as_move(move)
    for state in (before, after):
        require(state, State, InvalidState, "a State")
    said = [_said(before, move, after)]
    bottoms = {cell[0] for cell in after.tableau}
    if before.pivot and before.pivot[-1] in bottoms:
        said.append(f"the pivot's {before.pivot[-1].pretty} fills its place")
    counted = formed(before, move, after)
    if counted:
        said.append(f"the pivot is formed again ({_cards(len(counted))})")
        filled = [card.pretty for card in reversed(counted) if card in bottoms]
        if filled:
            said.append(f"from its top {', '.join(filled)} to the empty cells")
    if len(after.pivot) == 1 and after.pivot != before.pivot:
        said.append(f"the pivot's last card is {after.pivot[0].pretty}")
    return "; ".join(said)


def named(move: Move) -> str:
    """Name a move for someone who does not see what it turns up.

    >>> named(Move.from_text("F:7S")), named(Move.from_text("T"))
    ('7♠ to its foundation', 'turning')
    """
    if move.card is None:
        return "turning" if move.kind is MoveKind.TURN else "turning the waste over"
    goes = {
        MoveKind.FOUNDATION: "to its foundation",
        MoveKind.FILL: "to an empty cell",
        MoveKind.PACK: "onto its neighbour",
    }
    return f"{move.card.pretty} {goes[move.kind]}"


def followed(table: Table, line: Iterable[Move | str] | str, columns: int = 60) -> str:
    """Tell a line from a table on: each move numbered and in words, the table drawn where much of it has changed.

    That is at the start, and whenever the waste has been turned over or the pivot formed again.

    Args:
        table: where the line starts.
        line: legal moves, or their text.
        columns: how wide the table may be drawn; the words are not wrapped.

    Raises:
        InvalidMove, InvalidState: they are something else.
        IllegalMove: a move is not legal when its turn comes.
    """
    require(table, Table, InvalidState, "a Table")
    parts = [f"{table.drawn(columns)}\n"]
    for number, move in enumerate(as_line(line), start=1):
        before, table = table.state, table.play(move)
        parts.append(f"{number:>4}  {in_words(before, move, table.state)}")
        if (move.kind is MoveKind.REDEAL or formed(before, move, table.state)) and not table.state.is_won:
            parts.append(f"\n{table.drawn(columns)}\n")
    if table.state.is_won:
        parts.append("\nAll 52 cards are on the foundations.")
    return "\n".join(parts)


def _said(before: State, move: Move, after: State) -> str:
    card = move.card
    if card is None:
        if move.kind is MoveKind.TURN:
            return f"turn {before.stock[0].pretty}"
        last = ", for the last time" if after.redeals == 0 else ""
        return f"turn the waste over: it is the stock again ({_cards(len(before.waste))}{last})"
    if move.kind is MoveKind.FOUNDATION:
        return f"{card.pretty} to its foundation"
    if move.kind is MoveKind.FILL:
        return f"{card.pretty} to an empty cell"
    return f"{card.pretty} onto {before.card_at(card.suit, before.step(card) + 1).pretty}"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
