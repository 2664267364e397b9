"""Pictures show what somebody sees who looks at the table, all of it, and nothing else; scenes say where it lies."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import (
    CARDS,
    Card,
    Deal,
    Game,
    IllegalMove,
    InvalidChoice,
    InvalidMove,
    InvalidState,
    Move,
    State,
    Table,
    View,
    cli,
    picture,
    solve,
)
from perno_solver.game.cards import RANKS
from perno_solver.game.view import exposed
from perno_solver.show.faces import FOUR_COLOURS, TWO_COLOURS, faces
from perno_solver.show.scene import CARD_HEIGHT, CARD_WIDTH, Scene, scene, scene_as_json
from perno_solver.show.texts import texts
from perno_solver.strategies import games, states, views

DOCS = Path(__file__).parent.parent / "docs"
DEAL = Deal.from_seed(42)
SVG = "{http://www.w3.org/2000/svg}"


def perno(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, prog_name="perno")


# Scenes


def faces_of(shown: Scene) -> set[Card]:
    return {placed.card for placed in shown.cards if placed.card is not None}


@given(states(), st.booleans())
def test_what_lies_face_up_is_there_and_nothing_else(state: State, narrow: bool) -> None:  # noqa: FBT001
    shown = scene(state, narrow=narrow)
    tops = {state.card_at(suit, on - 1) for suit, on in enumerate(state.foundations) if on}  # type: ignore[arg-type]
    on_table = (exposed(state) - set(state.on_foundations())) | tops | set(state.waste[-6:])
    assert faces_of(shown) == on_table
    assert len({placed.id for placed in shown.cards}) == len(shown.cards)
    assert {count.of: count.text for count in shown.counts if count.of != "redeals"} == {
        pile: str(len(getattr(state, pile))) for pile in ("pivot", "stock", "waste") if getattr(state, pile)
    }
    (left,) = [count.text for count in shown.counts if count.of == "redeals"]
    assert left == ("∞" if state.redeals is None else str(state.redeals))


@given(views(), st.randoms(use_true_random=False))
def test_no_hidden_card_is_told(view: View, random) -> None:  # type: ignore[no-untyped-def]
    cards = sorted(view.unseen)
    random.shuffle(cards)
    other = View(view.lay(cards), view.unseen)
    assert scene(other) == scene(view)
    assert picture(other) == picture(view)
    told = json.dumps(scene_as_json(scene(view)))
    for card in view.unseen:
        assert f'"{card}"' not in told


@given(states(), st.randoms(use_true_random=False))
def test_where_pivot_and_stock_lie_makes_no_difference(state: State, random) -> None:  # type: ignore[no-untyped-def]
    """They lie face-down even in the picture of a State, as somebody who looks at a table does not know them."""
    hidden = [card for card in (*state.pivot, *state.stock) if card not in exposed(state)]
    shuffled = random.sample(hidden, len(hidden))
    assert scene(View(state, frozenset(hidden)).lay(sorted(shuffled)) if len(hidden) > 1 else state) == scene(state)


@given(states(), st.booleans())
def test_everything_is_in_the_picture_and_piles_are_apart(state: State, narrow: bool) -> None:  # noqa: FBT001
    shown = scene(state, narrow=narrow)
    spots = [(place.pile, place.x, place.y) for place in shown.places]
    spots += [(placed.pile, placed.x, placed.y) for placed in shown.cards]
    assert len({pile for pile, _, _ in spots}) == 15
    for pile, x, y in spots:
        assert 0 <= x <= shown.width - CARD_WIDTH
        assert 0 <= y <= shown.height - CARD_HEIGHT
        for other, to_x, to_y in spots:
            assert pile == other or abs(x - to_x) >= CARD_WIDTH or abs(y - to_y) >= CARD_HEIGHT
    for count in shown.counts:
        assert 0 <= count.y <= shown.height - 12
        assert all(count.y >= y + CARD_HEIGHT or count.y + 12 <= y or abs(count.x - x - 30) > 45 for _, x, y in spots)
    empty = {place.pile for place in shown.places if place.is_empty}
    assert empty == {pile for pile, _, _ in spots} - {placed.pile for placed in shown.cards}


@given(games(), st.booleans())
def test_a_highlighted_card_goes_where_it_is_shown_to_go(game: Game, narrow: bool) -> None:  # noqa: FBT001
    table = Table.of(game.start, game.rules)
    for move in game.moves:
        before = scene(table, highlight=move, narrow=narrow, levels=13).highlight
        assert before is not None
        card = move.card or (table.state.stock[0] if str(move) == "T" else None)
        table = table.play(move)
        after = scene(table, narrow=narrow, levels=13)
        if card is None:
            assert before.end in {(place.x, place.y) for place in after.places if place.pile == "stock"}
        else:
            assert [(placed.x, placed.y) for placed in after.cards if placed.card == card] == [before.end]


def test_an_illegal_move_is_not_highlighted() -> None:
    table = Table.of(DEAL)
    for highlight, error in (("R", IllegalMove), ("F:5S", IllegalMove), ("x", InvalidMove), (7, InvalidMove)):
        with pytest.raises(error):
            scene(table, highlight=highlight)  # type: ignore[arg-type]
    with pytest.raises(InvalidState, match="expected a Table, a State or a View"):
        scene(DEAL)  # type: ignore[arg-type]


def test_cells_lie_as_on_the_table() -> None:
    table = Table.of(DEAL)
    cells = [placed.card for placed in scene(table).cards if placed.pile.startswith("cell")]
    assert cells == [cell[0] for cell in table.cells]
    (base,) = [placed for placed in scene(table).cards if placed.pile.startswith("foundation")]
    (pivot,) = [place for place in scene(table).places if place.pile == "pivot"]
    assert base.x == pivot.x  # below it, as the source has it


def test_packed_cells_are_fanned_and_rows_make_room() -> None:
    block = (
        "rules: perno-packed\nbase: J\nfoundations: JC JD JH JS\ntableau: 2C/3C/4C/5C 7D - - - - - -\n"
        "pivot:\nstock:\nwaste: TC 9C 8C 7C 6C AC KC QC TD 9D 8D 6D 5D 4D 3D 2D AD KD QD TH 9H 8H 7H 6H 5H 4H 3H 2H AH "
        "KH QH TS 9S 8S 7S 6S 5S 4S 3S 2S AS KS QS\nredeals: 0\n"
    )
    table = Table.from_text(block)
    for narrow in (False, True):
        shown = scene(table, narrow=narrow)
        fan = [placed.y for placed in shown.cards if placed.pile == "cell 1"]
        assert [y - fan[0] for y in fan] == [0, 27, 54, 81]
        low = scene(Table.of(DEAL), narrow=narrow)
        assert shown.height == low.height + 81 == scene(Table.of(DEAL), narrow=narrow, levels=4).height - 81 * narrow
    assert next(placed.pile for placed in shown.cards if str(placed.card) == "7D") == "cell 2"
    assert [place.sign for place in scene(table).places if place.pile == "stock"] == [""]
    again = Table.from_text(block.replace("redeals: 0", "redeals: 1"))
    assert [place.sign for place in scene(again).places if place.pile == "stock"] == ["redeal"]


def test_unseen_cards_of_the_waste_lie_face_down() -> None:
    state = State.start(DEAL)
    for _ in range(4):
        state = state.play("T")
    view = View(state, frozenset(state.waste[1:3]))
    assert [placed.card for placed in scene(view).cards if placed.pile == "waste"] == (
        [state.waste[0], None, None, state.waste[3]]
    )


@pytest.mark.parametrize("lang", ["en", "it"])
def test_everything_has_a_name(lang: str) -> None:
    shown = scene(Table.of(DEAL).play("T"), texts=texts(lang))
    face_up = [placed.name for placed in shown.cards if placed.card]
    assert len(set(face_up)) == len(face_up) == 10
    assert ("king of clubs, waste" if lang == "en" else "re di fiori, scarti") in face_up
    assert len({place.name for place in shown.places}) == 13  # three foundations are not begun
    assert (
        shown.description
        == {
            "en": "cells: Q♦ T♠ J♦ 7♠ 8♥ 9♠ 7♣ Q♣; pivot: 10 cards; foundations: 5♠; stock: 32 cards; "
            "waste: 1 card, K♣",
            "it": "celle: D♦ 10♠ F♦ 7♠ 8♥ 9♠ 7♣ D♣; perno: 10 carte; case: 5♠; mazzo: 32 carte; scarti: 1 carta, R♣",
        }[lang]
    )


@given(states())
def test_a_scene_as_json(state: State) -> None:
    moves = state.legal_moves()
    shown = scene(state, highlight=moves[0] if moves else None)
    data = json.loads(json.dumps(scene_as_json(shown)))
    assert [placed["card"] for placed in data["cards"]] == [
        None if placed.card is None else str(placed.card) for placed in shown.cards
    ]
    for name in ("places", "cards", "counts"):
        for value, written in zip(getattr(shown, name), data[name], strict=True):
            assert {**written, "card": None} == {
                **{key: getattr(value, key) for key in written},
                "card": None,
            }
    assert data["highlight"] == (
        None
        if shown.highlight is None
        else {"move": str(moves[0]), "start": [*shown.highlight.start], "end": [*shown.highlight.end]}
    )
    assert (data["width"], data["height"], data["description"]) == (shown.width, shown.height, shown.description)


# Pictures


@given(states())
def test_a_picture_is_whole_by_itself(state: State) -> None:
    moves = state.legal_moves()
    text = picture(state, highlight=moves[0] if moves else None)
    root = ET.fromstring(text)  # noqa: S314 - our own
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "title", "desc", "rect", "g", "path"}
    assert not {"id", "class", "style", "href"} & {name for element in root.iter() for name in element.attrib}
    assert "url(" not in text
    assert [root[at].tag for at in (0, 1)] == [f"{SVG}title", f"{SVG}desc"]
    assert (root[0].text, root[1].text) == ("The table", scene(state).description)


def test_notebooks_show_pictures() -> None:
    state = State.start(DEAL)
    for value in (Table.of(DEAL), state, View.of(state)):
        assert value._repr_svg_() == picture(value)  # type: ignore[union-attr]


def test_the_size_and_the_colours() -> None:
    table = Table.of(DEAL)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', picture(table, card_width=40))
    shown = scene(table)
    assert size is not None
    assert [float(text) for text in size.groups()] == pytest.approx(
        [shown.width * 2 / 3, shown.height * 2 / 3], abs=0.01
    )
    assert FOUR_COLOURS[0] not in picture(table)
    assert FOUR_COLOURS[0] in picture(table, four_colours=True)
    assert len(set(FOUR_COLOURS)) == 4
    assert len(set(TWO_COLOURS)) == 2
    for width in (0, -1, float("nan"), float("inf"), "40"):
        with pytest.raises(InvalidChoice):
            picture(table, card_width=width)  # type: ignore[arg-type]
    assert "<title>Il tavolo</title>" in picture(table, lang="it")


def test_every_face_is_another() -> None:
    root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{faces()}</svg>')  # noqa: S314
    symbols = {symbol.get("id"): b"".join(map(ET.tostring, symbol)) for symbol in root}
    cards = {f"card-{card}" for card in CARDS}
    assert set(symbols) == cards | {"card-back", "place", "redeal", "redeal-sign"} | {f"place-{rank}" for rank in RANKS}
    assert len(set(symbols.values())) == len(symbols)


def shown_in_docs() -> str:
    """Draw the first table of a won game on which a card goes from a cell to its foundation beside a large waste."""
    table = Table.of(Deal.from_seed(2))
    for move in solve(Deal.from_seed(2)).line or ():
        if len(table.state.waste) > 5 and move.card in {cell[-1] for cell in table.state.tableau}:
            break
        table = table.play(move)
    return picture(table, highlight=move)


def test_the_picture_in_the_docs_is_what_is_drawn() -> None:
    assert (DOCS / "table.svg").read_text(encoding="utf-8") == shown_in_docs()


# The command


def test_a_deal_is_drawn_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deal.svg"
    result = perno("deal", "42", "--picture", str(path))
    assert (result.exit_code, result.stdout) == (0, f"{DEAL}\n")
    assert path.read_text(encoding="utf-8") == picture(Table.of(DEAL))
    perno("--lang", "it", "deal", "--won", "--rules", "perno-obliged", "--picture", str(path))
    assert "<title>Il tavolo</title>" in path.read_text(encoding="utf-8")


def test_a_picture_is_of_one_deal(tmp_path: Path) -> None:
    result = perno("deal", "1:3", "--picture", str(tmp_path / "deal.svg"))
    assert result.exit_code == 2
    assert result.stderr.endswith("Error: --picture and --sheet are for one deal, and not for 2\n")
    assert perno("deal", "1", "--picture", "/nowhere/deal.svg").stderr == (
        "Error: /nowhere/deal.svg: no such directory to write into\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_hint_is_drawn_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "hint.svg"
    perno("hint", "--seed", "2", "--moves", "T T T", "--seen", "all", "--picture", str(path))
    table = Table.of(Deal.from_seed(2)).play("T").play("T").play("T")
    assert path.read_text(encoding="utf-8") == picture(table, highlight=Move.from_text("F:AH"))
    view = View.of(table.state, str(table.state.waste[0]))
    (tmp_path / "view.txt").write_text(str(view), encoding="utf-8")
    perno("hint", "--file", str(tmp_path / "view.txt"), "--worlds", "3", "--picture", str(path))
    assert path.read_text(encoding="utf-8") in {picture(view, highlight=move) for move in view.legal_moves()}


def test_a_picture_has_the_letters_of_its_language() -> None:
    table = Table.of(Deal.from_seed(2))  # whose cells have a jack and a queen
    english, italian = (picture(table, lang=lang).partition("</desc>")[2] for lang in ("en", "it"))
    assert english != italian
