"""Lines of sight over a map: shaded hexes, the thread of an LOS, and the legend's samples of them.

Nothing depends on colour alone: hindered ground has a broken rim and its DRM, blocked ground is hatched, numbers of
viewers are written in the hexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.markup import layer, lettering, number, path, tag
from laager.hexmap.draw.style import HALO, INK

CLEAR, HINDERED, UPPER, BLOCKED, UNKNOWN = "clear", "hindered", "upper", "blocked", "unknown"
"""The LOS to a hex: clear, hindered, only to an upper level, blocked, or unknown."""

KINDS: Mapping[str, str] = {
    CLEAR: "Seen",
    HINDERED: "Seen, hindered",
    UPPER: "Seen from that level",
    BLOCKED: "Not seen",
    UNKNOWN: "No answer",
}
"""What the legend calls each."""

_FILLS: Mapping[str, tuple[str, float]] = {
    CLEAR: ("#2b8a3e", 0.26),
    HINDERED: ("#f2b500", 0.38),
    UPPER: ("#5f3dc4", 0.24),
    BLOCKED: ("#20211d", 0.34),
    UNKNOWN: ("#868e96", 0.3),
}
_HATCH = "sight-hatch"
_FROM, _TO = "#b00020", "#0b5394"


@dataclass(frozen=True)
class LosLayer:
    """LOS results, ready to draw: hexes by kind (see `KINDS`), and labels in hexes, such as +1, L2, 3.

    `spots` are the hexes of viewers and targets; `thread` is a line between the centres of two hexes,
    `block` the hex (or hexside, `A1/A2`) that blocks it. Hexes further than `reach` weren't looked at.
    """

    title: str = ""
    hexes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    spots: Sequence[str] = ()
    thread: tuple[str, str] | None = None
    block: str = ""
    reach: int | None = None


def draw_los(lattice: Lattice, los: LosLayer | None) -> str:
    """Return the shaded hexes, the thread and the viewers. Raises RefusedError for a hex that is not on the map."""
    if los is None:
        return ""
    parts = (_shades, _labels, _thread, _spots)
    return layer("sight", [drawn for part in parts for drawn in part(lattice, los)])


def _shades(lattice: Lattice, los: LosLayer) -> Iterable[str]:
    if los.hexes.get(BLOCKED):
        yield tag("defs", _hatch())
    for kind, (fill, opacity) in _FILLS.items():
        names = los.hexes.get(kind)
        if not names:
            continue
        d = curves.closed_lines(lattice.points(loop) for loop in lattice.cut_area(lattice.map.in_order(names)))
        yield path(d, fill=fill, fill_opacity=opacity)
        if kind == BLOCKED:
            yield path(d, fill=f"url(#{_HATCH})")
        elif kind in (HINDERED, UPPER):
            dashes = "5 4" if kind == HINDERED else "1.5 4"
            yield path(d, fill="none", stroke=fill, stroke_width=2, stroke_dasharray=dashes, stroke_opacity=0.9)


def _hatch() -> str:
    lines = path("M-1 1l2-2M0 10l10-10M9 11l2-2", stroke="#20211d", stroke_width=1.1, stroke_opacity=0.5)
    return tag("pattern", lines, id=_HATCH, width=10, height=10, patternUnits="userSpaceOnUse")


def _labels(lattice: Lattice, los: LosLayer) -> Iterable[str]:
    for name, label in los.labels.items():
        x, y = lattice.middle(lattice.map.main(name))
        yield lettering(
            x, y + 21, label, 12.5, INK, stroke=HALO, stroke_width=3, paint_order="stroke", stroke_linejoin="round"
        )


def _thread(lattice: Lattice, los: LosLayer) -> Iterable[str]:
    if los.thread is None:
        return
    (x1, y1), (x2, y2) = (lattice.middle(lattice.map.main(name)) for name in los.thread)
    d = f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    yield path(d, stroke=HALO, stroke_width=5.5, stroke_opacity=0.9)
    yield path(d, stroke=_FROM, stroke_width=2.6)
    if los.block:
        ends = [lattice.middle(lattice.map.main(name)) for name in los.block.split("/")]
        x, y = (sum(part) / len(ends) for part in zip(*ends, strict=True))
        cross = f"M{number(x - 9)} {number(y - 9)}l18 18m0-18l-18 18"
        yield path(cross, stroke=HALO, stroke_width=7, stroke_linecap="round")
        yield path(cross, stroke=_FROM, stroke_width=3.4, stroke_linecap="round")


def _spots(lattice: Lattice, los: LosLayer) -> Iterable[str]:
    last = len(los.spots) - 1
    for i, name in enumerate(los.spots):
        x, y = lattice.middle(lattice.map.main(name))
        ink = _TO if los.thread is not None and i == last else _FROM
        yield tag("circle", cx=round(x, 1), cy=round(y, 1), r=10, fill="none", stroke=HALO, stroke_width=6)
        yield tag("circle", cx=round(x, 1), cy=round(y, 1), r=10, fill="none", stroke=ink, stroke_width=3)
        yield tag("circle", cx=round(x, 1), cy=round(y, 1), r=2.6, fill=ink)


def kinds_shown(los: LosLayer) -> list[str]:
    """Return the kinds that a layer shows, in the legend's order."""
    return [kind for kind in KINDS if los.hexes.get(kind)]


def spot_sample() -> str:
    """Return the legend's sample of a viewer, around the origin."""
    rim = tag("circle", r=6, fill="none", stroke=_FROM, stroke_width=2.4)
    return rim + tag("circle", r=1.9, fill=_FROM)


def unseen_sample() -> str:
    """Return the legend's sample of a hex that wasn't looked at, around the origin."""
    return path("M-14 -7h28v14h-28Z", fill="none", stroke=INK, stroke_width=0.8, stroke_dasharray="2 2")


def los_sample(kind: str) -> str:
    """Return the legend's sample of a kind, around the origin."""
    fill, opacity = _FILLS[kind]
    box = "M-14 -7h28v14h-28Z"
    shade = path(box, fill=fill, fill_opacity=opacity, stroke=fill, stroke_width=1.2)
    if kind == BLOCKED:
        return shade + path("M-12 6l12-12M0 6l12-12", stroke="#20211d", stroke_width=1.1)
    mark = {HINDERED: "+1", UPPER: "L1", UNKNOWN: "?"}.get(kind, "")
    return shade + (lettering(0, 4, mark, 10.5, INK) if mark else "")
