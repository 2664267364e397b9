"""The command line, `perno`: it reads what people type, calls the library, and writes what the library reads back.

Everything that people can mend ends in one line on standard error and exit code 2, never in a traceback.
"""

import functools
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from attrs import define, field, frozen

from perno_solver import __version__
from perno_solver.deal import SEEDS, Deal
from perno_solver.engine import engine_info
from perno_solver.errors import BadEvidence, InvalidDeal, InvalidState, PernoError
from perno_solver.moves import Line, line_text, parse_line
from perno_solver.proof import Evidence, Verdict
from perno_solver.proof import check as check_evidence
from perno_solver.rules import PERNO, READINGS, Rules
from perno_solver.search import Budget, Meter
from perno_solver.solve import INTERRUPTED, Objective, Result, annotate, solve
from perno_solver.state import State, is_position
from perno_solver.table import Table, followed, in_words, styled

if TYPE_CHECKING:
    from rich.progress import Progress

_INSTALL = "the command perno needs click and rich: pip install 'perno_solver[cli]'"

try:
    import click
except ModuleNotFoundError:
    sys.stderr.write(f"Error: {_INSTALL}\n")
    raise SystemExit(2) from None

EXIT_BAD_INPUT = 2
EXIT_OF = {Verdict.WON: 0, Verdict.LOST: 1, Verdict.UNKNOWN: 3}
_CITING = ", by the lemmas play and greedy"

EXIT_INTERRUPTED = 130  # as shells say it of Ctrl-C
EXIT_CLOSED_PIPE = 141  # and of a reader that has gone


_MANY_DEALS = {"survey": "survey_command", "compare": "compare_command", "results": "results_command"}

# What every command shares


class Failure(click.ClickException):
    """Something that is wrong with the input, told in one line."""

    exit_code = EXIT_BAD_INPUT


