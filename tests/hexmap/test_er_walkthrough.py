"""The worked example of Edson's Ridge: every case of its geometry."""

from __future__ import annotations

import pytest

from laager.hexmap import (
    Parallelogram,
    blast_area,
    blast_area_cover,
    blast_area_problems,
    bombardment_problems,
    entry_area,
    jungle_path_problems,
    parallelograms_between,
    recon_places,
    recon_problem,
    reserve_places,
    reserve_problems,
    sniper_problem,
)
from laager.hexmap.areas.parallelogram import count_touching
from laager.hexmap.coords import expand_ranges
from laager.hexmap.ways.distances import RECON_REACH, RESERVE_DISTANCE, range_to, too_far_problem

from .edsons_ridge import AMERICAN, JAPANESE, ridge
from .helpers import made

NORTH = list(entry_area(ridge(), "L0").hexes)
SOUTH = list(entry_area(ridge(), "L24").hexes)
OF_THE_JAPANESE = {"the Japanese Setup Area": JAPANESE, "Entry Area L0": NORTH}
OF_THE_AMERICANS = {"the U.S. Setup Area": AMERICAN, "Entry Area L24": SOUTH}


def area(corners: str) -> Parallelogram:
    corner, opposite = corners.split("-")
    return parallelograms_between(ridge(), corner, opposite)[0]


def told(*areas: Parallelogram) -> str:
    return "\n".join(str(problem) for problem in bombardment_problems(ridge(), areas))


def test_the_map() -> None:
    assert len(ridge().hexes) == 16 * 24 + 16 * 25
    assert NORTH == ["H0", "I1", "J0", "K1", "L0", "M1", "N0", "O1", "P0"]
    assert len(SOUTH) == 9
    assert (len(AMERICAN), len(JAPANESE)) == (64, 128)


@pytest.mark.parametrize(("name", "away"), [("I12", 8), ("I11", 7)])
def test_reserves_of_the_americans(name: str, away: int) -> None:
    assert range_to(ridge(), name, JAPANESE) == ridge().distance(name, "I4") == away
    problems = reserve_problems(ridge(), name, AMERICAN, OF_THE_JAPANESE)
    legal = away >= RESERVE_DISTANCE
    assert legal == (not problems)
    assert legal == (name in reserve_places(ridge(), AMERICAN, OF_THE_JAPANESE))


@pytest.mark.parametrize(("name", "away"), [("P3", 8), ("P4", 7)])
def test_reserves_of_the_japanese(name: str, away: int) -> None:
    assert range_to(ridge(), name, AMERICAN) == ridge().distance(name, "P11") == away
    problems = reserve_problems(ridge(), name, JAPANESE, OF_THE_AMERICANS)
    legal = away >= RESERVE_DISTANCE
    assert legal == (not problems)
    assert legal == (name in reserve_places(ridge(), JAPANESE, OF_THE_AMERICANS))


def test_how_a_reserve_too_near_is_refused() -> None:
    assert range_to(ridge(), "P3", SOUTH) == 21
    found = reserve_problems(ridge(), "P4", JAPANESE, OF_THE_AMERICANS)
    assert [str(one) for one in found] == ["P4 is 7 hexes from the U.S. Setup Area; 8 at least"]
    outside = reserve_problems(ridge(), "H12", AMERICAN, OF_THE_JAPANESE)
    assert ["H12 is not in a friendly Setup Area" in str(one) for one in outside] == [True]


@pytest.mark.parametrize(("name", "away"), [("I5", 6), ("C14", 6), ("H5", 6), ("I4", 7), ("B8", 7), ("W14", 7)])
def test_recon(name: str, away: int) -> None:
    assert range_to(ridge(), name, AMERICAN) == away
    problem = recon_problem(ridge(), name, OF_THE_AMERICANS)
    legal = away <= RECON_REACH
    assert legal == (problem is None)
    assert legal == (name in recon_places(ridge(), OF_THE_AMERICANS))
    if problem is not None:
        text = f"{name} is 7 hexes from the U.S. Setup Area, the nearest area; 6 at most"
        assert str(problem) == text


def test_a_blast_area() -> None:
    hexes = expand_ranges(["H6-H10", "I6-I10"])
    reach = [range_to(ridge(), name, AMERICAN) for name in hexes]
    assert reach == [5, 4, 3, 2, 1] * 2
    assert blast_area_problems(ridge(), hexes, OF_THE_AMERICANS) == ()
    assert blast_area_cover(ridge(), hexes, OF_THE_AMERICANS) == ("the U.S. Setup Area",)
    found = blast_area(ridge(), hexes)
    assert found is not None
    assert found.corners == ("H6", "H10", "I6", "I10")
    ranges = [("H6", "H10", 4), ("I6", "I10", 4), ("H6", "I6", 1), ("H10", "I10", 1)]
    assert [ridge().distance(a, b) for a, b, _ in ranges] == [away for *_, away in ranges]


