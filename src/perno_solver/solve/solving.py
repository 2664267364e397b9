"""`solve`: one deal or position in, one frozen result out."""

from collections.abc import Callable, Iterable
from typing import Literal

from attrs import evolve, frozen

from perno_solver.checks import Choice, got, require
from perno_solver.errors import IllegalMove, InvalidBudget, InvalidChoice
from perno_solver.game.codec import Codec, join_keys
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line, Move, MoveKind, as_line
from perno_solver.game.rules import Rules
from perno_solver.game.state import State, as_game
from perno_solver.proof import Evidence, Verdict
from perno_solver.solve import engine as kernel
from perno_solver.solve import readable
from perno_solver.solve.budget import Budget, Flag, Meter, Progress, Stopped, check_flag


class Objective(Choice):
    """What the winning line is to be: any, of the fewest moves, of the fewest passes, or of those the fewest moves."""

    ANY = "any"
    MOVES = "moves"
    PASSES = "passes"
    PASSES_MOVES = "passes,moves"


@frozen
class Statistics:
    """What a search did.

    Args:
        stored: states stored; for a loss without pruning, all states that can be reached.
        generated: successors made.
        duplicates: those of them that were stored already.
        depth: how deep it went: in moves where the fewest are searched for, and in the readable engine; else in
            choices, as the kernel plays at once what needs none: 0 for a deal won without any.
        seconds: wall time.
    """

    stored: int
    generated: int
    duplicates: int
    depth: int
    seconds: float


@frozen(repr=False)
class Result:
    """The answer to `solve`.

    Args:
        verdict: won, lost, or unknown where the search stopped early.
        line: for a win, a winning line; of the objective's kind unless `reason` says otherwise.
        evidence: what proves the verdict to `proof.check`; None for an unknown one, and where none was asked for.
        statistics: what the search did.
        reason: why it stopped before it had all that was asked for; None if it did not.
        at_least: moves that it was proved to take: any line that wins or, of those with the fewest passes where these
            were asked for, too. None where the fewest moves were not looked for.
    """

    verdict: Verdict
    line: Line | None
    evidence: Evidence | None
    statistics: Statistics
    reason: str | None = None
    at_least: int | None = None

    def __repr__(self) -> str:
        """Say what it is, in a line; `to_json` is there to rebuild it."""
        how = "" if self.line is None else f"moves={len(self.line)}, passes={self.passes}, "
        how += "" if self.at_least is None else f"at_least={self.at_least}, "
        reason = "" if self.reason is None else f", reason={self.reason!r}"
        used = f"states={self.statistics.stored}, seconds={self.statistics.seconds:.3f}"
        return f"<Result {self.verdict.value}: {how}{used}{reason}>"

    @property
    def passes(self) -> int | None:
        """Times the line goes through the stock: its redeals and one; None where there is no line."""
        return None if self.line is None else 1 + sum(move.kind is MoveKind.REDEAL for move in self.line)


class Engine(Choice):
    """Which engine searches: the kernel, built for speed; or the readable one, plain searches over `State`."""

    KERNEL = "kernel"
    READABLE = "readable"


# Each engine's searches: for any winning line (or else, if it has them, the keys of all that can be reached); and,
# given one, for a line of the fewest moves, with why it may not be that.
_Decide = Callable[[State, Codec, Meter], tuple[Line | None, set[bytes] | None]]
_FewestMoves = Callable[[State, Codec, Meter, Line], tuple[Line, str | None]]
_SEARCHES: dict[Engine, tuple[_Decide, _FewestMoves]] = {
    Engine.KERNEL: (kernel.decide, kernel.fewest_moves),
    Engine.READABLE: (readable.depth_first, readable.fewest_moves),
}


