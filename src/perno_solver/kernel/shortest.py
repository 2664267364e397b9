"""The fewest moves: A* over states and what is held in them; its bound and what it leaves out: `docs/shortest.md`.

States wait in a bucket for each length that a line through them has at least. What was pushed last comes first, so
that of the lines of one length the search goes down one before it looks at the others.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        FILL,
        LOST,
        MEMORY_OUT,
        MOST_REDEALS,
        PACK,
        PLAY,
        RUNNING,
        WON,
        State,
        copied,
        count,
        lowest,
        u64,
    )
    from perno_solver.kernel.bound import beyond_hope
    from perno_solver.kernel.held import FINAL, FORMING, PLAIN, Held
    from perno_solver.kernel.least import is_out_of_order, turns_to_the_end, turns_to_trigger
    from perno_solver.kernel.sets import below, last_of, many


@cython.final
@cython.cclass
class Shortest(Held):
    """A search for a line with the fewest moves, under one set of rules.

    Args:
        rules: as `Position` has them.
    """

    # A copy of the state in hand, to come back to
    kept: State
    kept_unpacked: u64
    kept_cost: cython.Py_ssize_t
    kept_kind: cython.int
    kept_length: cython.Py_ssize_t
    # The search
    began: State
    bound: cython.Py_ssize_t  # moves that a line has at least
    within: cython.Py_ssize_t  # moves of a line that is known
    best: cython.Py_ssize_t  # the number of the won state to which the fewest moves lead, of those met so far; or -1

    def __init__(self, rules):
        super().__init__(rules)
        if not cython.compiled:
            self.began, self.kept = State(), State()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def estimate(self) -> cython.int:
        """Return how many moves a line from the state in hand has at least, -1 if none wins."""
        least: cython.int
        held: u64
        if self.at.P != 0:
            if not self.pack_pivot and not self.pack_tableau:
                least = turns_to_trigger(self, self.unpacked)
                if least < 0:
                    return -1
            else:
                held = self.at.H
                self.at.H = 0
                least = -1 if beyond_hope(self) else 0
                self.at.H = held
                if least < 0:
                    return -1
        else:
            least = 0
        if not self.may_reform():
            least = max(least, turns_to_the_end(self))
        elif least == 0 and is_out_of_order(self):
            least = 1
        return 52 - count(self.at.O) + least

    # The search

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def offer(self, number: cython.Py_ssize_t) -> cython.void:
        """Let the state in hand, or the one to which it leads, wait; it came from a stored one."""
        least: cython.int
        i: cython.Py_ssize_t
        if not self.advance():
            return
        if self.replaying:
            if self.found < 0 and self.store():
                self.found = self.log.length
            return
        self.table.tick()
        least = self.estimate()
        if least < 0 or self.cost + least >= self.within:
            return
        i = self.table.stored
        if not self.store():
            if self.table.status != RUNNING:
                return
            i = self.table.met
            if self.queue.cost(i) <= self.cost:
                return
        self.table.parents[i] = number
        if not self.queue.push(i, self.cost, self.cost + least):
            self.table.status = MEMORY_OUT
            return
        if self.at.N == 0:  # fewer moves than `within`
            self.best = i
            self.within = self.cost

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self) -> cython.void:
        """Keep the state in hand, to come back to."""
        self.kept = copied(self.at)
        self.kept_unpacked = self.unpacked
        self.kept_cost = self.cost
        self.kept_kind = self.kind
        self.kept_length = self.log.length

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take_back(self, held: u64, unpacked: u64) -> cython.void:
        """Take the kept state in hand again, in which some more cards are held, and some more not packed."""
        self.at = copied(self.kept)
        self.at.H |= held
        self.unpacked = (self.kept_unpacked | unpacked) & ~self.at.H
        self.cost = self.kept_cost
        self.kind = self.kept_kind
        if self.replaying and self.found < 0:
            self.log.length = self.kept_length

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self, number: cython.Py_ssize_t) -> cython.void:
        """Offer what each choice leads to from the stored state in hand.

        Their order is: the play of the waste's top, other plays, packs, fills, turns, lifts. Plays and packs that come
        before one that is made are declined, and held. The last one is offered first, as it is to be looked at last.
        """
        moves: u64[5]
        lifts: u64
        cards: u64
        card: u64
        top: u64 = last_of(self.outside() & below(self.at.ptr))
        held: u64 = 0
        unpacked: u64 = 0
        triggers: u64 = 0  # plays that exhaust the pivot
        kind: cython.int
        if not cython.compiled:
            moves = [0] * 5
        self.ask()
        for kind in range(5):
            moves[kind] = self.asked[kind]
        lifts = self.lifts
        self.keep()
        if self.kind != PLAIN:
            held = moves[PLAY]
            unpacked = moves[PACK]
            if self.kind == FORMING and self.at.P != 0 and not many(self.at.P):
                triggers = held & ~top
                held &= top
        while lifts != 0:
            card = last_of(lifts)
            lifts ^= card
            self.take_back(held, unpacked)
            self.lift(number, card)
        for kind in range(2):  # turn, redeal
            if moves[kind] != 0:
                self.take_back(held, unpacked)
                self.step(kind, 0)
                self.offer(number)
        cards = moves[FILL]
        while cards != 0:
            card = last_of(cards)
            cards ^= card
            self.take_back(held, unpacked)
            self.step(FILL, lowest(card))
            self.offer(number)
        cards = moves[PACK]
        while cards != 0:
            card = last_of(cards)
            cards ^= card
            unpacked &= ~card
            self.take_back(held, unpacked)
            self.step(PACK, lowest(card))
            self.offer(number)
        cards = moves[PLAY]
        while cards != 0:
            card = last_of(cards & ~top) if cards & ~top else cards
            cards ^= card
            held &= ~card
            triggers &= ~card
            self.take_back(held, unpacked)
            self.step(PLAY, lowest(card))
            if self.kind == FORMING and triggers != 0 and not card & top:
                self.at.H |= triggers & self.at.T & self.at.N
            self.offer(number)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def resume(self, at: State, unpacked: u64, cost: cython.Py_ssize_t, length: cython.Py_ssize_t) -> cython.void:
        """Take a final state in hand again from which another move is to be made."""
        self.at = copied(at)
        self.unpacked = unpacked
        self.cost = cost
        self.kind = FINAL
        if self.replaying and self.found < 0:
            self.log.length = length

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lift(self, number: cython.Py_ssize_t, card: u64) -> cython.void:
        """Offer what lifting a card leads to, and those below it: the move that this makes possible follows at once."""
        first: cython.bint = True
        here: State
        unpacked: u64
        over: u64
        under: u64
        tops: u64
        loose: u64
        top: u64 = last_of(self.outside() & below(self.at.ptr)) if self.pack_waste else 0
        came: cython.Py_ssize_t
        length: cython.Py_ssize_t
        while self.gaps() > 0:
            over = self.before[lowest(card)]
            under = self.after[lowest(card)]
            self.step(FILL, lowest(card))
            here = copied(self.at)
            unpacked = self.unpacked
            came = self.cost
            length = self.log.length
            tops = self.tops()
            loose = tops & ~self.at.K if self.pack_tableau else 0
            if over & (loose | top):
                self.step(PACK, lowest(over))
                self.offer(number)
            elif first and self.pack_tableau and over & self.at.T & ~self.at.K:
                while over & ~self.tops() and self.gaps() > 0:
                    self.step(FILL, lowest(self.top_over(over)))
                if over & self.tops():
                    self.step(PACK, lowest(over))
                    self.offer(number)
            self.resume(here, unpacked, came, length)
            if under & loose & self.packable(tops):
                self.step(PACK, lowest(under))
                self.offer(number)
                self.resume(here, unpacked, came, length)
            if not under & self.at.K:
                return
            card = under
            first = False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def top_over(self, card: u64) -> u64:
        """Return the card on top of a covered one's pile."""
        while self.before[lowest(card)] & self.at.K:
            card = self.before[lowest(card)]
        return card

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.void:
        """Let the state in hand be the first that waits."""
        self.at.rd = 1 if self.unlimited else min(self.at.rd, MOST_REDEALS)
        self.settle()
        self.at.H = self.unpacked = 0
        self.cost = 0
        self.find_kind()
        self.offer(0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self) -> cython.void:
        """Search from the state in hand."""
        number: cython.Py_ssize_t
        self.table.clear()
        self.queue.clear()
        self.best = -1
        self.bound = 0
        if self.table.status != RUNNING:
            return
        self.begin()
        while self.queue.waiting != 0 and self.table.status == RUNNING:
            number = self.queue.pop()
            self.bound = max(self.bound, self.queue.lowest)
            if self.best >= 0 and self.within <= self.queue.lowest:
                self.table.status = WON
                return
            if number >= 0:
                self.take(number)
                self.cost = self.queue.cost(number)
                self.table.deepest = max(self.table.deepest, self.cost)
                self.expand(number)
        if self.table.status == RUNNING:
            self.bound = self.within
            self.table.status = LOST if self.best < 0 else WON

    # What Python calls

    def at_least(self) -> int:
        """Return how many moves a line from the state in hand has at least, -1 if none wins, as far as can be seen."""
        self.at.H = self.unpacked = 0
        return self.estimate()

    def decide(self, within: cython.Py_ssize_t, most: cython.Py_ssize_t) -> str:
        """Search from the state in hand for a line of fewer moves than so many, storing at most so many states.

        Returns "won" or "lost", if there is none; or why it came to nothing, as `Search.decide` does.
        """
        self.table.most = most
        self.within = within
        self.began = copied(self.at)
        with cython.nogil:
            self.search()
        return self.table.outcome()

    def line(self):
        """Return the shortest line that was found, as `Search.line` does; None if there is none."""
        number: cython.Py_ssize_t = self.best
        path: list = []
        moves: list = []
        if self.best < 0:
            return None
        while number != 0:
            path.append(number)
            number = self.table.parents[number]
        self.replaying = True
        self.at = copied(self.began)
        for number in [0, *path[::-1]]:
            self.wanted = number
            self.found = -1
            self.log.length = 0
            if number == 0:
                self.begin()
            else:
                self.take(self.table.parents[number])
                self.cost = self.queue.cost(self.table.parents[number])
                self.expand(self.table.parents[number])
            self.log.length = self.found
            moves += self.log.written(self)
        self.replaying = False
        if self.table.status == MEMORY_OUT:  # pragma: no cover - the memory of C
            raise MemoryError
        return moves
