"""A report on a scenario made up by chance, for automatic play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, carried_by
from laager.rules.board.ground import can_burn
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.report.form import hidden_works, modules
from laager.rules.board.report import suggest
from laager.rules.board.report.form import EXITED
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.report.suggest import REACH, one_of, units_by_chance
from laager.rules.board.units import Mark


@dataclass
class Story(suggest.Story):
    """A side's report in the making on a campaign of this family."""

    cg: Hasl


def suggest_report(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    """Return a plausible report of a side on its OB, filled in by chance."""
    edge = {name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow)}
    units = cg.state.units_of(side)
    waiting = frozenset(unit.id for unit in units if cg.variant.kept_off(cg, unit))
    story = Story(cg, side, rng, frozenset(edge), waiting)
    units_by_chance(story)
    _exits(story)
    return {"units": story.rows, "modules": _modules(story), "revealed": _found(story)}


def _exits(story: Story) -> None:
    """Who is near the edge of the map may leave it, where that is allowed."""
    cg, listed = story.cg, {row["unit"] for row in story.rows}
    for unit in list(cg.state.units_of(story.side, *INFANTRY)):
        told = {unit.id, *(item.id for item in carried_by(cg, unit))} & listed
        free = unit.on_map and not unit.with_unit and not told
        if not free or unit.has(Mark.PRISONER, *IMMOBILE) or not story.chance(20):
            continue
        near = cg.sort(cg.map.within([unit.hex or ""], REACH) & cg.map.playable)
        ways = [(name, cg.variant.exit_areas(cg, unit, name)) for name in near]
        allowed = [(name, areas) for name, areas in ways if areas]
        if allowed:
            at, areas = story.rng.choice(allowed)
            area = story.rng.choice(list(areas))
            story.rows.append({"unit": unit.id, "fate": EXITED, "at": at, "area": area})


def _modules(story: Story) -> list[dict[str, Any]]:
    rows = []
    for module in modules(story.cg, story.side):
        in_play = story.chance(50)
        row = {"group": module.id, "in_play": in_play, "placed": in_play and story.chance(50)}
        rows.append(row)
    return rows


def _found(story: Story) -> list[str]:
    return [fort.id for fort in hidden_works(story.cg, story.side) if story.chance(20)]


# The ground -------------------------------------------------------------------------------------


def suggest_ground(cg: Hasl, rng: Random) -> dict[str, Any]:
    """Return plausible changes of the ground, made up from what both sides know."""
    story = Story(cg, SIDES[0], rng, frozenset())
    return {"control": _control(story), "fires": _fires(story), "terrain": _rubble(story), "cvp": []}


def _control(story: Story) -> list[dict[str, Any]]:
    """Gain Control where only one side is seen to stand."""
    cg, held = story.cg, story.cg.state.ground.control
    rows = []
    for at in strategic_locations(cg):
        seen = {unit.side for unit in cg.state.at(at) if unit.known and unit.kind in INFANTRY}
        if len(seen) == 1 and held.get(at) not in seen and story.chance(80):
            rows.append({"location": at, "side": min(seen)})
    return rows


def _fires(story: Story) -> list[dict[str, Any]]:
    ground = story.cg.state.ground
    able = [name for name in story.cg.map.playable if can_burn(story.cg, name)]
    able = [name for name in able if name not in ground.flames | ground.blazes]
    now = story.rng.choice(["flame", "blaze"])
    return [{"at": at, "now": now} for at in one_of(story, able, 15)]


def _rubble(story: Story) -> list[Mapping[str, Any]]:
    changed = story.cg.state.ground.changes
    built = [
        name
        for name in story.cg.map.playable
        if story.cg.map.hex(name).building and "rubble" not in changed.get(name, ())
    ]
    return [{"at": at, "what": "rubble"} for at in one_of(story, built, 5)]
