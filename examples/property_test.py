"""Property-test an invariant with the package's strategies: run it as a script, or with pytest."""

from hypothesis import given
from hypothesis import strategies as st

from perno_solver import Line, MoveKind, Reform, State
from perno_solver.strategies import lines, rules, states

never_reformed = rules(reform=st.just(Reform.NEVER))


@given(lines(starts=states(rules=never_reformed, max_moves=0)))
def test_a_pivot_that_is_never_formed_again_only_shrinks(game: tuple[State, Line]) -> None:
    """Cards leave the pivot one by one, at most one of them for each card that goes home."""
    state, line = game
    for move in line:
        after = state.play(move)
        assert state.pivot[: len(after.pivot)] == after.pivot
        assert len(state.pivot) - len(after.pivot) <= 1
        state = after


@given(states(rules=rules(redeals=st.integers(0, 2))))
def test_who_must_turn_has_nothing_to_play(state: State) -> None:
    """Where turning is the only legal move, no foundation takes a card that is in play."""
    if [move.kind for move in state.legal_moves()] == [MoveKind.TURN]:
        assert not state.in_play() & set(state.next_up())


if __name__ == "__main__":
    test_a_pivot_that_is_never_formed_again_only_shrinks()
    test_who_must_turn_has_nothing_to_play()
    print("Both properties hold in every game that was tried.")
