"""A battle report made up by chance, for automatic play: some losses, moves, Control gained."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from laager.rules.board.changes import INFANTRY
from laager.rules.board.ground import can_burn
from laager.rules.board.report import suggest
from laager.rules.board.report.suggest import one_of, units_by_chance
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.play import held_back


@dataclass
class Story(suggest.Story):
    """A report in the making on a campaign of this rule system."""

    cg: Cg


def suggest_report(cg: Cg, side: str, rng: Random) -> dict[str, Any]:
    """Return a plausible battle report filled in by chance."""
    waiting = frozenset(unit.id for unit in held_back(cg, side))
    story = Story(cg, side, rng, frozenset(cg.edge(side)), waiting)
    units_by_chance(story)
    ground = cg.state.side(side)
    return {
        "units": story.rows,
        "oba": _oba(story),
        "control": _control(story),
        "fires": _fires(story),
        "terrain": _rubble(story),
        "san": -1 if ground.san > 2 and story.chance(10) else 0,
    }


# The ground -------------------------------------------------------------------------------------


def _oba(story: Story) -> list[dict[str, Any]]:
    usable = [module for module in modules(story.cg, story.side) if module.usable]
    most = charts().limit("oba-modules")
    return [{"group": module.id, "used": story.chance(40)} for module in usable[:most]]


def _control(story: Story) -> list[dict[str, Any]]:
    """Gain Control where only this side stands, as far as it knows."""
    taken = {enemy.at for enemy in story.enemies(*INFANTRY, "afv", "vehicle")}
    own = story.cg.state.ground.control
    gained = [
        at for at in story.cg.strategic() if at in story.held - taken and own.get(at) != story.side and story.chance(80)
    ]
    return [{"location": at, "side": story.side} for at in gained]


def _fires(story: Story) -> list[dict[str, Any]]:
    ground = story.cg.state.ground
    able = [name for name in story.cg.map.playable if can_burn(story.cg, name)]
    able = [name for name in able if name not in ground.flames | ground.blazes]
    return [{"at": at, "now": "flame"} for at in one_of(story, able, 12)]


def _rubble(story: Story) -> list[dict[str, Any]]:
    changed = story.cg.state.ground.changes
    built = [
        name
        for name in story.cg.map.playable
        if story.cg.map.hex(name).building and "rubble" not in changed.get(name, ())
    ]
    return [{"at": at, "what": "rubble"} for at in one_of(story, built, 4)]
