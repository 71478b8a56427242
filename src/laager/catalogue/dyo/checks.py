"""What must hold between the entries of a nation, and what looks like a typing error.

Problems and warnings name file, line and field. Of a value that several files give, the last
counts, and it is the one complained of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from laager.base import Problem, WrongValueError, did_you_mean
from laager.base.files import Document, Where
from laager.catalogue.dyo.battery import Battery
from laager.catalogue.dyo.entry import CatalogueEntry
from laager.catalogue.dyo.fields import HIGHEST_RF, LOWEST_RF
from laager.catalogue.dyo.model import (
    GROUPS,
    SECTIONS,
    Armament,
    DyoCatalogueFile,
    DyoGun,
    DyoMmc,
    DyoVehicle,
    ObaYear,
    OpTank,
)
from laager.catalogue.dyo.values import UNKNOWN
from laager.catalogue.model import leader_rank
from laager.catalogue.nation import Nation
from laager.catalogue.units import UnitType

Read = tuple[Document, DyoCatalogueFile]


@dataclass(frozen=True)
class EntryPlaces:
    """Where each entry and each of its values stands: in the last file that gives it."""

    sources: Sequence[Read]

    @cached_property
    def found(self) -> Mapping[tuple[str, str, str], tuple[Document, Where]]:
        """The places by section, key and field. Computed only when there is a problem."""
        places: dict[tuple[str, str, str], tuple[Document, Where]] = {}
        for document, file in self.sources:
            places["", "", ""] = document, ()
            if file.group:
                places["", "", "group"] = document, ("group",)
            for section, where, entry in entries_of(file):
                places[section, entry.key, ""] = document, where
                for name in (*entry.keys, *entry.given_fields()):
                    places[section, entry.key, name] = document, (*where, name)
        return places

    def problem(self, section: str, key: str, name: str, message: str, right: str) -> Problem:
        """Return a problem of a field of an entry, or of the entry if it has no such field.

        Without files it is named by section, key and field.
        """
        if not self.sources:
            return Problem(message, right, ".".join(part for part in (section, key, name) if part))
        for place in ((section, key, name), (section, key, ""), ("", "", "")):
            if place in self.found:
                document, where = self.found[place]
                return document.problem(where, message, right)
        raise AssertionError("a nation has a file")


def entries_of(file: DyoCatalogueFile) -> Iterator[tuple[str, Where, CatalogueEntry]]:
    """Yield every entry with its section and its place in the file."""
    for section in SECTIONS:
        for i, entry in enumerate(file.entries(section) or ()):
            yield section, ((section,) if section == "capabilities" else (section, i)), entry


def find_repeats(document: Document, file: DyoCatalogueFile) -> Iterator[Problem]:
    """Yield entries that a file has twice."""
    seen: dict[tuple[str, str], Where] = {}
    for section, where, entry in entries_of(file):
        first = seen.setdefault((section, entry.key), where)
        if first != where:
            line = document.line(first)
            message = f"{entry.key!r} stands here twice (line {line})"
            yield document.problem((*where, entry.keys[-1]), message, "remove one of the two")


def problems_of(file: DyoCatalogueFile, places: EntryPlaces) -> Iterator[Problem]:
    """Yield what is wrong between the entries of a nation."""
    if file.group and file.group not in GROUPS:
        message = f"there are no rules for {file.group!r}"
        yield places.problem("", "", "group", message, did_you_mean(file.group, GROUPS))
    yield from _check_references(file, places)
    yield from _check_capabilities(file, places)
    for gun_or_tank in file.vehicles or ():
        if gun_or_tank.afv is False and gun_or_tank.wreck:
            message = "only AFV have Schuerzen or Gyrostabilizers"
            right = "leave wreck out, or say afv: true"
            yield places.problem("vehicles", gun_or_tank.key, "wreck", message, right)


def _check_references(file: DyoCatalogueFile, places: EntryPlaces) -> Iterator[Problem]:
    """Yield names that name nothing."""
    half_squads = [squad.type for squad in file.squads or () if squad.kind == "half-squad"]
    vehicles = [vehicle.type for vehicle in file.vehicles or ()]
    named: list[tuple[str, CatalogueEntry, str, object, list[str], str]] = []
    for squad in file.squads or ():
        named.append(("squads", squad, "half", squad.half, half_squads, "half-squad"))
    for tank in file.vehicles or ():
        named.append(("vehicles", tank, "half_squad", tank.half_squad, half_squads, "half-squad"))
    for weapon in file.armament or ():
        named.append(("armament", weapon, "vehicle", weapon.vehicle, vehicles, "vehicle"))
    for op_tank in file.op_tanks or ():
        named.append(("op_tanks", op_tank, "counter", op_tank.counter, vehicles, "vehicle"))
    for section, entry, name, value, known, word in named:
        if isinstance(value, str) and value not in known:
            advice = did_you_mean(value, known) if known else f"enter the {word} too"
            yield places.problem(section, entry.key, name, f"there is no {word} {value!r}", advice)


def _check_capabilities(file: DyoCatalogueFile, places: EntryPlaces) -> Iterator[Problem]:
    entry = file.capabilities
    if entry is None:
        return

    def problem(name: str, message: str, right: str) -> Problem:
        return places.problem("capabilities", "", name, message, right)

    for name in ("elr_row", "armor_leader_row", "air_row"):
        row = getattr(entry, name)
        if isinstance(row, str) and row not in GROUPS:
            yield problem(name, f"no table has a row {row!r}", did_you_mean(row, GROUPS))
    ladder = entry.ladder if isinstance(entry.ladder, tuple) else ()
    counters = [leader.type for leader in file.leaders or ()]
    extra = [entry.fraction_leader] if isinstance(entry.fraction_leader, str) else []
    before: tuple[int, int] | None = None
    for name, leaders in (("ladder", ladder), ("fraction_leader", extra)):
        for leader in leaders:
            try:
                rank = leader_rank(leader)
            except WrongValueError as err:
                yield problem(name, err.problem.what, err.problem.right)
                continue
            if name == "ladder" and before is not None and rank <= before:
                right = "begin with the worst leader and end with the best"
                yield problem(name, f"{leader!r} is no better than the one before it", right)
            before = rank
            if counters and leader not in counters:
                yield problem(name, f"there is no leader {leader!r}", did_you_mean(leader, counters))


# Warnings -----------------------------------------------------------------------------------------


def warnings_of(file: DyoCatalogueFile, places: EntryPlaces) -> Iterator[Problem]:
    """Yield what is allowed and yet looks wrong."""
    rated: list[tuple[str, DyoGun | DyoVehicle | Armament]] = [
        *(("guns", gun) for gun in file.guns or ()),
        *(("vehicles", vehicle) for vehicle in file.vehicles or ()),
        *(("armament", weapon) for weapon in file.armament or ()),
    ]
    for section, entry in rated:
        for rf in entry.rf.values:
            if isinstance(rf, Decimal) and not LOWEST_RF <= rf <= HIGHEST_RF:
                message = f"an RF of {rf} is outside of the Availability Table"
                right = f"it goes from {LOWEST_RF} to {HIGHEST_RF}"
                yield places.problem(section, entry.key, "rf", message, right)
    for year in file.oba or ():
        yield from _check_bottom_line(year, places)
    for op_tank in file.op_tanks or ():
        yield from _check_op_tank(op_tank, places)
    for squad in file.squads or ():
        yield from _check_classes(squad, places)


def _check_bottom_line(year: ObaYear, places: EntryPlaces) -> Iterator[Problem]:
    cells = [cell for cell in year.cells.values() if isinstance(cell, Battery)]
    costs = [cell.bpv for cell in cells if isinstance(cell.bpv, int)]
    whole = UNKNOWN not in year.cells.values() and len(costs) == len(cells)
    if isinstance(year.max_bpv, int) and costs:
        most = max(costs)
        if most > year.max_bpv or (whole and most < year.max_bpv):
            message = f"the bottom line says {year.max_bpv}, the dearest battery costs {most}"
            yield places.problem("oba", year.key, "max_bpv", message, "compare with the chart")


def _check_op_tank(op_tank: OpTank, places: EntryPlaces) -> Iterator[Problem]:
    if isinstance(op_tank.oba, tuple) and not op_tank.oba:
        message = "an OP tank that no OBA can use is never available"
        yield places.problem("op_tanks", op_tank.key, "oba", message, "name sizes of OBA, or unknown")


def _check_classes(squad: DyoMmc, places: EntryPlaces) -> Iterator[Problem]:
    subsection = squad.subsection
    able = squad.may_be if isinstance(squad.may_be, tuple) else ()
    must = squad.must_be if isinstance(squad.must_be, tuple) else ()
    for name in dict.fromkeys([*able, *must]):
        if name != "sapper" and subsection not in (UNKNOWN, "Elite"):
            field_name = "may_be" if name in able else "must_be"
            message = f"only elite squads are {name}s"
            yield places.problem("squads", squad.key, field_name, message, "H1.22 and H1.24 speak of elite squads")


def find_strange_names(file: DyoCatalogueFile, places: EntryPlaces, known: Nation) -> Iterator[Problem]:
    """Yield types that the campaign catalogue of the nation doesn't have: they can't be exported.

    `known` is the nation there, by whose names cards, reports and other programs go.
    """
    parts: list[tuple[str, Mapping[str, UnitType]]] = [
        ("squads", known.mmc),
        ("guns", known.guns),
        ("vehicles", known.vehicles),
        ("leaders", known.smc),
        ("armor_leaders", known.armor_leaders),
        ("support_weapons", known.support_weapons),
    ]
    for section, types in parts:
        for entry in file.entries(section) or ():
            if entry.key not in types:
                message = f"the campaign catalogue has no {entry.key!r}, so it can't be exported"
                yield places.problem(section, entry.key, "type", message, did_you_mean(entry.key, types))
