"""One deal at a time: `solve` and `annotate`, the two engines behind them, and what they answer."""

from perno_solver.solve.budget import Budget
from perno_solver.solve.solving import INTERRUPTED, Engine, Objective, Result, Statistics, annotate, solve

__all__ = ["INTERRUPTED", "Budget", "Engine", "Objective", "Result", "Statistics", "annotate", "solve"]
