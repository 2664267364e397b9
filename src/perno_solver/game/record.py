"""Games on record: how a game began and what was played, as text that people and programs read."""

import textwrap
from collections.abc import Iterable
from typing import Literal

from attrs import field, frozen

from perno_solver.checks import Choice, got, require, shown
from perno_solver.errors import IllegalMove, InvalidChoice, InvalidRecord, PernoError
from perno_solver.game.block import LINES
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line, as_line, line_text
from perno_solver.game.rules import Rules
from perno_solver.game.state import State, as_game
from perno_solver.game.view import View, face_up


class Seen(Choice):
    """What a player knows: what has been seen in the game so far; what lies face-up now; or every card."""

    REMEMBERED = "remembered"
    TABLE = "table"
    ALL = "all"


SeenText = Literal["remembered", "table", "all"]

Comment = tuple[int, str]
"""The number of moves that a comment comes after, and its text."""

_KEYS = {"game", "deck", "moves", *LINES}
_WIDTH = 100  # columns of a line of moves


def _sorted(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    try:
        return tuple(sorted(((at, text) for at, text in comments), key=lambda comment: comment[0]))
    except (TypeError, ValueError):
        raise InvalidRecord(got(comments, "comments as pairs of a number of moves and a text")) from None


@frozen(repr=False)
class Game:
    """A game as it was played.

    Args:
        start: the deal or the position that it began with, or the text of either; all cards are known, as what comes
            into sight depends on them.
        rules: the rules of the deal, or their text (default `PERNO`); a position has its own.
        moves: what was played, or its text.
        name: what it is called.
        comments: texts, each with the number of moves that it comes after.

    Raises:
        InvalidRecord: the name or a comment is not a line of text, or comes after more moves than there are.
        IllegalMove: a move is not legal when its turn comes; the message says which, by its place from 1.
        InvalidDeal, InvalidState, InvalidRules, InvalidMove: the others are not what they should be.
    """

    start: Deal | State
    rules: Rules = field(default=None)
    moves: Line = field(default=(), converter=as_line)
    name: str = field(default="", kw_only=True)
    comments: tuple[Comment, ...] = field(default=(), converter=_sorted, kw_only=True)
    _states: tuple[State, ...] = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        """Take texts for values, check the others, and play the game."""
        start, rules = as_game(self.start, self.rules)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "rules", rules)
        for text in (self.name, *(text for _, text in self.comments)):
            if not isinstance(text, str) or text != text.strip() or len(text.splitlines()) > 1:
                raise InvalidRecord(got(text, "the name or a comment as one line of text"))
        for at, text in self.comments:
            if type(at) is not int or not 0 <= at <= len(self.moves) or not text:
                msg = f"a comment after {shown(at)} moves, expected a text after at most {len(self.moves)}"
                raise InvalidRecord(msg)
        object.__setattr__(self, "_states", _played(start, rules, self.moves))

    @classmethod
    def from_text(cls, text: str) -> "Game":
        """Read the record of one game.

            game: rainy Sunday                  what it is called, or nothing
            rules: perno                        may be left out: then perno
            deck: JS 5C …                       or the lines of a position block
            # a comment
            moves: T T F:7S                     as many lines of moves as you like,
            # on the third move                 and comments between them, or at their ends
              T                                 what begins with white space goes on with the line before

        Raises:
            InvalidRecord: a line is unknown, missing or there twice, or there are several games.
            PernoError: what a line holds is wrong; of the kind that the value's own reader raises.
        """
        games = read_games(text)
        if len(games) != 1:
            msg = f"{len(games)} games, expected one"
            raise InvalidRecord(msg)
        return games[0]

    def __str__(self) -> str:
        """Return the record that `from_text` reads."""
        lines = [f"game: {self.name}".rstrip()]
        if isinstance(self.start, State):
            lines += str(self.start).splitlines()
        else:
            lines += [f"rules: {self.rules}", f"deck: {self.start}"]
        comments, done = list(self.comments), 0
        while comments or done < len(self.moves):
            at = comments[0][0] if comments else len(self.moves)
            if at > done:
                wrapped = textwrap.wrap(line_text(self.moves[done:at]), _WIDTH)
                lines += [f"moves: {tokens}" for tokens in wrapped]
                done = at
            if comments:
                lines.append(f"# {comments.pop(0)[1]}")
        return "".join(f"{line}\n" for line in lines)

    def __repr__(self) -> str:
        """Return the expression that rebuilds the game."""
        return f"Game.from_text({str(self)!r})"

    def state(self, at: int | None = None) -> State:
        """Return the position after `at` moves, by default after all.

        Raises:
            InvalidChoice: there are not so many moves.
        """
        last = len(self.moves)
        if at is not None and (type(at) is not int or not 0 <= at <= last):
            msg = f"after {shown(at)} moves, expected 0 to {last}"
            raise InvalidChoice(msg)
        return self._states[last if at is None else at]

    def view(self, at: int | None = None, seen: Seen | SeenText = Seen.REMEMBERED) -> View:
        """Return what a player knows after `at` moves, by default after all.

        Args:
            at: how many moves have been played.
            seen: whether the player remembers every card that has been seen (`"remembered"`), goes by what lies on the
                table now (`"table"`), or has seen all cards beforehand (`"all"`).

        Raises:
            InvalidChoice: there are not so many moves, or no such kind of knowledge.
        """
        state = self.state(at)
        seen = Seen(seen)
        if seen is Seen.ALL:
            return View(state, frozenset())
        if seen is Seen.TABLE:
            return View.of(state)
        before = self._states[: len(self.moves) + 1 if at is None else at + 1]
        return View.of(state, set().union(*map(face_up, before)))


