"""Pictures of the table, as SVG that is right in any viewer: no fonts, no style sheet, nothing from elsewhere."""

from html import escape
from math import inf

from perno_solver.checks import got
from perno_solver.errors import InvalidChoice
from perno_solver.game.moves import Move
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.show.faces import FAINT, FOUR_COLOURS, TWO_COLOURS, back, face, number, place, sign
from perno_solver.show.scene import CARD_HEIGHT, CARD_WIDTH, Highlight, Scene, scene
from perno_solver.show.table import Table
from perno_solver.show.texts import Texts, texts

_FELT, _MARK = "#2b6a52", "#ffc53d"


def picture(
    shown: Table | State | View,
    *,
    highlight: Move | str | None = None,
    narrow: bool = False,
    four_colours: bool = False,
    card_width: float = CARD_WIDTH,
    lang: str = "en",
) -> str:
    """Draw the table as somebody sees it who looks at it: pivot and stock lie face-down.

    Args:
        shown: the table; or a position, or what a player knows of one, in their own order.
        highlight: a legal move to show, or its text.
        narrow: whether the picture is to be five cards wide and not nine.
        four_colours: whether diamonds are blue and clubs green.
        card_width: how wide a card is, in pixels.
        lang: the language of its title and description, `"en"` or `"it"`.

    Returns:
        an SVG document.

    Raises:
        InvalidState: it is something else.
        InvalidMove, IllegalMove: the highlight is no legal move here.
        InvalidChoice: the width is no number above 0, or there is no such language.

    >>> from perno_solver.game.deal import Deal
    >>> picture(Table.of(Deal.from_seed(42)))[:46]
    '<svg xmlns="http://www.w3.org/2000/svg" width='
    """
    if not isinstance(card_width, int | float) or not 0 < card_width < inf:
        raise InvalidChoice(got(card_width, "a card's width in pixels, above 0"))
    said = texts(lang)
    at = scene(shown, highlight=highlight, narrow=narrow, texts=said)
    return drawn(at, four_colours=four_colours, card_width=card_width, texts=said)


def drawn(scene: Scene, *, four_colours: bool, card_width: float, texts: Texts) -> str:
    """Draw a scene as an SVG document."""
    title = texts.gettext("The table")
    colours = FOUR_COLOURS if four_colours else TWO_COLOURS
    scale = card_width / CARD_WIDTH
    size = f'width="{number(scene.width * scale)}" height="{number(scene.height * scale)}"'
    box = f"0 0 {number(scene.width)} {number(scene.height)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(scene.description)}</desc>",
        f'<rect width="{number(scene.width)}" height="{number(scene.height)}" rx="12" fill="{_FELT}"/>',
    ]
    parts += [_moved(spot.x, spot.y, place(spot.sign)) for spot in scene.places if spot.is_empty]
    parts += [
        _moved(at.x, at.y, back() if at.card is None else face(at.card, colours, texts=texts)) for at in scene.cards
    ]
    for count in scene.counts:
        signs = ["redeal", " ", *count.text] if count.of == "redeals" else list(count.text)
        parts.append(sign(signs, count.x, count.y, 12, f'stroke="{FAINT}" stroke-opacity=".85"', middle=True))
    if scene.highlight is not None:
        parts.append(_highlighted(scene.highlight))
    return "\n".join([*parts, "</svg>\n"])


def _moved(x: float, y: float, shapes: str) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{shapes}</g>'


def _highlighted(shown: Highlight) -> str:
    """Draw a frame around the card that moves, one around the place it goes to, and an arrow between them."""
    (x, y), (to_x, to_y) = shown.start, shown.end
    frame = (
        f'width="{CARD_WIDTH + 3}" height="{CARD_HEIGHT + 3}" rx="7.5" fill="none" stroke="{_MARK}" stroke-width="3"'
    )
    frames = (
        f'<rect x="{number(x - 1.5)}" y="{number(y - 1.5)}" {frame}/>'
        f'<rect x="{number(to_x - 1.5)}" y="{number(to_y - 1.5)}" {frame} stroke-dasharray="7 5"/>'
    )
    return frames + _arrow(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, to_x + CARD_WIDTH / 2, to_y + CARD_HEIGHT / 2)


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Draw an arrow whose ends keep clear of the middles of both cards."""
    across, down = to_x - x, to_y - y
    length = (across**2 + down**2) ** 0.5
    across, down = across / length, down / length
    x, y, to_x, to_y = x + 12 * across, y + 12 * down, to_x - 16 * across, to_y - 16 * down
    left = (to_x - 13 * across - 9 * down, to_y - 13 * down + 9 * across)
    right = (to_x - 13 * across + 9 * down, to_y - 13 * down - 9 * across)
    points = " ".join(f"{number(at_x)} {number(at_y)}" for at_x, at_y in (left, (to_x, to_y), right))
    path = f"M{number(x)} {number(y)} {number(to_x)} {number(to_y)}M{points}"
    strokes = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<path d="{path}" {strokes} stroke="#3b2a00" stroke-opacity=".55" stroke-width="8"/>'
        f'<path d="{path}" {strokes} stroke="{_MARK}" stroke-width="5"/>'
    )


for _kind in (Table, State, View):  # notebooks show these values as pictures; the classes are below this layer
    setattr(_kind, "_repr_svg_", picture)  # noqa: B010 - mypy would have it in the class
