"""Parts and fields of the record, and what stands in them, in players' words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.rules.board.sentences import FIELD_WORDS

FIELDS: Mapping[str, str] = {
    **FIELD_WORDS,
    "at": "in",
    "with_unit": "with",
    "name": "named",
    "stood": "stood in",
    "since": "in the OB since",
    "known": "known to the enemy",
    "fought": "took part",
    "known_minefield": "known minefield",
    "hidden": "hidden",
    "cp": "CP",
    "fp": "FP",
    "cpp": "CPP",
    "fpp": "FPP",
    "elr": "ELR",
    "san": "SAN",
    "secret_san": "SAN bought in secret",
    "cvp": "CVP",
    "cvp_total": "CVP in all",
    "tvp": "TVP",
    "tvp_now": "TVP of this firefight",
    "attack": "Attack Option",
    "attacks": "Attack chits",
    "idles": "Idle chits",
    "bought": "bought",
    "bought_now": "bought for this battle",
    "leaders_lost": "leaders lost",
    "control": "Control of",
    "block_control": "Control of Block",
    "crests": "Control of the crest of",
    "changes": "ground of",
    "nvr": "NVR",
    "ec": "EC",
    "moves_first": "moves first",
    "sets_up_first": "sets up first",
    "last_turn": "last turn",
    "ammunition": "Ammunition Shortage",
    "fpp_spent": "FPP spent",
}
"""What is said for fields whose names don't read well."""


def field_in_words(part: str, name: str) -> str:
    """Return what players call a field: `Control of H7` for `control[H7]`."""
    field, bracket, item = name.partition("[")
    if part == "groups" and field == "changes":
        return field
    word = FIELDS.get(field, field.replace("_", " "))
    return f"{word} {item.removesuffix(']')}" if bracket else word


def value_in_words(value: Any) -> str:
    """Return a plain value in words: nothing is “–”."""
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping) and {"laager", "rules"} <= value.keys():
        return ", ".join(value["rules"])
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_in_words(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(value_in_words(item) for item in value)
    return str(value)
