"""Cards, decks and files as people and programs write them: read as they are meant, or refused with the reason."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from perno_solver import PERNO, READINGS, Card, Deal, Evidence, InvalidCard, Move, PernoError, State, cli, from_json
from perno_solver import Result as Solved
from perno_solver.cli.reading import Found, read_games
from perno_solver.cli.sources import of_sources
from perno_solver.game.cards import CARDS, card_words, parse_cards

DEAL = Deal.from_seed(42)
OTHER = Deal.from_seed(7)
WORDS = str(DEAL).split()
FILES = Path(__file__).parent / "data" / "decks"
QUICK = ("--rules", "perno-obliged")


def perno(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli.main, args, input=stdin, prog_name="perno")


def decks(text: str) -> list[tuple[Deal, int | None, str]]:
    found = []
    for game in read_games(text, None):
        assert isinstance(game.start, Deal)
        found.append((game.start, game.line, game.name))
    return found


def rows(size: int, words: list[str] = WORDS, end: str = "\n") -> str:
    return end.join(" ".join(words[at : at + size]) for at in range(0, len(words), size)) + end


# Cards


def glyph(card: Card) -> str:
    """Return a card's own character, by its name in Unicode."""
    rank = ["ACE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING"]
    return unicodedata.lookup(f"PLAYING CARD {rank[card.rank - 1]} OF {card.suit.name}")


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_every_spelling_of_a_card(card: Card) -> None:
    suit = card.suit
    outline = "♧♢♡♤"[suit]
    wide = "".join(chr(ord(char) + 0xFEE0) for char in str(card))
    ranks = {str(card)[0], *{1: ["1"], 10: ["10"]}.get(card.rank, [])}
    suits = {str(card)[1], suit.symbol, outline, f"{suit.symbol}\ufe0f", f"{suit.symbol}\ufe0e", f"{outline}\u200d"}
    spellings = {f"{rank}{suit}" for rank in ranks for suit in suits} | {glyph(card), f"{glyph(card)}\ufe0f", wide}
    spellings |= {text.lower() for text in spellings} | {f"\ufeff{card}\u200b", f" {card}\t", f"\u200e{card}"}
    assert len(spellings) >= 14
    assert {Card.from_text(text) for text in spellings} == {card}
    assert Move.from_text(f"F:{suits.pop().join([str(card)[0], ''])}").card == card


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\U0001f0ac", " of this deck but knight of spades"),
        ("\U0001f0bc", " of this deck but knight of hearts"),
        ("\U0001f0cf", " of this deck but black joker"),
        ("\U0001f0bf", " of this deck but red joker"),
        ("\U0001f0a0", " of this deck but back"),
        ("\U0001f0e1", " of this deck but trump-1"),
        ("\U0001f0af", " of this deck but a character without a name"),
        ("А♠", ", as it has cyrillic capital letter a in it"),
        ("7S\u202e", ", as it has right-to-left override in it"),
        ("²S", ", as it has superscript two in it"),
        ("７X", ""),
        ("7\u200bX", ""),
        ("7❤️", ", as it has heavy black heart in it"),
        ("joker", ""),
        ("ace of spades", ""),
        ("S7", ""),
        ("11C", ""),
        ("0C", ""),
        ("1", ""),
        ("7S8S", ""),
        ("7 S", ""),
        ("", ""),
        (7, ""),
        (None, ""),
    ],
)
def test_what_is_no_card(text: str, reason: str) -> None:
    with pytest.raises(InvalidCard) as error:
        Card.from_text(text)
    shown = f"{text!r} is not a card{reason}: expected a rank (A 2 … 9 T J Q K) then a suit (C D H S), as in 7S"
    assert str(error.value) == shown


def test_a_long_text_is_not_searched_for_what_is_wrong_with_it() -> None:
    with pytest.raises(InvalidCard) as error:
        Card.from_text("x" * 10_000_000 + "\U0001f0cf")
    assert len(str(error.value)) < 200


def test_where_cards_end() -> None:
    assert card_words(" AS,2S;3S\u00a04S\u3000'5S'，\"6S\",\n🂧🂨🂩️,, ;7S,") == (
        ["AS", "2S", "3S", "4S", "5S", "6S", "🂧", "🂨", "🂩", "7S"]
    )
    assert card_words("") == card_words(" , ;\n") == []
    for text in ("'AS", 'AS"', "\"AS'", "''"):
        with pytest.raises(InvalidCard, match=re.escape(f"card 1: {text!r} is not a card")):
            parse_cards(text)


# Decks

