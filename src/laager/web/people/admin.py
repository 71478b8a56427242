"""What the owner of a server looks after. Nothing secret of any campaign can be seen here.

Logs, drafts, notes and library files are not listed at all; keys are kept as hashes, and these are
not shown. Seats are neither given nor freed here: who takes part is settled in the campaign, where
everybody sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from laager.web.models import ApiToken, Game, Invitation, Member, Player

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _UserAdmin = UserAdmin[Player]
else:
    # Django's own classes take no type arguments when they run.
    _Admin, _UserAdmin = admin.ModelAdmin, UserAdmin


class LookAndRemove(_Admin):
    """Something that can be looked at and removed, neither made nor changed."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse."""
        return False


@admin.register(Player)
class PlayerAdmin(_UserAdmin):
    """Accounts."""

    list_display = ("username", "email", "is_active", "is_staff", "date_joined")
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Reader"), {"fields": ("time_zone", "language", "theme", "mails")}))


@admin.register(Game)
class GameAdmin(LookAndRemove):
    """Campaigns: what they are and whose. When something happens in one would tell of secrets."""

    list_display = ("title", "ruleset", "owner", "made", "archived")
    fields = ("title", "ruleset", "card", "owner", "made", "archived")
    list_filter = ("ruleset", "archived")
    search_fields = ("title",)


@admin.register(Member)
class MemberAdmin(LookAndRemove):
    """Seats."""

    list_display = ("game", "user", "role", "side")
    fields = ("game", "user", "role", "side", "since")
    list_select_related = ("game", "user")

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse, unless a whole campaign is deleted: seats are freed in the campaign."""
        match = request.resolver_match
        return match is not None and str(match.url_name).startswith("web_game_")


@admin.register(Invitation)
class InvitationAdmin(LookAndRemove):
    """Invitations, without their keys."""

    list_display = ("game", "role", "side", "made_by", "ends", "taken_by")
    fields = ("game", "role", "side", "owner", "made_by", "made", "ends", "taken_by", "taken")
    list_select_related = ("game", "made_by", "taken_by")


@admin.register(ApiToken)
class ApiTokenAdmin(LookAndRemove):
    """Tokens, without their keys."""

    list_display = ("user", "name", "made", "used")
    fields = ("user", "name", "made", "used")


def _login(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """Send to the one page where tries to log in are counted."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or "/admin/")


admin.site.login = _login  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "Laager"
