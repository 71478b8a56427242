"""Theatres of war: one list, and one comparison for all rules that ask for the theatre.

Terms and catalogues write a theatre as they like; a word that is not listed is one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

NW_EUROPE, BURMA, NORWAY = "nw-europe", "burma", "norway"

THEATRES: Mapping[str, tuple[str, ...]] = {
    NW_EUROPE: ("northwest-europe", "north-west-europe", "north-western-europe", "normandy"),
    "eastern-front": ("east-front", "ostfront", "russia", "russian-front"),
    "mediterranean": ("mto", "italy", "sicily"),
    "north-africa": ("dto", "desert", "africa"),
    NORWAY: ("norwegen",),
    BURMA: ("birma", "cbi", "burma-theatre"),
    "pacific": ("pto",),
    "china": (),
    "korea": ("kto",),
}
"""The theatres by their ids, with what else they are called."""

EUROPE = ("eto", "europe")
"""Words for the whole of Europe: each of its theatres can be meant."""

_EUROPEAN = (NW_EUROPE, NORWAY, "eastern-front")
_IDS = {word: id_ for id_, words in THEATRES.items() for word in (id_, *words)}


def theatre_id(text: str) -> str:
    """Return the id of a theatre, however it is written: NW Europe, North-West Europe."""
    slug = re.sub(r"[^\w]+", "-", text.casefold()).strip("-_").replace("_", "-")
    return _IDS.get(slug, slug)


def in_theatre(place: str, theatre: str) -> bool:
    """Whether a scenario in `place` can be in a theatre."""
    one, other = theatre_id(place), theatre_id(theatre)
    return one == other or (one in EUROPE and other in _EUROPEAN)


def is_theatre(place: str, theatre: str) -> bool:
    """Whether a scenario in `place` is in a theatre for certain."""
    return theatre_id(place) == theatre_id(theatre)
