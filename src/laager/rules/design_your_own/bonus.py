"""Bonus Infantry: free squads for the side with the lower ELR, and their types (H1.71, H1.73)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.kinds import Kind
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.infantry import InfantryLine
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning, reading, some, spoken


@implements("DYO H1.71", "DYO H1.71-T", "DYO H1.71-n")
def bonus_number(own_elr: int, enemy_elr: int, own_mpv: int, enemy_mpv: int) -> Reckoning:
    """Return the bonus number of a side in squads; a half is a half-squad.

    The chart gives half a squad for each point of ELR and each 50 MPV or part of them; beyond its
    ends the pattern goes on. There is none for the higher or an equal ELR, nor if a side spent
    nothing on Infantry.
    """
    chart = charts().bonus
    if own_elr >= enemy_elr:
        return Reckoning.of(0, "as the ELR is not the lower one", "DYO H1.71")
    if not own_mpv or not enemy_mpv:
        return Reckoning.of(0, "a side spent nothing on Infantry", "DYO H1.71")
    steps = Reckoning.of(own_mpv, "Infantry MPV", chart.rule).over(chart.step, "", chart.rule)
    steps = steps.fru(chart.rule).times(enemy_elr - own_elr, "ELR difference", chart.rule)
    return steps.times(chart.for_each, "squads", chart.rule)


@dataclass(frozen=True, slots=True)
class MostNumerous:
    """The type that most squads of a side are, whatever their capabilities; its plain BPV."""

    type: str
    squads: Fraction
    bpv: int
    tied: tuple[str, ...]


@implements("DYO H1.73")
def most_numerous(
    squads: Mapping[str, int | Fraction], bpv: Mapping[str, int], *, chosen: Mapping[str, str] | None = None
) -> MostNumerous | None:
    """Return the most numerous type by actual squads; of several the cheaper; None without any."""
    counted = {type_: Fraction(number) for type_, number in squads.items() if number > 0}
    if not counted:
        return None
    most = max(counted.values())
    tied = tuple(type_ for type_, number in counted.items() if number == most)
    dearer = reading("bonus-tie", chosen or {}) == "dearer"
    type_ = sorted(tied, key=lambda name: (-bpv[name] if dearer else bpv[name], name))[0]
    return MostNumerous(type_, most, bpv[type_], tied)


@implements("DYO H1.73")
def squads_by_type(lines: Iterable[InfantryLine]) -> dict[str, Fraction]:
    """Return the actual number of squads of each type, capabilities disregarded."""
    found: dict[str, Fraction] = {}
    for line in lines:
        if line.bought and line.kind is Kind.SQUAD:
            found[line.type] = found.get(line.type, Fraction(0)) + line.squads
    return found


@dataclass(frozen=True)
class BonusOffer:
    """Which types the bonus squads can be, and how many in all; `dearer`: at half the number."""

    most: MostNumerous
    types: tuple[str, ...]
    number: Reckoning
    dearer: bool


@implements("DYO H1.73", "DYO H1.11")
def bonus_types(
    most: MostNumerous,
    bpv: Mapping[str, int],
    number: Reckoning,
    *,
    unavailable: Collection[str] = (),
    chosen: Mapping[str, str] | None = None,
) -> BonusOffer:
    """Return the types that are offered: those no dearer than the most numerous one.

    `bpv` has every squad type of the nation at the date, plain; `unavailable` are those without a
    counter left. If none within the limit is left, the next dearer ones come at half the number.
    """
    gone = set() if reading("free-pieces", chosen or {}) == "free" else set(unavailable)
    left = {type_: worth for type_, worth in bpv.items() if type_ not in gone}
    within = [type_ for type_, worth in left.items() if worth <= most.bpv]
    if within:
        return BonusOffer(most, _dearest_first(within, bpv), number, dearer=False)
    half = charts().bonus.dearer
    halved = number.times(half, "dearer types", "DYO H1.73")
    # A half of a half-squad is nothing.
    if halved.amount.denominator > 2:
        halved = halved.times(2, "half-squads").frd("DYO H1.73").over(2, "")
    above = list(left)
    if above and reading("bonus-dearer", chosen or {}) == "next":
        lowest = min(left.values())
        above = [type_ for type_, worth in left.items() if worth == lowest]
    return BonusOffer(most, _dearest_first(above, bpv), halved, dearer=True)


def _dearest_first(types: Iterable[str], bpv: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(types, key=lambda type_: -bpv[type_]))


@implements("DYO H1.73")
def bonus_breaches(offer: BonusOffer, picked: Mapping[str, int | Fraction]) -> tuple[Breach, ...]:
    """Return what is wrong with a choice of bonus squads; fewer than offered are legal."""
    found = []
    for type_, number in picked.items():
        if type_ not in offer.types:
            right = ", ".join(offer.types) or "none is left"
            found.append(Breach(Reason.BONUS, "DYO H1.73", f"{type_} as a bonus squad", right))
        if number <= 0 or Fraction(number).denominator > 2:
            what = f"{some(number, 'bonus squad')} of {type_}"
            found.append(Breach(Reason.SIZE, "DYO H1.73", what, "whole squads, and a half-squad"))
    total = sum((Fraction(number) for number in picked.values()), Fraction(0))
    if total > offer.number.amount:
        what = some(total, "bonus squad")
        right = f"{spoken(offer.number.amount)} at most"
        found.append(Breach(Reason.BONUS, "DYO H1.73", what, right))
    halves = [type_ for type_, number in picked.items() if Fraction(number).denominator == 2]
    if len(halves) > 1:
        what = f"half-squads of {' and '.join(halves)}"
        found.append(Breach(Reason.BONUS, "DYO H1.73", what, "one half-squad at most"))
    return tuple(found)
