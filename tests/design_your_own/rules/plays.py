"""The acceptance cases that real play judges: a small purchase up to the moment in question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from laager.base import LaagerError
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.pending import Pending
from laager.campaign.views import View, view
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.terms import SIDES, Terms
from tests.design_your_own.harness import new_purchase, ob_of
from tests.design_your_own.rules.ops import Given

BUYER, ENEMY = "axis", "allied"
TAKEN = "taken"

Answers = Mapping[str, Any]
Knows = Callable[[View], bool]


def waiting(campaign: Campaign) -> list[Pending]:
    """Return what is asked, the buyer's first; opening the Rosters would end the purchase."""
    found = [one for one in campaign.pending() if one.key != "open-roster"]
    return sorted(found, key=lambda one: one.side != BUYER)


def keys(campaign: Campaign) -> list[str]:
    """Return what the buyer is asked."""
    return [one.key for one in waiting(campaign) if one.side == BUYER]


def give(campaign: Campaign, one: Pending, answers: Answers) -> None:
    """Answer for the buyer as said; all else gets its default, and dice 5, 5."""
    default = one.question.default if one.question else [5, 5]
    campaign.answer(one.side, one.key, answers.get(one.key, default) if one.side == BUYER else default)


def play_to(campaign: Campaign, key: str, answers: Answers) -> None:
    """Play both sides until the buyer is asked a question."""
    while key not in keys(campaign):
        assert waiting(campaign), f"{key!r} is never asked"
        give(campaign, waiting(campaign)[0], answers)


def reply(campaign: Campaign, **answers: Any) -> None:
    """Let the buyer answer these questions, in order."""
    for key, value in answers.items():
        campaign.answer(BUYER, key.replace("_", "-"), value)


def attempt(campaign: Campaign, key: str, value: Any) -> str:
    """Let the buyer try an answer; return the code of its refusal, or that it was taken."""
    try:
        campaign.answer(BUYER, key, value)
    except LaagerError as refused:
        return refused.code
    return TAKEN


def attempts(campaign: Campaign, key: str, value: Any, until: str = "") -> str:
    """Let the buyer try an answer at every moment from now on; return the one outcome of all."""
    outcomes = {attempt(campaign, key, value)}
    while TAKEN not in outcomes and until not in keys(campaign) and (left := waiting(campaign)):
        give(campaign, left[0], {})
        outcomes.add(attempt(campaign, key, value))
    (outcome,) = outcomes
    return outcome


def rolls(campaign: Campaign, label: str) -> int:
    """Return how often the buyer made a DR."""
    made = [one.body for one in campaign.entries if one.type == "roll"]
    return sum((body["side"], body["label"]) == (BUYER, label) for body in made)


# What can't be had ------------------------------------------------------------------------------


def traded_back(given: Given) -> dict[str, Any]:
    """T06: two squads fewer would have paid for the battery, but nothing gives them back."""
    recorded = given["recorded"]
    back = [{**recorded, "number": -given["back"]}]
    fewer = {"lines": [{**recorded, "number": recorded["number"] - given["back"]}]}

    def offered(infantry: Answers) -> Campaign:
        campaign = new_purchase(entered=True, axis={"points": given["points"]})
        play_to(campaign, "battery", {"infantry": infantry})
        return campaign

    campaign = offered({"lines": [recorded]})
    found: dict[str, Any] = {
        "with fewer from the first": attempt(offered(fewer), "battery", {"buy": True}),
        "with all": attempt(campaign, "battery", {"buy": True}),
        "with some given for it": attempt(campaign, "battery", {"buy": True, "lines": back}),
        "fewer recorded anew": attempts(campaign, "infantry", fewer, until="second-infantry"),
        "some given back": attempt(campaign, "second-infantry", {"lines": back}),
    }
    (line,) = ob_of(campaign, BUYER).infantry
    return {**found, "recorded": {"type": line.type, "number": line.number}}


def second_try(given: Given) -> dict[str, Any]:
    """T07: the DR is made and all that it offers declined."""
    key = given["category"]
    campaign = new_purchase(entered=True)
    play_to(campaign, f"{key}-dr", {})
    reply(campaign, **{f"{key}-dr": True, "roll": given["faces"], key: []})
    outcome = attempts(campaign, f"{key}-dr", True)
    return {"again": outcome, "rolls": rolls(campaign, f"Availability, {key}")}


def two_batteries(given: Given) -> dict[str, Any]:
    """T15: while a battery is on offer nothing else is asked; settled either way, the DR follows."""
    found: dict[str, Any] = {}
    for name, buy in (("declined", False), ("bought", True)):
        campaign = new_purchase(entered=True, axis={"points": given["points"]})
        play_to(campaign, "oba-dr", {})
        reply(campaign, oba_dr=True, roll=given["faces"])
        found["offered"] = [keys(campaign), attempt(campaign, "oba-dr", True)]
        reply(campaign, battery={"buy": buy})
        found[name] = [keys(campaign), attempt(campaign, "oba-dr", True)]
    return found


