"""Looking along lines of sight on the map: what the address asks for, and the form for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from laager.base import DataError, RefusedError
from laager.los.questions.map_los import BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, make_los_wish
from laager.los.result import MOST_ABOVE
from laager.web.campaigns import los, scenes
from laager.web.campaigns.tables import look
from laager.web.shared.http import parse_number

if TYPE_CHECKING:
    from django.http import HttpRequest

    from laager.los.questions.map_los import LosView, LosWish
    from laager.web.campaigns.tables import Table
    from laager.web.seats.permissions import Seat

TITLES = {
    FROM: _("What does it see?"),
    TO: _("From where is it seen?"),
    LINE: _("Does one see the other?"),
    HULL: _("How high must it be to be seen?"),
    FIRE: _("Fields of fire of my units"),
    ENEMY: _("Seen by enemies I see"),
    BEST: _("Best places on my ground"),
}
"""The ways to look, in the form's words."""

RANGES = (6, 8, 12, 16, 24)
"""The ranges that the form offers, in hexes."""


LEVELS = tuple(range(MOST_ABOVE + 1))
"""The levels above the ground that the form offers."""


def wish_of(request: HttpRequest) -> LosWish | None:
    """Return what the address asks to look at (`?see=from&spot=H7.1&range=16`); None if it asks for nothing."""
    get = request.GET.get
    mode = get("see", "").strip()
    if not mode:
        return None
    spots = get("spot", "").strip()[:40], get("other", "").strip()[:40]
    return make_los_wish(mode, *spots, parse_number(get("range", "")), parse_number(get("level", "")))


def look_from_address(request: HttpRequest, seat: Seat, at: int | None) -> tuple[LosView | None, str]:
    """Return what is seen, or why nothing is; the campaign is held only until it is known where to look."""
    wish = wish_of(request)
    if wish is None:
        return None, ""
    with look(seat) as table:
        wanted = los.prepare_look(table, scenes.scene_of(table, at), wish)
    try:
        return wanted.look(), ""
    except (RefusedError, DataError) as err:
        return None, str(err)


def form(request: HttpRequest, table: Table, view: LosView | None, wrong: str) -> dict[str, Any]:
    """Return what the page shows: the form, and what was seen or why not."""
    wish = wish_of(request)
    return {
        "wish": wish,
        "spot": wish.spot if wish else request.GET.get("hex", "").strip()[:40],
        "found": view,
        "look_wrong": wrong,
        "looks": [(mode, TITLES[mode]) for mode in los.modes(table)],
        "ranges": RANGES,
        "levels": LEVELS,
    }
