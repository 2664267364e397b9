"""Where everything lies in a picture of the table: one scene, which pictures, replays and the page draw alike.

A scene knows no more than somebody who looks at the table: cards that lie face-down are places in it.
"""

from collections.abc import Iterator

from attrs import asdict, frozen

from perno_solver.checks import require
from perno_solver.errors import InvalidState
from perno_solver.game.cards import RANKS, Card, Suit
from perno_solver.game.moves import Move, MoveKind, as_move
from perno_solver.game.rules import CELLS
from perno_solver.game.state import State
from perno_solver.game.view import View
from perno_solver.show.table import Table
from perno_solver.show.texts import ENGLISH, Texts, card_name, pretty, rank_name, suit_name

CARD_WIDTH, CARD_HEIGHT = 60, 84
"""The size of a card, in the units of all places."""

FAN_DOWN, FAN_RIGHT = 27, 26
"""How much of a card shows under the next one: of one packed in a cell, of one in the waste."""

_MARGIN, _PITCH = 14, 70
_ROW = CARD_HEIGHT + 30  # a count stands below a pile
_ASIDE = 14  # free on both sides of the pivot
_THICK = 1.5  # from one to the next card of a heap, of which so many are drawn:
_LAYER = 12
_FANNED = 6  # cards of the waste

Point = tuple[float, float]


@frozen
class Placed:
    """A card that lies somewhere.

    Args:
        id: the card's text where it lies face-up; else the pile and a number, which says nothing of the card.
        card: the card; None face-down.
        x: where its left edge is, of cards 60 wide and 84 high.
        y: where its upper edge is.
        pile: where it lies: `cell 1` to `cell 8`, `pivot`, `foundation 1` to `foundation 4` in the order in which they
            are begun, `stock` or `waste`.
        name: what it is and where, in words.
    """

    id: str
    card: Card | None
    x: float
    y: float
    pile: str
    name: str


@frozen
class Place:
    """A place for a pile, seen where the pile is empty.

    Args:
        pile: the pile, as for a card.
        x: where its left edge is.
        y: where its upper edge is.
        sign: what is drawn on it: the base rank on a foundation, `redeal` on a stock that is to be turned over, or
            nothing.
        is_empty: whether nothing lies there.
        name: what it is, in words.
    """

    pile: str
    x: float
    y: float
    sign: str
    is_empty: bool
    name: str


@frozen
class Count:
    """How many cards a pile has, or how many redeals are left.

    Args:
        of: the pile, or `redeals`.
        x: the middle of the number.
        y: its upper edge; it is 12 high.
        text: the number, or `∞`.
        name: what it says, in words.
    """

    of: str
    x: float
    y: float
    text: str
    name: str


@frozen
class Highlight:
    """A move that is shown: where the card comes from, and where it goes.

    Args:
        move: the move.
        start: the left upper corner of the card that moves.
        end: the left upper corner of the place it goes to.
    """

    move: Move
    start: Point
    end: Point


@frozen
class Scene:
    """A picture of the table, without its colours.

    Args:
        width: how wide it is, with cards 60 wide.
        height: how high.
        places: the places of all piles, those beneath cards, too.
        cards: the cards in the order in which they are drawn, a covered one before its cover.
        counts: the numbers of cards in the piles, and of redeals left.
        highlight: a move that is shown.
        description: the whole table in words.
    """

    width: float
    height: float
    places: tuple[Place, ...]
    cards: tuple[Placed, ...]
    counts: tuple[Count, ...]
    highlight: Highlight | None
    description: str


def scene(
    shown: Table | State | View,
    *,
    highlight: Move | str | None = None,
    narrow: bool = False,
    levels: int = 1,
    texts: Texts = ENGLISH,
) -> Scene:
    """Lay out what somebody sees who looks at the table.

    The pivot and the stock lie face-down, except the pivot's card that is in play; of the waste the last six cards
    are fanned. So a `Table`, a `State` and a `View` of one position differ in the order of cells only, and in cards of
    the waste that are unseen in a view.

    Args:
        shown: the table; or a position, or what a player knows of one, in their own order.
        highlight: a legal move to show, or its text.
        narrow: whether it is to be five cards wide and not nine, as on a phone.
        levels: for how many cards in a cell there is to be room at least, so that several scenes are alike.
        texts: the language of the names.

    Raises:
        InvalidState: it is something else.
        InvalidMove, IllegalMove: the highlight is no legal move here.
    """
    require(shown, Table | State | View, InvalidState, "a Table, a State or a View")
    table = shown if isinstance(shown, Table) else Table.of(shown.world if isinstance(shown, View) else shown)
    waste = shown.waste if isinstance(shown, View) else table.state.waste
    layout = _Layout.of(table, narrow=narrow, levels=levels)
    cards = tuple(_cards(table, waste, layout, texts))
    return Scene(
        layout.width,
        layout.height,
        tuple(_places(table, layout, texts)),
        cards,
        tuple(_counts(table.state, layout, texts)),
        None if highlight is None else _highlight(table, as_move(highlight), layout, cards),
        _described(table, texts),
    )


