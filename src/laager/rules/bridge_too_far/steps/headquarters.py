"""The British name their Headquarters in secret (CG23)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Option, Procedure, Record, SecretQuestion, YesNo, ask, step
from laager.rules.board.card.parts import ALLIED
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import HeadquartersNamed
from laager.rules.bridge_too_far.headquarters import building_name, candidates, due

NONE = "none"


@step("ABtF CG23", "British Headquarters")
def headquarters(cg: Abtf) -> Procedure[None]:
    """Right before setup of the date at which it is due, the British name a building."""
    if not due(cg):
        return
    buildings = {building_name(one): one for one in candidates(cg)}
    answer = yield from ask(naming(tuple(buildings)))
    if answer["building"] == NONE:
        yield HeadquartersNamed(building="", hexes=(), why="no building that they Control can be it", to=(ALLIED,))
        return
    hexes = buildings[answer["building"]].hexes
    yield HeadquartersNamed(building=answer["building"], hexes=hexes, why="named in secret", to=(ALLIED,))


@step("ABtF CG23", "British Headquarters")
def headquarters_on_idle_date(cg: Abtf) -> Procedure[None]:
    """On an Idle Date it is named all the same, when its setup would have come."""
    yield from headquarters.run(cg)


def naming(buildings: tuple[str, ...]) -> SecretQuestion:
    """Return the secret question for the Headquarters."""
    first = buildings[0] if buildings else NONE
    options = tuple(map(Option, buildings))
    default = {"building": first, "los": bool(buildings)}

    def check(answer: Mapping[str, Any]) -> list[Problem]:
        if answer["building"] == NONE or answer["los"]:
            return []
        what = f"{answer['building']} has no LOS to a Level 1 Location on or between R15 and R23"
        return [Problem(what, "name a building that has, or none if there is none", "los")]

    def suggest(rng: Random) -> dict[str, Any]:
        name = rng.choice((*buildings, NONE))
        return {"building": name, "los": name != NONE}

    return SecretQuestion(
        key="headquarters",
        side=ALLIED,
        text="Which building of several hexes that you Control is your Headquarters?",
        form=Record.of(
            Field("building", Choice((*options, Option(NONE, "none can be it")))),
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
        help="British Infantry in it is Fanatic. It is revealed when a unit first uses that; if "
        "it is lost there is no other.",
    )
