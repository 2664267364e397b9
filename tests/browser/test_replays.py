"""A game as a page, in a real browser: stepped through by buttons, keys, the slider and touch, in both languages."""

from pathlib import Path

import pytest
from browsing import violations
from playwright.sync_api import expect

from perno_solver import Deal, Game, Table, annotate, solve
from perno_solver.show.replay import replay
from perno_solver.show.texts import texts
from perno_solver.show.words import in_words

DEAL = Deal.from_seed(2)
LINE = solve(DEAL).line or ()
PACKED = Deal.from_seed(3)
LOST = Game(DEAL, moves="T T T F:AH T T F:AC T T T T T", name="rainy & <b>wet</b>", comments=[(4, "</script><b>!</b>")])


@pytest.fixture
def file(tmp_path: Path):
    def written(game: Game, **settings) -> str:
        path = tmp_path / "game.html"
        path.write_text(replay(game, **settings), encoding="utf-8")
        return path.as_uri()

    return written


def shown(page) -> dict[str, str]:
    """Read what lies face-up on the table of a page, once everything is at rest."""
    page.wait_for_function("() => document.getAnimations().length === 0")
    cards = page.locator("#table .cards [data-card]")
    return dict(cards.evaluate_all("all => all.map(one => [one.dataset.card, one.dataset.pile])"))


def lies(table: Table) -> dict[str, str]:
    state = table.state
    cards = {str(card): f"cell {at}" for at, cell in enumerate(table.cells, start=1) for card in cell}
    cards |= {str(card): "waste" for card in state.waste[-6:]}
    if state.pivot_card:
        cards[str(state.pivot_card)] = "pivot"
    tops = [state.card_at(suit, state.foundations[suit] - 1) for suit in table.suits]
    return cards | {str(card): f"foundation {at}" for at, card in enumerate(tops, start=1)}


def test_a_whole_game_by_keys(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE, name="#2")), locale="en-GB", reduced_motion="reduce")
    assert page.title() == "Perno Variabile #2"
    table = Table.of(DEAL)
    assert shown(page) == lies(table)
    for number, move in enumerate(LINE, start=1):
        before, table = table.state, table.play(move)
        page.keyboard.press("ArrowRight")
        words = in_words(before, move, table.state)
        assert page.text_content("#words") == words
        assert shown(page) == lies(table)
        assert page.text_content("#position pre") == table.text
        won = " The game is won." if number == len(LINE) else ""
        assert page.text_content("#live") == f"Move {number} of {len(LINE)}: {words}{won}"
    page.keyboard.press("ArrowRight")
    assert page.is_disabled("#forward")
    page.keyboard.press("Home")
    assert shown(page) == lies(Table.of(DEAL))
    page.keyboard.press("End")
    assert shown(page) == lies(table)
    assert len(pages.asked) == 1  # the file itself


@pytest.mark.parametrize("width", [320, 1200])
def test_moving_cards_end_where_they_are_to_lie(pages, file, width: int) -> None:
    """Back and forth, also faster than the cards move, all are where they would be without any motion."""
    game = Game(DEAL, moves=LINE)
    page = pages.open(file(game), width=width, reduced_motion="no-preference")
    still = pages.open(file(game), width=width, reduced_motion="reduce")
    where = """() => [...document.querySelectorAll('#table .cards > *')].map(
        one => `${one.dataset.id} ${one.dataset.pile} ${one.getAttribute('transform')}`)"""
    for keys in (["ArrowRight"] * 9, ["ArrowLeft"] * 3, ["ArrowRight"] * 40, ["ArrowLeft", "ArrowRight"] * 3, ["End"]):
        for key in keys:
            page.keyboard.press(key)
            still.keyboard.press(key)
        page.wait_for_timeout(400)
        page.wait_for_function("() => document.getAnimations().length === 0")
        assert page.evaluate(where) == still.evaluate(where)


def test_buttons_slider_and_list(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE)), locale="en")
    page.click("#forward")
    page.click("#forward")
    page.click("#backward")
    assert page.text_content("#number") == f"1 of {len(LINE)}"
    page.click("#last")
    assert page.text_content("#number") == f"{len(LINE)} of {len(LINE)}"
    page.click("#first")
    page.focus("#slider")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert page.text_content("#number") == f"5 of {len(LINE)}"
    page.locator("#slider").fill("60")
    assert page.text_content("#number") == f"60 of {len(LINE)}"
    assert page.get_attribute("#slider", "aria-valuetext").startswith(f"Move 60 of {len(LINE)}: ")
    page.click("#moves li:nth-child(8) button")
    assert page.text_content("#number") == f"7 of {len(LINE)}"
    assert page.locator("#moves [aria-current=step]").count() == 1


