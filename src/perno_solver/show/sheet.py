"""A sheet to print, by which a person lays real cards into a given deal without learning how they lie.

A sorted deck is dealt face-down onto piles, one card at a time, by printed numbers, and again when the piles have been
stacked. These are the two passes of a radix sort, with at most eight piles each: 8 x 8 is more than 52, so two passes
bring the cards into any order. Nobody sees a face between the sorted deck and the deal.
"""

from collections.abc import Sequence
from html import escape
from typing import TypeVar

from perno_solver.game.deal import Deal
from perno_solver.game.rules import PERNO, Rules
from perno_solver.show.document import document
from perno_solver.show.picture import picture
from perno_solver.show.table import Table
from perno_solver.show.texts import ENGLISH, Texts

PILES = 8

_T = TypeVar("_T")


def passes(deal: Deal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return onto which piles, from 1, the cards go in the first pass, and then in the second.

    The first pass begins with the clubs from ace to king, then come diamonds, hearts and spades. Then pile 1 is the
    lowest of the stack, and pile 8 on top of it; after the second pass pile 1 is on top.

    Args:
        deal: what the deck is to be in the end.
    """
    places = {card: place for place, card in enumerate(deal.cards)}
    deck = sorted(deal.cards)
    first = tuple(places[card] % PILES + 1 for card in deck)
    deck = stacked(deck, first, range(1, PILES + 1))
    return first, tuple(places[card] // PILES + 1 for card in deck)


def stacked(deck: Sequence[_T], onto: Sequence[int], order: Sequence[int]) -> list[_T]:
    """Deal cards onto piles and stack these; the first card of a deck is its top.

    Args:
        deck: the cards.
        onto: the pile for each.
        order: the piles as they are stacked, the lowest first.
    """
    piles: dict[int, list[_T]] = {pile: [] for pile in order}
    for card, pile in zip(deck, onto, strict=True):
        piles[pile].append(card)
    return [card for pile in reversed(order) for card in reversed(piles[pile])]


def sheet(deal: Deal, rules: Rules = PERNO, *, title: str, told: str = "", texts: Texts = ENGLISH) -> str:
    """Write the sheet as an HTML page that needs nothing else.

    Args:
        deal: the deal.
        rules: the rules that say where its cards lie on the table.
        title: what it is called.
        told: what is to be said of it beside that, such as that it can be won.
        texts: the language.
    """
    _ = texts.gettext
    first, second = passes(deal)
    steps = [
        _(
            "Sort the deck: lay the cards face-up one on another, the clubs from ace to king, on them the diamonds, "
            "then the hearts, then the spades. Turn the whole stack over: it lies face-down now, with the ace of clubs "
            "on top. From here on all cards stay face-down."
        ),
        _(
            "Deal the cards from the top one at a time onto {piles} piles, by these numbers: the first card onto pile "
            "{first}, and so on. Tick off what is done."
        ).format(piles=max(first), first=first[0]),
        _stack(first, range(1, max(first) + 1), texts),
        _("Deal once more from the top, now onto {piles} piles:").format(piles=max(second)),
        _stack(second, range(max(second), 0, -1), texts),
        _(
            "This is the deal, its first card on top. Count {number} cards face-down one on another: the pivot. Lay "
            "eight cards face-up, four on its left, then four on its right, and one below it, where the foundations "
            "begin. The rest is the stock. These cards are to be seen now:"
        ).format(number=rules.pivot_size),
    ]
    parts = {1: _numbers(first), 3: _numbers(second), 5: picture(Table.of(deal, rules), lang=_code(texts))}
    listed = "".join(f"<li><p>{escape(step)}</p>{parts.get(at, '')}</li>" for at, step in enumerate(steps))
    intro = _(
        "By this sheet you lay real cards into a deal that was chosen beforehand, and do not learn how they lie: no "
        "card is seen on the way."
    )
    body = f"<main><h1>{escape(title)}</h1><p>{escape(f'{told} {intro}'.strip())}</p><ol>{listed}</ol></main>"
    return document(title, body, lang=_code(texts), style=_STYLE)


def _code(texts: Texts) -> str:
    return texts.info().get("language", "en")


def _numbers(onto: Sequence[int]) -> str:
    """Write the numbers of piles in rows of thirteen, each with the numbers of its cards."""
    rows = []
    for at in range(0, len(onto), 13):
        cells = "".join(f"<td>{pile}</td>" for pile in onto[at : at + 13])
        rows.append(f'<tr><th scope="row">{at + 1}–{at + 13}</th>{cells}</tr>')
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _stack(onto: Sequence[int], order: range, texts: Texts) -> str:
    """Say how many cards the piles have, and how they are stacked."""
    piles = ", ".join(
        texts.gettext("pile {pile}: {number}").format(pile=pile, number=onto.count(pile)) for pile in sorted(order)
    )
    has = texts.gettext("Now the piles have so many cards: {piles}. If not, begin again.").format(piles=piles)
    lowest, *middle, top = order
    stack = texts.gettext("Stack them: lowest is pile {lowest}, on it come {middle}, and on top pile {top}.")
    return f"{has} {stack.format(lowest=lowest, middle=', '.join(map(str, middle)), top=top)}"


_STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #16181d; font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
p { margin: 0 0 .5rem; }
ol { padding-left: 1.5rem; }
li { margin-bottom: .75rem; break-inside: avoid; }
table { border-collapse: collapse; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
td { min-width: 1.9rem; padding: .12rem 0; text-align: center; border: 1px solid #b9bcc4; }
td:nth-child(6), td:nth-child(11) { border-right: 3px solid #777b86; }
th { padding-right: .7rem; font-size: .8rem; font-weight: normal; text-align: right; color: #5a5e69; }
svg { width: 100%; height: auto; max-width: 34rem; }
@page { margin: 14mm; }
@media print {
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  svg { max-width: 120mm; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
