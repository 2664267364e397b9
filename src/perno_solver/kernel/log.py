"""The moves of a line, written down as they are made."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc
else:
    from perno_solver.kernel.bits import FILL, PACK, PLAY, REDEAL, TURN
    from perno_solver.kernel.position import Position

_LETTERS = {TURN: "T", REDEAL: "R", PLAY: "F", FILL: "E", PACK: "P"}


@cython.final
@cython.cclass
class Log:
    """Moves, of which the last may be taken back by cutting the length."""

    moves: cython.p_ushort  # kind << 6 | place
    length: cython.Py_ssize_t
    room: cython.Py_ssize_t

    def __init__(self):
        self.length = self.room = 0
        if not cython.compiled:
            self.moves = []

    if cython.compiled:

        def __dealloc__(self):
            free(self.moves)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write(self, kind: cython.int, place: cython.int) -> cython.bint:
        """Write a move down; return whether there was memory for it."""
        if self.length == self.room and not self.lengthen():
            return False
        self.moves[self.length] = kind << 6 | place
        self.length += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lengthen(self) -> cython.bint:
        """Make room for twice the moves; return whether there was memory for it."""
        room: cython.Py_ssize_t = 2 * self.room + 256
        if cython.compiled:
            moves = cython.cast(cython.p_ushort, realloc(self.moves, room * 2))
            if not moves:
                return False
            self.moves = moves
        else:
            self.moves += [0] * (room - self.room)
        self.room = room
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def passes(self) -> cython.int:
        """Return how many passes the line takes: one, and one a redeal."""
        passes: cython.int = 1
        i: cython.Py_ssize_t
        for i in range(self.length):
            passes += self.moves[i] >> 6 == REDEAL
        return passes

    def written(self, game: Position):
        """List the moves as Python has them: pairs of the move's letter and the card's index."""
        return [(_LETTERS[self.moves[i] >> 6], game.card_at[self.moves[i] & 63]) for i in range(self.length)]
