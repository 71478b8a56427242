"""Boards that nobody drew in good faith: strange codes, levels, geometry, files cut short."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest

from laager.base import LaagerError
from laager.los import all_pairs, board_map
from laager.los.exact.engine import raw
from laager.vasl import Archive
from tests.los.boards import archive_of, drawn
from tests.los.drafts import varied
from tests.vasl.board_writer import Draft, zip_bytes


@pytest.mark.parametrize("seed", range(6))
def test_boards_of_noise_have_answers(seed: int) -> None:
    chance = np.random.default_rng(seed)
    draft = Draft(columns=6, rows=5, stairs={(1, 1), (2, 2)})
    size = (1 + seed * 4, 1 + seed * 3)
    shape = tuple(-(-whole // part) for whole, part in zip(draft.codes.shape, size, strict=True))
    for pixels, low, high in ((draft.codes, 0, 256), (draft.levels, -128, 128)):
        noise = chance.integers(low, high, shape).astype(pixels.dtype)
        pixels[:] = np.kron(noise, np.ones(size, pixels.dtype))[: pixels.shape[0], : pixels.shape[1]]
    board = drawn(draft, deviations=["scrub"])
    count = len(board.arrays.places)
    asked = chance.integers(0, count, (2000, 2))
    assert (raw(board, asked)[0] == raw(board, asked, short=False)[0]).all()
    assert all_pairs(board).shape == (len(board.locations),) * 2


@pytest.mark.parametrize("words", [{"hexWidth": "9"}, {"hexHeight": "500"}, {"A1CenterX": "-901"}, {"A1CenterY": "0"},
                                   {"A1CenterY": "50"}, {"A1CenterX": "300"}, {"width": "200"}])  # fmt: skip
def test_strange_geometry_is_refused_or_read(words: dict[str, str]) -> None:
    draft = Draft(columns=5, rows=4, words=words)
    try:
        board = drawn(draft)
    except LaagerError:
        return
    assert all_pairs(board).shape == (len(board.locations),) * 2


def test_a_file_that_is_cut_or_changed_never_crashes() -> None:
    chance = random.Random(4)
    entries = varied().entries()
    for _ in range(40):
        data = bytearray(entries["LOSData"])
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        changed = entries | {"LOSData": bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])}
        with suppress(LaagerError):
            board_map(Archive(zip_bytes(changed.items()), "bd20"))


def test_a_board_with_the_lost_code_has_no_answer_unless_wished() -> None:
    draft = Draft(columns=5, rows=4)
    draft.codes[100:120, 100:120] = 100
    from laager.los import sight

    assert sight(drawn(draft), "A1", "B1").sentence == (
        "No answer for A1 to B1: VASL gives no answer: it can't load board 20, whose terrain code 100 it has lost."
    )
    found = sight(drawn(draft, deviations=["scrub"]), "A1", "B1")
    assert found.clear
    assert found.deviations == ("scrub",)


def test_a_rule_that_nobody_knows_leaves_its_board_without_los() -> None:
    from laager.los import sight

    strange = board_map(archive_of(varied()), rules=["Unheard"])
    assert "it doesn't know the rule Unheard of board 20" in sight(strange, "A1", "B1").reason
    assert (all_pairs(strange) == 32).all()
    assert sight(board_map(archive_of(varied()), rules=["AllPaved"]), "A1", "B1").clear
