"""Files with mistakes: each tells, in its last comments, what Laager must say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.catalogue.dyo import OpTank, load_dyo

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.yaml"))

SOUND = """\
laager: dyo-catalogue/1
nation: testland
name: Testland
source: example
squads:
  - {type: 4-6-8, class: elite, bpv: 13, half: 2-4-8, dates: 1941..1944}
  - {type: 2-4-8, kind: half-squad, class: elite, bpv: 7, dates: always}
vehicles:
  - {type: Tank, afv: true, bpv: 50, rf: {1943..: 1.1}}
"""


def told(*texts: str) -> list[str]:
    documents = [parse_document(text, f"file{i}") for i, text in enumerate(texts, 1)]
    with pytest.raises(DataError) as caught:
        load_dyo(set="none", own=documents)
    return [str(problem) for problem in caught.value.problems]


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN) >= 20


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_told_of_in_full(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    expected = [f"{path}:{line[3:]}" for line in lines if line.startswith("#> ")]
    assert expected
    with pytest.raises(DataError) as caught:
        load_dyo(set="none", own=[path])
    assert [str(problem) for problem in caught.value.problems] == expected


def test_the_sound_file_is_good() -> None:
    found = load_dyo(set="none", own=[parse_document(SOUND, "sound")])
    assert list(found) == ["testland"]
    assert not found.warnings


def test_problems_of_all_files_are_told_together(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    two = parse_document(SOUND.replace("bpv: 13", "bpv: -13"), "two")
    with pytest.raises(DataError) as caught:
        load_dyo(set="none", own=[missing, two])
    assert [problem.file for problem in caught.value.problems] == [str(missing), "two"]


def test_a_nation_of_a_broken_file_is_not_said_to_be_nowhere() -> None:
    document = parse_document(SOUND.replace("bpv: 13", "bpv: -13"), "file")
    with pytest.raises(DataError, match="-13 is not a valid number of points"):
        load_dyo("testland", own=[document])


def test_a_wrong_reference_is_told_where_it_was_entered_last() -> None:
    over = (
        "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: p. 9\n"
        "squads:\n  - {type: 4-6-8, half: 2-4-7}\n"
    )
    assert told(SOUND, over) == ["file2:6: squads[1].half: there is no half-squad '2-4-7'; did you mean 2-4-8?"]


def test_a_file_may_name_what_another_file_enters() -> None:
    other = (
        "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: p. 9\n"
        "op_tanks:\n  - {type: OP, counter: Tank}\n"
    )
    documents = [parse_document(other, "other"), parse_document(SOUND, "sound")]
    nation = load_dyo(set="none", own=documents)["testland"]
    tank = nation.entry("op_tanks", "OP")
    assert isinstance(tank, OpTank)
    assert tank.counter == "Tank"
    assert told(other) == ["file1:6: op_tanks[1].counter: there is no vehicle 'Tank'; enter the vehicle too"]


def test_another_kind_of_file_is_told_of_in_one_sentence() -> None:
    assert told("laager: catalogue/1\nnation: testland\nsquads: [{cvp: 2}]\n") == [
        "file1:1: laager: 'catalogue/1' is another kind of file; begin with laager: dyo-catalogue/1"
    ]


@pytest.mark.parametrize(
    ("set_", "nation", "sentence"),
    [
        ("house", "germen", "no values ship for 'germen'; did you mean german?"),
        ("published", "vichy", "no values ship for 'vichy'; one of allied-minor, american, "),
        ("none", "german", "no file is of 'german'; "),
    ],
)
def test_nations_that_are_nowhere(set_: str, nation: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as caught:
        load_dyo(nation, set=set_)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


WARNED = {
    "guns: [{type: 37L AT, rf: 1.8}]": "5: guns[1].rf: an RF of 1.8 is outside of the Availability "
    "Table; it goes from 0.9 to 1.6",
    "oba: [{year: 1944, 2: 70+ 63, max_bpv: 60}]": "5: oba[1].max_bpv: the bottom line says 60, "
    "the dearest battery costs 63; compare with the chart",
    "op_tanks: [{type: OP, oba: []}]": "5: op_tanks[1].oba: an OP tank that no OBA can use is "
    "never available; name sizes of OBA, or unknown",
    "squads: [{type: 4-6-7, class: green, may_be: [commando]}]": "5: squads[1].may_be: only elite "
    "squads are commandos; H1.22 and H1.24 speak of elite squads",
    "squads: [{type: 4-6-7, class: green, must_be: [assault-engineer]}]": "5: squads[1].must_be: "
    "only elite squads are assault-engineers; H1.22 and H1.24 speak of elite squads",
}


@pytest.mark.parametrize("section", WARNED)
def test_what_looks_wrong_is_warned_of(section: str) -> None:
    head = "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: example\n"
    found = load_dyo(set="none", own=[parse_document(head + section, "file")])
    assert [str(warning) for warning in found.warnings] == [f"file:{WARNED[section]}"]


@pytest.mark.parametrize(
    "section",
    [
        "guns: [{type: 37L AT, rf: {1941: 0.9, 1944: 1.6}}]",
        "oba: [{year: 1944, 2: 70+ 63, max_bpv: 90}]",
        "squads: [{type: 4-6-7, class: green, may_be: [sapper]}]",
        "squads: [{type: 4-6-7, may_be: [commando]}]",
    ],
)
def test_what_looks_right_is_not(section: str) -> None:
    head = "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: example\n"
    assert not load_dyo(set="none", own=[parse_document(head + section, "file")]).warnings
