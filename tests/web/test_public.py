"""The page for everybody: who must agree, how far it stays behind, and that nothing of what came since is on it."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import timezone

from laager.sheets.story import Battle, battles
from laager.web.campaigns import actions, tables
from laager.web.campaigns.tables import Table
from laager.web.models import Game, Member, Player, Role
from laager.web.public import past
from laager.web.seats.permissions import Seat
from laager.web.shared import tokens
from tests.web.conftest import Begin, People, seat, take_defaults, untokened
from tests.web.planted import found_in, hidden_names, never
from tests.web.seen import read
from tests.web.test_story import beginning, begun

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Read each campaign from its lines."""
    past._PASTS.clear()
    yield
    past._PASTS.clear()


def agree(people: People, game: Game, user: Player, side: str, delay: str) -> None:
    address = f"/campaign/{game.pk}/{side}/people/public/"
    assert people.client(user).post(address, {"delay": delay}).status_code == 302


def show(people: People, game: Game, delay: str, other: str = "") -> str:
    """Let both sides agree; return the page's address."""
    agree(people, game, people.anna, "axis", delay)
    agree(people, game, people.bert, "allied", other or delay)
    return f"/public/{past.public_key(game)}/"


def fetch(address: str) -> list[tuple[bytes, dict[str, str]]]:
    """Return what somebody without an account gets: page, map, card, with their headers."""
    answers = [Client().get(address + part) for part in ("", "map.svg", "card.png")]
    assert {answer.status_code for answer in answers} == {200}
    return [(answer.content, dict(answer.headers)) for answer in answers]


def _fought(table: Table) -> list[Battle]:
    return [battle for battle in battles(table.campaign, table.view) if battle.fought]


def count_shown(game: Game) -> int:
    """Return how many battles the page tells of."""
    with past.look_back(past.public_key(game)) as table:
        return len(_fought(table))


