"""Files that users write: checking them, and their schemas for editors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Refusal, RefusedError, did_you_mean
from laager.cli.out import say, show_json

if TYPE_CHECKING:
    from pydantic import BaseModel


def _card(path: Path) -> list[str]:
    from laager.campaign.ruleset import find_ruleset

    return list(find_ruleset("pl").read_card(path, {}).warnings)


def _map(path: Path) -> list[str]:
    from laager.hexmap import load_map

    load_map(path)
    return []


def _tables(path: Path) -> list[str]:
    from laager.tables import load_tables

    load_tables(path)
    return []


def _catalogue(path: Path) -> list[str]:
    from laager.catalogue import load_catalogue

    load_catalogue([path])
    return []


def _answers(path: Path) -> list[str]:
    from laager.base.files import load
    from laager.cli.answers import AnswersFile

    load(path, AnswersFile)
    return []


CHECKERS: dict[str, Callable[[Path], list[str]]] = {
    "pl-card": _card,
    "map": _map,
    "tables": _tables,
    "catalogue": _catalogue,
    "answers": _answers,
}


def check(path: Path, as_json: bool) -> None:
    """Check a file by the kind that its `laager:` line names."""
    from laager.base.files import read_document

    document = read_document(path)
    data = document.data
    mark = str(data.get("laager", "")) if isinstance(data, dict) else ""
    kind = mark.partition("/")[0]
    if kind not in CHECKERS:
        known = [f"{name}/1" for name in CHECKERS]
        right = f"begin with laager: KIND/1; {did_you_mean(mark, known, 'kinds are')}"
        raise DataError([document.problem(("laager",), f"{mark!r} is no kind of file", right)])
    warnings = CHECKERS[kind](path)
    if as_json:
        show_json({"file": str(path), "kind": kind, "good": True, "warnings": warnings})
        return
    for warning in warnings:
        say(f"note: {warning}")
    say(f"{path}: a good {kind} file")


def _models() -> dict[str, type[BaseModel]]:
    from laager.catalogue import CatalogueFile
    from laager.cli.answers import AnswersFile
    from laager.hexmap import MapFile
    from laager.rules.platoon_leader.card import Card
    from laager.tables import TablesFile

    return {
        "pl-card": Card,
        "map": MapFile,
        "tables": TablesFile,
        "catalogue": CatalogueFile,
        "answers": AnswersFile,
    }


def schema(kind: str | None, write: Path | None) -> None:
    """Print or write JSON Schemas."""
    models = _models()
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        for name, model in models.items():
            text = json.dumps(_schema_of(name, model), indent=2) + "\n"
            (write / f"{name}.schema.json").write_text(text, encoding="utf-8")
        say(f"{len(models)} schemas in {write}")
        return
    if kind is None:
        say(*models)
        return
    if kind not in models:
        advice = did_you_mean(kind, models)
        raise RefusedError(Refusal.NO_SUCH, f"there is no schema {kind!r}; {advice}")
    show_json(_schema_of(kind, models[kind]))


def _schema_of(name: str, model: type[BaseModel]) -> dict[str, object]:
    made = model.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Laager {name}",
    } | made