def scene_as_json(scene: Scene) -> dict[str, object]:
    """Return a scene as plain data: an object with the names of its fields, cards and moves as their texts."""

    def plain(value: Place | Placed | Count) -> dict[str, object]:
        items = asdict(value, recurse=False).items()
        return {name: str(value) if isinstance(value, Card) else value for name, value in items}

    shown = scene.highlight
    return {
        "width": scene.width,
        "height": scene.height,
        "places": [plain(place) for place in scene.places],
        "cards": [plain(card) for card in scene.cards],
        "counts": [plain(count) for count in scene.counts],
        "highlight": shown and {"move": str(shown.move), "start": [*shown.start], "end": [*shown.end]},
        "description": scene.description,
    }


@frozen
class _Layout:
    """Where the piles are: the left upper corners of their first cards."""

    width: float
    height: float
    piles: dict[str, Point]

    @classmethod
    def of(cls, table: Table, *, narrow: bool, levels: int) -> "_Layout":
        def fan(cells: tuple[tuple[Card, ...], ...]) -> float:
            return FAN_DOWN * (max(levels, *map(len, cells)) - 1)

        cells, first = table.cells, float(_MARGIN)
        columns: list[float]
        if not narrow:
            aside = (0,) * 4 + (_ASIDE,) + (2 * _ASIDE,) * 4
            columns = [first + _PITCH * column + aside[column] for column in range(9)]
            second = first + _ROW + fan(cells)
            places = [(columns[at + (at >= 4)], first) for at in range(CELLS)]
            pivot, stock, waste = (columns[4], first), (columns[0], second), (columns[1], second)
            foundations = [(columns[4 + at], second) for at in range(4)]
            width, end = columns[8] + CARD_WIDTH + _MARGIN, second + _ROW
        else:
            columns = [_MARGIN + _PITCH * column for column in range(5)]
            second = first + CARD_HEIGHT + 10 + fan(cells[:2] + cells[4:6])
            third = second + _ROW - 10 + fan(cells[2:4] + cells[6:])
            fourth = third + CARD_HEIGHT + 10
            rows = first, first, second, second
            places = [(columns[at % 2 + 3 * (at >= 4)], rows[at % 4]) for at in range(CELLS)]
            pivot, stock, waste = (columns[2], (first + second) / 2), (columns[0], fourth), (columns[1], fourth)
            foundations = [(columns[0] + _PITCH * (at + 0.5), third) for at in range(4)]
            width, end = columns[4] + CARD_WIDTH + _MARGIN, fourth + _ROW
        piles: dict[str, Point] = {f"cell {at}": place for at, place in enumerate(places, start=1)}
        piles |= {"pivot": pivot, "stock": stock, "waste": waste}
        piles |= {f"foundation {at}": place for at, place in enumerate(foundations, start=1)}
        return cls(width, end, piles)


def _name(pile: str, texts: Texts) -> str:
    """Name a pile in words."""
    kind, _, number = pile.partition(" ")
    if kind == "cell":
        return texts.gettext("cell {number}").format(number=number)
    if kind == "foundation":
        return texts.gettext("foundation {number}").format(number=number)
    return {"pivot": texts.gettext("pivot"), "stock": texts.gettext("stock"), "waste": texts.gettext("waste")}[pile]


def _suit_of(pile: str, table: Table) -> Suit | None:
    """Return the suit of a foundation that is begun."""
    at = int(pile.split()[1]) - 1
    return table.suits[at] if at < len(table.suits) else None


def _cards(table: Table, waste: tuple[Card | None, ...], layout: _Layout, texts: Texts) -> Iterator[Placed]:
    state = table.state

    def placed(card: Card | None, pile: str, number: int, right: float, down: float) -> Placed:
        x, y = layout.piles[pile]
        what = texts.gettext("a face-down card") if card is None else card_name(card, texts)
        where = _name(pile, texts)
        return Placed(str(card or f"{pile} {number}"), card, x + right, y + down, pile, f"{what}, {where}")

    def heap(pile: str, cards: int, top: Card | None = None) -> Iterator[Placed]:
        layers = 1 + (cards - 1) // _LAYER if cards else 0
        for number in range(layers):
            card = top if number == layers - 1 else None
            yield placed(card, pile, number + 1, -_THICK * number, -_THICK * number)

    for at, cell in enumerate(table.cells, start=1):
        for level, card in enumerate(cell):
            yield placed(card, f"cell {at}", level + 1, 0, FAN_DOWN * level)
    yield from heap("pivot", len(state.pivot), state.pivot_card)
    for at, suit in enumerate(table.suits, start=1):
        yield placed(state.card_at(suit, state.foundations[suit] - 1), f"foundation {at}", 1, 0, 0)
    yield from heap("stock", len(state.stock))
    for level, seen in enumerate(waste[-_FANNED:]):
        yield placed(seen, "waste", level + 1, FAN_RIGHT * level, 0)


