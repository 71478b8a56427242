"""Boards beside one another: turned, cropped, with rules and overlays; where VASL has no answer, and the true map."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from laager.base import DataError
from laager.los import DEVIATIONS, LosMap, all_pairs, sight, sights
from laager.vasl import Archive, Overlay
from laager.vasl.boards.losdata import by_name
from tests.los.boards import archive_of, drawn, side_by_side
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft, zip_bytes, zipped
from tests.vasl.picture_writer import WOODS, picture

SMALL = {"columns": 17, "rows": 20, "hex_width": 56.3125}
"""The size of the boards that VASL knows as 1a to 13b."""


def left() -> Archive:
    draft = Draft(name="1a", **SMALL)  # type: ignore[arg-type]
    draft.fill("P9", w.WOODS)
    draft.fill("M4", w.OPEN, 2)
    return archive_of(draft)


def right() -> Archive:
    draft = Draft(name="2a", **SMALL)  # type: ignore[arg-type]
    draft.fill("C6", w.GRAIN)
    draft.box("E9", w.STONE_2, 20)
    return archive_of(draft)


@pytest.fixture(scope="module")
def two() -> LosMap:
    return side_by_side([left(), right()])


def test_lines_run_over_the_seam(two: LosMap) -> None:
    assert two.silent == ""
    assert not sight(two, "1aO10", "2aB9").clear
    assert [one.hex for one in sight(two, "1aO7", "2aE6").hindrances] == ["2aB6", "2aC6"]
    assert two.of_hex("2aE9")[1].level == 1


def test_a_turned_board_is_the_same_board() -> None:
    alone = side_by_side([right()])
    turned = side_by_side([right()], turned={0})
    assert len(alone.names) == len(turned.names)
    assert not sight(turned, "E8", "E10").clear
    assert not sight(alone, "E8", "E10").clear
    assert turned.hexes.base[turned.by_name["C6"]] == 0


def test_the_true_map_is_vasls_where_nothing_is_cropped(two: LosMap) -> None:
    true = side_by_side([left(), right()], deviations=["true-map"])
    assert true.deviations == ("true-map",)
    assert set(two.names) >= {name for name in true.names if "#" not in name}
    rng = Random(1)
    pairs = [(rng.choice(true.names), rng.choice(true.names)) for _ in range(6_000)]
    same = [
        (one.clear, one.hindrance) == (other.clear, other.hindrance)
        for one, other in zip(sights(true, pairs), sights(two, pairs), strict=True)
    ]
    assert sum(same) / len(same) > 0.995


def test_a_cropped_board_has_no_answer_from_vasl_where_its_map_is_wrong() -> None:
    """Cut above A6: VASL gives each hex what is in the one above it."""
    crop = {0: (0, 322, 901, 645)}
    mine = side_by_side([left(), right()], crops=crop)
    assert mine.silent == ""
    assert sight(mine, "1aD9", "1aF9").reason == (
        "VASL gives no answer: it puts parts of the cropped board 1a in the wrong place"
    )
    true = side_by_side([left(), right()], crops=crop, deviations=["true-map"])
    assert sight(true, "1aD9", "1aF9").clear


def test_half_hexes_that_vasl_leaves_out_have_no_answer() -> None:
    """The first board is cut at an odd column: VASL counts the second one's hexes by the wrong columns."""
    crop = {0: (56, 0, 845, 1290)}
    mine = side_by_side([left(), right()], crops=crop)
    assert mine.silent == ""
    why = "VASL gives no answer: it leaves out half hexes of board 2a"
    assert sight(mine, "2aB20", "2aE19").reason == why
    assert sight(mine, "2aD20", "2aG17").reason == why
    assert sight(mine, "2aC3", "2aF6").reason != why
    assert not side_by_side([left(), right()]).unclear
    true = side_by_side([left(), right()], crops=crop, deviations=["true-map"])
    assert sight(true, "2aB20", "2aE19").clear


def test_boards_of_other_hexes_have_no_answer() -> None:
    other = archive_of(Draft(name="3", columns=8, rows=5, hex_width=60.0))
    mixed = side_by_side([left(), other])
    assert mixed.silent == "its boards have hexes of different sizes"
    assert sight(mixed, "1aA1", "1aB1").reason == "VASL gives no answer: its boards have hexes of different sizes"


