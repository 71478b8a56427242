"""The Purchase Roster with the sections and columns of the printed form (H1-ROSTER).

It is there from the first purchase on: each section shows what has been recorded so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from laager.base import RefusedError
from laager.campaign import Column, Sheet, implements
from laager.catalogue.dyo import UNKNOWN, mark_type
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import squads_words
from laager.rules.design_your_own.lines.infantry import InfantryLine, Subsection, ab_marks, identities, rule_line
from laager.rules.design_your_own.lines.oba import Contact, ammunition_mark, contact_mark, oba_size
from laager.rules.design_your_own.lines.pieces import DASH, limit_of
from laager.rules.design_your_own.lines.support import roster_text
from laager.rules.design_your_own.ob import BatteryEntry, Dr, InfantryEntry, VehicleEntry
from laager.rules.design_your_own.sheets import columns_of
from laager.rules.design_your_own.sheets.offers import points_sheet
from laager.rules.design_your_own.sheets.origins import values_section

TOTAL = "Total"


@implements("DYO H1-ROSTER")
def roster(cg: Cg, side: str) -> tuple[Sheet, ...]:
    """Return a side's Roster: its points, its Infantry, and every section with something in it (H1-ROSTER)."""
    made = [points_sheet(cg, side), *(section(cg, side) for section in SECTIONS.values())]
    return tuple(sheet for sheet in made if sheet.rows)


def section_for_question(cg: Cg, side: str, key: str) -> Sheet | None:
    """Return the section of the Roster that a question adds to; None while it is empty."""
    # A turn or a contingent may stand behind the name of the question.
    known = (name for asked, name in _ASKED_FOR.items() if key == asked or _more(key, asked))
    name = next(known, None)
    sheet = SECTIONS[name](cg, side) if name else None
    return sheet if sheet and sheet.rows else None


def _more(key: str, asked: str) -> bool:
    return asked in ("leaders", "reinforcement-share") and key.startswith(f"{asked}-")


# Infantry ---------------------------------------------------------------------------------------


@implements("DYO H1.21", "DYO H1.211", "DYO H1.74")
def infantry_section(cg: Cg, side: str) -> Sheet:
    """Return the Infantry by subsections, with the Equivalents of each in parentheses (H1.21, H1.211, H1.74)."""
    columns = columns_of("Class", "Type", "#>", "MPV ea>", "MPV>", "ID", "A/B", "Equiv #>")
    ob = cg.ob(side)
    lines = [(entry, _line(cg, side, entry)) for entry in ob.infantry]
    known = [line for _, line in lines if line is not None]
    ids = dict(zip(map(id, known), identities(known), strict=True))
    rows: list[tuple[str, ...]] = []
    for subsection in (*Subsection, None):
        name = subsection.value.capitalize() if subsection else "?"
        equivalents = ob.equivalents.get(subsection.value) if subsection else None
        shown = "" if equivalents is None else f"({equivalents})"
        for entry, line in lines:
            if (line.subsection if line else None) is subsection:
                rows.append((name, *_infantry_row(entry, line, ids.get(id(line), "")), shown))
                name = shown = ""
    if rows:
        rows.append(_infantry_totals(cg, side, known))
    notes = tuple(
        f"{entry.reinforcements} of the {entry.number} {entry.type}"
        f"{' bought last' if entry.purchase == 'second' else ''} enter as reinforcements"
        f"{_turns(entry)}"
        for entry in ob.infantry
        if entry.reinforcements
    )
    return _sheet(cg, side, "infantry", "Infantry", columns, rows, notes)


def _turns(entry: InfantryEntry) -> str:
    """Say when reinforcements of a line enter: ": 3 in turn 2, 1 in turn 5"."""
    turns = [f"{number} in turn {turn}" for turn, number in entry.entering.items() if turn]
    return f": {', '.join(turns)}" if turns else ""


def _line(cg: Cg, side: str, entry: InfantryEntry) -> InfantryLine | None:
    """Return a line as the rules see it; None if nobody has entered its class."""
    try:
        unknown = cg.nation(side).mmc(entry.type).grade is UNKNOWN
    except RefusedError:
        return None
    return None if unknown else rule_line(cg.nation(side), cg.month, entry)


def _infantry_row(entry: InfantryEntry, line: InfantryLine | None, ids: str) -> tuple[str, ...]:
    bonus = entry.purchase == "bonus"
    return (
        entry.type,
        str(entry.number),
        DASH if bonus else str(entry.each),
        DASH if bonus else str(entry.total),
        ids,
        ab_marks(line) if line else "",
    )


