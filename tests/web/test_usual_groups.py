"""Usual groups of a card's nations: ticked many at a time, put into the charts, numbered on."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.library.sharing import shares

from .conftest import People
from .test_grids import cells

PAGE = "/library/file/mill.yaml/groups"


@pytest.fixture
def client(people: People) -> Client:
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "mill"), None)
    return people.client(people.anna)


def number_of(page: str, side: str, text: str) -> str:
    """Return the number under which a page offers a group."""
    for box in re.findall(r"<label>(.*?)</label>", page, re.DOTALL):
        match = re.search(rf'name="{side}"\s+value="([0-9]+)"', box)
        if match and text in " ".join(re.sub(r"<[^>]*>", " ", box).split()):
            return match[1]
    raise AssertionError(f"{text} isn't offered to {side}")


def test_ticked_groups_are_put_into_both_charts(client: Client, people: People) -> None:
    assert PAGE in client.get("/library/file/mill.yaml/fill").content.decode()
    page = client.get(PAGE).content.decode()
    sent = {
        "axis": [number_of(page, "axis", text) for text in ("Rifle platoon 3x 4-6-7, LMG 4 CP", "Platoon of PzIVH")],
        "allied": [number_of(page, "allied", "Rifle platoon (4-4-7)"), number_of(page, "allied", "Conscript platoon")],
    }
    answer = client.post(PAGE, sent)
    assert answer.status_code == 302
    assert "chart=firefights" in answer.headers["Location"], "all charts are on the page that follows"
    axis = cells(people, "mill.yaml", "axis-chart")
    assert [row[:3] for row in axis] == [["I1", "Rifle platoon", "infantry"], ["A1", "Platoon of PzIVH", "afv"]]
    assert [row[0] for row in cells(people, "mill.yaml", "allied-chart")] == ["I1", "I2"]
    # What is there already isn't offered again; what comes later is numbered on.
    page = client.get(PAGE).content.decode()
    assert page.count(">in the chart<") == 4
    client.post(PAGE, {"axis": [number_of(page, "axis", "Second-line platoon")]})
    assert [row[0] for row in cells(people, "mill.yaml", "axis-chart")] == ["I1", "A1", "I2"]


def test_what_cannot_be_taken_is_said(client: Client, people: People) -> None:
    answer = client.post(PAGE, {"axis": ["9999"]})
    assert answer.status_code == 422
    assert "nothing is ticked" in answer.content.decode()
    library.save_all(people.anna, file_templates.made_from("blank-map", "bare"), None)
    assert client.get("/library/file/bare.yaml/groups").status_code == 404
    text = library.find(people.anna, "mill.yaml").text
    library.save(people.anna, "mill.yaml", text.replace("nation: german", "nation: martian"))
    page = client.get(PAGE, headers={"Accept-Language": "de"}).content.decode()
    assert "Laager kennt die Gruppen ihrer Nation nicht" in page
    # Somebody has changed the file meanwhile.
    number = number_of(page, "allied", "Conscript platoon")
    assert client.post(PAGE, {"allied": [number], "was": "0" * 64}).status_code == 409


def test_only_what_there_is_in_the_month_of_the_first_firefight(client: Client, people: People) -> None:
    page = client.get(PAGE).content.decode()
    assert "Platoon of PzIVH" in page
    assert re.findall(r"<summary>([^<]*) \(\d+\)</summary>", page)[:4] == ["Infantry", "Heavy weapons", "Guns", "AFV"]
    assert ">Axis: German<" in page
    text = library.find(people.anna, "mill.yaml").text
    at = text.index("firefights:\n- ") + len("firefights:\n- ")
    text = text[:at] + "{date: 1940-06-01, time: noon, game_end: {5: 3}}" + text[text.index("\n", at) :]
    library.save(people.anna, "mill.yaml", text)
    page = client.get(PAGE).content.decode()
    assert "June 1940" in page
    assert "Platoon of PzIVH" not in page


def test_a_calendar_is_made_with_what_both_sides_have_at_the_start(client: Client, people: People) -> None:
    page = client.get(PAGE).content.decode()
    assert "Make the calendar" in page
    sent = {"do": "begin", "day": "1944-01-10", "count": "4", "pace": "3"}
    assert client.post(PAGE, sent).headers["Location"] == PAGE
    calendar = cells(people, "mill.yaml", "firefights")
    assert [row[:2] for row in calendar] == [
        ["1944-01-10", "morning"],
        ["1944-01-10", "afternoon"],
        ["1944-01-10", "night"],
        ["1944-01-11", "morning"],
    ]
    assert [row[2:7] for row in calendar[1:3]] == [
        ["5 2, 6 3, 7 5, 8 6", "Overcast", "", "", ""],
        # The moon was full on 10 January 1944.
        ["5 2, 6 4, 7 6", "Overcast", "", "4", "full"],
    ]
    # The Germans attack first, so they have more CP.
    assert [row[2:6] for row in cells(people, "mill.yaml", "sides")] == [["3", "3", "20", "3"], ["3", "4", "16", "3"]]
    page = client.get(PAGE).content.decode()
    assert "January 1944" in page
    assert "Make the calendar" not in page
    assert client.post(PAGE, sent).status_code == 422, "a calendar that is there stays"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"day": "12.7.43"}, "not a day of the war"),
        ({"day": "1815-06-18"}, "not a day of the war"),
        ({"count": "0"}, "be the number of firefights"),
        ({"count": "999999999999999"}, "be the number of firefights"),
    ],
)
def test_a_calendar_that_cannot_be_made(client: Client, people: People, wrong: dict[str, str], says: str) -> None:
    before = library.find(people.anna, "mill.yaml").text
    answer = client.post(PAGE, {"do": "begin", "day": "1943-07-12", "count": "5", "pace": "2", **wrong})
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert library.find(people.anna, "mill.yaml").text == before


def test_what_stands_there_already_stays_when_a_card_begins(client: Client, people: People) -> None:
    text = library.find(people.anna, "mill.yaml").text
    library.save(people.anna, "mill.yaml", text.replace("elr: <fill in> the ELR at the start, 0 to 5", "elr: 5", 1))
    client.post(PAGE, {"do": "begin", "day": "1943-07-12", "count": "1", "pace": "1"})
    assert [row[2] for row in cells(people, "mill.yaml", "sides")] == ["5", "3"]


def test_groups_of_the_ob_and_places_of_the_map(client: Client, people: People) -> None:
    text = library.find(people.anna, "mill-map.yaml").text
    library.save(
        people.anna,
        "mill-map.yaml",
        f"{text}\nbuildings:\n- {{name: Mill <1>, material: stone, hexes: [F5]}}\nfeatures: {{ford: [C2]}}\n",
    )
    page = client.get(PAGE).content.decode()
    assert "Mill &lt;1&gt;" in page
    vehicle = number_of(page, "axis", "Platoon of PzIVH")
    answer = client.post(PAGE, {"axis": [vehicle], "axis-ob": [vehicle, "0"], "place": ["F5", "Z99"]})
    assert answer.status_code == 302
    assert [row[0] for row in cells(people, "mill.yaml", "axis-chart")] == ["I1", "A1"]
    assert [row[:2] for row in cells(people, "mill.yaml", "axis-groups")] == [["I1", "on-map"], ["A1", "off-map"]]
    assert cells(people, "mill.yaml", "tvp") == [["F5", "1"]]
    client.post(PAGE, {"place": ["F5", "C2"]})
    assert cells(people, "mill.yaml", "tvp") == [["F5", "1"], ["C2", "1"]]


@pytest.mark.parametrize("name", ["../pl/rzhavets-map", "nowhere.yaml", "mill.yaml", "7"])
def test_a_map_that_cannot_be_read_offers_no_places(client: Client, people: People, name: str) -> None:
    text = library.find(people.anna, "mill.yaml").text
    library.save(people.anna, "mill.yaml", text.replace("map: mill-map.yaml", f"map: {name}"))
    page = client.get(PAGE)
    assert page.status_code == 200
    assert "Places worth TVP" not in page.content.decode()


def test_a_fresh_card_leads_on_and_a_finished_one_is_tried(client: Client, people: People) -> None:
    fill = "/library/file/mill.yaml/fill"
    page = client.get(fill).content.decode()
    assert re.findall(r'class="button primary"\s+href="([^"]*)"', page) == [PAGE]
    assert "/new/own/mill.yaml" not in page
    assert "what players call the campaign" not in client.get("/library/").content.decode()
    client.post(PAGE, {"do": "begin", "day": "1943-07-12", "count": "3", "pace": "2"})
    client.post(PAGE, {"axis-ob": ["0"], "allied-ob": ["0"]})
    text = library.find(people.anna, "mill.yaml").text
    for blank, value in (
        ("title: <fill in> what players call the campaign", "title: The mill"),
        ("- <fill in> the setup area of the Initial Firefight, as hexes and ranges", "- A1-A10"),
        ("- <fill in> the setup area of the Initial Firefight, as hexes and ranges", "- L1-L9"),
    ):
        text = text.replace(blank, value, 1)
    library.save(people.anna, "mill.yaml", text)
    page = client.get(fill).content.decode()
    assert "/new/own/mill.yaml" in page
    assert "Try the card" in page


def test_of_a_shared_file_only_who_may_change_it(client: Client, people: People) -> None:
    number = library.find(people.anna, "mill.yaml").pk
    own = people.client(people.bert)
    shares.share(people.anna, number, shares.Sharing("everybody", "nobody"))
    assert own.get(f"/library/shared/{number}/groups").status_code == 403
    shares.share(people.anna, number, shares.Sharing("everybody", "everybody"))
    page = own.get(f"/library/shared/{number}/groups").content.decode()
    sent = {
        "axis": [number_of(page, "axis", "Second-line platoon")],
        "was": library.digest(library.find(people.anna, "mill.yaml").text),
    }
    taken = own.post(f"/library/shared/{number}/groups", sent)
    assert taken.status_code == 302
    assert [row[0] for row in cells(people, "mill.yaml", "axis-chart")] == ["I1"]
