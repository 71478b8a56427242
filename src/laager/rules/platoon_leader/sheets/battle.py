"""What a side of Platoon Leader needs while a firefight is played."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.setup.sheets import first_rows
from laager.rules.board.sheets.battle import BattleSheets
from laager.rules.board.sheets.records import Row, sees_secrets
from laager.rules.board.units import Unit
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.game_end import game_end
from laager.rules.platoon_leader.firefight.play import edges, held_back, may_enter, waiting_reserves
from laager.rules.platoon_leader.sheets.roster import roster


def battle_sheets(cg: Cg, side: str) -> tuple[Sheet, ...]:
    """Return the sheets of the present firefight; none before its sides know who moves first, and after play."""
    fight = cg.state.fight
    if fight.play_ended or not fight.moves_first:
        return ()
    rosters = {each: roster(cg, each) for each in SIDES}
    secret = sees_secrets(cg.state, side)
    entering = _entering(cg, side) if secret else {}
    batteries = tuple(_batteries(cg, side)) if secret else ()
    return BattleSheets(cg, side, _standing(cg), rosters, game_end(cg), entering, batteries).sheets()


def _standing(cg: Cg) -> Iterator[tuple[str, str]]:
    fight, slot = cg.state.fight, cg.slot
    yield "Firefight", f"{fight.number} of {len(cg.card.firefights)}"
    yield "Type", cg.name_battle(fight.type) if fight.type else ""
    yield "Date", f"{slot.date} {slot.time}"
    yield "Weather", fight.weather
    yield from first_rows(cg, fight.sets_up_first, fight.moves_first)
    objectives = cg.card.objectives
    yield from (
        ("To win at once", f"{cg.side(objective.side).name}: {objective.text}") for objective in objectives.sudden
    )
    if fight.initial:
        yield from (
            ("To win this firefight", f"{cg.side(objective.side).name}: {objective.text}")
            for objective in objectives.initial
        )


def _entering(cg: Cg, side: str) -> dict[str, list[Unit]]:
    where = " or ".join(edges(cg, side))
    entry = f"may enter by {where}, from turn 1" if where else "can't enter: the card names no map edge or hex for it"
    return {
        entry: may_enter(cg, side),
        "In Reserve, stay off the map": held_back(cg, side),
        "In Reserve under Cloaking counters on the map, until activated": waiting_reserves(cg, side),
    }


def _batteries(cg: Cg, side: str) -> Iterator[Row]:
    for module in modules(cg, side):
        if module.usable:
            ammunition = cg.table("oba-ammunition").words(module.ammunition) if module.ammunition else ""
            line = cg.side(side).group(module.rg)
            aimed = f", pre-registered {module.pre_registered}" if module.pre_registered else ""
            yield f"{module.id} {line.name if line else ''}".strip(), module.equipment + aimed, ammunition
