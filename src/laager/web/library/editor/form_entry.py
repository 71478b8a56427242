"""What is entered into the form of a part, put into the text of its file.

It goes through ruamel.yaml: comments and everything that was not touched stay.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, rewriting
from laager.base.files import parse_document
from laager.base.texts import is_in_languages, with_languages_of
from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.editor.schema_form import KEY, VALUE, FormSheet, Shape, join_way, schema, step_into, steps_of
from laager.web.shared.forms.data import Data, value_of

Steps = tuple[str, ...]


@dataclass
class _Entry:
    """What is being entered: the language of its texts, and the problems up to now."""

    language: str
    problems: list[Problem]


@dataclass(frozen=True)
class Charts:
    """The charts of a file by what they hold: whole lists, and single values."""

    lists: Mapping[Steps, ChartGrid]
    values: Mapping[Steps, ChartGrid]

    def holding(self, way: str) -> ChartGrid | None:
        """Return the chart that holds a part, if one does."""
        steps = tuple(steps_of(way))
        return next((grid for held, grid in self.lists.items() if steps[: len(held)] == held), None)

    def below(self, way: str) -> list[ChartGrid]:
        """Return the charts of a part and of what is in it."""
        steps = tuple(steps_of(way))
        grids = [grid for held, grid in [*self.lists.items(), *self.values.items()] if held[: len(steps)] == steps]
        return list({grid.id: grid for grid in grids}.values())

    def rest_of(self, sheet: FormSheet) -> FormSheet:
        """Return a form without what stands in charts."""
        here = tuple(steps_of(sheet.way))

        def is_held(name: str) -> bool:
            return (*here, name) in self.lists or (*here, name) in self.values

        fields = tuple(part for part in sheet.form.fields if not is_held(part.name))
        branches = tuple(part for part in sheet.branches if not is_held(part.name))
        return replace(sheet, form=replace(sheet.form, fields=fields), branches=branches)


def charts_of(kind: str, data: Any) -> Charts:
    """Return the charts of a file; none for kinds without any."""
    lists: dict[Steps, ChartGrid] = {}
    values: dict[Steps, ChartGrid] = {}
    for grid in grids_of(kind, data):
        way = tuple(str(step + 1) if isinstance(step, int) else step for step in grid.way)
        if not grid.keys:
            lists[way] = grid
        for key in grid.keys:
            values |= {(*way, *([key] if key else []), *column.way): grid for column in grid.columns}
    return Charts(lists, values)


# What was entered ---------------------------------------------------------------------------------


def fill_form(sheet: FormSheet, data: Data) -> FormSheet:
    """Return a form with what was typed into it."""
    return replace(sheet, value={**sheet.value, **value_of(sheet.form, data)})


def apply_form(text: str, name: str, sheet: FormSheet, data: Data, do: str) -> tuple[str, str]:
    """Return a file's text with what was entered into a form, and the way to go on.

    `do` is save, remove, copy, or `new:FIELD`. Raises DataError for values that can't be read; then nothing is changed.
    """
    yaml, whole = rewriting.load_with_comments(text, name)
    shape = Shape(schema(sheet.kind), schema(sheet.kind))
    way = steps_of(sheet.way)
    if do in {"remove", "copy"} and sheet.in_list:
        to = _removed_or_copied(_part_at(whole, way[:-1]), way, do)
        return rewriting.dump_keeping_layout(yaml, whole, text), to
    here = _make_part(whole, way)
    for step in way:
        shape, _, _ = step_into(shape, _stand_in(shape, step), step)
    if do.startswith("new:"):
        key = next(iter(data.get(f"key:{do.removeprefix('new:')}", ())), "").strip()
        to = _add_part(here, sheet, do.removeprefix("new:"), key)
        return rewriting.dump_keeping_layout(yaml, whole, text), to
    entry = _Entry(sheet.language, [])
    for field, now in value_of(sheet.form, data).items():
        part, was = shape.of(shape.fields[field]), sheet.value[field]
        if isinstance(was, str):
            _put(here, field, part, was, now, field, entry)
        else:
            (_put_rows if part.items else _put_names)(here, field, part, was, now, entry)
    if entry.problems:
        raise DataError(entry.problems, Refusal.BAD_ANSWER)
    was_there = isinstance(_part_at(parse_document(text, name).data, way, None), dict | list)
    if not here and way and not was_there:
        # Nothing was entered into a part that isn't there, or that is a text as yet: it stays so.
        return text, sheet.way
    return rewriting.dump_keeping_layout(yaml, whole, text), sheet.way


def _stand_in(shape: Shape, step: str) -> Any:
    """Return data in which a step exists, to walk a schema by it."""
    if shape.items is not None:
        return [None] * int(step)
    return {step: None}


def _part_at(data: Any, way: Sequence[str], *missing: Any) -> Any:
    """Return the part at a way; `missing`, if given, for one that is not there."""
    for step in way:
        if missing and isinstance(data, dict | None):
            data = (data or {}).get(step, *missing)
        else:
            data = data[int(step) - 1] if isinstance(data, list) else data[step]
    return data


def _make_part(data: Any, way: Sequence[str]) -> Any:
    """Return the part at a way, made if it is not there yet."""
    from ruamel.yaml.comments import CommentedMap

    for step in way:
        if isinstance(data, list):
            data = data[int(step) - 1]
            continue
        if not isinstance(data.get(step), dict | list):
            # Nothing, or a text as yet, such as `14 + DR` or a blank.
            data[step] = CommentedMap()
        data = data[step]
    return data


def _removed_or_copied(holder: Any, way: list[str], do: str) -> str:
    if isinstance(holder, list):
        place = int(way[-1]) - 1
        if do == "remove":
            del holder[place]
            return join_way("", *way[:-2])
        holder.insert(place + 1, copy.deepcopy(holder[place]))
        return join_way("", *way[:-1], place + 2)
    if do == "remove":
        del holder[way[-1]]
        return join_way("", *way[:-1])
    raise RefusedError(Refusal.BAD_ANSWER, "a part with a name can't be copied", "add one under another name")


def _add_part(here: Any, sheet: FormSheet, name: str, key: str) -> str:
    """Add an empty part to a list, or under a name."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    branch = next((candidate for candidate in sheet.branches if candidate.name == name), None)
    if branch is None:
        raise RefusedError(Refusal.NO_SUCH, f"nothing can be added to {name[:40]!r}")
    if not branch.named:
        if here.get(name) is None:
            here[name] = CommentedSeq()
        here[name].append(CommentedMap())
        return join_way(sheet.way, name, len(here[name]))
    if not key or len(key) > 60:
        raise DataError([Problem("needs a name", "type one next to the button", name)])
    if name and here.get(name) is None:
        here[name] = CommentedMap()
    holder = here[name] if name else here
    if key in holder:
        raise DataError([Problem(f"there is {key!r} already", "choose another name", name)])
    holder[key] = CommentedMap()
    return join_way(sheet.way, *([name] if name else []), key)


