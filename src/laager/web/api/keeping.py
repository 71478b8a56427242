"""A seat's notes; the whole log: proven, and as a file."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.refusals import READ, WRITE, answers
from laager.web.api.seating import GameId, Row, SeatName, seat_of, table_of
from laager.web.models import Note
from laager.web.services.looking import notebook
from laager.web.services.people.permissions import Action
from laager.web.services.play import verification
from laager.web.services.play.tables import look

router = Router(tags=["looking"])

SEAT = "/campaigns/{game}/{seat}"


# Notes --------------------------------------------------------------------------------------------


class NoteIn(Schema):
    """A note, and what it is about: nothing, a hex (`R23`), `unit AX3`, `entry 12`."""

    text: Annotated[str, Field(min_length=1, max_length=notebook.LONGEST)]
    about: Annotated[str, Field(max_length=80)] = ""


class NoteOut(Schema):
    """A note of the seat."""

    id: int
    about: str
    text: str
    by: str
    made: datetime
    changed: datetime


def _note(one: Note) -> dict[str, Any]:
    return {
        "id": one.pk,
        "about": one.about,
        "text": one.text,
        "by": one.by.username,
        "made": one.made,
        "changed": one.changed,
    }


@router.get(
    SEAT + "/notes", response=answers(list[NoteOut], 403, *READ), tags=["notes"],
    operation_id="notes",
)  # fmt: skip
def notes(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the notes of the seat, shared by those who sit in it; nobody else sees them."""
    return [_note(one) for one in notebook.all_notes(seat_of(request, game, seat))]


@router.post(
    SEAT + "/notes", response=answers(NoteOut, *WRITE, code=201), tags=["notes"],
    operation_id="write_note",
)  # fmt: skip
def write_note(request: HttpRequest, game: GameId, seat: SeatName, sent: NoteIn) -> Any:
    """Add a note."""
    mine = seat_of(request, game, seat, Action.DRAFT)
    with look(mine) as table:
        subject = notebook.checked_subject(table, sent.about)
    return Status(201, _note(notebook.write(mine, subject, sent.text)))


@router.put(
    SEAT + "/notes/{number}", response=answers(NoteOut, *WRITE), tags=["notes"],
    operation_id="rewrite_note",
)  # fmt: skip
def rewrite_note(request: HttpRequest, game: GameId, seat: SeatName, number: Row, sent: NoteIn) -> Any:
    """Change a note."""
    mine = seat_of(request, game, seat, Action.DRAFT)
    with look(mine) as table:
        subject = notebook.checked_subject(table, sent.about)
    notebook.rewrite(mine, number, subject, sent.text)
    return _note(notebook.one(mine, number))


@router.delete(
    SEAT + "/notes/{number}", response=answers(None, *WRITE, code=204), tags=["notes"],
    operation_id="delete_note",
)  # fmt: skip
def delete_note(request: HttpRequest, game: GameId, seat: SeatName, number: Row) -> Any:
    """Delete a note."""
    notebook.delete(seat_of(request, game, seat, Action.DRAFT), number)
    return Status(204, None)


# The whole log ------------------------------------------------------------------------------------


class FindingOut(Schema):
    """Something in the log that does not add up, at an entry (its number in the log file)."""

    entry: int
    what: str


class ProofOut(Schema):
    """What was proven of the log, and what was found."""

    sound: bool
    entries: int
    rolls: int
    entered: int
    facts: int
    head: str
    findings: list[FindingOut]
    corrected: list[str]


@router.get(SEAT + "/verify", response=answers(ProofOut, 403, *READ), operation_id="verify")
def verify(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Prove the log. For the umpire; for everybody with a seat once the campaign is over."""
    mine = seat_of(request, game, seat)
    with look(mine) as table:
        verification.need_proof(table)
    found = verification.prove(mine)
    return {
        "sound": found.sound,
        "entries": found.entries,
        "rolls": found.rolls,
        "entered": found.entered,
        "facts": found.facts,
        "head": found.head,
        "findings": [{"entry": one.number, "what": one.what} for one in found.findings],
        "corrected": list(found.corrected),
    }


@router.get(
    SEAT + "/log.laager",
    response=answers(None, 403, *READ),
    operation_id="download",
    openapi_extra={"responses": {200: {"description": "The file.", "content": {
        "application/x-ndjson": {"schema": {"type": "string", "format": "binary"}}}}}},
)  # fmt: skip
def download(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the whole log as a campaign file, once the campaign is over."""
    with table_of(request, game, seat) as table:
        data = verification.whole_log(table)
    return HttpResponse(
        data,
        content_type="application/x-ndjson",
        headers={"Cache-Control": "private, no-store", "Content-Disposition": 'attachment; filename="campaign.laager"'},
    )
