"""Games on record: as text both ways, and what is none."""

import pickle
import re
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import (
    PERNO,
    TURN,
    Card,
    Deal,
    Game,
    IllegalMove,
    InvalidChoice,
    InvalidDeal,
    InvalidMove,
    InvalidRecord,
    InvalidRules,
    InvalidState,
    State,
    View,
    parse_line,
    read_games,
)
from perno_solver.strategies import games

UNSEEN = (Path(__file__).parent / "data" / "table-unseen.txt").read_text(encoding="utf-8")
DEAL = Deal.from_seed(42)
START = State.start(DEAL)


@given(games())
def test_games_are_read_as_they_are_written(game):
    assert Game.from_text(str(game)) == game
    assert eval(repr(game)) == game  # noqa: S307 - it is the law
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301 - our own


@given(st.lists(games(), max_size=3))
def test_several_games_are_read_from_one_text(several):
    text = "# a file of games\n\n" + "\n".join(map(str, several))
    assert read_games(text) == tuple(several)
    assert read_games(text.replace("\n", "\r\n")) == tuple(several)


@given(games())
def test_games_are_read_as_people_write_them(game):
    text = re.sub("^(moves|rules|deck): ", lambda key: f" {key[1].upper()} :\n\n   ", str(game), flags=re.MULTILINE)
    if isinstance(game.start, Deal):  # the block of a position has its own reader
        assert Game.from_text(text.replace("game:", "Game :", 1)) == game
    name, start, *_ = re.split("^(?=rules: |# |moves: )", str(game), flags=re.MULTILINE)
    moves = ", ".join(map(str, game.moves))
    assert Game.from_text(f"{name}{start}moves: {moves}").moves == game.moves


RECORD = """\
game: rainy Sunday
rules: perno-packed
deck: 2H TS JC JS 2S KS 4C 9C 6D QS 4S 3H 3C 8D JD 5C 9D QD AS 6C 6S AH 7H AC 3D AD 7D KD TC 5S 8S 2C 7C 9H KC JH 8C \
TH 3S TD 5D 9S 6H QC 7S 8H 4D 2D QH 4H KH 5H
# the ace of spades begins
moves: T T
# two kinds of black six
# and nothing to be done
moves: T T
"""


def test_the_text_of_a_game():
    game = Game(
        Deal.from_seed(2),
        "perno-packed",
        "T T T T",
        name="rainy Sunday",
        comments=[
            (2, "two kinds of black six"),
            (2, "and nothing to be done"),
            (0, "the ace of spades begins"),
        ],
    )
    assert str(game) == RECORD
    assert Game.from_text(RECORD) == game
    assert (game.state(2).waste, game.state(), game.view(0)) == (
        tuple(map(Card.from_text, ("6C", "6S"))),
        game.state(4),
        View.of(State.start(Deal.from_seed(2), "perno-packed")),
    )


def test_a_game_from_a_position():
    position = Game(DEAL, moves="T T").state()
    game = Game(position, moves="T", name="later")
    assert str(game) == f"game: later\n{position}moves: T\n"
    assert Game.from_text(str(game).replace("stock: ", "stock:   # long\n\t")) == evolve(game, comments=[(0, "long")])
    assert game.view(0) == View.of(position)  # what was seen before it began is not known


def test_comments_stand_where_they_are_written():
    deck = f"deck: {DEAL}"
    text = f"# mine\n\ngame: a # b\n{deck} # c\nmoves: T # d\n #e\n  T\n#\n#  \nrules:perno#f\nmoves:\n T T ## g"
    game = Game.from_text(text)
    assert (game.name, game.moves) == ("a # b", parse_line("T T T T"))
    assert game.comments == ((0, "c"), (1, "d"), (1, "e"), (2, "f"), (4, "# g"))


