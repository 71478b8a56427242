"""Seats are their holders': how they are freed, who may sit where after all they have seen."""

from __future__ import annotations

import json
from datetime import timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone, translation

from laager.base import Refusal, RefusedError
from laager.web.models import Game, Invitation, Member, Player, Role, SeatChange, SeatWish
from laager.web.records.log import feed
from laager.web.seats import members, pending_mails, seating, seatlog
from laager.web.shared import mails, tokens
from tests.web.conftest import add_spectator, seat

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People


def link(game: Game, user: Player, role: str, side: str = "", name: str = "axis") -> str:
    return members.invite(seat(game, user, name), role, side)[1]


def take(key: str, user: Player) -> Member | None:
    return members.accept(members.open_invitation(key).pk, user)


def seats(game: Game, user: Player) -> set[str]:
    return {one.seat for one in Member.objects.filter(game=game, user=user)}


def happened(game: Game) -> list[str]:
    """Return what happened to the seats since the campaign began, the oldest first."""
    return [seatlog.words(one) for one in reversed(seatlog.changes(game))][len(BEGUN) :]


BEGUN = {
    "anna is the owner of the campaign now.",
    "anna took the seat “Germans, player”.",
    "bert took the seat “Soviets, player”.",
    "cleo took the seat “umpire”.",
}


def number(game: Game, user: Player) -> int:
    return int(Member.objects.get(game=game, user=user).pk)


def wait_over(game: Game, by: timedelta = timedelta(0)) -> None:
    """Let the time of all announcements be over."""
    Member.objects.filter(game=game, freed_on__isnull=False).update(freed_on=timezone.now() - by)


def page(people_: People, user: Player, game: Game, name: str, rest: str = "people/") -> str:
    answer = people_.client(user).get(f"/campaign/{game.pk}/{name}/{rest}")
    assert answer.status_code == 200
    return answer.content.decode()


class Api:
    """Calls of the API about a campaign, from somebody's seat."""

    def __init__(self, user: Player, game: Game, name: str) -> None:
        self.key = tokens.make(user, "tests")
        self.base = f"/api/v1/campaigns/{game.pk}/{name}"

    def __call__(self, method: str, rest: str, **sent: Any) -> Any:
        return Client().generic(
            method, self.base + rest, json.dumps(sent) if sent else "", "application/json",
            headers={"Authorization": f"Bearer {self.key}"},
        )  # fmt: skip


# Freeing ------------------------------------------------------------------------------------------


def test_the_owner_cannot_throw_an_opponent_out(people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.bert)
    client = people.client(people.anna)
    remove = f"/campaign/{game.pk}/axis/people/remove/{pk}/"
    assert client.post(remove).status_code == 302
    # Announced, and nothing more, however often it is tried.
    again = client.post(remove)
    assert again.status_code == 409
    assert "can still come back until" in again.content.decode()
    assert Api(people.anna, game, "axis")("DELETE", f"/members/{pk}").status_code == 409
    assert seats(game, people.bert) == {"allied"}
    said = happened(game)
    assert len(said) == 1
    assert said[0].startswith("anna announced that bert may lose the seat “Soviets, player” from ")
    # Everybody can read it, on both pages, by the API and in the feed.
    for user, name in ((people.anna, "axis"), (people.cleo, "umpire")):
        assert "anna announced" in page(people, user, game, name)
        assert "anna announced" in page(people, user, game, name, "log")
        told = Api(user, game, name)("GET", "/people").json()
        assert told["changes"][0]["text"] == said[0]
        assert told["changes"][0]["kind"] == "announced"
        assert {one["username"] for one in told["members"] if one["freed_on"]} == {"bert"}
        news = feed.items(seat(game, user, name))
        assert said[0] in {one.title for one in news}


