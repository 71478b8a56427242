"""Marks in single hexes: Control, Strategic Locations, TVP, entry, highlights, counters of units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from laager.hexmap.coords import sort_key, split_location
from laager.hexmap.draw import curves
from laager.hexmap.draw.counters import BOX, Face, draw_counter
from laager.hexmap.draw.fonts import clip_text, text_width
from laager.hexmap.draw.lattice import Lattice, Node, Point, centre, corners, neighbour_across
from laager.hexmap.draw.layers import UnitMark
from laager.hexmap.draw.markup import escape, group, layer, lettering, number, path, tag, text, use
from laager.hexmap.draw.style import HALO, SideStyle
from laager.hexmap.draw.symbols import PREFIX
from laager.hexmap.values import Hex

STAR_ID = f"{PREFIX}star"
_STAR = "M0 -7.5L2.1 -2.6L7.4 -2.2L3.4 1.3L4.6 6.4L0 3.7L-4.6 6.4L-3.4 1.3L-7.4 -2.2L-2.1 -2.6Z"


def anchor(lattice: Lattice, hex_: Hex) -> tuple[Point, float]:
    """Return the point around which marks in a hex lie, and their spread (1; less in a half hex)."""
    x, y = lattice.point(centre((hex_.q, hex_.r)))
    if not hex_.half:
        return (x, y), 1.0
    points = lattice.points(lattice.shape(hex_))
    middle = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return middle, 0.5


def star_symbol() -> str:
    """Return the definition of the mark of a Strategic Location."""
    star = path(_STAR, fill="#ffd84a", stroke="#26261f", stroke_width=1.4, stroke_linejoin="round")
    return tag("g", star, id=STAR_ID)


def draw_strategic(lattice: Lattice, locations: Iterable[str]) -> str:
    """Return a star in each hex with a Strategic Location."""
    hexes = {split_location(lattice.map.main_location(where))[0] for where in locations}
    parts = []
    for name in lattice.map.in_order(hexes):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        parts.append(use(STAR_ID, x + 25 * spread, y + 10 * spread))
    return layer("strategic", parts)


def flag(x: float, y: float, style: SideStyle, level: str | None = None) -> str:
    """Return a flag in a side's colour and shape; that of an upper Location has its level in it."""
    pole = path(f"M{curves.at((x, y + 12))}V{round(y - 8, 1)}", stroke="#1e1e1b", stroke_width=1.8)
    match style.shape:
        case "square":
            cloth = f"M{curves.at((x, y - 8))}h15v11h-15Z"
        case "round":
            cloth = f"M{curves.at((x, y - 2.5))}a6.6 6.6 0 1 1 13.2 0a6.6 6.6 0 1 1 -13.2 0Z"
        case "diamond":
            cloth = f"M{curves.at((x, y - 2.5))}l7.5 -6.6l7.5 6.6l-7.5 6.6Z"
        case _:
            cloth = f"M{curves.at((x, y - 9))}l16 6.5l-16 6.5Z"
    cloth_path = path(cloth, fill=style.colour, stroke=HALO, stroke_width=1.1, stroke_linejoin="round")
    if level is None:
        inner = f"M{curves.at((x + 6.6, y - 2.5))}"
        spot = {
            "square": f"M{curves.at((x + 1, y - 2.5))}h13",
            "round": f"{inner}m-2.4 0a2.4 2.4 0 1 1 4.8 0a2.4 2.4 0 1 1 -4.8 0Z",
        }.get(style.shape, "")
        mark = path(spot, fill=style.ink, stroke=style.ink, stroke_width=1.6) if spot else ""
    else:
        mark = lettering(x + 7, y + 1, level, 9.5, style.ink)
    return pole + cloth_path + mark


def draw_control(lattice: Lattice, control: Mapping[str, str], styles: Mapping[str, SideStyle]) -> str:
    """Return a flag for each hex or Location that a side Controls."""
    by_hex: dict[str, dict[str, tuple[str | None, str]]] = {}
    for where, side in control.items():
        main = lattice.map.main_location(where)
        name, level = split_location(main)
        by_hex.setdefault(name, {})[main] = (level, side)
    parts = []
    for name in lattice.map.in_order(by_hex):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        flags = [by_hex[name][main] for main in sorted(by_hex[name], key=sort_key)]
        apart = min(14.0, 40 / len(flags))
        for i, (level, side) in enumerate(flags):
            # Upper Locations above, as in the house.
            parts.append(flag(x - 33 * spread, y + 6 - i * apart, styles[side], level))
    return layer("control", parts)


