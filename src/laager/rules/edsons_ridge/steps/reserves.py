"""Reserves around setup: Holding Boxes before it, Dummies, notes and counters after it (CG7a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Question,
    Record,
    Rows,
    Text,
    ask,
    implements,
    nothing_to_decide,
    step,
)
from laager.rules.board.changes import is_vehicle, marked
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.groups import line_of, units_of_group
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.units import Arrival, Group
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import ReserveCountersPlaced, ReserveDummyPlaced, ReserveHeld, StatusNoted
from laager.rules.edsons_ridge.public import may_reserve
from laager.rules.edsons_ridge.reserves import dummy_problems, places, reserve_groups, stacks_of, without_place


@implements("ER 1.2 Holding Box")
@step("ER CG7a", "Holding Boxes", edition=2, each_side=True)
def holding_boxes(cg: Er, side: str) -> Procedure[None]:
    """Reserve groups for which there is no place wait off the map until the next date."""
    several = len(cg.all_arrows(side)) > 1 and may_reserve(cg, side)
    for group in without_place(cg, side):
        boxes = cg.arrows(side, line_of(cg, group)) or cg.all_arrows(side)
        box = boxes[0] if boxes else ""
        if len(boxes) > 1:
            box = yield from ask(box_question(group, boxes))
            several = False
        yield from tell(boxed(cg, group, box))
    if several:
        text = "You have no Reserves that must wait in a Holding Box of your choice."
        yield from ask(nothing_to_decide("holding-box", side, text, "ER CG7a"))


def box_question(group: Group, boxes: Sequence[str]) -> Question:
    """Return the secret question in which Holding Box a group waits."""
    return Question(
        key="holding-box",
        side=group.side,
        text=f"{group.id} finds no place in Reserve. By which Entry Area does it wait?",
        form=Choice(tuple(Option(name, f"Holding Box of {name}") for name in boxes)),
        secret=True,
        default=boxes[0],
        help="It may not enter before the next CG Date.",
    )


def boxed(cg: Er, group: Group, box: str) -> Iterator[Fact]:
    """A group is Retained in a Holding Box."""
    why = "no Location is eight hexes from all enemy areas"
    to = (group.side,)
    yield ReserveHeld(side=group.side, group=group.id, box=box, why=why, to=to)
    changes = {"arrival": Arrival.ENTER, "area": box}
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
                yield from tell(marked(unit, add=(Mark.RESERVE,), why="set up in Reserve"))
    elif may_reserve(cg, side):
        text = "You have no Reserve counters to note."
        key = "reserve-counters"
        yield from ask(nothing_to_decide(key, side, text, "ER CG7a", Record(())))
    shown = tuple(cg.sort(standing(cg, side)))
    if shown or cg.state.counters.get(side):
        yield ReserveCountersPlaced(side=side, at=shown, why="Reserve Cloaking counters on the map")


def standing(cg: Er, side: str) -> Iterator[str]:
    """Yield where a side's Reserve counters stand, once for each, Dummies among them."""
    for group in reserve_groups(cg, side):
        yield from (name.split(" ")[0] for name in stacks_of(cg, group))
    yield from (at for (who, _), at in cg.state.dummies.items() if who == side)


def counters_question(cg: Er, side: str, groups: Sequence[Group]) -> Question:
    """Return the secret question for Dummies and for the notes on vehicles."""
    ids = Choice(tuple(Option(group.id, f"{group.id}, {group.name}") for group in groups))
    vehicles = [
        unit for group in groups for unit in units_of_group(cg, side, group.id) if is_vehicle(unit) and unit.on_map
    ]
    dummy = Record((Field("group", ids, "RU"), Field("at", Text(20), "Location")))
    units = Choice(tuple(Option(unit.id, unit.label) for unit in vehicles))
    note = Record((Field("unit", units, "Vehicle"), Field("note", Text(120), "CA, CE or BU, bypass hexside")))
    noted = [{"unit": unit.id, "note": "CE"} for unit in vehicles]
    return Question(
        key="reserve-counters",
        side=side,
        text="Which Reserve Dummies do you add, and how do your vehicles in Reserve stand?",
        form=Record(
            (
                Field("dummies", Rows(dummy, most=60), "Reserve Dummies", []),
                Field("vehicles", Rows(note, most=60), "Vehicles in Reserve", noted),
            )
        ),
        secret=True,
        default={"dummies": [], "vehicles": noted},
        check=lambda answer: counters_problems(cg, groups, answer),
        suggest=lambda rng: {"dummies": some_dummies(cg, groups, rng), "vehicles": noted},
        help="One Dummy for each RU, eight hexes from enemy areas. An AFV is CE unless noted. In "
        "bypass note the hexside and the CAFP.",
    )


def counters_problems(cg: Er, groups: Sequence[Group], answer: Mapping[str, Any]) -> list[Problem]:
    """Return all that is wrong with Dummies and notes."""
    found: list[Problem] = []
    for group in groups:
        at = [row["at"] for row in answer["dummies"] if row["group"] == group.id]
        found += dummy_problems(cg, group, len(stacks_of(cg, group)), at)
    noted = [row["unit"] for row in answer["vehicles"]]
    found += [
        Problem(f"{name} is noted twice", "write it in one row", "vehicles")
        for name in dict.fromkeys(noted)
        if noted.count(name) > 1
    ]
    return found


def some_dummies(cg: Er, groups: Sequence[Group], rng: Random) -> list[dict[str, str]]:
    """Return Dummies by chance, one for each RU at most."""
    rows = []
    for group in groups:
        able = cg.sort(places(cg, group.side))
        if able and rng.random() < 0.5:
            rows.append({"group": group.id, "at": rng.choice(able)})
    return rows


@implements("ER CG7a")
@step("ER CG7b", "Reserves of the last date", each_side=True)
def old_reserves(cg: Er, side: str) -> Procedure[None]:
    """With another CG Date what was in Reserve is like any other unit; the counters are gone."""
    for unit in list(cg.state.units.values()):
        if unit.side == side and unit.has(Mark.RESERVE):
            yield from tell(marked(unit, remove=(Mark.RESERVE,), why="Reserve for one date only"))
    for owner, group in list(cg.state.dummies):
        if owner == side:
            yield ReserveDummyPlaced(side=side, group=group, at="", to=(side,))
    if cg.state.counters.get(side):
        yield ReserveCountersPlaced(side=side, at=(), why="the scenario is over")
