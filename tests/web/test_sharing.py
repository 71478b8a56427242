"""Files of a library that others see: who may do what, from each chair, by the pages and by the API."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from laager.base import DataError, RefusedError
from laager.web.campaigns import tables
from laager.web.library.files import file_templates, offers
from laager.web.library.files import files as library
from laager.web.library.files.offers import find_shipped
from laager.web.library.files.versions import unpack_version
from laager.web.library.sharing import shares
from laager.web.library.sharing.shares import Sharing
from laager.web.models import FileGrant, FileVersion, Game, Member, OwnFile, Player, Role
from laager.web.shared import tokens
from laager.web.starting import beginning
from tests.web.conftest import untokened

if TYPE_CHECKING:
    from tests.web.conftest import People

SECRET = "kept-for-anna-alone"
TEXT = "laager: tables/1\nsource: house\ntitle: The club's tables\n"
EVERYBODY = Sharing("everybody")


def shared(people: People, wanted: Sharing, name: str = "club.yaml", text: str = TEXT) -> OwnFile:
    """Return a file of anna's that she shares."""
    return shares.share(people.anna, library.save(people.anna, name, text).pk, wanted)


def call(user: Player, method: str, path: str, **sent: Any) -> Any:
    """Call the API as somebody; return status and answer."""
    headers = {"Authorization": f"Bearer {tokens.make(user, 'tests')}"}
    answer = Client().generic(method, f"/api/v1/shared{path}", json.dumps(sent), "application/json", headers=headers)
    return answer.status_code, answer.json() if answer.content else None


# What each chair may do: the owner anna, bert who is named to change, cleo who is named to see, dora.
CHAIRS = {
    "nobody": (Sharing(), {"anna": "rw", "bert": "", "cleo": "", "dora": ""}),
    "named": (Sharing("named", "named", ["cleo"], ["bert"]), {"anna": "rw", "bert": "rw", "cleo": "r", "dora": ""}),
    "named-alike": (
        Sharing("named", "everybody", ["bert", "cleo"]),
        {"anna": "rw", "bert": "rw", "cleo": "rw", "dora": ""},
    ),
    "everybody": (EVERYBODY, {"anna": "rw", "bert": "r", "cleo": "r", "dora": "r"}),
    "some-change": (
        Sharing("everybody", "named", [], ["bert"]),
        {"anna": "rw", "bert": "rw", "cleo": "r", "dora": "r"},
    ),
    "wiki": (Sharing("everybody", "everybody"), {"anna": "rw", "bert": "rw", "cleo": "rw", "dora": "rw"}),
}


@pytest.mark.parametrize("case", CHAIRS)
def test_each_chair_sees_and_changes_what_it_may(case: str, people: People) -> None:
    wanted, chairs = CHAIRS[case]
    file = shared(people, wanted)
    for name, rights in chairs.items():
        user: Player = getattr(people, name)
        client = people.client(user)
        seen, changed = 200 if "r" in rights else 404, 200 if "w" in rights else 403 if "r" in rights else 404
        page = client.get(f"/library/shared/{file.pk}/")
        assert page.status_code == seen
        assert call(user, "GET", f"/{file.pk}")[0] == seen
        listed = client.get("/library/shared/").content.decode()
        assert (file.name in listed) == (name != "anna" and "r" in rights)
        assert [row["name"] for row in call(user, "GET", "")[1]] == [file.name] * (name != "anna" and "r" in rights)
        for way in ("page", "api"):
            file.refresh_from_db()
            text, was = f"{TEXT}note: {name} by {way}\n", library.digest(file.text)
            if way == "page":
                status = client.post(f"/library/shared/{file.pk}/", {"text": text, "was": was}).status_code
                assert status == (302 if changed == 200 else changed)
            else:
                assert call(user, "PUT", f"/{file.pk}", text=text, was=was)[0] == changed
            file.refresh_from_db()
            assert (file.text == text) == ("w" in rights)
        # Rights are the owner's alone, and nobody else learns them.
        own = 200 if name == "anna" else 403 if "r" in rights else 404
        assert call(user, "GET", f"/{file.pk}/rights")[0] == own
        assert call(user, "PUT", f"/{file.pk}/rights", seen_by="everybody")[0] == own
        assert ('name="seen_by"' in page.content.decode()) == (name == "anna")
        if name == "anna":
            shares.share(people.anna, file.pk, wanted)
    assert Client().get(f"/library/shared/{file.pk}/").status_code == 302


