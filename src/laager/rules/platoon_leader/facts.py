"""What can happen in a Platoon Leader campaign. Each fact knows what it does to the state.

Facts about a unit go to those who may know the unit (`unit.audience`); facts about a side's points
and purchases go to that side alone, unless the rules make them public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from laager.campaign.facts import UMPIRE, Fact
from laager.rules.platoon_leader.state import Fight, Line, PlState, Round, Type
from laager.rules.platoon_leader.units import Fort, Group, Mark, Place, Unit

# The campaign -----------------------------------------------------------------------------------


class CampaignBegun(Fact):
    """The campaign stands as its card has it (PL 1.1); numbers per side."""

    elr: dict[str, int]
    san: dict[str, int]
    cp: dict[str, int]
    agreed: dict[str, Any] = {}

    def apply(self, state: PlState) -> PlState:
        """Set the starting numbers."""
        for side in self.elr:
            state = state.with_side(side, elr=self.elr[side], san=self.san[side], cp=self.cp[side])
        return replace(state, agreed={**state.agreed, **self.agreed})


class Agreed(Fact):
    """The players agreed on something (historical variables, redeployment option …)."""

    about: str
    value: Any

    def apply(self, state: PlState) -> PlState:
        """Keep it; the redeployment option has a place of its own."""
        if self.about == "option":
            return replace(state, option=str(self.value))
        return replace(state, agreed={**state.agreed, self.about: self.value})


class WeatherSet(Fact):
    """The weather of the firefight (PL 2.2)."""

    weather: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(weather=self.weather)


class Noted(Fact):
    """Something the players resolved themselves, in their words, under a rule."""

    text: str

    def apply(self, state: PlState) -> PlState:
        """Add it to the notes."""
        return replace(state, notes=(*state.notes, self.text))

    def tell(self) -> str:
        """Give the text itself."""
        return self.text


class RoundBegun(Fact):
    """Another list of steps begins: new firefight, reorganization, Idle, or the campaign's end."""

    round: Round
    firefight: int | None = None

    def apply(self, state: PlState) -> PlState:
        """Begin the list; a new firefight files the old one and clears what belonged to it."""
        state = replace(state, round=self.round, done=())
        if self.firefight is None or self.firefight == state.fight.number:
            return state
        state = replace(state, past=(*state.past, state.fight), fight=Fight(number=self.firefight))
        for side in state.sides:
            state = state.with_side(
                side,
                cvp=0,
                attack=False,
                patrols=0,
                leaders_lost=0,
                platoons={},
                bought_now={},
                tvp_now=0,
            )
        return state


class CampaignEnded(Fact):
    """The campaign is decided (PL 1.3): the winner ("" for a draw) and how."""

    winner: str
    ending: str

    def apply(self, state: PlState) -> PlState:
        """Close the campaign."""
        return replace(state, winner=self.winner, ending=self.ending, round=Round.OVER, done=())


# Points -----------------------------------------------------------------------------------------


class CpChanged(Fact):
    """A side gained or spent CP."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its balance."""
        return state.with_side(self.side, cp=state.side(self.side).cp + self.by)


class FpChanged(Fact):
    """A side gained or spent FP (PL 2.38)."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its balance."""
        return state.with_side(self.side, fp=state.side(self.side).fp + self.by)


class ElrChanged(Fact):
    """A side's ELR rose or fell (PL 3.47)."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its ELR."""
        return state.with_side(self.side, elr=state.side(self.side).elr + self.by)


class SanChanged(Fact):
    """A side's SAN rose or fell (PL 2.3, 3.51, or in play)."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its SAN."""
        return state.with_side(self.side, san=state.side(self.side).san + self.by)


