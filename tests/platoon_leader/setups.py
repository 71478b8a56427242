"""Setting up in tests: rows of the answer, and what is said against them."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.plan import Setting
from laager.rules.platoon_leader.setup.setup import PlSetup, setting_up
from tests.platoon_leader.fight import bare, determined
from tests.platoon_leader.small import card_data
from tests.steps import Played, play

NIGHT = {"base_nvr": 2, "moon": "half"}


def row(unit: Unit | str, at: str = "", hide: str = "none", holder: str = "") -> dict[str, str]:
    name = unit if isinstance(unit, str) else unit.id
    return {"unit": name, "at": at, "hide": hide, "with": holder}


def set_up(cg: Cg, side: str, *rows: dict[str, str], **more: Any) -> Played:
    """Set one side up with these rows, the other with nothing."""
    answers: dict[str, Any] = {"setup@axis": {}, "setup@allied": {}}
    answers[f"setup@{side}"] = {"units": list(rows), **more}
    return play(setting_up, determined(cg), answers=answers)


def wrong(cg: Cg, side: str, *rows: dict[str, str], **more: Any) -> str:
    """Return all that is said against these rows."""
    with pytest.raises(DataError) as caught:
        PlSetup(Setting(cg, side)).question().accept({"units": list(rows), **more})
    return str(caught.value)


def legal(cg: Cg, side: str, *rows: dict[str, str], **more: Any) -> bool:
    return PlSetup(Setting(cg, side)).question().allows({"units": list(rows), **more})


def units(cg: Cg, side: str, kind: str, group: str | None = None) -> list[Unit]:
    found = cg.state.units_of(side, kind)
    return [unit for unit in found if group is None or unit.group == group]


def by_night(**changes: Any) -> Cg:
    slots = [dict(slot) for slot in card_data()["firefights"]]
    slots[0]["night"] = NIGHT
    return bare(firefights=slots, **changes)
