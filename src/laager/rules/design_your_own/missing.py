"""What the catalogue lacks, asked of the owner of the rulebook when it is needed.

Nothing is invented: whoever leaves a value open goes without what depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.base import DataError, LaagerError, Problem
from laager.campaign.questions import Choice, Field, Option, Question, Record, Rows, Text
from laager.campaign.steps import Procedure, ask
from laager.catalogue.dyo import Gap, Given
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ValuesGiven
from laager.rules.design_your_own.state import GivenValue

NOT_NEEDED = frozenset(
    {"half", "dates", "tow", "tows", "half_squad", "arrangements", "observation_plane"}
)
"""Fields without which everything can be bought."""


def open_gaps(cg: Cg, side: str, *wanted: str) -> tuple[Gap, ...]:
    """Return what a side's catalogue lacks at the date of what is wanted: sections, or fields.

    A section that was never entered has no entries whose values could be told.
    """
    return tuple(
        gap
        for gap in cg.gaps(side)
        if gap.field
        and gap.field not in NOT_NEEDED
        and (gap.section in wanted or f"{gap.section}.{gap.field}" in wanted)
    )


def fill_gaps(cg: Cg, side: str, rule: str, *wanted: str) -> Procedure[None]:
    """Ask for missing values of sections or fields; not asked when nothing is missing."""
    missing = {_key(gap): gap for gap in open_gaps(cg, side, *wanted)}
    if not missing:
        return
    options = tuple(Option(key, gap.what) for key, gap in missing.items())
    row = Record((Field("what", Choice(options), "Value"), Field("value", Text(limit=80), "Is")))
    answer = yield from ask(
        Question(
            key=f"values-{wanted[0].replace('_', '-')}",
            side=side,
            text=f"The catalogue lacks {len(missing)} values; which can you give?",
            form=Rows(row, most=max(1, len(missing))),
            rule=rule,
            secret=True,
            default=[],
            help="From your rulebook. What stays open can't be bought.",
            check=lambda rows: _problems(cg, side, missing, rows),
            suggest=lambda rng: [],
        )
    )
    if answer:
        values = tuple(_given(missing[row["what"]], row["value"]) for row in answer)
        yield ValuesGiven(side=side, values=values, why="told by the players", to=(side,))


def _key(gap: Gap) -> str:
    return " ".join(part for part in (gap.section, gap.type, gap.field) if part)


def _given(gap: Gap, value: str) -> GivenValue:
    return GivenValue(section=gap.section, type=gap.type, field=gap.field, value=_plain(value))


def _plain(text: str) -> int | float | str | bool:
    """Return a value as a catalogue file would have it."""
    words = {"yes": True, "no": False}
    if text.lower() in words:
        return words[text.lower()]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _problems(
    cg: Cg, side: str, missing: Mapping[str, Gap], rows: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    names = [row["what"] for row in rows]
    found = [
        Problem(f"{name} is told twice", "tell it once", f"[{i + 1}]")
        for i, name in enumerate(names)
        if names.index(name) < i
    ]
    nation = cg.terms.side(side).nation
    for i, row in enumerate(rows):
        value = _given(missing[row["what"]], row["value"])
        told = Given(nation, value.section, value.type, value.field, value.value, cg.month)
        try:
            cg.catalogue.with_values([told])
        except DataError as err:
            found += [Problem(p.what, p.right, f"[{i + 1}].value") for p in err.problems]
        except LaagerError as err:
            found.append(Problem(str(err), "", f"[{i + 1}].value"))
    return found
