"""Random small maps as boards: what the command doesn't list as lost comes back, and little is lost."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, WATERCOURSES
from laager.vasl.making import archive
from laager.vasl.making.archive import make_board_archive
from laager.vasl.making.ground import CENTRE_KINDS
from laager.vasl.making.losses import find_losses

from .test_board_making import typed

INNER = [f"{column}{row}" for column in "BCDE" for row in (1, 2, 3, 4)]
"""Hexes of a map of 6 x 5 hexes, all of them with six neighbours."""
KINDS = [kind for kind in TERRAINS if kind not in {"open", "unknown"}]
SIDES = [(f"{a}{row}", f"{a}{row + 1}") for a in "BCDE" for row in (1, 2, 3)]
names = st.sampled_from(INNER)
few = st.lists(names, unique=True, max_size=5)
EXPRESSIBLE = frozenset({"stream", "gully"})


def blank_picture(size: tuple[int, int]) -> bytes:
    gif = BytesIO()
    Image.new("P", size).save(gif, "GIF")
    return gif.getvalue()


@pytest.fixture(autouse=True, scope="module")
def without_pictures() -> Iterator[None]:
    """The picture is for people: what is read back stands beside it, and drawing takes longest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "_picture", lambda map_, grid: blank_picture(grid.size))
        yield


@st.composite
def maps(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the parts of a map of anything that a map file can say, with one kind of terrain in a hex."""
    terrain: dict[str, list[str]] = {}
    for name in draw(few):
        terrain.setdefault(draw(st.sampled_from(TERRAINS)), []).append(name)
    houses = draw(few)
    columns = st.lists(st.sampled_from("BCDE"), unique=True, max_size=2)
    return {
        "terrain": terrain,
        "also": {draw(st.sampled_from(KINDS)): draw(few)},
        "levels": {str(draw(st.integers(-2, 4))): draw(few)},
        "features": {draw(st.sampled_from(FEATURES)): draw(few)},
        "buildings": [
            {"material": draw(st.sampled_from(MATERIALS)), "levels": draw(st.integers(0, 5)), "hexes": [name]}
            for name in houses
        ],
        "roads": [
            {"kind": draw(st.sampled_from(ROADS)), "along": [f"{letter}{row}" for row in (1, 2, 3, 4)]}
            for letter in draw(columns)
        ],
        "watercourses": [
            {"kind": draw(st.sampled_from(WATERCOURSES)), "along": [f"{letter}{row}" for row in (1, 2, 3, 4)]}
            for letter in draw(columns)
        ],
        "hexsides": {draw(st.sampled_from(HEXSIDES)): ["/".join(draw(st.sampled_from(SIDES)))]},
    }


@pytest.mark.parametrize("feature", CENTRE_KINDS)
def test_a_stream_that_ends_under_something_beside_a_wall_comes_back(feature: str) -> None:
    stream: Any = {"kind": "stream", "along": ["B1", "B2", "B3", "B4"]}
    map_ = typed(features={feature: ["B1"]}, watercourses=[stream], hexsides={"wall": ["B1/B2"]})
    assert not [loss for loss in find_losses(map_, make_board_archive(map_, "bdMine")) if not loss.added]


@given(maps())
@settings(max_examples=60, deadline=None)
def test_any_map_becomes_a_board(parts: dict[str, Any]) -> None:
    map_ = typed(**parts)
    losses = find_losses(map_, make_board_archive(map_, "bdMine"))
    # One course and one wall on a hexside, one material: these VASL can always say.
    lost = {loss.what for loss in losses if not loss.added}
    assert not {what for what in lost if what.endswith(" road")}
    assert not {f"{kind} watercourse" for kind in EXPRESSIBLE} & lost
    assert not lost & set(HEXSIDES)
    assert not any(what.startswith("wooden") or what.startswith("stone") for what in lost if "5 upper" not in what)


@st.composite
def plain_maps(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a map of what VASL can say, with no more than one thing in a hex."""
    parts = draw(maps())
    terrain = {kind: hexes for kind, hexes in parts["terrain"].items() if kind not in {"unknown", "water", "pond"}}
    covered = {name for hexes in terrain.values() for name in hexes}
    free = [name for name in INNER if name not in covered]
    houses = [house for house in parts["buildings"] if house["hexes"][0] in free]
    for house in houses:
        house["levels"] = 0 if house["material"] == "hut" else min(house["levels"], 4)
    hexsides = {kind: sides for kind, sides in parts["hexsides"].items() if kind != "rowhouse"}
    # The floor of a wadi on a hill of one hex is as high as what is around it: to VASL there is no hill.
    wadis = terrain.get("wadi", [])
    levels = {level: [name for name in hexes if name not in wadis] for level, hexes in parts["levels"].items()}
    return {"terrain": terrain, "levels": levels, "buildings": houses, "hexsides": hexsides}


@given(plain_maps())
@settings(max_examples=60, deadline=None)
def test_a_map_of_what_vasl_has_comes_back_whole(parts: dict[str, Any]) -> None:
    map_ = typed(**parts)
    assert find_losses(map_, make_board_archive(map_, "bdMine")) == ()
