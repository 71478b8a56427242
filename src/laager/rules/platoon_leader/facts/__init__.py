"""What can happen in a Platoon Leader campaign. Each fact knows what it does to the state.

Facts about a unit go to those who may know the unit (`unit.audience`); facts about a side's points
and purchases go to that side alone, unless the rules make them public.
"""

from __future__ import annotations

from laager.campaign.facts import Fact
from laager.rules.platoon_leader.facts.board import (
    ControlChanged,
    CrestTaken,
    FireChanged,
    FortGone,
    FortJoined,
    FrontDrawn,
    TerrainChanged,
)
from laager.rules.platoon_leader.facts.course import (
    Agreed,
    CampaignBegun,
    CampaignEnded,
    FirefightCompleted,
    FirefightWon,
    MassacreInvoked,
    Noted,
    PlayEnded,
    RoundBegun,
    WeatherSet,
)
from laager.rules.platoon_leader.facts.record import (
    AttackOptionTaken,
    CpChanged,
    CvpScored,
    ElrChanged,
    FirefightDetermined,
    FpChanged,
    GroupChanged,
    GroupJoined,
    MoverDecided,
    PatrolsChanged,
    SanChanged,
    TvpAwarded,
)
from laager.rules.platoon_leader.facts.units import (
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
    "Agreed",
    "AttackOptionTaken",
    "CampaignBegun",
    "CampaignEnded",
    "ControlChanged",
    "CpChanged",
    "CrestTaken",
    "CvpScored",
    "ElrChanged",
    "FireChanged",
    "FirefightCompleted",
    "FirefightDetermined",
    "FirefightWon",
    "FortGone",
    "FortJoined",
    "FpChanged",
    "FrontDrawn",
    "GroupChanged",
    "GroupJoined",
    "MassacreInvoked",
    "MoverDecided",
    "Noted",
    "PatrolsChanged",
    "PlayEnded",
    "RoundBegun",
    "SanChanged",
    "TerrainChanged",
    "TvpAwarded",
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
    "WeatherSet",
    "all_facts",
]


def all_facts() -> dict[str, type[Fact]]:
    """Return every kind of fact of this ruleset by name."""
    here = [cls for cls in globals().values() if isinstance(cls, type) and issubclass(cls, Fact)]
    return {cls.kind: cls for cls in here if cls is not Fact}
