"""The legend: samples of what is on this map and in this picture, and of nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from laager.hexmap.draw import features, forts, ground, los, marks, terrain
from laager.hexmap.draw.counters import Face
from laager.hexmap.draw.fonts import clip_text
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import BlockLayer, EntryMark, FrontLayer, Layers, UnitMark
from laager.hexmap.draw.legend_samples import (
    block_front_sample,
    block_sample,
    cluster_sample,
    course_sample,
    entry_area_sample,
    entry_sample,
    feature_sample,
    free_block_sample,
    front_street_sample,
    hexside_sample,
    highlight_sample,
    isolated_sample,
    level_sample,
    link_sample,
    mlr_sample,
    no_mans_land_sample,
    terrain_sample,
)
from laager.hexmap.draw.markup import group, layer, number, tag, text, use
from laager.hexmap.draw.style import GROUNDS, INK, SideStyle, level_tint
from laager.hexmap.terrain import ROADS, WATERCOURSES

COLUMN = 214.0
"""Width of a column of the legend, in picture units."""

ROW = 26.0
_HEAD = 37.0
_SAMPLE = 46.0


@dataclass(frozen=True)
class LegendItem:
    """One line of the legend: a sample, drawn around the origin, and its label."""

    sample: str
    label: str


@dataclass(frozen=True)
class LegendSection:
    """A heading and the lines below it."""

    heading: str
    items: tuple[LegendItem, ...]

    @property
    def height(self) -> float:
        """How much of a column it takes."""
        return _HEAD + ROW * len(self.items)


Styles = Mapping[str, SideStyle]

OTHER_LABELS = (
    "Open ground", "Level {n}", "Upper levels", "Cellar (bar)", "Slope", "Looks from here",
    "Beyond {n} hexes: not looked at", "Control: {side}", "Entry: {side}", "Units: {side}", "Concealed: {side}",
    "Flame", "Blaze", "Strategic Location", "TVP", "Marked hexes", "MLR: {side}", "Controlled Terrain: {side}",
    "Isolated: {side}", "Link: {side}", "No Man\u2019s Land", "Setup Areas: {side}", "Front line: {side}",
    "Front line street", "Block of nobody", "Block",
)  # fmt: skip
"""Labels that stand in no table of kinds; `{n}` is a number, `{side}` what a side is called."""
_FIGURE = re.compile(r"\u2212?\d+")

PRINTED = ("Ground", "Roads and water", "Buildings and hexsides")
"""The headings of what is printed on the map."""


def legend_sections(lattice: Lattice, layers: Layers, styles: Styles, land: bool = True) -> list[LegendSection]:
    """Return the sections of the legend that have items; without `land` those of the situation alone."""
    candidates = [
        LegendSection("Ground", tuple(_ground(lattice) if land else ())),
        LegendSection("Roads and water", tuple(_courses(lattice) if land else ())),
        LegendSection("Buildings and hexsides", tuple(_buildings_and_hexsides(lattice) if land else ())),
        LegendSection("Line of sight", tuple(_los(layers))),
        LegendSection("Situation", tuple(_situation(layers, styles))),
        LegendSection("Fortifications", tuple(_fortifications(layers, styles))),
    ]
    return [section for section in candidates if section.items]


def _ground(lattice: Lattice) -> list[LegendItem]:
    base = level_tint(terrain.base_level(lattice))
    levels = sorted(lattice.map.level_masks)
    items = []
    if len(levels) > 1:
        items = [LegendItem(level_sample(n), f"Level {n}".replace("-", "\u2212")) for n in levels]
    if any(hex_.terrain == "open" for hex_ in lattice.at.values()):
        items.append(LegendItem(terrain_sample("open", base), "Open ground"))
    kinds = terrain.kinds(lattice)
    items += [LegendItem(terrain_sample(kind, base), GROUNDS[kind].label) for kind in kinds]
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


FORT_NAMES = {
    "foxhole": "Foxhole (by its room)",
    "sangar": "Sangar",
    "trench": "Trench",
    "concealment": "Dummy “?”",
    "hip": "Hidden unit",
    "roadblock": "Roadblock",
    "wire": "Wire",
    "pillbox": "Pillbox",
    "fortified-building": "Fortified building",
    "tunnel": "Tunnel",
    "booby-traps": "Booby traps",
    "a-t-ditch": "A-T ditch",
    "a-p-mines": "A-P mines",
    "a-t-mines": "A-T mines",
    "a-b-mines": "A-B mines",
    "set-dc": "Set DC",
    "known-minefield": "Known minefield",
    "dummy-minefield": "Dummy minefield",
    "cave": "Cave",
    "cave-complex": "Cave complex",
    "tetrahedrons": "Tetrahedrons",
    "panji": "Panji",
    "trip-flares": "Trip flares",
}
"""What the legend calls kinds of fortifications."""


def _courses(lattice: Lattice) -> list[LegendItem]:
    courses = {course.kind for course in (*lattice.map.roads, *lattice.map.watercourses)}
    # A river may be terrain and a watercourse too; one line explains both.
    courses -= set(terrain.kinds(lattice))
    items = [LegendItem(course_sample(kind), _ROAD_LABELS[kind]) for kind in (*ROADS, *WATERCOURSES) if kind in courses]
    features = {feature for hex_ in lattice.at.values() for feature in hex_.features}
    items += [LegendItem(feature_sample(kind), label) for kind, label in _FEATURE_LABELS.items() if kind in features]
    return items


def _buildings_and_hexsides(lattice: Lattice) -> list[LegendItem]:
    materials = {building.material for building in lattice.map.buildings}
    items = [
        LegendItem(features.sample(material), label)
        for material, label in _MATERIAL_LABELS.items()
        if material in materials
    ]
    if any(building.levels for building in lattice.map.buildings):
        items.append(LegendItem(features.plate(1), "Upper levels"))
    if any(building.cellar for building in lattice.map.buildings):
        items.append(LegendItem(features.plate(0, cellar=True), "Cellar (bar)"))
    kinds = frozenset[str]().union(*lattice.map.hexsides.values())
    items += [LegendItem(hexside_sample(kind), _HEXSIDE_LABELS[kind]) for kind in features.ORDER if kind in kinds]
    if lattice.map.slopes:
        items.append(LegendItem(hexside_sample("slope"), "Slope"))
    return items


def _los(layers: Layers) -> list[LegendItem]:
    if layers.sight is None:
        return []
    sight = layers.sight
    items = [LegendItem(los.los_sample(kind), los.KINDS[kind]) for kind in los.kinds_shown(sight)]
    if sight.spots and sight.thread is None:
        items.append(LegendItem(los.spot_sample(), "Looks from here"))
    if sight.reach is not None:
        items.append(LegendItem(los.unseen_sample(), f"Beyond {sight.reach} hexes: not looked at"))
    return items


def _situation(layers: Layers, styles: Styles) -> list[LegendItem]:
    def side_name(side: str) -> str:
        return layers.sides.get(side, side)

    def items_of(sides: Mapping[str, object] | set[str], sample: Callable[[SideStyle], str],
                 label: str) -> list[LegendItem]:  # fmt: skip
        return [LegendItem(sample(styles[side]), label.format(side_name(side))) for side in styles if side in sides]

    items = items_of(set(layers.control.values()), lambda style: marks.flag(-5, 0, style), "Control: {}")
    if layers.front is not None:
        items += _front(layers.front, styles, side_name)
    if layers.blocks is not None:
        items += _blocks(layers.blocks, styles, side_name)
    for mark in {(area.colour, area.owner): area for area in layers.entry_areas}.values():
        items.append(LegendItem(entry_area_sample(mark), _entry_label(mark, side_name)))
    items += items_of({side for side, hexes in layers.entry.items() if hexes}, entry_sample, "Entry: {}")
    shown = {mark.side for mark in layers.units if not mark.concealed or mark.own}
    hidden = {mark.side for mark in layers.units if mark.concealed and not mark.own}
    faces = {mark.side: mark.face for mark in reversed(layers.units) if not mark.concealed or mark.own}
    items += [
        LegendItem(_counter(styles[side], concealed=False, face=faces.get(side)), f"Units: {side_name(side)}")
        for side in styles
        if side in shown
    ]
    items += items_of(hidden, lambda style: _counter(style, concealed=True), "Concealed: {}")
    items += _states(layers, styles)
    items += _ground_marks(layers, styles)
    if tuple(layers.flames):
        items.append(LegendItem(forts.flame(blaze=False), "Flame"))
    if tuple(layers.blazes):
        items.append(LegendItem(forts.flame(blaze=True), "Blaze"))
    if layers.strategic:
        items.append(LegendItem(use(marks.STAR_ID, 0, 0), "Strategic Location"))
    if layers.tvp:
        items.append(LegendItem(marks.tvp_badge(0, 0, 2), "TVP"))
    if layers.highlight:
        items.append(LegendItem(highlight_sample(), "Marked hexes"))
    return items


def _ground_marks(layers: Layers, styles: Styles) -> list[LegendItem]:
    """Return a line for each lasting change of the ground, and for what belongs to OBA."""
    first = {mark.kind: mark for mark in reversed(layers.ground)}
    return [
        LegendItem(ground.ground_sign(first[kind], styles.get(first[kind].side)), ground.NAMES.get(kind, kind))
        for kind in (*ground.NAMES, *sorted(set(first) - set(ground.NAMES)))
        if kind in first
    ]


def _fortifications(layers: Layers, styles: Styles) -> list[LegendItem]:
    """Return one line for each kind that is on the map, by its name without its strength."""
    first = {mark.kind: replace(mark, count=1, hidden=False) for mark in reversed(layers.forts)}
    return [
        LegendItem(forts.fort_plate(mark, styles[mark.side]), FORT_NAMES.get(kind, kind))
        for kind, mark in sorted(first.items())
    ]


STATE_NAMES: Mapping[str, str] = {
    "broken": "Broken",
    "wounded": "Wounded",
    "fanatic": "Fanatic",
    "heroic": "Heroic",
    "prisoner": "Prisoners",
    "concealed": "Your own under “?”",
    "hip": "Your own, hidden",
    "cloaked": "Your own, Cloaked",
    "malfunctioned": "Malfunctioned",
    "ma-malfunctioned": "MA malfunctioned",
    "disabled": "Disabled",
    "ma-disabled": "MA disabled",
    "wreck": "Wreck",
    "burning": "Burning wreck",
    "reserve": "In Reserve",
}
"""What the legend calls the states that lie over a whole counter."""


def _states(layers: Layers, styles: Styles) -> list[LegendItem]:
    """Return one line for each state that lies over a whole counter on this map."""
    first = {
        state: mark
        for mark in reversed(layers.units)
        for state in mark.states
        if mark.face is not None and not (state == "wreck" and "burning" in mark.states)
    }
    return [
        LegendItem(_counter(styles[first[state].side], concealed=False, face=first[state].face, state=state), name)
        for state, name in STATE_NAMES.items()
        if state in first
    ]


def _counter(style: SideStyle, *, concealed: bool, face: Face | None = None, state: str = "") -> str:
    states = (state,) if state else ()
    mark = UnitMark("", "", "", concealed, own=face is not None, face=face, states=states)
    return marks.counter(0, 0, mark, style, 0.68)


def _front(front: FrontLayer, styles: Styles, side_name: Callable[[str], str]) -> list[LegendItem]:
    samples: Sequence[tuple[str, Mapping[str, object], Callable[[SideStyle], str]]] = (
        ("MLR: {}", front.lines, mlr_sample),
        ("Controlled Terrain: {}", front.clusters, cluster_sample),
        ("Isolated: {}", front.isolated, isolated_sample),
        ("Link: {}", front.links, link_sample),
    )
    items = [
        LegendItem(sample(styles[side]), label.format(side_name(side)))
        for label, there, sample in samples
        for side in front.sides
        if there[side]
    ]
    if front.no_mans_land:
        items.append(LegendItem(no_mans_land_sample(), "No Man\u2019s Land"))
    return items


def _blocks(town: BlockLayer, styles: Styles, side_name: Callable[[str], str]) -> list[LegendItem]:
    items = [
        LegendItem(block_sample(styles[side]), f"Setup Areas: {side_name(side)}")
        for side in town.sides
        if town.held[side]
    ]
    items += [
        LegendItem(block_front_sample(styles[side], side), f"Front line: {side_name(side)}")
        for side in town.sides
        if town.line[side]
    ]
    if town.road_line:
        items.append(LegendItem(front_street_sample(), "Front line street"))
    if not town.blocks.keys() <= town.control.keys():
        items.append(LegendItem(free_block_sample(), "Block of nobody" if town.sides else "Block"))
    return items


def _entry_label(mark: EntryMark, side_name: Callable[[str], str]) -> str:
    return f"Entry: {side_name(mark.owner) if mark.owner else mark.colour or mark.arrow}"


def columns(sections: Sequence[LegendSection], height: float) -> list[list[LegendSection]]:
    """Return sections in columns no higher than `height`.

    Sections are cut only if that saves a column; the rest of a cut one has no heading.
    """
    whole, cut = _fill_columns(sections, height, whole=True), _fill_columns(sections, height, whole=False)
    return cut if len(cut) < len(whole) else whole


def _fill_columns(sections: Sequence[LegendSection], height: float, *, whole: bool) -> list[list[LegendSection]]:
    placed: list[list[LegendSection]] = [[]]
    left = height
    for section in sections:
        rest = section
        while rest.items:
            room = int((left - _HEAD) / ROW)
            least = len(rest.items) if whole and section.height <= height else 2
            if room < min(least, len(rest.items)) and placed[-1]:
                placed.append([])
                left = height
                continue
            fit = max(room, 1)
            placed[-1].append(LegendSection(rest.heading, rest.items[:fit]))
            left -= placed[-1][-1].height
            rest = LegendSection("", rest.items[fit:])
    return placed


def columns_across(sections: Sequence[LegendSection], across: int) -> list[list[LegendSection]]:
    """Return sections in at most `across` columns, as low as they can be."""
    height = max(sum(section.height for section in sections) / across, 3 * ROW + _HEAD)
    placed = columns(sections, height)
    while len(placed) > across:
        height += ROW / 2
        placed = columns(sections, height)
    return placed


def legend_texts() -> Iterator[str]:
    """Yield what a legend can say: headings and labels; `{n}` is a number, `{side}` what a side is called."""
    yield from (*PRINTED, "Line of sight", "Situation", "Fortifications")
    yield from (GROUNDS[kind].label for kind in GROUNDS)
    tables = (_ROAD_LABELS, _FEATURE_LABELS, _HEXSIDE_LABELS, _MATERIAL_LABELS, FORT_NAMES, STATE_NAMES, ground.NAMES)
    for labels in (*tables, los.KINDS):
        yield from labels.values()
    yield from OTHER_LABELS


def _translate(label: str, words: Mapping[str, str]) -> str:
    """Return a heading or a label in the reader's words; what a side is called is in them already."""
    head, colon, side = label.partition(": ")
    figure = _FIGURE.search(label)
    kinds = {label: "", f"{head}{colon}{{side}}": side, _FIGURE.sub("{n}", label): figure[0] if figure else ""}
    part = next((kind for kind in kinds if kind in words), "")
    return words[part].format(side=kinds[part], n=kinds[part]) if part else label


