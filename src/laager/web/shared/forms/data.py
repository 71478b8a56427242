"""Answers as form data: a plain value becomes the fields of a web form, and they a value again.

The names of the fields are paths: `a.units.4.at` is the field `at` of the row that the form calls
4; the row itself is there by a field `a.units` with the value 4, so that the order of these is the
order of the rows. What was typed is kept as it was, also where it cannot be right.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, unquote

from laager.campaign import Choice, Field, Form, Number, Option, Record, Rows, Several, Text, YesNo
from laager.campaign.wording import option_title

ROW_BUTTONS = ("add:", "copy:", "strike:", "more:", "less:", "clear:")
"""What the buttons of a list of rows send."""

COUNTS = ("count", "number")
"""The field of a row that says how many of something it is."""

ROOT = "a"
"""The name of the whole answer in a form."""

PLAIN = ""
"""The name of a form whose fields are sent by their bare names."""

MOST_ROWS = 5000
"""Most rows of one list that are read from a form; no question takes as many."""

Data = Mapping[str, Sequence[str]]
"""Form data: the values of each name, in the order of the form."""

NONE = "none"
"""What is typed or chosen for nothing at all, where an empty field stands for something else."""

QUOTED_NONE = "''"
"""How an answer that is written as text says it; it means the same in a field."""

MISSING: Any = object()
"""What a field that was left open is worth: nothing, so that its default counts."""


def part_name(name: str, part: str) -> str:
    """Return the name of a part of something: a field of a record, a row of a list; parts of `PLAIN` have their own."""
    own = part.replace("%", "%25").replace(".", "%2E")
    return f"{name}.{own}" if name else own


# From a value ------------------------------------------------------------------------------------


def data_of(form: Form, value: Any, name: str = ROOT) -> dict[str, list[str]]:
    """Return the form data of a value, as a browser would send it."""
    return dict(_data(form, value, name))


def _data(form: Form, value: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    match form:
        case Record():
            fields = value if isinstance(value, Mapping) else {}
            for part in form.fields:
                inner = part_name(name, part.name)
                value_ = field_value(part, fields)
                if value_ in ("", [], ()) and says_none(part):
                    yield inner, [NONE]
                else:
                    yield from _data(part.form, value_, inner)
        case Rows():
            rows = value if isinstance(value, list | tuple) else []
            yield name, [str(i) for i in range(len(rows))]
            for i, row in enumerate(rows):
                yield from _data(form.row, row, part_name(name, str(i)))
        case Several():
            yield name, [str(item) for item in several(value)]
        case _:
            yield name, [scalar_text(value)]


def says_none(part: Field) -> bool:
    """True if choosing or writing nothing differs from leaving a field open: its default is None.

    Then nothing is said by NONE.
    """
    if part.required:
        return False
    if isinstance(part.form, Text):
        return not isinstance(part.default, str)
    return isinstance(part.form, Several) and not isinstance(part.default, list | tuple)


def field_value(part: Field, fields: Mapping[str, Any]) -> Any:
    """Return what a field of a record holds: what was given, else its default, else None."""
    return fields.get(part.name, None if part.required else part.default)


def several(value: Any) -> list[Any]:
    """Return what is chosen of several options, however it was written."""
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    return list(value) if isinstance(value, list | tuple) else []


def scalar_text(value: Any) -> str:
    """Return a single value as it stands in a field."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


# To a value --------------------------------------------------------------------------------------


_NOTHING = (NONE, QUOTED_NONE)


def value_of(form: Form, data: Data, name: str = ROOT) -> Any:
    """Return the value that form data stand for, as far as they stand for one.

    It is not checked: that is the question's business. None if a single field was left open.
    """
    value = _value(form, data, name)
    return None if value is MISSING else value


def _value(form: Form, data: Data, name: str) -> Any:
    match form:
        case Record():
            fields = {part.name: _part(part, data, name) for part in form.fields}
            return {key: value for key, value in fields.items() if value is not MISSING}
        case Rows():
            keys = list(dict.fromkeys(data.get(name, ())))[:MOST_ROWS]
            return [_value(form.row, data, part_name(name, key)) for key in keys]
        case Several():
            return _chosen_values(form.options, data.get(name, ()))
        case _:
            return _single(form, data.get(name, ()))


def _part(part: Field, data: Data, name: str) -> Any:
    value = _value(part.form, data, part_name(name, part.name))
    if says_none(part):
        if value in ("", []):
            return MISSING
        if isinstance(value, str) and value.strip() in _NOTHING:
            return ""
        return [item for item in value if item not in _NOTHING] if isinstance(value, list) else value
    # A list or record that can be left out altogether is, if nothing stands in it.
    return MISSING if value in ([], {}) and not part.required and part.default is None else value


def _single(form: Form, values: Sequence[str]) -> Any:
    """Return a field's value: of a checkbox and the `no` that lies under it, the last counts."""
    if not values:
        return MISSING
    text = values[-1]
    match form:
        case YesNo():
            return {"yes": True, "no": False, "": MISSING}.get(text, text)
        case Number():
            return _number(text.strip())
        case Choice():
            return _option_meant(form.options, text)
        case _:
            return text.replace("\r\n", "\n")


def _number(text: str) -> Any:
    if not text:
        return MISSING
    try:
        return int(text) if len(text) < 20 else text
    except ValueError:
        return text


def _option_meant(options: Sequence[Option], text: str) -> Any:
    """Return the option that is meant: by its value, or by the words that are shown for it."""
    values = {option.value for option in options}
    typed = text.strip()
    if typed in values:
        return typed
    if not typed:
        return MISSING
    named = {
        option.value
        for option in options
        if typed.casefold() in {option.value.casefold(), option.label.casefold(), option_title(option).casefold()}
    }
    return named.pop() if len(named) == 1 else typed


