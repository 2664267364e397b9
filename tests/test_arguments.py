"""Texts are taken where values are, and what is neither is refused in words, by every public callable."""

import inspect
import io
import re
from collections.abc import Iterator
from itertools import islice

import pytest

import perno_solver
from perno_solver import (
    PERNO,
    TURN,
    Budget,
    Card,
    Codec,
    Deal,
    Engine,
    Evidence,
    Game,
    Move,
    MoveKind,
    Objective,
    PernoError,
    Rules,
    Seen,
    State,
    Suit,
    Table,
    Verdict,
    View,
    annotate,
    check,
    from_data,
    from_json,
    hint,
    level,
    line_text,
    odds,
    odds_in_steps,
    parse_line,
    picture,
    play_out,
    read_games,
    replay,
    solve,
    to_data,
    to_json,
)
from perno_solver.show.words import followed, in_words
from perno_solver.solve import players
from perno_solver.survey import compare, seeds_with, survey
from perno_solver.survey.chunks import decide

ODD = {
    "None": None,
    "a number": 42,
    "a text": "x",
    "bytes": b"",
    "an object": object(),
    "a list": [],
    "a fraction": 1.5,
    "a class": dict,
    "a long number": 10**100,
}

DEAL = Deal.from_seed(2)
START = State.start(DEAL)
CODEC = Codec.of(DEAL)
WON, LOST = solve(DEAL).evidence, solve(Deal.from_seed(1)).evidence
GAME = {"start": DEAL, "rules": PERNO}
FIELDS = {name: getattr(PERNO, name) for name in inspect.signature(Rules).parameters}
STATE = {name: getattr(START, name) for name in inspect.signature(State).parameters}
TABLE = Table.of(DEAL)
RECORD = Game(DEAL, PERNO, "T T")
VIEW = View.of(START)
COMPARED = compare(["perno", "perno-tens"], range(9))
with io.BytesIO() as file:
    WON.write(file)
    FILE = file.getvalue()


def checked_state(**fields):
    """Make a state and check it: the constructor looks at types, and `check` at the rest."""
    State(**fields).check()


