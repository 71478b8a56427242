"""Sheets for a side of a HASL campaign while a scenario is played."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.scenario.play import game_end
from laager.rules.board.hasl.setup.oba import radio_keeper
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.sheets.roster import roster_sheet, weather_in_words
from laager.rules.board.setup.sheets import first_rows
from laager.rules.board.sheets.battle import BattleSheets, group_by_way
from laager.rules.board.sheets.records import Row, sees_secrets
from laager.rules.board.units import Mark, Place, Unit


def battle_sheets(cg: Hasl, side: str) -> tuple[Sheet, ...]:
    """Return the sheets of the present scenario; none before its sides know who moves first, and after play."""
    scenario = cg.state.scenario
    if scenario.play_ended or scenario.idle or not scenario.moves_first:
        return ()
    rosters = {of: roster_sheet(cg, of) for of in SIDES}
    secret = sees_secrets(cg.state, side)
    entering = _entering(cg, side) if secret else {}
    batteries = tuple(_batteries(cg, side)) if secret else ()
    return BattleSheets(cg, side, _standing(cg), rosters, game_end(cg), entering, batteries).sheets()


def _standing(cg: Hasl) -> Iterator[tuple[str, str]]:
    scenario = cg.state.scenario
    yield "CG Date", f"{cg.date.title}, {cg.state.number} of {len(cg.card.dates)}"
    yield "Scenario", scenario.kind
    yield "Weather", weather_in_words(scenario)
    yield from first_rows(cg, scenario.sets_up_first, scenario.moves_first)
    yield from (("To win at once", f"{cg.side(each.side).name}: {each.text}") for each in cg.card.victory.sudden)


def _entering(cg: Hasl, side: str) -> dict[str, list[Unit]]:
    """Return the units off the map by the Entry Areas by which they come, or why they stay away."""
    setting = Setting(cg, side)
    waiting = [unit for unit in cg.state.units_of(side) if unit.place is Place.OFF_MAP and not unit.has(Mark.PRISONER)]

    def arrival_words(unit: Unit) -> str:
        kept, entries = cg.variant.waiting_reason(cg, unit), setting.entries(unit)
        return kept or (f"enter by {' or '.join(entries)}" if entries else "stay off the map")

    return group_by_way(waiting, map(arrival_words, waiting))


def _batteries(cg: Hasl, side: str) -> Iterator[Row]:
    for group in cg.state.groups_of(side):
        if (group.black or group.red) and not group.used and not group.lost:
            aimed = f", Pre-Registered {', '.join(group.pre_registered)}" if group.pre_registered else ""
            pile = f"Draw Pile {group.black}B {group.red}R"
            holder = radio_keeper(cg, group)
            by = f"{group.equipment} {holder.id if holder is not None else ''}".strip()
            yield f"{group.id} {group.name}".strip(), by + aimed, pile
