"""An order of battle in groups, by when they come into play, and as a list to read or to post."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from laager.catalogue.dyo import mark_type
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import side_elr
from laager.rules.design_your_own.ob import BatteryEntry, OrderOfBattle, VehicleEntry, WorkEntry

BATTERIES, WORKS, COMMISSARS, AIR = "oba", "fortifications", "commissars", "air"
"""Sections of entries that aren't units of the catalogue."""
UNITS = frozenset({"squads", "leaders", "support_weapons", "guns", "vehicles"})
"""Sections of the catalogue, of all other entries."""


@dataclass(frozen=True)
class ForceEntry:
    """A number of one type, from a section of the catalogue; `remarks` are about single ones of them."""

    section: str
    type: str
    number: int
    capabilities: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    letter: str = ""
    """That of a battery."""

    @property
    def words(self) -> str:
        """The entry without its remarks: `3 x 8-3-8 assault-engineer`."""
        return f"{self.number} x {' '.join((self.type, *self.capabilities))}"


@dataclass(frozen=True)
class ForceGroup:
    """What comes into play together."""

    title: str
    entries: tuple[ForceEntry, ...]


def force_groups(ob: OrderOfBattle) -> tuple[ForceGroup, ...]:
    """Return an order of battle by groups: what sets up, what enters in each turn, OBA and air, fortifications."""
    groups = [ForceGroup("Set up", tuple(_at_start(ob)))]
    for turn in ob.turns:
        title = f"Enter in turn {turn}" if turn else "Enter as reinforcements"
        groups.append(ForceGroup(title, tuple(_entering(ob, turn))))
    groups.append(ForceGroup("OBA and Air Support", tuple(_support(ob))))
    groups.append(ForceGroup("Fortifications", tuple(_work(work) for work in ob.fortifications)))
    return tuple(group for group in groups if group.entries)


def _at_start(ob: OrderOfBattle) -> Iterator[ForceEntry]:
    for entry in ob.infantry:
        if now := entry.number - entry.reinforcements:
            yield ForceEntry("squads", entry.type, now, entry.capabilities)
    with_them = list(ob.reinforcement_leaders)
    for leader, number in ob.all_leaders.items():
        if now := number - with_them.count(leader):
            yield ForceEntry("leaders", leader, now)
    for nation in ("", *ob.allied_leaders):
        leaders = ob.leaders_of(nation)
        if leaders is not None and leaders.commissars:
            yield ForceEntry(COMMISSARS, mark_type("Commissar", nation), leaders.commissars)
    for sw in ob.sw:
        if now := sw.number - sw.reinforcement:
            yield ForceEntry("support_weapons", sw.type, now)
    for gun in ob.ordnance.guns:
        yield ForceEntry("guns", gun.type, gun.number)
    types = dict.fromkeys(entry.type for entry in ob.vehicles.entries)
    for type_ in types:
        vehicles = [entry for entry in ob.vehicles.entries if entry.type == type_]
        remarks = tuple(filter(None, map(_vehicle_words, vehicles)))
        yield ForceEntry("vehicles", type_, len(vehicles), remarks=remarks)


def _vehicle_words(vehicle: VehicleEntry) -> str:
    """Return what is special about a vehicle: `A: 9-1, Gyro`; "" for nothing."""
    marks = [vehicle.armor_leader, f"OP {vehicle.op}" if vehicle.op else "", *(arm.name for arm in vehicle.arms)]
    marks += ["Gyro" if fitting == "G" else fitting for fitting in vehicle.fittings]
    marks += [f"{name} Disabled" for name in vehicle.disabled]
    words = ", ".join(filter(None, marks))
    return f"{vehicle.id}: {words}" if vehicle.id and words else words


def _entering(ob: OrderOfBattle, turn: int) -> Iterator[ForceEntry]:
    for entry in ob.infantry:
        if number := entry.entering.get(turn):
            yield ForceEntry("squads", entry.type, number, entry.capabilities)
    share = ob.share_of(turn)
    for leader in share.leaders:
        yield ForceEntry("leaders", leader, 1)
    for type_, number in share.sw.items():
        yield ForceEntry("support_weapons", type_, number)


def _support(ob: OrderOfBattle) -> Iterator[ForceEntry]:
    for battery in ob.batteries:
        yield ForceEntry(BATTERIES, battery.text, 1, remarks=(_battery_words(battery),), letter=battery.letter)
    if ob.air is not None and ob.air.bought:
        yield ForceEntry(AIR, "Air Support", 1)


def _battery_words(battery: BatteryEntry) -> str:
    """Return how a battery is contacted and what it has: `A, by radio, plentiful ammunition, 1 x barrage`."""
    parts = [battery.letter, f"by {battery.contact}" if battery.contact else ""]
    parts += [f"{battery.ammunition} ammunition" if battery.ammunition else ""]
    parts += [f"{extra.number} x {extra.name}" for extra in battery.extras]
    return ", ".join(filter(None, parts))


def _work(work: WorkEntry) -> ForceEntry:
    size = (f"{work.capacity}+{work.ca_drm}+{work.nca_drm}",) if work.capacity else ()
    return ForceEntry(WORKS, work.type, work.number, size)


# As a list ----------------------------------------------------------------------------------------


def plain_list(cg: Cg, side: str) -> str:
    """Return a side's order of battle as plain text, a line for each entry."""
    lines = [cg.terms.title, _heading(cg, side)]
    for group in force_groups(cg.ob(side)):
        lines += ["", f"{group.title}:", *(f"  {entry_words(cg, entry)}" for entry in group.entries)]
    return "\n".join(lines) + "\n"


def bbcode_list(cg: Cg, side: str) -> str:
    """Return a side's order of battle for a forum that reads BBCode."""
    lines = [f"[b]{_without_codes(cg.terms.title)}[/b]", _without_codes(_heading(cg, side))]
    for group in force_groups(cg.ob(side)):
        entries = (f"[*]{_without_codes(entry_words(cg, entry))}" for entry in group.entries)
        lines += ["", f"[b]{group.title}[/b]", "[list]", *entries, "[/list]"]
    return "\n".join(lines) + "\n"


def _heading(cg: Cg, side: str) -> str:
    ob, terms = cg.ob(side), cg.terms
    points = f"{ob.allotment} points, {ob.left} left"
    return f"{terms.name(side)} ({side}), {terms.date}: {points}; ELR {side_elr(cg, side)}, SAN {ob.san}"


def entry_words(cg: Cg, entry: ForceEntry) -> str:
    """Return an entry in words, with its remarks; a fortification by its name in the chart."""
    if entry.section == WORKS:
        row = cg.charts.fortifications.row(entry.type)
        return f"{entry.number} x {' '.join((row.name, *entry.capabilities))}{f' (per {row.per})' if row.per else ''}"
    return entry.words + (f" ({'; '.join(entry.remarks)})" if entry.remarks else "")


def _without_codes(text: str) -> str:
    """Return text in which a forum finds no codes: it knows no other way to write a bracket."""
    return text.replace("[", "(").replace("]", ")")
