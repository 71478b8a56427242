"""ELR by the chart and as announced, and the bonus squads that follow from it (H1.28, H1.71 to H1.73)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Kind
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, format_amount, format_count
from laager.rules.design_your_own.charts import ChartCell, ElrChart
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import infantry
from laager.rules.design_your_own.lines.pieces import are_known, counters_short
from laager.rules.design_your_own.nations import NORWAY, Group, is_theatre
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.terms import SIDES, other_side

CHART = "DYO H1.28-T"


@implements("DYO H1.28", "DYO H1.28-T", "DYO H1.28-nAxis", "DYO H1.28-nAllied", "DYO H1.28-n**")
def chart_elr(
    rulebook: Rulebook,
    group: Group | None,
    month: Month,
    *,
    enemy: Group | None = None,
    theatre: str = "",
    majority_elite: bool | None = None,
) -> Calculation | Missing:
    """Return the ELR of the chart, or what must be supplied where it has a dash or lost a note (H1.28).

    `majority_elite`: the G.M.D. Majority Squad Type is Elite.
    """
    chart = rulebook.charts.elr
    if group is Group.ALLIED_MINOR:
        return Calculation.of(chart.allied_minor, "Allied Minor", "DYO H1.28-nAllied")
    if group is None:
        return Missing("the ELR of a nation without a row", CHART)
    if group is Group.RED_CHINESE:
        return Missing("the ELR of Red Chinese", "DYO H1.28-n**")
    row = chart_row(group)
    period, cell = chart.cell(row, month)
    if cell is None:
        return Missing(f"the ELR of {group.words} in {month}", CHART)
    elr = Calculation.of(cell.number, f"{row.words} {period}", CHART)
    if group is Group.AXIS_MINOR:
        return _within_elr(elr.plus(chart.axis_minor, "Axis Minor", "DYO H1.28-nAxis"), chart)
    return _apply_note(rulebook, elr, cell, enemy, theatre, majority_elite)


@implements("DYO H1.28-T")
def chart_span(rulebook: Rulebook, group: Group) -> str:
    """Say for which time the chart has ELR of a group; "" where it has a number for all or none (H1.28-T)."""
    chart = rulebook.charts.elr
    if group in (Group.ALLIED_MINOR, Group.RED_CHINESE):
        return ""
    row = chart_row(group)
    there = [
        f"“{period.name}” ({cell.number})"
        for period, cell in zip(chart.periods, chart.rows[row], strict=True)
        if cell is not None
    ]
    return f"its row {row.words} has numbers from the column {there[0]} to {there[-1]}"


def _within_elr(elr: Calculation, chart: ElrChart) -> Calculation:
    """Return an ELR that a note has changed, no lower than there is one and no higher."""
    return elr.at_most(chart.highest, "ELR") if elr.amount >= 0 else Calculation.of(0, "at least", "DYO H1.28-nAxis")


@implements("DYO H1.28-n*", "DYO H1.28-n***")
def chart_row(group: Group) -> Group:
    """Return the row of the chart that a group uses (H1.28-n*)."""
    rows = {Group.FREE_FRENCH: Group.BRITISH, Group.FINNISH: Group.GERMAN, Group.AXIS_MINOR: Group.GERMAN}
    return rows.get(group, group)


@implements("DYO H1.28-n1", "DYO H1.28-n2", "DYO H1.28-n3", "DYO H1.28-n4", "DYO H1.28-n5")
def _apply_note(
    rulebook: Rulebook,
    elr: Calculation,
    cell: ChartCell,
    enemy: Group | None,
    theatre: str,
    majority_elite: bool | None,
) -> Calculation | Missing:
    """Apply the note of a cell."""
    chart = rulebook.charts.elr
    rule = f"DYO H1.28-n{cell.note}"
    chinese = enemy is not None and enemy.chinese
    if cell.note == "1" and chinese:
        return Calculation.of(chart.japanese_against, "against Chinese", rule)
    if cell.note == "2":
        if enemy is Group.BRITISH:
            return Calculation.of(chart.japanese_against, "against British", rule)
        suggestion = chart.japanese_against if chinese else cell.number
        return Missing("the Japanese ELR against others than British", rule, suggestion)
    if cell.note == "3":
        if majority_elite is None:
            lost = "whether the G.M.D. Majority Squad Type is Elite (a second condition is lost)"
            return Missing(lost, rule, cell.number)
        more = "Majority Squad Type Elite"
        return _within_elr(elr.plus(chart.gmd_elite_majority, more, rule), chart) if majority_elite else elr
    if cell.note == "4":
        return Missing("what note 4 says of the G.M.D. ELR", rule, cell.number)
    if cell.note == "5" and is_theatre(theatre, NORWAY):
        return _within_elr(elr.plus(chart.french_norway, "Norway", rule), chart)
    return elr


@dataclass(frozen=True, slots=True)
class Announced:
    """The ELR that a side announces; `tied` are all that equally many squads have."""

    elr: int
    squads: Fraction
    tied: tuple[int, ...]

    @property
    def why(self) -> str:
        """How it was found."""
        if len(self.tied) == 1:
            return f"ELR {self.elr} is that of {format_amount(self.squads)} squads, more than any other"
        names = " and ".join(map(str, self.tied))
        return f"ELR {names} have {format_amount(self.squads)} squads each; the highest is announced"


@implements("DYO H1.71", "DYO H1.72")
def announced_elr(squads: Mapping[int, int | Fraction]) -> Announced | None:
    """Return the ELR that most squads have, of equally many the highest; None without squads (H1.71, H1.72)."""
    counted = {elr: Fraction(number) for elr, number in squads.items() if number > 0}
    if not counted:
        return None
    most = max(counted.values())
    tied = tuple(sorted(elr for elr, number in counted.items() if number == most))
    return Announced(tied[-1], most, tied)


@implements("DYO H1.71")
def squads_by_elr(lines: Iterable[infantry.InfantryLine], side_elr: int) -> dict[int, int]:
    """Return how many squads, both purchases together, have each ELR; squads only are counted (H1.71)."""
    squads = Counter[int]()
    for line in lines:
        if line.bought and line.kind is Kind.SQUAD:
            squads[infantry.elr_of(line, side_elr)] += line.number
    return dict(sorted(squads.items()))


@implements("DYO H1.71", "DYO H1.71-T", "DYO H1.71-n")
def bonus_number(rulebook: Rulebook, own_elr: int, enemy_elr: int, own_mpv: int, enemy_mpv: int) -> Calculation:
    """Return the bonus number of a side in squads; a half is a half-squad (H1.71).

    The chart gives half a squad for each point of ELR and each 50 MPV or part of them; beyond its
    ends the pattern goes on. There is none for the higher or an equal ELR, nor if a side spent
    nothing on Infantry.
    """
    chart = rulebook.charts.bonus
    if own_elr >= enemy_elr:
        return Calculation.of(0, "as the ELR is not the lower one", "DYO H1.71")
    if not own_mpv or not enemy_mpv:
        return Calculation.of(0, "a side spent nothing on Infantry", "DYO H1.71")
    steps = Calculation.of(own_mpv, "Infantry MPV", chart.rule).over(chart.step, "", chart.rule)
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
    rulebook: Rulebook, squads: Mapping[str, int | Fraction], bpv: Mapping[str, int]
) -> MostNumerous | Missing | None:
    """Return the most numerous type by actual squads; of several the cheaper; None without any (H1.73).

    What must be supplied where nobody has entered its BPV.
    """
    counted = {type_: Fraction(number) for type_, number in squads.items() if number > 0}
    if not counted:
        return None
    most = max(counted.values())
    tied = tuple(type_ for type_, number in counted.items() if number == most)
    unknown = [type_ for type_ in tied if type_ not in bpv]
    if unknown:
        return Missing(f"the BPV of {unknown[0]}, the most numerous type", "DYO H1.73")
    dearer = rulebook.reading("bonus-tie") == "dearer"
    type_ = sorted(tied, key=lambda name: (-bpv[name] if dearer else bpv[name], name))[0]
    return MostNumerous(type_, most, bpv[type_], tied)


@implements("DYO H1.73")
def squads_by_type(lines: Iterable[infantry.InfantryLine]) -> dict[str, Fraction]:
    """Return the actual number of squads of each type, capabilities disregarded (H1.73)."""
    squads: dict[str, Fraction] = {}
    for line in lines:
        if line.bought and line.kind is Kind.SQUAD:
            squads[line.type] = squads.get(line.type, Fraction(0)) + line.squads
    return squads


@dataclass(frozen=True)
class BonusOffer:
    """Which types the bonus squads can be, and how many in all; `dearer`: at half the number."""

    most: MostNumerous
    types: tuple[str, ...]
    number: Calculation
    dearer: bool


@implements("DYO H1.73", "DYO H1.11")
def bonus_types(
    rulebook: Rulebook,
    most: MostNumerous,
    bpv: Mapping[str, int],
    number: Calculation,
    *,
    unavailable: Collection[str] = (),
) -> BonusOffer:
    """Return the types that are offered: those no dearer than the most numerous one (H1.73, H1.11).

    `bpv` has every squad type of the nation at the date, plain; `unavailable` are those without a
    counter left. If none within the limit is left, the next dearer ones come at half the number.
    """
    gone = set() if rulebook.reading("free-pieces") == "free" else set(unavailable)
    left = {type_: worth for type_, worth in bpv.items() if type_ not in gone}
    within = [type_ for type_, worth in left.items() if worth <= most.bpv]
    if within:
        return BonusOffer(most, _dearest_first(within, bpv), number, dearer=False)
    half = rulebook.charts.bonus.dearer
    halved = number.times(half, "dearer types", "DYO H1.73")
    # A half of a half-squad is nothing.
    if halved.amount.denominator > 2:
        halved = halved.times(2, "half-squads").frd("DYO H1.73").over(2, "")
    above = list(left)
    if above and rulebook.reading("bonus-dearer") == "next":
        lowest = min(left.values())
        above = [type_ for type_, worth in left.items() if worth == lowest]
    return BonusOffer(most, _dearest_first(above, bpv), halved, dearer=True)


def _dearest_first(types: Iterable[str], bpv: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(types, key=lambda type_: -bpv[type_]))


@implements("DYO H1.73")
def bonus_breaches(offer: BonusOffer, picked: Mapping[str, int | Fraction]) -> tuple[Breach, ...]:
    """Return what is wrong with a choice of bonus squads; fewer than offered are legal (H1.73)."""
    breaches = []
    for type_, number in picked.items():
        if type_ not in offer.types:
            right = ", ".join(offer.types) or "none is left"
            breaches.append(Breach(Reason.BONUS, "DYO H1.73", f"{type_} as a bonus squad", right))
        if number <= 0 or Fraction(number).denominator > 2:
            message = f"{format_count(number, 'bonus squad')} of {type_}"
            breaches.append(Breach(Reason.SIZE, "DYO H1.73", message, "whole squads, and a half-squad"))
    total = sum((Fraction(number) for number in picked.values()), Fraction(0))
    if total > offer.number.amount:
        message = format_count(total, "bonus squad")
        breaches.append(Breach(Reason.BONUS, "DYO H1.73", message, f"{format_amount(offer.number.amount)} at most"))
    halves = [type_ for type_, number in picked.items() if Fraction(number).denominator == 2]
    if len(halves) > 1:
        message = f"half-squads of {' and '.join(halves)}"
        breaches.append(Breach(Reason.BONUS, "DYO H1.73", message, "one half-squad at most"))
    return tuple(breaches)


# Of an order of battle ---------------------------------------------------------------------------

HALF = Fraction(1, 2)


def side_elr(cg: Cg, side: str) -> int:
    """Return the ELR of a side by its terms, which had it from the chart or by agreement."""
    elr = cg.terms.side(side).elr
    assert elr is not None, "loading the terms settles it"
    return elr


@implements("DYO H1.71")
def bonus_of(cg: Cg, side: str) -> Calculation:
    """Return the bonus number of a side once both have announced (H1.71)."""
    own, enemy = cg.ob(side), cg.ob(other_side(side))
    spent = {side: cg.ob(side).mpv("first") + cg.ob(side).mpv("second") for side in SIDES}
    assert own.announced_elr is not None
    assert enemy.announced_elr is not None
    return bonus_number(cg.rulebook, own.announced_elr, enemy.announced_elr, spent[side], spent[other_side(side)])


def squads_words(number: Fraction) -> str:
    """Return a number of squads as the chart prints it: 5, 2½, ½."""
    whole, half = divmod(number, 1)
    return f"{whole or ''}{'½' if half else ''}" or "0"


@implements("DYO H1.73")
def bonus_offer(cg: Cg, side: str, number: Calculation | None = None) -> BonusOffer | Missing | None:
    """Return what a side may pick, None if it has no bonus or no squads to go by (H1.73).

    `number` is its bonus number; without it, what follows from what both sides announced. What must
    be supplied where the most numerous type has no BPV, as in an order of battle from elsewhere.
    """
    number = bonus_of(cg, side) if number is None else number
    if not number.amount:
        return None
    nation, month = cg.nation(side), cg.month
    free = [squad for squad in nation.squads(month) if infantry.has_price(squad, month)]
    bpv = {squad.type: squad.bpv for squad in free if isinstance(squad.bpv, int)}
    squads = squads_by_type(infantry.rule_lines(nation, month, cg.ob(side).infantry))
    # The check meets types that aren't there at the date; their BPV counts all the same.
    prices = {type_: price for type_ in squads if isinstance(price := nation.mmc(type_).bpv, int)}
    most = most_numerous(cg.rulebook, squads, prices)
    if not isinstance(most, MostNumerous):
        return most
    have = infantry.counters_taken(cg.ob(side).infantry)
    gone = [squad.type for squad in free if counters_short(cg, squad.type, have.get(squad.type, 0) + 1, squad.counters)]
    if cg.reading("contingent-bonus") == "nation":
        home = nation.ally(most.type)
        bpv = {type_: price for type_, price in bpv.items() if nation.ally(type_) == home}
    return bonus_types(cg.rulebook, most, bpv, number, unavailable=gone)


def entries_of(cg: Cg, side: str, type_: str, number: Fraction) -> list[InfantryEntry]:
    """Return the lines of a bonus type: squads, and a half-squad of its kind for the half."""
    lines = infantry.rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    free = infantry.side_wide(lines)
    bonus_lines = []
    if int(number):
        bonus_lines.append(_bonus(cg, side, type_, int(number), free))
    half = half_of(cg, side, type_)
    if number % 1 and half is not None:
        bonus_lines.append(_bonus(cg, side, half, 1, free))
    return bonus_lines


def half_of(cg: Cg, side: str, type_: str) -> str | None:
    """Return the half-squad of a squad type, None if the catalogue doesn't tell."""
    nation = cg.nation(side)
    half = nation.mmc(type_).half
    every = {mmc.type: mmc for mmc in nation.half_squads(cg.month)}
    return half if isinstance(half, str) and half in every and are_known(every[half].grade) else None


def _bonus(cg: Cg, side: str, type_: str, number: int, free: frozenset[infantry.Capability]) -> InfantryEntry:
    mmc = cg.nation(side).mmc(type_)
    elite = mmc.subsection == "Elite"
    has = {mark for mark in free if mark is not infantry.Capability.SKI or elite}
    if infantry.Capability.SKI in has or mmc.ski_included:
        has.discard(infantry.Capability.WINTER_CAMOUFLAGE)
    if mmc.ski_included:
        has.discard(infantry.Capability.SKI)
    marks = tuple(mark.value for mark in infantry.Capability if mark in has)
    return InfantryEntry(type=type_, kind=mmc.kind, number=number, capabilities=marks, purchase="bonus")
