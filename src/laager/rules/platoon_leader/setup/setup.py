"""Firefight setup: one side completely, then the other, with its checks and warnings (PL 2.6, 2.37, CG3, CG4, CG10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Record,
    Rows,
    Several,
    Text,
    ask,
    implements,
    no_decision,
    step,
)
from laager.catalogue import GunType, SwType
from laager.hexmap.coords import WAY_EXAMPLE, parse_way
from laager.rules.board.buying.works import HipCap
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, change_marks, is_vehicle
from laager.rules.board.facts import GroupChanged, Noted
from laager.rules.board.places import ITEMS, Fault, can_emplace, can_enter
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, QUESTION_MARK, use_up_several
from laager.rules.board.setup.placements import SetupPlace
from laager.rules.board.setup.plan import allowances
from laager.rules.board.setup.setup import HIDES_UNITS, BoardSetup
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.buying.groups import in_reserve, is_new
from laager.rules.platoon_leader.buying.works import carried_halves, hip_cap
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.determination import may_cloak
from laager.rules.platoon_leader.firefight.play import edges
from laager.rules.platoon_leader.setup.plan import PlAnswer, PlPlan, Setting
from laager.rules.platoon_leader.setup.proposal import PlProposal
from laager.rules.platoon_leader.setup.rights import fixes_gun, why_barred


@step("PL 2.6", "Setup", also=("PL 2.32", "PL 2.33", "PL 2.38", "PL 2.38 note 2", "PL CG3"), edition=3)
def setting_up(cg: Cg) -> Procedure[None]:
    """The side that the type of firefight puts first sets up completely, then the other."""
    first = cg.state.fight.sets_up_first
    for side in (first, other_side(first)):
        setting = Setting(cg, side)
        if setting.empty:
            text = "You have nothing to set up."
            yield from ask(no_decision("setup", side, text, "PL 2.6", Record(())))
        else:
            yield from PlSetup(setting).carry_out()


class PlSetup(BoardSetup[PlPlan]):
    """The setup of a side. A unit without a row stays off the map."""

    rule: ClassVar[str] = "PL 2.6"
    warning_rule: ClassVar[str] = "PL 2.37"
    help: ClassVar[str] = (
        "Give each unit a row: where it goes, and how it hides. SW and Guns set up with the unit that has "
        "them (with). A unit without a row stays off map; units already on the map stay where they are."
    )
    setting: Setting
    cg: Cg

    def plan(self, answer: PlAnswer) -> PlPlan:
        """Return the plan that an answer makes."""
        return PlPlan(self.setting, answer)

    # The question -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Return what is asked."""
        where = "your setup area" if self.cg.front is None else "your MLR"
        count = len(self.setting.units)
        text = f"Where in {where} do your {count} {'unit' if count == 1 else 'units'} set up?"
        if self.setting.dummies:
            text += f" Your Reserves have {self.setting.dummies} Dummies."
        return text

    def unit_rows(self, answer: Any, rng: Random | None, forward: float = 0.0) -> list[Any]:
        """Return the proposed rows for units."""
        return list(PlProposal(self.setting, answer.get("forts", ()), rng, forward).rows())

    def module_fields(self) -> Iterator[Field]:
        """Yield the fields for OBA modules and their Security Areas."""
        setting, most = self.setting, self.cg.charts.limit("oba-modules")
        if len(setting.modules) > 1:
            options = tuple(Option(module.id) for module in setting.modules)
            default = [module.id for module in setting.modules[:most]]
            yield Field("modules", Several(options), f"OBA modules that you use, {most} at most", default)
        if setting.phones:
            options = tuple(Option(module.id) for module in setting.phones)
            hexes = Field("hexes", Text(limit=400), f"Hexes {WAY_EXAMPLE}")
            row = Record((Field("module", Choice(options), "Module"), hexes))
            yield Field("lines", Rows(row), "Security Areas, from phone to map edge", [])

    def with_modules(self, answer: Any, rng: Random | None) -> Any:
        """Return an answer with as many OBA modules as can be used, and no Security Areas."""
        if len(self.setting.modules) > 1:
            names = [module.id for module in self.setting.modules]
            if rng is not None:
                rng.shuffle(names)
            answer["modules"] = names[: self.cg.charts.limit("oba-modules")]
        if self.setting.phones:
            answer["lines"] = []
        return answer

    # The checks -------------------------------------------------------------------------------------

    def unit_faults(self, plan: PlPlan, placement: SetupPlace) -> Iterator[Fault]:
        """Yield what is wrong with where a unit goes."""
        if placement.unit.id not in plan.number:
            return
        if placement.unit.kind in ITEMS:
            yield from _item_faults(plan, placement)
        elif placement.at:
            yield from _ground_faults(plan, placement)
            yield from _rider_faults(plan, placement)
            yield from _hide_faults(plan, placement)

    def more_problems(self, plan: PlPlan) -> Iterator[Problem]:
        """Yield what is wrong with the limits of "?", OBA modules and Security Areas."""
        yield from question_mark_problems(plan)
        yield from module_problems(plan)
        yield from line_problems(plan)

    @implements("PL 2.38 note 3")
    def hip_cap(self, plan: PlPlan) -> HipCap | None:
        """By day a tenth of the squads that set up can hide by HIP."""
        return hip_cap(self.cg, self.side, lambda unit: bool(plan.location_of_unit(unit.id)))

    def hip_before(self, plan: PlPlan) -> int:
        """Return the half-squads hidden since an earlier firefight that count (reading `hip-carry`)."""
        return carried_halves(self.cg, self.side)

    def warnings(self, plan: PlPlan) -> Iterator[str]:
        """Yield what the side should look at once more."""
        yield from ownership_warnings(plan)
        yield from concealment_warnings(plan)

    def doubtful(self, plan: PlPlan) -> Iterator[SetupPlace]:
        """Yield the units that by day are concealed only out of enemy LOS (A12.12)."""
        if not plan.setting.night:
            yield from (
                placement for placement in plan.leads() if placement.hide == CONCEALED and plan.doubtful(placement)
            )

    # What follows -----------------------------------------------------------------------------------

    @implements("PL 2.38 note 3")
    def use_up_hip(self, plan: PlPlan) -> Iterator[Fact]:
        """Bought HIP and "?" that hide units are used up."""
        yield from super().use_up_hip(plan)
        marks = [fort.id for fort in self.setting.forts if fort.kind == QUESTION_MARK]
        yield from use_up_several(self.cg, marks, question_marks_needed(plan) - dummies_bought(plan), HIDES_UNITS)

    def settle_modules(self, plan: PlPlan) -> Iterator[Fact]:
        """Record which OBA modules can be used."""
        yield from modules_settled(plan)

    def settle_unit(self, plan: PlPlan, placement: SetupPlace, why: str) -> Iterator[Fact]:
        """A Gun is emplaced, or fixed in a fortification; at night a Cloaked SW is dismantled."""
        unit = self.cg.state.units[placement.unit.id]
        type_ = self.cg.nation_of(unit).unit(unit.type)
        marks = set()
        if isinstance(type_, GunType):
            if can_emplace(self.cg, placement.at):
                marks.add(Mark.EMPLACED)
            if fixes_gun(self.cg, unit, placement.at):
                marks.add(Mark.FIXED)
        cloaked = self.setting.night and placement.hide == CLOAKED
        if cloaked and isinstance(type_, SwType) and type_.dm_pp is not None:
            marks.add(Mark.DISMANTLED)
        yield from change_marks(unit, add=marks, why=why)


