"""Talk at a campaign's table: who may read which channel is in `laager.web.talk.channels`."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Game, Member


class TalkChannel(models.Model):
    """A channel in which something was said. Each counts its own messages: nothing is numbered across channels."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="channels")
    name = models.CharField(max_length=60)
    last = models.PositiveIntegerField(default=0)
    """The number of its last message."""
    version = models.PositiveIntegerField(default=0)
    """How often it has changed."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "name"], name="each_channel_once")]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.name}"


class TalkMessage(models.Model):
    """What somebody said in a channel. A deleted one keeps its number and who wrote it, and has no text."""

    channel = models.ForeignKey(TalkChannel, on_delete=models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(max_length=150)
    """The name as it was then: accounts can go."""
    seat = models.CharField(max_length=40)
    """Where the person sat: a side, `umpire` or `spectator`."""
    text = models.TextField(max_length=4000, blank=True)
    at = models.DateTimeField(default=timezone.now)
    may_be_quoted = models.BooleanField(default=False)
    """True if its writer lets the story quote it."""
    deleted = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["channel", "number"], name="each_message_once")]

    def __str__(self) -> str:
        return f"{self.channel_id}:{self.number}"

    @property
    def who(self) -> str:
        """What the writer is called now; as it was then, if the account is gone."""
        return (self.by.get_short_name() or self.by.username) if self.by else self.by_name


class TalkRead(models.Model):
    """Up to which message somebody has read a channel from a seat."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="talk_read")
    channel = models.ForeignKey(TalkChannel, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["member", "channel"], name="read_so_far")]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.channel_id}:{self.number}"


class TalkMute(models.Model):
    """Somebody whom the campaign's owner lets write no more where everybody reads. It stays whatever seat is taken."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="mutes")
    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "user"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id}"
