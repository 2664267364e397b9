"""The kernel behind the package's values: rules and states in, verdicts and lines out."""

from collections.abc import Callable
from functools import partial
from itertools import chain, starmap

from attrs import frozen

from perno_solver.game.cards import CARDS
from perno_solver.game.codec import Codec, join_keys
from perno_solver.game.moves import Line, Move, MoveKind
from perno_solver.game.rules import Build, Place, Reform, Rules, Turning
from perno_solver.game.state import State
from perno_solver.kernel import ALL_LEMMAS, COMPILED, Kernel
from perno_solver.solve.budget import Meter, Stopped, used_up

MOST_STATES = (1 << 32) - 2
"""States that one search can store: the index of its table counts them in 32 bits."""

BYTES_A_STATE = 48
"""Most bytes of table that a stored state takes, slack included."""

BYTES_A_WAITING_STATE = 64
"""The same where states wait by the length of their lines."""

_STOCK_FOR = {Reform.NEVER: 0, Reform.UP_TO_TEN: 1, Reform.EXACTLY_TEN: 10}


@frozen
class EngineInfo:
    """Which kernel is in use.

    Args:
        compiled: whether it is machine code; if not, the same file runs as plain Python, slower.
    """

    compiled: bool

    def __str__(self) -> str:
        """Say it in words."""
        return (
            "compiled kernel"
            if self.compiled
            else "kernel in plain Python: slow, since it is not compiled, or not for this interpreter"
        )


def engine_info() -> EngineInfo:
    """Say which kernel is in use."""
    return EngineInfo(COMPILED)


def kernel_for(rules: Rules, lemmas: int = ALL_LEMMAS) -> Kernel:
    """Make a kernel for rules.

    Args:
        rules: the rules of every game that it will search.
        lemmas: which lemmas it may use, as a sum of `kernel.LEMMAS`; it uses those whose conditions the rules meet.
    """
    return Kernel(
        (
            rules.pivot_size,
            _STOCK_FOR[rules.reform],
            rules.pivot_open,
            rules.redeals or 0,
            rules.redeals is None,
            rules.build is Build.UP,
            Place.WASTE in rules.pack_from,
            Place.PIVOT in rules.pack_from,
            Place.TABLEAU in rules.pack_from,
            rules.pack_limit,
            Place.TABLEAU in rules.fill_from,
            rules.turning is Turning.OBLIGED,
        ),
        lemmas,
    )


def begin(kernel: Kernel, start: State, codec: Codec) -> None:
    """Put a state in a kernel's hand."""
    kernel.start(bytes(card.index for card in codec.deck.cards), start.base - 1, codec.encode(start))


def decide(start: State, codec: Codec, meter: Meter) -> tuple[Line | None, None]:
    """Search under the kernel's lemmas for a winning line, and play it under the plain rules before it is returned.

    Returns:
        The line, or None if there is none; and None for the states seen, which under lemmas are no closed set.

    Raises:
        Stopped: the budget is used up first.
    """
    kernel = kernel_for(start.rules)
    begin(kernel, start, codec)
    won = _run(kernel, kernel.decide, meter)
    return _replayed(kernel.line(), start) if won else None, None


def fewest_moves(start: State, codec: Codec, meter: Meter, line: Line) -> tuple[Line, str | None]:
    """Find a shortest winning line by A*, given one that wins; `docs/shortest.md` has its bound and what it leaves out.

    Returns:
        The shortest line that was found, played under the plain rules, and why it may not be a shortest one of all:
        None if it is.

    Complexity: n log n in the states that can be reached, at worst.
    """
    kernel = kernel_for(start.rules)
    begin(kernel, start, codec)
    reason = None

    def tell() -> None:
        least, most = kernel.gap()
        meter.between = max(meter.between[0], least), most

    meter.between = kernel.at_least(), len(line)
    try:
        _run(kernel, partial(kernel.fewest_moves, len(line)), meter, size=BYTES_A_WAITING_STATE, tell=tell)
    except Stopped as stop:
        reason = str(stop)
    tell()
    found = kernel.shortest_line()
    return line if found is None else _replayed(found, start), reason


def closed_set(start: State, codec: Codec, meter: Meter) -> bytes:
    """Return a closed set around a lost state that cites the lemmas: its keys as `codec.join_keys` joins them.

    Raises:
        Stopped: the budget is used up first.
    """
    kernel = kernel_for(start.rules)
    begin(kernel, start, codec)
    if _run(kernel, lambda most: kernel.breadth_first(first_only=True, cites=True, most=most), meter, roots=1):
        msg = f"the kernel is wrong: it called lost what can be won, under the rules {start.rules}, from\n{start}"
        raise RuntimeError(msg)
    pieces = (kernel.keys(first, first + _PIECE) for first in range(0, kernel.counts()[0], _PIECE))
    return join_keys(chain.from_iterable(pieces), meter.look)


_PIECE = 4096  # keys that are taken from a kernel at once


def _run(
    kernel: Kernel,
    search: Callable[[int], str],
    meter: Meter,
    *,
    roots: int = 0,
    size: int = BYTES_A_STATE,
    tell: Callable[[], None] = lambda: None,
) -> bool:
    """Run one search of a kernel within what is left of a budget; return whether it met a won state.

    Args:
        kernel: it.
        search: the search, of as many states at most as it is given.
        meter: counts and limits it.
        roots: states that are stored and not counted as generated, such as a walk's root.
        size: bytes a stored state.
        tell: called before each look at the meter.

    Raises:
        Stopped: the budget is used up first.
    """
    budget, before = meter.budget, (meter.stored, meter.generated, meter.bytes)
    most = MOST_STATES
    if budget.states is not None:
        most = min(most, budget.states - meter.stored)
    if budget.bytes is not None:
        most = min(most, (budget.bytes - meter.bytes) // size)

    def count(stored: int, generated: int, depth: int) -> None:
        meter.stored, meter.generated = before[0] + stored, before[1] + generated
        meter.bytes = before[2] + stored * size
        meter.depth = max(meter.depth, depth)

    def look(stored: int, generated: int, depth: int) -> bool:
        count(stored, generated, depth)
        tell()
        meter.look()
        return False

    kernel.watch(look)
    outcome = search(most)
    stored, generated, depth = kernel.counts()
    count(stored, generated, depth)
    meter.duplicates += max(0, generated - (stored - roots))  # 0 where it ends before it stores its root
    if outcome == "memory":
        msg = "the machine's memory is used up"
        raise Stopped(msg)
    if outcome == "states":
        if budget.states is not None and meter.stored >= budget.states:
            raise Stopped(used_up(budget.states, "states"))
        if budget.bytes is not None:
            raise Stopped(used_up(budget.bytes, "bytes"))
        msg = f"a table holds no more than {MOST_STATES} states"
        raise Stopped(msg)
    return outcome == "won"


def move_of(kind: str, card: int) -> Move:
    """Return a move of a kernel's line, which says the letter and the card's index, 0 where no card is named."""
    return Move(MoveKind(kind), None if kind in "TR" else CARDS[card])


def _replayed(pairs: list[tuple[str, int]], start: State) -> Line:
    """Write a kernel's line as moves and play it, so that no win rests on the kernel alone."""
    line = tuple(starmap(move_of, pairs))
    state = start
    for move in line:
        state = state.play(move)
    if not state.is_won:
        msg = f"the kernel is wrong: its line does not win, under the rules {start.rules}, from\n{start}"
        raise RuntimeError(msg)
    return line
