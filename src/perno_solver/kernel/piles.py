"""The engine for piles: packing, or an open pivot; turning is free, the pivot packs only if the tableau does.

In final states it is what `final` says. While the pivot may be formed again, and only the waste packs, without a limit,
only the waste fills, and the pivot is not open, it uses *greedy*, *pile*, *hold*, *bury* and *last*, all of them in
`docs/lemmas.md`; else it searches plainly until states are final.

Here T are the cards in the tableau, K the packed ones of them, P those in the pivot, O those on foundations, N the next
cards, H the held ones; the rest is outside.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        ALL,
        BURY,
        FILL,
        GREEDY,
        LAST,
        PACK,
        PILE,
        PLAY,
        PLAY_FIRST,
        REDEAL,
        TURN,
        highest,
        lowest,
        u64,
    )
    from perno_solver.kernel.final import Final
    from perno_solver.kernel.sets import below, first_of, last_of, many


@cython.final
@cython.cclass
class Piles(Final):
    """Searches games in which cells hold piles.

    A node says beside its state whether the greedy run `exhausts` the pivot from there, as it did from its parent.
    """

    holds: cython.bint  # whether holds are asked about while the pivot may be formed again

    def __init__(self, rules, lemmas):
        super().__init__(rules, lemmas)
        self.holds = (
            self.packs
            and not (self.pivot_open or self.pack_pivot or self.pack_tableau or self.fill_tableau)
            and self.pack_limit >= 13
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prepare(self) -> cython.bint:
        """Get the state in hand ready for a search."""
        self.limit_redeals()
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self) -> cython.bint:
        """Expand the node in hand; return whether the game is won."""
        if self.lifted != 0:
            return self.expand_lifted()
        if self.final:
            return self.expand_final()
        if self.holds:
            return self.expand_forming()
        if self.lemmas & PLAY_FIRST and not self.may_reform():
            return self.expand_final()
        return self.expand_plain()

    # The greedy run

    # Long, as each of its steps changes most of what it keeps in hand
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy(self, packs: u64) -> cython.int:
        """Play and pack, all but held outside cards, as early as possible (GREEDY).

        The cards that go on one of the tableau are given. Returns 1 if that wins, 0 if the state is lost, and -1 if the
        pivot is exhausted and may be formed again.
        """
        T: u64 = self.at.T
        P: u64 = self.at.P
        K: u64 = self.at.K
        N: u64 = self.at.N
        outside: u64 = self.outside()
        free: u64 = ~(self.at.H & outside) if self.lemmas & BURY else ALL
        waste: u64
        stock: u64
        top: u64
        card: u64
        ptr: cython.int = self.at.ptr
        rd: cython.int = self.at.rd
        gaps: cython.int = 0
        while True:
            waste = outside & below(ptr)
            stock = outside ^ waste
            top = last_of(waste)
            card = first_of(N & (T | top & free | (0 if many(P) else P)))
            if card != 0:
                if card & (P | T & ~K):  # off the bottom of a cell, or the last of the pivot
                    if P != 0 and not many(P) and outside != 0 and (rd != 0 or stock != 0):
                        return -1
                    if P & card:
                        P = 0
                    elif P != 0:
                        top = last_of(P)
                        P ^= top
                        T |= top
                        packs |= self.before[lowest(top)]
                    else:
                        gaps += 1
                T &= ~card
                K &= ~card
                outside &= ~card
                N ^= card | self.after[lowest(card)]
                self.note(PLAY, lowest(card))
                if N == 0:
                    return 1
                continue
            if top & free & packs or (gaps > 0 and top != 0):
                if top & free & packs:
                    self.note(PACK, lowest(top))
                    K |= top
                else:  # *To the end*: it fills last
                    self.note(FILL, lowest(top))
                    gaps -= 1
                T |= top
                outside ^= top
                packs |= self.before[lowest(top)]
                continue
            card = (N | packs) & free & outside
            if card & stock:
                card = first_of(card & stock)
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

    # Expanding

    # Long, as it is the order of the lemmas from top to bottom
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_forming(self) -> cython.bint:
        """Expand a node from which the pivot may be formed again, where only the waste packs, and without a limit."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        packs: u64  # cards that go on one of the tableau
        wanted: u64
        triggers: u64
        single: u64  # a next card in the tableau
        last: cython.bint
        verdict: cython.int
        length: cython.Py_ssize_t
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.at.N == 0:
                return True
            outside = self.outside()
            waste = outside & below(self.at.ptr)
            stock = outside ^ waste
            if not self.may_reform():
                return self.expand_formed(outside, stock)
            if self.lemmas & PILE and self.at.N & self.at.K:
                self.advance(PLAY, lowest(self.at.N & self.at.K))
                continue
            top = last_of(waste)
            if self.at.P == 0:
                # A gap phase, which is searched plainly, but for what BURY holds back
                self.at.H &= outside if self.lemmas & BURY else 0
                if not self.is_new():
                    return False
                self.find_moves()
                self.can[PLAY] &= ~(self.at.H & top)
                self.can[PACK] &= ~self.at.H
                self.exhausts = False
                self.branch()  # a turn or a redeal is always left here, or nothing could be formed again
                continue
            last = self.at.rd == 0 and self.lemmas & LAST != 0
            if last and self.at.H & top and self.lemmas & BURY:
                return False  # it cannot be buried any more
            if last and self.at.N & top:  # LAST
                self.advance(PLAY, lowest(top))
                continue
            packs = self.neighbours()
            wanted = self.at.N | packs
            if many(self.at.P):
                triggers = 0
                single = first_of(self.at.N & self.at.T & ~self.at.H)
            else:
                triggers = self.at.N & (self.at.T | self.at.P)
                single = 0
            if last and single == 0 and top & packs:  # LAST
                self.advance(PACK, lowest(top))
                continue
            if single != 0 or not top & wanted or self.at.H & top:
                top = 0  # not asked about now
            if single == 0 and top == 0 and triggers == 0:
                if not self.turn_on(outside, stock, wanted, last):
                    return False
                continue
            if not self.is_new():
                return False
            if self.lemmas & GREEDY and not self.exhausts:
                length = self.log.length
                verdict = self.greedy(packs)
                if verdict >= 0:
                    return verdict > 0
                self.log.length = length
            self.keep()
            if single != 0:  # HOLD: it is played now, or not before the next trigger
                self.exhausts = True  # the greedy run may play held cards of the tableau, so it is the same for both
                self.at.H |= single
                self.push()
                self.take_back()
                self.advance(PLAY, lowest(single))
                continue
            if top != 0:
                self.push_or_take(top, triggers)
            else:  # what is left is to wait, and one of these is, as the state is not final
                self.push_after(TURN if stock != 0 else REDEAL, 0)
            if triggers != 0:
                self.pull(triggers)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_formed(self, outside: u64, stock: u64) -> cython.bint:
        """Expand a node whose state is final now; return whether the game is won."""
        self.at.H = 0
        if self.lemmas & GREEDY and self.at.P != 0 and stock == 0 and (outside == 0 or self.at.rd == 0):
            return self.greedy(self.neighbours()) > 0  # it plays, packs and fills to the end
        if not self.lemmas & PLAY_FIRST:
            return self.expand_plain()
        return self.expand_final()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_on(self, outside: u64, stock: u64, wanted: u64, last: cython.bint) -> cython.bint:
        """Turn to the next card that can be played or packed, as no other matters; return whether that leads on."""
        cards: u64 = first_of(stock & wanted & ~(0 if last else self.at.H))
        if cards != 0:
            self.turn_to(cards)
            self.sight_stock()
            return True
        if self.at.rd == 0 or outside & wanted & ~(self.at.H if self.lemmas & BURY else 0) == 0:
            return False
        self.turn_all()
        if self.unlimited and not self.is_new():  # where passes repeat without end they meet here
            return False
        self.advance(REDEAL, 0)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_or_take(self, top: u64, triggers: u64) -> cython.void:
        """Ask about the top of the waste: played or packed now, or held until it is buried (BURY).

        Where there are triggers, both are pushed and the kept copy is in hand again; else the first is in hand.
        """
        self.exhausts = False
        self.at.H |= top
        self.push()
        self.take_back()
        self.exhausts = True
        self.advance(PLAY if top & self.at.N else PACK, lowest(top))
        if triggers != 0:
            self.push()
            self.take_back()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pull(self, triggers: u64) -> cython.void:
        """Push what each trigger but the first leads to, and make that; holds on the tableau end with it (HOLD)."""
        self.at.H &= ~self.at.T
        self.keep()
        self.exhausts = False
        while many(triggers):
            self.push_after(PLAY, highest(triggers))
            triggers ^= last_of(triggers)
        self.advance(PLAY, lowest(triggers))
