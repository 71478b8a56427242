"""Small drawings that are defined once and placed many times.

Each kind of terrain has one or more hex-sized drawings, strewn by a fixed rule, so that the same
map is always drawn with the same trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import cos, pi, radians, sin, sqrt
from random import Random

from laager.hexmap.draw.lattice import RADIUS, Point
from laager.hexmap.draw.markup import number as n
from laager.hexmap.draw.markup import path, tag

PREFIX = "lg-"
Maker = Callable[[Random], str]


def strew(random: Random, count: int, apart: float, reach: float) -> list[Point]:
    """Return up to `count` points in a hex, at least `apart` from each other, from north to south.

    `reach` is how near the hexsides they may lie: 1 stands for the whole hex.
    """
    points: list[Point] = []
    for _ in range(count * 40):
        x, y = random.uniform(-RADIUS, RADIUS), random.uniform(-RADIUS, RADIUS)
        if not in_hex(x, y, RADIUS * reach):
            continue
        if all((x - a) ** 2 + (y - b) ** 2 >= apart * apart for a, b in points):
            points.append((x, y))
            if len(points) == count:
                break
    return sorted(points, key=lambda point: (point[1], point[0]))


def in_hex(x: float, y: float, radius: float) -> bool:
    """Return True if a point lies in a hex around the origin."""
    half = radius * sqrt(3) / 2
    return abs(y) <= half and abs(x) * sqrt(3) + abs(y) <= 2 * half


def dots(points: Iterable[Point], radius: float) -> str:
    """Return path data of dots."""
    r = n(radius)
    return "".join(
        f"M{n(x - radius)} {n(y)}a{r} {r} 0 1 1 {n(2 * radius)} 0a{r} {r} 0 1 1 {n(-2 * radius)} 0Z" for x, y in points
    )


def _crown(x: float, y: float, size: float) -> str:
    """Return one broad-leaved tree from above: a crown of lobes and its light."""
    lobes, points = 7, []
    for i in range(lobes):
        angle = 2 * pi * i / lobes + x
        points.append((x + size * cos(angle), y + size * sin(angle)))
    r = n(size * 0.52)
    d = f"M{n(points[-1][0])} {n(points[-1][1])}" + "".join(f"A{r} {r} 0 0 1 {n(a)} {n(b)}" for a, b in points)
    return d + "Z"


def _light(x: float, y: float, size: float) -> str:
    a, b = size * 0.62, size * 0.2
    return f"M{n(x - a)} {n(y + b)}A{n(size * 0.7)} {n(size * 0.7)} 0 0 1 {n(x + b)} {n(y - a)}"


def _trees(random: Random, count: int, apart: float, sizes: tuple[float, float], fill: str, line: str) -> str:
    trees = [(x, y, random.uniform(*sizes)) for x, y in strew(random, count, apart, 0.84)]
    crowns = "".join(path(_crown(*tree)) for tree in trees)
    lights = "".join(_light(*tree) for tree in trees)
    return tag("g", crowns, fill=fill, stroke=line, stroke_width=0.9) + path(
        lights, fill="none", stroke="#ffffff", stroke_width=0.9, stroke_opacity=0.45
    )


def _woods(random: Random) -> str:
    return _trees(random, 9, 15.5, (5.6, 7.4), "#86ae74", "#3f6a39")


def _forest(random: Random) -> str:
    broad = _trees(random, 4, 18, (5.4, 6.8), "#74a06b", "#2f5836")
    firs = "".join(_fir(x, y) for x, y in strew(random, 8, 14, 0.8))
    return broad + tag("g", firs, fill="#5c8a60", stroke="#274c31", stroke_width=0.8)


def _fir(x: float, y: float) -> str:
    d = f"M{n(x)} {n(y - 9)}l4 6h-2l3.4 5h-10.8l3.4-5h-2Z"
    return path(d, stroke_linejoin="round")


def _jungle(random: Random) -> str:
    return _trees(random, 8, 16, (6, 8), "#78ab62", "#2f6129") + _fronds(random, 5, 15, 6.5, "#1f4f22", 1.1)


def _dense_jungle(random: Random) -> str:
    return _trees(random, 13, 12.5, (6, 8), "#5b8c50", "#1d4220") + _fronds(random, 7, 14, 6.5, "#143616", 1.2)


def _fronds(random: Random, count: int, apart: float, size: float, line: str, width: float) -> str:
    """Return palms from above: leaves that bend away from the middle."""
    d = []
    for x, y in strew(random, count, apart, 0.8):
        turn = random.uniform(0, 60)
        for k in range(6):
            a = radians(turn + 60 * k)
            b = a + 0.5
            d.append(
                f"M{n(x)} {n(y)}Q{n(x + size * 0.7 * cos(a))} {n(y + size * 0.7 * sin(a))}"
                f" {n(x + size * cos(b))} {n(y + size * sin(b))}"
            )
    return path("".join(d), fill="none", stroke=line, stroke_width=width, stroke_linecap="round")


def _palm(random: Random) -> str:
    return _fronds(random, 6, 21, 8.5, "#3f7030", 1.7)


def _bamboo(random: Random) -> str:
    stems = "".join(
        f"M{n(x)} {n(y + 5)}v-10M{n(x)} {n(y - 4)}l3.5-3M{n(x)} {n(y - 1)}l-3.5-3"
        for x, y in strew(random, 17, 9.6, 0.78)
    )
    return path(stems, fill="none", stroke="#44691f", stroke_width=1.3, stroke_linecap="round")


def _orchard(_: Random) -> str:
    rows = [(x, y) for y in (-22.0, -7.0, 8.0, 23.0) for x in _row(y, 15.0)]
    return path(dots(rows, 4.1), fill="#9dbf7d", stroke="#4f7438", stroke_width=1) + path(
        "".join(_light(x, y, 3.4) for x, y in rows), fill="none", stroke="#f4fae8"
    )


def _row(y: float, apart: float) -> list[float]:
    """Return evenly spaced positions from side to side of a hex at a height."""
    count = int((RADIUS * 0.82 - abs(y) / sqrt(3)) / apart)
    return [k * apart for k in range(-count, count + 1)]


def _brush(random: Random) -> str:
    tufts = "".join(
        f"M{n(x - 5)} {n(y + 1.5)}q1-4.5 3.4-3.2q1.6-3.6 3.8-.4q2.6-1 2.8 3.6Z" for x, y in strew(random, 9, 14, 0.72)
    )
    return path(tufts, fill="#aebb6a", stroke="#626d2c", stroke_width=1, stroke_linejoin="round")


def _grain(random: Random) -> str:
    stalks = "".join(
        f"M{n(x)} {n(y + 3)}v-5M{n(x)} {n(y)}l2.2-2.6M{n(x)} {n(y)}l-2.2-2.6" for x, y in strew(random, 24, 8.6, 0.76)
    )
    return path(stalks, fill="none", stroke="#a17d16", stroke_width=0.9, stroke_linecap="round")


def _kunai(random: Random) -> str:
    blades = "".join(
        f"M{n(x)} {n(y + 4)}q-.5-5-3.2-7M{n(x)} {n(y + 4)}q.2-6 .6-9M{n(x)} {n(y + 4)}q1-5 3.6-6.4"
        for x, y in strew(random, 13, 11.5, 0.73)
    )
    return path(blades, fill="none", stroke="#6f6d1c", stroke_width=1.1, stroke_linecap="round")


def _vineyard(_: Random) -> str:
    rows = [(x, y) for y in (-24.0, -12.0, 0.0, 12.0, 24.0) for x in _row(y, 11.0)]
    vines = "".join(f"M{n(x)} {n(y + 3.5)}v-7" for x, y in rows)
    wires = "".join(
        f"M{n(-_row(y, 11.0)[-1] - 3)} {n(y)}H{n(_row(y, 11.0)[-1] + 3)}" for y in (-24.0, -12.0, 0.0, 12.0, 24.0)
    )
    return path(wires, stroke="#8f8a55", stroke_width=0.7) + path(
        vines, stroke="#4d5f1f", stroke_width=2.2, stroke_linecap="round"
    )


def _marsh(random: Random) -> str:
    water, reeds = [], []
    for i, (x, y) in enumerate(strew(random, 12, 11.5, 0.72)):
        if i % 3:
            water.append(f"M{n(x - 6)} {n(y)}h12M{n(x - 3)} {n(y + 3)}h7")
        else:
            reeds.append(f"M{n(x)} {n(y + 3)}v-8M{n(x)} {n(y + 3)}l-4-6M{n(x)} {n(y + 3)}l4-6")
    return path("".join(water), stroke="#3f7f9c", stroke_width=1.1, stroke_linecap="round") + path(
        "".join(reeds), fill="none", stroke="#3d6b3f", stroke_width=1.2, stroke_linecap="round"
    )


def _swamp(random: Random) -> str:
    return _marsh(random) + _trees(random, 5, 20, (5.5, 7), "#79a577", "#2f5a40")


def _crag(random: Random) -> str:
    parts = []
    for x, y in strew(random, 9, 15, 0.72):
        w, h = random.uniform(5, 8), random.uniform(5, 8)
        skew = random.uniform(-2, 2)
        rock = (
            f"M{n(x - w)} {n(y + h * 0.5)}L{n(x - w * 0.5 + skew)} {n(y - h * 0.6)}"
            f"L{n(x + w * 0.35 + skew)} {n(y - h * 0.75)}L{n(x + w)} {n(y + h * 0.35)}"
            f"L{n(x + w * 0.2)} {n(y + h * 0.7)}Z"
        )
        face = (
            f"M{n(x + w * 0.35 + skew)} {n(y - h * 0.75)}L{n(x + w)} {n(y + h * 0.35)}"
            f"L{n(x + w * 0.2)} {n(y + h * 0.7)}L{n(x + w * 0.1)} {n(y - h * 0.1)}Z"
        )
        parts.append(path(rock) + path(face, fill="#7d7b75", stroke="none"))
    return tag("g", "".join(parts), fill="#bdbbb3", stroke="#4b4a45", stroke_width=1, stroke_linejoin="round")


_GRAVES = ((-20, -8), (-7, -8), (7, -8), (20, -8), (-14, 9), (0, 9), (14, 9), (-7, 25), (7, 25))


def _graveyard(_: Random) -> str:
    stones = "".join(f"M{n(x)} {n(y + 5)}v-10M{n(x - 3)} {n(y - 2)}h6" for x, y in _GRAVES)
    return path(stones, stroke="#3c3d36", stroke_width=1.7, stroke_linecap="round")


def _hammada(random: Random) -> str:
    stones = "".join(f"M{n(x - 3.6)} {n(y + 2)}l1.4-4l2.6.8l1.8-1.6l1.8 4.8Z" for x, y in strew(random, 17, 9.6, 0.78))
    return path(stones, fill="#c9ae7a", stroke="#79603a", stroke_width=0.9)


def _sand(random: Random) -> str:
    grains = dots(strew(random, 34, 7.6, 0.78), 0.9)
    waves = "".join(f"M{n(x - 8)} {n(y)}q4-3.4 8 0t8 0" for x, y in strew(random, 4, 18, 0.66))
    return path(grains, fill="#a98428") + path(
        waves, fill="none", stroke="#c09a3c", stroke_width=1, stroke_linecap="round"
    )


def _deir(random: Random) -> str:
    dashes = "".join(f"M{n(x - 3)} {n(y)}h6" for x, y in strew(random, 12, 12, 0.74))
    return path(dashes, stroke="#b08c4a", stroke_width=1, stroke_linecap="round")


def _wadi(random: Random) -> str:
    grains = dots(strew(random, 20, 9, 0.76), 1.2)
    return path(grains, fill="#9a7434")


def _waves(random: Random) -> str:
    lines = "".join(f"M{n(x - 7)} {n(y)}q3.5-3.2 7 0t7 0" for x, y in strew(random, 7, 17, 0.76))
    return path(lines, fill="none", stroke="#5b97c2", stroke_width=1.1, stroke_linecap="round")


def _paddy(random: Random) -> str:
    dikes = "M-28 -12H28M-28 12H28M-11 -32V-12M9 -12V12M-7 12V32"
    plants = "".join(
        f"M{n(x)} {n(y + 2)}v-5M{n(x)} {n(y + 2)}l-2.4-3.6M{n(x)} {n(y + 2)}l2.4-3.6"
        for x, y in strew(random, 11, 12, 0.76)
    )
    return path(dikes, fill="none", stroke="#8b8455", stroke_width=1.5) + path(
        plants, fill="none", stroke="#3f7f52", stroke_width=1, stroke_linecap="round"
    )


def _plowed_field(_: Random) -> str:
    rows = [6.5 * k for k in range(-4, 5)]
    furrows = "".join(f"M{n(-_half_width(y))} {n(y)}H{n(_half_width(y))}" for y in rows)
    return path(furrows, stroke="#ac8a55", stroke_width=1.2, stroke_dasharray="9 2.5 5 2")


def _half_width(y: float) -> float:
    return RADIUS * 0.8 - abs(y) / sqrt(3) * 0.8


def _rubble(random: Random) -> str:
    parts = []
    for x, y in strew(random, 20, 8.5, 0.62):
        w, turn = random.uniform(2.6, 4.6), random.randrange(0, 90, 15)
        d = f"M{n(-w)} {n(-w * 0.7)}h{n(2 * w)}v{n(1.4 * w)}h{n(-2 * w)}Z"
        fill = random.choice(("#b3aca0", "#98806a", "#8f8a82"))
        parts.append(path(d, fill=fill, transform=f"translate({n(x)} {n(y)}) rotate({turn})"))
    return tag("g", "".join(parts), stroke="#4d473f", stroke_width=0.8)


_MAKERS: Mapping[str, tuple[Maker, int]] = {
    "woods": (_woods, 4),
    "forest": (_forest, 4),
    "jungle": (_jungle, 4),
    "dense-jungle": (_dense_jungle, 4),
    "bamboo": (_bamboo, 2),
    "palm": (_palm, 3),
    "orchard": (_orchard, 1),
    "brush": (_brush, 4),
    "grain": (_grain, 3),
    "marsh": (_marsh, 3),
    "swamp": (_swamp, 3),
    "crag": (_crag, 3),
    "graveyard": (_graveyard, 1),
    "hammada": (_hammada, 3),
    "deir": (_deir, 2),
    "wadi": (_wadi, 2),
    "sand": (_sand, 3),
    "water": (_waves, 3),
    "river": (_waves, 3),
    "pond": (_waves, 3),
    "rice-paddy": (_paddy, 2),
    "kunai": (_kunai, 3),
    "plowed": (_plowed_field, 1),
    "vineyard": (_vineyard, 1),
    "rubble": (_rubble, 3),
}


def variants(kind: str) -> int:
    """Return the number of different drawings of a kind of terrain (0: none)."""
    return _MAKERS[kind][1] if kind in _MAKERS else 0


def symbol_id(kind: str, variant: int) -> str:
    """Return the id under which a drawing of terrain is defined."""
    return f"{PREFIX}{kind}-{variant + 1}"


@cache
def terrain_symbol(kind: str, variant: int) -> str:
    """Return the definition of one drawing of a kind of terrain, around the origin."""
    make, _ = _MAKERS[kind]
    return tag("g", make(Random(f"{kind}/{variant}")), id=symbol_id(kind, variant))
