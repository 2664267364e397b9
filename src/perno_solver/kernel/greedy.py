"""The greedy run: no line exhausts the pivot sooner (*greedy*).

Walks that cite it use this one, and so does plain search; the engines have their own, which know what is held. For the
letters see `bits`.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import lowest, u64
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.sets import below, first_of, last_of, many


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_exhaust(game: Position) -> cython.bint:
    """Play and pack all as early as possible; return whether that comes to a play that exhausts the pivot."""
    T: u64 = game.at.T
    K: u64 = game.at.K
    P: u64 = game.at.P
    N: u64 = game.at.N
    outside: u64 = game.outside()
    waste: u64
    top: u64
    ptr: cython.int = game.at.ptr
    rd: cython.int = game.at.rd
    moved: cython.bint = True  # whether anything has left the waste since the last redeal
    while True:
        if not many(P) and N & (T & ~K | P) != 0:  # the first trigger
            return True
        top = first_of(N & T)
        if top == 0 and game.pivot_open:  # its top leaves the pivot with one card less, as a play from a cell does
            top = last_of(P) & N
            if top != 0:
                N ^= top | game.after[lowest(top)]
                P ^= top
                continue
        if top != 0:
            N ^= top | game.after[lowest(top)]
            if top & K == 0:
                T |= last_of(P)
                P ^= last_of(P)
            T ^= top
            K &= ~top
            continue
        waste = outside & below(ptr)
        top = last_of(waste)
        if top & N != 0:
            N ^= top | game.after[lowest(top)]
            outside ^= top
            moved = True
        elif top != 0 and game.packs and game.after[lowest(top)] & T != 0:  # whatever the limit, which only forbids
            T |= top
            K |= top
            outside ^= top
            moved = True
        elif outside != waste:
            ptr = lowest(outside ^ waste) + 1
        elif waste != 0 and moved and (rd != 0 or game.unlimited):
            ptr = 0
            moved = False  # without which the next pass would be like this one
            if not game.unlimited:
                rd -= 1
        else:
            return False
