"""Setup in the HASL family: Setup Areas, Entry Areas, the radius of Guns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, TypedDict

from laager.base import Problem
from laager.campaign import implements
from laager.catalogue import GunType, SwType, VehicleType
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, holders, is_vehicle, sort_by_holder
from laager.rules.board.hasl.areas import declared_guns
from laager.rules.board.hasl.buying.groups import arrival_date, is_in_reserve, line_of
from laager.rules.board.hasl.charts import UPGRADES
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import IMMOBILE, is_bound_by_radius, stays_fixed
from laager.rules.board.moves import is_fixed
from laager.rules.board.places import FIXING, Fault, can_dismantle, can_emplace, can_enter, fort_kinds_at, hex_of
from laager.rules.board.setup.placements import STATES, Reason, SetupAnswer, SetupPlace, Site, carrier_of
from laager.rules.board.setup.plan import BoardPlan, BoardSetting
from laager.rules.board.setup.proposal import TOW, is_mobile
from laager.rules.board.units import Fort, Mark, Place, Unit

ModuleRow = TypedDict("ModuleRow", {"module": str, "use": bool, "equipment": str, "with": str, "way": str})
"""A row of the answer for an OBA module."""


FIXED_GUN = "a Gun in a pillbox or fortified building is fixed unless it is dm"
"""Why a Gun must set up where it is (ABtF CG5a)."""


class HaslAnswer(SetupAnswer, total=False):
    """An answer to the setup question, with what it says of OBA modules."""

    modules: Sequence[ModuleRow]


class Setting(BoardSetting):
    """A side about to set up: what it has to place, and where it can. Nothing here changes.

    `isolated` limits it to what is Isolated (True) or is not (False).
    """

    cg: Hasl
    enters: ClassVar[bool] = True
    states: ClassVar[Sequence[str]] = tuple(STATES)

    def __init__(self, cg: Hasl, side: str, isolated: bool | None = None) -> None:
        self.isolated = isolated
        self._grounds: dict[str, frozenset[str]] = {}
        super().__init__(cg, side)

    def under(self, cg: Hasl) -> Setting:
        """Return the same side about to set up in a campaign as it stands, which may be this one."""
        return self if cg is self.cg else Setting(cg, self.side, self.isolated)

    def sets_up(self, unit: Unit) -> bool:
        """True if a unit is in play, free, not kept off, and Isolated or not as is asked for now."""
        if unit.place not in (Place.MAP, Place.OFF_MAP) or unit.has(Mark.PRISONER, Mark.WRECK):
            return False
        if self.cg.variant.waiting_reason(self.cg, unit):
            return False
        return self.isolated is None or is_isolated(self.cg, unit) is self.isolated

    def places(self, fort: Fort) -> bool:
        """True unless it is HIP, or only what is Isolated sets up now and no area is."""
        shut = self.isolated is True and not any(area.isolated for area in self.cg.state.areas_of(self.side))
        return super().places(fort) and not shut

    @property
    def enemy_ground(self) -> frozenset[str]:
        """The enemy's Setup Areas."""
        return self.cg.state.friendly(other_side(self.side))

    @property
    def attacks(self) -> bool:
        """True if the side attacks: by its chit, or in the Initial Scenario by the card."""
        if self.cg.initial:
            return self.cg.card.initial.attacker == self.side
        return self.side in self.cg.state.scenario.attackers()

    def goals(self) -> frozenset[str]:
        """Return the hexes of what decides the campaign, or else of Strategic Locations, that aren't the side's."""
        from laager.rules.board.hasl.judgement import goals

        return frozenset(goals(self.cg, self.side))

    @property
    def night(self) -> bool:
        """True if the scenario is at night."""
        return self.cg.date.night

    def plan(self, answer: SetupAnswer) -> HaslPlan:
        """Return the plan that an answer makes, with nothing proposed."""
        return HaslPlan(self, answer)

    def must_hide(self, unit: Unit) -> Mark | None:
        """Return the marker under which a unit has to set up on the map."""
        return self.cg.variant.required_hiding(self.cg, unit)

    def kind_when_built(self, fort: Fort) -> str:
        """Return the kind that a fortification is once it stands: of an upgrade, what it makes."""
        return UPGRADES[fort.kind].new if fort.kind in UPGRADES else fort.kind

    # Where --------------------------------------------------------------------------------------

    @cached_property
    def home(self) -> frozenset[str]:
        """The hexes where anything of the side sets up: its ground, and what parts of its OB have of their own."""
        items: tuple[Unit | Fort, ...] = (*self.units, *self.forts)
        return self.common.union(*(self.own_hexes(item) or () for item in items))

    @cached_property
    def common(self) -> frozenset[str]:
        """The hexes of all its Setup Areas that count now; in the Initial Scenario, the card's."""
        cg, side = self.cg, self.side
        card = cg.hexes(cg.side(side).setup) if cg.initial else frozenset[str]()
        return card or cg.state.friendly(side)

    @implements("ABtF 9.5", "ER CG7(2)")
    def own_hexes(self, item: Unit | Fort) -> frozenset[str] | None:
        """Return the only hexes where the card has something set up that the OB gives for this scenario; None if none.

        What the OB gave for an earlier CG Date, or is on the map already, has no such hexes any more.
        """
        new = item.firefight if isinstance(item, Fort) else item.since
        if not item.setup or item.at is not None or new != self.cg.state.number:
            return None
        return self.cg.hexes(item.setup)

    @cached_property
    def outside(self) -> frozenset[str]:
        """The hexes of Uncontrolled Territory."""
        state = self.cg.state
        return self.cg.map.playable - state.friendly(self.side) - self.enemy_ground

    @cached_property
    @implements("ER 1.5071", "ER 1.52321", "ER 1.52322")
    def bound(self) -> Mapping[str, str]:
        """Units that have to set up in the very Location where they are, by id, with the reason."""
        declared = declared_guns(self.cg)
        reasons = {}
        for unit in self.units:
            if not unit.on_map:
                continue
            if unit.id in declared:
                reasons[unit.id] = "it makes its Location a Strategic Location"
            elif stays_fixed(self.cg, unit, dm=False):
                reasons[unit.id] = FIXED_GUN
            elif self.cg.variant.immobile_stays and is_vehicle(unit) and unit.has(*IMMOBILE):
                reasons[unit.id] = "an immobile vehicle keeps its Location and VCA"
        return reasons

    @cached_property
    def enemies(self) -> frozenset[str]:
        """The Locations that hold enemy units of which the side knows."""
        return frozenset(
            unit.at
            for unit in self.cg.state.units.values()
            if unit.side != self.side
            and unit.on_map
            and unit.at
            and unit.known
            and (unit.kind in INFANTRY or is_vehicle(unit))
            and not unit.has(Mark.PRISONER, Mark.WRECK)
        )

    @implements("HASL 28", "HASL 9", "ER CG7(2)")
    def ground(self, unit: Unit) -> frozenset[str]:
        """Return the hexes where a unit can set up by its area; Guns have rules of their own."""
        if unit.id not in self._grounds:
            self._grounds[unit.id] = self._ground(unit)
        return self._grounds[unit.id]

    def _ground(self, unit: Unit) -> frozenset[str]:
        cg = self.cg
        only = cg.variant.setup_hexes(cg, unit)
        if only is not None:
            return only
        own = self.own_hexes(unit)
        if own is not None:
            return own
        area = cg.state.area(self.side, unit.area)
        if area is not None:
            hexes = frozenset(area.hexes)
        elif unit.on_map and unit.hex:
            hexes = frozenset({unit.hex})
        else:
            hexes = frozenset() if unit.area else self.common
        if not hexes or not cg.variant.sets_up_outside(cg, unit):
            return hexes
        radius = cg.variant.radius_outside(cg)
        near = self.outside if radius is None else self.outside & cg.map.hexes_within({unit.hex or ""}, radius)
        return hexes | near

    @implements("HASL 29", "HASL 7", "ER CG7a")
    def entries(self, unit: Unit) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas by which a unit can come; none if it can't.

        What comes in Reserve sets up on the map, or doesn't come on this date; so does what has setup hexes of its own.
        """
        if unit.on_map or is_in_reserve(self.cg, unit) or self.own_hexes(unit) is not None:
            return ()
        if unit.area:
            return () if self.cg.state.area(self.side, unit.area) is not None else (unit.area,)
        group = self.cg.state.groups.get((self.side, unit.group))
        line = line_of(self.cg, group) if group is not None else None
        return self.cg.arrows(self.side, line)

    def place_fault(self, unit: Unit, at: str, *, towed: bool = False, dm: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location; None if it can.

        `towed`: it begins the scenario hooked up to a Mobile vehicle; `dm`: it begins it dm.
        """
        cg = self.cg
        why = self.bound.get(unit.id)
        freed = why == FIXED_GUN and not stays_fixed(cg, unit, dm=dm)
        if why is not None and at != unit.at and not freed:
            return f"{unit.label} must set up in {unit.at}", why
        if at == unit.at and unit.on_map and self._may_stay(unit):
            return None
        if not can_enter(cg, unit, at):
            return f"{unit.label} cannot stand in {at}", "a Location that it can enter"
        if at in self.enemies:
            return f"{at} holds enemy units", "choose another Location"
        fault = self._gun_fault(unit, at, towed=towed, dm=dm)
        return fault if fault is not None else self._area_fault(unit, at)

    def _may_stay(self, unit: Unit) -> bool:
        assert unit.hex is not None
        return unit.id in self.bound or unit.kind == "gun" or unit.hex in self.ground(unit)

    def _gun_fault(self, unit: Unit, at: str, *, towed: bool, dm: bool) -> Reason | None:
        if not is_bound_by_radius(self.cg, unit):
            return None
        problem = self.cg.variant.gun_problem(self.cg, unit, at, towed=towed, dm=dm)
        return (problem.what, problem.right) if problem is not None else None

    def _area_fault(self, unit: Unit, at: str) -> Reason | None:
        name = hex_of(at)
        if unit.on_map and is_bound_by_radius(self.cg, unit) and not is_isolated(self.cg, unit):
            # The radius has said in which areas it can be.
            only = self.cg.variant.setup_hexes(self.cg, unit)
            if only is None or name in only:
                return None
        ground = self.ground(unit)
        if name in ground:
            return None
        entries = self.entries(unit)
        if not ground and entries:
            return f"{unit.label} does not set up on the map", f"it enters by {'; '.join(entries)}"
        own = "its own setup hexes" if self.own_hexes(unit) is not None else ""
        where = own or unit.area or ("its hex" if unit.on_map else "your Setup Areas")
        return f"{name} is outside {where}, where {unit.label} sets up", "a hex inside it"


