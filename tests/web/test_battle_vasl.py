"""The page from which the battle goes into VASL: one's own counters, and files for one's own side."""

from __future__ import annotations

import base64
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from laager.hexmap import HexMap
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of as board_in_archive
from laager.vasl.saves.save import save_of
from laager.vasl.setup.module import read_module, unpack_counters
from laager.web.models import Game, OwnCounters
from tests.vasl.board_writer import zip_bytes
from tests.vasl.engine import MODULE, needs_module
from tests.vasl.fields import CODE, board_of
from tests.vasl.module_writer import small, small_extension
from tests.web.conftest import People
from tests.web.fielded import fielded
from tests.web.seen import url

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Desk

PAGE, COUNTERS, TAKE, BOARD = "vasl", "vasl/counters", "vasl/take", "vasl/board"


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets")


@pytest.fixture
def counters(tmp_path: Path) -> bytes:
    return read_module(small().write(tmp_path / "VASL.vmod")).pack()


def sent(people: People, game: Game, user: Any, side: str, counters: bytes) -> Any:
    """Return a browser of somebody who has sent counters, and has the board under the map."""
    from laager.web.campaigns.store import DatabaseStore
    from laager.web.models import OwnBoard

    opening = DatabaseStore(game.pk).load().entries[0].body
    data = board_of(HexMap.from_data(opening["map"]))
    archive = Archive(data, f"bd{CODE}")
    OwnBoard.objects.create(owner=user, name=archive.name, sha256=archive.sha256, size=len(data), data=data)
    client = people.client(user)
    answer = client.post(url(game, side, COUNTERS), {"counters": SimpleUploadedFile("counters.gz", counters)})
    assert answer.status_code == 302
    return client


def ids(data: bytes) -> set[str]:
    return {piece.id for piece in save_of(Archive(data, "battle")).pieces}


def taken(client: Any, game: Game, side: str, **more: Any) -> bytes:
    answer = client.post(url(game, side, TAKE), {"kind": "vsav", "layout": CODE, **more})
    assert answer.status_code == 200, answer.content.decode()[-3000:]
    assert answer["Content-Disposition"].startswith("attachment")
    return bytes(answer.content)


def test_counters_are_kept_for_their_owner_and_removed(game: Game, people: People, counters: bytes) -> None:
    client = sent(people, game, people.anna, "axis", counters)
    kept = OwnCounters.objects.get(owner=people.anna)
    assert (kept.version, kept.counters, bytes(kept.data)) == ("9.9", 9, counters)
    assert "9 counters of VASL 9.9" in client.get(url(game, "axis", PAGE)).content.decode()
    assert "9 counters" not in people.client(people.bert).get(url(game, "allied", PAGE)).content.decode()
    client.post(url(game, "axis", COUNTERS), {"do": "remove"})
    assert not OwnCounters.objects.exists()


def test_what_is_not_a_file_of_counters_is_refused(game: Game, people: People) -> None:
    client = people.client(people.anna)
    for data in (b"", b"hello", b"\x1f\x8bhello"):
        answer = client.post(url(game, "axis", COUNTERS), {"counters": SimpleUploadedFile("x.gz", data)})
        assert answer.status_code == 422
        assert "x.gz" in answer.content.decode() or "no file arrived" in answer.content.decode()
    assert not OwnCounters.objects.exists()


def test_each_side_takes_what_it_may_know(game: Game, people: People, counters: bytes) -> None:
    axis = taken(sent(people, game, people.anna, "axis", counters), game, "axis")
    allied = taken(sent(people, game, people.bert, "allied", counters), game, "allied")
    umpire = taken(sent(people, game, people.cleo, "umpire", counters), game, "umpire")
    assert ids(axis) & ids(allied) == ids(umpire), "the umpire's file has what both sides know"
    assert ids(axis) - ids(umpire)
    assert ids(allied) - ids(umpire)


def test_the_page_says_what_to_hide(game: Game, people: People, counters: bytes) -> None:
    client = sent(people, game, people.anna, "axis", counters)
    page = client.get(url(game, "axis", PAGE) + f"?layout={CODE}").content.decode()
    assert "Do this in VASL before anybody else gets the game" in page
    assert "Not as it should be" in page
    shown = client.post(url(game, "axis", TAKE), {"kind": "look", "layout": CODE}).content.decode()
    assert "Do this in VASL before anybody else gets the game" in shown
    other = sent(people, game, people.cleo, "umpire", counters)
    assert "before anybody else" not in other.get(url(game, "umpire", PAGE) + f"?layout={CODE}").content.decode()


