"""The module's own figures in the form of a card's charts: prices, kinds of scenarios."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.buying.upgrades import Upgrade
from laager.rules.board.hasl.charts import Charts, FortPrice
from laager.rules.edsons_ridge.charts import Fortification, charts

KINDS: Mapping[str, str] = {"trench": "trench-upgrade", "pillbox": "pillbox-upgrade", "hip-set-dc": "set-dc"}
"""What the layer calls lines of the price list, where it is something else."""

UPGRADED: Mapping[str, Upgrade] = {
    "trench-upgrade": Upgrade("foxhole", "trench", old_size="3S"),
    "pillbox-upgrade": Upgrade("trench", "pillbox", new_size="1+3+5"),
}
"""What upgrades are made of and make (ER 1.520 Note a)."""


@implements("ER 1.520 Table", "ER 1.520 Note a", "ER 1.520 Note d", "ER 1.520 Note e")
def price_list(*, pillbox_isolated: bool = True) -> tuple[FortPrice, ...]:
    """Return the price list of the rules; upgrades are for the U.S. alone."""
    found = []
    for row in charts().fortifications.rows:
        for size, cost in _prices(row):
            kind = KINDS.get(row.type, row.type)
            found.append(
                FortPrice(
                    kind=kind,
                    size=size,
                    cost=cost,
                    sides=(ALLIED,) if kind in UPGRADED else (),
                    isolated=_isolated(row, pillbox_isolated),
                    notes=row.name,
                )
            )
    return tuple(found)


def _prices(row: Fortification) -> tuple[tuple[str, int], ...]:
    return tuple(row.prices.items()) or (("", row.price or 0),)


def _isolated(row: Fortification, pillbox: bool) -> bool:
    return "e" not in row.notes and (pillbox or row.type != "pillbox")


def with_prices(own: Charts, *, pillbox_isolated: bool = True) -> Charts:
    """Return a card's charts, with the price list of the rules if they have none of their own."""
    if own.fortifications is not None:
        return own
    listed = price_list(pillbox_isolated=pillbox_isolated)
    return own.model_copy(update={"fortifications": listed})
