"""The engine for single cards: no packing, turning free.

Lemmas, all in `docs/lemmas.md`: *greedy*, *hold*, *bury*, *last*, *dead*, *trigger*, *end*, *wheel*. In short: what
can be played is played now, or held back until something happens that makes it a question again.

Here T are the cards in the tableau, P those in the pivot, O those on foundations, N the next cards, H the held ones;
the rest is outside.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        BURY,
        DEAD,
        END,
        FILL,
        GREEDY,
        LAST,
        ONE,
        PLAY,
        REDEAL,
        TRIGGER,
        WHEEL,
        count,
        lowest,
        u64,
    )
    from perno_solver.kernel.search import Search
    from perno_solver.kernel.sets import below, first_of, first_ten, last_of, many


@cython.final
@cython.cclass
class Single(Search):
    """Searches games in which every cell has one card."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prepare(self) -> cython.bint:
        """Get the state in hand ready for a search; return whether it is lost at first sight."""
        self.limit_redeals()
        return self.at.P != 0 and not self.may_exhaust()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self) -> cython.bint:
        """Expand the node in hand; return whether the game is won."""
        first: cython.Py_ssize_t = self.waiting
        final: cython.bint = not self.may_reform()
        won: cython.bint = self.expand_single()
        if final:
            self.stack.reverse(first, self.waiting)  # earliest fills first: a quarter fewer states
        return won

    # The greedy run

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy(self, T: u64, P: u64, outside: u64, N: u64, H: u64, ptr: cython.int, rd: cython.int) -> cython.bint:
        """Play all but held cards as early as possible; return whether the pivot can be exhausted on the way.

        GREEDY: if not, the state is lost.
        """
        passed: u64 = below(ptr)  # places up to which cards have been turned
        free: u64 = ~H
        card: u64
        top: u64
        while True:
            while many(P):
                card = first_of(N & T & free)
                if card == 0:
                    if not self.pivot_open:
                        break
                    card = last_of(P) & N & free
                    if card == 0:
                        break
                    N ^= card | self.after[lowest(card)]
                    P ^= card
                    continue
                N ^= card | self.after[lowest(card)]
                top = last_of(P)
                P ^= top
                T ^= card | top
            if not many(P) and N & (T | P) != 0:
                # DEAD: no line is here sooner, and a held card in the waste can be buried no more in the last pass
                return rd != 0 or (~free & outside & passed) == 0 or not self.lemmas & DEAD
            # The waste, and with it the clock: only what makes N or the pivot other is worth stopping at
            while True:
                card = last_of(outside & passed) & N & free
                if card == 0:  # the top of the waste stays; turn to the next card that does not
                    card = first_of(outside & ~passed & N & free)
                    if card != 0:
                        passed = (card << 1) - 1
                if card != 0:
                    N ^= card | self.after[lowest(card)]
                    outside ^= card
                    break
                if not self.lemmas & BURY:
                    free |= outside  # a redeal ends holds then
                if rd == 0 or N & free & outside == 0:
                    return False
                if not self.unlimited:
                    rd -= 1
                passed = 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_exhaust(self) -> cython.bint:
        """Whether `greedy` exhausts the pivot from the state in hand; true where that lemma is off."""
        if not self.lemmas & GREEDY:
            return True
        return self.greedy(self.at.T, self.at.P, self.outside(), self.at.N, self.at.H, self.at.ptr, self.at.rd)

    # Moves

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, card: u64) -> cython.void:
        """Play a card that is not the last of the pivot, and let happen what happens by itself after it."""
        self.note(PLAY, lowest(card))
        self.put_up(card)
        if self.at.T & card:
            self.at.T ^= card
            if many(self.at.P):
                self.fill_from_pivot()
            else:
                self.settle()
        else:
            self.at.P &= ~card

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def redeal(self) -> cython.void:
        """Redeal; what a pivot that is formed again buries is no longer held."""
        was_empty: cython.bint = self.at.P == 0
        self.note(REDEAL, 0)
        self.turn_over()
        self.settle()
        if not self.lemmas & BURY:
            self.at.H &= ~self.outside()
        if was_empty:  # what is buried may fill a cell at once
            self.at.H &= self.outside()

    # Pushing what is a choice

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def held_word(self) -> u64:
        """Return the second word of the key with the suits that are held: a held card is always its suit's next."""
        word: u64 = self.second_word()
        held: u64 = self.at.H
        while held != 0:
            word |= ONE << 32 + self.suit_at[lowest(held)]
            held &= held - 1
        return word

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_new(self) -> cython.void:
        """Push the state in hand unless it was stored before."""
        if self.replaying or self.table.store(self.first_word(), self.held_word(), 0):
            self.push()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_child(self) -> cython.void:
        """Push the state in hand unless the greedy run says that it is lost, or it was stored before."""
        self.sight_stock()
        if self.replaying or self.at.P == 0 or self.may_exhaust():
            self.push_new()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_held(self, card: u64) -> cython.void:
        """Push the state in hand with one more card held."""
        held: u64 = self.at.H
        self.at.H |= card
        if self.at.P == 0:
            self.push_child()
        elif self.replaying or self.may_exhaust():
            self.push()  # sets of held cards differ within a segment, so nothing repeats
        self.at.H = held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_triggers(self, cards: u64, outside: u64, stock: u64) -> cython.void:
        """With one card left in the pivot, push what each play that exhausts it leads to.

        The next pivot is the same whichever card is the trigger. None of them wins: eight cells are full.
        """
        card: u64
        done: u64 = 0
        reforms: cython.bint = self.reform_at != 0 and count(stock) >= self.reform_at
        buried: u64 = first_ten(stock) if reforms else 0
        next_ptr: cython.int = lowest(stock ^ buried) if stock != buried else 52
        self.keep()
        while cards != 0:
            card = first_of(cards)
            cards ^= card
            self.note(PLAY, lowest(card))
            self.put_up(card)
            if card != self.at.P:  # the last card of the pivot fills the cell
                self.at.T ^= card | self.at.P
            self.at.P = buried
            self.at.ptr = next_ptr
            self.at.H &= outside & ~buried  # HOLD ends with a trigger, BURY where the card is buried
            if self.lemmas & TRIGGER:
                self.at.H |= done & self.at.T & self.at.N
            done |= card
            if self.replaying or not reforms or self.may_exhaust():
                self.push_new()
            self.take_back()

    # Expanding

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_single(self) -> cython.bint:
        """Expand the node in hand; return whether the game is won."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        cards: u64
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.at.N == 0:
                return True
            outside = self.outside()
            # END: from a final state on every play is right at once, so all holds are over
            if self.lemmas & END and not self.may_reform():
                if self.at.H & outside and self.lemmas & BURY:
                    return False  # a held card that nothing will bury
                self.at.H = 0
                return self.expand_end()
            waste = outside & below(self.at.ptr)
            stock = outside ^ waste
            top = last_of(waste)
            # BURY with LAST: it could have been played when it was declined, and can be buried no more
            if self.at.rd == 0 and self.at.H & waste and self.lemmas & BURY and self.lemmas & LAST:
                return False
            if self.at.N & top & ~self.at.H:
                # BURY: the top of the waste goes now or is held until it is buried. LAST: then it goes.
                if self.at.rd != 0 or not self.lemmas & LAST:
                    self.push_held(top)
                self.play(top)
                continue
            if self.at.P == 0:  # a gap phase: fills are a choice, and plays do not open cells that fill by themselves
                if not self.expand_gap(outside, stock, top):
                    return False
                continue
            if many(self.at.P):  # no play is a trigger
                cards = first_of(self.at.N & (self.at.T | self.pivot_card()) & ~self.at.H)
                if cards != 0:  # HOLD: it goes now, or not before the next trigger
                    self.push_held(cards)
                    self.play(cards)
                    continue
            else:
                cards = self.at.N & (self.at.T | self.at.P)
                if cards != 0:
                    # Each of them is a trigger, and at every clock to wait is a choice too: it is followed here
                    self.push_triggers(cards, outside, stock)
                    if stock != 0:
                        self.turn_to(first_of(stock))
                    elif self.at.rd == 0 or outside == 0 or not self.begin_pass():
                        return False
                    continue
            # Nothing is left to ask, so turning matters only where it shows a card that can be played
            cards = first_of(self.at.N & ~self.at.H & stock)
            if cards != 0:
                self.turn_to(cards)
                continue
            # BURY: where nothing but held cards could move, nothing ever will
            if self.at.rd == 0 or self.at.N & outside & ~(self.at.H if self.lemmas & BURY else 0) == 0:
                return False
            if not self.begin_pass():
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_pass(self) -> cython.bint:
        """Turn what is left of the stock and redeal; return whether that leads on, and not round."""
        self.turn_all()
        self.redeal()
        if not self.unlimited or self.replaying:
            return True
        return self.table.store(self.first_word(), self.held_word() | ONE << 36, 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_gap(self, outside: u64, stock: u64, top: u64) -> cython.bint:
        """Go on in a gap phase, the pivot empty until the next redeal; return whether to go on after."""
        card: u64 = first_of(self.at.N & self.at.T & ~self.at.H)
        gaps: cython.int = self.gaps()
        length: cython.Py_ssize_t = self.log.length
        if card != 0:  # HOLD: it goes now, or not before the pivot is next formed again
            self.push_held(card)
            self.play(card)
            return True
        if gaps > 0 and top != 0:  # the top of the waste fills a gap, or not: then the stock is turned
            self.note(FILL, lowest(top))
            self.at.T |= top  # if it can be played it was held, and is so further (BURY)
            self.push_child()
            self.at.T ^= top
            self.log.length = length
        if stock != 0:
            card = first_of(stock if gaps > 0 else self.at.N & ~self.at.H & stock)
            if card != 0:
                self.turn_to(card)
            else:
                self.turn_all()
            return True
        if self.at.rd != 0 and outside != 0:
            self.redeal()
            self.push_child()  # where passes repeat without end they meet here
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
        card: u64
        gaps: cython.int
        while True:
            if self.replaying and self.found >= 0:
                return False
            outside = self.outside()
            waste = outside & below(self.at.ptr)
            stock = outside ^ waste
            top = last_of(waste)
            card = first_of(self.at.N & (self.at.T | top | self.pivot_card()))
            if card != 0:
                self.play_at_end(card)
                if self.at.N == 0:
                    return True
                continue
            if self.unlimited and self.at.N & outside and self.lemmas & WHEEL:  # WHEEL: then it is the waste's top
                self.turn_round(self.at.N)
                continue
            gaps = 0 if self.at.P != 0 else self.gaps()
            if gaps > 0 and top != 0:
                if gaps >= count(outside) or (stock == 0 and self.at.rd == 0):
                    self.note(FILL, lowest(top))  # there is room for all, or nothing else to do
                    self.at.T |= top
                    continue
                self.push_fill(top)  # the one choice that is left; not to fill is followed here
            # With a gap every card that is turned is a question, without one only those that can be played
            card = first_of(stock if gaps > 0 else self.at.N & stock)
            if card != 0:
                self.turn_to(card)
                continue
            if self.at.rd == 0 or outside == 0 or (gaps == 0 and self.at.N & outside == 0):
                return False
            self.turn_all()
            self.note(REDEAL, 0)
            self.turn_over()  # without end each pass plays a card: with a gap every outside card is reached

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def play_at_end(self, card: u64) -> cython.void:
        """Play a card from wherever it lies, where nothing is formed again."""
        self.note(PLAY, lowest(card))
        self.put_up(card)
        if self.at.T & card:
            self.at.T ^= card
            if self.at.P != 0:
                self.fill_from_pivot()
        else:
            self.at.P &= ~card

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def push_fill(self, top: u64) -> cython.void:
        """Push the state in hand with the top of the waste in a gap, unless that was stored before."""
        length: cython.Py_ssize_t = self.log.length
        self.note(FILL, lowest(top))
        self.at.T |= top
        self.sight_stock()
        if self.replaying or self.table.store(self.first_word(), self.second_word() | ONE << 37, 0):
            self.push()
        self.at.T ^= top
        self.log.length = length
