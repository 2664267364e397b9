"""The commands of `perno` that are about many deals: survey, compare and results."""

import csv
import functools
import json
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from perno_solver.chunks import MOST_SEEDS, MOST_STATES, VERDICTS, Chunk
from perno_solver.cli import (
    EXIT_INTERRUPTED,
    EXIT_OF,
    Failure,
    count,
    on_terminal,
    padded,
    parse_seeds,
    rules_options,
    say,
)
from perno_solver.figures import Comparison, Pair, Totals, one_of_three, quantile
from perno_solver.proof import Verdict
from perno_solver.rules import PERNO, Rules
from perno_solver.store import Store
from perno_solver.survey import compare, survey

# Where the work is done


@frozen
class _Setting:
    """Where chunks are decided, and where they are kept."""

    store: Path | None
    jobs: int | None
    dask: str | None

    @contextmanager
    def open(self, seeds: range) -> Iterator[Callable[[Rules], Generator[Chunk, None, None]]]:
        """Give a function that surveys the seeds under one reading; on Ctrl-C say what is kept, and exit."""
        with ExitStack() as stack:
            executor, jobs = None, self.jobs
            if self.dask is not None:
                distributed = _optional("distributed", "dask")
                try:
                    client = stack.enter_context(distributed.Client(self.dask, timeout=10))
                except (OSError, ValueError) as error:
                    msg = f"--dask {self.dask}: {error}"
                    raise Failure(msg) from None
                executor, jobs = client.get_executor(), max(1, sum(client.ncores().values()))
            store = None if self.store is None else stack.enter_context(Store(self.store))

            def run(rules: Rules) -> Generator[Chunk, None, None]:
                return _shown(survey(rules, seeds, executor=executor, jobs=jobs, store=store), rules, seeds)

            try:
                yield run
            except KeyboardInterrupt:
                kept = "nothing is kept without --store"
                if self.store is not None:
                    kept = f"what is done is kept in {self.store}, and the same command goes on from there"
                click.echo(f"Interrupted: {kept}.", err=True)
                sys.exit(EXIT_INTERRUPTED)


