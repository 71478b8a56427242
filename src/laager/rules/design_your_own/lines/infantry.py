"""Infantry: lines of the Roster, what they cost with their capabilities, who can have them (H1.2 to H1.27)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoMmc, DyoNation, Month
from laager.catalogue.kinds import Grade, Kind
from laager.rules.design_your_own import charts as data
from laager.rules.design_your_own.answers import Breach, Calculation, Reason
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.pieces import are_known, counters_short, id_letters
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.rulebook import Rulebook

COMMANDO_ELR = 5

_LEADER = re.compile(r"\d+[-+]\d")


class Capability(StrEnum):
    """What Infantry can be bought with; the order is that of the marks on the Roster."""

    ASSAULT_ENGINEER = "assault-engineer"
    SAPPER = "sapper"
    COMMANDO = "commando"
    MOL = "mol"
    SKI = "ski"
    WINTER_CAMOUFLAGE = "winter-camouflage"
    PARACHUTE = "parachute"

    @property
    def printed_row(self) -> data.CapabilityRow:
        """Its row of the printed chart, for its name, its mark and its clause."""
        return data.printed_charts().capabilities.row(self.value)

    @property
    def mark(self) -> str:
        """The letter of the A/B column."""
        return self.printed_row.mark

    @property
    def words(self) -> str:
        """What players call it."""
        return self.printed_row.name


SPECIALISTS = frozenset({Capability.ASSAULT_ENGINEER, Capability.SAPPER, Capability.COMMANDO})
"""The capabilities of single squads that multiply the BPV."""


class Subsection(StrEnum):
    """The parts of the Roster's Infantry section."""

    ELITE = "elite"
    LINE = "line"
    CONSCRIPT = "conscript"


class LineOrigin(StrEnum):
    """Where a line of Infantry comes from."""

    FIRST = "first"
    SECOND = "second"
    BONUS = "bonus"


@implements("DYO H1.21")
def subsection(grade: Grade) -> Subsection:
    """Return where a class is recorded: all that is neither elite nor conscript is Line (H1.21)."""
    if grade is Grade.ELITE:
        return Subsection.ELITE
    return Subsection.CONSCRIPT if grade is Grade.CONSCRIPT else Subsection.LINE


@dataclass(frozen=True)
class InfantryLine:
    """A line of Infantry: MMC of one type with the same capabilities, and their number.

    `at_range` is the range of the inherent PF at the date; `elr` an ELR of its own, None for the
    side's; `ski_included` is for those whose BPV has skis in it (Sissi), `always_commando` for
    Gurkhas, `own_nationality` false for a contingent of another nation. `equivalent` is how many
    squads one counts as, None for the usual number; `may_be` are the only specialists that they can
    be bought as, None if nobody has said.
    """

    type: str
    grade: Grade
    bpv: int
    number: int
    capabilities: frozenset[Capability] = frozenset()
    at_range: int = 0
    kind: Kind = Kind.SQUAD
    origin: LineOrigin = LineOrigin.FIRST
    elr: int | None = None
    ski_included: bool = False
    always_commando: bool = False
    partisan: bool = False
    own_nationality: bool = True
    equivalent: Fraction | None = None
    may_be: frozenset[Capability] | None = None

    @property
    def subsection(self) -> Subsection:
        """The subsection of the Roster; crews rank as Elite."""
        return Subsection.ELITE if self.kind is Kind.CREW else subsection(self.grade)

    @property
    def elite(self) -> bool:
        """True if they are elite MMC."""
        return self.subsection is Subsection.ELITE

    @property
    def squads(self) -> Fraction:
        """How many squads they are: a half-squad is a half, a crew none, unless entered."""
        if self.equivalent is not None:
            return self.number * self.equivalent
        worth = {Kind.SQUAD: Fraction(1), Kind.HALF_SQUAD: Fraction(1, 2)}
        return self.number * worth.get(self.kind, Fraction(0))

    @property
    def bought(self) -> bool:
        """True if points were paid for it; bonus squads are free."""
        return self.origin is not LineOrigin.BONUS


# What it costs ----------------------------------------------------------------------------------


