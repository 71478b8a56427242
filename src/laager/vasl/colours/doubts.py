"""What a person should look at on a board that was read by its colours: hexes and hexsides, each with a score.

A score is from 1 to 100: how much speaks against what was read. Nothing is decided by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from laager.vasl.boards.board import BoardHex, Doubt
from laager.vasl.boards.crossings import NONE, Points, codes_at
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.losdata import LosData, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.colours.houses import bars_in
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.reading import Ground
from laager.vasl.colours.reasons import (
    BANK,
    BAR,
    BESIDE,
    BRIDGE,
    HOUSE,
    LEVELS,
    MIXED,
    REASONS,
    ROAD,
    SIDE,
    SUNK,
    UNKNOWN,
    WATER,
)

LEAST = 15
"""The score from which on something is worth a look."""

_UNSURE = {"none": 1.0, "guess": 0.6, "alike": 0.15}
"""How much a pixel counts against its hex by how its colour's meaning is known."""
_MIXED, _BESIDE, _BANK, _LEVELS, _TOLD, _WATER, _SUNK, _BRIDGE, _HOUSE, _ROAD, _SIDE, _BAR = (
    *(16, 20, 60, 90, 30),
    *(30, 80, 60, 15, 15, 40, 20),
)
"""The highest scores of the other reasons: by how often they were right on boards of which more is known."""
_AT_ONCE = 256
"""Hexes whose colours are counted at once."""
_RINGS = (4, 8)
"""How far from the dot another terrain counts as next to it, in pixels of a usual board."""
_AROUND = 12
_POINTS = 15
"""Points along a hexside that are looked at."""
_ENOUGH = 0.7
"""The share of these points from which on a wall or hedge is there without doubt."""
_PART = 0.4
"""The share from which on something is there, if it is not taken for a hexside."""
CERTAIN = 0.5
"""The share of a hexside from which on a black bar is one without doubt."""
_AREA = 0.15
"""The share of its area from which on a building in a hex is no doubt."""


@dataclass(frozen=True)
class Sureness:
    """How sure the colours of a picture are, for each hex.

    `unsure` is how much of its ground is in colours of unknown meaning, from 0 to 1; `told` is True if the colour
    under its dot, or next to it, tells a level. `roads` are the hexes with a road between banks, with the level that
    its colour tells, `bars` what share of hexsides is a black bar, by hex and side.
    """

    unsure: Sequence[float]
    told: Sequence[bool]
    roads: Mapping[int, int | None]
    bars: Mapping[tuple[int, int], float]


def sureness_of(ground: Ground, points: Points, pixels: Pixels, roads: Mapping[int, int | None]) -> Sureness:
    """Return how sure the colours of a picture are."""
    meanings = ground.meanings
    unsure, told = _unsure(points, pixels, meanings), _told(points, pixels, meanings)
    return Sureness(unsure, told, roads, bars_in(ground, points, pixels))


def doubts_of(hexes: Sequence[BoardHex], points: Points, sure: Sureness, data: LosData) -> tuple[Doubt, ...]:
    """Return the doubts about hexes and hexsides of a board, the worst first."""
    beside, bank = _beside(points, data)
    found = [
        Doubt(one.name, score, why)
        for at, (one, share, near, sunk, told) in enumerate(
            zip(hexes, sure.unsure, beside, bank, sure.told, strict=True)
        )
        if one.ground is not None
        for road in [at in sure.roads and sure.roads[at] == one.ground.base]
        for score, why in [max(_about(one.ground, share, near, sunk, told, road), default=(0, ""))]
        if score >= LEAST
    ]
    found += _sides(hexes, points, data, sure.bars)
    return tuple(sorted(found, key=lambda one: -one.score))


def _unsure(points: Points, pixels: Pixels, meanings: Sequence[Meaning]) -> list[float]:
    drawn = np.array([one.terrain is None and one.origin != "none" for one in meanings])
    weight = np.where(drawn, 0.0, [_UNSURE.get(one.origin, 0.0) for one in meanings])
    if not weight[pixels.counts > 0].any():
        return [0.0] * len(points.spots)
    windows = hex_windows(points, pixels.size)
    found: list[float] = []
    while some := list(islice(windows, _AT_ONCE)):
        # Every second pixel each way tells enough.
        seen = (pixels.numbers[box][::2, ::2][mask[::2, ::2]] for box, mask in some)
        counts = np.stack([np.bincount(one, minlength=len(meanings)) for one in seen])
        ground = np.maximum(counts[:, ~drawn].sum(axis=1), 1)
        found += (counts @ weight / ground).tolist()
    return found


