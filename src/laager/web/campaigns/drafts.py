"""Answers that a side has begun and not given yet: for its own players and mates alone.

A draft belongs to one question (by its mark) and holds the plain answer as it was typed, which
doesn't have to be valid. Team mates can prepare it; a player submits it.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign import Question, table_dice
from laager.campaign.again import mend_answer
from laager.campaign.table_dice import TableRoll
from laager.web.campaigns.tables import Asked, look
from laager.web.models import Draft, Note
from laager.web.seats.permissions import Action, Seat

LONGEST_NOTE = 8000
"""Longest note, in characters."""
TICKS = "ticks"
"""In the place of a question's mark: the side's tick list of a battle (`ticks`), which no question ends."""
RULING = "ruling"
"""In the place of a question's mark: the ruling that a seat is writing, which no question ends."""
LASTING = (TICKS, RULING)
"""What stands in the place of a mark and is kept whatever is asked."""
LARGEST = 2**18
"""Largest draft, in characters of JSON: twice ten fields of 25 letters for each of 500 units."""


def of_side(seat: Seat) -> bool:
    """True if a seat belongs to a side; nobody else has drafts or may see any."""
    return bool(seat.member.side) and seat.may(Action.DRAFT)


def find_draft(seat: Seat, mark: str) -> Draft | None:
    """Return what a side has begun to answer to a question; None if nothing."""
    if not of_side(seat):
        return None
    return Draft.objects.filter(game=seat.game, seat=seat.name, asked=mark).first()


def keep(seat: Seat, mark: str, value: Any, dice: Sequence[TableRoll] | None = None) -> None:
    """Keep what was typed so far, and the `dice` of the log that it was read from (None: as before).

    Drafts of questions that are no longer asked are deleted. Raises RefusedError if it is no longer asked, not of
    this side, or too large.
    """
    seat.need(Action.DRAFT)
    plain = check_size(value)
    with look(seat) as table:
        pending = table.find(mark).pending
        marks = [entry.mark for entry in table.asked]
    if not of_side(seat) or pending.side != seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked prepares its answer")
    mine = Draft.objects.filter(game=seat.game, seat=seat.name)
    mine.exclude(asked__in=[*marks, *LASTING]).delete()
    kept_too = {} if dice is None else {"dice": [entry.record() for entry in dice[: table_dice.MOST]]}
    changed = {"value": plain, **kept_too}
    mine.update_or_create(game=seat.game, seat=seat.name, asked=mark, defaults=changed)


def check_size(value: Any) -> Any:
    """Return a draft as it can be stored. Raises RefusedError if it is too large."""
    plain = storable(value)
    if len(json.dumps(plain, ensure_ascii=False)) > LARGEST:
        raise RefusedError(
            Refusal.BAD_DATA, "this draft is too large", f"{LARGEST // 1024} KB at most; it was not kept"
        )
    return plain


def dice(seat: Seat, mark: str) -> tuple[TableRoll, ...]:
    """Return the rolls of the log that a side's draft was read from."""
    draft = find_draft(seat, mark)
    return () if draft is None else tuple(table_dice.read_rolls(draft.dice))


def drop(seat: Seat, mark: str) -> None:
    """Forget what was typed."""
    # To delete nothing would be a write all the same.
    if find_draft(seat, mark) is not None:
        Draft.objects.filter(game=seat.game, seat=seat.name, asked=mark).delete()


def initial_answer(seat: Seat, asked: Asked) -> Any:
    """Return where answering begins: the side's draft, else its answer of before a ruling, else the proposal."""
    draft = find_draft(seat, asked.mark)
    question, former = asked.pending.question, asked.pending.former
    assert isinstance(question, Question)
    if draft is None and former is not None and mend_answer(question, former) is None:
        # None of it can be kept by itself: what is wrong with it is said beside it.
        return former
    return question.default if draft is None else draft.value


def note_of(seat: Seat, about: str) -> str:
    """Return what a side has noted about something; "" for nothing, and for seats without a side."""
    if not of_side(seat):
        return ""
    note = Note.objects.filter(game=seat.game, seat=seat.name, about=about).first()
    return note.text if note else ""


def note_number() -> int:
    """Return a number for a new note, drawn by chance.

    Numbers in a row would tell one side how many notes the other has written in between.
    """
    return secrets.randbelow(2**47) + 1


def keep_note(seat: Seat, about: str, text: str) -> None:
    """Keep a side's note about something; an empty one is thrown away."""
    text = str(storable(text)).strip()[:LONGEST_NOTE]
    if not of_side(seat) or text == note_of(seat, about):
        return
    mine = Note.objects.filter(game=seat.game, seat=seat.name, about=about)
    held = mine.first()
    if not text:
        mine.delete()
    elif held is None:
        Note.objects.create(pk=note_number(), game=seat.game, seat=seat.name, by=seat.user, about=about, text=text)
    else:
        held.text, held.by = text, seat.user
        held.save()


def storable(value: Any) -> Any:
    """Return a value that the database can store: only text, numbers and JSON."""
    match value:
        case str():
            return value.encode("utf-8", "ignore").decode().replace("\0", "")
        case Mapping():
            return {storable(str(name)): storable(part) for name, part in value.items()}
        case list() | tuple():
            return [storable(part) for part in value]
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float():
            return value
        case _:
            return storable(str(value))
