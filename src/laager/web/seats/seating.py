"""Taking, leaving and freeing seats; who may not sit where because of what they have seen.

Nobody may see the secrets of two sides that different people play. One person may sit on both
sides (and be the umpire) as long as nobody else plays; when somebody else takes one of these sides
on this person's own invitation, that seat and the umpire's pass out of the first one's hands.

People who have ever seen one side's secrets take a seat that shows another's only if both sides
agree: of each side that somebody else plays, one player. Where nobody else plays there is nobody to
ask; people who come later are told before they sit down (`insiders`).

A seat is freed by its holder alone, or, if the holder is gone, after an announcement that has stood
for as many days as the campaign was begun with. All of it is written down (`seatlog`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.campaign import find_ruleset
from laager.web.models import Game, Invitation, Member, Player, Role, SeatWish
from laager.web.seats import outgoing, pending_mails, seatlog
from laager.web.seats.permissions import Action, Seat
from laager.web.seats.seatlog import Kind
from laager.web.shared import events
from laager.web.shared.names import side_name
from laager.web.shared.storing import store_if_possible

if TYPE_CHECKING:
    from uuid import UUID

WAITING_DAYS = 7
"""How many days an announcement must stand, unless a campaign is begun with another number."""
LONGEST_WAIT = 90
WITH_SIDE = frozenset({Role.PLAYER, Role.MATE})


class ConsentError(RefusedError):
    """A seat can be taken when players have agreed; `sides` are theirs."""

    def __init__(self, sides: list[str], game: Game) -> None:
        super().__init__(
            Refusal.NEEDS_CONSENT,
            "you have seen secrets in this campaign that do not go with this seat; take it when "
            f"these have agreed: {', '.join(side_name(side, game) for side in sides)}. "
            "They are asked on their page People",
        )
        self.sides = sides


def check_seat(game: Game, role: str, side: str) -> None:
    """Raise RefusedError unless a campaign has a seat of this kind."""
    if role not in Role.values:
        raise RefusedError(Refusal.BAD_ANSWER, f"there is no role {role!r}", f"there are {', '.join(Role.values)}")
    sides = find_ruleset(game.ruleset).sides
    if Role(role) in WITH_SIDE and side not in sides:
        raise RefusedError(Refusal.BAD_ANSWER, f"a {Role(role).label} needs a side: {' or '.join(sides)}")
    if Role(role) not in WITH_SIDE and side:
        raise RefusedError(Refusal.BAD_ANSWER, f"a {Role(role).label} sits on no side")


# Taking -------------------------------------------------------------------------------------------


def take_seat(invitation: Invitation, user: Player) -> Member:
    """Give somebody the seat of an invitation, and take from the host what does not go with it.

    Raises RefusedError if the person has this seat, or another one that does not go with it;
    ConsentError if players must agree first.
    """
    role, side = invitation.role, invitation.side
    with transaction.atomic():
        held = Game.objects.select_for_update().get(invitations=invitation)
        check_seat(held, role, side)
        if held.archived:
            raise RefusedError(Refusal.OVER, "the campaign is in the archive")
        members = list(Member.objects.filter(game=held).select_related("user", "game"))
        mine = [member for member in members if member.user_id == user.pk]
        if any(_eyes(member) == (side or role) for member in mine):
            raise RefusedError(Refusal.NOT_ASKED, "you have this seat already")
        _check_present(mine, members, user, side or role)
        missing = _who_must_agree(held, members, user, side or role) - _sides_agreed(invitation, user)
        if missing:
            order = list(find_ruleset(held.ruleset).sides)
            raise ConsentError(sorted(missing, key=order.index), held)
        for other in _giving_up(members, user, role, side):
            _check_host(other, invitation)
            other.delete()
            seatlog.write_of(other, Kind.PASSED, user)
        made = Member.objects.create(game=held, user=user, role=role, side=side)
        seatlog.write_of(made, Kind.TAKEN)
        SeatWish.objects.filter(invitation=invitation).delete()
        events.publish(held.pk)
    return made


def _eyes(member: Member) -> str:
    return seatlog.viewer_of(member.role, member.side)


def _secret(names: set[str]) -> set[str]:
    return names - {Role.SPECTATOR.value}


def _check_present(mine: list[Member], members: list[Member], user: Player, wanted: str) -> None:
    """Raise RefusedError if somebody sits where this seat's secrets must not be known."""
    seen = _secret({*map(_eyes, mine), wanted})
    if wanted in seen and len(seen) > 1 and _players(members, user):
        raise RefusedError(
            Refusal.NOT_YOURS,
            f"somebody who sits with {' and '.join(sorted(seen - {wanted}))} can't see what is secret to "
            f"{wanted} while somebody else plays",
            "leave the other seat first",
        )


