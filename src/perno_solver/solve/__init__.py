"""One deal at a time: `solve` and `annotate`, the two engines behind them, and what they answer."""

from perno_solver.solve.budget import CANCELLED, Budget
from perno_solver.solve.solving import Engine, Objective, Result, Statistics, annotate, solve

__all__ = ["CANCELLED", "Budget", "Engine", "Objective", "Result", "Statistics", "annotate", "solve"]
