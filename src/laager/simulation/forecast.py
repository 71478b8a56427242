"""What a side can expect of a campaign under way, by what it knows: it is played on many times from its own record.

What the other side alone knows is drawn (`laager.simulation.known`). Two campaigns that differ only in the other side's
secrets give the same forecast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.sheet import Column, Sheet
from laager.simulation.figures import share
from laager.simulation.known import KnownRecord
from laager.simulation.plan import SimulationPlan
from laager.simulation.sheets import context_of, figure_sheet, name_of
from laager.simulation.tally import RunTally

INTENSITIES = ("mild", "usual", "bloody")
"""The settings of the model under which it is played on."""
CAMPAIGNS = 5
"""Campaigns for each setting unless somebody asks for more: an answer in a quarter of a minute or so."""
OWN_FIGURES = ("cp", "fpp", "strength", "ground")

Progress = Callable[[int, int], None]
"""Is told how many campaigns have been played, of how many."""


@dataclass
class CampaignForecast:
    """What came out: a tally for each setting of the model, of campaigns that go on from a side's record."""

    side: str
    plan: SimulationPlan
    slot: int
    """The present battle: what is told is of those that follow."""
    tallies: dict[str, RunTally] = field(default_factory=dict)

    def sheets(self) -> list[Sheet]:
        """Return how likely each ending is, and what the side can expect to have at the next battles."""
        context = context_of(self.plan)
        name = name_of(context, self.side)
        usual = self.tallies["usual"]
        figures = [figure_sheet(usual, context, figure) for figure in OWN_FIGURES if figure in usual.figures()]
        past = {str(slot) for slot in usual.slots if slot <= self.slot}
        own = [tuple(row for row in sheet.rows if row[1] == name and row[0] not in past) for sheet in figures]
        return [self._endings(context), *(replace(sheet, rows=rows) for sheet, rows in zip(figures, own, strict=True))]

    def _endings(self, context: Any) -> Sheet:
        rows = []
        for setting, tally in self.tallies.items():
            for side in (*self.plan.commanders, *([""] if tally.wins[""] else [])):
                part = share(tally.wins[side], tally.ended_campaigns)
                shown = (f"{part.part:.0%}", f"{part.low:.0%}", f"{part.high:.0%}")
                rows.append((setting, name_of(context, side), *shown))
        numbers = (Column(title, "right") for title in ("Share", "95 % from", "to"))
        return Sheet(
            "forecast",
            f"Who will win, by what your side knows ({name_of(context, self.side)})",
            (Column("Battles"), Column("Side"), *numbers),
            tuple(rows),
            (
                "It is played on from the start of the step under way, by sensible commanders for both sides.",
                "The enemy's points are drawn; of its troops only those count that you know: it may have more.",
                "Battles are settled by a stated model, not by play, under three settings: mild, usual and bloody.",
            ),
        )


def forecast(
    campaign: Campaign, side: str, campaigns: int = CAMPAIGNS, progress: Progress | None = None
) -> CampaignForecast:
    """Return what a side can expect, by `campaigns` campaigns for each setting of the model.

    Raises RefusedError once the campaign is over, and for rules without a record.
    """
    known = KnownRecord.of(campaign, side).read()
    made = CampaignForecast(side, known.plan, known.slot)
    for intensity in INTENSITIES:
        tally = made.tallies[intensity] = RunTally()
        for number in range(1, campaigns + 1):
            tally.add(known.play_on(number, intensity=intensity).outcome)
            if progress is not None:
                progress(sum(t.campaigns for t in made.tallies.values()), campaigns * len(INTENSITIES))
    return made
