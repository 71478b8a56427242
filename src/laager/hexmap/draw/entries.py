"""Entry Areas: a big arrow in the colour of its module, and a bar along the edge of the map."""

from __future__ import annotations

from collections.abc import Sequence

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice, runs
from laager.hexmap.draw.layers import EntryMark
from laager.hexmap.draw.marks import anchor, arrow, outer_edges, rim_edges
from laager.hexmap.draw.markup import group, layer, path
from laager.hexmap.draw.style import HALO, INK

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
    found = [_COLOURS[word] for word in words if word in _COLOURS] or [INK]
    return found[0], found[1] if len(found) > 1 else None


def rim_colour(mark: EntryMark) -> str:
    """Return the colour of the line around a mark's arrow."""
    colour, stripe = colours(mark)
    return stripe or (INK if colour == _COLOURS["white"] else HALO)


def lanes(marks: Sequence[EntryMark]) -> list[int]:
    """Return for each mark how many bars lie between it and the map where areas overlap."""
    found: list[int] = []
    for i, mark in enumerate(marks):
        taken = {lane for lane, other in zip(found, marks[:i], strict=True) if set(mark.hexes) & set(other.hexes)}
        found.append(next(lane for lane in range(i + 1) if lane not in taken))
    return found


def draw_entry_areas(lattice: Lattice, marks: Sequence[EntryMark]) -> str:
    """Return the bars of all areas, then their arrows."""
    rim = rim_edges(lattice)
    bars, arrows = [], []
    for mark, lane in zip(marks, lanes(marks), strict=True):
        edges = [edge for name in mark.hexes for edge in outer_edges(lattice, lattice.map.hex(name), rim)]
        away = 5 + lane * _LANE
        lines = [curves.shifted(lattice.points(run), away) for run in runs(edges)]
        bars.append(bar("".join(curves.line(points) for points in lines), mark))
        one = lattice.map.hex(mark.arrow)
        colour, _ = colours(mark)
        arrows.append(
            arrow(lattice, anchor(lattice, one)[0], outer_edges(lattice, one, rim), colour, 1.35, rim_colour(mark))
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