CALLS = {  # by name: the callable, arguments that are right, and which odd ones are right, too
    "Budget": (
        Budget,
        {"states": 1, "seconds": 1.0, "bytes": 1},
        {
            "states": {"None", "a number", "a long number"},
            "seconds": {"None", "a number", "a fraction", "a long number"},
            "bytes": {"None", "a number", "a long number"},
        },
    ),
    "Card": (Card, {"suit": Suit.CLUBS, "rank": 1}, {}),
    "Card.from_text": (Card.from_text, {"text": "7S"}, {}),
    "Codec": (Codec, {"deck": DEAL, "rules": PERNO, "base": 1}, {}),
    "Codec.decode": (CODEC.decode, {"key": CODEC.encode(START)}, {}),
    "Codec.encode": (CODEC.encode, {"state": START}, {}),
    "Codec.of": (Codec.of, GAME, {"rules": {"None"}}),
    "Deal": (Deal, {"cards": DEAL.cards}, {}),
    "Deal.from_seed": (Deal.from_seed, {"seed": 1}, {"seed": {"a number"}}),
    "Deal.from_text": (Deal.from_text, {"text": str(DEAL)}, {}),
    "Engine": (Engine, {"value": "kernel"}, {}),
    "Evidence": (
        Evidence,
        {**GAME, "line": None, "keys": LOST.keys, "cites": True},
        {
            "line": {"None"},
            "keys": {"bytes"},
        },
    ),
    "Evidence.read": (Evidence.read, {"file": io.BytesIO(FILE)}, {}),
    "Evidence.write": (WON.write, {"file": io.BytesIO()}, {}),
    "Evidence.of_loss": (
        Evidence.of_loss,
        {**GAME, "keys": LOST.keys, "cites": True},
        {
            "rules": {"None"},
            "keys": {"bytes"},
        },
    ),
    "Evidence.of_win": (Evidence.of_win, {**GAME, "line": WON.line}, {"rules": {"None"}, "line": {"a list"}}),
    "Game": (
        Game,
        {**GAME, "moves": "T", "name": "x", "comments": [(0, "x")]},
        {"rules": {"None"}, "moves": {"a list"}, "name": {"a text"}, "comments": {"a list", "bytes"}},
    ),
    "Game.from_text": (Game.from_text, {"text": str(RECORD)}, {}),
    "Game.state": (RECORD.state, {"at": 1}, {"at": {"None"}}),
    "Game.view": (RECORD.view, {"at": 1, "seen": "table"}, {"at": {"None"}}),
    "Move": (Move, {"kind": MoveKind.FOUNDATION, "card": DEAL.cards[0]}, {}),
    "Move.from_text": (Move.from_text, {"text": "F:7S"}, {}),
    "MoveKind": (MoveKind, {"value": "F"}, {}),
    "Objective": (Objective, {"value": "any"}, {}),
    "Rules": (
        Rules,
        FIELDS,
        {
            "pack_from": {"a list"},
            "redeals": {"None", "a number"},
        },
    ),
    "Rules.from_text": (Rules.from_text, {"text": "perno"}, {}),
    "Seen": (Seen, {"value": "table"}, {}),
    "State": (checked_state, STATE, {"waste": {"bytes", "a list"}}),
    "State.card_at": (
        START.card_at,
        {"suit": Suit.CLUBS, "step": 0},
        {"step": {"a number", "a long number"}},
    ),
    "State.from_text": (State.from_text, {"text": str(START), "rules": PERNO}, {"rules": {"None"}}),
    "State.play": (START.play, {"move": TURN}, {}),
    "State.start": (State.start, {"deal": DEAL, "rules": PERNO}, {}),
    "State.step": (START.step, {"card": DEAL.cards[0]}, {}),
    "State.neighbour": (START.neighbour, {"card": DEAL.cards[0]}, {}),
    "Table": (Table, {"state": TABLE.state, "cells": TABLE.cells, "suits": TABLE.suits}, {}),
    "Table.drawn": (TABLE.drawn, {"columns": 40}, {"columns": {"a number", "a long number"}}),
    "Table.from_text": (Table.from_text, {"text": str(START), "rules": PERNO}, {"rules": {"None"}}),
    "Table.of": (Table.of, GAME, {"rules": {"None"}}),
    "Table.play": (TABLE.play, {"move": TURN}, {}),
    "Verdict": (Verdict, {"value": "won"}, {}),
    "View": (View, {"world": START, "unseen": {START.pivot[0], START.stock[0]}}, {"unseen": {"a list", "bytes"}}),
    "View.from_text": (View.from_text, {"text": str(VIEW), "rules": PERNO}, {"rules": {"None"}}),
    "View.lay": (VIEW.lay, {"cards": sorted(VIEW.unseen)}, {}),
    "View.of": (View.of, {"state": START, "seen": START.pivot}, {"seen": {"a list", "bytes", "a text"}}),
    "annotate": (
        annotate,
        {**GAME, "line": "T", "budget": Budget(), "cancel": None},
        {"rules": {"None"}, "line": {"a list"}, "cancel": {"None"}},
    ),
    "check": (check, {"evidence": WON}, {}),
    "from_data": (from_data, {"kind": Card, "data": "7S"}, {}),
    "from_json": (from_json, {"kind": Card, "text": '"7S"'}, {}),
    "hint": (
        hint,
        {"view": VIEW, "worlds": 1, "enough": 1, "seed": 1, "budget": Budget(), "cancel": None},
        {"worlds": {"a number"}, "enough": {"None", "a number"}, "seed": {"a number"}, "cancel": {"None"}},
    ),
    "level": (level, {**GAME, "budget": Budget()}, {"rules": {"None"}}),
    "odds": (
        odds,
        {"view": VIEW, "worlds": 1, "enough": 1, "seed": 1, "budget": Budget(), "cancel": None},
        {"worlds": {"a number"}, "enough": {"None", "a number"}, "seed": {"a number"}, "cancel": {"None"}},
    ),
    "odds_in_steps": (
        odds_in_steps,
        {"view": VIEW, "worlds": 1, "enough": 1, "seed": 1, "budget": Budget(), "cancel": None},
        {"worlds": {"a number"}, "enough": {"None", "a number"}, "seed": {"a number"}, "cancel": {"None"}},
    ),
    "picture": (
        picture,
        {"shown": TABLE, "highlight": "T", "card_width": 60, "lang": "it"},
        {"highlight": {"None"}, "card_width": {"a number", "a fraction", "a long number"}},
    ),
    "play_out": (
        play_out,
        {**GAME, "player": players.careful, "seen": "table"},
        {"rules": {"None"}, "player": {"a class"}},
    ),
    "line_text": (line_text, {"line": [TURN]}, {"line": {"a list"}}),
    "parse_line": (parse_line, {"text": "T"}, {}),
    "read_games": (read_games, {"text": str(RECORD)}, {}),
    "replay": (
        replay,
        {"game": RECORD, "table": TABLE, "verdicts": None, "lang": "it"},
        {"table": {"None"}, "verdicts": {"None"}, "lang": {"None"}},
    ),
    "solve": (
        solve,
        {**GAME, "objective": "any", "budget": Budget(), "on_progress": None, "cancel": None, "engine": "kernel"},
        {"rules": {"None"}, "on_progress": {"None", "a class"}, "cancel": {"None"}},
    ),
    "to_data": (to_data, {"value": DEAL}, {}),
    "to_json": (to_json, {"value": DEAL}, {}),
}

