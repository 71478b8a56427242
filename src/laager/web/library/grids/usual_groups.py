"""The usual groups of a Platoon Leader card's nations, ticked many at a time and put into its charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from laager.base import Refusal, RefusedError
from laager.catalogue import load_packaged, packaged_nations
from laager.catalogue.dyo import Month
from laager.rules.board.hasl.grids.cells import letters_of
from laager.rules.board.hasl.grids.charts import SIDES
from laager.rules.board.hasl.grids.grid import BLANK, ChartGrid
from laager.rules.board.hasl.grids.writing import write_charts
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.card.usual import UsualGroup, usual_groups
from laager.web.library.grids.grid_files import Gridded, read_grids
from laager.web.library.sharing.opened import OpenFile

KIND = "pl-card"
TITLES = {
    RgKind.INFANTRY.value: gettext_noop("Infantry"),
    RgKind.HEAVY_WEAPONS.value: gettext_noop("Heavy weapons"),
    RgKind.GUN.value: gettext_noop("Guns"),
    RgKind.AFV.value: gettext_noop("AFV"),
    RgKind.VEHICLE.value: gettext_noop("Vehicles"),
    RgKind.OBA.value: gettext_noop("OBA"),
    RgKind.AIR.value: gettext_noop("Air support"),
    RgKind.BOMBARDMENT.value: gettext_noop("Bombardment"),
    RgKind.SAN.value: gettext_noop("Snipers"),
}
"""The kinds of groups as headings."""


@dataclass(frozen=True)
class OfferedGroup:
    """A usual group as a line to tick: its cells by the keys of the chart's columns, and whether the chart has it."""

    number: int
    letters: str
    cells: Mapping[str, str]
    taken: bool


@dataclass(frozen=True)
class OfferedSide:
    """A side with the name of its nation and the groups that it can take, by the headings of their kinds."""

    side: str
    title: str
    nation: str
    kinds: Mapping[str, Sequence[OfferedGroup]]

    @property
    def groups(self) -> list[OfferedGroup]:
        """All its groups, in their order."""
        return [group for groups in self.kinds.values() for group in groups]


@dataclass(frozen=True)
class UsualOffer:
    """What a card's sides can take, and the month for which that is, in words; "" for all months."""

    sides: Sequence[OfferedSide]
    month: str


def read_offer(opened: OpenFile) -> UsualOffer:
    """Return the usual groups of a card's nations. Raises DataError, and RefusedError for other files."""
    grids = read_grids(opened.file.text, opened.name)
    if grids.kind != KIND:
        name = opened.name
        raise RefusedError(Refusal.NO_SUCH, f"{name} isn't a Platoon Leader card", "open one of your cards")
    month = _first_month(grids.data)
    sides = [_offer_side(grids, side, month) for side in SIDES]
    return UsualOffer(sides, date_format(date(month.year, month.month, 1), gettext("F Y")) if month else "")


def _first_month(data: Any) -> Month | None:
    firefights = data.get("firefights")
    with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError):
        return Month.of(str(firefights[0]["date"])[:7])
    return None


def _offer_side(grids: Gridded, side: str, month: Month | None) -> OfferedSide:
    part = (grids.data.get("sides") or {}).get(side)
    nation = str(part.get("nation", "")) if isinstance(part, Mapping) else ""
    grid = grids.grid(f"{side}-chart")
    known = load_packaged(nation)[nation] if nation in packaged_nations() else None
    keys = [column.key for column in grid.columns]
    here = {(row.cells[keys.index("name")], row.cells[keys.index("units")]) for row in grid.rows(grids.data)}
    kinds: dict[str, list[OfferedGroup]] = {}
    for number, group in enumerate(usual_groups(known, month) if known else ()):
        cells = _cells(grid, group)
        taken = (cells["name"], cells["units"]) in here
        kinds.setdefault(gettext(TITLES[group.line["kind"]]), []).append(
            OfferedGroup(number, group.letters, cells, taken)
        )
    return OfferedSide(side, SIDES[side], known.name if known else "", kinds)


def _cells(grid: ChartGrid, group: UsualGroup) -> dict[str, str]:
    return {column.key: column.of(group.line)[0] for column in grid.columns}


def take_groups(opened: OpenFile, offer: UsualOffer, ticked: Mapping[str, Sequence[str]], was: str) -> int:
    """Put ticked groups into the charts of a card, numbered on by their letters; return how many there are.

    Raises DataError or RefusedError.
    """
    grids = read_grids(opened.file.text, opened.name)
    charts, count = [], 0
    for side in offer.sides:
        chosen = [group for group in side.groups if str(group.number) in ticked.get(side.side, ())]
        if not chosen:
            continue
        grid = grids.grid(f"{side.side}-chart")
        rows = [list(row.cells) for row in grid.rows(grids.data) if row.cells[0] != BLANK]
        for group in chosen:
            cells = {**group.cells, "id": _next_id(group.letters, [row[0] for row in rows])}
            rows.append([cells[column.key] for column in grid.columns])
        charts.append((grid, rows))
        count += len(chosen)
    if not count:
        raise RefusedError(Refusal.BAD_ANSWER, "no group is ticked", "tick those that the side can buy")
    opened.save(write_charts(opened.file.text, opened.name, charts).text, was)
    return count


def _next_id(letters: str, ids: Sequence[str]) -> str:
    """Return the id after the last of its letters: I3 after I1 and I2."""
    numbers = [int(id_.removeprefix(letters)) for id_ in ids if letters_of(id_) == letters and id_[-1:].isdecimal()]
    return f"{letters}{max(numbers, default=0) + 1}"
