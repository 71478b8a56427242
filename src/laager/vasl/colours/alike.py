"""Doubts that are settled together: hexes that look alike and were taken for the same, hexsides with one reason.

If that makes many groups, the smallest are given up: each of their hexes joins the group that it looks most like.

Of each hex the colours are counted twice: in nearly all of it, and close to its dot, which decides. Colours that
people call alike count as partly the same. A hex joins the one of those most like others that it is most like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.board import BoardHex, Doubt
from laager.vasl.boards.crossings import NONE, HexPoints, codes_at
from laager.vasl.boards.layout import Geometry
from laager.vasl.colours.palette import hue_points
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.reasons import ABOUT_LEVELS, GROUND_REASONS, PRINT

MOST_GROUPS = 100
"""Most groups of a board's hexes: with more of them, hexes less alike are put together."""
KEPT_GROUPS = 45
"""How many groups of a board's hexes are kept: the hexes of smaller ones join them, whatever they were taken for."""
LIKE = (0.93, 0.9, 0.86, 0.8, 0.7, 0.5, 0.0)
"""How alike two hexes of a group are, from 0 to 1: the first of these that makes few enough groups."""
_RINGS = ((0.45, 18, 1.0), (0.18, 10, 0.7))
"""Radius of the points counted, in heights of a hex; points across; their weight."""
_STEP = np.array([20.0, 20.0, 32.0])
"""Size of a cell of like colours: two of hue, one of brightness."""
_AT_ONCE = 256
_SAMPLED = 300
"""Hexes that each is compared with, to find those most like others."""
_DIRECTIONS = 48
"""Numbers that are enough to tell the looks of a board's hexes apart."""

Shares = NDArray[np.float32]
Looks = NDArray[np.float32]
"""The looks of hexes, a row for each: the more alike two are, the nearer to 1 is the product of their rows."""


def measure_looks(hexes: Sequence[BoardHex], geometry: Geometry, pixels: Pixels) -> Looks:
    """Return the looks of hexes, a row for each."""
    cells = cells_of_colours(pixels)
    centres = np.array([hex_.exact for hex_ in hexes], np.float64).reshape(-1, 2)
    total = sum(weight for *_, weight in _RINGS)
    rings = [
        (count_colours(centres, points_within(radius * geometry.height, across), pixels), np.float32(weight / total))
        for radius, across, weight in _RINGS
    ]

    def measure_roots(some: slice) -> Shares:
        roots: Shares = np.sqrt(np.concatenate([shares[some] @ cells * weight for shares, weight in rings], axis=1))
        return roots

    return _reduce(measure_roots, len(centres))


