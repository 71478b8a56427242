"""SW: one of a type for so many Equivalents (H1.83)."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import implements
from laager.rules.design_your_own.reckoning import Reckoning, Unknown, reading


@implements("DYO H1.83", "DYO H1.11")
def sw_allotment(
    equivalents: int,
    ratio: int | None,
    counters: int | None = None,
    *,
    name: str = "SW",
    extra_pieces: bool = False,
    chosen: Mapping[str, str] | None = None,
) -> Reckoning | Unknown:
    """Return how many SW of a type an OB gets: Equivalents by the ratio of the chart (FRD).

    FT and DC count the Equivalents of Assault Engineers. More than one game has are not received,
    unless extra pieces were agreed on; `counters` None sets no limit.
    """
    if ratio is None:
        return Unknown(f"the ratio of {name}", "DYO H1.83")
    found = Reckoning.of(equivalents, "Equivalents", "DYO H1.83").over(ratio, f"for each {name}")
    found = found.frd("DYO H1.83")
    limited = not extra_pieces and reading("free-pieces", chosen or {}) == "limited"
    if counters is None or not limited:
        return found
    return found.at_most(counters, "counters", "DYO H1.11")
