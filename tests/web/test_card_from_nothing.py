"""A Platoon Leader card of five firefights from nothing, as `bench.errands` counts it: ticked, then typed."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from bench import errands

from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import People
from .test_grids import cells

CARD = "five.yaml"


def test_what_the_count_says_is_ticked_and_typed_makes_the_card(people: People) -> None:
    client = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "five"), None)
    before, after, ticked = errands.plan_card("rzhavets.yaml", 5, plain=True)
    # The map comes first.
    library.save(people.anna, "five-map.yaml", (errands.PACKS / "pl" / "rzhavets-map.yaml").read_text(encoding="utf-8"))
    day, count = after["firefights"][0]["date"], len(after["firefights"])
    began = client.post(
        f"/library/file/{CARD}/groups", {"do": "begin", "day": day, "count": count, "pace": errands.PACE}
    )
    assert began.status_code == 302, began.content.decode()[:3000]
    given = {
        side: {line["rg"] for line in before["sides"][side].get("ob", {}).get("groups", ())}
        for side in ("axis", "allied")
    }
    sent = {"place": ticked.pop("place")}
    for side, numbers in ticked.items():
        for number, line in zip(numbers, before["sides"][side]["chart"], strict=True):
            # What is there from the start needs no tick for the chart.
            sent.setdefault(f"{side}-ob" if line["id"] in given[side] else side, []).append(str(number))
    page = client.post(f"/library/file/{CARD}/groups", sent).headers["Location"]
    before["map"] = "five-map.yaml"
    for id_ in ("card", "firefights", "sides", "axis-chart", "axis-groups", "allied-groups", "tvp"):
        assert cells(people, CARD, id_) == rows(grid(id_, before), before), id_
    ids = parse_qs(urlsplit(page).query)["chart"]
    form = {"do": "save"}
    for number, id_ in enumerate(ids):
        prefix = f"t{number}." if number else ""
        chart = grid(id_, after)
        typed = errands.typed_cells(chart, before, after, over=True)
        wanted, was = rows(chart, after), rows(chart, before)
        for i, row in enumerate(wanted):
            for j, cell in enumerate(row):
                there = was[i][j] if i < len(was) and len(was[i]) == len(row) else ""
                touched = i < len(typed) and typed[i][j]
                # What isn't touched is sent as it is; what follows is left empty.
                form[f"{prefix}r{i}.{j}"] = (cell if touched != errands.DELETE else "") if touched else there
    answer = client.post(page, form)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    for id_ in ids:
        if id_ != errands.HINTS:
            made, wanted = cells(people, CARD, id_), rows(grid(id_, after), after)
            assert [
                (a, b) for row, want in zip(made, wanted, strict=True) for a, b in zip(row, want, strict=True) if a != b
            ] == []


def grid(id_: str, data: object) -> ChartGrid:
    return next(each for each in grids_of("pl-card", data) if each.id == id_)


def rows(chart: ChartGrid, data: object) -> list[list[str]]:
    return [list(row.cells) for row in chart.rows(data)]