class CvpScored(Fact):
    """A side scored CVP in the present firefight (PL 1.31, 3.11)."""

    side: str
    points: int
    firefight: int | None = None
    """A past firefight to which they are added on the roster only (PL 3.11: losses of 2.5)."""

    def apply(self, state: PlState) -> PlState:
        """Add to its tally."""
        if self.firefight is not None and self.firefight != state.fight.number:
            return replace(state, past=tuple(self._added(fight) for fight in state.past))
        return state.with_side(self.side, cvp=state.side(self.side).cvp + self.points)

    def _added(self, fight: Fight) -> Fight:
        if fight.number != self.firefight:
            return fight
        return replace(
            fight, cvp={**fight.cvp, self.side: fight.cvp.get(self.side, 0) + self.points}
        )


class TvpAwarded(Fact):
    """A side was awarded TVP for the Locations it Controls (PL 3.33)."""

    side: str
    points: int
    locations: tuple[str, ...] = ()

    def apply(self, state: PlState) -> PlState:
        """Add to its CG TVP total."""
        return state.with_side(
            self.side, tvp=state.side(self.side).tvp + self.points, tvp_now=self.points
        )


# Purchases --------------------------------------------------------------------------------------


class GroupJoined(Fact):
    """A reinforcement group was bought, or given by the OB. CP are told by CpChanged."""

    group: Group
    platoons: int = 0
    troops: str = ""

    def apply(self, state: PlState) -> PlState:
        """Write it on the Purchase Record."""
        group = self.group
        state = replace(state, groups={**state.groups, (group.side, group.id): group})
        if group.given:
            return state
        side = state.side(group.side)
        counts = {**side.bought, group.rg: side.bought.get(group.rg, 0) + 1}
        now = {**side.bought_now, group.rg: side.bought_now.get(group.rg, 0) + 1}
        classes = dict(side.platoons)
        if self.platoons:
            classes[self.troops] = classes.get(self.troops, 0) + self.platoons
        return state.with_side(group.side, bought=counts, bought_now=now, platoons=classes)


class GroupChanged(Fact):
    """Something about a group was settled: OBA ammunition, equipment, use, loss, setup right."""

    side: str
    group: str
    changes: dict[str, Any]

    def apply(self, state: PlState) -> PlState:
        """Write it on the group's line."""
        group = state.groups.get((self.side, self.group))
        if group is None:
            return state
        changed = Group.model_validate({**group.model_dump(), **self.changes})
        return replace(state, groups={**state.groups, (self.side, self.group): changed})


class AttackOptionTaken(Fact):
    """A side has the Attack Option of the present firefight, bought or assigned (PL 1.4, 2.4)."""

    side: str
    assigned: bool = False

    def apply(self, state: PlState) -> PlState:
        """Flag it."""
        return state.with_side(self.side, attack=True)


class PatrolsChanged(Fact):
    """A side bought Patrols (PL 2.31), or used or lost them."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to the Patrols left."""
        return state.with_side(self.side, patrols=state.side(self.side).patrols + self.by)


class FirefightDetermined(Fact):
    """Both sides announced, and the kind of firefight follows (PL 2.4, 2.41)."""

    type: Type
    elr: dict[str, int]
    san: dict[str, int]
    attacked: dict[str, bool]
    attacker: str = ""
    sets_up_first: str = ""
    moves_first: str = ""

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster; the flags are public from now on."""
        for side, flag in self.attacked.items():
            state = state.with_side(side, attack=flag, elr=self.elr[side], san=self.san[side])
        return state.with_fight(
            type=self.type,
            elr=self.elr,
            san=self.san,
            attacked=self.attacked,
            attacker=self.attacker,
            sets_up_first=self.sets_up_first,
            moves_first=self.moves_first,
        )


class MoverDecided(Fact):
    """The second dr of a Dual Attack: who moves first, and so counts as attacker (PL 2.41, 2.5)."""

    side: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(moves_first=self.side, attacker=self.side)


# Units ------------------------------------------------------------------------------------------


class UnitJoined(Fact):
    """A unit came into a side's OB."""

    unit: Unit

    def apply(self, state: PlState) -> PlState:
        """List it."""
        state = replace(state, units={**state.units, self.unit.id: self.unit})
        return state.with_side(self.unit.side, next_unit=state.side(self.unit.side).next_unit + 1)

    def tell(self) -> str:
        """Name unit and group."""
        return f"{self.unit.label} joins {self.unit.group}".strip()


