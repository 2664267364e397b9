"""The page at which is played, in a real browser: whole games, advice, reviews, both languages, all panels.

A folder named by PERNO_SCREENSHOTS gets pictures of what it looks like.
"""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from browsing import violations

from perno_solver import Deal, Game, play_out, solve
from perno_solver.solve.players import greedy
from perno_solver.web.folder import Folder
from perno_solver.web.kept import read

LINE = [str(move) for move in solve(Deal.from_seed(11), evidence=False).line]
LOST = play_out(Deal.from_seed(2), greedy)


@contextmanager
def served(folder, *args):
    """Run `perno play`; yield the address."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "perno_solver", "play", "--no-browser", *args],
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


class Visit:
    """A page at which is played."""

    def __init__(self, pages, address, **settings):
        self.page = pages.open(address, **{"locale": "en-GB", "width": 1280, **settings})
        self.wrong = pages.wrong

    @property
    def at(self):
        return self.page.evaluate("perno.table?.at")

    @property
    def moves(self):
        return self.page.evaluate("perno.table.moves")

    def settled(self, at=None):
        """Wait until nothing is under way any more."""
        self.page.wait_for_function(
            "at => perno?.table && (at === null || perno.table.at === at) && !document.getAnimations().length", arg=at
        )

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True).first

    def card(self, move):
        """Find what a move begins with, on the table."""
        known = next(each for each in self.moves if each["move"] == move)
        if known["card"]:
            return self.page.locator(f'svg.table .card[data-card="{known["card"]}"]')
        return self.page.locator('svg.table [data-pile="stock"].can-move').last

    def more(self, name):
        self.page.locator("summary").click()
        self.page.locator(".menu").get_by_role("button", name=name, exact=True).click()

    def picture(self, name):
        folder = os.environ.get("PERNO_SCREENSHOTS")
        if folder:
            self.page.wait_for_function("() => !document.getAnimations().length")
            self.page.screenshot(path=f"{folder}/{name}.png")

    def accessible(self):
        """Ask axe, which finds nothing that keeps people out."""
        return violations(self.page)


@pytest.fixture
def visit(pages, tmp_path):
    """Begin games, and look at them; nothing is asked of anybody else."""
    ends = []

    def at(*args, **settings):
        if not ends:
            ends.append(served(tmp_path, *args))
            begin.address = ends[0].__enter__()
        return Visit(pages, begin.address, **settings)

    def begin(*args, **settings):
        found = at(*args, **settings)
        found.settled()
        return found

    begin.at = at
    begin.games = Folder(tmp_path / "perno_solver" / "games")
    yield begin
    for end in ends:
        end.__exit__(None, None, None)
    server = begin.address.partition("#")[0]
    assert [asked for asked in pages.asked if not asked.startswith((server, f"blob:{server[:17]}"))] == []


def test_a_game_is_won_by_clicks(visit):
    table = visit("--seed", "11", reduced_motion="reduce")
    for at, move in enumerate(LINE):
        table.card(move).click(force=True)
        table.page.wait_for_function("at => perno.table.at === at", arg=at + 1)
    table.settled(len(LINE))
    assert "Won!" in table.page.locator(".end").inner_text()
    table.picture("won")
    assert table.accessible() == []


def test_a_game_is_won_by_keyboard(visit):
    table = visit("--seed", "11", reduced_motion="reduce")
    for at, move in enumerate(LINE):
        if move == "T":
            table.page.keyboard.press("t")
        else:
            table.card(move).focus()
            table.page.keyboard.press("Enter")
        table.page.wait_for_function("at => perno.table.at === at", arg=at + 1)
    assert "Won!" in table.page.locator(".end").inner_text()


def test_a_game_is_won_by_touch(visit):
    table = visit("--seed", "11", has_touch=True, is_mobile=True, width=360, height=740, reduced_motion="reduce")
    for at, move in enumerate(LINE):
        table.card(move).tap(force=True)
        table.page.wait_for_function("at => perno.table.at === at", arg=at + 1)
    assert "Won!" in table.page.locator(".end").inner_text()


def test_cards_are_dragged_to_their_places_and_fall_back_from_others(visit):
    table = visit("--seed", "11")
    assert LINE[0] == "F:7H"
    card = table.card("F:7H").bounding_box()
    places = table.page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".place")].map((place) => {
        const {x, y, width, height} = place.getBoundingClientRect();
        return [place.dataset.pile, [x + width / 2, y + height / 2]];
    }))""")
    mouse = table.page.mouse

    def drag(to):
        mouse.move(card["x"] + 20, card["y"] + 20)
        mouse.down()
        mouse.move(*places["pivot"], steps=4)
        mouse.move(*to, steps=4)

    drag(places["cell 1"])
    mouse.up()
    table.settled()
    assert table.at == 0
    assert table.card("F:7H").bounding_box() == card
    to = table.moves[[move["move"] for move in table.moves].index("F:7H")]["to"]
    drag(places[to])
    assert table.page.locator(".target").count() == 1
    table.picture("dragged")
    mouse.up()
    table.settled(1)


