"""My campaigns, cards, beginning a campaign, and the files of one's own library."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from ninja import Path, Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.base import DataError, Problem
from laager.campaign import UMPIRE
from laager.campaign.patience import LONGEST_DAYS, Patience
from laager.campaign.summary import CardSummary
from laager.web.api.calls import user_of
from laager.web.api.refusals import WRITE, Wrong, answers
from laager.web.campaigns.seat_pages import describe_file, file_response
from laager.web.campaigns.tables import look
from laager.web.library.files import checks, offers
from laager.web.library.files import files as library
from laager.web.models import Member
from laager.web.rules.api import ReadingOut
from laager.web.seats import seating
from laager.web.seats.permissions import Seat
from laager.web.shared.http import absolute_address
from laager.web.starting import beginning

router = Router(tags=["campaigns"])

Short = Annotated[str, Field(max_length=120)]
CardId = Annotated[str, Path(max_length=120, description="A shipped card.")]
FileName = Annotated[str, Path(max_length=120, description="A file of your library.")]


class SeatOut(Schema):
    """A seat that you have in a campaign, and whether something is needed of you."""

    campaign: UUID
    seat: str
    role: str
    side: str
    title: str
    ruleset: str
    archived: bool
    headline: list[str]
    asked: int = Field(description="How many answers or rolls are needed of the seat.")
    waiting_for: list[str]
    at: str = Field(description="When the seat could last see something new (UTC).")


@router.get("/campaigns", response=answers(list[SeatOut]), operation_id="campaigns")
def campaigns(request: HttpRequest) -> Any:
    """List your seats in campaigns, those first where your answer is needed."""
    user = user_of(request)
    rows = []
    for member in Member.objects.select_related("game").filter(user=user).order_by("pk"):
        with look(Seat(member.game, user, member)) as table:
            seat, view = table.seat, table.view
            rows.append({
                "campaign": seat.game.pk,
                "seat": seat.name,
                "role": seat.role.value,
                "side": member.side,
                "title": seat.game.title,
                "ruleset": table.ruleset.id,
                "archived": seat.game.archived,
                "headline": list(table.ruleset.headline(table.campaign.context, view.state)),
                "asked": len(table.asked) if member.side else 0,
                "waiting_for": list(view.waiting_for),
                "at": view.log[-1].entry.at,
            })  # fmt: skip
    rows.sort(key=lambda row: str(row["at"]), reverse=True)
    return sorted(rows, key=lambda row: not row["asked"])


# Cards --------------------------------------------------------------------------------------------


class SideOut(Schema):
    """A side of a card."""

    id: str
    name: str
    points: int | None = None


class TimeOut(Schema):
    """How long a campaign takes; without `most` always about as long."""

    least: int
    most: int | None
    unit: str


class FactsOut(Schema):
    """What players compare before they choose a card."""

    theatre: str
    first: date | None = Field(description="The day of the first battle.")
    last: date | None
    by_month: bool = Field(description="True if only the months of these days count.")
    sides: list[SideOut]
    battles: int = Field(description="How many battles it has; 0 if nobody can tell.")
    battle: str = Field(description="What one is called: firefight, CG Date or scenario.")
    takes: TimeOut | None
    estimated: bool = Field(description="True if that is our estimate, not the designer's word.")
    length: str
    about: str
    needs: list[str]
    boards: list[str]
    map: str


class CardOut(Schema):
    """A card from which a campaign can be begun."""

    id: str
    title: str
    rules: str
    source: str
    own: bool = Field(description="True if it is in your library, false if it ships with Laager.")
    facts: FactsOut | None = Field(description="Null if the card isn't valid, or wasn't read yet: ask again.")


class CheckedCardOut(CardOut):
    """A card with its check, and how to begin a campaign from it."""

    seats: list[str]
    readings: list[ReadingOut]
    warnings: list[str]
    problems: list[Wrong]


class BeginIn(Schema):
    """How to begin a campaign: from a shipped card, or from a file of your library."""

    card: Annotated[str, Field(min_length=1, max_length=120)]
    own: Annotated[bool, Field(strict=True)] = False
    title: Annotated[str, Field(max_length=200)] = ""
    seat: Annotated[Short, Field(description="A side, `umpire`, or `both` to play alone.")] = "both"
    entered_dice: Annotated[bool, Field(strict=True)] = False
    readings: Annotated[dict[Short, Short], Field(max_length=100)] = {}
    corrections: Annotated[
        Literal["agreed", "umpire", "none"],
        Field(description="Who agrees to corrections of what only one side knows: the other side, the umpire, nobody."),
    ] = "agreed"
    umpire_alone: Annotated[
        bool, Field(strict=True, description="False if the umpire's rulings need both sides, too.")
    ] = True
    house: Annotated[
        str,
        Field(max_length=120, description="A file of house rules in your library; left out, none but the card's own."),
    ] = ""
    record: Annotated[
        str,
        Field(
            max_length=checks.MOST_BYTES,
            description="A record (YAML) from which the campaign goes on; left out, it begins at the beginning.",
        ),
    ] = ""
    commanders: Annotated[
        dict[Short, Short],
        Field(
            max_length=2, description="Commanders that hold a side, by side: `bold`, `cautious`, `sensible`, `chance`."
        ),
    ] = {}
    waiting_days: Annotated[
        int,
        Field(
            ge=1, le=seating.LONGEST_WAIT,
            description="Days for which it must be announced that a seat is to be freed.",
        ),
    ] = seating.WAITING_DAYS  # fmt: skip
    patience_days: Annotated[
        int, Field(ge=0, le=LONGEST_DAYS, description="Days that a side has for a move; 0 for as long as it takes.")
    ] = 0
    patience_then: Annotated[
        Literal["remind", "umpire", "sensible"],
        Field(
            description="What then: a reminder; besides, the umpire, or the other side too, can let the sensible "
            "commander answer."
        ),
    ] = "remind"
    invite: Annotated[
        list[Short], Field(max_length=20, description="Seats to invite to, such as `player:allied`, `umpire:`.")
    ] = []


class LinkOut(Schema):
    """An invitation that was made; its key is shown only once."""

    role: str
    side: str
    key: str
    link: str


class BegunOut(Schema):
    """The campaign that was begun, and your seat in it."""

    campaign: UUID
    seat: str
    title: str
    invitations: list[LinkOut]


def _card_json(card: offers.Offer, facts: CardSummary | None) -> dict[str, Any]:
    own = card.owner is not None
    return {"id": card.id, "title": card.title, "rules": card.rules, "source": card.source, "own": own, "facts": facts}


def _checked_json(card: offers.Offer) -> dict[str, Any]:
    warnings: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    try:
        warnings = offers.check_card(card)
    except DataError as err:
        problems = err.problems
    return _card_json(card, offers.summary(card)) | {
        "seats": [*card.ruleset.sides, UMPIRE, beginning.BOTH],
        "readings": card.readings.values(),
        "warnings": warnings,
        "problems": problems,
    }


@router.get("/cards", response=answers(list[CardOut]), operation_id="cards")
def cards(request: HttpRequest) -> Any:
    """List the cards from which you can begin a campaign: shipped ones, and your own."""
    listed = [*offers.list_cards(offers.list_shipped()), *offers.list_cards(offers.own_cards(user_of(request)))]
    return [_card_json(card.offer, card.summary) for card in listed]


@router.get("/cards/shipped/{name}", response=answers(CheckedCardOut, 404), operation_id="card")
def card(request: HttpRequest, name: CardId) -> Any:
    """Check a shipped card, and show how to begin a campaign from it."""
    return _checked_json(offers.find_shipped(name))


@router.get("/cards/own/{name}", response=answers(CheckedCardOut, 404), operation_id="own_card")
def own_card(request: HttpRequest, name: FileName) -> Any:
    """Check a card of your library, and show how to begin a campaign from it."""
    return _checked_json(offers.find_own(user_of(request), name))


@router.post("/campaigns", response=answers(BegunOut, *WRITE, code=201), operation_id="begin")
def begin(request: HttpRequest, sent: BeginIn) -> Any:
    """Begin a campaign; you are its owner."""
    user = user_of(request)
    card = offers.find_own(user, sent.card) if sent.own else offers.find_shipped(sent.card)
    wanted = beginning.Beginning(
        sent.title.strip(),
        sent.seat,
        sent.entered_dice,
        sent.readings,
        tuple(sent.invite),
        sent.waiting_days,
        sent.house,
        sent.corrections,
        sent.umpire_alone,
        Patience(sent.patience_days, sent.patience_then),
        record_text=sent.record,
        commanders=sent.commanders,
    )
    game, seat, links = beginning.begin(user, card, wanted)
    invitations = [
        {"role": link.role, "side": link.side, "key": link.key,
         "link": absolute_address(request, reverse("invitation", args=[link.key]))}
        for link in links
    ]  # fmt: skip
    begun = {"campaign": game.pk, "seat": seat, "title": game.title, "invitations": invitations}
    return Status(201, begun)


# The library --------------------------------------------------------------------------------------


class FileOut(Schema):
    """A file of your library."""

    name: str = Field(validation_alias="file.name")
    number: int = Field(validation_alias="file.pk", description="Its number among the files of this server.")
    kind: str = Field(description="What it is, as far as it says so.")
    bytes: int = Field(validation_alias="size")
    changed: datetime = Field(validation_alias="file.changed")
    seen_by: Literal["nobody", "named", "everybody"] = Field(
        validation_alias="file.seen_by", description="Who sees it besides you."
    )


class TextIn(Schema):
    """The text of a file (YAML)."""

    text: Annotated[str, Field(max_length=checks.MOST_BYTES)]


class TextOut(FileOut):
    """A file with its text."""

    text: str = Field(validation_alias="file.text")


class ReportOut(Schema):
    """What the check of a file says."""

    kind: str
    good: bool
    problems: list[Wrong]
    warnings: list[str]


@router.get("/files", response=answers(list[FileOut]), tags=["library"], operation_id="files")
def files(request: HttpRequest) -> Any:
    """List the files of your library."""
    return library.list_files(user_of(request))


@router.get("/files/{name}", response=answers(TextOut, 404), tags=["library"], operation_id="file")
def file(request: HttpRequest, name: FileName) -> Any:
    """Give a file of your library."""
    return library.Listed(library.find(user_of(request), name))


@router.put("/files/{name}", response=answers(ReportOut, *WRITE), tags=["library"], operation_id="write_file")
def write_file(request: HttpRequest, name: FileName, sent: TextIn) -> Any:
    """Keep a file in your library, replacing one of the same name; return what its check says."""
    user = user_of(request)
    kept = library.save(user, name, sent.text)
    return library.check_text(user, kept.name, kept.text)


@router.post("/files/{name}/check", response=answers(ReportOut, *WRITE), tags=["library"], operation_id="check_file")
def check_file(request: HttpRequest, name: FileName, sent: TextIn) -> Any:
    """Check a text as a file of your library; nothing is kept."""
    return library.check_text(user_of(request), checks.check_name(name), sent.text)


@router.delete("/files/{name}", response=answers(None, *WRITE, code=204), tags=["library"], operation_id="remove_file")
def remove_file(request: HttpRequest, name: FileName) -> Any:
    """Remove a file from your library; campaigns begun from it go on."""
    library.remove(user_of(request), name)
    return Status(204, None)


@router.get(
    "/library.zip",
    response=answers(None),
    tags=["library"],
    operation_id="library",
    openapi_extra=describe_file("application/zip"),
)
def download_library(request: HttpRequest) -> Any:
    """Give your library as a ZIP."""
    return file_response(library.pack_files(user_of(request)), "application/zip")
