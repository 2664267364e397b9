"""Finds games that show what goes wrong where a branch of the kernel is left out: `tests/data/witnesses.tsv`.

usage: python bench/find_witnesses.py [--only TEXT] [--short 1500] [--deals 1500] [--late 1500] [--seed 0]
                                       [--folder DIR]
       python bench/find_witnesses.py --again

For every mutant (see `mutants.py`) that no witness gives away, it looks for games that do: short games and late
positions under random rules, and whole deals under house rules, half of them under a random set of lemmas, none of
which takes more than MOST states. As many mutants as can be are given away by a wrong verdict, others by a line that
does not win, the rest by the number of states stored. Of all that was found, few games that give every mutant away are
added to the file. Prints the mutants that none gave away.

`--folder` is as for `mutants.py`. `--again` writes the numbers of states anew, where a search stores others than
before.
"""

import argparse
import mmap
import os
import pickle
import random
import signal
import sys
from collections import defaultdict
from pathlib import Path

import mutants
from attrs import evolve, frozen

MOST = 250  # states of a witness, which is searched in plain Python too
LINES = 150  # that are played in search of one that does not win
CRASHES = 1  # searches without an end, of one mutant
ENOUGH = 20  # games that give a mutant away, of each kind
KINDS = ("verdict", "line", "states")
FILE = mutants.ROOT / "tests" / "data" / "witnesses.tsv"
SEARCHES = "sets position search greedy bound dig plain single final piles table log nodes queue least held shortest"


@frozen
class Case:
    """A game, what its search comes to, and the line that wins."""

    rules: object
    game: str
    lemmas: int
    found: tuple[str, int, str, int]
    line: tuple[tuple[str, int], ...]


def examined(rules: object, game: str, lemmas: int, most: int, *, plays: bool = True) -> Case:
    """Search a game, and ask for the line that wins."""
    import witnesses

    kernel, verdict = witnesses.searched(game, rules, most, lemmas)
    line = tuple(kernel.line()) if verdict == "won" and plays else ()
    return Case(rules, game, lemmas, (verdict, kernel.counts()[0], *witnesses.shortest(game, rules)), line)


def late_position(chance: random.Random) -> "State | None":  # noqa: F821 - imported late, from the copy
    """Make a position with an empty pivot and gaps: a gap phase, or the end of a game; None if it is none."""
    import verify

    from perno_solver import CARDS, State, Turning

    rules = evolve(verify.short_rules(chance, 8), turning=chance.choice([*3 * [Turning.FREE], Turning.OBLIGED]))
    empty = State(rules, chance.randint(1, 13), tuple(chance.randint(3, 9) for _ in range(4)), (), (), (), (), 0)
    cards = [card for card in CARDS if card not in empty.on_foundations()]
    chance.shuffle(cards)
    cells = []
    for _ in range(chance.randint(4, 8)):
        cell = [cards.pop()] if cards else []
        while cell and rules.packs and len(cell) < rules.pack_limit and chance.random() < 0.5:
            step = empty.step(cell[-1])
            over = empty.card_at(cell[-1].suit, step - 1) if step else None
            if over not in cards:
                break
            cards.remove(over)
            cell.append(over)
        cells.append(cell)
    turned = chance.randint(0, len(cards)) if chance.random() < 0.7 else len(cards)
    redeals = None if rules.redeals is None else chance.randint(0, rules.redeals)
    cells = [tuple(cell) for cell in cells if cell]
    state = evolve(empty, tableau=cells, waste=cards[:turned], stock=cards[turned:], redeals=redeals)
    return None if state.what_is_wrong() else state


def cases(short: int, deals: int, late: int, seed: int) -> list[Case]:
    """Make games that are soon decided: short ones, whole deals, and late positions."""
    import house_rules
    import verify
    import witnesses

    from perno_solver import READINGS
    from perno_solver.kernel import ALL_LEMMAS, LEMMAS

    chance = random.Random(seed)
    found = []
    tables = [*house_rules.combinations(), *8 * list(READINGS.values())]
    kinds = ["short"] * short + ["deal"] * deals + ["late"] * late
    chance.shuffle(kinds)
    while kinds:
        if kinds[-1] == "deal":
            rules, game = chance.choice(tables), str(chance.randrange(1_000_000))
        else:
            if kinds[-1] == "short":
                ranks = chance.randint(3, 8)
                state = verify.short_game(chance, verify.short_rules(chance, ranks), ranks).start
            else:
                state = late_position(chance)
            if state is None:
                continue
            rules, game = state.rules, witnesses.game_text(state)
        lemmas = chance.choice([ALL_LEMMAS, chance.randrange(ALL_LEMMAS + 1) | LEMMAS["hold"]])
        case = examined(rules, game, lemmas, MOST)
        if case.found[0] in {"won", "lost"} and (case.found[1] or chance.random() < 0.2):
            found.append(case)
            kinds.pop()
    return found


def kind_of(case: Case, *, plays: bool) -> str | None:
    """Search again, with a mutant switched on; say how that gives the mutant away, if it does."""
    import witnesses

    again = examined(case.rules, case.game, case.lemmas, witnesses.MOST, plays=plays)
    if plays and again.line != case.line:
        try:
            good = witnesses.wins(case.game, case.rules, again.line)
        except ValueError:
            good = False
        return None if good else "line"
    if again.found == case.found:
        return None
    said = {(case.found[at], again.found[at]) for at in (0, 2) if again.found[at] != case.found[at]}
    return "verdict" if any("states" not in pair for pair in said) else "states"


