"""The front: the ground of each side, its lines, and No Man's Land between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot

from laager.hexmap.draw import curves
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.lattice import RADIUS, Lattice, Node, Point, corners, neighbour_across, runs
from laager.hexmap.draw.layers import BlockLayer, EntryMark, FrontLayer
from laager.hexmap.draw.marks import anchor, arrow, outer_edges, rim_edges
from laager.hexmap.draw.markup import group, layer, lettering, path, tag, use
from laager.hexmap.draw.style import HALO, INK, SideStyle
from laager.hexmap.draw.symbols import PREFIX, dots, in_hex

NML_ID = f"{PREFIX}nml"
_INSET = 3.4

Styles = Mapping[str, SideStyle]


def nml_symbol() -> str:
    """Return the definition of the dots of No Man's Land, for one hex."""
    apart = RADIUS / 4
    height = apart * 3**0.5 / 2
    points = [
        (column * apart + (apart / 2 if row % 2 else 0), row * height)
        for row in range(-3, 4)
        for column in range(-4, 5)
    ]
    # Inside the hex, and not where its name stands.
    inside = [(x, y) for x, y in points if in_hex(x, y, RADIUS * 0.93) and not (y < -18 and abs(x) < 15)]
    return tag("g", path(dots(inside, 1.5)), id=NML_ID)


def draw_front_ground(lattice: Lattice, front: FrontLayer | None, styles: Styles) -> str:
    """Return the tint and hatching of ground, No Man's Land and Isolated ground."""
    if front is None:
        return ""
    sides = [(side, styles[side]) for side in front.sides]
    parts = [
        layer("front-clusters", [_clusters(lattice, front, *side) for side in sides]),
        layer("front-isolated", [_isolated_ground(lattice, front.isolated[s], st) for s, st in sides]),
        layer("front-nml", [_no_mans_land(lattice, front.no_mans_land)]),
    ]
    return layer("front-ground", ["\n", *parts]) if any(parts) else ""


def draw_front_lines(lattice: Lattice, front: FrontLayer | None, styles: Styles) -> str:
    """Return the links and the lines around the MLRs."""
    if front is None:
        return ""
    sides = [(side, styles[side]) for side in front.sides]
    return layer("front-links", [_links(lattice, front.links[side], style) for side, style in sides]) + layer(
        "front-mlr", [_mlr(lattice, front, *side) for side in sides]
    )


def draw_front_letters(lattice: Lattice, front: FrontLayer | None, styles: Styles) -> str:
    """Return the plates with the letters of the MLRs, one on each line."""
    if front is None:
        return ""
    plates = [
        mlr_tag(_tag_spot(_outlines(lattice, line.hexes)), f"MLR {line.letter}", styles[side])
        for side in front.sides
        for line in front.lines[side]
        if line.hexes
    ]
    return layer("front-letters", plates)


def _outlines(lattice: Lattice, names: Iterable[str]) -> list[list[Point]]:
    return [lattice.points(loop) for loop in lattice.cut_area(names)]


def _clusters(lattice: Lattice, front: FrontLayer, side: str, style: SideStyle) -> str:
    """Return the tint of the ground inside a side's MLRs, and the hatching of its clusters."""
    held: frozenset[str] = frozenset().union(*(line.hexes for line in front.lines[side]))
    own: frozenset[str] = frozenset().union(*front.clusters[side])
    area = curves.closed_lines(_outlines(lattice, held | own))
    hatch = curves.hatch(_outlines(lattice, own), style.hatch, 9)
    return group(
        [
            path(area, fill=style.tint, fill_opacity=0.2, fill_rule="evenodd"),
            path(hatch, fill="none", stroke=style.colour, stroke_width=1.3, stroke_opacity=0.42),
        ],
        data_side=side,
    )


def _no_mans_land(lattice: Lattice, names: frozenset[str]) -> str:
    marks = (use(NML_ID, *lattice.middle(name)) for name in lattice.map.in_order(names))
    return group(marks, fill="#2b2b28", fill_opacity=0.72)


