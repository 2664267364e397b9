"""`solve`: one deal or position in, one frozen result out."""

from enum import Enum

from attrs import frozen

from perno_solver.codec import Codec
from perno_solver.deal import Deal
from perno_solver.errors import InvalidState
from perno_solver.moves import Line, MoveKind
from perno_solver.proof import Evidence, Verdict
from perno_solver.rules import PERNO, Rules
from perno_solver.search import Budget, Meter, Progress, Stopped, depth_first, fewest_moves, fewest_passes
from perno_solver.state import State


class Objective(Enum):
    """What the winning line is asked to be: any, one of the fewest moves, or one of the fewest passes."""

    ANY = "any"
    MOVES = "moves"
    PASSES = "passes"


@frozen
class Statistics:
    """What a search did.

    Args:
        stored: states stored; for a loss without pruning, all states that can be reached.
        generated: successors made.
        duplicates: those of them that were stored already.
        depth: moves in the longest line that was looked at.
        seconds: wall time.
    """

    stored: int
    generated: int
    duplicates: int
    depth: int
    seconds: float


@frozen
class Result:
    """The answer to `solve`.

    Args:
        verdict: won, lost, or unknown where the search stopped early.
        line: for a win, a winning line; of the objective's kind unless `reason` says otherwise.
        evidence: what proves the verdict to `proof.check`; None for an unknown one.
        statistics: what the search did.
        reason: why it stopped early; None if it did not.
    """

    verdict: Verdict
    line: Line | None
    evidence: Evidence | None
    statistics: Statistics
    reason: str | None = None

    @property
    def passes(self) -> int | None:
        """Times the line goes through the stock: its redeals and one; None where there is no line."""
        return None if self.line is None else 1 + sum(move.kind is MoveKind.REDEAL for move in self.line)


def solve(
    start: Deal | State,
    *,
    rules: Rules | None = None,
    objective: Objective | str = Objective.ANY,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    on_progress: Progress | None = None,
) -> Result:
    """Prove whether a deal, or a position in mid-game, can be won.

    The verdict comes first; an optimum is looked for afterwards. If the budget ends in between, the result is won,
    with the line found so far, and its reason says that the line is not proved the best.

    Args:
        start: the deal or the position.
        rules: the rules of the deal (default: the source's, `PERNO`); a position has its own.
        objective: which winning line is wanted.
        budget: how much to use; at its end, and on Ctrl-C, the verdict is unknown.
        on_progress: called now and then with the running counts.

    Raises:
        InvalidState: a position is not one, or is given with other rules than its own.

    >>> from perno_solver import Deal, solve
    >>> solve(Deal.from_seed(1)).verdict
    <Verdict.LOST: 'lost'>
    """
    objective = Objective(objective)
    if isinstance(start, State):
        start.check()
        if rules is not None and rules != start.rules:
            msg = f"the position is under the rules {start.rules}, but {rules} was asked for"
            raise InvalidState(msg)
        rules = start.rules
    rules = rules or PERNO
    codec = Codec.of(start, rules)
    state = start if isinstance(start, State) else State.start(start, rules)
    meter = Meter(budget, on_progress)
    verdict, line, evidence, reason = Verdict.UNKNOWN, None, None, None
    try:
        line, seen = depth_first(state, codec, meter)
        if line is None:
            verdict, evidence = Verdict.LOST, Evidence.of_loss(start, rules, seen)
        else:
            verdict = Verdict.WON
            del seen
            if objective is Objective.MOVES:
                line = fewest_moves(state, codec, meter)
            elif objective is Objective.PASSES:
                line = fewest_passes(state, codec, meter, line)
    except Stopped as stop:
        reason = str(stop)
    except KeyboardInterrupt:
        reason = "interrupted"
    if line is not None:
        evidence = Evidence.of_win(start, rules, line)
    statistics = Statistics(meter.stored, meter.generated, meter.duplicates, meter.depth, meter.seconds)
    return Result(verdict, line, evidence, statistics, reason)
