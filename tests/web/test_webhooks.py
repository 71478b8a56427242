"""Webhooks: a receiver is told once, signed, without secrets."""

from __future__ import annotations

import html
import json
import os
import socket
import subprocess
import sys
import time
from datetime import UTC, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.test import Client

from laager.web.campaigns import actions, notices, tables
from laager.web.models import Member, Player, Webhook
from laager.web.play.short_way import rows
from laager.web.seats import pending_mails, seating, webhooks
from laager.web.shared import receivers, throttle, tokens
from laager.web.shared.receivers import Post
from tests.web import planted
from tests.web.conftest import alone, seat, take_defaults, take_defaults_until_asked
from tests.web.receiving import HERE, Clock, Receiver

if TYPE_CHECKING:
    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People

RECEIVER = Path(__file__).parents[2] / "docs/examples/receiver.py"


@pytest.fixture(autouse=True)
def _may_reach_this_machine(settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"webhook_networks": HERE, "address": "https://laager.example"})


@pytest.fixture
def waiting(people: People, begin: Begin, clock: Clock, receiver: Receiver) -> Seat:
    """A seat with a webhook and no mails, that has just become asked by the other's answer."""
    one, other = alone(begin(), people)
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    Player.objects.filter(pk=other.user.pk).update(mails=False, email="")
    webhooks.choose_webhook(other, "generic", receiver.url)
    take_defaults_until_asked(one, other)
    return other


def _hook(of: Seat) -> Webhook:
    return Webhook.objects.get(member=of.member)


def _other(of: Seat, people: People) -> Seat:
    both = [seat(of.game, people.anna, "axis"), seat(of.game, people.bert, "allied")]
    return next(one for one in both if one.user != of.user)


# What is told -------------------------------------------------------------------------------------


