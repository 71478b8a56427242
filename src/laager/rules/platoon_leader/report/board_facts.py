"""What follows from battle reports beside units: the ground, works, artillery, points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import (
    CvpScored,
    FireChanged,
    FortGone,
    FortJoined,
    SanChanged,
    TerrainChanged,
    UnitFought,
)
from laager.rules.board.joining import next_fort_id
from laager.rules.board.places import main_location
from laager.rules.board.report.form import LEFT, PLACED, REVEALED
from laager.rules.board.report.outcome import took_part
from laager.rules.board.units import Fort, Place
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import GroupChanged, MassacreInvoked, UnitsExited
from laager.rules.platoon_leader.reorganization.control import control_passes
from laager.rules.platoon_leader.report.agreement import Reports
from laager.rules.platoon_leader.report.desk import Desk
from laager.rules.platoon_leader.report.form import NOBODY

WHY = "reported at the end of play"


@implements("PL 1.33")
def board_facts(cg: Cg, reports: Reports) -> Iterator[Fact]:
    """Return what both reports say of the map; what both say alike counts once."""
    rows = [row for side in SIDES for row in reports[side]["control"]]
    changes = {main_location(cg, row["location"]): row["side"] for row in rows}
    changes = {at: "" if side == NOBODY else side for at, side in changes.items()}
    yield from control_passes(cg, changes, WHY)
    yield from _fires(cg, [row for side in SIDES for row in reports[side]["fires"]])
    yield from _terrain(cg, [row for side in SIDES for row in reports[side]["terrain"]])
    struck: set[str] = set()
    for side in SIDES:
        for row in reports[side]["forts"]:
            if row["do"] == PLACED:
                yield _placed(cg, side, row)
            elif row["fort"] not in struck:
                struck.add(row["fort"])
                yield _known_or_gone(cg, row)


def _fires(cg: Cg, rows: list[Mapping[str, Any]]) -> Iterator[Fact]:
    now = {main_location(cg, row["at"]): row["now"] for row in rows}
    ground = cg.state.ground
    flames = (ground.flames - set(now)) | {at for at, what in now.items() if what == "flame"}
    blazes = (ground.blazes - set(now)) | {at for at, what in now.items() if what == "blaze"}
    if (flames, blazes) != (ground.flames, ground.blazes):
        yield FireChanged(flames=flames, blazes=blazes, why=WHY)


@implements("PL CG5")
def _terrain(cg: Cg, rows: list[Mapping[str, Any]]) -> Iterator[Fact]:
    told: set[tuple[str, str]] = set()
    for row in rows:
        at, what, gone = main_location(cg, row["at"]), row["what"], row["gone"]
        present = what in cg.state.ground.changes.get(at, ())
        if (at, what) not in told and present == gone:
            told.add((at, what))
            yield TerrainChanged(at=at, what=what, gone=gone, why=WHY)


def _placed(cg: Cg, side: str, row: Mapping[str, Any]) -> Fact:
    fort = Fort(
        id=next_fort_id(cg, side),
        side=side,
        kind=row["kind"],
        size=row["size"],
        factors=row["factors"],
        at=main_location(cg, row["at"]),
        hidden=False,
        firefight=cg.state.fight.number,
    )
    return FortJoined(fort=fort, why="placed in play")


def _known_or_gone(cg: Cg, row: Mapping[str, Any]) -> Fact:
    fort = cg.state.forts[row["fort"]]
    if row["do"] == REVEALED:
        return FortJoined(fort=fort.model_copy(update={"hidden": False}), why="found in play")
    return FortGone(fort=fort.id, why="removed in play", to=(fort.side,) if fort.hidden else None)


# A side's own -----------------------------------------------------------------------------------


def side_facts(cg: Cg, desk: Desk) -> Iterator[Fact]:
    """Return what follows for one side: artillery, groups, SAN, CVP, who took part."""
    side, report = desk.side, desk.report
    yield from _groups(cg, desk)
    if report["san"]:
        yield SanChanged(side=side, by=report["san"], why="changed in play")
    if report["massacre"] and not cg.state.side(side).massacre:
        yield MassacreInvoked(side=side, rule="PL CG9", why="invoked in play (A20.4)")
    for row in report["cvp"]:
        yield CvpScored(side=side, points=row["points"], why=row["why"].strip())
    fought = _fought(desk)
    if fought:
        yield UnitFought(side=side, units=fought, why="took part", to=(side,))
    left = tuple(unit_id for unit_id, after in desk.after.items() if after.fate in LEFT)
    if left:
        why = "left the map in play"
        yield UnitsExited(side=side, units=left, why=why, to=(side,), rule="PL CG8")


def _fought(desk: Desk) -> tuple[str, ...]:
    rows = desk.report["units"]
    return tuple(
        unit_id
        for unit_id, after in desk.after.items()
        if took_part(after, None if after.row is None else rows[after.row])
    )


@implements("PL CG7", "PL 1.4 Used OBA", "PL 2.32")
def _groups(cg: Cg, desk: Desk) -> Iterator[Fact]:
    """Used OBA is noted, Air Support is lost; what was held off the map may set up next time."""
    side = desk.side
    used = {row["group"] for row in desk.report["oba"] if row["used"]}
    fought = set(_fought(desk))
    for group in list(cg.state.groups_of(side)):
        line = cg.side(side).group(group.rg)
        changes: dict[str, Any] = {}
        why = ""
        if group.id in used:
            changes, why = {"used": True}, "an FFE was placed"
        elif line is not None and line.kind is RgKind.AIR and not group.lost:
            why = "Air Support lasts for one firefight"
            changes = {"lost": why}
        held = any(
            unit.group == group.id and unit.place is Place.OFF_MAP and unit.id not in fought
            for unit in cg.state.units_of(side)
        )
        if held != group.may_set_up:
            changes["may_set_up"] = held
            why = why or ("was held off the map" if held else "has entered")
        if changes:
            yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))
