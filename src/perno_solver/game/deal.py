"""Deals: the order of 52 cards, from text or from a seed by a shuffle that is specified, not borrowed."""

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import field, frozen

from perno_solver.checks import got, shown
from perno_solver.errors import InvalidCard, InvalidDeal
from perno_solver.game.cards import CARDS, Card, parse_cards

SEEDS = 1 << 64
"""Seeds run from 0 to this, exclusive."""

_MASK = SEEDS - 1


def check_cards(cards: tuple[Card, ...]) -> str | None:
    """Say what keeps `cards` from being all 52 cards once each, or None."""
    strange = [shown(card) for card in cards if type(card) is not Card]
    if strange:
        return f"expected 52 different cards, got {', '.join(strange[:3])} among them"
    count = Counter(cards)
    twice = [str(card) for card in CARDS if count[card] > 1]
    missing = [str(card) for card in CARDS if not count[card]]
    if not twice and not missing:
        return None
    parts = [f"{' '.join(twice)} more than once"] * bool(twice)
    parts += [f"{' '.join(missing)} missing"] * bool(missing)
    return f"expected 52 different cards, got {len(cards)}: {', '.join(parts)}"


def _check_deal(_deal: object, _attribute: object, cards: tuple[Card, ...]) -> None:
    wrong = check_cards(cards)
    if wrong:
        raise InvalidDeal(wrong)


def _tuple(cards: Iterable[Card]) -> tuple[Card, ...]:
    try:
        return tuple(cards)
    except TypeError:
        msg = f"got {shown(cards)}, expected 52 different cards"
        raise InvalidDeal(msg) from None


@frozen(order=True, repr=False)
class Deal:
    """A deck of 52 different cards; the first is dealt first.

    Args:
        cards: the 52 cards in the order in which they are dealt.

    Raises:
        InvalidDeal: a card is missing or there twice.
    """

    cards: tuple[Card, ...] = field(converter=_tuple, validator=_check_deal)

    @classmethod
    def from_text(cls, text: str) -> "Deal":
        """Read a deck: 52 cards separated by white space, commas or semicolons, the first dealt first.

        Raises:
            InvalidDeal: a word is not a card, or a card is missing or there twice; nothing is completed silently.
        """
        try:
            return cls(parse_cards(text))
        except InvalidCard as error:
            raise InvalidDeal(str(error)) from None

    @classmethod
    def from_seed(cls, seed: int) -> "Deal":
        """Shuffle a new deck by the package's own specified shuffle: the same cards on every machine, for ever.

        Args:
            seed: 0 ≤ seed < 2⁶⁴.

        Raises:
            InvalidDeal: the seed is out of that range.

        The draws are SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)
        started from `seed`; the index below each size is Lemire's unbiased multiply-shift with rejection
        (Fast random integer generation in an interval, 2019); the shuffle is Fisher and Yates' from the top.

        >>> str(Deal.from_seed(42))[:14]
        'JS 5C 6D 3S 4S'
        """
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < SEEDS:
            msg = f"seed {shown(seed)} is out of range: expected a whole number from 0 to 2^64 - 1"
            raise InvalidDeal(msg)
        cards = list(CARDS)
        draws = _splitmix64(seed)
        for size in range(52, 1, -1):
            product = next(draws) * size
            while product & _MASK < SEEDS % size:
                product = next(draws) * size
            index = product >> 64
            cards[index], cards[size - 1] = cards[size - 1], cards[index]
        return cls(tuple(cards))

    def __str__(self) -> str:
        """Return the deck as one line that `from_text` reads."""
        return " ".join(map(str, self.cards))

    def __repr__(self) -> str:
        """Return the expression that rebuilds the deal."""
        return f"Deal.from_text('{self}')"


def as_deal(deal: Deal | str) -> Deal:
    """Take a deal, or its text.

    Raises:
        InvalidDeal: it is neither.
    """
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, str):
        return Deal.from_text(deal)
    raise InvalidDeal(no_deal(deal, "a Deal, or 52 cards as text"))


def no_deal(value: object, expected: str) -> str:
    """Say what was given where a deal was expected, and what to do with a seed."""
    hint = f"; the deal of a seed is Deal.from_seed({shown(value)})" if type(value) is int else ""
    return got(value, expected) + hint


def _splitmix64(state: int) -> Iterator[int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        word = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _MASK
        yield word ^ word >> 31