def test_the_second_side_adds_its_own(game: Game, people: People, counters: bytes) -> None:
    axis = taken(sent(people, game, people.anna, "axis", counters), game, "axis")
    client = sent(people, game, people.bert, "allied", counters)
    allied = taken(client, game, "allied")
    both = taken(client, game, "allied", kind="into", save=SimpleUploadedFile("axis.vsav", axis))
    assert ids(both) == ids(axis) | ids(allied)


def test_a_log_has_the_sides_secrets_alone(game: Game, people: People, counters: bytes) -> None:
    client = sent(people, game, people.anna, "axis", counters)
    whole = ids(taken(client, game, "axis"))
    log = ids(taken(client, game, "axis", kind="vlog"))
    common = ids(taken(sent(people, game, people.cleo, "umpire", counters), game, "umpire"))
    assert log == whole - common


@pytest.mark.parametrize("kind", ["vlog", "into"])
def test_who_is_no_side_has_nothing_to_add(game: Game, people: People, counters: bytes, kind: str) -> None:
    client = sent(people, game, people.cleo, "umpire", counters)
    data = {"kind": kind, "layout": CODE, "save": SimpleUploadedFile("x.vsav", b"x")}
    assert client.post(url(game, "umpire", TAKE), data).status_code == 403


def test_wrong_boards_and_saves_are_refused_on_the_page(game: Game, people: People, counters: bytes) -> None:
    client = sent(people, game, people.anna, "axis", counters)
    answer = client.post(url(game, "axis", TAKE), {"kind": "vsav", "layout": "nowhere"})
    assert answer.status_code == 422
    assert "there is no board" in answer.content.decode()
    wrong = {"kind": "into", "layout": CODE, "save": SimpleUploadedFile("x.vsav", b"hello")}
    assert client.post(url(game, "axis", TAKE), wrong).status_code == 422


def test_the_api_does_the_same(game: Game, people: People, counters: bytes) -> None:
    client = sent(people, game, people.anna, "axis", counters)
    base = f"/api/v1/campaigns/{game.pk}/axis/vasl"
    told = client.put("/api/v1/vasl/counters", {"data": base64.b64encode(counters).decode()}, "application/json")
    assert told.json()["counters"] == 9
    assert client.get("/api/v1/vasl/counters").json()["version"] == "9.9"
    described = client.get(base, {"layout": CODE}).json()
    made = client.post(base, {"layout": CODE}, "application/json")
    assert described["side"] == "axis"
    assert described["pieces"] == len(ids(made.content))
    again = {"layout": CODE, "into": base64.b64encode(made.content).decode()}
    assert ids(client.post(base, again, "application/json").content) == ids(made.content)
    assert client.delete("/api/v1/vasl/counters").status_code == 204
    assert client.post(base, {}, "application/json").status_code == 404


def test_the_maps_own_board_is_made_and_kept(game: Game, people: People, counters: bytes) -> None:
    from laager.web.models import OwnBoard

    client = people.client(people.anna)
    client.post(url(game, "axis", COUNTERS), {"counters": SimpleUploadedFile("counters.gz", counters)})
    answer = client.get(url(game, "axis", BOARD))
    name = "bdRzhavetsOnTheNorther"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert len(board_in_archive(Archive(answer.content, name)).hexes) == 676
    kept = client.post(url(game, "axis", BOARD))
    assert kept["Location"].endswith(f"{PAGE}?layout=RzhavetsOnTheNorther")
    assert OwnBoard.objects.get(owner=people.anna).sha256 == Archive(answer.content, name).sha256
    assert "Do this in VASL before anybody else gets the game" in client.get(kept["Location"]).content.decode()
    assert ids(taken(client, game, "axis", layout="RzhavetsOnTheNorther"))
    assert client.get(f"/api/v1/campaigns/{game.pk}/axis/vasl/board").content == answer.content
    # Nobody gets more of it than is printed: all seats have the same file.
    assert people.client(people.bert).get(url(game, "allied", BOARD)).content == answer.content


def send(client: Any, game: Game, *files: tuple[str, bytes]) -> Any:
    """Send files of counters and extensions."""
    uploads = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(url(game, "axis", COUNTERS), {"counters": uploads})


