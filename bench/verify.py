"""Holds every lemma of the kernel, and the fewest moves that it finds, against searches that use none.

usage: python bench/verify.py [--deals 20000] [--slow 1000] [--short 200000] [--midgame 50000] [--last 50000]
                              [--shortest 20000] [--states 200000] [--seconds S] [--seed 0] [--workers 2] [--only TEXT]

Comparisons, each shared out among the workers:

- whole deals, for each class of rules of `house_rules.py`: `--deals` of them where plain search decides within
  `--states` states, and at least `--slow` where that is seldom so and `--seconds` for each class and worker are over;
- short games, the ends of games with three to eight ranks a suit, under random rules of all nine fields;
- positions in the last pass of whole games under random rules, near a line that wins or wherever moves at random lead;
- positions in mid-game, reached by random moves in short games, against a search that shares no code with the package
  (`tests/oracle.py`);
- the fewest moves: `--shortest` positions in mid-game against that search, where the bound must be consistent, too, and
  never too high; as many short games, and of each named reading a tenth as many won deals, against the breadth-first
  walk. All lines are played.

The verdict under all lemmas, under each alone (beside *hold*, which all others need) and under random sets of them
must be the plain one, and so must that of a walk that goes only where evidence that cites lemmas goes. A search that
passes `--states` states is not compared. The lines that win under all lemmas, and under one set of them, are played
under the plain rules, of the short games in every tenth. Prints one table, and every minute on stderr how far it is;
at the first disagreement it prints the position and exits with 1.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from attrs import evolve, frozen
from house_rules import by_class, combinations

from perno_solver import CARDS, READINGS, Build, Deal, MoveKind, Place, Reform, Rules, State, Turning
from perno_solver.game.codec import Codec
from perno_solver.kernel import ALL_LEMMAS, LEMMAS, Kernel
from perno_solver.solve.engine import kernel_for, move_of

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import oracle
from short_games import ShortGame

DECIDED = {"won", "lost"}
ALONE = [LEMMAS["hold"] | lemma for lemma in LEMMAS.values()]
CHUNK = 100  # games a job


class Disagreement(Exception):
    """A verdict or a line that is wrong; its text has the position."""


@frozen
class Job:
    """Some games to compare: of a class of rules, short, or in mid-game."""

    kind: str
    name: str
    number: int
    games: int
    states: int
    seed: int


@cache
def kernel(rules: Rules, lemmas: int) -> Kernel:
    """Make a kernel once for every game of a job's rules; `run` forgets them."""
    return kernel_for(rules, lemmas)


class Position:
    """A state that several kernels search, encoded once."""

    def __init__(self, start: State) -> None:
        """Encode a state."""
        codec = Codec.of(start, start.rules)
        self.state = start
        self.after: dict[tuple[int, str, int], State] = {}  # by the identity of a state and a move
        self.encoded = bytes(card.index for card in codec.deck.cards), start.base - 1, codec.encode(start)

    def verdict(self, lemmas: int, most: int, *, plays: bool) -> str:
        """Decide it under some lemmas, with none of them plainly; a line that wins may be played under plain rules."""
        search = kernel(self.state.rules, lemmas)
        search.start(*self.encoded)
        outcome = search.decide(most)
        if outcome == "won" and plays:
            state = self.state
            for kind, card in search.line():
                played = id(state), kind, card
                if played not in self.after:
                    self.after[played] = state.play(move_of(kind, card))
                state = self.after[played]
            if not state.is_won:
                self.disagree("a line that does not win", lemmas)
        return outcome

    def cited(self, most: int) -> str:
        """Decide it by what evidence that cites lemmas must hold."""
        walk = kernel(self.state.rules, 0)
        walk.start(*self.encoded)
        return walk.breadth_first(first_only=True, cites=True, most=most)

    def disagree(self, what: str, lemmas: int) -> None:
        """Tell of a disagreement."""
        names = "+".join(name for name, lemma in LEMMAS.items() if lemmas & lemma)
        cards = " ".join(str(CARDS[index]) for index in self.encoded[0])
        msg = f"{what}\nunder {names}\nrules {self.state.rules}\ndeck {cards}\nfrom\n{self.state}"
        raise Disagreement(msg)

    def compare(self, plain: str, switches: list[int], most: int, *, plays: bool = True) -> Counter[str]:
        """Count the runs under sets of lemmas that give the plain verdict; those that end undecided are counted too.

        Where it plays, it plays the lines that win under the first and the last set, and asks what evidence would.
        """
        counts: Counter[str] = Counter()
        for lemmas in switches:
            found = self.verdict(lemmas, most, plays=plays and lemmas in {switches[0], switches[-1]})
            if found in DECIDED and found != plain:
                self.disagree(f"{found}, and plainly {plain}", lemmas)
            counts["all" if lemmas == ALL_LEMMAS else "some"] += found in DECIDED
            counts["undecided"] += found not in DECIDED
        counts["played"] += plays and plain == "won"
        if plays and self.cited(most) not in {plain, "states"}:
            self.disagree(f"a closed set that cites lemmas, and plainly {plain}", 0)
        counts["games"] += 1
        counts["won"] += plain == "won"
        return counts


