"""What type checkers say of programs that use the package: `mypy` reads this file, and nothing runs it.

Where a line is wrong it is marked so, and a mark that is not needed is an error, too: so what must fail does fail.
"""

from typing import Literal, assert_type

from perno_solver import (
    PERNO,
    Deal,
    Engine,
    Evidence,
    Line,
    Objective,
    Result,
    State,
    Table,
    Verdict,
    annotate,
    check,
    parse_line,
    solve,
)

deal = Deal.from_seed(42)
state = State.start(deal)
wanted: Literal["any", "moves"] = "moves"

# Choices are the enumerations, or one of their texts
assert_type(solve(deal, objective="moves", engine="readable"), Result)
assert_type(solve(deal, objective=Objective.MOVES, engine=Engine.READABLE), Result)
solve(deal, objective=wanted)
solve(deal, objective="move")  # type: ignore[arg-type]
solve(deal, engine="fast")  # type: ignore[arg-type]
solve(deal, objective=str(wanted))  # type: ignore[arg-type]

# Texts are taken where values are, and nothing else is
solve(str(deal), rules="perno")
solve(42)  # type: ignore[arg-type]
assert_type(State.start(str(deal), "eagle-wing"), State)
assert_type(state.play("T").play(parse_line("T")[0]), State)
state.play(42)  # type: ignore[arg-type]
assert_type(annotate(deal, "T T"), tuple[Verdict, ...])
assert_type(annotate(deal, ["T", *parse_line("T")]), tuple[Verdict, ...])
annotate(deal, b"T")  # type: ignore[arg-type]
assert_type(Table.of(str(state)).play("T"), Table)
assert_type(Evidence.of_win(deal, PERNO, "T"), Evidence)
Evidence(deal, "perno")  # type: ignore[arg-type] # constructors take values only

# Answers are what they say
assert_type(solve(deal).line, Line | None)
assert_type(solve(deal).evidence, Evidence | None)
check(solve(deal).evidence)  # type: ignore[arg-type] # there may be none
deal.cards = ()  # type: ignore[misc] # values are frozen
