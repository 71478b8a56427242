"""The shipped JSON Schemas are those of the models, and every shipped data file fits its own."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from laager.base.files import read_document
from laager.cli.reading.files import schema_files
from laager.kinds import CHECKERS

PACKAGE = Path(str(files("laager")))
SHIPPED = PACKAGE / "packs" / "schemas"
DATA = sorted(path for path in PACKAGE.rglob("*.yaml") if path.parent.name != "skeleton")
"""Skeletons have blanks; `tests/cli/test_skeletons.py` fills them in and reads them."""


def kind_of(path: Path) -> str:
    data = read_document(path).data
    assert isinstance(data, dict), path
    return str(data.get("laager", "")).partition("/")[0]


def schema(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SHIPPED / f"{kind}.schema.json").read_text("utf-8"))
    return found


def test_the_shipped_schemas_are_those_of_the_models() -> None:
    made = schema_files()
    assert {path.name for path in SHIPPED.glob("*.json")} == set(made)
    for name, text in made.items():
        shown = (SHIPPED / name).read_text("utf-8")
        assert shown == text, f"{name} is out of date; run make schemas"


@pytest.mark.parametrize("kind", sorted(CHECKERS))
def test_every_schema_is_one(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(kind))


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_shipped_file_fits_its_schema_and_loads(path: Path) -> None:
    kind = kind_of(path)
    jsonschema.Draft202012Validator(schema(kind)).validate(read_document(path).data)
    CHECKERS[kind](path)


def test_a_wrong_file_does_not_fit() -> None:
    card = read_document(PACKAGE / "packs" / "pl" / "rzhavets.yaml").data
    card["sides"]["axis"]["elr"] = 9
    with pytest.raises(jsonschema.ValidationError, match="9 is greater than the maximum"):
        jsonschema.Draft202012Validator(schema("pl-card")).validate(card)
