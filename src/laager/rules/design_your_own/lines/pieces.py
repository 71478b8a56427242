"""Guns and vehicles alike: Availability DR, rarity, counters, points, identity letters (H1.11, H1.13, H1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoGun, DyoVehicle, Month, Unknown
from laager.rules.design_your_own.answers import Breach, Missing, Reason
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import Dr, GunEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.tables import Table


@implements("DYO H1.13", "DYO H1.51")
def points_breach(cost: int, points: int, name: str = "this") -> Breach | None:
    """Return what is wrong if something costs more than is left; recorded pieces can't be traded in (H1.13)."""
    if cost <= points:
        return None
    return Breach(Reason.POINTS, "DYO H1.13", f"{name} costs {cost}", f"{points} points are left")


@implements("DYO H1.13", "DYO H1.51")
def too_dear(cg: Cg, side: str, cost: int, name: str) -> Breach | None:
    """Return what is wrong if something costs more than a side has left (H1.13)."""
    return points_breach(cost, cg.points_left(side), name)


@implements("DYO H1.11")
def counter_breach(name: str, number: int, total: int | None, *, extra_pieces: bool = False) -> Breach | None:
    """Return what is wrong if a side would have more of a piece than one game has (H1.11).

    An unknown `total` is not a limit, nor is any if extra pieces were agreed on.
    """
    if extra_pieces or total is None or number <= total:
        return None
    return Breach(Reason.COUNTERS, "DYO H1.11", f"{number} {name} in all", f"one game has {total}")


def counters_short(cg: Cg, name: str, number: int, counters: object) -> Breach | None:
    """Return what is wrong if one game has too few of a catalogue's piece for a side."""
    total = counters if isinstance(counters, int) else None
    return counter_breach(name, number, total, extra_pieces=cg.terms.agreements.extra_pieces)


@implements("DYO H1.12")
def armament_breach(weapon: str, number: int, counters: int | None, *, agreed: bool = False) -> Breach | None:
    """Return what is wrong if more vehicles have an optional weapon than one game's counters show (H1.12)."""
    if agreed or counters is None or number <= counters:
        return None
    message = f"{number} vehicles with the optional {weapon}"
    return Breach(Reason.COUNTERS, "DYO H1.12", message, f"the counters of one game show {counters}")


@implements("DYO H1.12")
def arrangement_breach(
    weapons: frozenset[str], arrangements: frozenset[frozenset[str]], *, agreed: bool = False
) -> Breach | None:
    """Return what is wrong if no counter of a vehicle's type has just these optional weapons (H1.12).

    `arrangements` are those that the counters show; none at all means that nothing is known.
    """
    if agreed or not weapons or not arrangements or weapons in arrangements:
        return None
    shown = " or ".join(sorted(" and ".join(sorted(group)) for group in arrangements))
    message = f"no counter has just {' and '.join(sorted(weapons))}"
    return Breach(Reason.ARRANGEMENT, "DYO H1.12", message, f"there is {shown}")


Piece = DyoGun | DyoVehicle

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DASH = "-"


def letter(place: int) -> str:
    """Return the ID letter of a counter, from 0; those of a second game are AA, BB and so on."""
    games, rest = divmod(place, len(LETTERS))
    return LETTERS[rest] * (games + 1)


@implements("DYO H1.21")
def id_letters(first: int, number: int) -> str:
    """Return the ID letters of a number of counters, the first of them counted from 0: `A-D` (H1.21)."""
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


def availability_table(rulebook: Rulebook) -> Table:
    """Return the Availability Table."""
    return rulebook.tables[TABLE]


def rarity(rf: Rarity) -> Decimal:
    """Return an RF as a decimal number: .9 stays 0.9 and is not a little more or less."""
    return Decimal(str(rf))


@implements("DYO H1.3", "DYO H1.3-T")
def availability(rulebook: Rulebook, final_dr: int) -> Availability:
    """Return what a Final DR gives (H1.3)."""
    leader = availability_table(rulebook).result(final_dr, LEADER)
    return Availability(
        rarity(str(availability_table(rulebook).result(final_dr, RF))), None if leader is None else str(leader)
    )


@implements("DYO H1.3", "DYO H1.4")
def rf_limit(rulebook: Rulebook, final_dr: int, *, motorized: bool = False) -> Decimal:
    """Return the highest RF that can be bought; a motorized unit gets .2 more for vehicles (H1.3, H1.4)."""
    limit = availability(rulebook, final_dr).rf
    return limit + rulebook.charts.motorized.rf if motorized else limit


