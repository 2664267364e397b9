"""Laws that hold in every game, held against generated ones."""

import io
from functools import reduce
from itertools import product
from math import inf

import oracle
import pytest
from attrs import evolve
from hypothesis import given, reject
from hypothesis import strategies as st
from short_games import few_redeals, mapped, short_games

from perno_solver import (
    CARDS,
    READINGS,
    REDEAL,
    TURN,
    Build,
    Card,
    Codec,
    Deal,
    Evidence,
    IllegalMove,
    Move,
    MoveKind,
    Objective,
    Rules,
    State,
    Suit,
    Table,
    Verdict,
    check,
    line_text,
    parse_line,
    solve,
)
from perno_solver.solve import Engine
from perno_solver.solve.engine import begin, kernel_for
from perno_solver.solve.readable import moves_at_least
from perno_solver.strategies import cards, deals, lines, rules, states

MOST_POSITIONS = 120  # games that are larger are passed over

NAMES = {
    name: value
    for name, value in globals().items()
    if name
    in ("Build", "Card", "Deal", "Line", "Move", "Place", "Reform", "Rules", "State", "Suit", "Table", "Turning")
}

every_move = (
    TURN,
    REDEAL,
    *(Move(kind, card) for kind in (MoveKind.FOUNDATION, MoveKind.PACK, MoveKind.FILL) for card in CARDS),
)


def visited(state, line):
    yield state
    for move in line:
        state = state.play(move)
        yield state


def reachable(state):
    """Collect every state that can be reached; pass over a game where they are many."""
    seen, waiting = {state}, [state]
    while waiting:
        for _, after in waiting.pop().successors():
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > MOST_POSITIONS:
            reject()
    return seen


def can_win(state):
    return any(after.is_won for after in reachable(state))


def fewest(state):
    result = solve(state, objective=Objective.MOVES)
    return None if result.line is None else len(result.line)


def all_cards(state):
    piles = (state.on_foundations(), *state.tableau, state.pivot, state.stock, state.waste)
    return sorted(card for pile in piles for card in pile)


# The whole graph of a game


@given(short_games())
def test_moves_and_positions_are_the_oracles(short):
    positions, successors = oracle.explore(short.game, short.first, at_most=MOST_POSITIONS)
    of = {key: short.state(position) for key, position in positions.items()}
    codec = Codec.of(short.start, short.rules)
    assert len(set(of.values())) == len({codec.encode(state) for state in of.values()}) == len(positions)
    for key, after in successors.items():
        of[key].check()
        assert codec.decode(codec.encode(of[key])) == of[key]
        expected = {short.move(token): of[next_key] for token, next_key in after.items()}
        assert {str(move): state for move, state in of[key].successors()} == expected
        assert len(of[key].legal_moves()) == len(expected)


@given(short_games(rules(redeals=st.integers(0, 2))))
def test_verdicts_and_best_lines_are_the_oracles(short):
    reachable(short.start)
    positions, successors = oracle.explore(short.game, short.first, at_most=MOST_POSITIONS)
    moves = oracle.cheapest_win(short.game, short.first, successors, lambda _: 1)
    redeals = oracle.cheapest_win(short.game, short.first, successors, lambda move: move == "R")
    both = oracle.cheapest_win(short.game, short.first, successors, lambda move: 1 + 10**6 * (move == "R"))
    for objective, engine in product(Objective, Engine):
        result = solve(short.start, objective=objective, engine=engine)
        check(result.evidence)
        assert result.reason is None
        if moves is None:
            assert (result.verdict, result.line, result.passes) == (Verdict.LOST, None, None)
            if engine is Engine.READABLE:
                assert len(set(result.evidence)) == result.statistics.stored == len(positions)
        else:
            assert result.verdict is Verdict.WON
            assert result.evidence.line == result.line
            if objective is Objective.MOVES:
                assert len(result.line) == moves == result.at_least
            if objective is Objective.PASSES:
                assert result.passes == redeals + 1
            if objective is Objective.PASSES_MOVES:
                assert (
                    (result.passes, len(result.line)) == (redeals + 1, both % 10**6) == (result.passes, result.at_least)
                )


def kernel_bound(start):
    """The kernel's bound on the moves to a win, of states of one game: no number where it sees that none wins."""
    kernel, codec = kernel_for(start.rules), Codec.of(start, start.rules)

    def bound(state):
        begin(kernel, state, codec)
        least = kernel.at_least()
        return inf if least < 0 else least

    return bound


@given(short_games())
def test_no_bound_promises_too_much(short):
    for bound in (moves_at_least, kernel_bound(short.start)):
        for state in reachable(short.start):
            assert bound(state) >= 0
            assert not state.is_won or bound(state) == 0  # with the next: admissible
            for _, after in state.successors():
                assert bound(state) <= 1 + bound(after)  # consistent


# The same game in other words


def assert_same_game(one, other):
    assert len(reachable(other)) == len(reachable(one))
    assert can_win(other) is can_win(one)
    assert fewest(other) == fewest(one)


@given(short_games(), st.permutations(Suit), st.integers(0, 12))
def test_suits_can_be_relabelled_and_ranks_rotated(short, suits, by):
    other = mapped(short.start, lambda card: Card(suits[card.suit], 1 + (card.rank - 1 + by) % 13))
    assert_same_game(short.start, other)


@given(short_games(rules(build=st.just(Build.DOWN), redeals=few_redeals)))
def test_building_down_mirrors_building_up(short):
    other = mapped(short.start, lambda card: Card(card.suit, 14 - card.rank), build=Build.UP)
    assert_same_game(short.start, other)