class _Commands(click.Group):
    """A group whose commands end in one line for every error that is not a bug.

    The commands of `_MANY_DEALS` are imported when they are called for: a quick deal can do without what they need.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, in order."""
        return sorted([*super().list_commands(ctx), *_MANY_DEALS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command by its name."""
        if cmd_name in _MANY_DEALS:
            return cast(click.Command, getattr(import_module("perno_solver.survey_cli"), _MANY_DEALS[cmd_name]))
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as in click
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(EXIT_INTERRUPTED)
        except OSError as error:
            msg = error.strerror or str(error)
            if error.filename is not None:
                msg = f"{error.filename}: {msg}"
            else:  # standard output is closed or full, and Python must not flush it once more
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            if isinstance(error, BrokenPipeError):
                ctx.exit(EXIT_CLOSED_PIPE)
            raise Failure(msg) from None
        except UnicodeEncodeError as error:
            lacks = f"the output's encoding, {error.encoding}, has no {error.object[error.start]!a}"
            msg = f"{lacks}: set PYTHONIOENCODING=utf-8"
            raise Failure(msg) from None
        except MemoryError:
            msg = "the machine's memory is used up"
            raise Failure(msg) from None
        except ModuleNotFoundError:
            raise Failure(_INSTALL) from None
        except PernoError as error:
            raise Failure(str(error)) from None


_FIELDS = {
    "pivot-size": ("1-30", "Cards counted into the first pivot."),
    "reform": ("WHEN", "An empty pivot is formed again: up-to-ten, exactly-ten or never."),
    "pivot-open": ("yes|no", "Whether the pivot's top card is always playable, not only its last."),
    "redeals": ("N|unlimited", "How often the waste becomes the stock again."),
    "build": ("down|up", "Direction of the foundations."),
    "pack-from": ("PLACES", "Whose card may be packed: none, or waste, pivot, tableau joined by +."),
    "pack-limit": ("1-13", "Most cards in a cell."),
    "fill-from": ("PLACES", "Whose card may fill a cell when the pivot is empty: waste or waste+tableau."),
    "turning": ("free|obliged", "Whether turning is barred while a card can go to a foundation."),
}


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--rules` and an option for each field; it receives one `rules`, None if none of them is used."""

    @functools.wraps(command)
    def with_rules(*, rules: str | None, **others: Any) -> None:  # noqa: ANN401 - whatever the command takes
        values = {key: others.pop(key.replace("-", "_")) for key in _FIELDS}
        changes = [f"{key}={value}" for key, value in values.items() if value is not None]
        if rules is None and not changes:
            return command(rules=None, **others)
        return command(rules=Rules.from_text(",".join(["perno" if rules is None else rules, *changes])), **others)

    for key, (metavar, text) in reversed(_FIELDS.items()):
        with_rules = click.option(f"--{key}", metavar=metavar, help=text)(with_rules)
    text = "A reading, or one with changes: perno,redeals=3. See `perno rules`.  [default: perno]"
    return click.option("--rules", metavar="RULES", help=text)(with_rules)


def count(number: int, noun: str, nouns: str = "") -> str:
    """Write a number with its noun, as in `1 move` or `1,234 moves`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def opened(path: str) -> AbstractContextManager[BinaryIO]:
    """Open a file to read its bytes, or standard input for -."""
    if path == "-" and sys.stdin is None:
        msg = "standard input is closed"
        raise Failure(msg)
    return cast(AbstractContextManager[BinaryIO], click.open_file(path, "rb"))


def on_terminal(error: bool = False) -> bool:  # noqa: FBT001, FBT002 - one of two streams
    """Say whether standard output, or standard error, is a terminal."""
    stream = sys.stderr if error else sys.stdout
    return stream is not None and stream.isatty()  # None where it was closed from outside


def say(text: str) -> None:
    """Write a text to standard output: in colours on a terminal, else as it is."""
    if not on_terminal():
        click.echo(text)
        return
    from rich.console import Console  # noqa: PLC0415 - it takes longer to import than a quick deal takes

    Console(width=shutil.get_terminal_size().columns).print(styled(text), soft_wrap=True)


@define
class Waiting:
    """Shows on standard error, where it is a terminal, how far a run is: from the second second on.

    Call `on_progress` from inside each search and `next` after it.

    Args:
        deals: how many deals the run has.
        started: when it began, by `time.perf_counter`.
        done: how many of them have been searched.
    """

    deals: int
    started: float = field(factory=time.perf_counter)
    done: int = 0
    _bar: "Progress | None" = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave the terminal clean."""
        if self._bar is not None:
            self._bar.stop()

    def on_progress(self, meter: Meter) -> None:
        """Show what the running search has done."""
        self._show(f"{count(meter.stored, 'state')}, {meter.seconds:.0f} s")

    def next(self) -> None:
        """Count a deal as done; where its result is about to be printed over the display, take that away."""
        self.done += 1
        if not on_terminal():
            self._show("")
        elif self._bar is not None:
            self._bar.stop()

    def _show(self, text: str) -> None:
        if self._bar is None:
            if time.perf_counter() - self.started < 1 or not on_terminal(error=True):
                return
            from rich import progress  # noqa: PLC0415 - only where it is shown
            from rich.console import Console  # noqa: PLC0415

            columns: list[progress.ProgressColumn] = [progress.SpinnerColumn()]
            if self.deals > 1:
                columns += [progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn()]
            columns.append(progress.TextColumn("{task.description}"))
            self._bar = progress.Progress(
                *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self._bar.add_task("", total=self.deals)
        self._bar.update(self._bar.task_ids[0], completed=self.done, description=text)
        self._bar.start()


# Where deals come from


@frozen
class _Game:
    """A deal or a position with where it comes from: `seed 42`, `line 3`, `deck` or `position`."""

    start: Deal | State
    source: str
    number: int | None = None

    @property
    def name(self) -> str:
        return self.source if self.number is None else f"{self.source} {self.number}"


def parse_seeds(text: str) -> range:
    """Read a seed, or A:B for the seeds from A to B - 1."""
    match = re.fullmatch(r"(\d{1,20})(?::(\d{1,20}))?", text)
    if match:
        start = int(match[1])
        stop = int(match[2]) if match[2] else start + 1
        if start < stop <= SEEDS:
            return range(start, stop)
    msg = f"seeds {text!r}: expected a seed below 2^64, or A:B with A below B for the seeds A to B - 1"
    raise InvalidDeal(msg)


def _of_seeds(text: str) -> tuple[int, Iterator[_Game]]:
    """Read seeds: how many they are, and their deals."""
    seeds = parse_seeds(text)
    return seeds.stop - seeds.start, (_Game(Deal.from_seed(seed), "seed", seed) for seed in seeds)


def _read_games(path: str, rules: Rules | None) -> list[_Game]:
    """Read a file that holds a deck a line, or one position."""
    name = "standard input" if path == "-" else path
    with opened(path) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            msg = f"{name}: not UTF-8 text: byte {error.start + 1} is {error.object[error.start]:#04x}"
            raise Failure(msg) from None
    if is_position(text):
        try:
            return [_Game(State.from_text(text, rules), "position")]
        except InvalidState as error:
            msg = f"{name}: {error}"
            raise InvalidState(msg) from None
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        deck = line.partition("#")[0].strip()
        try:
            if deck:
                games.append(_Game(Deal.from_text(deck), "line", number))
        except InvalidDeal as error:
            msg = f"{name}, line {number}: {error}"
            raise InvalidDeal(msg) from None
    if not games:
        msg = f"{name}: nothing in it, expected a deck of 52 cards a line, or one position"
        raise InvalidDeal(msg)
    return games


def _of_sources(
    seed: int | None, seeds: str | None, deck: str | None, file: str | None, rules: Rules | None
) -> tuple[int, Iterator[_Game]]:
    """Take the one source that is given: how many deals it has, and the deals."""
    if sum(source is not None for source in (seed, seeds, deck, file)) != 1:
        msg = "give one of --seed, --seeds, --deck and --file"
        raise click.UsageError(msg)
    if seeds is not None:
        return _of_seeds(seeds)
    if file is not None:
        games = _read_games(file, rules)
        return len(games), iter(games)
    game = _Game(Deal.from_text(deck), "deck") if deck is not None else _Game(Deal.from_seed(seed or 0), "seed", seed)
    return 1, iter([game])


# Commands


@click.group("perno", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(f"{__version__} ({engine_info()})", prog_name="perno")
def main() -> None:
    """Prove whether a deal of the solitaire Perno Variabile can be won.

    \b
    Examples:
      perno deal 42                           the deck of seed 42
      perno solve --seed 42                   can it be won?
      perno solve --seed 42 --show            how, move by move
      perno solve --seeds 0:100 --json        many deals, for programs
      perno deal 42 | perno solve --file -    a deck from anywhere
      perno deal --won --count 5              games that can be won
      perno survey --seeds 0:1000000          how often is that?

    Cards are written 7S, 10H or q♦; a deck is 52 of them, the first one dealt first.
    """  # noqa: D301 - \b keeps click from wrapping a paragraph


@main.command("solve")
@click.option("--seed", type=int, help="Solve the deal of this seed.")
@click.option("--seeds", metavar="A:B", help="Solve the deals of the seeds A to B - 1.")
@click.option("--deck", metavar="TEXT", help="Solve this deck: 52 cards, the first one dealt first.")
@click.option(
    "--file", metavar="PATH", help="Solve what a file holds, - for standard input: a deck a line, or a position."
)
@rules_options
@click.option(
    "--objective",
    type=click.Choice([objective.value for objective in Objective]),
    default=Objective.ANY.value,
    help="The winning line wanted: any, of the fewest moves, or of the fewest passes.",
)
@click.option("--max-states", metavar="N", type=int, help="Give up on a deal after storing this many states.")
@click.option("--max-seconds", metavar="S", type=float, help="Give up on a deal after this time.")
@click.option(
    "--evidence",
    "evidence_path",
    metavar="PATH",
    type=click.Path(readable=False, path_type=Path),
    help="Write what proves the verdict to a file; into a directory, to a file a deal, such as seed-42.perno.",
)
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
    max_states: int | None,
    max_seconds: float | None,
    evidence_path: Path | None,
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

    \b
    Exit codes:
      one deal       0 won, 1 lost, 3 unknown
      several deals  0 all decided, 3 not all
      either         2 bad input, 130 interrupted outside of a search
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    budget = Budget(max_states, max_seconds)
    total, games = _of_sources(seed, seeds, deck, file, rules)
    if show and (as_json or total > 1):
        msg = "--show is for one deal, and not for --json"
        raise click.UsageError(msg)
    if evidence_path is not None:
        _check_evidence_path(evidence_path, total)
    started = time.perf_counter()
    counts = dict.fromkeys(Verdict, 0)
    states, interrupted = 0, False
    with Waiting(total) as waiting:
        for game in games:
            result = solve(
                game.start,
                rules=rules,
                objective=objective,
                budget=budget,
                evidence=evidence_path is not None,
                on_progress=waiting.on_progress,
            )
            waiting.next()
            if as_json:
                click.echo(_as_json(game, rules, result))
            else:
                say(_as_text(game, rules, result, objective) if total == 1 else _as_row(game, result, objective))
            if show and result.line is not None:
                say(f"\n{followed(Table.of(game.start, rules or PERNO), result.line)}")
            if evidence_path is not None and result.evidence is not None:
                _write_evidence(evidence_path, game, result.evidence)
            if total == 1:
                sys.exit(EXIT_OF[result.verdict])
            counts[result.verdict] += 1
            states += result.statistics.stored
            interrupted = result.reason == INTERRUPTED
            if interrupted:
                break
    if not as_json:
        each = ", ".join(f"{number:,} {verdict.value}" for verdict, number in counts.items())
        of = f" of {total:,}" if interrupted else ""
        took = time.perf_counter() - started
        say(f"{sum(counts.values()):,}{of} deals: {each}; {count(states, 'state')} in {took:.2f} s")
    sys.exit(EXIT_OF[Verdict.UNKNOWN] if interrupted or counts[Verdict.UNKNOWN] else 0)


def _rules_of(game: _Game, rules: Rules | None) -> Rules:
    return game.start.rules if isinstance(game.start, State) else rules or PERNO


def _as_json(game: _Game, rules: Rules | None, result: Result) -> str:
    import json  # noqa: PLC0415 - only where it is asked for

    values: dict[str, object] = {} if game.number is None else {game.source: game.number}
    values["position" if isinstance(game.start, State) else "deck"] = str(game.start)
    values["rules"] = str(_rules_of(game, rules))
    values["verdict"] = result.verdict.value
    values["moves"] = None if result.line is None else [str(move) for move in result.line]
    values["states"] = result.statistics.stored
    values["seconds"] = round(result.statistics.seconds, 6)
    if result.reason is not None:
        values["reason"] = result.reason
    return json.dumps(values)


def _as_row(game: _Game, result: Result, objective: str) -> str:
    """Write a result as one line of several."""
    statistics = result.statistics
    used = f"{count(statistics.stored, 'state'):>18} {statistics.seconds:>8.2f} s"
    return f"{game.name:<12} {result.verdict.value:<8}{used}   {_outcome(result, objective)}".rstrip()


def _as_text(game: _Game, rules: Rules | None, result: Result, objective: str) -> str:
    """Write the one result of a run."""
    named = {"seed": f"Seed {game.number}", "line": f"The deck on line {game.number}"}.get(
        game.source, f"The {game.source}"
    )
    can = {Verdict.WON: "can be won", Verdict.LOST: "cannot be won", Verdict.UNKNOWN: "is undecided"}[result.verdict]
    parts = [f"{named} {can} under the rules {_rules_of(game, rules)}."]
    if result.line is not None:
        parts.append(_wrapped(result.line))
    outcome = _outcome(result, objective)
    used = f"{count(result.statistics.stored, 'state')} in {result.statistics.seconds:.2f} s"
    return "\n".join([*parts, f"{outcome}; {used}" if outcome else used])


def _outcome(result: Result, objective: str) -> str:
    """Write how long the line of a win is, and why a search stopped early; nothing for a loss."""
    if result.line is None or result.passes is None:
        return result.reason or ""
    length = f"{count(len(result.line), 'move')}, {count(result.passes, 'pass', 'passes')}"
    if objective == Objective.ANY.value:
        return length
    return f"{length}, " + (f"maybe not the fewest: {result.reason}" if result.reason else f"the fewest {objective}")


def _wrapped(line: Line) -> str:
    """Write a line's tokens, wrapped to the terminal."""
    import textwrap  # noqa: PLC0415 - only where there is a line

    return textwrap.fill(line_text(line), max(20, shutil.get_terminal_size().columns - 1))


def _check_evidence_path(path: Path, deals: int) -> None:
    """Find out before a long search whether its evidence can be written."""
    if deals > 1 and not path.is_dir():
        msg = f"{path}: not a directory, expected one for the evidence of {deals:,} deals"
        raise Failure(msg)
    if not path.is_dir() and not path.parent.is_dir():
        msg = f"{path.parent}: no such directory to write evidence into"
        raise Failure(msg)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        msg = f"{path}: may not be written"
        raise Failure(msg)


def _write_evidence(path: Path, game: _Game, evidence: Evidence) -> None:
    """Write evidence to a file, or into a directory to the deal's own file."""
    if path.is_dir():
        path /= f"{game.name.replace(' ', '-')}.perno"
    try:
        with path.open("wb") as file:
            evidence.write(file)
    except OSError as error:
        msg = f"{path}: {error.strerror}"
        raise Failure(msg) from None


@main.command()
@click.argument("seeds", metavar="[SEED|A:B]", required=False)
@rules_options
@click.option("--won/--lost", default=None, help="Only deals that are proved to be won, or lost, under the rules.")
@click.option(
    "--count", "wanted", metavar="N", type=click.IntRange(min=1), help="How many of those, SEED being the first to try."
)
@click.option("--table/--no-table", default=None, help="Draw the table too.  [default: one deal on a terminal]")
def deal(*, seeds: str | None, rules: Rules | None, won: bool | None, wanted: int | None, table: bool | None) -> None:
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
    if won is None:
        if seeds is None or wanted is not None:
            msg = "give SEED or A:B; --count is for --won and --lost"
            raise click.UsageError(msg)
        total, games = _of_seeds(seeds)
    else:
        total, games = _of_verdict(Verdict.WON if won else Verdict.LOST, seeds, wanted, rules or PERNO)
    if table is None:
        table = total == 1 and on_terminal()
    for game in games:
        say(str(game.start) if won is None else f"{game.start}  # {game.name}")
        if table:
            drawn = str(Table.of(game.start, rules or PERNO))
            say("\n".join(f"# {line}".rstrip() for line in drawn.splitlines()))


def _of_verdict(verdict: Verdict, text: str | None, wanted: int | None, rules: Rules) -> tuple[int, Iterator[_Game]]:
    """Find deals of a verdict: how many at most, and the deals."""
    from perno_solver.survey import seeds_with  # noqa: PLC0415 - much that a quick deal can do without

    seeds = parse_seeds(text or "0")
    if text is None or ":" not in text:  # it is where to begin
        seeds, wanted = range(seeds.start, SEEDS), wanted or 1
    found = islice(seeds_with(verdict, rules, seeds), wanted)
    games = (_Game(Deal.from_seed(seed), "seed", seed) for seed in found)
    return wanted or seeds.stop - seeds.start, games


@main.command()
@click.argument("file", metavar="FILE")
def check(*, file: str) -> None:
    """Check a file of evidence and say what it proves.

    The check replays the rules and knows nothing of how the evidence was found. It prints the deck or the position,
    and a win's line.

    \b
    Example:
      perno solve --seed 42 --evidence 42.perno
      perno check 42.perno

    \b
    Exit codes:
      0  the verdict is proved, won or lost
      1  it is not: the file is damaged, or proves nothing
      2  the file cannot be read
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    with opened(file) as stream:
        try:
            evidence = Evidence.read(stream)
            check_evidence(evidence)
        except BadEvidence as error:
            click.echo(f"Error: {file}: {error}", err=True)
            sys.exit(1)
    named = "position" if isinstance(evidence.start, State) else "deal"
    under = f"under the rules {evidence.rules}"
    start = str(evidence.start).rstrip("\n")
    if evidence.line is not None:
        moves = count(len(evidence.line), "move")
        say(f"Proved: this {named} can be won {under}, in {moves}.\n{start}\n{_wrapped(evidence.line)}")
    else:
        states = count(sum(1 for _ in evidence), "state")
        closed = f"a closed set of {states} holds none that is won{_CITING if evidence.cites else ''}"
        say(f"Proved: this {named} cannot be won {under}: {closed}.\n{start}")


@main.command("annotate")
@click.argument("moves")
@click.option("--seed", type=int, help="The deal of this seed was played.")
@click.option("--deck", metavar="TEXT", help="This deck was played.")
@click.option("--file", metavar="PATH", help="The deck or the position in this file was played.")
@rules_options
@click.option("--max-seconds", metavar="S", type=float, help="Give up on a verdict after this time.")
def annotate_command(
    *,
    moves: str,
    seed: int | None,
    deck: str | None,
    file: str | None,
    rules: Rules | None,
    max_seconds: float | None,
) -> None:
    """Tell a game as it was played, and whether it could still be won after each move.

    MOVES are tokens, as in "T T F:7S R", or - to read them from standard input.

    \b
    Example:
      perno annotate --seed 10 "T T T F:7S"

    \b
    Exit codes:
      0 it can still be won, 1 it is lost, 3 unknown, 2 bad input
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    total, games = _of_sources(seed, None, deck, file, rules)
    if total > 1:
        msg = f"{total} decks in {file}, expected the one that was played"
        raise InvalidDeal(msg)
    game = next(games)
    if moves == "-":
        with opened("-") as stream:
            moves = stream.read().decode("utf-8", "replace")
    line = parse_line(moves)
    verdicts = annotate(game.start, line, rules=rules, budget=Budget(seconds=max_seconds))
    table = Table.of(game.start, rules or PERNO)
    say(f"{table}\n\n      {verdicts[0].value}")
    for number, move in enumerate(line, start=1):
        before, table = table.state, table.play(move)
        turned = verdicts[number - 1] is Verdict.WON and verdicts[number] is Verdict.LOST
        mark = "   <- this move lost it" if turned else ""
        say(f"{number:>4}  {verdicts[number].value:<8}{in_words(before, move, table.state)}{mark}")
    if not table.state.is_won:
        say(f"\n{table}")
    sys.exit(EXIT_OF[verdicts[-1]])


@main.command("rules")
def rules_command() -> None:
    """List the readings of the rules that have names, with every field.

    Names and values are what --rules and the options of the other commands read.

    \b
    Examples:
      perno rules
      perno solve --seed 42 --rules perno-packed
      perno solve --seed 42 --rules eagle-wing --redeals unlimited
      perno solve --seed 42 --rules eagle-wing,redeals=unlimited
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    width = shutil.get_terminal_size().columns if on_terminal() else sys.maxsize
    labels = ["", *(key for key, _ in PERNO.spelled())]
    rows = padded(labels)
    for name, rules in READINGS.items():
        column = padded([name, *(value for _, value in rules.spelled())])
        if len(rows[0]) + 2 + len(column[0]) > width:  # the rest goes below
            say("\n".join(row.rstrip() for row in rows) + "\n")
            rows = padded(labels)
        rows = [f"{row}  {value}" for row, value in zip(rows, column, strict=True)]
    say("\n".join(row.rstrip() for row in rows))


def padded(texts: list[str]) -> list[str]:
    """Make texts equally wide."""
    width = max(map(len, texts))
    return [text.ljust(width) for text in texts]
