"""Evidence that was tampered with is refused, always as `BadEvidence`."""

import hashlib
import io
import random
import re
import subprocess
import sys
import zlib
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import perno_solver
from perno_solver import (
    READINGS,
    BadEvidence,
    Codec,
    Deal,
    Evidence,
    Place,
    Rules,
    State,
    TooLarge,
    Turning,
    Verdict,
    check,
    line_text,
    parse_line,
    solve,
)
from perno_solver.game.codec import join_keys
from perno_solver.lemmas import greedy_applies, play_applies
from perno_solver.proof.evidence import MOST_LINE_BYTES
from perno_solver.strategies import deals, rules

solve = partial(solve, engine="readable")  # its sets cite nothing
OBLIGED = READINGS["perno-obliged"]
LOST = solve(Deal.from_seed(1), rules=OBLIGED).evidence
WON = solve(Deal.from_seed(10)).evidence
CITING = perno_solver.solve(Deal.from_seed(24), rules=OBLIGED).evidence
PACKED = solve(Deal.from_seed(1), rules=Rules.from_text("perno-obliged,redeals=0,pack-from=waste")).evidence
MID_GAME = solve(State.start(Deal.from_seed(1), OBLIGED).play(parse_line("T")[0])).evidence
LARGE = solve(Deal.from_seed(1)).evidence
ALL = {"lost": LOST, "citing": CITING, "won": WON, "packed": PACKED, "mid-game": MID_GAME}

every_evidence = pytest.mark.parametrize("evidence", ALL.values(), ids=ALL)


def written(evidence):
    file = io.BytesIO()
    evidence.write(file)
    return file.getvalue()


def read(data):
    return Evidence.read(io.BytesIO(data))


def refused(evidence, match):
    with pytest.raises(BadEvidence, match=match):
        check(evidence)


def with_keys(keys, evidence=LOST):
    return Evidence.of_loss(evidence.start, evidence.rules, join_keys(keys), cites=evidence.cites)


def with_line(*moves):
    return Evidence.of_win(WON.start, WON.rules, moves)


@every_evidence
def test_what_is_true_is_accepted(evidence):
    check(read(written(evidence)))
    assert {WON: Verdict.WON}.get(evidence, Verdict.LOST) is evidence.verdict


# The keys of a loss


@pytest.mark.parametrize("evidence", [LOST, CITING, PACKED, MID_GAME])
def test_a_loss_needs_every_key(evidence):
    keys = list(evidence)
    for at in range(len(keys)):
        refused(
            with_keys(keys[:at] + keys[at + 1 :], evidence), "not closed: it lacks what|the start is not in the set"
        )


def test_a_loss_holds_no_foreign_key():
    codec = LOST.codec
    state = State.start(LOST.start, LOST.rules)
    lower = evolve(state, redeals=0)  # a start with less left, to which nothing leads
    dead_end = next(at for key in LOST if not (at := codec.decode(key)).legal_moves())
    of_other_deal = next(iter(solve(Deal.from_seed(3), rules=OBLIGED).evidence))
    for key in (codec.encode(lower), codec.encode(evolve(dead_end, redeals=1)), bytes(16), b"\xff" * 16, of_other_deal):
        assert key not in set(LOST)
        refused(with_keys([*LOST, key]), "1 keys are foreign|not the key")


def test_a_loss_holds_no_won_state():
    codec = Codec.of(Deal.from_seed(11), OBLIGED)  # a deal that can be won
    waiting = [State.start(codec.deck, codec.rules)]
    keys = {codec.encode(waiting[0])}
    while waiting:
        for _, after in waiting.pop().successors():
            if codec.encode(after) not in keys:
                keys.add(codec.encode(after))
                waiting.append(after)
    refused(Evidence.of_loss(codec.deck, codec.rules, join_keys(keys)), "the set holds a won state")


def test_the_keys_of_a_loss_ascend_each_once():
    first, second, *rest = LOST
    for keys in ([second, first, *rest], [first, first, second, *rest]):
        refused(Evidence(LOST.start, LOST.rules, None, b"".join(keys)), "not in ascending order, each once")
    assert [int.from_bytes(key, "little") for key in LOST] == sorted(int.from_bytes(key, "little") for key in LOST)


