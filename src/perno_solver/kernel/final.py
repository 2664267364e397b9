"""The engine for piles in final states, from which nothing forms the pivot again.

Turning is free, and the pivot is empty if it packs and the tableau does not. Lemmas, all in `docs/lemmas.md`: *play*,
*wheel*, *safe*, *undo*, *glue*, *pack*, *bound*, *dig*, *run*. In short: every play is right at once, so is a pack that
stands in the way of nothing, and of the other packs each is made now or held back until something happens that makes it
a question again.

Here T are the cards in the tableau, K the packed ones of them, P those in the pivot, O those on foundations, N the next
cards, H the held ones; the rest is outside.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import (
        BOUND,
        BURY,
        FILL,
        GLUE,
        ONE,
        PACK,
        PACK_HOLD,
        PLAY,
        REDEAL,
        RUN,
        SAFE,
        TURN,
        UNDO,
        WHEEL,
        highest,
        lowest,
        u64,
    )
    from perno_solver.kernel.bound import beyond_hope
    from perno_solver.kernel.plain import Plain
    from perno_solver.kernel.sets import below, first_of, last_of


@cython.cclass
class Final(Plain):
    """What the engine for piles does once nothing is formed again.

    A node says beside its state whether it is `final`, and which card was just `lifted` from another to an empty cell:
    0 if none was, else 1 + its place, + 64 if it was the first of a run of lifts.
    """

    # Moves and nodes with held cards

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_new(self) -> cython.bint:
        """Store the state in hand, held cards and all; return whether it is new, or a replay."""
        last: u64
        if self.replaying:
            return True
        last = highest(self.at.P) if self.at.P != 0 else 63
        # One word for K and O is enough: packed cards are in the tableau, the others are not
        last = self.at.K | self.at.O | last << 52 | cython.cast(u64, self.at.rd) << 58
        return self.table.store(self.first_word(), last, self.at.H)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def advance(self, kind: cython.int, place: cython.int) -> cython.void:
        """Make a legal move; what it moves, buries or covers, and what was to go on the card moved, is held no more."""
        T: u64 = self.at.T
        P: u64 = self.at.P
        self.make(kind, place)
        if kind >= PLAY:
            self.at.H &= ~(ONE << place)
        if kind == PACK:
            self.at.H &= ~self.after[place]
            if self.final or self.pack_tableau or self.fill_tableau:
                self.at.H &= ~self.before[place]
        if not self.final:
            self.release(kind, place, T, P)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def release(self, kind: cython.int, place: cython.int, T: u64, P: u64) -> cython.void:
        """After a move before final states, from tableau T and pivot P, end the holds that end there alone."""
        arrived: u64
        if kind == REDEAL:
            if P == 0:  # what is buried may fill a cell at once
                self.at.H &= self.outside()
            elif not self.lemmas & BURY:
                self.at.H &= self.at.T
        elif kind == PACK and not self.pack_tableau and P >> place & 1:
            self.at.H &= self.outside()  # HOLD: from the cell where it would lie, the card could not be packed
        self.at.H &= ~(self.at.P & ~P)  # BURY
        if self.fill_tableau:  # a card that is held can be packed now, and lifted again later
            arrived = self.at.T & ~T
            if kind == FILL:
                arrived |= ONE << place
            while arrived != 0:
                self.at.H &= ~self.before[lowest(arrived)]
                arrived &= arrived - 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_after(self, kind: cython.int, place: cython.int) -> cython.void:
        """Push what a move of the kept copy leads to, and take the copy in hand again."""
        self.advance(kind, place)
        self.push()
        self.take_back()

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self) -> cython.void:
        """Push what the moves in `can` lead to, one at least, but make the first of them at once."""
        kind: cython.int
        cards: u64
        first: cython.int = -1
        first_place: cython.int = 0
        place: cython.int
        i: cython.int
        self.keep()
        for i in range(5):
            kind = 0x24301 >> 4 * i & 15  # redeal, turn, fill, pack, play: the last is the first to be made
            cards = self.can[kind]
            while cards != 0:
                place = highest(cards)
                cards ^= ONE << place
                if first >= 0:
                    self.push_after(first, first_place)
                first = kind
                first_place = place
        self.advance(first, first_place)

    # Safe packs

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_safe(self, place: cython.int) -> cython.bint:
        """Whether packing a card that can be packed is right whatever comes (SAFE)."""
        under: cython.int = lowest(self.after[place])
        waiting: cython.int = self.step_at[place] - (self.at.F >> 4 * self.suit_at[place] & 15)
        if self.pile_height(self.at.K, under) + waiting > self.pack_limit:
            return False  # (1) the cards of the suit before it would not all fit on top
        if self.at.K >> under & 1:
            # (2) holds; (3) the card that it is packed on could be lifted, unless the tableau fills no cells
            if not self.fill_tableau:
                return True
            if (self.at.P == 0 and not self.lemmas & GLUE) or waiting > 2:
                return False
            return self.at.T >> place & 1
        return not self.pack_tableau or self.step_at[under] == 12  # (2) that card might be packed elsewhere

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_safe(self, cards: u64) -> u64:
        """Return the first of some cards that is packed safely, none if none is."""
        if self.lemmas & SAFE:
            while cards != 0:
                if self.is_safe(lowest(cards)):
                    return first_of(cards)
                cards &= cards - 1
        return 0

    # Expanding

    # Long, as it is the order of the lemmas from top to bottom
    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_final(self) -> cython.bint:
        """Expand a node from which nothing is formed again; return whether the game is won."""
        outside: u64
        waste: u64
        stock: u64
        top: u64
        cards: u64
        card: u64
        tops: u64
        packs: u64  # cards that fit on a pile
        self.final = True
        while True:
            if self.replaying and self.found >= 0:
                return False
            if self.at.N == 0:
                return True
            outside = self.outside()
            waste = outside & below(self.at.ptr)
            stock = outside ^ waste
            top = last_of(waste)
            cards = self.at.N & (self.at.T | top | self.pivot_card())
            if cards != 0:  # PLAY: nothing is formed again, so a card more or less in the pivot harms no line
                self.advance(PLAY, lowest(cards))
                continue
            if self.unlimited and self.at.N & outside and self.lemmas & WHEEL:  # WHEEL: then it is the waste's top
                self.turn_round(self.at.N)
                continue
            # PACK_HOLD: a pack that is declined is declined for good only where no card is lifted to and fro
            if not self.lemmas & PACK_HOLD or (self.at.P == 0 and self.fill_tableau):
                self.at.H = 0
                if not self.choose():
                    return False
                continue
            tops = self.tops()
            packs = self.packable(tops)
            cards = packs & self.may_pack(tops, top)
            card = self.first_safe(cards)
            if card != 0:  # SAFE: no line needs its neighbour bare
                if self.at.H & card:
                    return False  # PACK_HOLD: the line that packed it when it was declined is better
                self.advance(PACK, lowest(card))
                continue
            cards = first_of(cards & ~self.at.H)
            if cards != 0:  # PACK_HOLD: it is packed now, or not before something releases it
                # BOUND, but not on the first dive, where it can only be in the way
                if (
                    self.lemmas & BOUND
                    and self.at.P != 0
                    and not self.dive
                    and not self.replaying
                    and beyond_hope(self)
                ):
                    return False
                if not self.is_new() or self.is_dug_in():  # DIG
                    return False
                self.keep()
                self.at.H |= cards
                self.push()
                self.take_back()
                self.advance(PACK, lowest(cards))
                continue
            # With the packs asked about, a gap is filled by the top of the waste now, or by a card further on
            if self.at.P == 0 and self.gaps() > 0:
                if not self.fill_or_turn(top, stock):
                    return False
                continue
            # Nothing is left to ask, so turning matters only where it shows a card that can be played or packed
            cards = self.at.N | (packs if self.pack_waste else 0)
            if cards & stock:
                self.turn_to(first_of(cards & stock))
                self.sight_stock()
                continue
            if self.at.rd == 0 or cards & outside == 0:
                return False
            self.turn_all()
            if self.unlimited and not self.is_new():  # where passes repeat without end they meet here
                return False
            self.advance(REDEAL, 0)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_pack(self, tops: u64, top: u64) -> u64:
        """Return the cards that may be packed from where they lie: top cards of cells, of the waste, of the pivot."""
        cards: u64 = tops if self.pack_tableau else 0
        if self.pack_waste:
            cards |= top
        if self.pack_pivot:
            cards |= self.pivot_card()
        return cards

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_or_turn(self, top: u64, stock: u64) -> cython.bint:
        """Where there is a gap and no pack to ask about, fill it, or turn first; return whether that leads on."""
        if top == 0:
            self.advance(TURN, 0)  # were no card outside, one of the tableau could be played
            return True
        if not self.is_new():
            return False
        self.keep()
        if stock != 0:
            self.push_after(TURN, 0)
        elif self.at.rd != 0:
            self.push_after(REDEAL, 0)
        self.advance(FILL, lowest(top))
        return True

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.bint:
        """Go on where nothing is formed again and nothing is held; return whether there is a state in hand to go on."""
        moves: cython.int = self.find_moves()
        lifts: u64 = self.can[FILL] & self.at.T
        card: u64 = 0
        if moves == 0:
            return False
        if self.lemmas & UNDO and self.lemmas & GLUE and self.at.P == 0 and self.fill_tableau:
            card = first_of(self.can[PACK] & self.at.T)  # UNDO: a single card that can be packed
        if card == 0:
            card = self.first_safe(self.can[PACK])
        if card != 0:
            self.advance(PACK, lowest(card))
            return True
        # RUN: with one move, it is made. A redeal or a lift could go round, so there the state is stored all the same
        if moves > 1 or not self.lemmas & RUN or self.can[REDEAL] != 0 or lifts != 0:
            if not self.is_new() or self.is_dug_in():  # DIG
                return False
            self.can[FILL] ^= lifts
            self.push_lifts(lifts)
        self.branch()  # where a card can be lifted, the waste can fill too, or there is a stock to turn
        return True

    # Lifting packed cards to empty cells

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_lifts(self, cards: u64) -> cython.void:
        """Push what moving packed cards to an empty cell leads to (GLUE: a move follows that it makes possible)."""
        place: cython.int
        self.keep()
        while cards != 0:
            place = highest(cards)
            cards ^= ONE << place
            if self.lemmas & GLUE:
                self.lifted = 64 + place + 1
            self.push_after(FILL, place)
            self.lifted = 0

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_lifted(self) -> cython.bint:
        """Expand a node at which a packed card was just lifted: pack what that allows, or lift on (GLUE)."""
        waste: u64 = self.outside() & below(self.at.ptr)
        tops: u64 = self.tops()
        is_first: cython.bint = self.lifted > 64
        place: cython.int = (self.lifted & 63) - 1
        under: u64 = self.after[place]  # the card that it lay on
        over: u64 = self.before[place]  # the card that may be packed on it
        cards: u64
        self.lifted = 0
        self.keep()
        # GLUE: a lift is for uncovering a card that is then packed or lifted itself, or for making room
        if self.gaps() > 0:
            if is_first and over & self.at.T & ~(self.at.K | tops):  # single but covered: uncover it from the top
                cards = over
                while cards & ~tops:
                    cards = self.before[lowest(cards)]
                self.lifted = lowest(cards) + 1
                self.push_after(FILL, lowest(cards))
            if under & self.at.K:
                self.lifted = lowest(under) + 1
                self.push_after(FILL, lowest(under))
            self.lifted = 0
        cards = tops & ~self.at.K if self.pack_tableau else 0
        if self.pack_waste:
            cards |= last_of(waste)
        cards &= self.packable(tops)
        if cards & over:  # the card before it goes on it, which lies lower now
            self.push_after(PACK, lowest(over))
        if cards & under:  # the card that it lay on, single now, goes where it could not before
            self.push_after(PACK, lowest(under))
        return False
