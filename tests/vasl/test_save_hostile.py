"""Saves that mean harm: refused in a sentence, within 2 seconds and 200 MB."""

from __future__ import annotations

import random
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.saves.game import describe_save
from laager.vasl.saves.labels import label_save
from laager.vasl.saves.save import GAME, save_of
from laager.vasl.saves.sequence import unveil
from tests.tries import tries
from tests.vasl.save_writer import (
    ESC,
    TAB,
    Counter,
    archive,
    board,
    concealed,
    game,
    hidden,
    label,
    layer,
    mark,
    nested,
    old_layer,
    owner,
    packed,
    sequence,
    stack,
    veiled,
)

SHARED = Path(__file__).parents[3] / "shared" / "data" / "saves"
SECONDS = 2.0
MEGABYTES = 200
SOAK_CASES = 120_000


def quoted(depth: int) -> str:
    return "'" * depth


def piece(kind: str, state: str) -> str:
    return "+/" + sequence(["1", kind, state], "/")


def escapes(levels: int, text: str) -> str:
    """Return nesting as it is on the outside: one more backslash at each level."""
    return "".join(f"{text}{chr(92) * number}{TAB}" for number in range(levels))


HOSTILE: dict[str, Callable[[], str]] = {
    "pieces nested endlessly": lambda: game(piece(escapes(3000, "a"), "x")),
    "a piece nested just too often": lambda: game(piece(nested(["a"] * 300), "x")),
    "long pieces nested often": lambda: game(
        *("+/" + sequence([str(n), escapes(240, "a" * 9000), "x"], "/") for n in range(3))
    ),
    "tabs without end": lambda: game(piece("\\\t" * 2_000_000, "x")),
    "plain tabs without end": lambda: game(piece("\t" * 2_000_000, "x")),
    "commands without end": lambda: "begin_save" + ESC * 3_000_000,
    "escaped commands without end": lambda: "begin_save" + ("\\" + ESC) * 3_000_000,
    "commands in commands": lambda: nested_commands(60),
    "slashes without end": lambda: game("+" + "/" * 5_000_000),
    "semicolons without end": lambda: game(piece("piece" + ";" * 5_000_000, "Main Map;1;1;")),
    "a state of semicolons": lambda: game(piece("piece;K;D;a;b", ";" * 5_000_000)),
    "a stack without end": lambda: game("+/9/stack/Main Map;0;0" + ";9" * 2_000_000),
    "more pieces than there can be": lambda: game(*(f"+/{n}/piece;K;D;a;b/Main Map;1;1;" for n in range(10_001))),
    "coordinates out of this world": lambda: game(piece("piece;K;D;a;b", f"Main Map;{'9' * 4000};1;")),
    "coordinates a little too far": lambda: game(piece("piece;K;D;a;b", "Main Map;1000001;1;")),
    "coordinates that are words": lambda: game(piece("piece;K;D;a;b", "Main Map;x;1;")),
    "no coordinates": lambda: game(piece("piece;K;D;a;b", "Main Map")),
    "a piece in two stacks": lambda: game(
        Counter("1", "a").command(), "+/8/stack/Main Map;0;0;1", "+/9/stack/Main Map;0;0;1"
    ),
    "a piece twice in a stack": lambda: game(Counter("1", "a").command(), "+/8/stack/Main Map;0;0;1;1"),
    "traits without states": lambda: game(piece(nested(["a", "piece;K;D;a;b"]), "x")),
    "a thing that is no piece": lambda: game(piece("thing;K", "Main Map;1;1;")),
    "users without end": lambda: game(*(Counter(str(n), "a", [hidden(f"user{n}")]).command() for n in range(200))),
    "boards without end": lambda: game(boards="\t".join(f"bd\t{n}\t0\t01" for n in range(99_000))),
    "no game": lambda: "hello",
    "nothing": lambda: "",
    "bytes that are no text": lambda: "\x00\x01\x02" * 1000,
    "fields without end": lambda: game(Counter("1", "a", [("emb2" + ";" * 200_000, "1")]).command()),
}

TAME: dict[str, Callable[[], str]] = {
    "labels without end": lambda: game(
        *(Counter(str(n), "a", [label("$pieceName$" * 400, "$pieceName$" * 400)] * 20).command() for n in range(8))
    ),
    "names that grow": lambda: game(
        *(Counter(str(n), "a", [layer("b" * 190 + "+")] * 40).command() for n in range(60))
    ),
    "levels without end": lambda: game(Counter("1", "a", [layer(*["x"] * 100_000, at=99_999)]).command()),
    "old levels in plenty": lambda: game(Counter("1", "a", [old_layer(*["x"] * 900)]).command()),
    "quotes without end": lambda: game(piece(f"piece;K;D;a;{quoted(900_000)}", "Main Map;1;1;")),
    "many boards with many pieces": lambda: game(
        *(Counter(str(n), "a", at=(99_000, n)).command() for n in range(4000)),
        boards="".join(board(n, 0, "01") for n in range(60)),
    ),
    "a tower": lambda: tower(4000),
}


