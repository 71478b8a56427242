from __future__ import annotations

import copy
import json
import sys
import zipfile
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.base.files import parse_document, read_document
from laager.dice import Dice
from laager.tables import Row, Table, TableModifier, TablesFile, load_packaged, load_tables, tables_of
from tests.tries import tries

HERE = Path(__file__).parent
BROKEN = sorted((HERE / "broken").glob("*.yaml"))
GOOD: Any = read_document(HERE / "good.yaml").data


def complaints(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        load_tables(path)
    return str(caught.value).replace(str(path), path.name) + "\n"


def loaded(data: Any) -> Any:
    return tables_of(parse_document(json.dumps(data), "t.yaml"))


def test_a_file_becomes_tables() -> None:
    supply = load_tables(HERE / "good.yaml")["supply"]
    assert (supply.id, supply.title, supply.rule) == ("supply", "Supply arrives", "TT 1.1")
    assert (supply.dice, supply.columns) == (Dice.DR, ("infantry", "vehicle"))
    assert supply.rows[2] == Row(6, 9, {"infantry": "low", "vehicle": "low"})
    assert [(row.low, row.high) for row in supply.rows] == [
        (None, 4), (5, 5), (6, 9), (10, 10), (11, None),
    ]  # fmt: skip
    assert supply.modifiers == (
        TableModifier("mud", 2, "the ground is mud", "TT 1.2"),
        TableModifier("trucks", -1, "trucks beyond the first", "TT 1.3", "truck beyond the first"),
        TableModifier("leadership", None, "leadership of the quartermaster", "TT 1.4"),
    )
    assert supply.notes == ("Roll once for each platoon.",)
    assert load_tables(HERE / "good.yaml")["loss"].columns == ()


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_told_all_that_is_wrong_with_it(path: Path) -> None:
    assert complaints(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_broken_file_has_its_complaints_and_they_name_lines() -> None:
    assert len(BROKEN) >= 12
    assert {path.stem for path in BROKEN} == {p.stem for p in (HERE / "broken").glob("*.txt")}
    for path in BROKEN:
        for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
            assert line.startswith(f"{path.name}:")
            assert line.removeprefix(f"{path.name}:").partition(":")[0].isdigit()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert complaints(tmp_path / "none.yaml") == "none.yaml: there is no such file\n"


def test_tables_that_ship_in_a_package_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_packaged("tests.tables", "good.yaml") == load_tables(HERE / "good.yaml")
    archive = tmp_path / "zipped.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("zipped_rules/__init__.py", "")
        packed.write(HERE / "good.yaml", "zipped_rules/tables.yaml")
    monkeypatch.syspath_prepend(archive)
    assert load_packaged("zipped_rules", "tables.yaml") == load_tables(HERE / "good.yaml")
    sys.modules.pop("zipped_rules")


@pytest.mark.parametrize(
    ("package", "name", "told"),
    [
        ("tests.tables", "none.yaml", "tests.tables/none.yaml: there is no such file"),
        ("tests.tables", "broken", "tests.tables/broken: there is no such file"),
        ("no_such_rules", "t.yaml", "no_such_rules/t.yaml: there is no package no_such_rules; "),
    ],
)
def test_tables_that_do_not_ship_are_refused(package: str, name: str, told: str) -> None:
    with pytest.raises(DataError) as caught:
        load_packaged(package, name)
    assert str(caught.value).startswith(told)


def test_the_schema_takes_what_the_loader_takes() -> None:
    schema = TablesFile.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(GOOD, schema)
    assert "minItems" not in schema["properties"]["tables"], "a file may wait to be filled in"
    assert schema["$defs"]["TableEntry"]["properties"]["rows"]["minItems"] == 1


@pytest.mark.parametrize(
    "name", ["fields", "head", "modifiers", "no-mapping", "no-tables", "values", "columns-unreadable"]
)
def test_the_schema_refuses_wrong_fields(name: str) -> None:
    data = read_document(HERE / "broken" / f"{name}.yaml").data
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, TablesFile.model_json_schema())


def test_words_may_be_given_for_results_that_are_no_text() -> None:
    data = copy.deepcopy(GOOD)
    data["tables"][1]["results"] = {"-2": "Two levels", "null": "Nothing"}
    loss = loaded(data)["loss"]
    assert [loss.words(value) for value in (-2, -1, None)] == ["Two levels", "-1", "Nothing"]


def test_an_empty_list_of_words_is_as_good_as_none() -> None:
    data = copy.deepcopy(GOOD)
    data["tables"][0]["results"] = {}
    assert loaded(data)["supply"].words("full") == "full"


def places(data: Any, where: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [where] if where else []
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        here = (*where, key)
        found += places(value, here) if isinstance(value, dict | list) else [here]
    return found


def is_total(table: Table) -> bool:
    for column, final in product(table.columns or (None,), range(-20, 40)):
        table.result(final, column)
    return sum(entry.ways for entry in table.odds()) == table.dice.ways


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0, 3, 10**30, 2.5, float("inf"), "", " ", "given", "full", "at", "é", [], {},
     [1], [[]], {"id": "x"}, {"at": 3}, [None], [{}], [{"to": 3}], "rows"]
)  # fmt: skip


@given(st.data())
@tries(250)
def test_a_file_changed_anywhere_is_refused_with_lines_or_is_total(data: st.DataObject) -> None:
    changed = copy.deepcopy(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from(places(changed)))
        parent = changed
        for key in where[:-1]:
            parent = parent[key]
        match data.draw(st.sampled_from(["junk", "drop", "rename"])):
            case "junk":
                parent[where[-1]] = copy.deepcopy(data.draw(JUNK))
            case "drop":
                del parent[where[-1]]
            case "rename" if isinstance(parent, dict):
                parent[data.draw(st.sampled_from(["at", "from", "id", "day", "per"]))] = parent.pop(where[-1])
        if not places(changed):
            break
    found = None
    try:
        found = loaded(changed)
    except DataError as err:
        refused = err.problems
    else:
        refused = ()
        assert all(is_total(table) for table in found.values())
    assert found is not None or refused
    assert all(problem.file == "t.yaml" and problem.line for problem in refused)