def solve(
    start: Deal | State | str,
    *,
    rules: Rules | str | None = None,
    objective: Objective | Literal["any", "moves", "passes", "passes,moves"] = Objective.ANY,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    evidence: bool = True,
    on_progress: Progress | None = None,
    cancel: Flag | None = None,
    engine: Engine | Literal["kernel", "readable"] = Engine.KERNEL,
) -> Result:
    """Prove whether a deal, or a position in mid-game, can be won.

    The verdict comes first; an optimum, and what proves a loss, are looked for afterwards. If the budget ends in
    between, the verdict stands, and the reason says what is missing.

    Args:
        start: the deal or the position, or the text of either.
        rules: the rules of the deal, or their text (default: the source's, `PERNO`); a position has its own.
        objective: which winning line is wanted.
        budget: how much to use; at its end the verdict is unknown, with a reason.
        evidence: whether a loss is to be proved, too, by a set of states for `proof.check`.
        on_progress: called every few milliseconds with the running counts; what it raises goes through.
        cancel: set it from another thread, as a `threading.Event`, to end the search within 50 milliseconds, as a
            budget would; the reason is "cancelled".
        engine: which engine searches. Their verdicts and optima are the same; what proves a loss cites lemmas where
            the kernel made it, and nothing but the rules where the readable engine did.

    Raises:
        InvalidDeal: the start is neither a deal nor a position.
        InvalidState: a position is not one, or is given with other rules than its own.
        InvalidRules: the rules are none.
        InvalidChoice: there is no such objective or engine.
        InvalidBudget: the budget is none.
        KeyboardInterrupt: on Ctrl-C.

    >>> from perno_solver import Deal, solve
    >>> solve(Deal.from_seed(1)).verdict
    <Verdict.LOST: 'lost'>
    """
    objective = Objective(objective)
    require(budget, Budget, InvalidBudget, "a Budget")
    if not (on_progress is None or callable(on_progress)):
        raise InvalidChoice(got(on_progress, "a function for on_progress"))
    check_flag(cancel)
    start, rules = as_game(start, rules)
    state = start if isinstance(start, State) else State.start(start, rules)
    codec = Codec.of(start, rules)
    decide, fewest_moves = _SEARCHES[Engine(engine)]
    meter = Meter(budget, on_progress, cancel)
    verdict, line, proof, reason, at_least = Verdict.UNKNOWN, None, None, None, None
    try:
        meter.go_on()  # for many quick searches are cancelled, too
        line, seen = decide(state, codec, meter)
        verdict = Verdict.LOST if line is None else Verdict.WON
        if line is None and evidence:
            keys = kernel.closed_set(state, codec, meter) if seen is None else join_keys(seen, meter.look)
            proof = Evidence(start, rules, keys=keys, cites=seen is None)
        elif line is not None:
            if objective in {Objective.PASSES, Objective.PASSES_MOVES}:
                state, codec, line = _fewest_passes(decide, state, codec, meter, line)
            if objective in {Objective.MOVES, Objective.PASSES_MOVES}:
                line, reason = fewest_moves(state, codec, meter, line)
                at_least = meter.between[0]
    except Stopped as stop:
        reason = str(stop)
    except MemoryError:
        reason = "the machine's memory is used up"
    if line is not None:
        proof = Evidence(start, rules, line)
    statistics = Statistics(meter.stored, meter.generated, meter.duplicates, meter.depth, meter.seconds)
    return Result(verdict, line, proof, statistics, reason, at_least)


def annotate(
    start: Deal | State | str,
    line: Iterable[Move | str] | str,
    *,
    rules: Rules | str | None = None,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    cancel: Flag | None = None,
) -> tuple[Verdict, ...]:
    """Say of a game as it was played whether it could still be won: before the first move, and after each.

    Args:
        start: the deal or the position that it began with, or the text of either.
        line: the moves that were played, or their text.
        rules: the rules of the deal, or their text (default `PERNO`); a position has its own.
        budget: how much each verdict may use.
        cancel: as in `solve`; set, it leaves all further verdicts unknown, and further moves unchecked.

    Raises:
        IllegalMove: a move was not legal; the message says which, by its place from 1.
        InvalidMove: one of them is not a move.
        InvalidDeal, InvalidState, InvalidRules, InvalidBudget: as in `solve`.
        KeyboardInterrupt: on Ctrl-C.

    >>> [verdict.value for verdict in annotate(Deal.from_seed(10), "T T")]
    ['won', 'won', 'won']
    """
    require(budget, Budget, InvalidBudget, "a Budget")
    check_flag(cancel)
    start, rules = as_game(start, rules)
    states = [start if isinstance(start, State) else State.start(start, rules)]
    line = as_line(line)
    for place, move in enumerate(line, start=1):
        if cancel is not None and cancel.is_set():
            return (Verdict.UNKNOWN,) * (len(line) + 1)
        try:
            states.append(states[-1].play(move))
        except IllegalMove as error:
            msg = f"move {place}: {error}"
            raise IllegalMove(msg) from None
    verdicts: list[Verdict] = []
    for at in states:
        if verdicts and verdicts[-1] is Verdict.LOST:  # and no move wins back what is lost
            verdicts.append(Verdict.LOST)
            continue
        result = solve(at, budget=budget, evidence=False, cancel=cancel)
        verdicts.append(result.verdict)
        if result.verdict is Verdict.WON:  # and so it was before
            verdicts = [Verdict.WON] * len(verdicts)
    return tuple(verdicts)


def _fewest_passes(decide: _Decide, start: State, codec: Codec, meter: Meter, line: Line) -> tuple[State, Codec, Line]:
    """Find a winning line with the fewest redeals, given one that wins; return the game with no more of them, and it.

    What wins with k redeals left wins with more, so the search is asked with 0, 1, 2, … redeals left until it says
    yes, at the latest with as many as the given line uses.
    """
    used = sum(move.kind is MoveKind.REDEAL for move in line)
    for redeals in range(used + 1):
        rules = evolve(start.rules, redeals=redeals)
        fewer, its_codec = evolve(start, rules=rules, redeals=redeals), evolve(codec, rules=rules)
        found = None if redeals == used else decide(fewer, its_codec, meter)[0]
        if found is not None:
            return fewer, its_codec, found
    return fewer, its_codec, line
