"""Files of a library that others share, in grids and forms: who may see them, who may change them, who neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import find_grid
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.library.files.offers import find_shipped
from laager.web.library.sharing import shares
from laager.web.library.sharing.shares import Sharing
from laager.web.models import FileVersion, OwnFile
from tests.web.conftest import untokened

if TYPE_CHECKING:
    from laager.web.models import Player
    from tests.web.conftest import People

CHARTS = "a-charts.yaml"
CHART = "axis-rg"
NAMED = Sharing("named", "named", ["cleo"], ["bert"])
PAGES = (f"fill?chart={CHART}", "fill", f"fill/csv?chart={CHART}", "form", "form?part=sides")
"""Pages of a file's editors, after its address."""


@pytest.fixture
def charts(people: People) -> OwnFile:
    """Charts of anna's with blanks, that bert may change and cleo may see; dora may neither."""
    library.save_all(people.anna, file_templates.made_from("skeleton-abtf", "a"))
    return shares.share(people.anna, library.find(people.anna, CHARTS).pk, NAMED)


def at(file: OwnFile) -> str:
    return f"/library/shared/{file.pk}/"


def cells(file: OwnFile, first: str = "I77") -> dict[str, str]:
    """Return what the form of the chart sends, with another id in its first cell."""
    data = parse_document(file.text, file.name).data
    rows = find_grid("hasl-charts", data, CHART).rows(data)
    sent = {f"r{i}.{j}": cell for i, row in enumerate(rows) for j, cell in enumerate(row.cells)}
    return sent | {"r0.0": first, "do": "save", "was": library.digest(file.text)}


def kept(file: OwnFile) -> str:
    return OwnFile.objects.get(pk=file.pk).text


def test_who_may_change_fills_in_the_grid_as_the_owner_does(charts: OwnFile, people: People) -> None:
    bert = people.client(people.bert)
    page = bert.get(f"{at(charts)}fill?chart={CHART}").content.decode()
    assert f'hx-post="{at(charts)}fill/live?chart={CHART}"' in page
    assert 'value="save"' in page
    assert "/library/file/" not in page, "pages of the own library have no such file"
    live = bert.post(f"{at(charts)}fill/live?chart={CHART}", cells(charts, "nonsense!")).content.decode()
    assert 'data-cell="r0.0"' in live
    assert kept(charts) == charts.text
    answer = bert.post(f"{at(charts)}fill?chart={CHART}", cells(charts))
    assert (answer.status_code, answer["Location"]) == (302, f"{at(charts)}fill?chart={CHART}")
    assert "I77" in kept(charts)
    version = FileVersion.objects.get(file=charts)
    assert (version.number, version.writer, OwnFile.objects.get(pk=charts.pk).writer) == (1, people.anna, people.bert)
    assert library.list_files(people.bert) == []
    assert "I77" in people.client(people.anna).get(f"/library/file/{CHARTS}/fill?chart={CHART}").content.decode()


def test_a_paste_and_a_form_go_to_the_shared_file_too(charts: OwnFile, people: People) -> None:
    bert = people.client(people.bert)
    csv = bert.get(f"{at(charts)}fill/csv?chart={CHART}").content.decode("utf-8-sig")
    answer = bert.post(f"{at(charts)}fill?chart={CHART}", {"do": "paste", "pasted": csv})
    assert answer.status_code == 200
    assert "These cells aren&#x27;t kept yet" in answer.content.decode()
    page = bert.get(f"{at(charts)}form").content.decode()
    assert f'href="{at(charts)}fill"' in page
    sent = {"do": "save", "was": library.digest(charts.text), "a.source_note": "The club's", "anyway": "yes"}
    answer = bert.post(f"{at(charts)}form", sent)
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"].startswith(f"{at(charts)}form?part=")
    assert "source_note: The club's" in kept(charts)


