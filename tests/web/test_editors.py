"""Editors of files: text with live problems, forms from the schemas, comments that stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from laager.base.files import parse_document
from laager.kinds import CHECKERS
from laager.web.library.editor import form_entry, schema_form
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.shared.forms.data import data_of
from tests.web.typing_in import forms_of

if TYPE_CHECKING:
    from tests.web.conftest import Desk, People

TABLES = """\
# Kept from the printed chart.
laager: tables/1
source: own   # mine
tables:
  - id: strength
    title: Strength
    rule: ABtF 9.6181
    roll: DR
    rows:
      - {to: 8, result: full}   # most of them
      - {from: 9, result: depleted}
    modifiers:
      - {id: exhaustion, value: given, when: Exhaustion, rule: ABtF 9.6162}
"""


def typed(page: str) -> dict[str, list[str]]:
    """Return what a browser would send of a part's form as it is shown."""
    return next(form.data for form in forms_of(page) if "was" in form.data)


@pytest.fixture
def client(people: People) -> Client:
    library.save(people.anna, "t.yaml", TABLES)
    return people.client(people.anna)


# The text -----------------------------------------------------------------------------------------


def test_a_part_that_is_a_blank_as_yet_is_filled_in_as_a_form(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-abtf", "a"), None)
    address = "/library/file/a-charts.yaml/form?part=sides/axis/cpp"
    before = library.find(people.anna, "a-charts.yaml").text
    fields = typed(own.get(address).content.decode())
    assert own.post(address, {**fields, "do": "save", "anyway": "yes"}).status_code == 302
    assert library.find(people.anna, "a-charts.yaml").text == before
    assert own.post(address, {**fields, "a.fixed": "5", "do": "save", "anyway": "yes"}).status_code == 302
    data = parse_document(library.find(people.anna, "a-charts.yaml").text, "a-charts.yaml").data
    assert data["sides"]["axis"]["cpp"] == {"fixed": 5}


def test_text_is_kept_with_its_errors_at_their_lines(client: Client, people: People) -> None:
    wrong = TABLES.replace("roll: DR", "role: DR")
    page = client.get("/library/file/t.yaml/").content.decode()
    was = re.search(r'name="was" value="([0-9a-f]+)"', page)
    assert was
    answer = client.post("/library/file/t.yaml/", {"text": wrong, "was": was[1]})
    assert answer.status_code == 302
    assert library.find(people.anna, "t.yaml").text == wrong
    page = client.get("/library/file/t.yaml/?line=8").content.decode()
    assert 'data-line="8"' in page
    # It stands in a line of a chart, and its name in no column.
    assert re.search(
        r'href="/library/file/t.yaml/fill\?chart=tables#r0.0">[^<]*</a> \(1\):\s+role:\s+is not known here', page
    )
    assert unescape(page[page.index("<textarea") :].split(">", 1)[1].split("</textarea>")[0]) == (f"\n{wrong}")


def test_a_stale_text_is_refused_and_not_lost(client: Client, people: People) -> None:
    answer = client.post("/library/file/t.yaml/", {"text": "mine: 1\n", "was": "0" * 16})
    assert answer.status_code == 409
    assert "mine: 1" in answer.content.decode()
    assert library.find(people.anna, "t.yaml").text == TABLES
    answer = client.post("/library/file/t.yaml/", {"text": "a\x00b"})
    assert answer.status_code == 422
    assert library.find(people.anna, "t.yaml").text == TABLES


def test_the_live_check_keeps_nothing(client: Client, people: People) -> None:
    answer = client.post("/library/file/t.yaml/live", {"text": "laager: tables/1\nfoo: 1\n"})
    assert "foo" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert library.find(people.anna, "t.yaml").text == TABLES


def test_every_kind_has_words_beside_it() -> None:
    for kind in CHECKERS:
        found = schema_form.sections(kind)
        assert found[0].words[0].expects
        assert any(word.required for section in found for word in section.words)


# Forms --------------------------------------------------------------------------------------------

MAP = """\
# Drawn on an evening.
laager: map/1
id: lane
title: A lane
source: house
source_note: Ours.
boards: [{columns: 6, rows: 5}]
roads:
  - {kind: paved, along: [A1-A4]}   # most of it
  - {kind: unpaved, along: [C1-C3]}
buildings:
  - {hexes: [D2], material: stone}
"""


def form_of(part: str, name: str = "m.yaml") -> str:
    return f"/library/file/{name}/form?part={part}"


def post(client: Client, part: str, **more: str) -> Any:
    page = client.get(form_of(part)).content.decode()
    return client.post(form_of(part), typed(page) | {"do": "save"} | more)


@pytest.fixture
def kept(client: Client, people: People) -> Callable[[], str]:
    """Return the text of a map of one's own as it stands."""
    library.save(people.anna, "m.yaml", MAP)
    return lambda: library.find(people.anna, "m.yaml").text


def test_a_form_left_as_it_is_changes_nothing(client: Client, kept: Callable[[], str]) -> None:
    assert post(client, "").status_code == 302
    assert post(client, "buildings/1").status_code == 302
    assert kept() == MAP


def test_what_is_entered_stands_in_the_text_and_comments_stay(client: Client, kept: Callable[[], str]) -> None:
    more = {"a.title": "The lane", "a.roads.0.along": "A1-A3", "a.roads.1.kind": "path", "a.roads.2.along": ""}
    assert post(client, "", **more).status_code == 302
    expected = MAP.replace("A lane", "The lane").replace("A1-A4", "A1-A3").replace("unpaved", "path")
    assert kept() == expected


def test_a_text_in_several_languages_is_entered_in_the_readers(client: Client, people: People) -> None:
    text = file_templates.made_from("copy-rzhavets", "mine")["mine.yaml"]
    library.save(people.anna, "mine.yaml", text)
    page = client.get(form_of("", "mine.yaml"), headers={"accept-language": "de"}).content.decode()
    entered = typed(page)
    assert not [value for values in entered.values() for value in values if "{" in value]
    assert entered["a.source_note"][0].startswith("Vom Laager-Projekt")
    # A list has quotes around what holds commas.
    assert entered["a.needs"][0].startswith('"Die ASL-Regeln, ')
    needs = entered["a.needs"][0].replace("Regeln von Platoon Leader 2.5", "eine Idee")
    more = {"a.source_note": "Von uns.", "a.balance.0.text": "Mehr.", "a.needs": needs, "do": "save"}
    # Read in English by now, what was shown in German is taken in German.
    assert client.post(form_of("", "mine.yaml"), entered | more).status_code == 302
    was, now = (parse_document(one, "").data for one in (text, library.find(people.anna, "mine.yaml").text))
    assert now["source_note"] == was["source_note"] | {"de": "Von uns."}
    assert now["balance"][0]["text"] == was["balance"][0]["text"] | {"de": "Mehr."}
    assert [one for one in was["needs"] if one not in now["needs"]] == was["needs"][1:2]


def test_rows_are_added_and_taken_out(client: Client, kept: Callable[[], str]) -> None:
    def roads() -> list[Any]:
        return list(parse_document(kept(), "").data["roads"])

    more = {"a.roads.1.along": "C1-C4", "a.roads.2.kind": "path", "a.roads.2.along": "E1-E3"}
    assert post(client, "", **more).status_code == 302
    assert roads()[1:] == [{"kind": "unpaved", "along": ["C1-C4"]}, {"kind": "path", "along": ["E1-E3"]}]
    assert post(client, "", **{"a.roads.2.kind": "", "a.roads.2.along": ""}).status_code == 302
    assert roads() == [{"kind": "paved", "along": ["A1-A4"]}, {"kind": "unpaved", "along": ["C1-C4"]}]


def test_columns_of_a_table_are_entered_beside_its_rows() -> None:
    text = TABLES.replace("result: ", "us: ").replace("roll: DR", "roll: DR\n    columns: [us, uk]")
    sheet = schema_form.sheet_of(text, "t.yaml", "tables/1")
    data = data_of(sheet.form, sheet.value) | {"a.rows.0.uk": ["8-1"], "a.rows.1.uk": ["null"]}
    made, _ = form_entry.apply_form(text, "t.yaml", sheet, data, "save")
    rows = parse_document(made, "").data["tables"][0]["rows"]
    assert rows == [{"to": 8, "us": "full", "uk": "8-1"}, {"from": 9, "us": "depleted", "uk": None}]


def test_what_would_be_wrong_is_told_and_nothing_typed_is_lost(client: Client, kept: Callable[[], str]) -> None:
    more = {"a.title": "Typed", "a.roads.1.along": "Z1-Z3"}
    answer = post(client, "", **more)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Typed"' in page
    assert typed(page)["a.roads.1.along"] == ["Z1-Z3"]
    assert kept() == MAP
    assert post(client, "", **more, anyway="yes").status_code == 302
    assert "title: Typed" in kept()


def test_parts_are_added_copied_and_removed(client: Client, kept: Callable[[], str]) -> None:
    answer = post(client, "", do="new:buildings")
    assert answer["Location"].endswith("?part=buildings/2")
    assert client.get(answer["Location"]).status_code == 200
    answer = post(client, "buildings/1", do="copy")
    assert answer["Location"].endswith("?part=buildings/2")
    data = parse_document(kept(), "").data
    assert [one.get("material") for one in data["buildings"]] == ["stone", "stone", None]
    assert post(client, "buildings/3", do="remove").status_code == 302
    assert post(client, "buildings/2", do="remove").status_code == 302
    assert parse_document(kept(), "").data == parse_document(MAP, "").data
    assert "# Drawn on an evening." in kept()


@pytest.mark.parametrize(
    "part", ["buildings/9", "buildings/0", "buildings/x", "nothing", "buildings/1/hexes/1", "../a", "roads"]
)
def test_parts_that_there_are_not(part: str, client: Client, kept: Callable[[], str]) -> None:
    assert kept() == MAP
    assert client.get(form_of(part)).status_code == 404


# What stands in charts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "chart"), [("tables/1", "tables"), ("tables/1/rows/1", "tables"), ("tables/1/modifiers/1", "tables")]
)
def test_the_address_of_a_part_that_stands_in_a_chart_leads_there(part: str, chart: str, client: Client) -> None:
    answer = client.get(form_of(part, "t.yaml"))
    assert answer.status_code == 302
    assert answer["Location"] == f"/library/file/t.yaml/fill?chart={chart}"
    assert client.get(answer["Location"]).status_code == 200


