"""A file that an editor has open: one of the reader's own, or one that somebody shares with them.

Editors ask here what a check may read, where their pages are, and let it keep what is typed: so they are the same for
both. Of a shared file they get what `shares` allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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

    # Steps of a drawing

    @property
    def may_take_back(self) -> bool:
        """True if there is a change that the viewer may take back."""
        return self.may_change and library.may_step(self.file, self.viewer, self.file.before)

    @property
    def may_do_again(self) -> bool:
        """True if the viewer may do again what was taken back last."""
        return self.may_change and library.may_step(self.file, self.viewer, self.file.after)

    def reopen(self) -> OpenFile:
        """Return the file as it is now. Raises RefusedError if the viewer may not see it any more."""
        return open_file(self.viewer, self.name) if self.shared is None else open_file(self.viewer, "", self.file.pk)

    def save_steps(self, texts: Sequence[str], was: str) -> OpenFile:
        """Keep a file after several changes, as the library does it. Raises DataError or RefusedError."""
        with self._changing() as (owner, name):
            library.save_steps(owner, name, texts, was, writer=self.viewer)
        return self.reopen()

    def take_back(self, was: str) -> OpenFile:
        """Give the file the text that it had before the viewer's last change, or anybody's for its owner."""
        with self._changing() as (owner, name):
            library.take_back(owner, name, was or None, writer=self.viewer)
        return self.reopen()

    def do_again(self, was: str) -> OpenFile:
        """Give the file the text that was taken back last."""
        with self._changing() as (owner, name):
            library.do_again(owner, name, was or None, writer=self.viewer)
        return self.reopen()

    @contextmanager
    def _changing(self) -> Iterator[tuple[Player, str]]:
        """Give the owner and the name of the file, which the viewer may change."""
        if self.shared is None:
            yield self.viewer, self.name
            return
        with shares.changing(self.viewer, self.file.pk) as file:
            yield file.owner, file.name

    # Addresses

    def address(self, page: str, name: str = "", *rest: str | int) -> str:
        """Return the address of a page ("fill", "map") of the file, or of another that its owner shares with it.

        `rest` is what the address has besides, such as a hex.
        """
        name = name or self.name
        if self.shared is None:
            return reverse(f"library-{page}", args=[name, *rest])
        if name not in self._numbers:
            return reverse("library-shared")
        page = "library-shared-file" if page == "edit" else f"shared-{page}"
        return reverse(page, args=[self._numbers[name], *rest])

    @property
    def fill_url(self) -> str:
        """Where its charts are."""
        return self.address("fill")

    @property
    def live_url(self) -> str:
        """Where a chart is checked while it is typed."""
        return self.address("fill-live")

    @property
    def groups_url(self) -> str:
        """Where the usual groups of its nations are ticked."""
        return self.address("groups")

    @property
    def csv_url(self) -> str:
        """Where a chart is given as CSV."""
        return self.address("fill-csv")

    @property
    def form_url(self) -> str:
        """Where its parts are forms."""
        return self.address("form")

    @property
    def house_url(self) -> str:
        """Where its house rules are, clause by clause."""
        return self.address("house")

    @property
    def map_url(self) -> str:
        """Where it is drawn."""
        return self.address("map")

    @property
    def svg_url(self) -> str:
        """Where its drawing is."""
        return self.address("map-svg")

    @property
    def hex_url(self) -> str:
        """Where the form of a hex is; the hex stands there as HEX."""
        return self.address("map-hex", "", "HEX")

    @property
    def alike_url(self) -> str:
        """Where the hexes are that a flood from a hex fills; the hex stands there as HEX."""
        return self.address("map-alike", "", "HEX")

    @property
    def vasl_url(self) -> str:
        """Where it is given as a board of VASL."""
        return self.address("map-vasl")

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
