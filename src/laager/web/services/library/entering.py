"""What is entered into the form of a part , put into the text of its file.

It goes through ruamel.yaml: comments and everything that was not touched stay.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.web.services.library import editing
from laager.web.services.library.formed import Entry, Grid, Shape, Sheet, into, joined, steps_of

Posted = Mapping[str, str]


def typed(sheet: Sheet, posted: Posted) -> Sheet:
    """Return a form with what somebody typed into it."""

    def with_(one: Entry) -> Entry:
        return replace(one, value=posted.get(one.name, one.value))

    return replace(
        sheet,
        entries=tuple(with_(one) for one in sheet.entries),
        grids=tuple(
            replace(grid, rows=tuple(tuple(with_(cell) for cell in row) for row in grid.rows)) for grid in sheet.grids
        ),
    )


def entered(text: str, name: str, sheet: Sheet, posted: Posted, do: str) -> tuple[str, str]:
    """Return a file's text with what was entered into a form, and the way to go on.

    `do` is save, remove, copy, or `add:FIELD`. Raises DataError for values that cannot be read;
    then nothing is changed.
    """
    yaml, data = editing.loaded(text, name)
    shape = Shape(editing.schema(sheet.kind), editing.schema(sheet.kind))
    way = steps_of(sheet.way)
    if do in {"remove", "copy"} and sheet.in_list:
        holder = _walked(data, way[:-1])
        to = _removed_or_copied(holder, way, do)
        return editing.dumped(yaml, data, text), to
    here = _made(data, way)
    for step in way:
        shape, _, _ = into(shape, _stand_in(shape, step), step)
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


def _stand_in(shape: Shape, step: str) -> Any:
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
    if isinstance(holder, list):
        place = int(way[-1]) - 1
        if do == "remove":
            del holder[place]
            return joined("", *way[:-2])
        holder.insert(place + 1, copy.deepcopy(holder[place]))
        return joined("", *way[:-1], place + 2)
    if do == "remove":
        del holder[way[-1]]
        return joined("", *way[:-1])
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
        return joined(sheet.way, name, len(here[name]))
    key = posted.get(f"key:{name}", "").strip()
    if not key or len(key) > 60:
        raise DataError([Problem("needs a name", "type one beside the button", name)])
    if name and here.get(name) is None:
        here[name] = CommentedMap()
    holder = here[name] if name else here
    if key in holder:
        raise DataError([Problem(f"there is {key!r} already", "choose another name", name)])
    holder[key] = CommentedMap()
    return joined(sheet.way, *([name] if name else []), key)


def _put(here: Any, key: str, shape: Shape, cell: Entry, posted: Posted, problems: list[Problem]) -> None:
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


def value_of(text: str, shape: Shape) -> Any:
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


def _scalar(text: str, shape: Shape) -> Any:
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


def _types(shape: Shape) -> set[str]:
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


def _put_grid(here: Any, grid: Grid, shape: Shape, posted: Posted, problems: list[Problem]) -> None:
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
            part = shape.items.fields.get(cell.label)
            of = shape.items.free if part is None else shape.items.of(part)
            assert of is not None
            _put(target, cell.label, of, cell, posted, problems)
    for i in reversed(empty):
        del rows[i]
    if there is None and rows:
        here[grid.name] = rows


def _put_names(here: Any, grid: Grid, shape: Shape, posted: Posted, problems: list[Problem]) -> None:
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
