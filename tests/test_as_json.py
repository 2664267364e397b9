"""JSON both ways: what is written is read, one form of each value is pinned, and whatever else is read is refused."""

import json
import pickle
from copy import deepcopy
from functools import reduce

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import (
    PERNO,
    TURN,
    Budget,
    Card,
    Deal,
    Evidence,
    Game,
    InvalidJson,
    Line,
    Move,
    Result,
    Rules,
    State,
    Statistics,
    Table,
    Verdict,
    View,
    check,
    from_data,
    from_json,
    parse_line,
    solve,
    to_data,
    to_json,
)
from perno_solver.cli import main
from perno_solver.strategies import cards, deals, lines, rules, states

END = """\
rules: perno-packed
base: K
foundations: 3H AS 4C 2D
tableau: 3C - AD AC/2C 2H
pivot:
stock:
waste: AH
redeals: 2
"""
WON = solve(END)
FEWEST = solve(END, objective="moves")
LOST = solve(Deal.from_seed(1))
UNKNOWN = solve(Deal.from_seed(1), budget=Budget(states=10), engine="readable")
MIDDLE = solve(State.start(Deal.from_seed(1), "perno-obliged"), engine="readable")  # lost, citing nothing

tables = lines().map(lambda game: reduce(Table.play, game[1], Table.of(game[0])))
counts = st.integers(0, 10**30)
statistics = st.builds(Statistics, counts, counts, counts, counts, st.floats(0, 1e9))
limits = st.none() | st.integers(1, 10**30)
values = st.one_of(
    cards(),
    deals(),
    rules(),
    states(),
    tables,
    statistics,
    lines().map(lambda game: game[1]),
    lines().map(lambda game: game[1]).filter(bool).map(lambda line: line[-1]),
    states().map(View.of),
    lines().map(lambda game: Game(game[0], moves=game[1], name="one", comments=[(0, "so it begins")])),
    st.sampled_from(Verdict),
    st.builds(Budget, limits, st.none() | st.floats(1e-9, 1e9), limits),
    st.builds(
        evolve,
        st.sampled_from([WON, FEWEST, LOST, UNKNOWN, MIDDLE]),
        statistics=statistics,
        reason=st.none() | st.text(),
    ),
    st.sampled_from([WON.evidence, LOST.evidence, MIDDLE.evidence]),
)


def kind_of(value):
    return Line if isinstance(value, tuple) else type(value)


@given(values)
def test_what_is_written_is_read(value):
    text = to_json(value)
    assert from_json(kind_of(value), text) == value
    assert from_json(kind_of(value), text.encode()) == value
    assert from_data(kind_of(value), to_data(value)) == value
    assert json.loads(text) == to_data(value)
    assert "\n" not in text


@given(values)
def test_pickles_are_read_as_they_are_written(value):
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301


def test_every_kind_of_answer_is_among_them():
    assert [result.verdict.value for result in (WON, LOST, UNKNOWN, MIDDLE)] == ["won", "lost", "unknown", "lost"]
    assert [result.evidence and result.evidence.cites for result in (WON, LOST, UNKNOWN, MIDDLE)] == [
        False,
        True,
        None,
        False,
    ]
    check(MIDDLE.evidence)


