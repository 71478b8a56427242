"""Parts of a file as forms, made from the JSON Schema of its kind.

A part is named by the way to it, `sides/axis/rg/3` (places in lists from 1). Plain fields are
entered in place, lists of plain parts as tables; whatever goes deeper is a part of its own. What
becomes of what is entered is told in `entering`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote

from laager.base import Refusal, RefusedError
from laager.base.files import parse_document
from laager.kinds import kind_of
from laager.web.services.library import editing

MOST_ROWS = 400
SPARE_ROWS = 2
"""So many empty rows stand below a table, for what is added."""


@dataclass(frozen=True)
class Entry:
    """A plain field of a form: `kind` is text, area, choice, yes-no or list."""

    name: str
    label: str
    kind: str
    value: str = ""
    options: tuple[str, ...] = ()
    expects: str = ""
    meaning: str = ""
    required: bool = False
    there: bool = True
    """Whether the file has the field; one that is left empty is left out."""


@dataclass(frozen=True)
class Grid:
    """A list of plain parts, as a table: a row for each, and some to add."""

    name: str
    label: str
    meaning: str
    columns: tuple[Entry, ...]
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True)
class Below:
    """A part that has a form of its own: its name, its way, and what is in it."""

    label: str
    way: str
    summary: str
    there: bool = True


@dataclass(frozen=True)
class Branch:
    """Several parts of one kind: a list, or parts by names."""

    name: str
    label: str
    meaning: str
    parts: tuple[Below, ...]
    named: bool
    """Whether each has a name, and is no place in a list."""


@dataclass(frozen=True)
class Sheet:
    """A part of a file as a form."""

    way: str
    title: str
    meaning: str
    kind: str
    entries: tuple[Entry, ...] = ()
    grids: tuple[Grid, ...] = ()
    branches: tuple[Branch, ...] = ()
    parts: tuple[Below, ...] = ()
    above: tuple[Below, ...] = ()
    in_list: bool = False
    """Whether it is one of several, which can be removed or copied."""


# Ways ---------------------------------------------------------------------------------------------


def quoted(way: str) -> str:
    """Return a way as it stands in an address."""
    return quote(way, safe="/%")


def steps_of(way: str) -> list[str]:
    """Return the steps of a way."""
    return [unquote(step) for step in way.split("/") if step][:20]


def joined(way: str, *steps: object) -> str:
    """Return a way some steps on."""
    more = [quote(str(step), safe="") for step in steps]
    return "/".join([*([way] if way else []), *more])


# Schemas ------------------------------------------------------------------------------------------


class Shape:
    """A place in a JSON Schema, references followed; `null` is left out of what it may be."""

    def __init__(self, whole: Mapping[str, Any], part: Mapping[str, Any]) -> None:
        self.whole = whole
        self.meaning = editing.first_lines(str(part.get("description", "")))
        self.expects = editing.expects(whole, part)
        self.default = part.get("default")
        self.part = self._settled(part)

    def _settled(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(20):
            if "$ref" in part:
                part = self.whole["$defs"][str(part["$ref"]).rpartition("/")[2]]
                continue
            several = [one for one in part.get("anyOf", part.get("oneOf", ())) if one.get("type") != "null"]
            if len(several) == 1:
                part = several[0]
                continue
            deep = [one for one in several if self._deep(one)]
            # Text or fields can stand there: the form offers the fields.
            if len(deep) == 1 and len(several) == 2:
                part = deep[0]
                continue
            return part
        return part

    def _deep(self, part: Mapping[str, Any]) -> bool:
        if "$ref" in part:
            part = self.whole["$defs"][str(part["$ref"]).rpartition("/")[2]]
        return "properties" in part

    def of(self, part: Any) -> Shape:
        """Return another place of the same schema."""
        return Shape(self.whole, part if isinstance(part, Mapping) else {})

    @property
    def fields(self) -> Mapping[str, Mapping[str, Any]]:
        """The schemas of its fields, by name."""
        found: Mapping[str, Mapping[str, Any]] = self.part.get("properties") or {}
        return found

    @property
    def items(self) -> Shape | None:
        """What stands in a list; None for anything else."""
        return self.of(self.part.get("items")) if self.part.get("type") == "array" else None

    @property
    def free(self) -> Shape | None:
        """What stands behind names of one's own beside the fields; None if there may be none."""
        inner = self.part.get("additionalProperties")
        return self.of(inner) if self.fields and inner else None

    @property
    def values(self) -> Shape | None:
        """What stands behind free names; None for anything else."""
        inner = self.part.get("additionalProperties")
        return self.of(inner) if isinstance(inner, Mapping) and not self.fields else None

    @property
    def plain(self) -> bool:
        """Whether it is a single value, or a list of such."""
        items = self.items
        if items is not None:
            return not items.fields and items.items is None and items.values is None
        return not self.fields and self.values is None

    @property
    def flat(self) -> bool:
        """Whether it is a part of nothing but single values and lists of such."""
        return bool(self.fields) and all(self.of(one).plain for one in self.fields.values())


