"""Setup by this module's own rules: Reserves, and Guns that set up again (CG5c, CG7a, CG11, 1.520 Note c)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.catalogue import GunType
from laager.rules.board.setup.hiding import HIDDEN, NONE
from laager.rules.board.units import Mark, Unit
from laager.rules.edsons_ridge import reserves
from laager.rules.edsons_ridge.reserves import carriers, reserve_groups

if TYPE_CHECKING:
    from laager.rules.board.setup.plan import Placed
    from laager.rules.edsons_ridge.context import Er

RADIUS = 3
"""How far from where it ended a Gun sets up."""


@implements("ER CG7a", "ER 1.520 Note c")
def problems(cg: Er, side: str, plan: Mapping[str, Placed]) -> Iterator[Problem]:
    """Yield what Reserve Status has against a setup: distance, HIP, Infantry without a MMC."""
    for one in plan.values():
        if not one.at or not cg.reserve(one.unit):
            continue
        if one.hide == HIDDEN:
            what = f"{one.unit.label} is in Reserve and cannot use HIP"
            yield Problem(what, "it sets up Cloaked (ER CG7a)", one.unit.id)
        if not one.holder:
            yield from (found.inside(one.unit.id) for found in reserves.place_problems(cg, side, one.at))
    yield from _without_counter(cg, side, plan)


@implements("ER CG7a")
def _without_counter(cg: Er, side: str, plan: Mapping[str, Placed]) -> Iterator[Problem]:
    """Yield Reserve Infantry that no counter stands for: each is that of a MMC or a vehicle."""
    for group in reserve_groups(cg, side):
        named = {unit.id for unit in carriers(cg, group)}
        covered = {one.at for name, one in plan.items() if name in named and one.at}
        for one in plan.values():
            alone = one.unit.group == group.id and one.at and not one.holder
            if alone and one.at not in covered and one.hide != NONE:
                what = f"no Reserve counter stands for {one.unit.label} in {one.at}"
                yield Problem(what, f"set it up with a MMC of {group.id}", one.unit.id)


@implements("ER CG11")
def gun_free(cg: Er, gun: Unit) -> bool:
    """True if a Gun can set up anywhere: a mortar, one that Escaped, or after an Idle Date."""
    return cg.state.idle_since or gun.has(Mark.ESCAPED) or _mortar(cg, gun)


def _mortar(cg: Er, gun: Unit) -> bool:
    """True if a Gun is a mortar."""
    type_ = cg.nation_of(gun).unit(gun.type)
    return isinstance(type_, GunType) and "MTR" in type_.type.upper().split()
