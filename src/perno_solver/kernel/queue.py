"""States that wait, in a bucket for each length that a line through them has at least."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
    from cython.cimports.libc.string import memset


@cython.final
@cython.cclass
class Queue:
    """Buckets of numbers, of which the lowest that is not empty gives what was put there last."""

    costs: cython.p_uint  # by number: moves from the start, and whether it was taken out since
    heads: cython.p_uint  # by length: the entry on top, 0 where there is none
    lengths: cython.Py_ssize_t  # for which there is a bucket
    numbers: cython.p_uint  # of an entry: what waits
    nexts: cython.p_uint  # and the entry below it
    numbered: cython.Py_ssize_t  # for which there is a cost
    entries: cython.Py_ssize_t  # ever in use; entry 0 is none
    room: cython.Py_ssize_t
    unused: cython.uint  # the first entry that was taken out and may be used again
    waiting: cython.Py_ssize_t
    lowest: cython.Py_ssize_t  # no bucket below has an entry

    def __init__(self):
        self.lengths = self.room = self.numbered = 0
        if not cython.compiled:
            self.costs, self.heads, self.numbers, self.nexts = ([] for _ in range(4))

    if cython.compiled:

        def __dealloc__(self):
            free(self.costs)
            free(self.heads)
            free(self.numbers)
            free(self.nexts)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Forget all."""
        if cython.compiled:
            if self.lengths > 0:
                memset(self.heads, 0, self.lengths * 4)
            if self.room > 1 << 16:  # what one large search took is given back
                free(self.numbers)
                free(self.nexts)
                free(self.costs)
                self.numbers = self.nexts = self.costs = cython.NULL
                self.room = self.numbered = 0
        else:
            self.heads = [0] * self.lengths
        self.entries = 1
        self.unused = 0
        self.waiting = 0
        self.lowest = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_lengths(self, length: cython.Py_ssize_t) -> cython.bint:
        """Make buckets up to beyond a length; return whether there was memory for them."""
        lengths: cython.Py_ssize_t = 2 * length + 256
        if cython.compiled:
            heads = cython.cast(cython.p_uint, realloc(self.heads, lengths * 4))
            if not heads:
                return False
            self.heads = heads
            memset(self.heads + self.lengths, 0, (lengths - self.lengths) * 4)
        else:
            self.heads += [0] * (lengths - self.lengths)
        self.lengths = lengths
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def widen(self) -> cython.bint:
        """Make room for a quarter more entries; return whether there was memory for them."""
        room: cython.Py_ssize_t = self.room + (self.room >> 2) + 1024
        if cython.compiled:
            numbers = cython.cast(cython.p_uint, realloc(self.numbers, room * 4))
            if numbers:
                self.numbers = numbers
            nexts = cython.cast(cython.p_uint, realloc(self.nexts, room * 4))
            if nexts:
                self.nexts = nexts
            if not numbers or not nexts:
                return False
        else:
            self.numbers += [0] * (room - self.room)
            self.nexts += [0] * (room - self.room)
        self.room = room
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number_more(self) -> cython.bint:
        """Make room for the costs of an eighth more numbers; return whether there was memory for them."""
        numbered: cython.Py_ssize_t = self.numbered + (self.numbered >> 3) + 1024
        if cython.compiled:
            costs = cython.cast(cython.p_uint, realloc(self.costs, numbered * 4))
            if not costs:
                return False
            self.costs = costs
        else:
            self.costs += [0] * (numbered - self.numbered)
        self.numbered = numbered
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def cost(self, number: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the moves from the start to what has a number."""
        return self.costs[number] >> 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self, number: cython.Py_ssize_t, cost: cython.Py_ssize_t, length: cython.Py_ssize_t) -> cython.bint:
        """Put a number in the bucket of a length, with what it costs; return whether there was memory for it.

        Its older entries, in higher buckets, come to nothing. A new number is at most the next one.
        """
        entry: cython.Py_ssize_t = self.unused
        if length >= self.lengths and not self.add_lengths(length):
            return False
        if number >= self.numbered and not self.number_more():
            return False
        if entry != 0:
            self.unused = self.nexts[entry]
        else:
            if self.entries >= self.room and not self.widen():
                return False
            entry = self.entries
            self.entries += 1
        self.costs[number] = cost << 1
        self.numbers[entry] = number
        self.nexts[entry] = self.heads[length]
        self.heads[length] = entry
        self.waiting += 1
        self.lowest = min(self.lowest, length)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.Py_ssize_t:
        """Take out the last number of the lowest bucket, of which there must be one; -1 if it was taken out before.

        The length of the bucket is `lowest` then.
        """
        entry: cython.Py_ssize_t
        number: cython.Py_ssize_t
        while self.heads[self.lowest] == 0:
            self.lowest += 1
        entry = self.heads[self.lowest]
        self.heads[self.lowest] = self.nexts[entry]
        self.nexts[entry] = self.unused
        self.unused = entry
        self.waiting -= 1
        number = self.numbers[entry]
        if self.costs[number] & 1:
            return -1
        self.costs[number] |= 1
        return number
