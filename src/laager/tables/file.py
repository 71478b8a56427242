"""The file format of tables, `tables/1`: what each field may hold.

What one field or one row shows to be wrong is found here, what needs several of them in `checks`.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, model_validator

from laager.base.files import FilePart
from laager.dice import Dice
from laager.tables.model import Value

NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"


def _read_text(value: Any) -> Any:
    if not isinstance(value, str):
        right = "put it in quotes if it is meant as text" if isinstance(value, int | float) else "write a text"
        raise ValueError(f"{_quote(value)} is not text; {right}")
    if not value.strip():
        raise ValueError("is blank; it should say something")
    return value.strip()


def _read_name(value: Any) -> Any:
    if not isinstance(value, str) or not re.fullmatch(NAME, value):
        raise ValueError(f"{_quote(value)} is not a name; small letters and digits, words joined by hyphens")
    return value


def _read_result(value: Any) -> Any:
    if not isinstance(value, str | int | None):
        raise ValueError(f"{_quote(value)} is not a result; text, a whole number, true, false or null")
    return value if not isinstance(value, str) else _read_text(value)


def _read_amount(value: Any) -> Any:
    if value != "given" and (not isinstance(value, int) or isinstance(value, bool)):
        raise ValueError(f"{_quote(value)} is not a modifier; a whole number, or `given` if the roll supplies it")
    return value


def _require_list(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{_quote(value)} is not a list; write [ ] around it, or a line for each")
    return value


def _require_items(value: Any) -> Any:
    # Pydantic's own check of the length also complains of a list whose items are not valid.
    if not _require_list(value):
        raise ValueError("is empty; at least one")
    return value


def _quote(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


Text = Annotated[str, Field(min_length=1), BeforeValidator(_read_text)]
Name = Annotated[str, Field(pattern=NAME), BeforeValidator(_read_name)]
Result = Annotated[Value, BeforeValidator(_read_result)]
Listed = BeforeValidator(_require_list)
Filled = BeforeValidator(_require_items)
Amount = Annotated[int | Literal["given"], BeforeValidator(_read_amount)]


class RowEntry(BaseModel):
    """A row: its bounds (inclusive, on the final roll) and one value for each column."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Result]

    at: StrictInt | None = Field(None, description="the only final roll of this row")
    from_: StrictInt | None = Field(None, alias="from", description="lowest final roll; left out: open below")
    to: StrictInt | None = Field(None, description="highest final roll; left out: open above")
    result: Result = Field(None, description="the result, in a table without columns")

    @model_validator(mode="after")
    def _check_bounds(self) -> RowEntry:
        if self.at is not None and (self.from_ is not None or self.to is not None):
            raise ValueError("has `at` and a range; write either `at` or `from` and `to`")
        if self.from_ is not None and self.to is not None and self.from_ > self.to:
            raise ValueError(f"runs from {self.from_} to {self.to}; the lower bound is `from`")
        return self

    @property
    def low(self) -> int | None:
        """The lowest final roll, None if open."""
        return self.from_ if self.at is None else self.at

    @property
    def high(self) -> int | None:
        """The highest final roll, None if open."""
        return self.to if self.at is None else self.at

    @property
    def values(self) -> dict[str, Value]:
        """What the row gives, by column; `result` only if it was written."""
        written = dict(self.__pydantic_extra__)
        if "result" in self.model_fields_set:
            written["result"] = self.result
        return written


class ModifierEntry(FilePart):
    """A DRM or drm of a table: the condition, its value and its rule."""

    id: Name
    value: Amount = Field(description="a whole number, or `given`: supplied by whoever rolls")
    per: Text | None = Field(None, description="what is counted, if the value counts several times")
    when: Text = Field(description="the condition, in words")
    rule: Text = Field(description="the clause that it comes from")

    @model_validator(mode="after")
    def _check_count(self) -> ModifierEntry:
        if self.per is not None and self.value == "given":
            raise ValueError(
                "is given by whoever rolls, so it can't count for each of something; leave out one of the two"
            )
        return self


class TableEntry(FilePart):
    """A table as it stands in a file."""

    id: Name
    title: Text
    rule: Text = Field(description="the clause that the table belongs to")
    roll: Dice
    columns: Annotated[tuple[Name, ...], Listed] = Field(
        (), description="names of the columns; left out: each row has a `result`"
    )
    results: dict[str, Text] = Field({}, description="words for results; if given, text results must be among them")
    rows: Annotated[tuple[RowEntry, ...], Filled] = Field(json_schema_extra={"minItems": 1})
    modifiers: Annotated[tuple[ModifierEntry, ...], Listed] = ()
    notes: Annotated[tuple[Text, ...], Listed] = ()
    own_modifiers: bool = Field(True, description="false if a house can't add modifiers: its roll isn't Laager's")
    per_unit: bool = Field(False, description="true if it's rolled on for single units")


class TablesFile(FilePart):
    """A file of tables."""

    laager: Literal["tables/1"]
    source: Text = Field(description="a sentence saying where the figures come from")
    tables: Annotated[tuple[TableEntry, ...], Listed] = Field(description="none in a file that is yet to be filled in")
