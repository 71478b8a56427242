"""What play has left on the ground, and what belongs to OBA: a mark of its own for each in its hex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.hexmap.coords import split_location
from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import GroundMark
from laager.hexmap.draw.marks import anchor
from laager.hexmap.draw.markup import escape, group, layer, lettering, number, path, tag
from laager.hexmap.draw.style import SideStyle

_INK = "#2b2418"
_OBA = frozenset({"pre-registered", "observer", "security"})


def _stones(spots: Sequence[tuple[float, float, float]]) -> str:
    return "".join(
        path(
            f"M{x - w:g} {y + 1.6:g}l{w * 0.5:g} -{w:g}h{w:g}l{w * 0.6:g} {w:g}Z",
            fill="#b3aca0", stroke=_INK, stroke_width=0.8,
        )
        for x, y, w in spots
    )  # fmt: skip


def _strokes(d: str, colour: str = _INK, width: float = 1.6) -> str:
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def _crater(x: float, y: float, r: float) -> str:
    rim = tag("ellipse", cx=x, cy=y, rx=r, ry=r * 0.7, fill="#6f5a3b", stroke="#d9c79c", stroke_width=1.2)
    return rim + tag("ellipse", cx=x, cy=y + 0.4, rx=r * 0.6, ry=r * 0.36, fill="#2e2414")


DRAWINGS: Mapping[str, str] = {
    "rubble": _stones(((-5, 3, 3.6), (4, 3.4, 4.2), (-1, -2.4, 3.4))),
    "shellholes": _crater(-4.5, 2, 4) + _crater(4.6, 2.6, 3.4) + _crater(0.6, -3.6, 3),
    "trailbreak": _strokes("M-8 5C-2 5 2 -5 8 -5", "#8a6a3c", 4.4) + _strokes("M-8 5C-2 5 2 -5 8 -5", "#f1e2bd", 1.6),
    "breach": path("M-9 -4h6l2 3 -2 5h-6ZM9 -4H4L1.6 0 4 4h5Z", fill="#9d8d78", stroke=_INK, stroke_width=0.9),
    "mousehole": path("M-8 -5H8V5H4V1a4 4 0 0 0 -8 0V5H-8Z", fill="#9d8d78", stroke=_INK, stroke_width=0.9),
    "collapsed-hut": path("M-9 5L-3 -3 1 1 5 -4 9 5Z", fill="#b99a5d", stroke=_INK, stroke_width=0.9),
    "bridge-destroyed": path("M-9 -2h6l1 4h-7ZM9 -2H3l1.4 4H9Z", fill="#9d8d78", stroke=_INK, stroke_width=0.9)
    + _strokes("M-3 4L3 -5M-3 -5L3 4", "#b00020", 1.8),
}
"""How each lasting change of the ground is drawn."""

NAMES: Mapping[str, str] = {
    "rubble": "Rubble",
    "shellholes": "Shellholes",
    "trailbreak": "Trailbreak",
    "breach": "Breach",
    "mousehole": "Mousehole",
    "collapsed-hut": "Collapsed hut",
    "bridge-destroyed": "Destroyed bridge",
    "pre-registered": "Pre-Registered hex",
    "observer": "OBA observer",
    "security": "Security Area",
}
"""What the legend calls them."""


def target_sign(colour: str) -> str:
    """Return the cross hairs of a Pre-Registered hex around the origin."""
    ring = tag("circle", r=9, fill="none", stroke="#fffef8", stroke_width=4.4)
    ring += tag("circle", r=9, fill="none", stroke=colour, stroke_width=2.2)
    return ring + _strokes("M-13 0h8M13 0h-8M0 -13v8M0 13v-8", colour, 2.2) + tag("circle", r=1.7, fill=colour)


def observer_sign(colour: str) -> str:
    """Return the sign of who directs OBA: a radio that sends."""
    plate = tag("rect", x=-8, y=-6, width=16, height=12, rx=2, fill="#fdfcf5", stroke=colour, stroke_width=1.8)
    waves = _strokes("M4 -9.5a5 5 0 0 1 5 5M4 -13a8.5 8.5 0 0 1 8.5 8.5", colour, 1.5)
    return plate + lettering(0, 3, "OBA", 7.4, _INK) + waves


def ground_sign(mark: GroundMark, style: SideStyle | None) -> str:
    """Return the sign of a mark around the origin; an unknown one has its first letters on it."""
    colour = style.colour if style else _INK
    match mark.kind:
        case "pre-registered":
            return target_sign(colour)
        case "observer":
            return observer_sign(colour)
        case "security":
            return security_line("M-15 4L0 -4L15 4", colour)
    drawing = DRAWINGS.get(mark.kind) or lettering(0, 3, mark.kind[:4].upper(), 7, _INK)
    plate = tag("rect", x=-11.5, y=-8.5, width=23, height=17, rx=8.5, fill="#f1eadb", fill_opacity=0.92,
                stroke="#6d6556", stroke_width=1)  # fmt: skip
    return plate + drawing


def security_line(d: str, colour: str) -> str:
    """Return a phone's Security Area along a path."""
    return path(d, fill="none", stroke="#fffef8", stroke_width=4, stroke_opacity=0.8) + path(
        d, fill="none", stroke=colour, stroke_width=2, stroke_dasharray="6 3 1.5 3"
    )


def draw_ground(lattice: Lattice, marks: Sequence[GroundMark], styles: Mapping[str, SideStyle]) -> tuple[str, str]:
    """Return the layer of lasting changes, and that of OBA."""
    changes, oba = [], []
    by_hex: dict[str, list[GroundMark]] = {}
    for mark in marks:
        by_hex.setdefault(split_location(lattice.map.main_location(mark.at))[0], []).append(mark)
    for name in lattice.map.in_order(by_hex):
        (x, y), spread = anchor(lattice, lattice.map.hex(name))
        left = 0
        for mark in by_hex[name]:
            style = styles.get(mark.side)
            if mark.kind == "security":
                spots = [lattice.middle(split_location(lattice.map.main_location(at))[0]) for at in mark.line]
                oba.append(security_line(curves.line(spots), style.colour if style else _INK))
            elif mark.kind in _OBA:
                oba.append(_place(mark, style, x + (28 if mark.kind == "observer" else 0) * spread, y - 13 * spread))
            else:
                changes.append(_place(mark, style, x - (26 - 25 * left) * spread, y + 27 * spread))
                left += 1
    return layer("ground-changes", changes), layer("oba", oba)


def _place(mark: GroundMark, style: SideStyle | None, x: float, y: float) -> str:
    title = tag("title", escape(f"{mark.label or NAMES.get(mark.kind, mark.kind)}, {mark.at}"))
    return group(
        [title, ground_sign(mark, style)],
        transform=f"translate({number(x)} {number(y)})",
        data_mark=mark.kind,
        data_side=mark.side or None,
    )
