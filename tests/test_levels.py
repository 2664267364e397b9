"""How hard deals are: many at once as one by one, and `perno deal`, which deals by it."""

import json

import pytest
from click.testing import CliRunner, Result

from perno_solver import PERNO, READINGS, Deal, InvalidChoice, Level, cli, level, solve
from perno_solver.survey import chunks, seeds_with
from perno_solver.survey.chunks import Chunk, decide, levels


def perno(*args: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(cli.main, args, input=stdin, prog_name="perno")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def of(chunk: Chunk) -> list[Level | None]:
    return levels(chunk.rules, chunk.seeds, chunk.codes())


@pytest.mark.parametrize("name", ["perno", "perno-obliged", "eagle-wing"])
def test_levels_of_many_are_those_of_each(name: str) -> None:
    found = of(decide(READINGS[name], range(40)))
    assert found == [level(Deal.from_seed(seed), rules=name) for seed in range(40)]


def test_all_levels_occur() -> None:
    assert set(of(decide(PERNO, range(30)))) == set(Level)


def test_what_is_unknown_has_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_STATES", 3)
    chunk = decide(PERNO, range(60))
    found = of(chunk)
    assert [each is None for each in found] == [code == 0 for code in chunk.codes()]
    assert None in found


def test_seeds_of_a_level() -> None:
    expected: dict[str, list[int]] = {"easy": [], "medium": [], "hard": []}
    for seed in seeds_with("won", PERNO, range(30)):
        found = level(Deal.from_seed(seed))
        assert found is not None
        expected[found.value].append(seed)
    assert all(expected.values())
    for name, seeds in expected.items():
        assert list(seeds_with("won", PERNO, range(30), level=name)) == seeds  # type: ignore[arg-type] # a text of it
        told = perno("deal", "0:30", "--won", "--level", name).stdout.splitlines()
        assert [int(line.rpartition(" ")[2]) for line in told] == seeds
    with pytest.raises(InvalidChoice):
        seeds_with("won", PERNO, range(9), level="impossible")  # type: ignore[arg-type]


def test_deals_in_json_are_read_back() -> None:
    told = perno("deal", "0:12", "--json", "--rules", "perno-obliged").stdout
    for seed, line in enumerate(told.splitlines()):
        deal = Deal.from_seed(seed)
        hard = level(deal, rules="perno-obliged")
        assert json.loads(line) == {
            "seed": seed,
            "deck": str(deal),
            "rules": "perno-obliged",
            "verdict": solve(deal, rules="perno-obliged").verdict.value,
            "level": None if hard is None else hard.value,
        }
    solved = [json.loads(line) for line in perno("solve", "--file", "-", "--json", stdin=told).stdout.splitlines()]
    assert [each["verdict"] for each in solved] == [json.loads(line)["verdict"] for line in told.splitlines()]


def test_won_deals_in_json() -> None:
    found = [json.loads(line) for line in perno("deal", "--won", "--count", "3", "--json").stdout.splitlines()]
    assert [(each["seed"], each["verdict"]) for each in found] == [(2, "won"), (10, "won"), (11, "won")]
    assert [each["level"] for each in found] == ["hard", "hard", "easy"]


def test_an_unknown_deal_in_json_has_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_STATES", 1)
    found = json.loads(perno("deal", "2", "--json").stdout)
    assert (found["verdict"], found["level"]) == ("unknown", None)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--won", "--lost"], "give one of --won and --lost"),
        (["42", "--level", "easy"], "--level is for --won"),
        (["--lost", "--level", "easy"], "--level is for --won"),
        (["42", "--json", "--table"], "give one of --json and --table"),
    ],
)
def test_options_of_deal_that_contradict_each_other(args: list[str], reason: str) -> None:
    result = perno("deal", *args)
    assert result.exit_code == 2
    assert result.stderr.rstrip().endswith(reason)
