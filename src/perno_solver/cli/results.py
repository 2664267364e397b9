"""perno results: what surveys have kept in a store."""

import csv
import json
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import click

from perno_solver.cli.export import writer
from perno_solver.cli.figures import HISTOGRAMS, interval, percent, spelled, table, values
from perno_solver.cli.setting import optional, player_option, survey_seeds
from perno_solver.cli.shared import Failure, Waiting, count, say
from perno_solver.game.rules import Rules
from perno_solver.proof import Verdict
from perno_solver.solve.players import PlayerName
from perno_solver.survey.chunks import Chunk, asked
from perno_solver.survey.deals import Deals
from perno_solver.survey.figures import Totals, joined, one_of_three
from perno_solver.survey.run import deal_by_deal, overlap
from perno_solver.survey.store import Store


@click.command("results")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--rules", "name", metavar="RULES", help="Only this reading.  [default: all in the store]")
@player_option("Only the games of this player.  [default: all; with --list, --export and --plot the verdicts]")
@click.option("--check", "checked", is_flag=True, help="Only find out whether the store is whole.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each reading, with its histograms.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of comma-separated values for each reading.")
@click.option(
    "--list",
    "listed",
    metavar="VERDICT",
    type=click.Choice([verdict.value for verdict in Verdict]),
    help="Print the seeds of the deals that are won, lost or unknown.",
)
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="With --list: at most so many.")
@click.option("--seeds", metavar="A:B", help="With --list and --export: only the seeds A to B - 1.")
@click.option("--plot", metavar="PATH", type=click.Path(path_type=Path), help="Draw the figures: a .png, .svg or .pdf.")
@click.option("--export", metavar="PATH", type=click.Path(path_type=Path), help="Write a row a deal: .csv or .parquet.")
def results_command(  # noqa: PLR0913 - an argument for each option
    *,
    file: Path,
    name: str | None,
    player: PlayerName | None,
    checked: bool,
    as_json: bool,
    as_csv: bool,
    listed: str | None,
    limit: int | None,
    seeds: str | None,
    plot: Path | None,
    export: Path | None,
) -> None:
    """Read what surveys have kept in a store.

    A store that is damaged anywhere that matters is refused, whatever is asked of it.

    With --export each deal is a row: rules, seed, verdict, rank of the base card, states stored, and for a won deal the
    moves and passes of the line that was found. A store keeps no such numbers of single deals, so they are decided
    again, on all processors.

    \b
    Examples:
      perno results survey.sqlite
      perno results survey.sqlite --check
      perno results survey.sqlite --json
      perno results survey.sqlite --rules perno --list won --limit 10
      perno results survey.sqlite --plot survey.png
      perno results survey.sqlite --export deals.parquet --seeds 0:100000
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    if checked and (as_json or as_csv or name or player or listed or limit or seeds or plot or export):
        msg = "--check goes through all of a store, and does nothing else"
        raise click.UsageError(msg)
    if sum([as_json, as_csv, listed is not None]) > 1 or (limit is not None and listed is None):
        msg = "give one of --json, --csv and --list; --limit is for --list"
        raise click.UsageError(msg)
    if player is not None and (plot is not None or export is not None):
        msg = "--plot and --export are of the verdicts, not of a player's games; an export has the level of each deal"
        raise click.UsageError(msg)
    if seeds is not None and listed is None and export is None:
        msg = "--seeds is for --list and --export"
        raise click.UsageError(msg)
    if checked:
        _check(file)
        return
    within = None if seeds is None else survey_seeds(seeds)
    plots = None if plot is None else optional("perno_solver.survey.plots", "plot")
    write = None if export is None else writer(export)
    with Store(file, read_only=True) as store:
        wanted = None if name is None else Rules.from_text(name)
        readings = [
            (rules, found) for rules, found in store.readings() if wanted in {None, rules} and player in {None, found}
        ]
        verdicts = [rules for rules, found in readings if found is None]
        if not (readings if player or not (listed or plot or export) else verdicts):
            of = ("" if player is None else f" of the {player.value} player") + f" under the rules {wanted}" * (
                wanted is not None
            )
            msg = f"{file}: no survey in it{of or ' of verdicts' * bool(readings)}"
            raise Failure(msg)
        if listed is not None:
            chosen = verdicts if player is None else [rules for rules, _ in readings]
            _list(store, chosen, player, Verdict(listed), within, limit)
        else:
            _print_results({reading: _added_up(store.chunks(*reading)) for reading in readings}, as_json, as_csv)
        if write is not None and export is not None:
            with closing(_deal_by_deal(store, verdicts, within)) as deals:
                write(export, deals)
        if plots is not None:
            plots.save(plot, {rules: _added_up(store.chunks(rules))[1] for rules in verdicts})


def _check(file: Path) -> None:
    """Say that a store is whole; one that is not is refused by the library."""
    with Store(file, read_only=True) as store:
        pieces = {asked(*reading): store.check(*reading) for reading in store.readings()}
    held = ", ".join(f"{count(number, 'chunk')} of {name}" for name, number in pieces.items())
    say(f"{file} is whole, every row as it was written: {held or 'no chunks'}")


def _deal_by_deal(store: Store, readings: list[Rules], within: range | None) -> Generator[Deals, None, None]:
    """Decide the deals of a store again, and show how far that is."""
    total = sum(len(overlap(chunk, within)) for rules in readings for chunk in store.chunks(rules))
    with Waiting(total) as waiting:
        for rules in readings:
            with closing(deal_by_deal(rules, store.chunks(rules), within=within)) as found:
                for deals in found:
                    waiting.advance(len(deals.rows), str(rules))
                    yield deals


def _list(
    store: Store,
    readings: list[Rules],
    player: PlayerName | None,
    verdict: Verdict,
    within: range | None,
    limit: int | None,
) -> None:
    if len(readings) > 1:
        msg = f"choose one by --rules: {', '.join(map(repr, map(str, readings)))}"
        raise Failure(msg)
    seeds = (seed for chunk in store.chunks(readings[0], player) for seed in chunk.seeds_with(verdict))
    if within is not None:
        seeds = (seed for seed in seeds if seed in within)
    for seed in islice(seeds, limit):
        click.echo(seed)


def _added_up(chunks: Iterator[Chunk]) -> tuple[list[range], Totals]:
    """Add up chunks that come by their seeds; return the ranges of seeds that they fill, and the totals."""
    ranges, totals = list[range](), Totals()
    for chunk in chunks:
        ranges[-1:] = joined([*ranges[-1:], chunk.seeds])
        totals += Totals.of(chunk)
    return ranges, totals


def _print_results(
    results: dict[tuple[Rules, PlayerName | None], tuple[list[range], Totals]],
    as_json: bool,  # noqa: FBT001
    as_csv: bool,  # noqa: FBT001
) -> None:
    if as_json:
        for reading, (ranges, totals) in results.items():
            click.echo(json.dumps(values(*reading, ranges, totals)))
        return
    if as_csv:
        rows = [values(*reading, ranges, totals) for reading, (ranges, totals) in results.items()]
        fields = [name for name in rows[0] if name not in HISTOGRAMS]
        sheet = csv.DictWriter(sys.stdout, fields, extrasaction="ignore", lineterminator="\n")
        sheet.writeheader()
        sheet.writerows(rows)
        return
    lines = [["rules", "seeds", "deals", "won", "unknown", "rate", "95 %", "one of three"]]
    for reading, (ranges, totals) in results.items():
        numbers = [f"{number:,}" for number in (totals.deals, totals.won, totals.unknown)]
        rates = [percent(totals.rate), interval(*totals.interval), percent(one_of_three(totals.rate))]
        lines.append([asked(*reading), spelled(ranges), *numbers, *rates])
    say(table(lines))
