"""What a simulation plays: a card, who commands, which model settles battles, and a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign.cards import find_card
from laager.campaign.log import Entry, Loaded
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.rules.board.ruleset import BoardRuleset

CLOCK = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of every entry of a simulated campaign: the same seed makes the same file."""


@dataclass(frozen=True)
class SimulationPlan:
    """All that decides how the campaigns of a run go; the same plan and number give the same campaign.

    `setting` is what the log opens with (card, map, readings). `commanders` are names, by side.
    `battles` names the model of battles, `intensity` its setting (mild, usual, bloody).
    """

    card: str
    ruleset: str
    title: str
    setting: Mapping[str, Any] = field(repr=False)
    commanders: Mapping[str, str]
    seed: int = 1
    battles: str = "stated"
    intensity: str = "usual"

    def campaign_seed(self, number: int) -> bytes:
        """Return the dice seed of a campaign, by its number from 1."""
        return sha256(f"laager simulate {self.seed}/{number}".encode()).digest()

    def opening(self, number: int) -> tuple[Entry, Entry]:
        """Return the first entries of a campaign."""
        return opening_entries(
            self.ruleset, self.title, self.setting, seed=self.campaign_seed(number), at=CLOCK, drawn=True
        )

    def chance(self, number: int, about: str) -> Random:
        """Return the chance by which a side's commander or a battle goes: a stream of its own for each.

        What one side does with its stream changes nothing for the other, so that comparisons share their luck.
        """
        return Random(f"{self.seed}/{number}/{about}")


def read_plan(
    card: str, rules: str | None = None, readings: Mapping[str, str] | None = None, **how: Any
) -> SimulationPlan:
    """Return the plan for a card: a file, or the name of one that ships.

    Raises RefusedError if there is no such card, DataError with everything that is wrong with it.
    """
    path, ruleset = find_card(card, rules)
    if not isinstance(find_ruleset(ruleset), BoardRuleset):
        raise RefusedError(
            Refusal.NO_SUCH, f"{card} has no battles to be played: campaigns of these rules have no board"
        )
    made = find_ruleset(ruleset).read_card(path, dict(readings or {}))
    sides = find_ruleset(ruleset).sides
    commanders = {side: how.pop(side, "sensible") for side in sides}
    name = Path(card).stem if path == Path(card) else card
    return SimulationPlan(name, ruleset, made.title, made.setting, commanders, **how)


class EntryList:
    """Keeps a campaign's entries as they are: nothing is encoded where nothing is stored."""

    def __init__(self, entries: Sequence[Entry], name: str = "simulation") -> None:
        self.entries = list(entries)
        self.name = name

    def load(self) -> Loaded:
        """Return all entries; there is no hash, as no line was written."""
        return Loaded(tuple(self.entries), "")

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        self.entries += entries