def _beside(points: Points, data: LosData) -> tuple[list[float], list[float]]:
    """Return for each hex how much around its dot is other terrain, how much a depression next to none; 0 to 1."""
    kinds: dict[str, int] = {"": 0}
    sorts = np.zeros(len(terrains()), np.int16)
    for one in terrains():
        word = "sunk" if one.category == "depression" else one.word if one.kind == "terrain" else ""
        sorts[one.code] = kinds.setdefault(word, len(kinds))
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    steps = np.concatenate([ring * far for far in _RINGS]).round().astype(np.int64)
    around = codes_at(data.codes, points.centre[:, None, :] + steps)
    own = codes_at(data.codes, points.centre)[:, None]
    differ = (sorts[around] != sorts[own]) & (around != NONE) & (own != NONE)
    sunk = np.array([one.category == "depression" for one in terrains()])
    bank = sunk[around] != sunk[own]
    return (differ & ~bank).mean(axis=1).tolist(), (differ & bank).mean(axis=1).tolist()


def _told(points: Points, pixels: Pixels, meanings: Sequence[Meaning]) -> list[bool]:
    levels = np.array([one.level is not None for one in meanings] + [False])
    steps = np.array([(0, 0), (3, 0), (-3, 0), (0, 3), (0, -3)])
    numbers = codes_at(pixels.numbers, points.centre[:, None, :] + steps)
    found: list[bool] = (levels[numbers].sum(axis=1) >= 2).tolist()
    return found


def _about(
    ground: HexGround, unsure: float, beside: float, bank: float, told: bool, road: bool
) -> Iterator[tuple[int, str]]:
    """Yield what speaks against a hex, each with its score; `told` and `road` say that a colour tells its level."""
    yield round(100 * unsure), UNKNOWN
    yield round(_BESIDE * beside), BESIDE
    yield round(_BANK * bank), BANK
    yield from _about_levels(ground, told, road)
    kinds: dict[str, int] = {}
    for terrain, count in ground.pixels.items():
        if terrain.kind in {"terrain", ""}:
            kinds[terrain.word] = kinds.get(terrain.word, 0) + count
    if kinds and ground.centre.kind in {"terrain", ""}:
        own, most = kinds.get(ground.centre.word, 0), max(kinds.values())
        yield round(_MIXED * (1 - own / max(most, 1))), MIXED
    houses = sum(count for terrain, count in ground.pixels.items() if terrain.house)
    if ground.house is not None and not ground.at_centre.building and houses < _AREA * ground.area:
        yield _HOUSE, HOUSE
    crossed = [one for one in ground.crossings.values() if one.road]
    if len(crossed) == 1 and ground.centre.kind == "road" and _whole(ground):
        yield _ROAD, ROAD


def _about_levels(ground: HexGround, told: bool, road: bool) -> Iterator[tuple[int, str]]:
    """Yield what speaks against the level of a hex."""
    if not road and any(terrain.name == "Sunken Road" for terrain in ground.pixels):
        yield _SUNK, SUNK
    if ground.bridged and ground.base < max(ground.elevations, default=0):
        yield _BRIDGE, BRIDGE
    if len(ground.elevations) < 2 or ground.depression is not None:
        return
    share = ground.elevations.get(ground.base, 0) / max(ground.area, 1)
    if ground.centre.category == "water":
        yield _WATER, WATER
    elif not told:
        yield round(_LEVELS * (1 - share)), LEVELS
    else:
        yield round(_TOLD * (1 - share)), LEVELS


def _whole(ground: HexGround) -> bool:
    """Return True if a hex is not cut by the edge of the board."""
    return None not in ground.edges


def _sides(
    hexes: Sequence[BoardHex], points: Points, data: LosData, bars: Mapping[tuple[int, int], float]
) -> list[Doubt]:
    """Return the doubts about walls, hedges and the like: there in part, or taken for one in part; black bars."""
    is_side = np.array([one.hexside for one in terrains()] + [False])
    found = []
    along = np.linspace(0.15, 0.85, _POINTS)[None, :, None]
    for side in (1, 2, 3):
        here = np.flatnonzero(points.near[:, side] >= 0)
        ends = points.corners[here][:, [side, (side + 1) % 6]].astype(np.float64)
        line = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * along
        codes = codes_at(data.codes, np.floor(line + 0.5).astype(np.int64))
        shares = is_side[np.where(codes == NONE, len(is_side) - 1, codes)].mean(axis=1)
        for at, share in zip(here.tolist(), shares.tolist(), strict=True):
            ground = hexes[at].ground
            score, why = _side_score(ground, side, share), SIDE
            if (at, side) in bars:
                score, why = _BAR * (bars[at, side] < CERTAIN), BAR
            if score >= LEAST:
                other = hexes[int(points.near[at, side])].name
                found.append(Doubt(f"{hexes[at].name}/{other}", score, why))
    return found


def _side_score(ground: HexGround | None, side: int, share: float) -> int:
    taken = ground is not None and side in ground.hexsides
    if taken:
        return round(_SIDE * max(0.0, 1 - share / _ENOUGH))
    return round(_SIDE * share) if share >= _PART else 0


def counted(doubts: Sequence[Doubt]) -> Mapping[str, int]:
    """Return how many doubts there are for each reason."""
    return {why: sum(one.why == why for one in doubts) for why in REASONS if any(one.why == why for one in doubts)}
