"""Damaged stores: whatever befalls one, or what lies beside it, it says all that it held or is refused, untouched.

The damages are drawn by seeded randomness; the fast tests try some hundreds of them, the slow ones thousands.
"""

import random
import signal
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import evolve, frozen
from click.testing import CliRunner
from test_store import run

from perno_solver import PERNO, READINGS, Rules, cli
from perno_solver.solve.players import PlayerName
from perno_solver.survey import Totals
from perno_solver.survey.chunks import Chunk, decide
from perno_solver.survey.store import BadStore, Store

PAGE = 16_384
OTHER = READINGS["eagle-wing"]
Held = dict[tuple[Rules, PlayerName | None], list[Chunk]]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Name a file in memory, where there is such a place: thousands of stores need not wait for a disk."""
    memory = Path("/dev/shm")  # noqa: S108
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        Path(folder, "store").mkdir()
        yield Path(folder, "store", "survey.sqlite")


def filled(path: Path, chunks: int) -> None:
    """Make a store of two readings in several transactions, with pieces that overlap."""
    whole = decide(PERNO, range(4))
    with Store(path) as store:
        for first in range(0, 4 * chunks, 40):
            seeds = range(first, min(first + 40, 4 * chunks), 4)
            store.add(*(evolve(whole, first=seed) for seed in seeds))
        store.add(decide(OTHER, range(3)), decide(OTHER, range(8)), decide(PERNO, range(2, 6)))
        store.add(decide(PERNO, range(4), player=PlayerName.CAREFUL))


def held(path: Path, *, read_only: bool = True) -> Held | None:
    """Read a store as `results` does, or open it as `survey` does; None where it is refused, for a reason in a line."""
    try:
        with Store(path, read_only=read_only) as store:
            return {reading: list(store.chunks(*reading)) for reading in store.readings()}
    except BadStore as error:
        reason = str(error)
    assert reason.startswith(f"{path}: ")
    assert reason.isprintable()
    return None


@frozen
class Case:
    """A store before it is damaged: its files by what their names end in, and what it may say."""

    files: dict[str, bytes]
    truths: tuple[Held, ...]


def contents(path: Path) -> dict[str, bytes]:
    return {file.name.removeprefix(path.name): file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


def outcome(path: Path, case: Case, damage: dict[str, bytes]) -> str:
    """Try every reader and writer on a damaged store: it was `told` or `refused`, and then it is as it was."""
    files = case.files | damage
    for file in path.parent.iterdir():
        file.unlink()
    for name, content in files.items():
        path.with_name(path.name + name).write_bytes(content)
    found = held(path)
    assert contents(path) == files, "who reads does not write"
    assert found is None or found in case.truths
    written = held(path, read_only=False)
    if found is None and files[""]:
        assert written is None
        assert contents(path) == files, "what is refused is not changed"
        return "refused"
    # What may be told may also be written to, with the same results; no file at all is a new store
    assert written in (case.truths if files[""] else ({},))
    more = decide(PERNO, range(10**6, 10**6 + 2))
    with Store(path) as store:
        store.add(more)
    now = held(path)
    assert now is not None
    assert now.pop((PERNO, None)) == [*(written or {}).get((PERNO, None), []), more]
    assert now == {reading: chunks for reading, chunks in (written or {}).items() if reading != (PERNO, None)}
    return "told" if files[""] else "refused"


def flips(content: bytes, number: int, dice: random.Random) -> Iterator[bytes]:
    """Flip a bit, anywhere; each page has its turn."""
    pages = max(1, len(content) // PAGE)
    for turn in range(number):
        damaged = bytearray(content)
        start = turn % pages * PAGE
        damaged[dice.randrange(start, min(start + PAGE, len(content)))] ^= 1 << dice.randrange(8)
        yield bytes(damaged)


def dense_flips(content: bytes, number: int, dice: random.Random) -> Iterator[bytes]:
    """Flip a bit where there is something: heads of pages, pointers and rows, not the zeros between them."""
    places = [place for place, byte in enumerate(content) if byte]
    for _ in range(number):
        damaged = bytearray(content)
        damaged[dice.choice(places)] ^= 1 << dice.randrange(8)
        yield bytes(damaged)


def lost_parts(content: bytes, number: int, dice: random.Random, size: int) -> Iterator[bytes]:
    """Zero parts, fill them with noise, swap them, put one in another's place, leave one out, and cut the file off."""
    parts = [content[start : start + size] for start in range(0, len(content), size)]
    for place in dice.sample(range(len(parts)), min(len(parts), number + 4)):
        yield b"".join([*parts[:place], bytes(len(parts[place])), *parts[place + 1 :]])
        yield b"".join([*parts[:place], dice.randbytes(len(parts[place])), *parts[place + 1 :]])
        yield b"".join([*parts[:place], *parts[place + 1 :]])
        yield content[: place * size]
    pairs = list(combinations(range(len(parts)), 2))
    for one, other in dice.sample(pairs, min(len(pairs), number)):
        swapped, twice = list(parts), list(parts)
        swapped[one], swapped[other] = parts[other], parts[one]
        twice[one] = parts[other]
        yield from (b"".join(swapped), b"".join(twice))
    for _ in range(number):
        yield content[: dice.randrange(len(content))]
    yield content + bytes(size)
    yield content + dice.randbytes(size)


