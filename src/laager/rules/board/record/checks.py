"""What a record can't mean: numbers twice, Locations that the map lacks, weapons of nobody, sums that don't add up.

The checks look at a state that was made from the record, and say where in it something is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from laager.base import Problem, RefusedError, did_you_mean
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.places import hex_problem, place_problem
from laager.rules.board.record.parts import battle_part
from laager.rules.board.record.shorthand import UNKNOWN
from laager.rules.board.units import Fort, Place, Unit

Section = Mapping[str, Any]


def common_problems(cg: CardContext, section: Section) -> Iterator[Problem]:
    """Yield what is wrong with what everybody knows, as a state has it; paths are those of the public section."""
    ground = cg.state.ground
    for name, by_hex in (("control", True), ("changes", True), ("crests", False)):
        for at in getattr(ground, name):
            wrong = place_problem(cg, "", at) if by_hex else hex_problem(cg, at)
            if wrong is not None and not (name == "control" and _was_printed(cg, at)):
                yield Problem(*wrong, field=f"ground.{name}.{at}")
    for name in ("flames", "blazes", "burnt", "cleared"):
        for at in sorted(getattr(ground, name)):
            if wrong := hex_problem(cg, at):
                yield Problem(*wrong, field=f"ground.{name}")
    for at, side in (*ground.control.items(), *ground.crests.items()):
        if side not in SIDES:
            yield Problem(f"{side!r} is no side", f"one of {', '.join(SIDES)}", field=f"ground.control.{at}")
    for side in SIDES:
        yield from (problem.inside(side) for problem in side_problems(cg, side, section.get(side, {})))
    yield from _sums(cg)


def _was_printed(cg: CardContext, at: str) -> bool:
    """Whether the printed map has a Location: Control of a level that has fallen stays on record."""
    name = at.partition(".")[0]
    return name in cg.map and at in cg.map.printed.locations(name)


def battle_problems(cg: CardContext, later: bool) -> Iterator[Problem]:
    """Yield what is wrong with the number of the present battle, and with the line of the one before it.

    `later`: a first battle has been played. The line is needed because rules look back to it.
    """
    state = cg.state
    name, before = battle_part(type(state)), state.number - 1
    if not 1 <= state.number <= cg.battles:
        yield Problem(f"the card has no battle {state.number}", f"1 to {cg.battles}", f"{name}.number")
    elif later and state.number == 1:
        right = f"write its number, such as {name}: {{number: 2}}"
        yield Problem("this round comes after a first battle, and the present one is the first", right, name)
    elif before > 0 and before not in {battle.number for battle in state.past}:
        right = f"add it; what you don't know can be {UNKNOWN}"
        yield Problem(f"battle {before} has no line on the CG Roster", right, "past")


def side_problems(cg: CardContext, side: str, section: Section, public: Section | None = None) -> Iterator[Problem]:
    """Yield what is wrong with the lines of a side's section, as the state of that side has them.

    `public` is what everybody knows of the side, where the section is its own.
    """
    state, sections = cg.state, (section, public or {})
    # Lines that couldn't be read are not in the state; their own problems say why.
    named = ["", *(key for section in sections for part in ("units", "groups") for key, _ in _lines(section, part))]
    for key, said in _lines(section, "units"):
        if unit := state.units.get(key):
            yield from (problem.inside(f"units.{key}") for problem in _unit_problems(cg, unit, said, named))
    for key, _ in _lines(section, "forts"):
        if fort := state.forts.get(key):
            yield from (problem.inside(f"forts.{key}") for problem in _fort_problems(cg, fort))
    for key, _ in _lines(section, "groups"):
        if group := state.groups.get((side, key)):
            yield from (problem.inside(f"groups.{key}") for problem in _group_problems(cg, side, group))
    own = state.sides[side]
    for name in ("elr", "san"):
        if getattr(own, name) < 0:
            yield Problem(f"{name.upper()} {getattr(own, name)} is too low", "0 or more", f"numbers.{name}")


def _lines(section: Section, name: str) -> Iterator[tuple[str, Section]]:
    lines = section.get(name)
    if isinstance(lines, Mapping):
        yield from ((key, line if isinstance(line, Mapping) else {}) for key, line in lines.items())


def _unit_problems(cg: CardContext, unit: Unit, said: Section, named: Collection[str]) -> Iterator[Problem]:
    yield from _number_problem(unit.id, unit.side, "")
    if "type" in said:
        yield from _type_problems(cg, unit)
    if unit.place is Place.MAP and unit.at is None:
        yield Problem("stands on the map, but nowhere", "name its Location", "at")
    elif unit.place is not Place.MAP and unit.in_play and unit.at is not None:
        yield Problem(f"is {unit.place.value} and in {unit.at} at once", "keep one of the two", "at")
    if unit.on_map and unit.at is not None and (wrong := place_problem(cg, unit.side, unit.at)):
        yield Problem(*wrong, field="at")
    if unit.with_unit and unit.in_play:
        yield from _holder_problems(cg, unit, named)
    if "group" in said and unit.group not in named and (unit.side, unit.group) not in cg.state.groups:
        groups = [group for side, group in cg.state.groups if side == unit.side]
        yield Problem(f"there is no group {unit.group}", did_you_mean(unit.group, groups, "there are"), "group")


def _type_problems(cg: CardContext, unit: Unit) -> Iterator[Problem]:
    try:
        nation = cg.catalogue.nation(unit.nation)
    except RefusedError as err:
        yield err.at("nation")
        return
    try:
        nation.unit(unit.type)
    except RefusedError as err:
        # An armor leader is called by his modifier, which no nation lists.
        if unit.kind != "armor-leader":
            yield err.at("type")


def _holder_problems(cg: CardContext, unit: Unit, named: Collection[str]) -> Iterator[Problem]:
    holder = cg.state.units.get(unit.with_unit)
    if holder is None:
        if unit.with_unit[:2] == unit.side[:2].upper() and unit.with_unit not in named:
            yield Problem(f"is with {unit.with_unit}, which there isn't", "name a unit of the record", "with_unit")
    elif not holder.in_play:
        yield Problem(f"is with {holder.id}, which is {holder.place.value}", "name who has it now", "with_unit")
    elif unit.on_map and holder.on_map and holder.at != unit.at:
        yield Problem(f"is in {unit.at}, and {holder.id} that has it in {holder.at}", "put both in one Location", "at")


def _fort_problems(cg: CardContext, fort: Fort) -> Iterator[Problem]:
    yield from _number_problem(fort.id, fort.side, "F")
    kinds = cg.fort_kinds
    if fort.kind not in kinds:
        yield Problem(f"there is no fortification {fort.kind!r}", did_you_mean(fort.kind, kinds, "there are"), "kind")
    if fort.at is not None and (wrong := place_problem(cg, fort.side, fort.at)):
        yield Problem(*wrong, field="at")


def _group_problems(cg: CardContext, side: str, group: Any) -> Iterator[Problem]:
    lines = cg.chart_keys(side)
    if lines and group.rg not in lines:
        right = did_you_mean(group.rg, lines, "its lines are")
        yield Problem(f"the chart has no line {group.rg!r}", right, "rg")


def _number_problem(name: str, side: str, also: str) -> Iterator[Problem]:
    letters = side[:2].upper() + also
    if not re.fullmatch(f"{letters}[0-9]+", name):
        yield Problem(
            f"{name} isn't a number of a {'fortification' if also else 'unit'} of this side", f"such as {letters}12"
        )


def _sums(cg: CardContext) -> Iterator[Problem]:
    """Yield totals that aren't the sum of their column on the roster, where the roster has the whole column."""
    state = cg.state
    whole = state.past and len(state.past) == state.number - 1
    for side in SIDES if whole else ():
        name, column = state.total_of(side)
        there, total = getattr(state.sides[side], name), sum(past.get(side, 0) for past in column)
        if all(column) and there != total:
            wrong = f"{name.partition('_')[0].upper()} {there} don't add up: the roster has {total}"
            yield Problem(wrong, "correct one of the two", f"{side}.numbers.{name}")
