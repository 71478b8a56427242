"""The battle in VASL: one's own counters, and setups as files."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja.responses import Status
from pydantic import Base64Bytes, Field

from laager.base import Refusal, RefusedError
from laager.web.api.calls import user_of
from laager.web.api.refusals import READ, WRITE, Wrong, answers
from laager.web.campaigns.seat_pages import ASKED, SEAT, GameId, Mark, SeatName, describe_file, file_response, table_of
from laager.web.play.battle import saves
from laager.web.seats.permissions import Action

router = Router(tags=["vasl"])

Layout = Annotated[str, Field(max_length=400, description="The boards under a map that wasn't made from boards.")]


class CountersOut(Schema):
    """What Laager has of your VASL module."""

    version: str = Field(description="VASL's version.")
    counters: int
    made: datetime


class CountersIn(Schema):
    """The file that `laager vasl module` makes."""

    data: Annotated[Base64Bytes, Field(max_length=4 * 2**20, description="The file, in Base64.")]


class PileOut(Schema):
    """Counters on one another, from the bottom up."""

    where: str
    counters: list[str]


class ToDoOut(Schema):
    """What you do with some counters in VASL before anybody else gets the game."""

    what: str
    piles: list[PileOut]


class MissingOut(Schema):
    """Something that the module or the map has no place for."""

    what: str
    where: str
    instead: str


class SetupOut(Schema):
    """What a setup has, for your side; without a side what everybody knows."""

    side: str | None
    pieces: int
    open: int = Field(description="How many of the pieces both sides know.")
    to_do: list[ToDoOut]
    missing: list[MissingOut]


class SetupIn(Schema):
    """A setup as a save or as a log of what only your side knows; with `into` added to a save."""

    kind: Literal["vsav", "vlog"] = "vsav"
    layout: Layout = ""
    into: Annotated[Base64Bytes | None, Field(description="A save from the other side, in Base64.")] = None


@router.get("/vasl/counters", response=answers(CountersOut, *READ), operation_id="counters")
def counters(request: HttpRequest) -> Any:
    """Say which counters of yours Laager has."""
    own = saves.counters_of(user_of(request))
    if own is None:
        raise RefusedError(Refusal.NO_SUCH, "Laager has no counters of yours", "send some with PUT")
    return own


@router.put("/vasl/counters", response=answers(CountersOut, *WRITE), operation_id="send_counters")
def send_counters(request: HttpRequest, sent: CountersIn) -> Any:
    """Keep the counters of your VASL module; they take the place of those before."""
    return saves.keep_counters(user_of(request), [("the file of counters", sent.data)])


@router.delete("/vasl/counters", response=answers(None, *WRITE, code=204), operation_id="delete_counters")
def delete_counters(request: HttpRequest) -> Any:
    """Remove your counters."""
    saves.forget_counters(user_of(request))
    return Status(204, None)


@router.get(SEAT + "/vasl", response=answers(SetupOut, *READ), operation_id="setup_in_vasl")
def describe_setup_in_vasl(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    layout: Annotated[str, Query(max_length=400, description="As in what is sent for the file.")] = "",
) -> Any:
    """Say what the setup of the present battle has, and what you do with it in VASL."""
    with table_of(request, game, seat) as table:
        return saves.setup_at(table, layout).describe()


@router.post(
    SEAT + "/vasl", response=answers(None, *WRITE), operation_id="write_setup_in_vasl",
    openapi_extra=describe_file("application/octet-stream"),
)  # fmt: skip
def write(request: HttpRequest, game: GameId, seat: SeatName, sent: SetupIn) -> Any:
    """Give the setup of the present battle as a file of VASL. Nothing is changed or kept."""
    into = None if sent.into is None else ("the save", sent.into)
    with table_of(request, game, seat) as table:
        made = saves.write_setup(table, sent.kind, sent.layout, into)
    return file_response(made.data, "application/octet-stream", made.name)


@router.get(
    SEAT + "/vasl/board", response=answers(None, *READ), operation_id="board_of_map",
    openapi_extra=describe_file("application/octet-stream"),
)  # fmt: skip
def give_board(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give the campaign's printed map as a board of VASL."""
    with table_of(request, game, seat) as table:
        map_, user = saves.printed_map(table), table.seat.user
    name, data = saves.make_board(user, map_)
    return file_response(data, "application/octet-stream", name)


# From VASL ----------------------------------------------------------------------------------------


class SaveIn(Schema):
    """A save or a log, and what settles what it leaves open."""

    data: Annotated[Base64Bytes, Field(description="The .vsav or .vlog, in Base64.")]
    file: Annotated[str, Field(max_length=200, description="What messages call it.")] = "the save"
    owner: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None, description="Which of the numbered owners of hidden pieces you are; needed only if the save can't tell."
    )
    choices: Annotated[dict[str, str], Field(max_length=2000)] = Field(
        {}, description="A choice for each open finding, by its key: a `value` of its `candidates`."
    )


class CandidateOut(Schema):
    """One way to settle something."""

    value: str
    label: str


class FindingOut(Schema):
    """One thing that was read; `taken` is the choice that is in the answer now."""

    key: str
    what: str
    where: str
    why: str
    taken: str
    candidates: list[CandidateOut]


class RollOut(Schema):
    """A roll in a log; the coloured die comes first."""

    step: int
    who: str
    what: str
    kind: str
    faces: list[int]
    event: str


class ProposalOut(Schema):
    """What a save answers: the report or the setup, and all that must be looked at before it is given."""

    key: str
    side: str
    file: str
    settled: bool = Field(description="True if nothing is open: the answer can be given as it is.")
    report: Any = Field(description="The answer, in the shape that the question's form describes.")
    certain: list[FindingOut]
    to_confirm: list[FindingOut]
    unknown: list[FindingOut]
    not_found: list[FindingOut]
    problems: list[Wrong]
    not_told: list[str]
    passed_over: dict[str, int]
    doubts: list[str]
    rolls: list[RollOut]


@router.post(ASKED + "/vasl", response=answers(ProposalOut, *WRITE), operation_id="read_save")
def read_save(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: SaveIn) -> Any:
    """Read a save or a log of VASL as the answer to a report or a setup.

    It becomes what the side has begun to answer, and isn't given: look at it, and give it as the answer. The file isn't
    kept.
    """
    with table_of(request, game, seat, Action.DRAFT) as table:
        saves.find_answer_of_save(table, mark)
        proposal = saves.propose_from_save(table.seat, table, mark, sent.data, sent.file, sent.choices, sent.owner)
    return proposal.describe()
