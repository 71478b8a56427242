"""What can happen in a purchase. Each fact knows what it does to the state.

All that a side buys, and the dice for it, is for that side alone until its Roster is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from laager.base.files import FilePart
from laager.campaign import Fact
from laager.rules.board.units import fort_words
from laager.rules.design_your_own import ob
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.state import DyoState, GivenValue


class _OfSide(Fact):
    """Base of what happens to one side."""

    side: str


class _Line(_OfSide):
    """Base of what writes a line (`entry`) in a `section` of the order of battle."""

    section: ClassVar[str]
    entry: FilePart

    def apply(self, state: DyoState) -> DyoState:
        """Write the line."""
        return state.adding(self.side, self.section, self.entry)


class InfantryBought(_Line):
    """A line of Infantry has been recorded (DYO H1.21): bought, or received as a bonus."""

    section = "infantry"
    entry: ob.InfantryEntry

    def tell(self) -> str:
        """Say it in a line."""
        entry = self.entry
        marks = f" ({', '.join(entry.capabilities)})" if entry.capabilities else ""
        how = "receives as a bonus" if entry.purchase == "bonus" else "buys"
        price = "" if entry.purchase == "bonus" else f" for {entry.total}"
        return f"{self.side} {how} {entry.number} {entry.type}{marks}{price}"


class SanBought(_OfSide):
    """A side has raised its SAN (DYO H1.29)."""

    san: int
    cost: int

    def apply(self, state: DyoState) -> DyoState:
        """Note SAN and price."""
        return state.with_ob(self.side, san=self.san, san_cost=self.cost)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} raises the SAN to {self.san} for {self.cost}"


class AvailabilityRolled(_OfSide):
    """The Availability DR of a category, and the highest RF it allows (DYO H1.3, H1.4)."""

    category: str
    dr: ob.Dr
    rf: str

    def apply(self, state: DyoState) -> DyoState:
        """Keep the DR; it is never rolled again (DYO H1.13)."""
        return state.with_section(self.side, self.category, availability=self.dr)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} may have {self.category} of RF {self.rf} at most (DR {self.dr.final})"


class GunsBought(_Line):
    """Guns of one type have been bought, with their crews (DYO H1.3)."""

    section = "ordnance.guns"
    entry: ob.GunEntry

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} buys {self.entry.number} {self.entry.type} for {self.entry.total}"


class MotorizedPaid(_OfSide):
    """A side has paid the tenth that makes it a motorized unit (DYO H1.4)."""

    cost: int

    def apply(self, state: DyoState) -> DyoState:
        """Note the price."""
        return state.with_section(self.side, "vehicles", motorized=self.cost)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} is a motorized unit for {self.cost}"


class VehiclesBought(_Line):
    """A vehicle has been bought, with its crew (DYO H1.4)."""

    section = "vehicles.entries"
    entry: ob.VehicleEntry

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} buys {self.entry.type} {self.entry.id} for {self.entry.bpv}"


class ArmamentSettled(_OfSide):
    """Which optional armament a vehicle carries, by its DR or with all of its type (DYO H1.41)."""

    vehicle: str
    arms: tuple[ob.Arm, ...] = ()
    dr: ob.Dr | None = None
    automatic: bool = False
    disabled: tuple[str, ...] = ()

    def apply(self, state: DyoState) -> DyoState:
        """Arm it."""
        changes = {"arms": self.arms, "arms_dr": self.dr, "automatic": self.automatic, "disabled": self.disabled}
        return state.with_vehicle(self.side, self.vehicle, **changes)

    def tell(self) -> str:
        """Say it in a line."""
        arms = ", ".join(f"{arm.name} for {arm.cost}" for arm in self.arms) or "no option"
        return f"{self.side}, {self.vehicle}: {arms}"


class FittingsSettled(_OfSide):
    """True if an AFV has Schuerzen or a Gyrostabilizer (DYO H1.42)."""

    vehicle: str
    fittings: tuple[str, ...] = ()
    dr: ob.Dr
    cost: int = 0

    def apply(self, state: DyoState) -> DyoState:
        """Fit it."""
        changes = {"fittings": self.fittings, "fitting_dr": self.dr, "fitting_cost": self.cost}
        return state.with_vehicle(self.side, self.vehicle, **changes)

    def tell(self) -> str:
        """Say it in a line."""
        got = f"{' and '.join(self.fittings)} for {self.cost}" if self.fittings else "nothing"
        return f"{self.side}, {self.vehicle}: {got} (dr {self.dr.final})"


class ArmorLeaderSettled(_OfSide):
    """An Armor Leader DR for three AFV, and the leader it gave (DYO H1.43)."""

    trio: ob.Trio

    def apply(self, state: DyoState) -> DyoState:
        """Keep the DR, and seat the leader."""
        if self.trio.leader:
            state = state.with_vehicle(self.side, self.trio.vehicle, armor_leader=self.trio.leader)
        return state.adding(self.side, "vehicles.trios", self.trio)

    def tell(self) -> str:
        """Say it in a line."""
        trio = ", ".join(self.trio.vehicles)
        if not self.trio.leader:
            return f"{self.side}, {trio}: no Armor Leader (Final DR {self.trio.dr.final})"
        return f"{self.side}, {trio}: Armor Leader {self.trio.leader} in {self.trio.vehicle}"


class BatterySettled(_Line):
    """An OBA DR, and the battery it offered: bought or declined for good (DYO H1.5, H1.13)."""

    section = "oba"
    entry: ob.BatteryEntry

    def tell(self) -> str:
        """Say it in a line."""
        entry = self.entry
        if not entry.size:
            return f"{self.side}: no OBA (DR {entry.dr.final})"
        battery = f"{entry.text} OBA (DR {entry.dr.final})"
        if not entry.bought:
            return f"{self.side} does not buy {battery}"
        return f"{self.side} buys battery {entry.letter}, {battery}, for {entry.total}"


class AirSupportSettled(_OfSide):
    """The Air Support DR; Air Support was bought or not (DYO H1.531)."""

    entry: ob.AirEntry

    def apply(self, state: DyoState) -> DyoState:
        """Write the line."""
        return state.with_ob(self.side, air=self.entry)

    def tell(self) -> str:
        """Say it in a line."""
        held = f"DR {self.entry.dr.final} against {self.entry.number}"
        if not self.entry.bought:
            return f"{self.side} buys no Air Support ({held})"
        return f"{self.side} buys Air Support for {self.entry.cost} ({held})"


class OpTankTaken(_OfSide):
    """An OP tank has been bought for a battery, whose radio it carries (DYO H1.46)."""

    entry: ob.VehicleEntry

    def apply(self, state: DyoState) -> DyoState:
        """Write the vehicle's line, and let the battery be observed from it."""
        oba = tuple(
            battery.model_copy(update={"contact": "op-tank"}) if battery.letter == self.entry.op else battery
            for battery in state.ob(self.side).oba
        )
        return state.adding(self.side, "vehicles.entries", self.entry).with_ob(self.side, oba=oba)

    def tell(self) -> str:
        """Say it in a line."""
        entry = self.entry
        return f"{self.side} takes {entry.type} as OP tank of battery {entry.op} for {entry.bpv}"