def draw_tvp(lattice: Lattice, tvp: Mapping[str, int]) -> str:
    """Return a badge with its worth on each hex that has one."""
    worth = {split_location(lattice.map.main_location(where))[0]: n for where, n in tvp.items()}
    parts = []
    for name in lattice.map.in_order(worth):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        parts.append(tvp_badge(x + 26 * spread, y - 9 * spread, worth[name]))
    return layer("tvp", parts)


def tvp_badge(x: float, y: float, worth: int) -> str:
    """Return a dark disc with a number."""
    disc = tag(
        "circle", cx=round(x, 1), cy=round(y, 1), r=8.6, fill="#232323", stroke="#ffd84a",
        stroke_width=1.8,
    )  # fmt: skip
    digits = str(worth).replace("-", "\u2212")
    size = 11 if len(digits) < 2 else 9.5
    return disc + lettering(x, y + size * 0.36, digits, size, "#ffffff")


def draw_highlight(lattice: Lattice, names: Iterable[str]) -> str:
    """Return a bright ring along the border of the given hexes."""
    hexes = [lattice.map.main_location(where) for where in names]
    outlines = [
        curves.inset(lattice.points(loop), 4) for loop in lattice.cut_area(split_location(name)[0] for name in hexes)
    ]
    d = curves.closed_lines(outlines)
    return layer(
        "highlight",
        [path(d, stroke="#1b1b1b", stroke_width=7.4), path(d, stroke="#ffe14d", stroke_width=4.6)],
        fill="none",
        stroke_linejoin="round",
    )


def draw_entry(lattice: Lattice, entry: Mapping[str, Iterable[str]], styles: Mapping[str, SideStyle]) -> str:
    """Return for each side a bar along the edge hexes where it enters, and arrows inwards."""
    rim = rim_edges(lattice)
    parts = []
    for side, names in entry.items():
        style, bars, arrows = styles[side], [], []
        for name in lattice.map.in_order(names):
            hex_ = lattice.map.hex(name)
            edges = outer_edges(lattice, hex_, rim)
            bars += [lattice.points(edge) for edge in edges]
            arrows.append(arrow(lattice, anchor(lattice, hex_)[0], edges, style.colour))
        outside = path(
            "".join(curves.line(curves.shift(bar, 4.2)) for bar in bars),
            fill="none",
            stroke=style.colour,
            stroke_width=6,
            stroke_dasharray=style.dash and "9 4",
        )
        parts.append(group([outside, *arrows], data_side=side))
    return layer("entry", parts)


def rim_edges(lattice: Lattice) -> set[tuple[Node, Node]]:
    """Return the edges of hexes that run along the outline of the map, clockwise."""
    return {(a, b) for loop in lattice.outline for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)}


