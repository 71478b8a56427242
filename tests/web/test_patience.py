"""The calendar of patience on the pages: terms, changed by consent, and what is done about who is late."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.test import Client

from laager.campaign.log import REQUESTS
from laager.campaign.patience import Patience, patience_of
from laager.web.campaigns import actions, reminding, tables
from laager.web.models import Game
from laager.web.shared import tokens
from tests.web import planted
from tests.web.conftest import seat, take_defaults, untokened
from tests.web.receiving import Clock

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

TERMS = {"patience-days": "7", "patience-then": "sensible"}


def _begin(people: People, begin: Begin, then: str = "sensible") -> Game:
    """Begin a campaign, and let both sides agree on 7 days."""
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    actions.propose_patience(one, 7, then)
    actions.answer_patience(other, True)
    take_defaults([one, other], until="purchases")
    return game


def _page(people: People, game: Game, name: str) -> str:
    user = {"axis": people.anna, "allied": people.bert, "umpire": people.cleo}[name]
    return people.client(user).get(f"/campaign/{game.pk}/{name}/").content.decode()


@pytest.mark.once
def test_terms_stand_in_the_opening_and_on_every_table(people: People) -> None:
    client = people.client(people.anna)
    form = {"seat": "both", "waiting-days": "7", "dice": "rolled", **TERMS}
    assert client.post("/new/rzhavets", form).status_code == 302
    game = Game.objects.get()
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert patience_of(table.campaign) == Patience(7, "sensible")
    page = _page(people, game, "axis")
    assert "Agreed: 7 days for a move, then the other side can let the sensible commander answer." in page


@pytest.mark.parametrize("days", ["-1", "366", "x"])
def test_terms_that_nobody_can_keep_are_refused(days: str, people: People) -> None:
    form = {"seat": "both", "waiting-days": "7", "dice": "rolled", **TERMS, "patience-days": days}
    assert people.client(people.anna).post("/new/rzhavets", form).status_code == 422
    assert not Game.objects.exists()


def test_terms_change_on_the_page_by_consent(people: People, begin: Begin) -> None:
    game = begin()
    anna, bert = people.client(people.anna), people.client(people.bert)
    assert "Time for a move" in anna.get(f"/campaign/{game.pk}/axis/changing/").content.decode()
    anna.post(f"/campaign/{game.pk}/axis/changing/patience/", TERMS)
    page = _page(people, game, "allied")
    assert "other terms about the time for a move" in page
    assert "7 days for a move, then the other side can" in page
    bert.post(f"/campaign/{game.pk}/allied/changing/answer-patience/", {"agree": "yes"})
    assert "Agreed: 7 days for a move" in _page(people, game, "axis")


def test_the_other_side_lets_the_commander_answer_for_who_is_late(people: People, begin: Begin, clock: Clock) -> None:
    game = _begin(people, begin)
    address = f"/campaign/{game.pk}/axis/changing/late/"
    anna = people.client(people.anna)
    assert anna.post(address, {"side": "allied"}).status_code == 409, "not late yet"
    clock.now += timedelta(days=8)
    assert "Let the sensible commander answer for" in _page(people, game, "axis")
    assert anna.post(address, {"side": "axis"}).status_code == 403, "not for one's own side"
    assert anna.post(address, {"side": "allied"}).status_code == 302
    with tables.look(seat(game, people.bert, "allied")) as table:
        assert "late" in [line.entry.type for line in table.view.log]
        assert not [asked for asked in table.asked if asked.pending.key == "purchases"]


@pytest.mark.once
def test_by_a_reminder_alone_nobody_answers_for_others(people: People, begin: Begin, clock: Clock) -> None:
    game = _begin(people, begin, "remind")
    clock.now += timedelta(days=8)
    for name in ("axis", "allied", "umpire"):
        page = _page(people, game, name)
        assert "late since" in page
        assert "Let the sensible commander answer" not in page


@pytest.mark.once
def test_what_one_side_chose_in_secret_changes_no_byte_about_who_is_late(
    people: People, begin: Begin, clock: Clock
) -> None:
    """Two worlds: the other side buys on the sixth day, or buys nothing; who is late and since when is the same."""
    pages = []
    for buys in (True, False):
        game = _begin(people, begin)
        allied = seat(game, people.bert, "allied")
        with tables.look(allied) as table:
            [asked] = table.asked
        assert asked.pending.question is not None
        proposed = asked.pending.question.default
        actions.answer(allied, asked.mark, proposed if buys else {"groups": [], "patrols": 0})
        clock.now += timedelta(days=8)
        page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/")
        text = untokened(page.content).replace(str(game.pk), "GAME")
        pages.append([line for line in text.splitlines() if "late since" in line or "Agreed:" in line])
        clock.now -= timedelta(days=8)
        assert not {group["rg"] for group in proposed["groups"]} & planted.words(" ".join(pages[-1]))
    assert pages[0] == pages[1]
    assert pages[0]


def test_programs_read_and_change_the_terms(people: People, begin: Begin, clock: Clock) -> None:
    game = begin()

    def call(user: Any, name: str, method: str, path: str, **body: Any) -> Any:
        bearer = {"Authorization": f"Bearer {tokens.make(user, 'x')}"}
        address = f"/api/v1/campaigns/{game.pk}/{name}/{path}"
        return Client().generic(method, address, json.dumps(body), "application/json", headers=bearer)

    assert call(people.anna, "axis", "GET", "patience").json() == {"days": 0, "then": "remind", "late": []}
    assert call(people.anna, "axis", "POST", "patience", days=7, then="umpire").status_code == 200
    assert call(people.bert, "allied", "POST", "patience/consent", agree=True).status_code == 200
    clock.now += timedelta(days=8)
    terms = call(people.bert, "allied", "GET", "patience").json()
    assert (terms["days"], terms["then"]) == (7, "umpire")
    side = terms["late"][0]["side"]
    assert call(people.anna, "axis", "POST", "late", side=side).status_code == 403
    assert call(people.cleo, "umpire", "POST", "late", side=side).status_code == 200


# Reminders ----------------------------------------------------------------------------------------


def _let_pass(clock: Clock, by: timedelta) -> list[list[str]]:
    """Let time pass, and return to whom mails went, with the words of a reminder."""
    mail.outbox.clear()
    clock.now += by
    reminding.remind()
    clock.pass_(timedelta(minutes=3))
    return [one.to for one in mail.outbox if "longer than both sides agreed" in str(one.body)]


def test_who_is_late_is_reminded_once(people: People, begin: Begin, clock: Clock) -> None:
    game = _begin(people, begin)
    take_defaults([seat(game, people.anna, "axis")], 10, until="")
    with tables.look(seat(game, people.bert, "allied")) as table:
        assert list(table.view.waiting_for) == ["allied"]
    clock.pass_(timedelta(hours=1))
    assert _let_pass(clock, timedelta(days=6)) == []
    assert _let_pass(clock, timedelta(days=1)) == [["bert@example.org"]]
    assert _let_pass(clock, timedelta(days=1)) == []
    assert _let_pass(clock, timedelta(days=30)) == []


def test_without_terms_no_campaign_is_looked_at(people: People, begin: Begin) -> None:
    assert begin().patience_look is None
    _begin(people, begin)
    assert Game.objects.exclude(patience_look=None).count() == 1


def test_when_a_reminder_comes_does_not_tell_of_secret_answers(people: People, begin: Begin, clock: Clock) -> None:
    """Two worlds: the other side answers in secret on the sixth day, or not at all. The reminder comes the same day."""
    for answers in (True, False):
        game = _begin(people, begin)
        clock.pass_(timedelta(hours=1))
        if answers:
            take_defaults([seat(game, people.anna, "axis")], 10)
        reminding.remind()
        look = Game.objects.values_list("patience_look", flat=True).get(pk=game.pk)
        with tables.look(seat(game, people.cleo, "umpire")) as table:
            public = [entry for entry in table.campaign.entries if entry.to is None and entry.type not in REQUESTS]
        assert look == datetime.fromisoformat(public[-1].at) + timedelta(days=7)