@implements(
    "DYO H1.202",
    "DYO H1.203",
    "DYO H1.204",
    "DYO H1.211",
    "DYO H1.22",
    "DYO H1.23",
    "DYO H1.24",
    "DYO H1.25",
    "DYO H1.26",
)
def mpv_each(
    rulebook: Rulebook,
    bpv: int,
    capabilities: Collection[Capability] = (),
    at_range: int = 0,
    *,
    ski_included: bool = False,
) -> Calculation:
    """Return the MPV of one MMC: factors on its BPV first (FRU), then what is added (H1.202 to H1.26)."""
    worth = Calculation.of(bpv, "BPV", "DYO H1.211")
    rows = [rulebook.charts.capabilities.row(capability) for capability in Capability if capability in capabilities]
    each = rulebook.reading("capability-rounding") == "each"
    for row in rows:
        if row.factor is not None:
            worth = worth.times(row.factor, row.name, row.rule)
            worth = worth.fru("DYO H1.26") if each else worth
    worth = worth.fru("DYO H1.26")
    for row in rows:
        if row.adds is not None and not _in_the_price(row, capabilities, ski_included):
            worth = worth.plus(row.adds, row.name, row.rule)
    return worth.plus(at_range, "inherent AT range", "DYO H1.211") if at_range else worth


def _in_the_price(row: data.CapabilityRow, capabilities: Collection[Capability], ski_included: bool) -> bool:
    """True if something that adds is paid for already: skis bring Winter Camouflage."""
    if row.id == Capability.SKI:
        return ski_included
    return row.id == Capability.WINTER_CAMOUFLAGE and (ski_included or Capability.SKI in capabilities)


def each_of(rulebook: Rulebook, line: InfantryLine) -> Calculation:
    """Return the MPV of one MMC of a line."""
    return mpv_each(rulebook, line.bpv, line.capabilities, line.at_range, ski_included=line.ski_included)


# Who can have it --------------------------------------------------------------------------------


@implements("DYO H1.2")
def not_for_sale(name: str) -> Breach | None:
    """Return why something is never bought: a Hero comes in play, leaders are allotted (H1.2)."""
    if name.strip().casefold() == "hero":
        return Breach(Reason.NOT_FOR_SALE, "DYO H1.2", "a Hero has no price", "he can arise in play only")
    if _LEADER.fullmatch(name.strip()):
        return Breach(Reason.NOT_FOR_SALE, "DYO H1.2", f"the leader {name} has no price", "H1.8 allots leaders")
    return None


def line_breaches(rulebook: Rulebook, line: InfantryLine) -> tuple[Breach, ...]:
    """Return everything that is wrong with a line by itself."""
    breaches: list[Breach] = []
    if line.number < 1:
        breaches.append(Breach(Reason.SIZE, "DYO H1.21", f"{line.number} of {line.type} are none", "one or more"))
    if line.kind is Kind.HALF_SQUAD and line.bought and rulebook.reading("half-squads") == "no":
        message = f"{line.type} is a half-squad"
        breaches.append(Breach(Reason.NOT_FOR_SALE, "DYO H1.2", message, "buy squads or crews"))
    breaches += _specialist_breaches(rulebook, line)
    breaches += _elite_only_breaches(line)
    return tuple(breaches)


def _capability_breach(line: InfantryLine, capability: Capability, why: str, right: str, rule: str) -> Breach:
    return Breach(Reason.CAPABILITY, rule, f"{line.type} as {capability.words}: {why}", right)


@implements("DYO H1.22", "DYO H1.23", "DYO H1.24", "DYO H1.27")
def _specialist_breaches(rulebook: Rulebook, line: InfantryLine) -> Iterator[Breach]:
    """Yield what bars Assault Engineers, Sappers and Commandos."""
    for capability in Capability:
        if capability not in SPECIALISTS & line.capabilities:
            continue
        if line.may_be is not None and capability not in line.may_be:
            yield _capability_breach(
                line, capability, "the catalogue does not let them be", "leave it out", "DYO H1.21"
            )
        row = capability.printed_row
        if line.kind is not Kind.SQUAD:
            yield _capability_breach(line, capability, "it is not a squad", "squads only", row.rule)
        if not line.bought:
            yield _capability_breach(line, capability, "bonus squads are plain", "leave it out", "DYO H1.73")
    engineers = Capability.ASSAULT_ENGINEER
    elite_only = rulebook.reading("engineer-class") == "elite"
    if engineers in line.capabilities and not line.elite and elite_only:
        yield _capability_breach(line, engineers, "they are not Elite", "Elite squads only", "DYO H1.22")
    for capability in (engineers, Capability.SAPPER):
        if line.partisan and capability in line.capabilities:
            yield _capability_breach(line, capability, "they are Partisans", "leave it out", "DYO H1.27")
    yield from _commando_breaches(line)