def _infantry_totals(cg: Cg, side: str, lines: list[InfantryLine]) -> tuple[str, ...]:
    ob = cg.ob(side)
    squads = sum((line.squads for line in lines), Fraction(0))
    mpv = sum(entry.total for entry in ob.infantry)
    equivalents = f"({sum(ob.equivalents.values())})" if ob.equivalents else ""
    return ("TOTALS", "squads", squads_words(squads), "", str(mpv), "", "", equivalents)


# Ordnance and vehicles --------------------------------------------------------------------------


@implements("DYO H1.3")
def ordnance_section(cg: Cg, side: str) -> Sheet:
    """Return the Guns (H1.3)."""
    columns = columns_of("Gun", "#>", "BPV ea>", "BPV>", "ID")
    section = cg.ob(side).ordnance
    rows = [(gun.type, str(gun.number), str(gun.each), str(gun.total), gun.ids)
            for gun in section.guns]  # fmt: skip
    if rows:
        number = sum(gun.number for gun in section.guns)
        rows.append((TOTAL, str(number), "", str(section.spent), ""))
    notes = _dr_note(cg, section.availability, motorized=False)
    return _sheet(cg, side, "ordnance", "Ordnance", columns, rows, notes)


def _dr_note(cg: Cg, dr: Dr | None, *, motorized: bool) -> tuple[str, ...]:
    limit = limit_of(cg.rulebook, dr, motorized=motorized)
    more = ", motorized" if motorized else ""
    return (f"Availability DR {dr.final}{more}: RF {limit} or less",) if dr else ()


@implements("DYO H1.4", "DYO H1.43", "DYO H1.46")
def vehicles_section(cg: Cg, side: str) -> Sheet:
    """Return the vehicles, one on a line: Armor Leader or OP, Sz, Gyro, optional armament (H1.4, H1.43, H1.46)."""
    columns = columns_of("Vehicle", "ID", "BPV>", "Arm. Ldr.", "Sz/Gyro", "Optional armament", "Total>")
    section = cg.ob(side).vehicles
    rows = [_vehicle_row(entry) for entry in section.entries]
    if section.motorized is not None:
        rows.append(("motorized unit", "", "", "", "", "", str(section.motorized)))
    if rows:
        rows.append((TOTAL, "", "", "", "", "", str(section.spent)))
    notes = _dr_note(cg, section.availability, motorized=section.motorized is not None)
    return _sheet(cg, side, "vehicles", "Vehicles", columns, rows, notes)


def _vehicle_row(entry: VehicleEntry) -> tuple[str, ...]:
    fittings = ", ".join("Gyro" if name == "G" else name for name in entry.fittings)
    arms = [f"{arm.name} {arm.cost}" for arm in entry.arms]
    arms += [f"{name} Disabled" for name in entry.disabled]
    leader = f"OP {entry.op}" if entry.op else entry.armor_leader
    total = str(entry.total)
    return (entry.type, entry.id, str(entry.bpv), leader, fittings, ", ".join(arms), total)


# OBA and the rest -------------------------------------------------------------------------------


@implements("DYO H1.51", "DYO H1.53", "DYO H1.531")
def oba_section(cg: Cg, side: str) -> Sheet:
    """Return the batteries, and Air Support; what was declined is in the notes (H1.51, H1.53, H1.531)."""
    columns = columns_of("OBA", "Size", "R/P:ID", "P/S", "BPV>", "Further costs", "Total>")
    ob = cg.ob(side)
    rows = [_battery_row(battery) for battery in ob.batteries]
    if ob.air is not None and ob.air.bought:
        bombs = "" if ob.air.exponent is None else f"bombs on a dr of {ob.air.exponent} or less"
        rows.append(("Air Support", "", "", "", str(ob.air.cost), bombs, str(ob.air.cost)))
    if rows:
        rows.append((TOTAL, "", "", "", "", "", str(ob.spent["oba"])))
    notes = [_declined_words(battery) for battery in ob.oba if not battery.bought]
    if ob.air is not None and not ob.air.bought:
        notes.append(f"Air Support: DR {ob.air.dr.final} against {ob.air.number}, not bought")
    return _sheet(cg, side, "oba", "OBA", columns, rows, tuple(notes))


def _battery_row(battery: BatteryEntry) -> tuple[str, ...]:
    contact = Contact(battery.contact) if battery.contact else Contact.RADIO
    extras = [f"{extra.number} x {extra.name} {extra.cost}" for extra in battery.extras]
    plentiful = battery.ammunition == "plentiful"
    return (
        battery.letter,
        oba_size(battery.size, battery.sort),
        contact_mark(contact, battery.letter),
        "S" if battery.ammunition == "scarce" else ammunition_mark(plentiful=plentiful),
        # Plentiful ammunition is in it (H1.53); further costs have a column of their own.
        str(battery.total - sum(extra.cost for extra in battery.extras)),
        ", ".join(extras),
        str(battery.total),
    )


