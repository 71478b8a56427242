"""Units and SW as players write them: `3 x 4-6-7, LMG`."""

from __future__ import annotations

import re
from collections.abc import Collection

from laager.base import did_you_mean
from laager.catalogue import Kind as UnitKind
from laager.catalogue import Nation

_COUNTED = re.compile(r"([1-9][0-9]?)\s*(?:x\s*|\s)(.+)", re.IGNORECASE)

SW_KINDS = frozenset({UnitKind.SW, UnitKind.GUN})
"""What players can list as SW: a mortar is a Gun in some nations."""
UNIT_KINDS = frozenset(UnitKind) - {UnitKind.SW}


def counts_of(text: str, nation: Nation, kinds: Collection[UnitKind]) -> dict[str, int]:
    """Return how many of each type a text lists. What it can't read is left out."""
    return _read(text, nation, kinds)[0]


def count_faults(text: str, nation: Nation, kinds: Collection[UnitKind]) -> list[tuple[str, str]]:
    """Return what is wrong with such a text: each fault, and what would be right."""
    return _read(text, nation, kinds)[1]


def _read(text: str, nation: Nation, kinds: Collection[UnitKind]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    known = [name for kind in UnitKind if kind in kinds for name in nation.types(kind)]
    counts: dict[str, int] = {}
    faults = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            continue
        # Some types begin with a number themselves (88 ART): those are no counts.
        matched = None if part in known else _COUNTED.fullmatch(part)
        count, type_ = (int(matched[1]), matched[2]) if matched else (1, part)
        if type_ in known:
            counts[type_] = counts.get(type_, 0) + count
        else:
            faults.append((f"{nation.name} has no {type_!r} here", did_you_mean(type_, known)))
    return counts, faults
