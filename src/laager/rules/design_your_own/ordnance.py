"""Ordnance: Guns within the rarity of one Availability DR (H1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from laager.campaign import implements
from laager.rules.design_your_own.availability import Rarity, rf_breach
from laager.rules.design_your_own.counters import counter_breach
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning, Unknown, total


@dataclass(frozen=True)
class Wanted:
    """So many Guns or vehicles of a type, or one that is looked at; None is not known (BPV, "#").

    An `rf` of None means that there is none at the date; `held` are those in use on both sides.
    """

    name: str
    bpv: int | None
    rf: Rarity | None
    number: int = 1
    counters: int | None = None
    held: int = 0


@implements("DYO H1.3", "DYO H1.11")
def wanted_breaches(
    wanted: Sequence[Wanted], limit: Decimal | None, *, extra_pieces: bool = False, rule: str = "DYO H1.3"
) -> tuple[Breach, ...]:
    """Return what is wrong with Guns or vehicles; a `limit` of None means that no DR was made."""
    found: list[Breach] = []
    if wanted and limit is None:
        what = "nothing can be bought before an Availability DR"
        found.append(Breach(Reason.RARITY, rule, what, "make the DR first"))
    for one in wanted:
        if limit is not None:
            found += [breach for breach in (rf_breach(one.name, one.rf, limit),) if breach]
        if one.bpv is None:
            found.append(Unknown(f"the BPV of {one.name}", rule).breach())
        counted = counter_breach(one.name, one.held, one.number, one.counters, extra_pieces=extra_pieces)
        if isinstance(counted, Breach):
            found.append(counted)
    return tuple(found)


@implements("DYO H1.3", "DYO H1.4")
def wanted_cost(wanted: Sequence[Wanted], rule: str = "DYO H1.3") -> Reckoning | Unknown:
    """Return the BPV of Guns or vehicles, crews included; Unknown if one has no BPV."""
    for one in wanted:
        if one.bpv is None:
            return Unknown(f"the BPV of {one.name}", rule)
    priced = ((one.bpv or 0, one) for one in wanted)
    return total(((bpv * one.number, f"{one.number} x {one.name}") for bpv, one in priced), rule)
