"""JSON both ways: every value of the package as plain data and back, checked whole when it is read.

What has a text form is that text: a card, a move, a deal, rules, a view, a game, a verdict. The others are lists and
objects:

    line         ["T", "F:7S", …]
    State        {"rules", "base", "foundations", "tableau", "pivot", "stock", "waste", "redeals"}, piles as lists
    Table        the same, with all eight cells and the foundations in their order
    Budget       {"states", "seconds", "bytes"}, null where there is no limit
    Statistics   {"states", "generated", "duplicates", "depth", "seconds"}
    Evidence     {"verdict", "deck" or "position", "rules", "moves"}, or "keys" (base64) and "cites" for "moves"
    Result       {"verdict", "moves", what statistics have, and where there are any "reason", "at_least" and
                 "evidence"}

The start of a game is its text, a deck's or a position's, under one of two names, as in files of evidence.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf, isinf
from typing import Any, NoReturn, TypeVar, cast, overload

from perno_solver.checks import got, shown
from perno_solver.errors import InvalidJson, PernoError
from perno_solver.game.block import cell_words, write_block
from perno_solver.game.cards import RANKS, Card, Suit
from perno_solver.game.deal import Deal
from perno_solver.game.moves import Line, Move, as_line
from perno_solver.game.record import Game
from perno_solver.game.rules import Rules
from perno_solver.game.state import Cell, State
from perno_solver.game.view import View
from perno_solver.proof import Evidence, Verdict
from perno_solver.show.table import Table
from perno_solver.solve import Budget, Result, Statistics

Data = None | bool | int | float | str | list["Data"] | dict[str, "Data"]
"""What JSON can say, as Python's `json` reads it."""

_T = TypeVar("_T")
_Texts = Card | Move | Deal | Rules | View | Game | Verdict
_Objects = State | Table | Budget | Statistics | Evidence | Result

_LEMMAS = ["play", "greedy"]
_PILES = ("pivot", "stock", "waste")
_COUNTS = {"states": "stored", "generated": "generated", "duplicates": "duplicates", "depth": "depth"}
_GAME = (
    "seed",
    "line",
    "name",
    "deck",
    "position",
    "rules",
)  # what `perno solve --json` says of the game before its result


def to_json(value: _Texts | Line | _Objects) -> str:
    """Write a value as JSON, in one line that `from_json` reads.

    Args:
        value: a card, a move, a line, a deal, rules, a state, a table, a view, a game, a verdict, a budget, evidence, a
            result or its statistics.

    Raises:
        InvalidJson: it is something else.

    >>> from perno_solver import parse_line
    >>> to_json(parse_line("T F:7S"))
    '["T", "F:7S"]'
    """
    import json  # noqa: PLC0415 - importing it takes a while, and not everybody needs it

    data = to_data(value)
    try:
        return json.dumps(data, allow_nan=False)
    except ValueError as error:
        _refuse(f"{shown(value)} cannot be said in JSON: {error}")


def from_json(kind: type[_T], text: str | bytes) -> _T:
    """Read a value from JSON.

    Args:
        kind: what it is to be: the value's class, or `Line`.
        text: the JSON; of a `Result` also a line of `perno solve --json`, whose game is checked and left out.

    Raises:
        InvalidJson: the text is not JSON, or not that of such a value; the message says where and what was expected.

    >>> from_json(Card, '"7S"')
    Card.from_text('7S')
    """
    import json  # noqa: PLC0415

    if not isinstance(text, str | bytes):
        _refuse(got(text, "JSON as text"))
    with _json_errors():
        data = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number, parse_float=_finite)
    return from_data(kind, data)


def value_at(text: str, at: int) -> tuple[object, int]:
    """Read the JSON that begins at a place in a text; return it as plain data, and where it ends.

    Raises:
        InvalidJson: there is no JSON.
    """
    import json  # noqa: PLC0415

    with _json_errors():
        return json.JSONDecoder(
            object_pairs_hook=_once_each, parse_constant=_no_number, parse_float=_finite
        ).raw_decode(text, at)


