"""What every command shares: exit codes, failures in a line, the options for rules, and writing to terminals."""

import codecs
import functools
import io
import math
import os
import re
import shutil
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TextIO, cast

import click
from attrs import define, field

from perno_solver.cli.language import counted, grouped, language, spoken, told_verdict
from perno_solver.files import check_writable, replaced
from perno_solver.game.cards import SUITS, SYMBOLS
from perno_solver.game.moves import Line, line_text
from perno_solver.game.rules import Rules
from perno_solver.proof import Verdict
from perno_solver.show.texts import suit_letter
from perno_solver.solve import Odds, Share
from perno_solver.solve.budget import Meter
from perno_solver.solve.hint import percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

EXIT_BAD_INPUT = 2
EXIT_OF = {Verdict.WON: 0, Verdict.LOST: 1, Verdict.UNKNOWN: 3}
EXIT_INTERRUPTED = 130  # as shells say it of Ctrl-C
EXIT_TERMINATED = 143  # and of the signal that asks a program to end
EXIT_CLOSED_PIPE = 141  # and of a reader that has gone


class Failure(click.ClickException):
    """Something that is wrong with the input, told in one line."""

    exit_code = EXIT_BAD_INPUT

    def format_message(self) -> str:
        """Return the message in one line, whatever names are in it."""
        return in_a_line(self.message)


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


def chance(share: Share) -> str:
    """Write in what part of the worlds something wins, with its interval; of one world, whether it does."""
    if share.rate is None:
        return spoken().gettext("not tried")
    if share.worlds == 1 and share.exact:
        verdict = Verdict.WON if share.won else Verdict.UNKNOWN if share.unknown else Verdict.LOST
        return told_verdict(verdict).rjust(5)
    low, high = share.interval
    middle = percent(share).rjust(5)
    return middle if low == high else f"{middle}  {math.floor(100 * low):>2}–{math.ceil(100 * high)} %"


def tried(odds: Odds) -> str:
    """Say how many ways to lay the unseen cards were tried, and how many can be won."""
    share, _ = odds.share, spoken().gettext
    ways = (
        _("{number} cards are unseen: of all {worlds} ways to lay them {won} can be won")
        if share.exact
        else _("{number} cards are unseen: of {worlds} ways to lay them that were tried {won} can be won")
    )
    told = ways.format(number=odds.view.places, worlds=grouped(share.worlds), won=grouped(share.won))
    unknown = _("{told} and {unknown} are unknown") if share.unknown else "{told}"
    return f"{unknown.format(told=told, unknown=grouped(share.unknown))}."


def share_values(odds: Odds) -> dict[str, object]:
    """List by their names in JSON how many cards are unseen, and in how many of the ways to lay them a game is won."""
    share = odds.share
    return {
        "unseen": odds.view.places,
        "worlds": share.worlds,
        "won": share.won,
        "unknown": share.unknown,
        "exact": share.exact,
        "rate": share.rate,
        "low": share.interval[0],
        "high": share.interval[1],
    }


def opened(path: str) -> AbstractContextManager[BinaryIO]:
    """Open a file to read its bytes, or standard input for -."""
    if path == "-" and sys.stdin is None:
        msg = "standard input is closed"
        raise Failure(msg)
    return cast(AbstractContextManager[BinaryIO], click.open_file(path, "rb"))


def read_whole(path: str) -> bytes:
    """Read what a file holds, or standard input for -; some files have no end, so up to a limit."""
    with opened(path) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        name = "standard input" if path == "-" else path
        msg = f"{name}: more than {_MOST_BYTES >> 20} MiB, expected a text no longer than that"
        raise Failure(msg)
    return data


