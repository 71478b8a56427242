"""What can be drawn over a map, and the boards' own pictures under it. All values are immutable.

Hexes may be named by aliases, sides by their ids. A layer shows what it is given and nothing else: its
caller decides what the viewer may know.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from laager.hexmap.draw import curves
from laager.hexmap.draw.counters import Face
from laager.hexmap.draw.lattice import STEP_X, STEP_Y, Lattice, Point, centre
from laager.hexmap.draw.markup import layer, path, tag
from laager.hexmap.draw.style import PAPER
from laager.hexmap.values import Picture

if TYPE_CHECKING:
    from laager.hexmap.areas.blocks import BlockFront
    from laager.hexmap.draw.los import LosLayer
    from laager.hexmap.frontline.front import Front
    from laager.hexmap.hexmap import HexMap


@dataclass(frozen=True)
class UnitMark:
    """One counter, or `count` equal ones, in a hex or Location.

    A concealed mark is drawn as "?" and its label is written nowhere, unless `own` says that the
    picture is for the side that owns it. With a `face` it is drawn as players know the counter, with what its `states`
    show; without one its label stands on it.
    """

    hex: str
    side: str
    label: str = ""
    concealed: bool = False
    count: int = 1
    own: bool = False
    face: Face | None = None
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class FrontOutline:
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
    lines: Mapping[str, tuple[FrontOutline, ...]]
    links: Mapping[str, tuple[tuple[str, ...], ...]]
    isolated: Mapping[str, frozenset[str]]
    no_mans_land: frozenset[str]
    uncontrolled: frozenset[str]


def front_layer(front: Front) -> FrontLayer:
    """Return the layer that shows a front."""
    return FrontLayer(
        sides=front.sides,
        clusters=front.clusters,
        lines={side: tuple(FrontOutline(mlr.letter, mlr.hexes) for mlr in front.mlrs[side]) for side in front.sides},
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
    from laager.hexmap.areas.blocks import entry_areas

    return tuple(EntryMark(area.id, area.hexes, area.arrow.colour, area.arrow.owner) for area in entry_areas(map_))


@dataclass(frozen=True)
class FortMark:
    """A fortification in a Location: its kind, whose, its label, how many, the hexside (`H7/H8`) if it lies on one.

    `hidden` is one that the other side doesn't know.
    """

    at: str
    kind: str
    side: str
    label: str = ""
    count: int = 1
    hexside: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class GroundMark:
    """What else is in a hex or Location: a lasting change of the ground, or what belongs to OBA.

    `kind` is rubble, shellholes, trailbreak, breach …, or pre-registered, observer, security; `side` is whose it is
    ("" for the ground's own); a Security Area has all its hexes in `line`.
    """

    at: str
    kind: str
    side: str = ""
    label: str = ""
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layers:
    """The layers to draw over the ground.

    `title` "" stands for the map's own. `control` says who Controls which hex or Location,
    `strategic` marks Strategic Locations, `entry` the hexes where a side comes on, `tvp` the
    worth of hexes, `highlight` what the viewer should look at; `blocks` and `entry_areas` are for
    towns of Blocks. `sides` gives the sides' names; their order fixes colours and patterns, so that
    a side looks the same in every picture.
    `sight` shows lines of sight, `flames` and `blazes` are the hexes that burn, `ground` is what play has left in hexes
    and what belongs to OBA.
    `targets` adds an invisible outline per hex, named by `data-hex`, that a page can make
    clickable. `words` has what the legend says (`legend_texts`) in the reader's language, by the English.
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
    forts: Sequence[FortMark] = ()
    flames: Iterable[str] = ()
    blazes: Iterable[str] = ()
    ground: Sequence[GroundMark] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    highlight: Iterable[str] = ()
    sight: LosLayer | None = None
    targets: bool = False
    words: Mapping[str, str] = field(default_factory=dict)


def plain_layers(map_: HexMap) -> Layers:
    """Return the layers of a map alone: Blocks if its file names any, and Entry Areas."""
    named = map_.block_lists or map_.block_names
    return Layers(blocks=block_layer(map_) if named else None, entry_areas=entry_marks(map_))


COLUMN, HEIGHT = 3 * STEP_X, 2 * STEP_Y
"""From column to column and the height of a hex, in picture units."""


@dataclass(frozen=True)
class Backdrop:
    """Pictures under a map: where each lies, and the address of its pixels.

    What is at an address is the picture's `part` alone, in any resolution. An address is a `data:`
    URL (see `embedded`), so that the drawing stands alone, or a URL that the page with the SVG can
    fetch. Only drawings with `data:` URLs become PNG. `veil` is how much of
    the paper's colour lies over the pictures, from 0 to 1, so that what is drawn over them stands
    out. `painted` draws the terrain of the map over the pictures, as thickly as this (from 0 to 1), to
    compare the two; 0 leaves it out. Raises ValueError for another veil.
    """

    pictures: tuple[tuple[Picture, str], ...]
    veil: float = 0.22
    painted: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.veil <= 1:
            raise ValueError(f"a veil of {self.veil:g} isn't valid; from 0 to 1")


def as_data_url(data: bytes, media_type: str) -> str:
    """Return the address that holds a picture itself; `media_type` such as image/png."""
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def lie_under_all(lattice: Lattice, backdrop: Backdrop) -> bool:
    """Return True if the pictures lie under the centres of all hexes; a cut one's on the edge."""
    frames = [_Frame(lattice, picture) for picture, _ in backdrop.pictures]
    return all(any(frame.holds(lattice.point(centre(place))) for frame in frames) for place in lattice.at)


def draw_backdrop(lattice: Lattice, backdrop: Backdrop) -> str:
    """Return the pictures, each stretched so that its hexes are those of the map."""
    whole = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    images = [_Frame(lattice, picture).image(address) for picture, address in backdrop.pictures]
    veil = path(whole, fill=PAPER, fill_opacity=backdrop.veil) if backdrop.veil else ""
    return layer("backdrop", [*images, veil])


class _Frame:
    """Where a picture lies, in picture units: its box, as if it were not turned, and the pivot."""

    def __init__(self, lattice: Lattice, picture: Picture) -> None:
        self.pivot = lattice.middle(picture.hex)
        self.turned = picture.reversed
        across, down = COLUMN / picture.hex_size[0], HEIGHT / picture.hex_size[1]
        x, y, width, height = picture.part
        self.left = self.pivot[0] + (x - picture.at[0]) * across
        self.top = self.pivot[1] + (y - picture.at[1]) * down
        self.width, self.height = width * across, height * down
        self.slack = 3 * across

    def holds(self, point: Point) -> bool:
        """Return True if a point lies on the picture, or at most three of its pixels off it."""
        x, y = point
        if self.turned:
            x, y = 2 * self.pivot[0] - x, 2 * self.pivot[1] - y
        inside = -self.slack <= x - self.left <= self.width + self.slack
        return inside and -self.slack <= y - self.top <= self.height + self.slack

    def image(self, address: str) -> str:
        """Return the picture as an element."""
        x, y = (f"{along:.3f}" for along in self.pivot)
        return tag(
            "image",
            x=f"{self.left:.3f}",
            y=f"{self.top:.3f}",
            width=f"{self.width:.3f}",
            height=f"{self.height:.3f}",
            preserveAspectRatio="none",
            transform=f"rotate(180 {x} {y})" if self.turned else None,
            href=address,
        )
