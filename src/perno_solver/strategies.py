"""Hypothesis strategies for the values of the game, to test what you build on the package.

They need hypothesis: `pip install 'perno_solver[strategies]'`. All compose: what one is made of is a keyword that takes
a strategy. Everything shrinks: deals towards a sorted deck, rules towards the source's, lines towards none.

>>> from hypothesis import given
>>> @given(states(rules=rules(redeals=st.integers(0, 2))))
... def test_at_most_two_redeals_are_left(state):
...     assert state.redeals <= 2
>>> test_at_most_two_redeals_are_left()
"""

try:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ImportError as error:
    msg = "perno_solver.strategies needs hypothesis: pip install 'perno_solver[strategies]'"
    raise ImportError(msg) from error

from perno_solver.game.cards import CARDS, Card
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line
from perno_solver.game.rules import MOST_REDEALS, Build, Place, Reform, Rules, Turning
from perno_solver.game.state import State


def cards() -> st.SearchStrategy[Card]:
    """Generate cards; they shrink towards the ace of clubs."""
    return st.sampled_from(CARDS)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Generate deals; they shrink towards a sorted deck."""
    return Deal(draw(st.permutations(CARDS)))


_FIELDS: dict[str, st.SearchStrategy[object]] = {
    "pivot_size": st.just(10) | st.integers(1, 30),
    "reform": st.sampled_from(Reform),
    "pivot_open": st.booleans(),
    "redeals": st.just(2) | st.integers(0, 5) | st.none() | st.integers(0, MOST_REDEALS),
    "build": st.sampled_from(Build),
    "pack_from": st.frozensets(st.sampled_from(Place)),
    "pack_limit": st.integers(1, 13),
    "fill_from": st.sampled_from([frozenset({Place.WASTE}), frozenset({Place.WASTE, Place.TABLEAU})]),
    "turning": st.sampled_from(Turning),
}


def rules(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[Rules]:
    """Generate rules, any legal combination of fields; they shrink towards the source's.

    Args:
        fields: strategies for single fields of `Rules`, by name, as in `rules(redeals=st.integers(0, 2))`.

    Raises:
        InvalidArgument: `Rules` has no such field.
    """
    for name in fields:
        if name not in _FIELDS:
            msg = f"rules have no field {name!r}, expected one of {', '.join(_FIELDS)}"
            raise InvalidArgument(msg)
    return st.builds(Rules, **{**_FIELDS, **fields})


_DEALS, _RULES = deals(), rules()


def states(
    *,
    deals: st.SearchStrategy[Deal] = _DEALS,
    rules: st.SearchStrategy[Rules] = _RULES,
    max_moves: int = 150,
) -> st.SearchStrategy[State]:
    """Generate states that can be reached from a deal; they shrink towards its start.

    Args:
        deals: the deals to begin with.
        rules: the rules to play them under.
        max_moves: the most moves from the deal; 0 gives starts alone.

    Raises:
        InvalidArgument: `max_moves` is not a whole number from 0.
    """
    starts = st.builds(State.start, deals, rules)
    return lines(starts=starts, max_moves=max_moves).map(_end)


@st.composite
def _walks(draw: st.DrawFn, starts: st.SearchStrategy[State], max_moves: int) -> tuple[State, Line]:
    start = state = draw(starts)
    line = []
    for _ in range(draw(st.integers(0, max_moves))):
        moves = state.legal_moves()
        if not moves:
            break
        line.append(draw(st.sampled_from(moves)))
        state = state.play(line[-1])
    return start, tuple(line)


_STARTS = st.builds(State.start, _DEALS, _RULES)


def lines(*, starts: st.SearchStrategy[State] = _STARTS, max_moves: int = 150) -> st.SearchStrategy[tuple[State, Line]]:
    """Generate legal lines, each as a pair of the state it starts from and its moves; they shrink towards no moves.

    Args:
        starts: the states to play from, by default starts of deals; `st.just(state)` gives lines from one state.
        max_moves: the most moves of a line.

    Raises:
        InvalidArgument: `max_moves` is not a whole number from 0.
    """
    if not isinstance(max_moves, int) or max_moves < 0:
        msg = f"max_moves is {max_moves!r}, expected a whole number from 0"
        raise InvalidArgument(msg)
    return _walks(starts, max_moves)


def _end(walk: tuple[State, Line]) -> State:
    state, line = walk
    for move in line:
        state = state.play(move)
    return state
