"""British shortages: ammunition (CG17), and water (CG21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from laager.base.files import FilePart, check, read_packaged
from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.context import Hasl

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

PACKAGE = "laager.rules.bridge_too_far"

HIGHEST_DR = 12


@implements("ABtF CG17")
class ShortageLevel(FilePart):
    """One level of shortage.

    A unit suffers ELR loss by Unit Substitution on an Original DR of `substitution` or more.
    `breakdown` changes every B#, `elr` is the DRM in 9.6202, `atmm` the drm of ATMM Checks;
    `first_use` has every SW and Gun malfunction with its first use. `note` is a clause.
    """

    level: int = Field(ge=1, le=5)
    name: str
    substitution: int = Field(ge=2, le=12)
    breakdown: int = Field(default=0, le=0)
    elr: int
    atmm: int = 0
    first_use: bool = False
    note: str = ""

    def breakdown_number(self, printed: int) -> int:
        """Return the Original DR with which a SW or Gun malfunctions; `printed` is its B#."""
        return printed + self.breakdown

    def effects(self) -> Iterator[str]:
        """Yield the effects in play, in sentences."""
        least = self.substitution
        dr = f"{least}" if least == HIGHEST_DR else f"{least} or more"
        yield f"ELR loss by Unit Substitution (A19.131) on an Original DR of {dr}"
        if self.breakdown:
            numbers = (f"B{number} becomes {self.breakdown_number(number)}" for number in (12, 11, 10))
            yield f"B# {self.breakdown:+d} ({', '.join(numbers)})"
        if self.first_use:
            yield "every SW and Gun malfunctions with its first use"
        if self.note:
            yield "no repair of SW and Guns during play"
            yield "no Intensive or Sustained Fire except OVR Prevention and FPF"
        if self.atmm:
            yield f"ATMM Check dr {self.atmm:+d}"


class Shortage(FilePart):
    """The chart of levels."""

    rule: str
    levels: tuple[ShortageLevel, ...]

    @model_validator(mode="after")
    def _check_numbers(self) -> Shortage:
        if [level.level for level in self.levels] != list(range(1, len(self.levels) + 1)):
            raise ValueError("the levels must be numbered from 1 on, in order")
        return self


class ChartsFile(FilePart):
    """The format of `charts.yaml`."""

    laager: Literal["abtf-charts/1"]
    shortage: Shortage


@cache
def printed_charts() -> ChartsFile:
    """Return the charts that ship with the rules."""
    return check(read_packaged(PACKAGE, "charts.yaml"), ChartsFile)


def shortage_levels(cg: Abtf) -> Mapping[int, ShortageLevel]:
    """Return the levels of shortage by number, as the house has them. Number 0, no shortage, isn't among them."""
    charts: ChartsFile = cg.house.packaged_charts(PACKAGE, printed_charts())
    return {level.level: level for level in charts.shortage.levels}


def shortage_level(cg: Abtf) -> ShortageLevel | None:
    """Return the British level of shortage; None without a shortage."""
    return shortage_levels(cg).get(cg.state.side(ALLIED).ammunition)


def elr_drm(cg: Abtf, side: str) -> int:
    """Return the DRM of the shortage for a side's ELR roll; the reading says of which level."""
    if side != ALLIED:
        return 0
    now: int = cg.state.side(ALLIED).ammunition
    before = cg.state.shortage_before
    shortage = before if cg.reading("shortage-for-elr") == "before" and before is not None else now
    level = shortage_levels(cg).get(shortage)
    return level.elr if level is not None else 0


@implements("ABtF CG17 EX")
def is_exempt(type_: str, *, captured: bool = False) -> bool:
    """True if CG17 doesn't apply to a SW or Gun: captured ones, radios, DC and FT are exempt."""
    return captured or any(word in EXEMPT_WORDS for word in type_.upper().split())


EXEMPT_WORDS = frozenset({"RADIO", "PHONE", "DC", "FT"})
"""Words in the names of types that don't need ammunition."""


FIRST_DRY_DAY = date(1944, 9, 20)
"""The calendar day whose Dawn date is the first with a shortage of water."""

RAIN_PLAYER_TURNS = 3
"""Player Turns of rain in a row that lift the shortage of water for a while."""


class Water(Enum):
    """The water supply of the British on a CG Date."""

    ENOUGH = "no shortage yet"
    SHORT = "shortage"
    LIFTED = "shortage lifted by the rain of the date before"
    LIFTED_IN_PLAY = "shortage lifted by rain for the rest of the scenario"


@implements("ABtF CG21")
def water_supply(cg: Hasl) -> Water:
    """Return the water supply of the British on the present CG Date.

    Rain in a scenario lifts the shortage for the rest of it and for the date directly after it,
    Idle or not, and for no other.
    """
    if cg.date.day < FIRST_DRY_DAY:
        return Water.ENOUGH
    past = cg.state.past
    if past and past[-1].rain:
        return Water.LIFTED
    if cg.state.scenario.rain:
        return Water.LIFTED_IN_PLAY
    return Water.SHORT
