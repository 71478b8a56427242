"""Doubts about boards in colours that names tell: how likely a hex was read wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from laager.vasl.archive import packed_table
from laager.vasl.boards.board import BoardHex
from laager.vasl.colours import doubts
from laager.vasl.colours.calibrated import MISTAKEN, Row, measure_features, mistake_probabilities

from .colour_boards import LEVEL1, WOODS, Painted, made, read


def wooded(columns: int) -> Painted:
    board = Painted(columns=columns, rows=10)
    for column in range(0, columns - 1, 2):
        for row in (2, 4, 6, 8):
            board.box(f"{chr(ord('A') + column)}{row}", WOODS, 28)
    # The dot of one wood lies on bare ground.
    board.box("C4", LEVEL1, 7)
    return board


def measured(board: Painted, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Row]]:
    kept: list[dict[str, Row]] = []

    def measure(hexes: Sequence[BoardHex], *more: Any) -> dict[str, Row]:
        kept.append(measure_features(hexes, *more))
        return kept[-1]

    monkeypatch.setattr(doubts, "measure_features", measure)
    read(board, folder)
    return kept


def test_a_large_board_is_judged_by_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (features,) = measured(wooded(14), tmp_path, monkeypatch)
    assert {row["feature"] for row in packed_table("doubts.csv")} - {"always"} <= set(features)
    likely = mistake_probabilities(features)
    assert ((likely > 0) & (likely < 1)).all()
    assert np.median(likely) < MISTAKEN, "most hexes are in no doubt"


def test_a_hex_read_otherwise_than_those_like_it_is_likelier_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (features,) = measured(wooded(14), tmp_path, monkeypatch)
    alike = features["knnw"]
    assert alike.min() < 0.5 < np.median(alike)
    likely = mistake_probabilities(features)
    assert likely[alike.argmin()] > 2 * np.median(likely)


def test_a_small_board_and_a_painted_one_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not measured(wooded(7), tmp_path, monkeypatch)
    painted = Painted(columns=14, rows=10, ground=(150, 178, 118))
    assert not measured(painted, tmp_path, monkeypatch)


def test_a_score_is_a_probability_in_percent(tmp_path: Path) -> None:
    found = made(read(wooded(14), tmp_path))
    scores = [doubt.score for doubt in found.doubts if "/" not in doubt.where]
    assert all(round(100 * MISTAKEN) <= score <= 100 for score in scores)
    assert len(scores) < len(found.map.hexes) / 4


def test_only_numbers_ship() -> None:
    table = (files("laager.packs") / "vasl" / "doubts.csv").read_text("utf-8")
    assert len(table) < 20_000
    for line in table.splitlines()[1:]:
        assert all(np.isfinite(float(word)) for word in line.split(",")[1:])


def test_what_a_hex_was_read_as_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = wooded(14)
    for name in ("F5", "F6", "G6"):
        board.box(name, (131, 190, 220), 40)
    board.colors = "PondL0 131,190,220\n"
    (features,) = measured(board, tmp_path, monkeypatch)
    water = features["is water"] > 0
    assert features["is woods"].sum() > 10
    assert not (features["is woods"] * water).any()
    assert water.sum() >= 3
    assert (features["wet beside wet"][water] > 0).all()
    assert not features["wet beside wet"][~water].any()
    assert features["wet beside dry"].sum() > 0
    assert not features["wet beside dry"][water].any()
    assert not features["board below"].any()
