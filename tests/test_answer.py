"""What the page is told: of the game all that a player knows, and of the cards that nobody has seen nothing."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perno_solver import CARDS, READINGS, Deal, Game, Level, Verdict, annotate, level, play_out, solve
from perno_solver import strategies as perno
from perno_solver.game.view import face_up
from perno_solver.show.texts import card_name
from perno_solver.solve.players import greedy
from perno_solver.web.advice import PLAIN, Effort
from perno_solver.web.answer import _ANSWERS, answer
from perno_solver.web.kept import MOST_MOVES, Kept, read, summary

LITTLE = Effort(states=200, worlds=6, enough=2, review=1, deals=3000, seconds=600)


class Desk:
    """Asks as the page does."""

    def __init__(self, game="", effort=LITTLE, **games):
        self.games = {"g": game} if game else games
        self.effort = effort

    def all(self, do, **message):
        message.setdefault("game", "g")
        return [json.loads(text) for text in answer(json.dumps({"do": do, **message}), self.games, self.effort)]

    def __call__(self, do, **message):
        return self.all(do, **message)[-1]


def desk(seed=2, moves="", rules="perno", **fields):
    return Desk(str(Game(Deal.from_seed(seed), rules, moves, **fields)))


GREEDY = play_out(Deal.from_seed(2), greedy)  # which loses it by its 58th move


# Hidden cards


QUESTIONS = ("open", "hint", "chances", "is_lost", "review", "statistics", "list", "undo", "redo", "run", "restart")


@st.composite
def sessions(draw):
    """A deal, what a player asks and does from its beginning on, and all cards that came into sight meanwhile."""
    deal = draw(perno.deals())
    rules = draw(st.sampled_from([READINGS["perno"], READINGS["eagle-wing-packed"]]) | perno.rules())
    texts, told, seen = [], [], set()
    at = Desk(str(Game(deal, rules)))
    for _ in range(draw(st.integers(1, 12))):
        table = at("open")
        do = draw(st.sampled_from(QUESTIONS) | st.sampled_from(["move", "move", "try"]))
        message = {"do": do, "game": "g", "tag": table["tag"]}
        if do == "restart":
            message |= {"do": "goto", "at": draw(st.integers(0, table["length"]))}
        elif do == "try":
            message |= {"do": "move", "move": f"{draw(st.sampled_from('FEP'))}:{draw(perno.cards())}"}
        elif do == "move":
            if not table["moves"]:
                continue
            message |= {"move": draw(st.sampled_from(table["moves"]))["move"], "auto": draw(st.booleans())}
        text = json.dumps(message)
        texts.append(text)
        told.append("\n".join(answer(text, at.games, LITTLE)))
        kept = read(at.games["g"])
        for table in kept.tables:
            seen |= face_up(table.state)
        for card in set(CARDS) - seen:
            assert not re.search(rf"\b{card}\b|{card.pretty}|{card_name(card)}", told[-1]), (card, told[-1])
    return deal, rules, texts, told, frozenset(CARDS) - seen


@given(sessions(), st.randoms(use_true_random=False))
def test_no_answer_depends_on_cards_that_nobody_has_seen(session, random):
    deal, rules, texts, told, unseen = session
    places = [place for place, card in enumerate(deal.cards) if card in unseen]
    cards, shuffled = list(deal.cards), random.sample(places, len(places))
    for place, other in zip(places, shuffled, strict=True):
        cards[place] = deal.cards[other]
    games = {"g": str(Game(Deal(cards), rules))}
    assert ["\n".join(answer(text, games, LITTLE)) for text in texts] == told


def test_only_those_who_peek_are_told_more():
    """The counterpart: the test above would see it, if anything were told of unseen cards."""
    one, other = Deal.from_seed(2), list(Deal.from_seed(2).cards)
    other[19:] = other[:18:-1]
    texts = [desk(2).games["g"], str(Game(Deal(other)))]
    assert len({Desk(text)("truth")["verdict"] for text in texts}) == 2
    assert len({Desk(text)("export")["text"] for text in texts}) == 2
    assert str(one) in Desk(texts[0])("export")["text"]


# Playing


@given(perno.games())
def test_what_is_kept_is_read_again(game):
    kept = Kept.of(game)
    for at in {0, len(game.moves) // 2, len(game.moves)}:
        back = Kept.of(Game.from_text(str(kept.gone_to(at))))
        assert (back.game, back.at, back.tables) == (game, at, kept.tables)
    assert summary(str(kept)).moves == len(game.moves)


@given(perno.games())
@settings(max_examples=10)
def test_every_move_that_is_offered_is_legal_and_says_where_its_card_goes(game):
    at = Desk(str(game))
    table = at("open")
    assert [move["move"] for move in table["moves"]] == [str(move) for move in game.state().legal_moves()]
    for move in table["moves"]:
        after = Desk(str(game))("move", move=move["move"])
        assert after["at"] == table["at"] + 1
        if move["card"]:
            there = [card["pile"] for card in after["scene"]["cards"] if card["id"] == move["card"]]
            assert there == [move["to"]]


def test_undo_goes_back_to_the_deal_and_redo_to_the_end():
    at = desk(2, "T T T F:AH T")
    tables = [at("undo") for _ in range(6)]
    assert [table["at"] for table in tables] == [4, 3, 2, 1, 0, 0]
    assert [at("redo")["at"] for _ in range(6)] == [1, 2, 3, 4, 5, 5]
    assert at("open")["scene"] == desk(2, "T T T F:AH T")("open")["scene"]


def test_what_was_taken_back_is_forgotten_by_another_move_only():
    at = desk(2, "T T T F:AH T")
    at("goto", at=2)
    assert at("move", move="T")["length"] == 5
    assert at("move", move="T")["length"] == 4


def test_a_game_that_went_on_elsewhere_is_not_changed():
    at = desk(2)
    mine = at("open")["tag"]
    at("move", move="T", tag=mine)
    late = at("move", move="T", tag=mine)
    assert late["went_on"]
    assert late["at"] == 1


def test_a_run_ends_where_something_can_be_played_or_the_stock_is_empty():
    at = desk(2)
    table = at("run")
    assert table["at"] == len(table["said"]) == 3
    assert {move["move"] for move in table["moves"]} == {"T", "F:AH"}
    table = at("run")
    while "T" in {move["move"] for move in table["moves"]}:
        table = at("run")
    assert table["at"] == 33
    assert at("run")["said"][0].startswith("turn the waste over")


@given(st.integers(0, 200), st.sampled_from(["perno", "perno-packed", "eagle-wing-packed", "perno-obliged"]))
@settings(max_examples=8)
def test_automatic_play_never_loses_a_game(seed, rules):
    line = solve(Deal.from_seed(seed), rules=rules, evidence=False).line
    for at in range(0, len(line or ()), 7):
        board = desk(seed, line[: at + 1], rules)
        board("undo")
        board("redo")
        board("undo")
        board("move", move=str(line[at]), auto=True)
        state = read(board.games["g"]).table.state
        assert solve(state, evidence=False).verdict is Verdict.WON


def test_automatic_play_plays_what_cannot_be_wrong():
    line = solve(Deal.from_seed(11), evidence=False).line
    at = desk(11, line[:75])
    after = at("move", move=str(line[75]), auto=True)
    assert after["at"] > 76
    assert len(after["said"]) == after["at"] - 75


def test_a_game_may_begin_again_from_any_point_and_stays_as_it_was():
    at = desk(2, "T T T F:AH T", name="Sunday")
    before = at.games["g"]
    again = at("again", at=3)
    assert again["game"] != "g"
    assert (again["at"], again["length"], again["name"], again["dealt"]) == (3, 3, "Sunday", "again")
    other = at("new", seed="7")["game"]
    assert at("again", game=other, at=0)["dealt"] == "again 7"
    assert at.games["g"] == before


def test_the_end_is_said():
    line = solve(Deal.from_seed(11), evidence=False).line
    assert desk(11, line)("open")["end"] == "won"
    assert not desk(11, line)("is_lost")["lost"]
    stuck = "T " * 33
    at = desk(1, stuck, "perno,redeals=0")
    assert at("open")["end"] == "stuck"
    assert desk(1)("open")["end"] == ""


def test_a_game_is_over_when_no_world_can_be_won():
    at = Desk(str(GREEDY))
    at("goto", at=64)
    assert at("open")["end"] == ""
    assert at("is_lost")["lost"]
    assert at("truth")["verdict"] == "lost"
    assert at("chances")["lost"]
    at("goto", at=57)
    assert not at("is_lost")["lost"]
    at("goto", at=0)
    assert at.all("is_lost") == [{"lost": False, "done": False}, {"lost": False, "done": True}]


# Deals


@pytest.mark.parametrize("wanted", ["won", "easy", "medium", "hard"])
def test_a_deal_of_a_level_is_of_that_level(wanted):
    at = Desk()
    table = at("new", level=wanted)
    kind, seed = table["dealt"].split()
    assert kind == wanted
    found = level(Deal.from_seed(int(seed)))
    assert found is Level(wanted) if wanted != "won" else found is not Level.LOST


def test_where_no_deal_is_of_a_level_that_is_said():
    at = Desk(effort=Effort(deals=12))
    assert "12 deals were looked at, and none is" in at("new", level="medium", rules="perno-obliged")["error"]
    assert at.games == {}


def test_the_deal_of_a_day_is_the_same_for_everybody_and_can_be_won():
    tables = [Desk()("new", day="2026-12-01") for _ in range(2)]
    assert tables[0]["dealt"] == tables[1]["dealt"]
    assert tables[0]["scene"] == tables[1]["scene"]
    assert tables[0]["dealt"] != Desk()("new", day="2026-12-02")["dealt"]
    seed = int(tables[0]["dealt"].split()[2])
    assert solve(Deal.from_seed(seed), evidence=False).verdict is Verdict.WON


def test_a_deal_by_its_number():
    table = Desk()("new", seed="42", rules="eagle-wing")
    assert table["dealt"] == "seed 42"
    assert table["scene"] == Desk(str(Game(Deal.from_seed(42), "eagle-wing")))("open")["scene"]


# Advice


def test_a_hint_gets_better_and_says_when_it_is_done():
    at = desk(2, "T T T")
    at.effort = Effort(worlds=200, enough=10_000)
    steps = at.all("hint")
    assert [step["worlds"] for step in steps] == [50, 100, 150, 200, 200]
    assert [step["done"] for step in steps] == [False] * 4 + [True]
    assert {move["move"] for move in steps[-1]["moves"]} == {"T", "F:AH"}
    assert steps[-1]["best"] in {"T", "F:AH"}
    assert steps[-1]["reason"].endswith(".")


def test_chances_are_those_of_the_hint():
    at = desk(2, "T T T")
    hint, chances = at("hint"), at("chances")
    assert all(hint[name] == chances[name] for name in ("worlds", "won", "rate", "low", "high"))


def test_a_review_has_all_points_and_finds_the_moves_that_cost_most():
    at = Desk(str(GREEDY), Effort(review=10))
    steps = at.all("review")
    assert [point["at"] for point in steps[-1]["points"]] == list(range(86))
    assert [len(step["points"]) for step in steps] == [1] * 86 + [86, 86]
    assert [step["points"][0]["at"] for step in steps[:5]] == [0, 85, 64, 32, 16]
    assert steps[-1]["points"][-1]["lost"]
    lost = at("lost_at")["lost_at"]
    worst = max(steps[-1]["turns"], key=lambda turn: turn["cost"])
    assert worst["cost"] > 0.2
    assert (worst["move"], worst["at"] + 1) == (str(GREEDY.moves[lost - 1]), lost)
    assert all(turn["cost"] >= 0.05 and turn["best"] != turn["name"] for turn in steps[-1]["turns"])


def test_a_review_of_a_game_that_was_won_ends_with_certainty():
    line = solve(Deal.from_seed(11), evidence=False).line
    assert desk(11, line)("review")["points"][-1]["rate"] == 1


def test_it_is_told_from_which_move_on_a_game_was_lost():
    line = solve(Deal.from_seed(11), evidence=False).line
    assert desk(11, line)("lost_at")["lost_at"] is None
    assert desk(1, "T T")("lost_at")["lost_at"] == 0
    verdicts = annotate(GREEDY.start, GREEDY.moves)
    assert Desk(str(GREEDY))("lost_at")["lost_at"] == verdicts.index(Verdict.LOST) == 58


def test_rules_are_told_whatever_they_are():
    at = Desk()
    for rules in [
        *READINGS,
        "perno,redeals=0,pivot-open=yes",
        "perno,redeals=unlimited,pivot-size=1",
        "perno,redeals=1",
    ]:
        told = at("rules", rules=rules)
        assert all(text.endswith(".") and "{" not in text for text in told["rules"] + told["well"])
    assert at("readings")["readings"] == list(READINGS)


# Records


def test_games_are_exported_and_imported():
    at = desk(2, "T T T F:AH T", name="Sunday")
    text = at("export")["text"]
    other = Desk()
    (name,) = other("import", text=text)["games"]
    assert other("open", game=name)["scene"] == at("open")["scene"]
    at.games["h"] = at.games["g"]
    both = list(at.all("export", game=None))
    assert "error" in both[-1]
    everything = json.loads(next(answer('{"do": "export"}', at.games)))["text"]
    assert len(Desk()("import", text=everything)["games"]) == 2


def test_games_are_listed_counted_and_deleted():
    at = Desk()
    won = solve(Deal.from_seed(11), evidence=False).line
    first = at("new", seed="11")["game"]
    assert at("statistics")["rows"] == []
    for move in won:
        at("move", game=first, move=str(move))
    at("undo", game=first)
    easy = at("new", level="easy")["game"]
    at("run", game=easy)
    rows = [{"rules": "perno", "level": "easy", "played": 1, "won": 0}]
    rows.append({"rules": "perno", "level": "seed", "played": 1, "won": 1})
    assert at("statistics")["rows"] == rows
    listed = at("list")["games"]
    assert {game["game"]: game["is_won"] for game in listed} == {first: True, easy: False}
    assert at("delete", game=first) == {"done": True}
    assert [game["game"] for game in at("list")["games"]] == [easy]


# What makes no sense


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("", "expected a message in JSON"),
        ("[" * 100_000, "expected a message in JSON"),
        ("7", "expected a JSON object"),
        ("{}", "expected do: a text"),
        ('{"do": "fly"}', "expected do: one of new, open"),
        ('{"do": "open"}', "expected game: a text"),
        ('{"do": "open", "game": "../../etc/passwd"}', "expected a game that is kept"),
        ('{"do": "move", "game": "g", "move": "F:QX"}', "QX"),
        ('{"do": "move", "game": "g", "move": "R"}', "That move is not possible now."),
        ('{"do": "move", "game": "g", "move": "F:KS"}', "That move is not possible now."),
        ('{"do": "move", "game": "g", "move": "T", "auto": 1}', "expected auto: true or false"),
        ('{"do": "goto", "game": "g", "at": "x"}', "expected at: a whole number"),
        ('{"do": "goto", "game": "g", "at": 1}', "expected at: a number of moves from 0 to 0"),
        ('{"do": "new", "seed": "-1"}', "number of a deal"),
        ('{"do": "new", "seed": "18446744073709551616"}', "number of a deal"),
        ('{"do": "new", "day": "tomorrow"}', "expected a day as in"),
        ('{"do": "new", "level": "lost"}', "expected a level, one of"),
        ('{"do": "new", "level": "giant"}', "expected a level, one of"),
        ('{"do": "new", "seed": "1", "rules": "poker"}', "poker"),
        ('{"do": "import", "text": "# nothing"}', "There is no game in it"),
        ('{"do": "import", "text": "game: x"}', "That cannot be read: the game has no beginning"),
        ('{"do": "open", "game": "g", "lang": "xx"}', "expected a language"),
    ],
)
def test_what_makes_no_sense_is_answered_in_words(message, error):
    games = {"g": str(Game(Deal.from_seed(2)))}
    told = [json.loads(text) for text in answer(message, games)]
    assert [*told[-1]] == ["error", "done"]
    assert error in told[-1]["error"]
    assert [*games] == ["g"]


@given(
    st.dictionaries(
        st.sampled_from(["do", "game", "move", "at", "seed", "level", "rules", "text", "tag"]),
        st.one_of(
            st.sampled_from(sorted(_ANSWERS)),
            st.just("g"),
            st.text(),
            st.integers(),
            st.none(),
            st.lists(st.none()),
        ),
    )
)
def test_whatever_is_asked_is_answered(message):
    games = {"g": str(Game(Deal.from_seed(2)))}
    *_, last = answer(json.dumps(message), games, Effort(deals=1, worlds=1, review=1))
    assert json.loads(last)["done"]


def test_games_that_are_deleted_meanwhile_are_left_out():
    class Leaky(dict):
        def __getitem__(self, name):
            if name == "gone":
                raise KeyError(name)
            return super().__getitem__(name)

    at = desk(2)
    at.games = Leaky({"gone": "", **at.games})
    assert [game["game"] for game in at("list")["games"]] == ["g"]
    assert "expected a game that is kept" in at("open", game="gone")["error"]


def test_a_game_does_not_get_too_long():
    kept = Kept.of(Game(Deal.from_seed(1), "perno,redeals=unlimited"))
    at = Desk(str(kept))
    moves = (["T"] * 33 + ["R"]) * (1 + MOST_MOVES // 34)
    at.games["g"] = str(Game(Deal.from_seed(1), "perno,redeals=unlimited", moves[:MOST_MOVES]))
    move = at("open")["moves"][0]["move"]
    assert "expected at most 5,000 in a game" in at("move", move=move)["error"]


def test_games_do_not_get_too_many(monkeypatch):
    monkeypatch.setattr("perno_solver.web.answer.MOST_GAMES", 2)
    at = Desk()
    at("new", seed="1")
    at("new", seed="1")
    assert "export and delete some" in at("new", seed="1")["error"]


def test_an_import_keeps_all_or_nothing(monkeypatch):
    monkeypatch.setattr("perno_solver.web.answer.MOST_GAMES", 3)
    at = Desk()
    at("new", seed="1")
    text = str(Game(Deal.from_seed(2), moves="T"))
    assert "export and delete some" in at("import", text=text * 3)["error"]
    *_, told = answer(json.dumps({"do": "import", "text": f"{text}game: \ud800\n{text}"}), at.games)
    assert "a message in JSON" in json.loads(told)["error"]
    round_ = "T " * 33 + "R "
    long = Game(Deal.from_seed(1), "perno,redeals=unlimited", round_ * (MOST_MOVES // 34 + 1))
    assert "at most 5,000 moves in a game" in at("import", text=text + str(long))["error"]
    assert len(at.games) == 1


def test_plain_python_is_asked_for_less():
    assert PLAIN.worlds < Effort().worlds
