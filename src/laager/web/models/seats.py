"""What happened to the seats of a campaign, and who waits for consent to take one."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Game, Invitation, Role


class SeatChange(models.Model):
    """One change of seats: everybody in the campaign can read it, and nobody can remove it.

    Names are kept as they were, as accounts can go.
    """

    class Kind(models.TextChoices):
        """What happened. Its words are in `services.seatlog`."""

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

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seat_changes")
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    who = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    """Whose seat it is."""
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
