"""Laying out: every column has room for its words, or says where they may be broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.sheet import Column
from laager.hexmap.draw.fonts import text_width
from laager.sheets.layout import BREAK, INSET, keep_printable, laid_out
from laager.sheets.leaf import Box, FormLine, FormRow, FormTable, Leaf, Lines, Run, SideBySide
from laager.sheets.paper import GUTTER, MARGIN_X, PAPERS
from tests.tries import tries

A4 = PAPERS["a4"]


def leaf(*grids: FormTable, **more: bool) -> Leaf:
    return Leaf("T", ((Box("Campaign", "C"),),), grids, more.get("landscape"))


def grid(*rows: tuple[str, ...], **more: tuple[float, ...]) -> FormTable:
    columns = tuple(Column(f"C{i}") for i in range(len(rows[0])))
    return FormTable("G", columns, tuple(FormRow(row) for row in rows), (), **more)  # type: ignore[arg-type]


def widths(found: dict[str, object]) -> list[float]:
    return [column["width"] for column in found["columns"]]  # type: ignore[attr-defined]


CELL = st.text(st.sampled_from("ab1 -,()é中\n"), max_size=60)


@tries(60)
@given(st.integers(1, 30), st.data(), st.sampled_from(sorted(PAPERS)))
def test_words_fit_their_columns_or_may_be_broken(count: int, data: st.DataObject, paper: str) -> None:
    rows = data.draw(st.lists(st.tuples(*[CELL] * count), min_size=1, max_size=4))
    made = laid_out(leaf(grid(*rows)), PAPERS[paper])
    block = made["blocks"][0]
    room = PAPERS[paper].room(landscape=made["landscape"])
    assert sum(widths(block)) == pytest.approx(room)
    for row in block["rows"]:
        for cell, width in zip(row["cells"], widths(block), strict=True):
            for word in cell.split():
                assert BREAK in word or text_width(word, made["size"]) <= width - 2 * INSET + 1e-6
    texts = [[cell.replace(BREAK, "") for cell in row["cells"]] for row in block["rows"]]
    assert texts == [[keep_printable(cell) for cell in row] for row in rows]


def test_few_columns_stand_upright_and_many_lie_across() -> None:
    assert not laid_out(leaf(grid(("4-6-7", "squad"))), A4)["landscape"]
    many = grid(tuple("Kampfgruppe Brinkmann" for _ in range(12)))
    assert laid_out(leaf(many), A4)["landscape"]
    assert not laid_out(leaf(many, landscape=False), A4)["landscape"]


def test_letters_grow_smaller_before_words_are_broken() -> None:
    wide = grid(tuple("Panzergrenadierdivision"[:14] for _ in range(15)))
    made = laid_out(leaf(wide), A4)
    assert made["size"] < 8
    assert BREAK not in str(made["blocks"])


def test_columns_of_figures_take_no_more_than_they_need() -> None:
    columns = (Column("FF", "right"), Column("Name"))
    rows = (FormRow(("1", "Panzergrenadier")),)
    made = laid_out(leaf(FormTable("G", columns, rows)), A4)
    first, second = widths(made["blocks"][0])
    assert first < 25
    assert second > 400


def test_a_column_may_be_bounded() -> None:
    bounded = grid(("a long heading " * 6, "text " * 60), most=(0.25, 1))
    first, _ = widths(laid_out(leaf(bounded), A4)["blocks"][0])
    assert first <= 0.25 * A4.room(landscape=False) + 1


def test_boxes_of_a_row_fit_on_one_line_if_there_is_room() -> None:
    boxes = tuple(Run(name, tick=True) for name in ("open", "?", "HIP", "Cloak"))
    columns = (Column("Unit"), Column("How"))
    made = laid_out(leaf(FormTable("", columns, (FormRow(("4-6-7", boxes)),), weights=(1, 0))), A4)
    needed = sum(text_width(run.text, 6.5) + 7 for run in boxes)
    assert widths(made["blocks"][0])[1] > needed


def test_columns_repeated_side_by_side_are_filled_downwards() -> None:
    rows = tuple(FormRow((name,)) for name in "ABCDE")
    made = laid_out(leaf(FormTable("G", (Column("L"),), rows, across=2)), A4)
    assert [row["cells"] for row in made["blocks"][0]["rows"]] == [["A", "D"], ["B", "E"], ["C", ""]]
    assert len(widths(made["blocks"][0])) == 2


def test_tables_side_by_side_share_the_width() -> None:
    made = laid_out(Leaf("T", (), (SideBySide((grid(("a", "b")), grid(("c", "d")))),), landscape=False), A4)
    both = [sum(widths(one)) for one in made["blocks"][0]["grids"]]
    assert both[0] == both[1] == pytest.approx((A4.width - 2 * MARGIN_X - 8) / 2)


def test_small_tables_are_kept_on_one_page() -> None:
    small, tall = grid(*[("a", "b")] * 8), grid(*[("a", "b")] * 9)
    wordy = grid(("word " * 40, "b"))
    made = laid_out(leaf(small, tall, wordy), A4)
    assert [block["whole"] for block in made["blocks"]] == [True, False, False]
    beside = Leaf("T", (), (SideBySide((small, small)), SideBySide((small, tall))))
    assert [block["whole"] for block in laid_out(beside, A4)["blocks"]] == [True, False]


def test_columns_of_text_are_narrower() -> None:
    assert A4.room(landscape=False, columns=2) == pytest.approx((A4.width - 2 * MARGIN_X - GUTTER) / 2)


def test_long_words_of_running_text_may_be_broken_too() -> None:
    lines = Lines("D", (FormLine("1", "x" * 400),))
    made = laid_out(Leaf("T", (), (lines,), columns=2), A4)
    assert BREAK in made["blocks"][0]["lines"][0]["text"]


@pytest.mark.parametrize(
    ("text", "clean"), [("a\tb", "a b"), ("a\x00b", "a b"), ("a\nb\n", "a\nb"), ("\ud800x", "\ufffdx"), ("é中", "é中")]
)
def test_what_cannot_be_printed_is_left_out(text: str, clean: str) -> None:
    assert keep_printable(text) == clean