INNER = {  # what the package offers by other names than its own
    "Chunk.seeds_with": (decide(PERNO, range(9)).seeds_with, {"verdict": "won"}, {}),
    "Comparison.differing": (COMPARED.differing, {"first": "perno", "second": "perno-tens"}, {}),
    "Comparison.pair": (COMPARED.pair, {"first": "perno", "second": "perno-tens"}, {}),
    "compare": (compare, {"readings": ["perno"], "seeds": range(2)}, {"readings": {"bytes", "a list"}}),
    "followed": (followed, {"table": TABLE, "line": "T"}, {"line": {"a list"}}),
    "in_words": (in_words, {"before": START, "move": TURN, "after": START.play(TURN)}, {}),
    "seeds_with": (seeds_with, {"verdict": "won", "rules": "perno", "seeds": range(20)}, {}),
    "survey": (
        survey,
        {"rules": "perno", "seeds": range(2), "executor": None, "jobs": 1, "store": None},
        {"executor": {"None"}, "jobs": {"None", "a number", "a long number"}, "store": {"None"}},
    ),
}

LEFT_OUT = {
    "Build": "as other choices",
    "EngineInfo": "an answer",
    "Hint": "an answer",
    "Level": "as other choices",
    "Odds": "an answer",
    "Place": "as other choices",
    "Reform": "as other choices",
    "Result": "an answer",
    "Share": "an answer",
    "Statistics": "an answer",
    "Suit": "a number of Python's, which says itself what it is not",
    "Turning": "as other choices",
}


def public_callables():
    """List what the package offers to call with arguments: functions, constructors, and methods."""
    for name in perno_solver.__all__:
        offered = getattr(perno_solver, name)
        if isinstance(offered, type) and not issubclass(offered, PernoError):
            yield name
            for method in vars(offered):
                function = getattr(offered, method)
                own = not method.startswith("_") and inspect.isroutine(function)
                if own and set(inspect.signature(function).parameters) - {"self"}:
                    yield f"{name}.{method}"
        elif inspect.isfunction(offered) and inspect.signature(offered).parameters:
            yield name


def test_none_is_left_out_unsaid():
    assert set(public_callables()) == set(CALLS) | set(LEFT_OUT)
    assert not set(CALLS) & set(LEFT_OUT)


@pytest.mark.parametrize("name", CALLS | INNER)
def test_right_arguments_are_taken(name):
    call, right, _ = (CALLS | INNER)[name]
    consume(call(*right.values()) if set(right) == {"value"} else call(**right))


