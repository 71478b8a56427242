"""Two files of a nation become one: what only one knows is kept, what both know must agree."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from laager.base.files import parse_document
from laager.catalogue.dyo import UNKNOWN, Battery, DyoCatalogueFile, Month
from laager.catalogue.dyo.load import nation_of, read_file
from laager.catalogue.dyo.model import SECTIONS
from laager.catalogue.dyo.overlay import Conflict, describe_value, find_conflicts, lay_over, plain_data, with_sources

from .strategies import files

FEW = settings(max_examples=20, deadline=None)

HEAD = "laager: dyo-catalogue/1\nnation: testland\nname: Testland\n"
ONE = f"""{HEAD}source: book one
capabilities: {{lg: {{1943: 4, other: unknown}}, crew_morale: 8}}
squads:
  - {{type: 4-6-8, class: elite, bpv: 13, note: from one}}
  - {{type: 4-6-7, class: first-line}}
guns:
  - {{type: 37L AT, bpv: 20, rf: {{1941: 0.9, 1942: unknown}}, dm: true}}
oba:
  - {{year: 1944, 2: 80+M 92, 6: 150+ ?, 7: none}}
"""
TWO = f"""{HEAD}source: book two
capabilities: {{lg: {{1944: 5, other: unknown}}, crew_morale: 9}}
squads:
  - {{type: 4-6-7, class: first-line, bpv: 10}}
  - {{type: 4-6-8, bpv: 14, half: none}}
guns:
  - {{type: 37L AT, bpv: unknown, rf: {{1941: 1.0, 1942: 1.1}}, dm: false}}
oba:
  - {{year: 1944, 2: 80+M 95, 6: 150+ 166, 7: 70+ 60}}
transport: []
"""


def file(text: str) -> DyoCatalogueFile:
    return with_sources(read_file(parse_document(text, "file"))[1])


def told(one: str, two: str) -> list[str]:
    return [str(conflict) for conflict in find_conflicts(file(one), file(two))]


def test_conflicts_are_told_with_both_values() -> None:
    assert told(ONE, TWO) == [
        "capabilities.crew_morale: 8 or 9",
        "squads.bpv 4-6-8: 13 or 14",
        "guns.rf 37L AT in 1941-01: 0.9 or 1.0",
        "guns.dm 37L AT: yes or no",
        "oba.2 1944: 80+M 92 or 80+M 95",
        "oba.7 1944: none or 70+ 60",
    ]
    assert told(ONE, ONE) == []


def test_names_can_disagree_too() -> None:
    other = ONE.replace("name: Testland", "name: Testlund\ngroup: finnish")
    assert told(ONE, other) == ["name: Testland or Testlund"]


def test_what_only_one_knows_is_kept() -> None:
    found = lay_over(file(TWO), file(ONE))
    assert found.transport == []
    nation = nation_of([(parse_document(ONE, "x"), found)])
    assert (nation.mmc("4-6-8").bpv, nation.mmc("4-6-8").half) == (13, None)
    assert nation.mmc("4-6-8").note == "from one"
    assert nation.mmc("4-6-7").bpv == 10
    assert nation.gun("37L AT").bpv is UNKNOWN or nation.gun("37L AT").bpv == 20
    assert nation.gun("37L AT").rf.at(Month(1942, 5)) == file(TWO).guns[0].rf.at(Month(1942, 5))  # type: ignore[index]
    assert nation.oba_chart(Month(1944, 1)).at(6) == Battery("150+", "", 166)
    assert nation.oba_chart(Month(1944, 1)).at(7) is None
    assert nation.line.lg.at(Month(1944, 1)) == 5
    assert nation.line.lg.at(Month(1943, 1)) == 4
    assert nation.line.lg.at(Month(1942, 1)) is UNKNOWN
    assert nation.origin("oba", "1944", "6").source == "book two"
    assert nation.origin("oba", "1944", "2").source == "book one"


def test_a_battery_without_a_value_counts_over_none() -> None:
    below = f"{HEAD}source: book one\noba:\n  - {{year: 1938, 2: none}}\n"
    above = f"{HEAD}source: book two\noba:\n  - {{year: 1938, 2: 70+ ?}}\n"
    found = nation_of([(parse_document(below, "x"), lay_over(file(below), file(above)))])
    assert found.oba_chart(Month(1938, 1)).at(2) == Battery("70+")
    assert found.origin("oba", "1938", "2").source == "book two"


@FEW
@given(files(), files())
def test_the_upper_file_wins_and_nothing_is_lost(one: dict[str, Any], two: dict[str, Any]) -> None:
    below, above = (with_sources(DyoCatalogueFile.model_validate(data)) for data in (one, two))
    found = lay_over(below, above)
    assert not [c for c in find_conflicts(found, above) if c.section]
    for section in SECTIONS:
        parts = [(part.entries(section) or ()) for part in (below, above)]
        keys = dict.fromkeys(entry.key for part in parts for entry in part)
        assert [entry.key for entry in found.entries(section) or ()] == list(keys)
    # What they disagree on is what can be lost of the lower one.
    lost = {(c.section, c.key, c.field) for c in find_conflicts(found, below)}
    assert lost == {(c.section, c.key, c.field) for c in find_conflicts(above, below)}


@FEW
@given(files())
def test_a_file_agrees_with_itself(data: dict[str, Any]) -> None:
    one = with_sources(DyoCatalogueFile.model_validate(data))
    assert list(find_conflicts(one, one)) == []
    assert plain_data(lay_over(one, one)) == plain_data(one)


def test_how_values_are_shown() -> None:
    assert [describe_value(value) for value in (None, UNKNOWN, True, (), ("a", "b"), 4)] == [
        "none", "unknown", "yes", "none", "a, b", "4",
    ]  # fmt: skip
    assert str(Conflict("", "", "name", "A", "B")) == "name: A or B"
