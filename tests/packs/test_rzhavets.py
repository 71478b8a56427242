"""The campaign that ships: its map is plausible ground, its figures are what its texts say."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from laager.hexmap import HexMap, strategic_terrain
from laager.hexmap.areas.card_hexes import find_hexes
from laager.hexmap.frontline.strategic import crests
from laager.rules.board.card.files import LoadedCard, shipped_files
from laager.rules.platoon_leader.card.card import Card, RgKind
from laager.rules.platoon_leader.card.loading import load_card
from laager.rules.platoon_leader.card.numbers import cheapest


@cache
def loaded() -> LoadedCard:
    return load_card(shipped_files("pl", "")["rzhavets"])


@pytest.fixture
def card() -> Card:
    found: Card = loaded().card
    return found


@pytest.fixture
def ground() -> HexMap:
    return loaded().map


def test_slopes_are_gentle(ground: HexMap) -> None:
    for name, one in ground.hexes.items():
        for near in ground.neighbours(name):
            assert abs(one.level - ground.hex(near).level) <= 1, f"{name}/{near} is a cliff"


def test_water_flows_downhill_and_leaves_the_map(ground: HexMap) -> None:
    stream, gully = (
        next(course for course in ground.watercourses if course.kind == kind) for kind in ("stream", "gully")
    )
    levels = [ground.hex(name).level for name in stream.along]
    assert levels == sorted(levels, reverse=True)
    assert stream.along[0] in ground.edge("east")
    assert stream.along[-1] in ground.edge("west")
    assert gully.along[-1] in stream.along
    bed = [ground.hex(name).level for name in gully.along]
    assert bed == sorted(bed, reverse=True)
    for name in (*stream.along, *gully.along):
        around = [ground.hex(near).level for near in ground.neighbours(name)]
        assert ground.hex(name).level <= min(around), f"{name} lies above its banks"


def test_roads_cross_the_stream_only_where_they_can(ground: HexMap) -> None:
    crossings = {name for course in ground.roads for name in course.along if ground.hex(name).has("stream")}
    assert crossings == {"P11", "I13"}
    assert ground.hex("P11").has("bridge")
    assert ground.hex("I13").has("ford")


def test_roads_lead_somewhere(ground: HexMap) -> None:
    border = frozenset[str]().union(*(ground.edge(e) for e in ("north", "south", "east", "west")))
    for road in ground.roads:
        others = {name for other in ground.roads if other is not road for name in other.along}
        for end in (road.along[0], road.along[-1]):
            at_house = any(ground.hex(near).building for near in ground.neighbours(end))
            assert end in border or end in others or at_house, f"{road.kind} ends at {end}"
    for edge in ("north", "south", "east", "west"):
        assert any(ground.edge(edge) & set(road.along) for road in ground.roads), edge


def test_houses_stand_on_dry_open_ground(ground: HexMap) -> None:
    for building in ground.buildings:
        for name in building.hexes:
            one = ground.hex(name)
            assert one.terrain == "open"
            assert not one.watercourses


def test_the_village_has_all_that_a_fight_needs(ground: HexMap) -> None:
    church = ground.hex("R15").building
    assert church is not None
    assert (church.name, church.material, church.levels) == ("Church", "stone", 2)
    assert any(len(building.hexes) > 1 for building in ground.buildings)
    assert {building.material for building in ground.buildings} == {"stone", "wooden"}
    kinds = Counter(one.terrain for one in ground.hexes.values())
    assert {"woods", "orchard", "grain", "brush", "marsh", "graveyard", "crag"} <= set(kinds)
    sides = frozenset[str]().union(*ground.hexsides.values())
    assert sides == {"wall", "hedge"}
    reasons = frozenset[str]().union(*strategic_terrain(ground).values())
    assert {"woods-line", "military-crest", "bridge", "ford", "building"} <= reasons
    assert [len(crest) for crest in crests(ground)] == [10, 8, 6]


def test_setup_areas_leave_ground_between_the_sides(card: Card, ground: HexMap) -> None:
    sides = (card.sides["axis"], card.sides["allied"])
    axis, allied = ({name for part in side.setup for name in find_hexes(ground, part)} for side in sides)
    assert axis.isdisjoint(allied)
    apart = min(ground.distance(a, b) for a in axis for b in allied)
    assert apart >= 2


def test_tvp_are_as_the_designer_says(card: Card) -> None:
    south = {"R15", "R15.2", "O16", "Q13", "W16", "L18"}
    crossings = {"P11", "I13"}
    points = Counter[str]()
    for location, value in card.tvp.items():
        part = "south" if location in south else "river" if location in crossings else "north"
        points[part] += value
    assert points == {"south": 6, "river": 4, "north": 8}
    assert "TVP come to 18" in " ".join(card.about.designer_notes.split())


def test_the_objectives_of_the_first_night_exclude_each_other(card: Card) -> None:
    axis, allied = card.objectives.initial
    assert axis.controls == allied.controls
    assert axis.count is not None
    assert allied.count is not None
    assert axis.count + allied.count > len(axis.controls)


def test_attack_and_tanks_are_a_choice(card: Card) -> None:
    for side, half in card.sides.items():
        tanks = [line for line in half.chart if line.kind is RgKind.AFV]
        usual = 12
        assert any(half.attack_cost + cheapest(half, line) <= usual for line in tanks), side
        two = sorted(cheapest(half, line) for line in tanks)[-2:]
        assert half.attack_cost + sum(two) > usual, side


def test_days_nights_and_history(card: Card) -> None:
    assert len(card.firefights) == 8
    per_day = Counter(firefight.date for firefight in card.firefights)
    assert set(per_day.values()) == {1, 2}
    assert [i for i, f in enumerate(card.firefights, 1) if f.night] == [1, 6]
    assert [i for i, f in enumerate(card.firefights, 1) if f.disease] == [7]
    for firefight in card.firefights:
        assert list(firefight.game_end.values())[-1] == 6, "every firefight must end"


def test_charts_offer_troops_of_several_qualities(card: Card) -> None:
    for half in card.sides.values():
        infantry = [line for line in half.chart if line.kind is RgKind.INFANTRY]
        assert len({line.troops for line in infantry}) >= 3
        assert any(line.size == "company" for line in infantry)
        assert any(unit.engineers for line in infantry for unit in line.units)
        assert set(RgKind) <= {line.kind for line in half.chart}
