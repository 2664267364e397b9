"""Games that tell whether the kernel is right: each goes wrong where one branch of its searches is left out.

`data/witnesses.tsv` has rules, a seed or a position, the lemmas that may be used, the verdict, the states that the
search stores, the fewest moves and the states that the search for them stores, and a change of the kernel that the game
gives away; `bench/find_witnesses.py` finds them. Where all lemmas may be used, some of what the kernel looks at is
looked at twice, so there are games under fewer.
"""

from functools import cache
from pathlib import Path

from attrs import field, frozen

from perno_solver import Deal, Rules, State
from perno_solver.game.codec import Codec
from perno_solver.kernel import ALL_LEMMAS, LEMMAS
from perno_solver.solve.engine import kernel_for, move_of

FILE = Path(__file__).parent / "data" / "witnesses.tsv"
MOST = 5_000  # states of a search, more than any witness needs
FEW = 300  # states of a search for the fewest moves, which some do not end within
FAR = 1 << 14  # moves that no line needs


@frozen
class Witness:
    """A game with its right verdict, and what its search stores."""

    rules: Rules = field(hash=False)
    game: str
    lemmas: int
    verdict: str
    states: int
    fewest: str
    fewest_states: int
    change: str

    @classmethod
    def of_row(cls, row):
        rules, game, names, verdict, states, fewest, fewest_states, change = row.split("\t")
        lemmas = ALL_LEMMAS if names == "all" else sum(LEMMAS[name] for name in names.split("+"))
        return cls(Rules.from_text(rules), game, lemmas, verdict, int(states), fewest, int(fewest_states), change)

    def __str__(self):
        names = "+".join(name for name, lemma in LEMMAS.items() if self.lemmas & lemma)
        lemmas = "all" if self.lemmas == ALL_LEMMAS else names
        counts = [self.verdict, str(self.states), self.fewest, str(self.fewest_states)]
        return "\t".join([str(self.rules), self.game, lemmas, *counts, self.change])


@cache
def rows():
    return [Witness.of_row(line) for line in FILE.read_text(encoding="utf-8").splitlines()[2:]]


def game_text(state):
    """Write a position on one line."""
    return " | ".join(str(state).splitlines()[1:])


@cache
def start_of(game, rules):
    """Return the state that a game begins with, and what a kernel takes."""
    if game.isdecimal():
        start = State.start(Deal.from_seed(int(game)), rules)
    else:
        start = State.from_text(game.replace(" | ", "\n"), rules)
    codec = Codec.of(start, rules)
    return start, (bytes(card.index for card in codec.deck.cards), start.base - 1, codec.encode(start))


def searched(game, rules, most=MOST, lemmas=ALL_LEMMAS):
    """Search a game; return the kernel, and what it came to."""
    kernel = kernel_for(rules, lemmas)
    kernel.start(*start_of(game, rules)[1])
    return kernel, kernel.decide(most)


def outcome(row):
    """Return the verdict that the kernel gives, and the states that it stores."""
    kernel, verdict = searched(row.game, row.rules, lemmas=row.lemmas)
    return verdict, kernel.counts()[0]


def searched_for_fewest(game, rules):
    """Search for the fewest moves; return the kernel, and what it came to."""
    kernel = kernel_for(rules)
    kernel.start(*start_of(game, rules)[1])
    return kernel, kernel.fewest_moves(FAR, FEW)


def shortest(game, rules):
    """Search for the fewest moves; return them, "lost", or "states" where there are too many, and the states stored."""
    kernel, found = searched_for_fewest(game, rules)
    return str(len(kernel.shortest_line())) if found == "won" else found, kernel.counts()[0]


def shortest_line_wins(row):
    """Whether the line of the fewest moves wins, if there is one."""
    kernel, found = searched_for_fewest(row.game, row.rules)
    return found != "won" or wins(row.game, row.rules, kernel.shortest_line())


def wins(game, rules, pairs):
    """Whether a kernel's line wins, played under the plain rules, and comes to no state twice."""
    at = [start_of(game, rules)[0]]
    for kind, card in pairs:
        at.append(at[-1].play(move_of(kind, card)))
    return at[-1].is_won and len(set(at)) == len(at)


def line_wins(row):
    """Whether the line that the kernel returns wins."""
    return wins(row.game, row.rules, searched(row.game, row.rules, lemmas=row.lemmas)[0].line())
