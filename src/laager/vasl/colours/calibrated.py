"""How likely it is that a hex was read wrongly: learned from boards that have LOS data, and are read by colours too.

What counts are the reasons for doubts, how the colours are known, what lies around the dot, the hexes next to it, and
the hexes that look most like it: where those were read otherwise, one of them is wrong. The weights are in the table
`doubts.csv`, a row for each feature, made by `python -m bench.doubts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import packed_table
from laager.vasl.boards.board import BoardHex
from laager.vasl.boards.crossings import NONE, HexPoints, codes_at
from laager.vasl.boards.losdata import LosData, terrains
from laager.vasl.colours.alike import Looks
from laager.vasl.colours.reasons import HEX_REASONS

ORIGINS = ("legend", "board", "shared", "texture", "alike", "guess", "none")
"""The origins of a colour's meaning whose share of a hex is counted."""
MISTAKEN = 0.02
"""Least probability of a mistake for a hex to be in doubt."""
FEWEST = 100
"""Fewest hexes of a board whose hexes can be compared with one another."""
GUESSED = 0.05
"""Largest share of a board in guessed and unknown colours: with more, no such board has taught anything."""
_RINGS = (1, 2, 3, 4, 6, 8, 11, 15)
_AROUND = 16
_WORDS = ("water", "marsh", "woods", "brush", "orchard", "grain")
"""The terrain of a hex that counts for itself: some is read wrongly more often than other."""
_SIMILAR = 10
_AT_ONCE = 256

LARGE, COMPARED = 4000, 1500
"""On a board of more hexes than the first, each is compared with only about the second number of others."""

Row = NDArray[np.float64]
Alike = NDArray[Any]


def is_like_taught(origins: Row) -> bool:
    """Return True if a board is like those that taught the weights; `origins` are the shares of its hexes."""
    return len(origins) >= FEWEST and float(origins[:, ORIGINS.index("guess") :].sum(axis=1).mean()) <= GUESSED


def mistake_probabilities(features: Mapping[str, Row]) -> Row:
    """Return for each hex how likely it was read wrongly, from 0 to 1."""
    weights = _weights()
    total: Row = np.zeros(len(next(iter(features.values())))) + weights["always"][2]
    for name, (mean, scale, weight) in weights.items():
        if name != "always":
            total += (features[name] - mean) / scale * weight
    probabilities: Row = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
    return probabilities


@cache
def _weights() -> Mapping[str, tuple[float, float, float]]:
    """Return the mean, scale and weight of each feature."""
    return {
        row["feature"]: (float(row["mean"]), float(row["scale"]), float(row["weight"]))
        for row in packed_table("doubts.csv")
    }


def measure_features(
    hexes: Sequence[BoardHex],
    points: HexPoints,
    data: LosData,
    looks: Looks,
    reasons: Row,
    origins: Row,
    tells_level: Sequence[bool],
) -> dict[str, Row]:
    """Return the features of hexes by name; `reasons` and `origins` have a row for each hex."""
    features = {f"reason: {why}": reasons[:, at] for at, why in enumerate(HEX_REASONS)}
    features |= {f"origin: {name}": origins[:, at] for at, name in enumerate(ORIGINS)}
    features["tells"] = np.array(tells_level, np.float64)
    features |= _rings(points, data)
    words = np.array([_word(hex_) for hex_ in hexes])
    levels = np.array([_level(hex_) for hex_ in hexes])
    houses = np.array([hex_.ground.house.word if hex_.ground and hex_.ground.house else "" for hex_ in hexes])
    features |= _of_ground(hexes) | _of_neighbours(points, words, levels) | _of_readings(points, words, levels, houses)
    return features | _of_similar(looks, words, levels, houses)


def _word(hex_: BoardHex) -> str:
    if hex_.ground is None:
        return "?"
    return hex_.ground.centre.word if hex_.ground.centre.kind == "terrain" else "open"


def _level(hex_: BoardHex) -> int:
    return hex_.ground.base if hex_.ground else 0


def _rings(points: HexPoints, data: LosData) -> dict[str, Row]:
    """Return what share of rings around the dot is of another kind of ground, or on another level."""
    kinds = np.zeros(len(terrains()) + 1, np.int64)
    numbers = {"": 0}
    for terrain in terrains():
        word = (
            terrain.word if terrain.kind == "terrain" else terrain.kind if terrain.kind in {"building", "road"} else ""
        )
        word = "sunk" if terrain.category == "depression" else word
        kinds[terrain.code] = numbers.setdefault(word, len(numbers))
    elevation = data.elevation.view(np.uint8)
    kind, level = kinds[codes_at(data.codes, points.centre)], codes_at(elevation, points.centre)
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    rings: dict[str, Row] = {}
    for radius in _RINGS:
        spots = points.centre[:, None] + np.rint(ring * radius).astype(np.int64)
        codes, levels = codes_at(data.codes, spots), codes_at(elevation, spots)
        rings[f"ring{radius}"] = ((kinds[codes] != kind[:, None]) & (codes != NONE)).mean(axis=1)
        rings[f"lring{radius}"] = ((levels != level[:, None]) & (levels != NONE)).mean(axis=1)
    return rings


