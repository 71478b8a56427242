"""ELR loss or gain (PL 3.47)."""

from __future__ import annotations

from laager.campaign import Procedure, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.facts import ElrChanged
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg


@implements("PL 3.47 DRM")
def elr_modifiers(cg: Cg, side: str) -> list[Modifier]:
    """Return the DRM of a side's ELR change."""
    table = cg.table("elr-change")
    fight, own = cg.state.fight, cg.state.side(side)
    found = [
        table.modifier("elite-platoons", times=own.platoons.get("elite", 0)),
        table.modifier("first-line-platoons", times=own.platoons.get("first-line", 0)),
        table.modifier("no-idle", times=_without_idle(cg)),
        table.modifier("historical", value=cg.side(side).historical.elr),
    ]
    if fight.winner == side:
        found.append(table.modifier("won"))
    if fight.attacked.get(side):
        found.append(table.modifier("attacked"))
    return found


def _without_idle(cg: Cg) -> int:
    """Count the firefights played since the start or the last Idle one, this one included."""
    had_idle = any(fight.type is not None and fight.type.value.startswith("Idle") for fight in cg.state.past)
    if cg.reading("idle-resets") == "abolishes" and had_idle:
        return 0
    return cg.state.since_idle + 1


@implements("PL 3.47")
def new_elr(elr: int, change: int) -> int:
    """Return an ELR after a change of the table: at most 4 by a gain, at least 0.

    One that began at 5 keeps it until a loss.
    """
    if change > 0:
        return elr if elr >= charts().limit("elr-gain") else elr + change
    return max(charts().limit("elr-lowest"), elr + change)


@step("PL 3.47", "ELR loss or gain", each_side=True)
def elr_change(cg: Cg, side: str) -> Procedure[None]:
    """An open DR for each side."""
    table = cg.table("elr-change")
    rolled = yield from roll(side, "ELR change", Dice.DR, elr_modifiers(cg, side))
    elr = cg.state.side(side).elr
    change = table.result(rolled.final, cg.reading("elr-ends"))
    assert isinstance(change, int)
    by = new_elr(elr, change) - elr
    if by:
        yield ElrChanged(side=side, by=by, why=f"Final DR {rolled.final}: ELR {elr} to {elr + by}")
