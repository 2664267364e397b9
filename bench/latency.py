"""How long a search goes on after it was cancelled: the longest time between two looks at the event.

Counted in processor time, which does not depend on what else the machine does. It takes the named readings and the
combinations of `house_rules.py`, a few deals each, with what proves those that are lost.
"""

import time

from attrs import define, field
from house_rules import combinations

from perno_solver import READINGS, Budget, Deal, Engine, Objective, Rules, engine_info, solve


@define
class Stopwatch:
    """An event that is never set, and takes the time between one look at it and the next."""

    last: float = field(factory=time.process_time)
    longest: float = 0.0

    def is_set(self) -> bool:
        """Take the time."""
        now = time.process_time()
        self.longest = max(self.longest, now - self.last)
        self.last = now
        return False


def longest(rules: Rules, seeds: range, states: int, engine: Engine, objective: Objective = Objective.ANY) -> float:
    """Return the longest time between two looks while deals are solved under rules, in milliseconds."""
    watch = Stopwatch()
    budget = Budget(states=states)
    for seed in seeds:
        watch.last = time.process_time()
        solve(Deal.from_seed(seed), rules=rules, objective=objective, budget=budget, cancel=watch, engine=engine)
        watch.is_set()
    return 1000 * watch.longest


def main() -> None:
    """Print the longest times."""
    print(f"{engine_info()}; the longest time between two looks, in milliseconds")
    print("reading              kernel   moves  passes  readable")
    for name, rules in READINGS.items():
        times = [
            longest(rules, range(200), 1_000_000, Engine.KERNEL),
            longest(rules, range(20), 300_000, Engine.KERNEL, Objective.MOVES),
            longest(rules, range(20), 300_000, Engine.KERNEL, Objective.PASSES),
            longest(rules, range(2), 10_000, Engine.READABLE),
        ]
        print(f"{name:18}" + "".join(f"{milliseconds:8.1f}" for milliseconds in times), flush=True)
    house = sorted((longest(rules, range(4), 1_000_000, Engine.KERNEL), str(rules)) for rules in combinations())
    (middle, _), (most, where) = house[len(house) // 2], house[-1]
    print(f"{len(house)} house rules, kernel: median {middle:.1f}, most {most:.1f} under {where}")


if __name__ == "__main__":
    main()
