"""Devices: browsers on phones and desktops that show notices (Web Push)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from laager.web.models.accounts import Player
from laager.web.models.campaigns import Member
from laager.web.models.outgoing import Outgoing


class PushKey(models.Model):
    """The server's key for Web Push (VAPID), one row: subscriptions hold for it alone, so backups have it."""

    private = models.TextField()
    """PEM."""

    def __str__(self) -> str:
        return "push key"


class Device(models.Model):
    """A browser that its owner has asked to show notices; it belongs to who turned it on last."""

    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    name = models.CharField(max_length=80)
    """The browser and its system, as it names itself."""
    endpoint = models.CharField(max_length=1000, unique=True)
    """Where its push service takes what is for it. Whoever knows it and the keys can send."""
    p256dh = models.CharField(max_length=100)
    """The browser's public key."""
    auth = models.CharField(max_length=32)
    """The secret that the browser shares with this server, not with its push service."""
    sound = models.BooleanField(default=True)
    """True if notices may make a sound."""
    made = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"


class DeviceNotices(Outgoing):
    """What waits for a device from one seat's campaign."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="device_notices")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="notices")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["member", "device"], name="one_queue_a_device")]
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="devices_that_wait")
        ]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.device_id}"
