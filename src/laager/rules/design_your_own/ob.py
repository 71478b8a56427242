"""The order of battle: what a side has bought, entry by entry, with the dice that allowed it.

It is what a Purchase Roster holds (DYO H1-ROSTER). The models are the file format
`laager: dyo-ob/1` as well as the state of a purchase. All values are immutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from laager.base.files import FilePart
from laager.catalogue.dyo import mark_type
from laager.rules.design_your_own.terms import MOST_TURNS, SideId

INFANTRY = "infantry"
SAN = "san"
ORDNANCE = "ordnance"
VEHICLES = "vehicles"
OBA = "oba"
FORTIFICATIONS = "fortifications"
SECOND = "second-infantry"

SECTIONS = (INFANTRY, SAN, ORDNANCE, VEHICLES, OBA, FORTIFICATIONS, SECOND)
"""The lines of "Points Available", in the order in which they are spent."""


class Dr(FilePart):
    """A roll as evidence: what it came to, and (unless unknown) its faces and modifiers."""

    final: int
    faces: tuple[int, ...] = ()
    modifiers: tuple[str, ...] = ()


class Arrival(FilePart):
    """How many squads of a line enter in a turn."""

    turn: int = Field(ge=1, le=MOST_TURNS)
    number: int = Field(ge=1)


class InfantryEntry(FilePart):
    """One line of the Infantry section (DYO H1.21).

    `type` is a type of the catalogue; `capabilities` those of each MMC on the line; `each` and
    `total` its MPV (0 for bonus squads); `reinforcements` how many of the line enter later
    (DYO H1.7), `arrivals` in which turns, as far as that is fixed. Its identity letters follow from
    all lines together.
    """

    type: str
    kind: Literal["squad", "half-squad", "crew"] = "squad"
    number: int = Field(ge=1)
    capabilities: tuple[str, ...] = ()
    purchase: Literal["first", "second", "bonus"] = "first"
    each: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
    reinforcements: int = Field(default=0, ge=0)
    arrivals: tuple[Arrival, ...] = ()

    @property
    def entering(self) -> dict[int, int]:
        """How many of the line enter in each turn; 0 is a turn that is not fixed."""
        by_turn: dict[int, int] = {}
        for arrival in self.arrivals:
            by_turn[arrival.turn] = by_turn.get(arrival.turn, 0) + arrival.number
        open_ = self.reinforcements - sum(by_turn.values())
        return {**({0: open_} if open_ > 0 else {}), **by_turn}


class GunEntry(FilePart):
    """Guns of one type, with their number and crews (DYO H1.3)."""

    type: str
    number: int = Field(default=1, ge=1)
    each: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
    ids: str = ""


class Ordnance(FilePart):
    """The ordnance section: the Availability DR, None if none was made, and the Guns."""

    availability: Dr | None = None
    guns: tuple[GunEntry, ...] = ()

    @property
    def spent(self) -> int:
        """Points spent on Guns."""
        return sum(gun.total for gun in self.guns)


class Arm(FilePart):
    """One optional weapon that a vehicle carries, with its BPV (DYO H1.41)."""

    name: str
    cost: int = Field(ge=0)


class VehicleEntry(FilePart):
    """One vehicle (DYO H1.4). Together, `type` and `id` name it among all of its side.

    `arms`: optional armament, by the DR `arms_dr` or (`automatic`) because all vehicles of the type
    were bought; `disabled`: weapons of the counters that do not exist yet (DYO H1.12). `fittings`:
    Sz or G, by the dr `fitting_dr`, for `fitting_cost`. `armor_leader`: its type, if he is in this
    vehicle. `op`: the letter of the battery for which it is an OP tank (DYO H1.46). `without_dr`:
    it needed no Availability DR (wagons, motorcycles and the like; DYO H1.44 to H1.45).
    """

    type: str
    id: str = ""
    bpv: int = Field(default=0, ge=0)
    arms: tuple[Arm, ...] = ()
    arms_dr: Dr | None = None
    automatic: bool = False
    disabled: tuple[str, ...] = ()
    fittings: tuple[Literal["Sz", "G"], ...] = ()
    fitting_dr: Dr | None = None
    fitting_cost: int = Field(default=0, ge=0)
    armor_leader: str = ""
    op: str = ""
    without_dr: bool = False

    @property
    def key(self) -> str:
        """The vehicle's name among all of its side, such as `PzIVH:A`."""
        return f"{self.type}:{self.id}"

    @property
    def total(self) -> int:
        """All points spent on it."""
        return self.bpv + sum(arm.cost for arm in self.arms) + self.fitting_cost


