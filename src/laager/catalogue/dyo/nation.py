"""A nation in Design Your Own: what it can buy in a month, and by which figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from laager.base import Problem, find_named
from laager.catalogue.dyo.battery import Battery
from laager.catalogue.dyo.entry import CatalogueEntry, Origin
from laager.catalogue.dyo.model import (
    SECTIONS,
    SQUADS_PER_TYPE,
    USUAL_EQUIVALENT,
    Armament,
    CapabilitiesEntry,
    DyoCatalogueFile,
    DyoGun,
    DyoMmc,
    DyoVehicle,
    ObaOption,
    ObaYear,
    OpTank,
    SupportWeapon,
    Transport,
)
from laager.catalogue.dyo.values import UNKNOWN, Dated, Series, Unknown

E = TypeVar("E", bound=CatalogueEntry)

_STATED = "DYO H1.11"
_READ = "DYO H1.74"


@dataclass(frozen=True, slots=True)
class SwColumn:
    """A column of the SW Allotment Chart in a month: squads (or Assault Engineers) for one SW."""

    type: str
    ratio: int | Unknown
    counters: int | Unknown
    per: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ObaChart:
    """The OBA Availability Chart of a year: what each DR offers, and the bottom line."""

    year: int
    cells: Mapping[int, Battery | Unknown | None]
    max_bpv: int | Unknown

    def at(self, dr: int) -> Battery | Unknown | None:
        """Return what a DR offers: a battery, None, or UNKNOWN."""
        return self.cells[dr]

    @property
    def worst(self) -> int | Unknown:
        """The dearest BPV among the cells, UNKNOWN if a cell or a BPV is not known."""
        offers = [cell.bpv if isinstance(cell, Battery) else cell for cell in self.cells.values()]
        costs = [bpv for bpv in offers if bpv is not None and bpv is not UNKNOWN]
        return UNKNOWN if UNKNOWN in offers else max(costs, default=0)


@dataclass(frozen=True)
class DyoNation:
    """Everything that the catalogue says about one nation, all its files together."""

    file: DyoCatalogueFile
    warnings: tuple[Problem, ...] = ()
    allies: Mapping[str, DyoNation] = field(default_factory=dict)
    """The nations whose pieces it has among its own, by id (see `united`)."""

    def home(self, type_: str) -> DyoNation:
        """Return the nation that a piece comes from: an ally by the mark of its type, or itself."""
        return self.allies.get(self.ally(type_), self)

    def ally(self, type_: str) -> str:
        """Return the id of the ally that a piece comes from, "" for its own."""
        ally = _split(type_)[1]
        return ally if ally in self.allies else ""

    def plain_type(self, type_: str) -> str:
        """Return the type of a piece in the catalogue of the nation that it comes from."""
        return _split(type_)[0] if self.ally(type_) else type_

    def __repr__(self) -> str:
        return f"<DyoNation {self.id}>"

    @property
    def id(self) -> str:
        """Its id."""
        return self.file.nation

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.file.name

    @property
    def group(self) -> str:
        """The nation whose special rules apply: itself, unless the file says otherwise."""
        return self.file.group or self.file.nation

    @cached_property
    def sources(self) -> tuple[Origin, ...]:
        """Every origin of its values, each once."""
        sources = {
            source: None
            for section in SECTIONS
            for entry in self.file.entries(section) or ()
            for source in entry.sources.values()
        }
        return tuple(map(Origin, sources))

    # Whole sections -------------------------------------------------------------------------

    def knows(self, section: str) -> bool:
        """True if a section has been entered at all, perhaps as empty."""
        return self.file.entries(section) is not None

    def entries_of(self, section: str) -> tuple[CatalogueEntry, ...]:
        """Return everything of a section, of whatever date."""
        return tuple(self._by_key.get(section, {}).values())

    def entry(self, section: str, key: str) -> CatalogueEntry:
        """Return an entry by its key: its type; a year; `vehicle: weapon`. Raises RefusedError."""
        entries = find_named(self._by_key, section, f"there is no section {section!r}")
        kind = _SINGULAR.get(section, section)
        return find_named(entries, key, f"{self.name} has no {kind} {key!r} in Design Your Own")

    def origin(self, section: str, key: str, field: str) -> Origin:
        """Return where a value comes from."""
        return self.entry(section, key).origin(field)

    @cached_property
    def _by_key(self) -> Mapping[str, Mapping[str, CatalogueEntry]]:
        pf_range = self.line.pf_range
        by_section: dict[str, dict[str, CatalogueEntry]] = {}
        for section in SECTIONS:
            entries = self.file.entries(section) or ()
            by_section[section] = {
                entry.key: _complete_mmc(entry, pf_range) if isinstance(entry, DyoMmc) else entry for entry in entries
            }
        return by_section

    def _entries_of_model(self, section: str, model: type[E]) -> tuple[E, ...]:
        return tuple(entry for entry in self._by_key[section].values() if isinstance(entry, model))

    def _entries_of_month(self, section: str, model: type[E], month: Dated) -> tuple[E, ...]:
        """Return the entries of a section that have an RF (or dates) in a month, known or not."""
        field_ = "rf" if "rf" in model.model_fields else "dates"
        return tuple(
            entry for entry in self._entries_of_model(section, model) if getattr(entry, field_).at(month) is not None
        )

    def _typed_entry(self, section: str, key: str, model: type[E]) -> E:
        entry = self.entry(section, key)
        assert isinstance(entry, model)
        return entry

    # What can be had in a month ---------------------------------------------------------------

    def squads(self, month: Dated) -> tuple[DyoMmc, ...]:
        """Return the squad types of a month, those of unknown date among them."""
        return self._mmc(month, "squad")

    def half_squads(self, month: Dated) -> tuple[DyoMmc, ...]:
        """Return the half-squads of a month."""
        return self._mmc(month, "half-squad")

    def crews(self, month: Dated) -> tuple[DyoMmc, ...]:
        """Return the crews of a month."""
        return self._mmc(month, "crew")

    def _mmc(self, month: Dated, kind: str) -> tuple[DyoMmc, ...]:
        return tuple(mmc for mmc in self._entries_of_month("squads", DyoMmc, month) if mmc.kind == kind)

    def guns(self, month: Dated) -> tuple[DyoGun, ...]:
        """Return the Guns that have an RF in a month, known or not."""
        return self._entries_of_month("guns", DyoGun, month)

    def vehicles(self, month: Dated) -> tuple[DyoVehicle, ...]:
        """Return the vehicles that have an RF in a month, known or not."""
        return self._entries_of_month("vehicles", DyoVehicle, month)

    def transport(self, month: Dated) -> tuple[Transport, ...]:
        """Return wagons, horses, motorcycles and bicycles of a month."""
        return self._entries_of_month("transport", Transport, month)

    def op_tanks(self, month: Dated) -> tuple[OpTank, ...]:
        """Return the OP tanks of a month."""
        return self._entries_of_month("op_tanks", OpTank, month)

    def armament(self, vehicle: str, month: Dated | None = None) -> tuple[Armament, ...]:
        """Return the optional weapons of a vehicle; only those with an RF in a month, if given."""
        return tuple(
            weapon
            for weapon in self._entries_of_model("armament", Armament)
            if weapon.vehicle == vehicle and (month is None or weapon.rf.at(month) is not None)
        )

    # One type -----------------------------------------------------------------------------------

    def mmc(self, type_: str) -> DyoMmc:
        """Return a squad type, half-squad or crew. Raises RefusedError if there is none."""
        return self._typed_entry("squads", type_, DyoMmc)

    def gun(self, type_: str) -> DyoGun:
        """Return a Gun. Raises RefusedError if there is none."""
        return self._typed_entry("guns", type_, DyoGun)

    def vehicle(self, type_: str) -> DyoVehicle:
        """Return a vehicle. Raises RefusedError if there is none."""
        return self._typed_entry("vehicles", type_, DyoVehicle)

    # Charts ---------------------------------------------------------------------------------

    def sw_chart(self, month: Dated) -> tuple[SwColumn, ...]:
        """Return the SW Allotment Chart of a month; SW that are not allotted then are left out."""
        return tuple(
            SwColumn(sw.type, ratio, sw.counters, sw.per, sw.note)
            for sw in self._entries_of_model("support_weapons", SupportWeapon)
            if (ratio := sw.ratio.at(month)) is not None
        )

    def oba_chart(self, month: Dated) -> ObaChart:
        """Return the OBA Availability Chart of a month's year; all UNKNOWN if nobody entered it."""
        year = self._by_key["oba"].get(str(month.year))
        if isinstance(year, ObaYear):
            return ObaChart(year.year, year.cells, year.max_bpv)
        return ObaChart(month.year, dict.fromkeys(range(2, 13), UNKNOWN), UNKNOWN)

    def oba_options(self, month: Dated) -> tuple[ObaOption, ...]:
        """Return the further costs of OBA in a month (H1.53)."""
        return self._entries_of_month("oba_options", ObaOption, month)

    def pf_range(self, month: Dated) -> int | Unknown:
        """Return the range of PF in a month, 0 before there were any (H1.211)."""
        range_ = self.line.pf_range.at(month)
        return UNKNOWN if range_ is UNKNOWN else range_ or 0

    @property
    def line(self) -> CapabilitiesEntry:
        """Its line of the National Capabilities Chart, of all dates."""
        return self.file.capabilities or CapabilitiesEntry()

    @property
    def leader_counters(self) -> dict[str, int | Unknown]:
        """How many counters of each leader one game has."""
        return _counters(self.file.leaders)

    @property
    def armor_leaders(self) -> dict[str, int | Unknown]:
        """How many counters of each armor leader one game has."""
        return _counters(self.file.armor_leaders)