ODD = {
    "bytes before": "\ufeff" + str(DEAL),
    "Windows": rows(13, end="\r\n"),
    "old Mac": rows(13, end="\r"),
    "tabs": "\t".join(WORDS),
    "commas": ", ".join(WORDS),
    "commas alone": ",".join(WORDS) + ",",
    "semicolons": ";".join(WORDS),
    "quoted": ",".join(f'"{word}"' for word in WORDS),
    "single quotes": ", ".join(f"'{word}'" for word in WORDS),
    "lower case": str(DEAL).lower(),
    "ten": str(DEAL).replace("T", "10"),
    "ten and symbols": " ".join(card.pretty.replace("T", "10") for card in DEAL.cards),
    "full width": "\u3000".join("".join(chr(ord(char) + 0xFEE0) for char in word) for word in WORDS),
    "no-break spaces": "\u00a0".join(WORDS),
    "glyphs without spaces": "".join(map(glyph, DEAL.cards)),
    "glyphs in rows": "\n".join("".join(map(glyph, DEAL.cards[at : at + 13])) for at in range(0, 52, 13)),
    "blank lines": rows(10).replace("\n", "\n\n \n"),
    "indented": "   " + rows(26, end="\n    "),
    "zero-width joiners": str(DEAL).replace("S", "S\u200d"),
    "comments between": rows(13).replace("\n", "\n# a row\n"),
    "uneven rows": " ".join(WORDS[:1]) + "\n" + " ".join(WORDS[1:51]) + "\n" + WORDS[51],
    "no line end": rows(13).rstrip(),
    "JSON": json.dumps(WORDS),
    "JSON over lines": json.dumps(WORDS, indent=2),
    "JSON with symbols": json.dumps([card.pretty for card in DEAL.cards], ensure_ascii=False),
    "an object": json.dumps({"deck": str(DEAL)}),
    "an object with a list": json.dumps({"deck": WORDS, "seed": 42, "solved": None}, indent=4),
    "a seed": '{"seed": 42}',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("source", ["file", "deck"])
def test_a_deck_as_people_have_it(text: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text(text, encoding="utf-8", newline="")
    total, games = of_sources(None, None, *((None, str(path)) if source == "file" else (text, None)), None)
    assert total == 1
    assert next(games).start == DEAL


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_files_that_people_had(path: Path) -> None:
    lang = "it" if path.name == "italian.txt" else "en"
    for args in (("--file", str(path)), ("--deck", path.read_text(encoding="utf-8"))):
        result = perno("--lang", lang, "solve", *args, "--json", *QUICK)
        assert result.exit_code == 1
        values = json.loads(result.stdout)
        assert values["deck"] == str(DEAL)
        assert ("name" in values) is (path.name == "named.txt")


def test_files_of_shells_that_write_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        mark = "" if encoding == "utf-16" else "\ufeff"
        path.write_bytes((mark + f"{DEAL} # é\r\n").encode(encoding))
        assert perno("solve", "--file", str(path), *QUICK).stdout.startswith('The deck on line 1 ("é") cannot be won')
    path.write_bytes(b"\xff\xfe7")
    result = perno("solve", "--file", str(path))
    assert (result.exit_code, result.stderr) == (2, f"Error: {path}: not UTF-16 text: byte 3 is 0x37\n")


def test_decks_of_every_kind_in_one_file() -> None:
    text = (
        f"# a file\n{DEAL} # one\n\n{rows(26, str(OTHER).split()).strip()}# two\n"
        f"{json.dumps(WORDS)}# three\n{json.dumps({'deck': str(OTHER), 'name': 'four'}, indent=1)}\n"
        f'{{"seed": 42}}\n{rows(13)}{"".join(map(glyph, OTHER.cards))}\n{rows(1)}'
    )
    assert decks(text) == [
        (DEAL, 2, "one"),
        (OTHER, 4, "two"),
        (DEAL, 6, "three"),
        (OTHER, 7, "four"),
        (DEAL, 11, "seed 42"),
        (DEAL, 12, ""),
        (OTHER, 16, ""),
        (DEAL, 17, ""),
    ]


def test_a_name_is_what_is_behind_a_deck() -> None:
    assert decks(f"# not\n{DEAL}   # rainy sunday # 2 \n# nor this") == [(DEAL, 2, "rainy sunday # 2")]
    assert decks(rows(26).replace("\n", " # half\n")) == [(DEAL, 1, "half half")]
    assert decks(f"{json.dumps(WORDS)} # rainy sunday") == [(DEAL, 1, "rainy sunday")]
    assert decks('{"seed": 42, "name": "mine"} # other') == [(DEAL, 1, "mine")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing in it, expected a deck of 52 cards a line, or one position"),
        ("# a comment\n , ; \n", "nothing in it"),
        (" ".join(WORDS[:51]), "line 1: expected 52 different cards, got 51: KH missing"),
        (f"{rows(13)}{rows(13, WORDS[:39])}", "lines 5 to 7: expected 52 different cards, got 39: "),
        (" ".join([*WORDS[:51], "JS"]), "line 1: expected 52 different cards, got 52: JS more than once, KH missing"),
        (f"{DEAL} JS", "line 1: expected 52 different cards, got 53: JS more than once"),
        (f"{DEAL} {OTHER}", "line 1: 104 cards, expected the 52 of one deck"),
        (f"{' '.join(WORDS[:51])}\n{OTHER}", "line 1: expected 52 different cards, got 51: KH missing"),
        (f"{rows(13, WORDS[:13])}{json.dumps(WORDS)}", "line 1: expected 52 different cards, got 13: "),
        (f"{rows(20)}{rows(20)}".replace(WORDS[51], f"{WORDS[51]} JS", 1), "lines 1 to 3: expected 52 different cards"),
        (rows(13).replace("QH", "QX"), "line 2: card 12: 'QX' is not a card"),
        (f"{DEAL}\n# x\njoker {DEAL}", "line 3: card 1: 'joker' is not a card"),
        (f"{rows(13)}\U0001f0bf", "line 5: card 1: '\U0001f0bf' is not a card of this deck but red joker"),
        ("JS5C6D", "line 1: card 1: 'JS5C6D' is not a card"),
        ("the ace of spades", "line 1: card 1: 'the' is not a card"),
        (str(DEAL).replace("AC", "1C AC", 1), "line 1: expected 52 different cards, got 53: AC more than once"),
        # JSON
        ("[", "line 1: not JSON: Expecting value: line 1 column 2 (char 1)"),
        (f"{DEAL}\n{{'deck': 1}}", "line 2: not JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "line 1: not JSON: "),
        ('{"seed": ' + "9" * 5000 + "}", "line 1: not JSON: Exceeds the limit"),
        ('{"seed": 1, "seed": 2}', "line 1: 'seed' is there twice in an object"),
        ("[]", "line 1: expected 52 different cards, got 0"),
        ("{}", "line 1: an object with no game, expected a deck, a position or a seed"),
        ('{"deck": "x", "position": "y"}', "line 1: an object with deck and position, expected a deck, a position or"),
        ('{"seed": 1, "position": "y"}', "line 1: an object with position and seed, expected a deck, a position or"),
        (json.dumps([WORDS]), "line 1: got [["),
        (json.dumps([1, 2]), "line 1: got [1, 2], expected 52 cards, as a text or a list of texts"),
        (json.dumps({"deck": 5}), "line 1: got 5, expected 52 cards, as a text or a list of texts"),
        (json.dumps(["AS", "XX"]), "line 1: card 2: 'XX' is not a card"),
        (json.dumps(["AS 2S", *WORDS]), "line 1: card 1: 'AS 2S' is not a card"),
        (json.dumps(WORDS[:51]), "line 1: expected 52 different cards, got 51: KH missing"),
        ('\n{"seed": -1}', "line 2: seed -1 is out of range"),
        ('{"seed": "42"}', "line 1: seed '42' is out of range"),
        (json.dumps({"seed": 7, "deck": str(DEAL)}), "line 1: card 1 is JS in the deck, but 9H in that of its seed 7"),
        ('{"seed": 1, "name": 5}', "line 1: name: got 5, expected a text"),
        ('{"seed": 1, "rules": "x"}', "line 1: 'x' is not a reading"),
        ('{"position": "base: J"}', "line 1: the position has no line for foundations"),
        ('{"position": 5}', "line 1: position: got 5, expected a text"),
        ('{"seed": 1} {"seed": 2}', "line 1: '{\"seed\": 2}' behind JSON, expected a line for each game"),
        (f"[\n{str(WORDS)[1:]}".replace("'", '"') + ",", "line 2: ',' behind JSON, expected a line for each game"),
        # positions
        (f"{DEAL}\nbase: J", "line 1: "),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PernoError) as error:
        read_games(text, None)
    assert str(error.value).startswith(reason)


def test_the_place_of_an_error_is_told_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    for text, reason in (("AS", ", line 1: expected 52"), ("base: J", ": the position has no line for")):
        path.write_text(text)
        result = perno("solve", "--file", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"Error: {path}{reason}")
    assert perno("solve", "--deck", "AS").stderr.startswith("Error: --deck, line 1: expected 52")
    assert perno("solve", "--file", "-", stdin="AS").stderr.startswith("Error: standard input, line 1: expected 52")


def test_an_option_takes_one_deck() -> None:
    expected = "expected one deck; --file reads others\n"
    assert perno("solve", "--deck", f"{DEAL}\n{OTHER}").stderr == f"Error: --deck: 2 decks, {expected}"
    assert perno("solve", "--deck", str(State.start(DEAL))).stderr == f"Error: --deck: a position, {expected}"


# What the command writes, it reads


def test_results_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    first = perno("solve", "--seeds", "9:12", "--json", *QUICK).stdout
    path.write_text(first)
    again = perno("solve", "--file", str(path), "--json").stdout
    for number, (line, other) in enumerate(zip(first.splitlines(), again.splitlines(), strict=True), start=1):
        one, two = json.loads(line), json.loads(other)
        assert two.pop("line") == number
        assert two.pop("name") == f"seed {one.pop('seed')}"
        assert {**one, "seconds": 0} == {**two, "seconds": 0}
        assert from_json(Solved, other).verdict.value == one["verdict"]
    path.write_text(again)
    assert perno("solve", "--file", str(path)).stdout.splitlines()[2].endswith("3 passes   # seed 11")
    refused = perno("solve", "--file", str(path), "--rules", "perno")
    reason = "the deck is under the rules perno-obliged, but perno was asked for"
    assert (refused.exit_code, refused.stderr) == (2, f"Error: {path}, line 1: {reason}\n")
    assert perno("solve", "--file", str(path), *QUICK).exit_code == 0


def test_a_position_is_read_back_too(tmp_path: Path) -> None:
    start = State.start(Deal.from_seed(11), READINGS["perno-obliged"])
    written = perno("solve", "--file", "-", "--json", stdin=str(start)).stdout
    assert read_games(written, None) == [Found(start, start.rules, 1, laid=read_games(str(start), None)[0].laid)]
    result = perno("solve", "--file", "-", "--evidence", str(tmp_path), stdin=f"\n{written}")
    assert result.stdout.startswith("The position on line 2 can be won under the rules perno-obliged.")
    with (tmp_path / "line-2.perno").open("rb") as file:
        assert Evidence.read(file).start == start


def test_a_name_shows_wherever_a_deck_does(tmp_path: Path) -> None:
    text = f"{DEAL} # rainy sunday\n"
    assert perno("solve", "--file", "-", *QUICK, stdin=text).stdout.startswith(
        'The deck on line 1 ("rainy sunday") cannot be won under the rules perno-obliged.'
    )
    assert perno("solve", "--file", "-", *QUICK, stdin=text * 2).stdout.splitlines()[1].endswith(" s   # rainy sunday")
    assert json.loads(perno("solve", "--file", "-", "--json", *QUICK, stdin=text).stdout)["name"] == "rainy sunday"
    assert perno("annotate", "T", "--file", "-", stdin=text).stdout.startswith("# rainy sunday\n\n   Q♦ ")
    path = tmp_path / "decks.txt"
    path.write_text(perno("deal", "--lost", "--count", "2").stdout)
    assert [game.name for game in read_games(path.read_text(), PERNO)] == ["seed 0", "seed 1"]
    steering = perno("solve", "--file", "-", *QUICK, stdin=f"{DEAL} # \x1b[31m").stdout
    assert steering.startswith('The deck on line 1 ("\\x1b[31m") cannot')


def test_moves_are_separated_as_people_do() -> None:
    first = perno("annotate", "T T T", "--seed", "2").stdout
    assert first.count("turn") == 3
    for moves in ("T, T, T", "T,T,T", "T;T;T,", "t\nT\tT", '["T", "T", "T"]', " T T T "):
        assert perno("annotate", moves, "--seed", "2").stdout == first
        assert perno("annotate", "-", "--seed", "2", stdin=moves).stdout == first
    assert perno("annotate", "T, X", "--seed", "2").stderr.startswith("Error: move 2: 'X' is not a move")
    assert perno("annotate", '["T"', "--seed", "2").stderr.startswith("Error: not JSON: ")


def test_a_position_as_people_have_it() -> None:
    start = State.start(Deal.from_seed(42))
    block = str(start)
    symbols = re.sub(r"\b[A2-9TJQK][CDHS]\b", lambda card: f"{Card.from_text(card[0]).pretty}\ufe0f", block)
    commas = re.sub(r"(?<=[CDHS]) ", ", ", block)
    wrapped = re.sub(r" (?=TD )", "\n    ", block)
    glyphs = re.sub(r"\b[A2-9TJQK][CDHS]\b", lambda card: glyph(Card.from_text(card[0])), block)
    for text in (symbols, commas, wrapped, glyphs, block.lower(), block.replace("T", "10"), f"\ufeff{block}"):
        assert text != block
        assert State.from_text(text.removeprefix("\ufeff")) == start
    assert State.from_text(re.sub(r"\bA(?=[CDHS])", "1", block)) == start
    ace = State.start(Deal.from_seed(2))
    assert State.from_text(str(ace).replace("base: A", "base: 1")) == ace
    with pytest.raises(PernoError, match=r"line 1: 'TD' is not part of a position"):
        State.from_text(f"  TD\n{block}")
