"""The report on the ground after a scenario: both sides enter it together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NotRequired

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Record, Rows, Several, Text, YesNo, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, change_control
from laager.rules.board.facts import CvpScored, FortGone, MassacreInvoked
from laager.rules.board.hasl.areas import ENTRENCHMENTS, NOT_WORKING, strategic_locations
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import RainFell
from laager.rules.board.report import ground as shared
from laager.rules.board.report.facts import WHY
from laager.rules.board.report.form import PLACED, TAKEN_AWAY, GroundAnswer, ReportFortRow, ground_fields
from laager.rules.board.report.outcome import rows_of
from laager.rules.board.report.suggest import ReportMaker, make_fires, make_rubble
from laager.rules.board.state import BoardState
from laager.rules.board.units import Fort
from laager.rules.board.wording import yield_facts

GROUND_KEY = "ground-report"

TERRAIN = (
    *("rubble", "shellholes", "trailbreak", "breach", "bridge-destroyed", "collapsed-hut"),
    *("palm-trees", "cleared"),
)
"""Changes of the printed map that stay for the campaign."""

WORKS = (
    *("foxhole", "trench", "sangar", "pillbox", "wire", "roadblock", "minefield", "a-t-mines"),
    *("barricade", "a-t-ditch", "panji", "tetrahedron"),
)
"""Works that can be built in play, or found."""

HELP = (
    "Enter only what changed. Wrecks come from the units. Your own hidden fortifications are in your "
    "own report. `cvp` corrects the CVP that Laager makes of the losses."
)

BOTH = ""
"""Stands for both sides where each of them knows something."""


class ScenarioGround(GroundAnswer):
    """The answer about the ground."""

    works: list[ReportFortRow]
    rain: NotRequired[bool]
    massacre: NotRequired[list[str]]


def the_ground(cg: Hasl) -> Procedure[None]:
    """One side enters what became of the ground, the other confirms it."""
    answer = yield from ask_and_confirm(
        GROUND_KEY,
        cg.state.scenario.moves_first or SIDES[0],
        "What became of the ground: Control, fires, lasting changes, fortifications?",
        ground_form(cg),
        help=HELP,
        check=lambda answer: scenario_ground_problems(cg, answer),
        suggest=lambda rng: suggest_ground(cg, rng),
        tell=lambda answer: ground_words(cg, answer),
    )
    yield from yield_facts(ground_facts(cg, answer))


def ground_form(cg: Hasl) -> Record:
    """Return the form of what became of the ground; what both sides can see."""
    work = Record.of(
        Field("do", Choice.of(PLACED, TAKEN_AWAY), "What happened"),
        Field("fort", Text(20), "Which (removed)", ""),
        Field("side", Choice.of("", *SIDES), "Whose (placed)", ""),
        Field("kind", Choice.of("", *WORKS), "Kind (placed)", ""),
        Field("size", Text(20), "Size (placed)", ""),
        Field("at", Text(20), "Location (placed)", ""),
    )
    works = Field("works", Rows(work, most=100), "Fortifications that changed", [])
    fields = [*ground_fields(TERRAIN, works, Field("side", Choice.of(*SIDES), "Who scores"))]
    turns = cg.variant.rain_turns
    if turns is not None:
        fields.append(Field("rain", YesNo(), f"Did it rain for {turns} consecutive Player Turns or more?", False))
    if cg.variant.massacre_lasts:
        sides = Several.of_labels({side: cg.side(side).name for side in SIDES})
        fields.append(Field("massacre", sides, "Who has committed a Massacre (A20.4)?", []))
    return Record.of(*fields)


def ground_words(cg: Hasl, answer: ScenarioGround) -> str:
    """Return in words what a side says about the ground."""
    parts = [f"{row['location']} is Controlled by {cg.word_for(row['side'])}" for row in answer["control"]]
    parts += [f"{row['now']} in {row['at']}" for row in answer["fires"]]
    parts += [f"{row['what']} in {row['at']}" + (" is gone" if row["gone"] else "") for row in answer["terrain"]]
    for row in answer["works"]:
        work = f"{row['kind']} of the {cg.word_for(row['side'])} in {row['at']}" if row["kind"] else row["fort"]
        parts.append(f"{work} {row['do']}")
    parts += [f"{cg.word_for(row['side'])} {row['points']:+d} CVP ({row['why']})" for row in answer["cvp"]]
    parts += ["it rained long enough"] if answer.get("rain") else []
    parts += [f"Massacre by {cg.word_for(side)}" for side in answer.get("massacre", ())]
    return "; ".join(parts) or "nothing changed"


# Checks -----------------------------------------------------------------------------------------


def scenario_ground_problems(cg: Hasl, answer: ScenarioGround) -> list[Problem]:
    """Return everything that is wrong with what both enter about the ground."""
    strategic = strategic_by_report(cg, answer) if answer["control"] else frozenset[str]()
    problems = [
        *shared.ground_problems(cg, BOTH, answer, strategic, "a Strategic Location"),
        *shared.fort_problems(cg, BOTH, "works", answer["works"], open_works(cg.state)),
        *shared.point_problems(answer),
    ]
    rows = list(rows_of("cvp", answer["cvp"], "points", "why"))
    for side in SIDES:
        amassed = cg.state.side(side).cvp
        change = sum(row["points"] for _, row in rows if row["side"] == side)
        if amassed + change < 0:
            problems.append(
                Problem(
                    f"{change} CVP for the {cg.side(side).name}, who have {amassed}", "no side has fewer than 0", "cvp"
                )
            )
    return problems


def strategic_by_report(cg: Hasl, answer: ScenarioGround) -> frozenset[str]:
    """Return the Strategic Locations that both know, with those that the report itself makes."""
    locations = set(strategic_locations(cg))
    locations |= {
        gun.at
        for gun in cg.state.units.values()
        if gun.kind == "gun" and gun.known and gun.on_map and gun.at and not gun.has(*NOT_WORKING)
    }
    return frozenset(locations).union(shared.new_strategic(cg, BOTH, answer["terrain"], answer["works"], ENTRENCHMENTS))


def open_works(state: BoardState) -> dict[str, Fort]:
    """Return the fortifications on the map that both sides know, by id."""
    return {fort.id: fort for fort in state.forts.values() if not fort.hidden and fort.at}


# What follows -----------------------------------------------------------------------------------


@implements("ER CG14")
def ground_facts(cg: Hasl, answer: ScenarioGround) -> Iterator[Fact]:
    """Yield what follows from what both sides say about the ground."""
    yield from shared.fire_facts(cg, answer["fires"])
    yield from shared.terrain_facts(cg, answer["terrain"])
    for row in answer["works"]:
        yield shared.place_fort(cg, row["side"], row) if row["do"] == PLACED else FortGone(fort=row["fort"], why=WHY)
    yield from change_control(cg, shared.control_claims(cg, answer["control"]), WHY)
    for points in answer["cvp"]:
        yield CvpScored(side=points["side"], points=points["points"], why=points["why"].strip())
    if answer.get("rain"):
        yield RainFell(why=f"{cg.variant.rain_turns} consecutive Player Turns or more")
    for side in answer.get("massacre", ()):
        if not cg.state.side(side).massacre:
            yield MassacreInvoked(side=side, why="committed in play (A20.4)")


# Automatic play ---------------------------------------------------------------------------------


def suggest_ground(cg: Hasl, rng: Random) -> dict[str, Any]:
    """Return plausible changes of the ground, made up from what both sides know."""
    story = ReportMaker(cg, SIDES[0], rng, frozenset())
    held, control = cg.state.ground.control, []
    for at in strategic_locations(cg):
        # Only one side is seen to stand there.
        seen = {unit.side for unit in cg.state.at(at) if unit.known and unit.kind in INFANTRY}
        if len(seen) == 1 and held.get(at) not in seen and story.chance(80):
            control.append({"location": at, "side": min(seen)})
    burning = make_fires(story, rng.choice(["flame", "blaze"]), 15)
    return {"control": control, "fires": burning, "terrain": make_rubble(story, 5), "cvp": []}
