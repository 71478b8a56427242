"""Invitations and seats: who may sit where, and who may not see two sides."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from laager.base import RefusedError
from laager.web.campaigns import actions
from laager.web.models import Game, Invitation, Member, Player, Role
from laager.web.seats import members
from laager.web.shared import tokens
from tests.web.conftest import add_spectator, seat

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People


@pytest.fixture
def alone(people: People, begin: Begin) -> Game:
    """A campaign that anna plays alone, on both sides."""
    game = begin()
    Member.objects.filter(game=game).exclude(user=people.anna).delete()
    Member.objects.create(game=game, user=people.anna, role=Role.PLAYER, side="allied")
    return game


@pytest.fixture
def half(people: People, begin: Begin) -> Game:
    """A campaign of which anna plays the axis, and the allied are free."""
    game = begin()
    Member.objects.filter(game=game).exclude(user=people.anna).delete()
    return game


def _seats(game: Game, user: Player) -> set[tuple[str, str]]:
    return set(Member.objects.filter(game=game, user=user).values_list("role", "side"))


def _key(game: Game, user: Player, role: str, side: str = "", name: str = "axis") -> str:
    return members.invite(seat(game, user, name), role, side)[1]


def _take(key: str, user: Player) -> Member | None:
    return members.accept(members.open_invitation(key).pk, user)


# By the pages -------------------------------------------------------------------------------------


def test_somebody_new_opens_an_invitation_registers_and_sits(people: People, half: Game) -> None:
    owner = people.client(people.anna)
    page = owner.post(f"/campaign/{half.pk}/axis/people/invite/", {"seat": "player:allied", "days": "7"})
    link = re.search(r'"http://testserver(/invitation/[^"]+)"', page.content.decode())
    assert link
    guest = Client()
    shown = guest.get(link[1], follow=True)
    assert half.title in shown.content.decode()
    answer = guest.post(
        "/register/",
        {"username": "emil", "email": "", "password1": "quiet-river-9",
         "password2": "quiet-river-9"},
        follow=True,
    )  # fmt: skip
    assert answer.redirect_chain[-1][0] == f"/campaign/{half.pk}/allied/"
    assert answer.status_code == 200
    assert _seats(half, Player.objects.get(username="emil")) == {("player", "allied")}
    assert Client().get(link[1]).status_code == 404


def test_who_has_an_account_logs_in_first(people: People, half: Game) -> None:
    key = _key(half, people.anna, "player", "allied")
    guest = Client()
    guest.get(f"/invitation/{key}/")
    assert guest.post("/invitation/").status_code == 302
    answer = guest.post("/login/", {"username": "bert", "password": "bert-secret-word"})
    assert answer["Location"] == "/invitation/"
    assert "bert" in guest.get("/invitation/").content.decode()
    assert guest.post("/invitation/")["Location"] == f"/campaign/{half.pk}/allied/"


def test_links_do_not_stay_in_addresses(people: People, half: Game) -> None:
    key = _key(half, people.anna, "spectator")
    answer = Client().get(f"/invitation/{key}/")
    assert answer["Location"] == "/invitation/"
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("how", ["withdrawn", "too old", "taken", "never was"])
def test_an_invitation_that_is_not_good_looks_the_same_however_it_is(how: str, people: People, half: Game) -> None:
    key = _key(half, people.anna, "spectator")
    row = Invitation.objects.get()
    if how == "withdrawn":
        members.withdraw(seat(half, people.anna, "axis"), row.pk)
    elif how == "too old":
        Invitation.objects.update(ends=timezone.now() - timedelta(seconds=1))
    elif how == "taken":
        _take(key, people.dora)
    else:
        key = tokens.new_key()
    answer = Client().get(f"/invitation/{key}/")
    assert answer.status_code == 404
    assert "has expired" in answer.content.decode()
    with pytest.raises(RefusedError, match="has expired"):
        _take(key, people.bert)


def test_an_invitation_opened_before_it_was_withdrawn_seats_nobody(people: People, half: Game) -> None:
    key = _key(half, people.anna, "player", "allied")
    guest = people.client(people.bert)
    guest.get(f"/invitation/{key}/")
    members.withdraw(seat(half, people.anna, "axis"), Invitation.objects.get().pk)
    assert guest.post("/invitation/").status_code == 404
    assert _seats(half, people.bert) == set()


def test_everybody_sees_who_sits_where_and_only_the_owner_changes_it(people: People, begin: Begin) -> None:
    game = begin()
    add_spectator(game, people.dora)
    for user, name in (
        (people.anna, "axis"), (people.bert, "allied"), (people.cleo, "umpire"),
        (people.dora, "spectator"),
    ):  # fmt: skip
        page = people.client(user).get(f"/campaign/{game.pk}/{name}/people/").content.decode()
        assert all(who in page for who in ("anna", "bert", "cleo", "dora"))
        assert ("Make the link" in page) == (user == people.anna)


PAGES: dict[str, dict[str, Any]] = {
    "invite/": {"seat": "umpire:", "days": "7"},
    "withdraw/1/": {},
    "hand-on/": {"to": "1"},
    "rename/": {"title": "Mine"},
    "archive/": {"archived": "yes"},
}


@pytest.mark.parametrize("page", PAGES)
def test_only_the_owner_manages(page: str, people: People, begin: Begin) -> None:
    game = begin()
    before = (list(Member.objects.values()), Game.objects.values().get())
    for user, name, code in (
        (people.bert, "allied", 403), (people.cleo, "umpire", 403), (people.dora, "axis", 404),
        (None, "axis", 302),
    ):  # fmt: skip
        client = people.client(user)
        assert client.post(f"/campaign/{game.pk}/{name}/people/{page}", PAGES[page]).status_code == code
    assert client.get(f"/campaign/{uuid4()}/axis/people/").status_code == 302
    assert (list(Member.objects.values()), Game.objects.values().get()) == before
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ({"seat": "king:", "days": "7"}, "there is no role"),
        ({"seat": "player:", "days": "7"}, "needs a side"),
        ({"seat": "player:martians", "days": "7"}, "needs a side"),
        ({"seat": "umpire:axis", "days": "7"}, "sits on no side"),
        ({"seat": "umpire:", "days": "0"}, "1 to 90"),
        ({"seat": "umpire:", "days": "-3"}, "1 to 90"),
        ({"seat": "umpire:", "days": "٣"}, "1 to 90"),
        ({"seat": "umpire:", "days": "9" * 5000}, "1 to 90"),
        ({}, "1 to 90"),
    ],
)
def test_bad_invitations_are_refused_beside_what_was_typed(
    offer: dict[str, str], said: str, people: People, half: Game
) -> None:
    client = people.client(people.anna)
    answer = client.post(f"/campaign/{half.pk}/axis/people/invite/", offer)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Invitation.objects.exists()


def test_open_invitations_have_an_end(people: People, half: Game) -> None:
    for _ in range(members.MOST_OPEN):
        _key(half, people.anna, "spectator")
    with pytest.raises(RefusedError, match="withdraw one first"):
        _key(half, people.anna, "spectator")


@pytest.mark.parametrize("how", ["archived", "taken", "withdrawn"])
def test_an_invitation_that_gives_no_seat_makes_no_account(how: str, people: People, half: Game) -> None:
    key = _key(half, people.anna, "player", "allied")
    guest = Client()
    assert guest.get(f"/invitation/{key}/", follow=True).status_code == 200
    if how == "archived":
        Game.objects.update(archived=True)
        assert Client().get(f"/invitation/{key}/").status_code == 409
    elif how == "taken":
        _take(key, people.dora)
    else:
        Invitation.objects.all().delete()
    for name in ("emil", "fritz"):
        fields = {"username": name, "email": "", "password1": "quiet-river-9"}
        answer = guest.post("/register/", fields | {"password2": "quiet-river-9"})
        assert answer.status_code == 403
    assert Player.objects.count() == 4


def test_who_comes_second_by_one_invitation_gets_no_account(
    people: People, half: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = _key(half, people.anna, "player", "allied")
    guest = Client()
    guest.get(f"/invitation/{key}/")
    accept = members.accept

    def late(pk: int, user: Player) -> Member | None:
        # Somebody else takes it while this account is made.
        monkeypatch.setattr(members, "accept", accept)
        accept(pk, people.dora)
        return accept(pk, user)

    monkeypatch.setattr(members, "accept", late)
    fields = {"username": "emil", "email": "", "password1": "quiet-river-9"}
    answer = guest.post("/register/", fields | {"password2": "quiet-river-9"})
    assert answer.status_code == 404
    assert not Player.objects.filter(username="emil").exists()
    assert "_auth_user_id" not in guest.session


# Nobody sees two sides ----------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "side"), [("player", "allied"), ("mate", "allied"), ("umpire", "")])
def test_who_plays_a_side_cannot_come_to_see_the_other(role: str, side: str, people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.filter(user=people.cleo).delete()
    key = _key(game, people.anna, role, side)
    with pytest.raises(RefusedError, match="can't see what is secret"):
        _take(key, people.anna)
    assert _seats(game, people.anna) == {("player", "axis")}
    assert Invitation.objects.get().taken is None


def test_the_umpire_cannot_come_to_play(people: People, begin: Begin) -> None:
    game = begin()
    with pytest.raises(RefusedError, match="can't see what is secret"):
        _take(_key(game, people.anna, "player", "axis"), people.cleo)


def test_one_person_may_take_all_while_nobody_else_plays(people: People, half: Game) -> None:
    _take(_key(half, people.anna, "player", "allied"), people.anna)
    _take(_key(half, people.anna, "umpire"), people.anna)
    _take(_key(half, people.anna, "umpire"), people.cleo)
    assert _seats(half, people.anna) == {("player", "axis"), ("player", "allied"), ("umpire", "")}


def test_who_comes_to_play_a_side_takes_it_over_from_who_played_alone(people: People, alone: Game) -> None:
    _take(_key(alone, people.anna, "umpire"), people.anna)
    key = _key(alone, people.anna, "player", "allied")
    shown = people.client(people.bert).get(f"/invitation/{key}/", follow=True).content.decode()
    assert shown.count("gives up the seat") == 2
    _take(key, people.bert)
    assert _seats(alone, people.anna) == {("player", "axis")}
    assert _seats(alone, people.bert) == {("player", "allied")}


def test_a_second_player_of_a_side_takes_nothing_from_the_first(people: People, begin: Begin) -> None:
    game = begin()
    _take(_key(game, people.anna, "player", "axis"), people.dora)
    assert _seats(game, people.anna) == {("player", "axis")}
    assert _seats(game, people.cleo) == {("umpire", "")}
    assert _seats(game, people.dora) == {("player", "axis")}


def test_a_seat_is_not_taken_twice(people: People, begin: Begin) -> None:
    game = begin()
    with pytest.raises(RefusedError, match="already"):
        _take(_key(game, people.anna, "player", "axis"), people.anna)
    # A team mate's seat of the same side would have the same address.
    with pytest.raises(RefusedError, match="already"):
        _take(_key(game, people.anna, "mate", "axis"), people.anna)


def test_a_team_mate_looks_and_does_not_answer(people: People, begin: Begin) -> None:
    game = begin()
    _take(_key(game, people.anna, "mate", "axis"), people.dora)
    mate = seat(game, people.dora, "axis")
    with pytest.raises(RefusedError, match="can't do this"):
        actions.concede(mate)


# Leaving, handing on ------------------------------------------------------------------------------


def test_who_leaves_sees_nothing_any_more(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.bert)
    assert client.post(f"/campaign/{game.pk}/allied/people/leave/")["Location"] == "/"
    assert client.get(f"/campaign/{game.pk}/allied/").status_code == 404


def test_the_owner_sends_a_spectator_away_and_nobody_else_does(people: People, begin: Begin) -> None:
    game = begin()
    pk = add_spectator(game, people.dora).member.pk
    for user, name, code in (
        (people.bert, "allied", 403), (people.cleo, "umpire", 403), (people.dora, "spectator", 403),
        (people.anna, "axis", 302), (people.anna, "axis", 404),
    ):  # fmt: skip
        answer = people.client(user).post(f"/campaign/{game.pk}/{name}/people/remove/{pk}/")
        assert answer.status_code == code
    assert _seats(game, people.dora) == set()


def test_seats_of_other_campaigns_are_out_of_reach(people: People, begin: Begin) -> None:
    game = begin()
    other = begin("rijnoord")
    pk = Member.objects.get(game=other, user=people.bert).pk
    answer = people.client(people.anna).post(f"/campaign/{game.pk}/axis/people/remove/{pk}/")
    assert answer.status_code == 404
    assert _seats(other, people.bert) == {("player", "allied")}


def test_the_owner_hands_on_before_leaving(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.anna)
    leave = f"/campaign/{game.pk}/axis/people/leave/"
    assert "make somebody else the owner first" in client.post(leave).content.decode()
    hand_on = f"/campaign/{game.pk}/axis/people/hand-on/"
    for nobody in (people.dora.pk, "", "x", "9" * 50):
        assert client.post(hand_on, {"to": nobody}).status_code == 404
    assert client.post(hand_on, {"to": people.bert.pk}).status_code == 302
    assert client.post(hand_on, {"to": people.bert.pk}).status_code == 403
    assert client.post(leave).status_code == 302
    game.refresh_from_db()
    assert game.owner == people.bert
    assert _seats(game, people.anna) == set()


def test_in_the_archive_nothing_is_answered_and_nobody_comes(people: People, begin: Begin) -> None:
    game = begin()
    key = _key(game, people.anna, "spectator")
    client = people.client(people.anna)
    archive = f"/campaign/{game.pk}/axis/people/archive/"
    client.post(archive, {"archived": "yes"})
    with pytest.raises(RefusedError, match="archive"):
        actions.concede(seat(game, people.bert, "allied"))
    with pytest.raises(RefusedError, match="archive"):
        _take(key, people.dora)
    client.post(archive, {"archived": "no"})
    assert _take(key, people.dora)


def test_a_campaign_is_renamed(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.anna)
    rename = f"/campaign/{game.pk}/axis/people/rename/"
    assert client.post(rename, {"title": "  "}).status_code == 422
    assert client.post(rename, {"title": "x" * 201}).status_code == 422
    client.post(rename, {"title": "Tuesday <b>"})
    assert "Tuesday &lt;b&gt;" in client.get(f"/campaign/{game.pk}/axis/people/").content.decode()


def test_a_campaign_is_handed_on_to_somebody_else(people: People, begin: Begin) -> None:
    page = people.client(people.anna).get(f"/campaign/{begin().pk}/axis/people/").content.decode()
    assert f'<option value="{people.bert.pk}">' in page
    assert f'<option value="{people.anna.pk}">' not in page
