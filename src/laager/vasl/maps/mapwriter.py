"""Map files as text: written whole, or changed where a hex is marked.

A whole file has its hexes in ranges, leaves empty parts out, and has lines that people can read. In a file that
changes, everything else stays as it is, to the letter: the value is written again, and comments inside it move
above it. Places are found by the marks that the parser leaves on every node.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, Problem
from laager.base.files import compose
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
"""Values of fields that are left out."""


def compact(names: Iterable[str]) -> list[str]:
    """Return hexes with runs along a column as ranges: A1, A2, A3, C4 as A1-A3, C4."""
    parsed = sorted(name for name in map(parse_name, names) if name is not None)
    runs: list[list[HexName]] = []
    for name in parsed:
        last = runs[-1][-1] if runs else None
        if last is not None and last[:2] == name[:2] and last.row + 1 == name.row:
            runs[-1].append(name)
        else:
            runs.append([name])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def document(parts: Mapping[str, Any], notes: Iterable[str] = ()) -> str:
    """Return a map file with those parts, below notes as comments; empty parts are left out."""
    lines = ["# Made from VASL boards by `laager vasl import`. Yours to correct and to add to."]
    lines += [line for note in notes for line in _lines(note, "# ", "# ")]
    for key, value in parts.items():
        if isinstance(value, str):
            lines += _text(key, value)
        elif isinstance(value, Mapping) and value:
            lines.append(f"{key}:")
            for kind, items in value.items():
                lines += [f"  {scalar(kind)}: {scalar(items)}"] if isinstance(items, str) else _list(kind, items)
        elif isinstance(value, Sequence) and value and isinstance(value[0], str):
            lines += _list(key, value, "", raw=True)
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


def _list(kind: str, items: Sequence[str] | str, indent: str = "  ", *, raw: bool = False) -> list[str]:
    word = kind if raw else scalar(kind)
    if isinstance(items, str):
        return [f"{indent}{word}: {scalar(items)}"]
    return _lines(f"[{', '.join(map(scalar, items))}]", f"{indent}{word}: ", f"{indent}  ")


def _entry(entry: Mapping[str, Any], indent: str = "  ") -> list[str]:
    """Return an entry of a list on one line, or on several if its hexes need them."""
    return _lines(_flow(entry), f"{indent}- ", f"{indent}    ")


def _flow(entry: Mapping[str, Any]) -> str:
    """Return an entry in braces; fields that have their default value, or none, are left out."""
    fields = []
    for key, value in entry.items():
        if value in ([], {}) or (key in _DEFAULTS and value == _DEFAULTS[key]):
            continue
        if isinstance(value, list):
            fields.append(f"{key}: [{', '.join(map(scalar, value))}]")
        elif isinstance(value, Mapping):
            pairs = (f"{scalar(name)}: {scalar(item)}" for name, item in value.items())
            fields.append(f"{key}: {{{', '.join(pairs)}}}")
        else:
            fields.append(f"{key}: {scalar(value)}")
    return "{" + ", ".join(fields) + "}"


def _lines(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )


_COMMENT = re.compile(r"#.*")

Lists = Mapping[str, Sequence[str] | str | None]
"""New contents of the kinds of a part: their hexes, or None if there are none left; a text for a part of texts."""


@dataclass(frozen=True)
class Entries:
    """Changes to a list of entries: all there were, those that change by their number, those that are new.

    An entry that changes to None goes away.
    """

    before: Sequence[Mapping[str, Any]]
    changed: Mapping[int, Mapping[str, Any] | None]
    added: Sequence[Mapping[str, Any]]

    @property
    def after(self) -> list[Mapping[str, Any]]:
        """All entries that there are now."""
        entries = [self.changed.get(number, entry) for number, entry in enumerate(self.before)]
        return [entry for entry in (*entries, *self.added) if entry is not None]


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def rewrite(
    text: str,
    lists: Mapping[str, Lists],
    entries: Mapping[str, Entries],
    name: str,
    plain: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return the text of a map file with changed lists by part and kind, and changed entries.

    `plain` are parts that are one list of hexes. Raises DataError if the file as a whole stands in braces, as
    JSON does.
    """
    root = compose(text, name)
    if root.flow_style:
        right = "write it as YAML, a line for each part"
        raise DataError([Problem("the whole map stands in braces", right, file=name)])
    editor = _Editor(text, root)
    for part, kinds in lists.items():
        if kinds:
            editor.change(part, kinds)
    for part, change in entries.items():
        editor.change_entries(part, change)
    for part, items in (plain or {}).items():
        editor.set_list(part, items)
    return editor.apply_edits()


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

    def apply_edits(self) -> str:
        text = self.text
        for edit in sorted(self.edits, key=lambda edit: -edit.start):
            text = text[: edit.start] + edit.text + text[edit.end :]
        if self.behind:
            text = text.rstrip("\n") + "\n" + "\n".join(self.behind) + "\n"
        return text

    def change(self, part: str, kinds: Lists) -> None:
        """Change lists of a part, kind by kind if it is written so, else the part as a whole."""
        node = self.parts.get(part)
        if node is None:
            lines = [line for kind, items in kinds.items() if items for line in _list(kind, items)]
            self.behind += [f"{part}:", *lines] if lines else []
            return
        key, value = node
        if value.id != "mapping" or value.flow_style or not value.value:
            self._whole(part, key, value, kinds)
            return
        known = {str(key_node.value): (key_node, list_) for key_node, list_ in value.value}
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

    def change_entries(self, part: str, change: Entries) -> None:
        """Write entries of a list at the top of the file anew, take some out, add others."""
        node = self.parts.get(part)
        added = [line for entry in change.added for line in _entry(entry)]
        if node is None:
            self.behind += [f"{part}:", *added] if added else []
            return
        key, value = node
        if not change.after:
            self._remove(key, value)
        elif (
            value.id == "sequence"
            and value.value
            and not value.flow_style
            and self._start_at_dashes(value, change.changed)
        ):
            indent = " " * value.start_mark.column
            for number, entry in change.changed.items():
                self._change_entry(value.value[number], entry, indent)
            added = [line for entry in change.added for line in _entry(entry, indent)]
            if added:
                self._insert_below(self._end(value), added)
        else:
            start, end = self._offset(key.start_mark), self._end(value)
            lines = [line for entry in change.after for line in _entry(entry)]
            self._put(start, end, [f"{part}:", *lines], "")

    def _start_at_dashes(self, value: Any, numbers: Iterable[int]) -> bool:
        """Return True if entries begin on the lines of their dashes, and nothing else does."""
        starts = [self._offset(value.value[number].start_mark) for number in numbers]
        return all(self.text[self.text.rfind("\n", 0, start) + 1 : start].strip() == "-" for start in starts)

    def _change_entry(self, node: Any, entry: Mapping[str, Any] | None, indent: str) -> None:
        """Write an entry of a list in lines anew, from its dash on, or take it out."""
        start, end = self._offset(node.start_mark), self._end(node)
        line_start = self.text.rfind("\n", 0, start) + 1
        if entry is not None:
            self._put(line_start + len(indent), end, _entry(entry, indent), indent)
            return
        line_end = self.text.find("\n", end)
        line_end = len(self.text) if line_end < 0 else line_end + 1
        comments = _COMMENT.findall(self.text[line_start:line_end])
        self.edits.append(_Edit(line_start, line_end, "".join(f"{indent}{comment}\n" for comment in comments)))

    def set_list(self, part: str, items: Sequence[str]) -> None:
        """Write a part that is one list of hexes; without hexes it goes away."""
        node = self.parts.get(part)
        lines = _list(part, items, "") if items else []
        if node is None:
            self.behind += lines
        elif lines:
            self._put(self._offset(node[0].start_mark), self._end(node[1]), lines, "")
        else:
            self._remove(*node)

    def _whole(self, part: str, key: Any, value: Any, kinds: Lists) -> None:
        """Write a part anew, kind by kind."""
        old: dict[str, Sequence[str] | str | None] = {
            str(key_node.value): items.value if items.id == "scalar" else [str(item.value) for item in items.value]
            for key_node, items in (value.value if value.id == "mapping" else ())
        }
        new = {kind: items for kind, items in {**old, **kinds}.items() if items}
        start, end = self._offset(key.start_mark), self._end(value)
        lines = [f"{part}:"] if new else [f"{part}: {{}}"]
        for kind, items in new.items():
            lines += _list(kind, items)
        self._put(start, end, lines, "")

    def _replace(self, key: Any, value: Any, items: Sequence[str] | str, indent: str) -> None:
        start, end = self._offset(key.start_mark), self._end(value)
        word = self.text[start : self._offset(key.end_mark)]
        self._put(start, end, _list(word, items, indent, raw=True), indent)

    def _put(self, start: int, end: int, lines: list[str], indent: str) -> None:
        """Write lines in place of a piece of text; comments in it come before them."""
        comments = [f"{indent}{comment}" for comment in _COMMENT.findall(self.text[start:end])]
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
        kept = "".join(f"{indent}{comment}\n" for comment in comments)
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
