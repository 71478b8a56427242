"""A HASL campaign as the engine and the players see it: the base of the rulesets of the family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from laager.base import DataError, Problem
from laager.campaign import Context, Course, Fact, NewCampaign, Readings, Sheet, Step
from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import CampaignEnded, all_facts
from laager.rules.board.hasl.state import HaslState, Round, empty_state
from laager.rules.board.sequence import Sequences

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Layers
    from laager.rules.board.hasl.card.card import Card
    from laager.rules.board.hasl.charts import Charts
    from laager.rules.board.hasl.system import System


ROUNDS: Mapping[Round, str] = {
    Round.INITIAL: "Initial Scenario",
    Round.REFIT: "Refit Phase and scenario",
    Round.IDLE: "Refit Phase after an Idle Date",
    Round.OVER: "The end",
}


class HaslRuleset:
    """What the rulesets of the family have in common; each names what is its own."""

    id: str
    title: str
    package: str
    sequences: Sequences
    moments: Mapping[str, str] = {}
    """The moment of the rules index at which a step shows its reminders, by step."""
    context_class: ClassVar[type[Hasl]] = Hasl
    known: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What the rules themselves print of a module's charts, in sentences, by chart."""
    over: ClassVar[str]
    """The clause by which the campaign ends when a side concedes."""
    sides = SIDES

    def __init__(self) -> None:
        self.facts: Mapping[str, type[Fact]] = self.all_facts()
        self.steps: Mapping[str, Step] = self.sequences.steps

    def all_facts(self) -> Mapping[str, type[Fact]]:
        """Return every kind of fact; a system with facts of its own adds them."""
        return all_facts()

    # For the engine -----------------------------------------------------------------------------

    def context(self, opening: Mapping[str, Any]) -> Hasl:
        """Return the context of a campaign."""
        return self.context_class(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> HaslState:
        """Return the state before the first fact."""
        return empty_state(viewer, frozenset(opening["card"].get("omit", ())))

    def next_step(self, state: HaslState) -> Step | None:
        """Return the step that comes next."""
        return self.sequences.next_step(state)

    def step_done(self, state: HaslState, step: str) -> HaslState:
        """Tick a step off; the step that began another round belongs to the old one."""
        if state.turning or step not in {due.id for due in self.sequences.of(state)}:
            return replace(state, turning=False)
        return replace(state, done=(*state.done, step))

    def describe(self, state: HaslState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        from laager.rules.board.hasl.sheets.view import describe

        return describe(state)

    # For the players ----------------------------------------------------------------------------

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read a card, the files that it names and the readings chosen.

        Raises DataError with every problem. What it read is in the setting: a campaign needs no
        file but its own.
        """
        from laager.rules.board.hasl.card.loading import load_card

        loaded = load_card(path, self.system)
        known = Readings.load_packaged(self.package)
        problems = known.check(readings)
        if problems:
            raise DataError(problems)
        in_force = known.in_force({**loaded.card.readings, **readings})
        setting = {**loaded.setting, "readings": in_force}
        wrong, doubtful = self.judged(loaded.card, loaded.charts, loaded.map)
        if wrong:
            raise DataError(wrong)
        warnings = tuple(str(warning) for warning in (*loaded.warnings, *doubtful))
        return NewCampaign(loaded.card.title, setting, warnings)

    def judged(self, card: Card, charts: Charts, map_: HexMap) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Return problems and doubts that the system's own rules have about a card."""
        return (), ()

    @property
    def system(self) -> System:
        """What the checks of a card must know of these rules."""
        from laager.rules.board.hasl.system import System

        return System(self.id, self.package, self.sequences.optional, self.context_class)

    def shipped_cards(self) -> Mapping[str, Path]:
        """Return the cards that come with Laager."""
        from laager.rules.board.card.files import packs

        return packs(self.id, "")

    def headline(self, context: Context, state: HaslState) -> Sequence[str]:
        """Say which CG Date it is and how the campaign stands."""
        cg = self._seeing(context, state)
        if state.round is Round.OVER:
            who = f"won by the {cg.side(state.winner).name}" if state.winner else "nobody has won"
            # A name may end in a full stop of its own: "the U.S."
            return (f"The campaign is over, {who.removesuffix('.')}. {state.ending}",)
        date, line = cg.date, state.scenario
        lines = [f"CG Date {date.title}, {state.number} of {len(cg.card.dates)}"]
        if state.round is Round.INITIAL and not state.done:
            return (*lines, "the campaign has not begun yet")
        if line.kind:
            lines.append(f"{line.kind}; weather: {line.weather or 'not yet known'}")
        for side in SIDES:
            own = state.side(side)
            lines.append(f"{cg.side(side).name} ({side}): CVP {own.cvp_total} amassed, ELR {own.elr}, SAN {own.san}")
        return tuple(lines)

    def course(self, state: HaslState) -> Course:
        """Return the list of steps that is being gone through."""
        return Course(ROUNDS[state.round], self.sequences.of(state), frozenset(state.done))

    def sheets(self, context: Context, state: HaslState) -> Sequence[Sheet]:
        """Return roster, purchase record, fortifications, order of battle, and the system's own."""
        from laager.rules.board.hasl.sheets.roster import sheets

        cg = self._seeing(context, state)
        return (*sheets(cg), *self.rules_now(cg), *self.own_sheets(cg))

    def own_sheets(self, cg: Hasl) -> Sequence[Sheet]:
        """Return the sheets that only this system has."""
        return ()

    def rules_now(self, cg: Hasl) -> Sequence[Sheet]:
        """Return the sheet of what this system has players keep in mind now, if it has one."""
        return ()

    def beside(self, context: Context, state: HaslState, key: str, side: str) -> Sequence[Sheet]:
        """Return the chart while buying, the fortifications while building, the OB otherwise.

        During setup and play the rules in force stand there too.
        """
        from laager.rules.board.hasl.sheets.roster import beside

        cg = self._seeing(context, state)
        found = beside(cg, key, side)
        return (*found, *self.rules_now(cg)) if key in ("play", "setup") else found

    def drawing(self, context: Context, state: HaslState) -> tuple[HexMap, Layers]:
        """Return the map and what the viewer sees on it."""
        from laager.rules.board.hasl.sheets.view import layers

        cg = self._seeing(context, state)
        return cg.map, layers(cg)

    def moment(self, step: str) -> str:
        """Return the moment of a step's reminders."""
        return self.moments.get(step, "")

    def conceded(self, side: str | None) -> Fact:
        """Return the fact that a side concedes, or that both agree on a draw."""
        if side is None:
            return CampaignEnded(winner="", ending="a draw by agreement", rule=self.over)
        return CampaignEnded(winner=other(side), ending=f"{side} conceded", rule=self.over)

    def _seeing(self, context: Context, state: HaslState) -> Hasl:
        assert isinstance(context, Hasl)
        return context.seeing(state)
