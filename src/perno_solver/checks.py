"""What is asked for in a wrong way is refused alike everywhere: in words, with the value cut to a readable length."""

from enum import Enum
from types import UnionType
from typing import NoReturn

from perno_solver.errors import InvalidChoice, PernoError


class Choice(Enum):
    """Choices that may be given by their values, as texts."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        expected = ", ".join(repr(choice.value) for choice in cls)
        msg = f"{cls.__name__.lower()} {shown(value)}: expected one of {expected}"
        raise InvalidChoice(msg)


def shown(value: object) -> str:
    """Show a value in a message, cut to a readable length."""
    if isinstance(value, str | bytes):
        value = value[:_LONGEST]  # with its quotes longer than what is shown; and all of it can be as large as memory
    try:
        return cut(repr(value))
    except Exception:  # noqa: BLE001 - a number of too many digits, or whatever others' values raise
        return f"<{type(value).__name__}>"


def cut(text: str) -> str:
    """Cut a text in a message to a readable length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 80  # characters of a value in a message


def require(value: object, kind: type | UnionType, error: type[PernoError], expected: str) -> None:
    """Refuse a value of another type than is wanted, in words that do not need a traceback.

    Args:
        value: what was given.
        kind: its type, or several, subclasses included.
        error: what to raise.
        expected: what was expected, as the message says it.
    """
    if not isinstance(value, kind):
        raise error(got(value, expected))


def got(value: object, expected: str) -> str:
    """Say what was given, and what was expected."""
    return f"got {shown(value)}, expected {expected}"
