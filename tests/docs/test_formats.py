"""The tables of the documentation name every field and word of the formats, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from laager.base.files import check, parse_document
from laager.campaign import clauses, readings
from laager.campaign.forms import Form, Record, Rows
from laager.campaign.log import EntryType
from laager.campaign.ruleset import PlayedRuleset, Ruleset
from laager.catalogue import packaged_nations
from laager.catalogue.dyo import model as dyo_catalogue
from laager.cli.play import answers
from laager.dice import Dice, SeededDice
from laager.hexmap import terrain
from laager.hexmap.files import mapfile
from laager.kinds import FIELD_HELP, schema_of
from laager.rules.board.hasl import charts as hasl_charts
from laager.rules.board.hasl.card import card as hasl_card
from laager.rules.board.report.marks import FITS
from laager.rules.platoon_leader.card import card
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import PACKAGE
from laager.rules.platoon_leader.report.form import FATES, report_form
from laager.tables import file as tables

from .field_help import collect_help, model
from .pages import DOCS, PAGES, Block, blocks, first_column, marked, text_of, words_in_code

MODELS = marked("model")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_field_is_documented(name: str) -> None:
    fields = [info.alias or field for field, info in model(name).model_fields.items()]
    assert sorted(first_column(MODELS[name])) == sorted(fields)


def test_editors_show_the_help_that_stands_on_the_pages() -> None:
    assert json.loads(FIELD_HELP.read_text("utf-8")) == collect_help(), "run make schemas"
    schema: dict[str, Any] = schema_of("pl-card")
    assert schema["properties"]["tvp"]["description"] == "Location: points, such as `{P11: 3, R15.2: 1}`."
    assert "description" not in schema["$defs"]["SideCard"]["properties"]["drm"], "its cell only leads elsewhere"


def parts(module: object) -> Iterable[str]:
    """Return the models of a module that stand in files, without those that only are bases."""
    for name, one in vars(module).items():
        is_model = isinstance(one, type) and issubclass(one, BaseModel)
        if is_model and one.model_fields and one.__module__ == vars(module)["__name__"]:
            yield name


@pytest.mark.parametrize(
    "module", [card, mapfile, tables, dyo_catalogue], ids=["card", "map", "tables", "dyo-catalogue"]
)
def test_every_part_of_a_format_is_documented(module: object) -> None:
    assert set(parts(module)) <= set(MODELS)


@pytest.mark.parametrize("module", [hasl_card, hasl_charts], ids=["card", "charts"])
def test_every_part_of_historical_cards_and_charts_is_documented(module: object) -> None:
    assert {f"hasl.{name}" for name in parts(module)} <= set(MODELS)


def test_tables_of_historical_campaigns() -> None:
    assert first_column(marked("words")["TABLES"]) == list(hasl_charts.TABLES)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_needed_fields_are_said_to_be_needed(name: str) -> None:
    table = MODELS[name]
    if "| Default |" not in table:
        return
    rows = [line.split("|") for line in table.splitlines()[2:]]
    needed = {word for row in rows if "needed" in row[2] for word in words_in_code(row[1])}
    required = {info.alias or field for field, info in model(name).model_fields.items() if info.is_required()}
    assert required <= needed, f"{required - needed} must be given"
    # "needed for …", "needed once": what the checks beyond the model want.
    bare = {word for row in rows if row[2].strip() == "needed" for word in words_in_code(row[1])}
    assert bare - required <= {"remind", "leaders"}, f"{bare - required} can be left out"


@pytest.mark.parametrize(
    ("name", "known"), [("TERRAINS", terrain.TERRAINS), ("FEATURES", terrain.FEATURES), ("HEXSIDES", terrain.HEXSIDES)]
)
def test_words_of_maps(name: str, known: tuple[str, ...]) -> None:
    page = text_of(DOCS / "cards" / "map.md")
    body = page.split(f"<!-- words: {name} -->")[1].split("<!--")[0].split("\n\n##")[0]
    assert words_in_code(body.split(":   ")[1]) == list(known)


@pytest.mark.parametrize(("name", "known"), [("RgKind", card.RgKind), ("Moment", clauses.Moment)])
def test_words_of_enums(name: str, known: type[Enum]) -> None:
    body = marked("enum")[name]
    found = first_column(body) if body.startswith("|") else words_in_code(body)
    assert found == [one.value for one in known]


def test_prefixes_of_groups() -> None:
    rows = [line.split("|") for line in marked("enum")["RgKind"].splitlines()[2:]]
    found = {words_in_code(row[1])[0]: row[2].strip() for row in rows}
    assert found == {kind.value: kind.prefix for kind in card.RgKind}


def test_nations() -> None:
    assert words_in_code(marked("nations")[""]) == list(packaged_nations())


def test_fortifications() -> None:
    page = text_of(DOCS / "cards" / "card.md")
    body = page.split("The types are ")[1].split("The rules have no\nprice for")
    assert set(words_in_code(body[0])) == {row.type for row in charts().fortifications.rows}
    without = {row.type for row in charts().fortifications.rows if not row.priced}
    assert set(words_in_code(body[1].split(".")[0])) == without


def test_readings() -> None:
    known = readings.Readings.load_packaged(PACKAGE)
    rows = [line.split("|") for line in marked("readings")[""].splitlines()[2:]]
    found = {words_in_code(row[1])[0]: words_in_code(row[4]) for row in rows}
    assert {id_: options[0] for id_, options in found.items()} == known.defaults
    assert {id_: set(options) for id_, options in found.items()} == {
        id_: set(reading.options) for id_, reading in known.items()
    }


def test_entry_types() -> None:
    assert set(first_column(marked("entry types")[""])) == set(get_args(EntryType))


def test_forms() -> None:
    rows = text_of(DOCS / "reference" / "answers.md").split("| Form |")[1].split("\n\n")[0]
    known = [cls.kind for cls in Form.__subclasses__() if cls.__module__ == Form.__module__]
    assert sorted(first_column(f"|{rows}")) == sorted(known)


def test_battle_report() -> None:
    form = report_form()
    assert first_column(marked("report")[""]) == [part.name for part in form.fields]
    rows = {
        part.name: [field.name for field in part.form.row.fields]
        for part in form.fields
        if isinstance(part.form, Rows) and isinstance(part.form.row, Record)
    }
    found = {name: first_column(body) for name, body in marked("report").items() if name}
    assert found == rows


def test_fates_and_markers() -> None:
    assert first_column(marked("fates")[""]) == list(FATES)
    assert words_in_code(marked("marks")[""]) == [mark.value for mark in FITS]


@pytest.mark.parametrize("protocol", [Ruleset, PlayedRuleset])
def test_protocols(protocol: type) -> None:
    members = {name for name in vars(protocol) if not name.startswith("_")}
    body = marked("protocol")[protocol.__name__]
    assert {name.split("(")[0] for name in first_column(body)} == members


def test_dice() -> None:
    dice = SeededDice(bytes(range(32)))
    rows = [line.split("|") for line in marked("dice")[""].splitlines()[2:]]
    assert len(rows) > 4
    for row in rows:
        stream = words_in_code(row[1])[0]
        faces = dice.faces(Dice(row[3].strip()), stream, int(row[2]))
        assert row[4].strip() == ", ".join(map(str, faces))
    assert dice.commitment in text_of(DOCS / "reference" / "dice.md")


YAML = [
    block
    for page in PAGES
    for block in blocks(page)
    if block.language == "yaml" and block.text.startswith("laager: answers/1")
]


@pytest.mark.parametrize("block", YAML, ids=str)
def test_answers_files_are_good(block: Block) -> None:
    check(parse_document(block.text, str(block)), answers.AnswersFile)


def test_there_are_answers_files() -> None:
    assert len(YAML) > 2
