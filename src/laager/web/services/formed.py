"""Parts of a file as forms, made from the JSON Schema of its kind.

A part is named by the way to it, `sides/axis/rg/3` (places in lists from 1). Plain fields are
entered in place, lists of plain parts as tables; whatever goes deeper is a part of its own. What is
entered goes into the text through ruamel.yaml, so that comments and everything else stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.kinds import kind_of
from laager.web.services import editing

MOST_ROWS = 400
SPARE_ROWS = 2
"""So many empty rows stand below a table, for what is added."""

Posted = Mapping[str, str]


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


def _joined(way: str, *steps: object) -> str:
    more = [quote(str(step), safe="") for step in steps]
    return "/".join([*([way] if way else []), *more])


# Schemas ------------------------------------------------------------------------------------------


class _Shape:
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
            several = [
                one for one in part.get("anyOf", part.get("oneOf", ())) if one.get("type") != "null"
            ]
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

    def of(self, part: Any) -> _Shape:
        return _Shape(self.whole, part if isinstance(part, Mapping) else {})

    @property
    def fields(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.part.get("properties") or {}
        return found

    @property
    def items(self) -> _Shape | None:
        """What stands in a list; None for anything else."""
        return self.of(self.part.get("items")) if self.part.get("type") == "array" else None

    @property
    def values(self) -> _Shape | None:
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
    shape = _Shape(editing.schema(kind), editing.schema(kind))
    here: Any = document.data
    above, done, in_list = [Below(name, "", "")], "", False
    for step in steps_of(way):
        shape, here, in_list = _into(shape, here, step)
        done = _joined(done, step)
        above.append(Below(_title(here, step), done, ""))
    if shape.plain or shape.items is not None or not (shape.fields or shape.values):
        raise RefusedError(Refusal.NO_SUCH, f"there is no form for {way[:80]!r}; edit the text")
    made = _Making(done, here)
    made.take(shape)
    return Sheet(
        done, above[-1].label, shape.meaning, kind, tuple(made.entries), tuple(made.grids),
        tuple(made.branches), tuple(made.parts), tuple(above[:-1]), in_list,
    )  # fmt: skip


def _into(shape: _Shape, here: Any, step: str) -> tuple[_Shape, Any, bool]:
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

    def take(self, shape: _Shape) -> None:
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
                way = _joined(self.way, name)
                self.parts.append(Below(name, way, _summary(value), there))

    def _list(self, name: str, items: _Shape, value: Any, meaning: str) -> None:
        rows = value if isinstance(value, list) else []
        # Texts that stand where a part could (`8-1` for {type: 8-1}) have no columns.
        if items.flat and all(isinstance(row, Mapping) for row in rows) and len(items.fields) <= 9:
            self.grids.append(_grid(name, items, rows, meaning))
        elif items.fields:
            parts = tuple(
                Below(_title(row, str(i)), _joined(self.way, name, i), _summary(row))
                for i, row in enumerate(rows, 1)
                if isinstance(row, Mapping)
            )
            self.branches.append(Branch(name, name, meaning, parts, named=False))

    def _by_name(self, name: str, shape: _Shape, value: Mapping[str, Any], meaning: str) -> None:
        if not (shape.fields or shape.values):
            return
        steps = [name] if name else []
        parts = tuple(
            Below(key, _joined(self.way, *steps, key), _summary(one)) for key, one in value.items()
        )
        self.branches.append(Branch(name, name or "names", meaning, parts, named=True))


def entry(name: str, shape: _Shape, value: Any, there: bool, required: bool = False) -> Entry:
    """Return a plain field with its value as text."""
    part = shape.part
    base = Entry(
        name, name, "text", shown(value), (), shape.expects, shape.meaning, required, there
    )
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


def _grid(name: str, items: _Shape, rows: Sequence[Mapping[str, Any]], meaning: str) -> Grid:
    needed = items.part.get("required", ())
    shapes = {key: items.of(part) for key, part in items.fields.items()}
    columns = tuple(entry(key, one, None, False, key in needed) for key, one in shapes.items())
    filled: list[Mapping[str, Any]] = [*rows, *({} for _ in range(SPARE_ROWS))]
    return Grid(
        name, name, meaning, columns,
        tuple(
            tuple(
                entry(f"{name}.{i}.{key}", one, row.get(key), key in row)
                for key, one in shapes.items()
            )
            for i, row in enumerate(filled[:MOST_ROWS], 1)
        ),
    )  # fmt: skip


KEY = "name"
"""The column of a table in which the names of a list by names stand."""


def _names_grid(name: str, shape: _Shape, rows: Mapping[str, Any]) -> Grid:
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
                entry(f"{name}.{i}.value", values, value, True),
            )
            for i, (key, value) in enumerate(filled[:MOST_ROWS], 1)
        ),
    )  # fmt: skip


# Reading ------------------------------------------------------------------------------------------


def typed(sheet: Sheet, posted: Posted) -> Sheet:
    """Return a form with what somebody typed into it."""

    def with_(one: Entry) -> Entry:
        return replace(one, value=posted.get(one.name, one.value))

    return replace(
        sheet,
        entries=tuple(with_(one) for one in sheet.entries),
        grids=tuple(
            replace(grid, rows=tuple(tuple(with_(cell) for cell in row) for row in grid.rows))
            for grid in sheet.grids
        ),
    )


def entered(text: str, name: str, sheet: Sheet, posted: Posted, do: str) -> tuple[str, str]:
    """Return a file's text with what was entered into a form, and the way to go on.

    `do` is save, remove, copy, or `add:FIELD`. Raises DataError for values that cannot be read;
    then nothing is changed.
    """
    yaml, data = editing.loaded(text, name)
    shape = _Shape(editing.schema(sheet.kind), editing.schema(sheet.kind))
    way = steps_of(sheet.way)
    if do in {"remove", "copy"} and sheet.in_list:
        holder = _walked(data, way[:-1])
        to = _removed_or_copied(holder, way, do)
        return editing.dumped(yaml, data, text), to
    here = _made(data, way)
    for step in way:
        shape, _, _ = _into(shape, _stand_in(shape, step), step)
    to = sheet.way
    if do.startswith("add:"):
        to = _added(here, sheet, do.removeprefix("add:"), posted)
    else:
        problems: list[Problem] = []
        for one in sheet.entries:
            if one.name in posted:
                _put(here, one.name, shape.of(shape.fields[one.name]), one, posted, problems)
        for grid in sheet.grids:
            _put_grid(here, grid, shape.of(shape.fields[grid.name]), posted, problems)
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
        if not here and way and not _walked(parse_document(text, name).data, way, None):
            # Nothing was entered into a part that is not there: it is not there still.
            return text, to
    return editing.dumped(yaml, data, text), to


def _stand_in(shape: _Shape, step: str) -> Any:
    """Return data in which a step exists, to walk a schema by it."""
    if shape.items is not None:
        return [None] * int(step)
    return {step: None}


def _walked(data: Any, way: Sequence[str], *missing: Any) -> Any:
    """Return the part at a way; `missing`, if given, for one that is not there."""
    for step in way:
        if missing and isinstance(data, dict | None):
            data = (data or {}).get(step, *missing)
        else:
            data = data[int(step) - 1] if isinstance(data, list) else data[step]
    return data


def _made(data: Any, way: Sequence[str]) -> Any:
    """Return the part at a way, made if it is not there yet."""
    from ruamel.yaml.comments import CommentedMap

    for step in way:
        if isinstance(data, list):
            data = data[int(step) - 1]
            continue
        if data.get(step) is None:
            data[step] = CommentedMap()
        data = data[step]
    return data


def _removed_or_copied(holder: Any, way: list[str], do: str) -> str:
    import copy

    if isinstance(holder, list):
        place = int(way[-1]) - 1
        if do == "remove":
            del holder[place]
            return _joined("", *way[:-2])
        holder.insert(place + 1, copy.deepcopy(holder[place]))
        return _joined("", *way[:-1], place + 2)
    if do == "remove":
        del holder[way[-1]]
        return _joined("", *way[:-1])
    raise RefusedError(Refusal.BAD_ANSWER, "what has a name is added under another name")


def _added(here: Any, sheet: Sheet, name: str, posted: Posted) -> str:
    """Add an empty part to a list, or under a name."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    branch = next((one for one in sheet.branches if one.name == name), None)
    if branch is None:
        raise RefusedError(Refusal.NO_SUCH, f"nothing can be added to {name[:40]!r}")
    if not branch.named:
        if here.get(name) is None:
            here[name] = CommentedSeq()
        here[name].append(CommentedMap())
        return _joined(sheet.way, name, len(here[name]))
    key = posted.get(f"key:{name}", "").strip()
    if not key or len(key) > 60:
        raise DataError([Problem("needs a name", "type one beside the button", name)])
    if name and here.get(name) is None:
        here[name] = CommentedMap()
    holder = here[name] if name else here
    if key in holder:
        raise DataError([Problem(f"there is {key!r} already", "choose another name", name)])
    holder[key] = CommentedMap()
    return _joined(sheet.way, *([name] if name else []), key)