class WorksBought(_Line):
    """Fortifications of one kind have been bought (DYO H1.6)."""

    section = "fortifications"
    entry: ob.WorkEntry

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} buys {self.entry.number} x {fort_words(self.entry.type)} for {self.entry.total}"


class ReinforcementsNamed(_OfSide):
    """How many MMC of each line of Infantry enter as reinforcements (DYO H1.7).

    `numbers` has one number for each line of the Roster, in order, and `arrivals` the turns of
    each line where any is fixed.
    """

    numbers: tuple[int, ...]
    arrivals: tuple[tuple[ob.Arrival, ...], ...] = ()

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


class ElrAnnounced(_OfSide):
    """A side has announced the ELR of the greatest number of its squads (DYO H1.71, H1.72)."""

    elr: int

    def apply(self, state: DyoState) -> DyoState:
        """Note it."""
        state = state.with_ob(self.side, announced_elr=self.elr)
        return replace(state, announced={**state.announced, self.side: self.elr})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} announces ELR {self.elr}"


class BonusDue(_OfSide):
    """How many free squads a side receives (DYO H1.71)."""

    number: str

    def apply(self, state: DyoState) -> DyoState:
        """Note the bonus number."""
        return state.with_ob(self.side, bonus=self.number)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} is due {self.number} bonus squads"


