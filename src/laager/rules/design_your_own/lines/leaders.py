"""Equivalency, and the leaders that it gives: number, quality, trade, exchange DR (H1.74 to H1.82)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.kinds import Column
from laager.catalogue.model import leader_rank
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, format_count, total
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine, Subsection, part_of, rule_lines
from laager.rules.design_your_own.nations import leader_column
from laager.rules.design_your_own.ob import Leaders
from laager.rules.design_your_own.rulebook import Rulebook
from laager.tables import Table

RULE = "DYO H1.74"
TABLE = "leader-exchange"

Counts = Mapping[Subsection, Sequence[int | Fraction]]
"""Actual squads of each subsection, line by line; half-squads are halves."""


@dataclass(frozen=True)
class Equivalency:
    """Equivalents of each subsection and in all, bonus squads included."""

    parts: Mapping[Subsection, Calculation]

    @property
    def total(self) -> int:
        """The Equivalent number of squads of the OB."""
        return sum(part.value for part in self.parts.values())

    @property
    def why(self) -> str:
        """The sum of the subsections, each with how it came about."""
        counted = [f"{name.capitalize()}: {part.why}" for name, part in self.parts.items() if part.parts[0].amount]
        return "; ".join([*counted, f"{self.total} Equivalents"])


@implements("DYO H1.74", "DYO H1.23")
def equivalency(rulebook: Rulebook, counts: Counts) -> Equivalency:
    """Return the Equivalents: elite 4/3, line as they are, conscript 3/4, each FRD (H1.74, H1.23).

    The factors were lost and are rebuilt from the examples.
    """
    by_line = rulebook.reading("equivalency-rounding") == "line"

    def of(subsection: Subsection) -> Calculation:
        factor = rulebook.charts.equivalency.factors[subsection.value]
        lines = [Fraction(number) for number in counts.get(subsection, ())]
        if not by_line:
            lines = [sum(lines, Fraction(0))]
        parts = [_equivalents(number, factor) for number in lines]
        if len(parts) == 1:
            return parts[0]
        return total(((part.value, "Equivalents") for part in parts), RULE)

    return Equivalency({subsection: of(subsection) for subsection in Subsection})


def _equivalents(squads: Fraction, factor: Fraction) -> Calculation:
    equivalents = Calculation.of(squads, "squads", RULE)
    return (equivalents if factor == 1 else equivalents.times(factor, "", RULE)).frd(RULE)


@implements("DYO H1.74")
def counts_of(lines: Iterable[InfantryLine]) -> dict[Subsection, list[Fraction]]:
    """Return the actual squads of each subsection, line by line; crews are not squads (H1.74)."""
    squads: dict[Subsection, list[Fraction]] = {subsection: [] for subsection in Subsection}
    for line in lines:
        if line.squads:
            squads[line.subsection].append(line.squads)
    return squads


@implements("DYO H1.74", "DYO H1.22")
def engineer_equivalents(rulebook: Rulebook, lines: Iterable[InfantryLine]) -> Equivalency:
    """Return the Equivalents of the Assault Engineers alone, for FT and DC (H1.83)."""
    engineers = [line for line in lines if Capability.ASSAULT_ENGINEER in line.capabilities]
    return equivalency(rulebook, counts_of(engineers))


Ladder = Mapping[str, int]
"""Leaders by type."""


@dataclass(frozen=True)
class LeaderCount:
    """How many leaders there are, and the one for a fraction: None for none."""

    leaders: Calculation
    extra: str | Missing | None


@implements("DYO H1.8")
def leader_count(
    rulebook: Rulebook, equivalents: int, lg: int, column: Column, *, fraction_leader: str | None = None
) -> LeaderCount:
    """Return the leaders of an OB: Equivalents by the LG factor, and one more for a fraction (H1.8).

    `fraction_leader` is what the catalogue names for the fraction; the rules have a 7-0, and an 8-0
    for Finns. Leaders cost nothing.
    """
    exact = Calculation.of(equivalents, "Equivalents", "DYO H1.8").over(lg, "LG factor", "DYO H1.8")
    whole = exact.frd("DYO H1.8")
    if whole.amount == exact.amount:
        return LeaderCount(whole, None)
    known = rulebook.charts.leaders.fraction
    extra: str | Missing | None = fraction_leader or known.get(column)
    if extra is None:
        extra = Missing(f"the leader that {column.value} fractions give", "DYO H1.8", known[Column.GENERAL])
    return LeaderCount(whole, extra)


def ladder_types(rulebook: Rulebook, column: Column) -> tuple[str, ...] | Missing:
    """Return the leaders of the ladder from below; only the common ones are in the rules."""
    types = rulebook.charts.leaders.ladders.get(column)
    return types or Missing(f"the leader types of the {column.value} ladder", "DYO H1.81")


@implements("DYO H1.81")
def ladder_steps(rulebook: Rulebook, types: Sequence[str], column: Column) -> tuple[str, ...]:
    """Return the types that may be chosen, from below: those of the ladder, and a 7-0 in place of a 10-3 (H1.81).

    Such a 7-0 is one step beyond the best type, and only where the nation can have a 10-3.
    """
    stand_in = rulebook.charts.leaders.fraction[Column.GENERAL]
    earned = set(rulebook.charts.leaders.exchange_only) & set(rulebook.charts.leaders.ranks[column])
    return (*types, stand_in) if earned and stand_in not in types else tuple(types)


@implements("DYO H1.81")
def best_ladder(leaders: int, types: Sequence[str]) -> dict[str, int]:
    """Return the best leaders that a number of them can be; `types` from below (8-0, 8-1, ...) (H1.81).

    Each better type is rarer than the one below it, as far up as that goes; what is over is added
    from below.
    """
    steps = 0
    while steps < len(types) and (steps + 1) * (steps + 2) // 2 <= leaders:
        steps += 1
    counts = list(range(steps, 0, -1))
    over = leaders - sum(counts)
    return {
        type_: count + over // steps + (place < over % steps)
        for place, (type_, count) in enumerate(zip(types, counts, strict=False))
    }


@implements("DYO H1.81")
def ladder_breaches(
    rulebook: Rulebook, ladder: Ladder, types: Sequence[str], leaders: int | None = None
) -> tuple[Breach, ...]:
    """Return what is wrong with a choice of leaders before the trade; worse ones are legal (H1.81).

    `types` are those of the ladder from below (see `ladder_steps`), `leaders` the number to be chosen.
    """
    rule = "DYO H1.81"
    breaches = []
    for type_, number in ladder.items():
        if type_ in rulebook.charts.leaders.exchange_only and number:
            right = "it comes by the Leader Exchange DR only; a 7-0 can take its place"
            breaches.append(Breach(Reason.LEADERS, rule, f"a {type_} in the ladder", right))
        elif type_ not in types or number < 0:
            breaches.append(Breach(Reason.LEADERS, rule, f"{number} x {type_}", f"leaders are {', '.join(types)}"))
    counts = [ladder.get(type_, 0) for type_ in types]
    for lower, higher, below, above in zip(types, types[1:], counts, counts[1:], strict=False):
        if above and above >= below:
            message = f"{above} x {higher} with {below} x {lower}"
            breaches.append(Breach(Reason.LEADERS, rule, message, f"fewer {higher} than {lower}"))
    chosen = sum(ladder.values())
    if leaders is not None and chosen != leaders:
        breaches.append(Breach(Reason.LEADERS, rule, format_count(chosen, "leader"), f"{leaders} exactly"))
    return tuple(breaches)


@implements("DYO H1.81")
def trade(ladder: Ladder, types: Sequence[str]) -> dict[str, int] | None:
    """Return the leaders after an 8-0 is traded for the lowest type that is absent (H1.81).

    None if there is nothing to trade: the best type is there, or the lowest is not.
    """
    lowest = types[0]
    absent = [type_ for type_ in types if not ladder.get(type_)]
    if ladder.get(types[-1]) or not ladder.get(lowest):
        return None
    traded = {**ladder, lowest: ladder[lowest] - 1, absent[0]: 1}
    return {type_: number for type_, number in traded.items() if number}


# The Leader Exchange DR -------------------------------------------------------------------------


@dataclass(frozen=True)
class Exchange:
    """What a Leader Exchange DR does: who comes, who goes.

    `choices` are those of whom the player must give up one, if the rule leaves it to him.
    """

    gained: str | None = None
    lost: str | None = None
    choices: tuple[str, ...] = ()


def exchange_table(rulebook: Rulebook) -> Table:
    """Return the Leader Exchange Table."""
    return rulebook.tables[TABLE]


def sort_by_quality(leaders: Ladder) -> dict[str, int]:
    """Return the leaders that there are in the order of their quality, from below."""
    return {type_: leaders[type_] for type_ in sorted(leaders, key=leader_rank) if leaders[type_]}


def best_leader(leaders: Ladder) -> str | None:
    """Return the best leader type of an OB, None without leaders."""
    return next(reversed(sort_by_quality(leaders)), None)


@implements("DYO H1.82-T")
def exchange_leader(rulebook: Rulebook, final_dr: int, column: Column) -> str | None:
    """Return the leader of the Leader Exchange Table, None for no exchange (H1.82-T)."""
    if column is Column.JAPANESE and final_dr == 10:
        return rulebook.reading("japanese-exchange-10")
    leader = exchange_table(rulebook).result(final_dr, column.value)
    return None if leader is None else str(leader)


@implements("DYO H1.82", "DYO H1.82-n*", "DYO H1.82-n**")
def exchange(
    rulebook: Rulebook, leaders: Ladder, final_dr: int, column: Column, *, missing: Collection[str] = ()
) -> Exchange:
    """Return what a Leader Exchange DR does to an OB; `missing` are types without a counter left (H1.82).

    A leader better than the best takes his place. The 6+1 (Japanese 8+1) of a 12 takes the place of
    an 8-0 (9-0), or of any other; to the Finns a 12 does nothing.
    """
    new = exchange_leader(rulebook, final_dr, column)
    best = best_leader(leaders)
    if new is None or best is None or new in missing:
        return Exchange()
    usual = rulebook.charts.leaders.replaced.get(column)
    if usual is not None and new == rulebook.charts.leaders.ranks[column][0]:
        if leaders.get(usual):
            return Exchange(new, usual)
        return Exchange(new, None, tuple(type_ for type_ in sort_by_quality(leaders) if type_ != new))
    if leader_rank(new) > leader_rank(best):
        return Exchange(new, best)
    return Exchange()


@implements("DYO H1.82-T")
def odds_exchange(rulebook: Rulebook, leaders: Ladder, column: Column) -> Mapping[str | None, Fraction]:
    """Return the probability of each leader who comes, the best first; None: nothing happens (H1.82-T)."""
    odds: dict[str | None, Fraction] = {}
    for final_dr in range(2, 13):
        gained = exchange(rulebook, leaders, final_dr, column).gained
        ways = 6 - abs(7 - final_dr)
        odds[gained] = odds.get(gained, Fraction(0)) + Fraction(ways, 36)
    return odds


# Of an order of battle ---------------------------------------------------------------------------


@implements("DYO H1.74")
def equivalents_of(cg: Cg, side: str, of: str) -> Equivalency:
    """Return the Equivalents of a contingent, or ("") of the side's own nation (H1.74)."""
    nation = cg.nation(side)
    lines = rule_lines(nation, cg.month, part_of(nation, of, cg.ob(side).infantry))
    return equivalency(cg.rulebook, counts_of(lines))


