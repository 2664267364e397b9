"""What the page asks and is told: one function from a message in JSON to answers in JSON.

A message is an object that says what to `do`, with a `game` by its name where it is about one, and `lang` for words in
another language than English. `move`, `run`, `undo`, `redo` and `goto` also have the `tag` of the table that the player
saw: where the game has gone on since, as it may in another window, nothing is done and the answer tells what is there.
An answer to what takes long is given again and again as it gets better; the last one has `done`. A message that makes
no sense, or a move that is not legal, is answered by an `error` in words.

No answer tells where a card lies that the player has not seen, but for those to `truth`, `lost_at` and `export`, which
say so: what the page shows comes from a `View`.
"""

import json
import secrets
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

from attrs import asdict, define

from perno_solver.checks import got, shown
from perno_solver.errors import IllegalMove, InvalidChoice, InvalidJson, InvalidRecord, PernoError
from perno_solver.game.deal import SEEDS, Deal
from perno_solver.game.moves import REDEAL, TURN, Move, MoveKind
from perno_solver.game.record import read_games
from perno_solver.game.rules import PERNO, READINGS, Rules
from perno_solver.game.state import State
from perno_solver.show.faces import faces
from perno_solver.show.scene import scene, scene_as_json
from perno_solver.show.texts import LANGUAGES, Texts, catalogue_as_json, texts
from perno_solver.show.words import in_words, named
from perno_solver.solve import Level
from perno_solver.solve.safe import safe_play
from perno_solver.web import advice
from perno_solver.web.advice import Data, Effort
from perno_solver.web.kept import MOST_MOVES, Kept, Summary, begun, read, summary, written
from perno_solver.web.told import playing_well, rules_told

MOST_GAMES = 10_000
"""Games that are kept."""


def answer(message: str, games: MutableMapping[str, str], effort: Effort = Effort()) -> Iterator[str]:  # noqa: B008 - a frozen value
    """Yield what the page is told: one answer, or several that get better, as JSON objects.

    Args:
        message: what it asks, a JSON object.
        games: the records of games by their names, which is where they are kept; it is read anew at each message, and
            what an answer tells is kept before it comes.
        effort: how much work an answer may take.
    """
    last: Data = {}
    try:
        asked = _Asked(_parsed(message), games, effort)
        do = asked.text("do")
        if do not in _ANSWERS:
            raise InvalidJson(got(do, f"do: one of {', '.join(_ANSWERS)}"))
        told = _ANSWERS[do](asked)
        if isinstance(told, dict):
            last = told
        else:
            for last in told:
                yield json.dumps({**last, "done": False})
        yield json.dumps({**last, "done": True})
    except PernoError as error:
        yield json.dumps({"error": str(error), "done": True})


def _parsed(message: str) -> dict[str, Any]:
    try:
        found = json.loads(message)
        json.dumps(found, ensure_ascii=False).encode()  # half of a character, which JSON can spell, is none
    except (ValueError, RecursionError):
        raise InvalidJson(got(message, "a message in JSON")) from None
    if not isinstance(found, dict):
        raise InvalidJson(got(message, "a JSON object as a message"))
    return found


@define
class _Asked:
    """A message, and where games are kept."""

    values: dict[str, Any]
    games: MutableMapping[str, str]
    effort: Effort

    def text(self, name: str, default: str | None = None) -> str:
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise InvalidJson(got(value, f"{name}: a text"))
        return value

    def number(self, name: str) -> int:
        value = self.values.get(name)
        if type(value) is not int or not 0 <= value <= MOST_MOVES:
            raise InvalidJson(got(value, f"{name}: a whole number from 0 to {MOST_MOVES:,}"))
        return value

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if type(value) is not bool:
            raise InvalidJson(got(value, f"{name}: true or false"))
        return value

    @property
    def texts(self) -> Texts:
        return texts(self.text("lang", LANGUAGES[0]))

    @property
    def kept(self) -> Kept:
        """The game that is asked about."""
        name = self.text("game")
        try:
            text = self.games[name]
        except KeyError:
            raise InvalidChoice(got(name, "a game that is kept")) from None
        return read(text)

    def records(self) -> Iterator[tuple[str, str]]:
        """Go through all games: their names, and their records."""
        for name in sorted(self.games):
            with suppress(KeyError):  # deleted meanwhile
                yield name, self.games[name]

    def make_room(self, number: int) -> None:
        """Refuse new games where too many would be kept."""
        if len(self.games) + number > MOST_GAMES:
            msg = f"{MOST_GAMES:,} games are kept, expected no more: export and delete some"
            raise InvalidRecord(msg)

    def keep(self, kept: Kept) -> str:
        """Keep a new game; return its name."""
        self.make_room(1)
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        self.games[name] = written(kept)
        return name


# The table