def test_over_an_overlay_there_is_no_answer_unless_the_faults_are_wanted() -> None:
    draft = Draft(columns=5, rows=4)
    laid = [Overlay("x1", "C2", "C2")]
    strict = drawn(draft, overlays=laid)
    said = sight(strict, "A1", "E4")
    assert said.clear is None
    assert said.reason == "VASL gives no answer: overlay x1 on C2 lies there, and VASL's LOS map lacks it"
    assert (all_pairs(strict) == 32).all()
    assert sight(drawn(draft, overlays=laid, deviations=["with-faults"]), "A1", "E4").clear


def test_an_overlay_that_tells_no_origin_silences_no_other_board(tmp_path: Path) -> None:
    entries = [("ovrx1a.gif", picture((60, 60), {(5, 5, 55, 55): WOODS})), ("data", b"version 1\n")]
    (tmp_path / "ovrX").write_bytes(zip_bytes(entries))
    laid = [Overlay("x1", "C2", "C2")]
    said = sight(drawn(Draft(columns=5, rows=4), overlays=laid, folders=[tmp_path]), "A1", "E4")
    assert said.clear is None
    assert said.reason == "VASL gives no answer: overlay x1 on C2 lies there, and VASL's LOS map lacks it"
    beside = side_by_side([left(), right()], overlays=[laid, []], folders=[tmp_path])
    assert sight(beside, "1aC1", "1aC3").clear is None
    assert sight(beside, "2aK3", "2aN9").clear is True
    told = drawn(Draft(columns=5, rows=4), overlays=[Overlay("x1", "C2", "C2", "A1")], folders=[tmp_path])
    assert sight(told, "E1", "E4").clear is True, "an origin that is typed tells where it lies"


def test_both_ways_take_the_worse_answer() -> None:
    draft = Draft(columns=9, rows=8)
    for x, y in ((120, 130), (200, 260), (260, 140), (330, 300)):
        draft.codes[x : x + 34, y : y + 30] = w.GRAIN if x % 40 else w.WOODS
    plain, both = drawn(draft), drawn(draft, deviations=["both-ways"])
    forth = all_pairs(plain, hexes=True)
    found = all_pairs(both, hexes=True)
    blocked = (forth | forth.T) & 8
    assert (found & 8 == blocked).all()
    assert (found & 15 == (found & 15).T).all()
    hexes = [("A1", "I8"), ("I8", "A1"), ("B3", "G5"), ("G5", "B3")]
    for one, other in hexes:
        answer = sight(both, one, other)
        assert (str(answer.source), str(answer.target)) == (one, other)
        assert answer.clear == (not found[both.by_name[one], both.by_name[other]] & 8)


def test_under_a_bridge_on_a_hill() -> None:
    draft = Draft(columns=7, rows=6)
    draft.levels[:] = 2
    draft.way("C1 C2 C3 C4 C5 C6", w.GULLY, 10)
    draft.levels[draft.codes == w.GULLY] = 1
    draft.box("C3", w.BRIDGE, 14)
    draft.levels[draft.codes == w.BRIDGE] = 2
    draft.codes[draft.codes == w.BRIDGE] = 84
    as_vasl = drawn(draft).of_hex("C3")
    assert [(str(one), one.elevation) for one in as_vasl] == [("C3", 2), ("C3 below bridge", 2)]
    right_one = drawn(draft, deviations=["under-bridge"]).of_hex("C3")
    assert right_one[1].elevation == 1


def with_bridge(name: str = "1a") -> Archive:
    """Return a board with a rule of its own, that covers one hex with woods: D3."""
    rule = '<overlaySSRules><overlaySSRule name="BSO_Own" image="own.gif" x="112" y="64"/></overlaySSRules>'
    draft = Draft(name=name, **SMALL, inside=rule)  # type: ignore[arg-type]
    wooden = picture((112, 160), {(26, 62, 86, 130): WOODS})
    return Archive(zip_bytes([*draft.entries().items(), ("own.gif", wooden)]), f"bd{name}")


@pytest.mark.parametrize("turned", [set(), {0}])
def test_a_rule_of_a_boards_own_silences_only_lines_that_meet_it(turned: set[int]) -> None:
    found = side_by_side([with_bridge(), right()], turned=turned, rules=[["BSO_Own"], []])
    assert found.silent == ""
    for one, other in (("1aD1", "1aD6"), ("1aD3", "1aE3"), ("1aA3", "1aH3")):
        assert "it doesn't know the rule BSO_Own of board 1a" in sight(found, one, other).reason
    for one, other in (("1aA8", "1aH8"), ("1aG1", "1aG9"), ("2aA1", "2aB9"), ("1aP12", "2aB12")):
        assert sight(found, one, other).clear is not None
    seen = all_pairs(found, ["1aD9"], hexes=True)[0]
    assert 0 < (seen == 32).sum() < len(seen) / 4


