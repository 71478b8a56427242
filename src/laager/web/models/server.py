"""What belongs to the server as a whole."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

LONGEST_ANNOUNCEMENT = 500
"""Longest announcement, in characters."""


class Announcement(models.Model):
    """What the host tells everybody on every page. There is one at most, in the row with key 1."""

    text = models.TextField(max_length=LONGEST_ANNOUNCEMENT)
    until = models.DateTimeField(null=True, blank=True)
    """From when on it is no longer shown; empty: until the host takes it away."""
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.text


class ErrorPlace(models.Model):
    """Where in the program errors happened: no texts, no addresses, no time of the day."""

    place = models.CharField(max_length=200)
    """Module and line, such as `laager.web.play.table.pages:120`."""
    kind = models.CharField(max_length=100)
    """The type of the exception."""
    count = models.PositiveIntegerField(default=0)
    seen = models.DateField()
    """The day (UTC) of the last one."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["place", "kind"], name="one_place_of_errors")]

    def __str__(self) -> str:
        return f"{self.place} {self.kind}"
