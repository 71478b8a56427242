"""The file of a ruling, `laager: ruling/1`: what holds from now on, part by part, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from laager.base.files import FilePart
from laager.rules.board.units import Place

Fate = Literal[Place.ELIMINATED, Place.CAPTURED, Place.EVACUATED, Place.RECALLED, Place.REMOVED]
"""How a unit leaves the OB."""

Signed = tuple[str, ...]
"""A list as it is from now on; or, if every entry begins with + or -, what comes and goes."""

LONGEST_REASON = 500
"""Longest reason, in characters."""

Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON)]


class RuledUnit(FilePart):
    """What holds of a unit from now on. What isn't named stays as it is."""

    at: str | None = None
    """The Location where it stands; what it carries comes along."""
    place: Literal[Place.MAP, Place.OFF_MAP, Place.POOL, Place.PATROL] | None = None
    gone: Fate | None = None
    cvp: int | None = None
    """What the enemy scores for it, if it's gone; left out: what the rules say."""
    type: str | None = None
    name: str | None = None
    marks: Signed | None = None
    with_unit: str | None = Field(None, alias="with")
    """The number of its possessor, vehicle or Guard; "" for nobody."""
    known: bool | None = None
    """True if the enemy knows it."""
    group: str | None = None
    area: str | None = None
    mlr: str | None = None
    stood: str | None = None
    setup: tuple[str, ...] | None = None
    since: int | None = None
    fought: bool | None = None


class AddedUnit(RuledUnit):
    """A unit that the record lacks."""

    side: str
    type: str
    called: str = Field("", alias="as")
    """A word for it in this file, so that others can be with it."""
    kind: str = ""
    """Its kind, if its type alone doesn't say it (an armor leader, a commissar)."""
    nation: str = ""
    """Its nation, if it isn't its side's."""


class RuledFort(FilePart):
    """What holds of a fortification from now on."""

    at: str | None = None
    gone: bool = False
    kind: str | None = None
    size: str | None = None
    factors: int | None = None
    count: int | None = None
    hexside: str | None = None
    hidden: bool | None = None
    known_minefield: bool | None = None
    firefight: int | None = None
    fp: int | None = None
    area: tuple[str, ...] | None = None
    given: bool | None = None
    setup: tuple[str, ...] | None = None


class AddedFort(RuledFort):
    """A fortification that the record lacks."""

    side: str
    kind: str


class NewLines(FilePart):
    """Lines that the record lacks."""

    units: tuple[AddedUnit, ...] = ()
    forts: tuple[AddedFort, ...] = ()
    groups: tuple[Mapping[str, Any], ...] = ()
    areas: tuple[Mapping[str, Any], ...] = ()


Fields = Mapping[str, Any]
"""Fields of a line with what holds from now on; of a field that is a mapping, only the items named (null: none)."""


class RulingFile(FilePart):
    """A ruling: why, and what holds from now on. What isn't named stays as it is."""

    laager: Literal["ruling/1"] = "ruling/1"
    why: Reason
    units: Mapping[str, RuledUnit] = {}
    forts: Mapping[str, RuledFort] = {}
    new: NewLines = NewLines()
    sides: Mapping[str, Fields] = {}
    groups: Mapping[str, Fields] = {}
    """By side and id, `axis:I1/2`; `gone: true` strikes one that was never bought."""
    areas: Mapping[str, Fields] = {}
    ground: Fields = {}
    """Control, fires, what has changed in Locations."""
    fight: Fields = {}
    """The present firefight."""
    scenario: Fields = {}
    """The scenario of the present CG Date."""
    past: Mapping[str, Fields] = {}
    """Battles by number."""
    campaign: Fields = {}
    """What belongs to no other part: agreed, option, line of the front …"""
    readings: Mapping[str, str] = {}
    """Readings of rules in force from now on."""
    house: Mapping[str, Any] | None = None
    """House rules in force from now on, and no others: `rules`, and `why` if it's another reason; {}: as printed."""
