"""An easier game than the real one, in which nothing is a choice: if even that is lost, so is the real one (*bound*).

In it the tableau T is a set of cards (for the letters see `bits`). Those *join* it that may come to lie on their
neighbour once that is there; each of the others begins a *run*, and takes a cell. See `docs/lemmas.md` for why no line
does better.
"""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import ONE, Joins, count, lowest, u64
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.sets import below, first_of, last_of, many


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_joins(game: Position) -> Joins:
    """Find the cards that may join, and those that may later: once the neighbour of their neighbour is in the tableau.

    From the last card of each suit down, along with the height of the lowest pile that can end in the card, 0 where it
    cannot be in the tableau before the pivot is empty.
    """
    T: u64 = game.at.T
    now: u64 = 0
    later: u64 = 0
    cards: u64
    card: u64
    elsewhere: u64  # the neighbour, where it can be packed on another card
    suit: cython.int
    step: cython.int
    place: cython.int
    height: cython.int
    next_step: cython.int
    for suit in range(4):
        height = 0
        step = 12
        next_step = game.at.F >> 4 * suit & 15
        while step > next_step:
            place = game.place_of[13 * suit + step]
            card = ONE << place
            elsewhere = game.after[place] & T & ~game.at.K if step < 11 and game.pack_tableau else 0
            if game.at.K & card:
                now |= card
                height += 1
            elif T & card:  # with something on it, it cannot be packed: what lies there leaves for its foundation only
                if 0 < height < game.pack_limit and game.pack_tableau and not game.before[place] & game.at.K:
                    if not game.at.H & card:
                        now |= card
                    elif elsewhere != 0:  # PACK: held until its neighbour moves
                        later |= card
                height = 1
            elif game.at.P & card:
                if 0 < height < game.pack_limit and (game.pack_tableau or game.pack_pivot):
                    now |= card
                height = 1
            elif 0 < height < game.pack_limit and game.pack_waste and not game.at.H & card:
                now |= card
                height += 1
            elif height > 0 and game.pack_waste and game.at.H & card and elsewhere != 0 and game.pack_limit >= 3:
                later |= card
                height = 3
            else:
                height = 0
            step -= 1
    cards = later
    while cards != 0:
        card = first_of(cards)
        cards ^= card
        if T & game.after[lowest(game.after[lowest(card)])]:
            later ^= card
            now |= card
    return Joins(now=now, later=later)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cells_needed(game: Position, T: u64, joins: u64, must: u64) -> cython.int:
    """Return how many cells a tableau fills at least, as a run that must hold so many cards fills so many piles."""
    cells: cython.int = 0
    room: cython.int  # in the pile below, which counting spares a division
    suit: cython.int
    step: cython.int
    place: cython.int
    for suit in range(4):
        room = 0
        for step in range(12, -1, -1):
            place = game.place_of[13 * suit + step]
            if not (T & joins) >> place & 1:
                room = 0
            if (T & must) >> place & 1:
                if room == 0:
                    cells += 1
                    room = game.pack_limit
                room -= 1
    return cells


# Long, as each of its steps changes most of a dozen variables, and it is most of the work where packing is hard
@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beyond_hope(game: Position) -> cython.bint:
    """Whether even under easier rules the pivot can neither be emptied nor the game be won (BOUND)."""
    T: u64 = game.at.T
    P: u64 = game.at.P
    N: u64 = game.at.N
    must: u64 = T | P  # cards that lie in the tableau sooner or later: they do not come from the waste
    outside: u64 = game.outside()
    found: Joins = find_joins(game)
    joins: u64 = found.now
    later: u64 = found.later
    wanted: u64 = 0  # cards outside or in the pivot that may join one in the tableau now
    top: u64
    pivot: u64
    card: u64
    cards: u64 = T
    place: cython.int
    ptr: cython.int = game.at.ptr
    rd: cython.int = game.at.rd
    cells: cython.int = 0  # runs, a cell each
    needed: cython.int = 0
    limited: cython.bint = game.pack_limit < 13
    changed: cython.bint = True
    while cards != 0:  # count the runs by the card that each begins with, and collect what may join them
        place = lowest(cards)
        cards &= cards - 1
        wanted |= game.before[place] & joins & ~T
        if not (joins >> place & 1 and game.after[place] & T):
            cells += 1
    while True:
        top = last_of(outside & below(ptr))
        pivot = last_of(P) if game.pivot_open or not many(P) else 0
        card = first_of(N & (T | top | pivot))
        if card != 0:  # whatever can be played is
            changed = True
            place = lowest(card)
            if T & card and not (joins & card and game.after[place] & T):
                cells -= 1
            T &= ~card
            P &= ~card
            outside &= ~card
            N ^= card | game.after[place]
            if P == 0:  # emptied, and the bound says no more
                return False
            continue
        if limited and cells < 8 and changed:  # the other number: a run under a limit may take several cells
            changed = False
            # A run with m > 0 of those cards takes 1 + (m - 1) / limit cells, so this many are enough for all
            needed = cells + (count(T & must) - cells) // game.pack_limit
            if needed >= 8:
                needed = cells_needed(game, T, joins, must)
        if cells < 8 and (not limited or needed < 8):  # a cell can be free, so the pivot's top may enter
            card = last_of(P)
            P ^= card
        elif pivot & wanted and game.pack_pivot:
            card = pivot
            P ^= card
        elif top & wanted:
            card = top
            outside ^= card
        else:  # nothing more can happen here: turn to the next card that joins or is played
            cards = outside & (wanted | N)
            card = cards & ~below(ptr)
            if card == 0:
                if cards == 0 or (rd == 0 and not game.unlimited):
                    return True
                if not game.unlimited:
                    rd -= 1
                card = cards
            ptr = lowest(card) + 1
            continue
        if P == 0:
            return False
        # The card is in the tableau now: alone, or joining its neighbour; and others may join it
        changed = True
        T |= card
        place = lowest(card)
        if not (joins & card and game.after[place] & T):
            cells += 1
        cards = game.before[place] & joins
        if game.step_at[place] > 1:  # the card after the next may join now that this one is there
            card = game.before[lowest(game.before[place])] & later
            later ^= card
            joins |= card
            cards |= card
        cells -= count(cards & T)
        wanted |= cards & ~T
