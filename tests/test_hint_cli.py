"""perno hint, and what solve and annotate do with unseen cards and games on record."""

import json
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from perno_solver import Deal, Game, State, Verdict, View, cli, odds, play_out, solve
from perno_solver.cli import hint as hint_module
from perno_solver.cli import shared
from perno_solver.cli.shared import chance
from perno_solver.solve.odds import Share
from perno_solver.solve.players import careful

TABLE = Path(__file__).parent / "data" / "table-unseen.txt"
OPEN = """\
rules: perno-obliged
base: K
foundations: 3C AD AH AS
tableau: AC
pivot:
stock:
waste: 2C
redeals: 1
"""


def perno(*args: str | Path, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(cli.main, [str(arg) for arg in args], input=stdin, prog_name="perno")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args: str | Path, stdin: str | None = None) -> str:
    """Run what must fail on its input; return its reason."""
    result = perno(*args, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr.replace("\n", " ").strip().rpartition("Error: ")[2]


def played(seed: int, at: int) -> Game:
    """Play the first moves of a game by the rules of thumb."""
    deal = Deal.from_seed(seed)
    return Game(deal, "perno", play_out(deal, careful).moves[:at], name="sample", comments=[(at, "what now?")])


SOME, ALL, NONE = played(71, 79), played(15, 69), played(6, 62)
"""Games whose views have 3 unseen cards, of which some, all and none of the six worlds can be won."""


def counted(view: View) -> dict[str, Any]:
    """Go through all worlds of a view with `solve`."""
    worlds = [view.lay(cards) for cards in permutations(sorted(view.unseen))]

    def won(states: list[State]) -> int:
        return sum(solve(state, evidence=False).verdict is Verdict.WON for state in states)

    after = {str(move): won([world.play(move) for world in worlds]) / len(worlds) for move in view.legal_moves()}
    return {"worlds": len(worlds), "won": won(worlds), "moves": after}


@pytest.mark.parametrize(("game", "code"), [(SOME, 0), (ALL, 0), (NONE, 1)])
def test_all_worlds_are_tried_where_they_are_few(game: Game, code: int) -> None:
    result = perno("hint", "--file", "-", "--json", stdin=str(game))
    assert result.exit_code == code
    found, expected = json.loads(result.stdout), counted(game.view())
    assert {each["move"]: each["rate"] for each in found["moves"]} == expected["moves"]
    assert (found["worlds"], found["won"]) == (expected["worlds"], expected["won"])
    assert (found["unseen"], found["unknown"], found["exact"]) == (3, 0, True)
    assert all(each["low"] == each["rate"] == each["high"] for each in found["moves"])
    rates = [each["rate"] for each in found["moves"]]
    assert rates == sorted(rates, reverse=True)
    assert found["best"] == (found["moves"][0]["move"] if code == 0 else None)
    assert found["stopped"] is None


def test_the_same_is_known_however_it_is_written(tmp_path: Path) -> None:
    asked = perno("hint", "--file", "-", "--json", stdin=str(SOME)).stdout
    moves = " ".join(map(str, SOME.moves))
    position = tmp_path / "position.txt"
    position.write_text(str(SOME.view()))
    assert "3?" in position.read_text()
    assert perno("hint", "--file", position, "--json").stdout == asked
    assert perno("hint", "--seed", "71", "--moves", moves, "--json").stdout == asked
    assert perno("hint", "--deck", str(SOME.start), "--moves", moves, "--json").stdout == asked
    begun = str(Game(SOME.start, "perno", SOME.moves[:40]))
    rest = " ".join(map(str, SOME.moves[40:]))
    assert perno("hint", "--file", "-", "--moves", rest, "--json", stdin=begun).stdout == asked


def test_where_all_is_seen_each_move_has_its_verdict() -> None:
    state = SOME.state()
    result = perno("hint", "--file", "-", "--seen", "all", stdin=str(SOME))
    rows = result.stdout.partition("\n\n")[0].splitlines()
    verdicts = [solve(state.play(move), evidence=False).verdict.value for move in state.legal_moves()]
    assert sorted(row.split()[-1] for row in rows) == sorted(verdicts)
    assert "unseen" not in result.stdout
    assert perno("hint", "--file", "-", stdin=str(state)).stdout == result.stdout  # a position says what is known


def test_a_position_may_be_known_in_part() -> None:
    state = str(SOME.state())
    shown = perno("hint", "--file", "-", "--seen", "table", "--worlds", "20", "--json", stdin=state)
    assert json.loads(shown.stdout)["unseen"] == View.of(SOME.state()).places > 3
    one = str(SOME.view()).replace("3?", "? ? ?")
    assert json.loads(perno("hint", "--file", "-", "--json", stdin=one).stdout)["unseen"] == 3


def test_a_single_unseen_card_is_known() -> None:
    state = SOME.state()
    text = str(state).replace(f"stock: {state.stock[0]}", "stock: ?")
    assert text != str(state)
    assert perno("hint", "--file", "-", stdin=text).stdout == perno("hint", "--file", "-", stdin=str(state)).stdout


def test_the_moves_are_told_in_words_best_first() -> None:
    result = perno("hint", "--file", "-", stdin=str(SOME))
    assert result.exit_code == 0
    rows, _, reason = result.stdout.partition("\n\n")
    found = odds(SOME.view())
    assert len(rows.splitlines()) == len(found.moves) == 2
    first, second = rows.splitlines()
    assert re.fullmatch(r"\S.* +33 %", first)
    assert re.fullmatch(r"\S.* +\d+ %", second)
    assert "wins in 33 % of the ways the unseen cards can lie, " in reason
    assert reason.splitlines()[-1] == "3 cards are unseen: of all 6 ways to lay them 2 can be won."


def test_a_table_with_its_cards_face_down() -> None:
    result = perno("hint", "--file", TABLE, "--worlds", "10")
    assert result.exit_code == 3
    assert result.stdout == (
        "turning    0 %   0–28 %\n\nIt is the only move.\n"
        "31 cards are unseen: of 10 ways to lay them that were tried 0 can be won.\n"
    )


def test_worlds_are_tried_until_some_are_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_module, "ENOUGH", 2)
    monkeypatch.setattr(hint_module, "WORLDS", 300)
    ended = json.loads(perno("hint", "--seed", "2", "--json").stdout)
    assert ended["won"] >= 2
    assert ended["worlds"] < 300
    asked = json.loads(perno("hint", "--seed", "2", "--json", "--worlds", "60").stdout)
    assert asked["worlds"] == 60


