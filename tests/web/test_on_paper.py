"""A campaign begun on paper goes on in the browser: who begins sends the public part, each side enters its secrets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from laager.base.files import parse_document
from laager.web.library.files import files as library
from laager.web.library.maps.boards import keep_boards
from laager.web.models import Game, Member, Player, Role
from tests.rules.record.test_files import text
from tests.vasl.fields import CODE
from tests.vasl.test_record_from_save import played
from tests.web.api import Program, RefusedCallError, at

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client
    from playwright.sync_api import Page

    from tests.web.conftest import Desk, People

ANSWER = "What do the Soviets have"


def sent(record: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("record.yaml", record.encode())


def sit(game: Game, user: Player) -> None:
    Member.objects.create(game=game, user=user, role=Role.PLAYER, side="allied")


def begin(people: People, record: str, seat: str = "both") -> Game:
    answer = people.client(people.anna).post("/new/rzhavets", {"seat": seat, "record-file": sent(record)})
    assert answer.status_code == 302, re.findall(r"<li>(.*?)</li>", answer.content.decode(), re.S)[:5]
    return Game.objects.get()


def test_a_whole_record_goes_on_at_once(people: People) -> None:
    game = begin(people, text())
    page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "What do you buy for this firefight?" in page


def test_a_side_left_out_enters_its_part_unseen(people: People) -> None:
    game = begin(people, text("axis"), "axis")
    sit(game, people.bert)
    theirs = people.client(people.bert)
    table = theirs.get(f"/campaign/{game.pk}/allied/").content.decode()
    assert ANSWER in table
    mark = re.search(r"/ask/([^/]+)/", table)
    assert mark is not None
    asked = f"/campaign/{game.pk}/allied/ask/{mark[1]}/"
    page = theirs.get(asked).content.decode()
    assert 'id="answer-file"' in page
    assert "What only Soviets" not in page
    wrong = theirs.post(asked, {"view": "text", "do": "give", "text": "units: {AL99: {type: 4-4-7, at: ZZ99}}"})
    assert wrong.status_code == 422
    assert "ZZ99" in wrong.content.decode()
    # A whole record can be sent too: the side's own part is taken.
    given = theirs.post(asked, {"view": "text", "do": "give", "text": text("allied")})
    assert given.status_code == 302
    ours = people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "What do you buy" in ours
    log = people.client(people.anna).get(f"/campaign/{game.pk}/axis/log").content.decode()
    assert "Soviets take up" not in log


def test_a_side_fills_its_part_in_as_grids(people: People) -> None:
    game = begin(people, text("axis"), "axis")
    sit(game, people.bert)
    theirs = people.client(people.bert)
    mark = re.search(r"/ask/([^/]+)/", theirs.get(f"/campaign/{game.pk}/allied/").content.decode())
    assert mark is not None
    asked = f"/campaign/{game.pk}/allied/ask/{mark[1]}/"
    begun = theirs.post(f"{asked}record", {"do": "begin"})
    assert begun.status_code == 302
    name = begun["Location"].split("/")[-2]
    record = library.find(people.bert, name).text
    assert parse_document(record, "r").data["public"] == parse_document(text("allied"), "r").data["public"]
    fill_in(theirs, name, "allied-own-units", {"r0.0": "AL777", "r0.1": "4-4-7", "r0.2": "ZZ9"})
    fill_in(theirs, name, "allied-own-numbers", {"r0.0": "7"})
    assert theirs.post(f"{asked}record", {"do": "take", "file": name})["Location"] == asked
    page = theirs.get(asked).content.decode()
    assert "AL777" in page
    wrong = theirs.post(asked, {"view": "text", "do": "give", "text": library.find(people.bert, name).text})
    assert "ZZ9" in wrong.content.decode()
    fill_in(theirs, name, "allied-own-units", {"r0.0": "AL777", "r0.1": "4-4-7", "r0.2": "A5", "r0.3": "hip"})
    given = theirs.post(asked, {"view": "text", "do": "give", "text": library.find(people.bert, name).text})
    assert given.status_code == 302
    # The other side is told nothing of it, has no such file, and can't ask for the part of another.
    assert people.client(people.anna).get(f"/library/file/{name}/fill").status_code == 404
    assert "AL777" not in people.client(people.anna).get(f"/campaign/{game.pk}/axis/log").content.decode()


def test_everything_wrong_is_said_with_its_line_and_nothing_begins(people: People) -> None:
    record = text().replace("next: buying", "next: bying").replace("at: Z0}", "at: ZZ99}", 1)
    answer = people.client(people.anna).post("/new/rzhavets", {"seat": "both", "record-file": sent(record)})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "bying" in page
    assert "ZZ99" in page
    assert not Game.objects.exists()
    binary = SimpleUploadedFile("record.yaml", b"\xff\xfe\x00\xd8")
    assert people.client(people.anna).post("/new/rzhavets", {"seat": "both", "record-file": binary}).status_code == 422


def test_a_record_of_the_library_is_offered_for_its_card_alone(people: People) -> None:
    library.save(people.anna, "tuesday.yaml", text())
    client = people.client(people.anna)
    assert "tuesday.yaml" in client.get("/new/rzhavets").content.decode()
    assert "tuesday.yaml" not in client.get("/new/training").content.decode()
    assert client.post("/new/rzhavets", {"seat": "both", "record": "tuesday.yaml"}).status_code == 302
    assert Game.objects.exists()


def test_the_record_is_given_out_with_a_seats_own_secrets(people: People) -> None:
    game = begin(people, text(), "axis")
    sit(game, people.bert)
    for user, seat, other in ((people.anna, "axis", "allied"), (people.bert, "allied", "axis")):
        answer = people.client(user).get(f"/campaign/{game.pk}/{seat}/record.yaml")
        assert answer.status_code == 200
        record = answer.content.decode()
        assert f"secret:\n  {seat}:" in record
        assert f"  {other}:\n    numbers: {{cp" not in record.partition("secret:")[2]


def fill_in(client: Client, name: str, chart: str, cells: dict[str, str]) -> None:
    """Keep cells of a grid, though others are still wrong."""
    page = client.get(f"/library/file/{name}/fill?chart={chart}").content.decode()
    was = re.search(r'name="was" value="([^"]*)"', page)
    assert was is not None
    given = {"was": was[1], "do": "save", "anyway": "yes", **cells}
    answer = client.post(f"/library/file/{name}/fill?chart={chart}", given)
    assert answer.status_code in (200, 302), answer.content.decode()[:500]


def test_a_record_is_filled_in_as_grids(people: People) -> None:
    client = people.client(people.anna)
    assert client.post("/new/rzhavets", {"do": "record"}).status_code == 302
    name = "rzhavets-record.yaml"
    page = client.get(f"/library/file/{name}/fill?chart=axis-units").content.decode()
    assert "Axis: known units" in page
    fill_in(client, name, "axis-units", {"r0.0": "AX12", "r0.1": "4-6-7", "r0.2": "L18", "r0.3": "broken, dm"})
    kept = library.find(people.anna, name).text
    assert "AX12: {type: 4-6-7, at: L18, marks: [broken, dm]}" in kept
    assert name in client.get("/new/rzhavets").content.decode()
    refused = client.post("/new/rzhavets", {"seat": "both", "record": name})
    assert refused.status_code == 422
    assert "battle 1 has no line on the CG Roster" in refused.content.decode()
    fill_in(client, name, "past", {"r0.0": "1", "r0.1": "Axis Assault", "r0.2": "unknown"})
    assert client.post("/new/rzhavets", {"seat": "both", "record": name}).status_code == 302
    assert Game.objects.exists()


def click_map(page: Page, name: str) -> None:
    """Click a hex of the map that is open."""
    box = page.locator(f'.hexpick [data-hex="{name}"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.browser
def test_the_places_of_a_record_are_picked_on_the_map_of_its_card(people: People, desk: Callable[..., Desk]) -> None:
    assert people.client(people.anna).post("/new/rzhavets", {"do": "record"}).status_code == 302
    name = "rzhavets-record.yaml"
    fill_in(people.client(people.anna), name, "axis-units", {"r0.0": "AX12", "r0.1": "4-6-7", "r0.2": "L18"})
    anna = desk(people.anna)
    anna.go(f"/library/file/{name}/fill?chart=axis-units")
    page = anna.page
    for row, hex_ in ((0, "M16"), (1, "N17")):
        place = page.locator(f'[name="r{row}.2"]')
        place.locator("xpath=following-sibling::button").click()
        page.wait_for_selector(".hexpick .map-stage.drawn")
        click_map(page, hex_)
        page.wait_for_function("() => !document.querySelector('.hexpick').open")
        assert place.input_value() == hex_
    # The marked hexes of a list are ticked on the map, and unticked by a second click.
    anna.go(f"/library/file/{name}/fill?chart=fires")
    page.locator('[name="r0.0"]').fill("L18")
    page.locator('[name="r0.0"]').locator("xpath=following-sibling::button").click()
    page.wait_for_selector(".hexpick .map-stage.drawn")
    click_map(page, "M16")
    page.get_by_role("button", name="Done").click()
    assert page.locator('[name="r0.0"]').input_value() == "L18, M16"


def test_programs_take_a_record_and_get_one(people: People) -> None:
    mine = Program.of(people.anna)
    begun = mine.post("/campaigns", {"card": "rzhavets", "seat": "axis", "record": text("axis")})
    game = Game.objects.get(pk=begun["campaign"])
    sit(game, people.bert)
    theirs = Program.of(people.bert)
    with pytest.raises(RefusedCallError, match="entering their parts"):
        mine.get(f"{at(game, 'axis')}/record")
    (asked,) = theirs.get(at(game, "allied"))["asked"]
    secret = parse_document(text("allied"), "r").data["secret"]["allied"]
    theirs.post(f"{at(game, 'allied')}/asked/{asked['mark']}/answer", {"answer": secret})
    record = mine.get(f"{at(game, 'axis')}/record")["text"]
    assert list(parse_document(record, "r").data["secret"]) == ["axis"]
    assert not [heard for heard in mine.heard if "ALF1:" in heard]
    with pytest.raises(RefusedCallError, match="bying"):
        mine.post("/campaigns", {"card": "rzhavets", "record": text().replace("next: buying", "next: bying")})


def test_a_record_takes_its_position_from_a_save(people: People, tmp_path: Path) -> None:
    _, data, _ = played("rzhavets", tmp_path)
    client = people.client(people.anna)
    keep_boards(people.anna, [(f"bd{CODE}", (tmp_path / f"bd{CODE}").read_bytes())])
    address = "/library/file/rzhavets-record.yaml/position"
    assert client.post("/new/rzhavets", {"do": "position"})["Location"] == address
    page = client.get(address).content.decode()
    was = re.search(r'name="was" value="([^"]*)"', page)
    assert was is not None

    def send(do: str, **more: str) -> Any:
        save = SimpleUploadedFile("game.vsav", data)
        return client.post(address, {"save": save, "was": was[1], "do": do, "sides": ["axis"], **more})

    read = send("read")
    assert "Nothing is kept yet" in read.content.decode()
    assert "what the Soviets hide" in read.content.decode()
    assert "units:" not in library.find(people.anna, "rzhavets-record.yaml").text
    assert send("keep")["Location"] == "/library/file/rzhavets-record.yaml/fill"
    record = parse_document(library.find(people.anna, "rzhavets-record.yaml").text, "r").data
    assert record["public"]["allied"]["units"]
    assert "allied" not in record.get("secret", {})
    # The page was of the record before.
    assert send("keep").status_code == 409
    wrong = send("read", **{"choice:nothing": "leave"})
    assert wrong.status_code == 422
    assert "there is nothing called" in wrong.content.decode()
    assert client.post(address, {"do": "read"}).status_code == 422
    assert people.client(people.bert).get(address).status_code == 404
