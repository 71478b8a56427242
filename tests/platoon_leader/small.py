"""The walkthrough's card and map as a context for tests, with parts of the card changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from laager.base.files import load
from laager.campaign.facts import UMPIRE
from laager.hexmap import load_map
from laager.rules.board.facts import CvpScored
from laager.rules.platoon_leader.card.card import Card
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CampaignBegun, FirefightCompleted, FirefightDetermined, RoundBegun
from laager.rules.platoon_leader.state import PlState, Round, Type

CARDS = Path(__file__).parent / "cards"


def small_cg(readings: Mapping[str, str] | None = None, **changes: Any) -> Cg:
    """Return the campaign of `cards/walkthrough.yaml` before its first fact.

    `changes` are merged into the card: mappings part by part, anything else is replaced. So
    `small_cg(sides={"axis": {"cp": 3}})` leaves the Axis 3 CP and the rest as it is.
    """
    card = merged(card_data(), changes)
    Card.model_validate(card)
    opening = {"card": card, "map": map_data(), "readings": dict(readings or {})}
    cg = Cg(opening)
    cg.state = PlState.empty(UMPIRE)
    return cg


def merged(base: Any, changes: Any) -> Any:
    """Return `base` with `changes` put over it."""
    if not (isinstance(base, Mapping) and isinstance(changes, Mapping)):
        return changes
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


def second_firefight(cg: Cg, attacked: str = "axis", axis: int = 0, allied: int = 0) -> Cg:
    """Bring a campaign to its second firefight; CVP are what each side scored in the first."""
    zero = {"axis": 3, "allied": 3}
    facts: list[Any] = [
        CampaignBegun(elr=zero, san=zero, cp={"axis": 0, "allied": 0}),
        FirefightDetermined(
            type=Type.AXIS_ASSAULT if attacked else Type.IDLE,
            elr=zero,
            san=zero,
            attacked={side: side == attacked for side in zero},
        ),
        CvpScored(side="axis", points=axis),
        CvpScored(side="allied", points=allied),
        FirefightCompleted(idle=not attacked),
        RoundBegun(round=Round.NEW, firefight=2),
    ]
    for fact in facts:
        cg.state = fact.apply(cg.state)
    return cg


@cache
def card_data() -> dict[str, Any]:
    """Return the card as plain JSON data."""
    return load(CARDS / "walkthrough.yaml", Card).model_dump(mode="json", exclude_defaults=True)


@cache
def map_data() -> dict[str, Any]:
    """Return the map as plain JSON data."""
    return load_map(CARDS / "walkthrough-map.yaml").to_data()
