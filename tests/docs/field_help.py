"""The help for each field of a file, made from the tables of the documentation.

`.venv/bin/python -m tests.docs.field_help` writes it anew; a test holds it to what the pages say. It stands in the JSON
Schemas, so that editors show it.
"""

from __future__ import annotations

import json
import re

from pydantic import BaseModel

from laager.campaign import clauses, readings, summary
from laager.campaign.house import file as house
from laager.catalogue import model as catalogue
from laager.catalogue.dyo import model as dyo_catalogue
from laager.cli.play import answers
from laager.hexmap.files import mapfile
from laager.kinds import FIELD_HELP
from laager.rules.board.card import parts as shared
from laager.rules.board.hasl import charts as hasl_charts
from laager.rules.board.hasl.card import card as hasl_card
from laager.rules.platoon_leader.card import card
from laager.tables import file as tables

from .pages import marked, words_in_code

MODULES = (card, shared, mapfile, catalogue, dyo_catalogue, answers, readings, clauses, tables, summary, house)
FAMILIES = {"": MODULES, "hasl": (hasl_card, hasl_charts, shared)}
"""Modules whose models have a prefix on the pages, as others have some of the same names."""

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SEE = re.compile(r"[,;]? *\bsee (below|the next table|" + _LINK.pattern + r")$")


def model(named: str) -> type[BaseModel]:
    family, _, name = named.rpartition(".")
    found = {getattr(module, name, None) for module in FAMILIES[family]} - {None}
    assert len(found) == 1, f"{name} is in {len(found)} modules"
    one = found.pop()
    assert isinstance(one, type)
    assert issubclass(one, BaseModel)
    return one


def collect_help() -> dict[str, dict[str, str]]:
    """Return what the pages say of each field, by the full name of its model."""
    found: dict[str, dict[str, str]] = {}
    for name, table in sorted(marked("model").items()):
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
        fields = {field: text for row in rows if (text := plain(row[-1])) for field in words_in_code(row[0])}
        cls = model(name)
        found[f"{cls.__module__}.{cls.__qualname__}"] = fields
    return found


def plain(meaning: str) -> str:
    """Return a cell as a sentence for editors, which know no links; "" if it only leads elsewhere."""
    text = _LINK.sub(r"\1", _SEE.sub("", meaning)).strip()
    return text[:1].upper() + text[1:] + "." * (not text.endswith(("…", ".", ")"))) if text else ""


if __name__ == "__main__":
    FIELD_HELP.write_text(json.dumps(collect_help(), indent=2, ensure_ascii=False) + "\n", "utf-8")
