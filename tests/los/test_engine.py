"""Lines of sight on small boards of our own: what blocks, what hinders, levels, both directions."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from laager.base import DataError
from laager.los import Location, all_pairs, sight, sights, viewshed
from laager.los.exact import readiness
from laager.los.exact.compiled import has_numba
from laager.los.exact.engine import raw
from laager.los.exact.losmap import LosMap
from tests.los.boards import drawn
from tests.los.drafts import varied
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft

OPEN = Draft(columns=7, rows=6)


@pytest.fixture(scope="module")
def board() -> LosMap:
    return drawn(varied())


def test_a_line_over_open_ground_is_clear() -> None:
    found = sight(drawn(OPEN), "A1", "G6")
    assert found.clear
    assert (found.range, found.rule, found.block, found.hindrance) == (8, "", None, 0)
    assert found.sentence == "A1 sees G6 (range 8)."


def test_woods_between_block_and_say_where() -> None:
    draft = Draft(columns=7, rows=6)
    draft.fill("D3", w.WOODS)
    found = sight(drawn(draft), "B3", "F3")
    assert found.blocked
    assert found.rule == "A6.2"
    assert found.block is not None
    assert found.block.hex == "D3"
    assert found.sentence == (
        "B3 doesn't see F3 (range 4): blocked at D3 by terrain that is higher than both ends (A6.2)."
    )


def test_grain_hinders_hex_by_hex_and_six_block() -> None:
    draft = Draft(columns=10, rows=6)
    draft.codes[:] = w.GRAIN
    grain = drawn(draft)
    found = sight(grain, "A4", "D3")
    assert found.clear
    assert [str(one) for one in found.hindrances] == ["+1 B3", "+1 C4"]
    far = sight(grain, "A4", "H2")
    assert not far.clear
    assert (far.rule, far.hindrance) == ("B.10", 6)


def test_a_wall_blocks_only_on_its_own_level(board: LosMap) -> None:
    draft = Draft(columns=7, rows=6)
    for side in (0, 1, 2):
        draft.side("D3", side, w.WALL)
    low = drawn(draft)
    assert sight(low, "A1", "D3").rule != "B9.2"
    assert sight(low, "C4", "F2").rule == "B9.2"
    assert board.of_hex("E5")[0] == Location("E5")


def test_a_building_has_levels_and_a_hill_looks_over_woods() -> None:
    draft = Draft(columns=9, rows=6)
    draft.fill("A3", w.OPEN, 2)
    draft.fill("D3", w.WOODS)
    hill = drawn(draft)
    assert sight(hill, "A3", "H4").clear
    assert not sight(hill, "A3", "E4").clear
    assert hill.of_hex("A3")[0].elevation == 2


def test_levels_of_a_building_see_one_another_by_its_stairs(board: LosMap) -> None:
    names = [str(one) for one in board.of_hex("E5")]
    assert names == ["E5", "E5 level 1", "E5 level 2", "E5 rooftop", "E5 cellar"]
    assert sight(board, "E5", "E5:1").clear
    assert sight(board, "E5", "E5:2").rule == "A6.8"
    assert not sight(board, "E6", "E6:1").clear, "only E5 has a stairway"
    assert sight(board, "E5 level 1", "E5 level 1").clear


def test_viewsheds_and_all_pairs_say_what_single_lines_say(board: LosMap) -> None:
    view = viewshed(board, "E5 level 2")
    single = sights(board, [("E5 level 2", one) for one in board.locations])
    assert [(one.clear, one.hindrance) for one in view] == [(one.clear, one.hindrance) for one in single]
    assert set(view.seen) == {one.target for one in single if one}
    assert view.ground["A1"].target == Location("A1")
    everything = all_pairs(board)
    assert (everything[board.place("E5 level 2")] == view.codes).all()
    assert (everything == all_pairs(board, threads=2)).all()
    assert all_pairs(board, hexes=True).shape == (len(board.names), len(board.names))
    assert all_pairs(board, ["A1", "E5:1"]).shape == (2, len(board.locations))


def test_short_cuts_change_nothing(board: LosMap) -> None:
    count = len(board.arrays.places)
    asked = np.random.default_rng(1).integers(0, count, (4000, 2))
    assert (raw(board, asked)[0] == raw(board, asked, short=False)[0]).all()


def test_a_unit_in_bypass_stands_on_a_vertex(board: LosMap) -> None:
    found = sight(board, "C6 bypass 2", "D4")
    assert found.source == Location("C6", "bypass", vertex=2)
    with pytest.raises(DataError, match="A1 has no hexside 4 on the map"):
        sight(board, "A1 bypass 4", "D4")


def test_both_vertices_of_a_bypass_are_one_location_to_vasl(board: LosMap) -> None:
    found = sight(board, "C6 bypass 2", "C6 bypass 2 far")
    assert (found.clear, found.range, found.slope) == (True, 0, False)
    assert sight(board, "C6 bypass 2", "C6 bypass 3").slope


@pytest.mark.parametrize(
    ("place", "told"),
    [("Z9", "Board 20 has no hex 'Z9'; "), ("A1 level 3", "has no Location A1 level 3; there are: A1; and bypass")],
)
def test_unknown_places_are_refused(board: LosMap, place: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        sight(board, place, "A1")


_UNCOMPILED = """
import sys
import threading
if "missing" in sys.argv: sys.modules["numba"] = None
import json
import numpy as np
from laager.base import RefusedError
from laager.los import all_pairs, ready, sight
from laager.los.exact.compiled import has_numba
from laager.los.exact.engine import raw
from tests.los.boards import drawn
from tests.los.drafts import varied
from tests.los.drafts import varied
board = drawn(varied())
asked = np.random.default_rng(7).integers(0, len(board.arrays.places), (60, 2))
try:
    whole = all_pairs(board, ["E5:2"]).tolist()
