"""Hypothesis strategies for the values of the game, to test what you build on the package.

They need hypothesis: `pip install 'perno_solver[strategies]'`. All compose: what one is made of is a keyword that takes
a strategy. Everything shrinks: deals towards a sorted deck, rules towards the source's, lines towards none. Where
hypothesis is installed it finds this module by itself, so `st.from_type(State)` and `@given(...)` of a function whose
arguments are annotated with `Card`, `Deal`, `Rules`, `Move`, `State`, `View` or `Game` work without importing it.

>>> from hypothesis import given
>>> @given(states(rules=rules(redeals=st.integers(0, 2))))
... def test_at_most_two_redeals_are_left(state):
...     assert state.redeals <= 2
>>> test_at_most_two_redeals_are_left()
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, product, repeat

try:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ImportError as error:
    msg = "perno_solver.strategies needs hypothesis: pip install 'perno_solver[strategies]'"
    raise ImportError(msg) from error

from perno_solver.checks import require
from perno_solver.errors import InvalidState
from perno_solver.game.cards import CARDS, Card, Suit
from perno_solver.game.codec import deck_of
from perno_solver.game.deal import Deal
from perno_solver.game.moves import REDEAL, TURN, Line, Move, MoveKind
from perno_solver.game.record import Game
from perno_solver.game.rules import (
    CELLS,
    MOST_REDEALS,
    PERNO,
    REFORM_SIZE,
    Build,
    Place,
    Reform,
    Rules,
    Turning,
    as_rules,
)
from perno_solver.game.state import State
from perno_solver.game.view import View, exposed
from perno_solver.solve import solve
from perno_solver.solve.budget import Budget

# Values


def cards() -> st.SearchStrategy[Card]:
    """Generate cards; they shrink towards the ace of clubs."""
    return st.sampled_from(CARDS)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Generate deals; they shrink towards a sorted deck."""
    return Deal(draw(st.permutations(CARDS)))


_FIELDS: dict[str, st.SearchStrategy[object]] = {
    "pivot_size": st.just(10) | st.integers(1, 30),
    "reform": st.sampled_from(Reform),
    "pivot_open": st.booleans(),
    "redeals": st.just(2) | st.integers(0, 5) | st.none() | st.integers(0, MOST_REDEALS),
    "build": st.sampled_from(Build),
    "pack_from": st.frozensets(st.sampled_from(Place)),
    "pack_limit": st.integers(1, 13),
    "fill_from": st.sampled_from([frozenset({Place.WASTE}), frozenset({Place.WASTE, Place.TABLEAU})]),
    "turning": st.sampled_from(Turning),
}


def rules(**fields: st.SearchStrategy[object]) -> st.SearchStrategy[Rules]:
    """Generate rules, any legal combination of fields; they shrink towards the source's.

    Args:
        fields: strategies for single fields of `Rules`, by name, as in `rules(redeals=st.integers(0, 2))`.

    Raises:
        InvalidArgument: `Rules` has no such field.
    """
    for name in fields:
        if name not in _FIELDS:
            msg = f"rules have no field {name!r}, expected one of {', '.join(_FIELDS)}"
            raise InvalidArgument(msg)
    return st.builds(Rules, **{**_FIELDS, **fields})


_DEALS, _RULES = deals(), rules()


_MOVES = (
    TURN,
    REDEAL,
    *(Move(kind, card) for kind in (MoveKind.FOUNDATION, MoveKind.FILL, MoveKind.PACK) for card in CARDS),
)


def moves(state: State | str | None = None) -> st.SearchStrategy[Move]:
    """Generate moves, any there are or the legal ones of a state; they shrink towards turning.

    Args:
        state: the state in which they are to be legal, or its text.

    Raises:
        InvalidArgument: no move is legal in the state.
        InvalidState: it is no state.
    """
    if state is None:
        return st.sampled_from(_MOVES)
    at = State.from_text(state) if isinstance(state, str) else state
    require(at, State, InvalidState, "a State, or its text")
    legal = at.legal_moves()
    if not legal:
        msg = f"no move is legal in {at!r}"
        raise InvalidArgument(msg)
    return st.sampled_from(legal[::-1])


# Deals that are won


def won_deals(rules: Rules | str = PERNO) -> st.SearchStrategy[Deal]:
    """Generate deals that can be won under rules, any there are; they shrink towards a sorted deck, if that can be won.

    No search finds them: a game is played, and cards of its deck are swapped for those that it needs. So they are not
    spread as the won deals among all are; for that, filter `deals()` by `solve`.

    Args:
        rules: the rules, or their text. For deals under rules that are generated: `rules().flatmap(won_deals)`.

    Raises:
        InvalidRules: they are none.
    """
    return _wins(as_rules(rules)).map(lambda win: win[0])


# Turns, then other moves, and which of those that can be made (of 16, as their parts): runs of a game that is won.
_GOING = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 15)), max_size=12)