def each(chance: random.Random) -> list[int]:
    """List all lemmas, each alone, and a set of them at random."""
    return [ALL_LEMMAS, *ALONE, chance.randrange(ALL_LEMMAS + 1) | LEMMAS["hold"]]


def some(chance: random.Random) -> list[int]:
    """List all lemmas, some alone, and a few sets of them at random."""
    sets = (chance.randrange(ALL_LEMMAS + 1) & chance.randrange(ALL_LEMMAS + 1) for _ in range(2))
    return [
        ALL_LEMMAS,
        *chance.sample(ALONE, 2),
        *(lemmas | LEMMAS["hold"] for lemmas in sets),
        ALL_LEMMAS & ~chance.choice(list(LEMMAS.values())) | LEMMAS["hold"],
    ]


def whole_deals(job: Job, chance: random.Random) -> Counter[str]:
    """Compare deals under the rules of a class, one after another."""
    members = by_class(combinations())[job.name]
    counts: Counter[str] = Counter()
    for number in range(job.number, job.number + job.games):
        rules, seed = members[number % len(members)], job.seed * 1_000_000 + number
        position = Position(State.start(Deal.from_seed(seed), rules))
        plain = position.verdict(0, job.states, plays=False)
        counts["tried"] += 1
        if plain in DECIDED:
            counts += position.compare(plain, each(chance), job.states)
    return counts


def short_rules(chance: random.Random, ranks: int) -> Rules:
    """Draw rules for a short deck, each field by itself; small limits and packing more often than not."""
    return Rules(
        pivot_size=chance.randint(1, min(30, 4 * ranks - 9)),
        reform=chance.choice(list(Reform)),
        pivot_open=chance.random() < 0.4,
        redeals=chance.choice([0, 0, 1, 1, 2, 3, None]),
        build=chance.choice(list(Build)),
        pack_from=frozenset(place for place in Place if chance.random() < 0.5),
        pack_limit=chance.choice([1, 2, 3, 4, 5, 13, 13, 13]),
        fill_from=frozenset({Place.WASTE} | ({Place.TABLEAU} if chance.random() < 0.4 else set())),
        turning=Turning.OBLIGED if chance.random() < 0.15 else Turning.FREE,
    )


def short_game(chance: random.Random, rules: Rules, ranks: int) -> ShortGame:
    """Deal a short deck."""
    deck = [rank + suit for suit in oracle.SUITS for rank in oracle.RANKS[:ranks]]
    chance.shuffle(deck)
    game, first = oracle.start(dict(rules.spelled()), ranks, deck)
    return ShortGame(rules, game, first, chance.randint(1, 13))


def short_games(job: Job, chance: random.Random) -> Counter[str]:
    """Compare short games, ten under the same rules; the lines of the first of them are played."""
    counts: Counter[str] = Counter()
    for number in range(job.games):
        if number % 10 == 0:
            ranks = chance.randint(3, 8)
            rules, switches = short_rules(chance, ranks), some(chance)
        position = Position(short_game(chance, rules, ranks).start)
        plain = position.verdict(0, min(job.states, 20_000), plays=False)
        counts["tried"] += 1
        if plain in DECIDED:
            counts += position.compare(plain, switches, job.states, plays=number % 10 == 0)
    return counts


