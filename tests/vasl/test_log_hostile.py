"""Logs that mean harm: refused in a sentence, or read, within 2 seconds and 200 MB; spoilt ones at random."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.saves.game import describe_save
from laager.vasl.saves.save import save_of
from tests.vasl.save_writer import (
    ESC,
    NEW,
    Counter,
    board,
    change,
    concealed,
    game,
    hidden,
    label,
    layer,
    log,
    move,
    sequence,
    stack,
)

from .test_save_hostile import CHILD, MEGABYTES, SECONDS, escapes, packed_game

SOAK_CASES = 200_000
HERE, THERE = (456, 464), (512, 496)


def alone(count: int) -> list[str]:
    return [Counter(str(number), "a").command() for number in range(1, count + 1)]


def tower(height: int, *steps: str) -> str:
    counters = [Counter(str(number), "a") for number in range(1, height + 1)]
    start = [*(one.command() for one in counters), stack("s", counters)]
    return log(game(*start), *([step] for step in steps))


def here(*ids: str) -> str:
    return sequence([NEW, "0", "0", *ids], ";")


HOSTILE: dict[str, Callable[[], str]] = {
    "steps without end": lambda: game() + (ESC + "LOG\tx") * 300_000,
    "parts of a step without end": lambda: game() + ESC + "LOG\tx" + ("\\" + ESC + "LOG\tx") * 300_000,
    "pieces added without end": lambda: log(game(), alone(10_001)),
    "two towers that swap all they have": lambda: tower(
        5000, *(f"D/s/{here(*map(str, range(1, 5001)))}/{here('1')}" for _ in range(60))
    ),
    "a tower stirred without end": lambda: tower(9000, *(f"M/{n}/{NEW}/0/0/null/x/0/0/null/u" for n in range(1, 9000))),
    "players without end": lambda: log(game(), [f"M/1/{NEW}/0/0/null/x/0/0/null/user{n}" for n in range(200)]),
    "pieces at impossible places": lambda: log(game(*alone(1)), [f"M/1/{NEW}/9999999/0/null/x/0/0/null/u"]),
    "a change nested endlessly": lambda: log(game(*alone(1)), ["D/1/" + sequence([escapes(3000, "a")], "/")]),
}
TAME: dict[str, Callable[[], str]] = {
    "a long evening": lambda: log(
        game(*alone(2000)), *([f"M/{n % 2000 + 1}/{NEW}/{n % 97}/{n % 89}/null/x/0/0/null/u"] for n in range(20_000))
    ),
    "everything in one place": lambda: log(
        game(*alone(3000)), *([f"M/{n + 1}/{NEW}/7/7/null/x/0/0/null/u"] for n in range(3000))
    ),
    "talk without end": lambda: log(game(), *([f"CHAT*** (IFT DR) 1,2 ***   <{'A' * 300}"] for _ in range(30_000))),
    "rolls without end": lambda: log(game(), *(["CHAT*** (IFT DR) 1,2 ***   <Ann>"] for _ in range(60_000))),
    "talk that looks like rolls": lambda: log(game(), ["CHAT" + "*** (" * 500_000], ["CHAT***" + " 1," * 500_000]),
    "a piece added again and again": lambda: log(game(), *([Counter("1", "a").command()] for _ in range(20_000))),
}


@pytest.mark.parametrize("what", [*HOSTILE, *TAME])
def test_strange_logs_are_refused_or_read_soon(what: str) -> None:
    strange = Archive(packed_game({**HOSTILE, **TAME}[what]()), "game.vlog")
    started = time.process_time()
    told = ""
    try:
        save_of(strange)
    except DataError as err:
        told = str(err)
    assert time.process_time() - started < SECONDS
    assert len(told) < 200
    assert bool(told) == (what in HOSTILE)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much was used")
@pytest.mark.parametrize(
    "what", ["a long evening", "pieces added without end", "steps without end", "rolls without end"]
)
def test_strange_logs_need_little_memory(what: str, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(packed_game({**HOSTILE, **TAME}[what]()))
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < MEGABYTES


# Fuzzing ------------------------------------------------------------------------------------------

GARBAGE = (
    *(
        ESC,
        "\t",
        "/",
        ";",
        ",",
        "+",
        "\\",
        "'",
        "''",
        "null",
        "-1",
        "0",
        "1",
        "9",
        "999999999",
        "LOG\t",
        "CHAT",
        "bd\t",
    ),
    *(
        "+/",
        "-/",
        "D/",
        "M/",
        "stack",
        "piece;",
        "hide;",
        "conceal;",
        "Main Map",
        "\0",
        "é",
        "end_save",
        "\\\\",
        "<",
        "*",
    ),
)


@cache
def own_log() -> str:
    """Return a log with something of everything."""
    one = Counter("1", "4-6-8 Esq", [concealed("secret1"), layer("2-4-8 Ehs", at=-1)], at=HERE)
    two = Counter("2", "PzKw VIE", [hidden("secret2"), label("Hans")], at=HERE)
    three = Counter("3", "Wire", [("immob;g;", "")], at=THERE)
    reduced = Counter("1", "4-6-8 Esq", [concealed(None), layer("2-4-8 Ehs")], at=THERE)
    start = [*(each.command() for each in (one, two, three)), stack("9", [one, two])]
    return log(
        game(*start, boards=board(0, 0, "01")),
        [change(one, reduced), move("1", THERE)],
        [f"+/10/stack/{NEW};{THERE[0]};{THERE[1]};1", move("9", THERE), move("2", HERE, under="1", player="secret3")],
        [Counter("4", "Pin", at=HERE).command(), move("4", THERE, under="1"), "-/3"],
        [f"D/10/{NEW};5;5;2;1/{NEW};{THERE[0]};{THERE[1]};1;2"],
        ["INFO\tAxis\tAllied\t3\t3\t4\t2\t5\t?\t?\tnotes\tsecret4\tmine"],
        ["CHAT*** (IFT DR) 3,4 ***   <Ann>      Axis SAN    [2 / 9   avg   6,62]"],
        ["CHAT*** 3d6 = 3,4,1 ***   <Ann>", "OBA/+/0/secret1,a,1,2", "UNDO\ttrue"],
    )


def spoilt(text: str, dice: random.Random) -> str:
    """Return a text with a few places changed, left out, doubled or swapped."""
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        at = dice.randrange(len(text) + 1)
        how, span = dice.randrange(5), dice.choice((0, 1, 1, 2, 7, 50))
        if how < 2:
            text = text[:at] + dice.choice(GARBAGE) + text[at + span :]
        elif how == 2:
            text = text[:at] + text[at + span :]
        elif how == 3:
            text = text[:at] + text[at : at + span] + text[at:]
        else:
            other = dice.randrange(len(text) + 1)
            text = text[:at] + text[other : other + span] + text[at + span :]
    return text


def survives(number: int) -> bool:
    """True if a spoilt log is read; False if it's refused as it should be. All else is a bug."""
    refusal = ""
    try:
        describe_save(
            save_of(Archive(packed_game(spoilt(own_log(), random.Random(number))), "game.vlog")), everything=True
        )
    except DataError as err:
        refusal = str(err)
    assert len(refusal) < 300
    return not refusal


def test_spoilt_logs_are_read_or_refused() -> None:
    read = sum(map(survives, range(1500)))
    assert 100 < read < 1400


@pytest.mark.soak
def test_many_more_spoilt_logs() -> None:
    assert 0 < sum(map(survives, range(10_000, 10_000 + SOAK_CASES))) < SOAK_CASES
