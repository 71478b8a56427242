"""SW, and what comes with reinforcements (H1.83, H1.7, H1.84)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.dyo import DyoNation, SwColumn
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, format_count
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import InfantryLine, part_of, rule_line, rule_lines
from laager.rules.design_your_own.lines.leaders import counts_of, engineer_equivalents, equivalency, lg_factor
from laager.rules.design_your_own.lines.pieces import plain
from laager.rules.design_your_own.ob import GroupShare, InfantryEntry, SwAllotment
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.terms import Reinforcements


@implements("DYO H1.83", "DYO H1.11")
def sw_allotment(
    rulebook: Rulebook,
    equivalents: int,
    ratio: int | None,
    counters: int | None = None,
    *,
    name: str = "SW",
    extra_pieces: bool = False,
) -> Calculation | Missing:
    """Return how many SW of a type an OB gets: Equivalents by the ratio of the chart (FRD) (H1.83, H1.11).

    FT and DC count the Equivalents of Assault Engineers. More than one game has are not received,
    unless extra pieces were agreed on; `counters` None sets no limit.
    """
    if ratio is None:
        return Missing(f"the ratio of {name}", "DYO H1.83")
    number = Calculation.of(equivalents, "Equivalents", "DYO H1.83").over(ratio, f"for each {name}")
    number = number.frd("DYO H1.83")
    limited = not extra_pieces and rulebook.reading("free-pieces") == "limited"
    if counters is None or not limited:
        return number
    return number.at_most(counters, "counters", "DYO H1.11")


@implements("DYO H1.7")
def least_reinforcements(
    rulebook: Rulebook, first_mpv: int, second_mpv: int, second_squads: int | Fraction
) -> Calculation:
    """Return how many squads of the second purchase must enter later: half of them (FRU) (H1.7).

    Only if it cost as much as the first or more.
    """
    if not first_mpv and rulebook.reading("second-after-none") == "none":
        return Calculation.of(0, "nothing was bought first", "DYO H1.7")
    if second_mpv < first_mpv or not second_squads:
        return Calculation.of(0, "less than the first purchase", "DYO H1.7")
    share = rulebook.charts.second_purchase.reinforcements
    squads = Calculation.of(second_squads, "squads of the second purchase", "DYO H1.7")
    return squads.times(share, "", "DYO H1.7").fru("DYO H1.7")


@implements("DYO H1.7")
def reinforcement_breach(least: int, named: int | Fraction, squads: int | Fraction) -> Breach | None:
    """Return what is wrong if too few squads of the second purchase, or more than all, enter later (H1.7)."""
    if named < least:
        message = f"{format_count(named, 'squad')} as reinforcements"
        return Breach(Reason.REINFORCEMENTS, "DYO H1.7", message, f"at least {least}")
    if named > squads:
        message = f"{format_count(named, 'squad')} as reinforcements"
        return Breach(Reason.REINFORCEMENTS, "DYO H1.7", message, f"there are {squads}")
    return None


@implements("DYO H1.84")
def group_breach(turn: int, least: int, type_: str, entering: int, free: int) -> Breach | None:
    """Return what is wrong if a group of the scenario lacks squads while fitting ones stay out of it (H1.84).

    `free`: fitting squads that enter with none of the scenario's groups.
    """
    if entering >= least or not free:
        return None
    message = f"{format_count(entering, 'squad')} as reinforcements in turn {turn}"
    right = f"at least {least}{f' {type_}' if type_ else ''}, as the terms have it"
    return Breach(Reason.REINFORCEMENTS, "DYO H1.84", message, right)


@dataclass(frozen=True)
class Share:
    """What must come with a group of reinforcements at least, out of the OB's own."""

    leaders: Calculation
    sw: Mapping[str, Calculation | Missing]


