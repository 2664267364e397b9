"""Holds every lemma of the kernel against its plain search, which leaves nothing out.

usage: python bench/verify.py [--deals N] [--packed N] [--rules N] [--each-lemma N] [--first SEED]

For each reading without packing N deals, for each with packing N deals, and N random rules with one deal each: the
verdict under all lemmas must be the plain one, and so must it be under each lemma alone and under random sets of them
(on the first deals of each reading, and for all random rules); so must the verdict of a search that goes only where
evidence that cites lemmas goes. Every winning line is played under the plain rules.
Random rules whose plain search passes two million states are passed over, and counted. Exits 1 at the first difference.
"""

import argparse
import random
import sys
import time

from perno_solver import CARDS, READINGS, Build, Deal, Move, MoveKind, Place, Reform, Rules, State, Turning
from perno_solver.game.codec import Codec
from perno_solver.kernel import ALL_LEMMAS, LEMMAS
from perno_solver.solve.engine import MOST_STATES, begin, kernel_for

SMALL = 2_000_000  # states of a plain search of random rules


def random_rules(chance: random.Random) -> Rules:
    """Draw rules, each field by itself."""
    return Rules(
        pivot_size=chance.choice([1, 2, 3, 5, 8, 10, 13, 20, 25, 30]),
        reform=chance.choice(list(Reform)),
        pivot_open=chance.random() < 0.2,
        redeals=chance.choice([0, 0, 1, 1, 2, 3, None]),
        build=chance.choice(list(Build)),
        pack_from=frozenset(place for place in Place if chance.random() < 0.45),
        pack_limit=chance.choice([1, 2, 3, 4, 7, 13, 13]),
        fill_from=frozenset({Place.WASTE} | ({Place.TABLEAU} if chance.random() < 0.4 else set())),
        turning=Turning.OBLIGED if chance.random() < 0.1 else Turning.FREE,
    )


def verdict(start: State, codec: Codec, lemmas: int, most: int = MOST_STATES) -> str:
    """Decide a state under some lemmas; with none of them the search is plain. A line that wins is played."""
    kernel = kernel_for(start.rules, lemmas)
    begin(kernel, start, codec)
    outcome = kernel.decide(most)
    if outcome == "won":
        state = start
        for kind, card in kernel.line():
            state = state.play(Move(MoveKind(kind), None if kind in "TR" else CARDS[card]))
        if not state.is_won:
            sys.exit(f"a line that does not win: {start.rules}, {codec.deck}, lemmas {lemmas}")
    return outcome


def compare(start: State, codec: Codec, plain: str, lemmas: int) -> None:
    """Exit where some lemmas change a verdict."""
    found = verdict(start, codec, lemmas)
    if found != plain:
        sys.exit(f"{found} under lemmas {lemmas}, {plain} without: rules {start.rules}, from\n{start}")


def cited_verdict(start: State, codec: Codec) -> str:
    """Decide a state by what evidence that cites lemmas must hold."""
    kernel = kernel_for(start.rules, 0)
    begin(kernel, start, codec)
    return kernel.breadth_first(first_only=True, cites=True, most=SMALL)


def some_lemmas(chance: random.Random) -> list[int]:
    """Draw sets of lemmas: each alone, beside the one that all others need, and a few at random."""
    alone = [LEMMAS["hold"] | lemma for lemma in LEMMAS.values()]
    return [*alone, *(chance.randrange(ALL_LEMMAS + 1) | LEMMAS["hold"] for _ in range(4))]


def main() -> None:
    """Run what the options ask for, and print what was compared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--packed", type=int, default=1_000)
    parser.add_argument("--rules", type=int, default=2_000)
    parser.add_argument("--each-lemma", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    chance = random.Random(arguments.first)
    for name, rules in READINGS.items():
        deals = arguments.packed if rules.packs else arguments.deals
        started, won, runs = time.perf_counter(), 0, 0
        for seed in range(arguments.first, arguments.first + deals):
            deal = Deal.from_seed(seed)
            start, codec = State.start(deal, rules), Codec.of(deal, rules)
            plain = verdict(start, codec, 0)
            won += plain == "won"
            if cited_verdict(start, codec) not in {plain, "states"}:
                sys.exit(f"evidence that cites lemmas would hold against {plain}: rules {rules}, deal {deal}")
            few = seed < arguments.first + arguments.each_lemma and not rules.packs
            for lemmas in [ALL_LEMMAS, *(some_lemmas(chance) if few else [])]:
                compare(start, codec, plain, lemmas)
                runs += 1
        took = time.perf_counter() - started
        print(f"{name}: {deals:,} deals, {won:,} won, {runs:,} runs under lemmas agree; {took:.0f} s", flush=True)
    passed_over = runs = 0
    for number in range(arguments.rules):
        rules, deal = random_rules(chance), Deal.from_seed(arguments.first + number)
        start = State.start(deal, rules)
        for _ in range(chance.choice([0, 0, 20, 60])):  # dealt, or somewhere in mid-game
            moves = start.legal_moves()
            start = start.play(chance.choice(moves)) if moves else start
        codec = Codec.of(start, rules)
        plain = verdict(start, codec, 0, SMALL)
        if plain not in {"won", "lost"}:
            passed_over += 1
            continue
        if cited_verdict(start, codec) not in {plain, "states"}:
            sys.exit(f"evidence that cites lemmas would hold against {plain}: rules {rules}, from\n{start}")
        for lemmas in [ALL_LEMMAS, *some_lemmas(chance)]:
            compare(start, codec, plain, lemmas)
            runs += 1
    print(f"random rules: {arguments.rules:,} games, {passed_over:,} passed over, {runs:,} runs under lemmas agree")


if __name__ == "__main__":
    main()
