"""Whoever does what a sheet says, word by word, has the deal; and sees no card on the way."""

import re
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given

from perno_solver import READINGS, Deal, cli
from perno_solver.game.cards import CARDS
from perno_solver.show.sheet import PILES, passes, sheet, stacked
from perno_solver.show.texts import texts
from perno_solver.strategies import deals


def steps(page: str) -> list[str]:
    """Read a sheet as a person does: its numbered steps, words and numbers, without its picture."""
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    items = re.findall(r"<li>(.*?)</li>", page, re.DOTALL)
    return [unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<th.*?</th>", "", item))) for item in items]


def followed(page: str) -> list[str]:
    """Do what the steps say with a real deck: a list whose first card is the top one."""
    sort, *words = steps(page)
    assert "clubs from ace to king, on them the diamonds, then the hearts, then the spades" in " ".join(sort.split())
    face_up = [str(card) for card in CARDS]  # as they were laid, the lowest first
    deck = face_up  # turned over, the lowest is the top
    for dealing, stacking in (words[:2], words[2:4]):
        numbers = [int(text) for text in dealing.split(":")[-1].split("Tick off what is done.")[-1].split()]
        assert len(numbers) == 52
        piles: dict[int, list[str]] = {}
        for number in numbers:
            piles.setdefault(number, []).insert(0, deck.pop(0))
        said = {int(pile): int(cards) for pile, cards in re.findall(r"pile (\d+): (\d+)", stacking)}
        assert said == {pile: len(cards) for pile, cards in piles.items()}
        (order,) = re.findall(r"lowest is pile (\d+), on it come ([\d, ]+), and on top pile (\d+)\.", stacking)
        lowest_first = [int(pile) for pile in re.findall(r"\d+", " ".join(order))]
        assert sorted(lowest_first) == sorted(piles)
        for pile in lowest_first:
            deck = piles[pile] + deck
    assert words[4].strip().startswith("This is the deal, its first card on top.")
    return deck


@given(deals())
def test_the_words_of_a_sheet_make_the_deal(deal: Deal) -> None:
    assert " ".join(followed(sheet(deal, title="x"))) == str(deal)


@pytest.mark.parametrize("seed", [0, 42, 2**64 - 1])
def test_every_language_has_the_same_numbers(seed: int) -> None:
    deal = Deal.from_seed(seed)
    english, italian = (
        re.findall(r"\d+", " ".join(steps(sheet(deal, title="x", texts=texts(lang))))) for lang in ("en", "it")
    )
    assert english == italian


def test_no_step_names_a_card_but_the_first_of_the_sorted_deck() -> None:
    for step in steps(sheet(Deal.from_seed(7), title="x"))[1:]:
        assert not re.search(r"\b(A|10|[2-9TJQK])[CDHS♣♦♥♠]|of (clubs|diamonds|hearts|spades)", step)


@given(deals())
def test_two_passes_are_enough(deal: Deal) -> None:
    first, second = passes(deal)
    assert {*first, *second} == set(range(1, PILES + 1))
    deck = stacked(CARDS, first, range(1, PILES + 1))
    assert tuple(stacked(deck, second, range(max(second), 0, -1))) == deal.cards


@pytest.mark.parametrize("rules", [READINGS["perno"], READINGS["eagle-wing"]], ids=str)
def test_the_picture_is_of_the_table_under_its_rules(rules) -> None:  # type: ignore[no-untyped-def]
    page = sheet(Deal.from_seed(42), rules, title="x")
    assert f"Count {rules.pivot_size} cards face-down" in page
    assert f"pivot: {rules.pivot_size} cards" in page


def test_the_command(tmp_path: Path) -> None:
    def written(*args: str) -> str:
        path = tmp_path / "sheet.html"
        result = CliRunner().invoke(cli.main, [*args, "--sheet", str(path)], prog_name="perno")
        assert (result.exit_code, result.stdout) == (0, "")  # who lays the cards is not to see them
        return path.read_text(encoding="utf-8")

    plain = written("deal", "42")
    assert " ".join(followed(plain)) == str(Deal.from_seed(42))
    assert "<h1>Perno Variabile, deal 42</h1><p>The rules are perno. By this sheet" in plain
    assert "<p>This deal can be won under the rules perno-obliged. " in written(
        "deal", "--won", "--rules", "perno-obliged"
    )
    assert "<p>Questa partita non si può vincere con le regole perno. " in written("--lang", "it", "deal", "--lost")
    for reaching_out in ("http:", "https:", "//", "src=", "@import"):
        assert reaching_out not in plain.replace("http://www.w3.org/2000/svg", "")


def test_a_deal_is_printed_beside_its_sheet_to_who_asks_for_it(tmp_path: Path) -> None:
    args = ["deal", "42", "--sheet", str(tmp_path / "sheet.html")]
    assert (
        CliRunner().invoke(cli.main, [*args, "--table"], prog_name="perno").stdout.startswith(str(Deal.from_seed(42)))
    )
    assert str(Deal.from_seed(42)) in CliRunner().invoke(cli.main, [*args, "--json"], prog_name="perno").stdout
