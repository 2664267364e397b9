"""Exact binary keys: 16 bytes a state (24 where cards are packed), from which the state is read back.

Number the cards by their place in the deck, 0–51. Then stock and waste are always in deck order with every waste
card before every stock card (turning moves one card across the border, a redeal moves the border to the front, and
cards leave but never come), and the pivot is a run of the deck: when it is formed it takes the next stock cards, and
of what lies between its first and its last card everything else is on a foundation or in the tableau for good.
So a state is written down by

    word 0   bits  0–51  the places of the tableau's cards
             bits 52–57  the place of the next stock card, 52 if there is none
             bits 58–63  the place of the pivot's first counted card, 63 if it is empty
    word 1   bits  0–15  the four foundation counts, clubs lowest, four bits each
             bits 16–21  the place of the pivot's top card, 63 if it is empty
             bits 22–63  redeals left, 0 where they are unlimited
    word 2   bits  0–51  the places of the cards that lie packed on another (only under rules that pack)

as little-endian 64-bit words. A packed card lies on its only neighbour, so the piles follow from word 2. The key says
nothing by hash: two states of one game have the same key exactly when they are equal, on every machine.
"""

import io
from bisect import bisect
from collections.abc import Callable, Iterable
from itertools import islice

from attrs import field, frozen

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidState
from perno_solver.game.cards import Card
from perno_solver.game.deal import Deal
from perno_solver.game.rules import CELLS, Rules
from perno_solver.game.state import State, as_game

_NONE = 63


def deck_of(state: State) -> Deal:
    """Put the 52 cards of a position in an order in which its keys, and its successors', can be written.

    The order is: pivot, tableau (as sorted in the state), foundations, waste, stock. It depends on the state alone.
    """
    tableau = [card for cell in state.tableau for card in cell]
    return Deal((*state.pivot, *tableau, *state.on_foundations(), *state.waste, *state.stock))


@frozen
class Codec:
    """Writes states of one game as keys and reads them back.

    Args:
        deck: an order of the cards in which the game can be written: the deal, or `deck_of` a position.
        rules: the rules of the game.
        base: its base rank, 1–13.

    Raises:
        InvalidState: they are something else.
    """

    deck: Deal
    rules: Rules
    base: int
    _places: dict[Card, int] = field(init=False, repr=False, eq=False)

    @_places.default
    def _number_cards(self) -> dict[Card, int]:
        require(self.deck, Deal, InvalidState, "a Deal")
        require(self.rules, Rules, InvalidState, "Rules")
        if type(self.base) is not int or not 1 <= self.base <= 13:
            msg = f"base {shown(self.base)}, expected a rank from 1 to 13"
            raise InvalidState(msg)
        return {card: place for place, card in enumerate(self.deck.cards)}

    @classmethod
    def of(cls, start: Deal | State | str, rules: Rules | str | None = None) -> "Codec":
        """Make the codec for the game that begins with a deal or a position.

        Args:
            start: the deal or the position, or the text of either.
            rules: the rules of the deal, or their text (default: the source's, `PERNO`); a position has its own.

        Raises:
            InvalidDeal, InvalidState, InvalidRules: it is none of these, or a position with other rules than its own.
        """
        start, rules = as_game(start, rules)
        if isinstance(start, State):
            return cls(deck_of(start), rules, start.base)
        return cls(start, rules, start.cards[rules.pivot_size + CELLS].rank)

    @property
    def width(self) -> int:
        """Bytes in a key of this game."""
        return key_width(self.rules)

    def encode(self, state: State) -> bytes:
        """Write a state of this game as its key.

        Complexity: linear in the cards of the tableau.
        """
        require(state, State, InvalidState, "a State of the game")
        places = self._places
        tableau = packed = 0
        for cell in state.tableau:
            tableau |= 1 << places[cell[0]]
            for card in cell[1:]:
                bit = 1 << places[card]
                tableau |= bit
                packed |= bit
        stock, pivot = state.stock, state.pivot
        low = tableau | (places[stock[0]] if stock else 52) << 52 | (places[pivot[0]] if pivot else _NONE) << 58
        high = places[pivot[-1]] << 16 if pivot else _NONE << 16
        for suit, on in enumerate(state.foundations):
            high |= on << 4 * suit
        key = low | (high | (state.redeals or 0) << 22) << 64 | packed << 128
        return key.to_bytes(self.width, "little")

    def decode(self, key: bytes) -> State:
        """Read a state back from its key.

        Raises:
            InvalidState: the bytes are not the key of a position of this game.
        """
        require(key, bytes, InvalidState, f"a key of {self.width} bytes")
        if len(key) != self.width:
            msg = f"a key of {len(key)} bytes, expected {self.width}"
            raise InvalidState(msg)
        bits = int.from_bytes(key, "little")
        tableau, next_place, first = bits & (1 << 52) - 1, bits >> 52 & 63, bits >> 58 & 63
        clubs, diamonds, hearts, spades = (bits >> 64 + 4 * suit & 15 for suit in range(4))
        last, redeals, packed = bits >> 80 & 63, bits >> 86 & (1 << 42) - 1, bits >> 128
        empty = State(self.rules, self.base, (clubs, diamonds, hearts, spades), (), (), (), (), None)
        gone = set(empty.on_foundations())
        cells: list[list[Card]] = []
        pivot: list[Card] = []
        stock: list[Card] = []
        waste: list[Card] = []
        above: dict[Card, Card] = {}
        for place, card in enumerate(self.deck.cards):
            if tableau >> place & 1:
                if packed >> place & 1:
                    above[empty.card_at(card.suit, (empty.step(card) + 1) % 13)] = card
                else:
                    cells.append([card])
            elif card not in gone:
                pile = pivot if first <= place <= last else waste if place < next_place else stock
                pile.append(card)
        for cell in cells:
            while cell[-1] in above:
                cell.append(above.pop(cell[-1]))
        left = None if self.rules.redeals is None else redeals
        state = State(self.rules, self.base, empty.foundations, cells, tuple(pivot), tuple(stock), tuple(waste), left)
        wrong = state.what_is_wrong()
        if wrong or self.encode(state) != key:
            msg = f"{key.hex()} is not the key of a position of this game{f': {wrong}' if wrong else ''}"
            raise InvalidState(msg)
        return state


def key_width(rules: Rules) -> int:
    """Return the bytes in a key: 16, or 24 under rules that pack."""
    return 24 if rules.packs else 16


def join_keys(keys: Iterable[bytes], look: Callable[[], None] = lambda: None) -> bytes:
    """Put keys in ascending order, as the little-endian integers that they are, and one after another.

    They are dealt to pieces that are sorted one by one, so that sorting can be ended: every 4,096th key, wherever it
    came from, begins a piece.

    Args:
        keys: the keys.
        look: called every few milliseconds; what it raises ends the sorting.

    Complexity: n log n.
    """
    source, turned = iter(keys), list[bytes]()
    while some := [key[::-1] for key in islice(source, _PIECE)]:
        look()
        turned += some
    first = sorted(turned[::_PIECE])
    pieces: list[list[bytes]] = [[] for _ in range(len(first) + 1)]
    for number, key in enumerate(turned):
        if number % _PIECE == 0:
            look()
        pieces[bisect(first, key)].append(key)
    turned.clear()
    pieces.reverse()
    joined = io.BytesIO()
    while pieces:  # whose memory is given back one by one, as that takes time, too
        look()
        joined.write(b"".join([key[::-1] for key in sorted(pieces.pop())]))
    return joined.getvalue()


_PIECE = 1 << 12
