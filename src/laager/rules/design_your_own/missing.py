"""What the catalogue lacks, asked of the owner of the rulebook when it is needed.

Nothing is invented: whoever leaves a value open goes without what depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.base import DataError, LaagerError, Problem
from laager.campaign import Choice, Field, Option, Procedure, Question, Record, Rows, Text, ask
from laager.catalogue.dyo import DyoCatalogue, Gap
from laager.catalogue.dyo.gaps import SECTION_WORDS
from laager.rules.design_your_own import sections
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ValuesGiven
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.steps.buying import declined

NOT_NEEDED = frozenset({"half", "dates", "tow", "tows", "half_squad", "arrangements", "observation_plane"})
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


def fill_gaps(cg: Cg, side: str, rule: str, *wanted: str, whole: Sequence[str] = ()) -> Procedure[None]:
    """Ask for sections that nobody has entered, then for missing values of what there is.

    Sections of `whole` are asked only if nothing of them is known.
    """
    for of in cg.nations(side):
        yield from _fill_sections(cg, side, of, rule, (*whole, *wanted))
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
            irrevocable=declined("What stays open can't be bought."),
            nothing="Leave them open",
        )
    )
    if answer:
        values = tuple(_given(missing[row["what"]], row["value"]) for row in answer)
        yield ValuesGiven(side=side, values=values, why="told by the players", to=(side,))


def _fill_sections(cg: Cg, side: str, of: str, rule: str, wanted: Sequence[str]) -> Procedure[None]:
    """Ask a side for sections of its nation, or of the contingent `of` it."""
    own = cg.terms.side(side).nation
    open_now = sections.missing(cg.nation(side, of or own), cg.month, wanted)
    if not open_now:
        return
    form = sections.form_of(open_now)
    what = ", ".join(SECTION_WORDS[name] for name in open_now if name != sections.PF_RANGE)
    whose = f"{what} of the {of} contingent" if of else what
    answer = yield from ask(
        Question(
            key="-".join(filter(None, ("sections", open_now[0].replace("_", "-"), of))),
            side=side,
            text=f"Your catalogue has no {whose} to choose from; what does your rulebook have?",
            form=form,
            rule=rule,
            secret=True,
            default={field.name: field.default for field in form.fields},
            help="From your rulebook, one row for each type that you may want, with its values of "
            f"{cg.month}. What you leave out can't be had.",
            check=lambda given: _section_problems(cg, side, of, given),
            suggest=lambda rng: sections.suggest(open_now, rng),
            irrevocable=_left_out,
            nothing="Leave it open",
        )
    )
    values = tuple(value for _, value in _told(cg, of, answer))
    if values:
        yield ValuesGiven(side=side, values=values, why="told by the players", to=(side,))


def _left_out(given: Mapping[str, Any]) -> str:
    """Say which sections an answer leaves as empty as they are."""
    empty = [
        SECTION_WORDS[name]
        for name, told in given.items()
        if name != sections.PF_RANGE and not (any(told.values()) if isinstance(told, Mapping) else told)
    ]
    return f"You leave out: {', '.join(empty)}. Nothing of it can be had then." if empty else ""


def _told(cg: Cg, of: str, answer: Mapping[str, Any]) -> list[tuple[str, GivenValue]]:
    told = sections.told(answer, cg.month)
    return [(path, value.model_copy(update={"nation": of})) for path, value in told]


def _section_problems(cg: Cg, side: str, of: str, answer: Mapping[str, Any]) -> list[Problem]:
    told = _told(cg, of, answer)
    found = [
        Problem(f"{row['type']} stands here twice", "remove one of the two", f"{name}[{i + 1}]")
        for name, rows in answer.items()
        if name in sections.ROWS
        for i, row in enumerate(rows)
        if _same(name, row) in [_same(name, other) for other in rows[:i]]
    ]
    found += [
        Problem("an option of OBA needs its price", "points or a percentage", f"oba_options[{i}]")
        for i, row in enumerate(answer.get("oba_options", ()), 1)
        if sections.OPEN == row["bpv"] == row["percent"]
    ]
    return found + _value_problems(cg, side, told)


def _same(section: str, row: Mapping[str, Any]) -> tuple[str, str]:
    return row["type"], row["vehicle"] if section == "armament" else ""


def _value_problems(cg: Cg, side: str, told: Sequence[tuple[str, GivenValue]]) -> list[Problem]:
    """Return what the catalogue has against values, each with the path where it was typed."""
    catalogue, found = _catalogue(cg, side), list[Problem]()
    for path, value in told:
        try:
            catalogue = catalogue.with_values([cg.told(side, value)])
        except DataError as err:
            found += [Problem(problem.what, problem.right, path) for problem in err.problems]
        except LaagerError as err:
            found.append(Problem(str(err), "", path))
    if found:
        return found
    return [
        Problem(problem.what, problem.right, path)
        for nation in cg.terms.side(side).nations
        for problem in catalogue.contradictions(nation)
        if (path := _typed_at(problem.field, told))
    ]


def _typed_at(place: str, told: Sequence[tuple[str, GivenValue]]) -> str:
    """Return where what is complained of was typed: the value, or its entry; "" if it was not."""
    entries = [".".join(part for part in (v.section, v.type) if part) for _, v in told]
    for entry, (path, value) in zip(entries, told, strict=True):
        if place == f"{entry}.{value.field}":
            return path
    for entry, (path, value) in zip(entries, told, strict=True):
        if value.type and place.startswith(f"{entry}."):
            return path.rpartition(".")[0]
    return ""


def _catalogue(cg: Cg, side: str) -> DyoCatalogue:
    """Return the catalogue with what a side has told so far."""
    return DyoCatalogue({name: cg.nation(side, name) for name in cg.terms.side(side).nations})


def _key(gap: Gap) -> str:
    return " ".join(part for part in (gap.nation, gap.section, gap.type, gap.field) if part)


def _given(gap: Gap, value: str) -> GivenValue:
    plain = sections.plain(value)
    return GivenValue(section=gap.section, type=gap.type, field=gap.field, value=plain, nation=gap.nation)


def _problems(cg: Cg, side: str, missing: Mapping[str, Gap], rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    names = [row["what"] for row in rows]
    found = [
        Problem(f"{name} is told twice", "tell it once", f"[{i + 1}]")
        for i, name in enumerate(names)
        if names.index(name) < i
    ]
    told = [(f"[{i}].value", _given(missing[row["what"]], row["value"])) for i, row in enumerate(rows, 1)]
    return found + _value_problems(cg, side, told)
