"""Counters as players know them: faces by type, and what is on them in play, as SVG symbols of 40 by 40.

A page or a drawing holds each symbol once (`counter_symbols`) and shows it with `<use>`: a face, the letter or name
of the unit, and a symbol for each state. The scripts of the pages put counters together in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from laager.hexmap.draw.figures import draw_figure, figure_name
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.fort_drawings import fort_drawing
from laager.hexmap.draw.markup import group, lettering, path, tag
from laager.hexmap.draw.style import SideStyle

BOX = 40
"""Width and height of a counter, in its own units."""

PREFIX = "counter-"
_INK = "#22221f"
_PAPER = ("#dfe9f3", "#f8e6cf", "#d9eee5", "#f0dfe9")
"""The ground of each side's counters, by the number of its style."""

GRADES: Mapping[str, str] = {"elite": "E", "first-line": "1", "second-line": "2", "green": "G", "conscript": "C"}
"""The mark of each class."""


@dataclass(frozen=True)
class Face:
    """What a type's counter shows: its kind, its factors or name, its class, the figure on it."""

    kind: str
    text: str
    grade: str = ""
    figure: str = ""

    @classmethod
    def of(cls, kind: str, text: str, sort: str = "", grade: str = "") -> Face:
        """Return the face of a type; `sort` and `grade` are the catalogue's."""
        return cls(kind, text, GRADES.get(grade, ""), figure_name(kind, sort, text))

    @classmethod
    def of_fort(cls, kind: str, label: str) -> Face:
        """Return the face of a kind of fortification."""
        return cls(FORT, label, figure=kind)


FORT = "fort"
"""The kind of a fortification's face; its figure is the kind of fortification."""

HIDDEN = Face("hidden", "?")
"""What is seen of a concealed unit."""


def face_id(face: Face, style: SideStyle) -> str:
    """Return the id of the symbol of a side's face."""
    slug = re.sub(r"[^a-z0-9]+", "-", f"{face.kind} {face.text} {face.grade} {face.figure}".lower()).strip("-")
    # Two texts may differ in their signs alone: 6+1 and 6-1.
    signs = "".join(f"x{ord(sign):x}" for sign in face.text if not sign.isalnum() and sign not in " -")
    return f"{PREFIX}{style.number}-{slug}{signs}"


def symbol(name: str, content: str, **attributes: str) -> str:
    """Return a symbol of the size of a counter."""
    return tag("symbol", content, id=name, viewBox=f"0 0 {BOX} {BOX}", **attributes)


@lru_cache(maxsize=512)
def face_symbol(face: Face, style: SideStyle) -> str:
    """Return the symbol of a side's face."""
    draw = {HIDDEN.kind: _draw_hidden, FORT: _draw_fort}.get(face.kind, _draw_open)
    return symbol(face_id(face, style), draw(face, style))


def _draw_open(face: Face, style: SideStyle) -> str:
    size = _fitting(face.text, 11.5, 34)
    return "".join(
        (
            tag(
                "rect", x=1, y=1, width=38, height=38, rx=3.5, fill=_PAPER[style.number], stroke=_INK, stroke_width=1.4
            ),
            path("M1.7 10V4.5a2.8 2.8 0 0 1 2.8 -2.8h31a2.8 2.8 0 0 1 2.8 2.8V10Z", fill=style.colour),
            side_shape(6.5, 5.8, style),
            lettering(34, 8.8, face.grade, 8.5, style.ink) if face.grade else "",
            draw_figure(face.figure or face.kind),
            lettering(20, 36.4, face.text, f"{size:.1f}", _INK),
        )
    )


def _draw_hidden(_face: Face, style: SideStyle) -> str:
    back = tag("rect", x=1, y=1, width=38, height=38, rx=3.5, fill=style.colour, stroke=_INK, stroke_width=1.4)
    return back + side_shape(6.5, 6, style) + lettering(20, 30, "?", 27, style.ink)


