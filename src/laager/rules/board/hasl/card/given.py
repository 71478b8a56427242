"""Checks of what the OB of a card gives: groups of the charts, how and where they come."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import did_you_mean
from laager.base.files import Where
from laager.rules.board.hasl.areas import INITIAL_AREA
from laager.rules.board.hasl.card.card import Given, GivenGroup, SideCard
from laager.rules.board.hasl.card.ground import refuse_letter
from laager.rules.board.hasl.charts import WITH_UNITS, RgLine
from laager.rules.board.hasl.system import Named
from laager.rules.board.hasl.units import Arrival


def all_given(named: Named) -> Iterator[tuple[Where, str, Given]]:
    """Yield everything that the card gives: at the start, then date by date."""
    for side, half in named.card.sides.items():
        yield ("sides", side, "ob"), side, half.ob
    for i, date in enumerate(named.card.dates):
        for side, given in date.given.items():
            yield ("dates", i, "given", side), side, given


def check_given(named: Named) -> None:
    """Check the groups that the OB gives against the charts."""
    for where, side, given in all_given(named):
        chart = named.charts.side(side)
        for i, group in enumerate(given.groups):
            here: Where = (*where, "groups", i)
            line = chart.line(group.rg)
            if line is not None:
                _group(named, side, group, line, here)
                continue
            keys = [line.key for line in chart.rg or ()]
            advice = did_you_mean(group.rg, keys, "the chart has") if keys else "it has no groups"
            what = f"gives {group.rg}, which is not on the chart"
            named.found.wrong((*here, "rg"), what, advice)


def _group(named: Named, side: str, group: GivenGroup, line: RgLine, where: Where) -> None:
    found, half = named.found, named.card.sides[side]  # type: ignore[index]
    comes = line.kind in WITH_UNITS
    for name in ("arrival", "area"):
        if getattr(group, name) and not comes:
            what = f"{group.rg} brings no units, so it comes to no place"
            found.wrong((*where, name), what, "leave it out")
            return
    if group.arrival == Arrival.ON_MAP.value and not line.on_map:
        what = f"{group.rg} may not set up on the map on its date"
        found.wrong((*where, "arrival"), what, "arrival: enter, or on_map: true in the charts")
    if not group.area or not comes:
        return
    arrows, areas = _arrows(half, line), _areas(named, half)
    known = arrows if group.arrival == Arrival.ENTER.value else areas
    if group.arrival is None:
        known = [*arrows, *areas]
    if named.map is not None and refuse_letter(named.card, named.map, group.area, (*where, "area"), found):
        return
    if group.area not in known:
        what = f"{group.rg} can't be in {group.area!r}"
        advice = did_you_mean(group.area, known, "there are") if known else "it has no such place"
        # Where areas are listed, the players may have made one of that name by a later date.
        later = named.card.areas == "listed" and where[0] == "dates"
        (found.doubtful if later else found.wrong)((*where, "area"), what, advice)


def _arrows(half: SideCard, line: RgLine) -> list[str]:
    if line.arrows:
        return list(line.arrows)
    formation = half.formation(line.formation) if line.formation else None
    return list(formation.arrows if formation is not None else half.arrows)


def _areas(named: Named, half: SideCard) -> list[str]:
    """Return the names that a side's Setup Areas may have in the course of the campaign."""
    if named.card.areas == "listed":
        return list(half.areas)
    blocks = named.map.blocks.hexes if named.map is not None else half.controls
    return [*blocks, INITIAL_AREA]