def limit_of(rulebook: Rulebook, dr: Dr | None, *, motorized: bool = False) -> Decimal | None:
    """Return the highest RF that an Availability DR allows; None if it was not made."""
    return None if dr is None else rf_limit(rulebook, dr.final, motorized=motorized)


@implements("DYO H1.3", "DYO H1.4")
def rf_breach(name: str, rf: Rarity | None, limit: Rarity) -> Breach | None:
    """Return what is wrong if a Gun or vehicle is too rare; an RF of None means that there is none yet (H1.3)."""
    if rf is None:
        return Breach(Reason.DATE, "DYO H1.3", f"{name} is not available at this date", "leave it out")
    if rarity(rf) <= rarity(limit):
        return None
    message = f"{name} has RF {rarity(rf)}"
    return Breach(Reason.RARITY, "DYO H1.3", message, f"{rarity(limit)} or less can be bought")


@implements("DYO H1.3-T")
def odds_rf(rulebook: Rulebook, *, motorized: bool = False) -> Mapping[Decimal, Fraction]:
    """Return the probability of each highest RF, the rarest first (H1.3-T)."""
    ways: Counter[Decimal] = Counter()
    for row in availability_table(rulebook).odds(column=RF):
        ways[rarity(str(row.value))] += row.ways
    extra = rulebook.charts.motorized.rf if motorized else Decimal(0)
    return {rf + extra: Fraction(ways[rf], 36) for rf in sorted(ways, reverse=True)}


@implements("DYO H1.3-T")
def chance_of(rulebook: Rulebook, rf: Rarity, *, motorized: bool = False) -> Fraction:
    """Return the probability that a Gun or vehicle of this RF can be bought (H1.3-T)."""
    odds = odds_rf(rulebook, motorized=motorized)
    return sum((chance for limit, chance in odds.items() if limit >= rarity(rf)), Fraction(0))


def are_known(*values: Any) -> bool:
    """True if the catalogue has all these values."""
    return all(value is not UNKNOWN and value is not None for value in values)


LACKING = "{} lacks values; add them to the catalogue"
"""Why a piece can't be chosen whose price or rarity nobody has entered."""


def has_price_and_rf(piece: Piece, month: Month) -> bool:
    """True if the catalogue has price and rarity of a Gun or vehicle."""
    return are_known(piece.bpv) and piece.rf.at(month) is not UNKNOWN


@implements("DYO H1.3", "DYO H1.4", "DYO H1.11")
def piece_breaches(
    cg: Cg, piece: Piece, number: int, limit: Decimal | None, rule: str = "DYO H1.3"
) -> Iterator[Breach]:
    """Yield what the rules have against a number of Guns or vehicles of a type; `limit` None: no DR was made."""
    rf = piece.rf.at(cg.month)
    if not are_known(piece.bpv):
        yield Missing(f"the BPV of {piece.type}", rule).breach()
    if rf is UNKNOWN:
        yield Missing(f"the RF of {piece.type} in {cg.month}", rule).breach()
    if limit is None:
        yield Breach(Reason.RARITY, rule, "you can't buy any before an Availability DR", "make the DR first")
    elif not isinstance(rf, Unknown) and (rare := rf_breach(piece.type, rf, limit)):
        yield rare
    if short := counters_short(cg, piece.type, number, piece.counters):
        yield short


@implements("DYO H1.3")
def gun_line(gun: DyoGun, entry: GunEntry) -> GunEntry:
    """Return a line of Guns with its price, crews included; unchanged if nobody has entered the BPV (H1.3)."""
    if not isinstance(gun.bpv, int):
        return entry
    return entry.model_copy(update={"each": gun.bpv, "total": gun.bpv * entry.number})


def plain(value: int | Unknown | None) -> int | None:
    """Return a number of the catalogue, None if nobody has entered it."""
    return value if isinstance(value, int) else None


def price_words(piece: Piece, month: Month) -> str:
    """Return price, rarity and counters of a piece, as an option shows them."""
    counters = f", {piece.counters} counters" if are_known(piece.counters) else ""
    return f"BPV {piece.bpv}, RF {piece.rf.at(month)}{counters}"
