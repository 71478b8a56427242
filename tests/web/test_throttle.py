"""How often something may be tried: counted in the database, told with how long to wait."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.test import Client

from laager.web.models import Throttle
from laager.web.serving import chores
from laager.web.shared import throttle, tokens

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

NOON = 1_800_000_000 - 1_800_000_000 % 900


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands until it is set; it begins with a window."""
    now = [float(NOON)]
    monkeypatch.setattr("laager.web.shared.throttle.time.time", lambda: now[0])
    return now


def _config(settings: Any, **changes: int) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update=changes)


def _try(name: str, word: str, **more: Any) -> Any:
    return Client(**more).post("/login/", {"username": name, "password": word})


def test_passwords_cannot_be_tried_without_end(people: People, settings: Any, clock: list[float]) -> None:
    _config(settings, login_tries=3)
    assert [_try("anna", "wrong").status_code for _ in range(3)] == [200] * 3
    clock[0] += 100
    answer = _try("anna", "anna-secret-word")
    assert answer.status_code == 429
    assert answer["Retry-After"] == "800"
    assert "tried too often" in answer.content.decode()
    # Elsewhere, and as somebody else, one can log in all the same; after the window, here too.
    assert _try("anna", "anna-secret-word", REMOTE_ADDR="192.0.2.7").status_code == 302
    assert _try("bert", "bert-secret-word").status_code == 302
    clock[0] += 800
    assert _try("anna", "anna-secret-word").status_code == 302


def test_the_count_is_the_same_for_names_that_there_are_not(people: People, settings: Any) -> None:
    _config(settings, login_tries=2)
    there = [_try("anna", "wrong").status_code for _ in range(4)]
    nowhere = [_try("zoe", "wrong").status_code for _ in range(4)]
    assert there == nowhere == [200, 200, 429, 429]


def test_other_capitals_are_the_same_account(people: People, settings: Any) -> None:
    _config(settings, login_tries=2)
    assert [_try(name, "x").status_code for name in ("anna", "ANNA", " Anna ")] == [200, 200, 429]


def test_who_logs_in_well_begins_anew(people: People, settings: Any) -> None:
    _config(settings, login_tries=3)
    for _ in range(4):
        assert _try("anna", "wrong").status_code == 200
        assert _try("anna", "anna-secret-word").status_code == 302


def test_a_visitor_has_no_more_tries_with_more_ipv6_addresses(people: People, settings: Any) -> None:
    _config(settings, login_tries=2)
    codes = [_try("anna", "wrong", REMOTE_ADDR=f"2001:db8:1:2::{n}").status_code for n in range(1, 4)]
    assert codes == [200, 200, 429]


