"""The house map of the Block by Block family: Rijnoord's Blocks come out as they are named."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from laager.hexmap import HexMap, block_front, derive_blocks, enterable_path, load_map, sort_key
from laager.hexmap.areas.blocks import entry_areas, map_edge
from laager.hexmap.draw import Layers, block_layer, draw_svg, entry_marks
from laager.hexmap.ways.distances import sniper_range
from laager.rules.board.hasl.charts import Kind
from tests.hexmap import blocks_reference
from tests.packs.hasl import Shipped, built_blocks, faults, overlapping, shipped

SIZES = {
    **{"A": 22, "B": 27, "C": 36, "D": 47, "E": 28, "F": 25, "G": 37, "H": 16, "I": 15, "J": 41},
    **{"K": 49, "L": 25, "M": 20, "N": 10, "O": 25, "P": 22, "Q": 28, "R": 36, "S": 20, "T": 42},
}
ARROWS = ["A5", "A6", "A17", "A18", "F0", "GG1", "JJ4", "JJ15", "JJ20", "M1", "R23", "V0"]


@cache
def town() -> HexMap:
    return load_map(Path(str(files("laager"))) / "packs" / "abtf" / "rijnoord-map.yaml")


def test_it_is_a_house_map_and_says_so() -> None:
    assert town().source == "house"
    assert "not the map of any published module" in town().source_note
    assert len(town().hexes) == 18 * 23 + 18 * 24
    assert town().playable == frozenset(town().hexes)


def test_the_blocks_come_out_as_named() -> None:
    blocks = town().blocks
    assert {name: len(own) for name, own in sorted(blocks.hexes.items())} == SIZES
    assert not blocks.listed
    assert sum(SIZES.values()) + len(blocks.roads) + len(blocks.rivers) + 1 == len(town().hexes)
    assert all(inside in blocks.hexes[name] for name, inside in town().block_names.items())
    assert blocks.blockhouses == {"S18"}


def test_the_blocks_are_those_of_a_slow_second_implementation() -> None:
    assert set(derive_blocks(town()).hexes.values()) == blocks_reference.blocks(town())


def test_dead_ends_divide_nothing() -> None:
    """The lanes into D, G, M, P and E end inside; that through N stops a hexside short."""
    blocks = town().blocks
    for lane, block in {"GG3": "D", "I8": "G", "I14": "M", "Z14": "P", "C19": "E", "P12": "N"}.items():
        assert lane in blocks.roads
        around = {blocks.block_at(near) for near in town().neighbours(lane)} - {None}
        assert around == {block}
    assert blocks.hexes["N"] >= {"O12", "Q12", "O16", "Q16"}


def test_buildings_stand_inside_one_block_and_off_the_streets() -> None:
    blocks = town().blocks
    for building in town().buildings:
        assert len({blocks.block_at(name) for name in building.hexes}) == 1
        assert blocks.block_at(building.hexes[0]) is not None
    heights = {building.levels for building in town().buildings}
    assert heights == {0, 1, 2}
    assert sum(len(building.hexes) > 1 for building in town().buildings) > 30
    bare = [name for name in "ABCDEFGHIJKLMNOPQRST" if not _built(name)]
    assert not bare


def _built(block: str) -> bool:
    return any(town().hex(name).building for name in town().blocks.hexes[block])


def test_the_bridge_runs_from_the_quay_over_the_river_to_the_edge() -> None:
    blocks, bridge = town().blocks, [f"R{row}" for row in range(19, 24)]
    assert [name for name in town().hexes if town().hex(name).has("bridge")] == bridge
    assert blocks.rivers >= set(bridge)
    road = next(road for road in town().roads if road.along[-1] == "R23")
    assert road.along[-5:] == tuple(bridge)
    assert "R18" in blocks.roads
    crossing = enterable_path(town(), ["R23"], ["R15"])
    assert crossing is not None
    assert len(crossing.hexes) == 9
    assert crossing.doubts == ("R22", "R21", "R20", "R19")


def test_the_arrows_of_the_rules_stand_at_the_edge() -> None:
    areas = {area.id: area for area in entry_areas(town())}
    assert sorted(areas) == sorted(ARROWS)
    assert set(areas) <= map_edge(town())
    assert areas["R23"].hexes == ("R23",)
    owners: dict[str, list[str]] = {}
    for area in areas.values():
        owners.setdefault(area.arrow.owner, []).append(area.id)
    assert owners == {
        "British": ["A6", "A18"],
        "KG Harder": ["A5", "A17"],
        "KG Knaust": ["F0", "M1", "V0", "GG1"],
        "KG Brinkmann": ["JJ4", "JJ15", "JJ20"],
        "KG Graebner": ["R23"],
    }
    on_map = {name for own in town().blocks.hexes.values() for name in own}
    for name in on_map.union(*(area.hexes for area in areas.values() if area.id != "R23")):
        way = enterable_path(town(), areas["A6"].hexes, [name])
        assert way is not None, f"nobody gets to {name}"
        assert not way.doubts


@pytest.mark.parametrize(("british", "german"), [("HIMNO", "BCDEJKP"), ("A", "T"), ("N", "O")])
def test_a_front_of_neighbours(british: str, german: str) -> None:
    control = dict.fromkeys(british, "british") | dict.fromkeys(german, "german")
    front = block_front(town(), control, ("british", "german"))
    for name in front.road_line:
        around = {town().blocks.block_at(near) for near in town().neighbours(name)}
        assert around & set(british)
        assert around & set(german)
    assert bool(front.road_line) == (british != "A")
    assert sniper_range(town(), front.friendly["british"]) <= 12


def test_it_is_drawn_with_every_block_and_arrow() -> None:
    layers = Layers(blocks=block_layer(town()), entry_areas=entry_marks(town()))
    svg = draw_svg(town(), layers)
    for name in SIZES:
        assert f">{name}</text>" in svg
    for arrow in ARROWS:
        assert f'data-arrow="{arrow}"' in svg


def test_lists_are_in_order() -> None:
    for building in town().buildings:
        assert list(building.hexes) == sorted(building.hexes, key=sort_key)


# The campaign ------------------------------------------------------------------------------------


def campaign() -> Shipped:
    return shipped("abtf", "rijnoord")


def test_the_campaign_fits_together() -> None:
    assert not list(faults(campaign()))
    assert not overlapping(campaign())


def test_it_says_that_it_is_a_house_campaign() -> None:
    loaded = campaign().loaded
    assert loaded.card.source == loaded.charts.source == "house"
    assert "not one of its campaigns" in loaded.card.source_note
    assert "not the charts of the published module" in loaded.charts.source_note
    assert "not the tables of the published module" in campaign().tables.source


def test_calendar_chits_and_ratings_are_those_that_the_rules_mention() -> None:
    card = campaign().loaded.card
    assert [date.id for date in card.dates] == ["17N", "18AM", "18PM", "18Eve", "18N", "19AM"]
    assert [date.night for date in card.dates] == [True, False, False, False, True, False]
    british, german = card.sides["allied"], card.sides["axis"]
    assert (british.chits.attack, british.chits.idle) == (5, 5)
    assert (german.chits.attack, german.chits.idle) == (4, 5)
    assert (british.elr, british.san, german.elr, german.san) == (5, 3, 3, 3)
    assert (card.initial.attacker, card.initial.sets_up_first) == ("allied", "axis")


def test_the_prices_of_cg22_are_kept() -> None:
    costs = {"K-I1": 5, "K-A3": 7, "K-A4": 5, "B-I2": 7, "B-A3": 7, "B-A4": 5}
    costs |= {"H-I6": 3, "H-I7": 4, "H-A5": 4, "H-A6": 4}
    assert {key: campaign().line("axis", key).cost for key in costs} == costs
    # The first example: Knaust I1 and A3, Brinkmann I2 and A4, Harder I6, I7 and A5 for 35 CPP.
    bought = ["K-I1", "K-A3", "B-I2", "B-A4", "H-I6", "H-I7", "H-A5"]
    assert sum(costs[key] for key in bought) == 35


def test_every_kampfgruppe_has_infantry_and_afv_and_its_own_arrows() -> None:
    german = campaign().loaded.card.sides["axis"]
    drawn = {area.id: area.arrow.owner for area in entry_areas(town())}
    for formation in german.formations:
        kinds = {rg.kind for rg in campaign().lines("axis") if rg.formation == formation.id}
        assert {Kind.INFANTRY, Kind.AFV} <= kinds
        assert set(formation.arrows) == {a for a, owner in drawn.items() if owner == formation.name}


def test_the_blocks_that_count_are_there_and_have_buildings() -> None:
    one = campaign()
    named = {name for c in one.loaded.card.victory.final for name in c.controls}
    assert named == {"H", "I", "N", "O", "S"}
    assert all(built_blocks(one)[name] >= 4 for name in named)
    held = {side: set(half.controls) for side, half in one.loaded.card.sides.items()}
    assert not held["axis"] & held["allied"]
    assert not named & held["allied"], "the British have to take what counts"


def test_the_sums_of_the_designer_notes() -> None:
    one = campaign()
    card = one.loaded.card
    assert one.given_squads("allied", card.sides["allied"].ob) == 23
    assert one.given_squads("axis", card.sides["axis"].ob) == 14
    points = one.loaded.charts.side("axis").cpp
    assert points is not None
    assert (points.fixed + 7) * (len(card.dates) - 1) == 105
    # Five parachute platoons for the 30 CPP of the first night.
    assert 5 * one.line("allied", "I1").cost == card.sides["allied"].cpp
    assert one.line("allied", "I1").total == 5
