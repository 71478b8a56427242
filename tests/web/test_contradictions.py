"""What contradicts in files of one's own is named at both its cells, on every page on which one is filled in."""

from __future__ import annotations

import re

from django.test import Client

from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import People
from .test_grids import PL_CARD, cells, sent


def keep(own: Client, name: str, chart: str, rows: list[list[str]]) -> None:
    """Keep the cells of a chart."""
    kept = own.post(f"/library/file/{name}/fill?chart={chart}", sent(rows))
    assert kept.status_code == 302, kept.content.decode()


def read(own: Client, name: str, page: str, **headers: str) -> str:
    """Return a page of a file, on one line."""
    return " ".join(own.get(f"/library/file/{name}/{page}", headers=headers).content.decode().split())


def link(name: str, chart: str, cell: str) -> str:
    return f'href="/library/file/{name}/fill?chart={chart}#{cell}"'


def test_a_charts_file_names_what_contradicts_the_card(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-abtf", "a"), None)
    rows = cells(people, "a-charts.yaml", "axis-rg")
    rows[0][1] = "ZZ"
    keep(own, "a-charts.yaml", "axis-rg", rows)
    fault = "gives German no formation &#x27;ZZ&#x27;"
    # The blanks of its line may still change it.
    assert fault not in read(own, "a-charts.yaml", "fill?chart=axis-rg")
    rows[0][2:] = ["Training Pltn", *("" if cell == "?" else cell for cell in rows[0][3:])]
    rows[0][5] = "3x 4-6-7"
    keep(own, "a-charts.yaml", "axis-rg", rows)
    for page in ("fill?chart=axis-rg", "fill", "check", ""):
        assert fault in read(own, "a-charts.yaml", page), page
        assert re.search(r'href="/library/file/a.yaml/fill\?chart=axis-formations', read(own, "a-charts.yaml", page))
    assert 'data-cell="r0.1"' in read(own, "a-charts.yaml", "fill?chart=axis-rg")
    assert fault in read(own, "a.yaml", "fill?chart=axis-formations")
    library.remove(people.anna, "a.yaml")
    assert fault not in read(own, "a-charts.yaml", "check"), "no card says so any more"


def test_what_a_charts_file_says_twice_is_named_at_both_cells(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    library.remove(people.anna, "a.yaml")
    keep(own, "a-charts.yaml", "fortifications", [["wire", "", "3"], ["foxhole", "2S", "1"], ["wire", "", "4"]])
    page = read(own, "a-charts.yaml", "fill?chart=fortifications")
    assert page.count("wire is there twice") >= 2
    for here, there in (("r2.0", "r0.0"), ("r0.0", "r2.0")):
        part = page[page.index(f'data-cell="{here}"') :]
        assert link("a-charts.yaml", "fortifications", there) in part[: part.index("</li>")]


def test_a_platoon_leader_card_names_both_ends_while_blanks_are_left(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "t"), None)
    line = PL_CARD["axis-chart"][0]
    keep(own, "t.yaml", "axis-chart", [line])
    keep(own, "t.yaml", "axis-groups", [["I7", "on-map", "8-1"]])
    fault = "the OB gives I7, which is not on the chart"
    groups = read(own, "t.yaml", "fill?chart=axis-groups")
    assert fault in groups
    assert 'data-cell="r0.0"' in groups
    assert 'href="/library/file/t.yaml/fill?chart=axis-chart"' in groups
    assert link("t.yaml", "axis-groups", "r0.0") in read(own, "t.yaml", "fill?chart=axis-chart")
    assert "blanks are left" in read(own, "t.yaml", "fill")
    german = read(own, "t.yaml", "check", **{"Accept-Language": "de"})
    assert "Oder ändere es hier:" in german
    keep(own, "t.yaml", "axis-groups", [["I1", "on-map", "8-1"]])
    assert "not on the chart" not in read(own, "t.yaml", "check")


def test_repeated_ids_and_dates_out_of_order_stand_at_both_cells(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "t"), None)
    line = PL_CARD["axis-chart"][0]
    keep(own, "t.yaml", "axis-chart", [line, ["I2", *line[1:]], line])
    page = read(own, "t.yaml", "fill?chart=axis-chart")
    for here, there in (("r2.0", "r0.0"), ("r0.0", "r2.0")):
        part = page[page.index(f'data-cell="{here}"') :]
        assert "I1 is there twice" in part[: part.index("</li>")]
        assert link("t.yaml", "axis-chart", there) in part[: part.index("</li>")]
    days = [["1943-07-13", "morning", "5 3"], ["1943-07-12", "morning", "5 3"]]
    keep(own, "t.yaml", "firefights", days)
    page = read(own, "t.yaml", "fill?chart=firefights")
    assert "1943-07-12 comes after 1943-07-13" in page
    assert all(f'data-cell="{cell}"' in page for cell in ("r1.0", "r0.0"))
