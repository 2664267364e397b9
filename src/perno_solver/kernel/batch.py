"""Batches: the deals of consecutive seeds, decided without Python in between."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
    from cython.cimports.libc.stdlib import free, realloc
else:
    from perno_solver.kernel.bits import (
        GAMMA,
        HALF,
        LOST,
        MEMORY_OUT,
        MIX_1,
        MIX_2,
        STOPPED,
        WON,
        WORD,
        highest,
        u64,
    )
    from perno_solver.kernel.search import Search


@cython.final
@cython.cclass
class Histogram:
    """How many deals have each value from 0 on."""

    bins: cython.p_longlong
    room: cython.Py_ssize_t

    def __init__(self):
        self.room = 0
        if not cython.compiled:
            self.bins = []

    if cython.compiled:

        def __dealloc__(self):
            free(self.bins)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, value: cython.Py_ssize_t) -> cython.bint:
        """Count a deal; return whether there was memory for it."""
        i: cython.Py_ssize_t
        room: cython.Py_ssize_t = value + (value >> 1) + 64
        if value >= self.room:
            if cython.compiled:
                bins = cython.cast(cython.p_longlong, realloc(self.bins, room * 8))
                if not bins:
                    return False
                self.bins = bins
                for i in range(self.room, room):
                    self.bins[i] = 0
            else:
                self.bins += [0] * (room - self.room)
            self.room = room
        self.bins[value] += 1
        return True

    def listed(self) -> list:
        """List the numbers of deals by value, up to the highest that any has."""
        size: cython.Py_ssize_t = self.room
        while size > 0 and self.bins[size - 1] == 0:
            size -= 1
        return [self.bins[i] for i in range(size)]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mixed(state: u64) -> u64:
    """Return what SplitMix64 draws in a state."""
    word: u64 = ((state ^ state >> 30) * MIX_1) & WORD
    word = ((word ^ word >> 27) * MIX_2) & WORD
    return word ^ word >> 31


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def index_below(word: u64, size: cython.int) -> cython.int:
    """Make a number below `size` of a drawn word, each alike likely; or -1 where another word must be drawn."""
    low: u64 = (word * size) & WORD
    if low < size and low < (WORD % size + 1) % size:  # 2^64 mod size, below size
        return -1  # pragma: no cover - for one word in 2^58 or more
    return ((word >> 32) * size + ((word & HALF) * size >> 32)) >> 32


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shuffle(game: Search, seed: u64) -> cython.void:
    """Make the deck of a seed, as `Deal.from_seed` specifies it."""
    i: cython.int
    size: cython.int = 52
    index: cython.int
    for i in range(52):
        game.card_at[i] = i
    while size > 1:
        index = -1
        while index < 0:
            seed = (seed + GAMMA) & WORD
            index = index_below(mixed(seed), size)
        i = game.card_at[index]
        size -= 1
        game.card_at[index] = game.card_at[size]
        game.card_at[size] = i


@cython.final
@cython.cclass
class Batch:
    """Deals of consecutive seeds, and what their searches were like.

    Args:
        search: the engine for the rules.
        deals: how many there are.
    """

    search: Search
    verdicts: bytearray  # two bits a deal from the lowest bit of the first byte up: 0 unknown, 1 won, 2 lost
    deals: cython.Py_ssize_t
    states: Histogram  # of the bit length of the number of states stored
    moves: Histogram
    passes: Histogram

    def __init__(self, search, deals):
        self.search = search
        self.deals = deals
        self.verdicts = bytearray((deals + 3) // 4)
        self.states, self.moves, self.passes = Histogram(), Histogram(), Histogram()

    def decide(self, first: u64, most: cython.Py_ssize_t) -> tuple:
        """Decide the deals from a seed on, storing at most so many states for each; return as `Kernel.survey` does."""
        if cython.compiled:
            codes = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(self.verdicts))
        else:
            codes = self.verdicts
        self.search.table.most = most
        with cython.nogil:
            self.decide_all(first, codes)
        if self.search.table.outcome() == "memory":  # pragma: no cover - the memory of C
            raise MemoryError
        return bytes(self.verdicts), self.states.listed(), self.moves.listed(), self.passes.listed()

    def single(self, seed: u64, most: cython.Py_ssize_t) -> tuple:
        """Decide the deal of a seed; return as `Kernel.each` does of one."""
        self.decide(seed, most)
        base: cython.int = self.search.card_at[self.search.pivot_size + 8] % 13 + 1
        moves: cython.Py_ssize_t = 0
        passes: cython.int = 0
        if self.verdicts[0] == WON:
            moves, passes = self.search.log.length, self.search.log.passes()
        return self.verdicts[0], base, self.search.table.stored, moves, passes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def decide_all(self, first: u64, codes: cython.p_uchar) -> cython.void:
        """Decide the deals from a seed on, until a watcher stops it."""
        i: cython.Py_ssize_t
        status: cython.int
        for i in range(self.deals):
            shuffle(self.search, (first + i) & WORD)
            self.search.lay_out()
            self.search.search()
            status = self.search.table.status
            if status == STOPPED or status == MEMORY_OUT:
                return
            if status == WON or status == LOST:
                codes[i >> 2] |= status << 2 * (i & 3)
            if status == WON:
                self.search.replay()
            if not self.count(status):
                self.search.table.status = MEMORY_OUT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self, status: cython.int) -> cython.bint:
        """Count a deal; return whether there was memory for it."""
        stored: u64 = self.search.table.stored
        if not self.states.add(highest(stored) + 1 if stored != 0 else 0):
            return False
        if status != WON:
            return True
        return self.moves.add(self.search.log.length) and self.passes.add(self.search.log.passes())
