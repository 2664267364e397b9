"""Evidence for verdicts, and its file format.

A win's evidence is a line of moves: playing it ends with 52 cards on the foundations. A loss's evidence is a set of
state keys (see `codec`) that holds the start, no won state, and with each state every legal successor. Whatever is
played from the start stays inside such a set, so no line wins. A set may cite the two lemmas of `lemmas`: then it holds
with each state the successors that these leave needed, which the checker works out anew. Such a set is far smaller,
often a single state; one that cites nothing rests on the rules alone.

File format, version 1, all integers little-endian:

    perno-evidence 1            the name and the version
    verdict: won                or lost
    deck: JS 5C …               or `position:` and the lines of a position block, each behind two spaces
    rules: perno                the rules
    cites: play, greedy         or `nothing`
    size: 1234                  bytes of the body before it was compressed
                                an empty line ends the header, which is UTF-8 text
    …                           the body, zlib: the line's tokens with a space between them; or the keys in
                                ascending order of the integers they are, in blocks of 4,096, each block column by
                                column (all first bytes, then all second bytes, …)
    32 bytes                    SHA-256 of everything before

Neighbouring keys differ in few columns, so compressed a key takes a fraction of a byte. What is compressed can be a
thousand times as large as its file, so nothing that a file says is trusted before it is seen: the body is read piece
by piece, a line is played as it is read and keys must ascend, and reading ends at the first thing that is wrong.
"""

import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import lt
from typing import TYPE_CHECKING, BinaryIO, Literal

from attrs import evolve, field, frozen

from perno_solver.checks import Choice, cut, got, require, shown
from perno_solver.errors import BadEvidence, IllegalMove, PernoError, TooLarge
from perno_solver.game.cards import CARDS
from perno_solver.game.codec import Codec, key_width
from perno_solver.game.deal import Deal
from perno_solver.game.moves import REDEAL, TURN, Line, Move, MoveKind, as_line, line_text
from perno_solver.game.rules import Rules
from perno_solver.game.state import State, as_game

if TYPE_CHECKING:
    import hashlib

Look = Callable[[], None]
"""Called every few milliseconds from inside of something that takes long; what it raises ends it."""

MOST_KEY_BYTES = 1 << 30
"""How large a loss's keys may be to be read, if nothing else is said: 67 million states, or 45 where cards pack."""

MOST_LINE_BYTES = 1 << 18
"""How long a line may be to be read, if nothing else is said: 50,000 moves at least."""