@implements("DYO H1.74")
def subsections(every: Iterable[Equivalency]) -> dict[str, Calculation]:
    """Return the Equivalents of each subsection of a side, its nations together (H1.74)."""
    first, *others = every
    if not others:
        return {str(name): part for name, part in first.parts.items()}
    return {
        str(name): total(((part.parts[name].value, "Equivalents") for part in (first, *others)), RULE)
        for name in Subsection
    }


def lg_factor(cg: Cg, side: str, of: str = "") -> int | None:
    """Return the Leadership Generation factor of a side's nation, None if nobody knows it."""
    lg = cg.nation(side, of).line.lg.at(cg.month)
    return lg if isinstance(lg, int) else None


def column(cg: Cg, side: str, of: str = "") -> Column:
    """Return the column of the Leader Exchange Table."""
    return cg.nation(side, of).line.column or leader_column(cg.group(side, of))


def count_of(cg: Cg, side: str, lg: int, of: str = "") -> LeaderCount:
    """Return how many leaders a nation of a side has, and the one for a fraction."""
    entered = cg.nation(side, of).line.fraction_leader
    whole = sum(cg.ob(side).equivalents.values())
    return leader_count(
        cg.rulebook,
        whole if cg.nations(side) == ("",) else equivalents_of(cg, side, of).total,
        lg,
        column(cg, side, of),
        fraction_leader=entered if isinstance(entered, str) else None,
    )


