"""What stands around a map: title, north arrow, scale, where the map comes from."""

from __future__ import annotations

from laager.hexmap.draw.fonts import clipped, text_width
from laager.hexmap.draw.lattice import STEP_Y, Lattice
from laager.hexmap.draw.layers import Layers
from laager.hexmap.draw.markup import group, layer, number, path, tag, text
from laager.hexmap.draw.style import INK, PALE_INK

LEAST_WIDTH = 520.0
"""A page is no narrower than this, so that title and foot have room."""

METRES = 40
"""Across a hex, from side to side."""

_ORIGINS = {"house": "House map, not a published one", "own": "Own map", "imported": "Imported map"}


def draw_title(lattice: Lattice, layers: Layers, right: float) -> str:
    """Return title, subtitle and north arrow above the map."""
    left, base = lattice.left, lattice.top - 46
    room = right - left - 50
    title = clipped(layers.title or lattice.map.title, 26, room, bold=True)
    parts = [
        text(left, base, title, font_size=26, font_weight="bold", fill="#1d1d1a"),
        text(left, base + 22, clipped(layers.subtitle, 14, room), font_size=14, fill=PALE_INK)
        if layers.subtitle
        else "",
    ]
    return layer("title", parts) + layer("compass", [_compass(right - 16, base - 4)])


def _compass(x: float, y: float) -> str:
    dark = f"M{number(x)} {number(y - 22)}l8 28l-8 -6Z"
    light = f"M{number(x)} {number(y - 22)}l-8 28l8 -6Z"
    return (
        path(dark, fill="#33342e", stroke="#33342e", stroke_width=1, stroke_linejoin="round")
        + path(light, fill="#ffffff", stroke="#33342e", stroke_width=1, stroke_linejoin="round")
        + text(x, y + 19, "N", font_size=12, font_weight="bold", text_anchor="middle", fill=INK)
    )


def draw_foot(lattice: Lattice, layers: Layers, top: float, width: float) -> str:
    """Return scale bar and origin of the map below it."""
    left = lattice.left
    hexes = 5 if lattice.width > 700 else 2
    length = 2 * STEP_Y
    boxes = [
        tag("rect", x=round(left + i * length, 1), y=round(top, 1), width=round(length, 1),
            height=6, fill="#33342e" if i % 2 == 0 else "#ffffff", stroke="#33342e",
            stroke_width=1)
        for i in range(hexes)
    ]  # fmt: skip
    words = f"{hexes} hexes = {hexes * METRES} m"
    bar = [*boxes, text(left, top + 20, words, font_size=11, fill=INK)]
    taken = hexes * length + 24
    right = left + width
    where = [
        text(right, top + 8 + 14 * i, line, font_size=11, text_anchor="end", fill=PALE_INK)
        for i, line in enumerate(_two_lines(origin(lattice, layers), width - taken))
    ]
    return layer("scale", [group(bar)]) + layer("origin", where)


def origin(lattice: Lattice, layers: Layers) -> str:
    """Return where a map comes from, in words; its own title too if another stands above it."""
    map_ = lattice.map
    said = [f"{_ORIGINS.get(map_.source, map_.source)}."]
    if layers.title and layers.title != map_.title:
        said.append(f"{map_.title}.")
    return " ".join([*said, map_.source_note]).strip()


def _two_lines(words: str, width: float) -> list[str]:
    """Return words on one line or two; what does not fit even there is cut."""
    if text_width(words, 11) <= width:
        return [words]
    first, *rest = words.split(" ")
    while rest and text_width(f"{first} {rest[0]}", 11) <= width:
        first = f"{first} {rest.pop(0)}"
    return [clipped(line, 11, width) for line in (first, " ".join(rest)) if line]