def _commando_breaches(line: InfantryLine) -> Iterator[Breach]:
    commando = Capability.COMMANDO
    if commando in line.capabilities:
        # Partisans have leave of their own, or it would be nearly empty.
        if not line.elite and not line.partisan:
            yield _capability_breach(line, commando, "they are not Elite", "Elite squads only", "DYO H1.24")
        if not line.own_nationality:
            yield _capability_breach(
                line, commando, "they are of another nation", "squads of the side's own", "DYO H1.24"
            )
    elif line.always_commando and line.bought:
        message = f"{line.type} is not bought as {commando.words}"
        yield Breach(Reason.CAPABILITY, "DYO H1.24", message, "Gurkhas always are")


@implements("DYO H1.202", "DYO H1.204")
def _elite_only_breaches(line: InfantryLine) -> Iterator[Breach]:
    for capability in (Capability.SKI, Capability.PARACHUTE):
        if capability in line.capabilities and not line.elite:
            yield _capability_breach(
                line, capability, "they are not Elite", "elite MMC only", capability.printed_row.rule
            )


@implements("DYO H1.202", "DYO H1.203", "DYO H1.25")
def side_wide_breaches(lines: Sequence[InfantryLine]) -> tuple[Breach, ...]:
    """Return which capabilities some have and others lack, over both purchases of a side (H1.202, H1.203, H1.25).

    Skis: every elite MMC; Winter Camouflage: every MMC without skis; MOL: every MMC.
    """
    bought = [line for line in lines if line.bought]
    skiers = [line for line in bought if line.elite and not line.ski_included]
    walkers = [line for line in bought if Capability.SKI not in line.capabilities and not line.ski_included]
    breaches = []
    for capability, all_, who in (
        (Capability.SKI, skiers, "elite MMC"),
        (Capability.WINTER_CAMOUFLAGE, walkers, "MMC without skis"),
        (Capability.MOL, bought, "MMC"),
    ):
        lacking = [line.type for line in all_ if capability not in line.capabilities]
        if lacking and len(lacking) < len(all_):
            message = f"{capability.words} for some only; {', '.join(lacking)} without"
            right = f"every {who} of the side or none"
            breaches.append(Breach(Reason.ALL_OR_NONE, capability.printed_row.rule, message, right))
    return tuple(breaches)


@implements("DYO H1.202", "DYO H1.203", "DYO H1.25")
def side_wide(lines: Iterable[InfantryLine]) -> frozenset[Capability]:
    """Return what a side's Personnel has free once it was bought for the MMC (H1.202, H1.203, H1.25).

    That is its SMC, the crews that come with Guns, those (for skis: elite HS) that come with
    vehicles, and bonus squads (for skis: elite ones).
    """
    wide = {Capability.SKI, Capability.WINTER_CAMOUFLAGE, Capability.MOL}
    return frozenset(wide & {mark for line in lines if line.bought for mark in line.capabilities})


@implements("DYO H1.24")
def elr_of(line: InfantryLine, side_elr: int) -> int:
    """Return the ELR of a line: 5 for Commandos, its own if it has one, else the side's (H1.24)."""
    if Capability.COMMANDO in line.capabilities:
        return COMMANDO_ELR
    return side_elr if line.elr is None else line.elr


def has_price(mmc: DyoMmc, month: Month) -> bool:
    """True if the catalogue tells all that the price of this MMC depends on."""
    return are_known(mmc.bpv, mmc.grade, mmc.range_at(month))


def rule_line(nation: DyoNation, month: Month, entry: InfantryEntry) -> InfantryLine:
    """Return a line of the Roster with all that the rules need.

    Raises RefusedError if the nation has no such MMC. Its class must be known, and what it costs
    too (`has_price`) unless it is free.
    """
    mmc = nation.mmc(entry.type)
    assert mmc.grade is not UNKNOWN
    at_range = mmc.range_at(month)
    home = nation.home(entry.type)
    return InfantryLine(
        type=entry.type,
        grade=Grade(mmc.grade),
        bpv=mmc.bpv if isinstance(mmc.bpv, int) else 0,
        number=entry.number,
        capabilities=frozenset(Capability(name) for name in entry.capabilities),
        at_range=at_range if isinstance(at_range, int) else 0,
        kind=mmc.sort,
        origin=LineOrigin(entry.purchase),
        elr=mmc.elr if isinstance(mmc.elr, int) else None,
        ski_included=mmc.ski_included,
        always_commando=Capability.COMMANDO.value in must_be(mmc),
        partisan=home.line.partisan,
        own_nationality=home is nation,
        equivalent=Fraction(mmc.equivalent) if isinstance(mmc.equivalent, Decimal) else None,
        may_be=may_be(mmc),
    )