def _players(members: list[Member], but: Player) -> list[Member]:
    return [m for m in members if m.user_id != but.pk and m.role == Role.PLAYER]


def _who_must_agree(game: Game, members: list[Member], user: Player, wanted: str) -> set[str]:
    """Return the sides whose consent somebody needs because of what was seen at other seats."""
    seen = seatlog.secrets_seen(game).get(user.pk, set())
    if wanted == Role.SPECTATOR or not seen - {wanted}:
        return set()
    return {member.side for member in _players(members, user)}


def _sides_agreed(invitation: Invitation, user: Player) -> set[str]:
    wish = SeatWish.objects.filter(invitation=invitation, user=user).first()
    return set(wish.agreed) if wish else set()


def _giving_up(members: list[Member], user: Player, role: str, side: str) -> list[Member]:
    """Return the seats that others cannot keep when somebody comes to play a side."""
    if role != Role.PLAYER:
        return []
    return [m for m in members if m.user_id != user.pk and _hands_over(m, members, side)]


def _hands_over(other: Member, members: list[Member], side: str) -> bool:
    seen = _secret({_eyes(m) for m in members if m.user_id == other.user_id})
    if _eyes(other) == side:
        return len(seen) > 1
    return other.role == Role.UMPIRE and len(seen - {side}) > 1


def _check_host(other: Member, invitation: Invitation) -> None:
    """Raise RefusedError if a seat would be given up that its holder has not offered."""
    if other.user_id != invitation.made_by_id:
        seat = seatlog.seat_words(other.role, other.side, other.game)
        raise RefusedError(
            Refusal.NEEDS_CONSENT,
            f"{other.user} would have to give up a seat ({seat}) and has not offered it",
            f"it is free when {other.user} leaves it",
        )


def would_give_up(invitation: Invitation) -> list[Member]:
    """Return the seats that others would give up if this invitation were taken."""
    members = list(Member.objects.filter(game=invitation.game).select_related("user"))
    return _giving_up(members, Player(), invitation.role, invitation.side)


def find_insiders(invitation: Invitation, user: Player | None = None) -> list[Player]:
    """Return who has seen what is secret to the side of an invitation, and may sit elsewhere."""
    game, side = invitation.game, invitation.side
    if game is None or not side:
        return []
    seen = seatlog.secrets_seen(game)
    known = [pk for pk, eyes in seen.items() if eyes & {side, Role.UMPIRE.value} and (user is None or pk != user.pk)]
    there = Member.objects.filter(game=game, user__in=known).exclude(side=side)
    there = there.exclude(role__in=[Role.UMPIRE, Role.SPECTATOR])
    return list(Player.objects.filter(pk__in=there.values("user")).order_by("username"))


# Consent ------------------------------------------------------------------------------------------


def ask_for_seat(invitation: Invitation, user: Player) -> None:
    """Ask the players for their consent that somebody takes the seat of an invitation.

    Raises RefusedError if another person waits with the same invitation.
    """
    assert invitation.game is not None
    with transaction.atomic():
        Game.objects.select_for_update().get(invitations=invitation)
        made, new = SeatWish.objects.get_or_create(
            invitation=invitation, defaults={"game": invitation.game, "user": user}
        )
        if made.user_id != user.pk:
            raise RefusedError(Refusal.NEEDS_CONSENT, "somebody else is waiting for this seat", "ask for another link")
        if new:
            seatlog.write(invitation.game, Kind.ASKED, user, invitation.role, invitation.side)
            events.publish(invitation.game.pk)


