"""No page of the library speaks in paths of YAML or in commands: it says chart, line and column, and has links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client

from laager.base import Problem
from laager.base.files import Document, parse_document
from laager.kinds import CHECKERS, KIND_NAMES
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.shared.forms.kind_names import kind_in_words
from laager.web.shared.forms.sayings import field_in_words, without_commands
from laager.web.shared.tags import problem_in_words

from .conftest import People
from .test_editors import typed

PATH = re.compile(
    r"\b[a-z_]{2,}(?:\[[0-9]+\]|\.(?!ya?ml\b|csv\b)[a-z_]{2,}\b)"
    r"|\blaager (?:vasl|check|chart|new)\b"
    r"|\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:[A-Z][a-z]+){2,}\b|\btrue \| false\b"
)
"""Paths of a file, commands, names of fields and of models."""
PART = re.compile(r'href="(/library/file/[^"]*/form\?part=[^"]*)"')
TYPED = re.compile(
    r'<textarea.*?</textarea>|<section class="card" aria-labelledby="words-head">.*?</section>', re.DOTALL
)
"""What is the text of a file itself, and the words that one can write into it."""


def read_main(html: str) -> str:
    """Return what people read on a page, but for the text of a file."""
    main = TYPED.sub("", html[html.find("<main") :])
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)))


def addresses(name: str, text: str) -> Iterator[str]:
    """Yield the pages of a file."""
    at = f"/library/file/{name}"
    yield from (f"{at}/", f"{at}/check", f"{at}/form")
    data = parse_document(text, name).data
    grids = grids_of(str(data["laager"]).partition("/")[0], data)
    yield from (f"{at}/fill{query}" for query in ("", *(f"?chart={grid.id}" for grid in grids)) if grids)


def form_pages(own: Client, name: str) -> dict[str, str]:
    """Return the forms of a file and of all its parts, the first of each list."""
    pages: dict[str, str] = {}
    waiting = [f"/library/file/{name}/form"]
    while waiting:
        address = waiting.pop()
        kind = re.sub(r"[0-9]+", "1", address)
        if kind not in pages and len(pages) < 40:
            pages[kind] = own.get(address).content.decode()
            waiting += [unescape(part) for part in PART.findall(pages[kind])]
    return pages


def spoil(text: str) -> str:
    """Return a file of a skeleton with slips at a value, in a row, and outside of all charts."""
    text = re.sub(r"elr: \S+", "elr: many", text)
    return re.sub(r"^source: .*", "source: elsewhere", text, flags=re.MULTILINE)


@pytest.mark.parametrize("kind", ["abtf", "er", "pl"])
def test_no_page_of_the_library_shows_a_path_or_a_command(kind: str, people: People) -> None:
    own = people.client(people.anna)
    texts = file_templates.made_from(f"skeleton-{kind}", "mine")
    for files in (texts, {name: spoil(text) for name, text in texts.items()}):
        library.save_all(people.anna, files, None)
        for address in ("/library/", *(page for name in files for page in addresses(name, texts[name]))):
            page = own.get(address)
            assert page.status_code == 200, address
            assert not PATH.findall(read_main(page.content.decode())), address


@pytest.mark.parametrize("kind", ["abtf", "er", "pl"])
def test_no_form_shows_the_name_of_a_field(kind: str, people: People) -> None:
    own = people.client(people.anna)
    texts = file_templates.made_from(f"skeleton-{kind}", "mine")
    library.save_all(people.anna, {name: spoil(text) for name, text in texts.items()}, None)
    pages = {address: page for name in texts for address, page in form_pages(own, name).items()}
    assert len(pages) > 2 * len(texts)
    shown = {address: PATH.findall(read_main(page)) for address, page in pages.items()}
    assert not {address: names for address, names in shown.items() if names}


def test_what_no_column_shows_is_named_beside_its_row(people: People) -> None:
    own = people.client(people.anna)
    text = file_templates.made_from("skeleton-abtf", "mine")["mine.yaml"]
    library.save(people.anna, "mine.yaml", re.sub("exits: .*", "exits: [up]", text, count=1))
    told = read_main(own.get("/library/file/mine.yaml/check").content.decode())
    assert 'Sides (Axis): exits 1: "up" is not known here; one of north, south, east, west' in told


def test_a_form_leaves_the_kind_of_a_file_alone(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "mine"), None)
    fields = typed(own.get("/library/file/mine.yaml/form").content.decode())
    assert "a.id" in fields
    assert "a.laager" not in fields


def test_what_a_form_refuses_is_told_in_words(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "mine"), None)
    refused = own.post(
        "/library/file/mine.yaml/form", {"do": "save", "a.source_note": "Mine.", "a.source": "elsewhere"}
    )
    assert refused.status_code == 422
    told = read_main(refused.content.decode())
    assert "elsewhere" in told
    assert not PATH.findall(told)
    twice = own.post("/library/file/mine.yaml/form", {"do": "new:house", "key:house": ""})
    assert not PATH.findall(read_main(twice.content.decode()))


def test_a_refusal_names_its_place_in_words() -> None:
    problem = Problem("is too high", "5 at most; laager check lists all", "sides.axis.max_cp", 7, "mine.yaml")
    assert problem_in_words(problem) == "mine.yaml, line 7: sides › axis › max CP: is too high; 5 at most"
    assert problem_in_words(Problem("a.b is odd", place="Row 3")) == "Row 3: a.b is odd"
    assert problem_in_words("Nothing was sent.") == "Nothing was sent."
    document = Document({"bridges": {"Pt. du Nord": {"cost": "x"}}}, "mine.yaml")
    said = problem_in_words(document.problem(("bridges", "Pt. du Nord", "max_cp"), "is odd"))
    assert said == "mine.yaml: bridges › Pt. du Nord › max CP: is odd"


def test_each_kind_of_file_has_a_name_for_players() -> None:
    assert not {*CHECKERS} - {*KIND_NAMES}
    assert kind_in_words("pl-card") == "Platoon Leader card"


def test_a_form_keeps_a_list_of_texts_in_several_languages(people: People) -> None:
    own = people.client(people.anna)
    text = file_templates.made_from("skeleton-pl", "mine")["mine.yaml"]
    rules = 'rules: [{en: "Hold, men.", de: "Haltet, Leute."}, No quarter.]\n'
    library.save_all(people.anna, {"mine.yaml": text + rules}, None)
    address = "/library/file/mine.yaml/form"
    fields = typed(own.get(address).content.decode())
    (name,) = [name for name in fields if name.endswith(".rules")]
    assert fields[name] == ['"Hold, men.", No quarter.']
    fields[name] = [f"{fields[name][0]}, {{en: Dig in., de: Grabt euch ein.}}"]
    kept = own.post(address, {**fields, "do": "save", "anyway": "yes"})
    assert kept.status_code == 302, read_main(kept.content.decode())
    data = parse_document(library.find(people.anna, "mine.yaml").text, "mine.yaml").data
    assert data["rules"] == [
        {"en": "Hold, men.", "de": "Haltet, Leute."},
        "No quarter.",
        {"en": "Dig in.", "de": "Grabt euch ein."},
    ]


def test_a_blank_is_named_by_chart_line_and_column_with_a_link_to_its_cell(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-abtf", "mine"), None)
    for page in ("", "check", "fill", "form"):
        text = own.get(f"/library/file/mine.yaml/{page}").content.decode()
        assert re.search(
            r'<a href="/library/file/mine.yaml/fill\?chart=dates#r0\.[0-9]+">\s*CG Dates</a> \(1, Weather\):', text
        ), page
        assert re.search(r'<a href="/library/file/mine-charts.yaml/fill\?chart=axis-rg#r0\.[0-9]+">', text), page
        assert "the file of your map" in text
    german: Client = people.client(people.anna)
    text = german.get("/library/file/mine.yaml/check", headers={"Accept-Language": "de"}).content.decode()
    assert "(1, Wetter):" in text


def test_blanks_in_no_chart_are_named_in_words_with_a_link_to_their_line(people: People) -> None:
    text = file_templates.made_from("skeleton-pl", "mine")["mine.yaml"]
    library.save_all(people.anna, {"mine.yaml": text.replace("source: own", "source: <fill in> whose it is")}, None)
    page = people.client(people.anna).get("/library/file/mine.yaml/fill").content.decode()
    assert re.search(r'\?line=[0-9]+#text"[^>]*>\s*line [0-9]+\s*</a>\s*source:\s*whose it is', page)


def test_paths_and_commands_in_words() -> None:
    assert field_in_words("sides.axis.arrows[2]") == "sides › axis › arrows 2"
    assert field_in_words("rules.PL 3.47.modifiers.no-idle") == "rules › PL 3.47 › modifiers › no-idle"
    assert field_in_words("source_note") == "source note"
    assert field_in_words("") == ""
    assert field_in_words("prices.St. Mary") == "prices › St. Mary"
    assert field_in_words("teams.U.S.[2]", ("teams", "U.S.", 1)) == "teams › U.S. 2"
    assert without_commands("the file of your map; laager vasl import makes one") == "the file of your map"
    assert without_commands("laager vasl mark MAP C4=x, with its hex; or leave it") == "leave it"
    assert without_commands("make the map anew with laager vasl import, or say the layout") == "say the layout"
    assert without_commands("Laager asks; then goes on, or ends") == "Laager asks; then goes on, or ends"
    assert without_commands("laager check lists all of them") == ""
