"""Proves whether a deal of the card solitaire Perno Variabile can be won, the recycled waste passes included."""

from perno_solver.cards import CARDS, Card, Suit
from perno_solver.codec import Codec
from perno_solver.deal import Deal
from perno_solver.engine import EngineInfo, engine_info
from perno_solver.errors import (
    BadEvidence,
    IllegalMove,
    InvalidBudget,
    InvalidCard,
    InvalidChoice,
    InvalidDeal,
    InvalidMove,
    InvalidRules,
    InvalidState,
    PernoError,
)
from perno_solver.moves import REDEAL, TURN, Line, Move, MoveKind, line_text, parse_line
from perno_solver.proof import Evidence, Verdict, check
from perno_solver.rules import PERNO, READINGS, Build, Place, Reform, Rules, Turning
from perno_solver.search import Budget
from perno_solver.solve import Engine, Objective, Result, Statistics, annotate, solve
from perno_solver.state import State

__version__ = "0.1.0"

__all__ = [
    "CARDS",
    "PERNO",
    "READINGS",
    "REDEAL",
    "TURN",
    "BadEvidence",
    "Budget",
    "Build",
    "Card",
    "Codec",
    "Deal",
    "Engine",
    "EngineInfo",
    "Evidence",
    "IllegalMove",
    "InvalidBudget",
    "InvalidCard",
    "InvalidChoice",
    "InvalidDeal",
    "InvalidMove",
    "InvalidRules",
    "InvalidState",
    "Line",
    "Move",
    "MoveKind",
    "Objective",
    "PernoError",
    "Place",
    "Reform",
    "Result",
    "Rules",
    "State",
    "Statistics",
    "Suit",
    "Turning",
    "Verdict",
    "annotate",
    "check",
    "engine_info",
    "line_text",
    "parse_line",
    "solve",
]