@pytest.mark.parametrize(
    ("name", "argument"), [(name, argument) for name, (_, right, _) in (CALLS | INNER).items() for argument in right]
)
def test_wrong_arguments_are_refused_in_words(name, argument):
    call, right, taken = (CALLS | INNER)[name]
    for odd in ODD.keys() - taken.get(argument, set()):
        arguments = right | {argument: ODD[odd]}
        with pytest.raises(PernoError) as refused:
            consume(call(*arguments.values()) if set(right) == {"value"} else call(**arguments))
        assert 10 < len(str(refused.value)) < 500, odd
        assert re.search("[Ee]xpect|needs a card", str(refused.value)), odd


def consume(answer):
    """Take the first few of what a generator yields."""
    if isinstance(answer, Iterator):
        list(islice(answer, 3))


@pytest.mark.parametrize(
    ("with_values", "with_texts"),
    [
        (lambda: State.start(DEAL, Rules(redeals=1)), lambda: State.start(str(DEAL), "perno,redeals=1")),
        (lambda: START.play(TURN), lambda: START.play("T")),
        (lambda: START.step(Card.from_text("7S")), lambda: START.step("7S")),
        (lambda: annotate(DEAL, (TURN, TURN)), lambda: annotate(str(DEAL), "T T", rules="perno")),
        (lambda: annotate(START, [TURN, TURN]), lambda: annotate(str(START), ["T", "t"])),
        (lambda: solve(DEAL).line, lambda: solve(str(DEAL), rules="perno").line),
        (lambda: solve(START).evidence, lambda: solve(str(START)).evidence),
        (lambda: Codec.of(DEAL, PERNO), lambda: Codec.of(str(DEAL), "perno")),
        (lambda: Codec.of(START), lambda: Codec.of(str(START))),
        (lambda: Evidence.of_win(DEAL, PERNO, WON.line), lambda: Evidence.of_win(str(DEAL), None, line_text(WON.line))),
        (lambda: LOST, lambda: Evidence.of_loss(str(LOST.start), "perno", LOST.keys, cites=LOST.cites)),
        (lambda: Table.of(DEAL).play(TURN), lambda: Table.of(str(DEAL), "perno").play("T")),
        (lambda: followed(TABLE, (TURN,)), lambda: followed(TABLE, "T")),
        (lambda: line_text((TURN,)), lambda: line_text("t")),
        (
            lambda: solve(DEAL, objective=Objective.MOVES, engine=Engine.KERNEL).line,
            lambda: solve(DEAL, objective="moves", engine="kernel").line,
        ),
    ],
)
def test_texts_are_taken_where_values_are(with_values, with_texts):
    assert with_values() == with_texts()


def test_a_seed_is_not_a_deal_but_there_is_one_of_it():
    with pytest.raises(PernoError, match=r"got 42, .*; the deal of a seed is Deal\.from_seed"):
        solve(42)


def test_values_are_cut_to_a_readable_length():
    for seed in (10**100, 10**5000, [0] * 1000):  # the second one has too many digits for Python to write
        with pytest.raises(PernoError, match=r"seed .{5,80} is out of range: "):
            Deal.from_seed(seed)


@pytest.mark.parametrize("take", [solve, Codec.of, Table.of, lambda start, rules: annotate(start, "", rules=rules)])
@pytest.mark.parametrize("start", [START, str(START)], ids=["value", "text"])
def test_a_position_has_its_own_rules(take, start):
    with pytest.raises(PernoError, match="the position is under the rules perno, but eagle-wing was asked for"):
        take(start, rules="eagle-wing")


@pytest.mark.parametrize("value", [Card.from_text("TH"), Move.from_text("F:TH"), TURN, PERNO, Rules(redeals=0)])
def test_what_stands_in_columns_formats_to_a_width(value):
    for spec in ("", "30", ">30", "^7", "*<40"):
        assert f"{value:{spec}}" == f"{value!s:{spec}}"
