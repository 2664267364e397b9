"""The readable engine: plain searches over `State`, with nothing pruned, so that their answers are beyond doubt."""

import sys

from perno_solver.game.codec import Codec
from perno_solver.game.moves import Line, Move
from perno_solver.game.state import State
from perno_solver.solve.budget import Meter, Stopped


def depth_first(start: State, codec: Codec, meter: Meter) -> tuple[Line | None, set[bytes]]:
    """Search depth first through every legal move until a won state is met or nothing is left.

    Args:
        start: where to begin.
        codec: the codec of its game.
        meter: counts and limits the search.

    Returns:
        A winning line and the keys seen so far; or None and the keys of all states that can be reached.

    Raises:
        Stopped: the budget is used up first, or the search was cancelled.

    Complexity: linear in the states that can be reached, with their keys in memory.
    """
    size = _size_of(codec.encode(start)) + _SET_SLOT
    meter.store(size)
    seen = {codec.encode(start)}
    line: list[Move] = []
    if start.is_won:
        return (), seen
    open_moves = [iter(start.successors())]
    while open_moves:
        move, state = next(open_moves[-1], (None, None))
        if move is None or state is None:
            open_moves.pop()
            if line:
                line.pop()
            continue
        meter.generate()
        key = codec.encode(state)
        if key in seen:
            meter.duplicates += 1
            continue
        meter.store(size)
        seen.add(key)
        line.append(move)
        open_moves.append(iter(state.successors()))
        meter.depth = max(meter.depth, len(line))
        if state.is_won:
            return tuple(line), seen
    return None, seen


def moves_at_least(state: State) -> int:
    """Bound the moves to a win from below: cards not yet on foundations, and one more if the waste is out of order.

    The waste is out of order when it holds, over a card, another card of its suit that goes to the foundation later.

    Admissible: each of the n cards outside the foundations needs a move F of its own. A card b over a card a of its
    suit that goes first cannot leave for the foundation while a lies under it, and a cannot leave before b does; so
    some move E or P of a waste card, or a redeal, must happen too, and it is none of the n.

    Consistent (one move lowers the bound by at most one): F lowers n by one and never puts the waste in order, since
    the card that leaves is the next its foundation needs: as b it would lie over a card that is already gone, and as
    a it would be covered. E, P and R leave n alone and can lower the second part by one. T can only raise it.
    """
    last: dict[int, int] = {}
    for card in state.waste:
        step = state.step(card)
        if last.get(card.suit, step) < step:
            return 53 - sum(state.foundations)
        last[card.suit] = min(step, last.get(card.suit, step))
    return 52 - sum(state.foundations)


def fewest_moves(start: State, codec: Codec, meter: Meter, line: Line) -> tuple[Line, str | None]:
    """Find a shortest winning line, given one that wins.

    Returns:
        The shortest line that was found, and why it may not be a shortest one of all: None if it is.
    """
    meter.between = moves_at_least(start), len(line)
    try:
        return _fewest_moves(start, codec, meter, line), None
    except Stopped as stop:
        return line, str(stop)


def _fewest_moves(start: State, codec: Codec, meter: Meter, line: Line) -> Line:
    """Find a shortest winning line by A* with the bound `moves_at_least`.

    States wait in a sorted frontier by the length that a win through them has at least; of equals, those with most
    moves behind them first. A state met again by a shorter way waits again with its better length: the bound is
    consistent, so a state once taken up is final, but one still waiting may be improved, and then its older entry
    is passed over when its turn comes.

    Raises:
        Stopped: the budget is used up first, or the search was cancelled.

    Complexity: n log n in the states that can be reached.
    """
    from sortedcontainers import SortedDict  # noqa: PLC0415 - only this search needs it, and importing it takes a while

    first = codec.encode(start)
    size = 2 * _size_of(first) + _DICT_SLOT + _ENTRY
    meter.store(size)
    best: dict[bytes, tuple[int, bytes, Move | None]] = {first: (0, first, None)}
    frontier: SortedDict[tuple[int, int], list[bytes]] = SortedDict({(moves_at_least(start), 0): [first]})
    while True:  # up to a win, as there is one
        (bound, negative), waiting = frontier.peekitem(0)
        key = waiting.pop()
        if not waiting:
            del frontier[bound, negative]
        meter.between = bound, len(line)
        length = -negative
        if best[key][0] < length:
            continue  # improved since
        state = codec.decode(key)
        if state.is_won:
            return _trace(best, key)
        for move, successor in state.successors():
            meter.generate()
            after = codec.encode(successor)
            known = best.get(after)
            if known is None:
                meter.store(size)
            else:
                meter.duplicates += 1
                if known[0] <= length + 1:
                    continue
            best[after] = length + 1, key, move
            meter.depth = max(meter.depth, length + 1)
            frontier.setdefault((length + 1 + moves_at_least(successor), -length - 1), []).append(after)


def _trace(best: dict[bytes, tuple[int, bytes, Move | None]], key: bytes) -> Line:
    line = []
    _, parent, move = best[key]
    while move is not None:
        line.append(move)
        _, parent, move = best[parent]
    return tuple(reversed(line))


# What a stored state takes, in bytes: CPython's tables are at most two thirds full and double, so a slot counts twice.
_size_of = sys.getsizeof
_SET_SLOT = 2 * 24
_DICT_SLOT = 2 * 32
_ENTRY = 72 + 32  # the tuple in the table and the integer in it
