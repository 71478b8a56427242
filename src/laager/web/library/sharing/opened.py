"""A file that an editor has open: one of the reader's own, or one that somebody shares with them.

Editors ask here what a check may read, where their pages are, and let it keep what is typed: so they are the same for
both. Of a shared file they get what `shares` allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from laager.web.library.files import files as library
from laager.web.library.files.chart_places import PlacedProblem, place_problems
from laager.web.library.files.checks import Report
from laager.web.library.sharing import shares
from laager.web.library.sharing.shares import SharedFile
from laager.web.models import OwnFile, Player


@dataclass(frozen=True)
class OpenFile:
    """A file as an editor has it; `shared` is None for one of the viewer's own."""

    file: OwnFile
    viewer: Player
    shared: SharedFile | None = None

    @property
    def name(self) -> str:
        """What the file is called."""
        return self.file.name

    @property
    def was(self) -> str:
        """The digest of its text, which a change must name."""
        return library.digest(self.file.text)

    @property
    def may_change(self) -> bool:
        """True if the viewer may change it."""
        return self.shared is None or self.shared.may_change

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The files that its check may read, by name."""
        return shares.texts_beside(self.shared) if self.shared else library.texts_of(self.viewer)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        files = shares.visible_files(self.viewer).filter(owner=self.file.owner_id)
        return dict(files.values_list("name", "pk"))

    def need_change(self) -> None:
        """Raise RefusedError if the viewer may only see the file."""
        if self.shared is not None:
            self.shared.need_change()

    def check(self, text: str) -> Report:
        """Check a text in the file's place. Raises RefusedError if that takes too much."""
        return library.check_among(self.viewer, {**self.texts, self.name: text}, self.name)

    def place_report(self, text: str, report: Report) -> list[PlacedProblem]:
        """Return what the check says of a text, with its places in charts."""
        return place_problems({**self.texts, self.name: text}, self.name, report)

    def save(self, text: str, was: str) -> OwnFile:
        """Keep a new text; `was` is the digest of the one that was changed. Raises DataError or RefusedError."""
        if self.shared is None:
            return library.save(self.viewer, self.name, text, was or None)
        return shares.save_shared(self.viewer, self.file.pk, text, was)

    # Addresses

    def address(self, page: str, name: str = "") -> str:
        """Return the address of a page ("fill", "form") of the file, or of another that its owner shares with it."""
        name = name or self.name
        if self.shared is None:
            return reverse(f"library-{page}", args=[name])
        if name not in self._numbers:
            return reverse("library-shared")
        return reverse("library-shared-file" if page == "edit" else f"shared-{page}", args=[self._numbers[name]])

    @property
    def fill_url(self) -> str:
        """Where its charts are."""
        return self.address("fill")

    @property
    def live_url(self) -> str:
        """Where a chart is checked while it is typed."""
        return self.address("fill-live")

    @property
    def csv_url(self) -> str:
        """Where a chart is given as CSV."""
        return self.address("fill-csv")

    @property
    def form_url(self) -> str:
        """Where its parts are forms."""
        return self.address("form")

    @property
    def edit_url(self) -> str:
        """Where its text is."""
        return self.address("edit")


def open_file(user: Player, name: str = "", number: int = 0) -> OpenFile:
    """Return a file of the own library by its name, or one that is shared by its number. Raises RefusedError."""
    if not number:
        return OpenFile(library.find(user, name), user)
    shared = shares.find_shared(user, number)
    return OpenFile(shared.file, user, None if shared.is_mine else shared)