def test_undo_redo_and_restart(visit):
    table = visit("--seed", "11")
    table.page.keyboard.press("r")
    table.settled(2)
    table.page.keyboard.press("r")
    table.page.wait_for_function("() => perno.table.at > 2")
    after = table.at
    table.button("Undo").click()
    table.settled(2)  # the whole run
    table.button("Redo").click()
    table.settled(3)
    table.page.keyboard.press("Control+y")
    table.settled(4)
    for at in (3, 2, 0):
        table.page.keyboard.press("u")
        table.settled(at)
    assert table.page.locator("button", has_text="Undo").is_disabled()
    assert table.page.evaluate("perno.table.length") == after
    for at in range(1, after + 1):
        table.page.keyboard.press("y")
        table.settled(at)
    table.more("Start again")
    table.settled(0)


def test_a_hint_shows_odds_on_the_cards_and_says_why(visit):
    table = visit("--seed", "11")
    table.page.keyboard.press("r")
    table.settled(2)
    table.button("Hint").click()
    table.page.wait_for_selector(".badge.best")
    table.page.wait_for_selector(".advice .faint")
    shown = table.page.locator(".badge").all_text_contents()
    assert len(shown) == 3
    assert all(re.fullmatch(r"(★ )?\d+ %", text) for text in shown)
    assert "of the ways the unseen cards can lie" in table.page.locator(".advice").inner_text()
    table.picture("hint")
    assert table.accessible() == []
    table.page.locator(".moves .best").click()
    table.settled(3)
    assert table.page.locator(".badge").count() == 0


def test_it_says_whether_the_game_can_still_be_won_and_the_truth_to_who_peeks(visit):
    table = visit("--seed", "11")
    table.more("Can it still be won?")
    table.page.wait_for_selector(".chances meter")
    assert "of the ways in which the hidden cards can lie" in table.page.locator(".chances").inner_text()
    assert table.accessible() == []
    table.button("Peek: the truth").click()
    table.page.wait_for_selector(".chances strong")
    assert table.page.locator(".chances").inner_text() == "By all cards, it can still be won."


def test_a_review_finds_where_the_game_was_lost_and_goes_on_from_there(visit, tmp_path):
    path = tmp_path / "lost.txt"
    path.write_text(str(LOST))
    table = visit("--file", str(path))
    assert "No move is left" in table.page.locator(".end").inner_text()
    assert table.accessible() == []
    table.button("Review").click()
    table.page.wait_for_selector(".turns button")
    assert re.match(r"Move \d+: .*\. Better by \d+ points: ", table.page.locator(".turns button").first.inner_text())
    assert table.accessible() == []
    table.button("Peek: from where on was it lost?").click()
    table.page.get_by_text("it was lost with move 58").wait_for()
    table.picture("review")
    table.button("Try again from here").click()
    table.settled(57)
    assert len(visit.games) == 2
    assert table.page.evaluate("perno.table.length") == 57
    table.page.locator(".moves button").first.click()
    table.settled(58)


def test_a_game_goes_on_where_it_was_after_a_reload_and_in_another_window(visit):
    table = visit("--seed", "11")
    table.page.keyboard.press("r")
    table.settled(2)
    table.page.keyboard.press("u")
    table.settled(0)
    table.page.reload()
    table.settled(0)
    table.page.keyboard.press("y")
    table.settled(1)
    other = visit()
    assert other.at == 1
    other.page.keyboard.press("t")
    other.settled(2)
    table.page.keyboard.press("t")
    table.settled(2)
    assert "another window" in table.page.locator(".said").inner_text()


@pytest.mark.parametrize("how", ["easy", "day", "number", "link", "wrong"])
def test_another_deal(visit, how):
    table = visit("--seed", "11")
    first = table.page.evaluate("perno.table.game")
    if how == "link":
        table.page.evaluate("location.hash = 'deal=42&rules=eagle-wing'")
    else:
        table.page.keyboard.press("n")
        assert table.accessible() == []
    if how == "easy":
        table.button("Easy").click()
    elif how == "day":
        table.button("Today's deal").click()
    elif how in {"number", "wrong"}:
        table.page.get_by_label("Rules").select_option("eagle-wing")
        table.page.get_by_label("Deal number").fill("42" if how == "number" else "9" * 20)
        table.page.keyboard.press("Enter")
    if how == "wrong":
        table.page.get_by_text("the number of a deal").wait_for()
        table.wrong.clear()
        return
    table.page.wait_for_function("game => perno.table.game !== game", arg=first)
    table.settled(0)
    title = table.page.locator("h1").inner_text()
    wanted = {"easy": "Easy deal", "day": "Deal of 20"}.get(how, "Deal 42 · eagle-wing")
    assert title.startswith(wanted)
    if how in {"number", "link"}:
        (game,) = [game for game in visit.games if game != first]
        kept = read(visit.games[game])
        assert (kept.game.start, str(kept.game.rules)) == (Deal.from_seed(42), "eagle-wing")


PANELS = ["Games", "Statistics", "Rules", "How to play well", "Settings", "Keys", "Review"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(320, 640), (1280, 800)])
def test_every_panel_is_accessible_and_fits(visit, size, theme):
    table = visit("--seed", "11", width=size[0], height=size[1], color_scheme=theme)
    table.page.keyboard.press("r")
    table.settled(2)
    table.picture(f"table-{size[0]}-{theme}")
    table.page.locator("summary").click()
    table.page.evaluate("perno.fail({message: 'Something is wrong.'})")
    table.picture(f"menu-{size[0]}-{theme}")
    assert table.accessible() == []
    table.page.keyboard.press("Escape")
    for name in PANELS:
        table.more(name)
        table.page.wait_for_selector("dialog")
        table.page.wait_for_timeout(150)
        table.picture(f"{name.split()[0].lower()}-{size[0]}-{theme}")
        assert table.accessible() == [], name
        over = "(found) => found.scrollWidth - found.clientWidth"
        assert [table.page.locator(each).evaluate(over) for each in ("html", "dialog")] == [0, 0], name
        table.page.keyboard.press("Escape")
        table.page.wait_for_function("() => !document.querySelector('dialog')")


def test_it_speaks_italian_to_italians_and_to_who_wants_it(visit):
    table = visit("--seed", "11", locale="it-IT")
    assert table.page.locator("html").get_attribute("lang") == "it"
    table.page.keyboard.press("r")
    table.settled(2)
    table.page.keyboard.press("h")
    table.page.wait_for_selector(".advice .faint")
    table.picture("italian")
    words = table.page.locator("body").inner_text()
    for english in ("Undo", "Turn", "Hint", "foundation", "hidden", "stock", "waste"):
        assert not re.search(rf"\b{english}\b", words)
    assert "alla sua casa" in words
    names = table.page.evaluate(
        "[...document.querySelectorAll('svg.table [role]')].map((there) => there.getAttribute('aria-label'))"
    )
    assert any("picche" in name for name in names)
    assert not any(re.search(r"of|card|cell\b", name) for name in names)
    for name in table.page.locator(".menu button").all_text_contents():
        assert name not in PANELS
    english = visit(locale="de-DE")
    assert english.page.locator("html").get_attribute("lang") == "en"
    english.more("Settings")
    english.page.get_by_label("Language").select_option("it")
    english.page.wait_for_function("() => document.documentElement.lang === 'it' && globalThis.perno?.table")
    english.settled()