class UnitRevealed(Fact):
    """The enemy learns of a unit: all that the record says of it."""

    unit: Unit

    def apply(self, state: PlState) -> PlState:
        """List it as known."""
        known = self.unit.model_copy(update={"known": True})
        return replace(state, units={**state.units, known.id: known})


class UnitHidden(Fact):
    """A unit is out of the enemy's knowledge again (concealed at setup, off the map)."""

    unit: str
    side: str

    def apply(self, state: PlState) -> PlState:
        """Strike it from the enemy's list; its owner keeps it."""
        if state.viewer in (UMPIRE, self.side):
            return state.with_unit(self.unit, lambda u: u.model_copy(update={"known": False}))
        return replace(state, units={k: u for k, u in state.units.items() if k != self.unit})


class UnitMoved(Fact):
    """A unit stands elsewhere now: a Location on the map, or a place off it."""

    unit: str
    at: str | None = None
    place: Place = Place.MAP
    mlr: str = ""

    def apply(self, state: PlState) -> PlState:
        """Set Location and place."""
        update = {"at": self.at, "place": self.place, "mlr": self.mlr}
        return state.with_unit(self.unit, lambda u: u.model_copy(update=update))


class UnitMarked(Fact):
    """Markers were put on a unit, or taken off."""

    unit: str
    add: frozenset[Mark] = frozenset()
    remove: frozenset[Mark] = frozenset()

    def apply(self, state: PlState) -> PlState:
        """Change its markers."""
        return state.with_unit(
            self.unit, lambda u: u.model_copy(update={"marks": (u.marks | self.add) - self.remove})
        )


class UnitChanged(Fact):
    """A unit became another type: Reduced, Replaced, Battle Hardened, promoted, demoted."""

    unit: str
    type: str
    kind_of_unit: str
    how: str

    def apply(self, state: PlState) -> PlState:
        """Exchange the counter."""
        update = {"type": self.type, "kind": self.kind_of_unit}
        return state.with_unit(self.unit, lambda u: u.model_copy(update=update))


class UnitNamed(Fact):
    """A unit has another name: the letter on its counter, or a leader's own."""

    unit: str
    name: str

    def apply(self, state: PlState) -> PlState:
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

    def apply(self, state: PlState) -> PlState:
        """Set it aside; what it carried lies where it stood."""
        state = state.with_unit(
            self.unit, lambda u: u.model_copy(update={"place": self.place, "with_unit": ""})
        )
        if self.lost_leader:
            state = state.with_side(self.side, leaders_lost=state.side(self.side).leaders_lost + 1)
        return state


class UnitAttached(Fact):
    """A unit is with another: possessed by it, riding it, guarded by it; "" for none."""

    unit: str
    to_unit: str = ""

    def apply(self, state: PlState) -> PlState:
        """Set what it is with."""
        return state.with_unit(
            self.unit, lambda u: u.model_copy(update={"with_unit": self.to_unit})
        )


class UnitFought(Fact):
    """Units took part in the firefight (PL 2.37); told to their side."""

    side: str
    units: tuple[str, ...]

    def apply(self, state: PlState) -> PlState:
        """Note it."""
        for unit in self.units:
            state = state.with_unit(unit, lambda u: u.model_copy(update={"fought": True}))
        return state


# The board --------------------------------------------------------------------------------------


class FortJoined(Fact):
    """A fortification was bought, or became known to the other side."""

    fort: Fort

    def apply(self, state: PlState) -> PlState:
        """List it."""
        forts: Mapping[str, Fort] = {**state.forts, self.fort.id: self.fort}
        side = state.side(self.fort.side)
        fresh = self.fort.id not in state.forts
        state = replace(state, forts=forts)
        return state.with_side(self.fort.side, next_fort=side.next_fort + 1) if fresh else state


