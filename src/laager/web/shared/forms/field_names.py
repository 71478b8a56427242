"""Names of fields as forms say them. Needs no settings: the German texts are gathered with it, too."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset(
    [
        "afv",
        "bpv",
        "ca",
        "cp",
        "cpp",
        "cvp",
        "dm",
        "dr",
        "drm",
        "elr",
        "fp",
        "fpf",
        "fpp",
        "hip",
        "id",
        "lg",
        "mc",
        "mlr",
        "nca",
        "nvr",
        "ob",
        "oba",
        "op",
        "pf",
        "pp",
        "pto",
        "rf",
        "rg",
        "san",
        "sw",
        "tvp",
    ]
)
"""The words of field names that players write in capitals."""
_FIELD_NAME = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def label_of(name: str) -> str:
    """Return what forms call a field: `source_note` is Source note, `fp_per_cp` FP per CP."""
    words = name_in_words(name)
    return words[:1].upper() + words[1:]


def name_in_words(name: str) -> str:
    """Return the name of a field as people write it: `fp_per_cp` is FP per CP."""
    return " ".join(word.upper() if word in _ABBREVIATIONS else word for word in name.split("_") if word)


def without_field_names(text: str) -> str:
    """Return a text in which no field goes by its name in the file."""
    return _FIELD_NAME.sub(lambda match: name_in_words(match[0]), text)
