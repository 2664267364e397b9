"""`solve` with the readable engine: its verdicts, limits and objectives on single deals."""

from functools import partial

import pytest
from attrs import evolve

from perno_solver import (
    READINGS,
    TURN,
    Budget,
    Codec,
    Deal,
    InvalidBudget,
    InvalidState,
    Objective,
    Rules,
    State,
    Verdict,
    annotate,
    check,
    solve,
)
from perno_solver.solve.budget import PERIOD, Meter
from perno_solver.solve.readable import depth_first, fewest_moves

solve = partial(solve, engine="readable")  # whose counts are those of the game itself
LOST = Deal.from_seed(1)  # 5,508 states
WON = Deal.from_seed(10)
IMPROVED = """
    rules: perno,reform=never,pack-from=tableau
    base: K
    foundations: 5C 5D 4H 5S
    tableau: AC 3C 4C 2D 4D AS 2S 3S
    pivot: 2H AH 4S 2C
    stock: AD 3H 3D
    waste:
    redeals: 2
"""

HASTY = """
    rules: perno,pack-from=pivot,fill-from=waste+tableau
    base: K
    foundations: 6C 6D 5H 6S
    tableau: AC AD 3D 5D 2H 3H 2S 3S
    pivot: AS
    stock: 5C 4S AH 2D 2C 4D 4H 5S 4C 3C
    waste:
    redeals: 2
"""


def test_the_source_is_the_default():
    assert solve(LOST).evidence == solve(LOST, rules=READINGS["perno"]).evidence


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(states=5507), "the budget of 5507 states is used up"),
        (Budget(states=1), "the budget of 1 states is used up"),
        (Budget(seconds=1e-9), "the budget of 1e-09 seconds is used up"),
        (Budget(bytes=1), "the budget of 1 bytes is used up"),
        (Budget(bytes=100_000), "the budget of 100000 bytes is used up"),
    ],
)
@pytest.mark.parametrize("objective", Objective)
def test_a_used_up_budget_leaves_the_verdict_unknown(budget, reason, objective):
    result = solve(LOST, budget=budget, objective=objective)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, reason)
    assert (result.line, result.evidence, result.passes) == (None, None, None)


def test_a_budget_that_just_suffices_is_enough():
    result = solve(LOST, budget=Budget(states=5508, seconds=600, bytes=10_000_000))
    assert (result.verdict, result.reason, result.statistics.stored) == (Verdict.LOST, None, 5508)


def test_the_byte_budget_is_that_of_the_table():
    per_state = 49 + 2 * 24  # a key of 16 bytes as an object, and its slot
    assert solve(LOST, budget=Budget(bytes=5508 * per_state)).verdict is Verdict.LOST
    assert solve(LOST, budget=Budget(bytes=5508 * per_state - 1)).verdict is Verdict.UNKNOWN


