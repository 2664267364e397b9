"""The game in bits: the state of a game as a few words, and what all parts of the kernel count with.

Cards are numbered by their place in the deck, 0–51, and sets of cards are words with a bit a place:

    T  cards in the tableau          K  those of them that lie packed on another
    P  cards in the pivot            O  cards on the foundations
    N  the card each foundation needs next
    H  cards that the line being looked for holds back (see *hold*, *bury* and *pack* in `docs/lemmas.md`)
    F  foundation counts, four bits a suit; `ptr` the place from which on outside cards are stock; `rd` redeals left

Cards in none of T, P and O are outside: waste below `ptr`, stock from it on. The top of the waste is the highest bit
below `ptr`, the next stock card the lowest from it on, the pivot's top its highest bit. What lies on a card in a cell
is the card of its suit that goes before it, so K says how the piles are made up.

The parts of the kernel run as the Python that they are, with what this module says. Compiled, they are one extension,
for which `bits.pxd` says the same in C; a test holds the two equal.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

u64 = cython.ulonglong
p_Node = cython.p_ulonglong  # noqa: N816 - named as Cython names types of pointers

ONE = 1
ALL = (1 << 52) - 1
HALF = (1 << 32) - 1
WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15  # the odd number next to 2^64 divided by the golden ratio, of SplitMix64
MIX_1 = 0xBF58476D1CE4E5B9  # its two multipliers
MIX_2 = 0x94D049BB133111EB

# What a search has come to
RUNNING = 0
WON = 1
LOST = 2
STATES_OUT = 3
MEMORY_OUT = 4
STOPPED = 5

# Kinds of moves
TURN = 0
REDEAL = 1
PLAY = 2  # to a foundation
FILL = 3  # an empty cell
PACK = 4  # on a card in a cell

# Lemmas, as switches: see `docs/lemmas.md` for each
RUN = 1
GREEDY = 2
HOLD = 4
LAST = 8
BURY = 16
END = 32
TRIGGER = 64
DEAD = 128
PLAY_FIRST = 256
PILE = 512
SAFE = 1024
UNDO = 2048
GLUE = 4096
PACK_HOLD = 8192
BOUND = 16384
WHEEL = 32768
DIG = 65536

MOST_REDEALS = 63  # more are of no use (see *Redeals that are too many*), and keys have six bits for them
PULSE = 4096  # nodes between two looks at the clock


def lowest(cards):
    """Return the number of the lowest bit of some."""
    return (cards & -cards).bit_length() - 1


def highest(cards):
    """Return the number of the highest bit of some."""
    return cards.bit_length() - 1


def count(cards):
    """Count the bits."""
    return cards.bit_count()


class State:
    """A state of a game, by value: see above for the letters."""

    __slots__ = ("F", "H", "K", "N", "O", "P", "T", "ptr", "rd")

    def __init__(self):
        self.T = self.P = self.K = self.O = self.N = self.H = self.F = self.ptr = self.rd = 0


class Node:
    """A state that waits to be expanded, and what is known of it.

    `depth` is that of the search; see `piles` for the others.
    """

    __slots__ = ("at", "depth", "exhausts", "final", "lifted")


class Joins:
    """The two sets of cards that `bound` finds."""

    __slots__ = ("later", "now")

    def __init__(self, now, later):
        self.now, self.later = now, later


def copied(state):
    """Copy a state, where C copies by assignment."""
    copy = State()
    copy.T, copy.P, copy.K, copy.O, copy.N, copy.H = state.T, state.P, state.K, state.O, state.N, state.H
    copy.F, copy.ptr, copy.rd = state.F, state.ptr, state.rd
    return copy
