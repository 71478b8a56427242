"""Answers files with something wrong in them: all of it is told, and nothing of them counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laager.base.files import read_document

from .conftest import Laager

CASES: list[dict[str, Any]] = read_document(Path(__file__).parent / "data" / "broken-answers.yaml").data

Write = Callable[[str, str], Path]


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 20
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_broken_answers_file_is_told_and_counts_for_nothing(
    evening: Laager, write: Write, case: dict[str, Any]
) -> None:
    before = Path("evening.laager").read_bytes()
    write("a.yaml", case["text"])
    side = ["--side", case["side"]] if "side" in case else []
    ended = evening("answer", "a.yaml", *side)
    assert ended.code == case["code"], ended
    assert ended.out == ""
    assert ended.err.startswith("This doesn't work:\n")
    for line in case["says"]:
        assert f"  {line}" in ended.err
    told = ended.err.splitlines()[1:]
    assert len(told) == len(case["says"]), "nothing else is complained of"
    assert Path("evening.laager").read_bytes() == before


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xffanswers", "a.yaml: byte 0 is not UTF-8 text; save the file as UTF-8"),
        (b"\xff\xfea", "a.yaml: byte 2 is not UTF-8 text; save the file as UTF-8"),
        (b"laager: answers/1\x00\n", "a.yaml"),
        (b"#" * (17 * 1024 * 1024), "a.yaml: 17825792 bytes is too large; 16 MiB at most"),
        (b"a: " * 20_000, "a.yaml"),
        (b"[" * 10_000, "a.yaml"),
    ],
    ids=[
        "Latin-1",
        "half a character of UTF-16",
        "a zero byte",
        "too large",
        "nothing but colons",
        "nested too deeply",
    ],
)
def test_a_file_that_is_no_text_is_told(evening: Laager, data: bytes, says: str) -> None:
    Path("a.yaml").write_bytes(data)
    ended = evening("answer", "a.yaml")
    assert ended.code == 3
    assert says in ended.err


@pytest.mark.parametrize("name", ["nothing.yaml", "."])
def test_a_file_that_is_not_there_is_told(evening: Laager, name: str) -> None:
    ended = evening("answer", name)
    assert ended.code == 3
    assert ended.err.startswith(f"This doesn't work:\n  {name}: ")