def rule_lines(nation: DyoNation, month: Month, entries: Sequence[InfantryEntry]) -> tuple[InfantryLine, ...]:
    """Return lines of the Roster as the rules see them."""
    return tuple(rule_line(nation, month, entry) for entry in entries)


def part_of(nation: DyoNation, of: str, entries: Sequence[InfantryEntry]) -> tuple[InfantryEntry, ...]:
    """Return the lines of a contingent `of` the side's nation; "" for those of its own."""
    return tuple(entry for entry in entries if nation.ally(entry.type) == of)


def must_be(mmc: DyoMmc) -> tuple[str, ...]:
    """Return the capabilities that an MMC must be bought with, such as Gurkhas'."""
    return tuple(mmc.must_be) if isinstance(mmc.must_be, tuple) else ()


def may_be(mmc: DyoMmc) -> frozenset[Capability] | None:
    """Return the only specialists that an MMC can be bought as; None if nobody has said."""
    if mmc.may_be is UNKNOWN:
        return None
    return frozenset(Capability(name) for name in (*(mmc.may_be or ()), *must_be(mmc)))


@implements("DYO H1.21")
def needs_ids(line: InfantryLine, others: tuple[InfantryLine, ...]) -> bool:
    """True if a line needs ID letters: it has marks and others of its type have other ones (H1.21)."""
    alike = [other for other in others if other is not line and other.type == line.type]
    marks = line.capabilities
    return bool(marks) and any(other.capabilities != marks for other in alike)


@implements("DYO H1-ROSTER", "DYO H1.21", "DYO H1.7", "DYO H1.73")
def ab_marks(line: InfantryLine) -> str:
    """Return the A/B column of a line: its capabilities, then where it comes from (H1-ROSTER to H1.73)."""
    marks = [capability.mark for capability in Capability if capability in line.capabilities]
    origin = {LineOrigin.SECOND: "2", LineOrigin.BONUS: "B"}.get(line.origin)
    return " ".join([*marks, *([origin] if origin else [])])


@implements("DYO H1.21")
def identities(lines: Sequence[InfantryLine]) -> tuple[str, ...]:
    """Return the identity letters of each line, "" where none are needed (H1.21).

    They are needed where squads with special capabilities could be confused with others of their
    type; the special ones take the letters from A on.
    """
    letters, taken = [], dict[str, int]()
    for line in lines:
        if not needs_ids(line, tuple(lines)):
            letters.append("")
            continue
        first = taken.get(line.type, 0)
        taken[line.type] = first + line.number
        letters.append(id_letters(first, line.number))
    return tuple(letters)


def counters_taken(entries: Sequence[InfantryEntry]) -> Mapping[str, int]:
    """Return how many counters of each type are taken; all lines of a type share one pool."""
    taken: dict[str, int] = {}
    for entry in entries:
        taken[entry.type] = taken.get(entry.type, 0) + entry.number
    return taken


# Infantry of an order of battle -----------------------------------------------------------------


@implements("DYO H1.211", "DYO H1.212", "DYO H1.73")
def priced_line(cg: Cg, side: str, entry: InfantryEntry) -> tuple[InfantryEntry, Calculation]:
    """Return a line with its MPV, each and in all, and how that came about; bonus squads are free."""
    each = Calculation.of(0)
    if entry.purchase != "bonus":
        each = each_of(cg.rulebook, rule_line(cg.nation(side), cg.month, entry))
    return entry.model_copy(update={"each": each.value, "total": each.value * entry.number}), each


@implements("DYO H1.2", "DYO H1.21", "DYO H1.11")
def infantry_breaches(cg: Cg, side: str, entries: Sequence[InfantryEntry]) -> Iterator[tuple[int | None, str, Breach]]:
    """Yield what the rules have against Infantry: the line at fault, None for the side's as a whole, and its field.

    Lines of a type share the counters of one game. The half-squad of a bonus has no limit of its own.
    """
    nation = cg.nation(side)
    lines = rule_lines(nation, cg.month, entries)
    for i, line in enumerate(lines):
        for breach in line_breaches(cg.rulebook, line):
            yield i, "type" if breach.reason is Reason.NOT_FOR_SALE else "capabilities", breach
    for breach in side_wide_breaches(lines):
        yield None, "", breach
    free = cg.reading("free-pieces") == "free"
    counted = [entry for entry in entries if entry.purchase != "bonus" or (entry.kind == "squad" and not free)]
    for type_, number in counters_taken(counted).items():
        short = counters_short(cg, type_, number, nation.mmc(type_).counters)
        if short:
            yield max(i for i, entry in enumerate(entries) if entry.type == type_), "number", short
