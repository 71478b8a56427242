"""A request looks its campaign's row up once: with the seat. A change also locks it and moves it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from laager.campaign.wording import yaml_text
from laager.web.shared import tokens
from tests.web.conftest import seat, take_defaults
from tests.web.test_short_way import first_asked

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


def campaign_queries(act: Callable[[], Any], status: int) -> list[str]:
    """Return what a request asks about the campaign's row."""
    with CaptureQueriesContext(connection) as asked:
        answer = act()
    assert answer.status_code == status, answer.content
    queries = [query["sql"] for query in asked.captured_queries]
    return [sql.split(" ", 1)[0] for sql in queries if '"web_game"."id"' in sql]


def test_a_campaign_is_looked_up_once_for_each_request(people: People, begin: Begin) -> None:
    game = begin()
    axis, client = seat(game, people.anna, "axis"), people.client(people.anna)
    headers = {"Authorization": f"Bearer {tokens.make(people.anna, 'test')}"}
    at, api = f"/campaign/{game.pk}/axis", f"/api/v1/campaigns/{game.pk}/axis"
    mark, value = first_asked(axis)
    for page in (f"{at}/", f"{at}/ask/{mark}/", f"{at}/log", f"{at}/map"):
        assert campaign_queries(partial(client.get, page), 200) == ["SELECT"], page
    form = {"do": "save", "view": "text", "text": yaml_text(value)}
    assert campaign_queries(lambda: client.post(f"{at}/ask/{mark}/", form), 200) == ["SELECT"]
    # One with the seat; one that locks the row until the answer is stored.
    form |= {"do": "give"}
    assert campaign_queries(lambda: client.post(f"{at}/ask/{mark}/", form), 302) == ["SELECT", "SELECT", "UPDATE"]
    take_defaults([seat(game, people.bert, "allied")], 1)
    mark, value = first_asked(axis)
    sent: dict[str, Any] = {
        "data": json.dumps({"answer": value}),
        "content_type": "application/json",
        "headers": headers,
    }
    answer = f"{api}/asked/{mark}/answer"
    assert campaign_queries(lambda: client.post(answer, **sent), 200) == ["SELECT", "SELECT", "UPDATE"]


def test_what_another_worker_has_stored_is_seen_though_memory_is_behind(people: People, begin: Begin) -> None:
    from laager.campaign.engine import Campaign
    from laager.web.campaigns.store import DatabaseStore
    from laager.web.campaigns.tables import look

    game = begin()
    mark, value = first_asked(seat(game, people.anna, "axis"))
    other = Campaign(DatabaseStore(game.pk))
    pending = next(pending for pending in other.pending() if pending.side == "axis")
    other.answer("axis", pending.key, value)
    with look(seat(game, people.anna, "axis")) as table:
        assert table.campaign.version == other.version
        assert mark not in {asked.mark for asked in table.asked}