def test_odds_of_one_who_forgets_say_so() -> None:
    result = perno("hint", "--seed", "2", "--moves", "T T T", "--seen", "table", "--worlds", "5")
    assert result.stdout.endswith("\nThat is for one who remembers what comes into sight from now on.\n")


@pytest.mark.parametrize(
    ("position", "code", "reason"),
    [
        (OPEN, 0, "All moves win, for sure: "),
        (str(Game(Deal.from_seed(2), "perno", solve(Deal.from_seed(2)).line).state()), 0, "The game is won."),
        (str(play_out(Deal.from_seed(6), careful).state()), 1, "The game is lost: no move is left."),
        (str(play_out(Deal.from_seed(6), careful).view()), 1, "The game is lost: no move is left."),
        (str(NONE.state()), 1, "The game is lost, proved."),
        (str(NONE.view()), 1, "The game is lost, proved for all ways in which the unseen cards can lie."),
    ],
)
def test_the_exit_code(position: str, code: int, reason: str) -> None:
    result = perno("hint", "--file", "-", stdin=position)
    assert result.exit_code == code
    assert reason in result.stdout


def test_no_time_is_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    result = perno("hint", "--seed", "2", "--max-seconds", "1e-9")
    assert result.exit_code == 3
    assert result.stdout.startswith("turning  not tried\n")
    assert "\nStopped early: " in result.stdout
    monkeypatch.setattr(shared.threading, "Event", _Set)
    assert "\nStopped early: interrupted.\n" in perno("hint", "--seed", "2").stdout
    assert "\nStopped early: interrupted.\n" in perno("solve", "--file", TABLE).stdout