def damages(content: bytes, number: int, dice: random.Random, size: int) -> Iterator[bytes]:
    yield from flips(content, number, dice)
    yield from dense_flips(content, number, dice)
    yield from lost_parts(content, number // 8, dice, size)


AMOUNTS = [
    pytest.param(30, 40, id="some"),
    pytest.param(700, 2_000, id="many", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("chunks", "number"), AMOUNTS)
def test_a_damaged_store_says_the_truth_or_nothing(path: Path, chunks: int, number: int) -> None:
    filled(path, chunks)
    truth = held(path)
    assert truth is not None
    assert sum(len(found) for found in truth.values()) == chunks + 2
    case = Case(contents(path), (truth,))
    outcomes = [outcome(path, case, {"": damage}) for damage in damages(case.files[""], number, random.Random(1), PAGE)]
    assert outcomes.count("refused") > number
    assert outcomes.count("told") > number // 10  # in what is not used
    print(f"{len(outcomes):,} damages: {outcomes.count('refused'):,} refused, {outcomes.count('told'):,} told")  # noqa: T201


def killed(path: Path, chunks: int) -> list[Case]:
    """Make the stores that a kill leaves in mid-transaction: its journal beside them, and none, half or all written."""
    filled(path, chunks)
    before = contents(path)[""]
    truth = held(path)
    whole = decide(PERNO, range(4))
    more = [evolve(whole, first=seed) for seed in range(10**5, 10**5 + 16 * chunks, 4)]
    with Store(path) as store:
        connection = store._connection  # noqa: SLF001 - what it does on the way is to be seen
        connection.execute("PRAGMA synchronous = OFF")  # the journal's head is there from the beginning
        connection.execute("PRAGMA journal_mode = persist")  # which only blanks the journal's head in the end
        connection.execute("BEGIN IMMEDIATE")
        store._insert(tuple(more))  # noqa: SLF001
        head = contents(path)["-journal"][:28]
        connection.execute("COMMIT")
    after, journal = contents(path)[""], contents(path)["-journal"]
    path.with_name(path.name + "-journal").unlink()
    assert head[:8] == bytes.fromhex("d9d505f920a163d7")
    assert journal[:28] == bytes(28)
    journal = head[:8] + b"\xff" * 4 + head[12:] + journal[28:]  # all its records count
    now = held(path)
    assert truth is not None
    assert now is not None
    assert len(now[PERNO, None]) == len(truth[PERNO, None]) + len(more)
    places = range(0, len(after), PAGE)
    half = b"".join((before, after)[place // PAGE % 2][place : place + PAGE] or bytes(PAGE) for place in places)
    assert len({before, half, after}) == 3
    return [Case({"": store, "-journal": journal}, (truth, now)) for store in (before, half, after)]


@pytest.mark.parametrize(("chunks", "number"), AMOUNTS)
def test_a_damaged_journal_costs_the_truth_or_nothing(path: Path, chunks: int, number: int) -> None:
    dice = random.Random(2)
    outcomes = []
    for case in killed(path, chunks):
        assert outcome(path, case, {}) == "told"
        for name, content in case.files.items():
            for damage in damages(content, number // 8, dice, PAGE if not name else 512):
                outcomes.append(outcome(path, case, {name: damage}))  # noqa: PERF401 - it asserts
    assert min(outcomes.count("refused"), outcomes.count("told")) > number // 2
    print(f"{len(outcomes):,} damages: {outcomes.count('refused'):,} refused, {outcomes.count('told'):,} told")  # noqa: T201


def test_a_killed_writers_store_is_read_where_nothing_may_be_written(path: Path) -> None:
    case = killed(path, 30)[1]
    for name, content in case.files.items():
        path.with_name(path.name + name).write_bytes(content)
    assert held(path) == case.truths[0]
    assert contents(path) == case.files
    assert held(path, read_only=False) == case.truths[0]
    assert contents(path).keys() == {""}  # the journal has done its work
    path.with_name(path.name + "-journal").write_bytes(case.files["-journal"])


def test_a_run_that_is_killed_while_a_store_is_read_is_told(path: Path) -> None:
    case = killed(path, 30)[1]
    filled(path.with_name("other"), 30)
    with Store(path, read_only=True) as store:
        for name, content in case.files.items():
            path.with_name(path.name + name).write_bytes(content)
        with pytest.raises(BadStore, match="a run was killed while it wrote; open the store again"):
            store.readings()


@pytest.mark.parametrize("command", [["results"], ["survey", "--seeds", "0:9", "--store"]])
def test_the_command_refuses_in_a_line(path: Path, command: list[str]) -> None:
    filled(path, 30)
    damaged = bytearray(path.read_bytes())
    damaged[4 * PAGE : 5 * PAGE] = bytes(PAGE)
    path.write_bytes(damaged)
    result = CliRunner().invoke(cli.main, [*command, str(path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {path}: damaged, or ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_runs_killed_at_any_moment_add_up(tmp_path: Path) -> None:
    path = tmp_path / "survey.sqlite"  # on a disk, whose transactions take long enough to be hit
    dice = random.Random(3)
    journals = kills = deals = 0
    for trial in range(60):
        others = [run(path, 100_000) for _ in range(1 + trial % 3)]
        for process in others:
            assert process.stdout is not None
            process.stdout.readline()  # it is at work
        time.sleep(dice.uniform(0, 0.3))
        for process in others:
            process.send_signal(signal.SIGKILL)
        done = max(len(process.communicate()[0].split()) for process in others)
        journals += path.with_name(path.name + "-journal").exists()
        kills += len(others)
        found = held(path)
        assert found is not None
        assert all(chunk == decide(PERNO, chunk.seeds) for chunk in found[PERNO, None])
        totals = sum(map(Totals.of, found[PERNO, None]), Totals())
        assert totals.deals >= max(deals, 10 * done)
        deals = totals.deals
    assert journals > 0
    print(f"{kills} runs killed, {journals} times of 60 in mid-transaction; {deals:,} deals stored")  # noqa: T201
