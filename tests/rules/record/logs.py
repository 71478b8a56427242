"""Old campaigns as the tests of the record take them: what each viewer knew after each step."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE, may_see
from laager.campaign.log import Entry, MemoryStore

LOGS = Path(__file__).parent.parent.parent / "old_campaigns" / "logs"
NAMES = ("pl-rzhavets", "pl-walkthrough", "hasl-sorgiva", "abtf-rijnoord", "abtf-bare", "er-kokusa-ridge")


@cache
def open_log(name: str) -> Campaign:
    """Return an old campaign; it isn't gone on with."""
    return Campaign(MemoryStore(gzip.decompress((LOGS / f"{name}.laager.gz").read_bytes())))


@dataclass(frozen=True)
class Boundary:
    """Where a step ends: how many entries count until then, and what each viewer knows."""

    entries: int
    states: Mapping[str, Any]


def boundaries(campaign: Campaign) -> Iterator[Boundary]:
    """Yield what stands after the opening and after each step."""
    viewers = (UMPIRE, *campaign.ruleset.sides, SPECTATOR)
    states = {viewer: campaign.ruleset.start(campaign.opening, viewer) for viewer in viewers}
    for i, entry in enumerate(campaign.history.counted):
        for viewer in viewers:
            states[viewer] = _after(campaign, entry, viewer, states[viewer])
        if entry.type == "done":
            yield Boundary(i + 1, dict(states))


def _after(campaign: Campaign, entry: Entry, viewer: str, state: Any) -> Any:
    if entry.type in {"fact", "declared"} and may_see(entry.to, viewer):
        return campaign.fact_of(entry).apply(state)
    return campaign.ruleset.step_done(state, entry.body["step"]) if entry.type == "done" else state