@given(deals(), st.permutations(Suit), st.integers(0, 12))
def test_whole_deals_can_be_relabelled_and_rotated(deal, suits, by):
    obliged = READINGS["perno-obliged"]
    other = Deal(Card(suits[card.suit], 1 + (card.rank - 1 + by) % 13) for card in deal.cards)
    assert_same_game(State.start(deal, obliged), State.start(other, obliged))


@given(short_games(rules(redeals=st.integers(0, 1))))
def test_a_redeal_more_never_hurts(short):
    more = evolve(short.rules, redeals=short.rules.redeals + 1)
    with_more = evolve(short.start, rules=more, redeals=more.redeals)
    if can_win(short.start):
        assert fewest(with_more) <= fewest(short.start)


# Every position of a game


@given(lines())
def test_no_move_loses_a_card_or_breaks_an_invariant(game):
    for state in visited(*game):
        state.check()
        assert all_cards(state) == list(CARDS)


@given(states())
def test_play_accepts_exactly_the_legal_moves(state):
    legal = state.legal_moves()
    assert len(set(legal)) == len(legal)
    for move in every_move:
        if move in legal:
            assert dict(state.successors())[move] == state.play(move)
        else:
            with pytest.raises(IllegalMove, match=f"^{move} is not legal: ."):
                state.play(move)


@given(deals(), rules(), st.data())
def test_keys_are_equal_exactly_where_states_are(deal, chosen, data):
    codec = Codec.of(deal, chosen)
    start = State.start(deal, chosen)
    met = [state for _ in range(2) for state in visited(*data.draw(lines(starts=st.just(start))))]
    keys = [codec.encode(state) for state in met]
    assert all(len(key) == codec.width for key in keys)
    assert [codec.decode(key) for key in keys] == met
    assert len(set(keys)) == len(set(met))
    for key, state in zip(keys, met, strict=True):
        assert (key == keys[0]) is (state == met[0])


@given(lines(), st.randoms())
def test_cells_have_no_order(game, random):
    *_, state = visited(*game)
    cells = list(state.tableau)
    random.shuffle(cells)
    other = evolve(state, tableau=cells)
    assert other == state
    assert hash(other) == hash(state)
    assert str(other) == str(state)
    assert Codec.of(other, other.rules) == Codec.of(state, state.rules)


# Texts and files


tables = lines().map(lambda game: reduce(Table.play, game[1], Table.of(game[0])))


@given(st.one_of(cards(), deals(), rules(), lines().map(lambda game: game[1]), states(), tables))
def test_reprs_rebuild_their_values(value):
    assert eval(repr(value), NAMES) == value  # noqa: S307 - it is the law


@given(states(), tables)
def test_reprs_are_short_and_those_of_what_is_no_position_rebuild_it_too(state, table):
    assert max(len(repr(state)), len(repr(table))) < 500
    wrong = evolve(state, base=0)
    assert eval(repr(wrong), NAMES) == wrong  # noqa: S307


@given(tables)
def test_tables_are_read_as_they_are_written(table):
    assert Table.from_text(table.text) == table
    assert State.from_text(table.text) == table.state


@given(cards(), st.booleans(), st.booleans())
def test_cards_are_read_in_every_spelling(card, lower, pretty):
    text = card.pretty if pretty else str(card)
    assert Card.from_text(text.lower() if lower else text) == card
    assert Card.from_text(f" {text.replace('T', '10')} ") == card
    assert CARDS[card.index] == card


@given(st.lists(deals(), max_size=4), deals(), st.integers(0, 50))
def test_deals_are_in_the_order_of_their_cards(several, deal, place):
    cards = list(deal.cards)
    cards[place : place + 2] = cards[place + 1], cards[place]  # the same up to there
    several += [deal, Deal(cards)]
    assert [one.cards for one in sorted(several)] == sorted(one.cards for one in several)
    assert (deal < Deal(cards)) is (cards[place] > cards[place + 1])


@given(deals())
def test_deals_are_read_as_they_are_written(deal):
    assert Deal.from_text(str(deal)) == deal
    assert Deal.from_text(",\n".join(card.pretty for card in deal.cards)) == deal


@given(rules())
def test_rules_are_read_as_they_are_written(chosen):
    assert Rules.from_text(str(chosen)) == chosen
    assert Rules.from_text(", ".join(f"{name} = {value}" for name, value in chosen.spelled())) == chosen
    for name, reading in READINGS.items():
        changes = set(chosen.spelled()) - set(reading.spelled())
        text = ",".join([name, *(f"{key}={value}" for key, value in changes)])
        assert len(str(chosen)) <= len(text) or Rules.from_text(text) != chosen


@given(states())
def test_states_are_read_as_they_are_written(state):
    assert State.from_text(str(state)) == state
    lines_of_text = str(state).splitlines()[1:]
    assert State.from_text("# a table\n\n" + "\n".join(reversed(lines_of_text)), state.rules) == state


@given(lines())
def test_lines_are_read_as_they_are_written(game):
    _, line = game
    assert parse_line(line_text(line)) == line
    assert parse_line(line_text(line).lower()) == line


@given(short_games(), st.booleans())
def test_evidence_is_read_as_it_is_written(short, from_deal):
    reachable(short.start)
    evidence = solve(short.start).evidence
    if from_deal:
        evidence = solve(Deal(sorted(CARDS, key=hash)), rules=READINGS["perno-obliged"]).evidence
    file = io.BytesIO()
    evidence.write(file)
    file.seek(0)
    assert Evidence.read(file) == evidence
    assert file.read() == b""
