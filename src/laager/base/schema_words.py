"""What is wrong with a value in a file, in words: the sentences for what a schema refuses.

Nothing of the validator's own text gets through, whatever it refuses.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from laager.base.problems import WrongValueError

SHAPES: Mapping[str, str] = {
    r"^([0-9]{1,3}[a-z]{0,2}|[a-z]{1,2})?$": "a number with up to two small letters, such as 6a",
    r"^(100|[1-9][0-9]?) [a-z][a-z ]{2,59}$": "a score from 1 to 100 and a reason, such as 80 several levels",
    r"^[a-z]{2,4}/[vo]:[0-9]{3}( .+)?$": "an id of vasl-templates, such as ge/v:012",
    r"^#[0-9a-fA-F]{6}$": "# and six digits, such as #94b95f",
    r"^[0-9a-f]{64}$": "64 digits 0-9 and a-f",
    r"^[A-Z][A-Za-z0-9]{0,7}$": "a capital letter and up to seven letters or digits, such as KG1",
    r"^\d{1,2}[-+]\d$": "morale and leadership modifier, such as 9-1",
    r"^[A-Z]{1,2}[0-9]{1,2}$": "one or two capital letters and a number, such as I1",
    r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$": "letters and digits, words joined by hyphens",
    r"^[A-Za-z0-9][A-Za-z0-9 -]*$": "letters, digits, blanks and hyphens, such as 18 AM",
    r"^[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]{0,79}$": "a file name without folders",
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "small letters and digits, words joined by hyphens",
    r"^[a-z0-9][a-z0-9-]*$": "small letters, digits and hyphens, such as river-line",
    r"^[a-z0-9][a-z0-9-]{0,60}$": "small letters, digits and hyphens, 61 at most",
    r"^[a-z][a-z0-9-]*$": "a small letter, then small letters, digits and hyphens",
    r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$": "small letters and digits, words joined by hyphens",
}
"""What text of a pattern looks like, in words, for the patterns of all file models."""

BLANK = "<fill in>"
"""How the text of a blank begins."""

TEXT, WHOLE, NUMBER, YES_NO = "a text", "a whole number", "a number", "true or false"
LIST, FIELDS, DATE = "a list", "a set of fields", "a date"

NOUNS: Mapping[str, str] = {
    "string": TEXT,
    "int": WHOLE,
    "float": NUMBER,
    "finite": NUMBER,
    "decimal": NUMBER,
    "bool": YES_NO,
    "list": LIST,
    "tuple": LIST,
    "set": LIST,
    "frozen_set": LIST,
    "iterable": LIST,
    "model": FIELDS,
    "model_attributes": FIELDS,
    "dict": FIELDS,
    "frozen_dict": FIELDS,
    "mapping": FIELDS,
    "dataclass": FIELDS,
    "named_tuple": FIELDS,
    "date": DATE,
    "date_from_datetime": DATE,
    "datetime": DATE,
    "none": "nothing",
}
"""What belongs in a place, by the beginning of the validator's name for what is wrong."""

_ADVICE = {
    TEXT: "write a text",
    WHOLE: "write a number such as 3",
    NUMBER: "write a number such as 3 or 0.5",
    YES_NO: "write true or false",
    LIST: "write [one, two], or a line with “-” for each",
    FIELDS: "write “name: value”, a line for each",
    DATE: "write a date such as 1943-07-12",
    "nothing": "leave it out",
}
_ENDINGS = ("_type", "_parsing_size", "_parsing", "_from_float", "_inexact", "_number", "_required", "_unicode")


def noun_of(kind: str) -> str:
    """Return what belongs in a place where a value is of another kind; "" if something else is wrong with it."""
    for ending in _ENDINGS:
        if kind.endswith(ending):
            return NOUNS.get(kind.removesuffix(ending), "")
    return ""


