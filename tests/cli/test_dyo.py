"""`laager dyo`: terms, buying, Rosters, the check, exports, odds and suggestions."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from laager.cli import main
from laager.rules.design_your_own.files import shipped_terms

from .conftest import Laager

FULL = ("--month", "1944-09", "--points", "1000/900", "--axis", "german", "--allied", "russian")
BATTLE_GROUP = Path(__file__).parents[1] / "design_your_own" / "data" / "kampfgruppe.yaml"
DOCS = Path(__file__).parents[2] / "docs" / "dyo"
BUYING = "{lines: [{type: 4-6-8, number: 7, sappers: true}, {type: 4-6-7, number: 12}]}\n3\n"


def run(folder: Path, *words: str, stdin: str = "") -> None:
    """Run `laager` in a folder for all tests of this module."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()):
        patch.chdir(folder)
        for name in ("LAAGER_CAMPAIGN", "LAAGER_SIDE", "LAAGER_SOLO"):
            patch.delenv(name, raising=False)
        patch.setattr(sys, "argv", ["laager", *words])
        patch.setattr(sys, "stdin", StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 0, words


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a purchase that has begun; the Axis has Infantry and SAN 3."""
    folder = tmp_path_factory.mktemp("begun")
    run(folder, "dyo", "new", *FULL, "--weather", "Clear", "-o", "evening")
    run(folder, "dyo", "buy", "--side", "axis", stdin=BUYING)
    return folder


@pytest.fixture(scope="module")
def over(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the same purchase at its end, both orders of battle among them."""
    folder = shutil.copytree(begun, tmp_path_factory.mktemp("over"), dirs_exist_ok=True)
    run(folder, "dyo", "buy", "--defaults", "200", "--solo")
    for side in ("axis", "allied"):
        run(folder, "dyo", "export", "--side", side, "-o", f"{side}.yaml")
    return folder


@pytest.fixture
def purchase(laager: Laager, begun: Path) -> Laager:
    """A purchase that has begun; the Axis has Infantry and SAN 3."""
    shutil.copytree(begun, laager.folder, dirs_exist_ok=True)
    return laager


@pytest.fixture
def finished(laager: Laager, over: Path) -> Laager:
    """The same purchase at its end, with axis.yaml and allied.yaml."""
    shutil.copytree(over, laager.folder, dirs_exist_ok=True)
    return laager


# New --------------------------------------------------------------------------------------------


def test_terms_from_options(laager: Laager) -> None:
    out = laager.well("dyo", "new", *FULL)
    assert "German against Russian, 1944-09: german-russian-1944-09.laager" in out
    assert "terms: german-russian-1944-09.yaml; buy with: laager dyo buy --side axis" in out
    assert " is valid: DYO terms" in laager.well("check", "german-russian-1944-09.yaml")
    assert "German (axis): 1000 points, 1000 left" in laager.well("status")


def test_all_options(laager: Laager, write: Callable[[str, str], Path]) -> None:
    write("mine.yaml", "laager: dyo-catalogue/1\nnation: german\nname: German\nsource: own\n")
    laager.well(
        "dyo", "new", "-m", "1944-09", "-p", "700", "--axis", "german", "--allied", "russian",
        "--open", "--first", "allied", "--elr", "2/5", "--boards", "3, 16", "--theatre", "x",
        "--weather", "Clear", "--catalogue", "house", "--own", "mine.yaml", "--title", "At dawn",
        "--reading", "san-limit=none", "--entered-dice", "-o", "dawn.laager",
    )  # fmt: skip
    text = Path("dawn.yaml").read_text(encoding="utf-8")
    for line in (
        "title: At dawn", "open: true", "first: allied", "- id: '16'", "theatre: x",
        "weather: Clear", "- mine.yaml", "san-limit: none", "points: 700", "elr: 5",
    ):  # fmt: skip
        assert line in text, text
    status = laager.well("status", "--json")
    assert json.loads(status)["title"] == "At dawn"
    assert "bought in the open" in status


def test_what_is_left_out_is_asked(laager: Laager) -> None:
    out = laager.well("dyo", "new", "-o", "t.yaml", stdin="1943-07\n\nrussian\n1200/1100\n")
    assert "In which month and year?" in out
    assert "With house prices: german, russian." in out
    text = Path("t.yaml").read_text(encoding="utf-8")
    assert "date: 1943-07" in text
    assert "nation: german" in text
    assert "points: 1100" in text


def test_wrong_answers_are_asked_again(laager: Laager) -> None:
    ended = laager("dyo", "new", "-o", "t.yaml", stdin="yesterday\n1944-10\ngerm\ngerman\n\n\n")
    assert ended.code == 0
    assert "'yesterday' is not a month; write the year and month, as 1944-09" in ended.err
    assert "did you mean german?" in ended.err
    assert Path("t.laager").exists()


def test_nothing_is_begun_without_answers(laager: Laager) -> None:
    ended = laager("dyo", "new", "--month", "1944-09", stdin="q\n")
    assert ended.code == 2
    assert "nothing was begun; still open: --axis, --allied, --points" in ended.err
    assert laager("dyo", "new", "--json").code == 2
    assert list(Path().glob("*.*")) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--month", "September"), "--month: 'September' is not a month"),
        (("--month", "1950-01"), "--month: 1950-01 is outside the war; a month from 1937 to 1945"),
        (("--points", "lots"), "--points: 'lots' is not a pair of numbers; write it as 1000/900"),
        (("--points", "0/5"), "--points: 0/5 is too small or too large; 1 to 20000 for a side"),
        (("--points", "5/99999"), "--points: 5/99999 is too small or too large"),
        (("--elr", "3/6"), "--elr: '3/6' is not a pair of ELR; write 0 to 5 for each side as 3/4"),
        (("--axis", "germany"), "--axis: there is no nation 'germany'; did you mean german?"),
        (("--allied", "usa"), "--allied: there is no nation 'usa'"),
        (("--first", "north", "--open"), "--first: 'north' isn't a side"),
        (("--first", "axis"), "--first: buying first has no meaning in secret; add --open"),
        (("--catalogue", "hous"), "--catalogue: 'hous' isn't a set; did you mean house?"),
        (("--reading", "san-limit"), "--reading: 'san-limit' isn't a reading; write ID=OPTION"),
        (("--reading", "san-limit=12"), "readings: "),
        (("--reading", "sans=7"), "readings: "),
        (("--own", "nowhere.yaml"), "nowhere.yaml: there is no such file"),
        (("--boards", "3,3"), "board 3 is named twice"),
        (("--title", "x" * 200), "title: "),
        (("--month", "1938-02"), "the ELR Chart doesn't give"),
        (("-o", "no/such/folder/t.yaml"), "there is no folder no/such/folder; make it first"),
        (("-o", "."), ". is a folder; name the file"),
    ],
)
def test_wrong_options(laager: Laager, options: tuple[str, ...], says: str) -> None:
    ended = laager("dyo", "new", *FULL, *options)
    assert ended.code in (1, 3), ended
    assert says in ended.err
    assert list(Path().iterdir()) == []


