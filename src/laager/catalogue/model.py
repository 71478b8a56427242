"""The shape of a catalogue file, as Pydantic checks it field by field.

What holds between the entries (a half-squad that exists, chains that end) is in `checks`.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from laager.base import WrongValueError
from laager.base.files import FilePart
from laager.catalogue.kinds import Alliance, Column, Grade, Trait

_FACTORS = re.compile(r"^(\d{1,2})-(\d{1,2})-(\d{1,2})(?: \S.*)?$")
_LEADER = re.compile(r"^(\d{1,2})([+-])(\d)$")
_MONTH = re.compile(r"^\d{4}-(0[1-9]|1[0-2])$")

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Points = Annotated[int, Field(ge=0, le=99)]
House = bool | str | list[Text]


def parse_factors(type_: str) -> tuple[int, int, int]:
    """Return firepower, range and morale of an MMC's text; ValueError if it has no such form."""
    match = _FACTORS.match(type_)
    if not match:
        right = "write firepower-range-morale, as 4-6-7, and a word after a blank if two types have the same factors"
        raise WrongValueError(f"{type_!r} is not a strength factor", right)
    return int(match[1]), int(match[2]), int(match[3])


def parse_leader(type_: str) -> tuple[int, int]:
    """Return morale and leadership DRM of a leader's text; ValueError if it has no such form."""
    match = _LEADER.match(type_)
    if not match:
        raise WrongValueError(f"{type_!r} is not a leader", "write morale and DRM, as 9-1 or 6+1")
    return int(match[1]), int(match[2] + match[3])


def leader_rank(type_: str) -> tuple[int, int]:
    """Return a number pair that is higher for a better leader: morale counts first, then leadership.

    So a 10-0 is better than a 9-1, as in the Leader Exchange Table (H1.82-T). Raises WrongValueError.
    """
    morale, drm = parse_leader(type_)
    return morale, -drm


def _has_factors(type_: str) -> str:
    parse_factors(type_)
    return type_


def _is_leader(type_: str) -> str:
    parse_leader(type_)
    return type_


MmcText = Annotated[Text, AfterValidator(_has_factors)]
LeaderText = Annotated[Text, AfterValidator(_is_leader)]


class Labelled(FilePart):
    """An entry that may carry house values: all of it (true), or the named field or fields."""

    house: House = False
    note: str = ""

    @field_validator("house")
    @classmethod
    def _known_fields(cls, house: House) -> House:
        if not isinstance(house, bool):
            known = {info.alias or name for name, info in cls.model_fields.items()}
            for name in house if isinstance(house, list) else [house]:
                if name in ("house", "note") or name not in known:
                    raise WrongValueError(f"{name!r} is not a field of this entry", "name its fields or true")
        return house


class MmcEntry(Labelled):
    """A squad, half-squad or crew. What a half-squad doesn't say is that of its squad."""

    type: MmcText
    kind: Literal["squad", "half-squad", "crew"] = "squad"
    grade: Grade | None = Field(None, alias="class")
    half: Text | None = None
    reduced: Text | None = None
    whole: Text | None = None
    replaced: Text | None = None
    hardened: Text | None = None
    cvp: Points | None = None
    broken_morale: Annotated[int, Field(ge=0, le=12)] | None = None
    smoke: Annotated[int, Field(ge=0, le=9)] | None = None
    traits: list[Trait] = []


class CommissarEntry(Labelled):
    """A commissar, the leader for whom he can be taken, and the last month of that."""

    type: LeaderText
    stands_for: Text
    until: str | None = None

    @field_validator("until")
    @classmethod
    def _is_month(cls, month: str | None) -> str | None:
        if month is not None and not _MONTH.match(month):
            raise WrongValueError(f"{month!r} is not a month", "write the year and month, as 1942-10")
        return month


class LeadersEntry(Labelled):
    """The leaders of a nation. Ladders rise: the worst type first."""

    column: Column = Column.GENERAL
    ladder: list[LeaderText] = Field(min_length=1)
    armor: list[LeaderText] = []
    hero: MmcText | None = None
    commissars: list[CommissarEntry] = []
    cvp: dict[str, Points] = {}


class SwEntry(Labelled):
    """A support weapon."""

    type: Text
    sort: Literal["mg", "atr", "mortar", "light-at", "flamethrower", "demolition", "gun", "other"]
    firepower: Points | None = None
    range: Points | None = None
    pp: Points
    dm_pp: Points | None = None


class GunGroup(Labelled):
    """Guns of one sort that share their figures."""

    sort: Literal["mortar", "at", "infantry", "artillery", "aa", "recoilless", "rocket"]
    cvp: Points
    types: list[Text] = Field(min_length=1)


class VehicleGroup(Labelled):
    """Vehicles of one sort that share their figures.

    `cvp` include the inherent crew: `crew_cvp`, 1 in an AFV and none in another vehicle
    unless the group says otherwise.
    """

    sort: Text
    kind: Literal["afv", "vehicle"]
    cvp: Points
    crew_cvp: Points | None = None
    gun_armed: bool = False
    passengers: Annotated[float, Field(ge=0, le=9, multiple_of=0.5)] = 0
    types: list[Text] = Field(min_length=1)

    @property
    def crew(self) -> int:
        """The CVP of the inherent crew."""
        return int(self.kind == "afv") if self.crew_cvp is None else self.crew_cvp


class CatalogueFile(FilePart):
    """A file of one nation. Several files may add to the same nation."""

    laager: Literal["catalogue/1"]
    nation: Id
    name: Text
    source: Text
    group: Id | None = None
    side: Alliance | None = None
    squads: list[MmcEntry] = []
    gun_crew: Text | None = None
    vehicle_crew: Text | None = None
    leaders: LeadersEntry | None = None
    support_weapons: list[SwEntry] = []
    guns: list[GunGroup] = []
    vehicles: list[VehicleGroup] = []
    notes: list[Text] = []


class Fortification(FilePart):
    """A sort of fortification and the facts about it that campaign rules ask for.

    `place` says what it fills: a hex, a Location or a hexside. `entrenchment`, `mine` and
    `clearable` (B24.7) are the game's own classes. `shown_in_open`: when hidden it must be
    placed on map outside concealment terrain and the MLR (PL 3.241). `isolated`: may be added
    to an Isolated Location; `initial_only`: Initial Firefight only (PL 2.38 notes I and S).
    `sizes` are the squads that one can hold (foxholes), `levels` the steps by which it
    is raised, weakest first.
    """

    type: Id
    name: Text
    place: Literal["hex", "location", "hexside"]
    entrenchment: bool = False
    mine: bool = False
    clearable: bool = False
    shown_in_open: bool = False
    isolated: bool = False
    initial_only: bool = False
    sizes: tuple[Annotated[int, Field(ge=1, le=9)], ...] = ()
    levels: tuple[Text, ...] = ()
    house: bool = False
    note: str = ""


class FortificationsFile(FilePart):
    """The file of fortifications."""

    laager: Literal["fortifications/1"]
    source: Text
    fortifications: list[Fortification] = Field(min_length=1)
