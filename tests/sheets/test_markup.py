"""Texts of users are set as they are: nothing in them is markup, wherever they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2 import PdfDocument, PdfTextObj

from laager.campaign.sheet import Column
from laager.sheets import catalogue, print_pdf
from laager.sheets.leaf import Box, FormLine, FormRow, FormTable, Leaf, Lines, Run
from laager.sheets.paper import PAPERS
from laager.sheets.pdf import pdf_of
from laager.sheets.words import words_of
from tests.tries import tries

from .campaigns import begun
from .reading import metadata, pages, squeezed, whole

HOSTILE = (
    '#panic("x")', "#let x = 1", "#sys.inputs", "$x^2$", "*bold*", "_emph_", "[content]", "\\n",
    "\\u{41}", '"quoted"', "“curly”", "<label>", "@ref", "= Heading", "- list", "+ enum", "/ T: d",
    "// comment", "/* c */", "`raw`", "```raw```", "~", "---", "...", "-?", "{code}", "#[x]",
    "https://example.org", "&amp;", "%s{page}{pages}", "#(1+1)", "#image(\"/etc/passwd\")",
)  # fmt: skip


def pdf(leaf: Leaf, title: str = "C", footer: str = "F") -> bytes:
    at = "2026-01-01T00:00:00+00:00"
    return pdf_of([leaf], PAPERS["a4"], words_of("en"), title=title, ruleset="R", footer=footer, at=at)


def everywhere(text: str) -> Leaf:
    """A leaf with a text in every place that there is for texts."""
    columns = (Column(text), Column("B"))
    rows = (
        FormRow((text, "plain")),
        FormRow((text, text), heading=True),
        FormRow(((Run(text, bold=True), Run(text, tick=True)), text), bold=True),
    )
    lines = (
        FormLine(text, text, text),
        FormLine(text, text, text, "heading"),
        FormLine("1", text, "", "struck"),
        FormLine("1", text, "", "bold"),
        FormLine("", "", text, "chapter"),
    )
    blocks = (
        FormTable(text, columns, rows, (text,)),
        FormTable("", (Column(""),), (), empty=text),
        Lines(text, lines),
        Lines(text, lines[:1], wide=0),
    )
    return Leaf(text, ((Box(text, text),),), blocks, legend=(text,))


PLACES = 22
"""How often a text stands on that leaf, with title and footer of the page."""


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_stays_text_in_every_place(text: str) -> None:
    found = whole(pdf(everywhere(text), title=text, footer=text))
    # The label of a box is in capitals.
    assert found.upper().count(squeezed(text).upper()) >= PLACES


@tries(15)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30))
def test_any_ascii_text_is_printed_as_it_is(text: str) -> None:
    leaf = Leaf("T", (), (FormTable("", (Column("A"),), (FormRow((text,)),)),))
    assert squeezed(text) in whole(pdf(leaf))


def test_a_title_of_markup_prints_every_sheet() -> None:
    title = '#panic("x") *a* $b$ <l> @r ] [ \\'
    campaign = begun("rzhavets", title)
    data = print_pdf(campaign, "axis", [one.id for one in catalogue(campaign, "axis")])
    assert all(squeezed(title) in squeezed(page) for page in pages(data))
    assert metadata(data)["Title"] == title


def test_lines_of_a_cell_stay_lines() -> None:
    leaf = Leaf("T", (), (FormTable("", (Column("A"),), (FormRow(("one\ntwo\n\nthree",)),)),))
    assert "one\ntwo\nthree" in pages(pdf(leaf))[0]


def test_an_unwritten_time_is_the_beginning_of_time() -> None:
    leaf = Leaf("T", (), ())
    data = pdf_of([leaf], PAPERS["a4"], words_of("en"), title="C", ruleset="R", footer="F", at="yesterday")
    assert metadata(data)["CreationDate"] == "D:19700101000000Z"


def test_very_long_tables_and_cells_go_over_pages_whole() -> None:
    rows = tuple(FormRow((str(i), "word " * 20)) for i in range(400))
    tall = FormRow(("tall", " ".join(f"w{i}" for i in range(6000))))
    data = pdf(Leaf("T", (), (FormTable("G", (Column("N"), Column("W")), (*rows, tall)),)))
    found = pages(data)
    assert len(found) > 7
    text = " ".join(found).split()
    assert all(f"w{i}" in text for i in range(0, 6000, 7))
    assert all(page.count("N W\n") == 1 for page in found)


def test_only_the_font_that_ships_is_used() -> None:
    for page in PdfDocument(pdf(everywhere("Ünï 中"))):
        names = {piece.get_font().get_base_name() for piece in page.get_objects() if isinstance(piece, PdfTextObj)}
        assert {name.partition("+")[2].partition("-")[0] for name in names} == {"LaagerSans"}