def test_what_is_not_shared_is_not_there_and_looks_as_what_never_was(people: People) -> None:
    file = library.save(people.anna, f"{SECRET}.yaml", TEXT)
    for method, path, sent in (
        ("GET", "", {}), ("GET", "/rights", {}), ("POST", "/copy", {}),
        ("PUT", "", {"text": "x", "was": "x"}), ("PUT", "/rights", {"seen_by": "everybody"}),
    ):  # fmt: skip
        there = call(people.bert, method, f"/{file.pk}{path}", **sent)
        assert there == call(people.bert, method, f"/{file.pk + 1000}{path}", **sent)
        assert there[0] == 404


def test_what_nobody_else_sees_is_not_called_published(people: People) -> None:
    file = shared(people, Sharing())
    address, said = f"/library/shared/{file.pk}/", "Published by anna"
    assert said not in people.client(people.anna).get(address).content.decode()
    shares.share(people.anna, file.pk, EVERYBODY)
    assert said in people.client(people.anna).get(address).content.decode()


def test_a_check_by_somebody_else_reads_only_what_that_person_may_see(people: People) -> None:
    """Two libraries that differ in a file that isn't shared give the same bytes."""
    card = "laager: hasl-card/1\nruleset: abtf\ntitle: x\ncharts: charts.yaml\n"
    file = shared(people, EVERYBODY, "card.yaml", card)
    pages = []
    for text in (None, f"laager: hasl-charts/1\n{SECRET}: 1\n", "[", "laager: map/1\n"):
        if text is not None:
            library.save(people.anna, "charts.yaml", text)
        report = shares.check_shared(shares.find_shared(people.bert, file.pk))
        assert SECRET not in repr(report)
        pages.append(repr(report))
        assert library.list_files(people.bert) == []
    assert len(set(pages)) == 1
    assert [made.name for made in shares.copy_shared(people.bert, file.pk)] == ["card.yaml"]


def test_files_that_it_names_are_shared_with_it_if_the_owner_says_so(people: People) -> None:
    for name in ("charts.yaml", "tables.yaml", "other.yaml"):
        library.save(
            people.anna, name, f"laager: hasl-charts/1\n{'tables: tables.yaml' if name == 'charts.yaml' else ''}\n"
        )
    # A comment names a file, too, and shares nothing.
    file = library.save(people.anna, "card.yaml", "laager: hasl-card/1\ncharts: charts.yaml\n# not other.yaml\n")
    page = people.client(people.anna).get(f"/library/shared/{file.pk}/").content.decode()
    assert 'value="charts.yaml"' in page
    assert 'value="tables.yaml"' in page
    assert 'value="other.yaml"' not in page
    sent = {"seen_by": "everybody", "changed_by": "nobody", "along": ["charts.yaml", "tables.yaml"]}
    assert people.client(people.anna).post(f"/library/shared/{file.pk}/rights", sent).status_code == 302
    assert [one.file.name for one in shares.list_shared(people.bert)] == ["card.yaml", "charts.yaml", "tables.yaml"]


def test_a_copy_is_ones_own_and_says_where_it_is_from(people: People) -> None:
    library.save(people.anna, "tables.yaml", TEXT)
    file = library.save(people.anna, "charts.yaml", "laager: hasl-charts/1\ntables: tables.yaml\n")
    shares.share(people.anna, file.pk, EVERYBODY, ["tables.yaml"])
    client = people.client(people.bert)
    assert client.post(f"/library/shared/{file.pk}/copy", {"name": "mine.yaml"}).status_code == 302
    assert {one.name: one.text for one in OwnFile.objects.filter(owner=people.bert)} == {
        "mine.yaml": file.text, "tables.yaml": TEXT,
    }  # fmt: skip
    assert "Copied from anna's charts.yaml" in client.get("/library/").content.decode()
    copy = OwnFile.objects.get(name="mine.yaml")
    assert copy.seen_by == "nobody"
    # What the owner does afterwards changes no copy.
    library.save(people.anna, "charts.yaml", "laager: hasl-charts/1\n")
    shares.share(people.anna, file.pk, Sharing())
    copy.refresh_from_db()
    assert copy.text == file.text
    shares.share(people.bert, copy.pk, EVERYBODY)
    assert call(people.cleo, "GET", f"/{copy.pk}")[1]["copied_from"] == ["anna", "charts.yaml"]
    people.anna.delete()
    assert call(people.cleo, "GET", f"/{copy.pk}")[1]["copied_from"] == ["", "charts.yaml"]
    assert "of an account that is deleted" in client.get("/library/").content.decode()


