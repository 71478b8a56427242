"""Units and fortifications of a campaign, as the record sheets hold them. All immutable."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from laager.base.immutable import Immutable
from laager.rules.board.knowledge import Knowledge, Known


class RecordLine(Immutable):
    """Base of what a record sheet lists."""


class Place(StrEnum):
    """Where a unit is, in the widest sense."""

    __hash__ = str.__hash__  # that of an enum is several times slower, and these are looked up all the time

    MAP = "map"
    OFF_MAP = "off-map"
    """In the OB and free to enter (PL CG6), held back, or exited and retained (PL CG8)."""
    POOL = "pool"
    """Taken off the map by MLR under Option B; sets up again in 2.5 (PL 3.34)."""
    PATROL = "patrol"
    RECALLED = "recalled"
    ELIMINATED = "eliminated"
    CAPTURED = "captured"
    EVACUATED = "evacuated"
    REMOVED = "removed"
    """Gone without loss to the enemy: merged, absorbed, lost when Recalled."""


IN_PLAY = frozenset({Place.MAP, Place.OFF_MAP, Place.POOL, Place.PATROL})


class Mark(StrEnum):
    """Markers on a unit. Those of the game board, and a few of the record sheet."""

    __hash__ = str.__hash__

    BROKEN = "broken"
    DM = "dm"
    DISRUPTED = "disrupted"
    PIN = "pin"
    TI = "ti"
    CX = "cx"
    BERSERK = "berserk"
    FANATIC = "fanatic"
    WOUNDED = "wounded"
    HEROIC = "heroic"
    ENCIRCLED = "encircled"
    CONCEALED = "concealed"
    HIP = "hip"
    CLOAKED = "cloaked"
    PRISONER = "prisoner"
    UNGUARDED = "unguarded"
    CLIMBING = "climbing"
    MELEE = "melee"
    TANK_HUNTER = "tank-hunter"
    MALFUNCTIONED = "malfunctioned"
    DISABLED = "disabled"
    LOW_AMMO = "low-ammo"
    DISMANTLED = "dismantled"
    EMPLACED = "emplaced"
    CAPTURED = "captured"
    MOTION = "motion"
    BUTTONED_UP = "bu"
    CREW_EXPOSED = "ce"
    HULL_DOWN = "hull-down"
    STUN = "stun"
    SHOCK = "shock"
    UNKNOWN = "uk"
    BOGGED = "bogged"
    MIRED = "mired"
    IMMOBILIZED = "immobilized"
    ABANDONED = "abandoned"
    WRECK = "wreck"
    BURNING = "burning"
    BURNT_OUT = "burnt-out"
    MA_MALFUNCTIONED = "ma-malfunctioned"
    MA_DISABLED = "ma-disabled"
    MINEFIELD = "in-minefield"
    RECALL = "recall"
    ACQUIRED = "acquired"
    ISOLATED = "isolated"
    AMMUNITION_SHORTAGE = "ammunition-shortage"
    REDEPLOYED = "redeployed"
    HARDENED = "hardened"
    FIXED = "fixed"
    """A Gun in a pillbox or fortified building, there for the whole campaign (PL CG3)."""
    WAS_REVEALED = "was-revealed"
    """A hidden Gun that was seen once; it needs purchased HIP to hide again (PL CG3)."""
    ENGINEERS = "engineers"
    WALKING_WOUNDED = "walking-wounded"
    RESERVE = "reserve"
    HOOKED = "hooked"
    LIMBERED = "limbered"
    ESCAPED = "escaped"
    SHIFTED = "shifted"
    STEALTHY = "stealthy"
    LAX = "lax"
    INEXPERIENCED = "inexperienced"


MARK_ORDER: Mapping[Mark, int] = {mark: place for place, mark in enumerate(Mark)}
"""The order in which markers are listed."""

HIDING = frozenset({Mark.HIP, Mark.CONCEALED, Mark.CLOAKED})
"""Markers under which the enemy does not know what a counter is."""


class Unit(RecordLine):
    """One counter of a side's OB.

    `kind` is the catalogue's (squad, half-squad, crew, leader, hero, sw, gun, afv, vehicle …), plus
    `armor-leader` and `commissar`. `at` is a Location of the map while `place` is MAP. `with_unit`
    names its possessor (SW, Gun), vehicle (passenger, armor leader) or guard (prisoner). `known` is
    whether the enemy may know it. `since` is the firefight it joined in, `fought` whether it has
    taken part in one.
    """

    id: str
    side: str
    nation: str
    type: str
    kind: str
    group: str = ""
    name: str = ""
    place: Place = Place.OFF_MAP
    at: str | None = None
    setup: tuple[str, ...] = ()
    """The only hexes where it sets up in the battle for which the OB gives it, as the card has them; () for no such."""
    mlr: str = ""
    """Letter of the MLR it was pooled from (PL 3.34 Option B)."""
    stood: str | None = None
    """Where it stood when it was taken off the map, as the record of its side has it.

    For units pooled by PL 3.34 Option B, and Guns that set up near the place they Shifted from.
    """
    area: str = ""
    """The Setup Area or Entry Area in which it is Retained, in the campaigns that have them."""
    marks: frozenset[Mark] = frozenset()
    with_unit: str = ""
    known: bool = False
    since: int = 1
    fought: bool = False

    knowledge: ClassVar[Mapping[str, Knowledge]] = dict.fromkeys(("group", "setup", "since", "fought"), Known.OWN)
    """What its counter doesn't show; the rest is known to whoever knows of it."""

    @property
    def hex(self) -> str | None:
        """The hex of its Location."""
        return self.at.split(".")[0] if self.at else None

    @property
    def spot(self) -> str | None:
        """Where it counts as standing: its Location, or the one from which it was taken off."""
        return self.at or self.stood

    @property
    def in_play(self) -> bool:
        """True if it is still in the OB and usable: on the map, off it, pooled or on patrol."""
        return self.place in IN_PLAY

    @property
    def on_map(self) -> bool:
        """True if it stands on the map."""
        return self.place is Place.MAP

    def has(self, *marks: Mark) -> bool:
        """True if it carries any of these markers."""
        return not self.marks.isdisjoint(marks)

    @property
    def audience(self) -> tuple[str, ...] | None:
        """Who may know facts about it: everyone, or its own side."""
        return None if self.known else (self.side,)

    @property
    def label(self) -> str:
        """What players call it: `4-6-7 A (AX3)`."""
        return f"{self.type} {self.name} ({self.id})" if self.name else f"{self.type} ({self.id})"