def test_a_loss_is_that_of_its_deal_and_rules():
    refused(evolve(LOST, start=Deal.from_seed(3)), ".")
    refused(evolve(LOST, rules=READINGS["perno"]), ".")
    refused(Evidence(LOST.start, LOST.rules, None, b""), "the start is not in the set")


def test_parts_of_keys_are_refused():
    with pytest.raises(BadEvidence, match="1649 bytes of keys, expected a multiple of 16"):
        Evidence(LOST.start, LOST.rules, None, bytes(1649))
    with pytest.raises(BadEvidence, match="expected either a line or keys"):
        Evidence(LOST.start, LOST.rules)
    with pytest.raises(BadEvidence, match="expected either a line or keys"):
        Evidence(LOST.start, LOST.rules, (), b"")


def test_evidence_is_told_in_a_line():
    assert f"<Evidence lost: states={len(list(LOST))}, start=Deal, rules=perno-obliged>" == repr(LOST)
    assert f"<Evidence won: moves={len(WON.line)}, start=Deal, rules=perno>" == repr(WON)


def test_a_win_has_no_keys():
    assert list(WON) == []


def test_more_keys_are_read_than_a_line_may_have_bytes():
    many = with_keys(number.to_bytes(16, "little") for number in range(1 + MOST_LINE_BYTES // 16))
    assert read(written(many)) == many


def test_a_file_that_is_open_for_text_is_refused():
    for use in (Evidence.read, WON.write):
        with pytest.raises(BadEvidence, match="a file that is open for bytes"):
            use(io.StringIO())


def test_a_position_is_checked_before_its_evidence():
    refused(evolve(MID_GAME, rules=READINGS["perno"]), "the start is not a position under the rules perno")
    broken = Evidence(evolve(MID_GAME.start, waste=()), OBLIGED, ())
    refused(broken, "the start is not a position under the rules perno-obliged: expected 52 different cards")


# The line of a win


def test_a_win_needs_each_of_its_moves():
    line = WON.line
    for at in range(len(line)):
        refused(with_line(*line[:at], *line[at + 1 :]), r"^move \d+: .* is not legal|after all|is won before move")
    for at in range(len(line) - 1):
        refused(with_line(*line[:at]), f"after all {at} moves .* cards are on the foundations, expected 52")


def test_a_win_has_no_further_move():
    for move in set(WON.line):
        refused(with_line(*WON.line, move), f"the game is won before move {len(WON.line) + 1}, {move}$")


def test_the_moves_of_a_win_are_played_in_order():
    line = list(WON.line)
    refused(with_line(*reversed(line)), "is not legal")
    refused(with_line(line[-1], *line[1:-1], line[0]), "is not legal")
    refused(with_line(line[0], *line), "is not legal|after all|is won before")


def test_a_win_is_that_of_its_deal_and_rules():
    refused(evolve(WON, start=Deal.from_seed(11)), "is not legal")
    refused(evolve(WON, rules=READINGS["eagle-wing"]), "is not legal")
    refused(evolve(WON, rules=Rules(redeals=0)), "R is not legal: no redeal is left")


# Files


@every_evidence
def test_every_flipped_bit_is_seen(evidence):
    data = written(evidence)
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        with pytest.raises(BadEvidence):
            read(bytes(damaged))


@every_evidence
def test_every_cut_is_seen(evidence):
    data = written(evidence)
    for size in range(0, len(data), 3):
        with pytest.raises(BadEvidence):
            read(data[:size])


@every_evidence
def test_what_follows_the_end_is_seen(evidence):
    for rest in (b"\n", bytes(100_000), written(evidence)):
        with pytest.raises(BadEvidence, match="the digest at the end does not match, or is not the end"):
            read(written(evidence) + rest)


def forged(evidence, change=lambda header: header, body=None):
    """Write evidence with another header or body, and a digest that fits."""
    header, end, rest = written(evidence).partition(b"\n\n")
    data = change(header.decode()).encode() + end + (rest[:-32] if body is None else zlib.compress(body))
    return data + hashlib.sha256(data).digest()


def replaced(old, new):
    return lambda header: header.replace(old, new, 1)


def test_a_forgery_that_changes_nothing_is_accepted():
    assert read(forged(LOST)) == LOST
    assert read(forged(WON, body=line_text(WON.line).encode())) == WON


@pytest.mark.parametrize(
    "words", ["perno,turning=obliged", "eagle-wing,pivot-size=10,reform=up-to-ten,build=down,turning=obliged"]
)
@pytest.mark.parametrize("start", [LOST.start, State.start(LOST.start, OBLIGED)])
def test_rules_may_be_said_in_other_words(start, words):
    evidence = solve(start, rules=OBLIGED).evidence
    assert read(forged(evidence, lambda header: header.replace("rules: perno-obliged", f"rules: {words}"))) == evidence
    check(evidence)
    with pytest.raises(BadEvidence):
        check(read(forged(evidence, replaced("rules: perno-obliged", "rules: perno"))))


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (replaced("perno-evidence 1", "perno-evidence 2"), "not evidence of a known version: it begins with b'perno-e"),
        (replaced("perno-evidence 1", ""), "not evidence of a known version"),
        (replaced("verdict: lost", "verdict: won"), "damaged: "),
        (replaced("verdict: lost", "verdict: unknown"), "not spelled as this version writes it"),
        (
            replaced("verdict: lost\n", ""),
            "the header has deck, rules, cites, size, expected verdict, deck, rules, cites, size",
        ),
        (replaced("verdict: lost\n", "verdict: lost\nverdict: lost\n"), "not spelled as this version writes it"),
        (replaced("deck: ", "deck:  "), "not spelled as this version writes it"),
        (replaced("deck: 9S", "deck: 7S"), "damaged: expected 52 different cards"),
        (replaced("deck: 9S", "deck: 9S\ndeck: 9S"), "not spelled as this version writes it"),
        (replaced("deck: ", "  deck: "), "damaged: the header has"),
        (replaced("rules: perno-obliged", "rules: perno-modest"), "damaged: 'perno-modest' is not a reading"),
        (
            replaced("rules: perno-obliged", "redeals: perno-obliged"),
            "the header has verdict, deck, redeals, cites, size",
        ),
        (replaced("deck: ", ""), "line 3 of the header, '9S 7S QH .*, has no name and value"),
        (replaced("rules: perno-obliged", "perno-obliged"), "line 4 of the header, 'perno-obliged', has no name"),
        (replaced("cites: ", ": "), "line 5 of the header, ': nothing', has no name and value"),
        (lambda header: header + "\nseed", "line 7 of the header, 'seed', has no name and value"),
        (lambda header: header + "\n  seed", "line 7 of the header, 'seed', has no name and value"),
        (replaced("size: 1", "size: x1"), "damaged: the header has"),
        (replaced("size: 1", "size: 0"), "not spelled as this version writes it"),
        (replaced("size: 1", "size: 9"), "the body has .* bytes, and the header says 9"),
        (replaced("size: 1", "size: " + "1" * 300), "the header has verdict, deck, rules, cites, size"),
        (replaced("size: 1", "size: 11"), "the body has .* bytes, and the header says 11"),
        (replaced("size: 1", "size: " + "1" * 5000), "damaged: the header does not end"),
        (lambda header: header + "\nseed: 1" * 20, "damaged: the header does not end"),
        (
            lambda header: "\n".join(header.splitlines()[i] for i in (0, 1, 3, 2, 4, 5)),
            "the header has verdict, rules, de",
        ),
    ],
)
def test_headers_are_as_written(change, match):
    with pytest.raises(BadEvidence, match=match):
        read(forged(LOST, change))


