"""A game as a page: small, whole by itself, its changes add up to the tables; what goes in, comes out as text."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given

from perno_solver import Deal, Game, InvalidChoice, InvalidRecord, State, Table, Verdict, annotate, cli, solve
from perno_solver.show.replay import replay
from perno_solver.show.scene import scene
from perno_solver.show.texts import texts
from perno_solver.strategies import games, lines

DEAL = Deal.from_seed(2)
LINE = solve(DEAL).line or ()


def perno(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli.main, args, input=stdin, prog_name="perno")


def data_of(page: str) -> dict:  # type: ignore[type-arg]
    (text,) = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)
    return json.loads(text)


@given(games(lines=lines(max_moves=20)))
def test_changes_add_up_to_every_table(game: Game) -> None:
    data = data_of(replay(game))
    tables = [Table.of(game.start, game.rules)]
    for move in game.moves:
        tables.append(tables[-1].play(move))
    levels = max(len(cell) for table in tables for cell in table.cells)
    state: dict[str, object] = {}
    assert len(data["steps"]) == len(tables)
    for table, step in zip(tables, data["steps"], strict=True):
        state = {key: value for key, value in {**state, **step}.items() if value is not None}
        for narrow in (False, True):
            shown = scene(table, narrow=narrow, levels=levels)
            assert data["sizes"][narrow] == [shown.width, shown.height]
            at = 2 + 2 * narrow
            lying = {key: value for key, value in state.items() if isinstance(value, list) and key[0] != "#"}
            assert {key: [value[0], *value[at : at + 2]] for key, value in lying.items()} == {
                card.id: [card.pile, card.x, card.y] for card in shown.cards
            }
        text = "".join(f"{value}\n" for key, value in state.items() if key.startswith("@"))
        assert sorted(text.splitlines()) == sorted(table.text.splitlines())
        for lang in ("en", "it"):
            parts = [str(state[f"{lang}{number}"]) for number in range(5)]
            assert "; ".join(parts) == scene(table, texts=texts(lang)).description
    assert data["won"] is game.state().is_won


def test_no_hidden_card_is_among_the_cards() -> None:
    step = data_of(replay(Game(DEAL)))["steps"][0]
    assert len([key for key in step if re.fullmatch("[A2-9TJQK][CDHS]", key)]) == 9


def test_a_page_is_small_and_whole() -> None:
    turned = "T " * 33 + ("R " + "T " * 33) * 5
    for game in (Game(DEAL, moves=LINE), Game(Deal.from_seed(0), "perno,redeals=unlimited", turned)):
        page = replay(game)
        assert len(page.encode()) < 300_000
        assert not re.search(r"""(src|href)=["'](?!#)|@import|url\(|https?:(?!//www\.w3\.org/2000/svg)""", page)
        assert "default-src 'none'" in page


def test_what_others_wrote_is_text() -> None:
    name, comment = "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)> & </title>"
    page = replay(Game(DEAL, moves="T", name=name, comments=[(1, comment)]))
    assert page.count("<script") == 2
    assert "<img" not in page
    assert page.count("</title>") == 1
    assert data_of(page)["comments"] == {"1": [comment]}


def test_the_order_on_the_table_is_kept() -> None:
    block = (
        "base: J\nfoundations: 9C JH\ntableau: 7S 4D 9H 8H 2C 2H 3H 4H\npivot: KS\nstock:\nwaste: "
        "AC 3C 4C 5C 6C 7C 8C KC QC AD 2D 3D 5D 6D 7D 8D 9D TD JD QD KD AH 5H 6H 7H TH QH KH AS 2S 3S 4S 5S 6S 8S 9S "
        "TS JS QS\nredeals: 1\n"
    )
    table = Table.from_text(block)
    step = data_of(replay(Game(table.state), table=table))["steps"][0]
    assert step["7S"][0] == "cell 1"
    assert step["@tableau"] == "tableau: 7S 4D 9H 8H 2C 2H 3H 4H"


def test_what_is_not_of_the_game_is_refused() -> None:
    game = Game(DEAL, moves="T T")
    for wrong in ({"verdicts": [Verdict.WON]}, {"table": Table.of(Deal.from_seed(3))}, {"table": State.start(DEAL)}):
        with pytest.raises(InvalidRecord):
            replay(game, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidRecord, match="expected a Game"):
        replay(DEAL)  # type: ignore[arg-type]
    with pytest.raises(InvalidChoice):
        replay(game, lang="fr")
    assert data_of(replay(game, verdicts=annotate(DEAL, "T T"), lang="it"))["verdicts"] == ["won", "won", "won"]


# The command


def test_a_solution_as_a_page(tmp_path: Path) -> None:
    path = tmp_path / "win.html"
    result = perno("solve", "--seed", "2", "--page", str(path))
    assert result.exit_code == 0
    assert path.read_text(encoding="utf-8") == replay(Game(DEAL, moves=LINE, name="#2"))
    record = str(Game(DEAL, moves="T T T", name="rainy"))
    perno("--lang", "it", "solve", "--file", "-", "--page", str(path), stdin=record)
    data = data_of(path.read_text(encoding="utf-8"))
    assert (data["lang"], data["won"], data["isDeal"]) == ("it", True, False)
    assert "<h1>Perno Variabile rainy</h1>" in path.read_text(encoding="utf-8")


def test_a_page_of_what_has_no_line(tmp_path: Path) -> None:
    path = tmp_path / "win.html"
    lost = perno("solve", "--seed", "1", "--page", str(path))
    assert (lost.exit_code, lost.stderr) == (1, f"Warning: {path}: not written: there is no winning line\n")
    for args, told in (
        (("--seeds", "1:3"), "--page is for one deal, and not for 2"),
        (("--seed", "2", "--verdict"), "--verdict is without a line, so without --objective, --show and --page"),
    ):
        result = perno("solve", *args, "--page", str(path))
        assert result.exit_code == 2
        assert told in result.stderr
    assert not path.exists()
    assert perno("solve", "--seed", "2", "--page", "/nowhere/x.html").exit_code == 2


def test_an_annotated_game_as_a_page(tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    assert perno("annotate", "--seed", "2", "T T T T", "--page", str(path)).exit_code == 1
    data = data_of(path.read_text(encoding="utf-8"))
    assert data["verdicts"] == ["won", "won", "won", "won", "lost"]
    game = Game(DEAL, moves="T T", name="rainy", comments=[(1, "hm")])
    (tmp_path / "game.txt").write_text(str(game), encoding="utf-8")
    perno("annotate", "--file", str(tmp_path / "game.txt"), "--page", str(path))
    assert path.read_text(encoding="utf-8") == replay(game, verdicts=annotate(DEAL, "T T"))
