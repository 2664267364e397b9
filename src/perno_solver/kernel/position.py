"""A game under its rules, and one state of it in hand, on which moves are made; for the letters see `bits`."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import ALL, FILL, ONE, PACK, PLAY, REDEAL, TURN, State, count, highest, lowest, u64
    from perno_solver.kernel.sets import below, first_ten, last_of, many


@cython.cclass
class Position:
    """A game, and a state of it in hand.

    Args:
        rules: the pivot's size; how many stock cards an empty pivot waits for (0 never, 1, or 10); whether the pivot is
            open; redeals; whether these are unlimited; whether foundations are built up; whether cards are packed from
            waste, pivot and tableau; the most cards of a pile; whether cells are filled from the tableau too; whether
            turning waits until nothing can go to a foundation.
    """

    pivot_size: cython.int
    reform_at: cython.int
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
    packs: cython.bint
    # The deck, by place
    card_at: cython.uchar[52]
    where: cython.uchar[52]  # the place of a card, by its index
    suit_at: cython.uchar[52]
    step_at: cython.uchar[52]  # how many cards of its suit go to the foundation before it
    before: u64[52]  # the card that its foundation needs just before, which is the one to lie on it
    after: u64[52]  # the card that its foundation needs just after it, its neighbour, on which it is packed
    place_of: cython.uchar[52]  # at 13 * suit + step
    run_of: u64[56]  # the first n cards of a suit, at 14 * suit + n; of none, no card, from the start on
    # The state in hand
    at: State
    can: u64[5]  # what `find_moves` finds, by kind of move

    def __init__(self, rules):
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
        if not self.packs:  # then no cell has two cards, the upper of which might fill another
            self.pack_waste = self.pack_pivot = self.pack_tableau = self.fill_tableau = False
        if not cython.compiled:
            self.card_at, self.where, self.suit_at, self.step_at, self.place_of = ([0] * 52 for _ in range(5))
            self.after, self.before = [0] * 52, [0] * 52
            self.run_of, self.can = [0] * 56, [0] * 5
            self.at = State()

    # How a game begins

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

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number_cards(self, base: cython.int) -> cython.void:
        """Fill what is known by place for the deck in `card_at` and a base rank, 0–12."""
        i: cython.int
        suit: cython.int
        step: cython.int
        rank: cython.int
        place: cython.int
        card: u64
        previous: u64
        run: u64
        under: cython.int = 0
        for i in range(52):
            self.where[self.card_at[i]] = i
        for suit in range(4):
            rank = base
            run = previous = 0
            for step in range(13):
                place = self.where[13 * suit + rank]
                card = ONE << place
                self.suit_at[place] = suit
                self.step_at[place] = step
                self.place_of[13 * suit + step] = place
                self.before[place] = previous
                if step > 0:
                    self.after[under] = card
                run |= card
                self.run_of[14 * suit + step + 1] = run
                previous = card
                under = place
                rank += 1 if self.builds_up else 12
                if rank >= 13:
                    rank -= 13
            self.after[under] = 0

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_out(self) -> cython.void:
        """Make the start of the deal in `card_at` the state in hand."""
        suit: cython.int
        base_place: cython.int = self.pivot_size + 8
        self.number_cards(self.card_at[base_place] % 13)
        self.at.P = below(self.pivot_size)
        self.at.T = below(base_place) ^ self.at.P
        self.at.O = ONE << base_place
        self.at.K = self.at.H = 0
        self.at.F = ONE << 4 * self.suit_at[base_place]
        self.at.N = self.after[base_place]
        for suit in range(4):
            if suit != self.suit_at[base_place]:
                self.at.N |= ONE << self.place_of[13 * suit]
        self.at.ptr = base_place + 1
        self.at.rd = 0 if self.unlimited else self.redeals

    # Keys

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def unpack(self, a: u64, b: u64, c: u64) -> cython.void:
        """Make the state of a `codec` key the state in hand."""
        suit: cython.int
        n: cython.int
        self.at.T = a & ALL
        self.at.K = c
        self.at.F = b & 0xFFFF
        self.at.ptr = (a >> 52) & 63
        self.at.rd = b >> 22
        self.at.H = self.at.O = self.at.N = self.at.P = 0
        for suit in range(4):
            n = (self.at.F >> 4 * suit) & 15
            self.at.O |= self.run_of[14 * suit + n]
            if n < 13:
                self.at.N |= ONE << self.place_of[13 * suit + n]
        if a >> 58 != 63:
            self.at.P = (below((b >> 16 & 63) + 1) ^ below(a >> 58)) & ~(self.at.T | self.at.O)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def first_word(self) -> u64:
        """Return the first word of the key of the state in hand, whose `ptr` must be the next stock card's place."""
        first: u64 = lowest(self.at.P) if self.at.P != 0 else 63
        return self.at.T | cython.cast(u64, self.at.ptr) << 52 | first << 58

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def second_word(self) -> u64:
        """Return the second word of the key of the state in hand."""
        last: u64 = highest(self.at.P) if self.at.P != 0 else 63
        return self.at.F | last << 16 | cython.cast(u64, self.at.rd) << 22

    # What there is to see

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def outside(self) -> u64:
        """Return the cards of stock and waste."""
        return ALL & ~(self.at.T | self.at.P | self.at.O)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def stock(self) -> u64:
        """Return the cards of the stock."""
        return self.outside() & ~below(self.at.ptr)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def pivot_card(self) -> u64:
        """Return the card of the pivot that may be moved: its top if it is open, its last card if not; or none."""
        return 0 if many(self.at.P) and not self.pivot_open else last_of(self.at.P)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def gaps(self) -> cython.int:
        """Return how many cells are empty."""
        return 8 - count(self.at.T ^ self.at.K)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def tops(self) -> u64:
        """Return the top cards of the cells."""
        packed: u64 = self.at.K
        covered: u64 = 0
        while packed != 0:
            covered |= self.after[lowest(packed)]
            packed &= packed - 1
        return self.at.T & ~covered

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def neighbours(self) -> u64:
        """Return the cards, wherever they lie, that go on a card of the tableau and for which the limit leaves room."""
        cards: u64 = self.at.T
        found: u64 = 0
        while cards != 0:
            found |= self.before[lowest(cards)]
            cards &= cards - 1
        if self.pack_limit >= 13:
            return found
        cards = self.at.K
        while cards != 0:
            if not self.has_room(self.at.K, lowest(cards)):
                found &= ~self.before[lowest(cards)]
            cards &= cards - 1
        return found

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def pile_height(self, packed: u64, place: cython.int) -> cython.int:
        """Return how many cards lie in a tableau card's cell up to it, if those are the packed ones."""
        height: cython.int = 1
        while packed >> place & 1:
            place = lowest(self.after[place])
            height += 1
        return height

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def has_room(self, packed: u64, place: cython.int) -> cython.bint:
        """Whether the limit allows a card on one of the tableau, if those are the packed ones."""
        if not packed >> place & 1 or self.pack_limit >= 13:
            return True
        return self.pile_height(packed, place) < self.pack_limit

    @cython.final
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
            if self.before[place] & ~self.at.O and self.has_room(self.at.K, place):
                cards |= self.before[place]
        return cards

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_reform(self) -> cython.bint:
        """Whether the pivot may be formed again from here on: if not, the state is final.

        What may still be stock gets only fewer.
        """
        cards: u64 = self.outside()
        if self.reform_at == 0:
            return False
        if self.at.rd == 0 and not self.unlimited:
            cards &= ~below(self.at.ptr)
        return count(cards) >= self.reform_at

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_moves(self) -> cython.int:
        """Fill `can` with the cards that may make each kind of move; return the number of legal moves.

        For a turn or a redeal, which move no card in particular, one bit says that it is legal.
        """
        outside: u64 = self.outside()
        waste: u64 = outside & below(self.at.ptr)
        top: u64 = last_of(waste)
        pivot: u64 = self.pivot_card()
        tops: u64 = 0
        self.can[PLAY] = self.at.N & (top | pivot | self.at.T)  # never covered: what covers a card goes before it
        self.can[PACK] = self.can[FILL] = self.can[TURN] = self.can[REDEAL] = 0
        if self.packs:
            self.can[PACK] = top if self.pack_waste else 0
            if self.pack_pivot:
                self.can[PACK] |= pivot
            tops = self.tops()
            if self.pack_tableau:
                self.can[PACK] |= tops & ~self.at.K
            self.can[PACK] &= self.packable(tops)
        if self.at.P == 0 and self.gaps() > 0:
            self.can[FILL] = top | (tops & self.at.K if self.fill_tableau else 0)
        if not self.obliged or self.can[PLAY] == 0:
            if outside != waste:
                self.can[TURN] = 1
            elif waste != 0 and (self.unlimited or self.at.rd != 0):
                self.can[REDEAL] = 1
        cards: cython.int = count(self.can[PLAY])
        if self.can[PACK] | self.can[FILL] != 0:
            cards += count(self.can[PACK]) + count(self.can[FILL])
        return cards + cython.cast(cython.int, self.can[TURN] + self.can[REDEAL])

    # Moves

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def sight_stock(self) -> cython.void:
        """Let `ptr` be the place of the next stock card, as keys have it, 52 if there is none."""
        stock: u64 = self.stock()
        self.at.ptr = lowest(stock) if stock != 0 else 52

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_over(self) -> cython.void:
        """Make the waste the stock, for one of the redeals."""
        self.at.ptr = 0
        if not self.unlimited:
            self.at.rd -= 1

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def put_up(self, card: u64) -> cython.void:
        """Put a next card on its foundation, from wherever it is taken."""
        self.at.N ^= card | self.after[lowest(card)]
        self.at.O |= card
        self.at.F += ONE << 4 * self.suit_at[lowest(card)]

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_from_pivot(self) -> cython.void:
        """Let the top card of the pivot, which has one, fill an empty cell."""
        top: u64 = last_of(self.at.P)
        self.at.P ^= top
        self.at.T |= top

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self) -> cython.void:
        """Do what happens by itself: form an empty pivot again, fill empty cells from it."""
        stock: u64
        while True:
            if self.at.P == 0 and self.reform_at != 0:
                stock = self.stock()
                if count(stock) >= self.reform_at:
                    self.at.P = first_ten(stock)
                    self.at.ptr = highest(self.at.P) + 1
            if self.at.P == 0 or self.gaps() <= 0:
                break
            self.fill_from_pivot()
        self.sight_stock()

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, kind: cython.int, place: cython.int) -> cython.void:
        """Make a legal move, and what happens by itself after it."""
        bit: u64 = ONE << place
        if kind == PLAY:
            self.put_up(bit)
            self.at.T &= ~bit
            self.at.K &= ~bit
            self.at.P &= ~bit
        elif kind == FILL:
            self.at.T |= bit
            self.at.K &= ~bit
        elif kind == PACK:
            self.at.P &= ~bit
            self.at.T |= bit
            self.at.K |= bit
        elif kind == TURN:
            self.at.ptr += 1
        else:
            self.turn_over()
        self.settle()