def test_bodies_are_as_the_header_says():
    size = len(LOST.keys)
    with pytest.raises(BadEvidence, match=f"the body is longer than the {size} bytes that the header says"):
        read(forged(LOST, body=bytes(size + 1)))
    with pytest.raises(BadEvidence, match=f"the body is longer than the {size} bytes that the header says"):
        read(forged(LOST, body=bytes(50_000_000)))
    with pytest.raises(BadEvidence, match=f"the body has {size - 16} bytes, and the header says {size}"):
        read(forged(LOST, body=bytes(size - 16)))
    with pytest.raises(BadEvidence, match="damaged: the last key has 1 bytes, expected 16"):
        read(forged(LOST, replaced(f"size: {size}", f"size: {size + 1}"), bytes(size + 1)))


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (b"T X", "damaged: move 2: b'X' is not a move as evidence has it"),
        (b"t", "damaged: move 1: b't' is not a move"),
        (b"T  T", "damaged: move 2: b'' is not a move"),
        (b" T", "damaged: move 1: b'' is not a move"),
        (b"T ", "damaged: move 2: b'' is not a move"),
        (b"T\nT", r"damaged: move 1: b'T\\nT' is not a move"),
        (b"F:10H", "damaged: move 1: b'F:10H' is not a move"),
        (b"\xff\xfe\xfd", r"damaged: move 1: b'\\xff\\xfe\\xfd' is not a move"),
        (b"T" * 200, r"damaged: move 1: b'T{77}… is not a move"),
        (b"T T R", "^move 3: R is not legal: the stock is not empty$"),
        (line_text(WON.line).encode() + b" T", f"^the game is won before move {len(WON.line) + 1}, T$"),
    ],
)
def test_lines_are_as_written_and_legal(body, match):
    with pytest.raises(BadEvidence, match=match):
        read(forged(WON, replaced(f"size: {len(line_text(WON.line))}", f"size: {len(body)}"), body))