@implements("DYO H1.84")
def share(
    rulebook: Rulebook,
    equivalents: int,
    lg: int,
    ratios: Mapping[str, int | None],
    *,
    squads: int | Fraction | None = None,
    engineers: Mapping[str, int | None] | None = None,
    engineer_equivalents: int = 0,
) -> Share:
    """Return the leaders and SW that a group brings: Equivalents by LG factor and ratios (FRD) (H1.84).

    `squads` is the actual number, for those who count leaders by it; `engineers` the ratios of FT
    and DC, by the Equivalents of the group's Assault Engineers. The rule is lost but its examples
    are not.
    """
    rule = "DYO H1.84"
    base, basis = Fraction(equivalents), "Equivalents"
    if squads is not None and rulebook.reading("reinforcement-leaders") == "actual":
        base, basis = Fraction(squads), "squads"
    leaders = Calculation.of(base, basis, rule).over(lg, "LG factor", rule).frd(rule)
    sw = {name: _sw(name, equivalents, ratio) for name, ratio in ratios.items()}
    for name, ratio in (engineers or {}).items():
        sw[name] = _sw(name, engineer_equivalents, ratio)
    return Share(leaders, sw)


def _sw(name: str, equivalents: int, ratio: int | None) -> Calculation | Missing:
    if ratio is None:
        return Missing(f"the ratio of {name}", "DYO H1.83")
    number = Calculation.of(equivalents, "Equivalents", "DYO H1.84")
    return number.over(ratio, f"for each {name}", "DYO H1.84").frd("DYO H1.84")


@implements("DYO H1.84")
def share_breaches(least: Share, leaders: int, sw: Mapping[str, int], held: Mapping[str, int]) -> tuple[Breach, ...]:
    """Return what a group lacks, and what it brings although the OB doesn't have it; more is legal (H1.84).

    SW that the side did not get for lack of counters don't have to come.
    """
    breaches = []
    if leaders < least.leaders.value:
        message = f"{format_count(leaders, 'leader')} with the reinforcements"
        breaches.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", message, f"at least {least.leaders.value}"))
    for name, number in least.sw.items():
        brought = sw.get(name, 0)
        if isinstance(number, Calculation) and brought < min(number.value, held.get(name, 0)):
            message = f"{brought} {name} with the reinforcements"
            right = f"at least {min(number.value, held.get(name, 0))}"
            breaches.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", message, right))
    for name, brought in sw.items():
        if brought > held.get(name, 0):
            message = f"{brought} {name} with the reinforcements"
            breaches.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", message, f"the OB has {held.get(name, 0)}"))
    return tuple(breaches)


@implements("DYO H1.84")
def roster_text(held: int, with_group: int) -> str:
    """Return how an SW is written down: `9 + [1]`, the bracket being the reinforcements' (H1.84)."""
    return f"{held - with_group} + [{with_group}]" if with_group else str(held)


# Of an order of battle ---------------------------------------------------------------------------

ENGINEERS = "assault-engineers"


@implements("DYO H1.83")
def allotted_to(cg: Cg, side: str, chart: SwColumn) -> Calculation | None:
    """Return how many SW of a column a side gets for the squads of its nation; None without a ratio (H1.83)."""
    nation = cg.nation(side)
    entries = part_of(nation, nation.ally(chart.type), cg.ob(side).infantry)
    lines = rule_lines(nation, cg.month, entries)
    counted = equivalency(cg.rulebook, counts_of(lines))
    if chart.per == ENGINEERS:
        counted = engineer_equivalents(cg.rulebook, lines)
    allotted = sw_allotment(
        cg.rulebook,
        counted.total,
        plain(chart.ratio),
        plain(chart.counters),
        name=chart.type,
        extra_pieces=cg.terms.agreements.extra_pieces,
    )
    return allotted if isinstance(allotted, Calculation) else None


@implements("DYO H1.83")
def sw_of(cg: Cg, side: str) -> list[tuple[SwAllotment, Calculation]]:
    """Return the SW that a side gets, each with how its number came about (H1.83)."""
    given = ((chart.type, allotted_to(cg, side, chart)) for chart in cg.nation(side).sw_chart(cg.month))
    return [
        (SwAllotment(type=type_, number=number.value), number) for type_, number in given if number and number.value
    ]


def reinforcements_due(cg: Cg, side: str) -> int:
    """Return how many squads of the second purchase must enter later at least (DYO H1.7)."""
    ob = cg.ob(side)
    squads = sum(entry.number for entry in ob.infantry_of_purchase("second") if entry.kind == "squad")
    return int(least_reinforcements(cg.rulebook, ob.mpv("first"), ob.mpv("second"), squads))


