"""The map: Blocks with who holds them, areas, front line, Entry Areas, the units a viewer knows."""

from __future__ import annotations

from dataclasses import replace

from laager.hexmap.draw import draw_svg
from laager.rules.board.hasl.generic import RULESET
from laager.rules.board.hasl.sheets.view import map_layers
from laager.rules.board.hasl.state import Area
from laager.rules.board.units import Mark

from .records import record, seen_by
from .small import add, small_cg


def test_blocks_front_line_and_entry_areas() -> None:
    cg = record()
    found = map_layers(cg)
    assert found.blocks is not None
    assert found.blocks.control == {"W": "allied", "NE": "axis"}
    assert set(found.blocks.blocks) == {"W", "NE", "SE"}
    assert found.blocks.road_line == frozenset({"E1", "E2", "E3", "E4", "E5"})
    assert found.blocks.line["axis"] == frozenset({"F0", "F1", "F2", "F3", "F4"})
    assert [(mark.arrow, mark.colour, mark.owner) for mark in found.entry_areas] == [
        ("A4", "red", "British"),
        ("G1", "grey", "German"),
        ("L5", "", "German"),
    ]
    assert (found.title, found.subtitle) == ("Small town", "CG Date 18PM")
    assert "B4" in found.strategic
    assert found.sides == {"axis": "German", "allied": "British"}


def test_the_subtitle_names_the_scenario() -> None:
    cg = record()
    cg.state = cg.state.with_scenario(kind="German Attack")
    assert map_layers(cg).subtitle == "CG Date 18PM, German Attack"


def test_units_are_stacked_and_the_viewers_own_are_shown_as_they_are() -> None:
    marks = {(m.hex, m.side, m.label, m.concealed, m.count): m.own for m in map_layers(seen_by(record(), "axis")).units}
    assert marks == {
        ("G2", "axis", "4-6-7", False, 1): True,
        ("G2", "axis", "4-6-7", True, 1): True,
        ("A8", "allied", "6-4-8", False, 1): False,
    }


def test_the_enemy_sees_neither_hidden_units_nor_types_under_concealment() -> None:
    cg = record()
    add(cg, "axis", "5-4-8", "squad", "H2", Mark.CONCEALED, known=True)
    enemy = seen_by(cg, "allied")
    shown = [(m.hex, m.concealed) for m in map_layers(enemy).units if m.side == "axis"]
    assert shown == [("H2", True)]
    assert "5-4-8" not in draw_svg(enemy.map, map_layers(enemy))


def test_listed_areas_are_tinted_without_a_front_line() -> None:
    cg = record(card={"areas": "listed"})
    found = map_layers(cg).blocks
    assert found is not None
    assert found.control == {"W": "allied", "NE": "axis"}
    assert found.held["axis"] == cg.state.friendly("axis")
    assert (found.road_line, found.line["axis"]) == (frozenset(), frozenset())
    assert draw_svg(cg.map, map_layers(cg)).startswith("<svg")


def test_areas_of_one_name_are_told_apart() -> None:
    cg = record(card={"areas": "listed"})
    north = Area(name="North", side="axis", hexes=("G1", "G2"))
    mine = Area(name="North", side="allied", hexes=("A1",))
    cg.state = replace(cg.state, areas=(north, mine))
    found = map_layers(cg).blocks
    assert found is not None
    assert found.control == {"North German": "axis", "North British": "allied"}


def test_the_map_before_the_campaign_begins() -> None:
    cg = small_cg()
    map_, found = RULESET.drawing(cg, cg.state)
    assert found.blocks is not None
    assert found.blocks.control == {}
    assert draw_svg(map_, found).startswith("<svg")
