"""The file of house rules, `house/1`: what a group plays differently, clause by clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from laager.base import WrongValueError
from laager.base.files import FilePart

OFF, AGREE = "off", "agree"
SWITCH, WHY, MODIFIERS, ROWS, COLUMN = "clause", "why", "modifiers", "rows", "column "
"""What may stand in the change of a clause, besides names of tables, rows and figures."""


def _read_change(value: Any) -> Any:
    if isinstance(value, str):
        if value not in (OFF, AGREE):
            raise WrongValueError(f"“{value}” isn't a change of a clause", "off, agree, or what changes in it")
        return {SWITCH: value}
    # YAML 1.1 has off for false, and so have other programs that write such files.
    if value is False:
        return {SWITCH: OFF}
    if not isinstance(value, Mapping) or not value:
        raise WrongValueError("says nothing", "off, agree, or what changes in it")
    return value


Text = Annotated[str, Field(min_length=1)]
Changes = BeforeValidator(lambda value: {} if value is None else value)
"""A file that changes nothing yet has nothing under `rules`."""
Change = Annotated[dict[str, Any], BeforeValidator(_read_change)]


class HouseFile(FilePart):
    """A file of house rules.

    Each clause under `rules` is `off`, `agree` (left to the players), or has what changes in its tables and charts.
    A reason (`why`) may stand with a clause; otherwise the reason of the whole file holds.
    """

    laager: Literal["house/1"]
    ruleset: Text = Field(description="the rule system: pl, abtf, er, hasl or dyo")
    title: Text = Field("House rules", description="what the group calls them")
    why: Text = Field(description="the reason, for clauses that have none of their own")
    rules: Annotated[dict[Text, Change], Changes] = Field(
        description="clause -> off, agree, or what changes in its tables and charts"
    )


class NewModifier(FilePart):
    """A modifier that the rules don't have: asked before each roll of the table."""

    value: int = Field(ge=-20, le=20)
    when: Text = Field(description="the condition, in words")
    per: Text | None = Field(None, description="what is counted, if the value counts several times")
