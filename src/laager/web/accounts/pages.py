"""Accounts: logging in and out, registering by invitation, passwords, what one likes, tokens."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login as log_in
from django.contrib.auth import logout as log_out
from django.contrib.auth import views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from laager.base import RefusedError
from laager.web.accounts import deletion
from laager.web.accounts.devices import devices_context
from laager.web.accounts.forms import (
    AccountForm,
    DeletionForm,
    LoginForm,
    PasswordForm,
    RegisterForm,
    ResetForm,
    TokenForm,
)
from laager.web.models import Invitation, Member, Player
from laager.web.seats import members, seating, seatlog
from laager.web.shared import throttle, tokens, visitors
from laager.web.shared.http import address_of, person

INVITED = "invitation"
"""Where the session remembers which invitation was opened."""


class Login(views.LoginView):
    """Logging in; then on to the invitation that was opened before, if there is one."""

    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_success_url(self) -> str:
        """Return where to go on."""
        if INVITED in self.request.session:
            return str(reverse_lazy("invited"))
        return super().get_success_url()

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, and remember that this browser has."""
        response = super().form_valid(form)
        visitors.remember_browser(response, person(self.request))
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        return super().get_context_data(**kwargs) | {"register": _may_register(self.request)}


def _invitation(request: HttpRequest) -> Invitation | None:
    """Return the invitation that this visitor has opened, if it is still good."""
    pk = request.session.get(INVITED)
    if pk is None:
        return None
    try:
        return members.find_open_invitation(pk)
    except RefusedError:
        del request.session[INVITED]
        return None


def _may_register(request: HttpRequest) -> bool:
    return settings.CONFIG.registration or _invitation(request) is not None


@never_cache
def open_invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Open an invitation's link; its key does not stay in the address, nor in the history."""
    throttle.count_opening(address_of(request))
    request.session[INVITED] = members.open_invitation(key).pk
    return redirect("invited")


@never_cache
def show_invitation(request: HttpRequest) -> HttpResponse:
    """Show what somebody is invited to; take it, once logged in."""
    invitation = members.find_open_invitation(request.session.get(INVITED))
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect("login")
        return _accept(request, invitation)
    return render(
        request,
        "accounts/invited.html",
        {
            "invitation": invitation,
            "given_up": seating.would_give_up(invitation),
            "insiders": seating.find_insiders(invitation, _user_or_none(request)),
            "changes": seatlog.changes(invitation.game, invitation.side) if invitation.game else [],
            "form": RegisterForm() if not request.user.is_authenticated else None,
        },
    )


def _user_or_none(request: HttpRequest) -> Player | None:
    return person(request) if request.user.is_authenticated else None


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    return _go_to_seat(request, members.accept(invitation.pk, person(request)))


def _go_to_seat(request: HttpRequest, member: Member | None) -> HttpResponse:
    request.session.pop(INVITED, None)
    if member is None:
        return redirect("home")
    messages.success(request, _("You have taken your seat."))
    return redirect("table", member.game_id, member.seat)


@sensitive_post_parameters()
@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """Make an account: by invitation, or for anybody if the server is open."""
    if request.user.is_authenticated:
        return redirect("home")
    if not _may_register(request):
        return render(request, "accounts/by_invitation.html", status=403)
    form = RegisterForm(request.POST or None)
    if request.method == "POST":
        throttle.count_opening(address_of(request))
        if form.is_valid():
            invitation = _invitation(request)
            with transaction.atomic():
                # No seat, no account: one invitation makes one of each.
                user = form.save()
                member = members.accept(invitation.pk, user) if invitation else None
            log_in(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return _go_to_seat(request, member)
    context = {"form": form, "invitation": _invitation(request)}
    return render(request, "accounts/register.html", context)


@sensitive_post_parameters()
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show and change one's own account."""
    user = person(request)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST":
        if form.is_valid():
            form.save()
            messages.success(request, _("Your account is changed."))
            return redirect("account")
        # What was typed must not be taken for what is stored, in the frame of the page.
        user.refresh_from_db()
    return render(request, "accounts/account.html", {"form": form, **devices_context(request, user)})


class ChangePassword(views.PasswordChangeView):
    """Changing one's own password, knowing the old one. Other devices are logged out."""

    form_class = PasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Store it."""
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)


@sensitive_post_parameters()
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Say what goes with the own account and what stays; delete it, with the password."""
    user = person(request)
    form = DeletionForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        deletion.delete_own(user)
        log_out(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("login")
    effects = deletion.find_effects(user)
    seats = {member.game_id: member.seat for member in effects.seats}
    context = {
        "form": form,
        "effects": effects,
        "handing_over": [(game, seats.get(game.pk)) for game in effects.owned],
        "last_host": deletion.is_last_host(user),
    }
    return render(request, "accounts/delete.html", context, status=422 if form.errors else 200)


class Reset(views.PasswordResetView):
    """Send a mail that resets a password; the answer is the same for every address."""

    form_class = ResetForm
    template_name = "accounts/reset.html"
    email_template_name = "accounts/mail_reset.txt"
    subject_template_name = "accounts/mail_reset_subject.txt"
    success_url = reverse_lazy("reset-sent")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Count the try, then go on."""
        throttle.count_reset(request.POST.get("email", ""), address_of(request))
        return super().post(request, *args, **kwargs)


class ResetConfirm(views.PasswordResetConfirmView):
    """Setting a new password from a mail's link."""

    template_name = "accounts/reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Store it."""
        messages.success(self.request, _("Your password is changed. Log in with it."))
        return super().form_valid(form)


@never_cache
@login_required
def token_list(request: HttpRequest) -> HttpResponse:
    """Show one's tokens for programs; make another, which is shown this once."""
    user, made = person(request), ""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = tokens.make(user, form.cleaned_data["name"])
            form = TokenForm()
        except RefusedError as err:
            form.add_error(None, str(err))
    kept = user.tokens.order_by("-made")
    context = {"form": form, "made": made, "tokens": kept}
    return render(request, "accounts/tokens.html", context)


@require_POST
@login_required
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a token."""
    tokens.revoke(person(request), pk)
    messages.success(request, _("The token is withdrawn."))
    return redirect("tokens")


urlpatterns = [
    path("login/", Login.as_view(), name="login"),
    path("invitation/", show_invitation, name="invited"),
    path("invitation/<str:key>/", open_invitation, name="invitation"),
    path("register/", register, name="register"),
    path("account/", account, name="account"),
    path("account/password/", ChangePassword.as_view(), name="password"),
    path("account/delete/", delete_account, name="account-delete"),
    path("account/tokens/", token_list, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", revoke_token, name="token-revoke"),
    path("reset/", Reset.as_view(), name="reset"),
    path(
        "reset/sent/", views.PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"), name="reset-sent"
    ),
    path("reset/<uidb64>/<token>/", ResetConfirm.as_view(), name="reset-confirm"),
]
