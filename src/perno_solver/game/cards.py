"""Cards: 52 frozen values with a two-letter text form."""

from enum import IntEnum

from attrs import field, frozen

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidCard

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"


class Suit(IntEnum):
    """The four suits, in the order in which every listing of the package names them."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """The suit as a playing-card symbol, `♣♦♥♠`."""
        return SYMBOLS[self]


def _check_suit(_card: object, _attribute: object, suit: Suit) -> None:
    if type(suit) is not Suit:
        msg = f"suit {shown(suit)}, expected a Suit"
        raise InvalidCard(msg)


def _check_rank(_card: object, _attribute: object, rank: int) -> None:
    if type(rank) is not int or not 1 <= rank <= 13:
        msg = f"rank {shown(rank)}, expected a whole number from 1 (ace) to 13 (king)"
        raise InvalidCard(msg)


@frozen(order=True, repr=False)
class Card:
    """One card; cards sort by suit, then rank.

    Args:
        suit: its suit.
        rank: its rank, 1 (ace) to 13 (king).

    Raises:
        InvalidCard: there is no such card.
    """

    suit: Suit = field(validator=_check_suit)
    rank: int = field(validator=_check_rank)

    def __hash__(self) -> int:
        """Return the card's index: equal in every process, and cheap."""
        return self.suit * 13 + self.rank - 1

    @property
    def index(self) -> int:
        """The card's number from 0 (ace of clubs) to 51 (king of spades)."""
        return self.suit * 13 + self.rank - 1

    @classmethod
    def from_text(cls, text: str) -> "Card":
        """Read a card such as `7S`, `10h`, `TH` or `q♦`.

        Args:
            text: rank (`A 2 … 9 T J Q K`, or `10`) then suit (`C D H S` or `♣♦♥♠`), in either case.

        Raises:
            InvalidCard: the text is anything else.

        >>> Card.from_text("10h") == Card.from_text("T♥")
        True
        """
        card = _BY_TEXT.get(text.strip()) if isinstance(text, str) else None
        if card is None:
            msg = f"{shown(text)} is not a card: expected a rank (A 2 … 9 T J Q K) then a suit (C D H S), as in 7S"
            raise InvalidCard(msg)
        return card

    def __str__(self) -> str:
        """Return the two-letter form that `from_text` reads, as in `7S`."""
        return RANKS[self.rank - 1] + SUITS[self.suit]

    def __format__(self, spec: str) -> str:
        """Format the two-letter form as a text, as in `f"{card:>4}"`."""
        return format(str(self), spec)

    def __repr__(self) -> str:
        """Return the expression that rebuilds the card."""
        return f"Card.from_text('{self}')"

    @property
    def pretty(self) -> str:
        """The card with its suit as a symbol, as in `7♠`."""
        return RANKS[self.rank - 1] + self.suit.symbol


CARDS: tuple[Card, ...] = tuple(Card(suit, rank) for suit in Suit for rank in range(1, 14))
"""All cards by `Card.index`: clubs A … K, then diamonds, hearts, spades."""

_BY_TEXT = {
    rank + suit: card
    for card in CARDS
    for rank in {str(card)[0], str(card)[0].lower()} | ({"10"} if card.rank == 10 else set())
    for suit in {str(card)[1], str(card)[1].lower(), card.suit.symbol}
}


def as_card(card: Card | str) -> Card:
    """Take a card, or its text.

    Raises:
        InvalidCard: it is neither.
    """
    return card if isinstance(card, Card) else Card.from_text(card)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space or commas.

    Raises:
        InvalidCard: one of them is not a card; the message says which, by its place from 1.

    >>> parse_cards("AS 10D, q♥")
    (Card.from_text('AS'), Card.from_text('TD'), Card.from_text('QH'))
    """
    require(text, str, InvalidCard, "cards as text, as in 7S TH")
    cards = []
    for place, word in enumerate(text.replace(",", " ").split(), start=1):
        try:
            cards.append(Card.from_text(word))
        except InvalidCard as error:
            msg = f"card {place}: {error}"
            raise InvalidCard(msg) from None
    return tuple(cards)
