"""Who may see and change a file of a library, and copies that others make of it.

A file belongs to its owner, who alone says who sees it and who changes it. To everybody else it is not there, whatever
they ask: an unknown number and a file that isn't shared are refused in the same words. The check of a shared file reads
only those files of its owner that its reader may see, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.web.library.files import files as library
from laager.web.library.files.checks import Report, check_name, files_named_by
from laager.web.library.files.versions import unpack_version
from laager.web.models import Audience, FileGrant, FileVersion, OwnFile, Player

MOST_NAMED = 60
"""Most players that one file names."""
MOST_LISTED = 500
"""Most files of others that a list shows."""
HEAD_CHARS = 3000
"""Characters at the beginning of a file that a list reads, for its kind and its title."""


@dataclass(frozen=True)
class Sharing:
    """Who sees a file and who changes it, as its owner says it. `readers` and `writers` are names of accounts."""

    seen_by: str = Audience.NOBODY
    changed_by: str = Audience.NOBODY
    readers: Sequence[str] = ()
    writers: Sequence[str] = ()


@dataclass(frozen=True)
class SharedFile:
    """A file as somebody sees it who may see it."""

    file: OwnFile
    viewer: Player
    head: str = field(repr=False)
    """The beginning of its text."""

    @property
    def kind(self) -> str:
        """What the file says that it is."""
        return library.kind_in(self.head)

    @property
    def title(self) -> str:
        """What the file says that it is called."""
        return library.read_tops(self.head, ("title",)).get("title", "")[:200]

    @property
    def was(self) -> str:
        """The digest of its text, which a change must name."""
        return library.digest(self.file.text)

    @property
    def published_by(self) -> str:
        """The name of its owner."""
        return self.file.owner.username

    @property
    def written_by(self) -> str:
        """Who wrote the text that it has; "" if that account is gone."""
        return self.file.writer.username if self.file.writer else ""

    @property
    def is_mine(self) -> bool:
        """True if the viewer owns it."""
        return self.file.owner_id == self.viewer.pk

    @property
    def may_change(self) -> bool:
        """True if the viewer may change its text."""
        if self.is_mine or self.file.changed_by == Audience.EVERYBODY:
            return True
        named = self.file.changed_by == Audience.NAMED
        return named and self.file.grants.filter(user=self.viewer, changes=True).exists()

    def need_change(self) -> None:
        """Raise RefusedError if the viewer may only see it."""
        if not self.may_change:
            right = "make a copy of your own, and change that"
            raise RefusedError(Refusal.NOT_YOURS, f"{self.published_by} lets you see this file, not change it", right)

    @property
    def copied_from(self) -> tuple[str, str]:
        """Whose file it was copied from ("" if that account is gone), and what that was called; nothing for no copy."""
        owner = self.file.copied_owner
        return (owner.username if owner else "", self.file.copied_name)


# Looking ------------------------------------------------------------------------------------------


def visible_files(viewer: Player) -> QuerySet[OwnFile]:
    """Return the files that somebody may see, the own ones included."""
    granted = FileGrant.objects.filter(file=OuterRef("pk"), user=viewer)
    seen = Q(owner=viewer) | Q(seen_by=Audience.EVERYBODY) | (Q(seen_by=Audience.NAMED) & Q(Exists(granted)))
    return OwnFile.objects.filter(seen).select_related("owner", "copied_owner", "writer").defer("before", "after")


def list_shared(viewer: Player, search: str = "") -> list[SharedFile]:
    """Return what others share with somebody, by owner and name; with `search`, what has it in either name."""
    files = visible_files(viewer).exclude(owner=viewer).defer("before", "after", "text")
    if search:
        files = files.filter(Q(name__icontains=search) | Q(owner__username__icontains=search))
    listed = files.annotate(head=Substr("text", 1, HEAD_CHARS)).order_by("owner__username", "name")
    return [SharedFile(file, viewer, file.head) for file in listed[:MOST_LISTED]]


def find_shared(viewer: Player, number: int) -> SharedFile:
    """Return a file that somebody may see. Raises RefusedError (no-such) for every other."""
    file = visible_files(viewer).filter(pk=number).first()
    if file is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no such file, or it isn't shared with you")
    return SharedFile(file, viewer, file.text)


def texts_beside(shared: SharedFile) -> dict[str, str]:
    """Return the files of a file's owner that the viewer may see, by name: what its check may read."""
    files = visible_files(shared.viewer).filter(owner=shared.file.owner_id)
    return dict(files.values_list("name", "text"))


