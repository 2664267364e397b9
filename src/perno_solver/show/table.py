"""The table drawn as the source lays it out. Suits are symbols, as in `7♠`, which every reader of the package takes."""

from attrs import frozen

from perno_solver.game.cards import RANKS, Card, Suit
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.rules import CELLS, PERNO, Rules
from perno_solver.game.state import Cell, State


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
        from_pivot = [piles.pop(card) for card in reversed(formed(before, move, after)) if card in piles]
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


def formed(before: State, move: Move, after: State) -> tuple[Card, ...]:
    """Return the cards from which a move has formed the pivot again, as counted; none where it has not."""
    if move.kind is MoveKind.TURN:
        return ()
    stock = before.waste if move.kind is MoveKind.REDEAL else before.stock
    return stock[: len(stock) - len(after.stock)]
