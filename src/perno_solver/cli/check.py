"""perno check: says what files of evidence prove."""

import sys
from collections import Counter
from pathlib import Path

import click

from perno_solver.cli.language import counted, grouped, spoken, told_verdict
from perno_solver.cli.shared import Failure, in_a_line, opened, say, wrapped
from perno_solver.errors import BadEvidence, TooLarge
from perno_solver.game.state import State
from perno_solver.proof import Evidence, check
from perno_solver.solve.budget import Budget, Meter, Stopped

_PROVED, _NOT_PROVED, _NOT_READ, _NOT_ENDED = range(4)  # which are exit codes, too


@click.command("check")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--max-seconds", metavar="S", type=float, help="Give up on a file after this time.")
@click.option(
    "--max-bytes",
    metavar="N",
    type=click.IntRange(1),
    help="Read no more than this of what a file holds, before compression.  [default: 1 GiB of keys, 256 KiB of moves]",
)
def check_command(*, paths: tuple[str, ...], max_seconds: float | None, max_bytes: int | None) -> None:
    """Check files of evidence and say what they prove.

    The check replays the rules and knows nothing of how the evidence was found. Of one file it prints the deck or the
    position, too, and a win's line. In a folder it checks all files whose names end in .perno.

    \b
    Examples:
      perno solve --seed 42 --evidence 42.perno
      perno check 42.perno
      perno check --max-seconds 60 evidence/

    \b
    Exit codes:
      0  all verdicts are proved, won or lost
      1  one is not: a file is damaged, or proves nothing
      2  a file could not be read, or is larger than --max-bytes
      3  else, a check was given up after --max-seconds
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    budget = Budget(seconds=max_seconds)
    if len(paths) == 1 and not Path(paths[0]).is_dir():
        outcome, evidence = _checked(paths[0], budget, max_bytes)
        if evidence is not None:
            say(_as_text(evidence))
        sys.exit(outcome)
    outcomes = Counter[int]()
    verdicts = Counter[str]()
    for path in paths:
        for file in _files_of(path):
            outcome, evidence = _checked(file, budget, max_bytes)
            outcomes[outcome] += 1
            if evidence is not None:
                verdicts[evidence.verdict.value] += 1
                say(f"{in_a_line(file)}: {told_verdict(evidence.verdict)}, {_size(evidence)}")
    _ = spoken().gettext
    kinds = ((_NOT_PROVED, _("not proved")), (_NOT_READ, _("not read")), (_NOT_ENDED, _("given up")))
    proved = (("won", _("proved won")), ("lost", _("proved lost")))
    parts = [f"{grouped(verdicts[verdict])} {name}" for verdict, name in proved]
    parts += [f"{grouped(outcomes[kind])} {name}" for kind, name in kinds if outcomes[kind]]
    files = counted(outcomes.total(), "{number} file", "{number} files")
    say(f"{files}: {', '.join(parts)}")
    sys.exit(next((kind for kind in (_NOT_READ, _NOT_PROVED, _NOT_ENDED) if outcomes[kind]), _PROVED))


def _files_of(path: str) -> list[str]:
    """List the files of evidence in a folder and its folders, by name; of what is no folder, itself."""
    if not Path(path).is_dir():
        return [path]
    return sorted(str(file) for file in Path(path).rglob("[!.]*.perno")) or [str(Path(path, "*.perno"))]


def _checked(file: str, budget: Budget, max_bytes: int | None) -> tuple[int, Evidence | None]:
    """Check one file and tell what is wrong with it, if anything is."""
    look = Meter(budget).look
    try:
        with opened(file) as stream:
            evidence = Evidence.read(stream, max_bytes=max_bytes, look=look)
        check(evidence, look=look)
    except BadEvidence as error:
        outcome, wrong = _NOT_PROVED, str(error)
    except TooLarge as error:
        outcome, wrong = _NOT_READ, f"{error}: see --max-bytes"
    except OSError as error:
        outcome, wrong = _NOT_READ, error.strerror or str(error)
    except MemoryError:
        outcome, wrong = _NOT_READ, "the machine's memory is used up"
    except Stopped as stop:
        outcome, wrong = _NOT_ENDED, f"not proved yet: {stop}"
    else:
        return _PROVED, evidence
    Failure(f"{file}: {'; '.join(wrong.splitlines())}").show()
    return outcome, None


def _size(evidence: Evidence) -> str:
    """Say how large evidence is."""
    if evidence.line is not None:
        return counted(len(evidence.line), "{number} move", "{number} moves")
    return counted(len(evidence.keys or b"") // evidence.codec.width, "{number} state", "{number} states")


def _as_text(evidence: Evidence) -> str:
    """Tell what evidence proves."""
    _, is_position = spoken().gettext, isinstance(evidence.start, State)
    start = str(evidence.start).rstrip("\n")
    size = _size(evidence)
    if evidence.line is not None:
        won = _("Proved: this deal can be won under the rules {rules}, in {moves}.")
        if is_position:
            won = _("Proved: this position can be won under the rules {rules}, in {moves}.")
        return f"{won.format(rules=evidence.rules, moves=size)}\n{start}\n{wrapped(evidence.line)}"
    lost = _("Proved: this deal cannot be won under the rules {rules}: {proof}.")
    if is_position:
        lost = _("Proved: this position cannot be won under the rules {rules}: {proof}.")
    closed = _("a closed set of {states} holds none that is won")
    if evidence.cites:
        closed = _("a closed set of {states} holds none that is won, by the lemmas play and greedy")
    return f"{lost.format(rules=evidence.rules, proof=closed.format(states=size))}\n{start}"
