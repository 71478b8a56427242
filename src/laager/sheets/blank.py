"""The battle report as a form to be filled in at the table: units, Control, fires, works, CVP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from laager.campaign import Column
from laager.rules.board.report.marks import FITS
from laager.rules.board.units import IN_PLAY, Mark, Place
from laager.sheets.desk import Desk
from laager.sheets.leaf import Block, FormRow, FormTable, Leaf, SideBySide, bold, room, ticks
from laager.sheets.offer import FormOffer
from laager.sheets.setup import KEY
from laager.sheets.words import mark_texts

HEIGHT = 12.5
"""Rows that are written in by hand, in points."""

FATES = mark_texts("Exited", "Elim", "Capt", "Recall", "Gone")

(REPORT_LEGEND,) = mark_texts(
    "Tick a fate only for units that are no longer on the map. Give the Location "
    "of every unit that moved, and tick all markers that are on it. A prisoner: Pris, and With: "
    "its guard."
)

SHORT: Mapping[Mark, str] = {
    Mark.BROKEN: "Br",
    Mark.DM: "DM",
    Mark.DISRUPTED: "Disr",
    Mark.PIN: "Pin",
    Mark.TI: "TI",
    Mark.CX: "CX",
    Mark.BERSERK: "Bers",
    Mark.FANATIC: "Fan",
    Mark.WOUNDED: "Wnd",
    Mark.HEROIC: "Her",
    Mark.ENCIRCLED: "Enc",
    Mark.CONCEALED: "?",
    Mark.HIP: "HIP",
    Mark.CLOAKED: "Clk",
    Mark.PRISONER: "Pris",
    Mark.UNGUARDED: "Ung",
    Mark.CLIMBING: "Climb",
    Mark.MELEE: "Mel",
    Mark.TANK_HUNTER: "TH",
    Mark.MALFUNCTIONED: "Malf",
    Mark.DISABLED: "Dis",
    Mark.LOW_AMMO: "LowA",
    Mark.DISMANTLED: "dm",
    Mark.MOTION: "Mot",
    Mark.BUTTONED_UP: "BU",
    Mark.CREW_EXPOSED: "CE",
    Mark.HULL_DOWN: "HD",
    Mark.STUN: "Stun",
    Mark.SHOCK: "Shk",
    Mark.UNKNOWN: "UK",
    Mark.BOGGED: "Bog",
    Mark.MIRED: "Mire",
    Mark.IMMOBILIZED: "Imm",
    Mark.ABANDONED: "Abd",
    Mark.MA_MALFUNCTIONED: "MAmalf",
    Mark.MA_DISABLED: "MAdis",
    Mark.MINEFIELD: "Mine",
    Mark.INEXPERIENCED: "Inx",
    Mark.RECALL: "Rcl",
    Mark.ACQUIRED: "Acq",
    Mark.WRECK: "Wrk",
    Mark.BURNING: "Brn",
    Mark.BURNT_OUT: "Out",
}
"""How a marker is called on the form; the legend spells it out."""


def report_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the report of each side whose units the viewer may know."""
    if desk.over:
        return
    for side in desk.sides:
        if desk.mine(side) and any(True for _ in _units_in_play(desk, side)):
            yield _offer(desk, side)


def _units_in_play(desk: Desk, side: str) -> Iterator[Mapping[str, Any]]:
    for unit in desk.units:
        if unit["side"] == side and Place(unit["place"]) in IN_PLAY:
            yield unit


def _offer(desk: Desk, side: str) -> FormOffer:
    words = desk.words
    title = desk.of_side(words("Battle report"), side)

    def make() -> Leaf:
        units = tuple(_units_in_play(desk, side))
        legend = (words(REPORT_LEGEND), _legend(desk, units))
        blocks = tuple(_blocks(desk, side, units))
        return Leaf(title, desk.boxes(side), blocks, landscape=True, size=7.5, legend=legend)

    return FormOffer("report", title, side, make)


def _legend(desk: Desk, units: Sequence[Mapping[str, Any]]) -> str:
    kinds = {unit["kind"] for unit in units}
    shown = ", ".join(f"{short} {mark.value}" for mark, short in SHORT.items() if FITS[mark] & kinds)
    return desk.words("Markers: {marks}.", marks=shown)


