"""What is found about LOS stands next to its question, for its own side; the answer and it go into the log."""

from __future__ import annotations

import html
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from laager.hexmap.draw import LosLayer
from laager.los.questions.map_los import LosView, LosWish
from laager.rules.board.units import HIDING
from laager.web.campaigns import los, scenes, tables
from laager.web.campaigns.tables import look
from laager.web.shared import processes
from tests.web.api import Program, RefusedCallError, at
from tests.web.conftest import seat
from tests.web.fielded import fielded
from tests.web.seen import url
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.web.models import Game
    from tests.web.conftest import Desk, People

pytestmark = pytest.mark.django_db


@pytest.fixture
def naming(people: People) -> tuple[Game, str]:
    """A campaign in which the British name their Headquarters, and the address of that question."""
    game = fielded(people, "rijnoord", ("headquarters",))
    with look(seat(game, people.bert, "allied")) as table:
        (asked,) = [one for one in table.asked if one.pending.key == "headquarters"]
    return game, f"/campaign/{game.pk}/allied/ask/{asked.mark}/"


def test_the_question_shows_what_each_building_sees(people: People, naming: tuple[Game, str]) -> None:
    game, address = naming
    page = people.client(people.bert).get(address)
    text = page.content.decode()
    assert "Line of sight" in text
    assert "approximate" in text
    assert "Answer as the LOS has it" in text
    assert people.client(people.anna).get(address).status_code == 404
    assert people.client(people.anna).get(address.replace("/allied/", "/axis/")).status_code != 200
    assert game.title == "Fielded"


def test_the_answer_that_follows_and_the_log(people: People, naming: tuple[Game, str]) -> None:
    game, address = naming
    client = people.client(people.bert)
    form = ask_form(client.get(address).content)
    page = client.post(address, form.data | {"do": ["los"]})
    assert page.status_code == 200
    assert 'class="problem"' not in page.content.decode().partition('class="sights"')[2].partition("</section>")[0]
    settled = ask_form(page.content)
    done = client.post(address, settled.data | {"do": ["give"]})
    assert done.status_code == 302
    with look(seat(game, people.bert, "allied")) as table:
        (answer,) = [one.body for one in table.campaign.entries if one.body.get("key") == "headquarters"]
    assert all(one["followed"] and one["engine"] == "hexes 2" for one in answer["los"])
    log = client.get(f"/campaign/{game.pk}/allied/log?show=all").content.decode()
    assert "As the approximate LOS has it." in log
    enemy = people.client(people.anna).get(f"/campaign/{game.pk}/axis/log?show=all").content.decode()
    assert "LOS has it" not in enemy


def test_programs_are_told_the_same_and_only_those_of_the_side(people: People, naming: tuple[Game, str]) -> None:
    game, address = naming
    mark = address.rstrip("/").rsplit("/", 1)[1]
    bert, anna = Program.of(people.bert), Program.of(people.anna)
    (asked,) = [one for one in bert.get(f"{at(game, 'allied')}/asked") if one["key"] == "headquarters"]
    assert asked["los"]
    checked = bert.post(f"{at(game, 'allied')}/asked/{mark}/check", {"answer": asked["default"]})
    assert {one["engine"] for one in checked["los"]} == {"hexes 2"}
    assert all(one["proof"] for one in checked["los"])
    for program, name in ((anna, "axis"), (anna, "allied")):
        with pytest.raises(RefusedCallError):
            program.post(f"{at(game, name)}/asked/{mark}/check", {"answer": asked["default"]})
    seen = anna.get(f"{at(game, 'axis')}/map/sight?see=from&spot=R10&range=4&level=1")
    assert seen["approximate"]
    assert seen["spots"] == ["R10"]
    with pytest.raises(RefusedCallError, match="say what to look at"):
        anna.get(f"{at(game, 'axis')}/map/sight")
    drawn = anna.get(f"{at(game, 'axis')}/map.svg?see=hull&spot=R10&range=3")
    assert 'id="layer-sight"' in drawn


