"""What follows from the purchases: ELR, bonus, Equivalency, leaders, SW, reinforcements."""

from __future__ import annotations

from dataclasses import replace

from laager.campaign import Fact
from laager.rules.design_your_own.ob import Arrival, GroupShare, Leaders, SwEntry
from laager.rules.design_your_own.state import DyoState


class ReinforcementsNamed(Fact):
    """How many MMC of each line of Infantry enter as reinforcements (DYO H1.7).

    `numbers` has one number for each line of the Roster, in order, and `arrivals` the turns of
    each line where any is fixed.
    """

    side: str
    numbers: tuple[int, ...]
    arrivals: tuple[tuple[Arrival, ...], ...] = ()

    def apply(self, state: DyoState) -> DyoState:
        """Note them on the lines."""
        lines = state.ob(self.side).infantry
        arrivals = self.arrivals or ((),) * len(lines)
        changed = tuple(
            line.model_copy(update={"reinforcements": number, "arrivals": turns})
            for line, number, turns in zip(lines, self.numbers, arrivals, strict=False)
        )
        return state.with_ob(self.side, infantry=changed)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side}: {sum(self.numbers)} MMC enter as reinforcements"


class ElrAnnounced(Fact):
    """A side has announced the ELR of the greatest number of its squads (DYO H1.71, H1.72)."""

    side: str
    elr: int

    def apply(self, state: DyoState) -> DyoState:
        """Note it."""
        state = state.with_ob(self.side, announced_elr=self.elr)
        return replace(state, announced={**state.announced, self.side: self.elr})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} announces ELR {self.elr}"


class BonusDue(Fact):
    """How many free squads a side receives (DYO H1.71)."""

    side: str
    number: str

    def apply(self, state: DyoState) -> DyoState:
        """Note the bonus number."""
        return state.with_ob(self.side, bonus=self.number)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} is due {self.number} bonus squads"


class EquivalencyReckoned(Fact):
    """The Equivalent number of squads of each subsection (DYO H1.74)."""

    side: str
    elite: int
    line: int
    conscript: int

    def apply(self, state: DyoState) -> DyoState:
        """Write the Equiv # parentheses."""
        found = {"elite": self.elite, "line": self.line, "conscript": self.conscript}
        return state.with_ob(self.side, equivalents=found)

    def tell(self) -> str:
        """Say it in a line."""
        total = self.elite + self.line + self.conscript
        parts = f"{self.elite} elite, {self.line} line, {self.conscript} conscript"
        return f"{self.side} has {total} Equivalents: {parts}"


class LeadersSettled(Fact):
    """A side's leaders, as they now are (DYO H1.8, H1.81, H1.82).

    `contingent` is the nation of those who are not of the side's own.
    """

    side: str
    leaders: Leaders
    contingent: str = ""

    def apply(self, state: DyoState) -> DyoState:
        """Write them down."""
        if not self.contingent:
            return state.with_ob(self.side, leaders=self.leaders)
        known = state.ob(self.side).allied_leaders
        return state.with_ob(self.side, allied_leaders={**known, self.contingent: self.leaders})

    def tell(self) -> str:
        """Say it in a line."""
        held = ", ".join(f"{n} x {type_}" for type_, n in self.leaders.held.items() if n)
        whose = f" of the {self.contingent} contingent" if self.contingent else ""
        return f"{self.side} has {self.leaders.total} leaders{whose}: {held or 'none'}"


class SwAllotted(Fact):
    """The SW that a side receives (DYO H1.83)."""

    side: str
    sw: tuple[SwEntry, ...]

    def apply(self, state: DyoState) -> DyoState:
        """Write them down."""
        return state.with_ob(self.side, sw=self.sw)

    def tell(self) -> str:
        """Say it in a line."""
        got = ", ".join(f"{entry.number} {entry.type}" for entry in self.sw if entry.number)
        return f"{self.side} receives {got or 'no SW'}"


class ReinforcementShareTaken(Fact):
    """Which leaders and SW come with the reinforcements (DYO H1.84)."""

    side: str
    leaders: tuple[str, ...]
    sw: tuple[SwEntry, ...]
    groups: tuple[GroupShare, ...] = ()

    def apply(self, state: DyoState) -> DyoState:
        """Set them aside."""
        return state.with_ob(
            self.side, reinforcement_leaders=self.leaders, sw=self.sw, reinforcement_groups=self.groups
        )

    def tell(self) -> str:
        """Say it in a line."""
        leaders = ", ".join(self.leaders) or "no leader"
        sw = ", ".join(f"{e.reinforcement} {e.type}" for e in self.sw if e.reinforcement)
        return f"{self.side}: {leaders} and {sw or 'no SW'} come with the reinforcements"