def test_an_announced_seat_is_freed_when_the_time_is_over(people: People, begin: Begin) -> None:
    game = begin(waiting_days=3)
    pk = number(game, people.bert)
    before = timezone.now()
    api = Api(people.anna, game, "axis")
    announced = api("DELETE", f"/members/{pk}")
    assert announced.status_code == 202
    freed_on = Member.objects.get(pk=pk).freed_on
    assert freed_on is not None
    assert timedelta(days=3) <= freed_on - before < timedelta(days=3, minutes=1)
    wait_over(game)
    assert "Free the seat" in page(people, people.anna, game, "axis")
    assert api("DELETE", f"/members/{pk}").status_code == 204
    assert api("DELETE", f"/members/{pk}").status_code == 404
    assert seats(game, people.bert) == set()
    assert happened(game)[-1] == "anna freed the seat “Soviets, player” of bert."
    # Who comes to the seat reads it before taking it, and afterwards.
    guest = people.client(people.dora)
    shown = guest.get(f"/invitation/{link(game, people.anna, 'player', 'allied')}/", follow=True)
    assert "anna freed the seat “Soviets, player” of bert." in shown.content.decode()
    guest.post("/invitation/")
    assert "anna freed the seat “Soviets" in page(people, people.dora, game, "allied")


@pytest.mark.parametrize("how", ["page", "other page", "api"])
def test_who_comes_back_keeps_the_seat(how: str, people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.bert)
    seating.free_seat(seat(game, people.anna, "axis"), pk)
    wait_over(game)
    if how == "api":
        assert Api(people.bert, game, "allied")("GET", "").status_code == 200
    else:
        rest = "people/" if how == "page" else "map"
        assert "it stays yours" in page(people, people.bert, game, "allied", rest)
    assert happened(game)[-1] == "bert came back and keeps the seat “Soviets, player”."
    assert Member.objects.get(pk=pk).freed_on is None
    # All begins anew.
    assert seating.free_seat(seat(game, people.anna, "axis"), pk).freed_on is not None
    assert seats(game, people.bert) == {"allied"}


def test_what_an_open_page_asks_by_itself_is_no_coming_back(people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.bert)
    seating.free_seat(seat(game, people.anna, "axis"), pk)
    client = people.client(people.bert)
    for rest in ("tag", "events"):
        assert client.get(f"/campaign/{game.pk}/allied/{rest}").status_code in {200, 204}
    assert Api(people.bert, game, "allied")("GET", "/wait?seconds=0").status_code == 200
    assert Member.objects.get(pk=pk).freed_on is not None
    assert client.get("/").status_code == 200
    assert Member.objects.get(pk=pk).freed_on is None


def test_the_owner_is_an_opponent_too(people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.anna)
    bert = Api(people.bert, game, "allied")
    assert bert("DELETE", f"/members/{pk}").status_code == 202
    wait_over(game)
    assert bert("DELETE", f"/members/{pk}").status_code == 204
    game.refresh_from_db()
    assert game.owner == people.bert
    assert happened(game)[-2:] == [
        "bert is the owner of the campaign now.",
        "bert freed the seat “Germans, player” of anna.",
    ]


def test_the_umpires_seat_is_freed_in_the_same_way(people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.cleo)
    remove = f"/campaign/{game.pk}/allied/people/remove/{pk}/"
    client = people.client(people.bert)
    assert client.post(remove).status_code == 302
    assert client.post(remove).status_code == 409
    assert seats(game, people.cleo) == {"umpire"}
    wait_over(game)
    assert client.post(remove).status_code == 302
    assert seats(game, people.cleo) == set()


def test_an_announcement_can_be_called_off_by_who_made_it(people: People, begin: Begin) -> None:
    game = begin()
    pk = number(game, people.bert)
    keep = f"/campaign/{game.pk}/axis/people/keep/{pk}/"
    client = people.client(people.anna)
    assert client.post(keep).status_code == 409
    seating.free_seat(seat(game, people.anna, "axis"), pk)
    umpire = Api(people.cleo, game, "umpire")
    assert umpire("POST", f"/members/{pk}/keep").status_code == 403
    assert "Call it off" in page(people, people.anna, game, "axis")
    assert client.post(keep).status_code == 302
    assert happened(game)[-1] == "anna called it off, and bert keeps the seat “Soviets, player”."
    assert Member.objects.get(pk=pk).freed_on is None
    seating.free_seat(seat(game, people.cleo, "umpire"), pk)
    assert umpire("POST", f"/members/{pk}/keep").status_code == 204


def test_who_only_looks_announces_nothing_and_nobody_frees_an_own_seat(people: People, begin: Begin) -> None:
    game = begin()
    add_spectator(game, people.dora)
    pk = number(game, people.bert)
    remove = f"/campaign/{game.pk}/spectator/people/remove/{pk}/"
    assert people.client(people.dora).post(remove).status_code == 403
    with pytest.raises(RefusedError, match="you can leave it"):
        seating.free_seat(seat(game, people.bert, "allied"), pk)
    assert happened(game) == []


