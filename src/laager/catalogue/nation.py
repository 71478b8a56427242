"""A nation: its types, and how they change when Reduced, Replaced, hardened or recombined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from laager.base import Refusal, RefusedError, did_you_mean
from laager.catalogue.kinds import Alliance, Column, Grade, Kind
from laager.catalogue.units import GunType, MmcType, SmcType, SwType, UnitType, VehicleType

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LeaderLadder:
    """The leaders of a nation, worst first, and the column in which they are rolled.

    `armor` is the ladder of armor leaders. A ladder read backwards is the order of PL 2.361.
    """

    column: Column
    types: tuple[str, ...]
    armor: tuple[str, ...] = ()
    hero: str | None = None
    commissars: tuple[str, ...] = ()


@dataclass(frozen=True)
class Nation:
    """Everything that a catalogue says about one nation.

    `group` is the nation whose special rules apply: itself, unless the file says otherwise.
    """

    id: str
    name: str
    group: str
    side: Alliance
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    leaders: LeaderLadder
    mmc: Mapping[str, MmcType]
    smc: Mapping[str, SmcType]
    armor_leaders: Mapping[str, SmcType]
    support_weapons: Mapping[str, SwType]
    guns: Mapping[str, GunType]
    vehicles: Mapping[str, VehicleType]

    def __post_init__(self) -> None:
        for field in ("mmc", "smc", "armor_leaders", "support_weapons", "guns", "vehicles"):
            object.__setattr__(self, field, MappingProxyType(dict(getattr(self, field))))

    def with_types_of(self, others: Iterable[Nation]) -> Nation:
        """Return the nation with the troops, weapons, Guns and vehicles of others, too.

        A type that both have is the nation's own; leaders and their ladders stay its own.
        """
        united = self
        for other in others:
            united = replace(
                united,
                mmc=_add_missing(united.mmc, other.mmc),
                support_weapons=_add_missing(united.support_weapons, other.support_weapons),
                guns=_add_missing(united.guns, other.guns),
                vehicles=_add_missing(united.vehicles, other.vehicles),
            )
        return united

    def __repr__(self) -> str:
        return f"<Nation {self.id}: {sum(map(len, self._parts()))} types>"

    def _parts(self) -> tuple[Mapping[str, UnitType], ...]:
        return (self.mmc, self.smc, self.support_weapons, self.guns, self.vehicles, self.armor_leaders)

    def __contains__(self, text: object) -> bool:
        return any(text in part for part in self._parts())

    def unit(self, text: str, kind: Kind | None = None) -> UnitType:
        """Return a type by its text. Raises RefusedError if the nation has none.

        An armor leader shares his text with a leader: without `kind` the leader is meant.
        """
        for part in self._parts():
            unit = part.get(text)
            if unit is not None and (kind is None or unit.kind is kind):
                return unit
        known = [text for part in self._parts() for text in part if kind in (None, part[text].kind)]
        advice = did_you_mean(text, dict.fromkeys(known))
        if kind is None:
            raise RefusedError(Refusal.NO_SUCH, self.lacks("type", repr(text)), advice)
        raise RefusedError(Refusal.NO_SUCH, self.lacks(_bare(kind.words), repr(text)), advice)

    def lacks(self, kind: str, types: str) -> str:
        """Return the sentence that the nation has no such types: `leader`, `'11-3'`."""
        return f"the {self.name} catalogue has no {types} ({kind})"

    def mmc_type(self, text: str) -> MmcType:
        """Return a squad, half-squad or crew. Raises RefusedError for anything else."""
        unit = self.unit(text)
        if not isinstance(unit, MmcType):
            raise RefusedError(Refusal.NO_SUCH, f"{text!r} is {unit.kind.words}, not an MMC")
        return unit

    def types(self, kind: Kind) -> tuple[str, ...]:
        """Return the texts of all types of a kind, in the catalogue's order."""
        return tuple(text for part in self._parts() for text in part if part[text].kind is kind)

    # How units change ------------------------------------------------------------------------

    def reduced_type(self, text: str) -> str | None:
        """Return what Casualty Reduction leaves of an MMC, None if nothing (A7.302).

        An SMC is not Reduced but wounded (A17): RefusedError.
        """
        return self.mmc_type(text).reduced

    def replaced_type(self, text: str) -> str | None:
        """Return what a unit becomes that is Replaced for its ELR (A19.13).

        An MMC takes the type below it, None if there is none (Disrupted, A19.12); a leader the
        step below, None below the worst. RefusedError for anything else.
        """
        unit = self.unit(text)
        return unit.replaced if isinstance(unit, MmcType) else self._adjacent_leader(unit, -1, "Replaced")

    def hardened_type(self, text: str) -> str | None:
        """Return what Battle Hardening makes of a unit (A15.3, PL 3.43, 3.44).

        An MMC takes the type above it, or "fanatic" if it is Elite; a leader the step above,
        None above the best. RefusedError for anything else.
        """
        unit = self.unit(text)
        return unit.hardened if isinstance(unit, MmcType) else self._adjacent_leader(unit, 1, "hardened")

    def _adjacent_leader(self, unit: UnitType, step: int, change: str) -> str | None:
        if unit.kind not in (Kind.LEADER, Kind.COMMISSAR):
            raise RefusedError(Refusal.NO_SUCH, f"{unit.type!r} is {unit.kind.words}, never {change}")
        return self._step_on_ladder(unit.type, False, step)

    def recombined_type(self, text: str) -> str | None:
        """Return the squad that two half-squads of a type form, None for a crew (A1.32)."""
        return self.mmc_type(text).whole

    def leader_up(self, text: str, armor: bool = False) -> str | None:
        """Return the leader one step better, None above the best. Raises RefusedError."""
        return self._step_on_ladder(text, armor, 1)

    def leader_down(self, text: str, armor: bool = False) -> str | None:
        """Return the leader one step worse, None below the worst. Raises RefusedError."""
        return self._step_on_ladder(text, armor, -1)

    def _step_on_ladder(self, text: str, armor: bool, step: int) -> str | None:
        ladder = self.leaders.armor if armor else self.leaders.types
        if not armor and text in self.leaders.commissars:
            ladder = self.leaders.commissars
        if text not in ladder:
            rank = "armor leader" if armor else "leader"
            raise RefusedError(Refusal.NO_SUCH, self.lacks(rank, repr(text)), did_you_mean(text, ladder))
        place = ladder.index(text) + step
        return ladder[place] if 0 <= place < len(ladder) else None

    def commissar_for(self, leader: str, month: str) -> str | None:
        """Return the commissar that may be taken for a leader in a month (PL 2.361 note *).

        `month` is year and month, `1942-07`; None if there is none for him, or none any more.
        """
        for text in self.leaders.commissars:
            commissar = self.smc[text]
            if commissar.stands_for == leader and (commissar.until is None or month[:7] <= commissar.until):
                return text
        return None

    # Facts about a type ----------------------------------------------------------------------

    def cvp(self, text: str, kind: Kind | None = None, prisoner: bool = False) -> int:
        """Return the CVP for the loss of a text, doubled for a prisoner (A26.2, PL 3.22)."""
        return self.unit(text, kind).cvp * (2 if prisoner else 1)

    def hs_equivalents(self, text: str) -> int:
        """Return the size in half-squads: squad 2, half-squad or crew 1, anything else 0."""
        return self.unit(text).hs_equivalents

    def leadership(self, text: str, kind: Kind | None = None) -> int:
        """Return the leadership DRM of a leader. Raises RefusedError for any other type."""
        unit = self.unit(text, kind)
        if not isinstance(unit, SmcType) or unit.kind is Kind.HERO:
            raise RefusedError(Refusal.NO_SUCH, f"{text!r} is {unit.kind.words}, not a leader")
        return unit.drm

    def pp(self, text: str, dismantled: bool = False) -> int:
        """Return the PP of an SW, if asked for and possible dismantled. Raises RefusedError."""
        unit = self.unit(text)
        if not isinstance(unit, SwType):
            raise RefusedError(Refusal.NO_SUCH, f"{text!r} is {unit.kind.words}, not an SW")
        return unit.least_pp if dismantled else unit.pp

    def grade(self, text: str) -> Grade:
        """Return the class of an MMC. Raises RefusedError for any other type."""
        return self.mmc_type(text).grade

    def is_gun(self, text: str) -> bool:
        """True if the nation has such a Gun."""
        return text in self.guns

    def is_vehicle(self, text: str) -> bool:
        """True if the nation has such a vehicle, armoured or not."""
        return text in self.vehicles


def _add_missing(own: Mapping[str, T], other: Mapping[str, T]) -> Mapping[str, T]:
    """Return types with those of another nation that they lack."""
    return {**own, **{text: type_ for text, type_ in other.items() if text not in own}}


def _bare(words: str) -> str:
    """Leave out the article."""
    return words.partition(" ")[2]
