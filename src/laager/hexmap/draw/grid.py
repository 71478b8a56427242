"""The hex grid, the names of hexes and places, outlines for a page to click on, and title, foot and frame."""

from __future__ import annotations

from laager.hexmap.draw import curves
from laager.hexmap.draw.fonts import clip_text, text_width
from laager.hexmap.draw.lattice import STEP_Y, Lattice, centre
from laager.hexmap.draw.layers import Layers
from laager.hexmap.draw.markup import escape, group, layer, number, path, tag, text
from laager.hexmap.draw.style import HALO, INK, PALE_INK, PAPER
from laager.hexmap.draw.symbols import dots
from laager.hexmap.values import Hex

_NAME_SIZE = 12.5


def draw_grid(lattice: Lattice) -> str:
    """Return the hexsides, each once, and the centre dots of hexes without a building."""
    lines = "".join(curves.line(lattice.points(edge)) for edge in lattice.edges())
    free = (place for place, hex_ in lattice.at.items() if hex_.building is None)
    points = dots((lattice.point(centre(place)) for place in free), 1.3)
    return layer(
        "grid",
        [
            path(lines, stroke="#45463c", stroke_width=0.9, stroke_opacity=0.5),
            path(points, fill="#45463c", stroke=HALO, stroke_width=0.6),
        ],
        fill="none",
    )


def draw_unplayable(lattice: Lattice) -> str:
    """Return a veil over the hexes that are not in play."""
    names = [name for name in lattice.map.hexes if name not in lattice.map.playable]
    d = curves.closed_lines(lattice.points(loop) for loop in lattice.cut_area(names))
    veil = path(d, fill=PAPER, fill_opacity=0.72, fill_rule="evenodd")
    edge = path(d, fill="none", stroke="#6d6e64", stroke_width=1.6, stroke_dasharray="2 3")
    return layer("unplayable", [veil, edge])


def _coordinate(lattice: Lattice, hex_: Hex, up: float = 21) -> str:
    """Return the name of a hex near the top of what of it is on the map."""
    x, y = lattice.point(centre((hex_.q, hex_.r)))
    if not hex_.half:
        return text(x, y - up, hex_.name)
    cx, cy = centre((hex_.q, hex_.r))
    shape = lattice.shape(hex_)
    top = y + (-up if min(ny for _, ny in shape) < cy else 12.5)
    if min(nx for nx, _ in shape) == cx:
        return text(x + 3, top + 11, hex_.name, text_anchor="start")
    if max(nx for nx, _ in shape) == cx:
        return text(x - 3, top + 11, hex_.name, text_anchor="end")
    return text(x, top, hex_.name)