def test_a_cropped_board_has_its_own_rule_where_it_lies() -> None:
    # Two columns of the board are gone: D3 is one hex from the left edge.
    found = side_by_side([with_bridge()], crops={0: (112, 0, 600, 645)}, rules=[["BSO_Own"]])
    ((x, y, width, height), why) = found.unclear[0]
    assert "BSO_Own" in why
    number = found.by_name["D3"]
    assert x <= found.grid.centre[number, 0] <= x + width < 112
    assert y <= found.grid.centre[number, 1] <= y + height < 258


def test_rules_change_the_pixels_and_what_stays_stays() -> None:
    draft = Draft(columns=7, rows=6)
    for side in (0, 1, 2):
        draft.side("D3", side, w.WALL)
    draft.fill("B4", w.GRAIN)
    before, after = drawn(draft), drawn(draft, rules=["NoWalls", "NoGrain"])
    number = before.by_name["D3"]
    assert (after.hexes.side[number] == before.hexes.side[number]).all(), "VASL derives on top of what it had"
    assert sight(before, "C4", "F2").rule == "B9.2"
    assert sight(after, "C4", "F2").clear
    assert sight(before, "B3", "B5").hindrance == 1
    assert sight(after, "B3", "B5").hindrance == 0


def test_vasl_erases_what_stands_on_a_level_that_becomes_grain() -> None:
    draft = Draft(columns=7, rows=6)
    for name in ("C3", "D3"):
        draft.fill(name, w.OPEN, 1)
    draft.fill("D3", w.WOODS, 1)
    as_vasl, as_seen = (
        sight(drawn(draft, rules=["Level1ToGrain"], deviations=names), "B3", "F3") for names in ((), ("true-map",))
    )
    assert (as_vasl.clear, as_seen.clear) == (True, False)


def test_woods_become_jungle_after_all_rules() -> None:
    draft = Draft(columns=7, rows=6)
    draft.fill("C3", w.WOODS)
    found = drawn(draft, rules=["PalmTrees", "LightWoods"])
    light = by_name("Light Woods").code
    assert found.hexes.centre[found.by_name["C3"]] == light, "LightWoods changes them before VASL makes jungle"


@pytest.mark.parametrize("rule", ["NoStairwells", "RoadsToPaths", "DenseJungle", "Bamboo", "SwampToSwampPattern",
                                  "NoBridge", "PalmTrees", "Level1ToLevel0"])  # fmt: skip
def test_every_kind_of_rule_leaves_a_map_that_answers(rule: str) -> None:
    draft = Draft(columns=9, rows=8, stairs={(4, 4)})
    for name, code in (("C3", w.WOODS), ("D5", w.ORCHARD), ("F3", w.MARSH), ("F4", w.WOODS), ("B6", 25)):
        draft.fill(name, code)
    draft.way("C1 C2 C3 C4", w.DIRT)
    draft.way("G1 G2 G3 G4", w.GULLY, 10)
    draft.box("G3", 84, 14)
    draft.box("E5", w.STONE_2, 20)
    draft.fill("H6", w.OPEN, 1)
    found = drawn(draft, rules=[rule])
    assert found.silent == ""
    assert all_pairs(found).shape == (len(found.locations),) * 2


def test_deviations_have_names_and_others_are_refused() -> None:
    assert list(DEVIATIONS) == ["both-ways", "true-map", "under-bridge", "scrub", "with-faults"]
    with pytest.raises(DataError, match="there is no deviation 'scrubs'; did you mean scrub"):
        drawn(Draft(), deviations=["scrubs"])


def test_an_overlay_that_does_not_tell_how_it_lies_leaves_the_rest_of_the_map_answered(tmp_path: Path) -> None:
    draft = Draft(columns=15, rows=5)
    box = {(0, 0, 60, 60): WOODS}
    zipped(tmp_path / "ovrX", {"ovrx1a.gif": picture((60, 60), box), "data": b"version 1\n"})
    map_ = drawn(draft, overlays=[Overlay("x1", "C2", "C2")], folders=[tmp_path])
    assert sight(map_, "C1", "C3").clear is None, "it lies there, whichever of its hexes is on C2"
    assert sight(map_, "G1", "O5").clear
