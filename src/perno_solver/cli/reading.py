"""What files of games hold, as people and programs write them: decks, JSON, games on record, or one position.

A deck is 52 cards on a line, or on as many as they take. JSON is a list of 52 cards, or an object as `perno solve
--json` writes it, on lines of its own. Behind `#` is a comment, and behind a deck its name. Nothing is guessed: what
could be read in two ways is refused.
"""

from collections.abc import Iterator

from attrs import field, frozen

from perno_solver.as_json import value_at
from perno_solver.checks import got, shown
from perno_solver.errors import InvalidDeal, InvalidRules, PernoError
from perno_solver.game.block import is_position
from perno_solver.game.cards import CARDS, Card, parse_cards
from perno_solver.game.deal import Deal
from perno_solver.game.record import Game as Played
from perno_solver.game.record import is_record
from perno_solver.game.record import read_games as read_records
from perno_solver.game.rules import PERNO, Rules
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.show.table import Table


@frozen
class Found:
    """A game in a text, with its rules, the line on which it begins (None: it is all of it), and its name."""

    start: Deal | State | View  # of a game on record: where it stands
    rules: Rules
    line: int | None
    name: str = ""
    laid: Table | None = field(default=None, kw_only=True)  # a position, as it was typed
    record: Played | None = field(default=None, kw_only=True)


def read_games(text: str, rules: Rules | None) -> list[Found]:
    """Read all games in a text.

    Args:
        text: the text.
        rules: the rules of games that name none (None: `PERNO`); a game that names others is refused.

    Raises:
        PernoError: something in the text is no game; the message begins with its line.
    """
    if is_record(text):
        return [_of_record(game, rules) for game in read_records(text)]
    if is_position(text):
        return [_of_position(text, rules, None)]
    games: list[Found] = []
    rows: list[_Row] = []  # of a deck that is begun
    for number, part, comment in _parts(text):
        row = _Row(number, _cards_of(number, part) if isinstance(part, str) else None, comment)
        if row.cards == ():
            continue
        if rows and (row.cards is None or len(row.cards) >= len(CARDS)):
            _deck(rows, rules)  # which has too few cards, and says so, as another game begins
        if row.cards is None:
            games.append(_of_json(row, part, rules))
            continue
        rows.append(row)
        if sum(len(row.cards or ()) for row in rows) >= len(CARDS):
            games.append(_deck(rows, rules))
            rows = []
    if rows:
        games.append(_deck(rows, rules))
    if not games:
        msg = "nothing in it, expected a deck of 52 cards a line, or one position"
        raise InvalidDeal(msg)
    return games


@frozen
class _Row:
    """The cards of a line and the comment behind them; None for cards where it is JSON."""

    number: int
    cards: tuple[Card, ...] | None
    comment: str


def _parts(text: str) -> Iterator[tuple[int, object, str]]:
    """Split a text into lines without their comments, and JSON; each with its line's number and the comment behind."""
    lines = text.splitlines(keepends=True)
    index = at = 0
    while index < len(lines):
        number = index + 1
        part: object
        part, _, comment = lines[index].partition("#")
        if part.lstrip()[:1] in {"[", "{"}:
            try:
                part, end = value_at(text, at + lines[index].index(part.lstrip()[0]))
            except PernoError as error:
                msg = f"line {number}: {error}"
                raise InvalidDeal(msg) from None
            while at + len(lines[index]) < end:
                at += len(lines[index])
                index += 1
            behind, _, comment = lines[index][end - at :].partition("#")
            if behind.strip():
                msg = f"line {index + 1}: {shown(behind.strip())} behind JSON, expected a line for each game"
                raise InvalidDeal(msg)
        yield number, part, comment.strip()
        at += len(lines[index])
        index += 1


