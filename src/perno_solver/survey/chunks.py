"""Chunks: the unit of work of a survey, the deals of consecutive seeds decided under one reading of the rules.

Seeds are cut at multiples of a fixed size, so that surveys of different ranges share their chunks; only where a range
begins or ends inside one is there a shorter piece.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache

from attrs import field, frozen

from perno_solver.checks import shown
from perno_solver.errors import InvalidDeal, PernoError
from perno_solver.game.deal import SEEDS
from perno_solver.game.rules import READINGS, Rules
from perno_solver.proof import Verdict, VerdictText
from perno_solver.solve.engine import kernel_for
from perno_solver.solve.players import WORLDS, Level, PlayerName

MOST_STATES = 20_000_000
"""States after which a deal is given up as unknown: a worker's table stays below a gigabyte."""

MOST_SEEDS = 1 << 63
"""Surveys take the seeds below this, the numbers that a store can hold."""

VERDICTS = (Verdict.UNKNOWN, Verdict.WON, Verdict.LOST)
"""What the two bits of a deal stand for, by their value."""

_FOUR = [bytes((byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6)) for byte in range(256)]


def _trimmed(histogram: list[int] | tuple[int, ...]) -> tuple[int, ...]:
    """Leave out the zeros at the end."""
    length = len(histogram)
    while length and not histogram[length - 1]:
        length -= 1
    return tuple(histogram[:length])


def _codes(verdicts: bytes, deals: int) -> bytes:
    """Spread two bits a deal to a byte a deal."""
    return b"".join(map(_FOUR.__getitem__, verdicts))[:deals]


class InvalidChunk(PernoError):
    """A chunk contradicts itself: its verdicts, its histograms and its number of deals do not fit."""


@frozen
class Chunk:
    """The verdicts on the deals of consecutive seeds, and what their searches were like; or how a player fared.

    A histogram holds at each index how many deals have that value. It is as long as the largest of them asks for, and
    none is cut off.

    Args:
        rules: the reading under which the deals were decided.
        first: the first seed.
        deals: how many seeds.
        verdicts: two bits a deal, from the lowest bits of the first byte up: 0 unknown, 1 won, 2 lost.
        states: histogram of the states that a search stored, by the bits of their number: index b counts the deals
            with 2ᵇ⁻¹ states or more and fewer than 2ᵇ.
        moves: histogram of the moves in the winning lines that were found (of any kind, not the shortest ones).
        passes: histogram of the passes in those lines.
        player: who played the deals, seeing only what a player sees; won and lost are then that player's games, and no
            states are counted. None for the verdicts, which are those of someone who sees all cards.

    Raises:
        InvalidChunk: these do not fit each other.
    """

    rules: Rules
    first: int
    deals: int
    verdicts: bytes = field(repr=False)
    states: tuple[int, ...] = field(converter=_trimmed, repr=False)
    moves: tuple[int, ...] = field(converter=_trimmed, repr=False)
    passes: tuple[int, ...] = field(converter=_trimmed, repr=False)
    player: PlayerName | None = None

    def __attrs_post_init__(self) -> None:
        """Check what it is made of."""
        self.check()

    def check(self) -> None:
        """Refuse a chunk that contradicts itself, which one that was read from a pickle may do.

        Raises:
            InvalidChunk: it does.
        """
        placed = 0 <= self.first < self.first + self.deals <= SEEDS
        if not placed or len(self.verdicts) != (self.deals + 3) // 4:
            msg = f"a chunk of {self.deals} deals from seed {self.first} with {len(self.verdicts)} bytes of verdicts"
            raise InvalidChunk(msg)
        won, _ = self.won_and_lost()
        histograms = {"states": self.states, "moves": self.moves, "passes": self.passes}
        searched = self.deals if self.player is None else 0
        for (name, histogram), number in zip(histograms.items(), (searched, won, won), strict=True):
            if sum(histogram) != number or min(histogram, default=0) < 0:
                msg = f"a chunk whose {name} are those of {sum(histogram)} deals, expected {number}"
                raise InvalidChunk(msg)
        bits = int.from_bytes(self.verdicts, "little")
        if bits >> 2 * self.deals or bits & bits >> 1 & self._every_other():
            msg = "a chunk with verdicts that are none, or on more deals than it has"
            raise InvalidChunk(msg)

    @property
    def seeds(self) -> range:
        """The seeds of its deals."""
        return range(self.first, self.first + self.deals)

    def won_and_lost(self) -> tuple[int, int]:
        """Count the verdicts."""
        bits, every_other = int.from_bytes(self.verdicts, "little"), self._every_other()
        return (bits & every_other).bit_count(), (bits >> 1 & every_other).bit_count()

    def _every_other(self) -> int:
        return int.from_bytes(b"\x55" * len(self.verdicts), "little")

    def codes(self) -> bytes:
        """Return the verdicts as a byte a deal, each an index of `VERDICTS`."""
        return _codes(self.verdicts, self.deals)

    def seeds_with(self, verdict: Verdict | VerdictText) -> list[int]:
        """List the seeds whose deals have a verdict, ascending.

        Args:
            verdict: the verdict, or its value.

        Raises:
            InvalidChoice: it is none.
        """
        code = VERDICTS.index(Verdict(verdict))
        return [seed for seed, found in zip(self.seeds, self.codes(), strict=True) if found == code]


