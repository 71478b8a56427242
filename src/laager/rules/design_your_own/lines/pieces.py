"""Guns and vehicles alike: Availability DR, rarity, counters, points, identity letters (H1.11, H1.13, H1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoGun, DyoVehicle, Month, Unknown
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, total
from laager.rules.design_your_own.charts import charts, dyo_tables
from laager.tables import Table


class Category(StrEnum):
    """What is bought, in the order in which it must be."""

    INFANTRY = "infantry"
    ORDNANCE = "ordnance"
    VEHICLES = "vehicles"
    OBA = "oba"
    FORTIFICATIONS = "fortifications"
    SECOND_INFANTRY = "second-infantry"

    @property
    def place(self) -> int:
        """Its place in the order, from 0."""
        return tuple(Category).index(self)

    @property
    def words(self) -> str:
        """What players call it."""
        return {"oba": "OBA", "second-infantry": "second Infantry"}.get(self.value, self.value)


@implements("DYO H1.1", "DYO H1.6", "DYO H1.7")
def order_breach(done: Collection[Category], wanted: Category) -> Breach | None:
    """Say whether a category comes too late: it or a later one is closed. OP tanks are exempt."""
    later = [category for category in Category if category in done and category.place >= wanted.place]
    if not later:
        return None
    fortifications = wanted is Category.FORTIFICATIONS and Category.SECOND_INFANTRY in later
    what = f"{wanted.words} after {later[-1].words}"
    order = ", ".join(category.words for category in Category)
    if fortifications:
        return Breach(Reason.TOO_LATE, "DYO H1.7", what, "the second Infantry purchase is the last")
    return Breach(Reason.ORDER, "DYO H1.1", what, f"the order is {order}")


@implements("DYO H1.13")
def exchange_breach(what: str) -> Breach:
    """Return the breach of taking back a recorded piece, for another piece or for points."""
    right = "what is recorded stays; only both players together can correct a slip"
    return Breach(Reason.RECORDED, "DYO H1.13", f"{what} is recorded", right)


@implements("DYO H1.13", "DYO H1.82")
def reroll_breach(what: str, made: int, allowed: int, rule: str = "DYO H1.13") -> Breach | None:
    """Say whether a DR is one too many; one that was declined counts."""
    if made < allowed:
        return None
    times = {0: "no", 1: "one"}.get(allowed, str(allowed))
    made_ = f"{made} {what} made already"
    return Breach(Reason.ONE_ROLL, rule, made_, f"{times} DR only, used or declined")


@implements("DYO H1.13", "DYO H1.51")
def points_breach(cost: int, points: int, what: str = "this") -> Breach | None:
    """Say whether something costs more than is left; nothing recorded can be traded in for it."""
    if cost <= points:
        return None
    return Breach(Reason.POINTS, "DYO H1.13", f"{what} costs {cost}", f"{points} points are left")


@implements("DYO H1.13")
def points_left(allotment: int, spent: Iterable[tuple[str, int]]) -> Calculation:
    """Return the points left of an allotment after all that was spent, in order."""
    left = Calculation.of(allotment, "points", "DYO H1.1")
    for what, points in spent:
        left = left.plus(-points, what, "DYO H1.13") if points else left
    return left


@implements("DYO H1.71")
def announcing_breach(finished: Collection[str], sides: Collection[str]) -> Breach | None:
    """Say whether ELR are announced before both sides have finished the second purchase."""
    if set(sides) <= set(finished):
        return None
    what = "ELR are announced before both second Infantry purchases are over"
    return Breach(Reason.BOTH_FINISHED, "DYO H1.71", what, "both sides finish or pass first")


@implements("DYO H1.11")
def squad_counters() -> int:
    """Return how many squads of a type one game has: one for each letter, A to Z."""
    return charts().counters.squads_of_a_type


@implements("DYO H1.11")
def counter_breach(
    name: str, held: int, adding: int, total: int | None, *, extra_pieces: bool = False
) -> Breach | Missing | None:
    """Say whether more of a piece are wanted than one game has.

    `held` counts both sides and every line of the type; `total` is None if nobody knows it: then
    the answer is Unknown, a warning and no refusal. `extra_pieces` are those agreed on.
    """
    if extra_pieces or adding <= 0:
        return None
    if total is None:
        return Missing(f"how many {name} one game has", "DYO H1.11")
    if held + adding <= total:
        return None
    left = max(total - held, 0)
    what = f"{adding} more {name} with {held} in use"
    right = f"one game has {total}, so {left} can be had" if left else f"one game has {total}"
    return Breach(Reason.COUNTERS, "DYO H1.11", what, right)


@implements("DYO H1.12")
def armament_breach(
    weapon: str, equipped: int, adding: int, counters: int | None, *, agreed: bool = False
) -> Breach | Missing | None:
    """Say whether more optional weapons are wanted than the counters of one game show."""
    if agreed or adding <= 0:
        return None
    if counters is None:
        return Missing(f"how many counters show the optional {weapon}", "DYO H1.12")
    if equipped + adding <= counters:
        return None
    what = f"{equipped + adding} vehicles with the optional {weapon}"
    return Breach(Reason.COUNTERS, "DYO H1.12", what, f"the counters of one game show {counters}")


@implements("DYO H1.12")
def arrangement_breach(
    weapons: frozenset[str], arrangements: frozenset[frozenset[str]], *, agreed: bool = False
) -> Breach | None:
    """Say whether a vehicle's optional weapons are together on no counter of its type.

    `arrangements` are those that the counters show; none at all means that nothing is known.
    """
    if agreed or not weapons or not arrangements or weapons in arrangements:
        return None
    shown = " or ".join(sorted(" and ".join(sorted(group)) for group in arrangements))
    what = f"no counter has just {' and '.join(sorted(weapons))}"
    return Breach(Reason.ARRANGEMENT, "DYO H1.12", what, f"there is {shown}")


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DASH = "-"


def letter(place: int) -> str:
    """Return the ID letter of a counter, from 0; those of a second game are AA, BB and so on."""
    games, rest = divmod(place, squad_counters())
    return LETTERS[rest] * (games + 1)


@implements("DYO H1.21")
def id_letters(first: int, number: int) -> str:
    """Return the ID letters of so many counters, the first of them counted from 0: `A-D`."""
    if number < 1:
        return ""
    if number == 1:
        return letter(first)
    return f"{letter(first)}-{letter(first + number - 1)}"


TABLE = "availability"
RF, LEADER = "rf", "armor-leader"

Rarity = Decimal | float | str
"""An RF as a catalogue or a player writes it; it is compared exactly as written."""


@dataclass(frozen=True, slots=True)
class Availability:
    """What a Final Availability DR gives: the highest RF, and the Armor Leader, None for none."""

    rf: Decimal
    armor_leader: str | None


def availability_table() -> Table:
    """Return the Availability Table."""
    return dyo_tables()[TABLE]


def rarity(rf: Rarity) -> Decimal:
    """Return an RF as a decimal number: .9 stays 0.9 and is not a little more or less."""
    return Decimal(str(rf))


@implements("DYO H1.3", "DYO H1.3-T")
def availability(final_dr: int) -> Availability:
    """Return what a Final DR gives."""
    leader = availability_table().result(final_dr, LEADER)
    return Availability(rarity(str(availability_table().result(final_dr, RF))), None if leader is None else str(leader))


@implements("DYO H1.3", "DYO H1.4")
def rf_limit(final_dr: int, *, motorized: bool = False) -> Decimal:
    """Return the highest RF that can be bought; a motorized unit gets .2 more for vehicles."""
    limit = availability(final_dr).rf
    return limit + charts().motorized.rf if motorized else limit


@implements("DYO H1.3", "DYO H1.4")
def rf_breach(name: str, rf: Rarity | None, limit: Rarity) -> Breach | None:
    """Say whether a Gun or vehicle is too rare; an RF of None means that there is none yet."""
    if rf is None:
        return Breach(Reason.DATE, "DYO H1.3", f"{name} cannot be had at this date", "leave it out")
    if rarity(rf) <= rarity(limit):
        return None
    what = f"{name} has RF {rarity(rf)}"
    return Breach(Reason.RARITY, "DYO H1.3", what, f"{rarity(limit)} or less can be bought")


@implements("DYO H1.3-T")
def odds_rf(*, motorized: bool = False) -> Mapping[Decimal, Fraction]:
    """Return the probability of each highest RF, the rarest first."""
    ways: Counter[Decimal] = Counter()
    for row in availability_table().odds(column=RF):
        ways[rarity(str(row.value))] += row.ways
    extra = charts().motorized.rf if motorized else Decimal(0)
    return {rf + extra: Fraction(ways[rf], 36) for rf in sorted(ways, reverse=True)}


@implements("DYO H1.3-T")
def chance_of(rf: Rarity, *, motorized: bool = False) -> Fraction:
    """Return the probability that a Gun or vehicle of this RF can be bought."""
    odds = odds_rf(motorized=motorized)
    return sum((chance for limit, chance in odds.items() if limit >= rarity(rf)), Fraction(0))


@dataclass(frozen=True)
class Wanted:
    """So many Guns or vehicles of a type, or one that is looked at; None is not known (BPV, "#").

    An `rf` of None means that there is none at the date; `held` are those in use on both sides.
    """

    name: str
    bpv: int | None
    rf: Rarity | None
    number: int = 1
    counters: int | None = None
    held: int = 0


@implements("DYO H1.3", "DYO H1.11")
def wanted_breaches(
    wanted: Sequence[Wanted], limit: Decimal | None, *, extra_pieces: bool = False, rule: str = "DYO H1.3"
) -> tuple[Breach, ...]:
    """Return what is wrong with Guns or vehicles; a `limit` of None means that no DR was made."""
    found: list[Breach] = []
    if wanted and limit is None:
        what = "nothing can be bought before an Availability DR"
        found.append(Breach(Reason.RARITY, rule, what, "make the DR first"))
    for one in wanted:
        if limit is not None:
            found += [breach for breach in (rf_breach(one.name, one.rf, limit),) if breach]
        if one.bpv is None:
            found.append(Missing(f"the BPV of {one.name}", rule).breach())
        counted = counter_breach(one.name, one.held, one.number, one.counters, extra_pieces=extra_pieces)
        if isinstance(counted, Breach):
            found.append(counted)
    return tuple(found)


@implements("DYO H1.3", "DYO H1.4")
def wanted_cost(wanted: Sequence[Wanted], rule: str = "DYO H1.3") -> Calculation | Missing:
    """Return the BPV of Guns or vehicles, crews included; Unknown if one has no BPV."""
    for one in wanted:
        if one.bpv is None:
            return Missing(f"the BPV of {one.name}", rule)
    priced = ((one.bpv or 0, one) for one in wanted)
    return total(((bpv * one.number, f"{one.number} x {one.name}") for bpv, one in priced), rule)


def known(*values: Any) -> bool:
    """Whether all these values of a catalogue are there to be reckoned with."""
    return all(value is not UNKNOWN and value is not None for value in values)


LACKING = "{} lacks values; add them to the catalogue"
"""Why a piece can't be chosen whose price or rarity nobody has entered."""


def priced(piece: DyoGun | DyoVehicle, month: Month) -> bool:
    """Whether the catalogue tells price and rarity of a Gun or vehicle."""
    return known(piece.bpv) and piece.rf.at(month) is not UNKNOWN


def wanted(piece: DyoGun | DyoVehicle, month: Month, number: int = 1, held: int = 0) -> Wanted:
    """Return so many of a Gun or vehicle as the rules judge them; it must be `priced`."""
    rf = piece.rf.at(month)
    return Wanted(
        name=piece.type,
        bpv=plain(piece.bpv),
        rf=None if isinstance(rf, Unknown) else rf,
        number=number,
        counters=plain(piece.counters),
        held=held,
    )


def plain(value: int | Unknown | None) -> int | None:
    """Return a number of the catalogue, None if nobody has entered it."""
    return value if isinstance(value, int) else None


def price_words(piece: DyoGun | DyoVehicle, month: Month) -> str:
    """Return price, rarity and counters of a piece, as an option shows them."""
    counters = f", {piece.counters} counters" if known(piece.counters) else ""
    return f"BPV {piece.bpv}, RF {piece.rf.at(month)}{counters}"
