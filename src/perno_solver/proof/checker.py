"""The checker of evidence: it knows the rules, the two lemmas that may be cited, and no search."""

from array import array
from bisect import bisect_left

from perno_solver.checks import require
from perno_solver.errors import BadEvidence
from perno_solver.game.moves import Line
from perno_solver.game.state import State
from perno_solver.lemmas import needed
from perno_solver.proof.evidence import Evidence, Look, first_state, last_of_ascending, played


def check(evidence: Evidence, *, look: Look = lambda: None) -> None:
    """Accept evidence that proves its verdict under the plain rules, and raise for any other.

    A line is played move by move. A set of keys is walked from the start: the key of every successor, or of every one
    that the lemmas cited leave needed, must be a member, no member may be won, and every member must be reached, so
    that nothing foreign is carried along.

    Args:
        evidence: what is checked.
        look: called every few milliseconds; what it raises ends the check.

    Raises:
        BadEvidence: it does not prove its verdict; the message says where it fails.

    Complexity: linear in the moves; or n log n in the states and their successors, with nine bytes of memory a state
        beside the keys.
    """
    require(evidence, Evidence, BadEvidence, "Evidence")
    start = first_state(evidence)
    if evidence.line is not None:
        _check_line(start, evidence.line, look)
    else:
        _check_order(evidence.keys or b"", evidence.codec.width, look)
        _check_set(start, evidence, look)


def _check_line(state: State, line: Line, look: Look) -> None:
    for number, move in enumerate(line, start=1):
        look()
        state = played(state, move, number)
    if not state.is_won:
        msg = f"after all {len(line)} moves {sum(state.foundations)} cards are on the foundations, expected 52"
        raise BadEvidence(msg)


def _check_order(keys: bytes, width: int, look: Look) -> None:
    before = b""
    for at in range(0, len(keys), width * _BLOCK):
        look()
        before = last_of_ascending(keys[at : at + width * _BLOCK], width, before)


def _check_set(start: State, evidence: Evidence, look: Look) -> None:
    codec, keys = evidence.codec, evidence.keys or b""
    successors = needed if evidence.cites else State.successors
    width = codec.width
    members = range(len(keys) // width)

    def turned(member: int) -> bytes:
        """Return the key of a member, its bytes turned round, as keys are ordered."""
        return keys[member * width : (member + 1) * width][::-1]

    def find(key: bytes) -> int | None:
        """Find which member has a key."""
        member = bisect_left(members, key[::-1], key=turned)
        return member if turned(member) == key[::-1] else None

    first = find(codec.encode(start))
    if first is None:
        msg = "the start is not in the set"
        raise BadEvidence(msg)
    reached, waiting = bytearray(len(members)), array("Q", [first])
    reached[first] = True
    while waiting:
        look()
        state = codec.decode(turned(waiting.pop())[::-1])
        if state.is_won:
            msg = "the set holds a won state"
            raise BadEvidence(msg)
        for move, successor in successors(state):
            member = find(codec.encode(successor))
            if member is None:
                msg = f"the set is not closed: it lacks what {move} leads to from\n{state}"
                raise BadEvidence(msg)
            if not reached[member]:
                reached[member] = True
                waiting.append(member)
    if not all(reached):
        msg = f"{reached.count(0)} keys are foreign: nothing in the set leads to them"
        raise BadEvidence(msg)


_BLOCK = 4096  # keys between two looks, while only their order is checked: about a millisecond