# On the map ---------------------------------------------------------------------------------------


def some_hex(game: Game, people: People, side: str) -> str:
    with look(seat(game, people.anna if side == "axis" else people.bert, side)) as table:
        units = table.view.state.units.values()
        return str(next(unit.at for unit in units if unit.side == side and unit.on_map and unit.kind == "squad"))


@pytest.mark.parametrize("mode", ["from", "to", "hull", "fire", "enemy", "best"])
def test_the_map_shows_what_can_be_seen(mode: str, game: Game, people: People) -> None:
    client = people.client(people.anna)
    asked = f"see={mode}&spot={some_hex(game, people, 'axis')}&range=8"
    page = client.get(url(game, "axis", f"map?{asked}"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "data-sight-box open" in " ".join(text.split())
    assert "approximate" in text
    assert f"map.svg?see={mode}" in text
    drawn = client.get(url(game, "axis", f"map.svg?{asked}"))
    assert b'id="layer-sight"' in drawn.content
    assert b"style" not in drawn.content
    found = client.get(url(game, "axis", f"map/sight?{asked}&format=json")).json()
    assert (found["approximate"], found["engine"]) == (True, "hexes 2")
    assert found["hexes"] or mode == "best"
    assert client.get(url(game, "axis", f"map/sight?{asked}")).status_code == 200


def test_fields_of_fire_say_their_range_and_what_has_no_colour(game: Game, people: People) -> None:
    client = people.client(people.anna)
    for asked, range_ in (("see=fire", 16), ("see=fire&range=8", 8)):
        shown = " ".join(client.get(url(game, "axis", f"map/sight?{asked}")).content.decode().split())
        assert f"Up to {range_} hexes away." in shown
        assert f'data-used="{range_}"' in shown
        assert f"Beyond {range_} hexes: not looked at" in shown
        assert "Looks from here" in shown
        drawn = client.get(url(game, "axis", f"map.svg?{asked}")).content.decode()
        assert "Looks from here" in drawn
        assert f"Beyond {range_} hexes" in drawn
    whole = client.get(url(game, "axis", f"map/sight?see=from&spot={some_hex(game, people, 'axis')}"))
    assert "not looked at" not in whole.content.decode()


def test_a_line_says_what_blocks_it(game: Game, people: People) -> None:
    client = people.client(people.cleo)
    asked = "see=line&spot=r10&other=H4 level 0"
    found = client.get(url(game, "umpire", f"map/sight?{asked}&format=json")).json()
    assert found["sight"]["from"] == "R10"
    part = client.get(url(game, "umpire", f"map/sight?{asked}")).content.decode()
    assert html.escape(found["sight"]["sentence"]) in part
    assert client.get(url(game, "umpire", f"map.png?{asked}&width=800"))["Content-Type"] == "image/png"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("see=from&spot=ZZ99", "there is no hex"), ("see=from&spot=", "there is no hex"),
        ("see=line&spot=R10&other=R10:9", "there is no R10 level 9"), ("see=up&spot=R10", "is not a way to look"),
        ("see=fire", "you see no units of your own side"),
    ],
)  # fmt: skip
def test_what_cannot_be_looked_at_is_said(asked: str, said: str, game: Game, people: People) -> None:
    client = people.client(people.cleo)
    page = client.get(url(game, "umpire", f"map?{asked}"))
    assert page.status_code == 200
    assert said in page.content.decode()
    assert client.get(url(game, "umpire", f"map/sight?{asked}")).status_code in (404, 422, 400)
    assert people.client(people.dora).get(url(game, "umpire", f"map/sight?{asked}")).status_code == 404


