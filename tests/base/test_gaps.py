"""Blanks that a model needs get stand-ins, so that the rest of a file is checked."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import Field, model_validator

from laager.base import DataError, OtherEnd, Problem, WrongValueError
from laager.base.blanks import BlanksError, reading, real, without_blanks
from laager.base.files import Document, FilePart, check, parse_document


class Inner(FilePart):
    """A part with every kind of value that a blank stands for."""

    name: str
    number: int = Field(ge=3)
    side: Literal["axis", "allied"]
    inside: dict[str, int]


class Whole(FilePart):
    """A file with a list that can't be empty, and a part."""

    rows: tuple[Inner, ...] = Field(min_length=1)
    part: Inner
    known: str


TEXT = """
rows:
- <fill in> rows
part:
  name: <fill in> a name
  number: <fill in> a number
  side: <fill in> a side
  inside: <fill in> what is inside
known: {known}
"""


def read(known: str) -> Document:
    """Return the file without its blanks."""
    return without_blanks(parse_document(TEXT.format(known=known), "f.yaml"))[0]


def test_what_is_filled_in_is_read_whatever_is_left() -> None:
    made = check(read("here"), Whole)
    assert made.known == "here"
    assert made.part.number == 3
    assert made.part.side == "axis"
    assert len(made.rows) == 1


def test_what_is_wrong_beside_blanks_is_named() -> None:
    with pytest.raises(DataError, match="known: "):
        reading(parse_document(TEXT.format(known="[1]"), "f.yaml"), lambda document: check(document, Whole))
    with pytest.raises(BlanksError):
        reading(parse_document(TEXT.format(known="here"), "f.yaml"), lambda document: check(document, Whole))


def test_nothing_is_said_of_stand_ins() -> None:
    stand_in = check(read("here"), Whole).part.name
    blanks = without_blanks(parse_document(TEXT.format(known="here"), "f.yaml"))[1]
    about = Problem(f"there is no {stand_in}", "", "known", 9, "f.yaml")
    advised = Problem("there is no Q", f"did you mean {stand_in}?", "known", 9, "f.yaml")
    (left,) = real([about, advised], blanks)
    assert (left.what, left.right) == ("there is no Q", "")


def test_what_is_missing_at_a_blank_may_still_come() -> None:
    blanks = without_blanks(parse_document(TEXT.format(known="here"), "f.yaml"))[1]
    missing = Problem("no such row", "", "known", 9, "f.yaml", other=OtherEnd("f.yaml", "rows"))
    assert real([missing], blanks) == []
    elsewhere = Problem("no such row", "", "known", 9, "f.yaml", other=OtherEnd("g.yaml", "rows"))
    assert real([elsewhere], blanks) == [elsewhere]


class Pair(FilePart):
    """A file whose two lists can contradict each other, which it says only once all of it is there."""

    title: str
    names: tuple[str, ...]
    used: tuple[Inner, ...]

    @model_validator(mode="after")
    def _agree(self) -> Pair:
        for i, row in enumerate(self.used):
            if row.name not in self.names:
                raise WrongValueError(f"{row.name} is no name", "one of names", ("used", i, "name"), ("names",))
        return self


PAIR = """
title: <fill in> a title
names: [one]
used:
- <fill in> the first
- {name: two, number: 3, side: axis, inside: {}}
"""


def test_a_contradiction_is_named_at_both_places_while_a_blank_is_left() -> None:
    document = parse_document(PAIR, "f.yaml")
    with pytest.raises(DataError) as caught:
        reading(document, lambda filled: check(filled, Pair))
    (problem,) = caught.value.problems
    assert (problem.field, problem.line, problem.what) == ("used[2].name", 6, "two is no name")
    assert problem.other == OtherEnd("f.yaml", "names")
    with pytest.raises(BlanksError):
        reading(parse_document(PAIR.replace("[one]", "[two]"), "f.yaml"), lambda filled: check(filled, Pair))
    # The missing name may be in the blank.
    open_ = PAIR.replace("[one]", "<fill in> the names")
    with pytest.raises(BlanksError):
        reading(parse_document(open_, "f.yaml"), lambda filled: check(filled, Pair))
