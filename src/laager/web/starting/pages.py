"""A new campaign: choose a card or send one, see what its check says, say who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from laager.base import DataError, LaagerError, Problem
from laager.base.blanks import BlanksError
from laager.base.files import decode_text
from laager.campaign import UMPIRE, NewCampaign
from laager.campaign.house.in_campaign import setting_house_lines
from laager.campaign.patience import Patience
from laager.campaign.record import keeps_records
from laager.commanders import commander_names
from laager.simulation.balance import balance_of_card
from laager.web.library.files import checks, offers
from laager.web.library.files import files as library
from laager.web.library.files.pages import sent_files
from laager.web.models import Game, Player, Role
from laager.web.seats import members, seating
from laager.web.shared.http import (
    absolute_address,
    parse_number,
    person,
    person_page,
    picture_response,
    reach,
    render_refusal,
)
from laager.web.shared.names import side_name
from laager.web.simulating import runs
from laager.web.starting import beginning

READING = "reading-"
COMMANDER = "commander-"
RECORD_PAGES = {"record": "library-fill", "position": "library-position"}
"""Where a record that was begun in the library is filled in, by button."""
LINKS = "links-"
"""Under which name in the session the links of a campaign wait to be shown, once."""


@person_page
def cards(request: HttpRequest, user: Player) -> HttpResponse:
    """Show the cards from which a campaign can be begun; take one that is sent."""
    rules = request.GET.get("rules", "")[:40]
    shipped, own = offers.list_shipped(), offers.own_cards(user)
    context = {
        "offers": offers.list_cards(shipped, rules),
        "own": offers.list_cards(own, rules),
        "systems": offers.systems([*shipped, *own]),
        "rules": rules,
    }
    if request.method != "POST":
        return render(request, "starting/new.html", context)
    try:
        texts = sent_files(request, user)
    except LaagerError as err:
        return render_refusal(request, "starting/new.html", err, context)
    kinds = {name: library.kind_in(text) for name, text in texts.items()}
    names = [name for name, kind in kinds.items() if kind in offers.CARD_KINDS]
    if len(names) == 1:
        return redirect("new-own", names[0])
    text = _("The files are in your library now. Choose the card to begin with.")
    if not names:
        text = _("The files are in your library now. There is no card among them.")
    messages.info(request, text)
    return redirect("new" if names else "library")


@require_GET
@login_required
def card_map(request: HttpRequest, card: str = "", name: str = "") -> HttpResponse:
    """Give the picture of a card's map: small, or whole with `?whole=1`."""
    offer = offers.find_shipped(card) if card else offers.find_own(person(request), name)
    data, etag = offers.picture(offer, whole=bool(request.GET.get("whole")))
    return picture_response(request, data, "image/svg+xml", etag)


@person_page
def begin(request: HttpRequest, user: Player, card: str = "", name: str = "") -> HttpResponse:
    """Show what a card is, shipped or one's own, and how it can be begun; begin it."""
    offer = offers.find_shipped(card) if card else offers.find_own(user, name)
    if request.method != "POST":
        return render(request, "starting/new_card.html", _card_context(user, offer, beginning.Beginning()))
    wanted = beginning.Beginning()
    try:
        if (do := request.POST.get("do")) in RECORD_PAGES:
            return redirect(RECORD_PAGES[do], beginning.begin_record(user, offer))
        wanted = _read_beginning(request, offer)
        game, seat, links = beginning.begin(user, offer, wanted)
    except LaagerError as err:
        return render_refusal(request, "starting/new_card.html", err, _card_context(user, offer, wanted))
    taken = beginning.not_made(wanted)
    if taken:
        messages.warning(
            request, _("There is no link for {seat}: you sit there yourself.").format(seat=side_name(taken, game))
        )
    if links:
        # Shown on a page of its own: who reloads this one must not begin another campaign.
        request.session[f"{LINKS}{game.pk}"] = [[li.role.value, li.side, li.key] for li in links]
        return redirect("begun", game.pk, seat)
    return redirect("people" if wanted.seat != beginning.BOTH else "table", game.pk, seat)


@never_cache
@login_required
def show_links(request: HttpRequest, game: UUID, seat: str) -> HttpResponse:
    """Show the links to a campaign's seats, this once."""
    made, row = request.session.pop(f"{LINKS}{game}", None), Game.objects.filter(pk=game).first()
    if not made or row is None:
        return redirect("people", game, seat)
    links = [
        (f"link-{place}", Role(role).label, side, absolute_address(request, reverse("invitation", args=[key])))
        for place, (role, side, key) in enumerate(made, 1)
    ]
    context = {
        "links": links,
        "game": row,
        "seat": seat,
        "days": members.DAYS,
        "reach": reach(absolute_address(request, "/")),
    }
    return render(request, "starting/new_begun.html", context)


