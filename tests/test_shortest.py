"""The fewest moves: the kernel's A* against searches that leave nothing out, and what it says when it stops."""

from collections import defaultdict
from itertools import combinations

import oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from short_games import short_games

from perno_solver import READINGS, Budget, Codec, Deal, Place, Reform, State, Suit, solve
from perno_solver.kernel import COMPILED
from perno_solver.kernel.queue import Queue
from perno_solver.solve.engine import begin, kernel_for, move_of
from perno_solver.strategies import rules, states

FAR = 1 << 14  # moves that no line needs
MANY = 1 << 20  # states


def searched(start, within=FAR, most=MANY, watch=None):
    """Search for the fewest moves; return what that comes to, the line, and the kernel."""
    kernel = kernel_for(start.rules)
    begin(kernel, start, Codec.of(start, start.rules))
    kernel.watch(watch)
    return kernel.fewest_moves(within, most), kernel.shortest_line(), kernel


def length(start, line):
    """Play a kernel's line, which must win; return how many moves it has."""
    state = start
    for kind, card in line:
        state = state.play(move_of(kind, card))
    assert state.is_won
    return len(line)


def walked(start, most):
    """Walk to the first win: how many moves there are to it, None if there is none; or "states"."""
    kernel = kernel_for(start.rules)
    begin(kernel, start, Codec.of(start, start.rules))
    outcome = kernel.breadth_first(first_only=True, cites=False, most=most)
    return {"won": length(start, kernel.walked_line()) if outcome == "won" else None, "lost": None}.get(
        outcome, outcome
    )


def wandered(short, data):
    """Play some moves of a short game."""
    at = short.first
    for _ in range(data.draw(st.integers(0, 30))):
        moves = oracle.legal_moves(short.game, at)
        if moves:
            at = oracle.play(short.game, at, data.draw(st.sampled_from(moves)))
    return at


def assert_fewest(start, moves):
    """Hold the search against a number of moves, None for a loss, and play its line."""
    outcome, line, kernel = searched(start)
    assert outcome == ("lost" if moves is None else "won")
    if moves is None:
        assert line is None
        return
    assert length(start, line) == moves
    assert kernel.gap() == (moves, moves)


@given(short_games())
def test_the_fewest_moves_are_the_walks(short):
    moves = walked(short.start, 20_000 if COMPILED else 1_500)
    assume(moves != "states")
    assert_fewest(short.start, moves)


@given(short_games(rules(redeals=st.sampled_from([0, 1, 2, None]))), st.data())
def test_the_fewest_moves_in_mid_game_are_the_oracles(short, data):
    at = wandered(short, data)
    positions, successors = oracle.explore(short.game, at, at_most=150)
    assume(len(positions) <= 150)
    assert_fewest(short.state(at), oracle.cheapest_win(short.game, at, successors, lambda _: 1))


BY_THE_WALK = {  # the fewest moves of deals, by seed, as the walk finds them
    "perno": {199: 136, 77: 129, 683: 142},
    "perno-tens": {951: 147, 626: 133, 88: 120},
    "perno-obliged": {5968: 106, 78: 115, 2299: 125},
    "eagle-wing": {1672: 140, 635: 144, 2192: 133},
    "perno,pivot-open=yes": {15: 121, 20: 134},
    "perno-packed,redeals=1": {18: 113, 35: 106},
    "perno-packed,redeals=1,pack-limit=2": {162: 107, 95: 113},
    "eagle-wing-packed,redeals=0": {118: 102} if COMPILED else {},
}


@pytest.mark.parametrize("name", BY_THE_WALK)
def test_the_fewest_moves_of_deals_are_the_walks(name):
    for seed, moves in BY_THE_WALK[name].items():
        assert_fewest(State.start(Deal.from_seed(seed), name), moves)


# The bound, read once more as `docs/shortest.md` has it