def mark_type(type_: str, ally: str) -> str:
    """Return the type of a piece as that of an ally: `4-4-7 (romanian)`; unchanged without one."""
    return f"{type_} ({ally})" if ally else type_


def _split(type_: str) -> tuple[str, str]:
    """Return a type and the ally's id behind it, "" where there is none."""
    plain, bracket, rest = type_.rpartition(" (")
    return (plain, rest[:-1]) if bracket and rest.endswith(")") else (type_, "")


PIECES = ("squads", "guns", "vehicles", "armament", "transport", "support_weapons")
"""The sections of an ally that stand among a nation's own; charts and leaders stay apart."""


def unite(nation: DyoNation, allies: Mapping[str, DyoNation], elr: Mapping[str, int]) -> DyoNation:
    """Return a nation with the pieces of its allies among its own, marked as theirs.

    `elr`: the ELR of each ally's MMC that have none of their own. Figures and charts (capabilities,
    OBA, leaders) are the nation's; those of an ally are to be had from `allies`.
    """
    if not allies:
        return nation
    sections: dict[str, list[CatalogueEntry]] = {}
    for section in PIECES:
        every = [nation, *allies.values()]
        if not any(nation_.knows(section) for nation_ in every):
            continue
        own = nation.file.entries(section) or ()
        theirs = (
            _mark_entry(entry, id_, elr.get(id_)) for id_, ally in allies.items() for entry in ally.entries_of(section)
        )
        sections[section] = [*own, *theirs]
    file = nation.file.model_copy(update=sections)
    return DyoNation(file, nation.warnings, allies)