def test_it_plays_by_itself_and_stops_at_the_end(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE[:3])), locale="en")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    expect(page.locator("#number")).to_have_text("3 of 3")
    assert page.get_attribute("#play", "aria-label") == "Play"
    page.click("#play")  # once more from the beginning
    expect(page.locator("#number")).to_have_text("1 of 3")
    page.click("#play")
    assert page.get_attribute("#play", "aria-label") == "Play"


def test_touch(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE)), width=360, height=740, has_touch=True, is_mobile=True, locale="it")
    box = page.locator("#table").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + 50)
    page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + 50)
    page.touchscreen.tap(box["x"] + box["width"] * 0.1, box["y"] + 50)
    assert page.text_content("#number") == f"1 di {len(LINE)}"
    page.mouse.move(box["x"] + 250, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 60)
    page.mouse.up()
    assert page.text_content("#number") == f"2 di {len(LINE)}"


def test_both_languages(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE)), locale="it-IT")
    page.keyboard.press("ArrowRight")
    assert page.text_content("#words") == "gira 6♣"
    assert page.evaluate("document.documentElement.lang") == "it"
    page.click("#languages [lang=en]")
    assert page.text_content("#words") == "turn 6♣"
    assert page.get_attribute("#table", "aria-label").startswith("cells: 4♠ 3♥ 3♣ 8♦ ")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert pages.open(file(Game(DEAL, moves=LINE), lang="it"), locale="en").text_content("#words") == "La distribuzione"
    english = {line for line in page.inner_text("main").splitlines() if len(line) > 3}
    page.click("#languages [lang=it]")
    italian = {line for line in page.inner_text("main").splitlines() if len(line) > 3}
    assert english & italian == {"Perno Variabile", "English", "Italiano"}


def test_the_move_that_lost_is_marked(pages, file) -> None:
    page = pages.open(file(LOST, verdicts=annotate(DEAL, LOST.moves)), locale="en")
    page.click("#lost")
    assert page.text_content("#number") == "10 of 12"
    assert page.text_content("#verdict") == "This move lost the game."
    assert page.is_visible("#mark")
    assert page.locator("#moves .lost-here").count() == 1
    page.click("#backward")
    assert (page.text_content("#verdict"), page.get_attribute("#verdict", "class")) == ("won", "verdict won")
    page.click("#moves li:nth-child(5) button")
    assert page.text_content("#comments") == "</script><b>!</b>"
    assert page.text_content("h1") == f"Perno Variabile {LOST.name}"
    page = pages.open(file(Game(DEAL, moves=LINE)))
    assert page.is_hidden("#lost")
    assert page.is_hidden("#mark")


def test_the_position_is_copied(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE[:9])), locale="en", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("End")
    page.click("#position summary")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    table = Table.of(DEAL)
    for move in LINE[:9]:
        table = table.play(move)
    assert page.evaluate("navigator.clipboard.readText()") == table.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
def test_axe_finds_nothing(pages, file, scheme: str, width: int) -> None:
    page = pages.open(
        file(LOST, verdicts=annotate(DEAL, LOST.moves)), width=width, color_scheme=scheme, reduced_motion="reduce"
    )
    page.click("#position summary")
    assert violations(page) == []
    page.click("#lost")
    assert violations(page) == []
    page.click("#languages [lang=it]")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_packed_games_keep_their_height(pages, file) -> None:
    line = solve(DEAL, rules="perno-packed").line or ()
    first = next(at for at, move in enumerate(line) if str(move).startswith("P:"))
    for width in (360, 1000):
        page = pages.open(file(Game(DEAL, "perno-packed", line)), width=width, reduced_motion="reduce")
        boxes = set()
        for at in (1, first, first + 1, len(line)):
            page.locator("#slider").fill(str(at))
            boxes.add(page.get_attribute("#table", "viewBox"))
        assert len(boxes) == 1


def test_the_page_may_ask_for_nothing(pages, file) -> None:
    page = pages.open(file(Game(DEAL, moves=LINE[:3])))
    asked = page.evaluate("fetch('https://example.org').then(() => 'answered', () => 'refused')")
    assert asked == "refused"
    assert page.evaluate("() => { try { return eval('1 + 1') } catch { return 'refused' } }") in {2, "refused"}
    assert any("Content Security Policy" in text for text in pages.wrong)
    pages.wrong.clear()


def test_words_are_those_of_the_catalogues() -> None:
    """The words that a page says in Italian are translated, all of them."""
    page = replay(Game(DEAL, moves=LINE[:1]))
    assert texts("it").gettext("Go to the move that lost") in page
