"""Tables and charts against a second copy of the figures, written in another way."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files

import jsonschema
import pytest
from pydantic import ValidationError

from laager.base import RefusedError
from laager.base.files import parse_document
from laager.catalogue.dyo import Month
from laager.dice import Dice
from laager.rules.design_your_own.answers import PACKAGE, Calculation
from laager.rules.design_your_own.charts import (
    CapabilityRow,
    DyoCharts,
    ElrChart,
    FortificationPrice,
    column,
    printed_charts,
)
from laager.rules.design_your_own.lines import bonus, fittings, oba
from laager.rules.design_your_own.lines.fittings import Fitting
from laager.rules.design_your_own.nations import Group, leader_column
from tests.design_your_own.rules.printed import PRINTED

FINALS = range(-10, 25)

RF = {2: "1.6", 3: "1.5", 4: "1.4", 5: "1.3", 6: "1.2", 7: "1.1", 8: "1.0", 9: "0.9", 10: "0.9",
      11: "1.0", 12: "0.9"}  # fmt: skip
ARMOR = {2: "10-2", 3: "9-2", 4: "9-1", 5: "8-1"}
EXCHANGE = {
    "general": "10-3 10-2 9-2 9-1 8-1 8-1 8-0 8-0 - - 6+1",
    "finn": "10-1 10-0 9-1 9-0 8-0 8-0 - - - - -",
    "japanese": "10-2 10-2 10-1 10-1 10-0 9-1 9-1 9-0 9-1 - 8+1",
}

ELR = """
german        -  -  3  3  4  4  4  4  4  3  3  2
russian       -  -  2  2  2  2  3  3  3  3  4  4
american      -  -  -  -  2  2  3  3  4  3  3  4
british       -  -  3  3  3  3  4  4  4  4  4  3
italian       -  -  1  1  2  2  2  1  0  1  1  1
japanese      3  3  3  4  4  4  4  4  4  41 41 42
gmd           23 13 13 13 13 13 13 13 13 2  24 24
french        -  -  25 3  3  2  2  3  3  3  3  3
"""
ELR_COLUMNS = """
1938-12 1939-08 1940-12 1941-06 1941-12 1942-06 1942-12 1943-06 1943-12 1944-06 1944-12 1945-12
"""

ARMOR_DRM = """
german        -  2  1  0  -1 -1 -1 0
russian       -  3  3  2  1  0  0  -1
british       -  -  2  1  0  -1 -1 -1
american      -  -  -  3  3  1  -1 -1
italian       -  3  3  2  1  1  0  0
french        -  -  2  2  2  -  -  -
allied-minor  -  3  3  3  -  -  -  -
axis-minor    -  -  -  2  1  1  0  0
japanese      2  2  2  2  1  1  0  0
gmd           3  3  3  3  3  3  23 1
"""

AIR = """
german    -   -   75  6*5 5*4 4*3 3*3 2*3
russian   -   -   43  33  43  54  65  75
american  -   -   -   21  42  53  64  75
british   -   -   41  41  52  53  64  75
italian   -   -   41  42  42  32  -   -
japanese  54  54  54  54  54  44  33  23
french    -   -   41  4   4   -   -   -
gmd       52  42  31  21  31  31  42  53
"""

FORTIFICATIONS = {
    "foxhole-1": 1, "foxhole-2": 2, "foxhole-3": 3, "trench": 7, "at-trench": 21, "minefield": 1,
    "at-mine": 3, "roadblock": 12, "wire": 5, "fortified-building": 25, "tunnel": 25,
    "hip-squad": 4, "hip-half-squad": 3, "hip-smc": 2, "concealment": 2, "booby-traps-c": 10,
    "booby-traps-b": 20, "booby-traps-a": 30, "sangar": Fraction(1, 2), "trip-flares": 1,
    "panji": 2, "tetrahedron": 3, "udt": 3, "recon": 10, "ammo-dump": 25,
    "pillbox": None, "cave": None,
}  # fmt: skip


def rows(text: str) -> dict[Group, list[str]]:
    return {Group(name): cells for name, *cells in map(str.split, text.strip().splitlines())}


def clamped(final: int) -> int:
    return min(max(final, 2), 12)


def test_availability_and_exchange() -> None:
    tables = PRINTED.tables
    assert list(tables) == ["availability", "sz-gyro", "leader-exchange"]
    for final in FINALS:
        dr = clamped(final)
        assert tables["availability"].result(final, "rf") == RF[dr]
        assert tables["availability"].result(final, "armor-leader") == ARMOR.get(dr)
        for name, cells in EXCHANGE.items():
            found = tables["leader-exchange"].result(final, name)
            assert (found or "-") == cells.split()[dr - 2]
    assert [table.dice for table in tables.values()] == [Dice.DR, Dice.dr, Dice.DR]
    assert tables["availability"].words("0.9") == "RF 0.9"


NEVER = -99
HIGHEST = {
    "1942": (NEVER, 1), "1943-jan-jun": (NEVER, 2), "1943-jul-sep": (1, 2), "1943-oct-dec": (2, 2),
    "1944-jan-mar": (3, 3), "1944-apr-jun": (4, 4), "1944-jul-dec": (5, 5), "1945": (5, 5),
}  # fmt: skip
"""The highest dr for Sz and for G."""


def test_fittings() -> None:
    table = PRINTED.tables["sz-gyro"]
    assert list(table.columns) == list(HIGHEST)
    assert [name for _, name in fittings.COLUMNS if name] == list(HIGHEST)
    for name, (sz, gyro) in HIGHEST.items():
        for final in FINALS:
            assert (table.result(final, name) == "both") is (final <= sz), (name, final)
            assert (table.result(final, name) is not None) is (final <= max(sz, gyro))


def test_every_month_has_its_column_of_fittings() -> None:
    found = [fittings.column_of(Month(year, month)) for year in range(1937, 1946) for month in range(1, 13)]
    assert found == (
        [None] * 60 + ["1942"] * 12 + ["1943-jan-jun"] * 6 + ["1943-jul-sep"] * 3
        + ["1943-oct-dec"] * 3 + ["1944-jan-mar"] * 3 + ["1944-apr-jun"] * 3
        + ["1944-jul-dec"] * 6 + ["1945"] * 12
    )  # fmt: skip
    assert not fittings.fitting_result(PRINTED, Fitting.GYRO, Month(1941, 12), 1).received


def test_elr_chart() -> None:
    chart = printed_charts().elr
    assert [str(period.to) for period in chart.periods] == ELR_COLUMNS.split()
    assert set(chart.rows) == set(rows(ELR))
    for group, cells in rows(ELR).items():
        for cell, printed in zip(chart.rows[group], cells, strict=True):
            assert (f"{cell.number}{cell.note}" if cell else "-") == printed


def test_every_month_has_its_elr() -> None:
    columns = [Month.of(text) for text in ELR_COLUMNS.split()]
    for group, cells in rows(ELR).items():
        for year in range(1937, 1946):
            for month in range(1, 13):
                at = Month(year, month)
                printed = next(cell for last, cell in zip(columns, cells, strict=True) if at <= last)
                found = bonus.chart_elr(PRINTED, group, at, majority_elite=False)
                if printed == "-":
                    assert not found
                elif isinstance(found, Calculation):
                    assert int(found) == int(printed[0])
                else:
                    assert printed[1:] in ("2", "4")
                    assert found.suggestion == int(printed[0])


def test_armor_leader_drm() -> None:
    chart = printed_charts().armor_leaders
    assert set(chart.rows) == set(rows(ARMOR_DRM))
    for group, cells in rows(ARMOR_DRM).items():
        for year, printed in zip(range(1938, 1946), cells, strict=True):
            cell = chart.cell(group, year)
            assert (f"{cell.number}{cell.note}" if cell else "-") == printed
            if group is not Group.ALLIED_MINOR or year <= 1941:
                drm = fittings.armor_leader_drm(PRINTED, group, year)
                assert (drm is None) is (printed == "-")
        assert chart.cell(group, 1937) == chart.cell(group, 1938)


def test_air_support_numbers() -> None:
    chart = printed_charts().air
    years = (1937, 1938, 1939, 1941, 1942, 1943, 1944, 1945)
    assert set(chart.rows) == set(rows(AIR))
    for group, cells in rows(AIR).items():
        for year, printed in zip(years, cells, strict=True):
            cell = chart.cell(group, year)
            assert chart.cell(group, 1940) == chart.cell(group, 1939)
            shown = f"{cell.number}{cell.note}{cell.exponent or ''}" if cell else "-"
            assert shown == printed
            assert (oba.air_number(PRINTED, group, year) is None) is (printed == "-")


def test_columns_are_named_by_their_last_year() -> None:
    for columns in (printed_charts().armor_leaders.years, printed_charts().air.years):
        assert all(each.name.endswith(str(each.to)[-2:]) for each in columns)


def test_fortification_list() -> None:
    found = {row.type: row.bpv for row in printed_charts().fortifications.rows}
    assert found == FORTIFICATIONS
    with pytest.raises(RefusedError, match="did you mean trench"):
        printed_charts().fortifications.row("trenches")


def test_capabilities() -> None:
    found = {row.mark: (row.factor, row.adds) for row in printed_charts().capabilities.rows}
    assert found == {
        "A": (2, None), "S": (Fraction(3, 2), None), "C": (Fraction(3, 2), None),
        "M": (None, 1), "Sk": (None, 2), "W": (None, 1), "P": (None, 2),
    }  # fmt: skip


def test_a_year_beyond_the_last_column_has_none() -> None:
    assert column(printed_charts().air.years, 1946) is None
    assert column(printed_charts().elr.periods, Month(1946, 1)) is None
    assert not bonus.chart_elr(PRINTED, Group.GERMAN, Month(1946, 1))
    assert fittings.armor_leader_drm(PRINTED, Group.GERMAN, 1946) is None
    assert oba.air_price(PRINTED, 1946) is None


def test_broken_charts_are_refused() -> None:
    plain = printed_charts().elr.model_dump()
    rows_ = {**plain["rows"], Group.GERMAN: (3,)}
    with pytest.raises(ValidationError, match="german has 1 cell, and the chart has 12 columns"):
        ElrChart.model_validate({**plain, "rows": rows_})
    with pytest.raises(ValidationError, match="wire needs one price"):
        FortificationPrice.model_validate({"type": "wire", "name": "Wire"})
    with pytest.raises(ValidationError, match="is not a number"):
        CapabilityRow.model_validate({"id": "x", "name": "x", "mark": "X", "factor": "many", "rule": "DYO H1.26"})
    armor = printed_charts().armor_leaders.model_dump()
    with pytest.raises(ValidationError, match="german has 1 cell, and the chart has 8 columns"):
        type(printed_charts().armor_leaders).model_validate({**armor, "rows": {"german": [None]}})
    with pytest.raises(ValidationError):
        ElrChart.model_validate({**plain, "rows": {**plain["rows"], Group.GERMAN: ("x",) * 12}})


def test_the_schema_of_the_charts_accepts_them() -> None:
    schema = DyoCharts.model_json_schema(by_alias=True)
    text = files(PACKAGE).joinpath("charts.yaml").read_text(encoding="utf-8")
    plain = parse_document(text, "charts.yaml").data
    jsonschema.validate(plain, schema)
    plain["elr"]["rows"]["german"][2] = "three"
    with pytest.raises(jsonschema.ValidationError, match="three"):
        jsonschema.validate(plain, schema)


def test_columns_of_leaders() -> None:
    assert {group: leader_column(group).value for group in Group if leader_column(group) != "general"} == {
        Group.FINNISH: "finn",
        Group.JAPANESE: "japanese",
    }
    assert [group.words for group in (Group.GMD, Group.AMERICAN, Group.RED_CHINESE)] == [
        "G.M.D.", "U.S.", "Red Chinese",
    ]  # fmt: skip
