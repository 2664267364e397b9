"""Proves whether a deal of the card solitaire Perno Variabile can be won, the recycled waste passes included."""

from perno_solver.as_json import from_data, from_json, to_data, to_json
from perno_solver.errors import (
    BadEvidence,
    IllegalMove,
    InvalidBudget,
    InvalidCard,
    InvalidChoice,
    InvalidDeal,
    InvalidJson,
    InvalidMove,
    InvalidRecord,
    InvalidRules,
    InvalidState,
    PernoError,
    TooLarge,
)
from perno_solver.game.cards import CARDS, Card, Suit
from perno_solver.game.codec import Codec
from perno_solver.game.deal import Deal
from perno_solver.game.moves import REDEAL, TURN, Line, Move, MoveKind, line_text, parse_line
from perno_solver.game.record import Game, Seen, read_games
from perno_solver.game.rules import PERNO, READINGS, Build, Place, Reform, Rules, Turning
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.proof import Evidence, Verdict, check
from perno_solver.show.picture import picture
from perno_solver.show.replay import replay
from perno_solver.show.table import Table
from perno_solver.solve import (
    Engine,
    Hint,
    Level,
    Objective,
    Odds,
    Result,
    Share,
    Statistics,
    annotate,
    hint,
    level,
    odds,
    odds_in_steps,
    play_out,
    solve,
)
from perno_solver.solve.budget import Budget
from perno_solver.solve.engine import EngineInfo, engine_info

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
    "Game",
    "Hint",
    "IllegalMove",
    "InvalidBudget",
    "InvalidCard",
    "InvalidChoice",
    "InvalidDeal",
    "InvalidJson",
    "InvalidMove",
    "InvalidRecord",
    "InvalidRules",
    "InvalidState",
    "Level",
    "Line",
    "Move",
    "MoveKind",
    "Objective",
    "Odds",
    "PernoError",
    "Place",
    "Reform",
    "Result",
    "Rules",
    "Seen",
    "Share",
    "State",
    "Statistics",
    "Suit",
    "Table",
    "TooLarge",
    "Turning",
    "Verdict",
    "View",
    "annotate",
    "check",
    "engine_info",
    "from_data",
    "from_json",
    "hint",
    "level",
    "line_text",
    "odds",
    "odds_in_steps",
    "parse_line",
    "picture",
    "play_out",
    "read_games",
    "replay",
    "solve",
    "to_data",
    "to_json",
]