def _draw_fort(face: Face, style: SideStyle) -> str:
    """Return a fortification on card of its own colour, with a side's band."""
    size = _fitting(face.text, 8, 35)
    drawing = tag("g", fort_drawing(face.figure, face.text), transform="translate(20 19.5) scale(1.25)")
    card = tag("rect", x=1, y=1, width=38, height=38, rx=3.5, fill="#f3e8cb", stroke=_INK, stroke_width=1.4)
    band = path("M1.7 7V4.5a2.8 2.8 0 0 1 2.8 -2.8h31a2.8 2.8 0 0 1 2.8 2.8V7Z", fill=style.colour)
    return card + band + drawing + lettering(20, 36, face.text, f"{size:.1f}", _INK)


def side_shape(x: float, y: float, style: SideStyle) -> str:
    """Return the shape of a side in its ink around a point: a square, disc, diamond or triangle."""
    d = {
        "square": f"M{x - 2.8:g} {y - 2.8:g}h5.6v5.6h-5.6Z",
        "round": f"M{x - 3:g} {y:g}a3 3 0 1 1 6 0a3 3 0 1 1 -6 0Z",
        "diamond": f"M{x:g} {y - 3.6:g}l3.6 3.6l-3.6 3.6l-3.6 -3.6Z",
    }.get(style.shape, f"M{x:g} {y - 3.4:g}l3.8 6.4h-7.6Z")
    return path(d, fill=style.ink)


def _fitting(text: str, most: float, room: float) -> float:
    width = text_width(text, 1, bold=True)
    return min(most, room / width) if width else most


# States -------------------------------------------------------------------------------------------

_RED = "#b00020"


def _disc(x: float, y: float, sign: str, fill: str, ink: str = "#ffffff") -> str:
    disc = tag("circle", cx=x, cy=y, r=5.6, fill=fill, stroke="#ffffff", stroke_width=1.2)
    return disc + lettering(x, y + 3, sign, 8.4, ink)


def _cross(colour: str, width: float) -> str:
    d = "M7 13L33 27M33 13L7 27"
    return path(d, fill="none", stroke="#ffffff", stroke_width=width + 2) + path(
        d, fill="none", stroke=colour, stroke_width=width
    )


_CRACK = "M26 10L17.8 17.4 23.6 19.6 14.5 28"
_BARS = "M10 11V27M16.6 11V27M23.3 11V27M30 11V27"

OVERLAYS: Mapping[str, str] = {
    "broken": tag("rect", x=1.7, y=10, width=36.6, height=18, fill="#ffffff", fill_opacity=0.5)
    + path(_CRACK, fill="none", stroke="#ffffff", stroke_width=5.4)
    + path(_CRACK, fill="none", stroke=_RED, stroke_width=2.8)
    + tag("rect", x=1, y=1, width=38, height=38, rx=3.5, fill="none", stroke=_RED, stroke_width=2.4),
    "wounded": _disc(7, 16.5, "W", _RED),
    "fanatic": _disc(7, 24, "F", "#7a1fa2"),
    "heroic": _disc(7, 24, "H", "#1f6b2e"),
    "hardened": path("M27 27l6 -6 6 6v-4.4l-6 -6 -6 6Z", fill="#e8b400", stroke=_INK, stroke_width=0.9),
    "prisoner": path(_BARS, fill="none", stroke="#ffffff", stroke_width=4)
    + path(_BARS, fill="none", stroke=_INK, stroke_width=2),
    "concealed": _disc(33.8, 17, "?", _INK),
    "hip": tag("rect", x=1, y=1, width=38, height=38, rx=3.5, fill="none", stroke="#ffe27a", stroke_width=2,
               stroke_dasharray="3.4 3") + _disc(33.8, 17, "?", _INK),
    "cloaked": _disc(33.8, 17, "C", _INK),
    "malfunctioned": _cross(_RED, 2.6),
    "ma-malfunctioned": _cross(_RED, 2.2),
    "disabled": _cross(_RED, 4.4),
    "ma-disabled": _cross(_RED, 4),
    "wreck": tag("rect", x=1.7, y=10, width=36.6, height=28.3, fill="#3a372f", fill_opacity=0.5)
    + _cross("#1d1b16", 3.4),
    "burning": path("M9 25C3 25 3 18 6.4 15.4C6.4 17.4 7.8 18 8.4 17.4C7.8 14 9.6 12 11 10.4C11 13.4 15 15.4 14 20"
                    "C13.4 23 12 25 9 25Z", fill="#e2531d", stroke="#1d130c", stroke_width=1),
    "reserve": path("M1.7 38.3V28L12 38.3Z", fill=_INK),
}  # fmt: skip
"""States that lie over the whole counter."""

