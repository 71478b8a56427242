"""What if? Runs with something changed, played with the same luck as the run without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from laager.campaign.sheet import Column, Sheet
from laager.simulation.figures import PairedChange, campaigns_needed, paired_difference
from laager.simulation.outcome import CampaignOutcome
from laager.simulation.plan import SimulationPlan, describe_change
from laager.simulation.sheets import SMALL_DIFFERENCE, context_of, name_of

UNDECIDED = "?"
"""Stands for the winner of a campaign that came to a dead end."""


@dataclass
class Winners:
    """Who won which campaign of a run: what a comparison needs of it."""

    by_number: dict[int, str] = field(default_factory=dict)

    def add(self, outcome: CampaignOutcome) -> None:
        """Add one campaign."""
        self.by_number[outcome.number] = UNDECIDED if outcome.dead_end else outcome.winner


@dataclass(frozen=True)
class Comparison:
    """One change, and how often each side wins with it, compared campaign by campaign."""

    change: str
    by_side: dict[str, PairedChange]
    apart: float
    """The part of campaigns that another side wins with the change, counted as if there were one more of each kind."""


def compare(change: str, base: Winners, changed: Winners, sides: Sequence[str]) -> Comparison:
    """Return how a run differs from the one without the change, over the campaigns that both have."""
    both = sorted(base.by_number.keys() & changed.by_number.keys())
    pairs = [(base.by_number[number], changed.by_number[number]) for number in both]
    pairs = [pair for pair in pairs if UNDECIDED not in pair]
    by_side = {
        side: paired_difference(
            sum(after == side != before for before, after in pairs),
            sum(before == side != after for before, after in pairs),
            len(pairs),
        )
        for side in sides
    }
    return Comparison(change, by_side, (sum(a != b for a, b in pairs) + 1) / (len(pairs) + 2))


def sorted_by_size(comparisons: Sequence[Comparison], side: str) -> list[Comparison]:
    """Return comparisons as a tornado has them: the greatest change first."""
    return sorted(comparisons, key=lambda item: -abs(item.by_side[side].change))


def comparison_sheet(plan: SimulationPlan, comparisons: Sequence[Comparison]) -> Sheet:
    """Return the changes, the one that changes most first."""
    side = next(iter(plan.commanders))
    names = {each: name_of(context_of(plan), each) for each in plan.commanders}
    name = names[side]
    return Sheet(
        "what-if",
        f"What if? How much more often {name} win",
        (Column("Change"), *(Column(t, "right") for t in ("Difference", "95 % from", "to", "p", "Campaigns for 3 %"))),
        tuple(_rows(comparisons, side, names)),
        ("Each campaign is played with and without the change, with the same dice and luck; p is McNemar's.",),
    )


def _rows(comparisons: Sequence[Comparison], side: str, names: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for item in sorted_by_size(comparisons, side):
        change = item.by_side[side]
        needed = campaigns_needed(SMALL_DIFFERENCE, max(item.apart, SMALL_DIFFERENCE))
        figures = (
            f"{change.change:+.1%}",
            f"{change.low:+.1%}",
            f"{change.high:+.1%}",
            f"{change.p:.3f}",
            f"{needed:,}",
        )
        yield (describe_change(item.change, names), *figures)
