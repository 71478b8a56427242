"""Readings: rules that can be read in more than one way, and what each way means.

A ruleset ships its readings as data. Each has a default; a card or the players may choose
otherwise, and the campaign's record says which reading was in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, FilePart, check, read_packaged

FILE = "readings.yaml"

Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$")]


class Reading(FilePart):
    """A question that a rule leaves open: its options, which is the default, and why.

    `changes` says what the choice makes different in a campaign.
    """

    id: Name
    rule: Text = Field(description="the clause that can be read in several ways")
    question: Text
    default: Name
    options: dict[Name, Text] = Field(description="what each option means")
    why: Text = Field(description="why the default is the default")
    changes: Text = Field(description="what the choice makes different")

    @model_validator(mode="after")
    def _choices(self) -> Reading:
        if len(self.options) < 2:
            raise ValueError(f"{self.id} leaves nothing to choose; give it two options or more")
        if self.default not in self.options:
            advice = did_you_mean(self.default, self.options)
            raise ValueError(f"the default {self.default} isn't among the options; {advice}")
        return self


class ReadingsFile(FilePart):
    """A file of readings, `readings/1`."""

    laager: Literal["readings/1"]
    ruleset: Text
    readings: tuple[Reading, ...]


@dataclass(frozen=True, eq=False)
class Readings(Mapping[str, Reading]):
    """The readings of a ruleset by id, in the file's order."""

    readings: Mapping[str, Reading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", MappingProxyType(dict(self.readings)))

    def __getitem__(self, id: str) -> Reading:  # noqa: A002
        return self.readings[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.readings)

    def __len__(self) -> int:
        return len(self.readings)

    @staticmethod
    def load_packaged(package: str, name: str = FILE) -> Readings:
        """Return the readings that ship with a ruleset. Raises DataError."""
        return _load_packaged(package, name)

    @staticmethod
    def of(document: Document) -> Readings:
        """Return the readings of a document. Raises DataError with every problem, located."""
        file = check(document, ReadingsFile)
        readings: dict[str, Reading] = {}
        problems = []
        for position, reading in enumerate(file.readings):
            if reading.id in readings:
                wrong = f"there is a reading {reading.id} already"
                where = ("readings", position, "id")
                problems.append(document.problem(where, wrong, "give one of them another name"))
            readings[reading.id] = reading
        if problems:
            raise DataError(problems)
        return Readings(readings)

    @property
    def defaults(self) -> dict[str, str]:
        """The options in force if nothing is chosen."""
        return {id_: reading.default for id_, reading in self.readings.items()}

    def check(self, chosen: Mapping[str, str]) -> list[Problem]:
        """Return what is wrong with a card's choices; `field` of each is `readings.<id>`."""
        return [problem for id_ in chosen for problem in self._problems(id_, chosen[id_])]

    def value(self, chosen: Mapping[str, str], id: str) -> str:  # noqa: A002
        """Return the option in force: the chosen one, else the default.

        Raises RefusedError for an unknown reading or an option that it does not have.
        """
        if id not in self.readings:
            advice = did_you_mean(id, self.readings)
            raise RefusedError(Refusal.NO_SUCH, f"there is no reading “{id}”", advice)
        option = chosen.get(id, self.readings[id].default)
        for problem in self._problems(id, option):
            raise RefusedError(Refusal.BAD_DATA, str(problem))
        return option

    def in_force(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the option in force of every reading. Raises RefusedError as `value` does."""
        return {id_: self.value(chosen, id_) for id_ in self.readings}

    def _problems(self, id: str, option: str) -> Iterator[Problem]:  # noqa: A002
        where = f"readings.{id}"
        if id not in self.readings:
            advice = did_you_mean(id, self.readings, "known are")
            yield Problem("isn't a reading", advice, where)
        elif option not in self.readings[id].options:
            advice = did_you_mean(option, self.readings[id].options)
            yield Problem(f"“{option}” isn't an option of this reading", advice, where)


@cache
def _load_packaged(package: str, name: str) -> Readings:
    # Kept: the values are immutable, and every campaign opened asks for them.
    return Readings.of(read_packaged(package, name))


def ruled_readings(state: Any) -> Mapping[str, str]:
    """Return the readings that rulings have chosen since a campaign began, as a viewer's state has them."""
    ruled: Mapping[str, str] = getattr(state, "agreed", {}).get("readings", {})
    return ruled


def readings_in_force(opening: Mapping[str, Any], state: Any) -> dict[str, str]:
    """Return the readings that a campaign has chosen: when it began, and by rulings since."""
    return {**(opening.get("readings") or {}), **ruled_readings(state)}


def describe_ruled(readings: Readings, opening: Mapping[str, Any], state: Any) -> Iterator[str]:
    """Yield the readings that a ruling has changed, each with what held before."""
    begun = opening.get("readings") or {}
    for id_, option in ruled_readings(state).items():
        before = readings.value(begun, id_)
        if option != before:
            yield f"{id_} ({readings[id_].rule}): {option} instead of {before}, by a ruling"
