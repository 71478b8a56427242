"""Suggested purchases: the integer program, a greedy buyer, and trying everything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import shipped_terms
from laager.rules.design_your_own.plan.suggest import suggest
from laager.rules.design_your_own.plan.wishes import PieceWish, SquadWish, Wishes
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.state import first_state
from laager.rules.design_your_own.steps.infantry import on_offer, plain_mpv

LARGE = Wishes(
    squads=(
        SquadWish(count=30, at_least="first-line"),
        SquadWish(count=6, type="8-3-8", capabilities=("assault-engineer",)),
    ),
    platoons=(PieceWish(count=4, sort="tank"), PieceWish(count=3, type="StuG IIIG")),
    guns=(PieceWish(count=3, sort="at"), PieceWish(count=2, sort="mortar")),
    oba=2,
    san=4,
)
SMALL = Wishes(squads=(SquadWish(count=2, at_least="second-line"),))


@cache
def _setting() -> str:
    return json.dumps(RULESET.read_card(shipped_terms()["vistula"], {}).setting)


@cache
def terms(points: int) -> Cg:
    """The shipped terms with another allotment, the catalogue read."""
    setting: dict[str, Any] = json.loads(_setting())
    setting["terms"]["sides"]["axis"]["points"] = points
    cg = Cg(setting)
    cg.state = first_state(cg.terms, "umpire", cg.rulebook)
    return cg


def ours(points: int, wishes: Wishes) -> int:
    """The Equivalents that the integer program reaches."""
    return suggest(terms(points), "axis", wishes).reached


def _kinds(points: int) -> list[tuple[int, str]]:
    """Price and subsection of every squad, the best bargain first."""
    cg = terms(points)
    worth = {"Elite": 4 / 3, "Line": 1, "Conscript": 3 / 4}
    squads = [mmc for mmc in on_offer(cg, "axis") if mmc.kind == "squad"]
    found = [(plain_mpv(cg, mmc) or 0, str(mmc.subsection)) for mmc in squads]
    return sorted(found, key=lambda kind: kind[0] / worth[kind[1]])


def _equivalents(numbers: dict[str, int]) -> int:
    elite, low = numbers.get("Elite", 0), numbers.get("Conscript", 0)
    return elite * 4 // 3 + numbers.get("Line", 0) + low * 3 // 4


def greedy(points: int) -> int:
    """Two squads above Conscript, then always the best bargain, 26 of a type at most."""
    left, numbers = points, dict[str, int]()
    kinds = _kinds(points)
    first = min(price for price, subsection in kinds if subsection != "Conscript")
    left -= 2 * first
    numbers["Line"] = 2
    for price, subsection in kinds:
        bought = min(26, left // price)
        left -= bought * price
        numbers[subsection] = numbers.get(subsection, 0) + bought
    return _equivalents(numbers)


def everything(points: int) -> int:
    """The most Equivalents of all the purchases of squads that there are."""
    kinds = _kinds(points)

    def tries(place: int, left: int) -> Iterator[dict[str, int]]:
        if place == len(kinds):
            yield {}
            return
        price, subsection = kinds[place]
        for number in range(left // price + 1):
            for rest in tries(place + 1, left - number * price):
                yield {**rest, subsection: rest.get(subsection, 0) + number}

    legal = (numbers for numbers in tries(0, points) if numbers.get("Elite", 0) + numbers.get("Line", 0) >= 2)
    return max(map(_equivalents, legal))
