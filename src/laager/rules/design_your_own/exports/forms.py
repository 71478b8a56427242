"""The forms in which an order of battle is written for use elsewhere, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.cards import card_part
from laager.rules.design_your_own.exports.forces import bbcode_list, plain_list
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.files import ob_data

OF_BOTH = "vasl-templates"
"""The form that can hold the orders of battle of both sides."""


def yaml_text(data: Mapping[str, Any]) -> str:
    """Return plain data as the text of a file."""
    import yaml

    text: str = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=100)
    return text


FORMS: Mapping[str, Callable[[Cg, tuple[str, ...]], str]] = {
    "ob": lambda cg, sides: yaml_text(ob_data(cg, sides[0])),
    "pl": lambda cg, sides: card_part(cg, sides[0], noted=False).text,
    "hasl": lambda cg, sides: card_part(cg, sides[0], noted=True).text,
    "list": lambda cg, sides: plain_list(cg, sides[0]),
    "bbcode": lambda cg, sides: bbcode_list(cg, sides[0]),
    OF_BOTH: lambda cg, sides: json.dumps(vasl_templates(cg, sides), ensure_ascii=False, indent=2) + "\n",
}
"""How an order of battle is written, by the name of the form."""

ENDINGS: Mapping[str, str] = {OF_BOTH: "json", "list": "txt", "bbcode": "txt"}
"""The endings of files in these forms; all others are YAML."""
