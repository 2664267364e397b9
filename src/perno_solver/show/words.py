"""Moves in words, so that hands can follow them on a real table."""

from collections.abc import Iterable

from perno_solver.checks import require
from perno_solver.errors import InvalidState
from perno_solver.game.moves import Move, MoveKind, as_line, as_move
from perno_solver.game.state import State
from perno_solver.proof import Verdict
from perno_solver.show.table import Table, formed
from perno_solver.show.texts import ENGLISH, Texts, pretty


def in_words(before: State, move: Move | str, after: State, texts: Texts = ENGLISH) -> str:
    """Say what a move does, with everything automatic that it causes, so that hands can follow.

    Args:
        before: the position before the move.
        move: the move, or its text.
        after: the position after it.
        texts: the language.

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
    _ = texts.gettext
    said = [_said(before, move, after, texts)]
    bottoms = {cell[0] for cell in after.tableau}
    if before.pivot and before.pivot[-1] in bottoms:
        said.append(_("the pivot's {card} fills its place").format(card=pretty(before.pivot[-1], texts)))
    counted = formed(before, move, after)
    if counted:
        said.append(_("the pivot is formed again ({cards})").format(cards=cards_text(len(counted), texts)))
        filled = [pretty(card, texts) for card in reversed(counted) if card in bottoms]
        if filled:
            said.append(_("from its top {cards} to the empty cells").format(cards=", ".join(filled)))
    if len(after.pivot) == 1 and after.pivot != before.pivot:
        said.append(_("the pivot's last card is {card}").format(card=pretty(after.pivot[0], texts)))
    return "; ".join(said)


def named(move: Move, texts: Texts = ENGLISH) -> str:
    """Name a move for someone who does not see what it turns up.

    >>> named(Move.from_text("F:7S")), named(Move.from_text("T"))
    ('7♠ to its foundation', 'turning')
    """
    _ = texts.gettext
    if move.card is None:
        return _("turning") if move.kind is MoveKind.TURN else _("turning the waste over")
    goes = {
        MoveKind.FOUNDATION: _("{card} to its foundation"),
        MoveKind.FILL: _("{card} to an empty cell"),
        MoveKind.PACK: _("{card} onto its neighbour"),
    }
    return goes[move.kind].format(card=pretty(move.card, texts))


def verdict_name(verdict: Verdict, texts: Texts = ENGLISH) -> str:
    """Name a verdict in a word."""
    _ = texts.gettext
    return {Verdict.WON: _("won"), Verdict.LOST: _("lost"), Verdict.UNKNOWN: _("unknown")}[verdict]


def cards_text(number: int, texts: Texts = ENGLISH) -> str:
    """Write a number of cards."""
    return texts.ngettext("{number} card", "{number} cards", number).format(number=number)


def followed(table: Table, line: Iterable[Move | str] | str, columns: int = 60, texts: Texts = ENGLISH) -> str:
    """Tell a line from a table on: each move numbered and in words, the table drawn where much of it has changed.

    That is at the start, and whenever the waste has been turned over or the pivot formed again.

    Args:
        table: where the line starts.
        line: legal moves, or their text.
        columns: how wide the table may be drawn; the words are not wrapped.
        texts: the language.

    Raises:
        InvalidMove, InvalidState: they are something else.
        IllegalMove: a move is not legal when its turn comes.
    """
    require(table, Table, InvalidState, "a Table")
    parts = [f"{table.drawn(columns, texts)}\n"]
    for number, move in enumerate(as_line(line), start=1):
        before, table = table.state, table.play(move)
        parts.append(f"{number:>4}  {in_words(before, move, table.state, texts)}")
        if (move.kind is MoveKind.REDEAL or formed(before, move, table.state)) and not table.state.is_won:
            parts.append(f"\n{table.drawn(columns, texts)}\n")
    if table.state.is_won:
        parts.append("\n" + texts.gettext("All 52 cards are on the foundations."))
    return "\n".join(parts)


def _said(before: State, move: Move, after: State, texts: Texts) -> str:
    """Say what the move itself does."""
    _, card = texts.gettext, move.card
    if card is None:
        if move.kind is MoveKind.TURN:
            return _("turn {card}").format(card=pretty(before.stock[0], texts))
        over = (
            _("turn the waste over: it is the stock again ({cards}, for the last time)")
            if after.redeals == 0
            else _("turn the waste over: it is the stock again ({cards})")
        )
        return over.format(cards=cards_text(len(before.waste), texts))
    if move.kind is MoveKind.PACK:
        onto = pretty(before.card_at(card.suit, before.step(card) + 1), texts)
        return _("{card} onto {other}").format(card=pretty(card, texts), other=onto)
    return named(move, texts)
