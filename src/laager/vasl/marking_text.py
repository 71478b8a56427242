"""Changes to the text of a map file: what is not changed stays as it is, to the letter.

A value that changes is written anew, in lines that people can read; comments within it move above
it. Places are found by the marks that ruamel.yaml leaves on every node.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, Problem
from laager.vasl.mapwriter import scalar

WIDTH = 100
_COMMENT = re.compile(r"#.*")

Lists = Mapping[str, Sequence[str] | None]
"""What becomes of the kinds of a part: their hexes, or None if there are none left."""


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def rewritten(
    text: str, lists: Mapping[str, Lists], entries: Mapping[str, Sequence[Mapping[str, Any]]], name: str
) -> str:
    """Return the text of a map file with changed lists by part and kind, and entries added.

    Raises DataError if the file as a whole stands in braces, as JSON does.
    """
    from ruamel.yaml import YAML

    root = YAML(typ="safe", pure=True).compose(text)
    if root.flow_style:
        right = "write it as YAML, a line for each part"
        raise DataError([Problem("the whole map stands in braces", right, file=name)])
    editor = _Editor(text, root)
    for part, kinds in lists.items():
        if kinds:
            editor.change(part, kinds)
    for part, added in entries.items():
        if added:
            editor.add(part, added)
    return editor.done()


class _Editor:
    """Collects edits of a text, to be carried out from its end to its beginning."""

    def __init__(self, text: str, root: Any) -> None:
        self.text = text
        self.edits: list[_Edit] = []
        self.behind: list[str] = []
        self.starts = [0]
        for line in text.splitlines(True):
            self.starts.append(self.starts[-1] + len(line))
        self.parts = {str(key.value): (key, value) for key, value in root.value}

    def done(self) -> str:
        found = self.text
        for edit in sorted(self.edits, key=lambda one: -one.start):
            found = found[: edit.start] + edit.text + found[edit.end :]
        if self.behind:
            found = found.rstrip("\n") + "\n" + "\n".join(self.behind) + "\n"
        return found

    def change(self, part: str, kinds: Lists) -> None:
        """Change lists of a part, kind by kind if it is written so, else the part as a whole."""
        there = self.parts.get(part)
        if there is None:
            lines = [line for kind, items in kinds.items() if items for line in _list(kind, items)]
            self.behind += [f"{part}:", *lines] if lines else []
            return
        key, value = there
        if value.id != "mapping" or value.flow_style or not value.value:
            self._whole(part, key, value, kinds)
            return
        known = {str(one.value): (one, list_) for one, list_ in value.value}
        indent = " " * value.start_mark.column
        if all(kinds.get(kind, ()) is None for kind in known) and not any(kinds.values()):
            self._remove(key, value)
            return
        for kind, items in kinds.items():
            if kind not in known:
                continue
            if items is None:
                self._remove(*known[kind])
            else:
                self._replace(*known[kind], items, indent)
        new = [
            line for kind, items in kinds.items() if kind not in known and items for line in _list(kind, items, indent)
        ]
        if new:
            self._insert_below(self._end(value), new)

    def add(self, part: str, entries: Sequence[Mapping[str, Any]]) -> None:
        """Add entries to a list at the top of the file."""
        there = self.parts.get(part)
        lines = [line for entry in entries for line in _entry(entry)]
        if there is None:
            self.behind += [f"{part}:", *lines]
            return
        key, value = there
        if value.id == "sequence" and value.value and not value.flow_style:
            indent = " " * value.start_mark.column
            lines = [line for entry in entries for line in _entry(entry, indent)]
            self._insert_below(self._end(value), lines)
        elif value.id == "sequence" and value.value:
            # [{...}, {...}] on one line: before the bracket at its end.
            at = self._offset(value.end_mark) - 1
            told = ", ".join(_flow(entry) for entry in entries)
            self.edits.append(_Edit(at, at, f", {told}"))
        else:
            start, end = self._offset(key.start_mark), self._end(value)
            self.edits.append(_Edit(start, end, "\n".join([f"{part}:", *lines])))

    def _whole(self, part: str, key: Any, value: Any, kinds: Lists) -> None:
        """Write a part anew, kind by kind."""
        old = {
            str(one.value): [str(item.value) for item in items.value]
            for one, items in (value.value if value.id == "mapping" else ())
        }
        new = {kind: items for kind, items in {**old, **kinds}.items() if items}
        start, end = self._offset(key.start_mark), self._end(value)
        lines = [f"{part}:"] if new else [f"{part}: {{}}"]
        for kind, items in new.items():
            lines += _list(kind, items)
        self._put(start, end, lines, "")

    def _replace(self, key: Any, value: Any, items: Sequence[str], indent: str) -> None:
        start, end = self._offset(key.start_mark), self._end(value)
        word = self.text[start : self._offset(key.end_mark)]
        self._put(start, end, _list(word, items, indent, raw=True), indent)

    def _put(self, start: int, end: int, lines: list[str], indent: str) -> None:
        """Write lines in place of a piece of text; comments in it come before them."""
        comments = [f"{indent}{one}" for one in _COMMENT.findall(self.text[start:end])]
        self.edits.append(_Edit(start, end, "\n".join([*comments, *lines]).removeprefix(indent)))

    def _remove(self, key: Any, value: Any) -> None:
        """Take out a key with its value, and the lines that they alone stand on."""
        start, end = self._offset(key.start_mark), self._end(value)
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", end)
        line_end = len(self.text) if line_end < 0 else line_end + 1
        alone = not self.text[line_start:start].strip() and not self.text[end:line_end].strip()
        comments = _COMMENT.findall(self.text[start:end])
        indent = self.text[line_start:start]
        kept = "".join(f"{indent}{one}\n" for one in comments)
        if alone:
            self.edits.append(_Edit(line_start, line_end, kept))
        else:
            # A comment stands behind it on its line, and stays.
            self.edits.append(_Edit(start, end, ""))

    def _insert_below(self, at: int, lines: list[str]) -> None:
        """Put lines below the line in which a place lies."""
        end = self.text.find("\n", at)
        if end < 0:
            self.edits.append(_Edit(len(self.text), len(self.text), "\n" + "\n".join(lines)))
        else:
            self.edits.append(_Edit(end, end, "\n" + "\n".join(lines)))

    def _offset(self, mark: Any) -> int:
        return int(self.starts[mark.line]) + int(mark.column)

    def _end(self, node: Any) -> int:
        """Return where a node's text ends, without the blank lines and comments behind it."""
        if node.id == "scalar" or node.flow_style or not node.value:
            return self._offset(node.end_mark)
        last = node.value[-1]
        return self._end(last[1] if isinstance(last, tuple) else last)


def _list(kind: str, items: Sequence[str], indent: str = "  ", *, raw: bool = False) -> list[str]:
    word = kind if raw else scalar(kind)
    return _wrapped(f"[{', '.join(map(scalar, items))}]", f"{indent}{word}: ", f"{indent}  ")


def _entry(entry: Mapping[str, Any], indent: str = "  ") -> list[str]:
    return _wrapped(_flow(entry), f"{indent}- ", f"{indent}    ")


def _flow(entry: Mapping[str, Any]) -> str:
    fields = [
        f"{key}: [{', '.join(map(scalar, value))}]" if isinstance(value, list) else f"{key}: {scalar(value)}"
        for key, value in entry.items()
    ]
    return "{" + ", ".join(fields) + "}"


def _wrapped(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )
