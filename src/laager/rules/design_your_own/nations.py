"""Groups of nations as the charts of chapter H tell them apart, and theatres of war."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from laager.campaign import implements
from laager.catalogue.dyo import DyoNation
from laager.catalogue.kinds import Column


class Group(StrEnum):
    """What a nation counts as in the charts; each nation of a catalogue has one."""

    GERMAN = "german"
    RUSSIAN = "russian"
    AMERICAN = "american"
    BRITISH = "british"
    """With the Commonwealth and those of conquered countries who fight with British support."""
    ITALIAN = "italian"
    JAPANESE = "japanese"
    GMD = "gmd"
    RED_CHINESE = "red-chinese"
    FRENCH = "french"
    """France up to its fall, and Vichy."""
    FREE_FRENCH = "free-french"
    FINNISH = "finnish"
    AXIS_MINOR = "axis-minor"
    ALLIED_MINOR = "allied-minor"

    @property
    def chinese(self) -> bool:
        """True if they are Chinese of either party."""
        return self in (Group.GMD, Group.RED_CHINESE)

    @property
    def words(self) -> str:
        """What players call them."""
        return _NAMES.get(self, self.value.replace("-", " ").title())


_NAMES = {Group.GMD: "G.M.D.", Group.AMERICAN: "U.S."}


RowName = Literal["elr_row", "armor_leader_row", "air_row"]
"""The fields of a catalogue that name the row of a chart."""


@implements("DYO H1.28-T", "DYO H1.43-T", "DYO H1.531-T")
def row_of(nation: DyoNation, chart: RowName) -> Group | None:
    """Return the row of a chart that a catalogue names, else that of the nation's group (H1.28-T).

    None if the catalogue says that there is none.
    """
    named = getattr(nation.line, chart)
    if named is None:
        return None
    return Group(named if isinstance(named, str) else nation.group)


@implements("DYO H1.82-nFinn", "DYO H1.82-nJapanese")
def leader_column(group: Group) -> Column:
    """Return the column of the Leader Exchange Table (H1.82-nFinn)."""
    return {Group.FINNISH: Column.FINN, Group.JAPANESE: Column.JAPANESE}.get(group, Column.GENERAL)


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
    """True if a scenario in `place` can be in a theatre."""
    place_id, other = theatre_id(place), theatre_id(theatre)
    return place_id == other or (place_id in EUROPE and other in _EUROPEAN)


def is_theatre(place: str, theatre: str) -> bool:
    """True if a scenario in `place` is in a theatre for certain."""
    return theatre_id(place) == theatre_id(theatre)
