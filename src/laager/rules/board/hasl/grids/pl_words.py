"""What a Platoon Leader card can say of itself in words: proposals that a designer keeps or changes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

from laager.catalogue.dyo import Month

NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def objective_in_words(row: Mapping[str, str]) -> str:
    """Return what an objective's other cells say, such as “Control at least three of P11, R15 and O16”."""
    places = [place.strip() for place in row["controls"].split(",") if place.strip()]
    sentences = []
    if places:
        listed = " and ".join(filter(None, (", ".join(places[:-1]), places[-1])))
        count = row["count"].strip()
        number = _in_words(int(count)) if count.isdecimal() else count
        sentences.append(f"Control at least {number} of {listed}." if count else f"Control {listed}.")
    if row["tvp"]:
        sentences.append(f"Reach {row['tvp']} CG TVP.")
    if row["cvp_lead"]:
        sentences.append(f"Lead by {row['cvp_lead']} CVP.")
    return " ".join(sentences)


def _in_words(number: int) -> str:
    return NUMBERS[number] if 0 < number < len(NUMBERS) else str(number)


def first_month(data: Mapping[str, Any]) -> Month | None:
    """Return the month of a card's first firefight; None if it has none yet."""
    with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError):
        return Month.of(str(data["firefights"][0]["date"])[:7])
    return None


def situation_in_words(data: Mapping[str, Any]) -> str:
    """Return the situation as a card's calendar and sides have it; "" if they don't say enough."""
    month, sides = first_month(data), data.get("sides")
    if month is None or not isinstance(sides, Mapping):
        return ""
    names = {key: str(side.get("name", "")) for key, side in sides.items() if isinstance(side, Mapping)}
    if set(names) != {"axis", "allied"}:
        return ""
    count, when = len(data["firefights"]), date(month.year, month.month, 1).strftime("%B %Y")
    fights = "one firefight" if count == 1 else f"{_in_words(count)} firefights"
    first = names.get(str(data.get("initial_attacker")))
    meeting = f"{when}: {names['axis']} and {names['allied']} meet in {fights}."
    return f"{meeting} First to attack: {first}." if first else meeting


VICTORY = {
    "tvp": "The side with more CG TVP wins.",
    "cvp": "The side with more CG CVP wins.",
    "tvp+cvp": "The side with more CG TVP and CG CVP together wins.",
    "firefights": "The side that has won more firefights wins.",
}


def victory_in_words(row: Mapping[str, str]) -> str:
    """Return how a campaign is won, by the cells of its card; "" if that is asked or open."""
    counts = VICTORY.get(row["objectives.campaign.points"])
    if counts is None:
        return ""
    margin, tie = row["objectives.campaign.margin"], row["objectives.campaign.tie"]
    lead = f" A lead of less than {margin} counts as equal." if margin not in ("", "1") else ""
    return f"{counts}{lead} {f'If it is equal, the {tie} side wins.' if tie else 'If it is equal, it is a draw.'}"
