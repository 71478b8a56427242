"""What pages say of seats."""

from __future__ import annotations

from django import template

from laager.web.models import Invitation, SeatChange
from laager.web.services.people import seatlog

register = template.Library()


@register.filter
def change_words(change: SeatChange) -> str:
    """Return a change of seats in the reader's language."""
    return seatlog.words(change)


@register.filter
def seat_words(invitation: Invitation) -> str:
    """Return the seat of an invitation in the reader's language."""
    return seatlog.seat_words(invitation.role, invitation.side)
