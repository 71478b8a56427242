"""Notices on their way: what waits for a receiver, and how the last one went."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from laager.web.models.campaigns import Member


class Outgoing(models.Model):
    """What waits for a receiver of one seat's notices.

    `untold`, `due` and `handed` are for notices as `Member.untold`, `mail_due` and `noticed` are for mails
    (`seats.outgoing`).
    """

    class Trouble(models.TextChoices):
        """Why a notice couldn't be delivered."""

        ANSWER = "answer", _("The receiver didn't accept it.")
        REDIRECT = "redirect", _("The receiver points to another address. Enter that one.")
        NO_ADDRESS = "no-address", _("No machine has this name.")
        NOT_PUBLIC = "not-public", _("This server sends nothing to that address: it isn't on the public internet.")
        NOT_ENCRYPTED = "not-encrypted", _("Over the internet the address must begin with https.")
        NO_CONNECTION = "no-connection", _("Nobody answers at that address.")
        CERTIFICATE = "certificate", _("The receiver's certificate isn't valid.")
        TOO_SLOW = "too-slow", _("The receiver took too long.")
        NOT_MADE = "not-made", _("This server couldn't open the campaign.")

    member: models.ForeignKey[Member, Member]
    untold = models.JSONField(default=dict, blank=True)
    """Since when what waits to be told, by the marks."""
    handed = models.JSONField(default=list, blank=True)
    """Marks that were handed over, so that none is twice."""
    due = models.DateTimeField(null=True, blank=True)
    number = models.PositiveIntegerField(default=0)
    """How many notices are done with. The receiver gets each under one number, however often it is tried."""
    tries = models.PositiveIntegerField(default=0)
    """How often the present notice has failed."""
    trouble = models.CharField(max_length=20, choices=Trouble.choices, blank=True)
    """Why the last one failed, or "" if it came through."""
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=200, blank=True)
    """What the receiver said to it."""
    tried = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def same_address(self) -> dict[str, str]:
        """Return the condition under which the receiver is still the one that a notice went to."""
        return {}
