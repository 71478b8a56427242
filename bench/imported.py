"""Maps made of VASL boards, as new: their analysis, their drawing, and the picture under them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from xml.etree import ElementTree

from bench.analysis import ours as analysed
from bench.boards import imported
from bench.maps import SIDES, BigMap, control_of
from bench.networkx_front import NetworkxFront
from laager.hexmap import HexMap
from laager.hexmap.draw import draw_svg, plain_layers
from laager.vasl import Archive, backdrop_of, read_metadata

CONTROLLED = 200


@dataclass(frozen=True)
class Made:
    """A map made of a board, who Controls what on it, and the archive of the board."""

    map: HexMap
    control: dict[str, str]
    archive: Archive

    def again(self) -> HexMap:
        """Return the map as it comes out of a record: nothing about it is known yet."""
        return HexMap.from_data(self.map.to_data())


def made_of(data: bytes) -> Made:
    """Make a map of a board, with Control of many Locations."""
    map_ = imported(data)
    rows = max(one.r + one.q // 2 for one in map_.hexes.values())
    return Made(map_, dict(control_of(map_, random.Random(1943), rows, CONTROLLED)), Archive(data, "bd60"))


def each(made: Made, run: Callable[[HexMap], object], times: int) -> Callable[[], object]:
    """Return what runs on a new copy of the map each time; the copies are made beforehand."""
    copies: Iterator[HexMap] = iter([made.again() for _ in range(times)])
    return lambda: run(next(copies))


def big(made: Made, map_: HexMap) -> BigMap:
    edges = {SIDES[0]: map_.edge("north"), SIDES[1]: map_.edge("south")}
    return BigMap(map_, made.control, edges)


def analysis(made: Made) -> Callable[[HexMap], object]:
    return lambda map_: analysed(big(made, map_))


def plain_analysis(made: Made) -> Callable[[HexMap], object]:
    def run(map_: HexMap) -> object:
        there = big(made, map_)
        return NetworkxFront(map_).analyse(there.control, there.edges)

    return run


def drawing(map_: HexMap) -> str:
    return draw_svg(map_, plain_layers(map_))


def elements(svg: str) -> Callable[[], object]:
    """Return what writes the elements of a drawing by a library for XML, their places known."""
    root = ElementTree.fromstring(svg)
    return lambda: ElementTree.tostring(root)


def on_picture(made: Made) -> Callable[[HexMap], object]:
    return lambda map_: draw_svg(map_, plain_layers(map_), backdrop_of(map_, lambda _: made.archive))


def recoded(made: Made) -> object:
    """Only unpack the picture and pack it as PNG: what no backdrop for a page can do without."""
    from PIL import Image

    image = Image.open(BytesIO(made.archive.read(read_metadata(made.archive).picture)))
    image.save(packed := BytesIO(), "PNG")
    return packed
