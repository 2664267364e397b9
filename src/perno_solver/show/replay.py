"""A game as a page of one file, to step through: no network, no rule in its script, every table laid out beforehand."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from perno_solver.checks import got, require
from perno_solver.errors import InvalidRecord
from perno_solver.game.record import Game
from perno_solver.game.state import State
from perno_solver.proof import Verdict
from perno_solver.show.document import document
from perno_solver.show.faces import faces
from perno_solver.show.scene import Scene, scene
from perno_solver.show.table import Table
from perno_solver.show.texts import LANGUAGES, texts
from perno_solver.show.words import in_words, verdict_name

_Values = Mapping[str, object]

_ = str  # marks words for the catalogues, which the page says in each language

_WORDS = (
    _("Language"),
    _("Start"),
    _("Back"),
    _("Play"),
    _("Pause"),
    _("Forward"),
    _("End"),
    _("Move"),
    _("The deal"),
    _("The position at the beginning"),
    _("Move {number} of {total}: {words}"),
    _("{number} of {total}"),
    _("The game is won."),
    _("This move lost the game."),
    _("Go to the move that lost"),
    _("Moves"),
    _("Position as text"),
    _("Copy"),
    _("Copied"),
    _("Rules {rules}, {total} moves"),
    _("Keys: left and right, Home, End, space to play; swipe or tap the table."),
)


def replay(
    game: Game, *, table: Table | None = None, verdicts: Sequence[Verdict] | None = None, lang: str | None = None
) -> str:
    """Write a game as an HTML page to step through it: with keys, touch or a slider, or to watch it being played.

    The page is whole by itself: it needs no network, and its policy forbids any. It says each move in words, in all
    languages of the package, has every position as a text to copy, and marks the move that lost the game, if verdicts
    are given.

    Args:
        game: the game.
        table: how it lay on the table at its beginning, if not in its own order.
        verdicts: that of each position from the first one on, as `annotate` returns them.
        lang: the language in which it opens, `"en"` or `"it"`; by default that of the browser.

    Raises:
        InvalidRecord: it is no game, or the table or the verdicts are not those of the game.
        InvalidChoice: there is no such language.
    """
    require(game, Game, InvalidRecord, "a Game")
    laid = Table.of(game.start, game.rules) if table is None else table
    if not isinstance(laid, Table) or laid.state != game.state(0):
        raise InvalidRecord(got(table, "the table on which the game begins"))
    told = None
    if verdicts is not None:
        of = f"the verdicts of the {len(game.moves) + 1} positions"
        require(verdicts, list | tuple, InvalidRecord, of)
        told = [verdict.value for verdict in verdicts if isinstance(verdict, Verdict)]
        if len(told) != len(game.moves) + 1:
            raise InvalidRecord(got(verdicts, of))
    if lang is not None:
        texts(lang)
    tables = [laid]
    for move in game.moves:
        tables.append(tables[-1].play(move))
    title = f"Perno Variabile {game.name}".strip()
    data = {**_data(game, tables), "verdicts": told, "lang": lang}
    import json  # noqa: PLC0415 - not everybody who imports the package writes pages

    body = _read("replay.html").format(
        faces=faces(), title=escape(title), data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    )
    script = _read("cards.js") + _read("replay.js")
    return document(title, body, lang=lang or "en", style=_read("replay.css"), script=script)


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _data(game: Game, tables: Sequence[Table]) -> dict[str, object]:
    """Say all that the page shows; positions as what changes from one to the next."""
    levels = max(len(cell) for table in tables for cell in table.cells)
    wide, narrow = (scene(tables[0], levels=levels, narrow=narrow) for narrow in (False, True))
    comments: dict[int, list[str]] = {}
    for at, text in game.comments:
        comments.setdefault(at, []).append(text)
    return {
        "sizes": [[shown.width, shown.height] for shown in (wide, narrow)],
        "places": [
            [place.pile, place.sign, place.x, place.y, other.x, other.y]
            for place, other in zip(wide.places, narrow.places, strict=True)
        ],
        "steps": list(_changes([dict(_values(table, levels)) for table in tables])),
        "moves": {lang: _told(game, lang) for lang in LANGUAGES},
        "comments": comments,
        "rules": str(game.rules),
        "won": game.state().is_won,
        "words": {
            lang: {words: texts(lang).gettext(words) for words in _WORDS}
            | {verdict.value: verdict_name(verdict, texts(lang)) for verdict in Verdict}
            for lang in LANGUAGES
        },
        "isDeal": not isinstance(game.start, State),
    }


def _told(game: Game, lang: str) -> list[str]:
    """Tell the moves in words."""
    return [in_words(game.state(at), move, game.state(at + 1), texts(lang)) for at, move in enumerate(game.moves)]


def _values(table: Table, levels: int) -> Iterator[tuple[str, object]]:
    """List everything on a table that may change: cards and counts with both their places, lines of text, names."""
    wide, narrow = (scene(table, levels=levels, narrow=narrow) for narrow in (False, True))
    height: dict[str, int] = {}
    for card, other in zip(wide.cards, narrow.cards, strict=True):
        level = height[card.pile] = height.get(card.pile, -1) + 1
        yield card.id, [card.pile, level, card.x, card.y, other.x, other.y]
    for count, below in zip(wide.counts, narrow.counts, strict=True):
        yield f"#{count.of}", [count.text, count.x, count.y, below.x, below.y]
    yield "sign", next(place.sign for place in wide.places if place.pile == "stock")
    for line in table.text.splitlines():
        yield f"@{line.partition(':')[0]}", line
    for lang in LANGUAGES:
        for number, part in enumerate(_parts(scene(table, texts=texts(lang)))):
            yield f"{lang}{number}", part


def _parts(shown: Scene) -> list[str]:
    return shown.description.split("; ")


def _changes(states: Sequence[_Values]) -> Iterator[dict[str, object]]:
    """Return the first of several states, and what each next one has otherwise; None is for what it has no more."""
    before: _Values = {}
    for state in states:
        changed = {key: value for key, value in state.items() if before.get(key) != value}
        yield changed | {key: None for key in before if key not in state}
        before = state
