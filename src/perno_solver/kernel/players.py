"""Players who do not see the hidden cards, over many deals: in bits what `solve.players` says in Python."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
else:
    from perno_solver.kernel.batch import Histogram, shuffle
    from perno_solver.kernel.bits import (
        FILL,
        LOST,
        MEMORY_OUT,
        ONE,
        PLAY,
        REDEAL,
        STOPPED,
        TURN,
        WON,
        WORD,
        count,
        u64,
    )
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.search import Search
    from perno_solver.kernel.sets import below, many
    from perno_solver.kernel.worlds import Worlds

GREEDY_PLAYER = cython.declare(cython.int, 0)
CAREFUL_PLAYER = cython.declare(cython.int, 1)
CALCULATING_PLAYER = cython.declare(cython.int, 2)

_MOST_MADE = cython.declare(cython.int, 2000)  # of a game that goes round, as `players.MOST_MOVES`
_FEW = cython.declare(cython.int, 3)  # stock cards, as `players.FEW`


@cython.final
@cython.cclass
class Player:
    """A player of the deals of seeds, and what came of them.

    Args:
        search: the engine for the rules.
        rules: as `Position` has them.
        kind: greedy, careful or calculating.
        remembers: whether what was seen stays seen; if not, only what lies face-up is.
        tries: how many worlds a calculating player weighs at a choice.
        seed: by which it draws them.
    """

    search: Search
    worlds: Worlds
    game: Position
    seen: u64
    kind: cython.int
    remembers: cython.bint
    tries: cython.longlong
    seed: u64
    made: cython.int  # moves in the game in hand
    passes: cython.int
    moves_made: Histogram  # of the games won
    passes_made: Histogram

    def __init__(self, search, rules, kind, remembers, tries, seed):
        self.search, self.game, self.worlds = search, Position(rules), Worlds(search)
        self.kind, self.remembers, self.tries, self.seed = kind, remembers, tries, seed
        self.moves_made, self.passes_made = Histogram(), Histogram()

    # What is seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look(self) -> cython.void:
        """See what lies face-up."""
        if not self.remembers:
            self.seen = 0
        self.seen |= self.game.at.T | self.game.at.O | (self.game.outside() & below(self.game.at.ptr))
        self.seen |= self.game.pivot_card()

    # The rules of thumb

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def exhausts(self, place: cython.int) -> cython.bint:
        """Whether a play or a pack of a card takes the last one of the pivot, which the stock then forms again."""
        card: u64 = ONE << place
        if self.game.at.P == 0 or many(self.game.at.P):
            return False
        if self.game.reform_at == 0 or count(self.game.stock()) < self.game.reform_at:
            return False
        return (self.game.at.P | (self.game.tops() & ~self.game.at.K)) & card != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rank(self, move: cython.int) -> cython.int:
        """Return the place of a move in the order in which the player's rules of thumb prefer moves, 0 first."""
        kind: cython.int = move >> 6
        place: cython.int = move & 63
        last: cython.bint = not self.game.unlimited and self.game.at.rd == 0
        if kind == TURN:
            return 4
        if kind == REDEAL:
            return 5
        if kind == FILL:
            if self.game.at.T >> place & 1:
                return 8
            return 3 if self.kind != GREEDY_PLAYER and (last or self.game.unlimited or self.game.packs) else 6
        if self.kind != GREEDY_PLAYER and self.exhausts(place):
            return 2 if count(self.game.stock()) <= (0 if last else _FEW) else 7
        return 0 if kind == PLAY else 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def order(self, move: cython.int) -> cython.int:
        """Return a number that orders moves by rank, those of one rank by card."""
        return self.rank(move) << 6 | (self.game.card_at[move & 63] if move >> 6 >= PLAY else 0)

    # Games

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.int:
        """Choose one of the moves that `worlds` lists for the state in hand."""
        i: cython.int
        best: cython.int = 0
        if self.kind == CALCULATING_PLAYER and self.worlds.legal > 1:
            self.worlds.sample(self.seed, self.tries)
        for i in range(1, self.worlds.legal):
            if self.kind == CALCULATING_PLAYER and self.worlds.moves_won[i] != self.worlds.moves_won[best]:
                if self.worlds.moves_won[i] > self.worlds.moves_won[best]:
                    best = i
            elif self.order(self.worlds.moves[i]) < self.order(self.worlds.moves[best]):
                best = i
        return self.worlds.moves[best]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self) -> cython.int:
        """Play the game whose start is in hand to its end: WON, LOST, or why a search in it was given up."""
        idle: cython.bint = False  # whether no card has moved since the last redeal
        move: cython.int
        self.seen = 0
        self.look()
        self.passes = 1
        for self.made in range(_MOST_MADE):  # pragma: no branch - no game of these players goes on so long
            if self.game.at.N == 0:
                return WON
            self.worlds.view(self.game, self.seen)
            if self.worlds.legal == 0:
                return LOST
            if self.kind == CALCULATING_PLAYER and self.remembers and self.worlds.unseen <= 1:
                return self.play_seen()
            move = self.choose()
            if self.search.table.status == STOPPED or self.search.table.status == MEMORY_OUT:
                return self.search.table.status
            if move >> 6 == REDEAL:
                if idle and self.game.unlimited:
                    return LOST  # it would go round for ever
                idle = True
                self.passes += 1
            elif move >> 6 != TURN:
                idle = False
            self.game.move(move >> 6, move & 63)
            self.look()
        return LOST  # pragma: no cover - as above

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_seen(self) -> cython.int:
        """Go on with a game of which all is known, as `play` does: by a line that wins if there is one."""
        status: cython.int
        self.worlds.lay(self.seed, 0, True)
        self.search.unpack(self.worlds.first, self.worlds.second, self.worlds.third)
        status = self.worlds.ends()
        if status == WON and self.game.at.N != 0:
            self.search.replay()
            self.made += self.search.log.length
            self.passes += self.search.log.passes() - 1
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_all(self, first: u64, deals: cython.Py_ssize_t, codes: cython.p_uchar) -> cython.void:
        """Play the deals of consecutive seeds, until a watcher stops it.

        A deal that is lost is lost for every player, so a calculating one need not play it.
        """
        i: cython.Py_ssize_t
        place: cython.int
        status: cython.int
        for i in range(deals):
            shuffle(self.search, (first + i) & WORD)
            for place in range(52):
                self.game.card_at[place] = self.search.card_at[place]
            self.game.lay_out()
            self.search.table.clear()
            status = WON
            if self.kind == CALCULATING_PLAYER:
                self.search.lay_out()
                status = self.worlds.ends()
            if status == WON:
                status = self.play()
            if status == STOPPED or status == MEMORY_OUT:
                return
            if status == WON or status == LOST:
                codes[i >> 2] |= status << 2 * (i & 3)
            if status == WON and not (self.moves_made.add(self.made) and self.passes_made.add(self.passes)):
                self.search.table.status = MEMORY_OUT
            self.search.table.tick()

    def games(self, first: u64, deals: cython.Py_ssize_t, most: cython.Py_ssize_t) -> tuple:
        """Play the deals of consecutive seeds, storing at most so many states for each question.

        Returns whether each was won, two bits a deal as `Kernel.survey` does (2 is: not won), and histograms of the
        moves and the passes of the games won.
        """
        verdicts = bytearray((deals + 3) // 4)
        if cython.compiled:
            codes = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(verdicts))
        else:
            codes = verdicts
        self.search.table.most = most
        with cython.nogil:
            self.play_all(first, deals, codes)
        if self.search.table.outcome() == "memory":  # pragma: no cover - the memory of C
            raise MemoryError
        return bytes(verdicts), self.moves_made.listed(), self.passes_made.listed()
