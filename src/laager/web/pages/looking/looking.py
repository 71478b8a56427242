"""Looking along lines of sight on the map: what the address asks for, and the form for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from laager.base import DataError, RefusedError
from laager.los.looks import BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, wish_named
from laager.los.result import MOST_ABOVE
from laager.web.pages.seated import number
from laager.web.services.looking import sights

if TYPE_CHECKING:
    from django.http import HttpRequest

    from laager.los.looks import Wish
    from laager.web.services.looking.maps import Scene
    from laager.web.services.play.tables import Table

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


def wish_of(request: HttpRequest) -> Wish | None:
    """Return what the address asks to look at (`?see=from&spot=H7.1&range=16`); None if it asks for nothing."""
    get = request.GET.get
    mode = get("see", "").strip()
    if not mode:
        return None
    spots = get("spot", "").strip()[:40], get("other", "").strip()[:40]
    return wish_named(mode, *spots, number(get("range", "")), number(get("level", "")))


def form(request: HttpRequest, table: Table, shown: Scene) -> dict[str, Any]:
    """Return what the page shows: the form, and what was seen or why not."""
    wish = wish_of(request)
    found, wrong = None, ""
    if wish is not None:
        try:
            found = sights.prepared(table, shown, wish).look()
        except (RefusedError, DataError) as err:
            wrong = str(err)
    return {
        "wish": wish,
        "spot": wish.spot if wish else request.GET.get("hex", "").strip()[:40],
        "found": found,
        "look_wrong": wrong,
        "looks": [(mode, TITLES[mode]) for mode in sights.modes(table)],
        "ranges": RANGES,
        "levels": LEVELS,
    }
