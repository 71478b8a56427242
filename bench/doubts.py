"""Learn which hexes are read wrongly by their colours: `python -m bench.doubts FOLDER [-o doubts.csv]`.

FOLDER is VASL's folder of boards. Boards with LOS data are read by their colours; a logistic regression learns which
hexes come out otherwise than by LOS data. Printed is how good the doubts are on boards that taught nothing: each fifth
of the boards is judged by the others. The table written has a mean, a scale and a weight for each feature, and nothing
of any board. Left out is what no picture can teach: where the LOS data were made of another picture.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bench.colours import contents
from laager.base import LaagerError
from laager.vasl import Board, BoardHex, board_of, open_archive, read_ground_by_colours
from laager.vasl.boards.derive import HexGround
from laager.vasl.colours import doubts
from laager.vasl.colours.calibrated import MISTAKEN, Row, measure_features
from laager.vasl.colours.reasons import PRINT

FOLDS, RIDGE, STEPS = 5, 20.0, 25
LEFT_OUT = frozenset({"bdRBv2", "bd14", "bd17z"})
"""Boards that teach nothing: bdRBv2 is painted, and painted boards aren't judged so; the LOS data of bd14 have open
ground between the rows of its grain, so that its dots tell nothing; those of bd17z are of another picture."""
MIRRORED = frozenset({"bd2b", "bd3b", "bd5b", "bd6b", "bd7b", "bd8b", "bd9b"})
"""Boards on which the picture has the woods of some half hexes to the west, and the LOS data to the east."""
HALF_HEXES = frozenset(f"{column}{row}" for column in ("T", "V", "BB", "DD") for row in (0, 20))
"""The half hexes of these boards whose woods are mirrored."""
THRESHOLDS = (0.01, 0.015, MISTAKEN, 0.03, 0.05, 0.1)
RIGHTLY = 0.2
"""Share of doubts that are to be wrong hexes."""


class Sample(NamedTuple):
    """The hexes of one board: their features, which of them were read wrongly, and which may lie under print."""

    names: tuple[str, ...]
    features: Row
    wrong: NDArray[np.bool_]
    board: str
    printed: NDArray[np.bool_]


def read_sample(path: Path) -> Sample | None:
    """Return the hexes of a board; None if it has no LOS data, or its hexes aren't judged by the weights."""
    measured: list[tuple[Sequence[BoardHex], dict[str, Row]]] = []

    def measure(hexes: Sequence[BoardHex], *more: Any) -> dict[str, Row]:
        measured.append((hexes, measure_features(hexes, *more)))
        return measured[-1][1]

    archive = open_archive(path)
    known = board_of(archive)
    if not known.known:
        return None
    with patch.object(doubts, "measure_features", measure):
        read = read_ground_by_colours(archive, known)
    if not measured:
        return None
    hexes, features = measured[0]
    pairs = [(_true_ground(known, hex_), hex_.ground) for hex_ in hexes]
    mirrored = HALF_HEXES if path.name in MIRRORED else frozenset()
    told = [at for at, pair in enumerate(pairs) if None not in pair and hexes[at].name not in mirrored]
    wrong = np.array([_reading(pairs[at][0]) != _reading(pairs[at][1]) for at in told], np.bool_)
    under_print = {doubt.where for doubt in read.doubts if doubt.why == PRINT}
    printed = np.array([hexes[at].name in under_print for at in told], np.bool_)
    return Sample(tuple(features), np.stack(list(features.values()), axis=1)[told], wrong, path.name, printed)


def _true_ground(known: Board, hex_: BoardHex) -> HexGround | None:
    return known.by_name[hex_.name].ground if hex_.name in known.by_name else None


def _reading(ground: HexGround | None) -> tuple[str, int, str]:
    """Return what counts of a hex: terrain, level, material of its building."""
    if ground is None:
        return "", 0, ""
    words = contents(ground)
    return words.terrain, words.level, words.house.material if words.house else ""


class Weights(NamedTuple):
    """What is learned: means and scales of the features, and their weights after the one that always counts."""

    means: Row
    scales: Row
    weights: Row

    def probabilities(self, features: Row) -> Row:
        """Return how likely each hex is wrong."""
        total = self.weights[0] + (features - self.means) / self.scales @ self.weights[1:]
        likely: Row = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return likely


