"""States and what is held in them, for the fewest moves: which moves are a choice; `docs/shortest.md` says why."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        ALL,
        FILL,
        MEMORY_OUT,
        ONE,
        PACK,
        PLAY,
        REDEAL,
        TURN,
        count,
        highest,
        lowest,
        u64,
    )
    from perno_solver.kernel.log import Log
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.queue import Queue
    from perno_solver.kernel.sets import below, first_of, last_of, many
    from perno_solver.kernel.table import Table

# Kinds of states, by what is known of the moves that can be left out
PLAIN = cython.declare(cython.int, 0)  # nothing
FORMING = cython.declare(cython.int, 1)  # the pivot may be formed again, and what is in the tableau leaves by a play
FINAL = cython.declare(cython.int, 2)  # it may not, and *play* holds


@cython.cclass
class Held(Position):
    """A game, a state of it in hand, and what is held in that.

    Held cards of the state may make no move but a fill; beside it are those that may not be packed.

    Args:
        rules: as `Position` has them.
    """

    table: Table
    queue: Queue
    log: Log
    rigid: cython.bint  # cards of the tableau only go to foundations
    kind: cython.int  # of the state in hand
    unpacked: u64  # cards that may not be packed
    lifts: u64  # packed cards that may be lifted
    asked: u64[5]  # the cards of each kind of move that are a choice
    cost: cython.Py_ssize_t  # moves from the start to the state in hand
    replaying: cython.bint
    found: cython.Py_ssize_t  # in a replay: how many moves there are to the wanted state, -1 while it is not met
    wanted: cython.Py_ssize_t

    def __init__(self, rules):
        super().__init__(rules)
        self.table, self.queue, self.log = Table(True), Queue(), Log()
        self.rigid = not (self.pack_tableau or self.fill_tableau or self.pack_pivot)
        self.replaying = False
        if not cython.compiled:
            self.asked = [0] * 5

    # Keys: what a state is, and what is held, in three words

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def store(self) -> cython.bint:
        """Store the state in hand, with what is held, or in a replay compare it; return whether it is new, or wanted.

        Two bits for each card, in the words after the first: outside, whether it is held and whether it may not be
        packed; in the tableau, whether it lies packed and whether it is held or may not be packed, of which a kind of
        states knows one only; in the pivot, the latter; and on foundations both.
        """
        outside: u64 = self.outside()
        one: u64 = self.at.K | self.at.O | (self.at.H & outside)
        other: u64 = self.at.O | (self.at.H & ~outside) | self.unpacked
        last: u64 = highest(self.at.P) if self.at.P != 0 else 63
        rd: u64 = self.at.rd
        one |= last << 52 | rd << 58
        if self.replaying:
            return (
                self.queue.cost(self.wanted) == self.cost
                and self.table.words[2 * self.wanted] == self.first_word()
                and self.table.words[2 * self.wanted + 1] == one
                and self.table.thirds[self.wanted] == other
            )
        return self.table.store(self.first_word(), one, other)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, number: cython.Py_ssize_t) -> cython.void:
        """Take a stored state in hand."""
        a: u64 = self.table.words[2 * number]
        b: u64 = self.table.words[2 * number + 1]
        other: u64 = self.table.thirds[number]
        outside: u64
        suit: cython.int
        n: cython.int
        self.at.T = a & ALL
        self.at.O = b & other
        self.at.K = b & self.at.T
        self.at.ptr = (a >> 52) & 63
        self.at.rd = b >> 58
        self.at.P = self.at.N = 0
        self.at.F = 0
        for suit in range(4):
            n = count(self.at.O & self.run_of[14 * suit + 13])
            self.at.F |= n << 4 * suit
            if n < 13:
                self.at.N |= ONE << self.place_of[13 * suit + n]
        if a >> 58 != 63:
            self.at.P = (below((b >> 52 & 63) + 1) ^ below(a >> 58)) & ~(self.at.T | self.at.O)
        self.find_kind()
        outside = self.outside()
        self.at.H = b & outside
        self.unpacked = other & ~self.at.O
        if self.kind == FORMING:
            self.at.H |= other & (self.at.T | self.at.P)
            self.unpacked &= outside

    # What may be left out

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def find_kind(self) -> cython.void:
        """Find out of which kind the state in hand is."""
        if self.obliged:
            self.kind = PLAIN
        elif self.may_reform():
            self.kind = FORMING if self.rigid else PLAIN
        else:
            self.kind = FINAL if self.pack_tableau or not self.pack_pivot or self.at.P == 0 else PLAIN

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ask(self) -> cython.int:
        """Find the moves that are a choice in the state in hand; return their number, 0 if none leads on."""
        kind: cython.int
        forced: u64 = 0
        held: u64 = self.at.H
        outside: u64
        top: u64
        self.find_moves()
        for kind in range(5):
            self.asked[kind] = self.can[kind]
        self.lifts = 0
        if self.kind != PLAIN:
            outside = self.outside()
            top = last_of(outside & below(self.at.ptr))
            if self.kind == FINAL:
                forced = first_of(self.can[PLAY])
                if self.can[PLAY] & held or (self.rigid and held & outside):
                    return 0
                self.asked[PACK] &= ~(held | self.unpacked)
                self.lifts = self.can[FILL] & self.at.T
                self.asked[FILL] &= ~(self.at.T | (self.unpacked if self.rigid else 0))
            else:
                forced = self.can[PLAY] & self.at.K
                if self.at.rd == 0:
                    if held & outside & below(self.at.ptr):
                        return 0
                    forced |= self.can[PLAY] & top
                forced = first_of(forced)
                # The next trigger may be a card that was held up to it
                self.asked[PLAY] &= ~(held & outside if self.at.P != 0 and not many(self.at.P) else held)
                self.asked[PACK] &= ~(held | self.unpacked | self.at.N)
            if forced != 0:
                self.asked[PLAY] = forced
                self.asked[PACK] = self.asked[FILL] = self.asked[TURN] = self.asked[REDEAL] = self.lifts = 0
                return 1
        return (
            count(self.asked[PLAY])
            + count(self.asked[PACK])
            + count(self.asked[FILL] | self.lifts)
            + cython.cast(cython.int, self.asked[TURN] + self.asked[REDEAL])
        )

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, kind: cython.int, place: cython.int) -> cython.void:
        """Make a legal move, and release what it releases."""
        card: u64 = ONE << place
        waits: u64
        before: cython.int = self.kind
        ends: cython.bint = False  # whether holds in the tableau end
        if self.replaying and self.found < 0 and not self.log.write(kind, place):
            self.table.status = MEMORY_OUT
        self.cost += 1
        if self.kind == FORMING:
            ends = (kind == REDEAL and self.at.P == 0) or (
                kind == PLAY and self.at.P != 0 and not many(self.at.P) and (self.at.T & ~self.at.K | self.at.P) & card
            )
        self.move(kind, place)
        if before == PLAIN:
            self.find_kind()
            return
        if kind == REDEAL:  # to be packed was as good as to be turned once more
            waits = self.unpacked & self.outside()
            self.at.H |= waits
            self.unpacked ^= waits
        elif kind != TURN:
            self.unpacked &= ~card
            if not self.at.N & card:
                self.at.H &= ~card
            if before == FINAL:
                waits = self.before[place]
                if kind == PACK:
                    self.unpacked &= ~self.after[place]
                self.at.H &= ~waits
                self.unpacked &= ~waits
        self.find_kind()
        if ends or (before == FORMING and self.kind == FINAL):
            self.at.H &= self.outside()
        if before == FORMING:
            self.unpacked &= self.outside()

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def advance(self) -> cython.bint:
        """Go on as long as there is but one move; return whether that comes to a choice, or wins."""
        kind: cython.int
        while self.at.N != 0:
            kind = self.ask()
            if kind == 0:
                return False
            if kind > 1:
                return True
            kind = TURN
            while self.asked[kind] == 0:
                kind += 1
            if (kind == REDEAL and self.unlimited) or (kind >= FILL and self.kind == PLAIN):
                return True  # it could go round
            self.step(kind, lowest(self.asked[kind]))
        return True