except RefusedError as err:
    whole = str(err)
print(json.dumps([raw(board, asked)[0].tolist(), whole, sight(board, "A1", "E5").sentence, ready()]))
"""


@pytest.mark.parametrize("how", ["switched off", "missing"])
def test_without_numba_the_same_functions_say_the_same_slowly(board: LosMap, how: str) -> None:
    import json

    environment = os.environ | ({"LAAGER_LOS_UNCOMPILED": "1"} if how == "switched off" else {})
    done = subprocess.run(
        [sys.executable, "-c", _UNCOMPILED, how], env=environment, capture_output=True, text=True, check=True
    )
    lines, whole, sentence, prepared = json.loads(done.stdout)
    asked = np.random.default_rng(7).integers(0, len(board.arrays.places), (60, 2))
    assert raw(board, asked)[0].tolist() == lines
    assert sentence == sight(board, "A1", "E5").sentence
    assert prepared
    if how == "missing":
        assert whole.startswith("Lines of sight over a whole board need a part of Laager that isn't installed here")
        assert 'uv tool install "laager[los]"' in whole
        assert "LAAGER_LOS_UNCOMPILED=1" in whole
    else:
        assert whole == all_pairs(board, ["E5:2"]).tolist()


def test_a_few_lines_are_answered_without_compiling(board: LosMap, monkeypatch: pytest.MonkeyPatch) -> None:
    readiness.compile_now()
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, len(board.arrays.places), (40, 2))
    compiled, tables = raw(board, pairs, tables=True)
    begun: list[int] = []
    monkeypatch.setattr(readiness, "_done", threading.Event())
    monkeypatch.setattr(readiness, "_uncompiled_lines", [])
    monkeypatch.setattr(readiness, "_first_calls", lambda: begun.append(1))
    found, same_tables = raw(board, pairs, tables=True)
    assert (found == compiled).all()
    assert (same_tables == tables).all()
    assert not begun
    if has_numba():
        for _ in range(readiness.UNCOMPILED_LINES // 40):
            raw(board, pairs[:40])
        assert begun == [1], "many lines are worth it"
