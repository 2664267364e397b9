"""One deal at a time: verdicts, odds and hints, the two engines behind them, and players."""

from perno_solver.solve.budget import CANCELLED, Budget
from perno_solver.solve.hint import Hint, hint
from perno_solver.solve.odds import Odds, Share, odds, odds_in_steps
from perno_solver.solve.players import Level, level, play_out
from perno_solver.solve.solving import Engine, Objective, Result, Statistics, annotate, solve

__all__ = [
    "CANCELLED",
    "Budget",
    "Engine",
    "Hint",
    "Level",
    "Objective",
    "Odds",
    "Result",
    "Share",
    "Statistics",
    "annotate",
    "hint",
    "level",
    "odds",
    "odds_in_steps",
    "play_out",
    "solve",
]