def test_who_has_no_mails_is_told_by_the_webhook_once(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    clock.pass_(pending_mails.DELAY - timedelta(seconds=1))
    assert receiver.taken == []
    clock.pass_(timedelta(seconds=1))
    [(path, headers, body)] = receiver.taken
    assert path == "/hook?token=abc"
    signature = webhooks.sign(_hook(waiting).secret, headers["webhook-id"], headers["webhook-timestamp"], body)
    assert headers["webhook-signature"] == signature
    told = json.loads(body)
    link = f"https://laager.example/campaign/{waiting.game.pk}/{waiting.name}/"
    assert (told["type"], told["link"], told["seat"]["id"]) == ("answer-needed", link, waiting.name)
    with tables.look(waiting) as table:
        assert told["step"] == table.asked[0].pending.step.title
    clock.pass_(timedelta(days=2))
    assert len(receiver.taken) == 1
    hook = _hook(waiting)
    assert (hook.trouble, hook.status, hook.due, hook.number) == ("", 204, None, 1)


def test_mail_and_webhook_both_come(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    Player.objects.filter(pk=waiting.user.pk).update(mails=True, email="x@example.org")
    mail.outbox.clear()
    clock.pass_()
    assert [one.to for one in mail.outbox] == [["x@example.org"]]
    assert len(receiver.taken) == 1


def test_the_signature_is_that_of_standard_webhooks() -> None:
    # The example in the specification's own libraries.
    assert (
        webhooks.sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            b'{"test": 2432232314}',
        )
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_the_receiver_of_the_documentation_takes_what_is_signed(
    waiting: Seat, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    key = {**os.environ, "LAAGER_WEBHOOK_KEY": _hook(waiting).secret}
    with subprocess.Popen(
        [sys.executable, str(RECEIVER), str(port)], env=key, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as program:
        try:
            webhooks.choose_webhook(waiting, "generic", f"http://127.0.0.1:{port}/")
            unsigned = [Post(f"http://127.0.0.1:{port}/", b"{}", {})]
            for _ in range(300):
                delivery = receivers.deliver(unsigned, HERE)[0]
                if delivery.status:
                    break
                time.sleep(0.1)
            assert (delivery.trouble, delivery.status) == ("answer", 401)
            clock.pass_()
            assert _hook(waiting).status == 204
            old = time.time() - 1000
            with monkeypatch.context() as patch:
                patch.setattr(time, "time", lambda: old)
                assert webhooks.send_test(waiting).status == 401
            Webhook.objects.update(secret="whsec_AAAA")
            assert webhooks.send_test(waiting).status == 401
        finally:
            program.kill()
        assert program.stdout is not None
        [line] = program.stdout.read().decode().splitlines()
    assert waiting.game.title in line
    assert f"/campaign/{waiting.game.pk}/{waiting.name}/" in line


@pytest.mark.once
def test_discord_gets_its_form_and_no_text_means_more_than_it_says(
    waiting: Seat, clock: Clock, receiver: Receiver
) -> None:
    webhooks.choose_webhook(waiting, "discord", receiver.url)
    title = "@everyone [click](https://evil.example) <@1> # `x`"
    type(waiting.game).objects.filter(pk=waiting.game.pk).update(title=title)
    clock.pass_()
    [told] = receiver.told
    assert told["allowed_mentions"] == {"parse": []}
    first, *_, link = told["content"].splitlines()
    assert r"\@everyone \[click\]\(https\://evil.example\) \<\@1\> \# \`x\`" in first
    assert link == f"https://laager.example/campaign/{waiting.game.pk}/{waiting.name}/"
    assert "webhook-signature" not in receiver.taken[0][1]


def test_the_words_are_in_the_players_language(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    Player.objects.filter(pk=waiting.user.pk).update(language="de")
    clock.pass_()
    assert "wartet auf" in receiver.told[0]["text"]


@pytest.mark.once
def test_a_refusal_is_told(people: People, begin: Begin, clock: Clock, receiver: Receiver) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], until="purchases")
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    webhooks.choose_webhook(one, "generic", receiver.url)
    actions.propose_draw(one)
    actions.answer_draw(other, False)
    clock.pass_()
    assert [told["type"] for told in receiver.told] == ["request-refused"]


def test_who_has_answered_by_then_is_told_nothing(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    clock.pass_(pending_mails.DELAY / 2)
    take_defaults([waiting], 1)
    clock.pass_(timedelta(days=1))
    assert receiver.taken == []


@pytest.mark.once
def test_who_is_at_the_table_is_told_nothing(waiting: Seat, people: People, clock: Clock, receiver: Receiver) -> None:
    client = people.client(waiting.user)
    for _ in range(5):
        client.get(f"/campaign/{waiting.game.pk}/{waiting.name}/")
        clock.pass_(timedelta(seconds=50))
    assert receiver.taken == []
    clock.pass_()
    assert len(receiver.taken) == 1


@pytest.mark.parametrize("why", ["archived", "account closed", "removed", "seat left"])
def test_what_is_over_is_not_told(why: str, waiting: Seat, people: People, clock: Clock, receiver: Receiver) -> None:
    receiver.status = 500
    clock.pass_()
    receiver.taken.clear()
    match why:
        case "archived":
            type(waiting.game).objects.update(archived=True)
        case "account closed":
            Player.objects.filter(pk=waiting.user.pk).update(is_active=False)
        case "removed":
            webhooks.remove_webhook(waiting)
        case _:
            type(waiting.game).objects.update(owner=_other(waiting, people).user)
            seating.leave_seat(waiting)
            assert not Webhook.objects.exists()
    clock.pass_(timedelta(hours=2))
    assert receiver.taken == []
    assert not Webhook.objects.exclude(due=None).exists()


@pytest.mark.django_db(transaction=True)
def test_a_seat_that_will_be_freed_is_told(waiting: Seat, people: People, clock: Clock, receiver: Receiver) -> None:
    seating.free_seat(_other(waiting, people), waiting.member.pk)
    clock.pass_(timedelta(seconds=15))
    assert [told["type"] for told in receiver.told] == ["seat-freeing"]
    clock.pass_()
    clock.pass_(timedelta(seconds=15))
    assert [told["type"] for told in receiver.told] == ["seat-freeing", "answer-needed"]
    assert len({headers["webhook-id"] for _, headers, _ in receiver.taken}) == 2


# For programs -------------------------------------------------------------------------------------


def _call(of: Seat, method: str, path: str = "", body: Any = None) -> Any:
    bearer = {"Authorization": f"Bearer {tokens.make(of.user, 'x')}"}
    address = f"/api/v1/campaigns/{of.game.pk}/{of.name}/webhook{path}"
    return Client().generic(method, address, json.dumps(body), "application/json", headers=bearer)


def test_programs_set_try_and_remove_a_webhook(waiting: Seat, people: People, receiver: Receiver) -> None:
    _call(waiting, "DELETE")
    assert _call(waiting, "GET").status_code == 404
    assert _call(waiting, "PUT", body={"kind": "generic", "url": "https://10.1.2.3/"}).status_code == 422
    kept = _call(waiting, "PUT", body={"kind": "generic", "url": receiver.url}).json()
    assert (kept["url"], kept["seat"], kept["campaign"]) == (receiver.url, waiting.name, str(waiting.game.pk))
    assert _call(waiting, "POST", "/test").json()["status"] == 204
    [(_, headers, body)] = receiver.taken
    signature = webhooks.sign(kept["key"], headers["webhook-id"], headers["webhook-timestamp"], body)
    assert headers["webhook-signature"] == signature
    receiver.status, receiver.words = 500, b"broken"
    failed = _call(waiting, "POST", "/test").json()
    assert (failed["trouble"], failed["answer"]) == ("answer", "broken")
    renewed = _call(waiting, "POST", "/key").json()["key"]
    assert renewed == _hook(waiting).secret != kept["key"]
    lists = {}
    for user in (waiting.user, _other(waiting, people).user):
        bearer = {"Authorization": f"Bearer {tokens.make(user, 'x')}"}
        lists[user.pk] = Client().get("/api/v1/webhooks", headers=bearer).json()
    assert [each["key"] for each in lists.pop(waiting.user.pk)] == [renewed]
    assert list(lists.values()) == [[]]


# Secrets ------------------------------------------------------------------------------------------


VARYING = {"host", "webhook-id", "webhook-timestamp", "webhook-signature"}
"""Headers that are new in each message."""


@pytest.mark.once
@pytest.mark.parametrize("kind", ["generic", "discord"])
def test_what_the_other_side_chose_in_secret_changes_no_byte(
    kind: str, people: People, begin: Begin, clock: Clock, receiver: Receiver
) -> None:
    """Two worlds that differ in what the other side has bought: everything that leaves is the same."""
    worlds = []
    for buys in (True, False):
        game = begin()
        one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
        take_defaults([one, other], until="purchases")
        Member.objects.update(noticed=[], untold={}, mail_due=None)
        webhooks.choose_webhook(one, kind, receiver.url)
        receiver.taken.clear()
        with tables.look(other) as table:
            [asked] = table.asked
        assert asked.pending.question is not None
        proposed = asked.pending.question.default
        actions.answer(other, asked.mark, proposed if buys else {"groups": [], "patrols": 0})
        clock.pass_()
        assert receiver.taken == [], "the other side's purchases are nobody's news"
        actions.propose_draw(other)
        clock.pass_()
        [(path, headers, body)] = receiver.taken
        fixed = {name: value for name, value in headers.items() if name not in VARYING}
        worlds.append((path, fixed, body.replace(str(game.pk).encode(), b"GAME")))
        words = [group["rg"] for group in proposed["groups"]]
        assert words
        assert not set(words) & planted.words(body.decode())
    assert worlds[0] == worlds[1]


def test_logs_and_refusals_hold_no_address(
    waiting: Seat, clock: Clock, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="laager")
    receiver.close()
    clock.pass_()
    assert _hook(waiting).trouble == "no-connection"
    assert "token=abc" not in caplog.text


def test_only_the_holder_sees_the_address(waiting: Seat, people: People) -> None:
    pages = {
        who: people.client(user).get(f"/campaign/{waiting.game.pk}/{name}/people/").content.decode()
        for who, user, name in (
            ("holder", waiting.user, waiting.name),
            ("other", _other(waiting, people).user, _other(waiting, people).name),
            ("umpire", people.cleo, "umpire"),
        )
    }
    secret = _hook(waiting).secret
    assert {who for who, page in pages.items() if "token=abc" in page or secret in page} == {"holder"}
    assert 'name="url"' not in pages["umpire"]


# Failures -----------------------------------------------------------------------------------------


def test_a_failure_is_tried_again_under_the_same_number_and_shown(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver
) -> None:
    receiver.status, receiver.words = 503, b"come\nback <b>later</b>\x07"
    clock.pass_()
    hook = _hook(waiting)
    assert (hook.trouble, hook.status, hook.answer) == ("answer", 503, "come back <b>later</b>")
    page = people.client(waiting.user).get(f"/campaign/{waiting.game.pk}/{waiting.name}/people/").content.decode()
    assert "couldn&#x27;t be delivered" in page or "couldn't be delivered" in page
    assert "&lt;b&gt;later" in page
    clock.pass_(timedelta(seconds=59))
    assert len(receiver.taken) == 1
    receiver.status = 200
    clock.pass_(timedelta(seconds=1))
    assert len({headers["webhook-id"] for _, headers, _ in receiver.taken}) == 1
    assert len(receiver.taken) == 2
    hook = _hook(waiting)
    assert (hook.trouble, hook.due, hook.tries, hook.untold) == ("", None, 0, {})


@pytest.mark.once
def test_it_is_given_up_after_a_day_and_stays_shown(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver
) -> None:
    receiver.status = 404
    clock.pass_()
    for _ in range(60):
        clock.pass_(timedelta(minutes=30))
    hook = _hook(waiting)
    assert (hook.due, hook.untold, hook.trouble) == (None, {}, "answer")
    assert 20 < len(receiver.taken) < 40
    page = people.client(waiting.user).get(f"/campaign/{waiting.game.pk}/{waiting.name}/people/").content.decode()
    assert "The last try was at" in page
    assert "status 404" in page


def test_a_new_address_gets_what_the_old_one_did_not(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    receiver.status = 410
    clock.pass_()
    receiver.status = 204
    webhooks.choose_webhook(waiting, "generic", receiver.url + "&new")
    assert _hook(waiting).trouble == ""
    clock.pass_(timedelta(seconds=1))
    assert [path for path, *_ in receiver.taken] == ["/hook?token=abc", "/hook?token=abc&new"]


@pytest.mark.once
def test_a_retry_waits_while_a_page_is_open(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    receiver.status = 500
    clock.pass_()
    receiver.status = 204
    with pending_mails.open_page(waiting.user.pk, waiting.game.pk):
        for _ in range(20):
            clock.pass_(timedelta(minutes=1))
    assert len(receiver.taken) == 1
    clock.pass_()
    assert len(receiver.taken) == 2


def test_a_retry_waits_for_the_end_of_quiet_hours(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    receiver.status = 500
    clock.pass_()
    receiver.status = 204
    hour = clock.now.astimezone(UTC).hour
    Player.objects.update(quiet_from=hour, quiet_to=(hour + 3) % 24, time_zone="UTC")
    clock.pass_()
    assert len(receiver.taken) == 1
    clock.pass_(timedelta(hours=3))
    assert len(receiver.taken) == 2


def test_a_worker_that_ends_in_between_loses_nothing(
    waiting: Seat, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(receivers, "deliver", end)
        with pytest.raises(SystemExit):
            clock.pass_()
    clock.pass_(pending_mails.LEASE / 2)
    assert receiver.taken == []
    clock.pass_(pending_mails.LEASE / 2)
    assert len(receiver.taken) == 1


def test_a_campaign_that_cannot_be_opened_is_said_and_stops_no_other(
    waiting: Seat, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(notices, "look", None)
        clock.pass_()
    assert _hook(waiting).trouble == "not-made"
    clock.pass_(pending_mails.LEASE)
    assert len(receiver.taken) == 1


def test_a_slow_receiver_holds_up_neither_mails_nor_other_receivers(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receivers, "PATIENCE_S", 2.0)
    receiver.gate.clear()
    quick = Receiver()
    other = _other(waiting, people)
    webhooks.choose_webhook(other, "generic", quick.url)
    actions.propose_draw(waiting)
    clock.now += 2 * pending_mails.DELAY
    begun = time.monotonic()
    notices.post()
    assert time.monotonic() - begun < 1.5, "mails wait for nobody"
    Webhook.objects.update(due=clock.now)
    try:
        notices.post_to_receivers()
    finally:
        quick.close()
    assert len(quick.taken) == 1
    assert (_hook(other).trouble, _hook(waiting).trouble) == ("", "too-slow")


# The page -----------------------------------------------------------------------------------------


def test_a_player_chooses_tries_and_removes_on_the_page(
    people: People, begin: Begin, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All of it in one minute, however slow the machine is.
    clock = SimpleNamespace(time=lambda: 2_000_000_000.0, monotonic=time.monotonic)
    monkeypatch.setattr(throttle, "time", clock)
    game = begin()
    client = people.client(people.anna)
    address = f"/campaign/{game.pk}/axis/people/"

    def send(**data: str) -> str:
        answer = client.post(address + "webhook/", data, follow=True)
        return html.unescape(answer.content.decode())

    assert "this isn't the address of a receiver" in send(do="save", kind="generic", url="hello")
    assert not Webhook.objects.exists()
    assert "there is no webhook of the kind" in send(do="save", kind="pigeon", url=receiver.url)
    assert "this seat has no webhook" in send(do="test")
    saved = send(do="save", kind="generic", url=receiver.url)
    hook = Webhook.objects.get()
    assert hook.secret in saved
    assert "The receiver took it (status 204)." in send(do="test")
    assert [told["type"] for told in receiver.told] == ["test"]
    receiver.status, receiver.words = 401, b"who are you? {status}"
    said = send(do="test")
    assert "It answered with status 401." in said
    assert "Its words: who are you? {status}" in said
    assert hook.secret not in send(do="renew")
    assert "tried too often" in "".join(send(do="test") for _ in range(webhooks.TESTS_A_MINUTE))
    assert len(receiver.taken) <= webhooks.TESTS_A_MINUTE
    send(do="remove")
    assert not Webhook.objects.exists()


def test_answers_by_token_tell_webhooks_too(people: People, waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    """The short way looks for somebody to tell with a statement of its own."""
    key = tokens.make(waiting.user, "x")
    Player.objects.update(mails=False)
    wanted = (tokens.digest(key), waiting.game.pk, waiting.name)
    assert rows.load_seats([wanted], answering=True)[wanted].mailed
    webhooks.remove_webhook(waiting)
    assert not rows.load_seats([wanted], answering=True)[wanted].mailed
