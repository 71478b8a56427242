"""Samples for the legend: small pieces of what is on a map, each drawn by what draws it there.

A sample lies around the origin, in a box of about 34 by 24 units.
"""

from __future__ import annotations

from laager.hexmap.draw import curves, front, terrain
from laager.hexmap.draw.features import blockhouse, bridge, ford, hexside_lines, pier, summit
from laager.hexmap.draw.front import NML_ID
from laager.hexmap.draw.lattice import CORNERS, STEP_X, STEP_Y, Point
from laager.hexmap.draw.layers import EntryMark
from laager.hexmap.draw.markup import group, path, use
from laager.hexmap.draw.style import CONTOUR, GROUNDS, HALO, SideStyle, level_tint
from laager.hexmap.draw.symbols import dots, symbol_id, variants
from laager.hexmap.draw.terrain import cover

HEXAGON: tuple[Point, ...] = tuple((x * STEP_X, y * STEP_Y) for x, y in CORNERS)
_SMALL = "scale(0.33)"
_BEND = "M-17 3C-6 -7 6 9 17 -3"
_BOX: tuple[Point, ...] = ((-16.0, -10.0), (16.0, -10.0), (16.0, 10.0), (-16.0, 10.0))


def terrain_sample(kind: str, ground: str) -> str:
    """Return a small hex of a kind of terrain on ground of a colour."""
    inner = [path(curves.line(HEXAGON, closed=True), fill=ground)]
    if kind in GROUNDS:
        inner.append(cover(GROUNDS[kind], [HEXAGON]))
    if variants(kind):
        inner.append(use(symbol_id(kind, 0), 0, 0))
    rim = path(curves.line(HEXAGON, closed=True), fill="none", stroke="#45463c", stroke_width=2)
    return group([*inner, rim], transform=_SMALL)


def level_sample(number: int) -> str:
    """Return a small hex in the tint of a level."""
    d = curves.line(HEXAGON, closed=True)
    return group([path(d, fill=level_tint(number), stroke=CONTOUR, stroke_width=3)], transform=_SMALL)


def course_sample(kind: str) -> str:
    """Return a piece of a road or watercourse, wide ones at half their size."""
    if kind in {"river", "canal", "runway"}:
        return group([terrain.sample(kind, "M-16 0H16")], transform="scale(1 0.5)")
    return terrain.sample(kind, _BEND)


def hexside_sample(kind: str) -> str:
    """Return a piece of hexside terrain."""
    length = 12.0 if kind == "roadblock" else 15.0
    return group(hexside_lines(kind, [[(-length, 0.0), (length, 0.0)]]), fill="none")


def feature_sample(kind: str) -> str:
    """Return a feature."""
    match kind:
        case "bridge":
            return group([bridge((0, 0), (1, 0), 13)], transform="scale(0.8)")
        case "ford":
            return ford((0, 0), (1, 0))
        case "pier":
            return group([pier((-13, 0), (1, 0))], transform="scale(0.8)")
        case "seawall":
            d = "M-14 0H14"
            return path(d, stroke="#3f4144", stroke_width=6) + path(
                d, stroke="#dcdcd6", stroke_width=3.2, stroke_dasharray="2.4 2.4"
            )
        case "blockhouse":
            return group([blockhouse((0, 0))], transform="scale(0.72)")
        case _:
            return summit((0, 1), printed=kind == "hilltop")


def cluster_sample(style: SideStyle) -> str:
    """Return the tint and hatching of Controlled Terrain."""
    d = curves.line(_BOX, closed=True)
    hatch = curves.hatch([_BOX], style.hatch, 6)
    return path(d, fill=style.tint, fill_opacity=0.3) + path(
        hatch, stroke=style.colour, stroke_width=1.3, stroke_opacity=0.6
    )


def isolated_sample(style: SideStyle) -> str:
    """Return the cross hatching of Isolated ground."""
    d = curves.hatch([_BOX], 45, 6) + curves.hatch([_BOX], -45, 6)
    edge = curves.line(_BOX, closed=True)
    return path(d, stroke=style.colour, stroke_width=1.4, stroke_opacity=0.7) + path(
        edge, fill="none", stroke=style.colour, stroke_width=1.8, stroke_dasharray="2 3"
    )


def mlr_sample(style: SideStyle) -> str:
    """Return a piece of an MLR's line."""
    return path("M-18 0H18", stroke=style.colour, stroke_width=4.4, stroke_dasharray=style.dash)


def link_sample(style: SideStyle) -> str:
    """Return a piece of a link."""
    line = path(
        "M-15 0H15", stroke=style.colour, stroke_width=2.4, stroke_dasharray="1 5",
        stroke_linecap="round",
    )  # fmt: skip
    return line + path(dots(((-15, 0), (15, 0)), 3.6), fill=style.colour, stroke=HALO, stroke_width=1)


def no_mans_land_sample() -> str:
    """Return a small hex of No Man's Land."""
    rim = path(curves.line(HEXAGON, closed=True), fill="none", stroke="#45463c", stroke_width=2)
    marks = group([use(NML_ID, 0, 0)], fill="#2b2b28", fill_opacity=0.72)
    return group([marks, rim], transform=_SMALL)


def entry_sample(style: SideStyle) -> str:
    """Return an entry arrow with its bar."""
    bar = path("M-12 -11V11", stroke=style.colour, stroke_width=5, stroke_dasharray=style.dash and "7 3")
    return bar + path("M-17 -3H-2V-8L11 0L-2 8V3H-17Z", fill=style.colour, stroke=HALO)


def highlight_sample() -> str:
    """Return a ringed hex."""
    d = curves.line(curves.inset(HEXAGON, 5), closed=True)
    strokes = (("#1b1b1b", 16), ("#ffe14d", 9))
    rings = [path(d, fill="none", stroke=colour, stroke_width=width) for colour, width in strokes]
    return group(rings, transform="scale(0.32)")


def block_sample(style: SideStyle) -> str:
    """Return the tint and hatching of a Setup Area."""
    d = curves.line(_BOX, closed=True)
    hatch = curves.hatch([_BOX], style.hatch, 8)
    return (
        path(d, fill=style.tint, fill_opacity=0.3)
        + path(hatch, stroke=style.colour, stroke_width=1.1, stroke_opacity=0.4)
        + path(d, fill="none", stroke=style.colour, stroke_width=1.5, stroke_dasharray="7 3")
    )


def free_block_sample() -> str:
    """Return the plate of a Block that nobody Controls, inside its outline."""
    d = curves.line(_BOX, closed=True)
    edge = path(d, fill="none", stroke=front.OUTLINE, stroke_width=1.5, stroke_dasharray="7 3")
    return edge + front.block_plate((0, 0), "A", None, 10)


def block_front_sample(style: SideStyle, side: str) -> str:
    """Return a piece of a side's front line."""
    return group(front.front_line("M-18 0H18", style, side), fill="none")


def front_street_sample() -> str:
    """Return a street in the front line."""
    d = curves.line(_BOX, closed=True)
    return path(d, fill=front.STREET, fill_opacity=0.3) + terrain.sample("paved", "M-16 0H16")


def entry_area_sample(mark: EntryMark) -> str:
    """Return the arrow and the bar of an Entry Area."""
    colour, _ = front.colours(mark)
    rim = front.rim_colour(mark)
    head = path("M-8 -3.5H4V-9L17 0L4 9V3.5H-8Z", fill=colour, stroke=rim)
    return front.bar("M-13 -11V11", mark) + head