def nested_commands(depth: int) -> str:
    text = "x"
    for _ in range(depth):
        text = sequence(["", text, "b"], ESC)
    return text


def tower(height: int) -> str:
    counters = [Counter(str(number), "Pin") for number in range(height)]
    return game(*(one.command() for one in counters), stack("s", counters))


def packed_game(text: str) -> bytes:
    """Return a save whose game is not so well packed that it is taken for a bomb."""
    return packed({"savedGame": veiled(text)}, zipfile.ZIP_STORED)


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_saves_are_refused_soon(what: str) -> None:
    hostile = Archive(packed_game(HOSTILE[what]()), "hostile.vsav")
    started = time.process_time()
    with pytest.raises(DataError) as caught:
        save_of(hostile)
    assert time.process_time() - started < SECONDS
    assert str(caught.value).startswith("hostile.vsav: savedGame")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("what", TAME)
def test_strange_saves_are_read_soon(what: str) -> None:
    strange = Archive(packed_game(TAME[what]()), "strange.vsav")
    started = time.process_time()
    save = save_of(strange)
    assert time.process_time() - started < SECONDS
    assert all(len(one.name) <= 200 and len(one.shown) <= 40_100 for one in save.pieces)


CHILD = """
import sys
from pathlib import Path
from laager.base import DataError
from laager.vasl.saves.save import read_save
try:
    read_save(Path(sys.argv[1]))
except DataError:
    pass
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much was used")
@pytest.mark.parametrize(
    "what",
    [
        "tabs without end",
        "escaped commands without end",
        "semicolons without end",
        "more pieces than there can be",
        "long pieces nested often",
    ],
)
def test_hostile_saves_need_little_memory(what: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.vsav"
    path.write_bytes(packed_game({**HOSTILE, **TAME}[what]()))
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < MEGABYTES


def test_a_game_that_is_too_large() -> None:
    with pytest.raises(DataError, match=r"savedGame: unpacks to \d+ bytes; 25165824 at most"):
        save_of(Archive(packed({GAME: bytes(26_000_000)}, zipfile.ZIP_STORED), "big.vsav"))


@pytest.mark.parametrize(
    "xml",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]><data><version>&b;</version></data>',
        b"<data>",
        b"\xff\xfe\x00",
        b'<?xml version="1.0" encoding="nonsense"?><data/>',
        b"<a>" * 100_000,
    ],
)
@pytest.mark.parametrize("entry", ["moduledata", "savedata"])
def test_xml_that_will_not_do(xml: bytes, entry: str) -> None:
    data = packed({entry: xml, "savedGame": veiled(game())})
    with pytest.raises(DataError, match=f"{entry}: (is not XML that can be read|defines entities or a document type)"):
        save_of(Archive(data, "own.vsav"))


def test_a_save_without_its_small_files() -> None:
    save = save_of(Archive(packed({"savedGame": veiled(game())}), "own.vsav"))
    assert (save.vasl, save.vassal, save.saved, save.comment) == ("", "", None, "")


def named(name: str) -> Archive:
    data = f"<data><version>2.1</version><name>{name}</name></data>".encode()
    return Archive(packed({"moduledata": data, "savedGame": veiled(game())}), "own.vsav")


def test_a_save_of_another_game_is_refused() -> None:
    with pytest.raises(DataError, match="is of a game of Chess, not of VASL"):
        save_of(named("Chess"))
    with pytest.raises(DataError, match="is of a game of Chess, not of VASL"):
        label_save(packed({"moduledata": b"<d><name>Chess</name></d>", "savedGame": veiled(game())}), "own.vsav", [])
    assert [save_of(named(name)).vasl for name in ("", "VASL", "vasl", "VASL 7")] == ["2.1"] * 4


@pytest.mark.parametrize("date", ["", "yesterday", "-5", "9" * 16, "9" * 40, "²"])
def test_dates_that_will_not_do(date: str) -> None:
    xml = f"<data><dateSaved>{date}</dateSaved></data>".encode()
    data = packed({"savedata": xml, "savedGame": veiled(game())})
    assert save_of(Archive(data, "own.vsav")).saved is None


def test_no_save_at_all() -> None:
    with pytest.raises(DataError, match="savedGame: is not in the archive"):
        save_of(Archive(packed({"data": b"x"}), "bd01"))


# Fuzzing


def own_game() -> str:
    """Return a game with something of everything."""
    one = Counter("1", "4-6-8 Esq", [owner("A"), concealed("secret1"), layer("2-4-8 Ehs")])
    two = Counter("2", "PzKw VIE", [hidden("secret2"), layer("+ BU"), label("Hans"), mark(a="b")])
    three = Counter("3", "Foxhole", [layer("1S Foxhole"), old_layer("b +")], at=(456, 464))
    four = Counter("4", "?", [("concealment;secret1;ge", ""), ("rotate;6;a", "2")])
    counters = [one, two, three, four]
    boards = board(0, 0, "r01", "0", "0", "900", "-1") + board(0, 1, "02") + "SSR\tMud\tZOOM\t3.0"
    commands = [*(each.command() for each in counters), stack("9", counters)]
    return game(*commands, "EXT\ta\t1", "OBA/+/0/secret1,a,1,2", boards=boards)


GARBAGE = st.sampled_from(
    [
        *(ESC, TAB, "/", ";", ",", "+", "\\", "'", "''", "null", "-1", "999999999", "1e9", "bd\t"),
        *("+/", "stack", "piece;", "emb2;", "hide;", "conceal;", "\0", "é", "begin_save", "\\\\"),
    ]
)


def mutated(text: str, changes: list[tuple[float, int, str]]) -> str:
    """Return a text with changes: where (0 to 1), how many characters go, and what comes."""
    for where, gone, new in changes:
        at = int(where * len(text))
        text = text[:at] + new + text[at + gone :]
    return text


CHANGES = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 1, 2, 7, 50]), GARBAGE | st.text(max_size=3)),
    min_size=1,
    max_size=6,
)


def refusal(archived: Archive) -> str | None:
    """Read a save to the end; return why it was refused, or None."""
    try:
        describe_save(save_of(archived), everything=True)
    except DataError as err:
        return str(err)
    return None


def be_tried(text: str) -> bool:
    """Read a game, and tell whether it was read; nothing but DataError may come out."""
    refused = refusal(Archive(packed_game(text), "fuzzed.vsav"))
    assert refused is None or refused.startswith("fuzzed.vsav: savedGame")
    return refused is None


@tries(120)
@given(CHANGES)
def test_mutated_games_of_our_own(changes: list[tuple[float, int, str]]) -> None:
    text = mutated(own_game(), changes)
    be_tried(text.encode("utf-8", "replace").decode())


@pytest.mark.skipif(not SHARED.is_dir(), reason="the example saves are not in ../shared/data")
@tries(60)
@given(st.sampled_from(["hip-concealed", "labels", "full", "landing-craft", "basic"]), CHANGES)
def test_mutated_real_games(name: str, changes: list[tuple[float, int, str]]) -> None:
    text, _ = unveil(Archive((SHARED / f"{name}.vsav").read_bytes(), name).read(GAME))
    be_tried(mutated(text, changes).encode("utf-8", "replace").decode())


@tries(60)
@given(st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 255)), min_size=1, max_size=8))
def test_mutated_archives(changes: list[tuple[int, int]]) -> None:
    data = bytearray(packed({"savedGame": veiled(own_game()), "moduledata": b"<data/>"}))
    for at, byte in changes:
        data[at % len(data)] = byte
    try:
        archived = Archive(bytes(data), "fuzzed.vsav")
    except DataError:
        return
    assert (refusal(archived) or "fuzzed.vsav").startswith("fuzzed.vsav")


def random_case(dice: random.Random, texts: list[str]) -> str:
    """Return a game with random changes, some of them pieces of other games."""
    text = dice.choice(texts)
    awkward = [ESC, TAB, "/", ";", ",", "+", "\\", "'", "null", "-1", "999999999", "bd\t", "+/", ""]
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(text) + 1)
        gone = dice.choice([0, 1, 1, 2, 5, 40])
        new = dice.choice(awkward)
        if dice.random() < 0.15:
            other = dice.choice(texts)
            start = dice.randrange(len(other))
            new = other[start : start + dice.randint(1, 300)]
        if dice.random() < 0.1:
            new *= dice.choice([2, 3, 300])
        text = text[:at] + new + text[at + gone :]
    return text


@pytest.mark.soak
def test_many_mutated_games() -> None:
    """Read `SOAK_CASES` mutated games, our own and (where they are) real ones."""
    texts = [own_game()] * 6
    for name in ("hip-concealed", "labels", "landing-craft", "empty"):
        if SHARED.is_dir():
            data = (SHARED / f"{name}.vsav").read_bytes()
            texts.append(unveil(Archive(data, name).read(GAME))[0])
    dice = random.Random(6)
    read = 0
    for _ in range(SOAK_CASES):
        text = random_case(dice, texts)
        started = time.process_time()
        read += be_tried(text)
        assert time.process_time() - started < SECONDS
    print(f"{SOAK_CASES} mutated games: {read} read, {SOAK_CASES - read} refused")
    assert 0 < read < SOAK_CASES


def test_own_game_is_read() -> None:
    assert be_tried(own_game())
    assert len(save_of(archive(own_game())).pieces) == 4
