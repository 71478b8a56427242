"""The types of a catalogue's fields: how plain data or the text of a cell becomes a value.

Every field reads the text of a spreadsheet's cell as well as what YAML makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, PlainSerializer, PlainValidator, StringConstraints
from pydantic import WithJsonSchema as Schema

from laager.base import WrongValueError, did_you_mean
from laager.catalogue.dyo.values import OTHER, UNKNOWN, Series, Unknown, plain_series, read_series, read_value
from laager.catalogue.kinds import Grade

T = TypeVar("T")

CAPABILITIES = ("assault-engineer", "sapper", "commando")
"""What a squad type may be bought as (H1.22 to H1.24)."""

WRECK_SIGNS = ("Sz", "G")
"""The signs on the wreck side of an AFV that can have Schuerzen or a Gyrostabilizer (H1.42)."""

GUN_SORTS = ("mortar", "at", "infantry", "artillery", "aa", "recoilless", "rocket")

LOWEST_RF, HIGHEST_RF = Decimal("0.9"), Decimal("1.6")
"""The RF that the Availability Table knows (H1.3-T)."""

_UNKNOWN, _NONE = {"const": "unknown"}, {"enum": [None, "none"]}
_EDGES = {name: {"type": ["string", "integer"]} for name in ("from", "to")}
_PERIOD = {"type": "string", "description": "1944, 1944-09, 1943..1944-06, 1943.., ..1942, always"}


def number(low: int, high: int, words: str) -> Callable[[Any], int]:
    """Return a reader of whole numbers; `words` say what the number is."""

    def read(raw: Any) -> int:
        value = int(raw) if isinstance(raw, str) and re.fullmatch(r"-?\d+", raw.strip()) else raw
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise WrongValueError(
                f"{_quote(raw)} is not a valid {words}", f"write a whole number from {low} to {high}, or unknown"
            )
        return value

    return read


def rf(raw: Any) -> Decimal:
    """Read a Rarity Factor: tenths, such as 1.2."""
    try:
        value = Decimal(str(raw).strip()) if not isinstance(raw, bool) else Decimal("NaN")
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise WrongValueError(f"{_quote(raw)} is not an RF", "write tenths, such as 1.2, or unknown")
    if not Decimal("0.1") <= value <= 2 or value % Decimal("0.1"):
        less = value.scaleb(-1)
        advice = f"did you mean {less}?" if LOWEST_RF <= less <= HIGHEST_RF else (
            f"the Availability Table goes from {LOWEST_RF} to {HIGHEST_RF} in tenths"
        )  # fmt: skip
        raise WrongValueError(f"{_quote(raw)} is not an RF", advice)
    return value.quantize(Decimal("0.1"))


def half(raw: Any) -> Decimal:
    """Read a number of squads in halves."""
    try:
        value = Decimal(str(raw).strip())
    except InvalidOperation:
        value = Decimal(-1)
    if not 0 <= value <= 4 or value % Decimal("0.5"):
        raise WrongValueError(f"{_quote(raw)} is not a valid number of squads", "write 0, 0.5, 1 …")
    return value


def flag(raw: Any) -> bool:
    """Read yes or no."""
    words = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
    value = words.get(str(raw).strip().lower())
    if value is None:
        raise WrongValueError(f"{_quote(raw)} is neither yes nor no", "write true, false or unknown")
    return value


def text(raw: Any) -> str:
    """Read a text."""
    value = str(raw).strip()
    if not isinstance(raw, str | int) or isinstance(raw, bool) or not value:
        raise WrongValueError(f"{_quote(raw)} is not text", "write a word, none or unknown")
    return value


def word_of(known: Sequence[str], subject: str) -> Callable[[Any], str]:
    """Return a reader of one of some words."""

    def read(raw: Any) -> str:
        if raw not in known:
            advice = did_you_mean(str(raw), known)
            raise WrongValueError(f"{_quote(raw)} is not a valid {subject}", advice)
        return str(raw)

    return read


def words(raw: Any) -> tuple[str, ...]:
    """Read a list of words; in a cell they are separated by commas, and `-` is the empty list."""
    if raw == "-":
        return ()
    if isinstance(raw, str):
        return tuple(filter(None, (part.strip() for part in raw.split(","))))
    if not isinstance(raw, list | tuple):
        raise WrongValueError(f"{_quote(raw)} is not a list", "write [one, two]")
    for part in raw:
        if "," in str(part):
            raise WrongValueError(f"{_quote(part)} has a comma", "write each word by itself")
    return tuple(text(part) for part in raw)


def words_of(known: Sequence[str], subject: str) -> Callable[[Any], tuple[str, ...]]:
    """Return a reader of a list of some words."""
    read_word = word_of(known, subject)

    def read(raw: Any) -> tuple[str, ...]:
        return tuple(read_word(part) for part in words(raw))

    return read


def grade(raw: Any) -> Grade:
    """Read a class."""
    return Grade(word_of([class_.value for class_ in Grade], "class")(raw))


def dates(raw: Any) -> Series[bool]:
    """Read when something can be had: periods, `always`, or a series of true and unknown."""
    if isinstance(raw, str) and raw not in ("unknown", "none") and ":" not in raw:
        raw = [part.strip() for part in re.split("[;,]", raw) if part.strip()]
    if isinstance(raw, int) and not isinstance(raw, bool):
        raw = [str(raw)]
    if isinstance(raw, list):
        raw = [(str(period), True) if isinstance(period, str | int) else period for period in raw]
    series = read_series(raw, flag)
    if series.spans == () and series.other is False:
        return Series.always(None)
    return series


def plain_dates(series: Series[bool]) -> Any:
    """Return dates as plain data, as short as possible."""
    only_true = series.other is None and all(span.value is True for span in series.spans)
    if series.spans and only_true:
        return ", ".join(str(span.period) for span in series.spans)
    if series.spans:
        return plain_series(series, bool)
    return "always" if series.other is True else "unknown" if series.other is UNKNOWN else "none"


def by_field(raw: Any) -> dict[str, str]:
    """Read sources by field; in a cell they are written `bpv = p. 12 | rf = p. 13`."""
    if isinstance(raw, str):
        pairs = [part.partition("=") for part in raw.split("|") if part.strip()]
        raw = {name.strip(): value.strip() for name, _, value in pairs}
    if not isinstance(raw, Mapping):
        raise WrongValueError(f"{_quote(raw)} are not sources", "write field: source for each")
    return {name: source(value) for name, value in raw.items()}


def source(raw: Any) -> str:
    """Read a source: one line of text."""
    value = " ".join(text(raw).split())
    if "|" in value:
        raise WrongValueError(f"{_quote(raw)} is not a source", "leave out the bar |, it separates sources")
    return value


def note(raw: Any) -> str:
    """Read a remark: a text, as one line, perhaps empty."""
    return "" if raw == "" else " ".join(text(raw).split())


def _quote(raw: Any) -> str:
    return repr(raw) if isinstance(raw, str) else str(raw)


def plain_number(value: Any) -> Any:
    """Return a number as YAML writes it."""
    return float(value) if isinstance(value, Decimal) else value


def _unknown_or(read: Callable[[Any], Any], schema: dict[str, Any]) -> tuple[Any, ...]:
    """Return what Pydantic needs for a value that may be unknown or none."""

    def plain(value: Any) -> Any:
        if value is UNKNOWN:
            return "unknown"
        if value is None:
            return "none"
        if isinstance(value, tuple):
            return list(value)
        return plain_number(value.value if isinstance(value, Grade) else value)

    return (
        PlainValidator(lambda raw: read_value(raw, read)),
        PlainSerializer(plain),
        Schema({"anyOf": [schema, _UNKNOWN, _NONE]}),
    )


def _series(read: Callable[[Any], Any], schema: dict[str, Any]) -> tuple[Any, ...]:
    """Return what Pydantic needs for a dated series."""
    value = {"anyOf": [schema, _UNKNOWN, _NONE]}
    span = {
        "type": "object",
        "properties": {**_EDGES, "value": value},
        "required": ["value"],
        "additionalProperties": False,
    }
    periods = {
        "type": "object",
        "propertyNames": _PERIOD | {"description": f"{_PERIOD['description']}, {OTHER}"},
        "additionalProperties": value,
    }
    return (
        PlainValidator(lambda raw: read_series(raw, read)),
        PlainSerializer(lambda series: None if series is None else plain_series(series, plain_number)),
        Schema({"anyOf": [*value["anyOf"], periods, {"type": "array", "items": span}]}),
    )


def _whole(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high}


_TEXT = {"type": "string", "minLength": 1}
_RF = {"type": "number", "minimum": 0.1, "maximum": 2}

Points = Annotated[int | Unknown, *_unknown_or(number(1, 999, "number of points"), _whole(1, 999))]
FirePower = Annotated[int | Unknown | None, *_unknown_or(number(1, 99, "FP"), _whole(1, 99))]
Counters = Annotated[int | Unknown, *_unknown_or(number(0, 999, "number of counters"), _whole(0, 999))]
Morale = Annotated[int | Unknown, *_unknown_or(number(5, 11, "morale"), _whole(5, 11))]
Percent = Annotated[int | Unknown | None, *_unknown_or(number(-100, 500, "percentage"), _whole(-100, 500))]
Extra = Annotated[int | Unknown | None, *_unknown_or(number(-999, 999, "number of points"), _whole(-999, 999))]
Limit = Annotated[int | Unknown | None, *_unknown_or(number(0, 999, "limit"), _whole(0, 999))]
Elr = Annotated[int | Unknown | None, *_unknown_or(number(0, 5, "ELR"), _whole(0, 5))]
Squads = Annotated[
    Decimal | Unknown, *_unknown_or(half, {"type": "number", "minimum": 0, "maximum": 4, "multipleOf": 0.5})
]
Class = Annotated[Grade | Unknown, *_unknown_or(grade, {"enum": [class_.value for class_ in Grade]})]
Flag = Annotated[bool | Unknown, *_unknown_or(flag, {"type": "boolean"})]
Name = Annotated[str | Unknown | None, *_unknown_or(text, _TEXT)]
GunSort = Annotated[str | Unknown, *_unknown_or(word_of(GUN_SORTS, "sort of Gun"), {"enum": list(GUN_SORTS)})]
Words = Annotated[tuple[str, ...] | Unknown | None, *_unknown_or(words, {"type": "array", "items": _TEXT})]
Signs = Annotated[
    tuple[str, ...] | Unknown | None,
    *_unknown_or(words_of(WRECK_SIGNS, "sign of a wreck"), {"type": "array", "items": {"enum": list(WRECK_SIGNS)}}),
]
MayBe = Annotated[
    tuple[str, ...] | Unknown | None,
    *_unknown_or(words_of(CAPABILITIES, "capability"), {"type": "array", "items": {"enum": list(CAPABILITIES)}}),
]

_ONE_PERIOD = (_PERIOD, {"type": "integer"})
_SPAN = {"type": "object", "properties": _EDGES, "additionalProperties": False}
_PERIODS = {"type": "array", "items": {"anyOf": [*_ONE_PERIOD, _SPAN]}}
_BY_PERIOD = {"type": "object", "additionalProperties": {"enum": [True, False, "unknown"]}}

RfSeries = Annotated[Series[Decimal], *_series(rf, _RF)]
RangeSeries = Annotated[Series[int], *_series(number(0, 9, "range"), _whole(0, 9))]
OwnRange = Annotated[Series[int] | None, *_series(number(0, 9, "range"), _whole(0, 9))]
RatioSeries = Annotated[Series[int], *_series(number(1, 99, "number of squads"), _whole(1, 99))]
FactorSeries = Annotated[Series[int], *_series(number(1, 20, "number of squads"), _whole(1, 20))]
PointSeries = Annotated[Series[int], *_series(number(1, 999, "number of points"), _whole(1, 999))]
RollSeries = Annotated[Series[int], *_series(number(-12, 12, "Air Support Number"), _whole(-12, 12))]
FlagSeries = Annotated[Series[bool], *_series(flag, {"type": "boolean"})]
Dates = Annotated[
    Series[bool],
    PlainValidator(dates),
    PlainSerializer(plain_dates),
    Schema({"anyOf": [*_ONE_PERIOD, _PERIODS, _BY_PERIOD, {"type": "null"}]}),
]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Type = Annotated[str, BeforeValidator(lambda raw: str(raw) if type(raw) is int else raw), Text]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Note = Annotated[str, PlainValidator(note), Schema({"type": "string"})]
Source = Annotated[str, PlainValidator(source), Schema(_TEXT)]
Sources = Annotated[dict[str, str], PlainValidator(by_field), Schema({"type": "object", "additionalProperties": _TEXT})]
