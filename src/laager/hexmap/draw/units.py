"""Counters of units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from laager.hexmap.coords import split_location
from laager.hexmap.draw.fonts import clipped, text_width
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import UnitMark
from laager.hexmap.draw.marks import anchor
from laager.hexmap.draw.markup import group, layer, number, path, tag, text
from laager.hexmap.draw.style import SideStyle

SIZE = 33.0
_INSIDE = SIZE - 5
_MOST = 9


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
    shown = marks[:_MOST]
    across = 1 if len(shown) == 1 else 2 if len(shown) <= 4 else 3
    scale = (1.0, 0.64, 0.44)[across - 1]
    rows = -(-len(shown) // across)
    step = (SIZE + 2) * scale
    parts = []
    for i, mark in enumerate(shown):
        row, column = divmod(i, across)
        in_row = min(across, len(shown) - row * across)
        left = x + (column - (in_row - 1) / 2) * step
        top = y + (row - (rows - 1) / 2) * step
        parts.append(counter(left, top, mark, styles[mark.side], scale))
    if len(marks) > _MOST:
        parts.append(text(x + 25, y + 26, f"+{len(marks) - _MOST}", font_size=10, font_weight="bold"))
    return "".join(parts)


def counter(x: float, y: float, mark: UnitMark, style: SideStyle, scale: float = 1.0) -> str:
    """Return one counter around a point: the side's colour and shape above, the label below.

    Several equal ones lie on top of each other. A concealed one shows "?" and no label, unless it
    is the viewer's own.
    """
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
        parts.append(_concealed(style))
    else:
        parts += [_band(style, mark.concealed), *_label(mark.label)]
    level = split_location(mark.hex)[1] if mark.hex else None
    if level is not None:
        parts.append(_level(level, style))
    if mark.count > 1:
        parts.append(_count(mark.count, style))
    move = f"translate({number(x)} {number(y)})" + (f" scale({scale:g})" if scale != 1 else "")
    return group(parts, transform=move, data_side=mark.side)


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
        head += text(-11, -7.4, "?", font_size=10, font_weight="bold", text_anchor="middle",
                     fill=style.ink)  # fmt: skip
    return head


def _concealed(style: SideStyle) -> str:
    half = SIZE / 2 - 0.6
    back = tag("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=2.6, fill=style.colour)
    bright = style.ink
    mark = text(0, 8.2, "?", font_size=23, font_weight="bold", text_anchor="middle", fill=bright)
    shape = {
        "square": "M-14 -14h5v5h-5Z",
        "round": "M-14 -11.5a2.7 2.7 0 1 1 5.4 0a2.7 2.7 0 1 1 -5.4 0Z",
        "diamond": "M-11.5 -15l3.2 3.2l-3.2 3.2l-3.2 -3.2Z",
    }.get(style.shape, "M-11.5 -15l3.6 6h-7.2Z")
    return back + path(shape, fill=bright) + mark


def _label(label: str) -> list[str]:
    """Return a label on one line, or two if it is long; letters no smaller than can be read."""
    lines = _lines(label.strip())
    if not lines:
        return []
    widest = max(text_width(line, 1, bold=True) for line in lines)
    most = 11.0 if len(lines) == 1 else 9.4
    size = max(min(most, _INSIDE / widest if widest else most), 6.2)
    middle = 5.6 + size * 0.36
    first = middle - (len(lines) - 1) * size * 0.52
    return [
        text(
            0,
            first + i * size * 1.04,
            clipped(line, size, _INSIDE + 1.5, bold=True),
            font_size=f"{size:.1f}",
            font_weight="bold",
            text_anchor="middle",
            fill="#161614",
        )
        for i, line in enumerate(lines)
    ]


def _lines(label: str) -> list[str]:
    if text_width(label, 9, bold=True) <= _INSIDE or " " not in label:
        return [label] if label else []
    words = label.split()
    cuts = range(1, len(words))
    best = min(cuts, key=lambda i: _uneven(" ".join(words[:i]), " ".join(words[i:])))
    return [" ".join(words[:best]), " ".join(words[best:])]


def _uneven(first: str, second: str) -> float:
    return max(text_width(first, 1, bold=True), text_width(second, 1, bold=True))


def _level(level: str, style: SideStyle) -> str:
    """Return the level of a counter that is not at ground level, in its lower left corner."""
    x, y = -SIZE / 2 - 1, SIZE / 2 - 4
    disc = tag("circle", cx=x, cy=y, r=6, fill=style.ink, stroke=style.colour, stroke_width=1.6)
    return disc + text(x, y + 3.2, level, font_size=9, font_weight="bold", text_anchor="middle", fill="#161614")


def _count(count: int, style: SideStyle) -> str:
    shown = f"\u00d7{count}"
    width = text_width(shown, 9, bold=True) + 5
    right, low = SIZE / 2 + 4, -SIZE / 2 + 8
    plate = tag(
        "rect", x=round(right - width, 1), y=low - 11, width=round(width, 1), height=11.5, rx=3,
        fill="#ffffff", stroke=style.colour, stroke_width=1.4,
    )  # fmt: skip
    return plate + text(
        right - width / 2, low - 2.2, shown, font_size=9, font_weight="bold",
        text_anchor="middle", fill="#161614",
    )  # fmt: skip