def outer_edges(lattice: Lattice, hex_: Hex, rim: set[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
    """Return the edges of a hex that face the outside or ground that is not in play."""
    shape = lattice.shape(hex_)
    edges = list(zip(shape, shape[1:] + shape[:1], strict=True))
    around, playable = corners((hex_.q, hex_.r)), lattice.map.playable
    for side in range(6):
        near = lattice.at.get(neighbour_across((hex_.q, hex_.r), side))
        edge = around[side], around[(side + 1) % 6]
        if near is not None and near.name not in playable and edge in edges:
            rim = rim | {edge}
    return [edge for edge in edges if edge in rim]


def arrow(
    lattice: Lattice, spot: Point, edges: list[tuple[Node, Node]], colour: str, scale: float = 1.0, line: str = HALO
) -> str:
    """Return an arrow into a hex, across the middle one of its outer edges; a disc if none."""
    if not edges:
        x, y = spot
        return tag("circle", cx=round(x, 1), cy=round(y, 1), r=12, fill="none",
                   stroke=colour, stroke_width=4)  # fmt: skip
    a, b = lattice.points(edges[len(edges) // 2 if len(edges) != 2 else 0])
    gate = curves.middle(a, b)
    dx, dy = spot[0] - gate[0], spot[1] - gate[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length * scale, dy / length * scale

    def at(along: float, aside: float) -> Point:
        return gate[0] + dx * along - dy * aside, gate[1] + dy * along + dx * aside

    d = curves.line(
        [at(-20, -4.5), at(2, -4.5), at(2, -10), at(16, 0), at(2, 10), at(2, 4.5), at(-20, 4.5)], closed=True
    )
    return path(d, fill=colour, stroke=line, stroke_width=1.6, stroke_linejoin="round")


SIZE = 33.0
_LABEL_WIDTH = SIZE - 5
_MAX_COUNTERS = 9


def draw_units(lattice: Lattice, units: Iterable[UnitMark], styles: Mapping[str, SideStyle]) -> str:
    """Return the counters, those of one hex side by side in the order given."""
    by_hex: dict[str, list[UnitMark]] = {}
    for mark in units:
        name, _ = split_location(lattice.map.main_location(mark.hex))
        by_hex.setdefault(name, []).append(mark)
    parts = []
    for name in lattice.map.in_order(by_hex):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        marks = by_hex[name]
        lower = 3 * spread if len(marks) > 2 else 0.0
        parts.append(_stack(x, y + lower, marks, styles))
    return layer("units", parts)


def _stack(x: float, y: float, marks: list[UnitMark], styles: Mapping[str, SideStyle]) -> str:
    """Return the counters of one hex: one large, up to four smaller, up to nine small ones."""
    visible = marks[:_MAX_COUNTERS]
    across = 1 if len(visible) == 1 else 2 if len(visible) <= 4 else 3
    scale = (1.0, 0.64, 0.44)[across - 1]
    rows = -(-len(visible) // across)
    step = (SIZE + 2) * scale
    parts = []
    for i, mark in enumerate(visible):
        row, column = divmod(i, across)
        in_row = min(across, len(visible) - row * across)
        left = x + (column - (in_row - 1) / 2) * step
        top = y + (row - (rows - 1) / 2) * step
        parts.append(counter(left, top, mark, styles[mark.side], scale))
    if len(marks) > _MAX_COUNTERS:
        parts.append(text(x + 25, y + 26, f"+{len(marks) - _MAX_COUNTERS}", font_size=10, font_weight="bold"))
    return "".join(parts)


def counter(x: float, y: float, mark: UnitMark, style: SideStyle, scale: float = 1.0) -> str:
    """Return one counter around a point: the side's colour and shape above, the label below.

    Several equal ones lie on top of each other. A concealed one shows "?" and no label, unless it
    is the viewer's own. One with a face is made of the symbols of `counters`.
    """
    if mark.face is not None:
        return _draw_faced(x, y, mark, mark.face, style, scale)
    half = SIZE / 2
    under = [
        tag("rect", x=-half + d, y=-half - d, width=SIZE, height=SIZE, rx=3)
        for d in (4, 2)[2 - min(mark.count - 1, 2) :]
    ]
    parts = [
        group(under, fill="#f4f1e6", stroke="#22221f", stroke_width=1),
        tag("rect", x=-half, y=-half, width=SIZE, height=SIZE, rx=3, fill="#fdfcf5",
            stroke="#22221f", stroke_width=1.2),
    ]  # fmt: skip
    hidden = mark.concealed and not mark.own
    if hidden:
        parts.append(_concealed_face(style))
    else:
        parts += [_band(style, mark.concealed), *_label(mark.label)]
    level = split_location(mark.hex)[1] if mark.hex else None
    if level is not None:
        parts.append(_level(level, style))
    if mark.count > 1:
        parts.append(_count(mark.count, style))
    move = f"translate({number(x)} {number(y)})" + (f" scale({scale:g})" if scale != 1 else "")
    return group(parts, transform=move, data_side=mark.side)


def _draw_faced(x: float, y: float, mark: UnitMark, face: Face, style: SideStyle, scale: float) -> str:
    """Return a counter as players know it, with its level and how many there are."""
    half = SIZE / 2
    under = "".join(
        tag("rect", x=-half + d, y=-half - d, width=SIZE, height=SIZE, rx=3)
        for d in (4, 2)[2 - min(mark.count - 1, 2) :]
    )
    under = group([under], fill="#f4f1e6", stroke="#22221f", stroke_width=1)
    size = f"translate({number(-half)} {number(-half)}) scale({SIZE / BOX:g})"
    parts = [under, tag("g", draw_counter(face, style, mark.states), transform=size)]
    level = split_location(mark.hex)[1] if mark.hex else None
    if level is not None:
        parts.append(_level(level, style))
    if mark.count > 1:
        parts.append(_count(mark.count, style))
    move = f"translate({number(x)} {number(y)})" + (f" scale({scale:g})" if scale != 1 else "")
    title = tag("title", escape(mark.label)) if mark.label else ""
    return group([title, *parts], transform=move, data_side=mark.side)


def _band(style: SideStyle, concealed: bool) -> str:
    """Return the coloured head of a counter with the side's shape in it."""
    half = SIZE / 2
    top = f"M{-half + 0.6:g} {-half + 11:g}v-8q0 -2.4 2.4 -2.4h{SIZE - 6:g}q2.4 0 2.4 2.4v8Z"
    shape = {
        "square": "M-3 -14h6v6h-6Z",
        "round": "M-3.4 -11a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0Z",
        "diamond": "M0 -15l4 4l-4 4l-4 -4Z",
    }.get(style.shape, "M0 -15l4.4 7.4h-8.8Z")
    head = path(top, fill=style.colour) + path(shape, fill=style.ink)
    if concealed:
        head += lettering(-11, -7.4, "?", 10, style.ink)
    return head


def _concealed_face(style: SideStyle) -> str:
    half = SIZE / 2 - 0.6
    back = tag("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=2.6, fill=style.colour)
    mark = lettering(0, 8.2, "?", 23, style.ink)
    shape = {
        "square": "M-14 -14h5v5h-5Z",
        "round": "M-14 -11.5a2.7 2.7 0 1 1 5.4 0a2.7 2.7 0 1 1 -5.4 0Z",
        "diamond": "M-11.5 -15l3.2 3.2l-3.2 3.2l-3.2 -3.2Z",
    }.get(style.shape, "M-11.5 -15l3.6 6h-7.2Z")
    return back + path(shape, fill=style.ink) + mark


def _label(label: str) -> list[str]:
    """Return a label on one line, or two if it is long; letters no smaller than can be read."""
    lines = _split_label(label.strip())
    if not lines:
        return []
    widest = max(text_width(line, 1, bold=True) for line in lines)
    most = 11.0 if len(lines) == 1 else 9.4
    size = max(min(most, _LABEL_WIDTH / widest if widest else most), 6.2)
    middle = 5.6 + size * 0.36
    first = middle - (len(lines) - 1) * size * 0.52
    return [
        lettering(
            0, first + i * size * 1.04, clip_text(line, size, _LABEL_WIDTH + 1.5, bold=True), f"{size:.1f}", "#161614"
        )
        for i, line in enumerate(lines)
    ]


def _split_label(label: str) -> list[str]:
    if text_width(label, 9, bold=True) <= _LABEL_WIDTH or " " not in label:
        return [label] if label else []
    words = label.split()
    cuts = range(1, len(words))
    best = min(cuts, key=lambda i: _wider_line(" ".join(words[:i]), " ".join(words[i:])))
    return [" ".join(words[:best]), " ".join(words[best:])]


def _wider_line(first: str, second: str) -> float:
    return max(text_width(first, 1, bold=True), text_width(second, 1, bold=True))


def _level(level: str, style: SideStyle) -> str:
    """Return the level of a counter that is not at ground level, in its lower left corner."""
    x, y = -SIZE / 2 - 1, SIZE / 2 - 4
    disc = tag("circle", cx=x, cy=y, r=6, fill=style.ink, stroke=style.colour, stroke_width=1.6)
    return disc + lettering(x, y + 3.2, level, 9, "#161614")


def _count(count: int, style: SideStyle) -> str:
    digits = f"\u00d7{count}"
    width = text_width(digits, 9, bold=True) + 5
    right, low = SIZE / 2 + 4, -SIZE / 2 + 8
    plate = tag(
        "rect", x=round(right - width, 1), y=low - 11, width=round(width, 1), height=11.5, rx=3,
        fill="#ffffff", stroke=style.colour, stroke_width=1.4,
    )  # fmt: skip
    return plate + lettering(right - width / 2, low - 2.2, digits, 9, "#161614")
