"""The differences between the rule systems of the HASL family: named hooks, each with the layer's default.

A rule system overrides the hooks in which it differs and nothing else. All hooks are pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from laager.base import Problem
from laager.campaign import Fact, Field, Option, Procedure
from laager.dice import Modifier
from laager.rules.board.hasl.charts import UPGRADES, WITH_UNITS, Kind, RgLine, Upgrade
from laager.rules.board.hasl.state import Group, GroupArrival, Strength
from laager.rules.board.los_requests import WATCHED_FROM, enemy_watchers
from laager.rules.board.units import Mark, Place, Unit
from laager.tables import Table

if TYPE_CHECKING:
    from laager.rules.board.buying.works import HipCap
    from laager.rules.board.hasl.buying.offers import Cart
    from laager.rules.board.hasl.context import Hasl
    from laager.rules.board.hasl.state import Scenario
    from laager.rules.board.report.side_report import Contradiction, SideReport
    from laager.rules.board.setup.placements import SetupPlace


CgT = TypeVar("CgT", bound="Hasl")


class Variant(Generic[CgT]):
    """The rules of a campaign described by data alone. A system's own hooks take its own context."""

    clauses: ClassVar[Mapping[str, str]] = {
        "weapons": "HASL 22",
        "leaders": "HASL 22",
        "game-end": "HASL 30",
        "victory": "HASL 31",
    }
    """Names of rules that the layer's procedures carry out in passing -> clauses of the system."""

    gun_radius: ClassVar[int | None] = 3
    """Radius in hexes within which a Gun sets up from where it ended; None: anywhere in a Friendly Setup Area."""
    gun_radius_outside: ClassVar[int | None] = None
    """The same in Uncontrolled Territory; None: Guns never set up there."""
    sniper_count: ClassVar[int] = 1
    sniper_spacing: ClassVar[int] = 0
    """The least range between two Sniper counters of a side."""

    towed_free: ClassVar[bool] = True
    """True if a Gun hooked up to a Mobile vehicle at its new setup is free of the radius."""
    guns_fixed: ClassVar[bool] = False
    """True if a Gun set up in a Pillbox or Fortified Building stays there for the campaign."""
    may_abandon: ClassVar[bool] = False
    """True if a Retained vehicle may begin a scenario Abandoned, with its crew in its area."""

    upgrades: ClassVar[Mapping[str, Upgrade]] = UPGRADES
    """The old and the new work of each kind of upgrade."""

    exit_check: ClassVar[bool] = False
    """True if broken Personnel that leave the map and are Retained take an NTC at once."""
    immobile_stays: ClassVar[bool] = False
    """True if an immobile vehicle is bound to its Location and VCA until it can move again."""
    massacre_lasts: ClassVar[bool] = False
    """True if a Massacre (A20.4) stays in force for the campaign and so must be reported."""
    isolated_first: ClassVar[bool] = False
    """True if both sides set up what is Isolated before either sets up the rest."""
    groups_together: ClassVar[bool] = False
    """True if a new group sets up in one area, or enters by one, and keeps its own Equipment."""
    isolated_oba: ClassVar[bool] = False
    """True if Isolated Personnel may be the first to have the radio or phone of a module."""
    phones_replaced: ClassVar[bool] = False
    """True if a phone that can trace no Security Area is replaced by one or a radio elsewhere."""
    rain_turns: ClassVar[int | None] = None
    """Consecutive Player Turns of rain that are reported; None: rain isn't reported."""

    game_end_from: ClassVar[int] = 1
    """The first Game Turn after which a Game End dr is made, if a number is circled for it."""
    game_end_by_player_turn: ClassVar[bool] = False
    """True if the dr is made after each Player Turn; otherwise once after each Game Turn."""

    def clause(self, name: str) -> str:
        """Return the clause of the system for a rule of the layer; "" for the step's own."""
        return self.clauses.get(name, "")

    # The record sheets ----------------------------------------------------------------------------

    def roster_cells(self, cg: CgT, side: str, scenario: Scenario) -> Mapping[str, str]:
        """Return further columns of a side's CG Roster, by heading, for the line of a scenario."""
        return {}

    # The beginning ------------------------------------------------------------------------------

    def agreements(self, cg: CgT) -> Iterator[Field]:
        """Yield what players agree on at the start besides balance; every field has a default.

        What both choose is kept under the field's name in `state.agreed`, else its default.
        """
        yield from ()

    def assumed_chits_count(self, cg: CgT) -> bool:
        """True if the chits that the Initial Scenario assumes count against the limits."""
        return False

    # Purchase ---------------------------------------------------------------------------------

    def arrivals(self, cg: CgT, side: str, line: RgLine) -> tuple[GroupArrival, ...]:
        """Return the ways in which a group may come; nothing for groups without units."""
        if line.kind not in WITH_UNITS:
            return ()
        return (GroupArrival.ENTER, GroupArrival.ON_MAP) if line.on_map else (GroupArrival.ENTER,)

    def price(self, cg: CgT, line: RgLine, arrival: GroupArrival | None) -> int:
        """Return the CPP for a group that comes in this way."""
        return line.cost

    def purchase_problems(self, cg: CgT, side: str, cart: Cart) -> Iterator[Problem]:
        """Yield what the system's own rules have against a cart."""
        yield from ()

    def has_objective(self, cg: CgT, side: str, line: RgLine) -> bool:
        """True if an objective hex is recorded for a group."""
        return False

    def unlisted_group_doubts(self, cg: CgT, side: str, lines: Sequence[tuple[RgLine, int]]) -> Iterator[Problem]:
        """Yield what limits may have against groups that no chart lists, with their numbers.

        The charts would decide; without them the owner says if his entry is right.
        """
        yield from ()

    def equipment(self, cg: CgT, side: str, line: RgLine) -> tuple[str, ...]:
        """Return what can direct an OBA module besides an Offboard Observer that is bought."""
        return ("radio", "phone")

    # Strength, weapons, leaders -----------------------------------------------------------------

    def rolls_strength(self, cg: CgT, side: str, line: RgLine, given: bool) -> bool:
        """True if the strength of a group is rolled for; if not it is received Full."""
        return line.kind is Kind.INFANTRY and line.depleted is not None

    def strength_modifiers(self, cg: CgT, side: str, line: RgLine) -> Mapping[str, int]:
        """Return how often each condition of the strength table applies, or its given value."""
        return {"exhaustion": cg.state.side(side).exhaustion or 0}

    def strength_table(self, cg: CgT) -> Table | None:
        """Return the table of strength (results full, depleted); None: the players are asked."""
        return cg.chart_table("strength")

    def least_weapons(self, cg: CgT, side: str, line: RgLine) -> int:
        """Return how many SW a group gets at least: those diced are rolled for again till then."""
        return 2 if line.kind is Kind.HEAVY_WEAPONS else 0

    def leader_table(self, cg: CgT) -> Table | None:
        """Return the table of leaders; None: the players are asked."""
        return cg.chart_table("leaders")

    def leader_conditions(self, cg: CgT, side: str, line: RgLine, group: Group) -> Mapping[str, int]:
        """Return how often each condition of the leader table applies, or its given value."""
        return {"depleted": int(group.strength is Strength.DEPLETED)}

    def leader_gate(self, cg: CgT, side: str, line: RgLine) -> int | None:
        """Return the dr with which a leader comes at all; None if he is rolled for at once."""
        return None

    def leader_modifiers(self, cg: CgT, side: str, line: RgLine, group: Group) -> list[Modifier]:
        """Return the DRM of a group's leader roll, as the chart line has it."""
        return [Modifier(line.leader_drm, line.name, self.clause("leaders"))]

    # Fortifications ---------------------------------------------------------------------------

    def hip_cap(self, cg: CgT, side: str) -> HipCap | None:
        """Return how many squads may use HIP now; None: as many as it pays for."""
        return None

    def loses_unspent_fpp(self, cg: CgT) -> bool:
        """True if FPP that are not spent when the step ends are forfeit."""
        return True

    def loses_allowances(self, cg: CgT) -> bool:
        """True if HIP and "?" that were bought and not used are lost when setup stands."""
        return False

    # Setting up --------------------------------------------------------------------------------

    def setup_problems(self, cg: CgT, side: str, plan: Mapping[str, SetupPlace]) -> Iterator[Problem]:
        """Yield what the system's own rules have against a setup."""
        yield from ()

    def watchers_of(self, cg: CgT, unit: Unit, seen: Any) -> tuple[tuple[str, ...], str]:
        """Return from where the enemy looks at a unit that wants to set up concealed, and who looks there.

        Only from what the unit's side sees of the enemy (`seen`, its state).
        """
        return enemy_watchers(seen, unit.side), WATCHED_FROM

    def snipers(self, cg: CgT) -> int:
        """Return how many Sniper counters each side has in the present scenario."""
        return self.sniper_count

    def waiting_reason(self, cg: CgT, unit: Unit) -> str:
        """Return why a unit neither sets up nor enters on this date; "" if it can."""
        return ""

    def required_hiding(self, cg: CgT, unit: Unit) -> Mark | None:
        """Return the marker under which a unit has to set up on the map (Reserves: cloaked)."""
        return None

    def setup_hexes(self, cg: CgT, unit: Unit) -> frozenset[str] | None:
        """Return the only hexes in which a unit may set up on the map; None: all of its area."""
        return None

    def sniper_range(self, cg: CgT) -> int:
        """Return the least range between a side's Sniper counters, by the reading in force."""
        return self.sniper_spacing

    def is_gun_free(self, cg: CgT, gun: Unit, *, dm: bool = False) -> bool:
        """True if a Gun is free of the radius, besides one hooked up; `dm`: it sets up dm."""
        return cg.state.idle_since

    def frees_gun(self, cg: CgT, mark: Mark) -> bool:
        """True if a Gun is free of the radius once it has Shifted or Escaped (the marker)."""
        return True

    def dm_releases(self, cg: CgT) -> bool:
        """True if a Gun that is fixed is an ordinary one again once it is dm."""
        return False

    def dm_frees(self, cg: CgT, *, ended: bool, begins: bool) -> bool:
        """True if a fixed Gun can leave its Location that ended the last scenario dm, or begins the next one so."""
        return ended

    def gun_problem(self, cg: CgT, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
        """Return why a Gun that was on map can't set up in a Location.

        `towed`: it begins the scenario hooked up to a Mobile vehicle; `dm`: it begins it dm.
        """
        from laager.rules.board.hasl.setup.plan import gun_problem

        return gun_problem(cg, gun, target, towed=towed, dm=dm)

    def sets_up_outside(self, cg: CgT, unit: Unit) -> bool:
        """True if a unit may set up in Uncontrolled Territory; of Guns the radius decides."""
        return False

    def radius_outside(self, cg: CgT) -> int | None:
        """Return how far from where it ended such a unit may set up there, in hexes; None: anywhere."""
        return None

    def hides_free(self, cg: CgT, gun: Unit, at: str, *, emplaced: bool) -> bool:
        """True if a Gun and its crew can set up hidden in a Location at no cost."""
        return False

    def dc_problem(self, cg: CgT, side: str, at: str, works: frozenset[str]) -> str:
        """Return why no DC can be Set in a Location (`works`: kinds placed there now); "" if one can."""
        return ""

    def cloak_problem(self, cg: CgT, unit: Unit, placed: Mapping[str, SetupPlace] | None = None) -> str:
        """Return why a unit can't be Cloaked; "" if it can: a Scenario Attacker's at night.

        `placed` is where the units of its side go by the setup in hand, if there is one.
        """
        if cg.date.night and cg.state.scenario.chits.get(unit.side) == "attack":
            return ""
        return "the Scenario Attacker's units are, at night"

    def module_problems(self, cg: CgT, side: str, wanted: Sequence[str]) -> Iterator[Problem]:
        """Yield what the limits have against these OBA modules being in play."""
        yield from ()

    def security_problems(self, cg: CgT, side: str, way: Sequence[str]) -> Sequence[Problem]:
        """Return what is wrong with a phone's Security Area: a way to a Friendly Entry Area."""
        from laager.rules.board.hasl.setup.oba import security_problems

        return security_problems(cg, side, way)

    # The end of a scenario ------------------------------------------------------------------------

    def place_if_never_entered(self, cg: CgT, unit: Unit) -> Place:
        """Return what becomes of a unit that should have entered and didn't."""
        return Place.OFF_MAP

    def burns_out(self, cg: CgT, wreck: Unit) -> bool:
        """True if a wreck in a terrain Blaze becomes a Burnt-out Wreck."""
        return True

    def exit_areas(self, cg: CgT, unit: Unit, at: str) -> tuple[str, ...]:
        """Return the Entry Areas (arrow hexes) in which a unit that left the map may be Retained.

        `at` is the hex by which it left; no area means that leaving there Eliminates it. Here the
        card names the edges; where no arrow lies on such an edge, any of the side will do.
        """
        here = [edge for name in cg.side(unit.side).exits if at in (edge := cg.map.edge(name))]
        arrows = cg.arrows(unit.side)
        near = tuple(arrow for arrow in arrows if any(arrow in edge for edge in here))
        return (near or arrows or ("",)) if here else ()

    def exit_contradictions(self, cg: CgT, reports: Mapping[str, SideReport]) -> Iterator[Contradiction]:
        """Yield what of the exits that a side reports can't be by what its enemy reports."""
        yield from ()

    def module_loss(self, cg: CgT, group: Group) -> str:
        """Return why an OBA module is gone after a scenario; "" if it is Retained."""
        return ""

    def report_fields(self, cg: CgT, side: str) -> Iterator[Field]:
        """Yield what a side reports besides its units and modules; every field has a default."""
        yield from ()

    def complete_report(self, cg: CgT, side: str, report: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a side's report with what the fields of the system say of its units put into their rows."""
        return report

    def report_problems(self, cg: CgT, side: str, report: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield what is wrong with a side's report by the system's own rules."""
        yield from ()

    def apply_report(self, cg: CgT, side: str, report: Mapping[str, Any]) -> Procedure[None]:
        """Apply what `report_fields` asked for; done before anything else of the reports."""
        yield from ()

    # Refit -----------------------------------------------------------------------------------

    def pass_on(self, cg: CgT, half: Unit, squad: Unit) -> Iterator[Fact]:
        """Yield what a half-squad that Recombines hands on to the squad besides its SW and prisoners."""
        from laager.rules.board.hasl.setup.oba import pass_on_radios

        yield from pass_on_radios(cg, half, squad)

    def elr_conditions(self, cg: CgT, side: str) -> Mapping[str, int]:
        """Return conditions of the ELR table that the system counts in its own way.

        They stand before those of `conditions.conditions` (exhaustion, ammunition, cvp-lost ...).
        """
        return {}

    def shift_problem(self, cg: CgT, unit: Unit, area: str) -> str:
        """Return why a unit can't try to Shift to an area; "" if it can."""
        return ""

    def may_isolated_shift(self, cg: CgT) -> bool:
        """True if Isolated units can try to Shift."""
        return True

    # Commencement and play -----------------------------------------------------------------------

    def chit_problem(self, cg: CgT, side: str, chit: str) -> str:
        """Return why a side can't choose a chit, besides its limits; "" if it can."""
        return ""

    def first_side_by_dr(self, cg: CgT, role: str, final: int) -> str:
        """Return the side that a dr names to be first (`role`: sets-up, moves); 1-3 axis."""
        return "axis" if final <= 3 else "allied"

    def game_end_roller(self, cg: CgT, mover: str) -> str:
        """Return who makes the Game End dr after a turn of `mover` (the second, in Game Turns)."""
        return mover

    def game_end_modifiers(self, cg: CgT, turn: int) -> list[Modifier]:
        """Return the drm of the Game End dr of a turn."""
        return []

    def play_events(self, cg: CgT) -> tuple[Option, ...]:
        """Return what players report during play as soon as it happens, as choices."""
        return ()

    def carry_out_event(self, cg: CgT, event: str, turn: int) -> Procedure[None]:
        """Carry out one of `play_events` when players say that it happened."""
        yield from ()
