"""The chart beside the cart: what a group contains, and what one cost last time, where it is bought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.campaign import Sheet

CHART, BOUGHT = "chart", "purchases"
"""The sheets that say what can be bought, and what was bought before."""
_CONTENTS = ("Units", "Full / Depleted", "SW")
_PRICES = ("CP", "CPP")


@dataclass(frozen=True)
class Goods:
    """What one group is made of, and what the last one cost ("": none was bought)."""

    contents: str
    last: str = ""


def goods(sheets: Sequence[Sheet]) -> Mapping[str, Goods]:
    """Return what the chart says of each group, by the group's key; nothing if there is no chart among the sheets."""
    last = {}
    for sheet in sheets:
        if sheet.id == BOUGHT:
            last = _last_prices(sheet)
    return {row[0]: Goods(_contents(sheet, row), last.get(row[0], ""))
            for sheet in sheets if sheet.id == CHART for row in sheet.rows}  # fmt: skip


def without_chart(sheets: Sequence[Sheet]) -> Sequence[Sheet]:
    """Return the sheets that say more than the cart does."""
    return [sheet for sheet in sheets if sheet.id != CHART]


def _contents(sheet: Sheet, row: Sequence[str]) -> str:
    titles = [column.title for column in sheet.columns]
    return "; ".join(row[titles.index(title)] for title in _CONTENTS if title in titles and row[titles.index(title)])


def _last_prices(sheet: Sheet) -> dict[str, str]:
    """Return the last price that was paid for each group: the record has a line `I1/2` for the second I1."""
    titles = [column.title for column in sheet.columns]
    name = next((i for i, title in enumerate(titles) if title.endswith("ID")), None)
    price = next((i for i, title in enumerate(titles) if title in _PRICES), None)
    if name is None or price is None:
        return {}
    paid = [(row[name].rpartition("/")[0], row[price]) for row in sheet.rows]
    return {key: f"{cost} {titles[price]}" for key, cost in paid if key and cost}