def test_a_header_has_its_lines():
    for evidence in ALL.values():
        header = written(evidence).partition(b"\n\n")[0].decode().splitlines()
        for at in range(len(header)):
            for change in (header[:at] + header[at + 1 :], [*header[:at], header[at][2:], *header[at + 1 :]]):
                with pytest.raises(BadEvidence):
                    read(forged(evidence, lambda _, change=change: "\n".join(change)))


def test_positions_in_a_header_are_as_written():
    with pytest.raises(BadEvidence, match="damaged: the position has no line for waste"):
        read(forged(MID_GAME, lambda header: "\n".join(line for line in header.splitlines() if "waste" not in line)))
    with pytest.raises(
        BadEvidence, match="damaged: the position is under the rules perno-obliged, but perno was asked"
    ):
        read(forged(MID_GAME, lambda header: header.replace("\nrules: perno-obliged", "\nrules: perno")))


def test_large_evidence_is_read_in_blocks():
    assert len(list(LARGE)) > 4096
    assert read(written(LARGE)) == LARGE
    columns = b"".join(LARGE.keys[column : 16 * 4096 : 16] for column in range(16))
    again = columns + bytes(16)  # the second block begins anew
    size = f"size: {len(LARGE.keys)}"
    with pytest.raises(BadEvidence, match="the keys are not in ascending order, each once"):
        read(forged(LARGE, replaced(size, f"size: {len(again)}"), again))


def test_a_game_that_is_won_at_its_start_has_an_empty_line():
    state = State.start(WON.start, WON.rules)
    for move in WON.line:
        state = state.play(move)
    evidence = Evidence.of_win(state, None, ())
    assert read(written(evidence)) == evidence
    check(evidence)
    with pytest.raises(BadEvidence, match="damaged: move 1: b'' is not a move"):
        read(forged(evidence, replaced("size: 0", "size: 1"), b" "))


def test_a_body_may_end_with_a_block():
    evidence = with_keys(list(LARGE)[:4096], LARGE)
    assert read(written(evidence)) == evidence


# Limits


def test_a_body_is_read_up_to_a_limit():
    for evidence in (LOST, WON, LARGE):
        data = written(evidence)
        size = len(evidence.keys or line_text(evidence.line))
        assert Evidence.read(io.BytesIO(data), max_bytes=size) == evidence
        with pytest.raises(TooLarge, match=f"^{size:,} bytes of moves or keys, and no more than {size - 1:,} are to"):
            Evidence.read(io.BytesIO(data), max_bytes=size - 1)


@pytest.mark.parametrize("evidence", [LOST, WON, CITING])
def test_reading_writing_and_checking_can_be_ended(evidence):
    class Ended(Exception):
        pass

    def end():
        raise Ended

    data = io.BytesIO(written(evidence))
    for step in (partial(check, evidence), partial(evidence.write, io.BytesIO()), partial(Evidence.read, data)):
        with pytest.raises(Ended):
            step(look=end)