def _places(table: Table, layout: _Layout, texts: Texts) -> Iterator[Place]:
    state = table.state
    for pile, (x, y) in layout.piles.items():
        kind, sign, name = pile.split()[0], "", _name(pile, texts)
        if kind == "cell":
            is_empty = not table.cells[int(pile.split()[1]) - 1]
        elif kind == "foundation":
            suit = _suit_of(pile, table)
            is_empty, sign = suit is None, RANKS[state.base - 1]
            if suit is None:
                begins = texts.gettext("foundation that begins with a card of rank {rank}")
                name = begins.format(rank=rank_name(state.base, texts))
            else:
                name = texts.gettext("foundation of {suit}").format(suit=suit_name(suit, texts))
        else:
            is_empty = not getattr(state, kind)
            if kind == "stock" and state.waste and state.redeals != 0:
                sign = "redeal"
        yield Place(pile, x, y, sign, is_empty, texts.gettext("{pile}, empty").format(pile=name) if is_empty else name)


def _counts(state: State, layout: _Layout, texts: Texts) -> Iterator[Count]:
    for pile in ("pivot", "stock", "waste"):
        number = len(getattr(state, pile))
        if number:
            x, y = layout.piles[pile]
            cards = texts.ngettext("{number} card", "{number} cards", number).format(number=number)
            name = f"{_name(pile, texts)}: {cards}"
            yield Count(pile, x + CARD_WIDTH / 2, y + CARD_HEIGHT + 8, str(number), name)
    left = state.redeals
    x, y = layout.piles["waste"]
    name = (
        texts.gettext("redeals without limit")
        if left is None
        else texts.ngettext("{number} redeal left", "{number} redeals left", left).format(number=left)
    )
    yield Count("redeals", x + _PITCH + CARD_WIDTH / 2, y + CARD_HEIGHT + 8, "∞" if left is None else str(left), name)


def _highlight(table: Table, move: Move, layout: _Layout, cards: tuple[Placed, ...]) -> Highlight:
    """Find where a move begins and ends."""
    table.play(move)  # which is refused where it is not legal
    state, card, piles = table.state, move.card, layout.piles
    tops = {placed.pile: (placed.x, placed.y) for placed in cards}
    if card is None:
        if move.kind is MoveKind.TURN:
            right = FAN_RIGHT * min(len(state.waste), _FANNED - 1)
            return Highlight(move, tops["stock"], (piles["waste"][0] + right, piles["waste"][1]))
        return Highlight(move, tops["waste"], piles["stock"])
    start = next((placed.x, placed.y) for placed in cards if placed.card == card)
    if move.kind is MoveKind.FOUNDATION:
        at = table.suits.index(card.suit) if card.suit in table.suits else len(table.suits)
        return Highlight(move, start, piles[f"foundation {at + 1}"])
    if move.kind is MoveKind.FILL:
        return Highlight(move, start, piles[f"cell {table.cells.index(()) + 1}"])
    neighbour = state.card_at(card.suit, state.step(card) + 1)
    x, y = next((placed.x, placed.y) for placed in cards if placed.card == neighbour)
    return Highlight(move, start, (x, y + FAN_DOWN))


def _described(table: Table, texts: Texts) -> str:
    """Say what lies on the table."""
    state, _ = table.state, texts.gettext

    def number(pile: tuple[Card, ...]) -> str:
        return texts.ngettext("{number} card", "{number} cards", len(pile)).format(number=len(pile))

    def cards(names: Iterator[str]) -> str:
        return " ".join(names) or "–"

    cells = cards(" ".join(pretty(card, texts) for card in cell) or "–" for cell in table.cells)
    tops = cards(pretty(state.card_at(suit, state.foundations[suit] - 1), texts) for suit in table.suits)
    said = {
        _("cells"): cells,
        _("pivot"): number(state.pivot),
        _("foundations"): tops,
        _("stock"): number(state.stock),
        _("waste"): number(state.waste) + (f", {pretty(state.waste[-1], texts)}" if state.waste else ""),
    }
    return "; ".join(f"{name}: {words}" for name, words in said.items())
