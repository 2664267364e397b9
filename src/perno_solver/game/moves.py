"""Moves: what is done and to which card, as one short token."""

import re
from collections.abc import Iterable

from attrs import field, frozen

from perno_solver.checks import Choice, require, shown
from perno_solver.errors import InvalidCard, InvalidMove
from perno_solver.game.cards import Card


class MoveKind(Choice):
    """What a move does; the value is the token's letter."""

    FOUNDATION = "F"
    PACK = "P"
    FILL = "E"
    TURN = "T"
    REDEAL = "R"


def _check_parts(move: "Move", _attribute: object, card: Card | None) -> None:
    require(move.kind, MoveKind, InvalidMove, "a MoveKind")
    bare = move.kind in (MoveKind.TURN, MoveKind.REDEAL)
    if card is not None and type(card) is not Card:
        msg = f"the move {move.kind.value} of {shown(card)}, expected a Card"
        raise InvalidMove(msg)
    if bare is not (card is None):
        msg = f"the move {move.kind.value} {'takes no card' if bare else 'needs a card, as in F:7S'}"
        raise InvalidMove(msg)


@frozen(repr=False)
class Move:
    """One move: turn, redeal, or a card to its foundation (F), onto its suit neighbour (P) or into an empty cell (E).

    Args:
        kind: what is done.
        card: the card that moves; None for a turn or a redeal.

    Raises:
        InvalidMove: a card is given where none belongs, or missing.
    """

    kind: MoveKind
    card: Card | None = field(default=None, validator=_check_parts)

    @classmethod
    def from_text(cls, text: str) -> "Move":
        """Read a token: `T`, `R`, `F:7S`, `P:7S` or `E:7S`, in either case.

        Raises:
            InvalidMove: the text is anything else.

        >>> Move.from_text("f:10h")
        Move.from_text('F:TH')
        """
        require(text, str, InvalidMove, "a move as text: T, R, F:card, P:card or E:card")
        letter, colon, card = text.strip().partition(":")
        try:
            return cls(MoveKind(letter.upper()), Card.from_text(card) if colon else None)
        except InvalidCard as error:
            msg = f"move {shown(text)}: {error}"
        except InvalidMove as error:
            msg = f"move {shown(text)}: {error}"
        except ValueError:
            msg = f"{shown(text)} is not a move: expected T, R, F:card, P:card or E:card"
        raise InvalidMove(msg)

    def __str__(self) -> str:
        """Return the token that `from_text` reads."""
        return self.kind.value if self.card is None else f"{self.kind.value}:{self.card}"

    def __format__(self, spec: str) -> str:
        """Format the token as a text, as in `f"{move:<6}"`."""
        return format(str(self), spec)

    def __repr__(self) -> str:
        """Return the expression that rebuilds the move."""
        return f"Move.from_text('{self}')"


TURN = Move(MoveKind.TURN)
REDEAL = Move(MoveKind.REDEAL)

Line = tuple[Move, ...]
"""Moves to be played one after another."""


def parse_line(text: str) -> Line:
    """Read tokens separated by white space, commas or semicolons.

    Raises:
        InvalidMove: one of them is not a move; the message says which, by its place from 1.

    >>> parse_line("T F:7S R")
    (Move.from_text('T'), Move.from_text('F:7S'), Move.from_text('R'))
    """
    require(text, str, InvalidMove, "moves as text, as in T F:7S R")
    return as_line(word for word in re.split(r"[\s,;]+", text) if word)


def as_move(move: Move | str) -> Move:
    """Take a move, or its text.

    Raises:
        InvalidMove: it is neither.
    """
    return move if isinstance(move, Move) else Move.from_text(move)


def as_line(line: Iterable[Move | str] | str) -> Line:
    """Take moves, or their texts, or the text of all of them.

    Raises:
        InvalidMove: one of them is not a move; the message says which, by its place from 1.
    """
    if isinstance(line, str | bytes):
        return parse_line(line)
    require(line, Iterable, InvalidMove, "moves, or their text, as in T F:7S R")
    moves = []
    for place, move in enumerate(line, start=1):
        try:
            moves.append(as_move(move))
        except InvalidMove as error:
            msg = f"move {place}: {error}"
            raise InvalidMove(msg) from None
    return tuple(moves)


def line_text(line: Iterable[Move | str] | str) -> str:
    """Write moves as the one line that `parse_line` reads."""
    return " ".join(map(str, as_line(line)))