def _put(
    here: Any, key: str, shape: _Shape, cell: Entry, posted: Posted, problems: list[Problem]
) -> None:
    """Put what was typed into a field; one left empty is taken out."""
    raw = posted.get(cell.name, "").replace("\r\n", "\n")
    if raw == cell.value or (cell.kind == "area" and raw.strip() == cell.value.strip()):
        return
    if not raw.strip():
        if key in here:
            del here[key]
        return
    try:
        here[key] = value_of(raw.strip(), shape)
    except DataError as err:
        problems += [replace(one, field=cell.name, line=None, file="") for one in err.problems]


def value_of(text: str, shape: _Shape) -> Any:
    """Return what a typed text means where a schema expects something. Raises DataError."""
    from ruamel.yaml.comments import CommentedSeq

    if shape.items is not None:
        inner = text.removeprefix("[").removesuffix("]") if text.startswith("[") else text
        items = CommentedSeq(_scalar(one, shape.items) for one in _split(inner))
        items.fa.set_flow_style()
        return items
    return _scalar(text, shape)


def _split(text: str) -> list[str]:
    """Return the items of a list typed with commas; those in quotes may hold some."""
    items, item, quote_ = [], "", ""
    for c in text:
        if quote_:
            quote_ = "" if c == quote_ else quote_
            item += c if quote_ else ""
        elif c in "\"'" and not item.strip():
            quote_ = c
        elif c in ",\n":
            items.append(item.strip())
            item = ""
        else:
            item += c
    return [one for one in [*items, item.strip()] if one]