@implements("DYO H1.84")
def group_breaches(groups: Sequence[Reinforcements], entries: Sequence[InfantryEntry]) -> list[Breach]:
    """Return the groups of the scenario that have fewer squads than the side could bring (H1.84)."""
    turns = {group.turn for group in groups}
    breaches = []
    for group in groups:
        fit = [entry for entry in entries if entry.kind == "squad" and group.type in ("", entry.type)]
        entering = sum(entry.entering.get(group.turn, 0) for entry in fit)
        used = sum(number for entry in fit for turn, number in entry.entering.items() if turn in turns)
        free = sum(entry.number for entry in fit) - used
        breach = group_breach(group.turn, group.squads, group.type, entering, free)
        breaches += [breach] if breach else []
    return breaches


@dataclass(frozen=True)
class SupportStock:
    """The leaders and SW of a side that no group of reinforcements has yet."""

    leaders: Mapping[str, int]
    sw: Mapping[str, int]


def stock_of(cg: Cg, side: str, taken: Sequence[GroupShare]) -> SupportStock:
    """Return what is left after groups have taken their share."""
    ob = cg.ob(side)
    leaders, sw = Counter(ob.all_leaders), Counter({line.type: line.number for line in ob.sw})
    for share in taken:
        leaders.subtract(share.leaders)
        sw.subtract(share.sw)
    return SupportStock(
        {name: number for name, number in leaders.items() if number > 0},
        {name: number for name, number in sw.items() if number > 0},
    )


@dataclass(frozen=True)
class Needs:
    """What must come with the squads of a turn at least, by the nation (`of`) they are of."""

    nation: DyoNation
    least: Mapping[str, Share]

    @staticmethod
    def of(cg: Cg, side: str, turn: int, stock: SupportStock) -> Needs:
        """Return what the reinforcements of a turn need; no more than is left."""
        nation = cg.nation(side)
        least = {}
        for of in cg.nations(side):
            lines = group_lines(cg, side, turn, of)
            if lines:
                least[of] = share_of(cg, side, of, lines, stock)
        return Needs(nation, least)

    def breaches(self, stock: SupportStock, leaders: Sequence[str], sw: Mapping[str, int]) -> Iterator[Breach]:
        """Yield what the group lacks, and what it brings although the side doesn't have it."""
        for of, least in self.least.items():
            number = sum(self.nation.ally(leader) == of for leader in leaders)
            yield from share_breaches(least, number, self._sw_of(of, sw), self._sw_of(of, stock.sw))
        for name in sw:
            if self.nation.ally(name) not in self.least:
                breach = Breach(
                    Reason.REINFORCEMENTS,
                    "DYO H1.84",
                    f"{name} without squads of its nation",
                    "SW of the nations that enter",
                )
                yield breach

    def _sw_of(self, of: str, sw: Mapping[str, int]) -> dict[str, int]:
        return {name: number for name, number in sw.items() if self.nation.ally(name) == of}


def group_lines(cg: Cg, side: str, turn: int, of: str = "") -> tuple[InfantryLine, ...]:
    """Return the reinforcements of a turn and nation as lines of their own."""
    nation = cg.nation(side)
    return tuple(
        replace(rule_line(nation, cg.month, entry), number=number)
        for entry in part_of(nation, of, cg.ob(side).infantry)
        if (number := entry.entering.get(turn, 0))
    )


def share_of(cg: Cg, side: str, of: str, group: Sequence[InfantryLine], stock: SupportStock) -> Share:
    """Return what must come with squads of a nation; no more leaders than there are."""
    nation = cg.nation(side)
    charts = [column for column in nation.sw_chart(cg.month) if nation.ally(column.type) == of]
    ratios = {chart.type: plain(chart.ratio) for chart in charts if chart.per != ENGINEERS}
    engineers = {chart.type: plain(chart.ratio) for chart in charts if chart.per == ENGINEERS}
    held = sum(number for name, number in stock.leaders.items() if nation.ally(name) == of)
    due = share(
        cg.rulebook,
        equivalency(cg.rulebook, counts_of(group)).total,
        lg_factor(cg, side, of) or 1,
        ratios,
        squads=sum((line.squads for line in group), Fraction(0)),
        engineers=engineers,
        engineer_equivalents=engineer_equivalents(cg.rulebook, group).total,
    )
    return replace(due, leaders=due.leaders.at_most(held, "leaders in the OB"))
