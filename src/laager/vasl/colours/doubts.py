"""Doubtful hexes and hexsides of a board that was read by its colours, each with a score, for a person to check.

A score is from 1 to 100: how much speaks against the reading. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.board import BoardHex, Doubt
from laager.vasl.boards.crossings import NONE, HexPoints, codes_at
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.losdata import LosData, terrains
from laager.vasl.boards.shapes import count_in_hexes
from laager.vasl.colours.alike import Looks
from laager.vasl.colours.calibrated import MISTAKEN, ORIGINS, is_like_taught, measure_features, mistake_probabilities
from laager.vasl.colours.houses import find_bars
from laager.vasl.colours.overprint import find_printed
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixel_ground import PixelGround
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.reasons import (
    BANK,
    BAR,
    BESIDE,
    BRIDGE,
    HEX_REASONS,
    HOUSE,
    LEVELS,
    MIXED,
    PRINT,
    ROAD,
    SIDE,
    SUNK,
    UNKNOWN,
    UNLIKE,
    WATER,
)

LEAST = 15
"""Lowest score that is worth a look."""

_UNSURE = {"none": 1.0, "guess": 0.6, "alike": 0.15}
"""Weight of a pixel against its hex, by the origin of its colour's meaning."""
_MIXED, _BESIDE, _BANK, _LEVELS, _TOLD, _WATER, _SUNK, _BRIDGE, _HOUSE, _ROAD, _SIDE, _BAR = (
    *(16, 20, 60, 90, 30),
    *(30, 80, 60, 15, 15, 40, 20),
)
"""Highest scores of the other reasons: by how often they were right on boards with LOS data."""
_PRINT = 20
"""Lowest score of a hex that may be under print."""
_RINGS = (4, 8)
"""Distances from the dot at which another terrain counts as next to it, in pixels of a usual board."""
_AROUND = 12
_POINTS = 15
"""Points sampled along a hexside."""
_ENOUGH = 0.7
"""Share of these points that makes a wall or hedge certain."""
_PART = 0.4
"""Share that makes a hexside doubtful that wasn't read as a wall or hedge."""
CERTAIN = 0.5
"""Share of a hexside that makes a black bar certain."""
_AREA = 0.15
"""Share of a hex's area that makes its building certain."""


@dataclass(frozen=True)
class Sureness:
    """How sure the colours of a picture are, for each hex.

    `origins` are the shares of its ground by how its colours are known, for each of `ORIGINS`; `tells_level` is True
    if the colour under its dot, or next to it, tells a level. `roads` are the hexes with a road between banks, with the
    level that its colour tells, `bar_shares` what share of hexsides is a black bar, by hex and side, `covered` which
    hexes may be under print.
    """

    origins: NDArray[np.float64]
    tells_level: Sequence[bool]
    roads: Mapping[int, int | None]
    bar_shares: Mapping[tuple[int, int], float]
    covered: frozenset[int]


def measure_sureness(
    ground: PixelGround, points: HexPoints, pixels: Pixels, roads: Mapping[int, int | None]
) -> Sureness:
    """Return how sure the colours of a picture are."""
    meanings = ground.meanings
    origins, tells_level = _origin_shares(points, pixels, meanings), _level_told_at_dots(points, pixels, meanings)
    bars, covered = find_bars(ground, points, pixels), find_printed(ground, points, pixels)
    return Sureness(origins, tells_level, roads, bars, covered)


def find_doubts(
    hexes: Sequence[BoardHex], points: HexPoints, sure: Sureness, data: LosData, looks: Looks
) -> tuple[Doubt, ...]:
    """Return the doubts about hexes and hexsides of a board, the worst first.

    On a board in colours that names tell, a hex's score is how likely it was read wrongly, in percent.
    """
    reasons = _weigh_reasons(hexes, points, sure, data)
    scores, least = reasons.max(axis=1), float(LEAST)
    whys = [HEX_REASONS[at] for at in reasons.argmax(axis=1).tolist()]
    if is_like_taught(sure.origins):
        whys = [why if score >= LEAST else UNLIKE for why, score in zip(whys, scores.tolist(), strict=True)]
        features = measure_features(hexes, points, data, looks, reasons, sure.origins, sure.tells_level)
        unknown = np.array([hex_.ground is None for hex_ in hexes])
        scores, least = np.where(unknown, scores, 100 * mistake_probabilities(features)), 100 * MISTAKEN
    whys = [PRINT if at in sure.covered else why for at, why in enumerate(whys)]
    scores[list(sure.covered)] = np.maximum(scores[list(sure.covered)], _PRINT)
    doubts = [
        Doubt(hex_.name, min(100, max(1, round(score))), why)
        for hex_, score, why in zip(hexes, scores.tolist(), whys, strict=True)
        if score >= least
    ]
    doubts += _side_doubts(hexes, points, data, sure.bar_shares)
    return tuple(sorted(doubts, key=lambda doubt: -doubt.score))