def _put(here: Any, key: Any, shape: Shape, was: str, now: str, path: str, entry: _Entry) -> None:
    """Put what was typed into a field; one left empty is taken out."""
    if now == was or (now.strip() == was.strip() and "\n" in now):
        return
    if not now.strip():
        if key in here:
            del here[key]
        return
    try:
        here[key] = with_languages_of(here.get(key), read_typed(now.strip(), shape), entry.language)
    except DataError as err:
        entry.problems += [replace(problem, field=path, steps=(), line=None, file="") for problem in err.problems]


def read_typed(text: str, shape: Shape) -> Any:
    """Return what a typed text means where a schema expects something. Raises DataError."""
    from ruamel.yaml.comments import CommentedSeq

    if shape.items is not None:
        inner = text.removeprefix("[").removesuffix("]") if text.startswith("[") else text
        items = CommentedSeq(_scalar(part, shape.items) for part in _split(inner))
        items.fa.set_flow_style()
        return items
    return _scalar(text, shape)


def _split(text: str) -> list[str]:
    """Return the items of a list typed with commas; those in quotes or braces may hold some."""
    items, item, quote_, braces = [], "", "", 0
    for c in text:
        # A text in several languages stays as it is typed, quotes and all.
        if braces or (c == "{" and not item.strip() and not quote_):
            braces += (c == "{") - (c == "}")
            item += c
        elif quote_:
            quote_ = "" if c == quote_ else quote_
            item += c if quote_ else ""
        elif c in "\"'" and not item.strip():
            quote_ = c
        elif c in ",\n":
            items.append(item.strip())
            item = ""
        else:
            item += c
    return list(filter(None, [*items, item.strip()]))


