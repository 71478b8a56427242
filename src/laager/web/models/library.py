"""People's own cards, charts, maps, boards and VASL counters."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from laager.web.models.accounts import Player


class OwnFile(models.Model):
    """A text file in somebody's library. Files name one another by `name`, as in one folder."""

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=120)
    text = models.TextField(blank=True)
    before = models.JSONField(default=list, blank=True)
    """Earlier texts, packed, the last one last: what is changed can be taken back."""
    after = models.JSONField(default=list, blank=True)
    """Texts that were taken back, packed, the last one last: they can be had again until something is changed."""
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "name"], name="one_file_of_a_name")]

    def __str__(self) -> str:
        return self.name


class OwnBoard(models.Model):
    """A VASL board in somebody's own library: the file as it was uploaded.

    It belongs to its owner alone: only its owner's pages read it, for maps made from it.
    """

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="boards")
    name = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    data = models.BinaryField()
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "name"], name="one_board_of_a_name")]

    def __str__(self) -> str:
        return self.name


class OwnCounters(models.Model):
    """The counters of somebody's VASL module, as `laager vasl module` packs them, for setups.

    They belong to their owner alone, who has one such file: a new one takes the place of the old one.
    """

    owner = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="counters")
    version = models.CharField(max_length=40)
    """VASL's version."""
    counters = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    data = models.BinaryField()
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"VASL {self.version}"
