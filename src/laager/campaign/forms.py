"""Forms: the shapes of answers, and what is well formed in each.

Answers are plain JSON values, so that a prompt, a web form, an API call and an answers file all give
the same thing. Forms are immutable.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from laager.base import DataError, Problem, Refusal, did_you_mean


class Form(ABC):
    """The shape of an answer. `parse` returns the plain value or raises DataError."""

    kind: ClassVar[str] = "form"

    @abstractmethod
    def parse(self, raw: Any) -> Any:
        """Return the answer as stored. Raises DataError with every problem."""

    def describe(self) -> dict[str, Any]:
        """Return the form as JSON, for pages and programs."""
        return {"kind": self.kind}

    @abstractmethod
    def sample(self, rng: Random) -> Any:
        """Return some well-formed answer; for tests and automatic play."""

    @property
    def blank(self) -> Any:
        """What a question proposes if it has no proposal of its own: nothing chosen, fields at their defaults."""
        return None


def _wrong(text: str, right: str) -> DataError:
    return DataError([Problem(text, right)], Refusal.BAD_ANSWER)


@dataclass(frozen=True)
class YesNo(Form):
    """Yes or no; stored as a boolean."""

    kind: ClassVar[str] = "yes-no"

    def parse(self, raw: Any) -> bool:
        """Accept true/false and yes/no in words."""
        if isinstance(raw, bool):
            return raw
        word = str(raw).strip().lower()
        if word in {"yes", "y", "true"}:
            return True
        if word in {"no", "n", "false"}:
            return False
        raise _wrong(f"{raw!r} is neither yes nor no", "answer yes or no")

    def sample(self, rng: Random) -> bool:
        """Toss a coin."""
        return rng.random() < 0.5


@dataclass(frozen=True)
class Number(Form):
    """A whole number from `low` to `high`, both included."""

    low: int = 0
    high: int = 999
    kind: ClassVar[str] = "number"

    def parse(self, raw: Any) -> int:
        """Accept a whole number or its digits."""
        try:
            number = int(str(raw)) if not isinstance(raw, bool) else None
        except ValueError:
            number = None
        if number is None or not self.low <= number <= self.high:
            raise _wrong(f"{raw!r} isn't valid", f"a whole number from {self.low} to {self.high}")
        return number

    def describe(self) -> dict[str, Any]:
        """Add the bounds."""
        return {"kind": self.kind, "low": self.low, "high": self.high}

    def sample(self, rng: Random) -> int:
        """Any number in the bounds, small ones more often."""
        return min(rng.randint(self.low, self.high), rng.randint(self.low, self.high))


@dataclass(frozen=True)
class Text(Form):
    """A line or paragraph of text, at most `limit` characters; `spell` returns the usual spelling of a text."""

    limit: int = 2000
    spell: Callable[[str], str] = field(default=str, repr=False, compare=False)
    kind: ClassVar[str] = "text"

    def parse(self, raw: Any) -> str:
        """Accept text that isn't too long and has no control characters."""
        text = "" if raw is None else str(raw).strip()
        if len(text) > self.limit:
            raise _wrong(f"{len(text)} characters are too many", f"{self.limit} at most")
        if any(ord(ch) < 32 and ch not in "\n\t" for ch in text):
            raise _wrong("the text holds control characters", "plain text")
        return self.spell(text)

    def sample(self, rng: Random) -> str:
        """Say nothing."""
        return ""


