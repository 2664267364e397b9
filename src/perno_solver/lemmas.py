"""The two lemmas that evidence may cite, over `State`: they say which successors a closed set can do without.

Both are exchange arguments; their proofs stand with the others' in `docs/lemmas.md`, under the same names.

*Play*: where nothing can be formed again any more, a card that can go to its foundation may as well go there now. So of
such a state only one successor is needed, the one after that play.

*Greedy*: while the pivot is not exhausted, playing and packing only help. So play and pack everything as early as
possible, through all passes that are left; if the pivot is never exhausted on that run, it is exhausted on no line, and
no line wins. Of such a state no successor is needed at all.
"""

from perno_solver.game.cards import Card
from perno_solver.game.moves import Move, MoveKind
from perno_solver.game.rules import REFORM_SIZE, Place, Reform, Rules, Turning
from perno_solver.game.state import State


def needed(state: State) -> tuple[tuple[Move, State], ...]:
    """List the successors that a closed set must hold beside a state, in the order of `State.successors`.

    Complexity: that of `State.successors`, and of one greedy run.
    """
    if state.pivot and greedy_applies(state.rules) and not _may_exhaust(state):
        return ()
    successors = state.successors()
    if play_applies(state.rules) and not may_reform(state):
        plays = [successor for successor in successors if successor[0].kind is MoveKind.FOUNDATION]
        return tuple(plays[:1]) or successors
    return successors


def play_applies(rules: Rules) -> bool:
    """Whether *play* holds under rules: turning is free, and what packs from the pivot packs from the tableau too."""
    from_pivot_only = Place.PIVOT in rules.pack_from and Place.TABLEAU not in rules.pack_from
    return rules.turning is Turning.FREE and not (rules.packs and from_pivot_only)


def greedy_applies(rules: Rules) -> bool:
    """Whether *greedy* may be cited under rules: nothing is packed but the top of the waste.

    A limit on packing, or obliged turning, only take lines away, so what no line can do without them none can do. The
    kernel's other cases of *greedy* and *bound* are not cited.
    """
    return not rules.packs or rules.pack_from == {Place.WASTE}


def may_reform(state: State) -> bool:
    """Whether the pivot may be formed again from here on: cards outside only get fewer."""
    left = len(state.stock) + (len(state.waste) if state.redeals != 0 else 0)
    if state.rules.reform is Reform.EXACTLY_TEN:
        return left >= REFORM_SIZE
    return state.rules.reform is Reform.UP_TO_TEN and left > 0


def _may_exhaust(state: State) -> bool:
    """Play and pack all as early as possible; return whether that comes to a play that exhausts the pivot.

    Only sets matter: which cards are in the tableau, and which of them are at the bottom of their cell, since only a
    play from there opens it.
    """
    needs = set(state.next_up())
    bottoms = {cell[0] for cell in state.tableau}
    packed = {card for cell in state.tableau for card in cell[1:]}
    pivot, stock, waste, redeals = list(state.pivot), list(state.stock), list(state.waste), state.redeals
    moved = True  # whether anything has left the waste since the last redeal; if not, the next pass is no different
    while True:
        playable = needs & (bottoms | packed)
        if len(pivot) == 1 and (playable & bottoms or pivot[0] in needs):
            return True
        if playable:
            card = playable.pop()
            if card in bottoms:
                bottoms.remove(card)
                bottoms.add(pivot.pop())
            packed.discard(card)
            _advance(state, needs, card)
        elif state.rules.pivot_open and pivot[-1] in needs:
            _advance(state, needs, pivot.pop())
        elif waste and waste[-1] in needs:
            _advance(state, needs, waste.pop())
            moved = True
        elif waste and state.rules.packs and state.neighbour(waste[-1]) in bottoms | packed:
            packed.add(waste.pop())
            moved = True
        elif stock:
            waste.append(stock.pop(0))
        elif waste and redeals != 0 and moved:
            stock, waste, moved = waste, [], False
            redeals = None if redeals is None else redeals - 1
        else:
            return False


def _advance(state: State, needs: set[Card], card: Card) -> None:
    """Put a card on its foundation."""
    needs.remove(card)
    after = state.neighbour(card)
    if after is not None:
        needs.add(after)
