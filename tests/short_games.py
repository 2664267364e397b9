"""Small games to search to the end: near the end of a real game, they are games with a short deck.

The package plays with 52 cards alone. Where the first 13 - n cards of each suit are on the foundations, what is left is
a game with n ranks, so such a position is both a state of the package and the start of a short game of the oracle.
"""

import oracle
from attrs import evolve, frozen
from hypothesis import strategies as st

from perno_solver import CARDS, Rules, State, Suit
from perno_solver.strategies import rules


@frozen
class ShortGame:
    """One game twice: as the oracle plays it with a short deck, and as the package plays its end."""

    rules: Rules
    game: dict
    first: dict
    base: int

    def card(self, name):
        """Return the card of the real deck that a card of the short deck stands for."""
        step = oracle.suit_in_order(self.game, name[1]).index(name) + 13 - self.game["ranks"]
        away = step if self.rules.build.value == "up" else -step
        return CARDS["CDHS".index(name[1]) * 13 + (self.base - 1 + away) % 13]

    def move(self, token):
        kind, colon, name = token.partition(":")
        return kind + colon + (str(self.card(name)) if colon else "")

    def state(self, position):
        def cards(pile):
            return tuple(map(self.card, pile))

        return State(
            self.rules,
            self.base,
            tuple(13 - self.game["ranks"] + len(pile) for pile in position["foundations"].values()),
            map(cards, position["cells"]),
            *(cards(position[pile]) for pile in ("pivot", "stock", "waste")),
            position["redeals"],
        )

    @property
    def start(self):
        return self.state(self.first)


few_redeals = st.sampled_from([2, 0, 1, None])


@st.composite
def short_games(draw, rules=rules(redeals=few_redeals)):  # noqa: B008 - strategies are values
    """Generate games of three to seven ranks under rules whose pivot leaves the deck something to play with."""
    ranks = draw(st.integers(3, 7))
    drawn = draw(rules)
    chosen = evolve(drawn, pivot_size=1 + drawn.pivot_size % (4 * ranks - 9))
    deck = [rank + suit for suit in oracle.SUITS for rank in oracle.RANKS[:ranks]]
    draw(st.randoms(use_true_random=True)).shuffle(deck)
    game, first = oracle.start(dict(chosen.spelled()), ranks, deck)
    return ShortGame(chosen, game, first, draw(st.integers(1, 13)))


def mapped(state, to_card, build=None):
    """Rename every card of a state; the cards of a foundation must stay together and in order."""
    chosen = evolve(state.rules, build=build or state.rules.build)
    bases = [to_card(state.card_at(suit, 0)) for suit in Suit]
    foundations = [0, 0, 0, 0]
    for base, on in zip(bases, state.foundations, strict=True):
        foundations[base.suit] = on
    return State(
        chosen,
        bases[0].rank,
        tuple(foundations),
        ([to_card(card) for card in cell] for cell in state.tableau),
        *(tuple(map(to_card, pile)) for pile in (state.pivot, state.stock, state.waste)),
        state.redeals,
    )
