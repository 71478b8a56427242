"""ELR, SAN, and the end of a firefight, Idle or not (PL 3.47, 3.5, 2.41)."""

from __future__ import annotations

from laager.campaign import Procedure, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.changes import change_marks
from laager.rules.board.facts import ElrChanged, GroupChanged, SanChanged
from laager.rules.board.markers import MarkEnd, marks_ended_by
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightCompleted, PatrolsChanged, RoundBegun
from laager.rules.platoon_leader.firefight.victory import is_last
from laager.rules.platoon_leader.reorganization.consequences import final_decision
from laager.rules.platoon_leader.state import Round


@implements("PL 3.47 DRM")
def elr_modifiers(cg: Cg, side: str) -> list[Modifier]:
    """Return the DRM of a side's ELR change."""
    table = cg.table("elr-change")
    fight, own = cg.state.fight, cg.state.side(side)
    modifiers = [
        table.modifier("elite-platoons", times=own.platoons.get("elite", 0)),
        table.modifier("first-line-platoons", times=own.platoons.get("first-line", 0)),
        table.modifier("no-idle", times=_without_idle(cg)),
        table.modifier("historical", value=cg.side(side).historical.elr),
    ]
    if fight.winner == side:
        modifiers.append(table.modifier("won"))
    if fight.attacked.get(side):
        modifiers.append(table.modifier("attacked"))
    return modifiers


def _without_idle(cg: Cg) -> int:
    """Count the firefights played since the start or the last Idle one, this one included."""
    had_idle = any(fight.type is not None and fight.type.value.startswith("Idle") for fight in cg.state.past)
    if cg.reading("idle-resets") == "abolishes" and had_idle:
        return 0
    return cg.state.since_idle + 1


@implements("PL 3.47")
def new_elr(cg: Cg, elr: int, change: int) -> int:
    """Return an ELR after a change of the table: at most 4 by a gain, at least 0 (by the charts).

    One that began at 5 keeps it until a loss.
    """
    if change > 0:
        return elr if elr >= cg.charts.limit("elr-gain") else elr + change
    return max(cg.charts.limit("elr-lowest"), elr + change)


@step("PL 3.47", "ELR loss or gain", each_side=True)
def elr_change(cg: Cg, side: str) -> Procedure[None]:
    """An open DR for each side."""
    table = cg.table("elr-change")
    rolled = yield from roll(side, "ELR change", Dice.DR, elr_modifiers(cg, side), table=table.id)
    elr = cg.state.side(side).elr
    change = table.result(rolled.final, cg.reading("elr-ends"))
    assert isinstance(change, int)
    by = new_elr(cg, elr, change) - elr
    if by:
        yield ElrChanged(side=side, by=by, why=f"Final DR {rolled.final}: ELR {elr} to {elr + by}")


@implements("PL 3.51")
def adjusted_san(cg: Cg, san: int) -> int:
    """Return a SAN brought between 2 and 4."""
    return min(cg.charts.limit("san-highest"), max(cg.charts.limit("san-lowest"), san))


@step("PL 3.51", "SAN adjustment", each_side=True, also=("PL 3.5",))
def san_adjustment(cg: Cg, side: str) -> Procedure[None]:
    """Bring each side's SAN between 2 and 4, before anything is bought."""
    san = cg.state.side(side).san
    by = adjusted_san(cg, san) - san
    if by:
        yield SanChanged(side=side, by=by, why=f"SAN {san} becomes {san + by}")


@implements("PL 3.44")
def ended_markers(cg: Cg) -> frozenset[Mark]:
    """Return the markers that end with the RePh; by a reading those who were hardened are still known at 2.5."""
    lasting = {Mark.HARDENED} if cg.reading("harden-once") == "with-redeployment" else set[Mark]()
    return marks_ended_by(MarkEnd.PHASE) - lasting


@step("PL 3.5 return", "End of the Reorganization Phase", also=("PL 1.4 CG Firefight End", "PL 1.4 CG Firefight"))
def closing_reorganization(cg: Cg) -> Procedure[None]:
    """Complete the firefight and go to 2.1 of the next one."""
    for unit in list(cg.state.units.values()):
        yield from change_marks(unit, remove=ended_markers(cg), why="the RePh is over")
    number = cg.state.fight.number
    yield FirefightCompleted(why=f"firefight {number} and its RePh are over")
    yield RoundBegun(round=Round.NEW, firefight=number + 1)


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