def test_long_lines_are_broken():
    game = Game(DEAL, moves="T " * 33 + "R " + "T " * 33)
    assert max(map(len, str(game).splitlines()[3:])) <= 107
    assert Game.from_text(str(game)) == game


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("", InvalidRecord, "0 games, expected one"),
        ("# nothing\n", InvalidRecord, "0 games, expected one"),
        (f"deck: {DEAL}", InvalidRecord, "line 1: 'deck: "),
        (f"# mine\n\nhello\ngame: a\ndeck: {DEAL}", InvalidRecord, "line 3: 'hello', expected a game to begin with"),
        ("game: a", InvalidRecord, "the game has no beginning, expected `deck:` or the lines of a position"),
        ("game: a\nmoves: T", InvalidRecord, "the game has no beginning"),
        ("game: a\nrules: perno", InvalidState, "the position has no line for base, "),
        (f"game: a\ndeck: {DEAL}\ndeck: {DEAL}", InvalidRecord, "'deck: "),
        (f"game: a\nrules: perno\nrules: perno\ndeck: {DEAL}", InvalidRecord, "'rules: perno', expected one `deck:`"),
        (f"game: a\ndeck: {DEAL}\nmove: T", InvalidRecord, "'move: T', expected one `deck:`"),
        (f"game: a\ndeck: {DEAL}\nT T", InvalidRecord, "'T T', expected one `deck:`"),
        (f"game: a\ndeck: {DEAL}\nseed: 42", InvalidRecord, "'seed: 42', expected one `deck:`"),
        (f"game: a\n{START}deck: {DEAL}", InvalidRecord, "'base: 5', expected one `deck:`"),
        (f"game: a\n{START}\nstock: AS", InvalidState, "line 11: stock is given twice"),
        (f"game: a\n{START}\nseed: 3", InvalidState, "line 11: 'seed: 3' is not part of a position"),
        (f"game: a\n{UNSEEN}", InvalidState, "pivot: card 1: '?' is not a card"),
        ("game: a\nseed: 3", InvalidState, "line 2: 'seed: 3' is not part of a position"),
        ("game: a\ndeck: AS", InvalidDeal, "expected 52 different cards, got 1"),
        ("game: a\ndeck:", InvalidDeal, "expected 52 different cards, got 0"),
        (f"game: a\nrules: bridge\ndeck: {DEAL}", InvalidRules, "'bridge' is not a reading"),
        (f"game: a\nrules:\ndeck: {DEAL}", InvalidRules, "'' is not a reading"),
        (f"game: a\ndeck: {DEAL}\nmoves: T\nmoves: X", InvalidMove, "move 2: 'X' is not a move"),
        (f"game: a\ndeck: {DEAL}\nmoves: T R", IllegalMove, "move 2: R is not legal: the stock is not empty"),
        (f"game: a\ndeck: {DEAL}\ngame: b\ndeck: {DEAL}", InvalidRecord, "2 games, expected one"),
        (f"game: a\ndeck: {DEAL}\ngame: b\ndeck: {DEAL}\nmoves: R", IllegalMove, "game 2: move 1: R is not legal"),
        (f"game: a\ndeck: {DEAL}\ngame: b\n{START}\nx", InvalidState, "game 2: line 13: 'x' is not part of a position"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(text, error, why):
    with pytest.raises(error, match=f"^{re.escape(why)}") as refused:
        Game.from_text(text)
    assert type(refused.value) is error


LINE_ENDS = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("text", [3, None, b"a", " a", "a ", "\ta", "a\u3000", *(f"a{end}b" for end in LINE_ENDS)])
def test_names_and_comments_are_lines_of_text(text):
    for wrong in ({"name": text}, {"comments": [(0, text)]}):
        with pytest.raises(InvalidRecord, match=r"^got .*, expected the name or a comment as one line of text$"):
            Game(DEAL, **wrong)


@pytest.mark.parametrize("at", [-1, 3, True, 0.0, "0", None, 10**100])
def test_comments_come_after_moves_that_there_are(at):
    with pytest.raises(InvalidRecord, match=r"^a comment after .* moves, expected a text after at most 2$"):
        Game(DEAL, moves="T T", comments=[(at, "x")])


@pytest.mark.parametrize("comments", [5, [5], "ab", [(0,)], [(0, "a", "b")], {0: "a"}, [(0, "")]])
def test_comments_are_pairs(comments):
    with pytest.raises(InvalidRecord, match=r"expected (comments as pairs|a text after)"):
        Game(DEAL, comments=comments)


def test_comments_are_told_apart_by_type_before_they_are_sorted():
    with pytest.raises(InvalidRecord, match=r"expected comments as pairs"):
        Game(DEAL, moves="T", comments=[(0, "a"), ("1", "b")])


@pytest.mark.parametrize("at", [-1, 3, True, 1.0, "1"])
def test_a_game_is_looked_at_after_moves_that_there_are(at):
    game = Game(DEAL, moves="T T")
    for look in (game.state, game.view):
        with pytest.raises(InvalidChoice, match=r"^after .* moves, expected 0 to 2$"):
            look(at)


@pytest.mark.parametrize("seen", ["", "Table", None, 0, "everything"])
def test_there_are_three_kinds_of_knowledge(seen):
    with pytest.raises(InvalidChoice, match=r"expected one of 'remembered', 'table', 'all'$"):
        Game(DEAL).view(seen=seen)


def test_a_game_takes_texts_for_values():
    game = Game(DEAL, PERNO, (TURN, TURN))
    assert Game(str(DEAL), "perno", "T T") == game == Game(DEAL, moves=["T", "t"])
    assert hash(Game(str(DEAL), "perno", "T T")) == hash(game)
    assert Game(str(START)) == Game(START)
