"""Deleting accounts: what goes, what stays and is said before, and when it can be done."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from laager.base import RefusedError
from laager.campaign.audit import audit
from laager.web.accounts import deletion
from laager.web.models import ApiToken, Game, Member, Note, OwnFile, Player, Role, Webhook
from laager.web.seats import seating, seatlog
from laager.web.shared import mails, tokens
from tests.web.conftest import add_spectator, seat, take_defaults
from tests.web.serving import database_of_tests, run_laager

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import Begin, People

WAIT = timedelta(days=seating.WAITING_DAYS)


def log_in(user: Player) -> Client:
    """Log in as people do, with the password."""
    client = Client()
    sent = {"username": user.username, "password": f"{user.username}-secret-word"}
    assert client.post("/login/", sent).status_code == 302
    return client


def is_sound(game: Game, people: People) -> bool:
    """Return True if the campaign verifies, as its umpire sees it."""
    from laager.web.campaigns.tables import look

    with look(seat(game, people.cleo, "umpire")) as table:
        return not audit(table.campaign).findings


def happened(game: Game) -> list[str]:
    """Return what happened to the seats, the newest first."""
    return [seatlog.words(one) for one in seatlog.changes(game)]


# One's own ----------------------------------------------------------------------------------------


def test_an_account_goes_with_all_its_own_and_campaigns_go_on(people: People, begin: Begin) -> None:
    game = begin()
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 6)
    member = Member.objects.get(game=game, user=people.bert)
    Webhook.objects.create(member=member, kind="generic", url="https://example.org", secret="x")
    Member.objects.filter(pk=member.pk).update(mail_due=timezone.now(), untold={"x": timezone.now().isoformat()})
    Note.objects.create(game=game, seat="allied", by=people.bert, text="Hold the mill")
    OwnFile.objects.create(owner=people.bert, name="card.yaml", text="laager: pl-card/1\n")
    key = tokens.make(people.bert, "laptop")
    here, elsewhere, other = log_in(people.bert), log_in(people.bert), log_in(people.anna)
    page = here.get("/account/delete/").content.decode()
    assert f"{game.title}: Soviets, player" in page
    assert "keep the name as it was written" in page

    assert here.post("/account/delete/", {"password": "wrong-word-altogether"}).status_code == 422
    assert Player.objects.filter(username="bert").exists()
    gone = here.post("/account/delete/", {"password": "bert-secret-word"}, follow=True)
    assert "Your account is deleted." in gone.content.decode()
    assert not Player.objects.filter(username="bert").exists()
    assert [model.objects.count() for model in (Webhook, OwnFile, ApiToken)] == [0, 0, 0]
    assert not Member.objects.filter(game=game, side="allied").exists()
    assert [one.get("/account/").status_code for one in (here, elsewhere, other)] == [302, 302, 200]
    assert not any(one.get_decoded().get("_auth_user_id") == str(people.bert.pk) for one in Session.objects.all())
    bearer = {"Authorization": f"Bearer {key}"}
    assert Client().get("/api/v1/me", headers=bearer).status_code == 401

    assert happened(game)[0] == "bert left the seat “Soviets, player”."
    assert is_sound(game, people)
    Member.objects.create(game=game, user=people.dora, role=Role.PLAYER, side="allied")
    notes = people.client(people.dora).get(f"/campaign/{game.pk}/allied/notes").content.decode()
    assert "Hold the mill" in notes
    assert take_defaults([seat(game, people.anna, "axis"), seat(game, people.dora, "allied")], 6)
    assert is_sound(game, people)


def test_an_owner_hands_over_first_and_campaigns_of_nobody_else_go(people: People, begin: Begin) -> None:
    shared, alone = begin(), begin(title="Alone")
    Member.objects.filter(game=alone).exclude(user=people.anna).delete()
    client = people.client(people.anna)
    page = client.get("/account/delete/").content.decode()
    assert f'href="/campaign/{shared.pk}/axis/people/"' in page
    assert "<li>Alone</li>" in page
    assert 'name="password"' not in page
    refused = client.post("/account/delete/", {"password": "anna-secret-word"})
    assert refused.status_code == 403
    assert shared.title in refused.content.decode()
    assert Game.objects.count() == 2
    seating.hand_on(seat(shared, people.anna, "axis"), people.bert.pk)
    assert client.post("/account/delete/", {"password": "anna-secret-word"}).status_code == 302
    assert set(Game.objects.values_list("title", "owner__username")) == {(shared.title, "bert")}


def test_a_server_keeps_an_owner(people: People, host: Player) -> None:
    client = people.client(host)
    assert "laager serve --owner-link" in client.get("/account/delete/").content.decode()
    with pytest.raises(RefusedError, match="nobody else owns this server"):
        deletion.delete_own(host)
    people.anna.is_superuser = True
    people.anna.save()
    deletion.delete_own(host)
    assert not Player.objects.filter(username="dora").exists()


# By the host --------------------------------------------------------------------------------------


def test_the_host_announces_it_first(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    mail.outbox.clear()
    client, address = people.client(host), f"/host/account/{people.anna.pk}/"
    sure = {"what": "delete", "name": "anna"}
    page = client.get(address).content.decode()
    assert "gets a mail and keeps the account by logging in within 7 days" in page
    assert 'name="name"' not in page
    assert client.post(address, sure).status_code == 409
    assert client.post(address, {"what": "announce"}).status_code == 302
    mails.drain()
    [sent] = mail.outbox
    assert sent.to == ["anna@example.org"]
    assert "To keep it, just log in before" in sent.body
    assert client.post(address, sure).status_code == 409

    # Who comes back keeps the account.
    people.client(people.anna).get("/")
    assert Player.objects.get(username="anna").deletion_on is None

    deletion.announce(people.anna)
    Player.objects.filter(username="anna").update(deletion_on=timezone.now() - timedelta(minutes=1))
    assert 'name="name"' in client.get(address).content.decode()
    wrong = client.post(address, {"what": "delete", "name": "Anna"})
    assert wrong.status_code == 422
    assert Player.objects.filter(username="anna").exists()
    assert client.post(address, sure).status_code == 302
    assert not Player.objects.filter(username="anna").exists()
    game.refresh_from_db()
    # Bert has sat longest of the players, and the seatlog says all of it to everybody.
    assert game.owner == people.bert
    assert happened(game)[:2] == [
        "dora freed the seat “Germans, player” of anna.",
        "bert is the owner of the campaign now.",
    ]
    assert is_sound(game, people)


def test_an_announcement_stands_for_the_days_of_the_campaigns(people: People, begin: Begin) -> None:
    begin(waiting_days=30)
    until = deletion.announce(people.bert)
    assert timedelta(days=29) < until - timezone.now() <= timedelta(days=30)
    assert deletion.announce(people.bert) == until
    deletion.call_off(people.bert)
    assert Player.objects.get(username="bert").deletion_on is None


def test_who_only_watches_goes_at_once(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    fred = Player.objects.create_user("fred")
    add_spectator(game, fred)
    answer = people.client(host).post(f"/host/account/{fred.pk}/", {"what": "delete", "name": "fred"})
    assert answer.status_code == 302
    assert happened(game)[0] == "dora freed the seat “spectator” of fred."


def test_hosts_do_not_delete_one_another(people: People, host: Player) -> None:
    people.anna.is_superuser = True
    people.anna.save()
    client = people.client(host)
    sent = [{"what": "announce"}, {"what": "delete", "name": "anna"}]
    assert [client.post(f"/host/account/{people.anna.pk}/", one).status_code for one in sent] == [403, 403]
    assert Player.objects.filter(username="anna").exists()


def test_nobody_else_has_that_page(people: People, host: Player) -> None:
    sent = {"what": "delete", "name": "bert"}
    assert people.client(people.anna).post(f"/host/account/{people.bert.pk}/", sent).status_code == 404
    assert people.client(None).post(f"/host/account/{people.bert.pk}/", sent).status_code == 302
    assert people.client(host).get("/host/account/0/").status_code == 404
    assert Player.objects.filter(username="bert").exists()


# Backups ------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_backup_without_the_account_comes_back_and_verifies(
    people: People, begin: Begin, tmp_path: Path, new_database: str
) -> None:
    game = begin()
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 6)
    deletion.delete_own(people.bert)
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    connection.close()
    saved = run_laager(tmp_path / "old", database_of_tests(), "backup", "all.zip", "--json", **key)
    assert saved.returncode == 0, saved
    back: Any = run_laager(tmp_path / "data", new_database, "restore", "all.zip", "--json", **key)
    assert back.returncode == 0, back
    assert '"good": true' in back.stdout
    assert '"campaigns": 1' in back.stdout
