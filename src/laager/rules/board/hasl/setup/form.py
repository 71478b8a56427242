"""The form of the setup question: one row for each unit, fortification and OBA module."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base.counting import some
from laager.campaign import Choice, Field, Number, Option, Record, Rows, Several, Text, YesNo
from laager.rules.board.hasl.setup.forts import proposed_forts
from laager.rules.board.hasl.setup.oba import module_fields
from laager.rules.board.hasl.setup.plan import STATES, Setting
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NONE
from laager.rules.board.units import Unit


def text_of(setting: Setting) -> str:
    """Return what is asked."""
    count = len(setting.units)
    which = " that is Isolated" if setting.isolated else ""
    if count == 1:
        return f"How does your one unit{which} set up or enter?"
    which = " that are Isolated" if setting.isolated else ""
    return f"How do your {some(count, 'unit')}{which} set up or enter?"


def form_of(setting: Setting) -> Record:
    """Return the form of the answer; a part that the side has nothing for is left out."""
    return Record(tuple(_fields(setting)))


def _fields(setting: Setting) -> Iterator[Field]:
    if setting.units:
        yield Field("units", Rows(_unit_row(setting)), "Units", [])
    if setting.forts:
        forts = proposed_forts(setting)
        yield Field("forts", Rows(_fort_row(setting)), "Fortifications and Dummies", forts)
    yield from module_fields(setting)


def _unit_row(setting: Setting) -> Record:
    units = tuple(Option(unit.id, _label(unit)) for unit in setting.units)
    arrows = dict.fromkeys(name for unit in setting.units for name in setting.entries(unit))
    entries = (Option("", "none"), *(Option(name, f"Entry Area {name}") for name in arrows))
    ways = (
        Option(NONE, "openly"),
        Option(CONCEALED, 'under "?"'),
        Option(HIDDEN, "hidden (HIP)"),
        Option(CLOAKED, "Cloaked"),
    )
    states = tuple(Option(name) for name in STATES)
    return Record(
        (
            Field("unit", Choice(units), "Unit"),
            Field("at", Text(limit=20), "Location", ""),
            Field("entry", Choice(entries), "Enters by", ""),
            Field("hide", Choice(ways), "How", NONE),
            Field("with", Text(limit=20), "SW, Gun: possessed by; else: vehicle", ""),
            Field("state", Several(states), "State", []),
        )
    )


def _fort_row(setting: Setting) -> Record:
    forts = tuple(Option(fort.id, f"{fort.kind} {fort.size}".strip()) for fort in setting.forts)
    return Record(
        (
            Field("fort", Choice(forts), "Fortification"),
            Field("at", Text(limit=20), "Location"),
            Field("hexside", Text(limit=60), "Hex beyond its hexside", ""),
            Field("count", Number(1, 99), 'How many "?"', 1),
            Field("show", YesNo(), "Openly on map", False),
            Field("dc", Text(limit=20), "The DC that is set", ""),
        )
    )


def _label(unit: Unit) -> str:
    return f"{unit.label} of {unit.group}" if unit.group else unit.label
