"""A HASL campaign as the engine and the players see it: the base of the rulesets of the family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from laager.campaign import Sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl import facts
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import HaslState, Round
from laager.rules.board.ruleset import BoardRuleset

if TYPE_CHECKING:
    from laager.hexmap.draw import Layers
    from laager.rules.board.hasl.card.loading import LoadedHaslCard
    from laager.rules.board.hasl.system import System

ROUNDS: Mapping[Round, str] = {
    Round.INITIAL: "Initial Scenario",
    Round.REFIT: "Refit Phase and scenario",
    Round.IDLE: "Refit Phase after an Idle Date",
    Round.OVER: "The end",
}


class HaslRuleset(BoardRuleset[Hasl, HaslState]):
    """What the rulesets of the family have in common; each names what is its own."""

    rounds = ROUNDS
    own_facts: ClassVar[Sequence[ModuleType]] = (facts,)
    context_class: type[Hasl] = Hasl
    state_class: type[HaslState] = HaslState
    known: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What the rules themselves print of a module's charts, in sentences, by chart."""

    def describe(self, state: HaslState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        from laager.rules.board.hasl.sheets.view import describe

        return describe(state)

    def load(self, path: Path) -> LoadedHaslCard:
        """Read a card and the files that it names. Raises DataError with every problem."""
        from laager.rules.board.hasl.card.loading import load_card

        return load_card(path, self.system)

    @property
    def system(self) -> System:
        """What the checks of a card must know of these rules."""
        from laager.rules.board.hasl.system import System

        return System(self.id, self.package, self.sequences.optional, self.context_class)

    def standing(self, cg: Hasl, state: HaslState) -> Sequence[str]:
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

    def all_sheets(self, cg: Hasl) -> Sequence[Sheet]:
        """Return the sheets of all these campaigns, the rules in force, and those of this system."""
        from laager.rules.board.hasl.sheets.roster import sheets

        return (*sheets(cg), *self.rules_now(cg), *self.own_sheets(cg))

    def own_sheets(self, cg: Hasl) -> Sequence[Sheet]:
        """Return the sheets that only this system has."""
        return ()

    def rules_now(self, cg: Hasl) -> Sequence[Sheet]:
        """Return the sheet of what this system has players keep in mind now, if it has one."""
        return ()

    def sheets_for(self, cg: Hasl, key: str, side: str) -> Sequence[Sheet]:
        """Return what a side needs to see; during setup and play the rules in force too."""
        from laager.rules.board.hasl.sheets.roster import beside

        found = beside(cg, key, side)
        return (*found, *self.rules_now(cg)) if key in ("play", "setup") else found

    def layers(self, cg: Hasl) -> Layers:
        """Return what the viewer sees on the map."""
        from laager.rules.board.hasl.sheets.view import layers

        return layers(cg)
