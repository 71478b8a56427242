"""Stand-ins for blanks: values that a model takes, so that what is filled in can be checked from the first blank on."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from laager.base.problems import Problem

M = TypeVar("M")
Where = tuple[str | int, ...]

_NAME = "Zz{}"
_STANDS = re.compile(r"\bZz[0-9]+\b")
_MOST_ROUNDS = 8
"""A part that stands in for a whole mapping gets one level of its fields in each round."""

_MAKERS: dict[str, Callable[[ErrorDetails], Any]] = {
    "int_type": lambda _: 0,
    "float_type": lambda _: 0,
    "bool_type": lambda _: False,
    "date_type": lambda _: "1944-01-01",
    "list_type": lambda _: [],
    "tuple_type": lambda _: [],
    "dict_type": lambda _: {},
    "too_short": lambda _: [{}],
    "greater_than_equal": lambda error: error["ctx"]["ge"],
    "greater_than": lambda error: error["ctx"]["gt"] + 1,
    "literal_error": lambda error: re.findall(r"'([^']*)'", error["ctx"]["expected"])[0],
}
"""What to put where a model wants something else, by the type of its error."""


def fill_gaps(
    data: Any, gaps: Collection[Where], validate: Callable[[Any], M], locate: Callable[[ErrorDetails, Any], Where]
) -> M | None:
    """Return what a model makes of data with stand-ins at its gaps; None if no stand-in is known for one.

    `locate` says where in the data an error stands. Raises ValidationError if anything else is wrong, too: also what
    a part says of itself only once all of it is there.
    """
    filled = copy.deepcopy(data)
    placed: set[Where] = set()
    numbers = iter(range(1, 10_000))
    for _ in range(_MOST_ROUNDS):
        try:
            return validate(filled)
        except ValidationError as err:
            refused = err
            places = {locate(error, filled): error for error in err.errors(include_url=False)}
        # A list is also too short while its items aren't valid: those come first.
        around = {where[:end] for where in places for end in range(len(where))}
        for where, error in places.items():
            if where in around:
                continue
            if where not in gaps and not any(where[: len(made)] == made for made in placed):
                raise refused
            if not _put(filled, where, error, numbers):
                return None
            placed.add(where)
    return None


def _put(data: Any, where: Where, error: ErrorDetails, numbers: Iterator[int]) -> bool:
    """Put a stand-in into data; false if none is known."""
    for step in where[:-1]:
        data = data[step]
    kind = error["type"]
    if kind == "missing":
        value: Any = {}
    elif kind == "string_type":
        value = _NAME.format(next(numbers))
    elif kind in _MAKERS:
        value = _MAKERS[kind](error)
    else:
        return False
    data[where[-1]] = value
    return True


def without_stand_ins(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems that aren't about a stand-in; none is advised either."""
    return [
        replace(problem, right="") if _STANDS.search(problem.right) else problem
        for problem in problems
        if not _STANDS.search(problem.what)
    ]