def _isolated_ground(lattice: Lattice, names: frozenset[str], style: SideStyle) -> str:
    """Return the cross hatching of Isolated ground."""
    outlines = _outlines(lattice, names)
    d = curves.hatch(outlines, 45, 9) + curves.hatch(outlines, -45, 9)
    edge = curves.closed_lines(curves.inset(loop, 1.6) for loop in outlines)
    return group(
        [
            path(d, stroke=style.colour, stroke_width=1.5, stroke_opacity=0.6),
            path(edge, stroke=style.colour, stroke_width=2, stroke_dasharray="2 3"),
        ],
        fill="none",
    )


def _links(lattice: Lattice, chains: Sequence[Sequence[str]], style: SideStyle) -> str:
    """Return the chains of hexes that links run through."""
    lines = [[lattice.middle(name) for name in chain] for chain in chains]
    d = "".join(curves.line(points) for points in lines)
    stops = dots((point for points in lines for point in points), 3.6)
    return group(
        [
            path(d, stroke=HALO, stroke_width=5, stroke_opacity=0.8),
            path(d, stroke=style.colour, stroke_width=2.4, stroke_dasharray="1 5"),
            path(stops, fill=style.colour, stroke=HALO, stroke_width=1.2),
        ],
        fill="none",
        stroke_linecap="round",
    )


def _mlr(lattice: Lattice, front: FrontLayer, side: str, style: SideStyle) -> str:
    """Return the thick line around each MLR, inside its border, with its letter."""
    parts = []
    for line in front.lines[side]:
        outlines = [curves.inset(loop, _INSET) for loop in _outlines(lattice, line.hexes)]
        d = curves.closed_lines(outlines)
        parts += [
            path(d, stroke=HALO, stroke_width=7, stroke_opacity=0.75),
            path(d, stroke=style.colour, stroke_width=4.4, stroke_dasharray=style.dash),
        ]
    return group(parts, fill="none", stroke_linejoin="round", data_side=side)


def _tag_spot(outlines: Sequence[Sequence[Point]]) -> Point:
    """Return the middle of the northernmost level stretch of an outline (the westernmost one)."""
    spots = [
        curves.middle(a, b)
        for loop in outlines
        for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)
        if abs(a[1] - b[1]) < 1
    ] or [outlines[0][0]]
    return min(spots, key=lambda spot: (round(spot[1]), spot[0]))


def mlr_tag(spot: Point, label: str, style: SideStyle) -> str:
    """Return the plate with a letter that sits on an MLR's line."""
    width = text_width(label, 9, bold=True) + 8
    x, y = spot
    plate = tag(
        "rect", x=round(x - width / 2, 1), y=round(y - 6.5, 1), width=round(width, 1), height=12,
        rx=3, fill=style.colour, stroke=HALO, stroke_width=1.4,
    )  # fmt: skip
    return plate + lettering(x, y + 2.8, label, 9, style.ink, stroke="none")


NOBODY = "#8d8a80"
STREET = "#2a2a30"
OUTLINE = "#5d5a50"
_BLOCK_INSET = 2.4
_FRONT_INSET = 5.2


def draw_block_ground(lattice: Lattice, town: BlockLayer | None, styles: Styles) -> str:
    """Return the tint of each side's Setup Areas and of Blocks that nobody Controls."""
    if town is None:
        return ""
    free = [hexes for name, hexes in town.blocks.items() if name not in town.control]
    nobodys = frozenset[str]().union(*free) if town.sides else frozenset()
    street = curves.closed_lines(_outlines(lattice, town.road_line))
    parts = [_setup_ground(lattice, town.held[side], styles[side], side) for side in town.sides]
    dots = _dots(lattice, nobodys)
    parts.append(path(dots, stroke=NOBODY, stroke_width=2.6, stroke_linecap="round"))
    parts.append(path(street, fill=STREET, fill_opacity=0.3, fill_rule="evenodd"))
    return layer("block-ground", parts)