class Verdict(Choice):
    """What is proved of a deal; it has no truth value, since unknown is neither."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        """Refuse to be true or false.

        Raises:
            TypeError: always.
        """
        msg = "a verdict is neither true nor false: compare it, as in verdict is Verdict.WON"
        raise TypeError(msg)


VerdictText = Literal["won", "lost", "unknown"]


def _check_parts(evidence: "Evidence") -> None:
    keys = evidence.keys
    require(evidence.start, Deal | State, BadEvidence, "a Deal or a State as the start")
    require(evidence.rules, Rules, BadEvidence, "Rules")
    require(evidence.line, tuple | None, BadEvidence, "a tuple of moves as the line")
    require(keys, bytes | None, BadEvidence, "bytes as the keys")
    require(evidence.cites, bool, BadEvidence, "True or False for cites")
    for move in evidence.line or ():
        require(move, Move, BadEvidence, "a Move in the line")
    if (keys is None) is (evidence.line is None):
        msg = "expected either a line or keys"
        raise BadEvidence(msg)
    width = key_width(evidence.rules)
    if evidence.line is not None and evidence.cites:
        msg = "a line cites no lemmas"
        raise BadEvidence(msg)
    if keys is not None and len(keys) % width:
        msg = f"{len(keys)} bytes of keys, expected a multiple of {width}"
        raise BadEvidence(msg)


@frozen(repr=False)
class Evidence:
    """What proves a verdict: the line of a win, or the closed set of a loss.

    Args:
        start: the deal, or the position, that the verdict is about.
        rules: the rules; a position's own.
        line: a winning line, for a win.
        keys: the set's keys one after another, ascending as little-endian integers, for a loss.
        cites: whether the set leaves out what the lemmas make needless.

    Raises:
        BadEvidence: there is neither line nor keys, or both, or a part of a key, or something else altogether.
    """

    start: Deal | State
    rules: Rules
    line: Line | None = None
    keys: bytes | None = None
    cites: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Check what can be seen without playing."""
        _check_parts(self)

    @classmethod
    def of_win(
        cls, start: Deal | State | str, rules: Rules | str | None, line: Iterable[Move | str] | str
    ) -> "Evidence":
        """Make the evidence of a win from its line.

        Args:
            start: the deal or the position, or the text of either.
            rules: the rules of the deal, or their text (None: the source's, `PERNO`); a position has its own.
            line: the moves, or their text.

        Raises:
            InvalidDeal, InvalidState, InvalidRules, InvalidMove: one of them is none.
        """
        return cls(*as_game(start, rules), as_line(line))

    @classmethod
    def of_loss(
        cls, start: Deal | State | str, rules: Rules | str | None, keys: bytes, *, cites: bool = False
    ) -> "Evidence":
        """Make the evidence of a loss from the keys of its set.

        Args:
            start: the deal or the position, or the text of either.
            rules: the rules of the deal, or their text (None: the source's, `PERNO`); a position has its own.
            keys: the keys, as `codec.join_keys` joins them.
            cites: whether the set leaves out what the lemmas make needless.

        Raises:
            InvalidDeal, InvalidState, InvalidRules: one of them is none.
            BadEvidence: the keys are no bytes, or there is a part of a key.
        """
        return cls(*as_game(start, rules), None, keys, cites=cites)

    @property
    def verdict(self) -> Verdict:
        """What the evidence claims."""
        return Verdict.LOST if self.line is None else Verdict.WON

    @property
    def codec(self) -> Codec:
        """The codec of its keys."""
        return Codec.of(self.start, self.rules)

    def __repr__(self) -> str:
        """Say what it is, in a line; `to_json` and `write` are there to rebuild it."""
        size = len(self.keys or b"") // key_width(self.rules)
        what = f"states={size}" if self.line is None else f"moves={len(self.line)}"
        return f"<Evidence {self.verdict.value}: {what}, start={type(self.start).__name__}, rules={self.rules}>"

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over the keys of a loss."""
        keys, width = self.keys or b"", key_width(self.rules)
        return (keys[at : at + width] for at in range(0, len(keys), width))

    def write(self, file: BinaryIO, *, look: Look = lambda: None) -> None:
        """Write the evidence to a binary file, as a stream.

        Args:
            file: where to.
            look: called every few milliseconds; what it raises ends the writing.

        Raises:
            BadEvidence: there is no such file; what the file raises goes through.
        """
        _check_file(file, "write")
        body = line_text(self.line).encode() if self.line is not None else self.keys or b""
        width = key_width(self.rules)
        digest = _sha256()

        def put(data: bytes) -> None:
            digest.update(data)
            file.write(data)

        put(self._header(len(body), str(self.rules)).encode())
        compress = zlib.compressobj(9)
        block = width * _BLOCK
        for at in range(0, len(body), block):
            look()
            part = body[at : at + block]
            put(compress.compress(part if self.line is not None else _to_columns(part, width)))
        put(compress.flush())
        file.write(digest.digest())

    @classmethod
    def read(cls, file: BinaryIO, *, max_bytes: int | None = None, look: Look = lambda: None) -> "Evidence":
        """Read evidence from a binary file, as a stream; what it claims is not checked here but by `check`.

        Args:
            file: where from.
            max_bytes: how large a body is read, before compression; the default is `MOST_KEY_BYTES` for a loss and
                `MOST_LINE_BYTES` for a win.
            look: called every few milliseconds; what it raises ends the reading.

        Raises:
            BadEvidence: the file is not evidence of this version, is cut off, damaged or longer than it says, or its
                keys are out of order, or a move of its line is not legal.
            TooLarge: the body is larger than what is to be read.

        Complexity: linear in what is read; in memory the keys and one block, or eight bytes a move.
        """
        _check_file(file, "readline")
        try:
            return cls._read(file, max_bytes, look)
        except (BadEvidence, TooLarge):
            raise
        except (PernoError, UnicodeDecodeError, zlib.error) as error:
            msg = f"damaged: {error}"
            raise BadEvidence(msg) from None

    @classmethod
    def _read(cls, file: BinaryIO, max_bytes: int | None, look: Look) -> "Evidence":
        digest = _sha256()
        values, spelled = _read_header(file)
        digest.update(spelled)
        rules = Rules.from_text(values["rules"])
        start: Deal | State
        start = Deal.from_text(values["deck"]) if "deck" in values else State.from_text(values["position"], rules)
        won, size = values["verdict"] == Verdict.WON.value, int(values["size"])
        claim = cls(start, rules, ()) if won else cls(start, rules, keys=b"", cites=values["cites"] == _LEMMAS)
        # It has the one spelling that `write` would have chosen, but for the rules, which may be said in other words.
        if claim._header(size, values["rules"]) != spelled.decode():  # noqa: SLF001 - of the same class
            msg = "damaged: the header is not spelled as this version writes it"
            raise BadEvidence(msg)
        most = max_bytes if max_bytes is not None else MOST_LINE_BYTES if won else MOST_KEY_BYTES
        body = _read_body(file, digest, size, most, look)
        if won:
            return evolve(claim, line=_read_line(_tokens(body, size), first_state(claim), look))
        return evolve(claim, keys=_read_keys(body, key_width(rules)))

    def _header(self, size: int, rules: str) -> str:
        """Write the header, the rules in these words."""
        if isinstance(self.start, State):
            _, *lines = str(self.start).splitlines()  # the first one has the rules
            start = "".join(
                f"{line}\n" for line in ("position:", f"  rules: {rules}", *(f"  {line}" for line in lines))
            )
        else:
            start = f"deck: {self.start}\n"
        cites = _LEMMAS if self.cites else "nothing"
        return f"{_MAGIC}verdict: {self.verdict.value}\n{start}rules: {rules}\ncites: {cites}\nsize: {size}\n\n"


def first_state(evidence: Evidence) -> State:
    """Return the position that evidence begins with.

    Raises:
        BadEvidence: it is not one, or is one under other rules.
    """
    start = evidence.start if isinstance(evidence.start, State) else State.start(evidence.start, evidence.rules)
    wrong = start.what_is_wrong()
    if wrong or start.rules != evidence.rules:
        msg = f"the start is not a position under the rules {evidence.rules}{f': {wrong}' if wrong else ''}"
        raise BadEvidence(msg)
    return start


def played(state: State, move: Move, number: int) -> State:
    """Play one move of a line, the `number`-th.

    Raises:
        BadEvidence: it is not legal, or the game is won before it.
    """
    if state.is_won:
        msg = f"the game is won before move {number}, {move}"
        raise BadEvidence(msg)
    try:
        return state.play(move)
    except IllegalMove as error:
        msg = f"move {number}: {error}"
        raise BadEvidence(msg) from None


def last_of_ascending(keys: bytes, width: int, before: bytes) -> bytes:
    """Return the last of some keys, its bytes turned round; `before` is the one before them, or empty.

    Raises:
        BadEvidence: they do not ascend.
    """
    turned = [before, *(keys[at : at + width][::-1] for at in range(0, len(keys), width))]
    if not all(map(lt, turned, turned[1:])):
        msg = "the keys are not in ascending order, each once"
        raise BadEvidence(msg)
    return turned[-1]


_MAGIC = "perno-evidence 1\n"
_LEMMAS = "play, greedy"
_BLOCK = 4096  # keys
_CHUNK = 24 * _BLOCK  # bytes
_LONGEST = 400  # bytes in a line of the header; a deck takes 161
_MOST_LINES = 16  # in the header
_MOST_DIGITS = 18  # of the size; more would not fit a machine word
_DIGEST = 32  # bytes of SHA-256


def _check_file(file: object, method: str) -> None:
    if isinstance(file, io.TextIOBase) or not callable(getattr(file, method, None)):
        raise BadEvidence(got(file, "a file that is open for bytes"))


def _sha256() -> "hashlib._Hash":
    import hashlib  # noqa: PLC0415 - importing it takes a while, and only files need it

    return hashlib.sha256()


def _to_columns(rows: bytes, width: int) -> bytes:
    return b"".join(rows[column::width] for column in range(width))


def _from_columns(columns: bytes, width: int) -> bytes:
    if len(columns) % width:
        msg = f"damaged: the last key has {len(columns) % width} bytes, expected {width}"
        raise BadEvidence(msg)
    return _to_columns(columns, len(columns) // width)  # turning a table twice gives it back


def _read_header(file: BinaryIO) -> tuple[dict[str, str], bytes]:
    """Read the header: its values by name, and the very bytes it is spelled with."""
    lines = [file.readline(_LONGEST)]
    if lines[0] != _MAGIC.encode():
        msg = f"not evidence of a known version: it begins with {lines[0][:40]!r}, expected {_MAGIC.strip()!r}"
        raise BadEvidence(msg)
    values: dict[str, str] = {}
    while (line := file.readline(_LONGEST)) != b"\n":
        lines.append(line)
        if not line.endswith(b"\n") or len(lines) > _MOST_LINES:
            msg = "damaged: the header does not end"
            raise BadEvidence(msg)
        text = line.decode()
        if "position" in values and text.startswith("  "):  # it comes before all other lines that could be behind it
            values["position"] += text[2:]
        else:
            name, _, value = text.partition(":")
            if not value or not name:  # a line ends, so something is behind every colon
                msg = f"damaged: line {len(lines)} of the header, {shown(text.strip())}, has no name and value"
                raise BadEvidence(msg)
            values[name] = value.strip()
    names = ["verdict", "deck" if "deck" in values else "position", "rules", "cites", "size"]
    size = values.get("size", "")
    if list(values) != names or not (size.isascii() and size.isdecimal() and len(size) <= _MOST_DIGITS):
        msg = f"damaged: the header has {cut(', '.join(values)) or 'no lines'}, expected {', '.join(names)}"
        raise BadEvidence(msg)
    return values, b"".join([*lines, line])


def _read_body(file: BinaryIO, digest: "hashlib._Hash", size: int, most: int, look: Look) -> Iterator[bytes]:
    """Read the compressed body piece by piece, and at last hold the digest that comes after it against its own."""
    decompress = zlib.decompressobj()
    waiting, left = b"", size
    while not decompress.eof:
        look()
        chunk = waiting or file.read(_CHUNK)
        if not chunk:
            msg = "cut off: the file ends before its body does"
            raise BadEvidence(msg)
        piece = decompress.decompress(chunk, _CHUNK)
        waiting = decompress.unused_data if decompress.eof else decompress.unconsumed_tail
        digest.update(chunk[: len(chunk) - len(waiting)])
        left -= len(piece)
        if left < 0:
            msg = f"damaged: the body is longer than the {size} bytes that the header says"
            raise BadEvidence(msg)
        yield piece
        if size > most:  # only now, so that what is wrong at the beginning is said first
            msg = f"{size:,} bytes of moves or keys, and no more than {most:,} are to be read"
            raise TooLarge(msg)
    if left:
        msg = f"damaged: the body has {size - left} bytes, and the header says {size}"
        raise BadEvidence(msg)
    rest = waiting + file.read(max(0, _DIGEST + 1 - len(waiting)))
    if len(rest) != _DIGEST or rest != digest.digest():
        msg = "damaged: the digest at the end does not match, or is not the end"
        raise BadEvidence(msg)


def _read_keys(pieces: Iterable[bytes], width: int) -> bytes:
    """Turn the columns of a body into keys, block by block, as long as they ascend."""
    keys, before = io.BytesIO(), b""  # which gives out its bytes without a second copy of them
    for block in _in_blocks(pieces, width * _BLOCK):
        rows = _from_columns(block, width)
        before = last_of_ascending(rows, width, before)
        keys.write(rows)
    return keys.getvalue()


def _in_blocks(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        rest += piece
        while len(rest) >= size:
            yield rest[:size]
            rest = rest[size:]
    if rest:
        yield rest


def _read_line(tokens: Iterable[bytes], state: State, look: Look) -> Line:
    """Read the moves of a line and play them, as long as they are legal."""
    moves = []
    for number, token in enumerate(tokens, start=1):
        look()
        move = _moves().get(token)
        if move is None:
            msg = f"damaged: move {number}: {shown(token)} is not a move as evidence has it"
            raise BadEvidence(msg)
        state = played(state, move, number)
        moves.append(move)
    return tuple(moves)


def _tokens(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Take a body of `size` bytes apart at its spaces."""
    rest = b""
    for piece in pieces:
        *tokens, rest = (rest + piece).split(b" ")
        yield from tokens
        if len(rest) > _LONGEST_TOKEN:  # so it is none, and need not be read to its end
            yield rest
    if size:
        yield rest


@cache
def _moves() -> dict[bytes, Move]:
    """Every move by its token, so that a line holds each but once."""
    moves = [TURN, REDEAL, *(Move(kind, card) for kind in _WITH_CARDS for card in CARDS)]
    return {str(move).encode(): move for move in moves}


_WITH_CARDS = (MoveKind.FOUNDATION, MoveKind.PACK, MoveKind.FILL)
_LONGEST_TOKEN = 4  # bytes, as in F:7S
