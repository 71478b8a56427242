"""Charts as grids: every shipped file is read and written whole; what a cell means."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from laager.base import DataError
from laager.base.blanks import BlanksError, reading, real, without_blanks
from laager.base.files import parse_document
from laager.rules.board.hasl.grids.cells import (
    UNIT_CELL,
    WEAPON_CELL,
    CellFormat,
    ChoiceCell,
    FinalRoll,
    Groups,
    NumberCell,
    PointsCell,
    Result,
)
from laager.rules.board.hasl.grids.grid import DEEP
from laager.rules.board.hasl.grids.sheets import find_grid, from_csv, overview, to_csv
from laager.rules.board.hasl.grids.writing import CellsError, write_cells, write_charts
from laager.rules.board.hasl.skeleton import skeleton
from laager.tables import tables_of

PACKS = Path(str(files("laager.packs")))
SHIPPED = [
    *PACKS.glob("abtf/*.yaml"),
    *PACKS.glob("er/*.yaml"),
    *PACKS.glob("hasl/*.yaml"),
    *PACKS.glob("er/catalogue/*"),
]


def test_the_last_final_roll_of_a_table_follows_from_those_above() -> None:
    text = "laager: tables/1\nsource: own\ntables:\n- {id: san, title: SAN, rule: ABtF 9.6, roll: DR, rows: []}\n"
    grid = find_grid("tables", parse_document(text, "t.yaml").data, "san")

    def rolls(*rows: list[str]) -> list[str]:
        made = write_cells(text, "t.yaml", grid, rows).text
        return [row.cells[0] for row in grid.rows(parse_document(made, "t.yaml").data)]

    assert rolls(["≤ 4", "1"], ["5-9", "0"], ["", "-1"]) == ["≤ 4", "5-9", "≥ 10"]
    assert rolls(["≤ 4", "1"], ["5", "0"], ["", "-1"], ["", ""]) == ["≤ 4", "5", "≥ 6"]
    # From the highest down it doesn't follow.
    assert rolls(["≥ 10", "1"], ["5-9", "0"], ["", "-1"])[2] != "≥ 10"
    assert rolls(["12", "1"], ["9", "0"], ["≤ 8", "-1"]) == ["12", "9", "≤ 8"]
    # The last roll of each line is enough: a table has no gap.
    assert rolls(["4", "1"], ["9", "0"], ["", "-1"]) == ["≤ 4", "5-9", "≥ 10"]
    assert rolls(["−1", "1"], ["4", "0"], ["5", "2"], ["≥ 6", "-1"]) == ["-1", "0-4", "5", "≥ 6"]
    # A line for each roll stays one.
    assert rolls(["1", "1"], ["2", "0"], ["3", "-1"]) == ["1", "2", "3"]


def test_rows_of_a_table_are_kept_where_one_before_it_is_deleted_at_the_same_time() -> None:
    tables = "".join(
        f"- {{id: {name}, title: {name}, rule: ABtF 9.6, roll: DR, rows: []}}\n" for name in ("san", "elr")
    )
    text = f"laager: tables/1\nsource: own\ntables:\n{tables}"
    plain = parse_document(text, "t.yaml").data
    every, rows = find_grid("tables", plain, "tables"), find_grid("tables", plain, "elr")
    kept = [list(every.rows(plain)[1].cells)]
    for charts in ([(every, kept), (rows, [["≤ 7", "1"]])], [(rows, [["≤ 7", "1"]]), (every, kept)]):
        made = parse_document(write_charts(text, "t.yaml", charts).text, "t.yaml").data
        assert [table["id"] for table in made["tables"]] == ["elr"]
        assert find_grid("tables", made, "elr").rows(made)[0].cells == ("≤ 7", "1")


@pytest.mark.parametrize(("file", "chart", "typed", "written"), [
    ("er/kokusa-ridge-tables", "san-modifiers", {"Modifier": "idle", "DRM": "1"},
     {"When": "chose an Idle chit for the date just played", "Rule": "ER 1.5222"}),
    ("abtf/rijnoord-tables", "shift-modifiers", {"Modifier": "exhaustion"},
     {"DRM": "given", "When": "Campaign Exhaustion DRM", "Rule": "ABtF 9.613"}),
    ("abtf/rijnoord-tables", "shift-modifiers", {"Modifier": "snow", "DRM": "1"},
     {"When": "", "Rule": "ABtF 9.613"}),
    ("er/kokusa-ridge-charts", "axis-rg", {"RG": "M8", "Special": "observer"},
     {"Group Type": "Offboard Observer", "Kind": "M miscellaneous", "Special": "Offboard Observer"}),
    ("er/kokusa-ridge-charts", "axis-rg", {"RG": "M8", "Group Type": "Fpf barrage"}, {"Special": "FPF Barrage"}),
    ("er/kokusa-ridge-charts", "axis-rg", {"RG": "F8", "FPP": "12"}, {"Group Type": "12 FPP", "Kind": "F FPP"}),
    ("er/kokusa-ridge-charts", "axis-rg", {"RG": "S8"}, {"Group Type": "SAN Increase", "SAN": "1"}),
    ("er/kokusa-ridge-charts", "axis-rg", {"RG": "S8", "Group Type": "Sniper", "SAN": "2"},
     {"Group Type": "Sniper", "SAN": "2", "Special": ""}),
])  # fmt: skip
def test_cells_follow_from_the_others_of_their_row(
    file: str, chart: str, typed: dict[str, str], written: dict[str, str]
) -> None:
    text = (PACKS / f"{file}.yaml").read_text(encoding="utf-8")
    data = parse_document(text, "a").data
    grid = find_grid(data["laager"].partition("/")[0], data, chart)
    headings = [column.heading for column in grid.columns]
    cells = [*(list(row.cells) for row in grid.rows(data)), [typed.get(heading, "") for heading in headings]]
    made = grid.rows(parse_document(write_cells(text, "a", grid, cells).text, "a").data)
    assert len(made) == len(cells)
    assert dict(zip(headings, made[-1].cells, strict=True)).items() >= written.items()
    assert [list(row.cells) for row in made[:-1]] == cells[:-1], "rows that are whole stay"


def test_columns_of_a_pdf_are_parted_by_several_spaces() -> None:
    text = (PACKS / "er/kokusa-ridge-charts.yaml").read_text(encoding="utf-8")
    data = parse_document(text, "a").data
    grid = find_grid("hasl-charts", data, "axis-rg")
    copied = "RG    Group Type    SW\n  I1   Rifle Platoon   LMG, 50* MTR (4)\nI2  Assault Platoon  2x LMG\n"
    rows = from_csv(grid, data, copied).cells
    assert [[row[0], row[2], row[7]] for row in rows] == [
        ["I1", "Rifle Platoon", "LMG, 50* MTR (4)"], ["I2", "Assault Platoon", "2x LMG"]
    ]  # fmt: skip
    # A text with a gap somewhere is parted as before.
    assert from_csv(grid, data, "RG,Group Type,SW\nI1,Rifle  Platoon,LMG\nI2,Assault Platoon,LMG\n").cells[0][2] == (
        "Rifle Platoon"
    )


def test_nothing_follows_for_rows_that_are_a_blank() -> None:
    text = skeleton("abtf", "a")["a-tables.yaml"]
    grid = find_grid("tables", parse_document(text, "a").data, "san-modifiers")
    cells = [list(row.cells) for row in grid.rows(parse_document(text, "a").data)]
    assert cells == [["?", "", "", "", ""]]
    assert write_cells(text, "a", grid, cells).text == text


def test_every_grid_of_shipped_files_is_written_as_it_was() -> None:
    seen = 0
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        data = parse_document(text, path.name).data
        kind = data["laager"].partition("/")[0]
        for one in overview(kind, data):
            grid, cells = one.grid, [list(row.cells) for row in one.grid.rows(data)]
            assert write_cells(text, path.name, grid, cells).text == text, (path.name, grid.id)
            assert from_csv(grid, data, to_csv(grid, data)).cells == [row for row in cells if any(row)], grid.id
            seen += 1
    assert seen > 80


@pytest.mark.parametrize(("file", "id_"), [
    ("hasl/sorgiva-charts", "axis-rg"), ("hasl/sorgiva-charts", "points"),
    ("abtf/rijnoord-tables", "leaders"), ("er/kokusa-ridge", "axis-arrow-dates"),
])  # fmt: skip
def test_a_chart_taken_out_and_typed_in_again_says_the_same(file: str, id_: str) -> None:
    text = (PACKS / f"{file}.yaml").read_text(encoding="utf-8")
    data = parse_document(text, "a").data
    kind = data["laager"].partition("/")[0]
    grid = find_grid(kind, data, id_)
    cells = [list(row.cells) for row in grid.rows(data)]
    assert cells
    assert not any(cell == DEEP for row in cells for cell in row)
    empty = write_cells(text, "a", grid, [["" for _ in row] for row in cells]).text
    assert parse_document(empty, "a").data != data
    assert parse_document(write_cells(empty, "a", grid, cells).text, "a").data == data


def test_comments_and_rows_that_are_not_touched_stay() -> None:
    text = (PACKS / "abtf/rijnoord-charts.yaml").read_text(encoding="utf-8")
    data = parse_document(text, "a").data
    grid = find_grid("hasl-charts", data, "axis-rg")
    cells = [list(row.cells) for row in grid.rows(data)]
    cells[1][4] = "9"
    now = write_cells(text, "a", grid, cells).text
    changed = [(a, b) for a, b in zip(text.splitlines(), now.splitlines(), strict=True) if a != b]
    assert changed == [("        cost: 3", "        cost: 9")]


@pytest.mark.parametrize(("cell", "text", "value"), [
    (UNIT_CELL, "3x 4-6-7, 9-1", [{"type": "4-6-7", "count": 3}, {"type": "9-1"}]),
    (UNIT_CELL, "2 × 4-6-7 (E); 20L AA", [{"type": "4-6-7", "count": 2, "engineers": True}, {"type": "20L AA"}]),
    (UNIT_CELL, "PSW 231 (8 rad)", [{"type": "PSW 231 (8 rad)"}]),
    (WEAPON_CELL, "LMG (7), DC (E)", [{"type": "LMG (7)"}, {"type": "DC (E)"}]),
    (WEAPON_CELL, "2x LMG, 50* MTR (3)", [{"type": "LMG", "count": 2}, {"type": "50* MTR", "need": 3}]),
    (Groups(), "2x I1 (enter), I3 (on-map North Knob)",
     [{"rg": "I1", "arrival": "enter"}] * 2 + [{"rg": "I3", "arrival": "on-map", "area": "North Knob"}]),
    (PointsCell(), "14 + DR", {"fixed": 14, "dice": "DR"}),
    (PointsCell(), "dr", {"dice": "dr"}),
    (FinalRoll(), "≤ 4", {"to": 4}),
    (FinalRoll(), "<=4", {"to": 4}),
    (FinalRoll(), "5–9", {"from": 5, "to": 9}),
    (FinalRoll(), "-2 to 3", {"from": -2, "to": 3}),
    (FinalRoll(), "11+", {"from": 11}),
    (FinalRoll(), "7", {"at": 7}),
    (Result(), "–", None),
    (Result(), "-1", -1),
    (Result(), "no", False),
    (Result(), "9-1", "9-1"),
    (ChoiceCell({"DR": "DR", "dr": "dr"}), "DR", "DR"),
    (NumberCell(0, 9), "+7", 7),
])  # fmt: skip
def test_what_a_cell_means(cell: CellFormat, text: str, value: object) -> None:
    assert cell.value(text) == value


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (NumberCell(0, 9), "10"),
        (NumberCell(), "five"),
        (FinalRoll(), "4/5"),
        (PointsCell(), "2DR"),
        (ChoiceCell({}), "x"),
    ],
)
def test_what_a_cell_refuses(cell: CellFormat, text: str) -> None:
    with pytest.raises(ValueError, match=r";|isn't known"):
        cell.value(text)


def test_problems_of_blanks_are_no_problems_and_others_are_told_at_their_place() -> None:
    text = skeleton("abtf", "a")["a-charts.yaml"]
    text = text.replace("    - id: A4\n      formation: B", "    - <fill in> more\n    - id: A4\n      formation: B")
    text = text.replace("      kind: A\n      cost: 5", "      kind: X\n      cost: 5")
    from laager.base.files import check
    from laager.rules.board.hasl.charts import HaslCharts

    with pytest.raises(DataError) as caught:
        reading(parse_document(text, "a"), lambda one: check(one, HaslCharts))
    assert not isinstance(caught.value, BlanksError)
    assert [one.field for one in caught.value.problems] == ["sides.axis.rg[3].kind", "sides.axis.rg[7].kind"]
    assert all(text.splitlines()[(one.line or 0) - 1].strip() == "kind: X" for one in caught.value.problems)


def test_a_file_without_blanks_is_left_alone() -> None:
    document = parse_document((PACKS / "abtf/rijnoord-tables.yaml").read_text(encoding="utf-8"), "a")
    assert without_blanks(document) == (document, ())
    assert reading(document, tables_of) == tables_of(document)
    assert real((), ()) == []


def test_too_much_for_a_grid() -> None:
    text = (PACKS / "abtf/rijnoord-charts.yaml").read_text(encoding="utf-8")
    grid = find_grid("hasl-charts", parse_document(text, "a").data, "axis-rg")
    for cells in ([["I1"]] * 401, [["x"] * 23], [["x" * 4001]], [["a\x00"]]):
        with pytest.raises(CellsError):
            write_cells(text, "a", grid, cells)
