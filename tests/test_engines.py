"""The two engines have one contract: the same verdicts and optima, limits that bite, lines that play."""

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from short_games import short_games

from perno_solver import (
    CARDS,
    PERNO,
    READINGS,
    Budget,
    Codec,
    Deal,
    Move,
    MoveKind,
    Rules,
    State,
    Verdict,
    check,
    engine_info,
    solve,
)
from perno_solver.codec import join_keys
from perno_solver.engine import begin, kernel_for
from perno_solver.kernel import COMPILED, LEMMAS
from perno_solver.lemmas import needed
from perno_solver.search import Meter, depth_first
from perno_solver.strategies import deals, rules, states

LONG = (Deal.from_seed(4), Rules(pivot_open=True))  # a search of some ten thousand nodes
MOST = 2_000  # states of a game that is compared whole


def closed_under(successors_of, start, codec, most=MOST):
    """The keys of a state and of all that follow, or None where they are too many."""
    seen, waiting = {codec.encode(start)}, [start]
    while waiting:
        for _, after in successors_of(waiting.pop()):
            key = codec.encode(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > most:
            return None
    return join_keys(seen)


def kernel_at(start, codec, lemmas=0):
    kernel = kernel_for(start.rules, lemmas)
    begin(kernel, start, codec)
    return kernel


def test_the_engine_in_use_is_told():
    assert engine_info().compiled is COMPILED
    assert str(evolve(engine_info(), compiled=True)) == "compiled kernel"
    assert "no C compiler" in str(evolve(engine_info(), compiled=False))


# Verdicts


@given(states(max_moves=60))
def test_every_state_is_walked_and_every_verdict_is_the_plain_one(start):
    codec = Codec.of(start, start.rules)
    keys = closed_under(State.successors, start, codec)
    assume(keys is not None)
    kernel = kernel_at(start, codec)
    assert kernel.breadth_first(first_only=False, cites=False, most=1 << 20) == "lost"
    assert kernel.keys() == keys
    line, _ = depth_first(start, codec, Meter(Budget()))
    assert solve(start).verdict is (Verdict.LOST if line is None else Verdict.WON)


@given(short_games(), st.sets(st.sampled_from(sorted(LEMMAS.values()))).map(sum))
def test_no_lemma_changes_a_verdict(short, lemmas):
    codec = Codec.of(short.start, short.rules)
    verdict = kernel_at(short.start, codec).breadth_first(first_only=True, cites=False, most=20_000)
    assume(verdict in {"won", "lost"})
    for switch in (lemmas, lemmas | LEMMAS["hold"], sum(LEMMAS.values())):
        assert kernel_at(short.start, codec, switch).decide(1 << 20) == verdict


@given(states(deals=deals(), rules=rules(), max_moves=80))
def test_the_kernel_cites_what_the_checker_cites(start):
    codec = Codec.of(start, start.rules)
    keys = closed_under(needed, start, codec, 300)
    assume(keys is not None)
    kernel = kernel_at(start, codec)
    kernel.breadth_first(first_only=False, cites=True, most=1 << 20)
    assert kernel.keys() == keys


@given(short_games())
def test_what_is_needed_decides(short):
    codec = Codec.of(short.start, short.rules)
    verdict = kernel_at(short.start, codec).breadth_first(first_only=True, cites=False, most=20_000)
    assume(verdict in {"won", "lost"})
    assert kernel_at(short.start, codec).breadth_first(first_only=True, cites=True, most=20_000) == verdict


@pytest.mark.parametrize("name", READINGS)
def test_named_readings_are_decided_with_evidence(name):
    won = 0
    for seed in range(20):
        result = solve(Deal.from_seed(seed), rules=READINGS[name], budget=Budget(states=20_000))
        if result.evidence is not None and (result.line is not None or len(result.evidence.keys) < 5_000):
            check(result.evidence)
        won += result.verdict is Verdict.WON
    assert 0 <= won < 20


# Limits


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(states=1), "the budget of 1 states is used up"),
        (Budget(states=100), "the budget of 100 states is used up"),
        (Budget(bytes=1), "the budget of 1 bytes is used up"),
        (Budget(bytes=10_000), "the budget of 10000 bytes is used up"),
        (Budget(seconds=1e-9), "the budget of 1e-09 seconds is used up"),
    ],
)
def test_a_used_up_budget_leaves_the_verdict_unknown(budget, reason):
    deal, open_rules = LONG
    result = solve(deal, rules=open_rules, budget=budget)
    assert (result.verdict, result.reason, result.line, result.evidence) == (Verdict.UNKNOWN, reason, None, None)
    if budget.states:
        assert result.statistics.stored == budget.states


