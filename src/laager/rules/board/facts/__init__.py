"""Facts that campaigns of several rule systems have in common.

Facts about a unit go to those who may know the unit (`unit.audience`).
"""

from __future__ import annotations

from laager.rules.board.facts.board import ControlChanged, FireChanged, FortGone, FortJoined, TerrainChanged
from laager.rules.board.facts.record import CvpScored, ElrChanged, Noted, SanChanged
from laager.rules.board.facts.units import (
    UnitAttached,
    UnitChanged,
    UnitFought,
    UnitGone,
    UnitHidden,
    UnitJoined,
    UnitMarked,
    UnitMoved,
    UnitNamed,
    UnitRevealed,
)

__all__ = [
    "ControlChanged",
    "CvpScored",
    "ElrChanged",
    "FireChanged",
    "FortGone",
    "FortJoined",
    "Noted",
    "SanChanged",
    "TerrainChanged",
    "UnitAttached",
    "UnitChanged",
    "UnitFought",
    "UnitGone",
    "UnitHidden",
    "UnitJoined",
    "UnitMarked",
    "UnitMoved",
    "UnitNamed",
    "UnitRevealed",
]
