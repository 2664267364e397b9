"""The game: an immutable position, its legal moves, and what everything automatic makes of each."""

from collections.abc import Iterable, Mapping
from itertools import chain, pairwise

from attrs import asdict, evolve, field, frozen

from perno_solver.checks import shown
from perno_solver.errors import IllegalMove, InvalidCard, InvalidDeal, InvalidRules, InvalidState
from perno_solver.game.block import cell_words, is_position, read_block, read_cards, read_cells, write_block
from perno_solver.game.cards import CARDS, RANKS, Card, Suit, as_card, parse_rank
from perno_solver.game.deal import Deal, as_deal, check_cards, no_deal
from perno_solver.game.moves import REDEAL, TURN, Move, MoveKind, as_move
from perno_solver.game.rules import CELLS, PERNO, REFORM_SIZE, Build, Place, Reform, Rules, Turning, as_rules

Cell = tuple[Card, ...]


def _canonical(cells: Iterable[Iterable[Card]]) -> tuple[Cell, ...]:
    try:
        return tuple(sorted((tuple(cell) for cell in cells), key=_bottom_index))
    except (AttributeError, TypeError):
        msg = f"the tableau is {shown(cells)}, expected cells of cards"
        raise InvalidState(msg) from None


def _pile(cards: Iterable[Card]) -> tuple[Card, ...]:
    try:
        return tuple(cards)
    except TypeError:
        msg = f"a pile is {shown(cards)}, expected cards"
        raise InvalidState(msg) from None


def _bottom_index(cell: Cell) -> int:
    return cell[0].index if cell else -1


