"""A Bridge Too Far as the engine and the players see it: the ruleset `abtf`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel

from laager.base import Problem
from laager.campaign import Sheet, implements
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.bridge_too_far import facts as own_facts
from laager.rules.bridge_too_far import reminders
from laager.rules.bridge_too_far.card import CHART_NOTES, blockhouse_doubts, date_problems, order_doubts
from laager.rules.bridge_too_far.context import PACKAGE, Abtf
from laager.rules.bridge_too_far.entry import entry_doubts
from laager.rules.bridge_too_far.sequence import SEQUENCES
from laager.rules.bridge_too_far.sheets import divider_sheet, front_line_sheet, vehicle_notes_sheet
from laager.rules.bridge_too_far.state import AbtfState

if TYPE_CHECKING:
    from laager.rules.board.hasl.card.loading import LoadedHaslCard
    from laager.rules.board.hasl.sheets.roster import Reminder

MOMENTS: Mapping[str, str] = {
    "beginning": "creation",
    "buying": "purchase",
    "setting-up": "setup",
    "weather": "weather",
    "play": "play",
    "melee": "cc",
}
"""The moment of the rules index at which a step shows its reminders."""


class BridgeTooFar(HaslRuleset[Abtf, AbtfState]):
    """The ruleset `abtf`."""

    id = "abtf"
    title = "A Bridge Too Far"
    package = PACKAGE
    sequences = SEQUENCES
    moments = MOMENTS
    own_facts = (*HaslRuleset.own_facts, own_facts)
    context_class = Abtf
    state_class = AbtfState
    over: ClassVar[str] = "ABtF 9.2 CG End"
    chart_notes = CHART_NOTES

    def rule_charts(self) -> tuple[BaseModel, ...]:
        """Return the files of charts that ship with the rules."""
        from laager.rules.bridge_too_far.shortage import printed_charts

        return (printed_charts(),)

    def card_problems(self, loaded: LoadedHaslCard) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Hold its calendar and its map against the rules."""
        doubts = [*order_doubts(loaded.card), *entry_doubts(loaded.map), *blockhouse_doubts(loaded.map)]
        return list(date_problems(loaded.card)), doubts

    def describe(self, state: AbtfState) -> dict[str, Any]:
        """Return a viewer's state as JSON, with what this module keeps."""
        headquarters = state.headquarters
        return {
            **super().describe(state),
            "ww_box": dict(state.ww_box),
            "modules": [
                {"side": side, "date": date, "modules": list(names)} for (side, date), names in state.usage.items()
            ],
            "headquarters": None
            if headquarters is None
            else {"building": headquarters.building, "hexes": list(headquarters.hexes)},
            "reinforcements_released": state.released,
            "vehicle_notes": {unit: dict(notes) for unit, notes in state.records.items()},
        }

    @implements("ABtF 9.14", "ABtF 9.2 CG Roster", "ABtF 9.2 RG Purchase Record", "ABtF 9.2 OB")
    def own_sheets(self, cg: Abtf) -> Iterable[Sheet]:
        """Return the sheets that only this module has."""
        return (divider_sheet(cg), front_line_sheet(cg), vehicle_notes_sheet(cg))

    def in_force(self, cg: Abtf) -> Iterable[Reminder]:
        """Return what both sides keep in mind on this CG Date, with its effects in figures."""
        return reminders.in_force(cg)

    def of_side(self, cg: Abtf, side: str) -> Iterable[Reminder]:
        """Return what a side keeps in mind for itself."""
        return reminders.of_side(cg, side)


RULESET = BridgeTooFar()