def _read_beginning(request: HttpRequest, card: offers.Offer) -> beginning.Beginning:
    given = request.POST
    readings = {name: given[READING + name] for name in card.readings if given.get(READING + name) not in (None, "")}
    return beginning.Beginning(
        title=given.get("title", "").strip()[:200],
        seat=given.get("seat", ""),
        entered_dice=given.get("dice") == "entered",
        readings=readings,
        invited=tuple(given.getlist("invite")[:10]),
        # Anything but a number is 0, which is refused.
        waiting_days=parse_number(given.get("waiting-days") or str(seating.WAITING_DAYS), 3) or 0,
        house=given.get("house", "")[:100],
        corrections=given.get("corrections", "agreed"),
        umpire_alone="umpire-asks" not in given,
        patience=Patience(read_number(given.get("patience-days", "")), given.get("patience-then", "remind")),
        record=given.get("record", "")[:100],
        record_text=_sent_record(request),
        commanders={side: name[:60] for side in card.ruleset.sides if (name := given.get(COMMANDER + side, ""))},
    )


def read_number(text: str) -> int:
    """Return a number of days as typed: 0 for nothing, and -1, which is refused, for anything but a number."""
    number = parse_number(text or "0", 3)
    return -1 if number is None else number


def _sent_record(request: HttpRequest) -> str:
    """Return the text of a record that was sent as a file; "" if none was. Raises DataError."""
    sent = request.FILES.get("record-file")
    if sent is None:
        return ""
    if (sent.size or 0) > checks.MOST_BYTES:
        raise DataError(
            [Problem("the file is too large", f"{checks.MOST_BYTES >> 10} KiB at most", file=str(sent.name))]
        )
    try:
        return decode_text(sent.read())
    except UnicodeDecodeError:
        raise DataError(
            [Problem("this isn't text", "send the record as a file of text", file=str(sent.name))]
        ) from None


def _card_context(user: Player, card: offers.Offer, wanted: beginning.Beginning) -> dict[str, Any]:
    made: NewCampaign | None = None
    problems: tuple[object, ...] = ()
    left: BlanksError | None = None
    try:
        made = card.read()
    except BlanksError as err:
        problems, left = err.problems, err
    except DataError as err:
        problems = err.problems
    except LaagerError as err:
        problems = (str(err),)
    chosen = wanted.readings or {}
    return {
        "card": card,
        "left": left,
        "with_blanks": list(dict.fromkeys(blank.problem.file for blank in left.blanks)) if left else [],
        "summary": offers.summary(card),
        "wanted": wanted,
        "seats": [*card.ruleset.sides, UMPIRE],
        "sides": card.ruleset.sides,
        "commanders": commander_names(),
        "invitable": beginning.invitable(card),
        "readings": [(r, chosen.get(r.id, ""), READING + r.id) for r in card.readings.values()],
        "warnings": made.warnings if made else (),
        "house_rules": setting_house_lines(card.ruleset, made.setting) if made else (),
        "record_files": offers.record_files(user, card),
        "has_records": keeps_records(card.rules),
        "house_files": offers.house_files(user, card.rules),
        "wrong": problems,
        "longest_wait": seating.LONGEST_WAIT,
        "has_record": card.rules != "dyo",
        "simulated": ("simulate-own" if card.owner else "simulate-card") if runs.can_simulate(card) and made else "",
        "balance": runs.balance_of(card, made.setting) if made else None,
        "shipped_balance": _shipped_balance(card, made.setting) if made else None,
    }


def _shipped_balance(card: offers.Offer, setting: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the figures that ship with a card, and if they are of the card as it is."""
    figures = balance_of_card(card.id) if card.owner is None else None
    if figures is None:
        return None
    return {"figures": figures, "rows": list(figures.shares()), "current": figures.is_of(setting)}


urlpatterns = [
    path("new", cards, name="new"),
    path("new/own/<str:name>", begin, name="new-own"),
    path("new/own/<str:name>/map.svg", card_map, name="own-card-map"),
    path("new/begun/<uuid:game>/<slug:seat>", show_links, name="begun"),
    path("new/<slug:card>", begin, name="new-card"),
    path("new/<slug:card>/map.svg", card_map, name="card-map"),
]
