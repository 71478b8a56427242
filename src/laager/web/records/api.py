"""Looking: the log, sheets, the map, earlier moments, notes; the whole log, verified and as a file."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja.responses import Status
from pydantic import BeforeValidator, Field

from laager.base import Refusal, RefusedError
from laager.campaign.describing import explain_entry, export_view
from laager.campaign.record import write_record
from laager.campaign.telling import lines_of
from laager.los.questions.map_los import LosWish, make_los_wish
from laager.los.result import MOST_ABOVE
from laager.sheets import catalogue, plain, prepare_pdf
from laager.sheets.story import describe
from laager.web.api.calls import Row, user_of
from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns import los, notebook, scenes
from laager.web.campaigns.seat_pages import (
    SEAT,
    EntryNumber,
    GameId,
    Moment,
    SeatName,
    describe_file,
    file_response,
    seat_of,
    table_of,
)
from laager.web.campaigns.shapes import EntryOut, SheetOut, entries_json
from laager.web.campaigns.tables import look
from laager.web.records import verification
from laager.web.records.log.history import find_stops, moment_at
from laager.web.records.map import hexes, pictures
from laager.web.records.sheets.pages import make_pdf
from laager.web.records.story import documents
from laager.web.seats.permissions import Action, Seat

router = Router(tags=["looking"])

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
    house: list[str] = Field([], description="What the campaign plays differently under the rule: house rules.")


@router.get(SEAT + "/log", response=answers(list[EntryOut], *READ), operation_id="log")
def log(request: HttpRequest, game: GameId, seat: SeatName, since: Since = 0, last: Last = None) -> Any:
    """Give what has happened, as far as the seat may know it."""
    with table_of(request, game, seat) as table:
        entries = table.log[since:]
        return entries_json(table, entries[-last:] if last else entries)


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
        spoken = [entry for entry in table.log[since:] if entry.text]
        lines = lines_of(spoken[-last:] if last else spoken, full)
        return {"version": table.view.version, "lines": lines}


@router.get(SEAT + "/log/{number}/why", response=answers(WhyOut, *READ), operation_id="why")
def explain(request: HttpRequest, game: GameId, seat: SeatName, number: EntryNumber) -> Any:
    """Explain an entry of the log."""
    with table_of(request, game, seat) as table:
        return explain_entry(table.campaign, table.view, number, table.ruleset.package)


@router.get(SEAT + "/state", response=answers(dict[str, Any], *READ), operation_id="export")
def export(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give all that the seat may know, as `laager export` does."""
    with table_of(request, game, seat) as table:
        return export_view(table.campaign, table.view)


class RecordOut(Schema):
    """The record at the start of the present step, as far as the seat may know it."""

    text: str = Field(description="The file (YAML), from which a campaign can go on.")


