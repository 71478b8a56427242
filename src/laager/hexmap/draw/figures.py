"""The figures on counters: men, weapons, Guns, vehicles as silhouettes in a box from (4, 11) to (36, 27)."""

from __future__ import annotations

from collections.abc import Mapping

from laager.hexmap.draw.markup import group, path, tag

_INK = "#26261f"
_STAR = "M0 0l1 2.2 2.3.2-1.8 1.5.6 2.3-2.1-1.2-2.1 1.2.6-2.3-1.8-1.5 2.3-.2Z"


def _man(x: float, y: float = 0.0, scale: float = 1.0) -> str:
    """Return a soldier with a rifle, his feet at (x, 26)."""
    body = path(
        "M-2.6 -10.6a2.6 2.3 0 0 1 5.2 0l.9 .8h-7ZM-2 -9.2a2 2 0 1 0 4 0ZM-3.4 -6.6H3.2L3.6 -1.6 2.4 -1.4 3 4.6H.9L0 0"
        "L-.9 4.6H-3L-2.4 -1.4 -4 -2.6Z"
    )
    rifle = path("M-4.6 -.4L6 -7.4", fill="none", stroke=_INK, stroke_width=1.2)
    return tag("g", body + rifle, transform=f"translate({x:g} {21.5 + y:g}) scale({scale:g})")


def _leader(x: float) -> str:
    """Return a man who points ahead."""
    return tag(
        "g",
        path(
            "M-2.7 -11.4h5.4l.6 1.2h-6.6ZM-2 -9.6a2 2 0 1 0 4 0ZM-3.2 -7H2.2L8.6 -11.4 9.6 -10 3.4 -5 3.6 -1.4"
            "L2.6 -1.2 3.2 4.6H1L0 .2 -1 4.6H-3.2L-2.6 -1.2 -5.4 -1.6Z"
        ),
        transform=f"translate({x:g} 21.5)",
    )