class Trio(FilePart):
    """Three AFV, their Armor Leader DR, and the leader it brought, "" for none (DYO H1.43)."""

    vehicles: tuple[str, ...]
    dr: Dr
    leader: str = ""
    vehicle: str = ""


class Vehicles(FilePart):
    """The vehicles section. `motorized`: what was paid for a motorized unit, None for none."""

    motorized: int | None = None
    availability: Dr | None = None
    entries: tuple[VehicleEntry, ...] = ()
    trios: tuple[Trio, ...] = ()

    @property
    def spent(self) -> int:
        """Points spent on vehicles, all that is on them, and on being motorized."""
        return (self.motorized or 0) + sum(entry.total for entry in self.entries)

    def find(self, key: str) -> VehicleEntry | None:
        """Return a vehicle by its key."""
        return next((entry for entry in self.entries if entry.key == key), None)


class Extra(FilePart):
    """A further cost of a battery, by its name in the catalogue (DYO H1.53)."""

    name: str
    number: int = Field(default=1, ge=1)
    cost: int


class BatteryEntry(FilePart):
    """One OBA DR and the battery it offered; a declined one is kept too (DYO H1.5, H1.13).

    `size` "" when the DR offered none; `sort` M for medium mortars, R for rockets. `letter` A, B …
    for those bought. `contact`: the radio, the field phone or the OP tank of its Observer
    (DYO H1.51).
    """

    dr: Dr
    size: str = ""
    sort: Literal["", "M", "R"] = ""
    bpv: int = Field(default=0, ge=0)
    bought: bool = False
    letter: str = ""
    contact: Literal["", "radio", "phone", "op-tank"] = ""
    ammunition: Literal["", "plentiful", "scarce"] = ""
    extras: tuple[Extra, ...] = ()
    total: int = Field(default=0, ge=0)

    @property
    def text(self) -> str:
        """Size and type as the Roster has them: `80+M`."""
        return f"{self.size}{self.sort}"


class AirEntry(FilePart):
    """The Air Support DR, the number it was compared with, and True if it was bought (DYO H1.531).

    `exponent`: what the bomb dr is compared with in play.
    """

    dr: Dr
    number: int
    exponent: int | None = None
    bought: bool = False
    cost: int = Field(default=0, ge=0)


class WorkEntry(FilePart):
    """Fortifications of one type, with their number (DYO H1.6).

    `number` counts factors of mines, hexsides of Panji, UDT dr. A pillbox has a capacity and two
    DRM; every other type has one entry only.
    """

    type: str
    number: int = Field(ge=1)
    capacity: int = Field(default=0, ge=0)
    ca_drm: int = Field(default=0, ge=0)
    nca_drm: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)


class Leaders(FilePart):
    """The side's leaders (DYO H1.8 to H1.82): how many of each type, and how they came to be.

    `count` and `extra` are what Equivalents and LG give; `held` is the final list. `traded`: the
    8-0 became a better one. `lost` and `gained` by the Leader Exchange DR, None if none was made.
    """

    count: int = Field(ge=0)
    extra: str = ""
    held: dict[str, int] = {}
    traded: str = ""
    exchange: Dr | None = None
    lost: str = ""
    gained: str = ""
    commissars: int = Field(default=0, ge=0)

    @property
    def total(self) -> int:
        """How many leaders there are, the 7-0 included."""
        return sum(self.held.values())


class SwAllotment(FilePart):
    """SW of one type: how many, and how many of them (`reinforcement`) must come with reinforcements."""

    type: str
    number: int = Field(ge=0)
    reinforcement: int = Field(default=0, ge=0)


class GroupShare(FilePart):
    """The leaders and SW that come with the reinforcements of a turn (DYO H1.84)."""

    turn: int = Field(default=0, ge=0, le=MOST_TURNS)
    leaders: tuple[str, ...] = ()
    sw: dict[str, int] = {}


