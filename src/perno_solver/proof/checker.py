"""The checker of evidence: it knows the rules, the two lemmas that may be cited, and no search."""

from perno_solver.checks import require
from perno_solver.errors import BadEvidence, IllegalMove
from perno_solver.game.codec import join_keys
from perno_solver.game.moves import Line
from perno_solver.game.state import State
from perno_solver.lemmas import needed
from perno_solver.proof.evidence import Evidence


def check(evidence: Evidence) -> None:
    """Accept evidence that proves its verdict under the plain rules, and raise for any other.

    A line is played move by move. A set of keys is walked from the start: the key of every successor, or of every one
    that the lemmas cited leave needed, must be a member, no member may be won, and every member must be reached, so
    that nothing foreign is carried along.

    Complexity: linear in the moves, or in the states and their successors.

    Raises:
        BadEvidence: it does not prove its verdict; the message says where it fails.
    """
    require(evidence, Evidence, BadEvidence, "Evidence")
    start = evidence.start if isinstance(evidence.start, State) else State.start(evidence.start, evidence.rules)
    wrong = start.what_is_wrong()
    if wrong or start.rules != evidence.rules:
        msg = f"the start is not a position under the rules {evidence.rules}{f': {wrong}' if wrong else ''}"
        raise BadEvidence(msg)
    if evidence.line is not None:
        _check_line(start, evidence.line)
    else:
        _check_set(start, evidence)


def _check_line(state: State, line: Line) -> None:
    for number, move in enumerate(line, start=1):
        if state.is_won:
            msg = f"the game is won before move {number} of {len(line)}, {move}"
            raise BadEvidence(msg)
        try:
            state = state.play(move)
        except IllegalMove as error:
            msg = f"move {number}: {error}"
            raise BadEvidence(msg) from None
    if not state.is_won:
        msg = f"after all {len(line)} moves {sum(state.foundations)} cards are on the foundations, expected 52"
        raise BadEvidence(msg)


def _check_set(start: State, evidence: Evidence) -> None:
    codec = evidence.codec
    successors = needed if evidence.cites else State.successors
    listed = list(evidence)
    members = set(listed)
    if b"".join(listed) != join_keys(members):
        msg = "the keys are not in ascending order, each once"
        raise BadEvidence(msg)
    first = codec.encode(start)
    if first not in members:
        msg = "the start is not in the set"
        raise BadEvidence(msg)
    reached, waiting = {first}, [first]
    while waiting:
        state = codec.decode(waiting.pop())
        if state.is_won:
            msg = "the set holds a won state"
            raise BadEvidence(msg)
        for move, successor in successors(state):
            key = codec.encode(successor)
            if key not in members:
                msg = f"the set is not closed: it lacks what {move} leads to from\n{state}"
                raise BadEvidence(msg)
            if key not in reached:
                reached.add(key)
                waiting.append(key)
    if len(reached) != len(members):
        msg = f"{len(members) - len(reached)} keys are foreign: nothing in the set leads to them"
        raise BadEvidence(msg)
