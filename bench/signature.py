"""The kernel's signature: how many states its searches store over a fixed suite of deals.

usage: python bench/signature.py           print it
       python bench/signature.py --check   compare it with signature.txt, and the states of the witnesses with those in
                                           tests/data/witnesses.tsv; exit 1 where they differ

It is the same on every machine, compiled or not. A change of it is a change of search behaviour: commit the new file
together with the change, and say why.
"""

import sys
from pathlib import Path

from perno_solver import READINGS, Deal, Rules, State, Verdict
from perno_solver.game.codec import Codec
from perno_solver.solve.engine import begin, kernel_for

SUITE = [*READINGS, "perno,pivot-open=yes", "perno,redeals=unlimited", "perno-packed,pack-limit=4"]
DEALS = 25
MOST = 5_000
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
    return "".join(f"{line}\n" for line in lines)


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