def file_option(name: str, what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for a file to write, which is found out to be writable before any work is done."""

    def look(_ctx: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
        if path is not None:
            check_writable(path)
        return path

    return click.option(
        f"--{name}", metavar="FILE", type=click.Path(readable=False, path_type=Path), callback=look, help=what
    )


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all."""
    with replaced(path) as file:
        file.write(text.encode())


_MOST_BYTES = 1 << 24  # 100,000 decks


@contextmanager
def ctrl_c_cancels() -> Iterator[threading.Event]:
    """Make Ctrl-C set an event, so that what is known by then can be told; a second Ctrl-C interrupts as usual.

    Where Ctrl-C does something else already, as in a job that was started in the background, that stays.
    """
    cancel = threading.Event()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield cancel
        return
    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def ends_like_ctrl_c() -> Iterator[threading.Event]:
    """Make SIGTERM do what Ctrl-C does at that moment, and set an event."""
    terminated = threading.Event()

    def on_terminate(_signal: int, frame: FrameType | None) -> None:
        terminated.set()
        on_interrupt = signal.getsignal(signal.SIGINT)
        if not callable(on_interrupt):  # a shell lets what it starts in the background ignore Ctrl-C
            raise KeyboardInterrupt
        on_interrupt(signal.SIGINT, frame)

    usual = signal.getsignal(signal.SIGTERM)
    if usual is not signal.SIG_DFL or threading.current_thread() is not threading.main_thread():
        yield terminated
        return
    signal.signal(signal.SIGTERM, on_terminate)
    try:
        yield terminated
    finally:
        signal.signal(signal.SIGTERM, usual)


def on_terminal(error: bool = False) -> bool:  # noqa: FBT001, FBT002 - one of two streams
    """Say whether standard output, or standard error, is a terminal."""
    stream = sys.stderr if error else sys.stdout
    return stream is not None and stream.isatty()  # None where it was closed from outside


def columns() -> int:
    """Return how wide what is written to standard output may be: a terminal's columns, or whatever it likes."""
    return shutil.get_terminal_size().columns if on_terminal() else sys.maxsize


def say(text: str) -> None:
    """Write a text to standard output: wrapped to the width of a terminal, in colours where these are wanted."""
    text = fitted(printable(text), columns())
    if not _encodable(SYMBOLS, sys.stdout):
        letters = "".join(suit_letter(suit, spoken()) for suit in range(len(SUITS)))
        text = text.translate(str.maketrans(SYMBOLS, letters))  # all of them, where an encoding has some
    if language() == "it" and not _encodable("àèéìòù", sys.stdout):
        text = text.translate(_ACCENTS)
    click.echo(coloured(text) if _wants_colours() else text, sys.stdout, color=True)


def printable(text: str) -> str:
    """Spell out what would steer a terminal instead of being seen on it; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else _spelled_out(char) for char in text)


def in_a_line(text: str) -> str:
    """Spell out what would steer a terminal, and line ends."""
    return printable(text).replace("\n", "\\x0a")


def write_in_any_encoding() -> None:
    """Have the standard streams write what their encoding lacks in letters, instead of giving up."""
    codecs.register_error("perno", _in_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="perno")


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks: a handler of errors, as Python's codecs call them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char) or _spelled_out(char) for char in lacking), error.end


def _spelled_out(char: str) -> str:
    return char.encode("ascii", "backslashreplace").decode() if char > "\x7f" else f"\\x{ord(char):02x}"


def _encodable(text: str, stream: TextIO) -> bool:
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


_PLAIN = {**dict(zip(SYMBOLS, SUITS, strict=True)), "–": "-", "…": "..."}
_ACCENTS = str.maketrans({"à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'"})  # as Italians do then


def fitted(text: str, width: int) -> str:
    """Wrap the lines of a text, what hangs over beginning where a column of its line does."""
    return "\n".join(_wrapped(line, width) for line in text.split("\n"))


def _wrapped(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    starts = [gap.end() for gap in re.finditer(r"^ +|  +", line) if gap.end() <= width // 2]
    hanging = " " * (starts[-1] if starts else 2)
    said, mark, comment = line.partition("  # ")
    whole = said.replace(" %", "\0%") + (mark and "  #\0") + comment.replace(" ", "\0")  # shares, comments are one word
    return textwrap.fill(whole, width, subsequent_indent=hanging, break_on_hyphens=False).replace("\0", " ")


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
        told = counted(meter.stored, "{number} state", "{number} states") + f", {meter.seconds:.0f} s"
        least, most = meter.between
        self.show(f"{told}, {least}–" + counted(most, "{number} move", "{number} moves") if most else told)

    def advance(self, deals: int, text: str) -> None:
        """Count several deals as done, whose results are printed nowhere."""
        self.done += deals
        self.show(text)

    def next(self) -> None:
        """Count a deal as done; where its result is about to be printed over the display, take that away."""
        self.done += 1
        if not on_terminal():
            self.show("")
        elif self._bar is not None:
            self._bar.stop()

    def show(self, text: str) -> None:
        """Show a text beside how many deals are done, once a second has passed."""
        if self._bar is None:
            if time.perf_counter() - self.started < 1 or not on_terminal(error=True):
                return
            from rich import progress  # noqa: PLC0415 - only where it is shown

            columns: list[progress.ProgressColumn] = [progress.SpinnerColumn("line")]
            console = error_console()
            if self.deals > 1:
                columns += [progress.BarColumn(10), progress.MofNCompleteColumn()]
                columns += [progress.TimeRemainingColumn(compact=True)] * (console.width >= _ROOM)
            columns.append(progress.TextColumn("{task.description}"))
            self._bar = progress.Progress(
                *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self._bar.add_task("", total=self.deals)
        self._bar.update(self._bar.task_ids[0], completed=self.done, description=text)
        self._bar.start()


_ROOM = 60  # columns


def error_console() -> "Console":
    """Open standard error for a progress bar, in colours that can be seen on black and on white."""
    from rich.console import Console  # noqa: PLC0415 - only where it is shown
    from rich.theme import Theme  # noqa: PLC0415

    plain = ("percentage", "remaining", "elapsed", "download", "spinner")
    styles = {f"progress.{name}": "default" for name in plain}
    bars = {f"bar.{name}": "color(30)" for name in ("complete", "finished", "pulse")}
    return Console(stderr=True, theme=Theme({**styles, **bars, "bar.back": "bright_black"}))


def _wants_colours() -> bool:
    """Say whether standard output is to be coloured: on terminals, but users may decide (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (on_terminal() and os.environ.get("TERM") not in {"dumb", "unknown"})


def coloured(text: str) -> str:
    """Colour a text: red suits red, verdicts by their names."""
    from rich.console import Console  # noqa: PLC0415 - it takes longer to import than a quick deal takes
    from rich.text import Text  # noqa: PLC0415

    styled = Text(text)
    for pattern, style in STYLES.items():
        styled.highlight_regex(pattern, style)
    console = Console(file=io.StringIO(), force_terminal=True, color_system="256")
    console.print(styled, soft_wrap=True, end="")
    return cast(io.StringIO, console.file).getvalue()


STYLES = {
    r"(10|[A2-9TJQKFDR])[♦♥]": "bold color(160)",
    r"(10|[A2-9TJQKFDR])[♣♠]": "bold",
    r"\bwon\b|\bcan be won\b|\bvinta\b|\bsi può vincere\b": "bold color(28)",
    r"\blost\b|\bcannot be won\b|\bpersa\b|\bnon si può vincere\b": "bold color(164)",
    r"\b(perno|eagle-wing)(-[a-z]+)?\b": "color(30)",
    r"\bunknown\b|\bundecided\b|\bincerta\b": "bold color(130)",
}
"""How what matters is shown, by what it looks like: in colours that stand out from black as from white."""


def wrapped(line: Line) -> str:
    """Write a line's tokens, wrapped to the terminal."""
    return textwrap.fill(line_text(line), max(20, shutil.get_terminal_size().columns - 1))


def padded(texts: list[str]) -> list[str]:
    """Make texts equally wide."""
    width = max(map(len, texts))
    return [text.ljust(width) for text in texts]
