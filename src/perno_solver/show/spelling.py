"""Cards as other languages write them, such as `FP` for the jack of spades in Italian, made those of the package."""

import re
from functools import cache

from perno_solver.errors import InvalidCard, PernoError
from perno_solver.game.cards import CARDS, RANKS, Card, card_words, parse_rank
from perno_solver.show.texts import LANGUAGES, pretty, rank_letter, suit_letter, texts

_NAMES = {"en": "English", "it": "Italian"}
_WORD = re.compile(r"""[^\s,;/"'\[\]{}:]+""")
_TOKEN = re.compile(r"[FEP]:\S+", re.IGNORECASE)  # moves are written alike in all languages
_FREE = re.compile(r"\s*(game|rules)\s*:", re.IGNORECASE)  # lines that hold no cards


def spelled(text: str, lang: str) -> str:
    """Turn the cards of a text into those that the package reads.

    The text as a whole is of one language: the given one or English, where all of its cards can be read. Comments,
    names and moves are left as they are.

    Args:
        text: decks, a position or games on record.
        lang: the code of a language.

    Raises:
        InvalidCard: it has cards of both languages, or of each card there are two readings.

    >>> spelled("FP 5F # a deck", "it")
    'JS 5C # a deck'
    """
    if lang == "en":
        return text
    here, ours, other, either = _spellings(lang), "", "", ""
    for word in _words(text):
        there, mine = _read(word), here.get(_plain(word))
        if mine and not there:
            ours = word
        elif there and not mine:
            other = word
        elif mine != there:
            either = word
    name = _NAMES[lang]
    if ours and other:
        msg = f"cards in two languages: {ours} is {name}, and {other} is English; expected one of them"
        raise InvalidCard(msg)
    if either and not ours and not other:
        mine, there = here[_plain(either)], _read(either)
        msg = (
            f"{either} can be read in two ways: as {mine} ({name}) and as {there} (English); expected symbols for suits"
        )
        raise InvalidCard(msg)
    if not ours:
        return text
    return "".join(_line(line, here) for line in text.splitlines(keepends=True))


def elsewhere(error: PernoError, lang: str) -> str:
    """Say of a text that is said to be no card if it is one in another language, or how cards look in the chosen one.

    Args:
        error: what was said of the text.
        lang: the language that was chosen.
    """
    found = re.search(r"'([^']*)' is not a card", str(error))
    if found is None:
        return ""
    if lang != "en":
        said = texts(lang)
        ranks = " ".join(rank_letter(rank, said) for rank in (1, 2, 10, 11, 12, 13)).replace(" 2 ", " 2 … ")
        suits = " ".join(suit_letter(suit, said) for suit in range(4))
        return f"; in {_NAMES[lang]} a rank ({ranks}) then a suit ({suits})"
    for other in LANGUAGES[1:]:
        card = _spellings(other).get(_plain(found[1]))
        if card is not None:
            return f"; in {_NAMES[other]} {found[1]} is {card.pretty}, which --lang {other} reads"
    return ""


@cache
def _spellings(lang: str) -> dict[str, Card]:
    """Return the cards of a language, by what is written for them."""
    said = texts(lang)
    written = {rank_letter(card.rank, said) + suit_letter(card.suit, said): card for card in CARDS}
    return written | {pretty(card, said): card for card in CARDS}


def _plain(word: str) -> str:
    """Leave out what cannot be seen, as the package does of its own cards."""
    return "".join(card_words(word)).upper()


def _read(word: str) -> Card | None:
    try:
        return Card.from_text(word)
    except InvalidCard:
        return None


def _words(text: str) -> list[str]:
    """List what may be cards in a text."""
    lines = (line.partition("#")[0] for line in text.splitlines() if not _FREE.match(line))
    return [word for line in lines for word in _WORD.findall(_TOKEN.sub(" ", line))]


def _line(line: str, here: dict[str, Card]) -> str:
    """Turn the cards of a line; in the one that says the base, the rank."""
    if _FREE.match(line):
        return line
    said, mark, comment = line.partition("#")
    key, colon, rank = said.partition(":")
    if colon and key.strip().lower() == "base" and parse_rank(rank) is None:
        ranks = {written[:-1]: RANKS[card.rank - 1] for written, card in here.items()}
        return key + colon + _WORD.sub(lambda word: ranks.get(_plain(word[0]), word[0]), rank) + mark + comment

    def turned(found: re.Match[str]) -> str:
        card = None if _TOKEN.fullmatch(found[0]) else here.get(_plain(found[0]))
        return found[0] if card is None else str(card)

    return re.sub(rf"{_TOKEN.pattern}|{_WORD.pattern}", turned, said, flags=re.IGNORECASE) + mark + comment
