"""Buying vehicles by an Availability DR, and OP tanks for batteries (DYO H1.4 to H1.46)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, YesNo, ask, roll, step
from laager.catalogue.dyo import DyoVehicle, Transport
from laager.dice import Dice
from laager.rules.design_your_own.charts import OpTankRow
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import AvailabilityRolled, MotorizedPaid, OpTankTaken, VehiclesBought
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.lines import vehicles as rules
from laager.rules.design_your_own.ob import VEHICLES, BatteryEntry, VehicleEntry
from laager.rules.design_your_own.spelling import type_field
from laager.rules.design_your_own.steps import buying
from laager.rules.design_your_own.steps.missing import fill_gaps
from laager.rules.design_your_own.steps.ordnance import odds_words

TOW = "DYO H1.441"


@step("DYO H1.4", "Vehicles", each_side=True, edition=2)
def vehicles(cg: Cg, side: str) -> Procedure[None]:
    """Pay for a motorized unit or not, roll or not, then buy what the DR allows (H1.4)."""
    yield from fill_gaps(cg, side, "DYO H1.4", "vehicles", "armament", "transport", "armor_leaders")
    plan = yield from ask(_plan_question(cg, side))
    if plan["motorized"]:
        cost = rules.motorized_price(cg, side)
        yield MotorizedPaid(side=side, cost=int(cost), why=cost.why, to=(side,))
    limit = None
    if plan["roll"]:
        rolled = yield from roll(side, "Availability, vehicles", Dice.DR, secret=True, table=pieces.TABLE)
        limit = pieces.rf_limit(cg.rulebook, rolled.final, motorized=plan["motorized"])
        yield AvailabilityRolled(
            side=side,
            category=VEHICLES,
            dr=evidence(rolled),
            rf=str(limit),
            why=f"Final DR {rolled.final}{', motorized' * plan['motorized']}: RF {limit} or less",
            to=(side,),
        )
    if limit is None and not cg.nation(side).transport(cg.month) and not cg.ob(side).ordnance.guns:
        return
    rows = yield from ask(_question(cg, side, limit))
    for entry in entries_of(cg, side, rows):
        exempt = ", no Availability DR needed" if entry.without_dr else ""
        yield VehiclesBought(side=side, entry=entry, why=f"{entry.bpv} BPV, its crew included{exempt}", to=(side,))


# The plan ---------------------------------------------------------------------------------------


def _plan_question(cg: Cg, side: str) -> Question:
    cost = int(rules.motorized_price(cg, side))
    odds, more = odds_words(cg.rulebook), str(cg.charts.motorized.rf).removeprefix("0")
    fields = (
        Field("roll", YesNo(), "Make the Availability DR", _is_worth_a_dr(cg, side)),
        Field("motorized", YesNo(), f"Be a motorized unit, for {cost}", False),
    )
    return Question(
        key="vehicles-dr",
        side=side,
        text=f"Do you want vehicles? You have {cg.points_left(side)} points.",
        form=Record(fields),
        rule="DYO H1.4",
        secret=True,
        default={field.name: field.default for field in fields},
        help=f"{odds} A motorized unit adds {more}, and can have OP tanks. What the DR offers can be declined.",
        check=lambda answer: buying.problems(
            pieces.too_dear(cg, side, cost, "a motorized unit") if answer["motorized"] else None, field="motorized"
        ),
        suggest=lambda rng: {"roll": rng.random() < 0.8, "motorized": rng.random() < 0.3},
        irrevocable=lambda answer: _plan_warning(cost, answer),
        nothing="No DR",
    )


def _is_worth_a_dr(cg: Cg, side: str) -> bool:
    """True if a side has points left, and its catalogue a vehicle with price and rarity."""
    return cg.points_left(side) > 0 and any(
        pieces.has_price_and_rf(vehicle, cg.month) for vehicle in cg.nation(side).vehicles(cg.month)
    )


def _plan_warning(cost: int, answer: Mapping[str, Any]) -> str:
    warnings = [f"You spend {cost} points on a motorized unit."] if answer["motorized"] else []
    if not answer["roll"]:
        warnings.append("Without the DR you get only vehicles that need none.")
    return " ".join(warnings)


# The vehicles -----------------------------------------------------------------------------------


def _question(cg: Cg, side: str, limit: Decimal | None) -> Question:
    options = _options(cg, side, limit)
    fields = [
        type_field("Vehicle", options, cg.nation(side), "vehicles", "transport"),
        Field("number", Number(1, buying.MOST_OF_ONE), "How many"),
    ]
    if rules.towed_guns(cg, side):
        fields.append(Field("tow", YesNo(), "Tows a Gun whatever its RF (H1.441)", False))
    rarity = "No Availability DR was made" if limit is None else f"RF {limit} or less"
    return Question(
        key="vehicles",
        side=side,
        text=f"Which vehicles do you buy? {rarity}; you have {cg.points_left(side)} points.",
        form=Rows(Record(tuple(fields)), most=60),
        rule="DYO H1.4",
        secret=True,
        default=[],
        help="The BPV includes the crews. If you buy all of a type, you pay for its optional armament too (H1.12).",
        check=lambda rows: vehicle_problems(cg, side, rows, limit),
        suggest=lambda rng: _suggest(cg, side, limit, rng),
        totals=lambda rows: buying.points_of(cg, side, rows, lambda some: cost_of(cg, side, some)),
        irrevocable=lambda rows: buying.last_word(cg, side, cost_of(cg, side, rows), "buying vehicles"),
        offers=lambda rows: buying.shop(
            options,
            rows,
            lambda some: vehicle_problems(cg, side, some, limit),
            {},
            lambda type_: _looks(cg, side, type_),
        ),
    )


def _looks(cg: Cg, side: str, type_: str) -> tuple[str, ...]:
    if any(item.type == type_ for item in cg.nation(side).transport(cg.month)):
        return "vehicle", type_
    vehicle = cg.nation(side).vehicle(type_)
    sort = vehicle.sort if isinstance(vehicle.sort, str) else ""
    return "afv" if vehicle.afv is True else "vehicle", type_, sort


def cost_of(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Return what the vehicles of an answer cost, with the optional armament of whole sets (H1.12)."""
    entries = entries_of(cg, side, rows)
    forced = rules.full_set_cost(cg.nation_with_all_counters(side), cg.month, entries)
    return sum(entry.total for entry in entries) + forced