def test_a_budget_may_end_after_the_verdict():
    deal = Deal.from_seed(2)
    first = solve(deal)
    states = first.statistics.stored
    result = solve(deal, objective="moves", budget=Budget(states=states + 5))
    assert (result.verdict, result.line, result.evidence) == (Verdict.WON, first.line, first.evidence)
    assert result.reason == f"the budget of {states + 5} states is used up"
    lost = Deal.from_seed(3)
    enough = solve(lost, evidence=False).statistics.stored
    result = solve(lost, rules=PERNO, budget=Budget(states=enough + 1))
    assert (result.verdict, result.line) == (Verdict.LOST, None)


def test_evidence_is_made_where_it_is_wanted():
    assert solve(Deal.from_seed(1), evidence=False).evidence is None
    assert solve(Deal.from_seed(1)).evidence.cites
    assert not solve(Deal.from_seed(1), rules=READINGS["perno-obliged"], engine="readable").evidence.cites


def test_progress_and_interrupts_reach_a_long_search():
    deal, open_rules = LONG
    meters = []

    def interrupt(meter):
        meters.append((meter.stored, meter.generated, meter.seconds))
        raise KeyboardInterrupt

    result = solve(deal, rules=open_rules, on_progress=interrupt)
    assert (result.verdict, result.reason, len(meters)) == (Verdict.UNKNOWN, "interrupted", 1)
    assert 0 < meters[0][0] <= meters[0][1]
    told = []
    result = solve(deal, rules=open_rules, on_progress=lambda meter: told.append(meter.stored))
    assert result.verdict is Verdict.LOST
    assert told == sorted(told)


def test_an_error_of_the_watcher_is_raised():
    def fail(_meter):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solve(LONG[0], rules=LONG[1], on_progress=fail)


def test_a_watcher_may_stop_a_search():
    deal, open_rules = LONG
    start = State.start(deal, open_rules)
    kernel = kernel_at(start, Codec.of(start, open_rules))
    kernel.watch(lambda *_counts: True)
    assert kernel.decide(1 << 20) == "stopped"


# Optima


@given(short_games(), st.sampled_from(["moves", "passes"]))
def test_optima_are_those_of_the_readable_engine(short, objective):
    budget = Budget(states=2_000)
    readable = solve(short.start, objective=objective, budget=budget, engine="readable")
    assume(readable.reason is None)
    result = solve(short.start, objective=objective)
    assert result.verdict is readable.verdict
    if result.line is not None:
        assert result.passes == readable.passes if objective == "passes" else len(result.line) == len(readable.line)


# Surveys


@pytest.mark.parametrize("name", ["perno", "perno-obliged", "eagle-wing", "perno-packed"])
def test_a_survey_says_what_solve_says(name):
    first, count = 2**64 - 3, 3
    verdicts, states_seen, moves_seen, passes_seen = kernel_for(READINGS[name]).survey(first, count, 1 << 20)
    codes = {Verdict.WON: 1, Verdict.LOST: 2}
    results = [solve(Deal.from_seed(first + i), rules=READINGS[name], evidence=False) for i in range(count)]
    assert [verdicts[i // 4] >> 2 * (i % 4) & 3 for i in range(count)] == [codes[one.verdict] for one in results]
    assert sum(states_seen) == count
    won = [one for one in results if one.line is not None]
    assert sum(moves_seen) == sum(passes_seen) == len(won)
    for result in won:
        assert moves_seen[len(result.line)]
        assert passes_seen[result.passes]


def test_a_survey_counts_what_it_cannot_decide():
    verdicts, *_ = kernel_for(PERNO).survey(0, 5, 1)
    assert [verdicts[i // 4] >> 2 * (i % 4) & 3 for i in range(5)].count(0) > 0


# Each lemma and each engine, on whole deals

BRANCHES = [
    line.split("\t")
    for line in (Path(__file__).parent / "data" / "branches.tsv").read_text(encoding="utf-8").splitlines()[2:]
]


def test_branches_are_taken_without_a_wrong_verdict():
    assert len(BRANCHES) > 100
    for text, seed, names in BRANCHES:
        chosen, deal = Rules.from_text(text), Deal.from_seed(int(seed))
        start, codec = State.start(deal, chosen), Codec.of(deal, chosen)
        kernel = kernel_at(start, codec, sum(LEMMAS[name] for name in names.split("+")))
        verdict = kernel.decide(250)
        if verdict == "won":
            state = start
            for kind, card in kernel.line():
                state = state.play(Move(MoveKind(kind), None if kind in "TR" else CARDS[card]))
            assert state.is_won
        plain = kernel_at(start, codec).breadth_first(first_only=True, cites=False, most=2_000)
        assert "states" in {verdict, plain} or verdict == plain
        cited = kernel_at(start, codec).breadth_first(first_only=True, cites=True, most=2_000)
        assert "states" in {cited, plain} or cited == plain
