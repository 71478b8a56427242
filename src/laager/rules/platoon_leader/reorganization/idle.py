"""The Idle Firefight: nobody attacks, and only a short list of steps is done (PL 2.41)."""

from __future__ import annotations

from laager.campaign import Procedure, step
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightCompleted, GroupChanged, PatrolsChanged, RoundBegun
from laager.rules.platoon_leader.firefight.victory import is_last
from laager.rules.platoon_leader.reorganization.consequences import final_decision
from laager.rules.platoon_leader.state import Round


@step("PL 2.41 Idle Firefight", "Idle Firefight", also=("PL 1.4 Idle Firefight", "PL CG7"), each_side=True)
def idle_firefight(cg: Cg, side: str) -> Procedure[None]:
    """Patrols and Air Support bought for it are lost; groups bought for it may set up next time."""
    patrols = cg.state.side(side).patrols
    if patrols:
        yield PatrolsChanged(side=side, by=-patrols, to=(side,), why="no Patrol in an Idle Firefight")
    for group in list(cg.state.groups_of(side)):
        line = cg.side(side).group(group.rg)
        if group.firefight != cg.state.fight.number or line is None or group.lost:
            continue
        if line.kind is RgKind.AIR:
            changes: dict[str, object] = {"lost": "the firefight was Idle"}
        else:
            changes = {"may_set_up": True}
        why = "lost in an Idle Firefight" if "lost" in changes else "may set up on map next time"
        yield GroupChanged(side=side, group=group.id, changes=changes, to=(side,), why=why)


@step("PL 2.41 Idle Firefight", "End of the Idle Firefight", also=("PL 3.47 DRM", "PL 1.4 CG End"))
def closing_idle(cg: Cg) -> Procedure[None]:
    """Begin the count of firefights without an Idle one anew, and go to 2.1 of the next slot."""
    yield FirefightCompleted(idle=True, why="an Idle Firefight resets the count of PL 3.47")
    if is_last(cg):
        yield from final_decision(cg)
        return
    yield RoundBegun(round=Round.NEW, firefight=cg.state.fight.number + 1)
