"""Marking maps: what changes in the file, what stays to the letter, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.terrain import TERRAINS, describe_unknown, unknown_hexes
from laager.vasl.maps.marking import mark, read_changes
from tests.tries import tries

MAP = """\
# A map of ours, with notes.
laager: map/1
id: mill
title: "The Mill"   # a title
source: own
boards: [{columns: 8, rows: 8}]

# What grows there
terrain:
  # the big wood
  woods: [C4-C6, D4]   # dark
  unknown: [A1-A8, B1-B8, "E2"]
  grain:
    - F2
    # a good year
    - F3-F5
levels: {1: [C4]}
buildings:
  - {material: stone, hexes: [G5]}  # the mill
"""


def map_of(text: str) -> HexMap:
    return map_from_document(parse_document(text, "a map"))


def marked(*changes: str, text: str = MAP) -> HexMap:
    return map_of(mark(text, changes))


def test_terrain_moves_from_list_to_list() -> None:
    new = mark(MAP, ["C5=grain", "A1-A3,B2=marsh"])
    found = map_of(new)
    assert [found.hex(name).terrain for name in ("C4", "C5", "C6")] == ["woods", "grain", "woods"]
    assert {name for name in found.hexes if found.hex(name).terrain == "marsh"} == {
        "A1", "A2", "A3", "B2",
    }  # fmt: skip
    assert "  woods: [C4, C6, D4]   # dark\n" in new
    assert "  unknown: [A4-A8, B1, B3-B8, E2]\n" in new


def test_what_is_not_touched_stays_to_the_letter() -> None:
    new = mark(MAP, ["C5=brush"])
    kept = [line for line in MAP.splitlines() if "woods:" not in line]
    left = new.splitlines()
    assert [line for line in left if line in kept] == kept
    added = [line for line in left if line not in kept]
    assert added == ["  woods: [C4, C6, D4]   # dark", "  brush: [C5]"]


def test_comments_within_a_changed_list_are_kept() -> None:
    new = mark(MAP, ["F3=open"])
    assert "# a good year" in new
    assert "  grain: [F2, F4-F5]\n" in new
    assert map_of(new).hex("F3").terrain == "open"


def test_a_list_without_hexes_goes_away() -> None:
    new = mark(MAP, ["C4-C6,D4=open"])
    assert "woods" not in new
    assert "# the big wood" in new
    assert "# dark" in new
    assert map_of(new).hex("C4").terrain == "open"
    small = MAP[: MAP.index("terrain:")] + "terrain:\n  woods: [C4]\n"
    assert "terrain" not in mark(small, ["C4=open"])


def test_several_words() -> None:
    found = marked("B3=river+woods+bridge+level:-1").hex("B3")
    assert (found.terrain, found.also, found.features, found.level) == (
        "river", frozenset({"woods"}), frozenset({"bridge"}), -1,
    )  # fmt: skip
    again = map_of(mark(mark(MAP, ["B3=river+woods"]), ["B3=grain"])).hex("B3")
    assert (again.terrain, again.also) == ("grain", frozenset())


def test_one_kind_of_terrain_for_another_everywhere() -> None:
    before = map_of(mark(MAP, ["B3=river+woods", "B4=jungle+woods"]))
    text = mark(MAP, ["B3=river+woods", "B4=jungle+woods", "woods=jungle"])
    after = map_of(text)
    for name, old in before.hexes.items():
        here = after.hex(name)
        assert here.terrain == ("jungle" if old.terrain == "woods" else old.terrain)
        assert "woods" not in here.contents
    assert (after.hex("B3").also, after.hex("B4").also) == (frozenset({"jungle"}), frozenset())
    assert "# dark" in text
    assert mark(text, ["woods=jungle"]) == text
    for wrong in ("open=woods", "woods=open", "woods=level:1", "woods=junlge"):
        with pytest.raises(DataError, match="everywhere"):
            mark(MAP, [wrong])


def test_levels_move_too() -> None:
    new = mark(MAP, ["C4=level:2", "C5=level:1", "A1=level:0"])
    found = map_of(new)
    assert [found.hex(name).level for name in ("C4", "C5", "A1")] == [2, 1, 0]
    assert map_of(mark(new, ["C4,C5=level:0"])).hex("C4").level == 0


def test_buildings() -> None:
    found = marked("A1,A2=wooden:1", "C4=hut")
    (house,) = {found.hex(name).building for name in ("A1", "A2")}
    assert house is not None
    assert (house.material, house.levels, house.hexes) == ("wooden", 1, ("A1", "A2"))
    assert found.hex("A1").terrain == "open", "who says that a house is there knows the hex"
    assert found.hex("C4").terrain == "woods"
    assert "  - {material: stone, hexes: [G5]}  # the mill\n" in mark(MAP, ["C4=hut"])


def test_hexsides_roads_and_streams() -> None:
    found = marked("C4/C5,C5/C6=wall+hedge", "E3>E4>E5=paved", "E3>E4=stream", "A1>A2-A4=path")
    assert found.hexsides["C4", "C5"] == {"wall", "hedge"}
    assert found.hexsides["C5", "C6"] == {"wall", "hedge"}
    ways = {(one.kind, one.along) for one in (*found.roads, *found.watercourses)}
    assert ways == {("paved", ("E3", "E4", "E5")), ("stream", ("E3", "E4")), ("path", ("A1", "A2", "A3", "A4"))}
    text = mark(MAP, ["C4/C5=wall"])
    assert mark(text, ["C5/C4=wall"]) == text, "it is there"


def test_slopes_lead_from_the_upper_hex_down() -> None:
    text = mark(MAP, ["C4>C5>D5=slope", "C4>D4=slope"])
    assert "slopes:\n  C4: [C5, D4]\n  C5: [D5]\n" in text
    assert map_of(text).slopes == {"C4": {"C5", "D4"}, "C5": {"D5"}}
    assert mark(text, ["C4>C5=slope"]) == text, "it is there"
    assert map_of(mark(text, ["C5>C4=-slope"])).slopes == map_of(text).slopes, "it is C4's slope, not C5's"
    fewer = mark(text, ["C4>C5=-slope", "C5>D5=-slope"])
    assert "slopes:\n  C4: [D4]\n" in fewer
    assert "slopes" not in mark(fewer, ["C4>D4=-slope"])


def test_slopes_keep_the_files_own_names() -> None:
    text = """\