def test_who_may_only_see_it_looks_at_the_grid_and_changes_nothing(charts: OwnFile, people: People) -> None:
    cleo = people.client(people.cleo)
    for page in PAGES:
        answer = cleo.get(at(charts) + page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        if "csv" not in page:
            assert "anna lets you see this file, not change it." in text
            assert 'value="save"' not in text or '<fieldset class="plain" disabled>' in text
    grid = cleo.get(f"{at(charts)}fill?chart={CHART}").content.decode()
    assert '<fieldset class="plain" disabled>' in grid
    assert 'value="save"' not in grid
    assert 'value="paste"' not in grid
    for page in (f"fill?chart={CHART}", f"fill/live?chart={CHART}", "form"):
        assert cleo.post(at(charts) + page, cells(charts)).status_code == 403, page
    assert kept(charts) == charts.text


@pytest.mark.parametrize("shared", [True, False])
def test_for_who_may_neither_the_pages_are_not_there(shared: bool, charts: OwnFile, people: People) -> None:
    if not shared:
        shares.share(people.anna, charts.pk, Sharing())
    client = people.client(people.dora if shared else people.bert)
    for page in PAGES:
        there, missing = client.get(at(charts) + page), client.get(f"/library/shared/{charts.pk + 1000}/{page}")
        assert there.status_code == missing.status_code == 404
        assert untokened(there.content) == untokened(missing.content).replace(str(charts.pk + 1000), str(charts.pk))
    for page in (f"fill?chart={CHART}", f"fill/live?chart={CHART}", "form"):
        assert client.post(at(charts) + page, cells(charts)).status_code == 404
    assert kept(charts) == charts.text


def test_rights_that_are_taken_away_end_at_once(charts: OwnFile, people: People) -> None:
    bert, sent = people.client(people.bert), cells(charts)
    shares.share(people.anna, charts.pk, Sharing("named", "nobody", ["bert"]))
    assert bert.post(f"{at(charts)}fill?chart={CHART}", sent).status_code == 403
    assert kept(charts) == charts.text


def test_of_two_who_change_it_nothing_is_lost(charts: OwnFile, people: People) -> None:
    sent = cells(charts, "I55")
    library.save(people.anna, CHARTS, charts.text + "\n# by anna\n")
    answer = people.client(people.bert).post(f"{at(charts)}fill?chart={CHART}", sent)
    assert answer.status_code == 409
    assert 'value="I55"' in answer.content.decode()
    assert "# by anna" in kept(charts)
    assert "I55" not in kept(charts)


def test_the_owner_has_the_own_pages_at_the_shared_address(charts: OwnFile, people: People) -> None:
    page = people.client(people.anna).get(f"{at(charts)}fill?chart={CHART}").content.decode()
    assert f"/library/file/{CHARTS}/fill/live" in page


@pytest.mark.parametrize("page", ["fill?chart=sides", "form", "fill"])
def test_files_that_are_not_shared_change_no_byte_of_the_pages(page: str, people: People) -> None:
    """Libraries that differ in the map that a shared card names, and which isn't shared itself."""
    path = find_shipped("rzhavets").path
    map_ = path.with_name("rzhavets-map.yaml").read_text(encoding="utf-8")
    card = path.read_text(encoding="utf-8").replace("map: rzhavets-map", "map: club-map.yaml")
    library.save(people.anna, "club.yaml", card)
    file = shares.share(people.anna, library.find(people.anna, "club.yaml").pk, Sharing("everybody", "everybody"))
    client = people.client(people.bert)
    grid = find_grid("pl-card", parse_document(card, "").data, "sides")
    rows = grid.rows(parse_document(card, "").data)
    cells = {f"r{i}.{j}": cell for i, row in enumerate(rows) for j, cell in enumerate(row.cells)}
    pages = set()
    for text in (None, map_, "[", map_.replace("A1", "ZZ99"), "laager: map/1\ntitle: kept-for-anna-alone\n"):
        if text is not None:
            library.save(people.anna, "club-map.yaml", text)
        live = client.post(f"{at(file)}fill/live?chart=sides", cells)
        pages.add((untokened(client.get(at(file) + page).content), untokened(live.content)))
    assert len(pages) == 1
    assert "kept-for-anna-alone" not in str(pages)
    shares.share(people.anna, file.pk, Sharing("everybody", "everybody"), ["club-map.yaml"])
    assert untokened(client.get(at(file) + page).content) != next(iter(pages))[0], "a shared one counts"


def test_the_page_of_a_shared_file_leads_to_its_editors(charts: OwnFile, people: People) -> None:
    def links(user: Player, file: OwnFile) -> list[str]:
        page = people.client(user).get(at(file)).content.decode()
        return [name for name in ("fill", "form") if f'href="{at(file)}{name}"' in page]

    house = library.save(people.anna, "house.yaml", "laager: house/1\n")
    shares.share(people.anna, house.pk, NAMED)
    for user in (people.bert, people.cleo):
        assert (links(user, charts), links(user, house)) == (["fill"], ["form"])