def open_wishes(game: Game) -> list[SeatWish]:
    """Return who waits for consent."""
    rows = SeatWish.objects.filter(game=game).select_related("user", "invitation")
    return list(rows.order_by("made"))


def may_agree(seat: Seat, to: SeatWish) -> bool:
    """Return True if this seat's player has still to agree, or refuse."""
    return seat.role is Role.PLAYER and to.user_id != seat.user.pk and seat.member.side not in to.agreed


def consent(seat: Seat, pk: int, agree: bool) -> None:
    """Agree, for one's side, that somebody takes a seat; or refuse, and the wish is gone.

    When all have agreed the same link gives the seat. Raises RefusedError.
    """
    seat.need(Action.ANSWER)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        rows = SeatWish.objects.filter(game=game, pk=pk).select_related("user", "invitation")
        waiting = rows.first()
        if waiting is None or not may_agree(seat, waiting):
            raise RefusedError(Refusal.NO_SUCH, "nobody is waiting for your consent to this")
        wanted = waiting.invitation
        kind = Kind.AGREED if agree else Kind.REFUSED
        seatlog.write(game, kind, waiting.user, wanted.role, wanted.side, by=seat.user)
        if agree:
            waiting.agreed = [*waiting.agreed, seat.member.side]
            waiting.save(update_fields=["agreed"])
        else:
            waiting.delete()
        events.publish(game.pk)


# Leaving and freeing ------------------------------------------------------------------------------


