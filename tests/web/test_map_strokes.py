"""Painting a map: strokes, floods, what is taken back and done again, two windows, what a card still needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from laager.vasl import Archive, mark
from laager.web.library.files import files as library
from laager.web.library.maps import hex_editing, strokes
from laager.web.models import OwnBoard
from tests.vasl.board_writer import Draft, zip_bytes
from tests.vasl.picture_writer import WOODS, picture
from tests.web.serving import until
from tests.web.test_mapedit import MAP, boards

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Desk, People

PAGE = "/library/file/m.yaml/map"
CARD = """\
laager: hasl-card/1
title: Small
map: m.yaml
areas: blocks
sides:
  axis: {name: German, controls: [Mill], arrows: [A3], setup: [B2-B4, Z9]}
  allied: {name: British, areas: {Landing: []}, formations: [{id: A, arrows: [A8]}]}
victory: {final: [{controls: [Mill, Church, E4.1, E4.5]}]}
"""
STREETS = MAP.replace("id: hill", "id: town").replace("C4, D4, E5]", "C4, D4, E5, F4, G5, H4]")


@pytest.fixture
def client(people: People) -> Client:
    library.save(people.anna, "m.yaml", MAP)
    return people.client(people.anna)


def sent(client: Client, do: str = "strokes", status: int = 200, **data: Any) -> dict[str, Any]:
    if "strokes" in data:
        data["strokes"] = json.dumps(data["strokes"])
    answer = client.post(PAGE, {"do": do, **data}, headers={"Accept": "application/json"})
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = answer.json()
    return found


def text_of(people: People) -> str:
    return library.find(people.anna, "m.yaml").text


def test_strokes_are_taken_back_one_by_one_and_done_again(client: Client, people: People) -> None:
    found = sent(client, strokes=[["F5,F6=grain"], ["F5=level:1"], ["C4>C5=path"]], was=library.digest(MAP))
    assert set(found["changed"]["hexes"]) == {"F5", "F6"}
    assert found["changed"]["hexes"]["F5"][2:4] == ["grain", 1]
    assert found["changed"]["ways"] == {"C4/C5": ["path"]}
    assert "painted" not in found
    assert found["was"] == library.digest(text_of(people))
    sent(client, "undo")
    found = sent(client, "undo", was=library.digest(text_of(people)))
    assert found["changed"]["hexes"]["F5"][2:4] == ["grain", 0]
    assert (found["undo"], found["redo"]) == (True, True)
    found = sent(client, "redo")
    assert found["changed"]["hexes"]["F5"][3] == 1
    sent(client, "redo")
    assert sent(client, "redo", 404)["refused"]
    assert sent(client, strokes=[["F5=grain"]])["undo"], "a stroke that changes nothing is no step"
    sent(client, "undo")
    assert "path" not in text_of(people)


def test_a_wrong_stroke_is_told_and_the_others_count(client: Client, people: People) -> None:
    found = sent(client, status=422, strokes=[["F5=grain"], ["Q9=woods"], ["F6=brush"]])
    assert "no hex Q9" in found["refused"]
    assert found["painted"]["hexes"]["F5"][2] == "grain"
    assert hex_editing.map_of(text_of(people), "m").hex("F6").terrain == "brush"


@pytest.mark.parametrize(
    "strokes", ["", "x", "[1]", '[["a"], "b"]', "[[1]]", "[" * 100_000, json.dumps([["A1=woods"]] * 201)]
)
def test_what_is_no_list_of_strokes_is_refused(strokes: str, client: Client, people: People) -> None:
    answer = client.post(PAGE, {"do": "strokes", "strokes": strokes}, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert "stroke" in answer.json()["refused"]
    assert text_of(people) == MAP


def test_of_two_windows_nothing_is_lost(client: Client, people: People) -> None:
    old = library.digest(MAP)
    sent(client, strokes=[["F5=grain"]], was=old)
    found = sent(client, strokes=[["F6=brush"]], was=old)
    assert found["painted"]["hexes"]["F5"][2] == "grain"
    assert "another window" in found["told"]
    assert sent(client, "undo", 409, was=old)["painted"], "what another window did isn't taken back unseen"
    assert hex_editing.map_of(text_of(people), "m").hex("F6").terrain == "brush"


def test_strokes_count_even_if_somebody_saves_between(
    client: Client, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, others = mark, ["G5=marsh"]

    def meanwhile(text: str, changes: list[str], name: str) -> str:
        while others:
            library.save(people.anna, "m.yaml", real(MAP, [others.pop()], "m"))
        return real(text, changes, name)

    monkeypatch.setattr(strokes, "mark", meanwhile)
    sent(client, strokes=[["F5=grain"]])
    map_ = hex_editing.map_of(text_of(people), "m")
    assert [map_.hex(name).terrain for name in ("F5", "G5")] == ["grain", "marsh"]


def test_places_are_changed_by_form_without_scripts(client: Client, people: People) -> None:
    data = {
        "do": "places",
        "hex": "A3",
        "label": "Bend",
        "setup": "West",
        "arrow": "yes",
        "owner": "KG",
        "colour": "red",
    }
    assert client.post(PAGE, data).status_code == 302
    page = client.get(f"{PAGE}?hex=A3").content.decode()
    assert 'value="Bend"' in page
    assert 'value="KG"' in page
    client.post(PAGE, {"do": "rename", "kind": "setup", "old": "West", "new": "Bank"})
    client.post(PAGE, {"do": "rename", "kind": "arrow", "old": "A3", "new": "A5"})
    map_ = hex_editing.map_of(text_of(people), "m")
    assert map_.setup_areas == {"Bank": {"A3"}}
    assert map_.names["A3"] == "Bend"
    assert [(one.hex, one.owner, one.colour) for one in map_.entry_arrows] == [("A5", "KG", "red")]
    client.post(PAGE, {"do": "places", "hex": "A3"})
    client.post(PAGE, {"do": "rename", "kind": "arrow", "old": "A5", "new": ""})
    assert library.find(people.anna, "m.yaml").text.splitlines() == MAP.splitlines()
    answer = client.post(PAGE, {"do": "rename", "kind": "<b>", "old": "x", "new": "y"})
    assert answer.status_code == 422
    assert "<b>" not in answer.content.decode()


def test_a_flood_goes_by_terrain_block_and_colour(client: Client, people: People) -> None:
    def flood(name: str, by: str, status: int = 200, file: str = "m.yaml") -> list[str]:
        answer = client.get(f"/library/file/{file}/map/alike/{name}?by={by}", headers={"Accept": "application/json"})
        assert answer.status_code == status
        return list(answer.json()["hexes"]) if status == 200 else []

    assert flood("B3", "terrain") == ["B2", "B3", "B4", "B5"]
    assert flood("D4", "terrain") == ["D4"]
    flood("B3", "colour", 404)
    flood("B3", "taste", 404)
    flood("Q3", "terrain", 404)
    library.save(people.anna, "town.yaml", STREETS)
    north = flood("G1", "block", file="town.yaml")
    assert "B2" in north
    assert "B5" not in north
    assert flood("B3", "block", file="town.yaml") == ["B3"], "a road is in no Block"
    draft = Draft(name="77")
    drawn = picture((draft.width, draft.height), {(40, 40, 190, 190): WOODS})
    client.post("/library/boards", boards(bd77=zip_bytes((draft.entries() | {"bd77.gif": drawn}).items())))
    map_ = hex_editing.map_of(library.find(people.anna, "own-map.yaml").text, "m")
    archive = Archive(bytes(OwnBoard.objects.get(name="bd77").data), "bd77")
    assert archive.sha256 == map_.pictures[0].sha256
    wooded = flood("77C2", "colour", file="own-map.yaml")
    # The picture is woods from pixel 40 to 190 each way: the hexes whose centres lie well inside.
    assert {"77C2", "77B2", "77D2"} <= set(wooded)
    assert len(wooded) < 12
    far = [*map_.hexes][-1]
    assert len(flood(far, "colour", file="own-map.yaml")) > len(map_.playable) - 20


def test_the_list_of_what_is_missing_gets_shorter(client: Client, people: People) -> None:
    library.save(people.anna, "card.yaml", CARD)
    page = client.get(PAGE).content.decode()
    assert "0 of" not in page, "the card that names the map is chosen, and some of what it names is there"
    for one in ("Mill", "Church", "Landing", "A3", "A8", "E4.5", "no hex Z9"):
        assert one in page
    assert ">E4.1<" not in page
    assert "3 hexes" in page

    def missing(*strokes: list[str]) -> str:
        return str(sent(client, strokes=list(strokes), card="card.yaml")["parts"]["needs"])

    found = missing(["A3=arrow"], ["D2=setup:Landing"], ["rest=open"])
    assert "A8" in found
    assert not any(f">{one}<" in found for one in ("A3", "Landing"))
    assert "nobody has said" not in found
    found = missing(["G7=block:Church"], ["A8=arrow"])
    assert "Church" not in found
    assert "without a name of their own" not in found, "the map has one Block"
    assert "Mill" in found
    # A shipped card, none, and one that isn't there.
    assert "things that the card names" in sent(client, "look", card="rijnoord")["parts"]["needs"]
    assert "things that" not in sent(client, "look", card="")["parts"]["needs"]
    assert client.get(f"{PAGE}?card=nonsense").status_code == 200
    library.save(people.bert, "his.yaml", CARD.replace("Small", "Secret of Bert"))
    assert "Secret of Bert" not in client.get(f"{PAGE}?card=his.yaml").content.decode()


# In a browser ---------------------------------------------------------------------------------------


class Easel:
    """The map editor in a browser: the mouse by names of hexes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.locator(".map-stage.drawn .p-hexes path").first.wait_for()

    def at(self, name: str, side: str = "") -> tuple[float, float]:
        """Return where the middle of a hex is on the screen, or of a hexside."""
        self.page.locator("[data-stage]").scroll_into_view_if_needed()
        x, y = self.page.evaluate(
            """names => {
              const all = names.map(name => {
                const b = document.querySelector(`[data-hex="${name}"]`).getBoundingClientRect();
                return [b.x + b.width / 2, b.y + b.height / 2];
              });
              return [0, 1].map(i => all.reduce((sum, one) => sum + one[i], 0) / all.length);
            }""",
            [name, side] if side else [name],
        )
        return x, y

    def drag(self, *points: tuple[float, float]) -> None:
        self.page.mouse.move(*points[0])
        self.page.mouse.down()
        for point in points[1:]:
            self.page.mouse.move(*point, steps=6)
        self.page.mouse.up()

    def over(self, *names: str) -> None:
        """Drag over hexes; a single one is clicked."""
        self.drag(*map(self.at, names))

    def brush(self, value: str, how: str = "", name: str = "", *, away: bool = False) -> None:
        self.page.locator("[data-brush]").select_option(value)
        if how:
            self.page.locator(f"[data-how][value={how}]").check()
        if name:
            self.page.locator("[data-named]").fill(name)
        self.page.locator("[data-away]").set_checked(away)


