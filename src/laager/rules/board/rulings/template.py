"""A ruling's file to fill in: what holds now, all of it commented out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import UMPIRE
from laager.campaign.engine import Campaign
from laager.rules.board.context import CardContext
from laager.rules.board.record import parts
from laager.rules.board.rulings.lines import FIXED, WRITABLE
from laager.rules.board.rulings.ruling import base_contexts
from laager.rules.board.rulings.units import OWN_FIELDS
from laager.rules.board.units import Fort, Unit

HEAD = """\
laager: ruling/1
why: ""     # your reason, which everybody reads
# Below stands what holds now. Take away the # of the lines to change, and of the heading above them,
# and write what holds from now on. What you don't name stays as it is. Of a list you can also
# say what comes and goes: marks: [+broken, -cx].
"""
NEW_LINES = """\
# new:
#   units:      # at: and with: as above; as: is a word for it in this file
#     - {{side: {side}, type: {type}, at: {at}, as: A}}
#   forts:
#     - {{side: {side}, kind: foxhole, size: "1", at: {at}}}
#   groups:
#     - {group}
"""
PARTS = ("sides", "groups", "areas", "fight", "scenario", "past", "ground", "campaign")
"""The parts after units and fortifications, in the order of the file."""
LONGEST_LINE = 100
"""Longest mapping that stands on one line, in characters."""


def ruling_template(campaign: Campaign, by: str) -> str:
    """Return a ruling's file for a side (or the umpire) to fill in, with what it may know."""
    _, cg = base_contexts(campaign, by)
    return "".join((HEAD, *_lines(cg, by)))


def write_yaml(data: Mapping[str, Any]) -> str:
    """Return a ruling's data as the text of its file."""
    text = []
    for name, value in data.items():
        if isinstance(value, dict) and value:
            text.append(f"{name}:\n")
            text += [f"  {_key(key)}: {_flow(held)}\n" for key, held in value.items()]
        else:
            text.append(f"{name}: {value if name == 'laager' else _flow(value)}\n")
    return "".join(text)


def _key(key: str) -> str:
    return key if key.isalnum() else _flow(key)


def _lines(cg: CardContext, by: str) -> Iterator[str]:
    units = [unit for unit in cg.state.units.values() if unit.in_play]
    if units:
        yield "# units:      # gone: eliminated, captured, evacuated, recalled or removed\n"
        for unit in units:
            fate = unit_values(unit, by)
            yield f"#   {unit.id}: {_flow(fate)}     # {unit.label}, {cg.people_of(unit.side)}\n"
    if cg.state.forts:
        yield "# forts:      # gone: true strikes one\n"
        for key, fort in cg.state.forts.items():
            yield f"#   {key}: {_flow(fort_values(fort))}     # {cg.people_of(fort.side)}\n"
    yield _new(cg, by)
    for name in PARTS:
        if name in parts.parts_of(type(cg.state)):
            yield from _part(cg, name, by)
    readings = {name: cg.reading(name) for name in cg.readings}
    yield f"# readings: {_flow(readings)}\n"


def unit_values(unit: Unit, by: str) -> dict[str, Any]:
    """Return what a ruling can say of a unit, as it holds now."""
    values: dict[str, Any] = {"at": unit.at} if unit.at else {"place": unit.place.value}
    values["marks"] = sorted(mark.value for mark in unit.marks)
    values["with"] = unit.with_unit
    values |= {"name": unit.name} if unit.name else {}
    if by in (UMPIRE, unit.side):
        values["known"] = unit.known
        values |= {name: parts.to_plain(getattr(unit, name)) for name in OWN_FIELDS if getattr(unit, name)}
    return values


def fort_values(fort: Fort) -> dict[str, Any]:
    """Return what a ruling can say of a fortification, as it holds now."""
    said = _pick_unusual(fort) | {"hidden": fort.hidden}
    return {name: value for name, value in said.items() if name != "side"}


def _pick_unusual(line: Any) -> dict[str, Any]:
    """Return the fields of a line, but its number, that aren't what every line has unless it says so."""
    usual = parts.defaults(type(line))
    plain = {name: value for name, value in parts.to_plain(line).items() if name != "id"}
    return {name: value for name, value in plain.items() if name not in usual or usual[name] != value}


def _new(cg: CardContext, by: str) -> str:
    side = next(iter(cg.state.sides)) if by == UMPIRE else by
    own = [unit for unit in cg.state.units.values() if unit.side == side]
    at = next((unit.at for unit in own if unit.at), None) or min(cg.map.playable)
    group = next((_pick_unusual(group) for group in cg.state.groups_of(side)), {"side": side, "rg": "I1"})
    type_ = next((unit.type for unit in own if unit.kind == "squad"), "4-6-7")
    return NEW_LINES.format(side=side, type=type_, at=at, group=_flow(group))


def _part(cg: CardContext, name: str, by: str) -> Iterator[str]:
    """Yield the lines of a part with what its fields hold now, those that a ruling can name."""
    part = parts.find_part(cg.state, name)
    lines = {key: _values(cg, part, key, line, by) for key, line in part.lines(cg.state).items()}
    if not any(lines.values()):
        return
    yield f"# {name}:\n"
    for key, values in lines.items():
        if key and values:
            yield f'#   "{key}":\n' if ":" in key else f"#   {key}:\n"
        for field, value in values.items():
            indent = "  " if key else ""
            text = _flow(value)
            if len(text) <= LONGEST_LINE or not isinstance(value, dict):
                yield f"#   {indent}{field}: {text}\n"
                continue
            yield f"#   {indent}{field}:\n"
            yield from (f"#     {indent}{item}: {_flow(held)}\n" for item, held in value.items())


def _values(cg: CardContext, part: parts.Part, key: str, line: Any, by: str) -> dict[str, Any]:
    values = {}
    for field in part.fields:
        known = parts.who_knows(cg.state, parts.Ref(part.name, key, field))
        if (field not in FIXED or (part.name, field) in WRITABLE) and (
            known is None or known == () or by in (UMPIRE, *known)
        ):
            values[field] = parts.to_plain(getattr(line, field))
    return values


def _flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    return json.dumps(value, ensure_ascii=False)
