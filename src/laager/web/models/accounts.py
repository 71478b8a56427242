"""People: their accounts, tokens for programs, and how often they may try."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction


class Player(AbstractUser):
    """A person with an account."""

    # What follows decides how pages are shown to this person.
    time_zone = models.CharField(max_length=64, default="", blank=True)
    """"" until the person, or the first page's script, has said which."""
    language = models.CharField(max_length=8, default="", blank=True)
    """"" follows the browser."""
    theme = models.CharField(max_length=8, default="", blank=True)
    """`light`, `dark`, or "" for what the device prefers."""
    mails = models.BooleanField(default=True)
    """True if notices are sent by e-mail, if there is an address."""
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    """The hour of this person's day from which no notices are sent."""
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    """The hour from which they are sent again."""
    seen = models.DateField(null=True, blank=True)
    """The last day (UTC) on which a page was opened. Days only: hours would tell who was asked when."""

    deletion_on = models.DateTimeField(null=True, blank=True)
    """When the host can delete the account, if that is announced and its person hasn't come back."""

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it. With a new password tokens end, and notices on devices, wherever it was changed."""
        # Django forgets this when it has stored the password; a hash made anew at a login isn't a new password.
        changed = not self._state.adding and getattr(self, "_password", None) is not None
        with transaction.atomic():
            super().save(*args, **kwargs)
            if changed:
                self.tokens.all().delete()
                self.devices.all().delete()


class ApiToken(models.Model):
    """A key for programs. Only its hash is kept; the key is shown once."""

    user = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"


class Throttle(models.Model):
    """How often something was tried within a minute or so; shared by all workers."""

    what = models.CharField(max_length=160)
    window = models.BigIntegerField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["what", "window"], name="one_count_a_window")]

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"
