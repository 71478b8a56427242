"""SW, and what comes with reinforcements (H1.83, H1.7, H1.84)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason, reading, some
from laager.rules.design_your_own.charts import charts


@implements("DYO H1.83", "DYO H1.11")
def sw_allotment(
    equivalents: int,
    ratio: int | None,
    counters: int | None = None,
    *,
    name: str = "SW",
    extra_pieces: bool = False,
    chosen: Mapping[str, str] | None = None,
) -> Calculation | Missing:
    """Return how many SW of a type an OB gets: Equivalents by the ratio of the chart (FRD).

    FT and DC count the Equivalents of Assault Engineers. More than one game has are not received,
    unless extra pieces were agreed on; `counters` None sets no limit.
    """
    if ratio is None:
        return Missing(f"the ratio of {name}", "DYO H1.83")
    found = Calculation.of(equivalents, "Equivalents", "DYO H1.83").over(ratio, f"for each {name}")
    found = found.frd("DYO H1.83")
    limited = not extra_pieces and reading("free-pieces", chosen or {}) == "limited"
    if counters is None or not limited:
        return found
    return found.at_most(counters, "counters", "DYO H1.11")


@implements("DYO H1.7")
def least_reinforcements(
    first_mpv: int, second_mpv: int, second_squads: int | Fraction, *, chosen: Mapping[str, str] | None = None
) -> Calculation:
    """Return how many squads of the second purchase must enter later: half of them (FRU).

    Only if it cost as much as the first or more.
    """
    if not first_mpv and reading("second-after-none", chosen or {}) == "none":
        return Calculation.of(0, "nothing was bought first", "DYO H1.7")
    if second_mpv < first_mpv or not second_squads:
        return Calculation.of(0, "less than the first purchase", "DYO H1.7")
    share = charts().second_purchase.reinforcements
    found = Calculation.of(second_squads, "squads of the second purchase", "DYO H1.7")
    return found.times(share, "", "DYO H1.7").fru("DYO H1.7")


@implements("DYO H1.7")
def reinforcement_breach(least: int, named: int | Fraction, squads: int | Fraction) -> Breach | None:
    """Say whether too few (or more than all) squads of the second purchase enter later."""
    if named < least:
        what = f"{some(named, 'squad')} as reinforcements"
        return Breach(Reason.REINFORCEMENTS, "DYO H1.7", what, f"at least {least}")
    if named > squads:
        what = f"{some(named, 'squad')} as reinforcements"
        return Breach(Reason.REINFORCEMENTS, "DYO H1.7", what, f"there are {squads}")
    return None


@implements("DYO H1.84")
def group_breach(turn: int, least: int, type_: str, entering: int, free: int) -> Breach | None:
    """Say whether a group of the scenario lacks squads while fitting ones stay out of it.

    `free`: fitting squads that enter with none of the scenario's groups.
    """
    if entering >= least or not free:
        return None
    what = f"{some(entering, 'squad')} as reinforcements in turn {turn}"
    right = f"at least {least}{f' {type_}' if type_ else ''}, as the terms have it"
    return Breach(Reason.REINFORCEMENTS, "DYO H1.84", what, right)


@dataclass(frozen=True)
class Share:
    """What must come with a group of reinforcements at least, out of the OB's own."""

    leaders: Calculation
    sw: Mapping[str, Calculation | Missing]


@implements("DYO H1.84")
def share(
    equivalents: int,
    lg: int,
    ratios: Mapping[str, int | None],
    *,
    squads: int | Fraction | None = None,
    engineers: Mapping[str, int | None] | None = None,
    engineer_equivalents: int = 0,
    chosen: Mapping[str, str] | None = None,
) -> Share:
    """Return the leaders and SW that a group brings: Equivalents by LG factor and ratios (FRD).

    `squads` is the actual number, for those who count leaders by it; `engineers` the ratios of FT
    and DC, by the Equivalents of the group's Assault Engineers. The rule is lost but its examples
    are not.
    """
    rule = "DYO H1.84"
    base, what = Fraction(equivalents), "Equivalents"
    if squads is not None and reading("reinforcement-leaders", chosen or {}) == "actual":
        base, what = Fraction(squads), "squads"
    leaders = Calculation.of(base, what, rule).over(lg, "LG factor", rule).frd(rule)
    sw = {name: _sw(name, equivalents, ratio) for name, ratio in ratios.items()}
    for name, ratio in (engineers or {}).items():
        sw[name] = _sw(name, engineer_equivalents, ratio)
    return Share(leaders, sw)


def _sw(name: str, equivalents: int, ratio: int | None) -> Calculation | Missing:
    if ratio is None:
        return Missing(f"the ratio of {name}", "DYO H1.83")
    found = Calculation.of(equivalents, "Equivalents", "DYO H1.84")
    return found.over(ratio, f"for each {name}", "DYO H1.84").frd("DYO H1.84")


@implements("DYO H1.84")
def share_breaches(least: Share, leaders: int, sw: Mapping[str, int], held: Mapping[str, int]) -> tuple[Breach, ...]:
    """Return what is lacking with a group, and what the OB does not have; more is legal.

    What counters did not allow to be received cannot be brought.
    """
    found = []
    if leaders < least.leaders.value:
        what = f"{some(leaders, 'leader')} with the reinforcements"
        right = f"at least {least.leaders.value}"
        found.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", what, right))
    for name, number in least.sw.items():
        brought = sw.get(name, 0)
        if isinstance(number, Calculation) and brought < min(number.value, held.get(name, 0)):
            what = f"{brought} {name} with the reinforcements"
            right = f"at least {min(number.value, held.get(name, 0))}"
            found.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", what, right))
    for name, brought in sw.items():
        if brought > held.get(name, 0):
            what = f"{brought} {name} with the reinforcements"
            right = f"the OB has {held.get(name, 0)}"
            found.append(Breach(Reason.REINFORCEMENTS, "DYO H1.84", what, right))
    return tuple(found)


@implements("DYO H1.84")
def roster_text(held: int, with_group: int) -> str:
    """Return how an SW is written down: `9 + [1]`, the bracket being the reinforcements'."""
    return f"{held - with_group} + [{with_group}]" if with_group else str(held)