laager: map/1
id: two
title: Two
source: own
boards:
  - {board: "1", columns: 5, rows: 4, half_rows: true}
  - {board: "2", columns: 5, rows: 4, half_rows: true, right_of: "1"}
slopes: {2A1: [1D1]}
"""
    assert map_of(text).slopes == {"1E1": {"1D1"}}
    new = mark(text, ["1E1>1E2=slope"])
    assert map_of(new).slopes == {"1E1": {"1D1", "1E2"}}
    assert "2A1" in new
    assert map_of(mark(new, ["1E1>1D1=-slope", "2A1>1E2=-slope"])).slopes == {}


def test_names_that_yaml_would_take_for_numbers() -> None:
    text = MAP.replace("boards: [{columns: 8,", "boards: [{board: '20', columns: 8,")
    text = text[: text.index("terrain:")]
    new = mark(text, ["20E5=woods", "20C5=grain"])
    assert 'woods: ["20E5"]' in new
    assert map_of(new).hex("20E5").terrain == "woods"


@pytest.mark.parametrize(
    "terrain", ["", "terrain: {}\n", "terrain:\n", "terrain: {woods: [C4, C5], grain: []}  # flat\n"]
)
def test_however_the_part_is_written(terrain: str) -> None:
    text = MAP[: MAP.index("terrain:")] + terrain + "names: {C4: Home}\n"
    if terrain == "terrain:\n":
        with pytest.raises(DataError, match="terrain"):
            mark(text, ["C4=brush"])
        return
    found = marked("C4=brush", "C4/C5=wall", "D4=stone", text=text)
    assert found.hex("C4").terrain == "brush"
    assert found.names == {"C4": "Home"}
    assert found.hex("C5").terrain == ("woods" if "woods" in terrain else "open")


def test_lists_of_entries_however_they_are_written() -> None:
    head = MAP[: MAP.index("levels:")]
    for buildings in (
        "buildings: []\n",
        "buildings: [{material: stone, hexes: [G5]}]\n",
        "buildings:\n- material: stone\n  hexes: [G5]\n# end\n",
        "buildings:\n    - {material: stone,\n       hexes: [G5]}",
    ):
        found = marked("A1=wooden", text=head + buildings)
        assert found.hex("A1").building is not None
        assert (found.hex("G5").building is not None) == ("G5" in buildings)


def test_windows_line_ends_and_no_line_end() -> None:
    for text in (MAP.replace("\n", "\r\n"), MAP.rstrip("\n")):
        assert marked("C5=brush", "C4/C5=wall", "A1=hut", text=text).hex("C5").terrain == "brush"


def test_aliases_of_hexes_on_two_boards_are_understood() -> None:
    text = """\
laager: map/1
id: two
title: Two
source: own
boards:
  - {board: "1", columns: 5, rows: 4, half_rows: true}
  - {board: "2", columns: 5, rows: 4, half_rows: true, right_of: "1"}