def _declined_words(battery: BatteryEntry) -> str:
    if not battery.size:
        return f"OBA DR {battery.dr.final}: no battery"
    return f"OBA DR {battery.dr.final}: {battery.text} for {battery.bpv}, not bought"


@implements("DYO H1.6")
def fortifications_section(cg: Cg, side: str) -> Sheet:
    """Return the Fortifications (H1.6)."""
    columns = columns_of("Fortification", "#>", "BPV>")
    rows = []
    works = cg.ob(side).fortifications
    for work in works:
        row = cg.charts.fortifications.row(work.type)
        size = f" {work.capacity}+{work.ca_drm}+{work.nca_drm}" if work.capacity else ""
        per = f" (per {row.per})" if row.per else ""
        rows.append((f"{row.name}{size}{per}", str(work.number), str(work.total)))
    if rows:
        rows.append((TOTAL, "", str(cg.ob(side).spent["fortifications"])))
    return _sheet(cg, side, "fortifications", "Fortifications", columns, rows)


@implements("DYO H1.8", "DYO H1.84")
def leaders_section(cg: Cg, side: str) -> Sheet:
    """Return the leaders, in brackets those who come with the reinforcements (H1.8, H1.84)."""
    columns = columns_of("Leader", "#>")
    ob = cg.ob(side)
    later = Counter(ob.reinforcement_leaders)
    rows = [(type_, roster_text(number, later[type_])) for type_, number in ob.all_leaders.items()]
    notes = [
        f"in turn {group.turn}: {', '.join(group.leaders)}"
        for group in ob.reinforcement_groups
        if group.leaders and group.turn
    ]
    for of in cg.nations(side):
        own = ob.leaders_of(of)
        if own is None:
            continue
        if own.commissars:
            rows.append((mark_type("Commissar", of), str(own.commissars)))
        if own.traded:
            notes.append(f"by trade: one {mark_type(own.traded, of)}")
        if own.exchange is not None:
            change = f"{own.gained} for {own.lost}" if own.gained else "no effect"
            notes.append(f"{mark_type('Leader Exchange DR', of)} {own.exchange.final}: {change}")
    return _sheet(cg, side, "leaders", "Leaders", columns, rows, tuple(notes))


@implements("DYO H1.83", "DYO H1.84")
def sw_section(cg: Cg, side: str) -> Sheet:
    """Return the SW as they are written down: `9 + [1]` has one with the reinforcements (H1.83, H1.84)."""
    columns = columns_of("SW", "#>")
    ob = cg.ob(side)
    rows = [(sw.type, roster_text(sw.number, sw.reinforcement)) for sw in ob.sw]
    notes = tuple(
        f"in turn {group.turn}: {', '.join(f'{n} {name}' for name, n in group.sw.items())}"
        for group in ob.reinforcement_groups
        if group.sw and group.turn
    )
    return _sheet(cg, side, "sw", "SW", columns, rows, notes)


Rows = Sequence[tuple[str, ...]]


def _sheet(
    cg: Cg, side: str, name: str, title: str, columns: tuple[Column, ...], rows: Rows, notes: tuple[str, ...] = ()
) -> Sheet:
    heading = f"{title}, {cg.terms.name(side)}"
    return Sheet(name, heading, columns, tuple(rows), notes, side=side)


SECTIONS: Mapping[str, Callable[[Cg, str], Sheet]] = {
    "infantry": infantry_section,
    "ordnance": ordnance_section,
    "vehicles": vehicles_section,
    "oba": oba_section,
    "fortifications": fortifications_section,
    "leaders": leaders_section,
    "sw": sw_section,
    "values": values_section,
}
"""The sections of the Roster after Points Available, by the names of their sheets."""

_ASKED_FOR: Mapping[str, str] = {
    "second-infantry": "infantry",
    "reinforcements": "infantry",
    "bonus": "infantry",
    "leaders": "infantry",
    "optional-armament": "vehicles",
    "armament": "vehicles",
    "fittings": "vehicles",
    "fitting": "vehicles",
    "armor-leader-dr": "vehicles",
    "armor-leader": "vehicles",
    "armor-leader-afv": "vehicles",
    "oba-dr": "oba",
    "battery": "oba",
    "op-tank": "oba",
    "air-support-dr": "oba",
    "leader-exchange-dr": "leaders",
    "leader-exchange-nation": "leaders",
    "leader-lost": "leaders",
    "reinforcement-share": "sw",
}
"""The section that stands next to a question, by its key."""
