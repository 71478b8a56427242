"""What is found about LOS for an answer, from what the asked side sees: a proposal, shown next to its question.

What is asked is gathered while the campaign is held; looking along the lines needs the campaign no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign.views import view
from laager.los.questions import asked as los
from laager.web.campaigns.los import shelf_of, worked_out
from laager.web.shared import eyes

if TYPE_CHECKING:
    from laager.campaign import Question, SightFound
    from laager.web.campaigns.tables import Asked, Table
    from laager.web.library.maps.boards import Shelf
    from laager.web.models import Player

FEW = 200
"""Up to so many lines on the map's hexes are looked along here; some 10 ms."""


@dataclass(frozen=True)
class Gathered:
    """What an answer asks about LOS, who asks, and the boards of the map if they have them."""

    reader: Player
    asking: los.Asking
    boards: Shelf | None


def gathered(table: Table, asked: Asked, value: Any) -> Gathered | None:
    """Return what an answer asks about LOS; None if it asks nothing."""
    pending = asked.pending
    if pending.question is None or pending.question.sights is None:
        return None
    seen = table.view if table.view.viewer == pending.side else view(table.campaign, pending.side)
    wanted = los.asking(table.campaign.context, pending.question, value, seen.state)
    return None if wanted is None else Gathered(table.seat.user, wanted, shelf_of(table, wanted.map))


def found(wanted: Gathered | None) -> tuple[SightFound, ...]:
    """Return what is found about LOS, one by one. Raises RefusedError as `Processes.do` does."""
    if wanted is None:
        return ()
    if wanted.boards is None and wanted.asking.lines <= FEW:
        return los.found(wanted.asking)
    results, _ = worked_out(wanted.reader, eyes.found, (wanted.asking,), wanted.asking.map, wanted.boards)
    return results


def follows(question: Question, value: Any, results: tuple[SightFound, ...]) -> Any:
    """Return the answer changed to what was found about LOS; as it is if it can't be read."""
    try:
        return los.settled(question, question.form.parse(value), results)
    except DataError:
        return value
