"""Secrets: nothing that a command prints or writes for one side holds a secret of the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Laager
from .evenings import BLUE_WORD, RED_WORD, THE_REST, plan

Write = Callable[[str, str], Path]

RED_HEX, BLUE_HEX = "F4", "C5"
"""Hexes that stand nowhere else."""

COMMANDS = [
    "status", "status --json", "next", "next --json", "log", "log --full", "log --json",
    "sheet", "sheet --json", "sheet plan", "export", "answer --template",
    "report --template", "map -o seen.svg", "undo", "undo --step", "undo --json", "end --draw",
    "end --draw --json", "redo",
]  # fmt: skip


@pytest.fixture
def kept(evening: Laager, write: Write) -> Laager:
    """An evening on which both sides have secrets; what red is asked is the same as blue."""
    evening.well("answer", write("r.yaml", plan("red", RED_WORD, RED_HEX, bid=7, face=3)))
    evening.well("answer", write("b.yaml", plan("blue", BLUE_WORD, BLUE_HEX, bid=8, face=6)))
    return evening


def others(side: str) -> tuple[str, ...]:
    """Return what must not be seen by a side: the other's word, hex, and roll with modifier."""
    return {
        "red": (BLUE_WORD, f"to {BLUE_HEX}", '"C5"', "6, +8", "bid of blue", "Nerve of blue"),
        "blue": (RED_WORD, f"to {RED_HEX}", '"F4"', "3, +7", "bid of red", "Nerve of red"),
    }[side]


@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_tells_a_side_the_secrets_of_the_other(kept: Laager, side: str, command: str) -> None:
    ended = kept(*command.split(), "--side", side)
    written = [path.read_text(encoding="utf-8") for path in Path().glob("*.svg")]
    assert ended.code in {0, 1}
    for secret in others(side):
        assert secret not in ended.text
        assert not any(secret in text for text in written)


@pytest.mark.parametrize("side", ["red", "blue"])
def test_no_explanation_tells_a_side_the_secrets_of_the_other(kept: Laager, side: str) -> None:
    last = int(kept.well("log", "--full", "--side", side).splitlines()[-1].split()[0])
    for number in range(1, last + 3):
        for more in ([], ["--json"]):
            ended = kept("why", str(number), "--side", side, *more)
            assert ended.code in {0, 1}
            for secret in others(side):
                assert secret not in ended.text


def test_a_side_does_see_its_own(kept: Laager) -> None:
    """The search above would be worth nothing if the words never came up."""
    seen = {command: kept(*command.split(), "--side", "red").text for command in COMMANDS}
    drawn = Path("seen.svg").read_text(encoding="utf-8")
    assert RED_WORD in seen["log"]
    assert RED_WORD in seen["sheet"]
    assert RED_WORD in seen["export"]
    assert RED_WORD in drawn
    for secret in ("to F4", "3, +7"):
        assert secret in seen["log"]
    assert BLUE_WORD in kept.well("log")


def test_the_numbers_of_a_side_tell_nothing_of_what_is_hidden(evening: Laager, write: Write) -> None:
    evening.well("answer", write("r.yaml", plan("red", RED_WORD, RED_HEX)))
    before = evening.well("log", "--full", "--side", "blue")
    evening.well("undo")
    evening.well("undo")
    evening.well("answer", write("r2.yaml", plan("red", "another", "A1", bid=2)))
    after = evening.well("log", "--full", "--side", "blue")
    # That red took something back is told; what it was, and how much, is not.
    shown = [line for line in after.splitlines() if "taken back" not in line]
    assert shown == before.splitlines()
    assert len(shown) == len(after.splitlines()) - 2


def test_refused_undo_does_not_tell_how_much_is_hidden(kept: Laager) -> None:
    last = int(kept.well("log", "--full", "--side", "blue").splitlines()[-1].split()[0])
    for number in range(last, last + 12):
        ended = kept("undo", "--side", "blue", "--to", str(number))
        assert ended.code == 1
        assert "there is no" in ended.err


def test_answers_of_one_side_do_not_tell_the_others(evening: Laager, write: Write) -> None:
    evening.well("answer", write("r.yaml", plan("red", RED_WORD, RED_HEX)))
    ended = evening("answer", write("b.yaml", plan("blue", BLUE_WORD, BLUE_HEX)), "-s", "blue")
    assert BLUE_WORD in ended.out
    for secret in others("blue"):
        assert secret not in ended.text


def test_a_report_of_one_side_is_not_told_to_the_other(kept: Laager, write: Write) -> None:
    kept.well("answer", write("c.yaml", THE_REST))
    report = kept.well("report", "-s", "red", "--template").replace("note: ''", "note: HUSH")
    assert "HUSH" in report
    kept.well("report", "-s", "red", write("r.yaml", report))
    for command in COMMANDS:
        assert "HUSH" not in kept(*command.split(), "--side", "blue").text


def test_purchases_of_platoon_leader_are_secret(laager: Laager, write: Write) -> None:
    laager.well("new", "rzhavets")
    buy = """laager: answers/1
answers:
  - {until: purchases}
  - side: axis
    for: purchases
    answer: {groups: [{rg: I3, setup: on-map}, {rg: G1}]}
  - {side: allied, for: purchases, answer: {groups: []}}
"""
    laager.well("answer", write("a.yaml", buy))
    own = "".join(laager(*c.split(), "--side", "axis").text for c in COMMANDS)
    assert "I3/1" in own
    assert "G1/1" in own
    assert "spend " in own
    for command in COMMANDS:
        text = laager(*command.split(), "--side", "allied").text
        for secret in ("I3/1", "8-3-8", "75L AT PaK", "Assault engineer", "spend "):
            assert secret not in text, command
