"""The kernel: the game over bit masks, compiled where a C compiler was there, the same file in plain Python where not.

Cards are numbered by their place in the deck, 0–51, and sets of cards are 52-bit masks:

    T  cards in the tableau          K  those of them that lie packed on another
    P  cards in the pivot            O  cards on the foundations
    N  the card each foundation needs next
    H  cards that the line being looked for holds back (see `lemmas`)
    F  foundation counts, four bits a suit; `ptr` the place from which on outside cards are stock; `rd` redeals left

Cards in none of T, P and O are outside: waste below `ptr`, stock from it on. The top of the waste is the highest bit
below `ptr`, the next stock card the lowest from it on, the pivot's top its highest bit.

One table serves every search: keys lie densely in the order in which they were stored, and a small index of slots
points at them, so that clearing is cheap and a breadth-first search needs no other queue. A stored state takes 20
bytes (28 where cards are packed), 6 to 12 bytes of index, and at most an eighth of slack: below 48 bytes in all.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver import _cython as cython  # type: ignore[no-redef]

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
    from cython.cimports.libc.stdlib import free, malloc, realloc
    from cython.cimports.libc.string import memset
    from cython.cimports.perno_solver.bits import count, highest, lowest
else:

    def lowest(mask):
        """Return the number of the lowest bit."""
        return (mask & -mask).bit_length() - 1

    def highest(mask):
        """Return the number of the highest bit."""
        return mask.bit_length() - 1

    def count(mask):
        """Count the bits."""
        return mask.bit_count()


u64 = cython.typedef(cython.ulonglong)

ALL = cython.declare(u64, (1 << 52) - 1)
WORD = cython.declare(u64, (1 << 64) - 1)
HALF = cython.declare(u64, (1 << 32) - 1)
ONE = cython.declare(u64, 1)
FOUR_FULL = cython.declare(u64, 0xDDDD)
GAMMA = cython.declare(u64, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(u64, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(u64, 0x94D049BB133111EB)

# What a search has come to
RUNNING = cython.declare(cython.int, 0)
WON = cython.declare(cython.int, 1)
LOST = cython.declare(cython.int, 2)
STATES_OUT = cython.declare(cython.int, 3)
MEMORY_OUT = cython.declare(cython.int, 4)
STOPPED = cython.declare(cython.int, 5)

# How nodes are expanded
PLAIN = cython.declare(cython.int, 0)
SINGLE = cython.declare(cython.int, 1)
PILES = cython.declare(cython.int, 2)

# Moves in a log: kind << 6 | place
TURN = cython.declare(cython.int, 0)
REDEAL = cython.declare(cython.int, 1)
PLAY = cython.declare(cython.int, 2)
FILL = cython.declare(cython.int, 3)
PACK = cython.declare(cython.int, 4)

# Lemmas, as switches
RUN = cython.declare(cython.int, 1)
GREEDY = cython.declare(cython.int, 2)
HOLD = cython.declare(cython.int, 4)
LAST = cython.declare(cython.int, 8)
BURY = cython.declare(cython.int, 16)
END = cython.declare(cython.int, 32)
TRIGGER = cython.declare(cython.int, 64)
DEAD = cython.declare(cython.int, 128)
PLAY_FIRST = cython.declare(cython.int, 256)
PILE = cython.declare(cython.int, 512)
SAFE = cython.declare(cython.int, 1024)
UNDO = cython.declare(cython.int, 2048)
GLUE = cython.declare(cython.int, 4096)
PACK_HOLD = cython.declare(cython.int, 8192)
BOUND = cython.declare(cython.int, 16384)

_KINDS = "TRFEP"
_OUTCOMES = ("running", "won", "lost", "states", "memory", "stopped")
_STATES_BINS = cython.declare(cython.int, 40)
_MOVES_BINS = cython.declare(cython.int, 512)
_PASSES_BINS = cython.declare(cython.int, 32)
_LOG_SIZE = cython.declare(cython.int, 1 << 16)
_FIELDS = cython.declare(cython.int, 8)  # words of a waiting node
_MOST_REDEALS = cython.declare(cython.int, 63)  # more are of no use (see `lemmas`), and a key has six bits for them
_PULSE = cython.declare(cython.int, 4096)  # nodes between two looks at the clock


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def below(place: cython.int) -> u64:
    """Return the places below one, 0–52."""
    return (ONE << place) - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def scatter(a: u64, b: u64, c: u64) -> u64:
    """Hash a key."""
    h: u64 = ((a ^ (b << 23 & WORD) ^ b >> 41) * GAMMA + c) & WORD
    h = ((h ^ h >> 32) * MIX_1 + b) & WORD
    return h ^ h >> 29


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mixed(state: u64) -> u64:
    """Return what SplitMix64 draws in a state."""
    word: u64 = ((state ^ state >> 30) * MIX_1) & WORD
    word = ((word ^ word >> 27) * MIX_2) & WORD
    return word ^ word >> 31


@cython.final
@cython.cclass
class Kernel:
    """Searches games under one set of rules; see the functions at the end for what each mode means."""

    # Rules
    pivot_size: cython.int
    reform_at: cython.int  # stock cards that an empty pivot waits for: 0 never, 1, or 10
    pivot_open: cython.bint
    redeals: cython.int
    unlimited: cython.bint
    builds_up: cython.bint
    pack_waste: cython.bint
    pack_pivot: cython.bint
    pack_tableau: cython.bint
    pack_limit: cython.int
    fill_tableau: cython.bint
    obliged: cython.bint
    play_is_citable: cython.bint
    greedy_is_citable: cython.bint
    packs: cython.bint
    lemmas: cython.int
    # The game, by place
    suit_at: cython.uchar[52]
    step_at: cython.uchar[52]
    card_at: cython.uchar[52]
    after: u64[52]  # the card that its foundation needs just after this one
    before: u64[52]  # the card that its foundation needs just before
    adds: u64[52]  # one on its foundation's count
    place_of: cython.uchar[52]  # at 13 * suit + step
    run_of: u64[56]  # the first n cards of a suit, at 14 * suit + n
    # The state in hand
    T: u64
    P: u64
    K: u64
    O: u64
    N: u64
    H: u64
    F: u64
    ptr: cython.int
    rd: cython.int
    # A copy of it
    kept_T: u64
    kept_P: u64
    kept_K: u64
    kept_O: u64
    kept_N: u64
    kept_H: u64
    kept_F: u64
    kept_ptr: cython.int
    kept_rd: cython.int
    kept_logged: cython.int
    can: u64[5]
    # States stored
    words: cython.p_ulonglong  # two a key
    thirds: cython.p_ulonglong  # a third where cards are packed
    parents: cython.p_uint
    slots: cython.p_uint  # 1 + the number of the key
    stored: cython.Py_ssize_t
    room: cython.Py_ssize_t
    mask: u64
    slot_room: cython.Py_ssize_t
    most: cython.Py_ssize_t
    generated: cython.longlong
    # Nodes waiting, and those on the way to the one in hand
    stack: cython.p_ulonglong
    path: cython.p_ulonglong
    waiting: cython.Py_ssize_t
    stack_room: cython.Py_ssize_t
    path_room: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    deepest: cython.Py_ssize_t
    # The search
    engine: cython.int
    cites: cython.bint
    holds: cython.bint  # engine PILES: whether holds are asked about while the pivot may be formed again
    dive: cython.bint  # no node has failed yet
    # What a node says beside its state
    exhausts: cython.bint  # the greedy run is known to exhaust the pivot
    final: cython.bint  # nothing is formed again
    lifted: cython.int  # 1 + the place of the packed card that was just lifted to an empty cell, + 64 if as the first
    status: cython.int
    pulse: cython.Py_ssize_t
    on_pulse: object
    error: object
    # A log of moves, and the node that a replay looks for
    log: cython.p_ushort
    logged: cython.int
    replaying: cython.bint
    found: cython.int  # moves to the wanted node, -1 while it is not met
    # What a survey counts
    states_seen: cython.longlong[40]
    moves_seen: cython.longlong[512]
    passes_seen: cython.longlong[32]

    def __init__(self, rules, lemmas):
        (
            self.pivot_size,
            self.reform_at,
            self.pivot_open,
            self.redeals,
            self.unlimited,
            self.builds_up,
            self.pack_waste,
            self.pack_pivot,
            self.pack_tableau,
            self.pack_limit,
            self.fill_tableau,
            self.obliged,
        ) = rules
        self.packs = (self.pack_waste or self.pack_pivot or self.pack_tableau) and self.pack_limit > 1
        if not self.packs:
            self.pack_waste = self.pack_pivot = self.pack_tableau = self.fill_tableau = False
        self.lemmas = lemmas
        self.engine = PLAIN
        self.holds = False
        self.dive = self.exhausts = self.final = False
        self.lifted = 0
        if lemmas & HOLD and not self.obliged:
            if not self.packs and not self.pivot_open:
                self.engine = SINGLE
            elif self.pack_tableau or not self.pack_pivot:
                self.engine = PILES
                self.holds = (
                    not (self.pivot_open or self.pack_pivot or self.pack_tableau or self.fill_tableau)
                    and self.pack_limit >= 13
                    and self.packs
                )
        self.play_is_citable = not self.obliged and (self.pack_tableau or not self.pack_pivot)
        self.greedy_is_citable = not (self.pivot_open or self.pack_pivot or self.pack_tableau)
        self.cites = False
        self.on_pulse = self.error = None
        self.pulse = _PULSE
        self.stored = self.room = self.slot_room = self.waiting = self.stack_room = self.path_room = 0
        self.replaying = False
        self.logged = 0
        if cython.compiled:
            self.log = cython.cast(cython.p_ushort, malloc(2 * _LOG_SIZE))
            if not self.log:
                raise MemoryError
        else:
            self.suit_at, self.step_at, self.card_at, self.place_of = ([0] * 52 for _ in range(4))
            self.after, self.before, self.adds = ([0] * 52 for _ in range(3))
            self.run_of, self.can = [0] * 56, [0] * 5
            self.words, self.thirds, self.parents, self.slots, self.stack, self.path = ([] for _ in range(6))
            self.log = [0] * _LOG_SIZE
            self.states_seen, self.moves_seen = [0] * _STATES_BINS, [0] * _MOVES_BINS
            self.passes_seen = [0] * _PASSES_BINS

    if cython.compiled:

        def __dealloc__(self):
            free(self.words)
            free(self.thirds)
            free(self.parents)
            free(self.slots)
            free(self.stack)
            free(self.path)
            free(self.log)

    # The game

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shuffle(self, seed: u64) -> cython.void:
        """Make the deck of a seed, as `Deal.from_seed` specifies it."""
        i: cython.int
        size: cython.int
        index: cython.int
        word: u64
        low: u64
        for i in range(52):
            self.card_at[i] = i
        size = 52
        while size > 1:
            while True:
                seed = (seed + GAMMA) & WORD
                word = mixed(seed)
                low = (word * size) & WORD
                if low >= size or low >= (WORD % size + 1) % size:  # pragma: no branch - 2^64 mod size, below size
                    break
            index = ((word >> 32) * size + ((word & HALF) * size >> 32)) >> 32
            i = self.card_at[index]
            size -= 1
            self.card_at[index] = self.card_at[size]
            self.card_at[size] = i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number_cards(self, base: cython.int) -> cython.void:
        """Fill the tables by place for the deck in `card_at` and a base rank, 0–12."""
        i: cython.int
        q: cython.int
        t: cython.int
        place: cython.int
        last: u64
        for i in range(52):
            q = self.card_at[i] // 13
            t = self.card_at[i] - 13 * q - base
            if not self.builds_up:
                t = -t
            if t < 0:
                t += 13
            self.suit_at[i] = q
            self.step_at[i] = t
            self.place_of[13 * q + t] = i
            self.adds[i] = ONE << 4 * q
        for q in range(4):
            last = 0
            self.run_of[14 * q] = 0
            for t in range(13):
                place = self.place_of[13 * q + t]
                self.before[place] = last
                last = ONE << place
                self.run_of[14 * q + t + 1] = self.run_of[14 * q + t] | last
                self.after[place] = ONE << self.place_of[13 * q + t + 1] if t < 12 else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_out(self) -> cython.void:
        """Make the start of the deal in `card_at` the state in hand."""
        q: cython.int
        base_place: cython.int = self.pivot_size + 8
        self.number_cards(self.card_at[base_place] % 13)
        self.P = below(self.pivot_size)
        self.T = below(base_place) ^ self.P
        self.O = ONE << base_place
        self.K = self.H = 0
        self.F = self.adds[base_place]
        self.N = self.after[base_place]
        for q in range(4):
            if q != self.suit_at[base_place]:
                self.N |= ONE << self.place_of[13 * q]
        self.ptr = base_place + 1
        self.rd = 0 if self.unlimited else self.redeals

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def unpack(self, a: u64, b: u64, c: u64) -> cython.void:
        """Make the state of a `codec` key the state in hand."""
        q: cython.int
        n: cython.int
        self.T = a & ALL
        self.K = c
        self.F = b & 0xFFFF
        self.ptr = (a >> 52) & 63
        self.rd = b >> 22
        self.H = self.O = self.N = self.P = 0
        for q in range(4):
            n = (self.F >> 4 * q) & 15
            self.O |= self.run_of[14 * q + n]
            if n < 13:
                self.N |= ONE << self.place_of[13 * q + n]
        if a >> 58 != 63:
            self.P = (below((b >> 16 & 63) + 1) ^ below(a >> 58)) & ~(self.T | self.O)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self) -> cython.void:
        """Do what happens by itself: form an empty pivot again, fill empty cells from it."""
        stock: u64
        rest: u64
        top: u64
        n: cython.int
        while True:
            if self.P == 0 and self.reform_at != 0:
                stock = ALL & ~(self.T | self.O) & ~below(self.ptr)
                if count(stock) >= self.reform_at:
                    rest = stock
                    n = 0
                    while rest != 0 and n < 10:
                        rest &= rest - 1
                        n += 1
                    self.P = stock ^ rest
                    self.ptr = highest(self.P) + 1
            if self.P == 0 or count(self.T ^ self.K) >= 8:
                break
            top = ONE << highest(self.P)
            self.P ^= top
            self.T |= top
        stock = ALL & ~(self.T | self.P | self.O) & ~below(self.ptr)
        self.ptr = lowest(stock) if stock != 0 else 52

    # The table

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Forget all stored states and waiting nodes."""
        self.stored = self.waiting = 0
        self.generated = 0
        self.deepest = 0
        self.status = RUNNING
        self.mask = 0
        self.reindex(1024)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reindex(self, size: cython.Py_ssize_t) -> cython.void:
        """Make the index `size` slots large, a power of two."""
        i: cython.Py_ssize_t
        at: u64
        if cython.compiled:
            if size > self.slot_room or size * 16 < self.slot_room:
                slots = cython.cast(cython.p_uint, realloc(self.slots, size * 4))
                if not slots:
                    self.status = MEMORY_OUT
                    return
                self.slots = slots
                self.slot_room = size
            memset(self.slots, 0, size * 4)
        else:
            self.slots = [0] * size
        self.mask = size - 1
        for i in range(self.stored):
            at = scatter(self.words[2 * i], self.words[2 * i + 1], self.thirds[i] if self.packs else 0) & self.mask
            while self.slots[at] != 0:
                at = (at + 1) & self.mask
            self.slots[at] = i + 1
            if i & 0x7FFFF == 0x7FFFF:  # pragma: no cover - half a million states on, a look is due
                self.look_up()
                if self.status != RUNNING:
                    return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def widen(self) -> cython.void:
        """Make room for an eighth more states."""
        room: cython.Py_ssize_t = self.room + (self.room >> 3) + 1024
        if cython.compiled:
            words = cython.cast(cython.p_ulonglong, realloc(self.words, room * 16))
            if words:
                self.words = words
            thirds = cython.cast(cython.p_ulonglong, realloc(self.thirds, room * 8)) if self.packs else self.thirds
            if thirds:
                self.thirds = thirds
            parents = cython.cast(cython.p_uint, realloc(self.parents, room * 4))
            if parents:
                self.parents = parents
            if not words or not parents or (self.packs and not thirds):
                self.status = MEMORY_OUT
                return
        else:
            self.words += [0] * (2 * (room - self.room))
            self.thirds += [0] * (room - self.room)
            self.parents += [0] * (room - self.room)
        self.room = room

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def store(self, a: u64, b: u64, c: u64) -> cython.bint:
        """Store a key; return whether it is new. Where no more can be stored, say so in `status`."""
        at: u64 = scatter(a, b, c) & self.mask
        i: cython.Py_ssize_t
        self.generated += 1
        while self.slots[at] != 0:
            i = self.slots[at]
            i -= 1
            if self.words[2 * i] == a and self.words[2 * i + 1] == b and (not self.packs or self.thirds[i] == c):
                return False
            at = (at + 1) & self.mask
        if self.stored >= self.most:
            self.status = STATES_OUT
            return False
        if self.stored == self.room:
            self.widen()
            if self.status != RUNNING:
                return False
        i = self.stored
        self.words[2 * i] = a
        self.words[2 * i + 1] = b
        if self.packs:
            self.thirds[i] = c
        self.stored += 1
        self.slots[at] = self.stored
        if 3 * self.stored > 2 * cython.cast(cython.Py_ssize_t, self.mask):
            self.reindex(2 * cython.cast(cython.Py_ssize_t, self.mask) + 2)
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def first_word(self) -> u64:
        """Return the first word of the key of the state in hand, whose `ptr` must be the next stock card's place."""
        return self.T | cython.cast(u64, self.ptr) << 52 | cython.cast(u64, lowest(self.P) if self.P else 63) << 58

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def second_word(self) -> u64:
        """Return the second word of the key of the state in hand."""
        return self.F | cython.cast(u64, highest(self.P) if self.P else 63) << 16 | cython.cast(u64, self.rd) << 22

    # Moves of the state in hand

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, kind: cython.int, place: cython.int) -> cython.void:
        """Log a move, if a line is being written."""
        if self.replaying and self.found < 0 and self.logged < _LOG_SIZE:
            self.log[self.logged] = kind << 6 | place
            self.logged += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note_turns(self, cards: u64) -> cython.void:
        """Log a turn for each of some stock cards, if a line is being written."""
        if self.replaying:
            while cards != 0:
                cards &= cards - 1
                self.note(TURN, 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, kind: cython.int, place: cython.int) -> cython.void:
        """Play a legal move and what happens by itself after it."""
        bit: u64 = ONE << place
        self.note(kind, place)
        if kind == PLAY:
            self.N ^= bit | self.after[place]
            self.O |= bit
            self.F += self.adds[place]
            self.T &= ~bit
            self.K &= ~bit
            self.P &= ~bit
        elif kind == FILL:
            self.T |= bit
            self.K &= ~bit
        elif kind == PACK:
            self.P &= ~bit
            self.T |= bit
            self.K |= bit
        elif kind == TURN:
            self.ptr += 1
        else:
            self.ptr = 0
            if not self.unlimited:
                self.rd -= 1
        self.settle()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def pile_height(self, place: cython.int) -> cython.int:
        """Return how many cards lie in a tableau card's cell up to it."""
        height: cython.int = 1
        while self.K >> place & 1:
            place = lowest(self.after[place])
            height += 1
        return height

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def packable(self, tops: u64) -> u64:
        """Return the cards, wherever they lie, whose neighbour is one of some tops of cells, with room on it."""
        cards: u64 = 0
        place: cython.int
        while tops != 0:
            place = lowest(tops)
            tops &= tops - 1
            if self.before[place] & ~self.O and (not self.K >> place & 1 or self.pile_height(place) < self.pack_limit):
                cards |= self.before[place]
        return cards

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def tops(self) -> u64:
        """Return the top cards of the cells."""
        packed: u64 = self.K
        covered: u64 = 0
        while packed != 0:
            covered |= self.after[lowest(packed)]
            packed &= packed - 1
        return self.T & ~covered

    # Plain search: every legal move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_moves(self) -> cython.int:
        """Fill `can` with the cards that may make each kind of move; return the number of legal moves.

        For a turn or a redeal, which move no card in particular, one bit says that it is legal.
        """
        outside: u64 = ALL & ~(self.T | self.P | self.O)
        waste: u64 = outside & below(self.ptr)
        top: u64 = ONE << highest(waste) if waste != 0 else 0
        pivot: u64 = 0
        tops: u64 = 0
        if self.P != 0 and (self.pivot_open or self.P & (self.P - 1) == 0):
            pivot = ONE << highest(self.P)
        self.can[PLAY] = self.N & (top | pivot | self.T)  # never covered: what covers a card goes before it
        self.can[PACK] = self.can[FILL] = self.can[TURN] = self.can[REDEAL] = 0
        if self.packs:
            self.can[PACK] = top if self.pack_waste else 0
            if self.pack_pivot:
                self.can[PACK] |= pivot
            tops = self.tops()
            if self.pack_tableau:
                self.can[PACK] |= tops & ~self.K
            self.can[PACK] &= self.packable(tops)
        if self.P == 0 and count(self.T ^ self.K) < 8:
            self.can[FILL] = top | (tops & self.K if self.fill_tableau else 0)
        if not self.obliged or self.can[PLAY] == 0:
            if outside != waste:
                self.can[TURN] = 1
            elif waste != 0 and (self.unlimited or self.rd != 0):
                self.can[REDEAL] = 1
        cards: cython.int = count(self.can[PLAY])
        if self.can[PACK] | self.can[FILL] != 0:
            cards += count(self.can[PACK]) + count(self.can[FILL])
        return cards + cython.cast(cython.int, self.can[TURN] + self.can[REDEAL])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def explore(self, number: cython.Py_ssize_t) -> cython.void:
        """Store every successor of a stored state."""
        kind: cython.int
        cards: u64
        self.unpack_stored(number)
        if self.F == FOUR_FULL:
            self.status = WON
            return
        if self.cites and self.greedy_is_citable and self.P != 0 and not self.may_exhaust():
            return
        self.find_moves()
        if self.cites and self.play_is_citable and self.can[PLAY] != 0 and not self.reforms_again():
            self.can[PLAY] = self.first_of(self.can[PLAY])
            self.can[PACK] = self.can[FILL] = self.can[TURN] = self.can[REDEAL] = 0
        self.hold_node()
        for kind in range(5):
            cards = self.can[kind]
            while cards != 0:
                self.move(kind, lowest(cards))
                if self.store(self.first_word(), self.second_word(), self.K):
                    self.parents[self.stored - 1] = number
                cards &= cards - 1
                self.take_node()

    # What evidence may cite: the same as in `lemmas`, over bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_of(self, cards: u64) -> u64:
        """Return the card of the first suit among some of different suits."""
        suit: cython.int = 0
        while cards & self.run_of[14 * suit + 13] == 0:
            suit += 1
        return cards & self.run_of[14 * suit + 13]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reforms_again(self) -> cython.bint:
        """Whether the pivot may be formed again from the state in hand on."""
        outside: u64 = ALL & ~(self.T | self.P | self.O)
        if self.rd == 0 and not self.unlimited:
            outside &= ~below(self.ptr)
        return self.reform_at != 0 and count(outside) >= self.reform_at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may_exhaust(self) -> cython.bint:
        """Play and pack all as early as possible; return whether that comes to a play that exhausts the pivot."""
        T: u64 = self.T
        K: u64 = self.K
        P: u64 = self.P
        N: u64 = self.N
        outside: u64 = ALL & ~(T | P | self.O)
        waste: u64
        top: u64
        ptr: cython.int = self.ptr
        rd: cython.int = self.rd
        moved: cython.bint = True
        while True:
            if P & (P - 1) == 0 and N & (T & ~K | P) != 0:
                return True
            top = N & T
            if top != 0:
                top &= ~top + 1
                N ^= top | self.after[lowest(top)]
                if top & K == 0:
                    T |= ONE << highest(P)
                    P ^= ONE << highest(P)
                T ^= top
                K &= ~top
                continue
            waste = outside & below(ptr)
            top = ONE << highest(waste) if waste != 0 else 0
            if top & N != 0:
                N ^= top | self.after[lowest(top)]
                outside ^= top
                moved = True
            elif top != 0 and self.packs and self.after[lowest(top)] & T != 0:
                T |= top
                K |= top
                outside ^= top
                moved = True
            elif outside != waste:
                ptr = lowest(outside ^ waste) + 1
            elif waste != 0 and moved and (rd != 0 or self.unlimited):
                ptr = 0
                moved = False
                if not self.unlimited:
                    rd -= 1
            else:
                return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def unpack_stored(self, number: cython.Py_ssize_t) -> cython.void:
        """Take a stored state of a walk in hand."""
        third: u64 = self.thirds[number] if self.packs else 0
        self.unpack(self.words[2 * number], self.words[2 * number + 1], third)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_plain(self) -> cython.bint:
        """Follow the only move while there is but one, then push every successor; return whether the game is won.

        RUN: a state with one legal move is won exactly when its successor is, so it need not be stored. Only where
        such a run could go round for ever is it stored all the same: a redeal without end, or a fill or a pack. A run
        that goes through a whole pass and moves no card is lost: it can only do the same again.
        """
        kind: cython.int
        moves: cython.int
        cards: u64
        idle: cython.bint = False  # whether the run has redealt and moved no card since
        while True:
            if self.F == FOUR_FULL:
                return True
            moves = self.find_moves()
            if moves == 0:
                return False
            kind = TURN
            if moves == 1:
                while self.can[kind] == 0:
                    kind += 1
            if moves > 1 or not self.lemmas & RUN or kind >= FILL or (kind == REDEAL and self.unlimited):
                if not self.new_here():
                    return False
                if moves > 1 or not self.lemmas & RUN:
                    break
            if idle and kind == REDEAL:
                return False  # where the run was a pass ago, with a redeal less
            idle = kind == REDEAL or (idle and kind == TURN)
            self.move(kind, lowest(self.can[kind]))
        self.hold_node()
        for kind in range(5):
            cards = self.can[kind]
            while cards != 0:
                self.move(kind, lowest(cards))
                self.push()
                self.take_node()
                cards &= cards - 1
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def new_here(self) -> cython.bint:
        """Store the state in hand, held cards and all where there are any; return whether it is new, or a replay."""
        packed: u64
        if self.replaying:
            return True
        if self.engine != PILES:
            return self.store(self.first_word(), self.second_word(), self.K)
        packed = self.K | self.O  # the packed cards are in the tableau, the others are not
        packed |= cython.cast(u64, highest(self.P) if self.P else 63) << 52 | cython.cast(u64, self.rd) << 58
        return self.store(self.first_word(), packed, self.H)

    # Nodes that wait

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def hold_node(self) -> cython.void:
        """Keep a copy of the state in hand."""
        self.kept_T = self.T
        self.kept_P = self.P
        self.kept_K = self.K
        self.kept_O = self.O
        self.kept_N = self.N
        self.kept_H = self.H
        self.kept_F = self.F
        self.kept_ptr = self.ptr
        self.kept_rd = self.rd
        self.kept_logged = self.logged

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take_node(self) -> cython.void:
        """Take the kept copy in hand again."""
        self.T = self.kept_T
        self.P = self.kept_P
        self.K = self.kept_K
        self.O = self.kept_O
        self.N = self.kept_N
        self.H = self.kept_H
        self.F = self.kept_F
        self.ptr = self.kept_ptr
        self.rd = self.kept_rd
        self.logged = self.kept_logged

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self) -> cython.void:
        """Let the state in hand wait to be expanded; in a replay, see whether it is the wanted one."""
        at: cython.Py_ssize_t
        rest: u64 = self.F | cython.cast(u64, self.ptr) << 16 | cython.cast(u64, self.rd) << 22
        if self.replaying:
            at = _FIELDS * (self.depth + 1)
            if (
                self.found < 0
                and self.path[at] == self.T
                and self.path[at + 1] == self.P
                and self.path[at + 2] == self.K
                and self.path[at + 3] == self.O
                and self.path[at + 5] == self.H
                and self.path[at + 6] == rest
            ):
                self.found = self.logged
            return
        if self.waiting == self.stack_room:
            self.lengthen_stack()
            if self.status != RUNNING:
                return
        at = _FIELDS * self.waiting
        self.stack[at] = self.T
        self.stack[at + 1] = self.P
        self.stack[at + 2] = self.K
        self.stack[at + 3] = self.O
        self.stack[at + 4] = self.N
        self.stack[at + 5] = self.H
        self.stack[at + 6] = rest
        self.stack[at + 7] = (
            cython.cast(u64, self.depth + 1)
            | cython.cast(u64, self.exhausts) << 32
            | cython.cast(u64, self.final) << 33
            | cython.cast(u64, self.lifted) << 34
        )
        self.waiting += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def load(self, nodes: cython.p_ulonglong, at: cython.Py_ssize_t) -> cython.void:
        """Take a node in hand that was pushed."""
        rest: u64 = nodes[at + 6]
        self.T = nodes[at]
        self.P = nodes[at + 1]
        self.K = nodes[at + 2]
        self.O = nodes[at + 3]
        self.N = nodes[at + 4]
        self.H = nodes[at + 5]
        self.F = rest & 0xFFFF
        self.ptr = rest >> 16 & 63
        self.rd = rest >> 22
        self.depth = nodes[at + 7] & HALF
        self.exhausts = nodes[at + 7] >> 32 & 1
        self.final = nodes[at + 7] >> 33 & 1
        self.lifted = nodes[at + 7] >> 34

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lengthen_stack(self) -> cython.void:
        """Make room for twice the waiting nodes."""
        room: cython.Py_ssize_t = 2 * self.stack_room + 256
        if cython.compiled:
            nodes = cython.cast(cython.p_ulonglong, realloc(self.stack, room * _FIELDS * 8))
            if not nodes:
                self.status = MEMORY_OUT
                return
            self.stack = nodes
        else:
            self.stack += [0] * (_FIELDS * (room - self.stack_room))
        self.stack_room = room

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lengthen_path(self) -> cython.void:
        """Make room for twice the nodes on the way to the one in hand."""
        room: cython.Py_ssize_t = 2 * self.path_room + 256
        if cython.compiled:
            nodes = cython.cast(cython.p_ulonglong, realloc(self.path, room * _FIELDS * 8))
            if not nodes:
                self.status = MEMORY_OUT
                return
            self.path = nodes
        else:
            self.path += [0] * (_FIELDS * (room - self.path_room))
        self.path_room = room

    # Lemmas for single cards in the cells: no packing, the pivot not open, turning free

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_reform(self, outside: u64) -> cython.bint:
        """Whether the pivot may ever be formed again from here: outside cards only get fewer."""
        if self.reform_at == 0:
            return False
        if self.rd == 0:
            outside &= ~below(self.ptr)
        return count(outside) >= self.reform_at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy(self, T: u64, P: u64, outside: u64, N: u64, H: u64, ptr: cython.int, rd: cython.int) -> cython.bint:
        """Play all but held cards as early as possible; return whether the pivot can be exhausted on the way.

        GREEDY: if not, the state is lost (see `lemmas`).
        """
        borders: u64 = below(ptr)
        free: u64 = ~H
        card: u64
        top: u64
        while True:
            while P & (P - 1) != 0:
                card = N & T & free
                if card == 0:
                    break
                card &= ~card + 1
                N ^= card | self.after[lowest(card)]
                top = ONE << highest(P)
                P ^= top
                T ^= card | top
            if P & (P - 1) == 0 and N & (T | P) != 0:
                return rd != 0 or (~free & outside & borders) == 0 or not self.lemmas & DEAD
            while True:
                card = outside & borders
                if card != 0:
                    card = ONE << highest(card)
                    if N & free & card != 0:
                        N ^= card | self.after[lowest(card)]
                        outside ^= card
                        break
                card = N & free & outside & ~borders
                if card != 0:
                    card &= ~card + 1
                    borders = (card << 1) - 1
                    N ^= card | self.after[lowest(card)]
                    outside ^= card
                    break
                if not self.lemmas & BURY:
                    free |= outside
                if rd == 0 or N & free & outside == 0:
                    return False
                if not self.unlimited:
                    rd -= 1
                borders = 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy_from_here(self) -> cython.bint:
        """Run `greedy` from the state in hand; true where that lemma is off."""
        outside: u64 = ALL & ~(self.T | self.P | self.O)
        if not self.lemmas & GREEDY:
            return True
        return self.greedy(self.T, self.P, outside, self.N, self.H, self.ptr, self.rd)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def play_single(self, bit: u64) -> cython.void:
        """Play a card of the tableau or the top of the waste, where no card lies packed."""
        top: u64
        place: cython.int = lowest(bit)
        self.note(PLAY, place)
        self.N ^= bit | self.after[place]
        self.F += self.adds[place]
        self.O |= bit
        if self.T & bit:
            self.T ^= bit
            if self.P & (self.P - 1) != 0:
                top = ONE << highest(self.P)
                self.P ^= top
                self.T |= top
            else:
                self.settle()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_to(self, bit: u64) -> cython.void:
        """Turn until a stock card is the top of the waste."""
        self.note_turns(ALL & ~(self.T | self.P | self.O) & ~below(self.ptr) & ((bit << 1) - 1))
        self.ptr = lowest(bit) + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_all(self) -> cython.void:
        """Turn the whole stock."""
        self.note_turns(ALL & ~(self.T | self.P | self.O) & ~below(self.ptr))
        self.ptr = 52

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def redeal(self) -> cython.void:
        """Redeal; what a re-formed pivot buries is no longer held."""
        was_empty: cython.bint = self.P == 0
        self.note(REDEAL, 0)
        self.ptr = 0
        if not self.unlimited:
            self.rd -= 1
        self.settle()
        if not self.lemmas & BURY:
            self.H &= ~(ALL & ~(self.T | self.P | self.O))
        if was_empty:  # what is buried may fill a cell at once
            self.H &= ALL & ~(self.T | self.P | self.O)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def held_word(self) -> u64:
        """Return the second word of the key with the suits that are held: a held card is always its suit's next."""
        word: u64 = self.second_word()
        held: u64 = self.H
        while held != 0:
            word |= ONE << 32 + self.suit_at[lowest(held)]
            held &= held - 1
        return word

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_new(self) -> cython.void:
        """Push the state in hand unless it was stored before."""
        if self.replaying or self.store(self.first_word(), self.held_word(), 0):
            self.push()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_child(self) -> cython.void:
        """Push the state in hand unless the greedy run says that it is lost, or it was stored before."""
        stock: u64 = ALL & ~(self.T | self.P | self.O) & ~below(self.ptr)
        self.ptr = lowest(stock) if stock != 0 else 52
        if self.replaying or self.P == 0 or self.greedy_from_here():
            self.push_new()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hold(self, bit: u64) -> cython.void:
        """Push the state in hand with one more card held."""
        held: u64 = self.H
        self.H |= bit
        if self.P == 0:
            self.push_child()
        elif self.replaying or self.greedy_from_here():
            self.push()  # sets of held cards differ within a segment, so nothing repeats
        self.H = held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_again(self) -> cython.bint:
        """After a redeal without end: whether the state was stored before, so that the run goes round."""
        if not self.unlimited or self.replaying:
            return False
        return not self.store(self.first_word(), self.held_word() | ONE << 36, 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_single(self) -> cython.bint:
        """Expand a node under the lemmas for single cards; return whether the game is won."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        cards: u64
        card: u64
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.N == 0:
                return True
            outside = ALL & ~(self.T | self.P | self.O)
            if self.lemmas & END and not self.may_reform(outside):
                if self.H & outside and self.lemmas & BURY:
                    return False
                self.H = 0
                return self.expand_end()
            waste = outside & below(self.ptr)
            stock = outside ^ waste
            top = ONE << highest(waste) if waste != 0 else 0
            if self.rd == 0 and self.H & waste and self.lemmas & BURY and self.lemmas & LAST:
                return False  # it cannot be buried any more
            if self.N & top & ~self.H:
                if self.rd != 0 or not self.lemmas & LAST:
                    self.hold(top)
                self.play_single(top)
                continue
            if self.P & (self.P - 1) != 0:
                cards = self.N & self.T & ~self.H
                if cards != 0:
                    card = cards & (~cards + 1)
                    self.hold(card)
                    self.play_single(card)
                    continue
            elif self.P != 0:
                cards = self.N & (self.T | self.P)
                if cards != 0:
                    self.push_triggers(cards, outside, stock)
                    if stock != 0:
                        self.turn_to(stock & (~stock + 1))
                        continue
                    if self.rd == 0 or outside == 0:
                        return False
                    self.redeal()
                    if self.comes_again():
                        return False
                    continue
            else:
                if not self.expand_gap(outside, stock, top):
                    return False
                continue
            cards = self.N & ~self.H & stock
            if cards != 0:
                self.turn_to(cards & (~cards + 1))
                continue
            if self.rd == 0 or self.N & outside & ~(self.H if self.lemmas & BURY else 0) == 0:
                return False
            self.turn_all()
            self.redeal()
            if self.comes_again():
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_triggers(self, cards: u64, outside: u64, stock: u64) -> cython.void:
        """With one card left in the pivot, push what each play that exhausts it leads to.

        The next pivot is the same whichever card is the trigger. None of them wins: eight cells are full.
        """
        window: u64 = 0
        rest: u64 = stock
        card: u64
        done: u64 = 0
        place: cython.int
        n: cython.int = 0
        next_ptr: cython.int = self.ptr
        reforms: cython.bint = self.reform_at != 0 and count(stock) >= self.reform_at
        if reforms:
            while rest != 0 and n < 10:
                rest &= rest - 1
                n += 1
            window = stock ^ rest
        next_ptr = lowest(rest) if rest != 0 else 52
        self.hold_node()
        while cards != 0:
            card = cards & (~cards + 1)
            cards ^= card
            place = lowest(card)
            self.note(PLAY, place)
            self.N ^= card | self.after[place]
            if card != self.P:
                self.T ^= card | self.P
            self.P = window
            self.H &= outside & ~window
            if self.lemmas & TRIGGER:
                self.H |= done & self.T & self.N
            done |= card
            self.O |= card
            self.F += self.adds[place]
            self.ptr = next_ptr
            if self.replaying or not reforms or self.greedy_from_here():
                self.push_new()
            self.take_node()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_gap(self, outside: u64, stock: u64, top: u64) -> cython.bint:
        """Go on with an empty pivot that cannot be formed again before the redeal; return whether to go on after."""
        cards: u64 = self.N & self.T & ~self.H
        card: u64
        held: u64
        tableau: u64
        logged: cython.int
        gaps: cython.int
        if cards != 0:
            card = cards & (~cards + 1)
            self.hold(card)
            self.play_single(card)
            return True
        gaps = 8 - count(self.T)
        if gaps > 0 and top != 0:
            held = self.H
            tableau = self.T
            logged = self.logged
            self.T |= top
            self.H = self.H & ~top | top & self.N
            self.note(FILL, lowest(top))
            self.push_child()
            self.T = tableau
            self.H = held
            self.logged = logged
        if stock != 0:
            cards = stock if gaps > 0 else self.N & ~self.H & stock
            if cards != 0:
                self.turn_to(cards & (~cards + 1))
            else:
                self.turn_all()
            return True
        if self.rd == 0 or outside == 0:
            return False
        self.redeal()
        self.push_child()
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_end(self) -> cython.bint:
        """Expand a node from which nothing is formed again: every play is right, only fills are a choice (END)."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        pivot: u64
        cards: u64
        place: cython.int
        gaps: cython.int
        logged: cython.int
        while True:
            if self.replaying and self.found >= 0:
                return False
            outside = ALL & ~(self.T | self.P | self.O)
            waste = outside & below(self.ptr)
            stock = outside ^ waste
            top = ONE << highest(waste) if waste != 0 else 0
            pivot = self.P if self.P & (self.P - 1) == 0 else 0
            cards = self.N & (self.T | top | pivot)
            if cards != 0:
                place = lowest(cards)
                cards = ONE << place
                self.note(PLAY, place)
                self.N ^= cards | self.after[place]
                self.F += self.adds[place]
                self.O |= cards
                if self.T & cards:
                    self.T ^= cards
                    if self.P != 0:
                        top = ONE << highest(self.P)
                        self.P ^= top
                        self.T |= top
                else:
                    self.P &= ~cards
                if self.N == 0:
                    return True
                continue
            gaps = 0 if self.P != 0 else 8 - count(self.T)
            if gaps > 0 and top != 0:
                place = lowest(top)
                if gaps >= count(outside) or (stock == 0 and self.rd == 0):
                    self.note(FILL, place)  # room for all, or nothing else to do
                    self.T |= top
                    continue
                logged = self.logged
                self.note(FILL, place)
                self.T |= top
                cards = stock & ~below(self.ptr)
                self.ptr = lowest(cards) if cards != 0 else 52
                if self.replaying or self.store(self.first_word(), self.second_word() | ONE << 37, 0):
                    self.push()
                self.T ^= top
                self.logged = logged
            cards = stock if gaps > 0 else self.N & stock
            if cards != 0:
                self.turn_to(cards & (~cards + 1))
                continue
            if self.rd == 0 or outside == 0 or (gaps == 0 and self.N & outside == 0):
                return False
            self.turn_all()
            self.note(REDEAL, 0)
            self.ptr = 0
            if not self.unlimited:  # without end each pass plays a card: with a gap every outside card is reached
                self.rd -= 1

    # Lemmas for piles: turning free, and the pivot's card packs only where the tableau's do

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_piles(self) -> cython.bint:
        """Expand a node under the lemmas for piles; return whether the game is won."""
        if self.lifted != 0:
            return self.expand_lifted()
        if self.final:
            return self.expand_final()
        if self.holds:
            return self.expand_forming()
        if self.lemmas & PLAY_FIRST and not self.may_reform(ALL & ~(self.T | self.P | self.O)):
            return self.expand_final()
        return self.expand_plain()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def sight_stock(self) -> cython.void:
        """Let `ptr` be the place of the next stock card again."""
        stock: u64 = ALL & ~(self.T | self.P | self.O) & ~below(self.ptr)
        self.ptr = lowest(stock) if stock != 0 else 52

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move_piles(self, kind: cython.int, place: cython.int) -> cython.void:
        """Play a legal move; what it moves, buries or covers, and what was to go on the card moved, is held no more."""
        was_empty: cython.bint = self.P == 0
        self.move(kind, place)
        if kind >= PLAY:
            self.H &= ~(ONE << place)
        if kind == PACK:
            if self.final:
                self.H &= ~(self.after[place] | self.before[place])
        elif kind == REDEAL and not self.final:
            if was_empty:  # what is buried may fill a cell at once
                self.H &= ALL & ~(self.T | self.P | self.O)
            elif not self.lemmas & BURY:
                self.H &= self.T
        if not self.final:
            self.H &= ~self.P

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_after(self, kind: cython.int, place: cython.int) -> cython.void:
        """Push what a move of the kept copy leads to, and take the copy in hand again."""
        self.move_piles(kind, place)
        self.push()
        self.take_node()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self) -> cython.void:
        """Push what the moves in `can` lead to, one at least, but play the first of them at once."""
        kind: cython.int
        cards: u64
        first: cython.int = -1
        first_place: cython.int = 0
        place: cython.int
        i: cython.int
        self.hold_node()
        for i in range(5):
            kind = 0x24301 >> 4 * i & 15  # redeal, turn, fill, pack, play
            cards = self.can[kind]
            while cards != 0:
                place = highest(cards)
                cards ^= ONE << place
                if first >= 0:
                    self.push_after(first, first_place)
                first = kind
                first_place = place
        self.move_piles(first, first_place)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy_piles(self) -> cython.int:
        """Play and pack, all but held outside cards, as early as possible (GREEDY).

        Returns 1 if that wins, 0 if the state is lost, and -1 if the pivot is exhausted and may be formed again.
        """
        T: u64 = self.T
        P: u64 = self.P
        K: u64 = self.K
        N: u64 = self.N
        outside: u64 = ALL & ~(self.T | self.P | self.O)
        free: u64 = ~(self.H & outside) if self.lemmas & BURY else ALL
        packs: u64 = self.neighbours()
        waste: u64
        stock: u64
        top: u64
        card: u64
        place: cython.int
        ptr: cython.int = self.ptr
        rd: cython.int = self.rd
        gaps: cython.int = 0
        while True:
            waste = outside & below(ptr)
            stock = outside ^ waste
            top = ONE << highest(waste) if waste != 0 else 0
            card = N & (T | top & free | (P if P & (P - 1) == 0 else 0))
            if card != 0:
                card &= ~card + 1
                place = lowest(card)
                if card & (P | T & ~K):
                    if P != 0 and P & (P - 1) == 0 and outside != 0 and (rd != 0 or stock != 0):
                        return -1
                    if P & card:
                        P = 0
                    elif P != 0:
                        top = ONE << highest(P)
                        P ^= top
                        T |= top
                        packs |= self.before[lowest(top)]
                    else:
                        gaps += 1
                T &= ~card
                K &= ~card
                outside &= ~card
                N ^= card | self.after[place]
                self.note(PLAY, place)
                if N == 0:
                    return 1
                continue
            if top & free & packs or (gaps > 0 and top != 0):
                place = lowest(top)
                if top & free & packs:
                    self.note(PACK, place)
                    K |= top
                else:
                    self.note(FILL, place)
                    gaps -= 1
                T |= top
                outside ^= top
                packs |= self.before[place]
                continue
            card = (N | packs) & free & outside
            if card & stock:
                card &= stock
                card &= ~card + 1
                self.note_turns(stock & ((card << 1) - 1))
                ptr = lowest(card) + 1
                continue
            if card == 0 or rd == 0:
                return 0
            self.note_turns(stock)
            self.note(REDEAL, 0)
            if not self.unlimited:
                rd -= 1
            ptr = 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def neighbours(self) -> u64:
        """Return the cards, wherever they lie, that go on a card of the tableau."""
        cards: u64 = self.T
        found: u64 = 0
        while cards != 0:
            found |= self.before[lowest(cards)]
            cards &= cards - 1
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_forming(self) -> cython.bint:
        """Expand a node from which the pivot may be formed again, where only the waste packs, and without a limit."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        packs: u64
        wanted: u64
        triggers: u64
        cards: u64
        card: u64
        last: cython.bint
        one: cython.bint
        place: cython.int
        verdict: cython.int
        logged: cython.int
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.N == 0:
                return True
            outside = ALL & ~(self.T | self.P | self.O)
            waste = outside & below(self.ptr)
            stock = outside ^ waste
            if not self.may_reform(outside):
                self.H = 0
                if self.lemmas & GREEDY and self.P != 0 and stock == 0 and (outside == 0 or self.rd == 0):
                    return self.greedy_piles() > 0  # it plays, packs and fills to the end
                if not self.lemmas & PLAY_FIRST:
                    return self.expand_plain()
                self.final = True
                return self.expand_final()
            if self.lemmas & PILE and self.N & self.K:
                self.move_piles(PLAY, lowest(self.N & self.K))
                continue
            top = ONE << highest(waste) if waste != 0 else 0
            if self.P == 0:
                self.H &= outside if self.lemmas & BURY else 0
                if not self.new_here():
                    return False
                self.find_moves()
                self.can[PLAY] &= ~(self.H & top)
                self.can[PACK] &= ~self.H
                self.exhausts = False
                self.branch()  # a turn or a redeal is always left here, or nothing could be formed again
                continue
            last = self.rd == 0 and self.lemmas & LAST != 0
            if last and self.H & top and self.lemmas & BURY:
                return False  # it cannot be buried any more
            if last and self.N & top:
                self.move_piles(PLAY, lowest(top))
                continue
            one = self.P & (self.P - 1) == 0
            packs = self.neighbours()
            triggers = self.N & (self.T | self.P) if one else 0
            cards = 0 if one else self.N & self.T & ~self.H
            if last and cards == 0 and top & packs:
                self.move_piles(PACK, lowest(top))
                continue
            wanted = self.N | packs
            card = 0 if cards != 0 else top & wanted & ~self.H
            if cards == 0 and card == 0 and triggers == 0:
                cards = stock & wanted & ~(0 if last else self.H)
                if cards != 0:
                    self.turn_to(cards & (~cards + 1))
                    self.sight_stock()
                    continue
                if self.rd == 0 or outside & wanted & ~(self.H if self.lemmas & BURY else 0) == 0:
                    return False
                self.turn_all()
                if self.unlimited and not self.new_here():
                    return False
                self.move_piles(REDEAL, 0)
                continue
            if not self.new_here():
                return False
            if self.lemmas & GREEDY and not self.exhausts:
                logged = self.logged
                verdict = self.greedy_piles()
                if verdict >= 0:
                    return verdict > 0
                self.logged = logged
            self.hold_node()
            if cards != 0:
                card = cards & (~cards + 1)
                self.exhausts = True
                self.H |= card
                self.push()
                self.take_node()
                self.move_piles(PLAY, lowest(card))
                continue
            if card != 0:
                self.exhausts = False
                self.H |= card
                self.push()
                self.take_node()
                self.exhausts = True
                self.move_piles(PLAY if card & self.N else PACK, lowest(card))
                if triggers == 0:
                    continue
                self.push()
                self.take_node()
            else:
                self.push_after(TURN if stock != 0 else REDEAL, 0)  # one of them is left, as the state is not final
            self.H &= ~self.T
            self.hold_node()
            self.exhausts = False
            while triggers & (triggers - 1):
                place = highest(triggers)
                triggers ^= ONE << place
                self.push_after(PLAY, place)
            self.move_piles(PLAY, lowest(triggers))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_safe(self, place: cython.int) -> cython.bint:
        """Whether packing a card that can be packed is right whatever comes (SAFE)."""
        bit: u64 = ONE << place
        under: cython.int = lowest(self.after[place])
        on: cython.int = self.F >> 4 * self.suit_at[place] & 15
        if self.pile_height(under) + self.step_at[place] - on > self.pack_limit:
            return False
        if self.K >> under & 1:
            if self.fill_tableau and ((self.P == 0 and not self.lemmas & GLUE) or self.step_at[place] - on > 2):
                return False
            return not self.fill_tableau or self.T & bit != 0
        return not self.pack_tableau or self.step_at[under] == 12

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_safe(self, cards: u64) -> u64:
        """Return the first of some cards that is packed safely, 0 if none is."""
        if self.lemmas & SAFE:
            while cards != 0:
                if self.is_safe(lowest(cards)):
                    return cards & (~cards + 1)
                cards &= cards - 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_final(self) -> cython.bint:
        """Expand a node from which nothing is formed again: every play is right (PLAY_FIRST), packs are asked about."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        pivot: u64
        cards: u64
        card: u64
        tops: u64
        packs: u64
        self.final = True
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.N == 0:
                return True
            outside = ALL & ~(self.T | self.P | self.O)
            waste = outside & below(self.ptr)
            stock = outside ^ waste
            top = ONE << highest(waste) if waste != 0 else 0
            pivot = 0
            if self.P != 0 and (self.pivot_open or self.P & (self.P - 1) == 0):
                pivot = ONE << highest(self.P)
            cards = self.N & (self.T | top | pivot)
            if cards != 0:
                self.move_piles(PLAY, lowest(cards))
                continue
            if not self.lemmas & PACK_HOLD or (self.P == 0 and self.fill_tableau):
                self.H = 0
                if not self.choose():
                    return False
                continue
            packs = cards = 0
            if self.packs:
                tops = self.tops()
                packs = self.packable(tops)
                if self.pack_tableau:
                    cards = tops
                if self.pack_waste:
                    cards |= top
                if self.pack_pivot:
                    cards |= pivot
                cards &= packs
                card = self.first_safe(cards)
                if card != 0:
                    if self.H & card:
                        return False  # another line packs it at once
                    self.move_piles(PACK, lowest(card))
                    continue
                cards &= ~self.H
            if cards != 0:
                if self.lemmas & BOUND and self.P != 0 and not self.dive and not self.replaying and self.beyond_hope():
                    return False
                if not self.new_here():
                    return False
                card = cards & (~cards + 1)
                self.hold_node()
                self.H |= card
                self.push()
                self.take_node()
                self.move_piles(PACK, lowest(card))
                continue
            if self.P == 0 and count(self.T ^ self.K) < 8:
                if top != 0:
                    if not self.new_here():
                        return False
                    self.hold_node()
                    if stock != 0:
                        self.push_after(TURN, 0)
                    elif self.rd != 0:
                        self.push_after(REDEAL, 0)
                    self.move_piles(FILL, lowest(top))
                else:
                    self.move_piles(TURN, 0)  # were no card outside, one of the tableau could be played
                continue
            cards = self.N | (packs if self.pack_waste else 0)
            card = cards & stock
            if card != 0:
                self.turn_to(card & (~card + 1))
                self.sight_stock()
                continue
            if self.rd == 0 or cards & outside == 0:
                return False
            self.turn_all()
            if self.unlimited and not self.new_here():
                return False
            self.move_piles(REDEAL, 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.bint:
        """Go on where nothing is formed again and nothing is held; return whether there is a state in hand to go on."""
        moves: cython.int = self.find_moves()
        cards: u64 = 0
        lifts: u64
        place: cython.int
        if self.lemmas & UNDO and self.lemmas & GLUE and self.P == 0 and self.fill_tableau:
            cards = self.can[PACK] & self.T
        if cards == 0:
            cards = self.first_safe(self.can[PACK])
        if cards != 0:
            self.move_piles(PACK, lowest(cards))
            return True
        lifts = self.can[FILL] & self.T
        if moves == 0:
            return False
        if moves > 1 or not self.lemmas & RUN or self.can[REDEAL] != 0 or lifts != 0:
            if not self.new_here():
                return False
            self.can[FILL] ^= lifts
            self.push_lifts(lifts)
        self.branch()  # where a card can be lifted, the waste can fill too, or there is a stock to turn
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_lifts(self, cards: u64) -> cython.void:
        """Push what moving packed cards to an empty cell leads to (GLUE: a move follows that it makes possible)."""
        place: cython.int
        self.hold_node()
        while cards != 0:
            place = highest(cards)
            cards ^= ONE << place
            if self.lemmas & GLUE:
                self.lifted = 64 + place + 1
            self.push_after(FILL, place)
            self.lifted = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_lifted(self) -> cython.bint:
        """Expand a node at which a packed card was just lifted: pack what that allows, or lift on (GLUE)."""
        waste: u64 = ALL & ~(self.T | self.P | self.O) & below(self.ptr)
        tops: u64 = self.tops()
        first: cython.bint = self.lifted > 64
        place: cython.int = (self.lifted & 63) - 1
        under: u64 = self.after[place]
        over: u64 = self.before[place]
        cards: u64 = 0
        self.lifted = 0
        self.hold_node()
        if count(self.T ^ self.K) < 8:
            if first and over & self.T & ~(self.K | tops):
                cards = over
                while cards & ~tops:
                    cards = self.before[lowest(cards)]
                self.lifted = lowest(cards) + 1
                self.push_after(FILL, lowest(cards))
            if under & self.K:
                self.lifted = lowest(under) + 1
                self.push_after(FILL, lowest(under))
            self.lifted = 0
        cards = tops & ~self.K if self.pack_tableau else 0
        if self.pack_waste and waste != 0:
            cards |= ONE << highest(waste)
        cards &= self.packable(tops)
        if cards & over:
            self.push_after(PACK, lowest(over))
        if cards & under:
            self.push_after(PACK, lowest(under))
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def beyond_hope(self) -> cython.bint:
        """Whether even under easier rules the pivot can neither be emptied nor the game be won (BOUND)."""
        T: u64 = self.T
        P: u64 = self.P
        N: u64 = self.N
        joins: u64 = 0  # cards that may come to lie on their neighbour
        waits: u64 = 0  # those of them that may do so only once the neighbour of their neighbour is in the tableau
        wanted: u64 = 0  # cards outside or in the pivot that may join one in the tableau now
        must: u64 = T | P  # cards that lie in the tableau sooner or later
        outside: u64 = ALL & ~(T | P | self.O)
        waste: u64
        top: u64
        pivot: u64
        card: u64
        cards: u64
        place: cython.int
        ptr: cython.int = self.ptr
        rd: cython.int = self.rd
        cells: cython.int = 0
        needed: cython.int = 0
        changed: cython.bint = True
        counts: cython.bint = self.pack_limit < 13
        q: cython.int
        t: cython.int
        on: cython.int
        height: cython.int
        for q in range(4):
            height = 0  # of the lowest pile that can end in the card
            t = 12
            on = self.F >> 4 * q & 15
            while t > on:
                place = self.place_of[13 * q + t]
                card = ONE << place
                cards = self.after[place] if t < 11 else 0
                cards &= T & ~self.K  # the neighbour, if it can go elsewhere
                if not self.pack_tableau:
                    cards = 0
                if self.K & card:
                    joins |= card
                    height += 1
                elif T & card:
                    if 0 < height < self.pack_limit and self.pack_tableau and not self.before[place] & self.K:
                        if not self.H & card:
                            joins |= card
                        elif cards != 0:
                            waits |= card
                    height = 1
                elif P & card:
                    if 0 < height < self.pack_limit and (self.pack_tableau or self.pack_pivot):
                        joins |= card
                    height = 1
                elif 0 < height < self.pack_limit and self.pack_waste and not self.H & card:
                    joins |= card
                    height += 1
                elif height > 0 and self.pack_waste and self.H & card and cards != 0 and self.pack_limit >= 3:
                    waits |= card
                    height = 3
                else:
                    height = 0
                t -= 1
        cards = waits
        while cards != 0:
            card = cards & (~cards + 1)
            cards ^= card
            if T & self.after[lowest(self.after[lowest(card)])]:
                waits ^= card
                joins |= card
        cards = T
        while cards != 0:
            place = lowest(cards)
            cards &= cards - 1
            wanted |= self.before[place] & joins & ~T
            if not (joins >> place & 1 and self.after[place] & T):
                cells += 1
        while True:
            waste = outside & below(ptr)
            top = ONE << highest(waste) if waste != 0 else 0
            pivot = ONE << highest(P) if self.pivot_open or P & (P - 1) == 0 else 0
            card = N & (T | top | pivot)
            if card != 0:
                changed = True
                card &= ~card + 1
                place = lowest(card)
                if T & card and not (joins & card and self.after[place] & T):
                    cells -= 1
                T &= ~card
                P &= ~card
                outside &= ~card
                N ^= card | self.after[place]
                if P == 0:
                    return False
                continue
            if counts and cells < 8 and changed:
                changed = False
                needed = self.cells_needed(T, joins, must)
            if cells < 8 and (not counts or needed < 8):
                card = ONE << highest(P)
                P ^= card
            elif pivot & wanted and self.pack_pivot:
                card = pivot
                P ^= card
            elif top & wanted:
                card = top
                outside ^= card
            else:
                cards = outside & (wanted | N)
                card = cards & ~below(ptr)
                if card == 0:
                    if cards == 0 or rd == 0:
                        return True
                    if not self.unlimited:
                        rd -= 1
                    card = cards
                ptr = lowest(card) + 1
                continue
            if P == 0:
                return False
            changed = True
            T |= card
            place = lowest(card)
            if not (joins & card and self.after[place] & T):
                cells += 1
            cards = self.before[place] & joins
            if cards & T:
                cells -= 1
            wanted |= cards & ~T
            if self.step_at[place] > 1:
                cards = self.before[lowest(self.before[place])] & waits
                waits ^= cards
                joins |= cards
                if cards & T:
                    cells -= 1
                wanted |= cards & ~T

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cells_needed(self, T: u64, joins: u64, must: u64) -> cython.int:
        """Return how many cells a tableau fills at least, as a run that must hold so many cards fills so many piles."""
        cells: cython.int = 0
        q: cython.int
        t: cython.int
        place: cython.int
        cards: cython.int
        for q in range(4):
            cards = 0
            for t in range(12, -1, -1):
                place = self.place_of[13 * q + t]
                if not (T >> place & 1 and joins >> place & 1):
                    cells += (cards + self.pack_limit - 1) // self.pack_limit
                    cards = 0
                if T >> place & 1 and must >> place & 1:
                    cards += 1
            cells += (cards + self.pack_limit - 1) // self.pack_limit
        return cells

    # Searching

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self) -> cython.void:
        """Let the outside world see how far the search is, and stop it."""
        self.pulse = _PULSE
        with cython.gil:
            if self.on_pulse is not None:
                try:
                    if self.on_pulse(self.stored, self.generated, self.deepest):
                        self.status = STOPPED
                except BaseException as error:  # noqa: BLE001 - it is raised again outside
                    self.error = error
                    self.status = STOPPED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self) -> cython.bint:
        """Expand the node in hand: push what must be looked at after it; return whether the game is won."""
        if self.engine == SINGLE:
            return self.expand_single()
        if self.engine == PILES:
            return self.expand_piles()
        return self.expand_plain()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self) -> cython.void:
        """Search depth first from the state in hand, under the engine's lemmas."""
        first: cython.Py_ssize_t
        i: cython.Py_ssize_t
        last: cython.bint
        self.clear()
        if self.status != RUNNING:
            return
        if self.engine != PLAIN and self.unlimited:
            self.rd = 1
        if self.engine != PLAIN and self.rd > _MOST_REDEALS:
            self.rd = _MOST_REDEALS
        self.dive = True
        self.exhausts = self.final = False
        self.lifted = 0
        if self.engine == SINGLE and self.P != 0 and not self.greedy_from_here():
            self.status = LOST
            return
        self.depth = -1
        self.push()
        while self.waiting != 0 and self.status == RUNNING:
            self.waiting -= 1
            first = self.waiting
            self.load(self.stack, _FIELDS * first)
            if self.depth + 1 >= self.path_room:
                self.lengthen_path()
                if self.status != RUNNING:
                    return
            for i in range(_FIELDS):
                self.path[_FIELDS * self.depth + i] = self.stack[_FIELDS * first + i]
            if self.depth > self.deepest:
                self.deepest = self.depth
            last = self.engine == SINGLE and not self.may_reform(ALL & ~(self.T | self.P | self.O))
            if self.expand():
                if self.status == RUNNING:
                    self.status = WON
                return
            self.dive = False
            if last:
                self.reverse(first)  # earliest fills first: a quarter fewer states
            self.pulse -= 1
            if self.pulse <= 0:
                self.look_up()
        if self.status == RUNNING:
            self.status = LOST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reverse(self, first: cython.Py_ssize_t) -> cython.void:
        """Turn round the order of the nodes that wait from `first` on."""
        last: cython.Py_ssize_t = self.waiting - 1
        i: cython.int
        word: u64
        while first < last:
            for i in range(_FIELDS):
                word = self.stack[_FIELDS * first + i]
                self.stack[_FIELDS * first + i] = self.stack[_FIELDS * last + i]
                self.stack[_FIELDS * last + i] = word
            first += 1
            last -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def replay(self) -> cython.void:
        """After a won search, log its line by expanding the nodes on its path again."""
        deepest: cython.Py_ssize_t = self.depth
        at: cython.Py_ssize_t
        self.replaying = True
        self.logged = 0
        self.path[_FIELDS * (deepest + 1)] = WORD  # no node
        for at in range(deepest + 1):
            self.load(self.path, _FIELDS * at)
            self.found = -1
            self.expand()
            if self.found >= 0:
                self.logged = self.found
        self.replaying = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, first_only: cython.bint) -> cython.void:
        """Explore breadth first from the state in hand, to the first won state or through all that can be reached."""
        self.clear()
        if self.status != RUNNING:
            return
        self.settle()
        if not self.store(self.first_word(), self.second_word(), self.K):
            return
        self.parents[0] = 0
        self.generated = 0
        while self.waiting < self.stored and self.status == RUNNING:
            self.explore(self.waiting)
            if self.status == WON:
                if first_only:
                    return
                self.status = RUNNING
            if self.status == RUNNING:
                self.waiting += 1
            self.pulse -= 1
            if self.pulse <= 0:
                self.look_up()
        if self.status == RUNNING:
            self.status = LOST

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trace(self, number: cython.Py_ssize_t) -> cython.void:
        """Log the moves from the start to a stored state of a walk, last move first."""
        kind: cython.int
        cards: u64
        self.logged = 0
        while number != 0 and self.logged < _LOG_SIZE:
            self.unpack_stored(self.parents[number])
            self.find_moves()
            self.hold_node()
            for kind in range(5):
                cards = self.can[kind]
                while cards != 0:
                    self.move(kind, lowest(cards))
                    if (
                        self.first_word() == self.words[2 * number]
                        and self.second_word() == self.words[2 * number + 1]
                        and (not self.packs or self.K == self.thirds[number])
                    ):
                        self.log[self.logged] = kind << 6 | lowest(cards)
                    self.take_node()
                    cards &= cards - 1
            self.logged += 1
            number = self.parents[number]

    # What Python calls

    def start(self, cards: bytes, base: cython.int, key: bytes):
        """Take a state in hand: the deck as card indices, the base rank 0–12, the key of 16 or 24 bytes."""
        i: cython.int
        for i in range(52):
            self.card_at[i] = cards[i]
        self.number_cards(base)
        self.unpack(
            int.from_bytes(key[0:8], "little"),
            int.from_bytes(key[8:16], "little"),
            int.from_bytes(key[16:24], "little"),
        )

    def decide(self, most: cython.Py_ssize_t) -> str:
        """Search from the state in hand, storing at most so many states.

        Returns "won" or "lost"; or why it came to nothing: "states", "memory", or "stopped" by the watcher.
        """
        self.most = most
        with cython.nogil:
            self.search()
        self.raise_error()
        return _OUTCOMES[self.status]

    def breadth_first(self, first_only: cython.bint, cites: cython.bint, most: cython.Py_ssize_t) -> str:
        """Walk from the state in hand, to the first won state ("won") or through all that can be reached ("lost").

        Where the walk cites, it goes only where `lemmas.needed` goes.
        """
        self.most = most
        self.cites = cites
        with cython.nogil:
            self.walk(first_only)
        self.raise_error()
        return _OUTCOMES[self.status]

    def line(self) -> list:
        """Return the line of the last won search or walk: pairs of the move's letter and the card's index."""
        i: cython.int
        self.replay()
        return [(_KINDS[self.log[i] >> 6], self.card_at[self.log[i] & 63]) for i in range(self.logged)]

    def walked_line(self) -> list:
        """Return the line of a walk that ended at a won state."""
        i: cython.int
        self.trace(self.waiting)
        return [(_KINDS[self.log[i] >> 6], self.card_at[self.log[i] & 63]) for i in range(self.logged - 1, -1, -1)]

    def counts(self) -> tuple:
        """Return the states stored, successors generated and the depth of the last search."""
        return self.stored, self.generated, self.deepest

    def watch(self, on_pulse):
        """Call a function now and then while searching, with what `counts` returns; a true answer stops the search."""
        self.on_pulse = on_pulse

    def raise_error(self):
        """Raise what a look at the outside world has raised."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def keys(self) -> bytes:
        """Return the keys of all states stored by a walk, ascending as little-endian integers, one after another."""
        i: cython.Py_ssize_t
        found: list = []
        for i in range(self.stored):
            key = self.words[2 * i + 1].to_bytes(8, "big") + self.words[2 * i].to_bytes(8, "big")
            found.append(self.thirds[i].to_bytes(8, "big") + key if self.packs else key)
        found.sort()
        for i in range(self.stored):
            found[i] = found[i][::-1]
        return b"".join(found)

    def survey(self, first: u64, deals: cython.Py_ssize_t, most: cython.Py_ssize_t) -> tuple:
        """Decide the deals of consecutive seeds.

        Returns the verdicts, two bits a deal from the lowest bit of the first byte up (0 unknown, 1 won, 2 lost), and
        three histograms as lists: of the bit length of the number of states stored, of moves in the lines that win,
        and of passes in them (the last entry counts that many and more).
        """
        verdicts = bytearray((deals + 3) // 4)
        i: cython.int
        self.most = most
        for i in range(_STATES_BINS):
            self.states_seen[i] = 0
        for i in range(_MOVES_BINS):
            self.moves_seen[i] = 0
        for i in range(_PASSES_BINS):
            self.passes_seen[i] = 0
        if cython.compiled:
            codes = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(verdicts))
        else:
            codes = verdicts
        with cython.nogil:
            self.survey_seeds(first, deals, codes)
        self.raise_error()
        if self.status == MEMORY_OUT:  # pragma: no cover - the memory of C
            raise MemoryError
        return (
            bytes(verdicts),
            [self.states_seen[i] for i in range(_STATES_BINS)],
            [self.moves_seen[i] for i in range(_MOVES_BINS)],
            [self.passes_seen[i] for i in range(_PASSES_BINS)],
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def survey_seeds(self, first: u64, deals: cython.Py_ssize_t, codes: cython.p_uchar) -> cython.void:
        """Fill the verdicts and histograms of `survey`."""
        i: cython.Py_ssize_t
        bits: cython.int
        for i in range(deals):
            self.shuffle((first + i) & WORD)
            self.lay_out()
            self.search()
            if self.status == STOPPED or self.status == MEMORY_OUT:
                return
            if self.status == WON or self.status == LOST:
                codes[i >> 2] |= self.status << 2 * (i & 3)
            bits = highest(self.stored) + 1 if self.stored != 0 else 0
            self.states_seen[bits if bits < _STATES_BINS else _STATES_BINS - 1] += 1
            if self.status == WON:
                self.replay()
                self.count_line()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count_line(self) -> cython.void:
        """Count the logged line in the histograms of moves and passes."""
        passes: cython.int = 1
        i: cython.int
        for i in range(self.logged):
            passes += self.log[i] >> 6 == REDEAL
        self.moves_seen[self.logged if self.logged < _MOVES_BINS else _MOVES_BINS - 1] += 1
        self.passes_seen[passes if passes < _PASSES_BINS else _PASSES_BINS - 1] += 1


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
}
"""The lemmas by name, each a bit of the switch that a kernel takes."""

ALL_LEMMAS = sum(LEMMAS.values())
