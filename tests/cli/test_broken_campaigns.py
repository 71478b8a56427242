"""Campaign files with something wrong in them: what is said, and that nothing is made worse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laager.base.files import read_document
from laager.campaign.log import ROOT, decode, encode

from .conftest import Laager
from .evenings import BLUE_PLAN, RED_PLAN

CASES: list[dict[str, Any]] = read_document(Path(__file__).parent / "data" / "broken-campaigns.yaml").data

CAMPAIGN = Path("evening.laager")

Write = Callable[[str, str], Path]


@pytest.fixture
def planned(evening: Laager, write: Write) -> Laager:
    """An evening on which both plans are made."""
    for name, text in (("red", RED_PLAN), ("blue", BLUE_PLAN)):
        evening.well("answer", write(f"{name}.yaml", text))
    return evening


def damage(what: str) -> None:
    """Do to the campaign file what a case says."""
    how, _, rest = what.partition(" ")
    lines = CAMPAIGN.read_bytes().splitlines(keepends=True)
    match how:
        case "cut":
            CAMPAIGN.write_bytes(b"".join(lines)[: -int(rest)])
        case "add":
            CAMPAIGN.write_bytes(b"".join(lines) + rest.encode())
        case "text":
            CAMPAIGN.write_text(rest, encoding="utf-8")
        case "bytes":
            CAMPAIGN.write_bytes(bytes.fromhex(rest))
        case "folder" | "nothing":
            CAMPAIGN.unlink()
            if how == "folder":
                CAMPAIGN.mkdir()
        case _:
            CAMPAIGN.write_bytes(b"".join(_lines(lines, how, *rest.split(" "))))


def _lines(lines: list[bytes], how: str, number: str, *more: str) -> list[bytes]:
    i = int(number) - 1
    match how:
        case "drop":
            del lines[i]
        case "swap":
            lines[i], lines[i + 1] = lines[i + 1], lines[i]
        case "twice":
            lines.insert(i, lines[i])
        case "change" | "forge":
            old, new = (word.encode() for word in more)
            assert old in lines[i], f"{old!r} does not stand in {lines[i]!r}"
            lines[i] = lines[i].replace(old, new)
            return _chained(lines) if how == "forge" else lines
        case _:
            raise AssertionError(how)
    return lines


def _chained(lines: list[bytes]) -> list[bytes]:
    """Give every line the hash that fits it, as a forger would."""
    import hashlib
    import re

    head, made = ROOT, []
    for line in lines:
        text = line.rstrip(b"\n")[: -len(b',"hash":""}') - 64]
        text = re.sub(rb'"prev":"[0-9a-f]{64}"$', b'"prev":"' + head.encode() + b'"', text)
        head = hashlib.sha256(text).hexdigest()
        made.append(text + b',"hash":"' + head.encode() + b'"}\n')
    return made


def test_a_forger_can_make_a_chain(planned: Laager) -> None:
    lines = CAMPAIGN.read_bytes().splitlines(keepends=True)
    assert _chained(lines) == lines
    entry, head = decode(lines[0], 1, ROOT)
    assert encode(entry, ROOT) == (lines[0], head)


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 10
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_broken_campaign_is_told_and_not_made_worse(planned: Laager, case: dict[str, Any]) -> None:
    damage(case["do"])
    before = CAMPAIGN.read_bytes() if CAMPAIGN.is_file() else b""
    ended = planned(*case["command"].split())
    assert ended.code == case["code"], ended
    for line in case["says"]:
        assert line in ended.text
    assert (CAMPAIGN.read_bytes() if CAMPAIGN.is_file() else b"") == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_no_command_meets_a_broken_campaign_with_a_traceback(planned: Laager, case: dict[str, Any]) -> None:
    damage(case["do"])
    for words in (
        ["status"], ["next", "--defaults", "2"], ["log", "--full"], ["why", "5"], ["sheet"],
        ["export"], ["verify"], ["undo"], ["redo"], ["end", "--draw", "--side", "red"],
        ["answer", "--template"], ["report", "--side", "red", "--template"], ["map"],
    ):  # fmt: skip
        ended = planned(*words)
        assert ended.code in {0, 1, 3, 4}, (words, ended)
    assert not list(Path().glob("laager-bug*"))


def test_a_torn_line_is_overwritten_by_the_next_answer(planned: Laager, write: Write) -> None:
    whole = CAMPAIGN.read_bytes()
    CAMPAIGN.write_bytes(whole[:-30])
    rain = "laager: answers/1\nanswers: [{side: red, for: rain, answer: yes}]\n"
    ended = planned("answer", write("a.yaml", rain))
    assert ended.code == 0
    assert "line 31 was cut off while it was written" in ended.err
    assert planned("status").err == ""
    assert planned.well("verify").endswith("sound\n")
