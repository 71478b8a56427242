"""Values that the catalogue lacks, asked of the owner of the rulebook when they are needed.

Nothing is invented: without a value you can't buy what depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from laager.base import DataError, LaagerError, Problem
from laager.base.counting import count_of
from laager.campaign import Choice, Field, Form, Number, Option, Procedure, Question, Record, Rows, Several, Text, ask
from laager.campaign import Text as TextForm
from laager.catalogue.dyo import UNKNOWN, DyoCatalogue, DyoNation, Gap, Month
from laager.catalogue.dyo.fields import CAPABILITIES, GUN_SORTS
from laager.catalogue.dyo.gaps import SECTION_WORDS
from laager.catalogue.dyo.spelling import REFERENCES
from laager.catalogue.kinds import Grade
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ValuesGiven
from laager.rules.design_your_own.lines.infantry import has_price
from laager.rules.design_your_own.lines.pieces import has_price_and_rf
from laager.rules.design_your_own.spelling import spell_value, type_text
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.steps.buying import named_twice, warn_of_declining

OPEN = ""
"""What a field is while it is left open."""

_TYPE = Field("type", TextForm(limit=40), "Type")
_BPV = Field("bpv", Number(1, 999), "BPV")
_RF = Field("rf", TextForm(limit=4), "RF now")
_COUNTERS = Field("counters", TextForm(limit=3), 'Counters ("#")', OPEN)


def _words(name: str, label: str, *words: str, default: str = OPEN) -> Field:
    """Return a field for one of some words; without a default it can be left open."""
    options = tuple(Option(word) for word in words)
    if default == OPEN:
        options = (Option(OPEN, "left open"), *options)
    return Field(name, Choice(options), label, default)


def _text(name: str, label: str) -> Field:
    return Field(name, TextForm(limit=40), label, OPEN)


ROWS: Mapping[str, tuple[Field, ...]] = {
    "squads": (
        _TYPE,
        _words("kind", "Kind", "squad", "half-squad", "crew", default="squad"),
        Field("class", Choice.of(*(grade.value for grade in Grade)), "Class"),
        _BPV,
        _text("half", "Its half-squad"),
        _COUNTERS,
        Field("may_be", Several(tuple(map(Option, CAPABILITIES))), "Can be bought as", []),
    ),
    "guns": (
        _TYPE,
        _words("sort", "Sort", *GUN_SORTS),
        _BPV,
        _RF,
        _COUNTERS,
        _words("dm", "Can be dm", "yes", "no"),
        _text("tow", "Tow number"),
    ),
    "vehicles": (
        _TYPE,
        Field("afv", Choice.of("yes", "no"), "AFV"),
        _BPV,
        _RF,
        _COUNTERS,
        _text("crew_morale", "Crew morale"),
        _words("wreck", "Wreck side", "-", "Sz", "G", "Sz, G"),
        _text("half_squad", "HS that comes with it"),
        _text("tows", "Tows"),
    ),
    "armament": (
        Field("vehicle", TextForm(limit=40), "Vehicle"),
        Field("type", TextForm(limit=40), "Weapon"),
        Field("fp", Number(1, 99), "FP"),
        _RF,
        _COUNTERS,
    ),
    "transport": (
        _TYPE,
        Field("sort", Choice.of("wagon", "sledge", "horse", "motorcycle", "bicycle"), "Sort"),
        _BPV,
        _COUNTERS,
        _text("tows", "Tows"),
    ),
    "armor_leaders": (_TYPE, Field("counters", Number(0, 99), "Counters")),
    "oba_options": (
        _TYPE,
        _text("bpv", "Points"),
        _text("percent", "or % of the BPV"),
        _words("per", "Per", "battery", "side", default="battery"),
    ),
    "op_tanks": (
        _TYPE,
        Field("counter", TextForm(limit=40), "Counter"),
        _BPV,
        _text("oba", "Sizes of OBA"),
        _text("theatre", "Theatre"),
    ),
    "leaders": (_TYPE, Field("counters", Number(0, 99), "Counters")),
    "support_weapons": (
        _TYPE,
        Field("ratio", Number(1, 99), "Squads for one, now"),
        _COUNTERS,
        _words("per", "Of", "squads", "assault-engineers", default="squads"),
    ),
}
"""What is asked of each entry, in order."""

ASKED = frozenset({*ROWS, "oba"})
"""Sections that can be asked as a whole."""

PF_RANGE = "pf_range"
"""The nation's range of PF, without which no MMC has a price; asked together with its squads."""

