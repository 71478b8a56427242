"""Scenes for setting up: variants with every hook of setup, troops by chance, folded facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import pytest

from laager.base import DataError, Problem
from laager.campaign.facts import Fact
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import Agreed, FortJoined
from laager.rules.board.hasl.areas import DECLARED, declarable_guns
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import GroupJoined
from laager.rules.board.hasl.setup.plan import HaslPlan, Setting
from laager.rules.board.hasl.setup.setup import HaslSetup
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Mark, Unit
from tests.historical.small import add, scene

PAK, SIX_PDR, MORTAR = "75L AT PaK 40", "57L AT OQF 6pdr 7cwt", '76* MTR OML 3"'


class Bridge(Variant[Any]):
    """The hooks of setup as A Bridge Too Far has them."""

    gun_radius_outside: ClassVar[int | None] = 2
    guns_fixed: ClassVar[bool] = True
    sniper_count: ClassVar[int] = 2
    sniper_spacing: ClassVar[int] = 12

    def sets_up_outside(self, cg: Hasl, unit: Unit) -> bool:
        return unit.kind in ("afv", "vehicle", "crew")

    def is_gun_free(self, cg: Hasl, gun: Unit, *, dm: bool = False) -> bool:
        return cg.state.idle_since or (gun.has(Mark.DISMANTLED) and "MTR" in gun.type)

    def hides_free(self, cg: Hasl, gun: Unit, at: str, *, emplaced: bool) -> bool:
        return emplaced and at.split(".", maxsplit=1)[0] in cg.state.friendly(gun.side)

    def module_problems(self, cg: Hasl, side: str, wanted: Sequence[str]) -> Iterator[Problem]:
        if len(wanted) > 1:
            yield Problem(f"{len(wanted)} OBA modules", "one in a scenario")


class Ridge(Variant[Any]):
    """The hooks of setup as Edson's Ridge has them."""

    isolated_first: ClassVar[bool] = True
    groups_together: ClassVar[bool] = True
    immobile_stays: ClassVar[bool] = True
    may_abandon: ClassVar[bool] = True
    towed_free: ClassVar[bool] = False

    def required_hiding(self, cg: Hasl, unit: Unit) -> Mark | None:
        return Mark.CLOAKED if self.reserve(cg, unit) else None

    def setup_hexes(self, cg: Hasl, unit: Unit) -> frozenset[str] | None:
        if not self.reserve(cg, unit):
            return None
        return frozenset(name for name in cg.state.friendly(unit.side) if name[0] in "ABKL")

    def reserve(self, cg: Hasl, unit: Unit) -> bool:
        group = cg.state.groups.get((unit.side, unit.group))
        return group is not None and group.arrival is GroupArrival.RESERVE and not unit.on_map


class BridgeCg(Hasl):
    variant: ClassVar[Variant[Any]] = Bridge()


class RidgeCg(Hasl):
    variant: ClassVar[Variant[Any]] = Ridge()


def ready(cg: Any, first: str = "allied", **chits: str) -> Any:
    """Return the scene with an order of setup and the chits of both sides."""
    cg.state = cg.state.with_scenario(sets_up_first=first, chits=chits)
    return cg


def row(unit: Unit, at: str = "", by: str = "", **more: Any) -> dict[str, Any]:
    """Return a row of the answer for a unit; `by` is who has it."""
    return {"unit": unit.id, "at": at, "with": by, **more}


def question(cg: Any, side: str, isolated: bool | None = None) -> Any:
    """Return the setup question of a side."""
    return HaslSetup(Setting(cg, side, isolated)).question()


def refusals(cg: Any, side: str, *rows: Mapping[str, Any], **more: Any) -> list[str]:
    """Return what is said against rows of a setup."""
    with pytest.raises(DataError) as refused:
        question(cg, side).accept({"units": list(rows), **more})
    return [f"{one.field}: {one.what}; {one.right}" for one in refused.value.problems]


def allowed(cg: Any, side: str, *rows: Mapping[str, Any], **more: Any) -> HaslPlan:
    """Return the plan that rows make, which has to be legal."""
    setup = HaslSetup(Setting(cg, side))
    return setup.plan(setup.question().accept({"units": list(rows), **more}))


def group(cg: Any, side: str, id_: str, kind: str = "I", **more: Any) -> Group:
    """Add a group that came for this date and return it."""
    made = Group(id=id_, side=side, rg=id_.split("/", maxsplit=1)[0], kind=kind, date=more.pop("date", 1), **more)
    cg.state = GroupJoined(group=made).apply(cg.state)
    return made


def fort(cg: Any, side: str, kind: str, size: str = "", count: int = 1, **more: Any) -> Fort:
    """Add a fortification without a place and return it."""
    number = cg.state.side(side).next_fort
    made = Fort(id=f"{side[:2].upper()}F{number}", side=side, kind=kind, size=size, count=count)
    made = made.but(**more)
    cg.state = FortJoined(fort=made).apply(cg.state)
    return made


# What each side knows -----------------------------------------------------------------------------


def views(cg: Any) -> dict[str, Any]:
    """Return what each side knows of the scene: its own, and enemy units that are known."""
    found = {}
    for side in SIDES:
        units = {
            name: unit if unit.side == side else unit.but(group="", since=1, fought=False)
            for name, unit in cg.state.units.items()
            if unit.side == side or unit.known
        }
        forts = {n: f for n, f in cg.state.forts.items() if f.side == side or not f.hidden}
        groups = {key: one for key, one in cg.state.groups.items() if key[0] == side}
        found[side] = evolve(cg.state, viewer=side, units=units, forts=forts, groups=groups)
    return found


