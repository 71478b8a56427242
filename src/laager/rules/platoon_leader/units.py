"""Reinforcement groups, as the RG Purchase Record holds them."""

from __future__ import annotations

from laager.rules.board.units import GroupLine
from laager.rules.platoon_leader.card.card import Setup


class Group(GroupLine):
    """A reinforcement group as bought or given.

    `firefight` is that for which it was bought; `ammunition` and `equipment` are an OBA module's (PL 2.351, CG4).
    """

    firefight: int
    setup: Setup
    cost: int
    given: bool = False
    dummies: int = 0
    ammunition: str = ""
    equipment: str = ""
    pre_registered: str = ""
    """The hex pre-registered for an OBA module; kept until the module is used (PL 1.4 Used OBA)."""
    usable: bool = True
    used: bool = False
    lost: str = ""
    """Why the group as such is no longer there (used OBA, lost air support); empty while it is."""
    may_set_up: bool = False
    """Whether it may set up on map next time whatever it paid: held off map a whole firefight, or
    bought for an Idle one (PL 2.32)."""
