"""Vehicles: the motorized unit, optional armament, full sets, OP tanks (H1.4, H1.41, H1.12, H1.46)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from laager.campaign import implements
from laager.catalogue.dyo import Armament, DyoNation, Month, Unknown
from laager.catalogue.dyo import OpTank as EnteredTank
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason
from laager.rules.design_your_own.charts import OpTankRow
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.nations import Group, in_theatre
from laager.rules.design_your_own.ob import ORDNANCE, Arm, BatteryEntry, VehicleEntry
from laager.rules.design_your_own.rulebook import Rulebook


@implements("DYO H1.4")
def motorized_cost(rulebook: Rulebook, allotment: int, remaining: int | None = None) -> Calculation:
    """Return what a motorized unit costs: a tenth (FRU), to be paid before the Availability DR (H1.4).

    `remaining` are the points left then, for those who take the tenth of them.
    """
    chart = rulebook.charts.motorized
    basis, basis_words = allotment, "points of the allotment"
    if remaining is not None and rulebook.reading("motorized-basis") == "remaining":
        basis, basis_words = remaining, "points left"
    tenth = Calculation.of(basis, basis_words, chart.rule).times(chart.percent, "per cent", chart.rule)
    return tenth.over(100, "", chart.rule).fru(chart.rule)


@implements("DYO H1.4", "DYO H1.29")
def motorized_price(cg: Cg, side: str) -> Calculation:
    """Return what a motorized unit costs a side by what it had left when vehicles are bought (H1.4).

    Before them come the first Infantry, ordnance, and SAN unless it is bought last.
    """
    ob = cg.ob(side)
    left = ob.subtotals[ORDNANCE]
    if cg.reading("san-time") == "last":
        left += ob.san_cost
    return motorized_cost(cg.rulebook, ob.allotment, left)


# Optional armament ------------------------------------------------------------------------------


@dataclass(frozen=True)
class OptionalWeapon:
    """A weapon that a vehicle can have.

    `fp` is its normal IFT FP, `bpv` a price of its own where it has no FP, `rf` that of the date:
    None before the first date. `vehicles_with_it` is on how many of the game's counters it is;
    `on_counter` false: it is on none and never comes by itself (the Sherman's FT).
    """

    name: str
    rf: pieces.Rarity | None
    fp: int | None = None
    bpv: int | None = None
    vehicles_with_it: int | None = None
    on_counter: bool = True

    @property
    def current(self) -> bool:
        """True if the weapon exists at the date."""
        return self.rf is not None


def weapons_of(arms: tuple[Armament, ...], month: Month) -> tuple[OptionalWeapon, ...]:
    """Return the optional weapons of a vehicle as the rules see them; unknown ones can't be had.

    An RF that nobody has entered counts as none.
    """
    return tuple(
        OptionalWeapon(
            name=arm.type,
            rf=None if isinstance(rf := arm.rf.at(month), Unknown) else rf,
            fp=pieces.plain(arm.fp),
            bpv=pieces.plain(arm.bpv),
            vehicles_with_it=pieces.plain(arm.counters),
            on_counter=arm.on_counter,
        )
        for arm in arms
    )


@implements("DYO H1.41")
def weapon_cost(weapon: OptionalWeapon) -> int | Missing:
    """Return the BPV of an optional weapon: its normal IFT FP, unless it has a price of its own (H1.41)."""
    cost = weapon.fp if weapon.bpv is None else weapon.bpv
    return Missing(f"the BPV of the optional {weapon.name}", "DYO H1.41") if cost is None else cost


@implements("DYO H1.41")
def costs_of(weapons: Sequence[OptionalWeapon]) -> dict[str, int]:
    """Return the BPV of optional weapons by name, as far as it is known (H1.41)."""
    return {weapon.name: cost for weapon in weapons if isinstance(cost := weapon_cost(weapon), int)}


@dataclass(frozen=True)
class ArmamentOffer:
    """What one DR makes of a vehicle's optional weapons: those to be had, and why not the rest."""

    available: tuple[OptionalWeapon, ...]
    refused: tuple[Breach, ...]


@implements("DYO H1.41")
def armament(rulebook: Rulebook, final_dr: int, weapons: Sequence[OptionalWeapon]) -> ArmamentOffer:
    """Return what one Availability DR gives a vehicle: it is compared with each weapon's RF (H1.41).

    A motorized unit's better RF is for vehicles, not for their armament.
    """
    limit = pieces.availability(rulebook, final_dr).rf
    checked = [(weapon, pieces.rf_breach(weapon.name, weapon.rf, limit)) for weapon in weapons]
    return ArmamentOffer(
        tuple(weapon for weapon, breach in checked if breach is None),
        tuple(breach for _, breach in checked if breach is not None),
    )


@dataclass(frozen=True)
class FullSet:
    """What comes by itself with all vehicles of a type: (weapon, on how many of them).

    `disabled` are weapons of the counters that are not there yet: free, and marked as Disabled.
    """

    weapons: tuple[tuple[OptionalWeapon, int | None], ...]
    disabled: tuple[str, ...]


@implements("DYO H1.12")
def full_set(bought: int, game_total: int | None, weapons: Sequence[OptionalWeapon]) -> FullSet | None:
    """Return the armament that comes without a DR; None unless all of the type are bought (H1.12).

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
    """Return what every vehicle of a full set carries, by its key; others are left out (H1.12).

    A weapon that only some counters show goes to the first vehicles of its type. One whose number
    or price nobody has entered is left out, as are OP tanks and what needed no DR.
    """
    sets: dict[str, SetArmament] = {}
    counted = [entry for entry in entries if not entry.op and not entry.without_dr]
    for type_ in dict.fromkeys(entry.type for entry in counted):
        alike = [entry for entry in counted if entry.type == type_]
        weapons = weapons_of(nation.armament(type_), month)
        whole = full_set(len(alike), pieces.plain(nation.vehicle(type_).counters), weapons)
        if whole is None or not weapons:
            continue
        for place, entry in enumerate(alike):
            arms = tuple(
                Arm(name=weapon.name, cost=cost)
                for weapon, number in whole.weapons
                if isinstance(cost := weapon_cost(weapon), int) and place < (number or 0)
            )
            sets[entry.key] = SetArmament(arms, whole.disabled)
    return sets


def full_set_cost(nation: DyoNation, month: Month, entries: Sequence[VehicleEntry]) -> int:
    """Return the points that the armament of full sets costs; it can't be refused."""
    sets = full_sets(nation, month, entries)
    return sum(arm.cost for carried in sets.values() for arm in carried.arms)


MOTORIZED = "DYO H1.46"


@implements("DYO H1.462", "DYO H1.463", "DYO H1.464", "DYO H1.4641", "DYO H1.465")
def op_tanks(rulebook: Rulebook, group: Group) -> tuple[OpTankRow, ...]:
    """Return the OP tanks of a nation; what is None of them is lost and must be supplied (H1.462 to H1.465)."""
    return tuple(tank for tank in rulebook.charts.op_tanks.rows if group in tank.groups)


@implements("DYO H1.46", "DYO H1.463", "DYO H1.4641", "DYO H1.465")
def op_tank_breaches(
    tank: OpTankRow,
    *,
    group: Group,
    year: int,
    motorized: bool,
    battery: str | None,
    served: bool = False,
    theatre: str = "",
) -> tuple[Breach, ...]:
    """Return why a side can't have an OP tank (H1.46).

    `battery` is the size and type of the battery bought for it (`80+M`), None for none; `served`
    says that the battery has an OP tank already. A lost list of batteries allows all.
    """
    breaches = []
    if group not in tank.groups:
        owners = " or ".join(each.words for each in tank.groups)
        breaches.append(Breach(Reason.NATION, tank.rule, f"{tank.name} for {group.words}", owners))
    if not motorized:
        message = f"{tank.name} without a motorized unit"
        breaches.append(Breach(Reason.MOTORIZED, MOTORIZED, message, "pay the tenth before vehicles"))
    if battery is None:
        breaches.append(Breach(Reason.BATTERY, MOTORIZED, f"{tank.name} without a battery", "buy the OBA first"))
    elif tank.oba is not None and battery not in tank.oba:
        message = f"{tank.name} for a {battery} battery"
        breaches.append(Breach(Reason.BATTERY, tank.rule, message, f"{' or '.join(tank.oba)} only"))
    if served:
        breaches.append(Breach(Reason.BATTERY, MOTORIZED, "the battery has an OP tank", "one for each battery"))
    if (tank.from_ is not None and year < tank.from_) or (tank.to is not None and year > tank.to):
        breaches.append(Breach(Reason.DATE, tank.rule, f"{tank.name} in {year}", f"{tank.from_} to {tank.to}"))
    if tank.theatre and theatre and not in_theatre(theatre, tank.theatre):
        message = f"{tank.name} in {theatre}"
        breaches.append(Breach(Reason.DATE, tank.rule, message, f"it served in {tank.theatre}"))
    return tuple(breaches)


@implements("DYO H1.46")
def known_op_tanks(cg: Cg, side: str) -> tuple[OpTankRow, ...]:
    """Return the OP tanks of a side's nation: those of its catalogue, else those of the rules (H1.46)."""
    nation, group = cg.nation(side), cg.group(side)
    if nation.knows("op_tanks"):
        return tuple(_row_of_entered(tank, group) for tank in nation.op_tanks(cg.month))
    return op_tanks(cg.rulebook, group)


def _row_of_entered(tank: EnteredTank, group: Group) -> OpTankRow:
    oba = tank.oba if isinstance(tank.oba, tuple) else None
    return OpTankRow(
        id=tank.type,
        name=tank.type,
        counter=tank.counter if isinstance(tank.counter, str) else None,
        groups=(group,),
        bpv=tank.bpv if isinstance(tank.bpv, int) else None,
        oba=oba or None,
        theatre=tank.theatre if isinstance(tank.theatre, str) else "",
        rule="DYO H1.46",
    )


@implements("DYO H1.46")
def op_tank_problems(
    cg: Cg, side: str, tank: OpTankRow, battery: BatteryEntry | None, number: int, *, served: bool
) -> list[Breach]:
    """Return all that the rules have against an OP tank for a battery; `number` are alike in all (H1.46)."""
    breaches = list(
        op_tank_breaches(
            tank,
            group=cg.group(side),
            year=cg.month.year,
            motorized=cg.ob(side).vehicles.motorized is not None,
            battery=battery.text if battery else None,
            served=served,
            theatre=cg.terms.theatre,
        )
    )
    if tank.bpv is None:
        breaches.append(Missing(f"the BPV of {tank.name}", tank.rule).breach())
    type_ = tank.counter or tank.name
    listed = {vehicle.type: vehicle.counters for vehicle in cg.nation(side).vehicles(cg.month)}
    short = pieces.counters_short(cg, type_, number, listed.get(type_))
    return [*breaches, *([short] if short else [])]


# Vehicles of an order of battle -----------------------------------------------------------------


@implements("DYO H1.4", "DYO H1.44", "DYO H1.441", "DYO H1.45")
def vehicle_breaches(
    cg: Cg, side: str, entries: Sequence[VehicleEntry], limit: Decimal | None
) -> Iterator[tuple[int, Breach]]:
    """Yield what the rules have against vehicles, each with the place of the last one concerned.

    The players say if the cut-off clause H1.441 allows tows beyond the DR at all.
    """
    nation = cg.nation(side)
    transport = {item.type: item for item in nation.transport(cg.month)}
    last = {(entry.type, entry.without_dr): i for i, entry in enumerate(entries) if not entry.op}
    keys = [(entry.type, entry.without_dr) for entry in entries if not entry.op]
    for (type_, free), place in last.items():
        if not free:
            number = keys.count((type_, free))
            for breach in pieces.piece_breaches(cg, nation.vehicle(type_), number, limit, "DYO H1.4"):
                yield place, breach
            continue
        piece = transport.get(type_) or nation.vehicle(type_)
        every = sum(name == type_ for name, _ in keys)
        if short := pieces.counters_short(cg, type_, every, piece.counters):
            yield place, short
    tows = [i for i, entry in enumerate(entries) if entry.without_dr and not entry.op and entry.type not in transport]
    for type_ in dict.fromkeys(entries[i].type for i in tows):
        if not nation.vehicle(type_).motorized_tow:
            message = f"{type_} is not a motorized tow vehicle"
            yield tows[-1], Breach(Reason.RARITY, "DYO H1.441", message, "buy it within the RF of the DR")
    guns = towed_guns(cg, side)
    if len(tows) > guns:
        message = f"{len(tows)} tow vehicles for {guns} Guns that can't be dismantled"
        yield tows[-1], Breach(Reason.LIMIT, "DYO H1.441", message, "one for each Gun")


def towed_guns(cg: Cg, side: str) -> int:
    """Return how many Guns a side has that can't be dismantled, as far as is known."""
    nation = cg.nation(side)
    return sum(entry.number for entry in cg.ob(side).ordnance.guns if nation.gun(entry.type).dm is not True)


def weapons(cg: Cg, side: str, entry: VehicleEntry) -> tuple[OptionalWeapon, ...]:
    """Return the weapons for which a vehicle may have a DR: current ones with a known price."""
    if entry.automatic or entry.op or entry.without_dr:
        return ()
    offered = weapons_of(cg.nation(side).armament(entry.type, cg.month), cg.month)
    return tuple(weapon for weapon in offered if weapon.current and isinstance(weapon_cost(weapon), int))


@implements("DYO H1.12")
def weapon_short(cg: Cg, weapon: OptionalWeapon, number: int) -> Breach | None:
    """Return what is wrong if more vehicles of a side have a weapon than the counters of one game show (H1.12)."""
    agreed = cg.terms.agreements
    return pieces.armament_breach(
        weapon.name, number, weapon.vehicles_with_it, agreed=agreed.extra_pieces or agreed.any_arrangement
    )


@implements("DYO H1.12")
def weapons_apart(cg: Cg, side: str, type_: str, names: Collection[str]) -> Breach | None:
    """Return what is wrong if no counter of a vehicle's type shows just these optional weapons (H1.12)."""
    listed = cg.nation(side).vehicle(type_).arrangements
    groups = frozenset(
        frozenset(part.strip() for part in group.split("+")) for group in (listed if isinstance(listed, tuple) else ())
    )
    return pieces.arrangement_breach(frozenset(names), groups, agreed=cg.terms.agreements.any_arrangement)