def check_shared(shared: SharedFile, text: str | None = None) -> Report:
    """Check a file, or a text in its place, among those of its owner that the viewer may see."""
    name = shared.file.name
    texts = texts_beside(shared) | {name: shared.file.text if text is None else text}
    return library.check_among(shared.viewer, texts, name)


def sharing_of(file: OwnFile) -> Sharing:
    """Return who sees a file and who changes it."""
    grants = list(file.grants.select_related("user").order_by("user__username"))
    return Sharing(
        file.seen_by,
        file.changed_by,
        [grant.user.username for grant in grants if not grant.changes],
        [grant.user.username for grant in grants if grant.changes],
    )


def find_named(name: str, texts: Mapping[str, str]) -> list[str]:
    """Return the names of the files among `texts` that a file names, and those that they name, without itself."""
    named: list[str] = []
    new = [name]
    while new:
        data = None
        reading = new.pop()
        with suppress(DataError):
            data = parse_document(texts[reading], reading).data
        for other in files_named_by(data):
            if other in texts and other not in (name, *named):
                named.append(other)
                new.append(other)
    return named


# Sharing ------------------------------------------------------------------------------------------


def share(owner: Player, number: int, wanted: Sharing, along: Iterable[str] = ()) -> OwnFile:
    """Let others see and change a file, and those that are named in `along`, from now on.

    Raises RefusedError unless it is the owner's, DataError with all that is wrong. Nobody is told.
    """
    file = find_own(owner, number)
    grants = _read_grants(owner, wanted)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=owner.pk)
        files = [file, *(library.find(owner, name) for name in dict.fromkeys(along) if name != file.name)]
        for each in files:
            since = None if wanted.seen_by == Audience.NOBODY else each.shared_since or timezone.now()
            OwnFile.objects.filter(pk=each.pk).update(
                seen_by=wanted.seen_by, changed_by=wanted.changed_by, shared_since=since
            )
            FileGrant.objects.filter(file=each).delete()
            FileGrant.objects.bulk_create(
                FileGrant(file=each, user=user, changes=changes) for user, changes in grants.items()
            )
    file.refresh_from_db()
    return file


def find_own(owner: Player, number: int) -> OwnFile:
    """Return a file of somebody's own. Raises RefusedError for every other, no-such if it isn't shared."""
    shared = find_shared(owner, number)
    if not shared.is_mine:
        raise RefusedError(Refusal.NOT_YOURS, f"{shared.file.name} belongs to {shared.published_by}")
    return shared.file


def _read_grants(owner: Player, wanted: Sharing) -> dict[Player, bool]:
    """Return the players that are named, and if each may change the file. Raises DataError."""
    problems: list[Problem] = []
    seen_by, changed_by = wanted.seen_by, wanted.changed_by
    for field_name, value in (("seen_by", seen_by), ("changed_by", changed_by)):
        if value not in Audience.values:
            problems.append(Problem(f"{value[:20]!r} is nobody", "one of: " + ", ".join(Audience.values), field_name))
    writers = dict.fromkeys(wanted.writers, True) if changed_by == Audience.NAMED else {}
    readers = dict.fromkeys(wanted.readers, False) if seen_by == Audience.NAMED else {}
    if seen_by == Audience.NOBODY and changed_by != Audience.NOBODY:
        problems.append(Problem("others can't change what they can't see", "let them see it", "seen_by"))
    elif changed_by == Audience.NAMED and not writers:
        problems.append(Problem("nobody is named who may change it", "type their names", "writers"))
    elif seen_by == Audience.NAMED and not {**readers, **writers}:
        problems.append(Problem("nobody is named who may see it", "type their names", "readers"))
    names = readers | writers
    if len(names) > MOST_NAMED:
        problems.append(Problem(f"{len(names)} players are named", f"{MOST_NAMED} at most", "readers"))
        names = {}
    players = {user.username: user for user in Player.objects.filter(username__in=names, is_active=True)}
    problems += [
        Problem(
            f"nobody on this server is called {name[:40]!r}",
            "type the name of the account",
            "writers" if changes else "readers",
        )
        for name, changes in names.items()
        if name not in players
    ]
    if problems:
        raise DataError(problems)
    return {players[name]: changes for name, changes in names.items() if name != owner.username}


