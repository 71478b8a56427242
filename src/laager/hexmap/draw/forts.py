"""Fortifications and fires on the map: a plate for each kind in a hex, with a drawing that players know it by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from laager.hexmap.coords import split_location
from laager.hexmap.draw.lattice import Lattice, Point, centre
from laager.hexmap.draw.layers import FortMark
from laager.hexmap.draw.marks import anchor
from laager.hexmap.draw.markup import escape, group, layer, lettering, number, path, tag
from laager.hexmap.draw.style import SideStyle

WIDTH, HEIGHT = 23.0, 17.0
"""The size of a plate, in picture units."""

_INK, _EARTH, _STEEL, _WOOD = "#2b2418", "#8a6a3c", "#6d7176", "#7b4a21"
_MOST = 4
"""How many plates of one side a hex shows; of more it says how many."""


def _lines(d: str, colour: str = _INK, width: float = 1.5) -> str:
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def _fill(d: str, colour: str, line: str = _INK) -> str:
    return path(d, fill=colour, stroke=line, stroke_width=0.9, stroke_linejoin="round")


def _disc(x: float, y: float, r: float, colour: str) -> str:
    return tag("circle", cx=x, cy=y, r=r, fill=colour, stroke=_INK, stroke_width=0.9)


def _letters(words: str, colour: str = _INK) -> str:
    return lettering(0, 3.4, words, 9 if len(words) < 3 else 7.4, colour)


def _holes(label: str) -> str:
    """Return a foxhole with as many holes as squads have room in it."""
    room = next((int(sign) for sign in label if sign in "123"), 1)
    spots = {1: (0.0,), 2: (-4.5, 4.5), 3: (-6.5, 0.0, 6.5)}[room]
    return "".join(
        tag("ellipse", cx=x, cy=1, rx=2.9, ry=4, fill="#4a3a22", stroke=_EARTH, stroke_width=1.6) for x in spots
    )


def _draw_mines(word: str) -> Callable[[str], str]:
    def draw(_label: str) -> str:
        return _disc(0, 0, 6.6, "#33332f") + lettering(0, 2.6, word, 7, "#ffe9a8")

    return draw


def _always(drawing: str) -> Callable[[str], str]:
    return lambda _label: drawing


DRAWINGS: Mapping[str, Callable[[str], str]] = {
    "foxhole": _holes,
    "sangar": _always("".join(_disc(x, y, 2.2, "#a9a393") for x, y in ((-6, 3), (-4, -2), (0, -4), (4, -2), (6, 3)))),
    "trench": _always(
        _lines("M-8 4L-4 -3L0 4L4 -3L8 4", _EARTH, 4.2) + _lines("M-8 4L-4 -3L0 4L4 -3L8 4", "#4a3a22", 1.6)
    ),
    "concealment": _always(_letters("?")),
    "hip": _always(_letters("HIP")),
    "roadblock": _always(_lines("M-8 5L8 -5M-8 -5L8 5", _WOOD, 3.2) + _lines("M-9 0H9", _WOOD, 2.2)),
    "wire": _always(
        _lines("M-9 0H9M-7 -3.5L-3 3.5M-7 3.5L-3 -3.5M-2 -3.5L2 3.5M-2 3.5L2 -3.5M3 -3.5L7 3.5M3 3.5L7 -3.5")
    ),
    "pillbox": _always(_fill("M-8 5.5V-1L-5 -5.5H5L8 -1V5.5Z", "#b9bcb6") + _lines("M-4.5 0H4.5", _INK, 2.4)),
    "fortified-building": _always(
        _fill("M-7 6V-2H-7V-5H-4V-3H-1.5V-5H1.5V-3H4V-5H7V6Z", "#c9b08a") + _lines("M0 6V2", _INK, 2.6)
    ),
    "tunnel": _always(_fill("M-7 6V1A7 6.5 0 0 1 7 1V6Z", "#4a3a22") + _lines("M-7 6H7", _EARTH, 2)),
    "booby-traps": _always(_disc(0, 1.5, 4.6, "#33332f") + _lines("M2.5 -2L5 -5.5M5 -5.5L7.5 -4.5M5 -5.5L5.5 -7")),
    "a-t-ditch": _always(_fill("M-9 -4H9L4 5H-4Z", _EARTH)),
    "a-p-mines": _draw_mines("AP"),
    "a-t-mines": _draw_mines("AT"),
    "a-b-mines": _draw_mines("AB"),
    "set-dc": _always(
        _fill("M-6 -3H6V5H-6Z", _WOOD) + _lines("M-3 -3V-5.5H3V-3") + lettering(0, 3.8, "DC", 6, "#ffe9a8")
    ),
    "known-minefield": _always(_fill("M0 -6.5L8 5.5H-8Z", "#f0c23c") + lettering(0, 4.4, "M", 7.5, _INK)),
    "dummy-minefield": _always(_fill("M0 -6.5L8 5.5H-8Z", "#f4f1e6") + lettering(0, 4.4, "?", 7.5, _INK)),
    "cave": _always(_fill("M-8 6C-8 -6 8 -6 8 6Z", "#9a8f7d") + _fill("M-3.5 6C-3.5 -1 3.5 -1 3.5 6Z", "#1f1b14")),
    "cave-complex": _always(
        _fill("M-9 6C-9 -7 9 -7 9 6Z", "#9a8f7d")
        + _fill("M-6.5 6C-6.5 0 -1 0 -1 6Z", "#1f1b14")
        + _fill("M1 6C1 0 6.5 0 6.5 6Z", "#1f1b14")
    ),
    "tetrahedrons": _always(_lines("M-8 5L-4 -4L0 5ZM0 5L4 -4L8 5Z", _STEEL, 1.8)),
    "panji": _always(_lines("M-8 5L-5 -5M-4 5L-1 -5M0 5L3 -5M4 5L7 -5", "#8c7a2e", 1.9)),
    "trip-flares": _always(_lines("M0 -6V6M-6 0H6M-4 -4L4 4M-4 4L4 -4", "#b3361b", 1.6)),
}
"""How each kind of fortification is drawn, given its label."""


def fort_plate(mark: FortMark, style: SideStyle) -> str:
    """Return the plate of a fortification around the origin, framed in its side's colour, dashed while it is hidden."""
    drawing = DRAWINGS.get(mark.kind)
    face = drawing(mark.label) if drawing else _letters("".join(word[:1] for word in mark.kind.split("-"))[:3].upper())
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
