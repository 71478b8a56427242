"""Lines of Infantry as the rules reckon them, from what the Roster and the catalogue say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoMmc, DyoNation, Month
from laager.catalogue.kinds import Grade
from laager.rules.design_your_own.infantry import Capability, InfantryLine, Origin
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.recording import id_letters, needs_ids


def known(*values: Any) -> bool:
    """Whether all these values of a catalogue are there to be reckoned with."""
    return all(value is not UNKNOWN and value is not None for value in values)


def reckonable(mmc: DyoMmc, month: Month) -> bool:
    """Whether the catalogue tells all that the price of this MMC depends on."""
    return known(mmc.bpv, mmc.grade, mmc.range_at(month))


def rule_line(nation: DyoNation, month: Month, entry: InfantryEntry) -> InfantryLine:
    """Return a line of the Roster with all that the rules ask of it.

    Raises RefusedError if the nation has no such MMC. Its class must be known, and what it costs
    too (`reckonable`) unless it is free.
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
        origin=Origin(entry.purchase),
        elr=mmc.elr if isinstance(mmc.elr, int) else None,
        ski_included=mmc.ski_included,
        always_commando=Capability.COMMANDO.value in must_be(mmc),
        partisan=home.line.partisan,
        own_nationality=home is nation,
        equivalent=Fraction(mmc.equivalent) if isinstance(mmc.equivalent, Decimal) else None,
        may_be=may_be(mmc),
    )


def rule_lines(nation: DyoNation, month: Month, entries: Sequence[InfantryEntry]) -> tuple[InfantryLine, ...]:
    """Return lines of the Roster as the rules reckon them."""
    return tuple(rule_line(nation, month, entry) for entry in entries)


def part_of(nation: DyoNation, of: str, entries: Sequence[InfantryEntry]) -> tuple[InfantryEntry, ...]:
    """Return the lines of a contingent `of` the side's nation; "" for those of its own."""
    return tuple(entry for entry in entries if nation.ally(entry.type) == of)


def must_be(mmc: DyoMmc) -> tuple[str, ...]:
    """Return the capabilities without which an MMC cannot be bought, such as Gurkhas'."""
    return tuple(mmc.must_be) if isinstance(mmc.must_be, tuple) else ()


def may_be(mmc: DyoMmc) -> frozenset[Capability] | None:
    """Return the only specialists that an MMC can be bought as; None if nobody has said."""
    if mmc.may_be is UNKNOWN:
        return None
    return frozenset(Capability(name) for name in (*(mmc.may_be or ()), *must_be(mmc)))


@implements("DYO H1.21")
def identities(lines: Sequence[InfantryLine]) -> tuple[str, ...]:
    """Return the identity letters of each line, "" where none are needed.

    They are needed where squads with special capabilities could be confused with others of their
    type; the special ones take the letters from A on.
    """
    found, taken = [], dict[str, int]()
    for line in lines:
        if not needs_ids(line, tuple(lines)):
            found.append("")
            continue
        first = taken.get(line.type, 0)
        taken[line.type] = first + line.number
        found.append(id_letters(first, line.number))
    return tuple(found)


def held(entries: Sequence[InfantryEntry]) -> Mapping[str, int]:
    """Return how many counters of each type are taken; all lines of a type share one pool."""
    found: dict[str, int] = {}
    for entry in entries:
        found[entry.type] = found.get(entry.type, 0) + entry.number
    return found
