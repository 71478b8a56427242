"""Talk at a table: who reads what, what is unread, deleting, muting."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from laager.sheets.story import writing
from laager.web.campaigns import notices, tables
from laager.web.models import Game, Member, Pace, Player, Role, TalkChannel, TalkMessage, TalkMute, Webhook
from laager.web.seats import outgoing, pending_mails, seating, webhooks
from laager.web.shared import processes, tokens
from laager.web.talk import channels, messages
from tests.web.conftest import People, seat
from tests.web.receiving import Clock
from tests.web.seen import read, sitting, url
from tests.web.test_story import begun

SECRET = "Xylophon-4711"

READERS = {
    "table": {"axis", "allied", "mate", "umpire", "spectator"},
    "side-axis": {"axis", "mate"},
    "side-allied": {"allied"},
    "umpire-axis": {"axis", "mate", "umpire"},
    "umpire-allied": {"allied", "umpire"},
    "spectators": {"umpire", "spectator"},
}


@pytest.fixture
def who(game: Game, people: People) -> dict[str, Player]:
    mate = Player.objects.create_user("emil", "", "emil-secret-word")
    Member.objects.create(game=game, user=mate, role=Role.MATE, side="axis")
    return sitting(game, people) | {"mate": mate}


def at(role: str) -> str:
    return "axis" if role == "mate" else role


def say(client: Client, game: Game, name: str, channel: str, text: str, **more: str) -> int:
    return client.post(url(game, name, f"talk/{channel}"), {"text": text, **more}).status_code


def test_each_channel_is_read_by_those_it_is_for_alone(game: Game, who: dict[str, Player], people: People) -> None:
    for channel, readers in READERS.items():
        for role, user in who.items():
            status = say(people.client(user), game, at(role), channel, f"{SECRET} {channel} {role} <b>")
            expected = 302 if role in readers else 404
            assert status == (403 if (channel, role) == ("table", "spectator") else expected), (channel, role)
    for role, user in who.items():
        client, text = people.client(user), ""
        for channel, readers in READERS.items():
            page = client.get(url(game, at(role), f"talk/{channel}"))
            assert page.status_code == (200 if role in readers else 404)
            text += page.content.decode()
        for rest in ("", "talk", "log", "people/", "notes", "tag", "story"):
            text += client.get(url(game, at(role), rest)).content.decode()
        for channel, readers in READERS.items():
            assert (f"{SECRET} {channel} " in text) is (role in readers), (channel, role)
        assert "<b>" not in text.replace("&lt;b&gt;", "")


def test_the_owner_reads_no_other_sides_talk(game: Game, who: dict[str, Player], people: People) -> None:
    Game.objects.filter(pk=game.pk).update(owner=people.bert)
    say(people.client(people.anna), game, "axis", "side-axis", SECRET)
    for channel in ("side-axis", "umpire-axis"):
        assert people.client(people.bert).get(url(game, "allied", f"talk/{channel}")).status_code == 404


def test_a_player_who_also_watches_reads_no_spectators(game: Game, who: dict[str, Player], people: People) -> None:
    Member.objects.create(game=game, user=people.anna, role=Role.SPECTATOR)
    names = [each.name for each in channels.readable_channels(seat(game, people.anna, "spectator"))]
    assert names == ["table"]


@pytest.mark.once
def test_what_a_side_says_changes_no_byte_for_the_other(game: Game, who: dict[str, Player], people: People) -> None:
    pages = ("", "talk", "talk/side-allied", "talk/umpire-allied", "talk/side-axis", "tag", "people/", "log", "units")
    clients = {role: people.client(who[role]) for role in ("allied", "spectator")}
    # Tokens of forms, the signed address of the feed, and the clock on the wall.
    token = re.compile(rb'\b[a-zA-Z0-9]{64}\b|/feed/[^<"]+|<time data-clock="[^"]+" datetime="[^"]+">[^<]+')

    def world() -> list[bytes]:
        answers = [clients["allied"].get(url(game, "allied", page)) for page in pages]
        answers += [clients["allied"].get("/")]
        answers += [clients["spectator"].get(url(game, "spectator", page)) for page in ("", "talk", "tag")]
        return [token.sub(b"", repr(sorted(each.headers.items())).encode() + each.content) for each in answers]

    world()
    before = world()
    for channel in ("side-axis", "umpire-axis"):
        for number in range(3):
            assert say(people.client(people.anna), game, "axis", channel, f"{SECRET} {number}") == 302
    people.client(people.anna).post(url(game, "axis", "talk/side-axis/2/delete"))
    for old, new in zip(before, world(), strict=True):
        assert new == old
    # The next message of the others has the number that it would have had.
    say(clients["allied"], game, "allied", "side-allied", "ours")
    say(clients["allied"], game, "allied", "table", "for all")
    assert "message-1" in read(clients["allied"], url(game, "allied", "talk/side-allied"))
    assert 'id="message-1"' in read(clients["allied"], url(game, "allied", "talk/table"))


def test_unread_messages_are_counted_until_they_are_read(game: Game, who: dict[str, Player], people: People) -> None:
    anna, bert = people.client(people.anna), people.client(people.bert)
    for text in ("one", "two"):
        say(anna, game, "axis", "table", text)
    say(anna, game, "axis", "side-axis", "secret")
    assert messages.talk_news(seat(game, people.bert, "allied")).unread == {"table": 2}
    assert messages.talk_news(seat(game, people.anna, "axis")).unread == {}
    assert "2 new messages" in read(bert, "/")
    tag = json.loads(bert.get(url(game, "allied", "tag")).content)
    assert tag["unread"] == 2
    assert "one" in read(bert, url(game, "allied", "talk"))
    assert json.loads(bert.get(url(game, "allied", "tag")).content)["unread"] == 0
    assert "new message" not in read(bert, "/")
    say(anna, game, "axis", "table", "three")
    changed = json.loads(bert.get(url(game, "allied", "tag")).content)
    assert (changed["unread"], changed["tag"]) == (1, tag["tag"])
    assert changed["talk"] != tag["talk"]


def test_who_comes_later_has_nothing_unread_but_can_read_all(
    game: Game, who: dict[str, Player], people: People
) -> None:
    say(people.client(people.anna), game, "axis", "side-axis", "before")
    late = Player.objects.create_user("late")
    Member.objects.create(game=game, user=late, role=Role.MATE, side="axis")
    assert messages.talk_news(seat(game, late, "axis")).total == 0
    assert "before" in read(people.client(late), url(game, "axis", "talk/side-axis"))


def test_only_who_wrote_a_message_deletes_it(game: Game, who: dict[str, Player], people: People) -> None:
    anna = people.client(people.anna)
    say(anna, game, "axis", "side-axis", SECRET)
    address = "talk/side-axis/1/delete"
    assert people.client(who["mate"]).post(url(game, "axis", address)).status_code == 403
    assert people.client(people.bert).post(url(game, "allied", address)).status_code == 404
    assert anna.get(url(game, "axis", address)).status_code == 405
    assert anna.post(url(game, "axis", address)).status_code == 302
    assert anna.post(url(game, "axis", address)).status_code == 404
    page = read(people.client(who["mate"]), url(game, "axis", "talk/side-axis"))
    assert SECRET not in page
    assert "Deleted by its writer." in page
    assert not TalkMessage.objects.filter(text__contains=SECRET).exists()
    assert messages.talk_news(seat(game, who["mate"], "axis")).total == 0


def test_the_owner_mutes_where_all_read_and_nowhere_else(game: Game, who: dict[str, Player], people: People) -> None:
    Game.objects.filter(pk=game.pk).update(owner=people.anna)
    anna, bert = people.client(people.anna), people.client(people.bert)
    address = f"talk/mute/{people.bert.pk}"
    assert bert.post(url(game, "allied", f"talk/mute/{people.anna.pk}"), {"muted": "yes"}).status_code == 403
    assert anna.post(url(game, "axis", f"talk/mute/{people.anna.pk}"), {"muted": "yes"}).status_code == 422
    assert anna.post(url(game, "axis", "talk/mute/99999"), {"muted": "yes"}).status_code == 404
    assert anna.post(url(game, "axis", address), {"muted": "yes"}).status_code == 302
    statuses = [say(bert, game, "allied", name, "x") for name in ("table", "side-allied", "umpire-allied")]
    assert statuses == [403, 302, 302]
    assert "muted you here" in read(bert, url(game, "allied", "talk"))
    # Whoever owns the campaign is not muted any more.
    Game.objects.filter(pk=game.pk).update(owner=people.bert)
    assert say(bert, game, "allied", "table", "x") == 302
    Game.objects.filter(pk=game.pk).update(owner=people.anna)
    assert anna.post(url(game, "axis", address), {"muted": "no"}).status_code == 302
    assert say(bert, game, "allied", "table", "x") == 302
    assert not TalkMute.objects.exists()


def test_in_the_archive_talk_is_read_and_deleted_only(game: Game, who: dict[str, Player], people: People) -> None:
    anna = people.client(people.anna)
    say(anna, game, "axis", "table", SECRET)
    Game.objects.filter(pk=game.pk).update(archived=True)
    assert say(anna, game, "axis", "table", "more") == 409
    assert SECRET in read(anna, url(game, "axis", "talk"))
    assert anna.post(url(game, "axis", "talk/table/1/delete")).status_code == 302


def test_talk_stays_when_a_seat_or_an_account_is_gone(game: Game, who: dict[str, Player], people: People) -> None:
    mate = who["mate"]
    say(people.client(mate), game, "axis", "side-axis", SECRET)
    seating.leave_seat(seat(game, mate, "axis"))
    assert people.client(mate).get(url(game, "axis", "talk/side-axis")).status_code == 404
    anna = people.client(people.anna)
    mate.username = "emilia"
    mate.save()
    assert "emilia" in read(anna, url(game, "axis", "talk/side-axis"))
    mate.delete()
    page = read(anna, url(game, "axis", "talk/side-axis"))
    assert SECRET in page
    assert "emil" in page


@pytest.mark.parametrize("text", ["", " \n ", "x" * (messages.LONGEST_CHARS + 1)])
def test_a_message_needs_words_and_has_an_end(text: str, game: Game, who: dict[str, Player], people: People) -> None:
    answer = people.client(people.anna).post(url(game, "axis", "talk/table"), {"text": text})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not TalkChannel.objects.exists()


def test_a_page_shows_the_last_messages_and_the_way_to_earlier_ones(
    game: Game, who: dict[str, Player], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "ON_A_PAGE", 2)
    mine = seat(game, people.anna, "axis")
    for number in range(1, 6):
        messages.write_message(mine, "table", f"said {number}")
    page = read(people.client(people.bert), url(game, "allied", "talk"))
    assert re.findall(r"said \d", page) == ["said 4", "said 5"]
    assert "?before=4" in page
    page = read(people.client(people.bert), url(game, "allied", "talk/table?before=2"))
    assert re.findall(r"said \d", page) == ["said 1"]
    assert "?before" not in page


def test_only_what_all_read_may_be_quoted(game: Game, who: dict[str, Player], people: People) -> None:
    anna = people.client(people.anna)
    for channel in ("table", "side-axis"):
        say(anna, game, "axis", channel, "x", quote="yes")
    rows: Any = TalkMessage.objects.order_by("channel__name")
    assert [(row.channel.name, row.may_be_quoted) for row in rows] == [("side-axis", False), ("table", True)]
    assert all(row.at <= timezone.now() for row in rows)


def test_the_story_quotes_what_its_writers_let_it(people: People) -> None:
    told = begun(people)
    mine = seat(told, people.anna, "axis")
    messages.write_message(mine, "table", "the bridge <i> is ours", may_be_quoted=True)
    messages.write_message(mine, "table", "not for the story")
    messages.write_message(mine, "side-axis", SECRET, may_be_quoted=True)
    messages.write_message(mine, "table", "said too fast", may_be_quoted=True)
    messages.delete_message(mine, "table", 3)
    page = people.client(people.bert).get(url(told, "allied", "story")).content.decode()
    assert "the bridge &lt;i&gt; is ours" in page
    assert not any(text in page for text in ("not for the story", SECRET, "said too fast"))


@pytest.mark.parametrize(
    ("format_", "quote"),
    [("html", "“the bridge &lt;i&gt; *is* [b] ours” anna"), ("md", r"“the bridge \<i\> \*is\* \[b\] ours” anna")],
)
def test_the_files_of_the_story_quote_what_its_page_does(
    format_: str, quote: str, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "draw_png", lambda *_: b"")
    monkeypatch.setattr(processes.SLOW, "do", lambda _who, job: job())
    campaign = begun(people)
    mine = seat(campaign, people.anna, "axis")

    def load_file(battle: str = "", language: str = "en") -> str:
        address = url(campaign, "allied", f"story/file?as={format_}&battle={battle}&language={language}")
        data = people.client(people.bert).get(address).content
        if format_ == "html":
            return data.decode()
        with ZipFile(BytesIO(data)) as archive:
            return "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".md"))

    before = load_file()
    messages.write_message(mine, "table", "not for the story")
    messages.write_message(mine, "side-axis", SECRET, may_be_quoted=True)
    messages.write_message(mine, "table", "said too fast", may_be_quoted=True)
    messages.delete_message(mine, "table", 2)
    assert load_file() == before
    messages.write_message(mine, "table", "the bridge <i> *is*\n[b] ours", may_be_quoted=True)
    assert quote in load_file()
    assert "Said at the table" in load_file()
    assert "Am Tisch gesagt" in load_file(language="de")
    # A report on a battle is of that battle alone.
    assert quote not in load_file("1")


# Programs -----------------------------------------------------------------------------------------


def test_programs_talk_as_pages_do(game: Game, who: dict[str, Player], people: People) -> None:
    anna, bert = Api(tokens.make(people.anna, "x")), Api(tokens.make(people.bert, "x"))
    axis, allied = f"campaigns/{game.pk}/axis", f"campaigns/{game.pk}/allied"
    said = anna.ask("POST", f"{axis}/talk/side-axis", 201, {"text": SECRET})
    assert (said["number"], said["by"], said["seat"]) == (1, "anna", "axis")
    before = bert.ask("GET", f"{allied}/talk", 200)
    anna.ask("POST", f"{axis}/talk/side-axis", 201, {"text": "more"})
    assert bert.ask("GET", f"{allied}/talk", 200) == before
    for method, rest in (("GET", ""), ("POST", ""), ("POST", "/read"), ("DELETE", "/1")):
        bert.ask(method, f"{allied}/talk/side-axis{rest}", 404, {"text": "x"})
    anna.ask("POST", f"{axis}/talk/table", 201, {"text": "for all", "may_be_quoted": True})
    heard = bert.ask("GET", f"{allied}/talk", 200)
    assert heard["mark"] != before["mark"]
    assert {each["name"]: each["unread"] for each in heard["channels"]} == {
        "table": 1, "side-allied": 0, "umpire-allied": 0,
    }  # fmt: skip
    [message] = bert.ask("GET", f"{allied}/talk/table?after=0", 200)
    assert (message["text"], message["may_be_quoted"]) == ("for all", True)
    bert.ask("POST", f"{allied}/talk/table/read", 204)
    assert bert.ask("GET", f"{allied}/talk", 200)["channels"][0]["unread"] == 0
    bert.ask("DELETE", f"{allied}/talk/table/1", 403)
    anna.ask("DELETE", f"{axis}/talk/table/1", 204)
    assert bert.ask("GET", f"{allied}/talk/table", 200)[0]["text"] == ""
    assert bert.ask("GET", f"{allied}/talk/table?after=1", 200) == []


class Api:
    """A program with a token."""

    def __init__(self, key: str) -> None:
        self.headers = {"Authorization": f"Bearer {key}"}

    def ask(self, method: str, path: str, status: int, sent: Any = None) -> Any:
        """Make a call that must be answered with a status; return the answer."""
        body = "" if sent is None else json.dumps(sent)
        answer = Client().generic(method, f"/api/v1/{path}", body, "application/json", headers=self.headers)
        assert answer.status_code == status, answer.content
        return json.loads(answer.content) if answer.content else None


# Mails --------------------------------------------------------------------------------------------


@pytest.fixture
def clock(clock: Clock, game: Game) -> Clock:
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    return clock


def test_messages_are_mailed_once_until_they_are_read(
    game: Game, who: dict[str, Player], people: People, clock: Clock
) -> None:
    mine = seat(game, people.anna, "axis")
    for text in (SECRET, "more"):
        messages.write_message(mine, "table", text)
    assert sorted(clock.pass_()) == ["bert@example.org", "cleo@example.org"]
    body = next(each.body for each in mail.outbox if each.to == ["bert@example.org"])
    assert "There are 2 new messages for you" in body
    assert f"/campaign/{game.pk}/allied/talk" in body
    assert SECRET not in body
    messages.write_message(mine, "table", "a third")
    assert clock.pass_() == []
    messages.note_read(seat(game, people.bert, "allied"), "table")
    messages.write_message(mine, "table", "a fourth")
    messages.note_read(seat(game, people.bert, "allied"), "table")
    assert clock.pass_() == []
    messages.write_message(mine, "table", "a fifth")
    assert clock.pass_() == ["bert@example.org"]
    assert "There is 1 new message for you" in mail.outbox[0].body


def test_what_a_side_says_is_mailed_to_nobody_else(
    game: Game, who: dict[str, Player], people: People, clock: Clock
) -> None:
    who["mate"].email = "emil@example.org"
    who["mate"].save()
    messages.write_message(seat(game, people.anna, "axis"), "side-axis", SECRET)
    assert clock.pass_() == ["emil@example.org"]
    assert not Member.objects.exclude(user=who["mate"]).exclude(mail_due=None).exists()
    messages.write_message(seat(game, people.anna, "axis"), "umpire-axis", SECRET)
    assert sorted(clock.pass_()) == ["cleo@example.org", "emil@example.org"]


def test_pace_holds_for_messages_too(game: Game, who: dict[str, Player], people: People, clock: Clock) -> None:
    Member.objects.filter(user=people.bert).update(pace=Pace.NEVER)
    Member.objects.filter(user=people.cleo).update(pace=Pace.DAILY)
    messages.write_message(seat(game, people.anna, "axis"), "table", SECRET)
    assert clock.pass_() == []
    assert clock.pass_(timedelta(days=1)) == ["cleo@example.org"]


def test_a_question_is_announced_while_messages_are_unread(
    game: Game, who: dict[str, Player], people: People, clock: Clock
) -> None:
    bert = Member.objects.get(user=people.bert)
    messages.write_message(seat(game, people.anna, "axis"), "table", SECRET)
    clock.pass_()
    with tables.look(seat(game, people.bert, "allied")) as table:
        mark = table.asked[0].mark
    pending_mails.expect_mail(bert.pk, {mark}, {mark})
    assert clock.pass_() == ["bert@example.org"]
    assert "your answer is needed" in mail.outbox[0].subject
    assert "1 new message for you" in mail.outbox[0].body


def test_webhooks_tell_only_of_what_all_read(game: Game, who: dict[str, Player], people: People) -> None:
    Member.objects.filter(user=people.bert).update(untold={})
    bert = Member.objects.get(user=people.bert)
    hook = Webhook.objects.create(member=bert, kind="generic", url="https://club.example/x", secret="whsec_eA==")
    outgoing.hand_over(bert.pk, ["talk:side-allied:1", "talk:umpire-allied:1"])
    hook.refresh_from_db()
    assert (hook.untold, hook.due) == ({}, None)
    messages.write_message(seat(game, people.anna, "axis"), "table", SECRET)
    outgoing.hand_over(bert.pk, ["talk:table:1"])
    hook.refresh_from_db()
    notice = notices._notice(hook, seat(game, people.bert, "allied"))
    assert notice is not None
    post = webhooks.write_post(hook, seat(game, people.bert, "allied"), notice)
    assert json.loads(post.body)["type"] == "new-messages"
    assert SECRET not in post.body.decode()