# Earlier versions ---------------------------------------------------------------------------------


def list_versions(shared: SharedFile) -> QuerySet[FileVersion]:
    """Return the earlier versions of a file that its viewer may see, the newest first.

    The owner sees all; others those that were replaced since they, or others, could see the file.
    """
    versions = shared.file.versions.select_related("writer").defer("packed")
    return versions if shared.is_mine else versions.filter(replaced__gte=shared.file.shared_since)


def find_version(shared: SharedFile, number: int) -> FileVersion:
    """Return an earlier version of a file that its viewer may see. Raises RefusedError."""
    version = list_versions(shared).filter(number=number).first()
    if version is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no such version, or it is too old and gone")
    return version


def restore_version(viewer: Player, number: int, version: int, was: str) -> OwnFile:
    """Give a file the text that it had in an earlier version. Raises as `save_shared` does."""
    earlier = find_version(find_shared(viewer, number), version)
    return save_shared(viewer, number, unpack_version(earlier), was)


# Changing and copying -----------------------------------------------------------------------------


@contextmanager
def changing(viewer: Player, number: int) -> Iterator[OwnFile]:
    """Give a file that somebody may change, and nobody else does meanwhile. Raises RefusedError."""
    owner = find_shared(viewer, number).file.owner
    with transaction.atomic():
        # Who holds this row is the only one who changes this library: rights that are taken away end here.
        Player.objects.select_for_update().filter(pk=owner.pk).first()
        shared = find_shared(viewer, number)
        shared.need_change()
        yield shared.file


def save_shared(viewer: Player, number: int, text: str, was: str) -> OwnFile:
    """Keep a new text of a file that somebody may change; `was` is the digest of the text that was changed.

    Raises RefusedError, also if the text has changed meanwhile, or DataError.
    """
    with changing(viewer, number) as file:
        return library.save(file.owner, file.name, text, was, writer=viewer)


def copy_shared(viewer: Player, number: int, name: str = "") -> list[OwnFile]:
    """Put a copy of a file into somebody's library, with those that it names and the viewer may see.

    Return what is new: files that are there already with the same text stay. Raises RefusedError or DataError; then
    nothing is copied.
    """
    shared = find_shared(viewer, number)
    texts = texts_beside(shared)
    main = check_name(name) if name.strip() else shared.file.name
    called = {shared.file.name: main} | {other: other for other in find_named(shared.file.name, texts)}
    own = library.texts_of(viewer)
    new = {called[source]: texts[source] for source in called if own.get(called[source]) != texts[source]}
    if main not in new:
        raise RefusedError(Refusal.BAD_ANSWER, f"you have this file already, as {main}")
    taken = [each for each in new if each in own]
    if taken:
        right = "choose another name" if taken == [main] else "rename those of yours first"
        raise RefusedError(Refusal.BAD_ANSWER, f"you have another file of this name: {', '.join(taken)}", right)
    sources = {
        called[file.name]: file for file in visible_files(viewer).filter(owner=shared.file.owner, name__in=called)
    }
    with transaction.atomic():
        made = library.save_all(viewer, new, dict.fromkeys(new, ""))
        for file in made:
            source = sources[file.name]
            file.copied_from, file.copied_owner, file.copied_name = source, source.owner, source.name
            file.save(update_fields=["copied_from", "copied_owner", "copied_name"])
    return made