def _setup_ground(lattice: Lattice, names: Iterable[str], style: SideStyle, side: str) -> str:
    outlines = _outlines(lattice, names)
    hatch = curves.hatch(outlines, style.hatch, 12)
    return group(
        [
            path(curves.closed_lines(outlines), fill=style.tint, fill_opacity=0.3,
                 fill_rule="evenodd"),
            path(hatch, fill="none", stroke=style.colour, stroke_width=1.1, stroke_opacity=0.3),
        ],
        data_side=side,
    )  # fmt: skip


def _dots(lattice: Lattice, names: Iterable[str]) -> str:
    """Return dots over the ground of nobody's Blocks."""
    strokes = []
    for name in lattice.map.in_order(names):
        x, y = lattice.middle(name)
        for dx, dy in ((-20, 0), (-10, 17), (-10, -17), (10, 17), (10, -17), (20, 0)):
            strokes.append(f"M{curves.at((x + dx, y + dy))}h.01")
    return "".join(strokes)


def draw_block_lines(lattice: Lattice, town: BlockLayer | None, styles: Styles) -> str:
    """Return the outline of every Block and the front line of each side."""
    if town is None:
        return ""
    outlines = []
    for name, hexes in town.blocks.items():
        side = town.control.get(name)
        loops = [curves.inset(loop, _BLOCK_INSET) for loop in _outlines(lattice, hexes)]
        d = curves.closed_lines(loops)
        colour = styles[side].colour if side else OUTLINE
        outlines.append(path(d, stroke=HALO, stroke_width=3.4, stroke_opacity=0.7))
        outlines.append(path(d, stroke=colour, stroke_width=1.5, stroke_dasharray="7 3"))
    front = [
        part
        for side in town.sides
        for part in front_line(
            "".join(curves.line(points) for points in _frontage(lattice, town, side)), styles[side], side
        )
    ]
    return layer("block-outlines", outlines, fill="none", stroke_linejoin="round") + layer(
        "block-front", front, fill="none", stroke_linecap="butt", stroke_linejoin="round"
    )


def front_line(d: str, style: SideStyle, side: str) -> list[str]:
    """Return the strokes of a side's front line along a path."""
    return [
        path(d, stroke=HALO, stroke_width=8),
        path(d, stroke=style.colour, stroke_width=5.4, stroke_dasharray=style.dash,
             data_side=side),
    ]  # fmt: skip


def _frontage(lattice: Lattice, town: BlockLayer, side: str) -> list[list[Point]]:
    """Return the lines along which a side's Front Line faces the streets, a little inside."""
    edges: list[tuple[Node, Node]] = []
    for name in lattice.map.in_order(town.line[side]):
        hex_ = lattice.map.hex(name)
        around, shape = corners((hex_.q, hex_.r)), lattice.shape(hex_)
        for number in range(6):
            near = lattice.at.get(neighbour_across((hex_.q, hex_.r), number))
            a, b = around[number], around[(number + 1) % 6]
            if near is not None and near.name in town.road_line and {a, b} <= set(shape):
                edges.append((a, b))
    return [curves.shift(lattice.points(run), -_FRONT_INSET) for run in runs(edges)]


def draw_block_names(lattice: Lattice, town: BlockLayer | None, styles: Styles) -> str:
    """Return a plate with its name in the middle of each Block."""
    if town is None:
        return ""
    plates = []
    for name, hexes in town.blocks.items():
        side = town.control.get(name)
        spot = lattice.middle(_heart(lattice, hexes))
        plates.append(block_plate(spot, name, styles[side] if side else None))
    return layer("block-names", plates)