class GroupLine(RecordLine):
    """A reinforcement group: one line of the RG Purchase Record.

    `rg` is the line of the side's chart, `id` that and a number (`I1/2`), unique within its side.
    """

    id: str
    side: str
    rg: str


FORT_WORDS: Mapping[str, str] = {
    "a-b-mines": "A-B mines",
    "a-p-mines": "A-P mines",
    "a-t-ditch": "A-T ditch",
    "a-t-mines": "A-T mines",
    "ap-mine": "A-P mine",
    "at-mine": "A-T mine",
    "at-trench": "A-T trench",
    "hip": "HIP",
    "set-dc": "Set DC",
}
"""What players call kinds of fortifications whose name doesn't read so."""


def fort_words(kind: str) -> str:
    """Return what players call a kind of fortification: `A-P mines` for `a-p-mines`."""
    return FORT_WORDS.get(kind) or kind.replace("-", " ").replace("hip ", "HIP ")


class Fort(RecordLine):
    """A fortification bought or found: what, how strong, where.

    `kind` is a row of the fortification table; `size` its strength (mine factors, capacity,
    hexsides, DRM …) in words; `at` None while its place is not yet chosen; `area` the MLR or setup
    area it is tied to (booby traps).
    """

    id: str
    side: str
    kind: str
    size: str = ""
    factors: int = 0
    count: int = 1
    at: str | None = None
    hexside: str = ""
    hidden: bool = True
    known_minefield: bool = False
    firefight: int = 1
    fp: int = 0
    area: tuple[str, ...] = ()
    given: bool = False
    """True if the OB gave it: no limit of purchases counts it."""
    setup: tuple[str, ...] = ()
    """The only hexes where it is set up in the battle for which the OB gives it."""

    @property
    def label(self) -> str:
        """What players call it: kind and strength."""
        return f"{fort_words(self.kind)} {self.size}".rstrip()

    @property
    def hex(self) -> str | None:
        """The hex of its Location."""
        return self.at.split(".")[0] if self.at else None