@contextmanager
def _json_errors() -> Iterator[None]:
    try:
        yield
    except PernoError:
        raise
    except (ValueError, RecursionError) as error:
        _refuse(f"not JSON: {error}")


@overload
def to_data(value: _Texts) -> str: ...
@overload
def to_data(value: Line) -> list[Data]: ...
@overload
def to_data(value: _Objects) -> dict[str, Data]: ...
def to_data(value: _Texts | Line | _Objects) -> Data:
    """Write a value as plain data, to be part of other JSON.

    Args:
        value: as for `to_json`.

    Raises:
        InvalidJson: it is something else.

    >>> to_data(Budget(seconds=2.5))
    {'states': None, 'seconds': 2.5, 'bytes': None}
    """
    if isinstance(value, tuple):
        return [str(move) for move in as_line(value)]
    write = _WRITERS.get(type(value))
    if write is None:
        _refuse(got(value, f"one of {', '.join(_names())}"))
    return write(value)


def from_data(kind: type[_T], data: object) -> _T:
    """Read a value from plain data, as Python's `json` gives it.

    Args:
        kind: what it is to be: the value's class, or `Line`.
        data: the data.

    Raises:
        InvalidJson: it is not that of such a value; the message says where in it, and what was expected.

    >>> from_data(Deal, ["JS", "5C"])
    Traceback (most recent call last):
        ...
    perno_solver.errors.InvalidJson: got ['JS', '5C'], expected a text
    """
    read = next((read for known, read in _READERS.items() if known == kind), None)
    if read is None:
        _refuse(got(kind, f"one of {', '.join(_names())} to read"))
    return cast(_T, read(data, ""))


def _names() -> list[str]:
    return ["Line" if kind == Line else kind.__name__ for kind in _READERS]


# Writing


def _write_state(state: State) -> Data:
    return _write_position(state, state.tableau, Suit)


def _write_table(table: Table) -> Data:
    return _write_position(table.state, table.cells, table.suits)


def _write_position(state: State, cells: Iterable[Cell], suits: Iterable[Suit]) -> Data:
    on = state.foundations
    return {
        "rules": str(state.rules),
        "base": RANKS[state.base - 1],
        "foundations": [str(state.card_at(suit, on[suit] - 1)) for suit in suits if on[suit]],
        "tableau": [[str(card) for card in cell] for cell in cells],
        **{name: [str(card) for card in getattr(state, name)] for name in _PILES},
        "redeals": state.redeals,
    }


def _write_budget(budget: Budget) -> Data:
    return {"states": budget.states, "seconds": budget.seconds, "bytes": budget.bytes}


def _write_statistics(statistics: Statistics) -> dict[str, Data]:
    counts: dict[str, Data] = {name: getattr(statistics, field) for name, field in _COUNTS.items()}
    return counts | {"seconds": statistics.seconds}


def _write_evidence(evidence: Evidence) -> Data:
    from base64 import b64encode  # noqa: PLC0415

    start = "position" if isinstance(evidence.start, State) else "deck"
    data: dict[str, Data] = {
        "verdict": evidence.verdict.value,
        start: str(evidence.start),
        "rules": str(evidence.rules),
    }
    if evidence.line is not None:
        return data | {"moves": to_data(evidence.line)}
    cites: list[Data] = [*_LEMMAS] if evidence.cites else []
    return data | {"keys": b64encode(evidence.keys or b"").decode(), "cites": cites}


def _write_result(result: Result) -> Data:
    moves = None if result.line is None else to_data(result.line)
    data: dict[str, Data] = {"verdict": result.verdict.value, "moves": moves, **_write_statistics(result.statistics)}
    if result.reason is not None:
        data["reason"] = result.reason
    if result.at_least is not None:
        data["at_least"] = result.at_least
    if result.evidence is not None:
        data["evidence"] = _write_evidence(result.evidence)
    return data


# Reading; `path` is where in the whole something lies, as in `evidence.moves[3]`


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _refuse(message: str, path: str = "") -> NoReturn:
    raise InvalidJson(f"{path}: {message}" if path else message) from None


