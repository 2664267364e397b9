"""Where the command `perno` begins: a module of its own, so that Ctrl-C is heeded before the package is loaded."""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

_BAD_INPUT = 2
_INTERRUPTED = 130  # as shells say it of Ctrl-C


def main() -> None:
    """Run the command; while modules are loaded, and once it is done, Ctrl-C ends the process at once."""
    usual = signal.getsignal(signal.SIGINT)
    interruptible = usual is signal.default_int_handler  # not so in a job that was started in the background
    if interruptible:
        signal.signal(signal.SIGINT, _end)
    try:
        from perno_solver.cli import main as command  # noqa: PLC0415 - it is what takes long
    except ImportError as error:
        with suppress(OSError):  # standard error is closed, or full
            os.write(2, f"Error: {error}\n".encode())
        sys.exit(_BAD_INPUT)
    try:
        if interruptible:
            signal.signal(signal.SIGINT, usual)
        command(prog_name="perno")
    except KeyboardInterrupt:  # before the command could tell, or after
        sys.exit(_INTERRUPTED)
    finally:
        if interruptible:
            signal.signal(signal.SIGINT, _end)


def _end(_signal: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)