def used_up_types(cg: Cg, side: str, own: Leaders, of: str = "") -> tuple[str, ...]:
    """Return the leader types without a counter left; unknown numbers are not a limit (DYO H1.11)."""
    if cg.terms.agreements.extra_pieces:
        return ()
    return tuple(
        type_
        for type_, counters in cg.nation(side, of).leader_counters.items()
        if isinstance(counters, int) and own.held.get(type_, 0) >= counters
    )


@implements("DYO H1.82")
def exchange_of(cg: Cg, side: str, of: str, own: Leaders, final_dr: int) -> Exchange:
    """Return what a Leader Exchange DR does to the leaders of a nation of a side (H1.82)."""
    missing = used_up_types(cg, side, own, of)
    return exchange(cg.rulebook, own.held, final_dr, column(cg, side, of), missing=missing)


@implements("DYO H1.11")
def within_counters(cg: Cg, side: str, held: Mapping[str, int], of: str = "") -> dict[str, int]:
    """Return the leaders for whom one game has counters; unknown numbers are not a limit (H1.11)."""
    counters = cg.nation(side, of).leader_counters
    if cg.terms.agreements.extra_pieces or cg.reading("free-pieces") != "limited":
        counters = {}
    cut = {
        type_: min(number, limit) if isinstance(limit := counters.get(type_), int) else number
        for type_, number in held.items()
    }
    return {type_: number for type_, number in cut.items() if number}


