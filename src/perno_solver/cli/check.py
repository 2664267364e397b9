"""perno check: says what a file of evidence proves."""

import sys

import click

from perno_solver.cli.shared import count, opened, say, wrapped
from perno_solver.errors import BadEvidence
from perno_solver.game.state import State
from perno_solver.proof import Evidence, check

_CITING = ", by the lemmas play and greedy"


@click.command("check")
@click.argument("file", metavar="FILE")
def check_command(*, file: str) -> None:
    """Check a file of evidence and say what it proves.

    The check replays the rules and knows nothing of how the evidence was found. It prints the deck or the position,
    and a win's line.

    \b
    Example:
      perno solve --seed 42 --evidence 42.perno
      perno check 42.perno

    \b
    Exit codes:
      0  the verdict is proved, won or lost
      1  it is not: the file is damaged, or proves nothing
      2  the file cannot be read
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    with opened(file) as stream:
        try:
            evidence = Evidence.read(stream)
            check(evidence)
        except BadEvidence as error:
            click.echo(f"Error: {file}: {error}", err=True)
            sys.exit(1)
    named = "position" if isinstance(evidence.start, State) else "deal"
    under = f"under the rules {evidence.rules}"
    start = str(evidence.start).rstrip("\n")
    if evidence.line is not None:
        moves = count(len(evidence.line), "move")
        say(f"Proved: this {named} can be won {under}, in {moves}.\n{start}\n{wrapped(evidence.line)}")
    else:
        states = count(sum(1 for _ in evidence), "state")
        closed = f"a closed set of {states} holds none that is won{_CITING if evidence.cites else ''}"
        say(f"Proved: this {named} cannot be won {under}: {closed}.\n{start}")
