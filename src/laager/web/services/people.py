"""Who takes part in a campaign: invitations, seats, and who owns it.

Nobody may see the secrets of two sides that different people play. One person may sit on both
sides (and be the umpire) as long as nobody else plays; when somebody else takes one of these sides,
that seat and the umpire's pass out of the first one's hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.campaign.ruleset import find_ruleset
from laager.web.models import Game, Invitation, Member, Player, Role
from laager.web.services import happenings
from laager.web.services.seats import Deed, Seat
from laager.web.services.tokens import digest, new_key

if TYPE_CHECKING:
    from uuid import UUID

DAYS = 14
"""How long an invitation is good, unless said otherwise."""
OWNER_HOURS = 48
"""How long the link is good by which the owner makes the first account."""
MOST_OPEN = 40
"""How many invitations to one campaign may be open."""
WITH_SIDE = frozenset({Role.PLAYER, Role.MATE})


# Invitations --------------------------------------------------------------------------------------


def invite(seat: Seat, role: str, side: str = "", days: int = DAYS) -> tuple[Invitation, str]:
    """Make an invitation to a seat; return it with its key, which cannot be shown again.

    `side` is for players and team mates. Raises RefusedError.
    """
    seat.need(Deed.INVITE)
    check_seat(seat.game, role, side)
    if not 1 <= days <= 90:
        raise RefusedError(Refusal.BAD_ANSWER, "an invitation is good for 1 to 90 days")
    if len(open_invitations(seat.game)) >= MOST_OPEN:
        raise RefusedError(
            Refusal.BAD_ANSWER, f"{MOST_OPEN} invitations are open already; withdraw one first"
        )
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


def check_seat(game: Game, role: str, side: str) -> None:
    """Raise RefusedError unless a campaign has a seat of this kind."""
    if role not in Role.values:
        raise RefusedError(
            Refusal.BAD_ANSWER, f"there is no role {role!r}; there are {', '.join(Role.values)}"
        )
    sides = find_ruleset(game.ruleset).sides
    if Role(role) in WITH_SIDE and side not in sides:
        raise RefusedError(
            Refusal.BAD_ANSWER, f"a {Role(role).label} needs a side: {' or '.join(sides)}"
        )
    if Role(role) not in WITH_SIDE and side:
        raise RefusedError(Refusal.BAD_ANSWER, f"a {Role(role).label} sits on no side")


def open_invitations(game: Game) -> list[Invitation]:
    """Return the invitations to a campaign that can still be taken, the newest first."""
    found = Invitation.objects.filter(game=game, taken=None, ends__gt=timezone.now())
    return list(found.order_by("-made"))


def withdraw(seat: Seat, pk: int) -> None:
    """Make an open invitation useless. Raises RefusedError if there is none of this number."""
    seat.need(Deed.INVITE)
    if not Invitation.objects.filter(game=seat.game, pk=pk, taken=None).delete()[0]:
        raise RefusedError(Refusal.NO_SUCH, "there is no such invitation; it may have been taken")


def opened(key: str) -> Invitation:
    """Return the invitation that a key opens.

    Raises RefusedError in the same words whether it never was, was taken, withdrawn or is too old.
    """
    return _good(Invitation.objects.filter(digest=digest(key)).first())


def still_good(pk: int | None) -> Invitation:
    """Return an invitation that was opened before. Raises RefusedError as `opened` does."""
    return _good(Invitation.objects.filter(pk=pk).first() if pk is not None else None)


def _good(found: Invitation | None) -> Invitation:
    if found is None or found.taken is not None or found.ends <= timezone.now():
        raise RefusedError(
            Refusal.NO_SUCH,
            "this invitation is not good, or not any more; ask whoever sent it for a new one",
        )
    return found


def accept(pk: int, user: Player) -> Member | None:
    """Let somebody take an invitation: one time, one person.

    Returns the seat; None for an invitation to the server alone. Raises RefusedError; then the
    invitation is as good as before.
    """
    with transaction.atomic():
        invitation = _good(Invitation.objects.select_for_update().filter(pk=pk).first())
        member = None
        if invitation.game_id is not None:
            member = sit(invitation.game_id, user, invitation.role, invitation.side)
        if invitation.owner:
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
        invitation.taken_by, invitation.taken = user, timezone.now()
        invitation.save(update_fields=["taken_by", "taken"])
    return member


# Seats --------------------------------------------------------------------------------------------


def sit(game: UUID, user: Player, role: str, side: str = "") -> Member:
    """Give somebody a seat, and take from others what they may not keep beside it.

    Raises RefusedError if the person has this seat, or another one that does not go with it.
    """
    with transaction.atomic():
        held = Game.objects.select_for_update().get(pk=game)
        check_seat(held, role, side)
        if held.archived:
            raise RefusedError(Refusal.OVER, "the campaign is in the archive")
        members = list(Member.objects.filter(game=held).select_related("user"))
        mine = [member for member in members if member.user_id == user.pk]
        if any(_eyes(member) == (side or role) for member in mine):
            raise RefusedError(Refusal.NOT_ASKED, "you have this seat already")
        _check_eyes(mine, members, user, side or role)
        if role == Role.PLAYER:
            for other in members:
                if _hands_over(other, members, user, side):
                    other.delete()
        made = Member.objects.create(game=held, user=user, role=role, side=side)
        happenings.publish(held.pk)
    return made


def _eyes(member: Member) -> str:
    """Return through whose eyes a seat looks: a side, `umpire` or `spectator`."""
    return member.side or member.role


def _secret(names: Iterable[str]) -> set[str]:
    return set(names) - {Role.SPECTATOR.value}


def _check_eyes(mine: list[Member], members: list[Member], user: Player, wanted: str) -> None:
    seen = _secret([*map(_eyes, mine), wanted])
    others = [m for m in members if m.user_id != user.pk and m.role == Role.PLAYER]
    if wanted in seen and len(seen) > 1 and others:
        raise RefusedError(
            Refusal.NOT_YOURS,
            f"who sits with {' and '.join(sorted(seen - {wanted}))} may not see what is secret to "
            f"{wanted} while somebody else plays; leave the other seat first",
        )


def _hands_over(other: Member, members: list[Member], user: Player, side: str) -> bool:
    """Tell whether a seat must be given up because somebody else comes to play a side."""
    if other.user_id == user.pk:
        return False
    seen = _secret(_eyes(m) for m in members if m.user_id == other.user_id)
    if _eyes(other) == side:
        return len(seen) > 1
    return other.role == Role.UMPIRE and len(seen - {side}) > 1


def would_hand_over(invitation: Invitation) -> list[Member]:
    """Return the seats that others would give up if this invitation were taken."""
    if invitation.role != Role.PLAYER:
        return []
    members = list(Member.objects.filter(game=invitation.game).select_related("user"))
    return [m for m in members if _hands_over(m, members, Player(), invitation.side)]


def sitting(game: Game) -> list[Member]:
    """Return who sits where: players first, in the order of the sides."""
    sides = [*find_ruleset(game.ruleset).sides, ""]
    order = list(Role)
    members = Member.objects.filter(game=game).select_related("user")
    return sorted(
        members, key=lambda m: (order.index(Role(m.role)), sides.index(m.side), m.since, m.pk)
    )


def leave(seat: Seat) -> None:
    """Give up a seat. Raises RefusedError for the last seat of the campaign's owner."""
    _unseat(seat.member)


