"""A battle that was worked out, as the reports of each rule system say it. Each tells only of its own side's units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, is_vehicle
from laager.rules.board.hasl.report.form import hidden_works
from laager.rules.board.report.form import CAPTURED, ELIMINATED, OFF_MAP, ON_MAP, RECALLED
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.simulation.battles.field import UnitFate, mmc_kinds
from laager.simulation.battles.fight import Engagement


def side_answer(battle: Engagement, side: str) -> dict[str, Any]:
    """Return a side's report of a battle."""
    answer: dict[str, Any] = {
        "units": list(unit_rows(battle, side)),
        "new": battle.new[side],
        "taken": [{"type": piece.type, "by": piece.by} for piece in battle.taken[side]],
    }
    return answer | (_pl_part(battle, side) if isinstance(battle.cg, Cg) else _hasl_part(battle, side))


def _pl_part(battle: Engagement, side: str) -> dict[str, Any]:
    sniper = battle.luck("sniper", side) < battle.figures["besides.sniper"]
    return {
        "oba": [{"group": barrage.group, "used": barrage.placed} for barrage in battle.barrages[side]],
        "control": list(_control_rows(battle, side)),
        "fires": battle.fires(),
        "san": -1 if sniper and battle.cg.state.side(side).san > 2 else 0,
    }


def _hasl_part(battle: Engagement, side: str) -> dict[str, Any]:
    fought_over = {contest.hex for contest in battle.contests if contest.defenders}
    return {
        "modules": [
            {"group": b.group, "in_play": b.placed, "placed": b.placed, "exhausted": b.exhausted}
            for b in battle.barrages[side]
        ],
        "revealed": [fort.id for fort in hidden_works(battle.cg, side) if fort.hex in fought_over],
    }


# Units ------------------------------------------------------------------------------------------


def unit_rows(battle: Engagement, side: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a side's units that changed, and of what was with units that are gone."""
    for fate in battle.of(side):
        holder = battle.fates.get(fate.unit.with_unit)
        follows = holder is not None and holder.unit.side == side
        left = follows and holder is not None and holder.fate in {ELIMINATED, CAPTURED}
        if left or _is_row_due(battle, fate, holder if follows else None):
            yield _row(fate)


def _is_row_due(battle: Engagement, fate: UnitFate, holder: UnitFate | None) -> bool:
    if holder is None or fate.holder != holder.unit.id:
        return fate.has_changed
    if holder.fate == RECALLED:
        return False
    if (fate.at, fate.fate) != (holder.at, holder.fate):
        return fate.has_changed
    # It goes along; only what differs by itself is listed.
    hidden = fate.unit.marks - fate.marks
    return bool(fate.marks - fate.unit.marks) or fate.type != fate.unit.type or (bool(hidden) and not holder.unit.marks)


def _row(fate: UnitFate) -> dict[str, Any]:
    row: dict[str, Any] = {"unit": fate.unit.id, "fate": fate.fate}
    if fate.fate == ON_MAP:
        row |= {"at": fate.at, "marks": [mark.value for mark in Mark if mark in fate.marks]}
    if fate.fate == ELIMINATED and is_vehicle(fate.unit) and fate.at:
        row["at"] = fate.at
    if fate.fate in {ON_MAP, OFF_MAP} and fate.holder != fate.unit.with_unit:
        row["with"] = fate.holder
    if fate.type != fate.unit.type and fate.fate in {ON_MAP, OFF_MAP}:
        row["type"] = fate.type
    return row


# Control ----------------------------------------------------------------------------------------


def _control_rows(battle: Engagement, side: str) -> Iterator[dict[str, str]]:
    """Yield the Locations that a side has won: its MMC stand in the hex, and it sees no enemy there."""
    mine = {f.hex for f in battle.of(side, *mmc_kinds()) if f.in_good_order}
    foes = {f.hex for f in battle.of(other_side(side), *INFANTRY, "afv") if f.on_map and _is_in_the_way(f)}
    for at in battle.cg.sort(battle.strategic):
        name = at.partition(".")[0]
        if name in mine and name not in foes and battle.holder_of(at) != side:
            yield {"location": at, "side": side}


def _is_in_the_way(fate: UnitFate) -> bool:
    return (fate.engaged or fate.unit.known) and Mark.PRISONER not in fate.marks
