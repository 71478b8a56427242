"""What happens to units."""

from __future__ import annotations

from pydantic import field_validator

from laager.base.counting import some
from laager.campaign import UMPIRE, Fact
from laager.rules.board.state import BoardStateT, evolve
from laager.rules.board.units import Mark, Place, Unit


class UnitJoined(Fact):
    """A unit came into a side's OB."""

    unit: Unit

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it."""
        state = evolve(state, units={**state.units, self.unit.id: self.unit})
        return state.with_side(self.unit.side, next_unit=state.side(self.unit.side).next_unit + 1)

    def tell(self) -> str:
        """Name unit and group."""
        return f"{self.unit.label} joins {self.unit.group}".strip()


class UnitRevealed(Fact):
    """The enemy learns of a unit: all that its counter shows, nothing of the purchase record."""

    unit: Unit

    @field_validator("unit")
    @classmethod
    def _counter(cls, unit: Unit) -> Unit:
        return unit.but(group="", since=1, fought=False)

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it as known; its owner's record keeps what the counter does not show."""
        known = self.unit.but(known=True)
        held = state.units.get(known.id)
        if held is not None:
            known = known.but(group=held.group, since=held.since, fought=held.fought)
        return evolve(state, units={**state.units, known.id: known})

    def tell(self) -> str:
        """Say it in a line."""
        where = f" in {self.unit.at}" if self.unit.at else ""
        return f"{self.unit.side} reveals {self.unit.label}{where}"


class UnitHidden(Fact):
    """A unit is out of the enemy's knowledge again (concealed at setup, off the map)."""

    unit: str
    side: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Strike it from the enemy's list; its owner keeps it."""
        if state.viewer in (UMPIRE, self.side):
            return state.with_unit(self.unit, lambda u: u.but(known=False))
        return evolve(state, units={k: u for k, u in state.units.items() if k != self.unit})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} is out of sight"


class UnitMoved(Fact):
    """A unit stands elsewhere now: a Location on the map, or a place off it.

    With POOL, `at` is the Location that the record keeps for it; None is where it stood till now.
    """

    unit: str
    at: str | None = None
    place: Place = Place.MAP
    mlr: str = ""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set Location and place."""
        return state.with_unit(self.unit, self._moved)

    def _moved(self, unit: Unit) -> Unit:
        at, stood = self.at, None
        if self.place is Place.POOL:
            at, stood = None, self.at or unit.spot
        return unit.but(at=at, stood=stood, place=self.place, mlr=self.mlr)

    def tell(self) -> str:
        """Say it in a line."""
        where = self.at if self.place is Place.MAP else self.place.value
        return f"{self.unit} to {where}"


class UnitMarked(Fact):
    """Markers were put on a unit, or taken off."""

    unit: str
    add: frozenset[Mark] = frozenset()
    remove: frozenset[Mark] = frozenset()

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Change its markers."""
        return state.with_unit(self.unit, lambda u: u.but(marks=(u.marks | self.add) - self.remove))

    def tell(self) -> str:
        """Say it in a line."""
        signs = [f"+{mark.value}" for mark in sorted(self.add)]
        signs += [f"-{mark.value}" for mark in sorted(self.remove)]
        return f"{self.unit} {' '.join(signs)}"


class UnitChanged(Fact):
    """A unit became another type: Reduced, Replaced, Battle Hardened, promoted, demoted."""

    unit: str
    type: str
    kind_of_unit: str
    how: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Exchange the counter."""
        update = {"type": self.type, "kind": self.kind_of_unit}
        return state.with_unit(self.unit, lambda u: u.but(**update))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} {self.how}: {self.type}"


class UnitNamed(Fact):
    """A unit has another name: the letter on its counter, or a leader's own."""

    unit: str
    name: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Write the name."""
        return state.with_unit(self.unit, lambda u: u.model_copy(update={"name": self.name}))


class UnitGone(Fact):
    """A unit left the OB: eliminated, captured, evacuated, Recalled, removed. Public.

    `lost_leader` counts a leader among those lost in this firefight (PL 3.45).
    """

    unit: str
    side: str
    type: str
    place: Place
    lost_leader: bool = False

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set it aside; what it carried lies where it stood."""
        state = state.with_unit(self.unit, lambda u: u.but(place=self.place, with_unit=""))
        if self.lost_leader:
            state = state.with_side(self.side, leaders_lost=state.side(self.side).leaders_lost + 1)
        return state

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} {self.type} ({self.unit}) {self.place.value}"


class UnitAttached(Fact):
    """A unit is with another: possessed by it, riding it, guarded by it; "" for none."""

    unit: str
    to_unit: str = ""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set what it is with."""
        return state.with_unit(self.unit, lambda u: u.but(with_unit=self.to_unit))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} with {self.to_unit or 'nobody'}"


class UnitFought(Fact):
    """Units took part in the firefight (PL 2.37); told to their side."""

    side: str
    units: tuple[str, ...]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note it."""
        for unit in self.units:
            state = state.with_unit(unit, lambda u: u.but(fought=True))
        return state

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side}: {some(len(self.units), 'unit')} took part"
