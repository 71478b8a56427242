"""From a skeleton to a campaign that begins: with the figures of our own campaigns, as CSV of a spreadsheet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from shutil import copyfile

import pytest

from .conftest import Laager

PACKS = Path(str(files("laager.packs")))
HOUSE = {"abtf": "rijnoord", "er": "kokusa-ridge", "pl": "training"}
PARTS = ("", "-charts", "-tables")


def charts(laager: Laager, file: str | Path) -> list[dict[str, object]]:
    """Return the charts of a file, with how many blanks each has."""
    found: list[dict[str, object]] = json.loads(laager.well("chart", "export", file, "--json"))
    return found


def blank(laager: Laager, file: str) -> list[str]:
    """Return the charts of a file that have blanks."""
    return [str(one["chart"]) for one in charts(laager, file) if one["blanks"]]


def pasted(laager: Laager, rules: str, parts: Sequence[str] = PARTS, change: Callable[[str], str] = str) -> int:
    """Fill the skeleton `mine.yaml` with the charts of our own campaign, changed; return how many were pasted."""
    imports = 0
    for part in parts:
        mine, house = f"mine{part}.yaml", PACKS / rules / f"{HOUSE[rules]}{part}.yaml"
        there = {one["chart"] for one in charts(laager, house)}
        todo = blank(laager, mine)
        while todo:
            name = todo.pop(0)
            sheet = Path("sheet.csv")
            sheet.write_text("", encoding="utf-8")
            if name in there:
                laager.well("chart", "export", house, name, "--out", sheet, "--force")
            sheet.write_text(change(sheet.read_text("utf-8")), encoding="utf-8")
            # A map of one's own lacks what our card names until it is marked there.
            laager.well("chart", "import", mine, name, sheet, *(("--force",) if change is not str else ()))
            imports += 1
            if name == "tables":
                # The overview, which comes first, says which tables there are, and which columns their rows have.
                todo = blank(laager, mine)
        assert not blank(laager, mine), part
    return imports


@pytest.mark.parametrize(("rules", "blanks"), [("abtf", 156), ("er", 82)])
def test_a_skeleton_filled_from_csv_begins(laager: Laager, rules: str, blanks: int) -> None:
    made = json.loads(laager.well("new", "mine.yaml", "--skeleton", rules, "--json"))
    assert made["blanks"] == blanks
    assert "blanks are left" in laager.well("check", "mine.yaml")
    refused = laager("new", "mine.yaml")
    assert refused.code == 3
    assert f"{blanks} blanks are left" in refused.err
    assert "Fill them in before you begin" in refused.err
    assert not list(laager.folder.glob("*.laager"))

    assert pasted(laager, rules) > 20
    assert " is valid: HASL card" in laager.well("check", "mine.yaml")
    laager.well("new", "mine.yaml")
    assert "is asked [agreements]" in laager.well("status")


def test_a_platoon_leader_card_filled_from_csv_begins(laager: Laager) -> None:
    made = json.loads(laager.well("new", "mine.yaml", "--skeleton", "pl", "--json"))
    assert made == {"files": ["mine.yaml", "mine-map.yaml"], "blanks": 15}
    told = laager.well("check", "mine.yaml")
    assert "Platoon Leader card; nothing is wrong so far. 15 blanks are left" in told
    assert "15 blanks are left" in laager("new", "mine.yaml").err
    assert pasted(laager, "pl", PARTS[:1], lambda csv: csv.replace(",tvp,", ",firefights,")) == 5
    assert " is valid: Platoon Leader card" in laager.well("check", "mine.yaml")
    laager.well("new", "mine.yaml")
    assert "is asked [agreements]" in laager.well("status")


@pytest.mark.parametrize(
    ("name", "title", "order"),
    [("abtf-2", "CG II", ("axis", "allied", "axis")), ("abtf-3", "CG III", ("allied", "axis", "allied"))],
)
def test_the_later_campaigns_of_a_module(laager: Laager, name: str, title: str, order: tuple[str, ...]) -> None:
    """Their dates and figures are blanks; who begins is known (ABtF 9.5a)."""
    laager.well("new", "mine.yaml", "--skeleton", name)
    text = Path("mine.yaml").read_text("utf-8")
    assert f"title: A Bridge Too Far, {title}\n" in text
    initial = [
        f"  {field}: {side}\n" for field, side in zip(("attacker", "sets_up_first", "moves_first"), order, strict=True)
    ]
    assert "".join(initial) in text
    assert "9.51" not in text
    assert "blanks are left" in laager.well("check", "mine.yaml")
    # Their charts have the blanks of the first campaign's, which are pasted above.
    laager.well("new", "first.yaml", "--skeleton", "abtf")
    for part in PARTS[1:]:
        assert charts(laager, f"mine{part}.yaml") == charts(laager, f"first{part}.yaml")
        copyfile(PACKS / "abtf" / f"rijnoord{part}.yaml", f"mine{part}.yaml")
    assert pasted(laager, "abtf", PARTS[:1]) > 5
    checked = laager.well("check", "mine.yaml")
    assert " is valid: HASL card" in checked
    laager.well("new", "mine.yaml")
    assert "is asked [agreements]" in laager.well("status")


def test_what_is_filled_in_says_to_compare_it() -> None:
    for path in PACKS.glob("*/skeleton/*.yaml"):
        text = path.read_text("utf-8")
        assert "with your copy" in text or path.name == "tables.yaml", path
    first = (PACKS / "abtf" / "skeleton" / "card.yaml").read_text("utf-8")
    for figure in ("elr: 3", "elr: 5"):
        assert f"compare them with your copy (ABtF 9.51).\n    {figure}" in first


def test_a_skeleton_writes_nothing_over_and_only_what_there_is(laager: Laager) -> None:
    laager.well("new", "mine.yaml", "--skeleton", "er")
    assert Path("mine-marines.yaml").is_file()
    before = Path("mine.yaml").read_bytes()
    for words, told in (
        (("mine.yaml", "--skeleton", "er"), "mine.yaml already exists; name another card"),
        (("other.yaml", "--skeleton", "dyo"), "there is no skeleton for 'dyo'"),
        (("other.txt", "--skeleton", "er"), "other.txt isn't the name of a card's file"),
        (("no/other.yaml", "--skeleton", "er"), "there is no folder no"),
    ):
        ended = laager("new", *words)
        assert (ended.code, told in ended.err) == (1, True), ended
    assert Path("mine.yaml").read_bytes() == before
    assert not list(laager.folder.glob("other*"))


@pytest.mark.parametrize(
    ("csv", "told"),
    [
        ("RG,CPP\nI1,x5\n", "sheet.csv:2: CPP: 'x5' doesn't fit; a whole number from 0 to 99"),
        ("RG,Price\nI1,5\n", "there is no column 'Price' in this chart"),
        ("I1" + ",x" * 30 + "\n", "this line has 31 cells, and the chart has 22 columns"),
        ("RG,Kind\nI1,infantery\n", "sheet.csv:2: Kind: 'infantery' isn't known; did you mean I infantry?"),
        ("x" * 1_000_000, "1000000 characters are too many for a chart; 200000 at most"),
        ("RG,Group Type,Kind,CPP\nM1,x,M,1\nM1,x,M,1\n", "is there twice"),
    ],
)  # fmt: skip
def test_bad_csv_changes_nothing(laager: Laager, csv: str, told: str) -> None:
    laager.well("new", "mine.yaml", "--skeleton", "abtf")
    before = Path("mine-charts.yaml").read_bytes()
    Path("sheet.csv").write_text(csv, encoding="utf-8")
    ended = laager("chart", "import", "mine-charts.yaml", "axis-rg", "sheet.csv")
    assert (ended.code, told in ended.err) == (3, True), ended
    assert Path("mine-charts.yaml").read_bytes() == before


def test_charts_that_there_are_not(laager: Laager) -> None:
    laager.well("new", "mine.yaml", "--skeleton", "abtf")
    Path("sheet.csv").write_text("x\n", encoding="utf-8")
    ended = laager("chart", "export", "mine-charts.yaml", "axis-gr")
    assert (ended.code, "did you mean axis-rg" in ended.err) == (1, True)
    Path("a.yaml").write_text("laager: map/1\n", encoding="utf-8")
    ended = laager("chart", "export", "a.yaml")
    assert (ended.code, "has no charts that can be a sheet" in ended.err) == (1, True)
    ended = laager("chart", "import", "mine-charts.yaml", "axis-rg", "nothing.csv")
    assert (ended.code, "there is no such file" in ended.err) == (3, True)


def test_columns_that_a_csv_does_not_name_stay(laager: Laager) -> None:
    laager.well("new", "mine.yaml", "--skeleton", "abtf")
    Path("sheet.csv").write_text("Group Type;RG;KG\nPltn;I1;K\n;?;\n", encoding="utf-8")
    laager.well("chart", "import", "mine-charts.yaml", "axis-rg", "sheet.csv")
    rows = json.loads(laager.well("chart", "export", "mine-charts.yaml", "axis-rg", "--json"))["rows"]
    assert rows[0][:5] == ["I1", "K", "Pltn", "I infantry", "5"]
    assert rows[0][5] == "?"
    assert [row[0] for row in rows] == ["I1", "?"]


def test_one_blank_is_told_in_the_singular(laager: Laager) -> None:
    laager.well("new", "mine.yaml", "--skeleton", "abtf")
    lines = laager.well("chart", "export", "mine-charts.yaml").splitlines()
    assert any(re.search(r" 1 blank   RG chart: Allied", line) for line in lines)
    assert not any(re.search(r" 1 (blanks|rows)\b", line) for line in lines)
    assert len({line.index("  ", line.index("blank")) for line in lines if "blanks" in line}) == 1
    Path("one.csv").write_text("?\n", encoding="utf-8")
    assert "1 blank is left in it" in laager.well("chart", "import", "mine-charts.yaml", "allied-rg", "one.csv")
