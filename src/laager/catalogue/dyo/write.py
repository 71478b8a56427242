"""A catalogue file as YAML that people like to read: one entry on one line where it fits."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

WIDTH = 116

_PLAIN = re.compile(r"[A-Za-z0-9.(][A-Za-z0-9 ./+*()$%_-]*(?<! )")
_WRAPS = re.compile(r"\S+(?: \S+)*")
"""Texts whose lines can be broken at blanks."""

_ELSE = re.compile(
    r"(?:true|false|null|[-+]?\.?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
    r"|0[ox][0-9a-fA-F]+|[-+]?\.(?:inf|nan)|yes|no|on|off|y|n)",
    re.IGNORECASE,
)
"""Words that YAML, of one version or the other, would not take for text."""


def to_yaml(data: Mapping[str, Any]) -> str:
    """Return a file's plain data as YAML text."""
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for name, value in data.items():
        if isinstance(value, list) and value:
            yield f"{name}:"
            for item in value:
                if isinstance(item, str) and len(item) > WIDTH - 4 and _WRAPS.fullmatch(item):
                    yield "  - >-"
                    yield from textwrap.wrap(
                        item,
                        WIDTH,
                        initial_indent=" " * 4,
                        subsequent_indent=" " * 4,
                        break_long_words=False,
                        break_on_hyphens=False,
                    )
                    continue
                yield from _fold(f"  - {_flow(item)}", "      ")
        elif isinstance(value, dict) and value:
            yield f"{name}:"
            for key, item in value.items():
                yield from _fold(f"  {_name(key)}: {_flow(item)}", "    ")
        else:
            yield f"{name}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_name(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _name(key: str) -> str:
    """Return the name of a field; years and DR need no quotes, for names are always text."""
    return key if key.isdigit() else _scalar(key)


def _scalar(value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and not _ELSE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _fold(line: str, indent: str) -> Iterator[str]:
    """Break a line behind commas of the outer brackets, never within a text."""
    while len(line) > WIDTH:
        cut = _last_comma(line)
        if cut is None:
            break
        yield line[:cut]
        line = indent + line[cut + 1 :]
    yield line


def _last_comma(line: str) -> int | None:
    """Return the place behind the last comma between two items that fits in the width."""
    cut = None
    quoted = escaped = False
    depth = 0
    for place, char in enumerate(line[:WIDTH]):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted, escaped = True, False
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
        elif char == "," and line[place + 1 : place + 2] == " ":
            cut = place + 1
    return cut
