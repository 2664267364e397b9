"""Limits: Ctrl-C, files without end, checks of many files, and messages that stay readable."""

import json
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from test_cli import PERNO_COMMAND, QUICK, perno, refused

from perno_solver import (
    Budget,
    Card,
    Deal,
    Move,
    PernoError,
    Rules,
    State,
    Suit,
    Verdict,
    annotate,
    parse_line,
    solve,
)
from perno_solver.cli import annotate as annotate_module
from perno_solver.cli import check as check_module
from perno_solver.cli import shared
from perno_solver.cli.sources import parse_seeds
from perno_solver.proof import Evidence

# Ctrl-C


def press_ctrl_c(*_: object) -> None:
    signal.raise_signal(signal.SIGINT)


def interrupt_search(monkeypatch: pytest.MonkeyPatch, number: int, times: int = 1) -> None:
    """Press Ctrl-C when a command begins its search of that number, from 1."""
    searches = iter(range(1, 100))

    def solve_interrupted(*args: Any, **options: Any) -> Any:
        if next(searches) == number:
            for _ in range(times):
                press_ctrl_c()
        return solve(*args, **options)

    monkeypatch.setattr("perno_solver.cli.solve.solve", solve_interrupted)


def test_an_interrupted_run_prints_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_search(monkeypatch, 3)
    result = perno("solve", "--seeds", "1:6")
    assert result.exit_code == 3
    assert [line.split()[2] for line in result.stdout.splitlines()] == ["lost", "won", "unknown", "5"]
    assert "   interrupted\n3 of 5 deals: 1 won, 1 lost, 1 unknown; " in result.stdout
    interrupt_search(monkeypatch, 1)
    result = perno("solve", "--seed", "3", "--json")
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (3, "interrupted")


def test_ctrl_c_while_looking_for_the_fewest_moves_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared.Waiting, "on_progress", press_ctrl_c)
    result = perno("solve", "--seed", "2", "--rules", "eagle-wing-packed", "--objective", "moves")
    assert result.exit_code == 0
    assert "128 moves, 2 passes, maybe not the fewest, but at least 11" in result.stdout
    assert " moves: interrupted; " in result.stdout


def test_a_second_ctrl_c_interrupts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_search(monkeypatch, 1, times=2)
    assert perno("solve", "--seed", "3").exit_code == 130


def test_ctrl_c_is_left_to_whom_it_belongs() -> None:
    for usual in (signal.SIG_IGN, signal.default_int_handler):
        before = signal.signal(signal.SIGINT, usual)
        try:
            with shared.ctrl_c_cancels() as cancel:
                assert (signal.getsignal(signal.SIGINT) is usual) is (usual is signal.SIG_IGN)
            assert signal.getsignal(signal.SIGINT) is usual
            assert not cancel.is_set()
        finally:
            signal.signal(signal.SIGINT, before)
    codes = []
    elsewhere = threading.Thread(target=lambda: codes.append(perno("solve", "--seed", "1", *QUICK).exit_code))
    elsewhere.start()
    elsewhere.join()
    assert codes == [1]


def test_an_interrupted_annotation_prints_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def annotate(*_: object, **__: object) -> tuple[Verdict, ...]:
        press_ctrl_c()
        return Verdict.WON, Verdict.UNKNOWN

    monkeypatch.setattr(annotate_module, "annotate", annotate)
    result = perno("annotate", "--seed", "10", "T")
    assert result.exit_code == 3
    assert "   1  unknown turn " in result.stdout
    assert result.stderr == "Interrupted: the verdicts that were not reached are unknown.\n"


def test_evidence_is_not_written_when_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(_evidence: Evidence, _file: object, *, look: Callable[[], None]) -> None:
        press_ctrl_c()
        look()

    monkeypatch.setattr(Evidence, "write", write)
    path = tmp_path / "a.perno"
    path.write_bytes(b"the old one")
    result = perno("solve", "--seed", "1", "--evidence", str(path), *QUICK)
    assert (result.exit_code, result.stderr) == (1, f"Warning: {path}: not written: cancelled\n")
    assert path.read_bytes() == b"the old one"


# check


def test_several_files_and_folders_are_checked(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    perno("solve", "--seeds", "10:12", "--evidence", str(tmp_path / "inner"), *QUICK)
    lost, won = (tmp_path / "inner" / f"seed-{seed}.perno" for seed in (10, 11))
    result = perno("check", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [
        f"{lost}: lost, 102 states",
        f"{won}: won, {len(solve(Deal.from_seed(11), rules=QUICK[1]).line or ())} moves",
    ]
    assert result.stdout.splitlines() == [*rows, "2 files: 1 proved won, 1 proved lost"]
    assert perno("check", str(lost), str(won)).stdout == result.stdout

    (tmp_path / "inner" / ".temporary.perno").write_bytes(b"")
    (tmp_path / "inner" / "other.txt").write_bytes(b"")
    assert perno("check", str(tmp_path)).stdout == result.stdout
    damaged = tmp_path / "inner" / "damaged\n.perno"
    damaged.write_bytes(won.read_bytes()[:-1])
    result = perno("check", str(tmp_path))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        1,
        "3 files: 1 proved won, 1 proved lost, 1 not proved",
    )
    wrong = "damaged: the digest at the end does not match, or is not the end"
    assert result.stderr == f"Error: {tmp_path}/inner/damaged\\x0a.perno: {wrong}\n"

    (tmp_path / "empty").mkdir()
    result = perno("check", str(tmp_path / "inner"), str(tmp_path / "empty"), str(tmp_path / "none"))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        2,
        "5 files: 1 proved won, 1 proved lost, 1 not proved, 2 not read",
    )
    assert f"Error: {tmp_path / 'empty' / '*.perno'}: No such file or directory\n" in result.stderr
    assert f"Error: {tmp_path / 'none'}: No such file or directory\n" in result.stderr


def test_what_a_set_lacks_is_told_in_a_line(tmp_path: Path) -> None:
    evidence = solve(Deal.from_seed(10), rules=QUICK[1]).evidence
    assert evidence is not None
    first = evidence.codec.encode(State.start(Deal.from_seed(10), QUICK[1]))
    path = tmp_path / "a.perno"
    with path.open("wb") as file:
        evolve(evidence, keys=first).write(file)
    result = perno("check", str(path))
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "the set is not closed: it lacks what T leads to from; rules: perno-obliged; base: " in result.stderr


def test_a_check_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.perno"
    perno("solve", "--seed", "1", "--evidence", str(path), *QUICK)
    assert perno("check", str(path), "--max-bytes", "16", "--max-seconds", "600").exit_code == 0
    result = perno("check", str(path), "--max-bytes", "15")
    assert (result.exit_code, result.stdout) == (2, "")
    tail = "16 bytes of moves or keys, and no more than 15 are to be read: see --max-bytes\n"
    assert result.stderr == f"Error: {path}: {tail}"
    result = perno("check", str(path), str(path), "--max-seconds", "1e-9")
    assert (result.exit_code, result.stdout) == (3, "2 files: 0 proved won, 0 proved lost, 2 given up\n")
    assert result.stderr == f"Error: {path}: not proved yet: the budget of 1e-09 seconds is used up\n" * 2
    assert perno("check").exit_code == 2

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(check_module, "check", fail)
    assert perno("check", str(path), str(path)).stdout == "2 files: 0 proved won, 0 proved lost, 2 not read\n"


# Files without end


@pytest.mark.parametrize("endless", ["/dev/zero", "/dev/full", "/dev/urandom"])
@pytest.mark.parametrize("args", ["solve --file", "annotate T --file", "check"])
def test_a_file_without_end_is_read_up_to_a_limit(args: str, endless: str) -> None:
    result = perno(*args.split(), endless)
    assert result.exit_code == (1 if args == "check" else 2)
    assert len(result.stderr) < 400
    assert endless in result.stderr


