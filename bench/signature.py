"""The kernel's signature: how many states its searches store over a fixed suite of deals, and digests of all else.

usage: python bench/signature.py           print it
       python bench/signature.py --check   compare it with signature.txt, and the states of the witnesses with those in
                                           tests/data/witnesses.tsv; exit 1 where they differ

It is the same on every machine, compiled or not. A change of it is a change of search behaviour: commit the new file
together with the change, and say why.
"""

import hashlib
import sys
from pathlib import Path

from perno_solver import READINGS, Deal, Rules, State, Verdict, View
from perno_solver.game.codec import Codec
from perno_solver.solve.engine import begin, kernel_for

SUITE = [*READINGS, "perno,pivot-open=yes", "perno,redeals=unlimited", "perno-packed,pack-limit=4"]
DEALS = 25
MOST = 5_000
LATE = """
    base: 4
    foundations: 9C 8D 9H 9S
    tableau: 8C 8H 5C 6D 7S 5S 8S 6H
    pivot: 7D 5D
    stock: 6C 7H 7C 5H 6S
    waste:
    redeals: 2
"""
FILE = Path(__file__).with_name("signature.txt")


def signature() -> str:
    """Return a line for each of the suite's rules: deals, won, unknown, states stored under lemmas, states cited."""
    lines = ["# rules, deals, won, undecided within the limit, states stored, states in closed sets that cite lemmas"]
    for name in SUITE:
        rules = Rules.from_text(name)
        won = unknown = stored = cited = 0
        for seed in range(DEALS):
            deal = Deal.from_seed(seed)
            start, codec, kernel = State.start(deal, rules), Codec.of(deal, rules), kernel_for(rules)
            begin(kernel, start, codec)
            verdict = kernel.decide(MOST)
            stored += kernel.counts()[0]
            won += verdict == Verdict.WON.value
            unknown += verdict not in {Verdict.WON.value, Verdict.LOST.value}
            if verdict == Verdict.LOST.value:
                begin(kernel, start, codec)
                kernel.breadth_first(first_only=False, cites=True, most=MOST)
                cited += kernel.counts()[0]
        lines.append(f"{name} {DEALS} {won} {unknown} {stored} {cited}")
    lines += [f"{name} {digest(found)}" for name, found in others().items()]
    return "".join(f"{line}\n" for line in lines)


def digest(found: object) -> str:
    """Name what was found in sixteen letters."""
    return hashlib.sha256(repr(found).encode()).hexdigest()[:16]


def odds_of(start: State) -> list[object]:
    """Try worlds in which a beginning player's unseen cards lie otherwise: of a sample, and in their order."""
    view, codec, kernel = View.of(start), Codec.of(start, start.rules), kernel_for(start.rules)
    begin(kernel, start, codec)
    seen = sum(1 << place for place, card in enumerate(codec.deck.cards) if card not in view.unseen)
    return [kernel.odds(seen, 7, 1, 20, exact, MOST) for exact in (False, True)]


def others() -> dict[str, object]:
    """Find, by name, what the kernel says beside verdicts: of surveys, walks, cards that nobody has seen, players."""
    kernels = [kernel_for(rules) for rules in READINGS.values()]
    perno = kernels[0]
    table = State.from_text(LATE)
    begin(perno, table, Codec.of(table, table.rules))
    walks: list[object] = []
    for first_only, cites in ((True, False), (False, False), (False, True)):
        walks.append(perno.breadth_first(first_only=first_only, cites=cites, most=MOST))
        walks.append((perno.counts(), perno.walked_line() if first_only else digest(perno.keys(0, MOST))))
    return {
        "surveys": [kernel.survey(0, 40, MOST) for kernel in kernels],
        "deal_by_deal": [kernel.each(2**63, 6, MOST) for kernel in kernels],
        "walks": walks,
        "odds": [odds_of(start) for start in (table, State.start(Deal.from_seed(1)), State.start(Deal.from_seed(2)))],
        "players": [
            kernel.play(player, remembers, 5, 7, 0, 12 if player == "calculating" else 200, MOST)
            for kernel in (perno, kernels[4])
            for player in ("greedy", "careful", "calculating")
            for remembers in (True, False)
        ],
    }


def check_witnesses() -> None:
    """Search the witnesses; exit with what differs."""
    sys.path.insert(0, str(FILE.parents[1] / "tests"))
    import witnesses

    for row in witnesses.rows():
        if (found := witnesses.outcome(row)) != (row.verdict, row.states):
            sys.exit(f"a witness is {found[0]} with {found[1]} states: {row}")


if __name__ == "__main__":
    text = signature()
    print(text, end="")
    if sys.argv[1:] == ["--check"]:
        if text != FILE.read_text(encoding="utf-8"):
            sys.exit(f"the signature differs from {FILE.name}")
        check_witnesses()