@frozen(repr=False)
class State:
    """One position after everything automatic has happened; equal positions are equal values with equal hashes.

    Cells have no order, so the tableau is kept sorted: layouts that differ only in which cell holds which cards
    are one state. Use `State.start` for a dealt game and `State.from_text` for a table in mid-game; the
    constructor itself takes any fields of these types, and `check` says whether they make a position.

    Args:
        rules: the rules it is played under.
        base: the base rank, 1–13.
        foundations: how many cards lie on the foundation of clubs, diamonds, hearts, spades; 0–13 each.
        tableau: the cells that are not empty, each from its bottom card to its top card.
        pivot: the pivot as it was counted, its top card last.
        stock: the stock, its next card first.
        waste: the waste, its top card last.
        redeals: redeals left; None where they are unlimited.

    Raises:
        InvalidState: a field is of another type.
    """

    rules: Rules = field(hash=False)  # the same for every state of a game, so hashing it would only cost time
    base: int = field(hash=False)
    foundations: tuple[int, int, int, int]
    tableau: tuple[Cell, ...] = field(converter=_canonical)
    pivot: tuple[Card, ...] = field(converter=_pile)
    stock: tuple[Card, ...] = field(converter=_pile)
    waste: tuple[Card, ...] = field(converter=_pile)
    redeals: int | None

    def __attrs_post_init__(self) -> None:
        """Check the types that every method relies on."""
        if not (type(self.rules) is Rules and type(self.base) is int and type(self.foundations) is tuple):
            raise InvalidState(_no_fields(self))

    @classmethod
    def start(cls, deal: Deal | str, rules: Rules | str = PERNO) -> "State":
        """Lay out a deal: the pivot, eight cells, the base card on its foundation, the rest as stock.

        Args:
            deal: the deal, or its text.
            rules: the rules, or their text.

        Raises:
            InvalidDeal, InvalidRules: they are something else.

        >>> State.start(Deal.from_seed(42), "eagle-wing").pivot == Deal.from_seed(42).cards[:13]
        True
        """
        rules, cards = as_rules(rules), as_deal(deal).cards
        size = rules.pivot_size
        base = cards[size + CELLS]
        on = [0, 0, 0, 0]
        on[base.suit] = 1
        cells = ((card,) for card in cards[size : size + CELLS])
        return cls(
            rules, base.rank, _four(on), cells, cards[:size], cards[size + CELLS + 1 :], (), rules.redeals
        )  # no cell is open yet, so nothing automatic happens

    # What lies where

    def step(self, card: Card) -> int:
        """Return the card's place on its foundation, 0 (base rank) to 12, in building order round the corner."""
        away = as_card(card).rank - self.base
        return (away if self.rules.build is Build.UP else -away) % 13

    def card_at(self, suit: Suit, step: int) -> Card:
        """Return the card of a suit that is `step` places (0–12) after the base rank in building order."""
        try:
            away = step if self.rules.build is Build.UP else -step
            return CARDS[suit * 13 + (self.base - 1 + away) % 13]
        except (IndexError, TypeError):
            msg = f"suit {shown(suit)} and step {shown(step)}, expected a Suit and a whole number from 0 to 12"
            raise InvalidCard(msg) from None

    def neighbour(self, card: Card) -> Card | None:
        """Return the card that the foundation needs just after one, on which that can be packed; the last has none."""
        step = self.step(card) + 1
        return self.card_at(as_card(card).suit, step) if step < 13 else None

    def next_up(self) -> tuple[Card, ...]:
        """List the cards that the foundations need next, by suit; full foundations need none."""
        return tuple(self.card_at(suit, on) for suit, on in zip(Suit, self.foundations, strict=True) if on < 13)

    def on_foundations(self) -> tuple[Card, ...]:
        """All cards that lie on the foundations, by suit, each from its base card."""
        return tuple(
            self.card_at(suit, step) for suit, on in zip(Suit, self.foundations, strict=True) for step in range(on)
        )

    @property
    def is_won(self) -> bool:
        """Whether all 52 cards are on the foundations."""
        return sum(self.foundations) == 52

    @property
    def waste_card(self) -> Card | None:
        """The top of the waste, if any."""
        return self.waste[-1] if self.waste else None

    @property
    def pivot_card(self) -> Card | None:
        """The pivot card that may go elsewhere than into an empty cell: its last, or its top where it is open."""
        return self.pivot[-1] if self.pivot and (len(self.pivot) == 1 or self.rules.pivot_open) else None

    def in_play(self) -> set[Card]:
        """Collect the cards a foundation may take when it needs them: the tops of cells and waste, and the pivot's."""
        cards = {cell[-1] for cell in self.tableau}
        if self.waste:
            cards.add(self.waste[-1])
        if self.pivot_card is not None:
            cards.add(self.pivot_card)
        return cards

    # Moves

    def legal_moves(self) -> tuple[Move, ...]:
        """List the legal moves: F by suit, P by card, E by card, then T or R."""
        in_play = self.in_play()
        moves = [Move(MoveKind.FOUNDATION, card) for card in self.next_up() if card in in_play]
        bars_turning = bool(moves) and self.rules.turning is Turning.OBLIGED
        if self.rules.packs:
            packable = sorted(card for card in self._packers() if self._neighbour_cell(card) is not None)
            moves += [Move(MoveKind.PACK, card) for card in packable]
        if not self.pivot and len(self.tableau) < CELLS:
            moves += [Move(MoveKind.FILL, card) for card in sorted(self._fillers())]
        if not bars_turning:
            if self.stock:
                moves.append(TURN)
            elif self.waste and self.redeals != 0:
                moves.append(REDEAL)
        return tuple(moves)

    def play(self, move: Move | str) -> "State":
        """Play one move and everything automatic that it causes.

        Args:
            move: the move, or its text.

        Raises:
            InvalidMove: it is not a move.
            IllegalMove: the move is not legal here; the message names it and the reason.
        """
        move = as_move(move)
        if move not in self.legal_moves():
            msg = f"{move} is not legal: {self._why_not(move)}"
            raise IllegalMove(msg)
        return self._after(move)

    def successors(self) -> tuple[tuple[Move, "State"], ...]:
        """List the legal moves, in the order of `legal_moves`, each with the state it leads to."""
        return tuple((move, self._after(move)) for move in self.legal_moves())

    def _packers(self) -> list[Card]:
        """List the cards that may be packed if their neighbour is the top of a cell with room."""
        places = self.rules.pack_from
        cards = [self.waste_card] * (Place.WASTE in places) + [self.pivot_card] * (Place.PIVOT in places)
        if Place.TABLEAU in places:  # a card on another lies on its only neighbour already
            cards += [cell[0] for cell in self.tableau if len(cell) == 1]
        return [card for card in cards if card is not None]

    def _fillers(self) -> list[Card]:
        """List the cards that may take an empty cell once the pivot is empty."""
        cards = [self.waste[-1]] if self.waste else []
        if Place.TABLEAU in self.rules.fill_from:
            cards += [cell[-1] for cell in self.tableau if len(cell) > 1]
        return cards

    def _neighbour_cell(self, card: Card) -> Cell | None:
        """Find the cell on which the card can be packed: its top is next after the card, and there is room."""
        neighbour = self.neighbour(card)
        cell = next((cell for cell in self.tableau if cell[-1] == neighbour), None)
        return cell if cell is not None and len(cell) < self.rules.pack_limit else None

    def _after(self, move: Move) -> "State":
        """Play a legal move."""
        foundations, tableau = list(self.foundations), list(self.tableau)
        pivot, stock, waste, redeals = self.pivot, self.stock, self.waste, self.redeals
        card = move.card
        if card is None:
            if move.kind is MoveKind.TURN:
                waste, stock = (*waste, stock[0]), stock[1:]
            else:
                stock, waste, redeals = waste, (), None if redeals is None else redeals - 1
        else:
            # The place that the card goes to is settled before it leaves: a packed card may open its own cell.
            if move.kind is MoveKind.FOUNDATION:
                foundations[card.suit] += 1
            elif move.kind is MoveKind.FILL:
                tableau.append((card,))
            else:
                cell = self._neighbour_cell(card)
                assert cell is not None
                tableau[tableau.index(cell)] = (*cell, card)
            if card == self.waste_card:
                waste = waste[:-1]
            elif card == self.pivot_card:
                pivot = pivot[:-1]
            else:
                source = next(cell for cell in self.tableau if cell[-1] == card)
                tableau.remove(source)
                if len(source) > 1:
                    tableau.append(source[:-1])
        pivot, stock = _settle(self.rules, tableau, pivot, stock)
        return State(self.rules, self.base, _four(foundations), tableau, pivot, stock, waste, redeals)

    def _why_not(self, move: Move) -> str:  # noqa: C901, PLR0911, PLR0912 - one flat list of reasons
        """Say why a move is not legal."""
        card = move.card
        if card is None:
            if move.kind is MoveKind.TURN and not self.stock:
                return "the stock is empty"
            if move.kind is MoveKind.REDEAL and self.stock:
                return "the stock is not empty"
            if move.kind is MoveKind.REDEAL and not self.waste:
                return "the waste is empty"
            if move.kind is MoveKind.REDEAL and self.redeals == 0:
                return "no redeal is left"
            return "a card can go to its foundation, and under these rules it must"
        where = self._where(card)
        if move.kind is MoveKind.FOUNDATION:
            if where:
                return where
            needed = self.card_at(card.suit, self.foundations[card.suit])
            return f"the foundation of {card.suit.name.lower()} needs {needed} next"
        if move.kind is MoveKind.PACK and not self.rules.packs:
            return "these rules do not pack"
        if move.kind is MoveKind.FILL and self.pivot:
            return "only the pivot's own top card fills a cell while the pivot has a card"
        if move.kind is MoveKind.FILL and len(self.tableau) == CELLS:
            return "no cell is empty"
        if where:
            return where
        if move.kind is MoveKind.FILL:
            return f"{card} may not take an empty cell from where it lies"
        if card not in self._packers():
            return f"{card} may not be packed from where it lies"
        return f"no cell has {card}'s neighbour on top and room for it"

    def _where(self, card: Card) -> str | None:
        """Say where a card lies if it is not in play there."""
        if card in self.in_play():
            return None
        if card in self.pivot:
            playable = "top" if self.rules.pivot_open else "last"
            return f"{card} is in the pivot, where only the {playable} card is playable"
        for name, pile in (("stock", self.stock), ("waste", self.waste)):
            if card in pile:
                return f"{card} is in the {name}, not on top of the waste"
        if any(card in cell for cell in self.tableau):
            return f"{card} is covered by another card in its cell"
        return f"{card} is on its foundation already"

    # Truth

    def check(self) -> None:
        """Assert every invariant of a position.

        Raises:
            InvalidState: something is wrong; the message says what and what was expected.
        """
        wrong = self.what_is_wrong()
        if wrong:
            msg = f"not a position: {wrong}"
            raise InvalidState(msg)

    def what_is_wrong(self) -> str | None:  # noqa: C901, PLR0911, PLR0912 - one flat list of invariants reads best
        """Say which invariant of a position does not hold, or None."""
        rules, foundations = self.rules, self.foundations
        if not 1 <= self.base <= 13:
            return f"base rank {shown(self.base)}, expected 1 to 13"
        if len(foundations) != 4 or not all(type(on) is int and 0 <= on <= 13 for on in foundations):
            return f"foundations {shown(foundations)}, expected four counts from 0 to 13"
        if not any(foundations):
            return "no foundation is begun, expected at least the base card's"
        wrong = check_cards((*self.on_foundations(), *chain(*self.tableau), *self.pivot, *self.stock, *self.waste))
        if wrong:
            return wrong
        if len(self.tableau) > CELLS or not all(self.tableau):
            return f"{len(self.tableau)} cells, expected at most {CELLS} that are not empty"
        limit = rules.pack_limit if rules.pack_from else 1
        for cell in self.tableau:
            if len(cell) > limit:
                return f"a cell holds {' '.join(map(str, cell))}, expected at most {limit} under these rules"
            for below, above in pairwise(cell):
                if above.suit != below.suit or self.step(above) + 1 != self.step(below):
                    return (
                        f"{above} lies on {below}, expected a card of its suit that goes to the foundation just before"
                    )
        most = max(rules.pivot_size, 0 if rules.reform is Reform.NEVER else REFORM_SIZE)
        if len(self.pivot) > most:
            return f"{len(self.pivot)} cards in the pivot, expected at most {most}"
        if self.pivot and len(self.tableau) < CELLS:
            return "a cell is empty while the pivot has a card, expected the pivot's top card to have filled it"
        if _can_reform(rules, self.pivot, self.stock):
            return "the pivot is empty and the stock is not, expected the pivot to have been formed again"
        if (self.redeals is None) is not (rules.redeals is None):
            left = "unlimited" if self.redeals is None else shown(self.redeals)
            return f"{left} redeals left, expected a number exactly where the rules {rules} have one"
        if rules.redeals is not None and (type(self.redeals) is not int or not 0 <= self.redeals <= rules.redeals):
            return f"{shown(self.redeals)} redeals left, expected 0 to {rules.redeals}"
        return None

    # Text

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "State":
        """Read a position block, as a person types it from a real table; `Table.from_text` keeps the order of cells.

        One `name: value` a line, in any order, `#` starting a comment:

            rules: perno                        (may be left out where `rules` is given; default perno)
            base: J                             the base rank
            foundations: 9C JH                  the top card of each foundation that is begun
            tableau: 7S 4D 9H/8H TC -           a cell a word, bottom/…/top, `-` an empty cell
            pivot: 2C 5D                        as counted, its top card last
            stock: KS 3H                        next card first
            waste: 6D                           top card last
            redeals: 2                          left, or `unlimited`

        Args:
            text: the block.
            rules: the rules, or their text, if the block does not name them.

        Raises:
            InvalidState: a line is unknown, missing or there twice, a card is unknown, missing or there twice,
                or the position cannot be (as `check` says). Nothing is completed silently.
        """
        state = read_state(read_block(text), rules)
        state.check()
        return state

    def __str__(self) -> str:
        """Return the position block that `from_text` reads."""
        return write_block(state_words(self))

    def __repr__(self) -> str:
        """Return the expression that rebuilds the position; of what is none, the fields."""
        if self.what_is_wrong():
            return f"State({', '.join(f'{name}={value!r}' for name, value in asdict(self, recurse=False).items())})"
        return f"State.from_text({str(self)!r})"


