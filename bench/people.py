"""What a person can win: the figures of `docs/play.md` and `docs/findings.md`, on players who see no hidden cards.

usage: python bench/people.py PART FILE     measure a part and add its figures to a file, a line of JSON each
       python bench/people.py draw FILE DOCS     draw the choices of a file into a folder, and print its figures

Parts: thumb, players by rules of thumb on a million deals of each reading; odds, calculating players; redeals, what
each redeal is worth to them; mistakes, the moves that throw games away that can be won; choices, what a calculating
player of `perno` was told at each choice, and what came of it.
"""

import bisect
import itertools
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from perno_solver import PERNO, READINGS, Deal, Game, MoveKind, Rules, Verdict, odds, play_out, solve
from perno_solver.solve.engine import kernel_for
from perno_solver.solve.players import WORLDS, PlayerName, at_sight, calculating, careful, exhausts, greedy
from perno_solver.survey.chunks import decide
from perno_solver.survey.plots import COLOURS, LOOK

FIRST = 100_000_000  # the rules of thumb were tuned on seeds 50,000,000 to 50,060,000
MOST_STATES = 2_000_000
BLOCK = 2_000


def won_of(codes: bytes, deals: int) -> list[bool]:
    """Read the verdicts of a batch."""
    return [codes[deal >> 2] >> 2 * (deal & 3) & 3 == 1 for deal in range(deals)]


def played(name: str, player: str, first: int, deals: int, *, remembers: bool = True, worlds: int = WORLDS) -> int:
    """Count the deals that a player wins."""
    codes, _, _ = kernel_for(Rules.from_text(name)).play(player, remembers, worlds, 0, first, deals, MOST_STATES)
    return sum(won_of(codes, deals))


def winnable(name: str, first: int, deals: int) -> int:
    """Count the deals that can be won."""
    codes, *_ = kernel_for(Rules.from_text(name)).survey(first, deals, MOST_STATES)
    return sum(won_of(codes, deals))


def rates(name: str, player: str, deals: int, *, enough: int | None = None, **how) -> dict:
    """Let a player play deals, up to so many or until enough of them could be won."""
    started, done, won, could = time.perf_counter(), 0, 0, 0
    while done < deals and (enough is None or could < enough):
        block = min(BLOCK, deals - done)
        won += played(name, player, FIRST + done, block, **how)
        could += winnable(name, FIRST + done, block)
        done += block
    seconds = time.perf_counter() - started
    return {"rules": name, "player": player, **how, "deals": done, "winnable": could, "won": won, "seconds": seconds}


def thumb():
    """Rules of thumb on a million deals of each reading."""
    for name in READINGS:
        for player in ("greedy", "careful"):
            yield rates(name, player, 1_000_000)


def with_odds():
    """Calculating players: 20,000 winnable deals of `perno`, of the others what gives half a point of all deals."""
    for name in READINGS:
        for remembers in (True, False):
            enough = 20_000 if remembers and name == "perno" else 8_000 if name == "eagle-wing-packed" else 3_000
            yield rates(name, "calculating", 10**7, enough=enough, remembers=remembers)


def redeals():
    """What each redeal is worth: rules of thumb, and calculating players."""
    for number in ("0", "1", "2", "3", "unlimited"):
        name = f"perno,redeals={number}"
        for player in ("greedy", "careful"):
            yield rates(name, player, 1_000_000)
        yield rates(name, "calculating", 10**6, enough=3_000)


def mistakes(most: int = 5_000):
    """The first mistake of games of `perno` that could be won: the move after which they no longer could."""
    for name, (player, seen) in PLAYERS.items():
        for seed in thrown_away(name, 1_000_000, {"calculating": 100, "at-sight": 500}.get(name, most)):
            game = play_out(Deal.from_seed(seed), player, seen=seen)
            at = first_mistake(game)
            view = game.view(at, seen=seen)
            better = [
                _kind(view, move)
                for move in view.legal_moves()
                if solve(game.state(at).play(move), evidence=False).verdict is Verdict.WON
            ]
            yield {
                "seed": seed,
                "player": name,
                "at": at,
                "left": view.world.redeals,
                "stock": len(view.stock),
                "kind": _kind(view, game.moves[at]),
                "better": better,
            }


PLAYERS = {
    "greedy": (greedy, "remembered"),
    "careful": (careful, "remembered"),
    "calculating": (calculating, "remembered"),
    "at-sight": (at_sight, "table"),
}


def thrown_away(name: str, deals: int, most: int):
    """Return an iterator over the seeds of deals of `perno` that can be won and a player does not win, some of them."""
    blocks = (range(first, first + BLOCK) for first in range(FIRST, FIRST + deals, BLOCK))
    lost = (
        seed
        for seeds in blocks
        for won in [set(decide(PERNO, seeds, player=PlayerName(name)).seeds_with(Verdict.WON))]
        for seed in decide(PERNO, seeds).seeds_with(Verdict.WON)
        if seed not in won
    )
    return itertools.islice(lost, most)


def first_mistake(game: Game) -> int:
    """Find the move before which a lost game could still be won: what is lost stays lost, so halve."""
    won, lost = 0, len(game.moves)
    while lost - won > 1:
        middle = (won + lost) // 2
        if solve(game.state(middle), evidence=False).verdict is Verdict.WON:
            won = middle
        else:
            lost = middle
    return won