def test_a_blast_area_out_of_reach() -> None:
    hexes = expand_ranges(["H5-H9", "I6-I10"])
    assert blast_area(ridge(), hexes) is not None
    assert range_to(ridge(), "H5", AMERICAN) == 6
    found = [str(one) for one in blast_area_problems(ridge(), hexes, OF_THE_AMERICANS)]
    right = "one single Setup or Entry Area within 5 hexes of all of them"
    assert found == [f"H5 too far from the U.S. Setup Area; {right}"]


def test_what_is_no_blast_area() -> None:
    hexes = expand_ranges(["H6-H10", "I8-I12"])
    assert not ridge().are_adjacent("H6", "I8")
    found = [str(one) for one in blast_area_problems(ridge(), hexes, OF_THE_AMERICANS)]
    assert len(found) == 1
    assert "not the shape of a Blast Area; two rows of five" in found[0]


def test_a_blast_area_aslant() -> None:
    hexes = ["H5", "I6", "J6", "K7", "L7", "H6", "I7", "J7", "K8", "L8"]
    found = blast_area(ridge(), hexes)
    assert found is not None
    assert found.rows == (("H5", "I6", "J6", "K7", "L7"), ("H6", "I7", "J7", "K8", "L8"))


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ("A5-O14", "P5-DD14", (10, 10)),
        ("A5-O14", "P8-DD17", (7, 7)),
        ("A5-O14", "P9-DD18", (6, 6)),
        ("A1-O10", "P1-DD10", (10, 10)),
        ("A1-O10", "P4-DD13", (7, 7)),
        ("A1-O10", "P5-DD14", (6, 6)),
        ("A1-O10", "I11-W20", (8, 7)),
        ("A1-O10", "J11-X20", (6, 6)),
    ],
)
def test_two_bombardment_areas(first: str, second: str, counts: tuple[int, int]) -> None:
    a, b = area(first), area(second)
    assert count_touching(ridge(), a.hexes(ridge()), b.hexes(ridge())) == counts
    assert told(a) == told(b) == ""
    if min(counts) >= 7:
        assert told(a, b) == ""
    else:
        assert f"{counts[0]} hexes of the first area touch the second" in told(a, b)


def test_an_area_has_the_rows_of_its_corners() -> None:
    found = area("A5-O14")
    assert found.hexes(ridge()) == set(expand_ranges(f"{column}5-{column}14" for column in "ABCDEFGHIJKLMNO"))
    assert found.name(ridge()) == "A5-O14"
    assert found.grains == {("n", 10)}


def test_areas_that_overlap() -> None:
    text = "the areas overlap: they share 10 hexes, O5 among them; areas have no hex in common"
    assert told(area("A5-O14"), area("O5-CC14")) == text


def test_areas_of_different_grains() -> None:
    turned = Parallelogram("P8", "se", "ne", 10, 15)
    assert "lie along different hex grains" in told(area("A5-O14"), turned)


def test_a_single_area() -> None:
    assert told(area("A5-O14")) == ""


def test_guns() -> None:
    ended = {"where it ended": ["K12"]}
    assert [ridge().distance("K12", name) for name in ("K15", "N13", "K16", "N14")] == [3, 3, 4, 4]
    legal = [name for name in ("K15", "N13", "K16", "N14") if not too_far_problem(ridge(), name, ended, 3)]
    assert legal == ["K15", "N13"]


def test_snipers() -> None:
    permitted = [*AMERICAN, "I11", "P17"]
    assert ridge().distance("I11", "P17") == 10
    assert sniper_problem(ridge(), "I11", "P17", permitted, least=10) is None
    assert ridge().distance("I12", "P12") == 7
    problem = sniper_problem(ridge(), "I12", "P12", permitted, least=10)
    assert "I12 and P12 are 7 hexes apart" in str(problem)


@pytest.mark.parametrize(
    ("thick", "markers", "count"),
    [([], ["C3", "C4", "C5"], 3), (["C3"], ["C3", "C4"], 3), (["C3", "C4"], ["C3", "C4"], 4), (["C3"], ["C3"], 2)],
)
def test_jungle_paths(thick: list[str], markers: list[str], count: int) -> None:
    light = [name for name in ("C3", "C4", "C5") if name not in thick]
    terrain = {"jungle": light} | ({"dense-jungle": thick} if thick else {})
    field = made(boards=[{"columns": 6, "rows": 8}], terrain=terrain)
    found = [str(one) for one in jungle_path_problems(field, markers)]
    wrong = "the markers count for 4; 3 at most; Bamboo and dense jungle count two"
    assert found == ([] if count <= 3 else [wrong])
