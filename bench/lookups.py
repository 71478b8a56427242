"""Exact odds of tables, ours and icepool's."""

from __future__ import annotations

from laager.tables import load_packaged

TIMES = 10_000


def our_odds() -> int:
    """Return a checksum of 10,000 tables with their odds."""
    table = load_packaged("laager.rules.platoon_leader", "tables.yaml")["redeployment"]
    return sum(table.odds(i % 7 - 3, "infantry")[0].ways for i in range(TIMES))


def icepool_odds() -> int:
    """Return the same checksum by icepool, with a prebuilt 2d6."""
    import icepool

    table = load_packaged("laager.rules.platoon_leader", "tables.yaml")["redeployment"]
    dice = icepool.d6 + icepool.d6

    def first(drm: int) -> int:
        ways = (dice + drm).map(lambda final: table.result(final, "infantry"))
        return int(ways.quantity(table.rows[0].results["infantry"]))

    return sum(first(i % 7 - 3) for i in range(TIMES))
