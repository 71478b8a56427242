"""A HASL campaign as the engine and the players see it: the base of the rulesets of the family."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import BaseModel

from laager.base.files import Document, check
from laager.campaign import Sheet, implements
from laager.campaign.ruleset import PrintedCharts
from laager.campaign.summary import CardSummary
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl import facts
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import HaslState, Round
from laager.rules.board.ruleset import BoardRuleset
from laager.rules.board.sheets.records import seen_sides

if TYPE_CHECKING:
    from laager.hexmap.draw import Layers
    from laager.rules.board.hasl.card.loading import LoadedHaslCard
    from laager.rules.board.hasl.sheets.roster import Reminder
    from laager.rules.board.hasl.system import HaslSystem

ROUNDS: Mapping[Round, str] = {
    Round.INITIAL: "Initial Scenario",
    Round.REFIT: "Refit Phase and scenario",
    Round.IDLE: "Refit Phase after an Idle Date",
    Round.OVER: "The end",
}


HaslT = TypeVar("HaslT", bound=Hasl)
HaslStateT = TypeVar("HaslStateT", bound=HaslState)


class HaslRuleset(BoardRuleset[HaslT, HaslStateT]):
    """The base of the family's rulesets."""

    rounds = ROUNDS
    own_facts: ClassVar[Sequence[ModuleType]] = (facts,)
    chart_notes: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Help for filling in a module's charts from its rules: sentences by chart."""
    pto: ClassVar[bool] = False

    def describe(self, state: HaslStateT) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        from laager.rules.board.hasl.sheets.view import describe_state

        return describe_state(state)

    def printed_charts(self, setting: Mapping[str, Any] | None = None) -> PrintedCharts:
        """Return the charts and tables of a module, which its card names, behind those of the rules."""
        from laager.rules.board.hasl.charts import HaslCharts
        from laager.rules.board.hasl.context import module_tables

        own = self.rule_charts()
        if setting is None:
            return PrintedCharts(own, whole=False)
        tables = module_tables(setting.get("tables"))
        return PrintedCharts((*own, HaslCharts.model_validate(setting["charts"])), tables)

    def rule_charts(self) -> tuple[BaseModel, ...]:
        """Return the files of charts that ship with the rules."""
        return ()

    def load(self, path: Path) -> LoadedHaslCard:
        """Read a card and the files that it names. Raises DataError with every problem."""
        from laager.rules.board.hasl.card.loading import load_card

        return load_card(path, self.system)

    def summary(self, card: Document) -> CardSummary:
        """Return what players compare before they choose a card."""
        from laager.rules.board.hasl.card.card import Card

        hasl_card = check(card, Card)
        return hasl_card.summary([date.day for date in hasl_card.dates], "CG Date")

    @property
    def system(self) -> HaslSystem:
        """The facts about these rules that the checks of a card need."""
        from laager.rules.board.hasl.system import HaslSystem

        return HaslSystem(self.id, self.package, self.sequences.optional, self.context_class, self.pto)

    def strategic_places(self, cg: HaslT) -> Collection[str]:
        """Return the Strategic Locations, as the map stands."""
        from laager.rules.board.hasl.areas import strategic_locations

        return strategic_locations(cg)

    def describe_standing(self, cg: HaslT, state: HaslStateT) -> Sequence[str]:
        """Say which CG Date it is and how the campaign stands."""
        date, line = cg.date, state.scenario
        lines = [f"CG Date {date.title}, {state.number} of {len(cg.card.dates)}"]
        if state.round is Round.INITIAL and not state.done:
            return (*lines, "the campaign has not begun yet")
        if line.kind:
            lines.append(f"{line.kind}; weather: {line.weather or 'not yet known'}")
        for side in SIDES:
            own = state.side(side)
            lines.append(f"{cg.side(side).name} ({side}): CVP {own.cvp_total} amassed, ELR {own.elr}, SAN {own.san}")
        return lines

    def all_sheets(self, cg: HaslT) -> Sequence[Sheet]:
        """Return the sheets of all these campaigns, the rules in force, and those of this system that aren't empty."""
        from laager.rules.board.hasl.sheets.roster import all_sheets

        return (*all_sheets(cg), *self.rules_now(cg), *(sheet for sheet in self.own_sheets(cg) if sheet.rows))

    def own_sheets(self, cg: HaslT) -> Iterable[Sheet]:
        """Return the sheets that only this system has."""
        return ()

    def in_force(self, cg: HaslT) -> Iterable[Reminder]:
        """Return what both sides keep in mind in the scenario of this CG Date."""
        return ()

    def of_side(self, cg: HaslT, side: str) -> Iterable[Reminder]:
        """Return what a side keeps in mind for itself."""
        return ()

    @implements("ABtF 9.4", "ER CG2", "ER SSR list")
    def rules_now(self, cg: HaslT) -> Sequence[Sheet]:
        """Return the sheet of what holds in this scenario, as far as the viewer knows it; none if it is empty."""
        from laager.rules.board.hasl.sheets.roster import rules_sheet

        reminders = [
            *self.in_force(cg),
            *(reminder for side in seen_sides(cg.state) for reminder in self.of_side(cg, side)),
        ]
        return (rules_sheet(cg, reminders),) if reminders else ()

    def sheets_for(self, cg: HaslT, key: str, side: str) -> Sequence[Sheet]:
        """Return what a side needs to see; during setup and play the rules in force too."""
        from laager.rules.board.hasl.sheets.roster import sheets_beside

        sheets = sheets_beside(cg, key, side)
        return (*sheets, *self.rules_now(cg)) if key in ("play", "setup") else sheets

    def layers(self, cg: HaslT) -> Layers:
        """Return what the viewer sees on the map."""
        from laager.rules.board.hasl.sheets.view import map_layers

        return map_layers(cg)
