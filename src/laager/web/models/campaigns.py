"""Campaigns: their logs, who takes part, and what sides note."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from laager.web.models.accounts import Player


class Role(models.TextChoices):
    """What somebody is in a campaign."""

    PLAYER = "player", _("player")
    MATE = "mate", _("team mate")
    UMPIRE = "umpire", _("umpire")
    SPECTATOR = "spectator", _("spectator")


class Game(models.Model):
    """A campaign on this server. What happened in it is in its lines (`EntryLine`).

    `length` and `head` are the number of lines and the hash of the last one: a request that adds lines
    holds this row, and checks them first.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    ruleset = models.CharField(max_length=40)
    card = models.CharField(max_length=200, blank=True)
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="owned")
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    archived = models.BooleanField(default=False)
    waiting_days = models.PositiveSmallIntegerField(default=7)
    """Days for which an announcement that a seat is to be freed must stand. Never changes."""
    patience_look = models.DateTimeField(null=True, blank=True)
    """When it must be looked at next whether a side is over the days that were agreed on (`campaigns.reminding`)."""
    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, default="0" * 64)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["patience_look"], condition=models.Q(patience_look__isnull=False), name="games_with_patience"
            )
        ]

    def __str__(self) -> str:
        return self.title


class EntryLine(models.Model):
    """One line of a campaign's log, byte for byte as it would stand in a campaign file."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField()
    line = models.TextField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="each_line_once")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number}"


class KeptEnding(models.Model):
    """How a campaign ended by its log up to `head`, or null if it goes on (`results.endings`, in the shape `shape`)."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="kept_ending")
    head = models.CharField(max_length=64)
    shape = models.PositiveSmallIntegerField()
    ending = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"{self.game_id}: {self.head[:8]}"


class Pace(models.TextChoices):
    """How often notices say that an answer is needed."""

    ALWAYS = "always", _("every time I am asked")
    DAILY = "daily", _("once a day, at 18:00")
    NEVER = "never", _("never")


class PublicDelay(models.TextChoices):
    """How far a public page stays behind the campaign."""

    DAY = "day", _("a day")
    BATTLE = "battle", _("a firefight")


class Member(models.Model):
    """A seat that somebody has in a campaign.

    `side` is empty for umpires and spectators. One person may have several seats: who plays alone
    sits on both sides.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seats")
    role = models.CharField(max_length=12, choices=Role.choices)
    side = models.CharField(max_length=40, blank=True)
    told_to = models.PositiveIntegerField(default=0)
    """Up to which entry (the viewer's own number) this person has seen the log."""
    noticed = models.JSONField(default=list, blank=True)
    """Marks of the questions that were announced to this person (`campaigns.notices`)."""
    untold = models.JSONField(default=dict, blank=True)
    """Since when what waits for a mail, by the marks (`seats.pending_mails`)."""
    mail_due = models.DateTimeField(null=True, blank=True)
    pace = models.CharField(max_length=8, choices=Pace.choices, default=Pace.ALWAYS)
    """How often this person is told, by mail, on devices and by webhook."""
    push = models.BooleanField(default=True)
    """True if this person's devices show notices of this seat."""
    listed = models.BooleanField(default=False)
    """True if this player lets the campaign's result be listed, once it is over (`results`)."""
    public_delay = models.CharField(max_length=8, choices=PublicDelay.choices, blank=True)
    """How far behind everybody may see the campaign, if this player lets them (`public`)."""
    feed = models.PositiveIntegerField(default=0)
    """How often the address of this seat's feed was made anew; older addresses are dead."""
    since = models.DateTimeField(auto_now_add=True)
    freed_on = models.DateTimeField(null=True, blank=True)
    """When the seat can be freed, if somebody has announced it and its holder has not come."""
    freed_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """Who has announced it."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "user", "side", "role"], name="one_seat_once")]
        indexes: ClassVar = [
            models.Index(fields=["mail_due"], condition=models.Q(mail_due__isnull=False), name="mails_that_wait")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} {self.side}".strip()

    @property
    def seat(self) -> str:
        """The name of the seat in addresses: the side, else the role."""
        return self.side or self.role


class Invitation(models.Model):
    """A link that gives a seat to the first person who opens it. Only the hash of its key is kept."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations", null=True, blank=True)
    """Empty: an invitation to the server alone (the owner's first link)."""
    role = models.CharField(max_length=12, choices=Role.choices, blank=True)
    side = models.CharField(max_length=40, blank=True)
    owner = models.BooleanField(default=False)
    """True if the person who opens it becomes the owner of the server."""
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    made = models.DateTimeField(auto_now_add=True)
    ends = models.DateTimeField()
    taken_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    taken = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.game}: {self.role} {self.side}".strip()


class Note(models.Model):
    """A note of a side (or of the umpire): read and written from that seat alone."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    seat = models.CharField(max_length=40)
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who wrote it last; empty if the account is gone."""
    about = models.CharField(max_length=80, blank=True)
    """A hex, a unit, an entry's number; "" for the campaign."""
    text = models.TextField(max_length=8000)
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["-changed"]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"


class Draft(models.Model):
    """An answer that a side has begun and not given: a half-filled cart, a report."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="drafts")
    seat = models.CharField(max_length=40)
    asked = models.CharField(max_length=64)
    """The mark of the question (`tables.mark`): a draft is for that one alone."""
    value = models.JSONField()
    dice = models.JSONField(default=list)
    """The rolls of the game's log that the answer was read from (`TableRoll.record`)."""
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "seat", "asked"], name="one_draft")]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"


class Answerer(models.Model):
    """Who gave an answer of a side that several people play: for the people of that side alone.

    The name is kept as it was, as accounts can go.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="answerers")
    side = models.CharField(max_length=40)
    entry = models.PositiveIntegerField()
    """The number of the answer in the campaign's own log."""
    name = models.CharField(max_length=150)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "entry"], name="one_answerer")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.entry}"


# Seats --------------------------------------------------------------------------------------------


class SeatChange(models.Model):
    """One change of seats, or of the campaign's place in the archive.

    Everybody in the campaign can read it, and nobody can remove it. Names are kept as they were, as accounts can go.
    """

    class Kind(models.TextChoices):
        """What happened. Its words are in `seats.seatlog`."""

        TAKEN = "taken"
        LEFT = "left"
        PASSED = "passed"
        ANNOUNCED = "announced"
        RETURNED = "returned"
        CALLED_OFF = "called-off"
        FREED = "freed"
        OWNER = "owner"
        ASKED = "asked"
        AGREED = "agreed"
        REFUSED = "refused"
        ARCHIVED = "archived"
        UNARCHIVED = "unarchived"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seat_changes")
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    who = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    """Whose seat it is, or who archived the campaign."""
    who_name = models.CharField(max_length=150)
    by_name = models.CharField(max_length=150, blank=True)
    """Who did it, if it was somebody else."""
    role = models.CharField(max_length=12, choices=Role.choices, blank=True)
    side = models.CharField(max_length=40, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    """When an announced seat can be freed at the earliest."""

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.kind} {self.who_name} {self.role} {self.side}".strip()


class SeatWish(models.Model):
    """Somebody who has seen another side's secrets waits for consent to take a seat."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="wishes")
    invitation = models.OneToOneField(Invitation, on_delete=models.CASCADE, related_name="wish")
    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    agreed = models.JSONField(default=list)
    """The sides whose players have agreed."""
    made = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user}: {self.invitation}"
