"""What VASL does in single tests of its own, asked of the kernels; uncompiled, as Python can't call compiled ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

_SIDES = """
import json
import sys
import numpy as np
from laager.los.exact import fields as f
from laager.los.exact.kernels.points import along_side
from tests.los.boards import drawn
from tests.vasl.board_writer import Draft
board = drawn(Draft(columns=5, rows=5))
found = []
for source, target in json.loads(sys.argv[1]):
    state = np.zeros(f.STATE, np.int64)
    state[f.HEX] = board.by_name["C3"]
    state[f.SOURCE_SIDE], state[f.SOURCE_SIDE_2] = source
    state[f.TARGET_SIDE], state[f.TARGET_SIDE_2] = target
    side = along_side(board.arrays, state)
    found.append([side >= 0, int(state[f.TARGET_SIDE]), int(state[f.TARGET_SIDE_2])])
print(json.dumps(found, default=bool))
"""

_ROOF = """
import json
import numpy as np
from laager.los.exact import fields as f
from laager.los.exact.kernels.levels import higher
from tests.los.boards import drawn
from tests.vasl.board_writer import Draft
board = drawn(Draft(columns=5, rows=5))
state = np.zeros(f.STATE, np.int64)
state[f.SOURCE_LEVEL], state[f.TARGET_LEVEL], state[f.GROUND], state[f.RISE] = 2, 2, 2, 1
state[f.FLAGS] = f.SPLIT | f.OBSTACLE
table = np.zeros((1, 2), np.int64)
level = bool(higher(board.arrays, state, table))
state[f.TARGET_FLAGS] = f.ROOFTOP
print(json.dumps([level, bool(higher(board.arrays, state, table))]))
"""


def uncompiled(program: str, *words: str) -> Any:
    environment = os.environ | {"LAAGER_LOS_UNCOMPILED": "1"}
    call = [sys.executable, "-c", program, *words]
    return json.loads(subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def sides() -> dict[str, list[object]]:
    asked = {
        "second": ((5, 0), (2, -1)),
        "first": ((5, 0), (-1, 3)),
        "other way": ((5, 0), (3, -1)),
        "source has one": ((4, -1), (1, -1)),
    }
    return dict(zip(asked, uncompiled(_SIDES, json.dumps(list(asked.values()))), strict=True))


@pytest.mark.parametrize(
    ("case", "filled"),
    [
        ("second", [True, 2, 3]),
        ("first", [True, 2, 3]),
        ("other way", [False, 3, -1]),
        ("source has one", [True, 1, 2]),
    ],
)
def test_a_missing_side_of_the_target_is_filled_in_as_vasl_does_and_kept(
    sides: dict[str, list[object]], case: str, filled: list[object]
) -> None:
    assert sides[case] == filled


def test_an_orchard_on_the_level_of_a_rooftop_is_higher_than_it() -> None:
    assert uncompiled(_ROOF) == [False, True]
