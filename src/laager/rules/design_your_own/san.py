"""SAN: two are free, every further one costs points (H1.29)."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import implements
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning, reading


@implements("DYO H1.29")
def san_cost(san: int) -> Reckoning:
    """Return the points for a SAN: ten for each step above 2."""
    chart = charts().san
    steps = Reckoning.of(san, "SAN", chart.rule).plus(-chart.base, "free", chart.rule)
    return steps.times(chart.price, "points each", chart.rule)


@implements("DYO H1.29")
def san_breach(san: int, *, agreed: int | None = None, chosen: Mapping[str, str] | None = None) -> Breach | None:
    """Say whether a SAN cannot be bought; `agreed` is a highest SAN that the terms name."""
    chart = charts().san
    if san < chart.base:
        what = f"a SAN of {san} is lower than the free one"
        return Breach(Reason.LIMIT, chart.rule, what, f"{chart.base} or more")
    limit = agreed
    if limit is None and reading("san-limit", chosen or {}) != "none":
        limit = chart.highest
    if limit is not None and san > limit:
        return Breach(Reason.LIMIT, chart.rule, f"a SAN of {san} is too high", f"{limit} at most")
    return None