def test_enemies_count_as_the_seat_sees_them(game: Game, people: People) -> None:
    """The opponent's seat: nothing tells of a unit that hides, whatever one asks for."""
    with look(seat(game, people.cleo, "umpire")) as table:
        every = [unit for unit in table.view.state.units.values() if unit.side == "allied" and unit.on_map]
    with look(seat(game, people.anna, "axis")) as table:
        known = {unit.at for unit in table.view.state.units.values() if unit.side == "allied" and not unit.has(*HIDING)}
    hidden = {unit.at for unit in every} - known
    assert hidden, "some of them hide"
    asked = "see=enemy&range=24"
    page = people.client(people.anna).get(url(game, "axis", f"map/sight?{asked}&format=json"))
    if not known:
        assert page.status_code != 200
        return
    with look(seat(game, people.anna, "axis")) as table:
        wanted = los.prepare_look(table, scenes.scene_of(table), LosWish("enemy", range=24))
    assert set(wanted.known.enemy) <= known
    assert set(wanted.look().layer.spots) <= {at.partition(".")[0] for at in known if at}


@pytest.mark.browser
def test_a_click_on_the_map_shows_what_the_hex_sees(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.locator("[data-sight-box] summary").click()
    stage = page.locator("[data-stage]")
    box = stage.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#layer-sight")
    page.wait_for_selector("[data-sight-found] .sight-numbers")
    assert "see=from" in page.url
    page.locator("#sight-see").select_option("line")
    assert not page.locator("#sight-range").is_visible()
    page.locator("#sight-other").fill("A1")
    page.get_by_role("button", name="Show", exact=True).last.click()
    page.wait_for_selector("[data-sight-found] strong")
    assert "A1" in page.locator("[data-sight-found] strong").inner_text()
    assert "see=line" in str(page.locator("[data-takes]").first.get_attribute("href"))


@pytest.mark.browser
def test_the_map_is_coloured_while_the_pointer_moves(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.locator("[data-sight-box] summary").click()
    page.locator("[data-follows]").check()
    stage = page.locator("[data-stage]")
    box = stage.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    painted, drawn = [], []
    for step in (0, 120):
        page.mouse.move(x + step, y + step)
        with page.expect_response(lambda answer: "map/sight" in answer.url) as asked:
            page.mouse.move(x + step + 1, y + step)
        found = asked.value.json()
        page.wait_for_selector(".sight-over.clear")
        outlines = page.locator(".sight-over.clear").get_attribute("d") or ""
        assert outlines.upper().count("M") == len(found["hexes"]["clear"])
        painted.append(asked.value.url)
        drawn.append(outlines)
    asked_again: list[str] = []
    page.on("request", lambda request: asked_again.append(request.url))
    page.mouse.move(x + 1, y)
    page.wait_for_function("d => document.querySelector('.sight-over.clear')?.getAttribute('d') === d", arg=drawn[0])
    assert not [address for address in asked_again if "map/sight" in address], "what was seen before is kept"
    assert painted[0] != painted[1], "the hex under the pointer is the one that looks"
    assert "see=" not in page.url, "nothing was picked"
    page.locator("h1").first.hover()
    page.wait_for_selector(".sight-over", state="detached")


def test_nobody_waits_for_a_campaign_while_somebody_looks(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fielded(people, "rijnoord", ("headquarters",))
    held = tables.SHELF.get(game.pk, tables.Held)
    free: list[bool] = []

    def is_free() -> bool:
        found = held.lock.acquire(timeout=0)
        if found:
            held.lock.release()
        return found

    def looking(*_: object) -> tuple[LosView, bool]:
        with ThreadPoolExecutor(max_workers=1) as thread:
            free.append(thread.submit(is_free).result())
        return LosView(LosWish("from", "R10"), LosLayer("")), True

    monkeypatch.setattr(processes.SIGHT, "do", looking)
    client = people.client(people.anna)
    for page in ("map?see=from&spot=R10", "map/sight?see=from&spot=R11", "map.svg?see=from&spot=R12"):
        assert client.get(f"/campaign/{game.pk}/axis/{page}", follow=True).status_code == 200, page
    assert free == [True] * 3