def leave_seat(seat: Seat) -> None:
    """Give up a seat. Raises RefusedError for the last seat of the campaign's owner."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        if game.owner_id == seat.user.pk and _is_last(seat.member):
            raise RefusedError(
                Refusal.NOT_YOURS, "the owner of a campaign keeps a seat in it", "make somebody else the owner first"
            )
        unseat(seat.member, Kind.LEFT)


def free_seat(seat: Seat, pk: int) -> Member:
    """Announce that a seat is to be freed; free it once the announcement has stood long enough.

    Spectators can be sent away by the owner at once. Returns the seat: it is gone if it has no
    number any more. Raises RefusedError before the time has come, and for one's own seat.
    """
    seat.need(Action.FREE)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        member = _member(game, pk)
        if member.user_id == seat.user.pk:
            raise RefusedError(Refusal.BAD_ANSWER, "this seat is your own", "you can leave it")
        if member.role == Role.SPECTATOR:
            seat.need(Action.MANAGE)
        elif member.freed_on is None:
            return announce_freeing(member, seat.user)
        elif member.freed_on > timezone.now():
            raise RefusedError(
                Refusal.NEEDS_CONSENT, f"{member.user} can still come back until {seatlog.day(member.freed_on)}"
            )
        if game.owner_id == member.user_id and _is_last(member):
            # Else nobody could invite anybody any more.
            set_owner(game, seat.user)
        unseat(member, Kind.FREED, seat.user)
    return member


def announce_freeing(member: Member, by: Player) -> Member:
    """Announce that a seat is to be freed. Belongs into the transaction that has checked the right to it."""
    member.freed_on = timezone.now() + timedelta(days=member.game.waiting_days)
    member.freed_by = by
    member.save(update_fields=["freed_on", "freed_by"])
    seatlog.write_of(member, Kind.ANNOUNCED, by)
    events.publish(member.game_id)
    transaction.on_commit(partial(pending_mails.announce_freeing, member))
    transaction.on_commit(partial(outgoing.announce_freeing, member))
    return member


def call_off(seat: Seat, pk: int) -> None:
    """Call off the announcement that a seat is to be freed. Raises RefusedError if it is not."""
    seat.need(Action.FREE)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        member = _member(game, pk)
        if member.freed_on is None:
            raise RefusedError(Refusal.NOT_ASKED, "nobody has announced that they want to free this seat")
        if member.freed_by_id not in {seat.user.pk, None}:
            raise RefusedError(Refusal.NOT_YOURS, f"{member.freed_by} announced it, not you")
        _keep(member, Kind.CALLED_OFF, seat.user)


def cancel_release(game: UUID, user: Player) -> list[Member]:
    """Let somebody who is here keep the seats that were to be freed; return these seats. Mails wait meanwhile.

    On a full disk they stay to be freed, as long as nothing can be stored.
    """
    if not pending_mails.note_presence(game, user):
        return []
    with store_if_possible(), transaction.atomic():
        Game.objects.select_for_update().get(pk=game)
        rows = Member.objects.filter(game=game, user=user, freed_on__isnull=False)
        kept = list(rows.select_related("user", "game"))
        for member in kept:
            _keep(member, Kind.RETURNED)
        return kept
    return []


def _keep(member: Member, kind: str, by: Player | None = None) -> None:
    member.freed_on = member.freed_by = None
    member.save(update_fields=["freed_on", "freed_by"])
    seatlog.write_of(member, kind, by)
    events.publish(member.game_id)


def _member(game: Game, pk: int) -> Member:
    member = Member.objects.filter(game=game, pk=pk).select_related("user", "game").first()
    if member is None:
        raise RefusedError(Refusal.NO_SUCH, "nobody has this seat now")
    return member


def _is_last(member: Member) -> bool:
    return Member.objects.filter(game=member.game_id, user=member.user_id).count() == 1


def unseat(member: Member, kind: str, by: Player | None = None) -> None:
    """Free a seat and write it down. Belongs into the transaction that has checked the right to it."""
    seatlog.write_of(member, kind, by)
    member.delete()
    events.publish(member.game_id)


def replace_owner(game: Game, host: Player) -> datetime | None:
    """Let the host of the server replace an owner who is gone, as players would; return from when on it can be done.

    First the freeing of the owner's seats is announced. When that has stood long enough they are freed, and the player
    who has sat longest is the owner. Returns None once it is done. Raises RefusedError before the time has come, and if
    nobody else sits there.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game.pk)
        members = list(Member.objects.filter(game=game).select_related("user", "game"))
        own = [member for member in members if member.user_id == game.owner_id]
        heirs = [member for member in members if member.user_id != game.owner_id]
        if not heirs:
            raise RefusedError(Refusal.NO_SUCH, "nobody else has a seat in this campaign")
        fresh = [member for member in own if member.freed_on is None]
        if fresh:
            return max(announce_freeing(member, host).freed_on or timezone.now() for member in fresh)
        until = max((member.freed_on for member in own if member.freed_on), default=timezone.now())
        if until > timezone.now():
            raise RefusedError(Refusal.NEEDS_CONSENT, f"{game.owner} can still come back until {seatlog.day(until)}")
        set_owner(game, choose_heir(heirs))
        for member in own:
            unseat(member, Kind.FREED, host)
    return None


def choose_heir(heirs: list[Member]) -> Player:
    """Return who becomes the owner of a campaign whose owner is gone: the player who has sat longest, if there is one.

    Else a team mate, the umpire, a spectator.
    """
    order = list(Role)
    return min(heirs, key=lambda heir: (order.index(Role(heir.role)), heir.since, heir.pk)).user


# The owner ----------------------------------------------------------------------------------------


def hand_on(seat: Seat, user: int) -> None:
    """Make somebody else who has a seat the campaign's owner. Raises RefusedError."""
    seat.need(Action.MANAGE)
    heir = Member.objects.filter(game=seat.game, user=user).select_related("user").first()
    if heir is None:
        raise RefusedError(Refusal.NO_SUCH, "only somebody with a seat can become the owner")
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=seat.game.pk)
        if game.owner_id != seat.user.pk:
            raise RefusedError(Refusal.STALE, "the campaign has a new owner now", "look again")
        set_owner(game, heir.user)


def set_owner(game: Game, user: Player) -> None:
    """Make somebody the owner and write it down. Belongs into the transaction that has checked the right to it."""
    game.owner = user
    game.save(update_fields=["owner"])
    seatlog.write(game, Kind.OWNER, user)
