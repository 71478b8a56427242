"""Feeds: what a seat may know of its campaign, for programs that read news."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from laager.web.campaigns import tables
from laager.web.models import Game, Member
from laager.web.records.log import feed
from laager.web.shared import tokens
from tests.web.conftest import add_spectator, alone, seat, take_defaults
from tests.web.fielded import fielded

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

ATOM = "{http://www.w3.org/2005/Atom}"


def _feed_address(client: Client, game: Game, name: str) -> str:
    page = client.get(f"/campaign/{game.pk}/{name}/people/").content.decode()
    found = re.search(r">http://testserver(/feed/[^<]+)<", page)
    assert found
    return found[1]


def _entries(content: bytes) -> list[str]:
    feed = ET.fromstring(content)
    return [str(one.findtext(f"{ATOM}title")) for one in feed.findall(f"{ATOM}entry")]


def test_a_feed_tells_that_an_answer_is_needed(people: People, begin: Begin) -> None:
    game = begin()
    one, other = alone(game, people)
    titles = {}
    for each in (one, other):
        address = _feed_address(people.client(each.user), game, each.name)
        answer = Client().get(address)
        assert answer["Content-Type"].startswith("application/atom+xml")
        titles[each.name] = _entries(answer.content)
    assert titles[one.name][0] == "Your answer is needed"
    assert "Your answer is needed" not in titles[other.name]
    assert titles[other.name] == titles[one.name][1:]


@pytest.mark.once
def test_a_feed_tells_what_a_spectator_may_know(people: People, begin: Begin) -> None:
    game = begin("rijnoord")
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 20)
    watcher = add_spectator(game, people.dora)
    with tables.look(watcher) as table:
        public = {line.text.strip() for line in table.log}
    with tables.look(seat(game, people.anna, "axis")) as table:
        own = {line.text.strip() for line in table.log} - public
    assert own, "the side must know something that is secret"
    feed = Client().get(_feed_address(people.client(people.anna), game, "axis"))
    text = html.unescape(html.unescape(feed.content.decode()))
    assert not [line for line in own if line in text]
    assert [line for line in public if line in text]


@pytest.mark.once
def test_a_feed_has_one_item_for_a_step(people: People) -> None:
    game = fielded(people, "rijnoord", ("play",))
    feed = Client().get(_feed_address(people.client(people.anna), game, "axis")).content
    titles = _entries(feed)
    assert len(titles) == len(set(titles))
    assert not [one for one in titles if "──" in one or "answer:" in one]
    items = ET.fromstring(feed).findall(f"{ATOM}entry")
    assert len({one.findtext(f"{ATOM}id") for one in items}) == len(titles)
    told = {str(one.findtext(f"{ATOM}title")): str(one.findtext(f"{ATOM}summary")) for one in items}
    assert told["Setting up"].startswith("<p>")
    assert "British reveal" in told["Setting up"]
    assert titles.index("Play") < titles.index("Setting up") < titles.index("The campaign begins")
    assert "Weather: Clear, EC Moderate, no wind, NVR 3 (listed by the card) [ABtF 9.6216]" in titles


@pytest.mark.once
def test_in_a_feed_of_a_german_steps_are_german(people: People) -> None:
    people.anna.language = "de"
    people.anna.save()
    game = fielded(people, "rijnoord", ("play",))
    titles = _entries(Client().get(_feed_address(people.client(people.anna), game, "axis")).content)
    assert any(one.startswith("Wetter") for one in titles)


@pytest.mark.once
def test_what_one_side_does_in_secret_leaves_the_others_feed_as_it_is(people: People, begin: Begin) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], 10, until="purchases")
    address = _feed_address(people.client(other.user), game, other.name)
    before = Client().get(address).content
    assert take_defaults([one], 1) == 1
    assert Client().get(address).content == before


def test_a_new_address_kills_the_old_one(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.anna)
    old = _feed_address(client, game, "axis")
    client.post(f"/campaign/{game.pk}/axis/feed/renew/")
    new = _feed_address(client, game, "axis")
    assert [Client().get(at).status_code for at in (old, new)] == [404, 200]
    Member.objects.filter(user=people.anna).delete()
    assert Client().get(new).status_code == 404


@pytest.mark.once
@pytest.mark.parametrize("key", ["x", "WzEsMF0:1:x", "W10", "null"])
def test_keys_of_feeds_cannot_be_made_up(key: str, people: People, begin: Begin) -> None:
    begin()
    assert Client().get(f"/feed/{key}/").status_code == 404


def test_a_key_signed_for_something_else_opens_no_feed(people: People, begin: Begin) -> None:
    from django.core import signing

    game = begin()
    member = Member.objects.get(game=game, user=people.anna)
    assert feed.by_feed_key(feed.feed_key(seat(game, people.anna, "axis"))).member == member
    other = signing.dumps([member.pk, member.feed], salt="something-else")
    assert Client().get(f"/feed/{other}/").status_code == 404


def test_a_program_reads_the_feed_with_a_token(people: People, begin: Begin) -> None:
    game = begin()
    mine, others = tokens.make(people.anna, "reader"), tokens.make(people.dora, "reader")
    address = f"/campaign/{game.pk}/axis/feed/"
    codes = [
        Client().get(address, headers={"authorization": f"Bearer {key}"}).status_code
        for key in (mine, others, "laager_x")
    ]
    assert codes == [200, 404, 401]
    assert Client().get(address).status_code == 401
