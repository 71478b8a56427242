"""Facts of the layer as the log tells them: sentences, not names of fields."""

from __future__ import annotations

import re
from typing import Any

import pytest

from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.facts import GroupJoined, RollTold
from laager.rules.board.hasl.state import Group
from tests.historical.small import scene


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"in_play": False}, "not in play"),
        ({"in_play": True, "used": True}, "in play; used"),
        ({"black": 6, "red": 1, "used": False}, "black chits 6; red chits 1; not used"),
        (
            {"lost": "an FFE:1 of it was placed", "pre_registered": ()},
            "lost, an FFE:1 of it was placed; no Pre-Registered hex",
        ),
        ({"lost": "", "placed": False}, "not lost; not placed"),
        ({"pre_registered": ["B4"]}, "Pre-Registered hex B4"),
        ({"holder": "", "security": ()}, "possessed by nobody; no Security Area"),
        (
            {"holder": "AX3", "equipment": "phone", "security": ["G2", "G1"]},
            "possessed by AX3; directed by phone; Security Area G2, G1",
        ),
        ({"units": {"6-4-8": 3, "8-0": 1}, "sw": {}}, "3 x 6-4-8, 1 x 8-0; no SW"),
        ({"strength": "F", "leader": "9-1"}, "Full Strength; leader 9-1"),
    ],
)
def test_a_group_that_changed(changes: dict[str, Any], told: str) -> None:
    assert GroupChanged(side="axis", group="O1/1", changes=changes).tell() == f"axis O1/1: {told}"


def test_every_field_of_a_group_reads_as_words() -> None:
    for name, field in Group.model_fields.items():
        switch = field.annotation in (bool, "bool")
        values: tuple[Any, ...] = (False, True) if switch else (None, "", (), {}, 1, "x")
        for value in values:
            told = GroupChanged(side="axis", group="O1/1", changes={name: value}).tell()
            assert not {"_", "False", "True", "None", "()", "{}"} & set(re.split(r"(_)|\s", told))
            assert told == told.strip()


def test_what_a_roll_means_changes_nothing() -> None:
    cg = scene()
    group = Group(id="I1/1", side="axis", rg="I1", date=1)
    cg.state = GroupJoined(group=group).apply(cg.state)
    fact = RollTold(text="axis ELR stays 3")
    assert fact.apply(cg.state) is cg.state
    assert fact.tell() == "axis ELR stays 3"
