"""What can happen in every campaign on a board: to units, to the board, to what stands on the rosters.

Facts about a unit go to those who may know the unit (`unit.audience`), facts about a side's points and groups
to that side alone, unless the rules make them public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import field_validator

from laager.base.counting import count_of
from laager.campaign import UMPIRE, Fact
from laager.campaign.answer_words import in_words
from laager.campaign.house import HOUSE
from laager.hexmap.terrain import RUBBLE
from laager.rules.board.sentences import MARK_WORDS, PLACE_WORDS, say_change
from laager.rules.board.state import BoardStateT, evolve
from laager.rules.board.units import Fort, GroupLine, Mark, Place, Unit

# Units --------------------------------------------------------------------------------------------


class UnitJoined(Fact):
    """A unit came into a side's OB."""

    unit: Unit

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it."""
        state = state.with_new_unit(self.unit)
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
        return unit.but(group="", setup=(), since=1, fought=False)

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it as known; its owner's record keeps what the counter does not show."""
        known = self.unit.but(known=True)
        held = state.units.get(known.id)
        if held is not None:
            known = known.but(group=held.group, setup=held.setup, since=held.since, fought=held.fought)
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
        """Strike it from the enemy's list; its owner keeps it. Who is with it, is with nobody that the enemy knows."""
        if state.viewer in (UMPIRE, self.side):
            return state.with_unit(self.unit, lambda u: u.but(known=False))
        units = {
            name: unit.but(with_unit="") if unit.with_unit == self.unit else unit
            for name, unit in state.units.items()
            if name != self.unit
        }
        return evolve(state, units=units)

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
        return state.with_unit(self.unit, self._move)

    def _move(self, unit: Unit) -> Unit:
        at, stood = self.at, None
        if self.place is Place.POOL:
            at, stood = None, self.at or unit.spot
        return unit.but(at=at, stood=stood, place=self.place, mlr=self.mlr)

    def tell(self) -> str:
        """Say where it is now."""
        if self.place is Place.MAP:
            return f"{self.unit} is now in {self.at}"
        return f"{self.unit} {PLACE_WORDS[self.place]}"


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
        words = [MARK_WORDS[mark][0] for mark in sorted(self.add)]
        words += [MARK_WORDS[mark][1] for mark in sorted(self.remove)]
        return f"{self.unit} {', '.join(words)}"


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
        """Say what it is now, and how it became that."""
        return f"{self.unit} becomes {self.type} ({self.how})"


class UnitNamed(Fact):
    """A unit has another name: the letter on its counter, or a leader's own."""

    unit: str
    name: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Write the name."""
        return state.with_unit(self.unit, lambda u: u.but(name=self.name))


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
        """Say who loses it, or what became of it."""
        if self.place in {Place.ELIMINATED, Place.CAPTURED}:
            return f"{self.side} loses {self.type} ({self.unit}){', captured' if self.place is Place.CAPTURED else ''}"
        return f"{self.type} ({self.unit}) {PLACE_WORDS[self.place]}"


class UnitAttached(Fact):
    """A unit is with another: possessed by it, riding it, guarded by it; "" for none."""

    unit: str
    to_unit: str = ""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set what it is with."""
        return state.with_unit(self.unit, lambda u: u.but(with_unit=self.to_unit))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} is with {self.to_unit}" if self.to_unit else f"{self.unit} is with nobody any more"


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
        return f"{count_of(len(self.units), 'unit')} of {self.side} fought"


# The board ----------------------------------------------------------------------------------------


class FortJoined(Fact):
    """A fortification was bought, or became known to the other side."""

    fort: Fort

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it."""
        forts: Mapping[str, Fort] = {**state.forts, self.fort.id: self.fort}
        side = state.side(self.fort.side)
        fresh = self.fort.id not in state.forts
        state = evolve(state, forts=forts)
        return state.with_side(self.fort.side, next_fort=side.next_fort + 1) if fresh else state

    def tell(self) -> str:
        """Say it in a line."""
        fort = self.fort
        return f"{fort.side} has {fort.label} in {fort.at}" if fort.at else f"{fort.side} has {fort.label}"


class FortGone(Fact):
    """A fortification is no longer there."""

    fort: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Strike it."""
        return evolve(state, forts={k: f for k, f in state.forts.items() if k != self.fort})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.fort} is gone"


class ControlChanged(Fact):
    """Strategic Locations have another controller ("" for nobody)."""

    side: str
    locations: tuple[str, ...]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note who Controls them."""
        control = {k: v for k, v in state.ground.control.items() if k not in self.locations}
        if self.side:
            control |= dict.fromkeys(self.locations, self.side)
        return state.with_ground(control=control)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side or 'nobody'} Controls {', '.join(self.locations)}"


class FireChanged(Fact):
    """Flames and Blazes as they are now, and hexes burnt down (PL 3.31)."""

    flames: frozenset[str]
    blazes: frozenset[str]
    burnt: frozenset[str] = frozenset()

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set them."""
        burnt = state.ground.burnt | self.burnt
        return state.with_ground(flames=self.flames, blazes=self.blazes, burnt=burnt)

    def tell(self) -> str:
        """Say it in a line."""
        parts = [f"Flames {', '.join(sorted(self.flames))}"] if self.flames else []
        parts += [f"Blazes {', '.join(sorted(self.blazes))}"] if self.blazes else []
        parts += [f"burnt down {', '.join(sorted(self.burnt))}"] if self.burnt else []
        return "; ".join(parts) or "no fire is left"


