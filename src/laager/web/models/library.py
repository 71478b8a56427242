"""People's own cards, charts, maps, boards and VASL counters."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Game


class Audience(models.TextChoices):
    """Whom an owner lets see or change a file, besides the owner."""

    NOBODY = "nobody", _("only me")
    NAMED = "named", _("the players named below")
    EVERYBODY = "everybody", _("everybody on this server")


class OwnFile(models.Model):
    """A text file in somebody's library. Files name one another by `name`, as in one folder."""

    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=120)
    text = models.TextField(blank=True)
    before = models.JSONField(default=list, blank=True)
    """Earlier texts, packed, the last one last, each with who replaced it: what is changed can be taken back."""
    after = models.JSONField(default=list, blank=True)
    """Texts that were taken back, packed, the last one last: they can be had again until something is changed."""
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)
    seen_by = models.CharField(max_length=12, choices=Audience.choices, default=Audience.NOBODY)
    changed_by = models.CharField(max_length=12, choices=Audience.choices, default=Audience.NOBODY)
    """Who may change it, of those who may see it."""
    shared_since = models.DateTimeField(null=True, blank=True)
    """Since when others see it: of its earlier versions they see those that were replaced since then."""
    writer = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """Who wrote the text that it has; None if that account is gone."""
    copied_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies")
    copied_owner = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    copied_name = models.CharField(max_length=120, blank=True)
    """What the file was called from which this one was copied; "" for a file that is no copy."""

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "name"], name="one_file_of_a_name")]
        indexes: ClassVar = [models.Index(fields=["seen_by"], name="files_by_audience")]

    def __str__(self) -> str:
        return self.name


class FileVersion(models.Model):
    """A text that a shared file had before: packed, with who wrote it and when."""

    file = models.ForeignKey(OwnFile, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    """1, 2, 3 ... for each file; the oldest fall away."""
    packed = models.BinaryField()
    size = models.PositiveIntegerField()
    """Bytes of the packed text."""
    writer = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    written = models.DateTimeField()
    replaced = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["file", "number"], name="each_version_once")]

    def __str__(self) -> str:
        return f"{self.file}: {self.number}"


class FileGrant(models.Model):
    """Somebody whom the owner of a file has named: who may see it, and perhaps change it."""

    file = models.ForeignKey(OwnFile, on_delete=models.CASCADE, related_name="grants")
    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    changes = models.BooleanField(default=False)
    """True if this person may change it, too."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["file", "user"], name="one_grant_a_person")]

    def __str__(self) -> str:
        return f"{self.file}: {self.user}"


class FileUse(models.Model):
    """A campaign that was begun from a file, or from files of which it is one. The campaign needs the file no more."""

    file = models.ForeignKey(OwnFile, on_delete=models.CASCADE, related_name="uses")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["file", "game"], name="each_use_once")]

    def __str__(self) -> str:
        return f"{self.file}: {self.game}"


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
