"""What belongs to the server as a whole."""

from __future__ import annotations

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
