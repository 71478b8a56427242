"""Forms and answers in words: what may be answered, what is proposed, what was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laager.campaign.answer_words import in_words
from laager.campaign.forms import Choice, Form, Number, Record, Rows, Several, Text, YesNo
from laager.campaign.sheet import Column, Sheet

if TYPE_CHECKING:
    from laager.campaign.forms import Field, Option

MOST_NAMED = 60
"""Of how many options a comment names each; more are told by their number."""


def value_words(form: Form, value: Any) -> str:
    """Return an answer to a form as people would say it, options by ID and label."""
    if isinstance(form, Choice) and isinstance(value, str):
        return _named_option(form.options, value)
    if isinstance(form, Several) and isinstance(value, list | tuple):
        return ", ".join(_named_option(form.options, str(item)) for item in value) or "none"
    if isinstance(form, Rows) and isinstance(value, list | tuple):
        return f"{len(value)} line{'' if len(value) == 1 else 's'}" if value else "none"
    if isinstance(form, Record) and isinstance(value, Mapping):
        return row_words(form, value)
    return in_words(value)


def option_title(option: Option) -> str:
    """Return what an option is called: its ID, if it has one, and its label."""
    label = option.label or option.value or "none"
    is_id = any(mark.isdigit() or mark.isupper() for mark in option.value)
    return f"{option.value}  {label}" if is_id and option.value not in label else label


def _named_option(options: Sequence[Option], value: str) -> str:
    for option in options:
        if option.value == value:
            # What follows a colon, such as a price, is for choosing.
            return option_title(option).partition(": ")[0]
    return value or "none"


def row_words(form: Record, row: Any) -> str:
    """Return a row as one line; what stands at its default goes without saying."""
    if not isinstance(row, Mapping):
        return in_words(row)
    parts = [
        _part_words(part, row[part.name])
        for part in form.fields
        if part.name in row and (part.required or not _silent(part, row[part.name]))
    ]
    known = {part.name for part in form.fields}
    parts += [f"{name}: {in_words(value)}" for name, value in row.items() if name not in known]
    return ", ".join(part for part in parts if part) or "nothing"


def _part_words(part: Field, value: Any) -> str:
    """Return a part of a row; bare numbers and yes say what they are about."""
    words = value_words(part.form, value)
    bare = isinstance(part.form, Number | YesNo | Rows)
    return f"{part.label or part.name}: {words}" if bare else words


def _silent(part: Field, value: Any) -> bool:
    """True if a value of an optional field need not be mentioned."""
    return value in (None, "", [], {}) or (not part.required and value == part.default)


# Proposals and answers, for people ----------------------------------------------------------------


def answer_sheets(label: str, form: Form, value: Any) -> list[Sheet]:
    """Return an answer as sheets: its single fields, then a table for each list of rows."""
    if isinstance(form, Rows):
        return [_rows_sheet(label, form, value)]
    if not isinstance(form, Record) or not isinstance(value, Mapping):
        return [Sheet("answer", label, (Column(""),), ((value_words(form, value),),))]
    single = tuple(
        (part.label or part.name, value_words(part.form, _value_of(part, value)))
        for part in form.fields
        if not isinstance(part.form, Rows) or not _value_of(part, value)
    )
    sheets = [Sheet("answer", label, (Column(""), Column("")), single)] if single else []
    sheets += [
        _rows_sheet(part.label or part.name, part.form, _value_of(part, value))
        for part in form.fields
        if isinstance(part.form, Rows) and _value_of(part, value)
    ]
    return sheets


def _value_of(part: Field, value: Mapping[str, Any]) -> Any:
    return value.get(part.name, None if part.required else part.default)


def _rows_sheet(label: str, form: Rows, rows: Any) -> Sheet:
    readable = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    used = [
        part
        for part in form.row.fields
        if part.required or any(not _silent(part, _value_of(part, row)) for row in readable)
    ]
    columns = (Column("", "right"), *(Column(part.label or part.name) for part in used))
    lines = tuple(
        (str(i + 1), *("" if part.name not in row else value_words(part.form, row[part.name])
                       for part in used))
        for i, row in enumerate(readable)
    )  # fmt: skip
    return Sheet("rows", label, columns, lines)


def place_words(form: Form, value: Any, field: str) -> str:
    """Return where a problem of an answer stands, in the words of its form: `Units, row 3 (4-6-7)`.

    `field` is its path (`units[3]`). What the form has no word for is left as it is.
    """
    words: list[str] = []
    for name, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", field):
        if number:
            value = _item(value, int(number))
            words.append(f"row {number}{_first(form, value)}")
            form = form.row if isinstance(form, Rows) else form
            continue
        part = _part(form, name)
        value = value.get(name) if isinstance(value, Mapping) else None
        words.append(_short(part.label) if part and part.label else name)
        form = part.form if part else Text()
    return ", ".join(words)


def _part(form: Form, name: str) -> Field | None:
    fields = form.fields if isinstance(form, Record) else ()
    return next((part for part in fields if part.name == name), None)


def _item(value: Any, number: int) -> Any:
    listed = value if isinstance(value, list | tuple) else ()
    return listed[number - 1] if 0 < number <= len(listed) else None


def _first(form: Form, row: Any) -> str:
    """Return what a row is about, in brackets: its first field."""
    if not isinstance(form, Rows) or not isinstance(row, Mapping):
        return ""
    first = form.row.fields[0]
    return f" ({value_words(first.form, row[first.name])[:40]})" if row.get(first.name) else ""


def _short(label: str) -> str:
    """Return a label without what it says of how it is filled in."""
    return re.split(r"[,:;(]? such as |[:;(]|, from end", label, maxsplit=1)[0].strip(" ,")


# What may be answered -----------------------------------------------------------------------------


def allowed_in_words(form: Form) -> str:
    """Return in a line what may be answered."""
    match form:
        case YesNo():
            return "yes or no"
        case Number():
            return f"a whole number from {form.low} to {form.high}"
        case Choice():
            return f"one of {_name_options(form.options)}"
        case Several():
            most = min(form.most, len(form.options))
            return f"a list, {form.least} to {most} of {_name_options(form.options)}"
        case Text():
            return "text"
        case Rows():
            return f"lines, at most {form.most}"
        case Record():
            return "fields"
        case _:
            return form.kind


def _name_options(options: Sequence[Option]) -> str:
    free = [option.value or '""' for option in options if not option.why_not]
    more = f", … ({len(free)} in all)" if len(free) > 12 else ""
    return (", ".join(free[:12]) + more) if free else "nothing just now"


def comments(form: Form, label: str = "") -> Iterator[str]:
    """Yield what may be answered, line by line, for the head of a text to be edited."""
    if isinstance(form, Record):
        for part in form.fields:
            yield from _field_comments(part, "")
    elif isinstance(form, Rows):
        yield from _rows_comments(form, "", "A list")
    else:
        yield from _option_comments(form, label or "answer", "")


def _field_comments(part: Field, indent: str) -> Iterator[str]:
    said = f": {part.label}" if part.label and part.label != part.name else ""
    if isinstance(part.form, Rows):
        yield from _rows_comments(part.form, indent, f"{part.name}{said}; a list")
        return
    left_out = "" if part.required else f" (left out: {in_words(part.default)})"
    yield from _option_comments(part.form, f"{part.name}{said}{left_out}", indent)


def _rows_comments(form: Rows, indent: str, head: str) -> Iterator[str]:
    example = ", ".join(f"{part.name}: {_example(part)}" for part in form.row.fields)
    yield f"{indent}{head}; each line begins with - such as"
    yield f"{indent}    - {{{example}}}"
    for part in form.row.fields:
        yield from _field_comments(part, indent + "    ")


def _example(part: Field) -> str:
    """Return a likely value of a field, as it is written."""
    if not part.required and part.default not in (None, "", []):
        return in_words(part.default)
    match part.form:
        case Choice():
            return next(iter(part.form), "…") or '""'
        case Several() | Rows():
            return "[]"
        case Number():
            return str(part.form.low)
        case YesNo():
            return "no"
        case _:
            return "…" if part.required else '""'


def _option_comments(form: Form, head: str, indent: str) -> Iterator[str]:
    if not isinstance(form, Choice | Several) or len(form.options) > MOST_NAMED:
        yield f"{indent}{head}; {allowed_in_words(form)}"
        return
    kind = "one of" if isinstance(form, Choice) else "a list of"
    if all(option.label in ("", option.value) and not option.why_not for option in form.options):
        yield f"{indent}{head}; {kind} {', '.join(o.value or chr(34) * 2 for o in form.options)}"
        return
    yield f"{indent}{head}; {kind}"
    for option in form.options:
        said = option.label if option.label != option.value else ""
        not_now = f"not now: {option.why_not}" if option.why_not else ""
        about = "; ".join(part for part in (said, not_now) if part)
        yield f"{indent}    {option.value or chr(34) * 2}" + (f"  = {about}" if about else "")


# Text ---------------------------------------------------------------------------------------------


def yaml_text(value: Any) -> str:
    """Return a value as YAML that reads well: a row to a line, short lists next to their name."""
    from io import StringIO

    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 10_000
    styled = _flow_rows(value)
    if isinstance(value, Mapping):
        styled.fa.set_block_style()
    stream = StringIO()
    yaml.dump(styled, stream)
    return stream.getvalue().removesuffix("...\n")


def _flow_rows(value: Any, top: bool = True) -> Any:
    """Return a value with each row of a list on a line of its own."""
    from ruamel.yaml.comments import CommentedMap
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, str) and value.startswith("?"):
        # Bare in a list on one line it would be read as a key.
        return DoubleQuotedScalarString(value)
    if isinstance(value, list):
        return [_flow_rows(item, top=False) for item in value]
    if not isinstance(value, Mapping):
        return value
    made = CommentedMap((str(name), _flow_rows(part)) for name, part in value.items())
    if not top:
        made.fa.set_flow_style()
    return made


def plain_lines(value: Any) -> list[str]:
    """Return a value as lines, for `laager why`."""
    if isinstance(value, dict | list) and value:
        return yaml_text(value).splitlines()
    return [in_words(value)]
