"""What the cards of all campaigns have: two sides, parts that are checked, texts for players."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

AXIS = "axis"
ALLIED = "allied"
SIDES = (AXIS, ALLIED)

SideId = Literal["axis", "allied"]


def other(side: str) -> str:
    """Return the opposing side."""
    return ALLIED if side == AXIS else AXIS


class Part(BaseModel):
    """Base of all parts of a card: immutable, and no unknown names."""

    # Built when first needed: most commands read no card.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class UnitLine(Part):
    """So many units of one type in a group. `type` is a name of the catalogue."""

    type: str
    count: int = Field(default=1, ge=1, le=40)
    engineers: bool = False
    """Whether these squads are Assault Engineers (PL 3.52)."""


class Balance(Part):
    """A balance provision: the players can agree on it at the start (PL 1.3)."""

    id: str
    side: SideId
    text: str
    cp: int = 0
    san: int = 0
    elr: int = 0


class About(Part):
    """What players read before they choose the campaign."""

    history: str
    play: str = ""
    length: str = ""
    designer_notes: str = ""
