"""Simulations: runs of whole campaigns that a server plays for somebody."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Game


class Simulation(models.Model):
    """A run of campaigns of one card: what is played, and how far it is.

    First the campaigns as the card is are played, then all of them again with each change. `done` counts campaigns of
    both kinds; each has been stored (`SimulatedPart`) when it counts.
    """

    class State(models.TextChoices):
        """Whether it is being played."""

        PLAYING = "playing", _("being played")
        PAUSED = "paused", _("paused")
        ENDED = "ended", _("ended")
        FAILED = "failed", _("broken off")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="simulations")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, related_name="forecasts")
    """The campaign of which this is a forecast; None for a run of a card."""
    side = models.CharField(max_length=40, blank=True, default="")
    """The side for which a forecast is made: it's played on by what that side knows."""
    title = models.CharField(max_length=200)
    card = models.CharField(max_length=200)
    own = models.BooleanField(default=False)
    """True if the card is in the owner's library, False if it ships."""
    ruleset = models.CharField(max_length=40)
    plan = models.BinaryField()
    """The plan (`SimulationPlan`), packed; of a forecast what its side knows (`KnownRecord`)."""
    commanders = models.JSONField()
    intensity = models.CharField(max_length=20)
    changes = models.JSONField(default=list)
    campaigns = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    """How long it has been played so far."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLAYING)
    wins = models.JSONField(default=dict)
    """Who won how often with the card as it is; "" is a draw."""
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    """Of the card with all that it names: runs of the same card have the same."""
    trouble = models.TextField(blank=True)
    """Why it was broken off."""
    made = models.DateTimeField(auto_now_add=True)
    turn = models.DateTimeField(default=timezone.now)
    """When it last had its turn: who has waited longest is next."""
    held_until = models.DateTimeField(null=True, blank=True)
    """A worker plays a part of it now, and is taken for dead after this."""

    class Meta:
        ordering: ClassVar = ["-made"]
        indexes: ClassVar = [models.Index(fields=["state", "turn"], name="simulations_that_wait")]

    def __str__(self) -> str:
        return f"{self.title} ({self.campaigns})"

    @property
    def total(self) -> int:
        """All campaigns that are to be played, those with changes too."""
        return int(self.campaigns) * (1 + len(self.changes))


class SimulatedPart(models.Model):
    """Some campaigns of a run that were played one after the other: their outcomes, packed.

    `change` is 0 for the card as it is, else the place of the change from 1; of those only who won is kept.
    """

    simulation = models.ForeignKey(Simulation, on_delete=models.CASCADE, related_name="parts")
    change = models.PositiveSmallIntegerField()
    first = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["change", "first"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["simulation", "change", "first"], name="each_campaign_counts_once")
        ]

    def __str__(self) -> str:
        return f"{self.simulation_id}: {self.change}/{self.first}"