def _setting_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options on where the work is done and kept; it receives one `setting`."""

    @click.option("--store", metavar="FILE", type=click.Path(path_type=Path), help="Keep what is done in this file.")
    @click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="Workers.  [default: one for each processor]")
    @click.option("--dask", metavar="ADDRESS", help="Give the work to the workers of this Dask scheduler.")
    @functools.wraps(command)
    def with_setting(*, store: Path | None, jobs: int | None, dask: str | None, **others: Any) -> None:  # noqa: ANN401 - whatever the command takes
        if jobs is not None and dask is not None:
            msg = "--jobs is for this machine, and --dask has its own workers"
            raise click.UsageError(msg)
        return command(setting=_Setting(store, jobs, dask), **others)

    return with_setting


def _optional(module: str, extra: str) -> Any:  # noqa: ANN401 - a module
    """Import what an extra brings."""
    try:
        return import_module(module)
    except ImportError:
        msg = f"this needs what an extra brings: pip install 'perno_solver[{extra}]'"
        raise Failure(msg) from None


def _shown(chunks: Generator[Chunk, None, None], rules: Rules, seeds: range) -> Generator[Chunk, None, None]:
    """Pass chunks on, and show on standard error, where it is a terminal, how far the survey is."""
    with closing(chunks):
        if not on_terminal(error=True):
            yield from chunks
            return
        from rich import progress  # noqa: PLC0415 - only where it is shown
        from rich.console import Console  # noqa: PLC0415

        columns = (
            progress.TextColumn("{task.fields[rules]}"),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            progress.TextColumn("{task.description}"),
        )
        console = Console(stderr=True)
        with progress.Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
            task = bar.add_task("", total=seeds.stop - seeds.start, rules=rules)
            totals = Totals()
            for chunk in chunks:
                totals += Totals.of(chunk)
                speed = bar.tasks[0].speed or 0
                bar.update(task, completed=totals.deals, description=f"{speed:,.0f} deals/s  {_rate(totals)}")
                yield chunk


def _parse_seeds(text: str) -> range:
    seeds = parse_seeds(text)
    if seeds.stop > MOST_SEEDS:
        msg = f"seeds {text!r}: surveys take seeds below 2^63"
        raise Failure(msg)
    return seeds


_SEEDS = click.option("--seeds", metavar="A:B", required=True, help="The seeds A to B - 1.")

# How figures are written


def _percent(value: float) -> str:
    return f"{100 * value:.3f} %"


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.3f} – {100 * high:.3f} %"


def _rate(totals: Totals) -> str:
    return f"{_percent(totals.rate)} won ({_interval(*totals.interval)})"


def _spelled(ranges: Iterable[range]) -> str:
    return ",".join(f"{seeds.start}:{seeds.stop}" for seeds in ranges)


def _summary(totals: Totals) -> str:
    """Write the figures of one survey, a line each."""
    low, high = totals.interval
    three = f"{_percent(one_of_three(totals.rate))} ({_interval(one_of_three(low), one_of_three(high))})"
    lines = [
        f"won          {totals.won:,} of {count(totals.deals, 'deal')}, {_rate(totals)}",
        f"of three     one or more is won with a chance of {three}",
    ]
    if totals.unknown:
        lines.append(f"unknown      {totals.unknown:,}, given up after {MOST_STATES:,} states")
    half, most = ((1 << quantile(totals.states, share)) - 1 for share in (0.5, 0.99))
    lines.append(f"states       at most {half:,} stored for half of the deals, {most:,} for 99 %")
    if totals.won:
        middle, low_moves, high_moves = (quantile(totals.moves, share) for share in (0.5, 0.025, 0.975))
        lines.append(f"moves won    {middle} in the middle, {low_moves} to {high_moves} for 95 %")
        passes = [f"{number:,} in {value}" for value, number in enumerate(totals.passes) if number]
        lines.append(f"passes won   {', '.join(passes)}")
    return "\n".join(lines)


def _values(rules: Rules, ranges: Iterable[range], totals: Totals) -> dict[str, object]:
    """List the figures of one survey by their names in JSON and CSV, the histograms last."""
    low, high = totals.interval
    return {
        "rules": str(rules),
        "seeds": _spelled(ranges),
        "won": totals.won,
        "lost": totals.lost,
        "unknown": totals.unknown,
        "rate": totals.rate,
        "low": low,
        "high": high,
        "one_of_three": one_of_three(totals.rate),
        **{name: list(getattr(totals, name)) for name in _HISTOGRAMS},
    }


_HISTOGRAMS = ("states", "moves", "passes")


def _table(rows: list[list[str]]) -> str:
    """Align columns, the first to the left, the others to the right."""
    first, *others = [[row[column] for row in rows] for column in range(len(rows[0]))]
    widths = [max(map(len, column)) for column in others]
    right = [[text.rjust(width) for text in column] for column, width in zip(others, widths, strict=True)]
    return "\n".join("  ".join(row) for row in zip(padded(first), *right, strict=True))


# survey


@click.command("survey")
@rules_options
@_SEEDS
@_setting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey_command(*, rules: Rules | None, seeds: str, setting: _Setting, as_json: bool) -> None:
    """Find out how often the game can be won: decide the deals of many seeds.

    The win rate has its 95 % Wilson interval, in which unknown deals count as lost below and as won above. With
    --store what is done is never done again, whatever ends the run: the same command goes on. A store holds as many
    readings and ranges of seeds as you like.

    \b
    Examples:
      perno survey --seeds 0:100000
      perno survey --rules eagle-wing --seeds 0:1000000 --store survey.sqlite
      perno survey --redeals 3 --seeds 0:1000000 --store survey.sqlite --json
      perno survey --seeds 0:1000000000 --store survey.sqlite --dask tcp://10.0.0.1:8786

    \b
    Exit codes:
      0 all decided, 3 not all, 2 bad input, 130 interrupted
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    started = time.perf_counter()
    rules, wanted, totals = rules or PERNO, _parse_seeds(seeds), Totals()
    with setting.open(wanted) as run, closing(run(rules)) as chunks:
        for chunk in chunks:
            totals += Totals.of(chunk)
    seconds = time.perf_counter() - started
    if as_json:
        click.echo(json.dumps(_values(rules, [wanted], totals) | {"seconds": round(seconds, 6)}))
    else:
        say(f"{rules}, seeds {_spelled([wanted])}, in {seconds:.2f} s\n{_summary(totals)}")
    sys.exit(EXIT_OF[Verdict.UNKNOWN] if totals.unknown else 0)


# compare