@pytest.mark.parametrize("states", [0, 1, 7])
@pytest.mark.parametrize("evidence", [LOST, CITING, PACKED, MID_GAME])
def test_however_few_states_are_laid_out_a_check_says_the_same(evidence, states, monkeypatch):
    monkeypatch.setattr("perno_solver.proof.checker._LAID_OUT", states)
    check(evidence)
    _, *others = evidence
    if others:
        refused(with_keys(others, evidence), "not closed: it lacks what|the start is not in the set")
    refused(with_keys([*evidence, b"\xff" * evidence.codec.width], evidence), "1 keys are foreign")


def test_long_checks_are_looked_into_all_the_time():
    looks = []
    check(LARGE, look=lambda: looks.append(None))
    assert len(looks) >= len(LARGE.keys) // 16
    looks.clear()
    LARGE.write(io.BytesIO(), look=lambda: looks.append(None))
    assert len(looks) == 2  # one a block


@given(drawn=rules(fill_from=st.just({Place.WASTE}), redeals=st.integers(0, 5)), deal=deals(), order=st.randoms())
@settings(max_examples=20)
def test_no_legal_line_is_longer_than_the_rules_allow(drawn, deal, order):
    state, moves = State.start(deal, drawn), 0
    while successors := state.successors():
        _, state = order.choice(successors)
        moves += 1
    assert moves <= 52 * (drawn.redeals + 1) + 152


# Files that were made to do harm


def compressed(pieces):
    compress = zlib.compressobj(1)
    return b"".join([*map(compress.compress, pieces), compress.flush()])


def hostile(evidence, size, body, change=lambda header: header):
    """Write evidence with a header that says `size`, a body that is compressed already, and a digest that fits."""
    lines = change(written(evidence).partition(b"\n\n")[0].decode()).splitlines()
    data = "\n".join([*lines[:-1], f"size: {size}\n\n"]).encode() + body
    return data + hashlib.sha256(data).digest()


def repeated(evidence, text, times, change=lambda header: header):
    pieces = [text * (1 << 16)] * (times >> 16)
    return hostile(evidence, sum(map(len, pieces)), compressed(pieces), change)


def ascending(blocks, *known, width=16):
    """Write the columns of blocks of the keys 0, 1, 2, …, and then of those known."""
    for block in range(blocks):
        columns = [bytes(4096)] * width
        columns[0] = bytes(range(256)) * 16
        columns[1] = b"".join(bytes([(block << 4) + high & 255]) * 256 for high in range(16))
        columns[2] = bytes([block >> 4]) * 4096
        yield b"".join(columns)
    yield b"".join(bytes(key[column] for key in known) for column in range(width))


def in_blocks(keys):
    """Write the columns of keys of 16 bytes."""
    for at in range(0, len(keys), 4096):
        yield b"".join(bytes(key[column] for key in keys[at : at + 4096]) for column in range(16))


def of_many_redeals(header):
    return header.replace("rules: perno-obliged", "rules: perno,redeals=1000000")


def unlimited(header):
    return header.replace("rules: perno", "rules: perno,redeals=unlimited")


