"""The front: what ground each side holds, its lines, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from laager.hexmap.draw import curves
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.lattice import RADIUS, Lattice, Point
from laager.hexmap.draw.layers import FrontLayer
from laager.hexmap.draw.markup import group, layer, path, tag, text, use
from laager.hexmap.draw.style import HALO, SideStyle
from laager.hexmap.draw.symbols import PREFIX, dots, in_hex

NML_ID = f"{PREFIX}nml"
_INSET = 3.4


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


Styles = Mapping[str, SideStyle]


def draw_front_ground(lattice: Lattice, front: FrontLayer | None, styles: Styles) -> str:
    """Return what covers the ground: tint and hatching, No Man's Land, Isolated ground."""
    if front is None:
        return ""
    sides = [(side, styles[side]) for side in front.sides]
    parts = [
        layer("front-clusters", [_clusters(lattice, front, *side) for side in sides]),
        layer("front-isolated", [_isolated(lattice, front.isolated[s], st) for s, st in sides]),
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
    """Return the tint of all that a side's MLRs hold, and the hatching of its clusters."""
    held: frozenset[str] = frozenset().union(*(line.hexes for line in front.lines[side]))
    own: frozenset[str] = frozenset().union(*front.clusters[side])
    area = curves.closed_lines(_outlines(lattice, held | own))
    hatch = curves.hatched(_outlines(lattice, own), style.hatch, 9)
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


def _isolated(lattice: Lattice, names: frozenset[str], style: SideStyle) -> str:
    """Return the cross hatching of Isolated ground."""
    outlines = _outlines(lattice, names)
    d = curves.hatched(outlines, 45, 9) + curves.hatched(outlines, -45, 9)
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
    shown = text(
        x, y + 2.8, label, font_size=9, font_weight="bold", text_anchor="middle",
        fill=style.ink, stroke="none",
    )  # fmt: skip
    return plate + shown
