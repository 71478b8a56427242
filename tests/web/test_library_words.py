"""No page of the library speaks in paths of YAML or in commands: it says chart, line and column, and has links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.shared.forms.sayings import field_in_words, without_commands

from .conftest import People

PATH = re.compile(r"\b[a-z_]{2,}(?:\[[0-9]+\]|\.(?!ya?ml\b|csv\b)[a-z_]{2,}\b)|\blaager (?:vasl|check|chart|new)\b")
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
    assert without_commands("the file of your map; laager vasl import makes one") == "the file of your map"
    assert without_commands("laager vasl mark MAP C4=x, with its hex; or leave it") == "leave it"
    assert without_commands("make the map anew with laager vasl import, or say the layout") == "say the layout"
    assert without_commands("Laager asks; then goes on, or ends") == "Laager asks; then goes on, or ends"
    assert without_commands("laager check lists all of them") == ""