def last_passes(job: Job, chance: random.Random) -> Counter[str]:
    """Compare positions in the last pass of whole games: near a line that wins, or else where random moves lead."""
    counts: Counter[str] = Counter()
    for _ in range(job.games):
        rules = evolve(short_rules(chance, 13), redeals=chance.choice([0, 0, 1]))
        at = State.start(Deal.from_seed(chance.getrandbits(64)), rules)
        met = [at]
        if Position(at).verdict(ALL_LEMMAS, job.states, plays=True) == "won":
            for kind, card in kernel(rules, ALL_LEMMAS).line():
                met.append(met[-1].play(move_of(kind, card)))
            at, most = chance.choice([state for state in met if state.redeals == 0] or met), chance.randint(0, 8)
        else:
            most = chance.randint(30, 90)
        for _ in range(most):
            moves = at.legal_moves()
            others = [move for move in moves if move.kind is not MoveKind.TURN]
            at = at.play(chance.choice(others if others and chance.random() < 0.7 else moves)) if moves else at
        position = Position(at)
        plain = position.verdict(0, min(job.states, 50_000), plays=False)
        counts["tried"] += 1
        if plain in DECIDED:
            counts += position.compare(plain, some(chance), job.states)
    return counts


def wandered(chance: random.Random, least: int) -> tuple[ShortGame, dict]:
    """Play so many random moves or more, 40 at most, in a short game under random rules, by the search apart."""
    ranks = chance.randint(3, 8)
    short = short_game(chance, short_rules(chance, ranks), ranks)
    at = short.first
    for _ in range(chance.randint(least, 40)):
        moves = oracle.legal_moves(short.game, at)
        at = oracle.play(short.game, at, chance.choice(moves)) if moves else at
    return short, at


def midgame(job: Job, chance: random.Random) -> Counter[str]:
    """Compare positions in mid-game with the search that shares no code."""
    counts: Counter[str] = Counter()
    for _ in range(job.games):
        short, at = wandered(chance, 1)
        positions, _ = oracle.explore(short.game, at, 300)
        counts["tried"] += 1
        won = any(sum(map(len, one["foundations"].values())) == 4 * short.game["ranks"] for one in positions.values())
        if won or len(positions) <= 300:
            counts += Position(short.state(at)).compare("won" if won else "lost", some(chance), job.states)
    return counts


FAR = 1 << 14  # moves that no line needs


def fewest(position: Position, walked: int | None, most: int) -> Counter[str]:
    """Compare the fewest moves with what another search found, None for a loss; play the line."""
    search = kernel(position.state.rules, 0)
    search.start(*position.encoded)
    outcome, line = search.fewest_moves(FAR, most), search.shortest_line()
    if outcome not in DECIDED:
        return Counter({"undecided": 1})
    found = None if line is None else len(line)
    if found != walked or (found is not None and search.gap() != (found, found)):
        position.disagree(f"{found} moves, and plainly {walked}", 0)
    state = position.state
    for kind, card in line or ():
        state = state.play(move_of(kind, card))
    if line is not None and not state.is_won:
        position.disagree("a line that does not win", 0)
    won = found is not None
    return Counter(games=1, won=won, played=won, all=1, states=search.counts()[0])


def walked(position: Position, most: int) -> tuple[str, int | None]:
    """Walk breadth first; return what that comes to, and the moves of a line that wins."""
    walk = kernel(position.state.rules, 0)
    walk.start(*position.encoded)
    outcome = walk.breadth_first(first_only=True, cites=False, most=most)
    return outcome, len(walk.walked_line()) if outcome == "won" else None


def shortest_deals(job: Job, chance: random.Random) -> Counter[str]:
    """Compare the fewest moves of deals under a named reading."""
    counts: Counter[str] = Counter()
    for _ in range(job.games):
        position = Position(State.start(Deal.from_seed(chance.getrandbits(64)), READINGS[job.name]))
        counts["tried"] += 1
        if position.verdict(ALL_LEMMAS, job.states, plays=False) == "won":
            plain, moves = walked(position, job.states)
            counts += fewest(position, moves, job.states) if plain == "won" else Counter()
    return counts


def shortest_short_games(job: Job, chance: random.Random) -> Counter[str]:
    """Compare the fewest moves of short games, five under the same rules, with the walk's."""
    counts: Counter[str] = Counter()
    for number in range(job.games):
        if number % 5 == 0:
            ranks = chance.randint(3, 8)
            rules = short_rules(chance, ranks)
        position = Position(short_game(chance, rules, ranks).start)
        plain, moves = walked(position, min(job.states, 30_000))
        counts["tried"] += 1
        if plain in DECIDED:
            counts += fewest(position, moves, job.states)
    return counts


