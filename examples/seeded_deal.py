"""Solve a seeded deal, `python seeded_deal.py [seed]`: print its winning line, or what proves that it has none."""

import io
import sys

from perno_solver import Deal, Evidence, MoveKind, check, solve

seed = int(sys.argv[1]) if sys.argv[1:] else 10
deal = Deal.from_seed(seed)
print(f"Seed {seed} deals {deal}")

result = solve(deal)
print(f"It is {result.verdict.value}, after {result.statistics.stored} states in {result.statistics.seconds:.1f} s.")

if result.line is not None:
    passes: list[str] = [""]
    for move in result.line:
        passes[-1] += f" {move}"
        if move.kind is MoveKind.REDEAL:
            passes.append("")
    for number, moves in enumerate(passes, start=1):
        print(f"Pass {number}:{moves}")

if result.evidence is not None:
    file = io.BytesIO()
    result.evidence.write(file)
    print(f"The evidence takes {file.tell()} bytes.")
    file.seek(0)
    evidence = Evidence.read(file)
    check(evidence)
    what = (
        f"{len(list(evidence))} states that no play leaves" if evidence.line is None else f"{len(evidence.line)} moves"
    )
    print(f"Read back, and checked by the plain rules: {what}.")