@click.command("compare")
@click.option("--rules", "names", metavar="RULES", multiple=True, help="A reading, or one with changes; give several.")
@_SEEDS
@_setting_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for any two readings.")
@click.option("--list", "listed", is_flag=True, help="Also list the seeds whose verdicts differ.")
def compare_command(*, names: tuple[str, ...], seeds: str, setting: _Setting, as_json: bool, listed: bool) -> None:
    """Try readings of the rules on the same deals, and find out how often it matters.

    For any two readings: the deals won under one alone, and the difference of the win rates with its 95 % interval
    for paired proportions. Deals that are unknown under either count in none of this.

    \b
    Examples:
      perno compare --rules perno --rules perno-tens --seeds 0:100000
      perno compare --rules perno --rules perno,redeals=3 --seeds 0:1000 --list
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    readings = list(dict.fromkeys(map(Rules.from_text, names)))
    if len(readings) < 2:
        msg = "give --rules two times or more, with different rules"
        raise click.UsageError(msg)
    wanted = _parse_seeds(seeds)
    with setting.open(wanted) as run:
        comparison = compare(readings, wanted, run=lambda rules, _seeds: run(rules))
    pairs = {(first, second): comparison.pair(first, second) for first, second in combinations(readings, 2)}
    if as_json:
        for (first, second), pair in pairs.items():
            values = _pair_values(first, second, wanted, pair)
            if listed:
                values["differing"] = [seed for seed, *_ in comparison.differing(first, second)]
            click.echo(json.dumps(values))
        return
    rows = [["first", "second", "both won", "first only", "second only", "both lost", "unknown", "difference", "95 %"]]
    for (first, second), pair in pairs.items():
        numbers = (pair.both, pair.first_only, pair.second_only, pair.neither, pair.undecided)
        interval = _interval(*pair.interval)
        rows.append([str(first), str(second), *(f"{n:,}" for n in numbers), _percent(pair.difference), interval])
    say(_table(rows))
    if listed:
        for first, second in pairs:
            _say_differing(comparison, first, second)


def _pair_values(first: Rules, second: Rules, seeds: range, pair: Pair) -> dict[str, object]:
    low, high = pair.interval
    return {
        "rules": [str(first), str(second)],
        "seeds": _spelled([seeds]),
        "both": pair.both,
        "first_only": pair.first_only,
        "second_only": pair.second_only,
        "neither": pair.neither,
        "unknown": pair.undecided,
        "difference": pair.difference,
        "low": low,
        "high": high,
    }


def _say_differing(comparison: Comparison, first: Rules, second: Rules) -> None:
    say(f"\nseed  {first}  {second}")
    for seed, one, other in comparison.differing(first, second):
        say(f"{seed}  {one.value}  {other.value}")


# results


@click.command("results")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--rules", "name", metavar="RULES", help="Only this reading.  [default: all in the store]")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each reading, with its histograms.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of comma-separated values for each reading.")
@click.option(
    "--list",
    "listed",
    metavar="VERDICT",
    type=click.Choice([verdict.value for verdict in Verdict]),
    help="Print the seeds of the deals that are won, lost or unknown.",
)
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="With --list: at most so many.")
@click.option("--plot", metavar="PATH", type=click.Path(path_type=Path), help="Draw the figures: a .png or .svg file.")
@click.option("--export", metavar="PATH", type=click.Path(path_type=Path), help="Write a row a deal: .csv or .parquet.")
def results_command(
    *,
    file: Path,
    name: str | None,
    as_json: bool,
    as_csv: bool,
    listed: str | None,
    limit: int | None,
    plot: Path | None,
    export: Path | None,
) -> None:
    """Read what surveys have kept in a store.

    \b
    Examples:
      perno results survey.sqlite
      perno results survey.sqlite --json
      perno results survey.sqlite --rules perno --list won --limit 10
      perno results survey.sqlite --plot survey.png
      perno results survey.sqlite --export deals.parquet
    """  # noqa: D301 - \b keeps click from wrapping a paragraph
    if sum([as_json, as_csv, listed is not None]) > 1 or (limit is not None and listed is None):
        msg = "give one of --json, --csv and --list; --limit is for --list"
        raise click.UsageError(msg)
    plots = None if plot is None else _optional("perno_solver.plots", "plot")
    write = None if export is None else _writer(export)
    with Store(file, create=False) as store:
        wanted = None if name is None else Rules.from_text(name)
        readings = [rules for rules in store.readings() if wanted in {None, rules}]
        if not readings:
            msg = f"{file}: no survey in it" + f" under the rules {wanted}" * (wanted is not None)
            raise Failure(msg)
        if listed is not None:
            _list(store, readings, Verdict(listed), limit)
        else:
            _print_results({rules: _added_up(store.chunks(rules)) for rules in readings}, as_json, as_csv)
        if write is not None and export is not None:
            write(export, (chunk for rules in readings for chunk in store.chunks(rules)))
        if plots is not None:
            plots.save(plot, {rules: _added_up(store.chunks(rules))[1] for rules in readings})


def _list(store: Store, readings: list[Rules], verdict: Verdict, limit: int | None) -> None:
    if len(readings) > 1:
        msg = f"choose one by --rules: {', '.join(map(repr, map(str, readings)))}"
        raise Failure(msg)
    seeds = (seed for chunk in store.chunks(readings[0]) for seed in chunk.seeds_with(verdict))
    for seed in islice(seeds, limit):
        click.echo(seed)


def _added_up(chunks: Iterator[Chunk]) -> tuple[list[range], Totals]:
    """Add up chunks that come by their seeds; return the ranges of seeds that they fill, and the totals."""
    ranges: list[range] = []
    totals = Totals()
    for chunk in chunks:
        if ranges and ranges[-1].stop == chunk.first:
            ranges[-1] = range(ranges[-1].start, chunk.seeds.stop)
        else:
            ranges.append(chunk.seeds)
        totals += Totals.of(chunk)
    return ranges, totals


def _print_results(results: dict[Rules, tuple[list[range], Totals]], as_json: bool, as_csv: bool) -> None:  # noqa: FBT001
    if as_json:
        for rules, (ranges, totals) in results.items():
            click.echo(json.dumps(_values(rules, ranges, totals)))
        return
    if as_csv:
        rows = [_values(rules, ranges, totals) for rules, (ranges, totals) in results.items()]
        fields = [name for name in rows[0] if name not in _HISTOGRAMS]
        table = csv.DictWriter(sys.stdout, fields, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        return
    lines = [["rules", "seeds", "deals", "won", "unknown", "rate", "95 %", "one of three"]]
    for rules, (ranges, totals) in results.items():
        numbers = [f"{number:,}" for number in (totals.deals, totals.won, totals.unknown)]
        rates = [_percent(totals.rate), _interval(*totals.interval), _percent(one_of_three(totals.rate))]
        lines.append([str(rules), _spelled(ranges), *numbers, *rates])
    say(_table(lines))


# Export


def _writer(path: Path) -> Callable[[Path, Iterator[Chunk]], None]:
    """Choose by a file's name how to write it."""
    if path.suffix == ".csv":
        return _write_csv
    if path.suffix == ".parquet":
        return functools.partial(
            _write_parquet, _optional("pyarrow", "parquet"), _optional("pyarrow.parquet", "parquet")
        )
    msg = f"{path}: expected a name that ends in .csv or .parquet"
    raise Failure(msg)


def _write_csv(path: Path, chunks: Iterator[Chunk]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("rules", "seed", "verdict"))
        for chunk in chunks:
            rules = str(chunk.rules)
            table.writerows(
                (rules, seed, VERDICTS[code].value) for seed, code in zip(chunk.seeds, chunk.codes(), strict=True)
            )


def _write_parquet(arrow: Any, parquet: Any, path: Path, chunks: Iterator[Chunk]) -> None:  # noqa: ANN401 - modules
    words = arrow.array([verdict.value for verdict in VERDICTS])
    text = arrow.dictionary(arrow.int32(), arrow.string())
    schema = arrow.schema([("rules", text), ("seed", arrow.int64()), ("verdict", text)])
    with parquet.ParquetWriter(path, schema) as file:
        for chunk in chunks:
            rules = arrow.DictionaryArray.from_arrays(arrow.array([0] * chunk.deals, arrow.int32()), [str(chunk.rules)])
            seeds = arrow.array(chunk.seeds, arrow.int64())
            verdicts = arrow.DictionaryArray.from_arrays(arrow.array(list(chunk.codes()), arrow.int32()), words)
            file.write_table(arrow.table([rules, seeds, verdicts], schema=schema))
