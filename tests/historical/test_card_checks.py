"""What cards, charts and tables may have wrong, with the line and the sentence for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, Problem
from laager.base.files import read_document
from laager.kinds import CHECKERS
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.hasl.card.checks import check_charts
from laager.rules.board.hasl.card.loading import LoadedHaslCard, load_card, load_chart_tables, load_charts
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.hasl.generic import RULESET

from .small import CARDS, small_opening

FILES = {
    "card": "small-town.yaml",
    "charts": "small-town-charts.yaml",
    "tables": "small-town-tables.yaml",
    "map": "small-town-map.yaml",
}
BROKEN: Mapping[str, list[dict[str, Any]]] = read_document(CARDS / "broken.yaml").data
GAPS = (
    "escape; wounded-leaders; battle-hardening; shift; repair; weather: not filled in, so the "
    "players will be asked; laager chart fill writes what to fill in"
)


def texts() -> dict[str, str]:
    """The small town as its owner would have it: a card that names files beside it."""
    found = {key: (CARDS / name).read_text(encoding="utf-8") for key, name in FILES.items()}
    for key in ("map", "charts", "tables"):
        found["card"] = found["card"].replace(f"{key}: {FILES[key][:-5]}\n", f"{key}: {FILES[key]}\n")
    return found


def written(folder: Path, changes: Mapping[str, Mapping[str, str]]) -> Path:
    found = texts()
    for key, replaced in changes.items():
        for old, new in replaced.items():
            assert found[key].count(old) == 1, f"{old!r} stands {found[key].count(old)} times"
            found[key] = found[key].replace(old, new)
    for key, name in FILES.items():
        (folder / name).write_text(found[key], encoding="utf-8")
    return folder / FILES["card"]


def loaded(folder: Path, changes: Mapping[str, Mapping[str, str]]) -> LoadedHaslCard:
    return load_card(written(folder, changes), RULESET.system)


def told(problem: Problem) -> str:
    return f"{problem.what}; {problem.right}" if problem.right else problem.what


def said(problems: tuple[Problem, ...]) -> list[list[Any]]:
    keys = {name: key for key, name in FILES.items()}
    rows = [[keys[Path(p.file).name], p.line, p.field, told(p)] for p in problems]
    return [row for row in rows if row[-1] != GAPS]


def cases(part: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in BROKEN[part]]


@pytest.mark.parametrize("case", cases("problems"))
def test_what_is_wrong_is_told_with_line_and_advice(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, case["change"])
    assert said(caught.value.problems) == case["says"]


@pytest.mark.parametrize("case", cases("warnings"))
def test_what_is_doubtful_is_told_beside_the_card(case: dict[str, Any], tmp_path: Path) -> None:
    assert said(loaded(tmp_path, case["change"]).warnings) == case["says"]


def test_the_small_town_is_without_fault_but_not_all_is_filled_in(tmp_path: Path) -> None:
    found = loaded(tmp_path, {})
    assert [told(warning) for warning in found.warnings] == [GAPS]
    assert (found.card.id, found.charts.title) == ("small-town", "Charts for tests")


def test_a_letter_by_position_is_no_name_for_a_block(tmp_path: Path) -> None:
    changes = {
        "map": {"block_names: {W: B4, NE: G2, SE: H7}\n": ""},
        "card": {
            "    controls: [W]\n": "    controls: [A]\n",
            "controls: [NE]\n": "controls: [G2]\n",
            "- {rg: I1}\n": "- {rg: I1, area: A}\n",
        },
    }
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, changes)
    letters = [problem for problem in caught.value.problems if "by position" in problem.what]
    assert [problem.field for problem in letters] == ["sides.allied.controls[1]", "sides.allied.ob.groups[1].area"]
    assert letters[0].what.startswith("Block A has its letter by position")
    assert letters[0].right.startswith("name the Blocks in the map, such as block_names: {A: A1,")


def test_a_block_of_one_hex_is_doubted(tmp_path: Path) -> None:
    corner = "  along: [E1-E9]\n"
    street = corner + "- kind: paved\n  along: [A2, B1, B0]\n"
    changes = {"map": {corner: street, "{W: B4, ": "{W: B4, Corner: A1, "}}
    remarks = [told(one) for one in loaded(tmp_path, changes).warnings]
    assert any(one.startswith("Block Corner is the single hex A1; check the roads") for one in remarks)
    assert any("Corner is the single hex" in one for one in CHECKERS["map"](tmp_path / FILES["map"]))


def test_steps_that_are_omitted_wait_for_no_table(tmp_path: Path) -> None:
    omit = {"card": {"charts: small": "omit: [escape, shift, repair]\ncharts: small"}}
    (gaps,) = loaded(tmp_path, omit).warnings
    assert gaps.what.startswith("wounded-leaders; battle-hardening; weather: not filled in")


def test_all_faults_of_all_files_are_told_together(tmp_path: Path) -> None:
    changes = {
        "card": {"    controls: [W]\n": "    controls: [West]\n"},
        "charts": {"- {kind: wire, cost: 6}\n": "- {kind: wires, cost: 6}\n"},
        "tables": {"  - {to: 8, result: full}\n": "  - {to: 8, result: whole}\n"},
    }
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, changes)
    assert [row[0] for row in said(caught.value.problems)] == ["card", "charts", "tables"]


def test_a_card_whose_charts_cannot_be_read_is_still_checked_for_form(tmp_path: Path) -> None:
    changes = {"charts": {"cvp_step: 5\n": "cvp_step: five\n"}, "card": {"san: 3\n    cpp: 6": "san: 9\n    cpp: 6"}}
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, changes)
    assert {problem.field for problem in caught.value.problems} == {"cvp_step", "sides.allied.san"}


def test_the_setting_of_a_card_needs_no_other_file(tmp_path: Path) -> None:
    found = loaded(tmp_path, {})
    made = RULESET.context({**found.setting, "readings": {}})
    assert made.chart_table("strength") is not None
    assert made.card.title == "Small town"
    assert set(found.setting) == {"card", "charts", "map", "tables"}
    bare = replace(found, tables=None)
    assert set(bare.setting) == {"card", "charts", "map"}
    assert small_opening()["charts"]["title"] == found.setting["charts"]["title"]


def test_a_card_without_tables_is_asked_for_all(tmp_path: Path) -> None:
    (gaps,) = loaded(tmp_path, {"card": {"tables: small-town-tables.yaml\n": ""}}).warnings
    assert "san; shift; repair; strength; leaders; elr; ammunition" in gaps.what


# Files by themselves ------------------------------------------------------------------------------


def test_charts_are_checked_by_themselves(tmp_path: Path) -> None:
    charts, doubts = load_charts(CARDS / "small-town-charts.yaml")
    assert (charts.cvp_step, doubts) == (5, ())
    path = written(tmp_path, {"charts": {"- {kind: wire, cost: 6}\n": "- {kind: wires, cost: 6}\n"}})
    with pytest.raises(DataError, match="there is no fortification 'wires'"):
        load_charts(path.with_name(FILES["charts"]))


def test_tables_are_checked_by_themselves(tmp_path: Path) -> None:
    tables, doubts = load_chart_tables(CARDS / "small-town-tables.yaml")
    assert (next(iter(tables)), doubts) == ("strength", ())
    path = written(tmp_path, {"tables": {"result: full}\n": "result: whole}\n"}})
    with pytest.raises(DataError, match="the table strength gives 'whole'"):
        load_chart_tables(path.with_name(FILES["tables"]))


def test_charts_of_both_sides_are_expected() -> None:
    document = read_document(CARDS / "small-town-charts.yaml")
    charts = HaslCharts.model_validate({**document.data, "sides": {}})
    found = CardFindings(document)
    check_charts(charts, found)
    assert [one.what for one in found.warnings] == [
        "there are no charts of the axis side",
        "there are no charts of the allied side",
    ]