def shortest_midgame(job: Job, chance: random.Random) -> Counter[str]:
    """Compare the fewest moves in mid-game, and the bound, with the search that shares no code."""
    counts: Counter[str] = Counter()
    for _ in range(job.games):
        short, at = wandered(chance, 0)
        positions, successors = oracle.explore(short.game, at, 300)
        counts["tried"] += 1
        if len(positions) > 300:
            continue
        position = Position(short.state(at))
        least = oracle.cheapest_win(short.game, at, successors, lambda _: 1)
        counts += fewest(position, least, job.states)
        codec, search = Codec.of(position.state, position.state.rules), kernel(position.state.rules, 0)
        bounds = {}
        for key, one in positions.items():
            search.start(position.encoded[0], position.encoded[1], codec.encode(short.state(one)))
            bounds[key] = search.at_least()
        for key, after in successors.items():
            for next_key in after.values():
                if bounds[next_key] >= 0 and not 0 <= bounds[key] <= 1 + bounds[next_key]:
                    position.disagree(f"a bound of {bounds[key]} before one of {bounds[next_key]}", 0)
        if least is not None and not 0 <= bounds[oracle.freeze(at)] <= least:
            position.disagree(f"a bound of {bounds[oracle.freeze(at)]}, and plainly {least}", 0)
    return counts


KINDS = {
    "whole deals": whole_deals,
    "short games": short_games,
    "last pass": last_passes,
    "mid-game": midgame,
    "fewest moves, whole deals": shortest_deals,
    "fewest moves, short games": shortest_short_games,
    "fewest moves, mid-game": shortest_midgame,
}


def run(job: Job) -> Counter[str] | str:
    """Do a job: return its counts, or the disagreement's text."""
    kernel.cache_clear()
    try:
        return KINDS[job.kind](job, random.Random(f"{job.kind} {job.name} {job.number} {job.seed}"))
    except Disagreement as found:
        return str(found)


def compare(pool: ProcessPoolExecutor, job: Job, enough: int, slow: int, seconds: float) -> None:
    """Run jobs like the given one until enough games are compared, or some and the time is up; print a row."""
    totals: Counter[str] = Counter()
    started, number = time.perf_counter(), 0
    told = started
    waiting = []
    while totals["games"] < enough and (totals["games"] < slow or time.perf_counter() - started < seconds):
        while len(waiting) < 2 * (os.cpu_count() or 1):
            waiting.append(pool.submit(run, evolve(job, number=number)))
            number += job.games
        found = waiting.pop(0).result()
        if isinstance(found, str):
            for future in waiting:
                future.cancel()
            sys.exit(f"\nDISAGREEMENT in {job.kind}: {found}")
        totals += found
        if time.perf_counter() - told > 60:
            told = time.perf_counter()
            print(f"{job.kind}, {job.name}: {totals['games']:,} compared", file=sys.stderr, flush=True)
    for future in waiting:
        future.cancel()
    cells = [totals[key] for key in ("tried", "games", "won", "played", "all", "some", "undecided")]
    took = time.perf_counter() - started
    print(f"| {job.kind} | {job.name} | {' | '.join(f'{cell:,}' for cell in cells)} | {took:.0f} |", flush=True)


def main() -> None:
    """Run what the options ask for, and print what was compared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = {"deals": 20_000, "slow": 1_000, "short": 200_000, "midgame": 50_000, "last": 50_000, "shortest": 20_000}
    for option, default in numbers.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--states", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    print(
        "| what | rules | tried | compared | won | lines played | runs, all lemmas | runs, some | undecided runs | s |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    rows = [("short games", "random", arguments.short), ("mid-game", "random", arguments.midgame)]
    rows += [("last pass", "random", arguments.last)]
    rows += [("whole deals", name, arguments.deals) for name in by_class(combinations())]
    rows += [(f"fewest moves, {kind}", "random", arguments.shortest) for kind in ("short games", "mid-game")]
    rows += [("fewest moves, whole deals", name, arguments.shortest // 10) for name in READINGS]
    with ProcessPoolExecutor(arguments.workers) as pool:
        for kind, name, games in rows:
            if games and arguments.only in f"{kind}, {name}":
                job = Job(kind, name, 0, CHUNK, arguments.states, arguments.seed)
                enough, slow = (games, min(games, arguments.slow)) if kind.endswith("whole deals") else (games, games)
                compare(pool, job, enough, slow, arguments.seconds)


if __name__ == "__main__":
    main()
