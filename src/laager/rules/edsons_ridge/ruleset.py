"""Edson's Ridge as the engine and the players see it: the ruleset `er`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel

from laager.base import Problem
from laager.campaign import Sheet
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.edsons_ridge import facts as own_facts
from laager.rules.edsons_ridge import reminders
from laager.rules.edsons_ridge.card_checks import CHART_NOTES, card_problems, date_doubts
from laager.rules.edsons_ridge.context import PACKAGE, Er
from laager.rules.edsons_ridge.groups import chart_problems
from laager.rules.edsons_ridge.sequence import SEQUENCES
from laager.rules.edsons_ridge.sheets import notes_sheet, plotting_sheet, recon_sheet
from laager.rules.edsons_ridge.state import ErState

if TYPE_CHECKING:
    from laager.rules.board.hasl.card.loading import LoadedHaslCard
    from laager.rules.board.hasl.sheets.roster import Reminder

MOMENTS: Mapping[str, str] = {
    "beginning": "creation",
    "buying": "purchase",
    "weather": "weather",
    "setting-up": "setup",
    "recon-inspection": "setup",
    "bombardments": "setup",
    "play": "play",
    "scenario-report": "end-of-play",
    "melee": "cc",
}
"""The moment of the rules index at which a step shows its reminders."""


class EdsonsRidge(HaslRuleset[Er, ErState]):
    """The ruleset `er`."""

    id = "er"
    title = "Edson's Ridge"
    package = PACKAGE
    sequences = SEQUENCES
    moments = MOMENTS
    own_facts = (*HaslRuleset.own_facts, own_facts)
    context_class = Er
    state_class = ErState
    over: ClassVar[str] = "ER 1.5231"
    chart_notes = CHART_NOTES
    pto = True

    def rule_charts(self) -> tuple[BaseModel, ...]:
        """Return the files of charts that ship with the rules."""
        from laager.rules.edsons_ridge.charts import printed_charts

        return (printed_charts(),)

    def card_problems(self, loaded: LoadedHaslCard) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Return what the rules of this module have against a card and its charts, and doubts about its dates."""
        return [*card_problems(loaded.card), *chart_problems(loaded.charts)], list(date_doubts(loaded.card))

    def describe(self, state: ErState) -> dict[str, Any]:
        """Return a viewer's state as JSON, with what this module keeps."""
        return {
            **super().describe(state),
            "recon": [{"side": side, "date": date, "locations": count} for (side, date), count in state.recon.items()],
            "inspected": [
                {"date": date, "side": side, "at": at} for date, named in state.inspected.items() for side, at in named
            ],
            "barrages": {
                str(date): [barrage.model_dump(mode="json") for barrage in barrages]
                for date, barrages in state.barrages.items()
            },
            "bombardments": {
                str(date): [bombardment.model_dump(mode="json") for bombardment in bombardments]
                for date, bombardments in state.bombardments.items()
            },
            "released": {str(date): sorted(who) for date, who in state.released.items()},
            "reserve_counters": {side: list(at) for side, at in state.counters.items()},
            "reserve_dummies": [
                {"side": side, "group": group, "at": at} for (side, group), at in state.dummies.items()
            ],
            "holding_boxes": [
                {"side": side, "group": group, "date": date} for (side, group), date in state.held.items()
            ],
            "notes": dict(state.notes_on),
            "set_dc": dict(state.set_dc),
        }

    def own_sheets(self, cg: Er) -> Iterable[Sheet]:
        """Return the sheets that only this module has."""
        return (recon_sheet(cg), plotting_sheet(cg), notes_sheet(cg))

    def in_force(self, cg: Er) -> Iterable[Reminder]:
        """Return what both sides keep in mind on this CG Date, with its effects in figures."""
        return reminders.in_force(cg)

    def of_side(self, cg: Er, side: str) -> Iterable[Reminder]:
        """Return what a side keeps in mind for itself."""
        return reminders.of_side(cg, side)


RULESET = EdsonsRidge()
