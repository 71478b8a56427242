"""The types of a nation as the rules see them. All values are immutable."""

from __future__ import annotations

from dataclasses import dataclass

from laager.catalogue.kinds import Grade, Kind, Trait, hs_equivalents, movement, portage

HOUSE_ALL = "all"


@dataclass(frozen=True, slots=True)
class UnitType:
    """One type: its text as printed (`4-6-7`, `9-1`, `LMG`), kind and CVP.

    `house` names the fields whose values are Laager's own and not known to be published;
    `("all",)` says that the whole entry is. `note` is shown with the type.
    """

    type: str
    kind: Kind
    cvp: int
    house: tuple[str, ...] = ()
    note: str = ""

    def is_house(self, field: str) -> bool:
        """True if the value of a field is a house value."""
        return HOUSE_ALL in self.house or field in self.house

    @property
    def looks(self) -> tuple[str, ...]:
        """What its counter shows: its kind and type, its sort and class ("" where it has none)."""
        return self.kind.value, self.type, getattr(self, "sort", ""), getattr(self, "grade", "")

    @property
    def hs_equivalents(self) -> int:
        """Its size in half-squads."""
        return hs_equivalents(self.kind)

    @property
    def movement(self) -> int:
        """Its MF on foot, before leaders, loads and wounds."""
        return movement(self.kind)

    @property
    def portage(self) -> int:
        """The PP it carries without losing MF."""
        return portage(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class MmcType(UnitType):
    """A squad, half-squad or crew: factors, class, and the types into which it changes.

    `half` is the half-squad of a squad; `reduced` what Casualty Reduction leaves (None:
    nothing); `whole` the squad that two such half-squads form; `replaced` the type below
    (None: Disrupted); `hardened` the type above or `fanatic`.
    """

    grade: Grade
    firepower: int
    range: int
    morale: int
    hardened: str
    replaced: str | None = None
    half: str | None = None
    reduced: str | None = None
    whole: str | None = None
    broken_morale: int | None = None
    smoke: int | None = None
    traits: frozenset[Trait] = frozenset()

    @property
    def movement(self) -> int:
        """Its MF on foot: 4, or 3 if Inexperienced."""
        return movement(self.kind, Trait.INEXPERIENCED in self.traits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmcType(UnitType):
    """A leader, armor leader, commissar or hero: morale and leadership DRM.

    A commissar stands in for an ordinary leader (`stands_for`) up to the month `until`.
    """

    morale: int
    drm: int = 0
    stands_for: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwType(UnitType):
    """A support weapon: its sort, PP as it stands and (if it can be) dismantled.

    Firepower and range are entered for machine guns only.
    """

    sort: str
    pp: int
    dm_pp: int | None = None
    firepower: int | None = None
    range: int | None = None

    @property
    def least_pp(self) -> int:
        """The PP when carried at its lightest: dismantled if that can be done (PL 2.757)."""
        return self.pp if self.dm_pp is None else self.dm_pp


@dataclass(frozen=True, slots=True, kw_only=True)
class GunType(UnitType):
    """A Gun with the crew type that comes with it. Its CVP leave out the crew's."""

    sort: str
    crew: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleType(UnitType):
    """A vehicle. Its CVP include those of its inherent crew (`crew_cvp`).

    `passengers` is counted in squads. `gun_armed` says that an unarmoured vehicle mounts a Gun; for
    an AFV it makes no difference (PL 3.23).
    """

    sort: str
    crew_cvp: int = 0
    crew: str | None = None
    gun_armed: bool = False
    passengers: float = 0
