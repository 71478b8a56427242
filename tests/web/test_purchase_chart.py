"""What the chart says of a group stands beside the button that buys it."""

from __future__ import annotations

from laager.campaign import Column, Sheet
from laager.web.play.asking.checks import Goods, goods_of, without_chart


def _sheet(id_: str, titles: list[str], *rows: tuple[str, ...]) -> Sheet:
    return Sheet(id_, id_, tuple(Column(title) for title in titles), rows)


def test_a_group_is_shown_with_its_units_and_its_last_price() -> None:
    chart = _sheet("chart", ["RG", "Full / Depleted", "SW"], ("I1", "3 x 4-6-7", "LMG"), ("A-B", "PzIVH", ""))
    record = _sheet("purchases", ["CG Date", "RG ID", "CPP"],
                    ("1", "I1/1", "4"), ("2", "I1/2", "5"), ("2", "A-B/1", ""))  # fmt: skip
    assert goods_of([chart, record]) == {"I1": Goods("3 x 4-6-7; LMG", "5 CPP"), "A-B": Goods("PzIVH")}
    assert without_chart([chart, record]) == [record]
    assert goods_of([record]) == {}
