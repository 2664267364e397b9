"""What a player knows: a position in which cards may be unseen."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import factorial

from attrs import evolve, frozen

from perno_solver.checks import got, require
from perno_solver.errors import InvalidState
from perno_solver.game.block import read_block, write_block
from perno_solver.game.cards import CARDS, Card
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
        unseen: the cards whose places are unknown; they lie in pivot, waste and stock, and not face-up.

    Raises:
        InvalidState: the position cannot be, or a card is said to be unseen where it lies face-up.
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
        seen = face_up(self.world) & unseen
        if seen or not unseen <= set(CARDS):
            shown = " ".join(map(str, sorted(seen))) or "what is no card"
            msg = f"unseen are {shown}, expected cards of pivot, waste and stock that do not lie face-up"
            raise InvalidState(msg)
        if len(unseen) == 1:
            unseen = frozenset()
        object.__setattr__(self, "unseen", unseen)
        object.__setattr__(self, "world", self._laid(sorted(unseen)))

    @classmethod
    def of(cls, state: State, seen: Iterable[Card] = ()) -> "View":
        """Return what is known of a position to a player who has seen some of its cards where they now lie.

        Args:
            state: the position.
            seen: cards whose places are known beside those that lie face-up; the waste counts as spread.

        Raises:
            InvalidState: the position is none.
        """
        require(state, State, InvalidState, "a State to view")
        try:
            known = face_up(state) | set(seen)
        except TypeError:
            raise InvalidState(got(seen, "the cards that were seen")) from None
        return cls(state, frozenset(CARDS) - known)

    @classmethod
    def from_text(cls, text: str, rules: Rules | str | None = None) -> "View":
        """Read a position block, as `State.from_text` does, in which cards may be unseen.

        In pivot, stock and waste `?` stands for an unseen card and `9?` for nine.

        Args:
            text: the block.
            rules: the rules, or their text, if the block does not name them.

        Raises:
            InvalidState: as in `State.from_text`; or the unseen places are not as many as the cards that are
                unaccounted for.

        >>> from perno_solver.game.deal import Deal
        >>> view = View.of(State.start(Deal.from_seed(42)))
        >>> print(view.pivot.count(None), view.stock.count(None), View.from_text(str(view)) == view)
        10 33 True
        """
        values = read_block(text)
        marks = {name: [_number(word) for word in values[name].replace(",", " ").split()] for name in _PILES}
        known = {name: " ".join(word for word in values[name].split() if _number(word) is None) for name in _PILES}
        partial = read_state({**values, **known}, rules)
        piles = {name: _places(marks[name], getattr(partial, name)) for name in _PILES}
        there = [*partial.on_foundations(), *(card for cell in partial.tableau for card in cell)]
        there += [card for pile in piles.values() for card in pile if card is not None]
        missing = [card for card in CARDS if card not in there]
        places = sum(pile.count(None) for pile in piles.values())
        if places != len(missing):
            msg = f"{_count(places, 'place')} with ?, but {_count(len(missing), 'card')} unaccounted for: "
            raise InvalidState(msg + (" ".join(map(str, missing)) or "none"))
        world = _laid(partial, piles, missing)
        world.check()
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

    def lay(self, cards: Iterable[Card]) -> State:
        """Return the world in which the unseen cards lie in a given order.

        Args:
            cards: the unseen cards, for the unseen places of pivot, waste and stock, each from its first card.

        Raises:
            InvalidState: they are other cards than those.
        """
        try:
            laid = tuple(cards)
            right = len(laid) == len(self.unseen) and set(laid) == self.unseen
        except TypeError:
            right = False
        if not right:
            raise InvalidState(got(cards, f"the {len(self.unseen)} unseen cards, each once"))
        return self._laid(laid)

    def _laid(self, cards: Sequence[Card]) -> State:
        return _laid(self.world, {name: getattr(self, name) for name in _PILES}, cards)

    def _seen(self, pile: tuple[Card, ...]) -> Pile:
        return tuple(None if card in self.unseen else card for card in pile)


def face_up(state: State) -> set[Card]:
    """Collect the cards of a position that lie face-up, the waste spread: what a look at the table tells."""
    cards = {*state.on_foundations(), *state.waste, *(card for cell in state.tableau for card in cell)}
    return cards if state.pivot_card is None else cards | {state.pivot_card}


def _laid(state: State, piles: dict[str, Pile], cards: Sequence[Card]) -> State:
    """Lay cards on the places that are None."""
    rest = iter(cards)
    pivot, waste, stock = (tuple(next(rest) if card is None else card for card in piles[name]) for name in _PILES)
    return evolve(state, pivot=pivot, waste=waste, stock=stock)


def _number(word: str) -> int | None:
    """Return how many unseen cards a word stands for, None for a card."""
    match = re.fullmatch(r"(\d{0,2})\?", word, re.ASCII)
    return None if match is None else int(match[1] or 1)


def _places(marks: list[int | None], cards: tuple[Card, ...]) -> Pile:
    """Put the cards that were read back among the unseen places."""
    rest = iter(cards)
    pile: list[Card | None] = []
    for number in marks:
        pile += [next(rest)] if number is None else [None] * number
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
