"""What others share: the list, the page of a file, who may see and change it, a copy of one's own."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from laager.base import LaagerError
from laager.rules.board.hasl.grids.sheets import GRIDS
from laager.web.library.files import files as library
from laager.web.library.files.versions import unpack_version
from laager.web.library.sharing import shares, uses
from laager.web.library.sharing.opened import OpenFile
from laager.web.library.sharing.shares import SharedFile, Sharing
from laager.web.models import Audience, Player
from laager.web.shared.http import person, person_page, render_refusal

NAME_BREAK = re.compile(r"[\s,;]+")
"""What stands between names that are typed into one field."""


@require_GET
@login_required
def list_files(request: HttpRequest) -> HttpResponse:
    """List the files that others share."""
    search = request.GET.get("search", "").strip()[:100]
    files = shares.list_shared(person(request), search)
    context = {"files": files, "search": search, "more": len(files) == shares.MOST_LISTED}
    return render(request, "library/sharing/shared.html", context)


@person_page
def show(request: HttpRequest, user: Player, number: int) -> HttpResponse:
    """Show a file that somebody may see; keep what is typed, if it may be changed."""
    shared = shares.find_shared(user, number)
    if request.method != "POST":
        return render(request, "library/sharing/shared_file.html", _context(shared))
    text = request.POST.get("text", "")
    try:
        shares.save_shared(user, number, text, request.POST.get("was", ""))
    except LaagerError as err:
        return _refuse(request, shared, err, text=text)
    messages.success(request, _("%(name)s is kept.") % {"name": shared.file.name})
    return redirect("library-shared-file", number)


def _context(shared: SharedFile, **more: Any) -> dict[str, Any]:
    file = shared.file
    context: dict[str, Any] = {
        "shared": shared,
        "file": file,
        "text": file.text,
        "was": shared.was,
        "report": shares.check_shared(shared),
        "versions": shares.list_versions(shared),
        "uses": uses.list_uses(shared),
    }
    if not shared.is_mine:
        context |= {"opened": OpenFile(file, shared.viewer, shared), "gridded": tuple(GRIDS)}
    else:
        context |= {
            "sharing": shares.sharing_of(file),
            "audiences": Audience,
            "named": shares.find_named(file.name, shares.texts_beside(shared)),
        }
    return context | more


def _refuse(request: HttpRequest, shared: SharedFile, err: LaagerError, **more: Any) -> HttpResponse:
    return render_refusal(request, "library/sharing/shared_file.html", err, _context(shared, **more))


@require_POST
@login_required
def share(request: HttpRequest, number: int) -> HttpResponse:
    """Set who sees a file and who changes it."""
    user, given = person(request), request.POST
    shared = shares.find_shared(user, number)
    readers, writers = (
        [name for name in NAME_BREAK.split(given.get(key, "")[:5000]) if name] for key in ("readers", "writers")
    )
    wanted = Sharing(given.get("seen_by", ""), given.get("changed_by", ""), readers, writers)
    try:
        shares.share(user, number, wanted, given.getlist("along")[: library.MOST_FILES])
    except LaagerError as err:
        more = {"sharing": wanted} if shared.is_mine else {}
        return _refuse(request, shared, err, **more)
    messages.success(request, _("Kept: who sees %(name)s, and who changes it.") % {"name": shared.file.name})
    return redirect("library-shared-file", number)


@person_page
def version(request: HttpRequest, user: Player, number: int, version_number: int) -> HttpResponse:
    """Show an earlier version of a file; give the file this text again."""
    shared = shares.find_shared(user, number)
    earlier = shares.find_version(shared, version_number)
    context = {"shared": shared, "file": shared.file, "version": earlier, "text": unpack_version(earlier)}
    if request.method != "POST":
        return render(request, "library/sharing/version.html", context)
    try:
        shares.restore_version(user, number, version_number, request.POST.get("was", ""))
    except LaagerError as err:
        return render_refusal(request, "library/sharing/version.html", err, context)
    messages.success(request, _("%(name)s has this text again.") % {"name": shared.file.name})
    return redirect("library-shared-file", number)


@require_POST
@login_required
def copy(request: HttpRequest, number: int) -> HttpResponse:
    """Put a copy into the own library, with the files that it names."""
    user = person(request)
    shared = shares.find_shared(user, number)
    try:
        made = shares.copy_shared(user, number, request.POST.get("name", "")[:200])
    except LaagerError as err:
        return _refuse(request, shared, err, copy_name=request.POST.get("name", "")[:200])
    messages.success(request, _("Kept: %(names)s") % {"names": ", ".join(file.name for file in made)})
    return redirect("library")


urlpatterns = [
    path("library/shared/", list_files, name="library-shared"),
    path("library/shared/<int:number>/", show, name="library-shared-file"),
    path("library/shared/<int:number>/rights", share, name="library-share"),
    path("library/shared/<int:number>/version/<int:version_number>/", version, name="library-version"),
    path("library/shared/<int:number>/copy", copy, name="library-copy"),
]
