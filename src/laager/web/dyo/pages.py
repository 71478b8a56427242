"""Design Your Own: terms, orders of battle of one's own, odds, suggestions, exports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError, did_you_mean
from laager.campaign import UMPIRE
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.forms import FORMS, yaml_text
from laager.rules.design_your_own.sheets.roster import roster
from laager.rules.design_your_own.terms import SIDES
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.dyo import forms, orders
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.models import Player
from laager.web.seats.permissions import Seat
from laager.web.shared.http import file_response, person, person_page, posted_fields, render_refusal


@person_page
def terms(request: HttpRequest, user: Player) -> HttpResponse:
    """Show a form for the terms of a purchase; keep the terms in the library, and go on."""
    asked = forms.terms(orders.catalogues(user))
    sent = posted_fields(request)
    shown = {
        "asked": [(group, group.widget(sent), group.changes_rows(sent)) for group in asked],
        "all_terms": orders.of_kind(user, "dyo"),
        "obs": orders.of_kind(user, "dyo-ob"),
    }
    if request.method != "POST" or any(group.changes_rows(sent) for group in asked):
        return render(request, "dyo/dyo.html", shown)
    try:
        chosen = forms.read(asked, sent)
        name, text = orders.terms_text(chosen)
        report = library.check_text(user, name, text)
        if not report.good:
            problems = [_without_line(problem, name) for problem in report.problems]
            raise DataError(problems, Refusal.BAD_ANSWER)
        library.save(user, name, text, None if chosen["over"] else "")
    except LaagerError as err:
        return render_refusal(request, "dyo/dyo.html", err, shown)
    messages.success(request, _("The terms are kept in your library as %(name)s.") % {"name": name})
    return redirect("new-own" if request.POST.get("do") == "begin" else "dyo-terms", name)


def _without_line(problem: Problem, name: str) -> Problem:
    """Return a problem of a form: it has no lines, and isn't a file."""
    if problem.file != name:
        return problem
    return replace(problem, line=None, file="")


# By terms, before anything is bought --------------------------------------------------------------


@person_page
def outlook(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Show the odds of a side before anything is bought, and what could be bought."""
    side = _side(request.POST.get("side") or request.GET.get("side") or SIDES[0])
    cg = orders.purchase(user, name)
    context: dict[str, Any] = {
        "name": name,
        "side": side,
        "sides": SIDES,
        "widget": forms.wishes().widget(posted_fields(request)),
        "odds": orders.odds(cg, side),
        "terms": cg.terms,
    }
    if request.method == "POST":
        try:
            proposal = orders.suggestion(user, cg, side, posted_fields(request))
            if request.POST.get("do") == "keep":
                return _keep_proposal(request, proposal.data)
            context["found"] = proposal
        except LaagerError as err:
            return render_refusal(request, "dyo/dyo_terms.html", err, context)
    return render(request, "dyo/dyo_terms.html", context)


def _keep_proposal(request: HttpRequest, data: Any) -> HttpResponse:
    """Keep a proposal in the library as an order of battle."""
    name = request.POST.get("ob-name", "").strip() or "proposal.yaml"
    name = checks.check_name(name if "." in name else f"{name}.yaml")
    library.save(person(request), name, yaml_text(data), "")
    messages.success(request, _("%(name)s is kept.") % {"name": name})
    return redirect("dyo-ob", name)


def _side(side: str) -> str:
    if side not in SIDES:
        advice = did_you_mean(side, SIDES)
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side[:20]!r}", advice)
    return side


# Orders of battle ---------------------------------------------------------------------------------


@require_GET
@login_required
def order(request: HttpRequest, name: str) -> HttpResponse:
    """Show what the rules say of an order of battle, with its Roster."""
    user = person(request)
    against = request.GET.get("against", "")
    context: dict[str, Any] = {
        "name": name,
        "against": against,
        "others": [file for file in orders.of_kind(user, "dyo-ob") if file.name != name],
        "forms": FORMS,
        "rules": orders.RULES,
    }
    try:
        context["judged"] = orders.load_checked(user, name, against)
    except DataError as err:
        return render_refusal(request, "dyo/dyo_ob.html", err, context)
    return render(request, "dyo/dyo_ob.html", context)


@require_GET
@login_required
def export(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """Give an order of battle in a form for use elsewhere."""
    checked = orders.load_checked(person(request), name)
    text, ending = orders.export_as(checked.cg, (checked.side,), form)
    return _download(text, f"{name.rsplit('.', 1)[0]}-{form}", ending)


_MEDIA_TYPES = {
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "yaml": "application/yaml; charset=utf-8",
}
"""Media types by the endings of files."""


def _download(text: str, stem: str, ending: str) -> HttpResponse:
    return file_response(text, _MEDIA_TYPES[ending], f"{stem}.{ending}")


# A purchase under way -----------------------------------------------------------------------------


def _purchase_at_seat(table: Table, request: HttpRequest) -> tuple[Cg, str]:
    """Return the purchase as the seat may see it, and the side that it looks at."""
    cg = table.campaign.context
    if table.ruleset.id != orders.RULES or not isinstance(cg, Cg):
        raise RefusedError(Refusal.NO_SUCH, "this campaign is not a purchase")
    viewer = table.seat.viewer
    wanted = request.GET.get("side") or (viewer if viewer in SIDES else SIDES[0])
    if viewer not in {UMPIRE, wanted}:
        raise RefusedError(Refusal.NOT_YOURS, "a side can only look ahead for itself")
    return cg.with_state(table.view.state), _side(wanted)


@seat_page()
def ahead(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show a side its Roster, the odds before it, and what it could buy for its wishes."""
    sent = dict(request.GET.lists()) if request.GET.get("do") else {}
    more: dict[str, Any] = {}
    if request.GET.get("do") == "suggest":
        with look(seat) as table:
            cg, side = _purchase_at_seat(table, request)
        # The campaign is free again: nobody else waits for this.
        try:
            more = {"found": orders.suggestion(seat.user, cg, side, sent)}
        except LaagerError as err:
            more = {"refusal": err, "problems": err.problems}
    with look(seat) as table:
        cg, side = _purchase_at_seat(table, request)
        context = frame_context(table, "dyo") | {
            "side": side,
            "sides": SIDES,
            "widget": forms.wishes().widget(sent),
            "rosters": roster(cg, side),
            "odds": orders.odds(cg, side),
            "forms": FORMS,
        }
        return render(request, "dyo/dyo_ahead.html", context | more)


@table_page
def ahead_export(request: HttpRequest, table: Table, form: str) -> HttpResponse:
    """Give what a side has bought so far in a form for use elsewhere."""
    cg, side = _purchase_at_seat(table, request)
    text, ending = orders.export_as(cg, (side,), form)
    return _download(text, f"{side}-{form}", ending)


urlpatterns = [
    path("dyo/", terms, name="dyo"),
    path("dyo/terms/<str:name>", outlook, name="dyo-terms"),
    path("dyo/ob/<str:name>", order, name="dyo-ob"),
    path("dyo/ob/<str:name>/<slug:form>", export, name="dyo-export"),
]
seat_patterns = [path("ahead", ahead, name="ahead"), path("ahead/<slug:form>", ahead_export, name="ahead-export")]