terrain: {unknown: [2A1-2A4, 2B1]}
"""
    before = map_of(text)
    assert before.main("2A1") == "1E1"
    new = mark(text, ["2A1=woods", "1E2=grain"])
    found = map_of(new)
    assert (found.hex("1E1").terrain, found.hex("2A2").terrain) == ("woods", "grain")
    assert len(unknown_hexes(found)) == len(unknown_hexes(before)) - 2


def test_no_change_changes_nothing() -> None:
    assert mark(MAP, []) == MAP
    assert mark(MAP, ["C4=woods"]) == MAP


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("C99=woods", "there is no hex C99 on this map"),
        ("C4=wods", "did you mean woods"),
        ("C4", "is not a change"),
        ("=woods", "is not a change"),
        ("C4=", "is not a change"),
        ("C4-D6=woods", "neither along a column nor along a row"),
        ("C4=level:99", "out of bounds"),
        ("C4=level:x", "is nothing that a hex can be"),
        ("G5=wooden", "has a building already"),
        ("C4,F4=stone", "not next to one another"),
        ("C4/E4=wall", "is not a hexside"),
        ("C4/C5/C6=wall", "is not a hexside"),
        ("C4/C5=woods", "does not run along hexsides"),
        ("C5/C4=slope", "from the upper hex to the lower one: C4>C5=slope"),
        ("C4>E4=slope", "does not touch C4"),
        ("C4>C5=slop", "did you mean slope"),
        ("C4>E4=paved", "does not touch C4"),
        ("C4>C5=wall", "leads from hex to hex nowhere"),
        ("nonsense=woods", "is neither a hex nor a range"),
        ("C4=woods+", "is nothing that a hex can be"),
    ],
)
def test_what_will_not_do_is_refused(change: str, said: str) -> None:
    with pytest.raises(DataError, match=said) as refused:
        mark(MAP, ["A1=woods", change], "mill.yaml")
    assert change[:80] in str(refused.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(DataError) as refused:
        mark(MAP, ["C99=woods", "C4=wods", "C4"])
    assert len(refused.value.problems) == 3


def test_a_building_is_put_up_once() -> None:
    with pytest.raises(DataError, match="A1 has a building already"):
        mark(MAP, ["A1=stone", "A1=wooden"])


def test_maps_that_cannot_be_changed_by_lines() -> None:
    with pytest.raises(DataError, match="the whole map stands in braces"):
        mark('{"laager": "map/1", "id": "a", "title": "A", "source": "own",'
             '"boards": [{"columns": 5, "rows": 5}]}', ["C4=woods"])  # fmt: skip
    with pytest.raises(DataError, match="is missing"):
        mark("laager: map/1\n", ["C4=woods"])
    twice = MAP.replace("unknown: [", "unknown: &u [").replace("levels:", "features: {bridge: *u}\nlevels:")
    with pytest.raises(DataError):
        mark(twice, ["A1=woods", "A2=grain"])


def test_unknown_hexes_are_listed() -> None:
    found = map_of(MAP)
    assert len(unknown_hexes(found)) == 17
    assert describe_unknown(found) == "the terrain of 17 hexes is not known: A1-A8, B1-B8, E2"
    known = marked("A1-A8,B1-B8,E2=open")
    assert unknown_hexes(known) == ()
    assert describe_unknown(known) == ""
    back = marked("C4=unknown")
    assert "C4" in unknown_hexes(back)


def test_changes_in_a_file() -> None:
    text = "# what we saw\nC4 - C6 = woods\n\nA1, A2 = grain + level:1  # east\nC4 / C5=wall\n"
    assert read_changes(text) == ["C4 - C6=woods", "A1,A2=grain+level:1", "C4/C5=wall"]
    assert marked(*read_changes(text)).hex("A2").level == 1


HEXES = st.sampled_from([f"{c}{r}" for c in "ABCDEF" for r in range(1, 9)])
CHANGES = st.lists(
    st.one_of(
        st.tuples(HEXES, st.sampled_from(TERRAINS)).map("=".join),
        st.tuples(HEXES, st.sampled_from(["level:1", "level:0", "level:-2", "bridge", "ford"])).map("=".join),
    ),
    max_size=12,
)


@tries(80)
@given(CHANGES)
def test_any_changes_hold_and_touch_nothing_else(changes: Sequence[str]) -> None:
    new = mark(MAP, changes)
    before, after = map_of(MAP), map_of(new)
    named = {change.partition("=")[0] for change in changes}
    assert all(before.hex(one) == after.hex(one) for one in before.hexes if one not in named)
    last = {}
    for change in changes:
        name, _, word = change.partition("=")
        if word in TERRAINS:
            last[name] = word
    assert all(after.hex(name).terrain == word for name, word in last.items())
    for comment in ("# A map of ours", "# a title", "# dark", "# a good year", "# the mill"):
        assert comment in new
    assert mark(new, [f"{name}={word}" for name, word in last.items()]) == new


def test_shipped_maps_can_be_marked() -> None:
    packs = Path(__file__).parents[2] / "src" / "laager" / "packs"
    for path in packs.rglob("*-map.yaml"):
        text = path.read_text("utf-8")
        found = map_of(text)
        one = next(name for name in found.hexes if found.hex(name).building is None)
        new = mark(text, [f"{one}=marsh+level:3"])
        after = map_of(new)
        assert (after.hex(one).terrain, after.hex(one).level) == ("marsh", 3)
        assert new.count("#") == text.count("#")