def test_all_wrong_options_are_told_together(laager: Laager) -> None:
    err = laager("dyo", "new", "--month", "x", "--points", "y", "--axis", "z").err
    assert all(option in err for option in ("--month", "--points", "--axis"))


def test_nothing_is_written_over(laager: Laager) -> None:
    laager.well("dyo", "new", *FULL, "-o", "t.yaml")
    assert "t.yaml already exists; name another file" in laager("dyo", "new", *FULL, "-o", "t").err
    Path("t.yaml").unlink()
    assert "t.laager already exists" in laager("dyo", "new", *FULL, "-o", "t").err


def test_new_for_programs(laager: Laager) -> None:
    made = json.loads(laager.well("dyo", "new", *FULL, "--json"))
    assert made["file"] == "german-russian-1944-09.laager"


# Buying, Rosters --------------------------------------------------------------------------------


def test_buying_and_the_roster_beside(purchase: Laager) -> None:
    out = purchase.well("dyo", "buy", "--side", "axis", stdin="n\n")
    assert "Points Available, German" in out
    shown = purchase.well("dyo", "roster", "--side", "axis")
    assert "Infantry" in shown
    assert "4-6-8" in shown
    assert "TOTALS" in shown
    assert "4-6-8" not in purchase.well("dyo", "roster", "--side", "allied")
    assert "4-6-8" in purchase.well("sheet", "infantry")


@pytest.mark.parametrize("columns", ["80", "120"])
def test_rosters_keep_to_the_terminal(laager: Laager, columns: str) -> None:
    out = laager.well("dyo", "roster", BATTLE_GROUP, COLUMNS=columns)
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "rear AAMG" in out
    assert "0 + [1]" in out


