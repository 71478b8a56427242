"""What the library says of a wrong value in each field of each kind of file names no field as the file does."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.template.loader import render_to_string

from laager.base import DataError
from laager.base.files import Document, check, read_document
from laager.kinds import model_of
from laager.web.library.files.chart_places import ChartPlaces, PlacedProblem
from tests.base.test_schema_words import WRONG, example_files, fields, raw_texts, short, with_value

from .test_library_words import PATH

KINDS = sorted(kind for kind in example_files() if kind not in {"answers", "battles", "temperaments"})
"""Kinds of files; the figures of battles and temperaments go by dotted names, which people type."""


def wrong_values(kind: str, most: int | None) -> Iterator[PlacedProblem]:
    """Yield what is wrong with a file of a kind when a field has a wrong value; at most so many fields."""
    path = example_files()[kind]
    document, model = read_document(path), model_of(kind)
    data = short(document.data)
    places = ChartPlaces({path.name: path.read_text(encoding="utf-8")})
    ways = list(fields(data))
    for way in ways if most is None else random.Random(kind).sample(ways, min(most, len(ways))):
        for value in WRONG:
            try:
                check(Document(with_value(data, way, value), path.name, document.lines), model)
            except DataError as err:
                yield from places.of_problems(path.name, err.problems)


def said_of(problem: PlacedProblem) -> str:
    """Return a problem as a person reads it on the pages of the library."""
    html = render_to_string("library/grids/placed.html", {"one": problem, "mine": problem.file})
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))).strip()


def check_messages(kind: str, most: int | None) -> None:
    said = {said_of(problem) for problem in wrong_values(kind, most)}
    assert len(said) > 3
    assert {text for text in said if PATH.search(text) or raw_texts(text)} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_value_is_told_in_words(kind: str) -> None:
    check_messages(kind, most=12)


def test_a_field_that_is_unknown_is_answered_with_names_in_words() -> None:
    told = [
        said_of(problem) for problem in wrong_values("pl-card", None) if problem.problem.what == "is not known here"
    ]
    assert any("designer notes" in text for text in told)
