"""What a player knows: a position in which cards may be unseen."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import factorial

from attrs import evolve, frozen

from perno_solver.checks import got, require
from perno_solver.errors import InvalidCard, InvalidState
from perno_solver.game.block import read_block, write_block
from perno_solver.game.cards import CARDS, Card, as_card, card_words, parse_cards
from perno_solver.game.moves import Move
from perno_solver.game.rules import Rules
from perno_solver.game.state import Cell, State, read_state, state_words

Pile = tuple[Card | None, ...]
"""Cards in their order, None for one that is unseen."""

_PILES = ("pivot", "waste", "stock")  # where cards may be unseen, in the order in which worlds lay them


@frozen(repr=False)
class View:
    """A position as a player knows it.

    Everything that happens, and which cards come into sight, depends on seen cards only. So all ways to lay the unseen
    cards on the unseen places, the view's *worlds*, are equally likely, whatever was played before. A view keeps one
    world, always the same: that in which the unseen cards lie in ascending order. So nothing of it tells where they
    are, and what a player knows alike is equal. A single unseen card is known, since no other is missing.

    Args:
        world: the position in any of the worlds.
        unseen: the cards whose places are unknown; they lie in pivot, waste and stock, and not in play.

    Raises:
        InvalidState: the position cannot be, or a card is said to be unseen that lies in tableau, on a foundation or in
            play.
    """

    world: State
    unseen: frozenset[Card]

    def __attrs_post_init__(self) -> None:
        """Forget in which world the cards were given."""
        require(self.world, State, InvalidState, "a State as the world of a view")
        self.world.check()
        try:
            unseen = frozenset(self.unseen)
        except TypeError:
            raise InvalidState(got(self.unseen, "a set of unseen cards")) from None
        if not unseen <= set(CARDS):
            raise InvalidState(got(self.unseen, "a set of unseen cards"))
        if len(unseen) == 1:
            unseen = frozenset()
        seen = unseen & exposed(self.world)
        if seen:
            cards = " ".join(map(str, sorted(seen)))
            msg = f"unseen are {cards}, expected cards of pivot, waste and stock, and none in play"
            raise InvalidState(msg)
        object.__setattr__(self, "unseen", unseen)
        object.__setattr__(self, "world", self._laid(sorted(unseen)))

    @classmethod
    def of(cls, state: State | str, seen: Iterable[Card | str] | str = ()) -> "View":
        """Return what is known of a position to a player who has seen some of its cards where they now lie.

        Args:
            state: the position, or its text.
            seen: cards whose places are known beside those that lie face-up, or their texts; the waste counts as
                spread.

        Raises:
            InvalidState: the position is none.
            InvalidCard: what was seen is no card.
        """
        at = State.from_text(state) if isinstance(state, str) else state
        require(at, State, InvalidState, "a State to view, or its text")
        try:
            known = parse_cards(seen) if isinstance(seen, str) else [as_card(card) for card in seen]
        except TypeError:
            raise InvalidState(got(seen, "the cards that were seen")) from None
        return cls(at, frozenset(CARDS) - face_up(at) - set(known))

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "View":
        """Read a position block, as `State.from_text` does, in which cards may be unseen.

        In pivot, stock and waste `?` stands for an unseen card and `9?` for nine, though not for one in play.

        Args:
            text: the block.
            rules: the rules, or their text, if the block does not name them.

        Raises:
            InvalidState: as in `State.from_text`; or the unseen places are not as many as the cards that are
                unaccounted for, or one of them is in play.

        >>> from perno_solver.game.deal import Deal
        >>> view = View.of(State.start(Deal.from_seed(42)))
        >>> print(view.pivot.count(None), view.stock.count(None), View.from_text(str(view)) == view)
        10 33 True
        """
        values = read_block(text)
        piles = {name: _read_pile(name, values[name]) for name in _PILES}
        known = {name: " ".join(str(card) for card in pile if card is not None) for name, pile in piles.items()}
        partial = read_state({**values, **known}, rules)
        there = Counter(partial.on_foundations())
        there.update(card for pile in (*partial.tableau, *piles.values()) for card in pile if card is not None)
        twice = [card for card in CARDS if there[card] > 1]
        if twice:
            msg = f"not a position: {' '.join(map(str, twice))} more than once, expected different cards"
            raise InvalidState(msg)
        missing = [card for card in CARDS if not there[card]]
        places = sum(pile.count(None) for pile in piles.values())
        if places != len(missing):
            msg = f"{_count(places, 'place')} with ?, but {_count(len(missing), 'card')} unaccounted for: "
            raise InvalidState(msg + (" ".join(map(str, missing)) or "none"))
        world = _laid(partial, piles, missing)
        world.check()
        for name, card in (("waste", world.waste_card), ("pivot", world.pivot_card)):
            if places > 1 and card in missing:
                msg = f"{name}: the top card is ?, expected a card, as it is in play"
                raise InvalidState(msg)
        return cls(world, frozenset(missing))

    def __str__(self) -> str:
        """Return the block that `from_text` reads, unseen cards as `?`, runs of them as `9?`."""
        words = state_words(self.world)
        return write_block({**words, **{name: _marked(getattr(self, name)) for name in _PILES}})

    def __repr__(self) -> str:
        """Return the expression that rebuilds the view."""
        return f"View.from_text({str(self)!r})"

    # What lies where

    @property
    def rules(self) -> Rules:
        """The rules it is played under."""
        return self.world.rules

    @property
    def base(self) -> int:
        """The base rank, 1–13."""
        return self.world.base

    @property
    def foundations(self) -> tuple[int, int, int, int]:
        """How many cards lie on the foundation of clubs, diamonds, hearts, spades."""
        return self.world.foundations

    @property
    def redeals(self) -> int | None:
        """Redeals left; None where they are unlimited."""
        return self.world.redeals

    @property
    def tableau(self) -> tuple[Cell, ...]:
        """The cells that are not empty, as in `State`."""
        return self.world.tableau

    @property
    def pivot(self) -> Pile:
        """The pivot as it was counted, its top card last."""
        return self._seen(self.world.pivot)

    @property
    def stock(self) -> Pile:
        """The stock, its next card first."""
        return self._seen(self.world.stock)

    @property
    def waste(self) -> Pile:
        """The waste, its top card last."""
        return self._seen(self.world.waste)

    @property
    def is_won(self) -> bool:
        """Whether all 52 cards are on the foundations."""
        return self.world.is_won

    def legal_moves(self) -> tuple[Move, ...]:
        """List the legal moves, as `State.legal_moves`: they are the same in every world."""
        return self.world.legal_moves()

    # Worlds

    @property
    def places(self) -> int:
        """How many places are unseen."""
        return len(self.unseen)

    @property
    def is_known(self) -> bool:
        """Whether every card is known."""
        return not self.unseen

    @property
    def worlds(self) -> int:
        """How many worlds there are: the factorial of the unseen places."""
        return factorial(len(self.unseen))

    def lay(self, cards: Iterable[Card | str] | str) -> State:
        """Return the world in which the unseen cards lie in a given order.

        Args:
            cards: the unseen cards, or their texts, for the unseen places of pivot, waste and stock, in this order and
                each from its first card.

        Raises:
            InvalidState: they are other cards than those.
        """
        try:
            laid = parse_cards(cards) if isinstance(cards, str) else tuple(map(as_card, cards))
        except (TypeError, InvalidCard):
            laid = None
        if laid is None or len(laid) != len(self.unseen) or set(laid) != self.unseen:
            raise InvalidState(got(cards, f"the {len(self.unseen)} unseen cards, each once"))
        return self._laid(laid)

    def _laid(self, cards: Sequence[Card]) -> State:
        return _laid(self.world, {name: getattr(self, name) for name in _PILES}, cards)

    def _seen(self, pile: tuple[Card, ...]) -> Pile:
        return tuple(None if card in self.unseen else card for card in pile)


def face_up(state: State) -> set[Card]:
    """Collect the cards of a position that lie face-up, the waste spread: what a look at the table tells."""
    return exposed(state) | set(state.waste)


def exposed(state: State) -> set[Card]:
    """Collect the cards that nobody who plays can have missed."""
    return state.in_play().union(state.on_foundations(), *state.tableau)


def _laid(state: State, piles: dict[str, Pile], cards: Sequence[Card]) -> State:
    """Lay cards on the places that are None."""
    rest = iter(cards)
    pivot, waste, stock = (tuple(next(rest) if card is None else card for card in piles[name]) for name in _PILES)
    return evolve(state, pivot=pivot, waste=waste, stock=stock)


_MARK = re.compile(r"([1-9][0-9]?)\?|\?+")  # unseen cards: as many as the number says, or a mark each


def _read_pile(name: str, text: str) -> Pile:
    """Read the cards of a pile, None for each that is unseen."""
    pile: list[Card | None] = []
    for word in card_words(text):
        mark = _MARK.fullmatch(word)
        try:
            pile += [Card.from_text(word)] if mark is None else [None] * int(mark[1] or len(word))
        except InvalidCard as error:
            msg = f"{name}: card {len(pile) + 1}: {error}, or ? for an unseen card"
            raise InvalidState(msg) from None
        if len(pile) > len(CARDS):
            msg = f"{name}: too many cards, expected at most {len(CARDS)}"
            raise InvalidState(msg)
    return tuple(pile)


def _marked(pile: Pile) -> list[str]:
    """Write a pile as the words of its line."""
    words: list[str] = []
    for hidden, run in groupby(pile, lambda card: card is None):
        cards = list(run)
        words += ([f"{len(cards)}?"] if len(cards) > 1 else ["?"]) if hidden else map(str, cards)
    return words


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
