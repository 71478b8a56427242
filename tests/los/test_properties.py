"""What holds for lines of sight on any board: drawn by Hypothesis, small ones of our own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laager.los.exact import fields as f
from laager.los.exact import kinds
from laager.los.exact.engine import all_pairs, raw
from laager.los.exact.losmap import LosMap
from laager.los.exact.maps import board_map
from tests.los.boards import drawn, needs_boards, odd_pairs, real
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft

CODES = [w.WOODS, w.GRAIN, w.ORCHARD, w.STONE_2, w.WOODEN, w.WALL, w.BOCAGE, w.GULLY, w.PAVED, w.WATER, w.CLIFF]
CODES += [w.FACTORY, w.ROWHOUSE, w.BRIDGE, w.MARKET, 90, 105, 172]
"""With rubble, hillocks and walls inside factories."""

patches = st.tuples(
    *(st.integers(0, 330), st.integers(0, 380)), *(st.integers(2, 90), st.integers(2, 90)), st.sampled_from(CODES)
)
hills = st.tuples(st.integers(0, 330), st.integers(0, 380), st.integers(30, 150), st.integers(-2, 4))
SETTINGS = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def board_of(ground: list[tuple[int, ...]], levels: list[tuple[int, ...]]) -> LosMap:
    draft = Draft(columns=7, rows=6, stairs={(2, 2), (4, 3)})
    for x, y, width, height, code in ground:
        draft.codes[x : x + width, y : y + height] = code
    for x, y, size, level in levels:
        draft.levels[x : x + size, y : y + size] = level
    draft.levels[draft.codes == w.GULLY] -= 1
    return drawn(draft)


boards = st.builds(board_of, st.lists(patches, max_size=14), st.lists(hills, max_size=4))


@SETTINGS
@given(boards, st.integers(0, 2**32))
def test_short_cuts_change_no_answer(board: LosMap, seed: int) -> None:
    count = len(board.arrays.places)
    asked = np.random.default_rng(seed).integers(0, count, (400, 2))
    quick, tables = raw(board, asked, tables=True)
    slow, slow_tables = raw(board, asked, short=False, tables=True)
    assert (quick == slow).all()
    assert (tables == slow_tables).all()


@needs_boards
@pytest.mark.parametrize("name", ["22", "6a", "RBv2"])
def test_short_cuts_change_no_answer_on_real_boards(name: str) -> None:
    board = board_map(real(name))
    asked = odd_pairs(board, 1500)
    quick, tables = raw(board, asked, tables=True)
    slow, slow_tables = raw(board, asked, short=False, tables=True)
    assert (quick == slow).all()
    assert (tables == slow_tables).all()


@SETTINGS
@given(boards)
def test_a_location_sees_itself_and_ranges_are_those_of_hexes(board: LosMap) -> None:
    numbers = np.arange(len(board.locations))
    itself, _ = raw(board, np.stack([numbers, numbers], axis=-1))
    known = board.arrays.places[numbers, f.P_TERRAIN] != f.NULL
    assert (itself[known, f.O_STATUS] == f.CLEAR).all()
    assert (itself[:, f.O_RANGE] == 0).all()


@SETTINGS
@given(boards)
def test_next_hexes_of_open_ground_on_one_level_see_each_other(board: LosMap) -> None:
    codes, levels = board.pixels & 255, (board.pixels >> f.LEVEL_SHIFT) & 255
    plain = ~kinds.rough()[codes] & (levels == levels[0, 0])
    hexes = (board.pixels >> f.HEX_SHIFT) & f.HEX_MASK
    rough = {int(number) - 1 for number in np.unique(hexes[~plain])}
    quiet = [i for i in range(len(board.names)) if i not in rough and not rough & set(board.grid.near[i].tolist())]
    for i in quiet:
        for other in board.grid.near[i].tolist():
            if other in quiet:
                asked = np.array([[board.firsts[i], board.firsts[other]]])
                assert raw(board, asked)[0][0, f.O_STATUS] == f.CLEAR


@SETTINGS
@given(st.lists(patches, max_size=6), st.lists(patches, min_size=1, max_size=4))
def test_more_woods_on_level_ground_never_clear_a_line(
    ground: list[tuple[int, ...]], more: list[tuple[int, ...]]
) -> None:
    draft = Draft(columns=7, rows=6)
    for x, y, width, height, _ in ground:
        draft.codes[x : x + width, y : y + height] = w.WOODS
    before = all_pairs(drawn(draft), hexes=True)
    for x, y, width, height, _ in more:
        draft.codes[x : x + width, y : y + height] = w.WOODS
    after = all_pairs(drawn(draft), hexes=True)
    assert not (before & f.BYTE_BLOCKED & ~after).any()


@SETTINGS
@given(boards)
def test_distance_is_the_same_both_ways(board: LosMap) -> None:
    numbers = board.firsts[:-1]
    asked = np.stack([numbers, numbers[::-1]], axis=-1)
    forth, back = raw(board, asked)[0], raw(board, asked[:, ::-1].copy())[0]
    assert (forth[:, f.O_RANGE] == back[:, f.O_RANGE]).all()