OBA_YEAR = (
    *(Field(str(dr), TextForm(limit=20), f"DR {dr}", OPEN) for dr in range(2, 13)),
    Field("max_bpv", TextForm(limit=3), "Bottom line", OPEN),
)
"""The column of a year of the OBA Availability Chart."""


def form_of(sections: Sequence[str], nation: DyoNation) -> Record:
    """Return the form that asks for these sections of a nation at once."""
    forms: dict[str, tuple[Form, Any]] = {
        name: (Rows(Record(_fields(name, nation)), most=60), []) for name in sections if name in ROWS
    }
    if PF_RANGE in sections:
        forms[PF_RANGE] = TextForm(limit=4), OPEN
    if "oba" in sections:
        forms["oba"] = Record(OBA_YEAR), {field.name: OPEN for field in OBA_YEAR}
    parts = ((name, *forms[name]) for name in sections)
    return Record(tuple(Field(n, form, title(n), default) for n, form, default in parts))


def _fields(section: str, nation: DyoNation) -> tuple[Field, ...]:
    """Return what is asked of each entry of a section, with types of the nation in any spelling."""
    types = {"type": section, **{name: target for (of, name), target in REFERENCES.items() if of == section}}
    return tuple(
        replace(part, form=type_text(nation, types[part.name])) if part.name in types else part
        for part in ROWS[section]
    )


def title(section: str) -> str:
    """Return what a section is, as the head of its rows."""
    if section == PF_RANGE:
        return "Range of inherent PF now (0: none)"
    words = SECTION_WORDS[section].removeprefix("the ")
    return words[0].upper() + words[1:]


def is_unentered(nation: DyoNation, month: Month, section: str) -> bool:
    """True if nothing of a section can be used in a month, and nobody said that there is nothing.

    So a section that has only what the rules mention, without prices, is asked for too.
    """
    if section == PF_RANGE:
        return nation.pf_range(month) is UNKNOWN
    if nation.knows(section) and not nation.entries_of(section):
        return False
    match section:
        case "squads":
            return not any(has_price(mmc, month) for mmc in nation.squads(month))
        case "guns":
            return not any(has_price_and_rf(gun, month) for gun in nation.guns(month))
        case "vehicles":
            return not any(has_price_and_rf(vehicle, month) for vehicle in nation.vehicles(month))
        case "oba":
            chart = nation.oba_chart(month)
            return all(cell is UNKNOWN for cell in chart.cells.values())
    return not nation.knows(section)


