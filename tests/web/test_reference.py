"""The rules to browse: every clause, table and reading of every ruleset has its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils.html import escape

from laager.web.services import reference

if TYPE_CHECKING:
    from tests.web.conftest import People

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
    for page in ("rule-tables", "rule-readings", "rule-sequence"):
        assert client.get(reverse(page, args=[name])).status_code == 200


def test_a_search_finds_clauses_in_all_rules(people: People) -> None:
    client = people.client(people.anna)
    page = client.get("/rules/", {"q": "sniper"}).content.decode()
    assert (
        reverse(
            "clause", args=["pl", next(iter(reference.found(reference.book("pl"), "sniper"))).id]
        )
        in page
    )
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
        for weight in reference.weighed(table, {m.id: text for m in table.modifiers}):
            assert abs(weight.given) <= reference.HIGHEST


@pytest.mark.parametrize(
    "address",
    ["/rules/nothing/", "/rules/pl/clause/PL 99.99/", "/rules/pl/tables/nothing/"],
)
def test_what_there_is_not_is_said_so(address: str, people: People) -> None:
    page = people.client(people.anna).get(address)
    assert page.status_code == 404
    assert "there " in page.content.decode()
    assert people.client(None).get(address).status_code == 302