def _scalar(text: str, shape: Shape) -> Any:
    kinds = _types(shape)
    if kinds == {"string"}:
        return text
    if text.startswith("{") and "object" in kinds:
        return _in_languages(text)
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


def _in_languages(text: str) -> Any:
    """Return what is typed as `{en: …, de: …}`; a text in braces that isn't one, as it is."""
    from ruamel.yaml.comments import CommentedMap

    try:
        meanings = parse_document(text, "").data
    except DataError:
        return text
    if not is_in_languages(meanings):
        return text
    made = CommentedMap(meanings)
    made.fa.set_flow_style()
    return made


def _types(shape: Shape) -> set[str]:
    part = shape.part
    types: set[str] = set()
    for choice in part.get("anyOf", part.get("oneOf", [part])):
        inner = shape.of(choice).part
        if "enum" in inner or "const" in inner:
            values = inner.get("enum", [inner.get("const")])
            types |= {"string" if isinstance(value, str) else "integer" for value in values}
        else:
            types.add(str(inner.get("type", "any")))
    return types


Typed = Sequence[Mapping[str, str]]
"""The rows of a table, as they were typed."""


def _put_rows(here: Any, name: str, shape: Shape, was: Typed, now: Typed, entry: _Entry) -> None:
    """Put the rows of a table into a list; rows left empty are taken out."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    assert shape.items is not None
    there = here.get(name)
    rows = there if isinstance(there, list) else CommentedSeq()
    made: list[Any] = []
    for before, row, number in _align_rows(was, now):
        if not any(text.strip() for text in row.values()):
            continue
        if before is not None and before < len(rows):
            target = rows[before]
        else:
            target = CommentedMap()
            target.fa.set_flow_style()
        for key, text in row.items():
            part = shape.items.fields.get(key)
            of = shape.items.free if part is None else shape.items.of(part)
            assert of is not None
            old = was[before][key] if before is not None else ""
            _put(target, key, of, old, text, f"{name}[{number}].{key}", entry)
        made.append(target)
    # Rows that the form did not show stay. One by one, so that comments stay with their rows.
    made += rows[len(was) :]
    for i in reversed(range(len(rows))):
        if not any(rows[i] is row for row in made):
            del rows[i]
    for i, row in enumerate(made):
        if i >= len(rows) or rows[i] is not row:
            rows.insert(i, row)
    if there is None and rows:
        here[name] = rows


def _align_rows(was: Typed, now: Typed) -> Iterator[tuple[int | None, Mapping[str, str], int]]:
    """Yield each row that was sent with the place that it had before, if any, and its number."""
    old, new = ([tuple(row.items()) for row in rows] for rows in (was, now))
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for n in range(d - c):
            yield a + n if a + n < b else None, now[c + n], c + n + 1


def _put_names(here: Any, name: str, shape: Shape, was: Typed, now: Typed, entry: _Entry) -> None:
    """Put the rows of a table into parts by names."""
    from ruamel.yaml.comments import CommentedMap

    assert shape.values is not None
    there = here.get(name)
    rows = there if isinstance(there, dict) else CommentedMap()
    before = {row[KEY]: row[VALUE] for row in was}
    names = [row.get(KEY, "").strip() for row in now]
    for gone in {*before} - {*names}:
        rows.pop(_own_key(rows, gone), None)
    for number, (key, row) in enumerate(zip(names, now, strict=True), 1):
        if key and key in names[: number - 1]:
            entry.problems.append(Problem(f"there is {key!r} twice", "remove one", f"{name}[{number}].{KEY}"))
        elif key:
            path = f"{name}[{number}].{VALUE}"
            _put(rows, _own_key(rows, key), shape.values, before.get(key, ""), row.get(VALUE, ""), path, entry)
    if there is None and rows:
        here[name] = rows


def _own_key(rows: Mapping[Any, Any], key: str) -> Any:
    """Return a name as the file has it: numbers are names, too."""
    if key in rows:
        return key
    return next((row_key for row_key in rows if str(row_key) == key), int(key) if key.isdecimal() else key)


def new_problems(before: Sequence[Problem], after: Sequence[Problem]) -> list[Problem]:
    """Return what is wrong with a file now and was not before."""
    old = {(problem.field, problem.what) for problem in before}
    return [problem for problem in after if (problem.field, problem.what) not in old]