class HaslPlan(BoardPlan):
    """An answer to the setup question. OBA modules that it leaves open are added as proposed."""

    setting: Setting
    cg: Hasl

    def __init__(
        self,
        setting: Setting,
        answer: HaslAnswer | SetupAnswer,
        proposed: Callable[[], Mapping[str, SetupPlace]] = dict,
    ) -> None:
        super().__init__(setting, answer, proposed)
        self.modules: tuple[ModuleRow, ...] = tuple(answer.get("modules", ()))  # type: ignore[arg-type]

    def in_order(self) -> list[SetupPlace]:
        """Return what sets up, holders before what they have; a DC that was set is gone."""
        there = (self.cg.state.units[name] for name in self.placed)
        units = sort_by_holder(self.cg, (unit for unit in there if unit.in_play))
        return [self.placed[unit.id] for unit in units]

    def is_towed(self, placement: SetupPlace) -> bool:
        """True if a Gun is hooked up to a Mobile vehicle."""
        carrier = self.carrier(placement)
        return Mark.HOOKED in placement.marks and carrier is not None and is_mobile(carrier)

    # Guns -------------------------------------------------------------------------------------------

    def has_free_hip(self, placement: SetupPlace) -> bool:
        """True if a unit hides at no cost: it mans (or is) a Gun that can."""
        guns = [gun for gun in (placement, *self.guns_of(placement.unit.id)) if gun.unit.kind == "gun"]
        return bool(guns) and all(self.hides_free(gun, gun.at, emplaced=is_emplaced(self.cg, gun)) for gun in guns)

    def hides_free(self, gun: SetupPlace, at: str, *, emplaced: bool) -> bool:
        """True if a Gun, with its crew, can set up hidden in a Location at no cost."""
        return self.cg.variant.hides_free(self.cg, gun.unit, at, emplaced=emplaced)

    @implements("HASL 28")
    def marks_at(self, placement: SetupPlace) -> frozenset[Mark]:
        """Return the markers that a unit gets by its setup, besides those of how it hides."""
        marks, cg = set(placement.marks), self.cg
        if placement.unit.kind == "gun" and placement.at:
            if is_emplaced(cg, placement):
                marks.add(Mark.EMPLACED)
            works = fort_kinds_at(cg, self.side, placement.at) | self.works.get(placement.at, frozenset())
            if cg.variant.guns_fixed and not FIXING.isdisjoint(works):
                marks |= {Mark.FIXED} if Mark.DISMANTLED not in marks else set()
            free = Mark.DISMANTLED in marks and cg.variant.dm_releases(cg)
            if is_fixed(placement.unit) and not free:
                marks.add(Mark.FIXED)
                # Once seen it never hides again, whatever else it does.
                marks |= {Mark.WAS_REVEALED} if placement.unit.known else set()
        return frozenset(marks)

    # Fortifications ---------------------------------------------------------------------------------

    @implements("HASL 28", "HASL 23")
    def area_faults(self, site: Site) -> Iterator[Fault]:
        """In a Friendly Setup Area; in an Isolated one only what can be added there, in its turn."""
        cg, name, setting = self.cg, hex_of(site.at), self.setting
        if name not in setting.home | cg.state.friendly(setting.side):
            yield f"{name} is outside your Setup Areas", "a hex inside one", "at"
            return
        own = setting.own_hexes(site.fort)
        if own is not None and name not in own:
            yield f"{name} is outside its own setup hexes", f"one of {', '.join(site.fort.setup)}", "at"
        area = cg.state.area_at(name)
        isolated = area is not None and area.isolated
        if isolated and not _in_isolated(cg, site.fort):
            yield f"{name} is Isolated", f"you can't add a {site.fort.kind} there", "at"
        if setting.isolated is not None and isolated is not setting.isolated:
            now = "Isolated areas" if setting.isolated else "areas that are not Isolated"
            yield f"{name} is set up at another time", f"now {now} set up", "at"

    def place_faults(self, site: Site) -> Iterator[Fault]:
        """Yield upgrades without the work that they need, and what terrain and hexsides have against other works."""
        if site.fort.kind not in UPGRADES:
            yield from super().place_faults(site)
        elif self.upgraded_fort(site) is None:
            made = self.cg.variant.upgrades[site.fort.kind]
            yield f"you have no {made.needs} in {site.at}", f"one of yours that becomes a {made.new}", "at"

    def upgraded_fort(self, site: Site) -> Fort | None:
        """Return the fortification of which an upgrade makes a better one: on the map, or set up now."""
        if site.fort.kind not in UPGRADES:
            return None
        upgrade = self.cg.variant.upgrades[site.fort.kind]
        dug = (new_site for new_site in self.sites if new_site.room and new_site.fort.kind not in UPGRADES)
        new_forts = (
            new_site.fort.but(at=new_site.room, hidden=not self.is_seen_by_enemy(new_site)) for new_site in dug
        )
        old_forts = (fort for fort in self.cg.state.forts.values() if fort.side == self.side)
        forts = (fort for fort in (*old_forts, *new_forts) if upgrade.fits(fort.kind, fort.size))
        return next((fort for fort in forts if fort.at == site.at), None)

    def dc_barred(self, site: Site, works: Collection[str]) -> str:
        """Return why a DC can't be set in a Location by rules of the system; "" if it can."""
        return self.cg.variant.dc_problem(self.cg, self.side, site.at, frozenset(works))

    def is_dc_ready(self, dc: Unit) -> bool:
        """True if a DC sets up on the map, not in Reserve."""
        placement = self.placed.get(dc.id)
        return placement is not None and bool(placement.at) and self.setting.must_hide(dc) is not Mark.CLOAKED

    def is_seen_by_enemy(self, site: Site) -> bool:
        """True if the enemy sees a fortification: what is made of one that it knows, or can't hide."""
        old = self.upgraded_fort(site)
        return (old is not None and not old.hidden) or super().is_seen_by_enemy(site)

    def build_fort(self, site: Site) -> Fort:
        """Return a fortification as it stands; an upgrade counts as of the date on which it is made."""
        fort, made = super().build_fort(site), self.cg.variant.upgrades.get(site.fort.kind)
        if made is None:
            return fort
        return fort.but(kind=site.kind, size=made.new_size or fort.size, firefight=self.cg.state.number)


