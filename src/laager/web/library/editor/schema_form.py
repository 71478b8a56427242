"""Parts of a file as forms, made from the JSON Schema of its kind.

A part is named by the way to it, `sides/axis/rg/3` (places in lists from 1). Plain fields are
entered in place, lists of plain parts as tables; whatever goes deeper is a part of its own. The form is
described, drawn and read back like the form of a question; `form_entry` writes what was entered. A text in
several languages stands there in the reader's, if it has that, else in its own; the others stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from django.utils.translation import gettext

from laager.base import Refusal, RefusedError
from laager.base.files import parse_document
from laager.base.texts import meaning_in
from laager.campaign import Choice, Field, Form, Option, Record, Rows, Text
from laager.kinds import kind_of, schema_of
from laager.web.shared.forms.field_names import label_of, without_field_names
from laager.web.shared.forms.widgets import LONG_TEXT
from laager.web.shared.translation import translate

MOST_ROWS = 400
"""More rows of a table are not shown, and stay as they are."""
LONG = 70
"""A longer text gets a field of several lines."""
SPARE_ROWS = 2
"""Empty rows below a table, to add to."""
DEEP = "…"
"""What stands for a value that a field can't show."""
KEY, VALUE = "name", "value"
"""The columns of a table that stands for parts by names."""


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
    """True if each has a name, instead of a place in a list."""


@dataclass(frozen=True)
class FormSheet:
    """A part of a file as a form: `form` describes its fields, `value` is what stands in them, as text."""

    way: str
    title: str
    meaning: str
    kind: str
    form: Record
    value: Mapping[str, Any]
    helps: Mapping[str, str]
    """What each field means and expects, by its path."""
    branches: tuple[Branch, ...] = ()
    parts: tuple[Below, ...] = ()
    above: tuple[Below, ...] = ()
    in_list: bool = False
    """True if it is one of several, which can be removed or copied."""
    language: str = ""
    """In which language its texts stand there; "" for the file's own."""


# Ways ---------------------------------------------------------------------------------------------


def quote_way(way: str) -> str:
    """Return a way as it stands in an address."""
    return quote(way, safe="/%")


def steps_of(way: str) -> list[str]:
    """Return the steps of a way."""
    return [unquote(step) for step in way.split("/") if step][:20]


def join_way(way: str, *steps: object) -> str:
    """Return a way some steps on."""
    more = [quote(str(step), safe="") for step in steps]
    return "/".join([*([way] if way else []), *more])


# Schemas ------------------------------------------------------------------------------------------


