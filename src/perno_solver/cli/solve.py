"""perno solve: proves whether deals, or positions in mid-game, can be won."""

import json
import sys
import time
from pathlib import Path

import click
from attrs import evolve

from perno_solver.as_json import to_data
from perno_solver.cli.language import chosen_language, counted, grouped, in_seconds, spoken, told_reason, told_verdict
from perno_solver.cli.shared import (
    EXIT_OF,
    Failure,
    Waiting,
    chance,
    columns,
    ctrl_c_cancels,
    file_option,
    in_a_line,
    rules_options,
    say,
    share_values,
    tried,
    wrapped,
    write_text,
)
from perno_solver.cli.sources import Game, of_sources, page_name
from perno_solver.files import check_writable, replaced
from perno_solver.game.record import Game as Played
from perno_solver.game.rules import Rules
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.proof import Evidence, Verdict
from perno_solver.show.replay import replay
from perno_solver.show.words import followed
from perno_solver.solve import CANCELLED, Budget, Objective, Result, odds_in_steps, solve
from perno_solver.solve.budget import Flag, Meter, Stopped


@click.command("solve")
@click.option("--seed", type=int, help="Solve the deal of this seed.")
@click.option("--seeds", metavar="A:B", help="Solve the deals of the seeds A to B - 1.")
@click.option("--deck", metavar="TEXT", help="Solve this deck: 52 cards, the first one dealt first.")
@click.option(
    "--file",
    metavar="PATH",
    help="Solve what a file holds, - for standard input: a deck a line, a position, or games on record.",
)
@rules_options
@click.option(
    "--objective",
    type=click.Choice([objective.value for objective in Objective]),
    default=Objective.ANY.value,
    help="The winning line wanted: any, of the fewest moves, of the fewest passes, or of those the fewest moves.",
)
@click.option("--verdict", "only_verdict", is_flag=True, help="Say only whether it can be won, and not how.")
@click.option("--max-states", metavar="N", type=int, help="Give up on a deal after storing this many states.")
@click.option("--max-seconds", metavar="S", type=float, help="Give up on a deal after this time.")
@click.option(
    "--evidence",
    "evidence_path",
    metavar="PATH",
    type=click.Path(readable=False, path_type=Path),
    help="Write what proves the verdict to a file; into a directory, to a file a deal, such as seed-42.perno.",
)
@file_option("page", "Write the winning line of one deal to a file, as a web page to step through.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
@click.option("--show", is_flag=True, help="Tell the winning line move by move, with the table.")
def solve_command(  # noqa: PLR0913 - an argument for each option
    *,
    seed: int | None,
    seeds: str | None,
    deck: str | None,
    file: str | None,
    rules: Rules | None,
    objective: str,
    only_verdict: bool,
    max_states: int | None,
    max_seconds: float | None,
    evidence_path: Path | None,
    page: Path | None,
    as_json: bool,
    show: bool,
) -> None:
    """Prove whether deals, or a position in mid-game, can be won.

    Give one of --seed, --seeds, --deck and --file. In a file blank lines are skipped and # begins a comment.
    Ctrl-C ends the search; what is known by then is printed.

    \b
    Examples:
      perno solve --seed 42
      perno solve --seed 42 --rules eagle-wing --redeals 1
      perno solve --file position.txt --objective moves --show
      perno solve --seed 2 --page win.html
      perno solve --seeds 0:1000 --max-seconds 10 --json > results.jsonl

    \b
    A position is a block of lines, in any order:
      base: J                       rank of the base card
      foundations: 9C JH            top card of each that is begun
      tableau: 7S 4D 9H/8H TC -     a cell a word, bottom/top, - empty
      pivot: 2C 5D                  as counted, its top card last
      stock: KS 3H                  next card first
      waste: 6D                     top card last
      redeals: 2                    left, or unlimited
      rules: perno                  if not by --rules

    Of a game on record the position after its moves is solved. Cards of pivot, stock and waste may be unseen, ? for
    each, or 9? for nine; then many ways to lay them are tried.

    \b
    Exit codes:
      one deal       0 won, 1 lost, 3 unknown
      several deals  0 all decided, 3 not all
      either         2 bad input, 130 interrupted outside of a search
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    budget = Budget(max_states, max_seconds)
    total, games = of_sources(seed, seeds, deck, file, rules)
    any_line = objective == Objective.ANY.value
    _check_options(show=show, page=page, verdict=only_verdict, as_json=as_json, total=total, any_line=any_line)
    if evidence_path is not None:
        _check_evidence_path(evidence_path, total)
    started = time.perf_counter()
    counts = dict.fromkeys(Verdict, 0)
    states, interrupted = 0, False
    with Waiting(total) as waiting, ctrl_c_cancels() as cancel:
        for game in games:
            if isinstance(game.start, View):
                line = show or page is not None or evidence_path is not None or not any_line
                sys.exit(_tell_view(game.start, budget, waiting, cancel, line=line, as_json=as_json))
            meter = Meter(budget, cancel=cancel)
            result = solve(
                game.start,
                rules=game.rules,
                objective=Objective(objective),
                budget=budget,
                evidence=evidence_path is not None,
                on_progress=waiting.on_progress,
                cancel=cancel,
            )
            result = _to_tell(result, only_verdict=only_verdict)
            waiting.next()
            if as_json:
                click.echo(_as_json(game, result))
            else:
                say(_as_text(game, result, objective) if total == 1 else _as_row(game, result, objective))
            if show and result.line is not None:
                say(f"\n{followed(game.table, result.line, columns(), spoken())}")
            _write_files(page, evidence_path, game, result, meter)
            if total == 1:
                sys.exit(EXIT_OF[result.verdict])
            counts[result.verdict] += 1
            states += result.statistics.stored
            interrupted = cancel.is_set()
            if interrupted:
                break
    if not as_json:
        _ = spoken().gettext
        each = ", ".join(
            [
                counted(counts[Verdict.WON], "{number} won", "{number} won"),
                counted(counts[Verdict.LOST], "{number} lost", "{number} lost"),
                counted(counts[Verdict.UNKNOWN], "{number} unknown", "{number} unknown"),
            ]
        )
        told = _("{number} of {total} deals: {each}; {used}") if interrupted else _("{number} deals: {each}; {used}")
        used = _used(states, time.perf_counter() - started)
        say(told.format(number=grouped(sum(counts.values())), total=grouped(total), each=each, used=used))
    sys.exit(EXIT_OF[Verdict.UNKNOWN] if interrupted or counts[Verdict.UNKNOWN] else 0)


def _check_options(*, show: bool, page: Path | None, verdict: bool, as_json: bool, total: int, any_line: bool) -> None:
    """Refuse options that contradict each other."""
    if show and (as_json or total > 1):
        msg = "--show is for one deal, and not for --json"
    elif page is not None and total > 1:
        msg = f"--page is for one deal, and not for {total:,}"
    elif verdict and (show or page is not None or not any_line):
        msg = "--verdict is without a line, so without --objective, --show and --page"
    else:
        return
    raise click.UsageError(msg)


def _tell_view(view: View, budget: Budget, waiting: Waiting, cancel: Flag, *, line: bool, as_json: bool) -> int:
    """Say in how many ways to lay the unseen cards a position can be won; return the exit code.

    It has a verdict only where all of them have been tried, and have the same one.
    """
    if line:
        msg = "the position has unseen cards: there is no --objective, --show, --page or --evidence for it"
        raise Failure(msg)
    for found in odds_in_steps(view, budget=budget, cancel=cancel):
        waiting.show(counted(found.share.worlds, "{number} world", "{number} worlds"))
    share = found.share
    alike = share.exact and share.won in {0, share.worlds} and not share.unknown
    verdict = Verdict.UNKNOWN if not alike else Verdict.WON if share.won else Verdict.LOST
    if as_json:
        reason = "interrupted" if found.reason == CANCELLED else found.reason
        values = {"position": str(view), "rules": str(view.rules), "verdict": verdict.value, "reason": reason}
        click.echo(json.dumps(values | share_values(found)))
        return EXIT_OF[verdict]
    _ = spoken().gettext
    can = {
        Verdict.WON: _("The position can be won, however they lie (rules {rules})."),
        Verdict.LOST: _("The position cannot be won, however they lie (rules {rules})."),
        Verdict.UNKNOWN: _("The position has no verdict, as it has unseen cards (rules {rules})."),
    }
    say(f"{can[verdict].format(rules=view.rules)}\n{tried(found)}")
    if not alike:
        say(_("The chance that it can be won: {share}").format(share=chance(share).strip()))
    if found.reason is not None:
        say(_("Stopped early: {reason}.").format(reason=told_reason(found.reason)))
    return EXIT_OF[verdict]


def _to_tell(result: Result, *, only_verdict: bool) -> Result:
    """Call a search interrupted that was cancelled, as only Ctrl-C cancels here; leave out an unwanted line."""
    reason = "interrupted" if result.reason == CANCELLED else result.reason
    return evolve(result, reason=reason, line=None if only_verdict else result.line)


def _as_json(game: Game, result: Result) -> str:
    """Write what was solved, and its result; evidence has files of its own."""
    values: dict[str, object] = {} if game.number is None else {game.source: game.number}
    if game.title:
        values["name"] = game.title
    values["position" if isinstance(game.start, State) else "deck"] = str(game.start)
    values["rules"] = str(game.rules)
    return json.dumps(values | to_data(evolve(result, evidence=None)))


def _as_row(game: Game, result: Result, objective: str) -> str:
    """Write a result as one line of several."""
    statistics = result.statistics
    states = counted(statistics.stored, "{number} state", "{number} states")
    used = f"{states:>18} {in_seconds(statistics.seconds):>10}"
    title = f"   # {game.title}" if game.title else ""
    width = max(8, *(len(told_verdict(verdict)) + 1 for verdict in Verdict))
    verdict = told_verdict(result.verdict)
    return f"{_named(game):<12} {verdict:<{width}}{used}   {_outcome(result, objective)}".rstrip() + title


def _as_text(game: Game, result: Result, objective: str) -> str:
    """Write the one result of a run."""
    _ = spoken().gettext
    can = {
        Verdict.WON: _("{game} can be won under the rules {rules}."),
        Verdict.LOST: _("{game} cannot be won under the rules {rules}."),
        Verdict.UNKNOWN: _("{game} is undecided under the rules {rules}."),
    }
    named = _named(game, alone=True)
    if game.title:
        named += f' ("{game.title}")'
    parts = [can[result.verdict].format(game=named, rules=game.rules)]
    if result.line is not None:
        parts.append(wrapped(result.line))
    outcome = _outcome(result, objective)
    used = _used(result.statistics.stored, result.statistics.seconds)
    return "\n".join([*parts, f"{outcome}; {used}" if outcome else used])


def _named(game: Game, *, alone: bool = False) -> str:
    """Name a game, among several or alone."""
    _, number = spoken().gettext, game.number
    if game.source == "seed":
        return (_("Seed {number}") if alone else _("seed {number}")).format(number=number)
    if game.source == "line":
        if not alone:
            return _("line {number}").format(number=number)
        on = _("The position on line {number}") if isinstance(game.start, State) else _("The deck on line {number}")
        return on.format(number=number)
    if game.record is not None:
        return _("The game") if alone else _("game {number}").format(number=number)
    return _("The position") if isinstance(game.start, State) else _("The deck")


def _used(states: int, seconds: float) -> str:
    """Write what a search took."""
    told = spoken().ngettext("{number} state in {time}", "{number} states in {time}", states)
    return told.format(number=grouped(states), time=in_seconds(seconds))


def _outcome(result: Result, objective: str) -> str:
    """Write how long the line of a win is, and why a search stopped early; nothing for a loss."""
    reason = None if result.reason is None else told_reason(result.reason)
    if result.line is None or result.passes is None:
        return reason or ""
    _, passes = spoken().gettext, result.passes
    moves = counted(len(result.line), "{number} move", "{number} moves")
    length = f"{moves}, " + counted(passes, "{number} pass", "{number} passes")
    if objective == Objective.ANY.value:
        return length
    fewest = {
        "moves": _("the fewest moves"),
        "passes": _("the fewest passes"),
        "passes,moves": _("the fewest passes, and of those the fewest moves"),
    }[objective]
    if reason is None:
        return f"{length}, {fewest}"
    if result.at_least is None:
        return f"{length}, " + _("maybe not the fewest: {reason}").format(reason=reason)
    least = counted(result.at_least, "{number} move", "{number} moves")
    return f"{length}, " + _("maybe not the fewest, but at least {least}: {reason}").format(least=least, reason=reason)


def _check_evidence_path(path: Path, deals: int) -> None:
    """Find out before a long search whether its evidence can be written."""
    if deals > 1 and not path.is_dir():
        msg = f"{path}: not a directory, expected one for the evidence of {deals:,} deals"
        raise Failure(msg)
    check_writable(path / "evidence" if path.is_dir() else path)


def _write_files(page: Path | None, evidence: Path | None, game: Game, result: Result, meter: Meter) -> None:
    """Write the files that were asked for."""
    if page is not None:
        _write_page(page, game, result)
    if evidence is not None and result.evidence is not None:
        _write_evidence(evidence, game, result.evidence, meter)


def _write_page(path: Path, game: Game, result: Result) -> None:
    """Write the page of a winning line, where there is one."""
    if result.line is None:
        click.echo(in_a_line(f"Warning: {path}: not written: there is no winning line"), err=True)
        return
    won = Played(game.known, game.rules, result.line, name=page_name(game))
    write_text(path, replay(won, table=game.table, lang=chosen_language()))


def _write_evidence(path: Path, game: Game, evidence: Evidence, meter: Meter) -> None:
    """Write evidence to a file, or into a directory to the deal's own file, within what is left of its time."""
    if path.is_dir():
        path /= f"{game.name.replace(' ', '-')}.perno"
    try:
        with replaced(path) as file:
            evidence.write(file, look=meter.look)
    except Stopped as stop:
        click.echo(in_a_line(f"Warning: {path}: not written: {stop}"), err=True)
