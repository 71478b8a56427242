"""The forms in which an order of battle is written for use elsewhere, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.historical import historical
from laager.rules.design_your_own.exports.platoon_leader import platoon_leader
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.ob_file import ob_data


def _as_ob(cg: Cg, sides: tuple[str, ...]) -> str:
    return yaml_text(ob_data(cg, sides[0]))


def _as_pl(cg: Cg, sides: tuple[str, ...]) -> str:
    return platoon_leader(cg, sides[0]).text


def _as_hasl(cg: Cg, sides: tuple[str, ...]) -> str:
    return historical(cg, sides[0]).text


def _as_templates(cg: Cg, sides: tuple[str, ...]) -> str:
    return json.dumps(vasl_templates(cg, sides), ensure_ascii=False, indent=2) + "\n"


FORMS: Mapping[str, Callable[[Cg, tuple[str, ...]], str]] = {
    "ob": _as_ob,
    "pl": _as_pl,
    "hasl": _as_hasl,
    "vasl-templates": _as_templates,
}
"""How an order of battle is written, by the name of the form."""

OF_BOTH = "vasl-templates"
"""The form that can hold the orders of battle of both sides."""


def yaml_text(data: Mapping[str, Any]) -> str:
    """Return plain data as the text of a file."""
    import yaml

    text: str = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=100)
    return text