def test_the_holder_gets_a_mail(people: People, begin: Begin) -> None:
    game = begin()
    mail.outbox.clear()
    people.bert.language = "de"
    people.bert.time_zone = "Europe/Berlin"
    people.bert.save()
    member = Member.objects.get(game=game, user=people.bert)
    member.freed_by, member.freed_on = people.anna, timezone.now()
    pending_mails.announce_freeing(member)
    Player.objects.filter(pk=people.bert.pk).update(mails=False)
    pending_mails.announce_freeing(Member.objects.get(pk=member.pk))
    mails.drain()
    (sent,) = mail.outbox
    assert sent.to == ["bert@example.org"]
    assert "Platz" in sent.subject
    assert "anna" in str(sent.body)
    assert f"/campaign/{game.pk}/allied/" in str(sent.body)


@pytest.mark.parametrize("days", ["0", "91", "x", "-1"])
def test_the_waiting_time_is_chosen_at_the_beginning(days: str, people: People) -> None:
    client = people.client(people.anna)
    wrong = client.post("/new/rzhavets", {"seat": "axis", "waiting-days": days})
    assert wrong.status_code == 422
    assert "1 to 90 days" in wrong.content.decode()
    assert not Game.objects.exists()
    client.post("/new/rzhavets", {"seat": "axis", "waiting-days": "12"})
    game = Game.objects.get()
    assert game.waiting_days == 12
    told = Api(people.anna, game, "axis")
    assert told("GET", "/people").json()["waiting_days"] == 12
    # No change of the settings changes it.
    assert told("PATCH", "/settings", title="x", waiting_days=1).status_code in {204, 422}
    game.refresh_from_db()
    assert game.waiting_days == 12


# Who has seen what --------------------------------------------------------------------------------


def test_the_umpire_of_a_campaign_cannot_sit_down_as_a_side_by_itself(people: People, begin: Begin) -> None:
    """The audit's way to every coming roll: begin as umpire, look, leave, sit down as a side."""
    game = begin()
    Game.objects.filter(pk=game.pk).update(owner=people.cleo)
    key = link(game, people.cleo, "player", "axis", "umpire")
    add_spectator(game, people.cleo)
    seating.leave_seat(seat(game, people.cleo, "umpire"))
    seating.leave_seat(seat(game, people.anna, "axis"))
    client = people.client(people.cleo)
    client.get(f"/invitation/{key}/")
    answer = client.post("/invitation/")
    assert answer.status_code == 409
    assert "when these have agreed: Soviets. " in answer.content.decode()
    assert seats(game, people.cleo) == {"spectator"}
    assert happened(game)[-1] == (
        "cleo asks for the seat “Germans, player”, but has seen secrets that it shouldn't know."
    )
    # The other side refuses, then agrees; then the same link gives the seat.
    wish = SeatWish.objects.get()
    assert "Consent to a seat" in page(people, people.bert, game, "allied")
    consent = f"/campaign/{game.pk}/allied/people/consent/{wish.pk}/"
    assert people.client(people.bert).post(consent, {"agree": "no"}).status_code == 302
    assert happened(game)[-1] == "bert refused the seat “Germans, player” to cleo."
    assert client.post("/invitation/").status_code == 409
    bert = Api(people.bert, game, "allied")
    (waits,) = bert("GET", "/people").json()["wishes"]
    assert waits["yours"] is True
    assert bert("POST", f"/wishes/{waits['id']}", agree=True).status_code == 204
    assert bert("POST", f"/wishes/{waits['id']}", agree=True).status_code == 404
    assert client.post("/invitation/").status_code == 302
    assert seats(game, people.cleo) == {"spectator", "axis"}
    assert happened(game)[-2:] == [
        "bert agreed that cleo takes the seat “Germans, player”.",
        "cleo took the seat “Germans, player”.",
    ]
    assert not SeatWish.objects.exists()


