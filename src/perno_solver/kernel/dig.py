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
    while cards != 0:
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
            more >>= 1
            reach |= more  # also beyond the pile, where a pile that begins further down reaches still further
        cards &= ~reach
    return piles


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def stuck(bottoms: u64, packed: u64, gaps: cython.int) -> u64:
    """Return which cards at the bottom of cells are stuck where there are so many gaps.

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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_too_deep(game: Position) -> cython.bint:
    """Whether in the last pass the waste cannot be dug up, as what lies on some card needs too many cells (DIG)."""
    places: u64 = game.outside() & below(game.at.ptr)  # those of the waste
    tableau: u64 = by_suit(game, game.at.T)
    packed: u64 = by_suit(game, game.at.K)
    pivot: u64 = by_suit(game, game.at.P)  # which is empty when there is a gap
    stock: u64 = by_suit(game, game.outside() ^ places)
    waste: u64 = ~(tableau | pivot | stock)  # cards on foundations are asked for nowhere
    bottoms: u64 = tableau & ~packed  # the cards that are stuck, each at the bottom of its cell
    nexts: u64 = 0  # also what would follow the last card of a suit: no card, and so one that never leaves the waste
    left: u64 = 0  # cards that are not played in thought
    card: u64
    cards: u64
    place: cython.int
    gaps: cython.int  # the most that there can be before this card leaves
    cells: cython.int
    for place in range(4):
        card = ONE << 16 * place + (game.at.F >> 4 * place & 15)
        left |= (ONE << 16 * place + 13) - card
        nexts |= card
    while places != 0:
        cards = nexts & ~waste
        while cards != 0:  # played in thought
            left ^= cards
            nexts ^= cards | cards << 1
            cards = nexts & ~waste
        place = highest(places)
        card = ONE << (game.suit_at[place] << 4 | game.step_at[place])
        while game.pack_tableau:
            gaps = 8 - piles_of((tableau | pivot) & left, stock, bottoms, 13)
            cards = stuck(bottoms, packed, gaps if game.fill_tableau else 0)
            if cards == bottoms:
                break
            bottoms = cards
        cells = 8
        if not nexts & card and not (game.pack_waste and card << 1 & ~waste):  # it must fill one of them
            cells = 7
            bottoms |= card
            tableau |= pivot  # which is empty then, for good
            if game.reform_at == 1:
                tableau |= stock  # and so is the stock
        if piles_of(tableau & left, pivot | stock, bottoms, game.pack_limit) > cells:
            return True
        places ^= ONE << place
        waste ^= card
        tableau |= card
    return False
