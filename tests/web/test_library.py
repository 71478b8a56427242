"""The library: what is sent is held to limits, belongs to its owner alone, and is checked."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.kinds import CHECKERS
from laager.web.library.files import checks, file_templates, offers
from laager.web.library.files import files as library
from laager.web.models import Game, OwnFile, Player

if TYPE_CHECKING:
    from tests.web.conftest import People

SECRET = "kept-for-anna-alone"
TABLES = f"""\
laager: tables/1
source: {SECRET}
tables:
  - id: strength
    title: Strength
    rule: ABtF 9.6181
    roll: DR
    rows:
      - {{to: 8, result: full}}
      - {{from: 9, result: depleted}}
"""


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def send(client: Client, *files: tuple[str, bytes], to: str = "/library/", **more: str) -> str:
    """Send files; return the page that comes, "" if they were kept."""
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    answer = client.post(to, {"files": sent, **more})
    return "" if answer.status_code == 302 else answer.content.decode()


def test_files_are_kept_checked_and_given_back(people: People) -> None:
    client = people.client(people.anna)
    assert send(client, ("my-tables.yaml", TABLES.encode())) == ""
    assert "my-tables.yaml" in client.get("/library/").content.decode()
    assert "This file is valid: Tables." in client.get("/library/file/my-tables.yaml/check").content.decode()
    assert client.get("/library/file/my-tables.yaml/take").content.decode() == TABLES
    with zipfile.ZipFile(io.BytesIO(client.get("/library/all.zip").content)) as archive:
        assert archive.read("my-tables.yaml").decode() == TABLES
    client.post("/library/file/my-tables.yaml/rename", {"to": "t.yaml"})
    assert [one.name for one in OwnFile.objects.all()] == ["t.yaml"]
    client.post("/library/file/t.yaml/remove")
    assert not OwnFile.objects.exists()


def test_a_zip_is_unpacked_and_its_folders_fall_away(people: People) -> None:
    data = zipped({"module/": b"", "module/a.yaml": TABLES.encode(), "b.yml": b"\xef\xbb\xbfx: 1\r\n"})
    assert send(people.client(people.anna), ("mine.zip", data)) == ""
    assert {one.name: one.text for one in OwnFile.objects.all()} == {"a.yaml": TABLES, "b.yml": "x: 1\n"}


def test_nothing_is_written_over_unless_it_is_said(people: People) -> None:
    client = people.client(people.anna)
    send(client, ("a.yaml", b"x: 1\n"))
    page = send(client, ("a.yaml", b"x: 2\n"), ("b.yaml", b"y: 1\n"))
    assert "there is a file a.yaml already" in page
    assert [one.text for one in OwnFile.objects.all()] == ["x: 1\n"]
    assert send(client, ("a.yaml", b"x: 2\n"), over="yes") == ""
    assert OwnFile.objects.get().text == "x: 2\n"


HOSTILE = {
    "bomb": ("bomb.zip", zipped({"a.yaml": b"\0" * 5_000_000}), "unpacks to"),
    "many": ("many.zip", zipped({f"f{i}.yaml": b"x" for i in range(150)}), "150 files in one ZIP"),
    "huge": ("huge.yaml", b"x: 1\n" * 110_000, "is too large"),
    "binary": ("a.yaml", b"a: \x00\x01", "that no text has"),
    "latin": ("a.yaml", "a: Stürme".encode("latin-1"), "not UTF-8"),
    "utf-16": ("a.yaml", "a: 1".encode("utf-16"), "not UTF-8"),
    "up": ("up.zip", zipped({"../../etc/..yaml": b"x: 1"}), "a strange name"),
    "folder": ("up.zip", zipped({"etc/.yaml": b"x: 1"}), "cannot be a file name"),
    "hidden": (".yaml", b"x: 1", "cannot be a file name"),
    "program": ("p.zip", zipped({"a.exe": b"MZ"}), "is not a YAML file"),
    "torn": ("torn.zip", zipped({"a.yaml": b"x: 1" * 50})[:-30], "torn.zip"),
    "twice": ("two.zip", zipped({"a/c.yaml": b"x: 1", "b/c.yaml": b"x: 2"}), "two files c.yaml"),
}


@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_hostile_files_are_refused_in_words_and_nothing_is_kept(case: str, people: People) -> None:
    name, data, told = HOSTILE[case]
    for to in ("/library/", "/new"):
        page = send(people.client(people.anna), (name, data), to=to)
        assert told in page
        assert "/tmp" not in page
        assert "VASL itself" not in page
    assert not OwnFile.objects.exists()


@pytest.mark.parametrize("name", ["../a.yaml", "a/b.yaml", "..yaml", "a.txt", "a..yaml", "", "a\n.yaml", "ä.yaml"])
def test_names_are_plain(name: str, people: People) -> None:
    with pytest.raises(DataError):
        library.save(people.anna, name, "x: 1\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 200_000, "nested too deeply"),
        ("a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"b{i}: &b{i} [{','.join([f'*{n}'] * 10)}]\n"
            for i, n in enumerate(["a", *(f"b{j}" for j in range(8))])
        ), "too large once its aliases"),
        ("a: !!python/name:os.system id", "is not known"),
        ("laager: card/1\ntitle: 0x" + "f" * 4500, "cannot be read"),
        ("x: 1", "say its kind"),
        ("laager: tables/1\n\ttables: 1", "line 2"),
    ],
)  # fmt: skip
def test_hostile_text_is_told_and_still_kept_for_editing(text: str, told: str, people: People) -> None:
    client = people.client(people.anna)
    library.save(people.anna, "a.yaml", text)
    for address in ("/library/file/a.yaml/", "/library/file/a.yaml/check"):
        page = client.get(address)
        assert page.status_code == 200
        assert told in page.content.decode().replace("&#x27;", "'")
    assert client.get("/library/file/a.yaml/form").status_code == 200
    assert client.get("/library/file/a.yaml/map").status_code == 302


def test_the_library_has_an_end(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_FILES", 2)
    library.save_all(people.anna, {"a.yaml": "x: 1", "b.yaml": "x: 1"})
    with pytest.raises(DataError, match="2 files at most"):
        library.save(people.anna, "c.yaml", "x: 1")
    library.save(people.bert, "c.yaml", "x: 1")
    monkeypatch.setattr(library, "MOST_IN_ALL", 20)
    with pytest.raises(DataError, match="full"):
        library.save(people.anna, "a.yaml", "x: " + "1" * 30)
    assert library.find(people.anna, "a.yaml").text == "x: 1"


def test_files_of_others_are_not_there(people: People) -> None:
    library.save(people.anna, "mine.yaml", TABLES)
    library.save(people.anna, "map.yaml", "laager: map/1\n")
    library.save(people.anna, "card.yaml", "laager: pl-card/1\ntitle: " + SECRET)
    Player.objects.filter(pk=people.cleo.pk).update(is_staff=True, is_superuser=True)
    addresses = [
        "/library/", "/new", "/dyo/", "/library/all.zip", "/library/all.zip?file=mine.yaml",
        "/new/own/card.yaml", "/dyo/ob/mine.yaml", "/dyo/terms/mine.yaml",
        *(f"/library/file/mine.yaml/{part}" for part in ("", "form", "check", "take")),
        *(f"/library/file/map.yaml/map{part}" for part in ("", ".svg", "/hex/A1", "/board/0")),
    ]  # fmt: skip
    for user in (people.bert, people.cleo, None):
        client = people.client(user)
        for address in addresses:
            page = client.get(address)
            assert page.status_code in {200, 302, 404}, address
            text = page.content.decode(errors="replace")
            assert SECRET not in text, address
            assert f"{'mine'}.yaml" not in text or "no file" in text, address
        for address in ("", "form", "remove", "rename", "live", "map"):
            data = {"text": "x: 1", "to": "stolen.yaml", "do": "undo"}
            answer = client.post(f"/library/file/mine.yaml/{address}", data)
            assert answer.status_code == (302 if user is None else 404)
    assert library.find(people.anna, "mine.yaml").text == TABLES


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.yaml", "laager: dyo/1\nid: x\ntitle: X\ndate: 1944-09\nown: [{}]\nsides: {{}}\n"),
        ("o.yaml", "laager: dyo-ob/1\nterms: {}\nob: {{side: axis}}\n"),
        ("c.yaml", "laager: hasl-card/1\nruleset: hasl\nmap: {}\ncharts: {}\n"),
        ("p.yaml", "laager: pl-card/1\nmap: x\ncatalogue: [{}]\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", ["/etc/hostname", "../../etc/hostname", "%s"])
def test_no_file_of_the_server_is_read(
    name: str, text: str, way: str, people: People, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text(f"laager: dyo-catalogue/1\n{SECRET}: 1\n", encoding="utf-8")
    way = str(outside) if way == "%s" else way
    report = library.check_text(people.anna, name, text.format(way, way))
    told = " ".join(map(str, report.problems))
    assert "leads out of" in told
    assert SECRET not in told
    assert "/tmp/laager-" not in told


def test_terms_named_by_an_order_of_battle_are_held_to_the_same(people: People) -> None:
    library.save(people.anna, "t.yaml", "laager: dyo/1\nown: [/etc/passwd]\n")
    text = "laager: dyo-ob/1\nterms: t.yaml\nob: {side: axis}\n"
    told = [str(one) for one in library.check_text(people.anna, "o.yaml", text).problems]
    assert len(told) == 1
    assert "leads out of your library" in told[0]


@pytest.mark.once
def test_every_kind_is_checked_without_naming_the_server(people: People) -> None:
    for kind in CHECKERS:
        report = library.check_text(people.anna, "x.yaml", f"laager: {kind}/1\nnonsense: 1\n")
        assert report.kind == kind
        assert report.problems
        for one in report.problems:
            assert not one.file.startswith("/")
            assert "/tmp" not in str(one)


@pytest.mark.once
def test_all_templates_are_good_files(people: People) -> None:
    for template in file_templates.templates():
        made = file_templates.made_from(template.id, "mine")
        library.save_all(people.anna, made, dict.fromkeys(made, ""))
        for name, text in made.items():
            assert library.check_text(people.anna, name, text).problems == (), (template.id, name)
        OwnFile.objects.all().delete()


@pytest.mark.once
def test_a_new_file_from_a_template_and_a_template_there_is_not(people: People) -> None:
    client = people.client(people.anna)
    client.post("/library/new", {"template": "copy-kokusa-ridge", "name": "mine.yaml"})
    assert "mine-marines.yaml" in library.find(people.anna, "mine.yaml").text
    answer = client.post("/library/new", {"template": "copy-kokusa", "name": "b"})
    assert answer.status_code == 404
    assert "copy-kokusa-ridge" in answer.content.decode()
    assert client.post("/library/new", {"template": "blank-map", "name": "../b"}).status_code == 422
    assert not Game.objects.exists()


def test_what_is_changed_can_be_taken_back(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_BEFORE", 30)
    for number in range(40):
        library.save(people.anna, "a.yaml", f"x: {number}\n")
    for number in range(38, 38 - library.MOST_BEFORE, -1):
        assert library.take_back(people.anna, "a.yaml").text == f"x: {number}\n"
    while library.find(people.anna, "a.yaml").before:
        library.take_back(people.anna, "a.yaml")
    with pytest.raises(RefusedError, match="there is nothing to take back"):
        library.take_back(people.anna, "a.yaml")
    oldest = library.find(people.anna, "a.yaml").text
    for _ in range(30):
        library.do_again(people.anna, "a.yaml")
    assert library.find(people.anna, "a.yaml").text == "x: 39\n"
    with pytest.raises(RefusedError, match="there is nothing to do again"):
        library.do_again(people.anna, "a.yaml")
    # What is changed after it was taken back can't be done again.
    assert library.take_back(people.anna, "a.yaml").text != oldest
    library.save(people.anna, "a.yaml", "x: new\n")
    with pytest.raises(RefusedError, match="there is nothing to do again"):
        library.do_again(people.anna, "a.yaml")
    with pytest.raises(RefusedError, match="was changed meanwhile"):
        library.take_back(people.anna, "a.yaml", library.digest("x: 39\n"))


# What a list costs --------------------------------------------------------------------------------


def test_no_card_is_read_whole_for_a_list(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "notes:\n" + "  - {a: 1, b: [1, 2]}\n" * 20_000
    text = f"laager: hasl-card/1\nruleset: er\ntitle: >\n  A long\n  title\n{long}source: mine\n"
    library.save(people.anna, "long.yaml", text)
    read: list[int] = []

    def counted(part: str, name: str) -> Any:
        read.append(len(part))
        return parse_document(part, name)

    monkeypatch.setattr(library, "parse_document", counted)
    (card,) = offers.own_cards(people.anna)
    assert (card.title.strip(), card.rules, card.source) == ("A long title", "er", "mine")
    client = people.client(people.anna)
    for address in ("/new", "/library/", "/api/v1/cards", "/api/v1/files"):
        assert client.get(address).status_code == 200
    assert max(read) < 200


@pytest.mark.parametrize(
    ("top", "found"),
    [
        ('title: "Night: March"', "Night: March"),
        ("title: Night # and day", "Night"),
        ("title: |\n  Night\n  March\n", "Night\nMarch"),
        ("title: [Night]", ""),
        ("title: 7", ""),
        ("title:", ""),
        ("title: 'open", ""),
        ("  title: Inside", ""),
        ("title: One\ntitle: Two", "One"),
    ],
)
def test_the_top_of_a_text_is_read_as_yaml(top: str, found: str) -> None:
    text = f"laager: pl-card/1\n{top}\nsides: {{axis: 1}}\n"
    assert library.read_tops(text, ["title"]).get("title", "") == found


def test_where_nothing_arrived_it_is_said() -> None:
    with pytest.raises(DataError, match="no file arrived"):
        library.unpack_files([])


def test_a_text_that_is_typed_is_no_larger_than_a_file() -> None:
    longest = "x" * checks.MOST_BYTES
    assert checks.normalize_text(longest, "a.yaml") == longest
    with pytest.raises(DataError, match="is too large"):
        checks.normalize_text(longest + "x", "a.yaml")