class FortGone(Fact):
    """A fortification is no longer there."""

    fort: str

    def apply(self, state: PlState) -> PlState:
        """Strike it."""
        return replace(state, forts={k: f for k, f in state.forts.items() if k != self.fort})


class ControlChanged(Fact):
    """Strategic Locations have another controller ("" for nobody)."""

    side: str
    locations: tuple[str, ...]

    def apply(self, state: PlState) -> PlState:
        """Note who Controls them."""
        control = {k: v for k, v in state.ground.control.items() if k not in self.locations}
        if self.side:
            control |= dict.fromkeys(self.locations, self.side)
        return state.with_ground(control=control)


class CrestTaken(Fact):
    """A Military Crest as a whole has another controller (PL 1.4 Military Crest)."""

    crest: str
    side: str

    def apply(self, state: PlState) -> PlState:
        """Note it."""
        return state.with_ground(crests={**state.ground.crests, self.crest: self.side})


class FireChanged(Fact):
    """Flames and Blazes as they are now, and hexes burnt down (PL 3.31)."""

    flames: frozenset[str]
    blazes: frozenset[str]
    burnt: frozenset[str] = frozenset()

    def apply(self, state: PlState) -> PlState:
        """Set them."""
        burnt = state.ground.burnt | self.burnt
        return state.with_ground(flames=self.flames, blazes=self.blazes, burnt=burnt)


class TerrainChanged(Fact):
    """A lasting change of terrain in a Location (PL CG5); `gone` undoes one (clearance)."""

    at: str
    what: str
    gone: bool = False

    def apply(self, state: PlState) -> PlState:
        """Note it."""
        here = state.ground.changes.get(self.at, frozenset())
        here = here - {self.what} if self.gone else here | {self.what}
        return state.with_ground(changes={**state.ground.changes, self.at: here})


class FrontDrawn(Fact):
    """The front was drawn: clusters, MLR, No Man's Land follow from this (PL GEO). Public."""

    stage: str
    controlled: dict[str, tuple[str, ...]]
    ground: dict[str, str]
    links: dict[str, tuple[Any, ...]] | None = None

    def apply(self, state: PlState) -> PlState:
        """Keep what the drawing is made from."""
        line = Line(state.fight.number, self.stage, self.controlled, self.ground, self.links)
        return replace(state, line=line)


# Firefights -------------------------------------------------------------------------------------


class PlayEnded(Fact):
    """The firefight's play is over (PL CG2, 2.9)."""

    turn: int
    last_player: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(last_turn=self.turn, last_player=self.last_player, play_ended=True)


class FirefightWon(Fact):
    """The winner of the firefight is fixed (PL 1.31); "" if nobody could win."""

    winner: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster with the tallies."""
        sides = state.sides
        return state.with_fight(
            winner=self.winner,
            cvp={side: s.cvp for side, s in sides.items()},
            tvp={side: s.tvp_now for side, s in sides.items()},
        )


class FirefightCompleted(Fact):
    """The firefight and its Reorganization Phase are over (PL 1.4 CG Firefight End)."""

    idle: bool = False

    def apply(self, state: PlState) -> PlState:
        """Count it since the last Idle one, or begin the count anew; file the final tallies."""
        since = 0 if self.idle else state.since_idle + 1
        state = replace(state, since_idle=since)
        return state.with_fight(
            completed=True, cvp={side: s.cvp for side, s in state.sides.items()}
        )


class MassacreInvoked(Fact):
    """A side invoked Massacre; it stays in force for the campaign (PL CG9)."""

    side: str

    def apply(self, state: PlState) -> PlState:
        """Flag it."""
        return state.with_side(self.side, massacre=True)


def all_facts() -> dict[str, type[Fact]]:
    """Return every kind of fact of this ruleset by name."""
    here = [cls for cls in globals().values() if isinstance(cls, type) and issubclass(cls, Fact)]
    return {cls.kind: cls for cls in here if cls is not Fact}
