"""What can happen in a Platoon Leader campaign. Each fact knows what it does to the state.

Facts about a unit go to those who may know the unit (`unit.audience`); facts about a side's points
and purchases go to that side alone, unless the rules make them public.
"""

from __future__ import annotations

from laager.rules.platoon_leader.facts.board import CrestTaken, FrontDrawn
from laager.rules.platoon_leader.facts.course import (
    Agreed,
    CampaignBegun,
    CampaignEnded,
    FirefightCompleted,
    FirefightWon,
    MassacreInvoked,
    PlayEnded,
    RoundBegun,
    UnitsExited,
    WeatherSet,
)
from laager.rules.platoon_leader.facts.record import (
    AttackOptionTaken,
    CpChanged,
    FirefightDetermined,
    FpChanged,
    GroupChanged,
    GroupJoined,
    MoverDecided,
    PatrolsChanged,
    TvpAwarded,
)

__all__ = [
    "Agreed",
    "AttackOptionTaken",
    "CampaignBegun",
    "CampaignEnded",
    "CpChanged",
    "CrestTaken",
    "FirefightCompleted",
    "FirefightDetermined",
    "FirefightWon",
    "FpChanged",
    "FrontDrawn",
    "GroupChanged",
    "GroupJoined",
    "MassacreInvoked",
    "MoverDecided",
    "PatrolsChanged",
    "PlayEnded",
    "RoundBegun",
    "TvpAwarded",
    "UnitsExited",
    "WeatherSet",
]
