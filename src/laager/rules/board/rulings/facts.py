"""What a ruling can do that nothing in play does: write a field, strike a line, take something out of sight."""

from __future__ import annotations

from typing import Any

from laager.campaign import UMPIRE, Fact
from laager.rules.board.record import parts
from laager.rules.board.rulings.words import field_in_words, value_in_words
from laager.rules.board.state import BoardStateT, evolve
from laager.rules.board.units import Mark


class RecordChanged(Fact):
    """Fields of a line of the record were put right: `changes` has them as plain values, `was` as they were.

    `control[H7]` is one item of a mapping; None removes it.
    """

    part: str
    key: str = ""
    changes: dict[str, Any]
    was: dict[str, Any] = {}

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Write them; a viewer who doesn't know the line has nothing to write them on."""
        return parts.write(state, self.part, self.key, self.changes)

    def tell(self) -> str:
        """Say what was and what is."""
        said = (
            f"{field_in_words(self.part, name)} {value_in_words(self.was.get(name))} → {value_in_words(value)}"
            for name, value in self.changes.items()
        )
        return f"{line_in_words(self.part, self.key)}{'; '.join(said)}"

    def subject(self) -> tuple[str, str]:
        """Return what is counted of it: a unit, or an entry of the record."""
        return ("unit", self.key) if self.part == "units" else ("entry", f"{self.part} {self.key}")


class LineAdded(Fact):
    """A line that the record lacked: a Setup Area."""

    part: str
    values: dict[str, Any]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add it."""
        return parts.add(state, self.part, self.values)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.part}: {value_in_words(self.values)}"


class LineStruck(Fact):
    """A line of the record was a mistake and is struck: a group, a Setup Area."""

    part: str
    key: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Strike it."""
        return parts.remove(state, self.part, self.key)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{line_in_words(self.part, self.key)}struck from the record"

    def subject(self) -> tuple[str, str]:
        """Return what is counted of it: an entry of the record."""
        return "entry", f"{self.part} {self.key}"


class LoadSettled(Fact):
    """What a unit has goes where it went, or is left alone if it's gone: also what only its own side knows of.

    Of a unit of the enemy a side can't say what it carries. So this is told whenever it puts one right, whether or not
    there is anything.
    """

    unit: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Let its load follow, or leave it alone, as far as the viewer knows of it."""
        holder = state.units.get(self.unit)
        if holder is None:
            return state
        for item in [item for item in state.units.values() if item.with_unit == self.unit and item.in_play]:
            if not holder.in_play:
                unguarded = {Mark.UNGUARDED} if item.has(Mark.PRISONER) else set()
                marks = (item.marks | unguarded) - {Mark.HOOKED}
                left = item.but(with_unit="", marks=marks)
                state = state.with_unit(item.id, lambda _, left=left: left)  # type: ignore[misc]
            elif (item.place, item.at) != (holder.place, holder.at):
                moved = item.but(place=holder.place, at=holder.at, stood=holder.stood, mlr=holder.mlr)
                state = state.with_unit(item.id, lambda _, moved=moved: moved)  # type: ignore[misc]
                state = LoadSettled(unit=item.id).apply(state)
        return state

    def tell(self) -> str:
        """Say it in a line."""
        return f"what {self.unit} has goes along, or stays if it's gone"

    def subject(self) -> tuple[str, str]:
        """Return what is counted of it: the unit."""
        return "unit", self.unit


class FortHidden(Fact):
    """A fortification is out of the enemy's knowledge again."""

    fort: str
    side: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Strike it from the enemy's list; its owner keeps it."""
        if state.viewer in (UMPIRE, self.side):
            kept = {key: fort.but(hidden=True) if key == self.fort else fort for key, fort in state.forts.items()}
        else:
            kept = {key: fort for key, fort in state.forts.items() if key != self.fort}
        return evolve(state, forts=kept)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.fort} is out of sight"


def line_in_words(part: str, key: str) -> str:
    """Return how a line about a part of the record begins."""
    return f"{key.replace(':', ' ')}: " if key else ""