def test_rosters_as_csv_and_json(purchase: Laager) -> None:
    text = purchase.well("dyo", "roster", "--side", "axis", "--csv")
    lines = list(csv.reader(StringIO(text)))
    assert lines[0] == ["Points Available, German"]
    assert lines[1] == ["Category", "Spent", "Available"]
    assert ["Line", "4-6-7", "12", "12", "144", "", "", ""] in lines
    one = list(csv.reader(StringIO(purchase.well("sheet", "points", "--side", "axis", "--csv"))))
    assert one[0] == ["Category", "Spent", "Available"]
    found = json.loads(purchase.well("dyo", "roster", "--side", "axis", "--json"))
    assert [sheet["id"] for sheet in found] == ["points", "infantry", "values"]
    assert found[0]["rows"][1] == {"Category": "Infantry", "Spent": "298", "Available": "702"}
    assert purchase("sheet", "--csv", "--json").code == 2


def test_csv_of_any_rules(evening: Laager) -> None:
    sheets = json.loads(evening.well("sheet", "--json"))
    lines = list(csv.reader(StringIO(evening.well("sheet", sheets[0]["id"], "--csv"))))
    assert lines[0] == list(sheets[0]["rows"][0])
    assert len(lines) == 1 + len(sheets[0]["rows"])


def test_another_campaign_is_no_purchase(evening: Laager) -> None:
    for words in (("buy",), ("roster",), ("export", "--side", "axis"), ("odds", "--side", "axis")):
        ended = evening("dyo", *words)
        assert ended.code == 1
        assert "not a purchase; go on with laager next" in ended.err


# Check ------------------------------------------------------------------------------------------


def test_a_legal_order_of_battle(laager: Laager) -> None:
    out = laager.well("dyo", "check", BATTLE_GROUP)
    assert "German (axis), 1944-09: 3000 points" in out
    assert "spent 2414: infantry 449, san 20" in out
    assert out.endswith("legal\n")
    told = json.loads(laager.well("dyo", "check", BATTLE_GROUP, "--json"))
    assert told["legal"] is True
    assert told["points"]["left"] == 586


def test_an_illegal_one_is_told_line_by_line(laager: Laager) -> None:
    text = BATTLE_GROUP.read_text(encoding="utf-8")
    text = text.replace("san: 4", "san: 9").replace("{type: wire", "{type: wyre")
    Path("ob.yaml").write_text(text, encoding="utf-8")
    ended = laager("dyo", "check", "ob.yaml")
    assert ended.code == 4
    san = next(i + 1 for i, line in enumerate(text.splitlines()) if "san: 9" in line)
    assert f"ob.yaml:{san}: ob.san: a SAN of 9 is too high (DYO H1.29); 7 at most" in ended.out
    assert "ob.fortifications[2].type: " in ended.out
    assert "did you mean wire?" in ended.out
    assert "legal" not in ended.out
    told = json.loads(laager("dyo", "check", "ob.yaml", "--json").out)
    assert told["legal"] is False
    assert {"rule", "reason", "line", "field", "what", "right"} <= set(told["broken"][0])


def test_what_the_catalogue_lacks(laager: Laager) -> None:
    text = BATTLE_GROUP.read_text(encoding="utf-8")
    text = text.replace("  weather: Clear", "  weather: Clear\n  catalogue: published")
    Path("ob.yaml").write_text(text, encoding="utf-8")
    ended = laager("dyo", "check", "ob.yaml")
    assert "cannot be judged (" in ended.out
    assert "note: " in ended.out


def test_what_was_bought_is_exported_and_checked(finished: Laager) -> None:
    told = finished.well("dyo", "export", "--side", "axis", "-o", "other.yaml")
    assert told == "written: other.yaml\n"
    assert Path("other.yaml").read_text("utf-8") == Path("axis.yaml").read_text("utf-8")
    for name in ("axis.yaml", "allied.yaml"):
        assert " is valid: DYO order of battle" in finished.well("check", name)
    checked = finished.well("dyo", "check", "axis.yaml", "--against", "allied.yaml")
    assert checked.endswith("legal\n")
    assert finished.well("verify").endswith("sound\n")


def test_exports_and_checks_of_two_files_that_cannot_be(finished: Laager) -> None:
    again = finished("dyo", "export", "--side", "axis", "-o", "axis.yaml")
    assert "already exists; name another file with --out, or add --force" in again.err
    same = finished("dyo", "check", "axis.yaml", "--against", "axis.yaml")
    assert "are both of the axis side" in same.err
    other = finished("dyo", "check", "allied.yaml", "--against", BATTLE_GROUP)
    assert "are of different terms" in other.err