def _lines(d: str, width: float = 1.6) -> str:
    return path(d, fill="none", stroke=_INK, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def _wheel(x: float, y: float, r: float) -> str:
    rim = tag("circle", cx=x, cy=y, r=r, fill="none", stroke=_INK, stroke_width=1.6)
    return rim + _lines(f"M{x - r:g} {y:g}h{2 * r:g}M{x:g} {y - r:g}v{2 * r:g}", 0.8)


def _tracks(left: float, right: float, top: float = 21.0) -> str:
    width = right - left
    belt = tag("rect", x=left, y=top, width=width, height=5.4, rx=2.7)
    wheels = int(width // 5)
    dots = "".join(
        tag("circle", cx=round(left + (i + 0.5) * width / wheels, 1), cy=top + 2.7, r=1.4, fill="#f4f1e6")
        for i in range(wheels)
    )
    return belt + dots


def _tank(hull: float, turret: float, barrel: float) -> str:
    """Return a tank: half the length of its hull and turret, and how far its barrel reaches."""
    body = path(f"M{20 - hull:g} 21l3 -4h{2 * hull - 6:g}l3 4Z")
    top = path(f"M{20 - turret:g} 17l1.6 -4.6h{2 * turret - 3.2:g}l1.6 4.6Z")
    return (
        _tracks(20 - hull, 20 + hull) + body + top + (_lines(f"M{20 + turret - 1:g} 14.4h{barrel:g}") if barrel else "")
    )


def _truck(cab: str, bed: str) -> str:
    return path(cab) + path(bed) + _wheel(11, 24, 2.4) + _wheel(28.5, 24, 2.4)


FIGURES: Mapping[str, str] = {
    "squad": _man(10.5) + _man(29.5) + _man(20, 0.4, 1.08),
    "half-squad": _man(14) + _man(26),
    "crew": _man(12, 1.4, 0.86) + _man(29, 1.4, 0.86) + _lines("M14 24.5L20 18.5 26 24.5M20 18.5L27 15", 1.3),
    "leader": _leader(18.5),
    "commissar": _leader(18.5) + path(_STAR, fill="#b00020", transform="translate(8 12)"),
    "hero": _man(20, 0.4, 1.12) + path(_STAR, transform="translate(31 12)"),
    "armor-leader": _tank(11, 6, 9) + tag("circle", cx=19, cy=11.4, r=2),
    "mg": path("M7 19.6l5 -2.2h11.5v-1.2h10v2h-10v1.2h-9l-3 3.2H7Z")
    + _lines("M28 18.4l-3 7M28 18.4l3 7", 1.3)
    + tag("rect", x=16, y=19.4, width=4, height=4.6),
    "heavy-mg": path("M6 17l5 -1.6h12v-1h11v2.4H23v1.4H10l-1.4 2H6Z")
    + _lines("M18 18L10 26M18 18l8.5 8M18 18v6", 1.5)
    + tag("rect", x=20, y=18.4, width=5, height=4.4),
    "atr": path("M5 21l5 -2.4h9v-1.2h17v1.5H20v1.8h-8l-3 3H5Z") + _lines("M28 19l-2.4 6M28 19l2.4 6", 1.2),
    "mortar": _lines("M12 25L25 12.6", 3.4) + _lines("M21 16.6L28 25.4M21 16.6L20 25", 1.4) + path("M7 26h9v-2H9Z"),
    "light-at": path("M5 17h25l3.4 -1.6v6L30 19.8H5Z")
    + _lines("M15 20v4.4M20 20v3", 1.6)
    + path("M35 18.4l3 -1.4v2.8Z"),
    "flamethrower": tag("rect", x=7, y=13, width=5, height=12, rx=2.4)
    + tag("rect", x=13, y=13, width=5, height=12, rx=2.4)
    + _lines("M18 16c5 -1 4 5 8 4h3", 1.5)
    + path("M29 20c3 -5 5 -1 8 -4c-1 5 0 6 -3 7c-3 1 -4 -1 -5 -3Z", fill="#c8451b"),
    "demolition": tag("rect", x=12, y=17, width=16, height=9, rx=1.2)
    + _lines("M16 17v-3h8v3M12 21h16", 1.2)
    + _lines("M28 18c4 -1 3 -5 7 -5", 1.2),
    "radio": tag("rect", x=12, y=16, width=16, height=10, rx=1.4)
    + _lines("M25 16V10.8M25 11.4l5 -.6", 1.3)
    + tag("circle", cx=17, cy=21, r=2.6, fill="#f4f1e6")
    + _lines("M22 19h4M22 22h4", 1.1).replace(_INK, "#f4f1e6"),
    "sw": tag("rect", x=9, y=16, width=22, height=9, rx=1.4) + _lines("M14 16v-3h12v3", 1.5),
    "gun-at": path("M12 14l3.6 -1v10h-3.6Z")
    + _lines("M15 17.4h21", 1.9)
    + _wheel(15, 23, 3.2)
    + _lines("M12 22L4 26", 1.6),
    "gun-infantry": path("M13 13.4l3.6 -1v10.6H13Z")
    + _lines("M16 17.4h10", 3)
    + _wheel(16, 22.6, 3.8)
    + _lines("M13 21.6L5 26", 1.8),
    "gun-artillery": path("M13 14h4v9h-4Z")
    + _lines("M16 18.4L33 12.6", 2.8)
    + _wheel(16, 22.6, 3.8)
    + _lines("M13 21.6L5 26", 1.8),
    "gun-aa": _lines("M18 20L29 11M22 20L32.6 11.6", 1.8)
    + path("M12 21h16v2.4H12Z")
    + _lines("M10 26l6 -3M30 26l-6 -3", 1.6),
    "gun-mortar": _lines("M13 25L26 12.2", 4)
    + _lines("M22 16.4L30 25.6M22 16.4L20.4 25.4", 1.5)
    + path("M7 26h11v-2.2H10Z"),
    "gun-recoilless": _lines("M7 16.6h28", 2.4)
    + path("M4 14.4l4 1.4v1.8l-4 1.4Z")
    + _lines("M20 17.4L13 26M20 17.4l7 8.6", 1.5),
    "gun-rocket": "".join(_lines(f"M13 {y:g}l17 -5", 2) for y in (18.4, 21.4, 24.4)) + _wheel(17, 24, 2.6),
    "tank-light": _tank(11, 5.4, 8),
    "tank": _tank(13, 6.4, 11),
    "tank-heavy": _tank(15, 7.6, 13).replace('height="5.4"', 'height="5.8"'),
    "assault-gun": _tracks(6, 33) + path("M6 21l2 -6.6h13l4 4H30l3.4 2.6Z") + _lines("M23 17.4h14", 2),
    "half-track": path("M6 21.4V15h15l1 3h8l3 3.4Z") + _tracks(6, 23, 20.8) + _wheel(29.6, 24, 2.4),
    "armored-car": path("M6 22l2 -6h23l3 6Z")
    + path("M14 16l1 -3.4h8l1 3.4Z")
    + _lines("M23 14h9")
    + _wheel(12, 24, 2.5)
    + _wheel(27.6, 24, 2.5),
    "carrier": path("M7 21l1.4 -5h22l3 5Z") + _tracks(8, 32, 21) + _lines("M25 15.6h8", 1.4),
    "truck": _truck("M6 23.4v-5l2 -3.6h6v8.6Z", "M15 13h19v10.4H15Z"),
    "car": _truck("M6 23.6v-3.4l7 -.8 3.4 -4h9l4 5.2 5 .6v2.4Z", ""),
    "tractor": _tracks(7, 27, 20.8) + path("M9 21v-6h8v3h12l2 3Z") + _wheel(31, 24, 2),
    "vehicle": path("M7 22l2 -6h22l3 6Z") + _wheel(12, 24, 2.5) + _wheel(28, 24, 2.5),
    "other": path("M20 12l8 7 -8 7 -8 -7Z"),
}
"""Each figure by its name."""

_SW = {
    "atr": "atr",
    "mortar": "mortar",
    "light-at": "light-at",
    "flamethrower": "flamethrower",
    "demolition": "demolition",
}
_VEHICLES = (
    ("light tank", "tank-light"), ("heavy tank", "tank-heavy"), ("tank destroyer", "assault-gun"),
    ("assault gun", "assault-gun"), ("self-propelled", "assault-gun"), ("half-track", "half-track"),
    ("carrier", "carrier"), ("armored car", "armored-car"), ("tractor", "tractor"), ("truck", "truck"),
    ("tank", "tank"), ("car", "car"),
)  # fmt: skip


def figure_name(kind: str, sort: str = "", type_: str = "") -> str:
    """Return which figure a unit of a kind has; `sort` is the catalogue's (mg, at, light tank …)."""
    low = type_.lower()
    match kind:
        case "sw" if sort == "mg":
            return "mg" if low.startswith("l") else "heavy-mg"
        case "sw" if sort in _SW:
            return _SW[sort]
        case "sw":
            return "radio" if "radio" in low or "phone" in low else "sw"
        case "gun":
            return f"gun-{sort}" if f"gun-{sort}" in FIGURES else "gun-at"
        case "afv" | "vehicle":
            return next((figure for word, figure in _VEHICLES if word in sort), "tank" if kind == "afv" else "vehicle")
    return kind if kind in FIGURES else "other"


def draw_figure(name: str) -> str:
    """Return a figure."""
    return group([FIGURES.get(name, FIGURES["other"])], fill=_INK)
