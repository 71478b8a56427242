"""Reserve Status: counters, Dummies, notes, Holding Boxes, and setting up (CG7a, 1.520 Note c; GEO-7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Placing,
    Procedure,
    Record,
    Rows,
    SecretQuestion,
    Text,
    ask,
    implements,
    no_decision,
    step,
)
from laager.hexmap import reserve_places, reserve_problems
from laager.rules.board.changes import MMC, change_marks, is_vehicle
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.groups import is_in_reserve, line_of, units_of_group
from laager.rules.board.hasl.charts import WITH_UNITS
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.public import could_buy
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.setup.hiding import NONE
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.facts import ReserveCountersPlaced, ReserveDummyPlaced, ReserveHeld, StatusNoted

if TYPE_CHECKING:
    from laager.rules.board.setup.placements import SetupPlace
    from laager.rules.edsons_ridge.context import Er

DUMMIES_PER_RU = 1
"""Most Reserve Dummies of a RU."""

RELEASE_RANGE = 6
"""The range at which an enemy ground unit in LOS releases Reserves (CG7b)."""


def reserve_groups(cg: Er, side: str) -> list[Group]:
    """Return the groups of a side that are in Reserve on the present date, set up or not yet."""
    waiting = partial(is_in_reserve, cg)
    return [
        group
        for group in cg.state.groups_of(side)
        if group.arrival is GroupArrival.RESERVE
        and (group.date == cg.state.number or any(map(waiting, units_of_group(cg, side, group.id))))
    ]


@implements("ER CG7a", "ER 1.2 RU")
def counter_carriers(cg: Er, group: Group) -> list[Unit]:
    """Return the units of a RU that bring a Reserve counter: MMC on foot, and vehicles."""
    return [
        unit
        for unit in units_of_group(cg, group.side, group.id)
        if is_vehicle(unit) or (unit.kind in MMC and not unit.with_unit)
    ]


@implements("ER CG7a")
def most_counters(cg: Er, group: Group) -> int:
    """Return the most Reserve counters of a RU: one for each carrier, and a Dummy."""
    return len(counter_carriers(cg, group)) + DUMMIES_PER_RU


@implements("ER CG7a")
def most_dummies(cg: Er, group: Group, stacks: int) -> int:
    """Return how many empty counters a RU can have besides its `stacks` with contents.

    One; by the reading also those that it saved by stacking.
    """
    if cg.reading("reserve-stacks") == "dummies":
        return most_counters(cg, group) - stacks
    return DUMMIES_PER_RU


def own_setup_hexes(cg: Er, side: str) -> frozenset[str]:
    """Return the hexes of a side's Setup Areas that are not Isolated."""
    areas = cg.setup_hexes(side, isolated=False)
    return frozenset(name for hexes in areas.values() for name in hexes)


@implements("ER CG7a", "ER GEO-7")
def reserve_hexes(cg: Er, side: str, area: str = "") -> frozenset[str]:
    """Return the hexes where a side's Reserves can stand, all or those in one Setup Area."""
    own = own_setup_hexes(cg, side)
    if area:
        own &= cg.retained_hexes(side, area)
    return reserve_places(cg.map, own, cg.enemy_areas(side))


@implements("ER CG7a", "ER GEO-7")
def place_problems(cg: Er, side: str, location: str) -> tuple[Problem, ...]:
    """Return all that is against a Reserve counter in a Location."""
    return reserve_problems(cg.map, location, own_setup_hexes(cg, side), cg.enemy_areas(side))


@implements("ER CG7a", "ER 1.2 Holding Box")
def groups_without_place(cg: Er, side: str) -> list[Group]:
    """Return a side's Reserve groups that have no place in their Setup Area."""
    return [group for group in reserve_groups(cg, side) if not reserve_hexes(cg, side, group.area)]