class Shape:
    """A place in a JSON Schema, references followed; `null` is left out of what it may be."""

    def __init__(self, whole: Mapping[str, Any], part: Mapping[str, Any]) -> None:
        self.whole = whole
        self.meaning = first_lines(str(part.get("description", "")))
        self.expects = expects(whole, part)
        self.default = part.get("default")
        self.part = self._resolve(part)

    def _resolve(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(20):
            if "$ref" in part:
                part = self.whole["$defs"][str(part["$ref"]).rpartition("/")[2]]
                continue
            several = [choice for choice in part.get("anyOf", part.get("oneOf", ())) if choice.get("type") != "null"]
            if len(several) == 1:
                part = several[0]
                continue
            deep = [choice for choice in several if self._deep(choice)]
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
    def way_to_type(self) -> str:
        """How its value is typed, in the reader's language; "" where that goes without saying."""
        if self.items is not None:
            return gettext("Several, with commas between them.")
        low, high = self.part.get("minimum"), self.part.get("maximum")
        if low is not None and high is not None:
            return gettext("%(low)s to %(high)s.") % {"low": low, "high": high}
        if low is not None:
            return gettext("%(low)s or more.") % {"low": low}
        return ""

    @property
    def fields(self) -> Mapping[str, Mapping[str, Any]]:
        """The schemas of its fields, by name."""
        properties: Mapping[str, Mapping[str, Any]] = self.part.get("properties") or {}
        return properties

    @property
    def items(self) -> Shape | None:
        """What stands in a list; None for anything else."""
        return self.of(self.part.get("items")) if self.part.get("type") == "array" else None

    @property
    def free(self) -> Shape | None:
        """What stands behind the owner's names besides the fields; None if there can be none."""
        inner = self.part.get("additionalProperties")
        return self.of(inner) if self.fields and inner else None

    @property
    def values(self) -> Shape | None:
        """What stands behind free names; None for anything else."""
        inner = self.part.get("additionalProperties")
        return self.of(inner) if isinstance(inner, Mapping) and not self.fields else None

    @property
    def plain(self) -> bool:
        """True if it is a single value, or a list of such."""
        items = self.items
        if items is not None:
            return not items.fields and items.items is None and items.values is None
        return not self.fields and self.values is None

    @property
    def flat(self) -> bool:
        """True if it is a part of nothing but single values and lists of such."""
        return bool(self.fields) and all(self.of(field).plain for field in self.fields.values())


# Making -------------------------------------------------------------------------------------------


def sheet_of(text: str, name: str, way: str, language: str = "") -> FormSheet:
    """Return a part of a file as a form. Raises DataError, or RefusedError for no such part."""
    document = parse_document(text, name)
    kind = kind_of(document)
    shape = Shape(schema(kind), schema(kind))
    here: Any = document.data
    above, done, in_list = [Below(name, "", "")], "", False
    for step in steps_of(way):
        shape, here, in_list = step_into(shape, here, step)
        done = join_way(done, step)
        above.append(Below(_title(here, step, language), done, ""))
    if shape.plain or shape.items is not None or not (shape.fields or shape.values):
        raise RefusedError(Refusal.NO_SUCH, f"there is no form for {way[:80]!r}", "edit the text")
    made = _Making(done, here, language)
    made.take(shape)
    return FormSheet(
        done, above[-1].label, shape.meaning, kind, Record(tuple(made.fields)), made.value, made.helps,
        tuple(made.branches), tuple(made.parts), tuple(above[:-1]), in_list, language,
    )  # fmt: skip


def step_into(shape: Shape, here: Any, step: str) -> tuple[Shape, Any, bool]:
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


def _title(data: Any, step: str, language: str) -> str:
    """Return what people call a part: its place and its name or id, if it has one."""
    if isinstance(data, Mapping):
        for name in ("id", "name", "title", "type", "kind", "label"):
            words = meaning_in(data.get(name), language)
            if isinstance(words, str) and words:
                return f"{step}: {words}" if step.isdigit() else label_of(step)
    return label_of(step)


def _summary(data: Any, language: str) -> str:
    """Return what is in a part, in a few words."""
    data = meaning_in(data, language)
    if isinstance(data, Mapping):
        values = [meaning_in(value, language) for value in data.values()]
        words = [str(value) for value in values if isinstance(value, str | int | float)]
        return ", ".join(words)[:80]
    return str(len(data)) if isinstance(data, list) else ("" if data is None else str(data)[:80])


class _Making:
    def __init__(self, way: str, data: Any, language: str) -> None:
        self.way, self.language = way, language
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        self.fields: list[Field] = []
        self.value: dict[str, Any] = {}
        self.helps: dict[str, str] = {}
        self.branches: list[Branch] = []
        self.parts: list[Below] = []

    def take(self, shape: Shape) -> None:
        if shape.values is not None:
            self._by_name("", shape.values, self.data, shape.meaning)
            return
        for name, part in shape.fields.items():
            if name == "laager":
                # A file stays of its kind.
                continue
            inner = shape.of(part)
            value = meaning_in(self.data.get(name), self.language)
            if inner.plain:
                self.fields.append(_field(name, inner, name in shape.part.get("required", ()), value))
                self.value[name] = text_of_value(value, self.language)
                self.helps[name] = help_of(inner)
            elif inner.items is not None:
                self._list(name, inner.items, value, inner.meaning)
            elif inner.values is not None:
                rows = value if isinstance(value, Mapping) else {}
                if inner.values.plain:
                    columns = {KEY: Shape({}, {"type": "string"}), VALUE: inner.values}
                    self._table(name, columns, [{KEY: key, VALUE: row} for key, row in rows.items()], (), inner.meaning)
                else:
                    self._by_name(name, inner.values, rows, inner.meaning)
            else:
                self.parts.append(
                    Below(label_of(name), join_way(self.way, name), _summary(value, self.language), name in self.data)
                )

    def _table(
        self,
        name: str,
        columns: Mapping[str, Shape],
        rows: Sequence[Mapping[str, Any]],
        needed: Sequence[str],
        meaning: str,
    ) -> None:
        fields = tuple(_field(key, column, key in needed) for key, column in columns.items())
        self.fields.append(Field(name, Rows(Record(fields)), label_of(name), None))
        filled: list[Mapping[str, Any]] = [*rows, *({} for _ in range(SPARE_ROWS))]
        self.value[name] = [
            {key: text_of_value(row.get(key), self.language) for key in columns} for row in filled[:MOST_ROWS]
        ]
        self.helps[name] = say_plainly(meaning)
        for key, column in columns.items():
            self.helps[f"{name}[0].{key}"] = help_of(column)

    def _list(self, name: str, items: Shape, value: Any, meaning: str) -> None:
        rows = value if isinstance(value, list) else []
        # Texts that stand where a part could (`8-1` for {type: 8-1}) have no columns.
        if items.flat and all(isinstance(row, Mapping) for row in rows) and len(items.fields) <= 9:
            columns = {key: items.of(part) for key, part in items.fields.items()}
            if items.free is not None:
                # The file names more columns besides those of the rows.
                own = [*map(str, self.data.get("columns") or ()), *(key for row in rows for key in row)]
                columns |= {key: items.free for key in dict.fromkeys(own) if key not in columns}
            self._table(name, columns, rows, items.part.get("required", ()), meaning)
        elif items.fields:
            parts = tuple(
                Below(_title(row, str(i), self.language), join_way(self.way, name, i), _summary(row, self.language))
                for i, row in enumerate(rows, 1)
                if isinstance(row, Mapping)
            )
            self.branches.append(Branch(name, label_of(name), meaning, parts, named=False))

    def _by_name(self, name: str, shape: Shape, value: Mapping[str, Any], meaning: str) -> None:
        if not (shape.fields or shape.values):
            return
        steps = [name] if name else []
        parts = tuple(
            Below(key, join_way(self.way, *steps, key), _summary(entry, self.language)) for key, entry in value.items()
        )
        self.branches.append(Branch(name, label_of(name) or "Names", meaning, parts, named=True))


def _field(name: str, shape: Shape, required: bool = False, value: Any = None) -> Field:
    """Return the field of a plain value: a choice, or text as people type it."""
    part = shape.part
    known = part.get("enum") or ([part["const"]] if "const" in part else [])
    if part.get("type") == "boolean":
        known = ["true", "false"]
    if known:
        options = [Option(str(choice), {"true": "yes", "false": "no"}.get(str(choice), "")) for choice in known]
        form: Form = Choice(tuple(options if required else [Option("", "–"), *options]))
    else:
        long = isinstance(value, str) and (len(value) > LONG or "\n" in value)
        form = Text(LONG_TEXT * (2 if long else 1) - 1)
    return Field(name, form, label_of(name)) if required else Field(name, form, label_of(name), "")


def help_of(shape: Shape) -> str:
    """Return what a field means and how it is typed, as people read it."""
    return " ".join(filter(None, (say_plainly(shape.meaning), shape.way_to_type)))


def say_plainly(text: str) -> str:
    """Return a text of a schema in the reader's language, without names of fields."""
    return without_field_names(translate(text))


def text_of_value(value: Any, language: str) -> str:
    """Return a value as it is typed into a field, a text in several languages in one of them."""
    match meaning_in(value, language):
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ", ".join(_item(item, language) for item in value)
        case Mapping():
            return DEEP
        case plain:
            return str(plain)


def _item(value: Any, language: str) -> str:
    text = text_of_value(value, language)
    return f'"{text}"' if "," in text else text


# The words of a schema ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Word:
    """A name that may stand in a file of a kind: where, what is expected, what it means."""

    name: str
    expects: str
    meaning: str
    required: bool


@dataclass(frozen=True)
class FileSection:
    """The names that may stand together in one place of a file."""

    title: str
    meaning: str
    words: tuple[Word, ...]


@cache
def schema(kind: str) -> Mapping[str, Any]:
    """Return the JSON Schema of a kind. Raises RefusedError if there is none."""
    return schema_of(kind)


@cache
def sections(kind: str) -> tuple[FileSection, ...]:
    """Return what can be written in a file of a kind, for people to read next to it."""
    whole = schema(kind)
    parts = [("", whole), *whole.get("$defs", {}).items()]
    return tuple(
        FileSection(
            title,
            first_lines(str(part.get("description", ""))),
            tuple(
                Word(
                    name,
                    expects(whole, section),
                    first_lines(str(section.get("description", ""))),
                    name in part.get("required", ()),
                )
                for name, section in part.get("properties", {}).items()
            ),
        )
        for title, part in parts
        if part.get("properties")
    )


def first_lines(text: str) -> str:
    """Return the text of a description, on one line."""
    return " ".join(text.replace("`", "").split())


def expects(whole: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """Return in words what a schema expects."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return " | ".join(map(str, part["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in part:
            words = [expects(whole, choice) for choice in part[several]]
            return " | ".join(dict.fromkeys(word for word in words if word))
    kind = part.get("type")
    if kind == "array":
        return f"[{expects(whole, part.get('items') or {}) or '…'}, …]"
    if kind == "object":
        inner = part.get("additionalProperties")
        if "propertyNames" in part:
            return "{language: text}"
        return f"{{name: {expects(whole, inner)}}}" if isinstance(inner, dict) else "{…}"
    names = {"string": "text", "integer": "number", "number": "number", "boolean": "true | false"}
    word = names.get(str(kind), "" if kind is None else str(kind))
    low, high = part.get("minimum"), part.get("maximum")
    if low is not None or high is not None:
        word += f" {'' if low is None else low}–{'' if high is None else high}"
    return word.replace("null", "nothing")
