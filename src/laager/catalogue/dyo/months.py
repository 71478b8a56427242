"""When the types of a nation can be had, as far as the house values of Design Your Own know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laager.catalogue.dyo.load import load_dyo, shipped_nations

if TYPE_CHECKING:
    from laager.catalogue.dyo.values import Month, Series
    from laager.catalogue.units import UnitType

DATED_SECTIONS = {"squads": "dates", "guns": "rf", "vehicles": "rf", "support_weapons": "ratio"}
"""The sections of Design Your Own that say when a type can be had, each with the field that does."""


def months_of(nation: str) -> Mapping[str, Series[Any]]:
    """Return the months of a nation's types; those of which nobody knows them are left out."""
    if nation not in shipped_nations("house"):
        return {}
    known = load_dyo(nation, set="house")[nation]
    return {
        entry.key: series
        for section, field in DATED_SECTIONS.items()
        for entry in known.entries_of(section)
        if not (series := getattr(entry, field)).is_unknown
    }


def points_of(nation: str) -> Mapping[str, int]:
    """Return the BPV of a nation's types; those of which nobody knows it are left out."""
    if nation not in shipped_nations("house"):
        return {}
    known = load_dyo(nation, set="house")[nation]
    return {
        entry.key: bpv
        for section in ("squads", "guns", "vehicles")
        for entry in known.entries_of(section)
        if isinstance(bpv := getattr(entry, "bpv", None), int)
    }


def is_had(unit: UnitType, months: Series[Any] | None, month: Month) -> bool:
    """True if a type can be had in a month, or if nobody knows."""
    until = getattr(unit, "until", None)
    if until is not None:
        return str(month) <= str(until)
    return months is None or months.at(month) is not None
