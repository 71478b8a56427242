"""How balanced the shipped cards are: figures that ship with them, simulated between equal sensible commanders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from laager.simulation.plan import SimulationPlan
from laager.simulation.tally import RunTally

FILE = files("laager.packs") / "balance.json"


class ShippedBalance(BaseModel):
    """What simulated campaigns of a shipped card gave.

    `digest` is of the card, its charts and its map as they were simulated, `version` and `day` say by which Laager and
    when. `wins` counts by side ("" for a draw). `intervals` are each side's share in per cent, from and to, with 95 %
    confidence. `fought` is the share of the slots reached that were fought, in per cent; `never_bought` lists groups.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str
    campaigns: int
    seed: int
    commander: str
    version: str
    day: date
    wins: dict[str, int]
    intervals: dict[str, tuple[float, float]]
    fought: float
    never_fought: list[int]
    never_bought: dict[str, list[str]]

    def is_of(self, setting: Mapping[str, Any]) -> bool:
        """True if the figures are of this card, not of an earlier version of it."""
        return self.digest == digest_setting(setting)

    def shares(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield each side, its share of wins in per cent, and from where to where that lies."""
        total = sum(self.wins.values())
        for side, (low, high) in self.intervals.items():
            yield side, f"{self.wins.get(side, 0) / total:.0%}", f"{low:.0f}%", f"{high:.0f}%"


def digest_setting(setting: Mapping[str, Any]) -> str:
    """Return a digest of all that a campaign opens with."""
    return sha256(json.dumps(setting, sort_keys=True, default=dict).encode()).hexdigest()


@cache
def load_balances() -> Mapping[str, ShippedBalance]:
    """Return the figures of the shipped cards, by card."""
    cards = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: ShippedBalance.model_validate(figures) for name, figures in cards.items()}


def balance_of_card(card: str) -> ShippedBalance | None:
    """Return the figures of a shipped card; None if there are none. Ask `is_of` if they are of the card as it is."""
    return load_balances().get(card)


def measure_balance(plan: SimulationPlan, tally: RunTally, keys: Mapping[str, list[str]]) -> ShippedBalance:
    """Return what a run of a card gave; `keys` are the lines of each side's chart."""
    from laager import __version__
    from laager.simulation.figures import share

    total = sum(tally.wins.values())
    shares = {side: share(tally.wins[side], total) for side in plan.commanders}
    reached = max(1, sum(tally.reached.values()))
    return ShippedBalance(
        digest=digest_setting(plan.setting),
        campaigns=tally.campaigns,
        seed=plan.seed,
        commander=next(iter(plan.commanders.values())),
        version=__version__,
        day=date.today(),
        wins=dict(sorted(tally.wins.items())),
        intervals={side: (round(100 * part.low, 1), round(100 * part.high, 1)) for side, part in shares.items()},
        fought=round(100 * sum(tally.fought.values()) / reached, 1),
        never_fought=[slot for slot in tally.slots if not tally.fought[slot]],
        never_bought={side: [key for key in lines if not tally.buyers[side, key]] for side, lines in keys.items()},
    )
