"""What pages say of seats."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from laager.web.models import Invitation, Member, Outgoing, SeatChange
from laager.web.seats import outgoing, seatlog

register = template.Library()


@register.filter
def change_words(change: SeatChange) -> str:
    """Return a change of seats in the reader's language."""
    return seatlog.words(change)


@register.filter
def seat_words(invitation: Invitation | Member) -> str:
    """Return the seat of an invitation, or somebody's, in the reader's language."""
    return seatlog.seat_words(invitation.role, invitation.side, invitation.game)


@register.filter
def delivery_words(row: Outgoing) -> str:
    """Return in words how a receiver's last notice went."""
    return outgoing.describe_delivery(row)


@register.filter
def qr(link: str) -> SafeString:
    """Return a link as a QR code: an SVG in the page itself, as the link is a secret and stands in no address."""
    # Only pages with an invitation need it.
    import segno

    code = segno.make(link, micro=False, error="m")
    return mark_safe(code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))
