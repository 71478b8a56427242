"""The map's page, picture and hexes, from every seat."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from string import ascii_uppercase
from threading import Thread
from typing import Any

import pytest
from django.test import Client

from laager.rules.board.units import HIDING
from laager.web.campaigns import scenes, tables
from laager.web.models import Game, Note
from laager.web.records.map import pictures
from laager.web.shared import processes, tokens
from tests.web.conftest import Begin, Desk, People, add_spectator, seat
from tests.web.fielded import fielded
from tests.web.seen import url

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")


def state_of(game: Game, people: People) -> Any:
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        return table.view.state


# What is there ------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARDS)
def test_every_campaign_with_a_board_has_its_map(card: str, people: People, begin: Begin) -> None:
    game = begin(card)
    client = people.client(people.anna)
    page = client.get(url(game, "axis", "map"))
    assert page.status_code == 200
    assert "map.svg" in page.content.decode()
    drawn = client.get(url(game, "axis", "map.svg"))
    assert drawn["Content-Type"] == "image/svg+xml"
    assert drawn.content.decode().startswith("<svg")
    # The pages' policy forbids styles within a document.
    assert b"style" not in drawn.content


def test_a_purchase_has_no_map_and_no_tab(people: People, begin: Begin) -> None:
    game = begin("vistula")
    client = people.client(people.anna)
    assert client.get(url(game, "axis", "map")).status_code == 404
    assert "map" not in re.findall(r'href="[^"]*/axis/(\w*)"', client.get(
        url(game, "axis", "")).content.decode())  # fmt: skip


def test_a_hex_tells_ground_control_and_why(game: Game, people: People) -> None:
    client = people.client(people.anna)
    state = state_of(game, people)
    where, side = sorted(state.ground.control.items())[0]
    found = client.get(url(game, "axis", f"map/hex/{where.split('.')[0]}?format=json")).json()
    spot = next(one for one in found["locations"] if one["name"] == where)
    assert spot["control"] == side
    assert spot["why"]
    part = client.get(url(game, "axis", f"map/hex/{where.split('.')[0]}")).content.decode()
    assert "Controlled by" in part
    assert spot["why"].split(" [")[0].replace("'", "&#x27;") in part


def test_own_units_stand_in_their_hexes_with_their_markers(game: Game, people: People) -> None:
    client = people.client(people.bert)
    state = state_of(game, people)
    own = [unit for unit in state.units.values() if unit.side == "allied" and unit.on_map]
    assert own
    for unit in own[:6]:
        found = client.get(url(game, "allied", f"map/hex/{unit.hex}?format=json")).json()
        there = [one for spot in found["locations"] for one in spot["units"]]
        shown = next(one for one in there if one["id"] == unit.id)
        assert set(shown["marks"]) == {mark.value for mark in unit.marks}


def test_notes_about_a_hex_are_shown_to_their_side_alone(game: Game, people: People) -> None:
    Note.objects.create(game=game, seat="axis", by=people.anna, about="I13", text="hold <here>")
    mine = people.client(people.anna).get(url(game, "axis", "map/hex/I13")).content.decode()
    assert "hold &lt;here&gt;" in mine
    theirs = people.client(people.bert).get(url(game, "allied", "map/hex/I13")).content.decode()
    assert "hold" not in theirs


def test_the_page_shows_a_hex_without_a_script(game: Game, people: People) -> None:
    for typed in ("I13", "i13", "I13.1"):
        page = people.client(people.anna).get(url(game, "axis", f"map?hex={typed}"))
        assert "Block M" in page.content.decode()


@pytest.mark.parametrize(
    "rest",
    ["map/hex/ZZ99", "map/hex/<b>", "map/hex/" + "A" * 21, "map?hex=ZZ99", "map.png?width=99999",
     "map?at=0", "map?at=99999", "map?at=x", "map.svg?at=-1", "map.svg?at=%C2%B2", "map/board/0",
     "map.svg?boards=1"],
)  # fmt: skip
def test_what_there_is_not_is_refused(rest: str, game: Game, people: People) -> None:
    answer = people.client(people.anna).get(url(game, "axis", rest))
    assert answer.status_code in {404, 422}
    assert b"<b>" not in answer.content


# Caching ------------------------------------------------------------------------------------------


def test_a_picture_is_asked_for_again_by_its_mark(game: Game, people: People) -> None:
    client = people.client(people.anna)
    first = client.get(url(game, "axis", "map.svg"))
    assert first["Cache-Control"] == "private, no-cache"
    again = client.get(url(game, "axis", "map.svg"), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    packed = client.get(url(game, "axis", "map.svg"), headers={"accept-encoding": "gzip"})
    weak = {"if-none-match": packed["ETag"], "accept-encoding": "gzip"}
    assert client.get(url(game, "axis", "map.svg"), headers=weak).status_code == 304
    other = people.client(people.bert).get(url(game, "allied", "map.svg"), headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_a_map_can_be_taken_as_png(game: Game, people: People) -> None:
    answer = people.client(people.anna).get(url(game, "axis", "map.png?width=800&download=1"))
    assert answer.content.startswith(b"\x89PNG")
    assert answer["Content-Disposition"] == 'attachment; filename="map.png"'


def test_programs_have_the_map_as_png_in_three_widths(game: Game, people: People) -> None:
    key = tokens.make(people.anna, "x")
    path = f"/api/v1/campaigns/{game.pk}/axis/map.png"
    for width in ("", "?width=800", "?width=1600", "?width=3200"):
        answer = Client(headers={"Authorization": f"Bearer {key}"}).get(path + width)
        assert answer.content.startswith(b"\x89PNG"), width
    for width in ("?width=801", "?width=x", "?width="):
        answer = Client(headers={"Authorization": f"Bearer {key}"}).get(path + width)
        assert answer.status_code == 422, width


# Secrets ------------------------------------------------------------------------------------------


def secrets(game: Game, people: People, side: str) -> set[str]:
    """Return the numbers of the side's units and works that nobody else may know."""
    state = state_of(game, people)
    units = {one.id for one in state.units.values() if one.side == side and not one.known}
    units |= {one.id for one in state.units.values() if one.side == side and one.has(*HIDING)}
    return units | {one.id for one in state.forts.values() if one.side == side and one.hidden}