def _table(asked: _Asked, kept: Kept, name: str | None = None) -> Data:
    """Tell what lies on the table, and what can be done."""
    view, words = kept.view, asked.texts
    moves = [_move_data(kept, move, words) for move in view.legal_moves()]
    levels = min(view.rules.pack_limit, _ROOM)
    return {
        "game": asked.text("game") if name is None else name,
        "tag": kept.tag,
        "at": kept.at,
        "length": len(kept.game.moves),
        "rules": str(kept.game.rules),
        "dealt": kept.dealt,
        "name": kept.game.name,
        "scene": scene_as_json(scene(kept.table, narrow=asked.flag("narrow"), levels=levels, texts=words)),
        "moves": moves,
        "said": [],
        "end": "won" if view.is_won else "" if moves else "stuck",
    }


_ROOM = 3  # packed cards for which there is room in a cell before the table gets higher


def _move_data(kept: Kept, move: Move, words: Texts) -> Data:
    """Tell of a move what the page needs to offer it: where its card lies, and where it goes."""
    card = move.card
    name = named(move, words)
    data: Data = {
        "move": str(move),
        "name": f"{name[0].upper()}{name[1:]}",
        "card": None if card is None else str(card),
    }
    if card is None:
        return {**data, "to": "waste" if move.kind is MoveKind.TURN else "stock"}
    if move.kind is MoveKind.FOUNDATION:
        suits = kept.table.play(move).suits
        return {**data, "to": f"foundation {suits.index(card.suit) + 1}"}
    cells = kept.table.play(move).cells
    return {**data, "to": f"cell {next(at for at, cell in enumerate(cells, start=1) if card in cell)}"}


def _changed(asked: _Asked, change: Callable[[Kept], Kept]) -> Data:
    """Change a game and tell what lies there now; or only tell, if it is no longer what the player saw."""
    before = asked.kept
    if asked.text("tag", before.tag) != before.tag:
        return {**_table(asked, before), "went_on": True}
    kept = change(before)
    asked.games[asked.text("game")] = written(kept)
    played = range(before.at, kept.at)  # nothing, where moves were taken back
    states = [table.state for table in kept.tables]
    said = [in_words(states[at], kept.game.moves[at], states[at + 1], asked.texts) for at in played]
    return {**_table(asked, kept), "said": said}


def _move(asked: _Asked) -> Data:
    """Play a move; with `auto` also what cannot be wrong after it."""

    def play(kept: Kept) -> Kept:
        move = Move.from_text(asked.text("move"))
        if move not in kept.view.legal_moves():  # and no word on why, which may be where a hidden card lies
            raise IllegalMove(asked.texts.gettext("That move is not possible now."))
        kept = kept.played([move])
        while asked.flag("auto") and (safe := safe_play(kept.view)) is not None:
            kept = kept.played([safe])
        return kept

    return _changed(asked, play)


def _run(asked: _Asked) -> Data:
    """Turn cards until one can be played that could not be before, or the stock is empty."""

    def turn(kept: Kept) -> Kept:
        state = kept.table.state
        moves = [TURN if state.stock else REDEAL]
        while TURN in (now := state.play(moves[-1])).legal_moves() and not news(state, now):
            state = now
            moves.append(TURN)
        return kept.played(moves)

    def news(before: State, after: State) -> bool:
        return not set(after.legal_moves()) <= {*before.legal_moves(), TURN}

    return _changed(asked, turn)


def _undo(asked: _Asked) -> Data:
    return _changed(asked, lambda kept: kept.gone_to(max(0, kept.at - 1)))


def _redo(asked: _Asked) -> Data:
    return _changed(asked, lambda kept: kept.gone_to(min(len(kept.game.moves), kept.at + 1)))


def _goto(asked: _Asked) -> Data:
    return _changed(asked, lambda kept: kept.gone_to(_place(asked, kept)))


def _place(asked: _Asked, kept: Kept) -> int:
    at, last = asked.number("at"), len(kept.game.moves)
    if not 0 <= at <= last:
        raise InvalidChoice(got(at, f"at: a number of moves from 0 to {last}"))
    return at


def _open(asked: _Asked) -> Data:
    return _table(asked, asked.kept)


def _again(asked: _Asked) -> Data:
    """Begin a game of its own from a point of another, which stays as it is."""
    kept = asked.kept
    kept = kept.gone_to(_place(asked, kept)).begun_again()
    return _table(asked, kept, asked.keep(kept))


# Games