@pytest.mark.browser
def test_strokes_with_the_mouse(client: Client, people: People, desk: Callable[..., Desk]) -> None:
    own = desk(people.anna)
    own.go(PAGE)
    easel = Easel(own.page)
    saved = own.page.locator("p [data-saved]", has_text="Saved")

    def now(check: Callable[[Any], object]) -> None:
        until(lambda: bool(check(hex_editing.map_of(text_of(people), "m"))))

    easel.brush("grain")
    easel.over("E7", "H7")
    now(lambda m: [m.hex(one).terrain for one in ("E7", "F7", "G7", "H7")] == ["grain"] * 4)
    easel.brush("marsh", "rectangle")
    easel.over("F1", "H3")
    now(lambda m: [m.hex(one).terrain for one in ("F1", "G3", "H2")] == ["marsh"] * 3)
    easel.brush("brush", "flood")
    easel.over("B3")
    now(lambda m: {m.hex(f"B{row}").terrain for row in range(2, 6)} == {"brush"})
    easel.brush(">unpaved")
    easel.over("A7", "B7", "C7", "D6")
    now(lambda m: any(one.along == ("A7", "B7", "C7", "D6") for one in m.roads))
    easel.brush(">unpaved", away=True)
    easel.over("B7", "C7")
    now(lambda m: any(one.along == ("A7", "B7") for one in m.roads))
    easel.brush("/hedge")
    easel.drag(easel.at("F4", "F5"), easel.at("F4", "G5"))
    now(lambda m: {("F4", "F5"), ("F4", "G5")} <= set(m.hexsides))
    easel.brush("stone:1")
    easel.over("G5", "H5")
    now(lambda m: m.hex("H5").building and m.hex("G5").building == m.hex("H5").building)
    easel.brush("stone:1")
    easel.over("E5", "E6")
    now(lambda m: m.hex("E6").building and m.hex("E6").building.hexes == ("E4", "E5", "E6"))
    easel.brush("@setup", "drag", "North Bank")
    easel.over("C1", "D1")
    now(lambda m: m.setup_areas.get("North Bank") == {"C1", "D1"})
    easel.brush("@arrow")
    easel.over("A5")
    now(lambda m: [one.hex for one in m.entry_arrows] == ["A5"])
    saved.wait_for()  # An arrow is moved where it is drawn.
    easel.over("A5", "A6")
    now(lambda m: [one.hex for one in m.entry_arrows] == ["A6"])
    easel.brush("@name", name="The Bend")
    easel.over("C3")
    now(lambda m: m.names == {"C3": "The Bend"})
    saved.wait_for()
    own.page.locator("[data-stage]").focus()
    own.page.keyboard.press("Control+z")
    now(lambda m: not m.names)
    own.page.keyboard.press("Control+y")
    now(lambda m: m.names == {"C3": "The Bend"})


@pytest.mark.browser
def test_the_keyboard_paints_and_nothing_is_lost_without_a_net(
    client: Client, people: People, desk: Callable[..., Desk]
) -> None:
    own = desk(people.anna, width=390, height=844)
    own.go(PAGE)
    page = own.page
    easel = Easel(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    stage = page.locator("[data-stage]")

    def terrain(name: str) -> str:
        return hex_editing.map_of(text_of(people), "m").hex(name).terrain

    page.locator("#map-find").fill("E2")
    page.keyboard.press("Enter")
    easel.brush("grain")
    stage.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(lambda: terrain("E3") == "grain")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(lambda: terrain("E5") == "grain")
    # The net is gone: what is painted is seen, kept over a reload, and sent when the net is back.
    page.route(f"**{PAGE}", lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    page.keyboard.press("d")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("p [data-saved].wrong").wait_for()
    assert terrain("E6") == "open"
    page.on("dialog", lambda dialog: dialog.accept())
    page.unroute(f"**{PAGE}")
    page.reload()
    until(lambda: terrain("E6") == "grain")
    own.complaints[:] = [one for one in own.complaints if "ERR_FAILED" not in one]
