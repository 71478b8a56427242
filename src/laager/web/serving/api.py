"""The JSON API: all that the pages do, for programs. It is described at /api/v1/openapi.json.

The same services stand behind both; nothing about campaigns is decided here.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from laager import __version__
from laager.web.accounts import api as account
from laager.web.api import refusals
from laager.web.api.calls import EITHER, StrictParser
from laager.web.api.reference import Reference
from laager.web.library.sharing import api as sharing
from laager.web.people import api as seats
from laager.web.people import webhook_api
from laager.web.play.battle import api as vasl
from laager.web.play.table import api as playing
from laager.web.play.table import news
from laager.web.public import api as public
from laager.web.records import api as looking
from laager.web.records.rulings import api as rulings
from laager.web.results import api as results
from laager.web.rules import api as rules
from laager.web.starting import api as starting
from laager.web.talk import api as talk
from laager.web.talk import date_api


class Api(NinjaAPI):
    """The API; what it answers lies in no cache, as it may be one seat's secret."""

    def create_response(self, request: HttpRequest, data: Any, **more: Any) -> HttpResponse:
        """Return an answer."""
        response = super().create_response(request, data, **more)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    def get_openapi_schema(self, **more: Any) -> OpenAPISchema:
        """Return the document; it is made once, as that takes a second."""
        if any(more.values()):
            return super().get_openapi_schema(**more)
        with self._making:
            if self._document is None:
                self._document = super().get_openapi_schema()
        return self._document

    _document: OpenAPISchema | None = None
    _making = Lock()


api = Api(
    title="Laager",
    version=__version__,
    description="Campaigns as one seat sees them: questions, answers, log, sheets, map, rules. "
    "Send an API token (account page, Tokens) as `Authorization: Bearer laager_…`. Refusals "
    "are a `Refused`, and then nothing has changed.",
    urls_namespace="api",
    auth=EITHER,
    parser=StrictParser(),
    docs=Reference(),
)
refusals.install(api)
for module in (
    account, starting, sharing, playing, rulings, looking, vasl, seats, webhook_api, public, results, rules, news, talk,
    date_api,
):  # fmt: skip
    api.add_router("", module.router)

urlpatterns: list[URLPattern | URLResolver] = [path("api/v1/", api.urls), *refusals.urlpatterns]
