"""The ruling that a seat is writing: kept for it like a draft, as the data of a ruling's file."""

from __future__ import annotations

import copy
from typing import Any

from laager.base.files import Document
from laager.web.campaigns import drafts
from laager.web.models import Draft
from laager.web.seats.permissions import Action, Seat

NAME = "ruling.yaml"
"""What the file of a draft is called in messages."""
EMPTY: dict[str, Any] = {"laager": "ruling/1", "why": ""}


def may_rule(seat: Seat) -> bool:
    """True if a seat can write rulings: a side's people, and the umpire."""
    return seat.may(Action.DRAFT)


def may_propose(seat: Seat) -> bool:
    """True if a seat can ask for a ruling."""
    return seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE)


def load_draft(seat: Seat) -> dict[str, Any]:
    """Return the ruling that a seat has begun, as data of a file; one without anything in it if none."""
    held = Draft.objects.filter(game=seat.game, seat=seat.name, asked=drafts.RULING).first()
    value = held.value if held is not None else None
    return copy.deepcopy(value) if isinstance(value, dict) else dict(EMPTY)


def keep_draft(seat: Seat, data: dict[str, Any]) -> None:
    """Keep a ruling for a seat. Raises RefusedError if it is too large, or the seat writes none."""
    seat.need(Action.DRAFT)
    plain = drafts.check_size(data)
    Draft.objects.update_or_create(game=seat.game, seat=seat.name, asked=drafts.RULING, defaults={"value": tidy(plain)})


def drop_draft(seat: Seat) -> None:
    """Forget the ruling that a seat has begun."""
    Draft.objects.filter(game=seat.game, seat=seat.name, asked=drafts.RULING).delete()


def document_of(data: dict[str, Any]) -> Document:
    """Return a ruling's data as a file."""
    return Document(data, NAME)


def is_empty(data: dict[str, Any]) -> bool:
    """True if a ruling says nothing yet but its reason."""
    return not any(value for name, value in data.items() if name not in ("laager", "why"))


def tidy(data: dict[str, Any]) -> dict[str, Any]:
    """Return a ruling without parts and lines in which nothing is left."""
    kept: dict[str, Any] = {}
    for name, value in data.items():
        inner = tidy(value) if isinstance(value, dict) and name not in ("laager", "why") else value
        if name in ("laager", "why") or inner not in ({}, []):
            kept[name] = inner
    return kept
