"""Records as grids: what is typed or pasted stands in the file, and nothing else of it changes."""

from __future__ import annotations

import pytest

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import GRIDS, find_grid, from_csv, grids_of, to_csv
from laager.rules.board.hasl.grids.writing import CellsError, write_cells
from laager.rules.board.record.files import record_text
from tests.rules.record.logs import NAMES, open_log
from tests.rules.record.test_files import problems, text
from tests.rules.record.test_from_record import going_on, record_at


def test_each_cell_is_read_and_written_as_it_was() -> None:
    data = parse_document(text(), "record.yaml").data
    for grid in grids_of("pl-record", data):
        cells = from_csv(grid, data, to_csv(grid, data)).cells
        assert write_cells(text(), "record.yaml", grid, cells).text == text(), grid.id


def test_one_cell_changes_one_line() -> None:
    data = parse_document(text(), "record.yaml").data
    grid = find_grid("pl-record", data, "allied-units")
    cells = [list(row.cells) for row in grid.rows(data)]
    row = next(row for row in cells if row[0] == "AL13")
    row[2], row[3] = "Z1", "broken"
    after = write_cells(text(), "record.yaml", grid, cells).text
    changed = [(was, now) for was, now in zip(text().splitlines(), after.splitlines(), strict=True) if was != now]
    assert len(changed) == 1
    assert changed[0][1].strip() == "AL13: {type: 4-4-7, at: Z1, marks: [broken]}"


def test_lines_come_and_go_and_a_number_is_there_once() -> None:
    data = parse_document(text(), "record.yaml").data
    grid = find_grid("pl-record", data, "axis-groups")
    cells = [list(row.cells) for row in grid.rows(data)]
    fresh = ["I1/9", "1", "on-map", "9", *([""] * (len(grid.columns) - 4))]
    after = write_cells(text(), "record.yaml", grid, [*cells[1:], fresh]).text
    groups = parse_document(after, "r").data["secret"]["axis"]["groups"]
    assert groups["I1/9"] == {"firefight": 1, "setup": "on-map", "cost": 9}
    assert cells[0][0] not in groups
    with pytest.raises(CellsError, match="twice"):
        write_cells(text(), "record.yaml", grid, [*cells, cells[0]])
    with pytest.raises(CellsError, match="needs a number"):
        write_cells(text(), "record.yaml", grid, [*cells, ["", "1"]])


def test_a_problem_of_the_check_is_at_its_cell() -> None:
    record = text().replace("AL13: {type: 4-4-7, at: Z0}", "AL13: {type: 4-4-7, at: ZZ9}")
    problem = next(one for one in problems(record) if "AL13.at" in one)
    grid = find_grid("pl-record", parse_document(record, "r").data, "allied-units")
    assert grid.cell_of("public.allied.units.AL13.at") == ("AL13", 2), problem


@pytest.mark.parametrize("kind", ["pl-record", "hasl-record", "er-record", "abtf-record"])
def test_every_kind_of_record_has_grids(kind: str) -> None:
    own = {"pl-record": {"front", "axis-links", "allied-links"}, "hasl-record": {"areas", "blocks"}}
    own |= {
        "er-record": {"areas", "blocks", "barrages", "bombardments"},
        "abtf-record": {"areas", "blocks", "headquarters"},
    }
    ids = {grid.id for grid in GRIDS[kind]({})}
    assert len(ids) == 20 + len(own[kind])
    assert own[kind] <= ids


@pytest.mark.parametrize("name", NAMES)
def test_the_front_the_areas_and_all_else_are_read_and_written_as_they_were(name: str) -> None:
    campaign = open_log(name)
    for boundary in going_on(name)[::60]:
        record = dict(record_at(name, boundary).data)
        written = record_text(record)
        kind = f"{campaign.ruleset.id}-record"
        data = parse_document(written, "record.yaml").data
        for grid in grids_of(kind, data):
            cells = from_csv(grid, data, to_csv(grid, data)).cells
            assert write_cells(written, "record.yaml", grid, cells).text == written, grid.id
            assert not [cell for row in grid.rows(data) for cell in row.cells if cell == "…"], grid.id


def test_a_front_is_entered_as_a_grid() -> None:
    grid = find_grid("pl-record", parse_document(text(), "r").data, "axis-links")
    after = write_cells(text(), "record.yaml", grid, [["E5", "I5", "F4, G5, H5", "cluster"]]).text
    links = parse_document(after, "r").data["public"]["campaign"]["line"]["links"]
    assert links["axis"] == [{"a": "E5", "b": "I5", "chain": ["F4", "G5", "H5"], "kind": "cluster"}]