TAGS: Mapping[str, str] = {
    "dm": "DM", "disrupted": "DIS", "pin": "PIN", "ti": "TI", "cx": "CX", "berserk": "BSK", "encircled": "ENC",
    "unguarded": "FREE", "climbing": "CLB", "melee": "CC", "tank-hunter": "TH", "low-ammo": "LOW", "dismantled": "dm",
    "captured": "CPT", "motion": "MOT", "stun": "STN", "shock": "SHK", "uk": "UK", "bogged": "BOG", "mired": "MIR",
    "immobilized": "IMM", "abandoned": "ABD", "burnt-out": "OUT", "recall": "RCL", "isolated": "ISO",
    "engineers": "ENG", "walking-wounded": "WW", "hooked": "TOW", "limbered": "LIM", "stealthy": "STL", "lax": "LAX",
    "bu": "BU", "ce": "CE", "hull-down": "HD",
}  # fmt: skip
"""States that are letters on a tag, of which a counter has several beside each other."""

SLOTS = ((1.5, 10.5), (22.0, 10.5), (1.5, 19.0), (22.0, 19.0))
"""Where tags lie, in their order."""

STATES = frozenset({*OVERLAYS, *TAGS})
"""All states that counters show."""


@lru_cache(maxsize=128)
def state_symbol(state: str) -> str:
    """Return the symbol of a state; a tag lies in the first slot, and is moved to the others."""
    if state in OVERLAYS:
        return symbol(f"{PREFIX}{state}", OVERLAYS[state])
    x, y = SLOTS[0]
    words = TAGS[state]
    plate = tag("rect", x=x, y=y, width=16.5, height=8, rx=1.6, fill="#ffe27a", stroke=_INK, stroke_width=0.8)
    letters = lettering(x + 8.25, y + 6.4, words, f"{_fitting(words, 6.8, 14.5):.1f}", _INK)
    return symbol(f"{PREFIX}{state}", plate + letters, data_tag="1")


# Putting together ---------------------------------------------------------------------------------


def counter_symbols(faces: Iterable[tuple[Face, SideStyle]], states: Iterable[str] = STATES) -> str:
    """Return the symbols of faces and states, each once, in a stable order."""
    seen = {face_id(face, style): face_symbol(face, style) for face, style in faces}
    shown = sorted(set(states) & STATES)
    return "".join([*(seen[name] for name in sorted(seen)), *map(state_symbol, shown)])


def draw_counter(face: Face, style: SideStyle, states: Iterable[str] = (), letter: str = "") -> str:
    """Return a counter in its box, made of symbols: its face, its letter or name, its states."""
    return join_symbols(face_id(face, style), states, letter, style.ink)


def join_symbols(face: str, states: Iterable[str] = (), letter: str = "", ink: str = "#ffffff") -> str:
    """Return a counter from the id of its face's symbol."""
    parts = [_use(face)]
    if f"-{HIDDEN.kind}-" in face:
        return group(parts)
    if letter:
        size = _fitting(letter, 8.5, 21)
        parts.append(lettering(20.5, 8.6, letter, f"{size:.1f}", ink))
    present = [state for state in (*OVERLAYS, *TAGS) if state in set(states)]
    slots = iter(SLOTS)
    for state in present:
        if state in OVERLAYS:
            parts.append(_use(f"{PREFIX}{state}"))
        elif slot := next(slots, None):
            parts.append(_use(f"{PREFIX}{state}", slot[0] - SLOTS[0][0], slot[1] - SLOTS[0][1]))
    return group(parts)


def _use(name: str, x: float = 0, y: float = 0) -> str:
    return tag("use", href=f"#{name}", x=x or None, y=y or None, width=BOX, height=BOX)