def test_a_text_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "decks"
    path.write_bytes(b"# all decks\n" * (1 << 21))
    assert refused("solve", "--file", str(path)) == f"{path}: more than 16 MiB, expected a text no longer than that"
    endless = [*PERNO_COMMAND, "annotate", "--seed", "1", "-"]
    with subprocess.Popen(["yes", "T"], stdout=subprocess.PIPE) as yes:  # noqa: S607 - a program without end
        run = subprocess.run(endless, stdin=yes.stdout, capture_output=True, check=False)  # noqa: S603
        yes.kill()
    assert run.returncode == 2
    assert run.stderr == b"Error: standard input: more than 16 MiB, expected a text no longer than that\n"


# Messages

DEAL = Deal.from_seed(1)
START = State.start(DEAL)
LONG_TEXTS = ["x" * 100_000, "♠" * 100_000, "9" * 100_000, "7S " * 10_000, "x " * 10_000, "F:" + "7" * 100_000]
LONG_TEXTS += ["perno," * 10_000, "perno,redeals=" + "9" * 10_000, "a: b\n" * 10_000, "base: " + "K" * 100_000]
LONG_TEXTS += [
    "\n".join(f"{name}: {long}" if line.startswith(name) else line for line in str(START).splitlines())
    for name in ("rules", "base", "foundations", "tableau", "pivot", "stock", "waste", "redeals")
    for long in ("x" * 100_000, "7S " * 10_000)
]
TAKING_TEXTS: dict[str, Callable[[str], object]] = {
    "card": Card.from_text,
    "deal": Deal.from_text,
    "move": Move.from_text,
    "rules": Rules.from_text,
    "position": State.from_text,
    "line": parse_line,
    "start": solve,
    "objective": lambda text: solve(DEAL, objective=text),  # type: ignore[arg-type]
    "played": lambda text: annotate(DEAL, text),
    "seeds": lambda text: refused("solve", "--seeds", text) and parse_seeds(text),
    "deck": lambda text: refused("solve", "--deck", text) and Deal.from_text(text),
    "file": lambda text: refused("solve", "--file", "-", stdin=text) and solve(text),
}


@pytest.mark.parametrize("name", TAKING_TEXTS)
def test_messages_show_little_of_what_was_given(name: str) -> None:
    for text in LONG_TEXTS:
        with pytest.raises(PernoError) as error:
            TAKING_TEXTS[name](text)
        assert 10 < len(str(error.value)) < 400


@pytest.mark.parametrize(
    "args",
    [
        ["x"],
        ["solve", "x"],
        ["solve", "--x"],
        ["solve", "--seed", "x"],
        ["solve", "--objective", "x x "],
        ["solve", "--max-seconds", "x"],
        ["solve", "--file", "x"],
        ["solve", "--rules", "x"],
        ["check", "x"],
        ["annotate", "--seed", "1", "x"],
        ["survey", "--seeds", "x"],
        ["compare", "--rules", "x"],
        ["results", "x"],
    ],
)
def test_messages_of_the_command_show_little_of_its_arguments(args: list[str]) -> None:
    result = perno(*args[:-1], args[-1] * 50_000)
    assert result.exit_code == 2
    assert 10 < len(result.stderr) <= 1001


@pytest.mark.parametrize("digits", [100, 5000])  # Python writes no more than 4,300
@pytest.mark.parametrize(
    "use",
    [
        Deal.from_seed,
        lambda number: Card(Suit.CLUBS, number),
        lambda number: Rules(redeals=number),
        lambda number: Budget(states=-abs(number)),
        lambda number: evolve(START, base=number).check(),
        lambda number: evolve(START, redeals=number).check(),
        lambda number: evolve(START, foundations=(number, 0, 0, 0)).check(),
    ],
)
def test_messages_show_little_of_long_numbers(use: Callable[[int], object], digits: int) -> None:
    for number in (10**digits, -(10**digits)):
        with pytest.raises(PernoError) as error:
            use(number)
        assert 10 < len(str(error.value)) < 400
