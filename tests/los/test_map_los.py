"""Looks at a map: viewsheds, threads, fields of fire, best places; and the layer that shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.base import DataError, RefusedError
from laager.hexmap.draw import LosLayer, draw_svg, plain_layers
from laager.los import Location
from laager.los.approximate.hexes import HexLos
from laager.los.questions import visibility as looking
from laager.los.questions.map_los import LosKnowledge, LosWish, typed_location, view_los
from laager.los.questions.visibility import SeenHex, best, counts, in_reach, seeing, seen_from
from tests.hexmap.helpers import plain

MAP = plain(
    5, 9, terrain={"woods": ["C4"], "grain": ["B3"]}, buildings=[{"material": "stone", "levels": 2, "hexes": ["C6"]}]
)
EYES = HexLos(MAP)


def test_a_viewshed_has_every_hex_from_its_ground_up() -> None:
    cells = seen_from(EYES, Location("C2"), list(MAP.hexes))
    assert cells["C3"] == SeenHex(True)
    assert cells["C5"] == SeenHex(False)
    assert cells["C6"].clear
    assert cells["C6"].level == 2, "over the woods its upper level is seen"
    assert any(cell.hindrance for cell in cells.values())
    back = seeing(EYES, Location("C2"), list(MAP.hexes))
    assert back["C6"] == cells["C6"]


def test_reach_is_counted_in_hexes_in_play() -> None:
    assert len(in_reach(MAP, ["C5"], 1)) == 7
    assert in_reach(MAP, ["C5"], None) == list(MAP.hexes)


def test_fields_of_fire_count_eyes() -> None:
    found = counts(EYES, MAP, [Location("C3"), Location("A3")], 2)
    assert found["C3"] == 2
    assert found["C5"] == 0
    assert "E9" not in found


def test_the_best_places_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    places = [Location("C5"), Location("C6", "level", 2)]
    ranked, every = best(EYES, MAP, places, None)
    assert (ranked[0].at, every) == (Location("C6", "level", 2), 1)
    assert ranked[0].sees > ranked[1].sees
    assert ranked[0].free <= ranked[0].sees
    monkeypatch.setattr(looking, "MOST_LINES", 40)
    assert best(EYES, MAP, places, None)[1] > 1
    with pytest.raises(RefusedError, match="lines to look along; 40 at most; choose a shorter range"):
        seen_from(EYES, Location("C2"), list(MAP.hexes))
    with pytest.raises(RefusedError, match="choose a shorter range"):
        counts(EYES, MAP, [Location("C3")], None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("C6", Location("C6")), ("c6", Location("C6")), ("C6.2", Location("C6", "level", 2)),
        ("c6 level 1", Location("C6", "level", 1)), ("C6:roof", Location("C6", "rooftop")),
        ("C6.roof", Location("C6", "rooftop")),
    ],
)  # fmt: skip
def test_locations_as_people_type_them(text: str, found: Location) -> None:
    assert typed_location(MAP, text) == found


def test_a_line_shows_what_blocks_it() -> None:
    found = view_los(MAP, EYES, LosWish("line", "C2", "C9"), LosKnowledge())
    assert found.sight is not None
    assert found.sight.blocked
    assert found.layer.block == "C4"
    assert found.layer.hexes["blocked"] == {"C4"}
    svg = draw_svg(MAP, replace(plain_layers(MAP), sight=found.layer))
    assert 'id="layer-sight"' in svg
    wall = plain(5, 9, hexsides={"wall": ["C3/C4"]})
    blocked = view_los(wall, HexLos(wall), LosWish("line", "C2", "C9"), LosKnowledge())
    assert blocked.layer.block == "C3/C4"
    assert draw_svg(wall, replace(plain_layers(wall), sight=blocked.layer))


def test_dead_ground_by_level_and_how_high_something_must_be() -> None:
    dead = view_los(MAP, EYES, LosWish("from", "C2", level=0), LosKnowledge()).layer.hexes
    assert {"C5", "C6", "C9"} <= dead["blocked"]
    over = view_los(MAP, EYES, LosWish("from", "C2", level=2), LosKnowledge()).layer.hexes
    assert {"C5", "C6"} <= over["clear"]
    assert "C9" in over["blocked"], "behind the house"
    hull = view_los(MAP, EYES, LosWish("hull", "C2"), LosKnowledge())
    assert hull.layer.labels["C5"] == "↑2"
    assert hull.eyes == 0
    assert "C3" in hull.layer.hexes["clear"]
    both = view_los(MAP, EYES, LosWish("hull"), LosKnowledge(observers=("C2", "C8")))
    assert both.eyes == 2
    assert "C9" in both.layer.hexes["clear"], "the other observer stands next to it"
    assert both.layer.spots == ("C2", "C8")
    alone = [view_los(MAP, EYES, LosWish("hull", spot), LosKnowledge()).layer for spot in ("C2", "C8")]
    for name in ("C3", "C5", "C6", "C9"):
        heights = [0 if name in one.hexes["clear"] else int(one.labels.get(name, "↑99")[1:]) for one in alone]
        lowest = 0 if name in both.layer.hexes["clear"] else int(both.layer.labels[name][1:])
        assert lowest == min(heights), f"{name}: seen by the observer who sees most of it"
    with pytest.raises(RefusedError, match="no observer of your own side"):
        view_los(MAP, EYES, LosWish("hull"), LosKnowledge())
    with pytest.raises(RefusedError, match="7 is not a level"):
        view_los(MAP, EYES, LosWish("from", "C2", level=7), LosKnowledge())


def test_fields_and_best_places_need_units_and_ground() -> None:
    known = LosKnowledge(own=("C3", "C6.2", "C6.p", "Z9"), enemy=("A3",), area=frozenset({"C2", "C3", "Z9"}))
    fire = view_los(MAP, EYES, LosWish("fire", range=4), known)
    assert fire.eyes == 3
    assert set(fire.layer.spots) == {"C3", "C6"}
    assert fire.layer.reach == 4
    assert view_los(MAP, EYES, LosWish("from", "C2"), known).layer.reach is None
    assert view_los(MAP, EYES, LosWish("enemy", range=4), known).eyes == 1
    places = view_los(MAP, EYES, LosWish("best"), known)
    assert {one.at.hex for one in places.places} == {"C2", "C3"}
    wrong = {"fire": "no units of your own side", "enemy": "no units of the enemy", "best": "no ground"}
    for mode, what in wrong.items():
        with pytest.raises(RefusedError, match=what):
            view_los(MAP, EYES, LosWish(mode), LosKnowledge())
    with pytest.raises(RefusedError, match="'up' is not a way to look"):
        view_los(MAP, EYES, LosWish("up"), known)
    with pytest.raises(DataError, match="there is no C3 level 7"):
        view_los(MAP, EYES, LosWish("from", "C3:7"), known)


def test_every_kind_is_drawn_and_explained() -> None:
    kinds = ("clear", "hindered", "upper", "blocked", "unknown")
    layer = LosLayer("", {kind: frozenset({f"A{i}"}) for i, kind in enumerate(kinds, 1)}, {"A2": "+1"}, ("C5",))
    svg = draw_svg(MAP, replace(plain_layers(MAP), sight=layer))
    for text in ("Seen, hindered", "Not seen", "No answer", "Line of sight", "+1"):
        assert text in svg
    assert "style" not in svg
