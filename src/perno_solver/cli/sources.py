"""Where the deals of a command come from: seeds, decks, and files of decks, positions or games on record."""

import codecs
import re
from collections.abc import Iterator

import click
from attrs import evolve, field, frozen

from perno_solver.checks import shown
from perno_solver.cli.language import language
from perno_solver.cli.reading import Found, read_games
from perno_solver.cli.shared import Failure, count, read_whole
from perno_solver.errors import InvalidDeal, PernoError
from perno_solver.game.deal import SEEDS, Deal
from perno_solver.game.record import Game as Played
from perno_solver.game.rules import PERNO, Rules
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.show.spelling import elsewhere, spelled
from perno_solver.show.table import Table


@frozen
class Game:
    """A game with its rules, and where it comes from: `seed 42`, `line 3`, `game 2`, `deck` or `position`."""

    start: Deal | State | View  # of a game on record: where it stands
    rules: Rules
    source: str
    number: int | None = None
    title: str = field(default="", kw_only=True)  # what its file calls it
    laid: Table | None = field(default=None, kw_only=True)  # a position, as it was typed
    record: Played | None = field(default=None, kw_only=True)

    @property
    def known(self) -> Deal | State:
        """What it starts from, for those who need to know every card."""
        if isinstance(self.start, View):
            msg = f"the position has {count(self.start.places, 'unseen card')}, expected every card to be known"
            raise Failure(msg)
        return self.start

    @property
    def table(self) -> Table:
        """The table: a deal as it is dealt, a position as it was typed."""
        return self.laid or Table.of(self.known, self.rules)

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.source if self.number is None else f"{self.source} {self.number}"


def page_name(game: Game) -> str:
    """Name a game in the title of a page, in whatever language."""
    return game.title or (f"#{game.number}" if game.source == "seed" else "")


def parse_seeds(text: str) -> range:
    """Read a seed, or A:B for the seeds from A to B - 1."""
    match = re.fullmatch(r"(\d{1,20})(?::(\d{1,20}))?", text)
    if match:
        start = int(match[1])
        stop = int(match[2]) if match[2] else start + 1
        if start < stop <= SEEDS:
            return range(start, stop)
    msg = f"seeds {shown(text)}: expected a seed below 2^64, or A:B with A below B for the seeds A to B - 1"
    raise InvalidDeal(msg)


def of_seeds(text: str, rules: Rules | None) -> tuple[int, Iterator[Game]]:
    """Read seeds: how many they are, and their deals."""
    seeds = parse_seeds(text)
    return seeds.stop - seeds.start, (of_seed(seed, rules) for seed in seeds)


def of_seed(seed: int, rules: Rules | None) -> Game:
    """Take the deal of a seed."""
    return Game(Deal.from_seed(seed), rules or PERNO, "seed", seed)


def of_sources(
    seed: int | None, seeds: str | None, deck: str | None, file: str | None, rules: Rules | None
) -> tuple[int, Iterator[Game]]:
    """Take the one source that is given: how many deals it has, and the deals."""
    if sum(source is not None for source in (seed, seeds, deck, file)) != 1:
        msg = "give one of --seed, --seeds, --deck and --file"
        raise click.UsageError(msg)
    if seeds is not None:
        return of_seeds(seeds, rules)
    if seed is not None:
        return 1, iter([of_seed(seed, rules)])
    games = _of_file(file, rules) if file is not None else _of_option(deck or "", rules)
    return len(games), iter(games)


def _of_file(path: str, rules: Rules | None) -> list[Game]:
    name = "standard input" if path == "-" else path
    data = read_whole(path)
    try:
        found = read_games(spelled(_decoded(data), language()), rules)
    except PernoError as error:
        raise Failure(_in(name, error)) from None
    return [_game(game, number) for number, game in enumerate(found, start=1)]


def _of_option(text: str, rules: Rules | None) -> list[Game]:
    try:
        found = read_games(spelled(text, language()), rules)
    except PernoError as error:
        raise Failure(_in("--deck", error)) from None
    if len(found) > 1 or not isinstance(found[0].start, Deal):
        what = count(len(found), "deck") if len(found) > 1 else "a position"
        msg = f"--deck: {what}, expected one deck; --file reads others"
        raise Failure(msg)
    return [evolve(_game(found[0], 1), source="deck", number=None)]


def _game(found: Found, number: int) -> Game:
    """Take a game from a file, of which it is the so-manieth; a position has all of it, unless it is JSON."""
    if found.record is not None:
        return Game(found.start, found.rules, "game", number, title=found.name, record=found.record)
    if found.line is None:
        return Game(found.start, found.rules, "position", title=found.name, laid=found.laid)
    return Game(found.start, found.rules, "line", found.line, title=found.name, laid=found.laid)


def _in(name: str, error: PernoError) -> str:
    """Say where an error is, whose message may begin with a line."""
    told = f"{error}{elsewhere(error, language())}"
    return f"{name}, {told}" if told.startswith("line") else f"{name}: {told}"


def _decoded(data: bytes) -> str:
    """Read the text of a file: UTF-8, or UTF-16 as some shells write it, which has a mark at its beginning."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig").upper()
        msg = f"not {name} text: byte {error.start + 1} is {error.object[error.start]:#04x}"
        raise InvalidDeal(msg) from None
