"""Where A Bridge Too Far differs from the layer of the HASL campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from laager.base import Problem
from laager.campaign import Option, Procedure, implements
from laager.dice import Modifier
from laager.rules.board.card.parts import ALLIED, AXIS, other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.charts import RgLine
from laager.rules.board.hasl.conditions import cvp_lost
from laager.rules.board.hasl.state import Group, Scenario
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.places import hex_of
from laager.rules.board.sheets.records import SHORTAGE
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.bridge_too_far.coordination import coordination_problems, efforts_of_lines, planned_efforts
from laager.rules.bridge_too_far.entry import exit_areas, exits_without_prisoners
from laager.rules.bridge_too_far.guns import fixed_problem, place_problem, sets_up_outside
from laager.rules.bridge_too_far.night import cloak_problem, is_held_back
from laager.rules.bridge_too_far.shortage import RAIN_PLAYER_TURNS, elr_drm, shortage_levels
from laager.rules.bridge_too_far.steps.events import carry_out_event, event_options
from laager.rules.bridge_too_far.steps.oba import module_problems, security_area_problems

if TYPE_CHECKING:
    from laager.rules.board.report.side_report import Contradiction, SideReport
    from laager.rules.board.setup.placements import SetupPlace
    from laager.rules.bridge_too_far.context import Abtf


class AbtfVariant(Variant["Abtf"]):
    """The rules that the steps of the layer take from this module."""

    clauses: ClassVar[Mapping[str, str]] = {"game-end": "ABtF CG4", "leaders": "ABtF 9.6183"}

    gun_radius: ClassVar[int | None] = 3
    gun_radius_outside: ClassVar[int | None] = 2
    guns_fixed: ClassVar[bool] = True
    towed_free: ClassVar[bool] = True
    sniper_count: ClassVar[int] = 2
    sniper_spacing: ClassVar[int] = 12
    rain_turns: ClassVar[int | None] = RAIN_PLAYER_TURNS
    isolated_oba: ClassVar[bool] = True
    phones_replaced: ClassVar[bool] = True

    game_end_from: ClassVar[int] = 5
    game_end_by_player_turn: ClassVar[bool] = False

    NIGHT_DRM: ClassVar[int] = 2
    """What is added to the Game End dr of a night scenario."""

    @implements("ABtF 9.5a")
    def assumed_chits_count(self, cg: Abtf) -> bool:
        """True if the chits that the Initial Scenario assumes count: the reading says."""
        return cg.reading("assumed-chits") == "counted"

    @implements("ABtF CHART CG Roster")
    def roster_cells(self, cg: Abtf, side: str, scenario: Scenario) -> Mapping[str, str]:
        """Return the level of shortage by its name, for the British CG Roster."""
        if side != ALLIED:
            return {}
        now = cg.state.side(side).ammunition if scenario is cg.state.scenario else 0
        level = shortage_levels(cg).get(cg.state.shortage.get(scenario.number, now))
        return {SHORTAGE: level.name if level is not None else ""}

    # Purchase -----------------------------------------------------------------------------------

    def purchase_problems(self, cg: Abtf, side: str, cart: Cart) -> Iterator[Problem]:
        """Yield what attack coordination has against German purchases (CG22)."""
        if side == AXIS:
            yield from coordination_problems(planned_efforts(cg, cart))

    def unlisted_group_doubts(self, cg: Abtf, side: str, lines: Sequence[tuple[RgLine, int]]) -> Iterator[Problem]:
        """Yield what attack coordination may have against German groups without a chart (CG22)."""
        if side == AXIS:
            for problem in coordination_problems(efforts_of_lines(cg, lines)):
                right = f"{problem.right}; a type that has reached its CG Maximum counts as bought"
                yield Problem(problem.what, right)

    @implements("ABtF CG6d")
    def equipment(self, cg: Abtf, side: str, line: RgLine) -> tuple[str, ...]:
        """Return what can direct an OBA module besides an Offboard Observer: phones are German."""
        return ("radio", "phone") if side == AXIS else ("radio",)

    def loses_unspent_fpp(self, cg: Abtf) -> bool:
        """True if FPP not spent are lost: the reading says."""
        return cg.reading("unspent-fpp") == "lost"

    def loses_allowances(self, cg: Abtf) -> bool:
        """True if HIP and "?" that were not used are lost: the reading says."""
        return cg.reading("unused-allowances") == "lost"

    # Setting up -----------------------------------------------------------------------------------

    @implements("ABtF CG8", "ABtF GEO-10")
    def sniper_range(self, cg: Abtf) -> int:
        """Return the least range between a side's two Snipers: 12, or 13 by the reading."""
        return 13 if cg.reading("sniper-distance") == "13" else self.sniper_spacing

    def is_gun_free(self, cg: Abtf, gun: Unit, *, dm: bool = False) -> bool:
        """True if a Gun sets up in any Enterable Location of a Friendly Setup Area (CG5c).

        A dm MTR does (by the reading, as it ended the last scenario or as it begins this one), and
        every Gun after an Idle Date. One that begins the scenario hooked up to a Mobile vehicle
        does too, and by the reading one that Shifted: the layer sees to both.
        """
        if cg.state.idle_since:
            return True
        if "MTR" not in gun.type.split():
            return False
        return dm if cg.reading("dm-mortars") == "begins" else gun.has(Mark.DISMANTLED)

    def frees_gun(self, cg: Abtf, mark: Mark) -> bool:
        """True if a Gun is free once it has Shifted or Escaped: the reading says (CG5c)."""
        return cg.reading("shifted-guns") == "free"

    def dm_releases(self, cg: Abtf) -> bool:
        """True if a fixed Gun is an ordinary one once it is dm: the reading says (CG5a)."""
        return cg.reading("dismantled-guns") == "released"

    @implements("ABtF CG5a")
    def dm_frees(self, cg: Abtf, *, ended: bool, begins: bool) -> bool:
        """True if a fixed Gun that ended dm, or begins so, can leave its Location: the reading says."""
        return {"ended": ended, "begins": begins, "either": ended or begins}[cg.reading("dm-fixed-guns")]

    def gun_problem(self, cg: Abtf, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
        """Return why a Gun that was on map can't set up in a Location (CG5)."""
        return place_problem(cg, gun, target, towed=towed, dm=dm)

    def sets_up_outside(self, cg: Abtf, unit: Unit) -> bool:
        """True if a unit can set up in Uncontrolled Territory (9.6214)."""
        return sets_up_outside(cg, unit)

    @implements("ABtF CG5 EX")
    def radius_outside(self, cg: Abtf) -> int | None:
        """Return how far from where it ended such a unit may set up there: the reading says."""
        return self.gun_radius_outside if cg.reading("vehicles-outside") == "near" else None

    @implements("ABtF CG5b")
    def hides_free(self, cg: Abtf, gun: Unit, at: str, *, emplaced: bool) -> bool:
        """True if a Gun can set up hidden for no FPP: Emplaced, in a Friendly Setup Area.

        One that is fixed and was seen before never does: the layer sees to that.
        """
        return emplaced and hex_of(at) in cg.state.friendly(gun.side)

    def cloak_problem(self, cg: Abtf, unit: Unit, placed: Mapping[str, SetupPlace] | None = None) -> str:
        """Return why a unit can't be Cloaked (CG24d)."""
        return cloak_problem(cg, unit, placed)

    def module_problems(self, cg: Abtf, side: str, wanted: Sequence[str]) -> Iterator[Problem]:
        """Yield what the limits of scenario and day have against modules in play (CG6a)."""
        yield from module_problems(cg, side, wanted)

    def security_problems(self, cg: Abtf, side: str, way: Sequence[str]) -> Sequence[Problem]:
        """Return what is wrong with a phone's Security Area (CG6e)."""
        return security_area_problems(cg, side, way)

    # The end of a scenario ------------------------------------------------------------------------

    def place_if_never_entered(self, cg: Abtf, unit: Unit) -> Place:
        """A unit that hasn't entered is Eliminated (CG9).

        By the reading German units that were not released at night stay Retained.
        """
        spared = cg.reading("unreleased-at-night") == "retained"
        if unit.side == AXIS and spared and is_held_back(cg):
            return Place.OFF_MAP
        return Place.ELIMINATED

    @implements("ABtF CG7", "ABtF 9.6095")
    def burns_out(self, cg: Abtf, wreck: Unit) -> bool:
        """A wreck in a terrain Blaze becomes a Burnt-out Wreck, but not in one of a building."""
        return wreck.hex is not None and cg.map.hex(wreck.hex).building is None

    def exit_areas(self, cg: Abtf, unit: Unit, at: str) -> tuple[str, ...]:
        """Return the Entry Areas in which a unit that left the map can be Retained (CG11).

        Guards are Personnel; what they carry goes with them.
        """
        return exit_areas(cg, unit.side, at) if unit.kind in INFANTRY else ()

    def exit_contradictions(self, cg: Abtf, reports: Mapping[str, SideReport]) -> Iterator[Contradiction]:
        """Yield the German exits for which there are no prisoners (CG11)."""
        yield from exits_without_prisoners(reports)

    @implements("ABtF CG6c", "ABtF CG10b")
    def module_loss(self, cg: Abtf, group: Group) -> str:
        """Return why an OBA module is gone after a scenario: an FFE:1 of it was placed."""
        return "an FFE:1 of it was placed" if group.used else ""

    def report_problems(self, cg: Abtf, side: str, report: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield OBA modules that were in play beyond the limits of scenario and day (CG6a)."""
        used = [row["group"] for row in report["modules"] if row["in_play"]]
        yield from self.module_problems(cg, side, used)

    # Refit ---------------------------------------------------------------------------------------

    @implements("ABtF 9.12", "ABtF 9.6202")
    def elr_conditions(self, cg: Abtf, side: str) -> Mapping[str, int]:
        """Return the DRM of the shortage level, and the steps of CVP lost as the reading counts."""
        conditions = {"ammunition": elr_drm(cg, side)}
        step = cg.charts.cvp_step
        if step is not None:
            counts_campaign = cg.reading("casualties-for-elr") == "campaign"
            lost = cg.state.side(other_side(side)).cvp_total if counts_campaign else cvp_lost(cg, side)
            conditions["cvp-lost"] = lost // step
        return conditions

    def shift_problem(self, cg: Abtf, unit: Unit, area: str) -> str:
        """A Gun that is fixed in its Location never Shifts (CG5a)."""
        problem = fixed_problem(cg, unit, area, dm=unit.has(Mark.DISMANTLED))
        return problem.what if problem is not None else ""

    @implements("ABtF 9.613")
    def may_isolated_shift(self, cg: Abtf) -> bool:
        """True if Isolated units can try to Shift: the reading says."""
        return cg.reading("isolated-shift") == "allowed"

    # Play -----------------------------------------------------------------------------------------

    def game_end_roller(self, cg: Abtf, mover: str) -> str:
        """The British make the Game End dr."""
        return ALLIED

    @implements("ABtF CG4")
    def game_end_modifiers(self, cg: Abtf, turn: int) -> list[Modifier]:
        """Return +2 in a CG Night Scenario."""
        return [Modifier(self.NIGHT_DRM, "night", "ABtF CG4")] if cg.date.night else []

    def play_events(self, cg: Abtf) -> tuple[Option, ...]:
        """Return what the players tell while they play: rain, Headquarters, reinforcements."""
        return event_options(cg)

    def carry_out_event(self, cg: Abtf, event: str, turn: int) -> Procedure[None]:
        """Carry out one of them."""
        yield from carry_out_event(cg, event, turn)