def _heart(lattice: Lattice, hexes: frozenset[str]) -> str:
    """Return the hex for a Block's name: deep inside it, near its middle, on no building."""
    grid = lattice.map.grid
    inner, rings = lattice.map.mask(hexes), list[int]()
    while inner:
        rings.append(inner)
        for direction in range(6):
            inner &= grid.step(rings[-1], direction)
    clear = (ring & ~lattice.map.feature_mask("building") for ring in rings[:-3:-1])
    mask = next((ring for ring in clear if ring), rings[-1])
    spots = [lattice.middle(name) for name in lattice.map.in_order(hexes)]
    x, y = (sum(along) / len(spots) for along in zip(*spots, strict=True))

    def away(name: str) -> float:
        here = lattice.middle(name)
        return hypot(here[0] - x, here[1] - y)

    return min(grid.names_in_order(mask), key=away)


def block_plate(spot: Point, name: str, style: SideStyle | None, size: float = 17) -> str:
    """Return the plate with a Block's name, in the colours of the side that Controls it."""
    x, y = spot
    width = max(text_width(name, size, bold=True) + size * 0.7, size * 1.5)
    plate = tag(
        "rect", x=round(x - width / 2, 1), y=round(y - size * 0.72, 1), width=round(width, 1),
        height=round(size * 1.44, 1), rx=round(size * 0.3, 1),
        fill=style.colour if style else "#fbfaf3", stroke=HALO if style else INK,
        stroke_width=1.6,
    )  # fmt: skip
    return plate + lettering(x, y + size * 0.36, name, size, style.ink if style else INK)


_COLOURS = {
    "red": "#b3202c",
    "grey": "#8b8b86",
    "gray": "#8b8b86",
    "black": "#1c1c1c",
    "blue": "#27598f",
    "green": "#2f6b3c",
    "white": "#f6f4ec",
}
_LANE = 8.5


def colours(mark: EntryMark) -> tuple[str, str | None]:
    """Return the colour of a mark, and that of the stripes in it if its tag has two."""
    words = mark.colour.lower().replace("-", " ").replace("/", " ").split()
    known = [_COLOURS[word] for word in words if word in _COLOURS] or [INK]
    return known[0], known[1] if len(known) > 1 else None


def rim_colour(mark: EntryMark) -> str:
    """Return the colour of the line around a mark's arrow."""
    colour, stripe = colours(mark)
    return stripe or (INK if colour == _COLOURS["white"] else HALO)


def lanes(marks: Sequence[EntryMark]) -> list[int]:
    """Return for each mark how many bars lie between it and the map where areas overlap."""
    lane_of: list[int] = []
    for i, mark in enumerate(marks):
        taken = {lane for lane, other in zip(lane_of, marks[:i], strict=True) if set(mark.hexes) & set(other.hexes)}
        lane_of.append(next(lane for lane in range(i + 1) if lane not in taken))
    return lane_of


def draw_entry_areas(lattice: Lattice, marks: Sequence[EntryMark]) -> str:
    """Return the bars of all areas, then their arrows."""
    rim = rim_edges(lattice)
    bars, arrows = [], []
    for mark, lane in zip(marks, lanes(marks), strict=True):
        edges = [edge for name in mark.hexes for edge in outer_edges(lattice, lattice.map.hex(name), rim)]
        away = 5 + lane * _LANE
        lines = [curves.shift(lattice.points(run), away) for run in runs(edges)]
        bars.append(bar("".join(curves.line(points) for points in lines), mark))
        hex_ = lattice.map.hex(mark.arrow)
        colour, _ = colours(mark)
        arrows.append(
            arrow(lattice, anchor(lattice, hex_)[0], outer_edges(lattice, hex_, rim), colour, 1.35, rim_colour(mark))
        )
    return layer("entry-areas", [*bars, *arrows])


def bar(d: str, mark: EntryMark) -> str:
    """Return the bar of an Entry Area along a path: striped if its tag has two colours."""
    colour, stripe = colours(mark)
    edge = path(d, stroke=INK, stroke_width=7.4) if colour == _COLOURS["white"] else ""
    return group(
        [
            edge,
            path(d, stroke=colour, stroke_width=6),
            path(d, stroke=stripe, stroke_width=6, stroke_dasharray="7 7") if stripe else "",
        ],
        fill="none",
        data_arrow=mark.arrow,
    )
