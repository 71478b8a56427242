"""Notes: private to a seat, shared by the people in it; the umpire has separate ones.

A note is about the campaign (""), a hex (its name), a unit (`unit AX3`) or an entry (`entry 12`,
the seat's own number). Beside a purchase one writes notes about the question: its key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.campaign.views import find, number_when_over
from laager.web.campaigns import scenes
from laager.web.campaigns.drafts import note_number
from laager.web.campaigns.tables import units_of
from laager.web.models import Note
from laager.web.seats.permissions import Action, Seat

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from laager.campaign.engine import Campaign
    from laager.web.campaigns.tables import Table

MOST_NOTES = 500
"""How many notes a seat may keep in one campaign."""

LONGEST_NOTE_CHARS = 8000
"""How long a note may be, in characters."""

ABOUT = re.compile(r"(?P<kind>unit|entry|hex)\s+(?P<name>\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Subject:
    """What a note is about: `kind` is `campaign`, `hex`, `unit`, `entry` or `question`."""

    kind: str
    name: str = ""

    @property
    def key(self) -> str:
        """How it is kept."""
        return f"{self.kind} {self.name}" if self.kind in {"unit", "entry"} else self.name


def subject_of(key: str) -> Subject:
    """Return what a kept note is about."""
    if not key:
        return Subject("campaign")
    kind, _, name = key.partition(" ")
    if name and kind in {"unit", "entry"}:
        return Subject(kind, name)
    # Every hex has a number; the keys of questions have none.
    return Subject("hex" if any(char.isdigit() for char in key) else "question", key)


def find_subject(table: Table, typed: str) -> Subject:
    """Return what somebody typed that a note is about: nothing, a hex, a unit or an entry.

    A bare number is an entry, a bare name a hex, or a unit if the map has no such hex. Raises
    DataError if the viewer knows none.
    """
    text = typed.strip()
    if not text:
        return Subject("campaign")
    if subject_of(text).kind == "question" and _notes_of(table.seat).filter(about=text).exists():
        return Subject("question", text)
    named = ABOUT.fullmatch(text)
    kind, name = (named["kind"].lower(), named["name"]) if named else ("", text)
    if kind == "entry" or (not kind and name.isascii() and name.isdigit()):
        return _find_entry(table, name)
    if kind != "unit":
        there = _find_hex(table, name)
        if there:
            return Subject("hex", there)
    if kind != "hex" and name.upper() in known_units(table):
        return Subject("unit", name.upper())
    problem = f"you don't know a hex, unit or entry {text!r}"
    raise DataError([Problem(problem, "write something like R23, unit AX3 or entry 12", "about")])


def _find_entry(table: Table, name: str) -> Subject:
    try:
        number = int(name) if name.isascii() and name.isdigit() and len(name) < 10 else 0
        return Subject("entry", str(find(table.view, number).number))
    except RefusedError as err:
        raise DataError([Problem(str(err), field="about")]) from None


def _find_hex(table: Table, name: str) -> str:
    """Return the hex of the map that somebody means; "" if there is none."""
    if not scenes.has_map(table):
        return ""
    map_ = scenes.scene_of(table).map
    low = name.lower()
    for hex_ in map_.hexes.values():
        if low in {hex_.name.lower(), *(alias.lower() for alias in hex_.aliases)}:
            return hex_.name
    return ""


def known_units(table: Table) -> frozenset[str]:
    """Return the ids of all units that the viewer ever knew of."""
    now = getattr(table.view.state, "units", {})
    in_facts = (units_of(line.entry) for line in table.view.log if line.entry.type == "fact")
    return frozenset(now).union(*in_facts)


# Reading and writing ------------------------------------------------------------------------------


def notes_about(seat: Seat, key: str) -> Sequence[Note]:
    """Return the seat's notes about something; none for those who keep no notes."""
    if not seat.may(Action.DRAFT):
        return ()
    return tuple(_notes_of(seat).filter(about=key))


def all_notes(seat: Seat) -> Sequence[Note]:
    """Return all notes of a seat, the one changed last first."""
    seat.need(Action.DRAFT)
    return tuple(_notes_of(seat))


def find_note(seat: Seat, number: int) -> Note:
    """Return a note of the seat. Raises RefusedError if it has none of this number."""
    seat.need(Action.DRAFT)
    note = _notes_of(seat).filter(pk=number).first()
    if note is None:
        raise RefusedError(Refusal.NO_SUCH, "you have no note with this number")
    return note


def write(seat: Seat, subject: Subject, text: str) -> Note:
    """Add a note. Raises DataError if it is empty or too long, or there are too many."""
    seat.need(Action.DRAFT)
    good = _check_text(text)
    if _notes_of(seat).count() >= MOST_NOTES:
        raise DataError([Problem(f"there are {MOST_NOTES} notes already", "delete some first", "text")])
    return Note.objects.create(
        pk=note_number(), game=seat.game, seat=seat.name, by=seat.user, about=subject.key, text=good
    )


def rewrite(seat: Seat, number: int, subject: Subject, text: str) -> Note:
    """Change a note and return it. Raises DataError, RefusedError."""
    note = find_note(seat, number)
    note.text, note.about, note.by = _check_text(text), subject.key, seat.user
    note.save(update_fields=["text", "about", "by", "changed"])
    return note


def delete(seat: Seat, number: int) -> None:
    """Delete a note. Raises RefusedError if the seat doesn't have it."""
    find_note(seat, number).delete()


def renumber(game: UUID, campaign: Campaign) -> None:
    """Give notes about entries the numbers that these have from now on, with the campaign's end."""
    for note in Note.objects.filter(game=game, about__startswith="entry "):
        number = int(subject_of(note.about).name)
        note.about = Subject("entry", str(number_when_over(campaign, note.seat, number))).key
        Note.objects.filter(pk=note.pk).update(about=note.about)


def _notes_of(seat: Seat) -> QuerySet[Note]:
    return Note.objects.select_related("by").filter(game=seat.game, seat=seat.name)


def _check_text(text: str) -> str:
    good = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not good:
        raise DataError([Problem("the note is empty", "write some", "text")])
    if len(good) > LONGEST_NOTE_CHARS:
        problem = f"a note has at most {LONGEST_NOTE_CHARS} characters, not {len(good)}"
        raise DataError([Problem(problem, "write two notes", "text")])
    return good
