"""The block in which a position is written down, one `name: value` a line: read as names, words and cards."""

from collections.abc import Iterable, Mapping, Sequence

from perno_solver.checks import require, shown
from perno_solver.errors import InvalidCard, InvalidState
from perno_solver.game.cards import Card, parse_cards
from perno_solver.game.rules import CELLS

LINES = ("rules", "base", "foundations", "tableau", "pivot", "stock", "waste", "redeals")
"""The names of the lines of a block."""


def is_position(text: str) -> bool:
    """Whether a text looks like a position block rather than a deck: it has a `name:` line."""
    return any(line.split(":")[0].strip().lower() in LINES for line in text.splitlines() if ":" in line)


def read_block(text: str) -> dict[str, str]:
    """Read a block: its values by name; `rules` may be missing. What begins with white space goes on with a line.

    Raises:
        InvalidState: a line is unknown, missing or there twice.
    """
    require(text, str, InvalidState, "a position as text, a `name: value` a line")
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        key, colon, value = content.partition(":")
        if not colon and values and line[0].isspace():
            key = list(values)[-1]
            values[key] = f"{values[key]} {content}".strip()
            continue
        key = key.strip().lower()
        if not colon or key not in LINES:
            names = ", ".join(LINES)
            wanted = f"expected `name: value` with a name of {names}"
            msg = f"line {number}: {shown(content)} is not part of a position: {wanted}"
            raise InvalidState(msg)
        if key in values:
            msg = f"line {number}: {key} is given twice"
            raise InvalidState(msg)
        values[key] = value.strip()
    missing = [key for key in LINES if key not in values and key != "rules"]
    if missing:
        msg = f"the position has no line for {', '.join(missing)}"
        raise InvalidState(msg)
    return values


def write_block(values: Mapping[str, Iterable[object]]) -> str:
    """Write a block that `read_block` reads: the words of each line by its name."""
    return "".join(f"{name}: {' '.join(map(str, words))}".rstrip() + "\n" for name, words in values.items())


def read_cards(name: str, text: str) -> tuple[Card, ...]:
    """Read the cards of a pile.

    Raises:
        InvalidState: one of them is not a card; the message names the pile and the place.
    """
    try:
        return parse_cards(text)
    except InvalidCard as error:
        unseen = "; ? is for unseen cards in pivot, stock and waste of a View" if "?" in text else ""
        msg = f"{name}: {error}{unseen}"
        raise InvalidState(msg) from None


def read_cells(text: str) -> list[tuple[Card, ...]]:
    """Read the cells of a tableau as they are typed, `-` as an empty one.

    Raises:
        InvalidState: they are too many, or one of their cards is not a card.
    """
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) > CELLS:
        msg = f"tableau: {len(words)} cells, expected at most {CELLS}, an empty one as -"
        raise InvalidState(msg)
    return [() if word == "-" else read_cards("tableau", word.replace("/", " ")) for word in words]


def cell_words(cells: Sequence[tuple[Card, ...]]) -> list[str]:
    """Write the cells of a tableau as the words that `read_cells` reads, empty ones after those that are given."""
    return ["/".join(map(str, cell)) or "-" for cell in cells] + ["-"] * (CELLS - len(cells))
