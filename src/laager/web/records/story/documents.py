"""The story of a campaign as a seat may know it: the report on a battle, the whole, and both as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError, find_named
from laager.sheets import story as stories
from laager.sheets.story import (
    FORMATS,
    Battle,
    Heading,
    Paragraph,
    Story,
    Written,
    after_action,
    battles,
    has_story,
    result_picture,
    standing_picture,
    whole_story,
    write_document,
)
from laager.web.shared import processes
from laager.web.shared.names import side_name
from laager.web.shared.recent import Recent
from laager.web.talk.messages import list_quotes

if TYPE_CHECKING:
    from laager.sheets.story.document import Block
    from laager.web.campaigns.tables import Table
    from laager.web.models import Game, Player

_KEPT: Recent[tuple[UUID, str, str, int | None, str], Story] = Recent(32)
"""The stories that were told last, each for one viewer of one campaign at one moment."""

_FILMS: Recent[tuple[UUID, str, str, str], str] = Recent(100, 16 * 2**20, len)
"""The films that were drawn last; many megabytes at most."""

_CARDS: Recent[tuple[UUID, str, str, str, str], bytes] = Recent(100, 16 * 2**20, len)
"""The pictures of results, and of how campaigns stand, that were drawn last."""


def fought_battles(table: Table) -> tuple[Battle, ...]:
    """Return the battles that were fought, as far as the seat's log goes."""
    return tuple(battle for battle in battles(table.campaign, table.view) if battle.fought)


def need_story(table: Table) -> None:
    """Raise RefusedError (no-such) if a campaign has no battles, now or ever."""
    if not has_story(table.campaign):
        raise RefusedError(Refusal.NO_SUCH, "a purchase has no battles to tell of")


def number_of(table: Table, number: int | None) -> int | None:
    """Return the number of a battle; 0 stands for the last one, None for the whole story. Raises RefusedError."""
    need_story(table)
    return stories.find_battle(table.campaign, table.view).number if number == 0 else number


def story(table: Table, number: int | None, language: str) -> Story:
    """Return the report on a battle, or (None) the whole story. Raises RefusedError if there is none."""
    need_story(table)
    campaign, viewer = table.campaign, table.view.viewer

    def tell() -> Story:
        if number is None:
            return whole_story(campaign, viewer, language)
        return after_action(campaign, viewer, number, language)

    return _KEPT.get((table.seat.game.pk, viewer, table.tag, number, language), tell)


def file_of(table: Table, number: int | None, format_: str, paper: str, language: str) -> Callable[[Player], Written]:
    """Return what writes a story as a file for a reader, in a process of its own; it needs the campaign no more.

    Raises RefusedError if there is no such story, format or paper; what it returns as `Processes.do` does.
    """
    from laager.sheets.paper import paper_named

    find_named(FORMATS, format_, f"there is no format {format_!r}", "there are")
    paper_named(paper)
    document = story(table, number, language)
    if number is None:
        document = replace(document, blocks=(*document.blocks, *_quote_blocks(table.seat.game, language)))

    def write(reader: Player) -> Written:
        made: Written = processes.SLOW.do(reader.pk, partial(write_document, document, format_, paper))
        return made.as_one_file()

    return write


def _quote_blocks(game: Game, language: str) -> list[Block]:
    """Return what was said to everybody and may be quoted, as the end of a story."""
    with translation.override(language):
        quotes = [
            Paragraph(
                f"“{' '.join(line.text.split())}” {line.who}, {side_name(line.seat, game)}, "
                f"{date_format(timezone.localtime(line.at), 'SHORT_DATE_FORMAT')}"
            )
            for line in list_quotes(game)
        ]
        return [Heading(_("Said at the table")), *quotes] if quotes else []


def film(table: Table, language: str) -> Callable[[Player], str]:
    """Return what draws the film of how the front moved for a reader, as a moving SVG.

    Raises RefusedError if there is none yet; what it returns as `Processes.do` does.
    """
    animation = next((picture for picture in story(table, None, language).pictures if picture.moves), None)
    if animation is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no film of this campaign yet")
    draw, key = animation.draw, (table.seat.game.pk, table.view.viewer, table.tag, language)
    return lambda reader: _FILMS.get(key, lambda: processes.SLOW.do(reader.pk, draw))


def result(table: Table, language: str) -> Callable[[Player], bytes]:
    """Return what draws the result of a campaign that is over for a reader, as a PNG.

    Raises RefusedError if the campaign goes on or has no map; what it returns as `Processes.do` does.
    """
    return _card(table, language, result_picture)


def standing(table: Table, language: str) -> Callable[[Player], bytes]:
    """Return what draws how a campaign stands, or its result, for a reader, as a PNG.

    Raises RefusedError if the campaign has no map; what it returns as `Processes.do` does.
    """
    return _card(table, language, standing_picture)


def _card(table: Table, language: str, picture: Callable[..., Callable[[], bytes]]) -> Callable[[Player], bytes]:
    need_story(table)
    name = table.seat.game.title
    draw = picture(table.campaign, table.view.viewer, language, name)
    key = (table.seat.game.pk, table.view.viewer, table.tag, language, name)
    return lambda reader: _CARDS.get(key, lambda: processes.SLOW.do(reader.pk, draw))
