"""The game as people see it: the table drawn as the source lays it out, and moves in words.

Everything here is text out of values. Suits are symbols, as in `7♠`, which every reader of the package takes; `styled`
adds colours for a terminal.
"""

from typing import TYPE_CHECKING

from attrs import frozen

from perno_solver.cards import RANKS, Card, Suit
from perno_solver.deal import Deal
from perno_solver.moves import Line, Move, MoveKind
from perno_solver.rules import CELLS, PERNO, Rules
from perno_solver.state import Cell, State

if TYPE_CHECKING:
    from rich.text import Text


@frozen
class Table:
    """A position as it lies on a real table, where piles have places and keep them.

    Args:
        state: the position.
        cells: the eight cells, four left of the pivot, then four right of it; an empty one is `()`.
        suits: the suits whose foundations are begun, in the order in which they were.
    """

    state: State
    cells: tuple[Cell, ...]
    suits: tuple[Suit, ...]

    @classmethod
    def of(cls, start: Deal | State, rules: Rules = PERNO) -> "Table":
        """Lay out a deal in the order in which it is dealt, or a position in its own order, under its own rules."""
        if isinstance(start, State):
            empty: tuple[Cell, ...] = ((),) * (CELLS - len(start.tableau))
            begun = tuple(suit for suit in Suit if start.foundations[suit])
            return cls(start, start.tableau + empty, begun)
        size = rules.pivot_size
        cells = tuple((card,) for card in start.cards[size : size + CELLS])
        return cls(State.start(start, rules), cells, (start.cards[size + CELLS].suit,))

    def play(self, move: Move) -> "Table":
        """Play one move; piles stay where they are, and what comes into gaps takes them from the left.

        Raises:
            IllegalMove: the move is not legal here.
        """
        before, after = self.state, self.state.play(move)
        piles = {cell[0]: cell for cell in after.tableau}
        cells = [piles.pop(cell[0], ()) if cell else () for cell in self.cells]
        from_pivot = [piles.pop(card) for card in reversed(_formed(before, move, after)) if card in piles]
        for pile in [*piles.values(), *from_pivot]:
            cells[cells.index(())] = pile
        newly = tuple(suit for suit in Suit if after.foundations[suit] and suit not in self.suits)
        return Table(after, tuple(cells), self.suits + newly)

    def __str__(self) -> str:
        """Draw the table in lines of at most 60 columns, without a newline at the end.

        >>> print(Table.of(Deal.from_seed(42)))
           Q♦   T♠   J♦   7♠   [10]     8♥   9♠   7♣   Q♣
        <BLANKLINE>
           foundations from 5    5♠      --   --   --
        <BLANKLINE>
           stock [33]   waste --   redeals left 2
        """
        state = self.state
        rows = []
        for level in range(max(1, *map(len, self.cells))):
            names = [cell[level].pretty if level < len(cell) else "" if level else "--" for cell in self.cells]
            left, right = (
                "".join(f"{name:>5}" for name in side) for side in (names[: CELLS // 2], names[CELLS // 2 :])
            )
            rows.append(f"{left}{'' if level else self._pivot():^10}{right[1:]}".rstrip())
        tops = [state.card_at(suit, state.foundations[suit] - 1).pretty for suit in self.suits]
        first, *others = [*tops, *["--"] * (len(Suit) - len(tops))]
        rows += ["", f"{f'   foundations from {RANKS[state.base - 1]}':<20}{first:^10}{'   '.join(['', *others])[1:]}"]
        waste = f"{state.waste[-1].pretty} [{len(state.waste)}]" if state.waste else "--"
        stock = f"[{len(state.stock)}]" if state.stock else "--"
        left = "unlimited" if state.redeals is None else str(state.redeals)
        return "\n".join([*rows, "", f"   stock {stock}   waste {waste}   redeals left {left}"])

    def _pivot(self) -> str:
        """Write the pivot's count, and the card on it where it lies face-up."""
        pivot, card = self.state.pivot, self.state.pivot_card
        if not pivot:
            return "--"
        return f"[{len(pivot)}]" if card is None else f"{card.pretty} [{len(pivot)}]"


def in_words(before: State, move: Move, after: State) -> str:
    """Say what a move does, with everything automatic that it causes, so that hands can follow.

    Args:
        before: the position before the move.
        move: the move.
        after: the position after it.

    >>> from perno_solver.moves import TURN
    >>> start = State.start(Deal.from_seed(42))
    >>> in_words(start, TURN, start.play(TURN))
    'turn K♣'
    """
    said = [_said(before, move, after)]
    bottoms = {cell[0] for cell in after.tableau}
    if before.pivot and before.pivot[-1] in bottoms:
        said.append(f"the pivot's {before.pivot[-1].pretty} fills its place")
    formed = _formed(before, move, after)
    if formed:
        said.append(f"the pivot is formed again ({_cards(len(formed))})")
        filled = [card.pretty for card in reversed(formed) if card in bottoms]
        if filled:
            said.append(f"from its top {', '.join(filled)} to the empty cells")
    if len(after.pivot) == 1 and after.pivot != before.pivot:
        said.append(f"the pivot's last card is {after.pivot[0].pretty}")
    return "; ".join(said)


def followed(table: Table, line: Line) -> str:
    """Tell a line from a table on: each move numbered and in words, the table drawn where much of it has changed.

    That is at the start, and whenever the waste has been turned over or the pivot formed again.

    Args:
        table: where the line starts.
        line: legal moves.

    Raises:
        IllegalMove: a move is not legal when its turn comes.
    """
    parts = [f"{table}\n"]
    for number, move in enumerate(line, start=1):
        before, table = table.state, table.play(move)
        parts.append(f"{number:>4}  {in_words(before, move, table.state)}")
        if (move.kind is MoveKind.REDEAL or _formed(before, move, table.state)) and not table.state.is_won:
            parts.append(f"\n{table}\n")
    if table.state.is_won:
        parts.append("\nAll 52 cards are on the foundations.")
    return "\n".join(parts)


def styled(text: str) -> "Text":
    """Colour a text for a terminal, light or dark: red suits red, verdicts and readings by their names."""
    from rich.text import Text  # noqa: PLC0415 - it takes longer to import than a quick deal takes

    coloured = Text(text)
    for pattern, style in _STYLES.items():
        coloured.highlight_regex(pattern, style)
    return coloured


_STYLES = {
    r"[A2-9TJQK][♦♥]": "bold red",
    r"[A2-9TJQK][♣♠]": "bold",
    r"\bwon\b|\bcan be won\b": "bold green",
    r"\blost\b|\bcannot be won\b": "bold magenta",
    r"\b(perno|eagle-wing)(-[a-z]+)?\b": "cyan",
    r"\bunknown\b|\bundecided\b": "bold yellow",
}


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


def _formed(before: State, move: Move, after: State) -> tuple[Card, ...]:
    """Return the cards from which a move has formed the pivot again, as counted; none where it has not."""
    if move.kind is MoveKind.TURN:
        return ()
    stock = before.waste if move.kind is MoveKind.REDEAL else before.stock
    return stock[: len(stock) - len(after.stock)]


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
