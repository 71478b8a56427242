"""What sorts of things there are: kinds, classes, traits, and what follows from them alone.

The figures here are the same for every nation, so they stand in code and not in each file.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

FANATIC: Final = "fanatic"
"""What Battle Hardening gives an Elite MMC, which has no better type (PL 3.43, 3.44)."""

DISRUPTED: Final = "disrupted"
"""How a file says that a unit which must be Replaced has nothing below it (A19.12)."""


class Kind(StrEnum):
    """The kind of a type. Within one kind a nation uses a type's text only once."""

    SQUAD = "squad"
    HALF_SQUAD = "half-squad"
    CREW = "crew"
    LEADER = "leader"
    COMMISSAR = "commissar"
    HERO = "hero"
    SW = "sw"
    GUN = "gun"
    AFV = "afv"
    VEHICLE = "vehicle"
    ARMOR_LEADER = "armor-leader"

    @property
    def is_mmc(self) -> bool:
        """True if it is a multi-man counter: squad, half-squad or crew."""
        return self in (Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW)

    @property
    def is_smc(self) -> bool:
        """True if it is a single-man counter: leader of any sort, commissar or hero."""
        return self in (Kind.LEADER, Kind.COMMISSAR, Kind.HERO, Kind.ARMOR_LEADER)

    @property
    def is_vehicle(self) -> bool:
        """True if it is a vehicle, armoured or not."""
        return self in (Kind.AFV, Kind.VEHICLE)

    @property
    def words(self) -> str:
        """The kind as a sentence names it, with its article: `an AFV`, `a half-squad`."""
        short = {Kind.SW: "an SW", Kind.GUN: "a Gun", Kind.AFV: "an AFV"}
        article = "an" if self is Kind.ARMOR_LEADER else "a"
        return short.get(self, f"{article} {self.value.replace('armor-', 'armor ')}")


class Grade(StrEnum):
    """The class of an MMC. Better classes are greater: `Grade.ELITE > Grade.GREEN`."""

    CONSCRIPT = "conscript"
    GREEN = "green"
    SECOND_LINE = "second-line"
    FIRST_LINE = "first-line"
    ELITE = "elite"

    @property
    def rank(self) -> int:
        """The place of the class, 0 for Conscript to 4 for Elite."""
        return tuple(Grade).index(self)

    # The order of the texts means nothing here, so every comparison of StrEnum is replaced.
    def __lt__(self, other: str) -> bool:
        return self.rank < Grade(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Grade(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Grade(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Grade(other).rank


class Trait(StrEnum):
    """What a type is by itself, apart from its factors (A11.17, A11.18, A19.3)."""

    STEALTHY = "stealthy"
    LAX = "lax"
    INEXPERIENCED = "inexperienced"


class Column(StrEnum):
    """The column of the leader table in which a nation's leaders are rolled (PL 2.361)."""

    GENERAL = "general"
    JAPANESE = "japanese"
    FINN = "finn"


class Alliance(StrEnum):
    """Axis or Allied by default; a card may say otherwise for a date (PL 1.4)."""

    AXIS = "axis"
    ALLIED = "allied"


def usual_cvp(kind: Kind, drm: int = 0) -> int | None:
    """Return the CVP of a kind where the kind decides, else None (A26.2).

    A squad is 2; a half-squad, crew or hero 1; a leader 1 and one more for each point of a
    leadership DRM (`drm`) below 0; an SW nothing. Guns and vehicles are entered one by one.
    """
    match kind:
        case Kind.SQUAD:
            return 2
        case Kind.HALF_SQUAD | Kind.CREW | Kind.HERO:
            return 1
        case Kind.LEADER | Kind.COMMISSAR | Kind.ARMOR_LEADER:
            return 1 + max(0, -drm)
        case Kind.SW:
            return 0
        case _:
            return None


def hs_equivalents(kind: Kind) -> int:
    """Return the size in half-squads: squad 2, half-squad or crew 1, anything else 0."""
    return {Kind.SQUAD: 2, Kind.HALF_SQUAD: 1, Kind.CREW: 1}.get(kind, 0)


def movement(kind: Kind, inexperienced: bool = False) -> int:
    """Return the MF on foot: SMC 6, MMC 4 or 3 if Inexperienced, else 0 (A4.11, A19.31)."""
    if kind.is_smc:
        return 6
    return (3 if inexperienced else 4) if kind.is_mmc else 0


def portage(kind: Kind) -> int:
    """Return the PP carried without loss of MF: MMC 3, SMC 1, else 0 (A4.42)."""
    if kind.is_mmc:
        return 3
    return 1 if kind.is_smc else 0
