"""Where the cursor stands in a YAML file that is half typed.

A file is rarely whole while somebody types it, so that lines are read by their indentation, not by a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Step = str | int
"""A field's name, or 0 for an item of a list."""


@dataclass(frozen=True)
class Cursor:
    """The place of a cursor.

    `path` leads to the mapping or list around it. `key` is the field whose value is typed, or None where a name is
    typed; `typed` is what stands there before the cursor. `beside` are the fields that the mapping has already.
    """

    path: tuple[Step, ...]
    key: str | None
    typed: str
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Line:
    """A line of block style: the columns of its dashes and of what follows them, its key, where its value begins."""

    dashes: tuple[int, ...]
    column: int
    key: str | None
    value: int


_LINE = re.compile(
    r"""(?P<dashes>\ *(?:-\ +|-$)*)
        (?:(?P<key>"[^"]*"|'[^']*'|[^\s#\[{"'&*!|>%@](?:(?!\ \#).)*?):(?P<gap>\ +|$))?""",
    re.VERBOSE,
)
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*\s*$")


def find_cursor(lines: Sequence[str], row: int, column: int) -> Cursor | None:
    """Return where a cursor stands (row and column from 0); None inside a comment or a text of several lines."""
    text = lines[row] if row < len(lines) else ""
    before = text[:column]
    if _in_comment(before):
        return None
    line = _read_line(text)
    if line is None or not text.strip():
        line = _Line((), len(before), None, len(text))
    around = _path_around(lines, row, line)
    if around is None:
        return None
    if line.key is None and before[line.column :].startswith(("{", "[")):
        return _find_in_flow(before[line.column :], around, None)
    if line.key is None or column < line.value:
        beside = frozenset(_keys_beside(lines, row, line.column)) - {line.key}
        return Cursor(around, None, before[line.column :].strip(), beside)
    return _find_in_flow(before[line.value :], around, line.key)


def _in_comment(before: str) -> bool:
    plain = re.sub(r"\"[^\"]*\"|'[^']*'", "", before)
    return plain.lstrip().startswith("#") or " #" in plain


def _read_line(text: str) -> _Line | None:
    """Read a line of block style; None for one that is empty or only a comment."""
    if not text.strip() or text.lstrip().startswith("#"):
        return None
    match = _LINE.match(text)
    assert match is not None, "all of it can be empty"
    dashes = tuple(i for i, letter in enumerate(match["dashes"]) if letter == "-")
    key = match["key"].strip().strip("\"'") if match["key"] is not None else None
    return _Line(dashes, match.end("dashes"), key, match.end())


def _path_around(lines: Sequence[str], row: int, line: _Line) -> tuple[Step, ...] | None:
    """Return the path of the mapping that a line belongs to; None in a text of several lines."""
    path: list[Step] = []
    limit, of_list = _step_out_of_lists(path, line.dashes, line.column)
    for above in range(row - 1, -1, -1):
        other = _read_line(lines[above])
        if other is None or (other.column > limit and not other.dashes):
            continue
        if other.key is not None and (other.column < limit or (of_list and other.column == limit)):
            if _BLOCK_TEXT.match(lines[above][other.value :]):
                return None
            path.insert(0, other.key)
            limit, of_list = _step_out_of_lists(path, other.dashes, other.column)
        elif other.dashes and other.column == limit and not of_list:
            limit, of_list = _step_out_of_lists(path, other.dashes, other.column)
    return tuple(path)


def _step_out_of_lists(path: list[Step], dashes: Sequence[int], column: int) -> tuple[int, bool]:
    """Put the lists that begin in a line before a path; return the column around them, and if it is a list's."""
    for _ in dashes:
        path.insert(0, 0)
    return (dashes[0], True) if dashes else (column, False)


def _keys_beside(lines: Sequence[str], row: int, column: int) -> Iterator[str]:
    """Yield the fields of the mapping that the line at `row` belongs to, but for its own."""
    here = _read_line(lines[row]) if row < len(lines) else None
    if not (here and here.dashes):
        yield from _keys_one_way(lines, range(row - 1, -1, -1), column, up=True)
    yield from _keys_one_way(lines, range(row + 1, len(lines)), column, up=False)


def _keys_one_way(lines: Sequence[str], rows: Iterable[int], column: int, up: bool) -> Iterator[str]:
    for other in (_read_line(lines[row]) for row in rows):
        if other is None:
            continue
        begins = bool(other.dashes) and other.dashes[0] < column
        if other.column < column or (begins and not up):
            return
        if other.column == column and other.key is not None:
            yield other.key
        if begins and other.column == column:
            return


def _find_in_flow(before: str, around: tuple[Step, ...], key: str | None) -> Cursor:
    """Return where a cursor stands behind `key:` or a dash, in `{…}` and `[…]` as they are open there."""
    path = list(around)
    keys: list[str | None] = [key]
    beside: list[set[str]] = [set()]
    lengths = [len(path)]
    typed = ""
    for part in re.findall(r"\"[^\"]*\"?|'[^']*'?|[\[\]{},]|:(?=\s|$)|[^\[\]{},:\"']+|:", before):
        if part in ("[", "{"):
            lengths.append(len(path))
            path += [keys[-1]] if keys[-1] is not None else [0] if "[" in beside[-1] else []
            keys.append(None)
            beside.append(set() if part == "{" else {"["})
            typed = ""
        elif part in ("]", "}") and len(keys) > 1:
            del path[lengths.pop() :], keys[-1], beside[-1]
            typed = ""
        elif part == ",":
            keys[-1], typed = (None if len(keys) > 1 else keys[-1]), ""
        elif part == ":" and len(keys) > 1 and "[" not in beside[-1] and keys[-1] is None:
            name, typed = typed.strip().strip("\"'"), ""
            keys[-1] = name
            beside[-1].add(name)
        else:
            typed += part
    if "[" in beside[-1]:
        return Cursor((*path, 0), None, typed.strip())
    return Cursor(tuple(path), keys[-1], typed.strip(), frozenset(beside[-1]))