def test_the_way_of_the_audit_through_the_opponents_seat(people: People, begin: Begin) -> None:
    """Remove the opponent, take that seat and the umpire's, read all, give it back."""
    game = begin()
    seating.leave_seat(seat(game, people.cleo, "umpire"))
    anna = seat(game, people.anna, "axis")
    seating.free_seat(anna, number(game, people.bert))
    with pytest.raises(RefusedError, match="can't see what is secret"):
        take(link(game, people.anna, "player", "allied"), people.anna)
    with pytest.raises(RefusedError, match="can't see what is secret"):
        take(link(game, people.anna, "umpire"), people.anna)
    # When the opponent has stayed away all the time, it goes on alone; and that is written.
    wait_over(game)
    seating.free_seat(anna, number(game, people.bert))
    take(link(game, people.anna, "player", "allied"), people.anna)
    assert happened(game)[-1] == "anna took the seat “Soviets, player”."
    key = link(game, people.anna, "player", "allied")
    shown = people.client(people.bert).get(f"/invitation/{key}/", follow=True).content.decode()
    assert "anna has seen secrets of Soviets" in shown
    assert "anna freed the seat “Soviets, player” of bert." in shown
    take(key, people.bert)
    assert seats(game, people.anna) == {"axis"}
    assert happened(game)[-2:] == [
        "anna gave up the seat “Soviets, player” when bert came to play.",
        "bert took the seat “Soviets, player”.",
    ]
    # Once somebody else plays, what was seen counts.
    add_spectator(game, people.anna)
    seating.leave_seat(anna)
    with pytest.raises(RefusedError, match="have agreed: Soviets"):
        take(link(game, people.anna, "mate", "allied", "spectator"), people.anna)
    with pytest.raises(RefusedError) as err:
        take(link(game, people.anna, "player", "axis", "spectator"), people.anna)
    assert err.value.code is Refusal.NEEDS_CONSENT


def test_both_sides_must_agree(people: People, begin: Begin) -> None:
    game = begin()
    key = link(game, people.anna, "player", "axis")
    seating.leave_seat(seat(game, people.cleo, "umpire"))
    with pytest.raises(RefusedError, match="have agreed: Germans, Soviets"):
        take(key, people.cleo)
    wish = SeatWish.objects.get()
    seating.consent(seat(game, people.bert, "allied"), wish.pk, True)
    with pytest.raises(RefusedError, match="have agreed: Germans"):
        take(key, people.cleo)
    with pytest.raises(RefusedError, match="nobody is waiting for your consent"):
        seating.consent(seat(game, people.bert, "allied"), wish.pk, True)
    seating.consent(seat(game, people.anna, "axis"), wish.pk, True)
    take(key, people.cleo)
    assert seats(game, people.cleo) == {"axis"}


def test_nobody_agrees_to_an_own_wish_and_mates_and_umpires_to_none(people: People, begin: Begin) -> None:
    game = begin()
    emil = Player.objects.create_user("emil")
    take(link(game, people.anna, "mate", "axis"), emil)
    key = link(game, people.anna, "player", "allied")
    take(link(game, people.anna, "mate", "axis"), people.dora)
    seating.leave_seat(seat(game, people.dora, "axis"))
    with pytest.raises(RefusedError, match="have agreed: Germans, Soviets"):
        take(key, people.dora)
    pk = SeatWish.objects.get().pk
    for user, name in ((emil, "axis"), (people.cleo, "umpire")):
        address = f"/campaign/{game.pk}/{name}/people/consent/{pk}/"
        assert people.client(user).post(address, {"agree": "yes"}).status_code == 403
    # Another person does not come in by a link that somebody waits with.
    seating.leave_seat(seat(game, emil, "axis"))
    with pytest.raises(RefusedError, match="somebody else is waiting"):
        take(key, emil)


def test_who_was_a_mate_comes_back_to_the_same_side_without_asking(people: People, begin: Begin) -> None:
    game = begin()
    take(link(game, people.anna, "mate", "axis"), people.dora)
    seating.leave_seat(seat(game, people.dora, "axis"))
    take(link(game, people.anna, "player", "axis"), people.dora)
    assert seats(game, people.dora) == {"axis"}
    add_spectator(game, people.dora)