# Where -------------------------------------------------------------------------------------------


def _item_faults(plan: PlPlan, placement: SetupPlace) -> Iterator[Fault]:
    label, holder = placement.unit.label, plan.carrier(placement)
    if not placement.holder:
        if placement.at:
            noun = "Gun" if placement.unit.kind == "gun" else "SW"
            yield f"{label} cannot set up alone", f"name the unit that possesses the {noun}", "with"
    elif holder is None or holder.kind not in INFANTRY or not plan.location_of_unit(holder.id):
        yield f"{placement.holder} cannot possess {label}", "personnel of yours that set up now or are on map", "with"
    elif placement.at != plan.location_of_unit(holder.id):
        right = f"{plan.location_of_unit(holder.id)}, where {holder.label} is; or leave it out"
        yield f"{label} cannot be in {placement.at}", right, "at"


def _ground_faults(plan: PlPlan, placement: SetupPlace) -> Iterator[Fault]:
    if not can_enter(plan.cg, placement.unit, placement.at):
        yield f"{placement.unit.label} cannot stand in {placement.at}", "a Location that it can enter", "at"
    why = why_barred(plan.cg, plan.setting.ground, placement.unit, placement.at, plan.dug)
    if why is not None and not _rides_into(plan, placement, why[0]):
        yield (*why, "at")