def explain(error: Mapping[str, Any]) -> tuple[str, str]:
    """Return what one of Pydantic's errors means, and what would be right."""
    kind, value, context = str(error["type"]), error.get("input"), error.get("ctx") or {}
    shown = short_json(value)
    if noun := noun_of(kind):
        return _of_other_kind([noun], value)
    match kind:
        case "missing" | "missing_argument" | "missing_keyword_only_argument" | "missing_positional_only_argument":
            return "is missing", "add it"
        case "value_error" | "assertion_error":
            cause = context.get("error", error["msg"])
            if isinstance(cause, WrongValueError):
                return cause.problem.what, cause.problem.right
            wrong, _, right = str(cause).partition("; ")
            return wrong, right
        case "enum" | "literal_error":
            names = str(context.get("expected", "")).replace("'", "").replace(" or ", ", ")
            return _not_known(value), f"one of {names}" if ", " in names else f"write {names}"
        case "string_pattern_mismatch":
            return f"{shown} is not valid", SHAPES.get(context["pattern"], f"text of the form {context['pattern']}")
        case "too_short" | "too_long":
            return _of_other_length(kind, value, context)
        case "string_too_short":
            return ("is empty" if not value else f"{shown} is too short"), _at_least(context["min_length"], "letter")
        case "string_too_long":
            return _too_long(value), f"{context['max_length']} letters at most"
        case "greater_than_equal" | "greater_than":
            return f"{shown} is too low", _bound(context)
        case "less_than_equal" | "less_than":
            return f"{shown} is too high", _bound(context)
        case _:
            return f"{shown} is not valid", _bound(context)


def explain_alternatives(errors: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return what several errors of one value mean, where any of several kinds of values could stand."""
    nouns = list(dict.fromkeys(noun_of(str(error["type"])) for error in errors))
    return _of_other_kind(nouns, errors[0].get("input"))


def _of_other_kind(nouns: Sequence[str], value: Any) -> tuple[str, str]:
    names = " or ".join(nouns)
    if value is None:
        return "is empty", _ADVICE[nouns[0]] if nouns in ([FIELDS], [LIST]) else f"write {names}"
    if _is_blank(value):
        return "isn't filled in yet", f"write {names}"
    shown = short_json(value)
    if nouns[0] == TEXT and isinstance(value, int | float):
        return f"{shown} is not {names}", f'put it in quotes: "{shown}"'
    if WHOLE in nouns and isinstance(value, float) and abs(value) < 10**15:
        below, above = math.floor(value), math.ceil(value)
        return f"{shown} is not {names}", f"write {below}" if below == above else f"write {below} or {above}"
    wrong = f"{shown} is not {names}"
    return wrong, _ADVICE[nouns[0]] if len(nouns) == 1 else f"write {names}"


def _of_other_length(kind: str, value: Any, context: Mapping[str, Any]) -> tuple[str, str]:
    if not isinstance(value, list | tuple | dict | set):
        return f"{short_json(value)} is not {LIST}", _ADVICE[LIST]
    if kind == "too_long":
        return f"{len(value)} entries are too many", f"{context['max_length']} at most"
    return ("is empty" if not value else f"has too few entries ({len(value)})"), _at_least(
        context["min_length"], "entry"
    )


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(BLANK)


def _not_known(value: Any) -> str:
    if _is_blank(value):
        return "isn't filled in yet"
    return "is empty" if value is None else f"{short_json(value)} is not known here"


def _too_long(value: Any) -> str:
    # The framework of the API keeps the value to itself.
    return "is too long" if value is None else f"{len(str(value))} letters are too many"


def _at_least(count: int, noun: str) -> str:
    plural = "entries" if noun == "entry" else f"{noun}s"
    return f"at least one {noun}" if count == 1 else f"at least {count} {plural}"


def _bound(context: Mapping[str, Any]) -> str:
    figures = {name: _figure(context[name]) for name in ("le", "ge", "lt", "gt", "multiple_of") if name in context}
    match next(iter(figures.items()), ("", "")):
        case "le", most:
            return f"write {most} or less"
        case "ge", least:
            return f"write {least} or more"
        case "lt", most:
            return f"write less than {most}"
        case "gt", least:
            return f"write more than {least}"
        case "multiple_of", number:
            return f"write a multiple of {number}"
        case _:
            return "leave it out"


def _figure(value: Any) -> str:
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def short_json(value: Any) -> str:
    """Return a value as JSON, cut short if it is long."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= 60 else f"{text[:57]}…{text[-1]}"


def field_names_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """Return the field names of the model that an unknown name was given to, if found."""
    here: Any = model
    for key in loc[:-1]:
        if isinstance(key, int):
            continue
        fields = getattr(here, "model_fields", {})
        if key in fields:
            here = _model_in(fields[key].annotation) or here
    return [info.alias or name for name, info in getattr(here, "model_fields", {}).items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        model = _model_in(part)
        if model is not None:
            return model
    return None
