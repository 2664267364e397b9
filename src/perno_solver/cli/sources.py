"""Where the deals of a command come from: seeds, decks, and files of decks or positions."""

import re
from collections.abc import Iterator

import click
from attrs import frozen

from perno_solver.checks import shown
from perno_solver.cli.shared import Failure, read_whole
from perno_solver.errors import InvalidDeal, InvalidState
from perno_solver.game.block import is_position
from perno_solver.game.deal import SEEDS, Deal
from perno_solver.game.rules import PERNO, Rules
from perno_solver.game.state import State
from perno_solver.show.table import Table


@frozen
class Game:
    """A deal or a position with where it comes from: `seed 42`, `line 3`, `deck` or `position`."""

    start: Deal | State
    source: str
    number: int | None = None
    laid: Table | None = None  # a position, as it was typed

    def table(self, rules: Rules | None) -> Table:
        """Lay it out: a deal under these rules as it is dealt, a position as it was typed."""
        return self.laid or Table.of(self.start, rules)

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.source if self.number is None else f"{self.source} {self.number}"


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


def of_seeds(text: str) -> tuple[int, Iterator[Game]]:
    """Read seeds: how many they are, and their deals."""
    seeds = parse_seeds(text)
    return seeds.stop - seeds.start, (Game(Deal.from_seed(seed), "seed", seed) for seed in seeds)


def read_games(path: str, rules: Rules | None) -> list[Game]:
    """Read a file that holds a deck a line, or one position."""
    name = "standard input" if path == "-" else path
    try:
        text = read_whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"{name}: not UTF-8 text: byte {error.start + 1} is {error.object[error.start]:#04x}"
        raise Failure(msg) from None
    if is_position(text):
        try:
            table = Table.from_text(text, rules)
        except InvalidState as error:
            msg = f"{name}: {error}"
            raise InvalidState(msg) from None
        return [Game(table.state, "position", laid=table)]
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        deck = line.partition("#")[0].strip()
        try:
            if deck:
                games.append(Game(Deal.from_text(deck), "line", number))
        except InvalidDeal as error:
            msg = f"{name}, line {number}: {error}"
            raise InvalidDeal(msg) from None
    if not games:
        msg = f"{name}: nothing in it, expected a deck of 52 cards a line, or one position"
        raise InvalidDeal(msg)
    return games


def of_sources(
    seed: int | None, seeds: str | None, deck: str | None, file: str | None, rules: Rules | None
) -> tuple[int, Iterator[Game]]:
    """Take the one source that is given: how many deals it has, and the deals."""
    if sum(source is not None for source in (seed, seeds, deck, file)) != 1:
        msg = "give one of --seed, --seeds, --deck and --file"
        raise click.UsageError(msg)
    if seeds is not None:
        return of_seeds(seeds)
    if file is not None:
        games = read_games(file, rules)
        return len(games), iter(games)
    game = Game(Deal.from_text(deck), "deck") if deck is not None else Game(Deal.from_seed(seed or 0), "seed", seed)
    return 1, iter([game])


def rules_of(game: Game, rules: Rules | None) -> Rules:
    """Return the rules that a game is played under: a position's own, or those that were asked for."""
    return game.start.rules if isinstance(game.start, State) else rules or PERNO
