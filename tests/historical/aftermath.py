"""The small campaign just after play, for tests of reports and of the end of a scenario.

Axis: AX1 4-6-7 with LMG AX2 and AX3 9-1 in G2, AX4 4-6-7 under "?" in H3 with MMG AX5, AX6 PzIVH
in F3 with armor leader AX7, HIP crew AX8 and Gun AX9 in H2, AX10 4-6-7 off map by G1 with LMG AX11.
Allied: AL1 6-4-8 in B4 with LMG AL2 and AL3 9-1, AL4 6-4-8 under "?" in B5, AL5 and AL6 3-3-8 in
D2, AL7 Stuart III(a) in D4. Fortifications: AXF1 wire in G2 (hidden), ALF1 foxhole in C4. Each side
has an OBA module O1/1.
"""

from __future__ import annotations

from typing import Any

from laager.rules.board.facts import ControlChanged, FortJoined
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import GroupJoined, PlayEnded
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Fort, Mark
from tests.historical.small import add, scene

KNOWN = {"known": True}


def aftermath(card: Any = None, *, variant: Variant[Any] | None = None, **more: Any) -> Any:
    """Return the campaign when the play of its Initial Scenario has ended."""
    cg = scene(card, **more)
    if variant is not None:
        own = variant

        class Own(Hasl):
            variant = own

        cg.__class__ = Own
    squad = add(cg, "axis", "4-6-7", "squad", "G2", **KNOWN)
    add(cg, "axis", "LMG", "sw", "G2", with_unit=squad.id, **KNOWN)
    add(cg, "axis", "9-1", "leader", "G2", **KNOWN)
    squad = add(cg, "axis", "4-6-7", "squad", "H3", Mark.CONCEALED)
    add(cg, "axis", "MMG", "sw", "H3", with_unit=squad.id)
    tank = add(cg, "axis", "PzIVH", "afv", "F3", **KNOWN)
    add(cg, "axis", "8-1", "armor-leader", "F3", with_unit=tank.id, **KNOWN)
    crew = add(cg, "axis", "2-2-8", "crew", "H2", Mark.HIP)
    add(cg, "axis", "75L AT PaK 40", "gun", "H2", Mark.HIP, Mark.EMPLACED, with_unit=crew.id)
    squad = add(cg, "axis", "4-6-7", "squad", area="G1", group="K-I1/1")
    add(cg, "axis", "LMG", "sw", with_unit=squad.id, area="G1", group="K-I1/1")
    squad = add(cg, "allied", "6-4-8", "squad", "B4", **KNOWN)
    add(cg, "allied", "LMG", "sw", "B4", with_unit=squad.id, **KNOWN)
    add(cg, "allied", "9-1", "leader", "B4", **KNOWN)
    add(cg, "allied", "6-4-8", "squad", "B5", Mark.CONCEALED)
    add(cg, "allied", "3-3-8", "half-squad", "D2", **KNOWN)
    add(cg, "allied", "3-3-8", "half-squad", "D2", **KNOWN)
    add(cg, "allied", "Stuart III(a)", "afv", "D4", **KNOWN)
    facts = [
        FortJoined(fort=Fort(id="AXF1", side="axis", kind="wire", at="G2")),
        FortJoined(fort=Fort(id="ALF1", side="allied", kind="foxhole", at="C4", hidden=False)),
        *(GroupJoined(group=module(side)) for side in ("axis", "allied")),
        ControlChanged(side="allied", locations=("B4", "B5", "D2")),
        ControlChanged(side="axis", locations=("H3",)),
        PlayEnded(turn=6),
    ]
    for fact in facts:
        cg.state = fact.apply(cg.state)
    return cg


def module(side: str) -> Group:
    equipment = {"axis": "phone", "allied": "radio"}[side]
    area = {"axis": "NE", "allied": "W"}[side]
    return Group(
        id="O1/1",
        side=side,
        rg="O1",
        kind="O",
        name="Battery",
        date=1,
        cost=4,
        arrival=GroupArrival.ON_MAP,
        area=area,
        black=8,
        red=2,
        equipment=equipment,
        given=True,
    )
