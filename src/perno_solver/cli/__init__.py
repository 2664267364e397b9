"""The command line, `perno`: it reads what people type, calls the library, and writes what the library reads back.

Everything that people can mend ends in one line on standard error and exit code 2, never in a traceback.
"""

import os
import sys
from importlib import import_module
from typing import Any, cast

from perno_solver import __version__
from perno_solver.errors import PernoError
from perno_solver.solve.engine import engine_info

_INSTALL = "the command perno needs click and rich: pip install 'perno_solver[cli]'"

try:
    import click
except ModuleNotFoundError:
    sys.stderr.write(f"Error: {_INSTALL}\n")
    raise SystemExit(2) from None

from perno_solver.cli.shared import EXIT_CLOSED_PIPE, EXIT_INTERRUPTED, Failure  # noqa: E402 - it needs click

_COMMANDS = ("annotate", "check", "compare", "deal", "results", "rules", "solve", "survey")


class _Commands(click.Group):
    """A group whose commands end in one line for every error that is not a bug.

    A command is imported when it is called for: a quick deal can do without what a survey needs.
    """

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Name the commands, in order."""
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        if cmd_name not in _COMMANDS:
            return None
        return cast(click.Command, getattr(import_module(f"perno_solver.cli.{cmd_name}"), f"{cmd_name}_command"))

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