def state_words(state: State) -> dict[str, Iterable[object]]:
    """Return the words of each line of a position's block, by the line's name."""
    return {
        "rules": [state.rules],
        "base": [RANKS[state.base - 1]],
        "foundations": [state.card_at(suit, on - 1) for suit, on in zip(Suit, state.foundations, strict=True) if on],
        "tableau": cell_words(state.tableau),
        "pivot": state.pivot,
        "stock": state.stock,
        "waste": state.waste,
        "redeals": ["unlimited" if state.redeals is None else state.redeals],
    }


def read_state(values: Mapping[str, str], rules: Rules | str | None = None) -> State:
    """Take a position from the values of a block, without asking whether it can be.

    Args:
        values: as `block.read_block` returns them.
        rules: the rules, or their text, if the block does not name them.

    Raises:
        InvalidState: a value is not what its line holds.
    """
    try:
        named = Rules.from_text(values["rules"]) if "rules" in values else as_rules(PERNO if rules is None else rules)
    except InvalidRules as error:
        raise InvalidState(str(error)) from None
    _check_asked(named, rules)
    base = parse_rank(values["base"])
    if base is None:
        msg = f"base: {shown(values['base'])} is not a rank: expected one of A 2 … 9 T J Q K"
        raise InvalidState(msg)
    redeals = values["redeals"]
    # Seven digits are as many as rules can have
    if redeals != "unlimited" and (not (redeals.isascii() and redeals.isdecimal()) or len(redeals) > 7):
        msg = f"redeals: {shown(redeals)}, expected a whole number or unlimited"
        raise InvalidState(msg)
    cells = read_cells(values["tableau"])
    state = State(
        named,
        base,
        (0, 0, 0, 0),
        [cell for cell in cells if cell],
        read_cards("pivot", values["pivot"]),
        read_cards("stock", values["stock"]),
        read_cards("waste", values["waste"]),
        None if redeals == "unlimited" else int(redeals),
    )
    on = [0, 0, 0, 0]
    for top in read_cards("foundations", values["foundations"]):
        if on[top.suit]:
            msg = f"foundations: two of {top.suit.name.lower()}, expected the top card of each"
            raise InvalidState(msg)
        on[top.suit] = state.step(top) + 1
    return evolve(state, foundations=_four(on))


