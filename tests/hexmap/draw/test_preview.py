"""The small picture of a map."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from laager.hexmap import load_map
from laager.hexmap.draw import draw_preview, draw_svg

MAPS = sorted(Path(str(files("laager"))).glob("packs/*/*-map.yaml"))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_it_is_small_and_always_the_same(path: Path) -> None:
    map_ = load_map(path)
    drawn = draw_preview(map_)
    assert len(drawn) < len(draw_svg(map_)) * 0.6
    assert drawn == draw_preview(map_)


def test_it_reaches_to_the_edges_of_the_map() -> None:
    drawn = draw_preview(load_map(MAPS[0]))
    left, top, width, height = map(float, ElementTree.fromstring(drawn).attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert width > height