TEXT = "KC AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD "
TEXT += "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
POSITION = (
    '{"rules": "perno-packed", "base": "K", "foundations": %s, "tableau": %s, '
    '"pivot": [], "stock": [], "waste": ["AH"], "redeals": 2}'
)
COUNTS = '"states": 5, "generated": 7, "duplicates": 3, "depth": 2, "seconds": 0.25'
DID = Statistics(5, 7, 3, 2, 0.25)
LINE = parse_line("F:7S R P:2C")
NO_KEYS = f'{{"verdict": "lost", "deck": "{TEXT}", "rules": "perno", "keys": "", "cites": []}}'
KEYS = bytes(range(16))
BLOCK = json.dumps(str(State.from_text(END)))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Card.from_text("TH"), '"TH"'),
        (Move.from_text("F:TH"), '"F:TH"'),
        (LINE, '["F:7S", "R", "P:2C"]'),
        (Deal.from_text(TEXT), f'"{TEXT}"'),
        (Rules(redeals=None), '"perno,redeals=unlimited"'),
        (Game(Deal.from_text(TEXT), moves="T"), json.dumps(str(Game(TEXT, moves="T")))),
        (View.of(State.start(TEXT)), json.dumps(str(View.of(State.start(TEXT))))),
        (Verdict.LOST, '"lost"'),
        (
            State.from_text(END),
            POSITION % ('["4C", "2D", "3H", "AS"]', '[["AC", "2C"], ["3C"], ["AD"], ["2H"]]'),
        ),
        (
            Table.from_text(END),
            POSITION % ('["3H", "AS", "4C", "2D"]', '[["3C"], [], ["AD"], ["AC", "2C"], ["2H"], [], [], []]'),
        ),
        (Budget(seconds=0.5), '{"states": null, "seconds": 0.5, "bytes": null}'),
        (DID, f"{{{COUNTS}}}"),
        (
            Evidence.of_win(TEXT, "perno", LINE),
            f'{{"verdict": "won", "deck": "{TEXT}", "rules": "perno", "moves": ["F:7S", "R", "P:2C"]}}',
        ),
        (
            Evidence.of_loss(TEXT, "perno", KEYS, cites=True),
            NO_KEYS.replace('""', '"AAECAwQFBgcICQoLDA0ODw=="').replace("[]", '["play", "greedy"]'),
        ),
        (
            Evidence.of_loss(END, None, b""),
            f'{{"verdict": "lost", "position": {BLOCK}, "rules": "perno-packed", "keys": "", "cites": []}}',
        ),
        (Result(Verdict.WON, (TURN,), None, DID), f'{{"verdict": "won", "moves": ["T"], {COUNTS}}}'),
        (
            Result(Verdict.UNKNOWN, None, None, DID, "so it is"),
            f'{{"verdict": "unknown", "moves": null, {COUNTS}, "reason": "so it is"}}',
        ),
        (
            Result(Verdict.LOST, None, Evidence.of_loss(TEXT, PERNO, b""), DID),
            f'{{"verdict": "lost", "moves": null, {COUNTS}, "evidence": {NO_KEYS}}}',
        ),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value).__name__,
)
def test_the_form_of_each_value(value, text):
    assert to_json(value) == text
    assert from_json(kind_of(value), text) == value


def test_a_positions_text_will_do_for_it():
    assert from_data(State, END) == State.from_text(END)
    assert from_data(Table, END) == Table.from_text(END)


def places(data, path=()):
    """List where something lies in plain data."""
    yield path
    for name, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(item, (*path, name))


ODD = [None, True, False, 0, -1, 42, 1.5, 1e300, float("inf"), "", "x", "7S", "T", [], ["T"], {}, {"verdict": "won"}]


@given(st.data(), values.filter(lambda value: not isinstance(value, State)))
def test_whatever_is_changed_is_refused_or_read_as_it_says(data, value):
    written = to_data(value)
    *inner, last = data.draw(st.sampled_from([path for path in places(written) if path] or [("all",)]))
    changed = {"all": deepcopy(written)} if last == "all" else deepcopy(written)
    at = reduce(lambda outer, name: outer[name], inner, changed)
    what = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if what == "replace" or (what == "add" and isinstance(at, list)):
        at[last] = data.draw(st.sampled_from(ODD))
    elif what == "remove":
        del at[last]
    else:
        at["more"] = data.draw(st.sampled_from(ODD))
    changed = changed["all"] if "all" in changed and len(changed) == 1 else changed
    try:
        read = from_data(kind_of(value), changed)
    except InvalidJson:
        return
    assert to_data(read) == changed


RESULT, TABLE = to_data(LOST), to_data(Table.from_text(END))