def asked(rules: Rules, player: PlayerName | None) -> str:
    """Name what is asked of deals: whether they can be won under rules, or whether a player wins them."""
    if player is None:
        return str(rules)
    return f"{rules} by a player at sight" if player is PlayerName.AT_SIGHT else f"{rules} by a {player.value} player"


def chunk_size(rules: Rules, player: PlayerName | None = None) -> int:
    """Return how many seeds make a whole chunk: a fraction of a second's work, seconds' where searches are hard."""
    if player in {PlayerName.CALCULATING, PlayerName.AT_SIGHT}:
        return 100
    return 1_000 if rules.packs or rules.pivot_open else 10_000


def check_seeds(seeds: range, bits: int = 63) -> None:
    """Refuse what a survey cannot take.

    Raises:
        InvalidDeal: the seeds are not one or more of so many bits, in steps of one.
    """
    if not isinstance(seeds, range) or seeds.step != 1 or not 0 <= seeds.start < seeds.stop <= 1 << bits:
        msg = f"{shown(seeds)} cannot be surveyed: expected one or more seeds from 0 to 2^{bits} - 1 in steps of one"
        raise InvalidDeal(msg)


def pieces(rules: Rules, seeds: range, player: PlayerName | None = None) -> Iterator[range]:
    """Cut seeds into chunks, ascending.

    Args:
        rules: the reading, which decides on the size.
        seeds: one or more seeds below 2⁶³, in steps of one.
        player: who plays, which decides on it, too.

    Raises:
        InvalidDeal: the seeds are not that.

    >>> from perno_solver import PERNO
    >>> list(pieces(PERNO, range(9_000, 25_000)))
    [range(9000, 10000), range(10000, 20000), range(20000, 25000)]
    """
    check_seeds(seeds)
    size = chunk_size(rules, player)
    return (
        range(max(first, seeds.start), min(first + size, seeds.stop))
        for first in range(seeds.start - seeds.start % size, seeds.stop, size)
    )


def decide(
    rules: Rules,
    seeds: range,
    look: Callable[[int, int, int], bool] | None = None,
    *,
    player: PlayerName | None = None,
) -> Chunk:
    """Decide the deals of seeds, or have them played; the work that a survey gives to its workers.

    Args:
        rules: the reading.
        seeds: the seeds, in steps of one.
        look: called now and then with what the running search has done; what it raises ends the work.
        player: who plays; None is for the verdicts.

    >>> from perno_solver import PERNO
    >>> decide(PERNO, range(30)).seeds_with(Verdict.WON)
    [2, 10, 11, 15, 20, 27]
    """
    kernel = kernel_for(rules)
    kernel.watch(look)
    if player is None:
        return Chunk(rules, seeds.start, len(seeds), *kernel.survey(seeds.start, len(seeds), MOST_STATES))
    verdicts, moves, passes = _play(rules, player, seeds)
    return Chunk(rules, seeds.start, len(seeds), verdicts, (), moves, passes, player)


def _play(rules: Rules, player: PlayerName, seeds: range) -> tuple[bytes, list[int], list[int]]:
    """Have a player play the deals of seeds."""
    name = PlayerName.CALCULATING if player is PlayerName.AT_SIGHT else player
    remembers = player is not PlayerName.AT_SIGHT
    return kernel_for(rules).play(name.value, remembers, WORLDS, 0, seeds.start, len(seeds), MOST_STATES)


def levels(rules: Rules, seeds: range, codes: bytes) -> list[Level | None]:
    """Say how hard the deals of seeds are, as `solve.level` does of one: None where it is unknown.

    Args:
        rules: the reading.
        seeds: the seeds, in steps of one.
        codes: the verdicts, as `Chunk.codes` returns them.

    >>> from perno_solver import PERNO
    >>> [level.value for level in levels(PERNO, range(10, 13), decide(PERNO, range(10, 13)).codes())]
    ['hard', 'easy', 'lost']
    """
    kernel = kernel_for(rules)
    kernel.watch(None)
    greedy, careful = (
        _codes(_play(rules, player, seeds)[0], len(seeds)) for player in (PlayerName.GREEDY, PlayerName.CAREFUL)
    )
    found: list[Level | None] = []
    for code, easy, medium in zip(codes, greedy, careful, strict=True):
        if VERDICTS[code] is not Verdict.WON:
            found.append(Level.LOST if VERDICTS[code] is Verdict.LOST else None)
        else:
            found.append(Level.EASY if easy == code else Level.MEDIUM if medium == code else Level.HARD)
    return found


@cache
def signature(player: PlayerName | None = None) -> str:
    """Name what chunks depend on besides the rules and the seeds: chunks of the same signature can be added up.

    It is measured, not declared: a digest of what the searches find, and after how many states, on fixed deals under
    all named readings; or of the games of a player on these. So it changes when their behaviour does on these.
    """
    digest = hashlib.sha256(f"{MOST_STATES}".encode())
    quick = player in {None, PlayerName.GREEDY, PlayerName.CAREFUL}  # odds take their time, most where cards are packed
    deals = range(11, 43 if quick else 12)
    for rules in READINGS.values():
        if rules.packs and not quick:
            continue
        found = kernel_for(rules).survey(0, 8, 100) if player is None else _play(rules, player, deals)
        digest.update(repr(found).encode())
    return digest.hexdigest()[:16]