def _blocks(desk: Desk, side: str, units: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    words = desk.words
    yield _close(desk)
    yield _units(desk, side, units)
    columns = desk.columns("Type", "Out of", "At the end in", "Markers", "With", "Name")
    yield _lines_to_fill_in(words("Units that came into being in play"), columns, 4)
    yield _control(desk, BLOCKS, desk.told.get("block_control", {}))
    yield _control(desk, LOCATIONS, desk.told.get("ground", {}).get("control", {}))
    yield SideBySide((_fires(desk), _changes(desk)))
    yield SideBySide((_works(desk, side), _modules(desk, side)))
    yield SideBySide(
        (
            _lines_to_fill_in(words("Enemy weapons that you hold"), desk.columns("Type", "Possessed by", "Markers"), 3),
            _lines_to_fill_in(words("CVP besides those for losses"), desk.columns("CVP", "For what"), 3),
        )
    )


def _close(desk: Desk) -> FormTable:
    """Return the single facts about the end of play."""
    words = desk.words
    sides = ticks(map(desk.name, desk.sides))
    massacre = desk.ticks("no", "yes")
    row = FormRow((room(50), sides, room(50), massacre, "", room(50)))
    columns = desk.columns("Last Game Turn", "Last Player Turn", "Change of SAN", "Massacre (A20.4)", "Signed", "Date")
    weights = (0, 0, 0, 0, 1, 0)
    return FormTable(words("At the end of play"), columns, (row,), least=HEIGHT, weights=weights)


# Units --------------------------------------------------------------------------------------------


def _units(desk: Desk, side: str, units: Sequence[Mapping[str, Any]]) -> FormTable:
    words = desk.words
    names = {
        row[0]: row[3] for sheet in desk.sheets_beside(KEY, side) if sheet.id == "setup-units" for row in sheet.rows
    }
    columns = desk.columns("ID", "Unit", "At", "At the end in", "Fate", "State when play ended", "With", "Now is")
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for unit in units:
        groups.setdefault(names.get(unit["id"], unit["group"]), []).append(unit)
    rows: list[FormRow] = []
    for group, held in sorted(groups.items(), key=lambda item: bool(item[0])):
        rows.append(FormRow((group or words("Units of no group"),), heading=True))
        rows += [_unit_row(desk, unit) for unit in held]
    return FormTable(
        words("What became of your units"), columns, tuple(rows), least=HEIGHT, weights=(0, 0, 0, 0, 0, 1, 0, 0)
    )


def _unit_row(desk: Desk, unit: Mapping[str, Any]) -> FormRow:
    words = desk.words
    marks = [Mark(name) for name in unit["marks"] if Mark(name) in SHORT]
    held = ", ".join(SHORT[mark] for mark in SHORT if mark in marks)
    place = unit["at"] if unit["place"] == Place.MAP and unit["at"] else words("not entered")
    return FormRow(
        (
            bold(unit["id"]),
            f"{unit['type']} {unit['name']}".strip(),
            f"{place} {held}".strip(),
            room(44),
            desk.ticks(*FATES),
            ticks(SHORT[mark] for mark in SHORT if unit["kind"] in FITS[mark]),
            unit["with_unit"] or room(34),
            room(34),
        )
    )


# The ground ---------------------------------------------------------------------------------------


BLOCKS = mark_texts("Control of Blocks (tick what changed)", "Block")
LOCATIONS = mark_texts("Control (tick what changed)", "Location")


def _control(desk: Desk, titles: tuple[str, ...], held: Mapping[str, str]) -> FormTable:
    """Return a table with a box to tick for each Location (or Block) and each side."""
    title, first = titles
    names = {side: desk.name(side).partition(" (")[0] for side in desk.sides}
    boxes = ticks((*names.values(), desk.words("nobody")))
    rows = [FormRow((bold(name), names.get(side, side), boxes)) for name, side in held.items()]
    spare = -len(rows) % ACROSS + ACROSS
    rows += [FormRow((room(24), "", boxes)) for _ in range(spare)]
    columns = desk.columns(first, "Now", "")
    return FormTable(desk.words(title), columns, tuple(rows), across=ACROSS, weights=(0, 0, 1))


ACROSS = 4
"""How many Locations stand side by side."""


def _fires(desk: Desk) -> FormTable:
    words, ground = desk.words, desk.told.get("ground", {})
    boxes = desk.ticks("Flame", "Blaze", "out")
    known = [(name, words("Flame")) for name in ground.get("flames", ())]
    known += [(name, words("Blaze")) for name in ground.get("blazes", ())]
    rows = [FormRow((bold(name), fire, boxes)) for name, fire in known]
    rows += [FormRow((room(44), "", boxes)) for _ in range(3)]
    columns = desk.columns("Hex", "Now", "")
    return FormTable(words("Flames and Blazes"), columns, tuple(rows), least=HEIGHT, weights=(1, 0, 1))


def _works(desk: Desk, side: str) -> FormTable:
    """Return the side's fortifications and those that it knows of, with room for new ones."""
    boxes = desk.ticks("placed", "found", "Gone")
    forts = [fort for fort in desk.told.get("forts", {}).values() if fort["at"]]
    forts = [fort for fort in forts if fort["side"] == side or not fort["hidden"]]
    rows = [FormRow((bold(fort["id"]), f"{fort['kind']} {fort['size']}".strip(), fort["at"], boxes)) for fort in forts]
    rows += [FormRow((room(24), "", "", boxes)) for _ in range(3)]
    columns = desk.columns("ID", "What", "At", "")
    return FormTable(desk.words("Fortifications"), columns, tuple(rows), least=HEIGHT, weights=(0, 1, 0, 0))


def _modules(desk: Desk, side: str) -> FormTable:
    """Return room for the OBA modules, the known ones filled in."""
    boxes = desk.ticks("no", "yes")
    groups = [group for group in desk.told.get("groups", ()) if group["side"] == side and not group["lost"]]
    names = [group["id"] for group in groups if _is_battery(group)]
    rows = [FormRow((bold(name), boxes)) for name in names]
    rows += [FormRow((room(44), boxes)) for _ in range(max(1, 3 - len(rows)))]
    columns = desk.columns("Module", "An FFE was placed")
    return FormTable(desk.words("OBA modules"), columns, tuple(rows), least=HEIGHT)


def _is_battery(group: Mapping[str, Any]) -> bool:
    """True if a group is an OBA module that is not used up."""
    drawn = bool(group.get("ammunition") or group.get("black") or group.get("red"))
    return drawn and not group["used"]


def _changes(desk: Desk) -> FormTable:
    """Return room for what changed on the map for good."""
    rows = tuple(FormRow((room(44), room(44), desk.ticks("no longer there"))) for _ in range(3))
    columns = desk.columns("Location", "Change", "")
    return FormTable(desk.words("Lasting changes of the map"), columns, rows, least=HEIGHT)


def _lines_to_fill_in(title: str, columns: tuple[Column, ...], lines: int) -> FormTable:
    """Return a table of empty lines."""
    rows = tuple(FormRow(tuple("" for _ in columns)) for _ in range(lines))
    return FormTable(title, columns, rows, least=HEIGHT)
