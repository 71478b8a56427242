"""Simulations in the browser: begun from a card's page, followed, paused, looked at, downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.campaign.speech import take_texts_of_card
from laager.commanders import commander_names
from laager.sheets.csv import csv_of
from laager.simulation.figures import campaigns_needed
from laager.simulation.forecast import CAMPAIGNS, INTENSITIES
from laager.simulation.plan import describe_change
from laager.simulation.sheets import FIGURE_TITLES
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import look
from laager.web.library.files import offers
from laager.web.models import Player, Simulation
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import (
    file_response,
    form_language,
    parse_number,
    person,
    person_page,
    picture_response,
    render_refusal,
)
from laager.web.shared.names import side_name
from laager.web.shared.translation import translate
from laager.web.simulating import runs
from laager.web.simulating.runs import State

if TYPE_CHECKING:
    from uuid import UUID

    from laager.web.library.files.offers import Offer

TRIED = 10
"""Campaigns of a card that is only tried."""
WHAT_IFS = range(4)
"""Rows for what-ifs in the form."""
TITLES = {
    **FIGURE_TITLES,
    **{"cp": "CP", "cpp": "CPP", "fp": "FP"},
    **{"ammunition": "Ammunition", "attack_cost": "Cost of the Attack Option"},
}


@person_page
def simulate(request: HttpRequest, user: Player, card: str = "", name: str = "") -> HttpResponse:
    """Show a form for a simulation of a card, and the runs of it; put one in the queue."""
    offer = offers.find_shipped(card) if card else offers.find_own(user, name)
    context = _form_context(request, user, offer)
    if request.method != "POST":
        return render(request, "simulating/simulate.html", context)
    given = request.POST
    commanders = {side: given.get(f"commander-{side}", "sensible")[:60] for side in offer.ruleset.sides}
    tried = given.get("do") == "try"
    try:
        count = TRIED if tried else parse_number(given.get("campaigns", ""), 6) or 0
        changes = list(dict.fromkeys(_changes(request)))
        if given.get("settings"):
            changes += [f"setting={name}" for name in INTENSITIES if name != given.get("intensity")]
        run = runs.begin(user, offer, count, commanders, given.get("intensity", "usual")[:20], changes)
    except LaagerError as err:
        return render_refusal(request, "simulating/simulate.html", err, context)
    return redirect("simulation", run.pk)


def _changes(request: HttpRequest) -> Iterator[str]:
    """Yield the what-ifs of a form. Raises DataError."""
    for row in WHAT_IFS:
        figure = request.POST.get(f"figure-{row}", "")[:60]
        text = request.POST.get(f"by-{row}", "").strip().replace("−", "-")
        if not figure or not text:
            continue
        number = parse_number(text.lstrip("+-"), 4)
        if not number:
            raise DataError([Problem(f"{text[:20]!r} isn't a change", "write +2 or -2")], Refusal.BAD_ANSWER)
        yield f"{figure}{'-' if text.startswith('-') else '+'}{number}"


def _form_context(request: HttpRequest, user: Player, offer: Offer) -> dict[str, Any]:
    chosen = request.POST
    summary = offers.summary(offer)
    called = {side.id: translate(side.name) for side in summary.sides} if summary else {}
    names = {side: called.get(side) or side_name(side) for side in offer.ruleset.sides}
    return {
        "card": offer,
        "summary": summary,
        "able": runs.can_simulate(offer),
        "sides": [(side, chosen.get(f"commander-{side}", "sensible")) for side in offer.ruleset.sides],
        "commanders": commander_names(quick=True),
        "intensities": [("mild", _("mild")), ("usual", _("usual")), ("bloody", _("bloody"))],
        "intensity": chosen.get("intensity", "usual"),
        "settings": "settings" in chosen,
        "campaigns": chosen.get("campaigns", "100"),
        "what_ifs": [(row, chosen.get(f"figure-{row}", ""), chosen.get(f"by-{row}", "")) for row in WHAT_IFS],
        "figures": list(_figures(offer)),
        "left": runs.campaigns_left(user),
        "needed": campaigns_needed(0.03),
        "runs": [(run, _changes_in_words(run, names)) for run in runs.runs_of(user, offer)],
        "address": _address(offer),
    }


def _figures(offer: Offer) -> Iterator[tuple[str, str, str]]:
    """Yield the figures of a card that a what-if can change: as a change names it, the side, its title."""
    try:
        card = offer.read().setting.get("card", {})
    except LaagerError:
        return
    for side, half in card.get("sides", {}).items():
        for name, value in half.items():
            if isinstance(value, int) and not isinstance(value, bool):
                yield f"{side}.{name}", side, TITLES.get(name, name.replace("_", " "))


def _changes_in_words(run: Simulation, names: Mapping[str, str]) -> str:
    """Return the what-ifs of a run, as `Germans: 2 CP more`."""
    return "; ".join(translate(describe_change(change, names)) for change in run.changes)


def _address(offer: Offer) -> tuple[str, str]:
    """Return the name of a card's page and what it is called there."""
    return ("new-own", offer.id) if offer.owner else ("new-card", offer.id)


@person_page
def show(request: HttpRequest, user: Player, run: UUID) -> HttpResponse:
    """Show how far a run is, and what came out of it so far."""
    simulation = runs.find(user, run)
    part = request.GET.get("part", "")
    context = _run_context(user, simulation)
    if part == "progress" and getattr(request, "htmx", False):
        return render(request, "simulating/run_progress.html", context)
    if simulation.done:
        shown = runs.results(simulation)
        take_texts_of_card(shown.texts)
        maps = [name for name in shown.plots if name not in {sheet.id for sheet in shown.sheets}]
        context |= {
            "sheets": [(sheet, sheet.id in shown.plots) for sheet in shown.sheets],
            "maps": [(name, shown.titles[name]) for name in maps],
            "last": min(simulation.done, simulation.campaigns),
        }
    return render(request, "simulating/run.html", context)


