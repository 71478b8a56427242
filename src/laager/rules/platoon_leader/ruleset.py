"""Platoon Leader as the engine and the players see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from laager.base.files import Document, check
from laager.campaign import Context, Sheet
from laager.campaign.ruleset import PrintedCharts
from laager.campaign.summary import CardSummary
from laager.rules.board.card.files import LoadedCard
from laager.rules.board.card.parts import SIDES
from laager.rules.board.ruleset import BoardRuleset
from laager.rules.platoon_leader import facts
from laager.rules.platoon_leader.context import PACKAGE, Cg
from laager.rules.platoon_leader.sequence import SEQUENCES
from laager.rules.platoon_leader.sheets.view import describe
from laager.rules.platoon_leader.state import PlState, Round

if TYPE_CHECKING:
    from laager.hexmap.draw import Layers

ROUNDS: Mapping[Round, str] = {
    Round.INITIAL: "Initial Firefight",
    Round.NEW: "New firefight",
    Round.REORGANIZATION: "Reorganization Phase",
    Round.IDLE: "Idle firefight",
    Round.OVER: "The end",
}

MOMENTS: Mapping[str, str] = {
    "weather": "weather",
    "buying": "purchase",
    "setting-up": "setup",
    "patrolling": "patrol",
    "commencement": "play",
    "firefight-end": "end-of-play",
    "close-combat": "cc",
    "redeployment-phase": "redeployment",
    "repairs": "repairs",
}
"""The moment of the rules index at which a step shows its reminders."""


class PlatoonLeader(BoardRuleset[Cg, PlState]):
    """The ruleset `pl`."""

    id = "pl"
    title = "Platoon Leader 2.5"
    package = PACKAGE
    sequences = SEQUENCES
    rounds = ROUNDS
    later_rounds = frozenset({Round.NEW, Round.IDLE})
    moments = MOMENTS
    own_facts = (facts,)
    context_class = Cg
    state_class = PlState
    over: ClassVar[str] = "PL 1.3"

    def strategic_places(self, cg: Cg) -> Collection[str]:
        """Return the Strategic Terrain, as the map stands."""
        return cg.strategic()

    def describe(self, state: PlState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        return describe(state)

    def printed_charts(self, setting: Mapping[str, Any] | None = None) -> PrintedCharts:
        """Return the charts of the rules; a card brings none of its own."""
        from laager.rules.platoon_leader.charts import charts

        return PrintedCharts((charts(),))

    def load(self, path: Path) -> LoadedCard:
        """Read a card and the files that it names. Raises DataError with every problem."""
        from laager.rules.platoon_leader.card.loading import load_card

        return load_card(path)

    def summary(self, card: Document) -> CardSummary:
        """Return what players compare before they choose a card."""
        from laager.rules.platoon_leader.card.card import Card

        checked = check(card, Card)
        return checked.summary([firefight.date for firefight in checked.firefights], "firefight")

    def describe_standing(self, cg: Cg, state: PlState) -> Sequence[str]:
        """Say which firefight it is, when, and how it stands."""
        slot, fight = cg.slot, state.fight
        night = ", night" if slot.night else ""
        when = f"{slot.date} {slot.time}{night}"
        lines = [f"Firefight {fight.number} of {len(cg.card.firefights)}: {when}"]
        if state.round is Round.INITIAL and "beginning" not in state.done:
            return (*lines, "the campaign has not begun yet")
        if fight.type is not None:
            kind = cg.name_battle(fight.type)
            lines.append(f"{kind}; weather: {fight.weather or 'not yet known'}")
        for side in SIDES:
            own = state.side(side)
            lines.append(
                f"{cg.side(side).name} ({side}): CVP {own.cvp} in this firefight, TVP {own.tvp}, ELR {own.elr}"
            )
        return lines

    def objectives(self, context: Context, state: PlState) -> Sequence[tuple[str, str]]:
        """Return the objectives that the card sets for its initial firefight; other firefights have none."""
        initial = self.context_for(context, state).card.objectives.initial if state.fight.initial else ()
        return tuple((objective.side, objective.text) for objective in initial)

    def all_sheets(self, cg: Cg) -> Sequence[Sheet]:
        """Return roster, purchase record, fortifications and order of battle."""
        from laager.rules.platoon_leader.sheets.roster import sheets

        return sheets(cg)

    def sheets_for(self, cg: Cg, key: str, side: str) -> Sequence[Sheet]:
        """Return the chart while buying, the fortifications while building, the OB otherwise."""
        from laager.rules.platoon_leader.sheets import roster as forms

        match key:
            case "purchases":
                return (forms.chart(cg, side), forms.purchases(cg, side))
            case "fortifications":
                return (forms.fortifications(cg, side),)
            case "setup":
                return (forms.special_rules(cg), forms.order_of_battle(cg, side))
            case "setup-sheet":
                from laager.rules.platoon_leader.setup.sheets import setup_sheets

                return setup_sheets(cg, side)
            case "battle-sheet":
                from laager.rules.platoon_leader.sheets.battle import battle_sheets

                return battle_sheets(cg, side)
            case "play-status":
                return (forms.special_rules(cg),)
            case "battle-report" | "patrols" | "redeployment":
                return (forms.order_of_battle(cg, side),)
            case "agreements":
                return (forms.about(cg),)
            case _:
                return ()

    def layers(self, cg: Cg) -> Layers:
        """Return what the viewer sees on the map."""
        from laager.rules.platoon_leader.sheets.view import layers

        return layers(cg)


RULESET = PlatoonLeader()
