"""The package's words in other languages: catalogues of gettext in `locale/`, taken from the sources by Babel.

A function that says something takes `texts`, and passes to its `gettext`, `ngettext` and `pgettext` the English words,
which are what is said where a catalogue lacks them.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations

from perno_solver.checks import got
from perno_solver.errors import InvalidChoice
from perno_solver.game.cards import RANKS, SUITS, Card

LANGUAGES = ("en", "it")
"""The languages that the package speaks; English is what the sources are written in."""

Texts = NullTranslations
"""A language: `gettext`, `ngettext` and `pgettext` translate the English words."""

ENGLISH = NullTranslations()


def texts(lang: str) -> Texts:
    """Return the words of a language.

    Args:
        lang: its code, one of `LANGUAGES`.

    Raises:
        InvalidChoice: it is none of them.

    >>> texts("it").gettext("pivot")
    'perno'
    """
    if not isinstance(lang, str) or lang not in LANGUAGES:
        raise InvalidChoice(got(lang, f"a language, one of {', '.join(LANGUAGES)}"))
    return ENGLISH if lang == "en" else _loaded(lang)


@cache
def _loaded(lang: str) -> Texts:
    from importlib.resources import files  # noqa: PLC0415 - costs time, and English needs none of it

    # the package may be a zip, as in the browser
    path = files("perno_solver") / "locale" / lang / "LC_MESSAGES" / "perno_solver.mo"
    with path.open("rb") as catalogue:
        return GNUTranslations(catalogue)


def catalogue_as_json(lang: str) -> dict[str, str | list[str]]:
    """Return all words of a language by the English ones: a text, or the forms for one and for many.

    A text with a context has both joined by the character U+0004, as in catalogues of gettext. English is empty, since
    nothing is to be replaced.

    Args:
        lang: as for `texts`.

    Raises:
        InvalidChoice: as for `texts`.
    """
    found: dict[str, str | list[str]] = {}
    for words, said in getattr(texts(lang), "_catalog", {}).items():
        if isinstance(words, tuple):
            found.setdefault(words[0], []).append(said)  # type: ignore[union-attr] # forms come one after another
        elif words:
            found[words] = said
    return found


def rank_name(rank: int, texts: Texts = ENGLISH) -> str:
    """Name a rank in words, 1 (ace) to 13 (king)."""
    _ = texts.gettext
    return {1: _("ace"), 11: _("jack"), 12: _("queen"), 13: _("king")}.get(rank, str(rank))


def suit_name(suit: int, texts: Texts = ENGLISH) -> str:
    """Name a suit in words."""
    _ = texts.gettext
    return (_("clubs"), _("diamonds"), _("hearts"), _("spades"))[suit]


def card_name(card: Card, texts: Texts = ENGLISH) -> str:
    """Name a card in words.

    >>> card_name(Card.from_text("JS")), card_name(Card.from_text("JS"), texts("it"))
    ('jack of spades', 'fante di picche')
    """
    named = texts.gettext("{rank} of {suit}")
    return named.format(rank=rank_name(card.rank, texts), suit=suit_name(card.suit, texts))


def rank_letter(rank: int, texts: Texts = ENGLISH) -> str:
    """Write a rank as a language does on its cards.

    >>> [rank_letter(rank, texts("it")) for rank in (1, 9, 10, 11, 12, 13)]
    ['A', '9', '10', 'F', 'D', 'R']
    """
    pgettext = texts.pgettext
    letters = {
        1: pgettext("on cards", "A"),
        10: pgettext("on cards", "T"),
        11: pgettext("on cards", "J"),
        12: pgettext("on cards", "Q"),
        13: pgettext("on cards", "K"),
    }
    return letters.get(rank, RANKS[rank - 1])


def suit_letter(suit: int, texts: Texts = ENGLISH) -> str:
    """Write a suit as a language abbreviates it.

    >>> "".join(suit_letter(suit, texts("it")) for suit in range(4))
    'FQCP'
    """
    pgettext = texts.pgettext
    letters = (
        pgettext("in decks", "C"),
        pgettext("in decks", "D"),
        pgettext("in decks", "H"),
        pgettext("in decks", "S"),
    )
    assert len(letters) == len(SUITS)
    return letters[suit]


def pretty(card: Card, texts: Texts = ENGLISH) -> str:
    """Write a card as a language does, its suit as a symbol.

    >>> pretty(Card.from_text("JS")), pretty(Card.from_text("JS"), texts("it"))
    ('J♠', 'F♠')
    """
    return rank_letter(card.rank, texts) + card.suit.symbol