@implements("ER CG7a")
def dummy_problems(cg: Er, group: Group, stacks: int, at: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with where a RU's Reserve Dummies stand."""
    most = most_dummies(cg, group, stacks)
    if len(at) > most:
        yield Problem(f"{group.id} has {len(at)} Reserve Dummies", f"{most} at most")
    for location in at:
        if location not in cg.map:
            yield Problem(f"{location} isn't on the map", "name a hex")
            continue
        yield from place_problems(cg, group.side, location)


def stacks_of(cg: Er, group: Group) -> dict[str, list[Unit]]:
    """Return the units under each counter that a RU needs: each vehicle alone, Infantry by Location."""
    stacks: dict[str, list[Unit]] = {}
    for unit in counter_carriers(cg, group):
        if unit.at is None:
            continue
        name = f"{unit.at} {unit.id}" if is_vehicle(unit) else unit.at
        stacks.setdefault(name, []).append(unit)
    return stacks


@implements("ER CG7a")
def setup_problems(cg: Er, side: str, plan: Mapping[str, SetupPlace]) -> Iterator[Problem]:
    """Yield what Reserve Status has against a setup: distance, Infantry without a MMC."""
    for placement in plan.values():
        if not placement.at or not cg.is_reserve(placement.unit):
            continue
        if not placement.holder:
            yield from (problem.inside(placement.unit.id) for problem in place_problems(cg, side, placement.at))
    yield from _counter_problems(cg, side, plan)


@implements("ER CG7a")
def _counter_problems(cg: Er, side: str, plan: Mapping[str, SetupPlace]) -> Iterator[Problem]:
    """Yield Reserve Infantry without a counter of a MMC or vehicle."""
    for group in reserve_groups(cg, side):
        carriers = {unit.id for unit in counter_carriers(cg, group)}
        covered = {placement.at for name, placement in plan.items() if name in carriers and placement.at}
        for placement in plan.values():
            alone = placement.unit.group == group.id and placement.at and not placement.holder
            if alone and placement.at not in covered and placement.hide != NONE:
                yield Problem(
                    f"no Reserve counter stands for {placement.unit.label} in {placement.at}",
                    f"set it up with a MMC of {group.id}",
                    placement.unit.id,
                )


def may_buy_reserves(cg: Er, side: str) -> bool:
    """True if a side can buy groups in Reserve (CG7)."""
    return could_buy(cg, side, lambda line: line.on_map and line.kind in WITH_UNITS)


@implements("ER 1.2 Holding Box")
@step("ER CG7a", "Holding Boxes", edition=3, each_side=True)
def holding_boxes(cg: Er, side: str) -> Procedure[None]:
    """Reserve groups for which there is no place wait off the map until the next date."""
    several = len(cg.all_arrows(side)) > 1 and may_buy_reserves(cg, side)
    for group in groups_without_place(cg, side):
        boxes = possible_boxes(cg, group)
        box = boxes[0] if boxes else ""
        if len(boxes) > 1:
            box = yield from ask(box_question(group, boxes))
            several = False
        yield from yield_facts(move_to_holding_box(cg, group, box))
    if several:
        text = "You have no Reserves that must wait in a Holding Box of your choice."
        yield from ask(no_decision("holding-box", side, text))


@implements("ER CG7a", "ER 1.5187")
def possible_boxes(cg: Er, group: Group) -> tuple[str, ...]:
    """Return the Entry Areas in whose Holding Boxes a group can wait: its own Eligible ones.

    A group that has only Entry Areas that open later waits at one of those.
    """
    line = line_of(cg, group)
    return cg.arrows(group.side, line) or cg.all_arrows(group.side, line) or cg.all_arrows(group.side)


def box_question(group: Group, boxes: Sequence[str]) -> SecretQuestion:
    """Return the secret question in which Holding Box a group waits."""
    return SecretQuestion(
        key="holding-box",
        side=group.side,
        text=f"{group.id} finds no place in Reserve. By which Entry Area does it wait?",
        form=Choice.of_labels({name: f"Holding Box of {name}" for name in boxes}),
        default=boxes[0],
        help="It can't enter before the next CG Date.",
    )


def move_to_holding_box(cg: Er, group: Group, box: str) -> Iterator[Fact]:
    """Yield that a group is Retained in a Holding Box."""
    why = "no Location is eight hexes from all enemy areas"
    to = (group.side,)
    yield ReserveHeld(side=group.side, group=group.id, box=box, why=why, to=to)
    changes = {"arrival": GroupArrival.ENTER, "area": box}
    yield GroupChanged(side=group.side, group=group.id, changes=changes, why=why, to=to)
    for unit in list(units_of_group(cg, group.side, group.id)):
        yield UnitRetained(unit=unit.id, area=box, why=why, to=to)


# After setup --------------------------------------------------------------------------------------


@step("ER CG7a", "Reserve counters", edition=2, each_side=True)
def reserve_counters(cg: Er, side: str) -> Procedure[None]:
    """A side notes what its Reserve counters hide, adds Dummies, and the counters stand there."""
    groups = [group for group in reserve_groups(cg, side) if stacks_of(cg, group)]
    if groups:
        answer = yield from ask(counters_question(cg, side, groups))
        for row in answer["dummies"]:
            at = cg.map.main_location(row["at"])
            yield ReserveDummyPlaced(side=side, group=row["group"], at=at, to=(side,))
        for row in answer["vehicles"]:
            yield StatusNoted(unit=row["unit"], text=row["note"], to=(side,))
        for group in groups:
            for unit in list(units_of_group(cg, side, group.id)):
                yield from yield_facts(change_marks(unit, add=(Mark.RESERVE,), why="set up in Reserve"))
    elif may_buy_reserves(cg, side):
        text = "You have no Reserve counters to note."
        yield from ask(no_decision("reserve-counters", side, text, "ER CG7a", Record(())))
    places = tuple(cg.sort(counter_places(cg, side)))
    if places or cg.state.counters.get(side):
        yield ReserveCountersPlaced(side=side, at=places, why="Reserve Cloaking counters on the map")


def counter_places(cg: Er, side: str) -> Iterator[str]:
    """Yield where a side's Reserve counters stand, once for each, Dummies among them."""
    for group in reserve_groups(cg, side):
        yield from (name.split(" ")[0] for name in stacks_of(cg, group))
    yield from (at for (who, _), at in cg.state.dummies.items() if who == side)


def counters_question(cg: Er, side: str, groups: Sequence[Group]) -> SecretQuestion:
    """Return the secret question for Dummies and for the notes on vehicles."""
    ids = Choice.of_labels({group.id: f"{group.id}, {group.name}" for group in groups})
    vehicles = [
        unit for group in groups for unit in units_of_group(cg, side, group.id) if is_vehicle(unit) and unit.on_map
    ]
    dummy = Record.of(Field("group", ids, "RU"), Field("at", Text(20), "Location"))
    units = unit_choice(vehicles)
    note = Record.of(Field("unit", units, "Vehicle"), Field("note", Text(120), "CA, CE or BU, bypass hexside"))
    noted = [{"unit": unit.id, "note": "CE"} for unit in vehicles]
    return SecretQuestion(
        key="reserve-counters",
        side=side,
        text="Which Reserve Dummies do you add, and how do your vehicles in Reserve stand?",
        form=Record.of(
            Field("dummies", Rows(dummy, most=60), "Reserve Dummies", []),
            Field("vehicles", Rows(note, most=60), "Vehicles in Reserve", noted),
        ),
        default={"dummies": [], "vehicles": noted},
        check=lambda answer: counters_problems(cg, groups, answer),
        suggest=lambda rng: {"dummies": random_dummies(cg, groups, rng), "vehicles": noted},
        placing=Placing(lambda: {"at": reserve_hexes(cg, side)}),
        help="One Dummy for each RU, eight hexes from enemy areas. An AFV is CE unless noted. In "
        "bypass note the hexside and the CAFP.",
    )


def counters_problems(cg: Er, groups: Sequence[Group], answer: Mapping[str, Any]) -> list[Problem]:
    """Return all that is wrong with Dummies and notes."""
    problems: list[Problem] = []
    for group in groups:
        at = [row["at"] for row in answer["dummies"] if row["group"] == group.id]
        problems += dummy_problems(cg, group, len(stacks_of(cg, group)), at)
    return problems + repeated_names(answer["vehicles"], at="vehicles")


def random_dummies(cg: Er, groups: Sequence[Group], rng: Random) -> list[dict[str, str]]:
    """Return random Dummies, at most one for each RU."""
    rows = []
    for group in groups:
        hexes = cg.sort(reserve_hexes(cg, group.side))
        if hexes and rng.random() < 0.5:
            rows.append({"group": group.id, "at": rng.choice(hexes)})
    return rows


@implements("ER CG7a")
@step("ER CG7b", "Reserves of the last date", each_side=True)
def old_reserves(cg: Er, side: str) -> Procedure[None]:
    """With another CG Date what was in Reserve is like any other unit; the counters are gone."""
    for unit in list(cg.state.units.values()):
        if unit.side == side and unit.has(Mark.RESERVE):
            yield from yield_facts(change_marks(unit, remove=(Mark.RESERVE,), why="Reserve for one date only"))
    for owner, group in list(cg.state.dummies):
        if owner == side:
            yield ReserveDummyPlaced(side=side, group=group, at="", to=(side,))
    if cg.state.counters.get(side):
        yield ReserveCountersPlaced(side=side, at=(), why="the scenario is over")