class OrderOfBattle(FilePart):
    """All that one side has, and what it paid: its Purchase Roster."""

    side: SideId
    nation: str
    allotment: int = Field(ge=0)
    infantry: tuple[InfantryEntry, ...] = ()
    san: int = 2
    san_cost: int = Field(default=0, ge=0)
    ordnance: Ordnance = Ordnance()
    vehicles: Vehicles = Vehicles()
    oba: tuple[BatteryEntry, ...] = ()
    air: AirEntry | None = None
    fortifications: tuple[WorkEntry, ...] = ()
    announced_elr: int | None = None
    bonus: str = ""
    """The bonus number, such as 5 or 2½; "" before it is known."""
    equivalents: dict[str, int] = {}
    leaders: Leaders | None = None
    allied_leaders: dict[str, Leaders] = {}
    """The leaders of each contingent, by its nation."""
    sw: tuple[SwAllotment, ...] = ()
    reinforcement_leaders: tuple[str, ...] = ()
    reinforcement_groups: tuple[GroupShare, ...] = ()
    """What comes with each group, where turns tell several apart; in all, see above and `sw`."""

    def leaders_of(self, contingent: str) -> Leaders | None:
        """Return the leaders of a contingent, or ("") of the side's own nation."""
        return self.allied_leaders.get(contingent) if contingent else self.leaders

    @property
    def all_leaders(self) -> dict[str, int]:
        """How many leaders there are of each type, those of contingents marked as theirs."""
        held = dict(self.leaders.held) if self.leaders else {}
        for nation, own in self.allied_leaders.items():
            held |= {mark_type(type_, nation): number for type_, number in own.held.items()}
        return held

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns in which squads enter as reinforcements; 0 for one that is not fixed."""
        return tuple(sorted({turn for entry in self.infantry for turn in entry.entering}))

    def share_of(self, turn: int) -> GroupShare:
        """Return what comes with the reinforcements of a turn."""
        if not self.reinforcement_groups:
            sw = {line.type: line.reinforcement for line in self.sw if line.reinforcement}
            return GroupShare(turn=turn, leaders=self.reinforcement_leaders, sw=sw)
        shares = (share for share in self.reinforcement_groups if share.turn == turn)
        return next(shares, GroupShare(turn=turn))

    def infantry_of_purchase(self, purchase: str) -> tuple[InfantryEntry, ...]:
        """Return the Infantry of the first purchase, the second, or the bonus."""
        return tuple(entry for entry in self.infantry if entry.purchase == purchase)

    def mpv(self, purchase: str) -> int:
        """Return the MPV spent in a purchase."""
        return sum(entry.total for entry in self.infantry_of_purchase(purchase))

    def pieces(self, *, bonus: bool = True) -> Iterator[tuple[str, str, int]]:
        """Yield every piece as (section of the catalogue, type, number); bonus squads only with `bonus`."""
        yield from (("squads", line.type, line.number) for line in self.infantry if bonus or line.purchase != "bonus")
        yield from (("leaders", leader, number) for leader, number in self.all_leaders.items())
        yield from (("support_weapons", sw.type, sw.number) for sw in self.sw if sw.number)
        yield from (("guns", gun.type, gun.number) for gun in self.ordnance.guns)
        for vehicle in self.vehicles.entries:
            yield "transport" if vehicle.without_dr else "vehicles", vehicle.type, 1
            yield from (("armament", f"{vehicle.type}: {arm.name}", 1) for arm in vehicle.arms)
            if vehicle.armor_leader:
                yield "armor_leaders", vehicle.armor_leader, 1

    @property
    def batteries(self) -> tuple[BatteryEntry, ...]:
        """The batteries that were bought."""
        return tuple(entry for entry in self.oba if entry.bought)

    @property
    def spent(self) -> Mapping[str, int]:
        """The points spent in each section, in the order of the purchase."""
        air = self.air.cost if self.air and self.air.bought else 0
        return {
            INFANTRY: self.mpv("first"),
            SAN: self.san_cost,
            ORDNANCE: self.ordnance.spent,
            VEHICLES: self.vehicles.spent,
            OBA: sum(entry.total for entry in self.batteries) + air,
            FORTIFICATIONS: sum(entry.total for entry in self.fortifications),
            SECOND: self.mpv("second"),
        }

    @property
    def total(self) -> int:
        """All points spent."""
        return sum(self.spent.values())

    @property
    def left(self) -> int:
        """The points still available."""
        return self.allotment - self.total

    @property
    def subtotals(self) -> Mapping[str, int]:
        """The points still available after each section (the Roster's Points Available)."""
        left, left_after = self.allotment, {}
        for section, spent in self.spent.items():
            left -= spent
            left_after[section] = left
        return left_after