# Making -------------------------------------------------------------------------------------------


def sheet_of(text: str, name: str, way: str) -> Sheet:
    """Return a part of a file as a form. Raises DataError, or RefusedError for no such part."""
    document = parse_document(text, name)
    kind = kind_of(document)
    shape = Shape(editing.schema(kind), editing.schema(kind))
    here: Any = document.data
    above, done, in_list = [Below(name, "", "")], "", False
    for step in steps_of(way):
        shape, here, in_list = into(shape, here, step)
        done = joined(done, step)
        above.append(Below(_title(here, step), done, ""))
    if shape.plain or shape.items is not None or not (shape.fields or shape.values):
        raise RefusedError(Refusal.NO_SUCH, f"there is no form for {way[:80]!r}", "edit the text")
    made = _Making(done, here)
    made.take(shape)
    return Sheet(
        done, above[-1].label, shape.meaning, kind, tuple(made.entries), tuple(made.grids),
        tuple(made.branches), tuple(made.parts), tuple(above[:-1]), in_list,
    )  # fmt: skip


def into(shape: Shape, here: Any, step: str) -> tuple[Shape, Any, bool]:
    """Return what lies one step on, and whether it is one of several."""
    if step in shape.fields:
        inner = shape.of(shape.fields[step])
        return inner, here.get(step) if isinstance(here, Mapping) else None, False
    if shape.values is not None and isinstance(here, Mapping) and step in here:
        return shape.values, here[step], True
    if shape.items is not None and isinstance(here, list) and step.isdigit() and len(step) < 6:
        place = int(step) - 1
        if 0 <= place < len(here):
            return shape.items, here[place], True
    raise RefusedError(Refusal.NO_SUCH, f"there is no part {step[:60]!r} there")


def _title(data: Any, step: str) -> str:
    """Return what people call a part: its name or id, if it has one."""
    if isinstance(data, Mapping):
        for name in ("id", "name", "title", "type", "kind", "label"):
            if isinstance(data.get(name), str) and data[name]:
                return f"{step}: {data[name]}" if step.isdigit() else step
    return step


def _summary(data: Any) -> str:
    """Return what is in a part, in a few words."""
    if isinstance(data, Mapping):
        words = [str(value) for value in data.values() if isinstance(value, str | int | float)]
        return ", ".join(words)[:80]
    return str(len(data)) if isinstance(data, list) else ("" if data is None else str(data)[:80])


