"""What the host tells everybody on every page: written, stored and taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.db import Error
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from laager.web.models import Announcement

if TYPE_CHECKING:
    from datetime import datetime

    _Model = forms.ModelForm[Announcement]
else:
    # Django's forms take no type arguments when they run.
    _Model = forms.ModelForm

KEY = 1
"""The row of the one announcement."""
OF_BROWSERS = "%Y-%m-%dT%H:%M"
"""How browsers write a day with its hour."""


class AnnouncementForm(_Model):
    """The text of an announcement, and when it ends."""

    until = forms.DateTimeField(
        label=_("Until"),
        help_text=_("In your time zone. Without it the announcement stays until you take it away."),
        required=False,
        input_formats=[OF_BROWSERS],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=OF_BROWSERS),
    )

    class Meta:
        model = Announcement
        fields = ("text", "until")
        labels = {"text": _("Text")}
        widgets = {"text": forms.Textarea(attrs={"rows": 3})}

    def clean_until(self) -> datetime | None:
        """Refuse a time that is over."""
        until: datetime | None = self.cleaned_data["until"]
        if until is not None and until <= timezone.now():
            raise ValidationError(_("This time is over; choose a later one, or none."))
        return until


def store(form: AnnouncementForm) -> None:
    """Store what a valid form has, in place of the announcement before."""
    fields = {name: form.cleaned_data[name] for name in ("text", "until")}
    Announcement.objects.update_or_create(pk=KEY, defaults=fields)


def remove() -> None:
    """Take the announcement away, if there is one."""
    Announcement.objects.all().delete()


def load() -> Announcement | None:
    """Return the announcement, also one whose time is over."""
    return Announcement.objects.first()


def load_current() -> Announcement | None:
    """Return the announcement that is shown now. None if there is none, or if the database doesn't answer."""
    try:
        return Announcement.objects.filter(Q(until=None) | Q(until__gt=timezone.now())).first()
    except Error:
        # A page that says so must come all the same.
        return None
