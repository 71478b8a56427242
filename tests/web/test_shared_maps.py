"""A map that others share, in the map editor: who may change it draws, who may only see it looks, others find none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from laager.web.library.files import files as library
from laager.web.library.maps import hex_editing
from laager.web.library.sharing import shares
from laager.web.library.sharing.shares import Sharing
from laager.web.models import FileVersion, OwnFile
from tests.vasl.board_writer import Draft, zip_bytes
from tests.vasl.picture_writer import WOODS, picture
from tests.web.conftest import untokened
from tests.web.serving import until
from tests.web.test_map_strokes import CARD, Easel
from tests.web.test_mapedit import MAP, boards

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.web.models import Player
    from tests.web.conftest import Desk, People

NAMED = Sharing("named", "named", ["cleo"], ["bert"])
DRAFT = MAP.replace("title: A hill", "title: Kept for anna alone").replace("1: [C4, C5]", "1: [H8]")
"""What the map was before it was shared."""
PAGES = ("map", "map?hex=F5", "map.svg", "map.svg?sheet=1", "map/hex/F5", "map/alike/B3", "map/vasl")


@pytest.fixture
def shared_map(people: People) -> OwnFile:
    """A map of anna's that bert may change and cleo may see; dora may neither."""
    return share_map(people, [DRAFT, MAP])


def share_map(people: People, texts: list[str]) -> OwnFile:
    for text in texts:
        file = library.save(people.anna, "m.yaml", text)
    return shares.share(people.anna, file.pk, NAMED)


def at(file: OwnFile, page: str = "map") -> str:
    return f"/library/shared/{file.pk}/{page}"


def send(people: People, user: Player, file: OwnFile, do: str, status: int = 200, **data: Any) -> dict[str, Any]:
    """Send what the editor's script sends; return the answer."""
    if "strokes" in data:
        data["strokes"] = json.dumps(data["strokes"])
    answer = people.client(user).post(at(file), {"do": do, **data}, headers={"Accept": "application/json"})
    assert answer.status_code == status, answer.content
    told: dict[str, Any] = answer.json() if answer["Content-Type"] == "application/json" else {}
    return told


def kept(file: OwnFile) -> str:
    return OwnFile.objects.get(pk=file.pk).text


def map_of(file: OwnFile) -> HexMap:
    return hex_editing.map_of(kept(file), file.name)


# Drawing ------------------------------------------------------------------------------------------


def test_who_may_change_it_draws_as_the_owner_does(shared_map: OwnFile, people: People) -> None:
    page = people.client(people.bert).get(at(shared_map) + "?hex=F5").content.decode()
    assert f'data-post="{at(shared_map)}"' in page
    assert "/library/file/" not in page, "pages of the own library have no such file"
    told = send(people, people.bert, shared_map, "strokes", strokes=[["F5,F6=grain"], ["F5=level:2"]])
    assert told["changed"]["hexes"]["F5"][2:4] == ["grain", 2]
    assert (told["undo"], told["redo"]) == (True, False)
    file = OwnFile.objects.get(pk=shared_map.pk)
    assert (file.writer, file.owner) == (people.bert, people.anna)
    assert [(version.writer, version.number) for version in FileVersion.objects.filter(file=file)] == [(people.anna, 1)]
    sent = {"hex": "G2", "was": library.digest(kept(file)), "do": "hex", "terrain": "marsh", "material": ""}
    answer = people.client(people.bert).post(at(file), sent)
    assert (answer.status_code, answer["Location"]) == (302, f"{at(file)}?hex=G2")
    people.client(people.bert).post(at(file), {"hex": "G2", "do": "places", "label": "The Ford"})
    people.client(people.bert).post(at(file), {"do": "changes", "changes": "H1=woods"})
    now = map_of(file)
    assert (now.hex("G2").terrain, now.names["G2"], now.hex("H1").terrain) == ("marsh", "The Ford", "woods")
    assert library.list_files(people.bert) == []


def test_strokes_of_two_people_count_both(shared_map: OwnFile, people: People) -> None:
    was = library.digest(kept(shared_map))
    send(people, people.bert, shared_map, "strokes", strokes=[["F5=grain"]], was=was)
    library.save(people.anna, "m.yaml", kept(shared_map).replace("woods: [B2-B5, D4]", "woods: [B2-B5, D4, H8]"))
    told = send(people, people.bert, shared_map, "strokes", strokes=[["F6=grain"]], was=was)
    assert "painted" in told
    assert [map_of(shared_map).hex(name).terrain for name in ("F5", "F6", "H8")] == ["grain", "grain", "woods"]


def test_a_card_shared_with_it_says_what_the_map_lacks(shared_map: OwnFile, people: People) -> None:
    card = library.save(people.anna, "small.yaml", CARD)
    page = people.client(people.bert).get(at(shared_map)).content.decode()
    assert "Small" not in page
    assert "Landing" not in page
    shares.share(people.anna, card.pk, NAMED)
    page = people.client(people.bert).get(at(shared_map)).content.decode()
    assert '<option value="small.yaml" selected>Small</option>' in page
    assert "Landing" in page


