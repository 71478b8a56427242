"""Vehicles: the motorized unit, optional armament, full sets, OP tanks (H1.4, H1.41, H1.12, H1.46)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.campaign import implements
from laager.catalogue.dyo import Armament, DyoNation, Month, Unknown
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, reading, total
from laager.rules.design_your_own.charts import OpTank, charts
from laager.rules.design_your_own.lines.pieces import Rarity, availability, plain, rf_breach
from laager.rules.design_your_own.nations import Group, in_theatre
from laager.rules.design_your_own.ob import Arm, VehicleEntry


@implements("DYO H1.4")
def motorized_cost(
    allotment: int, remaining: int | None = None, *, chosen: Mapping[str, str] | None = None
) -> Calculation:
    """Return what a motorized unit costs: a tenth (FRU), to be paid before the Availability DR.

    `remaining` are the points left then, for those who take the tenth of them.
    """
    chart = charts().motorized
    basis, what = allotment, "points of the allotment"
    if remaining is not None and reading("motorized-basis", chosen or {}) == "remaining":
        basis, what = remaining, "points left"
    found = Calculation.of(basis, what, chart.rule).times(chart.percent, "per cent", chart.rule)
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


def weapons_of(arms: tuple[Armament, ...], month: Month) -> tuple[OptionalWeapon, ...]:
    """Return the optional weapons of a vehicle as the rules judge them; unknown ones are barred.

    An RF that nobody has entered counts as one that cannot be had.
    """
    found = []
    for arm in arms:
        rf = arm.rf.at(month)
        found.append(
            OptionalWeapon(
                name=arm.type,
                rf=None if isinstance(rf, Unknown) else rf,
                fp=plain(arm.fp),
                bpv=plain(arm.bpv),
                vehicles_with_it=plain(arm.counters),
                on_counter=arm.on_counter,
            )
        )
    return tuple(found)


@implements("DYO H1.41")
def weapon_cost(weapon: OptionalWeapon) -> int | Missing:
    """Return the BPV of an optional weapon: its normal IFT FP, unless it has a price of its own."""
    cost = weapon.fp if weapon.bpv is None else weapon.bpv
    return Missing(f"the BPV of the optional {weapon.name}", "DYO H1.41") if cost is None else cost


@dataclass(frozen=True)
class ArmamentOffer:
    """What one DR makes of a vehicle's optional weapons: those to be had, and why not the rest."""

    available: tuple[OptionalWeapon, ...]
    refused: tuple[Breach, ...]

    @property
    def cost(self) -> Calculation | Missing:
        """The BPV of all that are to be had; each may be declined."""
        return _cost([(weapon, 1) for weapon in self.available])


def _cost(weapons: Sequence[tuple[OptionalWeapon, int]]) -> Calculation | Missing:
    priced = [(weapon_cost(weapon), number, weapon.name) for weapon, number in weapons]
    for cost, _, _ in priced:
        if isinstance(cost, Missing):
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
    def cost(self) -> Calculation | Missing:
        """The BPV that must be paid for them; none can be refused."""
        for weapon, number in self.weapons:
            if number is None:
                return Missing(f"how many counters show the optional {weapon.name}", "DYO H1.12")
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


@dataclass(frozen=True)
class SetArmament:
    """What a vehicle of a full set carries without a DR, and which weapons are Disabled on it."""

    arms: tuple[Arm, ...]
    disabled: tuple[str, ...]


@implements("DYO H1.12")
def full_sets(nation: DyoNation, month: Month, entries: Sequence[VehicleEntry]) -> Mapping[str, SetArmament]:
    """Return what every vehicle of a full set carries, by its key; others are left out.

    A weapon that only some counters show goes to the first vehicles of its type. One whose number
    or price nobody has entered is left out, as are OP tanks and what needed no DR.
    """
    found: dict[str, SetArmament] = {}
    counted = [entry for entry in entries if not entry.op and not entry.without_dr]
    for type_ in dict.fromkeys(entry.type for entry in counted):
        alike = [entry for entry in counted if entry.type == type_]
        weapons = weapons_of(nation.armament(type_), month)
        whole = full_set(len(alike), plain(nation.vehicle(type_).counters), weapons)
        if whole is None or not weapons:
            continue
        for place, entry in enumerate(alike):
            arms = tuple(
                Arm(name=weapon.name, cost=cost)
                for weapon, number in whole.weapons
                if isinstance(cost := weapon_cost(weapon), int) and place < (number or 0)
            )
            found[entry.key] = SetArmament(arms, whole.disabled)
    return found


