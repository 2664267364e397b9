"""Solve a seeded deal, `python seeded_deal.py [seed]`: print its winning line, or what proves that it has none."""

import io
import sys

from perno_solver import Deal, Evidence, MoveKind, check, line_text, solve

seed = int(sys.argv[1]) if sys.argv[1:] else 16
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
    if evidence.line is None:
        print(
            f"Read back and checked: {sum(1 for _ in evidence)} states, closed under every legal move, none of them won."
        )
    else:
        print(
            f"Read back and checked: {len(line_text(evidence.line).split())} legal moves that end with all cards home."
        )
