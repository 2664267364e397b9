"""The engine for piles: packing, turning free.

In final states it is what `final` says; but where the pivot packs and the tableau does not, only once the pivot is
empty. Before that it uses *greedy* or *bound*, *pile*, *hold*, *bury*, *last* and *dig*; see `docs/lemmas.md`.

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
        BOUND,
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
        lowest,
        u64,
    )
    from perno_solver.kernel.bound import beyond_hope
    from perno_solver.kernel.final import Final
    from perno_solver.kernel.sets import below, first_of, last_of, many


@cython.final
@cython.cclass
class Piles(Final):
    """Searches games in which cells hold piles.

    A node says beside its state whether the greedy run is known to exhaust the pivot from there, or *bound* to find
    nothing, as for its parent (`exhausts`).
    """

    rigid: cython.bint  # cards of the tableau only go to foundations
    pivot_only: cython.bint  # cards are packed from the pivot, and not from the tableau
    runs: cython.bint  # the greedy run says whether the pivot can be exhausted; else *bound* does
    runs_on: cython.bint  # the greedy run goes on to the end

    def __init__(self, rules, lemmas):
        super().__init__(rules, lemmas)
        self.rigid = not (self.pack_tableau or self.fill_tableau)
        self.pivot_only = self.pack_pivot and not self.pack_tableau
        self.runs = not self.pack_tableau and not (self.pack_pivot and self.pivot_open)
        self.runs_on = self.pack_limit >= 13 and self.rigid and not self.pack_pivot

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
        return self.expand_forming()

    # The greedy run

    # Long, as each of its steps changes most of what it keeps in hand
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy(self, packs: u64) -> cython.int:
        """Play and pack, all but held outside cards, as early as possible (GREEDY).

        The cards that go on one of the tableau are given. Returns 1 if that wins, 0 if the state is lost, and -1 if the
        pivot is exhausted.
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
        pivot: u64
        card: u64
        ptr: cython.int = self.at.ptr
        rd: cython.int = self.at.rd
        gaps: cython.int = 0
        while True:
            waste = outside & below(ptr)
            stock = outside ^ waste
            top = last_of(waste)
            pivot = last_of(P) if self.pivot_open or not many(P) else 0
            card = first_of(N & (T | top & free | pivot))
            if pivot & packs and self.pack_pivot:  # its last card may go, which is a trigger as well
                return -1
            if card != 0:
                if card & (P | T & ~K):  # off the bottom of a cell, or from the pivot: a card less in the pivot
                    # The first trigger, up to which GREEDY speaks, unless it holds *to the end*
                    if P != 0 and not many(P) and (not self.runs_on or (outside != 0 and (rd != 0 or stock != 0))):
                        return -1
                    if P & card:
                        P ^= card
                    elif P != 0:
                        top = last_of(P)
                        P ^= top
                        T |= top
                        packs |= self.before[lowest(top)]
                        if self.fill_tableau:
                            free |= self.before[lowest(top)]  # no longer held: see BURY
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
            card = top & free & packs if self.pack_waste else 0  # it plays first, packs next
            if card != 0 or (gaps > 0 and top != 0):
                if card != 0:
                    self.note(PACK, lowest(top))
                    K |= top
                else:  # *To the end*: it fills last
                    self.note(FILL, lowest(top))
                    gaps -= 1
                T |= top
                outside ^= top
                if self.has_room(K, lowest(top)):
                    packs |= self.before[lowest(top)]
                if self.fill_tableau:
                    free |= self.before[lowest(top)]
                continue
            # Now only a turn to a card that can be played or packed changes anything, in this pass or in another
            card = (N | (packs if self.pack_waste else 0)) & free & outside
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_out_of_reach(self) -> cython.bint:
        """Whether even under easier rules the pivot cannot be emptied (BOUND), on all dives but the first.

        Before final states it is only what is held outside that lasts up to the next trigger.
        """
        held: u64 = self.at.H
        lost: cython.bint
        if self.dive or self.replaying or not self.lemmas & BOUND:
            return False
        self.at.H &= self.outside() if self.lemmas & BURY else 0
        lost = beyond_hope(self)
        self.at.H = held
        return lost

    # What may be moved, and what stays

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def loose(self, packs: u64) -> u64:
        """Return the cards of tableau and pivot that can be packed, among those that go on one of the tableau."""
        cards: u64 = packs & self.at.T & ~self.at.K if self.pack_tableau else 0
        packed: u64 = self.at.K
        while cards != 0 and packed != 0:
            cards &= ~self.after[lowest(packed)]
            packed &= packed - 1
        if self.pack_pivot:
            cards |= packs & self.pivot_card()
        # Where the tableau does not fill, a next card that is packed is played at once (PILE), so it is not packed
        return cards if self.fill_tableau else cards & ~self.at.N

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settled(self) -> u64:
        """Return the cards whose neighbour stays in the tableau up to its own play (LAST), and all if all do."""
        cards: u64 = self.at.T
        found: u64 = 0
        place: cython.int
        if self.rigid:
            return ALL
        if self.pack_tableau and self.fill_tableau:
            return 0
        while cards != 0:
            place = lowest(cards)
            cards &= cards - 1
            if self.after[place] == 0 or (self.at.K >> place & 1 != 0) == self.pack_tableau:
                found |= self.before[place]
        return found

    # Expanding

    # Long, as it is the order of the lemmas from top to bottom
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_forming(self) -> cython.bint:
        """Expand a node from which the pivot may be formed again, or where it packs and the tableau does not."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        tableau: u64 = 0
        packed: u64 = 0
        fits: u64 = 0  # cards that go on one of the tableau, for that tableau
        packs: u64  # those that may be packed from the waste
        wanted: u64  # cards that could leave the outside
        plays: u64
        loose: u64  # cards of tableau and pivot that can be packed
        triggers: u64
        single: u64  # the card of tableau or pivot that is asked about
        last: cython.bint
        verdict: cython.int
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.at.N == 0:
                return True
            outside = self.outside()
            waste = outside & below(self.at.ptr)
            stock = outside ^ waste
            # Final states have lemmas of their own; PLAY, on which they rest, needs that not the pivot alone packs
            if not self.may_reform() and not (self.pivot_only and self.at.P != 0):
                return self.expand_formed(outside, stock)
            # PILE: off a pile, a play opens no cell, so nothing else notices when it is made
            if self.at.N & self.at.K and self.lemmas & PILE and not self.fill_tableau:
                self.advance(PLAY, lowest(self.at.N & self.at.K))
                continue
            top = last_of(waste)
            # In a gap phase fills are a choice beside all others, and only what BURY holds may be left out
            if self.at.P == 0:
                if not self.expand_gap(outside, top):
                    return False
                continue
            last = self.at.rd == 0 and self.lemmas & LAST != 0
            # BURY with LAST: a held card could have been moved when it was declined, and can be buried no more
            if last and self.lemmas & BURY and self.at.H & waste & (self.at.N | self.settled()):
                return False
            if last and self.at.N & top:  # LAST: to wait with it was of use only if it were buried
                self.advance(PLAY, lowest(top))
                continue
            if self.at.T != tableau or self.at.K != packed:
                tableau, packed = self.at.T, self.at.K
                fits = self.neighbours()
            plays = self.at.N & (self.at.T | self.pivot_card())
            loose = self.loose(fits) if self.pack_tableau or self.pack_pivot else 0
            if many(self.at.P):  # HOLD: one card after the other is asked about, plays first
                triggers = 0
                single = (plays | loose) & ~self.at.H
                single = first_of(single & plays if single & plays else single)
            else:  # what opens a cell, or takes the pivot's last card, exhausts it; only plays off piles do not
                triggers = plays & ~self.at.K | loose
                single = first_of(plays & self.at.K & ~self.at.H)
            packs = fits if self.pack_waste else 0
            wanted = self.at.N | packs
            # LAST, once no single card is asked about: on a neighbour that stays the card is as good as anywhere
            if last and single == 0 and top & packs & self.settled():
                self.advance(PACK, lowest(top))
                continue
            if single != 0 or not top & wanted or self.at.H & top:
                top = 0  # BURY asks about it later, or it was declined
            # No question is open, so a turn matters only where it shows a card that opens one
            if single == 0 and top == 0 and triggers == 0:
                if not self.turn_on(outside, stock, wanted, last):
                    return False
                continue
            # A state is stored where there is a choice, and nowhere else: what is forced leads here again
            if not self.is_new():
                return False
            if not self.exhausts:  # DIG, GREEDY or BOUND, unless the parent's answer still stands
                verdict = self.first_verdict(fits)
                if verdict >= 0:
                    return verdict > 0
            self.keep()
            if single != 0:
                self.ask_single(single, loose)
            elif top != 0:
                self.ask_top(top, packs)
            else:
                self.pull(triggers, loose, outside, stock)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_formed(self, outside: u64, stock: u64) -> cython.bint:
        """Expand a node whose state is final now; return whether the game is won."""
        self.at.H = 0
        if (
            self.runs_on
            and self.lemmas & GREEDY
            and self.at.P != 0
            and stock == 0
            and (outside == 0 or self.at.rd == 0)
        ):
            return self.greedy(self.neighbours()) > 0  # it plays, packs and fills to the end
        if not self.lemmas & PLAY_FIRST:
            return self.expand_plain()
        return self.expand_final()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_gap(self, outside: u64, top: u64) -> cython.bint:
        """Go on in a gap phase, searched plainly but for DIG and what BURY holds back; return whether to go on."""
        self.at.H &= outside if self.lemmas & BURY else 0
        if not self.is_new() or self.is_dug_in():
            return False
        self.find_moves()
        self.can[PLAY] &= ~(self.at.H & top)
        self.can[PACK] &= ~self.at.H
        self.exhausts = False
        self.branch()  # a turn or a redeal is always left here, or nothing could be formed again
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_verdict(self, packs: u64) -> cython.int:
        """Ask DIG, and GREEDY or BOUND: 1 if the state is won, 0 if it is lost, -1 if it must be searched.

        The cards that go on one of the tableau are given.
        """
        length: cython.Py_ssize_t = self.log.length
        verdict: cython.int = -1
        if self.is_dug_in():
            return 0
        if not self.runs:
            return 0 if self.is_out_of_reach() else -1
        if self.lemmas & GREEDY:
            verdict = self.greedy(packs)
            if verdict < 0:
                self.log.length = length
        return verdict

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_on(self, outside: u64, stock: u64, wanted: u64, last: cython.bint) -> cython.bint:
        """Turn to the next card that can be played or packed, as no other matters; return whether that leads on."""
        cards: u64 = first_of(stock & wanted & ~(0 if last and self.rigid else self.at.H))
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
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def ask_single(self, card: u64, loose: u64) -> cython.void:
        """Ask about a single card, or the top of an open pivot: moved now, or held until the next trigger (HOLD)."""
        self.exhausts = self.runs or not self.dive  # neither run nor bound minds what is held in the tableau
        self.at.H |= card
        self.push()
        self.take_back()
        self.exhausts = self.runs
        if not self.at.N & card:
            self.advance(PACK, lowest(card))
            return
        if loose & card:  # packed, it may be lifted and be a trigger later
            self.push_after(PACK, lowest(card))
        self.advance(PLAY, lowest(card))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def ask_top(self, top: u64, packs: u64) -> cython.void:
        """Ask about the top of the waste: played or packed now, or held until it is buried (BURY)."""
        self.exhausts = False
        self.at.H |= top
        self.push()
        self.take_back()
        self.exhausts = self.runs
        if not self.at.N & top:
            self.advance(PACK, lowest(top))
            return
        if self.fill_tableau and packs & top:  # packed, it may be lifted and be a trigger later
            self.push_after(PACK, lowest(top))
        self.advance(PLAY, lowest(top))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pull(self, triggers: u64, loose: u64, outside: u64, stock: u64) -> cython.void:
        """With one card in the pivot, push what waiting and each trigger but the first lead to, and make that.

        Holds on cards of the tableau end with it (HOLD).
        """
        if stock != 0:
            self.push_after(TURN, 0)
        elif self.at.rd != 0 and outside != 0:
            self.push_after(REDEAL, 0)
        self.at.H &= outside
        self.keep()
        self.exhausts = False
        while many(triggers):
            self.push_trigger(last_of(triggers), loose)
            triggers ^= last_of(triggers)
        if self.at.N & loose & triggers:
            self.push_after(PACK, lowest(triggers))
        self.advance(PLAY if self.at.N & triggers else PACK, lowest(triggers))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_trigger(self, card: u64, loose: u64) -> cython.void:
        """Push what a trigger leads to: a play or a pack, or both where a next card may be packed."""
        if self.at.N & loose & card:
            self.push_after(PACK, lowest(card))
        self.push_after(PLAY if self.at.N & card else PACK, lowest(card))