def test_progress_is_told_now_and_then():
    counts = []
    result = solve(LOST, on_progress=lambda meter: counts.append((meter.generated, meter.bytes > 0, meter.seconds > 0)))
    searching, sorting = (
        counts[: result.statistics.generated // PERIOD],
        counts[result.statistics.generated // PERIOD :],
    )
    assert searching == [
        (generated, True, True) for generated in range(PERIOD, result.statistics.generated + 1, PERIOD)
    ]
    assert (
        sorting == [(result.statistics.generated, True, True)] * 7
    )  # 5,508 keys are taken and dealt, two times each, to three pieces
    assert result.statistics.depth > 100
    assert result.statistics.seconds > 0


@pytest.mark.parametrize("start", [State.start(WON), State.from_text(IMPROVED), State.from_text(HASTY)])
def test_every_successor_is_stored_or_a_duplicate(start):
    codec, first, second = Codec.of(start, start.rules), Meter(Budget()), Meter(Budget())
    line, _ = depth_first(start, codec, first)
    fewest_moves(start, codec, second, line)
    for meter in (first, second):
        assert meter.generated == meter.stored - 1 + meter.duplicates


class SetAfter:
    """A flag that is set once it has been looked at so many times."""

    def __init__(self, looks):
        self.left = looks

    def is_set(self):
        self.left -= 1
        return self.left < 0


def interrupt(_meter):
    raise KeyboardInterrupt


def test_an_interrupt_goes_through():
    with pytest.raises(KeyboardInterrupt):
        solve(LOST, on_progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(WON, objective="moves", on_progress=interrupt)


def test_a_search_can_be_cancelled_at_every_look():
    looks = SetAfter(10**9)
    whole = solve(LOST, cancel=looks)
    assert whole.reason is None
    for left in range(10**9 - looks.left):
        result = solve(LOST, cancel=SetAfter(left))
        assert result.reason == "cancelled"
        sorting = left > whole.statistics.generated // PERIOD
        assert result.verdict is (Verdict.LOST if sorting else Verdict.UNKNOWN)
        assert (result.line, result.evidence) == (None, None)


def test_what_is_won_stays_won_when_the_search_for_the_best_line_is_cancelled():
    first = solve(WON)
    looks = 1 + first.statistics.generated // PERIOD  # one at the start
    for objective in set(Objective) - {Objective.ANY}:
        result = solve(WON, objective=objective, cancel=SetAfter(looks))
        assert (result.verdict, result.line, result.reason) == (Verdict.WON, first.line, "cancelled")


def test_an_annotation_can_be_cancelled():
    won, unknown = Verdict.WON, Verdict.UNKNOWN
    assert annotate(WON, (TURN,) * 3, cancel=SetAfter(10**9)) == (won,) * 4
    assert annotate(WON, (TURN,) * 3, cancel=SetAfter(5)) == (won, won, unknown, unknown)
    assert annotate(WON, (TURN,) * 3, cancel=SetAfter(2)) == (unknown,) * 4
    assert annotate(WON, (TURN,) * 90, cancel=SetAfter(0)) == (unknown,) * 91  # not looked at further


@pytest.mark.parametrize("objective", [Objective.MOVES, Objective.PASSES, Objective.PASSES_MOVES])
def test_the_verdict_comes_before_the_best_line(objective):
    first = solve(WON)
    stored = first.statistics.stored
    result = solve(WON, objective=objective, budget=Budget(states=stored + 5))
    assert (result.verdict, result.line) == (Verdict.WON, first.line)
    assert result.reason == f"the budget of {stored + 5} states is used up"
    check(result.evidence)


def test_objectives_have_names():
    state = State.start(Deal.from_seed(81), READINGS["eagle-wing"])
    for objective in Objective:
        assert solve(state, objective=objective.value).line == solve(state, objective=objective).line


def test_a_won_position_is_won_by_no_move():
    state = State.start(WON)
    for move in solve(WON).line:
        state = state.play(move)
    for objective in Objective:
        result = solve(state, objective=objective)
        assert (result.verdict, result.line, result.passes) == (Verdict.WON, (), 1)
        check(result.evidence)


def test_a_position_has_its_own_rules():
    state = State.start(LOST, READINGS["perno-obliged"])
    assert solve(state).statistics.stored == solve(LOST, rules=state.rules).statistics.stored
    assert solve(state, rules=state.rules).evidence.start == state
    with pytest.raises(InvalidState, match="the position is under the rules perno-obliged, but eagle-wing was asked"):
        solve(state, rules=READINGS["eagle-wing"])
    with pytest.raises(InvalidState, match="not a position: 3 redeals left, expected 0 to 2"):
        solve(evolve(state, redeals=3))


def test_unlimited_redeals_end():
    result = solve(LOST, rules=Rules.from_text("perno-obliged,redeals=unlimited"))
    assert result.reason is None
    check(result.evidence)


def test_verdicts_have_no_truth_value():
    for verdict in Verdict:
        with pytest.raises(TypeError, match=r"neither true nor false: compare it, as in verdict is Verdict\.WON"):
            bool(verdict)


@pytest.mark.parametrize(
    ("name", "limit", "wanted"),
    [
        ("states", 0, "positive whole number"),
        ("states", -1, "positive whole number"),
        ("states", 1.5, "positive whole number"),
        ("states", True, "positive whole number"),
        ("bytes", 0, "positive whole number"),
        ("bytes", 1e9, "positive whole number"),
        ("seconds", 0, "positive number"),
        ("seconds", float("nan"), "positive number"),
        ("seconds", "1", "positive number"),
        ("seconds", True, "positive number"),
    ],
)
def test_limits_are_positive_numbers(name, limit, wanted):
    with pytest.raises(InvalidBudget, match=f"budget: {name} is {limit!r}, expected a {wanted}"):
        Budget(**{name: limit})


def test_a_waiting_state_that_is_reached_by_a_shorter_way_is_improved():
    result = solve(State.from_text(IMPROVED), objective="moves")
    check(result.evidence)
    assert len(result.line) == 18


@pytest.mark.slow
def test_breadth_first_search_finds_no_shorter_line():
    start = State.from_text(IMPROVED)
    depth, met, layer = 0, {start}, {start}
    while not any(state.is_won for state in layer):
        layer = {after for state in layer for _, after in state.successors()} - met
        met |= layer
        depth += 1
    assert len(solve(start, objective="moves").line) == depth


def test_the_fewest_passes_are_fewer_than_those_of_the_first_line():
    start = State.from_text(HASTY)
    hasty, best = solve(start), solve(start, objective="passes")
    assert best.passes < hasty.passes
    check(best.evidence)
    fewer = evolve(start, redeals=best.passes - 1)
    assert solve(fewer).verdict is Verdict.WON
    if best.passes > 1:
        assert solve(evolve(fewer, redeals=best.passes - 2)).verdict is Verdict.LOST
