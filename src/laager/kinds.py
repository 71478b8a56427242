"""The kinds of files that users write: by what each is checked, its model, its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, DoubtInWords, Refusal, RefusedError, did_you_mean

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core.core_schema import ModelSchema

    from laager.base.files import Document


def _card(path: Path) -> list[str]:
    from laager.campaign.ruleset import find_ruleset

    return list(find_ruleset("pl").read_card(path, {}).warnings)


def _hasl_card(path: Path) -> list[str]:
    """Check a card by the rule system that it names, else as one that data alone describe."""
    from laager.base.files import read_document
    from laager.campaign.cards import rules_of
    from laager.campaign.ruleset import find_ruleset

    rules = find_ruleset(rules_of(read_document(path).data))
    return list(rules.read_card(path, {}).warnings)


def _hasl_charts(path: Path) -> list[str]:
    from laager.rules.board.hasl.card.loading import load_charts

    return [DoubtInWords(warning) for warning in load_charts(path)[1]]


def _map(path: Path) -> list[str]:
    from laager.hexmap import block_differences, load_map, single_blocks
    from laager.hexmap.terrain import describe_unknown

    map_ = load_map(path)
    unknown = describe_unknown(map_)
    warnings = [f"{unknown}; tell what they are with laager vasl mark"] if unknown else []
    if not map_.blocks.lettered:
        warnings += map(str, (*block_differences(map_), *single_blocks(map_)))
    return warnings


def _tables(path: Path) -> list[str]:
    from laager.base.blanks import reading
    from laager.base.files import read_document
    from laager.tables import tables_of

    reading(read_document(path), tables_of)
    return []


def _catalogue(path: Path) -> list[str]:
    from laager.catalogue import load_catalogue

    load_catalogue([path])
    return []


def _dyo_catalogue(path: Path) -> list[str]:
    from laager.catalogue.dyo import load_dyo

    return [str(warning) for warning in load_dyo(set="published", own=[path]).warnings]


def _fortifications(path: Path) -> list[str]:
    from laager.catalogue import load_fortifications

    load_fortifications(path)
    return []


def _readings(path: Path) -> list[str]:
    from laager.base.files import read_document
    from laager.campaign.readings import Readings

    Readings.of(read_document(path))
    return []


def _index(path: Path) -> list[str]:
    """Check a chapter of a rules index; the other chapters of its folder belong to it."""
    from laager.base.files import read_document
    from laager.campaign.clauses import RulesIndex

    beside = [other for other in sorted(path.parent.glob("*.yaml")) if _mark(other) == _mark(path)]
    RulesIndex.of([read_document(other) for other in (beside or [path])])
    return []


def _mark(path: Path) -> str:
    """Return the kind that the first line of a file names, without reading all of it."""
    try:
        with path.open(encoding="utf-8", errors="replace") as text:
            lines = (line for line in text if line.strip() and not line.startswith("#"))
            return next(lines, "").strip()
    except OSError:
        return ""


def _house(path: Path) -> list[str]:
    """Check house rules against the rule system that they name."""
    from laager.base.files import check, read_document
    from laager.campaign.house import HouseFile, check_house, printed_of
    from laager.campaign.ruleset import find_ruleset, find_rulesets

    document = read_document(path)
    named = check(document, HouseFile).ruleset
    if named not in find_rulesets():
        advice = did_you_mean(named, find_rulesets())
        raise DataError([document.problem(("ruleset",), f"there are no rules {named!r}", advice)])
    try:
        printed = printed_of(find_ruleset(named))
    except RefusedError as err:
        raise DataError([document.problem(("ruleset",), err.problem.what, err.problem.right)]) from None
    return check_house(document, printed)[1]


def _dyo_terms(path: Path) -> list[str]:
    from laager.campaign.ruleset import find_ruleset

    return list(find_ruleset("dyo").read_card(path, {}).warnings)


def _dyo_ob(path: Path) -> list[str]:
    from laager.rules.design_your_own.files import load_ob

    return [str(warning) for warning in load_ob(path).terms.warnings]


def _record(rules: str) -> Callable[[Path], list[str]]:
    """Check a record by its model; if its card ships with Laager, against the card too."""

    def checker(path: Path) -> list[str]:
        from laager.base.files import check, read_document
        from laager.campaign.record import begin_on_paper, chosen_readings
        from laager.campaign.ruleset import find_ruleset

        document = read_document(path)
        ruleset = find_ruleset(rules)
        title = str(document.data.get("card", "")) if isinstance(document.data, dict) else ""
        card = next((card for card in ruleset.shipped_cards().values() if _title(card) == title), None)
        if card is None:
            check(document, model_of(f"{rules}-record"))
            return [f"no card that ships with Laager is called {title!r}; laager new checks it against its card"]
        begin_on_paper(rules, ruleset.read_card(card, chosen_readings(document)), document)
        return []

    return checker


def _title(card: Path) -> str:
    from laager.base.files import read_document
    from laager.base.texts import text_of

    return text_of(read_document(card).data["title"])


def _of_model(kind: str) -> Callable[[Path], list[str]]:
    def checker(path: Path) -> list[str]:
        from laager.base.files import load

        load(path, model_of(kind))
        return []

    return checker


CHECKERS: dict[str, Callable[[Path], list[str]]] = {
    "pl-card": _card,
    "hasl-card": _hasl_card,
    "hasl-charts": _hasl_charts,
    "map": _map,
    "tables": _tables,
    "catalogue": _catalogue,
    "dyo-catalogue": _dyo_catalogue,
    "fortifications": _fortifications,
    "readings": _readings,
    "rules-index": _index,
    "house": _house,
    "pl-charts": _of_model("pl-charts"),
    "abtf-charts": _of_model("abtf-charts"),
    "er-charts": _of_model("er-charts"),
    "pl-record": _record("pl"),
    "hasl-record": _record("hasl"),
    "abtf-record": _record("abtf"),
    "er-record": _record("er"),
    "dyo-record": _record("dyo"),
    "dyo": _dyo_terms,
    "dyo-ob": _dyo_ob,
    "dyo-wishes": _of_model("dyo-wishes"),
    "dyo-charts": _of_model("dyo-charts"),
    "vasl-names": _of_model("vasl-names"),
    "ruling": _of_model("ruling"),
    "temperaments": _of_model("temperaments"),
    "battles": _of_model("battles"),
}
"""How a file of each kind is checked; what is returned are warnings. BlanksError says that only blanks are left."""


MODELS: dict[str, tuple[str, str]] = {
    "pl-card": ("laager.rules.platoon_leader.card.card", "Card"),
    "hasl-card": ("laager.rules.board.hasl.card.card", "Card"),
    "hasl-charts": ("laager.rules.board.hasl.charts", "HaslCharts"),
    "map": ("laager.hexmap.files.mapfile", "MapFile"),
    "tables": ("laager.tables", "TablesFile"),
    "catalogue": ("laager.catalogue", "CatalogueFile"),
    "dyo-catalogue": ("laager.catalogue.dyo", "DyoCatalogueFile"),
    "fortifications": ("laager.catalogue", "FortificationsFile"),
    "readings": ("laager.campaign.readings", "ReadingsFile"),
    "rules-index": ("laager.campaign.clauses", "IndexFile"),
    "house": ("laager.campaign.house", "HouseFile"),
    "pl-charts": ("laager.rules.platoon_leader.charts", "PlCharts"),
    "abtf-charts": ("laager.rules.bridge_too_far.shortage", "ChartsFile"),
    "er-charts": ("laager.rules.edsons_ridge.charts", "ErCharts"),
    "pl-record": ("laager.rules.platoon_leader.record", "RecordFile"),
    "hasl-record": ("laager.rules.board.hasl.record", "RecordFile"),
    "abtf-record": ("laager.rules.bridge_too_far.record", "RecordFile"),
    "er-record": ("laager.rules.edsons_ridge.record", "RecordFile"),
    "dyo-record": ("laager.rules.design_your_own.record", "PurchaseRecord"),
    "dyo": ("laager.rules.design_your_own.terms", "Terms"),
    "dyo-ob": ("laager.rules.design_your_own.files", "ObFile"),
    "dyo-wishes": ("laager.rules.design_your_own.plan.wishes", "Wishes"),
    "dyo-charts": ("laager.rules.design_your_own.charts", "DyoCharts"),
    "vasl-names": ("laager.catalogue.dyo.spelling", "NamesFile"),
    "ruling": ("laager.rules.board.rulings.files", "RulingFile"),
    "temperaments": ("laager.campaign.temperament", "TemperamentsFile"),
    "battles": ("laager.simulation.battles.parameters", "BattlesFile"),
}
"""In which module the model of each kind of file is, by what name."""


KIND_NAMES = {
    "pl-card": "Platoon Leader card",
    "hasl-card": "HASL card",
    "hasl-charts": "HASL charts",
    "map": "Map",
    "tables": "Tables",
    "catalogue": "Catalogue",
    "dyo-catalogue": "DYO catalogue",
    "fortifications": "Fortifications",
    "readings": "Readings",
    "rules-index": "Rules index",
    "house": "House rules",
    "pl-charts": "Platoon Leader charts",
    "abtf-charts": "ABtF charts",
    "er-charts": "ER charts",
    "pl-record": "Record of a Platoon Leader campaign",
    "hasl-record": "Record of a HASL campaign",
    "abtf-record": "Record of an ABtF campaign",
    "er-record": "Record of an ER campaign",
    "dyo-record": "Record of a DYO purchase",
    "dyo": "DYO terms",
    "dyo-ob": "DYO order of battle",
    "dyo-wishes": "DYO wishes",
    "dyo-charts": "DYO charts",
    "vasl-names": "Names of VASL",
    "ruling": "Ruling",
    "temperaments": "Temperaments",
    "battles": "Model of battles",
    "answers": "Answers",
}
"""What people call the kinds of files that they write: `pl-card` is a Platoon Leader card."""


def kind_named(data: Any) -> str:
    """Return the kind that the `laager:` line of a file's data names; "" for none."""
    return str(data.get("laager", "")).partition("/")[0] if isinstance(data, dict) else ""


