"""The state of an Edson's Ridge campaign: the layer's, and what only this module keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from laager.rules.board.hasl.state import HaslState
from laager.rules.board.knowledge import Knowledge, Known
from laager.rules.board.units import RecordLine


class Barrage(RecordLine):
    """An FPF Barrage of a scenario: its Blast Area as recorded, and what became of it in play.

    `corners` are where its counters go; `placed` is the Game Turn in which it was laid down (0: not
    yet), `accurate` is True if it landed as planned, `over` once it has been removed.
    """

    number: int
    hexes: tuple[str, ...]
    corners: tuple[str, ...]
    area: str
    placed: int = 0
    accurate: bool = True
    over: bool = False


class PlottedBombardment(RecordLine):
    """A Pre-Game Bombardment as plotted: its areas by their corners, the MC, the immune hexes."""

    side: str
    areas: tuple[str, ...]
    mc: int
    immune: tuple[str, ...] = ()


@dataclass(frozen=True)
class ErState(HaslState):
    """All that a viewer knows of the campaign. What belongs to a CG Date is kept by its number.

    `recon` says how many Locations a side may inspect, `inspected` names those that it did. `barrages`,
    `bombardments` and `released` (sides, or groups by the reading, whose reinforcements may enter
    at night) are those of a date's scenario. `counters` are the Locations of Reserve counters that
    both see, `dummies` a side's Reserve Dummies by group. `held` are groups that found no place in
    Reserve, with the date on which they may not enter. `notes_on` is what a side has noted in
    secret of its vehicles and Guns, `set_dc` where each DC was Set and who sets it off.
    """

    recon: Mapping[tuple[str, int], int] = field(default_factory=dict)
    inspected: Mapping[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    barrages: Mapping[int, tuple[Barrage, ...]] = field(default_factory=dict)
    bombardments: Mapping[int, tuple[PlottedBombardment, ...]] = field(default_factory=dict)
    released: Mapping[int, frozenset[str]] = field(default_factory=dict)
    counters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dummies: Mapping[tuple[str, str], str] = field(default_factory=dict)
    held: Mapping[tuple[str, str], int] = field(default_factory=dict)
    notes_on: Mapping[str, str] = field(default_factory=dict)
    set_dc: Mapping[str, str] = field(default_factory=dict)

    knowledge: ClassVar[Mapping[str, Knowledge]] = {
        **HaslState.knowledge,
        **dict.fromkeys(("recon", "dummies", "held"), Known.BY_SIDE),
        "notes_on": Known.BY_UNIT,
        "set_dc": Known.BY_FORT,
    }

    def barrages_now(self) -> tuple[Barrage, ...]:
        """Return the FPF Barrages recorded for the present scenario."""
        return self.barrages.get(self.number, ())

    def inspected_by(self, side: str) -> tuple[str, ...]:
        """Return the Locations that a side has inspected on the present date."""
        return tuple(at for who, at in self.inspected.get(self.number, ()) if who == side)

    def recon_left(self, side: str) -> int:
        """Return how many Locations a side may still inspect on the present date."""
        return self.recon.get((side, self.number), 0) - len(self.inspected_by(side))

    def released_now(self) -> frozenset[str]:
        """Return the sides or groups that have been released in the present scenario."""
        return self.released.get(self.number, frozenset())
