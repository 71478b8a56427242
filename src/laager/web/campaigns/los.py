"""LOS on the map of a campaign, as one seat may know it: looks on the map page, and proposals next to a question.

What a seat doesn't know doesn't count: own units are those of its side, the enemy's those that it sees. Gather what is
needed while you hold the campaign (`prepare_look`, `needed_los`), release it, then look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from laager.base import DataError
from laager.campaign.views import view
from laager.los.questions import requests as los_questions
from laager.los.questions.map_los import ANYBODYS, MODES, LosKnowledge, LosView, LosWish, los_knowledge
from laager.los.questions.requests import Changed, changed_ground
from laager.web.campaigns import los_jobs
from laager.web.library.maps.boards import Shelf, archives_of, has_boards
from laager.web.shared import processes
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.campaign import Question, SightFound
    from laager.hexmap import HexMap
    from laager.web.campaigns.scenes import Scene
    from laager.web.campaigns.tables import Asked, Table
    from laager.web.models import Player

T = TypeVar("T")

LAST_LOOKS: Recent[tuple[Any, ...], tuple[LosView, bool]] = Recent(64)
"""What was looked at last, and if that lasts: the page and its picture ask for the same."""


@dataclass(frozen=True)
class PreparedLook:
    """A look still to be taken, which needs the campaign no more."""

    key: tuple[Any, ...]
    reader: Player
    map: HexMap
    changed: Changed
    wish: LosWish
    known: LosKnowledge
    boards: Shelf | None

    def look(self) -> LosView:
        """Look, or return what was seen before.

        Raises RefusedError or DataError about the wish, RefusedError as `Processes.do` does.
        """
        seen, lasts = LAST_LOOKS.get(self.key, self._look)
        if not lasts:
            LAST_LOOKS.forget(self.key)
        return seen

    def _look(self) -> tuple[LosView, bool]:
        arguments = (self.changed, self.wish, self.known)
        try:
            named = los_jobs.mark_of(self.map), *arguments
            return run_los_job(self.reader, los_jobs.take_look, named, self.map, self.boards)
        except los_jobs.MapWantedError:
            sent = self.map, *arguments
            return run_los_job(self.reader, los_jobs.take_look, sent, self.map, self.boards)


def run_los_job(
    reader: Player, job: Callable[..., T], arguments: tuple[Any, ...], map_: HexMap, shelf: Shelf | None
) -> T:
    """Let the process for LOS do a job of `los_jobs`. Raises what the job raises, and as `Processes.do` does."""
    sent: los_jobs.Sent = None if shelf is None else {}
    try:
        return processes.SIGHT.do(reader.pk, job, *arguments, sent)
    except los_jobs.BoardsWantedError:
        try:
            sent = archives_of(map_, reader)
        except DataError:
            # It was taken away a moment ago.
            sent = None
        return processes.SIGHT.do(reader.pk, job, *arguments, sent)


def prepare_look(table: Table, shown: Scene, wish: LosWish) -> PreparedLook:
    """Return a look at the map as the seat sees it."""
    known = los_knowledge(side_of(table), shown.state, shown.layers)
    shelf = shelf_of(table, shown.map)
    key = (table.seat.game.pk, table.view.viewer, table.tag, shown.at, wish, shelf is not None)
    return PreparedLook(key, table.seat.user, shown.map, changed_ground(shown.state), wish, known, shelf)


def shelf_of(table: Table, map_: HexMap) -> Shelf | None:
    """Return where the boards of a map are, if this reader has all of them."""
    reader = table.seat.user
    return Shelf(reader) if has_boards(map_, reader) else None


def side_of(table: Table) -> str:
    """Return whose eyes the seat has: its own side; "" for umpires and spectators, who have none of their own."""
    viewer = table.view.viewer
    return viewer if viewer in table.ruleset.sides else ""


def modes(table: Table) -> tuple[str, ...]:
    """Return the ways to look that the seat has: fields of fire and best places are for sides."""
    return MODES if side_of(table) else ANYBODYS


FEW_LINES = 200
"""Most lines on the map's hexes that are looked along here; some 10 ms."""


@dataclass(frozen=True)
class NeededLos:
    """What an answer asks about LOS, who asks, and the boards of the map if they have them."""

    reader: Player
    asking: los_questions.LosRequest
    boards: Shelf | None


def needed_los(table: Table, asked: Asked, value: Any) -> NeededLos | None:
    """Return what an answer asks about LOS; None if it asks nothing."""
    pending = asked.pending
    if pending.question is None or pending.question.sights is None:
        return None
    seen = table.view if table.view.viewer == pending.side else view(table.campaign, pending.side)
    wanted = los_questions.read_los_request(table.campaign.context, pending.question, value, seen.state)
    return None if wanted is None else NeededLos(table.seat.user, wanted, shelf_of(table, wanted.map))


def look_up_los(wanted: NeededLos | None) -> tuple[SightFound, ...]:
    """Return what is found about LOS, one by one. Raises RefusedError as `Processes.do` does."""
    if wanted is None:
        return ()
    if wanted.boards is None and wanted.asking.lines <= FEW_LINES:
        return los_questions.look_up_los(wanted.asking)
    results, _ = run_los_job(wanted.reader, los_jobs.look_up_los, (wanted.asking,), wanted.asking.map, wanted.boards)
    return results


def with_los(question: Question, value: Any, results: tuple[SightFound, ...]) -> Any:
    """Return the answer changed to what was found about LOS; as it is if it can't be read."""
    try:
        return los_questions.settle_answer(question, question.form.parse(value), results)
    except DataError:
        return value
