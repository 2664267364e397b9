"""The table drawn as the source lays it out. Suits are symbols, as in `7♠`, which every reader of the package takes."""

from collections import Counter
from collections.abc import Iterable

from attrs import frozen

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidChoice, InvalidState
from perno_solver.game.block import cell_words, is_position, read_block, read_cards, read_cells, write_block
from perno_solver.game.cards import Card, Suit
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Move, MoveKind, as_move
from perno_solver.game.rules import CELLS, Rules
from perno_solver.game.state import Cell, State, as_game
from perno_solver.show.texts import ENGLISH, Texts, pretty, rank_letter


@frozen(repr=False)
class Table:
    """A position as it lies on a real table, where piles have places and keep them.

    Args:
        state: the position.
        cells: the eight cells, four left of the pivot, then four right of it; an empty one is `()`.
        suits: the suits whose foundations are begun, in the order in which they were.

    Raises:
        InvalidState: the cells or the suits are not those of the position.
    """

    state: State
    cells: tuple[Cell, ...]
    suits: tuple[Suit, ...]

    def __attrs_post_init__(self) -> None:
        """Check that the table is the position's."""
        require(self.state, State, InvalidState, "a State")
        if type(self.cells) is not tuple or len(self.cells) != CELLS or not _same(self.cells, self.state.tableau):
            msg = f"got {shown(self.cells)}, expected the {CELLS} cells of the position, those that are empty as ()"
            raise InvalidState(msg)
        begun = [suit for suit in Suit if self.state.foundations[suit]]
        if type(self.suits) is not tuple or not _same(self.suits, begun):
            msg = f"got {shown(self.suits)}, expected the suits whose foundations are begun in the position"
            raise InvalidState(msg)

    @classmethod
    def of(cls, start: Deal | State | str, rules: Rules | str | None = None) -> "Table":
        """Lay out a game.

        Args:
            start: a deal, in the order in which it is dealt; a position, in its own order, which is sorted; or the
                text of either, a position's in the order that was typed.
            rules: the rules of a deal, or their text (default: the source's, `PERNO`); a position has its own.

        Raises:
            InvalidDeal, InvalidState, InvalidRules: it is none of these, or a position with other rules than its own.
        """
        if isinstance(start, str) and is_position(start):
            return cls.from_text(start, rules)
        start, rules = as_game(start, rules)
        if isinstance(start, State):
            empty: tuple[Cell, ...] = ((),) * (CELLS - len(start.tableau))
            begun = tuple(suit for suit in Suit if start.foundations[suit])
            return cls(start, start.tableau + empty, begun)
        size = rules.pivot_size
        cells = tuple((card,) for card in start.cards[size : size + CELLS])
        return cls(State.start(start, rules), cells, (start.cards[size + CELLS].suit,))

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "Table":
        """Read a position block, cells and foundations in the order in which they are typed.

        Args:
            text: the block, as `State.from_text` reads it.
            rules: the rules, or their text, if the block does not name them.

        Raises:
            InvalidState: it is not a position, as for `State.from_text`.
        """
        state, values = State.from_text(text, rules), read_block(text)
        cells = read_cells(values["tableau"])
        cells += [()] * (CELLS - len(cells))
        return cls(state, tuple(cells), tuple(top.suit for top in read_cards("foundations", values["foundations"])))

    @property
    def text(self) -> str:
        """The position block that `from_text` reads, cells and foundations in their order."""
        values = {name: [words] for name, words in read_block(str(self.state)).items()}
        tops = [str(self.state.card_at(suit, self.state.foundations[suit] - 1)) for suit in self.suits]
        return write_block(values | {"foundations": tops, "tableau": cell_words(self.cells)})

    def __repr__(self) -> str:
        """Return the expression that rebuilds the table."""
        return f"Table.from_text({self.text!r})"

    def play(self, move: Move | str) -> "Table":
        """Play one move; piles stay where they are, and what comes into gaps takes them from the left.

        Args:
            move: the move, or its text.

        Raises:
            InvalidMove: it is not a move.
            IllegalMove: the move is not legal here.
        """
        move = as_move(move)
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
        return self.drawn()

    def drawn(self, columns: int = 60, texts: Texts = ENGLISH) -> str:
        """Draw the table, without a newline at the end.

        Args:
            columns: how wide a line may be; with fewer than 60 the table is drawn in 38, or 40 where a ten is `10`.
            texts: the language.

        Raises:
            InvalidChoice: they are no number.

        >>> print(Table.of(Deal.from_seed(42)).drawn(40))
        Q♦  T♠  J♦  7♠   [10]   8♥  9♠  7♣  Q♣
        <BLANKLINE>
        foundations from 5  5♠  --  --  --
        <BLANKLINE>
        stock [33]  waste --
        redeals left 2
        """
        require(columns, int, InvalidChoice, "a number of columns")
        _, state, wide = texts.gettext, self.state, columns >= 60
        size = len(rank_letter(10, texts)) + 1
        indent, gap, after_pivot = ("   ", "   ", "  ") if wide else ("", " " * (4 - size), "")
        rows = []
        for level in range(max(1, *map(len, self.cells))):
            names = [pretty(cell[level], texts) if level < len(cell) else "" if level else "--" for cell in self.cells]
            sides = names[: CELLS // 2], names[CELLS // 2 :]
            left, right = (gap.join(f"{name:>{size}}" for name in side) for side in sides)
            rows.append(f"{indent}{left}{'' if level else self._pivot(texts):^10}{after_pivot}{right}".rstrip())
        tops = [pretty(state.card_at(suit, state.foundations[suit] - 1), texts) for suit in self.suits]
        first, *others = [*tops, *["--"] * (len(Suit) - len(tops))]
        rank = rank_letter(state.base, texts)
        begun = indent + _("foundations from {rank}").format(rank=rank)
        begun = f"{begun:<{20 + 4 * (size - 2)}}{first:^10}{after_pivot}" if wide else f"{begun:<20}{first}{gap}"
        rows += ["", begun + gap.join(others), ""]
        waste = f"{pretty(state.waste[-1], texts)} [{len(state.waste)}]" if state.waste else "--"
        stock = f"[{len(state.stock)}]" if state.stock else "--"
        left = _("unlimited") if state.redeals is None else str(state.redeals)
        end = gap if wide else "\n"
        piles = indent + _("stock") + f" {stock}{gap}" + _("waste") + f" {waste}{end}"
        return "\n".join([*rows, piles + _("redeals left {number}").format(number=left)])

    def _pivot(self, texts: Texts) -> str:
        """Write the pivot's count, and the card on it where it lies face-up."""
        pivot, card = self.state.pivot, self.state.pivot_card
        if not pivot:
            return "--"
        return f"[{len(pivot)}]" if card is None else f"{pretty(card, texts)} [{len(pivot)}]"


def _same(items: Iterable[object], others: Iterable[object]) -> bool:
    """Whether two iterables hold the same, empty cells aside, in whatever order."""
    try:
        return Counter(item for item in items if item != ()) == Counter(others)
    except TypeError:  # something that cannot be a cell, nor a suit
        return False


def formed(before: State, move: Move, after: State) -> tuple[Card, ...]:
    """Return the cards from which a move has formed the pivot again, as counted; none where it has not."""
    if move.kind is MoveKind.TURN:
        return ()
    stock = before.waste if move.kind is MoveKind.REDEAL else before.stock
    return stock[: len(stock) - len(after.stock)]