def test_many_addresses_slow_down_at_one_account_and_lock_nobody_out(people: People, settings: Any, clock: Any) -> None:
    _config(settings, login_tries=3)
    at_home = Client()
    own = {"username": "anna", "password": "anna-secret-word"}
    assert at_home.post("/login/", own).status_code == 302
    at_home.post("/logout/")

    def codes(name: str) -> list[int]:
        return [_try(name, "wrong", REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(4)]

    # As many whether the account exists or not.
    assert codes("anna") == codes("zoe") == [200, 200, 200, 429]
    # Who has logged in here before can do so again; elsewhere, a minute later.
    assert at_home.post("/login/", own).status_code == 302
    assert codes("bert") == [200, 200, 200, 429]
    assert _try("bert", "bert-secret-word").status_code == 429
    # That is so for one's own account alone, and for a cookie that this server has made.
    assert at_home.cookies["known"]["httponly"]
    at_home.post("/logout/")
    assert at_home.post("/login/", {"username": "bert", "password": "bert-secret-word"}).status_code == 429
    forged = Client()
    forged.cookies["known"] = "bert"
    assert forged.post("/login/", {"username": "bert", "password": "bert-secret-word"}).status_code == 429
    clock[0] += 60
    assert _try("bert", "bert-secret-word", REMOTE_ADDR="198.51.100.1").status_code == 302


def test_one_word_cannot_be_tried_on_all_names(people: People, settings: Any) -> None:
    _config(settings, login_tries=1)
    codes = [_try(f"somebody-{n}", "summer").status_code for n in range(11)]
    assert codes == [200] * 10 + [429]


def test_mails_for_new_passwords_are_counted(people: People, settings: Any) -> None:
    _config(settings, login_tries=2)
    client = Client()
    codes = [client.post("/reset/", {"email": "anna@example.org"}).status_code for _ in range(3)]
    assert codes == [302, 302, 429]


def test_invitations_cannot_be_guessed_at_speed(db: None, settings: Any) -> None:
    _config(settings, login_tries=1)
    codes = [Client().get(f"/invitation/guess-{n}/").status_code for n in range(4)]
    assert codes == [404, 404, 404, 429]


def test_the_old_password_cannot_be_guessed_at_an_open_browser(people: People, settings: Any) -> None:
    _config(settings, login_tries=2)
    client = people.client(people.anna)
    word = {"old_password": "no", "new_password1": "loud-brook-31", "new_password2": "loud-brook-31"}
    codes = [client.post("/account/password/", word).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_writes_are_counted_for_each_person(people: People, begin: Begin, settings: Any) -> None:
    _config(settings, writes_a_minute=3)
    anna, bert = people.client(people.anna), people.client(people.bert)
    renew = f"/campaign/{begin().pk}/{{}}/feed/renew/"
    codes = [anna.post(renew.format("axis")).status_code for _ in range(4)]
    assert codes == [302, 302, 302, 429]
    assert bert.post(renew.format("allied")).status_code == 302
    assert anna.get("/").status_code == 200


@pytest.fixture
def stopwatch(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock for looks that stands until it is set, on a machine where nothing costs anything."""
    now = [1000.0]
    monkeypatch.setattr("laager.web.shared.throttle.time.monotonic", lambda: now[0])
    monkeypatch.setattr("laager.web.serving.middleware.time.thread_time", lambda: 0.0)
    return now


def test_looks_are_counted_for_each_person_apart_from_changes(
    people: People, begin: Begin, settings: Any, stopwatch: list[float]
) -> None:
    _config(settings, reads_a_minute=60)
    anna, bert = people.client(people.anna), people.client(people.bert)
    home = f"/campaign/{begin().pk}/axis/"
    assert [anna.get(home + "tag").status_code for _ in range(60)] == [200] * 60
    refused = anna.get(home)
    assert refused.status_code == 429
    assert refused["Retry-After"] == "1"
    # Programs of the same person have no other looks, others have theirs, and answers go on.
    token = {"authorization": f"Bearer {tokens.make(people.anna, 'tests')}"}
    assert Client().get("/api/v1/me", headers=token).status_code == 429
    assert bert.get("/").status_code == 200
    assert anna.post(home + "feed/renew/").status_code == 302
    stopwatch[0] += 2
    assert [anna.get(home + "tag").status_code for _ in range(3)] == [200, 200, 429]
    assert not Throttle.objects.filter(what__contains="look").exists()


def test_what_is_costly_counts_for_more(
    people: People, settings: Any, stopwatch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    _config(settings, reads_a_minute=60)
    spent = iter(range(0, 1000, 3))
    monkeypatch.setattr("laager.web.serving.middleware.time.thread_time", lambda: next(spent))
    client = people.client(people.anna)
    # Each takes three seconds of computing: 120 looks.
    assert [client.get("/account/").status_code for _ in range(2)] == [200, 429]


def test_a_worker_forgets_who_has_not_come_for_long(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "REMEMBERED", 2)
    allowance = throttle.Allowance()
    _config(settings, reads_a_minute=60)
    for who in (1, 2, 3):
        allowance.charge(who, 60.0)
    allowance.take(1)
    with pytest.raises(throttle.TooOftenError):
        allowance.take(3)


def test_a_script_gets_the_refusal_as_a_part(people: People, begin: Begin, settings: Any) -> None:
    _config(settings, writes_a_minute=0)
    answer = people.client(people.anna).post("/account/", headers={"hx-request": "true"})
    assert answer.status_code == 429
    assert "<html" not in answer.content.decode()


def test_a_made_up_token_is_no_way_round_the_count(people: People, settings: Any) -> None:
    _config(settings, writes_a_minute=1)
    client = people.client(people.anna)
    codes = [client.post("/account/", headers={"authorization": f"Bearer {n}"}).status_code for n in range(3)]
    assert codes == [200, 429, 429]


def test_who_goes_on_trying_costs_the_database_nothing(
    people: People, clock: list[float], django_assert_num_queries: Any
) -> None:
    for _ in range(3):
        throttle.count("guess", 3)
    with pytest.raises(throttle.TooOftenError):
        throttle.count("guess", 3)
    with django_assert_num_queries(0), pytest.raises(throttle.TooOftenError) as caught:
        throttle.count("guess", 3)
    assert caught.value.seconds == 60
    throttle.count("other", 3)
    clock[0] += 60
    throttle.count("guess", 3)


def test_looks_of_those_not_logged_in_are_counted_by_address(
    people: People, settings: Any, stopwatch: list[float], django_assert_num_queries: Any
) -> None:
    _config(settings, reads_a_minute=60)
    assert [Client().get("/login/").status_code for _ in range(60)] == [200] * 60
    refused = Client().get("/api/v1/docs")
    assert (refused.status_code, refused["Retry-After"]) == (429, "1")
    assert "<html" not in refused.content.decode()
    assert Client(REMOTE_ADDR="192.0.2.7").get("/login/").status_code == 200
    assert people.client(people.anna).get("/account/").status_code == 200
    assert Client().get("/health").status_code == 200


def test_nothing_that_was_typed_is_kept(people: People) -> None:
    _try("my-password-in-the-wrong-field", "x")
    Client().post("/reset/", {"email": "secret@example.org"})
    kept = str(list(Throttle.objects.values()))
    assert "my-password" not in kept
    assert "secret@" not in kept


def test_old_counts_are_swept_away(db: None, clock: list[float]) -> None:
    throttle.count("old", 9)
    clock[0] += 2 * throttle.DAY
    throttle.count("new", 9)
    assert Throttle.objects.count() == 2
    throttle.sweep()
    assert list(Throttle.objects.values_list("what", flat=True)) == ["new"]


def test_chores_go_on_after_a_database_that_failed(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ended, swept = threading.Event(), []

    def failing() -> None:
        swept.append(1)
        if len(swept) == 3:
            ended.set()
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(throttle, "sweep", failing)
    monkeypatch.setattr(throttle, "SWEEP_EVERY", 0)
    monkeypatch.setattr(chores, "EVERY", 0.001)
    monkeypatch.setattr(chores, "connection", mock.Mock())
    chores.keep_going(ended)
    assert len(swept) == 3


@pytest.mark.django_db(transaction=True)
def test_workers_count_together() -> None:
    refused: list[int] = []

    def tries() -> None:
        try:
            for _ in range(10):
                try:
                    throttle.count("together", 25)
                except throttle.TooOftenError:
                    refused.append(1)
        finally:
            connection.close()

    threads = [threading.Thread(target=tries) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Who has been refused before isn't counted any more.
    assert 25 < Throttle.objects.get().count <= 40
    # Never fewer than must be; a count read while others counted may refuse one more.
    assert len(refused) >= 15
