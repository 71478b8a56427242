"""Kokusa Ridge, the house campaign of the jungle: map, card, charts and tables fit together."""

from __future__ import annotations

import pytest

from laager.hexmap import HexMap, bombardment_areas, load_map
from laager.hexmap.areas.blocks import entry_areas, map_edge
from laager.hexmap.draw import Layers, draw_svg, entry_marks
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.areas import initial_areas
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.state import Area
from tests.packs.hasl import PACKS, Shipped, faults, overlapping, shipped


def campaign() -> Shipped:
    return shipped("er", "kokusa-ridge")


def ridge() -> HexMap:
    return campaign().loaded.map


def areas(side: str) -> dict[str, Area]:
    return {area.name: area for area in initial_areas(campaign().context()) if area.side == side}


def test_the_campaign_fits_together() -> None:
    assert not list(faults(campaign()))
    assert not overlapping(campaign())


def test_it_says_that_it_is_a_house_campaign() -> None:
    loaded = campaign().loaded
    assert loaded.card.source == loaded.charts.source == ridge().source == "house"
    assert "it is not its campaign" in loaded.card.source_note
    assert "not the charts of the published module" in loaded.charts.source_note
    assert "not the tables of the published module" in campaign().tables.source
    assert "not the map of any published module" in ridge().source_note


# The map ------------------------------------------------------------------------------------------


def test_it_is_a_ridge_of_three_levels_in_jungle() -> None:
    assert len(ridge().hexes) == 16 * 24 + 16 * 25
    heights = {name: ridge().hex(name).level for name in ridge().hexes}
    assert set(heights.values()) == {0, 1, 2, 3}
    assert heights["P9"] == heights["O15"] == 3
    # Nothing is higher than one level above a neighbour that is no knob's foot.
    for name, level in heights.items():
        if level:
            assert any(heights[near] == level for near in ridge().neighbours(name))
    count = {
        kind: sum(ridge().hex(name).has(kind) for name in ridge().hexes)
        for kind in ("jungle", "dense-jungle", "bamboo", "palm", "kunai", "swamp", "river", "water")
    }
    assert all(count.values())
    assert count["jungle"] + count["dense-jungle"] > len(ridge().hexes) / 2


def test_a_trail_leads_along_the_crest_from_edge_to_edge() -> None:
    trail = next(road for road in ridge().roads if "P9" in road.along or "P8" in road.along)
    assert trail.along[0] == "Q24"
    assert {trail.along[0], trail.along[-1]} <= map_edge(ridge())
    assert "O15" in trail.along


def test_entry_areas_are_those_of_the_card_and_nine_hexes_wide() -> None:
    drawn = {area.id: area for area in entry_areas(ridge())}
    named = {side: set(half.arrows) for side, half in campaign().loaded.card.sides.items()}
    assert named["axis"] | named["allied"] == set(drawn)
    assert not named["axis"] & named["allied"]
    cg = campaign().context()
    for arrow, area in drawn.items():
        assert arrow in map_edge(ridge())
        assert len(area.hexes) == 9
        assert any(not ridge().hex(name).has("river") for name in cg.entry_hexes(arrow))


def test_two_entry_areas_open_later() -> None:
    card = campaign().loaded.card
    dates = card.sides["axis"].arrow_dates
    assert dates == {"AA24": "13D", "FF15": "13N1"}
    assert all(card.date_number(name) > 1 for name in dates.values())


def test_bombardments_find_room() -> None:
    area = next(bombardment_areas(ridge(), level_only=True))
    assert len(area.hexes(ridge())) == 150


def test_the_map_is_drawn() -> None:
    svg = draw_svg(ridge(), Layers(entry_areas=entry_marks(ridge())))
    assert "Kokusa River" in svg
    assert "Dense jungle" in svg
    assert "Entry: Japanese" in svg


# Card and charts ---------------------------------------------------------------------------------


def test_five_dates_and_the_japanese_attack_first() -> None:
    card = campaign().loaded.card
    assert [(d.day.day, d.night) for d in card.dates] == [(12, True), (13, False), (13, True), (14, True), (14, False)]
    assert (card.initial.attacker, card.initial.sets_up_first) == ("axis", "allied")
    assert card.initial.moves_first == "axis"
    assert all(date.nvr is not None for date in card.dates if date.night)


def test_what_the_rules_mention_of_the_charts_is_kept() -> None:
    raiders, paras = campaign().line("allied", "I1"), campaign().line("allied", "I2")
    assert (raiders.name, raiders.leader_drm) == ("Raider Platoon", -1)
    assert (paras.name, paras.full[0].count) == ("Paramarine Platoon", 3)
    assert campaign().line("axis", "I3").leader_drm == -1
    assert campaign().line("allied", "V1").leader_drm == -1
    assert all(not line.leader for line in _of_kind(Kind.HEAVY_WEAPONS))
    assert campaign().loaded.charts.fortifications is None, "the rules print the prices"


def _of_kind(kind: Kind) -> list[RgLine]:
    return [line for side in SIDES for line in campaign().lines(side) if line.kind is kind]


def test_setup_areas_are_those_of_the_map() -> None:
    assert set(areas("axis")) == {"Assembly"}
    assert set(areas("allied")) == {"North Knob", "South Knob", "River Bank", "Clearing"}
    assert all(len(area.hexes) >= 25 for side in SIDES for area in areas(side).values())
    for side in SIDES:
        for area in areas(side).values():
            water = [at for at in area.hexes if ridge().hex(at).contents & {"river", "water"}]
            assert not water
    south = areas("allied")["South Knob"].hexes
    nearest = min(ridge().distance(a, b) for a in south for b in areas("axis")["Assembly"].hexes)
    assert nearest >= 3, "the Japanese do not start in contact"


def test_reserves_find_room_behind_the_crest() -> None:
    enemy = areas("axis")["Assembly"].hexes
    room = [at for at in areas("allied")["Clearing"].hexes if min(ridge().distance(at, other) for other in enemy) >= 8]
    assert len(room) >= 20


def test_the_sums_of_the_designer_notes() -> None:
    one = campaign()
    card = one.loaded.card
    assert one.given_squads("axis", card.sides["axis"].ob) == 18, "17 squads and two half-squads"
    assert one.given_squads("allied", card.sides["allied"].ob) == 17
    per_date = {"axis": 9 + 7, "allied": 4 + 3.5}
    for side, expected in per_date.items():
        points = one.loaded.charts.side(side).cpp
        assert points is not None
        assert points.fixed + {"DR": 7, "dr": 3.5}[str(points.dice)] == expected
    assert card.sides["allied"].ob.fpp // 3 == 10, "foxholes for three squads"


def test_what_counts_lies_in_the_areas_of_the_us() -> None:
    named = set(campaign().loaded.card.victory.final[0].controls)
    assert named == {"O15", "P9", "M3"}
    held = {at: name for name, area in areas("allied").items() for at in area.hexes}
    assert {held[at] for at in named} == {"South Knob", "North Knob", "Clearing"}
    assert all(ridge().hex(at).building is not None for at in named), "Strategic Locations"


@pytest.mark.parametrize("name", ["kokusa-ridge-map"])
def test_the_map_file_is_read_as_it_is_written(name: str) -> None:
    path = PACKS / "er" / f"{name}.yaml"
    assert load_map(path).to_data() == ridge().to_data()