def all_that_leaves(client: Client, game: Game, name: str, hexes: list[str]) -> str:
    found = [client.get(url(game, name, "map")).content.decode()]
    found.append(client.get(url(game, name, "map.svg")).content.decode())
    for one in hexes:
        found.append(client.get(url(game, name, f"map/hex/{one}")).content.decode())
        found.append(client.get(url(game, name, f"map/hex/{one}?format=json")).content.decode())
    return "\n".join(found)


@pytest.mark.parametrize(("card", "names"), [("rijnoord", ("axis", "spectator")), ("rzhavets", ("allied",))])
def test_no_seat_learns_from_the_map_what_is_hidden(card: str, names: tuple[str, ...], people: People) -> None:
    game = fielded(people, card)
    add_spectator(game, people.dora)
    state = state_of(game, people)
    hexes = sorted({unit.hex for unit in state.units.values() if unit.has(*HIDING)})[:12]
    seats = (("axis", people.anna, ["allied"]), ("allied", people.bert, ["axis"]),
             ("spectator", people.dora, ["axis", "allied"]))  # fmt: skip
    for name, user, others in (one for one in seats if one[0] in names):
        text = all_that_leaves(people.client(user), game, name, hexes)
        for other in others:
            planted = secrets(game, people, other)
            assert planted, "the campaign must have something to hide"
            told = {one for one in planted if re.search(rf"\b{one}\b", text)}
            assert not told
    everything = all_that_leaves(people.client(people.cleo), game, "umpire", hexes)
    assert any(one in everything for one in secrets(game, people, "allied"))