def turns_to_the_first_trigger(state):
    """Play and pack from the waste whatever can be, and count turns and redeals; None if there is no trigger."""
    rules, on = state.rules, list(state.foundations)
    heights = {card: height for cell in state.tableau for height, card in enumerate(cell, start=1)}
    pivot, stock, waste = list(state.pivot), list(state.stock), list(state.waste)
    redeals, turns, idle = state.redeals, 0, False
    while True:
        nexts = {state.card_at(Suit(suit), n) for suit, n in enumerate(on) if n < 13}
        lying, tops = nexts & heights.keys(), nexts & set(pivot[-1:] if rules.pivot_open else ())
        top = waste[-1] if waste else None
        if len(pivot) == 1 and any(card in pivot or heights.get(card) == 1 for card in nexts):
            return turns
        if lying or tops or top in nexts:
            card = min(lying or tops or {top})
            on[card.suit] += 1
            if card == top:
                waste.pop()
            elif heights.pop(card, None) in {None, 1}:  # from the pivot, or from a cell that the pivot's top fills
                heights |= {} if card == pivot[-1] else {pivot[-1]: 1}
                pivot.pop()
        elif (
            top is not None
            and rules.packs
            and rules.pack_from
            and heights.get(state.neighbour(top), rules.pack_limit) < rules.pack_limit
        ):
            heights[waste.pop()] = heights[state.neighbour(top)] + 1
        elif stock:
            waste.append(stock.pop(0))
            turns += 1
            continue
        elif not waste or redeals == 0 or idle:
            return None
        else:
            stock, waste, idle = waste, [], True
            redeals = None if redeals is None else redeals - 1
            turns += 1
            continue
        idle = False


def turns_to_the_end(state):
    """Every stock card is turned; and of each pair, a card needs a move more."""
    pairs, deck = 0, [*state.waste, *state.stock]
    for suit in Suit:
        cards = sorted((card for card in deck if card.suit == suit), key=state.step)
        left = list(cards)
        for sooner in cards:
            if sooner not in left:
                continue
            left.remove(sooner)
            place = deck.index(sooner)
            turned = [deck.index(card) for card in cards if state.step(card) < state.step(sooner)]
            turned += [len(state.waste) - 1] if place < len(state.waste) else []
            over = [card for card in left if place < deck.index(card) <= max(turned, default=-1)]
            if over:
                left.remove(min(over, key=deck.index))
                pairs += 1
    return len(state.stock) + pairs


def is_out_of_order(state):
    waste = [(card.suit, state.step(card)) for card in state.waste]
    return any(suit == other and step < later for (suit, step), (other, later) in combinations(waste, 2))


def bound(state):
    rules, least = state.rules, 0
    if state.pivot:
        least = turns_to_the_first_trigger(state)
        if least is None:
            return -1
    stays = len(state.stock) + (len(state.waste) if state.redeals != 0 else 0)
    if rules.reform is Reform.NEVER or stays < (1 if rules.reform is Reform.UP_TO_TEN else 10):
        least = max(least, turns_to_the_end(state))
    elif not least:
        least = int(is_out_of_order(state))
    return 52 - sum(state.foundations) + least


WASTE_PACKS = st.sampled_from([frozenset(), frozenset({Place.WASTE})])


def assert_bound(state):
    kernel = kernel_for(state.rules)
    begin(kernel, state, Codec.of(state, state.rules))
    assert kernel.at_least() == bound(state)


@given(states(rules=rules(pack_from=WASTE_PACKS)))
def test_the_bound_is_that_of_the_page(state):
    assert_bound(state)


@given(short_games().filter(lambda short: short.rules.pack_from <= {Place.WASTE}), st.data())
def test_the_bound_is_that_of_the_page_in_short_games(short, data):
    assert_bound(short.state(wandered(short, data)))


# When it stops

LONG = State.start(Deal.from_seed(2), READINGS["eagle-wing-packed"])  # a search of twenty thousand states
FEWEST = 118


def test_the_gap_shrinks_while_it_runs():
    gaps = []
    tell = lambda meter: gaps.append(meter.between)  # noqa: E731
    result = solve(LONG, objective="moves", evidence=False, budget=Budget(states=18_000), on_progress=tell)
    assert result.at_least <= FEWEST <= len(result.line)
    gaps = [gap for gap in gaps if gap != (0, 0)]  # while it looks for the verdict
    assert gaps
    assert all(least <= FEWEST <= most for least, most in gaps)
    assert [least for least, _ in gaps] == sorted(least for least, _ in gaps)


