"""The host's page of a campaign: another owner, a campaign given out as a file, and one taken in."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from laager.base import RefusedError
from laager.campaign.audit import audit
from laager.web.campaigns import actions, tables
from laager.web.campaigns.store import text_of
from laager.web.models import EntryLine, Game, Member, Player
from laager.web.seats import seatlog
from laager.web.seats.permissions import Action
from laager.web.shared import mails
from tests.web import planted
from tests.web.conftest import seat, take_defaults, untokened

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.web.conftest import Begin, People


def take_in(people: People, who: Player, data: bytes) -> HttpResponse:
    """Send a file to the host's page."""
    sent = {"file": SimpleUploadedFile("summer.laager", data)}
    return people.client(who).post("/host/take-in/", sent)  # type: ignore[return-value]


# Another owner ------------------------------------------------------------------------------------


def test_an_owner_who_is_gone_is_replaced_as_players_would_do_it(
    people: People, host: Player, begin: Begin, django_capture_on_commit_callbacks: Any
) -> None:
    game = begin()
    client, address = people.client(host), f"/host/campaign/{game.pk}/"
    assert "It belongs to anna." in client.get(address).content.decode()
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(address).status_code == 302
    mails.drain()
    assert [one.to for one in mail.outbox] == [["anna@example.org"]]
    assert "It is announced, and can be done from" in client.get(address).content.decode()
    assert client.post(address).status_code == 409
    # Who comes back keeps seat and campaign.
    people.client(people.anna).get(f"/campaign/{game.pk}/axis/")
    assert Member.objects.get(game=game, user=people.anna).freed_on is None

    client.post(address)
    # The list of campaigns is enough, and says so.
    assert "it stays yours" in people.client(people.anna).get("/").content.decode()
    assert Member.objects.get(game=game, user=people.anna).freed_on is None

    client.post(address)
    Member.objects.filter(game=game, user=people.anna).update(freed_on=timezone.now() - timedelta(minutes=1))
    assert client.post(address).status_code == 302
    game.refresh_from_db()
    assert game.owner == people.bert
    assert [seatlog.words(one) for one in seatlog.changes(game)][:2] == [
        "dora freed the seat “Germans, player” of anna.",
        "bert is the owner of the campaign now.",
    ]
    # The player who is owner now can invite somebody.
    assert seat(game, people.bert, "allied").may(Action.INVITE)