def test_a_concealed_enemy_is_a_question_mark(game: Game, people: People) -> None:
    """Even of a unit that was once seen, and then hid again, nothing but its place is shown."""
    from dataclasses import asdict, replace

    from laager.rules.board.units import Mark
    from laager.web.records.map import hexes

    with tables.look(seat(game, people.anna, "axis")) as table:
        enemies = [u for u in table.view.state.units.values() if u.side == "allied" and u.on_map]
        spied = enemies[0].but(marks=frozenset({Mark.CONCEALED}))
        shown = scenes.scene_of(table)
        state = replace(shown.state, units={spied.id: spied})
        found = hexes.hex_content(table, replace(shown, state=state), spied.hex or "")
    text = json.dumps(asdict(found))
    assert spied.id not in text
    assert spied.type not in text
    assert any(one.label == "?" for spot in found.locations for one in spot.units)


def test_pictures_kept_in_memory_are_each_viewers_own(game: Game, people: People) -> None:
    pictures.SHOWN.clear()
    seen = {
        name: people.client(user).get(url(game, name, "map.svg")).content
        for name, user in (("umpire", people.cleo), ("axis", people.anna), ("allied", people.bert))
    }
    assert len(set(seen.values())) == 3


# In a browser -------------------------------------------------------------------------------------


def scale_of(one: Desk) -> float:
    found = one.page.evaluate("document.querySelector('[data-map]').view.scale")
    return float(found)


