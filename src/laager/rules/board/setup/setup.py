"""A side sets up: the question and its form, the checks, the confirmation, and what follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

from laager.base import Problem, did_you_mean
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Number,
    Option,
    Placing,
    Procedure,
    Question,
    Record,
    Rows,
    SecretQuestion,
    Several,
    SightAsked,
    Sights,
    Spot,
    Text,
    YesNo,
    ask,
)
from laager.campaign.temperament import Temperament, sensible
from laager.rules.board.buying.works import HipCap
from laager.rules.board.changes import change_marks, hide, place_unit, reveal
from laager.rules.board.context import CardContext
from laager.rules.board.facts import UnitAttached
from laager.rules.board.los_requests import ask_concealment, enemy_watchers
from laager.rules.board.places import Fault
from laager.rules.board.setup.forts import fort_problems, place_forts, propose_forts, reveal_forts
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, HIDES, NONE, use_up_several
from laager.rules.board.setup.placements import SetupPlace
from laager.rules.board.setup.plan import BoardPlan, BoardSetting, allowances
from laager.rules.board.units import HIDING, Place
from laager.rules.board.wording import yield_facts

PlanT = TypeVar("PlanT", bound=BoardPlan)

HIDES_UNITS = "used to hide units"


class BoardSetup(ABC, Generic[PlanT]):
    """How one side sets up, in secret. Rule systems say what is theirs by overriding the hooks."""

    rule: ClassVar[str] = ""
    warning_rule: ClassVar[str] = ""
    help: ClassVar[str]

    def __init__(self, setting: BoardSetting) -> None:
        self.setting, self.cg, self.side = setting, setting.cg, setting.side

    def under(self, cg: CardContext) -> Self:
        """Return the same setup in a campaign as it stands, which may be this one."""
        return self if cg is self.cg else type(self)(self.setting.under(cg))

    def carry_out(self) -> Procedure[None]:
        """Ask the side for its setup until it is sure; then put everything in its place."""
        while True:
            plan = self.plan((yield from ask(self.question())))
            plan.settle()
            warnings = list(self.warnings(plan))
            if not warnings or (yield from ask(self._confirmation(plan, warnings))):
                break
        yield from yield_facts(place_forts(plan))
        yield from yield_facts(self.use_up_hip(plan))
        for placement in plan.in_order():
            yield from yield_facts(self._set_up(plan, placement))
        yield from yield_facts(self.settle_modules(plan))
        # Nothing is shown before all of a side's setup stands.
        yield from yield_facts(reveal_forts(plan))
        for placement in plan.in_order():
            yield from yield_facts(self.reveal_if_open(plan, placement))

    # The question -----------------------------------------------------------------------------------

    def question(self) -> Question:
        """Return the question for the whole setup of a side."""
        return SecretQuestion(
            "setup",
            self.side,
            self.text(),
            Record.of(*self._fields()),
            self.rule,
            default=self.cg.later(lambda cg: self.under(cg).proposal(temper=sensible())),
            check=lambda answer: self.problems(self.plan(answer)),
            suggest=self.proposal,
            judge=lambda temper: self.proposal(temper=temper),
            help=self.help,
            sights=Sights(lambda answer, seen: tuple(self.los_requests(self.plan(answer), seen))),
            placing=Placing(
                self.setting.allowed_hexes,
                lambda answer: self.spots(self.plan(answer)),
                lambda: {unit.id: self.setting.entries(unit) for unit in self.setting.units},
            ),
        )

    def spots(self, plan: PlanT) -> Mapping[str, Spot]:
        """Return where a setup puts each unit, those that it doesn't name included."""
        return {
            name: {
                "at": placement.at or placement.text,
                "entry": placement.entry,
                "hide": placement.hide,
                "with": placement.holder,
            }
            for name, placement in plan.placed.items()
        }

    def _confirmation(self, plan: PlanT, warnings: list[str]) -> Question:
        return SecretQuestion(
            "setup-warnings",
            self.side,
            "Leave your setup as it is? " + "; ".join(warnings) + ".",
            YesNo(),
            self.warning_rule,
            default=True,
            help="Answer no to set up again. Laager can't judge these; you can.",
            sights=Sights(lambda _, seen: tuple(self.los_requests(plan, seen))),
        )

    def los_requests(self, plan: PlanT, seen: Any) -> Iterator[SightAsked]:
        """Yield what a setup asks about LOS: whether units whose concealment depends on it are out of LOS."""
        units = ((placement.unit, placement.at, True) for placement in self.doubtful(plan))
        yield from ask_concealment(units, enemy_watchers(seen, self.side))

    def doubtful(self, plan: PlanT) -> Iterator[SetupPlace]:
        """Yield the units that are concealed only if no enemy sees them."""
        return iter(())

    def _fields(self) -> Iterator[Field]:
        """Yield the fields of the answer; a part that the side has nothing for is left out."""
        if self.setting.units:
            yield Field("units", Rows(self._unit_row()), "Units", [])
        if self.setting.to_place:
            yield Field("forts", Rows(self._fort_row()), "Fortifications and Dummies", self.forts_without_answer())
        yield from self.module_fields()

    def _unit_row(self) -> Record:
        setting = self.setting
        units = tuple(
            Option(unit.id, f"{unit.label} of {unit.group}" if unit.group else unit.label) for unit in setting.units
        )
        ways = (
            Option(NONE, "openly"),
            Option(CONCEALED, 'under "?"'),
            Option(HIDDEN, "hidden (HIP)"),
            Option(CLOAKED, "Cloaked"),
        )
        fields = [
            Field("unit", Choice(units), "Unit"),
            Field("at", Text(limit=20), "Location", ""),
            Field("hide", Choice(ways), "How", NONE),
            Field("with", Text(limit=20), "SW, Gun: possessed by; else: vehicle", ""),
        ]
        if setting.enters:
            arrows = dict.fromkeys(name for unit in setting.units for name in setting.entries(unit))
            entries = (Option("", "none"), *(Option(name, f"Entry Area {name}") for name in arrows))
            fields.insert(2, Field("entry", Choice(entries), "Enters by", ""))
        if setting.states:
            fields.append(Field("state", Several(tuple(map(Option, setting.states))), "State", []))
        return Record(tuple(fields))

    def _fort_row(self) -> Record:
        setting = self.setting
        forts = tuple(Option(fort.id, setting.fort_label(fort)) for fort in setting.to_place)
        fields = [
            Field("fort", Choice(forts), "Fortification"),
            Field("at", Text(limit=20), "Location"),
            Field("hexside", Text(limit=60), "Hex beyond its hexside", ""),
            Field("count", Number(1, 99), 'How many, of "?" and Dummies', 1),
            Field("show", YesNo(), "Openly on map", False),
            Field("dc", Text(limit=20), "The DC that is set", ""),
        ]
        if setting.cloaking:
            fields.insert(5, Field("cloaking", YesNo(), 'A "?" as a Dummy among Reserves', False))
        return Record(tuple(fields))

    def proposal(self, rng: Random | None = None, temper: Temperament | None = None) -> Any:
        """Return a legal setup as an answer: by chance if there is a source of it, else as a temperament has it."""
        answer: dict[str, Any] = {}
        if self.setting.to_place:
            answer["forts"] = propose_forts(self.setting, rng)
        if self.setting.units:
            forward = temper["setup.forward"] if temper is not None and self.setting.attacks else 0.0
            answer["units"] = self.unit_rows(answer, rng, forward)
        return self.with_modules(answer, rng)

    # The checks -------------------------------------------------------------------------------------

    def problems(self, plan: PlanT) -> tuple[Problem, ...]:
        """Return everything that the rules have against a setup; nothing if it is legal."""
        return (
            *self._row_problems(plan),
            *(
                Problem(message, right, plan.row_of(placement.unit.id, field))
                for placement in plan.placed.values()
                for message, right, field in self._faults(plan, placement)
            ),
            *self.hip_problems(plan),
            *fort_problems(plan),
            *self.more_problems(plan),
        )

    def _row_problems(self, plan: PlanT) -> Iterator[Problem]:
        seen: set[str] = set()
        for number, row in enumerate(plan.rows, 1):
            if row["unit"] in seen:
                label = plan.own[row["unit"]].unit.label
                yield Problem(f"{label} is set up twice", "set it up once", f"units[{number}].unit")
            seen.add(row["unit"])

    def _faults(self, plan: PlanT, placement: SetupPlace) -> Iterator[Fault]:
        if placement.text and not placement.at:
            advice = did_you_mean(placement.text, self.setting.names, "there are")
            yield f"{placement.text!r} is not a Location of the map", advice, "at"
        else:
            yield from self.unit_faults(plan, placement)

    def hip_problems(self, plan: PlanT) -> Iterator[Problem]:
        """Yield what is wrong with the HIP that units take which has to be paid for."""
        for size, hiding in plan.hip_paid().items():
            left = allowances(self.setting.hip, size)
            if len(hiding) > left:
                names = ", ".join(placement.unit.id for placement in hiding)
                advice = "; ".join([f"you bought {left}", *self.hip_advice(plan, hiding)])
                yield Problem(f"HIP for {len(hiding)} x {size} ({names})", advice, "units")
        yield from self._beyond_cap(plan)

    def _beyond_cap(self, plan: PlanT) -> Iterator[Problem]:
        """Yield that more squads hide than can, whatever was bought and when."""
        cap = self.hip_cap(plan)
        if cap is None:
            return
        used = cap.count_half_squads({size: len(hiding) for size, hiding in plan.hip_paid().items()})
        halves = used + self.hip_before(plan)
        if used and halves > 2 * cap.squads:
            yield Problem(f"{halves / 2:g} squads hidden", cap.words, "units")

    # What follows -----------------------------------------------------------------------------------

    def use_up_hip(self, plan: PlanT) -> Iterator[Fact]:
        """Bought HIP that hides units is used up."""
        for size, hiding in plan.hip_paid().items():
            bought = [fort.id for fort in self.setting.hip if fort.size == size]
            yield from use_up_several(self.cg, bought, len(hiding), HIDES_UNITS)

    def _set_up(self, plan: PlanT, placement: SetupPlace) -> Iterator[Fact]:
        """Put a unit in its place, out of the enemy's knowledge if it hides."""
        cg, name = self.cg, placement.unit.id
        mark = HIDES[placement.hide] if placement.somewhere else None
        where = (
            f"set up in {placement.at}"
            if placement.at
            else f"enters by {placement.entry}"
            if placement.entry
            else "waits"
        )
        if mark is not None:
            # Both sides learn that a unit goes out of sight, so this must not say where it is.
            yield from hide(cg.state.units[name], mark, "out of sight at setup")
            yield from change_marks(cg.state.units[name], remove=HIDING - {mark}, why=where)
        unit = cg.state.units[name]
        if unit.with_unit != placement.holder:
            yield UnitAttached(unit=name, to_unit=placement.holder, why=where, to=unit.audience)
        if placement.at and (unit.at != placement.at or not unit.on_map):
            yield place_unit(unit, placement.at, Place.MAP, where)
        if not placement.at and unit.on_map:
            yield place_unit(unit, None, Place.OFF_MAP, where)
        yield from self.settle_unit(plan, placement, where)

    def reveal_if_open(self, plan: PlanT, placement: SetupPlace) -> Iterator[Fact]:
        """Let the enemy see a unit that stands openly."""
        if placement.at and placement.hide == NONE:
            yield from reveal(self.cg.state.units[placement.unit.id], f"it stands openly in {placement.at}")

    # What rule systems say --------------------------------------------------------------------------

    @abstractmethod
    def plan(self, answer: Any) -> PlanT:
        """Return the plan that an answer makes."""

    @abstractmethod
    def text(self) -> str:
        """Return what is asked."""

    def forts_without_answer(self) -> list[Any]:
        """Return where fortifications go if an answer leaves them all out."""
        return []

    @abstractmethod
    def unit_rows(self, answer: Any, rng: Random | None, forward: float = 0.0) -> list[Any]:
        """Return the proposed rows for units, besides what is proposed already; `forward`: how far an attacker goes."""

    @abstractmethod
    def unit_faults(self, plan: PlanT, placement: SetupPlace) -> Iterator[Fault]:
        """Yield what is wrong with where a unit goes: what, what would be right, which field."""

    @abstractmethod
    def more_problems(self, plan: PlanT) -> Iterator[Problem]:
        """Yield what else the rules have against a setup."""

    def hip_cap(self, plan: PlanT) -> HipCap | None:
        """Return how many squads can hide by HIP that has to be paid for; None: as many as it was paid for."""
        return None

    def hip_before(self, plan: PlanT) -> int:
        """Return the half-squads hidden before this setup that count against the cap."""
        return 0

    def hip_advice(self, plan: PlanT, hiding: list[SetupPlace]) -> Iterator[str]:
        """Yield how units could hide at less cost."""
        yield from ()

    @abstractmethod
    def warnings(self, plan: PlanT) -> Iterator[str]:
        """Yield what the side should look at once more; it can leave it as it is."""

    def module_fields(self) -> Iterator[Field]:
        """Yield the fields for OBA modules."""
        yield from ()

    def with_modules(self, answer: Any, rng: Random | None) -> Any:
        """Return an answer with what is proposed for OBA modules."""
        return answer

    @abstractmethod
    def settle_modules(self, plan: PlanT) -> Iterator[Fact]:
        """Record how OBA modules are used; their owner's secret."""

    @abstractmethod
    def settle_unit(self, plan: PlanT, placement: SetupPlace, why: str) -> Iterator[Fact]:
        """Give a unit its state and area once it is in its place."""
