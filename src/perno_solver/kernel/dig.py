"""What the last pass leaves no way around: the waste is taken up from its top (*dig*).

Cards are numbered by suit here, 16 * suit + step, so that a card's neighbour is the next higher bit, and the piles that
cards can lie in are counted for all suits at once.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import ONE, count, highest, lowest, u64
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.sets import below


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def by_suit(game: Position, cards: u64) -> u64:
    """Return the cards of some places by suit."""
    found: u64 = 0
    place: cython.int
    while cards != 0:
        place = lowest(cards)
        cards &= cards - 1
        found |= ONE << (game.suit_at[place] << 4 | game.step_at[place])
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def piles_of(cards: u64, others: u64, bottoms: u64, limit: cython.int) -> cython.int:
    """Return how many piles some cards make at least; others may lie between them, and some lie at the bottom."""
    piles: cython.int = 0
    lying: u64  # those on which the card before them may lie
    more: u64
    reach: u64
    i: cython.int
    while True:
        lying = cards
        more = others & cards >> 1
        while more != 0:
            lying |= more
            more = others & more >> 1
        reach = cards & (~(lying >> 1) | bottoms)  # a pile begins with each of these
        piles += count(reach)
        if limit == 13:
            return piles
        more = reach
        for i in range(limit - 1):  # noqa: B007 - a loop variable that Cython can type
            more = more >> 1 & lying & ~bottoms
            reach |= more
        cards &= ~reach
        if cards == 0:
            return piles


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def stuck(bottoms: u64, packed: u64, gaps: cython.int) -> u64:
    """Return which cards are stuck, of those at the bottom of cells, where there have been so many gaps at most.

    With one gap these are the ones on which two cards lie, with two gaps four, and so on.
    """
    covered: u64 = packed << 1
    if gaps > 0:
        covered &= covered << 1
    if gaps > 1:
        covered &= covered << 2
    if gaps > 2:
        covered &= covered << 4
    return bottoms & covered if gaps < 4 else 0


# Long, as each of its steps changes most of what it keeps in hand
@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_too_deep(game: Position) -> cython.bint:
    """Whether in the last pass the waste cannot be dug up, as what lies on some card needs too many cells (DIG)."""
    places: u64 = game.outside() & below(game.at.ptr)  # those of the waste
    tableau: u64 = 0
    packed: u64 = 0
    pivot: u64 = by_suit(game, game.at.P)  # which is empty when there is a gap
    stock: u64 = by_suit(game, game.outside() ^ places)
    waste: u64
    bottoms: u64  # the cards that are stuck, each at the bottom of its cell
    nexts: u64 = 0
    left: u64 = 0  # cards that are not played in thought
    card: u64
    cards: u64 = game.at.T
    i: cython.int
    place: cython.int
    piles: cython.int
    gaps: cython.int = 0  # the most that there can have been
    limit: cython.int = 13
    while cards != 0:  # as `by_suit` does
        place = lowest(cards)
        cards &= cards - 1
        i = game.suit_at[place] << 4 | game.step_at[place]
        tableau |= ONE << i
        packed |= (game.at.K >> place & 1) << i
    for i in range(4):
        place = game.at.F >> 4 * i & 15
        card = ONE << 16 * i + place
        cards = (ONE << 16 * i + 13) - card
        left |= cards
        nexts |= card & cards
        if 13 - place > game.pack_limit:
            limit = game.pack_limit
    waste = left & ~(tableau | pivot | stock)
    bottoms = tableau & ~packed
    while places != 0:
        cards = nexts & ~waste
        while cards != 0:  # played in thought
            left ^= cards
            nexts ^= cards | cards << 1 & left
            cards = nexts & ~waste
        place = highest(places)
        card = ONE << (game.suit_at[place] << 4 | game.step_at[place])
        while True:
            piles = piles_of((tableau | pivot) & left, stock & left, bottoms, 13)
            if 8 - piles > gaps:
                gaps = 8 - piles
            cards = stuck(bottoms, packed & left, gaps if game.fill_tableau else 0)
            if cards == bottoms or not game.pack_tableau:
                break
            bottoms = cards
        if limit < 13:
            piles = piles_of((tableau | pivot) & left, stock & left, bottoms, limit)
        if not nexts & card and not (game.pack_waste and card << 1 & left & ~waste):  # it must fill a cell
            tableau |= pivot  # which is empty then, for good
            pivot = 0
            if game.reform_at == 1 and stock & left:  # and so is the stock
                tableau |= stock
                stock = 0
                piles = piles_of(tableau & left, 0, bottoms, limit)
            if piles > 7:
                return True
            if not game.pack_tableau:
                bottoms |= card
        elif piles > 8 and piles_of(tableau & left, (stock | pivot) & left, bottoms, limit) > 8:
            return True
        places ^= ONE << place
        waste ^= card
        tableau |= card
    return False
