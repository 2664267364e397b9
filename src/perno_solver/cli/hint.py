"""perno hint: the odds of each move for a player who has not seen the hidden cards, and the move to make."""

import json
import sys
from pathlib import Path

import click

from perno_solver.cli.language import counted, language, spoken, told_reason
from perno_solver.cli.shared import (
    Failure,
    Waiting,
    chance,
    ctrl_c_cancels,
    file_option,
    padded,
    rules_options,
    say,
    share_values,
    tried,
    write_text,
)
from perno_solver.cli.sources import Game, of_sources
from perno_solver.errors import IllegalMove
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line, Move, parse_line
from perno_solver.game.record import Game as Played
from perno_solver.game.record import Seen
from perno_solver.game.rules import Rules
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.show.picture import picture as drawn_as_svg
from perno_solver.show.table import Table
from perno_solver.show.words import named
from perno_solver.solve import Budget, Hint, Share, odds_in_steps
from perno_solver.solve.hint import ENOUGH, WORLDS, advise

EXIT_ADVISED, EXIT_LOST, EXIT_NONE_WON = 0, 1, 3


@click.command("hint")
@click.option("--seed", type=int, help="The deal of this seed is played.")
@click.option("--deck", metavar="TEXT", help="This deck is played.")
@click.option("--file", metavar="PATH", help="What a file holds is played, - for standard input.")
@click.option("--moves", metavar="TEXT", help='What has been played since, as in "T T F:7S".')
@click.option(
    "--seen",
    type=click.Choice([seen.value for seen in Seen]),
    help="Known is all that was seen in the game, what lies on the table now, or every card.  "
    "[default: remembered; of a position, what is written]",
)
@rules_options
@click.option(
    "--worlds",
    metavar="N",
    type=click.IntRange(1, 10**9),
    help=f"Try so many ways to lay the unseen cards.  [default: until {ENOUGH} were won, at most {WORLDS:,}]",
)
@click.option("--max-seconds", metavar="S", type=float, help="Say what is known after this time.")
@file_option("picture", "Draw the table with the advised move to a file, as SVG.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def hint_command(  # noqa: PLR0913 - an argument for each option
    *,
    seed: int | None,
    deck: str | None,
    file: str | None,
    moves: str | None,
    seen: str | None,
    rules: Rules | None,
    worlds: int | None,
    max_seconds: float | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Advise a move to a player who has not seen the hidden cards.

    All ways to lay the unseen cards are equally likely. Many of them are tried, or all where they are few, and in each
    it is proved whether the game can still be won after each move. So every move has its odds, with a 95 % interval.

    Give one of --seed, --deck and --file: a deck, a game on record, or a position, in which ? is an unseen card of
    pivot, stock or waste, and 9? nine of them.

    \b
    Examples:
      perno hint --seed 2 --moves "T T T"
      perno hint --file game.txt --seen table
      perno hint --file position.txt --json
      perno hint --file game.txt --picture hint.svg

    \b
    Exit codes:
      0  a move is advised, or the game is won
      1  the game is proved lost, however the
         unseen cards lie
      3  no way to win was found: proves nothing
      2  bad input
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    budget = Budget(seconds=max_seconds)
    total, games = of_sources(seed, None, deck, file, rules)
    if total > 1:
        msg = f"{total} games in {file}, expected the one that is played"
        raise Failure(msg)
    view, lies = _view(next(games), parse_line(moves or ""), seen)
    number, enough = (WORLDS, ENOUGH) if worlds is None else (worlds, None)
    with Waiting(1) as waiting, ctrl_c_cancels() as cancel:
        for found in odds_in_steps(view, worlds=number, enough=enough, budget=budget, cancel=cancel):
            waiting.show(counted(found.share.worlds, "{number} world", "{number} worlds"))
    advice = advise(found, spoken())
    if picture is not None:
        write_text(picture, drawn_as_svg(lies, highlight=advice.best, lang=language()))
    if as_json:
        click.echo(json.dumps(_as_data(advice)))
    else:
        say(_as_text(advice, forgets=seen == "table"))
    stuck = not advice.moves and not view.is_won
    sys.exit(EXIT_LOST if found.share.is_lost or stuck else EXIT_ADVISED if found.share.won else EXIT_NONE_WON)


def _view(game: Game, line: Line, seen: str | None) -> tuple[View, View | Table]:
    """Work out what is known after some moves, and how it lies on the table."""
    if isinstance(game.start, View):
        if line:
            msg = "--moves: the position has unseen cards, and a move may show one that it does not hold; "
            raise Failure(msg + "write down the position after the moves")
        if seen is not None:
            msg = "--seen: the position has unseen cards, so it says itself what is known"
            raise Failure(msg)
        return game.start, game.start
    start: Deal | State = game.start
    before: Line = ()
    if game.record is not None:
        start, before = game.record.start, game.record.moves
    known = Seen(seen) if seen is not None else Seen.REMEMBERED if game.record or isinstance(start, Deal) else Seen.ALL
    try:
        view = Played(start, game.rules, before + line).view(seen=known)
    except IllegalMove as error:
        msg = f"--moves: {error}"
        raise Failure(msg) from None
    table = game.laid or Table.of(start, game.rules)
    for move in before + line:
        table = table.play(move)
    return view, table


def _as_data(advice: Hint) -> dict[str, object]:
    """List what is known by its names in JSON."""
    return {
        **share_values(advice.odds),
        "best": None if advice.best is None else str(advice.best),
        "reason": advice.reason,
        "stopped": advice.odds.reason,
        "moves": [
            {"move": str(move), "rate": each.rate, "low": each.interval[0], "high": each.interval[1]}
            for move, each in advice.moves
        ],
    }


def _as_text(advice: Hint, *, forgets: bool) -> str:
    """Write the moves, best first, why the first is advised, and what that rests on."""
    found, _ = advice.odds, spoken().gettext
    parts = []
    if advice.moves:
        names, rates = (padded(list(column)) for column in zip(*map(_as_row, advice.moves), strict=True))
        parts += [f"{name}  {rate}".rstrip() for name, rate in zip(names, rates, strict=True)] + [""]
    parts.append(f"{advice.reason[0].upper()}{advice.reason[1:]}.")
    if not found.view.is_known:
        parts.append(tried(found))
    if found.reason is not None:
        parts.append(_("Stopped early: {reason}.").format(reason=told_reason(found.reason)))
    if forgets and not found.view.is_known:
        parts.append(_("That is for one who remembers what comes into sight from now on."))
    return "\n".join(parts)


def _as_row(option: tuple[Move, Share]) -> tuple[str, str]:
    """Write a move and how often it wins."""
    move, share = option
    return named(move, spoken()), chance(share)
