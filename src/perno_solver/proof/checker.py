"""The checker of evidence: it knows the rules, the two lemmas that may be cited, and no search."""

from array import array
from bisect import bisect_left

from attrs import frozen

from perno_solver.checks import require
from perno_solver.errors import BadEvidence
from perno_solver.game.codec import Codec
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
        beside the keys, and a thousand of them laid out.
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


@frozen
class _Members:
    """The keys of a set, found by their order."""

    keys: bytes
    codec: Codec
    width: int  # of a key, in bytes

    def __len__(self) -> int:
        return len(self.keys) // self.width

    def turned(self, member: int) -> bytes:
        """Return the key of a member, its bytes turned round, as keys are ordered."""
        return self.keys[member * self.width : (member + 1) * self.width][::-1]

    def state(self, member: int) -> State:
        """Read a member back."""
        return self.codec.decode(self.turned(member)[::-1])

    def find(self, state: State) -> int | None:
        """Find which member is the key of a state."""
        key = self.codec.encode(state)[::-1]
        member = bisect_left(range(len(self)), key, key=self.turned)
        return member if self.turned(member) == key else None


def _check_set(start: State, evidence: Evidence, look: Look) -> None:
    members = _Members(evidence.keys or b"", evidence.codec, evidence.codec.width)
    successors = needed if evidence.cites else State.successors
    first = members.find(start)
    if first is None:
        msg = "the start is not in the set"
        raise BadEvidence(msg)
    reached, waiting = bytearray(len(members)), array("Q", [first])
    laid_out = {first: start}  # of those that wait some as they were met, since reading a key takes longer than playing
    reached[first] = True
    while waiting:
        look()
        member = waiting.pop()
        state = laid_out.pop(member, None) or members.state(member)
        if state.is_won:
            msg = "the set holds a won state"
            raise BadEvidence(msg)
        for move, successor in successors(state):
            after = members.find(successor)
            if after is None:
                msg = f"the set is not closed: it lacks what {move} leads to from\n{state}"
                raise BadEvidence(msg)
            if not reached[after]:
                reached[after] = True
                waiting.append(after)
                if len(laid_out) < _LAID_OUT:
                    laid_out[after] = successor
    if not all(reached):
        msg = f"{reached.count(0)} keys are foreign: nothing in the set leads to them"
        raise BadEvidence(msg)


_LAID_OUT = 1024  # states
_BLOCK = 4096  # keys between two looks, while only their order is checked: about a millisecond
