"""`laager catalogue`: check, gaps, tables and back, merge; what is said and how it ends."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer.main

from laager.base import DataError, RefusedError
from laager.catalogue.dyo import SECTIONS, catalogue_data, load_dyo
from laager.catalogue.dyo.write import to_yaml
from laager.cli.ending import WrongUseError
from laager.cli.reading.catalogue import app
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import DraftTerms, draft_data, load_terms
from laager.rules.design_your_own.steps import missing
from laager.rules.design_your_own.steps.infantry import infantry_question, on_offer

PACKS = Path(__file__).parents[2] / "src" / "laager" / "packs" / "dyo"

MINE = """\
laager: dyo-catalogue/1
nation: german
name: German
source: our rulebook
squads:
  - {type: 4-4-7, class: second-line, bpv: 7}
guns:
  - {type: 75L AT PaK 40, bpv: 40}
"""


def run(*words: object) -> None:
    command = typer.main.get_command(app)
    command.main([str(word) for word in words], standalone_mode=False)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_check_tells_what_is_in_good_files(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("check", mine)
    assert capsys.readouterr().out == (
        "German: good; 6 of Infantry, 1 of ordnance, 1 of vehicles, 1 of the OBA Availability "
        "Chart, 1 of further costs of OBA, 8 of leader counters, 4 of armor leader counters, "
        "7 of the SW Allotment Chart\n"
    )
    run("check", mine, "--set", "none", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "good": True, "nations": ["german"], "warnings": [],
    }  # fmt: skip


def test_check_warns_of_names_that_cannot_be_exported(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text(MINE.replace("75L AT PaK 40", "75L AT PaK40"), encoding="utf-8")
    run("check", mine, "--set", "none")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"note: {mine}:8: guns[1].type: the campaign catalogue has no '75L AT PaK40', so it can't "
        "be exported; did you mean 75L AT PaK 40 or 50L AT PaK 38?"
    )
    assert lines[1] == "German: good; 1 of Infantry, 1 of ordnance"


def test_check_of_a_nation_that_has_no_campaign_catalogue(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MINE.replace("german", "testland").replace("German", "Testland")
    mine.write_text(text.split("squads")[0], encoding="utf-8")
    run("check", mine)
    assert capsys.readouterr().out == "Testland: good; nothing entered yet\n"


def test_check_tells_everything_wrong(mine: Path) -> None:
    mine.write_text(MINE.replace("bpv: 7", "bpv: -7").replace("40, bpv", "40, bvp"), "utf-8")
    with pytest.raises(DataError) as caught:
        run("check", mine)
    assert [problem.line for problem in caught.value.problems] == [6, 8]


def test_gaps_of_what_the_rules_state(capsys: pytest.CaptureFixture[str]) -> None:
    run("gaps", "--nation", "german", "--date", "9/1944")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:8] == [
        "The nation itself",
        "  whether there are commissars, morale of inherent crews, BPV of an Observation Plane",
        "Infantry",
        "  8-3-8: half-squad, dates",
        "  4-6-8: half-squad, dates",
        "  5-4-8: BPV, half-squad, dates",
        "  4-6-7: half-squad, dates",
        "  4-4-7: class, BPV, half-squad, dates",
    ]
    assert lines[-1].endswith("values missing to buy for german in 1944-09.")


def test_gaps_as_json_and_with_own_files(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("gaps", "-n", "german", "-d", "1944-09", mine, "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["nation"], found["date"]) == ("german", "1944-09")
    missing = {(gap["section"], gap["type"], gap["field"]) for gap in found["missing"]}
    assert ("squads", "4-4-7", "dates") in missing
    assert ("squads", "4-4-7", "bpv") not in missing
    assert ("guns", "75L AT PaK 40", "rf") in missing


def test_nothing_is_missing_of_house_values(capsys: pytest.CaptureFixture[str]) -> None:
    run("gaps", "--nation", "russian", "--date", "1943-07", "--set", "house")
    assert capsys.readouterr().out == "Nothing is missing to buy for russian in 1943-07.\n"


def test_one_value_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (PACKS / "house" / "german.yaml").read_text("utf-8").replace("crew_morale: 8\n", "\n", 1)
    path = tmp_path / "german.yaml"
    path.write_text(text.replace("  \n", ""), encoding="utf-8")
    run("gaps", "--nation", "german", "--date", "1943-07", "--set", "none", path)
    assert capsys.readouterr().out == (
        "The nation itself\n  morale of inherent crews\n1 value missing to buy for german in 1943-07.\n"
    )


@pytest.mark.parametrize("date", ["1944", "soon", "1944-13"])
def test_gaps_of_no_month(date: str) -> None:
    with pytest.raises(WrongUseError, match=r"^--date: "):
        run("gaps", "--nation", "german", "--date", date)


def test_gaps_of_no_nation() -> None:
    with pytest.raises(RefusedError, match="did you mean german"):
        run("gaps", "--nation", "germany", "--date", "1944-09")


def test_tables_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tmp_path / "tables"
    run("export", "--csv", tables, "--set", "house")
    written = sorted(path.name for path in tables.iterdir())
    assert {"nation.csv", "squads.csv", "guns.csv", "vehicles.csv", "oba.csv"} <= set(written)
    assert capsys.readouterr().out.count("written: ") == len(written)
    run("import", *sorted(tables.iterdir()), "-o", tmp_path / "back")
    for path in (tmp_path / "back").iterdir():
        assert path.read_text("utf-8") == (PACKS / "house" / path.name).read_text("utf-8")


def test_tables_of_one_nation_become_one_file(tmp_path: Path, mine: Path) -> None:
    tables = tmp_path / "tables"
    run("export", "--csv", tables, mine)
    run("import", *tables.iterdir(), "-o", tmp_path / "mine-again.yaml")
    again = load_dyo(set="none", own=[tmp_path / "mine-again.yaml"])
    assert catalogue_data(again) == catalogue_data(load_dyo(set="none", own=[mine]))


def test_tables_of_chosen_nations(tmp_path: Path) -> None:
    run("export", "--csv", tmp_path / "tables", "--set", "published", "-n", "british")
    assert "german" not in (tmp_path / "tables" / "nation.csv").read_text("utf-8-sig")
    with pytest.raises(WrongUseError, match="nothing to export; name files"):
        run("export", "--csv", tmp_path / "tables")


def test_a_blank_sheet_is_filled_in_read_back_and_bought_from(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    run("export", "--csv", tables, "--blank", "-n", "italian")
    assert sorted(path.stem for path in tables.iterdir()) == sorted(["nation", *SECTIONS])
    run("import", *sorted(tables.iterdir()), "-o", tmp_path / "empty.yaml")
    empty = load_dyo(set="none", own=[tmp_path / "empty.yaml"])["italian"]
    assert (empty.name, empty.sources) == ("Italian", ())
    assert {name for name in SECTIONS if empty.knows(name)} == {"capabilities", "oba"}
    assert not [one for name in SECTIONS for one in empty.entries_of(name) if [*one.given_fields()]]
    fill(tables / "capabilities.csv", {"lg": "5", "pf_range": "0", "column": "general"})
    fill(tables / "squads.csv", {"type": "'3-4-6", "class": "first-line", "bpv": "6"})
    fill(tables / "guns.csv", {"type": "'47L AT", "sort": "at", "bpv": "28", "rf": "1940..: 1.0"})
    fill(tables / "oba.csv", {"7": "'80+M 92", "max_bpv": "120"}, year="'1942")
    run("import", *sorted(tables.iterdir()), "-o", tmp_path / "mine.yaml")
    draft = DraftTerms("t", "1942-06", ("italian", "british"), (500, 500), own=("mine.yaml",))
    (tmp_path / "t.yaml").write_text(to_yaml(draft_data(draft)), encoding="utf-8")
    loaded = load_terms(tmp_path / "t.yaml")
    assert loaded.terms.side("axis").elr == 2, "the row of the rules' own chart is in force"
    cg = Cg.of(loaded.terms, loaded.catalogue)
    assert [mmc.type for mmc in on_offer(cg, "axis")] == ["3-4-6"]
    assert cg.nation("axis").origin("squads", "3-4-6", "bpv").words == "user (my rulebook)"
    answer = {"lines": [{"type": "3-4-6", "number": 9}]}
    assert infantry_question(cg, "axis", "first", "DYO H1.2").allows(answer)
    assert str(cg.nation("axis").oba_chart(cg.month).at(7)) == "80+M 92"
    assert not missing.missing(cg.nation("axis"), cg.month, ("squads", "guns", "oba"))
    assert "vehicles" in missing.missing(cg.nation("axis"), cg.month, ("vehicles",))


def fill(table: Path, values: dict[str, str], **where: str) -> None:
    """Fill in the first row of a table in which these cells stand, as a spreadsheet would."""
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    row = next(row for row in rows if all(row[name] == cell for name, cell in where.items()))
    row |= values
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_what_is_known_stands_above_the_blank_rows(tmp_path: Path) -> None:
    run("export", "--csv", tmp_path / "all", "--blank", "--set", "house", "-n", "german")
    text = (tmp_path / "all" / "squads.csv").read_text("utf-8-sig")
    assert "'4-6-7" in text
    assert text.rstrip("\n").endswith(",,")
    run("import", *sorted((tmp_path / "all").iterdir()), "-o", tmp_path / "back.yaml")
    assert (tmp_path / "back.yaml").read_text("utf-8") == (PACKS / "house" / "german.yaml").read_text("utf-8")


def test_nothing_is_written_over_unasked(tmp_path: Path, mine: Path) -> None:
    tables = tmp_path / "tables"
    run("export", "--csv", tables, mine)
    before = (tables / "guns.csv").read_text("utf-8")
    with pytest.raises(RefusedError, match=r"already exists; name another file with --out, or add --force"):
        run("export", "--csv", tables, mine)
    run("export", "--csv", tables, mine, "--force")
    assert (tables / "guns.csv").read_text("utf-8") == before


def test_tables_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"section,nation,type\nguns,german,\xe9\n")
    with pytest.raises(DataError) as caught:
        run("import", tmp_path / "a.csv", tmp_path / "b.csv", tmp_path, "-o", tmp_path / "x.yaml")
    assert [str(problem) for problem in caught.value.problems] == [
        f"{tmp_path / 'a.csv'}: byte 32 is not UTF-8 text; save the table as CSV in UTF-8",
        f"{tmp_path / 'b.csv'}: there is no such file",
        f"{tmp_path}: this is a folder; name a file",
    ]


def test_tables_that_do_not_fit_together(tmp_path: Path) -> None:
    table = tmp_path / "squads.csv"
    table.write_text("section,nation,type,half\nsquads,german,'4-6-8,'2-4-8\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"squads.csv:2: squads\[1\].half: there is no half-squad"):
        run("import", table, "-o", tmp_path / "x.yaml")
    assert not (tmp_path / "x.yaml").exists()
    table.write_text("section,nation,type\n", encoding="utf-8")
    with pytest.raises(RefusedError, match="the tables have no rows; nothing was written"):
        run("import", table, "-o", tmp_path / "x.yaml")


def other(mine: Path, text: str) -> Path:
    path = mine.parent / "other.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_merge_of_two_that_agree(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = MINE.split("squads", maxsplit=1)[0]
    two = other(mine, head + "guns: [{type: 75L AT PaK 40, rf: 0.9}]\n")
    out = mine.parent / "both.yaml"
    run("merge", mine, two, "-o", out)
    assert capsys.readouterr().out == f"written: {out}\n"
    gun = load_dyo(set="none", own=[out])["german"].gun("75L AT PaK 40")
    assert (gun.bpv, str(gun.rf.other)) == (40, "0.9")


def test_merge_tells_conflicts_and_writes_nothing(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = other(mine, MINE.replace("bpv: 7", "bpv: 8").replace("bpv: 40", "bpv: 41"))
    out = mine.parent / "both.yaml"
    with pytest.raises(RefusedError) as caught:
        run("merge", mine, two, "-o", out)
    assert str(caught.value) == (
        f"{mine} and {two} disagree on 2 values; nothing was written; add --prefer first or --prefer second"
    )
    assert capsys.readouterr().out == (
        "conflict: squads.bpv 4-4-7: 7 or 8\nconflict: guns.bpv 75L AT PaK 40: 40 or 41\n"
    )
    assert not out.exists()


@pytest.mark.parametrize(("which", "bpv"), [("first", 7), ("second", 8)])
def test_merge_with_a_preference(mine: Path, capsys: pytest.CaptureFixture[str], which: str, bpv: int) -> None:
    two = other(mine, MINE.replace("bpv: 7", "bpv: 8"))
    out = mine.parent / "both.yaml"
    run("merge", mine, two, "-o", out, "--prefer", which, "--json")
    assert json.loads(capsys.readouterr().out) == {
        "written": True,
        "conflicts": [
            {"section": "squads", "type": "4-4-7", "field": "bpv", "month": None, "first": "7",
             "second": "8"}
        ],
    }  # fmt: skip
    assert load_dyo(set="none", own=[out])["german"].mmc("4-4-7").bpv == bpv


def test_merge_of_two_nations(mine: Path) -> None:
    two = other(mine, MINE.replace("nation: german", "nation: finnish"))
    with pytest.raises(RefusedError, match=r"is of german, .* of finnish; merge files"):
        run("merge", mine, two, "-o", mine.parent / "both.yaml")


def test_merge_does_not_write_over_a_file(mine: Path) -> None:
    with pytest.raises(RefusedError, match="already exists"):
        run("merge", mine, mine, "-o", mine)