def _chosen_values(options: Sequence[Option], values: Sequence[str]) -> list[Any]:
    known = {option.value for option in options}
    chosen: list[Any] = []
    for text in values:
        if text in known:
            chosen.append(text)
        else:
            chosen += [_option_meant(options, word) for word in text.split(",") if word.strip()]
    return chosen


# Rows of a form, added and struck out without a script -------------------------------------------


def new_row(row: Record) -> dict[str, Any]:
    """Return what stands in a new line of a list: 1 where at least one thing is count_of_row."""
    return {
        part.name: 1 for part in row.fields if part.required and isinstance(part.form, Number) and part.form.low == 1
    }


def rows_changed(form: Form, value: Any, do: str) -> Any:
    """Return a value after a button was pressed; unchanged for any other.

    `add:WAY`, `copy:WAY`, `strike:WAY` are about lines; `more:WAY:QUERY` and `less:WAY:QUERY` about how many a list has
    of what the query describes. `clear:WAY` empties a list.
    """
    action, _colon, rest = do.partition(":")
    where, _colon, query = rest.partition(":")
    steps = [unquote(step) for step in where.split("/") if step]
    match action:
        case "add":
            return add_row(form, value, steps)
        case "clear":
            return _at(form, value, [*steps, "-1"], lambda _rows, _at, _row: [])
        case "more":
            return one_more(form, value, steps, dict(parse_qsl(query)))
        case "less":
            return one_less(form, value, steps, dict(parse_qsl(query)))
        case "copy":
            return copy_row(form, value, steps)
        case "strike":
            return strike_row(form, value, steps)
        case _:
            return value


def add_row(form: Form, value: Any, path: Sequence[str]) -> Any:
    """Return a value with one more row in the list at a path of names and row numbers (from 0)."""

    def with_new_row(rows: list[Any], _: int, row: Record) -> list[Any]:
        return [*rows, new_row(row)]

    return _at(form, value, [*path, "-1"], with_new_row)


def is_row_of(row: Any, wanted: Mapping[str, Any]) -> bool:
    """True if a row holds what is wanted; what it leaves out is wanted at its default."""
    return isinstance(row, Mapping) and all(str(row.get(name, text)) == str(text) for name, text in wanted.items())


def count_of_row(row: Any) -> int:
    """Return how many of something a row is."""
    if not isinstance(row, Mapping):
        return 0
    count = row.get(_count_name(row), 1)
    return count if isinstance(count, int) else 0


def _count_name(names: Container[str]) -> str:
    """Return which field of a row says how many of something it is."""
    return next((name for name in COUNTS if name in names), COUNTS[0])


def one_more(form: Form, value: Any, path: Sequence[str], wanted: Mapping[str, str]) -> Any:
    """Return a value with one more of what is wanted: in the last row that holds it, or in a new one."""

    def with_one_more(rows: list[Any], _: int, row: Record) -> list[Any]:
        at = _last_row_of(rows, wanted)
        if at is None:
            return [*rows, {**new_row(row), **value_of(row, {name: [text] for name, text in wanted.items()}, PLAIN)}]
        name = _count_name([part.name for part in row.fields])
        return [*rows[:at], {**rows[at], name: count_of_row(rows[at]) + 1}, *rows[at + 1 :]]

    return _at(form, value, [*path, "-1"], with_one_more)


def one_less(form: Form, value: Any, path: Sequence[str], wanted: Mapping[str, str]) -> Any:
    """Return a value with one less of what is wanted; a row of none is gone."""

    def with_one_less(rows: list[Any], _: int, row: Record) -> list[Any]:
        at = _last_row_of(rows, wanted)
        if at is None:
            return rows
        left = count_of_row(rows[at]) - 1
        return [*rows[:at], *([{**rows[at], _count_name(rows[at]): left}] if left > 0 else []), *rows[at + 1 :]]

    return _at(form, value, [*path, "-1"], with_one_less)


def _last_row_of(rows: Sequence[Any], wanted: Mapping[str, str]) -> int | None:
    return next((i for i in reversed(range(len(rows))) if is_row_of(rows[i], wanted)), None)


def copy_row(form: Form, value: Any, path: Sequence[str]) -> Any:
    """Return a value with the row at a path there twice."""

    def with_copy(rows: list[Any], i: int, _: Record) -> list[Any]:
        return [*rows[: i + 1], rows[i], *rows[i + 1 :]]

    return _at(form, value, path, with_copy)


def strike_row(form: Form, value: Any, path: Sequence[str]) -> Any:
    """Return a value without the row at a path."""

    def without_row(rows: list[Any], i: int, _: Record) -> list[Any]:
        return [*rows[:i], *rows[i + 1 :]]

    return _at(form, value, path, without_row)


def _at(form: Form, value: Any, path: Sequence[str], change: Any) -> Any:
    """Return a value with the list that holds the last step of the path changed."""
    head, rest = path[0] if path else "", path[1:]
    if isinstance(form, Record):
        fields = dict(value) if isinstance(value, Mapping) else {}
        for part in form.fields:
            if part.name == head:
                fields[head] = _at(part.form, field_value(part, fields), rest, change)
        return fields
    if not isinstance(form, Rows):
        return value
    rows = list(value) if isinstance(value, list | tuple) else []
    try:
        i = int(head)
    except ValueError:
        return value
    if not rest:
        return change(rows, i, form.row) if -1 <= i < len(rows) else rows
    if 0 <= i < len(rows):
        rows[i] = _at(form.row, rows[i], rest, change)
    return rows
