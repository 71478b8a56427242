from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign.readings import Readings

READING = """
  - id: {id}
    rule: TT 1.1
    question: How far?
    default: {default}
    options: {options}
    why: Because.
    changes: Much.
"""


def text(*readings: tuple[str, str, str]) -> str:
    head = "laager: readings/1\nruleset: tt\nreadings:"
    return head + "".join(
        READING.format(id=id_, default=default, options=options) for id_, default, options in readings
    )


def made(*readings: tuple[str, str, str]) -> Readings:
    return Readings.of(parse_document(text(*readings), "readings.yaml"))


@pytest.fixture
def readings() -> Readings:
    return made(
        ("range", '"2"', '{"2": Two hexes., "1": One hex.}'), ("mud", "deep", "{deep: It is deep., dry: It is dry.}")
    )


def test_readings_are_a_mapping_in_order(readings: Readings) -> None:
    assert list(readings) == ["range", "mud"]
    assert len(readings) == 2
    assert readings["mud"].options == {"deep": "It is deep.", "dry": "It is dry."}
    assert readings.defaults == {"range": "2", "mud": "deep"}


def test_what_is_chosen_is_in_force_else_the_default(readings: Readings) -> None:
    assert readings.value({}, "range") == "2"
    assert readings.value({"range": "1"}, "range") == "1"
    assert readings.value({"range": "1"}, "mud") == "deep"
    assert readings.in_force({"mud": "dry"}) == {"range": "2", "mud": "dry"}


def test_choices_are_checked_all_together(readings: Readings) -> None:
    assert readings.check({"range": "1", "mud": "dry"}) == []
    assert readings.check({"rnage": "1", "mud": "dyr"}) == [
        Problem("isn't a reading", "did you mean range?", "readings.rnage"),
        Problem("“dyr” isn't an option of this reading", "did you mean dry?", "readings.mud"),
    ]


@pytest.mark.parametrize(
    ("chosen", "name", "code", "message"),
    [
        ({}, "rage", Refusal.NO_SUCH, "there is no reading “rage”; did you mean range?"),
        ({"mud": "wet"}, "mud", Refusal.BAD_DATA, "readings.mud: “wet” isn't an option"),
    ],
)
def test_no_value_for_what_is_not_known(
    readings: Readings, chosen: dict[str, str], name: str, code: Refusal, message: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        readings.value(chosen, name)
    assert caught.value.code is code
    assert message in str(caught.value)


GOOD = ("mud", "deep", "{deep: Deep., dry: Dry.}")


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (("mud", "deep", "{deep: Deep.}"), "mud leaves nothing to choose; give it two options"),
        (("mud", "wet", "{deep: Deep., dry: Dry.}"), "the default wet isn't among the options"),
        (GOOD, "there is a reading mud already; give one of them another name"),
        (("my mud", "a", "{a: A., b: B.}"), '"my mud" is not valid'),
    ],
)
def test_what_is_wrong_is_told_with_its_line(broken: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        made(GOOD, broken)
    (problem,) = caught.value.problems
    assert message in str(problem)
    assert (problem.line or 0) > 10


def test_they_ship_with_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "toyreadings"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    message = "package toyreadings has no file nothing.yaml; is it installed"
    with pytest.raises(DataError, match=message):
        Readings.load_packaged("toyreadings", "nothing.yaml")
    (folder / "readings.yaml").write_text(text(GOOD), encoding="utf-8")
    assert list(Readings.load_packaged("toyreadings")) == ["mud"]
    with pytest.raises(DataError, match="is it installed"):
        Readings.load_packaged("no_such_package")
