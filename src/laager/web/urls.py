"""All addresses, gathered from the pages' modules."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from laager.web.pages import (
    accounts,
    asking,
    changing,
    feeds,
    history,
    home,
    live,
    maps,
    people,
    reference,
    reporting,
    starting,
    table,
)

PAGES = (
    accounts,
    asking,
    changing,
    feeds,
    history,
    home,
    live,
    maps,
    people,
    reference,
    reporting,
    starting,
    table,
)

_seat: list[URLPattern | URLResolver] = [
    pattern for module in PAGES for pattern in getattr(module, "seat_patterns", [])
]

urlpatterns: list[URLPattern | URLResolver] = [
    *(pattern for module in PAGES for pattern in getattr(module, "urlpatterns", [])),
    path("campaign/<uuid:game>/<slug:seat>/", include(_seat)),
    path("admin/", admin.site.urls),
]
