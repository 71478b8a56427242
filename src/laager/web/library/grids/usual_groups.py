"""What is usual on a Platoon Leader card, put into its charts: groups, ticked many at a time; a calendar, ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.catalogue import load_packaged, packaged_nations
from laager.catalogue.dyo import Month
from laager.rules.board.hasl.grids.cells import letters_of
from laager.rules.board.hasl.grids.charts import SIDES
from laager.rules.board.hasl.grids.grid import BLANK, ChartGrid
from laager.rules.board.hasl.grids.pl_words import first_month, situation_in_words
from laager.rules.board.hasl.grids.writing import write_charts
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.card.usual import UsualGroup, usual_groups
from laager.rules.platoon_leader.card.usual_start import (
    MOST_FIREFIGHTS,
    PACES,
    usual_calendar,
    usual_places,
    usual_setup,
    usual_start,
)
from laager.web.library.grids.grid_files import Gridded, read_grids
from laager.web.library.sharing.opened import OpenFile

KIND = "pl-card"
PACK = Path(str(files("laager"))) / "packs" / "pl"
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
PACE_TITLES = {
    "3": gettext_noop("three a day, the third by night"),
    "2": gettext_noop("two a day"),
    "1": gettext_noop("one a day"),
    "1/2": gettext_noop("one every second day"),
    "1/7": gettext_noop("one a week"),
}
"""How firefights follow each other, as a choice."""


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
class OfferedPlace:
    """A place of the card's map as a line to tick, with the points that it gets."""

    location: str
    name: str
    points: int
    taken: bool


@dataclass(frozen=True)
class UsualOffer:
    """What a card's sides can take, and the month for which that is, in words; "" for all months."""

    sides: Sequence[OfferedSide]
    month: str
    paces: Mapping[str, str]
    places: Sequence[OfferedPlace]
    most: int = MOST_FIREFIGHTS


def read_offer(opened: OpenFile) -> UsualOffer:
    """Return the usual groups of a card's nations. Raises DataError, and RefusedError for other files."""
    grids = read_grids(opened.file.text, opened.name)
    if grids.kind != KIND:
        name = opened.name
        raise RefusedError(Refusal.NO_SUCH, f"{name} isn't a Platoon Leader card", "open one of your cards")
    month = first_month(grids.data)
    sides = [_offer_side(grids, side, month) for side in SIDES]
    words = date_format(date(month.year, month.month, 1), gettext("F Y")) if month else ""
    paces = {pace: gettext(title) for pace, title in PACE_TITLES.items()}
    return UsualOffer(sides, words, paces, _offer_places(opened, grids))


def _offer_places(opened: OpenFile, grids: Gridded) -> list[OfferedPlace]:
    """Return the places of the card's map; none if it can't be read."""
    name = str(grids.data.get("map", ""))
    shipped = {path.stem: path for path in PACK.glob("*-map.yaml")}
    with suppress(LaagerError, AttributeError, IndexError, KeyError, TypeError):
        text = opened.texts[name] if name in opened.texts else shipped[name].read_text(encoding="utf-8")
        here = {row[0] for row in _kept_rows(grids, "tvp")[1]}
        places = usual_places(parse_document(text, name).data)
        return [OfferedPlace(at, title, points, at in here) for at, (title, points) in places.items()]
    return []


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


def take_usual(opened: OpenFile, offer: UsualOffer, ticked: Mapping[str, Sequence[str]], was: str) -> int:
    """Put ticked groups and places into the charts of a card; return how many there are.

    Groups are numbered on by their letters; those that are ticked under `SIDE-ob` are given by the OB, too. Raises
    DataError or RefusedError.
    """
    grids = read_grids(opened.file.text, opened.name)
    charts, count = [], 0
    for side in offer.sides:
        given = ticked.get(f"{side.side}-ob", ())
        chosen = [group for group in side.groups if str(group.number) in {*ticked.get(side.side, ()), *given}]
        if chosen:
            charts += _add_groups(grids, side.side, chosen, given)
        count += len(chosen)
    places = [place for place in offer.places if place.location in ticked.get("place", ()) and not place.taken]
    if places:
        grid, rows = _kept_rows(grids, "tvp")
        charts.append((grid, [*rows, *([place.location, str(place.points)] for place in places)]))
    if not charts:
        raise RefusedError(Refusal.BAD_ANSWER, "nothing is ticked", "tick what the sides can buy, or places")
    opened.save(write_charts(opened.file.text, opened.name, charts).text, was)
    return count + len(places)