def test_pictures_of_boards_are_for_who_has_the_boards(people: People) -> None:
    """The map says from which boards it was made; their pictures come from the viewer's own library."""
    draft = Draft(name="77")
    drawn = picture((draft.width, draft.height), {(40, 40, 90, 90): WOODS})
    data = zip_bytes((draft.entries() | {"bd77.gif": drawn}).items())
    anna, bert = people.client(people.anna), people.client(people.bert)
    anna.post("/library/boards", boards(bd77=data))
    file = shares.share(people.anna, library.find(people.anna, "own-map.yaml").pk, NAMED)
    assert anna.get("/library/file/own-map.yaml/map/board/0").status_code == 200
    assert bert.get(at(file, "map/board/0")).status_code == 404
    assert "data-photo=" not in bert.get(at(file)).content.decode()
    assert "map/board" not in bert.get(at(file, "map.svg?boards=1")).content.decode()
    assert bert.get(at(file, "map/alike/77C2?by=colour")).status_code == 404
    bert.post("/library/boards", boards(bd77=data))
    assert bert.get(at(file, "map/board/0")).status_code == 200
    assert at(file, "map/board/0") in bert.get(at(file, "map.svg?boards=1")).content.decode()


# Taking back --------------------------------------------------------------------------------------


def test_nobody_takes_back_to_what_was_before_the_sharing(shared_map: OwnFile, people: People) -> None:
    assert not send(people, people.bert, shared_map, "look")["undo"]
    send(people, people.bert, shared_map, "undo", 404)
    told = send(people, people.bert, shared_map, "strokes", strokes=[["F5=grain"], ["F6=grain"]])
    assert told["undo"]
    send(people, people.bert, shared_map, "undo")
    assert not send(people, people.bert, shared_map, "undo")["undo"]
    assert kept(shared_map) == MAP
    send(people, people.bert, shared_map, "undo", 404)
    send(people, people.bert, shared_map, "redo")
    assert not send(people, people.bert, shared_map, "redo")["redo"]
    assert map_of(shared_map).hex("F6").terrain == "grain"
    assert kept(shared_map) != DRAFT
    for _ in range(3):
        library.take_back(people.anna, "m.yaml")
    assert kept(shared_map) == DRAFT, "the owner still has the own drafts"


def test_nobody_does_again_what_the_owner_took_back_before_the_sharing(people: People) -> None:
    share_map(people, [MAP, DRAFT])
    file = shares.share(people.anna, library.find(people.anna, "m.yaml").pk, Sharing())
    library.take_back(people.anna, "m.yaml")
    shares.share(people.anna, file.pk, NAMED)
    assert kept(file) == MAP
    assert not send(people, people.bert, file, "look")["redo"]
    send(people, people.bert, file, "redo", 404)
    assert kept(file) == MAP
    library.do_again(people.anna, "m.yaml")
    assert kept(file) == DRAFT


def test_one_takes_back_only_the_own_last_change(shared_map: OwnFile, people: People) -> None:
    shares.share(people.anna, shared_map.pk, Sharing("everybody", "everybody"))
    send(people, people.bert, shared_map, "strokes", strokes=[["F5=grain"]])
    told = send(people, people.dora, shared_map, "strokes", strokes=[["F6=grain"]])
    assert told["undo"]
    assert not send(people, people.bert, shared_map, "look")["undo"]
    send(people, people.bert, shared_map, "undo", 404)
    send(people, people.dora, shared_map, "undo")
    assert not send(people, people.bert, shared_map, "look")["redo"]
    send(people, people.bert, shared_map, "undo")
    assert kept(shared_map) == MAP


def test_a_private_time_between_two_sharings_stays_private(shared_map: OwnFile, people: People) -> None:
    send(people, people.bert, shared_map, "strokes", strokes=[["F5=grain"]])
    seen = kept(shared_map)
    shares.share(people.anna, shared_map.pk, Sharing())
    library.save(people.anna, "m.yaml", DRAFT)
    library.save(people.anna, "m.yaml", seen)
    shares.share(people.anna, shared_map.pk, NAMED)
    send(people, people.bert, shared_map, "undo", 404)
    send(people, people.bert, shared_map, "strokes", strokes=[["F6=grain"]])
    send(people, people.bert, shared_map, "undo")
    send(people, people.bert, shared_map, "undo", 404)
    assert kept(shared_map) == seen


def test_old_texts_without_a_name_are_the_owners(shared_map: OwnFile, people: People) -> None:
    file = OwnFile.objects.get(pk=shared_map.pk)
    file.before = [text.rpartition(":")[2] for text in file.before]
    file.save()
    send(people, people.bert, shared_map, "undo", 404)
    assert library.take_back(people.anna, "m.yaml").text == DRAFT


