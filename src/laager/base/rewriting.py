"""YAML texts that are changed with care: comments, quotes and everything that isn't touched stay."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from laager.base.files import Document, parse_document
from laager.base.problems import DataError, Problem

WIDTH = 100
MOST_CHARACTERS = 300_000
"""Reading a text with its comments takes about a second for every hundred thousand characters."""


_LISTS = re.compile(r"^( *)[^\s#-][^\n]*:[ ]*\n( *)- ", re.MULTILINE)
"""A name with a list below it: how far each is indented."""


def round_trip(text: str) -> Any:
    """Return what reads and writes a text so that its comments and quotes stay."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    # [{type: LMG}] stays as it is, instead of [type: LMG].
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    # Lines as long as the longest that is there: what was folded by hand stays as it is.
    yaml.width = max(WIDTH, max(map(len, text.splitlines()), default=0) + 2)
    if any(len(outer) < len(inner) for outer, inner in _LISTS.findall(text)):
        yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def dump_keeping_layout(yaml: Any, data: Any, was: str = "") -> str:
    """Return data as text; parts at the top that are as in `was` stand there as they stood."""
    out = StringIO()
    yaml.dump(data, out)
    return _with_kept_parts(was, out.getvalue()) if was else out.getvalue()


def _with_kept_parts(was: str, now: str) -> str:
    """Return a new text in which every part that says the same is written as it was before.

    Lists that were folded by hand would be folded anew all over the file otherwise.
    """
    old, new = parse_document(was, "before"), parse_document(now, "now")
    if old.data == new.data:
        return was
    if not isinstance(old.data, dict) or not isinstance(new.data, dict):
        return now
    before, after = _parts(was, old), _parts(now, new)
    head = was[: was.index(next(iter(before.values())))] if before else ""
    made = head + "".join(
        before[key] if key in before and old.data[key] == new.data[key] else part for key, part in after.items()
    )
    try:
        same = parse_document(made, "made").data == new.data
    except DataError:
        same = False
    return made if same else now


def _parts(text: str, document: Document) -> dict[str, str]:
    """Return the text of each part at the top of a file, up to the next one."""
    lines = text.splitlines(keepends=True)
    starts = [(document.lines[(key,)] - 1, key) for key in document.data]
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    return {key: "".join(lines[start:end]) for (start, key), end in zip(starts, ends, strict=True)}


def load_with_comments(text: str, name: str) -> tuple[Any, Any]:
    """Return what reads a text, and its data with comments. Raises DataError.

    The text must have passed `parse_document`: this reader keeps no limits.
    """
    from ruamel.yaml.error import YAMLError

    if len(text) > MOST_CHARACTERS:
        wrong = f"{len(text)} characters are too many for a form"
        raise DataError([Problem(wrong, "edit the text", file=name)])
    yaml = round_trip(text)
    try:
        return yaml, yaml.load(text)
    except (YAMLError, ValueError, RecursionError) as err:
        wrong = f"cannot be edited by a form ({str(err).splitlines()[0][:80]})"
        raise DataError([Problem(wrong, "edit the text", file=name)]) from None
