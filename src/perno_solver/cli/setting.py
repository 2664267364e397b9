"""Where the surveys' commands have their work done and kept, and how far it is shown."""

import functools
import logging
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from perno_solver.cli.figures import percent, rate
from perno_solver.cli.shared import EXIT_INTERRUPTED, Failure, error_console, on_terminal
from perno_solver.cli.sources import parse_seeds
from perno_solver.game.rules import Rules
from perno_solver.solve.players import PlayerName
from perno_solver.survey.chunks import MOST_SEEDS, Chunk, asked
from perno_solver.survey.figures import Totals
from perno_solver.survey.run import SurveyFailed, survey
from perno_solver.survey.store import Store


@frozen
class Setting:
    """Where chunks are decided, and where they are kept."""

    store: Path | None
    jobs: int | None
    dask: str | None

    @contextmanager
    def open(
        self, seeds: range, player: PlayerName | None = None
    ) -> Iterator[Callable[[Rules], Generator[Chunk, None, None]]]:
        """Give a function that surveys the seeds under one reading; where it is ended, say what is kept, and exit."""
        with ExitStack() as stack:
            store = None if self.store is None else stack.enter_context(Store(self.store))
            executor, jobs = None, self.jobs
            if self.dask is not None:
                executor, jobs = stack.enter_context(_cluster(self.dask))

            def run(rules: Rules) -> Generator[Chunk, None, None]:
                chunks = survey(rules, seeds, executor=executor, jobs=jobs, store=store, player=player)
                return shown(chunks, asked(rules, player), seeds)

            try:
                yield run
            except KeyboardInterrupt:
                click.echo(f"Interrupted: {self._kept()}.", err=True)
                sys.exit(EXIT_INTERRUPTED)
            except SurveyFailed as error:
                msg = f"{error}; {self._kept()}"
                raise Failure(msg) from None

    def _kept(self) -> str:
        if self.store is None:
            return "nothing is kept without --store"
        return f"what is done is kept in {self.store}, and the same command goes on from there"


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Connect to a Dask scheduler: give its executor, and how many workers there are."""
    distributed = optional("distributed", "dask")
    logging.disable()  # it tells at length what is told in a line
    try:
        try:
            client = distributed.Client(address, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            msg = f"--dask {address}: {error}"
            raise Failure(msg) from None
        try:
            yield client.get_executor(), max(1, sum(client.ncores().values()))
        finally:
            with suppress(Exception):  # of a scheduler that is gone
                client.close(timeout=_PATIENCE)
    finally:
        logging.disable(logging.NOTSET)


_PATIENCE = 10  # seconds to wait for a scheduler


def setting_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options on where the work is done and kept; it receives one `setting`."""

    @click.option("--store", metavar="FILE", type=click.Path(path_type=Path), help="Keep what is done in this file.")
    @click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="Workers.  [default: one for each processor]")
    @click.option("--dask", metavar="ADDRESS", help="Give the work to the workers of this Dask scheduler.")
    @functools.wraps(command)
    def with_setting(*, store: Path | None, jobs: int | None, dask: str | None, **others: Any) -> None:  # noqa: ANN401 - whatever the command takes
        if jobs is not None and dask is not None:
            msg = "--jobs is for this machine, and --dask has its own workers"
            raise click.UsageError(msg)
        return command(setting=Setting(store, jobs, dask), **others)

    return with_setting


def player_option(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command `--player` with this help; it receives a `player`, None where none is named."""
    return click.option(
        "--player",
        metavar="WHO",
        type=click.Choice([player.value for player in PlayerName]),
        callback=lambda _ctx, _option, name: None if name is None else PlayerName(name),
        help=text,
    )


def optional(module: str, extra: str) -> Any:  # noqa: ANN401 - a module
    """Import what an extra brings."""
    try:
        return import_module(module)
    except ImportError:
        msg = f"this needs what an extra brings: pip install 'perno_solver[{extra}]'"
        raise Failure(msg) from None


def shown(chunks: Generator[Chunk, None, None], name: str, seeds: range) -> Generator[Chunk, None, None]:
    """Pass chunks on, and show on standard error, where it is a terminal, how far the survey is."""
    with closing(chunks):
        if not on_terminal(error=True):
            yield from chunks
            return
        from rich import progress  # noqa: PLC0415 - only where it is shown

        console = error_console()
        narrow, wide = console.width < _NARROW, console.width >= _WIDE
        short = name if wide or len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        columns: list[progress.ProgressColumn] = [] if narrow else [progress.TextColumn(short, markup=False)]
        columns += [progress.BarColumn(bar_width=10 if narrow else 20), progress.TaskProgressColumn()]
        if not narrow:
            columns.append(progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True))
        columns.append(progress.TextColumn("{task.description}"))
        with progress.Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
            task = bar.add_task("", total=seeds.stop - seeds.start)
            totals = Totals()
            for chunk in chunks:
                totals += Totals.of(chunk)
                speed = f"{bar.tasks[0].speed or 0:,.0f} deals/s  {rate(totals)}"
                bar.update(task, completed=totals.deals, description=speed if wide else f"{percent(totals.rate)} won")
                yield chunk


_NARROW, _WIDE, _LONGEST_NAME = 60, 120, 32  # columns


def survey_seeds(text: str) -> range:
    """Read seeds that a store can hold."""
    seeds = parse_seeds(text)
    if seeds.stop > MOST_SEEDS:
        msg = f"seeds {text!r}: surveys take seeds below 2^63"
        raise Failure(msg)
    return seeds


SEEDS = click.option("--seeds", metavar="A:B", required=True, help="The seeds A to B - 1.")