def _options(cg: Cg, side: str, limit: Decimal | None) -> tuple[Option, ...]:
    nation = cg.nation(side)
    return (
        *(option_of(cg, side, vehicle, limit) for vehicle in nation.vehicles(cg.month)),
        *(_transport_option(cg, side, item) for item in nation.transport(cg.month)),
    )


def option_of(cg: Cg, side: str, vehicle: DyoVehicle, limit: Decimal | None) -> Option:
    """Return a vehicle as an option, and why you can't buy it; `limit` None: no DR was made."""
    if not pieces.has_price_and_rf(vehicle, cg.month):
        return Option(vehicle.type, vehicle.type, pieces.LACKING.format(vehicle.type))
    assert isinstance(vehicle.bpv, int)
    label = f"{vehicle.type}: {pieces.price_words(vehicle, cg.month)}"
    exempt = vehicle.motorized_tow and rules.towed_guns(cg, side)
    legal = () if exempt else pieces.piece_breaches(cg, vehicle, 1, limit, "DYO H1.4")
    return Option(vehicle.type, label, buying.why_not(*legal, pieces.too_dear(cg, side, vehicle.bpv, "one")))


def _transport_option(cg: Cg, side: str, item: Transport) -> Option:
    if not pieces.are_known(item.bpv):
        return Option(item.type, item.type, pieces.LACKING.format(item.type))
    assert isinstance(item.bpv, int)
    # Of a type that is called like its sort the name says both.
    name = item.type if item.type.casefold() == item.sort else f"{item.type}, {item.sort}"
    label = f"{name}: BPV {item.bpv}, no DR"
    return Option(item.type, label, buying.why_not(pieces.too_dear(cg, side, item.bpv, "one")))


