"""Figures: intervals held against scipy and published values, totals against their laws."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import PERNO, READINGS, Verdict
from perno_solver.intervals import paired_difference, wilson
from perno_solver.survey.chunks import VERDICTS, Chunk
from perno_solver.survey.figures import Comparison, Pair, Totals, one_of_three, quantile

optimize = pytest.importorskip("scipy.optimize")
stats = pytest.importorskip("scipy.stats")


def chunk_of(codes: bytes, first: int = 0) -> Chunk:
    packed = bytearray((len(codes) + 3) // 4)
    for index, code in enumerate(codes):
        packed[index >> 2] |= code << 2 * (index & 3)
    return Chunk(PERNO, first, len(codes), bytes(packed), (len(codes),), (0, codes.count(1)), (0, codes.count(1)))


verdicts = st.lists(st.integers(0, 2), min_size=1, max_size=40).map(bytes)


@given(st.integers(1, 10**9).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_wilsons_interval_is_scipys(counts: tuple[int, int]) -> None:
    expected = stats.binomtest(*counts).proportion_ci(method="wilson")
    assert wilson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilsons_interval_holds_the_rate_and_stays_a_probability() -> None:
    for trials in (1, 2, 7, 1000):
        for hits in (0, trials // 2, trials):
            low, high = wilson(hits, trials)
            assert 0 <= low <= hits / trials <= high <= 1


def test_the_paired_interval_is_the_published_one() -> None:
    # M. W. Fagerland, S. Lydersen, P. Laake, Statistical Analysis of Contingency Tables (2017), chapter 8: complete
    # response before and after consolidation therapy, 6 and 16 of 161 patients under one alone
    assert paired_difference(6, 16, 161) == pytest.approx((-0.1195, -0.0032), abs=5e-5)


def tango(first_only: int, second_only: int, trials: int) -> tuple[float, float]:
    """Solve for Tango's score interval (Statistics in Medicine 17, 1998, 891–908), which has another derivation."""

    def score(delta: float) -> float:
        b = -first_only - second_only + (2 * trials - first_only + second_only) * delta
        q = (sqrt(max(0, b * b + 8 * trials * second_only * delta * (1 - delta))) - b) / (4 * trials)
        return (first_only - second_only - trials * delta) / sqrt(trials * (2 * q + delta * (1 - delta)))

    z, middle = stats.norm.ppf(0.975), (first_only - second_only) / trials
    low = optimize.brentq(lambda delta: score(delta) - z, -0.999, middle - 1e-9)
    return low, optimize.brentq(lambda delta: score(delta) + z, middle + 1e-9, 0.999)


@pytest.mark.parametrize("counts", [(6, 16, 161), (500, 3000, 100_000), (0, 40, 10_000), (12, 9, 1_000_000)])
def test_the_paired_interval_is_near_the_score_interval(counts: tuple[int, int, int]) -> None:
    low, high = paired_difference(*counts)
    assert (low, high) == pytest.approx(tango(*counts), abs=0.12 * (high - low))


@pytest.mark.parametrize(("first", "second"), [(0.1, 0.1), (0.02, 0.15), (0.005, 0.001)])
def test_the_paired_interval_covers_the_difference_as_often_as_it_says(first: float, second: float) -> None:
    trials, covered = 60, 0.0
    for one in range(trials + 1):
        for other in range(trials + 1 - one):
            low, high = paired_difference(one, other, trials)
            if low <= first - second <= high:
                both = [one, other, trials - one - other]
                covered += stats.multinomial.pmf(both, trials, [first, second, 1 - first - second])
    assert covered > 0.945


def test_no_difference_is_no_certainty() -> None:
    low, high = paired_difference(0, 0, 100)
    assert low == -high < 0
    assert paired_difference(0, 0, 0) == (-1, 1)


def test_one_of_three() -> None:
    assert one_of_three(0.5) == 0.875


@given(verdicts)
def test_totals_count_verdicts(codes: bytes) -> None:
    chunk = chunk_of(codes)
    assert chunk.codes() == codes
    totals, count = Totals.of(chunk), Counter(codes)
    assert (totals.unknown, totals.won, totals.lost) == tuple(count[code] for code in range(3))
    assert totals.deals == len(codes)
    low, high = totals.interval
    assert low <= totals.rate <= high
    for verdict in Verdict:
        assert chunk.seeds_with(verdict) == [i for i, code in enumerate(codes) if VERDICTS[code] is verdict]


def test_unknown_counts_as_lost_below_and_as_won_above() -> None:
    totals = Totals(won=10, lost=80, unknown=10)
    assert totals.interval == (wilson(10, 100)[0], wilson(20, 100)[1])


@given(st.lists(verdicts, min_size=3, max_size=3))
def test_totals_do_not_depend_on_the_order(parts: list[bytes]) -> None:
    all_totals = {sum(map(Totals.of, map(chunk_of, order)), Totals()) for order in permutations(parts)}
    assert all_totals == {Totals.of(chunk_of(b"".join(parts)))}


def test_quantiles() -> None:
    histogram = (0, 1, 0, 3)
    assert [quantile(histogram, share) for share in (0.25, 0.26, 1)] == [1, 3, 3]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2))))
def test_a_comparison_counts_pairs(codes: list[tuple[int, int]]) -> None:
    first, second = READINGS["perno"], READINGS["eagle-wing"]
    comparison = Comparison(
        range(7, 7 + len(codes)), {first: bytes(a for a, _ in codes), second: bytes(b for _, b in codes)}
    )
    pair = comparison.pair(first, second)
    assert pair == Pair(
        codes.count((1, 1)), codes.count((1, 2)), codes.count((2, 1)), codes.count((2, 2)), len(codes) - pair.deals
    )
    differing = list(comparison.differing(first, second))
    assert len(differing) == pair.first_only + pair.second_only
    for seed, *both in differing:
        assert [VERDICTS[code] for code in codes[seed - 7]] == both
    assert pair.interval[0] <= pair.difference <= pair.interval[1]
    mirrored = comparison.pair(second, first)
    assert mirrored.difference == -pair.difference
