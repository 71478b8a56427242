"""`laager chart`: what a module's owner fills in, how it is checked, what it makes computed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from laager.campaign.clauses import RulesIndex
from laager.campaign.ruleset import find_ruleset
from laager.cli.reading.charts import tables_file
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.hasl import charts
from laager.rules.board.hasl.card.card import Points
from laager.rules.board.hasl.card.filling import CHARTS, charts_of
from laager.rules.board.hasl.card.loading import load_chart_tables, load_charts
from laager.rules.board.hasl.charts import TABLES
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.rules.board.hasl.skeleton import RESULTS, charts_text, tables_text

from .conftest import Laager

SYSTEMS = ("abtf", "er", "hasl")
SMALL = Path(__file__).parents[1] / "historical" / "cards"


def system(name: str) -> HaslRuleset[Any, Any]:
    found = find_ruleset(name)
    assert isinstance(found, HaslRuleset)
    return found


def small_town(folder: Path, **changes: str) -> Path:
    """Put the small town's files into a folder, the card naming its files by their paths."""
    for path in SMALL.glob("small-town*.yaml"):
        text = path.read_text(encoding="utf-8")
        for key in ("map", "charts", "tables"):
            text = text.replace(f"{key}: small-town-{key}\n", f"{key}: small-town-{key}.yaml\n")
        for old, new in changes.items():
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder / "small-town.yaml"


# Filling in ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_written_is_good_as_it_stands(laager: Laager, name: str) -> None:
    out = laager.well("chart", "fill", name, "-o", "my-charts.yaml")
    assert out.splitlines() == [
        "written: my-charts.yaml",
        "written: my-tables.yaml",
        "check them with: laager chart check my-charts.yaml my-tables.yaml",
    ]
    checked = laager.well("chart", "check", "my-charts.yaml", "my-tables.yaml")
    assert checked.splitlines() == [
        "my-charts.yaml is valid: HASL charts; nothing yet",
        "my-tables.yaml is valid: Tables; nothing yet",
    ]
    assert load_charts(laager.folder / "my-charts.yaml")[0].ruleset == name


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_field_of_the_charts_can_be_filled_in(name: str) -> None:
    text = charts_text(system(name), "my-tables.yaml")
    parts: list[type[BaseModel]] = [
        charts.HaslCharts, charts.SideCharts, charts.RgLine, charts.SwLine, charts.Module,
        charts.FortPrice, charts.ScenarioType, charts.BlockControlRule, Points, UnitLine,
    ]  # fmt: skip
    if name == "er":
        parts.append(charts.Recon)
    for part in parts:
        for field in part.model_fields:
            if (part, field) != (charts.SideCharts, "recon") or name == "er":
                assert re.search(rf"\b{field}:", text), f"{part.__name__}.{field}"


def test_the_examples_have_the_form_of_the_charts() -> None:
    """Each commented piece, with N and 0 replaced, is what the models take."""
    from laager.rules.board.hasl import skeleton

    def read(text: str) -> Any:
        return yaml.safe_load(re.sub(r": 0\b", ": 3", text))

    (group,) = read(skeleton.GROUP)
    group["special"] = ""
    line = charts.RgLine.model_validate(group)
    assert set(group) == set(charts.RgLine.model_fields)
    assert line.sw[0].need == 3
    assert charts.FortPrice.model_validate(read(skeleton.FORTIFICATION)[0]).sides == ("axis",)
    first, *_, idle = read(skeleton.TYPES)
    assert charts.ScenarioType.model_validate(first).moves_first == "dr"
    assert charts.ScenarioType.model_validate(idle).name == "Idle Date"
    assert charts.BlockControlRule.model_validate(read(skeleton.BLOCKS)).share == 3
    assert charts.Recon.model_validate(read(skeleton.RECON)).most == 3


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_tables_can_be_filled_in(name: str, tmp_path: Path) -> None:
    text = tables_text(system(name)).replace("tables: []", "tables:")
    lines = [
        re.sub(r"^# (- id:|  )", r"\1", line)
        for line in text.splitlines()
        if not line.startswith("#") or re.match(r"^# (- id:|  )", line)
    ]
    made = "\n".join(lines).replace("when: N", "when: at times").replace("{to: 0,", "{to: 3,")
    made = made.replace("from: 0, to: 0", "from: 4, to: 9").replace("{from: 0,", "{from: 10,")
    for table, words in RESULTS.items():
        good = {"strength": "full", "leaders": "null", "weather": "Clear", "recon": "1"}
        good["random-weather"] = "Clear"
        value = good.get(table, "true" if "true" in words else "1")
        made = re.sub(
            rf"(- id: {table}\n(?:  .*\n)*)",
            lambda part, value=value: part[1].replace(": N", f": {value}"),  # type: ignore[misc]
            made + "\n",
        )
    path = tmp_path / "tables.yaml"
    path.write_text(made, encoding="utf-8")
    tables, doubts = load_chart_tables(path)
    assert doubts == ()
    assert set(tables) <= set(TABLES)
    assert len(tables) >= 7


