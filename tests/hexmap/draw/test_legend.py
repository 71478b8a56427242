from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap.draw import Layers, UnitMark, draw_svg, legend_texts
from laager.hexmap.draw.legend import LegendItem, LegendSection, columns, columns_across
from tests.hexmap.draw.reading import parsed, texts
from tests.hexmap.draw.sample import made, sample_map
from tests.tries import tries

SECTIONS = st.lists(st.integers(1, 30), min_size=1, max_size=5).map(
    lambda sizes: [
        LegendSection(f"s{i}", tuple(LegendItem("", f"{i}/{k}") for k in range(size))) for i, size in enumerate(sizes)
    ]
)


def labels(found: list[list[LegendSection]]) -> list[str]:
    return [item.label for column in found for section in column for item in section.items]


@tries(80)
@given(SECTIONS, st.integers(120, 1500))
def test_columns_hold_everything_in_order_and_no_more_than_fits(found: list[LegendSection], height: int) -> None:
    placed = columns(found, height)
    assert labels(placed) == labels([found])
    assert [one.heading for column in placed for one in column if one.heading] == [section.heading for section in found]
    for column in placed:
        assert column
        assert sum(section.height for section in column) <= height


@tries(80)
@given(SECTIONS, st.integers(1, 8))
def test_a_legend_below_the_map_keeps_to_its_breadth(found: list[LegendSection], across: int) -> None:
    placed = columns_across(found, across)
    assert len(placed) <= across
    assert labels(placed) == labels([found])


def test_the_legend_lists_only_what_is_on_the_map() -> None:
    map_ = made(
        terrain={"woods": ["B2"]},
        also={"brush": ["C3"]},
        levels={"1": ["D3"]},
        buildings=[{"material": "stone", "hexes": ["A4"]}],
        roads=[{"kind": "path", "along": ["A1", "A2"]}],
        hexsides={"hedge": ["C3/C4"]},
        features={"ford": ["E5"]},
    )
    assert texts(draw_svg(map_), "layer-legend") == [
        *("Ground", "Level 0", "Level 1", "Open ground", "Brush", "Woods"),
        *("Roads and water", "Path", "Ford"),
        *("Buildings and hexsides", "Stone building", "Hedge"),
    ]


def test_a_river_is_explained_once() -> None:
    course = [{"kind": "river", "along": ["C3", "C4"]}]
    for map_ in (made(watercourses=course), made(watercourses=course, terrain={"river": ["C3"]})):
        assert texts(draw_svg(map_), "layer-legend").count("River") == 1


def test_a_bare_map_has_a_bare_legend() -> None:
    assert texts(draw_svg(made()), "layer-legend") == ["Ground", "Open ground"]


def test_levels_below_the_lowest_tint_are_still_drawn() -> None:
    svg = draw_svg(made(levels={"-5": ["B2"], "12": ["D3"]}))
    assert {"Level −5", "Level 0", "Level 12"} <= set(texts(svg, "layer-legend"))


def test_the_legend_stands_beside_a_high_map_and_below_a_broad_one() -> None:
    def shape(columns: int, rows: int) -> tuple[float, float]:
        map_ = made([{"columns": columns, "rows": rows}])
        sizes = []
        for legend in (True, False):
            root = parsed(draw_svg(map_, Layers(legend=legend)))
            sizes.append((float(root.attrib["width"]), float(root.attrib["height"])))
        return sizes[0][0] - sizes[1][0], sizes[0][1] - sizes[1][1]

    wider, higher = shape(12, 10)
    assert wider > 0
    assert higher == 0
    wider, higher = shape(20, 6)
    assert wider == 0
    assert higher > 0


def test_a_legend_is_in_the_readers_words_and_keeps_names_and_numbers() -> None:
    words = {text: text.upper().replace("{SIDE}", "{side}").replace("{N}", "{n}") for text in legend_texts()}
    mine = [UnitMark("C3", "axis", "4-6-7")]
    for map_ in (sample_map(), made()):
        plain, said = (
            texts(draw_svg(map_, Layers(sides={"axis": "Deutsche: Garde"}, units=mine, words=known)), "layer-legend")
            for known in ({}, words)
        )
        assert [text.upper() for text in plain] == [text.upper() for text in said]
        assert "UNITS: Deutsche: Garde" in said
        rest = [text for text in said if text != text.upper() and "Deutsche" not in text]
        assert not rest, "legend_texts doesn't list these"
