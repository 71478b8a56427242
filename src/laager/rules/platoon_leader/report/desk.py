"""What a battle report is checked with: whose it is, and what it makes of each unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from laager.rules.board.report import desk
from laager.rules.platoon_leader.context import Cg


@dataclass(frozen=True)
class Desk(desk.Desk):
    """What a report is checked with: the campaign, whose report, what it makes of each unit."""

    fixed_rule: ClassVar[str] = "PL CG3"
    left_rule: ClassVar[str] = "PL CG8"
    left_advice: ClassVar[str] = "if it left by a Friendly Map Edge its fate is exited"

    cg: Cg