def test_each_chart_says_what_it_decides_and_which_rules_it_makes_computed() -> None:
    text = charts_text(system("abtf"), "my-tables.yaml")
    assert "# What fortifications cost. Once it is there Laager carries out ABtF 9.619." in text
    axis, allied = text.split("  axis:\n")[1].split("  allied:\n")
    assert "Known from the rules: CG22 names CPP of German groups" in axis
    assert "German" not in allied
    assert "recon:" not in text
    island = charts_text(system("er"), "my-tables.yaml")
    assert "The prices of ER 1.520 are in the rules" in island
    assert "recon:" in island
    tables = tables_text(system("er"))
    assert "The table of ER 1.5191 is in the rules" in tables
    assert "- id: strength" not in tables
    assert "- id: random-weather" in tables
    assert "- id: random-weather" not in tables_text(system("abtf"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_chart_that_a_clause_waits_for_is_in_the_files(name: str) -> None:
    rules = system(name)
    index = RulesIndex.load_packaged(rules.package)
    wanted = {chart for clause in index.values() for chart in charts_of(clause)}
    text = charts_text(rules, "t.yaml") + tables_text(rules)
    for chart in wanted:
        if not chart.where.startswith("card"):
            key = chart.where.rpartition(", ")[2].rpartition(": ")[2]
            assert re.search(rf"\b{key}\b", text, re.IGNORECASE), chart.where
    assert set(RESULTS) == set(TABLES)
    assert set(TABLES) <= set(CHARTS)


def test_nothing_is_written_over(laager: Laager) -> None:
    laager.well("chart", "fill", "hasl")
    (laager.folder / "charts.yaml").unlink()
    again = laager("chart", "fill", "hasl")
    assert again.code == 1
    assert "tables.yaml already exists; name another file with --out, or add --force" in again.err
    assert not (laager.folder / "charts.yaml").exists()
    laager.well("chart", "fill", "hasl", "--force")
    folder = laager("chart", "fill", "hasl", "-o", laager.folder)
    assert "is a folder; name another file with --out" in folder.err


def test_other_rules_have_no_charts_to_fill_in(laager: Laager) -> None:
    ended = laager("chart", "fill", "pl")
    assert ended.code == 1
    assert "the rules pl have no charts to be filled in; abtf, er and hasl have" in ended.err


@pytest.mark.parametrize(
    ("name", "beside"),
    [("my-charts.yaml", "my-tables.yaml"), ("charts.yaml", "tables.yaml"), ("bridge.yml", "bridge-tables.yml")],
)
def test_the_file_of_tables_has_a_name_of_its_own(name: str, beside: str) -> None:
    assert tables_file(Path("here") / name) == Path("here") / beside


# Checking ---------------------------------------------------------------------------------------


def test_a_card_is_checked_with_all_that_it_names(laager: Laager) -> None:
    card = small_town(laager.folder)
    out = laager.well("chart", "check", card)
    assert "not filled in, so the players will be asked" in out
    assert out.splitlines()[-1] == f"{card} is valid: HASL card; Small town"
    assert laager.well("check", card).splitlines()[-1] == f"{card} is valid: HASL card"


def test_several_files_are_told_of_together(laager: Laager) -> None:
    small_town(laager.folder, **{"kind: wire,": "kind: wires,", "result: full}": "result: whole}"})
    bad = laager("chart", "check", "small-town-charts.yaml", "small-town-tables.yaml")
    assert bad.code == 3
    assert "small-town-charts.yaml:10: fortifications[1].kind: there is no fortification" in bad.err
    assert "small-town-tables.yaml:9: tables[1].rows[1].result: the table strength" in bad.err
    again = laager("check", "small-town-charts.yaml")
    assert again.code == 3
    assert "there is no fortification 'wires'" in again.err


def test_what_is_good_is_told_as_json_too(laager: Laager) -> None:
    small_town(laager.folder)
    out = json.loads(laager.well("chart", "check", "small-town-charts.yaml", "--json"))
    (one,) = out["files"]
    assert out["good"]
    assert one["kind"] == "hasl-charts"
    assert one["contents"].startswith("6 groups of axis, cpp of axis, 3 groups of allied")
    assert one["contents"].endswith("Control of Blocks, Game End, CVP step")


@pytest.mark.parametrize(
    ("text", "told"),
    [("laager: map/1\n", "'map' isn't a kind of file that this checks"), ("- 1\n", "it doesn't say its kind")],
)
def test_other_files_are_not_checked(laager: Laager, text: str, told: str) -> None:
    (laager.folder / "x.yaml").write_text(text, encoding="utf-8")
    ended = laager("chart", "check", "x.yaml")
    assert ended.code == 3
    assert told in ended.err


# What is computed -------------------------------------------------------------------------------


def coverage(laager: Laager, *words: str | Path) -> dict[str, dict[str, str]]:
    sheet = json.loads(laager.well("rules", *words, "--coverage", "--json"))
    return {row["Clause"]: row for row in sheet["rows"]}


def test_coverage_tells_what_charts_would_make_computed(laager: Laager) -> None:
    rows = coverage(laager, "hasl")
    assert rows["HASL 17"]["Handled"] == "asked"
    assert rows["HASL 17"]["Computed with"] == "tables, shift"
    assert rows["HASL 6"]["Computed with"] == "charts, block_control"
    assert rows["HASL 2"]["Computed with"] == ""
    out = laager.well("rules", "hasl", "--coverage")
    assert "asked until the charts named are filled in; --card FILE shows it for a card" in out


def test_coverage_of_a_card_counts_what_it_has(laager: Laager) -> None:
    card = small_town(laager.folder)
    rows = coverage(laager, "hasl", "--card", card)
    assert rows["HASL 6"]["Handled"] == "computed"
    assert rows["HASL 17"]["Handled"] == "asked"
    bare = small_town(laager.folder, **{"block_control: {share: 50, enemy: 0}\n": ""})
    assert coverage(laager, "hasl", "--card", bare)["HASL 6"]["Handled"] == "asked"


@pytest.mark.parametrize("name", ["abtf", "er", "hasl"])
def test_shipped_cards_leave_nothing_open_that_a_chart_could_tell(laager: Laager, name: str) -> None:
    for card in system(name).shipped_cards().values():
        before, after = coverage(laager, name), coverage(laager, name, "--card", card)
        gained = [one for one in after if after[one]["Handled"] != before[one]["Handled"]]
        assert len(gained) >= 8


def test_cards_go_with_coverage_of_historical_campaigns_alone(laager: Laager) -> None:
    card = small_town(laager.folder)
    plain = laager("rules", "hasl", "--card", card)
    assert (plain.code, "--card goes with --coverage" in plain.err) == (2, True)
    other = laager("rules", "pl", "--coverage", "--card", card)
    assert other.code == 2
    assert "--card is for historical campaigns (abtf, er, hasl)" in other.err


def test_rules_that_print_no_tables_say_so(laager: Laager) -> None:
    assert "what a card of hasl names: laager chart fill hasl" in laager.well("table", "hasl")
    ended = laager("table", "hasl", "san")
    assert ended.code == 1
    assert "there is no table 'san'; the rules hasl print none" in ended.err
    assert laager.well("rules", "hasl", "--readings").strip() == (
        "these rules leave nothing to be read in several ways"
    )


def test_a_historical_card_begins_with_the_rules_that_it_names(laager: Laager) -> None:
    card = small_town(laager.folder)
    laager.well("new", card, "--file", "town.laager")
    assert "CG Date 17N, 1 of 4" in laager.well("status", "-c", "town.laager")
    other = small_town(laager.folder, **{"ruleset: hasl": "ruleset: er"})
    wrong = laager("new", other, "--ruleset", "hasl", "--file", "er.laager")
    assert wrong.code == 3
    assert "the card is for er, not for hasl; begin it with --ruleset er" in wrong.err