def test_a_form_shows_what_stands_in_no_chart(client: Client, people: People) -> None:
    for name, text in file_templates.made_from("copy-kokusa-ridge", "c.yaml").items():
        library.save(people.anna, name, text)
    before = library.find(people.anna, "c.yaml").text
    page = client.get(form_of("", "c.yaml")).content.decode()
    sent = typed(page)
    assert {"a.id", "a.charts", "a.tables", "a.ruleset"} <= set(sent)
    assert not {"a.title", "a.map"} & set(sent)
    assert "part=dates" not in page
    assert 'href="/library/file/c.yaml/fill"' in page
    side = client.get(form_of("sides/axis", "c.yaml")).content.decode()
    assert not {"a.elr", "a.san"} & set(typed(side))
    assert 'fill?chart=axis-groups"' in side
    assert 'fill?chart=allied-groups"' not in side
    assert client.post(form_of("", "c.yaml"), sent | {"do": "save"}).status_code == 302
    assert library.find(people.anna, "c.yaml").text == before
    changed = sent | {"do": "save", "a.source_note": "Ours"}
    changed["was"] = typed(client.get(form_of("", "c.yaml")).content.decode())["was"]
    assert client.post(form_of("", "c.yaml"), changed).status_code == 302
    data, was = (parse_document(one, "").data for one in (library.find(people.anna, "c.yaml").text, before))
    assert data == was | {"source_note": was["source_note"] | {"en": "Ours"}}


