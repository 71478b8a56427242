"""What needs no Availability DR: wagons, horses, motorcycles, bicycles, tows (H1.44, H1.45).

The clauses are cut off: prices come from the catalogue or are asked, conditions are asked.
"""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.design_your_own.reckoning import Breach, Reason, Unknown

RULES = {
    "wagon": "DYO H1.44",
    "horse": "DYO H1.44",
    "sledge": "DYO H1.44",
    "motorcycle": "DYO H1.45",
    "bicycle": "DYO H1.45",
}
"""The sorts that need no Availability DR, and the clause of each."""


@implements("DYO H1.44", "DYO H1.45")
def needs_availability(sort: str, *, listed_rf: bool = False) -> bool:
    """Whether a sort of transport needs an Availability DR: only if the catalogue gives an RF.

    Motorcycles and bicycles need none in any case.
    """
    rule = RULES.get(sort)
    return rule is None or (rule == "DYO H1.44" and listed_rf)


@implements("DYO H1.44", "DYO H1.45")
def transport_price(name: str, sort: str, bpv: int | None) -> int | Unknown:
    """Return the BPV of a wagon, motorcycle and the like; the rules at hand have lost them all."""
    return Unknown(f"the BPV of {name}", RULES[sort]) if bpv is None else bpv


@implements("DYO H1.441")
def tow_exception(gun: str, *, can_be_dm: bool, rf_allows: bool, agreed: bool | None = None) -> Breach | Unknown | None:
    """Say whether a vehicle too rare for the DR may still be bought to tow a Gun.

    `agreed` is what the players find in their rulebook; its conditions are lost here. None: legal.
    """
    if rf_allows:
        return None
    if can_be_dm:
        what = f"a tow for {gun} beyond the Availability DR"
        return Breach(Reason.RARITY, "DYO H1.441", what, "it can be dismantled and needs none")
    if agreed is None:
        what = f"whether a motorized tow for {gun} can be bought in spite of its RF"
        return Unknown(what, "DYO H1.441")
    if agreed:
        return None
    what = f"a tow for {gun} beyond the Availability DR"
    return Breach(Reason.RARITY, "DYO H1.441", what, "a vehicle within the RF")
