"""What came out of one campaign, in plain numbers: the part of a run that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict

from laager.campaign.clauses import RulesIndex
from laager.campaign.engine import Campaign
from laager.rules.board.card.parts import SIDES
from laager.simulation.forces import strength_of
from laager.simulation.plan import SimulationPlan

FIGURES = ("cp", "fpp", "strength", "cvp", "tvp", "elr", "san", "ground")
"""What is followed over time, for each side; what a rule system hasn't got is left out.

CP or CPP, FP or FPP, the worth of all units in the OB, CVP and TVP (totals), ELR, SAN, Strategic Locations Controlled.
"""


class SlotOutcome(BaseModel):
    """One battle of a campaign as it was at its start, and what became of it.

    `kind` is the kind of firefight or scenario, `fought` whether it was played, `turns` its last Game Turn.
    `figures` are the sides' `FIGURES` when the slot began, `lost` the CVP that each side scored in it, `control` the
    Locations that each side Controlled when it began.
    """

    model_config = ConfigDict(extra="forbid")

    number: int
    kind: str = ""
    fought: bool = False
    turns: int = 0
    figures: dict[str, dict[str, int]] = {}
    cvp: dict[str, int] = {}
    control: dict[str, list[str]] = {}


class CampaignOutcome(BaseModel):
    """One campaign: who won and how, its slots, what was bought, which clauses came up.

    `winner` is a side, "" for a draw. `dead_end` says what went wrong; "" in a campaign that came to its end.
    `final` are the figures at the end and `control` the Locations that each side Controlled then.
    """

    model_config = ConfigDict(extra="forbid")

    number: int
    winner: str = ""
    ending: str = ""
    dead_end: str = ""
    answers: int = 0
    refused: int = 0
    """Battle reports of the model that the rules didn't accept; the record as it was stood for them."""
    entries: int = 0
    slots: list[SlotOutcome] = []
    final: dict[str, dict[str, int]] = {}
    control: dict[str, list[str]] = {}
    bought: dict[str, dict[str, int]] = {}
    clauses: list[str] = []

    @property
    def fought(self) -> int:
        """The number of battles that were fought."""
        return sum(slot.fought for slot in self.slots)


class Recorder:
    """Follows a campaign while it is played, and makes its outcome."""

    def __init__(self, plan: SimulationPlan, number: int, campaign: Campaign) -> None:
        self.campaign = campaign
        self.dead_end = ""
        self.refused = 0
        self._number = number
        self._answers = 0
        self._slots: dict[int, SlotOutcome] = {}
        self._see_slot()

    def look(self, campaign: Campaign) -> None:
        """Take note of a campaign after an answer."""
        self._answers += 1
        slot = self._slots.get(campaign.state.number)
        if slot is None or not _has_figures(slot):
            self._see_slot()

    def _see_slot(self) -> None:
        context, state = self.campaign.context, self.campaign.state
        self._slots[state.number] = SlotOutcome(
            number=state.number, figures=figures_of(context), control=control_of(context)
        )

    def outcome(self) -> CampaignOutcome:
        """Return what came out."""
        campaign, state = self.campaign, self.campaign.state
        for line in battle_lines(state):
            slot = self._slots.setdefault(line.number, SlotOutcome(number=line.number))
            slot.kind, slot.fought, slot.turns, slot.cvp = _battle(line)
        return CampaignOutcome(
            number=self._number,
            winner=state.winner,
            ending=state.ending,
            dead_end=self.dead_end,
            answers=self._answers,
            refused=self.refused,
            entries=campaign.version,
            slots=[self._slots[number] for number in sorted(self._slots)],
            final=figures_of(campaign.context),
            control=control_of(campaign.context),
            bought={side: dict(sorted(state.side(side).bought.items())) for side in SIDES},
            clauses=sorted(_clauses(campaign)),
        )


def _has_figures(slot: SlotOutcome) -> bool:
    """False before the OBs are there: the first questions come before them."""
    return any(any(figures.values()) for figures in slot.figures.values())


def battle_lines(state: Any) -> tuple[Any, ...]:
    """Return the lines of the CG Roster, the present one last."""
    return (*state.past, state.fight if hasattr(state, "fight") else state.scenario)


def _battle(line: Any) -> tuple[str, bool, int, dict[str, int]]:
    kind = getattr(line, "type", None) or getattr(line, "kind", "") or ""
    idle = getattr(line, "idle", False) or "Idle" in str(kind)
    return str(kind), bool(line.play_ended and not idle), int(line.last_turn), dict(line.cvp)


def figures_of(context: Any) -> dict[str, dict[str, int]]:
    """Return the sides' figures as they are now."""
    return {side: dict(_figures(context, side)) for side in SIDES}


def _figures(context: Any, side: str) -> Iterator[tuple[str, int]]:
    state = context.state
    numbers = state.side(side)
    names = {"cp": ("cp", "cpp"), "fpp": ("fp", "fpp"), "tvp": ("tvp",), "elr": ("elr",), "san": ("san",)}
    for figure, fields in names.items():
        for field in fields:
            if hasattr(numbers, field):
                yield figure, int(getattr(numbers, field))
    yield "strength", round(strength_of(context, side))
    yield "cvp", _cvp_total(state, side)
    yield "ground", sum(holder == side for holder in state.ground.control.values())


def _cvp_total(state: Any, side: str) -> int:
    total = getattr(state.side(side), "cvp_total", None)
    if total is not None:
        return int(total)
    return int(sum(line.cvp.get(side, 0) for line in state.past) + state.side(side).cvp)


def control_of(context: Any) -> dict[str, list[str]]:
    """Return the Locations that each side Controls now, in the map's order."""
    control: Mapping[str, str] = context.state.ground.control
    return {side: context.sort(at for at, holder in control.items() if holder == side) for side in SIDES}


def _clauses(campaign: Campaign) -> set[str]:
    """Return the clauses that the log names: of steps, facts, questions, rolls, and of the tables rolled on."""
    tables = _clauses_by_table(campaign.ruleset.package) if hasattr(campaign.ruleset, "package") else {}
    clauses, rolled_on = set[str](), set[str]()
    for entry in campaign.entries:
        body = entry.body
        clauses.add(body.get("clause") or body.get("rule") or (body.get("fact") or {}).get("rule") or "")
        if "table" in body:
            rolled_on.add(body["table"])
    for table in rolled_on:
        clauses.update(tables.get(table, ()))
    return clauses - {""}


@cache
def _clauses_by_table(package: str) -> Mapping[str, tuple[str, ...]]:
    clauses: dict[str, tuple[str, ...]] = {}
    for name, clause in RulesIndex.load_packaged(package).items():
        for table in clause.tables:
            clauses[table] = (*clauses.get(table, ()), name)
    return clauses
