"""Named workloads for pytest-benchmark: `python -m pytest bench`."""

import io
import itertools

import pytest

from perno_solver import READINGS, Deal, Evidence, check, odds, play_out, solve
from perno_solver.solve.engine import MOST_STATES, kernel_for
from perno_solver.solve.players import careful

WON = [seed for seed in range(60) if solve(Deal.from_seed(seed), evidence=False).line is not None]
LOST = [seed for seed in range(60) if seed not in WON]


def test_first_solve(benchmark):
    """One deal, from its seed to its verdict, without evidence."""
    benchmark(lambda: solve(Deal.from_seed(42), evidence=False))


@pytest.mark.parametrize("name", READINGS)
def test_a_thousand_seeds(benchmark, name):
    """A thousand deals inside the kernel."""
    kernel = kernel_for(READINGS[name])
    benchmark.pedantic(lambda: kernel.survey(0, 1_000, MOST_STATES), rounds=3)


def test_evidence(benchmark):
    """What proves the losses among sixty deals, made and written."""

    def prove():
        for seed in LOST:
            solve(Deal.from_seed(seed)).evidence.write(io.BytesIO())

    benchmark.pedantic(prove, rounds=3)


def test_check(benchmark):
    """Those pieces of evidence that hold at most a thousand states, read and checked."""
    files = []
    for seed in LOST:
        evidence = solve(Deal.from_seed(seed)).evidence
        if len(evidence.keys) <= 16_000:
            file = io.BytesIO()
            evidence.write(file)
            files.append(file.getvalue())
    benchmark.pedantic(lambda: [check(Evidence.read(io.BytesIO(file))) for file in files], rounds=3)


@pytest.mark.parametrize("objective", ["any", "moves", "passes", "passes,moves"])
def test_lines(benchmark, objective):
    """The deals of sixty that are won: a line, or one of the fewest moves, of the fewest passes, or both."""
    benchmark.pedantic(lambda: [solve(Deal.from_seed(seed), objective=objective) for seed in WON], rounds=3)


@pytest.mark.parametrize("engine", ["kernel", "readable"])
def test_engines(benchmark, engine):
    """A small lost deal, decided and proved by either engine."""
    benchmark.pedantic(lambda: solve(Deal.from_seed(42), engine=engine), rounds=3)


def test_odds(benchmark):
    """The odds of all moves in 500 worlds, in the middle of a game of `perno` that a careful player plays: each."""
    views = []
    for seed in range(100_000_000, 100_000_100):
        game = play_out(Deal.from_seed(seed), careful)
        view = game.view(len(game.moves) // 2)
        if not view.is_known and len(view.legal_moves()) > 1:
            views.append(view)
    turns = itertools.cycle(views)
    benchmark.pedantic(lambda: odds(next(turns), worlds=500), rounds=len(views))


def test_shuffle(benchmark):
    """A deck from a seed, in Python."""
    benchmark(lambda: Deal.from_seed(42))
