"""What surveys say: counts, rates and intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate, zip_longest

from attrs import field, frozen

from perno_solver.checks import got
from perno_solver.errors import InvalidChoice
from perno_solver.game.rules import Rules, as_rules
from perno_solver.intervals import paired_difference, wilson
from perno_solver.proof import Verdict
from perno_solver.survey.chunks import VERDICTS, Chunk


def one_of_three(rate: float) -> float:
    """Return the chance that at least one of three games comes out; the source asks the oracle with three."""
    return 1 - (1 - rate) ** 3


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip_longest(one, other, fillvalue=0))


@frozen
class Totals:
    """What the chunks of one survey add up to, in whatever order they come.

    Args:
        won: deals that are proved won.
        lost: deals that are proved lost.
        unknown: deals that were given up, `chunks.MOST_STATES` states being too few.
        states: histogram of the states that a search stored, as in `Chunk`.
        moves: histogram of the moves in the winning lines that were found, as there.
        passes: histogram of the passes in those lines.
    """

    won: int = 0
    lost: int = 0
    unknown: int = 0
    states: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()

    @classmethod
    def of(cls, chunk: Chunk) -> "Totals":
        """Count one chunk."""
        won, lost = chunk.won_and_lost()
        return cls(won, lost, chunk.deals - won - lost, chunk.states, chunk.moves, chunk.passes)

    def __add__(self, other: "Totals") -> "Totals":
        """Add up two surveys that share no deal."""
        return Totals(
            self.won + other.won,
            self.lost + other.lost,
            self.unknown + other.unknown,
            _sum(self.states, other.states),
            _sum(self.moves, other.moves),
            _sum(self.passes, other.passes),
        )

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return self.won + self.lost + self.unknown

    @property
    def rate(self) -> float:
        """The share of deals that are proved won; there must be a deal."""
        return self.won / self.deals

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate, unknown deals counted as lost below and as won above."""
        return wilson(self.won, self.deals)[0], wilson(self.won + self.unknown, self.deals)[1]


def joined(ranges: Iterable[range]) -> list[range]:
    """Sort ranges that share nothing, and join those that follow each other.

    >>> joined([range(20, 30), range(0, 10), range(10, 15)])
    [range(0, 15), range(20, 30)]
    """
    parts: list[range] = []
    for part in sorted(ranges, key=lambda part: part.start):
        if parts and parts[-1].stop == part.start:
            parts[-1] = range(parts[-1].start, part.stop)
        else:
            parts.append(part)
    return parts


def quantile(histogram: tuple[int, ...], share: float) -> int:
    """Return the smallest value that at least a share of what a histogram counts does not exceed; it counts something.

    >>> quantile((0, 5, 4, 1), 0.5), quantile((0, 5, 4, 1), 0.95)
    (1, 3)
    """
    wanted = share * sum(histogram)
    return next(value for value, seen in enumerate(accumulate(histogram)) if seen >= wanted)


@frozen
class Pair:
    """Two readings tried on the same deals, of which those count that are decided under both.

    Args:
        both: deals won under both.
        first_only: deals won under the first reading alone.
        second_only: deals won under the second alone.
        neither: deals lost under both.
        undecided: deals that are unknown under either.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    undecided: int

    @property
    def deals(self) -> int:
        """How many deals are decided under both."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def difference(self) -> float:
        """The first reading's win rate less the second's; 0 where no deal is decided."""
        return (self.first_only - self.second_only) / max(1, self.deals)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference, by `paired_difference`."""
        return paired_difference(self.first_only, self.second_only, self.deals)


@frozen
class Comparison:
    """The verdicts on the same deals under several readings.

    Args:
        seeds: the seeds of the deals.
        codes: for each reading a byte a deal, as `Chunk.codes` returns them.
    """

    seeds: range
    codes: dict[Rules, bytes] = field(repr=False)

    def pair(self, first: Rules | str, second: Rules | str) -> Pair:
        """Count how often the verdicts under two of the readings differ.

        Args:
            first: one of the readings, or its text.
            second: another.

        Raises:
            InvalidRules: it is none.
            InvalidChoice: it was not compared.
        """
        count = Counter(zip(self._codes_under(first), self._codes_under(second), strict=True))
        won, lost = VERDICTS.index(Verdict.WON), VERDICTS.index(Verdict.LOST)
        one_way, the_other = count[won, lost], count[lost, won]
        decided = count[won, won] + one_way + the_other + count[lost, lost]
        return Pair(count[won, won], one_way, the_other, count[lost, lost], count.total() - decided)

    def differing(self, first: Rules | str, second: Rules | str) -> Iterator[tuple[int, Verdict, Verdict]]:
        """Yield the seeds whose deals are won under one of two readings and lost under the other, with the verdicts.

        Args:
            first: one of the readings, or its text.
            second: another.

        Raises:
            InvalidRules: it is none.
            InvalidChoice: it was not compared.
        """
        for seed, one, other in zip(self.seeds, self._codes_under(first), self._codes_under(second), strict=True):
            if one != other and one and other:
                yield seed, VERDICTS[one], VERDICTS[other]

    def _codes_under(self, reading: Rules | str) -> bytes:
        codes = self.codes.get(as_rules(reading))
        if codes is None:
            raise InvalidChoice(got(str(reading), f"one of the readings compared: {', '.join(map(str, self.codes))}"))
        return codes
