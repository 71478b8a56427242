"""Where Edson's Ridge differs from the layer of the HASL campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from laager.base import Problem
from laager.campaign import Fact, Field, Option, Procedure, YesNo, implements
from laager.catalogue import GunType
from laager.dice import Modifier
from laager.rules.board.buying.works import HipCap
from laager.rules.board.card.parts import ALLIED, AXIS, other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, RgLine, Upgrade
from laager.rules.board.hasl.scenario.weather import RANDOM
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.los_requests import locations_in
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.edsons_ridge import groups, night
from laager.rules.edsons_ridge.charts import UPGRADES
from laager.rules.edsons_ridge.groups import purchase_problems
from laager.rules.edsons_ridge.steps import after_play, events, oba, reserves
from laager.rules.edsons_ridge.steps.works import dc_problem, hip_cap, pass_on_dc
from laager.tables import Table

if TYPE_CHECKING:
    from laager.rules.board.setup.placements import SetupPlace
    from laager.rules.edsons_ridge.context import Er

TWO_SNIPERS = "two-snipers"
"""The name under which the players agree on two Snipers a side."""


@implements("ER 1.3")
class ErVariant(Variant["Er"]):
    """The rules that the steps of the layer take from this module."""

    clauses: ClassVar[Mapping[str, str]] = {
        "strength": "ER 1.5191",
        "weapons": "ER 1.5192",
        "leaders": "ER 1.5193",
        "game-end": "ER CG21",
    }

    gun_radius: ClassVar[int | None] = 3
    sniper_spacing: ClassVar[int] = 10
    towed_free: ClassVar[bool] = False
    may_abandon: ClassVar[bool] = True
    upgrades: ClassVar[Mapping[str, Upgrade]] = UPGRADES
    exit_check: ClassVar[bool] = True
    immobile_stays: ClassVar[bool] = True
    massacre_lasts: ClassVar[bool] = True
    isolated_first: ClassVar[bool] = True
    groups_together: ClassVar[bool] = True
    game_end_from: ClassVar[int] = 6
    game_end_by_player_turn: ClassVar[bool] = True

    # The beginning ------------------------------------------------------------------------------

    @implements("ER CG3", "ER CG13", "ER 1.5122", "ER CHART Random weather")
    def agreements(self, cg: Er) -> Iterator[Field]:
        """Yield the options that both sides must want: random weather, two Snipers a side."""
        yield Field(RANDOM, YesNo(), "Random weather instead of the historical one (CG3)", False)
        yield Field(TWO_SNIPERS, YesNo(), "Two Snipers a side from the second date (CG13)", False)

    @implements("ER 1.5221")
    def assumed_chits_count(self, cg: Er) -> bool:
        """The Initial Scenario uses up no Attack chit."""
        return False

    # Purchase -----------------------------------------------------------------------------------

    @implements("ER CG7", "ER 1.2 RU")
    def arrivals(self, cg: Er, side: str, line: RgLine) -> tuple[GroupArrival, ...]:
        """Return the ways in which a group may come: entering, on map, in Reserve."""
        if line.kind not in WITH_UNITS:
            return ()
        on_map = (GroupArrival.ON_MAP, GroupArrival.RESERVE) if line.on_map else ()
        return (GroupArrival.ENTER, *on_map)

    def price(self, cg: Er, line: RgLine, arrival: GroupArrival | None) -> int:
        """Return the CPP for a group that comes in this way (CG7(1))."""
        if arrival is None:
            return line.cost
        least = int(cg.reading("reserve-price"))
        return cg.rule_charts.arrivals.price(line.kind, line.cost, arrival.value, least)

    def purchase_problems(self, cg: Er, side: str, cart: Cart) -> Iterator[Problem]:
        """Yield what Bombardments and FPF Barrages have against a purchase (CG15, CG18)."""
        yield from purchase_problems(cg, side, cart)

    @implements("ER 1.5188 Objective Hex", "ER 1.2 Objective Hex")
    def has_objective(self, cg: Er, side: str, line: RgLine) -> bool:
        """True if an Objective Hex is recorded for a group: for Japanese I groups, or by the reading for all."""
        if line.kind is not Kind.INFANTRY:
            return False
        return side == AXIS or cg.reading("objective-sides") == "both"

    @implements("ER CG12", "ER CG12(1)")
    def equipment(self, cg: Er, side: str, line: RgLine) -> tuple[str, ...]:
        """Return what can direct an OBA module besides an Offboard Observer: phones are U.S."""
        return ("radio", "phone") if side == ALLIED else ("radio",)

    # Strength, weapons, leaders -----------------------------------------------------------------

    def rolls_strength(self, cg: Er, side: str, line: RgLine, given: bool) -> bool:
        """True if a group's strength is rolled for (1.5191)."""
        return groups.rolls_strength(cg, side, line, given)

    def strength_modifiers(self, cg: Er, side: str, line: RgLine) -> Mapping[str, int]:
        """No DRM are printed. If the owner has entered another table, the players are asked for its DRM."""
        return {"chart": 0}

    def strength_table(self, cg: Er) -> Table | None:
        """Return the owner's table of strength, else the printed one."""
        return cg.chart_table("strength") or cg.table("rg-strength")

    def least_weapons(self, cg: Er, side: str, line: RgLine) -> int:
        """A HW group has two SW at least."""
        return groups.LEAST_WEAPONS if line.kind is Kind.HEAVY_WEAPONS else 0

    def leader_table(self, cg: Er) -> Table | None:
        """Return the owner's table of leaders, else the printed one."""
        return cg.chart_table("leaders") or cg.table("leader")

    def leader_conditions(self, cg: Er, side: str, line: RgLine, group: Group) -> Mapping[str, int]:
        """Return which DRM of the leader table apply to a group."""
        return groups.leader_conditions(side, line, group)

    def leader_modifiers(self, cg: Er, side: str, line: RgLine, group: Group) -> list[Modifier]:
        """The DRM of 1.5193 are those of its table; a chart's own apply to other groups only."""
        conditions = groups.leader_conditions(side, line, group)
        has_own_drm = any(value for name, value in conditions.items() if name != "depleted")
        return [] if has_own_drm else super().leader_modifiers(cg, side, line, group)

    @implements("ER 1.5193 Note a")
    def leader_gate(self, cg: Er, side: str, line: RgLine) -> int | None:
        """Return the dr with which a leader comes to a Japanese I group; others just roll."""
        if groups.leader_column(side, line.kind) != "japanese":
            return None
        gate = cg.table("leader-japanese")
        return max(dr for dr in range(1, 7) if gate.result(dr))

    # Fortifications -----------------------------------------------------------------------------

    def hip_cap(self, cg: Er, side: str) -> HipCap | None:
        """Return how many squads may use HIP now (1.520 Note c)."""
        return hip_cap(cg, side)

    def loses_allowances(self, cg: Er) -> bool:
        """True if HIP and "?" that were not used are lost: the reading says."""
        return cg.reading("unused-allowances") == "lost"

    # Setting up ---------------------------------------------------------------------------------

    def setup_problems(self, cg: Er, side: str, plan: Mapping[str, SetupPlace]) -> Iterator[Problem]:
        """Yield what Reserves, HIP and Cloaking have against a setup."""
        yield from reserves.setup_problems(cg, side, plan)

    @implements("ER CG10")
    def watchers_of(self, cg: Er, unit: Unit, seen: Any) -> tuple[tuple[str, ...], str]:
        """Infantry is watched from every Location of the enemy's Setup Areas; elsewhere it has Concealment Terrain."""
        if unit.kind not in INFANTRY:
            return super().watchers_of(cg, unit, seen)
        hexes = dict.fromkeys(name for area in seen.areas_of(other_side(unit.side)) for name in area.hexes)
        return tuple(locations_in(cg.map, hexes)), "every Location of the enemy's Setup Areas"

    @implements("ER CG13")
    def snipers(self, cg: Er) -> int:
        """Return how many Snipers each side has: two if agreed on, never in the first scenario."""
        return 2 if cg.state.agreed.get(TWO_SNIPERS) and not cg.initial else 1

    @implements("ER CG13", "ER GEO-11")
    def sniper_range(self, cg: Er) -> int:
        """Return the least range between a side's two Snipers, by the reading."""
        return int(cg.reading("sniper-spacing"))

    @implements("ER CG11")
    def is_gun_free(self, cg: Er, gun: Unit, *, dm: bool = False) -> bool:
        """True if a Gun can set up anywhere: a mortar, one that Escaped, or after an Idle Date."""
        type_ = cg.nation_of(gun).unit(gun.type)
        mortar = isinstance(type_, GunType) and "MTR" in type_.type.upper().split()
        return cg.state.idle_since or gun.has(Mark.ESCAPED) or mortar

    @implements("ER CG11")
    def frees_gun(self, cg: Er, mark: Mark) -> bool:
        """True if a Gun is free of the radius: by Escape it is, by Shift it isn't."""
        return mark is Mark.ESCAPED

    @implements("ER CG6", "ER CG7a")
    def waiting_reason(self, cg: Er, unit: Unit) -> str:
        """Groups without a place in Reserve wait for the next CG Date, others for their Entry Area to open."""
        if cg.state.held.get((unit.side, unit.group)) == cg.state.number:
            return f"{unit.label} waits in a Holding Box until the next CG Date (ER CG7a)"
        if not unit.on_map and unit.area in cg.all_arrows(unit.side) and not cg.is_entry_open(unit.side, unit.area):
            date = cg.side(unit.side).arrow_dates[unit.area]
            return f"{unit.label} waits at {unit.area}, which opens on {date} (ER CG6)"
        return ""

    @implements("ER CG7a")
    def required_hiding(self, cg: Er, unit: Unit) -> Mark | None:
        """Reserves set up Cloaked (CG7a)."""
        return Mark.CLOAKED if cg.is_reserve(unit) else None

    def setup_hexes(self, cg: Er, unit: Unit) -> frozenset[str] | None:
        """Reserves set up eight hexes from the enemy's areas (CG7a)."""
        if not cg.is_reserve(unit):
            return None
        return reserves.reserve_hexes(cg, unit.side, unit.area)

    @implements("ER CG11", "ER GEO-9")
    def gun_problem(self, cg: Er, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
        """Return why a Gun that ended on map can't set up in a Location: area, three hexes."""
        return super().gun_problem(cg, gun, target, towed=towed, dm=dm)

    @implements("ER CG5c", "ER CG7a")
    def cloak_problem(self, cg: Er, unit: Unit, placed: Mapping[str, SetupPlace] | None = None) -> str:
        """Return why a unit can't be Cloaked: Reserves are, at night the Attacker's Infantry."""
        at_night = unit.kind in INFANTRY and cg.date.night and unit.side in night.attackers(cg)
        if cg.is_reserve(unit) or at_night:
            return ""
        return "Reserves are, and at night Infantry of the Scenario Attacker (ER CG5c)"

    def dc_problem(self, cg: Er, side: str, at: str, works: frozenset[str]) -> str:
        """A DC is Set in a trench or pillbox that its side Controls (1.520 Note g)."""
        return dc_problem(cg, side, at, works)

    def security_problems(self, cg: Er, side: str, way: Sequence[str]) -> Sequence[Problem]:
        """Return what is wrong with the Security Area of a field phone (CG12)."""
        return oba.security_problems(cg, way)

    def pass_on(self, cg: Er, half: Unit, squad: Unit) -> Iterator[Fact]:
        """The squad has the radio of its half, and sets off the DC that the half was to set off."""
        yield from super().pass_on(cg, half, squad)
        yield from pass_on_dc(cg, half, squad)

    # The end of a scenario ----------------------------------------------------------------------

    @implements("ER CG20", "ER CG7(3)", "ER 1.2 Retained")
    def place_if_never_entered(self, cg: Er, unit: Unit) -> Place:
        """Units that didn't enter are Retained for the next scenario."""
        return Place.OFF_MAP

    @implements("ER CG14(2)", "ER 1.5091")
    def burns_out(self, cg: Er, wreck: Unit) -> bool:
        """A wreck in a terrain Blaze becomes a Burnt-Out Wreck in any terrain."""
        return True

    @implements("ER CG19")
    def exit_areas(self, cg: Er, unit: Unit, at: str) -> tuple[str, ...]:
        """Return the friendly Entry Areas that hold the hex by which a unit left the map."""
        arrows: Sequence[str] = cg.arrows(unit.side)
        return tuple(arrow for arrow in arrows if at in cg.entry_hexes(arrow))

    @implements("ER CG12", "ER CG20")
    def module_loss(self, cg: Er, group: Group) -> str:
        """A module is Retained, used or not."""
        return ""

    def report_fields(self, cg: Er, side: str) -> Iterator[Field]:
        """Yield which vehicles burnt out and which DC were used (CG14, 1.520 Note g)."""
        yield from after_play.report_fields(cg, side)

    def complete_report(self, cg: Er, side: str, report: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a report with the vehicles that burnt out among its rows."""
        return after_play.with_burnt_out(cg, side, report)

    def report_problems(self, cg: Er, side: str, report: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield what is wrong with them."""
        yield from after_play.report_problems(cg, side, report)

    def apply_report(self, cg: Er, side: str, report: Mapping[str, Any]) -> Procedure[None]:
        """Apply them."""
        yield from after_play.apply_report(cg, side, report)

    @implements("ER 1.513")
    def may_isolated_shift(self, cg: Er) -> bool:
        """True if Isolated units can try to Shift: the reading says."""
        return cg.reading("isolated-shift") == "allowed"

    # Commencement and play ------------------------------------------------------------------------

    @implements("ER 1.525")
    def first_side_by_dr(self, cg: Er, role: str, final: int) -> str:
        """Return the side that a dr names: on 4 or more the U.S."""
        return str(cg.table("first-mover").result(final))

    @implements("ER CG21")
    def game_end_roller(self, cg: Er, mover: str) -> str:
        """Return who makes the Game End dr: the Attacker, or in a Dual Attack the side that has just moved."""
        attackers = night.attackers(cg)
        return attackers[0] if len(attackers) == 1 else mover

    def play_events(self, cg: Er) -> tuple[Option, ...]:
        """Return what the players tell or roll through Laager while they play."""
        return events.event_options(cg)

    def carry_out_event(self, cg: Er, event: str, turn: int) -> Procedure[None]:
        """Carry out one of them."""
        yield from events.carry_out_event(cg, event, turn)