@dataclass(frozen=True)
class Option:
    """One thing that could be chosen; `why_not` says why it can't be just now."""

    value: str
    label: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class Choice(Form):
    """One of several options. A container: `in`, `bool`, iteration give what may be chosen.

    `spell` returns the option that another spelling of it means, or the text itself.
    """

    options: tuple[Option, ...]
    spell: Callable[[str], str] = field(default=str, repr=False, compare=False)
    kind: ClassVar[str] = "choice"

    @classmethod
    def of_labels(cls, labels: Mapping[str, str]) -> Choice:
        """Make a choice from a label for each value."""
        return cls(tuple(map(Option, labels, labels.values())))

    @classmethod
    def of(cls, *values: str, **labels: str) -> Choice:
        """Make a choice from bare values, or from value=label pairs."""
        named = tuple(Option(value.replace("_", "-"), label) for value, label in labels.items())
        return cls(tuple(Option(value) for value in values) + named)

    def __iter__(self) -> Iterator[str]:
        return (option.value for option in self.options if not option.why_not)

    def __contains__(self, value: object) -> bool:
        return value in set(self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @cached_property
    def _by_value(self) -> Mapping[str, Option]:
        """The options by their values, of several the first."""
        # Values of an enum have another hash than their texts.
        return {str.__str__(option.value): option for option in reversed(self.options)}

    def why_not(self, value: object) -> str:
        """Say why a value can't be chosen; empty when it can."""
        option = self._by_value.get(str.__str__(value)) if isinstance(value, str) else None
        if option is not None:
            return option.why_not
        return f"{value} is not one of the choices; {did_you_mean(value, self)}"

    def parse(self, raw: Any) -> str:
        """Accept one of the options that may be chosen."""
        value = _word(raw)
        if value not in self._by_value:
            value = self.spell(value)
        reason = self.why_not(value)
        if reason:
            wrong, _, right = reason.partition("; ")
            raise _wrong(wrong, right)
        return value

    def describe(self) -> dict[str, Any]:
        """Add the options, with why some can't be chosen."""
        return {"kind": self.kind, "options": [_option(option) for option in self.options]}

    def sample(self, rng: Random) -> str:
        """Any option that may be chosen."""
        return rng.choice(list(self))


def _word(raw: Any) -> str:
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    return "" if raw is None else str(raw).strip()


def _option(option: Option) -> dict[str, str]:
    shown = {"value": option.value, "label": option.label or option.value}
    return shown | ({"why_not": option.why_not} if option.why_not else {})


@dataclass(frozen=True)
class Several(Form):
    """From `least` to `most` different options; stored as a list in the order given."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 999
    kind: ClassVar[str] = "several"

    @property
    def blank(self) -> list[str]:
        """Nothing is chosen."""
        return []

    @classmethod
    def of_labels(cls, labels: Mapping[str, str], least: int = 0, most: int = 999) -> Several:
        """Make a list to choose from a label for each value."""
        return cls(tuple(map(Option, labels, labels.values())), least, most)

    @cached_property
    def _choice(self) -> Choice:
        """One of the options."""
        return Choice(self.options)

    def parse(self, raw: Any) -> list[str]:
        """Accept a list of options, none twice, as many as allowed."""
        values = _as_list(raw)
        choice = self._choice
        problems = [
            Problem(reason, "", f"[{i + 1}]") for i, value in enumerate(values) if (reason := choice.why_not(value))
        ]
        problems += [Problem(f"{v} is named twice") for v in dict.fromkeys(values) if values.count(v) > 1]
        if not self.least <= len(values) <= self.most:
            problems.append(Problem(f"{len(values)} chosen", f"from {self.least} to {self.most}"))
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
        return values

    def describe(self) -> dict[str, Any]:
        """Add the options and how many may be chosen."""
        options = [_option(option) for option in self.options]
        return {"kind": self.kind, "options": options, "least": self.least, "most": self.most}

    def sample(self, rng: Random) -> list[str]:
        """Some of the options, in order."""
        free = list(Choice(self.options))
        count = rng.randint(min(self.least, len(free)), min(self.most, len(free)))
        chosen = set(rng.sample(free, count))
        return [value for value in free if value in chosen]


NO_CHOICE = Several(())
"""A list from which nothing can be chosen."""


def _as_list(raw: Any) -> list[str]:
    if raw is None or raw == "":
        return []
    if isinstance(raw, str):
        return [part.strip() for part in raw.split(",") if part.strip()]
    if isinstance(raw, Sequence):
        return [_word(item) for item in raw]
    raise _wrong(f"{raw!r} is not a list", "a list such as [A, B]")


_MISSING: Any = object()


@dataclass(frozen=True)
class Field:
    """A named part of a record. Without a `default` it must be given.

    `only_for` are the values of the record's first field for which it means something; None: all of them.
    """

    name: str
    form: Form
    label: str = ""
    default: Any = _MISSING
    only_for: frozenset[str] | None = None

    @property
    def required(self) -> bool:
        """True if an answer must have it."""
        return self.default is _MISSING

    def left_open(self, given: Any) -> bool:
        """True if an answer names the default itself, as a stored answer does."""
        return not self.required and type(given) is type(self.default) and given == self.default


@dataclass(frozen=True)
class Record(Form):
    """Several named fields together; stored as a mapping with every field present."""

    fields: tuple[Field, ...]
    kind: ClassVar[str] = "record"

    @classmethod
    def of(cls, *fields: Field) -> Record:
        """Make a record of these fields."""
        return cls(fields)

    @property
    def defaults(self) -> dict[str, Any]:
        """The fields that can be left out, at their defaults."""
        return {part.name: deepcopy(part.default) for part in self.fields if not part.required}

    def fields_for(self, row: Mapping[str, Any]) -> tuple[Field, ...]:
        """Return the fields that mean something for a row, by what stands in its first field."""
        first = row.get(self.fields[0].name) if self.fields else None
        return tuple(part for part in self.fields if part.only_for is None or first in part.only_for)

    @property
    def blank(self) -> dict[str, Any]:
        """What is proposed: every field that can be left out at its default."""
        return self.defaults

    def parse(self, raw: Any) -> dict[str, Any]:
        """Accept a mapping of known fields. Reports the problems of all fields at once."""
        if not isinstance(raw, Mapping):
            raise _wrong(f"{raw!r} is not a set of fields", "fields such as {name: value}")
        known = [f.name for f in self.fields]
        problems = [
            Problem("is not known here", did_you_mean(name, known, "known are"), str(name))
            for name in raw
            if name not in known
        ]
        parsed: dict[str, Any] = {}
        for part in self.fields:
            if part.name not in raw and part.required:
                problems.append(Problem("is missing", "add it", part.name))
                continue
            if part.name not in raw or part.left_open(raw[part.name]):
                parsed[part.name] = part.default
                continue
            try:
                parsed[part.name] = part.form.parse(raw[part.name])
            except DataError as err:
                problems += [problem.inside(part.name) for problem in err.problems]
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
        return parsed

    def describe(self) -> dict[str, Any]:
        """Add the fields."""
        fields = []
        for part in self.fields:
            shown: dict[str, Any] = {"name": part.name, "label": part.label or part.name}
            shown |= {"required": part.required, "form": part.form.describe()}
            fields.append(shown if part.required else shown | {"default": part.default})
        return {"kind": self.kind, "fields": fields}

    def sample(self, rng: Random) -> dict[str, Any]:
        """Every required field, and some of the others."""
        return {
            part.name: part.form.sample(rng) if part.required or rng.random() < 0.3 else part.default
            for part in self.fields
        }


@dataclass(frozen=True)
class Rows(Form):
    """A list of records, at most `most`; stored as a list of mappings."""

    row: Record
    most: int = 500
    kind: ClassVar[str] = "rows"

    @property
    def blank(self) -> list[dict[str, Any]]:
        """No rows."""
        return []

    @classmethod
    def of(cls, *fields: Field, most: int = 500) -> Rows:
        """Make a list of records with these fields."""
        return cls(Record(fields), most)

    def parse(self, raw: Any) -> list[dict[str, Any]]:
        """Accept a list of records. Reports the problems of all rows at once."""
        rows = [] if raw is None else raw
        if isinstance(rows, str | Mapping) or not isinstance(rows, Sequence):
            raise _wrong(f"{raw!r} is not a list", "a list of rows, each beginning with -")
        if len(rows) > self.most:
            raise _wrong(f"{len(rows)} rows are too many", f"{self.most} at most")
        parsed, problems = [], []
        for i, row in enumerate(rows):
            try:
                parsed.append(self.row.parse(row))
            except DataError as err:
                problems += [problem.inside(f"[{i + 1}]") for problem in err.problems]
        if problems:
            raise DataError(problems, Refusal.BAD_ANSWER)
        return parsed

    def describe(self) -> dict[str, Any]:
        """Add what a row holds."""
        return {"kind": self.kind, "row": self.row.describe(), "most": self.most}

    def sample(self, rng: Random) -> list[dict[str, Any]]:
        """A few rows."""
        return [self.row.sample(rng) for _ in range(rng.randint(0, min(3, self.most)))]


def leaves_nothing(form: Form) -> bool:
    """True if a form leaves one answer only: nothing can be chosen in any part of it."""
    match form:
        case Several():
            return not form.least and (not form.most or not Choice(form.options))
        case Number():
            return form.low == form.high
        case Record():
            return all(leaves_nothing(part.form) for part in form.fields)
        case Rows():
            return any(isinstance(part.form, Choice) and part.required and not part.form for part in form.row.fields)
    return False
