"""The host's page of one account: announcing that it is to be deleted, and deleting it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from laager.base import Refusal, RefusedError
from laager.web.accounts import deletion
from laager.web.models import Player
from laager.web.serving.host.rights import host_page


class NameForm(forms.Form):
    """The name of the account, typed once more."""

    name = forms.CharField(
        label=gettext_lazy("To be sure, type the name of the account"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, person: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._person = person

    def clean_name(self) -> str:
        """Refuse another name."""
        name: str = self.cleaned_data["name"]
        if name != self._person.username:
            raise ValidationError(_("That isn't the name of this account."))
        return name


@host_page
def show_account(request: HttpRequest, host: Player, pk: int) -> HttpResponse:
    """Show what deleting an account does; announce it, call it off, delete."""
    person = Player.objects.filter(pk=pk).first()
    if person is None:
        raise RefusedError(Refusal.NO_SUCH, "this account doesn't exist any more")
    action = request.POST.get("what", "")
    if action == "announce":
        deletion.announce(person)
        messages.success(request, _("It is announced."))
        return redirect("host-account", pk)
    if action == "call-off":
        deletion.call_off(person)
        messages.success(request, _("It is called off."))
        return redirect("host-account", pk)
    form = NameForm(person, request.POST if action == "delete" else None)
    if form.is_valid():
        deletion.delete_by_host(person, host)
        messages.success(request, _("The account %(name)s is deleted.") % {"name": person.username})
        return redirect("host")
    effects = deletion.find_effects(person)
    context = {
        "person": person,
        "effects": effects,
        "form": form,
        "may_delete": not effects.days or (person.deletion_on is not None and person.deletion_on <= timezone.now()),
    }
    return render(request, "serving/host/host_account.html", context, status=422 if form.errors else 200)


urlpatterns = [path("host/account/<int:pk>/", show_account, name="host-account")]
