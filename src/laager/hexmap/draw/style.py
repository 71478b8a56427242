"""Colours, line styles and lettering of the maps, in one place.

Everything that colour tells is told a second time by a pattern, a shape or a line style, and
colours that mean different things differ in brightness too: maps are printed in grey, and one
reader in twelve sees red and green alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FONT = "'Laager Sans','DejaVu Sans Condensed','Helvetica Neue',Arial,sans-serif"

INK = "#33342e"
PALE_INK = "#55564c"
PAPER = "#fcfbf6"
HALO = "#fffef8"
FRAME = "#4a4b42"

LEVELS: Mapping[int, str] = {
    -2: "#cfd8c3",
    -1: "#e0e6d2",
    0: "#f5f2e1",
    1: "#ecdfb9",
    2: "#dfc991",
    3: "#d0b273",
    4: "#bf9a5b",
    5: "#ab8149",
    6: "#966b3b",
}
"""Tints of the ground; lower and higher levels take the last."""

CONTOUR = "#8a5a2b"
WATER = "#a9cfe8"
BANK = "#3b78a8"
ROCK = "#8b8a84"
EARTH = "#a4763f"


def level_tint(level: int) -> str:
    """Return the colour of the ground at a level."""
    return LEVELS[min(max(level, min(LEVELS)), max(LEVELS))]


@dataclass(frozen=True)
class Ground:
    """How a kind of terrain covers its hexes.

    `edge` is scalloped, smooth, dashed or none; `inset` how far the area stays inside its
    hexes; `label` what the legend calls it.
    """

    label: str
    fill: str = "none"
    edge: str = "none"
    line: str = "none"
    inset: float = 4.0
    opacity: float = 1.0


GROUNDS: Mapping[str, Ground] = {
    "unknown": Ground("Not known", "#e4e4e0", "dashed", "#a3a39a", 1.5),
    # Wet ground first: dry things may stand over it.
    "water": Ground("Water", WATER, "smooth", BANK, 1.0),
    "river": Ground("River", WATER, "smooth", BANK, 1.0),
    "pond": Ground("Pond", WATER, "smooth", BANK, 3.0),
    "marsh": Ground("Marsh", "#cfe3d6", "dashed", "#5f9488", 1.5),
    "swamp": Ground("Swamp", "#b4d0b4", "scalloped", "#4f7d66", 3.0),
    "rice-paddy": Ground("Rice paddy", "#d3e6dc", "smooth", "#8b8455", 1.5),
    "wadi": Ground("Wadi", "#ead2a0", "hachured", EARTH, 4.0),
    "deir": Ground("Deir", "#efe0b4", "hachured", EARTH, 4.0),
    "sand": Ground("Sand", "#f8e7ae", "dashed", "#c4a14a", 1.5),
    "hammada": Ground("Hammada", "#ead9b4", "none", "none", 3.0),
    "plowed": Ground("Plowed field", "#e3cfa6", "smooth", "#a98450", 1.5),
    "grain": Ground("Grain", "#f3e08c", "dashed", "#b0902b", 1.5),
    "kunai": Ground("Kunai", "#e0df92", "dashed", "#8f8c33", 1.5),
    "vineyard": Ground("Vineyard", "#e4e3bf", "dashed", "#7b7d3f", 1.5),
    "brush": Ground("Brush", "#dde3ad", "scalloped", "#8f9a55", 4.0),
    "orchard": Ground("Orchard", "#e2ecc6", "dashed", "#7d9a58", 1.5),
    "palm": Ground("Palm trees", "#d6e6bf", "dashed", "#6f9650", 1.5),
    "graveyard": Ground("Graveyard", "#e4e6da", "smooth", "#77786c", 3.0),
    "rubble": Ground("Rubble", "#d8d2c6", "scalloped", "#8a8175", 6.0),
    "crag": Ground("Crag"),
    "bamboo": Ground("Bamboo", "#c9dc9c", "scalloped", "#5f8034", 4.0),
    "woods": Ground("Woods", "#a8c896", "scalloped", "#4d7744", 4.0),
    "forest": Ground("Forest", "#93b98c", "scalloped", "#35603f", 4.0),
    "jungle": Ground("Light jungle", "#97bf83", "scalloped", "#35682f", 3.0),
    "dense-jungle": Ground("Dense jungle", "#79a56c", "scalloped", "#254f28", 3.0),
}
"""Every kind of terrain that is drawn (open ground is not), in the order of drawing."""

WATERS = frozenset({"water", "river", "pond"})


@dataclass(frozen=True)
class SideStyle:
    """How everything of one side is told from the other's.

    `dash` is that of its lines, `hatch` the angle of its hatching, `shape` the form of its flags
    and badges: square, round, diamond or triangle.
    """

    number: int
    colour: str
    tint: str
    ink: str
    dash: str | None
    hatch: float
    shape: str


_SIDES = (
    SideStyle(0, "#004f86", "#4a95cc", "#ffffff", None, 45, "square"),
    SideStyle(1, "#d65f00", "#f0a35a", "#ffffff", "13 6", -45, "round"),
    SideStyle(2, "#00775a", "#57b79b", "#ffffff", "3 5", 0, "diamond"),
    SideStyle(3, "#8a3f73", "#cf8fb8", "#ffffff", "16 5 3 5", 90, "triangle"),
)


def side_styles(sides: Iterable[str]) -> dict[str, SideStyle]:
    """Return a style per side, by the order in which they are given."""
    return {side: _SIDES[i % len(_SIDES)] for i, side in enumerate(dict.fromkeys(sides))}
