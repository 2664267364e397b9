"""The rules, and how to play well, in the few words that a page has room for."""

from perno_solver.game.rules import REFORM_SIZE, Build, Place, Reform, Rules, Turning
from perno_solver.show.texts import ENGLISH, Texts


def rules_told(rules: Rules, texts: Texts = ENGLISH) -> list[str]:
    """Tell rules, whatever they are, in a few paragraphs.

    >>> rules_told(Rules())[1]
    'The foundations are built down in suit, and a king follows the ace. The game is won when all 52 cards lie there.'
    """
    _ = texts.gettext
    said = [
        texts.ngettext(
            "{number} card lies face-down in the middle: the pivot.",
            "{number} cards lie face-down in the middle: the pivot.",
            rules.pivot_size,
        ).format(number=rules.pivot_size)
        + " "
        + _(
            "Around it are eight cells with a card each. One more card begins the foundation of its suit, and its rank "
            "is where all four foundations begin. The others are the stock."
        ),
        _(
            "The foundations are built down in suit, and a king follows the ace. The game is won when all 52 cards lie "
            "there."
        )
        if rules.build is Build.DOWN
        else _(
            "The foundations are built up in suit, and an ace follows the king. The game is won when all 52 cards lie "
            "there."
        ),
        _(
            "A card goes to its foundation from a cell, from the top of the waste, or from the pivot, whose top card "
            "is always in play."
        )
        if rules.pivot_open
        else _(
            "A card goes to its foundation from a cell, from the top of the waste, or as the last card of the pivot."
        ),
        _("The pivot's top card fills a cell that becomes empty, by itself.") + " " + _reformed(rules, texts),
        _filled(rules, texts),
        _packed(rules, texts),
        _turned(rules, texts),
    ]
    return [paragraph for paragraph in said if paragraph]


def _reformed(rules: Rules, texts: Texts) -> str:
    _ = texts.gettext
    if rules.reform is Reform.NEVER:
        return _("The pivot is never formed again.")
    if rules.reform is Reform.EXACTLY_TEN:
        return _("An empty pivot is formed again from ten cards of the stock, if there are as many.")
    return _("An empty pivot is formed again from ten cards of the stock, or from those that are left.")


def _filled(rules: Rules, texts: Texts) -> str:
    _ = texts.gettext
    if Place.TABLEAU in rules.fill_from:
        return _(
            "While there is no pivot, you may put the top of the waste, or a card that lies on another, into an empty "
            "cell."
        )
    return _("While there is no pivot, you may put the top of the waste into an empty cell.")


def _packed(rules: Rules, texts: Texts) -> str:
    _ = texts.gettext
    if not rules.packs:
        return ""
    places = {Place.WASTE: _("from the waste"), Place.PIVOT: _("from the pivot"), Place.TABLEAU: _("from a cell")}
    said = _(
        "A card ({places}) may be put on the card of its suit that goes to the foundation just after it, with at most "
        "{limit} cards in a cell."
    )
    listed = ", ".join(name for place, name in places.items() if place in rules.pack_from)
    return said.format(places=listed, limit=rules.pack_limit)


def _turned(rules: Rules, texts: Texts) -> str:
    _, number = texts.gettext, rules.redeals
    said = _("Cards of the stock are turned to the waste one by one.") + " "
    if number is None:
        said += _("When none is left, the waste is turned over and is the stock again, as often as you like.")
    elif number:
        said += texts.ngettext(
            "When none is left, the waste is turned over and is the stock again, {number} time.",
            "When none is left, the waste is turned over and is the stock again, {number} times.",
            number,
        ).format(number=number)
    if rules.turning is Turning.OBLIGED:
        said += " " + _("As long as a card can go to its foundation, you may not turn.")
    return said.strip()


def playing_well(rules: Rules, texts: Texts = ENGLISH) -> list[str]:
    """Tell the rules of thumb; `docs/play.md` says what they are worth."""
    _ = texts.gettext
    said = [
        _("Play every card that can go to its foundation."),
        _(
            "But keep the play that takes the pivot's last card as long as more than three cards are left in the "
            "stock: it would bury ten of them. In the last pass keep it until the stock is empty."
        ),
        _("Turn the waste over before you fill an empty cell from it; in the last pass fill it as soon as you can."),
        _("Remember what you have seen: after the first pass all cards lie in the same order again."),
        _("Count on it: of the games that can be won, who plans and remembers wins nearly all."),
    ]
    if rules.packs:
        said[0] += " " + _("Pack what can be packed.")
        said[2] = _("Fill an empty cell from the waste as soon as you can.")
    if rules.reform is Reform.NEVER:
        del said[1]
    return said


assert REFORM_SIZE == 10, "the texts say ten"
