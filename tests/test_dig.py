"""The lemma *dig*, read once more as `docs/lemmas.md` has it, in sets of cards, and held against the kernel's bits."""

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perno_solver import CARDS, Deal, Place, Reform, State
from perno_solver import strategies as perno
from perno_solver.game.codec import Codec
from perno_solver.kernel import ALL_LEMMAS, LEMMAS, api, dig
from perno_solver.solve.engine import begin, kernel_for


def count_piles(state, cards, others, bottoms, limit):
    """From the last card of each suit on, each pile as high as it can be."""
    piles = 0
    for suit in {card.suit for card in cards}:
        room = 0
        for step in range(12, -1, -1):
            card = state.card_at(suit, step)
            if card in cards and (not room or card in bottoms):
                piles, room = piles + 1, limit - 1
            elif card in cards | others and room:
                room -= 1
            else:
                room = 0
    return piles


def cannot_dig(state):
    rules, waste, stock, pivot = state.rules, list(state.waste), set(state.stock), set(state.pivot)
    left = set(CARDS) - set(state.on_foundations())
    lying = {card for cell in state.tableau for card in cell}
    stuck = {cell[0]: cell for cell in state.tableau}
    packs = rules.packs and Place.TABLEAU in rules.pack_from
    while waste:
        played = True
        while played:
            nexts = {card for card in left if not any(state.neighbour(other) == card for other in left)}
            played = nexts - set(waste)
            left -= played
        w, changed = waste[-1], True
        while changed:
            gaps = max(0, 8 - count_piles(state, (lying | pivot) & left, stock & left, stuck.keys(), 13))
            most = 2**gaps if Place.TABLEAU in rules.fill_from and rules.packs else 1
            free = {c for c, cell in stuck.items() if packs and len(cell) - 1 < most}
            changed = bool(free)
            stuck = {c: cell for c, cell in stuck.items() if c not in free}
        goes_on = rules.packs and Place.WASTE in rules.pack_from and state.neighbour(w) in left - set(waste)
        if w not in nexts and not goes_on:
            lying, pivot = lying | pivot, set()
            if rules.reform is Reform.UP_TO_TEN:
                lying, stock = lying | stock, set()
            if count_piles(state, lying & left, stock & left, stuck.keys(), rules.pack_limit) > 7:
                return True
            stuck[w] = (w,)
        elif count_piles(state, lying & left, (stock | pivot) & left, stuck.keys(), rules.pack_limit) > 8:
            return True
        lying.add(waste.pop())
    return False


def kernel_cannot_dig(state):
    """Ask the kernel's function, in plain Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["perno_solver.solve.engine"], "Kernel", api.Kernel)
        kernel = kernel_for(state.rules)
    begin(kernel, state, Codec.of(state, state.rules))
    return dig.is_too_deep(kernel.search)


def verdict(state, lemmas):
    kernel = kernel_for(state.rules, lemmas)
    begin(kernel, state, Codec.of(state, state.rules))
    return kernel.decide(20_000)


LAST_PASSES = perno.states(rules=perno.rules(redeals=st.just(0)))


@given(LAST_PASSES)
def test_kernel_and_page_say_the_same(state):
    assert kernel_cannot_dig(state) == cannot_dig(state)


@given(LAST_PASSES)
def test_what_cannot_be_dug_up_is_lost(state):
    if cannot_dig(state):
        assert verdict(state, 0) != "won"
        assert verdict(state, LEMMAS["hold"] | LEMMAS["dig"]) != "won"


@pytest.mark.parametrize(
    "rules", ["perno,redeals=0,pack-from=waste+pivot+tableau,pack-limit=3,fill-from=waste+tableau", "eagle-wing-packed"]
)
def test_both_answers_are_met_on_the_way_through_a_game(rules):
    draw, answers = random.Random(1), set()
    for seed in range(6):
        state = State.start(Deal.from_seed(seed), rules)
        while legal := state.legal_moves():
            state = state.play(draw.choice(legal))
            if state.redeals == 0:
                answers.add(cannot_dig(state))
                assert kernel_cannot_dig(state) == cannot_dig(state)
    assert answers == {True, False}


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        (
            "pivot-size=5,reform=up-to-ten,pivot-open=yes,redeals=0,pack-from=waste+tableau,pack-limit=5",
            """base: T
            foundations: TD QS
            tableau: 3C/2C 5C QC 3H 8H/7H QH/JH 7S/6S 8S
            pivot: JC 8C
            stock: 2D 6H AC AH TC KC TH 9H 3D 5S 5H 4D 6D 4C JD AD 2H 5D KH 8D 9C
            waste: 2S 7C KS QD KD 7D 6C 3S 9S AS 4S 4H 9D
            redeals: 0""",
        ),
        (
            "pivot-size=8,reform=up-to-ten,pivot-open=yes,redeals=0",
            """base: 6
            foundations: 8C 7D 6H 9S
            tableau: 2C/AC/KC 3C TC/9C QC/JC AD/KD/QD 4H/3H/2H KH/QH/JH QS/JS
            pivot: JD 8H 2S TS 4C 2D
            stock: 9H
            waste: TH TD 9D 8D 4D 5S 4S 7H AH AS 5D 5C KS 5H 3S 3D
            redeals: 0""",
        ),
    ],
    ids=["a gap while what was stock lies on the waste", "two piles that a limit keeps apart share a gap"],
)
def test_gaps_that_are_easily_overlooked(rules, table):
    state = State.from_text(table, f"eagle-wing-packed,{rules}")
    assert verdict(state, ALL_LEMMAS) == "won"


@given(st.integers(0, 9), st.lists(st.integers(1, 13), min_size=4, max_size=4))
def test_who_is_stuck(gaps, heights):
    """In each suit a pile whose lowest card is the last of the suit."""
    bottoms = sum(1 << 16 * suit + 12 for suit in range(4))
    packed = sum(1 << 16 * suit + 12 - lies for suit, height in enumerate(heights) for lies in range(1, height))
    found = dig.stuck(bottoms, packed, gaps)
    for suit, height in enumerate(heights):
        assert found >> 16 * suit + 12 & 1 == (height - 1 >= 2**gaps)


def reach(cards, gaps):
    """How far down a pile of so many cards the lowest can be that lies in a gap; all places are gone through."""
    met, waiting = {()}, [()]
    while waiting:
        off = waiting.pop()
        for card in range(1, cards + 1):  # 1 is the topmost
            if card == 1 or card - 1 in off:
                after = tuple(sorted({*off} ^ {card}))
                if len(after) <= gaps and after not in met:
                    met.add(after)
                    waiting.append(after)
    return max(max(off, default=0) for off in met)


@pytest.mark.parametrize("gaps", range(5))
def test_gaps_take_less_than_two_to_the_power_of_them_from_a_card(gaps):
    assert reach(12, gaps) == min(12, 2**gaps - 1)
