"""Makes a nation out of checked files. Nothing is wrong with them any more at this point."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from laager.catalogue.inherit import Source, completed
from laager.catalogue.kinds import DISRUPTED, FANATIC, Grade, Kind, usual_cvp
from laager.catalogue.model import CatalogueFile, House, LeadersEntry, MmcEntry, factors, leader_factors
from laager.catalogue.nation import LeaderLadder, Nation
from laager.catalogue.units import HOUSE_ALL, GunType, MmcType, SmcType, SwType, VehicleType


def build(sources: Sequence[Source]) -> Nation:
    """Return the nation that the files describe together."""
    files = [file for _, file in sources]
    first = files[0]
    leaders = next(file.leaders for file in files if file.leaders)
    smc = list(_smc(leaders))
    return Nation(
        id=first.nation,
        name=first.name,
        group=_given(files, "group") or first.nation,
        side=_given(files, "side"),
        sources=tuple(file.source for file in files),
        notes=tuple(note for file in files for note in file.notes),
        digest=digest([document.data for document, _ in sources]),
        leaders=LeaderLadder(
            leaders.column,
            tuple(leaders.ladder),
            tuple(leaders.armor),
            leaders.hero,
            tuple(entry.type for entry in leaders.commissars),
        ),
        mmc={one.entry.type: _mmc(one.entry) for one in completed(sources)},
        smc={one.type: one for one in smc if one.kind is not Kind.ARMOR_LEADER},
        armor_leaders={one.type: one for one in smc if one.kind is Kind.ARMOR_LEADER},
        support_weapons={one.type: one for file in files for one in _sw(file)},
        guns={one.type: one for one in _guns(files)},
        vehicles={one.type: one for one in _vehicles(files)},
    )


def digest(data: Sequence[Any]) -> str:
    """Return the SHA-256 of plain data in hex, the same for any layout and order of files."""
    parts = sorted(json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for part in data)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _given(files: Sequence[CatalogueFile], field: str) -> Any:
    return next((getattr(file, field) for file in files if getattr(file, field)), None)


def _house(house: House) -> tuple[str, ...]:
    if isinstance(house, bool):
        return (HOUSE_ALL,) if house else ()
    return (house,) if isinstance(house, str) else tuple(house)


def _mmc(entry: MmcEntry) -> MmcType:
    kind = Kind(entry.kind)
    firepower, range_, morale = factors(entry.type)
    cvp = entry.cvp if entry.cvp is not None else usual_cvp(kind) or 0
    return MmcType(
        type=entry.type,
        kind=kind,
        cvp=cvp,
        house=_house(entry.house),
        note=entry.note,
        grade=entry.grade or Grade.FIRST_LINE,
        firepower=firepower,
        range=range_,
        morale=morale,
        hardened=entry.hardened or FANATIC,
        replaced=None if entry.replaced == DISRUPTED else entry.replaced,
        half=entry.half,
        reduced=entry.reduced or entry.half,
        whole=entry.whole,
        broken_morale=entry.broken_morale,
        smoke=entry.smoke,
        traits=frozenset(entry.traits),
    )


def _smc(leaders: LeadersEntry) -> Iterator[SmcType]:
    house = _house(leaders.house)
    for kind, ladder in ((Kind.LEADER, leaders.ladder), (Kind.ARMOR_LEADER, leaders.armor)):
        for text in ladder:
            morale, drm = leader_factors(text)
            cvp = leaders.cvp.get(text, usual_cvp(kind, drm) or 0)
            yield SmcType(text, kind, cvp, house, leaders.note, morale=morale, drm=drm)
    for entry in leaders.commissars:
        morale, drm = leader_factors(entry.type)
        cvp = leaders.cvp.get(entry.type, usual_cvp(Kind.COMMISSAR, drm) or 0)
        yield SmcType(
            entry.type,
            Kind.COMMISSAR,
            cvp,
            _house(entry.house),
            entry.note,
            morale=morale,
            drm=drm,
            stands_for=entry.stands_for,
            until=entry.until,
        )
    if leaders.hero:
        cvp = leaders.cvp.get(leaders.hero, usual_cvp(Kind.HERO) or 0)
        morale = factors(leaders.hero)[2]
        yield SmcType(leaders.hero, Kind.HERO, cvp, house, leaders.note, morale=morale)


def _sw(file: CatalogueFile) -> Iterator[SwType]:
    for entry in file.support_weapons:
        yield SwType(
            entry.type,
            Kind.SW,
            usual_cvp(Kind.SW) or 0,
            _house(entry.house),
            entry.note,
            sort=entry.sort,
            pp=entry.pp,
            dm_pp=entry.dm_pp,
            firepower=entry.firepower,
            range=entry.range,
        )


def _guns(files: Sequence[CatalogueFile]) -> Iterator[GunType]:
    crew = _given(files, "gun_crew")
    for file in files:
        for group in file.guns:
            house = _house(group.house)
            for text in group.types:
                yield GunType(text, Kind.GUN, group.cvp, house, group.note, sort=group.sort, crew=crew)


def _vehicles(files: Sequence[CatalogueFile]) -> Iterator[VehicleType]:
    crew = _given(files, "vehicle_crew")
    for file in files:
        for group in file.vehicles:
            house = _house(group.house)
            for text in group.types:
                yield VehicleType(
                    text,
                    Kind(group.kind),
                    group.cvp,
                    house,
                    group.note,
                    sort=group.sort,
                    crew_cvp=group.crew,
                    crew=crew if group.crew else None,
                    gun_armed=group.gun_armed,
                    passengers=group.passengers,
                )
