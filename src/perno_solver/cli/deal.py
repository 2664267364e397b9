"""perno deal: prints the decks of seeds, or of games that can be won."""

from collections.abc import Iterator
from itertools import islice

import click

from perno_solver.cli.shared import columns, on_terminal, rules_options, say
from perno_solver.cli.sources import Game, of_seed, of_seeds, parse_seeds
from perno_solver.game.deal import SEEDS
from perno_solver.game.rules import PERNO, Rules
from perno_solver.proof import Verdict


@click.command("deal")
@click.argument("seeds", metavar="[SEED|A:B]", required=False)
@rules_options
@click.option("--won", is_flag=True, help="Only deals that are proved to be won under the rules.")
@click.option("--lost", is_flag=True, help="Only deals that are proved to be lost.")
@click.option(
    "--count", "wanted", metavar="N", type=click.IntRange(min=1), help="How many of those, SEED being the first to try."
)
@click.option("--table/--no-table", default=None, help="Draw the table too.  [default: one deal on a terminal]")
def deal_command(
    *, seeds: str | None, rules: Rules | None, won: bool, lost: bool, wanted: int | None, table: bool | None
) -> None:
    """Print the decks of seeds, one a line.

    A:B are the seeds A to B - 1. The table is drawn in lines that begin with #, so that all of it can be read back;
    the cards of a seed are the same under all rules, but the pivot's size decides where they lie.

    With --won or --lost the search begins at SEED (by default 0) and goes on until N such deals are found, or takes
    all of A:B; behind each deck is # and its seed.

    \b
    Examples:
      perno deal 42
      perno deal 0:100 > decks.txt
      perno deal 42 --table --rules eagle-wing
      perno deal --won --count 5
      perno deal 0:1000 --lost --rules perno-packed
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    if won and lost:
        msg = "give one of --won and --lost"
        raise click.UsageError(msg)
    if not won and not lost:
        if seeds is None or wanted is not None:
            msg = "give SEED or A:B; --count is for --won and --lost"
            raise click.UsageError(msg)
        total, games = of_seeds(seeds, rules)
    else:
        total, games = _of_verdict(Verdict.WON if won else Verdict.LOST, seeds, wanted, rules or PERNO)
    if table is None:
        table = total == 1 and on_terminal()
    for game in games:
        say(f"{game.start}  # {game.name}" if won or lost else str(game.start))
        if table:
            drawn = game.table.drawn(columns() - 2)
            say("\n".join(f"# {line}".rstrip() for line in drawn.splitlines()))


def _of_verdict(verdict: Verdict, text: str | None, wanted: int | None, rules: Rules) -> tuple[int, Iterator[Game]]:
    """Find deals of a verdict: how many at most, and the deals."""
    from perno_solver.survey import seeds_with  # noqa: PLC0415 - much that a quick deal can do without

    seeds = parse_seeds(text or "0")
    if text is None or ":" not in text:  # it is where to begin
        seeds, wanted = range(seeds.start, SEEDS), wanted or 1
    found = islice(seeds_with(verdict, rules, seeds), wanted)
    games = (of_seed(seed, rules) for seed in found)
    return wanted or seeds.stop - seeds.start, games
