"""The cards' faces in SVG, 60 by 84: ranks and suits are paths, so that no font is needed to look right.

Every shape has its colour as an attribute, which any viewer shows. `faces` gives shapes their names as classes, too, by
which the style sheet of a page may colour them otherwise.
"""

# ruff: noqa: E501
# since a path is one word

from collections.abc import Callable, Iterable

from perno_solver.game.cards import CARDS, RANKS, Card
from perno_solver.show.texts import ENGLISH, Texts, rank_letter

WIDTH, HEIGHT = 60, 84

# Strokes of signs 20 high; the width of each is behind it
_RANKS = {
    "A": ("M1.8 18.4 7.6 1.6 13.4 18.4M4 12.8H11.2", 15.2),
    "2": ("M2.2 6.2C2.4-.3 12.2-.3 12 6 11.8 10.2 4.4 13.2 2 18.4H12.6", 14.4),
    "3": ("M2.2 4.4C4 .6 11.8.8 11.6 5.4 11.5 8.4 8.8 9.4 6 9.4 9.6 9.4 12.4 10.8 12.4 14 12.4 19.8 3.6 20 1.8 15.6", 14.2),
    "4": ("M10 18.4V1.6L1.8 13.2H13.4", 15),
    "5": ("M11.6 1.6H3.8L3 9C5.4 6.8 12.4 7 12.4 13 12.4 19.6 3.8 20 1.8 15.6", 14.2),
    "6": ("M11 2.6C6-.2 1.8 5 1.8 11.6 1.8 16 4 18.4 7.2 18.4 10.4 18.4 12.5 16.2 12.5 13.2 12.5 10.2 10.3 8.2 7.4 8.2 4.4 8.2 2.2 10 1.8 12.6", 14.3),
    "7": ("M1.8 1.6H12.6L5.6 18.4", 14.4),
    "8": ("M7.2 9.2C4.6 9.2 2.7 7.6 2.7 5.4 2.7 3.2 4.6 1.6 7.2 1.6 9.8 1.6 11.7 3.2 11.7 5.4 11.7 7.6 9.8 9.2 7.2 9.2 4.1 9.2 1.8 11.1 1.8 13.8 1.8 16.5 4.1 18.4 7.2 18.4 10.3 18.4 12.6 16.5 12.6 13.8 12.6 11.1 10.3 9.2 7.2 9.2Z", 14.4),
    "9": ("M3.3 17.4C8.3 20.2 12.5 15 12.5 8.4 12.5 4 10.3 1.6 7.1 1.6 3.9 1.6 1.8 3.8 1.8 6.8 1.8 9.8 4 11.8 6.9 11.8 9.9 11.8 12.1 10 12.5 7.4", 14.3),
    "T": ("M1.4 4.4 4.4 1.8V18.4M13.4 1.6C10.4 1.6 8.8 5 8.8 10 8.8 15 10.4 18.4 13.4 18.4 16.4 18.4 18 15 18 10 18 5 16.4 1.6 13.4 1.6Z", 19.8),
    "J": ("M10.4 1.6V13C10.4 20.2 1.8 20.2 1.8 13.6", 12.2),
    "Q": ("M7.8 1.6C4.2 1.6 1.8 5 1.8 10 1.8 15 4.2 18.4 7.8 18.4 11.4 18.4 13.8 15 13.8 10 13.8 5 11.4 1.6 7.8 1.6ZM9.2 13.6 14.4 19.4", 16),
    "K": ("M2.2 1.6V18.4M12.6 1.6 2.2 12M6 8.4 13.2 18.4", 15),
    "F": ("M12 1.6H2.2V18.4M10.4 9.6H2.2", 13.2),
    "D": ("M2.2 1.6V18.4H6.4C11 18.4 13.4 15.2 13.4 10 13.4 4.8 11 1.6 6.4 1.6Z", 15.4),
    "R": ("M2.2 18.4V1.6H7.4C10.6 1.6 12.4 3.4 12.4 6.2 12.4 9 10.6 10.8 7.4 10.8H2.2M8 10.8 13 18.4", 14.6),
    "0": ("M7.2 1.6C4 1.6 1.8 5 1.8 10 1.8 15 4 18.4 7.2 18.4 10.4 18.4 12.6 15 12.6 10 12.6 5 10.4 1.6 7.2 1.6Z", 14.4),
    "1": ("M2 5 6 1.8V18.4", 8),
    "∞": ("M11 10C9 6.4 7.6 5 5.6 5 3.4 5 1.8 7.2 1.8 10 1.8 12.8 3.4 15 5.6 15 9.6 15 12.4 5 16.4 5 18.6 5 20.2 7.2 20.2 10 20.2 12.8 18.6 15 16.4 15 14.4 15 13 13.6 11 10Z", 22),
    " ": ("", 5),
    "redeal": ("M17.4 7.4A8 8 0 1 0 18 11.4M18 2V7.6H12.4", 20),
}  # fmt: skip

