"""Maps made of VASL boards: shown on the boards' own pictures to whoever has the boards."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from laager.base import DataError
from laager.hexmap import HexMap
from laager.vasl import mark
from laager.vasl.boards.board import read_board
from laager.web.campaigns import actions
from laager.web.library.maps import hex_editing
from laager.web.library.maps.doubts import Doubted, list_doubts, list_kinds
from laager.web.models import Game, OwnBoard, OwnFile
from laager.web.serving.config import Config
from tests.cli.conftest import Laager, laager
from tests.vasl.board_writer import Draft, zip_bytes
from tests.vasl.colour_boards import BLACK, STONE, WOODS, Painted, town
from tests.vasl.pictures import painted
from tests.vasl.test_report_command import PL, numbered
from tests.web.conftest import Desk, People

__all__ = ["laager"]


@pytest.fixture
def game(laager: Laager, people: People) -> Game:
    """Begin a campaign on a board that the test has drawn; nobody has it in a library yet."""
    draw(laager, 10)
    laager.well("vasl", "import", board(laager), "-o", laager.folder / "walkthrough-map.yaml")
    card = laager.folder / "card.yaml"
    card.write_text(numbered((PL / "walkthrough.yaml").read_text("utf-8")), "utf-8")
    seats = {"axis": people.anna, "allied": people.bert}
    return actions.begin(people.anna, card, "pl", seats)


def draw(laager: Laager, rows: int) -> None:
    """Write a board with a picture in which each hex has a colour of its own."""
    draft = Draft("20", columns=14, rows=rows)
    names = [one.name for one in read_board(draft.write(laager.folder)).hexes]
    draft.write(laager.folder, **{"bd20.gif": painted(draft, names)})


def board(laager: Laager) -> Path:
    return Path(laager.folder) / "bd20"


def lay_in(people: People, data: bytes) -> None:
    digest = hashlib.sha256(data).hexdigest()
    OwnBoard.objects.create(owner=people.anna, name="bd20", sha256=digest, size=len(data), data=data)


def test_only_who_has_the_board_sees_its_picture(game: Game, laager: Laager, people: People) -> None:
    lay_in(people, board(laager).read_bytes())
    mine, theirs = people.client(people.anna), people.client(people.bert)
    page = mine.get(f"/campaign/{game.pk}/axis/map").content.decode()
    assert "data-photo" in page
    svg = mine.get(f"/campaign/{game.pk}/axis/map.svg?boards=1").content.decode()
    addresses = re.findall(r'<image[^>]*href="([^"]*)"', svg)
    assert addresses == [f"/campaign/{game.pk}/axis/map/board/0"]
    picture = mine.get(addresses[0])
    assert picture["Content-Type"].startswith("image/")
    again = mine.get(addresses[0], headers={"if-none-match": picture["ETag"]})
    assert again.status_code == 304
    assert "data-photo" not in theirs.get(f"/campaign/{game.pk}/allied/map").content.decode()
    for rest in ("map/board/0", "map.svg?boards=1"):
        assert theirs.get(f"/campaign/{game.pk}/allied/{rest}").status_code == 404
    assert mine.get(f"/campaign/{game.pk}/axis/map/board/1").status_code == 404


def test_another_version_of_the_board_will_not_do(game: Game, laager: Laager, people: People) -> None:
    draw(laager, 11)
    lay_in(people, board(laager).read_bytes())
    mine = people.client(people.anna)
    assert "data-photo" not in mine.get(f"/campaign/{game.pk}/axis/map").content.decode()
    assert mine.get(f"/campaign/{game.pk}/axis/map/board/0").status_code == 404


def test_the_servers_folder_is_for_everybody(game: Game, laager: Laager, people: People, settings: Any) -> None:
    config = settings.CONFIG
    settings.CONFIG = config.model_copy(update={"boards": str(laager.folder)})
    theirs = people.client(people.bert)
    assert theirs.get(f"/campaign/{game.pk}/allied/map/board/0").status_code == 200
    with_picture = theirs.get(f"/campaign/{game.pk}/allied/map.png?width=800").content
    settings.CONFIG = config
    from laager.web.records.map import pictures

    pictures.SHOWN.clear()
    assert theirs.get(f"/campaign/{game.pk}/allied/map.png?width=800").content != with_picture


def test_a_folder_that_is_not_there_is_named_when_the_server_starts(tmp_path: Path) -> None:
    said = {"LAAGER_DATA": str(tmp_path), "LAAGER_BOARDS": str(tmp_path / "boards")}
    with pytest.raises(DataError, match=r"LAAGER_BOARDS.*this folder doesn't exist"):
        Config.of(said)
    (tmp_path / "boards").mkdir()
    assert Config.of(said).boards == said["LAAGER_BOARDS"]


@pytest.mark.browser
def test_the_picture_lies_under_the_map_in_the_page(
    game: Game, laager: Laager, people: People, desk: Callable[..., Desk]
) -> None:
    lay_in(people, board(laager).read_bytes())
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/map")
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    assert not page.locator("#layer-backdrop").count()
    page.locator(".map-layers summary").click()
    with page.expect_response("**/map/board/0") as answer:
        page.get_by_label("On the boards' own pictures").check()
    assert answer.value.status == 200
    page.wait_for_selector("#layer-backdrop image")


def test_a_board_is_read_by_its_colours_and_its_doubts_are_settled(people: People) -> None:
    town_, mine = town(), people.client(people.anna)
    town_.box("B1", (255, 0, 255), 30)
    data = zip_bytes(town_.entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    told = mine.post("/library/boards", {"kept": "bdOLD", "name": "town"}, follow=True).content.decode()
    assert "read from colours" in told
    assert "colours without a meaning" in told
    assert 'value="B1=right"' in told
    german = mine.get("/library/file/town.yaml/map", headers={"Accept-Language": "de"}).content.decode()
    assert "Farben ohne Bedeutung" in german
    was = re.search(r'name="was" value="([^"]+)"', told)
    assert was
    after = mine.post(
        "/library/file/town.yaml/map", {"do": "changes", "was": was[1], "changes": "B1=right"}, follow=True
    ).content.decode()
    assert 'value="B1=right"' not in after


def test_a_doubt_has_likely_answers_and_a_form_settles_it(people: People) -> None:
    town_, mine = town(), people.client(people.anna)
    town_.box("B1", (255, 0, 255), 30)
    data = zip_bytes(town_.entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    mine.post("/library/boards", {"kept": "bdOLD", "name": "town"})
    file = OwnFile.objects.get(owner=people.anna, name="town.yaml")
    map_ = hex_editing.map_of(file.text, file.name)
    found = {one.name: one for one in list_doubts(file.text, file.name, map_, singly=True)}
    assert found["B1"].why == "colours without a meaning"
    assert "woods" in found["B1"].words
    assert all(one.words[0].startswith("level:") for one in found.values() if one.why == "several levels")
    for one in found.values():
        for words in one.words:
            told = mark(file.text, [f"{one.name}={words}"])
            assert one.name not in {left.where for left in hex_editing.doubts(told, "town")}
    mine.post("/library/file/town.yaml/map", {"do": "hex", "hex": "B1", "terrain": "brush"})
    file.refresh_from_db()
    left = hex_editing.doubts(file.text, file.name)
    assert "B1" not in {one.where for one in left}
    assert len(left) == len(found) - 1


def lilac_town(people: People) -> HexMap:
    """Make a map of a board on which three hexes are of one colour that nobody has named."""
    town_ = town()
    for name in ("B1", "B2", "G3"):
        town_.box(name, (255, 0, 255), 30)
    data = zip_bytes(town_.entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    people.client(people.anna).post("/library/boards", {"kept": "bdOLD", "name": "town"})
    return saved_town(people)


def saved_town(people: People) -> HexMap:
    file = OwnFile.objects.get(owner=people.anna, name="town.yaml")
    return hex_editing.map_of(file.text, file.name)


def test_hexes_that_look_alike_are_settled_with_one_answer(people: People) -> None:
    lilac_town(people)
    mine, address = people.client(people.anna), "/library/file/town.yaml/map"
    page = mine.get(address).content.decode()
    button = re.search(r'data-doubt="B2,G3,B1".*?name="changes"\s+value="(alike:[0-9]+)=right"', page, re.DOTALL)
    assert button
    assert f'name="say:{button[1]}"' in page
    singly = mine.get(address, {"singly": "1"}).content.decode()
    assert {'data-doubt="B1"', 'data-doubt="B2"', 'data-doubt="G3"'} <= set(re.findall(r'data-doubt="[^"]*"', singly))
    refused = mine.post(address, {"do": "changes", "changes": f"{button[1]}=", f"say:{button[1]}": "wodos"})
    assert refused.status_code == 422
    mine.post(address, {"do": "changes", "changes": f"{button[1]}=", f"say:{button[1]}": "marsh", "say:alike:9": "hut"})
    assert {saved_town(people).hex(name).terrain for name in ("B1", "B2", "G3")} == {"marsh"}
    assert "B1" not in re.findall(r'data-doubt="([^",]*)', mine.get(address).content.decode())


def test_what_is_alone_is_left_as_it_is_with_one_answer(people: People) -> None:
    lilac_town(people)
    mine, address = people.client(people.anna), "/library/file/town.yaml/map"
    page = mine.get(address).content.decode()
    alone = re.search(r'data-leaving="([^"]*)">\s*<strong data-count>(\d+)</strong> (?:is|are) alone', page)
    assert alone
    places = alone[1].split(",")
    assert len(places) == int(alone[2]) > 0
    assert page.rindex(f'data-doubt="{places[-1]}"') > page.index('data-doubt="B2,G3,B1"'), "it comes last"
    assert "data-leaving" not in mine.get(address, {"singly": "1"}).content.decode()
    before = saved_town(people).hexes
    mine.post(address, {"do": "changes", "changes": f"{alone[1]}=right"})
    assert saved_town(people).hexes == before
    file = OwnFile.objects.get(owner=people.anna, name="town.yaml")
    assert {one.where for one in hex_editing.doubts(file.text, file.name)}.isdisjoint(places)
    assert "B1" in {one.where for one in hex_editing.doubts(file.text, file.name)}
    assert "data-leaving" not in mine.get(address).content.decode(), "nothing is alone any more"


def test_groups_for_one_reason_are_right_together_unless_most_are_wrong() -> None:
    def doubted(why: str, *places: str) -> Doubted:
        return Doubted(places[0], places, places[0], 20, why, ())

    levels = [doubted("several levels", "A1", "A2"), doubted("several levels", "A3"), doubted("several levels", "A4")]
    unknown = [doubted("colours without a meaning", name) for name in ("B1", "B2", "B3")]
    roads = [doubted("a road ends here", "C1"), doubted("a road ends here", "C2")]
    (kind,) = list_kinds([*levels, *unknown, *roads])
    assert (kind.why, kind.places) == ("several levels", ("A1", "A2", "A3", "A4"))


def test_a_group_that_was_taken_for_several_things_can_become_one_of_them() -> None:
    text = """\
