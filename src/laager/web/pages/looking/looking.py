"""Looking along lines of sight on the map: what the address asks for, and the form for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from laager.base import DataError, RefusedError
from laager.los.looks import AT_FIRST, BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, Wish
from laager.los.result import MOST_ABOVE
from laager.web.pages.seated import number
from laager.web.services.looking import sights

if TYPE_CHECKING:
    from django.http import HttpRequest

    from laager.los.looks import Shown
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
    range_ = number(get("range", ""))
    if range_ is None and mode in (FIRE, ENEMY, BEST):
        range_ = AT_FIRST
    level = number(get("level", "")) if mode == FROM else None
    return Wish(mode, get("spot", "").strip()[:40], get("other", "").strip()[:40], range_, level)


def parameters(wish: Wish | None) -> dict[str, str]:
    """Return a wish as an address has it."""
    if wish is None:
        return {}
    found = {"see": wish.mode, "spot": wish.spot, "other": wish.other, "range": str(wish.range or "")}
    found["level"] = "" if wish.level is None else str(wish.level)
    return {name: value for name, value in found.items() if value}


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


def described(found: Shown) -> dict[str, Any]:
    """Return what was seen as JSON."""
    return {
        "hexes": {kind: sorted(names) for kind, names in found.layer.hexes.items()},
        "labels": dict(found.layer.labels),
        "spots": list(found.layer.spots),
        "sight": found.sight.describe() if found.sight is not None else None,
        "places": [{"at": str(one.at), "sees": one.sees, "free": one.free} for one in found.places],
        "approximate": found.approximate,
        "engine": found.engine,
        "boards": dict(found.boards),
    }