def test_files_that_cannot_be_checked(laager: Laager) -> None:
    assert "there is no such file" in laager("dyo", "check", "nowhere.yaml").err
    Path("t.yaml").write_text("laager: dyo/1\n", encoding="utf-8")
    ended = laager("dyo", "check", "t.yaml")
    assert ended.code == 3
    line = '  t.yaml:1: laager: "dyo/1" is not known here; write dyo-ob/1'
    assert ended.err.splitlines()[1] == line
    Path("t.yaml").write_text("laager: dyo-ob/1\n", encoding="utf-8")
    ended = laager("dyo", "check", "t.yaml")
    assert ended.code == 3
    assert "t.yaml:1: ob: is missing; add it" in ended.err


def test_the_page_on_checking_tells_what_there_is(laager: Laager) -> None:
    page = (DOCS / "checking.md").read_text(encoding="utf-8")
    told = page.partition("```console\nGerman")[2].partition("```")[0]
    example = page.partition("```yaml\n")[2].partition("```")[0]
    Path("vistula.yaml").write_text(shipped_terms()["vistula"].read_text("utf-8"), "utf-8")
    Path("ob.yaml").write_text(example, encoding="utf-8")
    assert laager.well("dyo", "check", "ob.yaml").endswith("legal\n")
    wrong = example.replace("number: 12}", "number: 12, each: 11}")
    wrong = wrong.replace("PaK 40, number: 1}", "PaK 40}, {type: 88LL AT PaK 43}")
    wrong = "".join(line for line in wrong.splitlines(keepends=True) if "oba:" not in line)
    wrong = "".join(line for line in wrong.splitlines(keepends=True) if "70+" not in line)
    Path("ob.yaml").write_text(wrong, encoding="utf-8")
    assert laager("dyo", "check", "ob.yaml").out == f"German{told}"


# Export, odds, suggestions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "words"),
    [("ob", "laager: dyo-ob/1"), ("pl", "4-6-8"), ("hasl", "4-6-8"),
     ("vasl-templates", "SCENARIO_NAME")],
)  # fmt: skip
def test_forms_of_export(purchase: Laager, form: str, words: str) -> None:
    assert words in purchase.well("dyo", "export", "--side", "axis", "--as", form)


def test_exports_that_cannot_be(purchase: Laager) -> None:
    assert "whose order of battle? add --side" in purchase("dyo", "export").err
    assert "forms are ob, pl, hasl" in purchase("dyo", "export", "--as", "xml").err
    assert ". is a folder" in purchase("dyo", "export", "--side", "axis", "-o", ".").err
    assert "SCENARIO_NAME" in purchase.well("dyo", "export", "--as", "vasl-templates")
    other = purchase.well("dyo", "export", "--side", "allied", "--as", "vasl-templates")
    assert "4-6-8" not in other


def test_odds(purchase: Laager) -> None:
    out = purchase.well("dyo", "odds", "--side", "axis")
    assert "RF 1.6 or less" in out
    assert json.loads(purchase.well("dyo", "odds", "--side", "axis", "--json"))[0]["id"] == "odds"
    assert purchase("dyo", "odds").code == 2


def test_a_suggestion_checks_clean(purchase: Laager) -> None:
    wishes = ("--squads", "12:first-line", "--platoon", "3", "--san", "3", "--maximise", "squads")
    out = purchase.well("dyo", "suggest", "--side", "axis", *wishes)
    assert "Suggested purchase, German" in out
    purchase.well("dyo", "suggest", "--side", "axis", *wishes, "-o", "idea.yaml")
    assert purchase.well("dyo", "check", "idea.yaml").endswith("legal\n")
    told = json.loads(purchase.well("dyo", "suggest", "--side", "axis", *wishes, "--json"))
    assert told["ob"]["laager"] == "dyo-ob/1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--squads", "many"), "'many' isn't a wish; write a number, as 20, or 20:NAME"),
        (("--squads", "3:best"), "squads[1].at_least"),
        (("--san", "99"), "san"),
        (("wishes.yaml", "--oba", "1"), "don't go together; write all into the file"),
        (("nowhere.yaml",), "there is no such file"),
        (("--platoon", "40"), ""),
    ],
)
def test_suggestions_that_cannot_be(purchase: Laager, words: tuple[str, ...], says: str) -> None:
    ended = purchase("dyo", "suggest", "--side", "axis", *words)
    assert ended.code in (1, 2, 3)
    assert says in ended.err


def test_a_suggestion_is_for_a_side(purchase: Laager) -> None:
    ended = purchase("dyo", "suggest", "--squads", "3")
    assert ended.code == 2
    assert "--side" in ended.err