class _Making:
    def __init__(self, way: str, data: Any) -> None:
        self.way = way
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        self.entries: list[Entry] = []
        self.grids: list[Grid] = []
        self.branches: list[Branch] = []
        self.parts: list[Below] = []

    def take(self, shape: Shape) -> None:
        if shape.values is not None:
            self._by_name("", shape.values, self.data, shape.meaning)
            return
        for name, part in shape.fields.items():
            inner = shape.of(part)
            value = self.data.get(name)
            if inner.plain:
                needed = name in shape.part.get("required", ())
                self.entries.append(entry(name, inner, value, name in self.data, needed))
            elif inner.items is not None:
                self._list(name, inner.items, value, inner.meaning)
            elif inner.values is not None:
                rows = value if isinstance(value, Mapping) else {}
                if inner.values.plain:
                    self.grids.append(_names_grid(name, inner, rows))
                else:
                    self._by_name(name, inner.values, rows, inner.meaning)
            else:
                there = name in self.data
                way = joined(self.way, name)
                self.parts.append(Below(name, way, _summary(value), there))

    def _list(self, name: str, items: Shape, value: Any, meaning: str) -> None:
        rows = value if isinstance(value, list) else []
        # Texts that stand where a part could (`8-1` for {type: 8-1}) have no columns.
        if items.flat and all(isinstance(row, Mapping) for row in rows) and len(items.fields) <= 9:
            # The columns of a table are named beside its rows.
            named = self.data.get("columns") if items.free else ()
            self.grids.append(_grid(name, items, rows, meaning, named or ()))
        elif items.fields:
            parts = tuple(
                Below(_title(row, str(i)), joined(self.way, name, i), _summary(row))
                for i, row in enumerate(rows, 1)
                if isinstance(row, Mapping)
            )
            self.branches.append(Branch(name, name, meaning, parts, named=False))

    def _by_name(self, name: str, shape: Shape, value: Mapping[str, Any], meaning: str) -> None:
        if not (shape.fields or shape.values):
            return
        steps = [name] if name else []
        parts = tuple(Below(key, joined(self.way, *steps, key), _summary(one)) for key, one in value.items())
        self.branches.append(Branch(name, name or "names", meaning, parts, named=True))


def entry(name: str, shape: Shape, value: Any, there: bool, required: bool = False) -> Entry:
    """Return a plain field with its value as text."""
    part = shape.part
    base = Entry(name, name, "text", shown(value), (), shape.expects, shape.meaning, required, there)
    if "const" in part:
        return replace(base, kind="choice", options=(str(part["const"]),))
    if "enum" in part:
        return replace(base, kind="choice", options=tuple(map(str, part["enum"])))
    if part.get("type") == "boolean":
        return replace(base, kind="choice", options=("true", "false"))
    if shape.items is not None:
        return replace(base, kind="list")
    if isinstance(value, str) and (len(value) > 70 or "\n" in value):
        return replace(base, kind="area")
    return base


def shown(value: Any) -> str:
    """Return a value as it is typed into a field."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ", ".join(_item(one) for one in value)
        case Mapping():
            return "…"
        case _:
            return str(value)


def _item(value: Any) -> str:
    text = shown(value)
    return f'"{text}"' if "," in text else text


def _grid(name: str, items: Shape, rows: Sequence[Mapping[str, Any]], meaning: str, named: Sequence[Any] = ()) -> Grid:
    needed = items.part.get("required", ())
    shapes = {key: items.of(part) for key, part in items.fields.items()}
    if items.free is not None:
        own = [*(str(key) for key in named), *(key for row in rows for key in row)]
        shapes |= {key: items.free for key in dict.fromkeys(own) if key not in shapes}
    columns = tuple(entry(key, one, None, False, key in needed) for key, one in shapes.items())
    filled: list[Mapping[str, Any]] = [*rows, *({} for _ in range(SPARE_ROWS))]
    return Grid(
        name, name, meaning, columns,
        tuple(
            tuple(
                replace(entry(f"{name}.{i}.{key}", one, row.get(key), key in row), label=key)
                for key, one in shapes.items()
            )
            for i, row in enumerate(filled[:MOST_ROWS], 1)
        ),
    )  # fmt: skip


KEY = "name"
"""The column of a table in which the names of a list by names stand."""


def _names_grid(name: str, shape: Shape, rows: Mapping[str, Any]) -> Grid:
    """Return a list of plain values by names as a table of two columns."""
    assert shape.values is not None
    filled: list[tuple[str, Any]] = [*rows.items(), *(("", None) for _ in range(SPARE_ROWS))]
    values = shape.values
    columns = (Entry(KEY, KEY, "text"), entry("value", values, None, False))
    return Grid(
        name, name, shape.meaning, columns,
        tuple(
            (
                Entry(f"{name}.{i}.{KEY}", KEY, "text", key),
                replace(entry(f"{name}.{i}.value", values, value, True), label="value"),
            )
            for i, (key, value) in enumerate(filled[:MOST_ROWS], 1)
        ),
    )  # fmt: skip
