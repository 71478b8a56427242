"""Contradictions, each typed into a cell of a card that ships: named at both its ends, in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

import pytest
from django.test import Client

from laager.base.files import parse_document
from laager.kinds import kind_named
from laager.rules.board.hasl.grids.sheets import find_grid
from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import People
from .test_grids import cells, sent

PL, ABTF, ER = "copy-rzhavets", "copy-rijnoord", "copy-kokusa-ridge"


@dataclass(frozen=True)
class Seed:
    """What is typed: into which card, file ("" for the card), chart, row and columns; and what is to be said.

    `there` is its other end, a chart and a column ("" for the chart as a whole); `german` stands on German pages.
    """

    card: str
    file: str
    chart: str
    row: int
    typed: dict[str, str]
    says: str
    there: tuple[str, str]
    german: str
    beside: str = ""
    """The file of the other end, if it is another one."""


SEEDS = [
    # Platoon Leader
    Seed(
        PL,
        "",
        "sides",
        1,
        {"setup": "J18-GG20"},
        "lie in both setup areas",
        ("sides", "setup"),
        "in beiden Setup Areas",
    ),
    Seed(
        PL,
        "",
        "sides",
        1,
        {"friendly_edges": "south"},
        "the south edge is friendly to both sides",
        ("sides", "friendly_edges"),
        "beide",
    ),
    Seed(PL, "", "axis-groups", 0, {"rg": "I9"}, "the OB gives I9, which is not", ("axis-chart", ""), "das OB gibt I9"),
    Seed(
        PL,
        "",
        "axis-groups",
        0,
        {"firefight": "12"},
        "for firefight 12, but the card has 8",
        ("firefights", "date"),
        "hat 8",
    ),
    Seed(PL, "", "axis-chart", 1, {"id": "I1"}, "I1 is there twice", ("axis-chart", "id"), "zweimal"),
    Seed(
        PL,
        "",
        "axis-chart",
        2,
        {"per_firefight": "5"},
        "5 in one firefight, but 3 in all",
        ("axis-chart", "total"),
        "insgesamt",
    ),
    Seed(
        PL,
        "",
        "axis-chart",
        0,
        {"first": "9"},
        "I1 names firefight 9, but the card has 8",
        ("firefights", "date"),
        "hat 8",
    ),
    Seed(
        PL,
        "",
        "axis-chart",
        0,
        {"units": "3x 4-5-8, LMG"},
        "the German catalogue has no '4-5-8' (type)",
        ("sides", "nation"),
        "im Katalog",
    ),
    Seed(
        PL,
        "",
        "axis-groups",
        0,
        {"leaders": "11-3"},
        "the German catalogue has no '11-3' (leader)",
        ("sides", "nation"),
        "im Katalog",
    ),
    Seed(PL, "", "axis-works", 0, {"limits": "trench 4"}, "Trench is not allowed", ("axis-works", "allowed"), "nicht"),
    Seed(
        PL,
        "",
        "firefights",
        3,
        {"date": "1943-07-12"},
        "1943-07-12 comes after 1943-07-13",
        ("firefights", "date"),
        "nach",
    ),
    Seed(
        PL,
        "",
        "limits",
        0,
        {"max_platoons": "2"},
        "counts as 3 platoons, but 2 may be bought",
        ("axis-chart", "size"),
        "zählt",
    ),
    Seed(PL, "", "initial", 0, {"controls": "ZZ99, O16, Q13"}, "no hex ZZ99 on the map", ("card", "map"), "kein Hex"),
    Seed(PL, "", "tvp", 0, {"points": "2", "location": "ZZ99"}, "no hex ZZ99 on the map", ("card", "map"), "kein Hex"),
    Seed(PL, "", "sides", 0, {"setup": "A1-ZZ99"}, "on the map (in A1-ZZ99)", ("card", "map"), "kein Hex"),
    Seed(
        PL,
        "",
        "initial",
        0,
        {"controls": "A1, O16, Q13"},
        "A1 is not Strategic Terrain",
        ("tvp", ""),
        "kein Strategic Terrain",
    ),
    Seed(PL, "", "initial", 0, {"count": "9"}, "9 of 6 places can't be", ("initial", "controls"), "geht nicht"),
    # A Bridge Too Far
    Seed(ABTF, "", "dates", 1, {"day": "1944-09-16"}, "18AM comes after 17N", ("dates", "day"), "nach"),
    Seed(ABTF, "", "dates", 1, {"id": "17N"}, "CG Date 17N is there twice", ("dates", "id"), "zweimal"),
    Seed(
        ABTF,
        "",
        "axis-arrow-dates",
        0,
        {"date": "18AM", "arrow": "F7"},
        "the side German has no arrow F7",
        ("sides", "arrows"),
        "keinen Pfeil",
    ),
    Seed(
        ABTF,
        "",
        "sides",
        1,
        {"controls": "E, L, M, R, C"},
        "both sides Control C at the start",
        ("sides", "controls"),
        "beide Seiten",
    ),
    Seed(ABTF, "", "final", 0, {"count": "9"}, "9 of 5 places can't be", ("final", "controls"), "geht nicht"),
    Seed(ABTF, "", "allied-units", 0, {"setup": "ZZ99"}, "no hex ZZ99 on the map", ("card", "map"), "kein Hex"),
    # Edson's Ridge
    Seed(
        ER,
        "-charts",
        "axis-rg",
        0,
        {"full": "3x 5-5-8"},
        "has no '5-5-8' (type)",
        ("sides", "nation"),
        "im Katalog",
        beside="x.yaml",
    ),
    Seed(
        ER,
        "-charts",
        "axis-rg",
        0,
        {"per_date": "13"},
        "13 for one CG Date, but 12 in all",
        ("axis-rg", "total"),
        "insgesamt",
    ),
    Seed(ER, "-charts", "axis-rg", 1, {"id": "I1"}, "I1 is there twice", ("axis-rg", "id"), "zweimal"),
]


@pytest.mark.parametrize("card", [PL, ABTF, ER])
def test_each_is_named_at_both_ends(card: str, people: People) -> None:
    own = people.client(people.anna)
    made = file_templates.made_from(card, "x")
    library.save_all(people.anna, made, None)
    failures = []
    for seed in SEEDS:
        if seed.card == card:
            failures += [f"{seed.chart} {seed.typed}: {fault}" for fault in _faults(own, people, seed)]
            for name, text in made.items():
                library.save(people.anna, name, text)
    assert not failures, "\n".join(failures)


def _faults(own: Client, people: People, seed: Seed) -> list[str]:
    """Type a seed, and return what is missing on the pages of its two ends."""
    file = f"x{seed.file}.yaml"
    rows = cells(people, file, seed.chart)
    while len(rows) <= seed.row:
        rows.append([""] * len(columns(people, file, seed.chart)))
    keys = columns(people, file, seed.chart)
    for key, text in seed.typed.items():
        rows[seed.row][keys.index(key)] = text
    kept = own.post(f"/library/file/{file}/fill?chart={seed.chart}", sent(rows))
    if kept.status_code != 302:
        return ["isn't kept"]
    faults = []
    ends = ((file, seed.chart, next(iter(seed.typed))), (seed.beside or file, *seed.there))
    for (at, chart, key), (far, other, _other_key) in (ends, ends[::-1]):
        page = _page(own, at, chart)
        entries = [entry for entry in re.findall(r"<li class=\"problem\".*?</li>", page) if seed.says in entry]
        number = columns(people, at, chart).index(key) if key else None
        cell = rf'data-cell="r[0-9]+\.{number}"' if key else 'data-cell=""'
        if not any(re.search(cell, entry) for entry in entries):
            faults.append(f"isn't said at {chart}, {key or 'the chart'}: {entries or 'nowhere'}")
        elif not any(f"/library/file/{far}/fill?chart={other}" in entry for entry in entries):
            faults.append(f"has no link from {chart} to {other}")
        if seed.german not in _page(own, at, chart, **{"Accept-Language": "de"}):
            faults.append(f"isn't said in German at {chart}")
        if re.search(r"sides\.(axis|allied)|tvp\.|firefights\[|laager ", " ".join(entries)):
            faults.append(f"speaks in fields at {chart}: {entries}")
    return faults


def _page(own: Client, file: str, chart: str, **headers: str) -> str:
    answer = own.get(f"/library/file/{file}/fill?chart={chart}", headers=headers).content.decode()
    return unescape(" ".join(answer.split()))


def columns(people: People, file: str, chart: str) -> list[str]:
    """Return the keys of a chart's columns."""
    data = parse_document(library.find(people.anna, file).text, file).data
    return [column.key for column in find_grid(kind_named(data), data, chart).columns]
