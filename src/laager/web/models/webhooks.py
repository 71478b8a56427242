"""Webhooks: where notices of a seat go besides mails."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from laager.web.models.campaigns import Member
from laager.web.models.outgoing import Outgoing


class Webhook(Outgoing):
    """An address that a player has chosen for the notices of one seat.

    It goes with the seat: whoever takes the seat later has none.
    """

    class Kind(models.TextChoices):
        """What the receiver understands."""

        DISCORD = "discord", _("Discord, or another that takes its form")
        GENERIC = "generic", _("a program of your own (signed JSON)")

    member = models.OneToOneField(Member, on_delete=models.CASCADE, related_name="webhook")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=80)
    """The key that signs what goes to a program of one's own."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="hooks_that_wait")
        ]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.kind}"

    def same_address(self) -> dict[str, str]:
        """Return the condition under which the address is the one that a notice went to: a new one begins anew."""
        return {"url": self.url}