def _mark_entry(entry: CatalogueEntry, ally: str, elr: int | None) -> CatalogueEntry:
    changes: dict[str, Any] = {
        name: mark_type(value, ally)
        for name in ("type", "vehicle", "half", "half_squad")
        if isinstance(value := getattr(entry, name, None), str)
    }
    if isinstance(entry, DyoMmc) and not isinstance(entry.elr, int):
        changes["elr"] = elr
    return entry.model_copy(update=changes)


_SINGULAR = {
    "squads": "squad, half-squad or crew",
    "guns": "Gun",
    "vehicles": "vehicle",
    "armament": "optional weapon",
    "op_tanks": "OP tank",
    "leaders": "leader",
    "armor_leaders": "armor leader",
    "support_weapons": "SW",
    "oba": "OBA chart of year",
    "oba_options": "OBA option",
}


def _counters(entries: Any) -> dict[str, int | Unknown]:
    return {entry.type: entry.counters for entry in entries or ()}


def _complete_mmc(entry: DyoMmc, pf_range: Series[int]) -> DyoMmc:
    """Return an MMC with what the rules say of every MMC, where the file says nothing else."""
    update: dict[str, Any] = {}
    sources = dict(entry.sources)
    if entry.counters is UNKNOWN and entry.kind == "squad":
        update["counters"], sources["counters"] = SQUADS_PER_TYPE, _STATED
    if entry.equivalent is UNKNOWN:
        update["equivalent"], sources["equivalent"] = USUAL_EQUIVALENT[entry.kind], _READ
    if entry.pf_range is None:
        crew = entry.kind == "crew"
        update["pf_range"] = Series.always(None) if crew else pf_range
    return entry.model_copy(update={**update, "sources": sources})