def _new(asked: _Asked) -> Iterator[Data]:
    """Deal: by a `seed`, a `day` or a `level` (easy, medium, hard; won: any that can be), which are deals to be won."""
    rules = Rules.from_text(asked.text("rules", str(PERNO)))
    if "seed" in asked.values:
        seed = _seed(asked.text("seed"), asked.texts)
        dealt = f"seed {seed}"
    else:
        if "day" in asked.values:
            day = _day(asked.text("day"))
            level, first, dealt = "won", _first_of(day, rules), f"day {day}"
        else:
            level, first = asked.text("level"), secrets.randbelow(SEEDS)
            dealt = level
        seed = yield from advice.sought(rules, _level(level), first, asked.effort, asked.texts)
        dealt = f"{dealt} {seed}"
    kept = begun(Deal.from_seed(seed), rules, dealt)
    yield _table(asked, kept, asked.keep(kept))


def _seed(text: str, words: Texts) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(SEEDS)) and int(text) < SEEDS):
        wrong = words.gettext("{given} is not the number of a deal, expected a whole number from 0 to 2^64 - 1")
        raise InvalidChoice(wrong.format(given=shown(text)))
    return int(text)


def _level(text: str) -> Level | None:
    if text not in _LEVELS:
        raise InvalidChoice(got(text, f"a level, one of {', '.join(_LEVELS)}"))
    return _LEVELS[text]


_LEVELS = {"won": None, "easy": Level.EASY, "medium": Level.MEDIUM, "hard": Level.HARD}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidChoice(got(text, "a day as in 2026-12-31")) from None


def _first_of(day: date, rules: Rules) -> int:
    """Return the seed after which the deal of a day is looked for: the same for everybody, under each rules another."""
    return int.from_bytes(sha256(f"{day} {rules}".encode()).digest()[:8])


def _list(asked: _Asked) -> Data:
    """List all games, the last one first."""
    return {"games": [{"game": name, **asdict(known)} for name, known in reversed(_known(asked))]}


def _statistics(asked: _Asked) -> Data:
    """Count games by reading and level: those begun, and those won."""
    counts: dict[tuple[str, str], list[int]] = {}
    for _, known in _known(asked):
        if known.moves:
            count = counts.setdefault((known.rules, known.dealt.partition(" ")[0]), [0, 0])
            count[0] += 1
            count[1] += known.is_won
    rows = [(*kind, *count) for kind, count in sorted(counts.items())]
    return {"rows": [dict(zip(("rules", "level", "played", "won"), row, strict=True)) for row in rows]}


def _known(asked: _Asked) -> list[tuple[str, Summary]]:
    return [(name, summary(text)) for name, text in asked.records()]


def _delete(asked: _Asked) -> Data:
    asked.games.pop(asked.text("game"), None)
    return {}


def _import(asked: _Asked) -> Data:
    """Keep the games of a text of records; none of them, if one cannot be read."""
    _ = asked.texts.gettext
    try:
        found = [Kept.of(game) for game in read_games(asked.text("text"))]
    except PernoError as error:
        raise InvalidRecord(_("That cannot be read: {reason}").format(reason=error)) from None
    if not found:
        raise InvalidRecord(_("There is no game in it, expected records, each from a line `game:` on"))
    longest = max(len(kept.game.moves) for kept in found)
    if longest > MOST_MOVES:
        raise InvalidRecord(got(longest, f"at most {MOST_MOVES:,} moves in a game"))
    asked.make_room(len(found))
    return {"games": [asked.keep(kept) for kept in found]}


def _export(asked: _Asked) -> Data:
    """Tell the record of a game, or of all; where all cards lie is in it."""
    if "game" in asked.values:
        return {"text": str(asked.kept)}
    return {"text": "\n".join(text for _, text in asked.records())}


def _rules(asked: _Asked) -> Data:
    """Tell rules, and how to play well under them."""
    rules = Rules.from_text(asked.text("rules", str(PERNO)))
    return {"rules": rules_told(rules, asked.texts), "well": playing_well(rules, asked.texts)}


_ANSWERS: dict[str, Callable[[_Asked], Data | Iterator[Data]]] = {
    "new": _new,
    "open": _open,
    "move": _move,
    "run": _run,
    "undo": _undo,
    "redo": _redo,
    "goto": _goto,
    "again": _again,
    "list": _list,
    "delete": _delete,
    "import": _import,
    "export": _export,
    "statistics": _statistics,
    "hint": lambda asked: advice.hinted(asked.kept, asked.effort, asked.texts),
    "chances": lambda asked: advice.chances(asked.kept, asked.effort),
    "is_lost": lambda asked: advice.is_lost(asked.kept, asked.effort),
    "truth": lambda asked: advice.truth(asked.kept, asked.effort),
    "review": lambda asked: advice.reviewed(asked.kept, asked.effort, asked.texts),
    "lost_at": lambda asked: advice.lost_at(asked.kept, asked.effort),
    "readings": lambda _asked: {"readings": list(READINGS)},
    "rules": _rules,
    "words": lambda asked: {"words": catalogue_as_json(asked.text("lang")), "faces": faces(asked.texts)},
}
