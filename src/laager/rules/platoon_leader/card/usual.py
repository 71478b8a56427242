"""The usual reinforcement groups of a nation: what a designer begins a chart with (PL 1.4).

They are made from the nation's catalogue: platoons of its squads, sections of its weapons, its Guns and vehicles as
far as they can be had in the month. Names, sizes and prices are ours, a beginning to be tried and changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laager.catalogue import Grade, Kind, Nation
from laager.catalogue.dyo.months import is_had, months_of, points_of
from laager.rules.platoon_leader.card.card import RgKind

if TYPE_CHECKING:
    from laager.catalogue.dyo import Month
    from laager.catalogue.units import MmcType, UnitType

POINTS_OF_GRADE = {Grade.ELITE: 13, Grade.FIRST_LINE: 10, Grade.SECOND_LINE: 8, Grade.GREEN: 7, Grade.CONSCRIPT: 5}
"""BPV of a squad where nobody knows that of its type."""
POINTS_OF_GUN, POINTS_OF_CVP = 34, 11
"""BPV of a Gun, and of a vehicle for each CVP, where nobody knows that of its type."""
POINTS_OF_CP = {RgKind.INFANTRY: 7, RgKind.HEAVY_WEAPONS: 7, RgKind.GUN: 25, RgKind.AFV: 27, RgKind.VEHICLE: 40}
"""BPV that a CP buys; what the cards that ship ask on average."""
ORDER = (Grade.FIRST_LINE, Grade.ELITE, Grade.SECOND_LINE, Grade.GREEN, Grade.CONSCRIPT)
PLATOON = {
    Grade.ELITE: "Elite platoon",
    Grade.FIRST_LINE: "Rifle platoon",
    Grade.SECOND_LINE: "Second-line platoon",
    Grade.GREEN: "Green platoon",
    Grade.CONSCRIPT: "Conscript platoon",
}
GUNS = {
    "mortar": "Mortars",
    "at": "Anti-tank gun",
    "infantry": "Infantry gun",
    "recoilless": "Recoilless gun",
    "artillery": "Field gun",
    "aa": "Anti-aircraft gun",
}
COMPANY_NOTE = "Four leader DR; it counts as three platoons."
AIR_NOTE = "By day, and not in Rain."
WITH_ROOM = ("half-track", "carrier", "truck", "tractor", "car")
"""Sorts of vehicles that are groups of vehicles, not of AFV, by the last word of their names."""


@dataclass(frozen=True)
class UsualGroup:
    """A line of a chart without its number: `letters` begin its id, `line` has the fields that a card gives it."""

    letters: str
    line: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.line["name"])


def usual_groups(nation: Nation, month: Month | None = None) -> list[UsualGroup]:
    """Return the usual groups of a nation in a month, or of all months, in the order of a chart."""
    return list(_Catalogue(nation, month).groups())


class _Catalogue:
    """A nation's catalogue as a designer goes through it."""

    def __init__(self, nation: Nation, month: Month | None) -> None:
        self.nation, self.month = nation, month
        self.months, self.points = months_of(nation.id), points_of(nation.id)

    def groups(self) -> Iterator[UsualGroup]:
        """Yield all groups."""
        yield from self._infantry()
        yield from self._heavy_weapons()
        yield from self._guns()
        yield from self._vehicles()
        for name, cost in (("Battalion mortars", 3), ("Field artillery", 4), ("Heavy artillery", 5)):
            yield _group(RgKind.OBA, name, cost, per_firefight=1)
        yield _group(RgKind.AIR, "Air support", 4, per_firefight=1, notes=AIR_NOTE)
        yield _group(RgKind.BOMBARDMENT, "Bombardment", 5, per_firefight=1, total=1)
        yield _group(RgKind.SAN, "Snipers", 2, per_firefight=1)

    def _types(self, kind: Kind) -> list[Any]:
        units = (self.nation.unit(text, kind) for text in self.nation.types(kind))
        return [each for each in units if self.month is None or is_had(each, self.months.get(each.type), self.month)]

    def _weapons(self, *wanted: str | tuple[str, int]) -> list[dict[str, Any]]:
        """Return those of some weapons that the nation has."""
        pairs = [(each, 1) if isinstance(each, str) else each for each in wanted]
        had = {unit.type for unit in self._types(Kind.SW)}
        return [_piece(type_, count) for type_, count in pairs if type_ in had]

    def _price(self, kind: RgKind, units: list[tuple[UnitType, int]], more: int = 0) -> int:
        points = sum(self._points(unit) * count for unit, count in units)
        return max(1, round(points / POINTS_OF_CP[kind]) + more)

    def _points(self, unit: UnitType) -> int:
        if unit.type in self.points:
            return self.points[unit.type]
        if unit.kind is Kind.GUN:
            return POINTS_OF_GUN
        grade = getattr(unit, "grade", None)
        if grade is None:
            return POINTS_OF_CVP * unit.cvp
        return POINTS_OF_GRADE[grade] // (1 if unit.kind is Kind.SQUAD else 2)

    def _infantry(self) -> Iterator[UsualGroup]:
        squads: list[MmcType] = sorted(self._types(Kind.SQUAD), key=lambda squad: ORDER.index(squad.grade))
        for grade in ORDER:
            of_grade = [squad for squad in squads if squad.grade is grade]
            for squad in of_grade:
                name = PLATOON[grade] if len(of_grade) == 1 else f"{PLATOON[grade]} ({squad.type})"
                # Who can be expected to have machine guns.
                armed = self._weapons("LMG") if grade is not Grade.CONSCRIPT else []
                yield self._platoon(name, squad, 3, armed)
        elite = [squad for squad in squads if squad.grade is Grade.ELITE]
        if elite:
            # Submachine guns and the like are what they carry.
            engineers = min(elite, key=lambda squad: squad.range)
            armed = self._weapons("FT", ("DC", 2))
            yield self._platoon("Assault engineer platoon", engineers, 3, armed, engineers=True, more=2)
        riflemen = [squad for squad in squads if squad.grade is Grade.FIRST_LINE]
        if riflemen:
            line = max(riflemen, key=lambda squad: squad.range)
            armed = self._weapons(("LMG", 3), "MMG", "50* MTR")
            company = self._platoon("Rifle company", line, 9, armed)
            more = {"size": "company", "per_firefight": 1, "total": 2, "notes": COMPANY_NOTE}
            yield UsualGroup("I", {**company.line, **more})

    def _platoon(
        self, name: str, squad: MmcType, count: int, armed: list[dict[str, Any]], more: int = 0, **marks: bool
    ) -> UsualGroup:
        units = [{**_piece(squad.type, count), **marks}, *armed]
        price = self._price(RgKind.INFANTRY, [(squad, count)], more)
        return _group(RgKind.INFANTRY, name, price, units, size="platoon", troops=squad.grade.value)

    def _heavy_weapons(self) -> Iterator[UsualGroup]:
        squads = sorted(self._types(Kind.SQUAD), key=lambda squad: (ORDER.index(squad.grade), -squad.range))
        half = next((squad.half for squad in squads if squad.half), None)
        if half is None:
            return
        price = self._price(RgKind.HEAVY_WEAPONS, [(self.nation.unit(half, Kind.HALF_SQUAD), 2)])
        for name, more, wanted in (
            ("Machine gun section", 1, ("HMG", "MMG")),
            ("Anti-tank rifles", 0, (("ATR", 2),)),
            ("Light mortars", 0, (("50* MTR", 2),)),
        ):
            if armed := self._weapons(*wanted):
                units = [_piece(half, 2), *armed]
                yield _group(RgKind.HEAVY_WEAPONS, name, price + more, units, size="section", per_firefight=2)

    def _guns(self) -> Iterator[UsualGroup]:
        crews = [crew.type for crew in self._types(Kind.CREW)]
        for gun in self._types(Kind.GUN):
            count = 2 if gun.sort == "mortar" else 1
            units = [_piece(gun.type, count), *(_piece(crew, count) for crew in crews[:1])]
            name = f"{GUNS.get(gun.sort, 'Gun')} ({gun.type})"
            price = self._price(RgKind.GUN, [(gun, count)], 1)
            yield _group(RgKind.GUN, name, price, units, per_firefight=1, total=3)

    def _vehicles(self) -> Iterator[UsualGroup]:
        transports = []
        for vehicle in (*self._types(Kind.AFV), *self._types(Kind.VEHICLE)):
            if vehicle.kind is Kind.VEHICLE or (vehicle.passengers and vehicle.sort.endswith(WITH_ROOM)):
                sort = vehicle.sort.rpartition(" or ")[2].capitalize()
                name = f"{sort}s ({vehicle.type})"
                price = self._price(RgKind.VEHICLE, [(vehicle, 3)])
                transports.append(
                    _group(RgKind.VEHICLE, name, price, [_piece(vehicle.type, 3)], per_firefight=1, total=3)
                )
                continue
            heavy = vehicle.sort.startswith("heavy")
            size, count = ("section", 2) if heavy or vehicle.sort.endswith("car") else ("platoon", 3)
            name, price = f"{size.capitalize()} of {vehicle.type}", self._price(RgKind.AFV, [(vehicle, count)])
            yield _group(RgKind.AFV, name, price, [_piece(vehicle.type, count)], size=size, per_firefight=1, total=3)
        yield from transports


def _piece(type_: str, count: int) -> dict[str, Any]:
    return {"type": type_, "count": count} if count > 1 else {"type": type_}


def _group(
    kind: RgKind, name: str, cost: int, units: list[dict[str, Any]] | None = None, **more: str | int
) -> UsualGroup:
    line = {"name": name, "kind": kind.value, "cost": cost, **more}
    return UsualGroup(kind.prefix, {**line, "units": units} if units else line)
