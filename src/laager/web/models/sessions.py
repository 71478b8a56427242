"""When people sit down to play next: proposed times, and who can come."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Game


class SessionPlan(models.Model):
    """A proposal for the next session of a campaign, and what became of it. Plans count for each campaign."""

    class State(models.TextChoices):
        """What became of it."""

        OPEN = "open"
        FIXED = "fixed"
        OFF = "off"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sessions")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(max_length=150)
    """The proposer's name as it was then: accounts can go."""
    note = models.CharField(max_length=200, blank=True)
    minutes = models.PositiveSmallIntegerField()
    """How long the session will take."""
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    fixed = models.DateTimeField(null=True, blank=True)
    """When it begins, if that is fixed."""
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="each_plan_once")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number} {self.state}"

    @property
    def who(self) -> str:
        """What the proposer is called now; as it was then, if the account is gone."""
        return (self.by.get_short_name() or self.by.username) if self.by else self.by_name


class SessionTime(models.Model):
    """A time at which a session could begin."""

    plan = models.ForeignKey(SessionPlan, on_delete=models.CASCADE, related_name="times")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["at"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["plan", "at"], name="each_time_once")]

    def __str__(self) -> str:
        return f"{self.plan_id}: {self.at:%Y-%m-%d %H:%M}"


class SessionReply(models.Model):
    """Whether somebody can come at a time."""

    time = models.ForeignKey(SessionTime, on_delete=models.CASCADE, related_name="replies")
    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    yes = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["time", "user"], name="one_reply")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.yes}"
