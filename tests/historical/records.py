"""A campaign of the HASL family in its third CG Date, by hand: something on every sheet."""

from __future__ import annotations

from typing import Any

from laager.campaign.facts import UMPIRE
from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.facts import (
    ChitsRevealed,
    CppChanged,
    DateBegun,
    FppChanged,
    GroupJoined,
    PlayEnded,
    ScenarioDetermined,
    WeatherSet,
)
from laager.rules.board.hasl.state import Group, GroupArrival, HaslState, Strength
from laager.rules.board.units import Fort, Mark, Place

from .small import add, scene

AXIS_SECRETS = ("K-I1/1", "K-I1/2", "F1/1", "O1/1", "AXF1", "wire")
"""Words of the Axis side that may stand nowhere where the Allied side looks."""


def told(cg: Any, *facts: Any) -> None:
    """Let facts happen."""
    for fact in facts:
        cg.state = fact.apply(cg.state)


def record(**more: Any) -> Any:
    """Return the small campaign on its third CG Date, as the umpire sees it."""
    cg = scene(**more)
    told(
        cg,
        ChitsRevealed(chits={"axis": "idle", "allied": "attack"}, counted=False),
        ScenarioDetermined(kind_of_scenario="Initial Scenario", sets_up_first="axis", moves_first="allied"),
        WeatherSet(weather="Clear", ec="Moderate", wind="mild", nvr=3),
    )
    cg.state = cg.state.with_cvp("axis", 9, None).with_cvp("allied", 12, None)
    told(
        cg,
        PlayEnded(turn=7),
        DateBegun(number=2),
        ChitsRevealed(chits={"axis": "idle", "allied": "idle"}),
        ScenarioDetermined(kind_of_scenario="Idle Date", idle=True),
        DateBegun(number=3),
    )
    _axis(cg)
    _allied(cg)
    return cg


def _axis(cg: Any) -> None:
    given = Group(id="K-I1/1", side="axis", rg="K-I1", kind="I", name="Rifle Platoon", date=1,
                  given=True, arrival=GroupArrival.ON_MAP, area="NE", strength=Strength.DEPLETED,
                  units={"4-6-7": 2}, sw={"LMG": 1}, named=("8-1",))  # fmt: skip
    bought = Group(id="K-I1/2", side="axis", rg="K-I1", kind="I", name="Rifle Platoon", date=3,
                   cost=5, arrival=GroupArrival.ENTER, area="G1", strength=Strength.FULL,
                   units={"4-6-7": 3}, sw={"LMG": 1, "MMG": 1}, leader="9-1",
                   objective="C4")  # fmt: skip
    module = Group(id="O1/1", side="axis", rg="O1", kind="O", name="80mm Battery", date=3, cost=4,
                   black=8, red=2, equipment="phone", pre_registered=("B4",), in_play=True,
                   used=True, placed=True, lost="fired")  # fmt: skip
    works = Group(id="F1/1", side="axis", rg="F1", kind="F", name="12 FPP", date=3, cost=4)
    to = ("axis",)
    for group in (given, bought, module, works):
        told(cg, GroupJoined(group=group, to=to))
    told(cg, CppChanged(side="axis", by=8, to=to), CppChanged(side="axis", by=-13, to=to))
    told(cg, FppChanged(side="axis", by=12, to=to), FppChanged(side="axis", by=-6, to=to))
    add(cg, "axis", "4-6-7", "squad", "G2", group="K-I1/1", area="NE")
    add(cg, "axis", "4-6-7", "squad", "G2", Mark.CONCEALED, group="K-I1/1", area="NE")
    add(cg, "axis", "LMG", "sw", "G2", group="K-I1/1", with_unit="AX1", area="NE")
    add(cg, "axis", "9-1", "leader", None, group="K-I1/2", place=Place.OFF_MAP, area="G1")
    wire = Fort(id="AXF1", side="axis", kind="wire", count=2, fp=6, at="G3", firefight=3)
    mines = Fort(id="AXF2", side="axis", kind="a-p-mines", factors=6, firefight=3, hidden=False)
    told(cg, FortJoined(fort=wire, to=to), FortJoined(fort=mines, to=to))


def _allied(cg: Any) -> None:
    add(cg, "allied", "6-4-8", "squad", "B4", Mark.HIP, area="W")
    add(cg, "allied", "6-4-8", "squad", "A8", area="W", known=True)


def seen_by(cg: Any, viewer: str) -> Any:
    """Return the campaign as a viewer sees it: the enemy's groups, works and units unknown."""
    if viewer == UMPIRE:
        return cg
    state: HaslState = cg.state
    hidden = state.__class__(
        **{
            **state.__dict__,
            "viewer": viewer,
            "groups": {key: one for key, one in state.groups.items() if one.side == viewer},
            "forts": {key: one for key, one in state.forts.items() if one.side == viewer},
            "units": {k: u for k, u in state.units.items() if u.side == viewer or u.known},
        }
    )
    return cg.with_state(hidden)
