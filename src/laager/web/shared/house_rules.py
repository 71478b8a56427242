"""House rules of a campaign, wherever its pages cite a clause."""

from __future__ import annotations

from laager.campaign.house import HouseRules


class RulesByHouse(str):
    """The name of a campaign's rule system, together with what the campaign plays differently.

    Templates have it where others have the plain name, so that each clause cited is marked if it's changed.
    `address` is the page that lists the changes.
    """

    house: HouseRules
    address: str

    def __new__(cls, ruleset: str, house: HouseRules, address: str) -> RulesByHouse:
        """Return a name that compares as the plain one does."""
        made = super().__new__(cls, ruleset)
        made.house, made.address = house, address
        return made