def extension_file() -> bytes:
    return zip_bytes(small_extension().entries().items())


def test_extensions_come_with_the_module_or_later(game: Game, people: People, counters: bytes) -> None:
    client = people.client(people.anna)
    for files in ([("counters.gz", counters), ("BFP.vmdx", extension_file())], [("BFP.vmdx", extension_file())]):
        assert send(client, game, *files).status_code == 302
        kept = OwnCounters.objects.get(owner=people.anna)
        assert kept.counters == 12
        assert [one.name for one in unpack_counters(bytes(kept.data), "kept").extensions] == ["BFP"]
        assert "With the extensions: BFP 5.01." in client.get(url(game, "axis", PAGE)).content.decode()


def test_extensions_alone_and_two_modules_are_refused(game: Game, people: People, counters: bytes) -> None:
    client = people.client(people.anna)
    module = zip_bytes(small().entries().items())
    for files, words in (
        ([("BFP.vmdx", extension_file())], "choose VASL.vmod with it"),
        ([("counters.gz", counters), ("VASL.vmod", module)], "is a second module"),
        ([("VASL.vmod", module), ("BFP.vmdx", module)], "does not describe"),
        ([("VASL.vmod", module)] * 9, "too many files arrived"),
    ):
        answer = send(client, game, *files)
        assert answer.status_code == 422
        assert words in answer.content.decode()
        assert not OwnCounters.objects.exists()


def choose_module(desk: Callable[..., Desk], people: People, game: Game, *module: Path) -> Desk:
    """Open the page in a browser and choose a module on it, perhaps with extensions."""
    anna = desk(people.anna)
    anna.go(url(game, "axis", PAGE))
    anna.page.set_input_files("#counters", list(module))
    return anna


@pytest.mark.browser
def test_the_page_takes_the_counters_out_of_a_module(
    game: Game, people: People, desk: Callable[..., Desk], tmp_path: Path
) -> None:
    module = small().write(tmp_path / "VASL.vmod")
    with zipfile.ZipFile(module, "a") as archive:
        # What a module consists of mostly: more than the page may send.
        archive.writestr("images/map.png", bytes(20 * 2**20), zipfile.ZIP_STORED)
    anna = choose_module(desk, people, game, module)
    anna.page.get_by_text("Ready to send: 2 kB.").wait_for()
    anna.page.get_by_role("button", name="Send").click()
    anna.page.get_by_text("Kept: 9 counters of VASL 9.9").wait_for()
    assert bytes(OwnCounters.objects.get(owner=people.anna).data) == read_module(module).pack()


@pytest.mark.browser
def test_the_page_takes_the_counters_out_of_extensions(
    game: Game, people: People, desk: Callable[..., Desk], tmp_path: Path
) -> None:
    files = small().write(tmp_path / "VASL.vmod"), small_extension().write(tmp_path / "BFP.vmdx")
    for file in files:
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr("images/map.png", bytes(10 * 2**20), zipfile.ZIP_STORED)
    anna = choose_module(desk, people, game, *files)
    anna.page.get_by_text("Ready to send: ").wait_for()
    anna.page.get_by_role("button", name="Send").click()
    anna.page.get_by_text("Kept: 12 counters of VASL 9.9").wait_for()
    anna.page.get_by_text("With the extensions: BFP 5.01.").wait_for()


@pytest.mark.browser
def test_what_is_no_module_is_not_sent(game: Game, people: People, desk: Callable[..., Desk], tmp_path: Path) -> None:
    other, cut = tmp_path / "other.zip", tmp_path / "cut.vmod"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("moduledata", "<data/>")
    cut.write_bytes(small().write(tmp_path / "VASL.vmod").read_bytes()[:-30])
    for file in (other, cut):
        anna = choose_module(desk, people, game, file)
        anna.page.get_by_text(f"{file.name} isn't a module of VASL.").wait_for()
        assert not anna.page.locator("#counters").input_value()


@needs_module
@pytest.mark.browser
def test_the_page_takes_the_counters_out_of_vasl_itself(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = choose_module(desk, people, game, MODULE)
    anna.page.get_by_text("Ready to send").wait_for()
    anna.page.get_by_role("button", name="Send").click()
    anna.page.get_by_text("Kept:").wait_for()
    kept = bytes(OwnCounters.objects.get(owner=people.anna).data)
    assert kept == read_module(MODULE).pack()