@pytest.mark.browser
def test_the_map_moves_zooms_and_tells(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    before = scale_of(anna)
    page.get_by_role("button", name="Zoom in").click()
    assert scale_of(anna) > before
    stage = page.locator("[data-stage]")
    box = stage.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.wait_for_selector(".map-tip:not([hidden])")
    page.wait_for_selector("[data-panel][data-shows]")
    page.mouse.wheel(0, -400)
    assert scale_of(anna) > before * 1.5
    moved = "document.querySelector('[data-map]').view.left"
    left = page.evaluate(moved)
    page.mouse.down()
    page.mouse.move(x - 90, y - 40, steps=4)
    page.mouse.up()
    assert page.evaluate(moved) == pytest.approx(left - 90, abs=8)
    assert page.evaluate("document.querySelector('[data-map]').view.chosen") == ""
    page.mouse.click(x, y)
    chosen = page.evaluate("document.querySelector('[data-map]').view.chosen")
    page.wait_for_selector(f'[data-panel][data-shows="{chosen}"]')
    assert page.locator("#hex-title").inner_text().startswith(chosen)


@pytest.mark.browser
def test_the_map_is_drawn_sharp_only_at_rest(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn:not(.moving)")
    # How often it is drawn sharp, by when it has come to rest.
    count = """async (notches) => {
      const stage = document.querySelector("[data-stage]");
      let rests = 0;
      const moving = () => stage.classList.contains("moving");
      let before = moving();
      new MutationObserver(() => {
        if (before && !moving()) rests += 1;
        before = moving();
      }).observe(stage, { attributes: true });
      const wait = (ms) => new Promise((go) => setTimeout(go, ms));
      for (let n = 0; n < notches; n += 1) {
        stage.dispatchEvent(new WheelEvent("wheel", { deltaY: -50, cancelable: true }));
        await wait(200); // As between two notches of a slow wheel.
      }
      while (moving()) await wait(10);
      return rests;
    }"""
    assert page.evaluate(count, 3) == 1
    page.evaluate("() => { const view = document.querySelector('[data-map]').view; view.apply(); view.pan(0, 0); }")
    assert page.locator(".map-stage.moving").count() == 0


@pytest.mark.browser
def test_moving_leaves_shapes_and_counters_as_they_are(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    """A new style for each shape, counters made anew, or a page laid out at each step is seen as a jerk."""
    own = {one.hex for one in state_of(game, people).units.values() if one.side == "axis" and one.on_map}
    start = min(filter(None, own), key=lambda name: abs(int(name.lstrip(ascii_uppercase)) - 10))
    anna = desk(people.anna)
    anna.go(url(game, "axis", f"map?hex={start}"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn:not(.moving) .hex-chosen")
    page.wait_for_selector(f'[data-panel][data-shows="{start}"]')
    page.evaluate("""() => {
      const stage = document.querySelector("[data-stage]");
      window.measured = 0;
      for (const name of ["clientWidth", "clientHeight"])
        Object.defineProperty(stage, name, { get: () => { window.measured += 1; return 500; } });
      window.removed = 0;
      const symbols = (nodes) => [...nodes].filter((one) => one.querySelector?.("symbol") || one.nodeName === "symbol");
      new MutationObserver((changes) => {
        for (const one of changes) window.removed += symbols(one.removedNodes).length;
      }).observe(document.body, { childList: true, subtree: true });
    }""")
    cursor = "getComputedStyle(document.querySelector('[data-hex]')).cursor"
    at_rest = page.evaluate(cursor)
    page.locator("[data-stage]").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(f'[data-panel][data-shows]:not([data-shows="{start}"])')
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f'[data-panel][data-shows="{start}"]')
    page.keyboard.press("+")
    assert page.locator(".map-stage.moving").count() == 1
    assert page.evaluate(cursor) == at_rest
    assert page.evaluate("[window.measured, window.removed]") == [0, 0]
    ids = page.evaluate("[...document.querySelectorAll('[data-panel] .counter use')].map((one) => one.href.baseVal)")
    assert ids
    assert all(page.locator(f"symbol{one}").count() for one in ids)


@pytest.mark.browser
def test_the_map_goes_by_keyboard_and_search(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna, width=390, height=844)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.get_by_label("Find hex").fill("i13")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-panel][data-shows="I13"]')
    page.locator("[data-stage]").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector('[data-panel][data-shows="I14"]')
    page.keyboard.press("ArrowUp")
    page.wait_for_selector('[data-panel][data-shows="I13"]')
    page.keyboard.press("Escape")
    before = scale_of(anna)
    page.keyboard.press("+")
    assert scale_of(anna) > before
    page.keyboard.press("0")
    page.locator(".map-layers summary").click()
    page.wait_for_selector(".map-stage:not(.moving)")
    assert page.locator("#layer-units").is_visible()
    page.get_by_label("Units").uncheck()
    assert not page.locator("#layer-units").is_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


@pytest.mark.browser
def test_an_open_map_is_drawn_anew_when_something_can_be_seen(
    game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    anna = desk(people.anna)
    anna.go(url(game, "axis", "map"))
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.locator(".map-list summary").click()
    page.get_by_role("link", name="I13", exact=True).click()
    page.wait_for_selector('[data-panel][data-shows="I13"]')
    page.evaluate("document.querySelector('.map-list').dataset.old = 'yes'")
    with page.expect_response("**/map.svg?beside=1"), page.expect_response("**/map/hex/I13"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('laager:changed'))")
    page.wait_for_selector(".map-list[open]:not([data-old])")
    assert page.locator(".hex-chosen").count() == 1


def test_a_campaign_is_free_while_its_map_is_drawn(game: Game, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture takes seconds; nobody's answer waits for it."""
    free: list[bool] = []

    def answer_something() -> None:
        held = tables.SHELF.get(game.pk, tables.Held)
        free.append(held.lock.acquire(timeout=2))
        if free[-1]:
            held.lock.release()

    def slow(*_: object) -> bytes:
        another = Thread(target=answer_something)
        another.start()
        another.join()
        return b"picture"

    monkeypatch.setattr(processes.SLOW, "do", slow)
    answer = people.client(people.anna).get(url(game, "axis", "map.png?width=800"))
    assert answer.content == b"picture"
    assert free == [True]


@pytest.mark.browser
def test_a_printed_map_stands_on_the_first_page(people: People, begin: Begin, desk: Callable[..., Desk]) -> None:
    game = begin()
    own = desk(people.anna, width=718, height=1040)
    own.go(f"/campaign/{game.pk}/axis/map")
    own.page.locator(".map-stage.drawn").wait_for()
    own.page.emulate_media(media="print")
    box = own.page.locator(".map-drawing").bounding_box()
    assert box is not None
    assert own.page.locator(".map-top").bounding_box() == box, "what is marked lies on its hexes"
    assert not own.page.locator(".map-first").is_visible()
    assert box["x"] >= 0
    assert box["width"] <= 718
    assert box["height"] > 300
    assert box["y"] + box["height"] < 1040
