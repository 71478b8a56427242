"""Reinforcement groups and areas, as the record sheets of a HASL campaign hold them."""

from __future__ import annotations

from enum import StrEnum

from laager.rules.board.units import GroupLine, Item


class Arrival(StrEnum):
    """How a group comes into play on its date of purchase."""

    ON_MAP = "on-map"
    ENTER = "enter"
    RESERVE = "reserve"


class Strength(StrEnum):
    """Whether a group was received completely."""

    FULL = "F"
    DEPLETED = "D"


class Group(GroupLine):
    """A reinforcement group as bought or given.

    `kind` and `name` are its type and Group Type. `date` is the number of the CG Date for which it came. `area` is
    the Setup Area or the arrow hex of the Entry Area recorded for it. `units` and `sw` count what
    came of each type. An OBA module has its Draw Pile (`black`, `red`), what directs it
    (`equipment`: radio, phone, observer), and whether it was `in_play` and fired (`used`) in the
    last scenario.
    """

    kind: str = ""
    name: str = ""
    date: int
    cost: int = 0
    given: bool = False
    arrival: Arrival | None = None
    area: str = ""
    strength: Strength | None = None
    units: dict[str, int] = {}
    sw: dict[str, int] = {}
    leader: str = ""
    """Its leaders as they came (`9-1`, `10-2, 9-1`), or the word that the table has instead."""
    named: tuple[str, ...] | None = None
    """Leaders that the OB names for it; None: they are rolled for."""
    objective: str = ""
    black: int = 0
    red: int = 0
    equipment: str = ""
    holder: str = ""
    """Who has its radio or phone in the present scenario."""
    security: tuple[str, ...] = ()
    """The Security Area of its phone: hexes from the phone to the map edge."""
    pre_registered: tuple[str, ...] = ()
    in_play: bool = False
    used: bool = False
    placed: bool = False
    """Whether what it buys (an FPF Barrage, a Bombardment) has been placed."""
    lost: str = ""
    """Why the group as such is no longer there; empty while it is Retained."""


class Area(Item):
    """A Setup Area as determined: a Controlled Block, or an area that the players listed."""

    name: str
    side: str
    hexes: tuple[str, ...]
    isolated: bool = False