def test_drafts_change_no_byte_of_what_others_get(people: People) -> None:
    """Maps that are the same, and were not before they were shared."""
    worlds = []
    for texts in ([MAP], [DRAFT, MAP], [MAP, DRAFT, MAP, DRAFT]):
        file = share_map(people, texts)
        if texts[-1] == DRAFT:
            shares.share(people.anna, file.pk, Sharing())
            library.take_back(people.anna, "m.yaml")
            shares.share(people.anna, file.pk, NAMED)
        OwnFile.objects.filter(pk=file.pk).update(changed="2024-01-01T00:00Z")
        seen = []
        for user in (people.bert, people.cleo):
            client = people.client(user)
            gets = [client.get(at(file, page)) for page in (*PAGES[:-1], "")]
            posts = [
                client.post(at(file), {"do": do}, headers={"Accept": "application/json"})
                for do in ("look", "undo", "redo")
            ]
            seen += [(one.status_code, untokened(one.content)) for one in (*gets, *posts)]
        worlds.append(re.sub(rf"shared/{file.pk}\b", "shared/N", str(seen)))
        FileVersion.objects.all().delete()
        OwnFile.objects.all().delete()
    assert worlds[0] == worlds[1] == worlds[2]
    assert "Kept for anna alone" not in worlds[0]


# Looking ------------------------------------------------------------------------------------------


def test_who_may_only_see_it_looks_at_the_map(shared_map: OwnFile, people: People) -> None:
    cleo = people.client(people.cleo)
    for page in PAGES:
        assert cleo.get(at(shared_map, page)).status_code == 200, page
    page = cleo.get(at(shared_map) + "?hex=F5").content.decode()
    assert "anna lets you see this file, not change it." in page
    assert page.count('<fieldset class="plain" disabled>') == 2
    for button in ("Change the hex", "Carry out", "The rest is open ground"):
        assert button not in page
        assert button in people.client(people.bert).get(at(shared_map) + "?hex=F5").content.decode()
    send(people, people.cleo, shared_map, "look")
    for do in ("strokes", "undo", "redo", "hex", "places", "changes", "rename"):
        send(people, people.cleo, shared_map, do, 403, strokes=[["F5=grain"]], changes="F5=grain", hex="F5")
    assert kept(shared_map) == MAP


@pytest.mark.parametrize("case", ["stranger", "private", "nobody"])
def test_for_who_may_neither_there_is_no_map(case: str, shared_map: OwnFile, people: People) -> None:
    if case == "private":
        shares.share(people.anna, shared_map.pk, Sharing())
    client = people.client({"stranger": people.dora, "private": people.bert}.get(case))
    nowhere = f"/library/shared/{shared_map.pk + 1000}/"
    for page in PAGES:
        there, missing = client.get(at(shared_map, page)), client.get(nowhere + page)
        assert there.status_code == missing.status_code == (302 if case == "nobody" else 404)
        content = untokened(missing.content).replace(str(shared_map.pk + 1000), str(shared_map.pk))
        assert untokened(there.content) == content
    sent = {"do": "strokes", "strokes": '[["F5=grain"]]'}
    assert client.post(at(shared_map), sent).status_code == (302 if case == "nobody" else 404)
    assert kept(shared_map) == MAP


def test_the_owner_has_the_own_editor_there(shared_map: OwnFile, people: People) -> None:
    assert 'data-post="/library/file/m.yaml/map"' in people.client(people.anna).get(at(shared_map)).content.decode()


def test_the_page_of_a_shared_map_leads_to_its_drawing(shared_map: OwnFile, people: People) -> None:
    for user in (people.bert, people.cleo):
        assert f'href="{at(shared_map)}"' in people.client(user).get(at(shared_map, "")).content.decode()
    shares.save_shared(people.bert, shared_map.pk, "laager: map/1\n", library.digest(MAP))
    answer = people.client(people.cleo).get(at(shared_map))
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, at(shared_map, ""))


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.browser
def test_two_people_at_one_map_in_their_browsers(
    shared_map: OwnFile, people: People, desk: Callable[..., Desk]
) -> None:
    bert, cleo = desk(people.bert), desk(people.cleo)
    bert.go(at(shared_map, ""))
    bert.page.get_by_role("link", name="Draw").click()
    easel = Easel(bert.page)
    easel.brush("grain")
    easel.over("E7", "H7")
    until(lambda: [map_of(shared_map).hex(name).terrain for name in ("E7", "H7")] == ["grain"] * 2)
    cleo.go(at(shared_map, ""))
    cleo.page.get_by_role("link", name="Map", exact=True).click()
    look = Easel(cleo.page)
    assert not cleo.page.locator("[data-brush], [data-undo]").first.is_visible()
    look.over("H7")
    cleo.page.locator("[data-panel] p", has_text="grain").wait_for()
    assert cleo.page.locator("[data-panel] #terrain").is_disabled()
    look.over("A1", "D1")
    cleo.page.locator("[data-stage]").focus()
    for key in ("Control+z", "b", "x", "1"):
        cleo.page.keyboard.press(key)
    bert.page.get_by_role("button", name="Take back").click()
    until(lambda: kept(shared_map) == MAP)
    bert.page.wait_for_function("() => document.querySelector('[data-undo]').disabled")
    assert not cleo.page.locator(".refused").count()
