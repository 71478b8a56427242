"""Looking: the log and its reasons, sheets, the map, earlier moments, all that a seat may know."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import BeforeValidator, Field

from laager.campaign.describing import explained, exported
from laager.campaign.telling import lines_of
from laager.sheets import catalogue, plain, prepared
from laager.web.api.refusals import READ, answers
from laager.web.api.seating import EntryNumber, GameId, Moment, SeatName, table_of
from laager.web.api.shapes import EntryOut, SheetOut, entries_json, sheet_json
from laager.web.services.looking import hexes, maps, moments

router = Router(tags=["looking"])

SEAT = "/campaigns/{game}/{seat}"
Since = Annotated[int, Query(ge=0, le=2**31 - 1, description="Only entries after this one.")]
Last = Annotated[int | None, Query(ge=1, le=100_000, description="Only the last so many.")]


class LinesOut(Schema):
    """The log in lines, as the command line shows it."""

    version: int
    lines: list[str]


class WhyOut(Schema):
    """Why something happened: its rule, and the answers and rolls that it followed from."""

    entry: EntryOut
    rule: Any = Field(description="The clause, or its number if the index has no such clause.")
    causes: list[EntryOut]


@router.get(SEAT + "/log", response=answers(list[EntryOut], *READ), operation_id="log")
def log(request: HttpRequest, game: GameId, seat: SeatName, since: Since = 0, last: Last = None) -> Any:
    """Give what has happened, as far as the seat may know it."""
    with table_of(request, game, seat) as table:
        told = table.log[since:]
        return entries_json(table, told[-last:] if last else told)


@router.get(SEAT + "/log/lines", response=answers(LinesOut, *READ), operation_id="log_lines")
def log_lines(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    since: Since = 0,
    last: Last = None,
    full: Annotated[bool, Query(description="Fold nothing.")] = False,
) -> Any:
    """Give what has happened in lines; long runs of like facts are folded."""
    with table_of(request, game, seat) as table:
        told = [one for one in table.log[since:] if one.text]
        lines = lines_of(told[-last:] if last else told, full)
        return {"version": table.view.version, "lines": lines}


@router.get(SEAT + "/log/{number}/why", response=answers(WhyOut, *READ), operation_id="why")
def why(request: HttpRequest, game: GameId, seat: SeatName, number: EntryNumber) -> Any:
    """Explain an entry of the log."""
    with table_of(request, game, seat) as table:
        return explained(table.campaign, table.view, number, table.ruleset.package)


@router.get(SEAT + "/state", response=answers(dict[str, Any], *READ), operation_id="export")
def export(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give all that the seat may know, as `laager export` does."""
    with table_of(request, game, seat) as table:
        return exported(table.campaign, table.view)


# Sheets -------------------------------------------------------------------------------------------


class OfferOut(Schema):
    """Something that can be printed now."""

    id: str
    title: str
    side: str
    kinds: list[str]


class SheetsOut(Schema):
    """What can be printed, and the record sheets that the rules fill."""

    offers: list[OfferOut]
    sheets: list[SheetOut]


@router.get(SEAT + "/sheets", response=answers(SheetsOut, *READ), operation_id="sheets")
def sheets(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the record sheets, and what else can be printed."""
    with table_of(request, game, seat) as table:
        campaign, viewer = table.campaign, table.view.viewer
        filled = table.ruleset.sheets(campaign.context, table.view.state)
        return {
            "offers": [
                {"id": one.id, "title": one.title, "side": one.side, "kinds": list(one.kinds)}
                for one in catalogue(campaign, viewer)
            ],
            "sheets": [sheet_json(one) for one in filled],
        }


@router.get(SEAT + "/sheets/{name}", response=answers(list[SheetOut], *READ), operation_id="sheet")
def sheet(request: HttpRequest, game: GameId, seat: SeatName, name: str) -> Any:
    """Give a record sheet by its name; without its side, that of each side."""
    with table_of(request, game, seat) as table:
        return [sheet_json(one) for one in plain(table.campaign, table.view.viewer, name)]


def _file(media_type: str) -> dict[str, Any]:
    """Return how a file is described in the OpenAPI document."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file.", "content": content}}}


