"""A game as it is kept: its record, how far its player has gone back in it, and where its deal came from."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from zlib import crc32

from attrs import evolve, frozen

from perno_solver.errors import InvalidRecord
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Move, line_text
from perno_solver.game.record import Comment, Game
from perno_solver.game.rules import Rules
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
    """

    game: Game
    tables: tuple[Table, ...]
    at: int

    @classmethod
    def of(cls, game: Game) -> "Kept":
        """Take a game from its record, with what our own comments say."""
        here = next((at for at, text in game.comments if text == _HERE), len(game.moves))
        others = tuple(comment for comment in game.comments if comment[1] not in {_HERE, _WON})
        if others != game.comments:
            game = evolve(game, comments=others)
        tables = accumulate(game.moves, Table.play, initial=Table.of(game.start, game.rules))
        return cls(game, tuple(tables), here)

    def __str__(self) -> str:
        """Return the record from which `of` takes it."""
        ours: list[Comment] = []
        if self.at < len(self.game.moves):
            ours.append((self.at, _HERE))
        if self.game.state().is_won:
            ours.append((len(self.game.moves), _WON))
        return str(evolve(self.game, comments=[*self.game.comments, *ours]) if ours else self.game)

    @property
    def dealt(self) -> str:
        """Where the deal came from: "seed 42", "easy 42", "day 2026-12-01 42", "again 42", or nothing."""
        return next((text.removeprefix(_DEALT) for at, text in self.game.comments if _is_dealt(at, text)), "")

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
        tables = self.tables[: self.at] + tuple(accumulate(moves, Table.play, initial=self.table))
        return Kept(self._cut(moves, self.game.comments), tables, at)

    def begun_again(self) -> "Kept":
        """Return a game of its own that goes on from where this one stands."""
        game = self._cut((), [(0, " ".join([f"{_DEALT}again", *self.dealt.split()[-1:]]))])
        return Kept(game, self.tables[: self.at + 1], self.at)

    def gone_to(self, at: int) -> "Kept":
        """Return the game with so many of its moves standing."""
        return evolve(self, at=at)

    def _cut(self, moves: Sequence[Move], comments: Iterable[Comment]) -> Game:
        """Return the game without what was taken back, and with more moves."""
        comments = [comment for comment in comments if comment[0] <= self.at]
        return evolve(self.game, moves=self.game.moves[: self.at] + tuple(moves), comments=comments)


def begun(deal: Deal, rules: Rules, dealt: str) -> Kept:
    """Begin a game; `dealt` is where the deal came from, as in `Kept`."""
    return Kept.of(Game(deal, rules, comments=[(0, f"{_DEALT}{dealt}")]))


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
