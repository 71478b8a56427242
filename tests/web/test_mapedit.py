"""The map editor: a hex changed in every way, the file around it untouched, boards of one's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from laager.base import DataError, RefusedError
from laager.hexmap import HexMap
from laager.hexmap.draw import Backdrop
from laager.vasl import mark
from laager.web.library.files import files as library
from laager.web.library.maps import hex_editing
from laager.web.models import OwnBoard, Player
from tests.vasl.board_writer import Draft, zip_bytes
from tests.vasl.picture_writer import WOODS, picture
from tests.web.serving import until

if TYPE_CHECKING:
    from tests.web.conftest import Desk, People

MAP = """\
laager: map/1
id: hill
title: A hill
source: own
boards:
  - {columns: 8, rows: 8, half_rows: true}
terrain:
  # What grows there.
  woods: [B2-B5, D4]   # the north
  unknown: [G1-G3]
levels:
  1: [C4, C5]
buildings:
  - {name: Mill, material: stone, levels: 1, hexes: [E4, E5]}   # by the stream
roads:
  - {kind: paved, along: [A3, B3, C4, D4, E5]}
hexsides:
  wall: [C4/D4]
"""


def changed(hex_: str, text: str = MAP, **wish: str | list[str]) -> tuple[str, HexMap]:
    listed = {name.replace("_", "-"): value if isinstance(value, list) else [value] for name, value in wish.items()}
    now = hex_editing.describe_hex(hex_editing.map_of(text, "m"), hex_)
    same = {
        "terrain": [now.terrain], "also": list(now.also), "features": list(now.features),
        "level": [str(now.level)], "material": [now.material], "storeys": [str(now.storeys)],
        "called": [now.called], "cellar": ["yes"] if now.cellar else [],
        **{f"side-{side.beyond}": ["", *side.along] for side in now.sides},
        **{f"road-{side.beyond}": [side.road] for side in now.sides},
        **{f"water-{side.beyond}": [side.water] for side in now.sides},
    }  # fmt: skip
    made = hex_editing.change_hex(text, "m", hex_, {**same, **listed})
    return made, hex_editing.map_of(made, "m")


def others_as_before(map_: HexMap, *but: str) -> bool:
    before = hex_editing.map_of(MAP, "m")
    return all(map_.hexes[name] == one for name, one in before.hexes.items() if name not in but)


def test_a_form_left_as_it_is_changes_nothing() -> None:
    before = hex_editing.map_of(MAP, "m")
    for name in before.hexes:
        assert changed(name)[0] == MAP, name


def test_ground_is_changed_and_comments_stay() -> None:
    text, map_ = changed("B3", terrain="brush", also=["crag"], features=["bridge"], level="2")
    one = map_.hex("B3")
    assert (one.terrain, one.level) == ("brush", 2)
    assert (set(one.also), set(one.features)) == ({"crag"}, {"bridge"})
    assert map_.hex("B2").terrain == map_.hex("B4").terrain == "woods"
    assert "# What grows there." in text
    assert "# the north" in text
    assert others_as_before(map_, "B3")
    text, map_ = changed("D4", terrain="open")
    assert map_.hex("D4").terrain == "open"
    assert others_as_before(map_, "D4")


def test_the_last_hex_of_a_kind_takes_the_kind_away() -> None:
    text, map_ = changed("C4", level="0")
    text, map_ = changed("C5", text, level="0")
    assert "levels:\n" not in text
    assert map_.hex("C5").level == 0


def test_buildings_are_put_up_joined_changed_and_pulled_down() -> None:
    text, map_ = changed("G2", material="wooden", storeys="2", cellar="yes", called="Farm")
    house = map_.hex("G2").building
    assert house
    assert (house.material, house.levels, house.cellar, house.name) == ("wooden", 2, True, "Farm")
    assert map_.hex("G2").terrain == "open"
    text, map_ = changed("E6", material="stone", join="E5")
    assert map_.hex("E6").building == map_.hex("E4").building
    text, map_ = changed("E5", storeys="0", called="")
    house = map_.hex("E4").building
    assert house
    assert (house.levels, house.name) == (0, "")
    text, map_ = changed("E5", material="")
    assert map_.hex("E5").building is None
    assert map_.hex("E4").building
    text, map_ = changed("E4", text, material="")
    assert "buildings" not in text
    assert others_as_before(map_, "E4", "E5")


def test_lower_parts_of_a_building_follow_its_changes() -> None:
    text, _ = changed("E5", storeys="3")
    text = text.replace("levels: 3", "levels: 3, levels_at: {E4: 2, E5: 1}")
    same, map_ = changed("E5", text, called="Mill")
    assert [map_.hex(name).building.levels_in(name) for name in ("E4", "E5")] == [2, 1]  # type: ignore[union-attr]
    _, map_ = changed("E5", same, storeys="2")
    assert map_.hex("E4").building.levels_at == {"E5": 1}  # type: ignore[union-attr]
    fewer, map_ = changed("E5", same, material="")
    assert map_.hex("E4").building.levels_at == {"E4": 2}  # type: ignore[union-attr]
    assert "levels_at" not in changed("E4", fewer, material="")[0]


def test_a_building_that_would_fall_apart_is_refused() -> None:
    text, _ = changed("E6", material="stone", join="E5")
    with pytest.raises(DataError):
        changed("E5", text, material="")


def test_hexsides_come_and_go() -> None:
    text, map_ = changed("C4", side_D4=["", "hedge"], side_C5=["", "cliff"])
    assert map_.hexsides[("C4", "D4")] == {"hedge"}
    assert map_.hexsides[("C4", "C5")] == {"cliff"}
    text, map_ = changed("C4", text, side_D4=[""], side_C5=[""])
    assert not map_.hexsides
    assert "hexsides" not in text


def test_roads_are_cut_and_led_on() -> None:
    _, map_ = changed("C4", road_D4="")
    assert [one.along for one in map_.roads] == [("A3", "B3", "C4"), ("D4", "E5")]
    _, map_ = changed("E5", road_E6="paved")
    assert [one.along for one in map_.roads] == [("A3", "B3", "C4", "D4", "E5", "E6")]
    _, map_ = changed("C4", road_D4="unpaved", water_C5="stream")
    assert {(one.kind, one.along) for one in map_.roads} == {
        ("paved", ("A3", "B3", "C4")), ("paved", ("D4", "E5")), ("unpaved", ("C4", "D4")),
    }  # fmt: skip
    assert [one.along for one in map_.watercourses] == [("C4", "C5")]


@pytest.mark.parametrize(
    "wish",
    [{"terrain": "lava"}, {"level": "99"}, {"level": "x"}, {"material": "gold"},
     {"side_D4": ["moat"]}, {"road_D4": "rail"}, {"features": ["x"]}, {"storeys": "12"}],
)  # fmt: skip
def test_what_a_hex_cannot_be_is_refused(wish: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        changed("C4", **wish)


def test_a_road_tells_what_its_hexes_are() -> None:
    _, map_ = changed("G2", road_G3="paved")
    assert [map_.hex(name).terrain for name in ("G1", "G2", "G3")] == ["unknown", "open", "open"]
    # Who says in the same breath that it is woods means that; a stream tells nothing of its hex.
    _, map_ = changed("G2", road_G3="paved", terrain="woods")
    assert map_.hex("G2").terrain == "woods"
    _, map_ = changed("G2", water_G3="stream")
    assert {map_.hex(name).terrain for name in ("G1", "G2", "G3")} == {"unknown"}
    text = mark(MAP, ["G1>G2=unpaved", "F3>G3=stream"])
    found = hex_editing.map_of(text, "m")
    assert [found.hex(name).terrain for name in ("G1", "G2", "G3")] == ["open", "open", "unknown"]


def test_what_is_painted_is_drawn_over_the_boards_pictures() -> None:
    map_ = hex_editing.map_of(MAP, "m")
    plain = hex_editing.svg(Player(pk=1), map_)
    assert 'id="layer-painted"' not in plain
    over = hex_editing.svg(Player(pk=1), map_, Backdrop(()))
    painted = over.index('<g id="layer-painted" opacity="0.6">')
    assert over.index('id="layer-backdrop"') < painted < over.index('id="layer-terrain"')
    assert painted < over.index('id="layer-roads"')
    assert over.count('id="layer-terrain"') == 1


def test_a_hex_that_there_is_not() -> None:
    with pytest.raises(RefusedError, match="no hex 'Z9'"):
        hex_editing.change_hex(MAP, "m", "Z9", {})


# Pages --------------------------------------------------------------------------------------------


@pytest.fixture
def client(people: People) -> Client:
    library.save(people.anna, "m.yaml", MAP)
    return people.client(people.anna)


def test_a_map_is_changed_by_its_page_and_taken_back(client: Client, people: People) -> None:
    page = client.get("/library/file/m.yaml/map?hex=C4").content.decode()
    assert "the terrain of 3 hexes is not known: G1-G3" in page
    assert client.get("/library/file/m.yaml/map?hex=Q9").status_code == 200
    data = {"do": "changes", "changes": "G1-G3=grain\n# nothing\nF2/F3=hedge"}
    answer = client.post("/library/file/m.yaml/map", data)
    assert answer["Location"] == "/library/file/m.yaml/map"
    assert "is not known" not in client.get("/library/file/m.yaml/map").content.decode()
    client.post("/library/file/m.yaml/map", {"do": "undo"})
    assert library.find(people.anna, "m.yaml").text == MAP
    answer = client.post("/library/file/m.yaml/map", {"do": "undo"})
    assert answer.status_code == 404


def test_wrong_changes_are_told_and_not_lost(client: Client, people: People) -> None:
    data = {"do": "changes", "changes": "C4=woods\nC99=woods"}
    answer = client.post("/library/file/m.yaml/map", data)
    assert answer.status_code == 422
    assert "there is no hex C99" in answer.content.decode()
    assert "C99=woods</textarea>" in answer.content.decode()
    data = {"do": "hex", "hex": "C4", "terrain": "lava", "was": "0" * 16}
    answer = client.post("/library/file/m.yaml/map", data, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert "lava" in answer.json()["refused"]
    data |= {"terrain": "woods"}
    assert client.post("/library/file/m.yaml/map", data).status_code == 409
    assert library.find(people.anna, "m.yaml").text == MAP


def test_a_map_that_cannot_be_drawn_is_edited_as_text(client: Client, people: People) -> None:
    library.save(people.anna, "m.yaml", MAP.replace("woods:", "wods:"))
    answer = client.get("/library/file/m.yaml/map")
    assert answer["Location"] == "/library/file/m.yaml/?line=9"
    assert client.get("/library/file/m.yaml/map.svg").status_code == 422


# Boards -------------------------------------------------------------------------------------------


def boards(**names: bytes) -> dict[str, object]:
    sent = [SimpleUploadedFile(name, data) for name, data in names.items()]
    return {"boards": sent, "name": "own-map"}


def test_boards_are_imported_and_stay_with_their_owner(people: People) -> None:
    client = people.client(people.anna)
    draft = Draft(name="77")
    drawn = picture((draft.width, draft.height), {(40, 40, 90, 90): WOODS})
    data = zip_bytes((draft.entries() | {"bd77.gif": drawn}).items())
    answer = client.post("/library/boards", boards(bd77=data))
    assert answer["Location"] == "/library/file/own-map.yaml/map"
    text = library.find(people.anna, "own-map.yaml").text
    assert "source: imported" in text
    page = client.get("/library/file/own-map.yaml/map").content.decode()
    assert "data-photo=" in page
    sheet = client.get("/library/file/own-map.yaml/map.svg?sheet=1&boards=1").content.decode()
    assert "/library/file/own-map.yaml/map/board/0" in sheet
    drawing = client.get("/library/file/own-map.yaml/map.svg?boards=1").content.decode()
    assert "/library/file/own-map.yaml/map/board/0" in drawing
    shown = client.get("/library/file/own-map.yaml/map/board/0")
    assert shown["Content-Type"].startswith("image/")
    # The map may be handed on; the board is not.
    library.save(people.bert, "own-map.yaml", text)
    bert = people.client(people.bert)
    assert "data-photo=" not in bert.get("/library/file/own-map.yaml/map").content.decode()
    assert bert.get("/library/file/own-map.yaml/map/board/0").status_code == 404
    assert "bd77" not in bert.get("/library/").content.decode()
    assert bert.post("/library/boards/bd77/remove").status_code == 404
    # Boards that are there need not be sent again.
    again = {"name": "two", "kept": ["bd77"]}
    assert client.post("/library/boards", again).status_code == 302
    assert bert.post("/library/boards", again).status_code == 422
    assert client.post("/library/boards/bd77/remove").status_code == 302
    assert client.get("/library/file/own-map.yaml/map/board/0").status_code == 404


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [("bd01", b"PK\x03\x04 nothing", "bd01"), ("bd01", b"", "bd01"), (".bd01", b"x", "cannot be the name of a board")],
)
def test_what_is_no_board_is_refused(name: str, data: bytes, told: str, people: People) -> None:
    client = people.client(people.anna)
    sent = {"boards": [SimpleUploadedFile(name, data or b" ")], "name": "m"}
    answer = client.post("/library/boards", sent)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert client.post("/library/boards", {"name": "m"}).status_code == 422
    assert not OwnBoard.objects.exists()


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_map_editor_in_a_browser(client: Client, people: People, desk: Callable[..., Desk]) -> None:
    own = desk(people.anna)
    page = own.page
    own.go("/library/file/m.yaml/map")

    def click(name: str) -> None:
        page.locator("[data-stage]").scroll_into_view_if_needed()
        spot = page.evaluate(
            """name => {
              const b = document.querySelector(`[data-hex="${name}"]`).getBoundingClientRect();
              return [b.x + b.width / 2, b.y + b.height / 2];
            }""",
            name,
        )
        page.mouse.click(*spot)

    def text() -> str:
        return library.find(people.anna, "m.yaml").text

    page.locator(".map-stage.drawn").wait_for()
    click("F5")
    page.locator("[data-panel] h2", has_text=re.compile("^F5$")).wait_for()
    page.locator("[data-panel] #terrain").select_option("marsh")
    page.locator("[data-panel] #level").fill("1")
    page.get_by_role("button", name="Change the hex").click()
    page.locator("[data-panel] p", has_text="marsh").wait_for()
    assert hex_editing.map_of(text(), "m").hex("F5").terrain == "marsh"
    page.locator("[data-brush]").select_option("grain")
    click("G1")
    page.locator("[data-unknown]", has_text="2 hexes").wait_for()
    page.locator("[data-brush]").select_option(">unpaved")
    for name in ("F3", "F4", "F5"):
        click(name)
        page.wait_for_timeout(50)
    until(lambda: "kind: unpaved, along: [F3, F4, F5]" in text())
    page.wait_for_function("() => !document.querySelector('[data-undo]').disabled")
    page.get_by_role("button", name="Take back").click()
    until(lambda: "along: [F3, F4]}" in text())


def test_a_map_of_ones_own_is_given_as_a_board(people: People) -> None:
    from laager.vasl.archive import Archive
    from laager.vasl.boards.board import board_of

    library.save(people.anna, "hill.yaml", MAP, "")
    client = people.client(people.anna)
    answer = client.get("/library/file/hill.yaml/map/vasl")
    assert answer["Content-Disposition"] == 'attachment; filename="bdAHill"'
    ground = board_of(Archive(answer.content, "bdAHill")).by_name["B4"].ground
    assert ground is not None
    assert ground.centre.name == "Woods"
    assert "Download as a VASL board" in client.get("/library/file/hill.yaml/map").content.decode()
    assert people.client(people.bert).get("/library/file/hill.yaml/map/vasl").status_code == 404
