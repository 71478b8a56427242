"""What units can enter on their way: never river, never a terrain Blaze (GEO-7)."""

from __future__ import annotations

from collections.abc import Iterable

from laager.campaign.clauses import implements
from laager.hexmap.enterable import Terms
from laager.rules.common.card import other
from laager.rules.historical.context import Hasl


@implements("ABtF 9.2 Enterable", "ABtF GEO-7")
def terms(cg: Hasl, side: str, barred: Iterable[str] = ()) -> Terms:
    """Return what is shut to a side's units on a way that avoids the enemy's Setup Areas.

    River hexes are shut by the map itself. `barred` are hexes that this kind of unit can't enter,
    as the players say: what the map leaves in doubt is for them.
    """
    blazes = (name.partition(".")[0] for name in cg.state.ground.blazes)
    shut = {*cg.state.friendly(other(side)), *blazes, *barred}
    return Terms(barred=frozenset(map(cg.map.main, shut)))
