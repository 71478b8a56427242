"""The forms of accounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from laager.web.models import Player
from laager.web.shared import mails, throttle, visitors
from laager.web.shared.http import address_of

if TYPE_CHECKING:
    _Creation = BaseUserCreationForm[Player]
    _Model = forms.ModelForm[Player]
else:
    # Django's forms take no type arguments when they run.
    _Creation, _Model = BaseUserCreationForm, forms.ModelForm


class LoginForm(AuthenticationForm):
    """Name and password. Tries are counted; what is wrong is never said more closely."""

    def clean(self) -> dict[str, Any]:
        """Check both. Raises TooOftenError after too many tries."""
        assert self.request is not None
        address = address_of(self.request)
        name = str(self.cleaned_data.get("username") or "")
        throttle.count_login(name, address, known=visitors.is_known_browser(self.request, name))
        cleaned = super().clean()
        throttle.forget(throttle.login_key(name, address))
        throttle.forget(throttle.account_key(name))
        return cleaned


class RegisterForm(_Creation):
    """A new account."""

    class Meta:
        model = Player
        fields = ("username", "email")
        help_texts = {"email": _("Optional. For notices, and to reset your password.")}

    def clean_username(self) -> str:
        """Refuse a name that differs from another's in capitals only."""
        name: str = self.cleaned_data["username"]
        if Player.objects.filter(username__iexact=name).exists():
            raise ValidationError(_("This name is taken; choose another."))
        return name


def hour_choices() -> list[tuple[str, str]]:
    """Return the hours of a day to choose from, and none."""
    return [("", "–"), *((str(hour), f"{hour:02}:00") for hour in range(24))]


def zone_choices() -> list[tuple[str, Any]]:
    """Return the time zones to choose from."""
    return [("", _("as the browser says")), *((name, name.replace("_", " ")) for name in visitors.list_zones())]


class AccountForm(_Model):
    """What somebody can change of the own account. Another mail address needs the password."""

    password_now = forms.CharField(
        label=_("Your password"),
        help_text=_("Only needed to change the e-mail address."),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)
    quiet_from = forms.TypedChoiceField(
        label=_("No notices from"), choices=hour_choices, coerce=int, empty_value=None, required=False
    )
    quiet_to = forms.TypedChoiceField(
        label=_("until"),
        help_text=_("In your time zone. What comes in these hours is sent when they are over."),
        choices=hour_choices,
        coerce=int,
        empty_value=None,
        required=False,
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("browser default")), *settings.LANGUAGES], required=False
    )
    theme = forms.ChoiceField(
        label=_("Colours"),
        choices=[("", _("as the device says")), ("light", _("light")), ("dark", _("dark"))],
        required=False,
    )

    class Meta:
        model = Player
        fields = ("first_name", "email", "time_zone", "language", "theme", "mails", "quiet_from", "quiet_to")
        labels = {
            "first_name": _("Name shown to others"),
            "email": _("E-mail address"),
            "mails": _("Send me a mail when my answer is needed"),
        }

    field_order = (
        "first_name", "email", "password_now", "time_zone", "language", "theme", "mails",
        "quiet_from", "quiet_to",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._email = self.instance.email

    def clean(self) -> dict[str, Any] | None:
        """Ask for the password if the mail address is to change."""
        cleaned = super().clean() or self.cleaned_data
        changes = cleaned.get("email", self._email) != self._email
        if changes and not self.instance.check_password(cleaned.get("password_now") or ""):
            self.add_error("password_now", _("To change the e-mail address, type your password here."))
        begin, end = cleaned.get("quiet_from"), cleaned.get("quiet_to")
        if (begin is None) != (end is None):
            self.add_error("quiet_to", _("Choose both hours, or none."))
        elif begin is not None and begin == end:
            self.add_error("quiet_to", _("These hours never end; choose two different ones."))
        return cleaned


def count_password_try(user: Player) -> str:
    """Count a try at somebody's own password; return the key that a good one forgets. Raises TooOftenError."""
    key = f"password:{user.pk}"
    throttle.count(key, settings.CONFIG.login_tries, throttle.QUARTER)
    return key


class PasswordForm(PasswordChangeForm):
    """The old password and a new one. Wrong old ones are counted as tries to log in."""

    def clean_old_password(self) -> str:
        """Check the old one. Raises TooOftenError after too many tries."""
        key = count_password_try(self.user)
        old = super().clean_old_password()
        throttle.forget(key)
        return old


class DeletionForm(forms.Form):
    """The password, to be sure that it is the person who deletes the account. Wrong ones are counted."""

    password = forms.CharField(
        label=_("To be sure, type your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_password(self) -> str:
        """Check it. Raises TooOftenError after too many tries."""
        password: str = self.cleaned_data["password"]
        key = count_password_try(self._user)
        if not self._user.check_password(password):
            raise ValidationError(_("That isn't your password."))
        throttle.forget(key)
        return password


class ResetForm(PasswordResetForm):
    """Asks for a mail that resets a password.

    Whether anybody has this address must not be told, not even by the time that it takes: for an
    unknown address the same mail is made for nobody, and not sent.
    """

    def get_users(self, email: str) -> Iterable[Player]:
        """Return the user with this address, or an anonymous user."""
        users = list(super().get_users(email))
        return users or [Player(pk=0, username="-", email=email, password="!")]

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Make the mail; it is sent when the answer is on its way."""
        context["address"] = settings.CONFIG.address.rstrip("/") or f"{context['protocol']}://{context['domain']}"
        subject, text = mails.texts(subject_template_name, email_template_name, context)
        if context["user"].pk:
            mails.send([to_email], subject, text)


class TokenForm(forms.Form):
    """The name of a new token."""

    name = forms.CharField(label=_("What is it for?"), max_length=80, help_text=_("Such as: laager on my laptop."))
