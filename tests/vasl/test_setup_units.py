"""Which counter of VASL's module a unit or fortification is, and with which face."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

import pytest

from laager.catalogue import Nation
from laager.catalogue.load import load_packaged
from laager.rules.board.units import Fort, Mark, Unit
from laager.vasl import read_module
from laager.vasl.setup.counters import CounterMaker
from laager.vasl.setup.units import CounterFinder, strengths_of

from .engine import MODULE, needs_module

pytestmark = needs_module


@cache
def finder() -> CounterFinder:
    module = read_module(MODULE)
    return CounterFinder(module, CounterMaker(module, "Laager"))


@cache
def nation(name: str) -> Nation:
    return load_packaged(name).nation(name)


def unit(kind: str, type_: str, *marks: Mark, of: str = "german") -> tuple[str, list[str], tuple[Mark, ...]]:
    """Return what a unit's counter is called, what lies on it, and the markers that have neither face nor counter."""
    one = Unit(id="X1", side="axis", nation=of, type=type_, kind=kind, marks=frozenset(marks))
    counter, on_top, left = finder().unit(one, nation(of))
    assert counter is not None
    return counter.naming.unit, [marker.naming.unit for marker in on_top], left


def test_every_shipped_type_has_its_counter() -> None:
    """All of the table; only four Japanese step losses are left to the search by stripes."""
    text = (files("laager.packs") / "vasl" / "units.csv").read_text("utf-8")
    lines = list(csv.DictReader(text.splitlines()))
    assert len(lines) == 975
    missing = [one for one in lines if finder().type(nation(one["nation"]), one["kind"], one["type"]) is None]
    assert missing == []


@pytest.mark.parametrize(
    ("kind", "type_", "marks", "name", "on_top"),
    [
        ("squad", "4-6-7", (Mark.BROKEN, Mark.DM), "broken 4-6-7 1sq", ["DM"]),
        ("half-squad", "2-4-7", (Mark.BROKEN,), "broken 2-4-7 1hs", []),
        ("squad", "4-6-8", (Mark.FANATIC,), "Fanatic 4-6-8 Esq", []),
        ("leader", "9-1", (Mark.WOUNDED,), "Wnd 9-1", []),
        ("leader", "8-0", (Mark.BERSERK,), "Berserk 8-0", []),
        ("crew", "2-2-8", (Mark.PIN,), "2-2-8 Icr", ["Pin"]),
        ("squad", "4-4-7", (Mark.ENCIRCLED,), "4-4-7 2sq", ["Encircled"]),
        ("sw", "LMG", (Mark.MALFUNCTIONED,), "malf LMG", []),
        ("gun", "88L AA FlaK 18", (Mark.MALFUNCTIONED,), "Malf 88L AA FlaK 18 o. 36", []),
        ("hero", "1-4-9", (), "Hero", []),
    ],
)
def test_markers_are_faces_or_counters_on_top(
    kind: str, type_: str, marks: tuple[Mark, ...], name: str, on_top: list[str]
) -> None:
    assert unit(kind, type_, *marks) == (name, on_top, ())


def test_a_vehicle_can_be_in_motion_with_its_crew_exposed() -> None:
    assert unit("afv", "PzIVH", Mark.MOTION, Mark.CREW_EXPOSED)[1] == ["Motion"]
    one = Unit(id="X1", side="axis", nation="german", type="PzIVH", kind="afv", marks=frozenset({Mark.CREW_EXPOSED}))
    counter, _, _ = finder().unit(one, nation("german"))
    assert counter is not None
    assert counter.turn_to("5").name == "PzKw IVH vca5 tca5 CE"


def test_a_japanese_step_loss_is_the_stripe_of_an_ordinary_squad() -> None:
    assert unit("squad", "3-4-7 reduced", of="japanese")[0] == "str 3-4-7 1sq"
    assert unit("squad", "3-4-8 reduced", of="japanese")[0] == "str 3-4-8 Esq"


def test_wrecks_are_the_vehicles_own() -> None:
    found = finder().wreck(nation("german"), "afv", "PzIVH")
    assert found is not None
    assert found.name == "PzKw IVH Wreck"


@pytest.mark.parametrize(
    ("kind", "size", "factors", "names"),
    [
        ("foxhole", "2S", 0, ["2S Foxhole"]),
        ("foxhole", "3", 0, ["3S Foxhole"]),
        ("pillbox", "1+3+5", 0, ["1+3+5 Pillbox"]),
        ("a-p-mines", "", 20, ["Minefield", "Minefield"]),
        ("a-t-mines", "", 6, ["Minefield", "Minefield"]),
        ("wire", "", 0, ["Wire"]),
        ("fortified-building", "", 0, ["Fort Bldg Level 2"]),
        ("jungle-path", "", 0, []),
    ],
)
def test_fortifications_have_their_counters(kind: str, size: str, factors: int, names: list[str]) -> None:
    at = "A1.2" if kind == "fortified-building" else "A1"
    fort = Fort(id="X1", side="axis", kind=kind, size=size, factors=factors, at=at)
    assert [one.naming.unit for one in finder().fort(fort)] == names


@pytest.mark.parametrize(("factors", "parts"), [(6, [6]), (12, [12]), (14, [8, 6]), (24, [12, 12]), (7, []), (10, [])])
def test_minefields_add_up(factors: int, parts: list[int]) -> None:
    assert strengths_of(Fort(id="X1", side="axis", kind="a-p-mines", factors=factors)) == parts


def test_a_roadblock_lies_on_its_hexside() -> None:
    counter = finder().marker("Roadblock")
    assert counter is not None
    assert counter.turn_to("6/1").name == "Roadblock ca6/1"
