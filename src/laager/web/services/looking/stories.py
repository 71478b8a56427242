"""The story of a campaign as a seat may know it: the report on a battle, the whole, and both as files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID

from laager.base import Refusal, RefusedError, named
from laager.sheets import story as stories
from laager.sheets.story import (
    FORMATS,
    Battle,
    Document,
    Picture,
    Written,
    after_action,
    battles,
    has_story,
    whole_story,
    written,
)
from laager.web.services.looking import maps
from laager.web.services.recent import Recent

if TYPE_CHECKING:
    from laager.web.services.play.tables import Table

WITH_PICTURES = ("md", "bbcode")
"""Formats whose pictures become PNG."""

_KEPT: Recent[tuple[UUID, str, str, int | None, str], Document] = Recent(32)
"""The stories that were told last, each for one viewer of one campaign at one moment."""


def fought(table: Table) -> tuple[Battle, ...]:
    """Return the battles that were fought, as far as the seat's log goes."""
    return tuple(one for one in battles(table.campaign, table.view) if one.fought)


def need_story(table: Table) -> None:
    """Raise RefusedError (no-such) if a campaign has no battles, now or ever."""
    if not has_story(table.campaign):
        raise RefusedError(Refusal.NO_SUCH, "a purchase has no battles to tell of")


def number_of(table: Table, number: int | None) -> int | None:
    """Return the number of a battle; 0 stands for the last one, None for the whole story. Raises RefusedError."""
    need_story(table)
    return stories.fought(table.campaign, table.view).number if number == 0 else number


def story(table: Table, number: int | None, language: str) -> Document:
    """Return the report on a battle, or (None) the whole story. Raises RefusedError if there is none."""
    need_story(table)
    campaign, viewer = table.campaign, table.view.viewer

    def tell() -> Document:
        if number is None:
            return whole_story(campaign, viewer, language)
        return after_action(campaign, viewer, number, language)

    return _KEPT.get((table.seat.game.pk, viewer, table.tag, number, language), tell)


def file_of(table: Table, number: int | None, format_: str, paper: str, language: str) -> Callable[[], Written]:
    """Return what writes a story as a file; it needs the campaign no more.

    Raises RefusedError if there is no such story, format or paper.
    """
    from laager.sheets.paper import paper_named

    named(FORMATS, format_, f"there is no format {format_!r}", "there are")
    paper_named(paper)
    told = story(table, number, language)

    def write() -> Written:
        if format_ not in WITH_PICTURES:
            return written(told, format_, paper)
        with maps.turn():
            return written(told, format_, paper).packed()

    return write


def film(table: Table, language: str) -> Picture:
    """Return the film of how the front moved. Raises RefusedError if there is none yet."""
    found = next((one for one in story(table, None, language).pictures if one.moves), None)
    if found is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no film of this campaign yet")
    return found
