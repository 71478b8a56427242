"""Map files as text: hexes in ranges, empty parts left out, lines that people can read."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laager.hexmap.coords import HexName, parse_name

WIDTH = 100

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9/-]*")
_NUMBER = re.compile(r"[0-9]+([Ee][0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+")
_WORDS = frozenset({"true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL"})

_DEFAULTS: Mapping[str, Any] = {
    "board": "",
    "first_column": "A",
    "grain": "normal",
    "reversed": False,
    "cellar": False,
    "levels": 0,
}
"""What a field is if it is left out."""


def compact(names: Iterable[str]) -> list[str]:
    """Return hexes with runs along a column as ranges: A1, A2, A3, C4 as A1-A3, C4."""
    parsed = sorted(one for one in map(parse_name, names) if one is not None)
    runs: list[list[HexName]] = []
    for one in parsed:
        last = runs[-1][-1] if runs else None
        if last is not None and last[:2] == one[:2] and last.row + 1 == one.row:
            runs[-1].append(one)
        else:
            runs.append([one])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def document(parts: Mapping[str, Any]) -> str:
    """Return a map file with those parts; empty ones are left out."""
    lines = ["# Made from VASL boards by `laager vasl import`. Yours to correct and to add to."]
    for key, value in parts.items():
        if isinstance(value, str):
            lines += _text(key, value)
        elif isinstance(value, Mapping) and value:
            lines.append(f"{key}:")
            for kind, items in value.items():
                lines += _wrapped(f"  {scalar(kind)}: ", items)
        elif isinstance(value, Sequence) and value:
            lines.append(f"{key}:")
            for entry in value:
                lines += _entry(entry)
    return "\n".join(lines) + "\n"


def scalar(value: Any) -> str:
    """Return a value as YAML writes it; text in quotes where it would be taken for another."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and not _NUMBER.fullmatch(text) and text not in _WORDS:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(key: str, text: str) -> list[str]:
    if len(text) < WIDTH - 20:
        return [f"{key}: {scalar(text)}"]
    return [f"{key}: >-", *_lines(text, "  ", "  ")]


def _entry(entry: Mapping[str, Any]) -> list[str]:
    """Return an entry of a list on one line, or on several if its hexes need them."""
    fields = []
    for key, value in entry.items():
        if key in _DEFAULTS and value == _DEFAULTS[key]:
            continue
        if isinstance(value, list):
            if value:
                fields.append(f"{key}: [{', '.join(map(scalar, value))}]")
        elif isinstance(value, Mapping):
            if value:
                pairs = (f"{scalar(name)}: {scalar(one)}" for name, one in value.items())
                fields.append(f"{key}: {{{', '.join(pairs)}}}")
        else:
            fields.append(f"{key}: {scalar(value)}")
    return _lines("{" + ", ".join(fields) + "}", "  - ", "      ")


def _wrapped(head: str, items: Sequence[str]) -> list[str]:
    return _lines("[" + ", ".join(map(scalar, items)) + "]", head, "    ")


def _lines(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )
