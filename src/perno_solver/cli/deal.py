"""perno deal: prints the decks of seeds, or of games that can be won."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from perno_solver.cli.language import language, spoken
from perno_solver.cli.shared import columns, file_option, on_terminal, rules_options, say, write_text
from perno_solver.cli.sources import Game, of_seed, of_seeds, parse_seeds
from perno_solver.game.deal import SEEDS, Deal
from perno_solver.game.rules import PERNO, Rules
from perno_solver.proof import Verdict
from perno_solver.show.picture import picture as drawn_as_svg
from perno_solver.show.sheet import sheet as sheet_of
from perno_solver.solve import Level


@click.command("deal")
@click.argument("seeds", metavar="[SEED|A:B]", required=False)
@rules_options
@click.option("--won", is_flag=True, help="Only deals that are proved to be won under the rules.")
@click.option("--lost", is_flag=True, help="Only deals that are proved to be lost.")
@click.option(
    "--count", "wanted", metavar="N", type=click.IntRange(min=1), help="How many of those, SEED being the first to try."
)
@click.option(
    "--level",
    type=click.Choice(["easy", "medium", "hard"]),
    help="With --won: only deals that a greedy player wins, or else a careful one, or else only calculation.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line, with the verdict and the level.")
@file_option("picture", "Draw the table of one deal to a file, as SVG.")
@file_option("sheet", "Write a page to print, by which one deal is laid with real cards unseen.")
@click.option("--table/--no-table", default=None, help="Draw the table too.  [default: one deal on a terminal]")
def deal_command(  # noqa: PLR0913 - an argument for each option
    *,
    seeds: str | None,
    rules: Rules | None,
    won: bool,
    lost: bool,
    wanted: int | None,
    level: str | None,
    as_json: bool,
    picture: Path | None,
    sheet: Path | None,
    table: bool | None,
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
      perno deal 42 --picture deal.svg
      perno deal --won --count 5
      perno deal --won --level easy --sheet sheet.html
      perno deal 0:1000 --lost --rules perno-packed
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    _check_options(won=won, lost=lost, level=level, as_json=as_json, table=table)
    if not won and not lost:
        if seeds is None or wanted is not None:
            msg = "give SEED or A:B; --count is for --won and --lost"
            raise click.UsageError(msg)
        total, games = of_seeds(seeds, rules)
    else:
        total, games = _of_verdict(Verdict.WON if won else Verdict.LOST, seeds, wanted, rules or PERNO, level)
    if total > 1 and (picture or sheet):
        msg = f"--picture and --sheet are for one deal, and not for {total:,}"
        raise click.UsageError(msg)
    if table is None:
        table = total == 1 and on_terminal() and sheet is None  # who lays the cards is not to see them
    for game in games:
        _write_files(game, picture, sheet, Verdict.WON if won else Verdict.LOST if lost else None)
        if as_json:
            click.echo(_as_json(game))
            continue
        if sheet is None or table:
            say(f"{game.start}  # {game.name}" if won or lost else str(game.start))
        if table:
            drawn = game.table.drawn(columns() - 2, spoken())
            say("\n".join(f"# {line}".rstrip() for line in drawn.splitlines()))


def _check_options(*, won: bool, lost: bool, level: str | None, as_json: bool, table: bool | None) -> None:
    """Refuse options that contradict each other."""
    if won and lost:
        msg = "give one of --won and --lost"
    elif level is not None and not won:
        msg = "--level is for --won"
    elif as_json and table:
        msg = "give one of --json and --table"
    else:
        return
    raise click.UsageError(msg)


def _write_files(game: Game, picture: Path | None, sheet: Path | None, verdict: Verdict | None) -> None:
    """Write the files of a deal that were asked for."""
    if picture is not None:
        write_text(picture, drawn_as_svg(game.table, lang=language()))
    if sheet is not None:
        write_text(sheet, _sheet(game, verdict))


def _sheet(game: Game, verdict: Verdict | None) -> str:
    """Write the sheet of a deal, with its verdict where it was asked for."""
    _ = spoken().gettext
    told = {
        Verdict.WON: _("This deal can be won under the rules {rules}."),
        Verdict.LOST: _("This deal cannot be won under the rules {rules}."),
        None: _("The rules are {rules}."),
    }
    title = _("Perno Variabile, deal {seed}").format(seed=game.number)
    deal = Deal.from_text(str(game.start))
    return sheet_of(deal, game.rules, title=title, told=told[verdict].format(rules=game.rules), texts=spoken())


def _as_json(game: Game) -> str:
    """Write the deal of a seed, whether it can be won, and how hard it is."""
    from perno_solver.survey.chunks import VERDICTS, decide, levels  # noqa: PLC0415 - as in `_of_verdict`

    seed = game.number or 0
    codes = decide(game.rules, range(seed, seed + 1)).codes()
    (code,), (level,) = codes, levels(game.rules, range(seed, seed + 1), codes)
    values = {"seed": seed, "deck": str(game.start), "rules": str(game.rules), "verdict": VERDICTS[code].value}
    return json.dumps({**values, "level": None if level is None else level.value})


def _of_verdict(
    verdict: Verdict, text: str | None, wanted: int | None, rules: Rules, level: str | None
) -> tuple[int, Iterator[Game]]:
    """Find deals of a verdict: how many at most, and the deals."""
    from perno_solver.survey import seeds_with  # noqa: PLC0415 - much that a quick deal can do without

    seeds = parse_seeds(text or "0")
    if text is None or ":" not in text:  # it is where to begin
        seeds, wanted = range(seeds.start, SEEDS), wanted or 1
    found = islice(seeds_with(verdict, rules, seeds, level=None if level is None else Level(level)), wanted)
    games = (of_seed(seed, rules) for seed in found)
    return wanted or seeds.stop - seeds.start, games
