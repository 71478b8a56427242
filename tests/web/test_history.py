"""Looking back: the map and sheets of any earlier moment, as the seat knew them then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from laager.campaign.views import state_at
from laager.web.campaigns import actions, tables
from laager.web.models import Game
from laager.web.records.log import history
from laager.web.records.map import pictures
from tests.web.conftest import Begin, Desk, People, add_spectator, seat, take_defaults
from tests.web.seen import url


def test_the_slider_stops_at_the_end_of_each_step(game: Game, people: People) -> None:
    with tables.look(seat(game, people.anna, "axis")) as table:
        found = history.find_stops(table)
        begun = [one for one in table.view.log if one.entry.type == "step"]
        assert len(found) == len(begun)
        assert [one.number for one in found] == sorted({one.number for one in found})
        assert found[-1].number == table.view.version
        assert found[0].clause == begun[0].entry.body["clause"]
    page = people.client(people.anna).get(url(game, "axis", "history")).content.decode()
    listed = re.search(r'id="history-stops" type="application/json">(.*?)</script>', page)
    assert listed is not None
    assert [one["number"] for one in json.loads(listed[1])] == [one.number for one in found]


def test_the_past_is_as_it_was(game: Game, people: People) -> None:
    """The sheets and the map of a moment are those of the state then, and not of now."""
    client = people.client(people.anna)
    with tables.look(seat(game, people.anna, "axis")) as table:
        stops = history.find_stops(table)
        setup = next(one for one in stops if one.title == "Setting up")
        before = stops[stops.index(setup) - 1]
        then = state_at(table.campaign, "axis", before.number)
        now = table.view.state
    unit = next(
        one for one in now.units.values()
        if one.side == "axis" and one.on_map and not then.units[one.id].on_map
    )  # fmt: skip
    address = f"map/hex/{unit.hex}?format=json"
    assert unit.id in client.get(url(game, "axis", address)).content.decode()
    past = client.get(url(game, "axis", f"{address}&at={before.number}")).content.decode()
    assert unit.id not in past
    drawn = [
        client.get(url(game, "axis", f"map.svg{at}")).content
        for at in ("", f"?at={before.number}", f"?at={setup.number}")
    ]
    assert len(set(drawn)) == 3
    part = client.get(url(game, "axis", f"history/part?at={before.number}")).content.decode()
    assert f"After entry {before.number} of" in part


def test_a_purchase_can_be_looked_back_at_without_a_map(people: People, begin: Begin) -> None:
    game = begin("vistula")
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], most=4)
    page = people.client(people.anna).get(url(game, "axis", "history?at=3"))
    assert page.status_code == 200
    assert "map.svg" not in page.content.decode()


@pytest.mark.parametrize("at", ["0", "99999", "x", "-1", "1e3", "%C2%BD", "9" * 30])
def test_moments_that_never_were_are_refused(at: str, game: Game, people: People) -> None:
    client = people.client(people.anna)
    for rest in (f"history?at={at}", f"history/part?at={at}", f"map.svg?at={at}"):
        assert client.get(url(game, "axis", rest)).status_code == 404


def test_what_was_taken_back_is_no_stop(people: People, begin: Begin) -> None:
    game = begin("rzhavets")
    seats = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(seats, most=12)
    with tables.look(seats[0]) as table:
        before = history.find_stops(table)
    actions.ask_back(seats[0], before[0].number)
    actions.consent_back(seats[1], True)
    with tables.look(seats[0]) as table:
        after = history.find_stops(table)
        counted = {one.number for one in table.view.log if one.counts}
        assert {one.number for one in after} <= counted
        # An old moment can still be looked at by its number.
        history.moment_at(table, before[-1].number)
    page = people.client(people.anna).get(url(game, "axis", "")).content.decode()
    assert re.search(r"<h2>\s*Soviets agreed\s*</h2>", page)
    assert "It is taken back. You can answer anew." in page
    assert "agreed" not in people.client(people.bert).get(url(game, "allied", "")).content.decode()


# Secrets ------------------------------------------------------------------------------------------


def unknown_then(game: Game, people: People, viewer: str) -> Iterator[tuple[int, set[str]]]:
    """Yield some moments, each with what the viewer must not know: all it never saw."""
    who = {"axis": people.anna, "allied": people.bert, "spectator": people.dora}[viewer]
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        truth = table.view.state
    with tables.look(seat(game, who, viewer)) as table:
        for stop in history.find_stops(table):
            known = state_at(table.campaign, viewer, stop.number)
            hidden = {*truth.units, *truth.forts} - {*known.units, *known.forts}
            yield stop.number, hidden


@pytest.mark.parametrize("viewer", ["axis", "allied", "spectator"])
def test_at_no_moment_more_is_told_than_was_known_then(viewer: str, game: Game, people: People) -> None:
    add_spectator(game, people.dora)
    who = {"axis": people.anna, "allied": people.bert, "spectator": people.dora}[viewer]
    client, some = people.client(who), False
    # Every other moment: what was hidden then mostly still is at the next.
    for number, hidden in islice(unknown_then(game, people, viewer), None, None, 2):
        some |= bool(hidden)
        told = client.get(url(game, viewer, f"history/part?at={number}")).content.decode()
        told += client.get(url(game, viewer, f"map?at={number}")).content.decode()
        words = set(re.findall(r"\b[A-Z]{2,3}[0-9]+\b", told))
        hexes = {name for name in hidden if name in words}
        # A unit's number can be a hex's name too; units are told with brackets round it.
        assert not {one for one in hexes if f"({one})" in told}
    assert some


def test_numbers_are_the_viewers_own(game: Game, people: People) -> None:
    """Nothing tells how many entries there are that one cannot see."""
    with tables.look(seat(game, people.anna, "axis")) as table:
        mine, all_ = table.view.version, len(table.campaign.entries)
    assert mine < all_
    page = people.client(people.anna).get(url(game, "axis", "history")).content.decode()
    assert f'max="{mine}"' in page
    assert str(all_) not in re.findall(r"\d+", re.sub(r"<(path|svg).*?>", "", page))


def test_pictures_of_the_past_are_kept_for_their_viewer(game: Game, people: People) -> None:
    pictures.SHOWN.clear()
    drawn = set()
    for name, user in (("axis", people.anna), ("allied", people.bert), ("umpire", people.cleo)):
        with tables.look(seat(game, user, name)) as table:
            at = table.view.version - 5
        drawn.add(people.client(user).get(url(game, name, f"map.svg?at={at}")).content)
    assert len(drawn) == 3


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_slider_goes_through_the_past(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "history?at=41"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    range_ = page.locator("#history-range")
    before = int(range_.input_value())
    title = page.locator("#moment-title")
    first = title.inner_text()
    range_.focus()
    with page.expect_response("**/history/part*"):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("(old) => document.querySelector('#moment-title').innerText !== old",
                           arg=first)  # fmt: skip
    assert int(range_.input_value()) == before + 1
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => Number(document.querySelector('#history-range').value) > {before + 2}")
    page.get_by_role("button", name="Stop").click()
    page.locator("#history-at").fill("2")
    with page.expect_response("**/map.svg?beside=1&at=2"):
        page.get_by_role("button", name="Show", exact=True).first.click()
    page.wait_for_function("() => document.querySelector('#moment-title').innerText.includes('entry 2 ')")
    page.wait_for_url("**/history?at=2")
