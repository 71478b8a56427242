"""Who takes part in a campaign: invitations, the list of seats, the campaign's title and place."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.campaign import find_ruleset
from laager.web.models import Game, Invitation, Member, Player, Role, SeatChange
from laager.web.seats import seating, seatlog
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.tokens import digest, new_key

DAYS = 14
"""How long an invitation is good, unless said otherwise."""
OWNER_HOURS = 48
"""How long the link is good by which the owner makes the first account."""
MOST_OPEN = 40
"""How many invitations to one campaign may be open."""


LONGEST_TITLE = 200
"""Longest title, in characters."""

BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Kinds of characters that a line can't hold: ends of lines and other control characters."""

# Invitations --------------------------------------------------------------------------------------


def invite(seat: Seat, role: str, side: str = "", days: int = DAYS) -> tuple[Invitation, str]:
    """Make an invitation to a seat; return it with its key, which cannot be shown again.

    `side` is for players and team mates. Raises RefusedError.
    """
    seat.need(Action.INVITE)
    seating.check_seat(seat.game, role, side)
    if not 1 <= days <= 90:
        raise RefusedError(Refusal.BAD_ANSWER, "an invitation is valid for 1 to 90 days")
    if len(open_invitations(seat.game)) >= MOST_OPEN:
        raise RefusedError(Refusal.BAD_ANSWER, f"{MOST_OPEN} invitations are open already", "withdraw one first")
    key = new_key()
    made = Invitation.objects.create(
        game=seat.game,
        role=role,
        side=side,
        digest=digest(key),
        made_by=seat.user,
        ends=timezone.now() + timedelta(days=days),
    )
    return made, key


def open_invitations(game: Game) -> list[Invitation]:
    """Return the invitations to a campaign that can still be taken, the newest first."""
    invitations = Invitation.objects.filter(game=game, taken=None, ends__gt=timezone.now())
    return list(invitations.order_by("-made"))


def withdraw(seat: Seat, pk: int) -> None:
    """Make an open invitation useless: the owner any, a player one that shows the side's secrets.

    Raises RefusedError without one of this number.
    """
    invitation = Invitation.objects.filter(game=seat.game, pk=pk, taken=None).first()
    if invitation is None or not may_withdraw(seat, invitation):
        seat.need(Action.INVITE)
        raise RefusedError(Refusal.NO_SUCH, "this invitation doesn't exist", "it may have been taken")
    invitation.delete()


def may_withdraw(seat: Seat, invitation: Invitation) -> bool:
    """Return True if this seat may withdraw an invitation."""
    shows = invitation.role == Role.UMPIRE or invitation.side == seat.member.side
    return seat.may(Action.INVITE) or (seat.role is Role.PLAYER and shows)


def open_invitation(key: str) -> Invitation:
    """Return the invitation that a key opens.

    Raises RefusedError in the same words whether it never was, was taken, withdrawn or is too old.
    """
    return _check_open(Invitation.objects.filter(digest=digest(key)).first())


def find_open_invitation(pk: int | None) -> Invitation:
    """Return an invitation that was opened before. Raises RefusedError as `open_invitation` does."""
    return _check_open(Invitation.objects.filter(pk=pk).first() if pk is not None else None)


def _check_open(invitation: Invitation | None) -> Invitation:
    if invitation is None or invitation.taken is not None or invitation.ends <= timezone.now():
        raise RefusedError(
            Refusal.NO_SUCH, "this invitation isn't valid, or has expired", "ask the person who sent it for a new one"
        )
    if invitation.game is not None and invitation.game.archived:
        raise RefusedError(Refusal.OVER, "the campaign is in the archive", "nobody can take a seat in it")
    return invitation


def accept(pk: int, user: Player) -> Member | None:
    """Let somebody take an invitation: one time, one person.

    Returns the seat; None for an invitation to the server alone. Raises RefusedError; then the
    invitation is as good as before. If players must agree first, they have been asked.
    """
    try:
        with transaction.atomic():
            invitation = _check_open(Invitation.objects.select_for_update().filter(pk=pk).first())
            member = None
            if invitation.game_id is not None:
                member = seating.take_seat(invitation, user)
            if invitation.owner:
                user.is_staff = user.is_superuser = True
                user.save(update_fields=["is_staff", "is_superuser"])
            invitation.taken_by, invitation.taken = user, timezone.now()
            invitation.save(update_fields=["taken_by", "taken"])
    except seating.ConsentError:
        seating.ask_for_seat(find_open_invitation(pk), user)
        raise
    return member


# The campaign itself ------------------------------------------------------------------------------


def list_seated(game: Game) -> list[Member]:
    """Return who sits where: players first, in the order of the sides."""
    sides = [*find_ruleset(game.ruleset).sides, ""]
    order = list(Role)
    members = Member.objects.filter(game=game).select_related("user")
    return sorted(members, key=lambda m: (order.index(Role(m.role)), sides.index(m.side), m.since, m.pk))


def rename(seat: Seat, title: str) -> None:
    """Give a campaign another title on this server; the log keeps the one it was begun under."""
    seat.need(Action.MANAGE)
    Game.objects.filter(pk=seat.game.pk).update(title=check_title(title))


def check_title(title: str) -> str:
    """Return a title without spaces around it. Raises RefusedError if it isn't one line of some characters."""
    title = title.strip()
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise RefusedError(Refusal.BAD_ANSWER, f"a title has 1 to {LONGEST_TITLE} characters")
    if any(unicodedata.category(character) in BREAKS for character in title):
        raise RefusedError(Refusal.BAD_ANSWER, "a title is one line of text", "leave out line breaks and tabs")
    return title


def archive(seat: Seat, archived: bool) -> None:
    """Archive a campaign, or take it out of the archive; nothing can be answered in an archived one.

    Everybody in the campaign can read who did it.
    """
    seat.need(Action.ARCHIVE)
    with transaction.atomic():
        if Game.objects.filter(pk=seat.game.pk, archived=not archived).update(archived=archived):
            kind = SeatChange.Kind.ARCHIVED if archived else SeatChange.Kind.UNARCHIVED
            seatlog.write(seat.game, kind, seat.user)


# The server ---------------------------------------------------------------------------------------


def has_owner() -> bool:
    """Return True if the server has an owner."""
    return Player.objects.filter(is_superuser=True, is_active=True).exists()


def owner_key() -> str:
    """Make the one-time key by which the server's owner comes in; earlier ones are withdrawn."""
    key = new_key()
    with transaction.atomic():
        Invitation.objects.filter(owner=True, taken=None).delete()
        Invitation.objects.create(owner=True, digest=digest(key), ends=timezone.now() + timedelta(hours=OWNER_HOURS))
    return key