def test_a_copy_writes_over_nothing(people: People) -> None:
    library.save(people.anna, "tables.yaml", TEXT)
    file = library.save(people.anna, "charts.yaml", "laager: hasl-charts/1\ntables: tables.yaml\n")
    shares.share(people.anna, file.pk, EVERYBODY, ["tables.yaml"])
    library.save(people.bert, "tables.yaml", "x: 1\n")
    status, answer = call(people.bert, "POST", f"/{file.pk}/copy")
    assert status == 422
    assert "another file of this name: tables.yaml" in answer["text"]
    assert [one.file.name for one in library.list_files(people.bert)] == ["tables.yaml"]
    library.remove(people.bert, "tables.yaml")
    assert call(people.bert, "POST", f"/{file.pk}/copy") == (201, ["charts.yaml", "tables.yaml"])
    assert "you have this file already" in call(people.bert, "POST", f"/{file.pk}/copy")[1]["text"]


WRONG = {
    "unknown": (Sharing("named", "nobody", ["bert", "zoe"]), "nobody on this server is called 'zoe'"),
    "nobody-named": (Sharing("named"), "nobody is named who may see it"),
    "no-writer": (Sharing("everybody", "named", ["bert"]), "nobody is named who may change it"),
    "unseen": (Sharing("nobody", "everybody"), "others can't change what they can't see"),
    "strange": (Sharing("friends"), "'friends' is nobody"),
    "many": (Sharing("named", "nobody", [f"p{i}" for i in range(99)]), "99 players are named"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_rights_are_refused_and_change_nothing(case: str, people: People) -> None:
    file = shared(people, Sharing("named", "nobody", ["cleo"]))
    wanted, sentence = WRONG[case]
    with pytest.raises(DataError, match=sentence):
        shares.share(people.anna, file.pk, wanted)
    sent = {"seen_by": wanted.seen_by, "changed_by": wanted.changed_by, "readers": ", ".join(wanted.readers)}
    page = people.client(people.anna).post(f"/library/shared/{file.pk}/rights", sent)
    assert page.status_code == 422
    assert [grant.user for grant in FileGrant.objects.all()] == [people.cleo]


def test_a_change_of_another_text_than_was_seen_is_refused(people: People) -> None:
    file = shared(people, Sharing("everybody", "everybody"))
    was = library.digest(file.text)
    assert call(people.bert, "PUT", f"/{file.pk}", text="x: 1\n", was=was)[0] == 200
    assert call(people.cleo, "PUT", f"/{file.pk}", text="x: 2\n", was=was)[0] == 409
    page = people.client(people.cleo).post(f"/library/shared/{file.pk}/", {"text": "x: 3\n", "was": was})
    assert page.status_code == 409
    assert "x: 3" in page.content.decode()
    for nothing in ("", None):
        sent = {"text": "x: 4\n"} | ({} if nothing is None else {"was": nothing})
        assert people.client(people.cleo).post(f"/library/shared/{file.pk}/", sent).status_code in {409, 422}
    assert OwnFile.objects.get().text == "x: 1\n"


def test_nobody_but_the_owner_takes_back_to_a_draft(people: People) -> None:
    """What the owner wrote before sharing can't be had by those who may change the file."""
    library.save(people.anna, "club.yaml", f"x: {SECRET}\n")
    file = shared(people, Sharing("everybody", "everybody"))
    answer = people.client(people.bert).post("/library/file/club.yaml/map", {"do": "undo", "was": library.digest(TEXT)})
    assert answer.status_code == 404
    page = people.client(people.bert).get(f"/library/shared/{file.pk}/").content.decode()
    assert SECRET not in page
    with pytest.raises(RefusedError):
        library.take_back(people.bert, "club.yaml")


# Earlier versions ---------------------------------------------------------------------------------


def versions(user: Player, file: OwnFile) -> list[tuple[int, str]]:
    """Return number and writer of the versions that somebody sees, by the API, held against the page."""
    status, listed = call(user, "GET", f"/{file.pk}/versions")
    assert status == 200
    client = Client()
    client.force_login(user)
    page = client.get(f"/library/shared/{file.pk}/").content.decode()
    assert page.count(f"/library/shared/{file.pk}/version/") == len(listed)
    return [(row["version"], row["written_by"]) for row in listed]


def test_every_save_of_a_shared_file_keeps_what_it_was_with_who_and_when(people: People) -> None:
    file = shared(people, Sharing("everybody", "named", [], ["bert"]))
    for user, text in (
        (people.anna, "x: 1\n"),
        (people.bert, "x: 2\n"),
        (people.anna, "x: 3\n"),
        (people.anna, "x: 3\n"),
    ):
        shares.save_shared(user, file.pk, text, library.digest(OwnFile.objects.get(pk=file.pk).text))
    assert versions(people.cleo, file) == [(3, "bert"), (2, "anna"), (1, "anna")]
    texts = [call(people.cleo, "GET", f"/{file.pk}/versions/{number}")[1]["text"] for number in (1, 2, 3)]
    assert texts == [TEXT, "x: 1\n", "x: 2\n"]
    assert "x: 2\n" in people.client(people.cleo).get(f"/library/shared/{file.pk}/version/3/").content.decode()
    people.bert.delete()
    assert versions(people.cleo, file)[0] == (3, "")
    assert (
        "an account that is deleted" in people.client(people.cleo).get(f"/library/shared/{file.pk}/").content.decode()
    )


def test_who_may_change_restores_a_version_and_nobody_else(people: People) -> None:
    file = shared(people, Sharing("everybody", "named", [], ["bert"]))
    library.save(people.anna, file.name, "x: 1\n")
    was = library.digest("x: 1\n")
    address = f"/library/shared/{file.pk}/version/1/"
    assert people.client(people.cleo).post(address, {"was": was}).status_code == 403
    assert call(people.cleo, "POST", f"/{file.pk}/versions/1/restore", was=was)[0] == 403
    assert people.client(people.bert).post(address, {"was": library.digest("x: 0\n")}).status_code == 409
    assert OwnFile.objects.get().text == "x: 1\n"
    assert people.client(people.bert).post(address, {"was": was}).status_code == 302
    assert OwnFile.objects.get().text == TEXT
    assert call(people.bert, "POST", f"/{file.pk}/versions/2/restore", was=library.digest(TEXT))[1]["text"] == "x: 1\n"
    assert versions(people.cleo, file) == [(3, "bert"), (2, "anna"), (1, "anna")]


def test_what_was_written_before_a_file_was_shared_stays_the_owners(people: People) -> None:
    """Nobody gets a draft, nor what was written while the file was shared the time before."""
    library.save(people.anna, "club.yaml", f"x: {SECRET}\n")
    file = shared(people, EVERYBODY)
    library.save(people.anna, "club.yaml", "x: 1\n")
    assert versions(people.bert, file) == [(1, "anna")]
    shares.share(people.anna, file.pk, Sharing())
    library.save(people.anna, "club.yaml", f"x: {SECRET}\n")
    library.save(people.anna, "club.yaml", "x: 2\n")
    assert versions(people.anna, file) == [(1, "anna")]
    shares.share(people.anna, file.pk, Sharing("named", "nobody", ["bert"]))
    assert versions(people.bert, file) == []
    assert call(people.bert, "GET", f"/{file.pk}/versions/1")[0] == 404
    assert people.client(people.bert).get(f"/library/shared/{file.pk}/version/1/").status_code == 404
    library.save(people.anna, "club.yaml", "x: 3\n")
    assert versions(people.bert, file) == [(2, "anna")]
    # Sharing with more people starts nothing anew.
    shares.share(people.anna, file.pk, EVERYBODY)
    assert versions(people.cleo, file) == [(2, "anna")]
    assert call(people.anna, "GET", f"/{file.pk}/versions/1")[0] == 200


def test_old_versions_fall_away(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.web.library.files.versions.MOST_VERSIONS", 3)
    file = shared(people, EVERYBODY)
    for number in range(6):
        library.save(people.anna, file.name, f"x: {number}\n")
    assert [number for number, _ in versions(people.bert, file)] == [6, 5, 4]
    monkeypatch.setattr("laager.web.library.files.versions.MOST_BYTES", 30)
    library.save(people.anna, file.name, "x: 7\n")
    sizes = [version.size for version in file.versions.all()]
    assert 1 < len(sizes) < 3
    assert sum(sizes) <= 30


def test_strokes_that_follow_one_another_are_one_version(people: People) -> None:
    file = shared(people, EVERYBODY, text="x: 0\n")
    for number in range(5):
        library.save_steps(
            people.anna, file.name, [f"x: {number}.5\n", f"x: {number + 1}\n"], library.digest(f"x: {number}\n")
        )
    library.take_back(people.anna, file.name)
    assert [unpack_version(version) for version in file.versions.all()] == ["x: 0\n"]
    FileVersion.objects.update(replaced=timezone.now() - timedelta(minutes=11))
    library.do_again(people.anna, file.name)
    assert [unpack_version(version) for version in file.versions.all()] == ["x: 4.5\n", "x: 0\n"]


# Campaigns that began from it ---------------------------------------------------------------------


def club_card(people: People) -> OwnFile:
    """Return a card of anna's with a map of its own, that everybody sees."""
    path = find_shipped("rzhavets").path
    text = path.read_text(encoding="utf-8").replace("map: rzhavets-map", "map: club-map.yaml")
    assert "club-map.yaml" in text
    library.save(people.anna, "club-map.yaml", path.with_name("rzhavets-map.yaml").read_text(encoding="utf-8"))
    file = library.save(people.anna, "club.yaml", text)
    shares.share(people.anna, file.pk, EVERYBODY, ["club-map.yaml"])
    return file


def begin_from(user: Player, name: str = "club.yaml", **more: Any) -> Game:
    """Begin a campaign from a card of somebody's library."""
    return beginning.begin(user, offers.find_own(user, name), beginning.Beginning(seat="both", **more))[0]


def seen_uses(user: Player, file: OwnFile) -> list[str]:
    """Return the campaigns that somebody sees on a file's page and gets by the API."""
    client = Client()
    client.force_login(user)
    page = client.get(f"/library/shared/{file.pk}/").content.decode()
    rows = call(user, "GET", f"/{file.pk}/campaigns")[1]
    assert all(f"/campaign/{row['campaign']}/{row['seat']}/" in page for row in rows)
    assert page.count('href="/campaign/') == len(rows)
    return [row["title"] for row in rows]


def test_one_sees_only_the_own_campaigns_that_began_from_a_file(people: People) -> None:
    file = club_card(people)
    map_ = OwnFile.objects.get(name="club-map.yaml")
    shares.copy_shared(people.bert, file.pk)
    first, second = begin_from(people.anna, title="First"), begin_from(people.bert, title="Second")
    begin_from(people.bert, title="Third")
    Member.objects.create(game=second, user=people.cleo, role=Role.SPECTATOR)
    for each in (file, map_):
        assert seen_uses(people.anna, each) == ["First"]
        assert seen_uses(people.bert, each) == ["Second", "Third"]
        assert seen_uses(people.cleo, each) == ["Second"]
        assert seen_uses(people.dora, each) == []
    Member.objects.filter(user=people.cleo).delete()
    assert seen_uses(people.cleo, file) == []
    first.delete()
    assert seen_uses(people.anna, file) == []


def test_house_rules_say_which_campaigns_use_them(people: People) -> None:
    file = club_card(people)
    house = library.save_all(people.anna, file_templates.made_from("house-pl", "house.yaml"))[0]
    begin_from(people.anna, title="With house rules", house="house.yaml")
    begin_from(people.anna, title="Without")
    assert seen_uses(people.anna, house) == ["With house rules"]
    assert seen_uses(people.anna, file) == ["With house rules", "Without"]


def test_a_page_says_nothing_of_campaigns_of_others(people: People) -> None:
    """Two servers that differ only in campaigns of others show the same bytes, the owner of the file included."""
    file = club_card(people)
    shares.copy_shared(people.bert, file.pk)

    def look() -> list[bytes | str]:
        shown: list[bytes | str] = []
        for user in (people.anna, people.cleo):
            shown.append(untokened(people.client(user).get(f"/library/shared/{file.pk}/").content))
            shown += [repr(call(user, "GET", f"/{file.pk}{part}")) for part in ("", "/campaigns", "/versions")]
        return shown

    before = look()
    begin_from(people.bert, title=SECRET)
    assert look() == before


def test_a_campaign_under_way_keeps_the_card_it_began_with(people: People) -> None:
    file = club_card(people)
    shares.share(people.anna, file.pk, Sharing("everybody", "named", [], ["bert"]))
    game = begin_from(people.anna)
    client = people.client(people.anna)

    def look() -> list[str]:
        tables.SHELF.clear()
        places = ("", "map.svg", "rules", "sheets/roster")
        pages = [untokened(client.get(f"/campaign/{game.pk}/axis/{place}").content) for place in places]
        # The players' clocks go on.
        return [re.sub(r"<time data-clock.*?</time>", "", page) for page in pages]

    before = look()
    changed = file.text.replace("Rzhavets", "Nowhere")
    assert changed != file.text
    shares.save_shared(people.bert, file.pk, changed, library.digest(file.text))
    library.save(people.anna, "club-map.yaml", "laager: map/1\n")
    assert look() == before
    library.remove(people.anna, "club.yaml")
    library.remove(people.anna, "club-map.yaml")
    assert look() == before
    assert before[1].startswith("<svg")