def read_games(text: str) -> tuple[Game, ...]:
    """Read the records of games, each from its line `game:` on; before the first there may be comments.

    Raises:
        InvalidRecord, PernoError: as in `Game.from_text`; the message says in which game.
    """
    require(text, str, InvalidRecord, "games on record as text, each from a line `game:` on")
    parts: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if is_record(line):
            parts.append([])
        if parts:
            parts[-1].append((number, line))
        elif line.partition("#")[0].strip():
            msg = f"line {number}: {shown(line.strip())}, expected a game to begin with `game:` and its name"
            raise InvalidRecord(msg)
    games = []
    for number, lines in enumerate(parts, start=1):
        try:
            games.append(_read(lines))
        except PernoError as error:
            if len(parts) == 1:
                raise
            msg = f"game {number}: {error}"
            raise type(error)(msg) from None
    return tuple(games)


def is_record(text: str) -> bool:
    """Whether a text has the record of a game in it: a line `game:`."""
    return any(_key(line) == "game" for line in text.splitlines())


def _key(line: str) -> str:
    """Return the name that a line begins with, before its colon."""
    return line.partition(":")[0].strip().lower() if ":" in line else ""


def _read(lines: list[tuple[int, str]]) -> Game:
    """Read one game from its lines with their numbers, the first of which names it."""
    deck: list[str] = []
    block = [""] * lines[-1][0]  # every other line, by its number, which errors tell
    tokens: list[str] = []
    comments: list[Comment] = []
    of = ""  # the name of the line that is read
    for number, line in lines[1:]:
        content, _, comment = line.partition("#")
        goes_on = content[:1].isspace() and _key(content) not in _KEYS
        if content.strip() and not goes_on:
            of = _key(content)
        value = content if goes_on else content.partition(":")[2]
        if of == "moves":
            tokens += value.replace(",", " ").split()
        elif of == "deck" and (goes_on or not deck):
            deck.append(value)
        else:
            block[number - 1] = content
        if comment.strip():
            comments.append((len(tokens), comment.strip()))
    name = lines[0][1].partition(":")[2].strip()
    return Game(*_start(deck, block), as_line(tokens), name=name, comments=comments)


def _start(deck: list[str], block: list[str]) -> tuple[Deal | State, Rules]:
    """Read what a game began with: a deck, and the lines beside it; or the lines of a position."""
    lines: list[str] = []
    for line in filter(str.strip, block):
        goes_on = lines and line[0].isspace() and not _key(line)
        lines[-1:] = [lines[-1] + line] if goes_on else [*lines[-1:], line.strip()]
    if deck:
        wrong = [line for line in lines if _key(line) != "rules"] or lines[1:]
        if wrong:
            msg = f"{shown(wrong[0])}, expected one `deck:`, one `rules:`, lines of `moves:`, comments behind #"
            raise InvalidRecord(msg)
        return as_game(" ".join(deck), lines[0].partition(":")[2].strip() if lines else None)
    if not lines:
        msg = "the game has no beginning, expected `deck:` or the lines of a position"
        raise InvalidRecord(msg)
    return as_game(State.from_text("\n".join(block)))


def _played(start: Deal | State, rules: Rules, moves: Line) -> tuple[State, ...]:
    """Return the positions of a game, before the first move and after each."""
    states = [start if isinstance(start, State) else State.start(start, rules)]
    for place, move in enumerate(moves, start=1):
        try:
            states.append(states[-1].play(move))
        except IllegalMove as error:
            msg = f"move {place}: {error}"
            raise IllegalMove(msg) from None
    return tuple(states)
