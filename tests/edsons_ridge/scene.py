"""The campaign of the worked example, and scenes of it made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from laager.base.files import read_document
from laager.campaign.facts import UMPIRE, Fact
from laager.hexmap import load_map
from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.areas import initial_areas
from laager.rules.board.hasl.facts import (
    AreasDetermined,
    CampaignBegun,
    ChitsRevealed,
    DateBegun,
    GroupJoined,
    PlayEnded,
    RoundBegun,
    ScenarioDetermined,
)
from laager.rules.board.hasl.state import Group, GroupArrival, Round
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.state import ErState
from tests.historical.small import add as add_unit
from tests.historical.small import merged

__all__ = ["add", "apply", "at_date", "chits", "fort", "group", "opening", "scene"]

FOLDER = Path(__file__).parent / "cards"


@cache
def data(name: str) -> Any:
    """Return a file of `cards` as plain data."""
    if name.endswith("map"):
        return load_map(FOLDER / f"{name}.yaml").to_data()
    return read_document(FOLDER / f"{name}.yaml").data


def opening(
    card: Mapping[str, Any] | None = None,
    charts: Mapping[str, Any] | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    tables: Any = None,
) -> dict[str, Any]:
    """Return what the log of the worked example opens with; changes are merged into its data."""
    found: dict[str, Any] = {
        "card": merged(data("ridge"), card or {}),
        "charts": merged(data("ridge-charts"), charts or {}),
        "map": data("ridge-map"),
        "readings": dict(readings or {}),
    }
    return found | ({"tables": tables} if tables is not None else {})


def apply(cg: Er, *facts: Fact) -> Er:
    """Apply facts to the state of a scene, as they are read back from a log."""
    for fact in facts:
        cg.state = type(fact).model_validate(fact.body()).apply(cg.state)
    return cg


def scene(card: Mapping[str, Any] | None = None, charts: Mapping[str, Any] | None = None, **more: Any) -> Er:
    """Return the worked example begun: area Jungle is Japanese, Ridge is the U.S. one."""
    cg = Er(opening(card, charts, **more))
    cg.state = ErState.empty(UMPIRE)
    sides = cg.card.sides
    begun = CampaignBegun(
        elr={side: half.elr for side, half in sides.items()},
        san={side: half.san for side, half in sides.items()},
        cpp={side: half.cpp for side, half in sides.items()},
    )
    return apply(cg, begun, AreasDetermined(areas=initial_areas(cg)))


def chits(cg: Er, axis: str, allied: str, moves: str = "axis") -> Er:
    """Reveal chits and determine the scenario that they make."""
    idle = axis == allied == "idle"
    kind = ScenarioDetermined(kind_of_scenario="x", idle=idle, sets_up_first="allied", moves_first=moves)
    return apply(cg, ChitsRevealed(chits={"axis": axis, "allied": allied}), kind)


def at_date(cg: Er, name: str) -> Er:
    """Go on to a CG Date; those before it were played."""
    while cg.date.id != name:
        chits(cg, "attack", "idle")
        apply(cg, PlayEnded(turn=6), RoundBegun(round=Round.REFIT))
        apply(cg, DateBegun(number=cg.state.number + 1))
    return cg


def group(cg: Er, side: str, rg: str, **more: Any) -> Group:
    """Add a group of a line of the chart, for the present date unless it says otherwise."""
    line = cg.line(side, rg)
    assert line is not None
    number = 1 + sum(one.rg == rg for one in cg.state.groups_of(side))
    made = Group(
        **{
            "id": f"{rg}/{number}",
            "side": side,
            "rg": rg,
            "kind": line.kind,
            "name": line.name,
            "date": cg.state.number,
            **more,
        }
    )
    apply(cg, GroupJoined(group=made))
    return made


def reserve(cg: Er, side: str, rg: str, area: str, *at: str) -> tuple[Group, list[Unit]]:
    """Add a Reserve group with squads in these Locations (none: off the map)."""
    made = group(cg, side, rg, arrival=GroupArrival.RESERVE, area=area)
    squad = {"axis": "4-4-8", "allied": "6-6-6"}[side]
    marks = (Mark.CLOAKED,)
    units = [add(cg, side, squad, "squad", where, *marks, group=made.id, area=area) for where in at]
    return made, units


def add(cg: Er, side: str, type_: str, kind: str, at: str | None = None, *marks: Mark, **more: Any) -> Unit:
    """Add a unit to the scene and return it."""
    nation = {"axis": "japanese", "allied": "american"}[side]
    place = more.pop("place", Place.MAP if at else Place.OFF_MAP)
    return add_unit(cg, side, type_, kind, at, *marks, nation=nation, place=place, **more)


def fort(cg: Er, side: str, kind: str, at: str | None, size: str = "", **more: Any) -> Fort:
    """Add a fortification to the scene and return it."""
    number = cg.state.side(side).next_fort
    made = Fort(id=f"{side[:2].upper()}F{number}", side=side, kind=kind, size=size, at=at, **more)
    apply(cg, FortJoined(fort=made))
    return made
