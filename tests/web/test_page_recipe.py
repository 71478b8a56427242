"""The recipe for a page with its rights, followed: its blocks become a page of a server."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import clear_url_caches, include, path

from laager.web.serving import urls
from tests.docs.test_recipes import block, run

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


def test_the_page_shows_a_seat_its_view_and_nobody_else_anything(
    people: People, begin: Begin, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "larder.html").write_text(block("template"), encoding="utf-8")
    templates = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**templates, "DIRS": [*templates["DIRS"], tmp_path]}]
    module = ModuleType("recipe_urls")
    seat = path("campaign/<uuid:game>/<slug:seat>/", include(run("page")["seat_patterns"]))
    module.urlpatterns = [seat, *urls.urlpatterns]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "recipe_urls", module)
    settings.ROOT_URLCONF = "recipe_urls"
    clear_url_caches()

    game = begin("kokusa-ridge")
    larder = f"/campaign/{game.pk}/axis/larder"
    shown = people.client(people.anna).get(larder)
    assert shown.status_code == 200
    assert b"The larder" in shown.content
    assert shown.content.count(b" CPP</li>") == 2
    assert people.client(people.bert).get(larder).status_code == 404
    assert people.client(people.dora).get(larder).status_code == 404
    assert people.client(None).get(larder).status_code == 302
    clear_url_caches()
