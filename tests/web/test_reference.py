"""The rules to browse: every clause, table and reading of every ruleset has its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils.html import escape

from laager.web.rules import reference
from laager.web.rules.reference import found_in

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

RULESETS = ("pl", "abtf", "er", "hasl", "dyo")


@pytest.mark.parametrize("name", RULESETS)
def test_every_clause_and_table_has_its_page(name: str, people: People) -> None:
    client = people.client(people.anna)
    book = reference.book(name)
    listed = client.get(reverse("rulebook", args=[name])).content.decode()
    for one in book.index.values():
        address = reverse("clause", args=[name, one.id])
        assert escape(address) in listed
    for one in list(book.index.values())[::9]:
        page = client.get(reverse("clause", args=[name, one.id]))
        assert page.status_code == 200
        assert escape(one.id) in page.content.decode()
    for table in book.tables:
        assert client.get(reverse("rule-table", args=[name, table])).status_code == 200
    for other in ("rule-tables", "rule-readings", "rule-sequence"):
        assert client.get(reverse(other, args=[name])).status_code == 200


def test_a_search_finds_clauses_in_all_rules(people: People) -> None:
    client = people.client(people.anna)
    page = client.get("/rules/", {"q": "sniper"}).content.decode()
    assert reverse("clause", args=["pl", next(iter(reference.search(reference.book("pl"), "sniper"))).id]) in page
    assert "No clause speaks of" in client.get("/rules/", {"q": "xyzzy"}).content.decode()
    assert "No clause speaks of" in client.get("/rules/pl/", {"q": "xyzzy"}).content.decode()


def test_odds_follow_the_modifiers_that_are_set(people: People) -> None:
    book = reference.book("pl")
    table = next(t for t in book.tables.values() if any(m.value for m in t.modifiers))
    one = next(m for m in table.modifiers if m.value)
    assert one.value is not None
    plain, shifted = reference.chances(table, 0), reference.chances(table, one.value)
    assert [row.ways for row in plain] != [row.ways for row in shifted]
    client = people.client(people.anna)
    page = client.get(reverse("rule-table", args=["pl", table.id]), {one.id: "1"}).content.decode()
    for row in shifted:
        assert f"{row.ways}/{row.total}" in page
    assert sum(row.share for row in shifted) == 1


@pytest.mark.parametrize("text", ["", "many", "-3", "999999999999999999999999"])
def test_what_is_no_number_counts_nothing_out_of_bounds(text: str) -> None:
    book = reference.book("pl")
    for table in book.tables.values():
        for weight in reference.weigh_modifiers(table, {m.id: text for m in table.modifiers}):
            assert abs(weight.given) <= reference.HIGHEST


@pytest.mark.parametrize("address", ["/rules/nothing/", "/rules/pl/clause/PL 99.99/", "/rules/pl/tables/nothing/"])
def test_what_there_is_not_is_said_so(address: str, people: People) -> None:
    page = people.client(people.anna).get(address)
    assert page.status_code == 404
    assert ("99.99" if "99.99" in address else "nothing") in page.content.decode()
    assert people.client(None).get(address).status_code == 302


def test_a_clause_names_what_belongs_to_it_and_what_names_it(people: People) -> None:
    book = reference.book("pl")
    client = people.client(people.anna)
    for one in book.index.values():
        for other in one.see:
            assert one in book.naming(book.index[other])
    one = next(c for c in book.index.values() if book.naming(c) and book.tables_of(c))
    page = client.get(reverse("clause", args=["pl", one.id])).content.decode()
    for clause in book.naming(one):
        assert escape(reverse("clause", args=["pl", clause.id])) in page
    for table in book.tables_of(one):
        assert reverse("rule-table", args=["pl", table.id]) in page
    step = next(iter(book.ruleset.steps.values()))
    assert f'id="{step.id}"' in client.get(reverse("rule-sequence", args=["pl"])).content.decode()


def test_what_was_searched_for_is_marked_and_is_no_markup(people: People) -> None:
    page = people.client(people.anna).get("/rules/pl/", {"q": "elr"}).content.decode()
    assert "<mark>ELR</mark>" in page
    assert found_in("a <b> c", "<b>") == "a <mark>&lt;b&gt;</mark> c"
    assert found_in("x" * 500 + " word " + "y" * 500, "word").count("…") == 2
    assert found_in("<i>", "") == "&lt;i&gt;"
    evil = people.client(people.anna).get("/rules/", {"q": "<script>(["}).content.decode()
    assert "<script>(" not in evil


@pytest.mark.parametrize("card", ["rzhavets", "kokusa-ridge", "vistula"])
def test_a_campaign_shows_the_readings_that_it_is_played_by(card: str, begin: Begin, people: People) -> None:
    game = begin(card)
    book = reference.book(game.ruleset)
    name, reading = next(iter(book.readings.items()))
    other = next(option for option in reading.options if option != reading.default)
    unusual = begin(card, readings={name: other})
    client = people.client(people.anna)
    usual = client.get(f"/campaign/{game.pk}/axis/rules").content.decode()
    page = client.get(f"/campaign/{unusual.pk}/axis/rules").content.decode()
    assert escape(reading.options[other]) in page
    assert page.count("chosen</span>") == usual.count("chosen</span>") + 1
    assert people.client(people.dora).get(f"/campaign/{game.pk}/axis/rules").status_code == 404