def test_one_way_leads_to_the_charts(client: Client) -> None:
    for address in ("/library/", "/library/file/t.yaml/"):
        page = client.get(address).content.decode()
        assert "/library/file/t.yaml/fill" in page
        assert "/library/file/t.yaml/form" not in page


def test_every_part_of_shipped_files_has_a_form_that_changes_nothing() -> None:
    seen = 0
    for template in ("copy-kokusa-ridge", "charts-hasl", "copy-vistula"):
        for name, text in file_templates.made_from(template, "mine").items():
            for sheet in _sheets(text, name, ""):
                posted = data_of(sheet.form, sheet.value)
                assert form_entry.apply_form(text, name, sheet, posted, "save")[0] == text, sheet.way
                seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("items", "plain"),
    [
        ({"type": "string"}, True),
        ({"type": "array", "items": {"type": "string"}}, False),
        ({"type": "object", "properties": {"at": {"type": "string"}}}, False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, False),
    ],
)
def test_a_list_is_plain_if_single_values_stand_in_it(items: dict[str, Any], plain: bool) -> None:
    assert schema_form.Shape({}, {"type": "array", "items": items}).plain is plain


def _sheets(text: str, name: str, way: str) -> Iterator[schema_form.FormSheet]:
    """Yield the forms of a file: of several parts of one kind the first."""
    sheet = schema_form.sheet_of(text, name, way)
    yield sheet
    ways = [one.way for one in sheet.parts if one.there]
    ways += [branch.parts[0].way for branch in sheet.branches if branch.parts]
    for below in ways:
        yield from _sheets(text, name, below)


