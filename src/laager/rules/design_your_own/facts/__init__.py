"""What can happen in a purchase. Each fact knows what it does to the state.

All that a side buys, and the dice for it, is for that side alone until its Roster is shown.
"""

from __future__ import annotations

from laager.campaign import Fact
from laager.rules.design_your_own.facts.allotments import (
    BonusDue,
    ElrAnnounced,
    EquivalencyReckoned,
    LeadersSettled,
    ReinforcementShareTaken,
    ReinforcementsNamed,
    SwAllotted,
)
from laager.rules.design_your_own.facts.course import (
    CategoryClosed,
    PurchaseEnded,
    RosterShown,
    ValuesGiven,
    WeatherAgreed,
)
from laager.rules.design_your_own.facts.purchases import (
    AirSupportSettled,
    ArmamentSettled,
    ArmorLeaderSettled,
    AvailabilityRolled,
    BatterySettled,
    FittingsSettled,
    GunsBought,
    InfantryBought,
    MotorizedPaid,
    OpTankTaken,
    SanBought,
    VehiclesBought,
    WorksBought,
)

__all__ = [
    "AirSupportSettled",
    "ArmamentSettled",
    "ArmorLeaderSettled",
    "AvailabilityRolled",
    "BatterySettled",
    "BonusDue",
    "CategoryClosed",
    "ElrAnnounced",
    "EquivalencyReckoned",
    "FittingsSettled",
    "GunsBought",
    "InfantryBought",
    "LeadersSettled",
    "MotorizedPaid",
    "OpTankTaken",
    "PurchaseEnded",
    "ReinforcementShareTaken",
    "ReinforcementsNamed",
    "RosterShown",
    "SanBought",
    "SwAllotted",
    "ValuesGiven",
    "VehiclesBought",
    "WeatherAgreed",
    "WorksBought",
    "all_facts",
]


def all_facts() -> dict[str, type[Fact]]:
    """Return every kind of fact of this ruleset by name."""
    here = [cls for cls in globals().values() if isinstance(cls, type) and issubclass(cls, Fact)]
    return {cls.kind: cls for cls in here if cls is not Fact}
