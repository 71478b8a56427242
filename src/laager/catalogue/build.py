"""Makes a nation out of files that have been checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from laager.catalogue.inherit import Source, complete_entries
from laager.catalogue.kinds import DISRUPTED, FANATIC, Grade, Kind, usual_cvp
from laager.catalogue.model import CatalogueFile, House, Labelled, LeadersEntry, MmcEntry, parse_factors, parse_leader
from laager.catalogue.nation import LeaderLadder, Nation
from laager.catalogue.units import HOUSE_ALL, GunType, MmcType, SmcType, SwType, UnitType, VehicleType

U = TypeVar("U", bound=UnitType)


def build_nation(sources: Sequence[Source]) -> Nation:
    """Return the nation that the files describe together."""
    files = [file for _, file in sources]
    first = files[0]
    leaders = next(file.leaders for file in files if file.leaders)
    smc = list(_build_smc(leaders))
    return Nation(
        id=first.nation,
        name=first.name,
        group=_first_given(files, "group") or first.nation,
        side=_first_given(files, "side"),
        sources=tuple(file.source for file in files),
        notes=tuple(note for file in files for note in file.notes),
        leaders=LeaderLadder(
            leaders.column,
            tuple(leaders.ladder),
            tuple(leaders.armor),
            leaders.hero,
            tuple(entry.type for entry in leaders.commissars),
        ),
        mmc={placed.entry.type: _build_mmc(placed.entry) for placed in complete_entries(sources)},
        smc={type_.type: type_ for type_ in smc if type_.kind is not Kind.ARMOR_LEADER},
        armor_leaders={type_.type: type_ for type_ in smc if type_.kind is Kind.ARMOR_LEADER},
        support_weapons={type_.type: type_ for file in files for type_ in _build_sw(file)},
        guns={type_.type: type_ for type_ in _build_guns(files)},
        vehicles={type_.type: type_ for type_ in _build_vehicles(files)},
    )


def _first_given(files: Sequence[CatalogueFile], field: str) -> Any:
    return next((getattr(file, field) for file in files if getattr(file, field)), None)


def _house_fields(house: House) -> tuple[str, ...]:
    if isinstance(house, bool):
        return (HOUSE_ALL,) if house else ()
    return (house,) if isinstance(house, str) else tuple(house)


def _make_type(cls: type[U], entry: Labelled, type_: str, kind: Kind, cvp: int, **more: Any) -> U:
    """Return a type with what its entry says in fields of the same name, unless `more` has them."""
    said = {field.name: getattr(entry, field.name) for field in fields(cls) if hasattr(entry, field.name)}
    return cls(**{**said, "type": type_, "kind": kind, "cvp": cvp, "house": _house_fields(entry.house), **more})


def _build_mmc(entry: MmcEntry) -> MmcType:
    kind = Kind(entry.kind)
    firepower, range_, morale = parse_factors(entry.type)
    return _make_type(
        MmcType,
        entry,
        entry.type,
        kind,
        entry.cvp if entry.cvp is not None else usual_cvp(kind) or 0,
        grade=entry.grade or Grade.FIRST_LINE,
        firepower=firepower,
        range=range_,
        morale=morale,
        hardened=entry.hardened or FANATIC,
        replaced=None if entry.replaced == DISRUPTED else entry.replaced,
        reduced=entry.reduced or entry.half,
        traits=frozenset(entry.traits),
    )


def _build_smc(leaders: LeadersEntry) -> Iterator[SmcType]:
    named: list[tuple[Kind, str, Labelled]] = [
        *((Kind.LEADER, text, leaders) for text in leaders.ladder),
        *((Kind.ARMOR_LEADER, text, leaders) for text in leaders.armor),
        *((Kind.COMMISSAR, entry.type, entry) for entry in leaders.commissars),
    ]
    for kind, text, entry in named:
        morale, drm = parse_leader(text)
        cvp = leaders.cvp.get(text, usual_cvp(kind, drm) or 0)
        yield _make_type(SmcType, entry, text, kind, cvp, morale=morale, drm=drm)
    if leaders.hero:
        cvp = leaders.cvp.get(leaders.hero, usual_cvp(Kind.HERO) or 0)
        yield _make_type(SmcType, leaders, leaders.hero, Kind.HERO, cvp, morale=parse_factors(leaders.hero)[2])


def _build_sw(file: CatalogueFile) -> Iterator[SwType]:
    for entry in file.support_weapons:
        yield _make_type(SwType, entry, entry.type, Kind.SW, usual_cvp(Kind.SW) or 0)


def _build_guns(files: Sequence[CatalogueFile]) -> Iterator[GunType]:
    crew = _first_given(files, "gun_crew")
    for group in (group for file in files for group in file.guns):
        for text in group.types:
            yield _make_type(GunType, group, text, Kind.GUN, group.cvp, crew=crew)


def _build_vehicles(files: Sequence[CatalogueFile]) -> Iterator[VehicleType]:
    crew = _first_given(files, "vehicle_crew")
    for group in (group for file in files for group in file.vehicles):
        own = {"crew_cvp": group.crew, "crew": crew if group.crew else None}
        for text in group.types:
            yield _make_type(VehicleType, group, text, Kind(group.kind), group.cvp, **own)
