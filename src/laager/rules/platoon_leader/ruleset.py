"""Platoon Leader as the engine and the players see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign import Context, Course, Fact, NewCampaign, Readings, Sheet, Step
from laager.rules.board.card.parts import SIDES, other
from laager.rules.platoon_leader.context import PACKAGE, Cg
from laager.rules.platoon_leader.facts import CampaignEnded, all_facts
from laager.rules.platoon_leader.sequence import SEQUENCES
from laager.rules.platoon_leader.sheets.view import describe
from laager.rules.platoon_leader.state import PlState, Round, empty_state

if TYPE_CHECKING:
    from laager.hexmap import HexMap
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


def _context(context: Context) -> Cg:
    assert isinstance(context, Cg)
    return context


class PlatoonLeader:
    """The ruleset `pl`."""

    id = "pl"
    title = "Platoon Leader 2.5"
    sides = SIDES
    package = PACKAGE

    def __init__(self) -> None:
        self.facts: Mapping[str, type[Fact]] = all_facts()
        self.steps: Mapping[str, Step] = SEQUENCES.steps

    # For the engine -----------------------------------------------------------------------------

    def context(self, opening: Mapping[str, Any]) -> Cg:
        """Return the context of a campaign."""
        return Cg(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> PlState:
        """Return the state before the first fact; the card's numbers come with CampaignBegun."""
        return empty_state(viewer)

    def next_step(self, state: PlState) -> Step | None:
        """Return the step that comes next."""
        return SEQUENCES.next_step(state)

    def step_done(self, state: PlState, step: str) -> PlState:
        """Tick a step off; the step that began another round belongs to the old one."""
        if step not in {due.id for due in SEQUENCES.of(state)}:
            return state
        return replace(state, done=(*state.done, step))

    def describe(self, state: PlState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        return describe(state)

    # For the players ----------------------------------------------------------------------------

    def read_card(self, path: Path, readings: Mapping[str, str]) -> NewCampaign:
        """Read a card, the files that it names and the readings chosen.

        Raises DataError with every problem. What it read is in the setting: a campaign needs no
        file but its own.
        """
        from laager.rules.board.card.files import CATALOGUE, recorded
        from laager.rules.platoon_leader.card.loading import load_card

        loaded = load_card(path)
        known = Readings.load_packaged(PACKAGE)
        problems = known.check(readings)
        if problems:
            raise DataError(problems)
        setting: dict[str, Any] = {
            "card": loaded.card.model_dump(mode="json", exclude_defaults=True),
            "map": loaded.map.to_data(),
            "readings": known.in_force({**loaded.card.readings, **readings}),
        }
        if loaded.catalogue:
            setting[CATALOGUE] = recorded(loaded.catalogue)
        warnings = tuple(str(warning) for warning in loaded.warnings)
        return NewCampaign(loaded.card.title, setting, warnings)

    def shipped_cards(self) -> Mapping[str, Path]:
        """Return the cards that come with Laager."""
        from laager.rules.platoon_leader.card.loading import shipped_cards

        return shipped_cards()

    def headline(self, context: Context, state: PlState) -> Sequence[str]:
        """Say which firefight it is, when, and how it stands."""
        cg = _context(context).seeing(state)
        if state.round is Round.OVER:
            who = f"won by the {cg.side(state.winner).name}" if state.winner else "nobody has won"
            return (f"The campaign is over, {who}. {state.ending}",)
        slot, fight = cg.slot, state.fight
        night = ", night" if slot.night else ""
        lines = [f"Firefight {fight.number} of {len(cg.card.firefights)}: {slot.date} {slot.time}{night}"]
        if state.round is Round.INITIAL and "beginning" not in state.done:
            return (*lines, "the campaign has not begun yet")
        if fight.type is not None:
            lines.append(f"{fight.type.value}; weather: {fight.weather or 'not yet known'}")
        for side in SIDES:
            own = state.side(side)
            lines.append(
                f"{cg.side(side).name} ({side}): CVP {own.cvp} in this firefight, TVP {own.tvp}, ELR {own.elr}"
            )
        return tuple(lines)

    def course(self, state: PlState) -> Course:
        """Return the list of steps that is being gone through."""
        return Course(ROUNDS[state.round], SEQUENCES.of(state), frozenset(state.done))

    def sheets(self, context: Context, state: PlState) -> Sequence[Sheet]:
        """Return roster, purchase record, fortifications and order of battle."""
        from laager.rules.platoon_leader.sheets.roster import sheets

        return sheets(_context(context).seeing(state))

    def beside(self, context: Context, state: PlState, key: str, side: str) -> Sequence[Sheet]:
        """Return the chart while buying, the fortifications while building, the OB otherwise."""
        from laager.rules.platoon_leader.sheets import roster as forms

        cg = _context(context).seeing(state)
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
            case "play-status":
                return (forms.special_rules(cg),)
            case "battle-report" | "patrols" | "redeployment":
                return (forms.order_of_battle(cg, side),)
            case "agreements":
                return (forms.about(cg),)
            case _:
                return ()

    def drawing(self, context: Context, state: PlState) -> tuple[HexMap, Layers]:
        """Return the map and what the viewer sees on it."""
        from laager.rules.platoon_leader.sheets.view import layers

        cg = _context(context).seeing(state)
        return cg.map, layers(cg)

    def moment(self, step: str) -> str:
        """Return the moment of a step's reminders."""
        return MOMENTS.get(step, "")

    def conceded(self, side: str | None) -> Fact:
        """Return the fact that a side concedes, or that both agree on a draw (PL 1.3)."""
        if side is None:
            return CampaignEnded(winner="", ending="a draw by agreement", rule="PL 1.3")
        return CampaignEnded(winner=other(side), ending=f"{side} conceded", rule="PL 1.3")


RULESET = PlatoonLeader()
