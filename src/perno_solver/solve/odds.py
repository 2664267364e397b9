"""Odds: in how many of the worlds that agree with what a player knows the game can be won, and after which move.

A player who has not seen the hidden cards cannot know whether a move keeps the game winnable. But all worlds are
equally likely (see `View`), so trying many and proving each won or lost gives the chance that it does, with an
interval; and where there are so few worlds that all are tried, a proof. What is tried is whether the game can be won by
someone who sees that world: with memory, the chances are hardly flattered by it (see `docs/play.md`).

The idea is known as determinised search: R. Bjarnason, A. Fern, P. Tadepalli, Lower bounding Klondike solitaire with
Monte-Carlo planning, ICAPS 2009; where it can mislead: J. Long, N. Sturtevant, M. Buro, T. Furtak, Understanding the
success of perfect information Monte Carlo sampling in game tree search, AAAI 2010.
"""

from collections import deque
from collections.abc import Iterator

from attrs import evolve, frozen

from perno_solver.checks import got, require
from perno_solver.errors import InvalidBudget, InvalidChoice, InvalidState
from perno_solver.game.cards import CARDS
from perno_solver.game.codec import Codec
from perno_solver.game.deal import SEEDS
from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.view import View
from perno_solver.intervals import wilson
from perno_solver.solve.budget import Budget, Flag, Meter, Stopped, check_flag
from perno_solver.solve.engine import begin, kernel_for

STEP = 50
"""Worlds tried between two looks at what has come out so far."""

MOST_STATES = 1_000_000
"""States stored for one question in one world, unless the budget says otherwise."""


@frozen
class Share:
    """In how many of the worlds tried something can be won.

    Args:
        won: worlds in which it is proved that it can.
        unknown: worlds that were given up.
        worlds: all that were tried.
        exact: whether these are all worlds that there are.
    """

    won: int
    unknown: int
    worlds: int
    exact: bool

    @property
    def rate(self) -> float | None:
        """The share that can be won, unknown worlds not counted as such; None where no world was tried."""
        return self.won / self.worlds if self.worlds else None

    @property
    def interval(self) -> tuple[float, float]:
        """The chance lies in it: with 95 % confidence by Wilson's interval, for sure if exact.

        Unknown worlds count as lost below and as won above.
        """
        if not self.worlds:
            return 0.0, 1.0
        if self.exact:
            return self.won / self.worlds, (self.won + self.unknown) / self.worlds
        return wilson(self.won, self.worlds)[0], wilson(self.won + self.unknown, self.worlds)[1]

    @property
    def is_lost(self) -> bool:
        """Whether it is proved that it cannot be won in any world; never said of a sample."""
        return self.exact and not self.won and not self.unknown

    def __add__(self, other: "Share") -> "Share":
        """Add up two parts of one sample."""
        return Share(self.won + other.won, self.unknown + other.unknown, self.worlds + other.worlds, self.exact)


@frozen
class Odds:
    """What came out of trying worlds of a view.

    Args:
        view: what is known.
        share: in how many of its worlds the game can be won.
        moves: for each legal move, in the order of `View.legal_moves`, in how many it can be won after it; of the same
            worlds for all, so that moves can be compared.
        reason: why fewer worlds were tried than were asked for; None if they were not.
    """

    view: View
    share: Share
    moves: tuple[tuple[Move, Share], ...]
    reason: str | None = None


def odds(
    view: View | str,
    *,
    worlds: int = 500,
    enough: int | None = None,
    seed: int = 0,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    cancel: Flag | None = None,
) -> Odds:
    """Find out with which chance a game can be won, and after each legal move, for a player who knows only a view.

    Args:
        view: what the player knows, or its text.
        worlds: how many worlds to try, at least 1; if there are no more than that, each is tried once, which is exact.
        enough: stop a sample once so many worlds were won, after a multiple of `STEP`; None is never.
        seed: what the sample is drawn by, 0 ≤ seed < 2⁶⁴: the same gives the same odds on every machine.
        budget: the seconds for all, at whose end what is known by then is returned; and the states that each search of
            one world may store (default `MOST_STATES`), or else it counts as unknown.
        cancel: as in `solve`.

    Raises:
        InvalidState: the view is none.
        InvalidChoice: worlds, enough or the seed are out of range.
        KeyboardInterrupt: on Ctrl-C.

    Complexity: one search for each world, and one more for each legal move where it can be won.

    >>> from perno_solver import Deal, State
    >>> found = odds(View.of(State.start(Deal.from_seed(2))), worlds=100)
    >>> found.share.won, [(str(move), share.won) for move, share in found.moves]
    (6, [('T', 6)])
    """
    steps = odds_in_steps(view, worlds=worlds, enough=enough, seed=seed, budget=budget, cancel=cancel)
    return deque(steps, maxlen=1)[0]


def odds_in_steps(
    view: View | str,
    *,
    worlds: int = 500,
    enough: int | None = None,
    seed: int = 0,
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    cancel: Flag | None = None,
) -> Iterator[Odds]:
    """Yield odds again and again as they get better, the last of them being what `odds` returns; stop when you like.

    Args and errors as in `odds`.
    """
    view = View.from_text(view) if isinstance(view, str) else view
    require(view, View, InvalidState, "a View, or its text")
    require(budget, Budget, InvalidBudget, "a Budget")
    check_flag(cancel)
    for name, value, most in (("worlds", worlds, 10**9), ("enough", 1 if enough is None else enough, 10**9)):
        if type(value) is not int or not 1 <= value <= most:
            raise InvalidChoice(got(value, f"{name}: a whole number from 1 to {most}"))
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise InvalidChoice(got(seed, "a seed: a whole number from 0 to 2^64 - 1"))
    return _in_steps(view, worlds, enough, seed, Meter(budget, cancel=cancel))


def _in_steps(view: View, worlds: int, enough: int | None, seed: int, meter: Meter) -> Iterator[Odds]:
    exact = view.worlds <= worlds
    wanted = view.worlds if exact else worlds
    codec = Codec.of(view.world, view.rules)
    kernel = kernel_for(view.rules)

    def look(*_counts: int) -> bool:
        meter.go_on()
        return False

    kernel.watch(look)
    seen = sum(1 << place for place, card in enumerate(codec.deck.cards) if card not in view.unseen)
    none = Share(0, 0, 0, exact=False)
    found = Odds(view, none, tuple((move, none) for move in view.legal_moves()))
    most = meter.budget.states or MOST_STATES
    while found.share.worlds < wanted:
        number = found.share.worlds
        step = min(STEP, wanted - number)
        try:
            meter.go_on()
            begin(kernel, view.world, codec)
            won, unknown, moves = kernel.odds(seen, seed, number, step, exact, most)
        except Stopped as stop:
            yield evolve(found, reason=str(stop))
            return
        done = exact and number + step == wanted
        shares = {
            Move(MoveKind(letter), None if card is None else CARDS[card]): Share(good, bad, step, done)
            for letter, card, good, bad in moves
        }
        share = evolve(found.share, exact=done) + Share(won, unknown, step, done)
        found = Odds(view, share, tuple((move, evolve(old, exact=done) + shares[move]) for move, old in found.moves))
        yield found
        if enough is not None and not exact and found.share.won >= enough:
            return
