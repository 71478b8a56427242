"""What came out of many campaigns, added up: small however many they were, and the same in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from laager.rules.board.facts import ending_in_words
from laager.simulation.outcome import CampaignOutcome

DEAD_ENDS_KEPT = 20
"""Most dead ends that are kept with their numbers and words; all are counted."""

END = 0
"""The slot under which figures at the end of a campaign stand."""


@dataclass
class RunTally:
    """The sum of outcomes.

    `wins` counts by side ("" for a draw), `series` the values of a figure by (figure, slot, side), `control` the
    campaigns in which a side Controlled a Location by (slot, side, Location), `bought` groups by (side, line) and
    `buyers` the campaigns that bought it. `fought` and `reached` count by slot.
    """

    campaigns: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    battles: Counter[int] = field(default_factory=Counter)
    reached: Counter[int] = field(default_factory=Counter)
    fought: Counter[int] = field(default_factory=Counter)
    kinds: Counter[tuple[int, str]] = field(default_factory=Counter)
    series: dict[tuple[str, int, str], Counter[int]] = field(default_factory=dict)
    control: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    bought: Counter[tuple[str, str]] = field(default_factory=Counter)
    buyers: Counter[tuple[str, str]] = field(default_factory=Counter)
    clauses: Counter[str] = field(default_factory=Counter)
    dead_ends: list[tuple[int, str]] = field(default_factory=list)
    stuck: int = 0
    refused: int = 0
    answers: int = 0

    @classmethod
    def of(cls, outcomes: Iterable[CampaignOutcome]) -> RunTally:
        """Return the sum of outcomes."""
        tally = cls()
        for outcome in outcomes:
            tally.add(outcome)
        return tally

    def add(self, outcome: CampaignOutcome) -> None:
        """Add one campaign. One that came to a dead end counts as such, and has no winner."""
        self.campaigns += 1
        self.refused += outcome.refused
        self.answers += outcome.answers
        if outcome.dead_end:
            self.stuck += 1
            self.dead_ends = sorted([*self.dead_ends, (outcome.number, outcome.dead_end)])[:DEAD_ENDS_KEPT]
        else:
            self.wins[outcome.winner] += 1
            self.endings[ending_in_words(outcome.ending).partition(":")[0]] += 1
        self.battles[outcome.fought] += 1
        for slot in outcome.slots:
            self.reached[slot.number] += 1
            self.fought[slot.number] += slot.fought
            self.kinds[slot.number, slot.kind] += 1
            self._add_figures(slot.number, slot.figures, slot.control)
        self._add_figures(END, outcome.final, outcome.control)
        for side, groups in outcome.bought.items():
            for group, count in groups.items():
                self.bought[side, group] += count
                self.buyers[side, group] += 1
        self.clauses.update(outcome.clauses)

    def _add_figures(
        self, slot: int, figures: Mapping[str, Mapping[str, int]], control: Mapping[str, list[str]]
    ) -> None:
        for side, values in figures.items():
            for figure, value in values.items():
                self.series.setdefault((figure, slot, side), Counter())[value] += 1
        for side, locations in control.items():
            self.control.update((slot, side, at) for at in locations)

    # Looking ----------------------------------------------------------------------------------------

    @property
    def slots(self) -> list[int]:
        """The slots that some campaign reached."""
        return sorted(self.reached)

    @property
    def ended_campaigns(self) -> int:
        """The campaigns that came to an end."""
        return self.campaigns - self.stuck

    def mean_battles(self) -> float:
        """Return how many battles a campaign has on an average."""
        return sum(count * times for count, times in self.battles.items()) / max(1, self.campaigns)

    def figures(self) -> list[str]:
        """Return the figures that were followed."""
        return list(dict.fromkeys(figure for figure, _, _ in self.series))

    def quantiles(self, figure: str, slot: int, side: str, parts: Iterable[float]) -> list[float]:
        """Return quantiles of a figure's values; nothing if there are none."""
        values = self.series.get((figure, slot, side))
        return list(quantiles(values, parts)) if values else []


def quantiles(values: Mapping[int, int], parts: Iterable[float]) -> Iterator[float]:
    """Yield the values below which these parts of all lie."""
    total, ordered = sum(values.values()), sorted(values.items())
    for part in parts:
        below = 0
        for value, times in ordered:
            below += times
            if below >= part * total:
                yield float(value)
                break


def mean(values: Mapping[int, int]) -> float:
    """Return the mean of counted values."""
    return sum(value * times for value, times in values.items()) / max(1, sum(values.values()))
