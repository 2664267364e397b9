"""The command line: what it prints can be read back, and what it refuses it explains in a line."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from perno_solver import PERNO, READINGS, Deal, State, cli, parse_line, solve
from perno_solver.cli import deal as deal_module
from perno_solver.cli import shared
from perno_solver.proof import Evidence, check
from perno_solver.show.table import Table
from perno_solver.solve.budget import Budget, Meter
from perno_solver.survey.chunks import decide
from perno_solver.survey.store import Store

QUICK = ("--rules", "perno-obliged")  # lost in about a hundred states, but for seed 11, which is won
PERNO_COMMAND = [sys.executable, "-c", "from perno_solver.cli import main; main(prog_name='perno')"]
POSITION = """\
rules: perno-obliged
base: K
foundations: 3C AD AH AS
tableau: AC
pivot:
stock:
waste: 2C
redeals: 1
"""


def perno(*args: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(cli.main, args, input=stdin, prog_name="perno")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args: str, stdin: str | bytes | None = None) -> str:
    """Run what must fail on its input: no output, one line of reason."""
    result = perno(*args, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("Error: ").rstrip("\n")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make both streams pass for terminals."""
    for module in (shared, deal_module):
        monkeypatch.setattr(module, "on_terminal", lambda error=False: True)  # noqa: ARG005
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


# solve


def test_a_won_deal() -> None:
    result = perno("solve", "--seed", "11", *QUICK)
    assert result.exit_code == 0
    first, *line, last = result.stdout.splitlines()
    assert first == "Seed 11 can be won under the rules perno-obliged."
    assert re.fullmatch(r"\d+ moves, 3 passes; \d+ states in 0\.\d\d s", last)
    state = State.start(Deal.from_seed(11), READINGS["perno-obliged"])
    for move in parse_line(" ".join(line)):
        state = state.play(move)
    assert state.is_won


def test_a_lost_deal() -> None:
    result = perno("solve", "--seed", "1", *QUICK)
    assert result.exit_code == 1
    assert re.fullmatch(
        r"Seed 1 cannot be won under the rules perno-obliged.\n\d+ states in 0\.\d\d s\n", result.stdout
    )


def test_a_line_is_wrapped_on_the_narrowest_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1")
    assert perno("solve", "--seed", "11", *QUICK).stdout.splitlines()[1] == "F:7H T T F:7S T T T"


def test_an_undecided_deal() -> None:
    result = perno("solve", "--seed", "2", "--max-states", "10")
    assert result.exit_code == 3
    assert result.stdout.startswith(
        "Seed 2 is undecided under the rules perno.\nthe budget of 10 states is used up; 10 states in 0."
    )


def test_several_deals_one_a_line() -> None:
    result = perno("solve", "--seeds", "10:12", *QUICK)
    assert result.exit_code == 0
    first, second, total = result.stdout.splitlines()
    assert re.fullmatch(r"seed 10 +lost +\d+ states? +0\.\d\d s", first)
    assert re.fullmatch(r"seed 11 +won +\d+ states? +0\.\d\d s   \d+ moves, 3 passes", second)
    assert re.fullmatch(r"2 deals: 1 won, 1 lost, 0 unknown; \d+ states in 0\.\d\d s", total)


def test_several_deals_of_which_one_is_undecided() -> None:
    result = perno("solve", "--seeds", "10:12", "--max-states", "1", *QUICK)
    assert result.exit_code == 3
    assert result.stdout.splitlines()[1].endswith("   the budget of 1 states is used up")


def test_the_objective_is_named() -> None:
    args = ("solve", "--seed", "11", *QUICK, "--objective")
    assert ", the fewest moves; " in perno(*args, "moves").stdout
    assert ", the fewest passes; " in perno(*args, "passes").stdout
    assert ", the fewest passes, and of those the fewest moves; " in perno(*args, "passes,moves").stdout
    result = perno(*args, "moves", "--max-states", "100")
    assert result.exit_code == 0
    assert ", maybe not the fewest, but at least 128 moves: the budget of 100 states is used up; " in result.stdout
    result = perno(*args, "passes", "--max-states", "21")
    assert ", maybe not the fewest: the budget of 21 states is used up; " in result.stdout