def _in_isolated(cg: Hasl, fort: Fort) -> bool:
    prices = [price for price in cg.charts.fortifications or () if price.kind == fort.kind]
    return all(price.isolated for price in prices if price.size == fort.size or not price.size)


def is_emplaced(cg: Hasl, placement: SetupPlace) -> bool:
    """True if a Gun is Emplaced where it sets up: neither hooked, limbered nor dm (C11.2)."""
    return bool(placement.at) and placement.marks.isdisjoint(TOW) and can_emplace(cg, placement.at)


def is_isolated(cg: Hasl, unit: Unit) -> bool:
    """True if a unit is Isolated, by itself or with the unit that has it."""
    first = [unit, *holders(cg, unit)][-1]
    area = cg.state.area(first.side, first.area)
    return first.has(Mark.ISOLATED) or (area is not None and area.isolated)


@implements("HASL 28")
def gun_problem(cg: Hasl, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
    """Return why a Gun that was on map can't set up in a Location; None if radius and area let it.

    Within the radius in a Friendly Setup Area, or a smaller one (if any) in Uncontrolled Territory.
    A Gun that is free of the radius sets up in any Friendly Setup Area.
    """
    assert gun.spot is not None, "only a Gun that was on map is bound to a place"
    rules, name, ended = cg.variant, hex_of(target), hex_of(gun.spot)
    away = cg.map.distance(ended, name)
    if name in cg.state.friendly(other_side(gun.side)):
        return Problem(f"{name} is in an Enemy Setup Area", "set it up elsewhere")
    friendly = name in cg.state.friendly(gun.side)
    most = rules.gun_radius if friendly else rules.gun_radius_outside
    if friendly and (most is None or rules.is_gun_free(cg, gun, dm=dm) or (towed and rules.towed_free)):
        return None
    if most is None:
        return Problem(f"{name} is in no Friendly Setup Area", "Guns set up in one")
    if away <= most:
        return None
    where = "in a Friendly Setup Area" if friendly else "in Uncontrolled Territory"
    return Problem(f"{name} is {away} hexes from {ended}", f"at most {most} {where}")


# Units --------------------------------------------------------------------------------------------


@implements("ER CG8")
def barred_states(cg: Hasl, placement: SetupPlace) -> Iterator[tuple[Mark, str]]:
    """Yield the states that a unit can't be in, and why."""
    type_ = cg.nation_of(placement.unit).unit(placement.unit.type)
    gun, vehicle = isinstance(type_, GunType), is_vehicle(placement.unit)
    carrier = carrier_of(cg, placement)
    if not gun or carrier is None or not is_vehicle(carrier):
        yield Mark.HOOKED, "a Gun is, to the vehicle that it is with"
    if not gun:
        yield Mark.LIMBERED, "Guns are"
    can = (isinstance(type_, GunType) and can_dismantle(type_)) or (
        isinstance(type_, SwType) and type_.dm_pp is not None
    )
    if not can:
        yield Mark.DISMANTLED, "light mortars, recoilless rifles and some SW can be"
    if not vehicle:
        for mark in (Mark.BUTTONED_UP, Mark.CREW_EXPOSED):
            yield mark, "vehicles are"
    if not placement.unit.has(Mark.ABANDONED):
        if not vehicle or not cg.variant.may_abandon:
            yield Mark.ABANDONED, "only vehicles can be, in campaigns that allow it"
        elif not isinstance(type_, VehicleType) or type_.crew is None:
            yield Mark.ABANDONED, "it has no crew that could leave it"


def was_seen_before(gun: Unit) -> bool:
    """True if a Gun has been revealed since it was fixed in its place."""
    return gun.known or gun.has(Mark.WAS_REVEALED)


def is_new(cg: Hasl, unit: Unit) -> bool:
    """True if a unit of a group takes part for the first time, whenever the group was bought.

    One that has Shifted or Escaped away from the area of its group is on its own.
    """
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None or arrival_date(cg, unit) is not None:
        return False
    return not (group.area and unit.area and unit.area != group.area)
