"""What happens in Edson's Ridge alone."""

from __future__ import annotations

from typing import Any

from laager.campaign import Fact
from laager.rules.board.state import evolve
from laager.rules.edsons_ridge.state import Barrage, ErState, PlottedBombardment


class ReconRolled(Fact):
    """How many Locations a side may inspect on this date. Known to that side."""

    side: str
    locations: int

    def apply(self, state: ErState) -> ErState:
        """Put it on the roster."""
        return evolve(state, recon={**state.recon, (self.side, state.number): self.locations})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.side} Recon: {self.locations} Locations"


class LocationInspected(Fact):
    """A side inspected a Location: what it found, as both know it."""

    side: str
    at: str
    found: tuple[str, ...] = ()

    def apply(self, state: ErState) -> ErState:
        """Note that it has been named."""
        known = (*state.inspected.get(state.number, ()), (self.side, self.at))
        return evolve(state, inspected={**state.inspected, state.number: known})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.side} inspects {self.at}: {', '.join(self.found) or 'nothing is there'}"


class BlastAreaRecorded(Fact):
    """The Blast Area of an FPF Barrage is recorded, in the open, before any setup."""

    barrage: Barrage

    def apply(self, state: ErState) -> ErState:
        """Add it to those of the scenario."""
        now = (*state.barrages_now(), self.barrage)
        return evolve(state, barrages={**state.barrages, state.number: now})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"FPF Barrage {self.barrage.number} recorded: {', '.join(self.barrage.hexes)}"


class BarrageChanged(Fact):
    """An FPF Barrage was laid down in play, or removed."""

    number: int
    changes: dict[str, Any]

    def apply(self, state: ErState) -> ErState:
        """Note what became of it."""
        barrages = tuple(
            Barrage.model_validate({**barrage.model_dump(), **self.changes})
            if barrage.number == self.number
            else barrage
            for barrage in state.barrages_now()
        )
        return evolve(state, barrages={**state.barrages, state.number: barrages})

    def tell(self) -> str:
        """Return it as a line of the log."""
        if self.changes.get("over"):
            return f"FPF Barrage {self.number} is removed"
        return f"FPF Barrage {self.number} is placed in turn {self.changes.get('placed', '?')}"


class BombardmentPlotted(Fact):
    """A Pre-Game Bombardment has been plotted, its immune hexes found."""

    bombardment: PlottedBombardment

    def apply(self, state: ErState) -> ErState:
        """Put it on the plotting sheet of the date."""
        now = (*state.bombardments.get(state.number, ()), self.bombardment)
        return evolve(state, bombardments={**state.bombardments, state.number: now})

    def tell(self) -> str:
        """Return it as a line of the log."""
        plot = self.bombardment
        return f"{plot.side} Bombardment of {' and '.join(plot.areas)}, {plot.mc}MC"


class Released(Fact):
    """Reinforcements held back at night may enter: a whole side's, or one group's."""

    who: str

    def apply(self, state: ErState) -> ErState:
        """Note it for the scenario."""
        now = state.released_now() | {self.who}
        return evolve(state, released={**state.released, state.number: now})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"reinforcements of {self.who} may enter"


class ReserveCountersPlaced(Fact):
    """Where a side's Reserve Cloaking counters stand, Dummies included; both sides see the counters."""

    side: str
    at: tuple[str, ...]

    def apply(self, state: ErState) -> ErState:
        """Note them; the old ones are gone."""
        return evolve(state, counters={**state.counters, self.side: self.at})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.side} Reserve counters: {', '.join(self.at) or 'none'}"


class ReserveDummyPlaced(Fact):
    """A Reserve Dummy counter of a group stands in a Location ("": no longer). Known to its side alone."""

    side: str
    group: str
    at: str

    def apply(self, state: ErState) -> ErState:
        """Note it."""
        others = {key: at for key, at in state.dummies.items() if key != (self.side, self.group)}
        return evolve(state, dummies={**others, (self.side, self.group): self.at} if self.at else others)

    def tell(self) -> str:
        """Return it as a line of the log."""
        place = f"in {self.at}" if self.at else "is gone"
        return f"the Reserve Dummy of {self.group} {place}"


class ReserveHeld(Fact):
    """A Reserve group found no place: it waits in a Holding Box until the next CG Date."""

    side: str
    group: str
    box: str

    def apply(self, state: ErState) -> ErState:
        """Note on which date it may not enter."""
        return evolve(state, held={**state.held, (self.side, self.group): state.number})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.group} waits in the Holding Box of Entry Area {self.box}"


class StatusNoted(Fact):
    """What a side notes of one of its vehicles or Guns instead of a marker; "" deletes the note."""

    unit: str
    text: str

    def apply(self, state: ErState) -> ErState:
        """Keep it."""
        others = {unit: text for unit, text in state.notes_on.items() if unit != self.unit}
        return evolve(state, notes_on={**others, self.unit: self.text} if self.text else others)

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.unit}: {self.text or 'nothing noted'}"


class DcSet(Fact):
    """The unit that is to set off a DC that was Set. Known to its side alone."""

    fort: str
    unit: str

    def apply(self, state: ErState) -> ErState:
        """Keep it."""
        return evolve(state, set_dc={**state.set_dc, self.fort: self.unit})

    def tell(self) -> str:
        """Return it as a line of the log."""
        return f"{self.unit} is to set off {self.fort}"
