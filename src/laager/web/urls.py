"""All addresses, gathered from the pages' modules."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from laager.web import api
from laager.web.middleware import bad_request
from laager.web.pages.library import editors, grids, mapedit
from laager.web.pages.library import files as library
from laager.web.pages.looking import diary, feeds, forecasts, history, maps, notes, reference, story, units
from laager.web.pages.people import accounts, home, starting
from laager.web.pages.people import members as people
from laager.web.pages.play import (
    asking,
    battle,
    changing,
    dyo,
    live,
    over,
    reporting,
    setting_up,
    table,
    together,
    vasl,
)

PAGES = [
    *(accounts, home, people, starting),
    *(editors, grids, library, mapedit),
    *(diary, feeds, forecasts, history, maps, notes, reference, story, units),
    *(asking, battle, changing, dyo, live, over, reporting, setting_up, table, together, vasl),
]

handler400 = bad_request

_seat: list[URLPattern | URLResolver] = [
    pattern for module in PAGES for pattern in getattr(module, "seat_patterns", [])
]

urlpatterns: list[URLPattern | URLResolver] = [
    *(pattern for module in PAGES for pattern in getattr(module, "urlpatterns", [])),
    path("campaign/<uuid:game>/<slug:seat>/", include(_seat)),
    *api.urlpatterns,
    path("admin/", admin.site.urls),
]
