"""The tick list of a battle: what became of a side's units, ticked while it is fought.

It's kept for the side like a draft, for this battle alone, and the report on the map begins with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.hexmap import split_location
from laager.rules.board.names import UnitNames
from laager.rules.board.report.marks import FITS
from laager.rules.board.state import BoardState
from laager.rules.board.units import Mark, Place, Unit
from laager.web.campaigns import drafts
from laager.web.campaigns.tables import Table, look
from laager.web.models import Draft
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.translation import language

MARKS = (Mark.BROKEN, Mark.IMMOBILIZED, Mark.MALFUNCTIONED, Mark.WOUNDED)
"""Of these a unit can get the first that fits it: what changes most often."""
FATES = ("eliminated", "captured")
REPORTS = frozenset({"battle-report", "scenario-report"})
"""The questions that are answered with a side's units."""
LISTED = frozenset({Place.MAP, Place.OFF_MAP})


@dataclass(frozen=True)
class TickBox:
    """What can be ticked of a unit: `AX1:broken`, how it's called, and whether it is ticked."""

    value: str
    label: str
    ticked: bool


@dataclass(frozen=True)
class TickLine:
    """A unit of the list, with its boxes."""

    label: str
    boxes: tuple[TickBox, ...]


def ticklist(table: Table) -> dict[str, list[TickLine]]:
    """Return the list of a seat's side by where its units stood before the battle ("" off the map); empty without one.

    What stands together stays together: at the table a unit is known by its hex.
    """
    if not drafts.of_side(table.seat):
        return {}
    names = UnitNames(table.view.state, language(), table.view.named)
    done, words, lines = ticked_boxes(table), _words(), dict[str, list[TickLine]]()
    for unit in sorted(_units(table), key=lambda listed: (not listed.on_map, listed.at or "")):
        boxes = tuple(TickBox(value, words[value.partition(":")[2]], value in done) for value in _values(unit))
        at = split_location(unit.at)[0] if unit.on_map and unit.at else ""
        lines.setdefault(at, []).append(TickLine(names.name(unit, place=False), boxes))
    return lines


def ticked_boxes(table: Table) -> tuple[str, ...]:
    """Return what is ticked of this battle, as far as those units are still there."""
    draft = drafts.find_draft(table.seat, drafts.TICKS)
    if draft is None or draft.value.get("battle") != _battle(table):
        return ()
    known = {value for unit in _units(table) for value in _values(unit)}
    return tuple(value for value in draft.value.get("ticks", ()) if value in known)


def keep_ticks(seat: Seat, given: Iterable[str], among: Iterable[str] | None = None) -> None:
    """Tick what is given, and nothing else `among` these boxes (None: among all).

    Raises RefusedError for a seat that has no list, and for a box that isn't on it.
    """
    seat.need(Action.DRAFT)
    if not drafts.of_side(seat):
        raise RefusedError(Refusal.NOT_YOURS, "only a side ticks off its units")
    wanted = set(given)
    with look(seat) as table:
        battle, before = _battle(table), ticked_boxes(table)
        known = [value for unit in _units(table) for value in _values(unit)]
    touched = set(known) if among is None else set(among) | wanted
    unknown = sorted((touched | wanted) - set(known))
    if unknown:
        raise RefusedError(Refusal.NO_SUCH, f"{unknown[0][:40]!r} isn't on the tick list", "reload the page")
    ticks = [value for value in known if value in wanted or (value in before and value not in touched)]
    with transaction.atomic():
        Draft.objects.update_or_create(
            game=seat.game, seat=seat.name, asked=drafts.TICKS, defaults={"value": {"battle": battle, "ticks": ticks}}
        )


def _battle(table: Table) -> int:
    """Return what tells one battle of a side from the next: how often it has reported."""
    return sum(
        seen.entry.type == "answer" and seen.entry.body["key"] in REPORTS
        for seen in table.view.log
        if seen.counts and seen.entry.body.get("side") == table.seat.viewer
    )


def _units(table: Table) -> Iterator[Unit]:
    state = table.view.state
    if isinstance(state, BoardState):
        yield from (unit for unit in state.units_of(table.seat.viewer) if unit.place in LISTED)


def _values(unit: Unit) -> Iterator[str]:
    mark = next((fitting for fitting in MARKS if unit.kind in FITS[fitting]), None)
    for fate in (*((mark.value,) if mark else ()), *FATES):
        yield f"{unit.id}:{fate}"


def _words() -> dict[str, str]:
    return {
        "broken": _("Broken"),
        "immobilized": _("Immobilized"),
        "malfunctioned": _("Malfunctioned"),
        "wounded": _("Wounded"),
        "eliminated": _("Eliminated"),
        "captured": _("Captured"),
    }
