"""Walks: breadth first through all states that can be reached, or through those that evidence needs."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        FILL,
        LOST,
        MEMORY_OUT,
        PACK,
        PLAY,
        REDEAL,
        RUNNING,
        TURN,
        WON,
        State,
        copied,
        lowest,
        u64,
    )
    from perno_solver.kernel.greedy import may_exhaust
    from perno_solver.kernel.log import Log
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.table import Table


@cython.final
@cython.cclass
class Walk(Position):
    """A walk from a state, under one set of rules; the table that it fills is the queue of states too.

    Args:
        rules: as `Position` has them.
    """

    table: Table
    log: Log
    explored: cython.Py_ssize_t
    cites: cython.bint  # whether *play* and *greedy* are cited where they hold
    play_holds: cython.bint
    greedy_holds: cython.bint

    def __init__(self, rules):
        super().__init__(rules)
        self.table, self.log = Table(self.packs), Log()
        self.play_holds = not self.obliged and (self.pack_tableau or not self.pack_pivot)
        self.greedy_holds = not (self.pack_pivot or self.pack_tableau)

    # What evidence may cite: the same as in `lemmas`, over bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_suit(self, cards: u64) -> u64:
        """Return the card of the first suit among some of different suits."""
        suit: cython.int = 0
        while cards & self.run_of[14 * suit + 13] == 0:
            suit += 1
        return cards & self.run_of[14 * suit + 13]

    # Walking

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, number: cython.Py_ssize_t) -> cython.void:
        """Take a stored state in hand."""
        third: u64 = self.table.thirds[number] if self.packs else 0
        self.unpack(self.table.words[2 * number], self.table.words[2 * number + 1], third)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def store(self) -> cython.bint:
        """Store the state in hand; return whether it is new."""
        return self.table.store(self.first_word(), self.second_word(), self.at.K)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_stored_as(self, number: cython.Py_ssize_t) -> cython.bint:
        """Whether the state in hand is a certain stored one."""
        return (
            self.first_word() == self.table.words[2 * number]
            and self.second_word() == self.table.words[2 * number + 1]
            and (not self.packs or self.at.K == self.table.thirds[number])
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def explore(self, number: cython.Py_ssize_t) -> cython.void:
        """Store every successor of a stored state, or every one that is needed."""
        kind: cython.int
        cards: u64
        here: State
        self.take(number)
        if self.at.N == 0:
            self.table.status = WON
            return
        if self.cites and self.greedy_holds and self.at.P != 0 and not may_exhaust(self):
            return
        self.find_moves()
        if self.cites and self.play_holds and self.can[PLAY] != 0 and not self.may_reform():
            self.can[PLAY] = self.first_suit(self.can[PLAY])
            self.can[PACK] = self.can[FILL] = self.can[TURN] = self.can[REDEAL] = 0
        here = copied(self.at)
        for kind in range(5):
            cards = self.can[kind]
            while cards != 0:
                self.move(kind, lowest(cards))
                if self.store():
                    self.table.parents[self.table.stored - 1] = number
                self.at = copied(here)
                cards &= cards - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, first_only: cython.bint) -> cython.void:
        """Explore from the state in hand, to the first won state or through all that can be reached."""
        self.table.clear()
        self.explored = 0
        if self.table.status != RUNNING:
            return
        self.settle()
        if not self.store():
            return
        self.table.parents[0] = 0
        self.table.generated = 0
        while self.explored < self.table.stored and self.table.status == RUNNING:
            self.explore(self.explored)
            if self.table.status == WON:
                if first_only:
                    return
                self.table.status = RUNNING
            if self.table.status == RUNNING:
                self.explored += 1
            self.table.tick()
        if self.table.status == RUNNING:
            self.table.status = LOST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trace(self, number: cython.Py_ssize_t) -> cython.void:
        """Write down the moves from the start to a stored state, the last move first."""
        kind: cython.int
        cards: u64
        here: State
        kind_made: cython.int = TURN
        place_made: cython.int = 0
        self.log.length = 0
        while number != 0 and self.table.status != MEMORY_OUT:
            self.take(self.table.parents[number])
            self.find_moves()
            here = copied(self.at)
            for kind in range(5):
                cards = self.can[kind]
                while cards != 0:
                    self.move(kind, lowest(cards))
                    if self.is_stored_as(number):
                        kind_made = kind
                        place_made = lowest(cards)
                    self.at = copied(here)
                    cards &= cards - 1
            if not self.log.write(kind_made, place_made):
                self.table.status = MEMORY_OUT
            number = self.table.parents[number]

    # What Python calls

    def breadth_first(self, first_only: cython.bint, cites: cython.bint, most: cython.Py_ssize_t) -> str:
        """Walk from the state in hand, to the first won state ("won") or through all that can be reached ("lost").

        Where the walk cites, it goes only where `lemmas.needed` goes.
        """
        self.table.most = most
        self.cites = cites
        with cython.nogil:
            self.walk(first_only)
        return self.table.outcome()

    def line(self) -> list:
        """Return the line to the won state at which the last walk ended, as `Search.line` does."""
        self.trace(self.explored)
        if self.table.status == MEMORY_OUT:  # pragma: no cover - the memory of C
            raise MemoryError
        return self.log.written(self)[::-1]

    def keys(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> list:
        """Return the keys of the states stored from the `first` up to before the `last`, counted from 0."""
        i: cython.Py_ssize_t
        found: list = []
        for i in range(first, min(last, self.table.stored)):
            key = self.table.words[2 * i].to_bytes(8, "little") + self.table.words[2 * i + 1].to_bytes(8, "little")
            found.append(key + self.table.thirds[i].to_bytes(8, "little") if self.packs else key)
        return found