def _of_ground(hexes: Sequence[BoardHex]) -> dict[str, Row]:
    """Return the features of each hex's own ground; -1 for unknown ground."""
    rows = []
    for hex_ in hexes:
        ground = hex_.ground
        if ground is None:
            rows.append((-1.0,) * 7)
            continue
        own = sum(
            count
            for terrain, count in ground.pixels.items()
            if terrain.kind in {"terrain", ""} and terrain.word == ground.centre.word
        )
        area = max(ground.area, 1)
        rows.append(
            (
                *(own / area, len(ground.elevations), ground.elevations.get(ground.base, 0) / area),
                *(ground.depression is not None, len(ground.into_depression), ground.bridged),
                ground.centre.kind == "road",
            )
        )
    names = ("own", "nlev", "baseshare", "depr", "into", "bridged", "roadc")
    return dict(zip(names, np.array(rows, np.float64).T, strict=True))


def _of_neighbours(points: HexPoints, words: NDArray[np.str_], levels: NDArray[np.int64]) -> dict[str, Row]:
    """Return how hexes differ from those next to them."""
    inside = points.near >= 0
    apart = np.where(inside, levels[points.near] - levels[:, None], 0)
    same = (inside & (words[points.near] == words[:, None])).sum(axis=1)
    counts = {
        **{"nlevdiff": (apart != 0).sum(axis=1), "nlevabs": np.abs(apart).max(axis=1), "nlow": (apart < 0).sum(axis=1)},
        **{"nsame": same, "lone": same == 0, "edge": (~inside).sum(axis=1)},
    }
    return {name: count.astype(np.float64) for name, count in counts.items()}


def _of_readings(
    points: HexPoints, words: NDArray[np.str_], levels: NDArray[np.int64], houses: NDArray[np.str_]
) -> dict[str, Row]:
    """Return what each hex was read as, and how much water or marsh lies around it."""
    wet = np.isin(words, ("water", "marsh"))
    wet_around = ((points.near >= 0) & wet[points.near]).sum(axis=1)
    readings = {f"is {word}": words == word for word in _WORDS}
    readings |= {"house": houses != "", "below": levels < 0, "above": levels > 0}
    counts = {"wet beside wet": wet_around * wet, "wet beside dry": wet_around * ~wet}
    counts["board below"] = np.full(len(words), (levels < 0).mean())
    return {name: values.astype(np.float64) for name, values in (readings | counts).items()}


def _of_similar(
    looks: Looks, words: NDArray[np.str_], levels: NDArray[np.int64], houses: NDArray[np.str_]
) -> dict[str, Row]:
    """Return how the hexes that look most like each were read, and how like the most like of other readings are."""
    directions = looks / np.maximum(np.linalg.norm(looks, axis=1, keepdims=True), 1e-6)
    step = 1 if len(looks) <= LARGE else -(-len(looks) // COMPARED)
    compared = directions[::step]
    # Numbers are compared much faster than words.
    numbers = {
        name: np.unique(readings, return_inverse=True)[1]
        for name, readings in (("w", words), ("l", levels), ("h", houses))
    }
    parts: list[dict[str, Row]] = []
    for start in range(0, len(looks), _AT_ONCE):
        here = slice(start, min(start + _AT_ONCE, len(looks)))
        alike = directions[here] @ compared.T
        own = np.flatnonzero(np.arange(here.start, here.stop) % step == 0)
        alike[own, (own + start) // step] = -1
        nearest = np.argpartition(-alike, _SIMILAR - 1, axis=1)[:, :_SIMILAR]
        part: dict[str, Row] = {"knnsim": np.take_along_axis(alike, nearest, 1).mean(axis=1)}
        for name, readings in numbers.items():
            part[f"knn{name}"] = (readings[::step][nearest] == readings[here, None]).mean(axis=1)
        for name in ("w", "l"):
            same, other = _most_alike(alike, numbers[name][::step], numbers[name][here])
            part |= {f"simsame{name}": same, f"simother{name}": other, f"simdiff{name}": same - other}
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _most_alike(alike: Alike, readings: NDArray[np.int64], own: NDArray[np.int64]) -> tuple[Alike, Alike]:
    """Return for each hex how like it the likest hex of its own reading is, and the likest of any other; -1 for none.

    `alike` has a row for each of some hexes, read as `own`, and a column for each one compared, read as `readings`.
    """
    order = np.argsort(readings, kind="stable")
    present, starts = np.unique(readings[order], return_index=True)
    most = np.full((len(own), max(int(present[-1]), int(own.max())) + 1), -1, np.float32)
    most[:, present] = np.maximum.reduceat(alike[:, order], starts, axis=1)
    rows = np.arange(len(own))
    same = most[rows, own]
    most[rows, own] = -1
    return same, most.max(axis=1)
