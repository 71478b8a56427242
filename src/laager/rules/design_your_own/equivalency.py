"""Equivalency: how many squads an OB is worth for leaders and SW (H1.74)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.infantry import Capability, InfantryLine, Subsection
from laager.rules.design_your_own.reckoning import Reckoning, reading, total

RULE = "DYO H1.74"

Counts = Mapping[Subsection, Sequence[int | Fraction]]
"""Actual squads of each subsection, line by line; half-squads are halves."""


@dataclass(frozen=True)
class Equivalency:
    """Equivalents of each subsection and in all, bonus squads included."""

    elite: Reckoning
    line: Reckoning
    conscript: Reckoning

    @property
    def total(self) -> int:
        """The Equivalent number of squads of the OB."""
        return self.elite.value + self.line.value + self.conscript.value

    @property
    def why(self) -> str:
        """The sum of the subsections, each with its reckoning."""
        parts = {"Elite": self.elite, "Line": self.line, "Conscript": self.conscript}
        counted = [f"{name}: {part.why}" for name, part in parts.items() if part.parts[0].amount]
        return "; ".join([*counted, f"{self.total} Equivalents"])

    def of(self, subsection: Subsection) -> Reckoning:
        """Return the Equivalents of a subsection."""
        return {Subsection.ELITE: self.elite, Subsection.LINE: self.line, Subsection.CONSCRIPT: self.conscript}[
            subsection
        ]


@implements("DYO H1.74", "DYO H1.23")
def equivalency(
    counts: Counts, *, factors: Mapping[Subsection, Fraction] | None = None, chosen: Mapping[str, str] | None = None
) -> Equivalency:
    """Return the Equivalents: elite 4/3, line as they are, conscript 3/4, each FRD.

    The factors were lost and are rebuilt from the examples; an owner of the rules can give others.
    """
    by_line = reading("equivalency-rounding", chosen or {}) == "line"

    def of(subsection: Subsection) -> Reckoning:
        given = charts().equivalency.factors[subsection.value]
        factor = given if factors is None else factors.get(subsection, given)
        lines = [Fraction(number) for number in counts.get(subsection, ())]
        if not by_line:
            lines = [sum(lines, Fraction(0))]
        parts = [_equivalents(number, factor) for number in lines]
        if len(parts) == 1:
            return parts[0]
        return total(((part.value, "Equivalents") for part in parts), RULE)

    return Equivalency(of(Subsection.ELITE), of(Subsection.LINE), of(Subsection.CONSCRIPT))


def _equivalents(squads: Fraction, factor: Fraction) -> Reckoning:
    found = Reckoning.of(squads, "squads", RULE)
    return (found if factor == 1 else found.times(factor, "", RULE)).frd(RULE)


@implements("DYO H1.74")
def counts_of(lines: Iterable[InfantryLine]) -> dict[Subsection, list[Fraction]]:
    """Return the actual squads of each subsection, line by line; crews are no squads."""
    found: dict[Subsection, list[Fraction]] = {subsection: [] for subsection in Subsection}
    for line in lines:
        if line.squads:
            found[line.subsection].append(line.squads)
    return found


@implements("DYO H1.74", "DYO H1.22")
def engineer_equivalents(lines: Iterable[InfantryLine], *, chosen: Mapping[str, str] | None = None) -> Equivalency:
    """Return the Equivalents of the Assault Engineers alone, for FT and DC (H1.83)."""
    engineers = [line for line in lines if Capability.ASSAULT_ENGINEER in line.capabilities]
    return equivalency(counts_of(engineers), chosen=chosen)
