"""A game as it is kept: its record, how far its player has gone back in it, and where its deal came from."""

from collections.abc import Sequence
from itertools import accumulate
from zlib import crc32

from attrs import evolve, frozen

from perno_solver.errors import InvalidRecord
from perno_solver.game.moves import Move, line_text
from perno_solver.game.record import Comment, Game
from perno_solver.game.view import View
from perno_solver.show.table import Table

MOST_MOVES = 5_000
"""Moves of a game that is kept; without a limit on redeals play could go round for ever."""

_HERE = "here"  # the comment that marks how far the player has gone back
_WON = "won"  # the comment behind a game that was won
_DEALT = "dealt: "  # the comment that says where the deal came from


@frozen(eq=False)
class Kept:
    """A game on record that is still played.

    Args:
        game: all that was played, with what was taken back and can be played again.
        tables: the table before the first move, and after each.
        at: how many of the moves stand.
        dealt: where the deal came from: "seed 42", "easy 42", "day 2026-12-01 42", or nothing.
    """

    game: Game
    tables: tuple[Table, ...]
    at: int
    dealt: str

    @classmethod
    def of(cls, game: Game) -> "Kept":
        """Take a game from its record, with what our own comments say."""
        dealt = next((text.removeprefix(_DEALT) for at, text in game.comments if _is_dealt(at, text)), "")
        here = next((at for at, text in game.comments if text == _HERE), len(game.moves))
        others = [(at, text) for at, text in game.comments if text not in {_HERE, _WON} and not _is_dealt(at, text)]
        tables = accumulate(game.moves, Table.play, initial=Table.of(game.start, game.rules))
        return cls(evolve(game, comments=others), tuple(tables), here, dealt)

    def __str__(self) -> str:
        """Return the record from which `of` takes it."""
        ours: list[Comment] = [(0, f"{_DEALT}{self.dealt}")] if self.dealt else []
        if self.at < len(self.game.moves):
            ours.append((self.at, _HERE))
        if self.game.state().is_won:
            ours.append((len(self.game.moves), _WON))
        return str(evolve(self.game, comments=[*ours, *self.game.comments]) if ours else self.game)

    @property
    def tag(self) -> str:
        """What changes whenever the game does, made from nothing that its player has not seen."""
        return f"{self.at}-{len(self.game.moves)}-{crc32(line_text(self.game.moves).encode()):x}"

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.tables[self.at]

    @property
    def view(self) -> View:
        """What a player knows who remembers all but what was taken back."""
        return self.game.view(self.at)

    def played(self, moves: Sequence[Move]) -> "Kept":
        """Return the game after more moves; what was taken back is forgotten, unless it is the same again.

        Raises:
            IllegalMove: a move is not legal.
            InvalidRecord: the game is too long.
        """
        at = self.at + len(moves)
        if self.game.moves[self.at : at] == tuple(moves):
            return self.gone_to(at)
        if at > MOST_MOVES:
            msg = f"{at:,} moves, expected at most {MOST_MOVES:,} in a game"
            raise InvalidRecord(msg)
        before = self.cut()
        game = evolve(before.game, moves=before.game.moves + tuple(moves))
        tables = before.tables[:-1] + tuple(accumulate(moves, Table.play, initial=self.table))
        return Kept(game, tables, at, self.dealt)

    def gone_to(self, at: int) -> "Kept":
        """Return the game with so many of its moves standing."""
        return evolve(self, at=at)

    def cut(self) -> "Kept":
        """Return the game without what was taken back."""
        comments = [comment for comment in self.game.comments if comment[0] <= self.at]
        game = evolve(self.game, moves=self.game.moves[: self.at], comments=comments)
        return evolve(self, game=game, tables=self.tables[: self.at + 1])


def _is_dealt(at: int, text: str) -> bool:
    return not at and text.startswith(_DEALT)


@frozen
class Summary:
    """What a record says at first sight.

    Args:
        name: what the game is called.
        rules: the text of its rules.
        dealt: as in `Kept`.
        moves: how many there are.
        is_won: whether the game was won, even if moves were taken back since.
    """

    name: str
    rules: str
    dealt: str
    moves: int
    is_won: bool


def summary(text: str) -> Summary:
    """Look at a record that `written` wrote, without playing its game.

    >>> from perno_solver.game.deal import Deal
    >>> summary(str(Kept.of(Game(Deal.from_seed(42), moves="T T T", name="rainy Sunday"))))
    Summary(name='rainy Sunday', rules='perno', dealt='', moves=3, is_won=False)
    """
    values = {"game": "", "rules": "", "# dealt": ""}
    moves, is_won = 0, False
    for line in text.splitlines():
        key, _, value = line.partition(": ")
        if key == "moves":
            moves += len(value.split())
        elif key in values:
            values[key] = value
        is_won |= line == f"# {_WON}"
    return Summary(values["game"], values["rules"], values["# dealt"], moves, is_won)


def read(text: str) -> Kept:
    """Read a game that is kept.

    Raises:
        PernoError: as `Game.from_text`.
    """
    return _recent.get(text) or Kept.of(Game.from_text(text))


def written(kept: Kept) -> str:
    """Return the record of a game, which is then read again in no time."""
    text = str(kept)
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[text] = kept
    return text


_recent: dict[str, Kept] = {}
_MOST_RECENT = 32
