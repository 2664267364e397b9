"""The command line, `perno`: it reads what people type, calls the library, and writes what the library reads back.

Everything that ends a command early is told in one line on standard error, never in a traceback. Exit code 1 says that
a deal is lost, or that evidence does not prove its verdict; every failure has another.
"""

import io
import os
import shutil
import sys
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

from perno_solver import __version__
from perno_solver.errors import PernoError
from perno_solver.solve.engine import engine_info

_INSTALL = "the command perno needs click and rich: pip install 'perno_solver[cli]'"

try:
    import click
except ModuleNotFoundError:
    raise ImportError(_INSTALL) from None

from perno_solver.cli.language import language_option  # noqa: E402 - it needs click
from perno_solver.cli.shared import (  # noqa: E402 - it needs click
    EXIT_BAD_INPUT,
    EXIT_CLOSED_PIPE,
    EXIT_INTERRUPTED,
    EXIT_TERMINATED,
    Failure,
    ends_like_ctrl_c,
    fitted,
    on_terminal,
    printable,
    write_in_any_encoding,
)

_COMMANDS = ("annotate", "check", "compare", "deal", "hint", "play", "results", "rules", "site", "solve", "survey")


class _Help(click.HelpFormatter):
    """Help that can be read on a narrow terminal, too."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write definitions, their terms taking a third of the width at most."""
        super().write_dl(rows, min(col_max, self.width // 3), col_spacing)


class _Context(click.Context):
    formatter_class = _Help


class _Commands(click.Group):
    """A group whose commands end in one line whatever befalls them.

    A command is imported when it is called for: a quick deal can do without what a survey needs.
    """

    context_class = _Context

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name the commands, in order."""
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"perno_solver.cli.{cmd_name}")
        command = cast(click.Command, getattr(module, f"{cmd_name}_command"))
        command.context_class = _Context
        if not any(option.name == "lang" for option in command.params):
            language_option(command)
        return command

    def main(  # type: ignore[override] # it has one mode, and exits
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **settings: Any,  # noqa: ANN401 - as in click
    ) -> NoReturn:
        """Run a command and exit."""
        write_in_any_encoding()
        if _COMPLETION in os.environ:
            super().main(args, prog_name, complete_var=_COMPLETION)
        with ends_like_ctrl_c() as terminated:
            try:
                code = self._run(list(sys.argv[1:] if args is None else args), prog_name, settings)
                sys.stdout.flush()
            except BaseException as error:  # noqa: BLE001 - nothing is to get past
                code = _told(error)
        if code == EXIT_INTERRUPTED and terminated.is_set():
            code = EXIT_TERMINATED
        _dropped(sys.stdout)
        _dropped(sys.stderr)
        sys.exit(code)

    def _run(self, args: list[str], prog_name: str | None, settings: dict[str, Any]) -> int:
        """Run a command and return its exit code."""
        if sys.stdout is None:
            msg = "standard output is closed"
            raise Failure(msg)
        try:
            settings.setdefault("terminal_width", max(30, min(80, shutil.get_terminal_size().columns) - 2))
            with self.make_context(prog_name, args, **settings) as ctx:
                self.invoke(ctx)
        except click.exceptions.Exit as exit_:
            return exit_.exit_code
        except SystemExit as exit_:
            return int(exit_.code or 0)
        return 0


_COMPLETION = "_PERNO_COMPLETE"  # in which a shell asks click for what may come next


def _told(error: BaseException) -> int:
    """Tell what ended a command; return its exit code."""
    if isinstance(error, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    if isinstance(error, OSError) and error.filename is None:
        if isinstance(error, BrokenPipeError):  # the reader of the output has what it wanted
            return EXIT_CLOSED_PIPE
        if _dropped(sys.stdout):
            error.filename = "standard output"
    if not isinstance(error, click.ClickException):
        error = Failure(_reason(error))
    shown = io.StringIO()
    error.show(shown)
    text = shown.getvalue()
    if len(text) > _LONGEST:  # with a whole argument in it, as click echoes them
        text = f"{text[: _LONGEST - 200]}…{text[-200:]}"
    text = printable(text)
    if on_terminal(error=True):
        text = fitted(text, shutil.get_terminal_size().columns)
    with suppress(OSError):  # standard error is full, or nobody reads it
        click.echo(text, sys.stderr, nl=False, err=True)
    return EXIT_BAD_INPUT


_LONGEST = 1000  # characters in a message


def _reason(error: BaseException) -> str:
    """Say in a line what went wrong."""
    if isinstance(error, PernoError):
        return str(error)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return reason if error.filename is None else f"{error.filename}: {reason}"
    if isinstance(error, MemoryError):
        return "the machine's memory is used up"
    if isinstance(error, ModuleNotFoundError):
        return _INSTALL
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"this is a bug in perno: {what} ({place.filename}, line {place.lineno})"


def _dropped(stream: TextIO | None) -> bool:
    """Drop what a standard stream still holds, if it cannot be written; say whether that was so."""
    if stream is None:
        return False
    try:
        stream.flush()
    except OSError:
        with Path(os.devnull).open("wb") as nowhere:  # where Python, when it ends, can write what is left
            os.dup2(nowhere.fileno(), stream.fileno())
        return True
    return False


@click.group("perno", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@language_option
@click.version_option(f"{__version__} ({engine_info()})", prog_name="perno")
def main() -> None:
    """Prove whether a deal of the solitaire Perno Variabile can be won.

    \b
    Examples:
      perno deal 42                           the deck of seed 42
      perno solve --seed 42                   can it be won?
      perno solve --seed 42 --show            how, move by move
      perno hint --file game.txt              what to play, hidden cards unseen
      perno solve --seeds 0:100 --json        many deals, for programs
      perno deal 42 | perno solve --file -    a deck from anywhere
      perno deal --won --count 5              games that can be won
      perno survey --seeds 0:1000000          how often is that?
      perno play                              a table in the browser

    Cards are written 7S, 10H, qd, or with symbols for suits; a deck is 52 of them, the first one dealt first.
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
