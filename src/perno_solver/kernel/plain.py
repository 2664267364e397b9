"""Plain search: every legal move, under any rules. Of the lemmas only *run*, *greedy*, *bound* and *dig* are used.

For the letters T, P, K, O, N, H, F see `bits`.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import BOUND, DIG, FILL, GREEDY, REDEAL, RUN, TURN, lowest, u64
    from perno_solver.kernel.bound import beyond_hope
    from perno_solver.kernel.dig import is_too_deep
    from perno_solver.kernel.greedy import may_exhaust
    from perno_solver.kernel.search import Search


@cython.cclass
class Plain(Search):
    """The engine for rules under which nothing else holds, and the last resort of the engine for piles."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_new(self) -> cython.bint:
        """Store the state in hand; return whether it is new, or a replay."""
        return self.replaying or self.table.store(self.first_word(), self.second_word(), self.at.K)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self) -> cython.bint:
        """Expand the node in hand; return whether the game is won."""
        return self.expand_plain()

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_hopeless(self) -> cython.bint:
        """Whether the pivot has a card and no line exhausts it: GREEDY, or BOUND where cards of pivot or tableau pack.

        BOUND is not asked on the first dive, where it can only be in the way.
        """
        if self.at.P == 0 or self.replaying:
            return False
        if not self.pack_pivot and not self.pack_tableau:
            return self.lemmas & GREEDY and not may_exhaust(self)
        return self.lemmas & BOUND and not self.dive and beyond_hope(self)

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_dug_in(self) -> cython.bint:
        """Whether the waste can be dug up no more (DIG), on all dives but the first."""
        if self.at.rd != 0 or self.unlimited or self.dive or self.replaying or not self.lemmas & DIG:
            return False
        return is_too_deep(self)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand_plain(self) -> cython.bint:
        """Follow the only move while there is but one, then push every successor; return whether the game is won.

        RUN: a state with one legal move is won exactly when its successor is, so it need not be stored. Only where
        such a run could go round for ever is it stored all the same: a redeal without end, or a fill or a pack. A run
        that goes through a whole pass and moves no card is lost: it can only do the same again.
        """
        kind: cython.int
        moves: cython.int
        cards: u64
        idle: cython.bint = False  # whether the run has redealt and moved no card since
        while True:
            if self.at.N == 0:
                return True
            moves = self.find_moves()
            if moves == 0:
                return False
            kind = TURN
            if moves == 1:
                while self.can[kind] == 0:
                    kind += 1
            if moves > 1 or not self.lemmas & RUN or kind >= FILL or (kind == REDEAL and self.unlimited):
                if not self.is_new():
                    return False
                if moves > 1 or not self.lemmas & RUN:
                    if self.is_hopeless() or self.is_dug_in():
                        return False
                    break
            if idle and kind == REDEAL:
                return False  # where the run was a pass ago, with a redeal less
            idle = kind == REDEAL or (idle and kind == TURN)
            self.make(kind, lowest(self.can[kind]))
        self.keep()
        for kind in range(5):
            cards = self.can[kind]
            while cards != 0:
                self.make(kind, lowest(cards))
                self.push()
                self.take_back()
                cards &= cards - 1
        return False
