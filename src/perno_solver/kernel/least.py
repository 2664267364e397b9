"""What a line that wins has to do at least, beside bringing each card to its foundation; see `docs/shortest.md`."""

try:
    import cython
except ImportError:  # running uncompiled, and without Cython
    from perno_solver.kernel import _cython as cython

if not cython.compiled:
    from perno_solver.kernel.bits import ONE, count, lowest, u64
    from perno_solver.kernel.position import Position
    from perno_solver.kernel.sets import below, first_of, last_of, many


# Long, as each of its steps changes most of what it keeps in hand
@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turns_to_trigger(game: Position, unpacked: u64) -> cython.int:
    """Return the fewest turns and redeals up to the first trigger, -1 if there is none.

    The pivot must have a card, and nothing but the waste be packed. Held cards are not moved, and of those that are
    given none is packed.
    """
    T: u64 = game.at.T
    K: u64 = game.at.K
    P: u64 = game.at.P
    N: u64 = game.at.N
    free: u64 = ~game.at.H
    loose: u64 = free & ~unpacked
    packs: u64 = game.neighbours() if game.pack_waste else 0
    outside: u64 = game.outside()
    stock: u64
    top: u64
    card: u64
    ptr: cython.int = game.at.ptr
    rd: cython.int = game.at.rd
    turns: cython.int = 0
    while True:
        if not many(P) and N & (T & ~K | P) != 0:
            return turns
        card = first_of(N & T & free)
        if card == 0 and game.pivot_open:
            card = last_of(P) & N & free
        if card != 0:
            N ^= card | game.after[lowest(card)]
            if P & card:
                P ^= card
            elif K & card:
                K ^= card
                T ^= card
            else:
                top = last_of(P)
                P ^= top
                T ^= card | top
                if game.pack_waste:
                    packs |= game.before[lowest(top)]
            continue
        top = last_of(outside & below(ptr))
        stock = outside & ~below(ptr)
        if top & N & free:
            N ^= top | game.after[lowest(top)]
            outside ^= top
            continue
        if top & packs & loose:
            T |= top
            K |= top
            outside ^= top
            if game.has_room(K, lowest(top)):
                packs |= game.before[lowest(top)]
            continue
        card = first_of(stock & (N & free | packs & loose))
        if card != 0:
            turns += count(stock & ((card << 1) - 1))
            ptr = lowest(card) + 1
            continue
        free = loose
        if outside & (N | packs) & free == 0 or (rd == 0 and not game.unlimited):
            return -1
        turns += count(stock) + 1
        rd -= 1
        ptr = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turns_to_the_end(game: Position) -> cython.int:
    """Return a number of turns, redeals, fills and packs that are needed where nothing is formed again.

    Each stock card is turned. Of two outside cards of a suit of which the later lies over the sooner, or will once it
    is turned, before the sooner can be played, one does not go to its foundation in this pass, or not straight.
    """
    outside: u64 = game.outside()
    stock: u64 = outside & ~below(game.at.ptr)
    least: cython.int = count(stock)
    suit: cython.int
    step: cython.int
    first: cython.int
    place: cython.int
    reach: cython.int  # up to where cards must have been turned before the one in hand can be played
    last: cython.int
    later: u64  # cards of the suit outside, after the one in hand, that are in no pair yet
    over: u64
    card: u64
    for suit in range(4):
        later = outside & game.run_of[14 * suit + 13]
        if not many(later):
            continue
        first = game.at.F >> 4 * suit & 15
        reach = 0
        for step in range(first, 13):
            place = game.place_of[13 * suit + step]
            card = ONE << place
            if not outside & card:
                continue
            last = reach
            if place < game.at.ptr and last < game.at.ptr:
                last = game.at.ptr
            reach = max(reach, place)
            if not later & card:
                continue
            later ^= card
            if last > place:
                over = first_of(later & below(last) & ~below(place))
                if over != 0:
                    later ^= over
                    least += 1
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_out_of_order(game: Position) -> cython.bint:
    """Whether a card of the waste lies over one of its suit that goes to the foundation sooner."""
    waste: u64 = game.outside() & below(game.at.ptr)
    cards: u64
    card: u64
    suit: cython.int
    while waste != 0:
        cards = last_of(waste)
        suit = game.suit_at[lowest(cards)]
        cards = waste & game.run_of[14 * suit + 13]
        waste ^= cards
        while many(cards):
            card = last_of(cards)
            cards ^= card
            if game.step_at[lowest(card)] > game.step_at[lowest(last_of(cards))]:
                return True
    return False
