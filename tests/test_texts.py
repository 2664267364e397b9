"""The words of other languages are whole, and say what the English ones do; their cards are read."""

import ast
import re
import sys
from gettext import GNUTranslations
from io import BytesIO, TextIOWrapper
from pathlib import Path
from string import Formatter

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from perno_solver import (
    CARDS,
    Deal,
    Game,
    InvalidCard,
    InvalidChoice,
    PernoError,
    Share,
    State,
    Table,
    View,
    cli,
    solve,
)
from perno_solver.cli.language import told_reason
from perno_solver.game.moves import parse_line
from perno_solver.show.spelling import elsewhere, spelled
from perno_solver.show.texts import LANGUAGES, card_name, catalogue_as_json, pretty, rank_letter, suit_letter, texts
from perno_solver.show.words import followed, in_words, named
from perno_solver.solve.hint import advise
from perno_solver.solve.odds import odds

pytest.importorskip("babel")

import catalogues

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
DECKS = Path(__file__).parent / "data" / "decks"
DEAL = Deal.from_seed(42)


def perno(*args: str, stdin: str | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner(env=env).invoke(cli.main, args, input=stdin, prog_name="perno")


# Catalogues


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_has_a_catalogue() -> None:
    assert list(catalogues.LANGUAGES) == OTHERS


@pytest.mark.parametrize("lang", OTHERS)
def test_a_catalogue_is_up_to_date_and_compiled(lang: str) -> None:
    text = catalogues.path(lang, "po").read_bytes()
    assert catalogues.text(catalogues.updated(lang)) == text, "run python tests/catalogues.py"
    ours, compiled = (
        vars(GNUTranslations(BytesIO(data)))["_catalog"]
        for data in (catalogues.path(lang, "mo").read_bytes(), catalogues.compiled(text))
    )
    assert ours | {"": None} == compiled | {"": None}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_message_is_translated_with_its_fields(lang: str) -> None:
    catalogue = catalogues.read(lang)
    assert len(catalogue) > 100
    for message in catalogue:
        if not message.id:
            continue
        english = message.id if isinstance(message.id, tuple) else (message.id,)
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        assert len(translated) == len(english)
        assert not message.fuzzy, message.id
        for theirs, ours in zip(english, translated, strict=True):
            assert ours.strip(), message.id
            assert fields(ours) == fields(theirs), message.id


def test_no_words_are_missed_in_the_sources() -> None:
    """Babel does not see into f-strings."""
    known = {message.id for message in catalogues.extracted() if isinstance(message.id, str)}
    known |= {message.id[0] for message in catalogues.extracted() if isinstance(message.id, tuple)}
    at = {"_": 0, "gettext": 0, "ngettext": 0, "pgettext": 1, "counted": 1}
    found = set()
    for path in catalogues.PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in at and len(node.args) > at[name]:
                    words = node.args[at[name]]
                    if isinstance(words, ast.Constant):
                        found.add(words.value)
    assert len(found) > 100
    assert found <= known


@pytest.mark.parametrize("lang", OTHERS)
def test_a_catalogue_as_json_says_what_gettext_says(lang: str) -> None:
    said, found = texts(lang), catalogue_as_json(lang)
    assert found["{number} card"] == [said.ngettext("{number} card", "{number} cards", n) for n in (1, 2)]
    assert found["on cards\x04J"] == said.pgettext("on cards", "J") == "F"
    assert found["pivot"] == "perno"
    assert "" not in found
    assert catalogue_as_json("en") == {}


def test_a_language_that_is_none_is_refused() -> None:
    for lang in ("fr", "", None):
        with pytest.raises(InvalidChoice, match="expected a language, one of en, it"):
            texts(lang)  # type: ignore[arg-type]


# Words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_have_names_of_their_own(lang: str) -> None:
    said = texts(lang)
    assert len({card_name(card, said) for card in CARDS}) == len({pretty(card, said) for card in CARDS}) == 52
    assert len({suit_letter(suit, said) for suit in range(4)}) == 4
    assert len({rank_letter(rank, said) for rank in range(1, 14)}) == 13


def test_english_letters_are_those_that_the_package_writes() -> None:
    assert [rank_letter(card.rank) + suit_letter(card.suit) for card in CARDS] == [str(card) for card in CARDS]
    assert [pretty(card) for card in CARDS] == [card.pretty for card in CARDS]


def test_a_game_in_italian() -> None:
    said, table = texts("it"), Table.of(DEAL)
    assert table.drawn(60, said).splitlines()[0] == "    D♦   10♠    F♦    7♠   [10]      8♥    9♠    7♣    D♣"
    told = followed(Table.of(Deal.from_seed(2)), "T T T F:AH", texts=said)
    assert told.endswith("   1  gira 6♣\n   2  gira 6♠\n   3  gira A♥\n   4  A♥ alla sua casa")
    assert named(parse_line("R")[0], said) == "rivoltare gli scarti"


@pytest.mark.parametrize("columns", [40, 60])
def test_a_table_in_italian_is_no_wider(columns: int) -> None:
    table = Table.of(Deal.from_seed(2))
    for move in solve(Deal.from_seed(2)).line or ():
        assert all(len(line) <= columns for line in table.drawn(columns, texts("it")).splitlines())
        table = table.play(move)


@pytest.mark.parametrize("lang", OTHERS)
def test_no_english_is_left_in_a_whole_game(lang: str) -> None:
    deal = Deal.from_seed(2)
    line = solve(deal).line or ()
    english, other = followed(Table.of(deal), line), followed(Table.of(deal), line, texts=texts(lang))
    words = set(re.findall(r"[a-z]{3,}", english))
    assert words & set(re.findall(r"[a-z]{3,}", other)) == set()
    state = State.start(deal)
    for move in line:
        after = state.play(move)
        assert in_words(state, move, after, texts(lang)).count(";") == in_words(state, move, after).count(";")
        state = after


def test_a_hint_in_italian() -> None:
    found = odds(Game(Deal.from_seed(2), moves="T T T").view(seen="all"))
    assert advise(found).reason == "A♥ to its foundation wins for sure, turning never"
    assert advise(found, texts("it")).reason == "A♥ alla sua casa vince di sicuro, girare una carta mai"


def test_what_is_undecided_is_not_said_to_be_lost() -> None:
    found = odds(Game(Deal.from_seed(2), moves="T T T").view(seen="all"))
    (best, good), (other, _) = found.moves
    undecided = evolve(found, moves=((best, good), (other, Share(0, 1, 1, exact=True))))
    assert advise(undecided).reason == "A♥ to its foundation wins for sure, turning is undecided"
    assert advise(undecided, texts("it")).reason == "A♥ alla sua casa vince di sicuro, girare una carta resta incerta"


# Cards as they are read


def italian(text: str) -> str:
    said = texts("it")
    return re.sub(
        r"\b[A2-9TJQK][CDHS]\b",
        lambda found: (
            (card := CARDS[[str(card) for card in CARDS].index(found[0])])
            and rank_letter(card.rank, said) + suit_letter(card.suit, said)
        ),
        text,
    )


def test_an_italian_deck() -> None:
    text = (DECKS / "italian.txt").read_text(encoding="utf-8")
    assert Deal.from_text(spelled(text, "it")) == DEAL
    assert Deal.from_text(spelled(text.lower(), "it")) == DEAL
    symbols = " ".join(pretty(card, texts("it")) + "\ufe0f" for card in DEAL.cards)
    assert Deal.from_text(spelled(symbols, "it")) == DEAL
    assert spelled(str(DEAL), "it") == str(DEAL)
    assert spelled(text, "en") == text
    assert spelled('["FP", "RC"]', "it") == '["JS", "KH"]'


def test_an_italian_position() -> None:
    for seed in (2, 3, 42):
        state = State.start(Deal.from_seed(seed)).play("T")
        block = italian(str(state))
        for base, letter in (("J", "F"), ("Q", "D"), ("K", "R"), ("T", "10")):
            block = block.replace(f"base: {base}\n", f"base: {letter}\n")
        assert block != str(state)
        assert State.from_text(spelled(block, "it")) == state
        view = str(View.of(state))
        assert spelled(italian(view), "it") == view


def test_moves_and_names_are_no_cards() -> None:
    record = f"game: RC and KC\nrules: perno\ndeck: {italian(str(DEAL))} # FP\nmoves: T T\n# KS\n"
    game = Game.from_text(spelled(record, "it"))
    assert (game.start, game.name, game.comments) == (DEAL, "RC and KC", ((0, "FP"), (2, "KS")))
    assert spelled("FP 2C\nmoves: T F:5C e:KC", "it") == "JS 2H\nmoves: T F:5C e:KC"
    assert spelled("base: A\nwaste: FP", "it") == "base: A\nwaste: JS"
    assert spelled("base: f\nwaste: FP # FP", "it") == "base: J\nwaste: JS # FP"
    assert spelled("base: X\nwaste: FP", "it") == "base: X\nwaste: JS"


def test_nothing_is_guessed() -> None:
    with pytest.raises(
        InvalidCard, match="cards in two languages: FP is Italian, and KC is English; expected one of them"
    ):
        spelled("5C FP KC", "it")
    with pytest.raises(InvalidCard, match=re.escape("5C can be read in two ways: as 5H (Italian) and as 5C (English)")):
        spelled("7♠ 5C", "it")
    assert spelled("7♠ 10♥", "it") == "7♠ 10♥"


def test_who_has_chosen_no_language_is_told_of_it() -> None:
    def said(text: str, lang: str = "en") -> str:
        with pytest.raises(PernoError) as error:
            Deal.from_text(text)
        return elsewhere(error.value, lang)

    assert said("AC fp") == "; in Italian fp is J♠, which --lang it reads"
    assert said("AC XP") == said("AC AC") == ""
    assert said("AC XP", "it") == "; in Italian a rank (A 2 … 10 F D R) then a suit (F Q C P)"


# The command


def test_the_command_speaks_italian() -> None:
    path = str(DECKS / "italian.txt")
    for args in (("--lang", "it", "solve", "--file", path), ("solve", "--file", path, "--lang", "it")):
        result = perno(*args)
        assert result.exit_code == 1
        assert result.stdout.startswith("La partita alla riga 1 non si può vincere con le regole perno.\n")
    assert perno("solve", "--file", path, env={"PERNO_LANG": "it"}).exit_code == 1
    refused = perno("solve", "--file", path, "--lang", "en", env={"PERNO_LANG": "it"})
    assert refused.exit_code == 2
    assert refused.stderr.endswith("; in Italian FP is J♠, which --lang it reads\n")
    assert perno("solve", "--deck", "FP", "--lang", "it").stderr.startswith("Error: --deck, line 1: expected 52 ")


def test_a_language_in_the_environment_that_is_none() -> None:
    result = perno("solve", "--seed", "2", env={"PERNO_LANG": "xx"})
    assert (result.exit_code, result.stderr) == (2, "Error: PERNO_LANG is 'xx', expected one of en, it\n")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("solve", "--seed", "2", "--objective", "moves"), "117 mosse, 3 giri, il minor numero di mosse; "),
        (("solve", "--seeds", "0:3"), "3 partite: 1 vinta, 2 perse, 0 incerte; 15 stati in "),
        (("solve", "--seed", "2", "--objective", "moves", "--max-states", "1"), "il limite di 1 stati è esaurito"),
        (("solve", "--seed", "2", "--show"), "Tutte le 52 carte sono nelle case."),
        (("hint", "--seed", "2", "--moves", "T T T", "--worlds", "3"), "40 carte sono coperte: di 3 modi di disporle"),
        (("annotate", "--seed", "2", "T T T T"), "   4  persa   gira 7♥   <- con questa mossa è persa"),
        (("deal", "42", "--table"), "#    mazzo [33]   scarti --   riprese rimaste 2"),
    ],
)
def test_results_in_italian(args: tuple[str, ...], told: str) -> None:
    assert told in perno("--lang", "it", *args).stdout


def test_italian_in_an_encoding_that_lacks_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = TextIOWrapper(BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(SystemExit):
        cli.main(["--lang", "it", "solve", "--seed", "2", "--show"])
    stream.seek(0)
    told = stream.read()
    assert told.startswith("La partita 2 si puo' vincere con le regole perno.\n")
    assert "   1  gira 6F\n" in told
    assert "\\x" not in told


def test_why_a_search_stopped_is_told_in_every_language() -> None:
    reasons = (
        "interrupted",
        "the budget of 5 states is used up",
        "the machine's memory is used up",
        "a reason of another",
    )
    assert [told_reason(reason) for reason in reasons] == list(reasons)
