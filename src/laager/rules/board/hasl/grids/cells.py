"""Cells of a grid: values of a file as text, and the values that typed texts mean.

`text` returns None for a value that a cell can't show; it then stays as it is. `value` raises ValueError with what is
wrong and what would be right, parted by a semicolon.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from laager.base import did_you_mean
from laager.base.texts import is_in_languages, text_of

LONGEST = 4000
"""Longest text of a cell, in characters."""

LONGEST_QUOTE = 60
"""Most characters of a cell that a message repeats."""


def quote_cell(text: str) -> str:
    """Return a cell's text in quotes, cut short if it is long."""
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…")


class CellFormat(ABC):
    """Shows and reads the cells of a column."""

    def text(self, value: Any) -> str | None:
        """Return a value as text; None if a cell can't show it."""
        return self._text(value)

    def value(self, text: str) -> Any:
        """Return what a text means. Raises ValueError."""
        return self._value(text)

    @abstractmethod
    def _text(self, value: Any) -> str | None: ...

    @abstractmethod
    def _value(self, text: str) -> Any: ...


@dataclass(frozen=True)
class WordsCell(CellFormat):
    """Text as it stands. `known` are words to choose from, though others can stand there too."""

    known: Callable[[], Sequence[str]] | None = None

    def _text(self, value: Any) -> str | None:
        if isinstance(value, Mapping):
            # In several languages: the cell has the file's own.
            with suppress(ValueError):
                return text_of(value)
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None

    def _value(self, text: str) -> Any:
        return text


@dataclass(frozen=True)
class NumberCell(CellFormat):
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = 999

    def _text(self, value: Any) -> str | None:
        return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None

    def _value(self, text: str) -> Any:
        # A sheet may use the minus sign of typographers.
        plain = text.replace("−", "-").replace("–", "-").removeprefix("+")
        if not re.fullmatch(r"-?[0-9]{1,6}", plain) or not self.low <= int(plain) <= self.high:
            raise ValueError(f"{quote_cell(text)} doesn't fit; a whole number from {self.low} to {self.high}")
        return int(plain)


@dataclass(frozen=True)
class ChoiceCell(CellFormat):
    """One of some values, each with the words that people read."""

    words: Mapping[Any, str]

    def _text(self, value: Any) -> str | None:
        return self.words.get(value, str(value)) if isinstance(value, str | bool | int) else None

    def _value(self, text: str) -> Any:
        matches = self._by_text.get(text) or self._by_text.get(text.casefold())
        if matches is None:
            raise ValueError(f"{quote_cell(text)} isn't known; {did_you_mean(text, self.words.values())}")
        return matches[0]

    @cached_property
    def _by_text(self) -> Mapping[str, tuple[Any]]:
        pairs = [(name, (value,)) for value, words in self.words.items() for name in (str(value), words)]
        # As it stands first: DR and dr differ in nothing else.
        return {**{name.casefold(): value for name, value in pairs}, **dict(pairs)}


YES_NO = ChoiceCell({True: "yes", False: "no"})


@dataclass(frozen=True)
class Names(CellFormat):
    """Several names, parted by commas: only those `within`, if any are given. `known` are words to complete."""

    within: tuple[str, ...] = ()
    known: Callable[[], Sequence[str]] | None = None

    def _text(self, value: Any) -> str | None:
        if isinstance(value, str):
            return value
        plain = isinstance(value, list) and all(isinstance(name, str | int) and "," not in str(name) for name in value)
        return ", ".join(map(str, value)) if plain else None

    def _value(self, text: str) -> Any:
        names = split(text)
        for name in names:
            if self.within and name not in self.within:
                raise ValueError(f"{quote_cell(name)} isn't known; {did_you_mean(name, self.within)}")
        return names


@dataclass(frozen=True)
class Sentences(CellFormat):
    """Several sentences, parted by ` | `."""

    def _text(self, value: Any) -> str | None:
        if not isinstance(value, list):
            return None
        own = [text_of(sentence) if is_in_languages(sentence) else sentence for sentence in value]
        plain = all(isinstance(sentence, str) and "|" not in sentence for sentence in own)
        return " | ".join(own) if plain else None

    def _value(self, text: str) -> Any:
        return [part.strip() for part in text.split("|") if part.strip()]


def split(text: str) -> list[str]:
    """Return the items of a text that are parted by commas, semicolons or lines."""
    return [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]


def letters_of(id_: str) -> str:
    """Return the letters by which a group's id says its kind: HW of HW2 and K-HW2."""
    return id_.rstrip("0123456789").rpartition("-")[2]


# Units, weapons, groups ---------------------------------------------------------------------------

