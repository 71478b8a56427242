"""What can be drawn over a map. All values are immutable.

Hexes may be named by aliases; sides by their ids. A layer shows what it is given and nothing
else: whoever fills it decides what the viewer may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laager.hexmap.areas.block_front import BlockFront
    from laager.hexmap.frontline.front import Front
    from laager.hexmap.hexmap import HexMap


@dataclass(frozen=True)
class UnitMark:
    """One counter, or `count` equal ones, in a hex or Location.

    A concealed mark is drawn as "?" and its label is written nowhere, unless `own` says that the
    picture is for the side that owns it.
    """

    hex: str
    side: str
    label: str = ""
    concealed: bool = False
    count: int = 1
    own: bool = False


@dataclass(frozen=True)
class FrontLine:
    """One MLR: its letter and all hexes that it holds or encloses."""

    letter: str
    hexes: frozenset[str]


@dataclass(frozen=True)
class FrontLayer:
    """The ground as two sides hold it (PL 3.2), ready to draw. Mappings are by side.

    `links` are the chains of hexes, ends included, that join clusters or run to a map edge.
    """

    sides: tuple[str, ...]
    clusters: Mapping[str, tuple[frozenset[str], ...]]
    lines: Mapping[str, tuple[FrontLine, ...]]
    links: Mapping[str, tuple[tuple[str, ...], ...]]
    isolated: Mapping[str, frozenset[str]]
    no_mans_land: frozenset[str]
    uncontrolled: frozenset[str]


def front_layer(front: Front) -> FrontLayer:
    """Return the layer that shows a front."""
    return FrontLayer(
        sides=front.sides,
        clusters=front.clusters,
        lines={side: tuple(FrontLine(mlr.letter, mlr.hexes) for mlr in front.mlrs[side]) for side in front.sides},
        links={side: tuple(link.hexes for link in front.links[side]) for side in front.sides},
        isolated=front.isolated,
        no_mans_land=front.no_mans_land,
        uncontrolled=front.uncontrolled,
    )


@dataclass(frozen=True)
class BlockLayer:
    """The Blocks of a town and who holds them (ABtF 9.605), ready to draw.

    `blocks` are the hexes of each Block by its name, `control` who Controls it; `held` all ground
    of each side's Setup Areas, `road_line` the front line road hexes, `line` the Front Line hexes
    of each side.
    """

    sides: tuple[str, ...]
    blocks: Mapping[str, frozenset[str]]
    control: Mapping[str, str]
    held: Mapping[str, frozenset[str]]
    road_line: frozenset[str]
    line: Mapping[str, frozenset[str]]


def block_layer(map_: HexMap, front: BlockFront | None = None) -> BlockLayer:
    """Return the layer that shows a map's Blocks, with who holds them if there is a front."""
    blocks = map_.blocks.hexes
    if front is None:
        return BlockLayer((), blocks, {}, {}, frozenset(), {})
    return BlockLayer(front.sides, blocks, front.control, front.friendly, front.road_line, front.line)


@dataclass(frozen=True)
class EntryMark:
    """An Entry Area: the hex with its big arrow, its hexes, its colour, whose it is."""

    arrow: str
    hexes: tuple[str, ...]
    colour: str = ""
    owner: str = ""


def entry_marks(map_: HexMap) -> tuple[EntryMark, ...]:
    """Return the marks that show all Entry Areas of a map (ABtF 9.2)."""
    from laager.hexmap.areas.block_front import entry_areas

    return tuple(EntryMark(area.id, area.hexes, area.arrow.colour, area.arrow.owner) for area in entry_areas(map_))


@dataclass(frozen=True)
class Layers:
    """What to draw beside the ground itself.

    `title` "" stands for the map's own. `control` says who Controls which hex or Location,
    `strategic` marks Strategic Locations, `entry` the hexes where a side comes on, `tvp` the
    worth of hexes, `highlight` what the viewer should look at; `blocks` and `entry_areas` are for
    towns of Blocks. `sides` gives the sides' names; their order fixes colours and patterns, so that
    a side looks the same in every picture.
    `targets` adds an invisible outline per hex, named by `data-hex`, that a page can make
    clickable.
    """

    title: str = ""
    subtitle: str = ""
    legend: bool = True
    coordinates: bool = True
    control: Mapping[str, str] = field(default_factory=dict)
    strategic: Iterable[str] = ()
    front: FrontLayer | None = None
    blocks: BlockLayer | None = None
    entry_areas: Sequence[EntryMark] = ()
    entry: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tvp: Mapping[str, int] = field(default_factory=dict)
    units: Sequence[UnitMark] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    highlight: Iterable[str] = ()
    targets: bool = False


def plain_layers(map_: HexMap) -> Layers:
    """Return what a map shows of itself: Blocks if its file names any, and Entry Areas."""
    named = map_.block_lists or map_.block_names
    return Layers(blocks=block_layer(map_) if named else None, entry_areas=entry_marks(map_))
