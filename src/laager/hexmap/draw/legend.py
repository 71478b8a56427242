"""The legend: samples of what is on this map and in this picture, and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from laager.hexmap.draw import buildings, features, marks, swatches, terrain, units
from laager.hexmap.draw.fonts import clipped
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import BlockLayer, EntryMark, FrontLayer, Layers, UnitMark
from laager.hexmap.draw.markup import group, layer, number, tag, text, use
from laager.hexmap.draw.style import GROUNDS, INK, SideStyle, level_tint
from laager.hexmap.terrain import ROADS, WATERCOURSES

COLUMN = 214.0
"""Width of a column of the legend."""

ROW = 26.0
_HEAD = 37.0
_SAMPLE = 46.0


@dataclass(frozen=True)
class Item:
    """One line of the legend: a sample, drawn around the origin, and its label."""

    sample: str
    label: str


@dataclass(frozen=True)
class Section:
    """A heading and the lines below it."""

    heading: str
    items: tuple[Item, ...]

    @property
    def height(self) -> float:
        """How much of a column it takes."""
        return _HEAD + ROW * len(self.items)


Styles = Mapping[str, SideStyle]


def sections(lattice: Lattice, layers: Layers, styles: Styles, land: bool = True) -> list[Section]:
    """Return what the legend has to explain; without `land`, of the situation alone."""
    found = [
        Section("Ground", tuple(_ground(lattice) if land else ())),
        Section("Roads and water", tuple(_courses(lattice) if land else ())),
        Section("Buildings and hexsides", tuple(_built(lattice) if land else ())),
        Section("Situation", tuple(_situation(layers, styles))),
    ]
    return [section for section in found if section.items]


def _ground(lattice: Lattice) -> list[Item]:
    base = level_tint(terrain.base_level(lattice))
    levels = sorted(lattice.map.level_masks)
    items = []
    if len(levels) > 1:
        items = [Item(swatches.level(n), f"Level {n}".replace("-", "\u2212")) for n in levels]
    if any(one.terrain == "open" for one in lattice.at.values()):
        items.append(Item(swatches.terrain("open", base), "Open ground"))
    kinds = terrain.kinds(lattice)
    items += [Item(swatches.terrain(kind, base), GROUNDS[kind].label) for kind in kinds]
    return items


_ROAD_LABELS = {
    "paved": "Paved road",
    "unpaved": "Unpaved road",
    "path": "Path",
    "runway": "Runway",
    "railway": "Railway",
    "stream": "Stream",
    "river": "River",
    "canal": "Canal",
    "gully": "Gully",
}
_FEATURE_LABELS = {
    "bridge": "Bridge",
    "ford": "Ford",
    "pier": "Pier",
    "seawall": "Seawall",
    "hilltop": "Hilltop",
    "hillock-summit": "Hillock summit",
    "blockhouse": "Blockhouse",
}
_HEXSIDE_LABELS = {
    "wall": "Wall",
    "hedge": "Hedge",
    "bocage": "Bocage",
    "cliff": "Cliff",
    "roadblock": "Roadblock",
    "rowhouse": "Row house wall",
}
_MATERIAL_LABELS = {"stone": "Stone building", "wooden": "Wooden building", "hut": "Huts"}


def _courses(lattice: Lattice) -> list[Item]:
    there = {one.kind for one in (*lattice.map.roads, *lattice.map.watercourses)}
    # A river may be terrain and a watercourse too; one line explains both.
    there -= set(terrain.kinds(lattice))
    items = [Item(swatches.course(kind), _ROAD_LABELS[kind]) for kind in (*ROADS, *WATERCOURSES) if kind in there]
    features = {feature for one in lattice.at.values() for feature in one.features}
    items += [Item(swatches.feature(kind), label) for kind, label in _FEATURE_LABELS.items() if kind in features]
    return items


def _built(lattice: Lattice) -> list[Item]:
    there = {building.material for building in lattice.map.buildings}
    items = [
        Item(buildings.sample(material), label) for material, label in _MATERIAL_LABELS.items() if material in there
    ]
    if any(building.levels for building in lattice.map.buildings):
        items.append(Item(buildings.plate(1), "Upper levels"))
    if any(building.cellar for building in lattice.map.buildings):
        items.append(Item(buildings.plate(0, cellar=True), "Cellar (bar)"))
    kinds = {kind for found in lattice.map.hexsides.values() for kind in found}
    items += [Item(swatches.hexside(kind), _HEXSIDE_LABELS[kind]) for kind in features.ORDER if kind in kinds]
    return items


def _situation(layers: Layers, styles: Styles) -> list[Item]:
    def named(side: str) -> str:
        return layers.sides.get(side, side)

    def each(there: Mapping[str, object] | set[str], sample: Callable[[SideStyle], str],
             label: str) -> list[Item]:  # fmt: skip
        return [Item(sample(styles[side]), label.format(named(side))) for side in styles if side in there]

    items = each(set(layers.control.values()), lambda style: marks.flag(-5, 0, style), "Control: {}")
    if layers.front is not None:
        items += _front(layers.front, styles, named)
    if layers.blocks is not None:
        items += _blocks(layers.blocks, styles, named)
    for mark in {(one.colour, one.owner): one for one in layers.entry_areas}.values():
        items.append(Item(swatches.entry_area(mark), _entry_label(mark, named)))
    items += each({side for side, hexes in layers.entry.items() if hexes}, swatches.entry, "Entry: {}")
    shown = {mark.side for mark in layers.units if not mark.concealed or mark.own}
    hidden = {mark.side for mark in layers.units if mark.concealed and not mark.own}
    items += each(shown, lambda style: _counter(style, concealed=False), "Units: {}")
    items += each(hidden, lambda style: _counter(style, concealed=True), "Concealed: {}")
    if layers.strategic:
        items.append(Item(use(marks.STAR_ID, 0, 0), "Strategic Location"))
    if layers.tvp:
        items.append(Item(marks.tvp_badge(0, 0, 2), "TVP"))
    if layers.highlight:
        items.append(Item(swatches.highlight(), "Marked hexes"))
    return items


def _counter(style: SideStyle, *, concealed: bool) -> str:
    mark = UnitMark("", "", "", concealed)
    return units.counter(0, 0, mark, style, 0.68)


def _front(front: FrontLayer, styles: Styles, named: Callable[[str], str]) -> list[Item]:
    samples: Sequence[tuple[str, Mapping[str, object], Callable[[SideStyle], str]]] = (
        ("MLR: {}", front.lines, swatches.mlr),
        ("Controlled Terrain: {}", front.clusters, swatches.cluster),
        ("Isolated: {}", front.isolated, swatches.isolated),
        ("Link: {}", front.links, swatches.link),
    )
    items = [
        Item(sample(styles[side]), label.format(named(side)))
        for label, there, sample in samples
        for side in front.sides
        if there[side]
    ]
    if front.no_mans_land:
        items.append(Item(swatches.no_mans_land(), "No Man\u2019s Land"))
    return items


def _blocks(town: BlockLayer, styles: Styles, named: Callable[[str], str]) -> list[Item]:
    items = [
        Item(swatches.block(styles[side]), f"Setup Areas: {named(side)}") for side in town.sides if town.held[side]
    ]
    items += [
        Item(swatches.block_front(styles[side], side), f"Front line: {named(side)}")
        for side in town.sides
        if town.line[side]
    ]
    if town.road_line:
        items.append(Item(swatches.front_street(), "Front line street"))
    if not town.blocks.keys() <= town.control.keys():
        items.append(Item(swatches.free_block(), "Block of nobody" if town.sides else "Block"))
    return items


def _entry_label(mark: EntryMark, named: Callable[[str], str]) -> str:
    return f"Entry: {named(mark.owner) if mark.owner else mark.colour or mark.arrow}"


def columns(found: Sequence[Section], height: float) -> list[list[Section]]:
    """Return sections put into columns no higher than given.

    Sections are cut only if that saves a column; the rest of a cut one has no heading.
    """
    whole, cut = _packed(found, height, whole=True), _packed(found, height, whole=False)
    return cut if len(cut) < len(whole) else whole


def _packed(found: Sequence[Section], height: float, *, whole: bool) -> list[list[Section]]:
    placed: list[list[Section]] = [[]]
    left = height
    for section in found:
        rest = section
        while rest.items:
            room = int((left - _HEAD) / ROW)
            least = len(rest.items) if whole and section.height <= height else 2
            if room < min(least, len(rest.items)) and placed[-1]:
                placed.append([])
                left = height
                continue
            fit = max(room, 1)
            placed[-1].append(Section(rest.heading, rest.items[:fit]))
            left -= placed[-1][-1].height
            rest = Section("", rest.items[fit:])
    return placed


def columns_across(found: Sequence[Section], across: int) -> list[list[Section]]:
    """Return sections put into at most so many columns, as low as they can be."""
    height = max(sum(section.height for section in found) / across, 3 * ROW + _HEAD)
    placed = columns(found, height)
    while len(placed) > across:
        height += ROW / 2
        placed = columns(found, height)
    return placed


def draw_legend(placed: Sequence[Sequence[Section]], left: float, top: float) -> str:
    """Return the legend with its upper left corner at a point."""
    parts = []
    for i, column in enumerate(placed):
        y = top
        for section in column:
            parts.append(_section(section, left + i * COLUMN, y))
            y += section.height
    return layer("legend", parts)


def _section(section: Section, x: float, y: float) -> str:
    rule = tag("path", d=f"M{number(x)} {number(y + 29)}h{COLUMN - 24:g}", stroke="#b9b8ab",
               stroke_width=1)  # fmt: skip
    head = text(x, y + 23, section.heading, font_size=12.5, font_weight="bold", fill=INK)
    if not section.heading:
        head = rule = ""
    lines = []
    for i, item in enumerate(section.items):
        middle = y + _HEAD + ROW * (i + 0.5)
        lines.append(group([item.sample], transform=f"translate({number(x + 20)} {number(middle)})"))
        label = clipped(item.label, 12, COLUMN - _SAMPLE - 14)
        lines.append(text(x + _SAMPLE, middle + 4.2, label, font_size=12, fill=INK))
    return head + rule + "".join(lines)