_TIMES = re.compile(r"([0-9]{1,2})\s*[x×]\s*(.+)", re.IGNORECASE)
_MARKED = re.compile(r"(.+?)\s*\(([1-9E])\)")
_ARRIVAL = re.compile(r"(.+?)\s*\(([a-z-]+)(?:\s+([^()]+))?\)")


def _times(text: str) -> tuple[int, str]:
    """Return how often something stands there, and what: `3x 4-6-7`, or `4-6-7` for one."""
    match = _TIMES.fullmatch(text)
    return (int(match[1]), match[2]) if match else (1, text)


def _with_count(count: object, name: str) -> str:
    return f"{count}x {name}" if count not in (None, 1) else name


def _list_in_words(value: Any, keys: set[str], in_words: Callable[[Mapping[str, Any]], str]) -> str | None:
    """Return items as text; None unless all have only these keys, and nothing that would be read differently."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    for item in value:
        if not isinstance(item, Mapping) or not keys >= set(item):
            return None
        if re.search(r"[,;\n]", "".join(str(part) for part in item.values())):
            return None
    return ", ".join(in_words(item) for item in value)


@dataclass(frozen=True)
class Pieces(CellFormat):
    """The pieces of a group with their numbers, `3x 4-6-7, 9-1`; some with a mark in parentheses, kept under `key`."""

    key: str
    marks: Mapping[str, Any]

    def _text(self, value: Any) -> str | None:
        words = {mark: word for word, mark in self.marks.items()}

        def in_words(item: Mapping[str, Any]) -> str:
            name = _with_count(item.get("count"), str(item.get("type", "")))
            mark = item.get(self.key)
            return f"{name} ({words.get(mark, mark)})" if mark not in (None, False) else name

        return _list_in_words(value, {"type", "count", self.key}, in_words)

    def _value(self, text: str) -> Any:
        items = []
        for part in split(text):
            marked = _MARKED.fullmatch(part)
            mark = self.marks.get(marked[2]) if marked else None
            count, name = _times(marked[1] if marked and mark is not None else part)
            item: dict[str, Any] = {"type": name}
            if count != 1:
                item["count"] = count
            if mark is not None:
                item[self.key] = mark
            items.append(item)
        return items


UNIT_CELL = Pieces("engineers", {"E": True})
"""Units of a group, `(E)` after Assault Engineers."""
WEAPON_CELL = Pieces("need", {str(number): number for number in range(1, 7)})
"""SW of a group, `2x LMG, PSK (3)`, with the number in parentheses as printed."""


@dataclass(frozen=True)
class Groups(CellFormat):
    """Groups of an OB: `I1, 2x I2 (enter), HW1 (on-map North Knob)`."""

    def _text(self, value: Any) -> str | None:
        def in_words(item: Mapping[str, Any]) -> str:
            how = " ".join(filter(None, (str(item.get("arrival", "")), str(item.get("area", "")))))
            return f"{item.get('rg', '')} ({how})" if how else str(item.get("rg", ""))

        return _list_in_words(value, {"rg", "arrival", "area"}, in_words)

    def _value(self, text: str) -> Any:
        items: list[dict[str, Any]] = []
        for part in split(text):
            how = _ARRIVAL.fullmatch(part)
            count, name = _times(how[1] if how else part)
            item: dict[str, Any] = {"rg": name}
            if how:
                item["arrival"] = how[2]
                item |= {"area": how[3].strip()} if how[3] else {}
            items += [dict(item) for _ in range(min(count, 40))]
        return items


@dataclass(frozen=True)
class PointsCell(CellFormat):
    """Points that arrive: `14 + DR`, `DR`, `6`."""

    def _text(self, value: Any) -> str | None:
        if not isinstance(value, Mapping) or not {"fixed", "dice"} >= set(value):
            return value if isinstance(value, str) else None
        fixed, dice = value.get("fixed", 0), value.get("dice")
        return " + ".join(str(part) for part in (fixed or ("" if dice else "0"), dice) if part not in (None, ""))

    def _value(self, text: str) -> Any:
        match = re.fullmatch(r"([0-9]{1,3})?(?:(?:(?<=[0-9])\s*\+\s*|^)(DR|dr))?", text.strip())
        if not match or not text.strip():
            raise ValueError(f"{quote_cell(text)} doesn't fit; a number, DR or dr, or both, such as 14 + DR")
        points: dict[str, Any] = {"fixed": int(match[1])} if match[1] else {}
        return {**points, "dice": match[2]} if match[2] else points


@dataclass(frozen=True)
class Result(CellFormat):
    """The result of a row of a table: a word, a number, yes or no, or – for nothing."""

    text_of: Mapping[Any, str] = field(default_factory=lambda: {None: "–", True: "yes", False: "no"})

    def _text(self, value: Any) -> str | None:
        if value is None or isinstance(value, bool):
            return self.text_of[value]
        return str(value) if isinstance(value, str | int) else None

    def _value(self, text: str) -> Any:
        plain = text.replace("−", "-")
        if plain in {"–", "-", "—", "null"}:
            return None
        if plain.casefold() in {"yes", "true"}:
            return True
        if plain.casefold() in {"no", "false"}:
            return False
        return int(plain) if re.fullmatch(r"[-+]?[0-9]{1,6}", plain) else text


@dataclass(frozen=True)
class Amount(NumberCell):
    """A modifier: a number, or `given` if Laager or the players supply it."""

    low: int = -99
    high: int = 99

    def _value(self, text: str) -> Any:
        return "given" if text.casefold() == "given" else super()._value(text)


# The final roll of a row --------------------------------------------------------------------------

_ROLL = r"(-?[0-9]{1,3})"
_RANGES = (
    (re.compile(rf"(?:≤|<=|=<|to )\s*{_ROLL}|{_ROLL} or less"), ("to",)),
    (re.compile(rf"(?:≥|>=|=>|from )\s*{_ROLL}|{_ROLL}\s*\+|{_ROLL} or more"), ("from",)),
    (re.compile(rf"{_ROLL}\s*(?:-|–|to|…|\.\.)\s*{_ROLL}"), ("from", "to")),
    (re.compile(_ROLL), ("at",)),
)


@dataclass(frozen=True)
class FinalRoll(CellFormat):
    """The final rolls of a row, as printed: `≤ 4`, `5-9`, `10`, `≥ 11`, `all`."""

    def _text(self, value: Any) -> str | None:
        low, high = value.get("from"), value.get("to")
        if "at" in value:
            return str(value["at"])
        if low is None and high is None:
            return "all"
        if low is None:
            return f"≤ {high}"
        return f"≥ {low}" if high is None else f"{low}-{high}"

    def _value(self, text: str) -> Any:
        plain = " ".join(text.replace("−", "-").split())
        if plain.casefold() in {"all", "any"}:
            return {}
        for pattern, names in _RANGES:
            match = pattern.fullmatch(plain)
            if match:
                return dict(zip(names, (int(number) for number in match.groups() if number is not None), strict=True))
        raise ValueError(f"{quote_cell(text)} isn't a final roll; write it as ≤ 4, 5-9, 10 or ≥ 11")


def complete_rolls(cell: CellFormat, rows: Iterable[list[str]]) -> list[list[str]]:
    """Return the rows of a chart with whole final rolls, where only the last of each were typed: 4, 9, nothing.

    They become `≤ 4`, `5-9` and `≥ 10`: the rolls of a table leave no gap.
    """
    made = list(rows)
    filled = [row for row in made if any(row)]
    if isinstance(cell, FinalRoll) and len(filled) > 1:
        ends = [_last_roll_of(row[0]) for row in filled[: -1 if not filled[-1][0] else None]]
        known = [end for end in ends if end is not None]
        if known == sorted(set(known)) and None not in ends[:-1]:
            for row, last in zip(filled, [None, *ends], strict=False):
                row[0] = _with_first_roll(row[0], last)
        if not filled[-1][0]:
            filled[-1][0] = roll_after(filled[0][0], filled[-2][0])
    return made


def _last_roll_of(text: str) -> int | None:
    """Return the highest of some final rolls; None if there is none."""
    with suppress(ValueError):
        roll = FinalRoll().value(text)
        last: int | None = roll.get("to", roll.get("at"))
        return last
    return None


def _with_first_roll(text: str, before: int | None) -> str:
    """Return the final rolls of a row of which the last is typed, after those that end with `before`."""
    if not re.fullmatch("[-−]?[0-9]{1,3}", text):
        return text
    last = int(text.replace("−", "-"))
    if before is None:
        # A table with a line for each roll can begin with 1 or 2.
        return f"≤ {last}" if last > LOWEST_ROLL else text
    return f"{before + 1}-{last}" if last > before + 1 else text


LOWEST_ROLL = 2
"""The lowest roll of two dice without modifiers."""


def roll_after(lowest: str, last: str) -> str:
    """Return the final rolls above the last of some rows that begin with the lowest: `≥ 10` after `≤ 4`, `5-9`.

    "" if the rows don't begin with the lowest rolls, or leave none.
    """
    with suppress(ValueError):
        first, before = FinalRoll().value(lowest), FinalRoll().value(last)
        reached = before.get("to", before.get("at"))
        if set(first) == {"to"} and reached is not None:
            return f"≥ {reached + 1}"
    return ""