@pytest.mark.parametrize(
    ("typed_", "kind", "meant"),
    [
        ("007", {"type": "string"}, "007"),
        ("7", {"type": "integer"}, 7),
        ("true", {"type": "boolean"}, True),
        ("given", {"anyOf": [{"type": "integer"}, {"const": "given"}]}, "given"),
        ("3", {"anyOf": [{"type": "integer"}, {"const": "given"}]}, 3),
        ("a, b", {"type": "array", "items": {"type": "string"}}, ["a", "b"]),
        ('"a, b", c', {"type": "array", "items": {"type": "string"}}, ["a, b", "c"]),
        ("1, 2", {"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ("*x", {"type": "integer"}, "*x"),
        ("{a: 1}", {"type": "integer"}, "{a: 1}"),
    ],
)
def test_typed_values_mean_what_the_schema_expects(typed_: str, kind: dict[str, Any], meant: Any) -> None:
    found = form_entry.read_typed(typed_, schema_form.Shape({}, kind))
    assert found == meant
    assert type(found) is type(meant) or isinstance(meant, list)


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_editor_in_a_browser(client: Client, people: People, desk: Callable[..., Desk]) -> None:
    own = desk(people.anna)
    page = own.page
    own.go("/library/file/t.yaml/")
    text = page.locator("#text")
    assert page.locator("[data-gutter] span").count() == TABLES.count("\n") + 1
    text.fill(TABLES.replace("roll: DR", "role: DR"))
    link = page.locator("#problems a[data-line='8']").first
    link.wait_for()
    assert page.locator("[data-gutter] .wrong").first.inner_text().strip() in {"5", "8"}
    link.click()
    chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert text.evaluate(chosen) == "    role: DR"
    page.keyboard.type("    roll: DR")
    page.locator("#problems .good").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.type("note: x")
    assert "    roll: DR\n    note: x\n" in text.input_value()
    page.locator("[data-find]").fill("colum")
    assert page.locator("[data-word='roll']").is_hidden()
    page.locator("[data-insert='columns']").first.click()
    assert "note: xcolumns: \n" in text.input_value()
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert "note: xcolumns" in library.find(people.anna, "t.yaml").text
