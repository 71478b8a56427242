"""Walking Wounded: what comes back of the British MMC lost in play (CG19)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue import Nation
from laager.rules.board.hasl.context import Hasl

WW_SQUAD = "4-4-7"
"""What comes back."""

HALF = Fraction(1, 2)


@implements("ABtF CG19", "ABtF CG19 EX")
def squad_equivalents(box: Mapping[str, int], nation: Nation, crews: bool = True) -> Fraction:
    """Return what the MMC in a box are worth: a squad 1, a HS or (if `crews`) a crew one half."""
    worth = {"squad": Fraction(1), "half-squad": HALF, "crew": HALF if crews else Fraction(0)}
    return sum((worth[nation.unit(type_).kind.value] * count for type_, count in box.items()), Fraction(0))


@implements("ABtF CG19b", "ABtF 9.6102")
def returning(cg: Hasl, box: Mapping[str, int], side: str) -> int:
    """Return how many Walking Wounded squads come out of the box; fractions are dropped.

    None come while the side has no Friendly Setup Area to put them in.
    """
    if not any(cg.state.areas_of(side)):
        return 0
    crews = cg.reading("crews-in-ww-box") == "half-squad"
    return int(squad_equivalents(box, cg.nation(side), crews))
