"""The drawings of fortifications, by which players know each kind, around the origin and about 18 by 13 units large."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from laager.hexmap.draw.markup import lettering, path, tag

_INK, _EARTH, _STEEL, _WOOD = "#2b2418", "#8a6a3c", "#6d7176", "#7b4a21"


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


def fort_drawing(kind: str, label: str = "") -> str:
    """Return the drawing of a kind of fortification; of an unknown one its first letters."""
    drawing = DRAWINGS.get(kind)
    return drawing(label) if drawing else _letters("".join(word[:1] for word in kind.split("-"))[:3].upper())