# Areas, 20 wide and high
_SUITS = (
    "M10 .7A4.5 4.5 0 0 1 13.4 8.2 4.6 4.6 0 1 1 11 14.4C11.2 16.6 12 18.2 13.4 19.3H6.6C8 18.2 8.8 16.6 9 14.4A4.6 4.6 0 1 1 6.6 8.2 4.5 4.5 0 0 1 10 .7Z",
    "M10 .5C12 4.2 14.4 7.3 17.4 10 14.4 12.7 12 15.8 10 19.5 8 15.8 5.6 12.7 2.6 10 5.6 7.3 8 4.2 10 .5Z",
    "M10 18.9C4.2 13.8 1 10.4 1 6.5 1 3.7 3.1 1.6 5.7 1.6 7.5 1.6 9.1 2.6 10 4.2 10.9 2.6 12.5 1.6 14.3 1.6 16.9 1.6 19 3.7 19 6.5 19 10.4 15.8 13.8 10 18.9Z",
    "M10 .7C11.8 4.3 19 8 19 12.3 19 14.8 17.2 16.5 15 16.5 13.2 16.5 11.7 15.6 10.9 14.2 11.1 16.6 11.9 18.2 13.4 19.3H6.6C8.1 18.2 8.9 16.6 9.1 14.2 8.3 15.6 6.8 16.5 5 16.5 2.8 16.5 1 14.8 1 12.3 1 8 8.2 4.3 10 .7Z",
)  # fmt: skip

_COURT = {  # a feather, a coronet and a crown above the suits of jack, queen and king
    11: "M3 18.6C8 14 12.4 8.8 16.6 1.6 18.4 8.6 15 14.2 8 14.2M16.6 1.6C9.2 3.6 5.6 9 6.4 15.4",
    12: "M2.6 17 1 6.4 6.2 10.4 10 3 13.8 10.4 19 6.4 17.4 17Z",
    13: "M2.6 17 1 4.6 5.9 9 10 5 14.1 9 19 4.6 17.4 17ZM10 5V.6M7.8 2.6H12.2",
}

TWO_COLOURS = ("#1c1f24", "#c81e2b", "#c81e2b", "#1c1f24")
FOUR_COLOURS = ("#14703a", "#1f56c4", "#c81e2b", "#1c1f24")
"""The colours of clubs, diamonds, hearts and spades."""

PAPER, EDGE, BACK, BACK_LINES, FAINT = "#fffdf8", "#8d8a80", "#2f4f86", "#c9d6ee", "#ffffff"

Names = Callable[[str], str]
"""Writes the name of a shape as a class, or nothing."""


def no_names(_name: str) -> str:
    """Leave the names of shapes out."""
    return ""


def class_names(name: str) -> str:
    """Write the name of a shape as a class."""
    return f' class="{name}"'