def remove(seat: Seat, pk: int) -> None:
    """Take a seat from somebody; only the owner may. Raises RefusedError."""
    seat.need(Deed.MANAGE)
    member = Member.objects.filter(game=seat.game, pk=pk).first()
    if member is None:
        raise RefusedError(Refusal.NO_SUCH, "nobody has this seat any more")
    _unseat(member)


def _unseat(member: Member) -> None:
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=member.game_id)
        last = Member.objects.filter(game=game, user=member.user_id).count() == 1
        if last and game.owner_id == member.user_id:
            raise RefusedError(
                Refusal.NOT_YOURS,
                "the owner of a campaign keeps a seat in it; hand the campaign on first",
            )
        member.delete()
        happenings.publish(game.pk)


# The campaign itself ------------------------------------------------------------------------------


def hand_on(seat: Seat, user: int) -> None:
    """Make somebody else who has a seat the campaign's owner. Raises RefusedError."""
    seat.need(Deed.MANAGE)
    if not Member.objects.filter(game=seat.game, user=user).exists():
        raise RefusedError(Refusal.NO_SUCH, "only somebody with a seat can become the owner")
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        if game.owner_id != seat.user.pk:
            raise RefusedError(Refusal.STALE, "the campaign has another owner since; look again")
        game.owner_id = user
        game.save(update_fields=["owner"])


def rename(seat: Seat, title: str) -> None:
    """Give a campaign another title on this server; the log keeps the one it was begun under."""
    seat.need(Deed.MANAGE)
    title = title.strip()
    if not 1 <= len(title) <= 200:
        raise RefusedError(Refusal.BAD_ANSWER, "a title has 1 to 200 characters")
    Game.objects.filter(pk=seat.game.pk).update(title=title)


def archive(seat: Seat, archived: bool) -> None:
    """Lay a campaign into the archive, or take it out; in the archive nothing can be answered."""
    seat.need(Deed.MANAGE)
    Game.objects.filter(pk=seat.game.pk).update(archived=archived)


# The server ---------------------------------------------------------------------------------------


def has_owner() -> bool:
    """Tell whether the server has an owner."""
    return Player.objects.filter(is_superuser=True, is_active=True).exists()


def owner_key() -> str:
    """Make the one-time key by which the server's owner comes in; earlier ones are withdrawn."""
    key = new_key()
    with transaction.atomic():
        Invitation.objects.filter(owner=True, taken=None).delete()
        Invitation.objects.create(
            owner=True, digest=digest(key), ends=timezone.now() + timedelta(hours=OWNER_HOURS)
        )
    return key