@pytest.mark.parametrize("engine", ["kernel", "readable"])
def test_the_gap_is_proved_when_the_budget_ends(engine):
    start = State.start(Deal.from_seed(11), READINGS["perno-obliged"])
    first = solve(start, engine=engine)
    fewest = len(solve(start, objective="moves").line)
    before = 0
    for more in (1, 5, 20):
        budget = Budget(states=first.statistics.stored + more)
        result = solve(start, objective="moves", engine=engine, budget=budget)
        assert result.reason == f"the budget of {budget.states} states is used up"
        assert before <= result.at_least <= fewest <= len(result.line)
        before = result.at_least


def test_a_line_that_is_met_before_the_search_stops_is_kept():
    deal, eagle_wing = Deal.from_seed(112), READINGS["eagle-wing"]
    first = solve(deal, rules=eagle_wing)
    fewest = solve(deal, rules=eagle_wing, objective="moves")
    budget = Budget(states=first.statistics.stored + 4)
    result = solve(deal, rules=eagle_wing, objective="moves", budget=budget)
    assert result.reason == f"the budget of {budget.states} states is used up"
    assert result.at_least <= len(fewest.line) < len(result.line) < len(first.line)


def test_a_watcher_may_stop_it():
    outcome, line, kernel = searched(LONG, watch=lambda *_: True)
    assert (outcome, line) == ("stopped", None)
    assert kernel.gap()[0] <= FEWEST


def test_there_may_be_no_room():
    assert searched(LONG, most=0)[:2] == ("states", None)


def test_no_line_is_shorter_than_the_shortest():
    start = State.start(Deal.from_seed(11), READINGS["perno-obliged"])
    fewest = len(searched(start)[1])
    outcome, line, kernel = searched(start, within=fewest)
    assert (outcome, line, kernel.gap()) == ("lost", None, (fewest, fewest))


# The queue, which runs in plain Python here


@given(st.data())
def test_the_queue_is_a_stack_for_each_length(data):
    """What waits again with other costs is taken out once, by its last entry that comes first."""
    queue, buckets, costs, taken = Queue(), defaultdict(list), [], set()
    for start in range(data.draw(st.integers(1, 2))):
        queue.clear()
        buckets.clear()
        costs.clear()
        taken.clear()
        most, far = 0, data.draw(st.sampled_from([3, 600])) * (start + 1)
        for pushes in data.draw(st.lists(st.booleans(), max_size=60)):
            if pushes:
                number = data.draw(st.integers(0, len(costs)))
                cost, length = data.draw(st.integers(0, 100)), data.draw(st.integers(0, far))
                assert queue.push(number, cost, length)
                costs[number:] = [cost, *costs[number + 1 :]]
                buckets[length].append(number)
                taken.discard(number)
            elif any(buckets.values()):
                lowest = min(length for length, waiting in buckets.items() if waiting)
                number = buckets[lowest].pop()
                assert queue.pop() == (-1 if number in taken else number)
                assert queue.lowest == lowest
                taken.add(number)
            assert queue.waiting == sum(map(len, buckets.values()))
            most = max(most, queue.waiting)
            assert [queue.cost(number) for number in range(len(costs))] == costs
        assert queue.entries == 1 + most  # what was taken out is used again


def test_the_queue_grows_by_one():
    """At each border of what it has room for."""
    queue = Queue()
    queue.clear()
    for number in range(3_000):
        assert queue.push(number, 0, number)
    assert [queue.pop() for _ in range(3_000)] == list(range(3_000))


def test_a_search_for_the_fewest_moves_forgets_the_one_before():
    codecs = [(start, Codec.of(start, start.rules)) for start in (LONG, State.start(Deal.from_seed(3), LONG.rules))]
    kernel, found = kernel_for(LONG.rules), []
    for start, codec in 2 * codecs:
        begin(kernel, start, codec)
        found.append((kernel.fewest_moves(FAR, 3_000), kernel.counts()))
    assert found[:2] == found[2:]