def folded(view: Any, facts: Iterable[Fact]) -> Any:
    """Return what a viewer knows after facts, of which it is told only some."""
    for fact in facts:
        if fact.to is None or view.viewer in fact.to:
            view = fact.apply(view)
    return view


# By chance ----------------------------------------------------------------------------------------

TROOPS: Mapping[str, Sequence[tuple[str, str]]] = {
    "allied": (("6-4-8", "squad"), ("3-3-8", "half-squad"), ("9-1", "leader"), ("2-2-8", "crew")),
    "axis": (
        *(("4-6-7", "squad"), ("2-4-7", "half-squad"), ("9-1", "leader"), ("2-2-8", "crew")),
        *(("PzIVH", "afv"), ("9-1", "armor-leader")),
    ),
}
GUNS = {"axis": PAK, "allied": SIX_PDR}
HEXES = ("A4", "B4", "B4.1", "B5", "C2", "D2", "D6", "F2", "G3", "H3", "I4", "G7", "F6", "E5")
MARKS = (
    *(Mark.BROKEN, Mark.ISOLATED, Mark.HIP, Mark.IMMOBILIZED, Mark.CONCEALED, Mark.SHIFTED),
    *(Mark.DISMANTLED, Mark.LIMBERED, Mark.HOOKED, Mark.BUTTONED_UP, Mark.CREW_EXPOSED),
    *(Mark.FIXED, Mark.WAS_REVEALED, Mark.PRISONER, Mark.WRECK, Mark.ABANDONED, Mark.CLOAKED),
)
AREAS, ARROWS = {"axis": "NE", "allied": "W"}, {"axis": "G1", "allied": "A4"}
WORKS = (
    *("wire", "foxhole", "trench", "pillbox", "roadblock", "concealment", "hip", "a-p-mines"),
    *("fortified-building", "trench-upgrade", "panji", "set-dc", "jungle-path", "a-b-mines"),
)


def by_chance(rng: Random, context: type[Hasl]) -> Any:
    """Return a scene with troops, Guns, fortifications and OBA modules by chance."""
    first = rng.choice(SIDES)
    cg = ready(scene(context=context), first, allied="attack", axis=rng.choice(("idle", "attack")))
    if rng.random() < 0.4:
        cg.state = cg.state.with_scenario(number=2)
    if rng.random() < 0.3:
        hit = rng.choice(cg.state.areas)
        areas = (area.but(isolated=area == hit) for area in cg.state.areas)
        cg.state = evolve(cg.state, areas=tuple(areas))
    for side in SIDES:
        for number in range(rng.randint(0, 2)):
            _some_group(cg, rng, side, number)
    for _ in range(rng.randint(0, 7)):
        side = rng.choice(SIDES)
        _some_troops(cg, rng, side, rng.choice((*HEXES, "")))
    for _ in range(rng.randint(0, 5)):
        side, kind = rng.choice(SIDES), rng.choice(WORKS)
        size = rng.choice(("squad", "crew", "")) if kind == "hip" else ""
        at = rng.choice((None, None, rng.choice(HEXES[:6])))
        at = at if kind in ("foxhole", "trench", "fortified-building") else None
        fort(cg, side, kind, size, rng.randint(1, 3) if kind == "concealment" else 1, at=at)
    guns = {gun.id: gun.at for side in SIDES for gun in declarable_guns(cg, side) if rng.random() < 0.5}
    cg.state = Agreed(about=DECLARED, value=guns).apply(cg.state)
    return cg


def _some_group(cg: Any, rng: Random, side: str, number: int) -> None:
    arrival = rng.choice((GroupArrival.ON_MAP, GroupArrival.ENTER, GroupArrival.RESERVE))
    area = ARROWS[side] if arrival is GroupArrival.ENTER else AREAS[side]
    if rng.random() < 0.4:
        by = rng.choice(("radio", "phone", "observer"))
        group(cg, side, f"O1/{number}", "O", equipment=by, area=rng.choice(("", AREAS[side])))
        return
    date = rng.choice((1, cg.state.number))
    name = group(cg, side, f"I1/{number}", arrival=arrival, area=area, date=date).id
    for _ in range(rng.randint(1, 3)):
        _some_troops(cg, rng, side, "", group=name, area=area)


def _some_troops(cg: Any, rng: Random, side: str, at: str, **more: Any) -> None:
    type_, kind = rng.choice(TROOPS[side])
    area = cg.state.area_at(at.split(".", maxsplit=1)[0]) if at else None
    mine = area.name if area is not None and area.side == side else ""
    more.setdefault("area", mine if at else rng.choice(("", AREAS[side], ARROWS[side])))
    known = rng.random() < 0.5 and bool(at)
    marks = rng.sample(MARKS, k=2) if rng.random() < 0.3 else ()
    unit = add(cg, side, type_, kind, at or None, *marks, known=known, **more)
    for item in range(rng.randint(0, 2)):
        what, sort = rng.choice((("LMG", "sw"), (GUNS[side], "gun"), ("DC", "sw"), ("MMG", "sw")))
        with_unit = unit.id if rng.random() < 0.8 else ""
        own = rng.sample(MARKS, k=1) if rng.random() < 0.3 else ()
        add(cg, side, what, sort, at or None, *own, with_unit=with_unit, known=known, **more)
        if item and kind == "afv":
            add(cg, side, "9-1", "leader", at or None, with_unit=unit.id, known=known, **more)
