"""One's own library: cards, charts, tables, maps and catalogues, sent, checked and taken away."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from laager.base import DataError, LaagerError
from laager.base.files import parse_document
from laager.rules.board.hasl.grids.difference import differs_elsewhere, find_changes
from laager.rules.board.hasl.grids.sheets import GRIDS
from laager.web.library.files import file_templates, offers
from laager.web.library.files import files as library
from laager.web.library.files.chart_places import place_report
from laager.web.models import OwnBoard, OwnFile, Player
from laager.web.shared.http import file_response, person, person_page, render_refusal


def sent_files(request: HttpRequest, user: Player) -> dict[str, str]:
    """Keep the files that were sent in somebody's library; return their texts by name. Raises LaagerError."""
    texts = library.unpack_files([(upload.name or "", upload.read()) for upload in request.FILES.getlist("files")])
    over = request.POST.get("over") == "yes"
    library.save_all(user, texts, None if over else dict.fromkeys(texts, ""))
    return texts


@person_page
def shelf(request: HttpRequest, user: Player) -> HttpResponse:
    """List one's files; take those that are sent."""
    if request.method != "POST":
        return render(request, "library/files/library.html", _library_context(user))
    try:
        texts = sent_files(request, user)
    except LaagerError as err:
        return not_kept(request, user, err)
    messages.success(request, _("Kept: %(names)s") % {"names": ", ".join(texts)})
    return redirect("library")


def not_kept(request: HttpRequest, user: Player, err: LaagerError) -> HttpResponse:
    """Return the list with what is wrong with what was sent."""
    return render_refusal(request, "library/files/library.html", err, _library_context(user))


def _library_context(user: Player) -> dict[str, Any]:
    return {
        "files": library.list_files(user),
        "cards": offers.CARD_KINDS,
        "gridded": tuple(GRIDS),
        "own": offers.list_cards(offers.own_cards(user)),
        "boards": OwnBoard.objects.filter(owner=user).defer("data"),
        "most": library.MOST_FILES,
        "templates": file_templates.templates(),
    }


@require_GET
@login_required
def check(request: HttpRequest, name: str) -> HttpResponse:
    """Show what the check of a file says."""
    user = person(request)
    file = library.find(user, name)
    report = library.check_text(user, file.name, file.text)
    placed = place_report(user, file.name, file.text, report)
    context = {
        "file": file,
        "report": report,
        "placed": placed,
        "cards": offers.CARD_KINDS,
        **_compare(request, user, file),
    }
    return render(request, "library/files/library_check.html", context)


def _compare(request: HttpRequest, user: Player, file: OwnFile) -> dict[str, Any]:
    """Return the other files of a file's kind and, with `?with=NAME`, how this one differs from that."""
    kind = library.kind_in(file.text)
    if kind not in GRIDS:
        return {}
    others = [listed.file.name for listed in library.list_files(user) if listed.kind == kind and listed.file != file]
    other = request.GET.get("with", "")
    if other not in others:
        return {"others": others}
    try:
        old, new = (parse_document(each.text, each.name).data for each in (library.find(user, other), file))
    except DataError:
        # The check above says where the text breaks.
        return {"others": others}
    return {
        "others": others,
        "other": other,
        "changes": find_changes(kind, old, new),
        "elsewhere": differs_elsewhere(kind, old, new),
    }


@require_GET
@login_required
def take(request: HttpRequest, name: str) -> HttpResponse:
    """Give one file as it is."""
    file = library.find(person(request), name)
    return file_response(file.text, "application/yaml; charset=utf-8", file.name)


@require_GET
@login_required
def take_all(request: HttpRequest) -> HttpResponse:
    """Give all files as a ZIP, or those that are named."""
    names = request.GET.getlist("file")[: library.MOST_FILES]
    data = library.pack_files(person(request), names)
    return file_response(data, "application/zip", "laager-library.zip")


@require_POST
@login_required
def remove(request: HttpRequest, name: str) -> HttpResponse:
    """Remove a file."""
    library.remove(person(request), name)
    messages.success(request, _("%(name)s is removed.") % {"name": name})
    return redirect("library")


@require_POST
@login_required
def rename(request: HttpRequest, name: str) -> HttpResponse:
    """Give a file another name."""
    user = person(request)
    try:
        file = library.rename(user, name, request.POST.get("to", ""))
    except LaagerError as err:
        return not_kept(request, user, err)
    messages.success(request, _("It's called %(name)s now.") % {"name": file.name})
    return redirect("library")


@require_POST
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Make a file, or several that belong together, from a template."""
    user = person(request)
    try:
        made = file_templates.made_from(request.POST.get("template", ""), request.POST.get("name", ""))
        library.save_all(user, made, dict.fromkeys(made, ""))
    except LaagerError as err:
        return not_kept(request, user, err)
    messages.success(request, _("Kept: %(names)s") % {"names": ", ".join(made)})
    first = next(iter(made))
    if library.kind_in(made[first]) == "house":
        return redirect("library-house", first)
    return redirect("library-fill" if library.kind_in(made[first]) in GRIDS else "library-edit", first)


urlpatterns = [
    path("library/", shelf, name="library"),
    path("library/new", new, name="library-new"),
    path("library/all.zip", take_all, name="library-zip"),
    path("library/file/<str:name>/check", check, name="library-check"),
    path("library/file/<str:name>/take", take, name="library-take"),
    path("library/file/<str:name>/remove", remove, name="library-remove"),
    path("library/file/<str:name>/rename", rename, name="library-rename"),
]
