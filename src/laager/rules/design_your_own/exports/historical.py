"""An order of battle as the part of a HASL card: what a side is Given at the start."""

from __future__ import annotations

from laager.catalogue import load_packaged
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.force import CardPart, force_of
from laager.rules.design_your_own.steps.announcing import side_elr


def historical(cg: Cg, side: str) -> CardPart:
    """Return nation, ELR, SAN and `ob:` of a side of a `hasl-card/1`; its note tells the rest.

    Raises RefusedError for a nation that the catalogue of cards does not have.
    """
    ob = cg.ob(side)
    nation = load_packaged(ob.nation)[ob.nation]
    force = force_of(ob, nation)
    given = {"units": force.lines, "note": ". ".join(force.notes)}
    data = {
        "nation": ob.nation,
        "elr": side_elr(cg, side),
        "san": ob.san,
        "ob": {name: value for name, value in given.items() if value},
    }
    return CardPart(side, data, force.notes)