def entries_of(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]]) -> tuple[VehicleEntry, ...]:
    """Return the vehicles of an answer, one entry each with its letter and its price."""
    nation = cg.nation(side)
    without_dr = {item.type: item.bpv for item in nation.transport(cg.month)}
    entries: list[VehicleEntry] = []
    taken: dict[str, int] = {}
    for row in rows:
        exempt = row["type"] in without_dr
        bpv = without_dr[row["type"]] if exempt else nation.vehicle(row["type"]).bpv
        assert isinstance(bpv, int)
        for _ in range(row["number"]):
            letter = pieces.id_letters(taken.get(row["type"], 0), 1)
            taken[row["type"]] = taken.get(row["type"], 0) + 1
            free = exempt or bool(row.get("tow"))
            entries.append(VehicleEntry(type=row["type"], id=letter, bpv=bpv, without_dr=free))
    return tuple(entries)


def vehicle_problems(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]], limit: Decimal | None) -> list[Problem]:
    """Return everything that the rules have against these vehicles."""
    entries = entries_of(cg, side, rows)
    forced = rules.full_set_cost(cg.nation(side), cg.month, entries)
    name = f"all of it, with {forced} for optional armament (H1.12)," if forced else "all of it"
    legal = (breach for _, breach in rules.vehicle_breaches(cg, side, entries, limit))
    return buying.problems(*legal, pieces.too_dear(cg, side, cost_of(cg, side, rows), name))


def _suggest(cg: Cg, side: str, limit: Decimal | None, rng: Random) -> list[dict[str, Any]]:
    free = [option.value for option in _options(cg, side, limit) if not option.why_not]
    return buying.legal_rows(
        lambda: {"type": rng.choice(free), "number": rng.choice([1, 1, 2, 3, 4, 6])},
        rng.randint(0, 3) if free else 0,
        lambda rows: vehicle_problems(cg, side, rows, limit),
    )


NONE = "none"


@step("DYO H1.46", "OP tanks", each_side=True)
def op_tanks_taken(cg: Cg, side: str) -> Procedure[None]:
    """Each battery may have one OP tank that fits it, if the side is a motorized unit (H1.46)."""
    if cg.ob(side).vehicles.motorized is not None:
        for battery in cg.ob(side).batteries:
            yield from _for_battery(cg, side, battery)


def _for_battery(cg: Cg, side: str, battery: BatteryEntry) -> Procedure[None]:
    tanks = {tank.id: tank for tank in rules.known_op_tanks(cg, side)}
    costs = {tank.id: tank.bpv or 0 for tank in tanks.values()}
    options = [_option(cg, side, battery, tank) for tank in tanks.values()]
    if all(option.why_not for option in options):
        return
    chosen = yield from ask(
        Question(
            key="op-tank",
            side=side,
            text=f"Does battery {battery.letter} ({battery.text}) get an OP tank? "
            f"You have {cg.points_left(side)} points.",
            form=Choice((*options, Option(NONE, "no OP tank"))),
            rule="DYO H1.46",
            secret=True,
            default=NONE,
            irrevocable=lambda chosen: buying.taken_words(cg, side, costs.get(chosen, 0)),
            nothing="No OP tank",
            help="Its Observer uses the tank's radio instead of a radio or field phone.",
        )
    )
    if chosen == NONE:
        return
    tank = tanks[chosen]
    assert tank.bpv is not None
    why = f"{tank.bpv} BPV; represented by a normal tank counter"
    yield OpTankTaken(side=side, entry=entry_of(cg, side, tank, battery), why=why, to=(side,))


def entry_of(cg: Cg, side: str, tank: OpTankRow, battery: BatteryEntry) -> VehicleEntry:
    """Return the line of an OP tank: the counter that represents it, with the next letter."""
    type_ = tank.counter or tank.name
    held = sum(entry.type == type_ for entry in cg.ob(side).vehicles.entries)
    return VehicleEntry(type=type_, id=pieces.id_letters(held, 1), bpv=tank.bpv or 0, op=battery.letter)


def _option(cg: Cg, side: str, battery: BatteryEntry, tank: OpTankRow) -> Option:
    if tank.bpv is None:
        return Option(tank.id, tank.name, f"its BPV is not known ({tank.rule}); enter it in a catalogue")
    type_ = tank.counter or tank.name
    held = sum(entry.type == type_ for entry in cg.ob(side).vehicles.entries)
    legal = rules.op_tank_problems(cg, side, tank, battery, held + 1, served=battery.contact == "op-tank")
    dear = pieces.too_dear(cg, side, tank.bpv, tank.name)
    return Option(tank.id, f"{tank.name}: {tank.bpv}", buying.why_not(*legal, dear))