Charts = list[tuple[ChartGrid, list[list[str]]]]


def _add_groups(grids: Gridded, side: str, chosen: Sequence[OfferedGroup], given: Sequence[str]) -> Charts:
    """Return a side's chart with more groups, and its groups of the OB with those that are given."""
    grid, rows = _kept_rows(grids, f"{side}-chart")
    ob, lines = _kept_rows(grids, f"{side}-groups")
    for group in chosen:
        cells = {**group.cells, "id": _next_id(group.letters, [row[0] for row in rows])}
        rows.append([cells[column.key] for column in grid.columns])
        if str(group.number) in given:
            line = {"rg": cells["id"], "setup": usual_setup(cells["kind"])}
            lines.append([column.of(line)[0] for column in ob.columns])
    return [(grid, rows), (ob, lines)]


def _kept_rows(grids: Gridded, id_: str) -> tuple[ChartGrid, list[list[str]]]:
    """Return a chart with the rows that it has, without the blank for more."""
    grid = grids.grid(id_)
    return grid, [list(row.cells) for row in grid.rows(grids.data) if row.cells[0] != BLANK]


def begin_card(opened: OpenFile, day: str, count: str, pace: str, was: str) -> None:
    """Make the calendar of a card, and fill in what its sides usually have, where they have nothing yet.

    Raises DataError or RefusedError.
    """
    grids = read_grids(opened.file.text, opened.name)
    calendar, rows = _kept_rows(grids, "firefights")
    if any(map(any, rows)):
        raise RefusedError(Refusal.BAD_ANSWER, "the card has a calendar already", "change its lines")
    lines = usual_calendar(_read_day(day), _read_count(count), pace if pace in PACES else next(iter(PACES)))
    rows = [[column.of(line)[0] for column in calendar.columns] for line in lines]
    month = Month.of(lines[0]["date"][:7])
    sides = grids.grid("sides")
    filled = []
    for side, row in zip(SIDES, sides.rows(grids.data), strict=True):
        nation = str((grids.data["sides"].get(side) or {}).get("nation", ""))
        start = usual_start(nation, month, attacks=grids.data.get("initial_attacker") == side)
        filled.append(_with_blanks_filled(sides, row.cells, start))
    card = grids.grid("card")
    words = {"about.history": situation_in_words({**grids.data, "firefights": lines})}
    card_row = _with_blanks_filled(card, card.rows(grids.data)[0].cells, words)
    opened.save(
        write_charts(opened.file.text, opened.name, [(calendar, rows), (sides, filled), (card, [card_row])]).text, was
    )


def _with_blanks_filled(grid: ChartGrid, cells: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """Return a row with values, by the keys of their columns, where nothing stands yet."""
    return [
        str(values.get(column.key) or cell) if cell in ("", BLANK) else cell
        for column, cell in zip(grid.columns, cells, strict=True)
    ]


def _read_day(text: str) -> date:
    try:
        day = date.fromisoformat(text.strip())
        Month(day.year, day.month).check(text)
    except ValueError:
        raise DataError([Problem(f"{text!r} is not a day of the war", "write it as 1944-09-17", "day")]) from None
    return day


def _read_count(text: str) -> int:
    if not text.strip().isdecimal() or not 1 <= int(text) <= MOST_FIREFIGHTS:
        right = f"a number from 1 to {MOST_FIREFIGHTS}"
        raise DataError([Problem(f"{text!r} can't be the number of firefights", right, "count")])
    return int(text)


def _next_id(letters: str, ids: Sequence[str]) -> str:
    """Return the id after the last of its letters: I3 after I1 and I2."""
    numbers = [int(id_.removeprefix(letters)) for id_ in ids if letters_of(id_) == letters and id_[-1:].isdecimal()]
    return f"{letters}{max(numbers, default=0) + 1}"