def draw_legend(
    placed: Sequence[Sequence[LegendSection]], left: float, top: float, words: Mapping[str, str] | None = None
) -> str:
    """Return the legend with its upper left corner at a point, in other words than English if there are any."""
    parts = []
    for i, column in enumerate(placed):
        y = top
        for section in column:
            parts.append(_section(section, left + i * COLUMN, y, words or {}))
            y += section.height
    return layer("legend", parts)


def _section(section: LegendSection, x: float, y: float, words: Mapping[str, str]) -> str:
    rule = tag("path", d=f"M{number(x)} {number(y + 29)}h{COLUMN - 24:g}", stroke="#b9b8ab",
               stroke_width=1)  # fmt: skip
    head = text(x, y + 23, _translate(section.heading, words), font_size=12.5, font_weight="bold", fill=INK)
    if not section.heading:
        head = rule = ""
    lines = []
    for i, item in enumerate(section.items):
        middle = y + _HEAD + ROW * (i + 0.5)
        lines.append(group([item.sample], transform=f"translate({number(x + 20)} {number(middle)})"))
        label = clip_text(_translate(item.label, words), 12, COLUMN - _SAMPLE - 14)
        lines.append(text(x + _SAMPLE, middle + 4.2, label, font_size=12, fill=INK))
    return head + rule + "".join(lines)
