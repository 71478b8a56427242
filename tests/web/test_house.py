"""House rules in the browser: written in grids, chosen when a campaign begins, shown where they hold."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from laager.base.files import parse_document
from laager.web.library.files import files as library
from laager.web.library.sharing import shares
from laager.web.library.sharing.shares import Sharing
from laager.web.models import FileVersion, Game

from .conftest import People

HOUSE = """\
laager: house/1
ruleset: pl
title: Tuesday
why: As we agreed.
rules:
  # Too dear.
  PL 3.47: {why: Too hard., column inclusive: {5: 1}, modifiers: {won: off, rain: {value: 2, when: it rained}}}
  PL 3.41: off
"""


@pytest.fixture
def client(people: People) -> Client:
    library.save(people.anna, "h.yaml", HOUSE)
    return people.client(people.anna)


def rules(people: People, name: str = "h.yaml") -> dict[str, object]:
    return parse_document(library.find(people.anna, name).text, name).data["rules"]  # type: ignore[no-any-return]


def form(page: str) -> dict[str, str]:
    """What the form of a page sends as it is."""
    page = page[page.index('name="was"') - 200 :]
    found = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        radio = 'type="radio"' in tag
        if name and (not radio or "checked" in tag):
            found[unescape(name[1])] = unescape(value[1]) if value else ""
    for name, body in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'<option value="([^"]*)"\s+selected', body)
        found[unescape(name)] = unescape(chosen[1]) if chosen else ""
    return found


def test_a_clause_is_changed_in_a_grid_and_the_rest_of_the_file_stays(client: Client, people: People) -> None:
    page = client.get("/library/file/h.yaml/house?clause=PL 2.12").content.decode()
    sent = form(page)
    assert sent["cell|cp-replenishment|mid|5"] == "22"
    sent |= {"cell|cp-replenishment|mid|5": "3", "modifier|cp-replenishment|attacked": "off", "why": "Rather so."}
    sent |= {"own|cp-replenishment|1|value": "-1", "own|cp-replenishment|1|when": "it is late"}
    answer = client.post("/library/file/h.yaml/house?clause=PL 2.12", sent)
    assert answer.status_code == 302
    assert rules(people)["PL 2.12"] == {
        "why": "Rather so.",
        "column mid": {"5": 3},
        "modifiers": {"attacked": "off", "it-is-late": {"value": -1, "when": "it is late"}},
    }
    assert "# Too dear." in library.find(people.anna, "h.yaml").text
    shown = client.get("/library/file/h.yaml/house").content.decode()
    assert "5 (mid): 3 instead of 22" in unescape(shown)


def test_a_form_sent_as_it_is_changes_nothing(client: Client, people: People) -> None:
    for clause in ("PL 3.47", "PL 3.41", "PL 2.34", "PL 2.38 table"):
        before = rules(people)
        page = client.get(f"/library/file/h.yaml/house?clause={clause}").content.decode()
        assert client.post(f"/library/file/h.yaml/house?clause={clause}", form(page)).status_code == 302
        assert rules(people) == before, clause


def test_a_row_is_cut_and_a_clause_put_back_as_printed(client: Client, people: People) -> None:
    address = "/library/file/h.yaml/house?clause=PL 3.47"
    page = client.post(address, form(client.get(address).content.decode()) | {"cut|elr-change": "11"})
    assert page.status_code == 200
    cut = form(page.content.decode())
    assert {"cell|elr-change|inclusive|11", "cell|elr-change|inclusive|12"} <= set(cut)
    client.post(address, cut | {"cell|elr-change|inclusive|11": "-1"})
    changed = rules(people)["PL 3.47"]
    assert isinstance(changed, dict)
    assert changed["column inclusive"] == {"5": 1, "11": -1}
    address = "/library/file/h.yaml/house?clause=PL 3.41"
    client.post(address, form(client.get(address).content.decode()) | {"clause": ""})
    assert "PL 3.41" not in rules(people)


def test_what_is_wrong_is_told_and_what_was_typed_stays(client: Client, people: People) -> None:
    address = "/library/file/h.yaml/house?clause=PL 2.12"
    before = library.find(people.anna, "h.yaml").text
    answer = client.post(address, form(client.get(address).content.decode()) | {"cell|cp-replenishment|mid|5": "fish"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“fish” isn't a number" in unescape(page)
    assert form(page)["cell|cp-replenishment|mid|5"] == "fish"
    assert library.find(people.anna, "h.yaml").text == before


def test_a_new_file_a_campaign_begun_with_it_and_what_is_shown_there(client: Client, people: People) -> None:
    answer = client.post("/library/new", {"template": "house-pl", "name": "new"})
    assert answer["Location"].endswith("/library/file/new.yaml/house")
    assert client.get(answer["Location"]).status_code == 200
    page = client.get("/new/training").content.decode()
    assert "Tuesday (h.yaml)" in page
    begun = {"title": "T", "seat": "both", "dice": "rolled", "waiting-days": "7", "house": "h.yaml"}
    assert client.post("/new/training", begun).status_code == 302
    game = Game.objects.get()
    shown = unescape(client.get(f"/campaign/{game.pk}/axis/rules").content.decode())
    assert "House rules in force" in shown
    assert "5 (inclusive): ELR rises by 1 instead of ELR stays" in shown
    assert "Too hard." in shown
    assert 'href="/rules/pl/clause/PL%203.47/"' in shown
    odds = unescape(client.get(f"/campaign/{game.pk}/axis/forecasts/elr-change").content.decode())
    assert "it rained" in odds
    assert 'class="rule house-rule"' in odds
    assert "The table as printed" in odds
    assert "won the firefight just played” doesn't count" in odds
    printed = unescape(client.get("/rules/pl/tables/elr-change/").content.decode())
    assert "it rained" not in printed


def test_house_rules_that_do_not_fit_are_refused_and_others_files_are_not_there(client: Client, people: People) -> None:
    library.save(people.anna, "bad.yaml", HOUSE.replace("PL 3.41: off", "PL 3.99: off"))
    begun = {"title": "T", "seat": "both", "dice": "rolled", "waiting-days": "7"}
    answer = client.post("/new/training", begun | {"house": "bad.yaml"})
    assert answer.status_code == 422
    assert "has no clause “PL 3.99”" in unescape(answer.content.decode())
    other = people.client(people.bert)
    assert other.post("/new/training", begun | {"house": "h.yaml"}).status_code == 404
    assert other.get("/library/file/h.yaml/house").status_code == 404
    assert not Game.objects.exists()


def test_house_rules_over_the_api(people: People) -> None:
    library.save(people.anna, "h.yaml", HOUSE)
    client = people.client(people.anna)
    sent = {"card": "training", "seat": "both", "house": "h.yaml"}
    answer = client.post("/api/v1/campaigns", sent, content_type="application/json")
    assert answer.status_code == 201, answer.content
    game, seat = answer.json()["campaign"], answer.json()["seat"]
    status = client.get(f"/api/v1/campaigns/{game}/{seat}").json()
    assert "House rules: PL 3.47, PL 3.41" in status["headline"]
    refused = client.post("/api/v1/campaigns", sent | {"house": "no.yaml"}, content_type="application/json")
    assert refused.status_code == 404


# Shared -------------------------------------------------------------------------------------------


@pytest.fixture
def shared(client: Client, people: People) -> str:
    """The address of anna's rules, which bert may change and cleo may see; dora may neither."""
    file = shares.share(
        people.anna, library.find(people.anna, "h.yaml").pk, Sharing("named", "named", ["cleo"], ["bert"])
    )
    return f"/library/shared/{file.pk}/house"