def number(value: float) -> str:
    """Write a length, as short as it goes."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def sign(texts: Iterable[str], x: float, y: float, height: float, attributes: str, *, middle: bool = False) -> str:
    """Draw signs beside one another: digits, letters of ranks, `∞`, `redeal`.

    Args:
        texts: the signs.
        x: their left edge, or the middle.
        y: their upper edge.
        height: how high they are.
        attributes: the colour of their strokes, and a class.
        middle: whether x is the middle.
    """
    drawn, scale, signs = [], height / 20, list(texts)
    if middle:
        x -= scale * sum(_RANKS[text][1] for text in signs) / 2
    for text in signs:
        strokes, width = _RANKS[text]
        drawn.append(f'<path transform="translate({number(x)} {number(y)}) scale({number(scale)})" d="{strokes}"/>')
        x += scale * width
    style = 'fill="none" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"'
    return f"<g {style} {attributes}>{''.join(drawn)}</g>"


def face(
    card: Card,
    colours: tuple[str, str, str, str] = TWO_COLOURS,
    names: Names = no_names,
    texts: Texts = ENGLISH,
) -> str:
    """Draw the face of a card, its left upper corner at 0, 0.

    Args:
        card: the card.
        colours: those of the four suits.
        names: how the names of shapes are written.
        texts: the language of its rank.
    """
    colour, suit = colours[card.suit], card.suit.name.lower()
    pip, ink = _SUITS[card.suit], f'fill="{colour}"{names(suit)}'
    rank = sign([_letter(card.rank, texts)], 5, 6, 20, f'stroke="{colour}"{names(f"{suit}-line")}')
    parts = [_sheet(PAPER, EDGE, names("paper")), rank]
    parts.append(f'<path {ink} transform="translate(5 30.5) scale(.75)" d="{pip}"/>')
    if card.rank in _COURT:
        crown = f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linejoin="round"{names(f"{suit}-line")}'
        parts.append(f'<path {crown} transform="translate(25 27) scale(1.3)" d="{_COURT[card.rank]}"/>')
        parts.append(f'<path {ink} transform="translate(24.5 51.5) scale(1.35)" d="{pip}"/>')
    else:
        parts.append(f'<path {ink} transform="translate(21 43.5) scale(1.7)" d="{pip}"/>')
    return "".join(parts)


def back(names: Names = no_names) -> str:
    """Draw the back of a card."""
    lattice = "".join(f"M{x} 7 {x + 12} 19M{x + 12} 7 {x} 19" for x in (6, 18, 30, 42))
    rows = "".join(
        f'<path fill="none" stroke="{BACK_LINES}" stroke-width="1" transform="translate(0 {y})" d="{lattice}"{names("back-lines")}/>'
        for y in (0, 11.5, 23, 34.5, 46, 57.5)
    )
    return _sheet(PAPER, EDGE, names("paper")) + (
        f'<rect x="4" y="4" width="52" height="76" rx="3.5" fill="{BACK}"{names("back")}/>{rows}'
    )


def place(text: str, names: Names = no_names) -> str:
    """Draw an empty place, with the sign of a rank on it, `redeal` or nothing."""
    frame = f'fill="{FAINT}" fill-opacity=".07" stroke="{FAINT}" stroke-opacity=".45" stroke-width="1.5"'
    drawn = f'<rect x=".75" y=".75" width="58.5" height="82.5" rx="6" {frame}{names("place")}/>'
    if text:
        ink = f'stroke="{FAINT}" stroke-opacity=".5"{names("place-sign")}'
        drawn += sign([text], WIDTH / 2, HEIGHT / 2 - 13, 26, ink, middle=True)
    return drawn


def _letter(rank: int, texts: Texts) -> str:
    """Return the sign of a rank in a language; ten is drawn as two digits in each."""
    return RANKS[rank - 1] if rank == 10 else rank_letter(rank, texts)


def faces(texts: Texts = ENGLISH) -> str:
    """Return the symbols of all cards for a page, to be put into the `<defs>` of an `<svg>`.

    They are `card-7S` and so on, `card-back`, `place`, `redeal` for a stock that is to be turned over, and `place-A` to
    `place-K` for the empty places of foundations; `redeal-sign`, 20 by 20, stands beside the number of redeals, in the
    colour of the text. The style sheet of the page may colour the classes `clubs`, `diamonds`, `hearts` and `spades` by
    `fill`, `clubs-line` and so on by `stroke`, `paper`, `back`, `back-lines`, `place` and `place-sign`.

    Args:
        texts: the language of the ranks; the names of the symbols are the same in all.
    """
    drawn = {f"card-{card}": face(card, names=class_names, texts=texts) for card in CARDS}
    drawn |= {"card-back": back(class_names), "place": place("", class_names), "redeal": place("redeal", class_names)}
    drawn |= {f"place-{RANKS[rank - 1]}": place(_letter(rank, texts), class_names) for rank in range(1, 14)}
    box = f"0 0 {WIDTH} {HEIGHT}"
    symbols = [f'<symbol id="{name}" viewBox="{box}">{shape}</symbol>' for name, shape in drawn.items()]
    redeals = sign(["redeal"], 0, 0, 20, 'stroke="currentColor"')
    return "".join([*symbols, f'<symbol id="redeal-sign" viewBox="0 0 20 20">{redeals}</symbol>'])


def _sheet(fill: str, stroke: str, name: str) -> str:
    return f'<rect x=".5" y=".5" width="59" height="83" rx="6" fill="{fill}" stroke="{stroke}"{name}/>'
