"""How good the doubts of boards are, and how long it takes to settle them: `python -m bench.board_report FOLDER`.

FOLDER is VASL's folder of boards. The first table is of boards with LOS data, read by their colours: hexes, wrong
ones, hexes in doubt, and which share of the wrong ones is in doubt (recall) and of the doubts wrong (precision), by the
reasons alone (before) and by what was learned (after). Nothing is judged on what it was chosen by: of five parts of the
boards each is judged by weights that the other four teach, at a threshold that was found on those four, each fifth of
them again judged by the rest. The second table is of the largest boards without LOS data: doubts, groups of them, and
how long they take at `SECONDS` each. `-o FILE` writes both as Markdown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.doubts import FOLDS, Sample, judge, learn, lowest_threshold, read_samples
from laager.base import LaagerError
from laager.vasl import board_of, group_shades, legend_entries, open_archive, try_ground_by_colours
from laager.vasl.colours.doubts import LEAST
from laager.vasl.maps.doubts import group_alike

SECONDS = 6
"""Seconds that a person is assumed to take for a group, or for a colour of a legend: a look, a choice, a click."""
LARGEST = 10
GOAL = 15
"""Minutes in which a board should be settled."""

Marks = NDArray[np.bool_]


class Counted(NamedTuple):
    """What the doubts of a board, or of several, are worth."""

    hexes: int
    wrong: int
    doubts: int
    right: int

    def __add__(self, other: object) -> Counted:
        assert isinstance(other, Counted)
        return Counted(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def cells(self) -> str:
        """Doubts, recall and precision as cells of a table."""
        recall = f"{100 * self.right / self.wrong:.0f} %" if self.wrong else "–"
        precision = f"{100 * self.right / self.doubts:.0f} %" if self.doubts else "–"
        return f"{self.doubts} | {recall} | {precision}"


class Judged(NamedTuple):
    """A board with its doubts by the reasons alone, and by what other boards taught."""

    board: str
    before: Counted
    after: Counted


def judge_nested(samples: Sequence[Sample], seed: int = 1) -> tuple[list[Judged], list[float]]:
    """Return what the doubts of each board are worth, and the thresholds: one for each fold, found on the others."""
    judged, thresholds = [], []
    for fold in np.array_split(np.random.default_rng(seed).permutation(len(samples)), FOLDS):
        others = [sample for at, sample in enumerate(samples) if at not in fold]
        threshold = lowest_threshold(
            np.concatenate(judge(others, seed + 1)), np.concatenate([sample.wrong for sample in others])
        )
        thresholds.append(threshold)
        weights = learn(others)
        for at in fold.tolist():
            sample = samples[at]
            in_doubt = (weights.probabilities(sample.features) >= threshold) | sample.printed
            judged.append(Judged(sample.board, _count(sample, _doubts_by_reasons(sample)), _count(sample, in_doubt)))
    return sorted(judged), thresholds


def _doubts_by_reasons(sample: Sample) -> Marks:
    """Return the hexes whose strongest reason for doubt is worth a look, or that lie under print."""
    reasons = [at for at, name in enumerate(sample.names) if name.startswith("reason: ")]
    marks: Marks = (sample.features[:, reasons].max(axis=1) >= LEAST) | sample.printed
    return marks


def _count(sample: Sample, in_doubt: Marks) -> Counted:
    right = int((sample.wrong & in_doubt).sum())
    return Counted(len(sample.wrong), int(sample.wrong.sum()), int(in_doubt.sum()), right)


def table_of_doubts(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield the lines of the table of doubts; boards without a wrong hex share one."""
    yield "| Board | Hexes | Wrong | In doubt before | Recall | Precision | In doubt after | Recall | Precision |"
    yield "|---|---|---|---|---|---|---|---|---|"
    right = [one for one in judged if not one.before.wrong]
    for one in judged:
        if one.before.wrong:
            yield _row(one)
    if right:
        yield _row(_sum(f"{len(right)} boards read rightly", right))
    yield _row(_sum(f"**all {len(judged)} boards**", judged))


def _sum(name: str, some: Sequence[Judged]) -> Judged:
    nothing = Counted(0, 0, 0, 0)
    return Judged(name, sum((one.before for one in some), nothing), sum((one.after for one in some), nothing))


def _row(one: Judged) -> str:
    return f"| {one.board} | {one.before.hexes} | {one.before.wrong} | {one.before.cells} | {one.after.cells} |"


class Settling(NamedTuple):
    """What is to be settled on a board without LOS data."""

    hexes: int
    board: str
    doubts: int
    groups: int
    alone: int
    colours: int

    @property
    def answers(self) -> int:
        """How many answers settle the board: one for each colour and group, one for all that is alone."""
        return self.colours + self.groups + (self.alone > 0)

    @property
    def row(self) -> str:
        minutes, each = SECONDS * self.answers / 60, 60 * GOAL / max(self.answers, 1)
        return (
            f"| {self.board} | {self.hexes} | {self.colours} | {self.doubts} | {self.groups} | {self.alone} |"
            f" {self.answers} | {minutes:.0f} | {each:.0f} |"
        )


def read_settling(folder: Path) -> Iterator[Settling]:
    """Yield what is to be settled on the largest boards without LOS data; boards that can't be read are named."""
    sizes = []
    for path in sorted(folder.glob("bd*")):
        try:
            board = board_of(open_archive(path))
        except LaagerError:
            continue
        if not board.known:
            sizes.append((len(board.hexes), path))
    shown = 0
    for hexes, path in sorted(sizes, reverse=True):
        archive = open_archive(path)
        read, why = try_ground_by_colours(archive, board_of(archive))
        if why:
            print(f"{path.name}: {hexes} hexes, not read: {why}")
            continue
        unsure = sum(not shades[0].sure for shades in group_shades(legend_entries(archive, board_of(archive))))
        groups = group_alike(read.doubts)
        alone = sum(len(group) == 1 for group in groups)
        yield Settling(hexes, path.name, len(read.doubts), len(groups) - alone, alone, unsure)
        shown += 1
        if shown == LARGEST:
            return


def table_of_settling(rows: Sequence[Settling]) -> Iterator[str]:
    """Yield the lines of the table of what is to be settled."""
    yield (
        f"| Board | Hexes | Colours to name | Doubts | Groups | Alone | Answers | Minutes at {SECONDS} s each |"
        f" Seconds for each within {GOAL} minutes |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    yield from (row.row for row in rows)


def main(folder: Path, out: Path | None) -> None:
    """Read the boards, and print or write both tables."""
    judged, thresholds = judge_nested(read_samples(folder))
    print(f"thresholds: {', '.join(f'{threshold:.4f}' for threshold in thresholds)}")
    lines = [*table_of_doubts(judged), "", *table_of_settling(list(read_settling(folder)))]
    text = "\n".join(lines) + "\n"
    print(text)
    if out is not None:
        out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    words = sys.argv[1:]
    main(Path(words[0]), Path(words[words.index("-o") + 1]) if "-o" in words else None)
