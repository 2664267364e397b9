"""Budgets: how much a search may use, and the meter that counts it and stops the search in time."""

import time
from collections.abc import Callable
from typing import Protocol

from attrs import define, field, frozen

from perno_solver.checks import got, shown
from perno_solver.errors import InvalidBudget, InvalidChoice


@frozen
class Budget:
    """How much a search may use; None is no limit. Reaching a limit gives an unknown verdict, never a wrong one.

    Args:
        states: states stored, over all stages of a search.
        seconds: wall time.
        bytes: memory of the search's tables, as estimated by the engine.

    Raises:
        InvalidBudget: a limit is not a positive number.
    """

    states: int | None = field(default=None)
    seconds: float | None = field(default=None)
    bytes: int | None = field(default=None)

    def __attrs_post_init__(self) -> None:
        """Check every limit."""
        for name in ("states", "seconds", "bytes"):
            limit = getattr(self, name)
            number = isinstance(limit, int) or (isinstance(limit, float) and name == "seconds")
            if limit is not None and not (number and not isinstance(limit, bool) and limit > 0):
                wanted = f"a positive {'' if name == 'seconds' else 'whole '}number"
                msg = f"budget: {name} is {shown(limit)}, expected {wanted}"
                raise InvalidBudget(msg)


Progress = Callable[["Meter"], None]
"""Called from inside a search now and then, with its meter."""


class Flag(Protocol):
    """What can be set from elsewhere to cancel: a `threading.Event`, or another that has its `is_set`."""

    def is_set(self) -> bool:
        """Say whether it is set."""
        ...


def check_flag(cancel: object) -> None:
    """Refuse what cannot be asked whether it is set.

    Raises:
        InvalidChoice: it has no `is_set`, and is not None.
    """
    if not (cancel is None or callable(getattr(cancel, "is_set", None))):
        raise InvalidChoice(got(cancel, "an event for cancel, such as a threading.Event"))


class Stopped(Exception):
    """A search is to end early; the argument says why."""


@define
class Meter:
    """Counts what a search uses and stops it when its budget is used up.

    Args:
        budget: the limits.
        on_progress: called at each look.
        cancel: looked at, too; set, it ends the search.
        between: moves that a winning line has at least, and those of the shortest that is known, where that is asked.
    """

    budget: Budget
    on_progress: Progress | None = None
    cancel: Flag | None = None
    started: float = field(factory=time.perf_counter)
    stored: int = 0
    generated: int = 0
    duplicates: int = 0
    depth: int = 0
    bytes: int = 0
    between: tuple[int, int] = (0, 0)

    def store(self, size: int) -> None:
        """Count one stored state of `size` bytes.

        Raises:
            Stopped: a limit of the budget is reached.
        """
        budget = self.budget
        if budget.states is not None and self.stored >= budget.states:
            raise Stopped(used_up(budget.states, "states"))
        self.bytes += size
        if budget.bytes is not None and self.bytes > budget.bytes:
            raise Stopped(used_up(budget.bytes, "bytes"))
        self.stored += 1

    def generate(self) -> None:
        """Count one successor that was made, and look around every `PERIOD` of them.

        Raises:
            Stopped: as `look`.
        """
        self.generated += 1
        if self.generated % PERIOD == 0:
            self.look()

    def look(self) -> None:
        """Let the outside world look in, and see whether it is time to stop.

        Raises:
            Stopped: the time is used up, or the search was cancelled.
        """
        if self.on_progress is not None:
            self.on_progress(self)
        self.go_on()

    def go_on(self) -> None:
        """Let a search go on, or stop it.

        Raises:
            Stopped: the time is used up, or the search was cancelled.
        """
        if self.cancel is not None and self.cancel.is_set():
            raise Stopped(CANCELLED)
        if self.budget.seconds is not None and self.seconds > self.budget.seconds:
            raise Stopped(used_up(self.budget.seconds, "seconds"))

    @property
    def seconds(self) -> float:
        """Wall time since the start."""
        return time.perf_counter() - self.started


def used_up(limit: float, unit: str) -> str:
    """Say that a limit of a budget is reached."""
    return f"the budget of {limit} {unit} is used up"


PERIOD = 256
"""Successors made in plain Python between two looks: some ten milliseconds."""

CANCELLED = "cancelled"
"""The reason of a search that was cancelled."""
