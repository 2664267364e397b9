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
        ALL,
        FILL,
        LOST,
        MEMORY_OUT,
        MOST_REDEALS,
        ONE,
        PACK,
        PLAY,
        REDEAL,
        RUNNING,
        TURN,
        WON,
        State,
        copied,
        count,
        highest,
        lowest,
        u64,
    )
    from perno_solver.kernel.bound import beyond_hope
    from perno_solver.kernel.least import is_out_of_order, turns_to_the_end, turns_to_trigger
    from perno_solver.kernel.log import Log
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.queue import Queue
    from perno_solver.kernel.sets import below, first_of, last_of, many
    from perno_solver.kernel.table import Table

# Kinds of states, by what is known of the moves that can be left out
_PLAIN = cython.declare(cython.int, 0)  # nothing
_FORMING = cython.declare(cython.int, 1)  # the pivot may be formed again, and what is in the tableau leaves by a play
_FINAL = cython.declare(cython.int, 2)  # it may not, and *play* holds


@cython.final
@cython.cclass
class Shortest(Position):
    """A search for a line with the fewest moves, under one set of rules.

    Beside the state in hand, whose held cards may make no move but a fill, it keeps those that may not be packed.

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
    # A copy of the state in hand, to come back to
    kept: State
    kept_unpacked: u64
    kept_cost: cython.Py_ssize_t
    kept_kind: cython.int
    kept_length: cython.Py_ssize_t
    # The search
    began: State
    cost: cython.Py_ssize_t  # moves from the start to the state in hand
    bound: cython.Py_ssize_t  # moves that a line has at least
    within: cython.Py_ssize_t  # moves of a line that is known
    best: cython.Py_ssize_t  # the number of the won state to which the fewest moves lead, of those met so far; or -1
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
            self.began = self.kept = State()

    # Keys: what a state is, and what is held, in three words

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
        self.at.O = b & other & ~self.at.T
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
        if self.kind == _FORMING:
            self.at.H |= other & (self.at.T | self.at.P)
            self.unpacked &= outside

    # What may be left out

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def find_kind(self) -> cython.void:
        """Find out of which kind the state in hand is."""
        if self.obliged:
            self.kind = _PLAIN
        elif self.may_reform():
            self.kind = _FORMING if self.rigid else _PLAIN
        else:
            self.kind = _FINAL if self.pack_tableau or not self.pack_pivot or self.at.P == 0 else _PLAIN

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
        if self.kind != _PLAIN:
            outside = self.outside()
            top = last_of(outside & below(self.at.ptr))
            if self.kind == _FINAL:
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
                    self.asked[FILL] &= ~self.unpacked
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
        if self.kind == _FORMING:
            ends = (kind == REDEAL and self.at.P == 0) or (
                kind == PLAY and self.at.P != 0 and not many(self.at.P) and (self.at.T & ~self.at.K | self.at.P) & card
            )
        self.move(kind, place)
        if before == _PLAIN:
            self.find_kind()
            return
        if kind == REDEAL:  # to be packed was as good as to be turned once more
            waits = self.unpacked & self.outside()
            self.at.H |= waits
            self.unpacked ^= waits
        elif kind != TURN:
            self.unpacked &= ~card
            if before == _FINAL or not self.at.N & card:
                self.at.H &= ~card
            if before == _FINAL and kind != PLAY:
                waits = self.before[place]
                if kind == PACK:
                    self.unpacked &= ~self.after[place]
                self.at.H &= ~waits
                self.unpacked &= ~waits
        self.find_kind()
        if ends or (before == _FORMING and self.kind == _FINAL):
            self.at.H &= self.outside()
        if before == _FORMING:
            self.unpacked &= self.outside()

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
            if kind > 1 or self.lifts != 0:
                return True
            kind = TURN
            while self.asked[kind] == 0:
                kind += 1
            if (kind == REDEAL and self.unlimited) or (kind >= FILL and self.kind == _PLAIN):
                return True  # it could go round
            self.step(kind, lowest(self.asked[kind]))
        return True

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
        if self.kind != _PLAIN:
            held = moves[PLAY]
            unpacked = moves[PACK]
            if self.kind == _FORMING and self.at.P != 0 and not many(self.at.P):
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
            if self.kind == _FORMING and triggers != 0 and not card & top:
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
        self.kind = _FINAL
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
        return moves