@router.get(SEAT + "/record", response=answers(RecordOut, *READ), operation_id="record")
def record(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the record, as `laager export --record` does."""
    with table_of(request, game, seat) as table:
        return {"text": write_record(table.campaign, table.seat.viewer)}


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
        return {"offers": catalogue(campaign, viewer), "sheets": filled}


@router.get(SEAT + "/sheets/{name}", response=answers(list[SheetOut], *READ), operation_id="sheet")
def sheet(request: HttpRequest, game: GameId, seat: SeatName, name: str) -> Any:
    """Give a record sheet by its name; without its side, that of each side."""
    with table_of(request, game, seat) as table:
        return list(plain(table.campaign, table.view.viewer, name))


@router.get(
    SEAT + "/print",
    response=answers(None, *READ),
    operation_id="print_sheets",
    openapi_extra=describe_file("application/pdf"),
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
        names = name or [offer.id for offer in catalogue(campaign, viewer)]
        make = prepare_pdf(campaign, viewer, names, paper, language)
    # Laid out when the campaign is free again.
    return file_response(make_pdf(user_of(request), make), "application/pdf")


# The story ----------------------------------------------------------------------------------------


class StoryOut(Schema):
    """The report on a battle, or the whole story: headings, paragraphs, lists, tables, names of pictures."""

    name: str
    title: str
    subtitle: str
    blocks: list[dict[str, Any]]


Number = Annotated[int | None, Query(ge=0, le=10_000, description="0: the last; if left out, the whole story.")]


@router.get(SEAT + "/story", response=answers(StoryOut, *READ), operation_id="story")
def story(
    request: HttpRequest, game: GameId, seat: SeatName, battle: Number = None, language: Literal["en", "de"] = "en"
) -> Any:
    """Tell of a battle, or of the whole campaign as far as it has gone and the seat may know it."""
    with table_of(request, game, seat) as table:
        return describe(documents.story(table, documents.number_of(table, battle), language))


@router.get(
    SEAT + "/story/file",
    response=answers(None, *READ),
    operation_id="story_file",
    openapi_extra=describe_file("application/octet-stream"),
)
def story_file(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    battle: Number = None,
    format: Literal["md", "bbcode", "html", "pdf"] = "pdf",  # noqa: A002
    paper: Literal["a4", "letter"] = "a4",
    language: Literal["en", "de"] = "en",
) -> Any:
    """Give a story as a file; Markdown and BBCode with their pictures as a ZIP archive."""
    with table_of(request, game, seat) as table:
        write = documents.file_of(table, documents.number_of(table, battle), format, paper, language)
    made = write(user_of(request))
    return file_response(made.data, made.media_type)


@router.get(
    SEAT + "/story/result.png", response=answers(None, *READ), operation_id="story_result",
    openapi_extra=describe_file("image/png"),
)  # fmt: skip
def story_result(request: HttpRequest, game: GameId, seat: SeatName, language: Literal["en", "de"] = "en") -> Any:
    """Give the result of a campaign that is over, as a picture to share."""
    with table_of(request, game, seat) as table:
        draw = documents.result(table, language)
    return file_response(draw(user_of(request)), "image/png")


# The map ------------------------------------------------------------------------------------------


class SightIn(Schema):
    """What to look at along lines of sight; nothing without `see`."""

    see: str = Field("", max_length=20, description="from, to, line, hull, fire, enemy or best.")
    spot: str = Field("", max_length=40, description="A Location as on the map (`H7.1`) or in words (`H7 level 1`).")
    other: str = Field("", max_length=40, description="Of a line: the other Location.")
    range: int | None = Field(None, ge=1, le=200, description="So far, in hexes.")
    level: int | None = Field(None, ge=0, le=MOST_ABOVE, description="Of `from`: so far above each hex's ground.")

    def wish(self) -> LosWish | None:
        """Return it as the engine takes it."""
        place = self.spot.strip(), self.other.strip(), self.range, self.level
        return make_los_wish(self.see.strip(), *place) if self.see.strip() else None


@router.get(
    SEAT + "/map.svg",
    response=answers(None, *READ),
    operation_id="map_svg",
    openapi_extra=describe_file("image/svg+xml"),
)
def map_svg(request: HttpRequest, game: GameId, seat: SeatName, wish: Query[SightIn], at: Moment = None) -> Any:
    """Draw the map as SVG, with what can be seen from where if `see` says so."""
    with table_of(request, game, seat) as table:
        drawing = pictures.picture(table, at, wish=wish.wish())
    return file_response(drawing.render().data, "image/svg+xml")


def _number(text: object) -> object:
    """Return a word of a query as the number that it is."""
    return int(text) if isinstance(text, str) and text.isdecimal() else text


Width = Annotated[Literal[800, 1600, 3200], BeforeValidator(_number), Query(1600, description="In pixels.")]


@router.get(
    SEAT + "/map.png", response=answers(None, *READ), operation_id="map_png", openapi_extra=describe_file("image/png")
)
def map_png(
    request: HttpRequest, game: GameId, seat: SeatName, wish: Query[SightIn], width: Width = 1600, at: Moment = None
) -> Any:
    """Draw the map as PNG, with what can be seen from where if `see` says so."""
    with table_of(request, game, seat) as table:
        drawing = pictures.png(table, at, width, wish.wish())
    return file_response(drawing.render().data, "image/png")


class LookOut(Schema):
    """What can be seen: hexes by kind, what is written in them, a line's own answer, the best places."""

    hexes: dict[str, list[str]] = Field(description="clear, hindered, upper, blocked, unknown: hexes of each kind.")
    labels: dict[str, str]
    spots: list[str]
    sight: dict[str, Any] | None
    places: list[dict[str, Any]]
    approximate: bool
    engine: str
    boards: dict[str, str] = Field(description="The boards that were read, each with its SHA-256.")
    eyes: int
    every: int


@router.get(SEAT + "/map/sight", response=answers(LookOut, *READ), operation_id="sight")
def map_sight(request: HttpRequest, game: GameId, seat: SeatName, wish: Query[SightIn], at: Moment = None) -> Any:
    """Look along lines of sight on the map, as the seat knows it. What it costs counts against what one may look at."""
    with table_of(request, game, seat) as table:
        asked = wish.wish()
        if asked is None:
            raise RefusedError(Refusal.BAD_DATA, "this asks for nothing", "say what to look at: see=from, to, line …")
        wanted = los.prepare_look(table, scenes.scene_of(table, at), asked)
    return wanted.look().describe()


@router.get(SEAT + "/map/hexes", response=answers(list[dict[str, Any]], *READ), operation_id="hexes")
def map_hexes(request: HttpRequest, game: GameId, seat: SeatName, at: Moment = None) -> Any:
    """Give all hexes in which something is Controlled or stands."""
    with table_of(request, game, seat) as table:
        return [asdict(line) for line in hexes.list_occupied(table, scenes.scene_of(table, at))]


@router.get(SEAT + "/map/hexes/{name}", response=answers(dict[str, Any], *READ), operation_id="hex")
def map_hex(request: HttpRequest, game: GameId, seat: SeatName, name: str, at: Moment = None) -> Any:
    """Give all that the seat may know of a hex."""
    with table_of(request, game, seat) as table:
        return hexes.describe_content(hexes.hex_content(table, scenes.scene_of(table, at), name))


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
        return find_stops(table)


@router.get(SEAT + "/history/{number}", response=answers(MomentOut, *READ), operation_id="moment")
def moment(request: HttpRequest, game: GameId, seat: SeatName, number: EntryNumber) -> Any:
    """Give how the campaign stood after an entry."""
    with table_of(request, game, seat) as table:
        past = moment_at(table, number)
        return vars(past) | {"news": entries_json(table, past.news)}


# Notes --------------------------------------------------------------------------------------------


class NoteIn(Schema):
    """A note, and what it is about: nothing, a hex (`R23`), `unit AX3`, `entry 12`."""

    text: Annotated[str, Field(min_length=1, max_length=notebook.LONGEST_NOTE_CHARS)]
    about: Annotated[str, Field(max_length=80)] = ""


class NoteOut(Schema):
    """A note of the seat."""

    id: int
    about: str
    text: str
    by: str = Field(validation_alias="by.username")
    made: datetime
    changed: datetime


def _subject(seat: Seat, about: str) -> notebook.Subject:
    with look(seat) as table:
        return notebook.find_subject(table, about)


@router.get(SEAT + "/notes", response=answers(list[NoteOut], 403, *READ), tags=["notes"], operation_id="notes")
def notes(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """List the notes of the seat, shared by those who sit in it; nobody else sees them."""
    return list(notebook.all_notes(seat_of(request, game, seat)))


@router.post(SEAT + "/notes", response=answers(NoteOut, *WRITE, code=201), tags=["notes"], operation_id="write_note")
def write_note(request: HttpRequest, game: GameId, seat: SeatName, sent: NoteIn) -> Any:
    """Add a note."""
    mine = seat_of(request, game, seat, Action.DRAFT)
    return Status(201, notebook.write(mine, _subject(mine, sent.about), sent.text))


@router.put(SEAT + "/notes/{number}", response=answers(NoteOut, *WRITE), tags=["notes"], operation_id="rewrite_note")
def rewrite_note(request: HttpRequest, game: GameId, seat: SeatName, number: Row, sent: NoteIn) -> Any:
    """Change a note."""
    mine = seat_of(request, game, seat, Action.DRAFT)
    return notebook.rewrite(mine, number, _subject(mine, sent.about), sent.text)


@router.delete(
    SEAT + "/notes/{number}", response=answers(None, *WRITE, code=204), tags=["notes"], operation_id="delete_note"
)
def delete_note(request: HttpRequest, game: GameId, seat: SeatName, number: Row) -> Any:
    """Delete a note."""
    notebook.delete(seat_of(request, game, seat, Action.DRAFT), number)
    return Status(204, None)


# The whole log ------------------------------------------------------------------------------------


class LogFindingOut(Schema):
    """Something in the log that does not add up, at an entry (its number in the log file)."""

    entry: int = Field(validation_alias="number")
    what: str


class CountingRulingOut(Schema):
    """A ruling that counts, at an entry (its number in the log file)."""

    entry: int = Field(validation_alias="number")
    by: str
    agreed: list[str]
    why: str
    facts: int = Field(description="How many facts it has.")
    reopens: str = Field(description="The step of which it opened an answer again; empty if none.")


class ProofOut(Schema):
    """What was checked in the log, and what was found."""

    sound: bool
    entries: int
    rolls: int
    entered: int
    facts: int
    head: str
    findings: list[LogFindingOut]
    corrected: list[str]
    rulings: list[CountingRulingOut] = Field(description="What the table decided outside the rules, and counts.")
    house: list[str] = Field(description="What the campaign plays differently from the rules as printed.")


@router.get(SEAT + "/verify", response=answers(ProofOut, 403, *READ), operation_id="verify")
def verify(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Verify the log. For the umpire; for everybody with a seat once the campaign is over."""
    mine = seat_of(request, game, seat)
    with look(mine) as table:
        verification.need_proof(table)
    return verification.prove(mine)


@router.get(
    SEAT + "/log.laager", response=answers(None, 403, *READ), operation_id="download",
    openapi_extra=describe_file("application/x-ndjson"),
)  # fmt: skip
def download(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the whole log as a campaign file, once the campaign is over."""
    with table_of(request, game, seat) as table:
        data = verification.whole_log(table)
    return file_response(data, "application/x-ndjson", "campaign.laager")