def test_json_is_one_object_a_line() -> None:
    result = perno("solve", "--seeds", "10:12", "--json", *QUICK)
    assert result.exit_code == 0
    lost, won = map(json.loads, result.stdout.splitlines())
    assert lost.pop("seconds") < 1
    for count in ("states", "generated", "duplicates", "depth"):
        assert lost.pop(count) >= 0
    assert lost == {
        "seed": 10,
        "deck": str(Deal.from_seed(10)),
        "rules": "perno-obliged",
        "verdict": "lost",
        "moves": None,
    }
    assert won["verdict"] == "won"
    assert tuple(parse_line(" ".join(won["moves"]))) == solve(Deal.from_seed(11), rules=READINGS[QUICK[1]]).line
    unknown = json.loads(perno("solve", "--seed", "2", "--json", "--max-states", "1").stdout)
    assert (unknown["verdict"], unknown["reason"]) == ("unknown", "the budget of 1 states is used up")


def test_a_deck_as_text() -> None:
    deck = str(Deal.from_seed(1))
    assert perno("solve", "--deck", deck, *QUICK).stdout.startswith("The deck cannot be won")
    assert perno("solve", "--deck", deck, "--json", *QUICK).stdout.startswith('{"deck": ')


def test_decks_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    path.write_bytes(f"\ufeff# two decks\r\n\r\n{Deal.from_seed(1)} # lost\r\n{Deal.from_seed(11)}\r\n".encode())
    result = perno("solve", "--file", str(path), "--json", *QUICK)
    assert [json.loads(line)["line"] for line in result.stdout.splitlines()] == [3, 4]
    assert [json.loads(line)["verdict"] for line in result.stdout.splitlines()] == ["lost", "won"]


def test_what_deal_prints_solve_reads() -> None:
    drawn = perno("deal", "11", "--table").stdout
    result = perno("solve", "--file", "-", *QUICK, stdin=drawn)
    assert result.exit_code == 0
    assert result.stdout.startswith("The deck on line 1 can be won")


