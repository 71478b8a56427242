"""Fortifications and fires on the map: a plate for each kind in a hex, with a drawing that players know it by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from laager.hexmap.coords import split_location
from laager.hexmap.draw.fort_drawings import DRAWINGS, fort_drawing
from laager.hexmap.draw.lattice import Lattice, Point, centre
from laager.hexmap.draw.layers import FortMark
from laager.hexmap.draw.marks import anchor
from laager.hexmap.draw.markup import escape, group, layer, lettering, number, path, tag
from laager.hexmap.draw.style import SideStyle

__all__ = ["DRAWINGS", "draw_fires", "draw_forts", "flame", "fort_plate"]

WIDTH, HEIGHT = 23.0, 17.0
"""The size of a plate, in picture units."""

_INK = "#2b2418"
_MOST = 4
"""How many plates of one side a hex shows; of more it says how many."""


def fort_plate(mark: FortMark, style: SideStyle) -> str:
    """Return the plate of a fortification around the origin, framed in its side's colour, dashed while it is hidden."""
    face = fort_drawing(mark.kind, mark.label)
    frame = tag(
        "rect", x=-WIDTH / 2, y=-HEIGHT / 2, width=WIDTH, height=HEIGHT, rx=3, fill="#f3e8cb",
        stroke=style.colour, stroke_width=1.8, stroke_dasharray="3 2" if mark.hidden else None,
    )  # fmt: skip
    count = lettering(WIDTH / 2, HEIGHT / 2 + 2, f"×{mark.count}", 7.5, _INK) if mark.count > 1 else ""
    return group([tag("title", _title(mark)), frame, face, count], data_side=mark.side, data_fort=mark.kind)


def _title(mark: FortMark) -> str:
    """Return what a pointer over the plate reads."""
    return escape(f"{mark.label or mark.kind}{f' x {mark.count}' if mark.count > 1 else ''}, {mark.at}")


def draw_forts(lattice: Lattice, forts: Iterable[FortMark], styles: Mapping[str, SideStyle]) -> str:
    """Return the plates: along the lower edge of their hex, on the hexside of what lies on one."""
    by_hex: dict[str, list[FortMark]] = {}
    for mark in forts:
        by_hex.setdefault(split_location(lattice.map.main_location(mark.at))[0], []).append(mark)
    parts = []
    for name in lattice.map.in_order(by_hex):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        inside = [mark for mark in by_hex[name] if _across(lattice, name, mark) is None]
        shown = inside[:_MOST]
        step = min(WIDTH - 2, 60 / max(len(shown), 1)) * spread
        for i, mark in enumerate(shown):
            at = x + (i - (len(shown) - 1) / 2) * step, y + 31 * spread
            parts.append(_place(fort_plate(mark, styles[mark.side]), at))
        if len(inside) > _MOST:
            parts.append(lettering(x + 34 * spread, y + 34 * spread, f"+{len(inside) - _MOST}", 9, _INK))
        for mark in by_hex[name]:
            middle = _across(lattice, name, mark)
            if middle is not None:
                parts.append(_place(fort_plate(mark, styles[mark.side]), middle))
    return layer("forts", parts)


def _across(lattice: Lattice, name: str, mark: FortMark) -> Point | None:
    """Return the middle of the hexside on which a fortification lies; None if it lies on none."""
    other = next((part for part in mark.hexside.split("/") if part and part != name), "")
    if not other or other not in lattice.map.hexes:
        return None
    here, there = lattice.map.hex(name), lattice.map.hex(other)
    (x1, y1), (x2, y2) = (lattice.point(centre((hex_.q, hex_.r))) for hex_ in (here, there))
    return (x1 + x2) / 2, (y1 + y2) / 2


def _place(drawing: str, at: Point) -> str:
    return tag("g", drawing, transform=f"translate({number(at[0])} {number(at[1])})")


# Fires --------------------------------------------------------------------------------------------

_FLAME = "M0 9C-9 9 -9 0 -4 -4C-4 -1 -2 0 -1 -1C-2 -6 1 -9 3 -12C3 -7 8 -4 7 3C6.5 7 4 9 0 9Z"
_HEART = "M0 8C-4 8 -4 3 -1 0C0 3 4 2 3 5.5C2.6 7.4 1.4 8 0 8Z"


def flame(blaze: bool) -> str:
    """Return a fire around the origin: a Flame, or a Blaze, which is larger and has a black rim."""
    outer = path(_FLAME, fill="#e2531d", stroke="#1d130c" if blaze else "#a52d0a", stroke_width=1.8 if blaze else 1)
    drawing = outer + path(_HEART, fill="#ffd24a")
    return tag("g", drawing, transform="scale(1.35)") if blaze else drawing


def draw_fires(lattice: Lattice, flames: Iterable[str], blazes: Iterable[str]) -> str:
    """Return a flame in each hex that burns."""
    burning = dict.fromkeys((split_location(lattice.map.main_location(at))[0] for at in flames), False)
    burning |= dict.fromkeys((split_location(lattice.map.main_location(at))[0] for at in blazes), True)
    parts = []
    for name in lattice.map.in_order(burning):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        parts.append(_place(flame(burning[name]), (x + 20 * spread, y - 24 * spread)))
    return layer("fires", parts)