class EquivalencyReckoned(_OfSide):
    """The Equivalent number of squads of each subsection (DYO H1.74)."""

    elite: int
    line: int
    conscript: int

    def apply(self, state: DyoState) -> DyoState:
        """Write the Equiv # parentheses."""
        equivalents = {"elite": self.elite, "line": self.line, "conscript": self.conscript}
        return state.with_ob(self.side, equivalents=equivalents)

    def tell(self) -> str:
        """Say it in a line."""
        total = self.elite + self.line + self.conscript
        parts = f"{self.elite} elite, {self.line} line, {self.conscript} conscript"
        return f"{self.side} has {total} Equivalents: {parts}"


class LeadersSettled(_OfSide):
    """A side's leaders, as they now are (DYO H1.8, H1.81, H1.82).

    `contingent` is the nation of those who are not of the side's own.
    """

    leaders: ob.Leaders
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


class SwAllotted(_OfSide):
    """The SW that a side receives (DYO H1.83)."""

    sw: tuple[ob.SwAllotment, ...]

    def apply(self, state: DyoState) -> DyoState:
        """Write them down."""
        return state.with_ob(self.side, sw=self.sw)

    def tell(self) -> str:
        """Say it in a line."""
        got = ", ".join(f"{entry.number} {entry.type}" for entry in self.sw if entry.number)
        return f"{self.side} receives {got or 'no SW'}"


class ReinforcementShareTaken(_OfSide):
    """Which leaders and SW come with the reinforcements (DYO H1.84)."""

    leaders: tuple[str, ...]
    sw: tuple[ob.SwAllotment, ...]
    groups: tuple[ob.GroupShare, ...] = ()

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


class WeatherAgreed(Fact):
    """The Weather Conditions, which must be known before Air Support (DYO H1.531)."""

    weather: str

    def apply(self, state: DyoState) -> DyoState:
        """Note it."""
        return replace(state, weather=self.weather)

    def tell(self) -> str:
        """Say it in a line."""
        return f"Weather: {self.weather}"


class ValuesGiven(_OfSide):
    """A side has given values that its catalogue lacks."""

    values: tuple[GivenValue, ...]

    def apply(self, state: DyoState) -> DyoState:
        """Add them to those known."""
        known = (*state.given.get(self.side, ()), *self.values)
        return replace(state, given={**state.given, self.side: known})

    def tell(self) -> str:
        """Say it in a line."""
        added = "; ".join(f"{v.type}: {v.field} {v.value}" for v in self.values)
        return f"{self.side} adds to the catalogue {added}"


class CategoryClosed(_OfSide):
    """A side is through with a category; nothing in it can be bought or given back any more."""

    category: str
    spent: int
    left: int

    def apply(self, state: DyoState) -> DyoState:
        """Tick it off."""
        closed = (*state.closed.get(self.side, ()), self.category)
        return replace(state, closed={**state.closed, self.side: closed})

    def tell(self) -> str:
        """Say it in a line."""
        name = {"san": "SAN", "oba": "OBA"}.get(self.category) or self.category.replace("-", " ")
        return f"{self.side} closes {name}: {self.spent} points, {self.left} left"


class RosterShown(_OfSide):
    """A side has shown its Roster: after each category in open buying, else at the end."""

    ob: OrderOfBattle

    def apply(self, state: DyoState) -> DyoState:
        """Put it on the table."""
        return replace(state, obs={**state.obs, self.side: self.ob}, shown=state.shown | {self.side})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} shows the Roster: {self.ob.total} points spent, {self.ob.left} left"


class PurchaseEnded(Fact):
    """Everything is done, and open."""

    ending: str

    def apply(self, state: DyoState) -> DyoState:
        """Stop."""
        return replace(state, over=True, ending=self.ending)

    def tell(self) -> str:
        """Say it in a line."""
        return f"The purchase is over: {self.ending}"


def all_facts() -> dict[str, type[Fact]]:
    """Return every kind of fact of this ruleset by name."""
    here = [cls for cls in globals().values() if isinstance(cls, type) and issubclass(cls, Fact)]
    return {cls.kind: cls for cls in here if cls is not Fact and not cls.__name__.startswith("_")}