def test_a_position_has_its_own_rules(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(POSITION)
    result = perno("solve", "--file", str(path), "--show", "--evidence", str(tmp_path))
    assert result.exit_code == 0
    first, line, *shown = result.stdout.splitlines()
    assert first == "The position can be won under the rules perno-obliged."
    assert line in ("F:2C F:AC", "E:2C F:2C F:AC")
    assert shown[2].startswith("   A♣   --")
    assert shown[-3:] == [f"{len(line.split()):>4}  A♣ to its foundation", "", "All 52 cards are on the foundations."]
    with (tmp_path / "position.perno").open("rb") as file:
        check(Evidence.read(file))
    moves = len(line.split())
    proved = f"Proved: this position can be won under the rules perno-obliged, in {moves} moves.\n"
    assert perno("check", str(tmp_path / "position.perno")).stdout == f"{proved}{State.from_text(POSITION)}{line}\n"
    written = json.loads(perno("solve", "--file", "-", "--json", stdin=POSITION).stdout)
    assert State.from_text(written["position"]) == State.from_text(POSITION)
    assert written["rules"] == "perno-obliged"
    assert refused("solve", "--file", str(path), "--rules", "perno") == (
        f"{path}: the position is under the rules perno-obliged, but perno was asked for"
    )


@pytest.mark.parametrize("command", [("solve", "--show"), ("annotate", "F:AC")])
def test_a_position_lies_as_it_was_typed(command: tuple[str, ...]) -> None:
    typed = POSITION.replace("tableau: AC", "tableau: - AC -").replace("3C AD AH AS", "AS AH 3C AD")
    typed = typed.replace("waste: 2C", "waste:").replace("3C AD", "2C AD")
    shown = perno(*command, "--file", "-", stdin=typed).stdout
    assert "   --   A♣   --   --    --      --   --   --   --\n" in shown
    assert "   foundations from K    A♠      A♥   2♣   A♦\n" in shown


def test_show_tells_nothing_of_a_loss() -> None:
    assert perno("solve", "--seed", "1", "--show", *QUICK).stdout.count("\n") == 2


# Rules


def test_there_is_an_option_for_each_field() -> None:
    command = cli.main.get_command(click.Context(cli.main), "deal")
    assert command is not None
    options = [name for parameter in command.params for name in parameter.opts]
    assert options == [
        "seeds",
        "--rules",
        *(f"--{key}" for key, _ in PERNO.spelled()),
        "--won",
        "--lost",
        "--count",
        "--level",
        "--json",
        "--picture",
        "--sheet",
        "--table",
        "--lang",
    ]


def test_options_change_the_named_reading() -> None:
    args = ("solve", "--seed", "1", "--json", "--max-states", "1")
    rules = {
        (): "perno",
        ("--redeals", "unlimited"): "perno,redeals=unlimited",
        ("--rules", "eagle-wing", "--build", "down", "--pivot-size", "10", "--reform", "up-to-ten"): "perno",
        ("--rules", "perno,redeals=1", "--pivot-open", "yes"): "perno,pivot-open=yes,redeals=1",
        ("--rules", "eagle-wing,redeals=unlimited"): "eagle-wing,redeals=unlimited",
        ("--rules", "perno,reform=exactly-ten,turning=obliged"): "perno-tens,turning=obliged",
        ("--pack-from", "waste", "--pack-limit", "13"): "perno-packed",
        ("--turning", "obliged", "--fill-from", "waste"): "perno-obliged",
    }
    for options, text in rules.items():
        assert json.loads(perno(*args, *options).stdout)["rules"] == text


def test_rules_lists_every_reading_with_every_field() -> None:
    result = perno("rules")
    header, *rows = [line.split() for line in result.stdout.splitlines()]
    assert header == list(READINGS)
    for index, rules in enumerate(READINGS.values()):
        assert [(row[0], row[1 + index]) for row in rows] == rules.spelled()


@pytest.mark.usefixtures("terminal")
def test_rules_fit_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR")
    lines = perno("rules").stdout.splitlines()
    assert max(map(len, lines)) < 60
    assert [name for line in lines if line.startswith("  ") for name in line.split()] == list(READINGS)


# deal


def test_a_deal_is_one_line() -> None:
    assert perno("deal", "42").stdout == f"{Deal.from_seed(42)}\n"
    assert perno("deal", "7:9").stdout == f"{Deal.from_seed(7)}\n{Deal.from_seed(8)}\n"
    assert perno("deal", str(2**64 - 1)).exit_code == 0


def test_a_table_is_comment_lines() -> None:
    deck, *table = perno("deal", "42", "--table", "--rules", "eagle-wing").stdout.splitlines()
    assert deck == str(Deal.from_seed(42))
    assert all(line.startswith("#") for line in table)
    assert "[13]" in table[0]


@pytest.mark.usefixtures("terminal")
def test_a_deal_on_a_terminal_comes_with_its_table_in_colours() -> None:
    output = perno("deal", "42").stdout
    assert "#    \x1b[1;38;5;160mQ♦\x1b[0m   \x1b[1mT♠\x1b[0m" in output
    assert "#" not in perno("deal", "42", "--no-table").stdout
    assert "#" not in perno("deal", "1:3").stdout


# check


def test_evidence_goes_where_it_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.perno"
    perno("solve", "--seed", "1", "--evidence", str(path), *QUICK)
    result = perno("check", str(path))
    assert result.exit_code == 0
    assert result.stdout == (
        "Proved: this deal cannot be won under the rules perno-obliged: "
        "a closed set of 1 state holds none that is won, by the lemmas play and greedy.\n"
        f"{Deal.from_seed(1)}\n"
    )
    perno("solve", "--seeds", "10:12", "--evidence", str(tmp_path), *QUICK)
    deck = str(Deal.from_seed(1))
    perno("solve", "--file", "-", "--evidence", str(tmp_path), *QUICK, stdin=deck)
    perno("solve", "--deck", deck, "--evidence", str(tmp_path), *QUICK)
    perno("solve", "--seed", "2", "--evidence", str(tmp_path), "--max-states", "1")  # proves nothing
    names = ["a.perno", "deck.perno", "line-1.perno", "seed-10.perno", "seed-11.perno"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    result = perno("check", str(tmp_path / "seed-11.perno"))
    assert re.search(r"can be won under the rules perno-obliged, in \d+ moves\.\n", result.stdout)


def test_bad_evidence_is_not_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "a.perno"
    path.write_bytes(b"perno-evidence 1\nverdict")
    result = perno("check", str(path))
    assert (result.exit_code, result.stderr) == (1, f"Error: {path}: damaged: the header does not end\n")
    assert refused("check", str(tmp_path / "none")) == f"{tmp_path / 'none'}: No such file or directory"


# Errors


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("solve --seed -1", "seed -1 is out of range"),
        ("solve --seeds 5:5", "seeds '5:5': expected a seed below 2^64, or A:B with A below B"),
        ("solve --seeds 9:3", "seeds '9:3'"),
        ("solve --seeds 1:x", "seeds '1:x'"),
        ("deal x", "seeds 'x'"),
        (f"deal {'9' * 5000}", "seeds '999"),
        ("deal 18446744073709551616", "seeds '18446744073709551616'"),
        ("solve --deck 7S", "--deck, line 1: expected 52 different cards, got 1"),
        ("solve --file /dev/null", "/dev/null: nothing in it, expected a deck"),
        ("solve --file /", "/: Is a directory"),
        ("solve --file /nowhere", "/nowhere: No such file or directory"),
        ("solve --seed 1 --max-states 0", "budget: states is 0, expected a positive whole number"),
        ("solve --seed 1 --max-seconds nan", "budget: seconds is nan"),
        ("solve --seed 1 --rules other", "'other' is not a reading: expected one of perno,"),
        ("solve --seed 1 --rules=", "'' is not a reading"),
        ("solve --seed 1 --redeals few", "rules: redeals is 'few', expected a whole number or unlimited"),
        ("solve --seed 1 --rules perno,redeals=1 --redeals 2", "rules: redeals is given twice"),
        ("solve --seed 1 --evidence /nowhere/a", "/nowhere/a: no such directory to write into"),
        ("solve --seeds 1:3 --evidence a", "a: not a directory, expected one for the evidence of 2 deals"),
    ],
)
def test_bad_input_is_explained_in_a_line(args: str, reason: str) -> None:
    assert refused(*args.split()).startswith(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{Deal.from_seed(1)}\n7S 8X\n", "standard input, line 2: card 2: '8X' is not a card"),
        (b"# \xff\n", "standard input: not UTF-8 text: byte 3 is 0xff"),
        ("base: K\n", "standard input: the position has no line for foundations"),
        ("# nothing\n", "standard input: nothing in it"),
    ],
)
def test_a_bad_file_is_explained_in_a_line(text: str | bytes, reason: str) -> None:
    assert refused("solve", "--file", "-", stdin=text).startswith(reason)