def _reduce(measure_roots: Callable[[slice], Shares], count: int) -> Looks:
    """Return the looks of all `count` hexes in a few numbers each: along the directions in which they differ most.

    Rows of full length for all hexes at once would fill the memory.
    """
    sample = measure_roots(slice(None, None, max(1, count // _SAMPLED)))
    strengths, directions = np.linalg.eigh(sample @ sample.T)
    strong = np.flatnonzero(strengths > 1e-3)[-_DIRECTIONS:]
    weights = sample.T @ (directions[:, strong] / np.sqrt(strengths[strong]))
    reduced = [measure_roots(slice(start, start + _AT_ONCE)) @ weights for start in range(0, count, _AT_ONCE)]
    return np.concatenate(reduced) if reduced else np.zeros((0, len(strong)), np.float32)


def group_doubts(
    doubts: Sequence[Doubt], hexes: Sequence[BoardHex], points: HexPoints, looks: Looks
) -> tuple[Doubt, ...]:
    """Return doubts with the number of the group of each, those that matter most first; 0 for one that is alone."""
    number = {hex_.name: at for at, hex_ in enumerate(hexes)}
    places = [[number[end] for end in doubt.where.split("/")] for doubt in doubts]
    readings: dict[Hashable, list[int]] = {}
    for at, (doubt, ends) in enumerate(zip(doubts, places, strict=True)):
        readings.setdefault(_taken_for(doubt, hexes, points, ends), []).append(at)
    by_look = {key: ats for key, ats in readings.items() if doubts[ats[0]].why in GROUND_REASONS}
    groups: list[NDArray[np.int64]] = [np.array(ats) for key, ats in readings.items() if key not in by_look]
    for like in LIKE:
        alike: list[NDArray[np.int64]] = []
        for ats in by_look.values():
            labels = _cluster(looks[[places[at][0] for at in ats]], like)
            alike += [np.array(ats)[labels == label] for label in np.unique(labels)]
            if len(alike) > MOST_GROUPS:
                break
        else:
            break
    groups += _join_smallest(alike, looks, [ends[0] for ends in places])
    groups.sort(key=lambda ats: -sum(doubts[at].score for at in ats.tolist()))
    numbers = {at: order for order, ats in enumerate(groups, start=1) if len(ats) > 1 for at in ats.tolist()}
    return tuple(replace(doubt, alike=numbers.get(at, 0)) for at, doubt in enumerate(doubts))


def _join_smallest(groups: list[NDArray[np.int64]], looks: Looks, hexes: Sequence[int]) -> list[NDArray[np.int64]]:
    """Return the largest groups of doubts with those of all smaller ones; `hexes` are the doubts' hexes by number."""
    groups = sorted(groups, key=lambda ats: -len(ats))
    kept = [ats.tolist() for ats in groups[:KEPT_GROUPS]]
    number = np.array(hexes, np.int64)
    middles = np.array([looks[number[ats]].mean(axis=0) for ats in kept])
    middles /= np.maximum(np.linalg.norm(middles, axis=-1, keepdims=True), 1e-6)
    for ats in groups[KEPT_GROUPS:]:
        nearest = looks[number[ats]] @ middles.T
        for at, group in zip(ats.tolist(), nearest.argmax(axis=1).tolist(), strict=True):
            kept[group].append(at)
    return [np.array(ats, np.int64) for ats in kept]


def _taken_for(doubt: Doubt, hexes: Sequence[BoardHex], points: HexPoints, ends: Sequence[int]) -> Hashable:
    """Return what a doubtful hex or hexside was taken for: only what was taken for the same is settled together."""
    ground = hexes[ends[0]].ground
    if len(ends) == 2:
        side = ground.hexsides.get(points.near[ends[0]].tolist().index(ends[1])) if ground else None
        return doubt.why, side.word if side else ""
    if ground is None:
        return "unknown", doubt.why == PRINT
    house = ground.house.word if ground.house else ""
    if doubt.why in GROUND_REASONS:
        return ground.centre.word, house
    if doubt.why == PRINT:
        return doubt.why, ground.centre.word, house
    return doubt.why, "" if doubt.why in ABOUT_LEVELS else ground.centre.word, ground.base


def cells_of_colours(pixels: Pixels) -> Shares:
    """Return how much of each colour of a picture lies in each cell of like colours: a row for each colour."""
    points = hue_points(pixels.colours) / _STEP
    corner = np.floor(points).astype(np.int64)
    part = points - corner
    numbers: dict[tuple[int, ...], int] = {}
    weights: Counter[tuple[int, int]] = Counter()
    for step in np.ndindex(2, 2, 2):
        near = np.where(step, part, 1 - part).prod(axis=1)
        for colour, (cell, weight) in enumerate(zip((corner + step).tolist(), near.tolist(), strict=True)):
            if weight > 0 and pixels.counts[colour]:
                weights[colour, numbers.setdefault(tuple(cell), len(numbers))] += weight
    cells = np.zeros((len(pixels.colours), max(len(numbers), 1)), np.float32)
    for place, weight in weights.items():
        cells[place] = weight
    return cells


def points_within(radius: float, across: int) -> NDArray[np.float64]:
    """Return the steps to the points of a disc, of which `across` are in a row."""
    steps = np.linspace(-radius, radius, across)
    grid = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
    inside: NDArray[np.float64] = grid[(grid**2).sum(axis=1) <= radius**2]
    return inside


def count_colours(centres: NDArray[np.float64], steps: NDArray[np.float64], pixels: Pixels) -> Shares:
    """Return the share of each colour in the points around each centre that are in the picture."""
    colours = len(pixels.colours)
    shares = np.zeros((len(centres), colours), np.float32)
    for start in range(0, len(centres), _AT_ONCE):
        some = centres[start : start + _AT_ONCE]
        numbers = codes_at(pixels.numbers, np.rint(some[:, None] + steps).astype(np.int64)).astype(np.int64)
        rows = np.arange(len(some))[:, None] * colours
        counts = np.bincount((numbers + rows)[numbers != NONE], minlength=len(some) * colours).reshape(-1, colours)
        shares[start : start + len(some)] = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return shares


def _cluster(looks: Looks, like: float) -> NDArray[np.int64]:
    """Return the number of the group of each hex; more than `MOST_GROUPS` groups aren't completed."""
    sample = looks[:: max(1, len(looks) // _SAMPLED)]
    companions = np.concatenate([(part @ sample.T >= like).sum(axis=1) for part in _parts(looks)])
    leaders: list[int] = []
    left = np.ones(len(looks), np.bool_)
    for at in np.argsort(-companions, kind="stable").tolist():
        if left[at]:
            leaders.append(at)
            left &= looks @ looks[at] < like
            left[at] = False
            if len(leaders) > MOST_GROUPS:
                break
    return np.concatenate([(part @ looks[leaders].T).argmax(axis=1) for part in _parts(looks)])


def _parts(looks: Looks) -> list[Looks]:
    return [looks[start : start + _AT_ONCE] for start in range(0, len(looks), _AT_ONCE)]