FIRST = LOST.codec.encode(State.start(LOST.start, LOST.rules))
STARTS = [(int.from_bytes(FIRST, "little") + (left << 86)).to_bytes(16, "little") for left in range(1 << 16)]
ROUND = b" ".join([b"T"] * 33 + [b"R"]) + b" "
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of deflate: five bytes that say nothing
PREFIX = written(LOST)[: written(LOST).index(b"size: ")]
HOSTILE = {
    "turns": lambda: repeated(WON, b"T ", 10_000_000),
    "turns and redeals": lambda: repeated(WON, ROUND, 1 << 18, unlimited),
    "spaces": lambda: repeated(WON, b" ", 1 << 26),
    "a move without end": lambda: repeated(WON, b"F", 1 << 26),
    "keys of zeros": lambda: repeated(LOST, bytes(16), 1 << 22),
    "packed keys of zeros": lambda: repeated(PACKED, bytes(24), 1 << 22),
    "keys that ascend": lambda: hostile(LOST, 16 << 20, compressed(ascending(256))),
    "the start, and keys that ascend": lambda: hostile(LOST, (16 << 20) + 16, compressed(ascending(256, FIRST))),
    "packed keys that ascend": lambda: hostile(PACKED, 24 << 20, compressed(ascending(256, width=24))),
    "starts of other games": lambda: hostile(LOST, 1 << 20, compressed(in_blocks(STARTS)), of_many_redeals),
    "more than the header says": lambda: hostile(LOST, 16, compressed([bytes(1 << 20)] * 64)),
    "less than the header says": lambda: hostile(LOST, 10**17, compressed([LOST.keys])),
    "no bytes at all": lambda: hostile(LOST, 16, b"x\x9c" + EMPTY_BLOCK * 2_000_000),
    "noise": lambda: hostile(LOST, 1 << 24, random.Random(1).randbytes(1 << 24)),
    "a header without end": lambda: PREFIX + b"size: " + b"1" * (1 << 24),
    "a header of many lines": lambda: PREFIX + b"a: b\n" * (1 << 22),
    "a position without end": lambda: b"perno-evidence 1\nverdict: lost\nposition:\n" + b"  stock: 7S\n" * (1 << 20),
    "much behind its end": lambda: written(LOST) + bytes(1 << 26),
    "no evidence": lambda: bytes(1 << 26),
}
# What may be read and is foreign takes the memory of its keys; all else is refused at its beginning.
MEBIBYTES = {"keys that ascend": 32, "the start, and keys that ascend": 32, "packed keys that ascend": 48}
MEASURE = """
import hashlib, json, pathlib, resource, sys, zlib
from perno_solver import BadEvidence, Deal, Evidence, TooLarge, check, solve
solve(Deal.from_seed(1), rules="perno-obliged", engine="readable")  # what is imported late is, now
most = int(sys.argv[2]) << 20
size = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + most, size + most))
try:
    with open(sys.argv[1], "rb") as file:
        check(Evidence.read(file))
except (BadEvidence, TooLarge) as error:
    print(type(error).__name__, error)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it is Linux that says how large a process is")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_little_memory(name, tmp_path):
    path = tmp_path / "hostile.perno"
    path.write_bytes(HOSTILE[name]())
    args = [sys.executable, "-c", MEASURE, str(path), str(MEBIBYTES.get(name, 8))]
    run = subprocess.run(args, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    assert run.stderr == ""
    assert re.match("BadEvidence |TooLarge ", run.stdout)
    assert len(run.stdout) < 400


# A second opinion on what is lost: the checker knows nothing of how the kernel searches


# Half an hour each at most: ten thousand sets of perno hold 12 million states, and 100 of eagle-wing-packed 3 million
@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "deals"),
    [
        ("perno", 10_000),
        ("perno-tens", 10_000),
        ("perno-obliged", 10_000),
        ("perno-packed", 10_000),
        ("eagle-wing", 10_000),
        ("eagle-wing-packed", 100),
    ],
)
def test_losses_have_evidence_that_a_stranger_accepts(reading, deals):
    lost = seed = 0
    while lost < deals:
        deal = Deal.from_seed(seed)
        result = perno_solver.solve(deal, rules=reading)
        if result.verdict is Verdict.LOST:
            again = read(written(result.evidence))
            assert (again.start, str(again.rules), again.line) == (deal, reading, None)
            check(again)
            lost += 1
        seed += 1


# What evidence may cite


@pytest.mark.parametrize("limit", [1, 2, 13])
@pytest.mark.parametrize("packers", ["", "W", "P", "T", "WP", "WT", "PT", "WPT"])
@pytest.mark.parametrize("turning", ["free", "obliged"])
def test_lemmas_are_cited_where_their_proofs_hold(packers, limit, turning):
    places = {"W": Place.WASTE, "P": Place.PIVOT, "T": Place.TABLEAU}
    chosen = Rules(pack_from=frozenset(places[one] for one in packers), pack_limit=limit, turning=Turning(turning))
    nothing_packs = limit == 1 or not packers
    assert play_applies(chosen) is (turning == "free" and (nothing_packs or packers not in {"P", "WP"}))
    assert greedy_applies(chosen) is (nothing_packs or packers == "W")
