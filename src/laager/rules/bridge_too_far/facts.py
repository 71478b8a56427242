"""What happens in A Bridge Too Far alone."""

from __future__ import annotations

from laager.campaign import Fact
from laager.rules.board.state import evolve
from laager.rules.bridge_too_far.state import AbtfState, Headquarters


class WalkingWoundedBoxed(Fact):
    """British MMC lost in play lie in the Walking Wounded box, by type."""

    lost: dict[str, int]

    def apply(self, state: AbtfState) -> AbtfState:
        """Add them to the box."""
        box = {kind: state.ww_box.get(kind, 0) + n for kind, n in self.lost.items()}
        return evolve(state, ww_box={**state.ww_box, **box})

    def tell(self) -> str:
        """Return it as a line of the log."""
        counts = ", ".join(f"{count} x {kind}" for kind, count in self.lost.items())
        return f"into the Walking Wounded box: {counts}"


class WalkingWoundedBoxEmptied(Fact):
    """What is left in the Walking Wounded box is discarded, for no CVP."""

    def apply(self, state: AbtfState) -> AbtfState:
        """Empty it."""
        return evolve(state, ww_box={})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return "the Walking Wounded box is emptied"


class ModulesUsed(Fact):
    """The OBA modules that a side had in play in the scenario of a CG Date. Known to that side."""

    side: str
    date: int
    modules: tuple[str, ...]

    def apply(self, state: AbtfState) -> AbtfState:
        """Count them for that date."""
        return evolve(state, usage={**state.usage, (self.side, self.date): self.modules})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.side} OBA modules in play: {', '.join(self.modules)}"


class HeadquartersNamed(Fact):
    """The British named their Headquarters, or said that no building can be it. Known to them alone."""

    building: str
    hexes: tuple[str, ...]

    def apply(self, state: AbtfState) -> AbtfState:
        """Note it."""
        return evolve(state, headquarters=Headquarters(self.building, self.hexes))

    def tell(self) -> str:
        """Return it as a line of the log."""
        if not self.hexes:
            return "there is no British Headquarters"
        return f"British Headquarters: {self.building} ({', '.join(self.hexes)})"


class HeadquartersRevealed(Fact):
    """A unit used the Headquarters' benefit: everybody knows the building now."""

    building: str
    hexes: tuple[str, ...]

    def apply(self, state: AbtfState) -> AbtfState:
        """Make it known."""
        return evolve(state, headquarters=Headquarters(self.building, self.hexes), headquarters_known=True)

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"the British Headquarters is {self.building} ({', '.join(self.hexes)})"


class ReinforcementsReleased(Fact):
    """The reinforcements of a German Scenario Defender may enter in the present night scenario."""

    def apply(self, state: AbtfState) -> AbtfState:
        """Note it for this date."""
        return evolve(state, released_on=state.number)

    def tell(self) -> str:
        """Return it as a line of the log."""
        return "German reinforcements are released"


class ShortageNoted(Fact):
    """The British shortage level of the date for the CG Roster, and that before the roll."""

    before: int
    level: int

    def apply(self, state: AbtfState) -> AbtfState:
        """Put it on the roster."""
        levels = {**state.shortage, state.number: self.level}
        return evolve(state, shortage=levels, shortage_before=self.before)

    def tell(self) -> str:
        """Return it as a line of the log."""
        was = "no change" if self.level == self.before else f"it was {self.before}"
        return f"on the CG Roster: British Ammunition Shortage level {self.level} ({was})"


class VehicleRecorded(Fact):
    """What a side notes of its vehicle or Gun: optional equipment, removed armament, a status."""

    unit: str
    about: str
    text: str

    def apply(self, state: AbtfState) -> AbtfState:
        """Keep it; without a text the note is deleted."""
        notes = {**state.records.get(self.unit, {}), self.about: self.text}
        left = {about: text for about, text in notes.items() if text}
        records = {unit: unit_notes for unit, unit_notes in state.records.items() if unit != self.unit}
        return evolve(state, records={**records, self.unit: left} if left else records)

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.unit} {self.about}: {self.text or 'nothing'}"
