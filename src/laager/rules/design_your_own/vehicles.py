"""Vehicles: the motorized unit, and armament that is optional (H1.4, H1.41, H1.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.campaign import implements
from laager.rules.design_your_own.availability import Rarity, availability, rf_breach
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.reckoning import Breach, Reckoning, Unknown, reading, total


@implements("DYO H1.4")
def motorized_cost(
    allotment: int, remaining: int | None = None, *, chosen: Mapping[str, str] | None = None
) -> Reckoning:
    """Return what a motorized unit costs: a tenth (FRU), to be paid before the Availability DR.

    `remaining` are the points left then, for those who take the tenth of them.
    """
    chart = charts().motorized
    basis, what = allotment, "points of the allotment"
    if remaining is not None and reading("motorized-basis", chosen or {}) == "remaining":
        basis, what = remaining, "points left"
    found = Reckoning.of(basis, what, chart.rule).times(chart.percent, "per cent", chart.rule)
    return found.over(100, "", chart.rule).fru(chart.rule)


# Optional armament ------------------------------------------------------------------------------


@dataclass(frozen=True)
class OptionalWeapon:
    """A weapon that a vehicle can have.

    `fp` is its normal IFT FP, `bpv` a price of its own where it has no FP, `rf` that of the date:
    None before the first date. `vehicles_with_it` is on how many of the game's counters it is;
    `on_counter` false: it is on none and never comes by itself (the Sherman's FT).
    """

    name: str
    rf: Rarity | None
    fp: int | None = None
    bpv: int | None = None
    vehicles_with_it: int | None = None
    on_counter: bool = True

    @property
    def current(self) -> bool:
        """Whether there is such a weapon yet."""
        return self.rf is not None


@implements("DYO H1.41")
def weapon_cost(weapon: OptionalWeapon) -> int | Unknown:
    """Return the BPV of an optional weapon: its normal IFT FP, unless it has a price of its own."""
    cost = weapon.fp if weapon.bpv is None else weapon.bpv
    return Unknown(f"the BPV of the optional {weapon.name}", "DYO H1.41") if cost is None else cost


@dataclass(frozen=True)
class ArmamentOffer:
    """What one DR makes of a vehicle's optional weapons: those to be had, and why not the rest."""

    available: tuple[OptionalWeapon, ...]
    refused: tuple[Breach, ...]

    @property
    def cost(self) -> Reckoning | Unknown:
        """The BPV of all that are to be had; each may be declined."""
        return _cost([(weapon, 1) for weapon in self.available])


def _cost(weapons: Sequence[tuple[OptionalWeapon, int]]) -> Reckoning | Unknown:
    priced = [(weapon_cost(weapon), number, weapon.name) for weapon, number in weapons]
    for cost, _, _ in priced:
        if isinstance(cost, Unknown):
            return cost
    known = ((cost * number, name) for cost, number, name in priced if isinstance(cost, int))
    return total(known, "DYO H1.41")


@implements("DYO H1.41")
def armament(final_dr: int, weapons: Sequence[OptionalWeapon]) -> ArmamentOffer:
    """Return what one Availability DR gives a vehicle: it is compared with each weapon's RF.

    A motorized unit's better RF is for vehicles, not for their armament.
    """
    limit = availability(final_dr).rf
    judged = [(weapon, rf_breach(weapon.name, weapon.rf, limit)) for weapon in weapons]
    return ArmamentOffer(
        tuple(weapon for weapon, breach in judged if breach is None),
        tuple(breach for _, breach in judged if breach is not None),
    )


@dataclass(frozen=True)
class FullSet:
    """What comes by itself with all vehicles of a type: (weapon, on how many of them).

    `disabled` are weapons of the counters that are not there yet: free, and marked as Disabled.
    """

    weapons: tuple[tuple[OptionalWeapon, int | None], ...]
    disabled: tuple[str, ...]

    @property
    def cost(self) -> Reckoning | Unknown:
        """The BPV that must be paid for them; none can be refused."""
        for weapon, number in self.weapons:
            if number is None:
                return Unknown(f"how many counters show the optional {weapon.name}", "DYO H1.12")
        return _cost([(weapon, number or 0) for weapon, number in self.weapons])


@implements("DYO H1.12")
def full_set(bought: int, game_total: int | None, weapons: Sequence[OptionalWeapon]) -> FullSet | None:
    """Return the armament that comes without a DR; None unless all of the type are bought.

    All are the game's number or a whole multiple of it; whatever was bought in between counts.
    """
    if not game_total or bought < 1 or bought % game_total:
        return None
    games = bought // game_total
    shown = [weapon for weapon in weapons if weapon.on_counter]
    return FullSet(
        tuple(
            (weapon, None if weapon.vehicles_with_it is None else weapon.vehicles_with_it * games)
            for weapon in shown
            if weapon.current
        ),
        tuple(weapon.name for weapon in shown if not weapon.current),
    )
