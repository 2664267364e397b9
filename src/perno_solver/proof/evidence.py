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
    …                           the body, zlib: the line's tokens; or the keys in ascending order of the integers
                                they are, in blocks of 4,096, each block column by column (all first bytes, then
                                all second bytes, …)
    32 bytes                    SHA-256 of everything before

Neighbouring keys differ in few columns, so compressed a key takes a fraction of a byte.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from attrs import field, frozen

from perno_solver.checks import Choice, require
from perno_solver.errors import BadEvidence, PernoError
from perno_solver.game.codec import Codec, key_width
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line, Move, as_line, line_text, parse_line
from perno_solver.game.rules import Rules
from perno_solver.game.state import State, as_game

if TYPE_CHECKING:
    import hashlib


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

    def write(self, file: BinaryIO) -> None:
        """Write the evidence to a binary file, as a stream."""
        body = line_text(self.line).encode() if self.line is not None else self.keys or b""
        digest = _sha256()

        def put(data: bytes) -> None:
            digest.update(data)
            file.write(data)

        put(self._header(len(body)).encode())
        compress = zlib.compressobj(9)
        width = key_width(self.rules)
        block = width * _BLOCK
        for at in range(0, len(body), block):
            part = body[at : at + block]
            put(compress.compress(part if self.line is not None else _to_columns(part, width)))
        put(compress.flush())
        file.write(digest.digest())

    @classmethod
    def read(cls, file: BinaryIO) -> "Evidence":
        """Read evidence from a binary file, as a stream; what it claims is not checked here but by `check`.

        Raises:
            BadEvidence: the file is not evidence of this version, is cut off, damaged or longer than it says.
        """
        try:
            return cls._read(file)
        except BadEvidence:
            raise
        except (PernoError, UnicodeDecodeError, zlib.error) as error:
            msg = f"damaged: {error}"
            raise BadEvidence(msg) from None

    @classmethod
    def _read(cls, file: BinaryIO) -> "Evidence":
        digest = _sha256()
        header, spelled = _read_header(file)
        digest.update(spelled)
        names = ["verdict", "deck" if "deck" in header else "position", "rules", "cites", "size"]
        if (
            list(header) != names
            or not (header["size"].isascii() and header["size"].isdecimal())
            or len(header["size"]) > _MOST_DIGITS
        ):
            msg = f"damaged: the header has {', '.join(header) or 'no lines'}, expected {', '.join(names)}"
            raise BadEvidence(msg)
        rules = Rules.from_text(header["rules"])
        start: Deal | State
        start = Deal.from_text(header["deck"]) if "deck" in header else State.from_text(header["position"], rules)
        body = _read_body(file, digest, int(header["size"]))
        if header["verdict"] == Verdict.WON.value:
            evidence = cls.of_win(start, rules, parse_line(body.decode()))
        else:
            width = key_width(rules)
            block = width * _BLOCK
            parts = (_from_columns(body[at : at + block], width) for at in range(0, len(body), block))
            evidence = cls.of_loss(start, rules, b"".join(parts), cites=header["cites"] == _LEMMAS)
        if evidence._header(len(body)) != spelled.decode():  # noqa: SLF001 - the one spelling that `write` would have chosen
            msg = "damaged: the header is not spelled as this version writes it"
            raise BadEvidence(msg)
        return evidence

    def _header(self, size: int) -> str:
        if isinstance(self.start, State):
            start = "position:\n" + "".join(f"  {line}\n" for line in str(self.start).splitlines())
        else:
            start = f"deck: {self.start}\n"
        cites = _LEMMAS if self.cites else "nothing"
        return f"{_MAGIC}verdict: {self.verdict.value}\n{start}rules: {self.rules}\ncites: {cites}\nsize: {size}\n\n"


_MAGIC = "perno-evidence 1\n"
_LEMMAS = "play, greedy"
_BLOCK = 4096  # keys
_CHUNK = 1 << 16  # bytes
_LONGEST = 400  # bytes in a line of the header; a deck takes 161
_MOST_LINES = 16  # in the header
_MOST_DIGITS = 18  # of the size; more would not fit a machine word
_DIGEST = 32  # bytes of SHA-256


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
    if lines[0].decode() != _MAGIC:
        msg = f"not evidence of a known version: it begins with {lines[0][:40]!r}, expected {_MAGIC.strip()!r}"
        raise BadEvidence(msg)
    values: dict[str, str] = {}
    name = ""
    while (line := file.readline(_LONGEST)) != b"\n":
        lines.append(line)
        text = line.decode()
        if not text.endswith("\n") or len(lines) > _MOST_LINES:
            msg = "damaged: the header does not end"
            raise BadEvidence(msg)
        if text.startswith("  "):
            values[name] = values.get(name, "") + text[2:]
        else:
            name, _, value = text.rstrip("\n").partition(":")
            values[name] = value.strip()
    return values, b"".join([*lines, line])


def _read_body(file: BinaryIO, digest: "hashlib._Hash", size: int) -> bytes:
    """Read the compressed body and the digest after it, and hold one against the other."""
    decompress = zlib.decompressobj()
    parts, length, rest = [], 0, b""
    while not decompress.eof:
        chunk = file.read(_CHUNK)
        if not chunk:
            msg = "cut off: the file ends before its body does"
            raise BadEvidence(msg)
        part = decompress.decompress(chunk, size - length + 1)
        parts.append(part)
        length += len(part)
        if length > size or decompress.unconsumed_tail:
            msg = f"damaged: the body is longer than the {size} bytes that the header says"
            raise BadEvidence(msg)
        rest = decompress.unused_data
        digest.update(chunk[: len(chunk) - len(rest)])
    if length != size:
        msg = f"damaged: the body has {length} bytes, and the header says {size}"
        raise BadEvidence(msg)
    rest += file.read(_DIGEST + 1 - len(rest))
    if len(rest) != _DIGEST or rest != digest.digest():
        msg = "damaged: the digest at the end does not match, or is not the end"
        raise BadEvidence(msg)
    return b"".join(parts)