def result_of(**changes):
    """Change what the result's evidence says."""
    return RESULT | {"evidence": RESULT["evidence"] | changes}


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (Card, 7, "got 7, expected a text"),
        (Card, "7X", "'7X' is not a card"),
        (Line, "T T", "got 'T T', expected a list of moves"),
        (Line, ["T", "X"], "[1]: 'X' is not a move"),
        (Deal, "7S", "expected 52 different cards"),
        (Verdict, "perhaps", "verdict 'perhaps': expected one of 'won', 'lost', 'unknown'"),
        (Budget, {"states": None, "seconds": None}, "bytes is missing, expected states, seconds, bytes"),
        (Budget, {"states": 0, "seconds": None, "bytes": None}, "budget: states is 0, expected a positive"),
        (State, 5, "got 5, expected an object with rules, base"),
        (State, TABLE | {"more": 1}, "'more' is not part of it, expected rules, base"),
        (State, TABLE | {"base": "king"}, "base: got 'king', expected one of A 2"),
        (State, TABLE | {"rules": 1}, "rules: got 1, expected a text"),
        (State, TABLE | {"tableau": "7S"}, "tableau: got '7S', expected a list of cells"),
        (State, TABLE | {"tableau": [["7S"], ["X"]]}, "tableau[1][0]: 'X' is not a card"),
        (State, TABLE | {"tableau": [[]] * 9}, "tableau: 9 cells, expected at most 8"),
        (State, TABLE | {"waste": ["AH AS"]}, "waste[0]: 'AH AS' is not a card"),
        (State, TABLE | {"waste": []}, "expected 52 different cards, got 51: AH missing"),
        (State, TABLE | {"redeals": True}, "redeals: got True, expected a whole number"),
        (State, TABLE | {"redeals": 3}, "3 redeals left, expected 0 to 2"),
        (Result, RESULT | {"states": 1.0}, "states: got 1.0, expected a whole number from 0"),
        (Result, RESULT | {"seconds": "1"}, "seconds: got '1', expected a number of seconds"),
        (Result, RESULT | {"verdict": "won"}, "moves: None for a verdict of won"),
        (Result, RESULT | {"moves": ["T"]}, "moves: ['T'] for a verdict of lost"),
        (Result, RESULT | {"reason": 1}, "reason: got 1, expected a text"),
        (Result, RESULT | {"at_least": 7}, "at_least: 7 moves, and there is no such line"),
        (Result, to_data(FEWEST) | {"at_least": 99}, "at_least: 99 moves, and there is no such line"),
        (Result, RESULT | {"seed": -1}, "seed: got -1, expected a whole number from 0"),
        (Result, RESULT | {"deck": TEXT}, "rules is missing, expected deck, rules"),
        (Result, RESULT | {"position": TEXT, "rules": "perno"}, "position: line 1: "),
        (Result, RESULT | {"deck": TEXT[3:], "rules": "perno"}, "deck: expected 52 different cards"),
        (Result, RESULT | {"evidence": None}, "evidence: got None, expected an object with verdict, deck, rules, keys"),
        (Result, RESULT | {"evidence": to_data(WON.evidence)}, "evidence: <Evidence won: "),
        (Result, result_of(keys="A"), "evidence.keys: got 'A', expected base64"),
        (Result, result_of(keys="AB=="), "evidence.keys: got 'AB==', expected base64"),
        (Result, result_of(keys="AA=="), "evidence.keys: 1 bytes of keys, expected"),
        (
            Result,
            result_of(cites="play"),
            "evidence.cites: got 'play', expected [] or",
        ),
        (
            Result,
            result_of(verdict="won"),
            "evidence.verdict: got 'won', expected 'lost', by its keys",
        ),
        (int, 5, "expected one of Card, Move, Deal, Rules, View, Game, Verdict, Line, State, "),
        ([], 5, "expected one of Card, Move, "),
    ],
)
def test_what_is_wrong_is_said_with_where_it_is(kind, data, message):
    with pytest.raises(InvalidJson) as refused:
        from_data(kind, data)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: "),
        ("{", "not JSON: "),
        (b"\xff", "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ("1" * 5_000, "not JSON: "),
        ("NaN", "not JSON: NaN is not a number"),
        ('{"seconds": Infinity}', "not JSON: Infinity is not a number"),
        ('{"seconds": 1e999}', "the number '1e999' is too large"),
        ('{"states": 1, "seconds": 2.5, "states": 1}', "'states' is there twice in an object"),
        (5, "got 5, expected JSON as text"),
        (None, "got None, expected JSON as text"),
    ],
)
def test_what_is_not_json(text, message):
    with pytest.raises(InvalidJson) as refused:
        from_json(Budget, text)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("value", [42, "7S", None, [TURN], object(), Budget, {}])
def test_what_is_no_value_of_the_package_is_not_written(value):
    with pytest.raises(InvalidJson, match="expected one of Card, Move, "):
        to_json(value)


def test_a_number_that_json_has_not_is_not_written():
    with pytest.raises(InvalidJson, match="cannot be said in JSON"):
        to_json(Budget(seconds=float("inf")))


@pytest.mark.parametrize(
    "source", [("--seeds", "0:3"), ("--deck", TEXT), ("--file", "-"), ("--seed", "1", "--max-states", "1")]
)
def test_the_command_prints_what_is_read(source):
    printed = CliRunner().invoke(main, ["solve", "--json", *source], input=END).stdout.splitlines()
    for line in printed:
        result = from_json(Result, line)
        assert set(to_data(result)) <= set(json.loads(line))
        assert json.loads(line).items() >= to_data(result).items()
    assert len(printed) == (3 if source[0] == "--seeds" else 1)