def lets_pass(monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    now = timezone.now() + time
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_the_page_is_there_as_long_as_all_players_agree(people: People) -> None:
    game = begun(people)
    address = f"/public/{past.public_key(game)}/"
    refused = Client().get("/public/0123.abc/")
    for user, side, delay in ((people.anna, "axis", "day"), (people.anna, "axis", ""), (people.bert, "allied", "day")):
        agree(people, game, user, side, delay)
        answer = Client().get(address)
        assert (answer.status_code, untokened(answer.content)) == (404, untokened(refused.content))
    agree(people, game, people.anna, "axis", "battle")
    assert Client().get(address).status_code == 200
    agree(people, game, people.bert, "allied", "")
    for part in ("", "map.svg", "film.svg", "card.png"):
        assert Client().get(address + part).status_code == 404


def test_what_somebody_gets_who_is_logged_in_goes_to_nobody_else(people: People) -> None:
    address = show(people, begun(people), "day")
    for part in ("", "map.svg", "card.png"):
        assert Client().get(address + part)["Cache-Control"] == "public, max-age=300"
        assert people.client(people.anna).get(address + part)["Cache-Control"] == "private, no-store"


def test_what_follows_a_younger_line_is_not_old() -> None:
    """The clock of another machine may have gone back."""
    entries = list(beginning("pl-rzhavets", 0.35))
    entries[100] = replace(entries[100], at=timezone.now().isoformat())
    table = SimpleNamespace(campaign=SimpleNamespace(entries=entries))
    assert past._lines_until(cast("Table", table), timezone.now() - DAY) == 100


def test_a_side_without_a_player_shows_nothing(people: People) -> None:
    game = begun(people)
    address = show(people, game, "day")
    assert Client().get(address).status_code == 200
    Member.objects.filter(game=game, side="allied").delete()
    assert Client().get(address).status_code == 404


def test_each_player_of_a_team_must_agree(people: People) -> None:
    game = begun(people)
    second = Member.objects.create(game=game, user=people.dora, role=Role.PLAYER, side="axis")
    address = show(people, game, "day")
    assert Client().get(address).status_code == 404
    Member.objects.filter(pk=second.pk).update(public_delay="day")
    assert Client().get(address).status_code == 200


def test_only_players_agree_and_only_to_a_delay_there_is(people: People, begin: Begin) -> None:
    game = begun(people)
    client = people.client(people.cleo)
    assert client.post(f"/campaign/{game.pk}/umpire/people/public/", {"delay": "day"}).status_code == 403
    client = people.client(people.anna)
    wrong = client.post(f"/campaign/{game.pk}/axis/people/public/", {"delay": "never"})
    assert wrong.status_code == 422
    assert "day, battle" in wrong.content.decode()
    assert not Member.objects.exclude(public_delay="").exists()


def test_anybody_reads_story_and_map_and_nobody_is_named_or_remembered(people: People) -> None:
    game = begun(people)
    address = show(people, game, "day")
    client = Client()
    text = read(client, address)
    assert "This page stays a day behind." in text
    assert "How the front moved" in text
    assert re.search(r'<meta property="og:image" content="http[^"]*/card\.png\?v=', text)
    assert 'content="noindex"' in text
    assert not re.search(r"\b(anna|bert|cleo|csrf)\b", text)
    assert not client.cookies
    for found in re.findall(r'src="(/public/[^"]*)"', text):
        assert client.get(found).status_code == 200
    (width, height) = struct.unpack(">II", fetch(address)[2][0][16:24])
    assert (width, height) == (1200, 630)
    secret = {name for one in ("axis", "allied") for name in hidden_names(seat(game, _player(people, one), one))}
    spectator = hidden_names(Seat(game, Player(), Member(game=game, role="spectator")))
    film = client.get(address + "film.svg").content.decode()
    for page in (text, film, client.get(address + "map.svg").content.decode()):
        assert not found_in(page, (secret & spectator) | never(game))


def _player(people: People, side: str) -> Player:
    return people.anna if side == "axis" else people.bert


def test_nothing_of_the_last_day_is_on_it(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(people, share=0.6)
    address = show(people, game, "day")
    before = fetch(address)
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(both, 3)
    actions.concede(both[0])
    assert fetch(address) == before
    lets_pass(monkeypatch, DAY + timedelta(minutes=1))
    after = fetch(address)
    assert all(new != old for new, old in zip(after, before, strict=True))
    assert "The campaign is over" in after[0][0].decode()


def test_a_firefight_is_shown_when_the_next_one_is_fought_or_all_is_over(people: People) -> None:
    game = begun(people, share=0.6)
    address = show(people, game, "battle")
    with tables.look(Seat(game, Player(), Member(game=game, role="spectator"))) as table:
        fought = len(_fought(table))
    assert count_shown(game) == fought - 1 > 0
    assert "This page stays a firefight behind." in read(Client(), address)
    actions.concede(seat(game, people.anna, "axis"))
    with past.look_back(past.public_key(game)) as table:
        assert table.campaign.over


def test_what_either_side_keeps_back_stays_back(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun(people, share=0.6)
    address = show(people, game, "day", "battle")
    text = read(Client(), address)
    assert "This page stays a day and a firefight behind." in text
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert count_shown(game) == len(_fought(table)) - 1 > 0
    actions.concede(seat(game, people.anna, "axis"))
    assert read(Client(), address) == text
    lets_pass(monkeypatch, DAY + timedelta(minutes=1))
    assert "The campaign is over" in read(Client(), address)


def test_a_campaign_just_begun_shows_its_ground(people: People, begin: Begin) -> None:
    game = begin("rzhavets", title="Just begun")
    text = read(Client(), show(people, game, "battle"))
    assert "No battle can be shown yet." in text
    assert "Just begun" in text


def test_two_worlds_that_differ_in_what_a_side_did_in_secret_look_the_same(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(title="Two worlds")
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(both, until="purchases")
    address = show(people, game, "day")
    lets_pass(monkeypatch, DAY + timedelta(hours=1))
    before = fetch(address)
    with tables.look(both[0]) as table:
        lines, bought = len(table.campaign.entries), [each for each in table.asked if each.pending.key == "purchases"]
    assert bought[0].pending.question is not None
    actions.answer(both[0], bought[0].mark, bought[0].pending.question.default)
    with tables.look(both[0]) as table:
        assert len(table.campaign.entries) > lines
    assert fetch(address) == before


def test_programs_read_and_choose_it(people: People) -> None:
    game = begun(people)
    seats = {"axis": people.anna, "allied": people.bert}
    bearers = {side: {"Authorization": f"Bearer {tokens.make(user, 'x')}"} for side, user in seats.items()}

    def call(method: str, side: str, body: object = None) -> Any:
        address = f"/api/v1/campaigns/{game.pk}/{side}/public"
        sent = json.dumps(body) if body else ""
        return Client().generic(method, address, sent, "application/json", headers=bearers[side])

    assert call("PUT", "axis", {"delay": "week"}).status_code == 422
    assert call("PUT", "axis", {"delay": "day"}).status_code == 204
    assert call("GET", "axis").json() == {"address": "", "delays": [], "mine": "day"}
    assert call("PUT", "allied", {"delay": "battle"}).status_code == 204
    told = call("GET", "allied").json()
    assert (told["delays"], told["mine"]) == (["battle", "day"], "battle")
    assert Client().get(told["address"]).status_code == 200