def full_set_cost(nation: DyoNation, month: Month, entries: Sequence[VehicleEntry]) -> int:
    """Return the points that the armament of full sets costs; it can't be refused."""
    sets = full_sets(nation, month, entries)
    return sum(arm.cost for carried in sets.values() for arm in carried.arms)


MOTORIZED = "DYO H1.46"


@implements("DYO H1.462", "DYO H1.463", "DYO H1.464", "DYO H1.4641", "DYO H1.465")
def op_tanks(group: Group) -> tuple[OpTank, ...]:
    """Return the OP tanks of a nation; what is None of them is lost and must be supplied."""
    return tuple(tank for tank in charts().op_tanks.rows if group in tank.groups)


def op_tank(id_: str) -> OpTank | None:
    """Return an OP tank of the charts, None if it is one of the owner's."""
    return next((tank for tank in charts().op_tanks.rows if tank.id == id_), None)


@implements("DYO H1.462", "DYO H1.464")
def op_tank_gaps(tank: OpTank) -> tuple[Missing, ...]:
    """Return what must be supplied before an OP tank can be used."""
    found = []
    if tank.bpv is None:
        found.append(Missing(f"the BPV of the {tank.name}", tank.rule))
    if tank.counter is None:
        found.append(Missing(f"the counter of the {tank.name}", tank.rule))
    if tank.oba is None:
        what = f"which batteries the {tank.name} observes for"
        found.append(Missing(what, tank.rule, "any of its side"))
    return tuple(found)


@implements("DYO H1.46", "DYO H1.463", "DYO H1.4641", "DYO H1.465")
def op_tank_breaches(
    tank: OpTank,
    *,
    group: Group,
    year: int,
    motorized: bool,
    battery: str | None,
    served: bool = False,
    theatre: str = "",
) -> tuple[Breach, ...]:
    """Return why an OP tank cannot be had.

    `battery` is the size and type of the battery bought for it (`80+M`), None for none; `served`
    says that the battery has an OP tank already. A lost list of batteries allows all.
    """
    found = []
    if group not in tank.groups:
        owners = " or ".join(each.words for each in tank.groups)
        found.append(Breach(Reason.NATION, tank.rule, f"{tank.name} for {group.words}", owners))
    if not motorized:
        what = f"{tank.name} without a motorized unit"
        found.append(Breach(Reason.MOTORIZED, MOTORIZED, what, "pay the tenth before vehicles"))
    if battery is None:
        what = f"{tank.name} without a battery"
        found.append(Breach(Reason.BATTERY, MOTORIZED, what, "buy the OBA first"))
    elif tank.oba is not None and battery not in tank.oba:
        what = f"{tank.name} for a {battery} battery"
        found.append(Breach(Reason.BATTERY, tank.rule, what, f"{' or '.join(tank.oba)} only"))
    if served:
        what = "the battery has an OP tank"
        found.append(Breach(Reason.BATTERY, MOTORIZED, what, "one for each battery"))
    if (tank.from_ is not None and year < tank.from_) or (tank.to is not None and year > tank.to):
        what = f"{tank.name} in {year}"
        found.append(Breach(Reason.DATE, tank.rule, what, f"{tank.from_} to {tank.to}"))
    if tank.theatre and theatre and not in_theatre(theatre, tank.theatre):
        what = f"{tank.name} in {theatre}"
        found.append(Breach(Reason.DATE, tank.rule, what, f"it served in {tank.theatre}"))
    return tuple(found)


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
def transport_price(name: str, sort: str, bpv: int | None) -> int | Missing:
    """Return the BPV of a wagon, motorcycle and the like; the rules at hand have lost them all."""
    return Missing(f"the BPV of {name}", RULES[sort]) if bpv is None else bpv


@implements("DYO H1.441")
def tow_exception(gun: str, *, can_be_dm: bool, rf_allows: bool, agreed: bool | None = None) -> Breach | Missing | None:
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
        return Missing(what, "DYO H1.441")
    if agreed:
        return None
    what = f"a tow for {gun} beyond the Availability DR"
    return Breach(Reason.RARITY, "DYO H1.441", what, "a vehicle within the RF")