@pytest.mark.parametrize(
    "args",
    [
        "solve",
        "solve --seed 1 --deck x",
        "solve --seed 1 --json --show",
        "solve --seeds 1:3 --show",
        "solve --seed 1e3",
        "deal --won --lost",
        "deal 3 --lost --won --count 2",
    ],
)
def test_bad_usage_points_to_the_help(args: str) -> None:
    result = perno(*args.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Try 'perno {args.split(maxsplit=1)[0]} --help' for help." in result.stderr


@pytest.mark.parametrize("old", [b"old", None])
@pytest.mark.parametrize("name", ["a.perno", "a.csv", "a.parquet", "a.png", "a.svg", "a.pdf"])
def test_files_are_written_whole_or_not_at_all(
    name: str, old: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, store = tmp_path / name, tmp_path / "store"
    args = ["solve", "--seed", "11", *QUICK, "--evidence", str(path)]
    if path.suffix != ".perno":
        with Store(store) as file:
            file.add(decide(PERNO, range(90, 100)))
        args = ["results", str(store), "--export" if path.suffix in {".csv", ".parquet"} else "--plot", str(path)]
    if old is not None:
        path.write_bytes(old)

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = perno(*args)
    assert (result.exit_code, result.stderr) == (2, f"Error: {path}: No space left on device\n")
    assert (path.read_bytes() if path.exists() else None) == old
    monkeypatch.undo()
    assert perno(*args).exit_code == 0
    assert path.stat().st_size > 99
    assert {other.name for other in tmp_path.iterdir()} <= {name, "store", "store-wal", "store-shm"}


def test_evidence_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.perno"
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write(*_: object, **__: object) -> None:
        raise full

    monkeypatch.setattr(Evidence, "write", write)
    result = perno("solve", "--seed", "1", "--evidence", str(path), *QUICK)
    assert (result.exit_code, result.stderr) == (2, f"Error: {path}: No space left on device\n")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refused("solve", "--seed", "1", "--evidence", str(path)) == f"{path}: may not be written"


# Waiting and stopping


def test_progress_is_silent_at_first(capsys: pytest.CaptureFixture[str]) -> None:
    with shared.Waiting(1) as waiting:
        waiting.on_progress(Meter(Budget()))
        waiting.next()
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("deals", "bar"), [(1, False), (3, True)])
def test_progress_is_shown_on_standard_error(deals: int, *, bar: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with shared.Waiting(deals, started=-1e9) as waiting:
        waiting.next()
        waiting.on_progress(Meter(Budget()))
        waiting.on_progress(Meter(Budget(), stored=1234))
        waiting.next()
    out, err = capsys.readouterr()
    assert out == ""
    assert "1,234 states, 0 s" in err
    assert ("1/3" in err) is bar


def test_progress_goes_on_between_deals_where_the_results_go_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(shared, "on_terminal", lambda error=False: error)
    with shared.Waiting(3, started=-1e9) as waiting:
        waiting.next()
    assert "1/3" in capsys.readouterr().err


# As a program


def test_a_quick_deal_does_without_rich() -> None:
    code = (
        "import sys; sys.modules['rich'] = None; from perno_solver.cli import main; "
        "main(['solve', '--seed', '1', '--rules', 'perno-obliged'])"
    )
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)  # noqa: S603
    assert (run.returncode, run.stderr) == (1, b"")


@pytest.mark.parametrize("command", ["solve", "deal", "check", "rules"])
def test_help_has_an_example(command: str) -> None:
    assert f"perno {command}" in perno(command, "-h").stdout.partition("Example")[2]


def test_version() -> None:
    assert perno("--version").stdout.startswith("perno, version ")


# A game as it was played


def test_the_move_that_lost_is_found() -> None:
    result = perno("annotate", "T T T T F:AH", "--seed", "2")
    assert result.exit_code == 2
    result = perno("annotate", "T T T T T", "--seed", "2")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[6:12] == [
        "      won",
        "   1  won     turn 6♣",
        "   2  won     turn 6♠",
        "   3  won     turn A♥",
        "   4  lost    turn 7♥   <- this move lost it",
        "   5  lost    turn A♣",
    ]
    assert lines[-1] == "   stock [28]   waste A♣ [5]   redeals left 2"


def test_a_game_is_annotated_to_its_end() -> None:
    result = perno("annotate", "-", "--file", os.devnull, stdin="")
    assert result.exit_code == 2
    with_position = ("annotate", "F:2C F:AC")
    result = perno(*with_position, "--file", "-", stdin=POSITION)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "   2  won     A♣ to its foundation")


