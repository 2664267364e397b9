"""A naive player of the game, written straight from its rules: strings, lists and dicts, no code of the package.

A game is a dict of the rules as text, under their names on the command line, with two more entries: `base`, the base
rank, and `ranks`, how many ranks a suit has. With 13 of them it is the real game; with fewer it is the same game with a
short deck, which an exhaustive search finishes at once.
"""

from collections import deque

RANKS = "A23456789TJQK"
SUITS = "CDHS"


def suit_in_order(game, suit):
    ranks = RANKS[: game["ranks"]]
    direction = {"up": 1, "down": -1}[game["build"]]
    first = ranks.index(game["base"])
    return [ranks[(first + direction * place) % len(ranks)] + suit for place in range(len(ranks))]


def start(rules, ranks, deck):
    """Deal a deck, a list of cards such as 7S; return the game and its first position."""
    size = int(rules["pivot-size"])
    base = deck[size + 8]
    game = {**rules, "ranks": ranks, "base": base[0]}
    position = {
        "foundations": {suit: [base] if suit == base[1] else [] for suit in SUITS},
        "cells": [[card] for card in deck[size : size + 8]],
        "pivot": deck[:size],
        "stock": deck[size + 9 :],
        "waste": [],
        "redeals": None if rules["redeals"] == "unlimited" else int(rules["redeals"]),
    }
    return game, position


def legal_moves(game, position):  # noqa: C901 - one paragraph a kind of move
    cells, pivot, waste = position["cells"], position["pivot"], position["waste"]
    playable = {
        "waste": waste[-1:],
        "pivot": pivot[-1:] if game["pivot-open"] == "yes" or len(pivot) == 1 else [],
        "tableau": [cell[-1] for cell in cells],
    }
    foundation_moves = []
    for suit, foundation in position["foundations"].items():
        needed = suit_in_order(game, suit)[len(foundation) :][:1]
        for cards in playable.values():
            foundation_moves += [f"F:{card}" for card in cards if [card] == needed]

    pack_moves = []
    for place, cards in playable.items():
        if place in game["pack-from"].split("+"):
            for card in cards:
                order = suit_in_order(game, card[1])
                just_after = order[order.index(card) + 1 :][:1]
                room = [cell for cell in cells if len(cell) < int(game["pack-limit"])]
                pack_moves += [f"P:{card}" for cell in room if cell[-1:] == just_after]

    fill_moves = []
    if not pivot and len(cells) < 8:
        fill_moves += [f"E:{card}" for card in waste[-1:]]
        if game["fill-from"] == "waste+tableau":
            fill_moves += [f"E:{cell[-1]}" for cell in cells if len(cell) >= 2]

    turn_moves = []
    if not (game["turning"] == "obliged" and foundation_moves):
        if position["stock"]:
            turn_moves.append("T")
        elif waste and (position["redeals"] is None or position["redeals"] > 0):
            turn_moves.append("R")
    return foundation_moves + pack_moves + fill_moves + turn_moves


def play(game, position, move):
    position = copied(position)
    cells, stock, waste = position["cells"], position["stock"], position["waste"]
    kind, _, card = move.partition(":")
    if kind == "T":
        waste.append(stock.pop(0))
    elif kind == "R":
        stock.extend(waste)
        waste.clear()
        if position["redeals"] is not None:
            position["redeals"] -= 1
    else:
        for pile in [waste, position["pivot"], *cells]:
            if pile and pile[-1] == card:
                pile.pop()
        if kind == "F":
            position["foundations"][card[1]].append(card)
        elif kind == "E":
            cells.append([card])
        else:
            order = suit_in_order(game, card[1])
            for cell in cells:
                if cell and cell[-1] == order[order.index(card) + 1]:
                    cell.append(card)
        position["cells"] = [cell for cell in cells if cell]
    settle(game, position)
    return position


def copied(position):
    return {
        "foundations": {suit: [*cards] for suit, cards in position["foundations"].items()},
        "cells": [[*cell] for cell in position["cells"]],
        **{pile: [*position[pile]] for pile in ("pivot", "stock", "waste")},
        "redeals": position["redeals"],
    }


def settle(game, position):
    """Do what happens by itself, until nothing changes."""
    cells, pivot, stock = position["cells"], position["pivot"], position["stock"]
    while True:
        least = {"never": 53, "exactly-ten": 10, "up-to-ten": 1}[game["reform"]]
        if not pivot and len(stock) >= least:
            pivot.extend(stock[:10])
            del stock[:10]
        elif pivot and len(cells) < 8:
            cells.append([pivot.pop()])
        else:
            return


def freeze(position):
    """Make what tells one position from another: cells have no order."""
    return (
        tuple(tuple(foundation) for foundation in position["foundations"].values()),
        frozenset(tuple(cell) for cell in position["cells"]),
        *(tuple(position[pile]) for pile in ("pivot", "stock", "waste")),
        position["redeals"],
    )


def explore(game, first, at_most):
    """Find the positions that can be reached, and by move the successors of each; stop where there are too many."""
    positions = {freeze(first): first}
    successors = {}
    waiting = deque([first])
    while waiting and len(positions) <= at_most:
        position = waiting.popleft()
        after = {move: play(game, position, move) for move in legal_moves(game, position)}
        successors[freeze(position)] = {move: freeze(next_position) for move, next_position in after.items()}
        for next_position in after.values():
            if freeze(next_position) not in positions:
                positions[freeze(next_position)] = next_position
                waiting.append(next_position)
    return positions, successors


def cheapest_win(game, first, successors, cost):
    """Find what the cheapest way to a won position costs, by plain relaxation; None if no line wins."""
    costs = {freeze(first): 0}
    waiting = deque(costs)
    while waiting:
        position = waiting.popleft()
        for move, after in successors[position].items():
            total = costs[position] + cost(move)
            if after not in costs or total < costs[after]:
                costs[after] = total
                waiting.append(after)
    return min((costs[at] for at in costs if sum(map(len, at[0])) == 4 * game["ranks"]), default=None)