laager: map/1
id: m
title: M
source: own
boards: [{columns: 4, rows: 4}]
terrain: {woods: [A1, A2], brush: [B2]}
doubts: {"40 read otherwise than hexes like it": [B2, A1, A2]}
alike: {"1": [B2, A1, A2]}
"""
    (group,) = list_doubts(text, "m.yaml", hex_editing.map_of(text, "m.yaml"))
    assert (group.reading, group.mixed, group.words[0]) == ("woods", True, "woods")
    after = hex_editing.map_of(mark(text, [f"{group.name}={group.words[0]}"]), "m.yaml")
    assert {after.hex(name).terrain for name in ("A1", "A2", "B2")} == {"woods"}


def test_shades_of_a_colour_are_told_with_one_answer(people: People) -> None:
    town_ = town()
    town_.box("B1", (255, 0, 255), 40)
    town_.box("B2", (250, 4, 250), 40)
    data = zip_bytes(town_.entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    mine, address = people.client(people.anna), "/library/boards/bdOLD/colours"
    page = mine.get(address).content.decode()
    names = re.findall(r'name="(#[0-9a-f,#]+)"', page)
    both = next(name for name in names if "," in name)
    assert set(both.split(",")) == {"#ff00ff", "#fa04fa"}
    assert "and 1 shade of it" in page
    refused = mine.post(address, {"name": "lilac", both: "wodos"})
    assert refused.status_code == 422
    assert f'name="{both}"' in refused.content.decode()
    mine.post(address, {"name": "town", both: "orchard"})
    assert {saved_town(people).hex(name).terrain for name in ("B1", "B2")} == {"orchard"}


@pytest.mark.browser
def test_one_click_leaves_what_is_alone(people: People, desk: Callable[..., Desk]) -> None:
    lilac_town(people)
    anna = desk(people.anna)
    anna.go("/library/file/town.yaml/map")
    page = anna.page
    page.wait_for_selector("#layer-doubts", state="attached")
    rows = page.locator("[data-doubt]").count()
    alone = page.locator("[data-doubt]:not(:has([data-count]))").count()
    assert 0 < alone < rows
    page.get_by_role("button", name="Leave these").click()
    page.wait_for_function("() => !document.querySelector('[data-leaving]')")
    assert page.locator("[data-doubt]").count() == rows - alone


@pytest.mark.browser
def test_one_click_settles_a_group_that_is_outlined(people: People, desk: Callable[..., Desk]) -> None:
    lilac_town(people)
    anna = desk(people.anna)
    anna.go("/library/file/town.yaml/map")
    page = anna.page
    page.wait_for_selector("#layer-doubts", state="attached")
    group = page.locator("[data-doubt='B2,G3,B1']")
    group.get_by_role("button", name="All are right").focus()
    page.wait_for_selector("#layer-doubts .hex-doubt-now", state="attached")
    drawn = page.locator("#layer-doubts .hex-doubt-now").get_attribute("d") or ""
    assert drawn.count("M") == 3, "all three hexes are outlined"
    # One of them is settled alone: the group goes on with two.
    page.evaluate("hex => document.querySelector('.map-search').elements.hex.value = hex", "B2")
    page.locator(".map-search").evaluate("form => form.requestSubmit()")
    page.get_by_role("button", name="Change the hex").click()
    page.wait_for_selector("[data-doubt='G3,B1']")
    assert page.locator("[data-doubt='G3,B1'] [data-count]").inner_text() == "2"
    page.locator("[data-doubt='G3,B1']").get_by_role("button", name="woods").click()
    page.wait_for_function("() => !document.querySelector('[data-doubt=\"G3,B1\"]')")
    settled = saved_town(people)
    assert [settled.hex(name).terrain for name in ("B1", "G3")] == ["woods", "woods"]


@pytest.mark.browser
def test_keys_settle_a_hexside_that_is_outlined(people: People, desk: Callable[..., Desk]) -> None:
    town_ = Painted()
    town_.way("C3 C4 C5", STONE, 30)
    town_.side("C3", 3, BLACK, 7)
    town_.box("C3", STONE, 9, dx=-4, dy=32)
    town_.box("F1", WOODS, 10, dx=8)
    data = zip_bytes(town_.entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    people.client(people.anna).post("/library/boards", {"kept": "bdOLD", "name": "town"})
    anna = desk(people.anna)
    anna.go("/library/file/town.yaml/map")
    page = anna.page
    page.wait_for_selector("#layer-doubts", state="attached")
    page.locator("[data-doubt='C3/C4'] button").first.focus()
    now = page.locator("#layer-doubts .hex-doubt-now")
    assert (now.get_attribute("d") or "").count("L") == 1, "the hexside, not two hexes"
    page.keyboard.press("1")
    page.wait_for_function("() => !document.querySelector('[data-doubt=\"C3/C4\"]')")
    file = OwnFile.objects.get(owner=people.anna, name="town.yaml")
    assert ("C3", "C4") not in hex_editing.map_of(file.text, file.name).hexsides


def test_a_board_becomes_pto_terrain_and_stays_so_when_its_colours_are_told(people: People) -> None:
    mine = people.client(people.anna)
    data = zip_bytes(town().entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    assert 'name="pto"' in mine.get("/library/").content.decode()
    for file, sent, ground in (("wood", {}, "woods: [C2]"), ("pto", {"pto": "on"}, "jungle: [C2]")):
        mine.post("/library/boards", {"kept": "bdOLD", "name": file, **sent})
        assert ground in OwnFile.objects.get(owner=people.anna, name=f"{file}.yaml").text
    page = mine.get("/library/boards/bdOLD/colours?name=pto.yaml&pto=on").content.decode()
    assert re.search(r'name="pto"\s+checked', page)
    was = re.search(r'name="was" value="([^"]+)"', page)
    assert was
    again = {"name": "pto.yaml", "was": was[1], "#555f2d": "orchard", "pto": "on"}
    mine.post("/library/boards/bdOLD/colours?name=pto.yaml", again)
    assert "palm: [C2]" in OwnFile.objects.get(owner=people.anna, name="pto.yaml").text


def test_colours_are_told_on_a_page(people: People) -> None:
    mine = people.client(people.anna)
    data = zip_bytes(town().entries().items())
    OwnBoard.objects.create(owner=people.anna, name="bdOLD", sha256="0" * 64, size=len(data), data=data)
    page = mine.get("/library/boards/bdOLD/colours").content.decode()
    assert 'fill="#555f2d"' in page
    cut = re.search(r'src="data:image/png;base64,([^"]+)"\s[^>]*alt="Where #555f2d', page)
    assert cut
    seen = Image.open(BytesIO(b64decode(cut[1])))
    assert seen.size == (112, 56)
    assert (85, 95, 45) in [colour for _, colour in seen.getcolors() or ()]
    assert re.search(r"<td>\s*woods\s*</td>", page)
    wrong = mine.post("/library/boards/bdOLD/colours", {"name": "told", "#555f2d": "wodos"})
    assert wrong.status_code == 422
    assert 'value="wodos"' in wrong.content.decode()
    mine.post("/library/boards/bdOLD/colours", {"name": "told", "#555f2d": "brush"})
    assert OwnFile.objects.get(owner=people.anna, name="told.yaml").text.count("brush: [C2]") == 1
    assert people.client(people.bert).get("/library/boards/bdOLD/colours").status_code == 422
