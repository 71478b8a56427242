"""The position of a VASL save in a record of one's library: read, looked at, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError, Problem
from laager.rules.board.card.parts import SIDES
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.library.maps import boards
from laager.web.models import OwnFile, Player
from laager.web.play.battle.saves import MOST, display_name
from laager.web.shared.http import parse_number, person_page, render_refusal

if TYPE_CHECKING:
    from laager.vasl import RecordFromSave

CHOICE = "choice:"
"""How the names of fields begin that settle a finding."""
MOST_CHOICES = 2000


@dataclass(frozen=True)
class SentSave:
    """A save that was sent, with whose hidden pieces are read, who among the owners one is, and the choices made."""

    name: str
    data: bytes
    sides: tuple[str, ...] = ()
    owner: int | None = None
    choices: dict[str, str] | None = None


@person_page
def position(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Show what a save would put into a record; keep it."""
    file = library.find(user, name)
    card = offers.find_card_of_record(user, file)
    context: dict[str, Any] = {"file": file, "card": card, "was": library.digest(file.text), "read_sides": ()}
    context["summary"] = offers.summary(card)
    if request.method != "POST":
        return render(request, "starting/position.html", context)
    try:
        sent = read_sent(request)
        context |= {"read_sides": sent.sides, "choices": sent.choices, "owner": sent.owner}
        made = read_position(user, card, file, sent)
        if request.POST.get("do") != "keep":
            context |= {"proposal": made.proposal, "changed": made.text != file.text}
            return render(request, "starting/position.html", context)
        library.save(user, file.name, made.text, request.POST.get("was") or None)
    except LaagerError as err:
        if getattr(request, "htmx", False):
            raise
        return render_refusal(request, "starting/position.html", err, context)
    messages.success(request, _("The position of %(save)s is in %(name)s.") % {"save": sent.name, "name": file.name})
    return redirect("library-fill", file.name)


def read_sent(request: HttpRequest) -> SentSave:
    """Return the save that a form sent. Raises DataError without one, or if it is too large."""
    sent = request.FILES.get("save")
    if sent is None or not sent.size:
        raise DataError([Problem("no file arrived, or it is empty", "choose a .vsav or .vlog of VASL")])
    name = display_name(sent.name or "")
    if sent.size > MOST:
        raise DataError([Problem(f"{sent.size} bytes is too large", f"{MOST} at most", file=name)])
    fields = [(field, request.POST[field]) for field in request.POST if field.startswith(CHOICE)]
    choices = {field.removeprefix(CHOICE): value for field, value in fields[:MOST_CHOICES] if value}
    sides = tuple(side for side in SIDES if side in request.POST.getlist("sides"))
    return SentSave(name, sent.read(), sides, parse_number(request.POST.get("owner", ""), 4), choices)


def read_position(user: Player, card: offers.Offer, file: OwnFile, sent: SentSave) -> RecordFromSave:
    """Return a record with the position of a save, which isn't kept. Raises what `put_save_into_record` does."""
    from laager.vasl import RecordToFill, put_save_into_record

    paper = RecordToFill(card.rules, card.read(None).setting, file.text, file.name, sent.sides)
    shapes = boards.Shelf(user).shapes()
    return put_save_into_record(
        paper, sent.data, sent.name, shapes=shapes, owner=sent.owner, choices=sent.choices or {}
    )


urlpatterns = [path("library/file/<str:name>/position", position, name="library-position")]