def _rides_into(plan: PlPlan, placement: SetupPlace, why: str) -> bool:
    """True if a rider can be where others can't: an AFV in the open, no user of new works."""
    carrier = plan.carrier(placement)
    if carrier is None or not is_vehicle(carrier):
        return False
    return "entrenchment" in why or ("Open Ground" in why and carrier.kind == "afv")


def _rider_faults(plan: PlPlan, placement: SetupPlace) -> Iterator[Fault]:
    label, carrier, there = placement.unit.label, plan.carrier(placement), plan.location_of_unit(placement.holder)
    if not placement.holder:
        if placement.unit.kind == "armor-leader":
            yield f"{label} sets up in a vehicle", "name his AFV", "with"
    elif carrier is None or not is_vehicle(carrier) or is_vehicle(placement.unit) or not there:
        yield f"{label} cannot ride {placement.holder}", "a vehicle of yours that sets up now or is on map", "with"
    elif there != placement.at:
        yield f"{placement.holder} is not in {placement.at}", f"{there}, where it is; or leave it out", "at"


# Hiding -----------------------------------------------------------------------------------------


def _hide_faults(plan: PlPlan, placement: SetupPlace) -> Iterator[Fault]:
    label = placement.unit.label
    if in_reserve(plan.cg, placement.unit):
        if plan.own[placement.unit.id].hide == HIDDEN:
            yield f"{label} is In Reserve", "it sets up Cloaked", "hide"
        return
    if placement.hide == CLOAKED and not may_cloak(plan.cg, plan.side):
        yield f"{label} cannot be Cloaked", "Reserves are, and the attacker at night", "hide"
    if placement.hide in {CONCEALED, HIDDEN} and placement.unit.has(*NO_CONCEALMENT):
        yield f"{label} can neither hide nor be concealed", "none", "hide"
    if placement.hide == HIDDEN and not plan.has_cover(placement.at) and not plan.has_free_hip(placement):
        yield f"{label} cannot hide in {placement.at}", "Concealment Terrain or an entrenchment (A12.34)", "hide"


def question_marks_needed(plan: PlPlan) -> int:
    """Return how many bought "?" a plan takes: Dummies, and Locations that CG10 does not cover."""
    return len(_paid_locations(plan)) + dummies_bought(plan)


def _paid_locations(plan: PlPlan) -> set[str]:
    return {
        placement.at
        for placement in plan.leads()
        if placement.hide == CONCEALED and not plan.free_question_mark(placement)
    }


def dummies_bought(plan: PlPlan) -> int:
    """Return how many bought "?" a plan puts on the map as Dummies."""
    bought = (site for site in plan.sites if site.fort in plan.setting.forts)
    return sum(site.count for site in bought if site.kind == QUESTION_MARK)


@implements("PL CG10")
def question_mark_problems(plan: PlPlan) -> Iterator[Problem]:
    """Infantry outside cover and entrenchments is concealed by bought "?" only."""
    needed, left = question_marks_needed(plan), allowances(plan.setting.forts)
    if needed > left:
        cover = "without one Infantry is concealed in Concealment Terrain and entrenchments only (PL CG10)"
        yield Problem(f'you need {needed} "?"', f"you bought {left}; {cover}", "units")


# Warnings ---------------------------------------------------------------------------------------


@implements("PL 2.37")
def ownership_warnings(plan: PlPlan) -> Iterator[str]:
    """SW, Guns and leaders of a group that takes part for the first time belong with it."""
    for placement in plan.placed.values():
        holder = plan.carrier(placement)
        if placement.unit.kind not in ITEMS or holder is None or not plan.location_of_unit(holder.id):
            continue
        if is_new(plan.cg, placement.unit) and holder.group != placement.unit.group:
            yield f"{placement.unit.label} of {placement.unit.group} is with {holder.label} of another group (PL 2.37)"
    for placement in plan.leads():
        if placement.unit.kind in LEADERS and is_new(plan.cg, placement.unit) and not _among_own(plan, placement):
            troops = "AFV" if placement.unit.kind == "armor-leader" else "MMC or AFV"
            yield f"{placement.unit.label} is not stacked with an {troops} of {placement.unit.group} (PL 2.37)"


def _among_own(plan: PlPlan, leader: SetupPlace) -> bool:
    """True if a leader is stacked with an MMC or AFV of his group; in a vehicle, with that."""
    if leader.holder:
        carrier = plan.carrier(leader)
        return carrier is not None and carrier.group == leader.unit.group
    return any(
        placement.at == leader.at and placement.unit.group == leader.unit.group and placement.unit.kind in MMC | {"afv"}
        for placement in plan.leads()
    )


