"""What is asked of sets of cards again and again."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import ONE, highest, u64


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def below(place: cython.int) -> u64:
    """Return the places below one, 0–52."""
    return (ONE << place) - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def first_of(cards: u64) -> u64:
    """Return the card of the lowest place, none of none."""
    return cards & (~cards + 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def last_of(cards: u64) -> u64:
    """Return the card of the highest place, none of none."""
    return ONE << highest(cards) if cards != 0 else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def many(cards: u64) -> cython.bint:
    """Whether there are two cards or more."""
    return cards & (cards - 1) != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def first_ten(cards: u64) -> u64:
    """Return the ten cards of the lowest places, or all if there are fewer."""
    rest: u64 = cards
    n: cython.int
    for n in range(10):  # noqa: B007 - a loop variable that Cython can type
        rest &= rest - 1
    return cards ^ rest
