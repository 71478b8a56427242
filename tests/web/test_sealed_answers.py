"""An answer to what both sides are asked at once reaches the other side by no page, feed, mail or call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.core import mail
from django.test import Client

from laager.web.campaigns import actions, tables
from tests.web.conftest import seat, untokened

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

PAGES = ("", "history", "log", "sheets", "notes", "changing/")
CALLS = ("", "/asked", "/log", "/log/lines", "/state", "/history", "/sheets")
MAY_CHANGE = re.compile(
    r'<section class="waiting">.*?</section>|tag": ?"\w+"|data-tag="\w+"|"waiting_for": ?\[[^]]*\]|<time .*?</time>',
    re.S,
)
"""For whom the campaign waits, the tag that says that this has changed, and when the reader was here."""


def _read(people: People, at: str, api: str, feed: str) -> dict[str, list[str]]:
    client = people.client(people.bert)
    found = {at + page: client.get(at + page) for page in PAGES}
    found |= {api + call: client.get(api + call) for call in CALLS} | {feed: Client().get(feed)}
    assert {name: answer.status_code for name, answer in found.items() if answer.status_code != 200} == {}
    return {name: MAY_CHANGE.sub("", untokened(answer.content)).split() for name, answer in found.items()}


def test_what_one_side_wants_is_nowhere_until_both_have_said_it(people: People, begin: Begin) -> None:
    game = begin()
    anna, at = seat(game, people.anna, "axis"), f"/campaign/{game.pk}/allied/"
    page = people.client(people.bert).get(f"{at}people/").content.decode()
    feed = re.search(r">http://testserver(/feed/[^<]+)<", page)
    assert feed
    where = (at, f"/api/v1/campaigns/{game.pk}/allied", feed[1])
    before, sent = _read(people, *where), len(mail.outbox)
    with tables.look(anna) as table:
        (asked,) = table.asked
    assert asked.pending.key == "agreements"
    actions.answer(anna, asked.mark, {"balance": ["axis-spirit"], "intensity": "high"})
    after = _read(people, *where)

    assert [name for name in before if before[name] != after[name]] == []
    assert not [one for one in mail.outbox[sent:] if "axis-spirit" in one.body or "high" in one.body]
