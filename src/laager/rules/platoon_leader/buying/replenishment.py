"""CP replenishment, the first step of every firefight but the Initial one (PL 2.1 to 2.12)."""

from __future__ import annotations

from laager.campaign import Procedure, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.card.parts import other_side
from laager.rules.platoon_leader.buying.groups import given_groups_join
from laager.rules.platoon_leader.card.card import Intensity
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged


@step("PL 2.1", "CP replenishment", each_side=True, also=("PL 2.12", "PL 1.4 Campaign Points"))
def cp_replenishment(cg: Cg, side: str) -> Procedure[None]:
    """Each side gets CP in secret, by the card or by DR, and the groups that its OB gives for this firefight."""
    yield from replenish(cg, side)
    yield from given_groups_join(cg, side)


def replenish(cg: Cg, side: str) -> Procedure[None]:
    """A side gets CP: by the card where it provides them, else by DR."""
    provided = cg.slot.cp.get(side)  # type: ignore[call-overload]
    if provided is not None:
        why = "provided by the card for this firefight"
        yield CpChanged(side=side, by=provided, why=f"{why}: {provided} CP", to=(side,))
        return
    table = cg.table("cp-replenishment")
    column = intensity(cg, side)
    rolled = yield from roll(side, "CP replenishment", Dice.DR, cp_modifiers(cg, side), secret=True, table=table.id)
    gained = table.result(rolled.final, column.value)
    assert isinstance(gained, int)
    why = f"{rolled}, {column} intensity: {gained} CP"
    yield CpChanged(side=side, by=gained, why=why, to=(side,))


@implements("PL 2.11")
def intensity(cg: Cg, side: str) -> Intensity:
    """Return a side's intensity: the card's, or the higher one that the players agreed on."""
    printed = cg.card.intensity_of(side)
    levels = list(Intensity)
    agreed = cg.state.agreed.get("intensity")
    if agreed not in levels:
        return printed
    return max(printed, Intensity(agreed), key=levels.index)


@implements("PL 2.12")
def cp_modifiers(cg: Cg, side: str) -> tuple[Modifier, ...]:
    """Return the DRM of a side's CP replenishment.

    The previous firefight is the one just filed, an Idle one included; its CVP hold the losses of
    its Reorganization Phase, whole tens of them counting.
    """
    table = cg.table("cp-replenishment")
    before = cg.state.past[-1]
    suffered = before.cvp.get(other_side(side), 0)
    return (
        table.modifier("card", value=cg.side(side).drm.cp),
        table.modifier("attacked", times=int(before.attacked.get(side, False))),
        table.modifier("cvp-suffered", times=max(0, suffered) // 10),
    )