@implements("DYO H1.81")
def ladder_of(cg: Cg, side: str, of: str = "") -> tuple[str, ...] | Missing:
    """Return the leader types of a nation's ladder from below: the catalogue's, else those of the rules (H1.81).

    Those that the Leader Exchange DR alone gives are left out.
    """
    entered = cg.nation(side, of).line.ladder
    named = entered if isinstance(entered, tuple) else ()
    own = tuple(type_ for type_ in named if type_ not in cg.charts.leaders.exchange_only)
    return own or ladder_types(cg.rulebook, column(cg, side, of))


@implements("DYO H1.8", "DYO H1.81", "DYO H1.82")
def leader_types(cg: Cg, side: str, of: str = "") -> tuple[str, ...]:
    """Return every leader type that a nation can have, from the worst to the best (H1.8 to H1.82).

    They are those of its column of the Leader Exchange Table, of its ladder, and of the fraction.
    """
    its_column, line, known = column(cg, side, of), cg.nation(side, of).line, cg.charts.leaders
    ladder = line.ladder if isinstance(line.ladder, tuple) else ()
    fraction = line.fraction_leader
    if not isinstance(fraction, str):
        fraction = known.fraction.get(its_column, known.fraction[Column.GENERAL])
    return tuple(sorted({*known.ranks[its_column], *ladder, fraction}, key=leader_rank))