@seat_page(Action.DRAFT)
def expect(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show a side's forecasts of its own campaign, and a form for a new one; put one in the queue."""
    with look(seat) as table:
        if seat.viewer not in table.ruleset.sides:
            raise RefusedError(Refusal.NOT_YOURS, "a forecast is for one side", "sit with a side")
        context = frame_context(table, "forecasts") | {
            "able": runs.can_forecast(table),
            "runs": runs.forecasts_of(seat),
        }
        context |= {"most": runs.campaigns_left(seat.user) // len(INTENSITIES), "campaigns": CAMPAIGNS}
        if request.method != "POST":
            return render(request, "simulating/expect.html", context)
        count = parse_number(request.POST.get("campaigns", ""), 6) or 0
        try:
            run = runs.begin_forecast(table, count)
        except LaagerError as err:
            return render_refusal(request, "simulating/expect.html", err, context)
    return redirect("simulation", run.pk)


def _run_context(user: Player, run: Simulation) -> dict[str, Any]:
    left = runs.seconds_left(run)
    return {
        "run": run,
        "title": _title(user, run),
        "going": run.state == State.PLAYING,
        "can_pause": run.state == State.PLAYING,
        "can_resume": run.state in (State.PAUSED, State.FAILED),
        "minutes": None if left is None else max(1, round(left / 60)),
        **_ways_on(run),
    }


def _ways_on(run: Simulation) -> dict[str, Any]:
    """Return where a run leads on to: the pages of its card, or that of its campaign's forecasts."""
    if run.game_id is not None:
        return {"again_of": (run.game_id, run.side)}
    own = run.own
    return {
        "card_page": ("new-own" if own else "new-card", run.card),
        "again": ("simulate-own" if own else "simulate-card", run.card),
    }


def _title(user: Player, run: Simulation) -> str:
    """Return the title of a run's card, in all its languages while the card is still there under that title."""
    try:
        title = (offers.find_own(user, run.card) if run.own else offers.find_shipped(run.card)).title
    except LaagerError:
        return run.title
    return title if " ".join(title.split()) == run.title else run.title


@person_page
def plot(request: HttpRequest, user: Player, run: UUID, name: str) -> HttpResponse:
    """Give one plot as SVG."""
    simulation = runs.find(user, run)
    svg = runs.results(simulation).plots.get(name)
    if svg is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no such plot")
    return picture_response(request, svg.encode(), "image/svg+xml", f'"{simulation.pk}-{simulation.done}-{name}"')


@person_page
def download(request: HttpRequest, user: Player, run: UUID, kind: str) -> HttpResponse:
    """Give the results as a file."""
    simulation = runs.find(user, run)
    if not simulation.done:
        raise RefusedError(Refusal.NOT_ASKED, "nothing has been played yet")
    name = f"simulation-{simulation.card.removesuffix('.yaml')}" if simulation.card else "forecast"
    if kind == "csv":
        return file_response(csv_of(runs.results(simulation).sheets), "text/csv; charset=utf-8", f"{name}.csv")
    if kind == "pdf":
        return file_response(runs.pdf(simulation, form_language()), "application/pdf", f"{name}.pdf")
    if kind == "parquet":
        return file_response(runs.parquet(simulation), "application/vnd.apache.parquet", f"{name}.parquet")
    raise RefusedError(Refusal.NO_SUCH, f"results aren't written as {kind[:20]}", "csv, parquet or pdf")


@require_POST
def steer(request: HttpRequest, run: UUID) -> HttpResponse:
    """Pause a run, let it go on, end it with what it has, or remove it."""
    if not request.user.is_authenticated:
        return redirect("login")
    simulation = runs.find(person(request), run)
    do = request.POST.get("do", "")
    if do in ("pause", "resume"):
        runs.set_state(simulation, State.PAUSED if do == "pause" else State.PLAYING)
    elif do == "cancel":
        runs.cancel(simulation)
    elif do == "remove":
        simulation.delete()
    if do == "remove" or (do == "cancel" and not simulation.done):
        if simulation.game_id is not None:
            return redirect("expect", simulation.game_id, simulation.side)
        return redirect("simulate-own" if simulation.own else "simulate-card", simulation.card)
    return redirect("simulation", run)


@require_POST
def open_one(request: HttpRequest, run: UUID) -> HttpResponse:
    """Open one campaign of a run like one that was played."""
    if not request.user.is_authenticated:
        return redirect("login")
    simulation = runs.find(person(request), run)
    game = runs.open_campaign(simulation, parse_number(request.POST.get("campaign", ""), 6) or 0)
    return redirect("table", game.pk, next(iter(simulation.commanders)))


urlpatterns = [
    path("new/own/<str:name>/simulate", simulate, name="simulate-own"),
    path("new/<slug:card>/simulate", simulate, name="simulate-card"),
    path("simulations/<uuid:run>/", show, name="simulation"),
    path("simulations/<uuid:run>/steer", steer, name="simulation-steer"),
    path("simulations/<uuid:run>/open", open_one, name="simulation-open"),
    path("simulations/<uuid:run>/results.<slug:kind>", download, name="simulation-download"),
    path("simulations/<uuid:run>/<slug:name>.svg", plot, name="simulation-plot"),
]


seat_patterns = [path("forecasts/campaign", expect, name="expect")]
