"""Tables for spreadsheets: what goes out comes back, whatever a spreadsheet does to it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings

from laager.base import DataError
from laager.base.files import parse_document
from laager.catalogue.dyo import DyoCatalogueFile, catalogue_data, load_dyo, shipped_nations
from laager.catalogue.dyo.cells import columns_of, from_csv, to_csv
from laager.catalogue.dyo.load import read_file
from laager.catalogue.dyo.overlay import lay_over, plain_data, with_sources
from laager.catalogue.dyo.write import to_yaml

from .strategies import files

FEW = settings(max_examples=30, deadline=None)


def normal(data: Mapping[str, Any]) -> dict[str, Any]:
    return plain_data(DyoCatalogueFile.model_validate(data))


def back(tables: Mapping[str, str]) -> list[dict[str, Any]]:
    by_nation: dict[str, list[DyoCatalogueFile]] = {}
    for _, file in from_csv((f"{name}.csv", text) for name, text in tables.items()):
        by_nation.setdefault(file.nation, []).append(with_sources(file))
    return [plain_data(reduce(lay_over, parts)) for parts in by_nation.values()]


@FEW
@given(files())
def test_a_file_comes_back_from_its_tables(data: dict[str, Any]) -> None:
    before = normal(data)
    assert back(to_csv([before])) == [before]


@FEW
@given(files())
def test_a_file_comes_back_from_its_yaml(data: dict[str, Any]) -> None:
    before = normal(data)
    document = parse_document(to_yaml(before), "file")
    assert document.data == before
    assert normal(document.data) == before


@FEW
@given(files(), files("elsewhere"))
def test_two_nations_share_tables(one: dict[str, Any], two: dict[str, Any]) -> None:
    before = [normal(one), normal(two)]
    after = back(to_csv(before))
    assert [data["nation"] for data in after] == ["testland", "elsewhere"]
    for old, new in zip(before, after, strict=True):
        assert set(new) == set(old)


@pytest.mark.parametrize("set_", ["house", "published"])
def test_what_ships_comes_back(set_: Any) -> None:
    data = catalogue_data(load_dyo(*shipped_nations(set_), set=set_))
    assert back(to_csv(data)) == data


def table(section: str = "guns", set_: Any = "house") -> str:
    return to_csv(catalogue_data(load_dyo("german", set=set_)))[section]


def rows(text: str, mark: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=mark))


def written(cells: Sequence[Sequence[str]], mark: str = ",", end: str = "\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator=end).writerows(cells)
    return out.getvalue()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_other_marks_and_ends_of_lines_are_understood(mark: str, end: str) -> None:
    text = table()
    ((_, before),) = from_csv([("guns.csv", text)])
    ((_, after),) = from_csv([("guns.csv", "\ufeff" + written(rows(text), mark, end))])
    assert after == before


def test_what_spreadsheets_do_to_tables() -> None:
    text = table()
    ((_, before),) = from_csv([("guns.csv", text)])
    cells = rows(text)
    header, *body = cells
    shuffled = [[row[i] for i in reversed(range(len(header)))] for row in cells]
    # Columns in another order, capitals, rows and columns that are empty.
    shuffled[0] = [title.title() for title in shuffled[0]]
    padded = [[*row, "", ""] for row in shuffled] + [[""] * (len(header) + 2)] * 3
    ((_, after),) = from_csv([("guns.csv", written(padded))])
    assert after == before
    assert all(row[header.index("type")].startswith("'") for row in body if row[2][1:2].isdigit())


def test_texts_that_look_like_dates_carry_an_apostrophe() -> None:
    squads = rows(table("squads"))
    types = [row[squads[0].index("type")] for row in squads[1:]]
    assert types[0] == "'8-3-8"
    assert all(text.startswith("'") for text in types)


def test_a_row_of_a_section_that_is_empty() -> None:
    head = "section,nation,type\n"
    reads = from_csv([("a.csv", f"{head}transport,testland,(none)\n")])
    ((_, file),) = reads
    assert file.transport == []
    assert file.guns is None
    assert file.name == "Testland"
    assert "(none)" in to_csv([plain_data(file)])["transport"]


BROKEN = {
    "": ["t.csv:1: there is no column section and no column nation; begin with the columns "
         "section, nation; laager catalogue export shows how"],
    "section,typ\nguns,x\n": ["t.csv:1: there is no column nation; begin with the columns section, "
                              "nation; laager catalogue export shows how"],
    "section,nation,type,bvp\nguns,german,37L,20\n": [
        "t.csv:2: bvp: guns have no column 'bvp'; did you mean bpv?"],
    "section,nation,type\ngun,german,37L\n,german,38L\nguns,,39L\n": [
        "t.csv:2: section: 'gun' is not a section; did you mean guns?",
        "t.csv:3: section: the row names no section; one of nation, capabilities, squads, guns, "
        "vehicles, armament, transport, oba, oba_options, op_tanks, leaders, armor_leaders, …",
        "t.csv:4: nation: the row names no nation; write its id, as german"],
    "section,nation,type,rf\nguns,german,37L,\nguns,german,38L,1941: 11\nguns,german,39L,soon\n": [
        "t.csv:3: guns[2].rf: '11' is not an RF; did you mean 1.1?",
        "t.csv:4: guns[3].rf: 'soon' is not an RF; write tenths, such as 1.2, or unknown"],
    "section,nation,type,bpv\nguns,german,37L,20\nguns,german,37L,21\n": [
        "t.csv:3: guns[2].type: '37L' stands here twice (line 2); remove one of the two"],
    "section,nation,type,bpv\nguns,german,,20\n": ["t.csv:2: guns[1].type: is missing; add it"],
    "section,nation,type,sources\nguns,german,37L,bvp = p. 3\n": [
        "t.csv:2: guns[1]: sources name 'bvp'; did you mean bpv?"],
    "section,nation,type,kind,dates\nsquads,german,4-Jun,squad,always\n": [
        "t.csv:2: squads[1].type: '4-Jun' is not a strength factor; write firepower-range-morale, "
        "as 4-6-7, and a word after a blank if two types have the same factors"],
}  # fmt: skip


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_broken_tables(text: str) -> None:
    with pytest.raises(DataError) as caught:
        from_csv([("t.csv", text)])
    assert [str(problem) for problem in caught.value.problems] == BROKEN[text]


def test_problems_of_all_tables_are_told_together() -> None:
    with pytest.raises(DataError) as caught:
        from_csv([("a.csv", "x\n"), ("b.csv", "section,nation,type,rf\nguns,german,37L,12\n")])
    assert [problem.file for problem in caught.value.problems] == ["a.csv", "b.csv"]


def test_a_cell_of_no_csv() -> None:
    with pytest.raises(DataError, match=r"t\.csv:\d+: not CSV \(.*save the table as CSV"):
        from_csv([("t.csv", "section,nation,type\n" + "x" * 200_000 + "\n")])


def test_columns_are_the_fields() -> None:
    assert columns_of("nation") == ("name", "group", "source", "notes")
    assert columns_of("armament")[:2] == ("vehicle", "type")
    assert columns_of("oba")[:3] == ("year", "2", "3")
    assert columns_of("guns")[-3:] == ("note", "source", "sources")


def test_a_table_without_its_nation_has_a_source() -> None:
    ((_, file),) = from_csv([("a.csv", "section,nation,type,bpv\nguns,german,37L,20\n")])
    assert with_sources(file).guns[0].origin("bpv").words == "user (tables)"  # type: ignore[index]
    document = parse_document(to_yaml(plain_data(file)), "a")
    assert read_file(document)[1].source == "tables"