def test_without_a_move_there_is_one_table() -> None:
    result = perno("annotate", "", "--seed", "2")
    assert (result.exit_code, result.stdout) == (0, f"{Table.of(Deal.from_seed(2))}\n\n      won\n")


def test_moves_are_read_from_standard_input() -> None:
    result = perno("annotate", "-", "--seed", "2", stdin="T\nT\n")
    assert (result.exit_code, result.stdout.count("won")) == (0, 3)


def test_an_illegal_move_is_named_by_its_place() -> None:
    assert refused("annotate", "T F:2C", "--seed", "2") == (
        "move 2: F:2C is not legal: 2C is in the stock, not on top of the waste"
    )
    deck = str(Deal.from_seed(2))
    assert refused("annotate", "T", "--file", "-", stdin=f"{deck}\n{deck}\n") == (
        "2 decks in -, expected the one that was played"
    )


def test_too_little_memory_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_file: object, **_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Evidence, "read", fail)
    path = tmp_path / "a.perno"
    path.touch()
    assert refused("check", str(path)) == f"{path}: the machine's memory is used up"


def test_what_proves_a_lost_position_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lost.perno"
    position = State.start(Deal.from_seed(1), "perno-obliged")
    proof = solve(position, engine="readable").evidence
    assert proof is not None
    with path.open("wb") as file:
        proof.write(file)
    told = perno("check", str(path))
    assert told.exit_code == 0
    assert told.stdout.startswith("Proved: this position cannot be won under the rules perno-obliged: a closed set of ")
    assert " holds none that is won.\n" in told.stdout


def test_a_comment_behind_a_deck_is_not_broken(tmp_path: Path) -> None:
    deck = str(Deal.from_seed(11))
    for width in (40, 60, 80, 100, 160, 165):
        path = tmp_path / f"{width}.txt"
        path.write_text(shared.fitted(f"{deck}  # seed 11", width) + "\n")
        assert max(map(len, path.read_text().splitlines())) <= width
        assert perno("solve", "--file", str(path), "--verdict").exit_code == 0
