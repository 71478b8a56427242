"""Accounts: the owner's link, registering, logging in, passwords, tokens; nobody can be guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.admin import site
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from laager.base import RefusedError
from laager.web.models import ApiToken, EntryLine, Invitation, Member, Player
from laager.web.seats import members
from laager.web.shared import mails, tokens
from tests.web.conftest import untokened

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.web.conftest import Begin, People

NEW = {"username": "emil", "email": "", "password1": "quiet-river-9", "password2": "quiet-river-9"}


def _login(client: Client, name: str, word: str) -> Any:
    return client.post("/login/", {"username": name, "password": word})


def _logged_in(client: Client) -> str:
    return str(client.session.get("_auth_user_id", ""))


def test_the_owners_link_makes_the_first_account_once(db: None) -> None:
    key = members.owner_key()
    client = Client()
    assert client.get(f"/invitation/{key}/", follow=True).status_code == 200
    assert client.post("/register/", NEW).status_code == 302
    emil = Player.objects.get()
    assert (emil.is_superuser, emil.is_staff, _logged_in(client)) == (True, True, str(emil.pk))
    assert members.has_owner()
    assert Client().get(f"/invitation/{key}/").status_code == 404
    assert client.get("/admin/").status_code == 200


def test_another_owners_link_withdraws_the_one_before(db: None) -> None:
    first, second = members.owner_key(), members.owner_key()
    assert Client().get(f"/invitation/{first}/").status_code == 404
    assert Client().get(f"/invitation/{second}/").status_code == 302


def test_who_is_logged_in_can_become_the_owner_by_the_link(people: People) -> None:
    client = people.client(people.dora)
    client.get(f"/invitation/{members.owner_key()}/")
    client.post("/invitation/")
    people.dora.refresh_from_db()
    assert people.dora.is_superuser


def test_keys_of_links_are_kept_as_hashes_only(people: People, begin: Begin) -> None:
    key = members.owner_key()
    token = tokens.make(people.anna, "laptop")
    kept = str(list(Invitation.objects.values())) + str(list(ApiToken.objects.values()))
    assert key not in kept
    assert token not in kept


def test_without_an_invitation_nobody_can_register(db: None, settings: Any) -> None:
    assert Client().get("/register/").status_code == 403
    assert Client().post("/register/", NEW).status_code == 403
    assert not Player.objects.exists()
    settings.CONFIG = settings.CONFIG.model_copy(update={"registration": True})
    client = Client()
    assert client.get("/register/").status_code == 200
    assert client.post("/register/", NEW).status_code == 302
    emil = Player.objects.get()
    assert not emil.is_staff
    assert _logged_in(client) == str(emil.pk)


def test_a_bad_registration_keeps_what_was_typed_and_the_invitation(db: None) -> None:
    key = members.owner_key()
    client = Client()
    client.get(f"/invitation/{key}/")
    answer = client.post("/register/", NEW | {"password1": "123", "password2": "123"})
    assert answer.status_code == 200
    assert 'value="emil"' in answer.content.decode()
    assert "too short" in answer.content.decode()
    assert client.post("/register/", NEW).status_code == 302
    assert Player.objects.get().is_superuser


def test_names_that_differ_in_capitals_only_are_one(people: People, settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"registration": True})
    answer = Client().post("/register/", NEW | {"username": "ANNA"})
    assert "taken" in answer.content.decode()
    assert Player.objects.count() == 4


def test_an_invitation_is_not_used_up_by_looking(people: People) -> None:
    key = members.owner_key()
    for _ in range(3):
        assert Client().get(f"/invitation/{key}/", follow=True).status_code == 200
    assert Invitation.objects.get().taken is None


# Nobody can be guessed ----------------------------------------------------------------------------


def _shape(answer: HttpResponse) -> tuple[int, str]:
    return answer.status_code, untokened(answer.content)


def test_login_tells_nothing_of_who_there_is(people: People) -> None:
    Player.objects.filter(pk=people.bert.pk).update(is_active=False)
    wrong = [_login(Client(), name, "no-such-word") for name in ("anna", "bert", "zoes")]
    texts = {
        _shape(answer)[1].replace(name, "NAME") for answer, name in zip(wrong, ("anna", "bert", "zoes"), strict=True)
    }
    assert {answer.status_code for answer in wrong} == {200}
    assert len(texts) == 1


def test_login_hashes_a_password_for_names_that_there_are_not(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.auth import hashers

    hasher = type(hashers.get_hasher())
    hashed: list[str] = []
    original = hasher.encode

    def counted(self: Any, *args: Any, **kwargs: Any) -> str:
        hashed.append("once")
        return str(original(self, *args, **kwargs))

    monkeypatch.setattr(hasher, "encode", counted)
    work = []
    for name in ("anna", "zoe"):
        hashed.clear()
        _login(Client(), name, "no-such-word")
        work.append(len(hashed))
    assert work[0] == work[1] > 0


def test_a_reset_takes_the_same_work_and_answer_for_any_address(people: People) -> None:
    answers, queries = [], []
    Client().post("/reset/", {"email": "first@example.org"})  # Makes what is counted under.
    for address in ("anna@example.org", "zoe@example.org"):
        with CaptureQueriesContext(connection) as seen:
            answers.append(Client().post("/reset/", {"email": address}))
        queries.append([q["sql"].split()[0] for q in seen.captured_queries])
    mails.drain()
    assert [a.status_code for a in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert queries[0] == queries[1]
    assert [m.to for m in mail.outbox] == [["anna@example.org"]]


def test_a_reset_link_sets_a_new_password_once(people: People, settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"address": "https://laager.example"})
    Client().post("/reset/", {"email": "anna@example.org"})
    mails.drain()
    link = re.search(r"https://laager\.example(/reset/\S+)", str(mail.outbox[0].body))
    assert link
    client, token = Client(), tokens.make(people.anna, "laptop")
    answer = client.get(link[1], follow=True)
    form = answer.redirect_chain[-1][0]
    word = {"new_password1": "loud-brook-31", "new_password2": "loud-brook-31"}
    assert client.post(form, word).status_code == 302
    assert "no longer valid" in Client().get(link[1], follow=True).content.decode()
    assert tokens.find(token) is None
    _login(client, "anna", "loud-brook-31")
    assert _logged_in(client) == str(people.anna.pk)


# One's own account --------------------------------------------------------------------------------


ACCOUNT = {"first_name": "Anna", "email": "anna@example.org", "time_zone": "Europe/Berlin",
           "language": "de", "theme": "dark", "mails": "on"}  # fmt: skip


def test_an_account_is_changed_and_shown_by_its_own_settings(people: People) -> None:
    client = people.client(people.anna)
    assert client.post("/account/", ACCOUNT).status_code == 302
    page = client.get("/account/")
    assert page["Content-Language"] == "de"
    assert 'data-theme="dark"' in page.content.decode()
    people.anna.refresh_from_db()
    assert people.anna.time_zone == "Europe/Berlin"


def test_another_mail_address_needs_the_password(people: People) -> None:
    client = people.client(people.anna)
    changed = ACCOUNT | {"email": "thief@example.org", "language": ""}
    answer = client.post("/account/", changed)
    assert answer.status_code == 200
    assert "type your password" in answer.content.decode()
    people.anna.refresh_from_db()
    assert people.anna.email == "anna@example.org"
    client.post("/account/", changed | {"password_now": "anna-secret-word"})
    people.anna.refresh_from_db()
    assert people.anna.email == "thief@example.org"


@pytest.mark.parametrize("field", ["time_zone", "language", "theme"])
def test_settings_that_there_are_not_are_refused(field: str, people: People) -> None:
    answer = people.client(people.anna).post("/account/", ACCOUNT | {field: "<script>"})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert "<script>" not in answer.content.decode()


def test_a_changed_password_logs_other_devices_and_programs_out(people: People) -> None:
    here, there = people.client(people.anna), people.client(people.anna)
    token, of_other = tokens.make(people.anna, "laptop"), tokens.make(people.bert, "laptop")
    program = {"Authorization": f"Bearer {token}"}
    assert Client().get("/api/v1/me", headers=program).status_code == 200
    word = {"new_password1": "loud-brook-31", "new_password2": "loud-brook-31"}
    assert here.post("/account/password/", {"old_password": "no", **word}).status_code == 200
    answer = here.post("/account/password/", {"old_password": "anna-secret-word", **word})
    assert answer.status_code == 302
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert Client().get("/api/v1/me", headers=program).status_code == 401
    assert tokens.find(of_other) == people.bert


def test_a_login_that_stores_a_better_hash_ends_no_token(people: People, settings: Any) -> None:
    token = tokens.make(people.anna, "laptop")
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]
    before = people.anna.password
    _login(Client(), "anna", "anna-secret-word")
    people.anna.refresh_from_db()
    assert people.anna.password != before
    assert tokens.find(token) == people.anna


def test_a_token_is_shown_once_and_can_be_withdrawn(people: People) -> None:
    client = people.client(people.anna)
    page = client.post("/account/tokens/", {"name": "laptop"}).content.decode()
    key = re.search(r"laager_[\w-]+", page)
    assert key
    assert key[0] not in client.get("/account/tokens/").content.decode()
    assert tokens.find(key[0]) == people.anna
    assert ApiToken.objects.get().used is not None
    pk = ApiToken.objects.get().pk
    theft = people.client(people.bert).post(f"/account/tokens/{pk}/revoke/")
    assert theft.status_code == 404
    assert client.post(f"/account/tokens/{pk}/revoke/").status_code == 302
    assert tokens.find(key[0]) is None


def test_a_token_of_a_closed_account_opens_nothing(people: People) -> None:
    key = tokens.make(people.anna, "laptop")
    Player.objects.filter(pk=people.anna.pk).update(is_active=False)
    assert tokens.find(key) is None
    assert tokens.find("") is None


def test_there_is_an_end_to_tokens(people: People) -> None:
    for n in range(tokens.MOST):
        tokens.make(people.anna, str(n))
    with pytest.raises(RefusedError, match="at most"):
        tokens.make(people.anna, "one more")
    page = people.client(people.anna).post("/account/tokens/", {"name": "one more"})
    assert "at most" in page.content.decode()


# The admin ----------------------------------------------------------------------------------------


def test_the_admin_shows_no_logs_and_no_keys(people: People, begin: Begin) -> None:
    game = begin()
    people.dora.is_staff = people.dora.is_superuser = True
    people.dora.save()
    key = tokens.make(people.anna, "laptop")
    client = people.client(people.dora)
    pages = [client.get("/admin/")]
    for model, model_admin in site._registry.items():
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        pages.append(client.get(base))
        pages += [client.get(f"{base}{one.pk}/change/") for one in model_admin.model.objects.all()]
    assert {page.status_code for page in pages} == {200}
    text = "".join(page.content.decode() for page in pages)
    secrets = [tokens.digest(key), people.anna.password, game.head]
    secrets += list(EntryLine.objects.values_list("line", flat=True))[1:]
    assert game.title in text
    assert [secret for secret in secrets if secret in text] == []
    assert EntryLine not in site._registry


def test_the_admin_gives_no_seats(people: People, begin: Begin) -> None:
    begin()
    people.dora.is_staff = people.dora.is_superuser = True
    people.dora.save()
    client = people.client(people.dora)
    before = Member.objects.count()
    assert client.post("/admin/web/member/add/", {}).status_code == 403
    assert Member.objects.count() == before


def test_the_admin_has_no_login_of_its_own(people: People) -> None:
    answer = Client().get("/admin/")
    assert answer.status_code == 302
    word = {"username": "anna", "password": "anna-secret-word"}
    answer = Client().post("/admin/login/", word)
    assert answer["Location"].startswith("/login/")
    assert people.client(people.anna).get("/admin/", follow=True).status_code == 403
