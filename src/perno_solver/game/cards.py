"""Cards: 52 frozen values with a two-letter text form."""

import re
import unicodedata
from enum import IntEnum

from attrs import field, frozen

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidCard

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"

_OUTLINES = "♧♢♡♤"
_GLYPHS = dict(zip(SUITS, (0x1F0D0, 0x1F0C0, 0x1F0B0, 0x1F0A0), strict=True))  # Unicode's cards lie before their aces
_KNIGHT = 12  # is the twelfth of each suit there
_GLYPH = re.compile("[\U0001f0a0-\U0001f0ff]")
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"  # joiners, marks, variation selectors
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LOOKS = _FULL_WIDTH | dict.fromkeys(map(ord, _UNSEEN)) | dict(zip(map(ord, _OUTLINES), SYMBOLS, strict=True))


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
        """Read a card such as `7S`, `10h`, `TH`, `q♦` or `🂧`.

        Args:
            text: rank (`A 2 … 9 T J Q K`, `10` or `1`) then suit (`C D H S`, `♣♦♥♠` or `♧♢♡♤`), in either case, of
                full width, too; or a playing-card character. What cannot be seen, such as a variation selector
                behind the suit, is left out.

        Raises:
            InvalidCard: the text is anything else.

        >>> Card.from_text("10h") == Card.from_text("T♡")
        True
        """
        card = _BY_TEXT.get(text.translate(_LOOKS).strip()) if isinstance(text, str) else None
        if card is None:
            raise InvalidCard(_no_card(text))
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
    for rank in {str(card)[0], str(card)[0].lower(), *{1: ["1"], 10: ["10"]}.get(card.rank, [])}
    for suit in {str(card)[1], str(card)[1].lower(), card.suit.symbol}
} | {chr(_GLYPHS[SUITS[card.suit]] + card.rank + (card.rank >= _KNIGHT)): card for card in CARDS}


def _no_card(text: object) -> str:
    """Say what keeps a text from being a card."""
    what = f"{shown(text)} is not a card"
    for char in text[:_LONGEST] if isinstance(text, str) else "":
        name = unicodedata.name(char, "a character without a name")
        if _GLYPH.match(char):
            what += f" of this deck but {name.removeprefix('PLAYING CARD ').lower()}"
            break
        if char > "\x7f" and char not in SYMBOLS and ord(char) not in _LOOKS:
            what += f", as it has {name.lower()} in it"
            break
    return f"{what}: expected a rank (A 2 … 9 T J Q K) then a suit (C D H S), as in 7S"


_LONGEST = 5  # characters of a card, with some that cannot be seen


def parse_rank(text: str) -> int | None:
    """Read a rank as it is written on a card: 1 (ace) to 13 (king), or None where it is something else."""
    card = _BY_TEXT.get(text.translate(_LOOKS).strip() + "C")
    return None if card is None else card.rank


def as_card(card: Card | str) -> Card:
    """Take a card, or its text.

    Raises:
        InvalidCard: it is neither.
    """
    return card if isinstance(card, Card) else Card.from_text(card)


def card_words(text: str) -> list[str]:
    """Split a text where cards end: at white space, commas and semicolons, and around playing-card characters.

    >>> card_words('AS, "10♦"; 🂧🂨')
    ['AS', '10♦', '🂧', '🂨']
    """
    words = re.split(r"[\s,;]+", _GLYPH.sub(r" \g<0> ", text.translate(_LOOKS)))
    return [re.sub(r"""^(["'])(.+)\1$""", r"\2", word) for word in words if word]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space, commas or semicolons; each may be in quotes.

    Raises:
        InvalidCard: one of them is not a card; the message says which, by its place from 1.

    >>> parse_cards("AS 10D, q♥")
    (Card.from_text('AS'), Card.from_text('TD'), Card.from_text('QH'))
    """
    require(text, str, InvalidCard, "cards as text, as in 7S TH")
    cards = []
    for place, word in enumerate(card_words(text), start=1):
        try:
            cards.append(Card.from_text(word))
        except InvalidCard as error:
            msg = f"card {place}: {error}"
            raise InvalidCard(msg) from None
    return tuple(cards)
