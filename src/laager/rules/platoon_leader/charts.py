"""Charts of the rules that no dice are rolled on: prices, limits, types of firefight.

The figures stand in `charts.yaml`; the models below are its format and answer the questions that
the rules put to them. All values are immutable.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, model_validator

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import FilePart, check, read_packaged
from laager.campaign import implements
from laager.rules.board.card.parts import refuse_repeats

PACKAGE = "laager.rules.platoon_leader"

Text = Annotated[str, Field(min_length=1)]
Size = Literal["section", "platoon", "company"]
Mode = Literal["on-map", "reserve", "off-map"]


class SetupCost(FilePart):
    """What setup adds to the CP price of one kind of reinforcement group."""

    kind: Text
    name: Text
    on_map: int
    reserve: int
    off_map: int

    def change(self, mode: Mode) -> int:
        """Return the change of price in CP."""
        return {"on-map": self.on_map, "reserve": self.reserve, "off-map": self.off_map}[mode]


class SetupCosts(FilePart):
    """The chart of setup costs (PL 2.34)."""

    rule: Text
    minimum: int
    rows: tuple[SetupCost, ...]
    notes: tuple[Text, ...] = ()

    @implements("PL 2.34")
    def price(self, kind: str, mode: Mode, base: int, *, zero: bool = False) -> int:
        """Return the CP price of a group; kinds without a row cost what the card says.

        `zero`: what the card has for nothing stays so (reading `zero-price`).
        """
        least = min(self.minimum, base) if zero else self.minimum
        for row in self.rows:
            if row.kind == kind:
                return max(least, base + row.change(mode))
        return base


@implements("PL 2.31")
class PatrolPurchase(FilePart):
    """Price in CP and most patrols of a side for each intensity (PL 2.31)."""

    rule: Text
    price: int
    most: dict[Literal["low", "mid", "high"], int]


class Reserves(FilePart):
    """Which kinds may be In Reserve, and the Dummies that come with a group (PL 2.33)."""

    rule: Text
    kinds: tuple[Text, ...]
    dummies: dict[Size, int]
    notes: tuple[Text, ...] = ()

    @implements("PL 2.33")
    def dummies_of(self, size: Size | None) -> int:
        """Return the Dummy Cloaking counters of a group; one without a size is like a platoon."""
        return self.dummies[size or "platoon"]


class FortificationPrice(FilePart):
    """A row of the fortification chart: a price in FP, by one of four ways.

    `fp` for each one (or each `per`); `sizes` by what it is for; a `formula`; or nothing: then the
    card must price it. `notes` and `marks` are those of the chart.
    """

    type: Text
    name: Text
    fp: int | None = None
    per: str = ""
    sizes: dict[str, int] = {}
    by: str = ""
    formula: Literal["pillbox", "known-minefield"] | None = None
    notes: tuple[str, ...] = ()
    marks: tuple[Literal["I", "S"], ...] = ()
    remark: str = ""

    @model_validator(mode="after")
    def _one_way(self) -> FortificationPrice:
        if sum([self.fp is not None, bool(self.sizes), self.formula is not None]) > 1:
            raise ValueError(f"{self.type} has several prices; keep one of fp, sizes, formula")
        return self

    @property
    def priced(self) -> bool:
        """True if the rules have a price; otherwise only a card can have one."""
        return self.fp is not None or bool(self.sizes) or self.formula is not None

    @property
    @implements("PL 2.38 note I")
    def isolated(self) -> bool:
        """True if it may be added to an Isolated Location (PL 2.38 note I)."""
        return "I" in self.marks

    @property
    @implements("PL 2.38 note S")
    def initial_only(self) -> bool:
        """True if it may be bought for an Initial Firefight only (PL 2.38 note S)."""
        return "S" in self.marks

    @implements("PL 2.38 table", "PL 2.38 note 1")
    def cost(self, count: int = 1, size: str | None = None) -> int:
        """Return the FP of a number (of factors, hexsides, levels), of a size if it has any.

        Raises RefusedError if the row has no such price.
        """
        if self.sizes:
            if size not in self.sizes:
                advice = did_you_mean(size, self.sizes)
                raise RefusedError(Refusal.NO_SUCH, f"{self.name} has no price {size!r}", advice)
            return count * self.sizes[size]
        if self.fp is None:
            why = "is priced by a formula" if self.formula else "has no price in the rules"
            raise RefusedError(Refusal.NO_SUCH, f"{self.name} {why}", f"see {self.type} in PL 2.38")
        return count * self.fp


class FortificationChart(FilePart):
    """The fortification chart (PL 2.38 table) with its notes and marks in words."""

    rule: Text
    rows: tuple[FortificationPrice, ...]
    notes: dict[str, Text]
    marks: dict[Literal["I", "S"], Text]

    @model_validator(mode="after")
    def _whole(self) -> FortificationChart:
        for row in self.rows:
            unknown = [note for note in row.notes if note not in self.notes]
            if unknown:
                raise ValueError(f"{row.type} has a note {unknown[0]}; there is none of that number")
        return self

    def row(self, type_: str) -> FortificationPrice:
        """Return the row of a type. Raises RefusedError for an unknown one."""
        price = next((row for row in self.rows if row.type == type_), None)
        if price is None:
            advice = did_you_mean(type_, [row.type for row in self.rows])
            raise RefusedError(Refusal.NO_SUCH, f"there is no fortification {type_!r}", advice)
        return price


@implements("PL 2.38 note 4")
def pillbox_fp(capacity: int, ca_drm: int, nca_drm: int) -> int:
    """Return the FP of a pillbox (PL 2.38 note 4)."""
    return capacity * (ca_drm + nca_drm)


@implements("PL 2.38 table")
def known_minefield_fp(fp: int) -> int:
    """Return the FP of a Known minefield, four fifths (FRU) of the hidden one's (PL 2.38)."""
    return -(-fp * 4 // 5)


class FirefightType(FilePart):
    """A type of firefight: who attacks, sets up first and moves first ("rolled": by dr)."""

    type: Literal["idle", "axis-assault", "allied-assault", "dual-attack"]
    name: Text
    attackers: tuple[Literal["axis", "allied"], ...]
    sets_up_first: Literal["axis", "allied", "rolled"] | None
    moves_first: Literal["axis", "allied", "rolled"] | None


@implements("PL 2.41", "PL 2.41 Allied Assault", "PL 2.41 Axis Assault")
class FirefightTypes(FilePart):
    """The types of firefight (PL 2.41)."""

    rule: Text
    rows: tuple[FirefightType, ...]

    def of(self, attackers: Collection[str]) -> FirefightType:
        """Return the type in which exactly these sides have the Attack Option."""
        return next(row for row in self.rows if set(row.attackers) == set(attackers))


class Situation(FilePart):
    """One of the five situations in which a unit may end a firefight; `marker` is an aid."""

    letter: Literal["a", "b", "c", "d", "e"]
    name: Text
    marker: str | None
    clause: Text


@implements("PL 3.212")
class Situations(FilePart):
    """The five situations (PL 3.212)."""

    rule: Text
    rows: tuple[Situation, ...]

    def of(self, letter: str) -> Situation:
        """Return a situation by its letter."""
        return next(row for row in self.rows if row.letter == letter)


class GameEnd(FilePart):
    """The drm of the side moving second at the Game End dr (PL CG2)."""

    rule: Text
    second_mover_drm: int
    notes: tuple[Text, ...] = ()


class Commissars(FilePart):
    """The leaders instead of which a Russian may take a Commissar (PL 2.361 note *)."""

    rule: Text
    instead_of: tuple[Text, ...]


class Limit(FilePart):
    """A number of the rules, and what it limits."""

    id: Text
    value: int
    what: Text
    rule: Text


class PlCharts(FilePart):
    """All charts of Platoon Leader."""

    laager: Literal["pl-charts/1"]
    source: Text
    setup_costs: SetupCosts
    patrols: PatrolPurchase
    reserves: Reserves
    fortifications: FortificationChart
    firefights: FirefightTypes
    situations: Situations
    game_end: GameEnd
    commissars: Commissars
    limits: tuple[Limit, ...]

    @model_validator(mode="after")
    def _limits_differ(self) -> PlCharts:
        refuse_repeats((f"limit {limit.id}" for limit in self.limits), "give one of them another name", ["limits"])
        return self

    def limit(self, id_: str) -> int:
        """Return a number of the rules by its name. Raises RefusedError for an unknown one."""
        for limit in self.limits:
            if limit.id == id_:
                return limit.value
        advice = did_you_mean(id_, [limit.id for limit in self.limits])
        raise RefusedError(Refusal.NO_SUCH, f"there is no limit {id_!r}", advice)

    @implements("PL 2.38 note 3")
    def hip_squads(self, squads: int, *, japanese: bool = False) -> int:
        """Return how many of `squads` may set up hidden by day (PL 2.38 note 3)."""
        percent = self.limit("hip-percent-japanese" if japanese else "hip-percent")
        return squads * percent // 100


@cache
@implements("PL ERRATA")
def charts() -> PlCharts:
    """Return the charts that ship with the rules, their signs and prices mended."""
    name = "charts.yaml"
    return check(read_packaged(PACKAGE, name), PlCharts)