def _cards_of(number: int, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except PernoError as error:
        msg = f"line {number}: {error}"
        raise InvalidDeal(msg) from None


def _deck(rows: list[_Row], rules: Rules | None) -> Found:
    """Make the deck of lines that should hold one, which is told where they do not."""
    first, last = rows[0].number, rows[-1].number
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    cards = tuple(card for row in rows for card in row.cards or ())
    if len(cards) > len(CARDS) and len(cards) % len(CARDS) == 0:
        msg = f"{where}: {len(cards)} cards, expected the 52 of one deck"
        raise InvalidDeal(msg)
    try:
        deal = Deal(cards)
    except InvalidDeal as error:
        msg = f"{where}: {error}"
        raise InvalidDeal(msg) from None
    return Found(deal, rules or PERNO, first, " ".join(row.comment for row in rows if row.comment))


def _of_record(game: Played, rules: Rules | None) -> Found:
    """Take a game on record, as it stands after its moves."""
    if rules not in {None, game.rules}:
        msg = f"a game was played under the rules {game.rules}, but {rules} was asked for"
        raise InvalidRules(msg)
    return Found(game.state() if game.moves else game.start, game.rules, None, game.name, record=game)


def _of_position(text: str, rules: Rules | None, line: int | None, name: str = "") -> Found:
    """Read a position, of which cards may be unseen."""
    if any("?" in row.partition("#")[0] for row in text.splitlines()):
        view = View.from_text(text, rules)
        return Found(view.world if view.is_known else view, view.rules, line, name)
    table = Table.from_text(text, rules)
    return Found(table.state, table.state.rules, line, name, laid=table)


def _of_json(row: _Row, value: object, rules: Rules | None) -> Found:
    """Read a list of cards, or an object that has a deck, a position or a seed."""
    try:
        if isinstance(value, list):
            return Found(_deal_of(value), rules or PERNO, row.number, row.comment)
        return _of_object(row, value, rules)  # type: ignore[arg-type] # as it began with a brace
    except PernoError as error:
        msg = f"line {row.number}: {error}"
        raise InvalidDeal(msg) from None


def _of_object(row: _Row, found: dict[str, object], rules: Rules | None) -> Found:
    named = [name for name in ("deck", "position", "seed") if name in found]
    if not named or ("position" in named and len(named) > 1):
        msg = f"an object with {' and '.join(named) or 'no game'}, expected a deck, a position or a seed"
        raise InvalidDeal(msg)
    own = Rules.from_text(_text(found, "rules")) if "rules" in found else None
    if own is not None and rules not in {None, own}:
        msg = f"the {named[0]} is under the rules {own}, but {rules} was asked for"
        raise InvalidRules(msg)
    name = _text(found, "name") if "name" in found else row.comment
    if named == ["position"]:
        return _of_position(_text(found, "position"), own or rules, row.number, name)
    deals = {key: Deal.from_seed(found[key]) if key == "seed" else _deal_of(found[key]) for key in named}  # type: ignore[arg-type] # which is checked there
    if len(set(deals.values())) > 1:
        pairs = zip(deals["deck"].cards, deals["seed"].cards, strict=True)
        place, (card, other) = next((place, pair) for place, pair in enumerate(pairs, start=1) if len(set(pair)) > 1)
        msg = f"card {place} is {card} in the deck, but {other} in that of its seed {found['seed']}"
        raise InvalidDeal(msg)
    if not name and "seed" in found:
        name = f"seed {found['seed']}"
    return Found(deals[named[0]], own or rules or PERNO, row.number, name)


def _deal_of(value: object) -> Deal:
    """Read a deck that JSON has as a text, or as a list of cards."""
    if isinstance(value, str):
        return Deal.from_text(value)
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        raise InvalidDeal(got(value, "52 cards, as a text or a list of texts"))
    cards = []
    for place, text in enumerate(value, start=1):
        try:
            cards.append(Card.from_text(text))
        except PernoError as error:
            msg = f"card {place}: {error}"
            raise InvalidDeal(msg) from None
    return Deal(cards)


def _text(found: dict[str, object], name: str) -> str:
    value = found[name]
    if not isinstance(value, str):
        msg = f"{name}: {got(value, 'a text')}"
        raise InvalidDeal(msg)
    return value
