"""The table of states that a search has stored, by their keys.

One kind of table serves every search: keys lie densely in the order in which they were stored, and a small index of
slots points at them, so that clearing is cheap and a breadth-first search needs no other queue. A stored state takes 20
bytes (28 where cards are packed), 6 to 12 bytes of index, and at most an eighth of slack: below 48 bytes in all.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
    from cython.cimports.libc.string import memset
else:
    from perno_solver.kernel.bits import GAMMA, MEMORY_OUT, MIX_1, PULSE, RUNNING, STATES_OUT, STOPPED, WORD, u64

_FIRST_SLOTS = cython.declare(cython.int, 1024)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def scatter(a: u64, b: u64, c: u64) -> u64:
    """Hash a key."""
    h: u64 = ((a ^ (b << 23 & WORD) ^ b >> 41) * GAMMA + c) & WORD
    h = ((h ^ h >> 32) * MIX_1 + b) & WORD
    return h ^ h >> 29


@cython.final
@cython.cclass
class Table:
    """The states that a search has stored, what it has come to, and who watches it.

    Args:
        packs: whether a key has a third word.
    """

    packs: cython.bint
    words: cython.p_ulonglong  # two a key
    thirds: cython.p_ulonglong  # a third where cards are packed
    parents: cython.p_uint  # for who walks: the state from which one was first reached
    slots: cython.p_uint  # 1 + the number of the key
    stored: cython.Py_ssize_t
    room: cython.Py_ssize_t
    mask: u64
    slot_room: cython.Py_ssize_t
    most: cython.Py_ssize_t  # states that may be stored
    generated: cython.longlong  # states that came up, stored before or not
    deepest: cython.Py_ssize_t
    met: cython.Py_ssize_t  # the number of the key that was last found to be stored before
    status: cython.int
    pulse: cython.Py_ssize_t
    on_pulse: object
    error: object

    def __init__(self, packs):
        self.packs = packs
        self.stored = self.room = self.slot_room = self.generated = self.deepest = 0
        self.pulse = PULSE
        self.on_pulse = self.error = None
        if not cython.compiled:
            self.words, self.thirds, self.parents, self.slots = ([] for _ in range(4))

    if cython.compiled:

        def __dealloc__(self):
            free(self.words)
            free(self.thirds)
            free(self.parents)
            free(self.slots)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Forget all states."""
        self.stored = 0
        self.generated = 0
        self.deepest = 0
        self.status = RUNNING
        self.mask = 0
        self.reindex(_FIRST_SLOTS)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reindex(self, size: cython.Py_ssize_t) -> cython.void:
        """Make the index `size` slots large, a power of two."""
        i: cython.Py_ssize_t
        at: u64
        if cython.compiled:
            if size > self.slot_room or size * 16 < self.slot_room:  # what one large search took is given back
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
                self.met = i
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
    def tick(self) -> cython.void:
        """Count a node, and look up where a look is due."""
        self.pulse -= 1
        if self.pulse <= 0:
            self.look_up()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self) -> cython.void:
        """Let who watches see how far the search is, and stop it."""
        self.pulse = PULSE
        with cython.gil:
            if self.on_pulse is not None:
                try:
                    if self.on_pulse(self.stored, self.generated, self.deepest):
                        self.status = STOPPED
                except BaseException as error:  # noqa: BLE001 - it is raised again outside
                    self.error = error
                    self.status = STOPPED

    def outcome(self):
        """Return in a word what the last search came to, or raise what who watches has raised."""
        error, self.error = self.error, None
        if error is not None:
            raise error
        return ("running", "won", "lost", "states", "memory", "stopped")[self.status]