class _Set:
    """An event that is set, as after Ctrl-C."""

    def is_set(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--file", TABLE, "--moves", "T"], "--moves: the position has unseen cards, and a move may show one that"),
        (["--file", TABLE, "--seen", "all"], "--seen: the position has unseen cards, so it says itself what is known"),
        (["--seed", "2", "--moves", "T R"], "--moves: move 2: "),
        (["--seed", "2", "--moves", "X"], "move 1: "),
        (["--seed", "2", "--file", TABLE], "give one of --seed, "),
        ([], "give one of --seed, "),
        (["--file", TABLE, "--rules", "eagle-wing"], f"{TABLE}: "),
    ],
)
def test_what_cannot_be_advised_is_told(args: list[str | Path], reason: str) -> None:
    assert reason in refused("hint", *args)


def test_one_game_is_played(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(f"{SOME}\n{ALL}")
    assert refused("hint", "--file", path) == f"2 games in {path}, expected the one that is played"
    path.write_text(str(SOME).replace("perno", "eagle-wing"))
    assert refused("hint", "--file", path).startswith(f"{path}: move ")
    path.write_text(str(SOME))
    told = f"{path}: a game was played under the rules perno, but eagle-wing was asked for"
    assert refused("hint", "--file", path, "--rules", "eagle-wing") == told
    assert perno("hint", "--file", path, "--rules", "perno").exit_code == 0


def test_hints_fit_narrow_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "columns", lambda: 40)
    monkeypatch.setenv("NO_COLOR", "1")
    for args in (["--file", "-"], ["--file", "-", "--seen", "table", "--worlds", "60"]):
        lines = perno("hint", *args, stdin=str(SOME)).stdout.splitlines()
        assert max(map(len, lines)) <= 40
        assert re.fullmatch(r"\S.* +\d+ %(  +\d+–\d+ %)?", lines[0])


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (Share(0, 0, 0, exact=False), "not tried"),
        (Share(1, 0, 1, exact=True), "  won"),
        (Share(0, 0, 1, exact=True), " lost"),
        (Share(0, 1, 1, exact=True), "unknown"),
        (Share(1, 0, 6, exact=True), " 17 %"),
        (Share(1, 2, 6, exact=True), " 17 %  16–50 %"),
        (Share(0, 0, 500, exact=False), "  0 %   0–1 %"),
        (Share(1, 0, 500, exact=False), " <1 %   0–2 %"),
        (Share(499, 0, 500, exact=False), ">99 %  98–100 %"),
        (Share(500, 0, 500, exact=False), "100 %  99–100 %"),
        (Share(38, 0, 50, exact=False), " 76 %  62–86 %"),
    ],
)
def test_shares_in_words(share: Share, told: str) -> None:
    assert chance(share) == told


# solve


@pytest.mark.parametrize(
    ("game", "code", "told"),
    [
        (SOME, 3, "has no verdict, as it has unseen cards"),
        (ALL, 0, "can be won, however they lie"),
        (NONE, 1, "cannot be won, however they lie"),
    ],
)
def test_a_view_has_a_verdict_where_all_worlds_agree(game: Game, code: int, told: str) -> None:
    result = perno("solve", "--file", "-", stdin=str(game.view()))
    assert result.exit_code == code
    assert result.stdout.startswith(f"The position {told} (rules perno).\n3 cards are unseen: of all 6 ways")
    found = json.loads(perno("solve", "--file", "-", "--json", stdin=str(game.view())).stdout)
    assert found["verdict"] == {0: "won", 1: "lost", 3: "unknown"}[code]
    expected = counted(game.view())
    assert (found["won"], found["worlds"], found["exact"]) == (expected["won"], expected["worlds"], True)
    assert View.from_text(found["position"]) == game.view()


