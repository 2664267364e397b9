"""The package as a library: lay out a deal, look around, play, solve, and check the evidence."""

from perno_solver import READINGS, Budget, Card, Deal, Move, MoveKind, State, Verdict, check, line_text, solve

deal = Deal.from_seed(42)
start = State.start(deal)
print(f"The base card is a {start.on_foundations()[0].pretty}. The table:\n\n{start}")

# States are values: playing makes a new one and leaves the old one as it was.
print("Legal moves:", line_text(start.legal_moves()))
state = start
for move in start.legal_moves()[:1]:
    state = state.play(move)
    print(f"After {move} the legal moves are: {line_text(state.legal_moves())}\n")

seven = Move(MoveKind.FOUNDATION, Card.from_text("7S"))
print(f"Is {seven} legal at the start?", seven in start.legal_moves(), "\n")

# Solving proves a verdict, under any reading of the rules; the evidence says why it is true.
for name, rules in READINGS.items():
    result = solve(deal, rules=rules, budget=Budget(states=4_000))
    print(f"{name:18} {result.verdict.value:8} {result.statistics.stored:6} states stored", end="  ")
    if result.evidence is None:
        print(result.reason)
        continue
    check(result.evidence)  # knows only the rules, and raises if the evidence did not prove the verdict
    if result.verdict is Verdict.WON and result.line is not None:
        print(f"won by {len(result.line)} moves in {result.passes} passes")
    else:
        print("lost: no play leads out of these states, and none of them is won")
