"""What the enemy can see of a correction in a secret record: who, why, and how many things. Nothing else."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from laager.campaign import rulings
from laager.campaign.describing import export_view, wishes
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.rulings import Ruling
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.rules.board.rulings.proposing import describe_open
from laager.rules.board.rulings.ruling import base_contexts
from laager.rules.board.units import Unit
from tests.rules.test_rulings import copied, played
from tests.rulings import written


def everything(campaign: Campaign, viewer: str) -> str:
    """All that a viewer gets: state, log, what is asked and by whom, as one text."""
    seen = view(campaign, viewer)
    lines = [(line.number, line.text) for line in log_in_words(campaign, seen)]
    asked = [wish.text for wish in wishes(campaign, seen)]
    shown = export_view(campaign, seen) | {"open": describe_open(campaign, viewer)}
    return json.dumps([lines, asked, list(seen.waiting_for), shown], default=str, sort_keys=True)


def corrections(campaign: Campaign, rng: Random) -> dict[str, Any]:
    """A correction of two of the Germans' secret units, of their points, and of a new one."""
    _, cg = base_contexts(campaign, "axis")
    hidden: list[Unit] = [unit for unit in cg.state.units_of("axis") if not unit.known]
    points = next(name for name in ("cp", "cpp") if hasattr(cg.state.side("axis"), name))
    lines: dict[str, Any] = {}
    for unit in rng.sample(hidden, 2):
        lines[unit.id] = rng.choice(
            [
                {"name": rng.choice(["Anton", "Berta", "Caesar"])},
                {"place": "map", "at": rng.choice(sorted(cg.map.playable))},
                {"gone": "removed"},
                {"fought": not unit.fought},
                {"marks": ["+stealthy"], "name": "Dora"},
            ]
        )
    fresh = {"side": "axis", "type": rng.choice([unit.type for unit in hidden])}
    return {
        "units": lines,
        "sides": {"axis": {points: getattr(cg.state.side("axis"), points) + rng.randint(1, 9)}},
        "new": {"units": [fresh]},
    }


@pytest.mark.parametrize("card", ["rzhavets", "rijnoord", "kokusa-ridge"])
def test_two_secret_corrections_look_alike(card: str) -> None:
    campaign = played(card, 5, 4)
    counts = []
    for number in range(4):
        looks = []
        for world in range(2):
            here, rng = copied(campaign), Random(f"{card} {number} {world}")
            ruling = written(here, "axis", corrections(here, rng))
            before = everything(here, "allied")
            rulings.propose(here, Ruling("axis", "typed wrong", ruling.facts))
            asked = rulings.open_ruling(here, "allied")
            assert asked is not None
            counts.append(asked.secret)
            looks.append([before, *(everything(here, viewer) for viewer in ("allied", SPECTATOR))])
            rulings.consent(here, "allied", agree=True)
            looks[-1] += [everything(here, viewer) for viewer in ("allied", SPECTATOR)]
        assert looks[0] == looks[1]
    assert counts == [counts[0]] * len(counts)
    assert counts[0]["axis"] == {"entry": 1, "unit": 3}