def test_a_campaign_with_an_umpire_alone_is_played_on_by_the_umpire(people: People, begin: Begin) -> None:
    game = begin()
    Game.objects.filter(pk=game.pk).update(owner=people.cleo)
    game.refresh_from_db()
    Member.objects.filter(game=game).exclude(user=people.cleo).delete()
    take(link(game, people.cleo, "player", "axis", "umpire"), people.cleo)
    assert seats(game, people.cleo) == {"umpire", "axis"}
    key = link(game, people.cleo, "player", "allied", "umpire")
    shown = people.client(people.dora).get(f"/invitation/{key}/", follow=True).content.decode()
    assert "cleo has seen secrets of Soviets" in shown
    assert "gives up the seat" in shown
    take(key, people.dora)
    assert seats(game, people.cleo) == {"axis"}


def test_no_seat_is_given_up_that_its_holder_has_not_offered(people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.filter(game=game).exclude(user=people.anna).delete()
    Member.objects.create(game=game, user=people.anna, role=Role.PLAYER, side="allied")
    Game.objects.filter(pk=game.pk).update(owner=people.cleo)
    add_spectator(game, people.cleo)
    key = link(game, people.cleo, "player", "allied", "spectator")
    with pytest.raises(RefusedError, match="anna would have to give up a seat"):
        take(key, people.bert)
    assert seats(game, people.anna) == {"axis", "allied"}
    seating.leave_seat(seat(game, people.anna, "allied"))
    assert take(key, people.bert)


def test_players_withdraw_an_invitation_that_shows_their_secrets(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.bert)
    for role, side, code in (
        ("mate", "allied", 302), ("umpire", "", 302), ("mate", "axis", 403), ("spectator", "", 403),
    ):  # fmt: skip
        made, _key = people_invite(game, people.anna, role, side)
        told = Api(people.bert, game, "allied")("GET", "/people").json()["invitations"]
        assert (made.pk in {one["id"] for one in told}) is (code == 302)
        answer = client.post(f"/campaign/{game.pk}/allied/people/withdraw/{made.pk}/")
        assert answer.status_code == code, role
    assert Invitation.objects.count() == 2


def people_invite(game: Game, user: Player, role: str, side: str) -> tuple[Invitation, str]:
    return members.invite(seat(game, user, "axis"), role, side)


# What is written ----------------------------------------------------------------------------------


def test_changes_are_read_in_the_readers_language(people: People, begin: Begin) -> None:
    game = begin()
    seating.hand_on(seat(game, people.anna, "axis"), people.bert.pk)
    seating.leave_seat(seat(game, people.anna, "axis"))
    seating.free_seat(seat(game, people.bert, "allied"), number(game, people.cleo))
    with translation.override("de"):
        said = happened(game)
    assert said[0] == "bert gehört jetzt die Kampagne."
    assert said[1] == "anna hat den Platz „Deutsche, Spieler“ verlassen."
    assert "cleo" in said[2]
    assert not any(words in " ".join(said) for words in ("seat", "the "))


def test_what_was_written_outlasts_an_account(people: People, begin: Begin) -> None:
    game = begin()
    seating.leave_seat(seat(game, people.bert, "allied"))
    people.bert.delete()
    assert happened(game)[-1] == "bert left the seat “Soviets, player”."
    assert set(seatlog.secrets_seen(game)) == {people.anna.pk, people.cleo.pk}


def test_the_admin_frees_no_seat(people: People, begin: Begin) -> None:
    game = begin()
    people.dora.is_staff = people.dora.is_superuser = True
    people.dora.save()
    client = people.client(people.dora)
    sure = {"post": "yes"}
    pk = number(game, people.bert)
    assert client.post(f"/admin/web/member/{pk}/delete/", sure).status_code == 403
    client.post(f"/admin/web/player/{people.bert.pk}/delete/", sure)
    assert seats(game, people.bert) == {"allied"}
    # A whole campaign can go.
    assert client.post(f"/admin/web/game/{game.pk}/delete/", sure).status_code == 302
    assert not Game.objects.exists()


def test_of_campaigns_begun_before_the_seats_are_written_as_they_are(begin: Begin) -> None:
    game = begin()
    SeatChange.objects.all().delete()
    step: Any = import_module("laager.web.migrations.0004_first_seat_changes").Migration
    step.operations[0].code(apps, None)
    assert {seatlog.words(one) for one in seatlog.changes(game)} == {*BEGUN} - {
        "anna is the owner of the campaign now."
    }
    since = dict(Member.objects.values_list("user", "since"))
    assert {one.who_id: one.at for one in seatlog.changes(game)} == since
