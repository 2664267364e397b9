"""The package as a library: lay out a deal, look around, play, solve, and check the evidence."""

from perno_solver import READINGS, Card, Deal, Move, MoveKind, State, check, line_text, solve

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
    result = solve(deal, rules=rules)
    assert result.evidence is not None  # there is no budget that could end first
    if result.line is not None:
        check(result.evidence)
        print(f"{name:18} won by {len(result.line)} moves in {result.passes} passes")
        continue
    states = sum(1 for _ in result.evidence)
    if states <= 1_000:
        check(result.evidence)  # knows no search, and raises if the evidence did not prove the verdict
    print(f"{name:18} lost: what needs to be tried stays within {states:,} of its states, none of them won")