def missing(nation: DyoNation, month: Month, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return which of some sections must be asked whole, in the order of the form."""
    asked = [name for name in wanted if name in ASKED and is_unentered(nation, month, name)]
    if "squads" in asked and is_unentered(nation, month, PF_RANGE):
        asked.append(PF_RANGE)
    return tuple(asked)


def values_of(answer: Mapping[str, Any], month: Month) -> Iterator[tuple[str, GivenValue]]:
    """Yield each value of an answer with its path in the answer."""
    for section, rows in answer.items():
        if section == PF_RANGE:
            if rows != OPEN:
                value = plain(rows)
                yield (section, GivenValue(section="capabilities", type="", field=section, value=value))
            continue
        if section == "oba":
            for name, value in rows.items():
                if value != OPEN:
                    given = GivenValue(section="oba", type=str(month.year), field=name, value=plain(value))
                    yield f"oba.{name}", given
            continue
        for i, row in enumerate(rows):
            for name, value in _values(section, row):
                given = GivenValue(section=section, type=_row_key(section, row), field=name, value=value)
                yield f"{section}[{i + 1}].{name}", given


def _values(section: str, row: Mapping[str, Any]) -> Iterator[tuple[str, int | float | str | bool]]:
    """Yield the filled fields of a row, what makes an entry complete first."""
    keys = {"type", "vehicle"} if section == "armament" else {"type"}
    for name, value in sorted(row.items(), key=lambda item: item[0] != "sort"):
        if name not in keys and value not in (OPEN, []):
            yield name, ", ".join(value) if isinstance(value, list) else plain(value)


_LIKELY: Mapping[str, Mapping[str, Any]] = {
    "squads": {"type": "4-4-7", "class": "first-line", "bpv": 9},
    "guns": {"type": "Gun A", "sort": "at", "bpv": 30, "rf": "1.0"},
    "vehicles": {"type": "Tank A", "afv": "yes", "bpv": 50, "rf": "1.1", "crew_morale": "8"},
    "armament": {"vehicle": "Tank A", "type": "AAMG", "fp": 4, "rf": "1.0"},
    "transport": {"type": "Wagon", "sort": "wagon", "bpv": 2},
    "armor_leaders": {"type": "8-1", "counters": 3},
    "oba_options": {"type": "plentiful", "percent": "20"},
    "op_tanks": {"type": "Tank A OP", "counter": "Tank A", "bpv": 40},
    "leaders": {"type": "8-0", "counters": 6},
    "support_weapons": {"type": "LMG", "ratio": 4},
}


def suggest(sections: Sequence[str], nation: DyoNation, rng: Random) -> dict[str, Any]:
    """Return a made-up entry of some sections, for automatic play."""
    form = form_of(sections, nation)
    pf_range = {PF_RANGE: "0"} if PF_RANGE in sections else {}
    rows: dict[str, Any] = {name: [_LIKELY[name]] for name in sections if name in _LIKELY and rng.random() < 0.7}
    if "vehicles" not in rows:
        rows = {name: row for name, row in rows.items() if name not in ("armament", "op_tanks")}
    if "oba" in sections and rng.random() < 0.5:
        return dict(form.parse({**pf_range, **rows, "oba": {"7": "80+M 92", "max_bpv": "92"}}))
    return dict(form.parse({**pf_range, **rows}))


def _row_key(section: str, row: Mapping[str, Any]) -> str:
    return f"{row['vehicle']}: {row['type']}" if section == "armament" else str(row["type"])


def plain(value: Any) -> int | float | str | bool:
    """Return a value as a catalogue file would have it, from the text that was typed."""
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return]
    words = {"yes": True, "no": False}
    if value.lower() in words:
        return words[value.lower()]
    for read in (int, float):
        try:
            return read(value)
        except ValueError:
            continue
    return value


NOT_NEEDED = frozenset({"half", "dates", "tow", "tows", "half_squad", "arrangements", "observation_plane"})
"""Fields without which everything can be bought."""


def open_gaps(cg: Cg, side: str, *wanted: str) -> tuple[Gap, ...]:
    """Return what a side's catalogue lacks at the date of what is wanted: sections, or fields.

    A section that was never entered has no entries whose values could be typed.
    """
    return tuple(
        gap
        for gap in cg.gaps(side)
        if gap.field
        and gap.field not in NOT_NEEDED
        and (gap.section in wanted or f"{gap.section}.{gap.field}" in wanted)
    )


NOT_BOUGHT = "What stays open can't be bought."
NOT_RECEIVED = "Without its LG factor a nation receives no leaders, and without a ratio none of an SW."
"""What becomes of what stays open: leaders and SW are not bought, they are received (DYO H1.8, H1.83)."""


def fill_gaps(
    cg: Cg, side: str, rule: str, *wanted: str, whole: Sequence[str] = (), without: str = NOT_BOUGHT
) -> Procedure[None]:
    """Ask for sections that nobody has entered, then for missing values of what there is.

    Sections of `whole` are asked only if nothing of them is known. `without` says what becomes of
    what stays open.
    """
    for of in cg.nations(side):
        yield from _fill_sections(cg, side, of, rule, (*whole, *wanted), without)
    missing = {_key(gap): gap for gap in open_gaps(cg, side, *wanted)}
    if not missing:
        return
    options = tuple(Option(key, gap.what) for key, gap in missing.items())
    row = Record((Field("what", Choice(options), "Value"), Field("value", Text(limit=80), "Is")))
    answer = yield from ask(
        Question(
            key=f"values-{wanted[0].replace('_', '-')}",
            side=side,
            text=f"The catalogue lacks {count_of(len(missing), 'value')}. Which can you give?",
            form=Rows(row, most=max(1, len(missing))),
            rule=rule,
            secret=True,
            default=[],
            help=f"From your rulebook. {without}",
            check=lambda rows: _problems(cg, side, missing, rows),
            suggest=lambda rng: [],
            irrevocable=warn_of_declining(without),
            nothing="Leave them open",
        )
    )
    if answer:
        values = tuple(_given_value(cg, side, missing[row["what"]], row["value"]) for row in answer)
        yield ValuesGiven(side=side, values=values, why="given by the players", to=(side,))


def _fill_sections(cg: Cg, side: str, of: str, rule: str, wanted: Sequence[str], without: str) -> Procedure[None]:
    """Ask a side for sections of its nation, or of the contingent `of` it."""
    own = cg.terms.side(side).nation
    nation = cg.nation(side, of or own)
    open_now = missing(nation, cg.month, wanted)
    if not open_now:
        return
    form = form_of(open_now, nation)
    sections = ", ".join(SECTION_WORDS[name] for name in open_now if name != PF_RANGE)
    whose = f"{sections} of the {of} contingent" if of else sections
    answer = yield from ask(
        Question(
            key="-".join(filter(None, ("sections", open_now[0].replace("_", "-"), of))),
            side=side,
            text=f"Nobody has entered {whose} yet. What does your rulebook have?",
            form=form,
            rule=rule,
            secret=True,
            default={field.name: field.default for field in form.fields},
            help="From your rulebook, one row for each type that you may want, with its values of "
            f"{cg.month}. {without}",
            check=lambda given: _section_problems(cg, side, of, given),
            suggest=lambda rng: suggest(open_now, nation, rng),
            irrevocable=lambda given: _left_out(given, without),
            nothing="Leave it open",
        )
    )
    values = tuple(value for _, value in _values_with_paths(cg, of, answer))
    if values:
        yield ValuesGiven(side=side, values=values, why="given by the players", to=(side,))


def _left_out(given: Mapping[str, Any], without: str) -> str:
    """Say which sections an answer leaves empty."""
    empty = [
        SECTION_WORDS[name]
        for name, typed in given.items()
        if name != PF_RANGE and not (any(typed.values()) if isinstance(typed, Mapping) else typed)
    ]
    return f"You leave out: {', '.join(empty)}. {without}" if empty else ""


def _values_with_paths(cg: Cg, of: str, answer: Mapping[str, Any]) -> list[tuple[str, GivenValue]]:
    return [(path, value.model_copy(update={"nation": of})) for path, value in values_of(answer, cg.month)]


def _section_problems(cg: Cg, side: str, of: str, answer: Mapping[str, Any]) -> list[Problem]:
    typed = _values_with_paths(cg, of, answer)
    problems = [
        Problem(f"{row['type']} stands here twice", "remove one of the two", f"{name}[{i + 1}]")
        for name, rows in answer.items()
        if name in ROWS
        for i, row in enumerate(rows)
        if _same(name, row) in [_same(name, other) for other in rows[:i]]
    ]
    problems += [
        Problem("an option of OBA needs its price", "points or a percentage", f"oba_options[{i}]")
        for i, row in enumerate(answer.get("oba_options", ()), 1)
        if OPEN == row["bpv"] == row["percent"]
    ]
    return problems + _value_problems(cg, side, typed)


def _same(section: str, row: Mapping[str, Any]) -> tuple[str, str]:
    return row["type"], row["vehicle"] if section == "armament" else ""


def _value_problems(cg: Cg, side: str, typed: Sequence[tuple[str, GivenValue]]) -> list[Problem]:
    """Return what the catalogue has against values, each with the path where it was typed."""
    catalogue, problems = _catalogue(cg, side), list[Problem]()
    for path, value in typed:
        try:
            catalogue = catalogue.with_values([cg.catalogue_value(side, value)])
        except DataError as err:
            problems += [Problem(problem.what, problem.right, path) for problem in err.problems]
        except LaagerError as err:
            problems.append(Problem(str(err), "", path))
    if problems:
        return problems
    return [
        Problem(problem.what, problem.right, path)
        for nation in cg.terms.side(side).nations
        for problem in catalogue.contradictions(nation)
        if (path := _typed_at(problem.field, typed))
    ]


def _typed_at(place: str, typed: Sequence[tuple[str, GivenValue]]) -> str:
    """Return where the value with the problem was typed: the value, or its entry; "" if it wasn't typed."""
    entries = [".".join(part for part in (v.section, v.type) if part) for _, v in typed]
    for entry, (path, value) in zip(entries, typed, strict=True):
        if place == f"{entry}.{value.field}":
            return path
    for entry, (path, value) in zip(entries, typed, strict=True):
        if value.type and place.startswith(f"{entry}."):
            return path.rpartition(".")[0]
    return ""


def _catalogue(cg: Cg, side: str) -> DyoCatalogue:
    """Return the catalogue with what a side has given so far."""
    return DyoCatalogue({name: cg.nation(side, name) for name in cg.terms.side(side).nations})


def _key(gap: Gap) -> str:
    return " ".join(part for part in (gap.nation, gap.section, gap.type, gap.field) if part)


def _given_value(cg: Cg, side: str, gap: Gap, value: str) -> GivenValue:
    given = GivenValue(section=gap.section, type=gap.type, field=gap.field, value=plain(value), nation=gap.nation)
    return spell_value(given, cg.nation(side, gap.nation or cg.terms.side(side).nation))


def _problems(cg: Cg, side: str, missing: Mapping[str, Gap], rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    problems = named_twice([row["what"] for row in rows])
    typed = [
        (f"[{i}].value", _given_value(cg, side, missing[row["what"]], row["value"])) for i, row in enumerate(rows, 1)
    ]
    return problems + _value_problems(cg, side, typed)