def as_game(start: Deal | State | str, rules: Rules | str | None = None) -> tuple[Deal | State, Rules]:
    """Take a deal or a position, or the text of either, and the rules that it is to be played under.

    Args:
        start: the deal or the position.
        rules: the rules of the deal, or their text (default: the source's, `PERNO`); a position has its own.

    Raises:
        InvalidDeal: it is neither, or the text of neither.
        InvalidState: a position is not one, or is given with other rules than its own.
        InvalidRules: the rules are none.
    """
    rules = None if rules is None else as_rules(rules)
    if isinstance(start, str) and is_position(start):
        start = State.from_text(start, rules)
    if isinstance(start, State):
        start.check()
        _check_asked(start.rules, rules)
        return start, start.rules
    if not isinstance(start, Deal | str):
        raise InvalidDeal(no_deal(start, "a Deal, a State, or the text of either"))
    return as_deal(start), rules or PERNO


def _check_asked(rules: Rules, asked: Rules | str | None) -> None:
    """Refuse a position whose rules are not those that were asked for."""
    if asked is not None and rules != as_rules(asked):
        msg = f"the position is under the rules {rules}, but {as_rules(asked)} was asked for"
        raise InvalidState(msg)


def _no_fields(state: State) -> str:
    return (
        f"rules {shown(state.rules)}, base {shown(state.base)}, foundations {shown(state.foundations)}, "
        "expected Rules, a rank from 1 to 13, and four counts"
    )


def _four(counts: list[int]) -> tuple[int, int, int, int]:
    clubs, diamonds, hearts, spades = counts
    return clubs, diamonds, hearts, spades


def _can_reform(rules: Rules, pivot: tuple[Card, ...], stock: tuple[Card, ...]) -> bool:
    if pivot or not stock or rules.reform is Reform.NEVER:
        return False
    return rules.reform is Reform.UP_TO_TEN or len(stock) >= REFORM_SIZE


def _settle(
    rules: Rules, tableau: list[Cell], pivot: tuple[Card, ...], stock: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Do what happens by itself until nothing changes: re-form the pivot, fill empty cells from it."""
    while True:
        if _can_reform(rules, pivot, stock):
            pivot, stock = stock[:REFORM_SIZE], stock[REFORM_SIZE:]
        if not pivot or len(tableau) == CELLS:
            return pivot, stock
        tableau.append((pivot[-1],))
        pivot = pivot[:-1]
