"""Three contradictions each in files of ABtF, of ER and in a Platoon Leader card: each is named at both its cells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from django.test import Client

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import find_grid
from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import People
from .test_contradictions import link, read
from .test_grids import cells, sent

PROBLEM = re.compile(r'<li class="problem".*?</li>')
End = tuple[str, str, str]
"""A cell: its file, its chart, its name in the form."""


@dataclass(frozen=True)
class Seed:
    """A contradiction: what is typed into which cell, what is said of it, the two cells where it stands."""

    copied: str
    typed: Mapping[End, str]
    fault: str
    ends: tuple[End, End]


SEEDS = {
    "abtf: both sides Control a Block": Seed(
        "copy-rijnoord",
        {("a.yaml", "sides", "r0.Controls"): "A, F", ("a.yaml", "sides", "r1.Controls"): "A, N"},
        "both sides Control A at the start",
        (("a.yaml", "sides", "r0.Controls"), ("a.yaml", "sides", "r1.Controls")),
    ),
    "abtf: the OB gives what the chart doesn't have": Seed(
        "copy-rijnoord",
        {("a.yaml", "axis-groups", "r0.RG"): "K-I9"},
        "K-I9",
        (("a.yaml", "axis-groups", "r0.RG"), ("a-charts.yaml", "axis-rg", "")),
    ),
    "abtf: an arrow that the side does not have opens later": Seed(
        "copy-rijnoord",
        {("a.yaml", "allied-arrow-dates", "r0.Arrow"): "B7", ("a.yaml", "allied-arrow-dates", "r0.Opens on"): "18AM"},
        "the side British has no arrow B7",
        (("a.yaml", "allied-arrow-dates", "r0.Opens on"), ("a.yaml", "sides", "r1.Arrows")),
    ),
    "er: a date is there twice": Seed(
        "copy-kokusa-ridge",
        {("a.yaml", "dates", "r1.CG Date"): "12N"},
        "12N",
        (("a.yaml", "dates", "r1.CG Date"), ("a.yaml", "dates", "r0.CG Date")),
    ),
    "er: a group sets up in an area that there isn't": Seed(
        "copy-kokusa-ridge",
        {("a.yaml", "axis-groups", "r0.Area"): "Nowhere"},
        "Nowhere",
        (("a.yaml", "axis-groups", "r0.Area"), ("a.yaml", "axis-areas", "")),
    ),
    "er: a fortification has two prices": Seed(
        "copy-kokusa-ridge",
        {
            ("a-charts.yaml", "fortifications", f"r{row}.{heading}"): text
            for row in (0, 1)
            for heading, text in (("Fortification", "wire"), ("FPP", str(3 + row)))
        },
        "is there twice",
        (
            ("a-charts.yaml", "fortifications", "r1.Fortification"),
            ("a-charts.yaml", "fortifications", "r0.Fortification"),
        ),
    ),
    "pl: a firefight is earlier than the one before": Seed(
        "copy-training",
        {("a.yaml", "firefights", "r1.Day"): "1941-08-01"},
        "1941-08-01 comes after",
        (("a.yaml", "firefights", "r1.Day"), ("a.yaml", "firefights", "r0.Day")),
    ),
    "pl: a group is there twice": Seed(
        "copy-training",
        {("a.yaml", "axis-chart", f"r1.{heading}"): "=r0" for heading in ("RG", "Kind", "Size", "Troops")},
        "is there twice",
        (("a.yaml", "axis-chart", "r1.RG"), ("a.yaml", "axis-chart", "r0.RG")),
    ),
    "pl: the OB gives what the chart doesn't have": Seed(
        "copy-training",
        {("a.yaml", "axis-groups", "r0.RG"): "I9"},
        "I9",
        (("a.yaml", "axis-groups", "r0.RG"), ("a.yaml", "axis-chart", "")),
    ),
}


def headings(people: People, name: str, chart: str) -> list[str]:
    """Return the headings of a chart in anna's library."""
    data = parse_document(library.find(people.anna, name).text, name).data
    return [column.heading for column in find_grid(str(data["laager"]).partition("/")[0], data, chart).columns]


def cell_name(people: People, end: End) -> str:
    """Return the name of a cell in its form: `r0.Controls` is r0.8."""
    row, _, heading = end[2].partition(".")
    return f"{row}.{headings(people, *end[:2]).index(heading)}" if heading else ""


def plant(own: Client, people: People, typed: Mapping[End, str]) -> None:
    """Type a contradiction into its cells, a chart at a time."""
    for name, chart in dict.fromkeys(end[:2] for end in typed):
        rows = cells(people, name, chart)
        for end, text in typed.items():
            if end[:2] == (name, chart):
                row, column = map(int, cell_name(people, end).removeprefix("r").split("."))
                while len(rows) <= row:
                    rows.append([""] * len(headings(people, name, chart)))
                rows[row][column] = rows[0][column] if text == "=r0" else text
        kept = own.post(f"/library/file/{name}/fill?chart={chart}", sent(rows))
        assert kept.status_code == 302, kept.content.decode()


@pytest.mark.parametrize("name", SEEDS)
def test_a_contradiction_is_named_at_both_its_cells(name: str, people: People) -> None:
    seed, own = SEEDS[name], people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from(seed.copied, "a"), None)
    plant(own, people, seed.typed)
    for here, there in (seed.ends, seed.ends[::-1]):
        cell, far = cell_name(people, here), cell_name(people, there)
        # A chart that lacks something has no cell for it.
        marks = (seed.fault, f'data-cell="{cell}"' if cell else "", link(*there[:2], far) if far else there[1])
        problems = PROBLEM.findall(read(own, here[0], f"fill?chart={here[1]}"))
        assert any(all(mark in problem for mark in marks) for problem in problems), (here, marks, problems)
