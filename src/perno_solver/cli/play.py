"""perno play: a table to play at in the browser, served on this machine."""

import json
import secrets
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from html import escape
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast
from urllib.parse import urlencode

import click

from perno_solver.cli.language import chosen_language, spoken
from perno_solver.cli.shared import Failure, rules_options
from perno_solver.cli.sources import of_sources
from perno_solver.game.record import Game
from perno_solver.game.rules import PERNO, Rules
from perno_solver.game.view import View
from perno_solver.web.answer import answer
from perno_solver.web.folder import Folder

PORT = 8642

_INSTALL = "perno play needs starlette, uvicorn and platformdirs: pip install 'perno_solver[play]'"


@click.command("play")
@click.option("--seed", type=int, help="Play the deal of this seed.")
@click.option(
    "--level",
    type=click.Choice(["won", "easy", "medium", "hard"]),
    help="Play a deal that can be won: any, or one for a greedy player, a careful one, or one who calculates.",
)
@click.option("--file", metavar="PATH", help="Play on with the game on record, the deck or the position in a file.")
@rules_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"The port to serve at, 0 for any free one.  [default: {PORT}, or else any free one]",
)
@click.option("--browser/--no-browser", default=True, help="Open the page, or only print its address.")
def play_command(
    *, seed: int | None, level: str | None, file: str | None, rules: Rules | None, port: int | None, browser: bool
) -> None:
    """Play in the browser, at a table that this machine serves.

    The address that is printed has a secret in it: nobody else on the machine can look at the table. Each game is
    kept, as a record in a folder of yours, after each move; `perno annotate --file` reads it, too. Ctrl-C ends.

    \b
    Examples:
      perno play
      perno play --level easy
      perno play --seed 42 --rules eagle-wing
      perno play --file game.txt --no-browser
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    try:
        from platformdirs import user_data_path  # noqa: PLC0415 - an extra

        from perno_solver.web import server  # noqa: PLC0415
    except ModuleNotFoundError:
        raise Failure(_INSTALL) from None
    if sum(source is not None for source in (seed, level, file)) > 1:
        msg = "give one of --seed, --level and --file"
        raise click.UsageError(msg)
    games = Folder(user_data_path("perno_solver") / "games")
    with closing(_bound(port)) as taken:
        begin = _begun(games, rules=rules, seed=seed, level=level, file=file)
        secret = secrets.token_urlsafe(24)
        fragment = f"#{urlencode(begin)}" if begin else ""
        address = f"http://{server.HOST}:{taken.getsockname()[1]}/{secret}/{fragment}"
        click.echo(address)
        sys.stdout.flush()
        click.echo(spoken().gettext("Games are kept in {folder}. Ctrl-C ends.").format(folder=games.path), err=True)
        with _opened(address) if browser else nullcontext():
            server.serve(games, taken, secret)


def _begun(
    games: Folder, *, rules: Rules | None, seed: int | None, level: str | None, file: str | None
) -> dict[str, str]:
    """Begin the game that was asked for, and tell the page how to open it."""
    begin = {} if rules is None else {"rules": str(rules)}
    if file is not None:
        begin = {"game": _told(games, do="import", text=str(_read(file, rules)))["games"][0]}
    elif seed is not None or level is not None:
        wanted = {"level": level} if seed is None else {"seed": str(seed)}
        begin = {"game": _told(games, do="new", rules=str(rules or PERNO), **wanted)["game"]}
    lang = chosen_language()
    if lang is not None:
        begin["lang"] = lang
    return begin


def _bound(port: int | None) -> socket.socket:
    """Take the port that is asked for; by default always the same, as browsers keep settings by it, if it is free."""
    from perno_solver.web.server import bound  # noqa: PLC0415 - an extra

    try:
        return bound(PORT if port is None else port)
    except OSError as error:
        if port is None:
            return bound(0)
        msg = f"port {port}: {error.strerror}"
        raise Failure(msg) from None


def _told(games: Folder, **message: object) -> dict[str, Any]:
    """Ask as the page would."""
    *_, text = answer(json.dumps(message), games)
    found = cast(dict[str, Any], json.loads(text))
    if "error" in found:
        raise Failure(str(found["error"]))
    return found


def _read(path: str, rules: Rules | None) -> Game:
    """Read the one game that a file holds."""
    total, games = of_sources(None, None, None, path, rules)
    if total > 1:
        msg = f"{total} games in {path}, expected the one to play"
        raise Failure(msg)
    game = next(games)
    if isinstance(game.start, View):
        msg = f"{path}: the position has unseen cards; to be played all have to be known"
        raise Failure(msg)
    return game.record or Game(game.start, game.rules)


@contextmanager
def _opened(address: str) -> Iterator[None]:
    """Open an address in the browser, by way of a file, as every user of the machine can read command lines."""
    refresh = f'<meta http-equiv="refresh" content="0; url={escape(address)}">'
    page = f'<!DOCTYPE html><meta charset="utf-8">{refresh}<title>perno</title>'
    with NamedTemporaryFile("w", suffix=".html", prefix="perno-", encoding="utf-8", delete=False) as file:
        file.write(page)  # for this user alone, as temporary files are
    try:
        webbrowser.open(Path(file.name).as_uri())
        yield
    finally:
        Path(file.name).unlink(missing_ok=True)
