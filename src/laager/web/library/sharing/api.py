"""What others share, for programs: list, text, who may see and change it, a copy of one's own."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import user_of
from laager.web.api.refusals import WRITE, answers
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.library.files.versions import unpack_version
from laager.web.library.sharing import shares, uses
from laager.web.library.sharing.shares import Sharing
from laager.web.models import FileVersion

router = Router(tags=["library"])

FileNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a file that you may see.")]
VersionNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of an earlier version.")]
AccountName = Annotated[str, Field(max_length=150)]
AudienceName = Literal["nobody", "named", "everybody"]


class SharedOut(Schema):
    """A file of somebody's library that you may see."""

    number: int = Field(validation_alias="file.pk")
    name: str = Field(validation_alias="file.name")
    kind: str = Field(description="What it is, as far as it says so.")
    title: str
    published_by: str = Field(description="The account that it belongs to.")
    changed: datetime = Field(validation_alias="file.changed")
    written_by: str = Field(description="Who wrote the text that it has; empty if that account is gone.")
    may_change: bool = Field(description="True if you may change its text.")
    copied_from: tuple[str, str] = Field(
        description="Whose file it was copied from (empty if that account is gone), and what that was called; "
        "both empty for no copy."
    )


class SharedTextOut(SharedOut):
    """A file with its text, and the mark that a change of it must name."""

    text: str = Field(validation_alias="file.text")
    was: str = Field(description="Send it with a change: it tells that you have seen what you change.")


class SharedTextIn(Schema):
    """A new text of a file (YAML)."""

    text: Annotated[str, Field(max_length=checks.MOST_BYTES)]
    was: Annotated[str, Field(min_length=1, max_length=40, description="The mark of the text that you have changed.")]


class SharingOut(Schema):
    """Who sees a file, and who changes it, besides its owner."""

    seen_by: AudienceName
    changed_by: AudienceName
    readers: list[str] = Field(description="Who may see it, if players are named.")
    writers: list[str] = Field(description="Who may change it, and see it, if players are named.")


class SharingIn(Schema):
    """Who is to see a file, and who is to change it, besides you."""

    seen_by: AudienceName
    changed_by: Annotated[AudienceName, Field(description="`everybody` is everybody who sees it.")] = "nobody"
    readers: Annotated[list[AccountName], Field(max_length=shares.MOST_NAMED)] = []
    writers: Annotated[list[AccountName], Field(max_length=shares.MOST_NAMED)] = []
    along: Annotated[
        list[AccountName],
        Field(max_length=library.MOST_FILES, description="Other files of your library that are to be shared like it."),
    ] = []


class VersionOut(Schema):
    """An earlier version of a file."""

    version: int = Field(validation_alias="number")
    written_by: str = Field(description="Who wrote it; empty if that account is gone.")
    written: datetime
    replaced: datetime = Field(description="When another text took its place.")

    @staticmethod
    def resolve_written_by(version: FileVersion) -> str:
        """Return the name of its writer."""
        return version.writer.username if version.writer else ""


class VersionTextOut(VersionOut):
    """An earlier version with its text."""

    text: str

    @staticmethod
    def resolve_text(version: FileVersion) -> str:
        """Return its text."""
        return unpack_version(version)


class UseOut(Schema):
    """A campaign of yours that began from a file, and a seat of yours there."""

    campaign: UUID = Field(validation_alias="game_id")
    seat: str
    title: str = Field(validation_alias="game.title")


class RestoreIn(Schema):
    """Which text is to be replaced by that of the version."""

    was: Annotated[str, Field(min_length=1, max_length=40, description="The mark of the text that the file has.")]


class CopyNameIn(Schema):
    """What the copy is to be called; left out, as the original."""

    name: Annotated[str, Field(max_length=120)] = ""


@router.get("/shared", response=answers(list[SharedOut]), operation_id="shared_files")
def shared_files(request: HttpRequest, search: Annotated[str, Query(max_length=100)] = "") -> Any:
    """List the files that others share with you."""
    return shares.list_shared(user_of(request), search.strip())


@router.get("/shared/{number}", response=answers(SharedTextOut, 404), operation_id="shared_file")
def shared_file(request: HttpRequest, number: FileNumber) -> Any:
    """Give a file that you may see, with its text."""
    return shares.find_shared(user_of(request), number)


@router.put("/shared/{number}", response=answers(SharedTextOut, *WRITE), operation_id="change_shared_file")
def change_shared_file(request: HttpRequest, number: FileNumber, sent: SharedTextIn) -> Any:
    """Change the text of a file that you may change."""
    user = user_of(request)
    shares.save_shared(user, number, sent.text, sent.was)
    return shares.find_shared(user, number)


@router.get("/shared/{number}/rights", response=answers(SharingOut, 403, 404), operation_id="sharing")
def sharing(request: HttpRequest, number: FileNumber) -> Any:
    """Tell who sees a file of yours, and who changes it."""
    return shares.sharing_of(shares.find_own(user_of(request), number))


@router.put("/shared/{number}/rights", response=answers(SharingOut, *WRITE), operation_id="share_file")
def share_file(request: HttpRequest, number: FileNumber, sent: SharingIn) -> Any:
    """Set who sees a file of yours, and who changes it. Nobody is told."""
    wanted = Sharing(sent.seen_by, sent.changed_by, sent.readers, sent.writers)
    return shares.sharing_of(shares.share(user_of(request), number, wanted, sent.along))


@router.get("/shared/{number}/versions", response=answers(list[VersionOut], 404), operation_id="file_versions")
def file_versions(request: HttpRequest, number: FileNumber) -> Any:
    """List the earlier versions of a file, the newest first."""
    return shares.list_versions(shares.find_shared(user_of(request), number))


@router.get("/shared/{number}/versions/{version}", response=answers(VersionTextOut, 404), operation_id="file_version")
def file_version(request: HttpRequest, number: FileNumber, version: VersionNumber) -> Any:
    """Give an earlier version of a file."""
    return shares.find_version(shares.find_shared(user_of(request), number), version)


@router.post(
    "/shared/{number}/versions/{version}/restore",
    response=answers(SharedTextOut, *WRITE),
    operation_id="restore_file_version",
)
def restore_file_version(request: HttpRequest, number: FileNumber, version: VersionNumber, sent: RestoreIn) -> Any:
    """Give a file that you may change the text of an earlier version; the text that it has becomes a version."""
    user = user_of(request)
    shares.restore_version(user, number, version, sent.was)
    return shares.find_shared(user, number)


@router.get("/shared/{number}/campaigns", response=answers(list[UseOut], 404), operation_id="file_campaigns")
def file_campaigns(request: HttpRequest, number: FileNumber) -> Any:
    """List the campaigns in which you sit and that began from a file or a copy of it."""
    return uses.list_uses(shares.find_shared(user_of(request), number))


@router.post("/shared/{number}/copy", response=answers(list[str], *WRITE, code=201), operation_id="copy_shared_file")
def copy_shared_file(request: HttpRequest, number: FileNumber, sent: CopyNameIn) -> Any:
    """Put a copy into your library, with the files that it names; return the names of what is new there."""
    return Status(201, [file.name for file in shares.copy_shared(user_of(request), number, sent.name)])
