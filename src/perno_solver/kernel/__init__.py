"""The kernel: the game over bit masks, compiled where a C compiler was there, the same files in plain Python where not.

A part a file, each using those above it only:

    bits, sets     sets of cards, the state of a game, what all parts count with
    position       a game under its rules, and a state of it in hand
    table          states stored
    log, nodes     the moves of a line; states that wait
    search         depth-first search, but for how a node is expanded, which an engine says:
    greedy, bound    what no line does better than: a run that is as early as possible, and a game that is easier
    dig              what the last pass leaves no way around: the waste is taken up from its top
    plain            every move
    single           the lemmas for cells of one card
    final            the lemmas for piles, once nothing is formed again
    piles            the lemmas for piles
    walk           breadth-first walks
    queue          states that wait, by the length of their lines
    least          what a line has to do at least
    held           states and what is held in them, for the fewest moves
    shortest       the fewest moves, by A*
    batch          the deals of many seeds
    worlds         cards that nobody has seen: odds
    players        games of players who do not see them
    api            what there is to call

Compiled, `_compiled.pyx` takes all these files into one extension, so that calls between them are C's.
"""

from importlib import import_module


def in_subinterpreter():
    """Whether this is another interpreter than the process's first."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # what it is called from Python 3.13 on, and before
        try:
            interpreters = import_module(name)
        except ModuleNotFoundError:
            continue
        return interpreters.get_current() != interpreters.get_main()
    return False


def load():
    """Import the kernel that is to be used.

    Compiled code belongs to the first interpreter: it calls back into that one, whoever runs it, and once another had
    loaded it the first could not any more.
    """
    if not in_subinterpreter():
        try:
            return import_module("perno_solver.kernel._compiled")
        except ModuleNotFoundError as error:
            if error.name != "perno_solver.kernel._compiled":  # one that is there and does not load is not hidden
                raise
    return import_module("perno_solver.kernel.api")


_kernel = load()
ALL_LEMMAS, COMPILED, LEMMAS, Kernel = _kernel.ALL_LEMMAS, _kernel.COMPILED, _kernel.LEMMAS, _kernel.Kernel

__all__ = ["ALL_LEMMAS", "COMPILED", "LEMMAS", "Kernel"]
