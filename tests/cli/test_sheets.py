"""Sheets and log lines in terminals wide and narrow."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from laager.campaign.sheet import Column, Sheet
from laager.cli.out import say_log, say_wrapped, show_sheets, width, wrap
from laager.sheets.terminal import least_width, list_of, render_sheet, table_of
from tests.tries import tries

ROSTER = Sheet(
    "roster",
    "CG Roster",
    (Column("FF", "right"), Column("Date"), Column("Type"), Column("ELR", "right")),
    (("1", "1943-07-12 before dawn, night", "Axis Assault", "4"), ("12", "", "Idle", "3")),
    ("CP 12, FP 3", "a very long note " * 12),
)


def drawn(sheet: Sheet, room: int) -> list[str]:
    console = Console(width=room, file=open(os.devnull, "w"), color_system=None)  # noqa: PTH123, SIM115
    with console.capture() as text:
        console.print(render_sheet(sheet, room))
    console.file.close()
    return [line.rstrip() for line in text.get().splitlines()]


def test_a_table_is_as_wide_as_it_needs() -> None:
    assert drawn(ROSTER, 100) == [
        "CG Roster",
        "",
        " FF  Date                           Type          ELR",
        " ─────────────────────────────────────────────────────",
        "  1  1943-07-12 before dawn, night  Axis Assault    4",
        " 12                                 Idle            3",
        "",
    ]


def test_long_cells_are_folded_between_words() -> None:
    lines = drawn(ROSTER, 44)
    assert max(len(line) for line in lines) <= 44
    assert lines[4].startswith("  1  1943-07-12")
    assert any(line.strip() == "dawn, night" or "night" in line for line in lines[5:])


def test_where_there_is_no_room_rows_are_listed() -> None:
    assert drawn(ROSTER, 30)[:7] == [
        "CG Roster",
        "",
        "  FF    1",
        "  Date  1943-07-12 before",
        "dawn, night",
        "  Type  Axis Assault",
        "  ELR   4",
    ]


def test_an_empty_sheet_says_so() -> None:
    assert drawn(Sheet("e", "Empty", (Column("A"),), ()), 80) == ["Empty", "", "  nothing so far"]


def test_cells_are_text_and_never_markup() -> None:
    sheet = Sheet("m", "[bold]T[/bold]", (Column("[red]A"),), (("[link=x]y[/link] :smile:",),), ("[i]n",))
    text = "\n".join(drawn(sheet, 80))
    assert "[bold]T[/bold]" in text
    assert "[link=x]y[/link] :smile:" in text


def test_an_indented_word_is_not_broken() -> None:
    row = ("", "", " 1111a中", "1"), ("", "111", "", "11111111中")
    sheet = Sheet("s", "Title", tuple(Column(f"C{i}") for i in range(4)), row)
    for room in range(30, 60):
        assert "1111a中" in "".join("".join(drawn(sheet, room)).split())


CELLS = st.text(st.sampled_from("ab1 -,()é中"), max_size=40)


@tries(80)
@given(st.integers(1, 14), st.data(), st.integers(30, 140))
def test_every_sheet_fits_and_loses_nothing(columns: int, data: st.DataObject, room: int) -> None:
    from rich.cells import cell_len

    titles = tuple(Column(f"C{i}") for i in range(columns))
    rows = data.draw(st.lists(st.tuples(*[CELLS] * columns), max_size=4))
    sheet = Sheet("s", "Title", titles, tuple(rows))
    lines = drawn(sheet, room)
    assert max(cell_len(line) for line in lines) <= room
    shown = "".join("".join(lines).split())
    for row in rows:
        for cell in row:
            for word in cell.split():
                if cell_len(word) <= 8:
                    assert word in shown


def test_least_width_grows_with_the_longest_words() -> None:
    narrow = Sheet("s", "T", (Column("A"),), (("a b c",),))
    wide = Sheet("s", "T", (Column("A"),), (("abcdefgh",),))
    assert least_width(narrow) < least_width(wide) <= 12
    assert table_of(narrow, 80).row_count == 1
    assert "A  a b c" in list_of(narrow).plain


# At a terminal and in a pipe --------------------------------------------------------------------


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the present output a terminal of 60 characters."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")


def test_at_a_terminal_long_lines_of_the_log_hang(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal(monkeypatch)
    say_log(["   12    " + "word " * 20 + "[PL 2.1]", "   13    short"])
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= 60
    assert lines[0].startswith("   12    word word")
    assert lines[1].startswith(" " * 12 + "word")
    assert lines[-1] == "   13    short"


def test_in_a_pipe_lines_stay_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    line = "   12    " + "word " * 60 + "end"
    say_log([line])
    say_wrapped(line)
    assert capsys.readouterr().out.splitlines() == [line, line.strip()]
    assert width() == 100


def test_paragraphs_are_broken_between_words_and_kept_apart() -> None:
    text = "one two three\n\nfour " + "x" * 150
    assert wrap(text, "  ", "- ", most=12) == [
        "- one two", "  three", "", "  four", f"  {'x' * 150}",
    ]  # fmt: skip


def test_sheets_at_a_terminal_have_its_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal(monkeypatch)
    show_sheets([ROSTER])
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines if "\x1b" not in line) <= 60
    assert sum("very long note" in line for line in lines) > 1
