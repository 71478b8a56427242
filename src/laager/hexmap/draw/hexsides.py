"""What runs along hexsides: walls, hedges, bocage, cliffs, roadblocks, row house walls."""

from __future__ import annotations

from collections.abc import Sequence

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice, Node, Point, chains, corners
from laager.hexmap.draw.markup import group, layer, path

ORDER = ("cliff", "bocage", "hedge", "wall", "rowhouse", "roadblock")


def draw_hexsides(lattice: Lattice) -> str:
    """Return all hexside terrain; neighbouring sides of one kind are drawn as one line."""
    edges: dict[str, list[tuple[Node, Node]]] = {}
    for (a, b), kinds in lattice.map.hexsides.items():
        one, other = lattice.map.hex(a), lattice.map.hex(b)
        side = lattice.toward(one, other)
        if side is None:
            continue
        around = corners((one.q, one.r))
        edge = around[side], around[(side + 1) % 6]
        for kind in kinds:
            # The line has the lower hex on its left, where a cliff's strokes go.
            downhill = other.level <= one.level
            edges.setdefault(kind, []).append(edge if downhill else (edge[1], edge[0]))
    parts = [
        group(hexside_lines(kind, _lines(lattice, kind, edges[kind])), id=f"hexsides-{kind}")
        for kind in ORDER
        if kind in edges
    ]
    return layer("hexsides", parts, fill="none", stroke_linejoin="round")


def _lines(lattice: Lattice, kind: str, edges: list[tuple[Node, Node]]) -> list[list[Point]]:
    if kind in {"cliff", "roadblock", "rowhouse"}:
        # Each stands for itself: which way it faces, or what it closes, depends on the hexside.
        return [lattice.points(edge) for edge in sorted(edges)]
    joined = chains({(min(edge), max(edge)) for edge in edges})
    return [lattice.points(chain) for chain in joined]


def hexside_lines(kind: str, lines: Sequence[Sequence[Point]]) -> list[str]:
    """Return the strokes that draw lines of a kind of hexside terrain."""
    d = "".join(curves.line(points) for points in lines)
    match kind:
        case "wall":
            return [
                path(d, stroke="#2f2f31", stroke_width=6, stroke_linecap="round"),
                path(d, stroke="#c9c8c4", stroke_width=3.4, stroke_dasharray="5 1.6"),
            ]
        case "hedge":
            return [
                path(d, stroke="#274f1f", stroke_width=6.6, stroke_linecap="round"),
                path(d, stroke="#7db45f", stroke_width=4.2, stroke_dasharray="0.1 5",
                     stroke_linecap="round"),
            ]  # fmt: skip
        case "bocage":
            return [
                path(d, stroke="#183514", stroke_width=10.5, stroke_linecap="round",
                     stroke_dasharray="0.1 7.4"),
                path(d, stroke="#183514", stroke_width=7, stroke_linecap="round"),
                path(d, stroke="#4f8640", stroke_width=4.4, stroke_dasharray="0.1 7.4",
                     stroke_linecap="round"),
            ]  # fmt: skip
        case "cliff":
            teeth = "".join(curves.ticks(curves.spaced(points, 5.5), 7) for points in lines)
            return [
                path(teeth, stroke="#4d3012", stroke_width=1.6),
                path(d, stroke="#4d3012", stroke_width=3.2, stroke_linecap="round"),
            ]
        case "roadblock":
            short = [_middle_part(points, 0.16) for points in lines]
            bars = "".join(curves.line(points) for points in short)
            return [
                path(bars, stroke="#1f1f1d", stroke_width=9),
                path(bars, stroke="#f2c230", stroke_width=6),
                path(bars, stroke="#1f1f1d", stroke_width=6, stroke_dasharray="4 4"),
            ]
        case _:
            return [path(d, stroke="#151515", stroke_width=5.6)]


def _middle_part(points: Sequence[Point], cut: float) -> list[Point]:
    a, b = points[0], points[-1]
    return [curves.between(a, b, cut), curves.between(a, b, 1 - cut)]