class TerrainChanged(Fact):
    """A lasting change of terrain in a Location (PL CG5); `gone` undoes one (clearance)."""

    at: str
    what: str
    gone: bool = False

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note it; cleared rubble leaves no building behind, but Open Ground."""
        ground = state.ground
        here = ground.changes.get(self.at, frozenset())
        here = here - {self.what} if self.gone else here | {self.what}
        cleared = ground.cleared
        if self.what == RUBBLE:
            cleared = cleared | {self.at} if self.gone else cleared - {self.at}
        return state.with_ground(changes={**ground.changes, self.at: here}, cleared=cleared)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.what} in {self.at} is cleared" if self.gone else f"there is {self.what} in {self.at}"


# The rosters --------------------------------------------------------------------------------------


class SideNumber(Fact):
    """A side's number rose or fell: the base of all facts about one."""

    side: str
    by: int
    number: ClassVar[str]
    """The field of the side's numbers."""
    title: ClassVar[str]
    """What players call it."""
    spent: ClassVar[bool] = False
    """True if the side gets and spends it."""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to it."""
        return state.with_side(self.side, **{self.number: getattr(state.side(self.side), self.number) + self.by})

    def tell(self) -> str:
        """Say it in a line."""
        if self.spent:
            title = self.title.removesuffix("s") if abs(self.by) == 1 else self.title
            return f"{self.side} {'spends' if self.by < 0 else 'gets'} {abs(self.by)} {title}"
        return f"{self.title} of {self.side} {'falls' if self.by < 0 else 'rises'} by {abs(self.by)}"


class ElrChanged(SideNumber):
    """A side's ELR rose or fell."""

    number = "elr"
    title = "ELR"


class SanChanged(SideNumber):
    """A side's SAN rose or fell; what is told to its own side alone the enemy learns when the SAN is announced."""

    number = "san"
    title = "SAN"

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to it."""
        state = super().apply(state)
        if self.to is None:
            return state
        return state.with_side(self.side, secret_san=state.side(self.side).secret_san + self.by)


class CvpScored(Fact):
    """A side scored CVP, in the present battle unless another is named."""

    side: str
    points: int
    firefight: int | None = None
    """A past battle to which they are added on the roster only (PL 3.11: losses of 2.5)."""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to its tally."""
        return state.with_cvp(self.side, self.points, self.firefight)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} scores {self.points} CVP"


class Noted(Fact):
    """Something the players resolved themselves, in their words, under a rule."""

    text: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add it to the notes."""
        return evolve(state, notes=(*state.notes, self.text))

    def tell(self) -> str:
        """Give the text itself."""
        # Logs keep the text as it was said once.
        return self.text.replace(" leaves its units on the map", " leave their units on the map")


class Agreed(Fact):
    """The players agreed on something (balance, historical variables, Redeployment Option …)."""

    about: str
    value: Any
    said: str = ""
    """The value as people read it, where it holds ids."""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Keep it."""
        return state.with_agreed(self.about, self.value)

    def tell(self) -> str:
        """Say it in a line."""
        about, value = self.about.replace("-", " "), self.said or in_words(self.value)
        return f"agreed: {about} {value}"


class MassacreInvoked(Fact):
    """A side invoked Massacre (A20.4); it stays in force for the campaign (PL CG9)."""

    side: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Flag it."""
        return state.with_side(self.side, massacre=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} invokes Massacre"


class CampaignEnded(Fact):
    """The campaign is decided (PL 1.3): the winner ("" for a draw) and how."""

    winner: str
    ending: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Close the campaign."""
        over = type(state.round)("over")
        return evolve(state, winner=self.winner, ending=ending_in_words(self.ending), round=over, done=())

    def tell(self) -> str:
        """Say it in a line."""
        return f"the campaign is over: {self.winner or 'nobody'} wins; {ending_in_words(self.ending)}"


def ending_in_words(ending: str) -> str:
    """Return how a campaign ended, for players: logs have what counts as the card does, in capitals."""
    counted, _, points = ending.partition(": ")
    if counted == "FIREFIGHTS":
        return f"Firefights won: {points}"
    return f"TVP and CVP: {points}" if counted == "TVP+CVP" else ending


class HouseRulesChanged(Fact):
    """By a ruling these house rules hold from now on, and no others; empty: the rules as printed."""

    house: dict[str, Any]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note them; they take the place of those with which the campaign began."""
        return state.with_agreed(HOUSE, self.house)

    def tell(self) -> str:
        """Say which clauses they change."""
        clauses = ", ".join(self.house.get("rules", ()))
        return f"house rules from now on: {clauses}" if clauses else "from now on the rules hold as printed"


# Groups -------------------------------------------------------------------------------------------


class GroupChanged(Fact):
    """Something on a group's line was settled or changed: its strength, equipment, use or loss."""

    side: str
    group: str
    changes: dict[str, Any]

    @classmethod
    def of(cls, group: GroupLine, why: str, rule: str = "", **changes: Any) -> Self:
        """Return what changes on a group's line, as its own side's secret."""
        return cls(side=group.side, group=group.id, changes=changes, rule=rule, why=why, to=(group.side,))

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Write it on the line."""
        return state.with_group(self.side, self.group, **self.changes)

    def tell(self) -> str:
        """Say it in a line."""
        changes = (say_change(name, value) for name, value in self.changes.items())
        return f"{self.side} {self.group}: {'; '.join(changes)}"
