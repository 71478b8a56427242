"""An order of battle as the part of a Platoon Leader card: what a side has from the start."""

from __future__ import annotations

from laager.catalogue import load_packaged
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.force import CardPart, force_of
from laager.rules.design_your_own.steps.announcing import side_elr


def platoon_leader(cg: Cg, side: str) -> CardPart:
    """Return nation, ELR, SAN and `ob:` of a side of a `pl-card/1`.

    Raises RefusedError for a nation that the catalogue of cards does not have.
    """
    ob = cg.ob(side)
    nation = load_packaged(ob.nation)[ob.nation]
    force = force_of(ob, nation)
    data = {"nation": ob.nation, "elr": side_elr(cg, side), "san": ob.san, "ob": {"units": force.lines}}
    return CardPart(side, data, force.notes)