def test_nobody_becomes_the_owner_where_nobody_sits(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    Member.objects.filter(game=game).exclude(user=people.anna).delete()
    assert people.client(host).post(f"/host/campaign/{game.pk}/").status_code == 404
    assert not Member.objects.exclude(freed_on=None).exists()


def test_a_host_who_owns_a_campaign_isnt_called_gone(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    Game.objects.update(owner=host)
    text = people.client(host).get(f"/host/campaign/{game.pk}/").content.decode()
    assert "If dora is gone" not in text
    assert "you hand it on" in text


# The archive --------------------------------------------------------------------------------------


def change_archive(people: People, who: Player | None, game: Game, archived: str) -> int:
    """Press the button on the host's page; return the status."""
    return people.client(who).post(f"/host/campaign/{game.pk}/archive/", {"archived": archived}).status_code


def test_host_and_owner_archive_and_bring_back_the_same_way(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    page, own = f"/host/campaign/{game.pk}/", f"/campaign/{game.pk}/axis/people/archive/"
    words = "In the archive nobody can answer, but everybody can still look."
    for client, address in ((people.client(host), page), (people.client(people.anna), own.removesuffix("archive/"))):
        assert words in client.get(address).content.decode()
    assert change_archive(people, host, game, "yes") == 302
    assert words not in people.client(host).get(page).content.decode()
    assert "Unarchive" in people.client(host).get(page).content.decode()
    with pytest.raises(RefusedError, match="its owner or the host"):
        actions.concede(seat(game, people.bert, "allied"))
    # Whoever did it, both can bring it back; what changes nothing isn't written.
    assert change_archive(people, host, game, "yes") == 302
    assert people.client(people.anna).post(own, {"archived": "no"}).status_code == 302
    assert people.client(people.anna).post(own, {"archived": "yes"}).status_code == 302
    assert change_archive(people, host, game, "no") == 302
    assert [seatlog.words(one) for one in seatlog.changes(game)[:4]] == [
        "dora took the campaign out of the archive.", "anna archived the campaign.",
        "anna took the campaign out of the archive.", "dora archived the campaign.",
    ]  # fmt: skip
    assert (
        "dora archived the campaign."
        in people.client(people.bert).get(f"/campaign/{game.pk}/allied/people/").content.decode()
    )
    actions.concede(seat(game, people.bert, "allied"))


@pytest.mark.once
def test_neither_opponent_nor_stranger_archives(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    statuses = [change_archive(people, who, game, "yes") for who in (people.anna, people.bert, people.cleo, None)]
    assert statuses == [404, 404, 404, 302]
    assert people.client(people.bert).post(f"/campaign/{game.pk}/allied/people/archive/").status_code == 403
    game.refresh_from_db()
    assert not game.archived
    # The host who plays, too, is the host also at the own seat.
    people.bert.is_superuser = True
    people.bert.save()
    at_seat = f"/campaign/{game.pk}/allied/people/archive/"
    assert people.client(people.bert).post(at_seat, {"archived": "yes"}).status_code == 302
    assert people.client(people.bert).post(at_seat.replace("archive", "rename"), {"title": "x"}).status_code == 403


def alike(text: str, game: Game) -> str:
    """Return a page without the hours and the campaign's number."""
    return re.sub(rf"\b\d\d:\d\d\b|{game.pk}", "NEW", text)


@pytest.mark.once
def test_archiving_tells_the_host_no_secret(people: People, host: Player, begin: Begin) -> None:
    """Two worlds that differ in what a side has bought."""
    worlds = []
    for buys in (True, False):
        game = begin()
        both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
        take_defaults(both, until="purchases")
        with tables.look(both[1]) as table:
            [asked] = table.asked
        assert asked.pending.question is not None
        proposed = asked.pending.question.default
        actions.answer(both[1], asked.mark, proposed if buys else {"groups": [], "patrols": 0})
        client = people.client(host)
        answers = [
            client.post(f"/host/campaign/{game.pk}/archive/", {"archived": archived}, follow=True)
            for archived in ("yes", "no")
        ]
        worlds.append([alike(untokened(answer.content), game) for answer in answers])
        assert not planted.found_in("".join(worlds[-1]), planted.seeds(game))
    assert worlds[0] == worlds[1]


def test_a_damaged_campaign_is_archived_too(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    EntryLine.objects.filter(game=game, number=1).update(line="{torn, Panther")
    tables.SHELF.clear()
    assert change_archive(people, host, game, "yes") == 302
    game.refresh_from_db()
    assert game.archived


@pytest.mark.once
def test_an_archived_campaign_is_still_found_and_says_where_it_lies(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    link, said = f'href="/campaign/{game.pk}/allied/"', "This campaign is archived"
    bert = people.client(people.bert)
    assert "Archived campaigns" not in bert.get("/").content.decode()
    change_archive(people, host, game, "yes")
    home = bert.get("/").content.decode()
    assert "All your campaigns are archived." in home
    assert link in home[home.index("Archived campaigns") :]
    table = bert.get(f"/campaign/{game.pk}/allied/").content.decode()
    assert said in table
    # It asks for nothing that would be refused.
    assert "Your answer is needed" not in table
    assert '<span class="count">' not in table
    change_archive(people, host, game, "no")
    table = bert.get(f"/campaign/{game.pk}/allied/").content.decode()
    assert said not in table
    assert "Your answer is needed" in table
    assert '<span class="count">' in table


# Out and in ---------------------------------------------------------------------------------------


def test_only_a_campaign_that_is_over_is_given_out(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    client, address = people.client(host), f"/host/campaign/{game.pk}/file"
    offered = f'href="{address}"'
    assert offered not in client.get(f"/host/campaign/{game.pk}/").content.decode()
    refused = client.get(address)
    assert refused.status_code == 403
    assert not planted.found_in(refused.content.decode(), planted.never(game))
    actions.concede(seat(game, people.anna, "axis"))
    assert offered in client.get(f"/host/campaign/{game.pk}/").content.decode()
    given = client.get(address)
    assert given.status_code == 200
    assert given.content == text_of(game.pk)


def test_the_page_of_a_damaged_campaign_opens_and_quotes_nothing(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    EntryLine.objects.filter(game=game, number=1).update(line="{torn, Panther")
    tables.SHELF.clear()
    shown = people.client(host).get(f"/host/campaign/{game.pk}/")
    assert shown.status_code == 200
    assert "Panther" not in shown.content.decode()
    refused = people.client(host).get(f"/host/campaign/{game.pk}/file")
    assert refused.status_code >= 400
    assert "Panther" not in refused.content.decode()


def test_a_file_goes_on_as_it_was(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 8)
    data = text_of(game.pk)
    game.delete()
    tables.SHELF.clear()
    answer = take_in(people, host, data)
    back = Game.objects.get()
    assert answer["Location"] == f"/campaign/{back.pk}/umpire/people/"
    assert text_of(back.pk) == data
    assert (back.owner, back.title) == (host, game.title)
    # What lies in the database is sealed, as of any other campaign.
    seed = EntryLine.objects.get(game=back, number=2).line
    assert not planted.found_in(seed, planted.seeds(back))
    # Who has had the file has seen all secrets.
    assert seatlog.secrets_seen(back) == {host.pk: {"umpire"}}
    with tables.look(seat(back, host, "umpire")) as table:
        assert not audit(table.campaign).findings
    for user, side in ((people.anna, "axis"), (people.bert, "allied")):
        Member.objects.create(game=back, user=user, role="player", side=side)
    assert take_defaults([seat(back, people.anna, "axis"), seat(back, people.bert, "allied")], 3) == 3


def test_what_was_changed_is_not_taken_in(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    data = text_of(game.pk)
    game.delete()
    bad = [b"", b"no campaign\n", data[:-5], data.replace(b"rzhavets", b"rzhavetz", 1), data + data]
    assert [take_in(people, host, one).status_code for one in bad] == [503, 503, 503, 503, 503]
    assert people.client(host).post("/host/take-in/").status_code == 422
    assert not Game.objects.exists()


def test_nobody_else_does_any_of_it(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    actions.concede(seat(game, people.anna, "axis"))
    client = people.client(people.anna)
    assert client.get(f"/host/campaign/{game.pk}/file").status_code == 404
    assert client.post(f"/host/campaign/{game.pk}/").status_code == 404
    assert take_in(people, people.anna, text_of(game.pk)).status_code == 404
    assert Game.objects.count() == 1
