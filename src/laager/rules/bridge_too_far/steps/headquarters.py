"""The British Headquarters: which buildings can be it, when and how it is named (CG23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Field,
    Option,
    Procedure,
    Record,
    SecretQuestion,
    SightAsked,
    Sights,
    YesNo,
    ask,
    implements,
    step,
)
from laager.hexmap import Building, HexMap
from laager.rules.board.card.parts import ALLIED, AXIS
from laager.rules.board.los_requests import locations_in
from laager.rules.bridge_too_far.facts import HeadquartersNamed

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

NAMING_DAY, NAMING_PART = date(1944, 9, 18), "AM"
"""The CG Date on which the Headquarters is named, before setup."""
FIRST_RAMP_ROW, LAST_RAMP_ROW = 15, 23
"""The hexes of column R from the first row to the last are the bridge and its ramp: it must see one of them."""


@implements("ABtF CG23")
def must_be_named_now(cg: Abtf) -> bool:
    """True if the Headquarters has to be named now.

    Before the setup of 18AM; in a campaign that begins later before that of its Initial Scenario,
    if the reading says so.
    """
    if cg.state.headquarters is not None:
        return False
    now = cg.date
    if (now.day, now.part) == (NAMING_DAY, NAMING_PART):
        return True
    late = now.day > NAMING_DAY or (now.day == NAMING_DAY and now.part != NAMING_PART)
    return cg.initial and late and cg.reading("late-headquarters") == "initial-scenario"


def possible_buildings(cg: Abtf) -> Iterator[Building]:
    """Yield the buildings of several hexes that the British Control, in map order (CG23)."""
    return (building for building in cg.map.buildings if len(building.hexes) > 1 and british_control(cg, building))


def british_control(cg: Abtf, building: Building) -> bool:
    """True if the British Control a building: a Location of it is theirs, none is the enemy's.

    A Location without a recorded controller belongs to the side that Controls its Block.
    """
    holders = {_controller(cg, at) for name in building.hexes for at in cg.map.locations(name)}
    return ALLIED in holders and AXIS not in holders


def _controller(cg: Abtf, location: str) -> str:
    held = cg.state.ground.control.get(location)
    if held is not None:
        return held
    block = cg.map.blocks.block_at(location)
    return cg.state.block_control.get(block, "") if block is not None else ""


def building_name(building: Building) -> str:
    """Return the name of a building, or else of its first hex."""
    return building.name or building.hexes[0]


NO_BUILDING = "none"


@step("ABtF CG23", "British Headquarters", edition=2)
def headquarters(cg: Abtf) -> Procedure[None]:
    """Right before setup of the date at which it is due, the British name a building."""
    if not must_be_named_now(cg):
        return
    buildings = {building_name(building): building for building in possible_buildings(cg)}
    sights = Sights(lambda answer, _: tuple(los_to_ramp(cg, buildings, answer)), resolve_los)
    answer = yield from ask(headquarters_question(tuple(buildings), sights))
    if answer["building"] == NO_BUILDING:
        yield HeadquartersNamed(building="", hexes=(), why="no building that they Control can be it", to=(ALLIED,))
        return
    hexes = buildings[answer["building"]].hexes
    yield HeadquartersNamed(building=answer["building"], hexes=hexes, why="named in secret", to=(ALLIED,))


@step("ABtF CG23", "British Headquarters", edition=2)
def headquarters_on_idle_date(cg: Abtf) -> Procedure[None]:
    """On an Idle Date it is named all the same, when its setup would have come."""
    yield from headquarters.run(cg)


@implements("ABtF CG23")
def los_to_ramp(cg: Abtf, buildings: Mapping[str, Building], answer: Mapping[str, Any]) -> Iterator[SightAsked]:
    """Yield for each building the question whether its Locations or rooftops have LOS to the bridge or its ramp."""
    targets = tuple(ramp_locations(cg.map))
    if not targets:
        return
    for name, building in buildings.items():
        says = answer["los"] if name == answer["building"] else None
        sources = tuple(locations_in(cg.map, building.hexes, rooftops=True))
        yield SightAsked(name, name, sources, targets, "ABtF CG23", says=says, counting="its Locations and rooftops")


def ramp_locations(map_: HexMap) -> Iterator[str]:
    """Yield the Level 1 Locations on or between R15 and R23: the bridge and its ramp, a level above low ground."""
    for row in range(FIRST_RAMP_ROW, LAST_RAMP_ROW + 1):
        name = f"R{row}"
        if name in map_:
            hex_ = map_.hex(name)
            yield hex_.name if hex_.level >= 1 else f"{hex_.name}.bridge"


def resolve_los(answer: Mapping[str, Any], los_of_buildings: Mapping[str, bool]) -> dict[str, Any]:
    """Return the answer by the computed LOS: the building named if it sees the ramp, else the first one that does."""
    seeing = [name for name, seen in los_of_buildings.items() if seen]
    name = answer["building"] if answer["building"] in seeing else next(iter(seeing), NO_BUILDING)
    return {**answer, "building": name, "los": name != NO_BUILDING}


def headquarters_question(buildings: tuple[str, ...], sights: Sights | None = None) -> SecretQuestion:
    """Return the secret question for the Headquarters."""
    first = buildings[0] if buildings else NO_BUILDING
    options = tuple(map(Option, buildings))
    default = {"building": first, "los": bool(buildings)}

    def check(answer: Mapping[str, Any]) -> list[Problem]:
        if answer["building"] == NO_BUILDING or answer["los"]:
            return []
        return [
            Problem(
                f"{answer['building']} has no LOS to a Level 1 Location on or between R15 and R23",
                "name a building that has one, or choose none",
                "los",
            )
        ]

    def suggest(rng: Random) -> dict[str, Any]:
        name = rng.choice((*buildings, NO_BUILDING))
        return {"building": name, "los": name != NO_BUILDING}

    return SecretQuestion(
        key="headquarters",
        side=ALLIED,
        text="Which building of several hexes that you Control is your Headquarters?",
        form=Record.of(
            Field("building", Choice((*options, Option(NO_BUILDING, "none can be it")))),
            Field(
                "los",
                YesNo(),
                "Has a Location of it (rooftops too) LOS to a Level 1 Location R15 to R23?",
                default["los"],
            ),
        ),
        default=default,
        check=check,
        suggest=suggest,
        sights=sights,
        help="British Infantry in it is Fanatic. It is revealed when a unit first uses that; if "
        "you lose it, you get no other.",
    )
