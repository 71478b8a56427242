"""The house rules of a campaign, held against what it would have without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from laager.campaign.clauses import Clause, RulesIndex
from laager.campaign.house.checking import Printed, printed_of
from laager.campaign.house.rules import HOUSE, HouseRules, house_rules, printed_tables
from laager.campaign.house.words import HouseLine, house_lines

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.ruleset import PlayedRuleset
    from laager.campaign.steps import Context


def printed_in(ruleset: Any, opening: Mapping[str, Any]) -> Printed:
    """Return what a campaign would have without house rules: its rules as printed, and its card's charts."""
    return printed_of(ruleset, opening)


def lines_in_force(ruleset: PlayedRuleset, context: Context, opening: Mapping[str, Any]) -> tuple[HouseLine, ...]:
    """Return what a campaign plays differently; nothing if it has no house rules."""
    house = getattr(context, "house", None)
    return house_lines(house, printed_in(ruleset, opening)) if house else ()


def lines_on_sheet(context: Any) -> tuple[tuple[str, str], ...]:
    """Return what a campaign plays differently as rows of a sheet: the clause, and what holds."""
    house: HouseRules | None = context.house
    if not house:
        return ()
    printed = Printed("", house.index, printed_tables(context.package))
    return tuple(
        (line.clause, f"House rule: {'; '.join(line.what)}. {line.why}") for line in house_lines(house, printed)
    )


def list_reminders(context: Context, package: str, moment: str) -> tuple[Clause, ...]:
    """Return the clauses that players are reminded of at a moment, without those that their house leaves out."""
    clauses = RulesIndex.load_packaged(package).reminders(moment)
    house = getattr(context, "house", None)
    return house.without_left_out(clauses) if house else clauses


def setting_house_lines(ruleset: PlayedRuleset, setting: Mapping[str, Any]) -> tuple[HouseLine, ...]:
    """Return what a campaign about to begin plays differently, by what its card brings."""
    house = house_rules(setting.get(HOUSE), ruleset.package)
    return house_lines(house, printed_in(ruleset, setting)) if house else ()


def campaign_house_lines(campaign: Campaign) -> tuple[HouseLine, ...]:
    """Return what a campaign plays differently, as it stands now."""
    ruleset: Any = campaign.ruleset
    return lines_in_force(ruleset, campaign.context, campaign.opening)