def choices(games: int = 3_400):
    """Odds as they are said, and what came of them: each choice of a calculating player of `perno`.

    All deals count, lost ones too, for the player cannot know. For each kind of move its best odds are kept, so that
    rules of thumb can be held against them.
    """
    for seed in range(FIRST, FIRST + games):
        game = play_out(Deal.from_seed(seed), calculating)
        for at, move in enumerate(game.moves):
            view = game.view(at)
            if len(view.legal_moves()) < 2 or view.is_known:
                continue
            shares = dict(odds(view, worlds=200).moves)
            kinds: dict[str, float] = {}
            for other, share in shares.items():
                kinds[_kind(view, other)] = max(share.rate, kinds.get(_kind(view, other), 0))
            good = solve(game.state(at + 1), evidence=False).verdict is Verdict.WON
            yield {
                "seed": seed,
                "at": at,
                "left": view.world.redeals,
                "stock": len(view.stock),
                "unseen": view.places,
                "said": shares[move].rate,
                "good": good,
                "kind": _kind(view, move),
                "kinds": kinds,
            }


def _kind(view, move) -> str:
    """Name the kind of a move as the rules of thumb see it."""
    if move.card is not None and move.kind is not MoveKind.FILL and exhausts(view, move.card):
        return "takes the pivot's last card"
    return {
        MoveKind.FOUNDATION: "another play",
        MoveKind.PACK: "a pack",
        MoveKind.FILL: "fills a cell",
        MoveKind.TURN: "turns",
        MoveKind.REDEAL: "turns the waste over",
    }[move.kind]


BINS = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1)
"""Bounds of the odds that are drawn as one point."""


def calibration(told: list[dict]) -> list[tuple[float, float, float, float, int]]:
    """Return for each bin the odds said in the mean, what then could be won with its 95 % interval, and how many.

    Choices of one game hang together, so the intervals are those of whole games drawn again and again (the bootstrap of
    B. Efron, 1979).
    """
    games: dict[int, list[list[float]]] = {}
    for row in told:
        counts = games.setdefault(row["seed"], [[0, 0, 0] for _ in BINS])
        of = counts[bisect.bisect_right(BINS, min(row["said"], 0.999)) - 1]
        for place, number in enumerate((1, row["said"], row["good"])):
            of[place] += number
    every, dice = list(games.values()), random.Random(0)
    samples = (dice.choices(every, k=len(every)) for _ in range(400))
    drawn = [[tuple(map(sum, zip(*counts, strict=True))) for counts in zip(*sample, strict=True)] for sample in samples]
    points = []
    for place in range(len(BINS) - 1):
        number, said, good = (sum(game[place][of] for game in every) for of in range(3))
        shares = sorted(one[place][2] / one[place][0] for one in drawn)
        points.append((said / number, good / number, shares[10], shares[-11], int(number)))
    return points


def draw(path: Path, docs: Path) -> None:
    """Draw how honest odds are, and print it, with the mistakes."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    told = [row for row in rows if row["part"] == "choices"]
    points = calibration(told)
    print("| odds said | choices | said, in the mean | could then be won | 95 % |")
    for (low, high), (said, could, least, most, number) in zip(itertools.pairwise(BINS), points, strict=True):
        head = f"| {100 * low:g} % to {100 * high:g} % | {number:,} | {100 * said:.1f} %"
        print(f"{head} | {100 * could:.1f} % | {100 * least:.1f} – {100 * most:.1f} % |")
    print(f"{len(told):,} choices in {len({row['seed'] for row in told}):,} deals")
    for player in PLAYERS:
        those = [row for row in rows if row["part"] == "mistakes" and row["player"] == player]
        print(f"{player}: {len(those):,} games thrown away, at their first mistake by")
        for (kind, left), number in Counter((row["kind"], row["left"]) for row in those).most_common():
            print(f"    {100 * number / len(those):5.1f} %  {kind}, {left} redeals left")
        for kind, number in Counter(kind for row in those for kind in set(row["better"])).most_common():
            print(f"    {100 * number / len(those):5.1f} %  could have been won by a move that {kind}")
    with rc_context(LOOK):
        figure = Figure(figsize=(5.5, 5), layout="constrained", dpi=150)
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="#999999", linestyle="--", label="if all odds came true")
        for said, could, least, most, _ in points:
            reach = [[could - least], [most - could]]
            axes.errorbar(said, could, reach, fmt="o", color=COLOURS[0], capsize=3, markersize=5)
        axes.set(xlabel="odds that the player was told", ylabel="share of these games that could then be won")
        axes.set_title(f"{len(told):,} choices of a calculating player")
        axes.xaxis.set_major_formatter(PercentFormatter(1, 0))
        axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
        axes.legend(loc="upper left")
        figure.savefig(docs / "play-odds.svg", metadata={"Date": None})


PARTS = {"thumb": thumb, "odds": with_odds, "redeals": redeals, "mistakes": mistakes, "choices": choices}


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(*map(Path, sys.argv[2:]))
        sys.exit()
    part, path = sys.argv[1:]
    with Path(path).open("a", encoding="utf-8") as file:
        for figures in PARTS[part]():
            print(json.dumps({"part": part, **figures}), file=file, flush=True)
