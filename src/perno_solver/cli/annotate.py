"""perno annotate: tells a game as it was played, and which move lost it."""

import sys
from pathlib import Path

import click

from perno_solver.as_json import from_json
from perno_solver.cli.language import chosen_language, spoken, told_verdict
from perno_solver.cli.shared import (
    EXIT_OF,
    columns,
    ctrl_c_cancels,
    file_option,
    read_whole,
    rules_options,
    say,
    write_text,
)
from perno_solver.cli.sources import of_sources, page_name
from perno_solver.errors import InvalidDeal
from perno_solver.game.moves import Line, parse_line
from perno_solver.game.record import Game as Played
from perno_solver.game.rules import Rules
from perno_solver.proof import Verdict
from perno_solver.show.replay import replay
from perno_solver.show.table import Table
from perno_solver.show.words import in_words
from perno_solver.solve import Budget, annotate


@click.command("annotate")
@click.argument("moves", required=False)
@click.option("--seed", type=int, help="The deal of this seed was played.")
@click.option("--deck", metavar="TEXT", help="This deck was played.")
@click.option("--file", metavar="PATH", help="The deck or the position in this file was played.")
@rules_options
@file_option("page", "Write the game to a file, as a web page to step through.")
@click.option("--max-seconds", metavar="S", type=float, help="Give up on a verdict after this time.")
def annotate_command(
    *,
    moves: str | None,
    seed: int | None,
    deck: str | None,
    file: str | None,
    rules: Rules | None,
    page: Path | None,
    max_seconds: float | None,
) -> None:
    """Tell a game as it was played, and whether it could still be won after each move.

    MOVES are tokens, as in "T T F:7S R", or the list of them that perno solve --json prints, or - to read them from
    standard input. They go on from the moves of a game on record, and need not be there then.

    \b
    Examples:
      perno annotate --seed 2 "T T T F:AH"
      perno annotate --file game.txt
      perno annotate --file game.txt --page game.html

    \b
    Exit codes:
      0 it can still be won, 1 it is lost, 3 unknown, 2 bad input
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    total, games = of_sources(seed, None, deck, file, rules)
    if total > 1:
        msg = f"{total} decks in {file}, expected the one that was played"
        raise InvalidDeal(msg)
    game = next(games)
    if moves is None and game.record is None:
        msg = "give MOVES, or a game on record as --file"
        raise click.UsageError(msg)
    line = _read_moves(moves or "")
    start, comments = game.known, dict[int, list[str]]()
    if game.record is not None:
        start, line = game.record.start, game.record.moves + line
        for at, text in game.record.comments:
            comments.setdefault(at, []).append(f"      # {text}")
    with ctrl_c_cancels() as cancel:
        verdicts = annotate(start, line, rules=game.rules, budget=Budget(seconds=max_seconds), cancel=cancel)
    if cancel.is_set():
        click.echo(spoken().gettext("Interrupted: the verdicts that were not reached are unknown."), err=True)
    table = game.laid or Table.of(start, game.rules)
    if page is not None:
        noted = () if game.record is None else game.record.comments
        played = Played(start, game.rules, line, name=page_name(game), comments=noted)
        write_text(page, replay(played, table=table, verdicts=verdicts, lang=chosen_language()))
    if game.title:
        say(f"# {game.title}\n")
    _, width = spoken().gettext, max(8, *(len(told_verdict(verdict)) + 1 for verdict in Verdict))
    say("\n".join([table.drawn(columns(), spoken()), "", f"      {told_verdict(verdicts[0])}", *comments.get(0, [])]))
    for number, move in enumerate(line, start=1):
        before, table = table.state, table.play(move)
        turned = verdicts[number - 1] is Verdict.WON and verdicts[number] is Verdict.LOST
        mark = "   <- " + _("this move lost it") if turned else ""
        words = in_words(before, move, table.state, spoken())
        told = f"{number:>4}  {told_verdict(verdicts[number]):<{width}}{words}{mark}"
        say("\n".join([told, *comments.get(number, [])]))
    if line and not table.state.is_won:
        say(f"\n{table.drawn(columns(), spoken())}")
    sys.exit(EXIT_OF[verdicts[-1]])


def _read_moves(text: str) -> Line:
    """Read the moves that are given: tokens, a list in JSON, or - for either from standard input."""
    if text == "-":
        text = read_whole("-").decode("utf-8", "replace")
    return from_json(Line, text) if text.lstrip().startswith("[") else parse_line(text)