def _scalar(text: str, shape: _Shape) -> Any:
    kinds = _types(shape)
    if kinds == {"string"}:
        return text
    if text[:1] in "[{&*!|>\"'#%@`":
        return text
    value = parse_document(text, "").data
    if isinstance(value, dict | list):
        return text
    if isinstance(value, str) or "string" not in kinds:
        return value
    # Text or a number may stand there: what looks like a number is one if that is allowed.
    allowed = {int: "integer", float: "number", bool: "boolean", type(None): "null"}
    return value if kinds & {allowed[type(value)], "number"} else text


def _types(shape: _Shape) -> set[str]:
    part = shape.part
    found: set[str] = set()
    for one in part.get("anyOf", part.get("oneOf", [part])):
        inner = shape.of(one).part
        if "enum" in inner or "const" in inner:
            values = inner.get("enum", [inner.get("const")])
            found |= {"string" if isinstance(value, str) else "integer" for value in values}
        else:
            found.add(str(inner.get("type", "any")))
    return found


def _put_grid(
    here: Any, grid: Grid, shape: _Shape, posted: Posted, problems: list[Problem]
) -> None:
    """Put the rows of a table into a list; rows left empty are taken out."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if not any(cell.name in posted for row in grid.rows for cell in row):
        return
    if shape.items is None:
        _put_names(here, grid, shape, posted, problems)
        return
    there = here.get(grid.name)
    rows = there if isinstance(there, list) else CommentedSeq()
    empty = []
    for i, row in enumerate(grid.rows):
        if not any(posted.get(cell.name, "").strip() for cell in row):
            if i < len(rows):
                empty.append(i)
            continue
        if i < len(rows):
            target = rows[i]
        else:
            target = CommentedMap()
            target.fa.set_flow_style()
            rows.append(target)
        for cell in row:
            key = cell.name.rpartition(".")[2]
            _put(target, key, shape.items.of(shape.items.fields[key]), cell, posted, problems)
    for i in reversed(empty):
        del rows[i]
    if there is None and rows:
        here[grid.name] = rows


def _put_names(
    here: Any, grid: Grid, shape: _Shape, posted: Posted, problems: list[Problem]
) -> None:
    from ruamel.yaml.comments import CommentedMap

    assert shape.values is not None
    there = here.get(grid.name)
    rows = there if isinstance(there, dict) else CommentedMap()
    seen: set[str] = set()
    for key_cell, cell in grid.rows:
        key = posted.get(key_cell.name, "").strip()
        if key and key in seen:
            problems.append(Problem(f"there is {key!r} twice", "remove one", key_cell.name))
        seen.add(key)
        if key_cell.value and key != key_cell.value:
            rows.pop(_own_key(rows, key_cell.value), None)
        if key and key == key_cell.value and posted.get(cell.name, "").strip() == cell.value:
            continue
        if key and not posted.get(cell.name, "").strip():
            rows.pop(_own_key(rows, key), None)
        elif key:
            moved = key != key_cell.value
            fresh = replace(cell, value="") if moved else cell
            _put(rows, _own_key(rows, key), shape.values, fresh, posted, problems)
    if there is None and rows:
        here[grid.name] = rows


def _own_key(rows: Mapping[Any, Any], key: str) -> Any:
    """Return a name as the file has it: numbers are names, too."""
    if key in rows:
        return key
    return next((one for one in rows if str(one) == key), int(key) if key.isdecimal() else key)


def new_problems(before: Sequence[Problem], after: Sequence[Problem]) -> list[Problem]:
    """Return what is wrong with a file now and was not before."""
    old = {(one.field, one.what) for one in before}
    return [one for one in after if (one.field, one.what) not in old]
