"""Sections that nobody has entered, asked whole: what can be had, row by row.

A row holds what a purchase needs of an entry; the catalogue judges it as it judges a file. Values
that change with time are told for the month of the purchase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.campaign import Choice, Field, Form, Number, Option, Record, Rows, Several
from laager.campaign import Text as TextForm
from laager.catalogue.dyo import UNKNOWN, DyoNation, Month
from laager.catalogue.dyo.fields import CAPABILITIES, GUN_SORTS
from laager.catalogue.dyo.gaps import SECTION_WORDS
from laager.catalogue.kinds import Grade
from laager.rules.design_your_own.lines import reckonable
from laager.rules.design_your_own.pieces import priced
from laager.rules.design_your_own.state import GivenValue

OPEN = ""
"""What a field is while nobody has told it."""

_TYPE = Field("type", TextForm(limit=40), "Type")
_BPV = Field("bpv", Number(1, 999), "BPV")
_RF = Field("rf", TextForm(limit=4), "RF now")
_COUNTERS = Field("counters", TextForm(limit=3), 'Counters ("#")', OPEN)


def _words(name: str, label: str, *words: str, default: str = OPEN) -> Field:
    """Return a field for one of some words; without a default it can be left open."""
    options = tuple(Option(word) for word in words)
    if default == OPEN:
        options = (Option(OPEN, "not told"), *options)
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
"""What is asked of each entry, in the order in which it is told."""

ASKED = frozenset({*ROWS, "oba"})
"""Sections that can be asked whole."""

PF_RANGE = "pf_range"
"""The nation's range of PF, without which no MMC has a price; asked together with its squads."""

OBA_YEAR = (
    *(Field(str(dr), TextForm(limit=20), f"DR {dr}", OPEN) for dr in range(2, 13)),
    Field("max_bpv", TextForm(limit=3), "Bottom line", OPEN),
)
"""The column of a year of the OBA Availability Chart."""


def form_of(sections: Sequence[str]) -> Record:
    """Return the form that asks for these sections at once."""
    forms: dict[str, tuple[Form, Any]] = {
        name: (Rows(Record(ROWS[name]), most=60), []) for name in sections if name in ROWS
    }
    if PF_RANGE in sections:
        forms[PF_RANGE] = TextForm(limit=4), OPEN
    if "oba" in sections:
        forms["oba"] = Record(OBA_YEAR), {field.name: OPEN for field in OBA_YEAR}
    parts = ((name, *forms[name]) for name in sections)
    return Record(tuple(Field(n, form, title(n), default) for n, form, default in parts))


def title(section: str) -> str:
    """Return what a section is, as the head of its rows."""
    if section == PF_RANGE:
        return "Range of inherent PF now (0: none)"
    words = SECTION_WORDS[section].removeprefix("the ")
    return words[0].upper() + words[1:]


def unentered(nation: DyoNation, month: Month, section: str) -> bool:
    """Whether nothing of a section can be used in a month, and nobody said that there is nothing.

    So a section that has only what the rules mention, without prices, is asked for too.
    """
    if section == PF_RANGE:
        return nation.pf_range(month) is UNKNOWN
    if nation.knows(section) and not nation.found(section):
        return False
    match section:
        case "squads":
            return not any(reckonable(one, month) for one in nation.squads(month))
        case "guns":
            return not any(priced(one, month) for one in nation.guns(month))
        case "vehicles":
            return not any(priced(one, month) for one in nation.vehicles(month))
        case "oba":
            chart = nation.oba_chart(month)
            return all(cell is UNKNOWN for cell in chart.cells.values())
    return not nation.knows(section)


def missing(nation: DyoNation, month: Month, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return which of some sections must be asked whole, in the order of the form."""
    found = [name for name in wanted if name in ASKED and unentered(nation, month, name)]
    if "squads" in found and unentered(nation, month, PF_RANGE):
        found.append(PF_RANGE)
    return tuple(found)


def told(answer: Mapping[str, Any], month: Month) -> Iterator[tuple[str, GivenValue]]:
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
                given = GivenValue(section=section, type=_key(section, row), field=name, value=value)
                yield f"{section}[{i + 1}].{name}", given


def _values(section: str, row: Mapping[str, Any]) -> Iterator[tuple[str, int | float | str | bool]]:
    """Yield the fields of a row that are told, what makes an entry complete first."""
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


def suggest(sections: Sequence[str], rng: Random) -> dict[str, Any]:
    """Tell one made-up entry of some sections, for automatic play."""
    form = form_of(sections)
    pf_range = {PF_RANGE: "0"} if PF_RANGE in sections else {}
    rows: dict[str, Any] = {name: [_LIKELY[name]] for name in sections if name in _LIKELY and rng.random() < 0.7}
    if "vehicles" not in rows:
        rows = {name: row for name, row in rows.items() if name not in ("armament", "op_tanks")}
    if "oba" in sections and rng.random() < 0.5:
        return dict(form.parse({**pf_range, **rows, "oba": {"7": "80+M 92", "max_bpv": "92"}}))
    return dict(form.parse({**pf_range, **rows}))


def _key(section: str, row: Mapping[str, Any]) -> str:
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
