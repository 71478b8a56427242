"""The month of a scenario, on which rarity, availability and many prices depend."""

from __future__ import annotations

import re
from typing import NamedTuple

from laager.base import DataError, Problem

_FORM = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")


class Month(NamedTuple):
    """A month of a year, such as 1944-09. Earlier months are less."""

    year: int
    month: int

    @classmethod
    def of(cls, text: str) -> Month:
        """Return the month of a text `1944-09`. Raises DataError for any other form."""
        found = _FORM.fullmatch(text)
        if not found:
            what = f"{text!r} is not a month"
            raise DataError([Problem(what, "write the year and month, as 1944-09")])
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"