def kind_of(document: Document) -> str:
    """Return the kind of a file. Raises DataError, with advice, if it names none that there is."""
    kind = kind_named(document.data)
    if kind not in CHECKERS:
        data = document.data
        mark = str(data.get("laager") or "") if isinstance(data, dict) else ""
        known = [f"{name}/1" for name in CHECKERS]
        right = f"begin with laager: KIND/1; {did_you_mean(mark, known, 'kinds are')}"
        wrong = f"{mark!r} isn't a kind of file" if mark else "the file doesn't say its kind"
        raise DataError([document.problem(("laager",), wrong, right)])
    return kind


def add_kind(kind: str, module: str, model: str) -> None:
    """Let there be one more kind, checked by its model alone."""
    MODELS[kind] = (module, model)
    CHECKERS[kind] = _of_model(kind)


def model_of(kind: str) -> type[BaseModel]:
    """Return the model of a kind of file. Raises RefusedError if there is no such kind."""
    if kind not in CHECKERS:
        advice = did_you_mean(kind, CHECKERS, "kinds are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no schema {kind!r}", advice)
    module, name = MODELS[kind]
    model: type[BaseModel] = getattr(import_module(module), name)
    return model


FIELD_HELP = Path(__file__).parent / "packs" / "help.json"
"""What the documentation says of each field, by the full name of its model."""


def schema_of(kind: str) -> dict[str, object]:
    """Return the JSON Schema of a kind of file, with the documentation's help for its fields."""
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

    help_of: dict[str, dict[str, str]] = json.loads(FIELD_HELP.read_text("utf-8"))

    class WithHelp(GenerateJsonSchema):
        def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
            made = super().model_schema(schema)
            cls = schema["cls"]
            for field, text in help_of.get(f"{cls.__module__}.{cls.__qualname__}", {}).items():
                made["properties"][field].setdefault("description", text)
            return made

    made = model_of(kind).model_json_schema(by_alias=True, schema_generator=WithHelp)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Laager {kind}"} | {
        name: part for name, part in made.items() if name != "title"
    }
