"""What can happen in a HASL campaign, beside what happens in campaigns of other systems too."""

from __future__ import annotations

from types import ModuleType

from laager.campaign import Fact
from laager.rules.board import facts as common
from laager.rules.board.hasl.facts.course import (
    Agreed,
    CampaignBegun,
    CampaignEnded,
    ChitsRevealed,
    DateBegun,
    MassacreInvoked,
    MoverDecided,
    PlayEnded,
    RainFell,
    RollTold,
    RoundBegun,
    SanAnnounced,
    ScenarioDetermined,
    ScenarioEnded,
    TalliesOpened,
    WeatherSet,
)
from laager.rules.board.hasl.facts.record import (
    AmmunitionChanged,
    AreasDetermined,
    CppChanged,
    ExhaustionSet,
    FppChanged,
    GroupChanged,
    GroupJoined,
    SnipersPlaced,
    UnitRetained,
)

__all__ = [
    "Agreed",
    "AmmunitionChanged",
    "AreasDetermined",
    "CampaignBegun",
    "CampaignEnded",
    "ChitsRevealed",
    "CppChanged",
    "DateBegun",
    "ExhaustionSet",
    "FppChanged",
    "GroupChanged",
    "GroupJoined",
    "MassacreInvoked",
    "MoverDecided",
    "PlayEnded",
    "RainFell",
    "RollTold",
    "RoundBegun",
    "SanAnnounced",
    "ScenarioDetermined",
    "ScenarioEnded",
    "SnipersPlaced",
    "TalliesOpened",
    "UnitRetained",
    "WeatherSet",
    "all_facts",
]


def facts_of(module: ModuleType) -> dict[str, type[Fact]]:
    """Return the kinds of facts that a module holds, by name."""
    found = (value for value in vars(module).values() if isinstance(value, type))
    return {cls.kind: cls for cls in found if issubclass(cls, Fact) and cls is not Fact}


def all_facts(*own: ModuleType) -> dict[str, type[Fact]]:
    """Return every kind of fact by name: those of all campaigns, of this layer, of `own`."""
    from laager.rules.board.hasl.facts import course, record

    modules = (course, record, *own)
    kinds = facts_of(common)
    for module in modules:
        kinds |= facts_of(module)
    return kinds
