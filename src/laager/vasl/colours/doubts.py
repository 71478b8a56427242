"""What a person should look at on a board that was read by its colours: hexes and hexsides, each with a score.

A score is from 1 to 100: how much speaks against what was read. Nothing is decided by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from laager.vasl.boards.board import BoardHex, Doubt
from laager.vasl.boards.crossings import NONE, Points, codes_at
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.losdata import LosData, terrains
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.shapes import hex_windows

LEAST = 20
"""The score from which on something is worth a look."""

UNKNOWN, MIXED, LEVELS, HOUSE, SIDE, ROAD = (
    *("colours without a meaning", "another terrain covers more", "several levels"),
    *("a building at the edge", "part of a hexside", "a road ends here"),
)
REASONS = (UNKNOWN, MIXED, LEVELS, HOUSE, SIDE, ROAD)

_UNSURE = {"none": 1.0, "guess": 0.6, "alike": 0.15}
"""How much a pixel counts against its hex by how its colour's meaning is known."""
_MIXED, _LEVELS, _HOUSE, _ROAD, _SIDE = 40, 70, 35, 25, 70
"""The highest scores of the other reasons."""
_POINTS = 15
"""Points along a hexside that are looked at."""
_ENOUGH = 0.7
"""The share of these points from which on a wall or hedge is there without doubt."""
_PART = 0.4
"""The share from which on something is there, if it is not taken for a hexside."""
_AREA = 0.15
"""The share of its area from which on a building in a hex is no doubt."""


def doubts_of(
    hexes: Sequence[BoardHex], points: Points, pixels: Pixels, meanings: Sequence[Meaning], data: LosData
) -> tuple[Doubt, ...]:
    """Return the doubts about hexes and hexsides of a board, the worst first."""
    unsure = _unsure(points, pixels, meanings)
    found = [
        Doubt(one.name, score, why)
        for one, share in zip(hexes, unsure, strict=True)
        if one.ground is not None
        for score, why in [max(_about(one.ground, share), default=(0, ""))]
        if score >= LEAST
    ]
    found += _sides(hexes, points, data)
    return tuple(sorted(found, key=lambda one: -one.score))


def _unsure(points: Points, pixels: Pixels, meanings: Sequence[Meaning]) -> list[float]:
    """Return for each hex how much of its ground is in colours of unknown meaning, from 0 to 1."""
    drawn = np.array([one.terrain is None and one.origin != "none" for one in meanings])
    weight = np.where(drawn, 0.0, [_UNSURE.get(one.origin, 0.0) for one in meanings])
    found = []
    for box, mask in hex_windows(points, pixels.size):
        counts = np.bincount(pixels.numbers[box][mask], minlength=len(meanings))
        ground = int(counts[~drawn].sum())
        found.append(float((counts * weight).sum()) / ground if ground else 0.0)
    return found


def _about(ground: HexGround, unsure: float) -> Iterator[tuple[int, str]]:
    yield round(100 * unsure), UNKNOWN
    kinds: dict[str, int] = {}
    for terrain, count in ground.pixels.items():
        if terrain.kind in {"terrain", ""}:
            kinds[terrain.word] = kinds.get(terrain.word, 0) + count
    if kinds and ground.centre.kind in {"terrain", ""}:
        own, most = kinds.get(ground.centre.word, 0), max(kinds.values())
        yield round(_MIXED * (1 - own / max(most, 1))), MIXED
    if ground.depression is None and len(ground.elevations) > 1:
        share = ground.elevations.get(ground.base, 0) / max(ground.area, 1)
        yield round(_LEVELS * (1 - 2 * share)), LEVELS
    houses = sum(count for terrain, count in ground.pixels.items() if terrain.house)
    if ground.house is not None and not ground.at_centre.building and houses < _AREA * ground.area:
        yield _HOUSE, HOUSE
    crossed = [one for one in ground.crossings.values() if one.road]
    if len(crossed) == 1 and ground.centre.kind == "road" and _whole(ground):
        yield _ROAD, ROAD


def _whole(ground: HexGround) -> bool:
    """Return True if a hex is not cut by the edge of the board."""
    return None not in ground.edges


def _sides(hexes: Sequence[BoardHex], points: Points, data: LosData) -> list[Doubt]:
    """Return the doubts about walls, hedges and the like: there in part, or taken for one in part."""
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
            score = _side_score(hexes[at].ground, side, share)
            if score >= LEAST:
                other = hexes[int(points.near[at, side])].name
                found.append(Doubt(f"{hexes[at].name}/{other}", score, SIDE))
    return found


def _side_score(ground: HexGround | None, side: int, share: float) -> int:
    taken = ground is not None and side in ground.hexsides
    if taken:
        return round(_SIDE * max(0.0, 1 - share / _ENOUGH))
    return round(_SIDE * share) if share >= _PART else 0


def counted(doubts: Sequence[Doubt]) -> Mapping[str, int]:
    """Return how many doubts there are for each reason."""
    return {why: sum(one.why == why for one in doubts) for why in REASONS if any(one.why == why for one in doubts)}
