"""The language of a command's results: `--lang`, and what is said in it everywhere."""

import os
import re
from collections.abc import Callable
from typing import Any, cast

import click

from perno_solver.checks import shown
from perno_solver.errors import InvalidChoice
from perno_solver.proof import Verdict
from perno_solver.show.texts import LANGUAGES, Texts, texts
from perno_solver.show.words import verdict_name
from perno_solver.solve import CANCELLED


def language_option(command: Callable[..., None] | click.Command) -> Any:  # noqa: ANN401 - as click's options
    """Give a command `--lang`, which `spoken` heeds; also before the command's name, and as PERNO_LANG.

    The environment's LANG does not count: what scripts read is the same on every machine.
    """

    def heed(ctx: click.Context, _option: click.Parameter, lang: str | None) -> None:
        if lang is not None:
            ctx.meta[_LANG] = lang

    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        callback=heed,
        is_eager=True,
        help="The language of results, and of cards as they are read.  [default: $PERNO_LANG, or en]",
    )(command)


_LANG = "perno.lang"


def language() -> str:
    """Return the code of the running command's language."""
    return chosen_language() or "en"


def chosen_language() -> str | None:
    """Return the code of the language that was asked for; None where a page may ask its reader's browser."""
    ctx = click.get_current_context(silent=True)
    lang = cast(str | None, ctx.meta.get(_LANG) or os.environ.get("PERNO_LANG") or None) if ctx else None
    if lang not in {None, *LANGUAGES}:
        msg = f"PERNO_LANG is {shown(lang)}, expected one of {', '.join(LANGUAGES)}"
        raise InvalidChoice(msg)
    return lang


def spoken() -> Texts:
    """Return the language of the running command's results."""
    return texts(language())


def counted(number: int, one: str, many: str) -> str:
    """Write a number with its noun in the language that is spoken, as in `1 move` or `1,234 moves`.

    Args:
        number: the number.
        one: the noun behind `{number}`.
        many: the same for several.
    """
    return spoken().ngettext(one, many, number).format(number=grouped(number))


def grouped(number: int) -> str:
    """Write a number with its thousands apart."""
    return f"{number:,}".replace(",", spoken().pgettext("between thousands", ","))


def in_seconds(seconds: float) -> str:
    """Write a time in seconds, to the hundredth."""
    return f"{seconds:.2f} s".replace(".", spoken().pgettext("before decimals", "."))


def told_verdict(verdict: Verdict) -> str:
    """Write a verdict in a word."""
    return verdict_name(verdict, spoken())


def told_reason(reason: str) -> str:
    """Write why a search stopped early; it is cancelled by Ctrl-C only."""
    _ = spoken().gettext
    if reason in {CANCELLED, "interrupted"}:
        return _("interrupted")
    budget = re.fullmatch(r"the budget of (\S+) (states|seconds|bytes) is used up", reason)
    if budget is None:
        return _("the machine's memory is used up") if reason == "the machine's memory is used up" else reason
    units = {"states": _("states"), "seconds": _("seconds"), "bytes": _("bytes")}
    return _("the budget of {limit} {unit} is used up").format(limit=budget[1], unit=units[budget[2]])