def draw_coordinates(lattice: Lattice, *, printed: bool = False) -> str:
    """Return the name of every hex.

    Where names are `printed` on the picture below, ours lie right over them and hide them: those
    of a joined or turned board would tell another hex.
    """
    up = 23.5 if printed else 21
    return layer(
        "coordinates",
        [_coordinate(lattice, hex_, up) for hex_ in lattice.at.values()],
        font_size=9,
        text_anchor="middle",
        fill=INK,
        stroke=HALO,
        stroke_width=6 if printed else 2.2,
        stroke_opacity=0.95 if printed else 0.85,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def draw_names(lattice: Lattice) -> str:
    """Return the names of places and of named buildings, below the middle of their hexes."""
    labels: dict[str, str] = {}
    for building in lattice.map.buildings:
        if building.name:
            hexes = [lattice.map.hex(name) for name in building.hexes]
            lowest = max(hexes, key=lambda hex_: (hex_.r * 2 + hex_.q, -hex_.q))
            labels[lowest.name] = building.name
    written = set(labels.values())
    for name, label in lattice.map.names.items():
        if label not in written:
            labels[lattice.map.main(name)] = label
    parts = [_name(lattice, name, labels[name]) for name in lattice.map.in_order(labels) if labels[name].strip()]
    return layer(
        "names",
        parts,
        font_size=_NAME_SIZE,
        font_weight="bold",
        text_anchor="middle",
        fill="#1d1d1a",
        stroke=HALO,
        stroke_width=3.4,
        stroke_opacity=0.92,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _name(lattice: Lattice, name: str, label: str) -> str:
    """Return a name under the middle of its hex, moved aside so far that it stays on the map."""
    x, y = lattice.middle(name)
    label = clip_text(" ".join(label.split()), _NAME_SIZE, lattice.width, bold=True)
    half = text_width(label, _NAME_SIZE, bold=True) / 2
    x = min(max(x, lattice.left + half), lattice.left + lattice.width - half)
    return text(x, y + 30, label)


def draw_targets(lattice: Lattice) -> str:
    """Return an invisible outline per hex that takes clicks and has the hex in words as its title."""
    parts = []
    for hex_ in lattice.at.values():
        d = curves.line(lattice.points(lattice.shape(hex_)), closed=True)
        name = escape(hex_.name)
        about = escape(describe_hex(hex_))
        parts.append(f'<path data-hex="{name}" d="{d}"><title>{about}</title></path>')
    return layer("targets", parts, fill="none", pointer_events="all")


def describe_hex(hex_: Hex) -> str:
    """Return a hex in words: its name, terrain, further terrain, building, level."""
    words = [hex_.terrain.replace("-", " ") if hex_.terrain != "open" else "open ground"]
    words += sorted(kind.replace("-", " ") for kind in hex_.also | hex_.features | hex_.watercourses)
    if hex_.building is not None:
        words.append(f"{hex_.building.material} building")
    if hex_.level:
        words.append(f"level {hex_.level}")
    names = hex_.name + "".join(f" = {alias}" for alias in hex_.aliases)
    return f"{names}: {', '.join(dict.fromkeys(words))}"


def draw_margin(lattice: Lattice, width: float, height: float) -> str:
    """Return the paper around the map, which covers what was drawn beyond its edge."""
    outline = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    # A little more than the page: a PNG has whole pixels.
    page = f"M-2 -2H{number(width + 2)}V{number(height + 2)}H-2Z"
    return layer("margin", [path(page + outline, fill=PAPER, fill_rule="evenodd")])


def draw_frame(lattice: Lattice) -> str:
    """Return the line around the map."""
    outline = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    return layer("frame", [path(outline, fill="none", stroke="#33342e", stroke_width=2.2, stroke_linejoin="round")])


LEAST_WIDTH = 520.0
"""Least width of a page, in picture units, so that title and foot have room."""

METRES_PER_HEX = 40
"""Width of a hex, from side to side, in metres."""

_ORIGINS = {"house": "House map, not a published one", "own": "Own map", "imported": "Imported map"}


def draw_title(lattice: Lattice, layers: Layers, right: float) -> str:
    """Return title, subtitle and north arrow above the map."""
    left, base = lattice.left, lattice.top - 46
    room = right - left - 50
    title = clip_text(layers.title or lattice.map.title, 26, room, bold=True)
    parts = [
        text(left, base, title, font_size=26, font_weight="bold", fill="#1d1d1a"),
        text(left, base + 22, clip_text(layers.subtitle, 14, room), font_size=14, fill=PALE_INK)
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
    words = f"{hexes} hexes = {hexes * METRES_PER_HEX} m"
    bar = [*boxes, text(left, top + 20, words, font_size=11, fill=INK)]
    taken = hexes * length + 24
    right = left + width
    where = [
        text(right, top + 8 + 14 * i, line, font_size=11, text_anchor="end", fill=PALE_INK)
        for i, line in enumerate(_two_lines(origin(lattice, layers), width - taken))
    ]
    return layer("scale", [group(bar)]) + layer("origin", where)


def origin(lattice: Lattice, layers: Layers) -> str:
    """Return the source of a map in words, with its own title if another stands above it."""
    map_ = lattice.map
    sentences = [f"{_ORIGINS.get(map_.source, map_.source)}."]
    if layers.title and layers.title != map_.title:
        sentences.append(f"{map_.title}.")
    return " ".join([*sentences, map_.source_note]).strip()


def _two_lines(words: str, width: float) -> list[str]:
    """Return words on one line or two; what does not fit even there is cut."""
    if text_width(words, 11) <= width:
        return [words]
    parts = words.split(" ")
    used, fits = text_width(parts[0], 11), 1
    for part in parts[1:]:
        used += text_width(f" {part}", 11)
        if used > width:
            break
        fits += 1
    lines = (" ".join(parts[:fits]), " ".join(parts[fits:]))
    return [clip_text(line, 11, width) for line in lines if line]