def _object(data: object, path: str, needed: Iterable[str], also: Iterable[str] = ()) -> dict[str, object]:
    """Take an object that has all the names that it needs, and no others than those that it may have."""
    names = ", ".join(needed)
    if not isinstance(data, dict):
        _refuse(got(data, f"an object with {names}"), path)
    for name in needed:
        if name not in data:
            _refuse(f"{name} is missing, expected {names}", path)
    for name in data:
        if name not in {*needed, *also}:
            _refuse(f"{shown(name)} is not part of it, expected {names}", path)
    return data


def _list(data: object, path: str, expected: str) -> list[tuple[object, str]]:
    """Take a list: its items, each with its path."""
    if not isinstance(data, list):
        _refuse(got(data, expected), path)
    return [(item, f"{path}[{index}]") for index, item in enumerate(data)]


def _whole(data: object, path: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        _refuse(got(data, "a whole number from 0"), path)
    return data


def _seconds(data: object, path: str) -> float:
    if not isinstance(data, int | float) or isinstance(data, bool) or not 0 <= data < inf:
        _refuse(got(data, "a number of seconds"), path)
    return data


def _read(read: Callable[[str], _T], data: object, path: str) -> _T:
    """Read a text."""
    if not isinstance(data, str):
        _refuse(got(data, "a text"), path)
    try:
        return read(data)
    except PernoError as error:
        _refuse(str(error), path)


def _of_text(read: Callable[[str], _T]) -> Callable[[object, str], _T]:
    return lambda data, path: _read(read, data, path)


def _read_line(data: object, path: str) -> Line:
    return tuple(_read(Move.from_text, item, at) for item, at in _list(data, path, "a list of moves"))


def _read_cards(data: object, path: str) -> list[Card]:
    return [_read(Card.from_text, item, at) for item, at in _list(data, path, "a list of cards")]


def _read_table(data: object, path: str) -> Table:
    """Read the object, or a position's text; what it says is checked as the text that it comes to."""
    if isinstance(data, str):
        return _read(Table.from_text, data, path)
    found = _object(data, path, ("rules", "base", "foundations", "tableau", *_PILES, "redeals"))
    if found["base"] not in list(RANKS):
        _refuse(got(found["base"], f"one of {' '.join(RANKS)}"), _at(path, "base"))
    cells = [tuple(_read_cards(*cell)) for cell in _list(found["tableau"], _at(path, "tableau"), "a list of cells")]
    redeals = found["redeals"]
    block = write_block(
        {
            "rules": [_read(Rules.from_text, found["rules"], _at(path, "rules"))],
            "base": [found["base"]],
            "foundations": _read_cards(found["foundations"], _at(path, "foundations")),
            "tableau": cell_words(cells),
            **{name: _read_cards(found[name], _at(path, name)) for name in _PILES},
            "redeals": ["unlimited" if redeals is None else _whole(redeals, _at(path, "redeals"))],
        }
    )
    return _read(Table.from_text, block, path)


def _read_state(data: object, path: str) -> State:
    return _read_table(data, path).state


def _read_budget(data: object, path: str) -> Budget:
    found = _object(data, path, ("states", "seconds", "bytes"))
    try:
        return Budget(**cast(dict[str, Any], found))
    except PernoError as error:
        _refuse(str(error), path)


def _read_statistics(data: object, path: str) -> Statistics:
    found = _object(data, path, (*_COUNTS, "seconds"))
    counts = {field: _whole(found[name], _at(path, name)) for name, field in _COUNTS.items()}
    return Statistics(**counts, seconds=_seconds(found["seconds"], _at(path, "seconds")))


def _read_game(found: dict[str, object], path: str) -> tuple[Deal | State, Rules]:
    """Read the start of a game and its rules, from an object that may have other names, too."""
    name = "position" if "position" in found else "deck"
    found = _object({name: found[name] for name in _GAME[3:] if name in found}, path, (name, "rules"))
    rules = _read(Rules.from_text, found["rules"], _at(path, "rules"))
    if name == "deck":
        return _read(Deal.from_text, found[name], _at(path, name)), rules
    return _read(lambda text: State.from_text(text, rules), found[name], _at(path, name)), rules


def _read_evidence(data: object, path: str) -> Evidence:
    names = data if isinstance(data, dict) else {}
    start = "position" if "position" in names else "deck"
    proof = ("moves",) if "moves" in names else ("keys", "cites")
    found = _object(data, path, ("verdict", start, "rules", *proof))
    game = _read_game(found, path)
    if "moves" in found:
        evidence = Evidence(*game, _read_line(found["moves"], _at(path, "moves")))
    else:
        if found["cites"] not in ([], _LEMMAS):
            _refuse(got(found["cites"], f"[] or {_LEMMAS}"), _at(path, "cites"))
        read = _of_text(lambda text: Evidence(*game, keys=_unpacked(text), cites=found["cites"] == _LEMMAS))
        evidence = read(found["keys"], _at(path, "keys"))
    if found["verdict"] != evidence.verdict.value:
        _refuse(got(found["verdict"], f"{evidence.verdict.value!r}, by its {proof[0]}"), _at(path, "verdict"))
    return evidence


def _unpacked(text: str) -> bytes:
    """Read base64 that is spelled in its one way."""
    from base64 import b64decode, b64encode  # noqa: PLC0415

    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = b""
    if b64encode(data).decode() != text:
        _refuse(got(text, "base64"))
    return data


def _read_result(data: object, path: str) -> Result:
    found = _object(data, path, ("verdict", "moves", *_COUNTS, "seconds"), (*_GAME, "reason", "at_least", "evidence"))
    verdict = _read(Verdict, found["verdict"], _at(path, "verdict"))
    line = None if found["moves"] is None else _read_line(found["moves"], _at(path, "moves"))
    if (line is None) is (verdict is Verdict.WON):
        _refuse(f"{shown(found['moves'])} for a verdict of {verdict.value}", _at(path, "moves"))
    reason = _read(str, found["reason"], _at(path, "reason")) if "reason" in found else None
    evidence = _read_evidence(found["evidence"], _at(path, "evidence")) if "evidence" in found else None
    if evidence is not None and (evidence.verdict is not verdict or evidence.line != line):
        _refuse(f"{shown(evidence)} is not that of the verdict and its moves", _at(path, "evidence"))
    at_least = _whole(found["at_least"], _at(path, "at_least")) if "at_least" in found else None
    if at_least is not None and (line is None or at_least > len(line)):
        _refuse(f"{at_least} moves, and there is no such line", _at(path, "at_least"))
    for name in ("seed", "line"):
        _whole(found.get(name, 0), _at(path, name))
    _read(str, found.get("name", ""), _at(path, "name"))
    if {"deck", "position", "rules"} & found.keys():
        _read_game(found, path)
    statistics = _read_statistics({name: found[name] for name in (*_COUNTS, "seconds")}, path)
    return Result(verdict, line, evidence, statistics, reason, at_least)


_WRITERS: dict[type, Callable[[Any], Data]] = {
    **dict.fromkeys((Card, Move, Deal, Rules, View, Game), str),
    Verdict: lambda verdict: str(verdict.value),
    State: _write_state,
    Table: _write_table,
    Budget: _write_budget,
    Statistics: _write_statistics,
    Evidence: _write_evidence,
    Result: _write_result,
}

_READERS: dict[type, Callable[[object, str], object]] = {
    Card: _of_text(Card.from_text),
    Move: _of_text(Move.from_text),
    Deal: _of_text(Deal.from_text),
    Rules: _of_text(Rules.from_text),
    View: _of_text(View.from_text),
    Game: _of_text(Game.from_text),
    Verdict: _of_text(Verdict),
    Line: _read_line,
    State: _read_state,
    Table: _read_table,
    Budget: _read_budget,
    Statistics: _read_statistics,
    Evidence: _read_evidence,
    Result: _read_result,
}


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object that has a name twice, of which `json` would take the last."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        _refuse(f"{shown(twice)} is there twice in an object")
    return found


def _no_number(name: str) -> NoReturn:
    _refuse(f"not JSON: {name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        _refuse(f"the number {shown(text)} is too large")
    return number
