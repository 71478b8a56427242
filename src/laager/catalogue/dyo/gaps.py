"""What a catalogue lacks for buying in a month, section by section in the order of purchase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from laager.catalogue.dyo.battery import Battery
from laager.catalogue.dyo.entry import CatalogueEntry
from laager.catalogue.dyo.nation import DyoNation
from laager.catalogue.dyo.values import UNKNOWN, Dated, Series


@dataclass(frozen=True, slots=True)
class Gap:
    """A value that is not known: of which section, type and field, and what it is for.

    `type` is the entry's key (a year for OBA); without `field` the whole section is missing.
    `nation` is that of an ally whose value it is, "" for the nation itself.
    """

    section: str
    type: str
    field: str
    what: str
    nation: str = ""

    def __str__(self) -> str:
        return self.what


SECTION_WORDS = {
    "capabilities": "the nation itself",
    "squads": "Infantry",
    "guns": "ordnance",
    "vehicles": "vehicles",
    "armament": "optional armament",
    "transport": "wagons, horses, motorcycles and bicycles",
    "oba": "the OBA Availability Chart",
    "oba_options": "further costs of OBA",
    "op_tanks": "OP tanks",
    "leaders": "leader counters",
    "armor_leaders": "armor leader counters",
    "support_weapons": "the SW Allotment Chart",
}
"""What each section is, in words."""

_FIELD_WORDS = {
    "lg": "LG factor",
    "ladder": "leader types",
    "fraction_leader": "leader for a fraction",
    "column": "column of the Leader Exchange Table",
    "commissars": "whether there are commissars",
    "crew_morale": "morale of inherent crews",
    "pf_range": "range of inherent PF",
    "elr_row": "row of the ELR Chart",
    "armor_leader_row": "row of the Armor Leader DRM",
    "air_row": "row of the Air Support Numbers",
    "observation_plane": "BPV of an Observation Plane",
    "announced_elr": "ELR that Partisans announce",
    "class": "class",
    "bpv": "BPV",
    "half": "half-squad",
    "dates": "dates",
    "rf": "RF",
    "counters": 'number of counters ("#")',
    "dm": "whether it can be dismantled",
    "tow": "towing number",
    "afv": "whether it is an AFV",
    "half_squad": "half-squad that comes with it",
    "wreck": "Sz or G on the wreck side",
    "tows": "towing number",
    "fp": "FP",
    "percent": "percentage",
    "limit": "limit",
    "counter": "counter that represents it",
    "oba": "OBA that it needs",
    "theatre": "theatre",
    "ratio": "squads for one SW",
    "max_bpv": "bottom line, the dearest battery",
    "sort": "sort",
}

_SQUAD = ("class", "bpv", "half", "dates", "pf_range")
_CAPABILITIES = (
    *("lg", "ladder", "fraction_leader", "column", "commissars", "crew_morale", "pf_range"),
    *("elr_row", "armor_leader_row", "air_row", "observation_plane"),
)


def gaps(nation: DyoNation, month: Dated) -> tuple[Gap, ...]:
    """Return every value that a nation lacks for buying in a month."""
    return tuple(_find_gaps(nation, month))


def _find_gaps(nation: DyoNation, month: Dated) -> Iterator[Gap]:
    yield from _capabilities(nation, month)
    yield from _missing(nation, "squads")
    if nation.knows("squads") and not nation.squads(month):
        yield Gap("squads", "", "", f"squads of {month.month}/{month.year}")
    for squad in nation.squads(month):
        yield from _fields("squads", squad, _SQUAD, month)
    for mmc in (*nation.half_squads(month), *nation.crews(month)):
        yield from _fields("squads", mmc, ("class", "bpv", "dates"), month)
    yield from _entries(nation, "guns", nation.guns(month), ("sort", "bpv", "rf", "counters", "dm", "tow"), month)
    yield from _vehicles(nation, month)
    yield from _entries(nation, "transport", nation.transport(month), ("bpv", "counters", "dates", "tows"), month)
    yield from _oba(nation, month)
    names = ("counter", "bpv", "dates", "oba", "theatre")
    yield from _entries(nation, "op_tanks", nation.op_tanks(month), names, month)
    for section in ("leaders", "armor_leaders"):
        yield from _entries(nation, section, nation.entries_of(section), ("counters",), month)
    sw = nation.entries_of("support_weapons")
    yield from _entries(nation, "support_weapons", sw, ("ratio", "counters"), month)


def _entries(
    nation: DyoNation, section: str, entries: Iterable[CatalogueEntry], names: Iterable[str], month: Dated
) -> Iterator[Gap]:
    """Yield what a section lacks: all of it, or these fields of its entries."""
    yield from _missing(nation, section)
    for entry in entries:
        yield from _fields(section, entry, names, month)


def _capabilities(nation: DyoNation, month: Dated) -> Iterator[Gap]:
    entry = nation.line
    for name in _CAPABILITIES:
        value = getattr(entry, name)
        if name == "column":
            value = value or UNKNOWN
        if _unknown(value, month):
            yield Gap("capabilities", "", name, _FIELD_WORDS[name])
    if entry.partisan and entry.announced_elr is UNKNOWN:
        yield Gap("capabilities", "", "announced_elr", _FIELD_WORDS["announced_elr"])


def _vehicles(nation: DyoNation, month: Dated) -> Iterator[Gap]:
    yield from _missing(nation, "vehicles")
    for vehicle in nation.vehicles(month):
        names = ["afv", "bpv", "rf", "counters", "half_squad", "tows"]
        if vehicle.afv:
            names += ["crew_morale", "wreck"]
        yield from _fields("vehicles", vehicle, names, month)
    yield from _missing(nation, "armament")
    for vehicle in nation.vehicles(month):
        for weapon in nation.armament(vehicle.type, month):
            if weapon.cost is UNKNOWN or weapon.cost is None:
                yield _gap("armament", weapon.key, "bpv" if weapon.fp is None else "fp")
            yield from _fields("armament", weapon, ("rf", "counters"), month)


def _oba(nation: DyoNation, month: Dated) -> Iterator[Gap]:
    chart = nation.oba_chart(month)
    for dr, cell in chart.cells.items():
        if cell is UNKNOWN:
            yield Gap("oba", str(month.year), str(dr), f"{month.year}: battery of DR {dr}")
        elif isinstance(cell, Battery) and cell.bpv is UNKNOWN:
            yield Gap("oba", str(month.year), str(dr), f"{month.year}: BPV of the {cell.text} of DR {dr}")
    if chart.max_bpv is UNKNOWN:
        yield _gap("oba", str(month.year), "max_bpv")
    yield from _missing(nation, "oba_options")
    for option in nation.oba_options(month):
        if UNKNOWN in (option.bpv, option.percent) and not _has_price(option.bpv, option.percent):
            yield _gap("oba_options", option.key, "bpv")
        yield from _fields("oba_options", option, ("dates",), month)


def _has_price(*costs: Any) -> bool:
    """True if one of two ways to price something is known."""
    return any(isinstance(cost, int) for cost in costs)


def _missing(nation: DyoNation, section: str) -> Iterator[Gap]:
    if not nation.knows(section):
        yield Gap(section, "", "", "everything: the section is in no file")


def _fields(section: str, entry: CatalogueEntry, names: Iterable[str], month: Dated) -> Iterator[Gap]:
    for name in names:
        if _unknown(getattr(entry, entry.field_of(name)), month):
            yield _gap(section, entry.key, name)


def _gap(section: str, key: str, name: str) -> Gap:
    return Gap(section, key, name, f"{key}: {_FIELD_WORDS[name]}")


def _unknown(value: Any, month: Dated) -> bool:
    return (value.at(month) if isinstance(value, Series) else value) is UNKNOWN
