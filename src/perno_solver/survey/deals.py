"""Deals one by one: what a chunk does not keep of each of its deals, found out again."""

from collections.abc import Callable

from attrs import field, frozen

from perno_solver.errors import PernoError
from perno_solver.game.rules import Rules
from perno_solver.solve.engine import kernel_for
from perno_solver.survey import chunks
from perno_solver.survey.chunks import Chunk

Row = tuple[int, int, int, int, int]
"""A verdict as an index of `chunks.VERDICTS`, the base rank 1–13, the states stored, and the moves and the passes of
the line that was found, 0 where the deal is not won."""


class NotAgain(PernoError):
    """A deal was decided again, and not as it is stored."""


@frozen
class Deals:
    """The deals of consecutive seeds, decided under one reading of the rules.

    Args:
        rules: the reading.
        seeds: the seeds, in steps of one.
        rows: what is known of each deal.
    """

    rules: Rules
    seeds: range
    rows: list[Row] = field(repr=False)

    def check(self) -> None:
        """Refuse rows that are not one a deal.

        Raises:
            NotAgain: they are not.
        """
        if len(self.rows) != len(self.seeds):
            msg = f"{len(self.rows)} rows for {len(self.seeds)} deals"
            raise NotAgain(msg)

    def hold_against(self, chunk: Chunk) -> None:
        """Compare the verdicts with those of a chunk that has these seeds, and maybe others.

        Raises:
            NotAgain: they differ.
        """
        codes = chunk.codes()[self.seeds.start - chunk.first :]
        for seed, code, row in zip(self.seeds, codes, self.rows, strict=False):
            if code != row[0]:
                stored, found = (chunks.VERDICTS[number].value for number in (code, row[0]))
                msg = f"seed {seed} under {self.rules} is stored as {stored}, and was found to be {found}"
                raise NotAgain(msg)


def decide_each(rules: Rules, seeds: range, look: Callable[[int, int, int], bool] | None = None) -> Deals:
    """Decide the deals of seeds, as `chunks.decide` does, and keep what is known of each.

    Args:
        rules: the reading.
        seeds: the seeds, in steps of one.
        look: called now and then with what the running search has done; what it raises ends the work.

    >>> from perno_solver import PERNO
    >>> decide_each(PERNO, range(1, 3)).rows
    [(2, 2, 0, 0, 0), (1, 1, 15, 123, 3)]
    """
    kernel = kernel_for(rules)
    kernel.watch(look)
    return Deals(rules, seeds, kernel.each(seeds.start, len(seeds), chunks.MOST_STATES))
