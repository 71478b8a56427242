"""Colours, line styles and lettering of the maps, in one place.

Whatever a colour means, a pattern, a shape or a line style means too, and colours that mean
different things differ in brightness: maps are printed in grey, and one reader in twelve sees red
and green alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FONT = "'Laager Sans','DejaVu Sans Condensed','Helvetica Neue',Arial,sans-serif"

INK = "#33342e"
PALE_INK = "#55564c"
PAPER = "#fcfbf6"
HALO = "#fffef8"

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
EARTH = "#a4763f"


def level_tint(level: int) -> str:
    """Return the colour of the ground at a level."""
    return LEVELS[min(max(level, min(LEVELS)), max(LEVELS))]


@dataclass(frozen=True)
class GroundStyle:
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


GROUNDS: Mapping[str, GroundStyle] = {
    "unknown": GroundStyle("Not known", "#e4e4e0", "dashed", "#a3a39a", 1.5),
    # Wet ground first: dry things may stand over it.
    "water": GroundStyle("Water", WATER, "smooth", BANK, 1.0),
    "river": GroundStyle("River", WATER, "smooth", BANK, 1.0),
    "pond": GroundStyle("Pond", WATER, "smooth", BANK, 3.0),
    "marsh": GroundStyle("Marsh", "#cfe3d6", "dashed", "#5f9488", 1.5),
    "swamp": GroundStyle("Swamp", "#b4d0b4", "scalloped", "#4f7d66", 3.0),
    "rice-paddy": GroundStyle("Rice paddy", "#d3e6dc", "smooth", "#8b8455", 1.5),
    "wadi": GroundStyle("Wadi", "#ead2a0", "hachured", EARTH, 4.0),
    "deir": GroundStyle("Deir", "#efe0b4", "hachured", EARTH, 4.0),
    "sand": GroundStyle("Sand", "#f8e7ae", "dashed", "#c4a14a", 1.5),
    "hammada": GroundStyle("Hammada", "#ead9b4", "none", "none", 3.0),
    "plowed": GroundStyle("Plowed field", "#e3cfa6", "smooth", "#a98450", 1.5),
    "grain": GroundStyle("Grain", "#f3e08c", "dashed", "#b0902b", 1.5),
    "kunai": GroundStyle("Kunai", "#e0df92", "dashed", "#8f8c33", 1.5),
    "vineyard": GroundStyle("Vineyard", "#e4e3bf", "dashed", "#7b7d3f", 1.5),
    "brush": GroundStyle("Brush", "#dde3ad", "scalloped", "#8f9a55", 4.0),
    "orchard": GroundStyle("Orchard", "#e2ecc6", "dashed", "#7d9a58", 1.5),
    "palm": GroundStyle("Palm trees", "#d6e6bf", "dashed", "#6f9650", 1.5),
    "graveyard": GroundStyle("Graveyard", "#e4e6da", "smooth", "#77786c", 3.0),
    "rubble": GroundStyle("Rubble", "#d8d2c6", "scalloped", "#8a8175", 6.0),
    "crag": GroundStyle("Crag"),
    "bamboo": GroundStyle("Bamboo", "#c9dc9c", "scalloped", "#5f8034", 4.0),
    "woods": GroundStyle("Woods", "#a8c896", "scalloped", "#4d7744", 4.0),
    "forest": GroundStyle("Forest", "#93b98c", "scalloped", "#35603f", 4.0),
    "jungle": GroundStyle("Light jungle", "#97bf83", "scalloped", "#35682f", 3.0),
    "dense-jungle": GroundStyle("Dense jungle", "#79a56c", "scalloped", "#254f28", 3.0),
}
"""Every kind of terrain that is drawn (open ground is not), in the order of drawing."""

WATERS = frozenset({"water", "river", "pond"})


@dataclass(frozen=True)
class SideStyle:
    """Colours, lines and shapes of one side.

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
