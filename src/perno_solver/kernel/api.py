"""What the kernel offers to the package."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.batch import Batch
    from perno_solver.kernel.bits import (
        BOUND,
        BURY,
        DEAD,
        DIG,
        END,
        GLUE,
        GREEDY,
        HOLD,
        LAST,
        PACK_HOLD,
        PILE,
        PLAY_FIRST,
        RUN,
        SAFE,
        TRIGGER,
        UNDO,
        WHEEL,
    )
    from perno_solver.kernel.piles import Piles
    from perno_solver.kernel.plain import Plain
    from perno_solver.kernel.players import Player
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.search import Search
    from perno_solver.kernel.shortest import Shortest
    from perno_solver.kernel.single import Single
    from perno_solver.kernel.table import Table
    from perno_solver.kernel.walk import Walk
    from perno_solver.kernel.worlds import Worlds

COMPILED = bool(cython.compiled)

LEMMAS = {
    "run": RUN,
    "greedy": GREEDY,
    "hold": HOLD,
    "last": LAST,
    "bury": BURY,
    "end": END,
    "trigger": TRIGGER,
    "dead": DEAD,
    "play": PLAY_FIRST,
    "pile": PILE,
    "safe": SAFE,
    "undo": UNDO,
    "glue": GLUE,
    "pack": PACK_HOLD,
    "bound": BOUND,
    "wheel": WHEEL,
    "dig": DIG,
}
"""The lemmas by name, each a bit of the switch that a kernel takes."""

ALL_LEMMAS = sum(LEMMAS.values())

PLAYERS = ("greedy", "careful", "calculating")
"""The players, by their numbers in `players`."""


def search_for(rules, lemmas):
    """Make the search whose lemmas hold under rules; see *Engines* in `docs/lemmas.md`."""
    game: Position = Position(rules)
    if game.obliged or not lemmas & HOLD:
        return Plain(rules, lemmas)
    return Piles(rules, lemmas) if game.packs else Single(rules, lemmas)


@cython.final
@cython.cclass
class Kernel:
    """Searches games under one set of rules.

    Args:
        rules: as `Position` has them.
        lemmas: those that searches may use, as a sum of switches.
    """

    rules: tuple
    search: Search
    walk: Walk
    shortest: Shortest
    last: Table  # that of the last search or walk

    def __init__(self, rules, lemmas):
        self.rules = rules
        self.search, self.walk = search_for(rules, lemmas), Walk(rules)
        self.shortest = Shortest(rules)
        self.last = self.search.table

    def start(self, cards, base, key):
        """Take a state in hand: the deck as card indices, the base rank 0–12, the key of 16 or 24 bytes."""
        self.search.start(cards, base, key)
        self.walk.start(cards, base, key)
        self.shortest.start(cards, base, key)

    def watch(self, on_pulse):
        """Call a function now and then while searching, with what `counts` returns; a true answer stops the search."""
        self.search.table.on_pulse = self.walk.table.on_pulse = self.shortest.table.on_pulse = on_pulse

    def counts(self):
        """Return the states stored, successors generated and the depth of the last search or walk.

        The depth of a search is in choices, in moves where the fewest are searched for; a walk has none, 0.
        """
        return self.last.stored, self.last.generated, self.last.deepest

    def decide(self, most):
        """Search from the state in hand, storing at most so many states.

        Returns "won" or "lost"; or why it came to nothing: "states", "memory", or "stopped" by the watcher.
        """
        self.last = self.search.table
        return self.search.decide(most)

    def line(self):
        """Return the line of the last search, which won: pairs of the move's letter and the card's index."""
        return self.search.line()

    def breadth_first(self, first_only, cites, most):
        """Walk from the state in hand, to the first won state ("won") or through all that can be reached ("lost").

        Where the walk cites, it goes only where `lemmas.needed` goes.
        """
        self.last = self.walk.table
        return self.walk.breadth_first(first_only, cites, most)

    def walked_line(self):
        """Return the line of the last walk, which ended at a won state, as `line` does."""
        return self.walk.line()

    def fewest_moves(self, within, most):
        """Search from the state in hand for a line of fewer moves than so many, storing at most so many states.

        Returns "won" if there is one, and then `shortest_line` has the fewest; "lost" if there is none; or why the
        search stopped, as `decide` does: then `shortest_line` may still have one.
        """
        self.last = self.shortest.table
        return self.shortest.decide(within, most)

    def shortest_line(self):
        """Return the shortest line that the last search for the fewest moves found, as `line` does; None if none."""
        return self.shortest.line()

    def at_least(self):
        """Return how many moves a line from the state in hand has at least, -1 if it is seen at once that none wins."""
        return self.shortest.at_least()

    def gap(self):
        """Return the moves that a line has at least, and those of the shortest line known, as far as that search is."""
        return min(self.shortest.bound, self.shortest.within), self.shortest.within

    def keys(self, first, last):
        """List the keys of the states that the last walk stored, from the `first` up to before the `last`."""
        return self.walk.keys(first, last)

    def survey(self, first, deals, most):
        """Decide the deals of consecutive seeds, storing at most so many states for each.

        Returns the verdicts, two bits a deal from the lowest bit of the first byte up (0 unknown, 1 won, 2 lost), and
        three histograms as lists: of the bit length of the number of states stored, of moves in the lines that win,
        and of passes in them.
        """
        self.last = self.search.table
        return Batch(self.search, deals).decide(first, most)

    def odds(self, seen, seed, number, worlds, exact, most):
        """Try worlds that agree with what a player has seen of the state in hand, and every move in each.

        Args: the places seen, as a mask; the seed of the sample; the number of the first world and how many; whether
        they are all worlds in their order, not a sample; the most states stored for each question. Returns how many
        worlds can be won, how many are unknown, and for each legal move its letter, its card's index or None, and in
        how many worlds the game can be won after it, and is unknown.
        """
        self.last = self.search.table
        return Worlds(self.search).odds(seen, seed, number, worlds, exact, most)

    def play(self, player, remembers, tries, seed, first, deals, most):
        """Have a player play the deals of consecutive seeds.

        Args: its name, whether it remembers what it has seen, how many worlds it tries at a choice and by which seed;
        the first deal's seed and how many; the most states stored for each question. Returns what `Player.games` does.
        """
        self.last = self.search.table
        kind = PLAYERS.index(player)
        return Player(self.search, self.rules, kind, remembers, tries, seed).games(first, deals, most)

    def each(self, first, deals, most):
        """Decide the deals of consecutive seeds, as `survey` does; return what it does not say of each.

        These are tuples: the verdict as 0, 1 or 2, the base rank 1–13, the states stored, and the moves and passes of
        the line that wins, 0 where there is none.
        """
        self.last = self.search.table
        return [Batch(self.search, 1).single(seed, most) for seed in range(first, first + deals)]
