"""The story: the report on each battle, the whole campaign, and both as files for forums and friends."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from laager.base import Refusal, RefusedError
from laager.sheets.story import Story
from laager.sheets.words import LANGUAGES
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records.story import documents
from laager.web.seats.permissions import Seat
from laager.web.shared.http import file_response, parse_number, picture_response

FORMATS = (
    ("pdf", _("PDF")),
    ("html", _("HTML, one page with its pictures")),
    ("bbcode", _("BBCode for forums, with pictures (ZIP)")),
    ("md", _("Markdown, with pictures (ZIP)")),
)
"""The files that a story can be had as, with what the page calls them."""


def language() -> str:
    """Return the reader's language, if stories are told in it."""
    code = (get_language() or "en").partition("-")[0]
    return code if code in LANGUAGES else "en"


@table_page
def whole(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the whole story as far as it goes."""
    documents.need_story(table)
    battles = documents.fought_battles(table)
    document = documents.story(table, None, language()) if battles else None
    return _render_story(request, table, document, None)


@table_page
def battle(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """Show the report on a battle."""
    return _render_story(request, table, documents.story(table, number, language()), number)


def _render_story(request: HttpRequest, table: Table, document: Story | None, number: int | None) -> HttpResponse:
    context = frame_context(table, "story") | {
        "told": document,
        "number": number,
        "battles": documents.fought_battles(table),
        "formats": FORMATS,
        "over": table.campaign.over,
    }
    return render(request, "records/story/story.html", context)


@seat_page()
def download(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give a story as a file; it is written when the campaign is free again."""
    given = request.GET
    chosen = _battle(given.get("battle", ""))
    with look(seat) as table:
        write = documents.file_of(
            table, chosen, given.get("as") or "pdf", given.get("paper") or "a4", given.get("language") or language()
        )
        stem = slugify(seat.game.title) or "campaign"
    made = write(seat.user)
    return file_response(made.data, made.media_type, f"{stem}-{made.name}")


def _battle(text: str) -> int | None:
    """Return the battle that an address names, None for the whole story. Raises RefusedError for anything else."""
    if not text:
        return None
    number = parse_number(text)
    if number is None:
        raise RefusedError(Refusal.NO_SUCH, f"{text[:20]!r} is not a battle", "give its number")
    return number


@seat_page()
def film(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the film of how the front moved, as a moving SVG."""
    with look(seat) as table:
        draw = documents.film(table, language())
    data = draw(seat.user).encode()
    return picture_response(request, data, "image/svg+xml", f'"{hashlib.sha256(data).hexdigest()[:32]}"')


@seat_page()
def result(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the result of a campaign that is over, as a picture to share."""
    with look(seat) as table:
        draw = documents.result(table, language())
        stem = slugify(seat.game.title) or "campaign"
    return file_response(draw(seat.user), "image/png", f"{stem}-result.png")


seat_patterns = [
    path("story", whole, name="story"),
    path("story/<int:number>", battle, name="story-battle"),
    path("story/file", download, name="story-file"),
    path("story/film.svg", film, name="story-film"),
    path("story/result.png", result, name="story-result"),
]
