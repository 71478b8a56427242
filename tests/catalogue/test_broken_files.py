"""Files with mistakes: each tells, in its last comments, what Laager must say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError
from laager.base.files import parse_document, read_document
from laager.catalogue import load_catalogue, load_fortifications, load_with_files

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.yaml"))

SOUND = """\
laager: catalogue/1
nation: testland
name: Testland
side: axis
source: made up for tests
squads:
  - {type: 4-6-8, class: elite, half: 2-4-8, replaced: disrupted, hardened: fanatic}
  - {type: 2-4-8, kind: half-squad, whole: 4-6-8}
  - {type: 2-2-8, kind: crew, class: elite, replaced: disrupted, hardened: fanatic}
gun_crew: 2-2-8
leaders: {ladder: [7-0, 8-0]}
"""

MORE = """\
laager: catalogue/1
nation: testland
name: Testland
source: made up for tests, too
support_weapons:
  - {type: LMG, sort: mg, pp: 1}
guns:
  - {sort: at, cvp: 2, types: [37L AT]}
"""


def told(*paths: Path) -> list[str]:
    with pytest.raises(DataError) as caught:
        load_catalogue(paths)
    return [str(problem) for problem in caught.value.problems]


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN) >= 12


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_file_is_told_of_in_full(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    expected = [f"{path}:{line[3:]}" for line in lines if line.startswith("#> ")]
    assert expected
    assert told(path) == expected


def write(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.yaml")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


def test_a_second_file_adds_to_a_nation(tmp_path: Path) -> None:
    nation = load_catalogue(write(tmp_path, one=SOUND, two=MORE)).nation("testland")
    assert nation.pp("LMG") == 1
    assert nation.guns["37L AT"].crew == "2-2-8"
    assert nation.sources == ("made up for tests", "made up for tests, too")


def test_two_files_of_a_nation_must_agree(tmp_path: Path) -> None:
    two = MORE.replace("name: Testland", "name: Testlanders") + (
        "squads:\n"
        "  - {type: 4-6-8, class: elite, half: 2-4-8, replaced: disrupted, hardened: fanatic}\n"
        "leaders: {ladder: [8-0]}\n"
    )
    one_path, two_path = write(tmp_path, one=SOUND, two=two)
    assert told(one_path, two_path) == [
        f"{two_path}:3: name: testland is 'Testland' in {one_path} and 'Testlanders' here; give a nation one name",
        f"{two_path}:10: squads[1].type: '4-6-8' is a squad already ({one_path}); remove one of the two",
        f"{two_path}:11: leaders: stands in {one_path} already; give it in one file of the nation only",
        f"{two_path}:11: leaders.ladder[1]: '8-0' is a leader already ({one_path}); remove one of the two",
    ]


def test_a_file_without_leaders_is_read_with_the_nation_that_ships(tmp_path: Path) -> None:
    german = MORE.replace("testland", "german").replace("Testland", "German")
    (path,) = write(tmp_path, more=german.replace("LMG", "Odd MG"))
    nation = load_catalogue([path]).nation("german")
    assert "Odd MG" in nation.support_weapons
    assert "4-6-7" in nation.mmc
    path.write_text(german, encoding="utf-8")
    assert told(path) == [
        f"{path}:6: support_weapons[1].type: 'LMG' is an SW already (catalogue/german.yaml); remove one of the two"
    ]
    path.write_text(MORE, encoding="utf-8")
    assert f"{path}:1: leaders: is missing; add it to one file of the nation" in told(path)


def test_files_of_a_campaign_stand_beside_the_nations_that_ship(tmp_path: Path) -> None:
    german = MORE.replace("testland", "german").replace("Testland", "German").replace("LMG", "PM")
    paths = write(tmp_path, one=SOUND, more=german)
    documents = [read_document(path) for path in paths]
    found = load_with_files(["russian", "german", "testland", "nowhere"], documents)
    assert set(found) == {"testland", "german", "russian"}
    assert "PM" in found["german"].support_weapons
    assert "PM" not in load_with_files(["german"], [])["german"].support_weapons
    broken = [parse_document(SOUND.replace("[7-0", "[9-0"), "a"), parse_document(MORE, "b")]
    twice = parse_document(german.replace("PM", "LMG"), "c")
    with pytest.raises(DataError) as caught:
        load_with_files([], [twice, *broken])
    assert [(problem.file, problem.line) for problem in caught.value.problems] == [
        ("c", 6), ("a", 11),
    ]  # fmt: skip
    kept = load_with_files([], [twice], recorded=True)["german"]
    assert kept.pp("LMG") == 1
    assert "4-6-7" in kept.mmc


def test_problems_of_all_files_are_told_together(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    (empty,) = write(tmp_path, empty="")
    assert told(missing, empty) == [f"{missing}: there is no such file", f"{empty}: the file is empty"]
    one, two = write(tmp_path, one=SOUND.replace("axis", "axes"), two=SOUND.replace("[7-0", "[8-1"))
    other = two.read_text(encoding="utf-8").replace("nation: testland", "nation: elsewhere")
    two.write_text(other, encoding="utf-8")
    assert told(one, two) == [f'{one}:4: side: "axes" is not known here; one of axis, allied']
    one.write_text(SOUND.replace("whole: 4-6-8", "whole: 4-6-9"), encoding="utf-8")
    assert told(one, two) == [
        f"{one}:8: squads[2].whole: there is no type '4-6-9'; did you mean 4-6-8?",
        f"{two}:11: leaders.ladder[2]: '8-0' is no better than '8-1' before it; "
        "begin with the worst leader and end with the best",
    ]


def test_fortifications_are_checked(tmp_path: Path) -> None:
    text = (
        "laager: fortifications/1\nsource: made up\nfortifications:\n"
        "  - {type: wire, name: Wire, place: hex}\n"
        "  - {type: wire, name: Wire, place: hex}\n"
    )
    (path,) = write(tmp_path, forts=text)
    with pytest.raises(DataError) as caught:
        load_fortifications(path)
    assert str(caught.value) == (f"{path}:5: fortifications[2].type: 'wire' stands here twice; remove one of the two")
    path.write_text(text.replace("place: hex}", "place: hax}"), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_fortifications(path)
    assert [str(problem) for problem in caught.value.problems] == [
        f'{path}:{line}: fortifications[{line - 3}].place: "hax" is not known here; one of hex, location, hexside'
        for line in (4, 5)
    ]
