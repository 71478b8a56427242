"""People's own cards, charts, maps and boards."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from laager.web.models.accounts import Player


class OwnFile(models.Model):
    """A text file in somebody's library. Files name one another by `name`, as in one folder."""

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=120)
    text = models.TextField(blank=True)
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_file_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name