def test_automatic_play_is_off_and_can_be_put_on(visit, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(str(Game(Deal.from_seed(11), moves=LINE[:75])))
    table = visit("--file", str(path))
    table.card(LINE[75]).click(force=True)
    table.settled(76)
    table.button("Undo").click()
    table.settled(75)
    table.more("Settings")
    table.page.get_by_label("Play by itself").check()
    table.page.keyboard.press("Escape")
    table.card(LINE[75]).click(force=True)
    table.page.wait_for_function("() => perno.table.at > 76")
    table.settled()
    table.button("Undo").click()
    table.settled(75)  # past all that was played by itself


def test_a_lost_game_is_told_if_asked_to(visit, tmp_path):
    path = tmp_path / "lost.txt"
    path.write_text(str(Game(LOST.start, moves=LOST.moves[:64])))
    table = visit("--file", str(path))
    assert table.page.locator(".end").is_hidden()
    table.more("Settings")
    table.page.get_by_label("Say when a game is lost").check()
    table.page.keyboard.press("Escape")
    table.page.get_by_text("This game is lost for sure").first.wait_for()


def test_games_are_exported_and_imported(visit, tmp_path):
    table = visit("--seed", "11")
    table.page.keyboard.press("r")
    table.settled(2)
    table.more("Games")
    with table.page.expect_download() as download:
        table.page.get_by_role("button", name=re.compile("^Export: ")).click()
    path = tmp_path / "exported.txt"
    download.value.save_as(path)
    assert len(Game.from_text(path.read_text()).moves) == 2
    table.page.locator("#import").set_input_files(path)
    table.page.wait_for_function("() => !document.querySelector('dialog')")
    table.settled(2)
    assert len(visit.games) == 2


def test_less_motion_is_heeded(visit):
    table = visit("--seed", "11", reduced_motion="reduce")
    table.page.keyboard.press("r")
    table.page.wait_for_function("() => perno.table.at === 2")
    assert table.page.evaluate("document.getAnimations().length") == 0
    moving = visit()
    moving.page.keyboard.press("u")
    moving.page.wait_for_function("() => perno.table.at === 1")
    assert moving.page.evaluate("document.getAnimations().length") > 0
    moving.settled()


def test_what_was_done_is_read_out(visit):
    table = visit("--seed", "11")
    live = table.page.locator('[aria-live="polite"]')
    table.card("F:7H").click(force=True)
    table.settled(1)
    assert live.inner_text() == "7♥ to its foundation; the pivot's J♦ fills its place."
    assert table.card("T").get_attribute("aria-label") == "a face-down card, stock. Turning"


def _with_choice():
    """Find a position in which a card may go to two places."""
    for seed in range(100):
        line = solve(Deal.from_seed(seed), rules="eagle-wing-packed", evidence=False).line or ()
        game = Game(Deal.from_seed(seed), "eagle-wing-packed", line)
        for at in range(len(line)):
            cards = [move.card for move in game.state(at).legal_moves() if move.card]
            twice = next((card for card in cards if cards.count(card) > 1), None)
            if twice:
                return Game(game.start, game.rules, line[:at]), str(twice)
    raise AssertionError


def test_where_cards_are_packed_a_card_that_may_go_to_two_places_is_dragged_to_either(visit, tmp_path):
    game, card = _with_choice()
    path = tmp_path / "packed.txt"
    path.write_text(str(game))
    table = visit("--file", str(path))
    choices = [move for move in table.moves if move["card"] == card]
    assert len({choice["to"] for choice in choices}) == 2
    table.picture("packed")
    for choice in choices:
        source = table.card(choice["move"]).bounding_box()
        place = table.page.evaluate(
            """(pile) => {
              const found = [...document.querySelectorAll(`svg.table [data-pile="${pile}"]`)].at(-1);
              const {x, y} = found.getBoundingClientRect();
              return [x, y];
            }""",
            choice["to"],
        )
        table.page.mouse.move(source["x"] + 8, source["y"] + 8)
        table.page.mouse.down()
        table.page.mouse.move(place[0] + 14, place[1] + 14, steps=5)
        table.page.mouse.up()
        table.settled(len(game.moves) + 1)
        where = table.page.locator(f'svg.table .card[data-card="{card}"]').get_attribute("data-pile")
        assert where == choice["to"]
        table.page.keyboard.press("u")
        table.settled(len(game.moves))


def test_house_rules_and_a_language_may_be_asked_for(visit):
    table = visit.at("--rules", "perno,redeals=3", "--lang", "it")
    assert table.page.get_by_label("Regole").input_value() == "perno,redeals=3"
    table.picture("new-italian")
    table.page.get_by_label("Numero della smazzata").fill("42")
    table.page.keyboard.press("Enter")
    table.settled(0)
    assert table.page.evaluate("perno.table.rules") == "perno,redeals=3"
    table.page.reload()
    table.settled(0)
    assert table.page.locator("html").get_attribute("lang") == "it"


def test_statistics_are_counted(visit):
    table = visit("--seed", "11")
    table.page.keyboard.press("r")
    table.settled(2)
    table.more("Statistics")
    assert table.page.locator("dialog td").all_text_contents() == ["perno", "by number", "1", "0"]


def test_what_goes_wrong_is_told(visit):
    table = visit("--seed", "11")
    table.page.evaluate("perno.ask({do: 'move', game: perno.table.game, move: 'R'}).catch(perno.fail)")
    table.page.locator(".failed", has_text="That move is not possible now.").wait_for()
    table.page.evaluate("perno.ask({do: 'fly'}).catch(perno.fail)")
    table.page.locator(".failed", has_text="expected do").wait_for()


def test_colours_stay_as_they_are_set(visit):
    table = visit("--seed", "11")
    colour = "getComputedStyle(document.querySelector('#card-7D .diamonds')).fill"
    assert table.page.evaluate(colour) == "rgb(31, 86, 196)"
    table.more("Settings")
    table.page.get_by_label("Suits in two colours").check()
    table.page.get_by_label("Colours", exact=True).select_option("dark")
    table.page.reload()
    table.settled()
    assert table.page.evaluate(colour) == "rgb(200, 30, 43)"
    assert table.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 32, 28)"
    assert table.accessible() == []
