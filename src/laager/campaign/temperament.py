"""Temperaments: the figures by which a proposal is judged, and by which commanders differ who judge alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from laager.base import DataError, Refusal, RefusedError, did_you_mean
from laager.base.files import problems_of, read_document

SHIPPED = Path(__file__).with_name("temperaments.yaml")

Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True)
class Temperament:
    """How much counts for somebody who judges: figures by name, such as `attack.behind`."""

    name: str
    figures: Mapping[str, float] = field(repr=False)

    def __getitem__(self, figure: str) -> float:
        """Return a figure."""
        return self.figures[figure]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Figure(_Part):
    value: float = Field(ge=0, le=10)
    why: Text


class _Line(_Part):
    title: Text
    why: Text
    figures: dict[str, float] = {}


class TemperamentsFile(_Part):
    """The file: each figure with its value for the sensible one and its reason, and what others have otherwise."""

    laager: Literal["temperaments/1"]
    figures: dict[str, _Figure]
    temperaments: dict[str, _Line]

    @model_validator(mode="after")
    def _check_names(self) -> TemperamentsFile:
        for name, line in self.temperaments.items():
            for figure in line.figures:
                if figure not in self.figures:
                    raise ValueError(f"{name} names {figure!r}: {did_you_mean(figure, self.figures, 'figures are')}")
        return self


@cache
def temperaments() -> Mapping[str, Temperament]:
    """Return the temperaments that ship with Laager, by name."""
    document = read_document(SHIPPED)
    try:
        file = TemperamentsFile.model_validate(document.data)
    except ValidationError as err:
        raise DataError(problems_of(err, document, TemperamentsFile)) from None
    usual: dict[str, Any] = {name: figure.value for name, figure in file.figures.items()}
    return {name: Temperament(name, {**usual, **line.figures}) for name, line in file.temperaments.items()}


def find_temperament(name: str) -> Temperament:
    """Return a temperament by its name. Raises RefusedError if there is none of this name."""
    known = temperaments()
    if name not in known:
        advice = did_you_mean(name, known, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no temperament {name!r}", advice)
    return known[name]


def sensible() -> Temperament:
    """Return the temperament of the proposals."""
    return temperaments()["sensible"]