def learn(samples: Sequence[Sample]) -> Weights:
    """Return the weights of a logistic regression with a ridge, by Newton's steps, halved while they do harm."""
    features, wrong = (np.concatenate([sample[part] for sample in samples]) for part in (1, 2))
    means, scales = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-3)
    rows = np.concatenate([np.ones((len(features), 1)), (features - means) / scales], axis=1)
    ridge = np.diag([0.0] + [RIDGE] * features.shape[1])
    weights = np.zeros(rows.shape[1])
    weights[0] = -5

    def loss(some: Row) -> float:
        total = rows @ some
        return float(np.logaddexp(0, total).sum() - total[wrong].sum() + some @ ridge @ some / 2)

    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        spread = np.maximum(likely * (1 - likely), 1e-6)
        step = np.linalg.solve((rows * spread[:, None]).T @ rows + ridge, rows.T @ (wrong - likely) - ridge @ weights)
        while loss(weights + step) > loss(weights) and np.abs(step).max() > 1e-6:
            step /= 2
        weights += step
        if np.abs(step).max() < 1e-4:
            break
    return Weights(means, scales, weights)


def print_curve(samples: Sequence[Sample]) -> None:
    """Print how good doubts are at several thresholds, each board judged by weights of others."""
    all_likely = np.concatenate(judge(samples))
    all_wrong = np.concatenate([sample.wrong for sample in samples])
    print(f"{len(samples)} boards, {len(all_wrong)} hexes, {all_wrong.sum()} wrong")
    for threshold in THRESHOLDS:
        doubt = all_likely >= threshold
        right = int(all_wrong[doubt].sum())
        print(
            f"from {threshold:.3f}: {doubt.sum()} doubts, {right} wrong: {100 * right / all_wrong.sum():.0f} % of all"
        )
    lowest = lowest_threshold(all_likely, all_wrong)
    doubt = all_likely >= lowest
    print(
        f"{RIGHTLY:.0%} of doubts are wrong from {lowest:.4f}: {doubt.sum()} doubts, "
        f"{100 * all_wrong[doubt].sum() / all_wrong.sum():.0f} % of all"
    )


def lowest_threshold(likely: Row, wrong: NDArray[np.bool_]) -> float:
    """Return the lowest probability from which on at least `RIGHTLY` of the hexes are wrong."""
    order = np.argsort(-likely)
    enough = np.flatnonzero(wrong[order].cumsum() >= RIGHTLY * np.arange(1, len(order) + 1))
    return float(likely[order[int(enough[-1]) if len(enough) else 0]])


def judge(samples: Sequence[Sample], seed: int = 1) -> list[Row]:
    """Return for each board how likely its hexes are wrong, by weights learned from other boards."""
    likely: list[Row] = [np.zeros(0)] * len(samples)
    for fold in np.array_split(np.random.default_rng(seed).permutation(len(samples)), FOLDS):
        weights = learn([sample for at, sample in enumerate(samples) if at not in fold])
        for at in fold.tolist():
            likely[at] = weights.probabilities(samples[at].features)
    return likely


def read_samples(folder: Path) -> list[Sample]:
    """Return the boards of a folder that teach something; those that are refused are named."""
    samples = []
    for path in sorted(folder.glob("bd*")):
        try:
            sample = None if path.name in LEFT_OUT else read_sample(path)
        except LaagerError as err:
            print(f"{path.name} refused: {err}".replace(f"{folder}/", ""))
            continue
        if sample is not None:
            samples.append(sample)
    return samples


def main(folder: Path, out: Path | None) -> None:
    """Read boards, print the figures, write the table."""
    samples = read_samples(folder)
    print_curve(samples)
    learned = learn(samples)
    if out is not None:
        rows = zip(samples[0].names, learned.means, learned.scales, learned.weights[1:], strict=True)
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["feature", "mean", "scale", "weight"])
            writer.writerow(["always", 0, 1, f"{learned.weights[0]:.5g}"])
            writer.writerows([name, *(f"{number:.5g}" for number in numbers)] for name, *numbers in rows)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(Path(words[0]), Path(words[words.index("-o") + 1]) if "-o" in words else None)
