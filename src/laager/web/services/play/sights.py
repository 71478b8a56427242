"""What is found about LOS for an answer, from what the asked side sees: a proposal, shown next to its question.

What is asked is gathered while the campaign is held; looking along the lines needs the campaign no more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign.views import view
from laager.los.asked import Asking, asking, found, settled
from laager.web.services.looking.sights import shelf_of

if TYPE_CHECKING:
    from laager.campaign import Question, SightFound
    from laager.web.services.play.tables import Asked, Table

__all__ = ["Asking", "follows", "found", "gathered"]


def gathered(table: Table, asked: Asked, value: Any) -> Asking | None:
    """Return what an answer asks about LOS; None if it asks nothing."""
    pending = asked.pending
    if pending.question is None or pending.question.sights is None:
        return None
    seen = table.view if table.view.viewer == pending.side else view(table.campaign, pending.side)
    wanted = asking(table.campaign.context, pending.question, value, seen.state)
    return wanted and replace(wanted, boards=shelf_of(table, wanted.map))


def follows(question: Question, value: Any, results: tuple[SightFound, ...]) -> Any:
    """Return the answer changed to what was found about LOS; as it is if it can't be read."""
    try:
        return settled(question, question.form.parse(value), results)
    except DataError:
        return value