def second_exchange(given: Given) -> dict[str, Any]:
    """T32: the one DR is made."""
    campaign = new_purchase(entered=True)
    play_to(campaign, "leader-exchange-dr", {"infantry": {"lines": [given["recorded"]]}})
    reply(campaign, leader_exchange_dr=True, roll=given["faces"])
    return {"again": attempts(campaign, "leader-exchange-dr", True), "rolls": rolls(campaign, "Leader exchange")}


# What can be seen -------------------------------------------------------------------------------


def bodies(seen: View, type_: str) -> list[Mapping[str, Any]]:
    return [one.entry.body for one in seen.log if one.entry.type == type_]


def facts(seen: View, kind: str) -> bool:
    """True if a viewer can read a fact of this kind about the buyer."""
    return any(body["kind"] == kind and body["fact"]["side"] == BUYER for body in bodies(seen, "fact"))


def acts(seen: View, type_: str) -> bool:
    """True if a viewer can read an answer or roll of the buyer."""
    return any(body["side"] == BUYER for body in bodies(seen, type_))


def sorted_out(knows: Mapping[str, Knows], views: Iterable[View]) -> dict[str, list[str]]:
    """Return what all of these viewers know, and what none of them does."""
    looks = list(views)
    public = [name for name, test in knows.items() if all(map(test, looks))]
    return {"public": public, "hidden": [name for name, test in knows.items() if not any(map(test, looks))]}


def secret_purchase(given: Given) -> dict[str, Any]:
    """V05: what others see of the buyer once both ELR are announced; the buyer itself sees it all."""
    campaign = new_purchase(entered=True)
    campaign.answer(ENEMY, "infantry", {"lines": [given["enemy"]]})
    play_to(campaign, "bonus", {"infantry": {"lines": [given["recorded"]]}})

    def described(seen: View) -> dict[str, Any]:
        half: dict[str, Any] = RULESET.describe(seen.state)["sides"][BUYER]
        return half

    def roster(seen: View) -> bool:
        shown = any(sheet.side == BUYER for sheet in RULESET.sheets(campaign.context, seen.state))
        return shown or "ob" in described(seen) or facts(seen, "infantry-bought") or acts(seen, "answer")

    def rolled(seen: View) -> bool:
        recorded = seen.state.ob(BUYER).ordnance.availability is not None
        return recorded or facts(seen, "availability-rolled") or acts(seen, "roll")

    knows: dict[str, Knows] = {
        "announced ELR": lambda seen: facts(seen, "elr-announced") and described(seen)["announced_elr"] is not None,
        "Roster": roster,
        "MPV": lambda seen: seen.state.ob(BUYER).total > 0 or "points" in described(seen),
        "DR results": rolled,
        "bonus number": lambda seen: facts(seen, "bonus-due") or bool(seen.state.ob(BUYER).bonus),
    }
    assert sorted_out(knows, [view(campaign, BUYER)]) == {"public": list(knows), "hidden": []}
    return sorted_out(knows, (view(campaign, ENEMY), view(campaign, SPECTATOR)))


def from_the_beginning(given: Given) -> dict[str, Any]:
    """V06: what everybody sees before anything is bought."""
    points = given["allotments"]
    boards = [{"id": name} for name in given["boards"]]
    date = f"{given['year']}-{given['month']:02}"
    sides: dict[str, Any] = {side: {"points": points[side]} for side in SIDES}
    campaign = new_purchase(date=date, boards=boards, victory=given["victory"], **sides)

    def terms(seen: View) -> Terms:
        return Terms.model_validate(seen.opening["terms"])

    def headed(seen: View) -> bool:
        return RULESET.headline(campaign.context, seen.state)[0].startswith(date)

    def allotments(seen: View) -> dict[str, int]:
        return {side: half["allotment"] for side, half in RULESET.describe(seen.state)["sides"].items()}

    knows: dict[str, Knows] = {
        "month": lambda seen: terms(seen).month.month == given["month"] and headed(seen),
        "year": lambda seen: terms(seen).month.year == given["year"] and headed(seen),
        "allotments": lambda seen: allotments(seen) == points,
        "boards": lambda seen: [board.id for board in terms(seen).boards] == given["boards"],
        "Victory Conditions": lambda seen: terms(seen).victory == given["victory"],
    }
    return sorted_out(knows, [view(campaign, viewer) for viewer in (*SIDES, SPECTATOR)])


PLAYS: Mapping[str, Callable[[Given], dict[str, Any]]] = {
    "T06": traded_back,
    "T07": second_try,
    "T15": two_batteries,
    "T32": second_exchange,
    "V05": secret_purchase,
    "V06": from_the_beginning,
}
