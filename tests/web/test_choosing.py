"""The cards that people choose from: their facts, the picture of the map, the filter."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import thread_time
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

from laager.campaign.summary import CardSummary, PlayingTime
from laager.web.library.files import file_templates, offers
from laager.web.library.files import files as library
from laager.web.starting import tags as words

if TYPE_CHECKING:
    from tests.web.conftest import Desk, People


def test_a_card_tells_what_players_compare(people: People) -> None:
    page = people.client(people.anna).get("/new").content.decode()
    card = page[page.index('href="/new/rzhavets"') :].split("</li>\n  </ul>")[0]
    for told in (
        "Night March to Rzhavets", "Eastern Front", "12 to 16 July 1943", "Germans", "Soviets", "Platoon Leader 2.5",
        "8 firefights", "6 to 8 evenings", "the designer's estimate", "Beyond Valor", "house data",
    ):  # fmt: skip
        assert told in card, told
    assert 'src="/new/rzhavets/map.svg"' in page
    assert 'src="/new/vistula/map.svg"' not in page
    vistula = page[page.index('href="/new/vistula"') :]
    assert "1000 points" in vistula
    assert "<span>16</span>" in page


def test_programs_learn_what_players_compare(people: People) -> None:
    library.save_all(people.anna, {"bad.yaml": "laager: hasl-card/1\ntitle: Bad\nruleset: er\n"})
    client = people.client(people.anna)
    found = {one["id"]: one for one in client.get("/api/v1/cards").json()}
    facts = found["rzhavets"]["facts"]
    assert (facts["theatre"], facts["first"], facts["last"]) == ("Eastern Front", "1943-07-12", "1943-07-16")
    assert (facts["battles"], facts["battle"], facts["estimated"]) == (8, "firefight", False)
    assert facts["takes"] == {"least": 6, "most": 8, "unit": "evenings"}
    assert {one["name"] for one in facts["sides"]} == {"Germans", "Soviets"}
    assert any("Beyond Valor" in one for one in facts["needs"])
    assert found["bad.yaml"] == {**found["bad.yaml"], "own": True, "facts": None}
    assert client.get("/api/v1/cards/shipped/rzhavets").json()["facts"] == facts
    assert "bad.yaml" not in people.client(people.bert).get("/api/v1/cards").content.decode()


@pytest.mark.parametrize("name", ["new", "library/"])
def test_own_cards_are_shown_alike(name: str, people: People) -> None:
    made = file_templates.made_from("copy-sorgiva", "mine.yaml")
    library.save_all(people.anna, made)
    page = people.client(people.anna).get(f"/{name}").content.decode()
    assert 'src="/new/own/mine.yaml/map.svg"' in page
    assert "22 to 24 June 1940" in page
    assert "mine.yaml" not in people.client(people.bert).get(f"/{name}").content.decode()


def test_only_the_cards_of_one_rule_system(people: People) -> None:
    client = people.client(people.anna)
    page = client.get("/new?rules=pl").content.decode()
    assert set(re.findall(r'href="/new/([a-z-]+)">', page)) == {"training", "rzhavets"}
    assert re.search(r'href="/new\?rules=pl"\s+aria-current="true"', page)
    assert 'href="/new/' not in client.get("/new?rules=nothing").content.decode()


def test_the_picture_of_a_map(people: People) -> None:
    client = people.client(people.anna)
    answer = client.get("/new/rzhavets/map.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")
    assert len(answer.content) < 200_000
    again = client.get("/new/rzhavets/map.svg", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert client.get("/new/vistula/map.svg").status_code == 404
    assert client.get("/new/nothing/map.svg").status_code == 404


def test_the_picture_follows_the_map_in_the_own_library(people: People) -> None:
    made = file_templates.made_from("copy-sorgiva", "mine.yaml")
    library.save_all(people.anna, made)
    client = people.client(people.anna)
    before = client.get("/new/own/mine.yaml/map.svg")
    assert people.client(people.bert).get("/new/own/mine.yaml/map.svg").status_code == 404
    name = next(one for one in made if one.endswith("-map.yaml"))
    library.save(people.anna, name, made[name].replace("orchard:", "grain:"))
    after = client.get("/new/own/mine.yaml/map.svg")
    assert before["ETag"] != after["ETag"]
    library.remove(people.anna, name)
    assert client.get("/new/own/mine.yaml/map.svg").status_code == 422


def test_a_card_that_is_not_valid_is_still_offered(people: People) -> None:
    library.save(people.anna, "broken.yaml", "laager: pl-card/1\ntitle: Broken\n")
    page = people.client(people.anna).get("/new").content.decode()
    assert 'href="/new/own/broken.yaml"' in page
    assert "Open it to see what its check says." in page
    assert people.client(people.anna).get("/new/own/broken.yaml").status_code == 200


def test_many_cards_cost_no_more_than_a_moment(people: People) -> None:
    text = offers.find_shipped("rzhavets").text
    library.save_all(people.anna, {f"card-{i}.yaml": f"{text}\n# {i}\n" for i in range(30)})
    client = people.client(people.anna)
    client.get("/new")
    begun = thread_time()
    page = client.get("/new").content.decode()
    assert thread_time() - begun < 1
    assert page.count("8 firefights") == 31


def test_no_time_left_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    offers.SUMMARIES.clear()
    monkeypatch.setattr(offers, "BUDGET", 0)
    shipped = offers.list_shipped()
    assert [one.summary for one in offers.list_cards(shipped)] == [None] * len(shipped)
    monkeypatch.undo()
    assert all(one.summary for one in offers.list_cards(shipped))


@pytest.mark.parametrize(
    ("time", "english", "german"),
    [
        (PlayingTime(least=1), "1 evening", "1 Abend"),
        (PlayingTime(least=6, most=8), "6 to 8 evenings", "6 bis 8 Abende"),
        (PlayingTime(least=20, unit="minutes"), "20 minutes", "20 Minuten"),
        (PlayingTime(least=3, most=3, unit="hours"), "3 hours", "3 Stunden"),
    ],
)
def test_how_long_it_takes(time: PlayingTime, english: str, german: str) -> None:
    assert words.takes(time) == english
    with translation.override("de"):
        assert words.takes(time) == german


def test_days_in_both_languages() -> None:
    found = {one.offer.id: one.summary for one in offers.list_cards(offers.list_shipped())}
    rzhavets, vistula = found["rzhavets"], found["vistula"]
    assert rzhavets is not None
    assert vistula is not None
    assert words.days(vistula) == "September 1944"
    with translation.override("de"):
        assert words.days(rzhavets) == "12. bis 16. Juli 1943"
        assert words.battles(rzhavets) == "8 Firefights"
    assert words.days(CardSummary("a", "own")) == ""
    assert words.source_words("Multi-Man") == "Multi-Man"


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, *(pytest.param(width, marks=pytest.mark.soak) for width in (1280, 1920))])
def test_choosing_in_a_browser(width: int, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna, width=width)
    anna.go("/new?rules=pl")
    picture = anna.page.locator("img.card-map").first
    picture.scroll_into_view_if_needed()
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") > 0
    assert anna.page.evaluate("document.documentElement.scrollWidth") <= width
    # The picture leads to the card, and so does the keyboard.
    picture.click(force=True, position={"x": 40, "y": 40})
    anna.page.wait_for_url("**/new/training")
    anna.page.go_back()
    anna.page.get_by_role("link", name="Night March to Rzhavets").focus()
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url("**/new/rzhavets")
    assert anna.page.get_by_role("heading", name="Eastern Front · 12 to 16 July 1943").is_visible()
