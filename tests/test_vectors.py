"""Numbers of an independent exhaustive solver and move generator that must come out exactly; see data/."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from perno_solver import READINGS, Budget, Codec, Deal, Objective, State, Verdict, check, solve
from perno_solver.kernel import COMPILED
from perno_solver.solve.budget import Meter, Stopped
from perno_solver.solve.engine import MOST_STATES, begin, kernel_for
from perno_solver.solve.readable import depth_first

DATA = Path(__file__).parent / "data"


@cache
def table(name):
    lines = (DATA / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    names, *rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return [dict(zip(names, row, strict=True)) for row in rows]


DEALS = {row["id"]: Deal.from_text(row["deck"]) for row in table("verdicts")}


def assert_verdicts(reading, lost_states, won_states):
    """Hold all deals of a reading that are decided within some states, lost or won, against their verdicts."""
    rules = READINGS[reading]
    decided = Counter()
    for row in table("verdicts"):
        verdict, _, count = row[reading].partition(" ")
        if count and int(count) > lost_states:
            continue
        deal = DEALS[row["id"]]
        state = State.start(deal, rules)
        try:
            line, seen = depth_first(state, Codec.of(deal, rules), Meter(Budget(states=int(count or won_states))))
        except Stopped:
            assert verdict == "won", row["id"]
            continue
        assert verdict == ("lost" if line is None else "won"), row["id"]
        if line is None:
            assert len(seen) == int(count), row["id"]
        else:
            for move in line:
                state = state.play(move)
            assert state.is_won
        decided[verdict] += 1
    return decided


@pytest.mark.parametrize("reading", READINGS)
def test_verdicts_and_state_counts(reading):
    decided = assert_verdicts(reading, lost_states=400, won_states=110)
    assert decided["won"]
    assert decided["lost"] or "packed" in reading  # where cards are packed, lost games are large


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_feasible_verdicts_and_state_counts(reading):
    decided = assert_verdicts(reading, lost_states=30_000 if "packed" in reading else 120_000, won_states=1_000)
    assert decided["won"] >= 5
    assert decided["lost"] >= 5


@pytest.mark.parametrize("row", table("perft"), ids=lambda row: f"{row['id']}-{row['reading']}")
def test_perft_to_15(row):
    assert_perft(row, 15)


@pytest.mark.slow
@pytest.mark.parametrize("row", table("perft"), ids=lambda row: f"{row['id']}-{row['reading']}")
def test_perft_to_24(row):
    assert_perft(row, 24)


def assert_perft(row, depth):
    at = Counter([State.start(DEALS[row["id"]], READINGS[row["reading"]])])
    counts = []
    for _ in range(depth):
        after = Counter()
        for state, ways in at.items():
            for _, successor in state.successors():
                after[successor] += ways
        counts.append(after.total())
        at = after
    assert counts == [int(count) for count in row["counts"].split()[:depth]]


@pytest.mark.parametrize("row", table("seeds"), ids=lambda row: row["seed"])
def test_seeds(row):
    assert str(Deal.from_seed(int(row["seed"]))) == row["deck"]


# The kernel; where it runs as plain Python, on few deals

FEW = slice(None) if COMPILED else slice(5)


@pytest.mark.parametrize("reading", READINGS)
def test_the_kernel_gives_every_verdict(reading):
    for row in table("verdicts")[FEW]:
        result = solve(DEALS[row["id"]], rules=READINGS[reading], evidence=False)
        assert result.verdict.value == row[reading].split()[0], row["id"]


def assert_counts(reading, rows):
    for row in rows:
        verdict, _, count = row[reading].partition(" ")
        if verdict == "lost":
            deal, rules = DEALS[row["id"]], READINGS[reading]
            kernel = kernel_for(rules)
            begin(kernel, State.start(deal, rules), Codec.of(deal, rules))
            assert kernel.breadth_first(first_only=False, cites=False, most=MOST_STATES) == "lost"
            assert kernel.counts()[0] == int(count), row["id"]


@pytest.mark.parametrize("reading", ["perno", "perno-tens", "perno-obliged", "eagle-wing"])
def test_the_kernel_reaches_every_state(reading):
    assert_counts(reading, table("verdicts")[FEW])


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["perno-packed", "eagle-wing-packed"])
def test_the_kernel_reaches_every_state_of_packed_games(reading):
    assert_counts(reading, table("verdicts"))


def assert_shortest(row, engine):
    result = solve(DEALS[row["id"]], objective=Objective.MOVES, engine=engine)
    check(result.evidence)
    assert result.verdict is Verdict.WON
    assert result.reason is None
    assert len(result.line) == int(row["moves"])


@pytest.mark.parametrize(
    "row", [row for row in table("shortest") if COMPILED or row["id"] == "32"], ids=lambda row: row["id"]
)
def test_shortest(row):
    assert_shortest(row, "kernel")


@pytest.mark.parametrize("row", [row for row in table("shortest") if row["id"] == "96"], ids=lambda row: row["id"])
def test_shortest_by_the_readable_engine(row):
    assert_shortest(row, "readable")


@pytest.mark.slow
@pytest.mark.parametrize("row", table("shortest"), ids=lambda row: row["id"])
def test_all_shortest_by_the_readable_engine(row):
    assert_shortest(row, "readable")
