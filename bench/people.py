"""What a person can win: the figures of `docs/play.md`, on players who do not see the hidden cards.

usage: python bench/people.py PART FILE     measure a part and add its figures to a file, a line of JSON each

Parts: thumb, players by rules of thumb on a million deals of each reading; odds, calculating players; choices, what a
calculating player of `perno` was told at each choice, and what came of it.
"""

import json
import sys
import time
from pathlib import Path

from perno_solver import READINGS, Deal, MoveKind, Rules, Verdict, odds, play_out, solve
from perno_solver.solve.engine import kernel_for
from perno_solver.solve.players import WORLDS, calculating, exhausts

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


def choices(games: int = 2_500):
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


PARTS = {"thumb": thumb, "odds": with_odds, "choices": choices}


if __name__ == "__main__":
    part, path = sys.argv[1:]
    with Path(path).open("a", encoding="utf-8") as file:
        for figures in PARTS[part]():
            print(json.dumps({"part": part, **figures}), file=file, flush=True)
