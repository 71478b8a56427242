"""What can be seen on the map of a campaign, as one seat may know it.

What a seat doesn't know doesn't count: own units are those of its side, the enemy's those that it sees. Gather what is
needed while you hold the campaign (`prepared`), release it, then look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from laager.base import DataError
from laager.los.questions.asked import Changed, changed_ground
from laager.los.questions.looks import ANYBODYS, MODES, Known, Shown, Wish, known_to
from laager.web.library.maps.boards import Shelf, archives_of, photographed
from laager.web.shared import eyes, processes
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.web.campaigns.tables import Table
    from laager.web.models import Player
    from laager.web.records.map.pictures import Scene

T = TypeVar("T")

LOOKED: Recent[tuple[Any, ...], tuple[Shown, bool]] = Recent(64)
"""What was looked at last, and if that lasts: the page and its picture ask for the same."""


@dataclass(frozen=True)
class Looking:
    """A look still to be taken, which needs the campaign no more."""

    key: tuple[Any, ...]
    reader: Player
    map: HexMap
    changed: Changed
    wish: Wish
    known: Known
    boards: Shelf | None

    def look(self) -> Shown:
        """Look, or return what was seen before.

        Raises RefusedError or DataError about the wish, RefusedError as `Processes.do` does.
        """
        seen, lasts = LOOKED.get(self.key, self._look)
        if not lasts:
            LOOKED.forget(self.key)
        return seen

    def _look(self) -> tuple[Shown, bool]:
        what = (self.map, self.changed, self.wish, self.known)
        return worked_out(self.reader, eyes.looked, what, self.map, self.boards)


def worked_out(reader: Player, job: Callable[..., T], what: tuple[Any, ...], map_: HexMap, shelf: Shelf | None) -> T:
    """Let the process for LOS do a job of `eyes`. Raises what the job raises, and as `Processes.do` does."""
    sent: eyes.Sent = None if shelf is None else {}
    try:
        return processes.SIGHT.do(reader.pk, job, *what, sent)
    except eyes.BoardsWantedError:
        try:
            sent = archives_of(map_, reader)
        except DataError:
            # It was taken away a moment ago.
            sent = None
        return processes.SIGHT.do(reader.pk, job, *what, sent)


def prepared(table: Table, shown: Scene, wish: Wish) -> Looking:
    """Return a look at the map as the seat sees it."""
    known = known_to(side_of(table), shown.state, shown.layers)
    shelf = shelf_of(table, shown.map)
    key = (table.seat.game.pk, table.view.viewer, table.tag, shown.at, wish, shelf is not None)
    return Looking(key, table.seat.user, shown.map, changed_ground(shown.state), wish, known, shelf)


def shelf_of(table: Table, map_: HexMap) -> Shelf | None:
    """Return where the boards of a map are, if this reader has all of them."""
    reader = table.seat.user
    return Shelf(reader) if photographed(map_, reader) else None


def side_of(table: Table) -> str:
    """Return whose eyes the seat has: its own side; "" for umpires and spectators, who have none of their own."""
    viewer = table.view.viewer
    return viewer if viewer in table.ruleset.sides else ""


def modes(table: Table) -> tuple[str, ...]:
    """Return the ways to look that the seat has: fields of fire and best places are for sides."""
    return MODES if side_of(table) else ANYBODYS
