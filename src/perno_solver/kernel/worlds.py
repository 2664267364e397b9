"""What nobody has seen: worlds that agree with what a player knows, and in how many of them a game can be won.

A world is a way to lay the unseen cards on the unseen places. What happens in a game, and which cards come into sight,
depends on seen cards only; so whatever was played before, all worlds are equally likely.

World number i of a seed is drawn by a stream of its own, so a sample is the same in one piece and in many, compiled and
not. Where all worlds are gone through, world i is the i-th in the order of their numbers to the factorial base.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.batch import index_below, mixed
    from perno_solver.kernel.bits import (
        ALL,
        GAMMA,
        LOST,
        MEMORY_OUT,
        RUNNING,
        STOPPED,
        WON,
        WORD,
        lowest,
        u64,
    )
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.search import Search

_MOST_LEGAL = cython.declare(cython.int, 40)  # more than are ever legal: 4 plays, 10 packs, 9 fills and a turn


@cython.final
@cython.cclass
class Worlds:
    """The worlds of one view, and what is found out about each of its moves.

    Args:
        search: the engine for the rules, in whose hand worlds are laid.
    """

    search: Search
    deck: cython.uchar[52]  # the cards by place, those of unseen places in no order
    places: cython.uchar[52]  # the unseen places: of the pivot, then all others
    cards: cython.uchar[52]  # the unseen cards, ascending
    unseen: cython.int
    base: cython.int
    # The view's position as the words of its key, which are the same in every world
    first: u64
    second: u64
    third: u64
    # What is found out: for the view, and by move
    won: cython.longlong
    unknown: cython.longlong
    legal: cython.int
    moves: cython.int[40]  # kind << 6 | place
    moves_won: cython.longlong[40]
    moves_unknown: cython.longlong[40]

    def __init__(self, search):
        self.search = search
        if not cython.compiled:
            self.deck, self.places, self.cards = ([0] * 52 for _ in range(3))
            self.moves, self.moves_won, self.moves_unknown = ([0] * _MOST_LEGAL for _ in range(3))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def view(self, game: Position, seen: u64) -> cython.void:
        """Take the position that a game has in hand, of which a player has seen some places, and list its moves.

        The order of unseen places (the pivot's first) and cards depends on nothing unseen, nor on how the deck is
        numbered.
        """
        i: cython.int
        n: cython.int = 0
        part: cython.int
        rest: u64
        unseen: u64 = ALL & ~seen
        held: u64 = 0
        for i in range(52):
            self.deck[i] = game.card_at[i]
        for part in range(2):
            rest = unseen & (game.at.P if part == 0 else ~game.at.P)
            while rest != 0:
                self.places[n] = lowest(rest)
                held |= cython.cast(u64, 1) << self.deck[self.places[n]]
                n += 1
                rest &= rest - 1
        self.unseen = n
        for i in range(n):
            self.cards[i] = lowest(held)
            held &= held - 1
        self.base = game.card_at[game.place_of[0]] % 13  # the rank of the first card of any foundation
        self.first, self.second, self.third = game.first_word(), game.second_word(), game.at.K
        game.find_moves()
        self.legal = 0
        for i in range(5):
            rest = game.can[i]
            while rest != 0:
                self.moves[self.legal] = i << 6 | lowest(rest)
                self.legal += 1
                rest &= rest - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay(self, seed: u64, number: u64, exact: cython.bint) -> cython.void:
        """Lay a world in the hand of the search."""
        i: cython.int
        n: cython.int = self.unseen
        card: cython.uchar
        state: u64 = mixed((seed + GAMMA * (number + 1)) & WORD)
        for i in range(52):
            self.search.card_at[i] = self.deck[i]
        for i in range(n):
            self.search.card_at[self.places[i]] = self.cards[i]
        while n > 1:
            if exact:
                i = number % n
                number //= n
            else:
                i = -1
                while i < 0:
                    state = (state + GAMMA) & WORD
                    i = index_below(mixed(state), n)
            n -= 1
            card = self.search.card_at[self.places[i]]
            self.search.card_at[self.places[i]] = self.search.card_at[self.places[n]]
            self.search.card_at[self.places[n]] = card
        self.search.number_cards(self.base)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ends(self) -> cython.int:
        """Search from the state in the search's hand: WON, LOST, or why that is not known."""
        if self.search.at.N == 0:
            self.search.table.status = WON
        else:
            self.search.search()
        return self.search.table.status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(self, seed: u64, number: u64, worlds: cython.longlong, exact: cython.bint) -> cython.void:
        """Count in how many worlds, from a number on, the game can be won: at all, and after each move.

        A world that is lost is lost after every move. Of one that was given up, the moves are searched all the same:
        one that wins decides it, and if all lose it is lost.
        """
        i: cython.int
        at_first: cython.int
        status: cython.int
        open_: cython.bint  # whether some move of this world was given up
        wins: cython.bint
        self.won = self.unknown = 0
        for i in range(self.legal):
            self.moves_won[i] = self.moves_unknown[i] = 0
        while worlds > 0:
            worlds -= 1
            self.lay(seed, number, exact)
            number += 1
            self.search.unpack(self.first, self.second, self.third)
            at_first = self.ends()
            if at_first == LOST:
                continue
            open_ = wins = False
            for i in range(self.legal):
                if self.search.table.status == STOPPED or self.search.table.status == MEMORY_OUT:
                    return
                self.search.unpack(self.first, self.second, self.third)
                self.search.move(self.moves[i] >> 6, self.moves[i] & 63)
                status = self.ends()
                if status == WON:
                    self.moves_won[i] += 1
                    wins = True
                elif status != LOST:
                    self.moves_unknown[i] += 1
                    open_ = True
            if self.search.table.status == STOPPED or self.search.table.status == MEMORY_OUT:
                return
            if at_first == WON or wins:
                self.won += 1
            elif open_:
                self.unknown += 1
        self.search.table.status = RUNNING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sample(self, seed: u64, most: cython.longlong) -> cython.void:
        """Weigh a sample of worlds, or all where they are not more."""
        i: cython.int
        worlds: cython.longlong = 1
        for i in range(2, self.unseen + 1):
            worlds *= i
            if worlds > most:
                self.weigh(seed, 0, most, False)
                return
        self.weigh(seed, 0, worlds, True)

    # What Python calls

    def odds(
        self, seen: u64, seed: u64, number: u64, worlds: cython.longlong, exact: cython.bint, most: cython.Py_ssize_t
    ) -> tuple:
        """Weigh worlds of the state in the search's hand, storing at most so many states for each question.

        Returns how many were won, how many unknown, and for each move its letter, its card's index or None, and both.
        """
        self.search.table.most = most
        with cython.nogil:
            self.view(self.search, seen)
            self.weigh(seed, number, worlds, exact)
        if self.search.table.status != RUNNING and self.search.table.outcome() == "memory":  # pragma: no cover
            raise MemoryError
        moves = []
        for i in range(self.legal):
            letter = "TRFEP"[self.moves[i] >> 6]
            moves.append((letter, self.card(self.moves[i]), self.moves_won[i], self.moves_unknown[i]))
        return self.won, self.unknown, moves

    def card(self, move: cython.int):
        """Return the index of the card that a move moves, None for a turn or a redeal."""
        return self.deck[move & 63] if move >> 6 > 1 else None