def look_through(number: int, pool: list[Case], writing: int, place: mmap.mmap, *, plays: bool) -> None:
    """In a process of its own, switch a mutant on and write down which games give it away."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    mutants.resource.setrlimit(mutants.resource.RLIMIT_AS, (mutants.MEMORY, mutants.MEMORY))
    mutants.switch(number)
    found = dict.fromkeys(KINDS, 0)
    for at in range(int.from_bytes(place[:8], "little"), len(pool)):
        place[:8] = at.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_PROF, 1)  # which ends this process
        try:
            kind = kind_of(pool[at], plays=plays)
        except Exception:  # noqa: BLE001 - whatever it is, it gives the mutant away
            kind = "line"
        if kind:
            found[kind] += 1
            if found[kind] <= ENOUGH:
                os.write(writing, pickle.dumps((kind, at)).ljust(64, b"\0"))
            if found["verdict"] >= ENOUGH or found["line"] >= ENOUGH:
                return


def given_away(number: int, pool: list[Case], *, plays: bool = False) -> dict[str, list[int]]:
    """Find which games give a mutant away, by kind; where a search never ends, or crashes, that does."""
    place = mmap.mmap(-1, 8)
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for _ in range(CRASHES):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                look_through(number, pool, writing, place, plays=plays)
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            data = pipe.read()
        for at in range(0, len(data), 64):
            kind, which = pickle.loads(data[at : at + 64])  # noqa: S301 - our own
            found[kind].append(which)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            break
        which = int.from_bytes(place[:8], "little")
        found["verdict"].append(which)
        place[:8] = (which + 1).to_bytes(8, "little")
    return found


def found_for(number: int, pool: list[Case]) -> dict[str, list[int]]:
    """Find which games give a mutant away; lines are played only if no verdict does."""
    found = given_away(number, pool)
    if not found["verdict"]:
        won = [place for place, case in enumerate(pool) if case.found[0] == "won"][:LINES]
        lines = given_away(number, [pool[place] for place in won], plays=True)
        found["line"] = [won[place] for place in lines["line"] + lines["verdict"]]
    return found


def cover(wanted: dict[str, set[int]]) -> dict[int, list[str]]:
    """Choose few games that give all mutants away: each time the one that gives most of those that are left."""
    gives: dict[int, set[str]] = defaultdict(set)
    for name, places in wanted.items():
        for place in places:
            gives[place].add(name)
    chosen, left = {}, set(wanted)
    while left:
        place = max(gives, key=lambda one: (len(gives[one] & left), -one))
        chosen[place] = sorted(gives[place] & left)
        left -= gives[place]
    return chosen


def again() -> None:
    """Write the verdicts and the states of all witnesses anew."""
    import witnesses

    lines = witnesses.FILE.read_text(encoding="utf-8").splitlines()[:2]
    for row in witnesses.rows():
        verdict, states = witnesses.outcome(row)
        fewest, fewest_states = witnesses.shortest(row.game, row.rules)
        if verdict != row.verdict or fewest != row.fewest != "states":
            sys.exit(f"not {verdict}, {fewest}: {row}")
        lines.append(str(evolve(row, states=states, fewest=fewest, fewest_states=fewest_states)))
    witnesses.FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def find(chosen: list[mutants.Mutant], sizes: tuple[int, int, int], seed: int) -> None:
    """Find witnesses for the mutants that none gives away, add them to the file, and print those that are left."""
    import witnesses

    old = [examined(row.rules, row.game, row.lemmas, witnesses.MOST) for row in witnesses.rows()]
    pool = cases(*sizes, seed)
    print(f"{len(old)} witnesses, {len(pool)} games", file=sys.stderr, flush=True)
    wanted, never = {}, []
    for mutant in chosen:
        before = found_for(mutant.number, old)
        if before["verdict"]:
            continue
        found = found_for(mutant.number, pool)
        kind = next((kind for kind in KINDS if found[kind]), None)
        if kind is not None and not any(before[one] for one in KINDS[: KINDS.index(kind) + 1]):
            wanted[mutant.name] = set(found[kind])
        elif kind is None and not any(before.values()):
            never.append(mutant)
        known = next((kind for kind in KINDS if before[kind]), None)
        print(f"{mutant.number} {mutant.name}: {kind}, before {known}", file=sys.stderr, flush=True)
    for place, names in sorted(cover(wanted).items(), key=lambda one: -len(one[1])):
        row = witnesses.Witness(pool[place].rules, pool[place].game, pool[place].lemmas, *pool[place].found, names[0])
        with witnesses.FILE.open("a", encoding="utf-8") as out:
            out.write(f"{row}\n")
    for mutant in never:
        print(f"{mutant.module}:{mutant.line}\t{mutant.name}")


def main() -> None:
    """Do what the options say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", default="kernel/")
    parser.add_argument("--short", type=int, default=1_500)
    parser.add_argument("--deals", type=int, default=1_500)
    parser.add_argument("--late", type=int, default=1_500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    if arguments.again:
        sys.path.insert(0, str(FILE.parents[1]))
        again()
        return
    sources, planted = mutants.planted()
    known = mutants.equivalents()
    searches = {f"kernel/{name}.py" for name in SEARCHES.split()}
    chosen = [one for one in planted if one.module in searches and arguments.only in one.name and one.name not in known]
    with mutants.in_use(arguments.folder, sources, [mutant.name for mutant in planted]):
        import witnesses

        witnesses.FILE = FILE
        find(chosen, (arguments.short, arguments.deals, arguments.late), arguments.seed)


if __name__ == "__main__":
    main()