def _weigh_reasons(hexes: Sequence[BoardHex], points: HexPoints, sure: Sureness, data: LosData) -> NDArray[np.float64]:
    """Return what speaks against each hex: a row with the score of each of `HEX_REASONS`."""
    beside, bank = _differing_around_dots(points, data)
    unsure = (sure.origins @ [_UNSURE.get(name, 0.0) for name in ORIGINS]).tolist()
    reasons = np.zeros((len(hexes), len(HEX_REASONS)))
    for at, (hex_, share, near, sunk, tells_level) in enumerate(
        zip(hexes, unsure, beside, bank, sure.tells_level, strict=True)
    ):
        if hex_.ground is None:
            reasons[at, HEX_REASONS.index(UNKNOWN)] = round(100 * share)
        else:
            road = at in sure.roads and sure.roads[at] == hex_.ground.base
            for score, why in _hex_doubts(hex_.ground, share, near, sunk, tells_level, road):
                column = HEX_REASONS.index(why)
                reasons[at, column] = max(reasons[at, column], score)
    return reasons


def _origin_shares(points: HexPoints, pixels: Pixels, meanings: Sequence[Meaning]) -> NDArray[np.float64]:
    """Return the share of each hex's ground in colours of each of `ORIGINS`."""
    drawn = np.array([meaning.terrain is None and meaning.origin != "none" for meaning in meanings])
    of_origin = np.array([[meaning.origin == name for name in ORIGINS] for meaning in meanings]) & ~drawn[:, None]
    # Every second pixel each way tells enough.
    counts = count_in_hexes(pixels.numbers, points, len(meanings), 2)
    ground = np.maximum(counts[:, ~drawn].sum(axis=1), 1)
    shares: NDArray[np.float64] = counts @ of_origin / ground[:, None]
    return shares


def _differing_around_dots(points: HexPoints, data: LosData) -> tuple[list[float], list[float]]:
    """Return for each hex how much around its dot is other terrain, how much a depression next to none; 0 to 1."""
    kinds: dict[str, int] = {"": 0}
    sorts = np.zeros(len(terrains()), np.int16)
    for terrain in terrains():
        word = "sunk" if terrain.category == "depression" else terrain.word if terrain.kind == "terrain" else ""
        sorts[terrain.code] = kinds.setdefault(word, len(kinds))
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    steps = np.concatenate([ring * far for far in _RINGS]).round().astype(np.int64)
    around = codes_at(data.codes, points.centre[:, None, :] + steps)
    at_dot = codes_at(data.codes, points.centre)[:, None]
    differ = (sorts[around] != sorts[at_dot]) & (around != NONE) & (at_dot != NONE)
    sunk = np.array([terrain.category == "depression" for terrain in terrains()])
    bank = sunk[around] != sunk[at_dot]
    return (differ & ~bank).mean(axis=1).tolist(), (differ & bank).mean(axis=1).tolist()


def _level_told_at_dots(points: HexPoints, pixels: Pixels, meanings: Sequence[Meaning]) -> list[bool]:
    levels = np.array([meaning.level is not None for meaning in meanings] + [False])
    steps = np.array([(0, 0), (3, 0), (-3, 0), (0, 3), (0, -3)])
    numbers = codes_at(pixels.numbers, points.centre[:, None, :] + steps)
    is_told: list[bool] = (levels[numbers].sum(axis=1) >= 2).tolist()
    return is_told


def _hex_doubts(
    ground: HexGround, unsure: float, beside: float, bank: float, tells_level: bool, road: bool
) -> Iterator[tuple[int, str]]:
    """Yield what speaks against a hex, each with its score; `tells_level` and `road`: a colour tells its level."""
    yield round(100 * unsure), UNKNOWN
    yield round(_BESIDE * beside), BESIDE
    yield round(_BANK * bank), BANK
    yield from _level_doubts(ground, tells_level, road)
    kinds: dict[str, int] = {}
    for terrain, count in ground.pixels.items():
        if terrain.kind in {"terrain", ""}:
            kinds[terrain.word] = kinds.get(terrain.word, 0) + count
    if kinds and ground.centre.kind in {"terrain", ""}:
        at_centre, most = kinds.get(ground.centre.word, 0), max(kinds.values())
        yield round(_MIXED * (1 - at_centre / max(most, 1))), MIXED
    houses = sum(count for terrain, count in ground.pixels.items() if terrain.house)
    if ground.house is not None and not ground.at_centre.building and houses < _AREA * ground.area:
        yield _HOUSE, HOUSE
    crossed = [crossing for crossing in ground.crossings.values() if crossing.road]
    if len(crossed) == 1 and ground.centre.kind == "road" and _is_whole(ground):
        yield _ROAD, ROAD


def _level_doubts(ground: HexGround, tells_level: bool, road: bool) -> Iterator[tuple[int, str]]:
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
    elif not tells_level:
        yield round(_LEVELS * (1 - share)), LEVELS
    else:
        yield round(_TOLD * (1 - share)), LEVELS


def _is_whole(ground: HexGround) -> bool:
    """Return True if a hex is not cut by the edge of the board."""
    return None not in ground.edges


def _side_doubts(
    hexes: Sequence[BoardHex], points: HexPoints, data: LosData, bars: Mapping[tuple[int, int], float]
) -> list[Doubt]:
    """Return the doubts about walls, hedges and the like: there in part, or taken for one in part; black bars."""
    is_side = np.array([terrain.hexside for terrain in terrains()] + [False])
    doubts = []
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
                doubts.append(Doubt(f"{hexes[at].name}/{other}", score, why))
    return doubts


def _side_score(ground: HexGround | None, side: int, share: float) -> int:
    taken = ground is not None and side in ground.hexsides
    if taken:
        return round(_SIDE * max(0.0, 1 - share / _ENOUGH))
    return round(_SIDE * share) if share >= _PART else 0
