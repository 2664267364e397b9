"""The commands survey, compare and results, and deals by verdict."""

import csv
import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from perno_solver import PERNO, READINGS, Deal, Rules, State, Verdict, cli, level, solve
from perno_solver.cli import figures, setting, shared
from perno_solver.intervals import wilson
from perno_solver.solve.engine import EngineInfo
from perno_solver.solve.players import PlayerName
from perno_solver.survey import chunks, seeds_with
from perno_solver.survey.chunks import Chunk, decide
from perno_solver.survey.figures import Totals
from perno_solver.survey.store import Store

SEEDS = range(90, 210)
WON = decide(PERNO, SEEDS).seeds_with(Verdict.WON)
LOST = decide(PERNO, SEEDS).seeds_with(Verdict.LOST)


def perno(*args: str) -> Result:
    result = CliRunner().invoke(cli.main, args, prog_name="perno")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args: str) -> str:
    """Run what must fail on its input: no output, a reason in the last line."""
    result = perno(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.rstrip("\n").rpartition("Error: ")[2]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "chunk_size", lambda _rules, _player=None: 50)
    monkeypatch.setattr(
        "perno_solver.survey.run.engine_info", lambda: EngineInfo(compiled=True)
    )  # threads start at once


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Make a store of two readings, one with a gap between its seeds."""
    path = tmp_path / "survey.sqlite"
    with Store(path) as file:
        for seeds in (range(90, 100), range(100, 150), range(150, 210)):
            file.add(decide(PERNO, seeds))
        for seeds in (range(5, 9), range(100, 120)):
            file.add(decide(READINGS["perno-obliged"], seeds))
    return str(path)


# survey


def test_a_survey_in_words() -> None:
    result = perno("survey", "--seeds", "90:210")
    assert result.exit_code == 0
    first, *lines = result.stdout.splitlines()
    assert re.fullmatch(r"perno, seeds 90:210, in \d+\.\d\d s", first)
    low, high = wilson(len(WON), 120)
    rate = f"{100 * len(WON) / 120:.3f} % won ({100 * low:.3f} – {100 * high:.3f} %)"
    assert lines[0] == f"won          {len(WON)} of 120 deals, {rate}"
    words = [line[:12].strip() for line in lines]
    assert words == ["won", "of three", "states", "moves won", "passes won"]


def test_a_survey_as_json() -> None:
    result = perno("survey", "--seeds", "90:210", "--json", "--rules", "perno-obliged", "--redeals", "1")
    values = json.loads(result.stdout)
    rules = Rules.from_text("perno-obliged,redeals=1")
    totals = Totals.of(decide(rules, SEEDS))
    assert 0 < values.pop("seconds") < 60
    assert values == {
        "rules": str(rules),
        "player": None,
        "seeds": "90:210",
        "won": totals.won,
        "lost": totals.lost,
        "unknown": 0,
        "rate": totals.rate,
        "low": totals.interval[0],
        "high": totals.interval[1],
        "one_of_three": 1 - (1 - totals.rate) ** 3,
        "states": list(totals.states),
        "moves": list(totals.moves),
        "passes": list(totals.passes),
    }
    assert Rules.from_text(values["rules"]) == rules


def test_undecided_deals_have_their_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_STATES", 0)
    monkeypatch.setattr(figures, "MOST_STATES", 0)
    result = perno("survey", "--seeds", "90:210")
    assert result.exit_code == 3
    assert "\nunknown      " in result.stdout
    assert result.stdout.splitlines()[3].endswith(", given up after 0 states")


def test_a_survey_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "survey.sqlite")
    before = json.loads(perno("survey", "--seeds", "90:210", "--store", path, "--jobs", "2", "--json").stdout)
    monkeypatch.setattr("perno_solver.survey.run.decide", None)
    after = json.loads(perno("survey", "--seeds", "90:210", "--store", path, "--json").stdout)
    assert {**before, "seconds": 0} == {**after, "seconds": 0}


def test_seeds_that_no_survey_takes() -> None:
    assert refused("survey", "--seeds", "5:5").startswith("seeds '5:5': expected a seed below 2^64, or A:B")
    assert refused("survey", "--seeds", f"{2**63}") == f"seeds '{2**63}': surveys take seeds below 2^63"
    assert refused("survey") == "Missing option '--seeds'."


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("some notes\n" * 100)
    reason = f"{path}: damaged, or not a store of surveys: file is not a database"
    assert refused("survey", "--seeds", "1:3", "--store", str(path)) == reason
    assert refused("results", str(path)) == reason


@pytest.mark.parametrize("command", [["survey"], ["compare", "--rules", "perno", "--rules", "eagle-wing"]])
def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setattr(setting, "on_terminal", lambda error=False: error)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "150")
    result = perno(*command, "--seeds", "90:210")
    assert result.exit_code == 0
    assert f"{100 * len(WON) / 120:.3f} % won (" in result.stderr
    assert "deals/s" in result.stderr
    assert "\x1b" not in result.stdout


def interrupted_after(
    monkeypatch: pytest.MonkeyPatch, number: int, with_signal: signal.Signals = signal.SIGINT
) -> None:
    """Press Ctrl-C when so many chunks are counted, or send another signal."""
    left, count = [number], Totals.of

    def counted(chunk: Chunk) -> Totals:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), with_signal)
        return count(chunk)

    monkeypatch.setattr(Totals, "of", counted)


@pytest.mark.parametrize(("with_signal", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("stored", [True, False])
def test_a_signal_ends_a_survey_with_what_was_done_and_how_to_go_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    with_signal: signal.Signals,
    code: int,
    options: list[str],
    stored: bool,  # noqa: FBT001
) -> None:
    path = tmp_path / "survey.sqlite"
    with monkeypatch.context() as patch:
        interrupted_after(patch, 3, with_signal)
        where = ["--store", str(path)] if stored else []
        result = perno("survey", "--seeds", "0:1000000", "--jobs", "1", *options, *where)
    assert result.exit_code == code
    kept = f"what is done is kept in {path}, and the same command goes on from there"
    assert result.stderr == f"Interrupted: {kept if stored else 'nothing is kept without --store'}.\n"
    done = re.search(r"seeds\"?:? \"?([\d:,]+)", result.stdout)
    assert done is not None
    ranges = [range(*map(int, part.split(":"))) for part in done[1].rstrip(",").split(",")]
    assert sum(map(len, ranges)) == 150
    totals = sum((Totals.of(decide(PERNO, seeds)) for seeds in ranges), Totals())
    told = json.loads(result.stdout)["won"] if options else int(re.search(r"won +(\d+) of 150 deals", result.stdout)[1])
    assert told == totals.won
    if stored:
        with Store(path, read_only=True) as file:
            assert sum(chunk.deals for chunk in file.chunks(PERNO)) >= 150


def test_ctrl_c_before_anything_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "survey.sqlite"
    interrupted_after(monkeypatch, 0)
    result = perno("survey", "--seeds", "0:1000000", "--store", str(path))
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.startswith("Interrupted: what is done is kept in ")


def test_a_signal_to_end_does_so_where_ctrl_c_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(monkeypatch, 2, signal.SIGTERM)
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a shell's background
    try:
        assert perno("survey", "--seeds", "0:1000000").exit_code == 143
    finally:
        signal.signal(signal.SIGINT, usual)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_program_that_handles_the_signal_itself_goes_on_to(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    usual = signal.signal(signal.SIGTERM, lambda number, _frame: seen.append(number))
    interrupted_after(monkeypatch, 2, signal.SIGTERM)
    try:
        assert perno("survey", "--seeds", "0:200").exit_code == 0
    finally:
        signal.signal(signal.SIGTERM, usual)
    assert set(seen) == {signal.SIGTERM}


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ["survey", "--seeds", "0:1000000000"],
        ["survey", "--seeds", "0:1000000000", "--store", "survey.sqlite"],
        ["compare", "--rules", "perno", "--rules", "eagle-wing", "--seeds", "0:1000000000"],
        ["deal", "--won", "--rules", "eagle-wing,redeals=0", "--count", "1000000"],
    ],
)
def test_a_signal_to_end_ends_all_that_runs_long(tmp_path: Path, args: list[str]) -> None:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "perno_solver", *args],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    time.sleep(6)
    process.terminate()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 143
    assert "Traceback" not in errors
    assert len(errors.splitlines()) <= 1


def test_a_survey_that_fails_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("perno_solver.survey.run.decide", fail)
    failed = "failed 3 times, the last time with RuntimeError"
    assert re.fullmatch(
        rf"seeds \d+:\d+ {failed}; nothing is kept without --store", refused("survey", "--seeds", "0:1000")
    )
    path = str(tmp_path / "survey.sqlite")
    kept = f"what is done is kept in {path}, and the same command goes on from there"
    assert refused("survey", "--seeds", "0:1000", "--store", path).endswith(f"{failed}; {kept}")


@pytest.mark.parametrize("command", ["survey", "compare", "results"])
def test_help_names_the_commands(command: str) -> None:
    assert f"\n  {command} " in perno("--help").stdout
    assert perno(command, "--help").stdout.startswith(f"Usage: perno {command} ")


# Dask


def test_dask_gives_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(2) as executor:

        class Client:
            def __init__(self, address: str, timeout: int) -> None:
                assert (address, timeout) == ("tcp://there:8786", 10)

            def close(self, timeout: int) -> None:
                raise TimeoutError(timeout)

            def get_executor(self) -> ThreadPoolExecutor:
                return executor

            def ncores(self) -> dict[str, int]:
                return {"one": 1, "two": 1}

        monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
        result = perno("survey", "--seeds", "90:210", "--json", "--dask", "tcp://there:8786")
    assert json.loads(result.stdout)["won"] == len(WON)


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def client(*_args: object, **_options: object) -> None:
        raise TimeoutError(errno.ETIMEDOUT, "timed out")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    assert (
        refused("survey", "--seeds", "1:9", "--dask", "tcp://there:1")
        == f"--dask tcp://there:1: [Errno {errno.ETIMEDOUT}] timed out"
    )


def test_dask_and_jobs_exclude_each_other() -> None:
    reason = "--jobs is for this machine, and --dask has its own workers"
    assert refused("survey", "--seeds", "1:9", "--dask", "tcp://there:1", "--jobs", "2") == reason


@pytest.mark.parametrize(
    ("module", "args", "extra"),
    [
        ("distributed", ["survey", "--seeds", "1:9", "--dask", "tcp://there:1"], "dask"),
        ("perno_solver.survey.plots", ["results", "none.sqlite", "--plot", "a.png"], "plot"),
        ("pyarrow", ["results", "none.sqlite", "--export", "a.parquet"], "parquet"),
    ],
)
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, module: str, args: list[str], extra: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert refused(*args) == f"this needs what an extra brings: pip install 'perno_solver[{extra}]'"


# compare


def test_compare_in_words() -> None:
    result = perno("compare", "--rules", "perno", "--rules", "perno-obliged", "--seeds", "90:210", "--list")
    assert result.exit_code == 0
    head, line, blank, title, *seeds = result.stdout.splitlines()
    obliged = set(decide(READINGS["perno-obliged"], SEEDS).seeds_with(Verdict.WON))
    only = [seed for seed in WON if seed not in obliged]
    assert " ".join(head.split()) == "first second both won first only second only both lost unknown difference 95 %"
    assert line.split()[:7] == ["perno", "perno-obliged", str(len(obliged)), str(len(only)), "0", str(len(LOST)), "0"]
    assert (blank, title) == ("", "seed  perno  perno-obliged")
    assert seeds == [f"{seed}  won  lost" for seed in only]


def test_compare_as_json() -> None:
    rules = ["perno", "perno,redeals=0", "eagle-wing"]
    args = [word for name in rules for word in ("--rules", name)]
    pairs = list(map(json.loads, perno("compare", *args, "--seeds", "90:210", "--json").stdout.splitlines()))
    assert [pair["rules"] for pair in pairs] == [rules[:2], [rules[0], rules[2]], rules[1:]]
    for pair in pairs:
        assert pair["both"] + pair["first_only"] + pair["second_only"] + pair["neither"] == 120
        assert pair["low"] < pair["difference"] < pair["high"]
        assert pair["unknown"] == 0
    listed = perno("compare", *args[:4], "--seeds", "90:210", "--json", "--list").stdout
    assert len(json.loads(listed)["differing"]) == pairs[0]["first_only"] + pairs[0]["second_only"]


def test_compare_keeps_what_it_does(tmp_path: Path) -> None:
    path = str(tmp_path / "survey.sqlite")
    args = ("compare", "--rules", "perno", "--rules", "eagle-wing", "--seeds", "90:210", "--store", path)
    assert perno(*args).stdout == perno(*args).stdout
    with Store(path, read_only=True) as file:
        assert file.readings() == [(PERNO, None), (READINGS["eagle-wing"], None)]


def test_compare_needs_two_readings() -> None:
    assert refused("compare", "--seeds", "1:9", "--rules", "perno", "--rules", "redeals=2").startswith(
        "give --rules two times or more, with different rules"
    )


# results


def test_a_whole_store_is_said_to_be(store: str, tmp_path: Path) -> None:
    whole = "is whole, every row as it was written"
    result = perno("results", store, "--check")
    assert result.stdout == f"{store} {whole}: 3 chunks of perno, 2 chunks of perno-obliged\n"
    empty = str(tmp_path / "empty.sqlite")
    with Store(empty):
        pass
    assert perno("results", empty, "--check").stdout == f"{empty} {whole}: no chunks\n"
    assert (
        refused("results", store, "--check", "--json") == "--check goes through all of a store, and does nothing else"
    )


def test_pieces_that_contradict_each_other_are_found(store: str) -> None:
    right = decide(PERNO, range(120, 130))
    with Store(store) as file:
        file.add(right, decide(PERNO, range(125, 140)))
    assert "5 chunks of perno," in perno("results", store, "--check").stdout
    with Store(store) as file:
        file.add(evolve(right, first=131))
    assert refused("results", store, "--check") == f"{store}: two verdicts on the same deals, of the seeds 131:141"


def test_results_as_a_table(store: str) -> None:
    head, first, second = perno("results", store).stdout.splitlines()
    assert head.split() == ["rules", "seeds", "deals", "won", "unknown", "rate", "95", "%", "one", "of", "three"]
    assert first.split()[:5] == ["perno", "90:210", "120", str(len(WON)), "0"]
    assert second.split()[:3] == ["perno-obliged", "5:9,100:120", "24"]


def test_results_for_programs(store: str) -> None:
    first, second = map(json.loads, perno("results", store, "--json").stdout.splitlines())
    totals = Totals.of(decide(PERNO, SEEDS))
    assert (first["won"], first["lost"], first["moves"]) == (totals.won, totals.lost, list(totals.moves))
    rows = list(csv.DictReader(io.StringIO(perno("results", store, "--csv").stdout)))
    for row, values in zip(rows, (first, second), strict=True):
        assert row == {name: "" if values[name] is None else str(values[name]) for name in row}
    one = perno("results", store, "--json", "--rules", "perno-obliged").stdout
    assert json.loads(one) == second


def test_lines_of_any_length_are_counted(tmp_path: Path) -> None:
    path = str(tmp_path / "survey.sqlite")
    moves, passes = (*[0] * 538, 2, *[0] * 4_461, 1), (*[0] * 900, 3)
    chunk = Chunk(PERNO, 0, 3, b"\x15", (0, 3), moves, passes)
    with Store(path) as file:
        file.add(chunk)
    told = json.loads(perno("results", path, "--json").stdout)
    assert (told["moves"], told["passes"]) == (list(moves), list(passes))
    lines = perno("survey", "--seeds", "0:3", "--store", path).stdout.splitlines()
    assert lines[-2:] == ["moves won    538 in the middle, 538 to 5000 for 95 %", "passes won   3 in 900"]


def test_results_list_seeds(store: str) -> None:
    args = ("results", store, "--rules", "perno", "--list")
    assert perno(*args, "won").stdout.split() == list(map(str, WON))
    assert perno(*args, "lost", "--limit", "2").stdout.split() == list(map(str, LOST[:2]))
    assert perno(*args, "unknown").stdout == ""


def test_results_that_cannot_be_given(store: str, tmp_path: Path) -> None:
    assert refused("results", store, "--list", "won") == "choose one by --rules: 'perno', 'perno-obliged'"
    assert refused("results", store, "--rules", "eagle-wing") == f"{store}: no survey in it under the rules eagle-wing"
    one = "give one of --json, --csv and --list; --limit is for --list"
    assert refused("results", store, "--json", "--csv") == one
    assert refused("results", store, "--limit", "3") == one
    missing = str(tmp_path / "none.sqlite")
    assert refused("results", missing) == f"{missing}: no such file"
    assert refused("results", store, "--export", "a.txt") == "a.txt: expected a name that ends in .csv or .parquet"
    empty = str(tmp_path / "empty.sqlite")
    with Store(empty):
        pass
    assert refused("results", empty) == f"{empty}: no survey in it"


COLUMNS = ["rules", "seed", "verdict", "base", "states", "moves", "passes", "level"]


def exported(path: Path) -> list[dict[str, Any]]:
    """Read a table as it is written, numbers as numbers, what is missing as None."""
    if path.suffix == ".parquet":
        table = pytest.importorskip("pyarrow.parquet").read_table(path)
        assert table.column_names == COLUMNS
        return list(table.to_pylist())
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = {"rules", "verdict", "level"}
    return [
        {key: value if key in texts else int(value) if value else None for key, value in row.items()} for row in rows
    ]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_an_exported_deal_has_what_a_regression_needs(store: str, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"deals{suffix}"
    result = perno("results", store, "--export", str(path))
    assert result.exit_code == 0
    assert result.stdout == perno("results", store).stdout
    rows = exported(path)
    places = [("perno", seed) for seed in SEEDS]
    places += [("perno-obliged", seed) for seeds in (range(5, 9), range(100, 120)) for seed in seeds]
    assert [(row["rules"], row["seed"]) for row in rows] == places
    for row in rows:
        deal, rules = Deal.from_seed(row["seed"]), READINGS[row["rules"]]
        found = solve(deal, rules=rules, evidence=False)
        assert row == {
            "rules": row["rules"],
            "seed": row["seed"],
            "verdict": found.verdict.value,
            "base": State.start(deal, rules).base,
            "states": found.statistics.stored,
            "moves": None if found.line is None else len(found.line),
            "passes": found.passes,
            "level": level(deal, rules=rules).value,
        }


def test_seeds_limit_what_is_exported_and_listed(store: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    assert perno("results", store, "--export", str(path), "--seeds", "98:103").exit_code == 0
    places = [(row["rules"], row["seed"]) for row in exported(path)]
    assert places == [
        *(("perno", seed) for seed in range(98, 103)),
        *(("perno-obliged", seed) for seed in (100, 101, 102)),
    ]
    listed = perno("results", store, "--list", "won", "--rules", "perno", "--seeds", "98:150").stdout.split()
    assert listed == [str(seed) for seed in WON if seed in range(98, 150)]
    assert perno("results", store, "--export", str(path), "--seeds", "500:600").exit_code == 0
    assert exported(path) == []
    assert refused("results", store, "--seeds", "0:9") == "--seeds is for --list and --export"
    assert refused("results", store, "--seeds", "9:0", "--list", "won").startswith("seeds '9:0': expected a seed below")


def test_a_deal_that_is_not_what_is_stored_is_told(store: str, tmp_path: Path) -> None:
    lost = decide(PERNO, range(LOST[0], LOST[0] + 1))
    with Store(store) as file:
        file.add(evolve(lost, first=WON[0] + 10_000))
        file.add(evolve(decide(PERNO, range(WON[0], WON[0] + 1)), first=LOST[0] + 10_000))
    path = tmp_path / "deals.csv"
    path.write_text("before")
    reason = refused_after("results", store, "--export", str(path), "--seeds", "10000:20000")
    assert re.fullmatch(r"seed \d+ under perno is stored as \w+, and was found to be \w+", reason)
    assert path.read_text() == "before"


def refused_after(*args: str) -> str:
    """Run what fails after it has printed something."""
    result = perno(*args)
    assert result.exit_code == 2
    return result.stderr.rstrip("\n").rpartition("Error: ")[2]


def test_an_export_shows_how_far_it_is(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "on_terminal", lambda error=False: error)
    monkeypatch.setattr(shared.time, "perf_counter", lambda: 1e12)  # long after it began
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "150")
    result = perno("results", store, "--export", str(tmp_path / "deals.csv"))
    assert "/144" in result.stderr
    assert exported(tmp_path / "deals.csv")


def test_results_are_drawn(store: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "survey.svg"
    assert perno("results", store, "--plot", str(path)).exit_code == 0
    assert "perno-obliged" in path.read_text()


# deal


def test_only_deals_that_can_be_won() -> None:
    lines = perno("deal", "90", "--won", "--count", "3").stdout.splitlines()
    assert lines == [f"{Deal.from_seed(seed)}  # seed {seed}" for seed in WON[:3]]
    lines = perno("deal", "90:210", "--won").stdout.splitlines()
    assert [int(line.split()[-1]) for line in lines] == WON
    first = next(seeds_with(Verdict.WON, READINGS["eagle-wing"], range(1000)))
    assert perno("deal", "--won", "--rules", "eagle-wing").stdout.endswith(f"  # seed {first}\n")


def test_only_deals_that_are_lost() -> None:
    lines = perno("deal", "--lost", "--count", "4", "--no-table").stdout.splitlines()
    expected = list(islice(seeds_with(Verdict.LOST, PERNO, range(1000)), 4))
    assert [int(line.split()[-1]) for line in lines] == expected


def test_deals_by_verdict_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    path.write_text(perno("deal", "--won", "--count", "2", "--table").stdout)
    lines = perno("solve", "--file", str(path), "--json").stdout.splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["won", "won"]


def test_deals_without_a_seed_or_a_verdict() -> None:
    assert refused("deal") == "give SEED or A:B; --count is for --won and --lost"
    assert refused("deal", "3", "--count", "2") == "give SEED or A:B; --count is for --won and --lost"


# Players


def test_a_players_games_are_surveyed_like_verdicts(tmp_path: Path) -> None:
    path = str(tmp_path / "survey.sqlite")
    result = perno("survey", "--seeds", "90:210", "--store", path, "--player", "careful")
    careful = Totals.of(decide(PERNO, SEEDS, player=PlayerName.CAREFUL))
    assert result.stdout.splitlines()[0].startswith("perno by a careful player, seeds 90:210, in ")
    assert result.stdout.splitlines()[1].startswith(f"won          {careful.won} of 120 deals, ")
    assert "states" not in result.stdout
    values = json.loads(perno("survey", "--seeds", "90:210", "--store", path, "--json", "--player", "careful").stdout)
    assert (values["player"], values["won"], values["lost"]) == ("careful", careful.won, 120 - careful.won)
    perno("survey", "--seeds", "90:210", "--store", path)
    perno("survey", "--seeds", "90:110", "--store", path, "--player", "at-sight", "--redeals", "1")
    names = [line.split("  ")[0] for line in perno("results", path).stdout.splitlines()[1:]]
    assert names == ["perno by a careful player", "perno", "perno,redeals=1 by a player at sight"]
    (only,) = map(json.loads, perno("results", path, "--json", "--player", "careful").stdout.splitlines())
    assert only == {key: value for key, value in values.items() if key != "seconds"}
    careful_won = decide(PERNO, SEEDS, player=PlayerName.CAREFUL).seeds_with("won")
    assert listed(path, "--player", "careful") == careful_won
    assert listed(path) == WON
    assert set(careful_won) < set(WON)
    assert refused("results", path, "--player", "greedy") == f"{path}: no survey in it of the greedy player"
    assert "the level of each deal" in refused("results", path, "--player", "careful", "--export", "x.csv")
    assert "goes through all" in refused("results", path, "--player", "careful", "--check")


def test_a_players_store_has_no_verdicts(tmp_path: Path) -> None:
    path = str(tmp_path / "survey.sqlite")
    perno("survey", "--seeds", "90:110", "--store", path, "--player", "greedy")
    for option, value in (
        ("--list", "won"),
        ("--export", str(tmp_path / "x.csv")),
        ("--plot", str(tmp_path / "x.svg")),
    ):
        assert refused("results", path, option, value) == f"{path}: no survey in it of verdicts"
    assert perno("results", path, "--check").stdout == (
        f"{path} is whole, every row as it was written: 2 chunks of perno by a greedy player\n"
    )


def listed(path: str, *options: str) -> list[int]:
    return list(map(int, perno("results", path, "--list", "won", *options).stdout.split()))