def test_what_is_no_file_of_house_rules_is_said_in_words(client: Client, people: People) -> None:
    library.save(people.anna, "card.yaml", "laager: pl-card/1\nid: x\n")
    answer = client.get("/library/file/card.yaml/house")
    assert answer.status_code == 404
    assert "card.yaml has no house rules" in unescape(answer.content.decode())
    library.save(people.anna, "torn.yaml", "laager: house/1\ntitle: T\n")
    page = client.get("/library/file/torn.yaml/house", follow=True, headers={"Accept-Language": "de"}).content.decode()
    said = re.search(r'<ul class="messages">(.*?)</ul>', page, re.DOTALL)
    assert said is not None
    words = " ".join(unescape(re.sub("<[^>]*>", " ", said[1])).split())
    assert words == "torn.yaml sagt nicht, welche Regeln es ändert; schreib pl, abtf, er, hasl oder dyo"


def test_who_may_change_shared_rules_has_the_same_grids(shared: str, people: People) -> None:
    bert = people.client(people.bert)
    assert f'href="{shared}"' in bert.get(shared.removesuffix("house")).content.decode()
    page = bert.get(shared).content.decode()
    assert f"{shared}?clause=PL%203.47" in page
    assert "/library/file/" not in page
    sent = form(page) | {"title": "Wednesday"}
    assert bert.post(shared, sent)["Location"] == shared
    clause = f"{shared}?clause=PL 2.12"
    page = bert.get(clause).content.decode()
    assert "/library/file/" not in page
    sent = form(page) | {"cell|cp-replenishment|mid|5": "3", "why": "Rather so."}
    assert bert.post(clause, sent)["Location"] == shared
    assert "PL 2.12" in rules(people)
    assert "title: Wednesday" in library.find(people.anna, "h.yaml").text
    assert "# Too dear." in library.find(people.anna, "h.yaml").text
    assert [version.writer for version in FileVersion.objects.order_by("number")] == [people.anna, people.bert]
    # What somebody else has kept in between isn't written over.
    assert bert.post(clause, sent).status_code == 409


def test_who_may_only_see_shared_rules_looks_at_them(shared: str, people: People) -> None:
    cleo = people.client(people.cleo)
    for address in (shared, f"{shared}?clause=PL 2.12"):
        page = cleo.get(address).content.decode()
        assert "anna lets you see this file, not change it." in page
        assert '<fieldset class="plain" disabled>' in page
        assert "Keep it" not in page
        assert cleo.post(address, form(people.client(people.anna).get(address).content.decode())).status_code == 403
        there, missing = (
            people.client(people.dora).get(address),
            people.client(people.dora).get("/library/shared/99999/house"),
        )
        assert there.status_code == missing.status_code == 404
    assert library.find(people.anna, "h.yaml").text == HOUSE
