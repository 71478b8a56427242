"""Deleting an account: what goes with it, what stays, and when it can be done.

A person deletes the own account at once, after handing over the campaigns in which others sit. The host announces it,
as the freeing of a seat is announced: the account can be deleted when the announcement has stood for the days of the
person's campaigns, unless the person comes back. An account that sits nowhere, or only watches, goes at once.

Campaigns go on: the seats become free, and what names the person in a campaign's log and in the list of its seats
stays as it was written. Campaigns in which nobody else has a seat go with the account.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone, translation

from laager.base import Refusal, RefusedError
from laager.web.models import Game, Member, Player, Role
from laager.web.seats import seating
from laager.web.seats.seatlog import Kind
from laager.web.shared import events, mails
from laager.web.shared.visitors import zone_of


@dataclass(frozen=True)
class DeletionEffects:
    """What deleting an account does to campaigns."""

    seats: tuple[Member, ...]
    """The seats that become free, in campaigns that go on."""
    owned: tuple[Game, ...]
    """Campaigns that get another owner: others sit in them."""
    ending: tuple[Game, ...]
    """Campaigns that are deleted: nobody else has a seat in them."""

    @property
    def days(self) -> int:
        """For how many days the host must announce it; 0: the account goes at once."""
        games = [member.game for member in self.seats if member.role != Role.SPECTATOR]
        return max((game.waiting_days for game in (*games, *self.owned, *self.ending)), default=0)


def find_effects(user: Player) -> DeletionEffects:
    """Return what deleting an account would do now."""
    owned = list(Game.objects.filter(owner=user).order_by("made", "pk"))
    shared = set(Member.objects.filter(game__in=owned).exclude(user=user).values_list("game", flat=True))
    ending = tuple(game for game in owned if game.pk not in shared)
    seats = Member.objects.filter(user=user).exclude(game__in=ending).select_related("user", "game")
    return DeletionEffects(
        seats=tuple(seats.order_by("game__made", "pk")),
        owned=tuple(game for game in owned if game.pk in shared),
        ending=ending,
    )


def is_last_host(user: Player) -> bool:
    """Return True if nobody else owns the server."""
    others = Player.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


def delete_own(user: Player) -> None:
    """Delete an account for its person. Raises RefusedError if campaigns must be handed over first."""
    with transaction.atomic():
        user = _lock(user)
        if is_last_host(user):
            raise RefusedError(
                Refusal.NOT_YOURS,
                "nobody else owns this server",
                "make somebody else its owner first, with the link that laager serve --owner-link prints",
            )
        effects = find_effects(user)
        if effects.owned:
            titles = ", ".join(game.title for game in effects.owned)
            raise RefusedError(
                Refusal.NOT_YOURS, f"others sit in campaigns of yours: {titles}", "hand them over on their pages People"
            )
        _delete(user, effects, None)


def announce(user: Player) -> datetime:
    """Announce that an account is to be deleted, and mail it to its person; return from when on it can be.

    An announcement that stands already is left as it is.
    """
    with transaction.atomic():
        user = _lock(user)
        _check_no_host(user)
        if user.deletion_on is not None:
            return user.deletion_on
        deletion_on = timezone.now() + timedelta(days=find_effects(user).days)
        user.deletion_on = deletion_on
        user.save(update_fields=["deletion_on"])
    if user.email and user.is_active:
        mails.send([user.email], *_write_mail(user))
    return deletion_on


def call_off(user: Player) -> None:
    """Call off the announcement that an account is to be deleted."""
    Player.objects.filter(pk=user.pk).update(deletion_on=None)


def delete_by_host(user: Player, host: Player) -> None:
    """Delete somebody else's account. Raises RefusedError before the announcement has stood long enough."""
    with transaction.atomic():
        user = _lock(user)
        _check_no_host(user)
        effects = find_effects(user)
        if effects.days and (user.deletion_on is None or user.deletion_on > timezone.now()):
            raise RefusedError(
                Refusal.NEEDS_CONSENT, f"{user} can still come back", "announce it, and wait until the day that is said"
            )
        _delete(user, effects, host)


def _lock(user: Player) -> Player:
    fresh = Player.objects.select_for_update().filter(pk=user.pk).first()
    if fresh is None:
        raise RefusedError(Refusal.NO_SUCH, "this account doesn't exist any more")
    return fresh


def _check_no_host(user: Player) -> None:
    if user.is_superuser:
        raise RefusedError(
            Refusal.NOT_YOURS, f"{user} owns this server, too", "an owner deletes the own account on the page Account"
        )


def _delete(user: Player, effects: DeletionEffects, by: Player | None) -> None:
    """Delete an account; `by` is the host, if it isn't the person."""
    games = {game.pk for game in (*effects.owned, *effects.ending)} | {member.game_id for member in effects.seats}
    list(Game.objects.select_for_update().filter(pk__in=games).order_by("pk"))
    for game in effects.owned:
        heirs = Member.objects.filter(game=game).exclude(user=user).select_related("user")
        seating.set_owner(game, seating.choose_heir(list(heirs)))
    for member in effects.seats:
        seating.unseat(member, Kind.LEFT if by is None else Kind.FREED, by)
    for game in effects.ending:
        pk = game.pk
        game.delete()
        events.publish(pk)
    _end_sessions(user)
    # What the admin pages keep of an account has its name.
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).delete()
    user.delete()


def _end_sessions(user: Player) -> None:
    """Log somebody out everywhere."""
    keys = [
        session.pk
        for session in Session.objects.iterator(chunk_size=500)
        if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=keys).delete()


def _write_mail(user: Player) -> tuple[str, str]:
    context = {"user": user, "address": settings.CONFIG.address.rstrip("/") + "/account/"}
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone_of(user.time_zone)):
        return mails.texts("accounts/mail_deletion_subject.txt", "accounts/mail_deletion.txt", context)