def test_a_sample_proves_nothing() -> None:
    result = perno("solve", "--file", "-", "--max-states", "1", stdin=str(View.of(State.start(Deal.from_seed(2)))))
    assert result.exit_code == 3
    assert " are unknown.\n" in result.stdout
    assert "The chance that it can be won: " in result.stdout


@pytest.mark.parametrize("option", [["--show"], ["--evidence", "x"], ["--objective", "moves"]])
def test_a_view_has_no_line(option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("solve", "--file", TABLE, *option).startswith("the position has unseen cards: there is no --")
    assert list(tmp_path.iterdir()) == []


def test_a_verdict_without_a_line(tmp_path: Path) -> None:
    result = perno("solve", "--seed", "2", "--verdict")
    assert result.exit_code == 0
    assert re.fullmatch(r"Seed 2 can be won under the rules perno\.\n\d+ states in .* s\n", result.stdout)
    assert perno("solve", "--seed", "1", "--verdict").exit_code == 1
    found = json.loads(perno("solve", "--seed", "2", "--verdict", "--json").stdout)
    assert (found["verdict"], found["moves"]) == ("won", None)
    rows = perno("solve", "--seeds", "1:4", "--verdict").stdout
    assert " moves" not in rows
    evidence = tmp_path / "seed-2.perno"
    assert perno("solve", "--seed", "2", "--verdict", "--evidence", evidence).exit_code == 0
    assert perno("check", evidence).exit_code == 0


@pytest.mark.parametrize("option", [["--show"], ["--objective", "moves"], ["--objective", "passes"]])
def test_a_verdict_contradicts_what_asks_for_a_line(option: list[str]) -> None:
    told = "--verdict is without a line, so without --objective, --show and --page"
    assert refused("solve", "--seed", "2", "--verdict", *option) == told


def test_of_a_game_on_record_its_position_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(str(SOME))
    found = json.loads(perno("solve", "--file", path, "--json").stdout)
    assert found["verdict"] == solve(SOME.state()).verdict.value
    assert found["game"] == 1
    assert State.from_text(found["position"]) == SOME.state()
    assert perno("solve", "--file", path).stdout.startswith('The game ("sample") can')
    path.write_text(f"{SOME}\ngame:\nrules: eagle-wing\ndeck: {Deal.from_seed(3)}\n")
    first, second = map(json.loads, perno("solve", "--file", path, "--json").stdout.splitlines())
    assert first["position"] == found["position"]
    assert (second["deck"], second["rules"]) == (str(Deal.from_seed(3)), "eagle-wing")
    assert second["verdict"] == solve(Deal.from_seed(3), rules="eagle-wing").verdict.value


# annotate


def test_a_game_on_record_is_told_with_its_comments(tmp_path: Path) -> None:
    deal = Deal.from_seed(10)
    comments = [(0, "rain"), (2, "and wind"), (2, "and hail")]
    path = tmp_path / "game.txt"
    path.write_text(str(Game(deal, "perno", "T T T", comments=comments)))
    told = perno("annotate", "--file", path).stdout
    plain = perno("annotate", "--seed", "10", "T T T").stdout
    assert [line for line in told.splitlines() if not line.startswith("      # ")] == plain.splitlines()
    lines = told.splitlines()
    assert lines[lines.index("      # rain") - 1].strip() in {"won", "lost"}
    assert lines[lines.index("      # and wind") - 1].startswith("   2  ")
    assert lines[lines.index("      # and wind") + 1] == "      # and hail"
    more = perno("annotate", "--file", path, "T").stdout
    assert [line for line in more.splitlines() if line.startswith("   4  ")]


def test_annotate_needs_moves_and_cards() -> None:
    assert refused("annotate", "--seed", "10") == "give MOVES, or a game on record as --file"
    told = "the position has 31 unseen cards, expected every card to be known"
    assert refused("annotate", "--file", TABLE, "T") == told
