"""What can be seen on the map of a campaign, as one seat may know it.

What a seat doesn't know doesn't count: own units are those of its side, the enemy's those that it sees. Gather what is
needed while you hold the campaign (`prepared`), release it, then look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laager.los.asked import eyes_of
from laager.los.looks import ANYBODYS, MODES, Known, Shown, Wish, known_to, look
from laager.los.readiness import ready as compiled
from laager.web.services.library.boards import Shelf, photographed
from laager.web.services.recent import Recent

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.web.services.looking.maps import Scene
    from laager.web.services.play.tables import Table

LOOKED: Recent[tuple[Any, ...], Shown] = Recent(64)
"""What was looked at last: the page and its picture ask for the same."""


@dataclass(frozen=True)
class Looking:
    """A look still to be taken, which needs the campaign no more."""

    key: tuple[Any, ...]
    map: HexMap
    state: Any
    wish: Wish
    known: Known
    boards: Shelf | None

    def look(self) -> Shown:
        """Look, or return what was seen before. Raises RefusedError or DataError about the wish."""
        return LOOKED.get(self.key, self._look)

    def _look(self) -> Shown:
        return look(self.map, eyes_of(self.map, self.state, self.boards), self.wish, self.known)


def prepared(table: Table, shown: Scene, wish: Wish) -> Looking:
    """Return a look at the map as the seat sees it."""
    known = known_to(side_of(table), shown.state, shown.layers)
    shelf = shelf_of(table, shown.map)
    key = (table.seat.game.pk, table.view.viewer, table.tag, shown.at, wish, shelf is not None and compiled())
    return Looking(key, shown.map, shown.state, wish, known, shelf)


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