@st.composite
def _wins(draw: st.DrawFn, rules: Rules) -> tuple[Deal, Line]:
    """Generate won deals, each with a winning line."""
    deal, going = draw(_DEALS), draw(_GOING)
    line = _sorted_win(rules) if deal == _SORTED and not going else None
    choices = [choice for turns, others, which in going for choice in (*[None] * turns, *[which] * others)]
    return _win(deal, rules, choices) if line is None else (deal, line)


_SORTED = Deal(CARDS)


@lru_cache(maxsize=64)
def _sorted_win(rules: Rules) -> Line | None:
    return solve(_SORTED, rules=rules, budget=Budget(states=1000), evidence=False).line


_STOCK_FOR = {Reform.NEVER: 53, Reform.UP_TO_TEN: 1, Reform.EXACTLY_TEN: REFORM_SIZE}


def _win(start: Deal, rules: Rules, choices: Iterable[int | None]) -> tuple[Deal, Line]:
    """Play a deck, and swap the card that is played next, wherever it is, with one that is in play.

    So whatever is in play can be played, and every way to go on wins. Only obliged turning looks at cards: no card in
    play at a turn was one that a foundation needed, so what it is swapped with needs a suit that has moved on since.

    Args:
        start: the deck.
        rules: the rules.
        choices: for each move, while they last, None to turn where that is possible, or 0–15: which of the other moves,
            where 0 swaps nothing if that is possible, and odd ones fill a cell.

    Returns:
        The deal that has come of it, and the line that wins it.
    """
    deck, laid_out = list(start.cards), State.start(start, rules)
    base = rules.pivot_size + CELLS
    pivot, cells, stock = [*range(rules.pivot_size)], [*range(rules.pivot_size, base)], [*range(base + 1, 52)]
    waste: list[int] = []  # of places in the deck, as they all are
    on, redeals = list(laid_out.foundations), rules.redeals
    turned_at: dict[int, tuple[int, ...]] = {}  # the foundations when a place was last in play at an obliged turn
    moves: list[tuple[MoveKind, int | None]] = []
    following = chain(choices, repeat(0))
    while sum(on) < 52:
        choice = next(following)
        in_play = waste[-1:] + pivot[-1:] * (len(pivot) == 1 or rules.pivot_open) + cells
        needed = [laid_out.card_at(suit, on[suit]) for suit in Suit if on[suit] < 13]
        plays = [
            (place, card)
            for place, card in product(in_play, needed)
            if place not in turned_at or turned_at[place][card.suit] < on[card.suit]
        ]
        if choice and choice % 2 and waste and not pivot and len(cells) < CELLS:
            cells.append(waste.pop())
            moves.append((MoveKind.FILL, cells[-1]))
        elif (stock and not plays) or (choice is None and (stock or (waste and redeals != 0))):
            moves.append((MoveKind.TURN if stock else MoveKind.REDEAL, None))
            if rules.turning is Turning.OBLIGED:
                turned_at |= dict.fromkeys(in_play, tuple(on))
            if stock:
                waste.append(stock.pop(0))
            else:
                stock, waste, redeals = waste, [], None if redeals is None else redeals - 1
        elif plays:
            plays.sort(key=lambda play: deck[play[0]] != play[1])
            place, card = plays[len(plays) * (choice or 0) // 16]
            other = deck.index(card)
            deck[place], deck[other] = card, deck[place]
            moves.append((MoveKind.FOUNDATION, place))
            on[card.suit] += 1
            next(pile for pile in (waste, pivot, cells) if place in pile).remove(place)
        else:  # obliged turning has left nothing to play
            return _win(start, rules, ())
        while (not pivot and len(stock) >= _STOCK_FOR[rules.reform]) or (pivot and len(cells) < CELLS):
            if pivot:
                cells.append(pivot.pop())
            else:
                pivot, stock = stock[:REFORM_SIZE], stock[REFORM_SIZE:]
    return Deal(deck), tuple(Move(kind, None if place is None else deck[place]) for kind, place in moves)


# Walks

_LEANINGS = ["TRFEP", "FTREP", "FETRP", "EFTRP", "PFETR"]
_RUNS = st.lists(st.tuples(st.sampled_from(_LEANINGS), st.integers(0, 39), st.integers(0, 7)), max_size=4)
"""Runs of moves: which kind is made before which, how many moves but one, and which of its kind each is."""


def states(
    *,
    deals: st.SearchStrategy[Deal] | None = None,
    rules: st.SearchStrategy[Rules] = _RULES,
    max_moves: int = 150,
) -> st.SearchStrategy[State]:
    """Generate states of all phases of the game, won ones among them; they shrink towards the start of a sorted deck.

    Args:
        deals: the deals to begin with; by default any, half of them such that are won, which are played towards it.
        rules: the rules to play them under.
        max_moves: the most moves from the deal; 0 gives starts alone.

    Raises:
        InvalidArgument: `max_moves` is not a whole number from 0.
    """
    starts = None if deals is None else st.builds(State.start, deals, rules)
    return _walks(starts, rules, _checked(max_moves)).map(lambda walk: walk[2])


def lines(
    *, starts: st.SearchStrategy[State] | None = None, max_moves: int = 150
) -> st.SearchStrategy[tuple[State, Line]]:
    """Generate legal lines, each as a pair of the state it starts from and its moves; they shrink towards no moves.

    Args:
        starts: the states to play from, by default starts of deals, half of them such that are won, which are played
            towards it; `st.just(state)` gives lines from one state.
        max_moves: the most moves of a line.

    Raises:
        InvalidArgument: `max_moves` is not a whole number from 0.
    """
    return _walks(starts, _RULES, _checked(max_moves)).map(lambda walk: walk[:2])


def _checked(max_moves: int) -> int:
    if not isinstance(max_moves, int) or max_moves < 0:
        msg = f"max_moves is {max_moves!r}, expected a whole number from 0"
        raise InvalidArgument(msg)
    return max_moves


@st.composite
def _walks(
    draw: st.DrawFn, starts: st.SearchStrategy[State] | None, rules: st.SearchStrategy[Rules], max_moves: int
) -> tuple[State, Line, State]:
    """Generate a start, a line from it and the state that it leads to.

    The line is the beginning of a winning one where that is known, and then runs: few draws, of which each means the
    same from whatever start, so that start and line shrink by themselves and fast.
    """
    runs, percent = draw(_RUNS), draw(st.integers(0, 104))
    start, win = draw(_starts(rules)) if starts is None else (draw(starts), ())
    line, state = list(win[: min(len(win) * percent // 100, max_moves)]), start
    for move in line:
        state = state.play(move)
    part = 8 if line else 1  # of a game that is going to be won, so that the end is not all there is
    for leaning, times, at in runs:
        for _ in range(min(1 + times // part, max_moves - len(line))):
            legal = state.legal_moves()
            if not legal:
                break
            places = [leaning.index(move.kind.value) for move in legal]
            first = [move for move, place in zip(legal, places, strict=True) if place == min(places)]
            line.append(first[at % len(first)])
            state = state.play(line[-1])
    return start, tuple(line), state


@st.composite
def _starts(draw: st.DrawFn, rules: st.SearchStrategy[Rules]) -> tuple[State, Line]:
    """Generate starts: of the sorted deck, won deals, any deals; each with a winning line if it is known."""
    chosen, kind = draw(rules), draw(st.integers(0, 20))
    if not kind:
        deal, win = _SORTED, _sorted_win(chosen) or ()
    else:
        deal, win = draw(_wins(chosen)) if kind % 2 else (draw(_DEALS), ())
    return State.start(deal, chosen), win


# What players know, and games on record


@st.composite
def _views(draw: st.DrawFn, states: st.SearchStrategy[State]) -> View:
    state = draw(states)
    hidden = frozenset(CARDS) - exposed(state)
    some = st.frozensets(st.sampled_from(sorted(hidden))) if hidden else st.just(hidden)
    return View(state, draw(some | st.just(hidden) | st.just(hidden - set(state.waste))))


_STATES, _LINES = states(), lines()


def views(*, states: st.SearchStrategy[State] = _STATES) -> st.SearchStrategy[View]:
    """Generate views in which any cards may be unseen that can be; they shrink towards all being known.

    What a player knows who has seen all that came into sight, and no more, is `Game.view` of `games()`.

    Args:
        states: the positions to look at.
    """
    return _views(states)


# One line of text, as names and comments are: `split` knows all that ends a line.
_TEXTS = st.text(max_size=20).map(lambda text: " ".join(text.split()))


@st.composite
def _games(draw: st.DrawFn, lines: st.SearchStrategy[tuple[State, Line]]) -> Game:
    start, line = draw(lines)
    deck = deck_of(start)
    dealt = State.start(deck, start.rules) == start and not draw(st.booleans())
    comments = draw(st.lists(st.tuples(st.integers(0, len(line)), _TEXTS.filter(bool)), max_size=4))
    return Game(deck if dealt else start, start.rules, line, name=draw(_TEXTS), comments=comments)


def games(*, lines: st.SearchStrategy[tuple[State, Line]] = _LINES) -> st.SearchStrategy[Game]:
    """Generate games on record, of deals and of positions; they shrink towards no moves, name and comments.

    Args:
        lines: where they begin, and what is played, as `lines()` generates it.
    """
    return _games(lines)


for _type, _strategy in {
    Card: cards(),
    Deal: _DEALS,
    Rules: _RULES,
    Move: moves(),
    State: _STATES,
    View: views(),
    Game: games(),
}.items():
    st.register_type_strategy(_type, _strategy)