def concealment_warnings(plan: PlPlan) -> Iterator[str]:
    """It depends on LOS, and at night on E1, that some units are concealed."""
    rule = "E1" if plan.setting.night else "A12.12, out of enemy LOS"
    for placement in plan.leads():
        if placement.hide == CONCEALED and plan.doubtful(placement):
            yield f"{placement.unit.label} is concealed in {placement.at}; check that it can be ({rule})"


# OBA modules and their wires (PL CG4) ------------------------------------------------------------


def hexes_of_line(cg: Cg, text: str) -> list[str]:
    """Return the hexes of a Security Area as written: `C4-C1`, or `C4 C3 C2 C1`, by main names."""
    return [cg.map.main(name) if name in cg.map else name for name in parse_way(text)]


def line_problems(plan: PlPlan) -> Iterator[Problem]:
    """Return what is wrong with the Security Areas of a plan, as drawn on the map."""
    seen: set[str] = set()
    for number, row in enumerate(plan.lines, 1):
        here = f"lines[{number}]"
        if row["module"] in seen:
            yield Problem(f"{row['module']} has two Security Areas", "one each", f"{here}.module")
        seen.add(row["module"])
        hexes = hexes_of_line(plan.cg, row["hexes"])
        for message, right in drawing_faults(plan.cg, plan.side, hexes):
            yield Problem(message, right, f"{here}.hexes")


@implements("PL CG4")
def module_problems(plan: PlPlan) -> Iterator[Problem]:
    """No more than two OBA modules are used in one firefight."""
    most = plan.cg.charts.limit("oba-modules")
    if len(plan.modules) > most:
        yield Problem(f"{len(plan.modules)} OBA modules", f"use {most} at most in one firefight", "modules")


def drawing_faults(cg: Cg, side: str, hexes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return why hexes aren't a Security Area: off the map, broken, not to a friendly edge."""
    unknown = [name for name in hexes if name not in cg.map.playable]
    if unknown or not hexes:
        message = f"{unknown[0]} is not in play" if unknown else "no hexes are named"
        yield message, "hexes from phone to edge"
        return
    for first, two in pairwise(hexes):
        if not cg.map.are_adjacent(first, two):
            yield f"{first} and {two} are not adjacent", "hexes one after the other"
    if not cg.edge(side):
        message = f"the {cg.people_of(side)} have no Friendly Map Edge and no entry hexes"
        yield message, "draw no Security Area: it would have to end there"
    elif hexes[-1] not in cg.edge(side):
        yield f"{hexes[-1]} is on no Friendly Map Edge", f"end on {' or '.join(edges(cg, side))}"


@implements("PL CG4")
def cut_at(cg: Cg, side: str, hexes: Sequence[str]) -> list[str]:
    """Return the hexes in which a wire is cut: neither friendly Controlled Terrain nor MLR.

    No Man's Land is neither. Before the first drawing of the front the setup area counts.
    """
    drawn = cg.front
    ours = cg.friendly_area(side)
    if drawn is not None:
        ours |= drawn.controlled[side]
    return [name for name in hexes if name not in ours]


@implements("PL CG4")
def in_use(plan: PlPlan) -> frozenset[str]:
    """Return the modules that a side can use in this firefight: those named, two at most."""
    return frozenset(plan.modules[: plan.cg.charts.limit("oba-modules")])


def modules_settled(plan: PlPlan) -> Iterator[Fact]:
    """Record which modules can be used; one whose wire is cut can't."""
    cuts: dict[str, list[str]] = {}
    for row in plan.lines:
        cuts[row["module"]] = cut_at(plan.cg, plan.side, hexes_of_line(plan.cg, row["hexes"]))
    chosen = in_use(plan)
    for module in plan.setting.modules:
        cut = cuts.get(module.id, [])
        usable = module.id in chosen and not cut
        if cut:
            text = f"The wire of {module.id} is cut in {', '.join(cut)} (C1.23)."
            yield Noted(text=text, rule="PL CG4", to=(plan.side,))
        if usable != module.usable:
            why = "to be used in this firefight" if usable else "not used in this firefight"
            why = f"its wire is cut in {', '.join(cut)}" if cut else why
            yield GroupChanged.of(module, why, "PL CG4", usable=usable)