@router.get(
    SEAT + "/print", response=answers(None, *READ), operation_id="print_sheets", openapi_extra=_file("application/pdf")
)
def print_sheets(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    name: Annotated[list[str], Query(max_length=40, description="Which; if left out, all that there are.")] = [],  # noqa: B006
    paper: Literal["a4", "letter"] = "a4",
    language: Literal["en", "de"] = "en",
) -> Any:
    """Give sheets as one PDF."""
    with table_of(request, game, seat) as table:
        campaign, viewer = table.campaign, table.view.viewer
        names = name or [one.id for one in catalogue(campaign, viewer)]
        make = prepared(campaign, viewer, names, paper, language)
    # Laid out when the campaign is free again.
    return _given(make(), "application/pdf")


def _given(data: bytes, media_type: str) -> HttpResponse:
    return HttpResponse(
        data,
        content_type=media_type,
        headers={"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"},
    )


# The map ------------------------------------------------------------------------------------------


@router.get(
    SEAT + "/map.svg", response=answers(None, *READ), operation_id="map_svg", openapi_extra=_file("image/svg+xml")
)
def map_svg(request: HttpRequest, game: GameId, seat: SeatName, at: Moment = None) -> Any:
    """Draw the map as SVG."""
    with table_of(request, game, seat) as table:
        drawing = maps.picture(table, at)
    return _given(drawing.drawn().data, "image/svg+xml")


def _number(text: object) -> object:
    """Return a word of a query as the number that it is."""
    return int(text) if isinstance(text, str) and text.isdecimal() else text


Width = Annotated[Literal[800, 1600, 3200], BeforeValidator(_number), Query(1600, description="In pixels.")]


@router.get(SEAT + "/map.png", response=answers(None, *READ), operation_id="map_png", openapi_extra=_file("image/png"))
def map_png(request: HttpRequest, game: GameId, seat: SeatName, width: Width = 1600, at: Moment = None) -> Any:
    """Draw the map as PNG."""
    with table_of(request, game, seat) as table:
        drawing = maps.png(table, at, width)
    return _given(drawing.drawn().data, "image/png")


@router.get(SEAT + "/map/hexes", response=answers(list[dict[str, Any]], *READ), operation_id="hexes")
def map_hexes(request: HttpRequest, game: GameId, seat: SeatName, at: Moment = None) -> Any:
    """Give all hexes in which something is Controlled or stands."""
    with table_of(request, game, seat) as table:
        return [asdict(one) for one in hexes.lines(table, maps.scene(table, at))]


@router.get(SEAT + "/map/hexes/{name}", response=answers(dict[str, Any], *READ), operation_id="hex")
def map_hex(request: HttpRequest, game: GameId, seat: SeatName, name: str, at: Moment = None) -> Any:
    """Give all that the seat may know of a hex."""
    with table_of(request, game, seat) as table:
        return hexes.content(table, maps.scene(table, at), name).describe()


# Earlier moments ----------------------------------------------------------------------------------


class StopOut(Schema):
    """The end of a step, by the number of its last entry."""

    number: int
    title: str
    clause: str
    at: str


class MomentOut(Schema):
    """How the campaign stood after an entry, from what the seat knew then."""

    number: int
    of: int
    at: str
    headline: list[str]
    news: list[EntryOut]
    sheets: list[SheetOut]


@router.get(SEAT + "/history", response=answers(list[StopOut], *READ), operation_id="history")
def history(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the ends of all steps."""
    with table_of(request, game, seat) as table:
        return [one.describe() for one in moments.stops(table)]


@router.get(SEAT + "/history/{number}", response=answers(MomentOut, *READ), operation_id="moment")
def moment(request: HttpRequest, game: GameId, seat: SeatName, number: EntryNumber) -> Any:
    """Give how the campaign stood after an entry."""
    with table_of(request, game, seat) as table:
        found = moments.moment(table, number)
        return {
            "number": found.number,
            "of": found.of,
            "at": found.at,
            "headline": list(found.headline),
            "news": entries_json(table, list(found.news)),
            "sheets": [sheet_json(one) for one in found.sheets],
        }
